//! Plans: in which order the values of a successor are found.
//!
//! A plan is a tree. Each node runs straight-line code that tests what can be tested and fixes what
//! follows from what is known; where nothing follows any more, the node splits: on a condition that
//! is known, on the candidates of an assignment, on the alternatives of a disjunction, or on the
//! values of a variable. So every requirement is looked at when the plan is made and not at each state,
//! as soon as everything it reads is known. A node is made when a state first gets there: conditions
//! that no state combines cost nothing.
//!
//! The first input that is tried value by value, as the choice of a process is, has a node for each
//! value, with all terms simplified for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::Value;
use wherefore_model::{BinaryOp, Domain, Requirement, Term, TermId, VarId};

use super::code::{Op, Reg};
use super::compile::{Bits, Block, Compiler, keep};
use crate::eval::{Mode, Slot};
use crate::layout::Layout;

/// A condition, and which truth value is wanted of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    mode: Mode,
    term: TermId,
    wanted: bool,
}

/// Something that a solution must meet.
#[derive(Clone, Debug)]
pub(super) enum Want {
    /// The condition has the truth value wanted.
    Holds(Part),
    /// One of these conditions has the truth value wanted of it.
    Any(Arc<[Part]>),
    /// The slot has one of the values of the term.
    Assign {
        mode: Mode,
        slot: Slot,
        term: TermId,
    },
    /// Two slots have the same value.
    Same(Slot, Slot),
}

impl Want {
    pub(super) fn new(mode: Mode, requirement: Requirement) -> Self {
        match requirement {
            Requirement::Holds(term) => Want::Holds(Part {
                mode,
                term,
                wanted: true,
            }),
            Requirement::Assign(var, term) => Want::Assign {
                mode,
                slot: var.index(),
                term,
            },
        }
    }
}

/// The number of a node.
pub(super) type NodeId = usize;

/// What a node does after its code.
#[derive(Debug)]
pub(super) enum Then {
    /// There is no solution.
    Fail,
    /// Every requirement is met; these slots are free.
    Emit(Box<[Slot]>),
    /// Goes on as a condition says.
    Branch { on: Reg, yes: NodeId, no: NodeId },
    /// Tries each candidate for a slot.
    Choose { slot: Slot, then: NodeId },
    /// Tries each value of a slot.
    Each { slot: Slot, then: NodeId },
    /// Tries each value of an input, each with a node of its own.
    Input { slot: Slot, each: Box<[NodeId]> },
    /// Tries each alternative; of some only those for the value of a variable.
    Ways {
        always: Box<[NodeId]>,
        cases: Box<[Cases]>,
    },
}

/// Alternatives that test one variable of the present state for one value each.
#[derive(Debug)]
pub(super) struct Cases {
    pub(super) var: usize,
    /// What to try for each index of a value.
    pub(super) by_index: FxHashMap<u64, NodeId>,
}

/// A node that is made.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) code: Box<[Op]>,
    pub(super) then: Then,
}

/// What a node is made from.
#[derive(Debug)]
pub(super) struct Seed {
    pub(super) wants: Vec<Want>,
    /// Slots that have a value.
    known: Bits,
    /// Registers that hold their values.
    ready: Bits,
    /// An input that the node is for.
    input: Option<(Slot, Value)>,
}

impl Seed {
    pub(super) fn root(wants: Vec<Want>) -> Self {
        Self {
            wants,
            known: Bits::default(),
            ready: Bits::default(),
            input: None,
        }
    }
}

/// The nodes of some plans.
#[derive(Default, Debug)]
pub(super) struct Nodes {
    pub(super) made: Vec<Option<Node>>,
    seeds: Vec<Option<Seed>>,
}

impl Nodes {
    pub(super) fn add(&mut self, seed: Seed) -> NodeId {
        self.made.push(None);
        self.seeds.push(Some(seed));
        self.made.len() - 1
    }
}

