//! The translator against the definitions: random problems over tiny universes, all of whose instances
//! are tried one by one.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use wherefore_base::{Budget, IndexVec};
use wherefore_relational::{
    Amount, Arithmetic, Binary, Closures, FormulaId, Instance, IntComparison, IntId, Integers,
    Multiplicity, Overflow, Problem, ProblemRefusal, RelDecl, RelEvaluator, RelExprId, RelFormula,
    RelQuantifier, RelVarId, RelationId, Search, SearchOptions, TotalOrder, TupleSet, Unary,
    Universe, UniverseAtomId,
};
use wherefore_sat::{Batsat, SatAnswer, Solver};

/// Numbers that look random and are the same every time.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 20
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Makes random nodes of a problem.
struct Generator {
    rng: Rng,
    problem: Problem,
    scope: Vec<RelVarId>,
    integers: bool,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        rng.next();
        let integers = rng.chance(35);
        let plain = if integers {
            1 + rng.below(2)
        } else {
            1 + rng.below(3)
        };
        let width = 2;
        let mut names: Vec<String> = (0..plain).map(|index| format!("a{index}")).collect();
        let mut atoms = Vec::new();
        if integers {
            for value in -2..2 {
                atoms.push((UniverseAtomId::new(names.len()), value));
                names.push(value.to_string());
            }
        }
        let overflow = rng.pick(&[Overflow::Wrap, Overflow::Forbid]);
        let universe = Universe::new(names);
        let mut problem = Problem::new(
            universe.clone(),
            Integers {
                width,
                overflow,
                atoms,
            },
        );
        let mut free = 0;
        for index in 0..2 + rng.below(3) {
            let arity = rng.pick(&[1, 1, 2, 2, 3]);
            let mut all = universe.everything();
            for _ in 1..arity {
                all = all.product(&universe.everything());
            }
            let symmetric = rng.chance(50) && all.len() <= 4 && free + all.len() <= 9;
            let (mut lower, mut upper) = (Vec::new(), Vec::new());
            for &tuple in all.packed() {
                if symmetric || rng.chance(40) && free < 9 {
                    free += 1;
                    upper.push(tuple);
                } else if rng.chance(15) {
                    lower.push(tuple);
                    upper.push(tuple);
                }
            }
            let set = |tuples| TupleSet::from_packed(universe.packing(), arity, tuples);
            problem.relation(format!("r{index}"), set(lower), set(upper));
        }
        Self {
            rng,
            problem,
            scope: Vec::new(),
            integers,
        }
    }

    fn leaf(&mut self, arity: usize) -> RelExprId {
        for _ in 0..6 {
            let relation = self.rng.below(self.problem.relations().len());
            let relation = RelationId::new(relation);
            if self.problem.relations()[relation].arity() == arity {
                return self.problem.rel(relation);
            }
            if let Some(&variable) = self.scope.get(self.rng.below(self.scope.len() + 1))
                && self.problem.variables()[variable].arity == arity
            {
                return self.problem.var(variable);
            }
        }
        match arity {
            1 if self.integers && self.rng.chance(50) => self.problem.ints(),
            1 if self.rng.chance(80) => self.problem.univ(),
            2 => self.problem.iden(),
            _ => self.problem.none(arity),
        }
    }

    fn expr(&mut self, arity: usize, depth: usize) -> RelExprId {
        if depth == 0 || self.rng.chance(15) {
            return self.leaf(arity);
        }
        let same = [Binary::Union, Binary::Intersection, Binary::Difference];
        match self.rng.below(12) {
            0..=2 => {
                let op = self.rng.pick(&same);
                let (a, b) = (self.expr(arity, depth - 1), self.expr(arity, depth - 1));
                self.problem.binary(op, a, b)
            }
            3..=5 => {
                let left = 1 + self.rng.below(2.min(arity + 1));
                let right = arity + 2 - left;
                let (a, b) = (self.expr(left, depth - 1), self.expr(right, depth - 1));
                self.problem.join(a, b)
            }
            6 if arity > 1 => {
                let (a, b) = (self.expr(1, depth - 1), self.expr(arity - 1, depth - 1));
                self.problem.product(a, b)
            }
            7 if arity > 1 => {
                let (a, b) = (self.expr(arity, depth - 1), self.expr(arity, depth - 1));
                self.problem.binary(Binary::Override, a, b)
            }
            6 | 7 => {
                let (set, relation) = (self.expr(1, depth - 1), self.expr(2, depth - 1));
                let op = self.rng.pick(&[Unary::Closure, Unary::ReflexiveClosure]);
                let closure = self.problem.unary(op, relation);
                match self.rng.chance(50) {
                    true => self.problem.join(set, closure),
                    false => self.problem.join(closure, set),
                }
            }
            8 if arity == 2 => {
                let a = self.expr(2, depth - 1);
                let ops = [Unary::Transpose, Unary::Closure, Unary::ReflexiveClosure];
                let op = self.rng.pick(&ops);
                self.problem.unary(op, a)
            }
            8 if self.integers && arity == 1 => {
                let a = self.int(depth - 1);
                self.problem.from_int(a)
            }
            9 => {
                let (set, a) = (self.expr(1, depth - 1), self.expr(arity, depth - 1));
                match self.rng.chance(50) {
                    true => self.problem.binary(Binary::Domain, set, a),
                    false => self.problem.binary(Binary::Range, a, set),
                }
            }
            10 if arity < 3 => {
                let (decls, before) = self.decls(arity, depth, true);
                let body = self.formula(depth - 1);
                self.scope.truncate(before);
                self.problem.comprehension(decls, body)
            }
            _ => {
                let condition = self.formula(depth - 1);
                let (a, b) = (self.expr(arity, depth - 1), self.expr(arity, depth - 1));
                self.problem.choice(condition, a, b)
            }
        }
    }

    fn decls(&mut self, count: usize, depth: usize, single: bool) -> (Vec<RelDecl>, usize) {
        let before = self.scope.len();
        let mut decls = Vec::new();
        for _ in 0..count {
            let name = format!("x{}", self.problem.variables().len());
            let arity = if single || self.rng.chance(85) { 1 } else { 2 };
            let bound = match self.integers && arity == 1 && self.rng.chance(50) {
                true => self.problem.ints(),
                false => self.expr(arity, (depth - 1).min(1)),
            };
            let multiplicity = match single || self.rng.chance(75) {
                true => Multiplicity::One,
                false => {
                    let others = [Multiplicity::Lone, Multiplicity::Some, Multiplicity::Set];
                    self.rng.pick(&others)
                }
            };
            let variable = self.problem.variable(name, arity, None);
            decls.push(RelDecl {
                variable,
                multiplicity,
                bound,
            });
            self.scope.push(variable);
        }
        (decls, before)
    }

    fn formula(&mut self, depth: usize) -> FormulaId {
        let inner = depth.saturating_sub(1);
        let choice = match depth {
            0 => self.rng.below(4),
            _ => self.rng.below(13),
        };
        match choice {
            0 | 4 => {
                let arity = self.rng.pick(&[1, 1, 2, 3]);
                let (a, b) = (self.expr(arity, inner), self.expr(arity, inner));
                match self.rng.chance(60) {
                    true => self.problem.is_in(a, b),
                    false => self.problem.equal(a, b),
                }
            }
            1 | 2 => {
                let amounts = [Amount::No, Amount::Some, Amount::Lone, Amount::One];
                let amount = self.rng.pick(&amounts);
                let arity = self.rng.pick(&[1, 1, 2]);
                let a = self.expr(arity, inner);
                self.problem.amount(amount, a)
            }
            3 | 5 => {
                let (a, b) = (self.int(inner), self.int(inner));
                let all = [
                    IntComparison::Equal,
                    IntComparison::Less,
                    IntComparison::AtMost,
                ];
                let how = self.rng.pick(&all);
                self.problem.compare(how, a, b)
            }
            6..=8 => {
                let single = self.rng.chance(70);
                let count = 1 + self.rng.below(2);
                let (decls, before) = self.decls(count, depth, single);
                let body = self.formula(inner);
                self.scope.truncate(before);
                let quantifier = self.rng.pick(&[RelQuantifier::All, RelQuantifier::Some]);
                self.problem.quantified(quantifier, decls, body)
            }
            9 => {
                let a = self.formula(inner);
                self.problem.not(a)
            }
            10 => {
                let parts = [self.formula(inner), self.formula(inner)];
                match self.rng.chance(50) {
                    true => self.problem.and(parts),
                    false => self.problem.or(parts),
                }
            }
            11 => {
                let (a, b) = (self.formula(inner), self.formula(inner));
                self.problem.implies(a, b)
            }
            _ => {
                let (a, b) = (self.formula(inner), self.formula(inner));
                self.problem.iff(a, b)
            }
        }
    }

    fn int(&mut self, depth: usize) -> IntId {
        if depth == 0 {
            let value = self.rng.below(5) as i64 - 2;
            return match self.rng.chance(50) {
                true => self.problem.number(value),
                false => {
                    let set = self.leaf(1);
                    self.problem.value(set)
                }
            };
        }
        match self.rng.below(8) {
            0 | 1 => {
                let arity = self.rng.pick(&[1, 2]);
                let a = self.expr(arity, depth - 1);
                self.problem.count(a)
            }
            2 => {
                let a = self.expr(1, depth - 1);
                self.problem.value(a)
            }
            3 => {
                let (decls, before) = self.decls(1, depth, true);
                let body = self.int(depth - 1);
                self.scope.truncate(before);
                self.problem.sum(decls, body)
            }
            4 => {
                let condition = self.formula(depth - 1);
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                self.problem.int_choice(condition, a, b)
            }
            5 => self.int(0),
            _ => {
                let ops = [
                    Arithmetic::Add,
                    Arithmetic::Subtract,
                    Arithmetic::Multiply,
                    Arithmetic::Divide,
                    Arithmetic::Remainder,
                    Arithmetic::ShiftLeft,
                    Arithmetic::ShiftRight,
                    Arithmetic::ShiftRightZero,
                ];
                let op = self.rng.pick(&ops);
                let (a, b) = (self.int(depth - 1), self.int(depth - 1));
                self.problem.arithmetic(op, a, b)
            }
        }
    }
}

