//! Invariants by elimination (Flanagan and Leino 2001): of many candidates, those stay that all stay together.
//!
//! Candidates are what the model itself speaks of: conditions in its initial states, its steps and the property, their
//! negations, and comparisons between its numbers.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use wherefore_base::Budget;
use wherefore_smt::eval::holds;
use wherefore_smt::{SmtOp, SmtTerm, SmtTermId, SmtValuation, SortId, SymbolId, infix};

use crate::answer::{SmtCertificate, SmtObligation};
use crate::asker::{Script, TermSession};
use crate::kripke::{PlaceGraph, StateCopy};
use crate::reading::ModelReader;
use crate::solver::Satisfiability;
use crate::trouble::SolverTrouble;

/// The most candidates.
const MOST_CANDIDATES: usize = 400;

/// Up to so many conditions, those that follow from the others are left out.
const MOST_COMPARED: usize = 60;

/// Up to so many pairs of numbers, differences by one are candidates too.
const FEW_PAIRS: usize = 40;

/// Conditions on the present state that the model and these terms speak of.
pub(crate) fn candidates(kripke: &mut PlaceGraph, more: &[SmtTermId]) -> Vec<SmtTermId> {
    let current: BTreeSet<SymbolId> = kripke.system.current().into_iter().collect();
    let parameters = kripke.system.parameters.clone();
    let mut roots = vec![kripke.system.init, kripke.trans];
    roots.extend(more);
    let init = kripke.system.init;
    let mut found: Vec<SmtTermId> = kripke.terms().conjuncts(init);
    let terms = &kripke.system.terms;
    let mut seen = FxHashSet::default();
    while let Some(term) = roots.pop() {
        if !seen.insert(term) {
            continue;
        }
        let node = terms.get(term);
        roots.extend(node.operands());
        let compares = matches!(
            node,
            SmtTerm::Op(SmtOp::Equal | SmtOp::Less | SmtOp::LessEqual, _)
        );
        if terms.sort(term) == SortId::BOOL && (compares || terms.as_symbol(term).is_some()) {
            found.push(term);
        }
    }
    let about = |term: SmtTermId| {
        let free = terms.free(term);
        let known = free
            .iter()
            .all(|symbol| current.contains(symbol) || parameters.contains(symbol));
        // What speaks of parameters only never changes and needs no induction.
        known && free.iter().any(|symbol| current.contains(symbol))
    };
    found.retain(|&term| about(term) && !terms.has_quantifier(term));
    found.sort();
    found.dedup();
    let state: Vec<SymbolId> = current.iter().copied().collect();
    let numbers = |sort: SortId, among: &[SymbolId]| -> Vec<SymbolId> {
        let is = |symbol: &&SymbolId| {
            let info = kripke.system.terms.info(**symbol);
            info.args.is_empty() && info.sort == sort
        };
        among.iter().filter(is).copied().collect()
    };
    let mut pairs = Vec::new();
    for sort in [SortId::INT, SortId::REAL] {
        let (own, fixed) = (numbers(sort, &state), numbers(sort, &parameters));
        for &a in &own {
            for &b in own.iter().chain(&fixed) {
                if a != b {
                    pairs.push((a, b));
                }
            }
        }
    }
    let numeric: Vec<SymbolId> = [SortId::INT, SortId::REAL]
        .iter()
        .flat_map(|&s| numbers(s, &state))
        .collect();
    let terms = kripke.terms();
    let mut all = Vec::new();
    for symbol in numeric {
        let (var, sort) = (terms.var(symbol), terms.info(symbol).sort);
        let zero = terms.zero(sort);
        all.push(terms.less_equal(zero, var));
    }
    let mut sides = Vec::new();
    for term in found {
        all.push(term);
        all.push(terms.not(term));
        // What is on its way to a number comes from one side.
        if let SmtTerm::Op(SmtOp::Equal, pair) = terms.get(term).clone()
            && terms.sorts.is_number(terms.sort(pair[0]))
        {
            sides.push(terms.less_equal(pair[0], pair[1]));
            sides.push(terms.less_equal(pair[1], pair[0]));
        }
    }
    let few = pairs.len() <= FEW_PAIRS;
    for (a, b) in pairs {
        let (sort, a, b) = (terms.info(a).sort, terms.var(a), terms.var(b));
        all.push(terms.less_equal(a, b));
        all.push(terms.less_equal(b, a));
        if few && sort == SortId::INT {
            let one = terms.int(1);
            let above = terms.op(SmtOp::Add, &[b, one]);
            all.push(terms.less_equal(a, above));
            all.push(terms.less_equal(above, a));
        }
    }
    // These come last, so that truncation drops them first.
    all.extend(sides);
    let mut seen = FxHashSet::default();
    all.retain(|&term| seen.insert(term));
    all.truncate(MOST_CANDIDATES);
    all
}

