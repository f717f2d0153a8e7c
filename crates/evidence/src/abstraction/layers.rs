//! The shortest runs of a claim, position by position.
//!
//! First backward: from how many states is each stage shown in how few steps. Then forward from the
//! starts, along states from which it can still be shown in time. Different runs to the same state may
//! have different stages open there, and one run may be shown in several ways; so a position is made of
//! *cells*, each the states with the same set of open stages (the subset construction). A run goes
//! through one cell at each position, and so is counted once.

use num_bigint::BigUint;
use wherefore_base::Run;
use wherefore_proof::{AbstractOptions, NoAbstract, Split, Width};
use wherefore_space::StateSpace;

use super::stages::{StageId, Stages};

/// Longer runs have no abstract form.
pub(super) const MOST_STEPS: usize = 1_000;
/// No position is made of more cells.
const MOST_CELLS: usize = 64;

/// For each stage the states from which it is shown in a number of steps and not in fewer.
pub(super) type StageRings<Set> = Vec<Option<Set>>;

/// The states of a position with the same open stages.
pub(super) struct LayerCell<Set> {
    /// Ascending.
    pub(super) stages: Vec<StageId>,
    pub(super) states: Set,
}

/// From some states of a cell all runs go on in one cell of the next position.
pub(super) struct LayerMove<Set> {
    pub(super) from: usize,
    pub(super) states: Set,
    pub(super) to: usize,
}

/// All shortest runs from some starts, or those that the options leave.
///
/// Invariant: every state of a cell is in exactly one of the moves from it, except at the last
/// position; it has a successor in the cell that the move leads to; and every state but those of the
/// first position has a predecessor in such a move.
pub(super) struct AbstractLayers<Set> {
    /// Ring `i`: shown in `i` steps.
    pub(super) rings: Vec<StageRings<Set>>,
    pub(super) positions: Vec<Vec<LayerCell<Set>>>,
    /// From each position to the next.
    pub(super) moves: Vec<Vec<LayerMove<Set>>>,
}

impl<Set: Clone + Eq> AbstractLayers<Set> {
    /// The shortest runs from the starts, at each of which the first stage can be shown.
    pub(super) fn new<S: StateSpace<Set = Set>>(
        space: &S,
        stages: &Stages<Set>,
        starts: &Set,
        options: &AbstractOptions,
    ) -> Run<Result<Self, NoAbstract>> {
        let Some(rings) = rings(space, stages, starts)? else {
            return Ok(Err(NoAbstract::TooLong(MOST_STEPS)));
        };
        forward(space, stages, rings, starts, options)
    }

    /// How many steps each run has.
    pub(super) fn steps(&self) -> usize {
        self.moves.len()
    }

    /// All states of a position.
    pub(super) fn states<S: StateSpace<Set = Set>>(&self, space: &S, position: usize) -> Run<Set> {
        let mut all = space.nothing();
        for cell in &self.positions[position] {
            all = space.join(&all, &cell.states)?;
        }
        Ok(all)
    }

    /// How many runs there are; `None` when counting them takes too much.
    pub(super) fn count<S: StateSpace<Set = Set>>(&self, space: &S) -> Run<Option<BigUint>> {
        // Counting goes from the end: the weight of a state is the number of runs from it.
        let mut weights = Vec::new();
        let last = self.positions.last().expect("there is a first position");
        for cell in last {
            weights.push(space.ones(&cell.states)?);
        }
        for (cells, moves) in self.positions.iter().zip(&self.moves).rev() {
            space.budget().check()?;
            let mut before: Vec<Option<S::Weights>> = vec![None; cells.len()];
            for step in moves {
                let Some(weights) = &weights[step.to] else {
                    return Ok(None);
                };
                let Some(sums) = space.sums_of_successors(weights, &step.states)? else {
                    return Ok(None);
                };
                // The moves from a cell have disjoint states, so no run is added twice.
                before[step.from] = match before[step.from].take() {
                    Some(others) => space.plus(&others, &sums)?,
                    None => Some(sums),
                };
                if before[step.from].is_none() {
                    return Ok(None);
                }
            }
            weights = before;
        }
        let mut runs = BigUint::ZERO;
        for weights in weights {
            let total = match &weights {
                Some(weights) => space.total(weights)?,
                None => None,
            };
            match total {
                Some(total) => runs += total,
                None => return Ok(None),
            }
        }
        Ok(Some(runs))
    }
}

/// The rings up to the first in which the first stage meets a start; `None` when that is too far away.
fn rings<S: StateSpace>(
    space: &S,
    stages: &Stages<S::Set>,
    starts: &S::Set,
) -> Run<Option<Vec<StageRings<S::Set>>>> {
    let first = Stages::<S::Set>::first();
    let mut seen: Vec<S::Set> = stages.ways.ids().map(|_| space.nothing()).collect();
    let mut rings: Vec<StageRings<S::Set>> = Vec::new();
    while rings.len() <= MOST_STEPS {
        space.budget().check()?;
        let mut before: StageRings<S::Set> = vec![None; seen.len()];
        if let Some(ring) = rings.last() {
            for (before, nearer) in before.iter_mut().zip(ring) {
                if let Some(nearer) = nearer {
                    *before = Some(space.pre(nearer)?);
                }
            }
        }
        let mut ring: StageRings<S::Set> = Vec::with_capacity(seen.len());
        for (stage, ways) in stages.ways.entries() {
            let mut states = space.nothing();
            for way in ways {
                let there = match way.then {
                    // A way that ends here takes no step, so it counts in ring 0 only.
                    None if rings.is_empty() => way.here.clone(),
                    Some(then) => match &before[then.index()] {
                        Some(before) => space.meet(&way.here, before)?,
                        None => continue,
                    },
                    None => continue,
                };
                states = space.join(&states, &there)?;
            }
            let seen = &mut seen[stage.index()];
            states = space.minus(&states, seen)?;
            if space.is_empty(&states) {
                ring.push(None);
            } else {
                *seen = space.join(seen, &states)?;
                ring.push(Some(states));
            }
        }
        let met = match &ring[first.index()] {
            Some(states) => !space.is_empty(&space.meet(states, starts)?),
            None => false,
        };
        rings.push(ring);
        if met {
            return Ok(Some(rings));
        }
    }
    Ok(None)
}