/// Makes the nodes of plans.
pub(super) struct Planner<'a, 'm> {
    pub(super) compiler: &'a mut Compiler<'m>,
    pub(super) layout: &'a Layout,
    /// Slots that some requirement reads.
    pub(super) read: &'a Bits,
}

/// A node in the making.
struct Draft {
    block: Block,
    known: Bits,
    input: Option<(Slot, Value)>,
    kept: Vec<Slot>,
    /// How many slots were fixed here.
    fixed: usize,
}

impl Draft {
    fn seed(&self, wants: Vec<Want>) -> Seed {
        Seed {
            wants,
            known: self.known.clone(),
            ready: self.block.ready.clone(),
            input: self.input,
        }
    }
}

enum Outcome {
    Settled,
    Never,
    Waiting(Want),
}

use Outcome::{Never, Settled, Waiting};

/// A known condition on which a node splits.
enum Known {
    /// One of these conditions has the truth value wanted of it.
    Any(Vec<Part>),
    /// The slot is true.
    Slot(Slot),
}

/// Up to so many candidates are tried before an assignment is split into its cases.
const FEW: usize = 8;

/// Alternatives are looked up by a value when at least so many test the same variable.
const MANY: usize = 4;

/// A variable, and for each index of a value what must hold of the rest.
type Group = (usize, BTreeMap<u64, Vec<Part>>);

/// An input with at most so many values gets a node for each.
const FEW_VALUES: u64 = 128;

impl Planner<'_, '_> {
    /// Makes a node, if it was not made.
    pub(super) fn make(&mut self, nodes: &mut Nodes, id: NodeId) {
        let Some(seed) = nodes.seeds[id].take() else {
            return;
        };
        if let Some((slot, value)) = seed.input {
            self.compiler.eval.set(slot, Some(value));
        }
        let input = seed.input;
        nodes.made[id] = Some(self.node(nodes, seed));
        if let Some((slot, _)) = input {
            self.compiler.eval.set(slot, None);
        }
    }

    fn node(&mut self, nodes: &mut Nodes, seed: Seed) -> Node {
        let mut draft = Draft {
            block: Block::after(seed.ready),
            known: seed.known,
            input: seed.input,
            kept: Vec::new(),
            fixed: 0,
        };
        let mut waiting = seed.wants;
        loop {
            let fixed = draft.fixed;
            let mut still = Vec::new();
            let mut todo = Vec::new();
            for want in waiting {
                todo.push(want);
                while let Some(want) = todo.pop() {
                    match self.examine(want, &mut draft, &mut todo) {
                        Settled => {}
                        Waiting(want) => still.push(want),
                        Never => {
                            return Node {
                                code: [].into(),
                                then: Then::Fail,
                            };
                        }
                    }
                }
            }
            waiting = still;
            if draft.fixed == fixed {
                break;
            }
        }
        let then = self.split(nodes, &mut draft, waiting);
        let kept = std::mem::take(&mut draft.kept);
        // Candidates come last, so what is kept can be put before the split in any order.
        keep(
            &mut self.compiler.tables,
            &mut draft.block,
            self.layout,
            &kept,
        );
        Node {
            code: draft.block.code.into(),
            then,
        }
    }

    fn is_known(&self, draft: &Draft, mode: Mode, term: TermId) -> bool {
        draft.known.include(self.compiler.eval.reads(mode, term))
    }

    /// Looks at a want; simpler ones that stand for it go to `todo`.
    fn examine(&mut self, want: Want, draft: &mut Draft, todo: &mut Vec<Want>) -> Outcome {
        match want {
            Want::Holds(part) => self.examine_part(part, draft, todo),
            Want::Any(parts) => self.examine_any(&parts, draft, todo),
            Want::Same(a, b) => self.examine_same(a, b, draft),
            Want::Assign { mode, slot, term } => {
                let term = self.compiler.resolved(mode, term);
                self.examine_assign(mode, slot, term, draft)
            }
        }
    }

