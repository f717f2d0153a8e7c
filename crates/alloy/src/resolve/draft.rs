//! Drafts: nodes whose names may still mean several things, with the types that bound them.

use std::rc::Rc;

use wherefore_base::{Diagnostic, Span, define_id};

use super::Resolver;
use crate::ast::{AlloyBinaryOp, AlloyUnaryOp, Constant, Mult};
use crate::model::{AlloyModel, AlloyTermId, AlloyTermKind, AlloyVarId, FunctionId};
use crate::types::AlloyType;

define_id!(
    /// A node that is being resolved.
    pub(crate) struct DraftId
);

/// A node with its type.
pub(crate) struct DraftTerm {
    pub(super) kind: DraftKind,
    pub(super) ty: AlloyType,
    /// How far-fetched it is: of several meanings the lightest is taken.
    pub(super) weight: u32,
    pub(super) span: Span,
}

/// What a draft is.
#[derive(Clone)]
pub(super) enum DraftKind {
    /// Something without operands.
    Leaf(AlloyTermKind),
    /// Something that is settled already.
    Settled(AlloyTermId),
    Unary(AlloyUnaryOp, DraftId),
    Mult(Mult, DraftId),
    Binary(AlloyBinaryOp, DraftId, DraftId),
    Arrow(Mult, Mult, DraftId, DraftId),
    Join(DraftId, DraftId),
    IfElse(DraftId, DraftId, DraftId),
    Let(AlloyVarId, AlloyTermId, DraftId),
    Block(Vec<DraftId>),
    Call(FunctionId, Vec<DraftId>),
    /// A predicate or function that lacks arguments, or whose arguments do not fit.
    Partial(FunctionId, Vec<DraftId>),
    /// `disj`, `pred/totalOrder` or `int` with the arguments so far.
    BuiltIn(Constant, Vec<DraftId>),
    /// A macro of an instance with the arguments so far.
    Macro(usize, usize, Vec<DraftId>),
    /// Several meanings, each with its description.
    Choice(Vec<(DraftId, Rc<str>)>),
    /// It cannot mean anything, for these reasons.
    Bad(Rc<Vec<Diagnostic>>),
}

impl Resolver<'_, '_> {
    pub(super) fn draft(
        &mut self,
        kind: DraftKind,
        ty: AlloyType,
        weight: u32,
        span: Span,
    ) -> DraftId {
        self.effort.spend(size_of::<DraftTerm>());
        self.drafts.push(DraftTerm {
            kind,
            ty,
            weight,
            span,
        })
    }

    pub(super) fn leaf(
        &mut self,
        kind: AlloyTermKind,
        ty: AlloyType,
        weight: u32,
        span: Span,
    ) -> DraftId {
        self.draft(DraftKind::Leaf(kind), ty, weight, span)
    }

    pub(super) fn local_var(&mut self, var: AlloyVarId) -> DraftId {
        let variable = &self.model.vars[var];
        let (ty, span) = (variable.ty.clone(), variable.span);
        self.leaf(AlloyTermKind::Var(var), ty, 0, span)
    }

    pub(super) fn bad(&mut self, diagnostic: Diagnostic) -> DraftId {
        let span = diagnostic.span().expect("a diagnostic has a place");
        let kind = DraftKind::Bad(Rc::new(vec![diagnostic]));
        self.draft(kind, AlloyType::default(), 0, span)
    }

    /// The reasons why one of these drafts is bad, if one is.
    fn worst(&self, operands: &[DraftId]) -> Option<Rc<Vec<Diagnostic>>> {
        let bad = operands
            .iter()
            .filter_map(|&id| match &self.drafts[id].kind {
                DraftKind::Bad(reasons) => Some(reasons),
                _ => None,
            });
        let all: Vec<_> = bad.collect();
        match all[..] {
            [] => None,
            [one] => Some(Rc::clone(one)),
            _ => {
                // Reasons are handed on upwards: without a limit they could multiply at every node.
                let reasons = all.iter().flat_map(|reasons| reasons.iter().cloned());
                Some(Rc::new(reasons.take(40).collect()))
            }
        }
    }

