//! `wherefore shrink`: the smallest evidence that can be made from a trace.

use wherefore_driver::evidence::{
    Evidence, EvidenceOptions, Finding, Missing, Shrunk, SpaceSummary, Verdict, is_broken,
};
use wherefore_driver::view::any::exports;
use wherefore_driver::view::read::{SavedFile, SavedTrace, main_run_of};
use wherefore_driver::view::wire::CheckDocument;
use wherefore_driver::view::{Manner, Report, clean, export, json, text};
use wherefore_driver::{Event, Job, ModelSubject};

use crate::args::{Format, Shrink, Within};
use crate::exit::Exit;
use crate::saved::{SavedDesk, at_desk, no_such_property};
use crate::terminal;
use crate::writers;

/// Shrinks a trace and returns the exit code.
pub(crate) fn shrink(args: &Shrink) -> Exit {
    at_desk(&args.effort, &args.screen, |desk| shrink_at(args, desk))
}

fn shrink_at(args: &Shrink, desk: SavedDesk<'_>) -> Result<Exit, Exit> {
    let session = desk.open(&args.file)?;
    let Some(property) = session.find_property(&args.property, None) else {
        return Err(desk.refuse(&no_such_property(&session, &args.property)));
    };
    let saved = desk.read(&args.trace)?;
    let trace = choose(args, desk, saved)?;
    desk.examine(&session)?;
    let followed = desk.in_time(session.follow(&trace, desk.budget))?;
    for note in &followed.notes {
        desk.screen.say(&format!("note: {note}"));
    }
    let Some(walk) = followed.walk else {
        let style = terminal::style(&args.screen);
        desk.screen
            .print(&followed.fate.render("the trace", &[], style));
        return Err(Exit::Fails);
    };
    let engine = args.effort.engine;
    let shrunk = session.shrink(property, &walk.states, engine, desk.budget);
    let (space, shrunk) = desk.in_time(shrunk)?;
    let name = &session.model().properties[property].name;
    let finding = match shrunk {
        Shrunk::Found(finding) => *finding,
        shrunk => {
            desk.screen
                .say(&format!("error: {}", shown_text(name, &shrunk)));
            return Err(match shrunk {
                Shrunk::TooLarge | Shrunk::Unsupported(_) => Exit::Undecided,
                _ => Exit::Fails,
            });
        }
    };
    let steps = |finding: &Finding| finding.evidence.as_ref().map_or(0, Evidence::main_steps);
    let within_trace = steps(&finding);
    let before = walk.steps();
    let (space, finding, line) = match args.within {
        Within::Trace => {
            let minimal = finding.evidence.as_ref().map(|found| &found.minimal);
            let proved = minimal.is_some_and(|minimal| minimal.proved());
            let shortest = if proved {
                "shortest"
            } else {
                "the shortest found"
            };
            let line = format!(
                "shrunk from {} to {within_trace}: {shortest} within the states of the trace",
                counted(before, "step")
            );
            (space, finding, line)
        }
        Within::Model => {
            let (space, finding) = check(args, desk, &session, property)?;
            let line = format!(
                "shrunk from {} to {} within the model; within the states of the trace to {within_trace}",
                counted(before, "step"),
                steps(&finding),
            );
            (space, finding, line)
        }
    };
    let broken = is_broken(&finding);
    let findings = [finding];
    let report = session.report(Some(&space), &findings);
    print(args, desk, &report, &line)?;
    Ok(if broken { Exit::Internal } else { Exit::Good })
}

