use std::collections::BTreeSet;

use wherefore_base::{Budget, Value};
use wherefore_logic::{
    AtomId, Bounds, Fairness, Formula, Goal, LinearOp, Op, PathOp, PathRule, Quantifier, SubId,
};
use wherefore_model::{Domain, Model, Query, Term, VarId, VarKind, Variable};
use wherefore_proof::{
    Causes, Claim, Evidence, EvidenceEdge, Measure, Minimality, Occurrence, OccurrenceId, Replay,
    Segment, SegmentEnding, Shape,
};
use wherefore_testkit::Rng;
use wherefore_testkit::kripke::{Kripke, nowhere};
use wherefore_testkit::linear::{KripkeLasso, random, truth};

use super::{CauseSearch, Pair, causes};
use crate::course::FailingCourse;

/// A model with so many conditions as variables, and a question whose atoms are these.
fn model(vars: usize, formula: Formula) -> (Model, Query) {
    let mut model = Model::default();
    let mut atoms = Vec::new();
    for at in 0..vars {
        let var = model.vars.push(Variable {
            name: format!("v{at}"),
            domain: Domain::Bool,
            kind: VarKind::State,
            span: nowhere(),
            origin: Default::default(),
        });
        atoms.push(model.terms.add(Term::Var(var), None));
    }
    let query = Query {
        formula,
        atoms: atoms.into_iter().collect(),
        rule: PathRule::FairInfinite,
    };
    (model, query)
}

/// Evidence over states whose variables are so, with a step from each to the next and one back, if there is one.
fn evidence(query: &Query, states: &[Vec<bool>], back: Option<usize>) -> Evidence {
    let id = OccurrenceId::new;
    let occurrences = states.iter().map(|state| Occurrence {
        values: state.iter().map(|&value| Value::Bool(value)).collect(),
        truth: query.formula.subs().map(|_| None).collect(),
    });
    let last = states.len() - 1;
    let steps = (0..last).map(|at| (at, at + 1));
    let edges = steps.chain(back.map(|back| (last, back)));
    Evidence {
        shape: Shape::Path,
        occurrences: occurrences.collect(),
        edges: edges
            .map(|(from, to)| EvidenceEdge {
                from: id(from),
                to: id(to),
                input: vec![],
            })
            .collect(),
        segments: vec![Segment {
            from: None,
            serves: Claim::Formula(Goal::fails(query.formula.root()), None),
            states: (0..states.len()).map(id).collect(),
            main: true,
            ending: back.map_or(SegmentEnding::Goal, |to| SegmentEnding::Loop(id(to))),
            fair: vec![],
        }],
        regions: Default::default(),
        proof: Default::default(),
        minimal: Minimality {
            measure: Measure::Steps,
            length: 0,
            at_least: 0,
        },
        replay: Replay::NotDone,
        causes: None,
    }
}

/// The structure whose states are those of a run.
fn kripke(states: &[Vec<bool>], back: usize) -> Kripke {
    let size = states.len();
    let labels = (0..states[0].len()).map(|var| {
        let with = (0..size).filter(|&at| states[at][var]);
        with.fold(0, |all, at| all | 1 << at)
    });
    let next = |at: usize| if at + 1 < size { at + 1 } else { back };
    Kripke {
        size,
        initial: 1,
        steps: (0..size).map(|at| 1 << next(at)).collect(),
        labels: labels.collect(),
        fairness: Fairness::default(),
    }
}

fn random_states(rng: &mut Rng, most: usize, vars: usize) -> (Vec<Vec<bool>>, usize) {
    let length = 1 + rng.below(most);
    let state = |rng: &mut Rng| (0..vars).map(|_| rng.chance(1, 2)).collect();
    let states: Vec<Vec<bool>> = (0..length).map(|_| state(rng)).collect();
    let back = rng.below(length);
    (states, back)
}

fn naive(formula: &Formula, states: &[Vec<bool>], back: usize, at: usize) -> Vec<bool> {
    let lasso = KripkeLasso {
        states: (0..states.len()).collect(),
        back,
    };
    truth(&kripke(states, back), formula, &lasso, at)
}

