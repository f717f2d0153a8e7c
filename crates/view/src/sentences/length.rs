//! What is known of the length of evidence, and by whom.
//!
//! That nothing is shorter is found by the search that made the evidence. It is called proved where the independent
//! checker has excluded shorter evidence again; otherwise the words say that the search found none.

use wherefore_evidence::{Assertion, Evidence, Measure, Minimality};
use wherefore_wire::{LengthAuthority, MinimalDoc};

use super::checked::{SentenceJudge, SentenceKind};
use super::{Sentence, SentenceAssertion, count};
use crate::json::names;

/// Something that may be known of the length of an evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownLength {
    minimal: Minimality,
    by: LengthAuthority,
}

impl KnownLength {
    /// What the checker confirms of the length of an evidence; otherwise what the search says of it.
    pub(crate) fn of(evidence: &Evidence, judge: Option<&SentenceJudge<'_>>) -> Self {
        let mut ways = Self::ways(&evidence.minimal);
        let search = ways.len() - 1;
        let way = match judge {
            Some(judge) => {
                let sentences: Vec<Sentence> = ways.iter().map(|way| way.sentence(false)).collect();
                let confirmed = judge.first_of(SentenceKind::Badge, &sentences);
                // What the search says needs nobody to confirm it.
                confirmed.unwrap_or(search)
            }
            // As with every sentence, whoever has no checker does not ask for one.
            None => search - 1,
        };
        ways.swap_remove(way)
    }

    /// What may be said, each less than the one before.
    fn ways(minimal: &Minimality) -> Vec<Self> {
        let by = |measure: Measure, by: LengthAuthority| Self {
            minimal: Minimality {
                measure,
                ..minimal.clone()
            },
            by,
        };
        let mut ways = Vec::new();
        // What is shortest in the product, or within a trace, may be shortest of all.
        let part = matches!(minimal.measure, Measure::ProductSteps | Measure::TraceSteps);
        if part && minimal.proved() {
            ways.push(by(Measure::Steps, LengthAuthority::Checker));
        }
        ways.push(by(minimal.measure, LengthAuthority::Checker));
        ways.push(by(minimal.measure, LengthAuthority::Search));
        ways
    }

    /// Whether nothing has less, and the checker says so.
    pub(crate) fn proved(&self) -> bool {
        self.by == LengthAuthority::Checker && self.minimal.proved()
    }

    /// It in words, of an evidence that somebody may have chosen.
    pub(crate) fn sentence(&self, chosen: bool) -> Sentence {
        let Minimality {
            measure,
            length,
            at_least,
        } = self.minimal;
        let (words, confirmed) = match self.by {
            LengthAuthority::Checker => (self.confirmed(chosen), at_least),
            LengthAuthority::Search => (self.searched(chosen), 0),
        };
        let words = words.asserting(Assertion::Minimal {
            measure,
            length,
            at_least: confirmed,
        });
        words.asserting(SentenceAssertion::Searched(self.minimal.clone()))
    }

    fn known(&self) -> Sentence {
        count(
            self.minimal.length as usize,
            self.minimal.measure.singular(),
        )
    }

    fn confirmed(&self, chosen: bool) -> Sentence {
        let least: Sentence = match self.minimal.measure {
            Measure::Steps => "shortest".into(),
            Measure::TraceSteps => "shortest within the trace".into(),
            Measure::ProductSteps => "shortest in the product".into(),
            measure => say!("fewest {}", measure.to_string()),
        };
        let known = || self.known();
        match (self.minimal.proved(), self.minimal.at_least) {
            (true, _) => say!("[{}: proved]", least),
            (false, _) if self.minimal.measure == Measure::ProductSteps && !chosen => {
                say!("[best known in the product: {}]", known())
            }
            // A strategy takes what it likes, whatever else is known.
            (false, 0) if chosen => say!("[{}]", known()),
            (false, n) if chosen => say!("[{}, none has fewer than {}]", known(), n),
            (false, 0) => say!("[best known: {}]", known()),
            (false, n) => say!("[best known: {}, at least {}]", known(), n),
        }
    }

    fn searched(&self, chosen: bool) -> Sentence {
        let fewer = match self.minimal.measure {
            Measure::Steps => "shorter",
            Measure::TraceSteps => "shorter within the trace",
            Measure::ProductSteps => "shorter in the product",
            Measure::Nodes | Measure::States | Measure::Transitions => "with fewer",
        };
        let known = self.known();
        match (self.minimal.proved(), self.minimal.at_least) {
            (true, 0) => say!("[{}]", known),
            (true, _) => say!("[{}; the search found none {}]", known, fewer),
            (false, 0) if chosen => say!("[{}]", known),
            (false, 0) => say!("[best known: {}]", known),
            (false, n) => {
                let best = if chosen { "" } else { "best known: " };
                let search = "the search found none with fewer than";
                say!("[{}{}; {} {}]", best, known, search, n)
            }
        }
    }

    /// It as a part of a document about evidence of which something may be open.
    pub(crate) fn document(&self, open: bool) -> MinimalDoc {
        MinimalDoc {
            measure: names::measure(self.minimal.measure),
            length: self.minimal.length,
            proved: self.proved() && !open,
            at_least: self.minimal.at_least,
            at_least_by: self.by,
        }
    }
}
