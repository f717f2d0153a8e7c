//! Several at one question: each on its own thread, the first useful answer wins, the others are stopped.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use wherefore_base::Budget;

use crate::process::ProcessLimits;
use crate::solver::{Satisfiability, SmtSolver, SolverDialogue};
use crate::trouble::SolverTrouble;

/// One runner of a [`race`]: what it does, under a budget that ends when another has won.
pub(crate) struct RaceRunner<'a, T> {
    /// How long the others have been at it when this one begins, unless all of them ended before.
    pub(crate) after: Duration,
    /// What it does.
    pub(crate) work: Box<dyn FnOnce(&Budget) -> T + Send + 'a>,
}

/// Lets the runners go, those that begin first first, until one has a result that is wanted; gives all
/// results that came in, the wanted one last. The result of a runner that was stopped because another one won is left out.
pub(crate) fn race<T: Send>(
    mut runners: Vec<RaceRunner<'_, T>>,
    wanted: impl Fn(&T) -> bool,
    budget: &Budget,
) -> Vec<T> {
    runners.sort_by_key(|runner| runner.after);
    let whole = budget.part();
    let mut results = Vec::new();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let begin = Instant::now();
        let mut waiting = runners.into_iter().peekable();
        let mut running = 0;
        loop {
            let late = |runner: &RaceRunner<'_, T>| begin.elapsed() >= runner.after;
            let stopped = budget.check().is_err();
            if let Some(runner) =
                waiting.next_if(|runner| !stopped && (running == 0 || late(runner)))
            {
                let (sender, part) = (sender.clone(), whole.clone());
                scope.spawn(move || {
                    // Nobody listens any more once another one has won.
                    let _ = sender.send((runner.work)(&part));
                });
                running += 1;
                continue;
            }
            if running == 0 {
                break;
            }
            let patience = match waiting.peek() {
                Some(next) if !stopped => next.after.saturating_sub(begin.elapsed()),
                _ => Duration::from_secs(3600),
            };
            if let Ok(result) = receiver.recv_timeout(patience) {
                running -= 1;
                let won = wanted(&result);
                results.push(result);
                if won {
                    break;
                }
            }
        }
        whole.cancel_part();
    });
    results
}

/// One answer to a query, and whose it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverReply {
    /// Who answers.
    pub solver: SmtSolver,
    /// The answer.
    pub outcome: Result<Satisfiability, SolverTrouble>,
}

impl SolverReply {
    /// Whether it says `sat` or `unsat`.
    pub fn is_definite(&self) -> bool {
        matches!(
            self.outcome,
            Ok(Satisfiability::Sat | Satisfiability::Unsat)
        )
    }
}

/// Asks several solvers the same: the commands, then whether they have a model. The definite answer, if there is
/// one, comes last.
pub fn ask_all(
    solvers: &[SmtSolver],
    commands: &str,
    limits: ProcessLimits,
    budget: &Budget,
) -> Vec<SolverReply> {
    let runners = solvers.iter().map(|solver| RaceRunner {
        after: Duration::ZERO,
        work: Box::new(move |budget: &Budget| SolverReply {
            solver: solver.clone(),
            outcome: ask_one(solver, commands, limits, budget),
        }),
    });
    race(runners.collect(), SolverReply::is_definite, budget)
}

fn ask_one(
    solver: &SmtSolver,
    commands: &str,
    limits: ProcessLimits,
    budget: &Budget,
) -> Result<Satisfiability, SolverTrouble> {
    let mut session = SolverDialogue::start(solver, "ALL", limits, budget)?;
    session.tell(commands);
    session.check(budget)
}
