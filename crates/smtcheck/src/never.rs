//! What can never be reached: refutations of `EF p` and `E[p U q]`.
//!
//! A property that something can be reached from every initial state fails if there is one initial state from which it
//! cannot. A solver proposes such a state: one from which no short path reaches the goal. An invariant that holds from
//! this state on and keeps the goal away closes the argument.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{SmtCtl, SmtTermId, SmtValuation, SmtValue, SolverTrace, TraceMeaning};

use crate::always::Safety;
use crate::answer::{RefutationRun, SmtAttempt, SmtOptions, SmtRefutation};
use crate::asker::TermSession;
use crate::finding::SmtFinding;
use crate::kripke::PlaceGraph;
use crate::plan::BoundedReading;
use crate::quantified::bounded_term;
use crate::reading::ModelReader;
use crate::solver::{Satisfiability, SolverKind};
use crate::trouble::SolverTrouble;

/// What is looked for.
const STATES: &str = "states that never reach the goal";

/// How far the goal must be away from the state that is proposed.
const FAR: [usize; 3] = [0, 2, 4];

/// Refutes a disjunction of conditions and one `EF p` or `E[p U q]`, if it can.
pub(crate) fn never(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let mut kripke = kripke.clone();
    let Some((conditions, path)) = shape(&mut kripke, part, EndlessPaths::Not) else {
        return SmtFinding::Open(Vec::new());
    };
    let mut tried = Vec::new();
    for steps in FAR {
        match attempt(&kripke, conditions, &path, steps, choices, budget) {
            Ok(Ok(refutation)) => return SmtFinding::Fails(refutation),
            Ok(Err(None)) => return SmtFinding::Open(Vec::new()),
            Ok(Err(Some(why))) => tried = vec![SmtAttempt::new(STATES, why)],
            Err(trouble) => {
                return SmtFinding::stopped(STATES, &trouble);
            }
        }
    }
    SmtFinding::Open(tried)
}

/// Whether formulas about paths that never end are taken too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndlessPaths {
    Too,
    Not,
}

/// The conditions, and the path formula: `EF p` or `E[p U q]`, perhaps also `EG p` or `E[p W q]`.
pub(crate) fn shape(
    kripke: &mut PlaceGraph,
    part: &SmtCtl,
    endless: EndlessPaths,
) -> Option<(SmtTermId, SmtCtl)> {
    let parts = match part {
        SmtCtl::Or(parts) => parts.clone(),
        other => vec![other.clone()],
    };
    let (mut conditions, mut found) = (Vec::new(), None);
    for part in parts {
        match (part.state(kripke.terms()), &part) {
            (Some(condition), _) => conditions.push(condition),
            (None, SmtCtl::Finally(For::Exists, _) | SmtCtl::Until(For::Exists, ..))
                if found.is_none() =>
            {
                found = Some(part);
            }
            (None, SmtCtl::Globally(For::Exists, _) | SmtCtl::WeakUntil(For::Exists, ..))
                if found.is_none() && endless == EndlessPaths::Too =>
            {
                found = Some(part);
            }
            _ => return None,
        }
    }
    Some((kripke.terms().or(&conditions), found?))
}

/// Tries one state. `Err(None)` says that there is none.
fn attempt(
    kripke: &PlaceGraph,
    conditions: SmtTermId,
    path: &SmtCtl,
    steps: usize,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Result<SmtRefutation, Option<String>>, SolverTrouble> {
    let mut work = kripke.clone();
    let start = work.place();
    let denied = path.negated(work.terms());
    let Some(far) = bounded_term(&mut work, &denied, start, steps, BoundedReading::AtMost) else {
        return Ok(Err(None));
    };
    let (axioms, init) = (work.axioms, work.system.init);
    let init = work.at(init, start);
    let other = work.terms().not(conditions);
    let other = work.at(other, start);
    let all = work.terms().and(&[axioms, init, other, far]);
    let mut asker = TermSession::start(
        &choices.solvers[0],
        &work.system.terms,
        choices.limits,
        budget,
    )?;
    asker.assert(work.terms(), all);
    let outcome = match choices.solvers[0].kind {
        SolverKind::Z3 if work.system.terms.has_quantifier(all) => {
            asker.check_by("(check-sat-using (or-else qsat smt))", budget)?
        }
        _ => asker.check(budget)?,
    };
    match outcome {
        Satisfiability::Sat => {}
        // From every initial state the goal or a condition is a few steps away, so none of them refutes.
        Satisfiability::Unsat => return Ok(Err(None)),
        Satisfiability::Unknown(why) => {
            return Ok(Err(Some(format!("none is known: {why}"))));
        }
    }
    let mut symbols = work.system.parameters.clone();
    symbols.extend(work.symbols(start));
    let mut reading = ModelReader::default();
    let found = asker.values(&work.system.terms, &symbols, &mut reading, budget)?;
    let Some(values) = found.into_iter().collect::<Option<Vec<_>>>() else {
        return Ok(Err(Some("one has a value that cannot be read".to_string())));
    };
    let count = work.system.parameters.len();
    let trace = SolverTrace {
        universes: reading.universes(&work.system.terms),
        parameters: work
            .system
            .parameters
            .iter()
            .copied()
            .zip(values.iter().cloned().map(TraceMeaning::Value))
            .collect(),
        states: vec![
            values[count..]
                .iter()
                .cloned()
                .map(TraceMeaning::Value)
                .collect(),
        ],
        ..SolverTrace::default()
    };
    let here: SmtValuation = trace.at(&work.system, 0);
    let free = wherefore_smt::eval::holds(&work.system.terms, conditions, &here) == Ok(false);
    if trace.replay(&work.system, true).is_err() || !free {
        return Ok(Err(Some(
            "one is not confirmed by our own evaluator".to_string(),
        )));
    }
    let Some(alone) = started_alone(kripke, &values) else {
        return Ok(Err(Some("one has values without names".to_string())));
    };
    let Some(safety) = Safety::denying(&alone, path) else {
        return Ok(Err(None));
    };
    Ok(match safety.prove(choices, budget)? {
        Ok(proof) => Ok(SmtRefutation {
            engine: "invariant from one state".to_string(),
            runs: vec![RefutationRun { from: None, trace }],
            closed_by: Some(Box::new(proof)),
        }),
        Err(_) => Err(Some("no invariant shows it of one".to_string())),
    })
}

/// The same system, started in one state alone: the values of parameters, then those of the state. `None` where a value has no
/// name.
fn started_alone(kripke: &PlaceGraph, values: &[SmtValue]) -> Option<PlaceGraph> {
    let mut alone = kripke.clone();
    let parameters = alone.system.parameters.iter().copied();
    let targets: Vec<_> = parameters.chain(alone.system.current()).collect();
    let mut parts = vec![alone.system.init];
    for (symbol, value) in targets.into_iter().zip(values) {
        let terms = alone.terms();
        let value = value.term(terms)?;
        let var = terms.var(symbol);
        parts.push(terms.equal(var, value));
    }
    alone.system.init = alone.terms().and(&parts);
    Some(alone)
}
