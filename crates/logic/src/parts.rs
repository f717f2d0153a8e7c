//! The parts of a property: claims that fail each by itself.
//!
//! A conjunction holds when each of its sides does, so a property that is one, or comes down to one, is
//! several claims at once: `AG (f & g)` is `AG f` and `AG g`, `(a | b) -> c` is `a -> c` and `b -> c`.
//! Each part keeps the operators around it, so that it reads like the property it comes from. A property
//! is equivalent to the conjunction of its parts under every path rule.

use std::rc::Rc;

use wherefore_base::{IndexVec, deep};

use crate::{Formula, LinearOp, Op, PathOp, Quantifier, SubId};

/// A property is taken apart into at most so many parts.
pub const MOST_PARTS: usize = 64;

/// A property with more sub-formulas than this is its only part.
const MOST_SUBS: usize = 4096;

/// A part of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormulaPart {
    /// What it claims.
    pub formula: Formula,
    /// For each sub-formula of the part, the sub-formula of the property that it is, if it is one
    /// unchanged.
    pub origin: IndexVec<SubId, Option<SubId>>,
}

/// The parts of a property, from left to right; a property that is no conjunction is its only part.
pub fn parts(formula: &Formula) -> Vec<FormulaPart> {
    let trees = match formula.len() {
        ..=MOST_SUBS => split(formula, formula.root(), true),
        _ => vec![ConjunctTree::Same(formula.root())],
    };
    trees.iter().map(|tree| written(formula, tree)).collect()
}

/// A formula with some of its operands replaced by parts of theirs.
#[derive(Clone)]
enum ConjunctTree {
    /// A sub-formula of the property.
    Same(SubId),
    /// Another operand of the operator of this sub-formula, or of a negation.
    Unary(Outer, Rc<ConjunctTree>),
    /// Other operands of the operator of this sub-formula.
    Binary(SubId, Rc<ConjunctTree>, Rc<ConjunctTree>),
}

#[derive(Clone, Copy)]
enum Outer {
    Not,
    Of(SubId),
}

/// The trees whose conjunction is a sub-formula, or if `holds` is false: of whose negations the
/// conjunction is the negation of the sub-formula.
fn split(formula: &Formula, sub: SubId, holds: bool) -> Vec<ConjunctTree> {
    let pieces = deep(|| pieces(formula, sub, holds));
    // A single piece is no split, and too many pieces stay one.
    match pieces.len() {
        2..=MOST_PARTS => pieces,
        _ => vec![ConjunctTree::Same(sub)],
    }
}

