//! The clerk of an infinite-state model: it asks solvers.
//!
//! Nobody has the states of such a model at hand. What a solver finds is a run, and around this run the proof
//! of the verdict can be explored.

use std::collections::BTreeMap;

use wherefore_base::{Run, Stop};
use wherefore_driver::evidence::{Finding, Options};
use wherefore_driver::subjects::smt::{self, Choices, SmtSubject, Solver};
use wherefore_driver::view::api;
use wherefore_driver::view::json;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::wire::{AbilityName, ListedPropertyDoc};
use wherefore_driver::{ModelSubject, Refusal, undecided};

use crate::ask::Ask;
use crate::clerk::{Answer, Job, Outcome};
use crate::problem::Problem;
use crate::shift::{Clerk, Shift};
use crate::smv;

/// Who asks solvers about a model.
pub(crate) struct Asking {
    session: SmtSubject,
    choices: Choices,
    known: BTreeMap<usize, Known>,
}

/// What is known about a property.
struct Known {
    answer: smt::Answer,
    /// The runs that were found, as a model.
    runs: ModelSubject,
    finding: Finding,
}

impl Clerk for Asking {
    fn open(shift: &Shift<'_>) -> Result<Self, Refusal> {
        let dialect = shift.plan.opening.dialect;
        let mut session = SmtSubject::open_in(dialect, &shift.plan.files.path, shift.budget)?;
        for formula in shift.formulas() {
            session.add_formula(&formula).map_err(Refusal::Rejected)?;
        }
        let choices = Choices {
            engine: smt::way(shift.plan.engine),
            solvers: Solver::installed(shift.budget),
            ..Choices::default()
        };
        let asking = Self {
            session,
            choices,
            known: BTreeMap::new(),
        };
        let session = &asking.session;
        let nothing = session.tell(&[], &Options::default(), shift.budget).session;
        let report = nothing.report(None, &[]);
        let model = json::model(&report)
            .with_diagnostics(diagnostics(session.sources(), session.warnings()));
        let listed = (0..session.properties().len()).map(|property| {
            let finding = undecided(nothing.model(), property, Stop::Cancelled);
            ListedPropertyDoc::unchecked(json::property(&report, &finding), finding.property)
        });
        let listed = listed.collect();
        let source = session.sources().file(session.file()).text();
        shift.board.write(|notes| {
            // After memory ran out, what was found out before stays found.
            if notes.is_blank() {
                notes.entry.tell(model, listed);
            }
            notes.entry.variables = api::variables(&report);
            notes.entry.abilities = vec![AbilityName::Proofs];
            notes.entry.show_source(source);
        });
        Ok(asking)
    }

    fn serve(&mut self, shift: &Shift<'_>, job: Job<Ask>) -> Run<()> {
        match &job.ask {
            Ask::Proof(property, _) => {
                let known = self.known.get(property);
                let runs = known.and_then(|known| self.session.fragment(*property, &known.answer));
                match runs {
                    Some(mut runs) => smv::answer_once(shift, &mut runs, job),
                    None => {
                        let why = "There is no run around which a proof could be explored.";
                        job.tell(Err(Problem::unsupported(why)));
                        Ok(())
                    }
                }
            }
            _ => shift.answer(job, |ask| self.answer(shift, ask)),
        }
    }
}

impl Asking {
    fn answer(&mut self, shift: &Shift<'_>, ask: &Ask) -> Run<Outcome> {
        let known = |property: usize| property < self.session.properties().len();
        if ask.property().is_some_and(|property| !known(property)) {
            return Ok(Err(Problem::missing("There is no such property.")));
        }
        match ask {
            Ask::Check => shift.check(|| {
                for property in 0..self.session.properties().len() {
                    if shift.budget.check().is_err() {
                        return;
                    }
                    self.ask(shift, property);
                }
            }),
            Ask::Add(text) => {
                let property = match self.session.add_formula(text) {
                    Ok(property) => property,
                    Err(rejected) => return Ok(Err(Problem::rejected(&rejected))),
                };
                shift
                    .board
                    .write(|notes| notes.added.push(text.to_string()));
                let document = self.ask(shift, property);
                shift.budget.check()?;
                Ok(Ok(document.into()))
            }
            Ask::Export(property, form, run) => Ok(match self.known.get(property) {
                Some(known) => {
                    let report = known.runs.report(None, &[]);
                    form.of(&report, &known.finding, *run).map(Answer::File)
                }
                None => Err(Problem::cancelled()),
            }),
            _ => {
                let why = "This model has infinitely many states, and nobody has them at hand; with --bound its \
                           finite version can be looked at state by state.";
                Ok(Err(Problem::unsupported(why)))
            }
        }
    }

    /// Asks about a property, and writes what is found out on the board; returns the document.
    fn ask(&mut self, shift: &Shift<'_>, property: usize) -> String {
        let answer = self.session.answer(property, &self.choices, shift.budget);
        let answers = [(property, answer)];
        let told = self
            .session
            .tell(&answers, &Options::default(), shift.budget);
        let [(_, answer)] = answers;
        let finding = told.findings.into_iter().next();
        let finding = finding.expect("there is a finding for each answer");
        let report = told.session.report(None, &[]);
        let detail = api::property(shift.plan.id, &report, &finding);
        let listed = api::listed(detail.property.clone(), &finding, detail.told.as_ref());
        let document = shift.tell(listed, &detail);
        let known = Known {
            answer,
            runs: told.session,
            finding,
        };
        self.known.insert(property, known);
        document
    }
}
