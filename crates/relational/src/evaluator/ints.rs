//! The values of integer expressions.

use wherefore_base::deep;

use super::{IntValue, OverflowStanding, RelEvaluator};
use crate::problem::Overflow;
use crate::refusal::SearchResult;
use crate::terms::{Arithmetic, Int, IntId};

impl RelEvaluator<'_> {
    pub(super) fn int(&mut self, id: IntId) -> SearchResult<IntValue> {
        self.meter.tick()?;
        deep(|| self.int_here(id))
    }

    fn int_here(&mut self, id: IntId) -> SearchResult<IntValue> {
        let problem = self.problem;
        let (value, overflow) = match problem.int(id) {
            Int::Constant(value) => (i128::from(*value), false),
            Int::Count(a) => {
                let set = self.expr(*a)?;
                (set.rows.len() as i128, set.overflow)
            }
            Int::Value(a) => {
                let set = self.expr(*a)?;
                let atoms = self.integers.iter();
                let counted = atoms.map(|(&value, atom)| match set.rows.contains(&[*atom][..]) {
                    true => i128::from(value),
                    false => 0,
                });
                self.sum(&counted.collect::<Vec<_>>())
            }
            Int::Sum(decls, body) => {
                let (mut sum, mut overflow) = (0, false);
                self.each(decls, &mut Vec::new(), &mut |this, _| {
                    let before = std::mem::take(&mut this.denied);
                    let number = this.int(*body);
                    this.denied = before;
                    let number = number?;
                    sum += i128::from(number.value);
                    overflow |= number.overflow;
                    Ok(())
                })?;
                (sum, overflow)
            }
            Int::Arithmetic(op, a, b) => {
                let (left, right) = (self.int(*a)?, self.int(*b)?);
                let (value, over) = self.calculate(*op, left.value, right.value);
                (value, over || left.overflow || right.overflow)
            }
            Int::Choice(condition, a, b) => {
                let side = if self.formula(*condition, OverflowStanding::inner(self.denied))? {
                    a
                } else {
                    b
                };
                let number = self.int(*side)?;
                (i128::from(number.value), number.overflow)
            }
        };
        let wrapped = self.wrap(value);
        let forbidden = problem.integers().overflow == Overflow::Forbid;
        Ok(IntValue {
            value: wrapped,
            overflow: forbidden && (overflow || i128::from(wrapped) != value),
        })
    }

    /// The sum of some numbers, and whether that of one of its halves, halved again and again, overflows.
    fn sum(&self, numbers: &[i128]) -> (i128, bool) {
        if let [] | [_] = numbers {
            return (numbers.iter().sum(), false);
        }
        let (left, right) = numbers.split_at(numbers.len().div_ceil(2));
        let ((a, before), (b, then)) = (self.sum(left), self.sum(right));
        let sum = i128::from(self.wrap(a + b));
        (sum, before || then || sum != a + b)
    }

    /// The number in two's complement of the problem's width.
    fn wrap(&self, value: i128) -> i64 {
        let spare = 128 - self.problem.integers().width;
        let wrapped = value << spare >> spare;
        i64::try_from(wrapped).expect("a number of the problem's width fits 64 bits")
    }

    fn calculate(&self, op: Arithmetic, a: i64, b: i64) -> (i128, bool) {
        let width = self.problem.integers().width;
        let (x, y) = (i128::from(a), i128::from(b));
        let unsigned = |n: i128| n & ((1 << width) - 1);
        // Of a distance only as many bits count as are needed to name a bit of the number.
        let reach = i128::from(width.next_power_of_two());
        let times = 1i128 << y.rem_euclid(reach);
        match op {
            Arithmetic::Add => (x + y, false),
            Arithmetic::Subtract => (x - y, false),
            Arithmetic::Multiply => (x * y, false),
            Arithmetic::Divide => (x.checked_div(y).unwrap_or(0), y == 0),
            Arithmetic::Remainder => (x.checked_rem(y).unwrap_or(0), y == 0),
            Arithmetic::ShiftLeft => (x * times, x != 0 && unsigned(y) >= reach),
            Arithmetic::ShiftRight => (x.div_euclid(times), false),
            Arithmetic::ShiftRightZero => (i128::from(self.wrap(unsigned(x) / times)), false),
        }
    }
}
