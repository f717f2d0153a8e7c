//! Names of the meta level, as `sig$` and `A$f`: they are known to be that, and not supported.
//!
//! What is said with them is read as one term that is refused when a command needs it, so that the
//! other commands of the model can be answered.

use wherefore_base::{Diagnostic, Span, Symbol};

use super::Resolver;
use super::draft::DraftId;
use crate::ast::{ExprId, ExprKind};
use crate::model::{SigId, TermId, TermKind};
use crate::types::Type;

impl Resolver<'_, '_> {
    /// The first name of the meta level in an expression.
    pub(super) fn meta_name(&self, instance: usize, root: ExprId) -> Option<(Symbol, Span)> {
        if !self.world.uses_meta_names(instance) {
            return None;
        }
        let module = self.world.module(instance);
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            let expr = &module.exprs[id];
            match &expr.kind {
                ExprKind::Name(name, _) => {
                    if self.text(*name).contains('$') {
                        return Some((*name, expr.span));
                    }
                }
                ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Constant(_) => {}
                ExprKind::Unary(_, a) => waiting.push(*a),
                ExprKind::Binary(_, a, b)
                | ExprKind::Arrow(_, _, a, b)
                | ExprKind::Join(a, b)
                | ExprKind::Let(_, a, b) => waiting.extend([*b, *a]),
                ExprKind::IfElse(a, b, c) => waiting.extend([*c, *b, *a]),
                ExprKind::Quantified(_, decls, body) => {
                    waiting.push(*body);
                    waiting.extend(decls.iter().rev().map(|decl| decl.bound));
                }
                ExprKind::Block(parts) => waiting.extend(parts.iter().rev()),
            }
        }
        None
    }

    /// A term in place of one that uses the meta level.
    pub(super) fn meta_term(&mut self, name: Symbol, ty: Type, span: Span) -> TermId {
        self.term(TermKind::Meta(name), ty, span)
    }

    /// An atom by its name, as in `A$0`, in an expression about an instance.
    pub(super) fn atom(&mut self, name: Symbol, span: Span) -> Option<DraftId> {
        if !self.about_instance {
            return None;
        }
        let (label, number) = self.text(name).rsplit_once('$')?;
        let label = label.strip_prefix("this/").unwrap_or(label);
        let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let owner = self.model.sigs.ids().find(|&sig: &SigId| {
            let sig = &self.model.sigs[sig];
            sig.label == label
        });
        let ty = owner.filter(|_| digits)?;
        let ty = self.model.sigs[ty].ty.clone();
        Some(self.leaf(TermKind::Atom(name), ty, 0, span))
    }

    /// What is said of a name with `$` that is not known.
    pub(super) fn unknown_meta(&self, text: &str, span: Span) -> Option<Diagnostic> {
        if !text.contains('$') {
            return None;
        }
        let message = format!("The name `{text}` is not known here");
        let help = if self.about_instance {
            "An atom is named by its signature and a number, as in `A$0`."
        } else {
            "Names with `$` are of the meta level, which is not supported."
        };
        Some(Diagnostic::error(span, message).help(help))
    }
}
