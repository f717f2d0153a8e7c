//! Who could still have avoided a decisive step: the environment, or the system.
//!
//! In each step the environment chooses the inputs and the next values of the state variables that are
//! marked as its own; the system reacts with the next values of all others. The environment could have
//! avoided a step when another choice of it leaves a reaction that keeps the chance, *surely* when every
//! reaction to it does. The system could have when another reaction to the same choice does. Only steps
//! to states from which a path goes on count.

use std::collections::BTreeMap;

use wherefore_base::{Run, Value};
use wherefore_model::{Origin, VarId};
use wherefore_proof::{Avoidance, OtherChoice};
use wherefore_space::StateSpace;

use crate::fragment::differing;

/// States with more successors than this are not looked at, nor steps with more inputs in all.
const MOST: usize = 1_000;

/// What the reactions to a choice of the environment lead to.
#[derive(Default)]
struct Reactions {
    /// Whether some of them keeps the chance.
    some: bool,
    /// Whether some of them loses it.
    lost: bool,
}

/// Who could have avoided the step from a state to another under an input, given where the chance is kept and from where a
/// path goes on; `None` when there is no
/// environment, or when there are too many steps to look at.
pub(crate) fn avoidance<S: StateSpace>(
    space: &S,
    own: &[VarId],
    (kept, live): (&S::Set, &S::Set),
    (from, to): (&S::State, &S::State),
    input: &[Value],
) -> Run<Option<Avoidance>> {
    let model = space.model();
    let own = own.iter().filter(|var| var.index() < model.state_vars());
    let own: Vec<VarId> = own.copied().collect();
    // Which operation a step is, is nobody's choice but the system's.
    let inputs = model.vars.as_slice()[model.state_vars()..].iter();
    let chosen = inputs.filter(|input| input.origin != Origin::Operation);
    if own.is_empty() && chosen.count() == 0 {
        return Ok(None);
    }
    let chosen = |input: &[Value], state: &S::State| -> Vec<Value> {
        let values = space.values(state);
        let own = own.iter().map(|var| values[var.index()]);
        input.iter().copied().chain(own).collect()
    };
    let mut choices: BTreeMap<Vec<Value>, Reactions> = BTreeMap::new();
    let mut seen = 0;
    for state in space.successors(from)?.take(MOST + 1) {
        let state = state?;
        space.budget().check()?;
        // The count is of all successors together and is at most the limit here, so this cannot underflow.
        let inputs = space.inputs(from, &state, MOST + 1 - seen)?;
        seen += inputs.len();
        if seen > MOST {
            return Ok(None);
        }
        if !space.contains(live, &state) {
            continue;
        }
        for input in &inputs {
            let reactions = choices.entry(chosen(input, &state)).or_default();
            match space.contains(kept, &state) {
                true => reactions.some = true,
                false => reactions.lost = true,
            }
        }
    }
    let taken = chosen(input, to);
    let system = choices.get(&taken).is_some_and(|reactions| reactions.some);
    let others = choices
        .iter()
        .filter(|(choice, reactions)| **choice != taken && reactions.some);
    // A choice that surely keeps the chance is best, then the one nearest to what was chosen.
    let best = others.min_by_key(|(choice, reactions)| {
        (reactions.lost, differing(&taken, choice), (*choice).clone())
    });
    let inputs = model.vars.ids().skip(model.state_vars());
    let vars: Vec<VarId> = inputs.chain(own.iter().copied()).collect();
    let environment = best.map(|(choice, reactions)| {
        let pairs = vars.iter().zip(choice).zip(&taken);
        let other = pairs.filter(|((_, new), old)| new != old);
        OtherChoice {
            values: other.map(|((&var, &new), _)| (var, new)).collect(),
            sure: !reactions.lost,
        }
    });
    Ok(Some(Avoidance {
        environment,
        system,
    }))
}
