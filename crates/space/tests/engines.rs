//! Models made by hand, each read by both engines.

use std::time::Duration;

use num_bigint::BigUint;
use wherefore_base::{Budget, Stop, Value};
use wherefore_logic::Fairness;
use wherefore_model::{BinaryOp, Domain, Model, Requirement, Term, VarKind};
use wherefore_space::explicit::{Explicit, ExplorationCounts, ExplorationLimits, SpaceTooLarge};
use wherefore_space::symbolic::Symbolic;
use wherefore_space::{Rings, StateSpace};

use crate::support::Builder;

/// Something to check of a space, whatever its engine.
trait Check {
    fn check<S: StateSpace>(&self, space: &S);
}

fn both(model: &Model, check: impl Check) {
    let budget = Budget::unlimited();
    check.check(
        &Explicit::explore(model, ExplorationLimits::default(), &budget)
            .unwrap()
            .unwrap(),
    );
    check.check(&Symbolic::build(model, &budget).unwrap());
}

/// The values of all states of a set, in order.
fn listed<S: StateSpace>(space: &S, set: &S::Set) -> Vec<Vec<Value>> {
    let mut left = set.clone();
    let mut states = Vec::new();
    while let Some(state) = space.first(&left).unwrap() {
        left = space.minus(&left, &space.just(&state).unwrap()).unwrap();
        states.push(space.values(&state));
    }
    states
}

fn ints<const N: usize>(numbers: [i64; N]) -> Vec<Value> {
    numbers.map(Value::Int).to_vec()
}

/// `x` counts from 0 to 3 and stops there: `TRANS x < 3 & next(x) = x + 1`.
fn counter() -> Builder {
    let mut b = Builder::default();
    let x = b.range("x", 0, 3);
    let (now, next) = (b.now(x), b.next(x));
    let (zero, one, three) = (b.int(0), b.int(1), b.int(3));
    let start = b.equal(now, zero);
    b.init(Requirement::Holds(start));
    let more = b.op(BinaryOp::Add, now, one);
    let small = b.op(BinaryOp::Less, now, three);
    let counts = b.equal(next, more);
    let step = b.and(small, counts);
    b.trans(Requirement::Holds(step));
    b
}

#[test]
fn a_deadlocked_state_has_no_successor_and_no_infinite_path_leads_to_it() {
    struct Deadlock;
    impl Check for Deadlock {
        fn check<S: StateSpace>(&self, space: &S) {
            let all = space.reachable();
            let states = [0, 1, 2, 3].map(|n| ints([n]));
            assert_eq!(listed(space, all), states);
            let stuck = space.minus(all, &space.pre(all).unwrap()).unwrap();
            assert_eq!(listed(space, &stuck), [ints([3])]);
            let last = space.first(&stuck).unwrap().unwrap();
            assert_eq!(space.successors(&last).unwrap().count(), 0);
            let endless = space.hull(all, &Fairness::default()).unwrap();
            assert!(space.is_empty(&endless));
            let rings = space.until(all, &stuck).unwrap();
            let first = space.first(space.initial()).unwrap().unwrap();
            assert_eq!(rings.distance(&first), Some(3));
        }
    }
    both(&counter().model, Deadlock);
}

#[test]
fn a_model_without_initial_states_is_an_empty_space() {
    struct Empty;
    impl Check for Empty {
        fn check<S: StateSpace>(&self, space: &S) {
            assert!(space.is_empty(space.reachable()));
            assert!(space.is_empty(space.initial()));
            assert_eq!(space.first(space.reachable()).unwrap(), None);
            assert_eq!(space.count(space.reachable()).unwrap(), 0u32.into());
        }
    }
    let mut b = counter();
    let never = b.truth(false);
    b.init(Requirement::Holds(never));
    both(&b.model, Empty);
}

