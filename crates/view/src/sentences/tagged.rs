//! What the counts and the zones of a tagged graph mean, in words.

use wherefore_tagged::{
    AnalysisOutlook, Course, CourseEnding, Filter, NeighbourhoodKind, TagReading, Tagged,
    Unmatched, ZoneTag,
};

use super::{Sentence, SentenceAssertion};
use crate::hints::quoted;
use crate::words::{clean, list, shortened};

/// What is said when somebody asks for a counterexample of a property that holds.
pub const NO_COUNTEREXAMPLE: &str = "There is no counterexample.";

/// A message may quote this many letters.
const LONGEST: usize = 500;

/// A message with nothing in it that steers the terminal or fills it.
pub fn one_line(text: &str) -> String {
    let short: String = text.chars().take(2 * LONGEST).collect();
    shortened(clean(&short), LONGEST)
}

/// Why a property is not debugged, and what can be done: `words` are those after `wherefore check`.
pub fn unfit_text(name: &str, text: &str, why: &str, words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(&clean(word))).collect();
    format!(
        "error: {} cannot be debugged: {}\n  {}\n  `debug` takes what must never happen, as \
         `[ true* . \"BAD\" ] false`, and what must happen, as\n  `mu X . (<true> true and [not \
         \"GOOD\"] X)`. This one is decided and explained by\n  wherefore check {}",
        one_line(name),
        one_line(why),
        one_line(text),
        words.join(" ")
    )
}

/// Why there is no neighbourhood at a state of the system.
pub fn no_neighbourhood_at(graph: &Tagged<'_>, state: usize) -> String {
    let states = graph.lts().states();
    if state >= states {
        return format!(
            "There is no state {state}; states are numbered from 0 to {}.",
            states - 1
        );
    }
    let mut nodes = graph
        .nodes()
        .filter(|&node| graph.pair(node).state.index() == state);
    match nodes.next() {
        Some(_) => format!("State {state} is no neighbourhood: nothing is decided there."),
        None => format!("State {state} is on no counterexample."),
    }
}

/// Why no run matches a pattern, or none of its neighbourhoods is of a type: `No neighbourhood comes after
/// the second SEND.`
pub fn unmatched_text(filter: &Filter, unmatched: &Unmatched, neighbourhood: bool) -> String {
    let texts = filter
        .pattern
        .as_ref()
        .map_or(&[][..], |pattern| pattern.texts());
    let kinds = filter.kinds.as_deref().unwrap_or_default();
    let kinds: Vec<String> = kinds.iter().map(|kind| kind.name().to_string()).collect();
    let what = match (neighbourhood, &kinds[..]) {
        (false, _) => "counterexample".to_string(),
        (true, []) => "neighbourhood".to_string(),
        (true, kinds) => format!("neighbourhood of type {}", list(kinds)),
    };
    let passed = unmatched.passed.min(texts.len());
    let after = passed.checked_sub(1).map(|last| nth(texts, last));
    match (texts.get(passed), after) {
        (None, None) => format!("There is no {what}."),
        (None, Some(after)) => format!("There is no {what} after {after}."),
        (Some(_), after) => {
            let missing = nth(texts, passed);
            let after = after
                .map(|after| format!(" after {after}"))
                .unwrap_or_default();
            format!("No counterexample has {missing}{after}.")
        }
    }
}

/// `the second SEND`: a part of a pattern, with its number where the same comes several times.
fn nth(texts: &[String], at: usize) -> String {
    const NUMBERS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
    let text = one_line(&texts[at]);
    let before = texts[..at]
        .iter()
        .filter(|other| **other == texts[at])
        .count();
    let again = texts.iter().filter(|other| **other == texts[at]).count() > 1;
    match NUMBERS.get(before) {
        _ if !again => text,
        Some(number) => format!("the {number} {text}"),
        None => format!("{text} number {}", before + 1),
    }
}

