//! Instances are counted with their witnesses: the numbers are those of the definitions.

use wherefore_base::Budget;
use wherefore_relational::{
    Integers, Problem, RelDecl, RelExprId, Search, SearchOptions, Universe,
};
use wherefore_sat::Batsat;

/// Three atoms and two sets of any of them.
fn sets() -> (Problem, [RelExprId; 2]) {
    let universe = Universe::new(["a", "b", "c"]);
    let mut problem = Problem::new(universe.clone(), Integers::none());
    let sets = ["r", "s"].map(|name| {
        let relation = problem.relation(name, universe.no_tuples(1), universe.everything());
        problem.rel(relation)
    });
    (problem, sets)
}

fn count(problem: &Problem, symmetry: usize) -> usize {
    let options = SearchOptions {
        symmetry,
        ..SearchOptions::default()
    };
    let budget = Budget::unlimited();
    let mut search: Search<'_, Batsat> =
        Search::new(problem, &options, &budget).expect("it is small");
    let mut count = 0;
    while search.next(&budget).expect("nothing stops it").is_some() {
        count += 1;
    }
    count
}

#[test]
fn inputs_that_nothing_mentions_are_counted() {
    let (problem, _) = sets();
    assert_eq!(count(&problem, 0), 64);
    // Up to the names of atoms, an instance says how many atoms are in which of the sets.
    assert_eq!(count(&problem, 20), 20);
}

#[test]
fn a_witness_is_a_part_of_the_instance() {
    let (mut problem, [r, _]) = sets();
    let x = problem.variable("x", 1, None);
    let truth = problem.truth();
    let some = problem.exists([RelDecl::one(x, r)], truth);
    problem.require(some);
    let meant: usize = (0_u32..8).map(|r| r.count_ones() as usize * 8).sum();
    assert_eq!(count(&problem, 0), meant);
}

#[test]
fn a_witness_depends_on_the_universal_variables_around_it_where_they_are_bound() {
    let (mut problem, [r, s]) = sets();
    let (x, y) = (
        problem.variable("x", 1, None),
        problem.variable("y", 1, None),
    );
    let truth = problem.truth();
    let some = problem.exists([RelDecl::one(y, r)], truth);
    let all = problem.all([RelDecl::one(x, s)], some);
    problem.require(all);
    let functions = |r: u32, s: u32| (r.count_ones() as usize).pow(s.count_ones());
    let meant: usize = (0..64).map(|bits| functions(bits & 7, bits >> 3)).sum();
    assert_eq!(count(&problem, 0), meant);
}

#[test]
fn below_a_disjunction_there_is_no_witness() {
    let (mut problem, [r, s]) = sets();
    let y = problem.variable("y", 1, None);
    let truth = problem.truth();
    let some = problem.exists([RelDecl::one(y, r)], truth);
    let other = problem.no(s);
    let either = problem.or([some, other]);
    problem.require(either);
    assert_eq!(count(&problem, 0), 64 - 7);
}