#[test]
fn a_model_without_variables_has_one_state() {
    struct One;
    impl Check for One {
        fn check<S: StateSpace>(&self, space: &S) {
            let state = space.first(space.initial()).unwrap().unwrap();
            assert_eq!(space.values(&state), []);
            let next: Vec<_> = space
                .successors(&state)
                .unwrap()
                .map(Result::unwrap)
                .collect();
            assert_eq!(next, std::slice::from_ref(&state));
            assert_eq!(space.count(space.reachable()).unwrap(), 1u32.into());
            assert_eq!(space.input(&state, &state).unwrap(), Some(vec![]));
        }
    }
    both(&Model::default(), One);
}

#[test]
fn the_least_input_of_a_step_is_found_and_free_inputs_take_their_first_value() {
    struct Inputs;
    impl Check for Inputs {
        fn check<S: StateSpace>(&self, space: &S) {
            let all = listed(space, space.reachable());
            assert_eq!(all, [0, 1, 2].map(|n| ints([n])));
            let state = |n| {
                let x = (wherefore_model::VarId::new(0), vec![Value::Int(n)]);
                let set = space.states_with(&[x]).unwrap();
                space.first(&set).unwrap().unwrap()
            };
            // 0 -> 2 takes an input of 2 or of 5, read modulo 3.
            let input = space.input(&state(0), &state(2)).unwrap();
            assert_eq!(input, Some(vec![Value::Int(2), Value::Bool(false)]));
            assert_eq!(space.input(&state(2), &state(1)).unwrap(), None);
        }
    }
    let mut b = Builder::default();
    let x = b.range("x", 0, 2);
    let amount = b.var("amount", Domain::Range { low: 0, high: 5 }, VarKind::Input);
    b.var("unused", Domain::Bool, VarKind::Input);
    let (now, amount, three, zero) = (b.now(x), b.now(amount), b.int(3), b.int(0));
    b.init(Requirement::Assign(x, zero));
    let rest = b.op(BinaryOp::Mod, amount, three);
    let sum = b.op(BinaryOp::Add, now, rest);
    let two = b.int(2);
    let fits = b.op(BinaryOp::LessEqual, sum, two);
    let next = b.ite(fits, sum, two);
    b.trans(Requirement::Assign(x, next));
    both(&b.model, Inputs);
}

#[test]
fn invariants_link_variables_of_the_next_state() {
    struct Linked;
    impl Check for Linked {
        fn check<S: StateSpace>(&self, space: &S) {
            let states = [[0, 4], [1, 3], [2, 2], [3, 1], [4, 0]].map(ints);
            assert_eq!(listed(space, space.reachable()), states);
            let first = space.first(space.initial()).unwrap().unwrap();
            assert_eq!(space.successors(&first).unwrap().count(), 5);
        }
    }
    let mut b = Builder::default();
    let (x, y) = (b.range("x", 0, 9), b.range("y", 0, 4));
    let (now, four) = (b.now(x), b.int(4));
    let rest = b.op(BinaryOp::Sub, four, now);
    b.invar(Requirement::Assign(y, rest));
    both(&b.model, Linked);
}

#[test]
fn states_are_ordered_as_domains_list_their_values() {
    struct Ordered;
    impl Check for Ordered {
        fn check<S: StateSpace>(&self, space: &S) {
            let symbol = |text| Value::Symbol(space.model().names.find(text).unwrap());
            let values = [symbol("z"), Value::Int(7), symbol("a"), Value::Int(1)];
            assert_eq!(listed(space, space.reachable()), values.map(|v| vec![v]));
        }
    }
    let mut b = Builder::default();
    let domain = [b.symbol("z"), Value::Int(7), b.symbol("a"), Value::Int(1)];
    b.var("x", Domain::Enum(domain.into()), VarKind::State);
    both(&b.model, Ordered);
}

