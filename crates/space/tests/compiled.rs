//! Compiled exploration: the same states and steps as the plain interpreter, with any number of
//! threads, and on the fly the same shortest paths as with everything listed.

use wherefore_base::{Budget, SourceFile, SourceMap, Value};
use wherefore_model::{BinaryOp, Interpreter, Model, Requirement, TermId};
use wherefore_space::explicit::{
    Explicit, ExplorationCounts, ExplorationLimits, ReachedState, SpaceTooLarge,
};
use wherefore_space::{Rings, StateSpace};

use crate::support::Builder;
use crate::support::random::{self, Rng};
use crate::support::reference::Reference;

fn read(text: &str) -> Model {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).unwrap();
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    loaded.model
}

fn explore(model: &Model, threads: usize) -> Explicit<'_> {
    let limits = ExplorationLimits::default();
    Explicit::explore_on(model, limits, threads, &Budget::unlimited())
        .unwrap()
        .unwrap()
}

/// The states with their successors, in order, and the initial states.
type Graph = (Vec<(Vec<Value>, Vec<Vec<Value>>)>, Vec<Vec<Value>>);

fn graph(space: &Explicit<'_>) -> Graph {
    let mut left = space.reachable().clone();
    let mut states = Vec::new();
    let mut initial = Vec::new();
    while let Some(state) = space.first(&left).unwrap() {
        left = space.minus(&left, &space.just(&state).unwrap()).unwrap();
        let next = space.successors(&state).unwrap();
        let next = next.map(|next| space.values(&next.unwrap())).collect();
        if space.contains(space.initial(), &state) {
            initial.push(space.values(&state));
        }
        states.push((space.values(&state), next));
    }
    (states, initial)
}

/// The graph as the interpreter finds it.
fn reference(model: &Model) -> Graph {
    let reference = Reference::new(model);
    let values = |ids: &mut dyn Iterator<Item = usize>| -> Vec<Vec<Value>> {
        ids.map(|id| reference.states[id].clone()).collect()
    };
    let states = reference.states.iter().zip(&reference.successors);
    let states = states.map(|(state, next)| (state.clone(), values(&mut next.iter().copied())));
    let states = states.collect();
    (states, values(&mut reference.initial.iter().copied()))
}

fn agrees(text: &str) {
    let model = read(text);
    let space = explore(&model, 1);
    let (states, initial) = graph(&space);
    let expected = reference(&model);
    assert!(!states.is_empty(), "there are states");
    assert_eq!(initial, expected.1, "initial states of {text}");
    assert_eq!(states, expected.0, "states of {text}");
    let interpreter = Interpreter::new(&model);
    for property in &model.properties {
        let Some(query) = property.body.query() else {
            continue;
        };
        for &condition in query.atoms.iter() {
            let holds = space.states_where(condition).unwrap();
            for (at, (state, _)) in states.iter().enumerate() {
                let env = wherefore_model::Env::state(state);
                assert_eq!(holds.contains(at), interpreter.truth(condition, env));
            }
        }
    }
}

#[test]
fn words_are_calculated_as_the_interpreter_does() {
    agrees(
        "MODULE main VAR w : unsigned word[3]; s : signed word[3]; c : boolean;
         ASSIGN init(w) := 0ud3_5; init(s) := -0sd3_2;
         next(w) := case c : w + 0ud3_3; w > 0ud3_4 : (w << 1) xor 0ud3_1; TRUE : w * w; esac;
         next(s) := case s < 0sd3_0 : -s; c : signed(w) - s; TRUE : s >> 1; esac;
         SPEC AG (w[1:0] = 0ud2_3 -> s <= 0sd3_1)
         SPEC AG (w / 0ud3_2 != 0ud3_3 | toint(w) mod 2 = 1)
         SPEC AG (bool(w[0:0]) | word1(c) = 0ub1_1 | w[2:2] :: w[0:0] = 0ub2_10)",
    );
}

