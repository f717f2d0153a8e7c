//! How far states are from one that somebody knows well.

use std::cmp::Reverse;

use wherefore_base::{Run, Value};
use wherefore_model::VarId;
use wherefore_proof::ProofId;

use super::steps::{ShortestSteps, free_steps};
use crate::strategy::{Proof, Strategy, Way};

/// Stays near a designated state, or goes far away from it (Chechik and Gurfinkel 2005, section 3.3).
/// The distance is the number of the named variables that have another value.
///
/// It chooses step by step. A path that must arrive still takes a shortest way; where there are
/// several, the distance decides.
#[derive(Clone, Debug)]
pub struct DistanceStrategy {
    state: Vec<(VarId, Value)>,
    far: bool,
}

impl DistanceStrategy {
    /// As near as possible to the state where the variables have these values.
    pub fn nearest(state: Vec<(VarId, Value)>) -> Self {
        Self { state, far: false }
    }

    /// As far as possible from the state where the variables have these values.
    pub fn farthest(state: Vec<(VarId, Value)>) -> Self {
        Self { state, far: true }
    }

    fn distance(&self, values: &[Value]) -> usize {
        let differs = |&&(variable, value): &&(VarId, Value)| {
            values.get(variable.index()).is_some_and(|&is| is != value)
        };
        self.state.iter().filter(differs).count()
    }
}

impl Strategy for DistanceStrategy {
    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let mut near = ShortestSteps::new();
        let mut far = ShortestSteps::new();
        for way in free_steps(proof, leaf, ways)? {
            let distance = ways[way].to.as_deref().map_or(0, |to| self.distance(to));
            near.see(way, distance);
            far.see(way, Reverse(distance));
        }
        Ok(match self.far {
            true => far.ways,
            false => near.ways,
        })
    }
}
