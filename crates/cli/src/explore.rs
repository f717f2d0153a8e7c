//! `wherefore explore`: a walk through the states of a model, or through the instances of an Alloy model,
//! led by lines of standard input.
//!
//! A guide on a thread of its own opens the model, reads commands and answers them.

mod asking;
pub(crate) mod command;
mod instances;
pub(crate) mod lines;
mod talk;

use wherefore_base::{Budget, Stop};
use wherefore_driver::explore::explore as visit_world;
use wherefore_driver::registry::language_of;
use wherefore_driver::{Language, ModelSubject, Refusal};

use crate::args::Explore;
use crate::exit::Exit;
use crate::screen::{Screen, watched};
use crate::terminal;

use talk::Talk;

/// Opens a model, follows the commands and returns the exit code.
pub(crate) fn explore(args: &Explore) -> Exit {
    watched(&args.effort, the_end, |budget, screen| {
        let alloy = language_of(&args.file) == Language::ALLOY;
        if alloy && !args.effort.alloy.is_complete() {
            return instances::guide(args, budget, screen);
        }
        let command = args.command.as_ref().map(|_| "a command");
        let mut given = command
            .into_iter()
            .chain(args.asking.given())
            .chain(args.effort.alloy.given().into_iter().filter(|_| !alloy));
        if let Some(given) = given.next() {
            let whose = match alloy {
                true => "instances of Alloy models",
                false => "Alloy models",
            };
            screen.say(&format!("error: {given} has a meaning for {whose} only"));
            return Exit::Usage;
        }
        guide(args, budget, screen)
    })
}

fn guide(args: &Explore, budget: &Budget, screen: &Screen) -> Exit {
    let color = terminal::error_color(args.screen.color);
    budget.phase("reading the model");
    let opened = ModelSubject::open_as(&args.effort.opening(), &args.file, budget);
    let mut session = match screen.greet(&args.file, "explored", color, opened) {
        Ok(session) => session,
        Err(exit) => return exit,
    };
    let mut talk = Talk::new(terminal::style(&args.screen), budget, screen);
    let outcome = visit_world(
        &mut session,
        args.effort.engine,
        budget,
        &mut |session, world| talk.visit(session, world),
    );
    match outcome {
        Ok(()) => Exit::Good,
        Err(Refusal::Stopped(stop)) => {
            screen.say(&the_end(stop));
            Exit::Undecided
        }
        Err(refusal) => screen.not_opened(&args.file, "explored", color, &refusal),
    }
}

fn the_end(stop: Stop) -> String {
    format!("error: the walk ends here, since {stop}")
}
