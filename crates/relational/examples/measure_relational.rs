//! Measures translation and search on generated problems: one line for each problem and solver.
//!
//! `cargo run --release -p wherefore-relational --features cadical --example measure_relational [NAME [SYMMETRY]]`

#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use wherefore_base::Budget;
use wherefore_relational::{
    Comparison, Decl, Evaluator, ExprId, Integers, Options, Overflow, Problem, RelationId, Search,
    Universe,
};
use wherefore_sat::{Batsat, Solver};

fn universe(names: &[(&str, usize)]) -> Universe {
    let atoms = |&(name, count): &(&str, usize)| {
        let name = name.to_string();
        (0..count).map(move |index| format!("{name}{index}"))
    };
    Universe::new(names.iter().flat_map(atoms))
}

/// A set of atoms `from..to`, as a relation with a fixed value.
fn sort(problem: &mut Problem, name: &str, from: usize, to: usize) -> (RelationId, ExprId) {
    let atoms: Vec<_> = problem.universe().atoms().collect();
    let set = problem.universe().set(atoms[from..to].iter().copied());
    let relation = problem.constant(name, set);
    (relation, problem.rel(relation))
}

fn relation(problem: &mut Problem, name: &str, columns: &[RelationId]) -> ExprId {
    let bound = |relation: RelationId| problem.relations()[relation].upper.clone();
    let mut upper = bound(columns[0]);
    for &column in &columns[1..] {
        upper = upper.product(&bound(column));
    }
    let lower = problem.universe().no_tuples(columns.len());
    let relation = problem.relation(name, lower, upper);
    problem.rel(relation)
}

/// One pigeon more than holes.
fn pigeonhole(holes: usize) -> Problem {
    let universe = universe(&[("pigeon", holes + 1), ("hole", holes)]);
    let p = &mut Problem::new(universe, Integers::none());
    let (pigeons, pigeon) = sort(p, "Pigeon", 0, holes + 1);
    let (all_holes, hole) = sort(p, "Hole", holes + 1, 2 * holes + 1);
    let nest = relation(p, "nest", &[pigeons, all_holes]);
    let (x, y) = (p.variable("p", 1, None), p.variable("h", 1, None));
    let (x_expr, y_expr) = (p.var(x), p.var(y));
    let (home, guests) = (p.join(x_expr, nest), p.join(nest, y_expr));
    let (one, lone) = (p.one(home), p.lone(guests));
    let housed = p.all([Decl::one(x, pigeon)], one);
    let alone = p.all([Decl::one(y, hole)], lone);
    p.require(housed);
    p.require(alone);
    p.clone()
}

/// A random graph with a colour for each node, no two neighbours alike.
fn colouring(nodes: usize, edges: usize, colours: usize) -> Problem {
    let universe = universe(&[("node", nodes), ("colour", colours)]);
    let p = &mut Problem::new(universe, Integers::none());
    let (all_nodes, node) = sort(p, "Node", 0, nodes);
    let (all_colours, _) = sort(p, "Colour", nodes, nodes + colours);
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % bound
    };
    let atoms: Vec<_> = p.universe().atoms().collect();
    let pairs = (0..edges).map(|_| {
        let first = below(nodes);
        [atoms[first], atoms[(first + 1 + below(nodes - 1)) % nodes]]
    });
    let graph = wherefore_relational::TupleSet::from_tuples(p.universe().packing(), 2, pairs);
    let graph = p.constant("edge", graph);
    let graph = p.rel(graph);
    let colour = relation(p, "colour", &[all_nodes, all_colours]);
    let x = p.variable("n", 1, None);
    let x_expr = p.var(x);
    let own = p.join(x_expr, colour);
    let near = p.join(x_expr, graph);
    let theirs = p.join(near, colour);
    let shared = p.intersection(own, theirs);
    let parts = [p.one(own), p.no(shared)];
    let body = p.and(parts);
    let proper = p.all([Decl::one(x, node)], body);
    p.require(proper);
    p.clone()
}

/// Every node has one next node and is reached from every node; two nodes have the same next one.
fn ring(nodes: usize) -> Problem {
    let p = &mut Problem::new(universe(&[("node", nodes)]), Integers::none());
    let (all_nodes, node) = sort(p, "Node", 0, nodes);
    let next = relation(p, "next", &[all_nodes, all_nodes]);
    let x = p.variable("n", 1, None);
    let x_expr = p.var(x);
    let after = p.join(x_expr, next);
    let closure = p.closure(next);
    let reached = p.join(x_expr, closure);
    let parts = [p.one(after), p.is_in(node, reached)];
    let body = p.and(parts);
    let ring = p.all([Decl::one(x, node)], body);
    let before = p.join(next, x_expr);
    let lone = p.lone(before);
    let injective = p.all([Decl::one(x, node)], lone);
    let wrong = p.not(injective);
    p.require(ring);
    p.require(wrong);
    p.clone()
}

