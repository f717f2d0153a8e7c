//! Re-checking what is claimed of everything that can follow: successors, regions, endless paths.

use std::collections::{BTreeSet, HashSet};

use num_bigint::BigUint;
use wherefore_base::Value;
use wherefore_logic::{Goal, Kernel, PathPattern, PathRule, Quantifier};
use wherefore_model::Env;
use wherefore_proof::{Claim, OccurrenceId, ProofId, ProofNode, Region, Rule};

use super::explored::ExploredStates;
use super::walked::TRIES;
use super::{EvidenceReplay, FEW_STATES, MANY_STATES, Rechecked, ReplayFault, ensure, proposition};

impl EvidenceReplay<'_> {
    /// A claim follows from what is claimed at every successor.
    pub(super) fn every_step(&mut self, id: ProofId, node: &ProofNode, next: Claim) -> Rechecked {
        self.at_every_successor(id, node.at, &node.premises, next)
    }

    /// A claim about every path follows from the stay goals here and from itself at every successor.
    pub(super) fn every_path(
        &mut self,
        id: ProofId,
        node: &ProofNode,
        pattern: &PathPattern,
    ) -> Rechecked {
        let wrong = |what: &str| {
            Err(ReplayFault::Wrong(format!(
                "proof node {}: {what}",
                id.index()
            )))
        };
        // What must hold here comes first, with one premise for each goal.
        let Some((stay, next)) = node.premises.split_at_checked(pattern.stay.len()) else {
            return wrong("the premises do not fit");
        };
        let here = ProofNode {
            premises: stay.to_vec(),
            ..node.clone()
        };
        self.premises_are(id, &here, &self.here(&pattern.stay, node.at), None)?;
        self.at_every_successor(id, node.at, next, node.claim)?;
        if pattern.weak {
            return Ok(());
        }
        // The path must arrive: it does not where it may end here, and gets closer with every step.
        let ends = match self.query.rule {
            PathRule::Reach => true,
            PathRule::Maximal => self
                .interpreter
                .steps(self.values(node.at), self.budget)?
                .is_empty(),
            _ => false,
        };
        ensure(!ends, || "a path ends before its goal".into())?;
        let next = next.iter().map(|&premise| &self.evidence.proof[premise]);
        let by_region = |node: &&ProofNode| matches!(node.rule, Some(Rule::Region(_)));
        let ranks: Option<Vec<u32>> = next
            .clone()
            .filter(|node| !by_region(node))
            .map(|node| node.rank)
            .collect();
        let farthest = ranks.map(|ranks| ranks.into_iter().max());
        let falls = match (farthest, node.rank) {
            // What a region shows has no rank of its own: it may be farther away than all others.
            (Some(farthest), Some(rank)) if next.clone().any(|node| by_region(&node)) => {
                farthest.is_none_or(|farthest| farthest < rank)
            }
            (Some(farthest), Some(rank)) => match farthest {
                Some(farthest) => farthest.checked_add(1) == Some(rank),
                None => rank == 1,
            },
            _ => false,
        };
        ensure(falls, || {
            format!("proof node {}: the rank does not fall", id.index())
        })
    }

    /// Premises claim the same at every successor that has a path under the rule.
    fn at_every_successor(
        &mut self,
        id: ProofId,
        at: OccurrenceId,
        premises: &[ProofId],
        claim: Claim,
    ) -> Rechecked {
        let wrong = |what: &str| {
            Err(ReplayFault::Wrong(format!(
                "proof node {}: {what}",
                id.index()
            )))
        };
        let mut listed = HashSet::new();
        for &premise in premises {
            let premise = &self.evidence.proof[premise];
            if premise.claim != claim {
                return wrong("a premise is about something else");
            }
            if !self.some_edge(at, premise.at) || !listed.insert(self.values(premise.at)) {
                return wrong("a premise is not at a new successor");
            }
        }
        let listed: HashSet<Vec<Value>> = listed.into_iter().map(<[Value]>::to_vec).collect();
        let steps = self.interpreter.steps(self.values(at), self.budget)?;
        for step in steps.iter().filter(|step| !listed.contains(&step.next)) {
            // A successor that is not listed must have no path under the rule.
            let rule = self.query.rule;
            if !rule.targets_have_paths() {
                return wrong("a successor is missing");
            }
            self.explore(MANY_STATES)?;
            let Some((explored, _)) = &self.explored else {
                self.skipped
                    .insert("that some successors have no fair path");
                continue;
            };
            let has_path = explored.with_path(rule);
            let state = explored.find(&step.next).expect("what follows is explored");
            if has_path[state] {
                return wrong("a successor is missing");
            }
        }
        Ok(())
    }

    /// A path goes on from here, in a model without fairness constraints.
    pub(super) fn total(&mut self, at: OccurrenceId) -> Rechecked {
        let unfair = self.model.fairness.is_empty();
        ensure(unfair, || "fairness constraints ask for more".into())?;
        // A maximal path may end in a deadlock, so every state has one.
        if self.query.rule == PathRule::Maximal {
            return Ok(());
        }
        // A walk that comes back to itself is an endless path, and is cheaper than exploring.
        if self.comes_back(at)? {
            return Ok(());
        }
        self.explore(FEW_STATES)?;
        let Some((explored, _)) = &self.explored else {
            self.skipped.insert("that paths go on for ever");
            return Ok(());
        };
        let state = explored.find(self.values(at));
        let state = state.expect("what follows is explored");
        let has_path = explored.with_path(self.query.rule);
        ensure(has_path[state], || "no path goes on".into())
    }

    /// Whether a walk from here, as it happens, comes back to a state of its own soon.
    fn comes_back(&self, at: OccurrenceId) -> Result<bool, ReplayFault> {
        let mut seen = HashSet::new();
        let mut here = self.values(at).to_vec();
        while seen.len() < 200 {
            if !seen.insert(here.clone()) {
                return Ok(true);
            }
            match self.interpreter.some_step(&here, 100_000, self.budget)? {
                Some(Some(step)) => here = step.next,
                Some(None) | None => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Explores what can follow, unless that was done or is more than so many states.
    pub(super) fn explore(&mut self, states: usize) -> Rechecked {
        if self.walked.following > states {
            return Ok(());
        }
        if self.explored.is_none() && self.explored_up_to < states {
            self.explored_up_to = states;
            // What follows from all occurrences is explored at once, for all regions of the evidence.
            let starts = self.evidence.occurrences.iter();
            let starts: Vec<&[Value]> = starts.map(|o| &o.values[..]).collect();
            let interpreter = &self.interpreter;
            let all = ExploredStates::from(
                self.model,
                interpreter,
                self.walked,
                &starts,
                states,
                self.budget,
            )?;
            self.explored = all.map(|all| {
                let truth = all.truth(interpreter, self.query);
                (all, truth)
            });
        }
        Ok(())
    }

    pub(super) fn region(&mut self, goal: Goal, kernel: &Kernel, region: &Region) -> Rechecked {
        self.explore(MANY_STATES)?;
        let Some((explored, truth)) = &self.explored else {
            self.skipped.insert("the region is too large");
            return Ok(());
        };
        let start = explored
            .find(self.values(region.at))
            .expect("what follows is explored");
        ensure(truth[goal.sub.index()][start] == goal.holds, || {
            "what can follow from there does not show it".into()
        })?;
        let live = |fair: bool| match fair {
            true => explored.with_path(PathRule::FairInfinite),
            false => explored.with_path(self.query.rule),
        };
        let (mut states, live) = match kernel {
            Kernel::Step(Quantifier::Forall, _) => {
                let after: BTreeSet<usize> = explored.next[start].iter().copied().collect();
                (after, live(false))
            }
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Forall => {
                let exits = |state: usize| match &pattern.goal {
                    Some(goals) => goals.iter().all(|g| truth[g.sub.index()][state] == g.holds),
                    None => false,
                };
                (follow(explored, start, exits, u32::MAX), live(pattern.fair))
            }
            Kernel::Bounded(bounds, pattern) if pattern.quantifier == Quantifier::Forall => {
                let all = follow(explored, start, |_| false, bounds.most);
                (all, live(pattern.fair))
            }
            _ => return Err(ReplayFault::Wrong("a region does not fit the claim".into())),
        };
        // A claim about paths has its start in the region even if no path starts there; a step has only what
        // follows.
        let keep_start = !matches!(kernel, Kernel::Step(..));
        states.retain(|&state| live[state] || (keep_start && state == start));

        let size = region.size == BigUint::from(states.len());
        ensure(size, || "a region has another size".into())?;
        if let Some(listed) = &region.states {
            let listed_set: BTreeSet<_> = listed.iter().filter_map(|s| explored.find(s)).collect();
            let same = listed.len() == states.len() && listed_set == states;
            ensure(same, || "a region has other states".into())?;
        }
        let within = |state: &[Value]| {
            region.cover.cubes.iter().any(|cube| {
                let mut values = cube.values.iter();
                values.all(|(var, values)| values.contains(&state[var.index()]))
            })
        };
        let outside = (0..explored.states.len()).filter(|state| !states.contains(state));
        let mut outside = outside.map(|state| &explored.states[state]);
        let complete = states.iter().all(|&state| within(&explored.states[state]));
        let described = outside.all(|state| !within(state)) && complete == region.cover.complete;
        ensure(described, || "a region is described wrongly".into())?;
        // The description is among the reachable states, of which more may be known than what follows.
        let Some(others) = &self.reachable else {
            return Ok(());
        };
        let strangers = others.iter().filter(|state| explored.find(state).is_none());
        let mut strangers = strangers.map(|state| &state[..]);
        ensure(!strangers.any(within), || {
            "a region is described wrongly".into()
        })
    }

    /// Lists the reachable states, if they are few.
    pub(super) fn list_reachable(&mut self) -> Rechecked {
        let Some(initial) = self.interpreter.initial_states_within(TRIES, self.budget)? else {
            return Ok(());
        };
        let starts: Vec<&[Value]> = initial.iter().map(|state| &state[..]).collect();
        let all = ExploredStates::from(
            self.model,
            &self.interpreter,
            self.walked,
            &starts,
            FEW_STATES,
            self.budget,
        )?;
        self.reachable = all.map(|all| all.states);
        Ok(())
    }

    /// The truth values noted at the states are right, as far as they can be re-checked.
    pub(super) fn annotations(&mut self) -> Rechecked {
        if self.is_run() {
            return self.run_annotations();
        }
        self.explore(FEW_STATES)?;
        let propositional = self.query.formula.propositional();
        for occurrence in self.evidence.occurrences.iter() {
            let env = Env::state(&occurrence.values);
            for sub in self.query.formula.subs() {
                let Some(noted) = occurrence.truth[sub] else {
                    continue;
                };
                let right = match &self.explored {
                    Some((explored, truth)) => {
                        let state = explored.find(&occurrence.values);
                        truth[sub.index()][state.expect("what follows is explored")] == noted
                    }
                    None if propositional[sub] => {
                        proposition(self.query, &self.interpreter, sub, env) == noted
                    }
                    // Beyond propositions truth depends on what follows, which was not explored.
                    None => true,
                };
                ensure(right, || "a truth value is wrong".into())?;
            }
        }
        Ok(())
    }
}

/// States within so many steps of a start, where no step leaves an exit.
fn follow(
    explored: &ExploredStates,
    start: usize,
    exits: impl Fn(usize) -> bool,
    most: u32,
) -> BTreeSet<usize> {
    let mut all = BTreeSet::from([start]);
    let mut layer = vec![start];
    let mut left = most;
    while !layer.is_empty() && left > 0 {
        let mut next = Vec::new();
        for state in layer.into_iter().filter(|&state| !exits(state)) {
            next.extend(explored.next[state].iter().filter(|&&to| all.insert(to)));
        }
        layer = next;
        left -= 1;
    }
    all
}
