//! The proof of an abstract run in words: each claim is about all states of a set.

use wherefore_evidence::{AbstractClaim, AbstractRun, ClaimStates, SetRule};
use wherefore_model::Query;

use super::abstracted::formula as set_text;
use super::{Sentence, SentenceAssertion, formula, list};
use crate::Report;
use crate::words::{LONGEST, shortened, sub_text};

/// The proof over sets of an abstract run, which was re-checked. Claims have numbers from the one about the property on,
/// which is 0, so that what a claim follows from has higher ones.
pub(crate) struct SetProofWords<'a> {
    report: Report<'a>,
    query: &'a Query,
    run: &'a AbstractRun,
    /// The claims that the last one rests on, by their places in the proof; the last one first.
    shown: Vec<usize>,
}

impl<'a> SetProofWords<'a> {
    /// `None` when the proof was not re-checked.
    pub(crate) fn new(report: Report<'a>, query: &'a Query, run: &'a AbstractRun) -> Option<Self> {
        if !run.proof_replayed {
            return None;
        }
        let mut used = vec![false; run.proof.len()];
        *used.last_mut()? = true;
        // Premises come first, so that going back from the end meets every claim after all that use it.
        for (at, claim) in run.proof.iter().enumerate().rev() {
            if used[at] {
                claim
                    .premises
                    .iter()
                    .for_each(|&premise| used[premise] = true);
            }
        }
        let shown = (0..run.proof.len()).rev().filter(|&at| used[at]);
        Some(Self {
            report,
            query,
            run,
            shown: shown.collect(),
        })
    }

    /// How many claims there are.
    pub(crate) fn len(&self) -> usize {
        self.shown.len()
    }

    /// The claim with a number.
    pub(crate) fn claim(&self, number: usize) -> &'a AbstractClaim {
        &self.run.proof[self.shown[number]]
    }

    /// The numbers of the claims that a claim follows from.
    pub(crate) fn premises(&self, number: usize) -> Vec<usize> {
        let premises = self.claim(number).premises.iter();
        let numbers = premises.filter_map(|at| self.shown.iter().position(|shown| shown == at));
        numbers.collect()
    }

    /// "`EF r` holds".
    pub(crate) fn what(&self, number: usize) -> Sentence {
        let claim = self.claim(number);
        let text = shortened(sub_text(&self.report, self.query, claim.goal.sub), LONGEST);
        let truth = if claim.goal.holds {
            "holds"
        } else {
            "is false"
        };
        match claim.taken {
            0 => say!("{} {}", formula(text), truth),
            taken => say!(
                "{} {}, counted from {} before",
                formula(text),
                truth,
                steps(taken)
            ),
        }
    }

    /// "in all 2 states of step 2", "in 1 of the 2 states of step 1, those where `p & !r`".
    pub(crate) fn place(&self, number: usize) -> Sentence {
        let claim = self.claim(number);
        let position = &self.run.positions[claim.position];
        let (all, at) = (position.states.to_string(), claim.position);
        match &claim.of {
            ClaimStates::Position if all == "1" => say!("in the only state of step {}", at),
            ClaimStates::Position => say!("in all {} states of step {}", all, at),
            ClaimStates::Described(described) => {
                let condition = formula(set_text(&self.report, described, &[]));
                let states = claim.states.to_string();
                let those = if states == "1" { "that" } else { "those" };
                say!(
                    "in {} of the {} states of step {}, {} where {}",
                    states,
                    all,
                    at,
                    those,
                    condition
                )
            }
            ClaimStates::NotDescribed => {
                say!(
                    "in {} of the {} states of step {}",
                    claim.states.to_string(),
                    all,
                    at
                )
            }
        }
    }

    /// Why the claim is so: "every one has a step to a state of #2".
    pub(crate) fn why(&self, number: usize) -> Sentence {
        self.why_by(number, self.premises(number))
    }

    /// The same with these numbers of what it follows from.
    fn why_by(&self, number: usize, numbers: Vec<usize>) -> Sentence {
        let claim = self.claim(number);
        let refer = |numbers: &[usize]| {
            let texts: Vec<Sentence> = numbers.iter().map(|n| format!("#{n}").into()).collect();
            list(&texts)
        };
        let each = match claim.states == 1_u32.into() {
            true => "it",
            false => "each",
        };
        let leads = |to: usize| say!("{} has a step to a state of #{}", each, to);
        match (claim.rule, numbers.split_last()) {
            (SetRule::Step | SetRule::Continue, Some((&next, []))) => leads(next),
            (SetRule::Step | SetRule::Continue, Some((&next, stay))) => {
                say!("by {}, and {}", refer(stay), leads(next))
            }
            (SetRule::Split, _) => say!("in parts, by {}", refer(&numbers)),
            (SetRule::Branch(_) | SetRule::Arrive, _) if !numbers.is_empty() => {
                say!("by {}", refer(&numbers))
            }
            _ => "the values of the states decide".into(),
        }
    }

    /// The sentence of the claim at a place in the proof, where claims have the numbers of their places; `None` when the
    /// claim about the property does not rest on it.
    pub(crate) fn document(&self, at: usize) -> Option<String> {
        let number = self.shown.iter().position(|&shown| shown == at)?;
        let places = |numbers: Vec<usize>| numbers.into_iter().map(|n| self.shown[n]).collect();
        let why = self.why_by(number, places(self.premises(number)));
        Some(say!("{} {}: {}", self.what(number), self.place(number), why).to_string())
    }

    /// The whole sentence, without its number.
    pub(crate) fn text(&self, number: usize) -> Sentence {
        let claim = SentenceAssertion::SetClaim(Box::new(self.claim(number).clone()));
        say!(
            "{} {}: {}",
            self.what(number),
            self.place(number),
            self.why(number)
        )
        .asserting(claim)
    }
}

fn steps(n: u32) -> String {
    match n {
        1 => "1 step".to_string(),
        n => format!("{n} steps"),
    }
}
