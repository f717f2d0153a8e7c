//! Re-checking the proof over sets of an abstract run: each claim, from the definitions, on the explored states.

use num_bigint::BigUint;
use wherefore_base::{Budget, Run, Value};
use wherefore_logic::{Bounds, Goal, Kernel, PathPattern, Quantifier, kernel};
use wherefore_model::{Env, Interpreter, Model, Query};
use wherefore_proof::{AbstractClaim, AbstractRun, ClaimStates, SetRule};

use super::{ExploredSystem, covers, shares, strong};
use crate::explored::{ExploredSet, ExploredStates};
use crate::walked::{TRIES, Walked};
use crate::{MANY_STATES, ReplayFault, ensure, proposition};

/// Re-checks the proof over sets: whether that was possible, or what is wrong with it.
///
/// # Errors
/// When the budget ends.
pub fn replay_set_proof(
    model: &Model,
    query: &Query,
    run: &AbstractRun,
    budget: &Budget,
) -> Run<Result<bool, String>> {
    let interpreter = Interpreter::new(model);
    let Some(initial) = interpreter.initial_states_within(TRIES, budget)? else {
        return Ok(Ok(false));
    };
    let starts: Vec<&[Value]> = initial.iter().map(|state| &state[..]).collect();
    let walked = Walked::default();
    let all = ExploredStates::from(model, &interpreter, &walked, &starts, MANY_STATES, budget)?;
    let Some(all) = all else {
        return Ok(Ok(false));
    };
    let mut replay = SetProofReplay {
        query,
        run,
        interpreter,
        system: ExploredSystem::new(all, starts.len(), query),
        sets: Vec::new(),
    };
    match replay.claims(budget) {
        Ok(done) => Ok(Ok(done)),
        Err(ReplayFault::Wrong(what)) => Ok(Err(what)),
        Err(ReplayFault::Stop(stop)) => Err(stop),
    }
}

struct SetProofReplay<'a> {
    query: &'a Query,
    run: &'a AbstractRun,
    interpreter: Interpreter<'a>,
    system: ExploredSystem,
    /// The states of the claims that were looked at.
    sets: Vec<ExploredSet>,
}

