//! Terms to expressions, formulas and integers of relational logic.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, Span, deep};
use wherefore_relational::{
    Arithmetic, Binary, FormulaId, IntComparison, IntId, RelExpr, RelExprId,
};

use super::time::Delayed;
use super::{AlloyLower, AlloyLowering};
use crate::model::{
    AlloyBinaryOp, AlloyModel, AlloyTerm, AlloyTermId, AlloyTermKind, AlloyUnaryOp, AlloyVarId,
    FunctionId,
};

/// The most terms that a command may come to.
const MOST_PARTS: usize = 1_000_000;

/// What a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermMeaning {
    /// A set or relation.
    Expr(RelExprId),
    /// A truth value.
    Formula(FormulaId),
    /// An integer.
    Int(IntId),
}

impl<'m> AlloyLowering<'m> {
    pub(super) fn expr(&mut self, term: AlloyTermId) -> AlloyLower<RelExprId> {
        match self.value(term)? {
            TermMeaning::Expr(expr) => Ok(expr),
            TermMeaning::Int(int) => Ok(self.problem.from_int(int)),
            TermMeaning::Formula(_) => Err(self.odd(term)),
        }
    }

    pub(super) fn formula(&mut self, term: AlloyTermId) -> AlloyLower<FormulaId> {
        match self.value(term)? {
            TermMeaning::Formula(formula) => Ok(formula),
            _ => Err(self.odd(term)),
        }
    }

    pub(super) fn int(&mut self, term: AlloyTermId) -> AlloyLower<IntId> {
        match self.value(term)? {
            TermMeaning::Int(int) => Ok(int),
            TermMeaning::Expr(expr) => Ok(self.sum_of(expr)),
            TermMeaning::Formula(_) => Err(self.odd(term)),
        }
    }

    fn sum_of(&mut self, expr: RelExprId) -> IntId {
        match *self.problem.expr(expr) {
            // An integer that was made a set is itself again, without a sum.
            RelExpr::FromInt(int) => int,
            _ => self.problem.value(expr),
        }
    }

    /// A term whose kind does not fit; the resolver lets none pass.
    fn odd(&self, term: AlloyTermId) -> Diagnostic {
        let span = self.model.terms[term].span;
        Diagnostic::error(span, "This is used as something that it is not")
    }

    /// The value of a variable that is bound.
    pub(super) fn expr_of(&mut self, var: AlloyVarId) -> RelExprId {
        match self.env.get(&var) {
            Some(&TermMeaning::Expr(expr)) => expr,
            Some(&TermMeaning::Int(int)) => self.problem.from_int(int),
            _ => self.problem.none(1),
        }
    }

