//! Why does nobody serve the button? A proof, opened claim by claim.
//!
//! `served` of `examples/button.smv` says that every request is fulfilled, and it fails. At first nothing is shown but
//! that. This program shows one obligation after the other and always takes the first choice. At the first obligation
//! with several choices it takes the second one, looks at what comes of it, and takes it back.
//!
//!     cargo run -p wherefore --example proof

#![allow(clippy::print_stdout)]

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/button.smv");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = wherefore::open(MODEL)?;
    let served = model.question("served").expect("the model has it");
    model.explain(served, |proof| {
        let mut curious = true;
        while let Some((number, claim)) = proof.obligations()?.first() {
            println!("to show: {claim}");
            let choices = proof.choices(*number)?;
            for choice in &choices {
                println!("  - {choice}");
            }
            if std::mem::take(&mut curious) && choices.len() > 1 {
                proof.take(*number, 1)?;
                println!(
                    "  the second leaves {} obligations",
                    proof.obligations()?.len()
                );
                proof.undo();
            }
            proof.take(*number, 0)?;
        }
        println!("\n{}", proof.text()?);
        Ok(())
    })?;
    Ok(())
}
