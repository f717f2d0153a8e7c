//! The clerk of an Alloy model whose commands are answered in their scopes.
//!
//! A model that describes a transition system completely is served as one, state by state, unless somebody
//! wants its scopes. Every other model has commands, and these have instances: further ones can be asked
//! for, and the values of expressions in them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use wherefore_base::{Run, Severity, Stop};
use wherefore_driver::subjects::alloy::{
    AlloyOptions, AlloySubject, Answer as Answered, Choices, Excerpt, NoValue, Outcome as Came,
};
use wherefore_driver::view::alloy::{self, Instance, Report, json, value_text};
use wherefore_driver::view::api;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::wire::{
    AbilityName, ListedPropertyDoc, PropertyAnswer, ValueRequest, ValuesAnswer, to_line,
};
use wherefore_driver::{ModelSubject, Refusal};

use crate::ask::Ask;
use crate::board::Board;
use crate::clerk::{Answer, Desk, Job, NOBODY, Outcome};
use crate::export::Form;
use crate::problem::Problem;
use crate::shift::{self, Clerk, Shift};
use crate::smv::{self, MOST_RUNS, Plan};

/// Answers requests until there are no more. Whenever the model is read, it is served as what it describes then.
pub(crate) fn serve(plan: &Plan, board: &Arc<Board>, desk: &Desk, jobs: &Receiver<Job<Ask>>) {
    let mut pending = None;
    loop {
        pending = match is_complete(plan, desk) {
            true => smv::sit(plan, board, desk, jobs, pending),
            false => shift::sit::<Commands>(plan, board, desk, jobs, pending),
        };
        if pending.is_none() {
            return;
        }
    }
}

/// Whether the model is served as a complete transition system.
fn is_complete(plan: &Plan, desk: &Desk) -> bool {
    if plan.extent.is_some() {
        return false;
    }
    let budget = desk.renew();
    let _ = desk.begin(NOBODY);
    budget.phase("reading the model");
    let opened = ModelSubject::open_as(&plan.opening, &plan.files.path, &budget);
    desk.end();
    // Work that was stopped is tried again by whoever serves the model, and told.
    matches!(opened, Ok(_) | Err(Refusal::Stopped(_)))
}

/// Who has the commands of a model at hand.
struct Commands {
    session: AlloySubject,
    choices: AlloyOptions,
    known: BTreeMap<usize, Known>,
}

/// What is known about a command.
struct Known {
    answer: Answered,
    /// The part of a transition system that shows the answer, if the model describes one.
    excerpt: Option<Excerpt>,
}

impl Clerk for Commands {
    fn open(shift: &Shift<'_>) -> Result<Self, Refusal> {
        let Plan {
            files,
            opening,
            extent,
            formulas,
            ..
        } = shift.plan;
        let session = AlloySubject::open(&files.path, opening.edition, shift.budget)?;
        let mut found = session.warnings().to_vec();
        if extent.is_none()
            && session.describes_system()
            && let Err(Refusal::Rejected(misfit)) = session.complete(&opening.scopes, shift.budget)
        {
            let warned = misfit.diagnostics.into_iter().map(|mut diagnostic| {
                diagnostic.severity = Severity::Warning;
                diagnostic
            });
            found.extend(warned);
        }
        let commands = Self {
            choices: AlloyOptions {
                lowering: Choices {
                    scopes: opening.scopes.clone(),
                    ..Choices::default()
                },
                evaluate: formulas.clone(),
                reach: extent.unwrap_or_default(),
                ..AlloyOptions::default()
            },
            known: BTreeMap::new(),
            session,
        };
        for expression in formulas {
            let read = commands.session.read_expression(expression);
            read.map_err(Refusal::Rejected)?;
        }
        let report = commands.report(&[], &[]);
        let model = json::model(&report).with_diagnostics(diagnostics(report.sources, &found));
        let listed = (0..report.model.commands.len()).map(|command| {
            let stopped = Came::Undecided {
                stop: Some(Stop::Cancelled),
                reached: None,
            };
            let property = json::property(&report, &Answered::new(command, stopped));
            ListedPropertyDoc::unchecked(property, command)
        });
        let listed = listed.collect();
        let source = report.sources.file(commands.session.file()).text();
        shift.board.write(|notes| {
            // After memory ran out, what was found out before stays found.
            if notes.is_blank() {
                notes.entry.tell(model, listed);
            }
            notes.entry.abilities = match commands.session.describes_system() {
                true => vec![AbilityName::Instances, AbilityName::Proofs],
                false => vec![AbilityName::Instances],
            };
            notes.entry.show_source(source);
        });
        Ok(commands)
    }

    fn serve(&mut self, shift: &Shift<'_>, mut job: Job<Ask>) -> Run<()> {
        if let Ask::Proof(command, wanted) = &job.ask
            && let Some(known) = self.known.get_mut(command)
            && let Some(excerpt) = &mut known.excerpt
        {
            // The formula of the command is the only property of the part.
            job.ask = Ask::Proof(0, wanted.clone());
            return smv::answer_once(shift, &mut excerpt.session, job);
        }
        shift.answer(job, |ask| self.answer(shift, ask))
    }
}

