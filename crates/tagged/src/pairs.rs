//! What is known of each pair of a state of the system and a state of the monitor.
//!
//! One word for each pair: first its prospect, later its number as a node. Where there is room for all
//! pairs they are a table, otherwise a map of those that were met.

use rustc_hash::FxHashMap;
use wherefore_model::lts::Lts;

use crate::monitor::Pair;

/// A pair of which nothing is known yet.
pub(crate) const UNSEEN: u32 = 0;
/// Words from here on are numbers; what is below says something else.
pub(crate) const FIRST: u32 = 8;

/// A word for each pair, at first [`UNSEEN`].
#[derive(Clone, Debug)]
pub(crate) enum Pairs {
    Table { width: usize, words: Vec<u32> },
    Map(FxHashMap<Pair, u32>),
}

impl Pairs {
    pub(crate) fn new(lts: &Lts, width: u32) -> Self {
        let width = width as usize;
        // A table may take a few times the memory of the system itself; beyond that only what is met is kept.
        let room = 8 * (lts.states() + lts.transitions()) + (1 << 20);
        match lts.states().checked_mul(width) {
            Some(size) if size <= room => Pairs::Table {
                width,
                words: vec![UNSEEN; size],
            },
            _ => Pairs::Map(FxHashMap::default()),
        }
    }

    #[inline]
    pub(crate) fn get(&self, pair: Pair) -> u32 {
        match self {
            Pairs::Table { width, words } => words[pair.state.index() * width + pair.at as usize],
            Pairs::Map(words) => words.get(&pair).copied().unwrap_or(UNSEEN),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, pair: Pair, word: u32) {
        match self {
            Pairs::Table { width, words } => {
                words[pair.state.index() * *width + pair.at as usize] = word;
            }
            Pairs::Map(words) => {
                words.insert(pair, word);
            }
        }
    }
}
