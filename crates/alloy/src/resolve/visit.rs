//! The way up: from the tree as written to drafts with types.

use wherefore_base::{Diagnostic, Span, deep};

use super::draft::{DraftId, DraftKind, too_wide};
use super::{ResolveContext, Resolver};
use crate::ast::{
    self, AlloyExprId, AlloyExprKind, AlloyQuantifier, AlloyUnaryOp, Constant, Decl, Mult,
};
use crate::model::{AlloyModel, AlloyTermId, AlloyTermKind, Binding, SigId};
use crate::types::AlloyType;

/// How deep macros may stand in each other, and how many may be unfolded in a model.
const DEEPEST_MACRO: usize = 20;
const MOST_MACROS: usize = 20_000;

impl Resolver<'_, '_> {
    /// The draft of an expression.
    pub(super) fn visit(&mut self, context: &mut ResolveContext, expr: AlloyExprId) -> DraftId {
        deep(|| self.visit_here(context, expr))
    }

    fn visit_here(&mut self, context: &mut ResolveContext, id: AlloyExprId) -> DraftId {
        let module = self.world.module(context.instance);
        let expr = &module.exprs[id];
        let span = expr.span;
        match &expr.kind {
            AlloyExprKind::Name(name, alone) => {
                let draft = self.name(context, *name, *alone, span);
                self.unfold(draft)
            }
            AlloyExprKind::Number(value) => {
                let ty = self.integer_type();
                self.leaf(AlloyTermKind::Number(*value), ty, 0, span)
            }
            AlloyExprKind::Text(text) => {
                let ty = self.sig_type(AlloyModel::STRING);
                self.leaf(AlloyTermKind::Text(*text), ty, 0, span)
            }
            AlloyExprKind::Constant(constant) => self.constant(context, *constant, span),
            AlloyExprKind::Unary(AlloyUnaryOp::Seq, inner) => self.sequence(context, *inner, span),
            AlloyExprKind::Unary(op, inner) => {
                let inner = self.visit(context, *inner);
                self.unary(*op, inner, span)
            }
            AlloyExprKind::Binary(op, a, b) => {
                let left = self.visit(context, *a);
                let right = if *op == ast::AlloyBinaryOp::In {
                    self.with_mult(context, *b)
                } else {
                    self.visit(context, *b)
                };
                self.binary(*op, left, right, span)
            }
            AlloyExprKind::Arrow(m, n, a, b) => {
                let (a, b) = (self.visit(context, *a), self.visit(context, *b));
                self.arrow(*m, *n, a, b, span)
            }
            AlloyExprKind::Join(a, b) => {
                let (a, b) = (self.visit(context, *a), self.visit_callee(context, *b));
                self.join(a, b, span)
            }
            AlloyExprKind::IfElse(c, a, b) => {
                let c = self.visit(context, *c);
                let (a, b) = (self.visit(context, *a), self.visit(context, *b));
                self.if_else(c, a, b, span)
            }
            AlloyExprKind::Block(parts) => {
                let parts = parts
                    .iter()
                    .map(|&part| self.visit(context, part))
                    .collect();
                self.block(parts, span)
            }
            AlloyExprKind::Let(name, value, body) => {
                self.let_in(context, *name, *value, *body, span)
            }
            AlloyExprKind::Quantified(quantifier, decls, body) => {
                self.quantified(context, *quantifier, decls, *body, span)
            }
        }
    }

    /// What is called or joined to: a macro there waits for its arguments.
    fn visit_callee(&mut self, context: &mut ResolveContext, id: AlloyExprId) -> DraftId {
        let module = self.world.module(context.instance);
        match &module.exprs[id].kind {
            AlloyExprKind::Name(name, alone) => {
                self.name(context, *name, *alone, module.exprs[id].span)
            }
            AlloyExprKind::Join(a, b) => deep(|| {
                let (a, b) = (self.visit(context, *a), self.visit_callee(context, *b));
                self.partial_join(a, b, module.exprs[id].span)
            }),
            _ => self.visit(context, id),
        }
    }

