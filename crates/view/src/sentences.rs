//! Sentences: what is said about a model, as values.
//!
//! A [`Sentence`] is a list of parts (words, formulas, steps, counts), and it carries as data what it asserts of
//! the model: a list of [`SentenceAssertion`]s. An independent checker decides what is said of states and runs without
//! reading English, and views print only what it confirms ([`checked`]). All wording is in the modules below this one.

pub(crate) mod abstracted;
pub(crate) mod actions;
pub mod all;
pub(crate) mod along_run;
pub(crate) mod attached;
pub(crate) mod because;
pub(crate) mod blame;
pub(crate) mod certificate;
pub mod checked;
pub(crate) mod clauses;
pub(crate) mod decisions;
pub(crate) mod english;
pub(crate) mod length;
mod literals;
pub(crate) mod nodes;
pub(crate) mod nothing;
mod paths;
pub(crate) mod phrases;
pub(crate) mod proved;
pub(crate) mod reach;
pub(crate) mod readings;
pub(crate) mod remarks;
pub(crate) mod run_nodes;
pub(crate) mod set_proof;
pub(crate) mod several;
pub(crate) mod slice;
pub(crate) mod starts;
pub(crate) mod tagged;
pub(crate) mod to_blame;
mod ways;
pub(crate) mod why;
pub(crate) mod wished;

use std::fmt;

use wherefore_alloy::answer::Facts;
use wherefore_alloy::reach::{Initial, ReachMeaning};
use wherefore_evidence::certificate::Recheck;
use wherefore_evidence::{
    AbstractClaim, Assertion, Minimality, NoMore, OccurrenceId, Replay, WishOutcome,
};
use wherefore_tagged::{AnalysisOutlook, TagReading};

use crate::report::StartStates;

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SentencePart {
    /// Words, with the space around them.
    Words(String),
    /// A formula, a name or another text of the model, in quotes.
    Formula(String),
    /// A step of a run: `step 2`.
    Step(OccurrenceId),
    /// A step of a run with the names of its state: `step 2 (Idle)`.
    NamedStep(OccurrenceId, String),
    /// A number of things: `3 steps`.
    Count(usize, &'static str),
}

impl fmt::Display for SentencePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SentencePart::Words(words) => f.write_str(words),
            SentencePart::Formula(text) => write!(f, "`{text}`"),
            SentencePart::Step(step) => write!(f, "step {}", step.index()),
            SentencePart::NamedStep(step, names) => write!(f, "step {} ({names})", step.index()),
            SentencePart::Count(1, noun) => write!(f, "1 {noun}"),
            SentencePart::Count(n, noun) => write!(f, "{n} {noun}s"),
        }
    }
}

/// What a sentence asserts of the model, of its evidence, or of the answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SentenceAssertion {
    /// Something about states and runs of the model, which [`checked`] has decided before it is shown.
    Model(Assertion),
    /// What the search that made an evidence says of its size.
    Searched(Minimality),
    /// An evidence was replayed with this result.
    Replayed(Replay),
    /// What became of a wish that the evidence was chosen by.
    Wished(WishOutcome),
    /// From which states properties are asked.
    Starts(StartStates),
    /// A claim about all states of a set, which was re-checked with the proof it belongs to.
    SetClaim(Box<AbstractClaim>),
    /// So many of so many parts of the property fail.
    PartsFail(usize, usize),
    /// Why there is no more evidence after so much.
    NoMoreEvidence(NoMore, usize),
    /// A certificate was re-checked with this result.
    Certified(Recheck),
    /// How a property stands over all runs of a system.
    Stands(AnalysisOutlook, TagReading),
    /// What an answer in a scope means for the complete system.
    Means(ReachMeaning),
    /// In which initial states of the complete system, which has so many states, a formula holds.
    Complete(Initial, String),
    /// Whether the facts can hold together in the scope.
    Facts(Facts),
    /// Parts of a model cannot hold together.
    Core {
        /// How many.
        parts: usize,
        /// Whether each of them is needed for that.
        minimal: bool,
    },
}

impl From<Assertion> for SentenceAssertion {
    fn from(assertion: Assertion) -> Self {
        SentenceAssertion::Model(assertion)
    }
}

/// A sentence as a value: its parts, and what it asserts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sentence {
    parts: Vec<SentencePart>,
    assertions: Vec<SentenceAssertion>,
}

impl Sentence {
    /// The parts in order.
    pub fn parts(&self) -> &[SentencePart] {
        &self.parts
    }

    /// What it asserts.
    pub fn assertions(&self) -> &[SentenceAssertion] {
        &self.assertions
    }

    /// Whether another sentence has the same words, whatever it asserts.
    pub(crate) fn reads_as(&self, other: &Sentence) -> bool {
        self.parts == other.parts
    }

    /// Whether it has no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The same sentence, which asserts something more.
    #[must_use]
    pub(crate) fn asserting(mut self, assertion: impl Into<SentenceAssertion>) -> Self {
        self.assert(vec![assertion.into()]);
        self
    }

    fn assert(&mut self, assertions: Vec<SentenceAssertion>) {
        for assertion in assertions {
            if !self.assertions.contains(&assertion) {
                self.assertions.push(assertion);
            }
        }
    }

    /// The words of a template, with a sentence in the place of each `{}`.
    pub(crate) fn filled(template: &str, holes: Vec<Sentence>) -> Self {
        let mut words = template.split("{}");
        let mut whole = Sentence::from(words.next().unwrap_or_default());
        for (hole, words) in holes.into_iter().zip(words) {
            whole.push(hole);
            whole.push(words.into());
        }
        whole
    }

