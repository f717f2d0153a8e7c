//! Terms to wires, read off the definition of [`wherefore_model::Interpreter`].
//!
//! A [`TermReading`] says what the variables are, now and next. They need not be inputs of the netlist: with a
//! function of the present state in place of the next one, a constraint on steps says when that function
//! makes a step.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run, deep};
use wherefore_model::{BinaryOp, Constraint, Model, Requirement, Term, TermId, VarId, WordOp};

use crate::netlist::{Netlist, Wire};
use crate::numbers::{self, Division};
use crate::values::EncodedValue;

/// What variables are, and what the terms of a model denote there.
pub(crate) struct TermReading<'m> {
    model: &'m Model,
    budget: Budget,
    /// The variables of the present state, then the inputs.
    now: Vec<EncodedValue>,
    /// The variables of the next state.
    next: Vec<EncodedValue>,
    /// For each term whether it reads the next state.
    reads_next: Rc<[bool]>,
    /// What is known of terms that do not read the next state.
    of_now: FxHashMap<TermId, EncodedValue>,
    /// What is known of the others.
    of_next: FxHashMap<TermId, EncodedValue>,
}

/// For each term of a model whether it reads the next state.
pub(crate) fn reads_next(model: &Model) -> Rc<[bool]> {
    let mut reads: Vec<bool> = Vec::with_capacity(model.terms.len());
    for term in (0..model.terms.len()).map(TermId::new) {
        let term = model.terms.get(term);
        // Operands have lower numbers, so what they read is known.
        let read = matches!(term, Term::Next(_)) || term.operands().any(|o| reads[o.index()]);
        reads.push(read);
    }
    reads.into()
}

impl<'m> TermReading<'m> {
    pub(crate) fn new(
        model: &'m Model,
        reads_next: &Rc<[bool]>,
        now: Vec<EncodedValue>,
        next: Vec<EncodedValue>,
        budget: &Budget,
    ) -> Self {
        Self {
            model,
            budget: budget.clone(),
            now,
            next,
            reads_next: Rc::clone(reads_next),
            of_now: FxHashMap::default(),
            of_next: FxHashMap::default(),
        }
    }

    /// Takes other variables for the next state.
    pub(crate) fn set_next(&mut self, next: Vec<EncodedValue>) {
        self.next = next;
        self.of_next.clear();
    }

    /// Takes another value for a variable of the next state.
    pub(crate) fn set_next_variable(&mut self, var: VarId, value: EncodedValue) {
        self.next[var.index()] = value;
        self.of_next.clear();
    }

    /// A variable of the present state or an input.
    pub(crate) fn variable(&self, var: VarId) -> &EncodedValue {
        &self.now[var.index()]
    }

    /// Whether a term reads the next state.
    pub(crate) fn reads_next(&self, term: TermId) -> bool {
        self.reads_next[term.index()]
    }

    /// When a condition is true.
    pub(crate) fn condition(&mut self, netlist: &mut Netlist, term: TermId) -> Run<Wire> {
        let value = self.value(netlist, term)?;
        Ok(netlist.is_true(&value))
    }

    /// When a constraint is met; `of_step`: it assigns values of the next state.
    pub(crate) fn constraint(
        &mut self,
        netlist: &mut Netlist,
        constraint: &Constraint,
        of_step: bool,
    ) -> Run<Wire> {
        match constraint.requires {
            Requirement::Holds(term) => self.condition(netlist, term),
            Requirement::Assign(var, term) => {
                let side = if of_step { &self.next } else { &self.now };
                let value = side[var.index()].clone();
                self.is_among(netlist, &value, term)
            }
        }
    }

    /// When a value is one of those that a term denotes.
    pub(crate) fn is_among(
        &mut self,
        netlist: &mut Netlist,
        value: &EncodedValue,
        term: TermId,
    ) -> Run<Wire> {
        // What is remembered is about this one value, so every question begins anew.
        self.among(netlist, value, term, &mut FxHashMap::default())
    }

    fn among(
        &mut self,
        netlist: &mut Netlist,
        value: &EncodedValue,
        term: TermId,
        known: &mut FxHashMap<TermId, Wire>,
    ) -> Run<Wire> {
        if let Some(&known) = known.get(&term) {
            return Ok(known);
        }
        let model = self.model;
        let wire = deep(|| {
            Ok(match model.terms.get(term) {
                Term::Set(members) => {
                    let members = members.iter();
                    let each = members.map(|&m| self.among(netlist, value, m, known));
                    let each: Vec<Wire> = each.collect::<Run<_>>()?;
                    netlist.any(each)
                }
                Term::Ite(condition, then, otherwise) => {
                    let condition = self.condition(netlist, *condition)?;
                    let then = self.among(netlist, value, *then, known)?;
                    let otherwise = self.among(netlist, value, *otherwise, known)?;
                    netlist.mux(condition, then, otherwise)
                }
                _ => {
                    let other = self.value(netlist, term)?;
                    netlist.same(value, &other)
                }
            })
        })?;
        known.insert(term, wire);
        Ok(wire)
    }

