//! The explicit engine: every reachable state has a number, and the graph is kept in compressed
//! rows.
//!
//! [`Explicit::explore`] finds the states breadth first, on several threads where there are many,
//! sorts them and numbers them in their order. [`Explicit::search`] looks for one state on the fly and
//! keeps no transitions. Successors are found by compiled plans. Sets are bit sets, distances come from
//! breadth-first search, fair paths from strongly connected components.

mod code;
mod compile;
mod explore;
mod found;
mod generate;
mod goal;
mod graph;
mod orbit;
mod plan;
mod raw;
mod reach;
mod restrict;
mod scc;
mod search;
mod store;
mod weights;

use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use fixedbitset::FixedBitSet;
use num_bigint::BigUint;
use wherefore_base::{Budget, Run, Value, define_id};
use wherefore_logic::Fairness;
use wherefore_model::{Model, SpaceEngine, Swap, TermId, VarId};

pub use explore::{ExplorationCounts, ExplorationLimits, GrowthSigns, SpaceTooLarge};
pub use reach::ReachedState;
pub use restrict::ExplicitStepId;
pub use scc::fair_part;
pub use weights::StateWeights;

use crate::layout::StateLayout;
use crate::{Rings, StateSpace};
use explore::{ExplorationEnd, ExplorationResult, LevelShape, StateExploration, told};
use generate::Generator;
use graph::AdjacencyRows;

define_id!(
    /// A reachable state; ids ascend in the order of states.
    pub struct ExplicitStateId
);

/// A variable gets one bit set for each of its values, once asked about, if these have no more bits.
const TABULATED: u128 = 1 << 27;

/// The reachable states of a model, one by one.
#[derive(Debug)]
pub struct Explicit<'m> {
    model: &'m Model,
    budget: Budget,
    layout: StateLayout,
    /// The packed states, one after the other, ascending.
    states: Vec<u64>,
    forward: AdjacencyRows,
    /// The steps turned round, once asked for.
    backward: OnceLock<AdjacencyRows>,
    reachable: FixedBitSet,
    initial: FixedBitSet,
    /// For each variable, the states with each of its values.
    with_value: Vec<OnceLock<Vec<FixedBitSet>>>,
    /// For each variable with too many values for that, the states by its value.
    by_value: Vec<OnceLock<Vec<u32>>>,
    generator: Mutex<Generator<'m>>,
    /// How many symmetries were used.
    symmetries: usize,
}

impl<'m> Explicit<'m> {
    /// Explores a model, unless it is larger than the limits.
    pub fn explore(
        model: &'m Model,
        limits: ExplorationLimits,
        budget: &Budget,
    ) -> Run<Result<Self, SpaceTooLarge>> {
        Self::explore_on(model, limits, threads(), budget)
    }

    /// Explores a model as [`Explicit::explore`] does, on so many threads. Their number changes the time
    /// it takes and nothing else.
    pub fn explore_on(
        model: &'m Model,
        limits: ExplorationLimits,
        threads: usize,
        budget: &Budget,
    ) -> Run<Result<Self, SpaceTooLarge>> {
        let shape = LevelShape::Any;
        told(Self::explored(model, &[], limits, threads, shape, budget))
    }

    /// Explores a model up to symmetries, which must leave it as it is: of states that these turn into each other, some
    /// stand for all. Formulas that symmetric states do not differ in hold as they do in the whole space; its
    /// paths are none of the model.
    pub fn explore_up_to(
        model: &'m Model,
        symmetries: &[&Swap],
        limits: ExplorationLimits,
        budget: &Budget,
    ) -> Run<Result<Self, SpaceTooLarge>> {
        let (threads, shape) = (threads(), LevelShape::Any);
        told(Self::explored(
            model, symmetries, limits, threads, shape, budget,
        ))
    }

    /// Explores a model on one thread, unless it is larger than the limits, or its levels, those states that
    /// are equally far from the initial ones, turn out to have more states than this on average.
    pub fn explore_narrow(
        model: &'m Model,
        limits: ExplorationLimits,
        width: usize,
        budget: &Budget,
    ) -> Run<Result<Self, SpaceTooLarge>> {
        let shape = LevelShape::Narrow(width);
        told(Self::explored(model, &[], limits, 1, shape, budget))
    }

    /// Explores a model on one thread, unless it is larger than the limits, or there are signs that it is. That the
    /// budget ends is such a sign.
    pub fn explore_small(
        model: &'m Model,
        limits: ExplorationLimits,
        signs: GrowthSigns,
        budget: &Budget,
    ) -> Run<Result<Self, SpaceTooLarge>> {
        let shape = LevelShape::Small(signs);
        told(Self::explored(model, &[], limits, 1, shape, budget))
    }

