//! Minimisation of deterministic automata whose steps are partial, in `m log n` time for `m` steps and `n`
//! states (Valmari, 2012).

use wherefore_base::{Budget, Run};

/// No step.
pub(crate) const NONE: u32 = u32::MAX;

/// A deterministic automaton; state 0 is initial. All states can be reached.
#[derive(Default)]
pub(crate) struct AutomatonTable {
    pub(crate) classes: usize,
    /// The step from each state with each class.
    pub(crate) next: Vec<u32>,
    pub(crate) accepting: Vec<bool>,
}

/// What becomes of states from which no accepting one can be reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unhopeful {
    /// They are left out, with the steps to them.
    Dropped,
    /// They are one state.
    Kept,
}

impl AutomatonTable {
    /// The minimal automaton, numbered breadth first.
    pub(crate) fn minimal(mut self, unhopeful: Unhopeful, budget: &Budget) -> Run<Self> {
        if unhopeful == Unhopeful::Dropped {
            self.drop_dead();
        }
        let states = self.accepting.len();
        let mut steps: Vec<AutomatonStep> = Vec::new();
        for (index, &to) in self.next.iter().enumerate() {
            if to != NONE {
                steps.push(AutomatonStep {
                    from: (index / self.classes) as u32,
                    class: (index % self.classes) as u32,
                    to,
                });
            }
        }
        let block = refined(&self.accepting, self.classes, &steps, budget)?;
        let mut minimal = AutomatonTable {
            classes: self.classes,
            ..AutomatonTable::default()
        };
        // Where dead states were dropped, an initial state without a step accepts nothing.
        let dead = unhopeful == Unhopeful::Dropped && self.is_dead(0);
        if states == 0 || dead {
            return Ok(minimal);
        }
        let mut name = vec![NONE; states];
        let mut order = vec![0usize];
        name[block[0] as usize] = 0;
        let mut at = 0;
        while at < order.len() {
            let state = order[at];
            minimal.accepting.push(self.accepting[state]);
            for &to in self.row(state) {
                if to == NONE {
                    minimal.next.push(NONE);
                    continue;
                }
                let name = &mut name[block[to as usize] as usize];
                if *name == NONE {
                    *name = order.len() as u32;
                    order.push(to as usize);
                }
                minimal.next.push(*name);
            }
            at += 1;
        }
        Ok(minimal)
    }

    fn row(&self, state: usize) -> &[u32] {
        &self.next[state * self.classes..][..self.classes]
    }

    /// Whether a state neither accepts nor has a step, when dead states were dropped.
    fn is_dead(&self, state: usize) -> bool {
        self.accepting
            .get(state)
            .is_some_and(|accepting| !accepting)
            && self.row(state).iter().all(|&to| to == NONE)
    }

    /// Takes the steps to states away from which no accepting one can be reached.
    fn drop_dead(&mut self) {
        let states = self.accepting.len();
        let mut starts = vec![0usize; states + 1];
        for &to in self.next.iter().filter(|&&to| to != NONE) {
            starts[to as usize + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut before = vec![0u32; starts[states]];
        let mut at = starts.clone();
        for (index, &to) in self.next.iter().enumerate() {
            if to != NONE {
                before[at[to as usize]] = (index / self.classes) as u32;
                at[to as usize] += 1;
            }
        }
        let mut alive = self.accepting.clone();
        let mut queue: Vec<usize> = (0..states).filter(|&state| alive[state]).collect();
        while let Some(state) = queue.pop() {
            for &from in &before[starts[state]..starts[state + 1]] {
                if !std::mem::replace(&mut alive[from as usize], true) {
                    queue.push(from as usize);
                }
            }
        }
        for to in &mut self.next {
            if *to != NONE && !alive[*to as usize] {
                *to = NONE;
            }
        }
    }
}

struct AutomatonStep {
    from: u32,
    class: u32,
    to: u32,
}

/// The block of each state in the coarsest partition whose states accept the same words.
fn refined(
    accepting: &[bool],
    classes: usize,
    steps: &[AutomatonStep],
    budget: &Budget,
) -> Run<Vec<u32>> {
    let mut meter = budget.meter();
    let states = accepting.len();
    let mut blocks = RefinedPartition::whole(states);
    for (state, _) in accepting.iter().enumerate().filter(|(_, is)| **is) {
        blocks.mark(state as u32);
    }
    blocks.split();
    // Steps with the same class into the same block are split from others.
    let mut cords = RefinedPartition::by(steps.iter().map(|step| step.class as usize), classes);
    let (into, at) = sorted(steps.iter().map(|step| step.to as usize), states);
    // One block need not split anything: steps of a class that enter none of the others enter that one.
    let (mut block, mut cord) = (1, 0);
    while cord < cords.count() {
        for index in cords.range(cord) {
            meter.tick()?;
            blocks.mark(steps[cords.elements[index] as usize].from);
        }
        blocks.split();
        cord += 1;
        while block < blocks.count() {
            for index in blocks.range(block) {
                meter.tick()?;
                let state = blocks.elements[index] as usize;
                for &step in &into[at[state] as usize..at[state + 1] as usize] {
                    cords.mark(step);
                }
            }
            cords.split();
            block += 1;
        }
    }
    Ok(blocks.block)
}

/// The indices of the keys in the order of keys, and where those of each key start.
fn sorted(keys: impl Iterator<Item = usize> + Clone, bound: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; bound + 1];
    let mut count = 0;
    for key in keys.clone() {
        starts[key + 1] += 1;
        count += 1;
    }
    for key in 0..bound {
        starts[key + 1] += starts[key];
    }
    let mut at = starts.clone();
    let mut order = vec![0; count];
    for (index, key) in keys.enumerate() {
        order[at[key] as usize] = index as u32;
        at[key] += 1;
    }
    (order, starts)
}

/// A partition that is refined by marking elements and splitting marked from unmarked ones.
struct RefinedPartition {
    /// The elements, block by block; in each block the marked ones first.
    elements: Vec<u32>,
    place: Vec<u32>,
    block: Vec<u32>,
    first: Vec<u32>,
    past: Vec<u32>,
    marked: Vec<u32>,
    touched: Vec<u32>,
}

impl RefinedPartition {
    fn whole(size: usize) -> Self {
        Self::by((0..size).map(|_| 0), 1)
    }