/// How it stands with a property.
pub(crate) fn outlook_text(outlook: AnalysisOutlook, reading: TagReading) -> Sentence {
    let inevitable = reading == TagReading::Inevitable;
    let linear = reading == TagReading::Linear;
    let text = match outlook {
        AnalysisOutlook::Holds if linear => "every run satisfies it",
        AnalysisOutlook::AlwaysViolated if linear => {
            "no run satisfies it: there is no right choice to look for, so look at the property and at \
             what all runs share"
        }
        AnalysisOutlook::Mixed if linear => "some runs satisfy it, and others do not",
        AnalysisOutlook::Holds if inevitable => "every run does what it must",
        AnalysisOutlook::Holds => "no run breaks it",
        AnalysisOutlook::AlwaysViolated if inevitable => {
            "no run does what it must: there is no right choice to look for, so look at the property \
             and at what all runs share"
        }
        AnalysisOutlook::AlwaysViolated => {
            "every run breaks it: there is no right choice to look for, so look at the property and at \
             what all runs share"
        }
        AnalysisOutlook::Mixed if inevitable => "some runs do what they must, and others do not",
        AnalysisOutlook::Mixed => "some runs break it, and others do not",
        AnalysisOutlook::NoGoodStep if inevitable => {
            "it may always still happen, but no step makes it certain, so none is correct"
        }
        AnalysisOutlook::NoGoodStep => {
            "it can always still be broken: no step makes it safe, so none is correct"
        }
    };
    Sentence::from(text).asserting(SentenceAssertion::Stands(outlook, reading))
}

/// What the zones mean, where that needs a word.
pub(crate) fn reading_text(reading: TagReading, switched: bool) -> Option<&'static str> {
    match reading {
        TagReading::Branching => None,
        TagReading::Fate if switched => Some(
            "steps are therefore read by fate: one is incorrect once every run that follows breaks the \
             property",
        ),
        TagReading::Fate => Some(
            "steps are read by fate: one is incorrect once every run that follows breaks the property",
        ),
        TagReading::Inevitable => Some(
            "a step is correct once every run that follows does what it must, and incorrect once none \
             does",
        ),
        TagReading::Linear => Some(
            "a step is correct once every run that begins like this satisfies the property, and incorrect \
             once none does",
        ),
    }
}

/// What a type of neighbourhood offers: `right or open`.
pub(crate) fn kind_text(kind: NeighbourhoodKind) -> &'static str {
    match kind {
        NeighbourhoodKind::Cn => "right or open",
        NeighbourhoodKind::In => "wrong or open",
        NeighbourhoodKind::Ci => "right or wrong",
        NeighbourhoodKind::Cin => "right, wrong or open",
    }
}

/// What a tag says of the steps of a neighbourhood.
pub(crate) fn tag_text(tag: ZoneTag) -> &'static str {
    match tag {
        ZoneTag::Correct => "right",
        ZoneTag::Incorrect => "wrong",
        ZoneTag::Neutral => "open",
    }
}

/// `2 cn, 1 in`: the types of which there are any.
pub(crate) fn kinds_text(graph: &Tagged<'_>) -> String {
    let kinds = NeighbourhoodKind::ALL
        .into_iter()
        .map(|kind| (graph.counts().of(kind), kind));
    let kinds = kinds.filter(|(n, _)| *n > 0);
    let texts: Vec<String> = kinds
        .map(|(n, kind)| format!("{n} {}", kind.name()))
        .collect();
    list(&texts)
}

/// Neighbourhoods among the states, in per cent with two digits.
pub(crate) fn percent(graph: &Tagged<'_>) -> f64 {
    let counts = graph.counts();
    let share = counts.neighbourhoods() as f64 / counts.states.max(1) as f64;
    (share * 10_000.0).round() / 100.0
}

/// What a counterexample ends with.
pub(crate) fn ending_text(graph: &Tagged<'_>, course: &Course) -> Option<Sentence> {
    let last = *course.nodes.last()?;
    let whole = graph.reading().is_of_whole_runs();
    // A formula of linear time may be refuted by what happens, too.
    let without = match graph.reading() {
        TagReading::Linear => "",
        _ => ", without it",
    };
    match course.ending {
        CourseEnding::Reached if !whole && graph.accepting(last) => {
            Some("the property is broken".into())
        }
        CourseEnding::Reached => None,
        CourseEnding::Deadlock => Some("nothing follows: the run ends without it".into()),
        CourseEnding::Loop(to) => {
            let steps = super::count(course.len() - to, "step");
            Some(match to {
                _ if course.len() == to + 1 => say!("the last step again, for ever{}", without),
                0 => say!("all {} again, for ever{}", steps, without),
                _ => say!("the last {} again, for ever{}", steps, without),
            })
        }
    }
}
