//! Breadth-first search that keeps, of all shortest ways to a place, the one with the fewest changes.
//!
//! Places are visited level by level. A place that is reached again from its own level of predecessors
//! keeps the better way: fewer changes of variables, then the least states. To compare ways without
//! writing them out, the places of a level are ranked by the order of their ways before the next level
//! is reached from them: a way is the way to the place before, and one more state.

use std::cmp::Ordering;
use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

/// The places visited, with the best way to each.
pub(crate) struct SearchTrail<P> {
    visits: Vec<TrailVisit<P>>,
    places: FxHashMap<P, usize>,
    skipped: FxHashSet<P>,
    /// Visits before this one have their rank.
    ranked: usize,
}

/// A place with the last step of the best way to it.
#[derive(Clone, Copy)]
pub(crate) struct TrailVisit<P> {
    pub(crate) place: P,
    /// How many steps it is away from where the search starts.
    pub(crate) depth: u32,
    /// How many variables change on the way, step by step.
    pub(crate) changes: u32,
    /// How its way compares with those to other places of the same level.
    pub(crate) rank: usize,
    before: Option<usize>,
}

impl<P: Copy + Eq + Hash> SearchTrail<P> {
    /// A search from these places, which are in order.
    pub(crate) fn new(starts: impl IntoIterator<Item = P>) -> Self {
        let mut trail = Self {
            visits: Vec::new(),
            places: FxHashMap::default(),
            skipped: FxHashSet::default(),
            ranked: 0,
        };
        for (rank, place) in starts.into_iter().enumerate() {
            trail.places.insert(place, rank);
            trail.visits.push(TrailVisit {
                place,
                depth: 0,
                changes: 0,
                rank,
                before: None,
            });
        }
        trail.ranked = trail.visits.len();
        trail
    }

    /// The visit with this number, ranked; places are compared by their states.
    pub(crate) fn visit(
        &mut self,
        number: usize,
        order: impl Fn(&P, &P) -> Ordering,
    ) -> Option<TrailVisit<P>> {
        // A level is ranked when its first visit is asked for: by then all ways to it are known.
        if number >= self.ranked {
            self.rank_level(order);
        }
        self.visits.get(number).copied()
    }

    /// Whether a place may be reached with a step from a visit: it was not met before, or in the same
    /// number of steps.
    pub(crate) fn admits(&self, place: P, from: usize) -> bool {
        match self.places.get(&place) {
            Some(&known) => self.visits[known].depth == self.visits[from].depth + 1,
            None => !self.skipped.contains(&place),
        }
    }

    /// A place that is not worth a visit now, nor later, when it is only farther away.
    pub(crate) fn skip(&mut self, place: P) {
        self.skipped.insert(place);
    }

    /// Reaches a place that the trail admits, with a step from a visit that changes so many variables.
    pub(crate) fn reach(&mut self, place: P, from: usize, changes: u32) {
        let before = self.visits[from];
        let visit = TrailVisit {
            place,
            depth: before.depth + 1,
            changes: before.changes + changes,
            rank: usize::MAX,
            before: Some(from),
        };
        match self.places.get(&place) {
            None => {
                self.places.insert(place, self.visits.len());
                self.visits.push(visit);
            }
            Some(&known) => {
                let old = &self.visits[known];
                let old_rank = old.before.map(|at| self.visits[at].rank);
                // Both ways end in the same state, so the rank of the place before decides.
                if (visit.changes, Some(before.rank)) < (old.changes, old_rank) {
                    self.visits[known] = visit;
                }
            }
        }
    }

    /// Where the way to a visit starts, and the places after the start.
    pub(crate) fn way(&self, mut number: usize) -> (P, Vec<P>) {
        let mut places = Vec::new();
        while let Some(before) = self.visits[number].before {
            places.push(self.visits[number].place);
            number = before;
        }
        places.reverse();
        (self.visits[number].place, places)
    }

    /// Ranks the visits that have no rank yet: they are all of one level, and it is complete.
    fn rank_level(&mut self, order: impl Fn(&P, &P) -> Ordering) {
        let mut level: Vec<usize> = (self.ranked..self.visits.len()).collect();
        level.sort_by(|&a, &b| {
            let (a, b) = (&self.visits[a], &self.visits[b]);
            let rank = |visit: &TrailVisit<P>| visit.before.map(|at| self.visits[at].rank);
            rank(a)
                .cmp(&rank(b))
                .then_with(|| order(&a.place, &b.place))
        });
        for (rank, at) in level.into_iter().enumerate() {
            self.visits[at].rank = rank;
        }
        self.ranked = self.visits.len();
    }
}

#[cfg(test)]
mod tests {
    use super::SearchTrail;

    #[test]
    fn of_two_ways_of_equal_length_the_one_with_fewer_changes_is_kept() {
        let mut trail = SearchTrail::new([0]);
        trail.reach(1, 0, 3);
        trail.reach(2, 0, 1);
        assert!(trail.visit(1, Ord::cmp).is_some());
        trail.reach(3, 1, 1);
        trail.reach(3, 2, 2);
        assert_eq!(trail.way(3), (0, vec![2, 3]));
    }

    #[test]
    fn of_two_ways_with_equally_many_changes_the_least_is_kept() {
        let mut trail = SearchTrail::new([0]);
        trail.reach(2, 0, 1);
        trail.reach(1, 0, 1);
        assert!(trail.visit(1, Ord::cmp).is_some());
        trail.reach(3, 1, 1);
        trail.reach(3, 2, 1);
        assert_eq!(trail.way(3), (0, vec![1, 3]));
    }

    #[test]
    fn a_place_of_an_earlier_level_is_not_reached_again() {
        let mut trail = SearchTrail::new([0]);
        trail.reach(1, 0, 5);
        assert!(trail.visit(1, Ord::cmp).is_some());
        assert!(!trail.admits(0, 1) && !trail.admits(1, 1) && trail.admits(2, 1));
    }
}
