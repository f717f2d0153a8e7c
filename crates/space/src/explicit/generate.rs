//! Successors by plan.
//!
//! Walks the tree of a plan (see [`super::plan`]) at each state, which runs its code and tries its
//! choices. What cannot be compiled, or takes too many nodes, the search by propagation (see
//! [`super::search`]) finds instead; both find the same states.

use wherefore_base::{Budget, Run, Stop, deep};
use wherefore_model::{Constraint, Model, Requirement, TermId};

use super::code::{Machine, Reg, RegisterOp};
use super::compile::{CodeBlock, RegisterCompiler, RegisterSet};
use super::found::FoundStates;
use super::plan::{PlanBuilder, PlanContinuation, PlanNodeId, PlanNodes, Seed, Want};
use super::search::StateSearch;
use crate::eval::ReadMode;
use crate::layout::StateLayout;

/// Plans have at most so many nodes together.
const NODES: usize = 1 << 14;

/// Finds the initial states of a model and the successors of its states.
#[derive(Debug)]
pub(super) struct Generator<'m> {
    model: &'m Model,
    budget: Budget,
    compiled: Option<CompiledPlans<'m>>,
    /// Made when it is first needed.
    search: Option<Box<StateSearch<'m>>>,
}

/// A condition on a state, ready to be asked.
#[derive(Debug)]
pub(super) enum PlanCondition {
    Compiled { code: Box<[RegisterOp]>, truth: Reg },
    Term(TermId),
}

impl<'m> Generator<'m> {
    pub(super) fn new(model: &'m Model, budget: &Budget) -> Self {
        Self {
            model,
            budget: budget.clone(),
            compiled: CompiledPlans::new(model),
            search: None,
        }
    }

    /// Puts all initial states into `found`, which is empty.
    pub(super) fn initial(&mut self, layout: &StateLayout, found: &mut FoundStates) -> Run<()> {
        let nothing = vec![0; layout.words()];
        if let Some(compiled) = &mut self.compiled {
            let root = compiled.initial;
            if compiled.solve(root, &nothing, layout, &self.budget, found)? {
                return Ok(());
            }
        }
        // A plan that was given up may have left some states behind.
        found.clear();
        self.search().initial(layout, found)
    }

    /// Puts all successors of a packed state into `found`, which is empty.
    pub(super) fn successors(
        &mut self,
        state: &[u64],
        layout: &StateLayout,
        found: &mut FoundStates,
    ) -> Run<()> {
        if let Some(compiled) = &mut self.compiled {
            let root = compiled.steps;
            if compiled.solve(root, state, layout, &self.budget, found)? {
                return Ok(());
            }
        }
        // A plan that was given up may have left some states behind.
        found.clear();
        let values = layout.values(self.model, state);
        self.search().successors(&values, layout, found)
    }

    /// Makes a condition on a state ready to be asked.
    pub(super) fn condition(&mut self, term: TermId) -> PlanCondition {
        let Some(compiled) = &mut self.compiled else {
            return PlanCondition::Term(term);
        };
        let compiler = &mut compiled.compiler;
        if !compiler.supports([Requirement::Holds(term)].into_iter()) {
            return PlanCondition::Term(term);
        }
        let mut block = CodeBlock::default();
        let truth = compiler.value(&mut block, ReadMode::Step, term);
        compiled.grow();
        PlanCondition::Compiled {
            code: block.code.into(),
            truth,
        }
    }

    /// Whether a condition holds in a packed state.
    pub(super) fn holds(
        &mut self,
        condition: &PlanCondition,
        state: &[u64],
        layout: &StateLayout,
    ) -> bool {
        match (condition, &mut self.compiled) {
            (PlanCondition::Compiled { code, truth }, Some(compiled)) => {
                let machine = &mut compiled.machine;
                machine.run(code, &compiled.compiler.tables, layout, state);
                machine.regs[*truth as usize] != 0
            }
            // Only compiled plans make compiled conditions, and they are never given away.
            (PlanCondition::Compiled { .. }, None) => false,
            (PlanCondition::Term(term), _) => {
                let values = layout.values(self.model, state);
                self.search().truth(&values, *term)
            }
        }
    }

    /// How many turns it took to find what was found.
    pub(super) fn turns(&self) -> u64 {
        let walks = self.compiled.as_ref().map_or(0, |compiled| compiled.turns);
        walks + self.search.as_ref().map_or(0, |search| search.turns)
    }

    /// The search by propagation.
    pub(super) fn search(&mut self) -> &mut StateSearch<'m> {
        self.search
            .get_or_insert_with(|| Box::new(StateSearch::new(self.model, &self.budget)))
    }
}

