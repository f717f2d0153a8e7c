//! Facts about all states at once, looked at in the states of a complete system that can be reached.

use wherefore_alloy::Choices;
use wherefore_alloy::model::Command;
use wherefore_base::{Budget, Value};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, Limits};
use wherefore_tcmc::{Misfit, Reading, System, broken_fact};

use super::AlloySession;

/// Facts about all states are looked at in systems of no more states.
const MOST_STATES: usize = 100;

impl AlloySession {
    /// Makes sure that what the facts say of all states at once is true of those that can be reached.
    ///
    /// # Errors
    /// When it is not, when there are too many of them, or when the budget ends.
    pub(super) fn together(
        &self,
        reading: &Reading,
        system: &System,
        asked: (&Command, &Choices),
        budget: &Budget,
    ) -> Result<(), Misfit> {
        let model = self.model();
        let Some((_, unfit)) = reading.whole.first() else {
            return Ok(());
        };
        let limits = Limits {
            states: MOST_STATES,
            transitions: MOST_STATES * MOST_STATES,
        };
        let Ok(space) = Explicit::explore(&system.model, limits, budget)? else {
            return Err(unfit.clone());
        };
        // Counters beside the fields make no state of the model.
        let (mut states, mut texts) = (Vec::new(), Vec::new());
        let mut steps: Vec<(String, String)> = Vec::new();
        for state in space.listed(space.reachable()) {
            let state = state?;
            let values: Vec<Value> = space.values(&state);
            let text = system.text(&values);
            for next in space.successors(&state)? {
                steps.push((text.clone(), system.text(&space.values(&next?))));
            }
            if !texts.contains(&text) {
                texts.push(text);
                states.push(values);
            }
        }
        let broken = broken_fact(model, reading, (system, &states), asked, budget)?;
        let Some(broken) = broken else {
            return Ok(());
        };
        let state = broken.state.map(|place| &texts[place]);
        let step = state.and_then(|state| steps.iter().find(|(_, to)| to == state));
        let would = match (state, step) {
            (_, Some((from, to))) => format!(", and would cut the step from ({from}) to ({to})"),
            (Some(state), None) => format!(", and would take away the initial state ({state})"),
            (None, None) => String::new(),
        };
        let message = format!(
            "This fact is false of the {} states that can be reached{would}: the facts are inconsistent, or do not \
             define one system",
            states.len()
        );
        let span = model.terms[broken.fact].span;
        Err(Misfit::Shape { message, span })
    }
}