impl Commands {
    fn answer(&mut self, shift: &Shift<'_>, ask: &Ask) -> Run<Outcome> {
        let known = |command: usize| command < self.session.commands().len();
        if ask.property().is_some_and(|command| !known(command)) {
            return Ok(Err(Problem::missing("There is no such command.")));
        }
        match ask {
            Ask::Check => shift.check(|| {
                for command in 0..self.session.commands().len() {
                    if shift.budget.check().is_err() {
                        return;
                    }
                    self.ask(shift, command, 1);
                }
            }),
            Ask::Another(command, wishes) => {
                let count = wishes.count.unwrap_or(1).clamp(1, MOST_RUNS);
                let document = self.ask(shift, *command, count);
                shift.budget.check()?;
                Ok(Ok(document.into()))
            }
            Ask::Value(command, wanted) => self.value(shift, *command, wanted),
            Ask::Export(command, form, run) => Ok(self.export(*command, *form, *run)),
            Ask::Instance(command, form, number) => Ok(self.instance(*command, *form, *number)),
            _ => {
                let why = "This is for models that are looked at state by state. The commands of this one are \
                           answered in their scopes: it has instances.";
                Ok(Err(Problem::unsupported(why)))
            }
        }
    }

    /// Answers a command with so many instances, and writes that on the board; returns the document.
    fn ask(&mut self, shift: &Shift<'_>, command: usize, instances: usize) -> String {
        let choices = AlloyOptions {
            instances,
            ..self.choices.clone()
        };
        let answer = self.session.answer(command, &choices, shift.budget);
        let excerpt = self.excerpt(&answer, shift);
        let shown = excerpt.as_ref().map(Excerpt::shown);
        let report = self.report(std::slice::from_ref(&answer), shown.as_slice());
        let property = json::property(&report, &answer);
        let part = report.excerpt(&answer);
        let part = part.and_then(|part| Some((part.report, part.report.findings.first()?)));
        let (listed, detail) = match part {
            Some((report, finding)) => {
                let detail = PropertyAnswer {
                    id: command,
                    property,
                    ..api::property(shift.plan.id, &report, finding)
                };
                let told = detail.told.as_ref();
                let listed = api::listed(detail.property.clone(), finding, told);
                let variables = api::variables(&report);
                shift
                    .board
                    .write(|notes| notes.entry.add_variables(variables));
                (
                    ListedPropertyDoc {
                        id: command,
                        ..listed
                    },
                    detail,
                )
            }
            None => {
                let listed = ListedPropertyDoc::new(property.clone(), command, None);
                let detail = PropertyAnswer {
                    model: shift.plan.id,
                    id: command,
                    property,
                    told: None,
                    formula: Vec::new(),
                };
                (listed, detail)
            }
        };
        let document = shift.tell(listed, &detail);
        self.known.insert(command, Known { answer, excerpt });
        document
    }

    /// The part of a transition system that shows an answer, if there is one.
    fn excerpt(&self, answer: &Answered, shift: &Shift<'_>) -> Option<Excerpt> {
        let Came::Found { found, .. } = &answer.outcome else {
            return None;
        };
        let question = self.session.question(answer.command, &self.choices).ok()?;
        let excerpt = self
            .session
            .excerpt(&question, found.first()?, shift.budget);
        excerpt.ok()
    }

    /// The values of an expression in the states of an instance.
    fn value(&self, shift: &Shift<'_>, command: usize, wanted: &ValueRequest) -> Run<Outcome> {
        let Some(Came::Found { found, .. }) =
            self.known.get(&command).map(|known| &known.answer.outcome)
        else {
            return Ok(Err(Problem::missing("The command has no instance.")));
        };
        let Some(found) = found.get(wanted.instance) else {
            return Ok(Err(Problem::missing("There is no such instance.")));
        };
        let question = match self.session.question(command, &self.choices) {
            Ok(question) => question,
            Err(_) => return Ok(Err(Problem::internal())),
        };
        let mut values = Vec::new();
        for state in 0..found.scene.moments.len() {
            let text = &wanted.expression;
            match self
                .session
                .evaluate(&question, found, text, state, shift.budget)
            {
                Ok(value) => values.push(value_text(&found.scene, &value)),
                Err(NoValue::Stopped(stop)) => return Err(stop),
                Err(NoValue::Rejected(rejected)) => return Ok(Err(Problem::rejected(&rejected))),
            }
        }
        Ok(Ok(to_line(&ValuesAnswer {
            expression: wanted.expression.clone(),
            values,
        })
        .into()))
    }

    /// The evidence of a command as a file; where there is none, its first instance.
    fn export(&self, command: usize, form: Form, run: usize) -> Outcome {
        let known = self.known.get(&command).ok_or_else(Problem::cancelled)?;
        let Some(excerpt) = &known.excerpt else {
            return self.instance(command, form, run);
        };
        let part = excerpt.shown().report;
        let finding = part.findings.first().ok_or_else(Problem::internal)?;
        form.of(&part, finding, run).map(Answer::File)
    }

    /// An instance of a command as a file.
    fn instance(&self, command: usize, form: Form, number: usize) -> Outcome {
        let known = self.known.get(&command).ok_or_else(Problem::cancelled)?;
        let answer = &known.answer;
        let report = self.report(std::slice::from_ref(answer), &[]);
        let instance = match &answer.outcome {
            Came::Found { found, .. } => found.get(number).map(|found| Instance {
                model: report.model,
                command: report.command(answer),
                scene: &found.scene,
            }),
            _ => None,
        };
        let named = |name: &str| self.session.whole_name(name);
        form.of_command(&report, instance.as_ref(), &named)
            .map(Answer::File)
    }

    fn report<'a>(
        &'a self,
        answers: &'a [Answered],
        excerpts: &'a [alloy::Excerpt<'a>],
    ) -> Report<'a> {
        let sources = self.session.sources();
        Report {
            path: sources.file(self.session.file()).name(),
            model: self.session.model(),
            sources,
            answers,
            excerpts,
            advice: None,
            seconds: None,
        }
    }
}
