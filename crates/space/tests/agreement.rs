//! Both engines, and the plain interpreter, agree on random models.
#![allow(clippy::print_stderr)]

use std::collections::BTreeSet;

use wherefore_base::Budget;
use wherefore_logic::Fairness;
use wherefore_model::{Model, TermId, VarId};
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_space::symbolic::{Ordering, Reorder, Symbolic};
use wherefore_space::{Rings, StateSpace, cover, hull_by_until};

use crate::support::random::{self, Rng};
use crate::support::reference::{Reference, States};

/// Compares an engine with the reference, set by set.
struct Comparison<'a, S: StateSpace> {
    space: &'a S,
    reference: &'a Reference,
    /// The engine's states in the order of the reference's.
    states: Vec<S::State>,
}

impl<'a, S: StateSpace> Comparison<'a, S> {
    fn new(space: &'a S, reference: &'a Reference) -> Self {
        let mut states = Vec::new();
        let mut left = space.reachable().clone();
        while let Some(state) = space.first(&left).unwrap() {
            left = space.minus(&left, &space.just(&state).unwrap()).unwrap();
            states.push(state);
        }
        assert!(states.is_sorted(), "the least state comes first");
        let values: Vec<_> = states.iter().map(|state| space.values(state)).collect();
        assert_eq!(values, reference.states, "reachable states");
        Self {
            space,
            reference,
            states,
        }
    }

    fn set(&self, states: &States) -> S::Set {
        states.iter().fold(self.space.nothing(), |set, &state| {
            self.space
                .join(&set, &self.space.just(&self.states[state]).unwrap())
                .unwrap()
        })
    }

    fn expect(&self, set: &S::Set, states: &States, what: &str) {
        let found: States = (0..self.states.len())
            .filter(|&state| self.space.contains(set, &self.states[state]))
            .collect();
        assert_eq!(found, *states, "{what}");
        assert!(*set == self.set(states), "{what}: equal sets are equal");
        assert_eq!(
            self.space.count(set).unwrap(),
            states.len().into(),
            "{what}: count"
        );
        assert_eq!(
            self.space.is_empty(set),
            states.is_empty(),
            "{what}: emptiness"
        );
    }

    fn run(&self, model: &Model, conditions: &[TermId], rng: &mut Rng) {
        let (space, reference) = (self.space, self.reference);
        self.expect(space.initial(), &reference.initial, "initial states");
        self.steps();
        let resting = reference.successors.iter().enumerate();
        let resting = resting.filter(|(state, row)| row.contains(state));
        let resting: States = resting.map(|(state, _)| state).collect();
        self.expect(&space.resting().unwrap(), &resting, "resting states");
        for &condition in conditions {
            let expected = reference.holds(model, condition);
            self.expect(
                &space.states_where(condition).unwrap(),
                &expected,
                "a condition",
            );
        }
        for _ in 0..3 {
            let (stay, goal) = (self.some(rng, 80), self.some(rng, 15));
            let (stay_set, goal_set) = (self.set(&stay), self.set(&goal));
            self.expect(&space.pre(&goal_set).unwrap(), &reference.pre(&goal), "pre");
            self.expect(
                &space.post(&goal_set).unwrap(),
                &reference.post(&goal),
                "post",
            );
            self.until(&stay, &goal);
            let forward = space.forward(&goal_set, &stay_set).unwrap();
            let by_post = wherefore_space::forward_by_post(space, &goal_set, &stay_set).unwrap();
            assert!(forward == by_post, "forward");
            let recurring = space.recurring(&stay_set).unwrap();
            let by_post = wherefore_space::recurring_by_post(space, &stay_set).unwrap();
            assert!(recurring == by_post, "recurring");
        }
        self.hull(model, &self.some(rng, 85));
        self.hull(model, &(0..self.states.len()).collect());
        self.hull(model, &reference.holds(model, conditions[0]));
        self.with(model, rng);
        self.runs(rng);
    }

    /// Numbers of runs through random sets, against sums over the listed successors.
    fn runs(&self, rng: &mut Rng) {
        let space = self.space;
        let last = self.some(rng, 60);
        let mut weights = space.ones(&self.set(&last)).unwrap().unwrap();
        let one = |state| u64::from(last.contains(&state));
        let mut expected: Vec<u64> = (0..self.states.len()).map(one).collect();
        for _ in 0..4 {
            let from = self.some(rng, 80);
            let doubled = space.plus(&weights, &weights).unwrap().unwrap();
            weights = space
                .sums_of_successors(&doubled, &self.set(&from))
                .unwrap()
                .unwrap();
            let sum = |state: usize| -> u64 {
                let row = self.reference.successors[state].iter();
                row.map(|&to| 2 * expected[to]).sum()
            };
            let of = |state| if from.contains(&state) { sum(state) } else { 0 };
            expected = (0..self.states.len()).map(of).collect();
            let total = expected.iter().sum::<u64>().into();
            assert_eq!(space.total(&weights).unwrap(), Some(total), "runs");
        }
    }

    fn some(&self, rng: &mut Rng, percent: usize) -> States {
        (0..self.states.len())
            .filter(|_| rng.chance(percent))
            .collect()
    }

    fn steps(&self) {
        for (from, row) in self.reference.successors.iter().enumerate() {
            let state = &self.states[from];
            let found: Vec<_> = self
                .space
                .successors(state)
                .unwrap()
                .map(|next| next.unwrap())
                .collect();
            let expected: Vec<_> = row.iter().map(|&to| self.states[to].clone()).collect();
            assert_eq!(found, expected, "successors");
            for to in 0..self.states.len() {
                let input = self.space.input(state, &self.states[to]).unwrap();
                let expected = self.reference.inputs.get(&(from, to));
                assert_eq!(input.as_ref(), expected, "input from {from} to {to}");
            }
        }
        let transitions = self
            .reference
            .successors
            .iter()
            .map(|row| row.len() as u64)
            .sum();
        assert!(
            self.space
                .transitions()
                .is_none_or(|count| count == transitions)
        );
    }

