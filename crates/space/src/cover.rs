//! Readable descriptions of sets: a few conditions on variables instead of a list of states.

use wherefore_base::{Run, Value};
use wherefore_model::VarId;

use crate::StateSpace;

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
    let mut kept: Vec<_> = fixed
        .filter(|(var, _)| vars[*var].domain.size() > 1)
        .collect();
    for at in (0..kept.len()).rev() {
        let (var, values) = kept.remove(at);
        let touched = space.meet(&space.states_with(&kept)?, outside)?;
        if !space.is_empty(&touched) {
            kept.insert(at, (var, values));
        }
    }
    for at in 0..kept.len() {
        let domain = vars[kept[at].0].domain.clone();
        if domain.size() > 64 {
            continue;
        }
        for value in domain
            .values()
            .filter(|v| !kept[at].1.contains(v))
            .collect::<Vec<_>>()
        {
            kept[at].1.push(value);
            let touched = space.meet(&space.states_with(&kept)?, outside)?;
            if !space.is_empty(&touched) {
                kept[at].1.pop();
            }
        }
        kept[at].1.sort_by_key(|&v| domain.index_of(v));
    }
    Ok(Cube { values: kept })
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