#[test]
fn what_a_run_shows_is_what_formulas_mean_by_their_definition() {
    let mut rng = Rng::new(7);
    for _ in 0..3_000 {
        let size = rng.below(5);
        let past = rng.chance(1, 2);
        let formula = random(&mut rng, size, 2, past);
        if !formula.is_linear() {
            continue;
        }
        let (states, back) = random_states(&mut rng, 4, 2);
        let (model, query) = model(2, formula);
        let evidence = evidence(&query, &states, Some(back));
        let course =
            FailingCourse::of(&model, &query, &evidence, vec![]).expect("the run is short");
        let values: Vec<Vec<Value>> = (evidence.occurrences.iter())
            .map(|occurrence| occurrence.values.clone())
            .collect();
        let shown = course.shown(&values, None);
        for at in 0..states.len() {
            let expected = naive(&query.formula, &states, back, at);
            for sub in query.formula.subs() {
                let holds = expected[sub.index()];
                let show = |a: AtomId| format!("v{}", a.index());
                let told = query.formula.show(query.formula.root(), &show).to_string();
                let told = format!("{told} at {at}, {states:?} back to {back}, {sub:?}");
                assert_eq!(shown.is(Goal::holds(sub), at), holds, "{told}");
                assert_eq!(shown.is(Goal::fails(sub), at), !holds, "{told}");
            }
        }
    }
}

/// The causes by their definition: for each value, every set of others is tried.
fn by_definition(pairs: &[Pair], fails: &dyn Fn(u32) -> bool) -> BTreeSet<Pair> {
    let all = (1_u32 << pairs.len()) - 1;
    let subsets = |set: u32| (0..=all).filter(move |part| part & !set == 0);
    let mut found = BTreeSet::new();
    for (at, &pair) in pairs.iter().enumerate() {
        let own = 1 << at;
        let mut sets = subsets(all & !own);
        if sets.any(|set| subsets(set).all(fails) && !fails(set | own)) {
            found.insert(pair);
        }
    }
    found
}

#[test]
fn exact_causes_are_those_of_the_definition() {
    let mut rng = Rng::new(11);
    let (mut asked, mut plain) = (0, 0);
    while asked < 400 {
        let size = 1 + rng.below(4);
        let past = rng.chance(1, 4);
        let formula = random(&mut rng, size, 2, past);
        let (states, back) = random_states(&mut rng, 3, 2);
        if !formula.is_linear() || naive(&formula, &states, back, 0)[formula.root().index()] {
            continue;
        }
        asked += 1;
        let (model, query) = model(2, formula);
        let evidence = evidence(&query, &states, Some(back));
        let found = causes(&model, &query, &evidence, &Budget::unlimited());
        let found = found.expect("nothing ends it").expect("the run is short");
        assert!(found.exact);
        let course =
            FailingCourse::of(&model, &query, &evidence, vec![]).expect("the run is short");
        let values = |set: u32| -> Vec<Vec<Value>> {
            let state = |(at, state): (usize, &Vec<bool>)| {
                let flipped = |var: usize| set >> (2 * at + var) & 1 == 1;
                (0..2)
                    .map(|var| Value::Bool(state[var] != flipped(var)))
                    .collect()
            };
            states.iter().enumerate().map(state).collect()
        };
        let first = course.shown(&values(0), None);
        let fails = |set: u32| {
            course
                .shown(&values(set), Some(&first))
                .is(course.root(), 0)
        };
        let pairs: Vec<Pair> = (0..states.len())
            .flat_map(|at| (0..2).map(move |var| (at, VarId::new(var))))
            .collect();
        let told: BTreeSet<Pair> = found.pairs.iter().map(|(o, v)| (o.index(), *v)).collect();
        assert_eq!(told, by_definition(&pairs, &fails));
        // Where nothing follows the first failure that counts, the formula alone says the same.
        let by_formula = |set: u32| {
            let changed: Vec<Vec<bool>> = (values(set).iter())
                .map(|state| state.iter().map(|v| *v == Value::Bool(true)).collect())
                .collect();
            !naive(&query.formula, &changed, back, 0)[query.formula.root().index()]
        };
        if (0..1 << pairs.len()).all(|set| fails(set) == by_formula(set)) {
            plain += 1;
            assert_eq!(told, by_definition(&pairs, &by_formula));
        }
    }
    assert!(
        plain > 100,
        "{plain} of {asked} are decided by the formula alone"
    );
}

/// A formula in which the first variable is asked to be true and the second one to be false.
fn one_way(rng: &mut Rng, size: usize, formula: &mut Formula) -> SubId {
    use LinearOp as L;
    if size == 0 {
        let which = rng.below(2);
        let atom = formula.add(Op::Atom(AtomId::new(which)), None);
        return match which {
            0 => atom,
            _ => formula.add(Op::Not(atom), None),
        };
    }
    let choice = rng.below(8);
    let left = if choice < 4 {
        size - 1
    } else {
        rng.below(size)
    };
    let f = one_way(rng, left, formula);
    let op = match choice {
        0 => Op::Linear(L::Next(f)),
        1 => Op::Linear(L::Finally(f)),
        2 => Op::Linear(L::Globally(f)),
        3 => Op::Linear(L::GloballyWithin(Bounds { least: 1, most: 2 }, f)),
        _ => {
            let g = one_way(rng, size - 1 - left, formula);
            match choice {
                4 => Op::And(f, g),
                5 => Op::Or(f, g),
                6 => Op::Linear(L::Until(f, g)),
                _ => Op::Linear(L::Release(f, g)),
            }
        }
    };
    formula.add(op, None)
}

