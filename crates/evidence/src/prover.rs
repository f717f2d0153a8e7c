//! A proof that grows: claims at occurrences of states, rules applied one at a time.
//!
//! A node without a rule is an *obligation*. [`ProofBuilder::apply`] gives one its rule and makes the premises
//! that the rule asks for, which are new obligations unless the same claim is shown at the same state
//! already. Nothing is worked out that nobody asked for. Whoever makes the choices (a plan, a strategy,
//! a person) can only choose among moves that are so: the checker has decided every claim before.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{IndexVec, Run};
use wherefore_logic::{Bounds, Goal, Kernel, PathPattern, PathRule, Quantifier};
use wherefore_proof::{Claim, OccurrenceId, ProofId, ProofNode, Region, RegionId, Rule};
use wherefore_space::StateSpace;

use crate::case::{ProofCase, has_path_pattern};

/// What is done at an obligation, over some type of state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ProverMove<T> {
    /// The values of the state decide.
    State,
    /// This branch: all its goals, here.
    Branch(usize),
    /// One step, to this state.
    Step(T),
    /// Every step: `AX` by its goal at every successor, a claim about every path by itself there.
    EveryStep,
    /// The goal of the path is reached here.
    Goal,
    /// The path goes on to this state.
    Continue(T),
    /// The path goes back to this earlier node of itself.
    Close(ProofId),
    /// The path ends in a state without successor.
    DeadEnd,
    /// The path may end anywhere.
    Stop,
    /// Everything that can follow shows it.
    Region,
    /// Every reachable state has a path.
    Total,
}

/// Where on a path a node is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProofLink {
    /// The node before it.
    pub(crate) before: ProofId,
    /// The node where the path starts.
    pub(crate) head: ProofId,
    /// How many nodes are before it.
    pub(crate) depth: usize,
}

/// A proof as far as it has grown, over some type of state.
#[derive(Clone, Debug)]
pub(crate) struct GrownProof<T> {
    /// The state of each occurrence.
    pub(crate) states: IndexVec<OccurrenceId, T>,
    /// The first occurrence of each state.
    pub(crate) shown: FxHashMap<T, OccurrenceId>,
    /// The nodes; the first is the root.
    pub(crate) proof: IndexVec<ProofId, ProofNode>,
    /// Whether a node is part of the main run; the others are on branches.
    pub(crate) main: IndexVec<ProofId, bool>,
    /// For a node that continues a path: where it is on it.
    pub(crate) links: FxHashMap<ProofId, ProofLink>,
    /// Closed sets that show universal claims.
    pub(crate) regions: IndexVec<RegionId, Region>,
    /// Nodes without rule, in the order in which they are best shown: a run that was begun goes on
    /// before another one begins.
    pub(crate) leaves: VecDeque<ProofId>,
    /// For each claim at a state, the node that has it as its claim.
    nodes: FxHashMap<(Claim, T), ProofId>,
}

/// Grows a proof by applying rules.
pub(crate) struct ProofBuilder<'k, 'c, 's, S: StateSpace> {
    pub(crate) case: &'k ProofCase<'c, 's, S>,
    pub(crate) grown: GrownProof<S::State>,
}

impl<'k, 'c, 's, S: StateSpace> ProofBuilder<'k, 'c, 's, S> {
    /// A proof that is nothing but a claim at a state where it is so.
    pub(crate) fn new(case: &'k ProofCase<'c, 's, S>, claim: Claim, start: &S::State) -> Self {
        let grown = GrownProof::claim(claim, start, true);
        Self { case, grown }
    }

