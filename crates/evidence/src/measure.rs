//! Measures: in what an evidence can be least.

use std::fmt;
use std::str::FromStr;

use rustc_hash::FxHashSet;

use crate::types::{Claim, Ending, Evidence, OccurrenceId, Segment};

/// What an evidence has as few of as possible.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Measure {
    /// Steps, of all segments together; of a lasso, those of the prefix and those of the loop.
    #[default]
    Steps,
    /// Occurrences of states, the first one included.
    Nodes,
    /// Distinct states.
    States,
    /// Distinct transitions: pairs of states.
    Transitions,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 4] = [
        Measure::Steps,
        Measure::Nodes,
        Measure::States,
        Measure::Transitions,
    ];

    /// The name used on the command line and in documents.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Steps => "steps",
            Measure::Nodes => "nodes",
            Measure::States => "states",
            Measure::Transitions => "transitions",
        }
    }

    /// The name of one.
    pub fn singular(self) -> &'static str {
        match self {
            Measure::Steps => "step",
            Measure::Nodes => "node",
            Measure::States => "state",
            Measure::Transitions => "transition",
        }
    }

    /// How much of it an evidence has. Runs that merely show that a path goes on are not counted, and
    /// neither are the states of regions.
    pub fn of(self, evidence: &Evidence) -> u32 {
        let told = || {
            let segments = evidence.segments.iter();
            segments.filter(|segment| segment.serves != Claim::HasPath)
        };
        let count = match self {
            Measure::Steps => told().map(|s| steps(s).len()).sum(),
            Measure::Nodes => told().map(|s| s.states.len()).sum(),
            Measure::States => {
                let states = told().flat_map(|s| &s.states);
                let values = |at: &OccurrenceId| &evidence.occurrences[*at].values;
                states.map(values).collect::<FxHashSet<_>>().len()
            }
            Measure::Transitions => {
                let values = |at: OccurrenceId| &evidence.occurrences[at].values;
                let pairs = told().flat_map(|s| steps(s));
                let pairs = pairs.map(|(from, to)| (values(from), values(to)));
                pairs.collect::<FxHashSet<_>>().len()
            }
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let measure = Measure::ALL.into_iter().find(|m| m.name() == name);
        measure.ok_or_else(|| {
            format!("there is no measure `{name}`; take steps, nodes, states or transitions")
        })
    }
}

/// The steps of a segment, the one from where it starts and the one that ends it included.
fn steps(segment: &Segment) -> Vec<(OccurrenceId, OccurrenceId)> {
    let end = match segment.ending {
        Ending::Loop(to) | Ending::Joins(to) => Some(to),
        Ending::Goal | Ending::DeadEnd => None,
    };
    let start = segment.from.into_iter();
    let run: Vec<OccurrenceId> = start
        .chain(segment.states.iter().copied())
        .chain(end)
        .collect();
    run.windows(2).map(|pair| (pair[0], pair[1])).collect()
}