    fn examine_part(&mut self, part: Part, draft: &mut Draft, todo: &mut Vec<Want>) -> Outcome {
        let Part { mode, wanted, .. } = part;
        let term = self.compiler.resolved(mode, part.term);
        let part = Part { term, ..part };
        if let Some(truth) = self.compiler.eval.truth(mode, term) {
            return if truth == wanted { Settled } else { Never };
        }
        let model = self.compiler.model;
        let holds = |term, wanted| Want::Holds(Part { mode, term, wanted });
        match (model.terms.get(term), wanted) {
            (Term::Not(a), _) => {
                todo.push(holds(*a, !wanted));
                return Settled;
            }
            (Term::Binary(BinaryOp::And, ..), true) | (Term::Binary(BinaryOp::Or, ..), false) => {
                let chain = self.compiler.eval.chain(mode, term);
                todo.extend(chain.iter().rev().map(|&term| holds(term, wanted)));
                return Settled;
            }
            (Term::Binary(BinaryOp::Implies, a, b), false) => {
                todo.extend([holds(*b, false), holds(*a, true)]);
                return Settled;
            }
            _ => {}
        }
        if self.is_known(draft, mode, term) {
            let a = self.compiler.value(&mut draft.block, mode, term);
            draft.block.code.push(match wanted {
                true => Op::Require { a },
                false => Op::Refuse { a },
            });
            return Settled;
        }
        if let Some(slot) = self.compiler.as_slot(mode, term) {
            let a = self.compiler.constant(i64::from(wanted));
            self.fix(draft, slot, a);
            return Settled;
        }
        match (model.terms.get(term), wanted) {
            (Term::Binary(BinaryOp::And, ..), false)
            | (Term::Binary(BinaryOp::Or | BinaryOp::Implies, ..), true) => {
                let parts = self.alternatives(part);
                todo.push(Want::Any(parts.into()));
                Settled
            }
            (Term::Binary(BinaryOp::Equal, a, b), true)
            | (Term::Binary(BinaryOp::Unequal, a, b), false) => {
                match self.as_assignment(draft, mode, *a, *b) {
                    Some(want) => {
                        todo.push(want);
                        Settled
                    }
                    None => Waiting(Want::Holds(part)),
                }
            }
            (Term::Member(a, members), true) => match self.compiler.as_slot(mode, *a) {
                Some(slot) => {
                    let term = *members;
                    todo.push(Want::Assign { mode, slot, term });
                    Settled
                }
                None => Waiting(Want::Holds(part)),
            },
            _ => Waiting(Want::Holds(part)),
        }
    }

    /// An equation with a slot at one side as an assignment.
    fn as_assignment(&self, draft: &Draft, mode: Mode, a: TermId, b: TermId) -> Option<Want> {
        let slots = [a, b].map(|side| self.compiler.as_slot(mode, side));
        if let [Some(a), Some(b)] = slots {
            return Some(Want::Same(a, b));
        }
        let open = |slot: Option<Slot>| slot.filter(|&slot| !draft.known.contains(slot));
        let assign = |slot, term| Want::Assign { mode, slot, term };
        match (open(slots[0]), open(slots[1])) {
            (Some(slot), _) => Some(assign(slot, b)),
            (_, Some(slot)) => Some(assign(slot, a)),
            _ => match slots {
                [Some(slot), _] => Some(assign(slot, b)),
                [_, Some(slot)] => Some(assign(slot, a)),
                _ => None,
            },
        }
    }

