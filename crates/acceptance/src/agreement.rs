//! Questions to both engines, and comparisons with what the naive readings say.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Budget, Value};
use wherefore_check::Checker;
use wherefore_logic::{PathRule, SubId};
use wherefore_model::{Interpreter, Model, PropertyBody, Query, VarId};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_space::symbolic::Symbolic;

use wherefore_testkit::formulas::{CtlTree, forest};
use wherefore_testkit::kripke::{Kripke, StateMask, StepEncoding, members};
use wherefore_testkit::naive::Naive;

/// The explicit state space of a model.
///
/// # Panics
/// When it is too large, which no model of a test is.
pub fn explicit(model: &Model) -> Explicit<'_> {
    let explored = Explicit::explore(model, ExplorationLimits::default(), &Budget::unlimited());
    explored.expect("no limit").expect("small enough")
}

/// The symbolic state space of a model.
///
/// # Panics
/// When memory runs out, which it does for no model of a test.
pub fn symbolic(model: &Model) -> Symbolic<'_> {
    Symbolic::build(model, &Budget::unlimited()).expect("no limit")
}

/// The query of a property.
///
/// # Panics
/// When the property is not supported.
pub fn query(model: &Model, property: usize) -> &Query {
    match &model.properties[property].body {
        PropertyBody::Query(query) => query,
        other => panic!("no question about states: {other:?}"),
    }
}

/// The states of a set in order, as the values of their variables.
pub fn list<S: StateSpace>(space: &S, set: &S::Set) -> Vec<Vec<Value>> {
    let mut left = set.clone();
    let mut states = Vec::new();
    while let Some(state) = space.first(&left).expect("no limit") {
        states.push(space.values(&state));
        let just = space.just(&state).expect("no limit");
        left = space.minus(&left, &just).expect("no limit");
    }
    states
}

/// Asserts that the checker, over a space made of the union of some structures, says of every formula
/// and every path rule what the naive evaluator says of each structure.
///
/// `solve` is given the model of the union and must call [`compare_sets`] with each engine.
pub fn check_structures(
    parts: &[Kripke],
    trees: &[CtlTree],
    encoding: StepEncoding,
    solve: impl Fn(&Model, &NaiveVerdicts),
) {
    let (union, starts) = Kripke::union(parts);
    let (formula, roots) = forest(trees);
    let readers: Vec<Naive<'_>> = parts.iter().map(Naive::new).collect();
    for rule in PathRule::ALL {
        let mut expected = NaiveVerdicts {
            sets: vec![0; roots.len()],
            roots: roots.clone(),
            failing: 0,
        };
        for (naive, &start) in readers.iter().zip(&starts) {
            let holds = naive.evaluate(&formula, rule);
            for (set, root) in expected.sets.iter_mut().zip(&roots) {
                *set |= holds[*root] << start;
            }
            let failing = naive.counted(rule) & !holds[formula.root()];
            expected.failing |= failing << start;
        }
        let model = union.model(&formula, rule, encoding);
        solve(&model, &expected);
    }
}

/// What the naive evaluator says of many formulas.
pub struct NaiveVerdicts {
    /// Where each formula stands in the forest.
    pub roots: Vec<SubId>,
    /// The states where each formula holds.
    pub sets: Vec<StateMask>,
    /// The initial states that count and where the last formula fails.
    pub failing: StateMask,
}

/// Asserts that the checker over a space of the structure's model says what is expected.
pub fn compare_sets<S: StateSpace>(space: &S, expected: &NaiveVerdicts) {
    let model = space.model();
    let query = query(model, 0);
    let checker = Checker::new(space).expect("no limit");
    let solution = checker.solve(query).expect("no limit");
    let mut known: BTreeMap<StateMask, S::Set> = BTreeMap::new();
    let mut set_of = |states: StateMask| {
        let values = members(states)
            .map(|state| Value::Int(state as i64))
            .collect();
        let set = || {
            space
                .states_with(&[(VarId::new(0), values)])
                .expect("no limit")
        };
        known.entry(states).or_insert_with(set).clone()
    };
    for (&root, &states) in expected.roots.iter().zip(&expected.sets) {
        if set_of(states) != solution.sat[root] {
            let atom = |atom: wherefore_logic::AtomId| format!("p{}", atom.index());
            let numbers = |set: &S::Set| list(space, set);
            panic!(
                "{} says {:?} of {} under {}, but by definition it is {:?}, in {:#?}",
                space.engine(),
                numbers(&solution.sat[root]),
                query.formula.show(root, &atom),
                query.rule,
                members(states).collect::<Vec<_>>(),
                model,
            );
        }
    }
    let failing = checker.failing(query, &solution).expect("no limit");
    let reachable = list(space, space.reachable());
    let reached = |state: &usize| reachable.contains(&vec![Value::Int(*state as i64)]);
    let wanted = members(expected.failing).filter(reached);
    let wanted: StateMask = wanted.fold(0, |all, state| all | 1 << state);
    assert!(
        set_of(wanted) == failing,
        "{} finds other failing states",
        space.engine()
    );
}

