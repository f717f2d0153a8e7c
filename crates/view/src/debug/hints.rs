//! Commands to try next. Only commands that exist, with arguments that work.

use wherefore_tagged::{AnalysisOutlook, TagReading};

use super::choices::{TAGS, labels};
use super::{ShownGraph, Story, Which};
use crate::hints::{Hint, quoted};
use crate::page::tagged::FEW;
use crate::words::clean;

/// So many commands are told.
const MOST: usize = 3;

/// Commands that go on from what is told.
pub(crate) fn hints(story: &Story<'_>) -> Vec<Hint> {
    let words = || {
        [story.path]
            .into_iter()
            .chain(story.asked.command.iter().map(String::as_str))
    };
    // A name that cannot be printed as it is cannot be copied into a command either.
    if story.analysis.outlook == AnalysisOutlook::Holds || words().any(|word| clean(word) != word) {
        return vec![];
    }
    let base: Vec<String> = words().map(quoted).collect();
    let command = |rest: &str| format!("wherefore debug {} {rest}", base.join(" "));
    let mut hints: Vec<Hint> = Vec::new();
    let counts = story.graph().counts();
    if story.analysis.outlook == AnalysisOutlook::NoGoodStep
        && story.graph().reading() == TagReading::Branching
    {
        hints.push((command("--reading fate"), "where the property is lost"));
    }
    let ShownGraph::Course(which, course) = &story.shown else {
        hints.push((
            command("").trim_end().to_string(),
            "the shortest counterexample",
        ));
        return hints;
    };
    let places = || {
        course
            .nodes
            .iter()
            .filter(|&&node| story.graph().kind(node).is_some())
    };
    if let Some(&node) = places().find(|&&node| {
        TAGS.into_iter()
            .any(|tag| labels(story.graph(), node, tag).len() > FEW)
    }) {
        let state = story.graph().pair(node).state.index();
        hints.push((
            command(&format!("--neighbourhood {state}")),
            "this one with all its steps",
        ));
    }
    if counts.neighbourhoods() > 0 && story.analysis.outlook != AnalysisOutlook::AlwaysViolated {
        let first = places().next().is_some_and(|node| node.index() == 0);
        if *which != Which::Nearest && !first {
            hints.push((command("--nearest"), "the shortest way to a neighbourhood"));
        }
        if counts.neighbourhoods() > places().count() {
            hints.push((command("--neighbourhoods"), "all neighbourhoods, in groups"));
        }
    }
    let shortest = story.analysis.shortest.as_ref().ok();
    let several = shortest.is_some_and(|shortest| {
        let count = shortest.count.as_ref();
        count.is_none_or(|count| count.to_string() != "1")
    });
    if *which == Which::Shortest && several {
        hints.push((command("--random 1"), "another counterexample"));
    }
    if let Which::Random(seed) = *which {
        let next = seed.wrapping_add(1);
        hints.push((
            command(&format!("--random {next}")),
            "another counterexample",
        ));
    }
    hints.truncate(MOST);
    hints
}
