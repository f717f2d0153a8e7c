//! Plans for paths that follow an added rule as a whole, looking ahead.

use wherefore_base::Run;
use wherefore_space::StateSpace;

use crate::Claim;
use crate::case::Case;
use crate::plan::PlanRef;
use crate::strategy::{Guide, Rules};

impl<S: StateSpace> Case<'_, '_, S> {
    /// Of the states where a proof may start, those that added rules like best.
    pub(crate) fn liked_starts(&self, starts: &S::Set, rules: &Rules) -> Run<S::Set> {
        let mut starts = starts.clone();
        for guide in &rules.added {
            let Guide::Where(condition, truth) = guide else {
                continue;
            };
            let set = self.condition(*condition)?;
            let liked = match truth {
                true => self.space.meet(&starts, &set)?,
                false => self.space.minus(&starts, &set)?,
            };
            if !self.space.is_empty(&liked) {
                starts = liked;
            }
        }
        Ok(starts)
    }

    /// A plan for a path claim that is so at a state, made by an added rule; `None` when the rule is
    /// about single steps, or has nothing to offer here.
    pub(crate) fn guided(
        &self,
        _claim: Claim,
        _at: &S::State,
        guide: &Guide,
    ) -> Run<Option<PlanRef<S::State>>> {
        match guide {
            Guide::Where(..) | Guide::Explored(_) | Guide::Here => Ok(None),
            Guide::Along(_) | Guide::Through(_) | Guide::Loop(_) | Guide::Start(_) => Ok(None),
        }
    }
}
