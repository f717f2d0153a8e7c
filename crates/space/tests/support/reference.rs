//! The state space of a model as the plain interpreter finds it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Budget, Value};
use wherefore_model::{Env, Interpreter, Model, TermId, VarId};

pub type State = Vec<Value>;
pub type States = BTreeSet<usize>;

/// States have the numbers of their places in the order of states.
pub struct Reference {
    pub states: Vec<State>,
    pub initial: States,
    pub successors: Vec<Vec<usize>>,
    /// The least input of each step.
    pub inputs: BTreeMap<(usize, usize), Vec<Value>>,
}

impl Reference {
    pub fn new(model: &Model) -> Self {
        let budget = Budget::unlimited();
        let interpreter = Interpreter::new(model);
        let key = |state: &State| -> Vec<u64> {
            let index = |(at, &v): (usize, &Value)| model.vars[VarId::new(at)].domain.index_of(v);
            state
                .iter()
                .enumerate()
                .map(|pair| index(pair).expect("a value"))
                .collect()
        };
        let first = interpreter.initial_states(&budget).expect("no limit");
        let mut steps = BTreeMap::new();
        let mut open = first.clone();
        while let Some(state) = open.pop() {
            if let Entry::Vacant(place) = steps.entry(key(&state)) {
                let found = interpreter.steps(&state, &budget).expect("no limit");
                open.extend(found.iter().map(|step| step.next.clone()));
                place.insert((state, found));
            }
        }
        let place: BTreeMap<Vec<u64>, usize> = steps.keys().cloned().zip(0..).collect();
        let mut reference = Self {
            states: Vec::new(),
            initial: first.iter().map(|state| place[&key(state)]).collect(),
            successors: Vec::new(),
            inputs: BTreeMap::new(),
        };
        for (from, (state, found)) in steps.into_values().enumerate() {
            reference.states.push(state);
            let mut row = BTreeSet::new();
            for step in found {
                let to = place[&key(&step.next)];
                row.insert(to);
                // Steps come least input first.
                reference.inputs.entry((from, to)).or_insert(step.input);
            }
            reference.successors.push(row.into_iter().collect());
        }
        reference
    }

    pub fn holds(&self, model: &Model, condition: TermId) -> States {
        let interpreter = Interpreter::new(model);
        let all = 0..self.states.len();
        all.filter(|&s| interpreter.truth(condition, Env::state(&self.states[s])))
            .collect()
    }

    pub fn pre(&self, to: &States) -> States {
        let all = 0..self.states.len();
        all.filter(|&s| self.successors[s].iter().any(|t| to.contains(t)))
            .collect()
    }

    pub fn post(&self, from: &States) -> States {
        from.iter()
            .flat_map(|&s| self.successors[s].iter().copied())
            .collect()
    }

    /// For each state its distance to the goal through `stay`.
    pub fn until(&self, stay: &States, goal: &States) -> Vec<Option<u32>> {
        let mut distance: Vec<Option<u32>> = (0..self.states.len())
            .map(|s| goal.contains(&s).then_some(0))
            .collect();
        for round in 1..=self.states.len() as u32 {
            for &state in stay {
                let near = |&t: &usize| distance[t] == Some(round - 1);
                if distance[state].is_none() && self.successors[state].iter().any(near) {
                    distance[state] = Some(round);
                }
            }
        }
        distance
    }

    /// States of `stay` from which a fair loop can be reached within `stay`: the definition, by
    /// trying all ways to take states out of a set of states that reach each other.
    pub fn hull(
        &self,
        stay: &States,
        justice: &[States],
        compassion: &[(States, States)],
    ) -> States {
        let mut fair = States::new();
        // A fair path settles, for each pair, either to visit q again and again or to avoid p.
        for choice in 0..1usize << compassion.len() {
            let avoids = |pair: usize| choice >> pair & 1 == 1;
            let pairs = || compassion.iter().enumerate();
            let avoided: Vec<&States> = pairs()
                .filter(|(i, _)| avoids(*i))
                .map(|(_, (p, _))| p)
                .collect();
            let within: States = stay
                .iter()
                .copied()
                .filter(|s| !avoided.iter().any(|p| p.contains(s)))
                .collect();
            let visited: Vec<&States> = justice
                .iter()
                .chain(pairs().filter(|(i, _)| !avoids(*i)).map(|(_, (_, q))| q))
                .collect();
            let reach = self.reach_within(&within);
            for &state in &within {
                let onward = &reach[state];
                let back = onward.iter().filter(|&&s| reach[s].contains(&state));
                let back: States = back.copied().collect();
                if back.contains(&state) && visited.iter().all(|v| !v.is_disjoint(&back)) {
                    fair.insert(state);
                }
            }
        }
        let distance = self.until(stay, &fair);
        (0..self.states.len())
            .filter(|&s| distance[s].is_some())
            .collect()
    }

    /// For each state what it reaches in one step or more, staying within.
    fn reach_within(&self, within: &States) -> Vec<States> {
        let from = |state: usize| {
            let mut all = States::new();
            let mut open = vec![state];
            while let Some(state) = open.pop() {
                let next = self.successors[state].iter().copied();
                open.extend(next.filter(|next| within.contains(next) && all.insert(*next)));
            }
            all
        };
        (0..self.states.len()).map(from).collect()
    }
}
