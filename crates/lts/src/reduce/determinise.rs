//! The deterministic system with the same traces: its states are the sets of states that a trace can lead
//! to. There can be exponentially many.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::Budget;
use wherefore_model::lts::{Lts, LtsStep, StateId};

use crate::LtsHalt;
use crate::halt::counted;

use super::quotient::with_used_labels;

/// The subset construction. All labels are taken as visible.
pub(super) fn determinise(lts: &Lts, budget: &Budget) -> Result<Lts, LtsHalt> {
    let mut meter = budget.meter();
    let initial: Rc<[u32]> = Rc::from([lts.initial().index() as u32]);
    let mut sets = vec![Rc::clone(&initial)];
    let mut known = FxHashMap::default();
    known.insert(initial, 0u32);
    let mut starts = vec![0u32];
    let mut steps: Vec<LtsStep> = Vec::new();
    let mut here: Vec<LtsStep> = Vec::new();
    let mut target: Vec<u32> = Vec::new();
    let mut at = 0;
    while at < sets.len() {
        here.clear();
        for &state in sets[at].iter() {
            meter.tick()?;
            here.extend_from_slice(lts.steps(StateId::new(state as usize)));
        }
        // Sorted by label and then by target, groups are together and each list of targets is in order.
        here.sort_unstable();
        for group in here.chunk_by(|a, b| a.label == b.label) {
            target.clear();
            for step in group {
                meter.tick()?;
                target.push(step.to.index() as u32);
            }
            target.dedup();
            let to = match known.get(&target[..]) {
                Some(&to) => to,
                None => {
                    let fresh = counted(sets.len(), "states")?;
                    let set: Rc<[u32]> = target[..].into();
                    sets.push(Rc::clone(&set));
                    known.insert(set, fresh);
                    fresh
                }
            };
            steps.push(LtsStep {
                label: group[0].label,
                to: StateId::new(to as usize),
            });
        }
        starts.push(counted(steps.len(), "transitions")?);
        at += 1;
    }
    let labels = lts.labels().as_slice();
    Ok(with_used_labels(labels, StateId::new(0), starts, steps))
}
