//! `wherefore query`: the tagged graph of a property is asked.

mod options;

use std::collections::BTreeMap;
use std::fmt::Write;

use wherefore_base::{Diagnostic, SourceFile, SourceMap};
use wherefore_driver::tagged::query::{
    self as asking, QueryAnswer, QueryGraph, QueryLimits, QueryValue, named,
};
use wherefore_driver::tagged::{self, Tagged};
use wherefore_driver::view::clean;
use wherefore_driver::view::query as view;
use wherefore_driver::{Rejected, Subject as _};

use crate::debug::{self, DebuggedModel};
use crate::exit::Exit;
use crate::saved::{SavedDesk, at_desk};
use crate::terminal;

pub(crate) use options::Query;
use options::QueryFormat;

/// Asks a tagged graph and returns the exit code.
pub(crate) fn query(args: &Query) -> Exit {
    at_desk(
        &args.asking.limits.effort(),
        &args.asking.screen,
        |desk| match args.list {
            true => {
                desk.screen.print(&list());
                Ok(Exit::Good)
            }
            false => ask(args, desk),
        },
    )
}

fn ask(args: &Query, desk: SavedDesk<'_>) -> Result<Exit, Exit> {
    let (target, rest) = args.target();
    let asking = target.asking;
    if target.property.is_none() && asking.formula.is_none() && asking.inevitable.is_none() {
        return Err(
            desk.refuse("no property is given: write the name of a file after the model, or -e")
        );
    }
    let work = read(args, desk, rest)?;
    let options = tagged::AnalysisOptions {
        reading: asking.reading(),
        ..tagged::AnalysisOptions::default()
    };
    match debug::open(target, desk)? {
        DebuggedModel::System(system) => {
            let asked = debug::ask(target, desk, &system)?;
            let tagged = desk.in_time(system.graph(&asked, &options, desk.budget))?;
            let subject = QuerySubject {
                path: system.name(),
                name: &asked.name,
                text: &asked.text,
            };
            answer(args, desk, &subject, &tagged, &work)
        }
        DebuggedModel::Model(model) => {
            let (session, property, made) = debug::tagged_model(target, desk, *model)?;
            let asked = &session.model().properties[property];
            let analysis = desk.in_time(made.analyse(&options, desk.budget))?;
            let subject = QuerySubject {
                path: &target.model.display().to_string(),
                name: &asked.name,
                text: &asked.text,
            };
            answer(args, desk, &subject, &analysis.graph, &work)
        }
    }
}

/// What the graph is about.
struct QuerySubject<'a> {
    path: &'a str,
    /// The name and the text of the property.
    name: &'a str,
    text: &'a str,
}

fn answer(
    args: &Query,
    desk: SavedDesk<'_>,
    subject: &QuerySubject<'_>,
    tagged: &Tagged<'_>,
    work: &QueryWork,
) -> Result<Exit, Exit> {
    if tagged.initial().is_none() {
        desk.screen.say(&format!(
            "note: the property `{}` holds, so there is no counterexample: the graph is empty",
            clean(subject.name)
        ));
    }
    desk.budget.phase("preparing the graph");
    let graph = desk.in_time(QueryGraph::new(tagged, desk.budget))?;
    desk.budget.phase("asking the graph");
    let answers = match work {
        QueryWork::Named(name, arguments) => {
            let answer = desk.in_time(named::ask(&graph, name, arguments, desk.budget))?;
            let answer = answer.map_err(|error| refuse(desk, &error))?;
            let text = format!("{name} {}", arguments.join(" "));
            vec![(text.trim().to_string(), None, answer)]
        }
        QueryWork::Texts(sources, queries) => run(args, desk, &graph, sources, queries)?,
    };
    print(args, desk, &graph, subject, &answers);
    let mut exit = Exit::Good;
    for (_, _, answer) in &answers {
        if let Some(why) = &answer.incomplete {
            desk.screen.say(&format!(
                "error: {why}; --max-rows and --max-steps allow more"
            ));
            exit = Exit::Undecided;
        }
    }
    Ok(exit)
}

/// What is asked.
enum QueryWork {
    Named(String, Vec<String>),
    Texts(SourceMap, Vec<asking::QueryText>),
}

/// A query as it was written, the comment before it, and its answer.
type Answered = (String, Option<String>, QueryAnswer);

