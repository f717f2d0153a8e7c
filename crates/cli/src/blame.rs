//! `wherefore blame`: what in the text is to blame for a failure, and changes that mend it.

mod commands;
mod systems;
mod terms;

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Parser;
use wherefore_base::{Budget, Stop};
use wherefore_driver::blame::BlameEffort;
use wherefore_driver::evidence::{EvidenceOptions, Finding, Mend, Verdict, is_broken};
use wherefore_driver::registry;
use wherefore_driver::strategy::Strategies;
use wherefore_driver::subject::{Ask, require};
use wherefore_driver::view::wire::CheckDocument;
use wherefore_driver::view::{Report, clean, json, markdown, text};
use wherefore_driver::{
    AlloySubject, Capability, Input, LtsSubject, ModelSubject, QuestionId, Refusal, Results,
    SmtSubject, Subject,
};

use crate::alloy::Asking;
use crate::args::{self, Effort, Format, format};
use crate::exit::{self, Exit};
use crate::refusal::refused_file;
use crate::saved::{SavedDesk, at_desk, no_such_property};
use crate::terminal;
use crate::writers;

#[derive(Debug, Parser)]
#[command(after_long_help = exit::HELP)]
pub(crate) struct Blame {
    /// The model
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The property that fails, or the command of an Alloy model that does not come out as expected; without it, all
    /// that do. For labelled transition systems (.aut, .net), files of properties (.mcl) may stand before it
    #[arg(value_name = "PROP")]
    words: Vec<PathBuf>,

    /// Ask about this formula instead of a property of the model
    #[arg(
        short = 'e',
        long = "formula",
        value_name = "FORMULA",
        allow_hyphen_values = true
    )]
    formula: Option<String>,

    /// Show only the change with this number, counted from 1 as they are listed; it is the one that --write-mend
    /// writes
    #[arg(long, value_name = "K", value_parser = number)]
    mend: Option<usize>,

    /// Write the text with the first change that mends the property or command, or with that of --mend, to this file;
    /// never to the model itself
    #[arg(long, value_name = "F")]
    write_mend: Option<PathBuf>,

    /// Try this many times as much: 0.1 is a tenth of the usual effort, 10 is ten times as much. The effort is
    /// counted in changes and in steps of work, so that the outcome does not depend on the machine
    #[arg(long, value_name = "N", default_value = "1", value_parser = factor)]
    budget: f64,

    /// Look for pairs of places, too, that can mend a property together where neither can alone
    #[arg(long)]
    pairs: bool,

    /// What to print: text, json or md
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format)]
    format: Format,

    #[command(flatten)]
    asking: Asking,

    #[command(flatten)]
    effort: Effort,

    #[command(flatten)]
    screen: args::Screen,
}

/// A failure, and the changes that mend it.
struct Failure<'a> {
    name: String,
    mends: Vec<&'a Mend>,
}

impl Blame {
    /// The files of properties on the command line.
    fn property_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.words.iter().filter(|word| is_mcl(word))
    }

    /// The property on the command line.
    fn property(&self) -> Option<String> {
        let mut names = self.words.iter().filter(|word| !is_mcl(word));
        names.next().map(|name| name.to_string_lossy().into_owned())
    }

    /// What is wrong with the words on the command line.
    fn misuse(&self) -> Option<&'static str> {
        let names = self.words.iter().filter(|word| !is_mcl(word)).count();
        match (names, &self.formula) {
            (0, _) | (1, None) => None,
            (1, Some(_)) => Some("a property and -e cannot both be given"),
            _ => Some("one property at a time is asked about, or all of them"),
        }
    }
}

fn is_mcl(word: &Path) -> bool {
    let ending = word.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("mcl"))
}

/// Finds what is to blame and returns the exit code.
pub(crate) fn blame(args: &Blame) -> Exit {
    at_desk(&args.effort, &args.screen, |desk| blame_at(args, desk))
}

fn blame_at(args: &Blame, desk: SavedDesk<'_>) -> Result<Exit, Exit> {
    if let Some(path) = &args.write_mend {
        if path.as_os_str() == "-" {
            return Err(desk.refuse("`-` is not a file; `./-` is a file of that name"));
        }
        if is_same_file(path, &args.file) {
            let shown = terminal::shown(path);
            return Err(desk.refuse(&format!(
                "{shown} is the model itself, which is never changed; --write-mend takes another file"
            )));
        }
    }
    if let Some(why) = args.misuse() {
        return Err(desk.refuse(why));
    }
    if args.effort.from.is_some() {
        return Err(desk.refuse(
            "--from does not go with blame: changed models are asked from their initial states",
        ));
    }
    let subject = open(args, desk)?;
    let subject = match subject.downcast::<AlloySubject>() {
        Ok(alloy) => return commands::blame(args, desk, &alloy),
        Err(subject) => subject,
    };
    let mut given = args.asking.given().into_iter();
    let alloy = args.effort.alloy.given();
    if let Some(option) = given.next().or(alloy.first().copied()) {
        return Err(desk.refuse(&format!("{option} has a meaning for Alloy models only")));
    }
    let subject = match subject.downcast::<LtsSubject>() {
        Ok(system) => return systems::blame(args, desk, system),
        Err(subject) => subject,
    };
    match subject.downcast::<SmtSubject>() {
        Ok(model) => terms::blame(args, desk, model),
        Err(subject) => blame_model(args, desk, subject),
    }
}

