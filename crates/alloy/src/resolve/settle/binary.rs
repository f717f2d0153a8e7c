//! Operators with two sides: what matters of each, and the warnings where nothing can.

use wherefore_base::{Diagnostic, Span};

use super::super::Resolver;
use super::super::draft::DraftId;
use crate::ast::AlloyBinaryOp;
use crate::model::{AlloyTermId, AlloyTermKind};
use crate::types::AlloyType;

/// The terms of the two sides, and the type of the whole.
type SettledSides = ((AlloyTermId, AlloyTermId), AlloyType);

impl Resolver<'_, '_> {
    pub(super) fn settle_binary(
        &mut self,
        op: AlloyBinaryOp,
        a: DraftId,
        b: DraftId,
        wanted: &AlloyType,
        span: Span,
    ) -> Option<AlloyTermId> {
        use AlloyBinaryOp as B;
        let ((a, b), ty) = match op {
            B::Or
            | B::Iff
            | B::Implies
            | B::And
            | B::Until
            | B::Since
            | B::Releases
            | B::Triggered
            | B::Then => {
                let (a, b) = (self.settle_formula(a), self.settle_formula(b));
                ((a?, b?), AlloyType::formula())
            }
            B::Less | B::Greater | B::LessEqual | B::GreaterEqual => {
                let (a, b) = (self.settle_integer(a), self.settle_integer(b));
                ((a?, b?), AlloyType::formula())
            }
            B::ShiftLeft
            | B::ShiftRight
            | B::ShiftRightZeros
            | B::Add
            | B::Sub
            | B::Mul
            | B::Div
            | B::Rem => {
                let (a, b) = (self.settle_integer(a), self.settle_integer(b));
                ((a?, b?), self.integer_type())
            }
            B::In | B::Equal => self.settle_comparison(op, a, b, span)?,
            B::Intersection => self.settle_intersection(a, b, wanted, span)?,
            B::Union | B::Override | B::Difference => self.settle_union(op, a, b, wanted, span)?,
            B::Domain | B::Range => self.settle_restriction(op, a, b, wanted, span)?,
        };
        Some(self.term(AlloyTermKind::Binary(op, a, b), ty, span))
    }

    /// The types of two sides as far as they have the same number of columns.
    fn alike(&self, a: DraftId, b: DraftId) -> (AlloyType, AlloyType) {
        let (left, right) = (self.ty(a), self.ty(b));
        (left.alike(right), right.alike(left))
    }

    /// Warns that two sides have nothing in common, unless one of them is empty anyway.
    fn warn_disjoint(&mut self, left: &AlloyType, right: &AlloyType, span: Span, message: &str) {
        if self.hierarchy.has_tuple(left) && self.hierarchy.has_tuple(right) {
            let (l, r) = (self.show(left), self.show(right));
            let warning = Diagnostic::warning(span, message)
                .because(format!("{l} on the left, {r} on the right"));
            self.log.push(warning);
        }
    }

    fn settle_comparison(
        &mut self,
        op: AlloyBinaryOp,
        a: DraftId,
        b: DraftId,
        span: Span,
    ) -> Option<SettledSides> {
        let (left, right) = self.alike(a, b);
        let shared = self.hierarchy.intersection(&left, &right);
        let both = if !self.hierarchy.has_tuple(&shared) {
            let message = match op {
                AlloyBinaryOp::Equal => "The two sides of this equation have nothing in common",
                _ => "The left side of `in` has nothing in common with the right side",
            };
            self.warn_disjoint(&left, &right, span, message);
            self.both(a, &left.as_set(), b, &right.as_set())?
        } else if op == AlloyBinaryOp::Equal {
            self.equal_sides((a, &left), (b, &right), &shared)?
        } else {
            // All of the left side must be in the right one, of which only that part matters.
            self.both(a, &left.as_set(), b, &shared)?
        };
        self.with_itself(both.0, both.1, span);
        Some((both, AlloyType::formula()))
    }

