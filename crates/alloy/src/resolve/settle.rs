//! The way down: which part of its type matters at each node, and what its names mean for that reason.

mod binary;

use wherefore_base::{Diagnostic, Span, deep};

use super::Resolver;
use super::draft::{DraftId, DraftKind};
use crate::ast::{AlloyBinaryOp, AlloyUnaryOp, Constant};
use crate::model::{AlloyModel, AlloyTermId, AlloyTermKind, FunctionId};
use crate::types::AlloyType;
use crate::world::count;

impl Resolver<'_, '_> {
    /// The term of a formula; `None` when there is none, and the log says why.
    pub(super) fn settle_formula(&mut self, draft: DraftId) -> Option<AlloyTermId> {
        if let Err(diagnostic) = self.wants_formula(draft) {
            self.log.push(diagnostic);
            return None;
        }
        self.settle(draft, &AlloyType::formula())
    }

    /// The term of a set or relation.
    pub(super) fn settle_set(&mut self, draft: DraftId) -> Option<AlloyTermId> {
        if let Err(diagnostic) = self.wants_set(draft) {
            self.log.push(diagnostic);
            return None;
        }
        let wanted = self.ty(draft).as_set();
        self.settle(draft, &wanted)
    }

    /// The term of an integer.
    pub(super) fn settle_integer(&mut self, draft: DraftId) -> Option<AlloyTermId> {
        if let Err(diagnostic) = self.wants_integer(draft) {
            self.log.push(diagnostic);
            return None;
        }
        let wanted = self.integer_type();
        self.settle(draft, &wanted)
    }

    /// The term of a draft of which this part of its type matters.
    pub(super) fn settle(&mut self, draft: DraftId, wanted: &AlloyType) -> Option<AlloyTermId> {
        self.effort.spend(0)?;
        let term = deep(|| self.settle_here(draft, wanted))?;
        if self.columns_fit(term) {
            return Some(term);
        }
        let span = self.model.terms[term].span;
        let message = "The numbers of columns do not fit here";
        let mut diagnostic = Diagnostic::error(span, message);
        for operand in self.model.terms[term].kind.operands() {
            let operand = &self.model.terms[operand];
            let shown = self.show(&operand.ty);
            diagnostic = diagnostic.see(operand.span, format!("this is of type {shown}"));
        }
        self.log.push(diagnostic);
        None
    }

    /// Whether the meanings that were chosen still fit: a choice whose type had several numbers of columns
    /// may have come to another one than its neighbour.
    fn columns_fit(&self, term: AlloyTermId) -> bool {
        let columns = |term: AlloyTermId| self.type_of(term).arity();
        let same = |a: Option<usize>, b: Option<usize>| a.is_none() || b.is_none() || a == b;
        use AlloyBinaryOp as B;
        match &self.model.terms[term].kind {
            AlloyTermKind::Binary(op, a, b) => match op {
                B::In | B::Equal | B::Union | B::Difference | B::Intersection | B::Override => {
                    same(columns(*a), columns(*b))
                }
                B::Domain => same(columns(*a), Some(1)),
                B::Range => same(columns(*b), Some(1)),
                _ => true,
            },
            AlloyTermKind::Unary(
                AlloyUnaryOp::Transpose | AlloyUnaryOp::Closure | AlloyUnaryOp::ReflexiveClosure,
                a,
            ) => same(columns(*a), Some(2)),
            AlloyTermKind::IfElse(_, a, b) => same(columns(*a), columns(*b)),
            AlloyTermKind::Join(a, b) => columns(*a) != Some(1) || columns(*b) != Some(1),
            AlloyTermKind::Call(function, arguments) => {
                let params = self.model.functions[*function].vars();
                let params = params.map(|param| self.model.vars[param].ty.arity());
                params
                    .zip(arguments)
                    .all(|(param, &argument)| same(param, columns(argument)))
            }
            _ => true,
        }
    }