/// A relation whose closure has no loop, in which every atom has a next one.
fn acyclic(nodes: usize) -> Problem {
    let p = &mut Problem::new(universe(&[("node", nodes)]), Integers::none());
    let (all_nodes, node) = sort(p, "Node", 0, nodes);
    let next = relation(p, "next", &[all_nodes, all_nodes]);
    let x = p.variable("n", 1, None);
    let x_expr = p.var(x);
    let after = p.join(x_expr, next);
    let some = p.some(after);
    let total = p.all([Decl::one(x, node)], some);
    let closure = p.closure(next);
    let iden = p.iden();
    let loops = p.intersection(closure, iden);
    let parts = [total, p.no(loops)];
    for part in parts {
        p.require(part);
    }
    p.clone()
}

/// A colouring of the edges of a complete graph without a red triangle and without four nodes all blue.
fn ramsey(nodes: usize) -> Problem {
    let p = &mut Problem::new(universe(&[("node", nodes)]), Integers::none());
    let (all_nodes, node) = sort(p, "Node", 0, nodes);
    let red = relation(p, "red", &[all_nodes, all_nodes]);
    let turned = p.transpose(red);
    let symmetric = p.equal(red, turned);
    p.require(symmetric);
    let iden = p.iden();
    let looped = p.intersection(red, iden);
    let irreflexive = p.no(looped);
    p.require(irreflexive);
    let vars: Vec<_> = (0..4)
        .map(|i| p.variable(format!("x{i}"), 1, None))
        .collect();
    let exprs: Vec<_> = vars.iter().map(|&v| p.var(v)).collect();
    for (count, is_red) in [(3, true), (4, false)] {
        let mut differ = Vec::new();
        let mut alike = Vec::new();
        for i in 0..count {
            for j in 0..i {
                let same = p.equal(exprs[i], exprs[j]);
                differ.push(p.not(same));
                let pair = p.product(exprs[i], exprs[j]);
                let edge = p.is_in(pair, red);
                alike.push(if is_red { edge } else { p.not(edge) });
            }
        }
        differ.extend(alike);
        let clique = p.and(differ);
        let none = p.not(clique);
        let decls: Vec<Decl> = vars[..count].iter().map(|&v| Decl::one(v, node)).collect();
        let all = p.all(decls, none);
        p.require(all);
    }
    p.clone()
}

/// The image of a set under a union is the union of its images: wrong somewhere.
fn distribution(atoms: usize) -> Problem {
    let p = &mut Problem::new(universe(&[("a", atoms)]), Integers::none());
    // A fixed order takes the symmetries away.
    let order: Vec<_> = p.universe().atoms().collect();
    let order =
        wherefore_relational::TupleSet::from_tuples(p.universe().packing(), 2, order.windows(2));
    p.constant("order", order);
    let (all, univ) = sort(p, "all", 0, atoms);
    let _ = univ;
    let s = relation(p, "s", &[all]);
    let (q, r) = (relation(p, "q", &[all, all]), relation(p, "r", &[all, all]));
    let both = p.union(q, r);
    let left = p.join(s, both);
    let (by_q, by_r) = (p.join(s, q), p.join(s, r));
    let right = p.union(by_q, by_r);
    let same = p.equal(left, right);
    let wrong = p.not(same);
    p.require(wrong);
    p.clone()
}

/// Couples shake hands; all but one person shook different numbers of hands.
fn handshake(people: usize) -> Problem {
    let integers = Integers {
        width: 6,
        overflow: Overflow::Wrap,
        atoms: Vec::new(),
    };
    let p = &mut Problem::new(universe(&[("person", people)]), integers);
    let (persons, person) = sort(p, "Person", 0, people);
    let (_, host) = sort(p, "Host", 0, 1);
    let (_, other) = sort(p, "Other", 1, 2);
    let spouse = relation(p, "spouse", &[persons, persons]);
    let shaken = relation(p, "shaken", &[persons, persons]);
    let married = p.product(host, other);
    let couple = p.is_in(married, spouse);
    p.require(couple);
    for relation in [spouse, shaken] {
        let turned = p.transpose(relation);
        let symmetric = p.equal(relation, turned);
        p.require(symmetric);
        let iden = p.iden();
        let own = p.intersection(relation, iden);
        let none = p.no(own);
        p.require(none);
    }
    let common = p.intersection(spouse, shaken);
    let polite = p.no(common);
    p.require(polite);
    let (x, y) = (p.variable("x", 1, None), p.variable("y", 1, None));
    let (x_expr, y_expr) = (p.var(x), p.var(y));
    let partner = p.join(x_expr, spouse);
    let one = p.one(partner);
    let monogamous = p.all([Decl::one(x, person)], one);
    p.require(monogamous);
    let guests = p.difference(person, host);
    let (of_x, of_y) = (p.join(x_expr, shaken), p.join(y_expr, shaken));
    let (a, b) = (p.count(of_x), p.count(of_y));
    let (same, alike) = (p.compare(Comparison::Equal, a, b), p.equal(x_expr, y_expr));
    let differ = p.implies(same, alike);
    let different = p.all([Decl::one(x, guests), Decl::one(y, guests)], differ);
    p.require(different);
    p.clone()
}