    /// A node over operands: bad if one of them is, or if it has no type.
    pub(super) fn node(
        &mut self,
        kind: DraftKind,
        operands: &[DraftId],
        ty: Result<AlloyType, Diagnostic>,
        span: Span,
    ) -> DraftId {
        if let Some(reasons) = self.worst(operands) {
            return self.draft(DraftKind::Bad(reasons), AlloyType::default(), 0, span);
        }
        let weights = operands.iter().map(|&id| self.drafts[id].weight);
        let weight = weights.fold(0, u32::saturating_add);
        match ty {
            Ok(ty) => self.draft(kind, ty, weight, span),
            Err(diagnostic) => self.bad(diagnostic),
        }
    }

    pub(super) fn ty(&self, id: DraftId) -> &AlloyType {
        &self.drafts[id].ty
    }

    pub(super) fn integer_type(&self) -> AlloyType {
        AlloyType {
            is_integer: true,
            ..self.sig_type(AlloyModel::INT)
        }
    }

    /// Whether a draft has no type yet, and what is wrong with it is told when it is settled.
    fn is_open(&self, id: DraftId) -> bool {
        let draft = &self.drafts[id];
        let nothing = !draft.ty.is_formula && !draft.ty.is_set();
        nothing || matches!(draft.kind, DraftKind::Bad(_))
    }

    pub(super) fn wants_formula(&self, id: DraftId) -> Result<(), Diagnostic> {
        let draft = &self.drafts[id];
        if draft.ty.is_formula || self.is_open(id) {
            return Ok(());
        }
        let message = "A formula is expected here, and this is not one";
        let shown = self.show(&draft.ty);
        let advice = match self.looks_like_a_call(draft.span) {
            true => "Arguments are given in brackets, as in `p[a, b]`.",
            false => "To say that a set is not empty, write `some` before it.",
        };
        Err(Diagnostic::error(draft.span, message)
            .because(format!("this is of type {shown}"))
            .help(advice))
    }

    /// Whether something stands right before a parenthesis, or in one right after a name.
    fn looks_like_a_call(&self, span: Span) -> bool {
        let text = self.world.sources.file(span.file).text();
        let (before, after) = text.split_at(span.start as usize);
        let named = |text: &str| text.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        let inside = before.strip_suffix('(').is_some_and(named);
        inside || after[(span.end - span.start) as usize..].starts_with('(')
    }

    pub(super) fn wants_set(&self, id: DraftId) -> Result<(), Diagnostic> {
        let draft = &self.drafts[id];
        if draft.ty.is_set() || self.is_open(id) {
            return Ok(());
        }
        let message = "A set or relation is expected here, and this is a formula";
        let diagnostic = Diagnostic::error(draft.span, message);
        Err(match draft.kind {
            DraftKind::Call(..) => diagnostic.help(
                "A predicate holds or does not hold. What returns a set is a function, `fun`.",
            ),
            _ => diagnostic,
        })
    }

    pub(super) fn wants_integer(&self, id: DraftId) -> Result<(), Diagnostic> {
        let draft = &self.drafts[id];
        let set = draft.ty.of_arity(1);
        let fits = self
            .hierarchy
            .intersects(&set, &self.sig_type(AlloyModel::INT))
            || set.is_set() && !self.hierarchy.has_tuple(&set);
        if fits || self.is_open(id) {
            return Ok(());
        }
        let shown = self.show(&draft.ty);
        let message = "An integer is expected here, and this is not one";
        let diagnostic =
            Diagnostic::error(draft.span, message).because(format!("this is of type {shown}"));
        Err(if draft.ty.is_set() {
            diagnostic.help("How many there are is written with `#` before it.")
        } else {
            diagnostic
        })
    }

