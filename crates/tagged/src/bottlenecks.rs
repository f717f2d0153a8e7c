//! Bottlenecks of an automaton: the states that every way from a state to the exit passes.
//!
//! They form a tree with the exit as its root (post-dominators, found as Cooper, Harvey and Kennedy, 2001,
//! do). Numbers of a walk round the tree tell in constant time whether one state is a bottleneck for
//! another.

use wherefore_base::{Budget, Run};

/// No state.
const NONE: u32 = u32::MAX;

/// The tree of bottlenecks.
pub(crate) struct Bottlenecks {
    /// The next bottleneck on the way to the exit; the exit is its own; [`NONE`]: there is no way.
    next: Vec<u32>,
    /// When a walk round the tree enters and leaves each state.
    times: Vec<(u32, u32)>,
}

impl Bottlenecks {
    /// Of the graph with these steps.
    pub(crate) fn new(after: &[Vec<u32>], exit: u32, budget: &Budget) -> Run<Self> {
        let mut before = vec![Vec::new(); after.len()];
        for (from, targets) in after.iter().enumerate() {
            for &to in targets {
                before[to as usize].push(from as u32);
            }
        }
        let order = finished(&before, exit);
        let mut rank = vec![NONE; after.len()];
        for (place, &state) in order.iter().enumerate() {
            rank[state as usize] = place as u32;
        }
        let mut next = vec![NONE; after.len()];
        next[exit as usize] = exit;
        let mut changed = true;
        while changed {
            budget.check()?;
            changed = false;
            // Most targets come before their sources in this order, so few rounds are enough; the exit stays
            // as it is.
            for &state in order.iter().rev().skip(1) {
                // A target without a bottleneck so far has no way to the exit, or was not visited yet.
                let known = after[state as usize].iter().copied();
                let known = known.filter(|&to| next[to as usize] != NONE);
                let common = known.reduce(|one, other| meet(&next, &rank, one, other));
                let common = common.unwrap_or(NONE);
                changed |= next[state as usize] != common;
                next[state as usize] = common;
            }
        }
        let times = walked(&next, &order, exit);
        Ok(Self { next, times })
    }

    /// Whether there is a way from a state to the exit.
    pub(crate) fn is_alive(&self, state: u32) -> bool {
        self.next[state as usize] != NONE
    }

    /// The next bottleneck after a state with a way to the exit, which itself has none.
    pub(crate) fn next(&self, state: u32) -> Option<u32> {
        let next = self.next[state as usize];
        (next != state).then_some(next)
    }

    /// The times between which a walk round the tree is at states for which this one is a bottleneck, or
    /// at itself.
    pub(crate) fn times(&self, state: u32) -> (u32, u32) {
        self.times[state as usize]
    }
}

/// The states in the order in which a depth-first walk is done with them; the start is the last.
fn finished(steps: &[Vec<u32>], start: u32) -> Vec<u32> {
    let mut seen = vec![false; steps.len()];
    let mut order = Vec::new();
    let mut stack = vec![(start, 0)];
    seen[start as usize] = true;
    while let Some((state, done)) = stack.last_mut() {
        match steps[*state as usize].get(*done) {
            Some(&to) => {
                *done += 1;
                if !std::mem::replace(&mut seen[to as usize], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*state);
                stack.pop();
            }
        }
    }
    order
}

/// The first state that is on the way to the exit from both.
fn meet(next: &[u32], rank: &[u32], mut one: u32, mut other: u32) -> u32 {
    while one != other {
        // The exit has the highest rank, and every bottleneck a higher one than what it is a bottleneck for.
        if rank[one as usize] < rank[other as usize] {
            one = next[one as usize];
        } else {
            other = next[other as usize];
        }
    }
    one
}

/// The times of a walk round the tree: those of a state lie within those of its parent.
fn walked(next: &[u32], order: &[u32], root: u32) -> Vec<(u32, u32)> {
    // A parent stands after its children in the order.
    let mut sizes = vec![1u32; next.len()];
    for &state in order.iter().filter(|&&state| state != root) {
        sizes[next[state as usize] as usize] += sizes[state as usize];
    }
    let mut times = vec![(0, 0); next.len()];
    times[root as usize] = (0, sizes[root as usize]);
    let mut free = vec![0u32; next.len()];
    free[root as usize] = 1;
    // Parents come first, and each child takes the next free piece of its parent's times.
    for &state in order.iter().rev().skip(1) {
        let start = &mut free[next[state as usize] as usize];
        let (enter, size) = (*start, sizes[state as usize]);
        *start += size;
        times[state as usize] = (enter, enter + size);
        free[state as usize] = enter + 1;
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether every way from one state to the exit passes another, by removing that.
    fn naive(after: &[Vec<u32>], from: u32, through: u32, exit: u32) -> bool {
        let mut seen = vec![false; after.len()];
        let mut stack = vec![from];
        while let Some(state) = stack.pop() {
            if state != through && !std::mem::replace(&mut seen[state as usize], true) {
                stack.extend(&after[state as usize]);
            }
        }
        !seen[exit as usize]
    }

    #[test]
    fn a_bottleneck_is_what_no_way_avoids() {
        let mut random = 12_345u64;
        for _ in 0..300 {
            let states = 6;
            let mut after = vec![Vec::new(); states];
            for _ in 0..9 {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let (from, to) = (
                    (random >> 33) as usize % states,
                    (random >> 40) as usize % states,
                );
                after[from].push(to as u32);
            }
            let exit = 5;
            let found = Bottlenecks::new(&after, exit, &Budget::unlimited()).expect("no limit");
            for from in 0..states as u32 {
                assert_eq!(
                    found.is_alive(from),
                    !naive(&after, from, states as u32, exit)
                );
                for through in (0..states as u32).filter(|_| found.is_alive(from)) {
                    if found.is_alive(through) {
                        let (enter, leave) = found.times(through);
                        let at = found.times(from).0;
                        let passes = (enter..leave).contains(&at);
                        assert_eq!(passes, naive(&after, from, through, exit), "{after:?}");
                    }
                }
            }
        }
    }
}
