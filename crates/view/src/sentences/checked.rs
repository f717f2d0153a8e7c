//! No sentence is shown before what it asserts is decided.
//!
//! A `Telling` has a checker of its own, which shares nothing with whoever found or told the evidence
//! ([`SentenceChecker`]). A sentence that it does not confirm is not shown: another one that says less is.

use std::cell::RefCell;
use std::rc::Rc;

use wherefore_base::{Budget, IndexVec};
use wherefore_evidence::modal::SystemSentenceChecker;
use wherefore_evidence::{
    Assertion, AssertionTruth, Evidence, Note, SentenceBase, SentenceChecker,
};
use wherefore_logic::{Formula, Op, PathRule};
use wherefore_model::Query;
use wherefore_model::lts::{Lts, ModalQuestion};

use super::{Sentence, SentenceAssertion};
use crate::Report;
use crate::words::Telling;

/// Where a sentence is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SentenceKind {
    /// Why the verdict is as it is.
    Because,
    /// Why a step is there, beside it.
    Remark,
    /// A line of the proof that is attached to a state.
    ProofLine,
    /// How the evidence answers the property, in English.
    Answer,
    /// What a state is for, in English.
    English,
    /// What a region shows.
    Region,
    /// What a branch shows.
    Branch,
    /// How long an evidence is.
    Shape,
    /// What is known of its length.
    Badge,
    /// Where a run lost its last chance.
    Decision,
    /// What never matters.
    Vacuity,
    /// Why the property holds.
    Why,
    /// A circumstance.
    Note,
    /// What a node of a proof follows from.
    Node,
    /// A claim of the JSON document.
    Document,
}

impl SentenceKind {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            SentenceKind::Because => "because",
            SentenceKind::Remark => "remark at a step",
            SentenceKind::ProofLine => "line of the proof",
            SentenceKind::Answer => "English: answer",
            SentenceKind::English => "English: state",
            SentenceKind::Region => "region",
            SentenceKind::Branch => "branch",
            SentenceKind::Shape => "shape",
            SentenceKind::Badge => "length",
            SentenceKind::Decision => "decision",
            SentenceKind::Vacuity => "vacuity",
            SentenceKind::Why => "why it holds",
            SentenceKind::Note => "note",
            SentenceKind::Node => "node of the proof",
            SentenceKind::Document => "JSON: claim",
        }
    }
}

/// A sentence that somebody wanted to show, and what the checker said.
#[derive(Clone, Debug)]
pub struct DecidedSentence {
    /// Where.
    pub kind: SentenceKind,
    /// The sentence.
    pub sentence: Sentence,
    /// Whether what it asserts is so: of several assertions the worst.
    pub truth: AssertionTruth,
    /// Whether it was shown.
    pub shown: bool,
    /// Sentences that say more and were not confirmed.
    pub stronger: Vec<(Sentence, AssertionTruth)>,
}

/// The checker of a telling, and what it was asked.
pub(crate) struct SentenceJudge<'a> {
    decide: Box<dyn Fn(&Assertion) -> AssertionTruth + 'a>,
    /// What was asked; `None` unless somebody wants to know.
    log: Option<RefCell<Vec<DecidedSentence>>>,
}

impl<'a> SentenceJudge<'a> {
    /// Shows a sentence about a property, or about the model alone, as `show` asks a checker; `None` where nothing is
    /// decided.
    pub(crate) fn with<T>(
        report: &Report<'_>,
        query: Option<&Query>,
        show: impl FnOnce(Option<&SentenceJudge<'_>>) -> T,
    ) -> T {
        let everything = match query {
            Some(_) => None,
            None => Some(no_question()),
        };
        let query = query.or(everything.as_ref());
        let base = query.and_then(|query| SentenceJudge::base(report, query));
        let judge = base.map(|base| SentenceJudge::new(base, None, false));
        show(judge.as_deref())
    }

    /// What evidence for one query is decided with; `None` where nothing is.
    pub(crate) fn base(report: &Report<'a>, query: &'a Query) -> Option<Rc<SentenceBase<'a>>> {
        // Finite numbers that do not fit are larger than whatever is explored.
        let reachable = report.space.map(|space| {
            let states = space.states.to_string();
            states.parse().unwrap_or(usize::MAX)
        });
        let deadlocks = |note: &Note| matches!(note, Note::Deadlocks { .. });
        let space = report.space;
        let total = space.is_some_and(|space| !space.notes.iter().any(deadlocks));
        let base = SentenceBase::new(report.model, query, report.explored?, Budget::unlimited());
        Some(Rc::new(base.over(reachable, total)))
    }

    pub(crate) fn new(
        base: Rc<SentenceBase<'a>>,
        evidence: Option<&'a Evidence>,
        logged: bool,
    ) -> Rc<Self> {
        let checker = SentenceChecker::new(base, evidence);
        Rc::new(Self {
            decide: Box::new(move |assertion| checker.decide(assertion)),
            log: logged.then(RefCell::default),
        })
    }