    fn examine_any(&mut self, parts: &[Part], draft: &mut Draft, todo: &mut Vec<Want>) -> Outcome {
        let mut left = Vec::with_capacity(parts.len());
        for &part in parts {
            match self.compiler.eval.truth(part.mode, part.term) {
                Some(truth) if truth == part.wanted => return Settled,
                Some(_) => {}
                None => left.push(part),
            }
        }
        if let [part] = left[..] {
            todo.push(Want::Holds(part));
            return Settled;
        }
        if left.is_empty() {
            return Never;
        }
        let known = |part: &Part| self.is_known(draft, part.mode, part.term);
        if left.iter().all(known) {
            let a = self.any(draft, &left);
            draft.block.code.push(Op::Require { a });
            return Settled;
        }
        Waiting(Want::Any(left.into()))
    }

    fn examine_same(&mut self, a: Slot, b: Slot, draft: &mut Draft) -> Outcome {
        let kind = |slot: Slot| self.compiler.tables.codecs[slot].kind;
        let (kind_a, kind_b) = (kind(a), kind(b));
        let (from, to) = match (draft.known.contains(a), draft.known.contains(b)) {
            _ if a == b => return Settled,
            (false, false) => return Waiting(Want::Same(a, b)),
            (true, true) => {
                let sides = ((a as Reg, kind_a), (b as Reg, kind_b));
                let a = self.compiler.equal(&mut draft.block, sides.0, sides.1);
                draft.block.code.push(Op::Require { a });
                return Settled;
            }
            (true, false) => ((a, kind_a), (b, kind_b)),
            (false, true) => ((b, kind_b), (a, kind_a)),
        };
        let word = self
            .compiler
            .converted(&mut draft.block, from.0 as Reg, from.1, to.1);
        match word {
            Some(word) => {
                self.fix(draft, to.0, word);
                Settled
            }
            None => Never,
        }
    }

    fn examine_assign(
        &mut self,
        mode: Mode,
        slot: Slot,
        term: TermId,
        draft: &mut Draft,
    ) -> Outcome {
        let is_fixed = draft.known.contains(slot);
        if let Some(other) = self.compiler.as_slot(mode, term)
            && self.compiler.eval.value(mode, term).is_none()
        {
            return self.examine_same(slot, other, draft);
        }
        if !self.is_known(draft, mode, term) {
            return Waiting(Want::Assign { mode, slot, term });
        }
        let kind = self.compiler.tables.codecs[slot].kind;
        if self.compiler.kinds.several(term) {
            if !is_fixed {
                return Waiting(Want::Assign { mode, slot, term });
            }
            self.compiler.offer(&mut draft.block, mode, term, kind);
            let a = slot as Reg;
            draft.block.code.push(Op::RequireOffered { a });
            return Settled;
        }
        let own =
            matches!(self.compiler.model.terms.get(term), Term::Var(var) if var.index() == slot);
        if own && !is_fixed {
            draft.kept.push(slot);
            draft.known.insert(slot);
            draft.fixed += 1;
            if self.read.contains(slot) {
                let (to, var) = (slot as Reg, slot as u32);
                draft.block.code.push(Op::Load { to, var });
            }
            return Settled;
        }
        let a = self.compiler.value(&mut draft.block, mode, term);
        if is_fixed {
            let value = (a, self.compiler.kind(term));
            let a = self
                .compiler
                .equal(&mut draft.block, (slot as Reg, kind), value);
            draft.block.code.push(Op::Require { a });
            return Settled;
        }
        let own_kind = self.compiler.kind(term);
        match self.compiler.converted(&mut draft.block, a, own_kind, kind) {
            Some(word) => {
                self.fix(draft, slot, word);
                Settled
            }
            None => Never,
        }
    }

    fn fix(&mut self, draft: &mut Draft, slot: Slot, a: Reg) {
        draft.known.insert(slot);
        draft.fixed += 1;
        let slot = slot as u32;
        draft.block.code.push(Op::Fix { slot, a });
    }

