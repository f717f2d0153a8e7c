//! Names of the meta level, as `sig$` and `A$f`: they are known to be that, and not supported.
//!
//! What is said with them is read as one term that is refused when a command needs it, so that the
//! other commands of the model can be answered.

use wherefore_base::{Diagnostic, Span, Symbol};

use super::Resolver;
use super::draft::DraftId;
use crate::ast::{AlloyExprId, AlloyExprKind};
use crate::model::{AlloyTermId, AlloyTermKind, SigId};
use crate::types::AlloyType;

impl Resolver<'_, '_> {
    /// The first name of the meta level in an expression.
    pub(super) fn meta_name(&self, instance: usize, root: AlloyExprId) -> Option<(Symbol, Span)> {
        if !self.world.uses_meta_names(instance) {
            return None;
        }
        let module = self.world.module(instance);
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            let expr = &module.exprs[id];
            match &expr.kind {
                AlloyExprKind::Name(name, _) => {
                    if self.text(*name).contains('$') {
                        return Some((*name, expr.span));
                    }
                }
                AlloyExprKind::Number(_) | AlloyExprKind::Text(_) | AlloyExprKind::Constant(_) => {}
                AlloyExprKind::Unary(_, a) => waiting.push(*a),
                AlloyExprKind::Binary(_, a, b)
                | AlloyExprKind::Arrow(_, _, a, b)
                | AlloyExprKind::Join(a, b)
                | AlloyExprKind::Let(_, a, b) => waiting.extend([*b, *a]),
                AlloyExprKind::IfElse(a, b, c) => waiting.extend([*c, *b, *a]),
                AlloyExprKind::Quantified(_, decls, body) => {
                    waiting.push(*body);
                    waiting.extend(decls.iter().rev().map(|decl| decl.bound));
                }
                AlloyExprKind::Block(parts) => waiting.extend(parts.iter().rev()),
            }
        }
        None
    }

    /// A term in place of one that uses the meta level.
    pub(super) fn meta_term(&mut self, name: Symbol, ty: AlloyType, span: Span) -> AlloyTermId {
        self.term(AlloyTermKind::Meta(name), ty, span)
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
        Some(self.leaf(AlloyTermKind::Atom(name), ty, 0, span))
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
