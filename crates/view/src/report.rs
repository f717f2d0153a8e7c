//! What is reported: a model, where it came from, and what was found out about it.

use num_bigint::BigUint;
use wherefore_base::{FileId, SourceMap};
use wherefore_evidence::{Finding, Note, ReachableStates, SpaceSummary, Vacuity, Verdict};
use wherefore_logic::PathRule;
use wherefore_model::{Model, Property, TermId};
use wherefore_wire::RunDoc;

use crate::named::StateName;

/// An expression the user wants to see at every step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The text the user wrote.
    pub text: String,
    /// What it means: a term over the present state.
    pub term: TermId,
}

/// The states that properties are asked from instead of the initial ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartStates {
    /// The condition they satisfy, as the user wrote it.
    pub text: String,
    /// How many reachable states satisfy it.
    pub reachable: BigUint,
    /// How many others satisfy it; `None` when nobody counted them.
    pub unreachable: Option<BigUint>,
    /// Whether only the reachable ones are asked from.
    pub only_reachable: bool,
    /// Whether the plain interpreter counted them again, with the same result.
    pub recounted: bool,
}

/// One model with everything found out about it.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// All source texts.
    pub sources: &'a SourceMap,
    /// The file of the model.
    pub file: FileId,
    /// The name of the model's language, as `smv`.
    pub language: &'static str,
    /// The options that a command needs to read the file so, as ` --smv-dialect old`; empty: none.
    pub reading: &'a str,
    /// The model.
    pub model: &'a Model,
    /// How large it is and which engine looked; `None` when nobody got that far.
    pub space: Option<&'a SpaceSummary>,
    /// What was found out, in the order of the properties.
    pub findings: &'a [Finding],
    /// For each of the first findings, in their order, the runs that are not shown as evidence since they are only a part
    /// of what refutes the property.
    pub runs: &'a [Vec<RunDoc>],
    /// Expressions to show at every step, next to the variables.
    pub shown: &'a [Shown],
    /// The path rule that the user chose for the properties instead of that of their language.
    pub paths: Option<PathRule>,
    /// The states that properties are asked from, where the user chose other ones than the initial states.
    pub from: Option<&'a StartStates>,
    /// Names for states.
    pub names: &'a [StateName],
    /// Who chose the evidence, as the user wrote it; empty: nobody, so the shortest known is shown.
    pub strategy: &'a [String],
    /// How long it took, when the user wants to know.
    pub seconds: Option<f64>,
    /// What the independent checker has explored, which confirms sentences before they are shown. Only tests of
    /// layouts, with evidence made by hand that no model has, do without.
    pub explored: Option<&'a ReachableStates>,
}

impl<'a> Report<'a> {
    /// The name the user knows the model by.
    pub fn path(&self) -> &'a str {
        self.sources.file(self.file).name()
    }

    /// The property a finding is about.
    pub fn property(&self, finding: &Finding) -> &'a Property {
        &self.model.properties[finding.property]
    }

    /// What a state that properties are asked from is called.
    pub(crate) fn start(&self) -> &'static str {
        match self.from {
            None => "initial state",
            Some(_) => "chosen state",
        }
    }

    /// Whether a property holds only because there is no initial state.
    pub fn holds_without_start(&self, finding: &Finding) -> bool {
        let mut notes = self.space.iter().flat_map(|space| &space.notes);
        let nowhere = notes.any(|note| *note == Note::NoInitialState);
        finding.holds_without_start()
            || nowhere && finding.verdict == Verdict::Holds && finding.quantity.is_none()
    }

    /// Whether a property holds only because there is no initial state, or no run from one that counts.
    pub fn holds_of_nothing(&self, finding: &Finding) -> bool {
        self.holds_without_start(finding) || finding.holds_without_run().is_some()
    }

    /// How many findings came out which way.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for finding in self.findings {
            *match (&finding.verdict, &finding.vacuity) {
                (Verdict::Holds, Vacuity::Vacuous { .. }) => &mut counts.vacuous,
                _ if self.holds_of_nothing(finding) => &mut counts.vacuous,
                (Verdict::Holds, _) => &mut counts.hold,
                (Verdict::Fails, _) => &mut counts.fail,
                (Verdict::Unknown(_), _) => &mut counts.undecided,
            } += 1;
        }
        counts
    }
}

/// How many properties came out which way; each is counted once.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Hold, and every part matters as far as anybody looked.
    pub hold: usize,
    /// Hold, but a part never mattered.
    pub vacuous: usize,
    /// Fail.
    pub fail: usize,
    /// Nobody knows.
    pub undecided: usize,
}
