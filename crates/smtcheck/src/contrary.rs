//! The contrary: a property fails where its denial holds.
//!
//! A property of all initial states fails if its denial is proved for one of them. A solver proposes one: a state from which
//! a few steps do not yet settle the matter. Then the system is started in this state alone, and the denied property is
//! proved of it as any other: so `EG p` is refuted by a bound or a rank for `AF (not p)`, and `EX p` by a look at the next
//! states. `AG f` fails if that succeeds for a state that a run reaches. What is shown is the run to that state, and the
//! proof.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{SmtCtl, SolverTrace, TraceMeaning};

use crate::always::always;
use crate::answer::{RefutationRun, SmtOptions, SmtProof, SmtRefutation};
use crate::asker::TermSession;
use crate::choice::choosing;
use crate::cover::cover;
use crate::decide::together;
use crate::distance::distances;
use crate::endless::endless;
use crate::finding::SmtFinding;
use crate::kripke::PlaceGraph;
use crate::plan::{BoundedReading, WitnessPlan};
use crate::portfolio::{RaceRunner, race};
use crate::quantified::bounded_term;
use crate::rank::ranks;
use crate::solver::{Satisfiability, SolverKind};
use crate::traces;
use crate::trouble::SolverTrouble;
use crate::unroll::{From, SmtUnrolling};

/// The most steps within which the denial must be decided.
const MOST_STEPS: usize = 24;

/// How many steps are looked at when a state is proposed.
const LOOKS: [usize; 3] = [1, 3, 6];

/// How far the state may be from an initial one, where it has to be reached.
const WAYS: [usize; 6] = [0, 1, 2, 3, 5, 8];

/// The most steps to a dead end.
const MOST_WAY: usize = 8;

/// The most states for which a proof is tried.
const MOST_STATES: usize = 8;

/// Refutes a property whose denial holds in some state that matters, if it can.
pub(crate) fn contrary(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    match search(kripke, part, choices, budget) {
        Ok(Some(refutation)) => SmtFinding::Fails(refutation),
        Ok(None) => contrary_of_all(kripke, part, choices, budget),
        Err(trouble) => SmtFinding::stopped("states that refute the property", &trouble),
    }
}

/// Refutes a property whose denial holds in every initial state of every system, if it can.
pub(crate) fn contrary_of_all(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let mut kripke = kripke.clone();
    let denied = part.negated(kripke.terms());
    let Some(proof) = proved(&kripke, &denied, choices, budget) else {
        return SmtFinding::Open(Vec::new());
    };
    // Every initial state refutes the property, so any one of them is shown.
    let always = SmtCtl::Atom(kripke.terms().bool(true));
    match propose(&kripke, &always, 0, 0, choices, budget) {
        Ok(Proposed::State(trace)) => SmtFinding::Fails(refutation(trace, proof)),
        _ => SmtFinding::Open(Vec::new()),
    }
}