    fn settle_intersection(
        &mut self,
        a: DraftId,
        b: DraftId,
        wanted: &AlloyType,
        span: Span,
    ) -> Option<SettledSides> {
        let (left, right) = self.alike(a, b);
        let shared = self.hierarchy.intersection(&left, &right);
        let relevant = self.hierarchy.intersection(&shared, wanted);
        let known = self.hierarchy.has_tuple(&shared);
        if !known {
            self.warn_disjoint(&left, &right, span, "This intersection is always empty");
        }
        let relevant = match (self.hierarchy.has_tuple(&relevant), known) {
            (true, _) => relevant,
            (false, true) => shared,
            (false, false) => AlloyType::default(),
        };
        let pick = |own: &AlloyType| {
            if relevant.is_set() {
                relevant.clone()
            } else {
                own.as_set()
            }
        };
        let both = self.both(a, &pick(&left), b, &pick(&right))?;
        let (left, right) = (self.type_of(both.0), self.type_of(both.1));
        Some((both, self.hierarchy.intersection(left, right)))
    }

    fn settle_union(
        &mut self,
        op: AlloyBinaryOp,
        a: DraftId,
        b: DraftId,
        wanted: &AlloyType,
        span: Span,
    ) -> Option<SettledSides> {
        let (left, right) = self.alike(a, b);
        self.irrelevant(op, a, b, wanted);
        self.no_arithmetic(op, a, b, span);
        if op == AlloyBinaryOp::Override {
            self.overrides_nothing(&left, &right, span);
        }
        let (on_left, on_right) = (self.meet_or(&left, wanted), self.meet_or(&right, wanted));
        let on_right = match op {
            // Only what is on the left can be taken away.
            AlloyBinaryOp::Difference => self.meet_or(&right, &on_left),
            AlloyBinaryOp::Override => {
                let overriding = self.overriding(&left, &right);
                self.hierarchy.merge(&on_right, &overriding)
            }
            _ => on_right,
        };
        let both = self.both(a, &on_left, b, &on_right)?;
        let (left, right) = (self.type_of(both.0), self.type_of(both.1));
        let ty = match op {
            AlloyBinaryOp::Difference => left.as_set(),
            _ => self.hierarchy.union(left, right),
        };
        Some((both, ty))
    }

    fn settle_restriction(
        &mut self,
        op: AlloyBinaryOp,
        a: DraftId,
        b: DraftId,
        wanted: &AlloyType,
        span: Span,
    ) -> Option<SettledSides> {
        let of_domain = op == AlloyBinaryOp::Domain;
        let (set, relation) = if of_domain { (a, b) } else { (b, a) };
        let (set, relation) = (self.ty(set).clone(), self.ty(relation).clone());
        self.empty_restriction(op, (&set, &relation), span);
        let (on_set, on_relation) = self.wanted_of_restriction(op, &set, &relation, wanted);
        // The left side is settled first in both cases: this is the order of the messages.
        let both = if of_domain {
            self.both(a, &on_set, b, &on_relation)?
        } else {
            self.both(a, &on_relation, b, &on_set)?
        };
        Some((both, self.meet_or(&on_relation, wanted)))
    }

    /// Settles the two sides of an equation. Names mean what both sides have in common, if that decides; but
    /// all of both sides matters, so the warnings are those for the whole of each.
    fn equal_sides(
        &mut self,
        (a, left): (DraftId, &AlloyType),
        (b, right): (DraftId, &AlloyType),
        shared: &AlloyType,
    ) -> Option<(AlloyTermId, AlloyTermId)> {
        let mark = self.log.len();
        let whole = self.both(a, &left.as_set(), b, &right.as_set());
        // Both sides have one type: what they share is all of it, and nothing is left to decide.
        if whole.is_some() && shared.products == left.products && left.products == right.products {
            return whole;
        }
        let told = self.log.split_off(mark);
        let both = self.both(a, shared, b, shared);
        let mut kept = self.log.split_off(mark);
        kept.retain(Diagnostic::is_error);
        if whole.is_some() {
            kept.extend(told.into_iter().filter(|told| !told.is_error()));
        }
        self.log.extend(kept);
        both
    }

