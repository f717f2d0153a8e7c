//! How far the answer to a formula reaches from a part of a system to the whole.

use wherefore_base::deep;
use wherefore_logic::{Formula, Op, Quantifier, SubId};

/// What a formula says of paths, negations moved inwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TcmcExtent {
    /// Of every path, or of none: what fails along some of the steps fails in the whole.
    Universal,
    /// Of some path: what holds along some of the steps holds in the whole.
    Existential,
    /// Of both: leaving out steps can make it true and can make it false, so nothing can be taken out of a
    /// system that fails it.
    Mixed,
}

impl TcmcExtent {
    /// The extent of a formula.
    pub fn of(formula: &Formula) -> Self {
        let mut seen = (false, false);
        walk(formula, formula.root(), true, &mut seen);
        match seen {
            (_, false) => TcmcExtent::Universal,
            (false, true) => TcmcExtent::Existential,
            (true, true) => TcmcExtent::Mixed,
        }
    }
}

/// Notes whether there are universal and existential operators.
fn walk(formula: &Formula, sub: SubId, positive: bool, seen: &mut (bool, bool)) {
    deep(|| match formula.op(sub) {
        Op::Not(a) => walk(formula, a, !positive, seen),
        Op::Implies(a, b) => {
            walk(formula, a, !positive, seen);
            walk(formula, b, positive, seen);
        }
        Op::Iff(a, b) | Op::Xor(a, b) => {
            // The sides of an equivalence stand below an even and below an odd number of negations.
            for polarity in [true, false] {
                walk(formula, a, polarity, seen);
                walk(formula, b, polarity, seen);
            }
        }
        op => {
            if let Op::Path(quantifier, _) = op {
                match (quantifier == Quantifier::Forall) == positive {
                    true => seen.0 = true,
                    false => seen.1 = true,
                }
            }
            for operand in op.operands() {
                walk(formula, operand, positive, seen);
            }
        }
    });
}
