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
//! blocks, which several threads parse and which are joined in order (`blocks`, `line`, `join`), so
//! that the result and every message is the same for any number of threads. Nothing is allocated on the
//! word of the header alone: memory grows with what was read, to 12 bytes for each transition, or to 20
//! when their sources are not in order.

mod blocks;
mod compression;
mod error;
mod header;
mod join;
mod labels;
mod line;
mod places;
#[cfg(test)]
mod random;
mod text;
mod write;

use std::io::Read;
use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use wherefore_base::{Budget, Run};
use wherefore_model::lts::Lts;

use blocks::{Blocks, LineBlock};
use join::Joiner;
use labels::LabelTable;
use line::BlockTransitions;

pub use compression::{Compression, Compressor};
pub use error::AutError;
pub use places::{AutPlaces, TransitionPlace};
pub use write::{AutDialect, write};

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
    // What is left is one block, so other threads would have nothing to do.
    let helpers = match blocks.is_at_end() {
        true => 0,
        false => options.threads.saturating_sub(1),
    };
    let labels = LabelTable::default();
    let blocks = Mutex::new(blocks);
    let joiner = Mutex::new(Joiner::new(header, budget));
    let work = || {
        let mut cache = labels.cache();
        let mut block = LineBlock::default();
        let mut spare = BlockTransitions::default();
        // A thread that panics makes the whole panic when all have ended.
        loop {
            let taken = lock(&blocks).next(&mut block);
            let Some(taken) = taken else { break };
            // An error has its place among the blocks, so that the first one in the file is told.
            let piece = taken.and_then(|()| line::parse(&block, states, &mut cache, spare));
            let mut joiner = lock(&joiner);
            joiner.add(block.number, piece, labels.bytes());
            if joiner.is_over() {
                break;
            }
            // The memory of blocks that were joined goes round among the threads.
            spare = joiner.spare();
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

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::time::Duration;

    use wherefore_base::Stop;
    use wherefore_model::lts::{LabelId, StateId};

    use super::*;

    fn with_threads(threads: usize) -> ReadOptions {
        ReadOptions {
            threads,
            ..ReadOptions::default()
        }
    }

    #[track_caller]
    fn lts(text: &str) -> Lts {
        let read = parse(text.as_bytes(), &with_threads(2), &Budget::unlimited());
        read.expect("no limit").expect("it is right")
    }

    /// Texts with everything that a line can have, right ones and wrong ones.
    const TEXTS: [&str; 6] = [
        "\n\r\n des ( 1 , 5 , 3 ) \r\n(0,a,1)\r\n\n(0, \"G !{A, B}\", 2)\n( 2 ,G !{A, B} , 0 )\n  \n\
         (1, \"say \"hi\"\", 1)\n(0, tau, 0)",
        "des (0, 3, 2)\n(1, é, 0)\n(0, é, 1)\n(1, \"\", 0)\n\n\n",
        "des (0, 3, 2)\n(1, a, 0)\n(0, a, 1)\n",
        "des (0, 1, 2)\n(1, a, 0)\n(0, a, 1)\n\n(0, a, 1)\n",
        "des (0, 3, 2)\n(1, a, 0)\n\n(0, a, 2)\n(1, a 0)\n",
        "des (0, 3, 2)\n(1, a, 0)\n(0, a, 1)\n(1, \"a\", ",
    ];

    #[test]
    fn neither_threads_nor_borders_of_blocks_change_anything() {
        let budget = Budget::unlimited();
        for text in TEXTS {
            let expected = parse(text.as_bytes(), &with_threads(1), &budget);
            for size in 1..=text.len() + 1 {
                for threads in [0, 1, 2, 5] {
                    let options = with_threads(threads);
                    let found = read_in_blocks(text.as_bytes(), size, &options, &budget);
                    assert_eq!(found, expected, "{size} bytes, {threads} threads\n{text}");
                }
            }
        }
    }

    #[test]
    fn both_dialects_mean_the_same() {
        let cadp = lts("des (1, 3, 2)\n(0, \"UDP !ACK\", 1)\n(1, i, 0)\n(0, LOSS, 1)\n");
        let mcrl2 = lts("des(1,3,2)\r\n(0,\"LOSS\",1)\r\n(1,\"i\",0)\r\n(0,\"UDP !ACK\",1)");
        assert_eq!(cadp, mcrl2);
        assert_eq!(cadp.initial(), StateId::new(1));
        let internal = |id: LabelId| cadp.labels()[id].internal;
        assert_eq!(cadp.label("i").map(internal), Some(true));
        assert_eq!(cadp.label("LOSS").map(internal), Some(false));
    }

    #[test]
    fn the_user_says_which_labels_are_internal() {
        let options = ReadOptions {
            internal: vec!["LOSS".to_string()],
            threads: 1,
        };
        let text = b"des (0, 2, 1)\n(0, LOSS, 0)\n(0, i, 0)\n";
        let read = parse(text, &options, &Budget::unlimited());
        let lts = read.expect("no limit").expect("it is right");
        let internal: Vec<bool> = lts.labels().iter().map(|label| label.internal).collect();
        assert_eq!(internal, [true, false]);
    }

    #[test]
    fn marks_of_byte_order_and_states_without_transitions_are_read() {
        assert_eq!(lts("\u{feff}des (2, 0, 3)").states(), 3);
    }

    #[test]
    fn transitions_in_any_order_are_put_into_theirs() {
        let text = "des (0, 4, 4)\n(3, a, 0)\n(1, a, 3)\n(3, a, 2)\n(0, a, 1)\n";
        let found: Vec<(usize, usize)> = lts(text)
            .all_transitions()
            .map(|transition| (transition.from.index(), transition.to.index()))
            .collect();
        assert_eq!(found, [(0, 1), (1, 3), (3, 0), (3, 2)]);
    }

    fn gzip(text: &[u8], times: usize) -> Vec<u8> {
        let mut writer = Compression::Gzip.writer(Vec::new()).expect("it is memory");
        writer
            .write_all(b"des (0, 4000000000, 1)\n")
            .expect("it is memory");
        for _ in 0..times {
            writer.write_all(text).expect("it is memory");
        }
        writer.finish().expect("it is memory")
    }

    #[test]
    fn memory_and_time_bound_what_is_unpacked() {
        let bomb = gzip(&b"(0,a,0)\n".repeat(1000), 1000);
        assert!(bomb.len() < 100_000);
        let options = with_threads(2);
        let memory = Budget::new(None, Some(1 << 20));
        assert_eq!(read(bomb.as_slice(), &options, &memory), Err(Stop::Memory));
        let time = Budget::new(Some(Duration::ZERO), None);
        assert_eq!(read(bomb.as_slice(), &options, &time), Err(Stop::TimeOut));
        let labels: String = (0..50_000).map(|n| format!("(0,{n},0)\n")).collect();
        let labels = gzip(labels.as_bytes(), 1);
        let memory = Budget::new(None, Some(1 << 20));
        assert_eq!(
            read(labels.as_slice(), &options, &memory),
            Err(Stop::Memory)
        );
    }

    #[test]
    fn work_that_is_cancelled_ends_also_when_the_input_does_not() {
        /// Blank lines without end, and somebody who gets impatient.
        struct Endless(Budget, usize);
        impl io::Read for Endless {
            fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
                self.1 += 1;
                if self.1 > 1000 {
                    self.0.stop(Stop::Cancelled);
                }
                bytes.fill(b'\n');
                Ok(bytes.len())
            }
        }
        for header in ["", "des (0, 1, 1)\n"] {
            let budget = Budget::unlimited();
            let input = header.as_bytes().chain(Endless(budget.clone(), 0));
            let read = read(input, &with_threads(2), &budget);
            assert_eq!(read, Err(Stop::Cancelled));
        }
    }
}
