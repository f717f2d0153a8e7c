//! Our time on the commands of a folder of Alloy models against what a peer needed.
//!
//! Every command is answered by a process of its own, with each solver, and says itself how much CPU time
//! went into clauses and into the answer; start-up and reading are left out, as they are for the peer.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use wherefore_acceptance::alloy::{AlloyFile, CommandVerdict, Decided, RecordedVerdict, rows};
use wherefore_base::Budget;
use wherefore_relational::SearchOptions;
use wherefore_sat::{Batsat, Strongest};

use crate::measure;
use crate::tools::Tools;

/// The first argument of this program when it answers a command for itself.
pub(crate) const ANSWER: &str = "--answer";

/// Times below this many milliseconds count as so many: they are mostly noise.
const LEAST: f64 = 10.0;
/// Rows on which the peer takes at least so many milliseconds must not be much slower.
const LONG: f64 = 100.0;
/// What much slower is.
const SLOWER: f64 = 2.0;
/// How fast a small model is to be answered, from the start of the program on, in seconds.
const AT_ONCE: f64 = 0.03;

const SOLVERS: [&str; 2] = ["cadical", "batsat"];

/// A command that was answered in a process of its own.
#[derive(Clone, Debug, Default, PartialEq)]
struct Answer {
    verdict: String,
    /// Milliseconds.
    translate: f64,
    solve: f64,
    primary: usize,
    variables: usize,
    clauses: usize,
    megabytes: f64,
}

impl Answer {
    fn time(&self) -> f64 {
        self.translate + self.solve
    }

    fn decided(&self) -> bool {
        matches!(self.verdict.as_str(), "sat" | "unsat")
    }
}

struct Measured {
    row: RecordedVerdict,
    /// What the peer needed, in milliseconds.
    theirs: f64,
    /// In the order of [`SOLVERS`].
    ours: [Answer; 2],
}

impl Measured {
    fn ratio(&self, solver: usize) -> f64 {
        match self.ours[solver].decided() {
            true => self.ours[solver].time().max(LEAST) / self.theirs.max(LEAST),
            false => f64::INFINITY,
        }
    }
}

/// Measures every command whose file has this part in its name, prints a table and a summary, and writes
/// the table to `alloy.tsv`.
pub(crate) fn run(tools: &Tools, folder: &Path, only: &str, out: &Path) -> io::Result<()> {
    let folder = match folder.join("alloy") {
        inner if inner.is_dir() => inner,
        _ => folder.to_path_buf(),
    };
    let Ok(table) = fs::read_to_string(folder.join("oracle.tsv")) else {
        println!("{} has no recorded commands.", folder.display());
        return Ok(());
    };
    println!(
        "{:<60} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} {:>15} {:>15} {:>6}",
        "command",
        "recorded",
        "translate",
        "solve",
        "batsat",
        "ratio",
        "answer",
        "variables",
        "clauses",
        "MB"
    );
    let mut all = Vec::new();
    for row in rows(&table) {
        let Some(theirs) = row.cpu.filter(|_| row.path.contains(only)) else {
            continue;
        };
        let path = folder.join(&row.path);
        let modules = folder.join("tcmc-modules");
        let mut ours = [Answer::default(), Answer::default()];
        for (answer, solver) in ours.iter_mut().zip(SOLVERS) {
            *answer = median(tools, &path, &modules, row.number, solver)?;
        }
        let measured = Measured { row, theirs, ours };
        println!("{}", measured.line());
        all.push(measured);
        fs::write(out.join("alloy.tsv"), tsv(&all))?;
    }
    println!("\n{}", summary(&all));
    whole(tools, &folder, &all)?;
    println!("The table is in {}.", out.join("alloy.tsv").display());
    Ok(())
}

/// The answer with the median time of several, if they are short.
fn median(
    tools: &Tools,
    path: &Path,
    modules: &Path,
    number: usize,
    solver: &str,
) -> io::Result<Answer> {
    let command: [OsString; 6] = [
        env::current_exe()?.into(),
        ANSWER.into(),
        path.into(),
        modules.into(),
        number.to_string().into(),
        solver.into(),
    ];
    let mut answers = Vec::new();
    while answers.is_empty() || (answers.len() < tools.runs && time_of(&answers) < 500.0) {
        let cost = measure::run(&command, &tools.output, tools.limit)?;
        let mut answer = parse(&fs::read_to_string(&tools.output)?);
        answer.megabytes = cost.megabytes;
        answers.push(answer);
    }
    answers.sort_by(|one, other| one.time().total_cmp(&other.time()));
    Ok(answers.swap_remove((answers.len() - 1) / 2))
}

