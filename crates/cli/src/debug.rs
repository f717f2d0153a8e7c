//! `wherefore debug`: all counterexamples of a property at once, and where good and bad part.

mod model;
mod options;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use wherefore_driver::debug::smv::Naming;
use wherefore_driver::debug::{AskError, DebugQuestion, QuestionSource};
use wherefore_driver::lts::reduce::Reduction;
use wherefore_driver::model::lts::Lts;
use wherefore_driver::registry;
use wherefore_driver::subject::require;
use wherefore_driver::subjects::lts::LtsReading;
use wherefore_driver::tagged::{self, Analysis, Course, Filter, NeighbourhoodKind, RunPattern};
use wherefore_driver::view::debug::{self as view, ShownGraph, Story, Which};
use wherefore_driver::view::export::{GraphFormat, TaggedGraph, tagged as export};
use wherefore_driver::{
    Capability, Engine, Input, LtsSubject, ModelSubject, Opening, Refusal, Rejected, Subject,
};

use crate::args::Format;
use crate::exit::Exit;
use crate::saved::{SavedDesk, at_desk};
use crate::terminal;
use crate::writers;

pub(crate) use model::tagged_model;
pub(crate) use options::{Debug, DebugAsking, DebugTarget};
use options::{KindName, ReadingKind, ReduceKind};

/// Debugs a system and returns the exit code.
pub(crate) fn debug(args: &Debug) -> Exit {
    at_desk(&args.asking.limits.effort(), &args.asking.screen, |desk| {
        let start = Instant::now();
        let exports = exports(args, desk)?;
        match open(args.target(), desk)? {
            DebuggedModel::System(system) => debug_system(args, desk, &system, &exports, start),
            DebuggedModel::Model(model) => model::debug_model(args, desk, *model, &exports, start),
        }
    })
}

fn debug_system(
    args: &Debug,
    desk: SavedDesk<'_>,
    system: &LtsSubject,
    exports: &[Export],
    start: Instant,
) -> Result<Exit, Exit> {
    let asked = ask(args.target(), desk, system)?;
    let options = options(args, desk, system.lts())?;
    let trace = read_trace(args, desk)?;
    let analysis = desk.in_time(system.analyse(&asked, &options, desk.budget))?;
    let subject = DebugSubject {
        path: system.name(),
        language: "aut",
        behind: None,
        name: &asked.name,
        text: &asked.text,
        property: asked.path.as_deref(),
        place: asked.place,
    };
    let told = DebugTelling {
        start,
        exports,
        trace: trace.as_deref(),
        filter: &options.filter,
    };
    tell(args, desk, &subject, &analysis, &told)
}

/// What is debugged.
struct DebugSubject<'a> {
    path: &'a str,
    language: &'static str,
    behind: Option<view::Behind<'a>>,
    /// The name and the text of the property, and its line and column.
    name: &'a str,
    text: &'a str,
    place: Option<(usize, usize)>,
    /// The file it stands in, where that is not the file of the model.
    property: Option<&'a str>,
}

/// What is told, besides what the options say.
struct DebugTelling<'a> {
    start: Instant,
    exports: &'a [Export],
    trace: Option<&'a [String]>,
    filter: &'a Filter,
}

/// How a system is analysed.
fn options(args: &Debug, desk: SavedDesk<'_>, lts: &Lts) -> Result<tagged::AnalysisOptions, Exit> {
    Ok(tagged::AnalysisOptions {
        reading: args.asking.reading(),
        filter: filter(args, desk, lts)?,
    })
}

