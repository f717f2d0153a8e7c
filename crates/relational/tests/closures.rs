//! Closures by elimination and by witness: the same instances, and as many of them, in every place of a formula.

use std::collections::BTreeSet;

use wherefore_base::{Budget, IndexVec};
use wherefore_relational::{
    Amount, Binary, Closures, FormulaId, Instance, Integers, Problem, RelDecl, RelEvaluator,
    RelExprId, RelQuantifier, RelVarId, RelationId, Search, SearchOptions, TupleSet, Unary,
    Universe,
};
use wherefore_sat::Batsat;

/// Numbers that look random and are the same every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 20) % bound
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

/// Makes formulas that are full of closures.
struct Generator {
    rng: Rng,
    problem: Problem,
    step: RelExprId,
    set: RelExprId,
    scope: Vec<RelVarId>,
}

impl Generator {
    /// Three atoms, a relation and a set of any of them.
    fn new(seed: u64) -> Self {
        let universe = Universe::new(["a", "b", "c"]);
        let every = universe.everything();
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let step = problem.relation("step", universe.no_tuples(2), every.product(&every));
        let set = problem.relation("set", universe.no_tuples(1), every);
        let (step, set) = (problem.rel(step), problem.rel(set));
        let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        rng.below(2);
        Self {
            rng,
            problem,
            step,
            set,
            scope: Vec::new(),
        }
    }

    fn relation(&mut self, depth: u32) -> RelExprId {
        let below = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 1 } else { 6 }) {
            0 => self.step,
            1 => {
                let a = self.relation(below);
                self.problem.transpose(a)
            }
            2 => {
                let (a, b) = (self.relation(below), self.relation(below));
                let ops = [
                    Binary::Union,
                    Binary::Intersection,
                    Binary::Difference,
                    Binary::Join,
                    Binary::Override,
                ];
                let op = self.rng.pick(&ops);
                self.problem.binary(op, a, b)
            }
            _ => {
                let a = self.relation(below);
                let op = self.rng.pick(&[Unary::Closure, Unary::ReflexiveClosure]);
                self.problem.unary(op, a)
            }
        }
    }

    fn set(&mut self, depth: u32) -> RelExprId {
        let below = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 2 } else { 9 }) {
            0 => self.set,
            7 | 8 => self.without_end(below),
            1 => match self.scope.is_empty() {
                true => self.problem.univ(),
                false => {
                    let variable = self.rng.below(self.scope.len() as u64);
                    self.problem.var(self.scope[variable as usize])
                }
            },
            2 => {
                let (a, b) = (self.set(below), self.set(below));
                let ops = [Binary::Union, Binary::Intersection, Binary::Difference];
                let op = self.rng.pick(&ops);
                self.problem.binary(op, a, b)
            }
            3 => {
                let (set, relation) = (self.set(below), self.relation(below));
                self.problem.join(set, relation)
            }
            n => {
                let (set, relation) = (self.set(below), self.relation(below));
                let op = self.rng.pick(&[Unary::Closure, Unary::ReflexiveClosure]);
                let closure = self.problem.unary(op, relation);
                match n {
                    4 => self.problem.join(closure, set),
                    _ => self.problem.join(set, closure),
                }
            }
        }
    }

    /// From where there are paths to cycles, or to some of them.
    fn without_end(&mut self, depth: u32) -> RelExprId {
        let relation = self.relation(depth);
        let (closure, iden) = (self.problem.closure(relation), self.problem.iden());
        let univ = self.problem.univ();
        let iden = match self.rng.below(4) {
            0 => self.problem.binary(Binary::Domain, self.set, iden),
            1 => self.problem.binary(Binary::Domain, univ, iden),
            _ => iden,
        };
        let cycles = match self.rng.below(2) {
            0 => self.problem.intersection(closure, iden),
            _ => self.problem.intersection(iden, closure),
        };
        let ends = match self.rng.below(4) {
            0 => self.set(depth),
            _ => univ,
        };
        let cycles = self.problem.join(cycles, ends);
        let star = self.problem.reflexive_closure(relation);
        self.problem.join(star, cycles)
    }

    fn formula(&mut self, depth: u32) -> FormulaId {
        let below = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 3 } else { 9 }) {
            0 => {
                let (a, b) = (self.set(2), self.set(2));
                match self.rng.below(4) {
                    0 => self.problem.equal(a, b),
                    _ => self.problem.is_in(a, b),
                }
            }
            1 => {
                let amounts = [Amount::No, Amount::Some, Amount::Lone, Amount::One];
                let (amount, set) = (self.rng.pick(&amounts), self.set(2));
                self.problem.amount(amount, set)
            }
            2 => {
                let (a, b) = (self.relation(2), self.relation(2));
                self.problem.is_in(a, b)
            }
            3 => {
                let a = self.formula(below);
                self.problem.not(a)
            }
            4 => {
                let parts = [self.formula(below), self.formula(below)];
                match self.rng.below(2) {
                    0 => self.problem.and(parts),
                    _ => self.problem.or(parts),
                }
            }
            5 => {
                let (a, b) = (self.formula(below), self.formula(below));
                match self.rng.below(3) {
                    0 => self.problem.iff(a, b),
                    _ => self.problem.implies(a, b),
                }
            }
            _ => {
                let bound = self.set(1);
                let name = format!("x{}", self.problem.variables().len());
                let variable = self.problem.variable(name, 1, None);
                self.scope.push(variable);
                let body = self.formula(below);
                self.scope.pop();
                let quantifier = self.rng.pick(&[RelQuantifier::All, RelQuantifier::Some]);
                let decl = RelDecl::one(variable, bound);
                self.problem.quantified(quantifier, [decl], body)
            }
        }
    }
}

