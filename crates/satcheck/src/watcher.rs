//! A model together with variables that watch it.
//!
//! What a run has done so far becomes a condition on states by variables that remember it. They never hinder
//! a run of the model, and each state of a run has its watched state.

use wherefore_base::{FileId, Span, Value};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, Origin, Requirement, Term, TermId, VarId, VarKind,
    Variable,
};

/// A model that gets its watching variables.
pub(crate) struct Watcher {
    /// The model, with the variables between those of its state and its inputs.
    pub(crate) model: Model,
    /// The next of the new variables.
    next: usize,
}

impl Watcher {
    /// The model with room for new variables of these domains.
    pub(crate) fn new(model: &Model, room: Vec<Domain>) -> Self {
        Self {
            model: with_room(model, room),
            next: model.state_vars(),
        }
    }

    pub(crate) fn add(&mut self, term: Term) -> TermId {
        self.model.terms.add(term, None)
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        self.add(Term::Binary(op, a, b))
    }

    pub(crate) fn not(&mut self, term: TermId) -> TermId {
        self.add(Term::Not(term))
    }

    pub(crate) fn constant(&mut self, value: bool) -> TermId {
        self.add(Term::Const(Value::Bool(value)))
    }

    /// The next of the new variables, and its present value.
    pub(crate) fn variable(&mut self) -> (VarId, TermId) {
        let var = VarId::new(self.next);
        self.next += 1;
        (var, self.add(Term::Var(var)))
    }

    /// Lets a variable take this value with every step.
    pub(crate) fn becomes(&mut self, var: VarId, next: TermId) {
        let step = constraint(Requirement::Assign(var, next));
        self.model.trans.push(step);
    }

    pub(crate) fn starts_false_and_becomes(&mut self, var: VarId, next: TermId) {
        let start = self.constant(false);
        let start = constraint(Requirement::Assign(var, start));
        self.model.init.push(start);
        self.becomes(var, next);
    }
}

/// A requirement that nobody wrote.
pub(crate) fn constraint(requires: Requirement) -> Constraint {
    let span = nowhere();
    Constraint { requires, span }
}

/// The model with new variables between those of the state and the inputs.
fn with_room(model: &Model, room: Vec<Domain>) -> Model {
    let states = model.state_vars();
    let more = room.len();
    let place = |var: VarId| match var.index() {
        at if at < states => var,
        at => VarId::new(at + more),
    };
    let mut watched = Model {
        properties: vec![],
        defines: vec![],
        obligations: vec![],
        ..model.clone()
    };
    let mut vars: Vec<Variable> = model.vars.iter().cloned().collect();
    let inputs = vars.split_off(states);
    for (number, domain) in room.into_iter().enumerate() {
        vars.push(Variable {
            name: format!("<watch {}>", number + 1),
            domain,
            kind: VarKind::State,
            span: nowhere(),
            origin: Origin::Hidden,
        });
    }
    vars.extend(inputs);
    watched.vars = vars.into_iter().collect();
    watched.terms = model.terms.renamed(place);
    watched
}

/// What nobody wrote stands at no place.
fn nowhere() -> Span {
    Span::new(FileId::new(0), 0, 0)
}
