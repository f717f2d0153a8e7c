//! Numbers of steps: the fewest and the most between two conditions.
//!
//! The quantitative questions of Campos, Clarke, Marrero and Minea (1995), over the states that have a
//! fair path. The fewest steps are found by going forward from the start in layers; the most by taking
//! away, layer by layer, the states from which no path stays clear of the goal for that long.

use wherefore_base::Run;
use wherefore_logic::PathRule;
use wherefore_model::Distance;
use wherefore_proof::{Finding, Quantity, UnknownReason, Verdict};
use wherefore_space::StateSpace;

use crate::investigate::Investigator;

impl<S: StateSpace> Investigator<'_, S> {
    /// Answers a question for a number of steps.
    pub(crate) fn measure(&self, distance: Distance, finding: &mut Finding) {
        self.checker.space().budget().phase("checking");
        match self.quantity(distance) {
            Ok(quantity) => {
                finding.quantity = Some(quantity);
                finding.verdict = Verdict::Holds;
            }
            Err(stop) => finding.verdict = Verdict::Unknown(UnknownReason::Stopped(stop)),
        }
        if let Ok(notes) = self.notes(PathRule::FairInfinite, &|| Ok(true)) {
            finding.notes = notes;
        }
    }

    fn quantity(&self, distance: Distance) -> Run<Quantity> {
        let space = self.checker.space();
        let fair = self.checker.fair()?;
        let from = space.meet(&space.states_where(distance.from)?, fair)?;
        let to = space.meet(&space.states_where(distance.to)?, fair)?;
        if space.is_empty(&from) {
            return Ok(Quantity::Undefined);
        }
        match distance.longest {
            true => self.most(&from, &to),
            false => self.fewest(from, &to),
        }
    }

    fn fewest(&self, from: S::Set, to: &S::Set) -> Run<Quantity> {
        let space = self.checker.space();
        let fair = self.checker.fair()?;
        let (mut layer, mut seen, mut steps) = (from.clone(), from, 0);
        while !space.is_empty(&layer) {
            space.budget().check()?;
            if !space.is_empty(&space.meet(&layer, to)?) {
                return Ok(Quantity::Steps(steps));
            }
            let next = space.meet(&space.post(&layer)?, fair)?;
            layer = space.minus(&next, &seen)?;
            seen = space.join(&seen, &layer)?;
            steps += 1;
        }
        Ok(Quantity::Infinite)
    }

    fn most(&self, from: &S::Set, to: &S::Set) -> Run<Quantity> {
        let space = self.checker.space();
        let clear = space.minus(self.checker.fair()?, to)?;
        // States from which some path stays clear of the goal for this many further steps.
        let (mut staying, mut steps) = (clear.clone(), 0);
        loop {
            space.budget().check()?;
            if space.is_empty(&space.meet(from, &staying)?) {
                return Ok(Quantity::Steps(steps));
            }
            let further = space.meet(&clear, &space.pre(&staying)?)?;
            // The set does not shrink any more, so a path from it stays clear for ever.
            if further == staying {
                return Ok(Quantity::Infinite);
            }
            staying = further;
            steps += 1;
        }
    }
}
