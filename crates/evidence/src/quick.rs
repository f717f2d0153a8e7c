//! A counterexample at little cost, for those who show it to nobody.

use wherefore_base::Run;
use wherefore_logic::{Goal, PathRule};
use wherefore_model::PropertyBody;
use wherefore_proof::{Claim, Evidence};
use wherefore_space::StateSpace;

use crate::build::build;
use crate::case::ProofCase;
use crate::choose::quick_start;
use crate::investigate::Investigator;

impl<S: StateSpace> Investigator<'_, S> {
    /// Whether some run ends, or no fair one starts in an initial state: then properties may hold for want of runs.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn lacks_runs(&self) -> Run<bool> {
        let space = self.checker.space();
        let counted = self.checker.counted(PathRule::FairInfinite)?;
        Ok(space.is_empty(&counted) || !space.is_empty(self.checker.dead()?))
    }

    /// Whether a property of states and the paths from them holds, and a counterexample if it does not: any one,
    /// neither shortest nor replayed. `None` for other properties.
    ///
    /// # Errors
    /// When the budget ends.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn quick_counterexample(&self, property: usize) -> Run<Option<Result<(), Evidence>>> {
        let space = self.checker.space();
        let PropertyBody::Query(query) = &space.model().properties[property].body else {
            return Ok(None);
        };
        let solution = self.checker.solve(query)?;
        let failing = self.checker.failing(query, &solution)?;
        if space.is_empty(&failing) {
            return Ok(Some(Ok(())));
        }
        let case = ProofCase::new(&self.checker, query, &solution);
        let goal = Goal {
            sub: query.formula.root(),
            holds: false,
        };
        let claim = Claim::Formula(goal, None);
        let (start, _) = quick_start(&case, claim, &failing)?;
        let plan = case.greedy(claim, &start)?;
        let planner = |claim: Claim, state: &S::State| Ok((case.greedy(claim, state)?, false));
        let built = build(&case, claim, &start, &plan, &planner)?;
        Ok(Some(Err(built.evidence)))
    }
}
