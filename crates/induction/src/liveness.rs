//! What must not be put off for ever, as a condition on states: a counter of turns.
//!
//! A fair run meets all fairness conditions again and again: it has turn after turn, without end. If no
//! run has more than some number of turns, then no run is fair (Claessen and Sörensson 2012). The model is
//! watched by a few variables: which conditions were met in the present turn, and how many turns there
//! were, in unary. A pair of compassion becomes a choice that is made once, at any time: from then on its
//! first condition never holds; until then its second one is asked for in every turn.

use wherefore_base::{FileId, Span, Value};
use wherefore_logic::Fairness;
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, Origin, Requirement, Term, TermId, VarId, VarKind,
    Variable,
};

/// A model together with a counter of turns.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The model and the counter: its variables follow those of the state.
    pub model: Model,
    /// `turns[n]`: there were more than `n` turns.
    pub turns: Vec<TermId>,
}

/// The model, watched for up to so many turns.
pub fn watch(model: &Model, most: usize) -> Watched {
    let mut builder = Builder {
        model: with_room(
            model,
            model.fairness.compassion.len() + justice(model) + most,
        ),
        next: model.state_vars(),
    };
    let mut asked = model.fairness.justice.clone();
    for &(p, q) in &model.fairness.compassion {
        asked.push(builder.choice(p, q));
    }
    let asked_many = asked.len() > 1;
    let mut seen = Vec::new();
    let mut met = Vec::new();
    for &condition in &asked {
        if !asked_many {
            met.push(condition);
            continue;
        }
        let (var, was) = builder.variable();
        met.push(builder.binary(BinaryOp::Or, was, condition));
        seen.push(var);
    }
    let mut turn = builder.constant(true);
    for &met in &met {
        turn = builder.binary(BinaryOp::And, turn, met);
    }
    let again = builder.add(Term::Not(turn));
    for (var, met) in seen.into_iter().zip(met) {
        let next = builder.binary(BinaryOp::And, again, met);
        builder.starts_false_and_becomes(var, next);
    }
    let mut turns = Vec::new();
    let mut before = builder.constant(true);
    for _ in 0..most {
        let (var, was) = builder.variable();
        let one_more = builder.binary(BinaryOp::And, turn, before);
        let next = builder.binary(BinaryOp::Or, was, one_more);
        builder.starts_false_and_becomes(var, next);
        turns.push(was);
        before = was;
    }
    builder.model.fairness = Fairness::default();
    Watched {
        model: builder.model,
        turns,
    }
}

/// How many variables remember a condition.
fn justice(model: &Model) -> usize {
    let asked = model.fairness.justice.len() + model.fairness.compassion.len();
    if asked > 1 { asked } else { 0 }
}

/// The model with new Boolean variables between those of the state and the inputs.
fn with_room(model: &Model, more: usize) -> Model {
    let states = model.state_vars();
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
    for number in 0..more {
        vars.push(Variable {
            name: format!("<watch {}>", number + 1),
            domain: Domain::Bool,
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

fn constraint(requires: Requirement) -> Constraint {
    let span = nowhere();
    Constraint { requires, span }
}

struct Builder {
    model: Model,
    /// The next of the new variables.
    next: usize,
}

impl Builder {
    fn add(&mut self, term: Term) -> TermId {
        self.model.terms.add(term, None)
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        self.add(Term::Binary(op, a, b))
    }

    fn constant(&mut self, value: bool) -> TermId {
        self.add(Term::Const(Value::Bool(value)))
    }

    fn variable(&mut self) -> (VarId, TermId) {
        let var = VarId::new(self.next);
        self.next += 1;
        (var, self.add(Term::Var(var)))
    }

    fn starts_false_and_becomes(&mut self, var: VarId, next: TermId) {
        let start = self.constant(false);
        let start = constraint(Requirement::Assign(var, start));
        self.model.init.push(start);
        let step = constraint(Requirement::Assign(var, next));
        self.model.trans.push(step);
    }

    /// The choice that `p` never holds any more; the condition of each turn that this leaves.
    fn choice(&mut self, p: TermId, q: TermId) -> TermId {
        let (var, chosen) = self.variable();
        let either = [self.constant(false), self.constant(true)];
        let either = self.add(Term::Set(either.into()));
        let kept = self.constant(true);
        let next = self.add(Term::Ite(chosen, kept, either));
        let step = constraint(Requirement::Assign(var, next));
        self.model.trans.push(step);
        let calm = self.add(Term::Not(p));
        let calm = self.binary(BinaryOp::Implies, chosen, calm);
        let calm = constraint(Requirement::Holds(calm));
        self.model.invar.push(calm);
        self.binary(BinaryOp::Or, chosen, q)
    }
}