fn pieces(formula: &Formula, sub: SubId, holds: bool) -> Vec<ConjunctTree> {
    use LinearOp as L;
    let split = |sub, holds| split(formula, sub, holds);
    let under = |outer: Outer, trees: Vec<ConjunctTree>| -> Vec<ConjunctTree> {
        let trees = trees.into_iter().map(Rc::new);
        trees.map(|tree| ConjunctTree::Unary(outer, tree)).collect()
    };
    let pairs = |first: Vec<ConjunctTree>, second: Vec<ConjunctTree>| -> Vec<ConjunctTree> {
        if first.len() * second.len() > MOST_PARTS {
            return vec![];
        }
        let first: Vec<Rc<ConjunctTree>> = first.into_iter().map(Rc::new).collect();
        let second: Vec<Rc<ConjunctTree>> = second.into_iter().map(Rc::new).collect();
        let pairs = first
            .iter()
            .flat_map(|f| second.iter().map(move |g| (f, g)));
        pairs
            .map(|(f, g)| ConjunctTree::Binary(sub, f.clone(), g.clone()))
            .collect()
    };
    let same = |sub| vec![ConjunctTree::Same(sub)];
    match (formula.op(sub), holds) {
        (Op::Not(f), _) => under(Outer::Not, split(f, !holds)),
        (Op::And(f, g), true) | (Op::Or(f, g), false) => {
            [split(f, holds), split(g, holds)].concat()
        }
        // !(f -> g) is f & !g; what fails together with the implication is !f or g.
        (Op::Implies(f, g), false) => [under(Outer::Not, split(f, true)), split(g, false)].concat(),
        // A disjunction of two conjunctions is the conjunction of all pairs of their parts.
        (Op::Or(f, g), true) | (Op::And(f, g), false) => pairs(split(f, holds), split(g, holds)),
        (Op::Implies(f, g), true) => pairs(split(f, false), split(g, true)),
        (Op::Path(Quantifier::Forall, path), true) => match path {
            PathOp::Next(f)
            | PathOp::Globally(f)
            | PathOp::FairGlobally(f)
            | PathOp::GloballyWithin(_, f) => under(Outer::Of(sub), split(f, true)),
            // A weak until distributes over conjunctions at its left side, a release at its right side.
            PathOp::WeakUntil(f, g) => pairs(split(f, true), same(g)),
            PathOp::Release(f, g) => pairs(same(f), split(g, true)),
            _ => same(sub),
        },
        (Op::Path(Quantifier::Exists, path), false) => match path {
            PathOp::Next(f) | PathOp::Finally(f) | PathOp::FinallyWithin(_, f) => {
                under(Outer::Of(sub), split(f, false))
            }
            PathOp::Until(f, g) => pairs(same(f), split(g, false)),
            _ => same(sub),
        },
        (Op::Linear(op), true) => match op {
            L::Next(f)
            | L::Globally(f)
            | L::GloballyWithin(_, f)
            | L::Yesterday(f)
            | L::WeakYesterday(f)
            | L::Historically(f)
            | L::HistoricallyWithin(_, f) => under(Outer::Of(sub), split(f, true)),
            // Along one run both untils may end where the first of the two does.
            L::Until(f, g) | L::WeakUntil(f, g) | L::Since(f, g) => pairs(split(f, true), same(g)),
            L::Release(f, g) | L::Triggered(f, g) => pairs(same(f), split(g, true)),
            L::Finally(_) | L::FinallyWithin(..) | L::Once(_) | L::OnceWithin(..) => same(sub),
        },
        (Op::Linear(op), false) => match op {
            L::Next(f)
            | L::Finally(f)
            | L::FinallyWithin(_, f)
            | L::Yesterday(f)
            | L::WeakYesterday(f)
            | L::Once(f)
            | L::OnceWithin(_, f) => under(Outer::Of(sub), split(f, false)),
            L::Until(f, g) | L::WeakUntil(f, g) | L::Since(f, g) => pairs(same(f), split(g, false)),
            _ => same(sub),
        },
        _ => same(sub),
    }
}

fn written(formula: &Formula, tree: &ConjunctTree) -> FormulaPart {
    let mut part = FormulaPart {
        formula: Formula::new(),
        origin: IndexVec::new(),
    };
    write(formula, tree, &mut part);
    part
}

fn write(formula: &Formula, tree: &ConjunctTree, part: &mut FormulaPart) -> SubId {
    let (op, f, g) = match tree {
        ConjunctTree::Same(sub) => return copy(formula, *sub, part),
        ConjunctTree::Unary(outer, f) => {
            let f = deep(|| write(formula, f, part));
            let op = match outer {
                Outer::Not => Op::Not(f),
                Outer::Of(sub) => formula.op(*sub),
            };
            (op, f, None)
        }
        ConjunctTree::Binary(sub, f, g) => {
            let f = deep(|| write(formula, f, part));
            let g = deep(|| write(formula, g, part));
            (formula.op(*sub), f, Some(g))
        }
    };
    part.origin.push(None);
    part.formula.add(with_operands(op, f, g), None)
}

/// Copies a sub-formula of the property with everything below it.
fn copy(formula: &Formula, sub: SubId, part: &mut FormulaPart) -> SubId {
    let mut wanted: IndexVec<SubId, bool> = formula.subs().map(|at| at == sub).collect();
    // Operators come after their operands, so one pass marks all that is below.
    for at in formula.subs().rev().filter(|&at| at <= sub) {
        if wanted[at] {
            for operand in formula.op(at).operands() {
                wanted[operand] = true;
            }
        }
    }
    let mut copies: IndexVec<SubId, Option<SubId>> = formula.subs().map(|_| None).collect();
    let copied = |copies: &IndexVec<SubId, Option<SubId>>, operand: SubId| {
        copies[operand].expect("operands are copied first")
    };
    for at in formula.subs().filter(|&at| wanted[at]) {
        let node = formula.node(at);
        let mut operands = node.op.operands().map(|operand| copied(&copies, operand));
        let op = match operands.next() {
            Some(first) => with_operands(node.op, first, operands.next()),
            None => node.op,
        };
        part.origin.push(Some(at));
        copies[at] = Some(part.formula.add(op, node.span));
    }
    copied(&copies, sub)
}