    fn push(&mut self, other: Sentence) {
        for part in other.parts {
            match (self.parts.last_mut(), part) {
                (Some(SentencePart::Words(words)), SentencePart::Words(more)) => {
                    words.push_str(&more);
                }
                (_, part) => self.parts.push(part),
            }
        }
        self.assert(other.assertions);
    }

    /// The same sentence, in which each step that has names is told with them where it is first spoken of.
    pub(crate) fn naming(mut self, names: &dyn Fn(OccurrenceId) -> Option<String>) -> Self {
        let mut named: Vec<OccurrenceId> = Vec::new();
        for part in &mut self.parts {
            match part {
                SentencePart::NamedStep(step, _) if named.contains(step) => {
                    *part = SentencePart::Step(*step);
                }
                SentencePart::NamedStep(step, _) => named.push(*step),
                SentencePart::Step(step) if !named.contains(step) => {
                    if let Some(names) = names(*step) {
                        named.push(*step);
                        *part = SentencePart::NamedStep(*step, names);
                    }
                }
                _ => {}
            }
        }
        self
    }

    /// The same sentence without its full stop.
    pub(crate) fn without_stop(mut self) -> Self {
        if let Some(SentencePart::Words(words)) = self.parts.last_mut() {
            words.truncate(words.trim_end_matches('.').len());
        }
        self
    }

    /// The same sentence with a capital letter, if it starts with a word of ours, and a full stop.
    pub(crate) fn whole(mut self) -> Self {
        if let Some(SentencePart::Words(words)) = self.parts.first_mut() {
            // A sentence may start with the name of a variable, which stays as it is.
            let word = words.split(' ').next().unwrap_or_default();
            if OPENINGS.contains(&word.trim_end_matches(',')) {
                words[..1].make_ascii_uppercase();
            }
        }
        match self.is_empty() {
            true => self,
            false => say!("{}.", self),
        }
    }
}

/// The words that a sentence of ours may start with.
const OPENINGS: [&str; 22] = [
    "a", "again", "as", "at", "because", "before", "every", "from", "here", "in", "it", "once",
    "one", "part", "sooner", "still", "the", "this", "until", "whatever", "whenever", "within",
];

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| part.fmt(f))
    }
}

/// The text of a sentence.
pub fn render(sentence: &Sentence) -> String {
    sentence.to_string()
}

impl From<SentencePart> for Sentence {
    fn from(part: SentencePart) -> Self {
        Self {
            parts: vec![part],
            assertions: vec![],
        }
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        match text.is_empty() {
            true => Self::default(),
            false => SentencePart::Words(text).into(),
        }
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        text.to_string().into()
    }
}

impl From<&String> for Sentence {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<&Sentence> for Sentence {
    fn from(sentence: &Sentence) -> Self {
        sentence.clone()
    }
}

impl From<OccurrenceId> for Sentence {
    fn from(step: OccurrenceId) -> Self {
        SentencePart::Step(step).into()
    }
}

impl From<usize> for Sentence {
    fn from(number: usize) -> Self {
        number.to_string().into()
    }
}

impl From<u32> for Sentence {
    fn from(number: u32) -> Self {
        number.to_string().into()
    }
}

/// The texts of sentences.
pub(crate) fn texts(sentences: Vec<Sentence>) -> Vec<String> {
    sentences.iter().map(render).collect()
}

/// A text of the model in quotes.
pub(crate) fn formula(text: impl Into<String>) -> Sentence {
    SentencePart::Formula(text.into()).into()
}

/// What evidence against a property is called.
pub(crate) const COUNTEREXAMPLE: &str = "counterexample";

/// What evidence for a property, or against it, is called.
pub(crate) fn evidence_noun(holds: bool) -> &'static str {
    match holds {
        true => "witness",
        false => COUNTEREXAMPLE,
    }
}

/// `1 step`, `3 steps`.
pub(crate) fn count(n: usize, noun: &'static str) -> Sentence {
    SentencePart::Count(n, noun).into()
}

/// Sentences with something between them.
pub(crate) fn joined(sentences: &[Sentence], between: &str) -> Sentence {
    let mut whole = Sentence::default();
    for (at, sentence) in sentences.iter().enumerate() {
        whole.push(if at > 0 { between } else { "" }.into());
        whole.push(sentence.clone());
    }
    whole
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[Sentence]) -> Sentence {
    match items {
        [most @ .., last] if !most.is_empty() => say!("{} and {}", joined(most, ", "), last),
        items => joined(items, ""),
    }
}

/// Adds a sentence, unless one with the same words is there already, which then asserts the same.
pub(crate) fn add(sentences: &mut Vec<Sentence>, sentence: Sentence) {
    match sentences.iter_mut().find(|s| s.parts == sentence.parts) {
        Some(same) => same.assert(sentence.assertions),
        None => sentences.push(sentence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_with_sentences_and_keeps_what_they_assert() {
        let part = say!("{} holds", formula("p")).asserting(SentenceAssertion::PartsFail(1, 2));
        let whole = say!(
            "in {}: {} after {}",
            OccurrenceId::new(2),
            part,
            count(1, "step")
        );
        assert_eq!(render(&whole), "in step 2: `p` holds after 1 step");
        assert_eq!(whole.assertions().len(), 1);
        assert_eq!(whole.parts().len(), 6);
    }

    #[test]
    fn a_whole_sentence_has_a_capital_letter_unless_it_starts_with_a_name() {
        assert_eq!(render(&say!("here it is").whole()), "Here it is.");
        assert_eq!(render(&say!("floor is 3").whole()), "floor is 3.");
    }
}
