//! What a labelled transition system can do, apart from its properties.

use std::collections::BTreeSet;

use wherefore_base::{Budget, Run};
use wherefore_model::lts::{Lts, StateId};

/// What a system can do, apart from its properties.
#[derive(Clone, Default, Debug)]
pub(super) struct Behaviour {
    /// Whether some reachable state has no step.
    pub(super) ends: bool,
    /// Whether internal steps can go on for ever.
    pub(super) diverges: bool,
    /// The visible labels of steps that can be reached.
    pub(super) labels: BTreeSet<String>,
}

/// What a system can do from its initial state on.
pub(super) fn behaviour(lts: &Lts, budget: &Budget) -> Run<Behaviour> {
    let mut meter = budget.meter();
    let mut found = Behaviour::default();
    let mut seen = vec![false; lts.states()];
    let mut order: Vec<StateId> = vec![lts.initial()];
    seen[lts.initial().index()] = true;
    // How many internal steps enter each state from those that are reached.
    let mut entered = vec![0u32; lts.states()];
    let mut labels = vec![false; lts.labels().len()];
    let mut at = 0;
    while at < order.len() {
        let steps = lts.steps(order[at]);
        found.ends |= steps.is_empty();
        for step in steps {
            meter.tick()?;
            labels[step.label.index()] = true;
            if lts.labels()[step.label].internal {
                entered[step.to.index()] += 1;
            }
            if !std::mem::replace(&mut seen[step.to.index()], true) {
                order.push(step.to);
            }
        }
        at += 1;
    }
    let labelled = lts.labels().iter().zip(&labels);
    let labelled = labelled.filter(|(label, used)| **used && !label.internal);
    found.labels = labelled.map(|(label, _)| label.text.clone()).collect();
    // States that no internal step enters are taken away until none is left; what stays is on or behind a loop.
    let reached = order.len();
    let mut free: Vec<StateId> = order;
    free.retain(|state| entered[state.index()] == 0);
    let mut taken = 0;
    while let Some(state) = free.pop() {
        taken += 1;
        for step in lts.steps(state) {
            meter.tick()?;
            if lts.labels()[step.label].internal {
                entered[step.to.index()] -= 1;
                if entered[step.to.index()] == 0 {
                    free.push(step.to);
                }
            }
        }
    }
    found.diverges = taken < reached;
    Ok(found)
}
