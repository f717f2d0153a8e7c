//! The sets of a certificate: regions taken apart in layers, and rings around what can be reached.
//!
//! Taking layers away until nothing is left is the fixpoint of Emerson and Lei (1986) seen from the other
//! side: what it removes, and why, is the reason that there is no fair path.

use wherefore_base::Run;
use wherefore_logic::Fairness;
use wherefore_proof::certificate::LayerReason;
use wherefore_space::{Rings, StateSpace};

/// A layer before it is described: its states, those left after it, and why it goes.
pub(super) struct RawLayer<Set> {
    pub(super) states: Set,
    /// What is left and is not in the layer: what its description must keep out.
    pub(super) elsewhere: Set,
    pub(super) reason: LayerReason,
}

/// Takes a region apart in which no fair path stays; `None` when there are more than so many layers.
pub(super) fn layers<S: StateSpace>(
    space: &S,
    region: &S::Set,
    fairness: &Fairness<S::Set>,
    most: usize,
) -> Run<Option<Vec<RawLayer<S::Set>>>> {
    let mut left = region.clone();
    let mut layers = Vec::new();
    while !space.is_empty(&left) {
        space.budget().check()?;
        let Some((states, gone, reason)) = next_layer(space, &left, fairness)? else {
            return Ok(None);
        };
        if layers.len() == most {
            return Ok(None);
        }
        let elsewhere = space.minus(&left, &states)?;
        // Of a compassion layer only the states with `p` go: a path that avoids `p` may still stay in the
        // others.
        left = space.minus(&left, &gone)?;
        layers.push(RawLayer {
            states,
            elsewhere,
            reason,
        });
    }
    Ok(Some(layers))
}

type FoundLayer<Set> = Option<(Set, Set, LayerReason)>;

/// What goes next: the states of the layer, and those of them that are taken away.
fn next_layer<S: StateSpace>(
    space: &S,
    left: &S::Set,
    fairness: &Fairness<S::Set>,
) -> Run<FoundLayer<S::Set>> {
    for (at, condition) in fairness.justice.iter().enumerate() {
        let states = never(space, left, condition)?;
        if !space.is_empty(&states) {
            return Ok(Some((states.clone(), states, LayerReason::Justice(at))));
        }
    }
    for (at, (p, q)) in fairness.compassion.iter().enumerate() {
        let states = never(space, left, q)?;
        let gone = space.meet(&states, p)?;
        if !space.is_empty(&gone) {
            return Ok(Some((states, gone, LayerReason::Compassion(at))));
        }
    }
    let states = space.minus(left, &space.pre(left)?)?;
    let some = !space.is_empty(&states);
    Ok(some.then(|| (states.clone(), states, LayerReason::StepsOut)))
}

/// The states of a set from which no path within it meets a condition.
fn never<S: StateSpace>(space: &S, left: &S::Set, condition: &S::Set) -> Run<S::Set> {
    let goal = space.meet(left, condition)?;
    space.minus(left, space.until(left, &goal)?.all())
}

/// The states of a set that a fair path within it can visit again and again: each has a step within the
/// result, can meet every justice condition and, where it meets the first condition of a compassion pair,
/// the second.
pub(super) fn core<S: StateSpace>(
    space: &S,
    stay: &S::Set,
    fairness: &Fairness<S::Set>,
) -> Run<S::Set> {
    let mut core = stay.clone();
    while let Some((_, gone, _)) = next_layer(space, &core, fairness)? {
        space.budget().check()?;
        core = space.minus(&core, &gone)?;
    }
    Ok(core)
}

/// A ring, and all states that are not farther away.
type RingStates<Set> = (Set, Set);

/// The rings around a goal, nearest first, each with all states that are not farther away; `None` when
/// there are more than so many.
pub(super) fn rings<S: StateSpace>(
    space: &S,
    stay: &S::Set,
    goal: &S::Set,
    most: usize,
) -> Run<Option<Vec<RingStates<S::Set>>>> {
    let all = space.until(stay, goal)?;
    let mut reached = goal.clone();
    let mut rings = Vec::new();
    for distance in 1.. {
        space.budget().check()?;
        let Some(ring) = all.ring(distance).filter(|ring| !space.is_empty(ring)) else {
            break;
        };
        if rings.len() == most {
            return Ok(None);
        }
        reached = space.join(&reached, &ring)?;
        rings.push((ring, reached.clone()));
    }
    Ok(Some(rings))
}
