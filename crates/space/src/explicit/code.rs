//! Flat code for terms: short operations on numbered registers.
//!
//! A register holds the value of one term as a machine word (see [`super::raw`]). Operations read
//! registers that earlier ones wrote, so a term that several others share is calculated once. Jumps
//! go forward only and skip what a `case` or a decided conjunction does not need. All operations are
//! total: where operands do not fit an operator, the result is any word, which nothing depends on in
//! a model that is well typed.

use wherefore_model::{BinaryOp, WordOp, apply};

use super::raw::{Codec, NOTHING, RawKind};
use crate::layout::StateLayout;

/// The number of a register.
pub(super) type Reg = u32;

/// One operation. `to` is written, the others are read.
#[derive(Clone, Copy, Debug)]
pub(super) enum RegisterOp {
    /// The value of a variable in the present state.
    Load {
        to: Reg,
        var: u32,
    },
    Copy {
        to: Reg,
        a: Reg,
    },
    Not {
        to: Reg,
        a: Reg,
    },
    And {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Implies {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Equal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Unequal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Less {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    LessEqual {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Add {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// Another operator with two operands; `at` is its place among the tables.
    Apply {
        to: Reg,
        a: Reg,
        b: Reg,
        at: u32,
    },
    /// An operator on a word.
    Word {
        to: Reg,
        a: Reg,
        at: u32,
    },
    Negate {
        to: Reg,
        a: Reg,
    },
    /// Whether a word from 0 to 63 is in a set of such.
    InBits {
        to: Reg,
        a: Reg,
        at: u32,
    },
    /// The word with its kind in its lowest bits.
    Tag {
        to: Reg,
        a: Reg,
        tag: u32,
    },
    /// The word without its kind.
    Untag {
        to: Reg,
        a: Reg,
    },
    /// The word without its kind, or [`NOTHING`] where it is of another kind.
    UntagAs {
        to: Reg,
        a: Reg,
        tag: u32,
    },
    Jump {
        by: u32,
    },
    /// Skips so many operations where a condition is false.
    Unless {
        a: Reg,
        by: u32,
    },
    /// Skips so many operations where a condition is true.
    When {
        a: Reg,
        by: u32,
    },
    /// There is no solution where the condition is false.
    Require {
        a: Reg,
    },
    /// There is no solution where the condition is true.
    Refuse {
        a: Reg,
    },
    /// The slot gets this value; no solution where its domain does not have it.
    Fix {
        slot: u32,
        a: Reg,
    },
    /// The variables under this mask keep their values.
    Keep {
        at: u32,
    },
    /// A candidate for the value of a slot.
    Offer {
        a: Reg,
    },
    /// Constant candidates.
    OfferAll {
        at: u32,
    },
    /// There is no solution where the value is not among the candidates; these are dropped.
    RequireOffered {
        a: Reg,
    },
}

/// What operations refer to.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) codecs: Vec<Codec>,
    pub(super) binary: Vec<(BinaryOp, RawKind, RawKind, RawKind)>,
    pub(super) word: Vec<(WordOp, RawKind, RawKind)>,
    pub(super) bits: Vec<u64>,
    pub(super) lists: Vec<Box<[i64]>>,
    pub(super) masks: Vec<Box<[u64]>>,
}

/// What code works on.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub(super) regs: Vec<i64>,
    /// Candidates, those of inner choices after those of outer ones.
    pub(super) offered: Vec<i64>,
    /// The packed states of the choices made so far, the innermost last.
    pub(super) packed: Vec<u64>,
}

impl Machine {
    /// Runs code at a present state; `false` where there is no solution.
    pub(super) fn run(
        &mut self,
        code: &[RegisterOp],
        tables: &Tables,
        layout: &StateLayout,
        present: &[u64],
    ) -> bool {
        use RegisterOp as Op;
        // Candidates of outer choices lie before these.
        let first_offer = self.offered.len();
        let regs = &mut self.regs[..];
        macro_rules! get {
            ($reg:expr) => {
                regs[$reg as usize]
            };
        }
        macro_rules! put {
            ($to:expr, $value:expr) => {
                regs[$to as usize] = $value
            };
        }
        let mut at = 0;
        while let Some(&op) = code.get(at) {
            at += 1;
            match op {
                Op::Load { to, var } => {
                    let index = layout.index(present, var as usize);
                    put!(to, tables.codecs[var as usize].word(index));
                }
                Op::Copy { to, a } => put!(to, get!(a)),
                // Truth values are the words 0 and 1, so operations on bits serve as connectives.
                Op::Not { to, a } => put!(to, get!(a) ^ 1),
                Op::And { to, a, b } => put!(to, get!(a) & get!(b)),
                Op::Or { to, a, b } => put!(to, get!(a) | get!(b)),
                Op::Implies { to, a, b } => put!(to, (get!(a) ^ 1) | get!(b)),
                Op::Equal { to, a, b } => put!(to, i64::from(get!(a) == get!(b))),
                Op::Unequal { to, a, b } => put!(to, i64::from(get!(a) != get!(b))),
                Op::Less { to, a, b } => put!(to, i64::from(get!(a) < get!(b))),
                Op::LessEqual { to, a, b } => put!(to, i64::from(get!(a) <= get!(b))),
                Op::Add { to, a, b } => put!(to, get!(a).wrapping_add(get!(b))),
                Op::Sub { to, a, b } => put!(to, get!(a).wrapping_sub(get!(b))),
                Op::Apply { to, a, b, at } => {
                    let (op, left, right, kind) = tables.binary[at as usize];
                    let value = apply(op, left.value(get!(a)), right.value(get!(b)));
                    put!(to, value.map_or(0, |value| kind.raw(value)));
                }
                Op::Word { to, a, at } => {
                    let (op, of, kind) = tables.word[at as usize];
                    let word = of.value(get!(a)).as_word();
                    put!(to, word.map_or(0, |word| kind.raw(op.apply(word))));
                }
                Op::Negate { to, a } => put!(to, get!(a).wrapping_neg()),
                Op::InBits { to, a, at } => {
                    put!(to, i64::from(has_bit(tables.bits[at as usize], get!(a))));
                }
                Op::Tag { to, a, tag } => put!(to, get!(a) << 2 | i64::from(tag)),
                Op::Untag { to, a } => put!(to, get!(a) >> 2),
                Op::UntagAs { to, a, tag } => put!(to, untagged(get!(a), tag)),
                Op::Jump { by } => at += by as usize,
                Op::Unless { a, by } => {
                    if get!(a) == 0 {
                        at += by as usize;
                    }
                }
                Op::When { a, by } => {
                    if get!(a) != 0 {
                        at += by as usize;
                    }
                }
                Op::Require { a } => {
                    if get!(a) == 0 {
                        return false;
                    }
                }
                Op::Refuse { a } => {
                    if get!(a) != 0 {
                        return false;
                    }
                }
                Op::Fix { slot, a } => {
                    let word = get!(a);
                    put!(slot, word);
                    let Some(index) = tables.codecs[slot as usize].index(word) else {
                        return false;
                    };
                    layout.put_slot(&mut self.packed, slot as usize, index);
                }
                Op::Keep { at } => keep(&mut self.packed, present, &tables.masks[at as usize]),
                Op::Offer { a } => self.offered.push(get!(a)),
                Op::OfferAll { at } => self.offered.extend_from_slice(&tables.lists[at as usize]),
                Op::RequireOffered { a } => {
                    if !take_offer(&mut self.offered, first_offer, get!(a)) {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// Whether a word is one of the numbers whose bits are set.
#[inline]
fn has_bit(bits: u64, word: i64) -> bool {
    // A negative word becomes a large one, which fails the bound.
    let word = word as u64;
    word < 64 && bits >> word & 1 == 1
}

/// The word without its tag, if it has this one.
#[inline]
fn untagged(word: i64, tag: u32) -> i64 {
    if word & 3 == i64::from(tag) {
        word >> 2
    } else {
        NOTHING
    }
}

/// Copies the bits of the present state that the mask has into the innermost choice, which is as long.
#[inline]
fn keep(packed: &mut [u64], present: &[u64], mask: &[u64]) {
    let start = packed.len() - present.len();
    let kept = present.iter().zip(mask);
    for (word, (now, mask)) in packed[start..].iter_mut().zip(kept) {
        *word |= now & mask;
    }
}

/// Drops the candidates from a place on; whether a word was among them.
#[inline]
fn take_offer(offered: &mut Vec<i64>, first: usize, wanted: i64) -> bool {
    let found = offered[first..].contains(&wanted);
    offered.truncate(first);
    found
}