#[test]
fn arrays_are_read_and_written_as_the_interpreter_does() {
    agrees(
        "MODULE main VAR a : array 0..2 of 0..3; i : 0..2;
         ASSIGN init(a[0]) := 1; init(a[1]) := 2; init(a[2]) := 0; init(i) := 0;
         next(i) := (i + 1) mod 3;
         next(a[0]) := case i = 0 : {a[i], (a[i] + 1) mod 4}; TRUE : a[0]; esac;
         next(a[1]) := case i = 1 : (a[1] + a[0]) mod 4; TRUE : a[1]; esac;
         next(a[2]) := a[2];
         SPEC AG a[i] < 4
         SPEC AG (a[i] in {0, 2} | a[0] + a[1] > 3)",
    );
}

#[test]
fn processes_take_turns_as_the_interpreter_says() {
    agrees(
        "MODULE main VAR turn : 0..2; p : process user(0, turn); q : process user(1, turn);
           r : process user(2, turn);
         ASSIGN init(turn) := 0;
         FAIRNESS p.running
         SPEC AG !(p.state = critical & q.state = critical)
         MODULE user(me, turn) VAR state : {idle, trying, critical};
         ASSIGN init(state) := idle;
         next(state) := case state = idle : {idle, trying};
           state = trying & turn = me : critical; state = critical : {idle, critical}; TRUE : state; esac;
         next(turn) := case state = critical & next(state) = idle : (turn + 1) mod 3; TRUE : turn; esac;
         FAIRNESS running",
    );
}

#[test]
fn values_of_several_kinds_side_by_side_are_told_apart() {
    agrees(
        "MODULE main VAR x : {idle, 1, 2, 3}; y : 0..3; b : {0, 1, maybe};
         ASSIGN init(x) := idle; init(y) := 0; init(b) := maybe;
         next(x) := case x = idle : y; x = 3 : {idle, 1}; x = 1 : 2; TRUE : 3; esac;
         next(y) := case x = idle : {1, 2, 3}; x = y : 0; TRUE : y; esac;
         next(b) := case x in {idle, 2} : {maybe, 0}; y < 2 : y; TRUE : 1; esac;
         SPEC AG (x != y | b = maybe)
         SPEC AG (b in {maybe, 1} | x = y)",
    );
}

#[test]
fn relations_of_every_form_are_solved_as_the_interpreter_does() {
    agrees(
        "MODULE main IVAR go : boolean; push : 0..2; VAR a : 0..4; b : 0..4; c : boolean; d : boolean;
         INIT a + b = 3 & c
         INVAR a <= b + 2 | d
         TRANS go -> next(a) = (a + push) mod 5
         TRANS !go -> (next(a) = a & next(b) = b) | (next(b) = a & !next(c))
         TRANS case c : next(d) = !d; a = 2 : next(b) in {0, a}; TRUE : next(c) <-> go; esac
         TRANS (a = 1 & next(b) = 2 & next(c)) | (a != 1 & next(b) != 4) | next(a) = next(b)
         SPEC AG (count(c, d, a = b) < 3)
         SPEC AG (a > 0 xor c)",
    );
}

/// Numbers that count up one by one or all at once, and too many of them for one thread.
/// Of a variable with so many values: no two at once, and from each value to the next or to none, as many small conditions.
fn by_clauses(values: usize) -> String {
    let mut text = format!(
        "MODULE main\nVAR x : 0..{}; on : boolean;\nINIT x = 0;\n",
        values - 1
    );
    for from in 0..values {
        for to in 0..values {
            if from < to {
                text += &format!("INVAR !(x = {from} & x = {to});\n");
            }
            if to != from && to != (from + 1) % values {
                text += &format!("TRANS next(on) -> !(x = {from} & next(x) = {to});\n");
            }
            if to != from {
                text += &format!("TRANS next(on) | !(x = {from}) | !(next(x) = {to});\n");
            }
        }
    }
    text
}

#[test]
fn many_small_conditions_on_one_variable_do_not_multiply() {
    agrees(&by_clauses(3));
    let model = read(&by_clauses(12));
    let budget = Budget::unlimited().counted(20_000);
    let space = Explicit::explore_on(&model, ExplorationLimits::default(), 1, &budget);
    let space = space.expect("it takes few turns").expect("it is small");
    assert_eq!(space.count(space.reachable()).unwrap(), 24u8.into());
}

