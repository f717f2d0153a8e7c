//! Kinds of steps: the transition relation as guarded commands.
//!
//! Whoever may choose the next state needs steps whose results can be written down. A disjunction in the relation is a choice
//! between kinds of steps. What a step leaves open is chosen among a few values: what it was before, each constant
//! of a small sort, and the numbers that it is compared with. So the kinds of steps are some of the steps of the
//! system, and in general not all of them.

use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use wherefore_smt::{
    Rational, SmtOp, SmtTerm, SmtTermId, SmtTerms, Sort, SortId, Substitution, SymbolId,
};

use crate::enabled::{definition, disjuncts};
use crate::kripke::PlaceGraph;

/// The most kinds of steps.
const MOST_CASES: usize = 64;

/// The most values that are tried for one thing that a step leaves open.
const MOST_VALUES: usize = 6;

/// A kind of step: when it can be taken, and what each part of the state is then.
#[derive(Clone, Debug)]
pub(crate) struct StepCase {
    pub(crate) guard: SmtTermId,
    updates: Vec<(SymbolId, SmtTermId)>,
}

impl StepCase {
    /// A condition or a number of the present state, said of the state after the step.
    pub(crate) fn after(&self, terms: &mut SmtTerms, term: SmtTermId) -> SmtTermId {
        let mut by = Substitution::default();
        for &(symbol, value) in &self.updates {
            by.put(symbol, value);
        }
        terms.substitute(term, &by)
    }
}

/// The kinds of steps whose results are determined; none if there are too many.
pub(crate) fn cases(kripke: &mut PlaceGraph) -> Option<Vec<StepCase>> {
    let mut open = vec![kripke.trans];
    let mut whole = Vec::new();
    while let Some(condition) = open.pop() {
        let parts = kripke.terms().conjuncts(condition);
        let next: FxHashSet<SymbolId> = kripke.system.next().into_iter().collect();
        // A disjunction that speaks of the present only stays in the guard: to split it would only add cases.
        let split = parts.iter().position(|&part| {
            let free = kripke.system.terms.free(part);
            let mentions = free.iter().any(|symbol| next.contains(symbol));
            mentions && disjuncts(&mut kripke.system.terms, part).is_some()
        });
        let Some(at) = split else {
            whole.push(condition);
            continue;
        };
        for alternative in disjuncts(kripke.terms(), parts[at])? {
            let mut rest = parts.clone();
            rest[at] = alternative;
            open.push(kripke.terms().and(&rest));
        }
        if open.len() + whole.len() > MOST_CASES {
            return None;
        }
    }
    let more = MOST_CASES.saturating_sub(whole.len());
    let mut making = CaseBuilder {
        known: known(kripke),
        more,
        found: Vec::new(),
    };
    for condition in whole {
        let targets = kripke.system.next().into_iter();
        let targets = targets.chain(kripke.inputs.clone()).collect();
        making.make(kripke, condition, targets, Vec::new());
    }
    (!making.found.is_empty()).then_some(making.found)
}

/// What guards and updates may speak of.
fn known(kripke: &PlaceGraph) -> FxHashSet<SymbolId> {
    let parameters = kripke.system.parameters.iter().copied();
    kripke
        .system
        .current()
        .into_iter()
        .chain(parameters)
        .collect()
}

struct CaseBuilder {
    known: FxHashSet<SymbolId>,
    /// How many cases there may be beyond one for each disjunct.
    more: usize,
    found: Vec<StepCase>,
}

impl CaseBuilder {
    /// Gives a value to every target, those that are defined first.
    fn make(
        &mut self,
        kripke: &mut PlaceGraph,
        condition: SmtTermId,
        targets: Vec<SymbolId>,
        chosen: Vec<(SymbolId, SmtTermId)>,
    ) {
        if kripke.terms().as_bool(condition) == Some(false) {
            return;
        }
        let parts = kripke.terms().conjuncts(condition);
        let defined = targets
            .iter()
            .position(|&target| definition(&mut kripke.system.terms, &parts, target).is_some());
        let (at, values) = match defined {
            Some(at) => {
                let value = definition(kripke.terms(), &parts, targets[at]);
                (at, value.into_iter().collect())
            }
            None if targets.is_empty() => {
                self.found.extend(self.finished(kripke, condition, chosen));
                return;
            }
            None => {
                let mut values = self.values(kripke, &parts, targets[0]);
                // The first value is free: only the further ones multiply the cases.
                values.truncate(1 + self.more.min(MOST_VALUES));
                self.more -= values.len().saturating_sub(1).min(self.more);
                (0, values)
            }
        };
        for value in values {
            let mut by = Substitution::default();
            by.put(targets[at], value);
            let terms = kripke.terms();
            let condition = terms.substitute(condition, &by);
            // Values that were chosen before may speak of the target that gets its value now.
            let mut chosen: Vec<_> = chosen
                .iter()
                .map(|&(target, term)| (target, terms.substitute(term, &by)))
                .collect();
            chosen.push((targets[at], value));
            let mut rest = targets.clone();
            rest.remove(at);
            wherefore_base::deep(|| self.make(kripke, condition, rest, chosen));
        }
    }