    /// The same for the evidence of a labelled transition system.
    pub(crate) fn of_system(
        lts: &'a Lts,
        question: &'a ModalQuestion,
        evidence: &'a Evidence,
        logged: bool,
    ) -> Self {
        let checker = SystemSentenceChecker::new(lts, question, evidence, Budget::unlimited());
        Self {
            decide: Box::new(move |assertion| checker.decide(assertion)),
            log: logged.then(RefCell::default),
        }
    }

    fn truth(&self, sentence: &Sentence) -> AssertionTruth {
        let mut worst = AssertionTruth::True;
        for assertion in sentence.assertions() {
            let SentenceAssertion::Model(assertion) = assertion else {
                continue;
            };
            match (self.decide)(assertion) {
                AssertionTruth::True => {}
                wrong @ AssertionTruth::False(_) => return wrong,
                unknown => worst = unknown,
            }
        }
        worst
    }

    /// The first of several sentences, each of which says less than the one before, that is known to be true.
    /// Nothing if there is none.
    pub(crate) fn first_true(&self, kind: SentenceKind, mut sentences: Vec<Sentence>) -> Sentence {
        match self.first_of(kind, &sentences) {
            Some(at) => sentences.swap_remove(at),
            None => Sentence::default(),
        }
    }

    /// The same, by its place.
    pub(crate) fn first_of(&self, kind: SentenceKind, sentences: &[Sentence]) -> Option<usize> {
        let least = sentences.len();
        let mut stronger = Vec::new();
        for (at, sentence) in sentences.iter().enumerate() {
            let truth = self.truth(sentence);
            let shown = truth == AssertionTruth::True;
            if let Some(log) = &self.log {
                // That a sentence which says more is not so is no fault, if one that says less is.
                if shown || at + 1 == least {
                    log.borrow_mut().push(DecidedSentence {
                        kind,
                        sentence: sentence.clone(),
                        truth: truth.clone(),
                        shown,
                        stronger: std::mem::take(&mut stronger),
                    });
                }
                stronger.push((sentence.clone(), truth.clone()));
            }
            if shown {
                return Some(at);
            }
            let wrong = matches!(truth, AssertionTruth::False(_)) && at + 1 == least;
            debug_assert!(
                !wrong || self.log.is_some(),
                "a false sentence: {sentence}\n{truth:?}\n{:#?}",
                sentence.assertions()
            );
        }
        None
    }

    /// A sentence that somebody else has decided, unless the checker refutes it: a solver, as every condition of a reason why a
    /// property holds (`certify::verify_statements`), or an engine, as the notes that belong to its verdict.
    pub(crate) fn certified(&self, kind: SentenceKind, sentence: Sentence) -> Sentence {
        let truth = self.truth(&sentence);
        let wrong = matches!(truth, AssertionTruth::False(_));
        debug_assert!(
            !wrong || self.log.is_some(),
            "a false sentence: {sentence}\n{truth:?}"
        );
        if let Some(log) = &self.log {
            log.borrow_mut().push(DecidedSentence {
                kind,
                sentence: sentence.clone(),
                truth,
                shown: !wrong,
                stronger: vec![],
            });
        }
        if wrong { Sentence::default() } else { sentence }
    }

    /// What was asked, if that was noted.
    pub(crate) fn decided(&self) -> Vec<DecidedSentence> {
        let log = self.log.as_ref();
        log.map(|log| log.borrow().clone()).unwrap_or_default()
    }
}

/// A query that holds everywhere: what is said of the model alone is decided with it.
fn no_question() -> Query {
    let mut formula = Formula::new();
    formula.add(Op::Const(true), None);
    Query {
        formula,
        atoms: IndexVec::default(),
        rule: PathRule::FairInfinite,
    }
}

impl<'a> Telling<'a> {
    /// The same, and what is asked of its checker is noted.
    pub(crate) fn logged(self) -> Self {
        let base = SentenceJudge::base(&self.report, self.query);
        let judge = base.map(|base| SentenceJudge::new(base, Some(self.evidence), true));
        Self { judge, ..self }
    }

    /// What its checker was asked, if that was noted.
    pub(crate) fn decided(&self) -> Vec<DecidedSentence> {
        self.judge.as_ref().map_or(vec![], |judge| judge.decided())
    }

    /// The first of several sentences, each of which says less than the one before, that is known to be true.
    /// Nothing if there is none.
    pub(crate) fn first_true(&self, kind: SentenceKind, sentences: Vec<Sentence>) -> Sentence {
        self.with_names(match &self.judge {
            Some(judge) => judge.first_true(kind, sentences),
            None => sentences.into_iter().next().unwrap_or_default(),
        })
    }

    /// A sentence if it is known to be true, otherwise nothing.
    pub(crate) fn if_true(&self, kind: SentenceKind, sentence: Sentence) -> Sentence {
        self.first_true(kind, vec![sentence])
    }
}