    fn explored(
        model: &'m Model,
        symmetries: &[&Swap],
        limits: ExplorationLimits,
        threads: usize,
        shape: LevelShape,
        budget: &Budget,
    ) -> Result<Self, ExplorationEnd> {
        let mut explorer =
            StateExploration::start(model, symmetries, limits, shape, threads, budget)?;
        explorer.keep_transitions();
        while !explorer.is_done() {
            match (explorer.expand_level(), shape) {
                (Err(ExplorationEnd::Stop(_)), LevelShape::Small(_)) => {
                    return Err(explorer.gives_up());
                }
                (ended, _) => ended?,
            }
        }
        let (explored, layout, generator) = explorer.finish()?;
        Ok(Self {
            symmetries: symmetries.len(),
            ..Self::new(model, budget, layout, generator, explored)
        })
    }

    fn new(
        model: &'m Model,
        budget: &Budget,
        layout: StateLayout,
        generator: Generator<'m>,
        explored: ExplorationResult,
    ) -> Self {
        let count = explored.forward.len();
        let mut reachable = FixedBitSet::with_capacity(count);
        reachable.insert_range(..);
        let mut initial = FixedBitSet::with_capacity(count);
        initial.extend(explored.initial.iter().map(|&state| state as usize));
        Self {
            model,
            budget: budget.clone(),
            layout,
            states: explored.states,
            forward: explored.forward,
            backward: OnceLock::new(),
            reachable,
            initial,
            with_value: (0..model.state_vars()).map(|_| OnceLock::new()).collect(),
            by_value: (0..model.state_vars()).map(|_| OnceLock::new()).collect(),
            generator: Mutex::new(generator),
            symmetries: 0,
        }
    }

    fn len(&self) -> usize {
        self.forward.len()
    }

    fn packed(&self, state: usize) -> &[u64] {
        let words = self.layout.words();
        &self.states[state * words..(state + 1) * words]
    }

    /// The steps turned round.
    fn backward(&self) -> Run<&AdjacencyRows> {
        if let Some(rows) = self.backward.get() {
            return Ok(rows);
        }
        let rows = self.forward.transposed(&mut self.budget.meter())?;
        // Another thread may have been faster, with the same rows.
        Ok(self.backward.get_or_init(|| rows))
    }

    fn generator(&self) -> MutexGuard<'_, Generator<'m>> {
        self.generator
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The neighbours of a set by the edges of `rows`.
    fn image(&self, rows: &AdjacencyRows, set: &FixedBitSet) -> Run<FixedBitSet> {
        let mut meter = self.budget.meter();
        let mut image = self.nothing();
        for state in set.ones() {
            meter.tick()?;
            image.extend(rows.row(state as u32).iter().map(|&state| state as usize));
        }
        Ok(image)
    }

    /// For each value of a variable, the states with that value.
    fn tabulated(&self, var: VarId) -> &[FixedBitSet] {
        self.with_value[var.index()].get_or_init(|| {
            let size = self.model.vars[var].domain.size();
            let mut sets = vec![self.nothing(); size as usize];
            for state in 0..self.len() {
                let index = self.layout.index(self.packed(state), var.index());
                sets[index as usize].insert(state);
            }
            sets
        })
    }

    /// The states where a variable has one of these values.
    fn states_with_one(&self, var: VarId, values: &[Value]) -> Run<FixedBitSet> {
        let domain = &self.model.vars[var].domain;
        let indices = values.iter().filter_map(|&v| domain.index_of(v));
        let mut result = self.nothing();
        // A set of bits for each value is fastest, as long as all of them are small.
        if domain.size().saturating_mul(self.len() as u128) <= TABULATED {
            let sets = self.tabulated(var);
            for index in indices {
                result.union_with(&sets[index as usize]);
            }
            return Ok(result);
        }
        let mut meter = self.budget.meter();
        let index = |state: u32| self.layout.index(self.packed(state as usize), var.index());
        let sorted = self.by_value[var.index()].get_or_init(|| {
            let mut states: Vec<u32> = (0..self.len() as u32).collect();
            states.sort_by_key(|&state| index(state));
            states
        });
        for wanted in indices {
            meter.tick()?;
            let start = sorted.partition_point(|&state| index(state) < wanted);
            let states = sorted[start..].iter();
            let states = states.take_while(|&&state| index(state) == wanted);
            result.extend(states.map(|&state| state as usize));
        }
        Ok(result)
    }
}

impl StateSpace for Explicit<'_> {
    type Set = FixedBitSet;
    type State = ExplicitStateId;
    type Rings = GoalDistances;
    type Weights = StateWeights;

    fn engine(&self) -> SpaceEngine {
        SpaceEngine::Explicit
    }

