//! Re-checking the proof: each node against the rule it names, and loops for fairness.

use wherefore_base::deep;
use wherefore_logic::{Bounds, Goal, Kernel, Op, PathPattern, PathRule, Quantifier, kernel};
use wherefore_model::Env;
use wherefore_proof::{Claim, OccurrenceId, ProofId, ProofNode, Rule};

use super::{EvidenceReplay, OPEN, Rechecked, ReplayFault, ensure};

impl EvidenceReplay<'_> {
    /// One proof node follows from its premises by its rule.
    pub(super) fn node(&mut self, id: ProofId, node: &ProofNode) -> Rechecked {
        let wrong = |what: &str| {
            Err(ReplayFault::Wrong(format!(
                "proof node {}: {what}",
                id.index()
            )))
        };
        let rule = self.query.rule;
        let Some(by) = node.rule else {
            self.skipped.insert(OPEN);
            return Ok(());
        };
        if matches!(by, Rule::Total | Rule::Region(_)) && !node.premises.is_empty() {
            return wrong("the rule needs no premise");
        }
        let ranked = self.is_ranked(node.claim) && !matches!(by, Rule::Region(_));
        if node.rank.is_some() && !ranked {
            return wrong("the claim has no rank");
        }
        let Claim::Formula(goal, bounds) = node.claim else {
            return match by {
                Rule::Total => self.total(node.at),
                Rule::Continue | Rule::DeadEnd => self.path_node(id, node, &has_path(rule), by),
                _ => wrong("the rule does not show that a path goes on"),
            };
        };
        match (kernel(&self.query.formula, goal), by) {
            (Kernel::State, Rule::State) if node.premises.is_empty() => {
                let value = match self.query.formula.op(goal.sub) {
                    Op::Const(value) => value,
                    Op::Atom(atom) => {
                        let env = Env::state(self.values(node.at));
                        self.interpreter.truth(self.query.atoms[atom], env)
                    }
                    _ => return wrong("the state does not decide it"),
                };
                ensure(value == goal.holds, || {
                    format!("proof node {}: the state says otherwise", id.index())
                })
            }
            (Kernel::Branches(branches), Rule::Branch(number)) => match branches.get(number) {
                Some(goals) => self.premises_are(id, node, &self.here(goals, node.at), None),
                None => wrong("there is no such branch"),
            },
            (Kernel::Step(Quantifier::Exists, next), Rule::Step) => {
                let Some(&first) = node.premises.first() else {
                    return wrong("a step has no target");
                };
                let to = self.evidence.proof[first].at;
                let edge = self.some_edge(node.at, to);
                ensure(edge, || {
                    format!("proof node {}: there is no step", id.index())
                })?;
                let mut wanted = self.here(&[next], to);
                self.want_path(&mut wanted, &[next], false, to);
                self.premises_are(id, node, &wanted, None)
            }
            (Kernel::Step(Quantifier::Forall, next), Rule::EveryStep) => {
                self.every_step(id, node, Claim::Formula(next, None))
            }
            (Kernel::Path(pattern), Rule::EveryStep)
                if pattern.quantifier == Quantifier::Forall && !pattern.fair =>
            {
                self.every_path(id, node, &pattern)
            }
            (Kernel::Path(pattern), Rule::Goal) if pattern.quantifier == Quantifier::Forall => {
                let goals = pattern.goal.as_deref();
                match goals.filter(|_| pattern.weak || node.rank == Some(0)) {
                    Some(goals) => self.premises_are(id, node, &self.here(goals, node.at), None),
                    None => wrong("the goal is not reached here"),
                }
            }
            (Kernel::Path(pattern), Rule::Goal | Rule::Continue | Rule::DeadEnd | Rule::Stop)
                if pattern.quantifier == Quantifier::Exists =>
            {
                self.path_node(id, node, &pattern, by)
            }
            (Kernel::Bounded(whole, pattern), Rule::Goal | Rule::Continue | Rule::Stop)
                if pattern.quantifier == Quantifier::Exists =>
            {
                self.bounded_node(id, node, &pattern, bounds.unwrap_or(whole), by)
            }
            // A region shows an operator as a whole, not with some of its bounds used up.
            (kernel, Rule::Region(region)) if bounds.is_none() => {
                match self.evidence.regions.get(region) {
                    Some(region) if region.at == node.at && region.claim == node.claim => {
                        self.region(goal, &kernel, region)
                    }
                    _ => wrong("the region is about something else"),
                }
            }
            _ => wrong("the rule does not fit the claim"),
        }
    }

    /// Whether a claim is about a path that must reach its goal.
    fn is_ranked(&self, claim: Claim) -> bool {
        let Claim::Formula(goal, _) = claim else {
            return false;
        };
        match kernel(&self.query.formula, goal) {
            Kernel::Path(pattern) => !pattern.weak,
            _ => false,
        }
    }

    /// Goals at an occurrence, as wanted premises.
    pub(super) fn here(&self, goals: &[Goal], at: OccurrenceId) -> Vec<(Claim, OccurrenceId)> {
        goals
            .iter()
            .map(|&goal| (Claim::Formula(goal, None), at))
            .collect()
    }

    /// Adds the wanted premise that a path goes on, where the rule asks for it and no goal says it.
    pub(super) fn want_path(
        &self,
        wanted: &mut Vec<(Claim, OccurrenceId)>,
        goals: &[Goal],
        fair: bool,
        at: OccurrenceId,
    ) {
        let asked = fair || self.query.rule.targets_have_paths();
        if asked && !goals.iter().any(|&goal| self.says_path(goal)) {
            wanted.push((Claim::HasPath, at));
        }
    }

    /// Whether a goal that is so says that a path starts at its state: whichever branch shows it, some
    /// path does.
    fn says_path(&self, goal: Goal) -> bool {
        if let Some(&known) = self.says_path.borrow().get(&goal) {
            return known;
        }
        let says = deep(|| match kernel(&self.query.formula, goal) {
            Kernel::State => false,
            Kernel::Branches(branches) => branches
                .iter()
                .all(|goals| goals.iter().any(|&goal| self.says_path(goal))),
            Kernel::Step(quantifier, _) => quantifier == Quantifier::Exists,
            Kernel::Path(p) | Kernel::Bounded(_, p) => p.quantifier == Quantifier::Exists,
        });
        self.says_path.borrow_mut().insert(goal, says);
        says
    }

    /// The premises of a node are exactly the wanted ones, at the same states, then `last`.
    pub(super) fn premises_are(
        &self,
        id: ProofId,
        node: &ProofNode,
        wanted: &[(Claim, OccurrenceId)],
        last: Option<(Claim, OccurrenceId)>,
    ) -> Rechecked {
        let wanted: Vec<_> = wanted.iter().copied().chain(last).collect();
        let given = node.premises.iter().map(|&premise| {
            let premise = &self.evidence.proof[premise];
            (premise.claim, premise.at)
        });
        let given: Vec<_> = given.collect();
        // A premise may be at another occurrence of the same state.
        let same = given.len() == wanted.len()
            && given
                .iter()
                .zip(&wanted)
                .all(|((claim, at), (wanted, there))| {
                    claim == wanted && self.same_state(*at, *there)
                });
        ensure(same, || {
            format!("proof node {}: the premises do not fit", id.index())
        })
    }

    /// Whether some edge leads from a state equal to the one to a state equal to the other.
    pub(super) fn some_edge(&self, from: OccurrenceId, to: OccurrenceId) -> bool {
        let mut edges = self.evidence.edges.iter();
        self.is_edge(from, to)
            || edges.any(|edge| self.same_state(edge.from, from) && self.same_state(edge.to, to))
    }

    pub(super) fn path_node(
        &self,
        id: ProofId,
        node: &ProofNode,
        pattern: &PathPattern,
        by: Rule,
    ) -> Rechecked {
        let wrong = |what: &str| {
            Err(ReplayFault::Wrong(format!(
                "proof node {}: {what}",
                id.index()
            )))
        };
        let stay = self.here(&pattern.stay, node.at);
        match by {
            Rule::Goal => {
                let Some(goals) = &pattern.goal else {
                    return wrong("there is no goal to reach");
                };
                if !pattern.weak && node.rank != Some(0) {
                    return wrong("the rank at the goal is not zero");
                }
                let mut wanted = self.here(goals, node.at);
                self.want_path(&mut wanted, goals, pattern.fair, node.at);
                self.premises_are(id, node, &wanted, None)
            }
            Rule::Continue => {
                let Some(&next) = node.premises.last() else {
                    return wrong("nothing continues");
                };
                let next = &self.evidence.proof[next];
                if !self.some_edge(node.at, next.at) {
                    return wrong("there is no step");
                }
                // A rank is the number of steps that are left, so it falls by exactly one.
                let falls = match (pattern.weak, node.rank, next.rank) {
                    (true, None, None) => true,
                    (false, Some(rank), Some(next)) => next.checked_add(1) == Some(rank),
                    _ => false,
                };
                if !falls {
                    return wrong("the rank does not fall");
                }
                self.premises_are(id, node, &stay, Some((node.claim, next.at)))
            }
            Rule::DeadEnd => {
                if !pattern.weak || pattern.fair || self.query.rule != PathRule::Maximal {
                    return wrong("a path may not end here");
                }
                self.is_dead_end(node.at)?;
                self.premises_are(id, node, &stay, None)
            }
            Rule::Stop => {
                if !pattern.weak || pattern.fair || self.query.rule != PathRule::Reach {
                    return wrong("a path may not stop here");
                }
                self.premises_are(id, node, &stay, None)
            }
            _ => wrong("the rule does not fit a path"),
        }
    }

    pub(super) fn bounded_node(
        &self,
        id: ProofId,
        node: &ProofNode,
        pattern: &PathPattern,
        left: Bounds,
        by: Rule,
    ) -> Rechecked {
        let wrong = |what: &str| {
            Err(ReplayFault::Wrong(format!(
                "proof node {}: {what}",
                id.index()
            )))
        };
        let inside = left.least == 0;
        let stay = self.here(&pattern.stay, node.at);
        let mut wanted = match (pattern.weak, by) {
            (true, _) if inside => stay,
            (false, Rule::Continue) => stay,
            _ => vec![],
        };
        match by {
            Rule::Goal => {
                let Some(goals) = pattern.goal.as_ref().filter(|_| pattern.weak || inside) else {
                    return wrong("there is no goal to reach yet");
                };
                wanted.extend(self.here(goals, node.at));
                self.want_path(&mut wanted, goals, pattern.fair, node.at);
                self.premises_are(id, node, &wanted, None)
            }
            Rule::Stop => {
                if !pattern.weak || left.most != 0 {
                    return wrong("the bounds are not used up");
                }
                self.want_path(&mut wanted, &pattern.stay, pattern.fair, node.at);
                self.premises_are(id, node, &wanted, None)
            }
            Rule::Continue => {
                let Some(most) = left.most.checked_sub(1) else {
                    return wrong("the bounds are used up");
                };
                let Some(&next) = node.premises.last() else {
                    return wrong("nothing continues");
                };
                let next = self.evidence.proof[next].at;
                if !self.some_edge(node.at, next) {
                    return wrong("there is no step");
                }
                let Claim::Formula(goal, _) = node.claim else {
                    return wrong("the claim has no bounds");
                };
                let least = left.least.saturating_sub(1);
                let claim = Claim::Formula(goal, Some(Bounds { least, most }));
                self.premises_are(id, node, &wanted, Some((claim, next)))
            }
            _ => wrong("the rule does not fit a bounded path"),
        }
    }

    /// Chains of `Continue` that come back to themselves make loops, which must be allowed and fair.
    pub(super) fn loops(&self) -> Rechecked {
        let proof = &self.evidence.proof;
        let continues = |node: ProofId| match proof[node].rule {
            Some(Rule::Continue) => proof[node].premises.last().copied(),
            _ => None,
        };
        // Every node has at most one continuation, so each walk ends, in a loop, or where an earlier
        // walk has been.
        let mut walked_in = vec![None; proof.len()];
        for start in proof.ids() {
            let mut here = Some(start);
            while let Some(node) = here.filter(|node| walked_in[node.index()].is_none()) {
                walked_in[node.index()] = Some(start);
                here = continues(node);
            }
            if let Some(home) = here.filter(|node| walked_in[node.index()] == Some(start)) {
                let mut turn = vec![home];
                let mut next = continues(home).expect("a loop continues");
                while next != home {
                    turn.push(next);
                    next = continues(next).expect("a loop continues");
                }
                self.loop_is_fair(&turn)?;
            }
        }
        Ok(())
    }

    pub(super) fn loop_is_fair(&self, turn: &[ProofId]) -> Rechecked {
        let proof = &self.evidence.proof;
        let pattern = match proof[turn[0]].claim {
            Claim::HasPath => has_path(self.query.rule),
            Claim::Formula(goal, _) => match kernel(&self.query.formula, goal) {
                Kernel::Path(pattern) => pattern,
                _ => {
                    return Err(ReplayFault::Wrong(
                        "a loop is no proof of this claim".into(),
                    ));
                }
            },
        };
        // Only what may hold for ever is shown by going round.
        let weak = pattern.weak && pattern.quantifier == Quantifier::Exists;
        ensure(weak, || "a loop never reaches the goal".into())?;
        if !(pattern.fair || self.query.rule.globally_is_fair()) {
            return Ok(());
        }
        let meets = |term| {
            let mut states = turn.iter().map(|&node| self.values(proof[node].at));
            states.any(|state| self.interpreter.truth(term, Env::state(state)))
        };
        let fairness = &self.model.fairness;
        let just = fairness.justice.iter().all(|&term| meets(term));
        let mut pairs = fairness.compassion.iter();
        let compassionate = pairs.all(|&(p, q)| !meets(p) || meets(q));
        ensure(just && compassionate, || "a loop is not fair".into())
    }
}

/// The claim that a path of the rule starts here, as a pattern.
fn has_path(rule: PathRule) -> PathPattern {
    PathPattern {
        quantifier: Quantifier::Exists,
        weak: true,
        stay: vec![],
        goal: None,
        fair: rule != PathRule::Maximal,
    }
}
