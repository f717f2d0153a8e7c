//! AUT files (Aldebaran's format): a header, then a transition per line.
//!
//! ```text
//! des (0, 3, 2)
//! (0, "UDP !ACK", 1)
//! (1, i, 0)
//! (1, LOSS, 1)
//! ```
//!
//! Both CADP's and mCRL2's dialect are read, and files compressed by gzip or Zstandard. A file is read in
//! blocks, which several threads parse and which are joined in order ([`blocks`], [`line`], [`join`]), so
//! that the result and every message is the same for any number of threads. Nothing is allocated on the
//! word of the header alone: memory grows with what was read, and stays below 20 bytes for each
//! transition.

mod blocks;
mod compression;
mod error;
mod header;
mod join;
mod labels;
mod line;
mod text;
mod write;

use std::io::Read;
use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use wherefore_base::{Budget, Run};
use wherefore_model::lts::Lts;

use blocks::{Block, Blocks};
use join::Joiner;
use labels::Labels;

pub use compression::{Compression, Compressor};
pub use error::AutError;
pub use write::{Dialect, write};

/// More threads than these have nothing to do: reading is one after the other.
const MOST_HELPERS: usize = 15;

/// How to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadOptions {
    /// The labels of internal steps.
    pub internal: Vec<String>,
    /// How many threads parse. The result is the same for any number.
    pub threads: usize,
}

impl Default for ReadOptions {
    /// `i` and `tau` are internal; as many threads as the machine runs at once.
    fn default() -> Self {
        Self {
            internal: vec!["i".to_string(), "tau".to_string()],
            threads: thread::available_parallelism().map_or(1, NonZero::get),
        }
    }
}

/// Reads a text in memory.
///
/// ```
/// use wherefore_base::Budget;
/// use wherefore_lts::aut::{ReadOptions, parse};
///
/// let text = b"des (0, 2, 2)\n(0, \"UDP !ACK\", 1)\n(1, i, 0)\n";
/// let lts = parse(text, &ReadOptions::default(), &Budget::unlimited())??;
/// assert_eq!((lts.states(), lts.transitions()), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(text: &[u8], options: &ReadOptions, budget: &Budget) -> Run<Result<Lts, AutError>> {
    read(text, options, budget)
}

/// Reads a file, or anything else that can be read, compressed or not.
///
/// The input is read in large pieces, so that it needs no buffer of its own. An error is about the first
/// thing that is wrong.
pub fn read(
    input: impl Read + Send,
    options: &ReadOptions,
    budget: &Budget,
) -> Run<Result<Lts, AutError>> {
    read_in_blocks(input, blocks::SIZE, options, budget)
}

fn read_in_blocks(
    input: impl Read + Send,
    size: usize,
    options: &ReadOptions,
    budget: &Budget,
) -> Run<Result<Lts, AutError>> {
    budget.check()?;
    let (compression, input) = match compression::unpacked(input) {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(AutError::unreadable(Compression::None, &error))),
    };
    let mut blocks = Blocks::new(input, compression, size);
    let header = match header::read(&mut blocks, budget)? {
        Ok(header) => header,
        Err(error) => return Ok(Err(error)),
    };
    let states = header.states;
    let helpers = match blocks.is_at_end() {
        true => 0,
        false => options.threads.saturating_sub(1),
    };
    let labels = Labels::default();
    let blocks = Mutex::new(blocks);
    let joiner = Mutex::new(Joiner::new(header, budget));
    let work = || {
        let mut cache = labels.cache();
        let mut block = Block::default();
        // A thread that panics makes the whole panic when all have ended.
        loop {
            let taken = lock(&blocks).next(&mut block);
            let Some(taken) = taken else { break };
            let piece = taken.and_then(|()| line::parse(&block, states, &mut cache));
            let mut joiner = lock(&joiner);
            joiner.add(block.number, piece, labels.bytes());
            if joiner.is_over() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..helpers.min(MOST_HELPERS) {
            // Without another thread it takes longer, and that is all.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let joiner = joiner.into_inner().unwrap_or_else(PoisonError::into_inner);
    joiner.finish(|| labels.into_labels(&options.internal))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