/// Tells an analysis.
fn tell(
    args: &Debug,
    desk: SavedDesk<'_>,
    subject: &DebugSubject<'_>,
    analysis: &Analysis<'_>,
    told: &DebugTelling<'_>,
) -> Result<Exit, Exit> {
    let mut exit = match analysis.outlook {
        tagged::AnalysisOutlook::Holds => Exit::Good,
        _ => Exit::Fails,
    };
    let found = find(args, desk, analysis, told.filter, told.trace)?;
    let kinds = told.filter.kinds.clone().unwrap_or_default();
    let command = command(args.target());
    let story = Story {
        path: subject.path,
        language: subject.language,
        behind: subject.behind,
        asked: view::AskedProperty {
            name: subject.name,
            text: subject.text,
            path: subject.property,
            place: subject.place,
            command: &command,
        },
        analysis,
        shown: match &found {
            FoundRuns::Course(which, course) => ShownGraph::Course(*which, course),
            FoundRuns::Missing(why) => ShownGraph::Missing(why.clone()),
            FoundRuns::Neighbourhood(nodes) => ShownGraph::Neighbourhood(nodes.clone()),
            FoundRuns::Groups => ShownGraph::Groups,
        },
        kinds: &kinds,
        seconds: args.stats.then(|| told.start.elapsed().as_secs_f64()),
    };
    print(args, desk, &story);
    if let Err(failure) = write(args, &story, told.exports) {
        desk.screen.say(&failure);
        exit = exit.max(Exit::Usage);
    }
    Ok(exit)
}

/// What is debugged: a system whose steps have labels, or a model that becomes one.
pub(crate) enum DebuggedModel {
    System(Box<LtsSubject>),
    Model(Box<ModelSubject>),
}

/// Opens what is debugged, in the language that it is in.
pub(crate) fn open(target: DebugTarget<'_>, desk: SavedDesk<'_>) -> Result<DebuggedModel, Exit> {
    let lts = LtsReading {
        internal: target.asking.internal.clone(),
        threads: target.asking.limits.threads.map(usize::from),
        reduce: target.asking.reduce.map(|reduce| match reduce {
            ReduceKind::TauA => Reduction::TauA,
            ReduceKind::Strong => Reduction::Strong,
            ReduceKind::WeakTrace => Reduction::WeakTrace,
        }),
    };
    let opening = Opening {
        lts,
        ..desk.opening.clone()
    };
    desk.budget.phase("reading the model");
    let opened = registry::open(Input::new(target.model), &opening, desk.budget);
    let opened = opened.and_then(|subject| {
        Ok(match subject.downcast::<LtsSubject>() {
            Ok(system) => DebuggedModel::System(Box::new(system)),
            Err(subject) => {
                // With bounds, an infinite-state model is its finite version.
                if opening.bounds.is_empty() {
                    require(&*subject, Capability::Debug)?;
                }
                DebuggedModel::Model(Box::new(subject.into_model(&opening, desk.budget)?))
            }
        })
    });
    opened.map_err(|error| {
        desk.screen
            .not_opened(target.model, "read", desk.color, &error)
    })
}

/// Reads the property, and tells what is wrong with it.
pub(crate) fn ask(
    target: DebugTarget<'_>,
    desk: SavedDesk<'_>,
    system: &LtsSubject,
) -> Result<DebugQuestion, Exit> {
    let source = match (
        target.property,
        &target.asking.formula,
        &target.asking.inevitable,
    ) {
        (Some(path), ..) => QuestionSource::File(path, target.asking.name.as_deref()),
        (None, Some(formula), _) => QuestionSource::Formula(formula),
        (None, None, actions) => QuestionSource::Inevitable(actions.as_deref().unwrap_or_default()),
    };
    let from_file = target.property.is_some();
    let error = match system.ask(&source, desk.budget) {
        Ok(asked) => {
            if !asked.warnings.is_empty() {
                let warnings = Rejected {
                    sources: asked.sources.clone(),
                    diagnostics: asked.warnings.clone(),
                };
                desk.screen.say(&warnings.render(desk.color));
            }
            return Ok(asked);
        }
        Err(error) => error,
    };
    Err(match error {
        AskError::Refused(Refusal::Rejected(rejected)) => {
            let exit = if from_file { Exit::Model } else { Exit::Usage };
            desk.screen.reject(&rejected, desk.color, exit)
        }
        AskError::Refused(stopped @ Refusal::Stopped(_)) => {
            let path = target.model;
            desk.screen
                .not_opened(path, "analysed", desk.color, &stopped)
        }
        AskError::Refused(refusal) => {
            let path = target.property.unwrap_or(target.model);
            desk.screen.not_opened(path, "read", desk.color, &refusal)
        }
        AskError::Name(None, _) => desk.refuse(&format!("{error}; choose one with -p")),
        AskError::Name(..) | AskError::Action(_) => {
            desk.refuse(&view::one_line(&error.to_string()))
        }
        AskError::Unfit(unfit) => {
            let mut words = vec![target.model.display().to_string()];
            words.extend(asked_by(target));
            let text = view::unfit_text(&unfit.name, &unfit.text, &unfit.why, &words);
            desk.screen.say(&text);
            Exit::Undecided
        }
    })
}

