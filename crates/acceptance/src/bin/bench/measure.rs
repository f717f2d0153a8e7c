//! What a command costs.
//!
//! The system says what the children of a process used, but the largest memory only of the hungriest of
//! them. So every command is run by a process of its own: this program again, which waits for its one
//! child and writes down CPU seconds (user and system, all threads) and the most memory held at once.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};

/// The first argument of this program when it runs a command for itself.
pub(crate) const WATCH: &str = "--watch";

/// What a run of a command was like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    /// User and system time of all its threads, in seconds.
    pub(crate) cpu: f64,
    /// The most memory it held at once, in megabytes.
    pub(crate) megabytes: f64,
    /// Its exit code; `None` when it was ended from outside, by us when its time was up.
    pub(crate) code: Option<i32>,
}

/// Runs a command and writes what it prints to a file. It is ended when it used `limit` of CPU time (other
/// programs may keep the machine busy), or after thirty times as long. Fails when it cannot be run at all.
pub(crate) fn run(command: &[OsString], output: &Path, limit: Duration) -> io::Result<Cost> {
    let report = Command::new(std::env::current_exe()?)
        .arg(WATCH)
        .arg(limit.as_secs().max(1).to_string())
        .arg(output)
        .args(command)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8_lossy(&report.stdout);
    parse(&text).ok_or_else(|| io::Error::other(format!("cannot run {}", command[0].display())))
}

/// The median of several runs when they are short, one run when they are long.
pub(crate) fn repeat(
    command: &[OsString],
    output: &Path,
    limit: Duration,
    times: usize,
) -> io::Result<Cost> {
    let mut costs = vec![run(command, output, limit)?];
    while costs.len() < times && costs[0].cpu < SHORT {
        costs.push(run(command, output, limit)?);
    }
    costs.sort_by(|one, other| one.cpu.total_cmp(&other.cpu));
    Ok(costs[(costs.len() - 1) / 2])
}

/// Only runs shorter than this many seconds are repeated.
const SHORT: f64 = 0.5;

/// The unit in which the system counts memory.
const MAX_RSS_PER_MEGABYTE: f64 = match cfg!(target_vendor = "apple") {
    true => 1024.0 * 1024.0,
    false => 1024.0,
};

/// So many times as long as its CPU time a command may take by the clock.
const PATIENCE: u32 = 30;

/// The other side of [`run`]: `--watch LIMIT OUTPUT COMMAND...`. Prints `cpu megabytes code`.
pub(crate) fn watch(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    let watched = || -> Option<Cost> {
        let limit = words.next()?.to_str()?.parse().ok()?;
        setrlimit(Resource::RLIMIT_CPU, limit, limit).ok()?;
        let output = File::create(words.next()?).ok()?;
        let errors = output.try_clone().ok()?;
        let mut child = Command::new(words.next()?)
            .args(words)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()
            .ok()?;
        let end = Instant::now() + Duration::from_secs(limit) * PATIENCE;
        let mut pause = Duration::from_micros(200);
        let status = loop {
            if let Some(status) = child.try_wait().ok()? {
                break status;
            }
            if Instant::now() >= end {
                child.kill().ok()?;
                break child.wait().ok()?;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
        let seconds = |time: nix::sys::time::TimeVal| {
            time.tv_sec() as f64 + time.tv_usec() as f64 / 1_000_000.0
        };
        Some(Cost {
            cpu: seconds(usage.user_time()) + seconds(usage.system_time()),
            megabytes: usage.max_rss() as f64 / MAX_RSS_PER_MEGABYTE,
            code: status.code(),
        })
    }();
    let Some(cost) = watched else {
        return ExitCode::FAILURE;
    };
    let code = cost.code.map_or("-".to_string(), |code| code.to_string());
    match writeln!(io::stdout(), "{} {} {code}", cost.cpu, cost.megabytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn parse(report: &str) -> Option<Cost> {
    let words: Vec<&str> = report.split_whitespace().collect();
    let [cpu, megabytes, code] = words[..] else {
        return None;
    };
    Some(Cost {
        cpu: cpu.parse().ok()?,
        megabytes: megabytes.parse().ok()?,
        code: code.parse().ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_of_a_run_is_read_back() {
        let cost = parse("0.25 12.5 1\n").expect("it is complete");
        assert_eq!((cost.cpu, cost.megabytes, cost.code), (0.25, 12.5, Some(1)));
        assert_eq!(parse("0.25 12.5 -").and_then(|cost| cost.code), None);
        assert_eq!(parse("nothing"), None);
    }
}
