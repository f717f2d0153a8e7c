//! Whether an infinite-state model has a run that properties of endless runs could be about.

use std::time::Duration;

use wherefore_base::Budget;
use wherefore_evidence::{NoRun, Note, UnmetFairness};
use wherefore_logic::Quantifier;
use wherefore_satcheck::is_total;
use wherefore_smt::{Deadlock, SmtCtl, SmtPropertyKind};
use wherefore_smtcheck::{SmtAnswer, SmtOptions, SmtProof, SmtVerdict, decide_formula};

use super::{SmtSubject, Written};

/// How long solvers may look for a reason why there is no run.
const PATIENCE: Duration = Duration::from_secs(1);

impl SmtSubject {
    /// The proof of solvers that no run goes on for ever and is fair, if they find one soon; they are asked once.
    pub(super) fn without_runs(&self, choices: &SmtOptions, budget: &Budget) -> Option<&SmtProof> {
        let found = self.without_runs.get_or_init(|| {
            if let Written::Smv(smv) = &self.written
                && self.system.fairness.is_empty()
                && is_total(smv.model())
            {
                return None;
            }
            let mut system = self.system.clone();
            let never = system.terms.bool(false);
            // Every endless fair path comes to what never is: there is none.
            let formula = SmtCtl::Finally(Quantifier::Forall, Box::new(SmtCtl::Atom(never)));
            let choices = SmtOptions {
                deadlock: Some(Deadlock::Vacuous),
                dead_ends: false,
                ..choices.clone()
            };
            let mut progress = |phase: &str| budget.phase(phase);
            let budget = budget.within(PATIENCE);
            match decide_formula(&system, &formula, &choices, &budget, &mut progress).verdict {
                SmtVerdict::Holds(proof) => Some(proof),
                SmtVerdict::Fails(_) | SmtVerdict::Unknown => None,
            }
        });
        found.as_ref()
    }

    /// Marks an answer about endless runs that holds where there are none.
    pub(super) fn looked_for_runs(
        &self,
        property: usize,
        mut answer: SmtAnswer,
        choices: &SmtOptions,
        budget: &Budget,
    ) -> SmtAnswer {
        let kind = self.system.properties[property].kind;
        let endless = matches!(kind, SmtPropertyKind::Live | SmtPropertyKind::Linear);
        if endless && answer.vacuous.is_none() && answer.holds() == Some(true) {
            answer.no_run = self.without_runs(choices, budget).is_some();
        }
        answer
    }

    /// What is said of an answer that rests on the lack of runs.
    pub(super) fn no_run(&self) -> Note {
        let fair = !self.system.fairness.is_empty();
        Note::NoFairState(NoRun {
            deadlock: None,
            unfair: fair.then_some(UnmetFairness::Together),
            decisive: true,
        })
    }
}
