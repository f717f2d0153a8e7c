//! Models built by hand and at random, and the slow but obvious reading of them.
#![allow(unreachable_pub)]

pub mod random;
pub mod reference;

use wherefore_base::{FileId, Span, Value};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, Requirement, Term, TermId, VarId, VarKind, Variable,
};

pub fn nowhere() -> Span {
    Span::new(FileId::new(0), 0, 0)
}

/// Builds a model piece by piece; inputs are declared last.
#[derive(Default)]
pub struct Builder {
    pub model: Model,
}

impl Builder {
    pub fn var(&mut self, name: &str, domain: Domain, kind: VarKind) -> VarId {
        self.model.vars.push(Variable {
            name: name.into(),
            domain,
            kind,
            span: nowhere(),
            origin: Default::default(),
        })
    }

    pub fn bool(&mut self, name: &str) -> VarId {
        self.var(name, Domain::Bool, VarKind::State)
    }

    pub fn range(&mut self, name: &str, low: i64, high: i64) -> VarId {
        self.var(name, Domain::Range { low, high }, VarKind::State)
    }

    pub fn symbol(&mut self, text: &str) -> Value {
        Value::Symbol(self.model.names.intern(text))
    }

    pub fn term(&mut self, term: Term) -> TermId {
        self.model.terms.add(term, None)
    }

    pub fn now(&mut self, var: VarId) -> TermId {
        self.term(Term::Var(var))
    }

    pub fn next(&mut self, var: VarId) -> TermId {
        self.term(Term::Next(var))
    }

    pub fn value(&mut self, value: Value) -> TermId {
        self.term(Term::Const(value))
    }

    pub fn int(&mut self, number: i64) -> TermId {
        self.value(Value::Int(number))
    }

    pub fn truth(&mut self, truth: bool) -> TermId {
        self.value(Value::Bool(truth))
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        self.term(Term::Not(a))
    }

    pub fn op(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        self.term(Term::Binary(op, a, b))
    }

    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(BinaryOp::Equal, a, b)
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(BinaryOp::And, a, b)
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(BinaryOp::Or, a, b)
    }

    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.term(Term::Ite(condition, then, otherwise))
    }

    pub fn set(&mut self, members: &[TermId]) -> TermId {
        self.term(Term::Set(members.into()))
    }

    pub fn init(&mut self, requires: Requirement) {
        let span = nowhere();
        self.model.init.push(Constraint { requires, span });
    }

    pub fn invar(&mut self, requires: Requirement) {
        let span = nowhere();
        self.model.invar.push(Constraint { requires, span });
    }

    pub fn trans(&mut self, requires: Requirement) {
        let span = nowhere();
        self.model.trans.push(Constraint { requires, span });
    }
}
