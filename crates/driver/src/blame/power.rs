//! What an expression at a place can do for a property that fails.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Run, Span, Value};
use wherefore_blame::{FreedVerdict, MendGameEffort, TermUsers, TextPlaces, can_mend, free_values};
use wherefore_model::{Domain, TermId};

use super::asked::Purse;

/// Asks for places whether they can mend, and remembers the answers.
pub(super) struct PlacePowers<'a> {
    users: &'a TermUsers<'a>,
    places: &'a TextPlaces<'a, 'a>,
    /// Whether the model lacks runs, so that a mend may lack them, too.
    may_end: bool,
    effort: MendGameEffort,
    /// The places around each place that can be left free, the largest last.
    freeable: BTreeMap<Span, Vec<Span>>,
    known: BTreeMap<(Span, Vec<usize>), FreedVerdict>,
}

impl<'a> PlacePowers<'a> {
    pub(super) fn new(
        users: &'a TermUsers<'a>,
        places: &'a TextPlaces<'a, 'a>,
        may_end: bool,
        effort: MendGameEffort,
    ) -> Self {
        Self {
            users,
            places,
            may_end,
            effort,
            freeable: BTreeMap::new(),
            known: BTreeMap::new(),
        }
    }

    /// Whether nothing is left to spend.
    pub(super) fn is_spent(&self) -> bool {
        self.effort.work == 0
    }

    /// Whether all of some properties can hold if the smallest place around a stretch of the text that can be left free
    /// is.
    pub(super) fn of(
        &mut self,
        span: Span,
        properties: &[usize],
        purse: &Purse,
    ) -> Run<FreedVerdict> {
        if self.is_spent() {
            return Ok(FreedVerdict::Undecided);
        }
        if self.is_unread(span) {
            return Ok(FreedVerdict::CannotMend);
        }
        let around = self.freeable_around(span);
        let (Some(&smallest), Some(&largest)) = (around.first(), around.last()) else {
            return Ok(FreedVerdict::Undecided);
        };
        // What a whole expression cannot do, no part of it can.
        if self.decide(&[largest], properties, purse)? == FreedVerdict::CannotMend {
            return Ok(FreedVerdict::CannotMend);
        }
        self.decide(&[smallest], properties, purse)
    }

    /// The values that the expression at a place may have, where all of its instances may be left free.
    pub(super) fn values(&self, span: Span) -> Option<(Vec<TermId>, Vec<Value>)> {
        let (place, terms) = self.places.around(span).into_iter().next()?;
        // Some names are no terms of their own.
        if place != span {
            return None;
        }
        let terms = terms.into_owned();
        let domain: Domain = free_values(self.users, *terms.first()?)?;
        Some((terms, domain.values().collect()))
    }

    /// Whether nobody reads the expression at a place.
    fn is_unread(&self, span: Span) -> bool {
        let terms = self.places.terms(span).unwrap_or_default();
        !terms.is_empty() && !terms.iter().any(|&term| self.users.is_read(term))
    }

    /// Whether properties can hold if several places are left free.
    pub(super) fn decide(
        &mut self,
        spans: &[Span],
        properties: &[usize],
        purse: &Purse,
    ) -> Run<FreedVerdict> {
        let key = |span: Span| (span, properties.to_vec());
        if let [span] = spans
            && let Some(&known) = self.known.get(&key(*span))
        {
            return Ok(known);
        }
        let terms = spans.iter().filter_map(|&span| self.places.terms(span));
        let terms: BTreeSet<TermId> = terms.flat_map(|terms| terms.into_owned()).collect();
        let terms: Vec<TermId> = terms.into_iter().collect();
        let found = match self.is_spent() {
            true => FreedVerdict::Undecided,
            false => can_mend(
                self.users.model(),
                &terms,
                properties,
                self.may_end,
                &mut self.effort,
                &purse.budget,
            )?,
        };
        if let [span] = spans {
            self.known.insert(key(*span), found);
        }
        Ok(found)
    }

    /// The places around a stretch of the text that can be left free, the smallest first.
    pub(super) fn freeable_around(&mut self, span: Span) -> Vec<Span> {
        if let Some(known) = self.freeable.get(&span) {
            return known.clone();
        }
        let around = self.places.around(span).into_iter();
        let freeable = around.filter(|(_, terms)| {
            let mut read = terms.iter().filter(|&&term| self.users.is_read(term));
            read.all(|&term| free_values(self.users, term).is_some())
        });
        let freeable: Vec<Span> = freeable.map(|(span, _)| span).collect();
        self.freeable.insert(span, freeable.clone());
        freeable
    }
}
