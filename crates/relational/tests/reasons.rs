//! Which conjuncts can hold together, against problems that have no others: what helps the solver must be left out
//! with what it follows from.

use std::collections::BTreeSet;

use wherefore_base::Budget;
use wherefore_relational::{
    FormulaId, Integers, Problem, Reasons, RelDecl, Search, SearchOptions, Universe,
};
use wherefore_sat::Batsat;

/// A problem with two relations from a set to everything, and formulas about them: that images have one element, and
/// what can only be so if they have more.
fn formulas() -> (Problem, Vec<FormulaId>) {
    let universe = Universe::new(["a", "b", "c"]);
    let every = universe.everything();
    let mut problem = Problem::new(universe.clone(), Integers::none());
    let it = &mut problem;
    let set = it.relation("set", universe.no_tuples(1), every.clone());
    let f = it.relation("f", universe.no_tuples(2), every.product(&every));
    let g = it.relation("g", universe.no_tuples(2), every.product(&every));
    let [set, f, g] = [set, f, g].map(|relation| it.rel(relation));
    let univ = it.univ();
    let mut formulas = Vec::new();
    for relation in [f, g] {
        for domain in [set, univ] {
            let x = it.variable("x", 1, None);
            let image = it.var(x);
            let image = it.join(image, relation);
            let (one, lone) = (it.one(image), it.lone(image));
            let decl = RelDecl::one(x, domain);
            formulas.push(it.all([decl], one));
            formulas.push(it.all([decl], lone));
        }
    }
    let [x, y] = ["x", "y"].map(|name| it.variable(name, 1, None));
    let decls = [RelDecl::one(x, set), RelDecl::one(y, set)];
    let (x, y) = (it.var(x), it.var(y));
    for (left, right) in [(f, g), (f, f), (g, g)] {
        let (left, right) = (it.join(x, left), it.join(y, right));
        let equal = it.equal(left, right);
        let differ = it.not(equal);
        let shared = it.intersection(left, right);
        let some = it.some(shared);
        let both = it.and([some, differ]);
        formulas.push(it.exists(decls, both));
        formulas.push(it.all(decls, differ));
        formulas.push(it.all(decls, equal));
        formulas.push(it.all(decls, some));
    }
    let full = it.is_in(univ, set);
    let pairs = it.product(set, univ);
    let both = it.union(f, g);
    formulas.extend([it.some(set), full, it.is_in(both, pairs), it.some(f)]);
    (problem, formulas)
}

#[test]
fn some_conjuncts_can_hold_together_if_a_problem_with_no_others_has_an_instance() {
    let (budget, options) = (Budget::unlimited(), SearchOptions::default());
    let (problem, formulas) = formulas();
    let mut state = 0x9E37_79B9_u32;
    let mut answers = [0, 0];
    for round in 0..60 {
        let mut wanted: Vec<FormulaId> = Vec::new();
        while wanted.len() < 5 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let formula = formulas[(state >> 16) as usize % formulas.len()];
            if !wanted.contains(&formula) {
                wanted.push(formula);
            }
        }
        let with = |subset: u32| {
            let mut problem = problem.clone();
            for (place, &formula) in wanted.iter().enumerate() {
                if subset >> place & 1 == 1 {
                    problem.require(formula);
                }
            }
            problem
        };
        let whole = with(u32::MAX);
        let mut reasons = Reasons::<Batsat>::new(&whole, &options, &budget).expect("it fits");
        let requirements: Vec<usize> = reasons.conjuncts().iter().map(|c| c.requirement).collect();
        for subset in 0..1u32 << wanted.len() {
            let places = requirements.iter().enumerate();
            let places = places.filter(|(_, requirement)| subset >> *requirement & 1 == 1);
            let places: Vec<usize> = places.map(|(place, _)| place).collect();
            let can_hold = reasons
                .can_hold(&places, &budget)
                .expect("nothing stops it");
            let alone = with(subset);
            let mut search = Search::<'_, Batsat>::new(&alone, &options, &budget).expect("it fits");
            let found = search.next(&budget).expect("nothing stops it").is_some();
            assert_eq!(can_hold, found, "round {round}, subset {subset:b}");
            let others: BTreeSet<usize> = match can_hold {
                true => reasons.holding().into_iter().collect(),
                false => BTreeSet::new(),
            };
            assert!(!can_hold || places.iter().all(|place| others.contains(place)));
            let by_itself = reasons.can_hold_alone(&places, &budget);
            assert_eq!(by_itself, Ok(found), "round {round}, subset {subset:b}");
            let others: Vec<usize> = others.into_iter().collect();
            assert!(!can_hold || reasons.can_hold_alone(&others, &budget) == Ok(true));
            answers[usize::from(found)] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count > 100), "{answers:?}");
}
