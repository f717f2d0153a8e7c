//! Analyses a large labelled transition system in the shape of a file transfer over a lossy network, and
//! says how long that took, for measurements:
//!
//!     cargo run --release -p wherefore-debug --example lossy_transfer -- 98205 92
//!
//! The arguments are the number of states and of transitions of each.

use std::error::Error;
use std::io::{self, Write};
use std::ops::Range;
use std::time::Instant;

use wherefore_base::{Budget, IndexVec};
use wherefore_debug::{Dfa, Monitor, Options, analyse_monitor};
use wherefore_logic::{ActionId, Nfa};
use wherefore_model::lts::{Label, LabelSet, Lts, StateId, Step};

/// The labels; the last two where something can be lost, the one before them is a failure.
const LABELS: [&str; 11] = [
    "UDP !ACK",
    "UDP !DATA",
    "UDP !RRQ",
    "UDP !WRQ",
    "RECEIVE !ACK",
    "RECEIVE !DATA",
    "TIMER !START",
    "TIMER !STOP",
    "ERR !TIMEOUT",
    "LOSS !ACK",
    "LOSS !DATA",
];

/// One transition in so many takes another way than most.
const SELDOM: u64 = 128;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = std::env::args().skip(1);
    let mut numbers = arguments.filter_map(|text| text.parse().ok());
    let states = numbers.next().unwrap_or(98_205);
    let degree = numbers.next().unwrap_or(92);
    let lts = transfer(states, degree);
    let budget = Budget::unlimited();
    let start = Instant::now();
    let monitor = Monitor::Labels(error_then_loss(&lts, &budget)?);
    let analysis = analyse_monitor(&lts, monitor, true, &Options::default(), &budget)?;
    let seconds = start.elapsed().as_secs_f64();
    let counts = analysis.graph.counts();
    writeln!(
        io::stdout(),
        "{} states, {} transitions; {} nodes, {} steps, {} neighbourhoods in {} groups; {seconds:.2} s",
        lts.states(),
        lts.transitions(),
        counts.states,
        counts.transitions,
        counts.neighbourhoods(),
        analysis.groups.len(),
    )?;
    Ok(())
}

/// `[ true* . 'ERR.*' . true* . 'LOSS.*' . true* ] false`
fn error_then_loss(lts: &Lts, budget: &Budget) -> Result<Dfa, Box<dyn Error>> {
    let begins = |start: &str| LabelSet::new(lts, |label| label.text.starts_with(start));
    let actions: IndexVec<ActionId, LabelSet> =
        vec![begins(""), begins("ERR"), begins("LOSS")].into();
    let mut nfa = Nfa::new();
    let mut piece = nfa.nil();
    for action in [1, 2] {
        let any = nfa.action(ActionId::new(0));
        let any = nfa.star(any);
        let step = nfa.action(ActionId::new(action));
        let part = nfa.then(any, step);
        piece = nfa.then(piece, part);
    }
    Ok(Dfa::beginning_with(&nfa, piece, &actions, lts, budget)?)
}

/// States in three zones: where everything is still possible, where losses cannot be escaped, and where
/// nothing is lost any more.
fn transfer(states: u64, degree: u64) -> Lts {
    let open = 0..states * 2 / 5;
    let doomed = open.end..states * 3 / 5;
    let safe = doomed.end..states;
    let mut steps = Vec::with_capacity((states * degree) as usize);
    let mut starts = vec![0];
    for from in 0..states {
        let start = mixed(from);
        for turn in 0..degree {
            let chance = mixed(from * degree + turn);
            let zone: &Range<u64> = match chance % SELDOM {
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
                true => 9 + (chance >> 8) % 2,
                false => (chance >> 8) % 9,
            };
            steps.push(Step {
                label: (label as usize).into(),
                to: (to as usize).into(),
            });
        }
        starts.push(steps.len() as u32);
    }
    let label = |text: &&str| Label {
        text: text.to_string(),
        internal: false,
    };
    let labels = LABELS.iter().map(label).collect();
    Lts::from_rows(labels, StateId::new(0), starts, steps)
}

/// A number that looks random (the finalizer of SplitMix64; Steele, Lea and Flood, 2014).
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed ^ (mixed >> 31)) >> 1
}
