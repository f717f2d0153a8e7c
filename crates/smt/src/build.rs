//! Making terms, simplified as far as a look at the operands tells.
//!
//! Every function gives a term that is equal to what its name says in all interpretations.

use num_bigint::BigInt;

use crate::number::Rational;
use crate::sort::SortId;
use crate::term::{Op, Quantifier, SymbolId, Term, TermId, Terms};

impl Terms {
    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.add(Term::Bool(value))
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<BigInt>) -> TermId {
        self.add(Term::Int(value.into()))
    }

    /// A real number.
    pub fn real(&mut self, value: Rational) -> TermId {
        self.add(Term::Real(value))
    }

    /// A constant or a variable.
    pub fn var(&mut self, symbol: SymbolId) -> TermId {
        self.add(Term::Apply(symbol, Box::default()))
    }

    /// A function applied to arguments; a definition is not expanded.
    pub fn apply(&mut self, symbol: SymbolId, args: &[TermId]) -> TermId {
        self.add(Term::Apply(symbol, args.into()))
    }

    /// An operator applied to operands, simplified.
    pub fn op(&mut self, op: Op, operands: &[TermId]) -> TermId {
        match (op, operands) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(operands),
            (Op::Or, _) => self.or(operands),
            (Op::Implies, &[a, b]) => self.implies(a, b),
            (Op::Ite, &[a, b, c]) => self.ite(a, b, c),
            (Op::Equal, &[a, b]) => self.equal(a, b),
            (Op::Distinct, &[a, b]) => {
                let equal = self.equal(a, b);
                self.not(equal)
            }
            _ => {
                let term = self.add(Term::Op(op, operands.into()));
                self.folded(term)
            }
        }
    }

    /// `not a`
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.get(a) {
            Term::Bool(value) => {
                let value = !*value;
                self.bool(value)
            }
            Term::Op(Op::Not, inner) => inner[0],
            _ => self.add(Term::Op(Op::Not, [a].into())),
        }
    }

    /// The conjunction: conjunctions inside it are made part of it, what is said twice is said once.
    pub fn and(&mut self, operands: &[TermId]) -> TermId {
        self.junction(Op::And, operands, true)
    }

    /// The disjunction: disjunctions inside it are made part of it, what is said twice is said once.
    pub fn or(&mut self, operands: &[TermId]) -> TermId {
        self.junction(Op::Or, operands, false)
    }

    fn junction(&mut self, op: Op, operands: &[TermId], neutral: bool) -> TermId {
        let mut all: Vec<TermId> = Vec::with_capacity(operands.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for &operand in operands {
            let inner = match self.get(operand) {
                Term::Op(inner, operands) if *inner == op => operands.to_vec(),
                _ => vec![operand],
            };
            for operand in inner {
                match self.as_bool(operand) {
                    Some(value) if value == neutral => {}
                    Some(_) => return operand,
                    None if seen.insert(operand) => all.push(operand),
                    None => {}
                }
            }
        }
        for &operand in &all {
            if let Term::Op(Op::Not, inner) = self.get(operand)
                && seen.contains(&inner[0])
            {
                return self.bool(!neutral);
            }
        }
        match all[..] {
            [] => self.bool(neutral),
            [one] => one,
            _ => self.add(Term::Op(op, all.into())),
        }
    }

    /// `a => b`
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (Some(false), _) | (_, Some(true)) => self.bool(true),
            (None, Some(false)) => self.not(a),
            (None, None) if a == b => self.bool(true),
            (None, None) => self.add(Term::Op(Op::Implies, [a, b].into())),
        }
    }

    /// `if a then b else c`
    pub fn ite(&mut self, a: TermId, b: TermId, c: TermId) -> TermId {
        match self.as_bool(a) {
            Some(true) => b,
            Some(false) => c,
            None if b == c => b,
            None => match (self.as_bool(b), self.as_bool(c)) {
                (Some(true), Some(false)) => a,
                (Some(false), Some(true)) => self.not(a),
                _ => self.add(Term::Op(Op::Ite, [a, b, c].into())),
            },
        }
    }

    /// `a = b`, of terms of one sort.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool(true);
        }
        if self.get(a).is_value() && self.get(b).is_value() {
            return self.bool(false);
        }
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) => return self.not(b),
            (_, Some(false)) => return self.not(a),
            (None, None) => {}
        }
        self.add(Term::Op(Op::Equal, [a, b].into()))
    }

    /// `a < b`
    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(Op::Less, &[a, b])
    }

    /// `a <= b`
    pub fn less_equal(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(Op::LessEqual, &[a, b])
    }

    /// A quantifier over symbols; those that do not occur are left out where their sort surely has a value.
    pub fn quantified(
        &mut self,
        quantifier: Quantifier,
        symbols: &[SymbolId],
        body: TermId,
    ) -> TermId {
        if self.as_bool(body).is_some() {
            return body;
        }
        let free = self.free(body);
        let used: Vec<SymbolId> = symbols
            .iter()
            .copied()
            .filter(|symbol| free.contains(symbol))
            .collect();
        match used.is_empty() {
            true => body,
            false => self.add(Term::Quantified(quantifier, used.into(), body)),
        }
    }

    /// An application of arithmetic to numbers that are written down is the number.
    fn folded(&mut self, term: TermId) -> TermId {
        let Term::Op(op, operands) = self.get(term) else {
            return term;
        };
        let op = *op;
        let same = |wanted: Op| operands.len() == 2 && operands[0] == operands[1] && op == wanted;
        if same(Op::LessEqual) {
            return self.bool(true);
        }
        if same(Op::Less) {
            return self.bool(false);
        }
        if !operands.iter().all(|&operand| self.get(operand).is_value()) {
            return term;
        }
        match crate::eval::constant(self, term) {
            Some(value) => value.term(self).unwrap_or(term),
            None => term,
        }
    }

    /// The number zero of a sort of numbers.
    pub fn zero(&mut self, sort: SortId) -> TermId {
        match sort {
            SortId::REAL => self.real(Rational::from(BigInt::default())),
            _ => self.int(0),
        }
    }
}