    /// When every value that `a` denotes is one that `b` denotes.
    fn contained(&mut self, netlist: &mut Netlist, a: TermId, b: TermId) -> Run<Wire> {
        let model = self.model;
        deep(|| {
            Ok(match model.terms.get(a) {
                Term::Set(members) => {
                    let members = members.iter();
                    let each = members.map(|&member| self.contained(netlist, member, b));
                    let each: Vec<Wire> = each.collect::<Run<_>>()?;
                    netlist.all(each)
                }
                Term::Ite(condition, then, otherwise) => {
                    let condition = self.condition(netlist, *condition)?;
                    let then = self.contained(netlist, *then, b)?;
                    let otherwise = self.contained(netlist, *otherwise, b)?;
                    netlist.mux(condition, then, otherwise)
                }
                _ => {
                    let value = self.value(netlist, a)?;
                    self.is_among(netlist, &value, b)?
                }
            })
        })
    }

    /// The value of a term that denotes one.
    pub(crate) fn value(&mut self, netlist: &mut Netlist, term: TermId) -> Run<EncodedValue> {
        let of_next = self.reads_next[term.index()];
        let known = if of_next { &self.of_next } else { &self.of_now };
        if let Some(known) = known.get(&term) {
            return Ok(known.clone());
        }
        self.budget.check()?;
        let value = deep(|| self.value_here(netlist, term))?;
        let known = if of_next {
            &mut self.of_next
        } else {
            &mut self.of_now
        };
        known.insert(term, value.clone());
        Ok(value)
    }

    fn value_here(&mut self, netlist: &mut Netlist, term: TermId) -> Run<EncodedValue> {
        let model = self.model;
        Ok(match model.terms.get(term) {
            Term::Const(value) => EncodedValue::constant(*value),
            Term::Var(var) => self.now[var.index()].clone(),
            Term::Next(var) => self.next[var.index()].clone(),
            Term::Not(a) => EncodedValue::truth(!self.condition(netlist, *a)?),
            Term::Negate(a) => {
                let number = self.value(netlist, *a)?.as_integer();
                // The least integer of a width has no negative of the same width.
                let (number, _) = numbers::aligned(&number, &number, 1);
                EncodedValue::integer(numbers::negative(netlist, &number))
            }
            Term::Binary(op, a, b) => self.binary(netlist, *op, *a, *b)?,
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(netlist, *condition)?;
                let then = self.value(netlist, *then)?;
                let otherwise = self.value(netlist, *otherwise)?;
                netlist.either(condition, &then, &otherwise)
            }
            // It denotes one value, so every member does.
            Term::Set(members) => self.value(netlist, members[0])?,
            Term::Member(a, b) => EncodedValue::truth(self.contained(netlist, *a, *b)?),
            Term::Count(conditions) => {
                let conditions = conditions.iter();
                let wires = conditions.map(|&c| self.condition(netlist, c));
                let wires: Vec<Wire> = wires.collect::<Run<_>>()?;
                EncodedValue::integer(numbers::count(netlist, &wires))
            }
            Term::Word(op, a) => {
                let value = self.value(netlist, *a)?;
                word_operator(*op, &value)
            }
        })
    }

    fn binary(
        &mut self,
        netlist: &mut Netlist,
        op: BinaryOp,
        a: TermId,
        b: TermId,
    ) -> Run<EncodedValue> {
        use BinaryOp as B;
        if matches!(op, B::And | B::Or | B::Implies) {
            let (a, b) = (self.condition(netlist, a)?, self.condition(netlist, b)?);
            return Ok(EncodedValue::truth(match op {
                B::And => netlist.and(a, b),
                B::Or => netlist.or(a, b),
                _ => netlist.or(!a, b),
            }));
        }
        let (a, b) = (self.value(netlist, a)?, self.value(netlist, b)?);
        Ok(match op {
            B::Equal => EncodedValue::truth(netlist.same(&a, &b)),
            B::Unequal => EncodedValue::truth(!netlist.same(&a, &b)),
            B::Less => EncodedValue::truth(less(netlist, &a, &b)),
            B::LessEqual => EncodedValue::truth(!less(netlist, &b, &a)),
            B::Greater => EncodedValue::truth(less(netlist, &b, &a)),
            B::GreaterEqual => EncodedValue::truth(!less(netlist, &a, &b)),
            B::ShiftLeft | B::ShiftRight => shift(netlist, op, &a, &b),
            _ => match (a.as_word(), b.as_word()) {
                (Some((signed, x)), Some((_, y))) => word_arithmetic(netlist, op, signed, x, y),
                _ => arithmetic(netlist, op, &a.as_integer(), &b.as_integer()),
            },
        })
    }
}

