//! The whole analysis of a property of a system.

use wherefore_base::{Budget, Run};
use wherefore_model::lts::{Lts, ModalQuestion, PropertyForm};

use crate::dfa::Dfa;
use crate::groups::{Group, Labels, groups, into_neighbourhoods, labels};
use crate::incoming::Incoming;
use crate::monitor::Monitor;
use crate::paths::Paths;
use crate::pattern::Filter;
use crate::prospect::Prospect;
use crate::search::{ShortestCourse, Unmatched};
use crate::shortest::shortest_matching;
use crate::tagged::{TagReading, Tagged};

/// What a property comes to in a system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AnalysisOutlook {
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

impl AnalysisOutlook {
    /// The outlook of a property whose graph this is.
    pub fn of(graph: &Tagged<'_>) -> Self {
        match (graph.reading(), graph.prospect()) {
            (reading, Prospect::Certain) if reading.is_of_whole_runs() => AnalysisOutlook::Holds,
            (reading, Prospect::Never) if reading.is_of_whole_runs() => {
                AnalysisOutlook::AlwaysViolated
            }
            (reading, _) if reading.is_of_whole_runs() => AnalysisOutlook::Mixed,
            (_, Prospect::Never) => AnalysisOutlook::Holds,
            (_, Prospect::Certain) => AnalysisOutlook::AlwaysViolated,
            (_, Prospect::Stuck) => AnalysisOutlook::NoGoodStep,
            (_, Prospect::Free) => AnalysisOutlook::Mixed,
        }
    }
}

/// What the user may choose.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AnalysisOptions {
    /// How zones are read; `None`: as published, and by fate where no step would be correct.
    pub reading: Option<TagReading>,
    /// Which neighbourhoods and which runs are meant.
    pub filter: Filter,
}

impl AnalysisOptions {
    /// How zones are read, for a property that says that something never happens (safety) or that it
    /// always will.
    pub fn reading_for(&self, safety: bool, prospect: Prospect) -> TagReading {
        match (safety, self.reading, prospect) {
            (false, _, _) => TagReading::Inevitable,
            (true, Some(TagReading::Fate), _) | (true, None, Prospect::Stuck) => TagReading::Fate,
            (true, _, _) => TagReading::Branching,
        }
    }
}

/// Why a property cannot be debugged: it says neither that something never happens nor that something
/// always will.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Undebuggable {
    /// A sentence.
    pub why: String,
}

/// Everything about a property of a system.
#[derive(Clone, Debug)]
pub struct Analysis<'a> {
    /// All counterexamples, with tags.
    pub graph: Tagged<'a>,
    /// What it comes to.
    pub outlook: AnalysisOutlook,
    /// Whether the reading is fate only because no step is correct as published.
    pub switched: bool,
    /// The shortest counterexamples that match the filter.
    pub shortest: Result<ShortestCourse, Unmatched>,
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
    question: &ModalQuestion,
    options: &AnalysisOptions,
    budget: &Budget,
) -> Run<Result<Analysis<'a>, Undebuggable>> {
    let dfa = match &question.form {
        PropertyForm::Never(nfa, piece) => {
            Dfa::beginning_with(nfa, *piece, &question.actions, lts, budget)?
        }
        PropertyForm::Inevitable(order) => Dfa::in_order(order, &question.actions, lts, budget)?,
        PropertyForm::Other(why) => return Ok(Err(Undebuggable { why: why.clone() })),
    };
    let safety = matches!(question.form, PropertyForm::Never(..));
    let monitor = Monitor::Labels(dfa);
    Ok(Ok(analyse_monitor(lts, monitor, safety, options, budget)?))
}

/// Analyses what a monitor watches for: that it never happens (safety), or that it always will.
pub fn analyse_monitor<'a>(
    lts: &'a Lts,
    monitor: Monitor,
    safety: bool,
    options: &AnalysisOptions,
    budget: &Budget,
) -> Run<Analysis<'a>> {
    analyse_under(lts, monitor, Paths::maximal(), safety, options, budget)
}

