//! Formulas to try: all of them up to a size, or random ones.

use std::collections::HashMap;

use wherefore_logic::{AtomId, Bounds, Formula, Op, PathOp, Quantifier, SubId};

use crate::Rng;

/// A formula as a tree, which is easier to put together than a [`Formula`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CtlTree {
    /// A constant.
    Const(bool),
    /// A proposition.
    Atom(usize),
    /// An operator with its operands.
    Apply(Operator, Vec<CtlTree>),
}

/// An operator without its operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Not,
    And,
    Or,
    Implies,
    Iff,
    Xor,
    Next(Quantifier),
    Finally(Quantifier),
    Globally(Quantifier),
    FairGlobally(Quantifier),
    Until(Quantifier),
    WeakUntil(Quantifier),
    Release(Quantifier),
    FinallyWithin(Quantifier, Bounds),
    GloballyWithin(Quantifier, Bounds),
    UntilWithin(Quantifier, Bounds),
}

impl Operator {
    /// How many operands it takes.
    pub fn arity(self) -> usize {
        match self {
            Operator::Not
            | Operator::Next(_)
            | Operator::Finally(_)
            | Operator::Globally(_)
            | Operator::FairGlobally(_)
            | Operator::FinallyWithin(..)
            | Operator::GloballyWithin(..) => 1,
            _ => 2,
        }
    }

    fn op(self, operands: &[SubId]) -> Op {
        let f = operands[0];
        // Only operators with two operands read the second.
        let g = operands[operands.len() - 1];
        match self {
            Operator::Not => Op::Not(f),
            Operator::And => Op::And(f, g),
            Operator::Or => Op::Or(f, g),
            Operator::Implies => Op::Implies(f, g),
            Operator::Iff => Op::Iff(f, g),
            Operator::Xor => Op::Xor(f, g),
            Operator::Next(q) => Op::Path(q, PathOp::Next(f)),
            Operator::Finally(q) => Op::Path(q, PathOp::Finally(f)),
            Operator::Globally(q) => Op::Path(q, PathOp::Globally(f)),
            Operator::FairGlobally(q) => Op::Path(q, PathOp::FairGlobally(f)),
            Operator::Until(q) => Op::Path(q, PathOp::Until(f, g)),
            Operator::WeakUntil(q) => Op::Path(q, PathOp::WeakUntil(f, g)),
            Operator::Release(q) => Op::Path(q, PathOp::Release(f, g)),
            Operator::FinallyWithin(q, b) => Op::Path(q, PathOp::FinallyWithin(b, f)),
            Operator::GloballyWithin(q, b) => Op::Path(q, PathOp::GloballyWithin(b, f)),
            Operator::UntilWithin(q, b) => Op::Path(q, PathOp::UntilWithin(b, f, g)),
        }
    }
}

impl CtlTree {
    /// The formula of this tree.
    pub fn formula(&self) -> Formula {
        let mut formula = Formula::new();
        self.add_to(&mut formula);
        formula
    }

    /// Adds this tree to a formula and returns where it stands there.
    pub fn add_to(&self, formula: &mut Formula) -> SubId {
        let op = match self {
            CtlTree::Const(value) => Op::Const(*value),
            CtlTree::Atom(atom) => Op::Atom(AtomId::new(*atom)),
            CtlTree::Apply(operator, operands) => {
                let operands: Vec<SubId> = operands
                    .iter()
                    .map(|operand| operand.add_to(formula))
                    .collect();
                operator.op(&operands)
            }
        };
        formula.add(op, None)
    }

    fn share_in(&self, formula: &mut Formula, known: &mut HashMap<CtlTree, SubId>) -> SubId {
        if let Some(&sub) = known.get(self) {
            return sub;
        }
        let op = match self {
            CtlTree::Const(value) => Op::Const(*value),
            CtlTree::Atom(atom) => Op::Atom(AtomId::new(*atom)),
            CtlTree::Apply(operator, operands) => {
                let operands: Vec<SubId> = operands
                    .iter()
                    .map(|operand| operand.share_in(formula, known))
                    .collect();
                operator.op(&operands)
            }
        };
        let sub = formula.add(op, None);
        known.insert(self.clone(), sub);
        sub
    }
}

/// Many trees in one [`Formula`], equal parts shared, and where each of them stands in it.
///
/// Shared parts break the rule that ids name occurrences, which only proofs rely on: the result is good
/// for asking a checker many things at once and for nothing else. The last tree is the root, unless it
/// is a part of another.
pub fn forest(trees: &[CtlTree]) -> (Formula, Vec<SubId>) {
    let mut formula = Formula::new();
    let mut known = HashMap::new();
    let roots = trees
        .iter()
        .map(|tree| tree.share_in(&mut formula, &mut known));
    let roots = roots.collect();
    (formula, roots)
}

