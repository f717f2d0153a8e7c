//! Writes a large labelled transition system in the shape of a file transfer over a lossy network, as an
//! AUT file, for measurements:
//!
//!     cargo run --release -p wherefore-lts --example lossy_transfer -- 98205 92 >transfer.aut
//!
//! The arguments are the number of states and of transitions of each. The property
//! `[ true* . 'ERR.*' . true* . 'LOSS.*' . true* ] false` fails. The states are in three zones: where
//! everything is still possible, where losses cannot be escaped, and where nothing is lost any more. So
//! there are correct, incorrect and neutral transitions, and states with most mixtures of them.

use std::io::{self, BufWriter, Write};

/// Labels of any state; the last one is a failure.
const LABELS: [&str; 9] = [
    "UDP !ACK",
    "UDP !DATA",
    "UDP !RRQ",
    "UDP !WRQ",
    "RECEIVE !ACK",
    "RECEIVE !DATA",
    "TIMER !START",
    "TIMER !STOP",
    "ERR !TIMEOUT",
];

/// Labels of states where something can be lost.
const LOSSES: [&str; 2] = ["LOSS !ACK", "LOSS !DATA"];

/// One transition in so many takes another way than most.
const SELDOM: u64 = 128;

fn main() -> io::Result<()> {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok());
    let states: u64 = numbers.next().unwrap_or(98_205);
    let degree: u64 = numbers.next().unwrap_or(92);
    write(states, degree, &mut BufWriter::new(io::stdout().lock()))
}

fn write(states: u64, degree: u64, out: &mut impl Write) -> io::Result<()> {
    let open = 0..states * 2 / 5;
    let doomed = open.end..states * 3 / 5;
    let safe = doomed.end..states;
    writeln!(out, "des (0, {}, {states})", states * degree)?;
    for from in 0..states {
        let start = mixed(from);
        for turn in 0..degree {
            let chance = mixed(from * degree + turn);
            let zone = match chance % SELDOM {
                _ if doomed.contains(&from) => &doomed,
                _ if safe.contains(&from) => &safe,
                0 => &doomed,
                1 => &safe,
                _ => &open,
            };
            let size = zone.end - zone.start;
            let to = zone.start + (start + turn * (size / degree).max(1)) % size.max(1);
            let loses = chance % SELDOM == 2 && !safe.contains(&from);
            let label = match loses {
                true => LOSSES[(chance >> 8) as usize % LOSSES.len()],
                false => LABELS[(chance >> 8) as usize % LABELS.len()],
            };
            writeln!(out, "({from}, \"{label}\", {to})")?;
        }
    }
    out.flush()
}

/// A number that looks random (the finalizer of SplitMix64; Steele, Lea and Flood, 2014).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed ^ (mixed >> 31)) >> 1
}