/// The same where not all maximal runs count.
pub fn analyse_under<'a>(
    lts: &'a Lts,
    monitor: Monitor,
    paths: Paths,
    safety: bool,
    options: &AnalysisOptions,
    budget: &Budget,
) -> Run<Analysis<'a>> {
    let choose = |prospect| options.reading_for(safety, prospect);
    let graph = Tagged::under(lts, monitor, paths, choose, budget)?;
    let shortest = shortest_matching(&graph, &options.filter, budget)?;
    let incoming = into_neighbourhoods(&graph, budget)?;
    let groups = groups(&graph, &incoming, budget)?;
    let labels = labels(&graph);
    Ok(Analysis {
        outlook: AnalysisOutlook::of(&graph),
        switched: options.reading.is_none() && graph.reading() == TagReading::Fate,
        shortest,
        incoming,
        groups,
        labels,
        graph,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{inevitable_question, never_question, question, starting_at, system};
    use crate::tagged::{NeighbourhoodKind, NodeId, Zone};
    use wherefore_base::IndexVec;

    fn analysis<'a>(lts: &'a Lts, question: &ModalQuestion) -> Analysis<'a> {
        let found = analyse(
            lts,
            question,
            &AnalysisOptions::default(),
            &Budget::unlimited(),
        );
        found.expect("no limit").expect("it can be debugged")
    }

    fn never<'a>(lts: &'a Lts, texts: &[&str]) -> Analysis<'a> {
        analysis(lts, &never_question(lts, texts))
    }

    #[test]
    fn a_property_that_holds_is_said_to_hold() {
        let lts = system(2, &[(0, "a", 1)]);
        let analysis = never(&lts, &["BAD"]);
        assert_eq!(analysis.outlook, AnalysisOutlook::Holds);
        assert!(analysis.shortest.is_err());
        assert_eq!(analysis.graph.counts().states, 0);
    }

    #[test]
    fn always_violated_is_said_with_a_loop_at_the_start() {
        // Every run does `a` for ever, and `a` is what must not happen.
        let lts = system(1, &[(0, "a", 0)]);
        let analysis = never(&lts, &["a"]);
        assert_eq!(analysis.outlook, AnalysisOutlook::AlwaysViolated);
        assert_eq!(
            analysis.graph.kind(NodeId::new(0)),
            Some(NeighbourhoodKind::In)
        );
        let lts = system(2, &[(0, "BAD", 1), (1, "a", 0)]);
        assert_eq!(
            never(&lts, &["BAD"]).outlook,
            AnalysisOutlook::AlwaysViolated
        );
    }

    #[test]
    fn a_loop_on_which_nothing_is_violated_is_not_always_violated() {
        let lts = system(2, &[(0, "wait", 0), (0, "BAD", 1)]);
        let analysis = never(&lts, &["BAD"]);
        assert_eq!(analysis.outlook, AnalysisOutlook::NoGoodStep);
        assert_eq!(
            (analysis.graph.reading(), analysis.switched),
            (TagReading::Fate, true)
        );
        assert_eq!(
            analysis.graph.kind(NodeId::new(0)),
            Some(NeighbourhoodKind::In)
        );
        let options = AnalysisOptions {
            reading: Some(TagReading::Branching),
            ..AnalysisOptions::default()
        };
        let question = never_question(&lts, &["BAD"]);
        let forced = analyse(&lts, &question, &options, &Budget::unlimited());
        let forced = forced.expect("no limit").expect("it can be debugged");
        assert_eq!(forced.outlook, AnalysisOutlook::NoGoodStep);
        assert_eq!(
            (forced.graph.reading(), forced.switched),
            (TagReading::Branching, false)
        );
        assert_eq!(forced.graph.zone(NodeId::new(0)), Zone::Bad);
    }

    #[test]
    fn a_deadlock_before_the_violation_is_a_good_end() {
        let lts = system(3, &[(0, "a", 1), (0, "BAD", 2)]);
        assert_eq!(never(&lts, &["BAD"]).outlook, AnalysisOutlook::Mixed);
        let lts = system(2, &[(0, "BAD", 1)]);
        assert_eq!(
            never(&lts, &["BAD"]).outlook,
            AnalysisOutlook::AlwaysViolated
        );
    }

    #[test]
    fn the_number_of_the_initial_state_does_not_matter() {
        let lts = starting_at(1, 2, &[(1, "BAD", 0)]);
        let analysis = never(&lts, &["BAD"]);
        assert_eq!(analysis.outlook, AnalysisOutlook::AlwaysViolated);
        assert_eq!(analysis.graph.counts().kinds, [0, 1, 0, 0]);
    }

    #[test]
    fn what_is_violated_at_once_has_one_neighbourhood_and_no_steps_to_show() {
        let lts = system(2, &[(0, "a", 1)]);
        let analysis = never(&lts, &[]);
        assert_eq!(analysis.outlook, AnalysisOutlook::AlwaysViolated);
        assert_eq!(analysis.graph.counts().kinds, [0, 1, 0, 0]);
        assert!(analysis.shortest.expect("it fails").course.is_empty());
    }

    #[test]
    fn inevitability_holds_or_is_never_done_or_both_can_be() {
        let outlook = |lts: &Lts| analysis(lts, &inevitable_question(lts, &["done"])).outlook;
        assert_eq!(
            outlook(&system(2, &[(0, "done", 1)])),
            AnalysisOutlook::Holds
        );
        assert_eq!(
            outlook(&system(2, &[(0, "a", 1)])),
            AnalysisOutlook::AlwaysViolated
        );
        let some = system(2, &[(0, "a", 0), (0, "done", 1)]);
        assert_eq!(outlook(&some), AnalysisOutlook::Mixed);
    }

    #[test]
    fn another_property_cannot_be_debugged() {
        let lts = system(1, &[(0, "a", 0)]);
        let other = question(
            IndexVec::new(),
            PropertyForm::Other("It says something else.".into()),
        );
        let found = analyse(
            &lts,
            &other,
            &AnalysisOptions::default(),
            &Budget::unlimited(),
        );
        let why = found
            .expect("no limit")
            .expect_err("it is another")
            .to_string();
        assert_eq!(why, "It says something else.");
    }
}
