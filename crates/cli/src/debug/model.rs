//! `wherefore debug` on SMV models.

use std::time::Instant;

use wherefore_driver::debug::smv::{self, NotAnalysed};
use wherefore_driver::view::debug::{self as view, Behind};
use wherefore_driver::{ModelSubject, Refusal};

use super::options::{Debug, DebugTarget};
use super::{DebugSubject, DebugTelling, Export, options, read_trace, tell};
use crate::exit::Exit;
use crate::explore::command::nearest;
use crate::saved::SavedDesk;
use crate::terminal;

/// Finds the property of a model that is meant, and lists the states.
pub(crate) fn tagged_model(
    target: DebugTarget<'_>,
    desk: SavedDesk<'_>,
    session: ModelSubject,
) -> Result<(ModelSubject, usize, smv::TaggedModel), Exit> {
    let asking = target.asking;
    for (given, option) in [
        (asking.inevitable.is_some(), "--inevitable"),
        (asking.name.is_some(), "-p"),
        (!asking.internal.is_empty(), "--internal"),
        (asking.reduce.is_some(), "--reduce"),
    ] {
        if given {
            return Err(desk.refuse(&format!(
                "{option} is for labelled transition systems, and {} is an SMV model",
                terminal::shown(target.model)
            )));
        }
    }
    desk.screen.warn(&session, desk.color);
    let mut session = session.with_engine(asking.engine);
    let property = property(target, desk, &mut session)?;
    let asked = &session.model().properties[property];
    let made = smv::subject(&session, property, &asking.actions, desk.budget);
    let made = made.map_err(|refusal| match refusal {
        NotAnalysed::Refused(Refusal::Stopped(stop)) => desk.cut_short(stop),
        NotAnalysed::Refused(refusal) => {
            desk.screen
                .not_opened(target.model, "debugged", desk.color, &refusal)
        }
        NotAnalysed::Naming(why) => desk.refuse(&view::one_line(&why)),
        NotAnalysed::Unsupported(why) => {
            let (name, why) = (view::one_line(&asked.name), view::one_line(&why));
            desk.screen
                .say(&format!("error: {name} cannot be debugged: {why}"));
            Exit::Undecided
        }
        NotAnalysed::NoRuns(why) => {
            desk.screen.say(&format!("note: {}", view::one_line(&why)));
            Exit::Good
        }
    })?;
    Ok((session, property, made))
}

/// Debugs a property of a model and returns the exit code.
pub(super) fn debug_model(
    args: &Debug,
    desk: SavedDesk<'_>,
    session: ModelSubject,
    exports: &[Export],
    start: Instant,
) -> Result<Exit, Exit> {
    let (session, property, made) = tagged_model(args.target(), desk, session)?;
    let asked = &session.model().properties[property];
    let options = options(args, desk, &made.unfolded.lts)?;
    let trace = read_trace(args, desk)?;
    let analysis = desk.in_time(made.analyse(&options, desk.budget))?;
    let path = args.model.display().to_string();
    let place = session.sources().place(asked.span);
    let from_file = asked.span.file == session.file();
    let subject = DebugSubject {
        path: &path,
        language: "smv",
        behind: Some(Behind {
            values: &made.unfolded.values,
            kind: asked.kind,
            class: made.class,
            notes: &made.notes,
        }),
        name: &asked.name,
        text: &asked.text,
        property: None,
        place: from_file.then_some((place.line, place.column)),
    };
    let told = DebugTelling {
        start,
        exports,
        trace: trace.as_deref(),
        filter: &options.filter,
    };
    tell(args, desk, &subject, &analysis, &told)
}

/// The property that is meant, by index.
fn property(
    target: DebugTarget<'_>,
    desk: SavedDesk<'_>,
    session: &mut ModelSubject,
) -> Result<usize, Exit> {
    if let Some(formula) = &target.asking.formula {
        let added = session.add_formula(formula);
        return added.map_err(|rejected| desk.screen.reject(&rejected, desk.color, Exit::Usage));
    }
    let name = target.property.map(|path| path.to_string_lossy());
    let name = name.unwrap_or_default();
    let properties = &session.model().properties;
    let names: Vec<String> = properties.iter().map(|p| p.name.clone()).collect();
    if let Some(found) = names.iter().position(|other| *other == name) {
        return Ok(found);
    }
    let near = nearest(&name, names.iter().map(String::as_str));
    let near = near.map(|near| format!("; did you mean `{}`?", view::one_line(near)));
    let there_are = match &names[..] {
        [] => "there are no properties; ask a formula with -e".to_string(),
        names => format!("there are {}", terminal::some_of(names)),
    };
    Err(desk.refuse(&format!(
        "there is no property `{}`; {there_are}{}",
        view::one_line(&name),
        near.unwrap_or_default()
    )))
}
