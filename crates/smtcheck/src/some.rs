//! The question of the class: does *some* system satisfy the property?
//!
//! Values of the parameters are proposed by a query with a bound on the steps; then the property is proved for the one system
//! that they make, as if nothing else had been asked. That no system satisfies it is known where its contrary is proved for
//! all of them.

use wherefore_base::Budget;
use wherefore_smt::{Ctl, Quantifier, print};

use crate::answer::{Certificate, Choices};
use crate::asker::Asker;
use crate::finding::Finding;
use crate::kripke::Kripke;
use crate::plan::Bounded;
use crate::quantified::bounded_inside;
use crate::reading::Reading;
use crate::solver::Outcome;
use crate::trouble::Trouble;
use crate::unroll::{From, Unrolling};

/// The most steps that are tried.
const MOST_STEPS: usize = 12;

/// Looks for a system of the class that satisfies the property.
pub(crate) fn some(kripke: &Kripke, part: &Ctl, choices: &Choices, budget: &Budget) -> Finding {
    let plain = |symbol| kripke.system.terms.info(symbol).args.is_empty();
    if !kripke.system.parameters.iter().all(|&symbol| plain(symbol)) {
        return Finding::Open(vec![
            "Systems with functions as parameters are not proposed.".to_string(),
        ]);
    }
    for steps in 0..=MOST_STEPS.min(choices.bound) {
        match attempt(kripke, part, steps, choices, budget) {
            Ok(finding @ Finding::Holds(_)) => return finding,
            Ok(_) => {}
            Err(trouble) => {
                return Finding::Open(vec![format!(
                    "The search for a system was stopped at {steps} steps: {trouble}."
                )]);
            }
        }
    }
    Finding::Open(vec![format!(
        "No system is found that satisfies it within {MOST_STEPS} steps."
    )])
}

fn attempt(
    kripke: &Kripke,
    part: &Ctl,
    steps: usize,
    choices: &Choices,
    budget: &Budget,
) -> Result<Finding, Trouble> {
    let open = || Ok(Finding::Open(Vec::new()));
    let mut work = kripke.clone();
    let at = work.bound_place();
    let Some(holds) = bounded_inside(&mut work, part, at, steps, Bounded::Surely) else {
        return open();
    };
    let (axioms, init) = (work.axioms, work.system.init);
    let init = work.at(init, at);
    let symbols = work.symbols(at).to_vec();
    let terms = work.terms();
    let all = terms.implies(init, holds);
    let all = terms.quantified(Quantifier::Forall, &symbols, all);
    let query = terms.and(&[axioms, all]);
    let mut asker = Asker::start(
        &choices.solvers[0],
        &work.system.terms,
        choices.limits,
        budget,
    )?;
    asker.assert(work.terms(), query);
    if asker.check(budget)? != Outcome::Sat {
        return open();
    }
    let parameters = work.system.parameters.clone();
    let found = asker.values(
        &work.system.terms,
        &parameters,
        &mut Reading::default(),
        budget,
    )?;
    let mut one = kripke.clone();
    let mut parts = vec![one.system.init];
    for (&parameter, value) in parameters.iter().zip(found) {
        let terms = one.terms();
        let Some(value) = value.and_then(|value| value.term(terms)) else {
            return open();
        };
        let var = terms.var(parameter);
        parts.push(terms.equal(var, value));
    }
    let values = one.terms().and(&parts[1..]);
    // The axioms hold for these values, or the proof would be about nothing.
    let axioms = one.axioms;
    let consistent = one.terms().and(&[axioms, values]);
    let mut asker = Asker::start(
        &choices.solvers[0],
        &one.system.terms,
        choices.limits,
        budget,
    )?;
    asker.assert(one.terms(), consistent);
    if asker.check(budget)? != Outcome::Sat {
        return open();
    }
    one.system.init = one.terms().and(&parts);
    let unrolling = Unrolling {
        kripke: &one,
        formula: part,
        from: From::Init,
        bound: steps,
        solver: &choices.solvers[0],
        limits: choices.limits,
    };
    Ok(match unrolling.prove_only(budget) {
        Finding::Holds(mut proof) => {
            let shown = print::text(&one.system.terms, values);
            proof.engine = "unrolling of one system".to_string();
            proof.certificates.insert(0, Certificate::System(shown));
            Finding::Holds(proof)
        }
        other => other,
    })
}
