//! Occurrences of sub-formulas, their polarity, and formulas with one occurrence replaced.
//!
//! This is what vacuity detection needs: replace an occurrence by the constant that makes the whole
//! formula hardest to satisfy; if it still holds, the occurrence never mattered
//! (Beer, Ben-David, Eisner and Rodeh 2001; Kupferman and Vardi 2003).

use wherefore_base::IndexVec;

use crate::{Formula, Op, SubId};

/// How the truth of an occurrence pulls the truth of the whole formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Polarity {
    /// The truer it is, the truer the formula.
    Positive,
    /// The truer it is, the falser the formula.
    Negative,
    /// Both (under `<->` or `xor`).
    Mixed,
}

impl Polarity {
    fn flipped(self) -> Self {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Mixed => Polarity::Mixed,
        }
    }

    /// The constants that make the whole formula hardest to satisfy; both if mixed.
    pub fn worst(self) -> &'static [bool] {
        match self {
            Polarity::Positive => &[false],
            Polarity::Negative => &[true],
            Polarity::Mixed => &[false, true],
        }
    }
}

/// The polarity of every occurrence of a sub-formula.
pub fn occurrences(formula: &Formula) -> IndexVec<SubId, Polarity> {
    let mut polarity: IndexVec<SubId, Polarity> =
        formula.subs().map(|_| Polarity::Positive).collect();
    // Operators come after their operands, so this goes from the root down.
    for sub in formula.subs().rev() {
        let here = polarity[sub];
        let op = formula.op(sub);
        for (place, operand) in op.operands().enumerate() {
            polarity[operand] = match op {
                Op::Not(_) => here.flipped(),
                Op::Implies(..) if place == 0 => here.flipped(),
                Op::Iff(..) | Op::Xor(..) => Polarity::Mixed,
                _ => here,
            };
        }
    }
    polarity
}

/// The formula with one occurrence replaced by a constant; ids stay the same. What contains the
/// occurrence no longer stands in the source.
pub fn replaced(formula: &Formula, occurrence: SubId, by: bool) -> Formula {
    let mut result = Formula::new();
    let mut touched: IndexVec<SubId, bool> = IndexVec::new();
    for sub in formula.subs() {
        let node = formula.node(sub);
        let here = sub == occurrence;
        touched.push(here || node.op.operands().any(|operand| touched[operand]));
        let op = if here { Op::Const(by) } else { node.op };
        result.add(op, node.span.filter(|_| !touched[sub]));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtomId;

    #[test]
    fn the_left_side_of_an_implication_is_negative() {
        let mut formula = Formula::new();
        let p = formula.add(Op::Atom(AtomId::new(0)), None);
        let not = formula.add(Op::Not(p), None);
        let q = formula.add(Op::Atom(AtomId::new(1)), None);
        formula.add(Op::Implies(not, q), None);
        let polarity = occurrences(&formula);
        assert_eq!(polarity[p], Polarity::Positive);
        assert_eq!(polarity[not], Polarity::Negative);
        assert_eq!(polarity[q], Polarity::Positive);
    }
}