    /// The conditions one of which must hold for a disjunctive one to hold.
    fn alternatives(&mut self, part: Part) -> Vec<Part> {
        let model = self.compiler.model;
        let mut parts = Vec::new();
        let mut open = vec![part];
        while let Some(Part { mode, term, wanted }) = open.pop() {
            let part = |term, wanted| Part { mode, term, wanted };
            match (model.terms.get(term), wanted) {
                (Term::Not(a), _) => open.push(part(*a, !wanted)),
                (Term::Binary(BinaryOp::Or, ..), true)
                | (Term::Binary(BinaryOp::And, ..), false) => {
                    let chain = self.compiler.eval.chain(mode, term);
                    open.extend(chain.iter().rev().map(|&term| part(term, wanted)));
                }
                (Term::Binary(BinaryOp::Implies, a, b), true) => {
                    open.extend([part(*b, true), part(*a, false)]);
                }
                _ => parts.push(part(term, wanted)),
            }
        }
        parts
    }

    /// Code for whether one of some known conditions has the truth value wanted of it.
    fn any(&mut self, draft: &mut Draft, parts: &[Part]) -> Reg {
        let mut result = None;
        for part in parts {
            let block = &mut draft.block;
            let mut a = self.compiler.value(block, part.mode, part.term);
            if !part.wanted {
                let to = self.compiler.fresh();
                block.code.push(Op::Not { to, a });
                a = to;
            }
            result = Some(match result {
                None => a,
                Some(b) => {
                    let to = self.compiler.fresh();
                    block.code.push(Op::Or { to, a, b });
                    to
                }
            });
        }
        result.unwrap_or_else(|| self.compiler.constant(0))
    }

    /// How to go on when all wants wait.
    fn split(&mut self, nodes: &mut Nodes, draft: &mut Draft, waiting: Vec<Want>) -> Then {
        if waiting.is_empty() {
            let free = (0..self.compiler.states).filter(|&slot| !draft.known.contains(slot));
            return Then::Emit(free.collect());
        }
        let each = self.waited_for(draft, &waiting);
        if let Some((slot, true)) = each {
            return self.each(nodes, draft, waiting, slot);
        }
        let assigned = |want: &Want| matches!(want, Want::Assign { .. });
        for at in (0..waiting.len()).filter(|&at| !assigned(&waiting[at])) {
            if let Some(then) = self.branch(nodes, draft, &waiting, at) {
                return then;
            }
        }
        // Few candidates of an assignment come first: most solutions take one of them each.
        let counted = |this: &mut Self, at: usize| {
            let count = this.ways(draft, &waiting[at])?;
            let is_first = assigned(&waiting[at]) && count <= FEW;
            Some((!is_first, count, at))
        };
        let best = (0..waiting.len()).filter_map(|at| counted(self, at));
        let best = best.min();
        if best.is_none_or(|(_, count, _)| count > FEW) {
            for at in 0..waiting.len() {
                if let Some(then) = self.branch(nodes, draft, &waiting, at) {
                    return then;
                }
            }
        }
        match (best, each) {
            (Some((.., at)), _) => self.choose(nodes, draft, waiting, at),
            (None, Some((slot, _))) => self.each(nodes, draft, waiting, slot),
            (None, None) => Then::Fail,
        }
    }

