//! Advice on how the transition system of a model is written.

use wherefore_alloy::reach::{Advice, ReachSubject};
use wherefore_base::{Budget, Stop};
use wherefore_evidence::{EvidenceOptions, Note, Verdict};
use wherefore_tcmc::{
    AdviceOccurrence, CompleteSystem, SystemReading, TcmcMisfit, advice, asked, occurrences,
};

use super::outlook::reason;
use super::{AlloyOptions, AlloySubject};
use crate::engines::Job;
use crate::engines::quick::{Quick, quick};

/// How often the budget is asked while the system is made, and while its states are looked at.
const EFFORT: u64 = 60_000;

impl AlloySubject {
    /// Advice on how the transition system of the model is written, in the scopes of the first of some commands that
    /// asks for a formula; none if the model describes no system, or none of them does.
    ///
    /// # Errors
    /// When the budget ends. What does not fit the questions is left out.
    pub fn advice(
        &self,
        commands: &[usize],
        choices: &AlloyOptions,
        budget: &Budget,
    ) -> Result<Vec<Advice>, Stop> {
        let model = self.model();
        let reading = match SystemReading::of(model) {
            Ok(Some(reading)) => reading,
            Ok(None) => return Ok(Vec::new()),
            Err(misfit) => return Ok(vec![not_asked("Nothing was asked of the steps", misfit)]),
        };
        let found = commands.iter().find_map(|&place| {
            let command = &self.commands()[place];
            let asked = asked(model, &reading, command).ok()??;
            Some((command, asked))
        });
        let Some((command, asked)) = found else {
            return Ok(Vec::new());
        };
        budget.phase("looking for advice");
        let given = advice(model, &reading, command, &choices.lowering, budget);
        let mut given = match given {
            Ok(given) => given,
            Err(TcmcMisfit::Stopped(stop)) => return Err(stop),
            Err(_) => Vec::new(),
        };
        let counted = budget.counted(EFFORT);
        let wanted = [(command, Ok(asked))];
        match self.system(&reading, &wanted, &choices.lowering, &counted) {
            Ok(system) => {
                let looked = looked_at(&system, budget);
                if starts(&looked) {
                    let asked = occurrences(model, &reading, command, &choices.lowering, &counted);
                    given.extend(never_reached(&asked.unwrap_or_default(), budget));
                }
                given.extend(without_step(&system, &looked).map(|text| Advice {
                    about: ReachSubject::Total,
                    span: Some(model.terms[reading.step.2].span),
                    text,
                }));
            }
            Err(misfit) => {
                let what = "Nobody looked whether every state that can be reached has a step";
                given.push(not_asked(what, misfit));
            }
        }
        budget.check()?;
        Ok(given)
    }
}

/// What was not asked, and why.
fn not_asked(what: &str, misfit: TcmcMisfit) -> Advice {
    let (message, span) = reason(misfit);
    Advice {
        about: ReachSubject::Total,
        span,
        text: format!("{what}: {message}"),
    }
}

/// A system with its only property, if it is looked at cheaply.
fn looked_at(system: &CompleteSystem, budget: &Budget) -> Quick {
    let job = Job {
        options: EvidenceOptions {
            evidence: false,
            vacuity: false,
            ..EvidenceOptions::default()
        },
        properties: Some(vec![0]),
        ..Job::default()
    };
    quick(&system.model, &job, EFFORT, budget)
}

/// What is to be known of a system beside its properties.
fn notes(looked: &Quick) -> impl Iterator<Item = &Note> {
    looked.space.iter().flat_map(|space| &space.notes)
}

/// Whether every state was looked at, and one of them is initial.
fn starts(looked: &Quick) -> bool {
    looked.space.is_some() && !notes(looked).any(|note| *note == Note::NoInitialState)
}

/// The operations that can happen only in states that cannot be reached.
fn never_reached(asked: &[AdviceOccurrence], budget: &Budget) -> Vec<Advice> {
    let never = asked.iter().filter(|operation| {
        let looked = looked_at(&operation.system, budget);
        let mut verdicts = looked.findings.iter().map(|finding| &finding.verdict);
        verdicts.any(|verdict| *verdict == Verdict::Holds)
    });
    let told = never.map(|operation| Advice {
        about: ReachSubject::Operation,
        span: Some(operation.span),
        text: format!(
            "The operation `{}` never happens: it is possible only in states that cannot be reached, as in ({})",
            operation.name, operation.state
        ),
    });
    told.collect()
}

/// A state that can be reached and has no step, if there is one.
fn without_step(system: &CompleteSystem, looked: &Quick) -> Option<String> {
    notes(looked).find_map(|note| match note {
        Note::Deadlocks {
            nearest, distance, ..
        } => {
            let state = system.text(nearest);
            let steps = if *distance == 1 { "step" } else { "steps" };
            Some(format!(
                "The steps are not total: the state ({state}), {distance} {steps} from the start, has none"
            ))
        }
        _ => None,
    })
}
