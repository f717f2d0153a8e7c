//! Single states of the symbolic engine.

use wherefore_base::Run;
use wherefore_model::{Model, VarId};

use super::bdd::{Bdd, Bdds, Bit};
use super::encoding::{Encoding, Side};
use crate::layout::Layout;

/// A state, packed into words; words compare as states do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackedState(pub(super) Box<[u64]>);

/// How packed states, and functions of single states, are made from each other.
#[derive(Debug)]
pub(super) struct States {
    pub(super) layout: Layout,
    pub(super) encoding: Encoding,
    vars: Vec<VarId>,
    /// The bits of the state in declaration order.
    pub(super) bits: Vec<Bit>,
    /// The word and place in it of each bit of a packed state; other bits have none of their own.
    places: Vec<(usize, u32)>,
}

impl States {
    pub(super) fn new(model: &Model, encoding: Encoding) -> Self {
        let vars: Vec<VarId> = (0..model.state_vars()).map(VarId::new).collect();
        let own = |&var: &VarId| encoding.bits(var, Side::Now).iter().copied();
        let bits = vars.iter().flat_map(own).collect();
        let layout = Layout::new(model);
        let mut places = vec![(0, 0); encoding.count()];
        for &var in &vars {
            let (word, shift) = layout.place(var.index());
            let own = encoding.bits(var, Side::Now).iter().rev();
            for (&bit, at) in own.zip(0..) {
                places[bit as usize] = (word, shift + at);
            }
        }
        Self {
            layout,
            encoding,
            vars,
            bits,
            places,
        }
    }

    /// The literals that describe a state.
    pub(super) fn literals(
        &self,
        side: Side,
        state: &PackedState,
    ) -> impl Iterator<Item = (Bit, bool)> {
        self.vars.iter().flat_map(move |&var| {
            let index = self.layout.index(&state.0, var.index());
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
        state.0[word] >> shift & 1 == 1
    }

    /// The state whose bits, in declaration order, are these.
    pub(super) fn pack(&self, mut bits: &[bool]) -> PackedState {
        let mut words = vec![0; self.layout.words()];
        for &var in &self.vars {
            let (own, rest) = bits.split_at(self.encoding.bits(var, Side::Now).len());
            self.layout.put(&mut words, var.index(), number(own));
            bits = rest;
        }
        PackedState(words.into())
    }
}

/// The number that bits write, most significant first.
pub(super) fn number(bits: &[bool]) -> u64 {
    bits.iter()
        .fold(0, |number, &bit| number << 1 | u64::from(bit))
}

/// So many valuations are listed at once.
const FEW: usize = 256;

/// Enumerates the valuations of some variables that satisfy a function of them, least first.
pub(super) enum Ordered<'a> {
    /// Few valuations, all of them listed.
    Few(std::vec::IntoIter<Vec<bool>>),
    /// Many valuations, one after the other.
    Many(Search<'a>),
}

impl<'a> Ordered<'a> {
    pub(super) fn new(bdds: &'a Bdds, bits: &'a [Bit], function: Bdd) -> Self {
        match bdds.list(&function, bits, FEW) {
            Some(few) => Ordered::Few(few.into_iter()),
            None => Ordered::Many(Search {
                bdds,
                bits,
                open: vec![(0, true, function.clone()), (0, false, function)],
                path: Vec::new(),
                listed: Vec::new().into_iter(),
            }),
        }
    }

    /// The next valuation.
    pub(super) fn next(&mut self) -> Run<Option<Vec<bool>>> {
        match self {
            Ordered::Few(few) => Ok(few.next()),
            Ordered::Many(search) => search.next(),
        }
    }
}

/// After so many more variables the rest is listed if it is few.
const STRIDE: usize = 4;

/// A search for valuations that fixes one variable after the other, until few valuations are left.
pub(super) struct Search<'a> {
    bdds: &'a Bdds,
    bits: &'a [Bit],
    /// What to look at next, last first: a variable's place, its value, and the function before.
    open: Vec<(usize, bool, Bdd)>,
    path: Vec<bool>,
    /// What is left of the valuations of the variables after the path.
    listed: std::vec::IntoIter<Vec<bool>>,
}

impl Search<'_> {
    fn next(&mut self) -> Run<Option<Vec<bool>>> {
        loop {
            if let Some(rest) = self.listed.next() {
                return Ok(Some([&self.path[..], &rest].concat()));
            }
            let Some((place, value, before)) = self.open.pop() else {
                return Ok(None);
            };
            if self.bdds.is_zero(&before) {
                continue;
            }
            let literal = self.bdds.cube([(self.bits[place], value)])?;
            let function = self.bdds.restrict(&before, &literal)?;
            if self.bdds.is_zero(&function) {
                continue;
            }
            self.path.truncate(place);
            self.path.push(value);
            let rest = &self.bits[place + 1..];
            if rest.is_empty() {
                return Ok(Some(self.path.clone()));
            }
            let few = (place + 1).is_multiple_of(STRIDE);
            if let Some(listed) = few.then(|| self.bdds.list(&function, rest, FEW)).flatten() {
                self.listed = listed.into_iter();
                continue;
            }
            self.open.push((place + 1, true, function.clone()));
            self.open.push((place + 1, false, function));
        }
    }
}
