//! Places of the text, and the terms of the model that are written there.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::Span;
use wherefore_model::TermId;

use crate::known::TermUsers;

/// The terms of a model by the places where they are written: one for each instance of a module.
pub struct TextPlaces<'u, 'm> {
    users: &'u TermUsers<'m>,
    terms: BTreeMap<Span, Vec<TermId>>,
}

impl<'u, 'm> TextPlaces<'u, 'm> {
    /// The places of a model.
    pub fn new(users: &'u TermUsers<'m>) -> Self {
        let all = &users.model().terms;
        let mut terms: BTreeMap<Span, Vec<TermId>> = BTreeMap::new();
        for at in 0..all.len() {
            let term = TermId::new(at);
            if let Some(span) = all.span(term) {
                terms.entry(span).or_default().push(term);
            }
        }
        Self { users, terms }
    }

    /// The terms that are written at a place, or else those of the smallest place around it that has some.
    pub fn terms(&self, place: Span) -> Option<Cow<'_, [TermId]>> {
        if let Some(terms) = self.terms.get(&place) {
            return Some(Cow::Borrowed(terms));
        }
        self.around(place)
            .into_iter()
            .next()
            .map(|(_, terms)| terms)
    }

    /// All places, in order.
    pub fn all(&self) -> impl Iterator<Item = (Span, &[TermId])> {
        self.terms.iter().map(|(&span, terms)| (span, &terms[..]))
    }

    /// The place itself and those around it, the smallest first, each with the terms that are written there.
    pub fn around(&self, place: Span) -> Vec<(Span, Cow<'_, [TermId]>)> {
        let contains = |outer: Span, inner: Span| {
            outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
        };
        let around = self
            .terms
            .iter()
            .filter(|(span, _)| contains(**span, place));
        let mut around: Vec<(Span, Cow<'_, [TermId]>)> = around
            .map(|(&span, terms)| (span, Cow::Borrowed(&terms[..])))
            .collect();
        around.sort_by_key(|(span, _)| (span.end - span.start, span.start));
        if !self.terms.contains_key(&place) {
            // Some expressions stand for no term of their own, as parentheses and the words around branches do.
            let within = self
                .terms
                .iter()
                .filter(|(span, _)| contains(place, **span));
            let within: BTreeSet<TermId> = within.flat_map(|(_, terms)| terms).copied().collect();
            let outermost = self.outermost(&within);
            if !outermost.is_empty() {
                around.insert(0, (place, Cow::Owned(outermost)));
            }
        }
        around
    }

    /// Of some terms those that no other of them reads.
    fn outermost(&self, terms: &BTreeSet<TermId>) -> Vec<TermId> {
        let all = &self.users.model().terms;
        let mut outermost = Vec::new();
        let mut below: BTreeSet<TermId> = BTreeSet::new();
        // Operands come before the terms that use them.
        for &term in terms.iter().rev() {
            if below.contains(&term) {
                continue;
            }
            outermost.push(term);
            let mut open: Vec<TermId> = all.get(term).operands().collect();
            while let Some(operand) = open.pop() {
                if below.insert(operand) {
                    open.extend(all.get(operand).operands());
                }
            }
        }
        outermost.reverse();
        outermost
    }
}