    pub(super) fn unary(&mut self, op: AlloyUnaryOp, a: DraftId, span: Span) -> DraftId {
        use AlloyUnaryOp as U;
        let ty = match op {
            U::Not
            | U::Always
            | U::Eventually
            | U::After
            | U::Before
            | U::Historically
            | U::Once => self.wants_formula(a).map(|()| AlloyType::formula()),
            U::No | U::Some | U::Lone | U::One => self.wants_set(a).map(|()| AlloyType::formula()),
            U::Set | U::Seq | U::Prime => self.wants_set(a).map(|()| self.ty(a).as_set()),
            U::Cardinality => self.wants_set(a).map(|()| self.integer_type()),
            U::IntCast => self.wants_integer(a).map(|()| self.integer_type()),
            U::Transpose | U::Closure | U::ReflexiveClosure => self.wants_pairs(op, a),
        };
        self.node(DraftKind::Unary(op, a), &[a], ty, span)
    }

    fn wants_pairs(&self, op: AlloyUnaryOp, a: DraftId) -> Result<AlloyType, Diagnostic> {
        let ty = self.ty(a);
        if !ty.has_arity(2) && !self.is_open(a) {
            let sign = match op {
                AlloyUnaryOp::Transpose => "~",
                AlloyUnaryOp::Closure => "^",
                _ => "*",
            };
            let shown = self.show(ty);
            let message = format!("`{sign}` takes a binary relation");
            let diagnostic = Diagnostic::error(self.drafts[a].span, message)
                .because(format!("this is of type {shown}"));
            let of_integers = self
                .hierarchy
                .intersects(ty, &self.sig_type(AlloyModel::INT));
            return Err(if op == AlloyUnaryOp::ReflexiveClosure && of_integers {
                diagnostic.help("The product of two integers is written `mul[a, b]`.")
            } else {
                diagnostic
            });
        }
        Ok(match op {
            AlloyUnaryOp::Transpose => self.hierarchy.transpose(ty),
            AlloyUnaryOp::Closure => self.hierarchy.closure(ty),
            _ => {
                let univ = self.sig_type(AlloyModel::UNIV);
                self.hierarchy.product(&univ, &univ)
            }
        })
    }

    pub(super) fn binary(
        &mut self,
        op: AlloyBinaryOp,
        a: DraftId,
        b: DraftId,
        span: Span,
    ) -> DraftId {
        use AlloyBinaryOp as B;
        let ty = match op {
            B::Or
            | B::Iff
            | B::Implies
            | B::And
            | B::Until
            | B::Since
            | B::Releases
            | B::Triggered
            | B::Then => self
                .wants_formula(a)
                .and_then(|()| self.wants_formula(b))
                .map(|()| AlloyType::formula()),
            B::Less | B::Greater | B::LessEqual | B::GreaterEqual => self
                .wants_integer(a)
                .and_then(|()| self.wants_integer(b))
                .map(|()| AlloyType::formula()),
            B::ShiftLeft
            | B::ShiftRight
            | B::ShiftRightZeros
            | B::Add
            | B::Sub
            | B::Mul
            | B::Div
            | B::Rem => self
                .wants_integer(a)
                .and_then(|()| self.wants_integer(b))
                .map(|()| self.integer_type()),
            B::In | B::Equal => self
                .same_columns(op, a, b, span)
                .map(|_| AlloyType::formula()),
            B::Union | B::Difference | B::Intersection | B::Override => {
                self.same_columns(op, a, b, span)
            }
            B::Domain | B::Range => self.restricted(op, a, b, span),
        };
        self.node(DraftKind::Binary(op, a, b), &[a, b], ty, span)
    }

    /// The type of an operation on relations with the same number of columns.
    fn same_columns(
        &self,
        op: AlloyBinaryOp,
        a: DraftId,
        b: DraftId,
        span: Span,
    ) -> Result<AlloyType, Diagnostic> {
        self.wants_set(a)?;
        self.wants_set(b)?;
        let (left, right) = (self.ty(a), self.ty(b));
        let common = left.products.iter().any(|p| right.has_arity(p.len()));
        if !common && !self.is_open(a) && !self.is_open(b) {
            let sign = sign(op);
            let message = format!("`{sign}` takes two expressions with the same number of columns");
            let (left, right) = (self.show(left), self.show(right));
            return Err(Diagnostic::error(span, message)
                .see(self.drafts[a].span, format!("this is of type {left}"))
                .see(self.drafts[b].span, format!("this is of type {right}")));
        }
        Ok(match op {
            AlloyBinaryOp::Intersection => self.hierarchy.intersection(left, right),
            AlloyBinaryOp::Difference => {
                let kept = left.products.iter().filter(|p| right.has_arity(p.len()));
                self.hierarchy.of(kept.cloned())
            }
            _ => self.hierarchy.union(left, right),
        })
    }

