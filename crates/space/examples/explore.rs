//! Measures how fast the explicit engine lists the states of models.
//!
//! `explore [--limit STATES] FILE...` prints for each SMV file its states and transitions, the
//! seconds the exploration took and how many states that is in a second.

#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};

/// No exploration takes longer.
const TIME: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let mut limits = ExplorationLimits::default();
    let mut args = std::env::args().skip(1);
    let mut failed = false;
    println!(
        "{:>10} {:>11} {:>9} {:>11}  model",
        "states", "steps", "seconds", "states/s"
    );
    while let Some(arg) = args.next() {
        if arg == "--limit" {
            let limit = args.next().and_then(|limit| limit.parse().ok());
            limits.states = limit.unwrap_or(limits.states);
            continue;
        }
        match measure(&arg, limits) {
            Ok(line) => println!("{line}  {arg}"),
            Err(why) => {
                failed = true;
                println!("{why}: {arg}");
            }
        }
    }
    ExitCode::from(u8::from(failed))
}

fn measure(path: &str, limits: ExplorationLimits) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(path, &*String::from_utf8_lossy(&bytes)));
    let budget = Budget::new(Some(TIME), None);
    let loaded = wherefore_smv::load(&sources, file, &budget).map_err(|stop| stop.to_string())?;
    if loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return Err("not a model that can be read".to_owned());
    }
    let start = Instant::now();
    let explored = Explicit::explore(&loaded.model, limits, &budget);
    let seconds = start.elapsed().as_secs_f64();
    let space = match explored {
        Err(stop) => return Err(format!("stopped after {seconds:.1} s, {stop}")),
        Ok(Err(large)) => return Err(format!("after {seconds:.2} s {large}")),
        Ok(Ok(space)) => space,
    };
    let states = space.reachable().count_ones(..);
    let steps = space.transitions().unwrap_or_default();
    let speed = states as f64 / seconds;
    Ok(format!(
        "{states:>10} {steps:>11} {seconds:>9.3} {speed:>11.0}"
    ))
}
