//! Readable descriptions of sets: a few conditions on variables instead of a list of states.

use wherefore_base::{Run, Value};
use wherefore_model::VarId;

use crate::StateSpace;

/// Variables with more values than this are not widened to several of them.
const WIDENED: u64 = 64;

/// `x = 1 & y in {a, b}`: the states whose variables have one of the values listed for them.
///
/// Invariant: variables ascend, and each has some but not all values of its domain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cube {
    /// The variables that matter, each with its values in the order of its domain.
    pub values: Vec<(VarId, Vec<Value>)>,
}

/// A union of cubes that describes a set among the reachable states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// The cubes.
    pub cubes: Vec<Cube>,
    /// Whether the cubes describe the whole set; otherwise they describe only a part of it.
    pub complete: bool,
}

/// Describes a set by at most `limit` cubes, relative to the reachable states: an unreachable state
/// may satisfy the description.
///
/// Each cube starts from the least state not yet described and drops variables, last declared first,
/// as long as no reachable state outside the set gets in. The result depends on the set alone.
pub fn cover<S: StateSpace + ?Sized>(space: &S, set: &S::Set, limit: usize) -> Run<Cover> {
    let outside = space.minus(space.reachable(), set)?;
    let mut cubes: Vec<(Cube, S::Set)> = Vec::new();
    let mut left = set.clone();
    while let Some(state) = space.first(&left)? {
        if cubes.len() == limit {
            break;
        }
        space.budget().check()?;
        let cube = expand(space, &space.values(&state), &outside)?;
        let states = space.states_with(&cube.values)?;
        left = space.minus(&left, &states)?;
        cubes.push((cube, states));
    }
    let complete = space.is_empty(&left);
    Ok(Cover {
        cubes: irredundant(space, cubes)?,
        complete,
    })
}

/// The largest cube around a state that dropping variables gives, without a state of `outside`.
fn expand<S: StateSpace + ?Sized>(space: &S, state: &[Value], outside: &S::Set) -> Run<Cube> {
    let vars = &space.model().vars;
    let fixed = state.iter().enumerate();
    let fixed = fixed.map(|(at, &value)| (VarId::new(at), vec![value]));
    let fixed: Vec<Condition> = fixed
        .filter(|(var, _)| vars[*var].domain.size() > 1)
        .collect();
    let kept = needed(space, fixed, outside)?;
    widened(space, kept, outside).map(|values| Cube { values })
}

/// A variable and the values it may have.
type Condition = (VarId, Vec<Value>);

/// The conditions without those that can go, last first.
fn needed<S: StateSpace + ?Sized>(
    space: &S,
    conditions: Vec<Condition>,
    outside: &S::Set,
) -> Run<Vec<Condition>> {
    // What each condition must keep out: the states outside that agree with all before it.
    let mut before = vec![outside.clone()];
    for condition in &conditions {
        let last = before.last().expect("there is a first one");
        if space.is_empty(last) {
            break;
        }
        before.push(space.meet(last, &space.states_with(std::slice::from_ref(condition))?)?);
    }
    let mut kept = Vec::new();
    let mut after = space.reachable().clone();
    for (at, condition) in conditions.into_iter().enumerate().rev() {
        space.budget().check()?;
        let Some(before) = before.get(at).filter(|before| !space.is_empty(before)) else {
            continue;
        };
        if !space.is_empty(&space.meet(before, &after)?) {
            after = space.meet(
                &after,
                &space.states_with(std::slice::from_ref(&condition))?,
            )?;
            kept.push(condition);
        }
    }
    kept.reverse();
    Ok(kept)
}

/// The conditions with as many values as fit, first condition first.
fn widened<S: StateSpace + ?Sized>(
    space: &S,
    mut kept: Vec<Condition>,
    outside: &S::Set,
) -> Run<Vec<Condition>> {
    let vars = &space.model().vars;
    // The states that agree with all conditions after each.
    let mut after = vec![space.reachable().clone()];
    for condition in kept.iter().skip(1).rev() {
        let last = after.last().expect("there is a first one");
        after.push(space.meet(last, &space.states_with(std::slice::from_ref(condition))?)?);
    }
    let mut before = outside.clone();
    for condition in &mut kept {
        let after = after.pop().expect("there is one for each condition");
        let (var, domain) = (condition.0, &vars[condition.0].domain);
        if domain.size() <= WIDENED && domain.size() > 2 {
            let others = space.meet(&before, &after)?;
            for value in domain.values() {
                if !condition.1.contains(&value) {
                    let more = space.states_with(&[(var, vec![value])])?;
                    if space.is_empty(&space.meet(&others, &more)?) {
                        condition.1.push(value);
                    }
                }
            }
            condition.1.sort_by_key(|&value| domain.index_of(value));
        }
        before = space.meet(
            &before,
            &space.states_with(std::slice::from_ref(condition))?,
        )?;
    }
    Ok(kept)
}

/// Drops cubes whose states the others describe too.
fn irredundant<S: StateSpace + ?Sized>(
    space: &S,
    mut cubes: Vec<(Cube, S::Set)>,
) -> Run<Vec<Cube>> {
    for at in (0..cubes.len()).rev() {
        let mut own = cubes[at].1.clone();
        for (other, (_, states)) in cubes.iter().enumerate() {
            if other != at {
                own = space.minus(&own, states)?;
            }
        }
        if space.is_empty(&own) {
            cubes.remove(at);
        }
    }
    Ok(cubes.into_iter().map(|(cube, _)| cube).collect())
}
