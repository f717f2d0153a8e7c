//! The conditions of the text that a run found by a solver hinges on.

use std::collections::HashSet;

use wherefore_base::{Budget, Run, Value};
use wherefore_evidence::{
    Blame, Finding, Hinge, HingeEffect, OccurrenceId, PlacePower, Suspect, SuspectRole, Verdict,
};
use wherefore_smt::{SolverTrace, TermHinge, TraceMeaning, term_hinges};
use wherefore_smtcheck::{SmtAnswer, SmtVerdict};

use super::{SmtSubject, Written};

impl SmtSubject {
    /// What the run that refutes a property hinges on; `None` where the evidence is not one run from an initial state, or the model is
    /// not written in terms.
    ///
    /// # Errors
    /// When the budget ends first.
    pub fn blame(
        &self,
        finding: &Finding,
        answer: &SmtAnswer,
        budget: &Budget,
    ) -> Run<Option<Blame>> {
        let Written::Smt(scope) = &self.written else {
            return Ok(None);
        };
        let Some(trace) = run_of(finding, answer) else {
            return Ok(None);
        };
        // Where our own evaluator cannot tell that it is a run, it cannot tell what the run hinges on.
        if trace.replay(&self.system, true).is_err() {
            return Ok(None);
        }
        let conditions = scope.conditions(&self.system);
        let found = term_hinges(&self.system, &conditions, trace, budget)?;
        let suspects = found.hinges.iter().map(suspect).collect();
        Ok(Some(Blame {
            suspects,
            excluded: found.excluded.len(),
            hinges_only: true,
            ..Blame::default()
        }))
    }
}

/// The one run that refutes a property, if its states are the occurrences of the evidence, one after the other.
fn run_of<'a>(finding: &Finding, answer: &'a SmtAnswer) -> Option<&'a SolverTrace> {
    let SmtVerdict::Fails(refutation) = &answer.verdict else {
        return None;
    };
    let [run] = &refutation.runs[..] else {
        return None;
    };
    let evidence = finding.evidence.as_ref()?;
    let trace = &run.trace;
    let distinct: HashSet<&Vec<TraceMeaning>> = trace.states.iter().collect();
    // Through states that are all different there is one way, so that equal lengths mean equal runs.
    let same =
        distinct.len() == trace.states.len() && evidence.occurrences.len() == trace.states.len();
    (finding.verdict == Verdict::Fails && same).then_some(trace)
}

fn suspect(hinge: &TermHinge) -> Suspect {
    Suspect {
        span: hinge.span,
        role: SuspectRole::Hinges,
        power: PlacePower::Untried,
        hinge: Some(Hinge {
            at: OccurrenceId::new(hinge.step.unwrap_or(0)),
            now: vec![Value::Bool(hinge.value)],
            other: Value::Bool(!hinge.value),
            effect: match hinge.step {
                Some(_) => HingeEffect::Step,
                None => HingeEffect::Start,
            },
        }),
        steps: vec![],
        mend: None,
    }
}
