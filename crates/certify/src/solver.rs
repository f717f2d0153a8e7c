//! A SAT solver that is not believed: BatSat searches, and a [`ProofChecker`] checks what it learns.

use std::cell::RefCell;
use std::rc::Rc;

use batsat::callbacks::Callbacks;
use batsat::{ClauseKind, SolverInterface, Var, lbool};
use wherefore_base::{Budget, Run, Stop};

use crate::rup::{Literal, ProofChecker};

/// What a solver says of clauses under assumptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Satisfiable {
    /// Some assignment satisfies them.
    Yes,
    /// None does, and the proof was checked.
    No,
    /// The solver found none, but its proof has a gap.
    Unproved,
}

/// A solver whose every clause is checked.
pub(crate) struct CheckedSolver {
    solver: batsat::Solver<ClauseListener>,
    budget: Rc<RefCell<Budget>>,
    variables: u32,
    /// Whether the clauses alone are contradictory.
    refuted: bool,
}

/// Looks over the solver's shoulder.
struct ClauseListener {
    checker: ProofChecker,
    /// Whether every clause that was learned follows.
    convinced: bool,
    budget: Rc<RefCell<Budget>>,
}

impl Callbacks for ClauseListener {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], _: ClauseKind) {
        let clause: Vec<Literal> = clause.iter().map(|&lit| ours(lit)).collect();
        self.convinced &= self.checker.derive(&clause);
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        let clause: Vec<Literal> = clause.iter().map(|&lit| ours(lit)).collect();
        self.checker.forget(&clause);
    }

    fn stop(&self) -> bool {
        self.budget.borrow().check().is_err()
    }
}

fn ours(lit: batsat::Lit) -> Literal {
    Literal::new(lit.var().idx(), !lit.sign())
}

fn theirs(literal: Literal) -> batsat::Lit {
    let variable = Var::unsafe_from_idx(literal.variable());
    batsat::Lit::new(variable, !literal.is_negated())
}

impl CheckedSolver {
    pub(crate) fn new() -> Self {
        let budget = Rc::new(RefCell::new(Budget::unlimited()));
        let listener = ClauseListener {
            checker: ProofChecker::default(),
            convinced: true,
            budget: Rc::clone(&budget),
        };
        Self {
            solver: batsat::Solver::new(batsat::SolverOpts::default(), listener),
            budget,
            variables: 0,
            refuted: false,
        }
    }

    /// How many variables there are.
    pub(crate) fn variables(&self) -> usize {
        self.variables as usize
    }

    pub(crate) fn new_variable(&mut self) -> Literal {
        let variable = self.solver.new_var_default();
        self.variables += 1;
        Literal::new(variable.idx(), false)
    }

    pub(crate) fn add_clause(&mut self, clause: &[Literal]) {
        // The checker gets the clause as it was given, whatever the solver makes of it.
        self.solver.cb_mut().checker.add(clause);
        if !self.refuted {
            let mut clause: Vec<batsat::Lit> = clause.iter().copied().map(theirs).collect();
            self.refuted = !self.solver.add_clause_reuse(&mut clause);
        }
    }

    pub(crate) fn solve(&mut self, assumptions: &[Literal], budget: &Budget) -> Run<Satisfiable> {
        budget.check()?;
        if !self.refuted {
            *self.budget.borrow_mut() = budget.clone();
            let assumed: Vec<batsat::Lit> = assumptions.iter().copied().map(theirs).collect();
            let answer = self.solver.solve_limited(&assumed);
            if answer == lbool::TRUE {
                return Ok(Satisfiable::Yes);
            }
            // An answer that is neither means that the budget stopped the search.
            if answer != lbool::FALSE {
                return Err(budget.check().err().unwrap_or(Stop::TimeOut));
            }
        }
        // What was learned is checked already; the last step is that it refutes the assumptions.
        let listener = self.solver.cb_mut();
        Ok(
            if listener.convinced && listener.checker.refutes(assumptions) {
                Satisfiable::No
            } else {
                Satisfiable::Unproved
            },
        )
    }

    /// The value of a literal in the assignment that was found last.
    pub(crate) fn value(&self, literal: Literal) -> bool {
        let value = self.solver.value_lit(theirs(literal));
        // A variable that the solver left open counts as false.
        value == lbool::TRUE || value != lbool::FALSE && literal.is_negated()
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::Rng;

    use super::*;

    fn satisfied(clauses: &[Vec<Literal>], value: impl Fn(Literal) -> bool) -> bool {
        clauses.iter().all(|c| c.iter().any(|&l| value(l)))
    }

    #[test]
    fn answers_are_right_and_proved_on_random_clauses() {
        let budget = Budget::unlimited();
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let mut solver = CheckedSolver::new();
            let variables: Vec<Literal> = (0..8).map(|_| solver.new_variable()).collect();
            let mut clauses: Vec<Vec<Literal>> = Vec::new();
            for _ in 0..6 {
                for _ in 0..6 {
                    let clause = (0..3).map(|_| {
                        let variable = variables[rng.below(8)];
                        variable.negated_if(rng.below(2) == 1)
                    });
                    let clause: Vec<Literal> = clause.collect();
                    solver.add_clause(&clause);
                    clauses.push(clause);
                }
                let assumed = variables[rng.below(8)];
                clauses.push(vec![assumed]);
                let some = (0_u32..256).any(|bits| {
                    satisfied(&clauses, |l| {
                        (bits >> l.variable() & 1 == 1) != l.is_negated()
                    })
                });
                let answer = solver.solve(&[assumed], &budget).expect("no limit");
                if some {
                    assert_eq!(answer, Satisfiable::Yes, "seed {seed}");
                    assert!(satisfied(&clauses, |l| solver.value(l)), "seed {seed}");
                } else {
                    assert_eq!(answer, Satisfiable::No, "seed {seed}");
                }
                clauses.pop();
            }
        }
    }

    #[test]
    fn a_hard_proof_is_checked() {
        // Seven pigeons do not fit into six holes.
        let mut solver = CheckedSolver::new();
        let rows = (0..7).map(|_| (0..6).map(|_| solver.new_variable()).collect());
        let rows: Vec<Vec<Literal>> = rows.collect();
        for row in &rows {
            solver.add_clause(row);
        }
        for (at, one) in rows.iter().enumerate() {
            for other in &rows[..at] {
                for (a, b) in one.iter().zip(other) {
                    solver.add_clause(&[!*a, !*b]);
                }
            }
        }
        let answer = solver.solve(&[], &Budget::unlimited());
        assert_eq!(answer.expect("no limit"), Satisfiable::No);
    }

    #[test]
    fn a_clause_that_does_not_follow_is_noticed() {
        let mut solver = CheckedSolver::new();
        let (a, b) = (solver.new_variable(), solver.new_variable());
        solver.add_clause(&[a, b]);
        solver
            .solver
            .cb_mut()
            .on_new_clause(&[theirs(a)], ClauseKind::Learnt);
        solver.add_clause(&[!b]);
        solver.add_clause(&[!a]);
        let answer = solver.solve(&[], &Budget::unlimited());
        assert_eq!(answer.expect("no limit"), Satisfiable::Unproved);
    }
}
