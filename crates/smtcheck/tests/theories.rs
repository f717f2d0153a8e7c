//! The theories of random finite systems: one query for each formula has a model exactly if the formula fails.
//!
//! Where the steps are defined and the states are few, the least relations of a theory are the sets of states by the
//! definitions. So `unsat` and `sat` can both be compared, for every operator of CTL-live and for `AG` of such
//! formulas, which is asked from every state. All queries go to one process, which makes many of them affordable.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use wherefore_base::Budget;
use wherefore_smt::Deadlock;
use wherefore_smtcheck::{
    ProcessLimits, Satisfiability, SmtOptions, SmtSolver, SolverDialogue, theory_query,
};

use crate::common::finite::{Formula, Kripke, Random};
use crate::common::{given, solvers, system};

/// How many systems are asked about in an ordinary run.
const ROUNDS: u64 = 60;

/// How many formulas are asked of a system.
const FORMULAS: usize = 4;

/// What z3 may spend on one query, in units of its own.
const EFFORT: u64 = 1_500_000;

/// After so many systems another process is started, which has forgotten everything.
const FRESH: u64 = 200;

/// How often formulas with an operator at the top were found to hold and to fail, and how often nobody could say.
#[derive(Default)]
struct Counts(BTreeMap<String, [u64; 3]>);

/// A process that is asked one query after the other.
struct Oracle {
    solver: SmtSolver,
    session: SolverDialogue,
    budget: Budget,
}

impl Oracle {
    fn start(solver: &SmtSolver) -> Self {
        let budget = Budget::unlimited();
        let limits = ProcessLimits {
            memory: Some(2 << 30),
            question: Some(Duration::from_secs(120)),
        };
        let mut session =
            SolverDialogue::start(solver, "ALL", limits, &budget).expect("z3 is installed");
        session.tell(&format!("(set-option :rlimit {EFFORT})"));
        Self {
            solver: solver.clone(),
            session,
            budget,
        }
    }

    /// Whether a query has a model, if the solver can say.
    fn has_model(&mut self, query: &str) -> Option<bool> {
        let commands = query
            .lines()
            .filter(|line| !line.starts_with("(set-logic") && *line != "(check-sat)");
        self.session.push();
        for line in commands {
            self.session.tell(line);
        }
        match self.session.check(&self.budget) {
            Ok(outcome) => {
                self.session.pop();
                match outcome {
                    Satisfiability::Sat => Some(true),
                    Satisfiability::Unsat => Some(false),
                    Satisfiability::Unknown(_) => None,
                }
            }
            Err(_) => {
                *self = Self::start(&self.solver);
                None
            }
        }
    }
}

/// A formula of CTL-live, or `AG` of one.
fn live(random: &mut Random) -> Formula {
    let inner = part(random, 2);
    match random.below(5) {
        0 => Formula::Path(true, "G", Box::new(inner.clone()), Box::new(inner)),
        _ => inner,
    }
}

fn part(random: &mut Random, depth: usize) -> Formula {
    if depth == 0 {
        return Formula::Atom(random.below(32) as u32);
    }
    let mut operand = || {
        let depth = random.below(depth);
        Box::new(part(random, depth))
    };
    let (f, g) = (operand(), operand());
    match random.below(10) {
        0 => Formula::And(f, g),
        1 => Formula::Or(f, g),
        _ => {
            let op = ["X", "F", "F", "U", "U"][random.below(5)];
            Formula::Path(random.below(2) == 0, op, f, g)
        }
    }
}

/// The same system with the numbers that are no states of it: they are dead ends that no step leads to.
fn with_all_numbers(kripke: &Kripke) -> Kripke {
    let mut all = kripke.clone();
    // Atoms speak of the first five numbers, so one more stands for all others.
    all.count = 6;
    all.next.resize(all.count, 0);
    all
}

