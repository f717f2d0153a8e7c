//! Strands: the runs of an evidence as they are told, the main run first, then each branch.
//!
//! The builder of evidence thinks in segments, one for each claim. A reader follows a run as long as
//! it goes: a segment that goes on where another one ended belongs to the same strand.

use std::collections::BTreeMap;

use wherefore_evidence::{Claim, Evidence, OccurrenceId, Segment, SegmentEnding};

/// A run that is told in one table.
#[derive(Clone, Debug)]
pub(crate) struct Strand<'a> {
    /// The occurrence it branches off; `None` for the main run.
    pub(crate) from: Option<OccurrenceId>,
    /// The claim its first segment serves.
    pub(crate) serves: Claim,
    /// Its own occurrences, in order.
    pub(crate) states: Vec<OccurrenceId>,
    /// How it ends.
    pub(crate) ending: SegmentEnding,
    /// The segment that ends it, which says where fairness constraints are met.
    pub(crate) last: &'a Segment,
    /// It is one of several that start at the same place for the same claim: a claim about every
    /// step.
    pub(crate) fan: bool,
}

impl Strand<'_> {
    /// The occurrences it shows: where it branches off, then its own.
    pub(crate) fn rows(&self) -> impl Iterator<Item = OccurrenceId> + '_ {
        self.from.into_iter().chain(self.states.iter().copied())
    }

    /// Where its last step leads, if it does not end at its last occurrence.
    pub(crate) fn closing(&self) -> Option<OccurrenceId> {
        match self.ending {
            SegmentEnding::Loop(to) | SegmentEnding::Joins(to) => Some(to),
            SegmentEnding::Goal | SegmentEnding::DeadEnd => None,
        }
    }

    /// How many steps come before the loop, and how many are in it.
    pub(crate) fn lasso(&self) -> Option<(usize, usize)> {
        let SegmentEnding::Loop(to) = self.ending else {
            return None;
        };
        let rows: Vec<_> = self.rows().collect();
        let start = rows.iter().position(|&row| row == to)?;
        Some((start, rows.len() - start))
    }

    /// How many steps it has, without a step that closes a loop.
    pub(crate) fn steps(&self) -> usize {
        self.rows().count().saturating_sub(1)
    }

    /// Whether it shows that a run goes on from where another strand starts: it passes there and never
    /// ends.
    pub(crate) fn shows_that_goes_on(&self, other: &Strand<'_>) -> bool {
        self.lasso().is_some() && other.from.is_some_and(|from| self.states.contains(&from))
    }

    /// Whether it goes through the same states as another branch for a claim of the same kind of run: with the same
    /// inputs, and to the same end.
    pub(crate) fn has_states_of(&self, other: &Strand<'_>, evidence: &Evidence) -> bool {
        let values = |at: OccurrenceId| &evidence.occurrences[at].values;
        let states = |strand: &Strand<'_>| -> Vec<OccurrenceId> {
            strand.rows().chain(strand.closing()).collect()
        };
        let (mine, theirs) = (states(self), states(other));
        let equal = mine.len() == theirs.len()
            && (mine.iter().zip(&theirs)).all(|(&a, &b)| values(a) == values(b));
        let input = |from: OccurrenceId, to: OccurrenceId| {
            let mut edges = evidence.edges.iter();
            edges
                .find(|edge| edge.from == from && edge.to == to)
                .map(|edge| &edge.input)
        };
        let inputs = mine.windows(2).zip(theirs.windows(2));
        let same_inputs =
            |(a, b): (&[OccurrenceId], &[OccurrenceId])| input(a[0], a[1]) == input(b[0], b[1]);
        let ends = |strand: &Strand<'_>| std::mem::discriminant(&strand.ending);
        !self.fan
            && equal
            && self.lasso() == other.lasso()
            && ends(self) == ends(other)
            && inputs.into_iter().all(same_inputs)
    }

    /// Whether it only shows that a path exists.
    pub(crate) fn only_goes_on(&self) -> bool {
        self.serves == Claim::HasPath
    }
}

/// All strands of an evidence; the main run is the first.
pub(crate) fn strands(evidence: &Evidence) -> Vec<Strand<'_>> {
    let segments = &evidence.segments;
    let mut starts: BTreeMap<(Option<OccurrenceId>, Claim), usize> = BTreeMap::new();
    for segment in segments.iter().filter(|segment| !segment.main) {
        *starts.entry((segment.from, segment.serves)).or_default() += 1;
    }
    let is_fan = |segment: &Segment| {
        !segment.main
            && starts
                .get(&(segment.from, segment.serves))
                .is_some_and(|&n| n > 1)
    };
    let mut used = vec![false; segments.len()];
    let mut strands = Vec::new();
    for (first, segment) in segments.iter().enumerate() {
        if std::mem::replace(&mut used[first], true) {
            continue;
        }
        let mut strand = Strand {
            from: segment.from,
            serves: segment.serves,
            states: segment.states.clone(),
            ending: segment.ending,
            last: segment,
            fan: is_fan(segment),
        };
        for (at, next) in segments.iter().enumerate().skip(first + 1) {
            if !used[at] && !is_fan(next) && strand.goes_on_with(segment.main, next) {
                used[at] = true;
                strand.states.extend(&next.states);
                strand.ending = next.ending;
                strand.last = next;
            }
        }
        strands.push(strand);
    }
    strands
}

/// The strands that are told together: each fan as one, every other strand alone.
pub(crate) fn groups<'s, 'a>(strands: &'s [Strand<'a>]) -> Vec<Vec<&'s Strand<'a>>> {
    let mut groups: Vec<Vec<&Strand<'a>>> = Vec::new();
    for strand in strands {
        let fan = groups.iter_mut().find(|group| {
            strand.fan
                && group[0].fan
                && (group[0].from, group[0].serves) == (strand.from, strand.serves)
        });
        match fan {
            Some(group) => group.push(strand),
            None => groups.push(vec![strand]),
        }
    }
    groups
}

impl Strand<'_> {
    fn goes_on_with(&self, main: bool, next: &Segment) -> bool {
        let end = self.states.last().copied().or(self.from);
        let same_kind = main || (next.serves == Claim::HasPath) == self.only_goes_on();
        let open = self.ending == SegmentEnding::Goal && !self.fan;
        next.main == main && open && same_kind && next.from == end
    }
}
