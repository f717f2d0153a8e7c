//! Constants that must be known before any variable is: the bounds of ranges.

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, Span, Value, deep};
use wherefore_model::{BinaryOp as TermOp, apply};

use super::{DeclarationBuilder, Entity, InstanceId, NamedId, Resolved};
use crate::ast::{SmvBinaryOp, SmvExprId, SmvExprKind, SmvUnaryOp};

/// What is known of the values of names.
pub(super) type KnownConstants = FxHashMap<NamedId, Knowledge>;

/// What is known of the value of a name.
#[derive(Clone, Copy)]
pub(super) enum Knowledge {
    /// It is being evaluated.
    Open,
    /// It has this value.
    Value(i64),
    /// It is wrong, which was told.
    Wrong,
}

impl DeclarationBuilder<'_, '_> {
    /// The value of a constant integer expression; `None` if it is none, which is told.
    pub(super) fn constant(
        &mut self,
        context: InstanceId,
        id: SmvExprId,
        known: &mut KnownConstants,
    ) -> Option<i64> {
        let expr = &self.program.exprs[id];
        let span = expr.span;
        match expr.kind {
            SmvExprKind::Int(n) => Some(n),
            SmvExprKind::Unary(SmvUnaryOp::Negate, a) => {
                let a = deep(|| self.constant(context, a, known))?;
                self.in_bounds(a.checked_neg(), span)
            }
            SmvExprKind::Binary(op, a, b) => {
                let op = match op {
                    SmvBinaryOp::Add => TermOp::Add,
                    SmvBinaryOp::Sub => TermOp::Sub,
                    SmvBinaryOp::Mul => TermOp::Mul,
                    SmvBinaryOp::Div => TermOp::Div,
                    SmvBinaryOp::Mod => TermOp::Mod,
                    _ => return self.no_constant(span),
                };
                let a = deep(|| self.constant(context, a, known))?;
                let b = deep(|| self.constant(context, b, known))?;
                if b == 0 && matches!(op, TermOp::Div | TermOp::Mod) {
                    self.report
                        .tell(Diagnostic::error(span, "This divides by zero"));
                    return None;
                }
                let exact = match op {
                    TermOp::Add => a.checked_add(b),
                    TermOp::Sub => a.checked_sub(b),
                    TermOp::Mul => a.checked_mul(b),
                    _ => apply(op, Value::Int(a), Value::Int(b)).and_then(Value::as_int),
                };
                self.in_bounds(exact, span)
            }
            SmvExprKind::Name(_) | SmvExprKind::Dot(..) | SmvExprKind::SelfName => {
                match self.scope.resolve(&self.program.exprs, context, id) {
                    Ok(Resolved::Entity(Entity::Named(named))) => {
                        self.named_constant(named, span, known)
                    }
                    Ok(_) => self.no_constant(span),
                    Err(why) => {
                        self.tell_unresolved(context, why, span);
                        None
                    }
                }
            }
            _ => self.no_constant(span),
        }
    }

    fn named_constant(
        &mut self,
        named: NamedId,
        span: Span,
        known: &mut KnownConstants,
    ) -> Option<i64> {
        match known.get(&named) {
            Some(Knowledge::Value(value)) => return Some(*value),
            Some(Knowledge::Wrong) => return None,
            Some(Knowledge::Open) => {
                let message = format!("`{}` is recursively defined", self.scope.named[named].name);
                self.report.tell(Diagnostic::error(span, message));
                return None;
            }
            None => {}
        }
        known.insert(named, Knowledge::Open);
        let (context, body) = (
            self.scope.named[named].context,
            self.scope.named[named].body,
        );
        let value = deep(|| self.constant(context, body, known));
        known.insert(named, value.map_or(Knowledge::Wrong, Knowledge::Value));
        value
    }

    fn no_constant(&mut self, span: Span) -> Option<i64> {
        let diagnostic = Diagnostic::error(span, "The bound of a range must be a constant integer")
            .help(
                "Numerals, defines that stand for numerals, and arithmetic on them are constant.",
            );
        self.report.tell(diagnostic);
        None
    }

    fn in_bounds(&mut self, value: Option<i64>, span: Span) -> Option<i64> {
        if value.is_none() {
            self.report
                .tell(Diagnostic::error(span, "This integer does not fit 64 bits"));
        }
        value
    }
}
