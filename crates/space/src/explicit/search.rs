//! The search for initial states and for the successors of a state.
//!
//! Goals propagate (see [`super::goal`]) until all wait; then the search splits: on the goal that
//! leaves the fewest ways, else on the values of the smallest variable that a goal waits for.
//! Variables that no goal waits for are free and are enumerated last.

use wherefore_base::{Budget, Run, Value, deep};
use wherefore_model::{Constraint, Model, Requirement, VarId};

use super::found::FoundStates;
use super::goal::{GoalOutcome, SearchGoal};
use crate::eval::{PartialEvaluator, ReadMode, SearchSlot};
use crate::layout::{Indices, StateLayout};

/// A goal, and how many slots were fixed when it was last looked at.
#[derive(Clone, Copy, Debug)]
struct Pending {
    goal: SearchGoal,
    /// `None`: never looked at.
    seen: Option<usize>,
}

impl From<SearchGoal> for Pending {
    fn from(goal: SearchGoal) -> Self {
        Self { goal, seen: None }
    }
}

/// Whether to go on searching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    On,
    Enough,
}

/// Searches for the states of one model.
#[derive(Debug)]
pub(super) struct StateSearch<'m> {
    pub(super) model: &'m Model,
    pub(super) eval: PartialEvaluator<'m>,
    pub(super) indices: Indices,
    pub(super) scratch: Vec<Value>,
    states: usize,
    initial: Vec<Pending>,
    steps: Vec<Pending>,
    /// The index of each fixed slot's value in its domain.
    index: Vec<u64>,
    /// The slots fixed so far, in order.
    trail: Vec<SearchSlot>,
    budget: Budget,
    /// How many turns it took.
    pub(super) turns: u64,
}

impl<'m> StateSearch<'m> {
    pub(super) fn new(model: &'m Model, budget: &Budget) -> Self {
        let eval = PartialEvaluator::new(model);
        let goals = |constraints: &[Constraint], mode| {
            let goal = |constraint: &Constraint| match constraint.requires {
                Requirement::Holds(term) => SearchGoal::Holds {
                    mode,
                    term,
                    wanted: true,
                },
                Requirement::Assign(var, term) => SearchGoal::Assign {
                    mode,
                    slot: var.index(),
                    term,
                },
            };
            constraints.iter().map(goal).collect::<Vec<_>>()
        };
        // What waits for fewer slots comes first: one pass then fixes most of them.
        let ordered = |constraints, mode| {
            let mut all = goals(constraints, mode);
            all.extend(goals(&model.invar, ReadMode::Target));
            all.sort_by_key(|goal| eval.reads(goal.mode(), goal.term()).iter().count());
            all.into_iter().map(Pending::from).collect()
        };
        let initial = ordered(&model.init, ReadMode::Target);
        let steps = ordered(&model.trans, ReadMode::Step);
        Self {
            model,
            indices: Indices::new(model),
            scratch: Vec::new(),
            states: model.state_vars(),
            initial,
            steps,
            index: vec![0; model.vars.len()],
            trail: Vec::new(),
            budget: budget.clone(),
            turns: 0,
            eval,
        }
    }

    /// Puts all initial states into `found`.
    pub(super) fn initial(&mut self, layout: &StateLayout, found: &mut FoundStates) -> Run<()> {
        self.start(&[]);
        let pending = self.initial.clone();
        self.solve(pending, layout, found).map(drop)
    }

    /// Puts all successors of a state into `found`.
    pub(super) fn successors(
        &mut self,
        state: &[Value],
        layout: &StateLayout,
        found: &mut FoundStates,
    ) -> Run<()> {
        self.start(state);
        let pending = self.steps.clone();
        self.solve(pending, layout, found).map(drop)
    }

    /// The inputs of the steps from one state to another, in order, at most so many.
    pub(super) fn inputs(
        &mut self,
        from: &[Value],
        to: &[Value],
        most: usize,
    ) -> Run<Vec<Vec<Value>>> {
        let mut found = Vec::new();
        self.start(from);
        for (slot, &value) in to.iter().enumerate() {
            if self.fix(slot, value) == GoalOutcome::Conflict {
                return Ok(found);
            }
        }
        let mut pending = self.steps.clone();
        if self.propagate(&mut pending)? {
            self.list_inputs(self.states, pending, most, &mut found)?;
        }
        Ok(found)
    }

