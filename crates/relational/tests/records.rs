//! The order of records against solving without any: on random small problems no class of instances that an
//! exchange of atoms turns into each other is lost, and where records are told apart each is there once.

use std::collections::BTreeSet;

use wherefore_base::Budget;
use wherefore_relational::{
    FormulaId, Integers, Problem, Reasons, RelDecl, RelExprId, Search, SearchOptions, TupleSet,
    Universe, UniverseAtomId,
};
use wherefore_sat::Batsat;

const RECORDS: usize = 3;
const VALUES: usize = 2;
/// More instances are not looked at.
const MANY: usize = 1200;

/// Numbers that look random and are the same every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }
}

/// The values of all relations.
type Values = Vec<TupleSet>;

/// What a random problem is made of.
struct Made {
    problem: Problem,
    /// Whether nothing but records can be exchanged.
    named: bool,
    /// Whether records with equal rows are required to be equal.
    distinct: bool,
}

struct Parts {
    set: RelExprId,
    has: RelExprId,
    mark: RelExprId,
    step: RelExprId,
}

fn made(seed: u64) -> Made {
    let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let names = (0..RECORDS).map(|n| format!("s{n}"));
    let names = names.chain((0..VALUES).map(|n| format!("v{n}")));
    let universe = Universe::new(names.collect::<Vec<_>>());
    let atoms = |from: usize, to: usize| universe.set((from..to).map(UniverseAtomId::new));
    let (records, values) = (atoms(0, RECORDS), atoms(RECORDS, RECORDS + VALUES));
    let mut problem = Problem::new(universe.clone(), Integers::none());
    let named = rng.below(2) == 0;
    if named {
        problem.constant("named", atoms(RECORDS, RECORDS + 1));
    }
    let exact = rng.below(2) == 0;
    let lower = match exact {
        true => records.clone(),
        false => universe.no_tuples(1),
    };
    let set = problem.relation("set", lower, records.clone());
    let mut free = |name: &str, upper: TupleSet| {
        let lower = universe.no_tuples(upper.arity());
        let relation = problem.relation(name, lower, upper);
        problem.rel(relation)
    };
    let mark = free("mark", records.clone());
    let has = free("has", records.product(&values));
    let step = free("step", records.product(&records));
    let set = problem.rel(set);
    let parts = Parts {
        set,
        has,
        mark,
        step,
    };
    // What is not in the set belongs to nothing.
    let values = problem.constant("values", values);
    let values = problem.rel(values);
    for (inside, outside) in [
        (mark, set),
        (has, problem.product(set, values)),
        (step, problem.product(set, set)),
    ] {
        let held = problem.is_in(inside, outside);
        problem.require(held);
    }
    // A step for each, so that there are not too many instances.
    let x = problem.variable("x", 1, None);
    let record = problem.var(x);
    let next = problem.join(record, step);
    let one = problem.one(next);
    let function = problem.all([RelDecl::one(x, set)], one);
    problem.require(function);
    let distinct = rng.below(3) > 0;
    if distinct {
        let axiom = equality(&mut problem, &parts);
        problem.require(axiom);
    }
    for _ in 0..1 + rng.below(3) {
        let formula = formula(&mut problem, &parts, &mut rng);
        let formula = match rng.below(3) {
            0 => problem.not(formula),
            _ => formula,
        };
        problem.require(formula);
    }
    problem.take_as_records(set, &[]);
    Made {
        problem,
        named,
        distinct,
    }
}

/// Records with the same mark and the same values are equal.
fn equality(problem: &mut Problem, parts: &Parts) -> FormulaId {
    let [x, y] = ["x", "y"].map(|name| problem.variable(name, 1, None));
    let (a, b) = (problem.var(x), problem.var(y));
    let [has_a, has_b] = [a, b].map(|record| problem.join(record, parts.has));
    let [mark_a, mark_b] = [a, b].map(|record| problem.is_in(record, parts.mark));
    let same = [problem.equal(has_a, has_b), problem.iff(mark_a, mark_b)];
    let same = problem.and(same);
    let equal = problem.equal(a, b);
    let body = problem.implies(same, equal);
    problem.all(
        [RelDecl::one(x, parts.set), RelDecl::one(y, parts.set)],
        body,
    )
}

fn formula(problem: &mut Problem, parts: &Parts, rng: &mut Rng) -> FormulaId {
    let x = problem.variable("x", 1, None);
    let record = problem.var(x);
    let each = RelDecl::one(x, parts.set);
    let values = problem.join(record, parts.has);
    let next = problem.join(record, parts.step);
    match rng.below(8) {
        0 => {
            let some = problem.some(next);
            problem.all([each], some)
        }
        1 => {
            let one = problem.one(values);
            problem.all([each], one)
        }
        2 => {
            let closure = problem.reflexive_closure(parts.step);
            let reached = problem.join(parts.mark, closure);
            problem.is_in(parts.set, reached)
        }
        3 => problem.one(parts.mark),
        4 => {
            let (closure, iden) = (problem.closure(parts.step), problem.iden());
            let round = problem.intersection(closure, iden);
            problem.no(round)
        }
        5 => {
            let after = problem.join(next, parts.has);
            let fits = problem.is_in(after, values);
            problem.all([each], fits)
        }
        6 => {
            let two = problem.number(2);
            let count = problem.count(parts.set);
            problem.compare(wherefore_relational::IntComparison::AtMost, two, count)
        }
        _ => {
            let marked = problem.is_in(record, parts.mark);
            let some = problem.some(values);
            let both = problem.iff(marked, some);
            problem.exists([each], both)
        }
    }
}