    fn until(&self, stay: &States, goal: &States) {
        let expected = self.reference.until(stay, goal);
        let rings = self.space.until(&self.set(stay), &self.set(goal)).unwrap();
        let at = |wanted: &dyn Fn(Option<u32>) -> bool| -> States {
            (0..self.states.len())
                .filter(|&state| wanted(expected[state]))
                .collect()
        };
        self.expect(rings.all(), &at(&|d| d.is_some()), "until");
        for (state, expected) in self.states.iter().zip(&expected) {
            assert_eq!(rings.distance(state), *expected, "distance");
        }
        for distance in 0.. {
            let expected = at(&|d| d == Some(distance));
            match rings.ring(distance) {
                Some(ring) => self.expect(&ring, &expected, "ring"),
                None => {
                    assert!(expected.is_empty(), "no ring {distance}");
                    break;
                }
            }
        }
    }

    fn hull(&self, model: &Model, stay: &States) {
        let fairness = model
            .fairness
            .try_map(|&condition| self.space.states_where(condition))
            .unwrap();
        let holds = |condition: &TermId| self.reference.holds(model, *condition);
        let justice: Vec<States> = model.fairness.justice.iter().map(holds).collect();
        let pairs = model.fairness.compassion.iter();
        let compassion: Vec<_> = pairs.map(|(p, q)| (holds(p), holds(q))).collect();
        let stay_set = self.set(stay);
        let expected = self.reference.hull(stay, &justice, &compassion);
        self.expect(
            &self.space.hull(&stay_set, &fairness).unwrap(),
            &expected,
            "hull",
        );
        let by_until = hull_by_until(self.space, &stay_set, &fairness).unwrap();
        self.expect(&by_until, &expected, "hull by fixpoints");
        let plain = self.reference.hull(stay, &[], &[]);
        let nothing = Fairness::default();
        self.expect(
            &self.space.hull(&stay_set, &nothing).unwrap(),
            &plain,
            "plain hull",
        );
    }

    fn with(&self, model: &Model, rng: &mut Rng) {
        let mut wanted = Vec::new();
        for var in (0..model.state_vars()).map(VarId::new) {
            if rng.chance(50) {
                let values = model.vars[var]
                    .domain
                    .values()
                    .filter(|_| rng.chance(60))
                    .collect();
                wanted.push((var, values));
            }
        }
        let fits = |state: &usize| {
            let value = |var: VarId| self.reference.states[*state][var.index()];
            wanted
                .iter()
                .all(|(var, values): &(_, Vec<_>)| values.contains(&value(*var)))
        };
        let expected = (0..self.states.len()).filter(fits).collect();
        self.expect(
            &self.space.states_with(&wanted).unwrap(),
            &expected,
            "states with values",
        );
    }
}

/// A random order, and one that changes all the time.
fn orderings(model: &Model, seed: u64) -> [Ordering; 2] {
    let mut rng = Rng::new(seed);
    let mut left: Vec<VarId> = model.vars.ids().collect();
    let mut first = Vec::new();
    while !left.is_empty() {
        first.push(left.swap_remove(rng.below(left.len())));
    }
    [Reorder::Never, Reorder::Always].map(|reorder| Ordering {
        first: first.clone(),
        reorder,
    })
}

fn compare(seed: u64, make: fn(u64) -> (Model, Vec<TermId>)) -> usize {
    let (model, conditions) = make(seed);
    let budget = Budget::unlimited();
    let reference = Reference::new(&model);
    let explicit = Explicit::explore(&model, ExplorationLimits::default(), &budget)
        .unwrap()
        .unwrap();
    let symbolic = Symbolic::build(&model, &budget).unwrap();
    Comparison::new(&explicit, &reference).run(&model, &conditions, &mut Rng::new(seed));
    Comparison::new(&symbolic, &reference).run(&model, &conditions, &mut Rng::new(seed));
    for (turn, ordering) in orderings(&model, seed).iter().enumerate() {
        let symbolic = Symbolic::build_ordered(&model, ordering, &budget).unwrap();
        let mut rng = Rng::new(seed);
        if turn == 0 || seed.is_multiple_of(8) {
            Comparison::new(&symbolic, &reference).run(&model, &conditions, &mut rng);
        }
    }
    for &condition in &conditions {
        let by_graph = cover(&explicit, &explicit.states_where(condition).unwrap(), 3).unwrap();
        let by_bdd = cover(&symbolic, &symbolic.states_where(condition).unwrap(), 3).unwrap();
        assert_eq!(by_graph, by_bdd, "cover");
    }
    reference.states.len()
}

#[test]
fn engines_and_interpreter_agree_on_random_models() {
    compare_all(random::model);
}

#[test]
fn engines_and_interpreter_agree_on_random_processes_with_fair_turns() {
    compare_all(random::processes);
}

fn compare_all(make: fn(u64) -> (Model, Vec<TermId>)) {
    let from: u64 = std::env::var("SEED")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(1);
    let count: u64 = std::env::var("MODELS")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(400);
    let mut sizes = BTreeSet::new();
    for seed in from..from + count {
        let result = std::panic::catch_unwind(|| compare(seed, make));
        match result {
            Ok(size) => drop(sizes.insert(size)),
            Err(panic) => {
                eprintln!("the model with seed {seed} shows it: SEED={seed} MODELS=1");
                std::panic::resume_unwind(panic);
            }
        }
    }
    assert!(count < 100 || sizes.len() > 20, "models have many sizes");
}
