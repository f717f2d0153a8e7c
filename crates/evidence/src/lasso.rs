//! Lassos: a way to a loop, and the loop, over any state space.
//!
//! [`lasso`] always finds one, the way of Clarke, Grumberg, McMillan and Zhao (1995): visit each fairness
//! constraint by the shortest way, then try to come back; where that is impossible, go on from there,
//! deeper into the graph of components. [`small_lasso`] finds the best one, if it is small.

use rustc_hash::FxHashSet;
use wherefore_base::Run;
use wherefore_logic::Fairness;
use wherefore_space::{Rings, StateSpace};

use crate::fragment::{FragmentSpot, SearchHalt, SearchLimits, SpaceFragment};

/// How much the search for the best lasso may look at.
const SMALL: SearchLimits = SearchLimits {
    states: 1_000,
    steps: 50_000,
    visits: 200_000,
};

/// States to pass from some start, which is not among them, and the position to loop back to (0 is the
/// start).
pub(crate) type FairLasso<T> = (Vec<T>, usize);

/// Which lasso is best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WantedLoop {
    /// The one with the fewest steps, then the fewest before the loop.
    Short,
    /// The one with the shortest loop among those that begin at most so many steps from the start, then
    /// the nearest.
    Turn(u32),
}

/// A lasso from a state of a fair hull within it.
pub(crate) fn lasso<S: StateSpace>(
    space: &S,
    hull: &S::Set,
    fairness: &Fairness<S::Set>,
    from: &S::State,
) -> Run<FairLasso<S::State>> {
    // Go where loops are before looking for one: of a long way there no state is worth a try.
    let recurring = space.recurring(hull)?;
    let rings = space.until(hull, &recurring)?;
    let mut run = vec![from.clone()];
    run.extend(descend(space, &rings, from)?);
    let mut within = recurring;
    loop {
        space.budget().check()?;
        let anchor = run.len() - 1;
        for condition in &fairness.justice {
            visit(space, &within, condition, &mut run, anchor)?;
        }
        let mut narrowed = false;
        for (p, q) in &fairness.compassion {
            if visit(space, &within, q, &mut run, anchor)? {
                continue;
            }
            // No q from here on, so a fair run has no p from some point on: go to where that is so.
            let calm = space.minus(&within, p)?;
            let calm = space.hull(&calm, fairness)?;
            if calm != within {
                let rings = space.until(&within, &calm)?;
                let here = run.last().expect("the run is not empty").clone();
                run.extend(descend(space, &rings, &here)?);
                within = calm;
                narrowed = true;
                break;
            }
        }
        if narrowed {
            continue;
        }
        let home = space.just(&run[anchor])?;
        let rings = space.until(&within, &home)?;
        let here = run.last().expect("the run is not empty").clone();
        // The first step is taken apart from the rest: where the run is at home already, the loop still needs
        // one.
        let back = least_on_way_back(space, &rings, &here)?;
        if let Some(first) = back {
            if rings.distance(&first) != Some(0) {
                run.push(first.clone());
                let mut way = descend(space, &rings, &first)?;
                // The last state of the way is home, where the loop begins.
                way.pop();
                run.extend(way);
            }
            run.remove(0);
            return Ok((run, anchor));
        }
        // No way back: every further turn starts in a component further down, so this ends. Where
        // nothing was visited there is no fairness constraint to move us: take any step within.
        if run.len() - 1 == anchor {
            let accepts = |state: &S::State| space.contains(&within, state);
            let next = nearest_successor(space, &here, accepts, || Ok(within.clone()))?;
            run.push(next.expect("a state of the hull has a successor in it"));
        }
    }
}

/// The best lasso from a state of a fair hull within it, as far as a small search sees.
pub(crate) fn small_lasso<S: StateSpace>(
    space: &S,
    hull: &S::Set,
    fairness: &Fairness<S::Set>,
    from: &S::State,
    wanted: WantedLoop,
) -> Run<Option<FairLasso<S::State>>> {
    // Each condition has one bit of a word in `met`.
    if fairness.justice.len() + 2 * fairness.compassion.len() > 64 {
        return Ok(None);
    }
    let mut small = Small {
        fragment: SpaceFragment::new(space, SMALL, None),
        space,
        hull,
        fairness,
    };
    let mut best = None;
    match small.look(from, wanted, &mut best) {
        Ok(()) | Err(SearchHalt::Exhausted) => {}
        Err(SearchHalt::Stop(stop)) => return Err(stop),
    }
    let state = |&spot: &FragmentSpot| small.fragment.state(spot).clone();
    Ok(best.map(|(spots, back)| (spots.iter().map(state).collect(), back)))
}

