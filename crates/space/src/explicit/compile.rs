//! From terms to flat code.
//!
//! Terms that several others share are calculated first and once, whatever needs them; the others
//! where they are needed, behind a jump where a condition may make them superfluous. So the code is
//! never longer than the terms. The code of sets is in `sets`; a [`CodeBlock`] is code that grows.

mod block;
mod sets;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::deep;
use wherefore_model::{BinaryOp, Model, Requirement, Term, TermId};

pub(super) use self::block::{CodeBlock, RegisterSet};
use super::code::{Reg, RegisterOp, Tables};
use super::raw::{Codec, Kinds, RawKind};
use crate::eval::{PartialEvaluator, ReadMode, SearchSlot};
use crate::layout::StateLayout;

/// Compiles the terms of one model.
///
/// Registers are numbered so: first one for each slot, then one for each variable of the present
/// state, then those of terms and constants, as they are needed.
#[derive(Debug)]
pub(super) struct RegisterCompiler<'m> {
    pub(super) model: &'m Model,
    pub(super) states: usize,
    pub(super) tables: Tables,
    pub(super) kinds: Kinds,
    /// What all registers hold before any code runs.
    pub(super) start: Vec<i64>,
    /// Which slots terms read, and what terms are when nothing is known but some inputs.
    pub(super) eval: PartialEvaluator<'m>,
    regs: [Vec<Reg>; 2],
    constants: FxHashMap<i64, Reg>,
    /// Terms that are operands more than once.
    shared: Vec<bool>,
    lists: FxHashMap<(TermId, RawKind), u32>,
}

/// Terms that choose at more places are not compiled: shared operands could make the code long.
const CHOICES: u64 = 1 << 14;

/// The term has no register yet.
const NO_REG: Reg = Reg::MAX;

impl<'m> RegisterCompiler<'m> {
    /// `None` when values of a variable cannot be words.
    pub(super) fn new(model: &'m Model) -> Option<Self> {
        let codecs: Option<Vec<Codec>> = model.vars.iter().map(|v| Codec::new(&v.domain)).collect();
        let terms = model.terms.len();
        let mut uses = vec![0u8; terms];
        for term in (0..terms).map(|id| model.terms.get(TermId::new(id))) {
            for operand in term.operands() {
                // Only more than one matters, so the count may stop at its limit.
                uses[operand.index()] = uses[operand.index()].saturating_add(1);
            }
        }
        let mut eval = PartialEvaluator::new(model);
        eval.start([]);
        let states = model.state_vars();
        Some(Self {
            model,
            states,
            tables: Tables {
                codecs: codecs?,
                binary: Vec::new(),
                word: Vec::new(),
                bits: Vec::new(),
                lists: Vec::new(),
                masks: Vec::new(),
            },
            kinds: Kinds::new(model),
            start: vec![0; model.vars.len() + states],
            eval,
            regs: [vec![NO_REG; terms], vec![NO_REG; terms]],
            constants: FxHashMap::default(),
            shared: uses.into_iter().map(|uses| uses > 1).collect(),
            lists: FxHashMap::default(),
        })
    }

