//! Saved instances of Alloy models, on the screen again or in another format.
//!
//! An instance is told as it was saved; it is not searched for again. What does not fit the model any more is
//! told, not shown. Expressions are evaluated on what was saved.

use std::path::{Path, PathBuf};

use wherefore_driver::subjects::alloy::{AlloySubject, Overflow};
use wherefore_driver::view::alloy::retold::SavedInstance;
use wherefore_driver::view::alloy::text::{self, TextOptions};
use wherefore_driver::view::clean;
use wherefore_driver::{Refusal, Rejected};

use super::Show;
use crate::args::Format;
use crate::exit::Exit;
use crate::instances::command_text;
use crate::saved::SavedDesk;
use crate::terminal;

/// Shows the instances of a document.
pub(super) fn show(
    args: &Show,
    desk: SavedDesk<'_>,
    saved: &[SavedInstance],
) -> Result<Exit, Exit> {
    if args.format != Format::Text || !args.export.is_empty() {
        let message = "saved instances of Alloy models are shown as text; --format and --export are not for them";
        return Err(desk.refuse(message));
    }
    let wanted = |saved: &&SavedInstance| {
        args.properties.is_empty() || args.properties.contains(&saved.command)
    };
    for name in &args.properties {
        if !saved.iter().any(|saved| saved.command == *name) {
            let name = clean(name);
            return Err(desk.refuse(&format!("the document has no instance of `{name}`")));
        }
    }
    if saved.is_empty() {
        desk.screen.say("note: the document has no instance");
    }
    let mut worst = Exit::Good;
    let mut opened: Option<(PathBuf, AlloySubject)> = None;
    for (at, saved) in saved.iter().filter(wanted).enumerate() {
        let path = super::path_of(args, &saved.path);
        let known = opened.take().filter(|(known, _)| *known == path);
        let (path, session) = match known {
            Some(known) => known,
            None => {
                desk.budget.phase("reading the model");
                let session = open(args, desk, saved, &path);
                let session = session.map_err(|error| {
                    let screen = desk.screen;
                    screen.not_opened(&path, "read", desk.color, &error)
                })?;
                if let Some(wrong) = wrong_expression(args, &session) {
                    return Err(desk.screen.reject(&wrong, desk.color, Exit::Usage));
                }
                (path, session)
            }
        };
        if at > 0 {
            desk.screen.print("\n");
        }
        match told(args, desk, &session, saved) {
            Ok(text) => desk.screen.print(&text),
            Err(why) => {
                let name = clean(&saved.command);
                let model = terminal::shown(&path);
                desk.screen.say(&format!(
                    "note: the instance of `{name}` does not fit {model} any more. {}",
                    clean(&why)
                ));
                worst = worst.max(Exit::Fails);
            }
        }
        opened = Some((path, session));
    }
    Ok(worst)
}

/// Opens the model of an instance: the file, or where that is missing the text that the document has.
fn open(
    args: &Show,
    desk: SavedDesk<'_>,
    saved: &SavedInstance,
    path: &Path,
) -> Result<AlloySubject, Refusal> {
    let edition = args.effort.alloy.edition;
    let [(name, text), ..] = &saved.sources[..] else {
        return AlloySubject::open(path, edition, desk.budget);
    };
    if path.exists() || args.model.is_some() {
        return AlloySubject::open(path, edition, desk.budget);
    }
    let model = terminal::shown(path);
    desk.screen.say(&format!(
        "note: {model} is not there; the model is read from the document"
    ));
    let mut find = |name: &str| {
        let mut sources = saved.sources.iter();
        let source = sources.find(|(known, _)| known == name);
        source.map(|(_, text)| text.clone())
    };
    AlloySubject::read(name, text.clone(), edition, &mut find, desk.budget)
}

/// What is wrong with an expression; those about atoms and witnesses are read with the instance.
fn wrong_expression(args: &Show, session: &AlloySubject) -> Option<Rejected> {
    let texts = args.formulas.iter();
    let mut plain = texts.filter(|text| !text.contains('$'));
    plain.find_map(|text| session.read_expression(text).err())
}

/// An instance with its command, as text.
fn told(
    args: &Show,
    desk: SavedDesk<'_>,
    session: &AlloySubject,
    saved: &SavedInstance,
) -> Result<String, String> {
    let command = saved.command_in(session.model(), session.sources());
    let command = command.ok_or("There is no such command.")?;
    let mut found = saved.found(session.model())?;
    let overflow = args.overflow.unwrap_or(Overflow::Wrap);
    let texts = &args.formulas;
    found.values = session.values_in(&found.scene, command, texts, overflow, desk.budget);
    let style = terminal::style(&args.screen);
    let options = TextOptions {
        color: style.color,
        ascii: style.ascii,
        width: style.width,
        full: args.full,
        ..TextOptions::default()
    };
    let heading = clean(&command_text(session, command));
    let shown = text::instance(&session.report(&[]), command, &found, None, &options);
    Ok(format!("{heading}\n{shown}"))
}