    fn constant(&mut self, context: &ResolveContext, constant: Constant, span: Span) -> DraftId {
        let sig = |index: usize| AlloyTermKind::Sig(SigId::new(index));
        let (kind, ty) = match constant {
            Constant::None => (sig(AlloyModel::NONE), self.sig_type(AlloyModel::NONE)),
            Constant::Univ => (sig(AlloyModel::UNIV), self.sig_type(AlloyModel::UNIV)),
            Constant::Int => (sig(AlloyModel::INT), self.sig_type(AlloyModel::INT)),
            Constant::SeqInt => (sig(AlloyModel::SEQ_INT), self.sig_type(AlloyModel::SEQ_INT)),
            Constant::String => (sig(AlloyModel::STRING), self.sig_type(AlloyModel::STRING)),
            Constant::Iden => {
                let univ = self.sig_type(AlloyModel::UNIV);
                (AlloyTermKind::Iden, self.hierarchy.product(&univ, &univ))
            }
            Constant::Min => (AlloyTermKind::Min, self.integer_type()),
            Constant::Max => (AlloyTermKind::Max, self.integer_type()),
            Constant::Next => {
                let int = self.sig_type(AlloyModel::INT);
                (AlloyTermKind::Next, self.hierarchy.product(&int, &int))
            }
            Constant::This => {
                let this = self.world.names.intern("this");
                if context.local(this).is_some() {
                    return self.name(context, this, false, span);
                }
                let diagnostic = Diagnostic::error(span, "`this` has no meaning here").help(
                    "`this` stands for an atom in the fields and facts of a signature, and for the receiver of a function.",
                );
                return self.bad(diagnostic);
            }
            Constant::Disj | Constant::TotalOrder | Constant::IntCast => {
                let kind = DraftKind::BuiltIn(constant, Vec::new());
                return self.draft(kind, AlloyType::default(), 0, span);
            }
        };
        self.leaf(kind, ty, 0, span)
    }

    /// `seq e`: the functions from an initial segment of the indices to `e`.
    fn sequence(
        &mut self,
        context: &mut ResolveContext,
        inner: AlloyExprId,
        span: Span,
    ) -> DraftId {
        let inner = self.visit(context, inner);
        let indices = self.constant(context, Constant::SeqInt, span);
        let arrow = self.arrow(Mult::Set, Mult::Lone, indices, inner, span);
        self.unary(AlloyUnaryOp::Seq, arrow, span)
    }

    /// `a.b`, where `b` may be what `a` is an argument of.
    fn join(&mut self, a: DraftId, b: DraftId, span: Span) -> DraftId {
        let joined = self.partial_join(a, b, span);
        self.unfold(joined)
    }

    fn partial_join(&mut self, a: DraftId, b: DraftId, span: Span) -> DraftId {
        match self.drafts[b].kind.clone() {
            DraftKind::Macro(instance, place, mut arguments) => {
                let wanted = self.world.module(instance).macros[place].params.len();
                if arguments.len() < wanted {
                    arguments.push(a);
                    let kind = DraftKind::Macro(instance, place, arguments);
                    return self.draft(kind, AlloyType::default(), 0, span);
                }
                // The macro has all its arguments: this one is joined to what it stands for.
                let unfolded = self.unfold(b);
                self.partial_join(a, unfolded, span)
            }
            DraftKind::BuiltIn(constant, mut arguments) => {
                arguments.push(a);
                self.built_in(constant, arguments, span)
            }
            DraftKind::Leaf(AlloyTermKind::Sig(sig))
                if sig.index() == AlloyModel::INT && self.is_integer(a) =>
            {
                // An integer is a set of its atom already, so the cast changes nothing.
                a
            }
            DraftKind::Choice(candidates) => {
                if let Err(diagnostic) = self.wants_set(a) {
                    return self.bad(diagnostic);
                }
                let mut joined = Vec::new();
                for (candidate, what) in candidates {
                    joined.push((self.applied(a, candidate, span), what));
                }
                // What is said about the choice is said about the name.
                self.choice(joined, self.drafts[b].span)
            }
            _ => {
                if let Err(diagnostic) = self.wants_set(a) {
                    return self.bad(diagnostic);
                }
                self.applied(a, b, span)
            }
        }
    }

