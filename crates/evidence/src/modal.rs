//! Evidence about labelled transition systems: why modal equations hold or fail.
//!
//! The proof is the same as everywhere: claims at occurrences, rules, premises. A claim about an
//! equation needs one of several others, or all of them, there or after a step
//! ([`wherefore_logic::modal::Move`]). Equations have no negation, so the whole proof is about equations
//! that hold, or about equations that fail. Claims that must be shown in finitely many moves carry a rank
//! that falls with every move within their block; the others may close on an earlier node.
//!
//! `case` knows what can be shown and how, `search` finds the shortest run, `cheapest` the best one for wishes, `build` grows and tells the
//! proof, and [`wherefore_replay::modal`] re-checks it by reading the system.
//!
//! An occurrence has one value, the number of its state; an edge has one, the symbol with the number of
//! its label ([`action`], [`label`]).

mod build;
mod case;
mod cheapest;
mod loops;
mod search;
mod wished;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run};
use wherefore_check::modal::{ModalSolution, class_of, solve};
use wherefore_logic::{Class, Goal};
use wherefore_model::lts::{Lts, ModalQuestion};
use wherefore_proof::{Evidence, Finding, UnknownReason, Verdict};

use case::ModalCase;
pub use wherefore_proof::modal::{action, label, state, values};
pub use wherefore_replay::modal::{SystemSentenceChecker, replay};
pub use wished::{LabelWish, RunAspect, SystemWishes, investigate_wished};

/// Everything about a question; `property` is its number, for the finding.
///
/// A property that fails has evidence, and so has an existential one that holds.
pub fn investigate(
    lts: &Lts,
    question: &ModalQuestion,
    property: usize,
    budget: &Budget,
) -> Finding {
    let class = class_of(question);
    let mut finding = Finding::new(
        property,
        Verdict::Unknown(UnknownReason::Unsupported(String::new())),
        Some(class),
    );
    // What was found before time ran out stays found.
    if let Err(stop) = answer(lts, question, class, budget, &mut finding)
        && matches!(finding.verdict, Verdict::Unknown(_))
    {
        finding.verdict = Verdict::Unknown(UnknownReason::Stopped(stop));
    }
    finding
}

fn answer(
    lts: &Lts,
    question: &ModalQuestion,
    class: Class,
    budget: &Budget,
    finding: &mut Finding,
) -> Run<()> {
    budget.phase("checking");
    let solution = solve(lts, question, budget)?;
    let holds = solution.holds(question.system.root, lts.initial());
    finding.verdict = match holds {
        true => Verdict::Holds,
        false => Verdict::Fails,
    };
    if !holds || class == Class::Existential {
        finding.evidence = Some(evidence(lts, question, &solution, budget)?);
    }
    Ok(())
}

/// Why the root of a question holds, or why it fails, at the initial state; replayed.
pub fn evidence(
    lts: &Lts,
    question: &ModalQuestion,
    solution: &ModalSolution,
    budget: &Budget,
) -> Run<Evidence> {
    budget.phase("looking for the shortest evidence");
    let root = question.system.root;
    let holds = solution.holds(root, lts.initial());
    let case = ModalCase::new(lts, question, solution, holds, budget);
    let mut evidence = build::build(&case, FxHashMap::default())?;
    budget.phase("replaying the evidence");
    evidence.replay = replay(lts, question, holds, &evidence, budget)?;
    Ok(evidence)
}

/// The claim about an equation.
fn goal(sub: wherefore_logic::SubId, holds: bool) -> Goal {
    Goal { sub, holds }
}