/// Finds what is to blame for properties of a model.
fn blame_model(args: &Blame, desk: SavedDesk<'_>, subject: Box<dyn Subject>) -> Result<Exit, Exit> {
    if let Some(file) = args.property_files().next() {
        return Err(desk.refuse(&format!(
            "{} has properties of labelled transition systems, and {} is none",
            terminal::shown(file),
            terminal::shown(&args.file)
        )));
    }
    let model = subject.into_model(desk.opening, desk.budget);
    let mut model = model.map_err(|refusal| refused(args, desk, &refusal))?;
    desk.screen.warn(&model, desk.color);
    let asked = select(args, desk, &mut model)?;
    desk.examine(&model)?;
    let results = answer(args, desk.budget, &model, &asked);
    if let Err(stop) = desk.budget.check() {
        desk.screen.say(&format!("note: {}", cut_short(stop)));
    }
    let findings = &results.findings;
    let failures = failures(&names(&model), findings);
    if let Some(number) = args.mend {
        has_mend(desk, &failures, number)?;
    }
    let report = model.report(results.space.as_ref(), findings);
    print(args, desk, &report);
    if let Some(path) = &args.write_mend {
        let text = |mend: &Mend| ("the model".to_owned(), model.changed_text(&mend.change));
        write(args, desk, &failures, PROPERTIES, &text, path)?;
    }
    Ok(outcome(findings))
}

/// Opens the model, if its language has this command.
fn open(args: &Blame, desk: SavedDesk<'_>) -> Result<Box<dyn Subject>, Exit> {
    desk.budget.phase("reading the model");
    let mut input = Input::new(&args.file);
    // Files of properties mean nothing to other languages, which is said once the language is known.
    if registry::can(&args.file, Capability::Compose) {
        input.properties.extend(args.property_files().cloned());
    }
    let subject = registry::open(input, desk.opening, desk.budget);
    let subject = subject.map_err(|refusal| refused(args, desk, &refusal))?;
    require(&*subject, Capability::Blame).map_err(|refusal| refused(args, desk, &refusal))?;
    Ok(subject)
}

fn refused(args: &Blame, desk: SavedDesk<'_>, refusal: &Refusal) -> Exit {
    let (text, exit) = refused_file(&args.file, refusal, "read", desk.color);
    desk.screen.say(&text);
    exit
}

/// The properties that are asked.
fn select(
    args: &Blame,
    desk: SavedDesk<'_>,
    model: &mut ModelSubject,
) -> Result<Vec<QuestionId>, Exit> {
    if let Some(formula) = &args.formula {
        let added = model.add_formula(formula);
        added.map_err(|rejected| desk.screen.reject(&rejected, desk.color, Exit::Usage))?;
        let last = model.model().properties.len() - 1;
        return Ok(vec![QuestionId::new(last)]);
    }
    if let Some(name) = &args.property() {
        let Some(property) = model.find_property(name, None) else {
            return Err(desk.refuse(&no_such_property(model, name)));
        };
        let body = &model.model().properties[property].body;
        if let Some(why) = Capability::Blame.refused_for(body) {
            let text = format!("error: nothing is to blame for `{}`: {why}", clean(name));
            desk.screen.say(&text);
            return Err(Exit::Undecided);
        }
        return Ok(vec![QuestionId::new(property)]);
    }
    let all = model.model().properties.iter().enumerate();
    let asked = all.filter(|(_, property)| Capability::Blame.refused_for(&property.body).is_none());
    Ok(asked.map(|(at, _)| QuestionId::new(at)).collect())
}

/// Checks the properties, and looks for what is to blame for those that fail.
fn answer(args: &Blame, budget: &Budget, model: &dyn Subject, asked: &[QuestionId]) -> Results {
    let ask = Ask {
        engine: args.effort.engine,
        options: EvidenceOptions {
            vacuity: false,
            ..EvidenceOptions::default()
        },
        strategies: Rc::new(Strategies::default()),
        blame: Some(BlameEffort {
            pairs: args.pairs,
            ..BlameEffort::ASKED.times(args.budget)
        }),
        ..Ask::default()
    };
    let mut results = Results::default();
    // What is wrong with the meaning of the model was told before.
    let _ = model.answer_all(asked, &ask, budget, &mut results);
    results.complete(
        model,
        asked,
        budget.check().err().unwrap_or(Stop::Cancelled),
    );
    results
}