    fn settle_here(&mut self, id: DraftId, wanted: &AlloyType) -> Option<AlloyTermId> {
        let draft = &self.drafts[id];
        let (span, ty) = (draft.span, draft.ty.clone());
        match draft.kind.clone() {
            DraftKind::Leaf(kind) => {
                if let AlloyTermKind::Var(var) = kind {
                    self.used.insert(var);
                }
                Some(self.term(kind, ty, span))
            }
            DraftKind::Settled(term) => Some(term),
            DraftKind::Bad(reasons) => {
                self.log.extend(reasons.iter().cloned());
                None
            }
            DraftKind::Unary(op, a) => self.settle_unary(op, a, wanted, span),
            DraftKind::Mult(mult, a) => {
                let own = self.ty(a).as_set();
                let a = self.settle(a, &own)?;
                let ty = self.model.terms[a].ty.as_set();
                Some(self.term(AlloyTermKind::Mult(mult, a), ty, span))
            }
            DraftKind::Binary(op, a, b) => self.settle_binary(op, a, b, wanted, span),
            DraftKind::Arrow(m, n, a, b) => {
                let (left, right) = self.wanted_of_arrow(a, b, wanted);
                let (a, b) = self.both(a, &left, b, &right)?;
                let ty = self.hierarchy.product(self.type_of(a), self.type_of(b));
                Some(self.term(AlloyTermKind::Arrow(m, n, a, b), ty, span))
            }
            DraftKind::Join(a, b) => self.settle_join(a, b, wanted, span),
            DraftKind::IfElse(c, a, b) => {
                let c = self.settle_formula(c);
                self.irrelevant_branch([a, b], wanted);
                let wanted = self.meet_or(&ty, wanted);
                let (a, b) = self.both(a, &wanted, b, &wanted)?;
                let ty = self.hierarchy.merge(self.type_of(a), self.type_of(b));
                Some(self.term(AlloyTermKind::IfElse(c?, a, b), ty, span))
            }
            DraftKind::Let(var, value, body) => {
                let body = self.settle(body, wanted)?;
                let ty = self.type_of(body).clone();
                // Which variables the body uses is known only once it is settled.
                if !self.used.contains(&var) {
                    let place = self.model.vars[var].span;
                    let warning = Diagnostic::warning(place, "This variable is not used");
                    self.log.push(warning);
                }
                Some(self.term(AlloyTermKind::Let(var, value, body), ty, span))
            }
            DraftKind::Block(parts) => {
                let mut terms = Vec::new();
                let mut whole = true;
                for part in parts {
                    // The other parts are settled in any case, so that their mistakes are told too.
                    match self.settle_formula(part) {
                        Some(term) => terms.push(term),
                        None => whole = false,
                    }
                }
                whole.then(|| self.term(AlloyTermKind::Block(terms), AlloyType::formula(), span))
            }
            DraftKind::Call(function, arguments) => self.settle_call(function, arguments, ty, span),
            DraftKind::Partial(function, arguments) => {
                let diagnostic = self.misfit(function, &arguments, span);
                self.log.push(diagnostic);
                None
            }
            DraftKind::BuiltIn(constant, arguments) => {
                self.settle_built_in(constant, &arguments, span)
            }
            DraftKind::Macro(instance, place, arguments) => {
                let module = self.world.module(instance);
                let definition = &module.macros[place];
                let text = self.text(definition.name.symbol);
                let wanted = count(definition.params.len(), "argument");
                let message = format!("The macro `{text}` takes {wanted}, not {}", arguments.len());
                self.log.push(Diagnostic::error(span, message));
                None
            }
            DraftKind::Choice(candidates) => self.choose_once(id, candidates, wanted, span),
        }
    }

    pub(super) fn type_of(&self, term: AlloyTermId) -> &AlloyType {
        &self.model.terms[term].ty
    }

    /// Settles both, so that the mistakes of both are told.
    fn both(
        &mut self,
        a: DraftId,
        left: &AlloyType,
        b: DraftId,
        right: &AlloyType,
    ) -> Option<(AlloyTermId, AlloyTermId)> {
        let (a, b) = (self.settle(a, left), self.settle(b, right));
        Some((a?, b?))
    }

    /// What two types have in common, or the first of them when that is nothing.
    fn meet_or(&self, own: &AlloyType, wanted: &AlloyType) -> AlloyType {
        if wanted.is_formula && own.is_formula {
            return AlloyType::formula();
        }
        let meet = self.hierarchy.intersection(own, wanted);
        if self.hierarchy.has_tuple(&meet) {
            AlloyType {
                is_integer: own.is_integer && wanted.is_integer,
                ..meet
            }
        } else {
            let alike = own.alike(wanted);
            if alike.is_set() { alike } else { own.as_set() }
        }
    }