/// All instances, unless there are very many; every one is checked by the evaluator.
fn instances(problem: &Problem, symmetry: usize) -> Option<Vec<Values>> {
    let budget = Budget::unlimited();
    let options = SearchOptions {
        symmetry,
        ..SearchOptions::default()
    };
    let search = Search::<Batsat>::new(problem, &options, &budget);
    let mut search = search.expect("it is small");
    let mut found = Vec::new();
    while let Some(instance) = search.next(&budget).expect("instances are instances") {
        // What differs by its witnesses only is the same here.
        let values: Vec<TupleSet> = problem
            .relations()
            .entries()
            .map(|(id, _)| instance.value(id).clone())
            .collect();
        if !found.contains(&values) {
            found.push(values);
        }
        if found.len() > MANY {
            return None;
        }
    }
    Some(found)
}

/// The least of all instances that exchanges of records, and of values, turn an instance into.
fn canonical(instance: &Values, values_too: bool) -> Vec<Vec<Vec<usize>>> {
    let mut images = Vec::new();
    for records in permutations(RECORDS) {
        for values in permutations(VALUES) {
            if !values_too && values[0] != 0 {
                continue;
            }
            let moved = |atom: UniverseAtomId| match atom.index() {
                record if record < RECORDS => records[record],
                value => RECORDS + values[value - RECORDS],
            };
            let relation = |value: &TupleSet| {
                let rows = value.iter();
                let mut rows: Vec<Vec<usize>> = rows
                    .map(|row| row.into_iter().map(moved).collect())
                    .collect();
                rows.sort();
                rows
            };
            images.push(instance.iter().map(relation).collect::<Vec<_>>());
        }
    }
    images.into_iter().min().expect("there is an exchange")
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let more = |chosen: &Vec<usize>| {
            let chosen = chosen.clone();
            let free = (0..count).filter({
                let chosen = chosen.clone();
                move |n| !chosen.contains(n)
            });
            free.map(move |n| chosen.iter().copied().chain([n]).collect())
        };
        all = all.iter().flat_map(more).collect();
    }
    all
}

#[test]
fn the_order_of_records_keeps_one_of_symmetric_instances_and_all_classes() {
    let mut seen = [0; 3];
    for seed in 1..=60 {
        let Made {
            problem,
            named,
            distinct,
        } = made(seed);
        let Some(every) = instances(&problem, 0) else {
            continue;
        };
        let kept = instances(&problem, 20).expect("they are fewer");
        let classes = |found: &[Values]| -> BTreeSet<_> {
            let forms = found.iter().map(|i| canonical(i, !named));
            forms.collect()
        };
        let (all, some) = (classes(&every), classes(&kept));
        assert_eq!(
            all, some,
            "seed {seed}: classes of instances are lost or made up"
        );
        if named && distinct {
            assert_eq!(kept.len(), all.len(), "seed {seed}: a class is given twice");
            seen[0] += usize::from(!all.is_empty());
        }
        seen[1] += usize::from(all.is_empty());
        seen[2] += usize::from(kept.len() < every.len());
    }
    assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
}

#[test]
fn what_is_to_blame_does_not_take_the_difference_of_records_for_granted() {
    let universe = Universe::new(["a", "b", "c", "v"]);
    let records = universe.set([0, 1, 2].map(UniverseAtomId::new));
    let value = universe.set([UniverseAtomId::new(3)]);
    let mut problem = Problem::new(universe.clone(), Integers::none());
    let set = problem.constant("set", records.clone());
    let set = problem.rel(set);
    let upper = records.product(&value);
    let has = problem.relation("has", universe.no_tuples(2), upper);
    let has = problem.rel(has);
    let [x, y] = ["x", "y"].map(|name| problem.variable(name, 1, None));
    let (a, b) = (problem.var(x), problem.var(y));
    let [one, other] = [a, b].map(|record| problem.join(record, has));
    let (same, equal) = (problem.equal(one, other), problem.equal(a, b));
    let body = problem.implies(same, equal);
    let axiom = problem.all([RelDecl::one(x, set), RelDecl::one(y, set)], body);
    problem.require(axiom);
    problem.take_as_records(set, &[]);
    // Three records cannot differ in one bit, and only the axiom says that they must.
    let budget = Budget::unlimited();
    let search = Search::<Batsat>::new(&problem, &SearchOptions::default(), &budget);
    let mut search = search.expect("it is small");
    assert_eq!(search.next(&budget), Ok(None));
    let core = search
        .core(&budget)
        .expect("no limit")
        .expect("there is none");
    assert_eq!(core.len(), 1);
    let reasons = Reasons::<Batsat>::new(&problem, &SearchOptions::default(), &budget);
    let core = reasons.and_then(|mut reasons| reasons.core(&[0], &budget));
    assert_eq!(core, Ok(Some(vec![0])));
    problem.forget_requirements();
    problem.take_as_records(set, &[]);
    let search = Search::<Batsat>::new(&problem, &SearchOptions::default(), &budget);
    let mut search = search.expect("it is small");
    let mut count = 0;
    while search.next(&budget).expect("no limit").is_some() {
        count += 1;
    }
    assert_eq!(
        count, 4,
        "as many as there are numbers of records with the value"
    );
}
