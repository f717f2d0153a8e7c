//! BatSat, a solver in plain Rust after MiniSat (Eén and Sörensson 2003).

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use batsat::callbacks::Callbacks;
use batsat::{SolverInterface, Var, lbool};
use wherefore_base::{Budget, Run, Stop};

use crate::solver::{Lit, SatAnswer, Solver};

/// The solver BatSat.
pub struct Batsat {
    solver: batsat::Solver<Asks>,
    budget: Rc<RefCell<Budget>>,
    variables: usize,
    /// Whether the clauses alone are contradictory.
    refuted: bool,
    clause: Vec<batsat::Lit>,
}

impl fmt::Debug for Batsat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables = &self.variables;
        f.debug_struct("Batsat")
            .field("variables", variables)
            .finish()
    }
}

/// Ends the search when the budget is used up.
struct Asks(Rc<RefCell<Budget>>);

impl Callbacks for Asks {
    fn stop(&self) -> bool {
        self.0.borrow().check().is_err()
    }
}

fn literal(lit: Lit) -> batsat::Lit {
    let variable = Var::unsafe_from_idx(lit.variable() as u32);
    batsat::Lit::new(variable, !lit.is_negated())
}

impl Solver for Batsat {
    fn empty() -> Self {
        let budget = Rc::new(RefCell::new(Budget::unlimited()));
        let asks = Asks(Rc::clone(&budget));
        Self {
            solver: batsat::Solver::new(batsat::SolverOpts::default(), asks),
            budget,
            variables: 0,
            refuted: false,
            clause: Vec::new(),
        }
    }

    fn new_var(&mut self) -> Lit {
        let variable = self.solver.new_var_default();
        self.variables += 1;
        Lit::new(variable.idx() as usize, false)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        if self.refuted {
            return;
        }
        self.clause.clear();
        self.clause.extend(clause.iter().copied().map(literal));
        self.refuted = !self.solver.add_clause_reuse(&mut self.clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Run<SatAnswer> {
        budget.check()?;
        if self.refuted {
            return Ok(SatAnswer::Unsat);
        }
        // The callback asks the budget of the present question.
        *self.budget.borrow_mut() = budget.clone();
        let assumptions: Vec<batsat::Lit> = assumptions.iter().copied().map(literal).collect();
        let answer = self.solver.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            Ok(SatAnswer::Sat)
        } else if answer == lbool::FALSE {
            Ok(SatAnswer::Unsat)
        } else {
            Err(budget.check().err().unwrap_or(Stop::TimeOut))
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        let value = self.solver.value_lit(literal(lit));
        // A variable without a value counts as false.
        value == lbool::TRUE || value != lbool::FALSE && lit.is_negated()
    }

    fn failed(&mut self, lit: Lit) -> bool {
        // The final conflict is a clause over negated assumptions.
        !self.refuted && self.solver.unsat_core_contains_lit(!literal(lit))
    }
}
