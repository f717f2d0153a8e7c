//! The engines side by side: which of them fit a property, when each begins, and whose answer counts.
//!
//! Cheap engines begin at once, costly ones when the others have been at it for a while, in the pace of the machine. The
//! first proof or refutation wins and the others are stopped; if there is none, everybody says how far it came.

use std::time::{Duration, Instant};

use wherefore_base::Budget;
use wherefore_smt::{SmtClass, SmtCtl};

use crate::always::{always, promises};
use crate::answer::{SmtAttempt, SmtCertificate, SmtEngine, SmtObligation, SmtOptions, SmtProof};
use crate::choice::choosing;
use crate::contrary::{contrary, contrary_of_all};
use crate::cover::cover;
use crate::decide::together;
use crate::distance::distances;
use crate::endless::endless;
use crate::everywhere::everywhere;
use crate::fair::fairly;
use crate::finding::{SmtFinding, interrupted};
use crate::horn::body;
use crate::kripke::PlaceGraph;
use crate::nested::flattened;
use crate::never::never;
use crate::portfolio::{RaceRunner, ask_all, race};
use crate::rank::ranks;
use crate::recurrent::recurrent;
use crate::relatives::relatives;
use crate::solver::{Satisfiability, SmtSolver, SolverKind};
use crate::some::some;
use crate::theory::Theory;
use crate::unroll::{From, SmtUnrolling, chooses_paths, speaks_of_all_paths};

/// The one query of Vakili and Day (2014).
const THEORY: &str = "the first-order theory of the property";

/// How much longer things take here than on a machine with nothing else to do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Pace(f64);

impl Pace {
    /// The pace, from how long the first easy questions took.
    pub(crate) fn measured(first: Duration) -> Self {
        // The first questions take about 0.07 seconds where nothing else runs.
        Self((first.as_secs_f64() / 0.07).clamp(1.0, 20.0))
    }

    /// This long, in the pace of the machine.
    pub(crate) fn of(self, time: Duration) -> Duration {
        time.mul_f64(self.0)
    }
}

/// Decides a property that is no conjunction.
pub(crate) fn decide_part(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    pace: Pace,
    budget: &Budget,
) -> SmtFinding {
    let mut runners = Vec::new();
    let engine = choices.engine;
    let mut terms = kripke.system.terms.clone();
    let class = part.class(&mut terms);
    let many = !kripke.system.parameters.is_empty();
    if choices.some && many {
        runners.push(runner(0, |budget| some(kripke, part, choices, budget)));
        runners.push(runner(0, |budget| {
            contrary_of_all(kripke, part, choices, budget)
        }));
    } else {
        if matches!(engine, SmtEngine::Auto | SmtEngine::Unroll) {
            runners.push(runner(0, |budget| {
                unroll_engine(kripke, part, choices, budget)
            }));
            runners.push(runner(100, |budget| cover(kripke, part, choices, budget)));
        }
        if matches!(engine, SmtEngine::Auto | SmtEngine::Induction) {
            runners.push(runner(0, |budget| always(kripke, part, choices, budget)));
            runners.push(runner(0, |budget| promises(kripke, part, choices, budget)));
            runners.push(runner(0, |budget| distances(kripke, part, choices, budget)));
            runners.push(runner(150, |budget| {
                relatives(kripke, part, choices, budget)
            }));
            runners.push(runner(300, |budget| {
                everywhere(kripke, part, choices, budget)
            }));
            runners.push(runner(1200, |budget| ranks(kripke, part, choices, budget)));
            let fair = !kripke.system.fairness.is_empty();
            runners.push(runner(if fair { 200 } else { 2000 }, |budget| {
                fairly(kripke, part, choices, budget)
            }));
            runners.push(runner(2500, |budget| {
                recurrent(kripke, part, choices, budget)
            }));
            runners.push(runner(100, |budget| endless(kripke, part, choices, budget)));
            runners.push(runner(800, |budget| {
                choosing(kripke, part, choices, budget)
            }));
            runners.push(runner(1000, |budget| {
                nested(kripke, part, choices, pace, budget)
            }));
            runners.push(runner(200, |budget| never(kripke, part, choices, budget)));
            let decides_itself = matches!(class, SmtClass::State | SmtClass::Invariant);
            if !decides_itself {
                // What a run refutes is better refuted by a run.
                let denied = part.negated(&mut terms);
                let after = if speaks_of_all_paths(&denied) {
                    400
                } else {
                    6000
                };
                runners.push(runner(after, |budget| {
                    contrary(kripke, part, choices, budget)
                }));
            }
        }
        let theory_after = if engine == SmtEngine::Theory {
            0
        } else {
            10_000
        };
        let live = !matches!(class, SmtClass::Other(_) | SmtClass::State);
        if engine == SmtEngine::Theory || (engine == SmtEngine::Auto && live) {
            runners.push(runner(theory_after, |budget| {
                theory_engine(kripke, part, choices, budget)
            }));
        }
    }
    for runner in &mut runners {
        runner.after = pace.of(runner.after);
    }
    let mut findings = race(runners, SmtFinding::is_definite, budget);
    // A race that was won ends with the finding of the winner.
    match findings.last() {
        Some(last) if last.is_definite() => findings.remove(findings.len() - 1),
        _ => SmtFinding::Open(
            findings
                .into_iter()
                .flat_map(SmtFinding::attempts)
                .collect(),
        ),
    }
}