    fn wanted_of_restriction(
        &self,
        op: AlloyBinaryOp,
        set: &AlloyType,
        relation: &AlloyType,
        wanted: &AlloyType,
    ) -> (AlloyType, AlloyType) {
        let (mut on_set, mut on_relation) = (AlloyType::default(), AlloyType::default());
        for product in &relation.products {
            let at = if op == AlloyBinaryOp::Domain {
                0
            } else {
                product.len() - 1
            };
            for column in set.products.iter().filter(|column| column.len() == 1) {
                let meet = self.hierarchy.meet(product[at], column[0]);
                let mut restricted = product.clone();
                restricted[at] = meet;
                let one = self.hierarchy.of([restricted.clone()]);
                if self.hierarchy.intersects(&one, wanted) {
                    self.hierarchy.add(&mut on_set, vec![meet]);
                    self.hierarchy.add(&mut on_relation, restricted);
                }
            }
        }
        if on_set.is_set() {
            (on_set, on_relation)
        } else {
            (set.of_arity(1), relation.as_set())
        }
    }

    pub(super) fn wanted_of_arrow(
        &self,
        a: DraftId,
        b: DraftId,
        wanted: &AlloyType,
    ) -> (AlloyType, AlloyType) {
        let (left, right) = (self.ty(a), self.ty(b));
        let (mut on_left, mut on_right) = (AlloyType::default(), AlloyType::default());
        for x in &left.products {
            for y in &right.products {
                let whole = [&x[..], &y[..]].concat();
                for goal in &wanted.products {
                    let Some(meet) = self.hierarchy.meet_products(&whole, goal) else {
                        continue;
                    };
                    if !self.hierarchy.is_empty_product(&meet) {
                        self.hierarchy.add(&mut on_left, meet[..x.len()].to_vec());
                        self.hierarchy.add(&mut on_right, meet[x.len()..].to_vec());
                    }
                }
            }
        }
        if on_left.is_set() {
            (on_left, on_right)
        } else {
            (left.as_set(), right.as_set())
        }
    }

    pub(super) fn settle_join(
        &mut self,
        a: DraftId,
        b: DraftId,
        wanted: &AlloyType,
        span: Span,
    ) -> Option<AlloyTermId> {
        let (left, right) = (self.ty(a).clone(), self.ty(b).clone());
        let (mut on_left, mut on_right) = (AlloyType::default(), AlloyType::default());
        let mut fallback = (AlloyType::default(), AlloyType::default());
        for x in &left.products {
            for y in &right.products {
                let Some(joined) = self.hierarchy.join_products(x, y) else {
                    continue;
                };
                if self.hierarchy.is_empty_product(&joined) {
                    continue;
                }
                let meet = self.hierarchy.meet(x[x.len() - 1], y[0]);
                let (mut x, mut y) = (x.clone(), y.clone());
                let last = x.len() - 1;
                (x[last], y[0]) = (meet, meet);
                let one = self.hierarchy.of([joined]);
                if self.hierarchy.intersects(&one, wanted) {
                    self.hierarchy.add(&mut on_left, x);
                    self.hierarchy.add(&mut on_right, y);
                } else if one.has_common_arity(wanted) {
                    // Where no join is wanted, one with the right number of columns may still tell what names
                    // mean.
                    self.hierarchy.add(&mut fallback.0, x);
                    self.hierarchy.add(&mut fallback.1, y);
                }
            }
        }
        if !on_left.is_set() {
            (on_left, on_right) = fallback;
        }
        if !on_left.is_set() {
            if self.hierarchy.has_tuple(&left) && self.hierarchy.has_tuple(&right) {
                let (l, r) = (self.show(&left), self.show(&right));
                let warning = Diagnostic::warning(span, "This join is always empty")
                    .because(format!("{l} is joined with {r}"));
                self.log.push(warning);
            }
            (on_left, on_right) = (left.as_set(), right.as_set());
        }
        let (a, b) = self.both(a, &on_left, b, &on_right)?;
        let ty = self.hierarchy.join(self.type_of(a), self.type_of(b));
        Some(self.term(AlloyTermKind::Join(a, b), ty, span))
    }
}
