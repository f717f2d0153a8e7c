//! Integer expressions to bits in two's complement.
//!
//! Operations are done with as many bits as their results need and then cut to the width of the problem;
//! what is cut off says whether they overflow.

use std::rc::Rc;

use wherefore_base::deep;
use wherefore_sat::arithmetic as bits;
use wherefore_sat::{Circuit, CircuitEdge};

use super::ProblemTranslator;
use crate::matrix::{Gates, Matrix, all, any};
use crate::refusal::SearchResult;
use crate::terms::{Arithmetic, Int, IntComparison, IntId};

/// The most gates of a count in unary; larger ones are binary.
const MOST_UNARY: usize = 4096;

/// The bits of an integer, the lowest one first, the last one its sign.
pub(crate) struct BitNumber {
    bits: Vec<CircuitEdge>,
    overflow: CircuitEdge,
}

impl ProblemTranslator<'_> {
    fn int(&mut self, id: IntId) -> SearchResult<Rc<BitNumber>> {
        self.tick()?;
        let facts = self.problem.arena.int_facts(id);
        let key = self.key(id.index(), u64::from(self.denied), &facts.free, facts.uses);
        if let Some(known) = key.as_ref().and_then(|key| self.numbers.get(key)) {
            return Ok(Rc::clone(known));
        }
        let span = self.problem.int_span(id);
        let number = Rc::new(deep(|| self.at(span, |this| this.int_here(id)))?);
        if let Some(key) = key {
            self.numbers.insert(key, Rc::clone(&number));
        }
        Ok(number)
    }

    fn int_here(&mut self, id: IntId) -> SearchResult<BitNumber> {
        let problem = self.problem;
        let (wide, overflow) = match problem.int(id) {
            Int::Constant(value) => (bits::integer(*value), CircuitEdge::FALSE),
            Int::Count(a) => {
                let matrix = self.expr(*a)?;
                // The second bit is the sign: one tuple counts as one, not as minus one.
                let ones = matrix.edges().map(|edge| vec![edge, CircuitEdge::FALSE]);
                let ones = ones.collect();
                (self.total(ones)?, matrix.overflow)
            }
            Int::Value(a) => {
                let matrix = self.expr(*a)?;
                self.value_of(&matrix)?
            }
            Int::Sum(decls, body) => {
                let (mut terms, mut overflows) = (Vec::new(), Vec::new());
                self.rows(decls, &mut |this, _, guard| {
                    let number = this.int(*body)?;
                    let circuit = &mut this.circuit;
                    let term = number.bits.iter().map(|&bit| circuit.and(bit, guard));
                    terms.push(term.collect());
                    overflows.push(circuit.and(guard, number.overflow));
                    Ok(())
                })?;
                (self.total(terms)?, self.any_of(overflows))
            }
            Int::Arithmetic(op, a, b) => {
                let (left, right) = (self.int(*a)?, self.int(*b)?);
                let (wide, over) = self.calculate(*op, &left.bits, &right.bits);
                let before = self.circuit.or(left.overflow, right.overflow);
                (wide, self.circuit.or(over, before))
            }
            Int::Choice(condition, a, b) => {
                let condition = self.formula(*condition, self.condition())?;
                let (left, right) = (self.int(*a)?, self.int(*b)?);
                let (x, y) = bits::level(&left.bits, &right.bits, 0);
                let circuit = &mut self.circuit;
                let pick = |(&x, &y): (&CircuitEdge, &CircuitEdge)| circuit.ite(condition, x, y);
                let wide = x.iter().zip(&y).map(pick).collect();
                let overflow = self.circuit.ite(condition, left.overflow, right.overflow);
                (wide, overflow)
            }
        };
        Ok(self.cut(wide, overflow))
    }

    /// An integer of any width, cut to the width of the problem.
    fn cut(&mut self, mut wide: Vec<CircuitEdge>, overflow: CircuitEdge) -> BitNumber {
        let width = self.problem.integers().width as usize;
        let mut overflow = overflow;
        if wide.len() > width {
            if self.forbids() {
                // A number fits if every bit that is cut off equals the sign that is left.
                let sign = wide[width - 1];
                for &bit in &wide[width..] {
                    let differs = self.circuit.xor(bit, sign);
                    overflow = self.circuit.or(overflow, differs);
                }
            }
            wide.truncate(width);
        }
        BitNumber {
            bits: bits::narrow(wide),
            overflow: if self.forbids() {
                overflow
            } else {
                CircuitEdge::FALSE
            },
        }
    }

    fn calculate(
        &mut self,
        op: Arithmetic,
        a: &[CircuitEdge],
        b: &[CircuitEdge],
    ) -> (Vec<CircuitEdge>, CircuitEdge) {
        let width = self.problem.integers().width as usize;
        let circuit = &mut self.circuit;
        // With one bit more than either operand has, no sum and no difference overflows.
        let (x, y) = bits::level(a, b, 1);
        // Of a distance only as many bits count as are needed to name a bit of the number.
        let reach = width.next_power_of_two();
        let shift = |circuit: &mut Circuit, width: usize, left: bool, fill: Option<CircuitEdge>| {
            let by = bits::extend(b, reach.ilog2() as usize);
            let x = bits::extend(a, width);
            let fill = fill.unwrap_or(x[width - 1]);
            bits::shift(circuit, &x, &by, left, fill)
        };
        let no = CircuitEdge::FALSE;
        match op {
            Arithmetic::Add => (bits::sum(circuit, &x, &y, no), no),
            Arithmetic::Subtract => (bits::difference(circuit, &x, &y), no),
            Arithmetic::Multiply => {
                // A product has at most as many bits as both factors together.
                let width = a.len() + b.len();
                let (x, y) = (bits::extend(a, width), bits::extend(b, width));
                (bits::product(circuit, &x, &y), no)
            }
            Arithmetic::Divide | Arithmetic::Remainder => {
                let (whole, rest) = bits::quotient(circuit, &x, &y, true);
                // Division by zero counts as overflow.
                let by_zero = !circuit.any(b.iter().copied());
                match op {
                    Arithmetic::Divide => (whole, by_zero),
                    _ => (rest, by_zero),
                }
            }
            Arithmetic::ShiftLeft => {
                // A distance with a bit beyond those that count moves every bit out; zero stays what it is.
                let far = bits::extend(b, width)
                    .into_iter()
                    .skip(reach.ilog2() as usize);
                let (far, some) = (circuit.any(far), circuit.any(a.iter().copied()));
                let too_far = circuit.and(far, some);
                (shift(circuit, width + reach, true, Some(no)), too_far)
            }
            Arithmetic::ShiftRight => (shift(circuit, width, false, None), no),
            Arithmetic::ShiftRightZero => (shift(circuit, width, false, Some(no)), no),
        }
    }

    /// The sum of integers, in a tree.
    fn total(&mut self, mut terms: Vec<Vec<CircuitEdge>>) -> SearchResult<Vec<CircuitEdge>> {
        while terms.len() > 1 {
            let mut half = Vec::with_capacity(terms.len().div_ceil(2));
            for pair in terms.chunks(2) {
                self.tick()?;
                half.push(match pair {
                    [a, b] => {
                        let (a, b) = bits::level(a, b, 1);
                        let sum = bits::sum(&mut self.circuit, &a, &b, CircuitEdge::FALSE);
                        bits::narrow(sum)
                    }
                    _ => pair[0].clone(),
                });
            }
            terms = half;
        }
        Ok(terms.pop().unwrap_or_else(|| bits::integer(0)))
    }

    /// The sum of the integers whose atoms are in a set, and whether it overflows. Overflow on the way to the set is
    /// forgotten.
    fn value_of(&mut self, set: &Matrix) -> SearchResult<(Vec<CircuitEdge>, CircuitEdge)> {
        let mut terms = Vec::new();
        for &(atom, value) in &self.problem.integers().atoms {
            let edge = set.get(self.packing.pack(&[atom]));
            // Where overflow counts, zeros stay: they decide how the sum is divided into halves.
            if edge == CircuitEdge::FALSE && !self.forbids() {
                continue;
            }
            let circuit = &mut self.circuit;
            let masked = bits::integer(value).into_iter();
            terms.push(masked.map(|bit| circuit.and(bit, edge)).collect::<Vec<_>>());
        }
        match set.lone {
            true => {}
            false if self.forbids() => return self.halves(&terms),
            false => return Ok((self.total(terms)?, CircuitEdge::FALSE)),
        }
        // At most one of them is not zero.
        let width = terms.iter().map(Vec::len).max().unwrap_or(1);
        let mut value = vec![Vec::new(); width];
        for term in &terms {
            let term = bits::extend(term, width);
            for (column, bit) in value.iter_mut().zip(term) {
                column.push(bit);
            }
        }
        let value = value.into_iter().map(|column| self.any_of(column));
        Ok((value.collect(), CircuitEdge::FALSE))
    }

    /// The sum of integers, each half by itself; it overflows where a part of it does.
    fn halves(
        &mut self,
        terms: &[Vec<CircuitEdge>],
    ) -> SearchResult<(Vec<CircuitEdge>, CircuitEdge)> {
        self.tick()?;
        let (left, right) = match terms {
            [] => return Ok((bits::integer(0), CircuitEdge::FALSE)),
            [term] => return Ok((term.clone(), CircuitEdge::FALSE)),
            _ => terms.split_at(terms.len().div_ceil(2)),
        };
        let ((left, before), (right, then)) = (self.halves(left)?, self.halves(right)?);
        let (left, right) = bits::level(&left, &right, 1);
        let sum = bits::sum(&mut self.circuit, &left, &right, CircuitEdge::FALSE);
        let overflow = self.circuit.or(before, then);
        let number = self.cut(bits::narrow(sum), overflow);
        Ok((number.bits, number.overflow))
    }

    /// The set of the atom of an integer.
    pub(super) fn atom_of(&mut self, a: IntId) -> SearchResult<Matrix> {
        let number = self.int(a)?;
        let mut cells = Vec::new();
        for &(atom, value) in &self.problem.integers().atoms {
            let (x, y) = bits::level(&number.bits, &bits::integer(value), 0);
            let edge = bits::equal(&mut self.circuit, &x, &y);
            let edge = self.circuit.and(edge, !number.overflow);
            cells.push((self.packing.pack(&[atom]), edge));
        }
        let mut matrix = Matrix::gather(1, cells, &mut self.circuit);
        matrix.lone = true;
        matrix.overflow = number.overflow;
        Ok(matrix)
    }

    /// The edge of a comparison, and whether each side overflows.
    pub(super) fn compare(
        &mut self,
        how: IntComparison,
        a: IntId,
        b: IntId,
    ) -> SearchResult<(CircuitEdge, [CircuitEdge; 2])> {
        if let Some(found) = self.compare_count(how, a, b)? {
            return Ok(found);
        }
        if let Some(found) = self.compare_counts(how, a, b)? {
            return Ok(found);
        }
        let (left, right) = (self.int(a)?, self.int(b)?);
        let (x, y) = bits::level(&left.bits, &right.bits, 0);
        let circuit = &mut self.circuit;
        let edge = match how {
            IntComparison::Equal => bits::equal(circuit, &x, &y),
            IntComparison::Less => bits::less(circuit, &x, &y, true, false),
            IntComparison::AtMost => bits::less(circuit, &x, &y, true, true),
        };
        Ok((edge, [left.overflow, right.overflow]))
    }

    /// A count against a constant, in unary where that is small: it propagates better.
    fn compare_count(
        &mut self,
        how: IntComparison,
        a: IntId,
        b: IntId,
    ) -> SearchResult<Option<(CircuitEdge, [CircuitEdge; 2])>> {
        let problem = self.problem;
        let (set, limit, count_first) = match (problem.int(a), problem.int(b)) {
            (Int::Count(set), Int::Constant(limit)) => (*set, *limit, true),
            (Int::Constant(limit), Int::Count(set)) => (*set, *limit, false),
            _ => return Ok(None),
        };
        let largest = (1_i64 << (problem.integers().width - 1)) - 1;
        // A constant that may not fit into the width is left to the general case.
        if limit > largest || limit < -largest {
            return Ok(None);
        }
        let matrix = self.expr(set)?;
        let edges: Vec<CircuitEdge> = matrix.edges().collect();
        let small = |size: i64| usize::try_from(size).unwrap_or(0).min(edges.len());
        let size = small(limit + 1).min(edges.len() - small(limit) + 1);
        // So is a count that may overflow.
        if edges.len() as i64 > largest || edges.len() * size > MOST_UNARY {
            return Ok(None);
        }
        let circuit = &mut self.circuit;
        let edge = match (how, count_first) {
            (IntComparison::Equal, _) => {
                let (least, more) = (
                    at_least(circuit, &edges, limit),
                    at_least(circuit, &edges, limit + 1),
                );
                circuit.and(least, !more)
            }
            (IntComparison::Less, true) => !at_least(circuit, &edges, limit),
            (IntComparison::AtMost, true) => !at_least(circuit, &edges, limit + 1),
            (IntComparison::Less, false) => at_least(circuit, &edges, limit + 1),
            (IntComparison::AtMost, false) => at_least(circuit, &edges, limit),
        };
        let overflow = match count_first {
            true => [matrix.overflow, CircuitEdge::FALSE],
            false => [CircuitEdge::FALSE, matrix.overflow],
        };
        Ok(Some((edge, overflow)))
    }

    /// Two counts, in unary where that is small.
    fn compare_counts(
        &mut self,
        how: IntComparison,
        a: IntId,
        b: IntId,
    ) -> SearchResult<Option<(CircuitEdge, [CircuitEdge; 2])>> {
        let problem = self.problem;
        let (Int::Count(x), Int::Count(y)) = (problem.int(a), problem.int(b)) else {
            return Ok(None);
        };
        let (left, right) = (self.expr(*x)?, self.expr(*y)?);
        let most = left.cells.len().max(right.cells.len());
        let largest = (1_usize << (problem.integers().width - 1)) - 1;
        if most > largest || most * most > MOST_UNARY {
            return Ok(None);
        }
        let circuit = &mut self.circuit;
        let [mut few, mut many] = [&left, &right].map(|matrix| {
            let edges: Vec<CircuitEdge> = matrix.edges().collect();
            unary(circuit, &edges)
        });
        few.resize(most, CircuitEdge::FALSE);
        many.resize(most, CircuitEdge::FALSE);
        let pairs = few.iter().zip(&many);
        let edge = match how {
            IntComparison::Equal => {
                let same: Vec<CircuitEdge> = pairs.map(|(&a, &b)| circuit.iff(a, b)).collect();
                let equal = all(circuit, same);
                self.hint_counts(&few, &many, equal);
                equal
            }
            IntComparison::Less => {
                let less: Vec<CircuitEdge> = pairs.map(|(&a, &b)| circuit.and(!a, b)).collect();
                any(circuit, less)
            }
            IntComparison::AtMost => {
                let held: Vec<CircuitEdge> = pairs.map(|(&a, &b)| circuit.or(!a, b)).collect();
                all(circuit, held)
            }
        };
        Ok(Some((edge, [left.overflow, right.overflow])))
    }

    /// Two counts in unary that have the same value are equal. A solver that is told so for each value knows
    /// from the value of one of them which one the other must not have.
    fn hint_counts(&mut self, few: &[CircuitEdge], many: &[CircuitEdge], equal: CircuitEdge) {
        if equal.as_constant().is_some() {
            return;
        }
        let reached = |count: &[CircuitEdge], value: usize| match value {
            0 => CircuitEdge::TRUE,
            _ => count.get(value - 1).copied().unwrap_or(CircuitEdge::FALSE),
        };
        for value in 0..=few.len().max(many.len()) {
            let circuit = &mut self.circuit;
            let [a, b] = [few, many]
                .map(|count| circuit.and(reached(count, value), !reached(count, value + 1)));
            let both = circuit.and(a, b);
            let hint = circuit.or(!both, equal);
            if hint != CircuitEdge::TRUE {
                self.hints.push(hint);
            }
        }
    }
}

