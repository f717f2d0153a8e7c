//! Properties of labelled transition systems that fail, and transitions whose change mends them.

use wherefore_driver::evidence::Mend;
use wherefore_driver::view::lts::{markdown, text};
use wherefore_driver::view::wire::CheckDocument;
use wherefore_driver::view::{clean, lts};
use wherefore_driver::{Engine, LtsSubject, QuestionId, Subject};

use super::{
    Blame, PROPERTIES, answer, cut_short, failures, has_mend, is_same_file, names, outcome,
    refused, write,
};
use crate::args::Format;
use crate::exit::Exit;
use crate::saved::SavedDesk;
use crate::terminal;

/// Finds what is to blame for properties of a system.
pub(super) fn blame(
    args: &Blame,
    desk: SavedDesk<'_>,
    mut system: LtsSubject,
) -> Result<Exit, Exit> {
    if let Some(why) = misuse(args) {
        return Err(desk.refuse(&why));
    }
    let able = system.can_blame();
    able.map_err(|refusal| refused(args, desk, &refusal))?;
    never_a_file_of_the_model(args, desk, &system)?;
    desk.screen.warn(&system, desk.color);
    let asked = select(args, desk, &mut system)?;
    let results = answer(args, desk.budget, &system, &asked);
    if let Err(stop) = desk.budget.check() {
        desk.screen.say(&format!("note: {}", cut_short(stop)));
    }
    let findings = &results.findings;
    let failures = failures(&names(&system), findings);
    if let Some(number) = args.mend {
        has_mend(desk, &failures, number)?;
    }
    let report = system.report(results.space.as_ref(), findings);
    desk.screen.print(&match args.format {
        Format::Text => text::to_blame(&report, args.mend, terminal::style(&args.screen)),
        Format::Markdown => markdown::to_blame(&report, args.mend),
        Format::Json => CheckDocument::new(vec![lts::json::model(&report)]).render(),
    });
    if let Some(path) = &args.write_mend {
        let changed = |mend: &Mend| {
            let file = system.sources().file(mend.change.span.file).name();
            (clean(file), system.changed_text(mend))
        };
        write(args, desk, &failures, PROPERTIES, &changed, path)?;
    }
    Ok(outcome(findings))
}

/// Refuses to write over a file that the model is read from.
fn never_a_file_of_the_model(
    args: &Blame,
    desk: SavedDesk<'_>,
    system: &LtsSubject,
) -> Result<(), Exit> {
    let Some(path) = &args.write_mend else {
        return Ok(());
    };
    let mut files = system.sources().files().iter();
    if files.any(|file| is_same_file(path, file.name().as_ref())) {
        let shown = terminal::shown(path);
        return Err(desk.refuse(&format!(
            "{shown} is a file of the model, which is never changed; --write-mend takes another file"
        )));
    }
    Ok(())
}

/// What is wrong with options that mean nothing here.
fn misuse(args: &Blame) -> Option<String> {
    let effort = &args.effort;
    let given = [
        (args.pairs, "--pairs"),
        (effort.engine != Engine::default(), "--engine"),
        (effort.order.is_some(), "--order"),
        (effort.paths.is_some(), "--paths"),
        (!effort.names.is_empty(), "--name"),
    ];
    let mut given = given.iter().filter(|(given, _)| *given);
    let option = given.next()?.1;
    Some(format!(
        "{option} has no meaning for labelled transition systems"
    ))
}

/// The properties that are asked.
fn select(
    args: &Blame,
    desk: SavedDesk<'_>,
    system: &mut LtsSubject,
) -> Result<Vec<QuestionId>, Exit> {
    if let Some(formula) = &args.formula {
        let added = system.add_formula(formula);
        let added =
            added.map_err(|rejected| desk.screen.reject(&rejected, desk.color, Exit::Usage))?;
        return Ok(vec![QuestionId::new(added)]);
    }
    let Some(name) = args.property() else {
        return Ok(system.questions().ids().collect());
    };
    let named = system.named(&name);
    if named.is_empty() {
        let all = system.questions();
        let names: Vec<String> = all.iter().map(|question| question.name.clone()).collect();
        let there_are = match &names[..] {
            [] => "there are no properties".to_string(),
            names => format!("there are {}", terminal::some_of(names)),
        };
        return Err(desk.refuse(&format!(
            "there is no property `{}`; {there_are}",
            clean(&name)
        )));
    }
    Ok(named)
}
