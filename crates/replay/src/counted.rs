//! How many states the sets of a certificate have, counted one by one, and how far away goals are.
//!
//! A certificate says nothing about numbers of states. What people are told of them is counted here with the plain
//! interpreter, among the states that follow from the initial ones.

use std::sync::Arc;

use wherefore_base::{Budget, Run, Value};
use wherefore_logic::{Kernel, PathPattern, Quantifier, kernel};
use wherefore_model::{Env, Interpreter, Model, Query, TermId};
use wherefore_proof::certificate::{Certificate, Proved, StateSet};
use wherefore_proof::{StatementCount, WhyStatement};

use super::MANY_STATES;
use super::explored::{ExploredSet, ExploredStates};
use super::walked::{TRIES, Walked};

/// For each statement about a certificate, how many reachable states it is about; `None` where more states follow than
/// are ever listed.
pub fn count_statements(
    walked: &Walked,
    model: &Model,
    query: &Query,
    certificate: &Certificate,
    statements: &[WhyStatement],
    budget: &Budget,
) -> Run<Option<Vec<StatementCount>>> {
    if walked.following > MANY_STATES {
        return Ok(None);
    }
    let interpreter = Interpreter::new(model);
    let Some(starts) = interpreter.initial_states_within(TRIES, budget)? else {
        return Ok(None);
    };
    let starts: Vec<&[_]> = starts.iter().map(|state| &state[..]).collect();
    let explored = ExploredStates::from(model, &interpreter, walked, &starts, MANY_STATES, budget)?;
    let Some(explored) = explored else {
        return Ok(None);
    };
    let counting = ClaimCounting {
        model,
        truth: explored.truth(&interpreter, query),
        with_path: explored.with_path(query.rule),
        explored: &explored,
        interpreter: &interpreter,
        query,
    };
    let claims = &certificate.claims;
    let statements = statements.iter();
    Ok(Some(
        statements
            .map(|statement| counting.count(statement, &claims[statement.claim]))
            .collect(),
    ))
}

/// How many reachable states satisfy a condition; `None` where more states follow than are ever listed. So many states
/// are said to be reachable.
pub fn count_where(
    model: &Model,
    condition: TermId,
    reachable: usize,
    budget: &Budget,
) -> Run<Option<usize>> {
    if reachable > MANY_STATES {
        return Ok(None);
    }
    let interpreter = Interpreter::new(model);
    let Some(starts) = interpreter.initial_states_within(TRIES, budget)? else {
        return Ok(None);
    };
    let starts: Vec<&[_]> = starts.iter().map(|state| &state[..]).collect();
    let walked = Walked::following(reachable);
    let explored =
        ExploredStates::from(model, &interpreter, &walked, &starts, MANY_STATES, budget)?;
    let is_so = |state: &&Arc<[Value]>| interpreter.truth(condition, Env::state(state));
    Ok(explored.map(|explored| explored.states.iter().filter(is_so).count()))
}

struct ClaimCounting<'e, 'm> {
    model: &'m Model,
    explored: &'e ExploredStates,
    interpreter: &'e Interpreter<'m>,
    query: &'e Query,
    truth: Vec<ExploredSet>,
    with_path: ExploredSet,
}

impl ClaimCounting<'_, '_> {
    fn count(&self, statement: &WhyStatement, claim: &Proved) -> StatementCount {
        let mut within = self.members(&statement.states);
        let of = |set: &ExploredSet| set.iter().filter(|&&is| is).count();
        let pattern = match kernel(&self.query.formula, claim.goal) {
            Kernel::Path(pattern) => Some(pattern),
            _ => None,
        };
        let reached = pattern.as_ref().and_then(|pattern| self.reached(pattern));
        let (Some(pattern), Some(reached), Some(_)) = (pattern, reached, statement.steps) else {
            return StatementCount {
                states: of(&within),
                ..StatementCount::default()
            };
        };
        for (within, reached) in within.iter_mut().zip(&reached) {
            *within &= !reached;
        }
        let bounds = statement.bounds.iter().map(|bound| {
            let members = self.members(&bound.states);
            let both = members.iter().zip(&within);
            both.filter(|(is, within)| **is && **within).count()
        });
        let steps = match pattern.quantifier {
            Quantifier::Forall => self.longest(&reached),
            Quantifier::Exists => self.nearest(&pattern, &reached),
        };
        let known = (0..within.len()).filter(|&state| within[state]);
        let known = known.filter_map(|state| Some((steps[state]?, std::cmp::Reverse(state))));
        let farthest = known
            .max()
            .map(|(steps, state)| (self.explored.states[state.0].to_vec(), steps));
        StatementCount {
            states: of(&within),
            bounds: bounds.collect(),
            farthest,
        }
    }

    /// Where the goal of a pattern is reached.
    fn reached(&self, pattern: &PathPattern) -> Option<ExploredSet> {
        let goals = pattern.goal.as_ref()?;
        let states = 0..self.explored.states.len();
        let so = |state: usize| {
            let mut goals = goals.iter();
            let all = goals.all(|goal| self.truth[goal.sub.index()][state] == goal.holds);
            // Some path must go on from there; of every path that is no question.
            all && (pattern.quantifier == Quantifier::Forall || self.with_path[state])
        };
        Some(states.map(so).collect())
    }

    /// The most steps to a goal along any path; `None` where there is a path without one.
    fn longest(&self, reached: &ExploredSet) -> Vec<Option<usize>> {
        let mut steps: Vec<Option<usize>> = reached.iter().map(|&is| is.then_some(0)).collect();
        for round in 1.. {
            let last = |state: &usize| {
                let next = &self.explored.next[*state];
                steps[*state].is_none()
                    && !next.is_empty()
                    && next.iter().all(|&to| steps[to].is_some())
            };
            let found: Vec<usize> = (0..steps.len()).filter(last).collect();
            if found.is_empty() {
                break;
            }
            for state in found {
                steps[state] = Some(round);
            }
        }
        steps
    }

    /// The fewest steps to a goal through states where the pattern may stay.
    fn nearest(&self, pattern: &PathPattern, reached: &ExploredSet) -> Vec<Option<usize>> {
        let stays = |state: usize| {
            let mut goals = pattern.stay.iter();
            goals.all(|goal| self.truth[goal.sub.index()][state] == goal.holds)
        };
        let mut steps: Vec<Option<usize>> = reached.iter().map(|&is| is.then_some(0)).collect();
        for round in 1.. {
            let nearer = |state: &usize| {
                steps[*state].is_none()
                    && stays(*state)
                    && self.explored.next[*state]
                        .iter()
                        .any(|&to| steps[to].is_some())
            };
            let found: Vec<usize> = (0..steps.len()).filter(nearer).collect();
            if found.is_empty() {
                break;
            }
            for state in found {
                steps[state] = Some(round);
            }
        }
        steps
    }

    fn members(&self, set: &StateSet) -> ExploredSet {
        self.explored.members(self.model, self.interpreter, set)
    }
}
