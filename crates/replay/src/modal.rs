//! Replay: the independent re-check of evidence about a labelled transition system.
//!
//! Every step is looked up in the system, every proof node is checked against the rule it names, ranks
//! must fall, and regions are explored anew. Only the system of equations is shared with the builder.

mod explored;
mod lengths;
mod proof;
mod runs;
mod sentences;

use std::collections::{BTreeSet, HashSet};

use wherefore_base::{Budget, Run};
use wherefore_logic::{Goal, SubId};
use wherefore_model::lts::{LabelId, Lts, ModalQuestion, StateId};
use wherefore_proof::modal::{label, state};
use wherefore_proof::{Claim, Evidence, OccurrenceId, ProofId, Replay, Rule};

use crate::{Rechecked, ReplayFault, ensure};
use explored::ExploredEquations;

pub use sentences::SystemSentenceChecker;

/// To re-check the truth that is noted at states, at most so many equations at states are explored.
const FEW_CLAIMS: usize = 20_000;
/// To re-check a region, at most so many.
const MANY_CLAIMS: usize = 500_000;

/// Re-checks evidence for the claim that the root of a question holds (or fails) at the initial state.
pub fn replay(
    lts: &Lts,
    question: &ModalQuestion,
    holds: bool,
    evidence: &Evidence,
    budget: &Budget,
) -> Run<Replay> {
    let mut replayer = ModalReplay {
        lts,
        question,
        evidence,
        budget,
        states: vec![],
        edges: HashSet::new(),
        skipped: BTreeSet::new(),
    };
    match replayer.everything(holds) {
        Ok(()) if replayer.skipped.is_empty() => Ok(Replay::Ok),
        Ok(()) => {
            let skipped: Vec<&str> = replayer.skipped.iter().copied().collect();
            Ok(Replay::Partial(skipped.join("; ")))
        }
        Err(ReplayFault::Wrong(what)) => Ok(Replay::Failed(what)),
        Err(ReplayFault::Stop(stop)) => Err(stop),
    }
}

struct ModalReplay<'a> {
    lts: &'a Lts,
    question: &'a ModalQuestion,
    evidence: &'a Evidence,
    budget: &'a Budget,
    /// The state of each occurrence.
    states: Vec<StateId>,
    edges: HashSet<(OccurrenceId, LabelId, OccurrenceId)>,
    /// What could not be re-checked.
    skipped: BTreeSet<&'static str>,
}

impl ModalReplay<'_> {
    fn everything(&mut self, holds: bool) -> Rechecked {
        self.occurrences()?;
        self.steps()?;
        self.segments()?;
        let root = self.evidence.proof.get(ProofId::new(0));
        let goal = Goal {
            sub: self.question.system.root,
            holds,
        };
        let about = root.is_some_and(|node| {
            node.claim == Claim::Formula(goal, None) && node.at == OccurrenceId::new(0)
        });
        ensure(about, || "the proof is not about the property".into())?;
        self.proof()?;
        let named: HashSet<_> = self.evidence.proof.iter().filter_map(|n| n.rule).collect();
        for (id, _) in self.evidence.regions.entries() {
            ensure(named.contains(&Rule::Region(id)), || {
                "a region proves nothing".into()
            })?;
        }
        self.annotations()
    }

    /// Every occurrence is a state, the first one is initial.
    fn occurrences(&mut self) -> Rechecked {
        for occurrence in self.evidence.occurrences.iter() {
            let fits = occurrence.truth.len() == self.question.system.equations.len();
            let Some(state) = state(self.lts, &occurrence.values).filter(|_| fits) else {
                return Err(ReplayFault::Wrong("a state does not fit the system".into()));
            };
            self.states.push(state);
        }
        ensure(self.states.first() == Some(&self.lts.initial()), || {
            "the first state is not initial".into()
        })
    }

    /// Every edge is a step of the system.
    fn steps(&mut self) -> Rechecked {
        for edge in &self.evidence.edges {
            self.budget.check()?;
            let ends = self.state(edge.from).zip(self.state(edge.to));
            let found = ends.zip(label(self.lts, &edge.input));
            let Some(((from, to), label)) = found else {
                return Err(ReplayFault::Wrong("a step has no state or no label".into()));
            };
            let mut steps = self.lts.steps(from).iter();
            ensure(
                steps.any(|step| step.label == label && step.to == to),
                || {
                    let (from, to) = (from.index(), to.index());
                    format!("the system has no such step from state {from} to state {to}")
                },
            )?;
            let new = self.edges.insert((edge.from, label, edge.to));
            ensure(new, || "a step is told twice".into())?;
        }
        Ok(())
    }

    fn state(&self, at: OccurrenceId) -> Option<StateId> {
        self.states.get(at.index()).copied()
    }

    /// The truth values noted at the states are right, where few claims decide them.
    fn annotations(&mut self) -> Rechecked {
        let subs = || self.question.system.equations.ids();
        let states: BTreeSet<StateId> = self.states.iter().copied().collect();
        let starts = states
            .iter()
            .flat_map(|&state| subs().map(move |sub| (sub, state)));
        let explored =
            ExploredEquations::from(self.lts, self.question, starts, FEW_CLAIMS, self.budget)?;
        let Some(explored) = explored else {
            return self.proved_truths();
        };
        for (occurrence, &state) in self.evidence.occurrences.iter().zip(&self.states) {
            let right = subs().all(|sub| explored.holds(sub, state) == occurrence.truth[sub]);
            ensure(right, || "a truth value is wrong".into())?;
        }
        Ok(())
    }

    /// The truth values noted at the states are those of the claims that are made there.
    fn proved_truths(&self) -> Rechecked {
        for node in self.evidence.proof.iter() {
            if let Claim::Formula(Goal { sub, holds }, _) = node.claim {
                let noted = self.evidence.occurrences[node.at].truth[sub];
                ensure(noted == Some(holds), || "a truth value is wrong".into())?;
            }
        }
        Ok(())
    }

    fn block(&self, sub: SubId) -> u32 {
        self.question.system.equations[sub].block
    }
}
