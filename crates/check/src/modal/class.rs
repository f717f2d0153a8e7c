//! The class of a modal property.

use wherefore_logic::modal::{Fixpoint, ModalOp, ModalSystem};
use wherefore_logic::{ActionId, Class, SubId};
use wherefore_model::lts::{ModalQuestion, PropertyForm};

use super::EquationSccs;
use super::sccs::operands;

/// The kind of claim that a question makes, as its equations show it.
///
/// `<true> true`, that there is a step at all, is taken as a proposition where something is said of every
/// run: it is there because a run that ends does not do what it never did. Then a property without
/// `<..>` is about every run. It is a safety property if it has no least fixpoint, since then finitely many
/// steps refute it.
pub fn class_of(question: &ModalQuestion) -> Class {
    let system = &question.system;
    let sccs = EquationSccs::new(system);
    let mut survey = EquationSurvey::default();
    for sub in needed(system) {
        let equation = &system.equations[sub];
        match &equation.op {
            ModalOp::Some(action, next) if is_any_step(question, *action, *next) => {
                survey.goes_on = true;
            }
            ModalOp::Some(..) => survey.exists = true,
            ModalOp::Every(..) => survey.forall = true,
            ModalOp::Const(_) | ModalOp::All(_) | ModalOp::Any(_) => {}
        }
        survey.eventually |= sccs.is_cyclic(sub) && system.fixpoint(sub) == Fixpoint::Least;
    }
    match survey {
        EquationSurvey {
            exists: true,
            forall: true,
            ..
        } => Class::Mixed,
        EquationSurvey { exists: true, .. } => Class::Existential,
        EquationSurvey {
            forall: false,
            goes_on: true,
            ..
        } => Class::Existential,
        EquationSurvey {
            eventually: false, ..
        } => Class::Safety,
        _ => match &question.form {
            PropertyForm::Inevitable(actions) if actions.len() == 1 => Class::FiniteLiveness,
            _ => Class::InfiniteLiveness,
        },
    }
}

/// What equations have.
#[derive(Default)]
struct EquationSurvey {
    exists: bool,
    forall: bool,
    /// `<true> true`.
    goes_on: bool,
    eventually: bool,
}

/// The equations that the root needs, in order.
fn needed(system: &ModalSystem) -> Vec<SubId> {
    let mut seen = vec![false; system.equations.len()];
    let mut open = vec![system.root];
    seen[system.root.index()] = true;
    while let Some(sub) = open.pop() {
        for &operand in operands(&system.equations[sub].op) {
            if !std::mem::replace(&mut seen[operand.index()], true) {
                open.push(operand);
            }
        }
    }
    let all = system.equations.ids();
    all.filter(|sub| seen[sub.index()]).collect()
}

/// Whether `<action> next` says that there is a step.
fn is_any_step(question: &ModalQuestion, action: ActionId, next: SubId) -> bool {
    let truth = matches!(&question.system.equations[next].op, ModalOp::Const(true));
    truth && question.actions[action].is_full()
}
