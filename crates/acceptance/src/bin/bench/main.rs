//! How fast we are: against what a peer needed for a folder of models, and as models grow.
//!
//! `bench corpus FOLDER` runs every model of `FOLDER/smv/oracle.tsv` that the peer finished and compares
//! CPU seconds; `bench alloy FOLDER` does so for every command of `FOLDER/alloy/oracle.tsv`. `bench growth` runs families of models that it writes itself, size by size, and draws
//! time and memory. `bench smt` asks SMT solvers about infinite-state models, and `bench tcmc [FOLDER]` the rows of two published tables about
//! transition systems in Alloy. NuSMV is run beside us where it is on the search path. `docs/benchmarks.md` says how
//! to read what it prints.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod against;
mod alloy;
mod chart;
mod growth;
mod measure;
mod models;
mod recorded;
mod smt;
mod smt_models;
mod tcmc;
mod tcmc_rows;
mod tools;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use tools::{Tools, Way};

const USAGE: &str = "\
usage: bench corpus FOLDER [OPTION]...
       bench alloy FOLDER [OPTION]...
       bench growth [OPTION]...
       bench smt [OPTION]...
       bench tcmc [FOLDER] [OPTION]...
  --limit SECONDS     the CPU time of a run (60)
  --only PART         only files or families with this in their names
  --ways LIST         of auto,explicit,bdd,vacuity (all)
  --runs N            how often short runs are repeated; the median counts (3)
  --wherefore FILE    the program to measure (the one beside this one)
  --out FOLDER        where tables and pictures go (target/bench)";

/// What is measured.
enum Task {
    /// Models of a folder, against what a peer needed.
    Corpus(PathBuf),
    /// Commands of Alloy models of a folder, against what a peer needed.
    Alloy(PathBuf),
    /// Families of models as they grow.
    Growth,
    /// Infinite-state models.
    Smt,
    /// Published tables about transition systems in Alloy, with the authors' models if a folder has them.
    Tcmc(Option<PathBuf>),
}

struct Arguments {
    task: Task,
    only: String,
    out: PathBuf,
    tools: Tools,
}

fn main() -> ExitCode {
    let mut words = env::args_os().skip(1);
    let inner: Option<fn(_) -> ExitCode> = match env::args_os().nth(1) {
        Some(word) if word == measure::WATCH => Some(measure::watch),
        Some(word) if word == alloy::ANSWER => Some(alloy::answer),
        Some(word) if word == tcmc::ASK => Some(tcmc::answer),
        _ => None,
    };
    if let Some(inner) = inner {
        words.next();
        return inner(words);
    }
    let Some(arguments) = arguments(words) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let Arguments {
        task,
        only,
        out,
        tools,
    } = &arguments;
    let done = fs::create_dir_all(out).and_then(|()| match task {
        Task::Corpus(folder) => against::run(tools, folder, only, out),
        Task::Alloy(folder) => alloy::run(tools, folder, only, out),
        Task::Growth => growth::run(tools, only, out),
        Task::Smt => smt::run(tools, only, out),
        Task::Tcmc(folder) => tcmc::run(tools, folder.as_deref(), only, out),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn arguments(words: impl Iterator<Item = OsString>) -> Option<Arguments> {
    let mut words = words.peekable();
    let task = match words.next()?.to_str()? {
        "corpus" => Task::Corpus(PathBuf::from(words.next()?)),
        "alloy" => Task::Alloy(PathBuf::from(words.next()?)),
        "growth" => Task::Growth,
        "smt" => Task::Smt,
        "tcmc" => Task::Tcmc(words.next_if(|word| !is_option(word)).map(PathBuf::from)),
        _ => return None,
    };
    let beside = env::current_exe().ok()?.with_file_name("wherefore");
    let mut out = PathBuf::from("target/bench");
    let mut only = String::new();
    let mut tools = Tools {
        wherefore: beside,
        peer: tools::installed_peer(),
        limit: Duration::from_secs(60),
        runs: 3,
        ways: Way::ALL.to_vec(),
        output: PathBuf::new(),
    };
    while let Some(word) = words.next() {
        let value = words.next()?;
        match word.to_str()? {
            "--limit" => tools.limit = Duration::from_secs(value.to_str()?.parse().ok()?),
            "--only" => only = value.into_string().ok()?,
            "--ways" => tools.ways = value.to_str()?.split(',').map(way).collect::<Option<_>>()?,
            "--runs" => tools.runs = value.to_str()?.parse().ok()?,
            "--wherefore" => tools.wherefore = value.into(),
            "--out" => out = value.into(),
            _ => return None,
        }
    }
    tools.output = out.join("output.txt");
    Some(Arguments {
        task,
        only,
        out,
        tools,
    })
}

fn is_option(word: &OsString) -> bool {
    word.to_str().is_some_and(|word| word.starts_with("--"))
}

fn way(name: &str) -> Option<Way> {
    Way::ALL.into_iter().find(|way| way.name() == name)
}