/// A shortest way down the rings, the start not included: at each step the successor with the fewest
/// changes, of these the least.
pub(crate) fn descend<S: StateSpace>(
    space: &S,
    rings: &S::Rings,
    from: &S::State,
) -> Run<Vec<S::State>> {
    let distance = rings.distance(from).expect("the start is in the rings");
    let mut states: Vec<S::State> = Vec::new();
    for closer in (0..distance).rev() {
        space.budget().check()?;
        let here = states.last().unwrap_or(from);
        let next = nearest_successor(
            space,
            here,
            |state| rings.is_at(state, closer),
            || {
                Ok(rings
                    .ring(closer)
                    .expect("there is a ring at this distance"))
            },
        )?;
        states.push(next.expect("each ring has a step to the next"));
    }
    Ok(states)
}

/// A successor of a state in the set; `accepts` tells the same of a single state. Among the first 64
/// successors it is the one that changes the fewest variables, of these the least; beyond, the least.
pub(crate) fn nearest_successor<S: StateSpace>(
    space: &S,
    from: &S::State,
    accepts: impl Fn(&S::State) -> bool,
    set: impl FnOnce() -> Run<S::Set>,
) -> Run<Option<S::State>> {
    // Most states have few successors: look at them one by one before asking for whole sets.
    let mut nearest: Option<(u32, S::State)> = None;
    for successor in space.successors(from)?.take(64) {
        let successor = successor?;
        if accepts(&successor) {
            let changes = space.changes(from, &successor);
            if nearest.as_ref().is_none_or(|(fewest, _)| changes < *fewest) {
                nearest = Some((changes, successor));
            }
        }
    }
    if let Some((_, nearest)) = nearest {
        return Ok(Some(nearest));
    }
    let after = space.post(&space.just(from)?)?;
    space.first(&space.meet(&after, &set()?)?)
}

/// The least successor among those nearest to home.
fn least_on_way_back<S: StateSpace>(
    space: &S,
    rings: &S::Rings,
    here: &S::State,
) -> Run<Option<S::State>> {
    const FEW: usize = 64;
    let few = space.successors(here)?.take(FEW);
    let few = few.collect::<Run<Vec<S::State>>>()?;
    // Fewer than were asked for are all that there are.
    if few.len() < FEW {
        let near = few
            .into_iter()
            .filter_map(|state| Some((rings.distance(&state)?, state)));
        return Ok(near.min().map(|(_, state)| state));
    }
    let after = space.post(&space.just(here)?)?;
    // Walking outward through the rings is costly, so whether there is a way back is asked first.
    if space.is_empty(&space.meet(&after, rings.all())?) {
        return Ok(None);
    }
    let mut distance = 0;
    while let Some(ring) = rings.ring(distance) {
        if let Some(first) = space.first(&space.meet(&after, &ring)?)? {
            return Ok(Some(first));
        }
        distance += 1;
    }
    Ok(None)
}

/// Extends the run to a state of `condition` by the shortest way within a set, unless the run from the
/// anchor on has one already; whether there is one at all.
fn visit<S: StateSpace>(
    space: &S,
    within: &S::Set,
    condition: &S::Set,
    run: &mut Vec<S::State>,
    anchor: usize,
) -> Run<bool> {
    let mut turn = run[anchor..].iter();
    if turn.any(|state| space.contains(condition, state)) {
        return Ok(true);
    }
    let goal = space.meet(within, condition)?;
    let rings = space.until(within, &goal)?;
    let here = run.last().expect("the run is not empty").clone();
    if rings.distance(&here).is_none() {
        return Ok(false);
    }
    run.extend(descend(space, &rings, &here)?);
    Ok(true)
}

/// A small search for the best lasso.
struct Small<'a, S: StateSpace> {
    fragment: SpaceFragment<'a, S>,
    space: &'a S,
    hull: &'a S::Set,
    fairness: &'a Fairness<S::Set>,
}

/// A state met by breadth-first search, and which constraints were met on the way.
struct LassoVisit {
    spot: FragmentSpot,
    met: u64,
    before: usize,
    depth: u32,
}

