//! Which Boolean variables stand for which variables of the model.
//!
//! The index of a value is written in binary. Each bit of a state variable is there twice: for the
//! present state and, right below it in every order, for the next; bits of inputs are there once.

use wherefore_base::{IndexVec, Run, Value};
use wherefore_model::{Domain, Model, VarId};

use super::bdd::{Bdd, Bdds, Bit};

/// Which copy of a variable is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum StateSide {
    /// The present state, or the input of the present step.
    Now,
    /// The next state.
    Next,
}

/// The bits of one variable, most significant first.
#[derive(Clone, Default, Debug)]
struct VarBits {
    now: Vec<Bit>,
    /// Empty for inputs.
    next: Vec<Bit>,
}

/// The bits of all variables.
#[derive(Debug)]
pub(crate) struct BitEncoding {
    bits: IndexVec<VarId, VarBits>,
    count: usize,
    /// How many variables make up a state; the others are inputs.
    states: usize,
}

impl BitEncoding {
    /// Lays out the listed variables from the top down; the others must not be used.
    pub(crate) fn new(model: &Model, order: &[VarId]) -> Self {
        let states = model.state_vars();
        let mut bits: IndexVec<VarId, VarBits> =
            model.vars.iter().map(|_| VarBits::default()).collect();
        let mut count = 0;
        let mut bit = || {
            count += 1;
            count - 1
        };
        for &var in order {
            for _ in 0..model.vars[var].domain.bits() {
                bits[var].now.push(bit());
                if var.index() < states {
                    bits[var].next.push(bit());
                }
            }
        }
        Self {
            bits,
            count: count as usize,
            states,
        }
    }

    /// How many bits there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Which bits stay together in every order: a bit of the present state and that of the next.
    pub(crate) fn groups(&self) -> Vec<Vec<Bit>> {
        let groups = self.bits.iter().flat_map(|bits| {
            let next = |at: usize| bits.next.get(at).copied();
            let group =
                move |(at, &now): (usize, &Bit)| [now].into_iter().chain(next(at)).collect();
            bits.now.iter().enumerate().map(group)
        });
        groups.collect()
    }

    /// Whether a variable is an input.
    pub(crate) fn is_input(&self, var: VarId) -> bool {
        var.index() >= self.states
    }

    /// The bits of a variable, most significant first.
    pub(crate) fn bits(&self, var: VarId, side: StateSide) -> &[Bit] {
        match side {
            StateSide::Now => &self.bits[var].now,
            StateSide::Next => &self.bits[var].next,
        }
    }

    /// The literals that say a variable has the value with this index.
    pub(crate) fn literals(
        &self,
        var: VarId,
        side: StateSide,
        index: u64,
    ) -> impl Iterator<Item = (Bit, bool)> {
        let bits = self.bits(var, side);
        let place = (0..bits.len()).rev();
        bits.iter()
            .zip(place)
            .map(move |(&bit, place)| (bit, (index >> place) & 1 == 1))
    }

    /// The function that says a variable has this value.
    pub(crate) fn equals(
        &self,
        (model, bdds): (&Model, &Bdds),
        var: VarId,
        side: StateSide,
        value: Value,
    ) -> Run<Bdd> {
        match model.vars[var].domain.index_of(value) {
            Some(index) => bdds.cube(self.literals(var, side, index)),
            None => Ok(bdds.zero()),
        }
    }

    /// The function that says the index of a variable's value is below a bound.
    pub(crate) fn below(&self, bdds: &Bdds, var: VarId, side: StateSide, bound: u128) -> Run<Bdd> {
        let bits = self.bits(var, side);
        if bound >= 1 << bits.len() {
            return Ok(bdds.one());
        }
        let mut below = bdds.zero();
        for (place, &bit) in bits.iter().rev().enumerate() {
            let bit = bdds.var(bit);
            // From the lowest bit up: where the bound has a one, a zero is less and a one leaves it
            // to the lower bits; where it has a zero, a one is too much.
            below = match (bound >> place) & 1 {
                1 => bdds.implies(bit, &below)?,
                _ => bdds.minus(&below, bit)?,
            };
        }
        Ok(below)
    }

    /// The function that says a variable has a value at all: not every combination of bits is one.
    pub(crate) fn valid(
        &self,
        (model, bdds): (&Model, &Bdds),
        var: VarId,
        side: StateSide,
    ) -> Run<Bdd> {
        let domain: &Domain = &model.vars[var].domain;
        self.below(bdds, var, side, domain.size())
    }
}
