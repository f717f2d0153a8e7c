//! States that a symmetry turns into each other: one stands for all of them.

use wherefore_model::{Model, Swap, VarId};

use super::store::Store;
use crate::layout::StateLayout;

/// Symmetries as changes of packed states.
#[derive(Clone, Default, Debug)]
pub(super) struct Orbits {
    swaps: Vec<Packed>,
}

/// A swap of places in packed states.
#[derive(Clone, Debug)]
struct Packed {
    vars: Vec<(usize, usize)>,
    /// Variables, and two indices of values.
    values: Vec<(usize, u64, u64)>,
}

impl Orbits {
    pub(super) fn new(model: &Model, swaps: &[&Swap]) -> Self {
        let states = model.state_vars();
        let is_state = |var: VarId| var.index() < states;
        let packed = |swap: &&Swap| {
            let vars = swap.vars.iter().filter(|pair| is_state(pair.0));
            let values = swap.values.iter().filter(|swapped| is_state(swapped.0));
            let value = |&(var, a, b): &(VarId, _, _)| {
                let domain = &model.vars[var].domain;
                Some((var.index(), domain.index_of(a)?, domain.index_of(b)?))
            };
            Packed {
                vars: vars.map(|(a, b)| (a.index(), b.index())).collect(),
                values: values.filter_map(value).collect(),
            }
        };
        Self {
            swaps: swaps.iter().map(packed).collect(),
        }
    }

    /// The number of the state that stands for this one.
    pub(super) fn intern(&self, store: &mut Store, state: &[u64], layout: &StateLayout) -> u32 {
        if self.swaps.is_empty() {
            return store.intern(state);
        }
        let mut least = state.to_vec();
        self.lessen(&mut least, layout);
        store.intern(&least)
    }

    /// Swaps as long as the state becomes less.
    fn lessen(&self, state: &mut [u64], layout: &StateLayout) {
        let mut image = state.to_vec();
        let mut smaller = true;
        // The result is least under single swaps only: an orbit may keep several states, which is sound.
        while std::mem::take(&mut smaller) {
            for swap in &self.swaps {
                swap.apply(&mut image, layout);
                if *image < *state {
                    state.copy_from_slice(&image);
                    smaller = true;
                } else {
                    image.copy_from_slice(state);
                }
            }
        }
    }
}

impl Packed {
    fn apply(&self, state: &mut [u64], layout: &StateLayout) {
        for &(a, b) in &self.vars {
            // Flipping the bits in which two values differ exchanges them.
            let differing = layout.index(state, a) ^ layout.index(state, b);
            layout.flip(state, a, differing);
            layout.flip(state, b, differing);
        }
        for &(var, a, b) in &self.values {
            let index = layout.index(state, var);
            if index == a || index == b {
                layout.flip(state, var, a ^ b);
            }
        }
    }
}