    fn model(&self) -> &Model {
        self.model
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }

    fn reachable(&self) -> &FixedBitSet {
        &self.reachable
    }

    fn initial(&self) -> &FixedBitSet {
        &self.initial
    }

    fn nothing(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.len())
    }

    fn states_where(&self, condition: TermId) -> Run<FixedBitSet> {
        let mut meter = self.budget.meter();
        let mut generator = self.generator();
        let condition = generator.condition(condition);
        let mut result = self.nothing();
        for state in 0..self.len() {
            meter.tick()?;
            let holds = generator.holds(&condition, self.packed(state), &self.layout);
            result.set(state, holds);
        }
        Ok(result)
    }

    fn states_with(&self, values: &[(VarId, Vec<Value>)]) -> Run<FixedBitSet> {
        let Some(((var, first), others)) = values.split_first() else {
            return Ok(self.reachable.clone());
        };
        let mut result = self.states_with_one(*var, first)?;
        for (var, values) in others {
            result.intersect_with(&self.states_with_one(*var, values)?);
        }
        Ok(result)
    }

    fn meet(&self, a: &FixedBitSet, b: &FixedBitSet) -> Run<FixedBitSet> {
        let mut result = a.clone();
        result.intersect_with(b);
        Ok(result)
    }

    fn join(&self, a: &FixedBitSet, b: &FixedBitSet) -> Run<FixedBitSet> {
        let mut result = a.clone();
        result.union_with(b);
        Ok(result)
    }

    fn minus(&self, a: &FixedBitSet, b: &FixedBitSet) -> Run<FixedBitSet> {
        let mut result = a.clone();
        result.difference_with(b);
        Ok(result)
    }

    fn is_empty(&self, set: &FixedBitSet) -> bool {
        set.is_clear()
    }

    fn count(&self, set: &FixedBitSet) -> Run<BigUint> {
        Ok(set.count_ones(..).into())
    }

    fn contains(&self, set: &FixedBitSet, state: &ExplicitStateId) -> bool {
        set.contains(state.index())
    }

    fn just(&self, state: &ExplicitStateId) -> Run<FixedBitSet> {
        let mut result = self.nothing();
        result.insert(state.index());
        Ok(result)
    }

    fn pre(&self, to: &FixedBitSet) -> Run<FixedBitSet> {
        self.image(self.backward()?, to)
    }

    fn post(&self, from: &FixedBitSet) -> Run<FixedBitSet> {
        self.image(&self.forward, from)
    }

    fn recurring(&self, within: &FixedBitSet) -> Run<FixedBitSet> {
        let mut meter = self.budget.meter();
        let backward = self.backward()?;
        let mut left = within.clone();
        // How many states still lead to each; those that nothing leads to go, one after the other.
        let mut leading = vec![0u32; self.len()];
        let mut gone = Vec::new();
        for state in within.ones() {
            meter.tick()?;
            let before = backward.row(state as u32).iter();
            leading[state] = before.filter(|&&s| within.contains(s as usize)).count() as u32;
            if leading[state] == 0 {
                gone.push(state);
            }
        }
        while let Some(state) = gone.pop() {
            meter.tick()?;
            left.set(state, false);
            for &next in self.forward.row(state as u32) {
                let next = next as usize;
                if within.contains(next) {
                    // The state was counted among those that lead there, so the count is not zero yet.
                    leading[next] -= 1;
                    if leading[next] == 0 {
                        gone.push(next);
                    }
                }
            }
        }
        Ok(left)
    }

    fn resting(&self) -> Run<FixedBitSet> {
        let mut meter = self.budget.meter();
        let mut resting = self.nothing();
        for state in 0..self.len() {
            meter.tick()?;
            let row = self.forward.row(state as u32);
            resting.set(state, row.binary_search(&(state as u32)).is_ok());
        }
        Ok(resting)
    }

    fn until(&self, stay: &FixedBitSet, goal: &FixedBitSet) -> Run<GoalDistances> {
        let mut meter = self.budget.meter();
        let backward = self.backward()?;
        let mut all = goal.clone();
        let mut steps = vec![GoalDistances::NONE; self.len()];
        let mut queue: Vec<u32> = goal.ones().map(|state| state as u32).collect();
        for &state in &queue {
            steps[state as usize] = 0;
        }
        let mut starts = vec![0, queue.len()];
        let mut at = 0;
        while let Some(&state) = queue.get(at) {
            meter.tick()?;
            at += 1;
            for &before in backward.row(state) {
                let from = before as usize;
                if stay.contains(from) && !all.put(from) {
                    steps[from] = steps[state as usize] + 1;
                    queue.push(before);
                }
            }
            // The last state of a ring is done: all that was queued meanwhile is the next ring.
            if starts.last() == Some(&at) && at < queue.len() {
                starts.push(queue.len());
            }
        }
        Ok(GoalDistances {
            all,
            steps,
            queue,
            starts,
        })
    }

    fn forward(&self, from: &FixedBitSet, through: &FixedBitSet) -> Run<FixedBitSet> {
        let mut meter = self.budget.meter();
        let mut all = from.clone();
        let mut open: Vec<u32> = from.ones().map(|state| state as u32).collect();
        while let Some(state) = open.pop() {
            meter.tick()?;
            if !through.contains(state as usize) {
                continue;
            }
            for &after in self.forward.row(state) {
                if !all.put(after as usize) {
                    open.push(after);
                }
            }
        }
        Ok(all)
    }

    fn hull(&self, stay: &FixedBitSet, fairness: &Fairness<FixedBitSet>) -> Run<FixedBitSet> {
        let mut meter = self.budget.meter();
        // A fair path stays within a fair component in the end; the rest is a way to one.
        let fair = scc::fair_nodes(&self.forward, stay, fairness, &mut meter)?;
        Ok(self.until(stay, &fair)?.all)
    }

    fn listed<'a>(
        &'a self,
        set: &'a FixedBitSet,
    ) -> impl Iterator<Item = Run<ExplicitStateId>> + 'a {
        set.ones().map(|state| Ok(ExplicitStateId::new(state)))
    }

    fn successors<'a>(
        &'a self,
        state: &ExplicitStateId,
    ) -> Run<impl Iterator<Item = Run<ExplicitStateId>> + 'a> {
        let row = self.forward.row(state.index() as u32);
        Ok(row
            .iter()
            .map(|&state| Ok(ExplicitStateId::new(state as usize))))
    }

    fn inputs(
        &self,
        from: &ExplicitStateId,
        to: &ExplicitStateId,
        most: usize,
    ) -> Run<Vec<Vec<Value>>> {
        let row = self.forward.row(from.index() as u32);
        if row.binary_search(&(to.index() as u32)).is_err() {
            return Ok(vec![]);
        }
        let mut generator = self.generator();
        generator
            .search()
            .inputs(&self.values(from), &self.values(to), most)
    }

    fn values(&self, state: &ExplicitStateId) -> Vec<Value> {
        self.layout.values(self.model, self.packed(state.index()))
    }

    fn changes(&self, from: &ExplicitStateId, to: &ExplicitStateId) -> u32 {
        let (from, to) = (self.packed(from.index()), self.packed(to.index()));
        self.layout.differing(from, to)
    }

    fn transitions(&self) -> Option<u64> {
        Some(self.forward.edges() as u64)
    }

    fn symmetries(&self) -> usize {
        self.symmetries
    }

    fn ones(&self, set: &FixedBitSet) -> Run<Option<StateWeights>> {
        Ok(Some(StateWeights::ones(set)))
    }

    fn sums_of_successors(
        &self,
        weights: &StateWeights,
        from: &FixedBitSet,
    ) -> Run<Option<StateWeights>> {
        let mut meter = self.budget.meter();
        weights.before(&self.forward, from, &mut meter).map(Some)
    }

    fn plus(&self, a: &StateWeights, b: &StateWeights) -> Run<Option<StateWeights>> {
        a.plus(b, &mut self.budget.meter()).map(Some)
    }

    fn total(&self, weights: &StateWeights) -> Run<Option<BigUint>> {
        Ok(Some(weights.total()))
    }
}

/// How many threads there are for an exploration.
fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// The distance of each state to a goal.
#[derive(Clone, Debug)]
pub struct GoalDistances {
    all: FixedBitSet,
    steps: Vec<u32>,
    /// All states that joined, nearest first.
    queue: Vec<u32>,
    /// Where each ring starts in the queue, and after them where the last one ends.
    starts: Vec<usize>,
}

impl GoalDistances {
    const NONE: u32 = u32::MAX;
}

impl Rings for GoalDistances {
    type Set = FixedBitSet;
    type State = ExplicitStateId;

    fn all(&self) -> &FixedBitSet {
        &self.all
    }

    fn ring(&self, distance: u32) -> Option<FixedBitSet> {
        let start = *self.starts.get(distance as usize)?;
        let end = *self.starts.get(distance as usize + 1)?;
        let mut ring = FixedBitSet::with_capacity(self.steps.len());
        ring.extend(self.queue[start..end].iter().map(|&state| state as usize));
        (!ring.is_clear()).then_some(ring)
    }

    fn distance(&self, state: &ExplicitStateId) -> Option<u32> {
        Some(self.steps[state.index()]).filter(|&steps| steps != Self::NONE)
    }
}
