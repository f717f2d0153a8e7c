//! `wherefore explain`: a person explores why a property holds or fails.
//!
//! A [`desk::ProofDesk`] answers requests over a proof that grows where somebody looks. In a terminal the
//! requests come from keys (`tui`), otherwise from lines of standard input (`plain`); without any, the
//! whole explanation is printed.

mod command;
mod desk;
mod plain;
mod scoped;
mod system;
#[cfg(feature = "tui")]
mod tui;

use std::io::{self, IsTerminal};

use wherefore_base::{Budget, Stop};
use wherefore_driver::evidence::{EvidenceOptions, UnknownReason, Verdict};
use wherefore_driver::explain::{Past, Tactic};
use wherefore_driver::model::{Model, PropertyBody};
use wherefore_driver::registry;
use wherefore_driver::subject::{Wishes, require};
use wherefore_driver::subjects::smt::NO_SOLVER;
use wherefore_driver::view::wire::CheckDocument;
use wherefore_driver::view::{Report, clean, json, markdown, text};
use wherefore_driver::{
    AlloySubject, Capability, Event, Input, Job, ModelSubject, Opening, Refusal, SmtSubject,
    Subject,
};

use crate::args::{Explain, Format};
use crate::exit::Exit;
use crate::explore::command::nearest;
use crate::refusal::{refused_file, refused_text};
use crate::terminal;

/// Opens a model, explains a property and returns the exit code.
pub(crate) fn explain(args: &Explain) -> Exit {
    #[cfg(feature = "tui")]
    if wants_keys(args) && !is_system(args) {
        return tui::explain(args);
    }
    plain::explain(args)
}

/// Whether the model is a labelled transition system, whose proofs are not grown but read.
fn is_system(args: &Explain) -> bool {
    registry::can(&args.file, Capability::Compose)
}

#[cfg(feature = "tui")]
fn wants_keys(args: &Explain) -> bool {
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    terminal && !args.plain && args.format.is_none()
}

/// Whether nobody is going to say anything: the whole explanation is printed.
fn is_silent(args: &Explain) -> bool {
    let typed = io::stdin().is_terminal();
    args.format.is_some() || typed && !args.plain && !io::stdout().is_terminal()
}

/// A message, and the code to end with.
type Failure = (String, Exit);

/// A model that is explained.
enum ExplainedModel {
    /// All of it.
    Whole(ModelSubject),
    /// The runs that solvers found, with all properties that were asked.
    Runs(ModelSubject),
    /// The part that shows the answer to a command, which is its only property.
    Part(ModelSubject),
}

/// Reads the model and finds the property.
fn open(args: &Explain, budget: &Budget) -> Result<(ModelSubject, usize, Past), Failure> {
    budget.phase("reading the model");
    let color = terminal::error_color(args.screen.color);
    let refused = |refusal: Refusal| refused_file(&args.file, &refusal, "explained", color);
    let opening = Opening {
        command: args.property.clone(),
        ..args.effort.opening()
    };
    let subject = registry::open(Input::new(&args.file), &opening, budget).map_err(refused)?;
    let opened = match subject.downcast::<SmtSubject>() {
        Ok(infinite) => ExplainedModel::Runs(fragment(args, infinite, color, budget)?),
        Err(subject) => match subject.downcast::<AlloySubject>() {
            Ok(alloy) => of_commands(args, alloy, &opening, budget, refused)?,
            Err(subject) => {
                require(&*subject, Capability::Explain).map_err(refused)?;
                ExplainedModel::Whole(subject.into_model(&opening, budget).map_err(refused)?)
            }
        },
    };
    let usage = |text| (text, Exit::Usage);
    let is_part = !matches!(opened, ExplainedModel::Whole(_));
    let (mut session, property) = match opened {
        ExplainedModel::Part(part) => (part, 0),
        ExplainedModel::Runs(runs) => {
            let property = select(args, &runs).map_err(usage)?;
            (runs, property)
        }
        ExplainedModel::Whole(mut model) => {
            if let Some(formula) = &args.formula {
                let added = model.add_formula(formula);
                added.map_err(|rejected| usage(rejected.render(color)))?;
            }
            let property = select(args, &model).map_err(usage)?;
            (model, property)
        }
    };
    let chosen = &session.model().properties[property];
    if let PropertyBody::Unsupported(why) = &chosen.body {
        let name = clean(&chosen.name);
        let text = format!("error: `{name}` is undecided: {}", clean(why));
        return Err((text, Exit::Undecided));
    }
    if let Some(why) = Capability::Explain.refused_for(&chosen.body) {
        let text = format!(
            "error: `{}` cannot be explained: {why}",
            clean(&chosen.name)
        );
        return Err((text, Exit::Undecided));
    }
    let tactic = Tactic::given(&args.strategy, property, &mut session, budget);
    let tactic = tactic.map_err(|refusal| (refused_text(&refusal, color).0, Exit::Usage))?;
    let past = Past::led_by(tactic);
    let past = if is_part { past.of_part() } else { past };
    Ok((session, property, past))
}