    fn is_integer(&self, a: DraftId) -> bool {
        let int = self.sig_type(AlloyModel::INT);
        self.ty(a).is_integer || self.ty(a).products == int.products
    }

    /// A call with one more argument, or a join.
    fn applied(&mut self, a: DraftId, b: DraftId, span: Span) -> DraftId {
        if let DraftKind::Partial(function, arguments) = &self.drafts[b].kind
            && arguments.len() < self.model.functions[*function].arity()
        {
            let (function, mut arguments) = (*function, arguments.clone());
            if matches!(self.drafts[a].kind, DraftKind::Bad(_)) {
                return a;
            }
            arguments.push(a);
            let weight = self.drafts[b].weight;
            return self.call(function, arguments, weight, span);
        }
        self.plain_join(a, b, span)
    }

    fn built_in(&mut self, constant: Constant, arguments: Vec<DraftId>, span: Span) -> DraftId {
        match constant {
            Constant::IntCast => self.unary(AlloyUnaryOp::IntCast, arguments[0], span),
            _ => {
                let operands = arguments.clone();
                let kind = DraftKind::BuiltIn(constant, arguments);
                self.node(kind, &operands, Ok(AlloyType::formula()), span)
            }
        }
    }

    /// A macro with all its arguments, written out; anything else as it is.
    fn unfold(&mut self, draft: DraftId) -> DraftId {
        let DraftKind::Macro(instance, place, arguments) = self.drafts[draft].kind.clone() else {
            return draft;
        };
        let module = self.world.module(instance);
        let definition = &module.macros[place];
        if arguments.len() < definition.params.len() {
            return draft;
        }
        let span = self.drafts[draft].span;
        if self.unfolding >= DEEPEST_MACRO || self.unfolded >= MOST_MACROS {
            let message = format!(
                "The macro `{}` stands for itself, or macros are nested too deeply",
                self.text(definition.name.symbol)
            );
            return self.bad(Diagnostic::error(span, message));
        }
        let mut context = ResolveContext::of(instance);
        for (param, argument) in definition.params.iter().zip(arguments) {
            context.bind(param.symbol, argument);
        }
        self.unfolding += 1;
        self.unfolded += 1;
        // The body may be a macro or a function that waits for arguments which follow here.
        let body = self.visit_callee(&mut context, definition.body);
        let body = self.unfold(body);
        self.unfolding -= 1;
        body
    }

    fn let_in(
        &mut self,
        context: &mut ResolveContext,
        name: ast::AlloyIdent,
        value: AlloyExprId,
        body: AlloyExprId,
        span: Span,
    ) -> DraftId {
        let value = self.visit(context, value);
        let draft = &self.drafts[value];
        // The variable has one meaning for all its uses, so its value is settled before the body is read.
        let settled = if draft.ty.is_formula && !draft.ty.is_set() {
            self.settle_formula(value)
        } else {
            let wanted = draft.ty.clone();
            self.settle(value, &wanted)
        };
        let Some(settled) = settled else {
            return self.already_told(span);
        };
        let ty = self.model.terms[settled].ty.clone();
        let var = self.variable(name.symbol, ty, name.span);
        let local = self.local_var(var);
        context.bind(name.symbol, local);
        let body = self.visit(context, body);
        context.unbind(name.symbol);
        let ty = self.ty(body).clone();
        self.node(DraftKind::Let(var, settled, body), &[body], Ok(ty), span)
    }

    /// A draft for something whose mistakes are in the log already.
    pub(super) fn already_told(&mut self, span: Span) -> DraftId {
        let kind = DraftKind::Bad(std::rc::Rc::new(Vec::new()));
        self.draft(kind, AlloyType::default(), 0, span)
    }