/// A machine whose steps are free: no step enters a bad state, and yet a bad state is reached.
fn reach(states: usize) -> Problem {
    let p = &mut Problem::new(universe(&[("state", states)]), Integers::none());
    let (all, state) = sort(p, "State", 0, states);
    let (init, bad) = (relation(p, "init", &[all]), relation(p, "bad", &[all]));
    let step = relation(p, "step", &[all, all]);
    let star = p.reflexive_closure(step);
    let reached = p.join(init, star);
    let met = p.intersection(reached, bad);
    let (x, x_expr) = {
        let x = p.variable("s", 1, None);
        (x, p.var(x))
    };
    let after = p.join(x_expr, step);
    let entered = p.intersection(after, bad);
    let is_bad = p.is_in(x_expr, bad);
    let safe = p.no(entered);
    let kept = p.or([is_bad, safe]);
    let kept = p.all([Decl::one(x, state)], kept);
    let begins = p.intersection(init, bad);
    let parts = [p.no(begins), kept, p.some(met)];
    for part in parts {
        p.require(part);
    }
    p.clone()
}

fn measure<S: Solver>(name: &str, solver: &str, problem: &Problem, options: &Options) {
    let budget = Budget::unlimited();
    let start = Instant::now();
    let mut search: Search<'_, S> = match Search::new(problem, options, &budget) {
        Ok(search) => search,
        Err(refusal) => return println!("{name:14} {solver:8} {refusal}"),
    };
    let translated = start.elapsed();
    let size = search.size();
    let start = Instant::now();
    let limited = budget.within(Duration::from_secs(60));
    let mut instance = None;
    let answer = match search.next_unchecked(&limited) {
        Ok(Some(found)) => {
            instance = Some(found);
            "sat".to_string()
        }
        Ok(None) => "unsat".to_string(),
        Err(refusal) => refusal.to_string(),
    };
    let solved = start.elapsed();
    let start = Instant::now();
    if let Some(instance) = instance {
        let mut evaluator = Evaluator::new(problem, &instance, &budget).expect("it fits");
        assert_eq!(evaluator.all_hold(), Ok(true), "{name}");
    }
    let checked = start.elapsed();
    println!(
        "{name:14} {solver:8} {answer:6} inputs {:5} variables {:7} clauses {:8} translate {:7.1} ms \
         solve {:9.1} ms check {:7.1} ms",
        size.primary,
        size.variables,
        size.clauses,
        translated.as_secs_f64() * 1e3,
        solved.as_secs_f64() * 1e3,
        checked.as_secs_f64() * 1e3,
    );
}

fn main() {
    let wanted = std::env::args().nth(1);
    let problems = [
        ("pigeonhole 8", pigeonhole(8)),
        ("pigeonhole 20", pigeonhole(20)),
        ("colouring 60", colouring(60, 138, 3)),
        ("ring 8", ring(8)),
        ("ring 12", ring(12)),
        ("ring 16", ring(16)),
        ("acyclic 12", acyclic(12)),
        ("acyclic 16", acyclic(16)),
        ("ramsey 8", ramsey(8)),
        ("ramsey 9", ramsey(9)),
        ("ramsey 16", ramsey(16)),
        ("distribution", distribution(16)),
        ("handshake 10", handshake(10)),
        ("handshake 12", handshake(12)),
        ("handshake 14", handshake(14)),
        ("handshake 16", handshake(16)),
        ("reach 10", reach(10)),
        ("reach 20", reach(20)),
    ];
    for (name, problem) in &problems {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !name.starts_with(&**wanted))
        {
            continue;
        }
        let mut options = Options::default();
        if let Some(length) = std::env::args().nth(2) {
            options.symmetry = length.parse().unwrap_or(options.symmetry);
        }
        #[cfg(feature = "cadical")]
        measure::<wherefore_sat::Cadical>(name, "cadical", problem, &options);
        measure::<Batsat>(name, "batsat", problem, &options);
    }
}