/// Opens the complete system of an Alloy model, or the part that shows the answer to a command in its scope.
fn of_commands(
    args: &Explain,
    alloy: AlloySubject,
    opening: &Opening,
    budget: &Budget,
    refused: impl Fn(Refusal) -> Failure,
) -> Result<ExplainedModel, Failure> {
    let reading = &args.effort.alloy;
    if reading.is_scoped() || !alloy.describes_system() {
        let part = scoped::excerpt(args, &alloy, budget);
        return part
            .map(ExplainedModel::Part)
            .map_err(|none| none.told(refused));
    }
    match alloy.complete_with(opening, opening.command.as_deref(), budget) {
        // Where the complete system cannot be had, there may be a run in the scope.
        Err(rejected @ Refusal::Rejected(_)) if !reading.is_complete() => {
            let part = scoped::excerpt(args, &alloy, budget);
            part.map(ExplainedModel::Part)
                .map_err(|_| refused(rejected))
        }
        complete => complete.map(ExplainedModel::Whole).map_err(refused),
    }
}

/// Has solvers answer the property of an infinite-state model, and opens the run that refutes it.
fn fragment(
    args: &Explain,
    mut session: SmtSubject,
    color: bool,
    budget: &Budget,
) -> Result<ModelSubject, Failure> {
    let usage = |refusal: Refusal| (refused_text(&refusal, color).0, Exit::Usage);
    let wishes = Wishes {
        generators: args.effort.living.generators,
        ..Wishes::default()
    };
    session.wish(&wishes, budget).map_err(usage)?;
    if let Some(formula) = &args.formula {
        session.add(formula).map_err(usage)?;
    }
    let names: Vec<String> = session
        .properties()
        .iter()
        .map(|p| p.name.clone())
        .collect();
    let property = chosen(args, &names).map_err(|text| (text, Exit::Usage))?;
    let effort = &args.effort;
    let choices = effort.living.choices(effort.engine, effort.memory, budget);
    let choices = choices.map_err(|text| (text, Exit::Usage))?;
    if choices.solvers.is_empty() {
        return Err((NO_SOLVER.to_string(), Exit::Undecided));
    }
    let discharged = session.discharge(&choices, budget);
    discharged.map_err(|rejected| (rejected.render(color), Exit::Model))?;
    let answer = session.answer(property, &choices, budget);
    if let Some(fragment) = session.fragment(property, &answer) {
        return Ok(fragment);
    }
    // There is no run to explore: what is known is said.
    let options = EvidenceOptions {
        why: true,
        ..EvidenceOptions::default()
    };
    let told = session.tell(&[(property, answer.clone())], &options, budget);
    let report = Report {
        runs: &told.runs,
        ..told.session.report(None, &told.findings)
    };
    let exit = match answer.holds() {
        None => Exit::Undecided,
        Some(_) => Exit::Good,
    };
    // All claims are told: there is nothing to explore.
    let text = text::render(
        &report,
        &text::TextOptions {
            full: true,
            width: args.screen.width.unwrap_or_else(terminal::width),
            ascii: args.screen.ascii,
            color: terminal::color(args.screen.color),
            ..text::TextOptions::default()
        },
    );
    Err((text.trim_end().to_string(), exit))
}