    /// Gives an obligation its rule; returns its premises. `alone` keeps a path from joining states that
    /// are shown already.
    ///
    /// The move must be so: it is for the caller to offer only those that are.
    pub(crate) fn apply(
        &mut self,
        leaf: ProofId,
        make: &ProverMove<S::State>,
        alone: bool,
    ) -> Run<Vec<ProofId>> {
        debug_assert!(self.grown.proof[leaf].rule.is_none(), "it has a rule");
        self.grown.take(leaf);
        let ProofNode { claim, at, .. } = self.grown.proof[leaf];
        let (rule, premises) = match make {
            ProverMove::State => (Rule::State, vec![]),
            ProverMove::Total => (Rule::Total, vec![]),
            ProverMove::Region => return self.show_by_region(leaf).map(|()| vec![]),
            ProverMove::EveryStep => return self.every_step(leaf),
            ProverMove::Branch(number) => {
                let goals = self.branches(claim).swap_remove(*number);
                (Rule::Branch(*number), self.goals(&goals, at, leaf))
            }
            ProverMove::Step(state) => {
                let Kernel::Step(_, next) = self.kernel(claim) else {
                    unreachable!("only EX is shown by a step")
                };
                // The main run shows each state anew, so that it reads as a run; branches join what is shown.
                let joined = self.shown(state).filter(|_| !self.grown.main[leaf]);
                let to = joined.unwrap_or_else(|| self.occurrence(state));
                let mut premises = self.goals(&[next], to, leaf);
                premises.extend(self.path_goes_on(&[next], false, to));
                (Rule::Step, premises)
            }
            ProverMove::Goal => (Rule::Goal, self.at_goal(leaf)),
            ProverMove::Stop => (Rule::Stop, self.at_stop(leaf)),
            ProverMove::DeadEnd => (Rule::DeadEnd, self.stay(leaf)),
            ProverMove::Close(back) => {
                let mut premises = self.stay(leaf);
                premises.push(*back);
                (Rule::Continue, premises)
            }
            ProverMove::Continue(state) => {
                let mut premises = self.stay(leaf);
                premises.push(self.next(leaf, state, alone));
                (Rule::Continue, premises)
            }
        };
        let node = &mut self.grown.proof[leaf];
        node.rule = Some(rule);
        node.premises = premises.clone();
        Ok(premises)
    }

    /// The node a path goes on with at a state.
    fn next(&mut self, leaf: ProofId, state: &S::State, alone: bool) -> ProofId {
        let claim = self.claim_after_step(self.grown.proof[leaf].claim);
        if !alone
            && !self.grown.main[leaf]
            && let Some(to) = self.shown(state)
        {
            let known = self.grown.nodes.get(&(claim, state.clone())).copied();
            match known {
                // Joining a node that leads here would close a loop that nobody chose.
                Some(known) if self.leads_to(known, leaf) => {}
                Some(known) => return known,
                None => {
                    let node = self.node(claim, to, false);
                    self.grown.leaves.push_back(node);
                    self.link(node, leaf);
                    return node;
                }
            }
        }
        let to = self.occurrence(state);
        let node = self.node(claim, to, self.grown.main[leaf]);
        self.grown.leaves.push_front(node);
        self.link(node, leaf);
        node
    }

    fn link(&mut self, node: ProofId, before: ProofId) {
        let link = ProofLink {
            before,
            head: self.grown.head(before),
            depth: self.grown.depth(before) + 1,
        };
        self.grown.links.insert(node, link);
    }

    /// Whether a path, from one of its nodes on, comes to another.
    fn leads_to(&self, from: ProofId, to: ProofId) -> bool {
        // A path may have closed its loop, so each node is followed once.
        let mut seen = FxHashSet::default();
        let mut here = Some(from);
        while let Some(node) = here.filter(|&node| seen.insert(node)) {
            if node == to {
                return true;
            }
            here = self.grown.continues(node);
        }
        false
    }

    /// The claim that a path makes one step later.
    fn claim_after_step(&self, claim: Claim) -> Claim {
        match (claim, self.kernel(claim)) {
            (Claim::Formula(goal, left), Kernel::Bounded(whole, _)) => {
                let left = left.unwrap_or(whole);
                let less = Bounds {
                    least: left.least.saturating_sub(1),
                    most: left.most.saturating_sub(1),
                };
                Claim::Formula(goal, Some(less))
            }
            _ => claim,
        }
    }

    /// What must be shown for a claim.
    pub(crate) fn kernel(&self, claim: Claim) -> Kernel {
        match claim {
            Claim::Formula(goal, _) => self.case.kernel(goal),
            Claim::HasPath => Kernel::Path(has_path_pattern(self.case.query.rule)),
        }
    }

    /// The branches of a claim that has some.
    pub(crate) fn branches(&self, claim: Claim) -> Vec<Vec<Goal>> {
        match self.kernel(claim) {
            Kernel::Branches(branches) => branches,
            other => unreachable!("only connectives have branches, not {other:?}"),
        }
    }

    /// The path pattern of a claim about a path.
    pub(crate) fn pattern(&self, claim: Claim) -> PathPattern {
        match self.kernel(claim) {
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => pattern,
            other => unreachable!("only paths have a pattern, not {other:?}"),
        }
    }

    /// Whether, under the bounds that are left, the stay goals count.
    fn inside(&self, claim: Claim) -> bool {
        match (claim, self.kernel(claim)) {
            (Claim::Formula(_, left), Kernel::Bounded(whole, _)) => {
                left.unwrap_or(whole).least == 0
            }
            _ => true,
        }
    }

