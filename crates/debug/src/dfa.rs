//! The property automaton: deterministic, minimal, without dead states.
//!
//! Made from the regular formula of a property by the subset construction and partition refinement.
//! Labels that no action formula tells apart are one class. Where the automaton has no step, no word that
//! goes on from there is accepted.

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, IndexVec, Run};
use wherefore_logic::{ActionId, Nfa, Piece};
use wherefore_model::lts::{LabelId, LabelSet, Lts};

/// No step.
const NONE: u32 = u32::MAX;

/// A deterministic automaton over the labels of a system. State 0 is initial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dfa {
    /// The class of each label.
    class: IndexVec<LabelId, u32>,
    classes: usize,
    /// The step from each state with each class.
    next: Vec<u32>,
    accepting: Vec<bool>,
}

impl Dfa {
    /// The minimal automaton of the words that *begin* with a word of the piece: what follows a
    /// violation does not undo it.
    pub fn beginning_with(
        nfa: &Nfa,
        piece: Piece,
        actions: &IndexVec<ActionId, LabelSet>,
        lts: &Lts,
        budget: &Budget,
    ) -> Run<Self> {
        let used = nfa.steps().iter().filter_map(|step| step.reads);
        let (class, examples) = classes(used, actions, lts);
        Subsets::new(nfa, piece, actions, &examples)
            .determined(budget)?
            .minimal(class, budget)
    }

    /// The minimal automaton of the words in which these actions occur in this order, perhaps with
    /// others in between.
    pub fn in_order(
        order: &[ActionId],
        actions: &IndexVec<ActionId, LabelSet>,
        lts: &Lts,
        budget: &Budget,
    ) -> Run<Self> {
        let (class, examples) = classes(order.iter().copied(), actions, lts);
        let mut table = Table::default();
        for (at, &action) in order.iter().enumerate() {
            let next = examples.iter().map(|&label| {
                let met = actions[action].contains(label);
                (at + usize::from(met)) as u32
            });
            table.next.extend(next);
            table.accepting.push(false);
        }
        let end = order.len() as u32;
        table.next.extend(examples.iter().map(|_| end));
        table.accepting.push(true);
        table.classes = examples.len();
        table.minimal(class, budget)
    }

    /// How many states there are; none when no word is accepted.
    pub fn states(&self) -> u32 {
        self.accepting.len() as u32
    }

    /// Whether a state accepts.
    #[inline]
    pub fn accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// The step from a state with a label.
    #[inline]
    pub fn next(&self, state: u32, label: LabelId) -> Option<u32> {
        let class = self.class[label] as usize;
        let next = self.next[state as usize * self.classes + class];
        (next != NONE).then_some(next)
    }

    /// The class of a label: labels of one class lead to the same states everywhere.
    #[inline]
    pub fn class(&self, label: LabelId) -> u32 {
        self.class[label]
    }

    /// How many classes of labels there are.
    pub fn classes(&self) -> usize {
        self.classes
    }
}

/// The class of each label, numbered by their least labels, and that label for each class.
fn classes(
    used: impl Iterator<Item = ActionId>,
    actions: &IndexVec<ActionId, LabelSet>,
    lts: &Lts,
) -> (IndexVec<LabelId, u32>, Vec<LabelId>) {
    let mut used: Vec<ActionId> = used.collect();
    used.sort_unstable();
    used.dedup();
    // Split by one action after the other: linear in labels times actions, whatever the number of classes.
    let mut class = vec![0u32; lts.labels().len()];
    for action in used {
        let mut split: FxHashMap<(u32, bool), u32> = FxHashMap::default();
        for (index, class) in class.iter_mut().enumerate() {
            let key = (*class, actions[action].contains(LabelId::new(index)));
            let count = split.len() as u32;
            *class = *split.entry(key).or_insert(count);
        }
    }
    let mut examples = Vec::new();
    for (index, class) in class.iter().enumerate() {
        if *class as usize == examples.len() {
            examples.push(LabelId::new(index));
        }
    }
    (class.into(), examples)
}

/// The subset construction.
struct Subsets<'a> {
    /// The states entered without reading, for each state.
    silent: Vec<Vec<u32>>,
    /// The states entered by reading, for each state.
    reading: Vec<Vec<(ActionId, u32)>>,
    piece: Piece,
    actions: &'a IndexVec<ActionId, LabelSet>,
    /// A label of each class.
    examples: &'a [LabelId],
}

impl<'a> Subsets<'a> {
    fn new(
        nfa: &Nfa,
        piece: Piece,
        actions: &'a IndexVec<ActionId, LabelSet>,
        examples: &'a [LabelId],
    ) -> Self {
        let states = nfa.states() as usize;
        let (mut silent, mut reading) = (vec![Vec::new(); states], vec![Vec::new(); states]);
        for step in nfa.steps() {
            match step.reads {
                None => silent[step.from as usize].push(step.to),
                Some(action) => reading[step.from as usize].push((action, step.to)),
            }
        }
        Self {
            silent,
            reading,
            piece,
            actions,
            examples,
        }
    }