/// The plans of a model.
#[derive(Debug)]
struct CompiledPlans<'m> {
    compiler: RegisterCompiler<'m>,
    nodes: PlanNodes,
    initial: PlanNodeId,
    steps: PlanNodeId,
    /// Slots that some requirement reads, or that two assign.
    read: RegisterSet,
    machine: Machine,
    /// How many turns the walks took.
    turns: u64,
}

/// Why a walk ends before all is found.
enum WalkHalt {
    /// A node is not made yet.
    Missing(PlanNodeId),
    /// There are more states than wanted.
    Enough,
    Stop(Stop),
}

impl<'m> CompiledPlans<'m> {
    /// `None` when the requirements of the model cannot be compiled.
    fn new(model: &'m Model) -> Option<Self> {
        let compiler = RegisterCompiler::new(model)?;
        let all = model.init.iter().chain(&model.trans).chain(&model.invar);
        if !compiler.supports(all.map(|constraint| constraint.requires)) {
            return None;
        }
        let mut read = RegisterSet::default();
        let mut wants = |constraints: &[Constraint], mode: ReadMode| {
            let both = [(constraints, mode), (&model.invar[..], ReadMode::Target)];
            let mut wants = Vec::new();
            let mut assigned = RegisterSet::default();
            for (constraints, mode) in both {
                for constraint in constraints {
                    let reads = compiler.eval.reads(mode, constraint.requires.term());
                    if let Requirement::Assign(var, _) = constraint.requires {
                        if assigned.contains(var.index()) {
                            read.insert(var.index());
                        }
                        assigned.insert(var.index());
                    }
                    let mut count = 0;
                    for slot in reads.iter() {
                        read.insert(slot);
                        count += 1;
                    }
                    wants.push((count, Want::new(mode, constraint.requires)));
                }
            }
            // What waits for fewer slots comes first: one pass then fixes most of them.
            wants.sort_by_key(|(count, _)| *count);
            wants.into_iter().map(|(_, want)| want).collect()
        };
        let (initial, steps) = (
            wants(&model.init, ReadMode::Target),
            wants(&model.trans, ReadMode::Step),
        );
        let mut nodes = PlanNodes::default();
        let initial = nodes.add(Seed::root(initial));
        let steps = nodes.add(Seed::root(steps));
        let machine = Machine {
            regs: compiler.start.clone(),
            offered: Vec::new(),
            packed: Vec::new(),
        };
        Some(Self {
            compiler,
            nodes,
            initial,
            steps,
            read,
            machine,
            turns: 0,
        })
    }

    /// Gives the machine the registers that the compiler added.
    fn grow(&mut self) {
        let have = self.machine.regs.len();
        let start = &self.compiler.start[have..];
        self.machine.regs.extend_from_slice(start);
    }

    /// Puts all solutions of a plan at a state into `found`; `false` when it takes too many nodes.
    fn solve(
        &mut self,
        root: PlanNodeId,
        present: &[u64],
        layout: &StateLayout,
        budget: &Budget,
        found: &mut FoundStates,
    ) -> Run<bool> {
        loop {
            self.machine.offered.clear();
            self.machine.packed.clear();
            self.machine.packed.resize(layout.words(), 0);
            let mut walk = PlanWalk {
                nodes: &self.nodes,
                compiler: &self.compiler,
                machine: &mut self.machine,
                layout,
                present,
                budget,
                found,
                turns: self.turns,
            };
            let ended = walk.visit(root, 0);
            self.turns = walk.turns;
            match ended {
                Ok(()) | Err(WalkHalt::Enough) => return Ok(true),
                Err(WalkHalt::Stop(stop)) => return Err(stop),
                Err(WalkHalt::Missing(_)) if self.nodes.made.len() > NODES => return Ok(false),
                Err(WalkHalt::Missing(node)) => {
                    let mut planner = PlanBuilder {
                        compiler: &mut self.compiler,
                        layout,
                        read: &self.read,
                    };
                    planner.make(&mut self.nodes, node);
                    self.grow();
                    // The walk begins again; a node is missing only once, so that is rare.
                    found.clear();
                    budget.check()?;
                }
            }
        }
    }
}

/// One walk through a plan.
struct PlanWalk<'a, 'm> {
    nodes: &'a PlanNodes,
    compiler: &'a RegisterCompiler<'m>,
    machine: &'a mut Machine,
    layout: &'a StateLayout,
    present: &'a [u64],
    budget: &'a Budget,
    found: &'a mut FoundStates,
    turns: u64,
}