    /// Values for something that a step leaves open, the likeliest first.
    fn values(
        &self,
        kripke: &mut PlaceGraph,
        parts: &[SmtTermId],
        target: SymbolId,
    ) -> Vec<SmtTermId> {
        let before = kripke.system.state.iter().find(|var| var.next == target);
        let before = before.map(|var| var.current);
        let terms = kripke.terms();
        let info = terms.info(target).clone();
        let mut values: Vec<SmtTermId> = Vec::new();
        values.extend(before.map(|symbol| terms.var(symbol)));
        match terms.sorts.get(info.sort).clone() {
            Sort::Bool => values.extend([terms.bool(false), terms.bool(true)]),
            Sort::Enumeration(_, constants) => {
                let all = 0..u32::try_from(constants.len()).unwrap_or(0);
                values.extend(all.map(|at| terms.add(SmtTerm::Constant(info.sort, at))));
            }
            Sort::Int | Sort::Real => {
                for &part in parts {
                    values.extend(self.limit(terms, part, target));
                }
                values.push(terms.zero(info.sort));
            }
            _ => {
                // Anything of the same sort that has a name.
                let named = self.known.iter().copied();
                let mut named: Vec<SymbolId> = named
                    .filter(|&symbol| terms.info(symbol).sort == info.sort)
                    .collect();
                named.sort();
                values.extend(named.into_iter().map(|symbol| terms.var(symbol)));
            }
        }
        let mut seen = FxHashSet::default();
        values.retain(|&value| seen.insert(value));
        values
    }

    /// The nearest number that a comparison allows.
    fn limit(&self, terms: &mut SmtTerms, part: SmtTermId, target: SymbolId) -> Option<SmtTermId> {
        let (comparison, denied) = match terms.get(part).clone() {
            SmtTerm::Op(SmtOp::Not, inner) => (terms.get(inner[0]).clone(), true),
            other => (other, false),
        };
        let SmtTerm::Op(op @ (SmtOp::Less | SmtOp::LessEqual), sides) = comparison else {
            return None;
        };
        let var = terms.var(target);
        let (other, below) = match (sides[0] == var, sides[1] == var) {
            (true, false) => (sides[1], !denied),
            (false, true) => (sides[0], denied),
            _ => return None,
        };
        if !terms
            .free(other)
            .iter()
            .all(|symbol| self.known.contains(symbol))
        {
            return None;
        }
        let strict = (op == SmtOp::Less) != denied;
        if !strict {
            return Some(other);
        }
        let by = if below { -1 } else { 1 };
        let by = match terms.sort(other) {
            // There is no nearest one: any will do.
            SortId::REAL => terms.real(Rational::from(BigInt::from(by))),
            _ => terms.int(by),
        };
        Some(terms.op(SmtOp::Add, &[other, by]))
    }

    fn finished(
        &self,
        kripke: &mut PlaceGraph,
        guard: SmtTermId,
        chosen: Vec<(SymbolId, SmtTermId)>,
    ) -> Option<StepCase> {
        let mut all = vec![guard];
        let mut updates = Vec::new();
        for var in &kripke.system.state {
            let value = chosen.iter().find(|(target, _)| *target == var.next);
            let value = value.map(|&(_, term)| term)?;
            all.push(value);
            updates.push((var.current, value));
        }
        // A value that still speaks of the next state or of an input does not determine the step.
        let free = kripke.system.terms.free_in(&all);
        let plain = free.iter().all(|symbol| self.known.contains(symbol));
        plain.then_some(StepCase { guard, updates })
    }
}