    /// Premises for the goals that must hold on the way.
    fn stay(&mut self, leaf: ProofId) -> Vec<ProofId> {
        let ProofNode { claim, at, .. } = self.grown.proof[leaf];
        let pattern = self.pattern(claim);
        // Before its least bound a weak path may pass anything.
        if pattern.weak && !self.inside(claim) {
            return vec![];
        }
        let stay = pattern.stay.iter();
        stay.map(|&goal| self.premise(Claim::Formula(goal, None), at))
            .collect()
    }

    fn at_goal(&mut self, leaf: ProofId) -> Vec<ProofId> {
        let ProofNode { claim, at, .. } = self.grown.proof[leaf];
        let pattern = self.pattern(claim);
        let bounded = matches!(self.kernel(claim), Kernel::Bounded(..));
        // The goal releases a bounded weak path from the next state on: what must hold on the way holds here,
        // too.
        let mut premises = match bounded && pattern.weak {
            true => self.stay(leaf),
            false => vec![],
        };
        let goals = pattern.goal.as_deref().unwrap_or_default();
        premises.extend(self.goals(goals, at, leaf));
        if pattern.quantifier == Quantifier::Exists {
            premises.extend(self.path_goes_on(goals, pattern.fair, at));
        }
        premises
    }

    fn at_stop(&mut self, leaf: ProofId) -> Vec<ProofId> {
        let ProofNode { claim, at, .. } = self.grown.proof[leaf];
        let mut premises = self.stay(leaf);
        if matches!(self.kernel(claim), Kernel::Bounded(..)) {
            let pattern = self.pattern(claim);
            premises.extend(self.path_goes_on(&pattern.stay, pattern.fair, at));
        }
        premises
    }

    /// Premises for goals at an occurrence. On the main run, the first that needs steps is what the run
    /// goes on with.
    fn goals(&mut self, goals: &[Goal], at: OccurrenceId, parent: ProofId) -> Vec<ProofId> {
        let mut goes_on = !self.grown.main[parent];
        let mut premises = Vec::new();
        let mut next = None;
        for &goal in goals {
            let claim = Claim::Formula(goal, None);
            if !goes_on && self.case.needs_steps(goal) {
                let node = self.node(claim, at, true);
                goes_on = true;
                next = Some(node);
                premises.push(node);
            } else {
                premises.push(self.premise(claim, at));
            }
        }
        if let Some(next) = next {
            self.grown.leaves.push_front(next);
        }
        premises
    }

    /// The premise that a path goes on from an occurrence, where the rule asks for one and none of the
    /// goals there says so already.
    fn path_goes_on(&mut self, goals: &[Goal], fair: bool, at: OccurrenceId) -> Option<ProofId> {
        let asked = fair || self.case.query.rule.targets_have_paths();
        let said = goals.iter().any(|&goal| self.case.says_path(goal));
        (asked && !said).then(|| self.premise(Claim::HasPath, at))
    }

    /// Shows a claim by every successor: `AX`, or a claim about every path by the same claim there.
    fn every_step(&mut self, leaf: ProofId) -> Run<Vec<ProofId>> {
        let ProofNode { claim, at, .. } = self.grown.proof[leaf];
        let here = self.grown.states[at].clone();
        let listed = self.case.listed_successors(&here)?;
        let next = match self.kernel(claim) {
            Kernel::Step(_, next) => Claim::Formula(next, None),
            _ => claim,
        };
        // There are too many successors for one premise each: a region of all of them shows it.
        let Some(successors) = listed else {
            let space = self.case.space;
            let after = space.post(&space.just(&here)?)?;
            let after = space.meet(&after, self.case.live()?)?;
            return self.region(leaf, &after).map(|()| vec![]);
        };
        let mut premises = match next == claim {
            true => self.stay(leaf),
            false => vec![],
        };
        for state in &successors {
            let to = self.shown(state).unwrap_or_else(|| self.occurrence(state));
            premises.push(self.premise(next, to));
        }
        let node = &mut self.grown.proof[leaf];
        node.rule = Some(Rule::EveryStep);
        node.premises = premises.clone();
        Ok(premises)
    }

    /// Whether every reachable state has a path, so that nobody need show one.
    pub(crate) fn all_have_paths(&self) -> Run<bool> {
        let checker = self.case.checker;
        // A maximal path may end in a deadlock, so every state has one.
        let endless =
            self.case.query.rule == PathRule::Maximal || self.case.space.is_empty(checker.dead()?);
        Ok(checker.fairness().is_empty() && endless)
    }

