//! Decides the properties of an SMV model by SAT alone, and says by which argument.
//!
//! `cargo run --release -p wherefore-satcheck --example decide -- model.smv 60`

#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_satcheck::{InvariantClauses, SatOutcome, decide};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("say which model")?;
    let seconds: u64 = arguments.next().map_or(Ok(60), |text| text.parse())?;
    let mut sources = SourceMap::default();
    let text = std::fs::read_to_string(&path)?;
    let file = sources.add(SourceFile::new(&path, text));
    let model = wherefore_smv::load(&sources, file, &Budget::unlimited())?.model;
    for (index, property) in model.properties.iter().enumerate() {
        let start = Instant::now();
        let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
        let answer = match decide(&model, index, &budget) {
            Err(stop) => format!("undecided: {stop} while {}", budget.progress().phase),
            Ok(SatOutcome::Unknown(why)) => format!("not answered: {why}"),
            Ok(SatOutcome::Fails(refutation)) => {
                let states = refutation.trace.states.len();
                format!(
                    "fails: {states} states, back to {:?}",
                    refutation.trace.back
                )
            }
            Ok(SatOutcome::Holds(certificate)) => match certificate {
                InvariantClauses::Inductive { clauses } => {
                    format!("holds: invariant of {} clauses", clauses.len())
                }
                InvariantClauses::Steps { steps } => format!("holds: induction over {steps} steps"),
                InvariantClauses::Loops { clauses } => {
                    format!("holds: no fair loop, {} clauses", clauses.len())
                }
                InvariantClauses::Turns { turns, clauses, .. } => {
                    format!("holds: at most {turns} turns, {} clauses", clauses.len())
                }
            },
        };
        let seconds = start.elapsed().as_secs_f64();
        let text: String = property.text.chars().take(60).collect();
        println!("{seconds:8.2}  {answer}  ({text})");
    }
    Ok(())
}
