//! Breadth-first exploration of a model, level by level.
//!
//! While a state is explored it takes its words, 6 to 12 bytes in the table that finds it, and where
//! transitions are kept 4 bytes and 4 for each transition; the states of a level wait for nothing but
//! their turn. When the states are put into order, the rows exist twice for a while. Afterwards a state
//! takes its words and 4 bytes, and each transition 4; the transitions backwards take as much again,
//! once something asks for them.
//!
//! A wide level is shared among threads: each finds the successors of a part of it, with plans of its
//! own, and one thread then numbers them part by part. So everything is found in the same order with
//! any number of threads, and limits are passed at the same state. Narrow levels, and so small models,
//! never see a second thread.

use std::fmt;
use std::thread;

use wherefore_base::{Budget, Run, Stop};
use wherefore_model::{Model, Swap, TermId};

use super::found::FoundStates;
use super::generate::Generator;
use super::graph::AdjacencyRows;
use super::orbit::Orbits;
use super::store::Store;
use crate::layout::StateLayout;

/// How much an exploration may find; counted, so that the same model always gives the same answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExplorationLimits {
    /// The most states.
    pub states: usize,
    /// The most transitions.
    pub transitions: usize,
}

impl Default for ExplorationLimits {
    /// As many as ids of 32 bits can name.
    fn default() -> Self {
        let most = u32::MAX as usize - 2;
        Self {
            states: most,
            transitions: most,
        }
    }
}

/// An exploration found more than its [`ExplorationLimits`] allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpaceTooLarge {
    /// What there are too many of.
    pub what: ExplorationCounts,
    /// How many there may be.
    pub limit: usize,
    /// Of how many states the successors were found before.
    pub expanded: usize,
    /// How many transitions were found, where they are kept.
    pub transitions: usize,
    /// How many levels were expanded.
    pub levels: usize,
    /// How many turns the search for successors took, counted on one thread only.
    pub turns: u64,
}

/// What an exploration counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExplorationCounts {
    /// Reachable states.
    States,
    /// Transitions between them.
    Transitions,
    /// States of a level, on average.
    Width,
}

impl fmt::Display for SpaceTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.what {
            ExplorationCounts::States => "states",
            ExplorationCounts::Transitions => "transitions",
            ExplorationCounts::Width => "states for each step that they are away",
        };
        write!(f, "the model has more than {} {what}", self.limit)
    }
}

impl std::error::Error for SpaceTooLarge {}

/// Why an exploration ends before everything is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExplorationEnd {
    Stop(Stop),
    Large(SpaceTooLarge),
}

impl From<Stop> for ExplorationEnd {
    fn from(stop: Stop) -> Self {
        ExplorationEnd::Stop(stop)
    }
}

/// Tells apart work that stopped and models that are too large.
pub(super) fn told<T>(outcome: Result<T, ExplorationEnd>) -> Run<Result<T, SpaceTooLarge>> {
    match outcome {
        Ok(found) => Ok(Ok(found)),
        Err(ExplorationEnd::Large(large)) => Ok(Err(large)),
        Err(ExplorationEnd::Stop(stop)) => Err(stop),
    }
}

/// What an exploration finds; states are numbered in their order.
pub(super) struct ExplorationResult {
    /// The packed states, one after the other.
    pub(super) states: Vec<u64>,
    /// The initial states, ascending.
    pub(super) initial: Vec<u32>,
    pub(super) forward: AdjacencyRows,
}

/// Which levels an exploration may have: states that are equally far from the initial ones.
#[derive(Clone, Copy, Debug)]
pub(super) enum LevelShape {
    /// Any.
    Any,
    /// At most so many states in a level on average, counted as if there were [`FIRST_LEVELS`] levels more.
    Narrow(usize),
    /// What it has shows early that it is small.
    Small(GrowthSigns),
}

impl LevelShape {
    /// How many states may be initial, or successors of one.
    fn at_once(self) -> usize {
        match self {
            LevelShape::Small(signs) => signs.first,
            LevelShape::Any | LevelShape::Narrow(_) => usize::MAX,
        }
    }
}

/// What shows early that states are many, or have many successors.
#[derive(Clone, Copy, Debug)]
pub struct GrowthSigns {
    /// More initial states, or successors of a state, are many. After so many transitions it is looked at how many
    /// successors states have.
    pub first: usize,
    /// More successors than these on average are many.
    pub degree: usize,
    /// After so many states it is looked at whether a level adds more than a quarter of them, so that many more must be
    /// expected.
    pub states: usize,
    /// The same after so many turns in the search for successors.
    pub turns: u64,
    /// More turns than these for a state, on average after so many, are many.
    pub hard: u64,
}