    /// One block for each key in use.
    fn by(keys: impl Iterator<Item = usize> + Clone, bound: usize) -> Self {
        let (elements, starts) = sorted(keys, bound);
        let mut partition = Self {
            place: vec![0; elements.len()],
            block: vec![0; elements.len()],
            elements,
            first: Vec::new(),
            past: Vec::new(),
            marked: Vec::new(),
            touched: Vec::new(),
        };
        for ends in starts.windows(2).filter(|ends| ends[0] < ends[1]) {
            for index in ends[0]..ends[1] {
                let element = partition.elements[index as usize] as usize;
                partition.place[element] = index;
                partition.block[element] = partition.first.len() as u32;
            }
            partition.first.push(ends[0]);
            partition.past.push(ends[1]);
            partition.marked.push(0);
        }
        partition
    }

    fn count(&self) -> usize {
        self.first.len()
    }

    fn range(&self, block: usize) -> std::ops::Range<usize> {
        self.first[block] as usize..self.past[block] as usize
    }

    fn mark(&mut self, element: u32) {
        let block = self.block[element as usize] as usize;
        let place = self.place[element as usize];
        let target = self.first[block] + self.marked[block];
        // Marked elements stand at the front of their block.
        if place < target {
            return;
        }
        let other = self.elements[target as usize];
        self.elements.swap(place as usize, target as usize);
        self.place[element as usize] = target;
        self.place[other as usize] = place;
        if self.marked[block] == 0 {
            self.touched.push(block as u32);
        }
        self.marked[block] += 1;
    }

    /// Splits blocks with both marked and unmarked elements; the smaller part becomes a new block.
    fn split(&mut self) {
        while let Some(block) = self.touched.pop() {
            let block = block as usize;
            let marked = std::mem::take(&mut self.marked[block]);
            let (first, past) = (self.first[block], self.past[block]);
            let middle = first + marked;
            if middle == past {
                continue;
            }
            let fresh = self.first.len() as u32;
            // Only the smaller part is renamed, so an element is renamed at most `log n` times.
            let part = if marked <= past - middle {
                self.first[block] = middle;
                first..middle
            } else {
                self.past[block] = middle;
                middle..past
            };
            for index in part.clone() {
                self.block[self.elements[index as usize] as usize] = fresh;
            }
            self.first.push(part.start);
            self.past.push(part.end);
            self.marked.push(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimal(
        classes: usize,
        next: &[u32],
        accepting: &[u32],
        unhopeful: Unhopeful,
    ) -> AutomatonTable {
        let states = next.len() / classes;
        let accepting = (0..states as u32).map(|s| accepting.contains(&s)).collect();
        let next = next.to_vec();
        let table = AutomatonTable {
            classes,
            next,
            accepting,
        };
        table
            .minimal(unhopeful, &Budget::unlimited())
            .expect("no limit")
    }

    #[test]
    fn states_that_accept_the_same_words_are_one() {
        // 1 and 2 do the same; 3 accepts.
        let next = [1, 2, 3, NONE, 3, NONE, 3, 3];
        let table = minimal(2, &next, &[3], Unhopeful::Dropped);
        assert_eq!(table.next, [1, 1, 2, NONE, 2, 2]);
        assert_eq!(table.accepting, [false, false, true]);
    }

    #[test]
    fn dead_states_are_dropped_or_are_one_state() {
        // 1 and 2 go round for ever.
        let next = [1, 3, 2, 2, 1, 2, 3, 3];
        let table = minimal(2, &next, &[3], Unhopeful::Dropped);
        assert_eq!(table.next, [NONE, 1, 1, 1]);
        let table = minimal(2, &next, &[3], Unhopeful::Kept);
        assert_eq!(table.next, [1, 2, 1, 1, 2, 2]);
        let table = minimal(2, &[1, 1, 0, NONE], &[], Unhopeful::Dropped);
        assert!(table.accepting.is_empty());
    }

    #[test]
    fn a_long_chain_takes_no_quadratic_time() {
        let length = 200_000;
        let next: Vec<u32> = (1..length).chain([length - 1]).collect();
        let table = minimal(1, &next, &[length - 1], Unhopeful::Dropped);
        assert_eq!(table.accepting.len(), length as usize);
    }

    #[test]
    fn everything_that_accepts_at_once_is_one_state() {
        let table = minimal(1, &[1, 2, 0], &[0, 1, 2], Unhopeful::Kept);
        assert_eq!((table.next, table.accepting), (vec![0], vec![true]));
    }
}
