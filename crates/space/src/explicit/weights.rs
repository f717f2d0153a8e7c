//! Natural numbers on numbered states, and their sums along steps.

use fixedbitset::FixedBitSet;
use num_bigint::BigUint;
use wherefore_base::{Meter, Run};

use super::graph::AdjacencyRows;

/// Natural numbers on states; states that are not listed have zero.
///
/// Invariant: `states` ascend, and there are as many numbers as states.
#[derive(Clone, Debug)]
pub struct StateWeights {
    states: Vec<u32>,
    numbers: PackedNumbers,
}

/// Numbers that fit a machine word, as long as all do.
#[derive(Clone, Debug)]
enum PackedNumbers {
    Small(Vec<u128>),
    Large(Vec<BigUint>),
}

impl StateWeights {
    /// One on each state of a set.
    pub(super) fn ones(set: &FixedBitSet) -> Self {
        let states: Vec<u32> = set.ones().map(|state| state as u32).collect();
        let numbers = PackedNumbers::Small(vec![1; states.len()]);
        Self { states, numbers }
    }

    /// On each state of `from` the sum over its successors by `rows`.
    pub(super) fn before(
        &self,
        rows: &AdjacencyRows,
        from: &FixedBitSet,
        meter: &mut Meter,
    ) -> Run<Self> {
        let places = Places::new(&self.states, rows.len());
        if let PackedNumbers::Small(numbers) = &self.numbers {
            let sum = |row: &[u32]| {
                let mut found = row.iter().filter_map(|&to| places.find(to));
                found.try_fold(0u128, |sum, at| sum.checked_add(numbers[at]))
            };
            if let Some(before) = small(from, |state| sum(rows.row(state)), meter)? {
                return Ok(before);
            }
        }
        let numbers = self.large();
        let mut states = Vec::new();
        let mut sums = Vec::new();
        for state in from.ones() {
            meter.tick()?;
            let row = rows.row(state as u32).iter();
            let sum: BigUint = row
                .filter_map(|&to| places.find(to).map(|at| &numbers[at]))
                .sum();
            if sum != BigUint::ZERO {
                states.push(state as u32);
                sums.push(sum);
            }
        }
        Ok(Self {
            states,
            numbers: PackedNumbers::Large(sums),
        })
    }

    /// The sum on each state.
    pub(super) fn plus(&self, other: &Self, meter: &mut Meter) -> Run<Self> {
        let (a, b) = (self.large(), other.large());
        let mut states = Vec::new();
        let mut sums = Vec::new();
        let (mut left, mut right) = (0, 0);
        while left < a.len() || right < b.len() {
            meter.tick()?;
            let (l, r) = (self.states.get(left), other.states.get(right));
            // Where both lists have the state, both numbers are taken.
            let takes_left = r.is_none_or(|r| l.is_some_and(|l| l <= r));
            let takes_right = l.is_none_or(|l| r.is_some_and(|r| r <= l));
            let state = if takes_left { l } else { r };
            let mut sum = BigUint::ZERO;
            if takes_left {
                sum += &a[left];
                left += 1;
            }
            if takes_right {
                sum += &b[right];
                right += 1;
            }
            states.extend(state);
            sums.push(sum);
        }
        Ok(Self {
            states,
            numbers: PackedNumbers::Large(sums),
        })
    }

    /// All numbers together.
    pub(super) fn total(&self) -> BigUint {
        match &self.numbers {
            PackedNumbers::Small(numbers) => numbers.iter().map(|&n| BigUint::from(n)).sum(),
            PackedNumbers::Large(numbers) => numbers.iter().sum(),
        }
    }

    fn large(&self) -> Vec<BigUint> {
        match &self.numbers {
            PackedNumbers::Small(numbers) => numbers.iter().map(|&n| BigUint::from(n)).collect(),
            PackedNumbers::Large(numbers) => numbers.clone(),
        }
    }
}

/// Weights with sums that fit; `None` when one does not.
fn small(
    from: &FixedBitSet,
    sum: impl Fn(u32) -> Option<u128>,
    meter: &mut Meter,
) -> Run<Option<StateWeights>> {
    let mut states = Vec::new();
    let mut sums = Vec::new();
    for state in from.ones() {
        meter.tick()?;
        match sum(state as u32) {
            Some(0) => {}
            Some(sum) => {
                states.push(state as u32);
                sums.push(sum);
            }
            None => return Ok(None),
        }
    }
    let numbers = PackedNumbers::Small(sums);
    Ok(Some(StateWeights { states, numbers }))
}

/// Where a state stands in an ascending list.
enum Places<'a> {
    /// By looking it up: the list is long.
    Table(Vec<u32>),
    /// By halving: the list is short.
    List(&'a [u32]),
}

impl<'a> Places<'a> {
    const NONE: u32 = u32::MAX;

    fn new(states: &'a [u32], all: usize) -> Self {
        // A table of all states pays only where many of them have numbers.
        if states.len() < all / 64 {
            return Places::List(states);
        }
        let mut table = vec![Self::NONE; all];
        for (at, &state) in states.iter().enumerate() {
            table[state as usize] = at as u32;
        }
        Places::Table(table)
    }

    fn find(&self, state: u32) -> Option<usize> {
        match self {
            Places::Table(table) => {
                let at = table[state as usize];
                (at != Self::NONE).then_some(at as usize)
            }
            Places::List(states) => states.binary_search(&state).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_base::Budget;

    #[test]
    fn sums_are_exact_beyond_128_bits() {
        // Two states, each with steps to both: the number of runs doubles with every step.
        let rows = AdjacencyRows::new(vec![0, 2, 4], vec![0, 1, 0, 1]);
        let mut meter = Budget::unlimited().meter();
        let mut all = FixedBitSet::with_capacity(2);
        all.insert_range(..);
        let mut weights = StateWeights::ones(&all);
        for steps in 1..=200u32 {
            weights = weights.before(&rows, &all, &mut meter).expect("no limit");
            assert_eq!(weights.total(), BigUint::from(2u8).pow(steps + 1));
        }
        let twice = weights.plus(&weights, &mut meter).expect("no limit");
        assert_eq!(twice.total(), BigUint::from(2u8).pow(202));
    }

    #[test]
    fn sums_of_different_states_stand_side_by_side() {
        let set = |states: &[usize]| {
            let mut set = FixedBitSet::with_capacity(4);
            set.extend(states.iter().copied());
            set
        };
        let mut meter = Budget::unlimited().meter();
        let (a, b) = (
            StateWeights::ones(&set(&[0, 2])),
            StateWeights::ones(&set(&[1, 2])),
        );
        let sum = a.plus(&b, &mut meter).expect("no limit");
        assert_eq!(sum.states, [0, 1, 2]);
        assert_eq!(sum.total(), BigUint::from(4u8));
    }
}