/// The candidates that hold at the start and are kept by the steps; both are conditions on the present state and on a step.
pub(crate) fn houdini(
    own: &mut PlaceGraph,
    start: SmtTermId,
    trans: SmtTermId,
    mut candidates: Vec<SmtTermId>,
    asker: &mut TermSession,
    budget: &Budget,
) -> Result<Vec<SmtTermId>, SolverTrouble> {
    let mut kripke = own.clone();
    let (from, to) = (kripke.place(), kripke.place());
    let edge = kripke.edge(from, to);
    let start = kripke.at(start, from);
    let trans = kripke.along(trans, &edge);
    // What fails at the start goes first. Any subset of the rest holds at the start too, so that the second
    // loop, which drops what a step breaks, never makes the first one necessary again.
    for (assumed, at, inductive) in [(start, from, false), (trans, to, true)] {
        loop {
            budget.check()?;
            let all = kripke.terms().and(&candidates);
            let broken = kripke.terms().not(all);
            let broken = kripke.at(broken, at);
            let mut parts = vec![kripke.axioms, assumed, broken];
            if inductive {
                parts.push(kripke.at(all, from));
            }
            let query = kripke.terms().and(&parts);
            asker.push();
            asker.assert(kripke.terms(), query);
            let outcome = asker.check(budget)?;
            match outcome {
                Satisfiability::Unsat => {
                    asker.pop();
                    break;
                }
                Satisfiability::Unknown(_) => {
                    asker.pop();
                    // The empty conjunction is always an invariant, so that nothing is claimed.
                    return Ok(Vec::new());
                }
                Satisfiability::Sat => {}
            }
            let values = state_values(&mut kripke, asker, at, budget)?;
            asker.pop();
            let before = candidates.len();
            candidates.retain(|&candidate| {
                let there = kripke.at(candidate, at);
                holds(&kripke.system.terms, there, &values) == Ok(true)
            });
            // The evaluator calls nothing broken although the solver does: without this the loop would not
            // end.
            if candidates.len() == before {
                return Ok(Vec::new());
            }
        }
    }
    // Terms of the copy are not ours.
    lean(own, candidates, asker, budget)
}

/// The conditions without those that follow from the others, in plain form: they say the same together.
pub(crate) fn lean(
    kripke: &mut PlaceGraph,
    conditions: Vec<SmtTermId>,
    asker: &mut TermSession,
    budget: &Budget,
) -> Result<Vec<SmtTermId>, SolverTrouble> {
    let all = kripke.terms().and(&conditions);
    let mut kept = kripke.terms().plain_conjuncts(all);
    if kept.len() > MOST_COMPARED {
        return Ok(conditions);
    }
    // What is longer goes first; of equals the one that was guessed later.
    let mut order: Vec<SmtTermId> = kept.clone();
    order.reverse();
    let length = |&term: &SmtTermId| std::cmp::Reverse(weight(kripke, term));
    order.sort_by_key(length);
    for condition in order {
        budget.check()?;
        let rest: Vec<SmtTermId> = kept.iter().copied().filter(|&c| c != condition).collect();
        let not = kripke.terms().not(condition);
        let mut parts = rest.clone();
        parts.extend([kripke.axioms, not]);
        let denied = kripke.terms().and(&parts);
        asker.push();
        asker.assert(kripke.terms(), denied);
        let outcome = asker.check(budget);
        asker.pop();
        // What a solver does not decide stays.
        if outcome? == Satisfiability::Unsat {
            kept = rest;
        }
    }
    Ok(kept)
}