/// A random problem.
fn problem(seed: u64) -> Problem {
    let mut generator = Generator::new(seed);
    for _ in 0..1 + generator.rng.below(3) {
        let depth = 1 + generator.rng.below(4);
        let formula = generator.formula(depth);
        generator.problem.require(formula);
    }
    generator.problem
}

type Values = Vec<Vec<u64>>;

fn key(instance: &Instance) -> Values {
    instance
        .values()
        .iter()
        .map(|set| set.packed().to_vec())
        .collect()
}

/// The instances of a problem, by trying all values of its relations.
fn by_trial(problem: &Problem) -> Result<BTreeSet<Values>, ProblemRefusal> {
    let open: Vec<(usize, u64)> = problem
        .relations()
        .iter()
        .enumerate()
        .flat_map(|(place, relation)| {
            let open = relation.upper.difference(&relation.lower);
            open.packed()
                .iter()
                .map(|&tuple| (place, tuple))
                .collect::<Vec<_>>()
        })
        .collect();
    let mut found = BTreeSet::new();
    for bits in 0..1_usize << open.len() {
        let mut values: Values = problem
            .relations()
            .iter()
            .map(|r| r.lower.packed().to_vec())
            .collect();
        for (place, &(relation, tuple)) in open.iter().enumerate() {
            if bits >> place & 1 == 1 {
                values[relation].push(tuple);
            }
        }
        let sets: IndexVec<RelationId, TupleSet> = values
            .into_iter()
            .zip(problem.relations().iter())
            .map(|(tuples, r)| TupleSet::from_packed(r.upper.packing(), r.arity(), tuples))
            .collect();
        let instance = Instance::new(sets, Vec::new());
        let budget = Budget::unlimited();
        let mut evaluator = RelEvaluator::new(problem, &instance, &budget)?;
        if evaluator.all_hold()? {
            found.insert(key(&instance));
        }
    }
    Ok(found)
}

