//! The fixpoints of the trait, written with its other operations; engines override what they can do
//! better.

use wherefore_base::Run;
use wherefore_logic::Fairness;

use crate::{Rings, StateSpace};

/// The rings of `until` by repeated [`StateSpace::pre`], as sets: ring `i` has the states `i` steps
/// away from the goal.
pub fn until_by_pre<S: StateSpace + ?Sized>(
    space: &S,
    stay: &S::Set,
    goal: &S::Set,
) -> Run<(Vec<S::Set>, S::Set)> {
    let mut all = goal.clone();
    let mut rings = vec![goal.clone()];
    loop {
        space.budget().check()?;
        let last = rings.last().expect("there is a first ring");
        // States before older rings are in `all` already.
        let before = space.meet(&space.pre(last)?, stay)?;
        let ring = space.minus(&before, &all)?;
        if space.is_empty(&ring) {
            return Ok((rings, all));
        }
        all = space.join(&all, &ring)?;
        rings.push(ring);
    }
}

/// [`StateSpace::forward`] by repeated [`StateSpace::post`].
pub fn forward_by_post<S: StateSpace + ?Sized>(
    space: &S,
    from: &S::Set,
    through: &S::Set,
) -> Run<S::Set> {
    let mut all = from.clone();
    let mut fresh = from.clone();
    while !space.is_empty(&fresh) {
        space.budget().check()?;
        let next = space.post(&space.meet(&fresh, through)?)?;
        fresh = space.minus(&next, &all)?;
        all = space.join(&all, &fresh)?;
    }
    Ok(all)
}

/// [`StateSpace::recurring`] by repeated [`StateSpace::post`].
pub fn recurring_by_post<S: StateSpace + ?Sized>(space: &S, within: &S::Set) -> Run<S::Set> {
    let mut left = within.clone();
    loop {
        space.budget().check()?;
        let next = space.meet(&left, &space.post(&left)?)?;
        if next == left {
            return Ok(left);
        }
        left = next;
    }
}

/// [`StateSpace::hull`] by fixpoints: Emerson and Lei's for justice, and for compassion the one of
/// Kesten, Pnueli and Raviv (1998).
///
/// The loop narrows `core` to a set in which every state has a successor, can reach every justice
/// condition, and can reach `q` if it satisfies `p`, all within the set. Every terminal strongly
/// connected part of such a set is fair. A state that satisfies `p` on the way to a fair part where
/// `p` never recurs is not in the core, so the hull is all that reaches the core within `stay`.
pub fn hull_by_until<S: StateSpace + ?Sized>(
    space: &S,
    stay: &S::Set,
    fairness: &Fairness<S::Set>,
) -> Run<S::Set> {
    let mut core = stay.clone();
    loop {
        space.budget().check()?;
        let before = core.clone();
        for condition in &fairness.justice {
            let goal = space.meet(&core, condition)?;
            core = space.until(&core, &goal)?.all().clone();
        }
        for (p, q) in &fairness.compassion {
            let goal = space.meet(&core, q)?;
            let good = space.until(&core, &goal)?;
            let harmless = space.minus(&core, p)?;
            core = space.join(&harmless, good.all())?;
        }
        loop {
            space.budget().check()?;
            let next = space.meet(&core, &space.pre(&core)?)?;
            if next == core {
                break;
            }
            core = next;
        }
        if core == before {
            break;
        }
    }
    Ok(space.until(stay, &core)?.all().clone())
}
