//! Sentences: what is said about a model, as values.
//!
//! A [`Sentence`] is a list of parts (words, formulas, steps, counts), and it carries as data what it asserts of
//! the model: a list of [`Assertion`]s. Views print sentences; a checker can decide what they assert without
//! reading English. All wording is in the modules below this one.

pub(crate) mod abstracted;
pub(crate) mod actions;
pub(crate) mod along_run;
pub(crate) mod attached;
pub(crate) mod because;
pub(crate) mod blame;
pub(crate) mod certificate;
pub(crate) mod clauses;
pub(crate) mod english;
mod literals;
pub(crate) mod phrases;
pub(crate) mod reach;
pub(crate) mod remarks;
pub(crate) mod several;
pub(crate) mod tagged;
mod ways;
pub(crate) mod why;

use std::fmt;

use wherefore_alloy::answer::Facts;
use wherefore_alloy::reach::{Initial, ReachMeaning};
use wherefore_evidence::certificate::Recheck;
use wherefore_evidence::{
    Claim, DecisiveChoice, Measure, NoMore, OccurrenceId, ProofId, Replay, Rule,
};
use wherefore_logic::{Goal, SubId};
use wherefore_tagged::{AnalysisOutlook, TagReading};

use crate::ahead::End;
use crate::words::Telling;

/// A part of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SentencePart {
    /// Words, with the space around them.
    Words(String),
    /// A formula, a name or another text of the model, in quotes.
    Formula(String),
    /// A step of a run: `step 2`.
    Step(OccurrenceId),
    /// A number of things: `3 steps`.
    Count(usize, &'static str),
}

impl fmt::Display for SentencePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SentencePart::Words(words) => f.write_str(words),
            SentencePart::Formula(text) => write!(f, "`{text}`"),
            SentencePart::Step(step) => write!(f, "step {}", step.index()),
            SentencePart::Count(1, noun) => write!(f, "1 {noun}"),
            SentencePart::Count(n, noun) => write!(f, "{n} {noun}s"),
        }
    }
}

/// What a sentence asserts of the model, of its evidence, or of the answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assertion {
    /// A claim of the proof is true at a step.
    HoldsAt {
        /// What is claimed.
        claim: Claim,
        /// Of which step.
        at: OccurrenceId,
        /// What shows it.
        ground: SentenceGround,
    },
    /// A part of the property never matters: the property holds whatever it is replaced by.
    NeverMatters(SubId),
    /// A part of the property is true, or false, in every reachable state.
    Always(Goal),
    /// The property would fail on this run if a part of it were this constant.
    MattersOnRun(SubId, bool),
    /// No evidence is smaller by a measure.
    Minimal {
        /// What is counted.
        measure: Measure,
        /// How much of it this evidence has.
        length: u32,
        /// Where that it is the least is not proved: no evidence has less than this.
        at_least: Option<u32>,
    },
    /// An evidence was replayed with this result.
    Replayed(Replay),
    /// Where the run lost its last chance to keep a part of the property, if it did.
    Decided(SubId, DecisiveChoice),
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

/// What shows that a claim is true at a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SentenceGround {
    /// Its state, or the parts of the claim there.
    State,
    /// A step that leads here.
    StepTo(OccurrenceId),
    /// Its successors, of which there are so many.
    EverySuccessor(usize),
    /// A path that reaches what is asked for after so many steps.
    Reaches(usize),
    /// A path that keeps to what is asked for, up to its end or for ever.
    Keeps(Option<OccurrenceId>),
    /// All states that can follow, of which there are so many.
    Region(String),
    /// The whole run.
    Run,
    /// Nothing yet.
    Open,
}

/// A sentence as a value: its parts, and what it asserts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sentence {
    parts: Vec<SentencePart>,
    assertions: Vec<Assertion>,
}

impl Sentence {
    /// The parts in order.
    pub fn parts(&self) -> &[SentencePart] {
        &self.parts
    }

    /// What it asserts.
    pub fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }

    /// Whether it has no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The same sentence, which asserts something more.
    #[must_use]
    pub(crate) fn asserting(mut self, assertion: Assertion) -> Self {
        self.assert(vec![assertion]);
        self
    }

    fn assert(&mut self, assertions: Vec<Assertion>) {
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

impl Telling<'_> {
    /// What a node of the proof asserts, as its rule has it; `end` is how the path of a claim about one ends.
    pub(crate) fn asserted(&self, id: ProofId, end: End) -> Assertion {
        let proof = &self.evidence.proof;
        let node = &proof[id];
        let ground = match node.rule {
            None => SentenceGround::Open,
            Some(Rule::State | Rule::Branch(_) | Rule::Total) => SentenceGround::State,
            Some(Rule::Step) => {
                let to = node.premises.first();
                SentenceGround::StepTo(to.map_or(node.at, |&to| proof[to].at))
            }
            Some(Rule::EveryStep) => SentenceGround::EverySuccessor(node.premises.len()),
            Some(Rule::Goal) => SentenceGround::Reaches(0),
            Some(Rule::DeadEnd | Rule::Stop) => SentenceGround::Keeps(Some(node.at)),
            Some(Rule::Region(region)) => {
                SentenceGround::Region(self.evidence.regions[region].size.to_string())
            }
            Some(Rule::Run) => SentenceGround::Run,
            Some(Rule::Continue) => match end {
                End::Loop(_) => SentenceGround::Keeps(None),
                End::Node(end, steps) => match proof[end].rule {
                    Some(Rule::DeadEnd | Rule::Stop) => SentenceGround::Keeps(Some(proof[end].at)),
                    _ => SentenceGround::Reaches(steps),
                },
            },
        };
        Assertion::HoldsAt {
            claim: node.claim,
            at: node.at,
            ground,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_with_sentences_and_keeps_what_they_assert() {
        let part = say!("{} holds", formula("p")).asserting(Assertion::PartsFail(1, 2));
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
