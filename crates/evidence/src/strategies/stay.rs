//! The state where we are.

use wherefore_base::Run;
use wherefore_proof::ProofId;

use super::steps::{StepKind, kind};
use crate::strategy::{Guide, Proof, Rules, Strategy, Way, WayKind};

/// Tries the present state first when the next one is chosen: a step to the same state, and for a path
/// that may go on for ever the loop of one step. A path that must arrive gains nothing by waiting, and
/// is left alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct StayFirst;

impl Strategy for StayFirst {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        rules.add(Guide::Here);
        Ok(())
    }

    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let here = proof.values(proof.nodes()[leaf].at);
        let stays = |way: &Way| way.to.as_ref() == Some(&here);
        let liked = |likes: &dyn Fn(&Way) -> bool| {
            let liked = (0..ways.len()).filter(|&way| likes(&ways[way]));
            Ok(liked.collect())
        };
        match kind(proof, leaf) {
            StepKind::Still | StepKind::Strong | StepKind::BoundedStrong => Ok(vec![]),
            StepKind::Weak => liked(&|way| way.kind == WayKind::Loop(1)),
            StepKind::Step | StepKind::BoundedWeak => liked(&stays),
        }
    }
}