    /// Whether code can be made for all these requirements.
    pub(super) fn supports(&self, requirements: impl Iterator<Item = Requirement>) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = Vec::new();
        for requirement in requirements {
            match requirement {
                Requirement::Holds(term) => open.push((term, false)),
                Requirement::Assign(var, term) => {
                    let mixed = self.tables.codecs[var.index()].kind == RawKind::Mixed;
                    let many = self.kinds.choices(term) > CHOICES;
                    if many || (mixed && !self.kinds.is_narrow(term)) {
                        return false;
                    }
                    open.push((term, true));
                }
            }
        }
        while let Some((id, choice)) = open.pop() {
            if !seen.insert((id, choice)) {
                continue;
            }
            if self.kinds.of(id).is_none() || (self.kinds.several(id) && !choice) {
                return false;
            }
            match self.model.terms.get(id) {
                Term::Ite(condition, a, b) => {
                    open.extend([(*condition, false), (*a, choice), (*b, choice)]);
                }
                Term::Member(a, b) => {
                    // Each value of one side is compared with each of the other.
                    let choices = self.kinds.choices(*a) * self.kinds.choices(*b);
                    if choices > CHOICES || !self.comparable(*a, *b) {
                        return false;
                    }
                    open.extend([(*a, true), (*b, true)]);
                }
                Term::Binary(BinaryOp::Equal | BinaryOp::Unequal, a, b)
                    if !self.comparable(*a, *b) =>
                {
                    return false;
                }
                term => open.extend(term.operands().map(|o| (o, choice && term_is_set(term)))),
            }
        }
        true
    }

    /// Whether words tell values of the two terms apart.
    fn comparable(&self, a: TermId, b: TermId) -> bool {
        let mixed = [a, b].map(|term| self.kinds.of(term) == Some(RawKind::Mixed));
        let narrow = self.kinds.is_narrow(a) && self.kinds.is_narrow(b);
        narrow || !(mixed[0] || mixed[1])
    }

    /// The slot a term is, if it is one.
    pub(super) fn as_slot(&self, mode: ReadMode, term: TermId) -> Option<SearchSlot> {
        match (self.model.terms.get(term), mode) {
            (Term::Next(var), _) | (Term::Var(var), ReadMode::Target) => Some(var.index()),
            (Term::Var(var), ReadMode::Step) => Some(var.index()).filter(|&var| var >= self.states),
            _ => None,
        }
    }

    /// The branch of a term that the known inputs leave.
    pub(super) fn resolved(&mut self, mode: ReadMode, mut term: TermId) -> TermId {
        while let Term::Ite(condition, a, b) = self.model.terms.get(term)
            && let Some(truth) = self.eval.truth(mode, *condition)
        {
            term = if truth { *a } else { *b };
        }
        term
    }

    /// The register with a constant.
    pub(super) fn constant(&mut self, word: i64) -> Reg {
        let start = &mut self.start;
        *self.constants.entry(word).or_insert_with(|| {
            start.push(word);
            start.len() as Reg - 1
        })
    }

    /// Code for the one value of a term, and the register with it.
    pub(super) fn value(&mut self, block: &mut CodeBlock, mode: ReadMode, term: TermId) -> Reg {
        self.prepare(block, mode, term);
        self.tree(block, mode, term)
    }

    /// Code that offers all values of a term as candidates for a variable.
    pub(super) fn offer(
        &mut self,
        block: &mut CodeBlock,
        mode: ReadMode,
        term: TermId,
        kind: RawKind,
    ) {
        self.prepare(block, mode, term);
        self.offer_tree(block, mode, term, kind);
    }

    /// The word of one kind for a register with a value of another; `None` when there never is one.
    pub(super) fn converted(
        &mut self,
        block: &mut CodeBlock,
        a: Reg,
        from: RawKind,
        to: RawKind,
    ) -> Option<Reg> {
        if from == to {
            return Some(a);
        }
        let reg = self.fresh();
        block.code.push(match (from, to) {
            (RawKind::Word { .. }, _) | (_, RawKind::Word { .. }) => return None,
            (_, RawKind::Mixed) => RegisterOp::Tag {
                to: reg,
                a,
                tag: from.tag() as u32,
            },
            (RawKind::Mixed, _) => RegisterOp::UntagAs {
                to: reg,
                a,
                tag: to.tag() as u32,
            },
            _ => return None,
        });
        Some(reg)
    }

    /// The kind of a term that is supported.
    pub(super) fn kind(&self, term: TermId) -> RawKind {
        self.kinds.of(term).unwrap_or(RawKind::Bool)
    }

    /// Code for whether two registers with values of these kinds are equal.
    pub(super) fn equal(
        &mut self,
        block: &mut CodeBlock,
        a: (Reg, RawKind),
        b: (Reg, RawKind),
    ) -> Reg {
        let joined = a.1.join(b.1);
        let comparable = a.1 == b.1 || a.1 == RawKind::Mixed || b.1 == RawKind::Mixed;
        let (Some(kind), true) = (joined, comparable) else {
            return self.constant(0);
        };
        let sides = [a, b].map(|(reg, own)| self.converted(block, reg, own, kind));
        match sides {
            [Some(a), Some(b)] => {
                let to = self.fresh();
                block.code.push(RegisterOp::Equal { to, a, b });
                to
            }
            _ => self.constant(0),
        }
    }

    /// A register that nothing else uses.
    pub(super) fn fresh(&mut self) -> Reg {
        self.start.push(0);
        self.start.len() as Reg - 1
    }

    fn reg(&mut self, mode: ReadMode, term: TermId) -> Reg {
        if self.regs[mode as usize][term.index()] == NO_REG {
            self.regs[mode as usize][term.index()] = self.fresh();
        }
        self.regs[mode as usize][term.index()]
    }

    fn is_ready(&self, block: &CodeBlock, mode: ReadMode, term: TermId) -> bool {
        let reg = self.regs[mode as usize][term.index()];
        reg != NO_REG && block.ready.contains(reg as usize)
    }

    /// Calculates what several parts of a term share.
    fn prepare(&mut self, block: &mut CodeBlock, mode: ReadMode, term: TermId) {
        let mut shared = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![term];
        while let Some(id) = open.pop() {
            let id = self.resolved(mode, id);
            if !seen.insert(id) || self.is_ready(block, mode, id) {
                continue;
            }
            let term = self.model.terms.get(id);
            if matches!(term, Term::Const(_) | Term::Var(_) | Term::Next(_))
                || self.eval.value(mode, id).is_some()
            {
                continue;
            }
            if self.shared[id.index()] && !self.kinds.several(id) {
                shared.push(id);
            }
            open.extend(term.operands());
        }
        // Operands have smaller numbers than their terms, so this goes from the bottom up.
        shared.sort_unstable();
        for id in shared {
            self.tree(block, mode, id);
        }
    }

    /// Code for the value of a term whose shared parts are ready.
    fn tree(&mut self, block: &mut CodeBlock, mode: ReadMode, id: TermId) -> Reg {
        let kind = self.kind(id);
        match self.model.terms.get(id) {
            Term::Const(value) => return self.constant(kind.raw(*value)),
            Term::Var(_) | Term::Next(_) => return self.variable(block, mode, id),
            _ => {}
        }
        if let Some(value) = self.eval.value(mode, id) {
            return self.constant(kind.raw(value));
        }
        let to = self.reg(mode, id);
        if block.ready.contains(to as usize) {
            return to;
        }
        let reg = deep(|| self.operation(block, mode, id, to));
        // A value that is in another register leaves this one unset.
        if reg == to {
            block.becomes_ready(to);
        }
        reg
    }

    fn variable(&mut self, block: &mut CodeBlock, mode: ReadMode, id: TermId) -> Reg {
        if let Some(slot) = self.as_slot(mode, id) {
            // A known input is a constant, whatever its register holds.
            let known = self.eval.value(mode, id);
            return match known {
                Some(value) => {
                    let kind = self.kind(id);
                    self.constant(kind.raw(value))
                }
                None => slot as Reg,
            };
        }
        let Term::Var(var) = self.model.terms.get(id) else {
            return self.constant(0);
        };
        let var = var.index();
        let to = (self.model.vars.len() + var) as Reg;
        if !block.ready.contains(to as usize) {
            let var = var as u32;
            block.code.push(RegisterOp::Load { to, var });
            block.becomes_ready(to);
        }
        to
    }

    /// Code for a term that is no variable and no constant; its value is wanted in `to`, but may be in
    /// another register.
    fn operation(&mut self, block: &mut CodeBlock, mode: ReadMode, id: TermId, to: Reg) -> Reg {
        let model = self.model;
        match model.terms.get(id) {
            Term::Const(_) | Term::Var(_) | Term::Next(_) => return self.tree(block, mode, id),
            Term::Not(a) => {
                let a = self.operand(block, mode, *a, RawKind::Bool);
                block.code.push(RegisterOp::Not { to, a });
            }
            Term::Negate(a) => {
                let a = self.operand(block, mode, *a, RawKind::Int);
                block.code.push(RegisterOp::Negate { to, a });
            }
            Term::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                self.chain(block, mode, id, *op, to);
            }
            Term::Binary(op, a, b) => return self.binary(block, mode, (*op, *a, *b), to),
            Term::Ite(condition, a, b) => {
                if let Some(truth) = self.eval.truth(mode, *condition) {
                    let branch = if truth { *a } else { *b };
                    return self.operand(block, mode, branch, self.kind(id));
                }
                let c = self.operand(block, mode, *condition, RawKind::Bool);
                let kind = self.kind(id);
                let branch = |this: &mut Self, block: &mut CodeBlock, term| {
                    let a = this.operand(block, mode, term, kind);
                    block.code.push(RegisterOp::Copy { to, a });
                };
                self.either(block, c, (*a, *b), branch);
            }
            Term::Set(members) => match **members {
                [member] => return self.operand(block, mode, member, self.kind(id)),
                _ => return self.constant(0),
            },
            Term::Member(a, b) => {
                self.member(block, mode, *a, *b, to);
            }
            Term::Count(conditions) => {
                let zero = self.constant(0);
                block.code.push(RegisterOp::Copy { to, a: zero });
                for &condition in conditions {
                    let b = self.operand(block, mode, condition, RawKind::Bool);
                    block.code.push(RegisterOp::Add { to, a: to, b });
                }
            }
            Term::Word(op, a) => {
                let entry = (*op, self.kind(*a), self.kind(id));
                let a = self.tree(block, mode, *a);
                self.tables.word.push(entry);
                let at = self.tables.word.len() as u32 - 1;
                block.code.push(RegisterOp::Word { to, a, at });
            }
        }
        to
    }

    /// The value of an operand as a word of a kind.
    fn operand(
        &mut self,
        block: &mut CodeBlock,
        mode: ReadMode,
        term: TermId,
        kind: RawKind,
    ) -> Reg {
        let a = self.tree(block, mode, term);
        match (self.kind(term), kind) {
            (from, to) if from == to => a,
            (RawKind::Mixed, RawKind::Bool | RawKind::Int | RawKind::Symbol) => {
                let to = self.fresh();
                block.code.push(RegisterOp::Untag { to, a });
                to
            }
            (from, to) => match self.converted(block, a, from, to) {
                Some(reg) => reg,
                None => self.constant(0),
            },
        }
    }

    /// Code for one of two terms, as a condition says.
    fn either(
        &mut self,
        block: &mut CodeBlock,
        condition: Reg,
        terms: (TermId, TermId),
        mut each: impl FnMut(&mut Self, &mut CodeBlock, TermId),
    ) {
        let unless = block.jump(RegisterOp::Unless {
            a: condition,
            by: 0,
        });
        let length = block.log.len();
        each(self, block, terms.0);
        // What one branch calculated is not there in the other one, nor after both.
        block.forget(length);
        let end = block.jump(RegisterOp::Jump { by: 0 });
        block.land(unless);
        each(self, block, terms.1);
        block.forget(length);
        block.land(end);
    }

    /// Code for a chain of conjunctions or disjunctions: whatever decides it skips the rest.
    fn chain(&mut self, block: &mut CodeBlock, mode: ReadMode, id: TermId, op: BinaryOp, to: Reg) {
        let model = self.model;
        let mut parts = Vec::new();
        let mut open = vec![id];
        while let Some(part) = open.pop() {
            match model.terms.get(part) {
                // A shared part keeps its own register instead of being written out again.
                Term::Binary(other, a, b)
                    if *other == op
                        && (part == id || !self.shared[part.index()])
                        && self.eval.value(mode, part).is_none() =>
                {
                    open.extend([*b, *a]);
                }
                // What does not decide the chain when it is known does not matter.
                _ if self.eval.value(mode, part).is_some() => {}
                _ => parts.push(part),
            }
        }
        let length = block.log.len();
        let mut jumps = Vec::new();
        for (at, &part) in parts.iter().enumerate() {
            let a = self.operand(block, mode, part, RawKind::Bool);
            match (at, op) {
                (0, _) => block.code.push(RegisterOp::Copy { to, a }),
                (_, BinaryOp::And) => block.code.push(RegisterOp::And { to, a: to, b: a }),
                _ => block.code.push(RegisterOp::Or { to, a: to, b: a }),
            }
            // Skipping a single operation is not worth a jump.
            if at + 1 < parts.len() && !self.is_simple(block, mode, parts[at + 1]) {
                jumps.push(block.jump(match op {
                    BinaryOp::And => RegisterOp::Unless { a: to, by: 0 },
                    _ => RegisterOp::When { a: to, by: 0 },
                }));
            }
        }
        // A jump may skip what follows it, so nothing from the beginning on counts as ready.
        if !jumps.is_empty() {
            block.forget(length);
        }
        for jump in jumps {
            block.land(jump);
        }
    }

    /// Whether a term takes one operation or none.
    fn is_simple(&self, block: &CodeBlock, mode: ReadMode, term: TermId) -> bool {
        let leaf = |id: TermId| {
            let term = self.model.terms.get(id);
            matches!(term, Term::Const(_) | Term::Var(_) | Term::Next(_))
                || self.is_ready(block, mode, id)
        };
        match self.model.terms.get(term) {
            Term::Not(a) => leaf(*a),
            Term::Binary(op, a, b) => op.is_condition() && leaf(*a) && leaf(*b),
            _ => leaf(term),
        }
    }

    fn binary(
        &mut self,
        block: &mut CodeBlock,
        mode: ReadMode,
        (op, left, right): (BinaryOp, TermId, TermId),
        to: Reg,
    ) -> Reg {
        use BinaryOp as B;
        let kinds = (self.kind(left), self.kind(right));
        let is_word = |kind| matches!(kind, RawKind::Word { .. });
        if matches!(op, B::Equal | B::Unequal) {
            let a = self.tree(block, mode, left);
            let b = self.tree(block, mode, right);
            if kinds.0 == kinds.1 {
                block.code.push(match op {
                    B::Equal => RegisterOp::Equal { to, a, b },
                    _ => RegisterOp::Unequal { to, a, b },
                });
                return to;
            }
            let a = self.equal(block, (a, kinds.0), (b, kinds.1));
            block.code.push(match op {
                B::Equal => RegisterOp::Copy { to, a },
                _ => RegisterOp::Not { to, a },
            });
            return to;
        }
        if op == B::Implies {
            let a = self.operand(block, mode, left, RawKind::Bool);
            if self.is_simple(block, mode, right) {
                let b = self.operand(block, mode, right, RawKind::Bool);
                block.code.push(RegisterOp::Implies { to, a, b });
                return to;
            }
            block.code.push(RegisterOp::Not { to, a });
            let when = block.jump(RegisterOp::When { a: to, by: 0 });
            let length = block.log.len();
            let a = self.operand(block, mode, right, RawKind::Bool);
            block.code.push(RegisterOp::Copy { to, a });
            block.forget(length);
            block.land(when);
            return to;
        }
        if is_word(kinds.0) || is_word(kinds.1) || matches!(op, B::Mul | B::Div | B::Mod) {
            let plain = |kind| if is_word(kind) { kind } else { RawKind::Int };
            let kinds = (plain(kinds.0), plain(kinds.1));
            let result = RawKind::of_operator(op, kinds.0, kinds.1).unwrap_or(RawKind::Int);
            let a = self.operand(block, mode, left, kinds.0);
            let b = self.operand(block, mode, right, kinds.1);
            self.tables.binary.push((op, kinds.0, kinds.1, result));
            let at = self.tables.binary.len() as u32 - 1;
            block.code.push(RegisterOp::Apply { to, a, b, at });
            return to;
        }
        let a = self.operand(block, mode, left, RawKind::Int);
        let b = self.operand(block, mode, right, RawKind::Int);
        block.code.push(match op {
            B::Less => RegisterOp::Less { to, a, b },
            B::LessEqual => RegisterOp::LessEqual { to, a, b },
            B::Greater => RegisterOp::Less { to, a: b, b: a },
            B::GreaterEqual => RegisterOp::LessEqual { to, a: b, b: a },
            B::Sub => RegisterOp::Sub { to, a, b },
            _ => RegisterOp::Add { to, a, b },
        });
        to
    }
}

fn term_is_set(term: &Term) -> bool {
    matches!(term, Term::Set(_))
}

/// Adds the bits of the variables that keep their values to the code.
pub(super) fn keep(
    tables: &mut Tables,
    block: &mut CodeBlock,
    layout: &StateLayout,
    slots: &[SearchSlot],
) {
    if slots.is_empty() {
        return;
    }
    let mut mask = vec![0; layout.words()];
    for &slot in slots {
        layout.cover(&mut mask, slot);
    }
    tables.masks.push(mask.into());
    let at = tables.masks.len() as u32 - 1;
    block.code.push(RegisterOp::Keep { at });
}