fn runner<'a>(
    after: u64,
    work: impl FnOnce(&Budget) -> SmtFinding + Send + 'a,
) -> RaceRunner<'a, SmtFinding> {
    RaceRunner {
        after: Duration::from_millis(after),
        work: Box::new(work),
    }
}

fn unroll_engine(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    SmtUnrolling {
        kripke,
        formula: part,
        from: From::Init,
        bound: choices.bound,
        solver: &choices.solvers[0],
        limits: choices.limits,
    }
    .decide(budget)
}

/// Decides a formula with formulas inside it by one without.
fn nested(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    pace: Pace,
    budget: &Budget,
) -> SmtFinding {
    let flat = match flattened(kripke, part, choices, budget) {
        Ok(Some(flat)) => flat,
        Ok(None) => return SmtFinding::Open(Vec::new()),
        Err(trouble) => {
            return SmtFinding::stopped("conditions for inner formulas", &trouble);
        }
    };
    let mut kripke = kripke.clone();
    kripke.system.terms = flat.terms;
    match decide_part(&kripke, &flat.formula, choices, pace, budget) {
        SmtFinding::Holds(proof) => SmtFinding::Holds(together(vec![proof, flat.why])),
        SmtFinding::Fails(mut refutation) => {
            // The runs show why the flat formula fails; that it says the same is part of the argument.
            let closed_by = match refutation.closed_by.take() {
                Some(proof) => together(vec![*proof, flat.why]),
                None => flat.why,
            };
            refutation.closed_by = Some(Box::new(closed_by));
            SmtFinding::Fails(refutation)
        }
        open @ SmtFinding::Open(_) => open,
    }
}

/// The one query, asked of all solvers in the ways that helped.
fn theory_engine(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let mut kripke = kripke.clone();
    if !kripke.system.fairness.is_empty() && chooses_paths(part) {
        let why = "it does not know fairness";
        return SmtFinding::Open(vec![SmtAttempt::new(THEORY, why)]);
    }
    let theory = match Theory::new(&mut kripke, part) {
        Ok(theory) => theory,
        Err(why) => {
            return SmtFinding::Open(vec![SmtAttempt::new(THEORY, why.trim_end_matches('.'))]);
        }
    };
    let query = theory.query(&mut kripke);
    let commands = body(&query);
    let begin = Instant::now();
    let replies = ask_all(&ways(&choices.solvers), commands, choices.limits, budget);
    let Some(last) = replies.last() else {
        return SmtFinding::Open(vec![SmtAttempt::new(THEORY, "not asked")]);
    };
    match &last.outcome {
        Ok(Satisfiability::Unsat) => {
            let patience = begin.elapsed() * 3 + Duration::from_secs(1);
            if let Some(vacuous) = vacuous(
                &mut kripke,
                &theory,
                &last.solver,
                choices,
                &budget.within(patience),
            ) {
                return SmtFinding::Open(vec![SmtAttempt::new(THEORY, vacuous)]);
            }
            let proof = SmtProof {
                engine: "theory".to_string(),
                certificates: vec![SmtCertificate::Word],
                obligations: vec![SmtObligation {
                    claim: theory_claim(&theory),
                    query,
                }],
                checked_by: vec![last.solver.title()],
            };
            SmtFinding::Holds(proof)
        }
        Ok(Satisfiability::Sat) if theory.everywhere => SmtFinding::Open(vec![SmtAttempt::new(
            "a proof from every state, reachable or not",
            "none; that says nothing about the reachable ones",
        )]),
        Ok(Satisfiability::Sat) => SmtFinding::Open(vec![SmtAttempt::new(
            THEORY,
            "it has a model, which is no counterexample",
        )]),
        _ => {
            let why = replies.iter().filter_map(|reply| {
                let solver = reply.solver.title();
                match &reply.outcome {
                    Ok(Satisfiability::Unknown(why)) => {
                        Some(format!("{solver} cannot decide it: {why}"))
                    }
                    Ok(_) => None,
                    Err(trouble) => Some(format!("{solver}: {}", interrupted(trouble))),
                }
            });
            let why: Vec<String> = why.collect();
            SmtFinding::Open(vec![SmtAttempt::new(THEORY, why.join("; "))])
        }
    }
}

/// Why a proof by theory says nothing, if it does not: the solver that found it proves the false as well.
fn vacuous(
    kripke: &mut PlaceGraph,
    theory: &Theory,
    solver: &SmtSolver,
    choices: &SmtOptions,
    budget: &Budget,
) -> Option<String> {
    let query = theory.vacuity(kripke);
    let commands = body(&query);
    let replies = ask_all(
        std::slice::from_ref(solver),
        commands,
        choices.limits,
        budget,
    );
    let contradicts = replies
        .iter()
        .any(|reply| reply.outcome == Ok(Satisfiability::Unsat));
    contradicts.then(|| "it contradicts itself, so it would prove every property".to_string())
}

/// The solvers, each in the ways that no other of its ways makes useless.
fn ways(solvers: &[SmtSolver]) -> Vec<SmtSolver> {
    let mut all = solvers.to_vec();
    for solver in solvers {
        match solver.kind {
            SolverKind::Z3 => all.push(solver.with(&["smt.arith.solver=2"])),
            SolverKind::Cvc5 => all.push(solver.with(&["--quant-ind"])),
            SolverKind::Other => {}
        }
    }
    all
}

/// What the theory of a property shows.
pub(crate) fn theory_claim(theory: &Theory) -> String {
    match theory.everywhere {
        true => "every state, reachable or not, satisfies what must always hold".to_string(),
        false => "every initial state is in the relation of the property".to_string(),
    }
}