#[test]
fn compassion_bars_loops_that_answer_a_recurring_request_never() {
    struct Fair;
    impl Check for Fair {
        fn check<S: StateSpace>(&self, space: &S) {
            let fairness = space
                .model()
                .fairness
                .try_map(|&term| space.states_where(term))
                .unwrap();
            let fair = space.hull(space.reachable(), &fairness).unwrap();
            // 1 asks for ever, and so does 4; 0 and 2 ask on the way to 3, which asks no more.
            assert_eq!(listed(space, &fair), [0, 2, 3].map(|n| ints([n])));
        }
    }
    let mut b = Builder::default();
    let x = b.range("x", 0, 4);
    let now = b.now(x);
    let (zero, one, two, three, four) = (b.int(0), b.int(1), b.int(2), b.int(3), b.int(4));
    b.init(Requirement::Assign(x, zero));
    let is = [zero, one, two].map(|n| b.equal(now, n));
    let either = b.set(&[one, two]);
    let dead_end = b.set(&[one, four]);
    let third = b.ite(is[2], three, now);
    let second = b.ite(is[1], dead_end, third);
    let next = b.ite(is[0], either, second);
    b.trans(Requirement::Assign(x, next));
    let asks = b.op(BinaryOp::LessEqual, now, two);
    let at_four = b.equal(now, four);
    let never = b.truth(false);
    b.model.fairness.compassion = vec![(asks, never), (at_four, never)];
    both(&b.model, Fair);
}

/// `n` Booleans, all free.
fn booleans(n: usize) -> Builder {
    let mut b = Builder::default();
    for at in 0..n {
        b.bool(&format!("b{at}"));
    }
    b
}

#[test]
fn many_free_variables_that_a_late_constraint_ties_are_explored_well() {
    let mut b = booleans(40);
    let vars: Vec<_> = b.model.vars.ids().collect();
    let mut all_same = b.truth(true);
    for pair in vars.windows(2) {
        let (left, right) = (b.now(pair[0]), b.now(pair[1]));
        let same = b.equal(left, right);
        all_same = b.and(all_same, same);
    }
    b.invar(Requirement::Holds(all_same));
    struct Two;
    impl Check for Two {
        fn check<S: StateSpace>(&self, space: &S) {
            assert_eq!(space.count(space.reachable()).unwrap(), 2u32.into());
        }
    }
    both(&b.model, Two);
}

#[test]
fn a_relation_written_as_one_disjunction_of_rules_is_explored_well() {
    let mut b = Builder::default();
    let x = b.range("x", 0, 999);
    let y = b.range("y", 0, 999);
    let (x_now, x_next, y_next) = (b.now(x), b.next(x), b.next(y));
    let zero = b.int(0);
    b.init(Requirement::Assign(x, zero));
    b.init(Requirement::Assign(y, zero));
    let mut rules = b.truth(false);
    for n in 0..999 {
        let (from, to) = (b.int(n), b.int(n + 1));
        let guard = b.equal(x_now, from);
        let x_step = b.equal(x_next, to);
        let y_step = b.equal(y_next, from);
        let effect = b.and(x_step, y_step);
        let rule = b.and(guard, effect);
        rules = b.or(rules, rule);
    }
    b.trans(Requirement::Holds(rules));
    struct Thousand;
    impl Check for Thousand {
        fn check<S: StateSpace>(&self, space: &S) {
            assert_eq!(space.count(space.reachable()).unwrap(), 1000u32.into());
        }
    }
    both(&b.model, Thousand);
}

#[test]
fn terms_nested_a_hundred_thousand_levels_deep_are_read() {
    let mut b = booleans(1);
    let var = b.model.vars.ids().next().unwrap();
    let mut term = b.now(var);
    for _ in 0..100_000 {
        term = b.not(term);
    }
    b.trans(Requirement::Assign(var, term));
    let start = b.truth(true);
    b.init(Requirement::Assign(var, start));
    struct One;
    impl Check for One {
        fn check<S: StateSpace>(&self, space: &S) {
            assert_eq!(listed(space, space.reachable()), [vec![Value::Bool(true)]]);
        }
    }
    both(&b.model, One);
}

#[test]
fn shared_operands_are_evaluated_once() {
    let mut b = booleans(1);
    let var = b.model.vars.ids().next().unwrap();
    let mut term = b.now(var);
    let mut choice = b.term(Term::Set([term].into()));
    for _ in 0..200 {
        term = b.op(BinaryOp::Equal, term, term);
        choice = b.set(&[choice, choice]);
    }
    b.trans(Requirement::Holds(term));
    b.trans(Requirement::Assign(var, choice));
    struct Two;
    impl Check for Two {
        fn check<S: StateSpace>(&self, space: &S) {
            assert_eq!(space.count(space.reachable()).unwrap(), 2u32.into());
        }
    }
    both(&b.model, Two);
}