/// The trace that is to be shrunk.
fn choose(args: &Shrink, desk: SavedDesk<'_>, saved: SavedFile) -> Result<SavedTrace, Exit> {
    match saved {
        SavedFile::Traces(mut traces) => {
            let count = traces.len();
            match args.number {
                1.. if args.number <= count => Ok(traces.swap_remove(args.number - 1)),
                _ => {
                    let traces = counted(count, "trace");
                    Err(desk.refuse(&format!("the file has {traces}, counted from 1")))
                }
            }
        }
        SavedFile::Document(document) => {
            let model = desk.model_of(&document, &args.file)?;
            let named = model.properties.iter().find(|p| p.name == args.property);
            let trace = named.and_then(main_run_of);
            let name = clean(&args.property);
            trace.ok_or_else(|| {
                desk.refuse(&format!(
                    "the document has no evidence for the property `{name}`"
                ))
            })
        }
    }
}

/// What the checker finds itself.
fn check(
    args: &Shrink,
    desk: SavedDesk<'_>,
    session: &ModelSubject,
    property: usize,
) -> Result<(SpaceSummary, Finding), Exit> {
    let job = Job {
        engine: args.effort.engine,
        options: EvidenceOptions {
            vacuity: false,
            ..EvidenceOptions::default()
        },
        properties: Some(vec![property]),
        bound: None,
    };
    let (mut space, mut found) = (None, None);
    session.check_all(&job, desk.budget, &mut |event| match event {
        Event::Space(summary) => space = Some(summary),
        Event::Finding(finding) => found = Some(*finding),
        Event::Rejected(_) => {}
    });
    desk.in_time(desk.budget.check())?;
    let found = found.filter(|finding| finding.evidence.is_some());
    space.zip(found).ok_or(Exit::Undecided)
}

fn print(args: &Shrink, desk: SavedDesk<'_>, report: &Report<'_>, line: &str) -> Result<(), Exit> {
    match args.format {
        Format::Json => {
            let document = CheckDocument::new(vec![json::model(report)]);
            desk.screen.print(&document.render());
        }
        Format::Text | Format::Markdown => {
            let options = terminal::all_of(&args.screen, args.full);
            let text = text::render(report, &options);
            desk.screen
                .print(&format!("{}\n\n{line}\n", text.trim_end()));
        }
    }
    if let Some(path) = &args.itf
        && let Err(failure) = writers::write_evidence(
            path,
            &exports(report, export::ExportFormat::Itf, &Manner::default()),
        )
    {
        desk.screen.say(&failure);
        return Err(Exit::Usage);
    }
    Ok(())
}

/// Whether the states of a trace show a property, as a sentence.
pub(crate) fn shown_text(name: &str, shrunk: &Shrunk) -> String {
    let name = clean(name);
    match shrunk {
        Shrunk::Found(finding) => {
            let verdict = match finding.verdict {
                Verdict::Holds => "holds",
                _ => "fails",
            };
            let steps = finding.evidence.as_ref().map_or(0, Evidence::main_steps);
            format!(
                "the trace shows that `{name}` {verdict}, in {}",
                counted(steps, "step")
            )
        }
        Shrunk::Nothing(missing) => missing_text(&name, missing),
        Shrunk::TooLarge => "the trace has too many states to search them all".to_string(),
        Shrunk::Unsupported(why) => format!("`{name}` cannot be answered: {}", clean(why)),
    }
}

/// Why a trace shows nothing about a property.
fn missing_text(name: &str, missing: &Missing) -> String {
    let truth = match missing {
        Missing::Holds => return format!("`{name}` holds, so no trace shows that it fails"),
        Missing::NoRun => {
            return format!(
                "the trace does not show that `{name}` fails: on every run through its states only, the property is satisfied"
            );
        }
        Missing::Truth(truth) => truth,
    };
    match truth.iter().position(|&truth| truth) {
        Some(0) => format!(
            "the trace does not show that `{name}` fails: it holds at step 0, where the trace starts"
        ),
        Some(step) => format!(
            "the trace does not show that `{name}` fails: it can be broken up to step {}, and holds from step {step} on",
            step - 1
        ),
        None => format!(
            "the trace does not show that `{name}` fails: it can still be broken at its last step, {}, but the trace ends there",
            truth.len().saturating_sub(1)
        ),
    }
}

fn counted(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}
