//! Which Boolean variables stand for which variables of the model.
//!
//! The index of a value is written in binary. Each bit of a state variable has a level for the
//! present state and right below it one for the next state; bits of inputs have one level.

use wherefore_base::{IndexVec, Run, Value};
use wherefore_model::{Domain, Model, VarId};

use super::bdd::{Bdd, Bdds, Level};

/// Which copy of a variable is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Side {
    /// The present state, or the input of the present step.
    Now,
    /// The next state.
    Next,
}

/// The levels of one variable, most significant bit first.
#[derive(Clone, Default, Debug)]
struct Bits {
    now: Vec<Level>,
    /// Empty for inputs.
    next: Vec<Level>,
}

/// The levels of all variables.
#[derive(Debug)]
pub(crate) struct Encoding {
    bits: IndexVec<VarId, Bits>,
    levels: usize,
}

impl Encoding {
    /// Lays out the listed variables from the top down; the others must not be used.
    pub(crate) fn new(model: &Model, order: &[VarId]) -> Self {
        let states = model.state_vars();
        let mut bits: IndexVec<VarId, Bits> = model.vars.iter().map(|_| Bits::default()).collect();
        let mut levels = 0;
        let mut level = || {
            levels += 1;
            levels - 1
        };
        for &var in order {
            for _ in 0..model.vars[var].domain.bits() {
                bits[var].now.push(level());
                if var.index() < states {
                    bits[var].next.push(level());
                }
            }
        }
        Self {
            bits,
            levels: levels as usize,
        }
    }

    /// How many levels there are.
    pub(crate) fn levels(&self) -> usize {
        self.levels
    }

    /// The levels of a variable, most significant bit first.
    pub(crate) fn bits(&self, var: VarId, side: Side) -> &[Level] {
        match side {
            Side::Now => &self.bits[var].now,
            Side::Next => &self.bits[var].next,
        }
    }

    /// The literals that say a variable has the value with this index.
    pub(crate) fn literals(
        &self,
        var: VarId,
        side: Side,
        index: u64,
    ) -> impl Iterator<Item = (Level, bool)> {
        let bits = self.bits(var, side);
        let place = (0..bits.len()).rev();
        bits.iter()
            .zip(place)
            .map(move |(&level, place)| (level, (index >> place) & 1 == 1))
    }

    /// The function that says a variable has this value.
    pub(crate) fn equals(
        &self,
        (model, bdds): (&Model, &Bdds),
        var: VarId,
        side: Side,
        value: Value,
    ) -> Run<Bdd> {
        match model.vars[var].domain.index_of(value) {
            Some(index) => bdds.cube(self.literals(var, side, index)),
            None => Ok(bdds.zero()),
        }
    }

    /// The function that says the index of a variable's value is below a bound.
    pub(crate) fn below(&self, bdds: &Bdds, var: VarId, side: Side, bound: u64) -> Run<Bdd> {
        let bits = self.bits(var, side);
        if bits.len() < 64 && bound >= 1 << bits.len() {
            return Ok(bdds.one());
        }
        let mut below = bdds.zero();
        for (place, &level) in bits.iter().rev().enumerate() {
            let bit = bdds.var(level);
            below = match (bound >> place) & 1 {
                1 => bdds.implies(bit, &below)?,
                _ => bdds.minus(&below, bit)?,
            };
        }
        Ok(below)
    }

    /// The function that says a variable has a value at all: not every combination of bits is one.
    pub(crate) fn valid(&self, (model, bdds): (&Model, &Bdds), var: VarId, side: Side) -> Run<Bdd> {
        let domain: &Domain = &model.vars[var].domain;
        self.below(bdds, var, side, domain.size())
    }
}