fn read(args: &Query, desk: SavedDesk<'_>, rest: &[String]) -> Result<QueryWork, Exit> {
    if let Some(name) = &args.name {
        return Ok(QueryWork::Named(name.clone(), rest.to_vec()));
    }
    let mut sources = SourceMap::default();
    let file = match (&args.file, rest) {
        (Some(path), []) => {
            let text = desk.text(path)?;
            sources.add(SourceFile::new(terminal::shown(path), text))
        }
        (None, [text]) => sources.add(SourceFile::new("<query>", text.as_str())),
        (None, []) => {
            let message = "no query is given: write one after the property, or --file or --name";
            return Err(desk.refuse(message));
        }
        (_, [.., last]) => {
            let last = clean(last);
            return Err(desk.refuse(&format!("one query is expected; what is `{last}`?")));
        }
    };
    let mut parameters = BTreeMap::new();
    for parameter in &args.parameters {
        let Some((name, value)) = parameter.split_once('=') else {
            let parameter = clean(parameter);
            return Err(desk.refuse(&format!("`--param {parameter}` has no `=`")));
        };
        parameters.insert(name.to_string(), value_of(value));
    }
    let text = sources.file(file).text().to_string();
    match asking::parse(&text, file, &parameters) {
        Ok(queries) => Ok(QueryWork::Texts(sources, queries)),
        Err(error) => Err(reject(desk, &sources, vec![error])),
    }
}

/// The value of a parameter: what looks like a number is one.
fn value_of(text: &str) -> QueryValue {
    match text {
        "true" => QueryValue::Bool(true),
        "false" => QueryValue::Bool(false),
        "null" => QueryValue::Null,
        _ => text
            .parse()
            .map(QueryValue::Int)
            .unwrap_or_else(|_| QueryValue::Text(text.into())),
    }
}

fn run(
    args: &Query,
    desk: SavedDesk<'_>,
    graph: &QueryGraph<'_>,
    sources: &SourceMap,
    queries: &[asking::QueryText],
) -> Result<Vec<Answered>, Exit> {
    let limits = QueryLimits {
        rows: args.max_rows,
        steps: args.max_steps,
    };
    let mut answers = Vec::new();
    for query in queries {
        let answer = desk.in_time(query.run(graph, limits, desk.budget))?;
        let answer = answer.map_err(|error| reject(desk, sources, vec![error]))?;
        if !answer.hints.is_empty() {
            let warnings = Rejected {
                sources: sources.clone(),
                diagnostics: answer.hints.clone(),
            };
            desk.screen.say(&warnings.render(desk.color));
        }
        let text = sources.text(query.span()).to_string();
        answers.push((text, query.title().map(str::to_string), answer));
    }
    Ok(answers)
}

fn print(
    args: &Query,
    desk: SavedDesk<'_>,
    graph: &QueryGraph<'_>,
    subject: &QuerySubject<'_>,
    answers: &[Answered],
) {
    let several = answers.len() > 1;
    let mut out = String::new();
    match args.format {
        QueryFormat::Json => {
            let asked: Vec<view::AskedQuery<'_>> = (answers.iter())
                .map(|(text, title, answer)| view::AskedQuery {
                    text: text.clone(),
                    title: title.clone(),
                    answer,
                })
                .collect();
            let property = (subject.name, subject.text);
            out = view::document(graph, subject.path, property, &asked);
        }
        QueryFormat::Csv => {
            let tables: Vec<String> = (answers.iter())
                .map(|(_, _, answer)| view::csv(graph, answer))
                .collect();
            out = tables.join("\n");
        }
        QueryFormat::Text => {
            for (number, (_, title, answer)) in answers.iter().enumerate() {
                if several {
                    let gap = if number > 0 { "\n" } else { "" };
                    let title = title
                        .as_ref()
                        .map_or(String::new(), |title| format!(": {}", clean(title)));
                    let _ = writeln!(out, "{gap}Query {}{title}", number + 1);
                }
                out.push_str(&view::text(graph, answer, args.rows));
            }
        }
    }
    desk.screen.print(&out);
}

/// The queries with names.
fn list() -> String {
    let mut out = String::new();
    let heads = named::QUERIES.map(|query| format!("{} {}", query.name, query.argument));
    let width = heads.iter().map(String::len).max().unwrap_or(0);
    for (head, query) in heads.iter().zip(named::QUERIES) {
        let _ = writeln!(out, "{head:width$}  {}", query.about);
    }
    out
}

fn refuse(desk: SavedDesk<'_>, sentence: &str) -> Exit {
    desk.refuse(clean(sentence).trim_end_matches('.'))
}

fn reject(desk: SavedDesk<'_>, sources: &SourceMap, diagnostics: Vec<Diagnostic>) -> Exit {
    let rejected = Rejected {
        sources: sources.clone(),
        diagnostics,
    };
    desk.screen.reject(&rejected, desk.color, Exit::Usage)
}
