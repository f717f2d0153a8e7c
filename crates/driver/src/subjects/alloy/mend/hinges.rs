//! Whether an instance that a command should not have hinges on a formula of the text.
//!
//! The formula is freed: it may be anything, and another thing for each value of the variables around it. If the facts and the goal
//! of the command are true in the instance still, it stays an instance whatever stands there, and no change there mends the
//! command.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_alloy::model::FunctionId;
use wherefore_alloy::{AlloyChange, used_by};
use wherefore_base::{Budget, Run, Span};
use wherefore_relational::{FreedFormulas, RelEvaluator};

use super::Kept;
use crate::subjects::alloy::{AlloyOptions, AlloySubject, CommandQuestion};

/// What the unwanted instances of a command hinge on.
pub(super) struct InstanceHinges<'a> {
    /// The command, with the place of every formula.
    question: Option<CommandQuestion<'a>>,
    /// The predicates and functions that the command and the facts use.
    used: BTreeSet<FunctionId>,
    /// By formulas: how many instances were looked at, and whether one of them does not hinge on these.
    known: BTreeMap<Vec<Span>, (usize, bool)>,
}

impl<'a> InstanceHinges<'a> {
    pub(super) fn of(subject: &'a AlloySubject, command: usize, choices: &AlloyOptions) -> Self {
        let mut choices = choices.clone();
        choices.lowering.places = true;
        Self {
            question: subject.question(command, &choices).ok(),
            used: used_by(subject.model(), [&subject.commands()[command]]),
            known: BTreeMap::new(),
        }
    }

    /// Whether no changes at the places of these mend the command: one of the instances stays one whatever stands there, or
    /// neither the command nor a fact uses the places.
    pub(super) fn excludes(
        &mut self,
        changes: &[&AlloyChange],
        unwanted: &[Kept],
        budget: &Budget,
    ) -> Run<bool> {
        let places = match self.places(changes) {
            Some(places) if places.is_empty() => return Ok(true),
            Some(places) => places,
            None => return Ok(false),
        };
        let (looked, excluded) = self.known.get(&places).copied().unwrap_or_default();
        if excluded {
            return Ok(true);
        }
        for (at, kept) in unwanted.iter().enumerate().skip(looked) {
            let stays = self.stays(&places, kept, budget)?;
            self.known.insert(places.clone(), (at + 1, stays));
            if stays {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same, as far as it is known already.
    pub(super) fn is_known_to_exclude(&self, change: &AlloyChange) -> bool {
        match self.places(&[change]) {
            Some(places) if places.is_empty() => true,
            Some(places) => self.known.get(&places).is_some_and(|known| known.1),
            None => false,
        }
    }

    /// Whether the command or a fact uses what a change changes.
    pub(super) fn uses(&self, change: &AlloyChange) -> bool {
        (change.function).is_none_or(|function| self.used.contains(&function))
    }

    /// The formulas that changes are within, without those that nothing uses; none if a change is within no formula.
    fn places(&self, changes: &[&AlloyChange]) -> Option<Vec<Span>> {
        let used = changes.iter().filter(|change| self.uses(change));
        let mut places = used
            .map(|change| change.within)
            .collect::<Option<Vec<Span>>>()?;
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    /// Whether an instance is one whatever stands at some places.
    fn stays(&self, places: &[Span], (problem, instance): &Kept, budget: &Budget) -> Run<bool> {
        budget.check()?;
        let Some(Ok(lowered)) = self.question.as_ref().map(|q| q.lowered(*problem)) else {
            return Ok(false);
        };
        let problem = &lowered.problem;
        if instance.values().len() != problem.relations().len() || !instance.fits(problem) {
            return Ok(false);
        }
        let freed = FreedFormulas::within(problem, places);
        if !freed.is_used() {
            return Ok(false);
        }
        let Ok(mut evaluator) = RelEvaluator::new(problem, instance, budget) else {
            return Ok(false);
        };
        let stays = evaluator.all_hold_whatever(&freed);
        budget.check()?;
        Ok(stays.unwrap_or(false))
    }
}

#[cfg(test)]
#[path = "hinges_tests.rs"]
mod tests;
