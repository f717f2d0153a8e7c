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
}

impl States {
    pub(super) fn new(model: &Model, encoding: Encoding) -> Self {
        let vars: Vec<VarId> = (0..model.state_vars()).map(VarId::new).collect();
        let own = |&var: &VarId| encoding.bits(var, Side::Now).iter().copied();
        let bits = vars.iter().flat_map(own).collect();
        Self {
            layout: Layout::new(model),
            encoding,
            vars,
            bits,
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
        set.eval(self.literals(Side::Now, state))
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

/// Enumerates the valuations of some variables that satisfy a function of them, least first.
pub(super) struct Ordered<'a> {
    bdds: &'a Bdds,
    bits: &'a [Bit],
    /// What to look at next, last first: a variable's place, its value, and the function before.
    open: Vec<(usize, bool, Bdd)>,
    path: Vec<bool>,
    /// The function, when there is no variable and so at most one valuation.
    constant: Option<Bdd>,
}

impl<'a> Ordered<'a> {
    pub(super) fn new(bdds: &'a Bdds, bits: &'a [Bit], function: Bdd) -> Self {
        let (open, constant) = match bits.is_empty() {
            true => (Vec::new(), Some(function)),
            false => (
                vec![(0, true, function.clone()), (0, false, function)],
                None,
            ),
        };
        Self {
            bdds,
            bits,
            open,
            path: Vec::new(),
            constant,
        }
    }

    /// The next valuation.
    pub(super) fn next(&mut self) -> Run<Option<&[bool]>> {
        if let Some(function) = self.constant.take() {
            return Ok((!self.bdds.is_zero(&function)).then_some(&self.path));
        }
        while let Some((place, value, before)) = self.open.pop() {
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
            if place + 1 == self.bits.len() {
                return Ok(Some(&self.path));
            }
            self.open.push((place + 1, true, function.clone()));
            self.open.push((place + 1, false, function));
        }
        Ok(None)
    }
}
