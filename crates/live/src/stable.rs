//! `F G p` of every infinite run: from some time on, `p` stays.
//!
//! It fails if a run visits states without `p` again and again, so it is refuted by a loop that is fair to "not `p`". It
//! holds if there is a bound on how often a run visits such states, which is an invariant of the system with a counter
//! (Claessen and Sörensson 2012).

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{Ctl, Op, SortId, StateVar, TermId};

use crate::always::Safety;
use crate::answer::{Certificate, Choices};
use crate::finding::Finding;
use crate::kripke::Kripke;
use crate::portfolio::{Runner, race};
use crate::unroll::{From, Unrolling};

/// The most visits that are counted.
const MOST_VISITS: i64 = 16;

/// Decides whether every infinite run satisfies a condition from some time on.
pub(crate) fn stable(
    kripke: &Kripke,
    condition: TermId,
    choices: &Choices,
    budget: &Budget,
) -> Finding {
    let runners: Vec<Runner<'_, Finding>> = vec![
        Runner {
            after: std::time::Duration::ZERO,
            work: Box::new(|budget| again(kripke, condition, choices, budget)),
        },
        Runner {
            after: std::time::Duration::ZERO,
            work: Box::new(|budget| seldom(kripke, condition, choices, budget)),
        },
    ];
    let mut findings = race(runners, Finding::is_definite, budget);
    match findings.pop() {
        Some(last) if last.is_definite() => last,
        last => {
            let all = findings
                .into_iter()
                .chain(last)
                .flat_map(|finding| match finding {
                    Finding::Open(sentences) => sentences,
                    Finding::Holds(_) | Finding::Fails(_) => Vec::new(),
                });
            Finding::Open(all.collect())
        }
    }
}

/// Looks for a loop that leaves the condition.
fn again(kripke: &Kripke, condition: TermId, choices: &Choices, budget: &Budget) -> Finding {
    let mut kripke = kripke.clone();
    let left = kripke.terms().not(condition);
    kripke.system.fairness.push(left);
    // A dead end is no infinite run.
    kripke.deadlock = wherefore_smt::Deadlock::Vacuous;
    let never = Ctl::Atom(kripke.terms().bool(false));
    let formula = Ctl::Finally(For::Forall, Box::new(never));
    Unrolling {
        kripke: &kripke,
        formula: &formula,
        from: From::Init,
        bound: choices.bound,
        solver: &choices.solvers[0],
        limits: choices.limits,
    }
    .decide(budget)
}

/// Looks for a bound on how often the condition is left.
fn seldom(kripke: &Kripke, condition: TermId, choices: &Choices, budget: &Budget) -> Finding {
    let mut visits = 0;
    while visits <= MOST_VISITS {
        let safety = counted(kripke, condition, visits);
        match safety.prove(choices, budget) {
            Ok(Ok(mut proof)) => {
                proof.engine = format!("{}, counting", proof.engine);
                proof.certificates.insert(0, Certificate::Visits(visits));
                return Finding::Holds(proof);
            }
            Ok(Err(_)) => visits = if visits == 0 { 1 } else { visits * 2 },
            Err(trouble) => {
                return Finding::Open(vec![format!(
                    "Counting was stopped at {visits} visits: {trouble}."
                )]);
            }
        }
    }
    Finding::Open(vec![format!(
        "The condition may be left more than {MOST_VISITS} times."
    )])
}

/// The system with a counter of the states without the condition, which stays within a bound.
fn counted(kripke: &Kripke, condition: TermId, visits: i64) -> Safety {
    let mut kripke = kripke.clone();
    let terms = kripke.terms();
    let current = terms.declare("left", &[], SortId::INT);
    let next = terms.declare("left!next", &[], SortId::INT);
    let (now, then) = (terms.var(current), terms.var(next));
    let (zero, one, most) = (terms.int(0), terms.int(1), terms.int(visits));
    let more = terms.op(Op::Add, &[now, one]);
    let count = terms.ite(condition, now, more);
    let counts = terms.equal(then, count);
    let starts = terms.equal(now, zero);
    let good = terms.less_equal(now, most);
    let (init, trans) = (kripke.system.init, kripke.trans);
    let terms = kripke.terms();
    kripke.system.init = terms.and(&[init, starts]);
    kripke.trans = kripke.system.terms.and(&[trans, counts]);
    kripke.system.state.push(StateVar {
        name: "left".to_string(),
        current,
        next,
        span: None,
    });
    Safety { kripke, good }
}
