//! What evidence shows by everything that can follow somewhere, and whether it would be so with other values there.

use std::collections::{BTreeSet, HashMap};

use wherefore_base::{Budget, Run, Value};
use wherefore_check::Checker;
use wherefore_logic::Goal;
use wherefore_model::{Constraint, Model, Query, Requirement, VarId, membership};
use wherefore_proof::{Claim, Evidence, ProofId, Rule};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplicitStateId, ExplorationLimits};

/// Where all combinations of values are no more than this, each is looked at.
const ALL: u128 = 4_096;
/// Otherwise so many states that differ in one value or two.
const NEAR: usize = 400;
/// So many states that follow are looked at.
const LIMITS: ExplorationLimits = ExplorationLimits {
    states: 6_000,
    transitions: 120_000,
};

/// A claim that an evidence shows by everything that can follow, at an occurrence.
pub(crate) struct BeyondClaim {
    pub(crate) goal: Goal,
    pub(crate) at: usize,
    /// Whether it is so, for the states that were looked at.
    truth: HashMap<Vec<Value>, bool>,
}

impl BeyondClaim {
    /// Whether it is so with these values. What is no state, or was not looked at, is taken to change nothing.
    pub(crate) fn is(&self, values: &[Value]) -> bool {
        self.truth.get(values).copied().unwrap_or(true)
    }

    /// The changes of one value or two that make the claim false, without those that are more than needed.
    pub(crate) fn breaking(&self, now: &[Value]) -> Vec<Vec<VarId>> {
        let differs = |values: &[Value]| -> Vec<VarId> {
            let vars = (0..now.len()).filter(|&var| values[var] != now[var]);
            vars.map(VarId::new).collect()
        };
        let false_at = self.truth.iter().filter(|(_, is)| !**is);
        let mut all: BTreeSet<Vec<VarId>> = BTreeSet::new();
        all.extend(
            false_at
                .map(|(values, _)| differs(values))
                .filter(|vars| vars.len() <= 2),
        );
        let more_than_needed =
            |vars: &Vec<VarId>| vars.len() == 2 && vars.iter().any(|&var| all.contains(&vec![var]));
        all.iter()
            .filter(|vars| !more_than_needed(vars))
            .cloned()
            .collect()
    }
}

/// The claims that an evidence shows by everything that can follow.
pub(crate) struct Beyond {
    pub(crate) claims: Vec<BeyondClaim>,
    /// Whether every combination of values was looked at.
    pub(crate) complete: bool,
}

impl Beyond {
    /// Finds these claims, and when they would be so; `None` where the proof is not whole, where a claim has bounds, or where
    /// that would be too much to look at.
    ///
    /// # Errors
    /// When the budget ends.
    pub(crate) fn of(
        model: &Model,
        query: &Query,
        evidence: &Evidence,
        budget: &Budget,
    ) -> Run<Option<Self>> {
        let Some(claims) = claims(evidence) else {
            return Ok(None);
        };
        if claims.is_empty() {
            return Ok(Some(Self {
                claims: Vec::new(),
                complete: true,
            }));
        }
        let state_vars = model.state_vars();
        if query.formula.is_linear()
            || evidence
                .occurrences
                .iter()
                .any(|o| o.values.len() != state_vars)
        {
            return Ok(None);
        }
        let sizes = (0..state_vars).map(|var| model.vars[VarId::new(var)].domain.size());
        let all = sizes.fold(1, u128::saturating_mul);
        let mut asked = Model {
            init: Vec::new(),
            properties: Vec::new(),
            swaps: Vec::new(),
            ..model.clone()
        };
        if all > ALL {
            let Some(near) = near(model, evidence, &claims) else {
                return Ok(None);
            };
            let term = membership(&mut asked, &near);
            asked.init = vec![Constraint {
                requires: Requirement::Holds(term),
                span: model.vars[VarId::new(0)].span,
            }];
        }
        let Ok(space) = Explicit::explore_on(&asked, LIMITS, 1, budget)? else {
            return Ok(None);
        };
        let checker = Checker::new(&space)?;
        let solution = checker.solve(query)?;
        let states = (0..space.state_count()).map(ExplicitStateId::new);
        let values: Vec<Vec<Value>> = states.map(|state| space.values(&state)).collect();
        let mut known = Vec::new();
        for (goal, at) in claims {
            let set = checker.set_of(&solution, goal)?;
            let states = (0..space.state_count()).map(ExplicitStateId::new);
            let truth = states.map(|state| space.contains(&set, &state));
            known.push(BeyondClaim {
                goal,
                at,
                truth: values.iter().cloned().zip(truth).collect(),
            });
        }
        Ok(Some(Self {
            claims: known,
            complete: all <= ALL,
        }))
    }
}

/// The first claims from the root on that rest on everything that can follow; `None` where something is not shown or has bounds.
fn claims(evidence: &Evidence) -> Option<Vec<(Goal, usize)>> {
    let mut found: BTreeSet<(Goal, usize)> = BTreeSet::new();
    let mut seen: BTreeSet<ProofId> = BTreeSet::new();
    let mut open: Vec<ProofId> = evidence.proof.ids().take(1).collect();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = &evidence.proof[id];
        match (node.rule?, node.claim) {
            (Rule::Region(_) | Rule::EveryStep | Rule::DeadEnd, Claim::Formula(goal, None)) => {
                found.insert((goal, node.at.index()));
            }
            (Rule::Region(_) | Rule::EveryStep | Rule::DeadEnd, Claim::Formula(_, Some(_))) => {
                return None;
            }
            // That there is a path is taken for granted.
            (_, Claim::HasPath) => {}
            (_, Claim::Formula(..)) => open.extend(&node.premises),
        }
    }
    Some(found.into_iter().collect())
}

/// The states at which claims are made, and those that differ from one of them in one value or, if these are not too many, in two;
/// `None` if they are too many.
fn near(model: &Model, evidence: &Evidence, claims: &[(Goal, usize)]) -> Option<Vec<Vec<Value>>> {
    let mut states: BTreeSet<Vec<Value>> = BTreeSet::new();
    for &(_, at) in claims {
        let now = &evidence.occurrences.as_slice()[at].values;
        let once = changed(model, now, &BTreeSet::from([now.clone()]))?;
        states.extend(changed(model, now, &once).unwrap_or_default());
        states.extend(once);
        states.insert(now.clone());
    }
    (states.len() <= 2 * NEAR).then(|| states.into_iter().collect())
}

/// The states that differ from one of some states in a value that is as it is now; `None` if they are too many.
fn changed(
    model: &Model,
    now: &[Value],
    states: &BTreeSet<Vec<Value>>,
) -> Option<BTreeSet<Vec<Value>>> {
    let mut changed = BTreeSet::new();
    for state in states {
        let same = (0..now.len()).filter(|&var| state[var] == now[var]);
        for var in same {
            let domain = &model.vars[VarId::new(var)].domain;
            if domain.size() > NEAR as u128 {
                return None;
            }
            for other in domain.values().filter(|other| *other != now[var]) {
                let mut values = state.clone();
                values[var] = other;
                changed.insert(values);
            }
            if changed.len() > NEAR {
                return None;
            }
        }
    }
    Some(changed)
}
