//! Code that grows, and which registers hold their values where it ends.

use crate::eval::Slots;
use crate::explicit::code::{Reg, RegisterOp};

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(in crate::explicit) struct RegisterSet(Vec<u64>);

impl RegisterSet {
    pub(in crate::explicit) fn contains(&self, at: usize) -> bool {
        self.0
            .get(at / 64)
            .is_some_and(|word| word & 1 << (at % 64) != 0)
    }

    pub(in crate::explicit) fn insert(&mut self, at: usize) {
        if self.0.len() <= at / 64 {
            self.0.resize(at / 64 + 1, 0);
        }
        self.0[at / 64] |= 1 << (at % 64);
    }

    /// Whether these slots are all in the set.
    pub(in crate::explicit) fn include(&self, slots: Slots<'_>) -> bool {
        slots.are_within(&self.0)
    }

    fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }
}

/// Code that grows.
#[derive(Default, Debug)]
pub(in crate::explicit) struct CodeBlock {
    pub(in crate::explicit) code: Vec<RegisterOp>,
    /// Registers that hold their values.
    pub(in crate::explicit) ready: RegisterSet,
    /// Registers that became ready, the last one last.
    pub(super) log: Vec<Reg>,
}

impl CodeBlock {
    pub(in crate::explicit) fn after(ready: RegisterSet) -> Self {
        Self {
            code: Vec::new(),
            ready,
            log: Vec::new(),
        }
    }

    pub(super) fn becomes_ready(&mut self, reg: Reg) {
        self.ready.insert(reg as usize);
        self.log.push(reg);
    }

    /// Forgets what became ready since the log had this length: a jump may skip it.
    pub(super) fn forget(&mut self, length: usize) {
        for reg in self.log.drain(length..) {
            self.ready.remove(reg as usize);
        }
    }

    /// Lets the jump at a place go to the end of the code.
    pub(super) fn land(&mut self, jump: usize) {
        let distance = (self.code.len() - jump - 1) as u32;
        match &mut self.code[jump] {
            RegisterOp::Jump { by }
            | RegisterOp::Unless { by, .. }
            | RegisterOp::When { by, .. } => *by = distance,
            _ => {}
        }
    }

    /// Adds a jump; [`CodeBlock::land`] says where to.
    pub(super) fn jump(&mut self, op: RegisterOp) -> usize {
        self.code.push(op);
        self.code.len() - 1
    }
}
