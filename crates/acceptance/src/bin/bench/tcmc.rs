//! Transition systems in Alloy, beside what was published and measured for them.
//!
//! Every row of Table 1 of Farheen, Day, Vakili and Abbassi (2020) and of Table I of Kember, Tran, Gao and Day
//! (2019) is asked at its scope size, the sum of the scopes of all signatures that have one. Where the authors'
//! model is in the folder, it is that model; otherwise, and where it is lost, ours. Each command is answered by a process of
//! its own, which says how much CPU time it took, reading included: for the answer alone, with the parts that it rests on, and with the smallest
//! run. After that come complete systems, whole runs of the program.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use wherefore_base::Budget;
use wherefore_driver::subjects::alloy::{
    AlloyOptions, AlloySubject, AnswerExtent, CommandOutcome, Hitch, LoweringOptions, NoExcerpt,
    Override,
};

use crate::alloy::clock;
use crate::measure;
use crate::tcmc_rows::{COMPLETE, ROWS, Row, SOURCES, Source};
use crate::tools::Tools;

/// The first argument of this program when it answers a command for itself.
pub(crate) const ASK: &str = "--ask";

/// What a command came to in a process of its own.
#[derive(Clone, Debug, Default, PartialEq)]
struct Asked {
    /// What was found: an instance or none; with a run, what it looks like.
    what: String,
    /// Seconds.
    cpu: f64,
}

impl Asked {
    fn known(&self) -> Option<f64> {
        (!self.what.is_empty()).then_some(self.cpu)
    }

    fn text(&self) -> String {
        match self.known() {
            Some(cpu) => format!("{cpu:.3}"),
            None => "-".to_string(),
        }
    }
}

/// Measures every row whose model or property has this part in its name, prints the tables, and writes them to
/// `tcmc.tsv`.
pub(crate) fn run(tools: &Tools, folder: Option<&Path>, only: &str, out: &Path) -> io::Result<()> {
    let mut table = String::from(
        "table\tmodel\twhose\tproperty\tsize\tpublished_s\tpeer_s\tcheck_s\trests_on_s\trun_s\trun\n",
    );
    let mut before = "";
    for row in ROWS {
        let source = &SOURCES[row.source];
        if !format!("{} {}", source.name, row.property).contains(only) {
            continue;
        }
        if before != row.table {
            before = row.table;
            println!("\n{before}");
            println!("{}", head());
        }
        let (whose, file) = written(source, row.failing, folder, out)?;
        let Some(command) = source.command(whose, row.property) else {
            continue;
        };
        let ask = |mode: &str| ask(tools, &file, mode, command, &source.scopes(whose, row.size));
        let check = ask("check")?;
        let core = match row.failing {
            false => ask("why")?,
            true => Asked::default(),
        };
        let run = match row.failing {
            true => ask("run")?,
            false => Asked::default(),
        };
        println!("{}", line(row, source, whose, &check, &core, &run));
        let _ = writeln!(
            table,
            "{}\t{}\t{whose}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            row.table,
            source.name,
            row.property,
            row.size,
            row.published,
            known(row.peer),
            check.text(),
            core.text(),
            run.text(),
            run.what
        );
        fs::write(out.join("tcmc.tsv"), &table)?;
    }
    complete(tools, folder, only, out)?;
    println!("\nThe table is in {}.", out.join("tcmc.tsv").display());
    Ok(())
}

fn head() -> String {
    format!(
        "{:<22} {:<7} {:<20} {:>3} {:>10} {:>8} {:>8} {:>9} {:>8} {:>7}  {}",
        "model",
        "whose",
        "property",
        "SS",
        "published",
        "peer s",
        "check s",
        "rests s",
        "run s",
        "ratio",
        "answer"
    )
}

fn line(
    row: &Row,
    source: &Source,
    whose: &str,
    check: &Asked,
    core: &Asked,
    run: &Asked,
) -> String {
    // Against the program that was measured on the same kind of machine, for the whole answer; of a run, what it
    // takes beside the check alone.
    let whole = core.known().or(check.known());
    let ratio = match (row.peer, whole) {
        (Some(peer), Some(ours)) => format!("{:.1}", peer / ours.max(0.001)),
        _ => match (check.known(), run.known()) {
            (Some(check), Some(run)) => format!("{:.1}x", run / check.max(0.001)),
            _ => String::new(),
        },
    };
    let what = match run.what.as_str() {
        "" => check.what.as_str(),
        what => what,
    };
    format!(
        "{:<22} {whose:<7} {:<20} {:>3} {:>10} {:>8} {:>8} {:>9} {:>8} {ratio:>7}  {what}",
        source.name,
        row.property,
        row.size,
        row.published,
        known(row.peer),
        check.text(),
        core.text(),
        run.text(),
    )
}

