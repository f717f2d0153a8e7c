//! Positions of a trace, and the ways between them.
//!
//! The positions are the states in order and then, once for each operator of the past that stands below
//! another, the states again, since what was differs on each way round the loop (Markey 2003; Cimatti,
//! Pistore, Roveri and Sebastiani 2002). On a later way round only the states of the loop are visited,
//! and from the last way on everything repeats.

use wherefore_relational::FormulaId;

use super::time::TraceShape;

/// Where a trace is read.
#[derive(Clone, Debug)]
pub(super) struct TracePath {
    /// Its shape; where it goes back to does not count if that is open.
    pub(super) shape: TraceShape,
    /// How often the loop is gone round after the first time.
    rounds: usize,
    /// The position at hand.
    pub(super) now: usize,
    /// By state: that the last one goes back to it. Empty if that is not open.
    pub(super) loops: Vec<FormulaId>,
}

impl TracePath {
    /// The path of a trace of a shape; `loops` is empty or says where the last state may go back to.
    pub(super) fn new(shape: TraceShape, past: usize, loops: Vec<FormulaId>) -> Self {
        Self {
            shape,
            rounds: past,
            now: 0,
            loops,
        }
    }

    /// The state at a position.
    pub(super) fn state(&self, position: usize) -> usize {
        position % self.shape.states
    }

    /// Something for each state that the trace may go back to, with that state. On a later way round,
    /// that is at or before the present one.
    pub(super) fn each<T>(&self, of: impl Fn(&Self, usize) -> T) -> Vec<(usize, T)> {
        if self.loops.is_empty() {
            let back = self.shape.back;
            return vec![(back, of(self, back))];
        }
        let first_round = self.now < self.shape.states;
        let backs = (0..self.shape.states).filter(|&b| first_round || b <= self.state(self.now));
        backs.map(|back| (back, of(self, back))).collect()
    }

    /// The position after one.
    pub(super) fn next(&self, position: usize, back: usize) -> usize {
        let states = self.shape.states;
        if self.state(position) + 1 < states {
            return position + 1;
        }
        let round = (position / states + 1).min(self.rounds);
        round * states + back
    }

    /// The position before one that is not the first.
    pub(super) fn previous(&self, position: usize, back: usize) -> usize {
        let states = self.shape.states;
        // The first state of a later round comes after the last one of the round before.
        if position >= states && self.state(position) == back {
            return position / states * states - 1;
        }
        position.saturating_sub(1)
    }

    /// A position and all that come after it, in their order, each once.
    pub(super) fn future(&self, position: usize, back: usize) -> Vec<usize> {
        let states = self.shape.states;
        let last = (self.rounds + 1) * states - 1;
        let mut list = vec![position];
        let mut at = position;
        while at != last {
            at = self.next(at, back);
            list.push(at);
        }
        // After the last position comes the beginning of the last round.
        list.extend(self.rounds * states + back..position);
        list
    }

    /// A position and all before it, backwards.
    pub(super) fn past(&self, position: usize, back: usize) -> Vec<usize> {
        let mut list = vec![position];
        while let Some(&last) = list.last()
            && last > 0
        {
            list.push(self.previous(last, back));
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_go_round_the_loop_once_more_for_each_past() {
        let shape = TraceShape { states: 3, back: 1 };
        let path = TracePath::new(shape, 1, Vec::new());
        assert_eq!(path.future(0, 1), [0, 1, 2, 4, 5]);
        assert_eq!(path.future(5, 1), [5, 4]);
        assert_eq!(path.past(5, 1), [5, 4, 2, 1, 0]);
        assert_eq!(path.next(5, 1), 4);
        assert_eq!(path.previous(4, 1), 2);
        let states: Vec<usize> = (0..6).map(|position| path.state(position)).collect();
        assert_eq!(states, [0, 1, 2, 0, 1, 2]);
        let path = TracePath::new(shape, 0, Vec::new());
        assert_eq!(path.future(2, 1), [2, 1]);
        assert_eq!(path.future(1, 1), [1, 2]);
    }
}
