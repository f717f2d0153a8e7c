//! The contrary: a property fails where its denial holds.
//!
//! If the denied property is proved for every initial state, and there is an initial state, the property fails there. So
//! `EG p` is refuted by a bound or a rank for `AF (not p)`, and `EX p` by a look at the next states.

use wherefore_base::Budget;
use wherefore_smt::{Ctl, Meaning, Trace};

use crate::always::always;
use crate::answer::{Branch, Choices, Refutation};
use crate::asker::Asker;
use crate::finding::Finding;
use crate::kripke::Kripke;
use crate::rank::ranks;
use crate::reading::Reading;
use crate::solver::Outcome;
use crate::trouble::Trouble;
use crate::unroll::{From, Unrolling};

/// The most steps within which the denial must be decided.
const MOST_STEPS: usize = 24;

/// Refutes a property whose denial holds in every initial state, if it can.
pub(crate) fn contrary(kripke: &Kripke, part: &Ctl, choices: &Choices, budget: &Budget) -> Finding {
    let mut kripke = kripke.clone();
    let denied = part.negated(kripke.terms());
    let unrolling = Unrolling {
        kripke: &kripke,
        formula: &denied,
        from: From::Init,
        bound: choices.bound.min(MOST_STEPS),
        solver: &choices.solvers[0],
        limits: choices.limits,
    };
    let ways: [&dyn Fn() -> Finding; 3] = [
        &|| unrolling.prove_only(budget),
        &|| always(&kripke, &denied, choices, budget),
        &|| ranks(&kripke, &denied, choices, budget),
    ];
    for way in ways {
        let Finding::Holds(proof) = way() else {
            continue;
        };
        let run = match initial(&kripke, choices, budget) {
            Ok(Some(run)) => run,
            _ => return Finding::Open(Vec::new()),
        };
        return Finding::Fails(Refutation {
            engine: format!("{} of the contrary", proof.engine),
            runs: vec![run],
            closed_by: Some(Box::new(proof)),
        });
    }
    Finding::Open(Vec::new())
}

/// An initial state, confirmed by our own evaluator.
fn initial(kripke: &Kripke, choices: &Choices, budget: &Budget) -> Result<Option<Branch>, Trouble> {
    let mut kripke = kripke.clone();
    let start = kripke.place();
    let (axioms, init) = (kripke.axioms, kripke.system.init);
    let init = kripke.at(init, start);
    let both = kripke.terms().and(&[axioms, init]);
    let mut asker = Asker::start(
        &choices.solvers[0],
        &kripke.system.terms,
        choices.limits,
        budget,
    )?;
    asker.assert(kripke.terms(), both);
    if asker.check(budget)? != Outcome::Sat {
        return Ok(None);
    }
    let mut symbols = kripke.system.parameters.clone();
    symbols.extend(kripke.symbols(start));
    let plain = |symbol| kripke.system.terms.info(symbol).args.is_empty();
    if !symbols.iter().all(|&symbol| plain(symbol)) {
        return Ok(None);
    }
    let mut reading = Reading::default();
    let found = asker.values(&kripke.system.terms, &symbols, &mut reading, budget)?;
    let Some(values) = found.into_iter().collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let mut meanings = values.into_iter().map(Meaning::Value);
    let parameters = kripke.system.parameters.clone();
    let trace = Trace {
        universes: reading.universes(&kripke.system.terms),
        parameters: parameters.into_iter().zip(meanings.by_ref()).collect(),
        states: vec![meanings.collect()],
        ..Trace::default()
    };
    let replays = trace.replay(&kripke.system, true).is_ok();
    Ok(replays.then_some(Branch { from: None, trace }))
}