fn time_of(answers: &[Answer]) -> f64 {
    answers.iter().map(Answer::time).sum()
}

/// The other side of [`run`]: `--answer FILE MODULES NUMBER SOLVER`.
pub(crate) fn answer(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    let mut line = || -> Option<String> {
        let (path, modules) = (words.next()?, words.next()?);
        let number = words.next()?.to_str()?.parse().ok()?;
        let solver = words.next()?;
        let budget = Budget::unlimited();
        let file = AlloyFile::read(Path::new(&path), Path::new(&modules), &budget).ok()?;
        let options = SearchOptions::default();
        let decided = match solver.to_str()? {
            "batsat" => file.decide::<Batsat>(number, &options, &budget, clock),
            _ => file.decide::<Strongest>(number, &options, &budget, clock),
        };
        Some(said(&decided))
    };
    let Some(line) = line() else {
        return ExitCode::FAILURE;
    };
    match writeln!(io::stdout(), "{line}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// CPU time of this process.
pub(crate) fn clock() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else {
        return Duration::ZERO;
    };
    let span = |time: TimeVal| {
        let micros = u64::try_from(time.num_microseconds());
        Duration::from_micros(micros.unwrap_or(0))
    };
    span(usage.user_time()) + span(usage.system_time())
}

fn said(decided: &Decided) -> String {
    let verdict = match &decided.verdict {
        CommandVerdict::Sat => "sat",
        CommandVerdict::Unsat => "unsat",
        CommandVerdict::Stopped => "stopped",
        CommandVerdict::Refused(..) => "refused",
    };
    let size = decided.size;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    format!(
        "{verdict} {} {} {} {} {}",
        milliseconds(decided.translate),
        milliseconds(decided.solve),
        size.primary,
        size.variables,
        size.clauses
    )
}

/// What [`said`] wrote; a process that was ended said nothing.
fn parse(line: &str) -> Answer {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [verdict, translate, solve, primary, variables, clauses] = words[..] else {
        return Answer {
            verdict: "ended".to_string(),
            ..Answer::default()
        };
    };
    Answer {
        verdict: verdict.to_string(),
        translate: translate.parse().unwrap_or(f64::NAN),
        solve: solve.parse().unwrap_or(f64::NAN),
        primary: primary.parse().unwrap_or(0),
        variables: variables.parse().unwrap_or(0),
        clauses: clauses.parse().unwrap_or(0),
        megabytes: 0.0,
    }
}

impl Measured {
    fn line(&self) -> String {
        let [cadical, batsat] = &self.ours;
        let beside = |ours: usize, theirs: Option<usize>| {
            let theirs = theirs.map_or("-".to_string(), |count| count.to_string());
            format!("{ours}/{theirs}")
        };
        format!(
            "{:<60} {:>9.0} {:>9.1} {:>9.1} {:>9.1} {:>9.2} {:>7} {:>15} {:>15} {:>6.0}",
            format!("{} {}", self.row.path, self.row.number),
            self.theirs,
            cadical.translate,
            cadical.solve,
            batsat.time(),
            self.ratio(0),
            cadical.verdict,
            beside(cadical.variables, self.row.size[1]),
            beside(cadical.clauses, self.row.size[2]),
            cadical.megabytes,
        )
    }
}

fn tsv(all: &[Measured]) -> String {
    let mut text = String::from("path\tcmd\tlabel\trecorded_ms\ttheir_variables\ttheir_clauses");
    for solver in SOLVERS {
        for column in [
            "answer",
            "translate_ms",
            "solve_ms",
            "primary",
            "variables",
            "clauses",
            "mb",
            "ratio",
        ] {
            let _ = write!(text, "\t{solver}_{column}");
        }
    }
    text.push('\n');
    for measured in all {
        let row = &measured.row;
        let known = |count: Option<usize>| count.map_or(String::new(), |count| count.to_string());
        let _ = write!(
            text,
            "{}\t{}\t{}\t{}\t{}\t{}",
            row.path,
            row.number,
            row.label,
            measured.theirs,
            known(row.size[1]),
            known(row.size[2])
        );
        for (place, answer) in measured.ours.iter().enumerate() {
            let _ = write!(
                text,
                "\t{}\t{:.2}\t{:.2}\t{}\t{}\t{}\t{:.1}\t{:.3}",
                answer.verdict,
                answer.translate,
                answer.solve,
                answer.primary,
                answer.variables,
                answer.clauses,
                answer.megabytes,
                measured.ratio(place)
            );
        }
        text.push('\n');
    }
    text
}

/// What the rows come to, in sentences.
fn summary(all: &[Measured]) -> String {
    let mut lines = Vec::new();
    for (place, solver) in SOLVERS.into_iter().enumerate() {
        let decided: Vec<&Measured> = all.iter().filter(|m| m.ours[place].decided()).collect();
        let logs: f64 = decided.iter().map(|m| m.ratio(place).ln()).sum();
        let mean = (logs / decided.len().max(1) as f64).exp();
        let long = || all.iter().filter(|m| m.theirs >= LONG);
        let slow = |m: &&Measured| m.ratio(place) > SLOWER;
        let largest = all.iter().map(|m| m.ours[place].megabytes);
        lines.push(format!(
            "{solver}: {} of {} commands answered, {:.1} times faster in the geometric mean; {} of {} rows \
             above {:.1} s more than {SLOWER} times slower; at most {:.0} MB",
            decided.len(),
            all.len(),
            1.0 / mean,
            long().filter(slow).count(),
            long().count(),
            LONG / 1e3,
            largest.fold(0.0, f64::max),
        ));
        let ratio = |m: &Measured| format!("{:>9.2}", m.ratio(place));
        let slow = long().filter(slow);
        lines.extend(slow.map(|m| format!("  {} {} {}", ratio(m), m.row.path, m.row.number)));
    }
    lines.join("\n")
}

/// Whole runs of the program on the small models of the book, from its start to the answer.
fn whole(tools: &Tools, folder: &Path, all: &[Measured]) -> io::Result<()> {
    if !tools.wherefore.exists() {
        return Ok(());
    }
    let mut files: Vec<&str> = Vec::new();
    for measured in all.iter().filter(|m| m.row.path.contains("/book/")) {
        let path = measured.row.path.as_str();
        let small = |m: &&Measured| m.row.path == path && m.theirs >= LONG;
        if !files.contains(&path) && !all.iter().any(|m| small(&m)) {
            files.push(path);
        }
    }
    let mut times = Vec::new();
    for file in files {
        let command: [OsString; 3] = [
            tools.wherefore.clone().into(),
            "check".into(),
            folder.join(file).into(),
        ];
        let cost = measure::repeat(&command, &tools.output, tools.limit, tools.runs)?;
        if matches!(cost.code, Some(0 | 1)) {
            times.push((cost.cpu, file));
        }
    }
    times.sort_by(|one, other| other.0.total_cmp(&one.0));
    let Some(slowest) = times.first() else {
        return Ok(());
    };
    println!(
        "whole runs of small models of the book: {} of {} below {AT_ONCE} s; the slowest {} takes {:.3} s",
        times.iter().filter(|(time, _)| *time < AT_ONCE).count(),
        times.len(),
        slowest.1,
        slowest.0
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(theirs: f64, ours: f64) -> Measured {
        let answer = parse(&format!("sat {ours} 0 1 2 3"));
        let row = "a.als\t0\trun\tshow\tSAT\t1\t4\t1\t1\tfor 3\t-1\t3\t1\t1";
        Measured {
            row: rows(&format!("head\n{row}\n")).remove(0),
            theirs,
            ours: [answer, parse("")],
        }
    }

    #[test]
    fn the_summary_counts_what_the_bounds_ask_for() {
        let all = [measured(100.0, 300.0), measured(270.0, 1.0)];
        let summary = summary(&all);
        assert!(summary.contains("cadical: 2 of 2 commands answered, 3.0 times faster"));
        assert!(summary.contains("1 of 2 rows above 0.1 s more than 2 times slower"));
        assert!(summary.contains("batsat: 0 of 2 commands answered"));
        assert!(
            tsv(&all).contains("a.als\t0\tshow\t270\t3\t4\tsat\t1.00\t0.00\t1\t2\t3\t0.0\t0.037")
        );
    }
}
