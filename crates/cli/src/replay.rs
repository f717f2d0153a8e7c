//! `wherefore replay`: does this trace run on this model?

use wherefore_driver::Capability;
use wherefore_driver::registry;
use wherefore_driver::view::clean;
use wherefore_driver::view::fate::Fate;
use wherefore_driver::view::read::{SavedFile, SavedTrace, chosen_rule, main_run_of};
use wherefore_driver::view::wire::{PropertyDoc, VerdictName};
use wherefore_driver::{ModelSubject, Opening};

use crate::args::Replay;
use crate::exit::Exit;
use crate::saved::{SavedDesk, at_desk, no_such_property};
use crate::terminal;

/// Runs a trace, or replays the evidence of a document, and returns the exit code.
pub(crate) fn replay(args: &Replay) -> Exit {
    at_desk(&args.effort, &args.screen, |desk| replay_at(args, desk))
}

fn replay_at(args: &Replay, desk: SavedDesk<'_>) -> Result<Exit, Exit> {
    let mut session = desk.open(&args.file)?;
    let saved = desk.read(&args.trace)?;
    for name in &args.properties {
        let saved = match &saved {
            SavedFile::Document(document) => {
                let mut all = document.models.iter().flat_map(|model| &model.properties);
                all.any(|property| property.name == *name)
            }
            SavedFile::Traces(_) => false,
        };
        if !saved && session.find_property(name, None).is_none() {
            return Err(desk.refuse(&no_such_property(&session, name)));
        }
    }
    match saved {
        SavedFile::Document(document) => {
            let path = &desk.model_of(&document, &args.file)?.path;
            let wanted = |property: &&PropertyDoc| {
                args.properties.is_empty() || args.properties.contains(&property.name)
            };
            let mut rows = Vec::new();
            for model in document.models.iter().filter(|model| model.path == *path) {
                if model.from.is_some() || registry::can(&args.file, Capability::Enumerate) {
                    // Each complete system that commands ask of is a model of the document.
                    let command = model.properties.first().map(|first| first.name.clone());
                    let mut opening = Opening {
                        command,
                        ..desk.opening.clone()
                    };
                    desk.choose(&mut opening, model);
                    let opening = &opening;
                    session = SavedDesk { opening, ..desk }.open(&args.file)?;
                }
                let chosen: Vec<_> = model.properties.iter().filter(wanted).collect();
                rows.extend(replay_evidence(desk, &mut session, &chosen)?);
            }
            Ok(show(args, desk, rows))
        }
        SavedFile::Traces(traces) => replay_traces(args, desk, &session, &traces),
    }
}

fn replay_evidence(
    desk: SavedDesk<'_>,
    session: &mut ModelSubject,
    properties: &[&PropertyDoc],
) -> Result<Vec<ReplayRow>, Exit> {
    let found: Vec<Option<usize>> = properties
        .iter()
        .map(|property| find_or_add(session, property))
        .collect();
    desk.examine(session)?;
    let mut rows = Vec::new();
    for (property, at) in properties.iter().zip(found) {
        let fate = match at {
            Some(at) => desk.in_time(session.fate(at, property, desk.budget))?,
            None if main_run_of(property).is_none() => None,
            None => {
                let trace = main_run_of(property).expect("it was just seen");
                let followed = desk.in_time(session.follow(&trace, desk.budget))?;
                Some(match followed.walk {
                    Some(_) => Fate::runs_only("the model has no such property any more"),
                    None => followed.fate,
                })
            }
        };
        let title = match fate {
            Some(_) => format!("{}, which {}", property.name, verb(property.verdict)),
            None => property.name.clone(),
        };
        rows.push((title, fate, Vec::new()));
    }
    Ok(rows)
}

fn verb(verdict: VerdictName) -> &'static str {
    match verdict {
        VerdictName::Holds => "held",
        VerdictName::Fails => "failed",
        VerdictName::Unknown | VerdictName::Unchecked => "was undecided",
    }
}

fn replay_traces(
    args: &Replay,
    desk: SavedDesk<'_>,
    session: &ModelSubject,
    traces: &[SavedTrace],
) -> Result<Exit, Exit> {
    desk.examine(session)?;
    let mut rows = Vec::new();
    for (number, trace) in (1..).zip(traces) {
        let followed = desk.in_time(session.follow(trace, desk.budget))?;
        let title = trace.title.as_ref().map(|title| format!(" ({title})"));
        let title = format!("trace {number}{}", title.unwrap_or_default());
        let mut notes = followed.notes;
        if let Some(walk) = &followed.walk {
            for name in &args.properties {
                let property = session.find_property(name, None);
                let property = property.expect("names are looked up first");
                let shrunk =
                    session.shrink(property, &walk.states, args.effort.engine, desk.budget);
                let (_, shrunk) = desk.in_time(shrunk)?;
                notes.push(crate::shrink::shown_text(name, &shrunk));
            }
        }
        rows.push((title, Some(followed.fate), notes));
    }
    Ok(show(args, desk, rows))
}

/// The property of the model that a saved one is; formulas from the command line are added again.
pub(crate) fn find_or_add(session: &mut ModelSubject, saved: &PropertyDoc) -> Option<usize> {
    let found = match saved.line {
        Some(_) => session.find_property(&saved.name, Some(&saved.text)),
        None => session.add_formula(&saved.text).ok(),
    };
    if let (Some(at), Some(rule)) = (found, chosen_rule(saved)) {
        session.set_rule(at, rule);
    }
    found
}

/// What is told of an evidence or a trace: its title, what became of it, and notes.
type ReplayRow = (String, Option<Fate>, Vec<String>);

fn show(args: &Replay, desk: SavedDesk<'_>, rows: Vec<ReplayRow>) -> Exit {
    let style = terminal::style(&args.screen);
    let mut exit = Exit::Good;
    let mut text = String::new();
    for (title, fate, notes) in rows {
        if let Some(fate) = fate {
            if !fate.is_good() {
                exit = Exit::Fails;
            }
            text += &fate.render(&title, &notes, style);
        } else {
            text += &format!("{}: no evidence was saved\n", clean(&title));
        }
    }
    desk.screen.print(&text);
    exit
}
