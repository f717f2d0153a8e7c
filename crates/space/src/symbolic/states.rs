//! Single states of the symbolic engine.

use std::hash::{Hash, Hasher};
use std::slice;

use wherefore_base::Run;
use wherefore_model::{Model, VarId};

use super::bdd::{Bdd, Bdds, Bit, RowSlot, ValuationRows};
use super::encoding::{BitEncoding, StateSide};
use crate::layout::StateLayout;

/// A state, packed into words; words compare as states do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PackedState(StateWords);

/// Words of bits. All states of a space have equally many.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum StateWords {
    One(u64),
    Several(Box<[u64]>),
}

impl PackedState {
    pub(super) fn new(words: &[u64]) -> Self {
        Self(match *words {
            [word] => StateWords::One(word),
            _ => StateWords::Several(words.into()),
        })
    }

    pub(super) fn words(&self) -> &[u64] {
        match &self.0 {
            StateWords::One(word) => slice::from_ref(word),
            StateWords::Several(words) => words,
        }
    }
}

/// A single word is hashed as several are: states fill it from the top, and hashes of plain numbers tell
/// those apart badly that differ in their upper bits only.
impl Hash for PackedState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().hash(state);
    }
}

/// How packed states, and functions of single states, are made from each other.
#[derive(Debug)]
pub(super) struct PackedStates {
    pub(super) layout: StateLayout,
    pub(super) encoding: BitEncoding,
    vars: Vec<VarId>,
    /// The bits of the state in declaration order.
    pub(super) bits: Vec<Bit>,
    /// Where the same bits are in a packed state.
    pub(super) slots: Vec<RowSlot>,
    /// The word and place in it of each bit of a packed state; other bits have none of their own.
    places: Vec<(usize, u32)>,
}

impl PackedStates {
    pub(super) fn new(model: &Model, encoding: BitEncoding) -> Self {
        let vars: Vec<VarId> = (0..model.state_vars()).map(VarId::new).collect();
        let own = |&var: &VarId| encoding.bits(var, StateSide::Now).iter().copied();
        let bits: Vec<Bit> = vars.iter().flat_map(own).collect();
        let layout = StateLayout::new(model);
        let mut places = vec![(0, 0); encoding.count()];
        for &var in &vars {
            let (word, shift) = layout.place(var.index());
            // Bits are listed from the most significant one, places count from the least.
            let own = encoding.bits(var, StateSide::Now).iter().rev();
            for (&bit, at) in own.zip(0..) {
                places[bit as usize] = (word, shift + at);
            }
        }
        let slot = |&bit: &Bit| {
            let (word, shift) = places[bit as usize];
            let mask = 1 << shift;
            RowSlot { bit, word, mask }
        };
        let slots = bits.iter().map(slot).collect();
        Self {
            layout,
            encoding,
            vars,
            bits,
            slots,
            places,
        }
    }

    /// The literals that describe a state.
    pub(super) fn literals(
        &self,
        side: StateSide,
        state: &PackedState,
    ) -> impl Iterator<Item = (Bit, bool)> {
        self.vars.iter().flat_map(move |&var| {
            let index = self.layout.index(state.words(), var.index());
            self.encoding.literals(var, side, index)
        })
    }

    /// Whether a set has a state.
    pub(super) fn contains(&self, set: &Bdd, state: &PackedState) -> bool {
        set.eval(|bit| self.is_true(state, bit))
    }

    /// The first of some sets that has a state.
    pub(super) fn first_with(&self, sets: &[Bdd], state: &PackedState) -> Option<usize> {
        Bdd::first_true(sets, |bit| self.is_true(state, bit))
    }

    fn is_true(&self, state: &PackedState, bit: Bit) -> bool {
        let (word, shift) = self.places[bit as usize];
        state.words()[word] >> shift & 1 == 1
    }
}

/// Places for bits side by side in words, so that words compare as lists of bits do.
pub(super) fn side_by_side(bits: &[Bit]) -> Vec<RowSlot> {
    let slot = |(at, &bit): (usize, &Bit)| RowSlot {
        bit,
        word: at / 64,
        mask: 1 << (63 - at % 64),
    };
    bits.iter().enumerate().map(slot).collect()
}

/// The number that some bits of words write, most significant first.
pub(super) fn number(slots: &[RowSlot], words: &[u64]) -> u64 {
    slots
        .iter()
        .fold(0, |number, slot| number << 1 | u64::from(slot.read(words)))
}

/// So many valuations are listed at once.
const FEW: usize = 256;

/// Enumerates the valuations of some variables that satisfy a function of them, least first, as words that
/// have a place for each of the variables.
pub(super) enum Ordered<'a> {
    /// Few valuations, all of them listed.
    Few(ValuationRows),
    /// Many valuations, one after the other.
    Many(ValuationSearch<'a>),
}

impl<'a> Ordered<'a> {
    /// Valuations in this many words; the first of the slots is the most significant.
    pub(super) fn new(bdds: &'a Bdds, slots: &'a [RowSlot], words: usize, function: Bdd) -> Self {
        let nothing = vec![0; words];
        match bdds.list(&function, slots, &nothing, FEW) {
            Some(few) => Ordered::Few(few),
            None => Ordered::Many(ValuationSearch {
                bdds,
                slots,
                // The last entry is looked at first, and false comes before true: valuations come
                // in ascending order.
                open: vec![(0, true, function.clone()), (0, false, function)],
                path: nothing,
                fixed: 0,
                listed: ValuationRows::none(words),
            }),
        }
    }

    /// The next valuation.
    pub(super) fn next(&mut self) -> Run<Option<&[u64]>> {
        match self {
            Ordered::Few(few) => Ok(few.next()),
            Ordered::Many(search) => search.next(),
        }
    }
}

/// After so many more variables the rest is listed if it is few.
const STRIDE: usize = 4;

/// A search for valuations that fixes one variable after the other, until few valuations are left.
pub(super) struct ValuationSearch<'a> {
    bdds: &'a Bdds,
    slots: &'a [RowSlot],
    /// What to look at next, last first: a variable's place in the list, its value, and the function before.
    open: Vec<(usize, bool, Bdd)>,
    /// The values that are fixed.
    path: Vec<u64>,
    /// How many are.
    fixed: usize,
    /// What is left of the valuations that begin with them.
    listed: ValuationRows,
}

impl ValuationSearch<'_> {
    fn next(&mut self) -> Run<Option<&[u64]>> {
        while self.listed.is_empty() {
            let Some((place, value, before)) = self.open.pop() else {
                return Ok(None);
            };
            if self.bdds.is_zero(&before) {
                continue;
            }
            let literal = self.bdds.cube([(self.slots[place].bit, value)])?;
            let function = self.bdds.restrict(&before, &literal)?;
            if self.bdds.is_zero(&function) {
                continue;
            }
            // An earlier branch may have set bits from here on, and a list only sets bits of rows
            // that are zero there.
            for slot in &self.slots[place..self.fixed.max(place)] {
                slot.write(&mut self.path, false);
            }
            self.slots[place].write(&mut self.path, value);
            self.fixed = place + 1;
            let rest = &self.slots[place + 1..];
            if rest.is_empty() || (place + 1).is_multiple_of(STRIDE) {
                let listed = self.bdds.list(&function, rest, &self.path, FEW);
                if let Some(listed) = listed {
                    self.listed = listed;
                    continue;
                }
            }
            self.open.push((place + 1, true, function.clone()));
            self.open.push((place + 1, false, function));
        }
        Ok(self.listed.next())
    }
}
