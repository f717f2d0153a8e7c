//! One instance among many: wishes, each fulfilled as far as those before it allow.
//!
//! A solver that keeps what it learned is asked for one wish after the other. What comes out depends on the problem
//! and the wishes alone, as far as these speak of it, and not on the solver.

use wherefore_base::Budget;
use wherefore_sat::{CircuitEdge, Solver};

use crate::evaluator::RelEvaluator;
use crate::instance::Instance;
use crate::matrix::Matrix;
use crate::refusal::{ProblemRefusal, SearchResult};
use crate::search::Search;
use crate::terms::RelExprId;

/// What is wished of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettleWish {
    /// An expression with one tuple has the first that it can have.
    First(RelExprId),
    /// An expression is without its first tuple, then without its second, and so on.
    Without(RelExprId),
    /// An expression has a tuple.
    Some(RelExprId),
}

impl<S: Solver> Search<'_, S> {
    /// An instance in which an expression has at most so many tuples, for each of some; none if there is none.
    /// Instances with more tuples are not given any more afterwards.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn at_most(
        &mut self,
        bounds: &[(RelExprId, usize)],
        budget: &Budget,
    ) -> SearchResult<Option<Instance>> {
        for &(measure, most) in bounds {
            self.bound_for_good(measure, most)?;
        }
        self.solve_again(&[], budget)
    }

    /// Of the instances that are left, the one that fulfils the wishes, the first before the second and so on;
    /// `best` is one of those that are left.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn settle(
        &mut self,
        mut best: Instance,
        wishes: &[SettleWish],
        budget: &Budget,
    ) -> SearchResult<Instance> {
        for &wish in wishes {
            budget.check()?;
            let (SettleWish::First(expr) | SettleWish::Without(expr) | SettleWish::Some(expr)) =
                wish;
            let matrix = self.translator.expr(expr)?;
            match wish {
                SettleWish::Some(_) => {
                    let edge = Matrix::some(&matrix, &mut self.translator.circuit);
                    let there = !self.packed(expr, &best, budget)?.is_empty();
                    self.prefer(edge, there, &mut best, budget)?;
                }
                SettleWish::First(_) => {
                    // A wish that fails leaves `best` as it is, so that this stays right throughout the loop.
                    let there = self.packed(expr, &best, budget)?;
                    for &(tuple, edge) in &matrix.cells {
                        if self.prefer(edge, there.contains(&tuple), &mut best, budget)? {
                            break;
                        }
                    }
                }
                SettleWish::Without(_) => {
                    let mut there = self.packed(expr, &best, budget)?;
                    for &(tuple, edge) in &matrix.cells {
                        let has = there.contains(&tuple);
                        if self.prefer(!edge, !has, &mut best, budget)? && has {
                            there = self.packed(expr, &best, budget)?;
                        }
                    }
                }
            }
        }
        match RelEvaluator::new(self.problem, &best, budget)?.all_hold() {
            Ok(true) | Err(ProblemRefusal::TooLarge { .. }) => Ok(best),
            Ok(false) => Err(ProblemRefusal::Mistake {
                message: "The instance found does not satisfy the problem.".to_string(),
            }),
            Err(refusal) => Err(refusal),
        }
    }

    /// Demands an edge for good if that is possible, otherwise its opposite; says which.
    fn prefer(
        &mut self,
        edge: CircuitEdge,
        holds: bool,
        best: &mut Instance,
        budget: &Budget,
    ) -> SearchResult<bool> {
        if edge == CircuitEdge::TRUE || edge == CircuitEdge::FALSE {
            return Ok(edge == CircuitEdge::TRUE);
        }
        let circuit = &self.translator.circuit;
        let wanted = self.clauses.demand(circuit, edge, &mut self.solver);
        // What `best` shows to be possible need not be asked.
        let mut possible = holds;
        if !holds && let Some(instance) = self.solve_again(&[wanted], budget)? {
            *best = instance;
            possible = true;
        }
        let demanded = match possible {
            true => wanted,
            false => {
                let circuit = &self.translator.circuit;
                self.clauses.demand(circuit, !edge, &mut self.solver)
            }
        };
        self.solver.add_clause(&[demanded]);
        Ok(possible)
    }

    fn packed(
        &self,
        expr: RelExprId,
        instance: &Instance,
        budget: &Budget,
    ) -> SearchResult<Vec<u64>> {
        let mut evaluator = RelEvaluator::new(self.problem, instance, budget)?;
        Ok(evaluator.tuples(expr)?.packed().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use wherefore_sat::{Batsat, Strongest};

    use super::*;
    use crate::{Integers, Problem, SearchOptions, Universe};

    /// The pairs of a relation between four atoms that has just one pair from each of two sets, without symmetry.
    fn chosen<S: Solver>(wish: fn(RelExprId) -> SettleWish) -> Vec<String> {
        let universe = Universe::new(["a", "b", "c", "d"]);
        let all = universe.everything();
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let set = problem.relation("set", universe.no_tuples(1), all.clone());
        let (set, univ) = (problem.rel(set), problem.univ());
        let first: Vec<_> = all.iter().map(|row| row[0]).collect();
        let constant = problem.constant("bd", universe.set([first[1], first[3]]));
        let constant = problem.rel(constant);
        let common = problem.intersection(set, constant);
        let one = problem.one(common);
        let rest = problem.difference(univ, set);
        let some = problem.some(rest);
        problem.require(one);
        problem.require(some);
        let budget = Budget::unlimited();
        let options = SearchOptions {
            symmetry: 0,
            ..SearchOptions::default()
        };
        let mut search = Search::<S>::new(&problem, &options, &budget).expect("it is small");
        let any = search.at_most(&[], &budget).expect("no limit");
        let any = any.expect("there are instances");
        let wishes = [wish(set), wish(common)];
        let best = search.settle(any, &wishes, &budget).expect("no limit");
        let mut evaluator = RelEvaluator::new(&problem, &best, &budget).expect("it is small");
        let rows = evaluator.tuples(set).expect("it is a set");
        let names = rows.iter().map(|row| universe.name(row[0]).to_string());
        names.collect()
    }

    #[test]
    fn wishes_are_fulfilled_in_their_order_whoever_solves() {
        assert_eq!(chosen::<Batsat>(SettleWish::Without), ["d"]);
        assert_eq!(chosen::<Strongest>(SettleWish::Without), ["d"]);
        let first = chosen::<Batsat>(SettleWish::First);
        assert_eq!(first[..2], ["a".to_string(), "b".to_string()]);
        assert!(!chosen::<Strongest>(SettleWish::Some).is_empty());
    }
}
