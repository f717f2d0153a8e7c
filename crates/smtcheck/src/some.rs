//! The question of the class: does *some* system satisfy the property?
//!
//! Values of the parameters are proposed by a query with a bound on the steps; then the property is proved for the one system
//! that they make, as if nothing else had been asked. That no system satisfies it is known where its contrary is proved for
//! all of them.

use wherefore_base::Budget;
use wherefore_smt::{SmtCtl, SmtQuantifier, infix};

use crate::answer::{SmtAttempt, SmtCertificate, SmtOptions};
use crate::asker::TermSession;
use crate::finding::{SmtFinding, interrupted};
use crate::kripke::PlaceGraph;
use crate::plan::BoundedReading;
use crate::quantified::bounded_inside;
use crate::reading::ModelReader;
use crate::solver::Satisfiability;
use crate::trouble::SolverTrouble;
use crate::unroll::{From, SmtUnrolling};

/// The most steps that are tried.
const MOST_STEPS: usize = 12;

/// Looks for a system of the class that satisfies the property.
pub(crate) fn some(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let plain = |symbol| kripke.system.terms.info(symbol).args.is_empty();
    if !kripke.system.parameters.iter().all(|&symbol| plain(symbol)) {
        let why = "none with functions as parameters is proposed";
        return SmtFinding::Open(vec![SmtAttempt::new("systems of the class", why)]);
    }
    for steps in 0..=MOST_STEPS.min(choices.bound) {
        match attempt(kripke, part, steps, choices, budget) {
            Ok(finding @ SmtFinding::Holds(_)) => return finding,
            Ok(_) => {}
            Err(trouble) => {
                let tried = format!("systems that satisfy it within {steps} steps");
                return SmtFinding::Open(vec![SmtAttempt::new(tried, interrupted(&trouble))]);
            }
        }
    }
    let tried = format!("systems that satisfy it within {MOST_STEPS} steps");
    SmtFinding::Open(SmtAttempt::none(tried))
}

fn attempt(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    steps: usize,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<SmtFinding, SolverTrouble> {
    let open = || Ok(SmtFinding::Open(Vec::new()));
    let mut work = kripke.clone();
    let at = work.bound_place();
    let Some(holds) = bounded_inside(&mut work, part, at, steps, BoundedReading::Surely) else {
        return open();
    };
    let (axioms, init) = (work.axioms, work.system.init);
    let init = work.at(init, at);
    let symbols = work.symbols(at).to_vec();
    let terms = work.terms();
    let all = terms.implies(init, holds);
    let all = terms.quantified(SmtQuantifier::Forall, &symbols, all);
    let query = terms.and(&[axioms, all]);
    let mut asker = TermSession::start(
        &choices.solvers[0],
        &work.system.terms,
        choices.limits,
        budget,
    )?;
    asker.assert(work.terms(), query);
    if asker.check(budget)? != Satisfiability::Sat {
        return open();
    }
    let parameters = work.system.parameters.clone();
    let found = asker.values(
        &work.system.terms,
        &parameters,
        &mut ModelReader::default(),
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
    // The first part is what the system itself says of initial states.
    let values = one.terms().and(&parts[1..]);
    // The axioms hold for these values, or the proof would be about nothing.
    let axioms = one.axioms;
    let consistent = one.terms().and(&[axioms, values]);
    let mut asker = TermSession::start(
        &choices.solvers[0],
        &one.system.terms,
        choices.limits,
        budget,
    )?;
    asker.assert(one.terms(), consistent);
    if asker.check(budget)? != Satisfiability::Sat {
        return open();
    }
    one.system.init = one.terms().and(&parts);
    let unrolling = SmtUnrolling {
        kripke: &one,
        formula: part,
        from: From::Init,
        bound: steps,
        solver: &choices.solvers[0],
        limits: choices.limits,
    };
    Ok(match unrolling.prove_only(budget) {
        SmtFinding::Holds(mut proof) => {
            let shown = one.terms().conjuncts(values);
            let shown = shown.iter().map(|&v| infix::text(&one.system.terms, v));
            let shown = shown.collect();
            proof.engine = "unrolling of one system".to_string();
            proof.certificates.insert(0, SmtCertificate::System(shown));
            SmtFinding::Holds(proof)
        }
        other => other,
    })
}
