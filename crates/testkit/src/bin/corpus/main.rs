//! Compares our verdicts with those recorded for a folder of SMV models, and our analysis of labelled
//! transition systems with what is published of them.
//!
//! `corpus FOLDER` reads `FOLDER/smv/oracle.tsv` and every model it names. Each recorded verdict and
//! each recorded number of steps is compared with ours, by both engines as far as they get in their time;
//! evidence is replayed, and compared where both engines have it. Models that must be rejected are, at
//! the right line, and are accepted once mended. The run fails when a verdict differs, when evidence
//! does not replay, or when fewer properties or files could be run than before.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod lts;
mod negatives;
mod oracle;
mod run;
mod shipped;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use run::{FileReport, Limits, Outcome};

/// At least this many recorded properties are run.
const PROPERTIES: usize = 315;
/// They are in at least this many files.
const FILES: usize = 72;

/// So many labelled transition systems are compared.
const SYSTEMS: usize = 11;

const USAGE: &str = "usage: corpus FOLDER [--explicit-timeout SECONDS] [--bdd-timeout SECONDS] [--only PART-OF-NAME]";

struct Arguments {
    folder: PathBuf,
    limits: Limits,
    only: Option<String>,
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let folder = match arguments.folder.join("smv") {
        inner if inner.is_dir() => inner,
        _ => arguments.folder.clone(),
    };
    let recorded = match std::fs::read_to_string(folder.join("oracle.tsv")) {
        Ok(text) => oracle::read(&text),
        Err(error) => {
            eprintln!("{}: {error}", folder.join("oracle.tsv").display());
            return ExitCode::from(2);
        }
    };

    let start = Instant::now();
    let mut total = Total::default();
    let wanted = |name: &str| {
        arguments
            .only
            .as_ref()
            .is_none_or(|part| name.contains(part))
    };
    for (file, claims) in recorded.claims.iter().filter(|(file, _)| wanted(file)) {
        let report = run::file(&folder, file, claims, arguments.limits);
        println!("{}", report.line());
        for problem in &report.problems {
            println!("    WRONG: {problem}");
        }
        total.add(&report);
    }
    for file in recorded.rejected.iter().filter(|file| wanted(file)) {
        match negatives::check(&folder, file) {
            Ok(what) => println!("{file}: {what}"),
            Err(problem) => {
                println!("{file}:\n    WRONG: {problem}");
                total.problems += 1;
            }
        }
    }

    let systems = match arguments.folder.join("lts") {
        inner if inner.is_dir() => lts::compare(&inner, wanted),
        _ => (0, 0),
    };
    total.problems += systems.1;

    println!(
        "{} labelled transition systems analysed as published; {} problems",
        systems.0, systems.1
    );
    println!(
        "{} of {} recorded properties in {} of {} files run, {} of them by both engines; \
         {} evidences replayed; {} documented differences; {} problems; {:.0} s",
        total.run,
        total.recorded,
        total.files_run,
        total.files,
        total.by_both,
        total.evidences,
        total.differences,
        total.problems,
        start.elapsed().as_secs_f64(),
    );
    println!(
        "{} lassos of linear-time properties compared, none longer than recorded unless told; {} shorter",
        total.lassos.0, total.lassos.1
    );
    let enough = arguments.only.is_some()
        || (total.run >= PROPERTIES && total.files_run >= FILES && systems.0 == SYSTEMS);
    if !enough {
        println!(
            "WRONG: at least {PROPERTIES} properties in {FILES} files and {SYSTEMS} labelled \
             transition systems are expected to run"
        );
    }
    match total.problems == 0 && enough {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

#[derive(Default)]
struct Total {
    recorded: usize,
    run: usize,
    by_both: usize,
    files: usize,
    files_run: usize,
    evidences: usize,
    differences: usize,
    lassos: (usize, usize),
    problems: usize,
}

impl Total {
    fn add(&mut self, report: &FileReport) {
        let ran = |outcome: &&Outcome| !matches!(outcome, Outcome::Skipped(_));
        let run = report.outcomes.iter().filter(ran).count();
        let both = |outcome: &&Outcome| matches!(outcome, Outcome::Equal { engines: 2 });
        let differs = |outcome: &&Outcome| matches!(outcome, Outcome::Documented(_));
        self.recorded += report.outcomes.len();
        self.run += run;
        self.by_both += report.outcomes.iter().filter(both).count();
        self.files += 1;
        self.files_run += usize::from(run > 0);
        self.evidences += report.evidences;
        self.lassos.0 += report.lassos.0;
        self.lassos.1 += report.lassos.1;
        self.differences += report.outcomes.iter().filter(differs).count();
        self.problems += report.problems.len();
    }
}

fn arguments() -> Option<Arguments> {
    let mut folder = None;
    let mut limits = Limits::default();
    let mut only = None;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut seconds = || words.next()?.parse().ok().map(Duration::from_secs);
        match word.as_str() {
            "--explicit-timeout" => limits.explicit = seconds()?,
            "--bdd-timeout" => limits.symbolic = seconds()?,
            "--only" => only = Some(words.next()?),
            _ if word.starts_with('-') || folder.is_some() => return None,
            _ => folder = Some(PathBuf::from(word)),
        }
    }
    Some(Arguments {
        folder: folder?,
        limits,
        only,
    })
}
