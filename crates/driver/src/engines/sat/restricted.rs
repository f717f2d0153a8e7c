//! A model restricted to one of its runs.

use wherefore_base::Value;
use wherefore_model::{BinaryOp, Constraint, Model, Requirement, Term, TermId, VarId};
use wherefore_satcheck::BoundedTrace;

/// The model with no states and steps but those of a run.
pub(super) fn restricted(model: &Model, trace: &BoundedTrace) -> Model {
    let mut builder = Builder::new(model, trace);
    builder.restrict();
    builder.model
}

/// The same for a run that ends, in a model whose steps are assignments only. The last state stays as it is: some run
/// goes on from there, and it does not matter which.
pub(super) fn restricted_and_resting(model: &Model, trace: &BoundedTrace) -> Model {
    let last = trace.states.len() - 1;
    let resting = BoundedTrace {
        back: Some(last),
        ..trace.clone()
    };
    let mut builder = Builder::new(model, &resting);
    builder.rest_at(&trace.states[last]);
    builder.restrict();
    builder.model
}

struct Builder<'t> {
    model: Model,
    trace: &'t BoundedTrace,
}

impl<'t> Builder<'t> {
    fn new(model: &Model, trace: &'t BoundedTrace) -> Self {
        Self {
            model: Model {
                obligations: vec![],
                ..model.clone()
            },
            trace,
        }
    }

    /// Lets a state be followed by itself, whatever is assigned there.
    fn rest_at(&mut self, state: &[Value]) {
        let here = self.is(state, false);
        for at in 0..self.model.trans.len() {
            if let Requirement::Assign(var, value) = self.model.trans[at].requires {
                let same = self.model.terms.add(Term::Var(var), None);
                let value = self.model.terms.add(Term::Ite(here, same, value), None);
                self.model.trans[at].requires = Requirement::Assign(var, value);
            }
        }
    }

    fn restrict(&mut self) {
        let Some(first) = self.trace.states.first() else {
            return;
        };
        let vars = (0..self.model.state_vars()).map(VarId::new);
        let Some(span) = self.model.vars.iter().next().map(|var| var.span) else {
            return;
        };
        let constraint = |requires| Constraint { requires, span };
        let mut init = Vec::new();
        for (var, &value) in vars.clone().zip(first) {
            let value = self.constant(value);
            init.push(constraint(Requirement::Assign(var, value)));
        }
        let steps = self.steps();
        let sources: Vec<TermId> = steps
            .iter()
            .map(|(from, _)| self.is(&self.trace.states[*from].clone(), false))
            .collect();
        let mut trans = Vec::new();
        for var in vars {
            let next = self.next(var, &steps, &sources);
            trans.push(constraint(Requirement::Assign(var, next)));
        }
        let along = self.along(&steps, &sources);
        trans.push(constraint(Requirement::Holds(along)));
        // What comes first is tried first: so there is nothing to search.
        init.append(&mut self.model.init);
        trans.append(&mut self.model.trans);
        (self.model.init, self.model.trans) = (init, trans);
    }

    /// The steps of the run, by the positions of their ends.
    fn steps(&self) -> Vec<(usize, usize)> {
        let last = self.trace.states.len() - 1;
        let back = self.trace.back.map(|back| (last, back));
        (0..last).map(|at| (at, at + 1)).chain(back).collect()
    }

    /// The values of a variable after a step of the run; where there is none, nothing is asked.
    fn next(&mut self, var: VarId, steps: &[(usize, usize)], sources: &[TermId]) -> TermId {
        let mut next = self.model.terms.add(Term::Var(var), None);
        for (&(from, _), &source) in steps.iter().zip(sources).rev() {
            let state = &self.trace.states[from];
            let mut values = Vec::new();
            for &(other, to) in steps {
                let value = self.trace.states[to][var.index()];
                if self.trace.states[other] == *state && !values.contains(&value) {
                    values.push(value);
                }
            }
            let values: Vec<TermId> = values.into_iter().map(|v| self.constant(v)).collect();
            let value = match values[..] {
                [value] => value,
                _ => self.model.terms.add(Term::Set(values.into()), None),
            };
            next = self.model.terms.add(Term::Ite(source, value, next), None);
        }
        next
    }

    /// That a step is one of the run.
    fn along(&mut self, steps: &[(usize, usize)], sources: &[TermId]) -> TermId {
        let mut any = self.constant(Value::Bool(false));
        for (&(_, to), &source) in steps.iter().zip(sources) {
            let target = self.is(&self.trace.states[to].clone(), true);
            let step = self.binary(BinaryOp::And, source, target);
            any = self.binary(BinaryOp::Or, any, step);
        }
        any
    }

    /// That the present or the next state has these values.
    fn is(&mut self, values: &[Value], next: bool) -> TermId {
        let mut all = self.constant(Value::Bool(true));
        for (at, &value) in values.iter().enumerate() {
            let var = VarId::new(at);
            let var = match next {
                true => Term::Next(var),
                false => Term::Var(var),
            };
            let var = self.model.terms.add(var, None);
            let value = self.constant(value);
            let equal = self.binary(BinaryOp::Equal, var, value);
            all = self.binary(BinaryOp::And, all, equal);
        }
        all
    }

    fn constant(&mut self, value: Value) -> TermId {
        self.model.terms.add(Term::Const(value), None)
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        self.model.terms.add(Term::Binary(op, a, b), None)
    }
}