    /// Splits on a known condition on which a want depends.
    fn branch(
        &mut self,
        nodes: &mut Nodes,
        draft: &mut Draft,
        waiting: &[Want],
        at: usize,
    ) -> Option<Then> {
        let model = self.compiler.model;
        let holds = |mode, term, wanted| Want::Holds(Part { mode, term, wanted });
        let known = |mode, term| {
            let part = Part {
                mode,
                term,
                wanted: true,
            };
            self.is_known(draft, mode, term)
                .then(|| Known::Any(vec![part]))
        };
        let (on, yes, no): (Known, Vec<Want>, Vec<Want>) = match &waiting[at] {
            Want::Any(parts) => {
                let split = parts.iter().copied();
                let (known, open): (Vec<Part>, Vec<Part>) =
                    split.partition(|part| self.is_known(draft, part.mode, part.term));
                if known.is_empty() {
                    return None;
                }
                (Known::Any(known), vec![], vec![Want::Any(open.into())])
            }
            Want::Holds(Part { mode, term, wanted }) => {
                let (mode, wanted) = (*mode, *wanted);
                match model.terms.get(*term) {
                    Term::Ite(condition, a, b) => (
                        known(mode, *condition)?,
                        vec![holds(mode, *a, wanted)],
                        vec![holds(mode, *b, wanted)],
                    ),
                    Term::Binary(op @ (BinaryOp::Equal | BinaryOp::Unequal), a, b)
                        if self.is_condition(*a) && self.is_condition(*b) =>
                    {
                        let equal = (*op == BinaryOp::Equal) == wanted;
                        let (on, other) = match known(mode, *a) {
                            Some(on) => (on, *b),
                            None => (known(mode, *b)?, *a),
                        };
                        (
                            on,
                            vec![holds(mode, other, equal)],
                            vec![holds(mode, other, !equal)],
                        )
                    }
                    _ => return None,
                }
            }
            Want::Assign { mode, slot, term } => {
                let (mode, slot, term) = (*mode, *slot, *term);
                let assign = |term| vec![Want::Assign { mode, slot, term }];
                match model.terms.get(term) {
                    Term::Ite(condition, a, b) => {
                        (known(mode, *condition)?, assign(*a), assign(*b))
                    }
                    _ if draft.known.contains(slot)
                        && model.vars[VarId::new(slot)].domain == Domain::Bool
                        && self.is_condition(term) =>
                    {
                        let (yes, no) = (holds(mode, term, true), holds(mode, term, false));
                        (Known::Slot(slot), vec![yes], vec![no])
                    }
                    _ => return None,
                }
            }
            Want::Same(..) => return None,
        };
        let on = match on {
            Known::Any(parts) => self.any(draft, &parts),
            Known::Slot(slot) => slot as Reg,
        };
        let mut child = |instead: Vec<Want>| {
            let others = waiting.iter().enumerate().filter(|(other, _)| *other != at);
            let wants = instead.into_iter().chain(others.map(|(_, w)| w.clone()));
            nodes.add(draft.seed(wants.collect()))
        };
        let (yes, no) = (child(yes), child(no));
        Some(Then::Branch { on, yes, no })
    }

    /// How many ways there are to meet a waiting want, at most, if they can be listed.
    fn ways(&mut self, draft: &Draft, want: &Want) -> Option<usize> {
        match want {
            Want::Any(parts) => Some(parts.len()),
            Want::Holds(part) => {
                let is_split = match self.compiler.model.terms.get(part.term) {
                    Term::Ite(..) => true,
                    Term::Binary(BinaryOp::Equal | BinaryOp::Unequal, a, b) => {
                        self.is_condition(*a) && self.is_condition(*b)
                    }
                    _ => false,
                };
                is_split.then_some(2)
            }
            Want::Assign { mode, slot, term } => {
                let waits = draft.known.contains(*slot) || !self.is_known(draft, *mode, *term);
                (!waits).then(|| self.most_values(*term))
            }
            Want::Same(..) => None,
        }
    }