    /// The input that is fixed.
    fn fixed_input(&self) -> Vec<Value> {
        let inputs = self.states..self.model.vars.len();
        let value = |slot: SearchSlot| {
            self.model.vars[VarId::new(slot)]
                .domain
                .value(self.index[slot])
        };
        inputs.map(value).collect()
    }

    /// The truth of a condition on a state.
    pub(super) fn truth(&mut self, state: &[Value], condition: wherefore_model::TermId) -> bool {
        self.eval.start(state.iter().copied());
        self.eval.truth(ReadMode::Step, condition) == Some(true)
    }

    /// Fixes a slot that is free.
    pub(super) fn fix(&mut self, slot: SearchSlot, value: Value) -> GoalOutcome {
        match self.indices.of(self.model, VarId::new(slot), value) {
            None => GoalOutcome::Conflict,
            Some(index) => {
                self.fix_index(slot, index, value);
                GoalOutcome::Settled
            }
        }
    }

    fn fix_index(&mut self, slot: SearchSlot, index: u64, value: Value) {
        self.index[slot] = index;
        self.eval.set(slot, Some(value));
        self.trail.push(slot);
    }

    fn start(&mut self, state: &[Value]) {
        self.eval.start(state.iter().copied());
        self.trail.clear();
    }

    /// Frees the slots fixed since the trail had this length.
    fn undo(&mut self, length: usize) {
        for slot in self.trail.drain(length..) {
            self.eval.set(slot, None);
        }
    }

    fn tick(&mut self) -> Run<()> {
        self.turns += 1;
        match self.turns & 0xFF {
            0 => self.budget.check(),
            _ => Ok(()),
        }
    }

    /// Looks at all goals until nothing follows any more; whether there is no conflict.
    fn propagate(&mut self, pending: &mut Vec<Pending>) -> Run<bool> {
        let mut todo = Vec::new();
        loop {
            let fixed = self.trail.len();
            let mut kept = 0;
            let mut split: Vec<Pending> = Vec::new();
            for at in 0..pending.len() {
                let mut item = pending[at];
                self.tick()?;
                // A goal is looked at again only when something that it reads was fixed.
                if !self.concerns(&item) {
                    pending[kept] = item;
                    kept += 1;
                    continue;
                }
                item.seen = Some(self.trail.len());
                match self.examine(item.goal, &mut todo) {
                    GoalOutcome::Conflict => return Ok(false),
                    GoalOutcome::Settled => {}
                    GoalOutcome::Waiting => {
                        pending[kept] = item;
                        kept += 1;
                    }
                }
                while let Some(goal) = todo.pop() {
                    self.tick()?;
                    let seen = Some(self.trail.len());
                    match self.examine(goal, &mut todo) {
                        GoalOutcome::Conflict => return Ok(false),
                        GoalOutcome::Settled => {}
                        GoalOutcome::Waiting => split.push(Pending { goal, seen }),
                    }
                }
            }
            pending.truncate(kept);
            pending.append(&mut split);
            if self.trail.len() == fixed {
                return Ok(true);
            }
        }
    }

    /// Whether a slot that matters to a goal was fixed since it was last looked at.
    fn concerns(&self, item: &Pending) -> bool {
        let Some(seen) = item.seen else { return true };
        let reads = self.eval.reads(item.goal.mode(), item.goal.term());
        let own = match item.goal {
            SearchGoal::Assign { slot, .. } => Some(slot),
            SearchGoal::Holds { .. } => None,
        };
        let fixed = self.trail[seen.min(self.trail.len())..].iter();
        fixed
            .copied()
            .any(|slot| reads.contains(slot) || own == Some(slot))
    }

