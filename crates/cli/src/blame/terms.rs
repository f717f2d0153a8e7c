//! Properties of infinite-state models that fail, and the conditions of the text that their runs hinge on.

use wherefore_driver::blame::BlameEffort;
use wherefore_driver::evidence::{EvidenceOptions, Finding, Mend};
use wherefore_driver::subjects::smt::NO_SOLVER;
use wherefore_driver::view::{Report, clean};
use wherefore_driver::{SmtSubject, Subject};

use super::{Blame, PROPERTIES, cut_short, failures, has_mend, names, outcome, print, write};
use crate::exit::Exit;
use crate::saved::SavedDesk;
use crate::terminal;

/// Finds what runs of solvers hinge on.
pub(super) fn blame(
    args: &Blame,
    desk: SavedDesk<'_>,
    mut model: SmtSubject,
) -> Result<Exit, Exit> {
    if let Some(why) = misuse(args, model.lists_changes()) {
        return Err(desk.refuse(why));
    }
    desk.screen.warn(&model, desk.color);
    let asked = select(args, desk, &mut model)?;
    let effort = &args.effort;
    let choices = (effort.living).choices(effort.engine, effort.memory, desk.budget);
    let choices = choices.map_err(|text| {
        desk.screen.say(&text);
        Exit::Usage
    })?;
    if choices.solvers.is_empty() {
        desk.screen.say(NO_SOLVER);
        return Err(Exit::Undecided);
    }
    let mut answers = Vec::new();
    for property in asked {
        answers.push((property, model.answer(property, &choices, desk.budget)));
        if desk.budget.check().is_err() {
            break;
        }
    }
    let mut told = model.tell(&answers, &EvidenceOptions::default(), desk.budget);
    let tries = BlameEffort::ASKED.times(args.budget);
    let mut mends = model.mends(&answers, &choices, tries, desk.budget);
    for ((property, answer), finding) in answers.iter().zip(&mut told.findings) {
        // What is not found before the budget ends is left out, which is said below.
        let hinges = || model.blame(finding, answer, desk.budget).ok().flatten();
        finding.blame = mends.remove(property).or_else(hinges);
    }
    if let Err(stop) = desk.budget.check() {
        desk.screen.say(&format!("note: {}", cut_short(stop)));
    }
    let findings: &[Finding] = &told.findings;
    let failures = failures(&names(&model), findings);
    if let Some(number) = args.mend {
        has_mend(desk, &failures, number)?;
    }
    let report = Report {
        runs: &told.runs,
        ..told.session.report(None, findings)
    };
    print(args, desk, &report);
    if let Some(path) = &args.write_mend {
        let text = |mend: &Mend| ("the model".to_owned(), model.changed_text(&mend.change));
        write(args, desk, &failures, PROPERTIES, &text, path)?;
    }
    Ok(outcome(findings))
}

/// What is wrong with options that mean nothing here; `changes`: changes of texts in this language are tried.
fn misuse(args: &Blame, changes: bool) -> Option<&'static str> {
    let given = [
        (
            args.mend.is_some() && !changes,
            "--mend has no meaning here: no changes are tried in this language",
        ),
        (
            args.write_mend.is_some() && !changes,
            "--write-mend has no meaning here: no changes are tried in this language",
        ),
        (
            args.pairs,
            "--pairs has no meaning here: of infinite-state models no pairs are tried",
        ),
        (
            args.property_files().next().is_some(),
            "files of properties are for labelled transition systems",
        ),
    ];
    let mut given = given.iter().filter(|(given, _)| *given);
    given.next().map(|(_, why)| *why)
}

/// The properties that are asked, by index.
fn select(args: &Blame, desk: SavedDesk<'_>, model: &mut SmtSubject) -> Result<Vec<usize>, Exit> {
    if let Some(formula) = &args.formula {
        let added = model.add_formula(formula);
        let added =
            added.map_err(|rejected| desk.screen.reject(&rejected, desk.color, Exit::Usage))?;
        return Ok(vec![added]);
    }
    let Some(name) = args.property() else {
        return Ok((0..model.properties().len()).collect());
    };
    let named = model.named(&name);
    if named.is_empty() {
        let names: Vec<String> = model.properties().iter().map(|p| p.name.clone()).collect();
        let there_are = match &names[..] {
            [] => "there are no properties".to_string(),
            names => format!("there are {}", terminal::some_of(names)),
        };
        let name = clean(&name);
        return Err(desk.refuse(&format!("there is no property `{name}`; {there_are}")));
    }
    Ok(named.iter().map(|question| question.index()).collect())
}