fn wide() -> Builder {
    let mut b = Builder::default();
    for at in 0..4 {
        let x = b.range(&format!("x{at}"), 0, 11);
        let (zero, one, most) = (b.int(0), b.int(1), b.int(11));
        let now = b.now(x);
        let more = b.op(BinaryOp::Add, now, one);
        let full = b.equal(now, most);
        let grown = b.ite(full, zero, more);
        let either = b.set(&[now, grown]);
        b.init(Requirement::Assign(x, zero));
        b.trans(Requirement::Assign(x, either));
    }
    b
}

#[test]
fn any_number_of_threads_finds_the_same_and_passes_the_same_limit() {
    let model = wide().model;
    let one = graph(&explore(&model, 1));
    assert_eq!(one.0.len(), 12usize.pow(4));
    for threads in [2, 3] {
        assert!(graph(&explore(&model, threads)) == one, "{threads} threads");
    }
    for (states, transitions) in [(20_000, 200_000), (20_000, 400_000), (15_000, 150_000)] {
        let limits = ExplorationLimits {
            states,
            transitions,
        };
        let outcome = |threads| {
            let explored = Explicit::explore_on(&model, limits, threads, &Budget::unlimited());
            let large = explored.unwrap().err();
            large.map(|large| SpaceTooLarge { turns: 0, ..large })
        };
        assert!(outcome(1).is_some());
        assert_eq!(outcome(1), outcome(3));
    }
}

/// Compares a search on the fly with everything listed.
fn search_agrees(model: &Model, condition: TermId, threads: usize) {
    let whole = explore(model, 1);
    let goal = whole.states_where(condition).unwrap();
    let limits = ExplorationLimits::default();
    let budget = Budget::unlimited();
    let reached = Explicit::search_on(model, condition, limits, threads, &budget).unwrap();
    let expected = whole.shortest_path(&goal).unwrap();
    let values = |space: &Explicit<'_>, path: &[_]| -> Vec<Vec<Value>> {
        path.iter().map(|state| space.values(state)).collect()
    };
    match reached.unwrap() {
        ReachedState::No { states } => {
            assert_eq!(expected, None);
            assert_eq!(whole.count(whole.reachable()).unwrap(), states.into());
        }
        ReachedState::Yes { part, steps } => {
            let expected = expected.expect("there is a path");
            assert_eq!(expected.len(), steps as usize + 1);
            let goal = part.states_where(condition).unwrap();
            let path = part.shortest_path(&goal).unwrap().unwrap();
            assert_eq!(values(&part, &path), values(&whole, &expected));
            let rings = part.until(part.reachable(), &goal).unwrap();
            assert_eq!(rings.distance(&path[0]), Some(steps));
        }
    }
}

#[test]
fn a_search_on_the_fly_finds_the_same_shortest_path() {
    for seed in 0..300 {
        let (model, conditions) = random::model(seed);
        for &condition in &conditions {
            search_agrees(&model, condition, 1 + Rng::new(seed).below(2));
        }
    }
}

#[test]
fn a_search_on_the_fly_stops_at_the_level_of_the_nearest_state() {
    let mut b = wide();
    let vars: Vec<_> = b.model.vars.ids().collect();
    let (now, two) = (b.now(vars[3]), b.int(2));
    let near = b.equal(now, two);
    let twelve = b.int(12);
    let never = b.equal(now, twelve);
    let now = b.now(vars[0]);
    let far = b.op(BinaryOp::GreaterEqual, now, twelve);
    for condition in [near, never, far] {
        search_agrees(&b.model, condition, 2);
    }
    let few = ExplorationLimits {
        states: 81,
        transitions: 1,
    };
    let reached = |condition| {
        Explicit::search(&b.model, condition, few, &Budget::unlimited())
            .unwrap()
            .map(|reached| match reached {
                ReachedState::Yes { steps, .. } => Some(steps),
                ReachedState::No { .. } => None,
            })
    };
    assert_eq!(reached(near), Ok(Some(2)));
    let large = reached(never).expect_err("there are more states");
    assert_eq!(
        (large.what, large.limit),
        (ExplorationCounts::States, few.states)
    );
}
