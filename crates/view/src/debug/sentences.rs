//! What the counts and the zones mean, in words.

use wherefore_debug::{Course, Ending, Kind, Outlook, Reading, Tag, Tagged};

use crate::words::{count, list};

/// How it stands with a property.
pub(crate) fn outlook_text(outlook: Outlook, reading: Reading) -> &'static str {
    let inevitable = reading == Reading::Inevitable;
    match outlook {
        Outlook::Holds if inevitable => "every run does what it must",
        Outlook::Holds => "no run breaks it",
        Outlook::AlwaysViolated if inevitable => {
            "no run does what it must: there is no right choice to look for, so look at the property \
             and at what all runs share"
        }
        Outlook::AlwaysViolated => {
            "every run breaks it: there is no right choice to look for, so look at the property and at \
             what all runs share"
        }
        Outlook::Mixed if inevitable => "some runs do what they must, and others do not",
        Outlook::Mixed => "some runs break it, and others do not",
        Outlook::NoGoodStep if inevitable => {
            "it may happen for ever later, but no step makes it certain: there is no correct step"
        }
        Outlook::NoGoodStep => {
            "it can always still be broken, so no step makes it safe: there is no correct step"
        }
    }
}

/// What the zones mean, where that needs a word.
pub(crate) fn reading_text(reading: Reading, switched: bool) -> Option<&'static str> {
    match reading {
        Reading::Branching => None,
        Reading::Fate if switched => Some(
            "so steps are read by fate: one is incorrect once every run that follows breaks the \
             property",
        ),
        Reading::Fate => Some(
            "steps are read by fate: one is incorrect once every run that follows breaks the property",
        ),
        Reading::Inevitable => Some(
            "a step is correct once every run that follows does what it must, and incorrect once none \
             does",
        ),
    }
}

/// What a type of neighbourhood offers: `right or open`.
pub(crate) fn kind_text(kind: Kind) -> &'static str {
    match kind {
        Kind::Cn => "right or open",
        Kind::In => "wrong or open",
        Kind::Ci => "right or wrong",
        Kind::Cin => "right, wrong or open",
    }
}

/// What a tag says of the steps of a neighbourhood.
pub(crate) fn tag_text(tag: Tag) -> &'static str {
    match tag {
        Tag::Correct => "right",
        Tag::Incorrect => "wrong",
        Tag::Neutral => "open",
    }
}

/// `2 cn, 1 in`: the types of which there are any.
pub(crate) fn kinds_text(graph: &Tagged<'_>) -> String {
    let kinds = Kind::ALL
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
pub(crate) fn ending_text(graph: &Tagged<'_>, course: &Course) -> Option<String> {
    let last = *course.nodes.last()?;
    let inevitable = graph.reading() == Reading::Inevitable;
    match course.ending {
        Ending::Reached if !inevitable && graph.accepting(last) => {
            Some("the property is broken".to_string())
        }
        Ending::Reached => None,
        Ending::Deadlock => Some("nothing follows: the run ends without it".to_string()),
        Ending::Loop(to) => {
            let steps = count(course.len() - to, "step");
            Some(match to {
                0 => format!("all {steps} again, for ever, without it"),
                _ => format!("the last {steps} again, for ever, without it"),
            })
        }
    }
}
