//! Code for sets: whether values are members, and which values there are to choose from.

use wherefore_base::deep;
use wherefore_model::{Term, TermId};

use super::{CodeBlock, RegisterCompiler};
use crate::eval::ReadMode;
use crate::explicit::code::{Reg, RegisterOp};
use crate::explicit::raw::RawKind;

impl RegisterCompiler<'_> {
    /// Code for whether all values of a term are values of another.
    pub(super) fn member(
        &mut self,
        block: &mut CodeBlock,
        mode: ReadMode,
        a: TermId,
        members: TermId,
        to: Reg,
    ) {
        let a = self.resolved(mode, a);
        match self.model.terms.get(a) {
            Term::Set(values) => {
                let one = self.constant(1);
                block.code.push(RegisterOp::Copy { to, a: one });
                for &value in values {
                    let part = self.fresh();
                    deep(|| self.member(block, mode, value, members, part));
                    block.code.push(RegisterOp::And { to, a: to, b: part });
                }
            }
            Term::Ite(condition, then, otherwise) if self.kinds.several(a) => {
                let c = self.operand(block, mode, *condition, RawKind::Bool);
                self.either(block, c, (*then, *otherwise), |this, block, term| {
                    deep(|| this.member(block, mode, term, members, to));
                });
            }
            _ => {
                let value = (self.tree(block, mode, a), self.kind(a));
                self.member_of(block, mode, value, members, to);
            }
        }
    }

    fn member_of(
        &mut self,
        block: &mut CodeBlock,
        mode: ReadMode,
        value: (Reg, RawKind),
        members: TermId,
        to: Reg,
    ) {
        let members = self.resolved(mode, members);
        match self.model.terms.get(members) {
            Term::Set(list) => {
                if let Some(bits) = self.small_set(list, value.1) {
                    self.tables.bits.push(bits);
                    let at = self.tables.bits.len() as u32 - 1;
                    block.code.push(RegisterOp::InBits { to, a: value.0, at });
                    return;
                }
                let zero = self.constant(0);
                block.code.push(RegisterOp::Copy { to, a: zero });
                for &member in list {
                    let part = self.fresh();
                    deep(|| self.member_of(block, mode, value, member, part));
                    block.code.push(RegisterOp::Or { to, a: to, b: part });
                }
            }
            Term::Ite(condition, then, otherwise) if self.kinds.several(members) => {
                let c = self.operand(block, mode, *condition, RawKind::Bool);
                self.either(block, c, (*then, *otherwise), |this, block, term| {
                    deep(|| this.member_of(block, mode, value, term, to));
                });
            }
            _ => {
                let member = (self.tree(block, mode, members), self.kind(members));
                let a = self.equal(block, value, member);
                block.code.push(RegisterOp::Copy { to, a });
            }
        }
    }

    /// Constants of one kind whose words are below 64, as a set of bits.
    fn small_set(&self, members: &[TermId], kind: RawKind) -> Option<u64> {
        let mut bits = 0;
        for &member in members {
            let Term::Const(value) = self.model.terms.get(member) else {
                return None;
            };
            if kind != RawKind::Mixed && RawKind::of(*value) != kind {
                return None;
            }
            let word = kind.raw(*value);
            if !(0..64).contains(&word) {
                return None;
            }
            bits |= 1 << word;
        }
        Some(bits)
    }

    pub(super) fn offer_tree(
        &mut self,
        block: &mut CodeBlock,
        mode: ReadMode,
        term: TermId,
        kind: RawKind,
    ) {
        let id = self.resolved(mode, term);
        match self.model.terms.get(id) {
            Term::Set(members) => {
                if let Some(at) = self.constant_list(id, members, kind) {
                    block.code.push(RegisterOp::OfferAll { at });
                    return;
                }
                for &member in members {
                    deep(|| self.offer_tree(block, mode, member, kind));
                }
            }
            Term::Ite(condition, then, otherwise) if self.kinds.several(id) => {
                let c = self.operand(block, mode, *condition, RawKind::Bool);
                self.either(block, c, (*then, *otherwise), |this, block, term| {
                    deep(|| this.offer_tree(block, mode, term, kind));
                });
            }
            _ => {
                let a = self.tree(block, mode, id);
                if let Some(a) = self.converted(block, a, self.kind(id), kind) {
                    block.code.push(RegisterOp::Offer { a });
                }
            }
        }
    }

    /// The place of a list with the words of constants.
    fn constant_list(&mut self, id: TermId, members: &[TermId], kind: RawKind) -> Option<u32> {
        if let Some(&at) = self.lists.get(&(id, kind)) {
            return Some(at);
        }
        let mut words = Vec::with_capacity(members.len());
        for &member in members {
            let Term::Const(value) = self.model.terms.get(member) else {
                return None;
            };
            // A constant of another kind is never a value of the variable.
            if kind == RawKind::Mixed || RawKind::of(*value) == kind {
                words.push(kind.raw(*value));
            }
        }
        let at = self.tables.lists.len() as u32;
        self.tables.lists.push(words.into());
        self.lists.insert((id, kind), at);
        Some(at)
    }
}
