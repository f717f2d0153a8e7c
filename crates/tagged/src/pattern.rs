//! Patterns of actions, and the nearest neighbourhoods after them.
//!
//! A pattern is a list of actions that must come in this order, with anything in between:
//! `SEND ... 'ACK .*' ... "SEND"`. The actions are separated by the word `...`, with blanks around it.
//!
//! * `"text"` is the label with exactly this text;
//! * `'text'` is a regular expression for whole labels;
//! * a bare text is the label with exactly this text if the system has one, and otherwise a regular
//!   expression for whole labels;
//! * `@7`, when no label has this text, is not an action but state 7 of the system, to be passed.

use std::fmt;

use regex_lite::Regex;
use wherefore_base::{Budget, Run, nearest as nearest_name};
use wherefore_model::lts::{LabelSet, Lts, StateId};

use crate::search::{SearchMark, ShortestCourse, Unmatched, find};
use crate::tagged::{NeighbourhoodKind, Tagged};

/// Actions in an order, with anything in between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunPattern {
    texts: Vec<String>,
    marks: Vec<SearchMark>,
}

impl RunPattern {
    /// Reads a pattern for a system.
    pub fn parse(text: &str, lts: &Lts) -> Result<Self, PatternError> {
        let mut pattern = Self {
            texts: Vec::new(),
            marks: Vec::new(),
        };
        for element in elements(text)? {
            pattern.marks.push(mark(&element, lts)?);
            pattern.texts.push(element.to_string());
        }
        Ok(pattern)
    }

    /// A pattern of these marks, each with what it is called.
    pub fn new(marks: Vec<(String, SearchMark)>) -> Self {
        let (texts, marks) = marks.into_iter().unzip();
        Self { texts, marks }
    }

    /// Its parts as they were written.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// What its parts mean.
    pub fn marks(&self) -> &[SearchMark] {
        &self.marks
    }
}

impl fmt::Display for RunPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts.join(" ... "))
    }
}

/// What is wrong with a pattern: a whole sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct PatternError {
    /// The sentence.
    pub message: String,
}

/// Which neighbourhoods and which runs are meant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Only neighbourhoods of these types; `None`: of all.
    pub kinds: Option<Vec<NeighbourhoodKind>>,
    /// Only runs that match this pattern; `None`: all.
    pub pattern: Option<RunPattern>,
}

impl Filter {
    /// Whether neighbourhoods of a type are meant.
    pub fn wants(&self, kind: NeighbourhoodKind) -> bool {
        self.kinds
            .as_ref()
            .is_none_or(|kinds| kinds.contains(&kind))
    }

    /// What runs must pass.
    pub fn marks(&self) -> &[SearchMark] {
        self.pattern.as_ref().map_or(&[], |pattern| pattern.marks())
    }
}

/// The shortest ways from the initial node past the pattern to a neighbourhood of one of the types.
pub fn nearest(
    graph: &Tagged<'_>,
    filter: &Filter,
    budget: &Budget,
) -> Run<Result<ShortestCourse, Unmatched>> {
    let wanted = |kind| filter.wants(kind);
    let goal = |node| graph.kind(node).is_some_and(wanted);
    find(graph, filter.marks(), goal, wanted, budget)
}

/// The shortest ways from the initial node past the pattern to a node at which the system is in a state.
pub fn nearest_state(
    graph: &Tagged<'_>,
    state: StateId,
    filter: &Filter,
    budget: &Budget,
) -> Run<Result<ShortestCourse, Unmatched>> {
    let goal = |node| graph.pair(node).state == state;
    find(
        graph,
        filter.marks(),
        goal,
        |kind| filter.wants(kind),
        budget,
    )
}

/// A part of a pattern as it is written.
enum PatternElement {
    Exact(String),
    Regex(String),
    Bare(String),
}

impl fmt::Display for PatternElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternElement::Exact(text) => write!(f, "\"{text}\""),
            PatternElement::Regex(text) => write!(f, "'{text}'"),
            PatternElement::Bare(text) => f.write_str(text),
        }
    }
}

