//! The whole analysis of a property of a system.

use std::fmt;

use wherefore_base::{Budget, Run};
use wherefore_model::lts::{Form, Lts, Question};

use crate::dfa::Dfa;
use crate::groups::{Group, Labels, groups, into_neighbourhoods, labels};
use crate::incoming::Incoming;
use crate::monitor::Monitor;
use crate::pattern::Filter;
use crate::prospect::Prospect;
use crate::search::{Shortest, Unmatched};
use crate::shortest::shortest_matching;
use crate::tagged::{Reading, Tagged};

/// What a property comes to in a system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outlook {
    /// No run violates it.
    Holds,
    /// Every maximal run violates it.
    AlwaysViolated,
    /// Some runs violate it and some do not, but the violation stays possible for ever: no step leads to
    /// where the property is safe.
    NoGoodStep,
    /// Some runs violate it, and some come to where it is safe.
    Mixed,
}

impl Outlook {
    /// The outlook of a property whose graph this is.
    pub fn of(graph: &Tagged<'_>) -> Self {
        match (graph.reading(), graph.prospect()) {
            (Reading::Inevitable, Prospect::Certain) => Outlook::Holds,
            (Reading::Inevitable, Prospect::Never) => Outlook::AlwaysViolated,
            (Reading::Inevitable, _) => Outlook::Mixed,
            (_, Prospect::Never) => Outlook::Holds,
            (_, Prospect::Certain) => Outlook::AlwaysViolated,
            (_, Prospect::Stuck) => Outlook::NoGoodStep,
            (_, Prospect::Free) => Outlook::Mixed,
        }
    }
}

/// What the user may choose.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How zones are read; `None`: as published, and by fate where no step would be correct.
    pub reading: Option<Reading>,
    /// Which neighbourhoods and which runs are meant.
    pub filter: Filter,
}

/// Why a property cannot be debugged: it says neither that something never happens nor that something
/// always will.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undebuggable {
    /// A sentence.
    pub why: String,
}

impl fmt::Display for Undebuggable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Undebuggable {}

/// Everything about a property of a system.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    /// All counterexamples, with tags.
    pub graph: Tagged<'a>,
    /// What it comes to.
    pub outlook: Outlook,
    /// Whether the reading is fate only because no step is correct as published.
    pub switched: bool,
    /// The shortest counterexamples that match the filter.
    pub shortest: Result<Shortest, Unmatched>,
    /// The steps into the neighbourhoods.
    pub incoming: Incoming,
    /// Similar neighbourhoods together.
    pub groups: Vec<Group>,
    /// Which labels decide.
    pub labels: Labels,
}

/// Analyses a property of a system.
pub fn analyse<'a>(
    lts: &'a Lts,
    question: &Question,
    options: &Options,
    budget: &Budget,
) -> Run<Result<Analysis<'a>, Undebuggable>> {
    let dfa = match &question.form {
        Form::Never(nfa, piece) => {
            Dfa::beginning_with(nfa, *piece, &question.actions, lts, budget)?
        }
        Form::Inevitable(order) => Dfa::in_order(order, &question.actions, lts, budget)?,
        Form::Other(why) => return Ok(Err(Undebuggable { why: why.clone() })),
    };
    let safety = matches!(question.form, Form::Never(..));
    let monitor = Monitor::Labels(dfa);
    Ok(Ok(analyse_monitor(lts, monitor, safety, options, budget)?))
}

/// Analyses what a monitor watches for: that it never happens (safety), or that it always will.
pub fn analyse_monitor<'a>(
    lts: &'a Lts,
    monitor: Monitor,
    safety: bool,
    options: &Options,
    budget: &Budget,
) -> Run<Analysis<'a>> {
    let choose = |prospect| match (safety, options.reading, prospect) {
        (false, _, _) => Reading::Inevitable,
        (true, Some(Reading::Fate), _) => Reading::Fate,
        (true, None, Prospect::Stuck) => Reading::Fate,
        (true, _, _) => Reading::Branching,
    };
    let graph = Tagged::choosing(lts, monitor, choose, budget)?;
    let shortest = shortest_matching(&graph, &options.filter, budget)?;
    let incoming = into_neighbourhoods(&graph, budget)?;
    let groups = groups(&graph, &incoming, budget)?;
    let labels = labels(&graph, budget)?;
    Ok(Analysis {
        outlook: Outlook::of(&graph),
        switched: options.reading.is_none() && graph.reading() == Reading::Fate,
        shortest,
        incoming,
        groups,
        labels,
        graph,
    })
}
