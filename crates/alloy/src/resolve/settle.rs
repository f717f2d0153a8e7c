//! The way down: which part of its type matters at each node, and what its names mean for that reason.

use wherefore_base::{Diagnostic, Span, deep};

use super::Resolver;
use super::draft::{DraftId, DraftKind};
use crate::ast::{BinaryOp, Constant, UnaryOp};
use crate::model::{FunctionId, Model, TermId, TermKind};
use crate::types::Type;
use crate::world::count;

impl Resolver<'_, '_> {
    /// The term of a formula; `None` when there is none, and the log says why.
    pub(super) fn settle_formula(&mut self, draft: DraftId) -> Option<TermId> {
        if let Err(diagnostic) = self.wants_formula(draft) {
            self.log.push(diagnostic);
            return None;
        }
        self.settle(draft, &Type::formula())
    }

    /// The term of a set or relation.
    pub(super) fn settle_set(&mut self, draft: DraftId) -> Option<TermId> {
        if let Err(diagnostic) = self.wants_set(draft) {
            self.log.push(diagnostic);
            return None;
        }
        let wanted = self.ty(draft).as_set();
        self.settle(draft, &wanted)
    }

    /// The term of an integer.
    pub(super) fn settle_integer(&mut self, draft: DraftId) -> Option<TermId> {
        if let Err(diagnostic) = self.wants_integer(draft) {
            self.log.push(diagnostic);
            return None;
        }
        let wanted = self.integer_type();
        self.settle(draft, &wanted)
    }

