//! The proof that a run refutes a formula of linear time, in somebody's hands: it walks the positions of the run.
//!
//! The root says that the run is one of the model and refutes the formula; from there each claim follows from claims at the
//! same position, at the next one or at the one before. What is so for ever comes back to a claim that is shown already. A
//! [`RunChooser`] finds the run, as wishes and strategies like it.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Budget, IndexVec, Run, Value};
use wherefore_model::{Env, Interpreter, Model, Query, TermId};
use wherefore_proof::{
    Claim, Evidence, OccurrenceId, ProofId, ProofNode, Replay, Rule, WishOutcome,
};
use wherefore_replay::replay;

use super::walk::{PlacedClaim, RunMove, RunWalk};
use crate::exploration::Exploring;
use crate::strategy::{Outlook, Proof, Rules, Shortest, Strategy, Subgoal, Way, WayKind};

/// A run that refutes a formula, and what became of each wish about it.
#[derive(Clone)]
pub(super) struct ChosenRun {
    /// Its proof is the root alone.
    pub(super) evidence: Evidence,
    pub(super) wishes: Vec<WishOutcome>,
}

/// Who finds runs that refute a formula.
pub(super) trait RunChooser {
    /// From now on these rules are added and removed.
    fn set_rules(&mut self, rules: Rules) -> Run<()>;

    /// The run as a strategy chooses it.
    fn choose(&mut self, strategy: &mut dyn Strategy) -> Run<ChosenRun>;
}

/// The proof as far as it is shown.
#[derive(Clone)]
struct WalkedProof {
    run: ChosenRun,
    nodes: IndexVec<ProofId, ProofNode>,
    /// Each claim is shown once at each position.
    known: BTreeMap<PlacedClaim, ProofId>,
}

/// A proof along a run that somebody explores.
pub(super) struct RunExploration<'x> {
    model: &'x Model,
    query: &'x Query,
    budget: &'x Budget,
    interpreter: Interpreter<'x>,
    chooser: &'x mut dyn RunChooser,
    shown: WalkedProof,
    past: Vec<WalkedProof>,
    /// The ways that are on offer, by the position that each leads to.
    targets: Vec<Option<OccurrenceId>>,
}

/// The node of the claim that the run refutes the formula.
fn root() -> ProofId {
    ProofId::new(0)
}

impl<'x> RunExploration<'x> {
    pub(super) fn new(
        (model, query): (&'x Model, &'x Query),
        budget: &'x Budget,
        chooser: &'x mut dyn RunChooser,
    ) -> Run<Self> {
        let run = chooser.choose(&mut Shortest)?;
        Ok(Self {
            model,
            query,
            budget,
            interpreter: Interpreter::new(model),
            chooser,
            shown: WalkedProof::claim(query, run),
            past: Vec::new(),
            targets: Vec::new(),
        })
    }

    fn walk(&self) -> RunWalk<'_> {
        RunWalk::new(self.query, &self.shown.run.evidence)
    }

    /// Whether nothing is shown but that the run refutes the formula.
    fn is_fresh(&self) -> bool {
        let premise = self.shown.nodes[root()].premises[0];
        self.shown.nodes[premise].rule.is_none()
    }

    fn moves(&self, leaf: ProofId) -> Vec<RunMove> {
        let node = &self.shown.nodes[leaf];
        self.walk().moves(node.claim, node.at)
    }

    fn apply(&mut self, leaf: ProofId, taken: RunMove) -> Vec<ProofId> {
        let RunMove { rule, premises } = taken;
        let mut nodes = Vec::new();
        for placed in premises {
            nodes.push(self.shown.node(self.query, placed));
        }
        let node = &mut self.shown.nodes[leaf];
        node.rule = Some(rule);
        node.premises.clone_from(&nodes);
        nodes
    }

    fn way(&self, claim: Claim, taken: &RunMove, planned: bool) -> Way {
        let values = |at: OccurrenceId| self.shown.run.evidence.occurrences[at].values.clone();
        let past = self.walk().is_past(claim);
        let to = taken.premises.last().map(|&(_, to)| to);
        let steps = matches!(taken.rule, Rule::Step | Rule::Continue) && !past;
        Way {
            kind: kind_of(taken.rule),
            to: to.filter(|_| steps).map(values),
            by: None,
            planned,
            premises: taken
                .premises
                .iter()
                .map(|&(claim, at)| Subgoal {
                    claim,
                    values: values(at),
                })
                .collect(),
        }
    }

    fn is_true_in(&self, condition: TermId, at: OccurrenceId) -> bool {
        self.interpreter
            .truth(condition, Env::state(&self.values(at)))
    }
}

