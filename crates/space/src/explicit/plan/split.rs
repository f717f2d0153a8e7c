//! Where nothing follows any more: what a node splits on.

use std::collections::BTreeMap;

use wherefore_model::{BinaryOp, Domain, Term, TermId, VarId};

use super::{
    Cases, NodeDraft, PlanBuilder, PlanContinuation, PlanNodes, Seed, Want, WantedCondition,
};
use crate::eval::{ReadMode, SearchSlot};
use crate::explicit::code::Reg;

/// A known condition on which a node splits.
enum SplitCondition {
    /// One of these conditions has the truth value wanted of it.
    Any(Vec<WantedCondition>),
    /// The slot is true.
    Slot(SearchSlot),
}

/// Up to so many candidates are tried before an assignment is split into its cases.
const FEW: usize = 8;

/// Alternatives are looked up by a value when at least so many test the same variable.
const MANY: usize = 4;

/// At least so many disjunctions wait for a slot before its values are tried instead of their ways.
const CROWD: u32 = 3;

/// Slots with more values than a power of two are never tried for that reason.
const MOST_WAYS: u32 = 8;

/// A variable, and for each index of a value what must hold of the rest.
type ValueGroup = (usize, BTreeMap<u64, Vec<WantedCondition>>);

/// An input with at most so many values gets a node for each.
const FEW_VALUES: u64 = 128;

impl PlanBuilder<'_, '_> {
    /// How to go on when all wants wait.
    pub(super) fn split(
        &mut self,
        nodes: &mut PlanNodes,
        draft: &mut NodeDraft,
        waiting: Vec<Want>,
    ) -> PlanContinuation {
        if waiting.is_empty() {
            let free = (0..self.compiler.states).filter(|&slot| !draft.known.contains(slot));
            return PlanContinuation::Emit(free.collect());
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
        if best.is_none_or(|(is_later, ..)| is_later)
            && let Some(slot) = self.crowded(draft, &waiting)
        {
            return self.each(nodes, draft, waiting, slot);
        }
        // Before many candidates are tried, an assignment is split into its cases.
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
            (None, None) => PlanContinuation::Fail,
        }
    }

