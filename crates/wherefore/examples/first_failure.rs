//! A check in a pipeline: the first failure is enough, and a later step wants it as data.
//!
//! The answers of `examples/mutex.smv` come one by one. At the first that fails, this program stops asking, which ends
//! the rest of the work, and writes the evidence as a JSON document, to the file that is named on the command line or else
//! to the screen. Nobody waits longer than ten seconds.
//!
//!     cargo run -p wherefore --example first_failure -- failure.json

#![allow(clippy::print_stdout)]

use std::time::Duration;

use wherefore::base::Budget;
use wherefore::evidence::Verdict;

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/mutex.smv");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = wherefore::open(MODEL)?;
    model.budget = Budget::new(Some(Duration::from_secs(10)), Some(1 << 30));
    let mut asked = 0;
    for answer in model.check_all() {
        let answer = answer?;
        asked += 1;
        if answer.verdict() != Verdict::Fails {
            continue;
        }
        println!(
            "{} fails; {asked} of {} answers were needed",
            answer.question().name,
            model.questions().len()
        );
        match std::env::args_os().nth(1) {
            Some(path) => std::fs::write(path, answer.json())?,
            None => println!("{}", answer.json().trim_end()),
        }
        return Ok(());
    }
    println!("nothing fails");
    Ok(())
}