impl PlanWalk<'_, '_> {
    fn visit(&mut self, id: PlanNodeId, depth: u32) -> Result<(), WalkHalt> {
        let Some(node) = &self.nodes.made[id] else {
            return Err(WalkHalt::Missing(id));
        };
        self.tick()?;
        let offered = self.machine.offered.len();
        let tables = &self.compiler.tables;
        let goes_on = self
            .machine
            .run(&node.code, tables, self.layout, self.present);
        let result = match &node.then {
            _ if !goes_on => Ok(()),
            PlanContinuation::Fail => Ok(()),
            PlanContinuation::Emit(free) if free.is_empty() => {
                match self.found.push(&self.machine.packed) {
                    true => Ok(()),
                    false => Err(WalkHalt::Enough),
                }
            }
            PlanContinuation::Emit(free) => self.emit(free),
            // `deep` leaves room for many levels, so it is enough to ask on every sixteenth.
            then if depth % 16 == 15 => deep(|| self.split(then, offered, depth)),
            then => self.split(then, offered, depth),
        };
        // Nodes below offer values behind these, and each takes its own away again.
        self.machine.offered.truncate(offered);
        result
    }

    fn split(
        &mut self,
        then: &PlanContinuation,
        offered: usize,
        depth: u32,
    ) -> Result<(), WalkHalt> {
        let depth = depth + 1;
        match then {
            PlanContinuation::Fail | PlanContinuation::Emit(_) => Ok(()),
            PlanContinuation::Branch { on, yes, no } => {
                match self.machine.regs[*on as usize] != 0 {
                    true => self.visit(*yes, depth),
                    false => self.visit(*no, depth),
                }
            }
            PlanContinuation::Choose { slot, then } => {
                let candidates = &mut self.machine.offered;
                // Sorted, equal candidates stand side by side, and each is tried once.
                if candidates.len() > offered + 1 {
                    candidates[offered..].sort_unstable();
                }
                for at in offered..self.machine.offered.len() {
                    let word = self.machine.offered[at];
                    let is_new = at == offered || self.machine.offered[at - 1] != word;
                    let index = self.compiler.tables.codecs[*slot].index(word);
                    if let Some(index) = index.filter(|_| is_new) {
                        self.with(*slot, word, index, *then, depth)?;
                    }
                }
                Ok(())
            }
            PlanContinuation::Each { slot, then } => {
                let compiler = self.compiler;
                let codec = &compiler.tables.codecs[*slot];
                for index in 0..codec.size {
                    self.with(*slot, codec.word(index), index, *then, depth)?;
                }
                Ok(())
            }
            PlanContinuation::Input { slot, each } => {
                let compiler = self.compiler;
                let codec = &compiler.tables.codecs[*slot];
                for (&then, index) in each.iter().zip(0..) {
                    self.with(*slot, codec.word(index), index, then, depth)?;
                }
                Ok(())
            }
            PlanContinuation::Ways { always, cases } => {
                let (layout, present) = (self.layout, self.present);
                let matching = cases.iter().filter_map(|cases| {
                    let index = layout.index(present, cases.var);
                    cases.by_index.get(&index)
                });
                for &way in matching.chain(always.iter()) {
                    let length = self.push();
                    self.visit(way, depth)?;
                    self.machine.packed.truncate(length);
                }
                Ok(())
            }
        }
    }

    /// Goes on with a slot that has a value.
    fn with(
        &mut self,
        slot: usize,
        word: i64,
        index: u64,
        then: PlanNodeId,
        depth: u32,
    ) -> Result<(), WalkHalt> {
        // Fields are written into zeros only, so each value gets its own copy of the state so far.
        let length = self.push();
        self.machine.regs[slot] = word;
        self.layout.put_slot(&mut self.machine.packed, slot, index);
        self.visit(then, depth)?;
        self.machine.packed.truncate(length);
        Ok(())
    }

    /// Copies the innermost packed state; tells how long the list of them was.
    fn push(&mut self) -> usize {
        let packed = &mut self.machine.packed;
        let length = packed.len();
        packed.extend_from_within(length - self.layout.words()..);
        length
    }

    /// Finds the states that the free variables allow.
    fn emit(&mut self, free: &[usize]) -> Result<(), WalkHalt> {
        let mut indices = vec![0u64; free.len()];
        let codecs = &self.compiler.tables.codecs;
        loop {
            self.tick()?;
            let length = self.push();
            for (&slot, &index) in free.iter().zip(&indices) {
                self.layout.put_slot(&mut self.machine.packed, slot, index);
            }
            let goes_on = self.found.push(&self.machine.packed);
            self.machine.packed.truncate(length);
            if !goes_on {
                return Err(WalkHalt::Enough);
            }
            let mut carry = free.iter().zip(&mut indices).rev();
            loop {
                let Some((&slot, index)) = carry.next() else {
                    return Ok(());
                };
                *index += 1;
                if *index < codecs[slot].size {
                    break;
                }
                *index = 0;
            }
        }
    }

    fn tick(&mut self) -> Result<(), WalkHalt> {
        self.turns += 1;
        match self.turns & 0xFF {
            0 => self.budget.check().map_err(WalkHalt::Stop),
            _ => Ok(()),
        }
    }
}
