//! Several strategies, one after the other.

use wherefore_base::{IndexVec, Run, Value};
use wherefore_model::{Model, Query, TermId};
use wherefore_proof::{OccurrenceId, ProofId, ProofNode};

use crate::strategy::{Outlook, Proof, Rules, Strategy, Way};

/// Composes strategies by narrowing: each one chooses among what those before it like best. One that
/// has no opinion leaves the choice as it is.
pub struct Chain {
    members: Vec<Box<dyn Strategy>>,
}

impl Chain {
    /// These strategies, the most important one first.
    pub fn new(members: Vec<Box<dyn Strategy>>) -> Self {
        Self { members }
    }
}

impl Strategy for Chain {
    fn has_opinions(&self) -> bool {
        self.members.iter().any(|member| member.has_opinions())
    }

    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        self.members
            .iter_mut()
            .try_for_each(|member| member.init(rules))
    }

    fn change_rules(&mut self, rules: &mut Rules) -> Run<bool> {
        let mut changed = false;
        for member in &mut self.members {
            changed |= member.change_rules(rules)?;
        }
        Ok(changed)
    }

    fn pick_leaf(&mut self, proof: &dyn Proof, leaves: &[ProofId]) -> Run<Vec<ProofId>> {
        let mut left = leaves.to_vec();
        for member in &mut self.members {
            let liked = member.pick_leaf(proof, &left)?;
            left.retain(|leaf| liked.contains(leaf));
        }
        Ok(left)
    }

    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let mut numbers: Vec<usize> = (0..ways.len()).collect();
        let mut left = ways.to_vec();
        let mut narrowed = false;
        for member in &mut self.members {
            if left.len() == 1 {
                break;
            }
            let narrow = Narrowed {
                proof,
                ways: &numbers,
            };
            let mut liked = member.pick_rule(&narrow, leaf, &left)?;
            liked.retain(|&way| way < left.len());
            liked.sort_unstable();
            liked.dedup();
            if !liked.is_empty() {
                narrowed = true;
                numbers = liked.iter().map(|&way| numbers[way]).collect();
                left = liked.iter().map(|&way| left[way].clone()).collect();
            }
        }
        Ok(match narrowed {
            true => numbers,
            false => vec![],
        })
    }

    fn rule_applied(
        &mut self,
        proof: &dyn Proof,
        leaf: ProofId,
        way: &Way,
        premises: &[ProofId],
    ) -> Run<()> {
        let mut members = self.members.iter_mut();
        members.try_for_each(|member| member.rule_applied(proof, leaf, way, premises))
    }
}

/// A proof as a member of a chain sees it, to whom only some of the ways are on offer.
struct Narrowed<'a> {
    proof: &'a dyn Proof,
    ways: &'a [usize],
}

impl Narrowed<'_> {
    /// The number of a way among all; beyond all for one that is not on offer.
    fn number(&self, way: usize) -> usize {
        self.ways.get(way).copied().unwrap_or(usize::MAX)
    }
}

impl Proof for Narrowed<'_> {
    fn model(&self) -> &Model {
        self.proof.model()
    }

    fn query(&self) -> &Query {
        self.proof.query()
    }

    fn nodes(&self) -> &IndexVec<ProofId, ProofNode> {
        self.proof.nodes()
    }

    fn values(&self, at: OccurrenceId) -> Vec<Value> {
        self.proof.values(at)
    }

    fn depth(&self, node: ProofId) -> usize {
        self.proof.depth(node)
    }

    fn before(&self, node: ProofId) -> Option<ProofId> {
        self.proof.before(node)
    }

    fn is_true(&self, condition: TermId, at: OccurrenceId) -> Run<bool> {
        self.proof.is_true(condition, at)
    }

    fn is_true_after(&self, condition: TermId, way: usize) -> Run<Option<bool>> {
        self.proof.is_true_after(condition, self.number(way))
    }

    fn is_known_after(&self, way: usize) -> Option<bool> {
        self.proof.is_known_after(self.number(way))
    }

    fn outlook(&self, leaf: ProofId) -> Run<Outlook> {
        self.proof.outlook(leaf)
    }

    fn takes_more_than(&self, leaf: ProofId, steps: u32) -> Run<bool> {
        self.proof.takes_more_than(leaf, steps)
    }

    fn outlook_after(&self, way: usize) -> Run<Outlook> {
        self.proof.outlook_after(self.number(way))
    }

    fn is_best_for(&self, wish: usize, way: usize) -> Run<Option<bool>> {
        self.proof.is_best_for(wish, self.number(way))
    }
}