    /// The occurrence a state was first shown at.
    fn shown(&self, state: &S::State) -> Option<OccurrenceId> {
        self.grown.shown.get(state).copied()
    }

    fn occurrence(&mut self, state: &S::State) -> OccurrenceId {
        let id = self.grown.states.push(state.clone());
        self.grown.shown.entry(state.clone()).or_insert(id);
        id
    }

    fn node(&mut self, claim: Claim, at: OccurrenceId, main: bool) -> ProofId {
        let id = self.grown.proof.push(ProofNode {
            claim,
            at,
            rule: None,
            rank: None,
            premises: vec![],
        });
        self.grown.main.push(main);
        let state = self.grown.states[at].clone();
        // The first node with a claim at a state is the one that others join.
        self.grown.nodes.entry((claim, state)).or_insert(id);
        id
    }

    /// A premise that waits for its turn, or the node that shows the same claim at the same state.
    fn premise(&mut self, claim: Claim, at: OccurrenceId) -> ProofId {
        let state = self.grown.states[at].clone();
        if let Some(&known) = self.grown.nodes.get(&(claim, state)) {
            return known;
        }
        let node = self.node(claim, at, false);
        self.grown.leaves.push_back(node);
        node
    }
}

impl<T: Clone + Eq + std::hash::Hash> GrownProof<T> {
    /// A proof that is nothing but a claim at a state.
    pub(crate) fn claim(claim: Claim, start: &T, main: bool) -> Self {
        let node = ProofNode {
            claim,
            at: OccurrenceId::new(0),
            rule: None,
            rank: None,
            premises: vec![],
        };
        let (at, root) = (OccurrenceId::new(0), ProofId::new(0));
        Self {
            states: IndexVec::from(vec![start.clone()]),
            shown: FxHashMap::from_iter([(start.clone(), at)]),
            proof: IndexVec::from(vec![node]),
            main: IndexVec::from(vec![main]),
            links: FxHashMap::default(),
            regions: IndexVec::new(),
            leaves: VecDeque::from([root]),
            nodes: FxHashMap::from_iter([((claim, start.clone()), root)]),
        }
    }

    /// Makes an obligation of a node and forgets what does not follow from the root any more. Nodes keep
    /// their ids.
    pub(crate) fn reopen(&mut self, node: ProofId) {
        self.proof[node].rule = None;
        self.proof[node].premises = vec![];
        let mut live = FxHashSet::default();
        let mut waiting = vec![ProofId::new(0)];
        while let Some(node) = waiting.pop() {
            if live.insert(node) {
                waiting.extend(&self.proof[node].premises);
            }
        }
        self.nodes.retain(|_, node| live.contains(node));
        self.leaves
            .retain(|&leaf| leaf != node && live.contains(&leaf));
        self.leaves.push_front(node);
        // An occurrence that nothing leads to any more must not be joined.
        self.shown.clear();
        for id in self.proof.ids().filter(|id| live.contains(id)) {
            let ProofNode { claim, at, .. } = self.proof[id];
            let state = self.states[at].clone();
            let first = self.shown.entry(state.clone()).or_insert(at);
            // Nodes are not in the order of their occurrences, so the earliest is looked for.
            *first = at.min(*first);
            self.nodes.entry((claim, state)).or_insert(id);
        }
    }
}

impl<T> GrownProof<T> {
    /// How many nodes of the same path are before a node.
    pub(crate) fn depth(&self, node: ProofId) -> usize {
        self.links.get(&node).map_or(0, |link| link.depth)
    }

    /// The node where the path of a node starts.
    pub(crate) fn head(&self, node: ProofId) -> ProofId {
        self.links.get(&node).map_or(node, |link| link.head)
    }

    /// The node before a node on its path.
    pub(crate) fn before(&self, node: ProofId) -> Option<ProofId> {
        self.links.get(&node).map(|link| link.before)
    }

    /// Takes a node out of the leaves.
    fn take(&mut self, leaf: ProofId) {
        match self.leaves.front() {
            Some(&first) if first == leaf => {
                self.leaves.pop_front();
            }
            _ => self.leaves.retain(|&other| other != leaf),
        }
    }

    /// The node that a path goes on with after one of its nodes.
    pub(crate) fn continues(&self, node: ProofId) -> Option<ProofId> {
        match self.proof[node].rule {
            Some(Rule::Continue) => self.proof[node].premises.last().copied(),
            _ => None,
        }
    }
}
