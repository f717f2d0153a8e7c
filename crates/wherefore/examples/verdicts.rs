//! A lift for three floors: what does its model promise, and what does it not?
//!
//! `examples/elevator.smv` states seven properties. Two fail, and both for a good reason; one holds for a bad one. This
//! program checks them all and prints each answer when it comes: the verdict, then why.
//!
//!     cargo run -p wherefore --example verdicts

#![allow(clippy::print_stdout)]

use wherefore::Standing;
use wherefore::view::text;

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/elevator.smv");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = wherefore::open(MODEL)?;
    println!(
        "{} questions in {}",
        model.questions().len(),
        model.language()
    );
    let mut bad = 0;
    for answer in model.check_all() {
        let answer = answer?;
        bad += usize::from(answer.standing() == Standing::Bad);
        println!(
            "\n{}",
            answer.text(&text::TextOptions::default()).trim_end()
        );
    }
    println!("\n{bad} are not as they should be");
    Ok(())
}
