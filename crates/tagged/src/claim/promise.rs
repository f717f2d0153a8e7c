//! Promises: `AF q`, `A [p U q]` and `AG (p -> AF q)`.

use wherefore_base::{Budget, Run};
use wherefore_logic::{Formula, Goal, Kernel, Quantifier, kernel};

use super::{Aim, TagClaim, TagTruth, TruthClasses, about_paths};
use crate::watch::Watch;

/// What a promise is broken by.
enum BrokenPromise {
    /// All of `stay` for ever, or up to a state with all of `goal`.
    Once { stay: Vec<Goal>, goal: Vec<Goal> },
    /// After all of `asked`, all of `stay` for ever.
    Always { asked: Vec<Goal>, stay: Vec<Goal> },
}

/// The claim of a formula that is one of these promises.
pub(super) fn promise(truth: TagTruth<'_>, budget: &Budget) -> Run<Option<TagClaim>> {
    let formula = truth.formula;
    let claim = match read(formula) {
        None => return Ok(None),
        Some(BrokenPromise::Once { stay, goal }) => {
            let goals = [&stay[..], &goal[..]].concat();
            let classes = TruthClasses::new(truth, &goals, budget)?;
            // Nothing read, waiting, done, broken.
            let mut next = Vec::new();
            for at in 0..4u32 {
                next.extend(classes.truth.iter().map(|holds| {
                    let (stay, goal) = holds.split_at(stay.len());
                    match at {
                        2 | 3 => at,
                        // The goal is looked at first: it breaks the promise also where the run does not
                        // stay.
                        _ if !goal.is_empty() && goal.iter().all(|&yes| yes) => 3,
                        _ if !stay.iter().all(|&yes| yes) => 2,
                        _ => 1,
                    }
                }));
            }
            let accepting = vec![false, false, true, false];
            let count = classes.truth.len();
            TagClaim {
                watch: Watch::new(classes.class, count, next, accepting, budget)?,
                aim: Aim::Done,
                facts: about_paths(formula, &goals),
            }
        }
        Some(BrokenPromise::Always { asked, stay }) => {
            let goals = [&asked[..], &stay[..]].concat();
            let classes = TruthClasses::new(truth, &goals, budget)?;
            // Nothing read, nothing asked, waiting.
            let mut next = Vec::new();
            for at in 0..3u32 {
                next.extend(classes.truth.iter().map(|holds| {
                    let (asked, stay) = holds.split_at(asked.len());
                    let all = |holds: &[bool]| holds.iter().all(|&yes| yes);
                    // Asking counts from the state itself on: what is answered there is not waited for.
                    1 + u32::from(all(stay) && (at == 2 || all(asked)))
                }));
            }
            let accepting = vec![false, true, false];
            let count = classes.truth.len();
            TagClaim {
                watch: Watch::new(classes.class, count, next, accepting, budget)?,
                aim: Aim::Answered,
                facts: about_paths(formula, &goals),
            }
        }
    };
    Ok(Some(claim))
}

fn read(formula: &Formula) -> Option<BrokenPromise> {
    let mut at = Goal::fails(formula.root());
    loop {
        match kernel(formula, at) {
            Kernel::Branches(mut branches) if branches.len() == 1 && branches[0].len() == 1 => {
                at = branches.remove(0)[0];
            }
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists && !pattern.fair => {
                return match (pattern.weak, pattern.goal) {
                    (true, goal) => Some(BrokenPromise::Once {
                        stay: pattern.stay,
                        goal: goal.unwrap_or_default(),
                    }),
                    (false, Some(goal)) if pattern.stay.is_empty() => always(formula, goal),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}

/// `AG f`, where `f` fails if all of these are so.
fn always(formula: &Formula, mut goals: Vec<Goal>) -> Option<BrokenPromise> {
    let propositional = formula.propositional();
    loop {
        // Exactly one of them is a promise; the others ask for it.
        let mut asked = Vec::new();
        let mut promised = None;
        let mut opened = None;
        for goal in goals {
            match kernel(formula, goal) {
                Kernel::Branches(mut branches)
                    if branches.len() == 1 && !propositional[goal.sub] =>
                {
                    if opened.is_some() {
                        return None;
                    }
                    opened = Some(branches.remove(0));
                }
                Kernel::Path(pattern)
                    if pattern.weak
                        && pattern.quantifier == Quantifier::Exists
                        && !pattern.fair
                        && pattern.goal.is_none() =>
                {
                    if promised.replace(pattern.stay).is_some() {
                        return None;
                    }
                }
                _ => asked.push(goal),
            }
        }
        match (promised, opened) {
            (Some(stay), None) => return Some(BrokenPromise::Always { asked, stay }),
            (None, Some(inner)) => {
                goals = asked;
                goals.extend(inner);
            }
            _ => return None,
        }
    }
}
