//! A static order of variables: those that are constrained together stand close together.
//!
//! Each constraint ties the variables it reads and writes. From two starts, declaration order and a
//! depth-first walk along what variables depend on, every variable moves again and again towards
//! the middle of what it is tied to (FORCE, after Aloul, Markov and Sakallah 2003). The order with
//! the shortest ties wins.

use std::collections::BTreeSet;

use wherefore_model::{Model, VarId};

use super::conjunct::RelationConjunct;

/// How often variables move at most.
const ROUNDS: usize = 200;
/// How many rounds without a shorter order end the search.
const PATIENCE: usize = 10;

/// All variables, top level first.
pub(crate) fn order(model: &Model, conjuncts: &[RelationConjunct]) -> Vec<VarId> {
    let ties: Vec<Vec<VarId>> = conjuncts
        .iter()
        .map(|c| c.now.union(&c.next).copied().collect::<Vec<_>>())
        .filter(|tie| tie.len() > 1)
        .collect();
    let declared: Vec<VarId> = model.vars.ids().collect();
    // Inputs are declared last; the walk puts them where they are read.
    let walked = walk(model, conjuncts);
    let starts = [walked, declared];
    let orders = starts.into_iter().flat_map(|start| {
        let better = pull(start.clone(), &ties);
        [start, better]
    });
    // The first of equally good orders wins, so the result is the same on every run.
    orders
        .min_by_key(|order| length(order, &ties))
        .unwrap_or_default()
}

/// Depth first along what each variable depends on.
fn walk(model: &Model, conjuncts: &[RelationConjunct]) -> Vec<VarId> {
    let mut depends: Vec<Vec<VarId>> = vec![Vec::new(); model.vars.len()];
    for conjunct in conjuncts {
        for target in &conjunct.next {
            depends[target.index()].extend(conjunct.now.union(&conjunct.next));
        }
    }
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    for root in model.vars.ids() {
        let mut open = vec![root];
        while let Some(var) = open.pop() {
            if seen.insert(var) {
                order.push(var);
                open.extend(
                    depends[var.index()]
                        .iter()
                        .rev()
                        .filter(|v| !seen.contains(*v)),
                );
            }
        }
    }
    order
}

/// Moves variables towards what they are tied to as long as that makes the ties shorter.
fn pull(start: Vec<VarId>, ties: &[Vec<VarId>]) -> Vec<VarId> {
    let mut best = (length(&start, ties), start.clone());
    let mut order = start;
    let mut waiting = 0;
    for _ in 0..ROUNDS {
        let place = places(&order);
        let mut sum = vec![(0.0, 0.0); order.len()];
        for tie in ties {
            let middle =
                tie.iter().map(|v| place[v.index()] as f64).sum::<f64>() / tie.len() as f64;
            for var in tie {
                let (total, weight) = &mut sum[var.index()];
                *total += middle;
                *weight += 1.0;
            }
        }
        let wish = |var: VarId| match sum[var.index()] {
            // A variable without ties stays where it is.
            (_, 0.0) => place[var.index()] as f64,
            (total, weight) => total / weight,
        };
        let mut next = order.clone();
        // The sort is stable, so variables with equal wishes keep their order.
        next.sort_by(|&a, &b| wish(a).total_cmp(&wish(b)));
        if next == order {
            break;
        }
        order = next;
        let length = length(&order, ties);
        if length < best.0 {
            best = (length, order.clone());
            waiting = 0;
        } else {
            waiting += 1;
            if waiting == PATIENCE {
                break;
            }
        }
    }
    best.1
}

/// How far the ends of all ties are apart, in sum.
fn length(order: &[VarId], ties: &[Vec<VarId>]) -> usize {
    let place = places(order);
    let span = |tie: &Vec<VarId>| {
        let places = tie.iter().map(|var| place[var.index()]);
        let (low, high) = places.fold((usize::MAX, 0), |(l, h), p| (l.min(p), h.max(p)));
        high - low
    };
    ties.iter().map(span).sum()
}

fn places(order: &[VarId]) -> Vec<usize> {
    let mut place = vec![0; order.len()];
    for (at, var) in order.iter().enumerate() {
        place[var.index()] = at;
    }
    place
}