/// The most instances that are asked for.
const MOST: usize = 1500;

/// The instances that a search finds, each of which differs from the others, and whether these are all.
fn by_search<S: Solver>(
    problem: &Problem,
    options: &SearchOptions,
) -> Result<(BTreeSet<Values>, bool), ProblemRefusal> {
    let budget = Budget::unlimited();
    let mut search: Search<'_, S> = Search::new(problem, options, &budget)?;
    let mut found = BTreeSet::new();
    let mut whole = Vec::new();
    while let Some(instance) = search.next(&budget)? {
        found.insert(key(&instance));
        whole.push(instance);
        if whole.len() > MOST {
            break;
        }
    }
    let witnessed = whole
        .iter()
        .any(|instance| !instance.witnesses().is_empty());
    assert!(
        witnessed || found.len() == whole.len(),
        "an instance came twice"
    );
    Ok((found, whole.len() <= MOST))
}

fn agree<S: Solver>(seeds: std::ops::Range<u64>) {
    let (mut sat, mut unsat, mut refused) = (0, 0, 0);
    for seed in seeds {
        let problem = problem(seed);
        problem
            .check()
            .unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}"));
        let options = SearchOptions {
            symmetry: 0,
            ..SearchOptions::default()
        };
        let (found, all) = match by_search::<S>(&problem, &options) {
            Err(ProblemRefusal::HigherOrder { .. }) => {
                refused += 1;
                continue;
            }
            found => found.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}")),
        };
        let tried = match by_trial(&problem) {
            Err(ProblemRefusal::TooLarge { .. }) => {
                refused += 1;
                continue;
            }
            tried => tried.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}")),
        };
        let same = |found: &BTreeSet<Values>, all: bool| match all {
            true => *found == tried,
            false => found.is_subset(&tried),
        };
        assert!(same(&found, all), "seed {seed}");
        let witnessed = SearchOptions {
            closures: Closures::Witnessed,
            ..options.clone()
        };
        let (found, all) = by_search::<S>(&problem, &witnessed).expect("as before");
        assert!(same(&found, all), "seed {seed}, closures by witness");
        let witnessed = SearchOptions {
            skolem_depth: 3,
            ..options
        };
        // Where less is written out, a set may be met that is quantified universally.
        if let Ok((found, all)) = by_search::<S>(&problem, &witnessed) {
            assert!(same(&found, all), "seed {seed}, more witnesses");
        }
        let (broken, _) = by_search::<S>(&problem, &SearchOptions::default()).expect("as before");
        assert!(broken.is_subset(&tried), "seed {seed}, symmetries broken");
        assert_eq!(
            broken.is_empty(),
            tried.is_empty(),
            "seed {seed}, symmetries broken"
        );
        match tried.is_empty() {
            true => unsat += 1,
            false => sat += 1,
        }
    }
    assert!(
        sat > 2 * refused && unsat > 10,
        "{sat} sat, {unsat} unsat, {refused} refused"
    );
}