/// Asserts that a space has the initial and reachable states and the steps that the plain interpreter
/// finds, in order, and the least input of each step.
pub fn compare_graph<S: StateSpace>(space: &S) {
    let model = space.model();
    let budget = Budget::unlimited();
    let interpreter = Interpreter::new(model);
    let initial = interpreter.initial_states(&budget).expect("no limit");
    assert_eq!(list(space, space.initial()), initial, "{}", space.engine());
    let mut reachable: BTreeSet<Vec<u64>> = BTreeSet::new();
    let mut open = initial;
    while let Some(state) = open.pop() {
        if !reachable.insert(indices(model, &state)) {
            continue;
        }
        let steps = interpreter.steps(&state, &budget).expect("no limit");
        let here = space.first(&with_values(space, &state)).expect("no limit");
        let here = here.expect("the state is reachable");
        let successors: Vec<S::State> = space
            .successors(&here)
            .expect("no limit")
            .map(|next| next.expect("no limit"))
            .collect();
        let mut targets: Vec<Vec<Value>> = steps.iter().map(|step| step.next.clone()).collect();
        targets.sort_by_key(|next| indices(model, next));
        targets.dedup();
        let found: Vec<Vec<Value>> = successors.iter().map(|next| space.values(next)).collect();
        assert_eq!(found, targets, "{} from {state:?}", space.engine());
        for next in &successors {
            let least = steps.iter().find(|step| step.next == space.values(next));
            let input = space.input(&here, next).expect("no limit");
            assert_eq!(
                input.as_ref(),
                least.map(|step| &step.input),
                "{}",
                space.engine()
            );
        }
        open.extend(targets);
    }
    let found = list(space, space.reachable());
    let found: Vec<Vec<u64>> = found.iter().map(|state| indices(model, state)).collect();
    assert_eq!(
        found,
        reachable.into_iter().collect::<Vec<_>>(),
        "{}",
        space.engine()
    );
}

/// A state as the indices of its values in their domains, which order as states do.
fn indices(model: &Model, state: &[Value]) -> Vec<u64> {
    let pairs = model.vars.iter().zip(state);
    let index = |(variable, value): (&wherefore_model::Variable, &Value)| {
        variable
            .domain
            .index_of(*value)
            .expect("a value fits its variable")
    };
    pairs.map(index).collect()
}

fn with_values<S: StateSpace>(space: &S, state: &[Value]) -> S::Set {
    let values = state.iter().enumerate();
    let values: Vec<_> = values
        .map(|(at, &value)| (VarId::new(at), vec![value]))
        .collect();
    space.states_with(&values).expect("no limit")
}

#[cfg(test)]
mod tests {
    use wherefore_logic::Quantifier;

    use super::*;
    use wherefore_testkit::formulas::Operator;
    use wherefore_testkit::kripke::{WithFairness, every};

    #[test]
    #[should_panic = "but by definition it is"]
    fn a_single_wrong_state_is_noticed() {
        let parts: Vec<Kripke> = every(2, WithFairness::No).collect();
        let tree = CtlTree::Apply(
            Operator::Finally(Quantifier::Exists),
            vec![CtlTree::Atom(0)],
        );
        check_structures(
            &parts[..4],
            &[tree],
            StepEncoding::Constraint,
            |model, expected| {
                let flipped = NaiveVerdicts {
                    roots: expected.roots.clone(),
                    sets: expected.sets.iter().map(|states| states ^ 0b100).collect(),
                    failing: expected.failing,
                };
                compare_sets(&explicit(model), &flipped);
            },
        );
    }
}