    /// How many values a term can have in one state, at most.
    fn most_values(&self, term: TermId) -> usize {
        let mut most = 1;
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match self.compiler.model.terms.get(term) {
                Term::Set(members) => most = most.max(members.len()),
                Term::Ite(_, a, b) if self.compiler.kinds.several(term) => open.extend([*a, *b]),
                _ => {}
            }
            if most > FEW {
                break;
            }
        }
        most
    }

    /// Splits on the ways to meet a want.
    fn choose(
        &mut self,
        nodes: &mut Nodes,
        draft: &mut Draft,
        mut waiting: Vec<Want>,
        at: usize,
    ) -> Then {
        let model = self.compiler.model;
        let want = waiting.remove(at);
        let with = |more: Vec<Want>, waiting: &[Want]| {
            more.into_iter().chain(waiting.iter().cloned()).collect()
        };
        match want {
            Want::Assign { mode, slot, term } => {
                let kind = self.compiler.tables.codecs[slot].kind;
                self.compiler.offer(&mut draft.block, mode, term, kind);
                let mut seed = draft.seed(waiting);
                seed.known.insert(slot);
                let then = nodes.add(seed);
                Then::Choose { slot, then }
            }
            Want::Any(parts) => {
                let (parts, groups) = self.grouped(&parts);
                let mut cases = Vec::with_capacity(groups.len());
                for (var, values) in groups {
                    let node = |(index, parts): (u64, Vec<Part>)| {
                        let more = vec![Want::Any(parts.into())];
                        (index, nodes.add(draft.seed(with(more, &waiting))))
                    };
                    let by_index = values.into_iter().map(node).collect();
                    cases.push(Cases { var, by_index });
                }
                // Once a part that is a variable was tried, it is false in the ways that follow, so that
                // fewer solutions are found twice.
                let mut refuted: Vec<Want> = Vec::new();
                let mut ways = Vec::with_capacity(parts.len());
                for part in parts {
                    let mut more = refuted.clone();
                    more.push(Want::Holds(part));
                    ways.push(nodes.add(draft.seed(with(more, &waiting))));
                    if self.compiler.as_slot(part.mode, part.term).is_some() {
                        let wanted = !part.wanted;
                        refuted.push(Want::Holds(Part { wanted, ..part }));
                    }
                }
                Then::Ways {
                    always: ways.into(),
                    cases: cases.into(),
                }
            }
            Want::Holds(Part { mode, term, wanted }) => {
                let holds = |term, wanted| Want::Holds(Part { mode, term, wanted });
                let ways = match model.terms.get(term) {
                    Term::Ite(condition, a, b) => [
                        vec![holds(*condition, true), holds(*a, wanted)],
                        vec![holds(*condition, false), holds(*b, wanted)],
                    ],
                    Term::Binary(op, a, b) => {
                        let equal = (*op == BinaryOp::Equal) == wanted;
                        [true, false].map(|t| vec![holds(*a, t), holds(*b, t == equal)])
                    }
                    _ => return Then::Fail,
                };
                let ways = ways.map(|more| nodes.add(draft.seed(with(more, &waiting))));
                Then::Ways {
                    always: ways.into(),
                    cases: [].into(),
                }
            }
            Want::Same(..) => Then::Fail,
        }
    }

    /// Alternatives apart that test a variable of the present state for a value, where many test the
    /// same: for each such variable and each index of a value those that remain. First the others.
    fn grouped(&mut self, parts: &[Part]) -> (Vec<Part>, Vec<Group>) {
        if parts.len() < MANY {
            return (parts.to_vec(), Vec::new());
        }
        let tests: Vec<Vec<(usize, u64)>> = parts.iter().map(|part| self.tests(*part)).collect();
        let mut tested: BTreeMap<(usize, u64), usize> = BTreeMap::new();
        for &test in tests.iter().flatten() {
            *tested.entry(test).or_default() += 1;
        }
        // What all test alike tells none apart.
        tested.retain(|_, count| *count < parts.len());
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for ((var, _), count) in tested {
            *counts.entry(var).or_default() += count;
        }
        let count = |var: usize| counts.get(&var).copied().unwrap_or_default();
        let mut others = Vec::new();
        let mut groups: BTreeMap<usize, BTreeMap<u64, Vec<Part>>> = BTreeMap::new();
        for (&part, tests) in parts.iter().zip(&tests) {
            match tests.iter().max_by_key(|(var, _)| count(*var)) {
                Some(&(var, index)) if count(var) >= MANY => {
                    let group = groups.entry(var).or_default();
                    group.entry(index).or_default().push(part);
                }
                _ => others.push(part),
            }
        }
        (others, groups.into_iter().collect())
    }

    /// The variables of the present state that must have one value, by its index, for a condition to
    /// hold.
    fn tests(&mut self, part: Part) -> Vec<(usize, u64)> {
        let model = self.compiler.model;
        let Part { mode, term, wanted } = part;
        if mode != Mode::Step || !wanted {
            return Vec::new();
        }
        let chain = match model.terms.get(term) {
            Term::Binary(BinaryOp::And, ..) => self.compiler.eval.chain(mode, term),
            _ => [term].into(),
        };
        let mut tests = Vec::new();
        for &conjunct in chain.iter() {
            let Term::Binary(BinaryOp::Equal, a, b) = model.terms.get(conjunct) else {
                continue;
            };
            let (Term::Var(var), Term::Const(value)) = (model.terms.get(*a), model.terms.get(*b))
            else {
                continue;
            };
            let index = model.vars[*var].domain.index_of(*value);
            if let Some(index) = index.filter(|_| var.index() < self.compiler.states) {
                tests.push((var.index(), index));
            }
        }
        tests
    }

    /// The slot to try value by value: an input on which most wants wait, and then it is best to try it
    /// at once; else the one with the fewest values.
    fn waited_for(&self, draft: &Draft, waiting: &[Want]) -> Option<(Slot, bool)> {
        let compiler = &self.compiler;
        let slots = compiler.model.vars.len();
        let mut waits = vec![0usize; slots];
        for want in waiting {
            let mut see = |mode, term| {
                for slot in compiler.eval.reads(mode, term).iter() {
                    waits[slot] += 1;
                }
            };
            match want {
                Want::Holds(part) => see(part.mode, part.term),
                Want::Any(parts) => parts.iter().for_each(|part| see(part.mode, part.term)),
                Want::Assign { mode, term, .. } => see(*mode, *term),
                Want::Same(a, b) => {
                    waits[*a] += 1;
                    waits[*b] += 1;
                }
            }
        }
        let size = |slot: Slot| compiler.tables.codecs[slot].size;
        let open = (0..slots).filter(|&slot| waits[slot] > 0 && !draft.known.contains(slot));
        let popular = |slot: Slot| {
            slot >= compiler.states && size(slot) <= FEW_VALUES && 2 * waits[slot] > waiting.len()
        };
        let slot = open.min_by_key(|&slot| (!popular(slot), size(slot), slot))?;
        Some((slot, popular(slot)))
    }

    /// Splits on the values of a slot.
    fn each(
        &mut self,
        nodes: &mut Nodes,
        draft: &mut Draft,
        waiting: Vec<Want>,
        slot: Slot,
    ) -> Then {
        let mut seed = draft.seed(waiting);
        seed.known.insert(slot);
        let domain = &self.compiler.model.vars[VarId::new(slot)].domain;
        let is_input = slot >= self.compiler.states;
        if !is_input || draft.input.is_some() || domain.size() > FEW_VALUES {
            let then = nodes.add(seed);
            return Then::Each { slot, then };
        }
        let for_value = |value| Seed {
            wants: seed.wants.clone(),
            known: seed.known.clone(),
            ready: seed.ready.clone(),
            input: Some((slot, value)),
        };
        let each = domain.values().map(|value| nodes.add(for_value(value)));
        let each = each.collect();
        Then::Input { slot, each }
    }

    /// Whether a term denotes one truth value.
    fn is_condition(&self, term: TermId) -> bool {
        let model = self.compiler.model;
        match model.terms.get(term) {
            Term::Var(var) | Term::Next(var) => model.vars[*var].domain == Domain::Bool,
            Term::Not(_) | Term::Member(..) => true,
            Term::Binary(op, ..) => op.is_condition(),
            _ => false,
        }
    }
}
