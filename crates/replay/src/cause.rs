//! Causes: which line of the model made a variable change in a step.

use wherefore_base::{Span, Value};
use wherefore_model::{BinaryOp, Env, Interpreter, Model, Requirement, Step, Support, Term, VarId};

/// What made a variable take its value in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cause {
    /// Where it is written.
    pub span: Span,
    /// What it is.
    pub kind: CauseKind,
}

/// The kind of a cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CauseKind {
    /// An assignment without cases.
    Assignment,
    /// The case of an assignment that was taken.
    Branch,
    /// A constraint that reads the variable's next value; of a disjunction, the part that is so.
    Constraint,
}

/// What made a variable take its value in a step; `None` if nothing in the model speaks about it.
///
/// The first assignment to the variable counts, otherwise the first constraint that reads its next
/// value, otherwise one on states that reads its value.
pub fn cause(model: &Model, from: &[Value], step: &Step, var: VarId) -> Option<Cause> {
    let interpreter = Interpreter::new(model);
    let step_env = Env {
        state: from,
        input: &step.input,
        next: &step.next,
    };
    let of_step = model.trans.iter().map(|c| (c, step_env));
    let of_state = model.invar.iter().map(|c| (c, Env::state(&step.next)));
    let mut all = of_step.clone().chain(of_state);
    let assignment = all.find_map(|(constraint, env)| match constraint.requires {
        Requirement::Assign(assigned, mut term) if assigned == var => {
            let mut cause = Cause {
                span: constraint.span,
                kind: CauseKind::Assignment,
            };
            while let Term::Ite(condition, then, otherwise) = *model.terms.get(term) {
                cause.kind = CauseKind::Branch;
                let taken = interpreter.truth(condition, env);
                let branch = if taken { term } else { otherwise };
                cause.span = model.terms.span(branch).unwrap_or(cause.span);
                term = if taken { then } else { otherwise };
            }
            Some(cause)
        }
        _ => None,
    });
    assignment.or_else(|| {
        let mut constraints = of_step.map(|(constraint, _)| constraint);
        let reads = constraints.find(|constraint| {
            let term = constraint.requires.term();
            Support::of(model, [term]).next.contains(&var)
        })?;
        // Of several ways to make a step, the first that this step is an instance of.
        let mut term = reads.requires.term();
        let mut span = reads.span;
        while let Term::Binary(BinaryOp::Or, a, b) = *model.terms.get(term) {
            term = if interpreter.truth(a, step_env) { a } else { b };
            span = model.terms.span(term).unwrap_or(span);
        }
        Some(Cause {
            span,
            kind: CauseKind::Constraint,
        })
    })
}