/// The transitions found so far, row by row.
#[derive(Debug)]
struct Edges {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Edges {
    /// Where the last row begins.
    fn start(&self) -> usize {
        self.starts.last().map_or(0, |&start| start as usize)
    }
}

/// A narrow exploration may begin with wide levels: its width is counted as if there were so many more.
const FIRST_LEVELS: usize = 2048;

/// Of too many initial states so many are expanded.
const SOME: usize = 16;

/// A level with fewer states for each thread is not shared.
const SHARED: usize = 512;

/// Each thread gets at most so many states at a time.
const PART: usize = 4096;

/// How many small steps of work it takes to find the successors of a state, roughly.
const WORK: u64 = 8;

/// A part ends early when its successors take so many words.
const PART_WORDS: usize = 1 << 22;

/// An exploration under way.
pub(super) struct StateExploration<'m> {
    model: &'m Model,
    layout: StateLayout,
    budget: Budget,
    limits: ExplorationLimits,
    /// How many states there is memory for.
    room: usize,
    threads: usize,
    generator: Generator<'m>,
    /// The generators of the other threads.
    helpers: Vec<Generator<'m>>,
    found: FoundStates,
    /// States that are turned into each other are one.
    orbits: Orbits,
    store: Store,
    /// `None`: transitions are not kept.
    edges: Option<Edges>,
    /// How many states were expanded.
    expanded: usize,
    /// How many levels were expanded.
    levels: usize,
    shape: LevelShape,
    initial: usize,
    /// How many turns it took to find the initial states.
    initial_turns: u64,
}

impl<'m> StateExploration<'m> {
    /// An exploration that has found the initial states. Of states that symmetries turn into each other, it finds some.
    pub(super) fn start(
        model: &'m Model,
        symmetries: &[&Swap],
        limits: ExplorationLimits,
        shape: LevelShape,
        threads: usize,
        budget: &Budget,
    ) -> Result<Self, ExplorationEnd> {
        budget.phase("exploring states");
        let layout = StateLayout::new(model);
        let most = ExplorationLimits::default();
        let limits = ExplorationLimits {
            states: limits.states.min(most.states),
            transitions: limits.transitions.min(most.transitions),
        };
        let words = layout.words();
        let memory = budget.memory();
        // Each word exists twice in the end, as `Store::bytes` counts.
        let room = memory.map_or(usize::MAX, |memory| memory / (16 * words));
        let mut this = Self {
            model,
            layout,
            budget: budget.clone(),
            limits,
            room,
            threads: threads.max(1),
            generator: Generator::new(model, budget),
            helpers: Vec::new(),
            found: FoundStates::new(words, limits.states.min(room).min(shape.at_once())),
            orbits: Orbits::new(model, symmetries),
            store: Store::new(words),
            edges: None,
            expanded: 0,
            levels: 0,
            shape,
            initial: 0,
            initial_turns: 0,
        };
        this.generator.initial(&this.layout, &mut this.found)?;
        this.initial_turns = this.generator.turns();
        let Some(rows) = this.found.states() else {
            this.expand_some();
            return Err(this.too_many_states());
        };
        for row in rows.chunks_exact(words) {
            this.orbits.intern(&mut this.store, row, &this.layout);
        }
        this.initial = this.store.len();
        Ok(this)
    }

    /// Expands some of the initial states, if there are too many and it matters how many successors they have.
    fn expand_some(&mut self) {
        if !matches!(self.shape, LevelShape::Small(_)) {
            return;
        }
        for row in self.found.some(SOME) {
            self.orbits.intern(&mut self.store, row, &self.layout);
        }
        self.keep_transitions();
        // Whatever ends it, there are too many states.
        let _ = self.expand(self.store.len());
    }

    /// Keeps transitions from now on, and begins with the first state again.
    pub(super) fn keep_transitions(&mut self) {
        self.edges = Some(Edges {
            starts: vec![0],
            items: Vec::new(),
        });
        self.expanded = 0;
        self.levels = 0;
    }

    /// How many states were found.
    pub(super) fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether the successors of all states were found.
    pub(super) fn is_done(&self) -> bool {
        self.expanded == self.store.len()
    }