/// Every temporal operator, with both quantifiers and some bounds.
pub fn temporal_operators() -> Vec<Operator> {
    let mut operators = Vec::new();
    for q in [Quantifier::Exists, Quantifier::Forall] {
        operators.extend([
            Operator::Next(q),
            Operator::Finally(q),
            Operator::Globally(q),
            Operator::FairGlobally(q),
            Operator::Until(q),
            Operator::WeakUntil(q),
            Operator::Release(q),
        ]);
        for (least, most) in [(0, 0), (0, 2), (1, 1), (1, 3)] {
            let bounds = Bounds { least, most };
            operators.extend([
                Operator::FinallyWithin(q, bounds),
                Operator::GloballyWithin(q, bounds),
                Operator::UntilWithin(q, bounds),
            ]);
        }
    }
    operators
}

/// Every operator of propositional logic.
pub fn logical_operators() -> Vec<Operator> {
    vec![
        Operator::Not,
        Operator::And,
        Operator::Or,
        Operator::Implies,
        Operator::Iff,
        Operator::Xor,
    ]
}

/// All trees with exactly `size` operators over the leaves.
pub fn all_of_size(size: usize, leaves: &[CtlTree], operators: &[Operator]) -> Vec<CtlTree> {
    if size == 0 {
        return leaves.to_vec();
    }
    let smaller: Vec<Vec<CtlTree>> = (0..size)
        .map(|size| all_of_size(size, leaves, operators))
        .collect();
    let mut trees = Vec::new();
    for &operator in operators {
        if operator.arity() == 1 {
            let apply = |f: &CtlTree| CtlTree::Apply(operator, vec![f.clone()]);
            trees.extend(smaller[size - 1].iter().map(apply));
            continue;
        }
        for left in 0..size {
            for f in &smaller[left] {
                for g in &smaller[size - 1 - left] {
                    trees.push(CtlTree::Apply(operator, vec![f.clone(), g.clone()]));
                }
            }
        }
    }
    trees
}

/// A random tree with at most `size` operators over `atoms` propositions.
pub fn random(rng: &mut Rng, size: usize, atoms: usize) -> CtlTree {
    if size == 0 {
        return match rng.below(12) {
            0 => CtlTree::Const(false),
            1 => CtlTree::Const(true),
            _ => CtlTree::Atom(rng.below(atoms)),
        };
    }
    let operators = if rng.chance(2, 5) {
        logical_operators()
    } else {
        temporal_operators()
    };
    // The bounded operators are many, but should not be most.
    let unbounded = !rng.chance(1, 3);
    let fits = |operator: &&Operator| !(unbounded && is_bounded(**operator));
    let operators: Vec<Operator> = operators.iter().filter(fits).copied().collect();
    let operator = *rng.pick(&operators);
    let rest = size - 1;
    let operands = if operator.arity() == 1 {
        vec![random(rng, rest, atoms)]
    } else {
        let left = rng.below(rest + 1);
        vec![random(rng, left, atoms), random(rng, rest - left, atoms)]
    };
    CtlTree::Apply(operator, operands)
}

fn is_bounded(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::FinallyWithin(..) | Operator::GloballyWithin(..) | Operator::UntilWithin(..)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_trees_of_a_size_are_counted() {
        let leaves = [CtlTree::Atom(0), CtlTree::Const(true)];
        let operators = [Operator::Not, Operator::And];
        assert_eq!(all_of_size(1, &leaves, &operators).len(), 2 + 4);
        // Not over 6, And over 2 * 6 + 6 * 2.
        assert_eq!(all_of_size(2, &leaves, &operators).len(), 6 + 24);
    }

    #[test]
    fn a_forest_shares_equal_parts_and_says_where_each_tree_stands() {
        let not_p = CtlTree::Apply(Operator::Not, vec![CtlTree::Atom(0)]);
        let trees = [
            CtlTree::Atom(0),
            not_p.clone(),
            CtlTree::Apply(Operator::Not, vec![not_p]),
        ];
        let (formula, roots) = forest(&trees);
        assert_eq!(formula.len(), 3);
        assert_eq!(formula.op(roots[1]), Op::Not(roots[0]));
        assert_eq!(formula.op(roots[2]), Op::Not(roots[1]));
    }
}