    pub(super) fn value(&mut self, term: AlloyTermId) -> AlloyLower<TermMeaning> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            let span = self.model.terms[term].span;
            let message = format!("Written out, this command has more than {MOST_PARTS} parts");
            return Err(Diagnostic::error(span, message)
                .help("Predicates and functions are written out where they are called."));
        }
        let value = deep(|| self.value_here(term))?;
        if let TermMeaning::Expr(expr) = value {
            self.too_wide(self.problem.arity(expr), self.model.terms[term].span)?;
        }
        if let (true, TermMeaning::Formula(formula)) = (self.places, value) {
            let placed = self.problem.at(formula, self.model.terms[term].span);
            return Ok(TermMeaning::Formula(placed));
        }
        Ok(value)
    }

    fn value_here(&mut self, id: AlloyTermId) -> AlloyLower<TermMeaning> {
        let model: &'m AlloyModel = self.model;
        let term: &'m AlloyTerm = &model.terms[id];
        let span = term.span;
        Ok(match &term.kind {
            AlloyTermKind::Sig(sig) if sig.index() == AlloyModel::NONE => {
                TermMeaning::Expr(self.problem.none(1))
            }
            AlloyTermKind::Sig(sig) => TermMeaning::Expr(self.tables.sig_exprs[sig.index()].0),
            AlloyTermKind::Field(field) => {
                TermMeaning::Expr(self.tables.field_exprs[field.index()])
            }
            AlloyTermKind::Var(var) => match self.env.get(var) {
                Some(&value) => value,
                None => self.delayed(*var, id)?,
            },
            // Atoms of the universe that are not in the instance are not in `iden`.
            AlloyTermKind::Iden => TermMeaning::Expr(self.live().1),
            AlloyTermKind::Empty(arity) => TermMeaning::Expr(self.problem.none(*arity)),
            AlloyTermKind::Number(number) => self.number(*number, span)?,
            AlloyTermKind::Min => {
                TermMeaning::Int(self.problem.number(-(1i64 << (self.scopes.bits - 1))))
            }
            AlloyTermKind::Max => {
                TermMeaning::Int(self.problem.number((1i64 << (self.scopes.bits - 1)) - 1))
            }
            AlloyTermKind::Next => TermMeaning::Expr(self.next_integers()),
            AlloyTermKind::Text(text) => {
                let atom = self.tables.strings.get(text).copied();
                let value = self.universe.set(atom);
                let relation = self.problem.constant(model.names.text(*text), value);
                TermMeaning::Expr(self.problem.rel(relation))
            }
            AlloyTermKind::Atom(name) => TermMeaning::Expr(self.atom(*name, span)?),
            AlloyTermKind::Meta(name) => return Err(self.meta(*name, span)),
            AlloyTermKind::Unary(op, a) => self.unary(*op, *a)?,
            AlloyTermKind::Mult(_, a) => TermMeaning::Expr(self.expr(*a)?),
            AlloyTermKind::Binary(op, a, b) => self.binary(*op, *a, *b, span)?,
            AlloyTermKind::Arrow(_, _, a, b) => {
                let (a, b) = (self.expr(*a)?, self.expr(*b)?);
                TermMeaning::Expr(self.problem.product(a, b))
            }
            AlloyTermKind::Join(a, b) => TermMeaning::Expr(self.join(*a, *b)?),
            AlloyTermKind::IfElse(c, a, b) => self.if_else(*c, *a, *b)?,
            AlloyTermKind::Let(var, value, body) => self.let_in(*var, *value, *body)?,
            AlloyTermKind::Quantified(quantifier, bindings, body) => {
                self.quantified(*quantifier, bindings, *body, span)?
            }
            AlloyTermKind::Call(function, arguments) => self.call(*function, arguments, span)?,
            AlloyTermKind::Block(parts) => {
                let parts: AlloyLower<Vec<FormulaId>> = parts
                    .iter()
                    .map(|&part| {
                        let formula = self.formula(part)?;
                        Ok(self.problem.at(formula, model.terms[part].span))
                    })
                    .collect();
                TermMeaning::Formula(self.problem.and(parts?))
            }
            AlloyTermKind::Disj(parts) => {
                let parts: AlloyLower<Vec<RelExprId>> =
                    parts.iter().map(|&part| self.expr(part)).collect();
                TermMeaning::Formula(self.disjoint(&parts?))
            }
            AlloyTermKind::TotalOrder(elements, first, next) => {
                TermMeaning::Formula(self.total_order(*elements, *first, *next)?)
            }
        })
    }

    /// A value is asked for again where the body speaks of another time.
    fn let_in(
        &mut self,
        var: AlloyVarId,
        value: AlloyTermId,
        body: AlloyTermId,
    ) -> AlloyLower<TermMeaning> {
        if self.path.shape.states > 1 && self.times.speaks_of_time(self.model, body) {
            let here = Rc::new((self.env.clone(), self.later.clone()));
            let before = self.later.insert(var, Delayed((value, here)));
            let body = self.value(body);
            match before {
                Some(delayed) => self.later.insert(var, delayed),
                None => self.later.remove(&var),
            };
            return body;
        }
        let value = self.value(value)?;
        let before = self.env.insert(var, value);
        let body = self.value(body);
        self.restore(var, before);
        body
    }

    /// The value that a variable has now.
    fn delayed(&mut self, var: AlloyVarId, term: AlloyTermId) -> AlloyLower<TermMeaning> {
        let Some(Delayed((value, there))) = self.later.get(&var).cloned() else {
            return Err(self.odd(term));
        };
        let env = std::mem::replace(&mut self.env, there.0.clone());
        let later = std::mem::replace(&mut self.later, there.1.clone());
        let value = self.value(value);
        (self.env, self.later) = (env, later);
        value
    }

    pub(super) fn restore(&mut self, var: AlloyVarId, before: Option<TermMeaning>) {
        match before {
            Some(value) => self.env.insert(var, value),
            None => self.env.remove(&var),
        };
    }

    fn unary(&mut self, op: AlloyUnaryOp, a: AlloyTermId) -> AlloyLower<TermMeaning> {
        use AlloyUnaryOp as U;
        if Self::is_temporal(op) {
            return self.unary_of_time(op, a);
        }
        Ok(match op {
            U::Not => {
                let a = self.formula(a)?;
                TermMeaning::Formula(self.problem.not(a))
            }
            U::No | U::Some | U::Lone | U::One => {
                let a = self.expr(a)?;
                TermMeaning::Formula(match op {
                    U::No => self.problem.no(a),
                    U::Some => self.problem.some(a),
                    U::Lone => self.problem.lone(a),
                    _ => self.problem.one(a),
                })
            }
            U::Cardinality => {
                let a = self.expr(a)?;
                TermMeaning::Int(self.problem.count(a))
            }
            U::IntCast => TermMeaning::Int(self.int(a)?),
            U::Transpose => {
                let a = self.expr(a)?;
                TermMeaning::Expr(self.problem.transpose(a))
            }
            U::Closure => {
                let a = self.expr(a)?;
                TermMeaning::Expr(self.problem.closure(a))
            }
            U::ReflexiveClosure => {
                let a = self.expr(a)?;
                let closure = self.problem.closure(a);
                let iden = self.live().1;
                TermMeaning::Expr(self.problem.union(closure, iden))
            }
            _ => TermMeaning::Expr(self.expr(a)?),
        })
    }

    /// A join; where a reflexive closure is joined, atoms that are not there do not matter.
    fn join(&mut self, a: AlloyTermId, b: AlloyTermId) -> AlloyLower<RelExprId> {
        let model = self.model;
        if let Some(looped) = self.related_to_itself(a, b)? {
            return Ok(looped);
        }
        let single = match model.terms[b].kind {
            AlloyTermKind::Field(field) => {
                self.tables.single_fields.get(&field).map(|&r| (field, r))
            }
            _ => None,
        };
        let left = self.joined(a)?;
        if let Some((field, relation)) = single {
            let owner = self.tables.sig_exprs[model.fields[field].sig.index()].0;
            // The one atom of a signature joined with a field is the relation without the column for this
            // atom.
            if left == owner {
                return Ok(self.problem.rel(relation));
            }
        }
        let right = self.joined(b)?;
        Ok(self.problem.join(left, right))
    }

    /// `(x & iden).S` where all atoms of `x` are of the signature `S`: it does not matter that these are there.
    fn related_to_itself(
        &mut self,
        pairs: AlloyTermId,
        ends: AlloyTermId,
    ) -> AlloyLower<Option<RelExprId>> {
        let model = self.model;
        let is_iden = |term: AlloyTermId| matches!(model.terms[term].kind, AlloyTermKind::Iden);
        let relation = match model.terms[pairs].kind {
            AlloyTermKind::Binary(AlloyBinaryOp::Intersection, x, iden) if is_iden(iden) => x,
            AlloyTermKind::Binary(AlloyBinaryOp::Intersection, iden, x) if is_iden(iden) => x,
            _ => return Ok(None),
        };
        let AlloyTermKind::Sig(sig) = model.terms[ends].kind else {
            return Ok(None);
        };
        let products = model.terms[relation].ty.products();
        if model.sigs[sig].var || products.iter().any(|product| product[..] != [sig, sig]) {
            return Ok(None);
        }
        let (relation, iden) = (self.expr(relation)?, self.problem.iden());
        let same = self.problem.intersection(relation, iden);
        let univ = self.problem.univ();
        Ok(Some(self.problem.join(same, univ)))
    }

    fn joined(&mut self, term: AlloyTermId) -> AlloyLower<RelExprId> {
        if let AlloyTermKind::Unary(AlloyUnaryOp::ReflexiveClosure, inner) =
            self.model.terms[term].kind
        {
            let inner = self.expr(inner)?;
            return Ok(self.problem.reflexive_closure(inner));
        }
        self.expr(term)
    }

    /// Whether both are of the signature whose atoms are what their fields say.
    fn are_records(&self, a: AlloyTermId, b: AlloyTermId) -> bool {
        let is_record = |term: AlloyTermId| {
            let products = self.model.terms[term].ty.products();
            matches!(products, [product] if product.len() == 1 && Some(product[0]) == self.records)
        };
        is_record(a) && is_record(b)
    }

    fn same_fields(&mut self, a: RelExprId, b: RelExprId) -> FormulaId {
        let fields = self.model.fields.entries();
        let fields = fields.filter(|(_, field)| Some(field.sig) == self.records);
        let fields: Vec<RelExprId> = fields
            .map(|(id, _)| self.tables.field_exprs[id.index()])
            .collect();
        let mut parts = Vec::new();
        for field in fields {
            let (left, right) = (self.problem.join(a, field), self.problem.join(b, field));
            parts.push(self.problem.equal(left, right));
        }
        self.problem.and(parts)
    }

    fn binary(
        &mut self,
        op: AlloyBinaryOp,
        a: AlloyTermId,
        b: AlloyTermId,
        span: Span,
    ) -> AlloyLower<TermMeaning> {
        use AlloyBinaryOp as B;
        let formula = match op {
            B::Or => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.problem.or([a, b])
            }
            B::Iff => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.problem.iff(a, b)
            }
            B::Implies => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.problem.implies(a, b)
            }
            B::And => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                self.problem.and([a, b])
            }
            B::Until | B::Since | B::Releases | B::Triggered | B::Then => {
                self.binary_of_time(op, a, b)?
            }
            B::In => {
                let a = self.expr(a)?;
                self.is_in_bound(a, b)?
            }
            B::Equal if self.are_records(a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.same_fields(a, b)
            }
            // Two integers are compared by value; otherwise an integer is the set of its atom.
            B::Equal => match (self.value(a)?, self.value(b)?) {
                (TermMeaning::Int(a), TermMeaning::Int(b)) => {
                    self.problem.compare(IntComparison::Equal, a, b)
                }
                _ => {
                    let (a, b) = (self.expr(a)?, self.expr(b)?);
                    self.problem.equal(a, b)
                }
            },
            B::Less | B::Greater | B::LessEqual | B::GreaterEqual => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                match op {
                    B::Less => self.problem.compare(IntComparison::Less, a, b),
                    B::Greater => self.problem.compare(IntComparison::Less, b, a),
                    B::LessEqual => self.problem.compare(IntComparison::AtMost, a, b),
                    _ => self.problem.compare(IntComparison::AtMost, b, a),
                }
            }
            B::Union | B::Difference | B::Intersection | B::Override | B::Domain | B::Range => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                let op = match op {
                    B::Union => Binary::Union,
                    B::Difference => Binary::Difference,
                    B::Intersection => Binary::Intersection,
                    // In a set, no tuple begins as another one does.
                    B::Override if self.problem.arity(a) == 1 => Binary::Union,
                    B::Override => Binary::Override,
                    B::Domain => Binary::Domain,
                    _ => Binary::Range,
                };
                return Ok(TermMeaning::Expr(self.problem.binary(op, a, b)));
            }
            B::ShiftLeft
            | B::ShiftRight
            | B::ShiftRightZeros
            | B::Add
            | B::Sub
            | B::Mul
            | B::Div
            | B::Rem => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                let op = match op {
                    B::ShiftLeft => Arithmetic::ShiftLeft,
                    B::ShiftRight => Arithmetic::ShiftRight,
                    B::ShiftRightZeros => Arithmetic::ShiftRightZero,
                    B::Add => Arithmetic::Add,
                    B::Sub => Arithmetic::Subtract,
                    B::Mul => Arithmetic::Multiply,
                    B::Div => Arithmetic::Divide,
                    _ => Arithmetic::Remainder,
                };
                let int = self.problem.arithmetic(op, a, b);
                self.problem.place_int(int, span);
                return Ok(TermMeaning::Int(self.by_zero(op, a, b, int)));
            }
        };
        Ok(TermMeaning::Formula(formula))
    }

    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[AlloyTermId],
        span: Span,
    ) -> AlloyLower<TermMeaning> {
        let model: &'m AlloyModel = self.model;
        let callee = &model.functions[function];
        if self.calling.contains(&function) {
            let message = format!("`{}` calls itself", callee.label);
            return Err(Diagnostic::error(span, message)
                .see(callee.span, "it is declared here")
                .help("Predicates and functions cannot be recursive. Use a closure, as in `^r`, or a field."));
        }
        let Some(body) = callee.body else {
            let message = format!("`{}` has no body that could be read", callee.label);
            return Err(Diagnostic::error(span, message));
        };
        // Where the body speaks of another time, arguments are asked for again then.
        let again = self.path.shape.states > 1
            && !arguments.is_empty()
            && self.times.speaks_of_time(model, body);
        let mut later = FxHashMap::default();
        let mut env = FxHashMap::default();
        let mut key = None;
        if again {
            let here = Rc::new((self.env.clone(), self.later.clone()));
            for (var, &argument) in callee.vars().zip(arguments) {
                later.insert(var, Delayed((argument, Rc::clone(&here))));
            }
        } else {
            let values: AlloyLower<Vec<RelExprId>> =
                arguments.iter().map(|&a| self.expr(a)).collect();
            let values = values?;
            for (var, &value) in callee.vars().zip(&values) {
                env.insert(var, TermMeaning::Expr(value));
            }
            // Without other times in the body, arguments and position decide its value.
            let known = (function, values, self.path.now);
            if let Some(&value) = self.calls.get(&known) {
                return Ok(value);
            }
            key = Some(known);
        }
        self.calling.push(function);
        // What is local to the caller has no meaning in the body.
        let outer = std::mem::replace(&mut self.env, env);
        let outer_later = std::mem::replace(&mut self.later, later);
        let value = self.value(body);
        (self.env, self.later) = (outer, outer_later);
        self.calling.pop();
        let value = value?;
        if let Some(key) = key {
            self.calls.insert(key, value);
        }
        Ok(value)
    }

    /// Some values of the parameters satisfy a predicate, or let a function return what it may.
    pub(super) fn some_call(&mut self, function: FunctionId) -> AlloyLower<FormulaId> {
        let model: &'m AlloyModel = self.model;
        let callee = &model.functions[function];
        let Some(body) = callee.body else {
            let message = format!("`{}` has no body that could be read", callee.label);
            return Err(Diagnostic::error(callee.span, message));
        };
        self.calling.push(function);
        let (decls, mut guards) = self.declare(&callee.params)?;
        match callee.result {
            None => {
                for part in self.conjuncts(body) {
                    let formula = self.formula(part)?;
                    guards.push(self.problem.at(formula, model.terms[part].span));
                }
            }
            Some(result) => {
                let value = self.expr(body)?;
                guards.push(self.is_in_bound(value, result)?);
            }
        }
        self.calling.pop();
        self.env.clear();
        let body = self.problem.and(guards);
        Ok(if decls.is_empty() {
            body
        } else {
            self.problem.exists(decls, body)
        })
    }
}
