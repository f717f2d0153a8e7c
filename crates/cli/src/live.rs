//! Infinite-state models on the command line: options, solvers, and what each file is told.

use std::path::PathBuf;

use wherefore_base::Budget;
use wherefore_driver::smt::{Bound, Deadlock};
use wherefore_driver::subjects::smt::{ProcessLimits, SmtOptions, SmtSolver, way};
use wherefore_driver::{Capability, Engine};

use crate::models::{ModelFile, names};

/// The heading of these options in the help.
const HEADING: &str = "Infinite-state models";

/// How infinite-state models are asked.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Living {
    /// Make the finite version of the model: x=0..9 for a variable, Int=0..9 for all integers, Key=3 for a sort
    /// (may be given several times)
    #[arg(long, value_name = "NAME=RANGE", help_heading = HEADING)]
    pub(crate) bound: Vec<Bound>,

    /// What a state without a next one means: vacuous (no path starts there), fail (paths end there) or error
    /// [default: what the file says, or else vacuous]
    #[arg(long, value_name = "HOW", value_parser = deadlock, help_heading = HEADING)]
    pub(crate) deadlock: Option<Deadlock>,

    /// Ask whether some system that satisfies the axioms has the property, instead of all of them
    #[arg(long, help_heading = HEADING)]
    pub(crate) some: bool,

    /// Take operations to be total: where one may be applied, there is a state that is its result (for states of
    /// declared sorts)
    #[arg(long, help_heading = HEADING)]
    pub(crate) generators: bool,

    /// Ask this solver, with its arguments (may be given several times; the first is asked first)
    /// [default: z3 and cvc5, as far as they are installed]
    #[arg(long, value_name = "COMMAND", help_heading = HEADING)]
    pub(crate) solver: Vec<String>,

    /// Unroll at most this many steps
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) steps: Option<usize>,

    /// Write the first-order theory of each property as SMT-LIB text to this file, and to files next to it when
    /// there are several
    #[arg(long, value_name = "F", help_heading = HEADING)]
    pub(crate) write_query: Option<PathBuf>,
}

impl Living {
    /// The options that were given.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let mut given = names(&[(!self.bound.is_empty(), "--bound")]);
        given.extend(self.asking());
        given
    }

    /// The options that were given and are for solvers.
    pub(crate) fn asking(&self) -> Vec<&'static str> {
        names(&[
            (self.deadlock.is_some(), "--deadlock"),
            (self.some, "--some"),
            (self.generators, "--generators"),
            (!self.solver.is_empty(), "--solver"),
            (self.steps.is_some(), "--steps"),
            (self.write_query.is_some(), "--write-query"),
        ])
    }

    /// What solvers are asked, and which.
    ///
    /// # Errors
    /// When a solver cannot be started.
    pub(crate) fn choices(
        &self,
        engine: Engine,
        memory: Option<usize>,
        budget: &Budget,
    ) -> Result<SmtOptions, String> {
        let solvers = match self.solver.is_empty() {
            true => SmtSolver::installed(budget),
            false => {
                let given = self.solver.iter().map(|line| {
                    SmtSolver::by_command(line)
                        .ok_or_else(|| "error: --solver takes a command line".to_string())
                });
                given.collect::<Result<Vec<SmtSolver>, String>>()?
            }
        };
        let defaults = SmtOptions::default();
        Ok(SmtOptions {
            engine: way(engine),
            solvers,
            limits: ProcessLimits {
                memory: memory
                    .map(|megabytes| (megabytes as u64) << 20)
                    .or(defaults.limits.memory),
                ..defaults.limits
            },
            some: self.some,
            deadlock: self.deadlock,
            bound: self.steps.unwrap_or(defaults.bound),
            ..defaults
        })
    }
}

/// Whether an engine is one that asks SMT solvers.
pub(crate) fn asks_solvers(engine: Engine) -> bool {
    matches!(engine, Engine::Theory | Engine::Unroll | Engine::Induction)
}

/// What is wrong with options that do not fit the files.
pub(crate) fn misplaced(living: &Living, engine: Engine, files: &[ModelFile]) -> Option<String> {
    if files.iter().any(|file| file.is_stream) {
        return None;
    }
    let infinite = files
        .iter()
        .filter(|file| !file.is_stream && file.can(Capability::Theory))
        .count();
    if infinite == 0 {
        if asks_solvers(engine) {
            return Some(format!(
                "error: --engine {engine} is for infinite-state models (.vmt, .smt2, .smv with `integer` or `real`)"
            ));
        }
        // That there is no theory is told of the model.
        let given = living.given().into_iter();
        let first = given
            .into_iter()
            .find(|option| *option != "--write-query")?;
        return Some(format!(
            "error: {first} has a meaning for infinite-state models only (.vmt, .smt2, .smv with `integer` or `real`)"
        ));
    }
    if infinite == files.len()
        && living.bound.is_empty()
        && matches!(engine, Engine::Explicit | Engine::Bdd | Engine::Sat)
    {
        return Some(format!(
            "error: --engine {engine} looks at finite models; give bounds with --bound, or take auto, theory, unroll or \
             induction"
        ));
    }
    if !living.bound.is_empty() {
        if asks_solvers(engine) {
            return Some(format!(
                "error: --engine {engine} asks about the model without bounds, so leave out --bound"
            ));
        }
        let given = living.asking();
        let first = given.iter().find(|option| **option != "--deadlock")?;
        return Some(format!(
            "error: {first} is for solvers, and with --bound none is asked"
        ));
    }
    None
}

fn deadlock(text: &str) -> Result<Deadlock, String> {
    match text {
        "vacuous" => Ok(Deadlock::Vacuous),
        "fail" => Ok(Deadlock::Fail),
        "error" => Ok(Deadlock::Error),
        _ => Err(format!("`{text}` is not vacuous, fail or error")),
    }
}
