//! Measures: in what an evidence can be least.

use std::fmt;
use std::str::FromStr;

use rustc_hash::FxHashSet;
use wherefore_base::Value;

use crate::{Claim, Evidence, OccurrenceId, ProofNode, Rule, Segment, SegmentEnding};

/// Successors are listed one by one up to this many, and count; more make a region.
pub const LISTED_SUCCESSORS: usize = 16;

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
    /// Steps, of a run through the states of a given trace only.
    TraceSteps,
    /// Steps, of a run along which what a formula remembers of the past repeats with the states.
    ProductSteps,
}

impl Measure {
    /// The measures that can be asked for.
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
            Measure::TraceSteps => "steps within the trace",
            Measure::ProductSteps => "steps in the product",
        }
    }

    /// The name of one.
    pub fn singular(self) -> &'static str {
        match self {
            Measure::Steps | Measure::TraceSteps | Measure::ProductSteps => "step",
            Measure::Nodes => "node",
            Measure::States => "state",
            Measure::Transitions => "transition",
        }
    }

    /// How much of it an evidence has. Runs that merely show that a path goes on are not counted, and
    /// neither are the states of regions.
    pub fn of(self, evidence: &Evidence) -> u32 {
        let told = ToldParts::new(evidence);
        let count = match self {
            Measure::Steps | Measure::TraceSteps | Measure::ProductSteps => {
                told.steps + told.along.len()
            }
            Measure::Nodes => told.nodes + told.beside.len(),
            Measure::States => told.states.len() + told.beside.len(),
            Measure::Transitions => told.transitions.len() + told.along.len(),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

/// A state, by its values.
type StateValues<'e> = &'e [Value];

/// What an evidence tells, without runs that merely show that a path goes on.
struct ToldParts<'e> {
    nodes: usize,
    steps: usize,
    states: FxHashSet<StateValues<'e>>,
    transitions: FxHashSet<(StateValues<'e>, StateValues<'e>)>,
    /// States that the proof makes claims of, but that are drawn only in runs that go on; and such
    /// transitions.
    beside: FxHashSet<StateValues<'e>>,
    along: FxHashSet<(StateValues<'e>, StateValues<'e>)>,
}

impl<'e> ToldParts<'e> {
    fn new(evidence: &'e Evidence) -> Self {
        let state = |at: OccurrenceId| -> StateValues<'e> { &evidence.occurrences[at].values };
        let pair = |(from, to): (OccurrenceId, OccurrenceId)| (state(from), state(to));
        let segments = evidence.segments.iter();
        let told = segments.filter(|segment| segment.serves != Claim::HasPath);
        let nodes: Vec<OccurrenceId> = told.clone().flat_map(|s| s.states.clone()).collect();
        let steps: Vec<_> = told.flat_map(steps).collect();
        let states: FxHashSet<StateValues<'e>> = nodes.iter().map(|&at| state(at)).collect();
        let transitions: FxHashSet<_> = steps.iter().copied().map(pair).collect();
        // A claim that a path goes on is shown beside the evidence and does not count.
        let claims = || evidence.proof.iter().filter(|n| n.claim != Claim::HasPath);
        let claimed = claims().map(|node| state(node.at));
        let stepped = claims().flat_map(|node| led_to(evidence, node));
        Self {
            nodes: nodes.len(),
            steps: steps.len(),
            beside: claimed.filter(|state| !states.contains(state)).collect(),
            along: stepped
                .map(pair)
                .filter(|s| !transitions.contains(s))
                .collect(),
            states,
            transitions,
        }
    }
}

/// The steps that a claim follows by.
fn led_to<'e>(
    evidence: &'e Evidence,
    node: &'e ProofNode,
) -> impl Iterator<Item = (OccurrenceId, OccurrenceId)> + 'e {
    let premises = match node.rule {
        Some(Rule::Step | Rule::EveryStep) => &node.premises[..],
        // The other premises are about the same state.
        Some(Rule::Continue) => &node.premises[node.premises.len().saturating_sub(1)..],
        _ => &[],
    };
    let premises = premises.iter().map(|&premise| &evidence.proof[premise]);
    let formulas = premises.filter(|premise| premise.claim != Claim::HasPath);
    formulas.map(|premise| (node.at, premise.at))
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
        SegmentEnding::Loop(to) | SegmentEnding::Joins(to) => Some(to),
        SegmentEnding::Goal | SegmentEnding::DeadEnd => None,
    };
    let start = segment.from.into_iter();
    let run: Vec<OccurrenceId> = start
        .chain(segment.states.iter().copied())
        .chain(end)
        .collect();
    run.windows(2).map(|pair| (pair[0], pair[1])).collect()
}