#[test]
fn searches_find_the_instances_that_trial_finds() {
    agree::<Batsat>(1..600);
}

#[test]
fn many_searches_find_the_instances_that_trial_finds_when_soaking() {
    let seconds = std::env::var("WHEREFORE_SOAK").ok();
    let Some(seconds) = seconds.and_then(|seconds| seconds.parse().ok()) else {
        return;
    };
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut seeds = (12_000u64..).step_by(1_000);
    while Instant::now() < end {
        let first = seeds.next().expect("there are always more");
        agree::<Batsat>(first..first + 1_000);
    }
}

#[cfg(feature = "cadical")]
#[test]
fn searches_with_cadical_find_the_instances_that_trial_finds() {
    agree::<wherefore_sat::Cadical>(600..900);
}

#[test]
fn cores_have_no_instance_and_every_part_of_a_core_is_needed() {
    let budget = Budget::unlimited();
    let mut cores = 0;
    for seed in 1..800 {
        let mut generator = Generator::new(seed);
        for _ in 0..6 {
            let formula = generator.formula(2);
            generator.problem.require(formula);
        }
        let problem = generator.problem;
        let options = SearchOptions::default();
        let Ok(search) = Search::<'_, Batsat>::new(&problem, &options, &budget) else {
            continue;
        };
        let Some(core) = search.core(&budget).expect("nothing stops it") else {
            continue;
        };
        cores += 1;
        assert!(core.len() <= search.conjuncts().len());
        let whole = |parts: &[wherefore_relational::TranslatedConjunct]| {
            let mut again = without_requirements(seed);
            for part in parts {
                let mut formula = part.formula;
                if part.negated {
                    formula = again.not(formula);
                }
                for &outer in part.within.iter().rev() {
                    formula = match again.formula(outer).clone() {
                        RelFormula::Quantified(_, decls, _) => again.all(decls, formula),
                        RelFormula::Implies(condition, _) => again.implies(condition, formula),
                        _ => panic!("only quantifiers and implications are around a conjunct"),
                    };
                }
                again.require(formula);
            }
            let mut search = Search::<'_, Batsat>::new(&again, &options, &budget)
                .unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}"));
            search.next(&budget).expect("nothing stops it").is_some()
        };
        assert!(!whole(&core), "seed {seed}: the core has an instance");
        for place in 0..core.len() {
            let mut fewer = core.clone();
            fewer.remove(place);
            assert!(whole(&fewer), "seed {seed}: part {place} is not needed");
        }
    }
    assert!(cores > 20, "only {cores} cores");
}