/// Which neighbourhoods and which runs are meant.
fn filter(args: &Debug, desk: SavedDesk<'_>, lts: &Lts) -> Result<Filter, Exit> {
    let kind = |name: &KindName| match name {
        KindName::Cn => NeighbourhoodKind::Cn,
        KindName::In => NeighbourhoodKind::In,
        KindName::Ci => NeighbourhoodKind::Ci,
        KindName::Cin => NeighbourhoodKind::Cin,
    };
    let kinds: Vec<NeighbourhoodKind> = args.which.kinds.iter().map(kind).collect();
    let pattern = args.which.pattern.as_ref();
    let pattern = pattern.map(|text| RunPattern::parse(text, lts)).transpose();
    Ok(Filter {
        kinds: (!kinds.is_empty()).then_some(kinds),
        pattern: pattern.map_err(|error| desk.refuse(&view::one_line(&error.message)))?,
    })
}

/// The labels of the trace that the user gives.
fn read_trace(args: &Debug, desk: SavedDesk<'_>) -> Result<Option<Vec<String>>, Exit> {
    let Some(path) = &args.which.trace else {
        return Ok(None);
    };
    let text = desk.text(path)?;
    let trace = tagged::parse_trace(&text).map_err(|error| {
        let error = view::one_line(&error.to_string());
        desk.screen
            .say(&format!("error: {}: {error}", terminal::shown(path)));
        Exit::Model
    });
    Ok(Some(trace?))
}

/// What is to be told.
enum FoundRuns {
    Course(Which, Course),
    Missing(String),
    Neighbourhood(Vec<tagged::NodeId>),
    Groups,
}

fn find(
    args: &Debug,
    desk: SavedDesk<'_>,
    analysis: &Analysis<'_>,
    filter: &Filter,
    trace: Option<&[String]>,
) -> Result<FoundRuns, Exit> {
    let (graph, which) = (&analysis.graph, &args.which);
    if graph.initial().is_none() {
        return Ok(FoundRuns::Missing(view::NO_COUNTEREXAMPLE.to_string()));
    }
    if which.neighbourhoods {
        return Ok(FoundRuns::Groups);
    }
    if let Some(state) = which.neighbourhood {
        let here = |node: &tagged::NodeId| {
            graph.pair(*node).state.index() == state && graph.kind(*node).is_some()
        };
        let nodes: Vec<_> = graph.nodes().filter(here).collect();
        return Ok(match nodes.is_empty() {
            true => FoundRuns::Missing(view::no_neighbourhood_at(graph, state)),
            false => FoundRuns::Neighbourhood(nodes),
        });
    }
    if let Some(texts) = trace {
        return Ok(
            match desk.in_time(tagged::given(graph, texts, desk.budget))? {
                Ok(course) => FoundRuns::Course(Which::Given, course),
                Err(misfit) => FoundRuns::Missing(format!("It is no counterexample: {misfit}.")),
            },
        );
    }
    if let Some(seed) = which.random {
        let course = desk.in_time(tagged::random(graph, seed, desk.budget))?;
        return Ok(match course {
            Some(course) => FoundRuns::Course(Which::Random(seed), course),
            None => FoundRuns::Missing(view::NO_COUNTEREXAMPLE.to_string()),
        });
    }
    if which.nearest {
        return Ok(
            match desk.in_time(tagged::nearest(graph, filter, desk.budget))? {
                Ok(nearest) => FoundRuns::Course(Which::Nearest, nearest.course),
                Err(unmatched) => {
                    FoundRuns::Missing(view::unmatched_text(filter, &unmatched, true))
                }
            },
        );
    }
    Ok(match (&analysis.shortest, &filter.pattern) {
        (Ok(shortest), None) => FoundRuns::Course(Which::Shortest, shortest.course.clone()),
        (Ok(shortest), Some(_)) => FoundRuns::Course(Which::Pattern, shortest.course.clone()),
        (Err(unmatched), _) => FoundRuns::Missing(view::unmatched_text(filter, unmatched, false)),
    })
}

