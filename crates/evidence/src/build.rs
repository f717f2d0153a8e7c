//! Growing a whole proof by plans.

use wherefore_base::{IndexVec, Run};
use wherefore_proof::{Claim, Evidence, OccurrenceId, ProofId, WishOutcome};
use wherefore_space::StateSpace;

use crate::case::ProofCase;
use crate::plan::PlanRef;
use crate::plans::{Plans, ProofPlanner};
use crate::prover::ProofBuilder;

/// An evidence, written out.
pub(crate) struct BuiltEvidence<T> {
    pub(crate) evidence: Evidence,
    /// The state of each occurrence.
    pub(crate) states: IndexVec<OccurrenceId, T>,
    /// Whether every branch is known to be shortest.
    pub(crate) branches_shortest: bool,
    /// What became of each wish that it was chosen by.
    pub(crate) wishes: Vec<WishOutcome>,
}

/// Writes a plan for a claim at a start state out.
pub(crate) fn build<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    start: &S::State,
    plan: &PlanRef<S::State>,
    planner: &ProofPlanner<'_, S::State>,
) -> Run<BuiltEvidence<S::State>> {
    let mut prover = ProofBuilder::new(case, claim, start);
    let mut plans = Plans::new(planner);
    plans.replace(ProofId::new(0), plan.clone(), None);
    while let Some(&leaf) = prover.grown.leaves.front() {
        case.space.budget().check()?;
        plans.follow(&mut prover, leaf)?;
    }
    let told = prover.tell()?;
    Ok(BuiltEvidence {
        evidence: told.evidence,
        states: told.states,
        branches_shortest: plans.shortest,
        wishes: vec![],
    })
}