    fn restricted(
        &self,
        op: AlloyBinaryOp,
        a: DraftId,
        b: DraftId,
        span: Span,
    ) -> Result<AlloyType, Diagnostic> {
        let (set, relation) = match op {
            AlloyBinaryOp::Domain => (self.ty(a), self.ty(b)),
            _ => (self.ty(b), self.ty(a)),
        };
        let open = self.is_open(a) || self.is_open(b);
        if !open && (!set.has_arity(1) || !relation.is_set()) {
            let message = match op {
                AlloyBinaryOp::Domain => "`<:` takes a set on its left and a relation on its right",
                _ => "`:>` takes a relation on its left and a set on its right",
            };
            return Err(Diagnostic::error(span, message));
        }
        let mut ty = AlloyType::default();
        for product in &relation.products {
            for column in set.products.iter().filter(|p| p.len() == 1) {
                let mut restricted = product.clone();
                let at = match op {
                    AlloyBinaryOp::Domain => 0,
                    _ => restricted.len() - 1,
                };
                restricted[at] = self.hierarchy.meet(restricted[at], column[0]);
                self.hierarchy.add(&mut ty, restricted);
            }
        }
        Ok(ty)
    }

    pub(super) fn arrow(
        &mut self,
        m: Mult,
        n: Mult,
        a: DraftId,
        b: DraftId,
        span: Span,
    ) -> DraftId {
        let ty = self
            .wants_set(a)
            .and_then(|()| self.wants_set(b))
            .and_then(|()| {
                let columns = |id: DraftId| self.ty(id).products.iter().map(Vec::len).max();
                let columns = columns(a).unwrap_or(0) + columns(b).unwrap_or(0);
                too_wide(columns, span)
            })
            .map(|()| self.hierarchy.product(self.ty(a), self.ty(b)));
        self.node(DraftKind::Arrow(m, n, a, b), &[a, b], ty, span)
    }

    /// `a.b` as a join of relations.
    pub(super) fn plain_join(&mut self, a: DraftId, b: DraftId, span: Span) -> DraftId {
        let ty = self.hierarchy.join(self.ty(a), self.ty(b));
        let ty = if ty.is_set() || self.is_open(a) || self.is_open(b) {
            Ok(ty)
        } else if let DraftKind::Call(function, _) = self.drafts[b].kind {
            Err(self.one_too_many(function, a, span))
        } else {
            let (left, right) = (self.show(self.ty(a)), self.show(self.ty(b)));
            let message = if self.ty(a).has_arity(1) && self.ty(b).has_arity(1) {
                "Two sets cannot be joined"
            } else {
                "These two cannot be joined"
            };
            Err(Diagnostic::error(span, message)
                .see(self.drafts[a].span, format!("this is of type {left}"))
                .see(self.drafts[b].span, format!("this is of type {right}")))
        };
        self.node(DraftKind::Join(a, b), &[a, b], ty, span)
    }

    pub(super) fn if_else(&mut self, c: DraftId, a: DraftId, b: DraftId, span: Span) -> DraftId {
        let (left, right) = (self.ty(a), self.ty(b));
        let open = self.is_open(a) || self.is_open(b);
        let ty = self.wants_formula(c).and_then(|()| {
            let mut ty = self.hierarchy.union(left, right);
            ty.is_formula = left.is_formula && right.is_formula;
            ty.is_integer = left.is_integer && right.is_integer;
            if open || ty.is_formula || ty.is_set() {
                return Ok(ty);
            }
            let (left, right) = (self.show(left), self.show(right));
            let message = "The two sides of this choice are of different kinds";
            Err(Diagnostic::error(span, message)
                .see(self.drafts[a].span, format!("this is of type {left}"))
                .see(self.drafts[b].span, format!("this is of type {right}")))
        });
        self.node(DraftKind::IfElse(c, a, b), &[c, a, b], ty, span)
    }