    fn quantified(
        &mut self,
        context: &mut ResolveContext,
        quantifier: AlloyQuantifier,
        decls: &[Decl],
        body: AlloyExprId,
        span: Span,
    ) -> DraftId {
        let mut bindings = Vec::new();
        let mut failed = false;
        for decl in decls {
            match self.binding(context, decl) {
                Some(binding) => bindings.push(binding),
                None => {
                    failed = true;
                    break;
                }
            }
        }
        let mut body_term = None;
        if !failed {
            let body = self.visit(context, body);
            body_term = match quantifier {
                AlloyQuantifier::Sum => self.settle_integer(body),
                _ => self.settle_formula(body),
            };
        }
        // A declaration that failed has bound none of its variables.
        for binding in &bindings {
            for &var in &binding.vars {
                context.unbind(self.model.vars[var].name);
            }
        }
        let Some(body) = body_term else {
            return self.already_told(span);
        };
        self.unused(&bindings);
        let ty = match quantifier {
            AlloyQuantifier::Sum => self.integer_type(),
            AlloyQuantifier::Comprehension => {
                let columns = bindings.iter().map(|binding| binding.vars.len()).sum();
                if let Err(diagnostic) = too_wide(columns, span) {
                    return self.bad(diagnostic);
                }
                let mut ty: Option<AlloyType> = None;
                for binding in &bindings {
                    let column = self.model.terms[binding.bound].ty.clone();
                    for _ in &binding.vars {
                        ty = Some(match ty {
                            Some(ty) => self.hierarchy.product(&ty, &column),
                            None => column.clone(),
                        });
                    }
                }
                ty.unwrap_or_default()
            }
            _ => AlloyType::formula(),
        };
        let kind = AlloyTermKind::Quantified(quantifier, bindings, body);
        let term = self.term(kind, ty.clone(), span);
        self.draft(DraftKind::Settled(term), ty, 0, span)
    }

    /// A declaration of variables; they can be used from here on.
    pub(super) fn binding(&mut self, context: &mut ResolveContext, decl: &Decl) -> Option<Binding> {
        let bound = self.bound(context, decl.bound)?;
        if decl.disj_value {
            let span = self.model.terms[bound].span;
            let message = "Only the values of fields can be disjoint";
            self.log.push(Diagnostic::error(span, message));
        }
        let ty = self.model.terms[bound].ty.as_set();
        let mut vars = Vec::new();
        for name in &decl.names {
            let var = self.variable(name.symbol, ty.clone(), name.span);
            let local = self.local_var(var);
            context.bind(name.symbol, local);
            vars.push(var);
        }
        let disj = decl.disj;
        Some(Binding { vars, disj, bound })
    }

    /// The bound of a declaration, with its multiplicity: `one` if it is a set without one.
    pub(super) fn bound(
        &mut self,
        context: &mut ResolveContext,
        expr: AlloyExprId,
    ) -> Option<AlloyTermId> {
        let draft = self.with_mult(context, expr);
        let span = self.drafts[draft].span;
        let term = self.settle_set(draft)?;
        let kind = &self.model.terms[term].kind;
        let plain = !matches!(kind, AlloyTermKind::Mult(..) | AlloyTermKind::Arrow(..));
        let ty = self.model.terms[term].ty.clone();
        if plain && ty.arity() == Some(1) {
            return Some(self.term(AlloyTermKind::Mult(Mult::One, term), ty, span));
        }
        Some(term)
    }

    /// An expression where `one`, `lone`, `some` and `set` are multiplicities.
    pub(super) fn with_mult(&mut self, context: &mut ResolveContext, expr: AlloyExprId) -> DraftId {
        let module = self.world.module(context.instance);
        let (mult, inner) = match &module.exprs[expr].kind {
            AlloyExprKind::Unary(AlloyUnaryOp::One, inner) => (Mult::One, *inner),
            AlloyExprKind::Unary(AlloyUnaryOp::Lone, inner) => (Mult::Lone, *inner),
            AlloyExprKind::Unary(AlloyUnaryOp::Some, inner) => (Mult::Some, *inner),
            AlloyExprKind::Unary(AlloyUnaryOp::Set, inner) => (Mult::Set, *inner),
            _ => return self.visit(context, expr),
        };
        let span = module.exprs[expr].span;
        let inner = self.visit(context, inner);
        let ty = self.wants_set(inner).map(|()| self.ty(inner).as_set());
        self.node(DraftKind::Mult(mult, inner), &[inner], ty, span)
    }
}