    fn determined(&self, budget: &Budget) -> Run<Table> {
        let mut meter = budget.meter();
        let mut names: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut sets: Vec<Vec<u32>> = Vec::new();
        let mut table = Table {
            classes: self.examples.len(),
            ..Table::default()
        };
        let mut seen = vec![false; self.silent.len()];
        let start = self.closed(vec![self.piece.entrance], &mut seen);
        names.insert(start.clone(), 0);
        sets.push(start);
        let mut at = 0;
        while at < sets.len() {
            let accepting = sets[at].binary_search(&self.piece.exit).is_ok();
            table.accepting.push(accepting);
            for &label in self.examples {
                meter.tick()?;
                if accepting {
                    // A word that begins with a word of the piece: so do all that go on from it.
                    table.next.push(at as u32);
                    continue;
                }
                let reading = sets[at].iter().flat_map(|&s| &self.reading[s as usize]);
                let read = reading.filter(|(action, _)| self.actions[*action].contains(label));
                let entered: Vec<u32> = read.map(|&(_, to)| to).collect();
                let set = self.closed(entered, &mut seen);
                if set.is_empty() {
                    table.next.push(NONE);
                    continue;
                }
                let count = sets.len() as u32;
                let name = *names.entry(set.clone()).or_insert(count);
                if name == count {
                    sets.push(set);
                }
                table.next.push(name);
            }
            at += 1;
        }
        Ok(table)
    }

    /// The states and all entered from them without reading, in order.
    fn closed(&self, mut set: Vec<u32>, seen: &mut [bool]) -> Vec<u32> {
        set.retain(|&state| !std::mem::replace(&mut seen[state as usize], true));
        let mut at = 0;
        while at < set.len() {
            for &to in &self.silent[set[at] as usize] {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    set.push(to);
                }
            }
            at += 1;
        }
        for &state in &set {
            seen[state as usize] = false;
        }
        set.sort_unstable();
        set
    }
}

/// A deterministic automaton, not yet minimal.
#[derive(Default)]
struct Table {
    classes: usize,
    next: Vec<u32>,
    accepting: Vec<bool>,
}

impl Table {
    /// The minimal automaton without dead states, numbered breadth first.
    fn minimal(self, class: IndexVec<LabelId, u32>, budget: &Budget) -> Run<Dfa> {
        let alive = self.alive();
        let states = self.accepting.len();
        // A dead state is the block 0, which is left out at the end.
        let mut block: Vec<u32> = (0..states)
            .map(|s| {
                if alive[s] {
                    1 + u32::from(self.accepting[s])
                } else {
                    0
                }
            })
            .collect();
        let mut count = 0;
        loop {
            let mut names: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
            names.insert(Vec::new(), 0);
            let mut refined = Vec::with_capacity(states);
            for state in 0..states {
                budget.check()?;
                let signature = if alive[state] {
                    let row = &self.next[state * self.classes..][..self.classes];
                    let of = |&to: &u32| if to == NONE { 0 } else { block[to as usize] };
                    std::iter::once(block[state])
                        .chain(row.iter().map(of))
                        .collect()
                } else {
                    Vec::new()
                };
                let fresh = names.len() as u32;
                refined.push(*names.entry(signature).or_insert(fresh));
            }
            block = refined;
            if names.len() == count {
                break;
            }
            count = names.len();
        }
        let mut dfa = Dfa {
            class,
            classes: self.classes,
            next: Vec::new(),
            accepting: Vec::new(),
        };
        if states == 0 || !alive[0] {
            return Ok(dfa);
        }
        let mut name: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order = vec![0usize];
        name.insert(block[0], 0);
        let mut at = 0;
        while at < order.len() {
            let state = order[at];
            dfa.accepting.push(self.accepting[state]);
            for &to in &self.next[state * self.classes..][..self.classes] {
                let next = if to == NONE || !alive[to as usize] {
                    NONE
                } else {
                    let fresh = order.len() as u32;
                    let name = *name.entry(block[to as usize]).or_insert(fresh);
                    if name == fresh {
                        order.push(to as usize);
                    }
                    name
                };
                dfa.next.push(next);
            }
            at += 1;
        }
        Ok(dfa)
    }

    /// Which states can still accept.
    fn alive(&self) -> Vec<bool> {
        let mut before = vec![Vec::new(); self.accepting.len()];
        for (index, &to) in self.next.iter().enumerate() {
            if to != NONE {
                before[to as usize].push((index / self.classes) as u32);
            }
        }
        let mut alive = self.accepting.clone();
        let mut queue: Vec<u32> = (0..alive.len() as u32)
            .filter(|&s| alive[s as usize])
            .collect();
        while let Some(state) = queue.pop() {
            for &from in &before[state as usize] {
                if !std::mem::replace(&mut alive[from as usize], true) {
                    queue.push(from);
                }
            }
        }
        alive
    }
}
