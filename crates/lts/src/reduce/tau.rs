//! Saturation: visible steps absorb the internal ones before them.
//!
//! States on a cycle of internal steps see the same, so each component of internal steps is one. A
//! component sees what its own states do and what the components after it see; Tarjan's algorithm (1972)
//! leaves those behind first. What components see is kept once: equal rows are one state of the result.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Meter, Run};
use wherefore_model::lts::{Lts, StateId, Step};

use crate::Halt;
use crate::halt::counted;

use super::quotient::with_used_labels;

const UNSEEN: u32 = u32::MAX;

/// The system of visible steps: `s --a--> t` wherever internal steps and then `a` lead from `s` to `t`.
pub(super) fn saturate(lts: &Lts, budget: &Budget) -> Result<Lts, Halt> {
    let rows = Sight::new(lts, budget).look()?;
    let mut meter = budget.meter();
    let mut number = vec![UNSEEN; rows.rows.len()];
    let first = rows.row_of(lts.initial());
    number[first as usize] = 0;
    let mut found = vec![first];
    let mut starts = vec![0u32];
    let mut steps: Vec<Step> = Vec::new();
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
            steps.push(Step { to, ..*step });
        }
        starts.push(counted(steps.len(), "transitions")?);
        at += 1;
    }
    let labels = lts.labels().as_slice();
    Ok(with_used_labels(labels, StateId::new(0), starts, steps))
}

/// What each state sees.
struct SeenFromState {
    rows: Vec<Rc<[Step]>>,
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
    meter: Meter,
    internal: Vec<bool>,
    /// Tarjan's numbers and least reachable numbers.
    number: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    next: u32,
    known: FxHashMap<Rc<[Step]>, u32>,
    seen: SeenFromState,
}

impl<'a> Sight<'a> {
    fn new(lts: &'a Lts, budget: &Budget) -> Self {
        Self {
            lts,
            meter: budget.meter(),
            internal: lts.labels().iter().map(|label| label.internal).collect(),
            number: vec![UNSEEN; lts.states()],
            low: vec![0; lts.states()],
            stack: Vec::new(),
            next: 0,
            known: FxHashMap::default(),
            seen: SeenFromState {
                rows: Vec::new(),
                row: Vec::new(),
                component: vec![UNSEEN; lts.states()],
            },
        }
    }

    fn look(mut self) -> Run<SeenFromState> {
        for state in 0..self.lts.states() as u32 {
            if self.number[state as usize] == UNSEEN {
                self.visit(state)?;
            }
        }
        Ok(self.seen)
    }

    /// A depth-first search along internal steps, with a stack of its own.
    fn visit(&mut self, root: u32) -> Run<()> {
        let mut path: Vec<(u32, usize)> = vec![(root, 0)];
        self.enter(root);
        while let Some((state, at)) = path.last_mut() {
            self.meter.tick()?;
            let from = *state;
            match self.lts.steps(StateId::new(from as usize)).get(*at) {
                Some(step) => {
                    *at += 1;
                    if !self.internal[step.label.index()] {
                        continue;
                    }
                    let to = step.to.index() as u32;
                    if self.number[to as usize] == UNSEEN {
                        self.enter(to);
                        path.push((to, 0));
                    } else if self.seen.component[to as usize] == UNSEEN {
                        let low = self.number[to as usize].min(self.low[from as usize]);
                        self.low[from as usize] = low;
                    }
                }
                None => {
                    path.pop();
                    if let Some(&(before, _)) = path.last() {
                        let low = self.low[from as usize].min(self.low[before as usize]);
                        self.low[before as usize] = low;
                    }
                    if self.low[from as usize] == self.number[from as usize] {
                        self.leave(from)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn enter(&mut self, state: u32) {
        self.number[state as usize] = self.next;
        self.low[state as usize] = self.next;
        self.next += 1;
        self.stack.push(state);
    }

    /// The component of a state is complete: what does it see?
    fn leave(&mut self, root: u32) -> Run<()> {
        let component = self.seen.row.len() as u32;
        let first = self.stack.iter().rposition(|&state| state == root);
        let states = self
            .stack
            .split_off(first.expect("the root is on the stack"));
        for &state in &states {
            self.seen.component[state as usize] = component;
        }
        let mut row: Vec<Step> = Vec::new();
        let mut after: Vec<u32> = Vec::new();
        for &state in &states {
            for step in self.lts.steps(StateId::new(state as usize)) {
                self.meter.tick()?;
                let to = self.seen.component[step.to.index()];
                if !self.internal[step.label.index()] {
                    row.push(*step);
                } else if to != component {
                    after.push(self.seen.row[to as usize]);
                }
            }
        }
        after.sort_unstable();
        after.dedup();
        let number = match (&row[..], &after[..]) {
            ([], [only]) => *only,
            _ => {
                for seen in after {
                    for step in self.seen.rows[seen as usize].iter() {
                        self.meter.tick()?;
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

    fn keep(&mut self, row: Vec<Step>) -> u32 {
        if let Some(&number) = self.known.get(&row[..]) {
            return number;
        }
        let row: Rc<[Step]> = row.into();
        let number = self.seen.rows.len() as u32;
        self.seen.rows.push(Rc::clone(&row));
        self.known.insert(row, number);
        number
    }
}
