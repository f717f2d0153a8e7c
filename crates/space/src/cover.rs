//! Readable descriptions of sets: a few conditions on variables instead of a list of states.

use wherefore_base::{Run, Value};
use wherefore_model::{Cover, Cube, VarId};

use crate::StateSpace;

/// Variables with more values than this are not widened to several of them.
const WIDENED: u128 = 64;

/// Describes a set by at most `limit` cubes, relative to the reachable states: an unreachable state
/// may satisfy the description.
///
/// Each cube starts from the least state not yet described and drops variables, last declared first,
/// as long as no reachable state outside the set gets in. The result depends on the set alone.
pub fn cover<S: StateSpace + ?Sized>(space: &S, set: &S::Set, limit: usize) -> Run<Cover> {
    let outside = space.minus(space.reachable(), set)?;
    let mut cover = cover_apart(space, set, &outside, limit)?;
    for cube in &mut cover.cubes {
        only_reached(space, cube)?;
    }
    Ok(cover)
}

/// Drops values that no reachable state of a cube has: they are allowed, and would only puzzle people.
fn only_reached<S: StateSpace + ?Sized>(space: &S, cube: &mut Cube) -> Run<()> {
    let states = space.meet(space.reachable(), &space.states_with(&cube.values)?)?;
    for (var, values) in &mut cube.values {
        if values.len() > 1 {
            space.budget().check()?;
            let mut reached = Vec::new();
            for &value in values.iter() {
                let with = space.states_with(&[(*var, vec![value])])?;
                if !space.is_empty(&space.meet(&states, &with)?) {
                    reached.push(value);
                }
            }
            *values = reached;
        }
    }
    Ok(())
}

/// Describes a set as [`cover`] does, only apart from the states of another one: any further state may
/// satisfy the description.
pub fn cover_apart<S: StateSpace + ?Sized>(
    space: &S,
    set: &S::Set,
    outside: &S::Set,
    limit: usize,
) -> Run<Cover> {
    let mut cubes: Vec<(Cube, S::Set)> = Vec::new();
    let mut left = set.clone();
    while let Some(state) = space.first(&left)? {
        if cubes.len() == limit {
            break;
        }
        space.budget().check()?;
        let (cube, states) = expand(space, &space.values(&state), outside)?;
        left = space.minus(&left, &states)?;
        cubes.push((cube, states));
    }
    let complete = space.is_empty(&left);
    Ok(Cover {
        cubes: irredundant(space, cubes)?,
        complete,
    })
}

/// The largest cube around a state, reachable or not, that dropping variables gives, last declared first,
/// without a state of `outside`.
pub fn widest_cube<S: StateSpace + ?Sized>(
    space: &S,
    state: &[Value],
    outside: &S::Set,
) -> Run<Cube> {
    Ok(expand(space, state, outside)?.0)
}

/// The largest cube around a state that dropping variables gives, without a state of `outside`, and
/// the states it describes.
fn expand<S: StateSpace + ?Sized>(
    space: &S,
    state: &[Value],
    outside: &S::Set,
) -> Run<(Cube, S::Set)> {
    let vars = &space.model().vars;
    let mut conditions = Vec::new();
    for (at, &value) in state.iter().enumerate() {
        let var = VarId::new(at);
        if vars[var].domain.size() > 1 {
            let values = vec![value];
            let states = space.states_with(&[(var, values.clone())])?;
            conditions.push(CoverCondition {
                var,
                values,
                states,
            });
        }
    }
    let mut kept = needed(space, conditions, outside)?;
    let states = widen(space, &mut kept, outside)?;
    let values = kept.into_iter().map(|kept| (kept.var, kept.values));
    let values = values.collect();
    Ok((Cube::of(values), states))
}

/// A variable, the values it may have, and the states where it has one of them.
struct CoverCondition<Set> {
    var: VarId,
    values: Vec<Value>,
    states: Set,
}

/// The conditions without those that can go, last first.
fn needed<S: StateSpace + ?Sized>(
    space: &S,
    conditions: Vec<CoverCondition<S::Set>>,
    outside: &S::Set,
) -> Run<Vec<CoverCondition<S::Set>>> {
    // What each condition must keep out: the states outside that agree with all before it.
    let mut before = vec![outside.clone()];
    for condition in &conditions {
        let last = before.last().expect("there is a first one");
        if space.is_empty(last) {
            break;
        }
        before.push(space.meet(last, &condition.states)?);
    }
    let mut kept = Vec::new();
    let mut after = space.reachable().clone();
    for (at, condition) in conditions.into_iter().enumerate().rev() {
        space.budget().check()?;
        // Where no state outside agrees with all conditions before, this one keeps nothing out.
        let Some(before) = before.get(at).filter(|before| !space.is_empty(before)) else {
            continue;
        };
        // A state outside meets all conditions before and those kept after, so only this one keeps it out.
        if !space.is_empty(&space.meet(before, &after)?) {
            after = space.meet(&after, &condition.states)?;
            kept.push(condition);
        }
    }
    kept.reverse();
    Ok(kept)
}

/// Gives the conditions as many values as fit, first condition first; returns what they describe.
fn widen<S: StateSpace + ?Sized>(
    space: &S,
    kept: &mut [CoverCondition<S::Set>],
    outside: &S::Set,
) -> Run<S::Set> {
    let vars = &space.model().vars;
    // The states that agree with all conditions after each.
    let mut after = vec![space.reachable().clone()];
    for condition in kept.iter().skip(1).rev() {
        let last = after.last().expect("there is a first one");
        after.push(space.meet(last, &condition.states)?);
    }
    let mut described = space.reachable().clone();
    for condition in kept {
        let after = after.pop().expect("there is one for each condition");
        let (var, domain) = (condition.var, &vars[condition.var].domain);
        // Of two values both would be no condition at all, and `needed` has dropped such conditions.
        if domain.size() <= WIDENED && domain.size() > 2 {
            let others = space.meet(&space.meet(&described, &after)?, outside)?;
            for value in domain.values() {
                if !condition.values.contains(&value) {
                    let more = space.states_with(&[(var, vec![value])])?;
                    if space.is_empty(&space.meet(&others, &more)?) {
                        condition.values.push(value);
                        condition.states = space.join(&condition.states, &more)?;
                    }
                }
            }
            condition
                .values
                .sort_by_key(|&value| domain.index_of(value));
        }
        described = space.meet(&described, &condition.states)?;
    }
    Ok(described)
}

/// Drops cubes whose states the others describe too.
fn irredundant<S: StateSpace + ?Sized>(
    space: &S,
    mut cubes: Vec<(Cube, S::Set)>,
) -> Run<Vec<Cube>> {
    // From the last on: where either of two cubes could go, the one with the lesser state stays.
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