    /// Splits on a known condition on which a want depends.
    fn branch(
        &mut self,
        nodes: &mut PlanNodes,
        draft: &mut NodeDraft,
        waiting: &[Want],
        at: usize,
    ) -> Option<PlanContinuation> {
        let model = self.compiler.model;
        let holds = |mode, term, wanted| Want::Holds(WantedCondition { mode, term, wanted });
        let known = |mode, term| {
            let part = WantedCondition {
                mode,
                term,
                wanted: true,
            };
            self.is_known(draft, mode, term)
                .then(|| SplitCondition::Any(vec![part]))
        };
        let (on, yes, no): (SplitCondition, Vec<Want>, Vec<Want>) = match &waiting[at] {
            Want::Any(parts) => {
                let split = parts.iter().copied();
                let (known, open): (Vec<WantedCondition>, Vec<WantedCondition>) =
                    split.partition(|part| self.is_known(draft, part.mode, part.term));
                if known.is_empty() {
                    return None;
                }
                // Where a known part holds the want is met, so nothing takes its place.
                (
                    SplitCondition::Any(known),
                    vec![],
                    vec![Want::Any(open.into())],
                )
            }
            Want::Holds(WantedCondition { mode, term, wanted }) => {
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
                        (SplitCondition::Slot(slot), vec![yes], vec![no])
                    }
                    _ => return None,
                }
            }
            Want::Same(..) => return None,
        };
        let on = match on {
            SplitCondition::Any(parts) => self.any(draft, &parts),
            SplitCondition::Slot(slot) => slot as Reg,
        };
        let mut child = |instead: Vec<Want>| {
            let others = waiting.iter().enumerate().filter(|(other, _)| *other != at);
            let wants = instead.into_iter().chain(others.map(|(_, w)| w.clone()));
            nodes.add(draft.seed(wants.collect()))
        };
        let (yes, no) = (child(yes), child(no));
        Some(PlanContinuation::Branch { on, yes, no })
    }

    /// How many ways there are to meet a waiting want, at most, if they can be listed.
    fn ways(&mut self, draft: &NodeDraft, want: &Want) -> Option<usize> {
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
        nodes: &mut PlanNodes,
        draft: &mut NodeDraft,
        mut waiting: Vec<Want>,
        at: usize,
    ) -> PlanContinuation {
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
                PlanContinuation::Choose { slot, then }
            }
            Want::Any(parts) => {
                let (parts, groups) = self.grouped(&parts);
                let mut cases = Vec::with_capacity(groups.len());
                for (var, values) in groups {
                    let node = |(index, parts): (u64, Vec<WantedCondition>)| {
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
                        refuted.push(Want::Holds(WantedCondition { wanted, ..part }));
                    }
                }
                PlanContinuation::Ways {
                    always: ways.into(),
                    cases: cases.into(),
                }
            }
            Want::Holds(WantedCondition { mode, term, wanted }) => {
                let holds = |term, wanted| Want::Holds(WantedCondition { mode, term, wanted });
                let ways = match model.terms.get(term) {
                    Term::Ite(condition, a, b) => [
                        vec![holds(*condition, true), holds(*a, wanted)],
                        vec![holds(*condition, false), holds(*b, wanted)],
                    ],
                    Term::Binary(op, a, b) => {
                        let equal = (*op == BinaryOp::Equal) == wanted;
                        [true, false].map(|t| vec![holds(*a, t), holds(*b, t == equal)])
                    }
                    _ => return PlanContinuation::Fail,
                };
                let ways = ways.map(|more| nodes.add(draft.seed(with(more, &waiting))));
                PlanContinuation::Ways {
                    always: ways.into(),
                    cases: [].into(),
                }
            }
            Want::Same(..) => PlanContinuation::Fail,
        }
    }

    /// Alternatives apart that test a variable of the present state for a value, where many test the
    /// same: for each such variable and each index of a value those that remain. First the others.
    fn grouped(&mut self, parts: &[WantedCondition]) -> (Vec<WantedCondition>, Vec<ValueGroup>) {
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
        let mut groups: BTreeMap<usize, BTreeMap<u64, Vec<WantedCondition>>> = BTreeMap::new();
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
    fn tests(&mut self, part: WantedCondition) -> Vec<(usize, u64)> {
        let model = self.compiler.model;
        let WantedCondition { mode, term, wanted } = part;
        if mode != ReadMode::Step || !wanted {
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
    fn waited_for(&self, draft: &NodeDraft, waiting: &[Want]) -> Option<(SearchSlot, bool)> {
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
        let size = |slot: SearchSlot| compiler.tables.codecs[slot].size;
        let open = (0..slots).filter(|&slot| waits[slot] > 0 && !draft.known.contains(slot));
        let popular = |slot: SearchSlot| {
            slot >= compiler.states && size(slot) <= FEW_VALUES && 2 * waits[slot] > waiting.len()
        };
        let slot = open.min_by_key(|&slot| (!popular(slot), size(slot), slot))?;
        Some((slot, popular(slot)))
    }

    /// The slot on which most disjunctions wait, if it has fewer values than these have ways together.
    fn crowded(&self, draft: &NodeDraft, waiting: &[Want]) -> Option<SearchSlot> {
        let compiler = &self.compiler;
        let mut waits = vec![0u32; compiler.model.vars.len()];
        let mut seen = vec![usize::MAX; waits.len()];
        for (at, want) in waiting.iter().enumerate() {
            let Want::Any(parts) = want else { continue };
            let reads = |part: &WantedCondition| compiler.eval.reads(part.mode, part.term).iter();
            for slot in parts.iter().flat_map(reads) {
                // A disjunction counts once for a slot, however many of its parts read it.
                if seen[slot] != at {
                    seen[slot] = at;
                    waits[slot] += 1;
                }
            }
        }
        let open = (0..waits.len()).filter(|&slot| !draft.known.contains(slot));
        let most = open.max_by_key(|&slot| waits[slot])?;
        let size = compiler.tables.codecs[most].size;
        // A disjunction that waits has two ways or more, so together they have `2^waits` or more.
        (waits[most] >= CROWD && size < 1 << waits[most].min(MOST_WAYS)).then_some(most)
    }

    /// Splits on the values of a slot.
    fn each(
        &mut self,
        nodes: &mut PlanNodes,
        draft: &mut NodeDraft,
        waiting: Vec<Want>,
        slot: SearchSlot,
    ) -> PlanContinuation {
        let mut seed = draft.seed(waiting);
        seed.known.insert(slot);
        let domain = &self.compiler.model.vars[VarId::new(slot)].domain;
        let is_input = slot >= self.compiler.states;
        // Only the first input gets a node for each value; with more of them, nodes would multiply.
        if !is_input || draft.input.is_some() || domain.size() > FEW_VALUES.into() {
            let then = nodes.add(seed);
            return PlanContinuation::Each { slot, then };
        }
        let for_value = |value| Seed {
            wants: seed.wants.clone(),
            known: seed.known.clone(),
            ready: seed.ready.clone(),
            input: Some((slot, value)),
        };
        let each = domain.values().map(|value| nodes.add(for_value(value)));
        let each = each.collect();
        PlanContinuation::Input { slot, each }
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