    fn settle_unary(
        &mut self,
        op: AlloyUnaryOp,
        a: DraftId,
        wanted: &AlloyType,
        span: Span,
    ) -> Option<AlloyTermId> {
        use AlloyUnaryOp as U;
        let own = self.ty(a).clone();
        let (a, ty) = match op {
            U::Not
            | U::Always
            | U::Eventually
            | U::After
            | U::Before
            | U::Historically
            | U::Once => (self.settle_formula(a)?, AlloyType::formula()),
            U::No | U::Some | U::Lone | U::One => {
                let a = self.settle(a, &own.as_set())?;
                if !self.hierarchy.has_tuple(self.type_of(a)) && !self.is_literal_none(a) {
                    // Often it is told already why.
                    let place = self.model.terms[a].span;
                    if self.log.iter().all(|told| told.span() != Some(place)) {
                        self.warn(place, "This expression is always empty");
                    }
                }
                (a, AlloyType::formula())
            }
            U::Set | U::Seq | U::Prime => {
                let wanted = self.meet_or(&own, wanted);
                let a = self.settle(a, &wanted)?;
                (a, self.type_of(a).as_set())
            }
            U::Cardinality => {
                let a = self.settle(a, &own.as_set())?;
                (a, self.integer_type())
            }
            U::IntCast => (self.settle_integer(a)?, self.integer_type()),
            U::Transpose => {
                let turned = self.hierarchy.transpose(wanted);
                let pairs = own.of_arity(2);
                let wanted = self.meet_or(&pairs, &turned);
                let a = self.settle(a, &wanted)?;
                (a, self.hierarchy.transpose(self.type_of(a)))
            }
            U::Closure | U::ReflexiveClosure => {
                let pairs = own.of_arity(2);
                let mut on_chains = self.hierarchy.on_chains(wanted, &pairs);
                if !self.hierarchy.has_tuple(&on_chains) {
                    on_chains = pairs;
                }
                let a = self.settle(a, &on_chains)?;
                let ty = if op == U::Closure {
                    self.hierarchy.closure(self.type_of(a))
                } else {
                    // A reflexive closure relates every atom to itself.
                    let univ = self.sig_type(AlloyModel::UNIV);
                    self.hierarchy.product(&univ, &univ)
                };
                let step = self.type_of(a);
                let chains = self.hierarchy.join(step, step);
                if self.hierarchy.has_tuple(step) && !self.hierarchy.has_tuple(&chains) {
                    let message = match op {
                        U::Closure => {
                            "This closure adds nothing: its pairs never follow each other"
                        }
                        _ => {
                            "This closure adds only each atom with itself: its pairs never follow each other"
                        }
                    };
                    self.warn(span, message);
                }
                (a, ty)
            }
        };
        Some(self.term(AlloyTermKind::Unary(op, a), ty, span))
    }

    fn is_literal_none(&self, term: AlloyTermId) -> bool {
        matches!(self.model.terms[term].kind, AlloyTermKind::Sig(sig) if sig.index() == AlloyModel::NONE)
    }

    fn settle_call(
        &mut self,
        function: FunctionId,
        arguments: Vec<DraftId>,
        ty: AlloyType,
        span: Span,
    ) -> Option<AlloyTermId> {
        let params: Vec<_> = self.model.functions[function].vars().collect();
        let mut terms = Vec::new();
        let mut whole = true;
        for (param, argument) in params.into_iter().zip(arguments) {
            let wanted = self.model.vars[param].ty.clone();
            match self.settle(argument, &wanted) {
                Some(term) => terms.push(term),
                None => whole = false,
            }
        }
        if !whole {
            return None;
        }
        // The arguments may have come to less than they could be.
        let given: Vec<AlloyType> = terms.iter().map(|&t| self.type_of(t).clone()).collect();
        let narrow = self.type_of_call(function, &given);
        let ty = if narrow.is_set() { narrow } else { ty };
        Some(self.term(AlloyTermKind::Call(function, terms), ty, span))
    }

    fn settle_built_in(
        &mut self,
        constant: Constant,
        arguments: &[DraftId],
        span: Span,
    ) -> Option<AlloyTermId> {
        let mut terms = Vec::new();
        for &argument in arguments {
            terms.push(self.settle_set(argument));
        }
        let terms: Vec<AlloyTermId> = terms.into_iter().collect::<Option<_>>()?;
        let kind = match (constant, &terms[..]) {
            (Constant::TotalOrder, &[elements, first, next]) => {
                AlloyTermKind::TotalOrder(elements, first, next)
            }
            (Constant::TotalOrder, _) => {
                let message = "`pred/totalOrder` takes a set, its first element and its order";
                self.log.push(Diagnostic::error(span, message));
                return None;
            }
            (Constant::IntCast, _) => {
                let message = "`int` takes an argument in brackets";
                self.log.push(Diagnostic::error(span, message));
                return None;
            }
            _ => {
                let arity = terms.first().and_then(|&term| self.type_of(term).arity());
                let fits =
                    |&&term: &&AlloyTermId| arity.is_none_or(|n| self.type_of(term).has_arity(n));
                if let Some(&odd) = terms.iter().find(|term| !fits(term)) {
                    let place = self.model.terms[odd].span;
                    let message = "`disj` takes expressions with the same number of columns";
                    self.log.push(Diagnostic::error(place, message));
                    return None;
                }
                AlloyTermKind::Disj(terms)
            }
        };
        Some(self.term(kind, AlloyType::formula(), span))
    }
}