impl SetProofReplay<'_> {
    /// Whether all sets are described; each claim follows from its premises then.
    fn claims(&mut self, budget: &Budget) -> Result<bool, ReplayFault> {
        let run = self.run;
        for (at, claim) in run.proof.iter().enumerate() {
            budget.check()?;
            let earlier = claim.premises.iter().all(|&premise| premise < at);
            ensure(earlier, || "a claim follows from a later one".into())?;
            let described = match &claim.of {
                ClaimStates::Position => run.positions.get(claim.position),
                ClaimStates::Described(described) => Some(&**described),
                ClaimStates::NotDescribed => return Ok(false),
            };
            let Some(described) = described.filter(|described| described.cover.complete) else {
                return Ok(false);
            };
            let states = self.system.explored.states.iter();
            let set: ExploredSet = states
                .map(|state| shares(described, state) && covers(described, state))
                .collect();
            let size = set.iter().filter(|&&inside| inside).count();
            ensure(claim.states == BigUint::from(size), || {
                "a claim is about another number of states".into()
            })?;
            self.sets.push(set);
            let follows = self.follows(claim, at);
            ensure(follows, || {
                format!("claim {at} of the proof over sets does not follow")
            })?;
        }
        let last = run.proof.last();
        let is_whole = last.is_some_and(|last| last.goal == run.claim && last.position == 0);
        ensure(is_whole, || {
            "the proof over sets shows something else".into()
        })?;
        Ok(true)
    }

    fn within(&self, one: &ExploredSet, other: &ExploredSet) -> bool {
        one.iter().zip(other).all(|(&one, &other)| !one || other)
    }

    /// Whether a claim follows from its premises by its rule.
    fn follows(&self, claim: &AbstractClaim, at: usize) -> bool {
        let (set, premises) = (&self.sets[at], &claim.premises[..]);
        let kernel = kernel(&self.query.formula, claim.goal);
        match claim.rule {
            SetRule::Atomic => {
                let decides = self.query.formula.propositional()[claim.goal.sub];
                premises.is_empty() && decides && self.all_so(set, claim.goal)
            }
            SetRule::Split => {
                let same = |&premise: &usize| {
                    let part = &self.run.proof[premise];
                    let about = (part.goal, part.taken, part.position);
                    about == (claim.goal, claim.taken, claim.position)
                };
                let any = |state: usize| premises.iter().any(|&one| self.sets[one][state]);
                premises.iter().all(same) && (0..set.len()).all(|state| any(state) == set[state])
            }
            SetRule::Branch(number) => match kernel {
                Kernel::Branches(branches) => branches
                    .get(number)
                    .is_some_and(|goals| self.here(claim, at, goals, premises)),
                _ => false,
            },
            SetRule::Step => match (kernel, premises) {
                (Kernel::Step(Quantifier::Exists, goal), &[next]) => {
                    let live = self.within(&self.sets[next], &self.system.live);
                    live && self.leads(claim, at, (goal, 0), next)
                }
                _ => false,
            },
            SetRule::Arrive => path(&kernel).is_some_and(|(pattern, bounds)| {
                let inside = bounds.is_none_or(|b| (b.least..=b.most).contains(&claim.taken));
                let live = match pattern.fair {
                    true => &self.system.fair,
                    false => &self.system.live,
                };
                let goals = strong(pattern).unwrap_or_default();
                inside && self.within(set, live) && self.here(claim, at, goals, premises)
            }),
            SetRule::Continue => path(&kernel).is_some_and(|(pattern, bounds)| {
                let inside = bounds.is_none_or(|bounds| claim.taken < bounds.most);
                let taken = bounds.map_or(0, |_| claim.taken + 1);
                premises.split_last().is_some_and(|(&next, stay)| {
                    inside
                        && self.here(claim, at, &pattern.stay, stay)
                        && self.leads(claim, at, (claim.goal, taken), next)
                })
            }),
        }
    }

    /// Whether a proposition is so in all states of a set.
    fn all_so(&self, set: &ExploredSet, goal: Goal) -> bool {
        let states = self.system.explored.states.iter().zip(set);
        let mut inside = states.filter(|(_, inside)| **inside);
        inside.all(|(state, _)| {
            let env = Env::state(state);
            proposition(self.query, &self.interpreter, goal.sub, env) == goal.holds
        })
    }

    /// Whether the premises are these goals at the same states.
    fn here(&self, claim: &AbstractClaim, at: usize, goals: &[Goal], premises: &[usize]) -> bool {
        let same = |(goal, &premise): (&Goal, &usize)| {
            let shown = &self.run.proof[premise];
            shown.goal == *goal
                && shown.taken == 0
                && shown.position == claim.position
                && self.sets[premise] == self.sets[at]
        };
        goals.len() == premises.len() && goals.iter().zip(premises).all(same)
    }

    /// Whether every state of a claim has a successor among the states of a premise, which claims this.
    fn leads(&self, claim: &AbstractClaim, at: usize, wanted: (Goal, u32), next: usize) -> bool {
        let premise = &self.run.proof[next];
        let same = (premise.goal, premise.taken) == wanted;
        let target = &self.sets[next];
        let mut states = (0..target.len()).filter(|&state| self.sets[at][state]);
        let steps = &self.system.explored.next;
        same && premise.position == claim.position + 1
            && states.all(|state| steps[state].iter().any(|&to| target[to]))
    }
}

/// The pattern of a path that must be reached along one run.
fn path(kernel: &Kernel) -> Option<(&PathPattern, Option<Bounds>)> {
    let (pattern, bounds) = match kernel {
        Kernel::Path(pattern) => (pattern, None),
        Kernel::Bounded(bounds, pattern) => (pattern, Some(*bounds)),
        _ => return None,
    };
    strong(pattern).map(|_| (pattern, bounds))
}
