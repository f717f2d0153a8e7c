//! Problems that are too large, wrong or out of time are refused with a sentence.

use std::time::Duration;

use wherefore_base::{Budget, FileId, Span, Stop};
use wherefore_relational::{
    Integers, Problem, ProblemRefusal, RelDecl, RelExprId, Search, SearchOptions, Universe,
};
use wherefore_sat::Batsat;

/// Many atoms, and a relation of this many columns over all of them.
fn wide(atoms: usize, arity: usize) -> (Problem, RelExprId) {
    let universe = Universe::new((0..atoms).map(|index| format!("a{index}")));
    let mut upper = universe.everything();
    for _ in 1..arity {
        upper = upper.product(&universe.everything());
    }
    let mut problem = Problem::new(universe.clone(), Integers::none());
    let relation = problem.relation("r", universe.no_tuples(arity), upper);
    let relation = problem.rel(relation);
    (problem, relation)
}

fn refusal(problem: &Problem, options: &SearchOptions, budget: &Budget) -> Option<ProblemRefusal> {
    Search::<'_, Batsat>::new(problem, options, budget).err()
}

#[test]
fn a_circuit_that_is_too_large_is_refused() {
    let (mut problem, r) = wide(300, 2);
    let closure = problem.closure(r);
    let some = problem.some(closure);
    problem.require(some);
    let options = SearchOptions {
        most_gates: 500_000,
        ..SearchOptions::default()
    };
    let found = refusal(&problem, &options, &Budget::unlimited());
    let text = found.expect("it is too large").to_string();
    assert_eq!(
        text,
        "The circuit of the problem has more than 500000 gates."
    );
}

#[test]
fn work_stops_when_its_time_is_up() {
    let (mut problem, r) = wide(400, 2);
    let closure = problem.closure(r);
    let square = problem.join(closure, closure);
    let some = problem.some(square);
    problem.require(some);
    let budget = Budget::new(Some(Duration::from_millis(50)), None);
    let found = refusal(&problem, &SearchOptions::default(), &budget);
    assert_eq!(found, Some(ProblemRefusal::Stopped(Stop::TimeOut)));
}

#[test]
fn work_stops_when_its_memory_is_used_up() {
    let (mut problem, r) = wide(300, 2);
    let closure = problem.closure(r);
    let some = problem.some(closure);
    problem.require(some);
    let budget = Budget::new(None, Some(20 << 20));
    let found = refusal(&problem, &SearchOptions::default(), &budget);
    assert_eq!(found, Some(ProblemRefusal::Stopped(Stop::Memory)));
}

#[test]
fn a_thousand_instances_are_all_different_and_found_at_once() {
    let (problem, _) = wide(4, 2);
    let (options, budget) = (SearchOptions::default(), Budget::unlimited());
    let mut search: Search<'_, Batsat> =
        Search::new(&problem, &options, &budget).expect("it is small");
    let mut found = Vec::new();
    while found.len() < 1000 {
        let next = search.next(&budget).expect("nothing stops it");
        found.push(format!("{:?}", next.expect("there are thousands")));
    }
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 1000);
}

#[test]
fn formulas_nested_a_hundred_thousand_deep_are_answered() {
    let (mut problem, r) = wide(2, 1);
    let mut formula = problem.some(r);
    for turn in 0..100_000 {
        let other = problem.no(r);
        formula = match turn % 3 {
            0 => problem.not(formula),
            1 => problem.and([formula, other]),
            _ => problem.or([formula, other]),
        };
    }
    let either = problem.iff(formula, formula);
    problem.require(either);
    let budget = Budget::unlimited();
    let options = SearchOptions {
        symmetry: 0,
        ..SearchOptions::default()
    };
    let mut search: Search<'_, Batsat> =
        Search::new(&problem, &options, &budget).expect("it is small");
    let mut count = 0;
    while search.next(&budget).expect("nothing stops it").is_some() {
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn a_set_that_is_quantified_universally_is_refused_at_its_declaration() {
    let (mut problem, r) = wide(3, 1);
    let span = Span::new(FileId::new(0), 4, 5);
    let x = problem.variable("x", 1, Some(span));
    let x_expr = problem.var(x);
    let inside = problem.is_in(x_expr, r);
    let all = problem.all([RelDecl::set(x, r)], inside);
    problem.require(all);
    let found = refusal(&problem, &SearchOptions::default(), &Budget::unlimited());
    let expected = ProblemRefusal::HigherOrder {
        variable: "x".to_string(),
        span: Some(span),
    };
    assert_eq!(found, Some(expected));
    // Its negation asks for a set that is a witness.
    let (mut problem, r) = wide(3, 1);
    let x = problem.variable("x", 1, None);
    let x_expr = problem.var(x);
    let univ = problem.univ();
    let inside = problem.is_in(x_expr, r);
    let all = problem.all([RelDecl::set(x, univ)], inside);
    let not = problem.not(all);
    problem.require(not);
    let (options, budget) = (SearchOptions::default(), Budget::unlimited());
    let mut search: Search<'_, Batsat> =
        Search::new(&problem, &options, &budget).expect("it has a witness");
    let found = search.next(&budget).expect("nothing stops it");
    let found = found.expect("some set is not inside");
    assert_eq!(found.witnesses()[0].variable, x);
    assert!(!found.witnesses()[0].rows.is_empty());
}

#[test]
fn cores_point_at_the_places_of_their_parts() {
    let (mut problem, r) = wide(3, 2);
    let place = |at: usize| Span::new(FileId::new(0), at, at + 1);
    let iden = problem.iden();
    let x = problem.variable("x", 1, None);
    let x_expr = problem.var(x);
    let after = problem.join(x_expr, r);
    let univ = problem.univ();
    let closure = problem.closure(r);
    let looped = problem.intersection(closure, iden);
    let (some, lone) = (problem.some(after), problem.lone(after));
    let (some, lone) = (problem.at(some, place(1)), problem.at(lone, place(2)));
    let both = problem.and([some, lone]);
    let total = problem.all([RelDecl::one(x, univ)], both);
    let total = problem.at(total, place(3));
    let acyclic = problem.no(looped);
    let acyclic = problem.at(acyclic, place(4));
    problem.require(total);
    problem.require(acyclic);
    let (options, budget) = (SearchOptions::default(), Budget::unlimited());
    let mut search: Search<'_, Batsat> =
        Search::new(&problem, &options, &budget).expect("it is small");
    assert_eq!(search.next(&budget), Ok(None));
    let core = search
        .core(&budget)
        .expect("nothing stops it")
        .expect("there is one");
    let spans: Vec<_> = core.iter().filter_map(|part| part.span).collect();
    assert_eq!(spans, [place(1), place(4)]);
    let mut reasons = search.reasons(&budget).expect("nothing stops it");
    assert_eq!(reasons.can_hold(&[0, 1], &budget), Ok(true));
    assert_eq!(reasons.can_hold(&[0, 2], &budget), Ok(false));
}
