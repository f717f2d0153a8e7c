//! Operators of two terms: logic, comparisons, arithmetic and membership.

use wherefore_base::{Run, deep};
use wherefore_model::{BinaryOp, Term, TermId};

use super::{Blaster, Signal, bits, constant, kin, when};
use crate::circuit::{Circuit, CircuitEdge};

impl Blaster<'_> {
    pub(super) fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Run<Signal> {
        use BinaryOp as B;
        Ok(Signal::Bool(match op {
            B::And => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                self.circuit.and(a, b)
            }
            B::Or => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                self.circuit.or(a, b)
            }
            B::Implies => {
                let (a, b) = (self.condition(a)?, self.condition(b)?);
                self.circuit.or(!a, b)
            }
            B::Equal => self.equal_terms(a, b)?,
            B::Unequal => !self.equal_terms(a, b)?,
            B::Less => self.less(a, b, false)?,
            B::LessEqual => self.less(a, b, true)?,
            B::Greater => self.less(b, a, false)?,
            B::GreaterEqual => self.less(b, a, true)?,
            _ => return self.calculate(op, a, b),
        }))
    }

    pub(super) fn equal_terms(&mut self, a: TermId, b: TermId) -> Run<CircuitEdge> {
        // Between a variable and a constant the bits of the index decide, whatever the values are.
        for (one, other) in [(a, b), (b, a)] {
            let other = self.model.terms.get(other);
            if let Some((var, side)) = self.variable(one)
                && let Term::Const(value) = other
            {
                let index = self.model.vars[var].domain.index_of(*value);
                return Ok(index.map_or(CircuitEdge::FALSE, |index| self.has(var, side, index)));
            }
        }
        if let (Some((x, x_side)), Some((y, y_side))) = (self.variable(a), self.variable(b))
            && self.model.vars[x].domain == self.model.vars[y].domain
        {
            let (x, y) = (self.bits(x, x_side).to_vec(), self.bits(y, y_side).to_vec());
            return Ok(bits::equal(&mut self.circuit, &x, &y));
        }
        let (a, b) = (self.signal(a)?, self.signal(b)?);
        self.equal(&a, &b)
    }

    pub(super) fn equal(&mut self, a: &Signal, b: &Signal) -> Run<CircuitEdge> {
        Ok(match (a, b) {
            (Signal::Bool(a), Signal::Bool(b)) => self.circuit.iff(*a, *b),
            (Signal::Int(a), Signal::Int(b)) => {
                let (a, b) = bits::level(a, b, 0);
                bits::equal(&mut self.circuit, &a, &b)
            }
            (Signal::Word(signed, a), Signal::Word(other, b)) => {
                if signed != other || a.len() != b.len() {
                    return Ok(CircuitEdge::FALSE);
                }
                bits::equal(&mut self.circuit, a, b)
            }
            (Signal::Parts(parts), other) | (other, Signal::Parts(parts)) => {
                let mut same = Vec::new();
                for (value, when) in parts.iter() {
                    let here = match other {
                        Signal::Parts(others) => self::when(others, *value),
                        _ if !kin(other, *value) => CircuitEdge::FALSE,
                        _ => self.equal(other, &constant(*value))?,
                    };
                    same.push(self.circuit.and(*when, here));
                }
                self.circuit.any(same)
            }
            _ => CircuitEdge::FALSE,
        })
    }

    pub(super) fn less(&mut self, a: TermId, b: TermId, or_equal: bool) -> Run<CircuitEdge> {
        if let (Signal::Word(signed, x), Signal::Word(_, y)) = (self.signal(a)?, self.signal(b)?) {
            let circuit = &mut self.circuit;
            return Ok(bits::less(circuit, &x, &y, signed, or_equal));
        }
        let (a, b) = (self.integer(a)?, self.integer(b)?);
        let (a, b) = bits::level(&a, &b, 0);
        Ok(bits::less(&mut self.circuit, &a, &b, true, or_equal))
    }

    pub(super) fn calculate(&mut self, op: BinaryOp, a: TermId, b: TermId) -> Run<Signal> {
        use BinaryOp as B;
        let left = self.signal(a)?;
        if let (Signal::Word(signed, word), B::ShiftLeft | B::ShiftRight) = (&left, op) {
            let by = self.integer(b)?;
            // Nothing is shifted by a negative number.
            let negative = by.last().copied().unwrap_or(CircuitEdge::FALSE);
            // An integer has a sign at least, so the list is not empty.
            let by: Vec<CircuitEdge> = by[..by.len() - 1]
                .iter()
                .map(|&bit| self.circuit.and(bit, !negative))
                .collect();
            let left = op == B::ShiftLeft;
            let fill = match (left, signed, word.last()) {
                (false, true, Some(&sign)) => sign,
                _ => CircuitEdge::FALSE,
            };
            let shifted = bits::shift(&mut self.circuit, word, &by, left, fill);
            return Ok(Signal::Word(*signed, shifted.into()));
        }
        if let (Signal::Word(signed, x), Signal::Word(_, y)) = (&left, self.signal(b)?) {
            return Ok(self.calculate_words(op, *signed, x, &y));
        }
        let (x, y) = (self.integer(a)?, self.integer(b)?);
        let circuit = &mut self.circuit;
        let spare = match op {
            // A product has as many bits as both factors together.
            B::Mul => x.len().min(y.len()),
            _ => 1,
        };
        let (x, y) = bits::level(&x, &y, spare);
        let number = match op {
            B::Add => bits::sum(circuit, &x, &y, CircuitEdge::FALSE),
            B::Sub => bits::difference(circuit, &x, &y),
            B::Mul => bits::product(circuit, &x, &y),
            B::Div => bits::quotient(circuit, &x, &y, true).0,
            B::Mod => bits::quotient(circuit, &x, &y, true).1,
            _ => bits::integer(0),
        };
        Ok(Signal::Int(bits::narrow(number).into()))
    }

    pub(super) fn calculate_words(
        &mut self,
        op: BinaryOp,
        signed: bool,
        a: &[CircuitEdge],
        b: &[CircuitEdge],
    ) -> Signal {
        use BinaryOp as B;
        let circuit = &mut self.circuit;
        let each =
            |circuit: &mut Circuit,
             gate: fn(&mut Circuit, CircuitEdge, CircuitEdge) -> CircuitEdge| {
                let pairs = a.iter().zip(b);
                pairs.map(|(a, b)| gate(circuit, *a, *b)).collect()
            };
        let word: Vec<CircuitEdge> = match op {
            B::BitAnd => each(circuit, Circuit::and),
            B::BitOr => each(circuit, Circuit::or),
            B::BitXor => each(circuit, Circuit::xor),
            // The lowest bit comes first, so the right operand does.
            B::Concat => return Signal::Word(false, [b, a].concat().into()),
            B::Add => bits::sum(circuit, a, b, CircuitEdge::FALSE),
            B::Sub => bits::difference(circuit, a, b),
            B::Mul => bits::product(circuit, a, b),
            B::Div => bits::quotient(circuit, a, b, signed).0,
            B::Mod => bits::quotient(circuit, a, b, signed).1,
            _ => a.to_vec(),
        };
        Signal::Word(signed, word.into())
    }

    /// When each value of `a` is a value of `b`.
    pub(super) fn member(&mut self, a: TermId, b: TermId) -> Run<CircuitEdge> {
        let model = self.model;
        match model.terms.get(a) {
            Term::Set(members) => {
                let inside = members.iter().map(|&m| deep(|| self.member(m, b)));
                let inside = inside.collect::<Run<Vec<CircuitEdge>>>()?;
                Ok(self.circuit.all(inside))
            }
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                let then = deep(|| self.member(*then, b))?;
                let otherwise = deep(|| self.member(*otherwise, b))?;
                Ok(self.circuit.ite(condition, then, otherwise))
            }
            _ => self.among(a, b),
        }
    }

    /// When the value of `a` is one of the values of `b`.
    pub(super) fn among(&mut self, a: TermId, b: TermId) -> Run<CircuitEdge> {
        if let Some(&known) = self.members.get(&(a, b)) {
            return Ok(known);
        }
        let model = self.model;
        let edge = match model.terms.get(b) {
            Term::Set(members) => {
                let inside = members.iter().map(|&m| deep(|| self.among(a, m)));
                let inside = inside.collect::<Run<Vec<CircuitEdge>>>()?;
                self.circuit.any(inside)
            }
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                let then = deep(|| self.among(a, *then))?;
                let otherwise = deep(|| self.among(a, *otherwise))?;
                self.circuit.ite(condition, then, otherwise)
            }
            _ => self.equal_terms(a, b)?,
        };
        self.members.insert((a, b), edge);
        Ok(edge)
    }
}