#[test]
fn the_approximation_has_all_causes_where_variables_are_asked_for_in_one_way() {
    let mut rng = Rng::new(13);
    let (mut asked, mut equal) = (0, 0);
    while asked < 500 {
        let mut formula = Formula::new();
        let size = 1 + rng.below(4);
        one_way(&mut rng, size, &mut formula);
        let (states, back) = random_states(&mut rng, 3, 2);
        if !formula.is_linear() || naive(&formula, &states, back, 0)[formula.root().index()] {
            continue;
        }
        asked += 1;
        let (model, query) = model(2, formula);
        let evidence = evidence(&query, &states, Some(back));
        let course =
            FailingCourse::of(&model, &query, &evidence, vec![]).expect("the run is short");
        let values: Vec<Vec<Value>> = (evidence.occurrences.iter())
            .map(|occurrence| occurrence.values.clone())
            .collect();
        let shown = course.shown(&values, None);
        let search = CauseSearch {
            model: &model,
            course,
            values,
            shown,
        };
        let exact = search.exact(&Budget::unlimited()).expect("nothing ends it");
        let exact = exact.expect("the run is short");
        let near = search.approximate();
        assert!(exact.is_subset(&near), "{exact:?} {near:?}");
        equal += usize::from(exact == near);
    }
    assert!(equal > 400, "{equal} of {asked} are exact");
}

fn named(causes: &Causes) -> Vec<(usize, usize)> {
    let pairs = causes.pairs.iter();
    pairs.map(|(at, var)| (at.index(), var.index())).collect()
}

fn found(vars: usize, formula: Formula, states: &[Vec<bool>], back: Option<usize>) -> Causes {
    let (model, query) = model(vars, formula);
    let evidence = evidence(&query, states, back);
    let found = causes(&model, &query, &evidence, &Budget::unlimited());
    found.expect("nothing ends it").expect("the run is short")
}

#[test]
fn of_a_state_that_must_not_be_only_its_own_values_are_causes() {
    // AG !(v0 & v1)
    let mut formula = Formula::new();
    let p = formula.add(Op::Atom(AtomId::new(0)), None);
    let q = formula.add(Op::Atom(AtomId::new(1)), None);
    let both = formula.add(Op::And(p, q), None);
    let not = formula.add(Op::Not(both), None);
    formula.add(Op::Path(Quantifier::Forall, PathOp::Globally(not)), None);
    let states = [vec![true, false], vec![false, true], vec![true, true]];
    let causes = found(2, formula, &states, None);
    assert!(causes.exact);
    assert_eq!(named(&causes), [(2, 0), (2, 1)]);
}

#[test]
fn of_a_request_that_is_never_answered_the_first_is_a_cause() {
    // AG (v0 -> AF v1), with a request that stays.
    let mut formula = Formula::new();
    let request = formula.add(Op::Atom(AtomId::new(0)), None);
    let answer = formula.add(Op::Atom(AtomId::new(1)), None);
    let answered = formula.add(Op::Path(Quantifier::Forall, PathOp::Finally(answer)), None);
    let implies = formula.add(Op::Implies(request, answered), None);
    formula.add(
        Op::Path(Quantifier::Forall, PathOp::Globally(implies)),
        None,
    );
    let states = [vec![false, false], vec![true, false], vec![true, false]];
    let causes = found(2, formula, &states, Some(1));
    assert!(causes.exact);
    assert_eq!(named(&causes), [(1, 0), (1, 1), (2, 1)]);
}

#[test]
fn of_a_long_run_the_causes_are_approximated() {
    // G (v0 -> X v1): the request at 30 is not answered at 31.
    let mut formula = Formula::new();
    let request = formula.add(Op::Atom(AtomId::new(0)), None);
    let answer = formula.add(Op::Atom(AtomId::new(1)), None);
    let next = formula.add(Op::Linear(LinearOp::Next(answer)), None);
    let implies = formula.add(Op::Implies(request, next), None);
    formula.add(Op::Linear(LinearOp::Globally(implies)), None);
    let states: Vec<Vec<bool>> = (0..40).map(|at| vec![at == 30, false]).collect();
    let causes = found(2, formula, &states, Some(39));
    assert!(!causes.exact);
    assert_eq!(named(&causes), [(30, 0), (31, 1)]);
}
