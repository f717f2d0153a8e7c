//! Packed states: the indices of a state's values, side by side in a few words.

use rustc_hash::FxHashMap;
use wherefore_base::{IndexVec, Value};
use wherefore_model::{Domain, Model, VarId};

/// Above this size a table finds the index of a listed value faster than the list does.
const SCAN: usize = 16;

/// Where each state variable lives in a packed state.
///
/// Invariant: variables fill the words in declaration order from the most significant bit on, and
/// none crosses a word; so words compare as states do, and unused bits are zero.
#[derive(Clone, Debug)]
pub(crate) struct StateLayout {
    words: usize,
    fields: Vec<PackedField>,
    /// For each bit of each word, the least significant first, the bits of its field.
    around: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct PackedField {
    word: usize,
    shift: u32,
    bits: u32,
}

impl PackedField {
    /// Its bits in its word.
    fn mask(self) -> u64 {
        match self.bits {
            // A shift by all 64 bits is not defined, so fields of no bits are apart.
            0 => 0,
            bits => (u64::MAX >> (u64::BITS - bits)) << self.shift,
        }
    }
}

impl StateLayout {
    pub(crate) fn new(model: &Model) -> Self {
        let mut fields = Vec::with_capacity(model.state_vars());
        let (mut word, mut left) = (0, u64::BITS);
        for variable in model.vars.iter().take(model.state_vars()) {
            let bits = variable.domain.bits();
            if bits > left {
                word += 1;
                left = u64::BITS;
            }
            left -= bits;
            // A field of no bits may sit at the very end of a word; its shift must still be one.
            let shift = left.min(u64::BITS - 1);
            fields.push(PackedField { word, shift, bits });
        }
        let mut around = vec![0; (word + 1) * 64];
        for field in fields.iter().filter(|field| field.bits > 0) {
            let bits = field.shift..field.shift + field.bits;
            for bit in bits {
                around[field.word * 64 + bit as usize] = field.mask();
            }
        }
        Self {
            words: word + 1,
            fields,
            around,
        }
    }

    /// How many words a state takes.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The index of a variable's value in a packed state.
    pub(crate) fn index(&self, state: &[u64], var: usize) -> u64 {
        let field = self.fields[var];
        match field.bits {
            0 => 0,
            bits => (state[field.word] >> field.shift) & (u64::MAX >> (u64::BITS - bits)),
        }
    }

    /// The word of a variable, and the place of its lowest bit there.
    pub(crate) fn place(&self, var: usize) -> (usize, u32) {
        let field = self.fields[var];
        (field.word, field.shift)
    }

    /// Writes the index of a variable's value into a packed state whose field is still zero.
    pub(crate) fn put(&self, state: &mut [u64], var: usize, index: u64) {
        let field = self.fields[var];
        if field.bits > 0 {
            state[field.word] |= index << field.shift;
        }
    }

    /// Flips bits of the index of a variable's value in a packed state.
    pub(crate) fn flip(&self, state: &mut [u64], var: usize, bits: u64) {
        let field = self.fields[var];
        state[field.word] ^= bits << field.shift;
    }

    /// Adds the bits of a variable to a mask of packed states.
    pub(crate) fn cover(&self, mask: &mut [u64], var: usize) {
        let field = self.fields[var];
        mask[field.word] |= field.mask();
    }

    /// How many variables differ between two packed states.
    pub(crate) fn differing(&self, a: &[u64], b: &[u64]) -> u32 {
        let mut count = 0;
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            let mut left = a ^ b;
            while left != 0 {
                count += 1;
                // All bits of the field go at once, so each variable counts once.
                left &= !self.around[at * 64 + left.trailing_zeros() as usize];
            }
        }
        count
    }

    /// Writes the index of a slot's value into the last packed state of several; inputs have no place
    /// there.
    pub(crate) fn put_slot(&self, states: &mut [u64], slot: usize, index: u64) {
        let start = states.len() - self.words;
        if slot < self.fields.len() {
            self.put(&mut states[start..], slot, index);
        }
    }

    /// The values in a packed state.
    pub(crate) fn values(&self, model: &Model, state: &[u64]) -> Vec<Value> {
        let vars = 0..self.fields.len();
        let value = |var: usize| {
            model.vars[VarId::new(var)]
                .domain
                .value(self.index(state, var))
        };
        vars.map(value).collect()
    }
}

/// Finds indices of values, for large listed domains by table.
#[derive(Debug)]
pub(crate) struct Indices {
    tables: IndexVec<VarId, Option<FxHashMap<Value, u64>>>,
}

impl Indices {
    pub(crate) fn new(model: &Model) -> Self {
        let table = |domain: &Domain| match domain {
            Domain::Enum(values) if values.len() > SCAN => {
                Some(values.iter().copied().zip(0..).collect())
            }
            _ => None,
        };
        Self {
            tables: model.vars.iter().map(|v| table(&v.domain)).collect(),
        }
    }

    /// The index of a value in the domain of a variable, if it is there.
    pub(crate) fn of(&self, model: &Model, var: VarId, value: Value) -> Option<u64> {
        match &self.tables[var] {
            Some(table) => table.get(&value).copied(),
            None => model.vars[var].domain.index_of(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::{FileId, Span};
    use wherefore_model::{VarKind, Variable};

    use super::*;

    #[test]
    fn words_compare_as_values_in_declaration_order_do() {
        let mut model = Model::default();
        for high in [4, 0, i64::MAX, 1, 0] {
            model.vars.push(Variable {
                name: "x".into(),
                domain: Domain::Range { low: 0, high },
                kind: VarKind::State,
                span: Span::new(FileId::new(0), 0, 0),
                origin: Default::default(),
            });
        }
        let layout = StateLayout::new(&model);
        let pack = |indices: [u64; 5]| {
            let mut words = vec![0; layout.words()];
            for (var, index) in indices.into_iter().enumerate() {
                layout.put(&mut words, var, index);
                assert_eq!(layout.index(&words, var), index);
            }
            words
        };
        assert!(pack([3, 0, u64::MAX / 2, 1, 0]) < pack([4, 0, 0, 0, 0]));
        assert!(pack([4, 0, 6, 0, 0]) < pack([4, 0, 6, 1, 0]));
        let differing = |a, b| layout.differing(&pack(a), &pack(b));
        assert_eq!(differing([3, 0, 6, 1, 0], [4, 0, 5, 1, 0]), 2);
        assert_eq!(differing([3, 0, 6, 1, 0], [3, 0, 6, 0, 0]), 1);
        let values = layout.values(&model, &pack([4, 0, 7, 1, 0]));
        assert_eq!(values, [4, 0, 7, 1, 0].map(Value::Int));
    }
}
