//! Names that the user gives to states: conditions, and a name for the states that satisfy them.
//!
//! Wherever a state is shown or a sentence speaks of it, its names are told. Whether a state has a name is decided by the
//! plain interpreter, from the values of the state.

use wherefore_base::Value;
use wherefore_evidence::{Evidence, Finding, OccurrenceId};
use wherefore_model::{Env, Interpreter, TermId};

use crate::Report;
use crate::sentences::{Sentence, formula};
use crate::words::{Telling, clean};

/// A name for the states that satisfy a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateName {
    /// The name.
    pub name: String,
    /// The condition, as the user wrote it.
    pub text: String,
    /// What it means: a term over the present state.
    pub condition: TermId,
}

impl Report<'_> {
    /// The names of a state, in the order in which they were given.
    pub(crate) fn names_of(&self, state: &[Value]) -> Vec<String> {
        if self.names.is_empty() {
            return vec![];
        }
        let interpreter = Interpreter::new(self.model);
        let names = self.names.iter();
        let its = names.filter(|name| interpreter.truth(name.condition, Env::state(state)));
        its.map(|name| clean(&name.name)).collect()
    }

    /// The names of a state after its number: `2`, `2 Idle`.
    pub(crate) fn numbered(&self, number: usize, state: &[Value]) -> String {
        match &self.names_of(state)[..] {
            [] => number.to_string(),
            names => format!("{number} {}", names.join(", ")),
        }
    }

    /// A sentence for each name that no state of the evidence has.
    pub(crate) fn unused_names(&self) -> Vec<Sentence> {
        if self.names.is_empty() {
            return vec![];
        }
        let evidence: Vec<&Evidence> = self.findings.iter().flat_map(all_evidence).collect();
        let interpreter = Interpreter::new(self.model);
        let is_used = |name: &&StateName| {
            evidence.iter().any(|evidence| {
                let mut occurrences = evidence.occurrences.iter();
                occurrences
                    .any(|state| interpreter.truth(name.condition, Env::state(&state.values)))
            })
        };
        let unused = self.names.iter().filter(|name| !is_used(name));
        let told = unused.map(|name| {
            let (name, condition) = (clean(&name.name), formula(clean(&name.text)));
            say!(
                "no state of the evidence is {}: none satisfies {}",
                name,
                condition
            )
        });
        told.collect()
    }
}

/// Everything that is shown for a finding.
fn all_evidence(finding: &Finding) -> Vec<&Evidence> {
    let parts = finding.more.parts.iter().flat_map(|part| &part.evidence);
    let others = finding.more.others.iter().chain(parts);
    let witness = finding.witness.iter().map(|witness| &witness.evidence);
    let all = finding.evidence.iter().chain(witness);
    all.chain(others.map(|other| &other.evidence)).collect()
}

impl Telling<'_> {
    /// The same sentence with the names of the states it speaks of, each once.
    pub(crate) fn with_names(&self, sentence: Sentence) -> Sentence {
        if self.report.names.is_empty() {
            return sentence;
        }
        sentence.naming(&|step: OccurrenceId| {
            let occurrence = self.evidence.occurrences.get(step)?;
            let names = self.report.names_of(&occurrence.values);
            (!names.is_empty()).then(|| names.join(", "))
        })
    }
}
