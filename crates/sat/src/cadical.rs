//! CaDiCaL (Biere, Faller, Fazekas, Fleury, Froleyks and Pollitt 2024), in the process.

use std::fmt;

use cadical_sys::{CaDiCal, Status, Terminator};
use wherefore_base::{Budget, Run, Stop};

use crate::solver::{Lit, SatAnswer, Solver};

/// The solver CaDiCaL.
pub struct Cadical {
    solver: CaDiCal,
    variables: usize,
    /// Whether the solver asks a budget just now.
    asks: bool,
}

impl fmt::Debug for Cadical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables = &self.variables;
        f.debug_struct("Cadical")
            .field("variables", variables)
            .finish()
    }
}

/// With so many variables, even a few conflicts may take long.
const MANY: usize = 100_000;

/// At most so many conflicts are not watched.
const UNWATCHED: u64 = 1000;
/// So many of them stand for one question whether to stop.
const PER_QUESTION: u64 = 64;

/// Ends the search when the budget is used up.
struct BudgetTerminator(Budget);

impl Terminator for BudgetTerminator {
    fn terminated(&mut self) -> bool {
        self.0.check().is_err()
    }
}

impl Cadical {
    fn of(solver: CaDiCal) -> Self {
        Self {
            solver,
            variables: 0,
            asks: false,
        }
    }
}

/// A literal as CaDiCaL writes it: variables from 1, negation by the sign.
fn number(lit: Lit) -> i32 {
    let variable = i32::try_from(lit.variable() + 1).expect("a variable fits 30 bits");
    if lit.is_negated() {
        -variable
    } else {
        variable
    }
}

impl Solver for Cadical {
    fn empty() -> Self {
        Self::of(CaDiCal::new())
    }

    fn for_refutation() -> Self {
        let mut solver = CaDiCal::new();
        // Without phases in which it looks for a solution only, and without chronological backtracking: on
        // relational problems, conflicts come faster so.
        solver.configure("unsat");
        solver.set("chrono", 0);
        Self::of(solver)
    }

    fn new_var(&mut self) -> Lit {
        let lit = Lit::new(self.variables, false);
        self.variables += 1;
        lit
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        for &lit in clause {
            self.solver.add(number(lit));
        }
        self.solver.add(0);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Run<SatAnswer> {
        let counted = |left: u64| UNWATCHED.min(left.saturating_mul(PER_QUESTION));
        let unwatched = budget.questions_left().map_or(UNWATCHED, counted);
        budget.check()?;
        for &lit in assumptions {
            self.solver.assume(number(lit));
        }
        // Most questions are answered within a few conflicts: they are not watched, unless conflicts take long.
        if self.asks {
            self.solver.disconnect_terminator();
            self.asks = false;
        }
        let mut status = Status::UNKNOWN;
        if self.variables < MANY {
            self.solver.limit("conflicts", unwatched as i32);
            status = self.solver.solve();
        }
        if status == Status::UNKNOWN {
            self.solver
                .connect_terminator(BudgetTerminator(budget.clone()));
            self.asks = true;
            // The first call has used up the assumptions, so they are made again.
            if self.variables < MANY {
                for &lit in assumptions {
                    self.solver.assume(number(lit));
                }
            }
            status = self.solver.solve();
        }
        match status {
            Status::SATISFIABLE => Ok(SatAnswer::Sat),
            Status::UNSATISFIABLE => Ok(SatAnswer::Unsat),
            Status::UNKNOWN => Err(budget.check().err().unwrap_or(Stop::TimeOut)),
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        // A variable without a clause is unknown to the solver, and may have either value.
        let variables = usize::try_from(self.solver.vars()).unwrap_or(0);
        if lit.variable() >= variables {
            return lit.is_negated();
        }
        let number = number(lit);
        self.solver.val(number) == number
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.solver.failed(number(lit))
    }
}