fn known(seconds: Option<f64>) -> String {
    seconds.map_or("-".to_string(), |seconds| format!("{seconds:.3}"))
}

/// The model of a source in a file of its own, with what its rows need, and whose it is.
fn written(
    source: &Source,
    failing: bool,
    folder: Option<&Path>,
    out: &Path,
) -> io::Result<(&'static str, PathBuf)> {
    let theirs = folder.zip(source.theirs).filter(|_| !failing);
    let theirs = theirs.and_then(|(folder, name)| {
        let inner = ["alloy/tcmc", "tcmc", "."].map(|inner| folder.join(inner).join(name));
        inner.iter().find_map(|path| fs::read_to_string(path).ok())
    });
    let (whose, text) = match theirs {
        // What the model itself says how to switch on.
        Some(text) => (
            "theirs",
            text.replace("--fact { totalityAxiom }", "fact { totalityAxiom }"),
        ),
        None => ("ours", format!("{}\n{}", source.ours, source.more)),
    };
    let file = out.join(format!("{whose}-{}.als", source.name.replace(' ', "-")));
    fs::write(&file, text)?;
    Ok((whose, file))
}

/// Asks in a process of its own; the median of several, if they are short.
fn ask(
    tools: &Tools,
    file: &Path,
    mode: &str,
    command: &str,
    scopes: &[(&str, usize)],
) -> io::Result<Asked> {
    let mut words: Vec<OsString> = vec![env::current_exe()?.into(), ASK.into(), mode.into()];
    words.extend([file.into(), command.into()]);
    words.extend(scopes.iter().map(|(sig, n)| format!("{sig}={n}").into()));
    let mut all: Vec<Asked> = Vec::new();
    while all.is_empty() || (all.len() < tools.runs && all.iter().map(|a| a.cpu).sum::<f64>() < 0.5)
    {
        measure::run(&words, &tools.output, tools.limit)?;
        all.push(parse(&fs::read_to_string(&tools.output)?));
    }
    all.sort_by(|one, other| one.cpu.total_cmp(&other.cpu));
    Ok(all.swap_remove((all.len() - 1) / 2))
}

/// What [`answer`] wrote; a process that was ended wrote nothing.
fn parse(line: &str) -> Asked {
    match line.trim().split_once(' ') {
        Some((cpu, what)) => Asked {
            what: what.to_string(),
            cpu: cpu.parse().unwrap_or(f64::NAN),
        },
        None => Asked::default(),
    }
}