    /// The term of a draft of which this part of its type matters.
    pub(super) fn settle(&mut self, draft: DraftId, wanted: &Type) -> Option<TermId> {
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
    fn columns_fit(&self, term: TermId) -> bool {
        let columns = |term: TermId| self.type_of(term).arity();
        let same = |a: Option<usize>, b: Option<usize>| a.is_none() || b.is_none() || a == b;
        use BinaryOp as B;
        match &self.model.terms[term].kind {
            TermKind::Binary(op, a, b) => match op {
                B::In | B::Equal | B::Union | B::Difference | B::Intersection | B::Override => {
                    same(columns(*a), columns(*b))
                }
                B::Domain => same(columns(*a), Some(1)),
                B::Range => same(columns(*b), Some(1)),
                _ => true,
            },
            TermKind::Unary(
                UnaryOp::Transpose | UnaryOp::Closure | UnaryOp::ReflexiveClosure,
                a,
            ) => same(columns(*a), Some(2)),
            TermKind::IfElse(_, a, b) => same(columns(*a), columns(*b)),
            TermKind::Join(a, b) => columns(*a) != Some(1) || columns(*b) != Some(1),
            TermKind::Call(function, arguments) => {
                let params = self.model.functions[*function].vars();
                let params = params.map(|param| self.model.vars[param].ty.arity());
                params
                    .zip(arguments)
                    .all(|(param, &argument)| same(param, columns(argument)))
            }
            _ => true,
        }
    }

    fn settle_here(&mut self, id: DraftId, wanted: &Type) -> Option<TermId> {
        let draft = &self.drafts[id];
        let (span, ty) = (draft.span, draft.ty.clone());
        match draft.kind.clone() {
            DraftKind::Leaf(kind) => {
                if let TermKind::Var(var) = kind {
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
                Some(self.term(TermKind::Mult(mult, a), ty, span))
            }
            DraftKind::Binary(op, a, b) => self.settle_binary(op, a, b, wanted, span),
            DraftKind::Arrow(m, n, a, b) => {
                let (left, right) = self.wanted_of_arrow(a, b, wanted);
                let (a, b) = self.both(a, &left, b, &right)?;
                let ty = self.hierarchy.product(self.type_of(a), self.type_of(b));
                Some(self.term(TermKind::Arrow(m, n, a, b), ty, span))
            }
            DraftKind::Join(a, b) => self.settle_join(a, b, wanted, span),
            DraftKind::IfElse(c, a, b) => {
                let c = self.settle_formula(c);
                self.irrelevant_branch([a, b], wanted);
                let wanted = self.meet_or(&ty, wanted);
                let (a, b) = self.both(a, &wanted, b, &wanted)?;
                let ty = self.hierarchy.merge(self.type_of(a), self.type_of(b));
                Some(self.term(TermKind::IfElse(c?, a, b), ty, span))
            }
            DraftKind::Let(var, value, body) => {
                let body = self.settle(body, wanted)?;
                let ty = self.type_of(body).clone();
                if !self.used.contains(&var) {
                    let place = self.model.vars[var].span;
                    let warning = Diagnostic::warning(place, "This variable is not used");
                    self.log.push(warning);
                }
                Some(self.term(TermKind::Let(var, value, body), ty, span))
            }
            DraftKind::Block(parts) => {
                let mut terms = Vec::new();
                let mut whole = true;
                for part in parts {
                    match self.settle_formula(part) {
                        Some(term) => terms.push(term),
                        None => whole = false,
                    }
                }
                whole.then(|| self.term(TermKind::Block(terms), Type::formula(), span))
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

    pub(super) fn type_of(&self, term: TermId) -> &Type {
        &self.model.terms[term].ty
    }

    /// Settles both, so that the mistakes of both are told.
    fn both(
        &mut self,
        a: DraftId,
        left: &Type,
        b: DraftId,
        right: &Type,
    ) -> Option<(TermId, TermId)> {
        let (a, b) = (self.settle(a, left), self.settle(b, right));
        Some((a?, b?))
    }

    /// Settles the two sides of an equation. Names mean what both sides have in common, if that decides; but
    /// all of both sides matters, so the warnings are those for the whole of each.
    fn equal_sides(
        &mut self,
        (a, left): (DraftId, &Type),
        (b, right): (DraftId, &Type),
        shared: &Type,
    ) -> Option<(TermId, TermId)> {
        let mark = self.log.len();
        let whole = self.both(a, &left.as_set(), b, &right.as_set());
        if whole.is_some() && shared.products == left.products && left.products == right.products {
            return whole;
        }
        let told = self.log.split_off(mark);
        let both = self.both(a, shared, b, shared);
        let mut kept = self.log.split_off(mark);
        kept.retain(Diagnostic::is_error);
        if whole.is_some() {
            kept.extend(told.into_iter().filter(|told| !told.is_error()));
        }
        self.log.extend(kept);
        both
    }

    /// What two types have in common, or the first of them when that is nothing.
    fn meet_or(&self, own: &Type, wanted: &Type) -> Type {
        if wanted.is_formula && own.is_formula {
            return Type::formula();
        }
        let meet = self.hierarchy.intersection(own, wanted);
        if self.hierarchy.has_tuple(&meet) {
            Type {
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
        op: UnaryOp,
        a: DraftId,
        wanted: &Type,
        span: Span,
    ) -> Option<TermId> {
        use UnaryOp as U;
        let own = self.ty(a).clone();
        let (a, ty) = match op {
            U::Not
            | U::Always
            | U::Eventually
            | U::After
            | U::Before
            | U::Historically
            | U::Once => (self.settle_formula(a)?, Type::formula()),
            U::No | U::Some | U::Lone | U::One => {
                let a = self.settle(a, &own.as_set())?;
                if !self.hierarchy.has_tuple(self.type_of(a)) && !self.is_literal_none(a) {
                    // Often it is told already why.
                    let place = self.model.terms[a].span;
                    if self.log.iter().all(|told| told.span() != Some(place)) {
                        self.warn(place, "This expression is always empty");
                    }
                }
                (a, Type::formula())
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
                    let univ = self.sig_type(Model::UNIV);
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
        Some(self.term(TermKind::Unary(op, a), ty, span))
    }

    fn is_literal_none(&self, term: TermId) -> bool {
        matches!(self.model.terms[term].kind, TermKind::Sig(sig) if sig.index() == Model::NONE)
    }

    fn settle_binary(
        &mut self,
        op: BinaryOp,
        a: DraftId,
        b: DraftId,
        wanted: &Type,
        span: Span,
    ) -> Option<TermId> {
        use BinaryOp as B;
        let (mut left, mut right) = (self.ty(a).clone(), self.ty(b).clone());
        if matches!(
            op,
            B::In | B::Equal | B::Intersection | B::Union | B::Override | B::Difference
        ) {
            (left, right) = (left.alike(&right), right.alike(&left));
        }
        let ((a, b), ty) = match op {
            B::Or
            | B::Iff
            | B::Implies
            | B::And
            | B::Until
            | B::Since
            | B::Releases
            | B::Triggered
            | B::Then => {
                let (a, b) = (self.settle_formula(a), self.settle_formula(b));
                ((a?, b?), Type::formula())
            }
            B::Less | B::Greater | B::LessEqual | B::GreaterEqual => {
                let (a, b) = (self.settle_integer(a), self.settle_integer(b));
                ((a?, b?), Type::formula())
            }
            B::ShiftLeft
            | B::ShiftRight
            | B::ShiftRightZeros
            | B::Add
            | B::Sub
            | B::Mul
            | B::Div
            | B::Rem => {
                let (a, b) = (self.settle_integer(a), self.settle_integer(b));
                ((a?, b?), self.integer_type())
            }
            B::In | B::Equal => {
                let shared = self.hierarchy.intersection(&left, &right);
                let disjoint = !self.hierarchy.has_tuple(&shared);
                let (mut on_left, mut on_right) = (left.as_set(), right.as_set());
                if !disjoint {
                    if op == B::Equal {
                        on_left = shared.clone();
                    }
                    on_right = shared;
                } else if self.hierarchy.has_tuple(&left) && self.hierarchy.has_tuple(&right) {
                    let message = match op {
                        B::Equal => "The two sides of this equation have nothing in common",
                        _ => "The left side of `in` has nothing in common with the right side",
                    };
                    let (l, r) = (self.show(&left), self.show(&right));
                    let warning = Diagnostic::warning(span, message)
                        .because(format!("{l} on the left, {r} on the right"));
                    self.log.push(warning);
                }
                let both = if op == B::Equal && !disjoint {
                    self.equal_sides((a, &left), (b, &right), &on_left)?
                } else {
                    self.both(a, &on_left, b, &on_right)?
                };
                self.with_itself(both.0, both.1, span);
                (both, Type::formula())
            }
            B::Intersection => {
                let shared = self.hierarchy.intersection(&left, &right);
                let relevant = self.hierarchy.intersection(&shared, wanted);
                let known = self.hierarchy.has_tuple(&shared);
                if !known && self.hierarchy.has_tuple(&left) && self.hierarchy.has_tuple(&right) {
                    let (l, r) = (self.show(&left), self.show(&right));
                    let warning = Diagnostic::warning(span, "This intersection is always empty")
                        .because(format!("{l} on the left, {r} on the right"));
                    self.log.push(warning);
                }
                let relevant = match (self.hierarchy.has_tuple(&relevant), known) {
                    (true, _) => relevant,
                    (false, true) => shared,
                    (false, false) => Type::default(),
                };
                let pick = |own: &Type| {
                    if relevant.is_set() {
                        relevant.clone()
                    } else {
                        own.as_set()
                    }
                };
                let both = self.both(a, &pick(&left), b, &pick(&right))?;
                let ty = self
                    .hierarchy
                    .intersection(self.type_of(both.0), self.type_of(both.1));
                (both, ty)
            }
            B::Union | B::Override | B::Difference => {
                self.irrelevant(op, a, b, wanted);
                self.no_arithmetic(op, a, b, span);
                if op == B::Override {
                    self.overrides_nothing(&left, &right, span);
                }
                let (on_left, on_right) =
                    (self.meet_or(&left, wanted), self.meet_or(&right, wanted));
                let on_right = match op {
                    B::Difference => self.meet_or(&right, &on_left),
                    B::Override => {
                        let overriding = self.overriding(&left, &right);
                        self.hierarchy.merge(&on_right, &overriding)
                    }
                    _ => on_right,
                };
                let both = self.both(a, &on_left, b, &on_right)?;
                let ty = match op {
                    B::Difference => self.type_of(both.0).as_set(),
                    _ => self
                        .hierarchy
                        .union(self.type_of(both.0), self.type_of(both.1)),
                };
                (both, ty)
            }
            B::Domain | B::Range => {
                let (set, relation) = if op == B::Domain {
                    (left, right)
                } else {
                    (right, left)
                };
                self.empty_restriction(op, (&set, &relation), span);
                let (on_set, on_relation) = self.wanted_of_restriction(op, &set, &relation, wanted);
                let both = if op == B::Domain {
                    self.both(a, &on_set, b, &on_relation)?
                } else {
                    self.both(a, &on_relation, b, &on_set)?
                };
                let meet = self.meet_or(&on_relation, wanted);
                (both, meet)
            }
        };
        Some(self.term(TermKind::Binary(op, a, b), ty, span))
    }

    fn wanted_of_restriction(
        &self,
        op: BinaryOp,
        set: &Type,
        relation: &Type,
        wanted: &Type,
    ) -> (Type, Type) {
        let (mut on_set, mut on_relation) = (Type::default(), Type::default());
        for product in &relation.products {
            let at = if op == BinaryOp::Domain {
                0
            } else {
                product.len() - 1
            };
            for column in set.products.iter().filter(|column| column.len() == 1) {
                let meet = self.hierarchy.meet(product[at], column[0]);
                let mut restricted = product.clone();
                restricted[at] = meet;
                let one = self.hierarchy.of([restricted.clone()]);
                if self.hierarchy.intersects(&one, wanted) {
                    self.hierarchy.add(&mut on_set, vec![meet]);
                    self.hierarchy.add(&mut on_relation, restricted);
                }
            }
        }
        if on_set.is_set() {
            (on_set, on_relation)
        } else {
            (set.of_arity(1), relation.as_set())
        }
    }

    fn wanted_of_arrow(&self, a: DraftId, b: DraftId, wanted: &Type) -> (Type, Type) {
        let (left, right) = (self.ty(a), self.ty(b));
        let (mut on_left, mut on_right) = (Type::default(), Type::default());
        for x in &left.products {
            for y in &right.products {
                let whole = [&x[..], &y[..]].concat();
                for goal in &wanted.products {
                    let Some(meet) = self.hierarchy.meet_products(&whole, goal) else {
                        continue;
                    };
                    if !self.hierarchy.is_empty_product(&meet) {
                        self.hierarchy.add(&mut on_left, meet[..x.len()].to_vec());
                        self.hierarchy.add(&mut on_right, meet[x.len()..].to_vec());
                    }
                }
            }
        }
        if on_left.is_set() {
            (on_left, on_right)
        } else {
            (left.as_set(), right.as_set())
        }
    }

    fn settle_join(&mut self, a: DraftId, b: DraftId, wanted: &Type, span: Span) -> Option<TermId> {
        let (left, right) = (self.ty(a).clone(), self.ty(b).clone());
        let (mut on_left, mut on_right) = (Type::default(), Type::default());
        let mut fallback = (Type::default(), Type::default());
        for x in &left.products {
            for y in &right.products {
                let Some(joined) = self.hierarchy.join_products(x, y) else {
                    continue;
                };
                if self.hierarchy.is_empty_product(&joined) {
                    continue;
                }
                let meet = self.hierarchy.meet(x[x.len() - 1], y[0]);
                let (mut x, mut y) = (x.clone(), y.clone());
                let last = x.len() - 1;
                (x[last], y[0]) = (meet, meet);
                let one = self.hierarchy.of([joined]);
                if self.hierarchy.intersects(&one, wanted) {
                    self.hierarchy.add(&mut on_left, x);
                    self.hierarchy.add(&mut on_right, y);
                } else if one.has_common_arity(wanted) {
                    self.hierarchy.add(&mut fallback.0, x);
                    self.hierarchy.add(&mut fallback.1, y);
                }
            }
        }
        if !on_left.is_set() {
            (on_left, on_right) = fallback;
        }
        if !on_left.is_set() {
            if self.hierarchy.has_tuple(&left) && self.hierarchy.has_tuple(&right) {
                let (l, r) = (self.show(&left), self.show(&right));
                let warning = Diagnostic::warning(span, "This join is always empty")
                    .because(format!("{l} is joined with {r}"));
                self.log.push(warning);
            }
            (on_left, on_right) = (left.as_set(), right.as_set());
        }
        let (a, b) = self.both(a, &on_left, b, &on_right)?;
        let ty = self.hierarchy.join(self.type_of(a), self.type_of(b));
        Some(self.term(TermKind::Join(a, b), ty, span))
    }

    fn settle_call(
        &mut self,
        function: FunctionId,
        arguments: Vec<DraftId>,
        ty: Type,
        span: Span,
    ) -> Option<TermId> {
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
        let given: Vec<Type> = terms.iter().map(|&t| self.type_of(t).clone()).collect();
        let narrow = self.type_of_call(function, &given);
        let ty = if narrow.is_set() { narrow } else { ty };
        Some(self.term(TermKind::Call(function, terms), ty, span))
    }

    fn settle_built_in(
        &mut self,
        constant: Constant,
        arguments: &[DraftId],
        span: Span,
    ) -> Option<TermId> {
        let mut terms = Vec::new();
        for &argument in arguments {
            terms.push(self.settle_set(argument));
        }
        let terms: Vec<TermId> = terms.into_iter().collect::<Option<_>>()?;
        let kind = match (constant, &terms[..]) {
            (Constant::TotalOrder, &[elements, first, next]) => {
                TermKind::TotalOrder(elements, first, next)
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
                let fits = |&&term: &&TermId| arity.is_none_or(|n| self.type_of(term).has_arity(n));
                if let Some(&odd) = terms.iter().find(|term| !fits(term)) {
                    let place = self.model.terms[odd].span;
                    let message = "`disj` takes expressions with the same number of columns";
                    self.log.push(Diagnostic::error(place, message));
                    return None;
                }
                TermKind::Disj(terms)
            }
        };
        Some(self.term(kind, Type::formula(), span))
    }
}