    fn solve(
        &mut self,
        mut pending: Vec<Pending>,
        layout: &StateLayout,
        found: &mut FoundStates,
    ) -> Run<Flow> {
        if !self.propagate(&mut pending)? {
            return Ok(Flow::On);
        }
        if pending.is_empty() {
            return self.emit(layout, found);
        }
        let length = self.trail.len();
        let ways = self.ways(&pending);
        for way in ways {
            self.tick()?;
            let mut pending = pending.clone();
            let fits = match way {
                SearchBranch::Fix(slot, value) => self.fix(slot, value) == GoalOutcome::Settled,
                SearchBranch::Goals { instead_of, goals } => {
                    // The copy has the same places as the list for which the ways were found.
                    pending.remove(instead_of);
                    pending.extend(goals.into_iter().map(Pending::from));
                    true
                }
            };
            let flow = match fits {
                true => deep(|| self.solve(pending, layout, found))?,
                false => Flow::On,
            };
            self.undo(length);
            if flow == Flow::Enough {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    /// Ways to go on, one of which every solution takes; none when there is no solution.
    fn ways(&mut self, pending: &[Pending]) -> Box<dyn Iterator<Item = SearchBranch> + 'm> {
        let mut best: Option<Vec<SearchBranch>> = None;
        for (instead_of, &Pending { goal, .. }) in pending.iter().enumerate() {
            let ways: Vec<SearchBranch> = match self.candidates(goal) {
                Some((slot, values)) => values
                    .into_iter()
                    .map(|value| SearchBranch::Fix(slot, value))
                    .collect(),
                None => match self.alternatives(goal) {
                    Some(ways) => ways
                        .into_iter()
                        .map(|goals| SearchBranch::Goals { instead_of, goals })
                        .collect(),
                    None => continue,
                },
            };
            // A goal without any way is the best choice of all: it refutes this branch at once.
            if best.as_ref().is_none_or(|best| ways.len() < best.len()) {
                best = Some(ways);
            }
        }
        if let Some(best) = best {
            return Box::new(best.into_iter());
        }
        let model = self.model;
        let size = |slot: SearchSlot| model.vars[VarId::new(slot)].domain.size();
        let waited_for = pending.iter().flat_map(|item| {
            let reads = self.eval.reads(item.goal.mode(), item.goal.term());
            reads.iter().filter(|&slot| self.eval.slot(slot).is_none())
        });
        match waited_for.min_by_key(|&slot| (size(slot), slot)) {
            // A domain may have billions of values: they are never listed.
            Some(slot) => {
                let values = model.vars[VarId::new(slot)].domain.values();
                Box::new(values.map(move |value| SearchBranch::Fix(slot, value)))
            }
            None => Box::new(std::iter::empty()),
        }
    }

    /// All goals are met: finds the states that the free variables allow.
    fn emit(&mut self, layout: &StateLayout, found: &mut FoundStates) -> Run<Flow> {
        let free: Vec<SearchSlot> = (0..self.states)
            .filter(|&s| self.eval.slot(s).is_none())
            .collect();
        let size = |slot: SearchSlot| self.model.vars[VarId::new(slot)].domain.size();
        for &slot in &free {
            self.index[slot] = 0;
        }
        loop {
            self.tick()?;
            let index = &self.index[..self.states];
            if !found.add(|words| {
                for (var, &index) in index.iter().enumerate() {
                    layout.put(words, var, index);
                }
            }) {
                return Ok(Flow::Enough);
            }
            // An odometer over the free variables; the last one turns fastest.
            let mut carry = free.iter().rev();
            loop {
                let Some(&slot) = carry.next() else {
                    return Ok(Flow::On);
                };
                self.index[slot] += 1;
                if u128::from(self.index[slot]) < size(slot) {
                    break;
                }
                self.index[slot] = 0;
            }
        }
    }

    /// Lists the inputs that the goals allow, in order, with those before `slot` fixed.
    fn list_inputs(
        &mut self,
        slot: SearchSlot,
        pending: Vec<Pending>,
        most: usize,
        found: &mut Vec<Vec<Value>>,
    ) -> Run<()> {
        if slot == self.model.vars.len() {
            if pending.is_empty() {
                found.push(self.fixed_input());
            }
            return Ok(());
        }
        if self.eval.slot(slot).is_some() {
            return deep(|| self.list_inputs(slot + 1, pending, most, found));
        }
        let domain = &self.model.vars[VarId::new(slot)].domain;
        let length = self.trail.len();
        for (value, index) in domain.values().zip(0..) {
            if found.len() >= most {
                break;
            }
            self.tick()?;
            let mut pending = pending.clone();
            self.fix_index(slot, index, value);
            if self.propagate(&mut pending)? {
                deep(|| self.list_inputs(slot + 1, pending, most, found))?;
            }
            self.undo(length);
        }
        Ok(())
    }
}

/// A way to go on when all goals wait.
#[derive(Debug)]
enum SearchBranch {
    /// Fix a slot.
    Fix(SearchSlot, Value),
    /// Meet these goals, which make the pending goal at this place true.
    Goals {
        instead_of: usize,
        goals: Vec<SearchGoal>,
    },
}