impl WalkedProof {
    /// Nothing is shown but that the run refutes the formula.
    fn claim(query: &Query, run: ChosenRun) -> Self {
        let mut nodes = IndexVec::new();
        let claim = run.evidence.proof[root()].clone();
        let placed = (claim.claim, claim.at);
        nodes.push(ProofNode {
            premises: vec![ProofId::new(1)],
            ..claim.clone()
        });
        nodes.push(ProofNode {
            rule: None,
            rank: RunWalk::new(query, &run.evidence).rank(claim.claim, claim.at),
            ..claim
        });
        Self {
            run,
            nodes,
            known: [(placed, ProofId::new(1))].into_iter().collect(),
        }
    }

    /// The node of a claim at a position, perhaps a new one.
    fn node(&mut self, query: &Query, placed: PlacedClaim) -> ProofId {
        if let Some(&known) = self.known.get(&placed) {
            return known;
        }
        let (claim, at) = placed;
        let node = self.nodes.push(ProofNode {
            claim,
            at,
            rule: None,
            rank: RunWalk::new(query, &self.run.evidence).rank(claim, at),
            premises: vec![],
        });
        self.known.insert(placed, node);
        node
    }

    /// The nodes that the root follows from, each after the first that needs it.
    fn reached(&self) -> Vec<ProofId> {
        let mut seen = BTreeSet::new();
        let mut order = Vec::new();
        let mut waiting = vec![root()];
        while let Some(node) = waiting.pop() {
            if seen.insert(node) {
                order.push(node);
                waiting.extend(self.nodes[node].premises.iter().rev());
            }
        }
        order
    }
}

impl Proof for RunExploration<'_> {
    fn model(&self) -> &Model {
        self.model
    }

    fn query(&self) -> &Query {
        self.query
    }

    fn nodes(&self) -> &IndexVec<ProofId, ProofNode> {
        &self.shown.nodes
    }

    fn values(&self, at: OccurrenceId) -> Vec<Value> {
        self.shown.run.evidence.occurrences[at].values.clone()
    }

    fn depth(&self, node: ProofId) -> usize {
        let mut depth = 0;
        let mut here = node;
        while let Some(before) = self.before(here).filter(|_| depth < self.shown.nodes.len()) {
            here = before;
            depth += 1;
        }
        depth
    }

    fn before(&self, node: ProofId) -> Option<ProofId> {
        let continues = |before: &ProofNode| {
            before.rule == Some(Rule::Continue) && before.premises.last() == Some(&node)
        };
        let mut nodes = self.shown.nodes.entries();
        nodes
            .find(|(_, before)| continues(before))
            .map(|(id, _)| id)
    }

    fn is_true(&self, condition: TermId, at: OccurrenceId) -> Run<bool> {
        Ok(self.is_true_in(condition, at))
    }

    fn outlook(&self, _: ProofId) -> Run<Outlook> {
        Ok(Outlook::default())
    }

    fn takes_more_than(&self, _: ProofId, _: u32) -> Run<bool> {
        // The run is there already, so nothing takes steps that are not shown.
        Ok(false)
    }

    fn is_true_after(&self, condition: TermId, way: usize) -> Run<Option<bool>> {
        let to = self.targets.get(way).copied().flatten();
        Ok(to.map(|at| self.is_true_in(condition, at)))
    }

    fn is_known_after(&self, way: usize) -> Option<bool> {
        let to = self.targets.get(way).copied().flatten();
        to.map(|_| true)
    }

    fn outlook_after(&self, _: usize) -> Run<Outlook> {
        Ok(Outlook::default())
    }

    fn is_best_for(&self, _: usize, _: usize) -> Run<Option<bool>> {
        Ok(None)
    }
}

