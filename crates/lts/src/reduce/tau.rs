//! Saturation: visible steps absorb the internal ones before them.
//!
//! States on a cycle of internal steps see the same, so each component of internal steps is one. A
//! component sees what its own states do and what the components after it see, which are
//! found first. What components see is kept once: equal rows are one state of the result.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Meter, Run, Successor, strongly_connected};
use wherefore_model::lts::{Lts, LtsStep, StateId};

use crate::LtsHalt;
use crate::halt::counted;

use super::quotient::with_used_labels;

const UNSEEN: u32 = u32::MAX;

/// The system of visible steps: `s --a--> t` wherever internal steps and then `a` lead from `s` to `t`.
pub(super) fn saturate(lts: &Lts, budget: &Budget) -> Result<Lts, LtsHalt> {
    let rows = Sight::new(lts).look(budget)?;
    let mut meter = budget.meter();
    let mut number = vec![UNSEEN; rows.rows.len()];
    let first = rows.row_of(lts.initial());
    number[first as usize] = 0;
    let mut found = vec![first];
    let mut starts = vec![0u32];
    let mut steps: Vec<LtsStep> = Vec::new();
    let mut at = 0;
    while at < found.len() {
        for step in rows.rows[found[at] as usize].iter() {
            meter.tick()?;
            let row = rows.row_of(step.to);
            if number[row as usize] == UNSEEN {
                number[row as usize] = found.len() as u32;
                found.push(row);
            }
            let to = StateId::new(number[row as usize] as usize);
            steps.push(LtsStep { to, ..*step });
        }
        starts.push(counted(steps.len(), "transitions")?);
        at += 1;
    }
    let labels = lts.labels().as_slice();
    Ok(with_used_labels(labels, StateId::new(0), starts, steps))
}

/// What each state sees.
struct SeenFromState {
    rows: Vec<Rc<[LtsStep]>>,
    /// The row of each component, and the component of each state.
    row: Vec<u32>,
    component: Vec<u32>,
}

impl SeenFromState {
    fn row_of(&self, state: StateId) -> u32 {
        self.row[self.component[state.index()] as usize]
    }
}

/// The search for components, with what they see.
struct Sight<'a> {
    lts: &'a Lts,
    /// For each label whether it is internal.
    internal: Vec<bool>,
    known: FxHashMap<Rc<[LtsStep]>, u32>,
    seen: SeenFromState,
}

impl<'a> Sight<'a> {
    fn new(lts: &'a Lts) -> Self {
        Self {
            lts,
            internal: lts.labels().iter().map(|label| label.internal).collect(),
            known: FxHashMap::default(),
            seen: SeenFromState {
                rows: Vec::new(),
                row: Vec::new(),
                component: vec![UNSEEN; lts.states()],
            },
        }
    }

    fn look(mut self, budget: &Budget) -> Run<SeenFromState> {
        let (lts, internal) = (self.lts, self.internal.clone());
        let step = |state: StateId, at: usize| match lts.steps(state).get(at) {
            Some(step) if internal[step.label.index()] => Successor::Node(step.to),
            Some(_) => Successor::Ignored,
            None => Successor::End,
        };
        let states = (0..lts.states()).map(StateId::new);
        let complete = |states: &[StateId], meter: &mut Meter| self.leave(states, meter);
        strongly_connected(lts.states(), states, step, complete, &mut budget.meter())?;
        Ok(self.seen)
    }

    /// A component is complete: what does it see?
    fn leave(&mut self, states: &[StateId], meter: &mut Meter) -> Run<()> {
        let component = self.seen.row.len() as u32;
        for &state in states {
            self.seen.component[state.index()] = component;
        }
        let mut row: Vec<LtsStep> = Vec::new();
        let mut after: Vec<u32> = Vec::new();
        for &state in states {
            for step in self.lts.steps(state) {
                meter.tick()?;
                let to = self.seen.component[step.to.index()];
                if !self.internal[step.label.index()] {
                    row.push(*step);
                } else if to != component {
                    // Components that come after are complete before, so what they see is known.
                    after.push(self.seen.row[to as usize]);
                }
            }
        }
        after.sort_unstable();
        after.dedup();
        let number = match (&row[..], &after[..]) {
            // A component that does nothing itself sees what the only one after it sees.
            ([], [only]) => *only,
            _ => {
                for seen in after {
                    for step in self.seen.rows[seen as usize].iter() {
                        meter.tick()?;
                        row.push(*step);
                    }
                }
                row.sort_unstable();
                row.dedup();
                self.keep(row)
            }
        };
        self.seen.row.push(number);
        Ok(())
    }

    fn keep(&mut self, row: Vec<LtsStep>) -> u32 {
        if let Some(&number) = self.known.get(&row[..]) {
            return number;
        }
        let row: Rc<[LtsStep]> = row.into();
        let number = self.seen.rows.len() as u32;
        self.seen.rows.push(Rc::clone(&row));
        self.known.insert(row, number);
        number
    }
}
