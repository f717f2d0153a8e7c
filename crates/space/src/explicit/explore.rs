//! Breadth-first exploration of a model.

use std::fmt;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use wherefore_base::{Budget, Run, Stop};

use super::found::Found;
use super::generate::Generator;
use super::graph::Rows;
use crate::layout::Layout;

/// How much an exploration may find; counted, so that the same model always gives the same answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most states.
    pub states: usize,
    /// The most transitions.
    pub transitions: usize,
}

impl Default for Limits {
    /// As many as ids of 32 bits can name.
    fn default() -> Self {
        let most = u32::MAX as usize - 2;
        Self {
            states: most,
            transitions: most,
        }
    }
}

/// An exploration found more than its [`Limits`] allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// What there are too many of.
    pub what: Counted,
    /// How many there may be.
    pub limit: usize,
}

/// What an exploration counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// Reachable states.
    States,
    /// Transitions between them.
    Transitions,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.what {
            Counted::States => "states",
            Counted::Transitions => "transitions",
        };
        write!(f, "the model has more than {} {what}", self.limit)
    }
}

impl std::error::Error for TooLarge {}

/// What an exploration finds; states are numbered in their order.
pub(super) struct Explored {
    /// The packed states, one after the other.
    pub(super) states: Vec<u64>,
    /// The initial states, ascending.
    pub(super) initial: Vec<u32>,
    pub(super) forward: Rows,
    pub(super) backward: Rows,
}

pub(super) fn explore(
    layout: &Layout,
    generator: &mut Generator<'_>,
    limits: Limits,
    budget: &Budget,
) -> Run<Result<Explored, TooLarge>> {
    budget.phase("exploring states");
    let most = Limits::default();
    let limits = Limits {
        states: limits.states.min(most.states),
        transitions: limits.transitions.min(most.transitions),
    };
    let too_many = |what, limit| Ok(Err(TooLarge { what, limit }));
    let words = layout.words();
    let room = budget
        .memory()
        .map_or(usize::MAX, |memory| memory / (16 * words));
    let too_many_states = || match limits.states <= room {
        true => too_many(Counted::States, limits.states),
        false => Err(Stop::Memory),
    };
    let mut store = Store::new(words);
    let mut found = Found::new(words, limits.states.min(room));

    generator.initial(layout, &mut found)?;
    let Some(rows) = found.states() else {
        return too_many_states();
    };
    let mut initial: Vec<u32> = rows
        .chunks_exact(words)
        .map(|row| store.intern(row))
        .collect();

    let (mut starts, mut items) = (vec![0u32], Vec::new());
    let mut at = 0;
    while at < store.len() {
        let bytes = store.bytes() + found.bytes() + 12 * items.capacity() + 12 * starts.capacity();
        if budget.memory().is_some_and(|memory| bytes > memory) {
            return Err(Stop::Memory);
        }
        if at.is_multiple_of(64) {
            budget.done(at as u64);
            budget.check()?;
        }
        found.clear();
        generator.successors(store.get(at), layout, &mut found)?;
        let Some(rows) = found.states() else {
            return too_many_states();
        };
        items.extend(rows.chunks_exact(words).map(|row| store.intern(row)));
        if store.len() > limits.states {
            return too_many(Counted::States, limits.states);
        }
        if items.len() > limits.transitions {
            return too_many(Counted::Transitions, limits.transitions);
        }
        starts.push(items.len() as u32);
        at += 1;
    }

    budget.phase("ordering states");
    let mut meter = budget.meter();
    let (states, names) = store.sorted();
    budget.check()?;
    for state in &mut initial {
        *state = names[*state as usize];
    }
    initial.sort_unstable();
    let forward = Rows::new(starts, items).renamed(&names, &mut meter)?;
    let backward = forward.transposed(&mut meter)?;
    Ok(Ok(Explored {
        states,
        initial,
        forward,
        backward,
    }))
}

/// All states found so far: their words in a row, and a table that finds them there.
struct Store {
    words: usize,
    rows: Vec<u64>,
    table: HashTable<u32>,
}

impl Store {
    fn new(words: usize) -> Self {
        Self {
            words,
            rows: Vec::new(),
            table: HashTable::new(),
        }
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn get(&self, id: usize) -> &[u64] {
        &self.rows[id * self.words..(id + 1) * self.words]
    }

    /// The number of a state, a new one if it was not there.
    fn intern(&mut self, row: &[u64]) -> u32 {
        let hash = |row: &[u64]| FxBuildHasher.hash_one(row);
        let words = self.words;
        let at = |id: u32| id as usize * words..(id as usize + 1) * words;
        let rows = &mut self.rows;
        if let Some(&id) = self.table.find(hash(row), |&id| &rows[at(id)] == row) {
            return id;
        }
        let id = self.table.len() as u32;
        rows.extend_from_slice(row);
        self.table
            .insert_unique(hash(row), id, |&id| hash(&rows[at(id)]));
        id
    }

    fn bytes(&self) -> usize {
        // The rows are copied once in the end, when they are sorted.
        16 * self.rows.capacity() + 5 * self.table.capacity()
    }

    /// The states in order, and the new number of each old one.
    fn sorted(self) -> (Vec<u64>, Vec<u32>) {
        let count = self.len();
        drop(self.table);
        let row = |id: u32| &self.rows[id as usize * self.words..(id as usize + 1) * self.words];
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_unstable_by(|&a, &b| row(a).cmp(row(b)));
        let mut names = vec![0; count];
        let mut states = Vec::with_capacity(self.rows.len());
        for (name, &id) in order.iter().enumerate() {
            names[id as usize] = name as u32;
            states.extend_from_slice(row(id));
        }
        (states, names)
    }
}