/// The same operator over other operands.
fn with_operands(op: Op, f: SubId, g: Option<SubId>) -> Op {
    let mut operands = [f, g.unwrap_or(f)].into_iter();
    op.map(|operand| operands.next().unwrap_or(operand))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtomId;

    fn atom(formula: &mut Formula, number: usize) -> SubId {
        formula.add(Op::Atom(AtomId::new(number)), None)
    }

    fn always(formula: &mut Formula, sub: SubId) -> SubId {
        formula.add(Op::Path(Quantifier::Forall, PathOp::Globally(sub)), None)
    }

    fn texts(formula: &Formula) -> Vec<String> {
        let name = |atom: AtomId| ["a", "b", "c"][atom.index() % 3].to_string();
        let parts = parts(formula).into_iter().map(|part| part.formula);
        parts
            .map(|formula| formula.show(formula.root(), &name).to_string())
            .collect()
    }

    #[test]
    fn both_sides_of_an_implication_under_a_globally_are_taken_apart() {
        let mut formula = Formula::new();
        let (a, b) = (atom(&mut formula, 0), atom(&mut formula, 1));
        let either = formula.add(Op::Or(a, b), None);
        let (c, d) = (atom(&mut formula, 2), atom(&mut formula, 0));
        let both = formula.add(Op::And(c, d), None);
        let implies = formula.add(Op::Implies(either, both), None);
        always(&mut formula, implies);
        assert_eq!(
            texts(&formula),
            ["AG (a -> c)", "AG (a -> a)", "AG (b -> c)", "AG (b -> a)"]
        );
    }

    #[test]
    fn a_negation_turns_a_disjunction_into_parts() {
        let mut formula = Formula::new();
        let (a, b) = (atom(&mut formula, 0), atom(&mut formula, 1));
        let either = formula.add(Op::Or(a, b), None);
        let reach = formula.add(Op::Path(Quantifier::Exists, PathOp::Finally(either)), None);
        formula.add(Op::Not(reach), None);
        assert_eq!(texts(&formula), ["!EF a", "!EF b"]);
    }

    #[test]
    fn a_claim_that_does_not_come_apart_is_its_only_part() {
        let mut formula = Formula::new();
        let (a, b) = (atom(&mut formula, 0), atom(&mut formula, 1));
        let both = formula.add(Op::And(a, b), None);
        formula.add(Op::Path(Quantifier::Forall, PathOp::Finally(both)), None);
        let parts = parts(&formula);
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].formula, formula);
        assert!(parts[0].origin.iter().all(Option::is_some));
    }

    #[test]
    fn a_deep_formula_comes_apart_but_never_into_too_many_parts() {
        let mut formula = Formula::new();
        let mut all = atom(&mut formula, 0);
        for number in 1..MOST_PARTS {
            let next = atom(&mut formula, number);
            all = formula.add(Op::And(all, next), None);
        }
        for _ in 0..3_000 {
            all = always(&mut formula, all);
        }
        assert_eq!(parts(&formula).len(), MOST_PARTS);
        let more = atom(&mut formula, 0);
        formula.add(Op::And(all, more), None);
        assert_eq!(parts(&formula).len(), 1);
    }

    #[test]
    fn a_property_of_a_million_operators_stays_whole() {
        let mut formula = Formula::new();
        let (a, b) = (atom(&mut formula, 0), atom(&mut formula, 1));
        let mut all = formula.add(Op::And(a, b), None);
        for _ in 0..1_000_000 {
            all = always(&mut formula, all);
        }
        assert_eq!(parts(&formula).len(), 1);
    }
}
