//! `wherefore explore`: a walk through the states of a model, or through the instances of an Alloy model,
//! led by lines of standard input.
//!
//! A guide on a thread of its own opens the model, reads commands and answers them.

mod asking;
pub(crate) mod command;
mod instances;
pub(crate) mod lines;
mod system;
mod talk;

use wherefore_base::{Budget, Stop};
use wherefore_driver::explore::explore as visit_world;
use wherefore_driver::registry;
use wherefore_driver::subject::require;
use wherefore_driver::{AlloySubject, Capability, Input, LtsSubject, ModelSubject, Refusal};

use crate::args::Explore;
use crate::exit::Exit;
use crate::screen::{Screen, watched};
use crate::terminal;

use talk::WorldTalk;

/// Opens a model, follows the commands and returns the exit code.
pub(crate) fn explore(args: &Explore) -> Exit {
    watched(&args.effort, the_end, |budget, screen| {
        budget.phase("reading the model");
        let (opening, color) = (
            args.effort.opening(),
            terminal::error_color(args.screen.color),
        );
        let refused = |why: Refusal| screen.not_opened(&args.file, "explored", color, &why);
        let mut input = Input::new(&args.file);
        let properties = args.command.as_ref().filter(|name| name.ends_with(".mcl"));
        input.properties.extend(properties.map(Into::into));
        let subject = match registry::open(input, &opening, budget) {
            Ok(subject) => subject,
            Err(refusal) => return refused(refusal),
        };
        let subject = match subject.downcast::<LtsSubject>() {
            Ok(system) => return system::guide(args, &system, budget, screen),
            Err(subject) => subject,
        };
        let is_alloy = subject.is::<AlloySubject>();
        let subject = match subject.downcast::<AlloySubject>() {
            Ok(alloy) if !args.effort.alloy.is_complete() => {
                return instances::guide(args, &alloy, budget, screen);
            }
            Ok(alloy) => Box::new(alloy),
            Err(subject) => subject,
        };
        if let Some(misuse) = misuse(args, is_alloy) {
            screen.say(&misuse);
            return Exit::Usage;
        }
        // With bounds, an infinite-state model is its finite version.
        if opening.bounds.is_empty()
            && let Err(refusal) = require(&*subject, Capability::Explore)
        {
            return refused(refusal);
        }
        match subject.into_model(&opening, budget) {
            Ok(model) => guide(args, model, budget, screen),
            Err(refusal) => refused(refusal),
        }
    })
}

/// What is wrong with options that mean nothing for models that are explored state by state.
fn misuse(args: &Explore, is_alloy: bool) -> Option<String> {
    let command = args.command.as_ref().map(|_| "a command");
    let mut given = command
        .into_iter()
        .chain(args.asking.given())
        .chain(args.effort.alloy.given().into_iter().filter(|_| !is_alloy));
    let whose = if is_alloy {
        "instances of Alloy models"
    } else {
        "Alloy models"
    };
    let given = given.next()?;
    Some(format!("error: {given} has a meaning for {whose} only"))
}

fn guide(args: &Explore, mut session: ModelSubject, budget: &Budget, screen: &Screen) -> Exit {
    let color = terminal::error_color(args.screen.color);
    screen.warn(&session, color);
    let mut talk = WorldTalk::new(terminal::style(&args.screen), budget, screen);
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
