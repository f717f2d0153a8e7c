//! `wherefore diff`: what became of saved verdicts and evidence on a changed model.

use std::collections::BTreeMap;
use std::path::Path;

use wherefore_driver::evidence::{EvidenceOptions, Finding, is_broken};
use wherefore_driver::view::compare::{ComparedRow, RunComparison, change};
use wherefore_driver::view::fate::Fate;
use wherefore_driver::view::json::verdict_name;
use wherefore_driver::view::read::{SavedFile, main_run_of};
use wherefore_driver::view::wire::{
    CheckDocument, ModelDoc, PropertyDoc, VerdictChangeName, VerdictName,
};
use wherefore_driver::{Event, Job, ModelSubject, Subject};

use crate::args::{Diff, Format};
use crate::exit::Exit;
use crate::replay::find_or_add;
use crate::saved::{SavedDesk, at_desk};
use crate::terminal;

/// Compares and returns the exit code.
pub(crate) fn diff(args: &Diff) -> Exit {
    at_desk(&args.effort, &args.screen, |desk| diff_at(args, desk))
}

fn diff_at(args: &Diff, desk: SavedDesk<'_>) -> Result<Exit, Exit> {
    let new = &args.new;
    let mut broken = false;
    let text = desk.text(new)?;
    let comparison = if text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('{')
    {
        // The first document is the older one, as in `diff OLD NEW`.
        let old = of_document(desk, new, desk.parse(new, text)?)?;
        let new = document(desk, &args.saved)?;
        let names = (terminal::shown(&args.saved), terminal::shown(&args.new));
        RunComparison::new(names.0, names.1, between(&old, &new))
    } else {
        let mut session = desk.model(new, text)?;
        let saved = document(desk, &args.saved)?;
        let saved = desk.model_of(&saved, new)?;
        let mut opening = desk.opening.clone();
        desk.choose(&mut opening, saved);
        if let Some(rule) = opening.paths {
            let asked = session.set_paths(rule).map(|()| session);
            session = desk.screen.greet(new, "read", desk.color, asked)?;
        }
        if let Some(condition) = &opening.from {
            let asked = session.ask_from(condition, desk.budget).map(|()| session);
            session = desk.screen.greet(new, "read", desk.color, asked)?;
        }
        let rows = against(args, desk, &mut session, saved, &mut broken)?;
        RunComparison::new(terminal::shown(new), terminal::shown(&args.saved), rows)
    };
    desk.screen.print(&match args.format {
        Format::Json => comparison.json(),
        Format::Text | Format::Markdown => comparison.text(terminal::style(&args.screen)),
    });
    Ok(if broken {
        Exit::Internal
    } else if comparison.count(VerdictChangeName::Worse) > 0 {
        Exit::Fails
    } else if comparison.count(VerdictChangeName::Undecided) > 0 || desk.budget.check().is_err() {
        Exit::Undecided
    } else {
        Exit::Good
    })
}

fn document(desk: SavedDesk<'_>, path: &Path) -> Result<CheckDocument, Exit> {
    of_document(desk, path, desk.read(path)?)
}

fn of_document(desk: SavedDesk<'_>, path: &Path, saved: SavedFile) -> Result<CheckDocument, Exit> {
    match saved {
        SavedFile::Document(document) => Ok(document),
        SavedFile::Traces(_) => {
            let path = terminal::shown(path);
            Err(desk.refuse(&format!(
                "{path} is a trace without verdicts; `wherefore replay` runs it"
            )))
        }
    }
}