    /// Finds the successors of all states that were found so far and not expanded: the next level.
    pub(super) fn expand_level(&mut self) -> Result<(), ExplorationEnd> {
        self.expand(self.store.len())?;
        self.levels += 1;
        let found = self.store.len();
        match self.shape {
            LevelShape::Narrow(width)
                if found > width.saturating_mul(self.levels + FIRST_LEVELS) =>
            {
                Err(self.too_large(ExplorationCounts::Width, width))
            }
            LevelShape::Small(signs) if self.is_large(signs) => {
                Err(self.too_large(ExplorationCounts::States, self.limits.states))
            }
            _ => Ok(()),
        }
    }

    /// Whether the levels found so far show that the states are many or have successors that are hard to find.
    fn is_large(&self, signs: GrowthSigns) -> bool {
        let (found, turns) = (self.store.len(), self.generator.turns());
        let long = turns > signs.turns;
        let is_growing = found - self.expanded > self.expanded / 4;
        let is_hard = turns > signs.hard.saturating_mul(self.expanded as u64);
        long && is_hard || (long || found > signs.states) && is_growing
    }

    /// Finds the successors of all states up to this number.
    pub(super) fn expand(&mut self, end: usize) -> Result<(), ExplorationEnd> {
        while self.expanded < end {
            let threads = self.threads.min((end - self.expanded) / SHARED);
            if threads > 1 {
                self.expand_together(end, threads)?;
            } else {
                self.expand_one()?;
            }
        }
        Ok(())
    }

