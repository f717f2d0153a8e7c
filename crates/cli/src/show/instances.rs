//! Saved instances of Alloy models, on the screen again or in another format.
//!
//! An instance is told as it was saved; it is not searched for again. What does not fit the model any more is
//! told, not shown.

use std::path::PathBuf;

use wherefore::alloy::AlloySession;
use wherefore::view::alloy::retold::Saved;
use wherefore::view::alloy::text::{self, Options};
use wherefore::view::clean;

use super::Show;
use crate::alloy::report;
use crate::args::Format;
use crate::exit::Exit;
use crate::instances::command_text;
use crate::saved::Desk;
use crate::terminal;

/// Shows the instances of a document.
pub(super) fn show(args: &Show, desk: Desk<'_>, saved: &[Saved]) -> Result<Exit, Exit> {
    if args.format != Format::Text || !args.export.is_empty() {
        let message = "saved instances of Alloy models are shown as text; --format and --export are not for them";
        return Err(desk.refuse(message));
    }
    let wanted =
        |saved: &&Saved| args.properties.is_empty() || args.properties.contains(&saved.command);
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
    let mut opened: Option<(PathBuf, AlloySession)> = None;
    for (at, saved) in saved.iter().filter(wanted).enumerate() {
        let path = super::path_of(args, &saved.path);
        let known = opened.take().filter(|(known, _)| *known == path);
        let (path, session) = match known {
            Some(known) => known,
            None => {
                desk.budget.phase("reading the model");
                let edition = args.effort.alloy.edition;
                let session = AlloySession::open(&path, edition, desk.budget);
                let session = session.map_err(|error| {
                    let screen = desk.screen;
                    screen.not_opened(&path, "read", desk.color, &error)
                })?;
                (path, session)
            }
        };
        if at > 0 {
            desk.screen.print("\n");
        }
        match told(args, &session, saved) {
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

/// An instance with its command, as text.
fn told(args: &Show, session: &AlloySession, saved: &Saved) -> Result<String, String> {
    let command = saved.command_in(session.model());
    let command = command.ok_or("There is no such command.")?;
    let found = saved.found(session.model())?;
    let style = terminal::style(&args.screen);
    let options = Options {
        color: style.color,
        ascii: style.ascii,
        width: style.width,
        full: args.full,
        ..Options::default()
    };
    let heading = clean(&command_text(session, command));
    let shown = text::instance(&report(session, &[], None), command, &found, None, &options);
    Ok(format!("{heading}\n{shown}"))
}
