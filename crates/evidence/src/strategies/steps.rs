//! What the strategies that choose steps share.

use wherefore_base::{Run, Value};
use wherefore_logic::{Kernel, Quantifier, kernel};
use wherefore_proof::{Claim, ProofId};

use crate::strategy::{Proof, Way, WayKind};

/// So many states of a path are compared with the next one. No strategy makes detours longer than the
/// prover allows, so no more are needed.
const LOOKED_BACK: usize = 64;

/// What kind of choice there is at an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepKind {
    /// Nothing about steps.
    Still,
    /// One step.
    Step,
    /// A path that must arrive.
    Strong,
    /// A path that may go on for ever.
    Weak,
    /// A path with bounds that must arrive.
    BoundedStrong,
    /// A path with bounds that may last as long as these.
    BoundedWeak,
}

/// The kind of choice at an obligation.
pub(super) fn kind(proof: &dyn Proof, leaf: ProofId) -> StepKind {
    let Claim::Formula(goal, _) = proof.nodes()[leaf].claim else {
        return StepKind::Still;
    };
    match kernel(&proof.query().formula, goal) {
        Kernel::State | Kernel::Branches(_) => StepKind::Still,
        Kernel::Step(Quantifier::Exists, _) => StepKind::Step,
        Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => match pattern.weak {
            true => StepKind::Weak,
            false => StepKind::Strong,
        },
        Kernel::Bounded(_, pattern) if pattern.quantifier == Quantifier::Exists => {
            match pattern.weak {
                true => StepKind::BoundedWeak,
                false => StepKind::BoundedStrong,
            }
        }
        Kernel::Step(..) | Kernel::Path(_) | Kernel::Bounded(..) => StepKind::Still,
    }
}

/// The ways among which a strategy may choose by the next state alone, without looking ahead.
///
/// A path that could end here has no choice; one that must arrive takes a shortest way; one that may go
/// on for ever closes its loop or goes to a state where it has not been.
pub(super) fn free_steps(proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
    let ends = |way: &Way| matches!(way.kind, WayKind::Goal | WayKind::Stop | WayKind::DeadEnd);
    if ways.iter().any(ends) {
        return Ok(vec![]);
    }
    let steps = (0..ways.len()).filter(|&way| ways[way].to.is_some());
    match kind(proof, leaf) {
        StepKind::Still => Ok(vec![]),
        StepKind::Step | StepKind::BoundedStrong | StepKind::BoundedWeak => Ok(steps.collect()),
        StepKind::Strong => {
            let mut shortest = ShortestSteps::new();
            for way in steps {
                shortest.see(way, proof.outlook_after(way)?.steps);
            }
            Ok(shortest.ways)
        }
        StepKind::Weak => {
            let passed = passed(proof, leaf);
            let closes = |way: &Way| closes(way.kind);
            let fresh = |way: &Way| !way.to.as_ref().is_some_and(|to| passed.contains(to));
            Ok(steps
                .filter(|&way| closes(&ways[way]) || fresh(&ways[way]))
                .collect())
        }
    }
}

/// Whether a way steps back to a state of the path for good.
pub(super) fn closes(kind: WayKind) -> bool {
    matches!(kind, WayKind::Close(_) | WayKind::Loop(1))
}

/// The ways of an added rule that plans whole paths: the one being followed, or else the one it offers.
pub(super) fn planned_by(ways: &[Way], rule: usize) -> Vec<usize> {
    let mine = |way: &usize| ways[*way].by == Some(rule);
    let followed = |way: &usize| mine(way) && ways[*way].planned;
    let followed: Vec<usize> = (0..ways.len()).filter(followed).collect();
    match followed.is_empty() {
        true => (0..ways.len()).filter(mine).collect(),
        false => followed,
    }
}

/// The ways that are best for a wish about whole runs and those before it. `None` when nobody knows which are, or
/// none of them is on offer any more because another strategy has chosen before.
pub(super) fn best_for(proof: &dyn Proof, wish: usize, ways: &[Way]) -> Run<Option<Vec<usize>>> {
    let mut best = Vec::new();
    for way in 0..ways.len() {
        match proof.is_best_for(wish, way)? {
            Some(true) => best.push(way),
            Some(false) => {}
            None => return Ok(None),
        }
    }
    Ok((!best.is_empty()).then_some(best))
}

/// The last states of the path of an obligation, its own among them.
fn passed(proof: &dyn Proof, leaf: ProofId) -> Vec<Vec<Value>> {
    let mut states = Vec::new();
    let mut here = Some(leaf);
    while let Some(node) = here.filter(|_| states.len() < LOOKED_BACK) {
        states.push(proof.values(proof.nodes()[node].at));
        here = proof.before(node);
    }
    states
}

/// The ways with the least of some number, as they are seen.
pub(super) struct ShortestSteps<N> {
    best: Option<N>,
    pub(super) ways: Vec<usize>,
}

impl<N: Ord + Copy> ShortestSteps<N> {
    pub(super) fn new() -> Self {
        Self {
            best: None,
            ways: Vec::new(),
        }
    }

    /// Takes a way into account.
    pub(super) fn see(&mut self, way: usize, number: N) {
        match self.best {
            Some(best) if number > best => {}
            Some(best) if number == best => self.ways.push(way),
            _ => {
                self.best = Some(number);
                self.ways = vec![way];
            }
        }
    }
}