fn search(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Option<SmtRefutation>, SolverTrouble> {
    let mut kripke = kripke.clone();
    if kripke.system.has_functions() {
        return Ok(None);
    }
    let mut denials = vec![(part.negated(kripke.terms()), &WAYS[..1])];
    if let SmtCtl::Globally(For::Forall, inner) = part {
        // A run that reaches a state must go on fairly where there is fairness, and nobody shows that here.
        denials.clear();
        if kripke.system.fairness.is_empty() {
            denials.push((inner.negated(kripke.terms()), &WAYS[..]));
        }
    }
    if let SmtCtl::Next(For::Forall, inner) = part
        && kripke.system.fairness.is_empty()
    {
        // `AX f` fails if the denial of `f` is proved in a state exactly one step away.
        denials.push((inner.negated(kripke.terms()), &WAYS[1..2]));
    }
    let mut tried = 0;
    for (denied, ways) in &denials {
        if *ways == WAYS
            && let Some(found) = at_an_end(&kripke, denied, choices, budget)?
        {
            return Ok(Some(found));
        }
    }
    for (denied, ways) in denials {
        for look in LOOKS {
            let mut all_none = true;
            for &way in ways {
                let trace = match propose(&kripke, &denied, way, look, choices, budget)? {
                    Proposed::State(trace) => trace,
                    Proposed::None => continue,
                    Proposed::Unknown => {
                        all_none = false;
                        continue;
                    }
                };
                all_none = false;
                let last = trace.states.len() - 1;
                let Some(alone) = started_at(&kripke, &trace, last) else {
                    return Ok(None);
                };
                if let Some(proof) = proved(&alone, &denied, choices, budget) {
                    return Ok(Some(refutation(trace, proof)));
                }
                tried += 1;
                if tried >= MOST_STATES {
                    return Ok(None);
                }
            }
            if all_none {
                break;
            }
        }
    }
    Ok(None)
}

/// A refutation by a dead end that a run reaches, if there is one in which the denial holds: what has not happened there
/// never does.
fn at_an_end(
    kripke: &PlaceGraph,
    denied: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Option<SmtRefutation>, SolverTrouble> {
    let mut ending = kripke.clone();
    let Some(live) = ending.live else {
        return Ok(None);
    };
    let dead = ending.terms().not(live);
    let ended = SmtCtl::And(vec![SmtCtl::Atom(dead), denied.clone()]);
    for way in 0..=MOST_WAY {
        if let Proposed::State(trace) = propose(&ending, &ended, way, 1, choices, budget)? {
            let last = trace.states.len() - 1;
            let Some(alone) = started_at(kripke, &trace, last) else {
                return Ok(None);
            };
            let proof = proved(&alone, denied, choices, budget);
            return Ok(proof.map(|proof| refutation(trace, proof)));
        }
    }
    Ok(None)
}

fn refutation(trace: SolverTrace, proof: SmtProof) -> SmtRefutation {
    SmtRefutation {
        engine: format!("{} of the contrary", proof.engine),
        runs: vec![RefutationRun { from: None, trace }],
        closed_by: Some(Box::new(proof)),
    }
}

/// What comes of asking for a state.
enum Proposed {
    /// A run to it, replayed.
    State(SolverTrace),
    /// There is none.
    None,
    /// There may be one.
    Unknown,
}

/// A run of so many steps to a state for which the formula is not excluded, or even shown, by looking so many steps ahead.
fn propose(
    kripke: &PlaceGraph,
    formula: &SmtCtl,
    way: usize,
    look: usize,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Proposed, SolverTrouble> {
    let mut work = kripke.clone();
    let mut places = vec![work.place()];
    let (axioms, init) = (work.axioms, work.system.init);
    let mut parts = vec![axioms, work.at(init, places[0])];
    let mut edges = Vec::new();
    for _ in 0..way {
        let (from, to) = (places[places.len() - 1], work.place());
        let edge = work.edge(from, to);
        parts.push(work.step(&edge));
        edges.push(edge);
        places.push(to);
    }
    let last = places[places.len() - 1];
    let readings = [BoundedReading::AtMost, BoundedReading::Surely];
    let wanted = readings.into_iter().find_map(|bounded| {
        match WitnessPlan::new(&mut work, formula, last, look, bounded) {
            Some(plan) => Some(plan.term(&mut work)),
            None => bounded_term(&mut work, formula, last, look, bounded),
        }
    });
    parts.extend(wanted);
    let all = work.terms().and(&parts);
    let solver = &choices.solvers[0];
    let mut asker = TermSession::start(solver, &work.system.terms, choices.limits, budget)?;
    asker.assert(work.terms(), all);
    let outcome = match solver.kind {
        SolverKind::Z3 if work.system.terms.has_quantifier(all) => {
            asker.check_by("(check-sat-using (or-else qsat smt))", budget)?
        }
        _ => asker.check(budget)?,
    };
    Ok(match outcome {
        Satisfiability::Unsat => Proposed::None,
        Satisfiability::Unknown(_) => Proposed::Unknown,
        Satisfiability::Sat => {
            match traces::path(&work, &mut asker, &places, &edges, true, budget)? {
                Some(trace) => Proposed::State(trace),
                None => Proposed::Unknown,
            }
        }
    })
}

/// The one system of a run, started in a state of it; none if a value has no name.
pub(crate) fn started_at(
    kripke: &PlaceGraph,
    trace: &SolverTrace,
    state: usize,
) -> Option<PlaceGraph> {
    let mut alone = kripke.clone();
    // Axioms fix the parameters, so that the proof is about this one system in all of its states.
    let mut fixed = vec![alone.axioms];
    for (symbol, meaning) in &trace.parameters {
        fixed.push(equation(&mut alone, *symbol, meaning)?);
    }
    let mut parts = Vec::new();
    let current = alone.system.current();
    for (symbol, meaning) in current.into_iter().zip(trace.states.get(state)?) {
        parts.push(equation(&mut alone, symbol, meaning)?);
    }
    alone.axioms = alone.terms().and(&fixed);
    alone.system.init = alone.terms().and(&parts);
    Some(alone)
}

/// That a symbol is this value; none if the value has no name.
pub(crate) fn equation(
    kripke: &mut PlaceGraph,
    symbol: wherefore_smt::SymbolId,
    meaning: &TraceMeaning,
) -> Option<wherefore_smt::SmtTermId> {
    let TraceMeaning::Value(value) = meaning else {
        return None;
    };
    let terms = kripke.terms();
    let value = value.term(terms)?;
    let var = terms.var(symbol);
    Some(terms.equal(var, value))
}

/// A proof that a formula holds in every initial state, by the engines that prove.
pub(crate) fn proved(
    kripke: &PlaceGraph,
    formula: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Option<SmtProof> {
    let mut proofs = Vec::new();
    for part in formula.parts() {
        let unrolling = SmtUnrolling {
            kripke,
            formula: &part,
            from: From::Init,
            bound: choices.bound.min(MOST_STEPS),
            solver: &choices.solvers[0],
            limits: choices.limits,
        };
        let part = &part;
        let engines = [always, cover, endless, distances, ranks, choosing];
        let mut runners: Vec<RaceRunner<'_, SmtFinding>> = vec![RaceRunner {
            after: std::time::Duration::ZERO,
            work: Box::new(move |budget| unrolling.prove_only(budget)),
        }];
        for (number, engine) in engines.into_iter().enumerate() {
            runners.push(RaceRunner {
                after: std::time::Duration::from_millis(60 * number as u64),
                work: Box::new(move |budget| engine(kripke, part, choices, budget)),
            });
        }
        match race(runners, SmtFinding::is_definite, budget).pop() {
            Some(SmtFinding::Holds(proof)) => proofs.push(proof),
            _ => return None,
        }
    }
    Some(together(proofs))
}