#[test]
fn decision_diagrams_count_beyond_machine_numbers() {
    let model = booleans(200).model;
    let space = Symbolic::build(&model, &Budget::unlimited()).unwrap();
    assert_eq!(
        space.count(space.reachable()).unwrap(),
        BigUint::from(2u32).pow(200)
    );
}

#[test]
fn both_engines_list_the_states_of_a_large_set_in_the_same_order() {
    let built = booleans(11);
    let budget = Budget::unlimited();
    let explicit = Explicit::explore(&built.model, ExplorationLimits::default(), &budget);
    let explicit = explicit.unwrap().unwrap();
    let symbolic = Symbolic::build(&built.model, &budget).unwrap();
    let one: Vec<_> = explicit
        .listed(explicit.reachable())
        .map(|state| explicit.values(&state.unwrap()))
        .collect();
    let other: Vec<_> = symbolic
        .listed(symbolic.reachable())
        .map(|state| symbolic.values(&state.unwrap()))
        .collect();
    assert_eq!(one.len(), 1 << 11);
    assert_eq!(one, other);
}

#[test]
fn exploration_says_which_limit_it_passed() {
    let budget = Budget::unlimited();
    let limits = ExplorationLimits {
        states: 1000,
        transitions: 100,
    };
    let too_large = |model: &Model, limits| {
        let large = Explicit::explore(model, limits, &budget).unwrap().err();
        large.map(|large| SpaceTooLarge { turns: 0, ..large })
    };
    let states = SpaceTooLarge {
        what: ExplorationCounts::States,
        limit: 1000,
        expanded: 0,
        transitions: 0,
        levels: 0,
        turns: 0,
    };
    assert_eq!(too_large(&booleans(60).model, limits), Some(states));
    let transitions = SpaceTooLarge {
        what: ExplorationCounts::Transitions,
        limit: 100,
        expanded: 6,
        transitions: 112,
        levels: 0,
        turns: 0,
    };
    assert_eq!(too_large(&booleans(4).model, limits), Some(transitions));
    assert_eq!(
        transitions.to_string(),
        "the model has more than 100 transitions"
    );
    assert_eq!(too_large(&booleans(3).model, limits), None);
}

#[test]
fn work_stops_when_the_budget_says_so() {
    let model = booleans(60).model;
    let cancelled = Budget::unlimited();
    cancelled.stop(Stop::Cancelled);
    let late = Budget::new(Some(Duration::from_millis(50)), None);
    for (budget, stop) in [(cancelled, Stop::Cancelled), (late, Stop::TimeOut)] {
        let explored = Explicit::explore(&model, ExplorationLimits::default(), &budget);
        assert_eq!(explored.err(), Some(stop));
        assert_eq!(Symbolic::build(&model, &budget).err(), Some(stop));
    }
}

#[test]
fn work_stops_at_the_memory_bound() {
    let small = Budget::new(None, Some(1 << 20));
    for free in [12, 60] {
        let model = booleans(free).model;
        let explored = Explicit::explore(&model, ExplorationLimits::default(), &small);
        assert_eq!(explored.err(), Some(Stop::Memory));
    }
    // The middle bits of a product have no small diagrams.
    let mut b = Builder::default();
    let (x, y, z) = (
        b.range("x", 0, 1023),
        b.range("y", 0, 1023),
        b.range("z", 0, 1 << 20),
    );
    let (x, y) = (b.now(x), b.now(y));
    let product = b.op(BinaryOp::Mul, x, y);
    b.init(Requirement::Assign(z, product));
    assert_eq!(Symbolic::build(&b.model, &small).err(), Some(Stop::Memory));
}

#[test]
fn spaces_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Explicit<'static>>();
    shared::<Symbolic<'static>>();
}
