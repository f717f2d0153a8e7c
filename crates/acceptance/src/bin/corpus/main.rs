//! Compares our verdicts with those recorded for a folder of SMV models and of Alloy models, and our
//! analysis of labelled transition systems with what is published of them.
//!
//! `corpus FOLDER` reads `FOLDER/smv/oracle.tsv` and every model it names. Each recorded verdict and
//! each recorded number of steps is compared with ours, by both engines as far as they get in their time and by
//! the program as it chooses itself;
//! evidence is replayed, and compared where both engines have it; a path or lasso is no longer than the
//! shortest recorded one. What is not decided is listed with the reason. `--open` tries the models of
//! which nothing is recorded. Models that must be rejected are, at
//! the right line, and are accepted once mended. The run fails when a verdict differs, when evidence
//! does not replay, or when fewer properties or files could be run than before.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod alloy;
mod lts;
mod negatives;
mod oracle;
mod run;
mod shipped;
mod smt;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use oracle::Claim;
use run::{FileReport, Limits, Outcome};
use wherefore_model::PropertyKind;
use wherefore_smv::SmvDialect;

/// At least this many recorded properties are run.
const PROPERTIES: usize = 486;
/// They are in at least this many files.
const FILES: usize = 89;

/// So many labelled transition systems are compared.
const SYSTEMS: usize = 11;

const USAGE: &str = "usage: corpus FOLDER [--explicit-timeout SECONDS] [--bdd-timeout SECONDS] [--auto-timeout SECONDS] [--sat-timeout SECONDS] [--alloy-timeout SECONDS] [--only PART-OF-NAME] [--open]";

struct Arguments {
    folder: PathBuf,
    limits: Limits,
    alloy: Duration,
    only: Option<String>,
    open: bool,
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
    let wanted = |name: &str| {
        arguments
            .only
            .as_ref()
            .is_none_or(|part| name.contains(part))
    };
    let mut total = compare_smv(&arguments, &folder, &recorded, wanted);
    let systems = match arguments.folder.join("lts") {
        inner if inner.is_dir() => lts::compare(&inner, wanted),
        _ => (0, 0),
    };
    total.problems += systems.1;
    let commands = match arguments.folder.join("alloy") {
        inner if inner.is_dir() => alloy::compare(&inner, wanted, arguments.alloy),
        _ => alloy::Total::default(),
    };
    total.problems += commands.problems;
    let infinite = match arguments.folder.join("smt") {
        inner if inner.is_dir() => smt::compare(&inner, wanted),
        _ => smt::Total::default(),
    };
    total.problems += infinite.problems;

    println!("{}", infinite.line());
    println!("{}", commands.line());
    println!(
        "{} labelled transition systems analysed as published; {} problems",
        systems.0, systems.1
    );
    total.print(start.elapsed());
    for undecided in total.undecided.iter().chain(commands.undecided()) {
        println!("not decided: {undecided}");
    }
    let fewer = commands.shortfall().filter(|_| arguments.only.is_none());
    if let Some(expected) = &fewer {
        println!("WRONG: {expected}");
    }
    let enough = arguments.only.is_some()
        || (total.run >= PROPERTIES && total.files_run >= FILES && systems.0 == SYSTEMS);
    if !enough {
        println!(
            "WRONG: at least {PROPERTIES} properties in {FILES} files and {SYSTEMS} labelled \
             transition systems are expected to run"
        );
    }
    if total.problems == 0 && enough && fewer.is_none() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Compares what is recorded for SMV models.
fn compare_smv(
    arguments: &Arguments,
    folder: &Path,
    recorded: &oracle::Oracle,
    wanted: impl Fn(&str) -> bool,
) -> Total {
    let mut total = Total::default();
    for (file, claims) in recorded.claims.iter().filter(|(file, _)| wanted(file)) {
        let dialect = match recorded.old.contains(file) {
            true => SmvDialect::Old,
            false => SmvDialect::New,
        };
        let report = run::file(folder, file, dialect, claims, arguments.limits);
        println!("{}", report.line());
        for problem in &report.problems {
            println!("    WRONG: {problem}");
        }
        total.add(file, claims, &report);
    }
    let open = recorded.open.iter().filter(|file| wanted(file));
    for file in open.filter(|_| arguments.open) {
        println!("{file}: nothing is recorded");
        for line in run::open(folder, file, arguments.limits) {
            println!("    {line}");
        }
    }
    for file in recorded.rejected.iter().filter(|file| wanted(file)) {
        match negatives::check(folder, file) {
            Ok(what) => println!("{file}: {what}"),
            Err(problem) => {
                println!("{file}:\n    WRONG: {problem}");
                total.problems += 1;
            }
        }
    }
    total
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
    lengths: (usize, usize),
    /// How many of them are decided, and how many there are.
    properties: (usize, usize),
    numbers: (usize, usize),
    undecided: Vec<String>,
    problems: usize,
}

impl Total {
    /// Prints what the comparison of SMV models came to.
    fn print(&self, elapsed: Duration) {
        println!(
            "{} of {} recorded properties in {} of {} files run, {} of them by both engines; \
             {} evidences replayed; {} documented differences; {} problems; {:.0} s",
            self.run,
            self.recorded,
            self.files_run,
            self.files,
            self.by_both,
            self.evidences,
            self.differences,
            self.problems,
            elapsed.as_secs_f64(),
        );
        println!(
            "{} paths and lassos compared, none longer than recorded unless told; {} shorter",
            self.lengths.0, self.lengths.1
        );
        for (what, (run, all)) in [
            (
                "properties of CTL, LTL, INVARSPEC and PSLSPEC",
                self.properties,
            ),
            ("numbers of steps", self.numbers),
        ] {
            println!("{run} of {all} {what} decided");
        }
    }

    fn add(&mut self, file: &str, claims: &[Claim], report: &FileReport) {
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
        self.lengths.0 += report.lengths.0;
        self.lengths.1 += report.lengths.1;
        for (claim, outcome) in claims.iter().zip(&report.outcomes) {
            let counted = match claim.kind {
                Some(PropertyKind::Compute) => &mut self.numbers,
                Some(_) => &mut self.properties,
                None => continue,
            };
            counted.0 += usize::from(ran(&outcome));
            counted.1 += 1;
        }
        let undecided = report.undecided.iter();
        self.undecided
            .extend(undecided.map(|what| format!("{file}: {what}")));
        self.differences += report.outcomes.iter().filter(differs).count();
        self.problems += report.problems.len();
    }
}

fn arguments() -> Option<Arguments> {
    let mut folder = None;
    let mut limits = Limits::default();
    let mut alloy = Duration::from_secs(60);
    let mut only = None;
    let mut open = false;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut seconds = || words.next()?.parse().ok().map(Duration::from_secs);
        match word.as_str() {
            "--explicit-timeout" => limits.explicit = seconds()?,
            "--bdd-timeout" => limits.symbolic = seconds()?,
            "--auto-timeout" => limits.auto = seconds()?,
            "--sat-timeout" => limits.sat = seconds()?,
            "--alloy-timeout" => alloy = seconds()?,
            "--only" => only = Some(words.next()?),
            "--open" => open = true,
            _ if word.starts_with('-') || folder.is_some() => return None,
            _ => folder = Some(PathBuf::from(word)),
        }
    }
    Some(Arguments {
        folder: folder?,
        limits,
        alloy,
        only,
        open,
    })
}
