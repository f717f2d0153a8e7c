//! The subset construction: from a nondeterministic automaton to a deterministic one.

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, IndexVec, Run};
use wherefore_logic::{ActionId, Nfa, Piece};
use wherefore_model::lts::{LabelId, LabelSet};

use crate::minimal::{NONE, Table};

/// The sets of states that words lead to.
pub(crate) struct Subsets<'a> {
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
    pub(crate) fn new(
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

    /// The automaton of all words that begin with a word of the piece.
    pub(crate) fn determined(&self, budget: &Budget) -> Run<Table> {
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
            // A set is looked at once; its name keeps it.
            let here = std::mem::take(&mut sets[at]);
            let accepting = here.binary_search(&self.piece.exit).is_ok();
            table.accepting.push(accepting);
            for &label in self.examples {
                meter.tick()?;
                if accepting {
                    // A word that begins with a word of the piece: so do all that go on from it.
                    table.next.push(at as u32);
                    continue;
                }
                let reading = here.iter().flat_map(|&s| &self.reading[s as usize]);
                let read = reading.filter(|(action, _)| self.actions[*action].contains(label));
                let entered: Vec<u32> = read.map(|&(_, to)| to).collect();
                let set = self.closed(entered, &mut seen);
                if set.is_empty() {
                    table.next.push(NONE);
                    continue;
                }
                let count = sets.len() as u32;
                let name = *names.entry(set).or_insert_with_key(|set| {
                    sets.push(set.clone());
                    count
                });
                table.next.push(name);
            }
            at += 1;
        }
        Ok(table)
    }

    /// The states that matter among these and all entered from them without reading, in order: those
    /// that read, and the exit, which alone if it is there.
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
        let exit = self.piece.exit;
        if set.contains(&exit) {
            return vec![exit];
        }
        set.retain(|&state| !self.reading[state as usize].is_empty());
        set.sort_unstable();
        set
    }
}
