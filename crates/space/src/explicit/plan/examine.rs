//! Looking at a requirement: it is settled, can never be met, or waits for a value.

use wherefore_model::{BinaryOp, Term, TermId};

use super::PlanOutcome::{self, Never, Settled, Waiting};
use super::{NodeDraft, PlanBuilder, Want, WantedCondition};
use crate::eval::{ReadMode, SearchSlot};
use crate::explicit::code::{Reg, RegisterOp};

impl PlanBuilder<'_, '_> {
    /// Looks at a want; simpler ones that stand for it go to `todo`.
    pub(super) fn examine(
        &mut self,
        want: Want,
        draft: &mut NodeDraft,
        todo: &mut Vec<Want>,
    ) -> PlanOutcome {
        match want {
            Want::Holds(part) => self.examine_part(part, draft, todo),
            Want::Any(parts) => self.examine_any(&parts, draft, todo),
            Want::Same(a, b) => self.examine_same(a, b, draft),
            Want::Assign { mode, slot, term } => {
                let term = self.compiler.resolved(mode, term);
                self.examine_assign(mode, slot, term, draft)
            }
        }
    }

    fn examine_part(
        &mut self,
        part: WantedCondition,
        draft: &mut NodeDraft,
        todo: &mut Vec<Want>,
    ) -> PlanOutcome {
        let WantedCondition { mode, wanted, .. } = part;
        let term = self.compiler.resolved(mode, part.term);
        let part = WantedCondition { term, ..part };
        if let Some(truth) = self.compiler.eval.truth(mode, term) {
            return if truth == wanted { Settled } else { Never };
        }
        let model = self.compiler.model;
        let holds = |term, wanted| Want::Holds(WantedCondition { mode, term, wanted });
        // Conjunctions are taken apart first, so that each conjunct is tested as soon as it is known.
        match (model.terms.get(term), wanted) {
            (Term::Not(a), _) => {
                todo.push(holds(*a, !wanted));
                return Settled;
            }
            (Term::Binary(BinaryOp::And, ..), true) | (Term::Binary(BinaryOp::Or, ..), false) => {
                let chain = self.compiler.eval.chain(mode, term);
                todo.extend(chain.iter().rev().map(|&term| holds(term, wanted)));
                return Settled;
            }
            (Term::Binary(BinaryOp::Implies, a, b), false) => {
                todo.extend([holds(*b, false), holds(*a, true)]);
                return Settled;
            }
            _ => {}
        }
        if self.is_known(draft, mode, term) {
            let a = self.compiler.value(&mut draft.block, mode, term);
            draft.block.code.push(match wanted {
                true => RegisterOp::Require { a },
                false => RegisterOp::Refuse { a },
            });
            return Settled;
        }
        if let Some(slot) = self.compiler.as_slot(mode, term) {
            let a = self.compiler.constant(i64::from(wanted));
            self.fix(draft, slot, a);
            return Settled;
        }
        match (model.terms.get(term), wanted) {
            (Term::Binary(BinaryOp::And, ..), false)
            | (Term::Binary(BinaryOp::Or | BinaryOp::Implies, ..), true) => {
                let parts = self.alternatives(part);
                todo.push(Want::Any(parts.into()));
                Settled
            }
            (Term::Binary(BinaryOp::Equal, a, b), true)
            | (Term::Binary(BinaryOp::Unequal, a, b), false) => {
                match self.as_assignment(draft, mode, *a, *b) {
                    Some(want) => {
                        todo.push(want);
                        Settled
                    }
                    None => Waiting(Want::Holds(part)),
                }
            }
            (Term::Member(a, members), true) => match self.compiler.as_slot(mode, *a) {
                Some(slot) => {
                    let term = *members;
                    todo.push(Want::Assign { mode, slot, term });
                    Settled
                }
                None => Waiting(Want::Holds(part)),
            },
            _ => Waiting(Want::Holds(part)),
        }
    }

    /// An equation with a slot at one side as an assignment.
    fn as_assignment(
        &self,
        draft: &NodeDraft,
        mode: ReadMode,
        a: TermId,
        b: TermId,
    ) -> Option<Want> {
        let slots = [a, b].map(|side| self.compiler.as_slot(mode, side));
        if let [Some(a), Some(b)] = slots {
            return Some(Want::Same(a, b));
        }
        // An open side takes its value from the other one; a fixed side can only be compared.
        let open = |slot: Option<SearchSlot>| slot.filter(|&slot| !draft.known.contains(slot));
        let assign = |slot, term| Want::Assign { mode, slot, term };
        match (open(slots[0]), open(slots[1])) {
            (Some(slot), _) => Some(assign(slot, b)),
            (_, Some(slot)) => Some(assign(slot, a)),
            _ => match slots {
                [Some(slot), _] => Some(assign(slot, b)),
                [_, Some(slot)] => Some(assign(slot, a)),
                _ => None,
            },
        }
    }

    fn examine_any(
        &mut self,
        parts: &[WantedCondition],
        draft: &mut NodeDraft,
        todo: &mut Vec<Want>,
    ) -> PlanOutcome {
        let mut left = Vec::with_capacity(parts.len());
        for &part in parts {
            match self.compiler.eval.truth(part.mode, part.term) {
                Some(truth) if truth == part.wanted => return Settled,
                Some(_) => {}
                None => left.push(part),
            }
        }
        if let [part] = left[..] {
            todo.push(Want::Holds(part));
            return Settled;
        }
        if left.is_empty() {
            return Never;
        }
        let known = |part: &WantedCondition| self.is_known(draft, part.mode, part.term);
        if left.iter().all(known) {
            let a = self.any(draft, &left);
            draft.block.code.push(RegisterOp::Require { a });
            return Settled;
        }
        Waiting(Want::Any(left.into()))
    }

