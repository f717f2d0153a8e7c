//! `wherefore show`: saved evidence on the screen again, or in another format.
//!
//! The document says which model it is about. The evidence is rebuilt on that model and replayed before it is
//! shown, as always; evidence that shows nothing any more is told, not shown.

mod instances;

use std::path::{Path, PathBuf};

use clap::Parser;
use wherefore_driver::ModelSubject;
use wherefore_driver::evidence::{Finding, Verdict};
use wherefore_driver::subjects::alloy::Overflow;
use wherefore_driver::view::alloy::retold;
use wherefore_driver::view::any::exports;
use wherefore_driver::view::read::{SavedFile, rebuild};
use wherefore_driver::view::wire::{CheckDocument, ModelDoc, PropertyDoc, VerdictName};
use wherefore_driver::view::{Manner, Report, clean, export, json, markdown, text};

use crate::alloy::overflow;
use crate::args::{Effort, Format, Screen, exported, format};
use crate::exit::{self, Exit};
use crate::replay::find_or_add;
use crate::saved::{SavedDesk, at_desk};
use crate::{terminal, writers};

#[derive(Debug, Parser)]
#[command(after_long_help = exit::HELP)]
pub(crate) struct Show {
    /// The JSON document that `check --json` wrote, an instance that `explore` wrote, or an instance of Alloy as XML
    #[arg(value_name = "SAVED")]
    saved: PathBuf,

    /// The model, where it is not where the document says
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Show the evidence of this property only (may be given several times)
    #[arg(short = 'p', long = "property", value_name = "NAME")]
    properties: Vec<String>,

    /// Show the value of this expression in each saved instance of an Alloy model (may be given several times)
    #[arg(
        short = 'e',
        long = "formula",
        value_name = "EXPR",
        allow_hyphen_values = true
    )]
    formulas: Vec<String>,

    /// What happens in such an expression when arithmetic does not fit the bits of integers: wrap or forbid
    /// [default: wrap]
    #[arg(long, value_name = "HOW", value_parser = overflow)]
    overflow: Option<Overflow>,

    /// What to print: text, json or md
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format)]
    format: Format,

    /// Also write the evidence to this file, as `check --export` does (may be given several times)
    #[arg(long, value_name = "F", value_parser = exported)]
    export: Vec<(PathBuf, export::ExportFormat)>,

    /// Show every value at every step, and every run
    #[arg(long)]
    full: bool,

    #[command(flatten)]
    effort: Effort,

    #[command(flatten)]
    screen: Screen,
}

/// Shows saved evidence and returns the exit code: that of the check that found it.
pub(crate) fn show(args: &Show) -> Exit {
    at_desk(&args.effort, &args.screen, |desk| show_at(args, desk))
}

fn show_at(args: &Show, desk: SavedDesk<'_>) -> Result<Exit, Exit> {
    desk.budget.phase("reading the evidence");
    let text = desk.text(&args.saved)?;
    match retold::read(&text) {
        Some(Ok(saved)) => return instances::show(args, desk, &saved),
        Some(Err(wrong)) => {
            let file = terminal::shown(&args.saved);
            desk.screen
                .say(&format!("error: {file}: {}", clean(&wrong)));
            return Err(Exit::Model);
        }
        None => {}
    }
    if !args.formulas.is_empty() {
        return Err(desk.refuse("-e is for saved instances of Alloy models"));
    }
    let SavedFile::Document(document) = desk.parse(&args.saved, text)? else {
        let trace = terminal::shown(&args.saved);
        return Err(desk.refuse(&format!(
            "this is a trace without a verdict; `wherefore replay FILE {trace}` runs it on a model"
        )));
    };
    let has = |model: &ModelDoc, name: &String| model.properties.iter().any(|p| p.name == *name);
    for name in &args.properties {
        if !document.models.iter().any(|model| has(model, name)) {
            let name = clean(name);
            return Err(desk.refuse(&format!("the document has no property `{name}`")));
        }
    }
    let mut worst = Exit::Good;
    let mut shown = Vec::new();
    for model in &document.models {
        let path = path_of(args, &model.path);
        let mut session = desk.open_as(&path, model)?;
        let (findings, exit) = rebuilt(args, desk, &mut session, model)?;
        worst = worst.max(exit);
        shown.push((session, findings));
    }
    let reports: Vec<Report<'_>> = shown
        .iter()
        .map(|(session, findings)| session.report(None, findings))
        .collect();
    print(args, desk, &reports);
    for (path, format) in &args.export {
        let documents: Vec<_> = reports
            .iter()
            .flat_map(|r| exports(r, *format, &Manner::default()))
            .collect();
        match writers::write_evidence(path, &documents) {
            Ok(true) => {}
            Ok(false) => desk.screen.say(&format!(
                "note: {} is not written: there is no evidence",
                terminal::shown(path)
            )),
            Err(failure) => {
                desk.screen.say(&failure);
                worst = worst.max(Exit::Usage);
            }
        }
    }
    Ok(worst)
}