fn cut_short(stop: Stop) -> String {
    format!("not everything was tried, since {stop}")
}

/// The properties that fail, with the changes that mend them.
fn failures<'a>(names: &[String], findings: &'a [Finding]) -> Vec<Failure<'a>> {
    let failing = findings.iter().filter(|f| f.verdict == Verdict::Fails);
    let failures = failing.map(|finding| Failure {
        name: names[finding.property].clone(),
        mends: mends(finding).collect(),
    });
    failures.collect()
}

/// What is said of properties when a change is written.
const PROPERTIES: WriteWords = WriteWords {
    none: "no property fails",
    several: "several properties fail",
    mended: "holds",
};

/// Makes sure that some failure has a mend with a number.
fn has_mend(desk: SavedDesk<'_>, failures: &[Failure<'_>], number: usize) -> Result<(), Exit> {
    let has = |failure: &Failure<'_>| number <= failure.mends.len();
    if failures.is_empty() || failures.iter().any(has) {
        return Ok(());
    }
    let said = failures.iter().map(|failure| {
        let name = &failure.name;
        match failure.mends.len() {
            0 => format!("for `{name}` no change was found"),
            1 => format!("for `{name}` 1 change was found"),
            n => format!("for `{name}` {n} changes were found"),
        }
    });
    let said: Vec<String> = said.collect();
    Err(desk.refuse(&format!("there is no change {number}: {}", said.join(", "))))
}

/// The names of all properties.
fn names(subject: &dyn Subject) -> Vec<String> {
    let questions = subject.questions();
    questions
        .iter()
        .map(|question| clean(&question.name))
        .collect()
}

fn mends(finding: &Finding) -> impl Iterator<Item = &Mend> {
    let blame = finding.blame.iter();
    blame.flat_map(|blame| blame.mends().map(|(_, mend)| mend))
}

/// What a language calls failures, as parts of sentences.
struct WriteWords {
    none: &'static str,
    several: &'static str,
    mended: &'static str,
}

/// Writes a copy of the text with a change.
fn write(
    args: &Blame,
    desk: SavedDesk<'_>,
    failures: &[Failure<'_>],
    words: WriteWords,
    changed: &dyn Fn(&Mend) -> (String, String),
    path: &Path,
) -> Result<(), Exit> {
    let failure = match failures {
        [] => {
            let none = words.none;
            desk.screen
                .say(&format!("note: nothing is written, since {none}"));
            return Ok(());
        }
        [failure] => failure,
        several => {
            let names: Vec<String> = several.iter().map(|failure| failure.name.clone()).collect();
            let (several, names) = (words.several, terminal::some_of(&names));
            return Err(desk.refuse(&format!(
                "{several}: {names}; name the one whose change is to be written"
            )));
        }
    };
    let number = args.mend.unwrap_or(1);
    let Some(mend) = failure.mends.get(number - 1) else {
        let (name, mended) = (&failure.name, words.mended);
        desk.screen.say(&format!(
            "error: nothing is written, since no change was found with which `{name}` {mended}"
        ));
        return Err(Exit::Fails);
    };
    let (what, text) = changed(mend);
    writers::write(path, &text).map_err(|failure| {
        desk.screen.say(&failure);
        Exit::Usage
    })?;
    let shown = terminal::shown(path);
    desk.screen
        .say(&format!("note: {shown} has {what} with change {number}"));
    Ok(())
}

fn print(args: &Blame, desk: SavedDesk<'_>, report: &Report<'_>) {
    let text = match args.format {
        Format::Text => text::to_blame(report, args.mend, terminal::style(&args.screen)),
        Format::Markdown => markdown::to_blame(report, args.mend),
        Format::Json => CheckDocument::new(vec![json::model(report)]).render(),
    };
    desk.screen.print(&text);
}

fn outcome(findings: &[Finding]) -> Exit {
    let exits = findings.iter().map(|finding| match finding.verdict {
        _ if is_broken(finding) => Exit::Internal,
        Verdict::Holds => Exit::Good,
        Verdict::Fails => Exit::Fails,
        Verdict::Unknown(_) => Exit::Undecided,
    });
    exits.max().unwrap_or(Exit::Good)
}

/// Whether two paths lead to the same file, by links too.
fn is_same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (fs::metadata(a), fs::metadata(b)) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

fn number(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number >= 1 => Ok(number),
        _ => Err("give the number of a change, 1 or more".to_string()),
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor.is_finite() => Ok(factor),
        _ => Err("give a number above 0, as 0.1 or 10".to_string()),
    }
}
