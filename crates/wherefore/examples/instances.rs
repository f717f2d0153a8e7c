//! The commands of Alloy models: a rota that cannot be, and rights that leak.
//!
//! `examples/alloy/rota.als` has rules that leave nobody to work: its `run` has no instance, and the answer names the lines
//! to blame. `examples/alloy/rights.als` has a counterexample; the program asks for up to three of them and lists each
//! with its relations.
//!
//!     cargo run -p wherefore --example instances

#![allow(clippy::print_stdout)]

use wherefore::view::text;

const MODELS: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/alloy/rota.als"),
    concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/alloy/rights.als"
    ),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in MODELS {
        let mut model = wherefore::open(path)?;
        model.ask.alloy.instances = 3;
        for answer in model.check_all() {
            let answer = answer?;
            let (name, found) = (answer.question().name, answer.instances().len());
            println!("{name}: {:?}, instances found: {found}", answer.verdict());
            println!("{}", answer.text(&text::TextOptions::default()).trim_end());
            println!();
        }
    }
    Ok(())
}