/// The property that is meant, or what is wrong.
fn select(args: &Explain, session: &ModelSubject) -> Result<usize, String> {
    let properties = &session.model().properties;
    let names: Vec<String> = properties.iter().map(|p| p.name.clone()).collect();
    chosen(args, &names)
}

/// The property that is meant among these names, or what is wrong.
fn chosen(args: &Explain, names: &[String]) -> Result<usize, String> {
    named(args.formula.is_some(), args.property.as_ref(), names)
}

/// The property with a name, or the formula that was added last, or what is wrong.
fn named(formula: bool, name: Option<&String>, names: &[String]) -> Result<usize, String> {
    if formula {
        let last = names.len().checked_sub(1);
        return last.ok_or_else(|| "error: there is no formula".to_string());
    }
    let there_are = match names {
        [] => "there are no properties".to_string(),
        names => format!("there are {}", terminal::some_of(names)),
    };
    match name {
        Some(name) => {
            let found = names.iter().position(|other| other == name);
            found.ok_or_else(|| {
                let near = nearest(name, names.iter().map(String::as_str));
                let advice = near.map(|near| format!("; did you mean `{}`?", clean(near)));
                let name = clean(name);
                let advice = advice.unwrap_or_default();
                format!("error: there is no property `{name}`; {there_are}{advice}")
            })
        }
        None if names.len() == 1 => Ok(0),
        None => Err(format!("error: say which property to explain; {there_are}")),
    }
}

/// What is said of a linear-time property that holds: there is no run to walk along, so what `check` knows of it.
fn holding(args: &Explain, session: &ModelSubject, property: usize, budget: &Budget) -> String {
    let job = Job {
        engine: args.effort.engine,
        options: EvidenceOptions {
            why: true,
            ..EvidenceOptions::default()
        },
        properties: Some(vec![property]),
        ..Job::default()
    };
    let (mut space, mut findings) = (None, Vec::new());
    session.check_all(&job, budget, &mut |event| match event {
        Event::Space(summary) => space = Some(summary),
        Event::Finding(finding) => findings.push(*finding),
        Event::Rejected(_) => {}
    });
    let report = session.report(space.as_ref(), &findings);
    match args.format {
        Some(Format::Json) => CheckDocument::new(vec![json::model(&report)]).render(),
        Some(Format::Markdown) => markdown::render(&report, false),
        Some(Format::Text) | None => {
            let options = text::TextOptions {
                color: terminal::color(args.screen.color),
                ascii: args.screen.ascii,
                width: args.screen.width.unwrap_or_else(terminal::width),
                all: true,
                hints: false,
                ..text::TextOptions::default()
            };
            text::render(&report, &options)
        }
    }
}

/// Whether a proof was not explored since a linear-time property holds.
fn holds_on_every_run(outcome: &Result<Verdict, Refusal>, model: &Model, property: usize) -> bool {
    let linear = matches!(model.properties[property].body, PropertyBody::Linear(_));
    linear && matches!(outcome, Ok(Verdict::Holds))
}

/// The last words, if any, and the exit code.
fn the_end(outcome: Result<Verdict, Refusal>, visited: bool, color: bool) -> (String, Exit) {
    match outcome {
        Ok(Verdict::Unknown(UnknownReason::Unsupported(why))) => {
            (format!("error: {}", clean(&why)), Exit::Undecided)
        }
        Ok(Verdict::Unknown(UnknownReason::Stopped(stop))) | Err(Refusal::Stopped(stop)) => {
            (stopped(stop), Exit::Undecided)
        }
        Ok(_) if !visited => {
            let text = "there is nothing to show: no initial state, or no run from one, counts; `wherefore check` says why";
            (text.to_string(), Exit::Good)
        }
        Ok(_) => (String::new(), Exit::Good),
        Err(Refusal::Rejected(rejected)) => (rejected.render(color), Exit::Model),
        Err(refusal) => (format!("error: {refusal}"), Exit::Usage),
    }
}

fn stopped(stop: Stop) -> String {
    format!("error: the explanation ends here, since {stop}")
}
