//! Making terms, simplified as far as a look at the operands tells.
//!
//! Every function gives a term that is equal to what its name says in all interpretations.

use num_bigint::BigInt;

use crate::number::Rational;
use crate::sort::SortId;
use crate::term::{SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SmtTerms, SymbolId};

impl SmtTerms {
    /// A truth value.
    pub fn bool(&mut self, value: bool) -> SmtTermId {
        self.add(SmtTerm::Bool(value))
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<BigInt>) -> SmtTermId {
        self.add(SmtTerm::Int(value.into()))
    }

    /// A real number.
    pub fn real(&mut self, value: Rational) -> SmtTermId {
        self.add(SmtTerm::Real(value))
    }

    /// A constant or a variable.
    pub fn var(&mut self, symbol: SymbolId) -> SmtTermId {
        self.add(SmtTerm::Apply(symbol, Box::default()))
    }

    /// A function applied to arguments; a definition is not expanded.
    pub fn apply(&mut self, symbol: SymbolId, args: &[SmtTermId]) -> SmtTermId {
        self.add(SmtTerm::Apply(symbol, args.into()))
    }

    /// An operator applied to operands, simplified.
    pub fn op(&mut self, op: SmtOp, operands: &[SmtTermId]) -> SmtTermId {
        match (op, operands) {
            (SmtOp::Not, &[a]) => self.not(a),
            (SmtOp::And, _) => self.and(operands),
            (SmtOp::Or, _) => self.or(operands),
            (SmtOp::Implies, &[a, b]) => self.implies(a, b),
            (SmtOp::Ite, &[a, b, c]) => self.ite(a, b, c),
            (SmtOp::Equal, &[a, b]) => self.equal(a, b),
            (SmtOp::Distinct, &[a, b]) => {
                let equal = self.equal(a, b);
                self.not(equal)
            }
            _ => {
                let term = self.add(SmtTerm::Op(op, operands.into()));
                self.folded(term)
            }
        }
    }

    /// `not a`
    pub fn not(&mut self, a: SmtTermId) -> SmtTermId {
        match self.get(a) {
            SmtTerm::Bool(value) => {
                let value = !*value;
                self.bool(value)
            }
            SmtTerm::Op(SmtOp::Not, inner) => inner[0],
            _ => self.add(SmtTerm::Op(SmtOp::Not, [a].into())),
        }
    }

    /// The conjunction: conjunctions inside it are made part of it, what is said twice is said once.
    pub fn and(&mut self, operands: &[SmtTermId]) -> SmtTermId {
        self.junction(SmtOp::And, operands, true)
    }

    /// The disjunction: disjunctions inside it are made part of it, what is said twice is said once.
    pub fn or(&mut self, operands: &[SmtTermId]) -> SmtTermId {
        self.junction(SmtOp::Or, operands, false)
    }

    fn junction(&mut self, op: SmtOp, operands: &[SmtTermId], neutral: bool) -> SmtTermId {
        let mut all: Vec<SmtTermId> = Vec::with_capacity(operands.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for &operand in operands {
            let inner = match self.get(operand) {
                SmtTerm::Op(inner, operands) if *inner == op => operands.to_vec(),
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
        // An operand and its negation decide the whole.
        for &operand in &all {
            if let SmtTerm::Op(SmtOp::Not, inner) = self.get(operand)
                && seen.contains(&inner[0])
            {
                return self.bool(!neutral);
            }
        }
        match all[..] {
            [] => self.bool(neutral),
            [one] => one,
            _ => self.add(SmtTerm::Op(op, all.into())),
        }
    }

    /// `a => b`
    pub fn implies(&mut self, a: SmtTermId, b: SmtTermId) -> SmtTermId {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (Some(false), _) | (_, Some(true)) => self.bool(true),
            (None, Some(false)) => self.not(a),
            (None, None) if a == b => self.bool(true),
            (None, None) => self.add(SmtTerm::Op(SmtOp::Implies, [a, b].into())),
        }
    }

    /// `if a then b else c`
    pub fn ite(&mut self, a: SmtTermId, b: SmtTermId, c: SmtTermId) -> SmtTermId {
        match self.as_bool(a) {
            Some(true) => b,
            Some(false) => c,
            None if b == c => b,
            None => match (self.as_bool(b), self.as_bool(c)) {
                (Some(true), Some(false)) => a,
                (Some(false), Some(true)) => self.not(a),
                _ => self.add(SmtTerm::Op(SmtOp::Ite, [a, b, c].into())),
            },
        }
    }

    /// `a = b`, of terms of one sort.
    pub fn equal(&mut self, a: SmtTermId, b: SmtTermId) -> SmtTermId {
        if a == b {
            return self.bool(true);
        }
        // Equal values are one term, so different terms are different values.
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
        self.add(SmtTerm::Op(SmtOp::Equal, [a, b].into()))
    }

    /// `a < b`
    pub fn less(&mut self, a: SmtTermId, b: SmtTermId) -> SmtTermId {
        self.op(SmtOp::Less, &[a, b])
    }

    /// `a <= b`
    pub fn less_equal(&mut self, a: SmtTermId, b: SmtTermId) -> SmtTermId {
        self.op(SmtOp::LessEqual, &[a, b])
    }

    /// A quantifier over symbols; those that do not occur are left out where their sort surely has a value.
    pub fn quantified(
        &mut self,
        quantifier: SmtQuantifier,
        symbols: &[SymbolId],
        body: SmtTermId,
    ) -> SmtTermId {
        // No sort is empty, so a body without symbols means the same without its quantifier.
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
            false => self.add(SmtTerm::Quantified(quantifier, used.into(), body)),
        }
    }

    /// An application of arithmetic to numbers that are written down is the number.
    fn folded(&mut self, term: SmtTermId) -> SmtTermId {
        let SmtTerm::Op(op, operands) = self.get(term) else {
            return term;
        };
        let op = *op;
        let same =
            |wanted: SmtOp| operands.len() == 2 && operands[0] == operands[1] && op == wanted;
        if same(SmtOp::LessEqual) {
            return self.bool(true);
        }
        if same(SmtOp::Less) {
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
    pub fn zero(&mut self, sort: SortId) -> SmtTermId {
        match sort {
            SortId::REAL => self.real(Rational::from(BigInt::default())),
            _ => self.int(0),
        }
    }
}
