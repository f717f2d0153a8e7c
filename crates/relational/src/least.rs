//! The instance in which some expressions have the fewest tuples.
//!
//! A sorting network counts the tuples of an expression (Bailleux and Boufkhad 2003); a solver that keeps
//! what it learned is asked for fewer and fewer, until there is no instance. So the least number is proved.

use wherefore_base::Budget;
use wherefore_sat::{CircuitEdge, Lit, SatAnswer, Solver};

use crate::evaluator::RelEvaluator;
use crate::instance::Instance;
use crate::matrix::Gates;
use crate::refusal::{ProblemRefusal, SearchResult};
use crate::search::Search;
use crate::terms::RelExprId;
use crate::translate::ProblemTranslator;

/// An instance that is least, and how many tuples the expressions have in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Least {
    /// The instance, which the evaluator has checked.
    pub instance: Instance,
    /// For each measure its least number, given those before.
    pub counts: Vec<usize>,
}

impl<S: Solver> Search<'_, S> {
    /// An instance in which the first expression has as few tuples as in any, among those the second, and
    /// so on; none if there is no instance. Instances with more tuples are not given any more afterwards.
    ///
    /// # Errors
    /// When the budget ends; what was found until then is lost.
    pub fn least(
        &mut self,
        measures: &[RelExprId],
        budget: &Budget,
    ) -> SearchResult<Option<Least>> {
        let Some(mut best) = self.solve_again(&[], budget)? else {
            return Ok(None);
        };
        let mut counts = Vec::with_capacity(measures.len());
        for &measure in measures {
            let more = self.translator.at_least(measure)?;
            let mut count = self.count(measure, &best, budget)?;
            while count > 0 {
                let fewer = self.bound(&more, count - 1);
                match self.solve_again(&fewer, budget)? {
                    Some(instance) => {
                        // The instance may have even fewer than were asked for, which saves questions.
                        count = self.count(measure, &instance, budget)?;
                        best = instance;
                    }
                    None => break,
                }
            }
            // Measures that come later must not spoil this one.
            for lit in self.bound(&more, count) {
                self.solver.add_clause(&[lit]);
            }
            counts.push(count);
        }
        let checked = RelEvaluator::new(self.problem, &best, budget)?.all_hold();
        match checked {
            Ok(true) | Err(ProblemRefusal::TooLarge { .. }) => Ok(Some(Least {
                instance: best,
                counts,
            })),
            Ok(false) => Err(ProblemRefusal::Mistake {
                message: "The instance found does not satisfy the problem.".to_string(),
            }),
            Err(refusal) => Err(refusal),
        }
    }

    /// Demands that an expression has at most so many tuples.
    pub(crate) fn bound_for_good(&mut self, measure: RelExprId, most: usize) -> SearchResult<()> {
        let more = self.translator.at_least(measure)?;
        for lit in self.bound(&more, most) {
            self.solver.add_clause(&[lit]);
        }
        Ok(())
    }

    pub(crate) fn solve_again(
        &mut self,
        assumed: &[Lit],
        budget: &Budget,
    ) -> SearchResult<Option<Instance>> {
        match self.solver.solve(assumed, budget)? {
            SatAnswer::Unsat => Ok(None),
            SatAnswer::Sat => Ok(Some(self.instance_found())),
        }
    }

    fn count(&self, expr: RelExprId, instance: &Instance, budget: &Budget) -> SearchResult<usize> {
        let mut evaluator = RelEvaluator::new(self.problem, instance, budget)?;
        Ok(evaluator.tuples(expr)?.len())
    }

    /// Literals that say that there are at most so many.
    fn bound(&mut self, more: &[CircuitEdge], most: usize) -> Vec<Lit> {
        // The first edge says that there is at least one tuple, so this one says that there are more than
        // `most`.
        let over = more.get(most).copied();
        let over = over.filter(|edge| *edge != CircuitEdge::FALSE);
        let circuit = &self.translator.circuit;
        let lit = over.map(|edge| self.clauses.demand(circuit, !edge, &mut self.solver));
        lit.into_iter().collect()
    }
}

impl ProblemTranslator<'_> {
    /// For each number from one on, whether an expression has at least so many tuples.
    fn at_least(&mut self, expr: RelExprId) -> SearchResult<Vec<CircuitEdge>> {
        let matrix = self.expr(expr)?;
        let mut parts: Vec<Vec<CircuitEdge>> = matrix.edges().map(|edge| vec![edge]).collect();
        while parts.len() > 1 {
            let mut merged = Vec::with_capacity(parts.len().div_ceil(2));
            for pair in parts.chunks(2) {
                merged.push(match pair {
                    [a, b] => self.merged(a, b)?,
                    _ => pair[0].clone(),
                });
            }
            parts = merged;
        }
        Ok(parts.pop().unwrap_or_default())
    }

    /// Two counts in one: at least `i` of these and `j` of those are at least `i + j`.
    fn merged(&mut self, a: &[CircuitEdge], b: &[CircuitEdge]) -> SearchResult<Vec<CircuitEdge>> {
        let mut sums: Vec<Vec<CircuitEdge>> = vec![Vec::new(); a.len() + b.len()];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                self.tick()?;
                if i + j > 0 {
                    let left = i.checked_sub(1).map_or(CircuitEdge::TRUE, |i| a[i]);
                    let right = j.checked_sub(1).map_or(CircuitEdge::TRUE, |j| b[j]);
                    sums[i + j - 1].push(self.circuit.and(left, right));
                }
            }
        }
        let circuit = &mut self.circuit;
        let sums = sums
            .into_iter()
            .map(|ways| crate::matrix::any(circuit, ways));
        Ok(sums.collect())
    }
}

#[cfg(test)]
mod tests {
    use wherefore_sat::Batsat;

    use super::*;
    use crate::{Integers, Problem, RelDecl, SearchOptions, Universe};

    #[test]
    fn the_least_cover_is_found_and_its_size_is_proved() {
        // Every atom but the last has a next one, and none is its own.
        let universe = Universe::new(["a", "b", "c", "d"]);
        let all = universe.everything();
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let next = problem.relation("next", universe.no_tuples(2), all.product(&all));
        let next = problem.rel(next);
        let x = problem.variable("x", 1, None);
        let (atom, univ) = (problem.var(x), problem.univ());
        let after = problem.join(atom, next);
        let (some, own) = (problem.some(after), problem.is_in(atom, after));
        let other = problem.not(own);
        let both = problem.and([some, other]);
        let each = problem.all([RelDecl::one(x, univ)], both);
        problem.require(each);
        let targets = problem.join(univ, next);
        let budget = Budget::unlimited();
        for (measures, counts) in [
            (vec![next, targets], vec![4, 2]),
            (vec![targets, next], vec![2, 4]),
        ] {
            let search = Search::<Batsat>::new(&problem, &SearchOptions::default(), &budget);
            let least = search.expect("it is small").least(&measures, &budget);
            let least = least.expect("no limit").expect("there are instances");
            assert_eq!(least.counts, counts);
        }
    }
}