impl Exploring for RunExploration<'_> {
    fn leaves(&self) -> Vec<ProofId> {
        let reached = self.shown.reached().into_iter();
        reached
            .filter(|&node| self.shown.nodes[node].rule.is_none())
            .collect()
    }

    fn ways(&mut self, leaf: ProofId) -> Run<Vec<Way>> {
        let node = &self.shown.nodes[leaf];
        // That the run refutes the formula is always shown; the run itself is chosen by strategies.
        if leaf == root() {
            self.targets = vec![None];
            return Ok(vec![Way {
                kind: WayKind::Run,
                to: None,
                by: None,
                planned: true,
                premises: vec![],
            }]);
        }
        let claim = node.claim;
        let moves = self.moves(leaf);
        let ways: Vec<Way> = moves
            .iter()
            .enumerate()
            .map(|(number, taken)| self.way(claim, taken, number == 0))
            .collect();
        let target = |taken: &RunMove| match taken.rule {
            Rule::Step | Rule::Continue => taken.premises.last().map(|&(_, to)| to),
            _ => None,
        };
        self.targets = moves.iter().map(target).collect();
        Ok(ways)
    }

    fn take(&mut self, leaf: ProofId, way: usize) -> Run<Vec<ProofId>> {
        self.past.push(self.shown.clone());
        if leaf == root() {
            return Ok(self.shown.nodes[root()].premises.clone());
        }
        let taken = self.moves(leaf).swap_remove(way);
        Ok(self.apply(leaf, taken))
    }

    fn set_rules(&mut self, rules: Rules) -> Run<()> {
        self.chooser.set_rules(rules)?;
        if self.is_fresh() {
            self.shown = WalkedProof::claim(self.query, self.chooser.choose(&mut Shortest)?);
        }
        Ok(())
    }

    fn outcomes(&self) -> Run<Vec<WishOutcome>> {
        Ok(self.shown.run.wishes.clone())
    }

    fn grow(&mut self, strategy: &mut dyn Strategy, most: usize) -> Run<usize> {
        self.past.push(self.shown.clone());
        if self.is_fresh() && strategy.has_opinions() {
            self.shown = WalkedProof::claim(self.query, self.chooser.choose(strategy)?);
        }
        let mut open: Vec<ProofId> = self.leaves().into_iter().rev().collect();
        let mut applied = 0;
        while let Some(leaf) = open.pop() {
            self.budget.check()?;
            if self.shown.nodes[leaf].rule.is_some() {
                continue;
            }
            if applied == most {
                break;
            }
            let taken = self.moves(leaf).swap_remove(0);
            open.extend(self.apply(leaf, taken).into_iter().rev());
            applied += 1;
        }
        Ok(applied)
    }

    fn reopen(&mut self, node: ProofId) {
        self.past.push(self.shown.clone());
        if node == root() {
            self.shown = WalkedProof::claim(self.query, self.shown.run.clone());
            return;
        }
        let reopened = &mut self.shown.nodes[node];
        (reopened.rule, reopened.premises) = (None, vec![]);
        let reached: BTreeSet<ProofId> = self.shown.reached().into_iter().collect();
        let ids: Vec<ProofId> = self.shown.nodes.ids().collect();
        for id in ids.into_iter().filter(|id| !reached.contains(id)) {
            let node = &mut self.shown.nodes[id];
            (node.rule, node.premises) = (None, vec![]);
        }
    }

    fn undo(&mut self) -> bool {
        match self.past.pop() {
            Some(before) => {
                self.shown = before;
                true
            }
            None => false,
        }
    }

    fn evidence(&self) -> Run<(Evidence, IndexVec<ProofId, ProofId>)> {
        let nodes: IndexVec<ProofId, ProofId> = self.shown.reached().into_iter().collect();
        let place: BTreeMap<ProofId, ProofId> = nodes.entries().map(|(at, &n)| (n, at)).collect();
        let told = nodes.iter().map(|&node| {
            let node = &self.shown.nodes[node];
            ProofNode {
                premises: node.premises.iter().map(|premise| place[premise]).collect(),
                ..node.clone()
            }
        });
        let mut evidence = Evidence {
            proof: told.collect(),
            replay: Replay::NotDone,
            ..self.shown.run.evidence.clone()
        };
        evidence.replay = replay(self.model, self.query, false, &evidence, self.budget)?;
        Ok((evidence, nodes))
    }
}

/// The kind of the way that a rule is on offer as.
fn kind_of(rule: Rule) -> WayKind {
    match rule {
        Rule::State => WayKind::State,
        Rule::Branch(number) => WayKind::Branch(number),
        Rule::Step => WayKind::Step,
        Rule::EveryStep => WayKind::EveryStep,
        Rule::Goal => WayKind::Goal,
        Rule::Continue => WayKind::Continue,
        Rule::DeadEnd => WayKind::DeadEnd,
        Rule::Stop => WayKind::Stop,
        Rule::Start => WayKind::Start,
        Rule::Region(_) => WayKind::Region,
        Rule::Total => WayKind::Total,
        Rule::Run => WayKind::Run,
    }
}
