//! Decides every command of a table of known verdicts, and compares.
//!
//! Usage: `oracle FOLDER [PART OF A PATH]`; the folder has a table `oracle.tsv` whose first columns are
//! path, number of the command, kind, label and result.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use wherefore_alloy::{Choices, Loaded, Lowered, Shape, load, lower_trace, scopes};
use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_relational::{Options, Search};
use wherefore_sat::Batsat;

fn read(folder: &str, path: &str) -> (SourceMap, Loaded) {
    let name = format!("{folder}/{path}");
    let text = std::fs::read_to_string(&name).unwrap_or_default();
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(&name, text));
    let mut find = |name: &str| {
        let base = name.rsplit('/').next().unwrap_or(name);
        let other = format!("{folder}/tcmc-modules/{base}");
        let read = |name: &str| std::fs::read_to_string(name).ok();
        read(name).or_else(|| read(&other))
    };
    let loaded = load(&mut sources, file, None, &mut find, &Budget::unlimited());
    (sources, loaded.expect("no limit"))
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_default();
    let filter = arguments.next().unwrap_or_default();
    let seconds = std::env::var("SECONDS_PER_ROW")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(20);
    let table = std::fs::read_to_string(format!("{folder}/oracle.tsv")).unwrap_or_default();
    let mut models: BTreeMap<String, (SourceMap, Loaded)> = BTreeMap::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [path, number, kind, label, expected, ..] = columns[..] else {
            continue;
        };
        let label = &label.strip_prefix('"').map_or(label.to_owned(), |label| {
            label
                .strip_suffix('"')
                .unwrap_or(label)
                .replace("\"\"", "\"")
        });
        if !path.contains(&filter) {
            continue;
        }
        let (sources, loaded) = models
            .entry(path.to_owned())
            .or_insert_with(|| read(&folder, path));
        let start = Instant::now();
        let found = decide(
            sources,
            loaded,
            number.parse().unwrap_or(usize::MAX),
            label,
            seconds,
        );
        let took = start.elapsed();
        let expected = expected.trim_matches('"');
        let agrees = match &found {
            Ok((found, _)) => *found == expected,
            Err(_) => expected.starts_with("ERROR"),
        };
        let verdict = if agrees {
            "agree"
        } else if found.as_ref().is_ok_and(|f| f.0 == "TIMEOUT") || expected == "TIMEOUT" {
            "undecided"
        } else {
            "DIFFER"
        };
        *counts.entry(verdict).or_default() += 1;
        let shown = match found {
            Ok((found, size)) => format!("{found} {size}"),
            Err(error) => format!("ERROR {error}"),
        };
        let expected: String = expected.chars().take(60).collect();
        println!("{verdict}\t{path}\t{number} {kind} {label}\t{expected}\t{shown}\t{took:.2?}");
    }
    println!("{counts:?}");
}

fn decide(
    sources: &SourceMap,
    loaded: &Loaded,
    number: usize,
    label: &str,
    seconds: u64,
) -> Result<(&'static str, String), String> {
    if let Some(error) = loaded.diagnostics.iter().find(|d| d.is_error()) {
        let place = error.span().map(|span| sources.place(span));
        return Err(format!("{} {place:?}", error.message));
    }
    let command = loaded.model.commands.get(number).ok_or("no such command")?;
    if command.label != label && !label.contains('$') {
        return Err(format!("the command is {}", command.label));
    }
    let choices = Choices::default();
    let scopes = scopes(&loaded.model, command, &[]).map_err(|d| d.message)?;
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    let mut last = ("UNSAT", String::new());
    for shape in Shape::all(&scopes) {
        let lowered =
            lower_trace(&loaded.model, command, &choices, shape).map_err(|d| d.message)?;
        last = solve(&lowered, &budget)?;
        if last.0 != "UNSAT" {
            break;
        }
    }
    Ok(last)
}

fn solve(lowered: &Lowered, budget: &Budget) -> Result<(&'static str, String), String> {
    let counting = std::env::var("COUNT").is_ok();
    let symmetry = std::env::var("SYMMETRY").ok().and_then(|s| s.parse().ok());
    let options = Options {
        symmetry: symmetry.unwrap_or(20),
        ..Options::default()
    };
    let search = Search::<Batsat>::new(&lowered.problem, &options, budget);
    let found = search.and_then(|mut search| {
        let size = format!("{:?}", search.size());
        let found = search.next(budget)?.is_some();
        let mut count = usize::from(found);
        while counting && count < 3000 && search.next(budget)?.is_some() {
            count += 1;
        }
        Ok((found, format!("{size} count {count}")))
    });
    match found {
        Ok((true, size)) => Ok(("SAT", size)),
        Ok((false, size)) => Ok(("UNSAT", size)),
        Err(wherefore_relational::Refusal::Stopped(_)) => Ok(("TIMEOUT", String::new())),
        Err(refusal) => Err(refusal.to_string()),
    }
}