/// How much a reader has to take in: denials count more than what is said straight away.
fn weight(kripke: &PlaceGraph, term: SmtTermId) -> usize {
    let terms = &kripke.system.terms;
    let denied = matches!(terms.get(term), SmtTerm::Op(SmtOp::Not, _));
    infix::text(terms, term).len() + if denied { 20 } else { 0 }
}

/// An invariant as a certificate, unless it says nothing.
pub(crate) fn shown(kripke: &mut PlaceGraph, invariant: SmtTermId) -> Option<SmtCertificate> {
    let all = kripke.terms().plain_conjuncts(invariant);
    (!all.is_empty()).then(|| SmtCertificate::Invariant {
        condition: conditions(kripke, &all),
        until: None,
        implies: None,
    })
}

/// Conditions as texts.
pub(crate) fn conditions(kripke: &PlaceGraph, all: &[SmtTermId]) -> Vec<String> {
    let terms = &kripke.system.terms;
    all.iter().map(|&c| infix::text(terms, c)).collect()
}

/// The values of a place and of the parameters; what cannot be read is left out.
pub(crate) fn state_values(
    kripke: &mut PlaceGraph,
    asker: &mut TermSession,
    at: StateCopy,
    budget: &Budget,
) -> Result<SmtValuation, SolverTrouble> {
    let mut symbols = kripke.system.parameters.clone();
    symbols.extend(kripke.symbols(at));
    symbols.retain(|&symbol| kripke.system.terms.info(symbol).args.is_empty());
    known_values(kripke, asker, &symbols, budget)
}

/// The values of symbols and the sizes of the sorts that have no meaning of their own; what cannot be read is left out.
pub(crate) fn known_values(
    kripke: &PlaceGraph,
    asker: &mut TermSession,
    symbols: &[SymbolId],
    budget: &Budget,
) -> Result<SmtValuation, SolverTrouble> {
    let mut reading = ModelReader::default();
    let found = asker.values(&kripke.system.terms, symbols, &mut reading, budget)?;
    let mut values = SmtValuation::default();
    for (&symbol, value) in symbols.iter().zip(found) {
        if let Some(value) = value {
            values.set(symbol, value);
        }
    }
    for (sort, count) in reading.universes(&kripke.system.terms) {
        values.set_universe(sort, count);
    }
    Ok(values)
}

/// The conjunction of the candidates that [`houdini`] keeps, with the obligations that prove it; none if it is true.
pub(crate) fn houdini_invariant(
    kripke: &mut PlaceGraph,
    start: SmtTermId,
    trans: SmtTermId,
    candidates: Vec<SmtTermId>,
    asker: &mut TermSession,
    budget: &Budget,
) -> Result<(SmtTermId, Vec<SmtObligation>), SolverTrouble> {
    let kept = houdini(kripke, start, trans, candidates, asker, budget)?;
    let invariant = kripke.terms().and(&kept);
    let duties = if kept.is_empty() {
        Vec::new()
    } else {
        obligations(kripke, start, trans, invariant, "the invariant")
    };
    Ok((invariant, duties))
}

/// The two obligations of an invariant.
pub(crate) fn obligations(
    kripke: &PlaceGraph,
    start: SmtTermId,
    trans: SmtTermId,
    invariant: SmtTermId,
    what: &str,
) -> Vec<SmtObligation> {
    let mut kripke = kripke.clone();
    let (from, to) = (kripke.place(), kripke.place());
    let edge = kripke.edge(from, to);
    let (start, trans) = (kripke.at(start, from), kripke.along(trans, &edge));
    let (before, after) = (kripke.at(invariant, from), kripke.at(invariant, to));
    let axioms = kripke.axioms;
    let terms = kripke.terms();
    let (not_before, not_after) = (terms.not(before), terms.not(after));
    let initially = terms.and(&[axioms, start, not_before]);
    let kept = terms.and(&[axioms, before, trans, not_after]);
    vec![
        SmtObligation {
            claim: format!("{what} holds at the start"),
            query: Script::query(terms, "ALL", &[initially]),
        },
        SmtObligation {
            claim: format!("{what} is kept by every step"),
            query: Script::query(terms, "ALL", &[kept]),
        },
    ]
}
