//! What is known of the states that can be reached within some number of steps.
//!
//! A cube is a set of bits with their values; that no state within `n` steps is in a cube is a clause. Each
//! clause is kept at the highest level it is known for, and holds at all lower ones.

use wherefore_base::Bits;
use wherefore_model::{Model, VarId};

use crate::certificate::Clause;

/// A bit of the state, by its number among all bits of the state variables, and its value: a conjunction,
/// in the order of the bits.
pub(crate) type BitCube = Vec<(u32, bool)>;

/// Whether every state of `inner` is one of `outer`.
pub(crate) fn contains(outer: &[(u32, bool)], inner: &[(u32, bool)]) -> bool {
    // Both are in the order of their bits, so one pass over `inner` is enough.
    let mut rest = inner.iter();
    outer.len() <= inner.len() && outer.iter().all(|bit| rest.any(|other| other == bit))
}

/// Excluded cubes, level by level.
#[derive(Clone, Default, Debug)]
pub(crate) struct Frames {
    levels: Vec<Vec<BitCube>>,
}

impl Frames {
    /// How many levels there are.
    pub(crate) fn len(&self) -> usize {
        self.levels.len()
    }

    /// One more level.
    pub(crate) fn grow(&mut self) {
        self.levels.push(Vec::new());
    }

    /// The cubes that are excluded up to exactly this level.
    pub(crate) fn level(&self, level: usize) -> &[BitCube] {
        &self.levels[level]
    }

    /// Whether a cube is known to be excluded at a level.
    pub(crate) fn excludes(&self, cube: &[(u32, bool)], level: usize) -> bool {
        let known = self.levels[level..].iter().flatten();
        known.into_iter().any(|known| contains(known, cube))
    }

    /// Excludes a cube up to a level; smaller ones that are excluded no further are forgotten.
    pub(crate) fn exclude(&mut self, cube: BitCube, level: usize) {
        for cubes in &mut self.levels[..=level] {
            cubes.retain(|known| !contains(&cube, known));
        }
        self.levels[level].push(cube);
    }

    /// Takes a cube from a level.
    pub(crate) fn take(&mut self, level: usize, at: usize) -> BitCube {
        self.levels[level].remove(at)
    }

    /// The cubes that are excluded at a level or a higher one.
    pub(crate) fn from(&self, level: usize) -> impl Iterator<Item = &BitCube> {
        self.levels[level..].iter().flatten()
    }
}

/// The bits of the state variables, in declaration order, each the lowest one first.
pub(crate) fn state_bits(model: &Model) -> Vec<(VarId, usize)> {
    let vars = (0..model.state_vars()).map(VarId::new);
    let bits = vars.flat_map(|var| {
        let places = 0..model.vars[var].domain.bits() as usize;
        places.map(move |place| (var, place))
    });
    bits.collect()
}

/// That a state is not in a cube, as a condition on the values of variables.
pub(crate) fn clause(bits: &[(VarId, usize)], cube: &BitCube) -> Clause {
    let mut clause = Clause::new();
    for &(bit, value) in cube {
        let (var, place) = bits[bit as usize];
        // Bits come in the order of their variables, so those of one stand together.
        if clause.last().is_none_or(|&(last, _)| last != var) {
            clause.push((var, Bits::default()));
        }
        if let Some((_, own)) = clause.last_mut() {
            own.give(place, value);
        }
    }
    clause
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_replaces_those_inside_it_up_to_its_level() {
        let mut frames = Frames::default();
        for _ in 0..3 {
            frames.grow();
        }
        let inner = vec![(0, true), (1, false), (4, true)];
        let outer = vec![(0, true), (4, true)];
        assert!(contains(&outer, &inner) && !contains(&inner, &outer));
        assert!(!contains(&[(1, true)], &inner));
        frames.exclude(inner.clone(), 2);
        assert!(frames.excludes(&inner, 1) && !frames.excludes(&outer, 0));
        frames.exclude(outer.clone(), 1);
        assert_eq!(frames.from(0).count(), 2);
        frames.exclude(outer, 2);
        assert_eq!(frames.from(0).count(), 1);
        assert_eq!(frames.level(2).len(), 1);
    }
}