/// For each number from 1 on, whether at least so many of the edges are true (Bailleux and Boufkhad
/// 2003).
fn unary(circuit: &mut Circuit, edges: &[CircuitEdge]) -> Vec<CircuitEdge> {
    if edges.len() < 2 {
        return edges.to_vec();
    }
    let (left, right) = edges.split_at(edges.len() / 2);
    let (left, right) = (unary(circuit, left), unary(circuit, right));
    let reached = |half: &[CircuitEdge], count: usize| match count {
        0 => CircuitEdge::TRUE,
        _ => half.get(count - 1).copied().unwrap_or(CircuitEdge::FALSE),
    };
    let mut merged = Vec::with_capacity(edges.len());
    for count in 1..=edges.len() {
        let ways = (0..=count).map(|own| {
            let (a, b) = (reached(&left, own), reached(&right, count - own));
            circuit.and(a, b)
        });
        let ways: Vec<CircuitEdge> = ways.collect();
        merged.push(any(circuit, ways));
    }
    merged
}

/// At least so many of the edges are true: a counter in unary along the edges (Sinz 2005).
fn at_least(circuit: &mut Circuit, edges: &[CircuitEdge], least: i64) -> CircuitEdge {
    let Ok(least) = usize::try_from(least) else {
        return CircuitEdge::TRUE;
    };
    if least > edges.len() {
        return CircuitEdge::FALSE;
    }
    // At least so many true ones means fewer than the rest are false: the smaller counter is built.
    if least > edges.len() / 2 + 1 {
        let negated: Vec<CircuitEdge> = edges.iter().map(|&edge| !edge).collect();
        return !at_least(circuit, &negated, (edges.len() - least + 1) as i64);
    }
    let mut reached = vec![CircuitEdge::FALSE; least + 1];
    reached[0] = CircuitEdge::TRUE;
    for &edge in edges {
        // Downwards, so that no edge is counted twice.
        for count in (1..=least).rev() {
            let one_more = circuit.and(edge, reached[count - 1]);
            reached[count] = circuit.or(reached[count], one_more);
        }
    }
    reached[least]
}
