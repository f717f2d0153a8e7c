//! Relatives: what is said of one part of the state may hold of all parts like it, and only together can they be shown.
//!
//! That one process of a ring knows no number greater than all is no invariant by itself; that none does is. So the
//! property is guessed of every part of the state with the same sort, and of these guesses those stay that all stay together
//! (see [`crate::houdini`]).

use wherefore_base::Budget;
use wherefore_smt::{SmtCtl, SmtTermId, infix};

use crate::always::Safety;
use crate::answer::{SmtCertificate, SmtObligation, SmtOptions, SmtProof};
use crate::asker::{Script, TermSession};
use crate::distance::{instead, without_distinct};
use crate::finding::SmtFinding;
use crate::houdini::{conditions, houdini, obligations};
use crate::kripke::PlaceGraph;
use crate::toward::refuted;
use crate::trouble::SolverTrouble;

/// The most guesses.
const MOST_GUESSES: usize = 400;

/// Proves `A[p W q]` and `AG p` by an invariant of relatives of `p`, if it can.
pub(crate) fn relatives(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let lean = without_distinct(kripke);
    for world in lean.iter().chain([kripke]) {
        let Some(safety) = Safety::of(world, part) else {
            break;
        };
        match search(safety, choices, budget) {
            Ok(Some(proof)) => return SmtFinding::Holds(proof),
            Ok(None) => {}
            Err(trouble) => {
                return SmtFinding::stopped("invariants of parts that are alike", &trouble);
            }
        }
    }
    SmtFinding::Open(Vec::new())
}

fn search(
    safety: Safety,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Option<SmtProof>, SolverTrouble> {
    let Safety {
        mut kripke,
        good,
        until,
    } = safety;
    let guesses = guesses(&mut kripke, good);
    if kripke.system.has_functions() || guesses.len() < 2 {
        return Ok(None);
    }
    let solver = &choices.solvers[0];
    let mut asker = TermSession::start(solver, &kripke.system.terms, choices.limits, budget)?;
    let (init, trans) = (kripke.system.init, kripke.trans);
    let kept = houdini(&mut kripke, init, trans, guesses, &mut asker, budget)?;
    let axioms = kripke.axioms;
    let terms = kripke.terms();
    let (invariant, bad) = (terms.and(&kept), terms.not(good));
    let escapes = terms.and(&[axioms, invariant, bad]);
    if !refuted(&mut kripke, &mut asker, escapes, budget)? {
        return Ok(None);
    }
    let mut duties = obligations(&kripke, init, trans, invariant, "the invariant");
    duties.push(SmtObligation {
        claim: "every state of the invariant satisfies the condition".to_string(),
        query: Script::query(kripke.terms(), "ALL", &[escapes]),
    });
    Ok(Some(SmtProof {
        engine: "invariant of relatives".to_string(),
        certificates: vec![SmtCertificate::Invariant {
            condition: conditions(&kripke, &kept),
            until: until.map(|until| infix::text(&kripke.system.terms, until)),
            implies: Some(infix::text(&kripke.system.terms, good)),
        }],
        obligations: duties,
        checked_by: vec![solver.title()],
    }))
}

/// The conjuncts of a condition, and each of them with one part of the state in place of another of its sort.
fn guesses(kripke: &mut PlaceGraph, good: SmtTermId) -> Vec<SmtTermId> {
    let current = kripke.system.current();
    let mut all = kripke.terms().conjuncts(good);
    for condition in all.clone() {
        let free = kripke.system.terms.free(condition);
        for &symbol in current.iter().filter(|symbol| free.contains(symbol)) {
            for &other in &current {
                let terms = kripke.terms();
                let alike = terms.info(other).sort == terms.info(symbol).sort;
                if alike && !free.contains(&other) && all.len() < MOST_GUESSES {
                    all.push(instead(terms, condition, symbol, other));
                }
            }
        }
    }
    all
}