type Values = Vec<Vec<u64>>;

fn values(instance: &Instance) -> Values {
    let sets = instance.values().iter();
    sets.map(|set| set.packed().to_vec()).collect()
}

/// The instances that satisfy the definitions, by trying all of them.
fn by_trial(problem: &Problem) -> BTreeSet<Values> {
    let budget = Budget::unlimited();
    let mut found = BTreeSet::new();
    for bits in 0..1_u32 << 12 {
        let mut place = 0;
        let mut chosen = |relation: &wherefore_relational::Relation| {
            let tuples = relation.upper.packed().iter().copied();
            let tuples = tuples.filter(|_| {
                place += 1;
                bits >> (place - 1) & 1 == 1
            });
            let packing = relation.upper.packing();
            TupleSet::from_packed(packing, relation.arity(), tuples.collect())
        };
        let sets: IndexVec<RelationId, TupleSet> =
            problem.relations().iter().map(&mut chosen).collect();
        let instance = Instance::new(sets, Vec::new());
        let mut evaluator = RelEvaluator::new(problem, &instance, &budget).expect("it fits");
        if evaluator.all_hold().expect("it is small") {
            found.insert(values(&instance));
        }
    }
    found
}

/// The instances that a search finds, and how many these are with their witnesses.
fn by_search(problem: &Problem, closures: Closures) -> (BTreeSet<Values>, usize) {
    let budget = Budget::unlimited();
    let options = SearchOptions {
        symmetry: 0,
        closures,
        ..SearchOptions::default()
    };
    let mut search: Search<'_, Batsat> =
        Search::new(problem, &options, &budget).expect("it is small");
    let (mut found, mut count) = (BTreeSet::new(), 0);
    while let Some(instance) = search.next(&budget).expect("nothing stops it") {
        found.insert(values(&instance));
        count += 1;
    }
    (found, count)
}

#[test]
fn closures_by_witness_have_the_instances_of_the_definition_and_as_many_as_those_by_elimination() {
    let mut mixed = 0;
    for seed in 1..50 {
        let mut generator = Generator::new(seed);
        for _ in 0..2 {
            let formula = generator.formula(3);
            generator.problem.require(formula);
        }
        let problem = generator.problem;
        let meant = by_trial(&problem);
        if meant.len() > 1000 {
            continue;
        }
        mixed += usize::from(!meant.is_empty());
        let (found, count) = by_search(&problem, Closures::Eliminated);
        assert_eq!(found, meant, "seed {seed}, by elimination");
        for closures in [Closures::Smaller, Closures::Witnessed] {
            let (found, number) = by_search(&problem, closures);
            assert_eq!(found, meant, "seed {seed}, {closures:?}");
            assert_eq!(number, count, "seed {seed}, {closures:?}");
        }
    }
    assert!(mixed > 5, "only {mixed} problems have some instances");
}

/// How many clauses it takes to say of a relation of some atoms that everything is reached from the first one, or
/// that the last one is not.
fn clauses(atoms: usize, reached: bool, closures: Closures) -> usize {
    let universe = Universe::new((0..atoms).map(|index| format!("a{index}")));
    let every = universe.everything();
    let mut problem = Problem::new(universe.clone(), Integers::none());
    let step = problem.relation("step", universe.no_tuples(2), every.product(&every));
    let first = problem.constant("first", universe.set(universe.atoms().take(1)));
    let last = problem.constant("last", universe.set(universe.atoms().rev().take(1)));
    let [step, first, last] = [step, first, last].map(|relation| problem.rel(relation));
    let closure = problem.reflexive_closure(step);
    let image = problem.join(first, closure);
    let univ = problem.univ();
    let formula = match reached {
        true => problem.is_in(univ, image),
        false => {
            let last_is = problem.is_in(last, image);
            problem.not(last_is)
        }
    };
    problem.require(formula);
    let options = SearchOptions {
        symmetry: 0,
        closures,
        ..SearchOptions::default()
    };
    let budget = Budget::unlimited();
    let search: Search<'_, Batsat> = Search::new(&problem, &options, &budget).expect("it fits");
    search.size().clauses
}

#[test]
fn the_smaller_of_both_ways_is_taken() {
    for atoms in [3, 8, 16, 24, 32, 40] {
        for reached in [true, false] {
            let [smaller, eliminated, witnessed] =
                [Closures::Smaller, Closures::Eliminated, Closures::Witnessed]
                    .map(|closures| clauses(atoms, reached, closures));
            let least = eliminated.min(witnessed);
            assert!(
                smaller <= eliminated && smaller <= least + least / 4,
                "{atoms} atoms, {reached}: {smaller}, not {eliminated} or {witnessed}"
            );
        }
    }
    let negative = clauses(16, false, Closures::Smaller);
    assert!(4 * negative < clauses(16, false, Closures::Eliminated));
    let positive = clauses(40, true, Closures::Smaller);
    assert!(positive < clauses(40, true, Closures::Eliminated));
}
