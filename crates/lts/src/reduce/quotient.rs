//! Systems numbered breadth first: the reachable part, and one state for each class of states.

use wherefore_base::{Budget, Run};
use wherefore_model::lts::{ActionLabel, LabelId, Lts, LtsStep, StateId};

/// The reachable part of a system, its states numbered breadth first in the order of labels, and
/// without labels that have no transition.
///
/// # Errors
/// When the budget ends first.
pub fn reachable(lts: &Lts, budget: &Budget) -> Run<Lts> {
    Ok(reachable_from(lts, budget)?.0)
}

/// The same, with the number that each state had.
pub(crate) fn reachable_from(lts: &Lts, budget: &Budget) -> Run<(Lts, Vec<StateId>)> {
    breadth_first(lts, lts.states(), |state| state.index(), budget)
}

/// One state for each reachable class. States of one class must have the same labels into the same
/// classes.
pub(super) fn quotient(lts: &Lts, classes: &[u32], budget: &Budget) -> Run<Lts> {
    let count = classes.iter().max().map_or(0, |&last| last as usize + 1);
    let class_of = |state: StateId| classes[state.index()] as usize;
    Ok(breadth_first(lts, count, class_of, budget)?.0)
}

/// Each class is seen through the state of it that is found first; these states are returned, too.
fn breadth_first(
    lts: &Lts,
    classes: usize,
    class_of: impl Fn(StateId) -> usize,
    budget: &Budget,
) -> Run<(Lts, Vec<StateId>)> {
    const UNSEEN: u32 = u32::MAX;
    let mut meter = budget.meter();
    let mut number = vec![UNSEEN; classes];
    let mut found = vec![lts.initial()];
    number[class_of(lts.initial())] = 0;
    let mut starts = vec![0u32];
    let mut steps: Vec<LtsStep> = Vec::new();
    let mut at = 0;
    while at < found.len() {
        let first = steps.len();
        for step in lts.steps(found[at]) {
            meter.tick()?;
            let class = class_of(step.to);
            if number[class] == UNSEEN {
                number[class] = found.len() as u32;
                found.push(step.to);
            }
            let to = StateId::new(number[class] as usize);
            steps.push(LtsStep { to, ..*step });
        }
        // Several states of one class may be entered with one label.
        steps[first..].sort_unstable();
        dedup_from(&mut steps, first);
        starts.push(steps.len() as u32);
        at += 1;
    }
    let labels = lts.labels().as_slice();
    let lts = with_used_labels(labels, StateId::new(0), starts, steps);
    Ok((lts, found))
}

/// A system from its rows, without the labels that no step has.
pub(crate) fn with_used_labels(
    labels: &[ActionLabel],
    initial: StateId,
    starts: Vec<u32>,
    mut steps: Vec<LtsStep>,
) -> Lts {
    let mut used = vec![false; labels.len()];
    for step in &steps {
        used[step.label.index()] = true;
    }
    let mut number = vec![LabelId::new(0); labels.len()];
    let mut kept: Vec<ActionLabel> = Vec::new();
    // Labels keep their order, so rows stay sorted.
    for (label, _) in used.iter().enumerate().filter(|(_, used)| **used) {
        number[label] = LabelId::new(kept.len());
        kept.push(labels[label].clone());
    }
    for step in &mut steps {
        step.label = number[step.label.index()];
    }
    Lts::from_rows(kept, initial, starts, steps)
}

/// Removes repeated neighbours from a place on.
pub(crate) fn dedup_from(steps: &mut Vec<LtsStep>, first: usize) {
    let mut kept = first;
    for at in first..steps.len() {
        if kept == first || steps[kept - 1] != steps[at] {
            steps[kept] = steps[at];
            kept += 1;
        }
    }
    steps.truncate(kept);
}