/// The other side of [`ask`]: `--ask MODE FILE COMMAND SIG=N...`.
pub(crate) fn answer(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    let mut line = || -> Option<String> {
        let mode = words.next()?.into_string().ok()?;
        let file = PathBuf::from(words.next()?);
        let command = words.next()?.into_string().ok()?;
        let scopes = words.by_ref().map(|word| {
            let word = word.into_string().ok()?;
            let (name, number) = word.split_once('=')?;
            Some(Override {
                name: name.to_string(),
                number: number.parse().ok()?,
                exactly: true,
            })
        });
        let budget = Budget::unlimited();
        let session = AlloySubject::open(&file, None, &budget).ok()?;
        let choices = AlloyOptions {
            lowering: LoweringOptions {
                scopes: scopes.collect::<Option<_>>()?,
                ..LoweringOptions::default()
            },
            why: mode == "why",
            reach: AnswerExtent::Scoped,
            ..AlloyOptions::default()
        };
        let command = session.command(&command)?;
        let what = match mode.as_str() {
            "run" => taken_out(&session, command, &choices, &budget)?,
            _ => {
                let answer = session.answer(command, &choices, &budget);
                let follows = answer.reach.is_some_and(|reach| reach.follows);
                match answer.outcome {
                    CommandOutcome::Found { .. } => "an instance".to_string(),
                    CommandOutcome::Nothing if follows => "none, from all states".to_string(),
                    CommandOutcome::Nothing => "none".to_string(),
                    _ => return None,
                }
            }
        };
        Some(format!("{} {what}", clock().as_secs_f64()))
    };
    let Some(line) = line() else {
        return ExitCode::FAILURE;
    };
    match writeln!(io::stdout(), "{line}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// The smallest run that shows an answer.
fn taken_out(
    session: &AlloySubject,
    command: usize,
    choices: &AlloyOptions,
    budget: &Budget,
) -> Option<String> {
    let question = session.question(command, choices).ok()?;
    let found = match question.instances().next(budget) {
        Ok(Some(found)) => found,
        Ok(None) => return Some("no run".to_string()),
        Err(_) => return None,
    };
    Some(match session.excerpt(&question, &found, budget) {
        Ok(excerpt) => format!("{} of {} states", excerpt.shown().form, excerpt.states),
        Err(NoExcerpt::Hitch(Hitch::Stopped(_))) => return None,
        Err(_) => "no run".to_string(),
    })
}

/// Complete systems: whole runs of the program.
fn complete(tools: &Tools, folder: Option<&Path>, only: &str, out: &Path) -> io::Result<()> {
    println!("\nComplete systems, all commands, the whole program");
    println!(
        "{:<22} {:<7} {:<24} {:>9} {:>7} {:>14}  states",
        "model", "whose", "scopes", "CPU s", "MB", "NuSMV s"
    );
    for row in COMPLETE {
        let source = &SOURCES[row.source];
        if !source.name.contains(only) {
            continue;
        }
        let (whose, file) = written_as_is(source, folder, out)?;
        let scopes = source.others(whose, row.size);
        let mut words: Vec<OsString> = vec![tools.wherefore.clone().into(), "check".into()];
        words.push(file.into());
        words.extend(["--reach".into(), "complete".into()]);
        for (sig, number) in &scopes {
            words.extend(["--scope".into(), format!("{sig}=exactly:{number}").into()]);
        }
        // The atoms are counted in the model: without a bit more than they need, none of the numbers would do.
        let bits = (row.size.max(1).ilog2() + 2).max(4);
        words.extend(["--scope".into(), format!("Int={bits}").into()]);
        let cost = measure::repeat(&words, &tools.output, tools.limit, tools.runs)?;
        let text = fs::read_to_string(&tools.output)?;
        let states = text.lines().nth(1).unwrap_or_default();
        let states = match cost.code {
            Some(0 | 1) => states,
            _ => "no answer",
        };
        let scopes: Vec<String> = scopes.iter().map(|(sig, n)| format!("{n} {sig}")).collect();
        println!(
            "{:<22} {whose:<7} {:<24} {:>9.3} {:>7.0} {:>14}  {states}",
            source.name,
            scopes.join(", "),
            cost.cpu,
            cost.megabytes,
            known(row.peer)
        );
    }
    Ok(())
}

/// The model of a source without anything added.
fn written_as_is(
    source: &Source,
    folder: Option<&Path>,
    out: &Path,
) -> io::Result<(&'static str, PathBuf)> {
    let inner = ["alloy/tcmc", "tcmc", "."];
    let theirs = folder.zip(source.theirs).and_then(|(folder, name)| {
        let mut paths = inner.iter().map(|inner| folder.join(inner).join(name));
        paths.find(|path| path.is_file())
    });
    match theirs {
        Some(path) => Ok(("theirs", path)),
        None => {
            let file = out.join(format!("{}.als", source.name.replace(' ', "-")));
            fs::write(&file, source.ours)?;
            Ok(("ours", file))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_says_is_read_back() {
        let asked = parse("0.25 path of 3 states\n");
        assert_eq!(asked.known(), Some(0.25));
        assert_eq!(asked.what, "path of 3 states");
        assert_eq!(parse("").known(), None);
    }

    #[test]
    fn every_row_asks_for_a_command_of_our_model() {
        for row in ROWS {
            let source = &SOURCES[row.source];
            let text = format!("{}\n{}", source.ours, source.more);
            let session = AlloySubject::from_text("model.als", text).expect("it is a model");
            let command = source.command("ours", row.property);
            let command = command.unwrap_or_else(|| panic!("{} has no command", row.property));
            assert!(session.command(command).is_some(), "{command}");
            let sum: usize = source.scopes("ours", row.size).iter().map(|s| s.1).sum();
            assert_eq!(sum, row.size, "{} {}", source.name, row.property);
        }
    }
}
