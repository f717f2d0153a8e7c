//! Infinite-state models on the command line: options, solvers, and what each file is told.

use std::path::PathBuf;
use std::time::Instant;

use wherefore_base::{Budget, Diagnostic, Span};
use wherefore_driver::evidence::{Finding, Options};
use wherefore_driver::live::{Answer, Choices, Limits, LiveSession, Solver, Told, way};
use wherefore_driver::smt::{Bound, Deadlock};
use wherefore_driver::{Engine, Rejected, Session};

use crate::models::{ModelFiles, names};

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
    ) -> Result<Choices, String> {
        let solvers = match self.solver.is_empty() {
            true => Solver::installed(budget),
            false => {
                let given = self.solver.iter().map(|line| {
                    Solver::by_command(line)
                        .ok_or_else(|| "error: --solver takes a command line".to_string())
                });
                given.collect::<Result<Vec<Solver>, String>>()?
            }
        };
        let defaults = Choices::default();
        Ok(Choices {
            engine: way(engine),
            solvers,
            limits: Limits {
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

/// What somebody without a solver is told.
pub(crate) const NO_SOLVER: &str = "note: no SMT solver is found, so properties of infinite-state models stay undecided. \
     Install z3 and cvc5, on Debian and Ubuntu with `apt-get install z3 cvc5`, or name one with --solver. \
     With --bound the finite version is checked without any.";

/// Whether an engine is one that asks SMT solvers.
pub(crate) fn asks_solvers(engine: Engine) -> bool {
    matches!(engine, Engine::Theory | Engine::Unroll | Engine::Induction)
}

/// What is wrong with options that do not fit the files.
pub(crate) fn misplaced(living: &Living, engine: Engine, files: &[ModelFiles]) -> Option<String> {
    if files.iter().any(ModelFiles::is_stream) {
        return None;
    }
    let infinite = files.iter().filter(|files| files.is_smt()).count();
    if infinite == 0 {
        if asks_solvers(engine) {
            return Some(format!(
                "error: --engine {engine} is for infinite-state models (.vmt, .smt2, .smv with `integer` or `real`)"
            ));
        }
        let given = living.given();
        let first = given.first()?;
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

/// Opens a model and adds what the command line says about it.
///
/// # Errors
/// What makes no sense for the model.
pub(crate) fn prepare(session: &mut LiveSession, living: &Living) -> Result<(), Rejected> {
    if let Some(deadlock) = living.deadlock {
        session.set_deadlock(deadlock);
    }
    if living.generators {
        session.add_generators().map_err(|why| {
            let start = Span::new(session.file(), 0, 0);
            let message = format!("--generators is of no use for this model, since {why}");
            session.rejected(vec![Diagnostic::error(start, message)])
        })?;
    }
    Ok(())
}

/// Asks solvers about properties, and tells the answers. What the budget did not allow for is told as undecided.
pub(crate) fn check(
    session: &LiveSession,
    selection: &[usize],
    choices: &Choices,
    options: &Options,
    budget: &Budget,
) -> (Told, f64) {
    let start = Instant::now();
    let mut answers: Vec<(usize, Answer)> = Vec::new();
    for &property in selection {
        answers.push((property, session.answer(property, choices, budget)));
        if budget.check().is_err() {
            break;
        }
    }
    let told = session.tell(&answers, options, budget);
    (told, start.elapsed().as_secs_f64())
}

/// A session for views of a model of which nothing is known.
pub(crate) fn unanswered(session: &LiveSession) -> Session {
    session
        .tell(&[], &Options::default(), &Budget::unlimited())
        .session
}

/// The first-order theories of properties, each with the name of its property, or why there is none.
pub(crate) fn queries(
    session: &LiveSession,
    selection: &[usize],
    choices: &Choices,
) -> Vec<(String, Result<String, String>)> {
    let queries = selection.iter().map(|&property| {
        let name = session.properties()[property].name.clone();
        (name, session.query(property, choices))
    });
    queries.collect()
}

/// Whether a finding is not what the file expects; none if it expects nothing or nobody knows.
pub(crate) fn is_unexpected(finding: &Finding, expected: &[Option<bool>]) -> Option<bool> {
    use wherefore_driver::evidence::Verdict;
    let expected = expected.get(finding.property).copied().flatten()?;
    match finding.verdict {
        Verdict::Holds => Some(!expected),
        Verdict::Fails => Some(expected),
        Verdict::Unknown(_) => None,
    }
}

fn deadlock(text: &str) -> Result<Deadlock, String> {
    match text {
        "vacuous" => Ok(Deadlock::Vacuous),
        "fail" => Ok(Deadlock::Fail),
        "error" => Ok(Deadlock::Error),
        _ => Err(format!("`{text}` is not vacuous, fail or error")),
    }
}