#[test]
fn clauses_know_the_conjuncts_they_come_from() {
    let budget = Budget::unlimited();
    let options = SearchOptions::default();
    let mut cores = 0;
    for seed in 1..300 {
        let mut generator = Generator::new(seed);
        for _ in 0..6 {
            let formula = generator.formula(2);
            generator.problem.require(formula);
        }
        let problem = generator.problem;
        let Ok(search) = Search::<'_, Batsat>::new(&problem, &options, &budget) else {
            continue;
        };
        let log = search.log(&budget).expect("it was translated before");
        assert_eq!(log.clauses().len(), search.size().clauses, "seed {seed}");
        assert_eq!(log.conjuncts(), search.conjuncts());
        let every: Vec<usize> = (0..log.conjuncts().len()).collect();
        let mut reasons = search.reasons(&budget).expect("it was translated before");
        let core = reasons.core(&every, &budget).expect("nothing stops it");
        // The clauses of some conjuncts are satisfiable if and only if the conjuncts are.
        let can_hold = |wanted: &[usize]| {
            let mut solver = Batsat::empty();
            let mut variables = 0;
            for (number, clause) in log.clauses().iter().enumerate() {
                let origin = log.origin(number).expect("there is such a clause");
                let needed = origin.conjuncts.iter().any(|place| wanted.contains(place));
                for lit in clause {
                    while variables <= lit.variable() {
                        solver.new_var();
                        variables += 1;
                    }
                }
                if needed || origin.conjuncts.is_empty() && !origin.redundant {
                    solver.add_clause(clause);
                }
            }
            solver.solve(&[], &budget) == Ok(SatAnswer::Sat)
        };
        let Some(core) = core else {
            assert!(can_hold(&every), "seed {seed}");
            continue;
        };
        cores += 1;
        assert!(!can_hold(&core), "seed {seed}: {core:?}");
        for place in 0..core.len() {
            let mut fewer = core.clone();
            fewer.remove(place);
            assert!(can_hold(&fewer), "seed {seed}: {core:?} without {place}");
        }
    }
    assert!(cores > 10, "only {cores} cores");
}

#[test]
fn images_of_functions_are_compared_as_they_should_be() {
    let universe = Universe::new(["a", "b", "c"]);
    let every = universe.everything();
    let problem = &mut Problem::new(universe.clone(), Integers::none());
    let set = problem.relation("set", universe.no_tuples(1), every.clone());
    let f = problem.relation("f", universe.no_tuples(2), every.product(&every));
    let g = problem.relation("g", universe.no_tuples(2), every.product(&every));
    let [set, f, g] = [set, f, g].map(|relation| problem.rel(relation));
    let [x, y] = ["x", "y"].map(|name| problem.variable(name, 1, None));
    let (x_decl, y_decl) = (RelDecl::one(x, set), RelDecl::one(y, set));
    let (x, y) = (problem.var(x), problem.var(y));
    let (of_x, of_y) = (problem.join(x, f), problem.join(y, g));
    let (one, lone) = (problem.one(of_x), problem.lone(of_y));
    let functions = [problem.all([x_decl], one), problem.all([y_decl], lone)];
    let equal = problem.equal(of_x, of_y);
    let differ = problem.not(equal);
    let differ = problem.all([x_decl, y_decl], differ);
    let univ = problem.univ();
    let pairs = problem.product(set, univ);
    let both = problem.union(f, g);
    let parts = [differ, problem.some(set), problem.is_in(both, pairs)];
    for formula in functions.into_iter().chain(parts) {
        problem.require(formula);
    }
    let (budget, options) = (Budget::unlimited(), symmetric());
    let mut search = Search::<'_, Batsat>::new(problem, &options, &budget).expect("it fits");
    let mut count = 0;
    while search.next(&budget).expect("nothing stops it").is_some() {
        count += 1;
    }
    // For each image of f, of one, two or three atoms, g has the other values, or none.
    let one = 3 * 3;
    let two = 3 * 9 + 6 * 4;
    let three = 3 * 27 + 18 * 8 + 6;
    let meant = 3 * one + 3 * two + three;
    assert_eq!(count, meant);
}

