//! The facts of a model, sorted by what they say of states.

use wherefore_alloy::AlloyModel;
use wherefore_alloy::model::{AlloyTermId, AlloyTermKind, AlloyVarId, SigId};

use crate::definition::{DefinedPart, definition, enough_for_step, is_enough_for_step, of_steps};
use crate::fairness::{self, Fair, FairnessConstraint};
use crate::local::Locality;
use crate::misfit::TcmcMisfit;
use crate::reading::{OfPairs, TcmcModule, states_for_all};

/// The variables that stand for the present state and the next one, and what is said of them.
pub(crate) type StepBody = (AlloyVarId, AlloyVarId, AlloyTermId);

/// The facts of a model by what they say.
#[derive(Default)]
pub(crate) struct SortedFacts {
    /// What an initial state is.
    pub(crate) initial: Option<(AlloyVarId, AlloyTermId)>,
    /// What a step is.
    pub(crate) step: Option<StepBody>,
    /// Which states must come again and again.
    pub(crate) fair: Vec<Fair>,
    /// What every state satisfies.
    pub(crate) invariants: Vec<(AlloyVarId, AlloyTermId)>,
    /// What is said of pairs of states.
    pub(crate) pairs: Vec<OfPairs>,
    /// What is said of every step.
    pub(crate) promised: Vec<StepBody>,
    /// What is said to be enough for a step.
    pub(crate) enough: Vec<StepBody>,
    /// What is said without states.
    pub(crate) still: Vec<AlloyTermId>,
    /// What is said of all states at once, with what makes it so.
    pub(crate) whole: Vec<(AlloyTermId, TcmcMisfit)>,
}

/// Sorts the facts of a model.
pub(crate) struct FactSorter<'m> {
    pub(crate) model: &'m AlloyModel,
    pub(crate) module: &'m TcmcModule,
    pub(crate) state: SigId,
    pub(crate) locality: Locality<'m>,
}

impl FactSorter<'_> {
    pub(crate) fn sort(&self, term: AlloyTermId, facts: &mut SortedFacts) {
        let (model, module, state) = (self.model, self.module, self.state);
        if let Some(one) = fairness::definition(model, module, state, term) {
            facts.fair.push(one);
            return;
        }
        match definition(model, module, state, term) {
            // What is defined again must be so in the states that can be reached.
            Some(DefinedPart::Initial(_, body)) if facts.initial.is_some() => {
                facts
                    .whole
                    .push((term, self.twice("The initial states", body)));
            }
            Some(DefinedPart::Step(_, _, body)) if facts.step.is_some() => {
                facts.whole.push((term, self.twice("The steps", body)));
            }
            Some(DefinedPart::Initial(s, body)) => facts.initial = Some((s, body)),
            Some(DefinedPart::Step(s, t, body)) => facts.step = Some((s, t, body)),
            Some(DefinedPart::Fair(s, body)) => {
                let of = FairnessConstraint::Only;
                facts.fair.push(Fair { of, s, body });
            }
            None => self.sort_condition(term, facts),
        }
    }

    /// Sorts a fact that defines nothing.
    fn sort_condition(&self, term: AlloyTermId, facts: &mut SortedFacts) {
        let (model, module) = (self.model, self.module);
        let Some((vars, body)) = states_for_all(model, self.state, term) else {
            match self.locality.body(term) {
                Ok(()) => facts.still.push(term),
                Err(misfit) => facts.whole.push((term, misfit)),
            }
            return;
        };
        let step = of_steps(model, module, &vars, body);
        if let Err(misfit) = self.locality.body(step.map_or(body, |step| step.2)) {
            let enough = enough_for_step(model, module, &vars, body);
            facts.enough.extend(enough);
            facts.whole.push((term, misfit));
            return;
        }
        match (step, &vars[..]) {
            (Some(step), _) => facts.promised.push(step),
            (None, &[s]) => facts.invariants.push((s, body)),
            (None, &[s, t]) => facts.pairs.push(OfPairs {
                fact: term,
                states: (s, t),
                body,
            }),
            (None, _) => {
                let message = "This fact speaks of more than two states at once";
                let misfit = TcmcMisfit::new(model.terms[term].span, message);
                facts.whole.push((term, misfit));
            }
        }
    }

    /// What a step is: as it is defined, or as implications in both directions say.
    pub(crate) fn step(&self, facts: &mut SortedFacts) -> Result<StepBody, TcmcMisfit> {
        match (facts.step, &facts.promised[..]) {
            (Some(step), _) => {
                // Beside a definition they are facts like others, which `whole` has as well.
                facts.enough.clear();
                Ok(step)
            }
            (None, &[said]) if !facts.enough.is_empty() => {
                for &(_, _, body) in &facts.enough {
                    self.locality.body(body)?;
                }
                facts.promised.clear();
                facts.whole.retain(|(term, _)| {
                    !is_enough_for_step(self.model, self.module, self.state, *term)
                });
                Ok(said)
            }
            (None, &[(_, _, said), ..]) => {
                let message = "This says what every step satisfies, and nothing says which pairs of states are steps";
                Err(TcmcMisfit::new(self.model.terms[said].span, message))
            }
            (None, []) => Err(self.missing(facts, "nextState", "the steps")),
        }
    }

    /// That no fact defines something, at the first fact that reads its name.
    pub(crate) fn missing(&self, facts: &SortedFacts, name: &str, what: &str) -> TcmcMisfit {
        let mut said = facts.whole.iter().map(|(term, _)| *term);
        let about = said.find(|&term| reads(self.model, self.module, term, name));
        let span = about.map_or(self.model.sigs[self.state].span, |term| {
            self.model.terms[term].span
        });
        let message =
            format!("No fact that is read says with `iff`, for every state, what {what} are");
        TcmcMisfit::new(span, message)
    }

    fn twice(&self, what: &str, body: AlloyTermId) -> TcmcMisfit {
        let message = format!("{what} are defined a second time here");
        TcmcMisfit::new(self.model.terms[body].span, message)
    }
}

/// Whether a formula reads the value of a function of the module.
fn reads(model: &AlloyModel, module: &TcmcModule, term: AlloyTermId, name: &str) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        let kind = &model.terms[term].kind;
        if matches!(kind, AlloyTermKind::Call(function, _) if module.function(model, *function) == Some(name))
        {
            return true;
        }
        open.extend(kind.operands());
    }
    false
}
