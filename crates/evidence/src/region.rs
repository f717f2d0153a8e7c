//! Writing universal claims out: the set of states that shows them, counted and described.

use num_bigint::BigUint;
use wherefore_base::{Run, Value};
use wherefore_logic::{Kernel, Quantifier};
use wherefore_model::{Cover, SpaceEngine};
use wherefore_proof::{Claim, ProofId, ProofNode, Region, Rule};
use wherefore_space::{StateSpace, cover};

use crate::case::ProofCase;
use crate::prover::ProofBuilder;

impl<S: StateSpace> ProofCase<'_, '_, S> {
    /// Whether a state that must be looked at for a universal claim is more than so many steps away.
    pub(crate) fn region_exceeds(&self, claim: Claim, at: &S::State, steps: u32) -> Run<bool> {
        let Claim::Formula(goal, left) = claim else {
            return Ok(false);
        };
        let (pattern, most) = match self.kernel(goal) {
            Kernel::Step(Quantifier::Forall, _) => return Ok(steps == 0),
            Kernel::Path(pattern) => (pattern, u32::MAX),
            Kernel::Bounded(whole, pattern) => (pattern, left.unwrap_or(whole).most),
            Kernel::State | Kernel::Branches(_) | Kernel::Step(..) => return Ok(false),
        };
        if pattern.quantifier == Quantifier::Exists || most <= steps {
            return Ok(false);
        }
        let space = self.space;
        let live = self.checker.live(self.query.rule, &pattern)?;
        let exits = match &pattern.goal {
            Some(goals) => self.checker.all_of(self.solution, goals)?,
            None => space.nothing(),
        };
        let mut seen = space.just(at)?;
        let mut layer = seen.clone();
        for _ in 0..=steps {
            space.budget().check()?;
            // What lies behind the goal is not claimed.
            let next = space.post(&space.minus(&layer, &exits)?)?;
            layer = space.meet(&space.minus(&next, &seen)?, live)?;
            if space.is_empty(&layer) {
                return Ok(false);
            }
            seen = space.join(&seen, &layer)?;
        }
        Ok(true)
    }
}

/// The states of a region are listed up to this many.
const LISTED_STATES: u32 = 12;
/// A region is described by at most so many cubes.
const CUBES: usize = 6;

impl<S: StateSpace> ProofBuilder<'_, '_, '_, S> {
    /// Shows a universal claim about paths by everything that can follow.
    pub(crate) fn show_by_region(&mut self, node: ProofId) -> Run<()> {
        let ProofNode { claim, at, .. } = self.grown.proof[node];
        let pattern = self.pattern(claim);
        let bounds = match (claim, self.kernel(claim)) {
            (Claim::Formula(_, left), Kernel::Bounded(whole, _)) => Some(left.unwrap_or(whole)),
            _ => None,
        };
        let space = self.case.space;
        let checker = self.case.checker;
        let live = checker.live(self.case.query.rule, &pattern)?;
        let exits = match &pattern.goal {
            Some(goals) => checker.all_of(self.case.solution, goals)?,
            None => space.nothing(),
        };
        // What lies behind the goal is not claimed, so the region stops there.
        let through = space.minus(space.reachable(), &exits)?;
        let start = space.just(&self.grown.states[at])?;
        let states = match bounds {
            None => space.forward(&start, &through)?,
            Some(bounds) => {
                let mut all = start;
                for _ in 0..bounds.most {
                    space.budget().check()?;
                    let more = space.post(&all)?;
                    let more = space.join(&all, &more)?;
                    if more == all {
                        break;
                    }
                    all = more;
                }
                all
            }
        };
        // The start itself may have no path; it is part of the region all the same.
        let start = space.just(&self.grown.states[at])?;
        let states = space.join(&start, &space.meet(&states, live)?)?;
        self.region(node, &states)
    }

    /// Shows a node by a set of states.
    pub(crate) fn region(&mut self, node: ProofId, states: &S::Set) -> Run<()> {
        let ProofNode { claim, at, .. } = self.grown.proof[node];
        let space = self.case.space;
        let size = space.count(states)?;
        let listed = match size <= BigUint::from(LISTED_STATES) {
            true => Some(self.listed(states)?),
            false => None,
        };
        // Describing a set asks for many others: on a large explicit space that costs too much.
        let large = space.engine() == SpaceEngine::Explicit
            && space.count(space.reachable())? > BigUint::from(300_000u32);
        let cover = match large {
            true => Cover {
                cubes: vec![],
                complete: false,
            },
            false => cover(space, states, CUBES)?,
        };
        let region = self.grown.regions.push(Region {
            at,
            claim,
            size,
            cover,
            states: listed,
        });
        self.grown.proof[node].rule = Some(Rule::Region(region));
        Ok(())
    }

    fn listed(&self, states: &S::Set) -> Run<Vec<Vec<Value>>> {
        let space = self.case.space;
        let mut listed = Vec::new();
        let mut left = states.clone();
        while let Some(state) = space.first(&left)? {
            left = space.minus(&left, &space.just(&state)?)?;
            listed.push(space.values(&state));
        }
        Ok(listed)
    }
}