fn agrees(oracle: &mut Oracle, seed: u64, counts: &mut Counts) {
    let mut random = Random::new(seed);
    let mut kripke = Kripke::random(&mut random);
    kripke.fair = None;
    let deadlock = [Deadlock::Vacuous, Deadlock::Fail][random.below(2)];
    let formulas: Vec<Formula> = (0..FORMULAS).map(|_| live(&mut random)).collect();
    let text = kripke.texts(&formulas);
    let model = system(&text);
    let choices = SmtOptions {
        deadlock: Some(deadlock),
        ..SmtOptions::default()
    };
    let all = with_all_numbers(&kripke);
    for (formula, property) in formulas.iter().zip(&model.properties) {
        let queries = theory_query(&model, property, &choices).expect("it is in CTL-live");
        let answers: Vec<Option<bool>> = (queries.iter())
            .map(|each| oracle.has_model(&each.query))
            .collect();
        let said = match answers.contains(&Some(true)) {
            true => Some(false),
            false => (!answers.contains(&None)).then_some(true),
        };
        let (name, holds) = match formula {
            Formula::Path(true, "G", _, inner) => {
                let everywhere = all.holds(inner, deadlock) == 0b11_1111;
                // What holds everywhere holds where the runs lead.
                let reached = kripke.initial & !kripke.holds(formula, deadlock) == 0;
                assert!(reached || !everywhere, "seed {seed}: {text}");
                ("AG".to_string(), everywhere)
            }
            _ => {
                let holds = kripke.initial & !kripke.holds(formula, deadlock) == 0;
                let name = match formula {
                    Formula::Path(every, op, ..) => {
                        format!("{}{op}", if *every { "A" } else { "E" })
                    }
                    _ => "and, or".to_string(),
                };
                (name, holds)
            }
        };
        let said_so = said.unwrap_or(holds);
        let what = formula.text();
        assert_eq!(said_so, holds, "seed {seed}, {deadlock:?}: {what}\n{text}");
        let column = said.map_or(2, |holds| usize::from(!holds));
        counts.0.entry(name).or_default()[column] += 1;
    }
}

/// A long run says how far it is.
#[allow(clippy::print_stderr, reason = "nothing else tells how far it is")]
fn tell(systems: u64, counts: &Counts) {
    let each = counts.0.iter().map(|(name, [holds, fails, open])| {
        format!("{name} {holds} hold, {fails} fail, {open} undecided")
    });
    let each: Vec<String> = each.collect();
    eprintln!(
        "{systems} random systems by their theories, all as they must be: {}",
        each.join("; ")
    );
}

#[test]
fn the_theory_of_a_finite_system_proves_what_holds_and_nothing_else() {
    let Some(solvers) = solvers() else { return };
    let z3 = solvers.iter().find(|solver| solver.name == "z3");
    let z3 = z3.expect("z3 is among the solvers");
    let mut oracle = Oracle::start(z3);
    let mut counts = Counts::default();
    if let Some(seed) = given("WHEREFORE_SEED") {
        agrees(&mut oracle, seed, &mut counts);
        return;
    }
    let first = given("WHEREFORE_FIRST").unwrap_or(0);
    let longer = Duration::from_secs(given("WHEREFORE_SOAK").unwrap_or(0));
    let models = given("WHEREFORE_MODELS").unwrap_or(0).max(ROUNDS);
    let begin = Instant::now();
    let mut systems = 0;
    while systems < models || begin.elapsed() < longer {
        if systems > 0 && systems.is_multiple_of(FRESH) {
            tell(systems, &counts);
            oracle = Oracle::start(z3);
        }
        agrees(&mut oracle, first + systems, &mut counts);
        systems += 1;
    }
    tell(systems, &counts);
    for name in ["AX", "EX", "AF", "EF", "AU", "EU", "AG"] {
        let [holds, fails, _] = counts.0.get(name).copied().unwrap_or_default();
        assert!(holds > 0 && fails > 0, "{name}: {holds} hold, {fails} fail");
    }
}