fn less(netlist: &mut Netlist, a: &EncodedValue, b: &EncodedValue) -> Wire {
    match (a.as_word(), b.as_word()) {
        (Some((true, x)), Some((_, y))) => numbers::less_signed(netlist, x, y),
        (Some((false, x)), Some((_, y))) => numbers::less(netlist, x, y),
        _ => {
            let (x, y) = numbers::aligned(&a.as_integer(), &b.as_integer(), 0);
            numbers::less_signed(netlist, &x, &y)
        }
    }
}

/// Integers: with one bit more than the operands have (of a product, with the bits of both) every result
/// but one of 64 bits is exact, and that wraps.
fn arithmetic(netlist: &mut Netlist, op: BinaryOp, a: &[Wire], b: &[Wire]) -> EncodedValue {
    let larger_by = match op {
        BinaryOp::Mul => a.len().min(b.len()),
        _ => 1,
    };
    let (a, b) = numbers::aligned(a, b, larger_by);
    EncodedValue::integer(match op {
        BinaryOp::Add => numbers::sum(netlist, &a, &b, Wire::FALSE),
        BinaryOp::Sub => numbers::difference(netlist, &a, &b),
        BinaryOp::Mul => numbers::product(netlist, &a, &b),
        BinaryOp::Div => numbers::division_signed(netlist, &a, &b).quotient,
        BinaryOp::Mod => numbers::division_signed(netlist, &a, &b).remainder,
        _ => unreachable!("integers have no such operator"),
    })
}

fn word_arithmetic(
    netlist: &mut Netlist,
    op: BinaryOp,
    signed: bool,
    a: &[Wire],
    b: &[Wire],
) -> EncodedValue {
    use BinaryOp as B;
    let division = |netlist: &mut Netlist| -> Division {
        match signed {
            true => numbers::division_signed(netlist, a, b),
            false => numbers::division(netlist, a, b),
        }
    };
    let each = |netlist: &mut Netlist, gate: fn(&mut Netlist, Wire, Wire) -> Wire| {
        let pairs = a.iter().zip(b);
        pairs.map(|(&a, &b)| gate(netlist, a, b)).collect()
    };
    let bits = match op {
        B::Add => numbers::sum(netlist, a, b, Wire::FALSE),
        B::Sub => numbers::difference(netlist, a, b),
        B::Mul => numbers::product(netlist, a, b),
        B::Div => division(netlist).quotient,
        B::Mod => division(netlist).remainder,
        B::BitAnd => each(netlist, Netlist::and),
        B::BitOr => each(netlist, Netlist::or),
        B::BitXor => each(netlist, Netlist::xor),
        // The bits of the left word are the higher ones, and the result has no sign.
        B::Concat => return EncodedValue::word(false, [b, a].concat()),
        _ => unreachable!("conditions and shifts are read elsewhere"),
    };
    EncodedValue::word(signed, bits)
}

fn shift(
    netlist: &mut Netlist,
    op: BinaryOp,
    word: &EncodedValue,
    by: &EncodedValue,
) -> EncodedValue {
    let (signed, bits) = word.as_word().expect("a word is shifted");
    let by: Vec<Wire> = match by.as_word() {
        Some((_, by)) => by.to_vec(),
        None => {
            // A negative number counts as 0.
            let mut by = by.as_integer();
            let sign = by.pop().expect("an integer has a sign");
            by.iter().map(|&bit| netlist.and(bit, !sign)).collect()
        }
    };
    let bits = if op == BinaryOp::ShiftLeft {
        numbers::shifted_up(netlist, bits, &by, Wire::FALSE)
    } else {
        let fill = match bits.last() {
            Some(&sign) if signed => sign,
            _ => Wire::FALSE,
        };
        // A shift down is a shift up of the bits in reverse order.
        let reversed: Vec<Wire> = bits.iter().rev().copied().collect();
        let mut bits = numbers::shifted_up(netlist, &reversed, &by, fill);
        bits.reverse();
        bits
    };
    EncodedValue::word(signed, bits)
}

fn word_operator(op: WordOp, word: &EncodedValue) -> EncodedValue {
    let (signed, bits) = word.as_word().expect("the operand is a word");
    let sign = match bits.last() {
        Some(&sign) if signed => sign,
        _ => Wire::FALSE,
    };
    match op {
        WordOp::Select(high, low) => {
            EncodedValue::word(false, bits[low as usize..=high as usize].to_vec())
        }
        WordOp::Convert { signed, width } => {
            let mut bits = bits.to_vec();
            bits.resize(width as usize, sign);
            EncodedValue::word(signed, bits)
        }
        WordOp::ToInt => {
            let mut bits = bits.to_vec();
            // Without one more bit, the highest bit of a word without a sign would be read as a sign.
            bits.push(sign);
            EncodedValue::integer(bits)
        }
    }
}