/// Where the model of a document is: where the user says, where the document says, or next to the document.
fn path_of(args: &Show, named: &str) -> PathBuf {
    if let Some(path) = &args.model {
        return path.clone();
    }
    let path = PathBuf::from(named);
    let beside = args
        .saved
        .with_file_name(path.file_name().unwrap_or_default());
    match !path.exists() && beside.exists() {
        true => beside,
        false => path,
    }
}

/// The findings of a document whose evidence still shows what it showed; the others are told of.
fn rebuilt(
    args: &Show,
    desk: SavedDesk<'_>,
    session: &mut ModelSubject,
    model: &ModelDoc,
) -> Result<(Vec<Finding>, Exit), Exit> {
    let wanted = |property: &&PropertyDoc| {
        args.properties.is_empty() || args.properties.contains(&property.name)
    };
    let wanted: Vec<_> = model.properties.iter().filter(wanted).collect();
    let places: Vec<_> = wanted
        .iter()
        .map(|property| find_or_add(session, property))
        .collect();
    desk.examine(session)?;
    let mut findings = Vec::new();
    let mut worst = Exit::Good;
    for (property, place) in wanted.into_iter().zip(places) {
        let name = clean(&property.name);
        let Some(evidence) = &property.evidence else {
            continue;
        };
        let Some(place) = place else {
            let model = Path::new(&model.path);
            let model = terminal::shown(model);
            desk.screen
                .say(&format!("note: {model} has no property `{name}` any more"));
            worst = worst.max(Exit::Fails);
            continue;
        };
        let fate = desk.in_time(session.fate(place, property, desk.budget))?;
        if let Some(fate) = fate.filter(|fate| !fate.is_good()) {
            let style = terminal::style(&args.screen);
            desk.screen
                .say(fate.render(&property.name, &[], style).trim_end());
            worst = worst.max(Exit::Fails);
            continue;
        }
        let query = session.model().properties[place].body.query();
        let query = query.expect("evidence that replays is about a formula");
        let evidence = rebuild(evidence, session.model(), query);
        let verdict = match property.verdict == VerdictName::Holds {
            true => Verdict::Holds,
            false => Verdict::Fails,
        };
        if verdict == Verdict::Fails {
            worst = worst.max(Exit::Fails);
        }
        let mut finding = Finding::new(place, verdict, None);
        finding.evidence = Some(evidence.expect("evidence that replays fits the model"));
        findings.push(finding);
    }
    Ok((findings, worst))
}

fn print(args: &Show, desk: SavedDesk<'_>, reports: &[Report<'_>]) {
    let printed = match args.format {
        Format::Json => {
            let models = reports.iter().map(json::model).collect();
            CheckDocument::new(models).render()
        }
        Format::Markdown => {
            let pages = reports
                .iter()
                .map(|report| markdown::render(report, args.full));
            pages.collect::<Vec<_>>().join("\n")
        }
        Format::Text => {
            let options = terminal::all_of(&args.screen, args.full);
            let pages = reports.iter().map(|report| text::render(report, &options));
            pages.collect::<Vec<_>>().join("\n")
        }
    };
    desk.screen.print(&printed);
}