fn error(message: String) -> PatternError {
    PatternError { message }
}

/// Takes the text apart at the words `...` that are outside of quotes.
fn elements(text: &str) -> Result<Vec<PatternElement>, PatternError> {
    let mut elements = Vec::new();
    let mut rest = text.trim_start();
    loop {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let place = elements.len() + 1;
        match quote {
            Some(quote) => {
                let inner = &rest[1..];
                let end = inner.find(quote).ok_or_else(|| {
                    error(format!(
                        "Action {place} of the pattern `{text}` has no closing quote."
                    ))
                })?;
                let content = inner[..end].to_string();
                elements.push(if quote == '"' {
                    PatternElement::Exact(content)
                } else {
                    PatternElement::Regex(content)
                });
                rest = inner[end + 1..].trim_start();
            }
            None => {
                let end = separator(rest).unwrap_or(rest.len());
                let content = rest[..end].trim();
                if content.is_empty() {
                    let message = format!("Action {place} of the pattern `{text}` is empty.");
                    return Err(error(message));
                }
                elements.push(PatternElement::Bare(content.to_string()));
                rest = &rest[end..];
            }
        }
        if rest.is_empty() {
            return Ok(elements);
        }
        if separator(rest) != Some(0) {
            return Err(error(format!(
                "After action {place} of the pattern `{text}`, `...` is expected before the next one."
            )));
        }
        rest = rest[3..].trim_start();
    }
}

/// Where the first word `...` stands.
fn separator(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let blank = |place: Option<&u8>| place.is_none_or(u8::is_ascii_whitespace);
    let found = text.match_indices("...").map(|(at, _)| at);
    let mut words = found.filter(|&at| {
        let before = at.checked_sub(1).map(|at| &bytes[at]);
        blank(before) && blank(bytes.get(at + 3))
    });
    words.next()
}

fn mark(element: &PatternElement, lts: &Lts) -> Result<SearchMark, PatternError> {
    let (text, exact) = match element {
        PatternElement::Exact(text) => (text, true),
        PatternElement::Regex(text) => (text, false),
        PatternElement::Bare(text) => (text, lts.label(text).is_some()),
    };
    if exact {
        let labels = LabelSet::new(lts, |label| label.text == *text);
        return filled(labels, text, lts);
    }
    if let PatternElement::Bare(text) = element
        && let Some(number) = text.strip_prefix('@')
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        let state = number.parse().ok().filter(|&state| state < lts.states());
        let last = lts.states() - 1;
        return state
            .map(|state: usize| SearchMark::State(StateId::new(state)))
            .ok_or_else(|| {
                error(format!(
                    "There is no state {number}; states are numbered from 0 to {last}."
                ))
            });
    }
    // The group keeps alternatives in the text from escaping the anchors.
    let regex = Regex::new(&format!("^(?:{text})$"))
        .map_err(|why| error(format!("`{text}` is not a regular expression: {why}.")))?;
    filled(
        LabelSet::new(lts, |label| regex.is_match(&label.text)),
        text,
        lts,
    )
}