fn forward<S: StateSpace>(
    space: &S,
    stages: &Stages<S::Set>,
    rings: Vec<StageRings<S::Set>>,
    starts: &S::Set,
    options: &AbstractOptions,
) -> Run<Result<AbstractLayers<S::Set>, NoAbstract>> {
    let first = Stages::<S::Set>::first();
    let farthest = rings.last().and_then(|ring| ring[first.index()].as_ref());
    let mut states = space.meet(farthest.expect("the last ring has a start"), starts)?;
    if options.width == Width::One {
        states = least(space, &states)?;
    }
    let mut positions = vec![vec![LayerCell {
        stages: vec![first],
        states,
    }]];
    let mut moves = Vec::new();
    // The last ring is that of the starts.
    for ring in rings.iter().rev().skip(1) {
        space.budget().check()?;
        let cells = positions.last().expect("there is a first position");
        let mut next: Vec<LayerCell<S::Set>> = Vec::new();
        let mut steps = Vec::new();
        for (from, cell) in cells.iter().enumerate() {
            for (states, then) in parts(space, stages, ring, cell, options)? {
                let in_time = then.iter().filter_map(|stage| ring[stage.index()].as_ref());
                let mut targets = space.nothing();
                for states in in_time {
                    targets = space.join(&targets, states)?;
                }
                let mut after = space.meet(&space.post(&states)?, &targets)?;
                if options.width == Width::One {
                    after = least(space, &after)?;
                }
                let known = next.iter().position(|cell| cell.stages == then);
                let to = known.unwrap_or(next.len());
                match next.get_mut(to) {
                    Some(cell) => cell.states = space.join(&cell.states, &after)?,
                    None => next.push(LayerCell {
                        stages: then,
                        states: after,
                    }),
                }
                steps.push(LayerMove { from, states, to });
            }
        }
        if next.len() > MOST_CELLS {
            return Ok(Err(NoAbstract::TooManyStages));
        }
        positions.push(next);
        moves.push(steps);
    }
    Ok(Ok(AbstractLayers {
        rings,
        positions,
        moves,
    }))
}

/// The states of a cell by what is open at the next position, where `ring` is in time.
fn parts<S: StateSpace>(
    space: &S,
    stages: &Stages<S::Set>,
    ring: &StageRings<S::Set>,
    cell: &LayerCell<S::Set>,
    options: &AbstractOptions,
) -> Run<Vec<(S::Set, Vec<StageId>)>> {
    let ways = cell.stages.iter().flat_map(|&stage| &stages.ways[stage]);
    let open = |then: Option<StageId>| then.filter(|then| ring[then.index()].is_some());
    let ways = ways.filter_map(|way| open(way.then).map(|then| (&way.here, then)));
    let mut ways: Vec<(&S::Set, StageId)> = ways.collect();
    // Where all ways lead to one stage, no state has to be told from another.
    let one = ways.iter().all(|(_, then)| *then == ways[0].1);
    if one && let Some((_, then)) = ways.first() {
        return Ok(vec![(cell.states.clone(), vec![*then])]);
    }
    if options.split == Split::Right {
        ways.reverse();
    }
    let prefers = options.prefers();
    // By next stage, or, where one way is preferred to another, way by way.
    let mut takes: Vec<(S::Set, StageId)> = Vec::new();
    for (here, then) in ways {
        let before = space.pre(ring[then.index()].as_ref().expect("it is open"))?;
        let takes_it = space.meet(here, &before)?;
        match takes
            .iter_mut()
            .find(|(_, other)| *other == then && !prefers)
        {
            Some((states, _)) => *states = space.join(states, &takes_it)?,
            None => takes.push((takes_it, then)),
        }
    }
    let mut parts = vec![(cell.states.clone(), vec![])];
    for (states, then) in takes {
        let mut split = Vec::new();
        for (part, stages) in parts {
            // Under a preference a state goes with the first way that takes it.
            if prefers && !stages.is_empty() {
                split.push((part, stages));
                continue;
            }
            let inside = space.meet(&part, &states)?;
            let outside = space.minus(&part, &states)?;
            if !space.is_empty(&inside) {
                let mut more: Vec<StageId> = stages.clone();
                more.push(then);
                more.sort_unstable();
                split.push((inside, more));
            }
            if !space.is_empty(&outside) {
                split.push((outside, stages));
            }
        }
        parts = split;
    }
    parts.retain(|(_, stages)| !stages.is_empty());
    Ok(parts)
}

/// The least state of a set that is not empty, as a set.
fn least<S: StateSpace>(space: &S, set: &S::Set) -> Run<S::Set> {
    match space.first(set)? {
        Some(state) => space.just(&state),
        None => Ok(space.nothing()),
    }
}