    pub(super) fn block(&mut self, parts: Vec<DraftId>, span: Span) -> DraftId {
        if let [one] = parts[..] {
            return one;
        }
        let wrong = parts
            .iter()
            .find_map(|&part| self.wants_formula(part).err());
        let ty = wrong.map_or(Ok(AlloyType::formula()), Err);
        let operands = parts.clone();
        self.node(DraftKind::Block(parts), &operands, ty, span)
    }

    /// A choice between meanings, of which there is at least one.
    pub(super) fn choice(
        &mut self,
        mut candidates: Vec<(DraftId, Rc<str>)>,
        span: Span,
    ) -> DraftId {
        // The module of integers is opened unasked: where no field speaks of integers, it is seldom meant.
        if candidates.len() > 1 && !self.uses_integers {
            let (drafts, functions) = (&self.drafts, &self.model.functions);
            let of_integers = |id: DraftId| match &drafts[id].kind {
                DraftKind::Call(function, _) | DraftKind::Partial(function, _) => {
                    functions[*function].label.starts_with("integer/")
                }
                _ => false,
            };
            let is_call = |id: DraftId| matches!(drafts[id].kind, DraftKind::Call(..));
            let has_type = |id: DraftId| drafts[id].ty.is_formula || drafts[id].ty.is_set();
            if candidates
                .iter()
                .any(|(id, _)| !of_integers(*id) && has_type(*id))
            {
                candidates.retain(|(id, _)| !of_integers(*id) || !is_call(*id));
            }
        }
        if let [(one, _)] = candidates[..] {
            return one;
        }
        let mut ty = AlloyType::default();
        let mut weight = u32::MAX;
        for &(id, _) in &candidates {
            let draft = &self.drafts[id];
            ty = self.hierarchy.merge(&ty, &draft.ty);
            if draft.ty.is_formula || draft.ty.is_set() {
                weight = weight.min(draft.weight);
            }
        }
        let weight = if weight == u32::MAX { 0 } else { weight };
        self.draft(DraftKind::Choice(candidates), ty, weight, span)
    }

    pub(super) fn call(
        &mut self,
        function: FunctionId,
        arguments: Vec<DraftId>,
        weight: u32,
        span: Span,
    ) -> DraftId {
        let callee = &self.model.functions[function];
        let full = arguments.len() == callee.arity();
        // An argument without tuples fits any parameter with its number of columns.
        let fits = full
            && callee.vars().zip(&arguments).all(|(param, &argument)| {
                let (param, argument) = (&self.model.vars[param].ty, self.ty(argument));
                argument.has_common_arity(param)
                    && (!self.hierarchy.has_tuple(argument)
                        || !self.hierarchy.has_tuple(param)
                        || self.hierarchy.intersects(argument, param))
            });
        let weights = arguments.iter().map(|&id| self.drafts[id].weight);
        let total = weights.fold(weight, u32::saturating_add);
        if !fits {
            let kind = DraftKind::Partial(function, arguments);
            return self.draft(kind, AlloyType::default(), weight, span);
        }
        let given: Vec<AlloyType> = arguments.iter().map(|&id| self.ty(id).clone()).collect();
        let ty = self.type_of_call(function, &given);
        self.draft(DraftKind::Call(function, arguments), ty, total, span)
    }
}

/// Whether a relation has more columns than any scope allows.
pub(super) fn too_wide(columns: usize, span: Span) -> Result<(), Diagnostic> {
    const MOST: usize = 60;
    if columns > MOST {
        let message = format!("Relations have at most {MOST} columns, and this has {columns}");
        return Err(Diagnostic::error(span, message));
    }
    Ok(())
}

/// An operator as the user writes it.
pub(super) fn sign(op: AlloyBinaryOp) -> &'static str {
    use AlloyBinaryOp as B;
    match op {
        B::In => "in",
        B::Equal => "=",
        B::Union => "+",
        B::Difference => "-",
        B::Override => "++",
        B::Intersection => "&",
        B::Domain => "<:",
        B::Range => ":>",
        _ => "this operator",
    }
}
