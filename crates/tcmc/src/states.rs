//! The states of a model as records, for commands that are solved in their scopes.

use wherefore_alloy::{AlloyModel as Alloy, LoweredCommand};

use crate::reading::TcmcModule;

/// Tells a problem that states are known by their fields, so that they are ordered by these instead of
/// being exchanged. It is no promise: whether states with equal fields are equal is asked of the facts.
pub fn order_states(alloy: &Alloy, lowered: &mut LoweredCommand) {
    let Some(module) = TcmcModule::of(alloy) else {
        return;
    };
    if let Some(state) = module.states(alloy) {
        let elements = lowered.states[0].sigs[state.index()];
        let goal = lowered.problem.requirements()[lowered.facts..].to_vec();
        lowered.problem.take_as_records(elements, &goal);
    }
}