/// The words of the command line that name the property.
fn asked_by(target: DebugTarget<'_>) -> Vec<String> {
    let mut words = Vec::new();
    words.extend(target.property.map(|path| path.display().to_string()));
    for (name, value) in [("-p", &target.asking.name), ("-e", &target.asking.formula)] {
        words.extend(
            value
                .iter()
                .flat_map(|value| [name.to_string(), value.clone()]),
        );
    }
    words
}

/// What the commands to try next repeat of the command line.
fn command(target: DebugTarget<'_>) -> Vec<String> {
    let mut words = asked_by(target);
    let asking = target.asking;
    let mut option = |name: &str, value: &Option<String>| {
        if let Some(value) = value {
            words.extend([name.to_string(), value.clone()]);
        }
    };
    option("--inevitable", &asking.inevitable);
    for label in &asking.internal {
        option("--internal", &Some(label.clone()));
    }
    let reduce = asking.reduce.map(|reduce| match reduce {
        ReduceKind::TauA => "tau-a",
        ReduceKind::Strong => "strong",
        ReduceKind::WeakTrace => "weak-trace",
    });
    option("--reduce", &reduce.map(str::to_string));
    let named = asking.actions != Naming::Auto;
    option("--actions", &named.then(|| asking.actions.to_string()));
    let engine = asking.engine != Engine::Auto;
    option("--engine", &engine.then(|| asking.engine.to_string()));
    let reading = asking
        .reading
        .filter(|reading| *reading == ReadingKind::Fate);
    option("--reading", &reading.map(|_| "fate".to_string()));
    words
}

fn print(args: &Debug, desk: SavedDesk<'_>, story: &Story<'_>) {
    if args.quiet {
        return;
    }
    desk.screen.print(&match args.format {
        Format::Json => view::json::document(story).render(),
        Format::Markdown => view::markdown::render(story),
        Format::Text => view::text::render(story, terminal::style(&args.asking.screen)),
    });
}

/// A file for the tagged graph, and how it is written there.
type Export = (PathBuf, GraphFormat);

/// How each file is to be written; told before anything is done.
fn exports(args: &Debug, desk: SavedDesk<'_>) -> Result<Vec<Export>, Exit> {
    let mut exports = Vec::new();
    for path in &args.export {
        let name = path.to_string_lossy();
        let files = export::files(&name).ok_or_else(|| {
            let endings = export::ENDINGS.iter().map(|(ending, ..)| *ending);
            let endings: Vec<&str> = [".csv"].into_iter().chain(endings).collect();
            desk.refuse(&format!(
                "{}: the end of the name does not say how to write; take {}",
                terminal::shown(path),
                endings.join(", ")
            ))
        })?;
        exports.extend(files.into_iter().map(|(file, format)| match file == name {
            true => (path.clone(), format),
            false => (PathBuf::from(file), format),
        }));
    }
    Ok(exports)
}

/// Writes what is to be written besides; the error is a message.
fn write(args: &Debug, story: &Story<'_>, exports: &[Export]) -> Result<(), String> {
    if let Some(path) = &args.json {
        writers::write(path, &view::json::document(story).render())?;
    }
    for (path, format) in exports {
        let written = File::create(path).and_then(|file| {
            let mut out = BufWriter::new(file);
            format.write(&TaggedGraph(&story.analysis.graph), &mut out)?;
            out.flush()
        });
        written.map_err(|error| {
            format!(
                "error: {} cannot be written: {error}",
                terminal::shown(path)
            )
        })?;
    }
    Ok(())
}