    fn examine_same(&mut self, a: SearchSlot, b: SearchSlot, draft: &mut NodeDraft) -> PlanOutcome {
        let kind = |slot: SearchSlot| self.compiler.tables.codecs[slot].kind;
        let (kind_a, kind_b) = (kind(a), kind(b));
        let (from, to) = match (draft.known.contains(a), draft.known.contains(b)) {
            _ if a == b => return Settled,
            (false, false) => return Waiting(Want::Same(a, b)),
            (true, true) => {
                let sides = ((a as Reg, kind_a), (b as Reg, kind_b));
                let a = self.compiler.equal(&mut draft.block, sides.0, sides.1);
                draft.block.code.push(RegisterOp::Require { a });
                return Settled;
            }
            (true, false) => ((a, kind_a), (b, kind_b)),
            (false, true) => ((b, kind_b), (a, kind_a)),
        };
        let word = self
            .compiler
            .converted(&mut draft.block, from.0 as Reg, from.1, to.1);
        match word {
            Some(word) => {
                self.fix(draft, to.0, word);
                Settled
            }
            None => Never,
        }
    }

    fn examine_assign(
        &mut self,
        mode: ReadMode,
        slot: SearchSlot,
        term: TermId,
        draft: &mut NodeDraft,
    ) -> PlanOutcome {
        let is_fixed = draft.known.contains(slot);
        // A known input is a constant, not a slot that has to be the same.
        if let Some(other) = self.compiler.as_slot(mode, term)
            && self.compiler.eval.value(mode, term).is_none()
        {
            return self.examine_same(slot, other, draft);
        }
        if !self.is_known(draft, mode, term) {
            return Waiting(Want::Assign { mode, slot, term });
        }
        let kind = self.compiler.tables.codecs[slot].kind;
        if self.compiler.kinds.several(term) {
            // Which of several values it takes is a choice, and choices are made by splits.
            if !is_fixed {
                return Waiting(Want::Assign { mode, slot, term });
            }
            self.compiler.offer(&mut draft.block, mode, term, kind);
            let a = slot as Reg;
            draft.block.code.push(RegisterOp::RequireOffered { a });
            return Settled;
        }
        let own =
            matches!(self.compiler.model.terms.get(term), Term::Var(var) if var.index() == slot);
        // A variable that keeps its value is copied with all others by one mask, and loaded only
        // for readers.
        if own && !is_fixed {
            draft.kept.push(slot);
            draft.known.insert(slot);
            draft.fixed += 1;
            if self.read.contains(slot) {
                let (to, var) = (slot as Reg, slot as u32);
                draft.block.code.push(RegisterOp::Load { to, var });
            }
            return Settled;
        }
        let a = self.compiler.value(&mut draft.block, mode, term);
        if is_fixed {
            let value = (a, self.compiler.kind(term));
            let a = self
                .compiler
                .equal(&mut draft.block, (slot as Reg, kind), value);
            draft.block.code.push(RegisterOp::Require { a });
            return Settled;
        }
        let own_kind = self.compiler.kind(term);
        match self.compiler.converted(&mut draft.block, a, own_kind, kind) {
            Some(word) => {
                self.fix(draft, slot, word);
                Settled
            }
            None => Never,
        }
    }

    fn fix(&mut self, draft: &mut NodeDraft, slot: SearchSlot, a: Reg) {
        draft.known.insert(slot);
        draft.fixed += 1;
        let slot = slot as u32;
        draft.block.code.push(RegisterOp::Fix { slot, a });
    }

    /// The conditions one of which must hold for a disjunctive one to hold.
    fn alternatives(&mut self, part: WantedCondition) -> Vec<WantedCondition> {
        let model = self.compiler.model;
        let mut parts = Vec::new();
        let mut open = vec![part];
        while let Some(WantedCondition { mode, term, wanted }) = open.pop() {
            let part = |term, wanted| WantedCondition { mode, term, wanted };
            match (model.terms.get(term), wanted) {
                (Term::Not(a), _) => open.push(part(*a, !wanted)),
                (Term::Binary(BinaryOp::Or, ..), true)
                | (Term::Binary(BinaryOp::And, ..), false) => {
                    let chain = self.compiler.eval.chain(mode, term);
                    open.extend(chain.iter().rev().map(|&term| part(term, wanted)));
                }
                (Term::Binary(BinaryOp::Implies, a, b), true) => {
                    open.extend([part(*b, true), part(*a, false)]);
                }
                _ => parts.push(part(term, wanted)),
            }
        }
        parts
    }

    /// Code for whether one of some known conditions has the truth value wanted of it.
    pub(super) fn any(&mut self, draft: &mut NodeDraft, parts: &[WantedCondition]) -> Reg {
        let mut result = None;
        for part in parts {
            let block = &mut draft.block;
            let mut a = self.compiler.value(block, part.mode, part.term);
            if !part.wanted {
                let to = self.compiler.fresh();
                block.code.push(RegisterOp::Not { to, a });
                a = to;
            }
            result = Some(match result {
                None => a,
                Some(b) => {
                    let to = self.compiler.fresh();
                    block.code.push(RegisterOp::Or { to, a, b });
                    to
                }
            });
        }
        result.unwrap_or_else(|| self.compiler.constant(0))
    }
}