    /// Whether a condition holds in a state from this number on.
    pub(super) fn any_from(&mut self, start: usize, condition: TermId) -> Run<bool> {
        let mut meter = self.budget.meter();
        let condition = self.generator.condition(condition);
        for id in start..self.store.len() {
            meter.tick()?;
            let state = self.store.get(id);
            if self.generator.holds(&condition, state, &self.layout) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The states in order with the transitions that were kept; and what made them.
    pub(super) fn finish(self) -> Run<(ExplorationResult, StateLayout, Generator<'m>)> {
        let budget = &self.budget;
        budget.phase("ordering states");
        let mut meter = budget.meter();
        let count = self.store.len();
        let edges = self.edges.unwrap_or(Edges {
            starts: vec![0],
            items: Vec::new(),
        });
        let Edges { mut starts, items } = edges;
        // States that were not expanded have no successors.
        starts.resize(count + 1, items.len() as u32);
        let (states, names) = self.store.sorted();
        budget.check()?;
        let mut initial: Vec<u32> = names[..self.initial].to_vec();
        initial.sort_unstable();
        let forward = AdjacencyRows::new(starts, items).renamed(&names, &mut meter)?;
        let explored = ExplorationResult {
            states,
            initial,
            forward,
        };
        Ok((explored, self.layout, self.generator))
    }

    fn expand_one(&mut self) -> Result<(), ExplorationEnd> {
        if self.expanded.is_multiple_of(64) {
            self.budget.done(self.expanded as u64);
            self.budget.worked(64 * WORK);
            self.budget.check()?;
        }
        // Its rows are read while everything else changes.
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let state = self.store.get(self.expanded);
        self.generator.successors(state, &self.layout, &mut found)?;
        let bytes = found.bytes();
        let outcome = match found.rows() {
            Some(rows) => self.absorb(rows, bytes),
            None => Err(self.too_many_states()),
        };
        self.found = found;
        outcome
    }

    /// Finds the successors of the next states on several threads.
    fn expand_together(&mut self, end: usize, threads: usize) -> Result<(), ExplorationEnd> {
        let words = self.layout.words();
        let share = (end - self.expanded).div_ceil(threads).min(PART);
        let last = end.min(self.expanded + share * threads);
        let level = self.store.range(self.expanded, last).to_vec();
        while self.helpers.len() + 1 < threads {
            self.helpers.push(Generator::new(self.model, &self.budget));
        }
        let (layout, most) = (&self.layout, self.limits.states.min(self.room));
        let mut shares = level.chunks(share * words);
        let own = shares.next().unwrap_or_default();
        // Each thread fills a batch of its own; the store changes only afterwards, on this one.
        let parts: Vec<Run<SuccessorBatch>> = thread::scope(|scope| {
            let helpers = self.helpers.iter_mut().zip(shares);
            let running: Vec<_> = helpers
                .map(|(generator, states)| {
                    scope.spawn(move || SuccessorBatch::of(generator, states, layout, most))
                })
                .collect();
            let first = SuccessorBatch::of(&mut self.generator, own, layout, most);
            let others = running.into_iter().map(|thread| {
                let panicked = |panic| std::panic::resume_unwind(panic);
                thread.join().unwrap_or_else(panicked)
            });
            std::iter::once(first).chain(others).collect()
        });
        let next = self.expanded;
        // Batches are numbered in the order of their states, whichever thread was first.
        for (part, at) in parts.into_iter().zip(0..) {
            let part = part?;
            let mut start = 0;
            for &count in &part.counts {
                let stop = start + count as usize * words;
                self.absorb(&part.rows[start..stop], 8 * part.rows.capacity())?;
                start = stop;
            }
            self.budget.done(self.expanded as u64);
            self.budget.worked(part.counts.len() as u64 * WORK);
            self.budget.check()?;
            // What a part left out is found here.
            while self.expanded < last.min(next + (at + 1) * share) {
                self.expand_one()?;
            }
        }
        Ok(())
    }

    /// Numbers the successors of the next state, which are among rows of so many bytes.
    fn absorb(&mut self, rows: &[u64], bytes: usize) -> Result<(), ExplorationEnd> {
        let words = self.layout.words();
        let store = &mut self.store;
        let mut bytes = store.bytes() + bytes;
        let rows = rows.chunks_exact(words);
        let ids = rows.map(|row| self.orbits.intern(store, row, &self.layout));
        if let Some(edges) = &mut self.edges {
            let start = edges.items.len();
            edges.items.extend(ids);
            // Successors are listed once; the order comes when all have their names.
            // Rows of several words may repeat, and symmetric states share a number.
            edges.items[start..].sort_unstable();
            let mut kept = start;
            for at in start..edges.items.len() {
                if at == start || edges.items[at] != edges.items[kept - 1] {
                    edges.items[kept] = edges.items[at];
                    kept += 1;
                }
            }
            edges.items.truncate(kept);
            bytes += 12 * edges.items.capacity() + 12 * edges.starts.capacity();
        } else {
            ids.for_each(drop);
        }
        if self.store.len() > self.limits.states {
            return Err(self.too_large(ExplorationCounts::States, self.limits.states));
        }
        if let Some(edges) = &mut self.edges {
            let transitions = edges.items.len();
            if transitions > self.limits.transitions {
                return Err(self.too_large(ExplorationCounts::Transitions, self.limits.transitions));
            }
            // This is asked once: by the state whose successors pass that number of transitions.
            if let LevelShape::Small(signs) = self.shape
                && (edges.start()..transitions).contains(&signs.first)
                && signs.first > signs.degree * self.expanded
            {
                return Err(self.too_large(ExplorationCounts::Transitions, signs.first));
            }
            edges.starts.push(transitions as u32);
        }
        self.expanded += 1;
        match self.budget.memory() {
            Some(memory) if bytes > memory => Err(Stop::Memory.into()),
            _ => Ok(()),
        }
    }

    fn too_many_states(&self) -> ExplorationEnd {
        match self.limits.states <= self.room {
            true => self.too_large(ExplorationCounts::States, self.limits.states),
            false => ExplorationEnd::Stop(Stop::Memory),
        }
    }

    /// Ends with what was found.
    pub(super) fn gives_up(&self) -> ExplorationEnd {
        self.too_large(ExplorationCounts::Transitions, self.limits.transitions)
    }

    fn too_large(&self, what: ExplorationCounts, limit: usize) -> ExplorationEnd {
        ExplorationEnd::Large(SpaceTooLarge {
            what,
            limit,
            expanded: self.expanded,
            transitions: self.edges.as_ref().map_or(0, |edges| edges.items.len()),
            levels: self.levels,
            turns: match self.threads {
                1 => self.generator.turns() - self.initial_turns,
                _ => 0,
            },
        })
    }
}

/// The successors of some states.
struct SuccessorBatch {
    /// How many successors each state has; states may be missing at the end.
    counts: Vec<u32>,
    rows: Vec<u64>,
}

impl SuccessorBatch {
    fn of(
        generator: &mut Generator<'_>,
        states: &[u64],
        layout: &StateLayout,
        most: usize,
    ) -> Run<Self> {
        let words = layout.words();
        let mut found = FoundStates::new(words, most);
        let mut part = Self {
            counts: Vec::with_capacity(states.len() / words),
            rows: Vec::new(),
        };
        for state in states.chunks_exact(words) {
            found.clear();
            generator.successors(state, layout, &mut found)?;
            // Whoever looks at a state with too many successors again sees it, too.
            let Some(rows) = found.rows() else { break };
            part.rows.extend_from_slice(rows);
            part.counts.push((rows.len() / words) as u32);
            if part.rows.len() > PART_WORDS {
                break;
            }
        }
        Ok(part)
    }
}
