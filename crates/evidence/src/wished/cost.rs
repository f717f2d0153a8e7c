//! What a run costs: exceptions wish by wish, then its length.

use super::graph::WishEdge;

/// A cost, least first: for each wish whether its loop does nothing for it, its exceptions in each turn of the
/// loop and those on the way to it; then steps, steps before loops, and changes of variables.
///
/// Costs of parts add up, number by number, and an order of sums that compares one number after the other stays
/// the same when equal costs are added. So the cheapest run is made of cheapest parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct WishCost(Vec<u32>);

/// How many numbers there are for each wish.
const PER_WISH: usize = 3;
const IDLE: usize = 0;
const TURN: usize = 1;
const WAY: usize = 2;
/// How many numbers follow those of the wishes.
const LENGTHS: usize = 3;

impl WishCost {
    pub(super) fn nothing(wishes: usize) -> Self {
        Self(vec![0; wishes * PER_WISH + LENGTHS])
    }

    fn wishes(&self) -> usize {
        (self.0.len() - LENGTHS) / PER_WISH
    }

    pub(super) fn plus(&self, other: &WishCost) -> Self {
        let pairs = self.0.iter().zip(&other.0);
        Self(pairs.map(|(a, b)| a.saturating_add(*b)).collect())
    }

    /// The cost with one more step before a loop.
    pub(super) fn with_step(mut self, edge: &WishEdge) -> Self {
        self.add(WAY, edge.missed);
        let lengths = self.wishes() * PER_WISH;
        self.0[lengths] = self.0[lengths].saturating_add(1);
        self.0[lengths + 1] = self.0[lengths + 1].saturating_add(1);
        self.0[lengths + 2] = self.0[lengths + 2].saturating_add(edge.changes);
        self
    }

    /// The cost with one more step of a loop.
    pub(super) fn with_turn(mut self, edge: &WishEdge) -> Self {
        self.add(TURN, edge.missed);
        let lengths = self.wishes() * PER_WISH;
        self.0[lengths] = self.0[lengths].saturating_add(1);
        self.0[lengths + 2] = self.0[lengths + 2].saturating_add(edge.changes);
        self
    }

    /// The cost of a start that disappoints some wishes.
    pub(super) fn with_start(mut self, missed: u64) -> Self {
        self.add(WAY, missed);
        self
    }

    /// The cost of a loop that does nothing for some wishes.
    pub(super) fn with_idle(mut self, idle: u64) -> Self {
        self.add(IDLE, idle);
        self
    }

    /// The cost with this many exceptions in the loop for these wishes at least.
    pub(super) fn with_turns(mut self, missed: u64) -> Self {
        self.add(TURN, missed);
        self
    }

    fn add(&mut self, part: usize, wishes: u64) {
        let mut left = wishes;
        while left != 0 {
            let number = left.trailing_zeros() as usize * PER_WISH + part;
            self.0[number] = self.0[number].saturating_add(1);
            left &= left - 1;
        }
    }

    /// Whether it is the same as another for the wishes up to the one with this number.
    pub(super) fn is_as_good(&self, other: &WishCost, wish: usize) -> bool {
        let numbers = ((wish + 1) * PER_WISH).min(self.wishes() * PER_WISH);
        self.0[..numbers] == other.0[..numbers]
    }

    /// What it says of a wish: whether the loop does nothing for it, its exceptions in each turn, those on the way.
    pub(super) fn of(&self, wish: usize) -> (bool, u32, u32) {
        let numbers = &self.0[wish * PER_WISH..];
        (numbers[IDLE] > 0, numbers[TURN], numbers[WAY])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(missed: u64) -> WishEdge {
        WishEdge {
            to: 0,
            missed,
            served: 0,
            changes: 1,
        }
    }

    #[test]
    fn an_exception_in_the_loop_counts_before_any_number_on_the_way() {
        let nothing = WishCost::nothing(2);
        let turn = nothing.clone().with_turn(&edge(1));
        let way = (0..9).fold(nothing, |cost, _| cost.with_step(&edge(1)));
        assert!(way < turn);
    }

    #[test]
    fn a_wish_counts_before_those_after_it_and_all_wishes_before_the_length() {
        let nothing = WishCost::nothing(2);
        let second = nothing.clone().with_step(&edge(2)).with_turn(&edge(2));
        let first = nothing.clone().with_step(&edge(1));
        let long = (0..9).fold(nothing, |cost, _| cost.with_step(&edge(0)));
        assert!(second < first && long < second);
        assert_eq!(first.plus(&second).of(1), (false, 1, 1));
    }
}