/// A saved document against a model.
fn against(
    args: &Diff,
    desk: SavedDesk<'_>,
    session: &mut ModelSubject,
    saved: &ModelDoc,
    broken: &mut bool,
) -> Result<Vec<ComparedRow>, Exit> {
    let found: Vec<Option<usize>> = saved
        .properties
        .iter()
        .map(|property| find_or_add(session, property))
        .collect();
    // What the command line says comes before what the document does.
    if let Some(rule) = args.effort.paths {
        for &at in found.iter().flatten() {
            session.set_rule(at, rule);
        }
    }
    desk.examine(session)?;
    let findings = check(args, desk, session);
    *broken |= findings.values().any(is_broken);
    let now = |at: usize| {
        let finding = findings.get(&at);
        finding.map_or(VerdictName::Unknown, |finding| {
            verdict_name(&finding.verdict)
        })
    };
    let mut rows = Vec::new();
    for (property, at) in saved.properties.iter().zip(&found) {
        let now = at.map(now);
        let then = Some(property.verdict);
        let evidence = match *at {
            // What was found before the budget ended is shown.
            Some(at) => match session.fate(at, property, desk.budget) {
                Ok(fate) => fate,
                Err(stop) => Some(Fate::unchecked(stop)),
            },
            None => None,
        };
        let text = at.map_or(&property.text, |at| &session.model().properties[at].text);
        rows.push(ComparedRow {
            name: property.name.clone(),
            text: text.clone(),
            then,
            now,
            change: change(then, now),
            evidence,
        });
    }
    for (at, property) in session.model().properties.iter().enumerate() {
        if !found.contains(&Some(at)) {
            rows.push(ComparedRow {
                name: property.name.clone(),
                text: property.text.clone(),
                then: None,
                now: Some(now(at)),
                change: change(None, Some(now(at))),
                evidence: None,
            });
        }
    }
    Ok(rows)
}

fn check(args: &Diff, desk: SavedDesk<'_>, session: &ModelSubject) -> BTreeMap<usize, Finding> {
    let job = Job {
        engine: args.effort.engine,
        options: EvidenceOptions {
            evidence: false,
            vacuity: false,
            witness: false,
            certificate: false,
            ..EvidenceOptions::default()
        },
        properties: None,
        bound: None,
    };
    let mut findings = BTreeMap::new();
    session.check_all(&job, desk.budget, &mut |event| {
        if let Event::Finding(finding) = event {
            findings.insert(finding.property, *finding);
        }
    });
    findings
}

/// Two documents: verdicts, and where the evidences part.
fn between(old: &CheckDocument, new: &CheckDocument) -> Vec<ComparedRow> {
    let several = old.models.len() > 1 || new.models.len() > 1;
    let title = |model: &ModelDoc, property: &PropertyDoc| match several {
        true => format!("{}: {}", model.path, property.name),
        false => property.name.clone(),
    };
    let counterpart = |of: &ModelDoc, among: &'_ CheckDocument| {
        let same = among.models.iter().position(|model| model.path == of.path);
        same.or((!several).then_some(0))
    };
    let mut rows = Vec::new();
    for model in &old.models {
        let other = counterpart(model, new).and_then(|at| new.models.get(at));
        for property in &model.properties {
            let now = other.and_then(|other| find(other, property));
            let then = Some(property.verdict);
            let verdict = now.map(|now| now.verdict);
            rows.push(ComparedRow {
                name: title(model, property),
                text: now.unwrap_or(property).text.clone(),
                then,
                now: verdict,
                change: change(then, verdict),
                evidence: now.and_then(|now| parting(property, now, &model.hidden)),
            });
        }
    }
    for model in &new.models {
        let other = counterpart(model, old).and_then(|at| old.models.get(at));
        let fresh =
            |property: &&PropertyDoc| other.is_none_or(|other| find(other, property).is_none());
        for property in model.properties.iter().filter(fresh) {
            let now = property.verdict;
            rows.push(ComparedRow {
                name: title(model, property),
                text: property.text.clone(),
                then: None,
                now: Some(now),
                change: change(None, Some(now)),
                evidence: None,
            });
        }
    }
    rows
}

fn find<'d>(model: &'d ModelDoc, property: &PropertyDoc) -> Option<&'d PropertyDoc> {
    let mut all = model.properties.iter();
    let named = all.clone().find(|other| other.name == property.name);
    named.or_else(|| all.find(|other| other.text == property.text))
}

/// Where the main runs of two evidences part.
fn parting(old: &PropertyDoc, new: &PropertyDoc, hidden: &[String]) -> Option<Fate> {
    match (main_run_of(old), main_run_of(new)) {
        (None, None) => None,
        (Some(_), None) => Some(Fate::parted(None, "there is no evidence any more")),
        (None, Some(_)) => Some(Fate::parted(None, "there is evidence now")),
        (Some(old), Some(new)) => Some(Fate::between(&old, &new, hidden)),
    }
}