impl<S: StateSpace> Small<'_, S> {
    /// Tries states as the beginning of the loop, nearest first; keeps the best lasso so far, so that
    /// it is there when the search is cut off.
    fn look(
        &mut self,
        from: &S::State,
        wanted: WantedLoop,
        best: &mut Option<FairLasso<FragmentSpot>>,
    ) -> Result<(), SearchHalt> {
        let start = self.fragment.spot(from);
        let mut seen = FxHashSet::from_iter([start]);
        let mut visits = vec![first(start, 0)];
        let mut at = 0;
        // The number that a better lasso must stay below.
        let mut below = u32::MAX;
        while let Some(&LassoVisit { spot, depth, .. }) = visits.get(at) {
            let most = match wanted {
                WantedLoop::Short => below.saturating_sub(1).saturating_sub(depth),
                WantedLoop::Turn(within) if depth <= within => below.saturating_sub(1),
                WantedLoop::Turn(_) => 0,
            };
            // Visits come in order of depth, so later ones leave no more room.
            if most == 0 {
                return Ok(());
            }
            if let Some(turn) = self.turn(spot, most)? {
                let mut spots = way(&visits, at);
                let length = turn.len() as u32 + 1;
                below = match wanted {
                    WantedLoop::Short => depth + length,
                    WantedLoop::Turn(_) => length,
                };
                spots.extend(turn);
                *best = Some((spots, depth as usize));
            }
            for &next in self.fragment.next(spot)?.iter() {
                self.fragment.visit()?;
                let inside = self.space.contains(self.hull, self.fragment.state(next));
                if inside && seen.insert(next) {
                    visits.push(LassoVisit {
                        before: at,
                        depth: depth + 1,
                        ..first(next, 0)
                    });
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// The least shortest fair loop through a spot, of at most `most` steps: the spots after the first.
    fn turn(
        &mut self,
        home: FragmentSpot,
        most: u32,
    ) -> Result<Option<Vec<FragmentSpot>>, SearchHalt> {
        let met = self.met(home);
        let mut seen = FxHashSet::from_iter([(home, met)]);
        let mut visits = vec![first(home, met)];
        let mut at = 0;
        while let Some(&LassoVisit {
            spot, met, depth, ..
        }) = visits.get(at)
        {
            if depth >= most {
                break;
            }
            for &next in self.fragment.next(spot)?.iter() {
                self.fragment.visit()?;
                // Breadth first with successors in order, the first loop that closes is the least of the
                // shortest.
                if next == home && self.is_fair(met) {
                    return Ok(Some(way(&visits, at)));
                }
                if !self.space.contains(self.hull, self.fragment.state(next)) {
                    continue;
                }
                let met = met | self.met(next);
                if seen.insert((next, met)) {
                    visits.push(LassoVisit {
                        spot: next,
                        met,
                        before: at,
                        depth: depth + 1,
                    });
                }
            }
            at += 1;
        }
        Ok(None)
    }

    /// Which fairness conditions a spot meets, one bit each: justice, then the pairs of compassion.
    fn met(&self, spot: FragmentSpot) -> u64 {
        let pairs = self.fairness.compassion.iter().flat_map(|(p, q)| [p, q]);
        let conditions = self.fairness.justice.iter().chain(pairs);
        let state = self.fragment.state(spot);
        let bit = |(bit, condition)| u64::from(self.space.contains(condition, state)) << bit;
        conditions.enumerate().map(bit).sum()
    }

    fn is_fair(&self, met: u64) -> bool {
        let justice = self.fairness.justice.len();
        let has = |bit: usize| met >> bit & 1 == 1;
        let mut pairs = (0..self.fairness.compassion.len()).map(|pair| justice + 2 * pair);
        (0..justice).all(has) && pairs.all(|p| !has(p) || has(p + 1))
    }
}

/// The first visit of a search.
fn first(spot: FragmentSpot, met: u64) -> LassoVisit {
    LassoVisit {
        spot,
        met,
        before: 0,
        depth: 0,
    }
}

/// The spots on the way to a visit, the first visit left out.
fn way(visits: &[LassoVisit], mut at: usize) -> Vec<FragmentSpot> {
    let mut spots = Vec::new();
    while at != 0 {
        spots.push(visits[at].spot);
        at = visits[at].before;
    }
    spots.reverse();
    spots
}
