//! The smallest sub-goal.

use wherefore_base::{IndexVec, Run};
use wherefore_logic::{Formula, Op, SubId};
use wherefore_proof::{Claim, ProofId};

use super::steps::ShortestSteps;
use crate::strategy::{Proof, Strategy, Way};

/// Takes the way that leaves the fewest temporal operators to be shown (Chechik and Gurfinkel 2005,
/// Fig. 7d): of `p | EF q` where both are true it shows `p`, and a path ends as soon as it may.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmallestGoal;

impl Strategy for SmallestGoal {
    fn pick_rule(&mut self, proof: &dyn Proof, _: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let operators = operators(&proof.query().formula);
        let size = |claim: &Claim| match claim {
            Claim::Formula(goal, _) => operators[goal.sub],
            // That a path goes on is `EG TRUE`.
            Claim::HasPath => 1,
        };
        let mut smallest = ShortestSteps::new();
        for (number, way) in ways.iter().enumerate() {
            let sizes = way.premises.iter().map(|premise| size(&premise.claim));
            smallest.see(number, sizes.fold(0, u64::saturating_add));
        }
        Ok(smallest.ways)
    }
}

/// How many temporal operators each sub-formula has, each occurrence counted.
fn operators(formula: &Formula) -> IndexVec<SubId, u64> {
    let mut counts: IndexVec<SubId, u64> = IndexVec::new();
    // Operands come before what they are part of.
    for sub in formula.subs() {
        let op = formula.op(sub);
        let below = op.operands().map(|operand| counts[operand]);
        let below = below.fold(0, u64::saturating_add);
        counts.push(below.saturating_add(u64::from(matches!(op, Op::Path(..)))));
    }
    counts
}
