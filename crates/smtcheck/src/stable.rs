//! `F G p` of every infinite run: from some time on, `p` stays.
//!
//! It fails if a run visits states without `p` again and again, so it is refuted by a loop that is fair to "not `p`". It
//! holds if there is a bound on how often a run visits such states, which is an invariant of the system with a counter
//! (Claessen and Sörensson 2012), or a rank that falls with each visit and never rises.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{SmtCtl, SmtOp, SmtTermId, SortId, StateVar, infix};

use crate::always::Safety;
use crate::answer::{SmtAttempt, SmtCertificate, SmtOptions, SmtProof};
use crate::asker::TermSession;
use crate::finding::{SmtFinding, interrupted};
use crate::houdini::{candidates, houdini_invariant, shown};
use crate::kripke::PlaceGraph;
use crate::portfolio::{RaceRunner, race};
use crate::ranking::Ranking;
use crate::trouble::SolverTrouble;
use crate::unroll::{From, SmtUnrolling};

/// The most visits that are counted.
const MOST_VISITS: i64 = 16;

/// Decides whether every infinite run satisfies a condition from some time on.
pub(crate) fn stable(
    kripke: &PlaceGraph,
    condition: SmtTermId,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let runners: Vec<RaceRunner<'_, SmtFinding>> = vec![
        RaceRunner {
            after: std::time::Duration::ZERO,
            work: Box::new(|budget| again(kripke, condition, choices, budget)),
        },
        RaceRunner {
            after: std::time::Duration::ZERO,
            work: Box::new(|budget| seldom(kripke, condition, choices, budget)),
        },
        RaceRunner {
            after: std::time::Duration::from_millis(100),
            work: Box::new(
                |budget| match settling(kripke, condition, choices, budget) {
                    Ok(finding) => finding,
                    Err(trouble) => SmtFinding::stopped("ranking functions", &trouble),
                },
            ),
        },
    ];
    let mut findings = race(runners, SmtFinding::is_definite, budget);
    match findings.pop() {
        Some(last) if last.is_definite() => last,
        last => {
            let all = findings.into_iter().chain(last);
            SmtFinding::Open(all.flat_map(SmtFinding::attempts).collect())
        }
    }
}

/// Looks for a loop that leaves the condition.
fn again(
    kripke: &PlaceGraph,
    condition: SmtTermId,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let mut kripke = kripke.clone();
    let left = kripke.terms().not(condition);
    kripke.system.fairness.push(left);
    // A dead end is no infinite run.
    kripke.deadlock = wherefore_smt::Deadlock::Vacuous;
    // `AF false` fails just where there is an infinite fair run.
    let never = SmtCtl::Atom(kripke.terms().bool(false));
    let formula = SmtCtl::Finally(For::Forall, Box::new(never));
    SmtUnrolling {
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
pub(crate) fn seldom(
    kripke: &PlaceGraph,
    condition: SmtTermId,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let mut visits = 0;
    while visits <= MOST_VISITS {
        let safety = counted(kripke, condition, visits);
        match safety.prove(choices, budget) {
            Ok(Ok(mut proof)) => {
                proof.engine = format!("{}, counting", proof.engine);
                let condition = infix::text(&kripke.system.terms, condition);
                let counter = SmtCertificate::Counter {
                    name: "left".to_string(),
                    counts: format!("the states so far without `{condition}`"),
                };
                let visits = SmtCertificate::Visits {
                    most: visits,
                    condition,
                };
                proof.certificates.splice(0..0, [visits, counter]);
                return SmtFinding::Holds(proof);
            }
            Ok(Err(_)) => visits = if visits == 0 { 1 } else { visits * 2 },
            Err(trouble) => {
                let tried = format!("counting up to {visits} states outside");
                return SmtFinding::Open(vec![SmtAttempt::new(tried, interrupted(&trouble))]);
            }
        }
    }
    let tried = format!("bounds of up to {MOST_VISITS} on the states outside");
    SmtFinding::Open(SmtAttempt::none(tried))
}

/// Looks for a rank that falls whenever the condition is left and never rises: then it is left finitely often.
fn settling(
    kripke: &PlaceGraph,
    condition: SmtTermId,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<SmtFinding, SolverTrouble> {
    let mut kripke = kripke.clone();
    if kripke.system.has_functions() {
        return Ok(SmtFinding::Open(Vec::new()));
    }
    let solver = &choices.solvers[0];
    let mut asker = TermSession::start(solver, &kripke.system.terms, choices.limits, budget)?;
    let guesses = candidates(&mut kripke, &[condition]);
    let (init, trans) = (kripke.system.init, kripke.trans);
    let (invariant, mut duties) =
        houdini_invariant(&mut kripke, init, trans, guesses, &mut asker, budget)?;
    let left = kripke.terms().not(condition);
    let falls = kripke.terms().and(&[left, trans]);
    let calm = kripke.terms().and(&[condition, trans]);
    let mut ranking = Ranking::new(&mut kripke, invariant, condition, falls, Some(calm));
    let Some(ranks) = ranking.find(&mut asker, budget)? else {
        return Ok(SmtFinding::Open(SmtAttempt::none("ranking functions")));
    };
    let mut falls = ranking.obligation(&ranks);
    falls.claim = "the rank falls with every step from a state without the condition".to_string();
    duties.push(falls);
    duties.extend(ranking.calm_obligation(&ranks));
    let mut certificates: Vec<SmtCertificate> = shown(&mut kripke, invariant).into_iter().collect();
    certificates.push(SmtCertificate::SettlingRank {
        ranks: ranking.shown(&ranks),
        condition: infix::text(&kripke.system.terms, condition),
    });
    Ok(SmtFinding::Holds(SmtProof {
        engine: "rank".to_string(),
        certificates,
        obligations: duties,
        checked_by: vec![solver.title()],
    }))
}

/// The system with a counter of the states without the condition, which stays within a bound.
fn counted(kripke: &PlaceGraph, condition: SmtTermId, visits: i64) -> Safety {
    let mut kripke = kripke.clone();
    let terms = kripke.terms();
    let current = terms.declare("left", &[], SortId::INT);
    let next = terms.declare("left!next", &[], SortId::INT);
    let (now, then) = (terms.var(current), terms.var(next));
    let (zero, one, most) = (terms.int(0), terms.int(1), terms.int(visits));
    let more = terms.op(SmtOp::Add, &[now, one]);
    // A visit is counted with the step that leaves the state.
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
    Safety {
        kripke,
        good,
        until: None,
    }
}
