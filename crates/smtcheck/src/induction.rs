//! k-induction (Sheeran, Singh and Stålmarck 2000): what holds at so many states in a row holds at the next one.

use wherefore_base::Budget;
use wherefore_smt::{SmtTermId, infix};

use crate::always::Safety;
use crate::answer::{SmtCertificate, SmtObligation, SmtProof};
use crate::asker::{Script, TermSession};
use crate::kripke::{PlaceGraph, StateCopy};
use crate::process::ProcessLimits;
use crate::solver::{Satisfiability, SmtSolver};
use crate::trouble::SolverTrouble;

/// A proof that a condition always holds, by induction over at most so many states; none if there is none.
pub(crate) fn induction(
    safety: &Safety,
    most: usize,
    solver: &SmtSolver,
    limits: ProcessLimits,
    budget: &Budget,
) -> Result<Option<SmtProof>, SolverTrouble> {
    let Safety {
        kripke,
        good,
        until,
    } = safety;
    let good = *good;
    let mut asker = TermSession::start(solver, &kripke.system.terms, limits, budget)?;
    let mut bases = Vec::new();
    for states in 1..=most {
        budget.check()?;
        let mut work = kripke.clone();
        let (places, path) = path_of(&mut work, states - 1);
        let (axioms, init) = (work.axioms, work.system.init);
        let init = work.at(init, places[0]);
        // Bases with fewer states have excluded bad states earlier on the run.
        let bad = denied(&mut work, good, places[states - 1]);
        let base = work.terms().and(&[axioms, init, path, bad]);
        if ask(&mut asker, &mut work, base, budget)? != Satisfiability::Unsat {
            // A bad state is reached, or cannot be excluded: no longer induction helps.
            return Ok(None);
        }
        bases.push(SmtObligation {
            claim: match states {
                1 => "every initial state satisfies the condition".to_string(),
                _ => format!(
                    "so does every state {} steps after an initial one",
                    states - 1
                ),
            },
            query: Script::query(work.terms(), "ALL", &[base]),
        });
        let mut work = kripke.clone();
        let (places, path) = path_of(&mut work, states);
        let mut parts = vec![work.axioms, path];
        for &place in &places[..states] {
            parts.push(work.at(good, place));
        }
        parts.push(denied(&mut work, good, places[states]));
        let step = work.terms().and(&parts);
        match ask(&mut asker, &mut work, step, budget)? {
            Satisfiability::Unsat => {
                bases.push(SmtObligation {
                    claim: match states {
                        1 => "every step from such a state leads to such a state".to_string(),
                        _ => format!("after {states} such states in a row comes another"),
                    },
                    query: Script::query(work.terms(), "ALL", &[step]),
                });
                let mut terms = kripke.system.terms.clone();
                let conditions = terms.plain_conjuncts(good);
                let certificate = SmtCertificate::Induction {
                    states,
                    condition: conditions.iter().map(|&c| infix::text(&terms, c)).collect(),
                    until: until.map(|until| infix::text(&terms, until)),
                };
                return Ok(Some(SmtProof {
                    engine: format!("{states}-induction"),
                    certificates: vec![certificate],
                    obligations: bases,
                    checked_by: vec![solver.title()],
                }));
            }
            Satisfiability::Sat => {}
            Satisfiability::Unknown(_) => return Ok(None),
        }
    }
    Ok(None)
}

/// So many steps in a row.
fn path_of(kripke: &mut PlaceGraph, steps: usize) -> (Vec<StateCopy>, SmtTermId) {
    let mut places = vec![kripke.place()];
    let mut parts = Vec::new();
    for _ in 0..steps {
        let (from, to) = (places[places.len() - 1], kripke.place());
        let edge = kripke.edge(from, to);
        parts.push(kripke.step(&edge));
        places.push(to);
    }
    let all = kripke.terms().and(&parts);
    (places, all)
}

fn denied(kripke: &mut PlaceGraph, good: SmtTermId, at: StateCopy) -> SmtTermId {
    let bad = kripke.terms().not(good);
    kripke.at(bad, at)
}

fn ask(
    asker: &mut TermSession,
    kripke: &mut PlaceGraph,
    formula: SmtTermId,
    budget: &Budget,
) -> Result<Satisfiability, SolverTrouble> {
    asker.push();
    asker.assert(kripke.terms(), formula);
    let outcome = asker.check(budget);
    asker.pop();
    outcome
}
