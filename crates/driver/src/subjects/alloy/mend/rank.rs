//! The places to blame for a command, the likeliest first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Budget, Span};
use wherefore_evidence::{Blame, Mend, PlacePower, Suspect, SuspectRole};
use wherefore_model::TextChange;

use super::hinges::InstanceHinges;
use super::{Found, MendSearch, Progress, Target};

/// How often the evaluator may ask whether to go on with what the first instance hinges on.
const FIRST_INSTANCE: u64 = 2_000_000;

impl<'a> MendSearch<'a> {
    /// What came of a search.
    pub(super) fn ranked(
        &mut self,
        search: Progress,
        target: &mut Target<'a>,
        budget: &Budget,
    ) -> Blame {
        let mut in_time = true;
        let mut open = Vec::new();
        for at in 0..self.changes.len() {
            let excluded = match in_time {
                true => self.excluded(&[at], target, budget),
                // Where nobody knows whether a place is excluded, it is not.
                false => Ok(target.hinges.is_known_to_exclude(&self.changes[at])),
            };
            in_time &= excluded.is_ok();
            if !excluded.unwrap_or(false) {
                open.push(at);
            }
        }
        let left = open.iter().filter(|at| !search.singles.contains(at));
        let (untried, singles) = (left.count(), search.singles.len());
        let mut blame = Blame {
            tried: singles + search.pairs,
            untried,
            excluded: self.changes.len() - singles - untried,
            ..Blame::default()
        };
        // Without an instance that should not be there, there is none that could hinge on a place.
        if target.unwanted.is_empty() {
            open.clear();
        }
        let others = self.hinging(&open, target, budget);
        self.rank(&mut blame, search.found, &search.scores, (open, others));
        blame
    }

    /// The other changes at places that the first instance hinges on: where several places are to blame, another instance may
    /// hinge on another one.
    fn hinging(&self, open: &[usize], target: &Target<'a>, budget: &Budget) -> Vec<usize> {
        let Some(first) = target.unwanted.first() else {
            return Vec::new();
        };
        let known: BTreeSet<usize> = open.iter().copied().collect();
        let mut hinges = InstanceHinges::of(self.subject, target.command, &self.choices);
        let part = budget.counted(FIRST_INSTANCE);
        let first = std::slice::from_ref(first);
        let mut others = Vec::new();
        for at in (0..self.changes.len()).filter(|at| !known.contains(at)) {
            match hinges.excludes(&[&self.changes[at]], first, &part) {
                Ok(false) => others.push(at),
                Ok(true) => {}
                Err(_) => break,
            }
        }
        others
    }

    /// The suspects: changes that mend the command, the best first, then the places where changes got rid of the most
    /// unwanted instances or that the first of them hinges on; the same of what only checks use; then the others.
    fn rank(
        &self,
        blame: &mut Blame,
        mut found: Vec<Found>,
        scores: &BTreeMap<usize, usize>,
        (mut open, mut hinging): (Vec<usize>, Vec<usize>),
    ) {
        let score = |at: usize| scores.get(&at).copied().unwrap_or(0);
        for places in [&mut open, &mut hinging] {
            places.sort_by(|&a, &b| {
                let key = |at: usize| (Reverse(score(at)), self.changes[at].size);
                let gain = self.gains[b].total_cmp(&self.gains[a]);
                key(a).cmp(&key(b)).then(gain).then(a.cmp(&b))
            });
        }
        self.sort(&mut found);
        let (asserted, declares) = (
            |at: usize| self.changes[at].asserted,
            |at: usize| self.changes[at].within.is_none() && self.changes[at].function.is_none(),
        );
        let (described, spoken): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|one| !asserted(one.order));
        let (scored, others): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|&at| score(at) > 0);
        let (declared, scored): (Vec<usize>, Vec<usize>) =
            scored.into_iter().partition(|&at| declares(at));
        let (asked, mut hinges): (Vec<usize>, Vec<usize>) =
            scored.into_iter().partition(|&at| asserted(at));
        let (spoken_of, hinging): (Vec<usize>, Vec<usize>) =
            hinging.into_iter().partition(|&at| asserted(at));
        hinges.extend(hinging);
        let mut lines = BTreeSet::new();
        for (found, places) in [
            (described, hinges),
            (spoken, asked),
            // Declarations are seldom to blame for what is said of them.
            (Vec::new(), [declared, spoken_of, others].concat()),
        ] {
            for one in found {
                let span = self.shown(&one.change);
                if lines.insert(self.line(span)) {
                    blame.suspects.push(mended(span, one));
                }
            }
            for at in places {
                let span = self.shown(&self.changes[at].change);
                if lines.insert(self.line(span)) {
                    blame.suspects.push(Suspect {
                        span,
                        role: SuspectRole::Hinges,
                        power: PlacePower::Open,
                        hinge: None,
                        steps: vec![],
                        mend: None,
                    });
                }
            }
        }
    }

    /// Puts the best mends first.
    fn sort(&self, found: &mut [Found]) {
        let key = |one: &Found| {
            let verdicts = &one.verdicts;
            let size = self.changes[one.order].size;
            (
                verdicts.are_costly(),
                verdicts.excludes,
                Reverse(verdicts.good),
                size,
            )
        };
        let gain = |one: &Found| self.gains[one.order];
        found.sort_by(|a, b| {
            let likelier = gain(b).total_cmp(&gain(a));
            let order = a.order.cmp(&b.order);
            key(a).cmp(&key(b)).then(likelier).then(order)
        });
        // To leave out a line is always a small change, and seldom what was meant: another one there that is as good comes first.
        for at in 0..found.len() {
            if !found[at].change.text.is_empty() {
                continue;
            }
            let line = self.line(found[at].change.span);
            let other = (at + 1..found.len()).find(|&other| {
                let other = &found[other];
                !other.change.text.is_empty()
                    && self.line(other.change.span) == line
                    && key(other) == key(&found[at])
            });
            if let Some(other) = other {
                found.swap(at, other);
            }
        }
    }

    /// The expression that a change is about if it begins on the line of the change, otherwise what is replaced.
    fn shown(&self, change: &TextChange) -> Span {
        if self.line(change.place) == self.line(change.span) {
            change.place
        } else {
            change.span
        }
    }
}

fn mended(span: Span, found: Found) -> Suspect {
    let costs = found.verdicts.are_costly();
    Suspect {
        span,
        role: match costs {
            true => SuspectRole::MendsAtACost,
            false => SuspectRole::Mends,
        },
        power: match costs {
            true => PlacePower::Mends,
            false => PlacePower::MendsAndKeeps,
        },
        hinge: None,
        steps: vec![],
        mend: Some(Mend {
            change: found.change,
            holds: found.verdicts.good,
            of: found.verdicts.of - found.verdicts.open,
            breaks: found.verdicts.breaks,
            open: vec![],
            vacuous: vec![],
            ends: false,
            diverges: false,
            loses: vec![],
            also: vec![],
        }),
    }
}
