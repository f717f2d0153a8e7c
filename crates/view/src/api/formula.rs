//! A formula as nested boxes: each sub-formula with its operator and operands.

use wherefore_logic::modal::{Equation, ModalOp};
use wherefore_logic::{Bounds, LinearOp, Op, PathOp, Quantifier, SubId};
use wherefore_model::Query;
use wherefore_model::lts::ModalQuestion;
use wherefore_wire::FormulaNodeDoc;

use crate::Report;
use crate::words::sub_text;

/// The sub-formulas of a property, operands first.
pub(super) fn nodes(report: &Report<'_>, query: &Query) -> Vec<FormulaNodeDoc> {
    let formula = &query.formula;
    let nodes = formula.subs().map(|sub| {
        let op = formula.op(sub);
        let (name, bounds) = sign(op);
        FormulaNodeDoc {
            id: sub.index(),
            text: sub_text(report, query, sub),
            op: name,
            operands: op.operands().map(SubId::index).collect(),
            bounds: bounds.map(|bounds| [bounds.least, bounds.most]),
        }
    });
    nodes.collect()
}

/// The equations of a property of a system, operands by their numbers.
pub(super) fn equations(question: &ModalQuestion) -> Vec<FormulaNodeDoc> {
    let equations = question.system.equations.entries();
    let nodes = equations.map(|(id, equation): (SubId, &Equation)| {
        let (name, operands) = match &equation.op {
            ModalOp::Const(true) => ("true", vec![]),
            ModalOp::Const(false) => ("false", vec![]),
            ModalOp::All(of) => ("&", of.clone()),
            ModalOp::Any(of) => ("|", of.clone()),
            ModalOp::Some(_, f) => ("<>", vec![*f]),
            ModalOp::Every(_, f) => ("[]", vec![*f]),
        };
        FormulaNodeDoc {
            id: id.index(),
            text: equation.text.clone(),
            op: name.to_string(),
            operands: operands.into_iter().map(SubId::index).collect(),
            bounds: None,
        }
    });
    nodes.collect()
}

/// An operator as it is written, without operands and bounds.
fn sign(op: Op) -> (String, Option<Bounds>) {
    let (name, bounds) = match op {
        Op::Const(true) => ("true", None),
        Op::Const(false) => ("false", None),
        Op::Atom(_) => ("atom", None),
        Op::Not(_) => ("!", None),
        Op::And(..) => ("&", None),
        Op::Or(..) => ("|", None),
        Op::Implies(..) => ("->", None),
        Op::Iff(..) => ("<->", None),
        Op::Xor(..) => ("xor", None),
        Op::Path(quantifier, path) => {
            let (name, bounds) = path_sign(path);
            let all = quantifier == Quantifier::Forall;
            return (format!("{}{name}", if all { "A" } else { "E" }), bounds);
        }
        Op::Linear(linear) => linear_sign(linear),
    };
    (name.to_string(), bounds)
}

fn path_sign(path: PathOp) -> (&'static str, Option<Bounds>) {
    match path {
        PathOp::Next(_) => ("X", None),
        PathOp::Finally(_) => ("F", None),
        PathOp::Globally(_) => ("G", None),
        PathOp::Until(..) => ("U", None),
        PathOp::WeakUntil(..) => ("W", None),
        PathOp::Release(..) => ("R", None),
        PathOp::FairGlobally(_) => ("cG", None),
        PathOp::FinallyWithin(bounds, _) => ("BF", Some(bounds)),
        PathOp::GloballyWithin(bounds, _) => ("BG", Some(bounds)),
        PathOp::UntilWithin(bounds, ..) => ("BU", Some(bounds)),
    }
}

fn linear_sign(linear: LinearOp) -> (&'static str, Option<Bounds>) {
    match linear {
        LinearOp::Next(_) => ("X", None),
        LinearOp::Finally(_) => ("F", None),
        LinearOp::Globally(_) => ("G", None),
        LinearOp::Until(..) => ("U", None),
        LinearOp::WeakUntil(..) => ("W", None),
        LinearOp::Release(..) => ("V", None),
        LinearOp::FinallyWithin(bounds, _) => ("F", Some(bounds)),
        LinearOp::GloballyWithin(bounds, _) => ("G", Some(bounds)),
        LinearOp::Yesterday(_) => ("Y", None),
        LinearOp::WeakYesterday(_) => ("Z", None),
        LinearOp::Once(_) => ("O", None),
        LinearOp::Historically(_) => ("H", None),
        LinearOp::Since(..) => ("S", None),
        LinearOp::Triggered(..) => ("T", None),
        LinearOp::OnceWithin(bounds, _) => ("O", Some(bounds)),
        LinearOp::HistoricallyWithin(bounds, _) => ("H", Some(bounds)),
    }
}