/// Options that leave all symmetric instances in.
fn symmetric() -> SearchOptions {
    SearchOptions {
        symmetry: 0,
        ..SearchOptions::default()
    }
}

/// Two kinds of atoms, and two relations that belong to one kind more than to the other, each the opposite
/// way around. An order of the relations for each kind would leave no instance.
#[test]
fn symmetries_of_several_kinds_of_atoms_are_broken_in_one_order() {
    let universe = Universe::new(["a0", "a1", "b0", "b1"]);
    let atoms: Vec<UniverseAtomId> = universe.atoms().collect();
    let (a, b) = (&atoms[..2], &atoms[2..]);
    let problem = &mut Problem::new(universe.clone(), Integers::none());
    let sets = [("A", a), ("B", b)].map(|(name, atoms)| {
        let set = problem.constant(name, universe.set(atoms.iter().copied()));
        problem.rel(set)
    });
    let pairs = || a.iter().flat_map(|&x| b.iter().map(move |&y| (x, y)));
    let packing = universe.packing();
    let rows = [
        TupleSet::from_tuples(packing, 3, pairs().map(|(x, y)| [x, y, y])),
        TupleSet::from_tuples(packing, 3, pairs().map(|(x, y)| [x, x, y])),
    ];
    let [r, q] = rows.map(|upper| {
        let relation = problem.relation("r", universe.no_tuples(3), upper);
        problem.rel(relation)
    });
    let [x, y] = ["x", "y"].map(|name| problem.variable(name, 1, None));
    let decls = [RelDecl::one(x, sets[0]), RelDecl::one(y, sets[1])];
    let (x, y) = (problem.var(x), problem.var(y));
    let (of_x, of_y) = (problem.join(x, r), problem.join(r, y));
    let single = [problem.one(of_x), problem.one(of_y)];
    let (xx, yy) = (problem.product(x, x), problem.product(y, y));
    let (xyy, xxy) = (problem.product(x, yy), problem.product(xx, y));
    let (in_r, in_q) = (problem.is_in(xyy, r), problem.is_in(xxy, q));
    let not_in_q = problem.not(in_q);
    let opposite = problem.iff(in_r, not_in_q);
    let body = problem.and([single[0], single[1], opposite]);
    let every = problem.all(decls, body);
    problem.require(every);
    let budget = Budget::unlimited();
    for (symmetry, fewest, most) in [(0, 2, 2), (20, 1, 2)] {
        let options = SearchOptions {
            symmetry,
            ..SearchOptions::default()
        };
        let mut search = Search::<'_, Batsat>::new(problem, &options, &budget).expect("it fits");
        let mut count = 0;
        while search.next(&budget).expect("nothing stops it").is_some() {
            count += 1;
        }
        assert!((fewest..=most).contains(&count), "{count} at {symmetry}");
    }
}

/// The nodes of a random problem, none of them required.
fn without_requirements(seed: u64) -> Problem {
    let mut generator = Generator::new(seed);
    for _ in 0..6 {
        generator.formula(2);
    }
    generator.problem
}

#[test]
fn an_order_of_n_atoms_has_as_many_instances_as_permutations_and_one_up_to_symmetry() {
    for atoms in 1..5 {
        let universe = Universe::new((0..atoms).map(|index| format!("a{index}")));
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let all = universe.everything();
        let set = problem.constant("elements", all.clone());
        let first = problem.relation("first", universe.no_tuples(1), all.clone());
        let next = problem.relation("next", universe.no_tuples(2), all.product(&all));
        let elements = problem.rel(set);
        problem.require_order(TotalOrder {
            elements,
            first,
            next,
            span: None,
        });
        let mut options = SearchOptions::default();
        assert_eq!(
            by_search::<Batsat>(&problem, &options).map(|found| found.0.len()),
            Ok(1)
        );
        options.symmetry = 0;
        let found = by_search::<Batsat>(&problem, &options);
        assert_eq!(found.map(|found| found.0.len()), Ok((1..=atoms).product()));
    }
}
