//! Re-checking the proof, rule by rule.

use num_bigint::BigUint;
use wherefore_base::Value;
use wherefore_logic::Goal;
use wherefore_logic::modal::{ModalOp, Move};
use wherefore_proof::modal::values;
use wherefore_proof::{Claim, ProofId, ProofNode, Region, Rule};

use super::{ExploredEquations, MANY_CLAIMS, ModalReplay, Rechecked, ReplayFault, ensure};
use crate::OPEN;

impl ModalReplay<'_> {
    /// Every node follows from its premises.
    pub(super) fn proof(&mut self) -> Rechecked {
        for (id, node) in self.evidence.proof.entries() {
            self.budget.check()?;
            self.node(node).map_err(|fault| match fault {
                ReplayFault::Wrong(what) => {
                    ReplayFault::Wrong(format!("proof node {}: {what}", id.index()))
                }
                stop @ ReplayFault::Stop(_) => stop,
            })?;
        }
        Ok(())
    }

    fn node(&mut self, node: &ProofNode) -> Rechecked {
        let wrong = |what: &str| Err(ReplayFault::Wrong(what.into()));
        let system = &self.question.system;
        let proof = &self.evidence.proof;
        let Claim::Formula(goal, None) = node.claim else {
            return wrong("the claim is not about an equation");
        };
        let (Some(equation), Some(state)) = (system.equations.get(goal.sub), self.state(node.at))
        else {
            return wrong("there is no such equation or state");
        };
        let known = node.premises.iter().all(|&p| proof.get(p).is_some());
        ensure(known, || "there is no such premise".into())?;
        let Some(rule) = node.rule else {
            self.skipped.insert(OPEN);
            return Ok(());
        };
        self.rank(goal, node)?;
        match (system.moves(goal), rule) {
            (Move::Constant, Rule::State) => {
                let right = equation.op == ModalOp::Const(goal.holds) && node.premises.is_empty();
                ensure(right, || "the constant is another one".into())
            }
            (Move::One(goals), Rule::Branch(number)) => match goals.get(number) {
                Some(&goal) => self.premises_are(node, &[goal]),
                None => wrong("there is no such branch"),
            },
            (Move::Each(goals), Rule::Branch(0)) => self.premises_are(node, &goals),
            (Move::SomeStep(action, next), Rule::Step) => {
                let [premise] = node.premises[..] else {
                    return wrong("a step has no target");
                };
                let premise = &proof[premise];
                ensure(premise.claim == Claim::Formula(next, None), || {
                    "the premise is about something else".into()
                })?;
                let mut labels = self.question.actions[action].iter();
                let stepped =
                    labels.any(|label| self.edges.contains(&(node.at, label, premise.at)));
                ensure(stepped, || {
                    "there is no step that the action matches".into()
                })
            }
            (Move::EveryStep(action, next), Rule::EveryStep) => {
                let action = &self.question.actions[action];
                let steps = self.lts.steps(state).iter();
                let steps: Vec<_> = steps.filter(|step| action.contains(step.label)).collect();
                ensure(steps.len() == node.premises.len(), || {
                    "a step is missing".into()
                })?;
                for (step, &premise) in steps.iter().zip(&node.premises) {
                    let premise = &proof[premise];
                    let right = premise.claim == Claim::Formula(next, None)
                        && self.state(premise.at) == Some(step.to)
                        && self.edges.contains(&(node.at, step.label, premise.at));
                    ensure(right, || "a premise is not about that step".into())?;
                }
                Ok(())
            }
            (_, Rule::Region(region)) if node.premises.is_empty() => {
                match self.evidence.regions.get(region) {
                    Some(region) if region.at == node.at && region.claim == node.claim => {
                        self.region(goal, region)
                    }
                    _ => wrong("the region is about something else"),
                }
            }
            _ => wrong("the rule does not fit the claim"),
        }
    }

    /// A claim that must be shown in finitely many moves has a rank above those of its premises in the same
    /// block; no other claim has one.
    fn rank(&self, goal: Goal, node: &ProofNode) -> Rechecked {
        let system = &self.question.system;
        let proof = &self.evidence.proof;
        // What a region shows needs no rank: it is explored and solved anew.
        let by_region = |node: &ProofNode| matches!(node.rule, Some(Rule::Region(_)));
        let mut least = 0;
        for &premise in &node.premises {
            let premise = &proof[premise];
            let Claim::Formula(next, _) = premise.claim else {
                continue;
            };
            let (own, other) = (self.block(goal.sub), self.block(next.sub));
            // A premise of a later block could lead back here, and no rank would notice.
            ensure(other <= own, || "a premise is of a later block".into())?;
            if own == other && !by_region(premise) && system.must_end(goal) {
                let Some(rank) = premise.rank else {
                    return Err(ReplayFault::Wrong("a premise has no rank".into()));
                };
                least = least.max(rank.saturating_add(1));
            }
        }
        let right = match system.must_end(goal) && !by_region(node) {
            true => Some(least),
            false => None,
        };
        ensure(node.rank == right, || "the rank does not fall".into())
    }

    /// The premises are exactly these claims at the same state.
    fn premises_are(&self, node: &ProofNode, wanted: &[Goal]) -> Rechecked {
        let premises = node
            .premises
            .iter()
            .map(|&id: &ProofId| &self.evidence.proof[id]);
        let same = node.premises.len() == wanted.len()
            && premises.zip(wanted).all(|(premise, &goal)| {
                premise.claim == Claim::Formula(goal, None)
                    && self.state(premise.at) == self.state(node.at)
            });
        ensure(same, || "the premises do not fit".into())
    }

    /// A region shows its claim, has the size that it says and the states that it lists.
    fn region(&mut self, goal: Goal, region: &Region) -> Rechecked {
        let state = self.state(region.at).expect("the node is at a state");
        let start = [(goal.sub, state)];
        let explored =
            ExploredEquations::from(self.lts, self.question, start, MANY_CLAIMS, self.budget)?;
        let Some(explored) = explored else {
            self.skipped.insert("the region is too large");
            return Ok(());
        };
        let shown = explored.holds(goal.sub, state) == Some(goal.holds);
        ensure(shown, || {
            "what can follow from there does not show it".into()
        })?;
        let states = explored.states();
        let size = region.size == BigUint::from(states.len());
        ensure(size, || "a region has another size".into())?;
        if let Some(listed) = &region.states {
            let states: Vec<Vec<Value>> = states.into_iter().map(values).collect();
            ensure(*listed == states, || "a region has other states".into())?;
        }
        let plain = region.cover.cubes.is_empty() && !region.cover.complete;
        ensure(plain, || "a region is described wrongly".into())
    }
}
