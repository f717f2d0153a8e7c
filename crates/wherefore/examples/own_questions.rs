//! A model that a program writes, and questions that are in no file: how many jars of water make four litres?
//!
//! There are two jars, of three and of five litres. They can be filled, emptied and poured into each other. The program
//! writes the model as text, for jars of any size, and asks by CTL whether four litres can be measured. The witness of the
//! answer is the recipe. A question that makes no sense is refused with its place.
//!
//!     cargo run -p wherefore --example own_questions

#![allow(clippy::print_stdout)]

use wherefore::{ModelSubject, Refusal};

/// Two jars of these sizes.
fn jars(small: u32, large: u32) -> String {
    format!(
        "MODULE main
         VAR small : 0..{small}; large : 0..{large};
         IVAR act : {{fill_small, fill_large, empty_small, empty_large, pour_up, pour_down}};
         DEFINE up := min(small, {large} - large); down := min(large, {small} - small);
         ASSIGN
           init(small) := 0; init(large) := 0;
           next(small) := case
             act = fill_small : {small}; act = empty_small : 0;
             act = pour_up : small - up; act = pour_down : small + down; TRUE : small; esac;
           next(large) := case
             act = fill_large : {large}; act = empty_large : 0;
             act = pour_up : large + up; act = pour_down : large - down; TRUE : large; esac;"
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = wherefore::open_text("jars.smv", jars(3, 5))?;
    let four = model.add("EF large = 4")?;
    let always = model.add("AG EF (small = 0 & large = 0)")?;
    for question in [four, always] {
        let answer = model.check(question)?;
        println!("{}: {:?}", answer.question().text, answer.verdict());
    }

    let answer = model.check(four)?;
    let evidence = answer.evidence().expect("what can happen has a witness");
    println!("the recipe, in {} steps:", evidence.main_steps());
    let read: &ModelSubject = model.subject().downcast_ref().expect("SMV");
    for at in evidence.main_run().0 {
        let values = evidence.occurrences[at].values.iter();
        let values = values.zip(read.model().vars.iter()).map(|(&value, var)| {
            let value = read.model().names.show(value);
            format!("{} {value}", var.name)
        });
        println!("  {}", values.collect::<Vec<_>>().join(", "));
    }

    match model.add("EF smal = 4") {
        Err(Refusal::Rejected(rejected)) => println!("\n{rejected}"),
        other => println!("{other:?}"),
    }
    Ok(())
}
