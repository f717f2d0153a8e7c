//! Ranks: values that are bounded below and fall with every step, so that something must happen.
//!
//! Where no number of steps is enough for all states, a rank may be. Here the states are described among which one is
//! looked for; how it is found is in [`crate::ranking`].

use wherefore_base::Budget;
use wherefore_smt::{Ctl, print};

use crate::always::Promise;
use crate::answer::{Certificate, Choices, Proof};
use crate::asker::Asker;
use crate::finding::Finding;
use crate::houdini::{candidates, houdini, obligations};
use crate::kripke::Kripke;
use crate::ranking::Ranking;
use crate::toward::Goal;
use crate::trouble::Trouble;

/// Proves `AF q` and `A[p U q]`, also as promises under `AG`, if there is a rank.
pub(crate) fn ranks(kripke: &Kripke, part: &Ctl, choices: &Choices, budget: &Budget) -> Finding {
    match search(kripke, part, choices, budget) {
        Ok(Ok(proof)) => Finding::Holds(proof),
        Ok(Err(sentences)) => Finding::Open(sentences),
        Err(trouble) => Finding::Open(vec![format!(
            "The search for a rank was stopped: {trouble}."
        )]),
    }
}

fn search(
    kripke: &Kripke,
    part: &Ctl,
    choices: &Choices,
    budget: &Budget,
) -> Result<Result<Proof, Vec<String>>, Trouble> {
    let mut kripke = kripke.clone();
    if kripke.system.has_functions() {
        return Ok(Err(Vec::new()));
    }
    let solver = &choices.solvers[0];
    let mut asker = Asker::start(solver, &kripke.system.terms, choices.limits, budget)?;
    let mut duties = Vec::new();
    let mut certificates = Vec::new();
    let goal = match Goal::of(&mut kripke, part) {
        Some(goal) => goal,
        None => {
            let Some(promise) = Promise::of(&mut kripke, part) else {
                return Ok(Err(Vec::new()));
            };
            let guesses = candidates(&mut kripke, &[promise.asked, promise.kept]);
            let (init, trans) = (kripke.system.init, kripke.trans);
            let kept = houdini(&kripke, init, trans, guesses, &mut asker, budget)?;
            let invariant = kripke.terms().and(&kept);
            duties.extend(obligations(
                &kripke,
                init,
                trans,
                invariant,
                "the invariant",
            ));
            certificates.push(Certificate::Invariant(print::text(
                &kripke.system.terms,
                invariant,
            )));
            // From here on all states satisfy the invariant.
            let primed = kripke.system.primed(invariant);
            kripke.trans = kripke.terms().and(&[invariant, trans, primed]);
            let start = kripke.terms().and(&[invariant, promise.asked]);
            Goal {
                start,
                stay: promise.stay,
                goal: promise.kept,
            }
        }
    };
    let open = kripke.terms().not(goal.goal);
    let open_next = kripke.system.primed(open);
    let trans = kripke.trans;
    let trans = kripke.terms().and(&[open, trans, open_next]);
    let start = kripke.terms().and(&[goal.start, open]);
    let guesses = candidates(&mut kripke, &[goal.goal, goal.start]);
    let region = houdini(&kripke, start, trans, guesses, &mut asker, budget)?;
    let region = kripke.terms().and(&region);
    duties.extend(obligations(&kripke, start, trans, region, "the region"));
    let passed = kripke.terms().and(&[region, open]);
    match goal.way(&kripke, passed, &mut asker, budget)? {
        Ok(duty) => duties.extend(duty),
        Err(sentences) => return Ok(Err(sentences)),
    }
    let mut ranking = Ranking::new(&mut kripke, region, goal.goal, trans, None);
    let Some(parts) = ranking.find(&mut asker, budget)? else {
        return Ok(Err(vec![
            "No rank is found among linear ones, sums of indicators and tuples of these."
                .to_string(),
        ]));
    };
    duties.push(ranking.obligation(&parts));
    let shown = ranking.shown(&parts);
    if kripke.terms().as_bool(region) != Some(true) {
        certificates.push(Certificate::Invariant(print::text(
            &kripke.system.terms,
            region,
        )));
    }
    certificates.push(Certificate::Rank(shown));
    Ok(Ok(Proof {
        engine: "rank".to_string(),
        certificates,
        obligations: duties,
        checked_by: vec![solver.title()],
    }))
}