fn filled(labels: LabelSet, text: &str, lts: &Lts) -> Result<SearchMark, PatternError> {
    if !labels.is_empty() {
        return Ok(SearchMark::Action(labels));
    }
    let names = lts.labels().iter().map(|label| label.text.as_str());
    let advice = match nearest_name(text, names, 2) {
        Some(near) => format!(" A label with a similar text is `{near}`."),
        None if lts.labels().iter().any(|label| label.text.contains(text)) => {
            format!(" Regular expressions match whole labels: `.*{text}.*` matches some.")
        }
        None => String::new(),
    };
    Err(error(format!(
        "No label of the system matches `{text}`.{advice}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{system, tagged};
    use crate::tagged::TagReading;

    fn protocol() -> Lts {
        system(
            6,
            &[
                (0, "SEND !1", 1),
                (1, "ACK", 2),
                (1, "LOSS", 3),
                (2, "SEND !2", 3),
                (3, "BAD", 4),
                (3, "STOP", 5),
            ],
        )
    }

    fn filter(lts: &Lts, pattern: &str) -> Filter {
        Filter {
            kinds: None,
            pattern: Some(RunPattern::parse(pattern, lts).expect("it is a pattern")),
        }
    }

    #[test]
    fn an_action_is_a_label_a_regular_expression_or_a_state() {
        let lts = protocol();
        let labels = |text: &str| {
            let pattern = RunPattern::parse(text, &lts).expect("it is a pattern");
            let marks = pattern.marks().iter().map(|mark| match mark {
                SearchMark::Action(labels) => {
                    let texts = labels.iter().map(|label| lts.text(label));
                    texts.collect::<Vec<_>>().join("|")
                }
                SearchMark::State(state) => state.index().to_string(),
            });
            marks.collect::<Vec<_>>()
        };
        assert_eq!(labels("SEND !1"), ["SEND !1"]);
        assert_eq!(labels("SEND.* ... ACK"), ["SEND !1|SEND !2", "ACK"]);
        assert_eq!(
            labels("'SEND !.' ... \"ACK\" ... @3"),
            ["SEND !1|SEND !2", "ACK", "3"]
        );
        assert_eq!(labels("  'A...?K?' ...  ACK "), ["ACK", "ACK"]);
        let pattern = RunPattern::parse("'SEND.*'   ...ACK", &lts);
        assert!(pattern.is_err(), "`...` is a word of its own");
    }

    #[test]
    fn what_is_no_pattern_is_told_why() {
        let lts = protocol();
        let why = |text: &str| {
            RunPattern::parse(text, &lts)
                .expect_err("it is wrong")
                .to_string()
        };
        insta::assert_snapshot!(why("SEND"), @"No label of the system matches `SEND`. Regular expressions match whole labels: `.*SEND.*` matches some.");
        insta::assert_snapshot!(why("ACL"), @"No label of the system matches `ACL`. A label with a similar text is `ACK`.");
        insta::assert_snapshot!(why("ACK ... "), @"Action 2 of the pattern `ACK ... ` is empty.");
        insta::assert_snapshot!(why("'ACK"), @"Action 1 of the pattern `'ACK` has no closing quote.");
        insta::assert_snapshot!(why("'ACK' ACK"), @"After action 1 of the pattern `'ACK' ACK`, `...` is expected before the next one.");
        insta::assert_snapshot!(why("@9"), @"There is no state 9; states are numbered from 0 to 5.");
        insta::assert_snapshot!(why("(ACK"), @"`(ACK` is not a regular expression: found open group without closing ')'.");
        insta::assert_snapshot!(why(""), @"Action 1 of the pattern `` is empty.");
    }

    #[test]
    fn the_pattern_constrains_the_search() {
        let lts = protocol();
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let unlimited = Budget::unlimited();
        let length = |filter: &Filter| {
            let found = nearest(&graph, filter, &unlimited).expect("no limit");
            found.map(|found| found.course.len())
        };
        assert_eq!(length(&Filter::default()), Ok(2));
        assert_eq!(length(&filter(&lts, "ACK")), Ok(3));
        assert_eq!(length(&filter(&lts, "@0 ... @2")), Ok(3));
        let none = Filter {
            kinds: Some(vec![NeighbourhoodKind::Cn]),
            pattern: None,
        };
        assert!(length(&none).is_err());
        let state = nearest_state(&graph, StateId::new(3), &filter(&lts, "ACK"), &unlimited);
        assert_eq!(
            state.expect("no limit").map(|found| found.course.len()),
            Ok(3)
        );
    }

    #[test]
    fn an_unmatched_pattern_is_answered_with_how_far_it_goes() {
        let lts = protocol();
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let passed = |text: &str| {
            let found = nearest(&graph, &filter(&lts, text), &Budget::unlimited());
            let unmatched = found.expect("no limit").expect_err("there is none");
            (unmatched.passed, unmatched.steps)
        };
        assert_eq!(passed("SEND.* ... SEND.* ... SEND.*"), (2, 3));
        assert_eq!(passed("BAD"), (1, 3));
        assert_eq!(passed("STOP"), (0, 0));
    }
}
