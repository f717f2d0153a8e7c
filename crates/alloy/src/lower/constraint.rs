//! What declarations imply: multiplicities, sizes, disjointness, and where the columns of fields lie.

use wherefore_base::Span;
use wherefore_relational::{FormulaId, RelDecl, RelExprId};

use super::{AlloyLower, AlloyLowering};
use crate::model::{AlloyModel, AlloyPlace, AlloyTermId, AlloyTermKind, AlloyUnaryOp, Mult};

impl AlloyLowering<'_> {
    /// Multiplicities of signatures, and scopes that their bounds do not say.
    pub(super) fn sizes(&mut self) {
        for (id, sig) in self.model.declared() {
            let expr = self.tables.sig_exprs[id.index()].0;
            let lower = self.scopes.lower[id.index()].len();
            let upper = self.tables.sig_exprs[id.index()].1.len();
            let subset = matches!(sig.place, AlloyPlace::In { .. });
            let most = self.scopes.most[id.index()].max(0) as usize;
            match sig.mult {
                Some(Mult::One) if subset || lower != 1 || upper != 1 => {
                    let one = self.problem.one(expr);
                    self.require(one, sig.span);
                    continue;
                }
                // The bounds of the signature say so already.
                Some(Mult::One) => continue,
                Some(Mult::Lone) => {
                    let lone = self.problem.lone(expr);
                    self.require(lone, sig.span);
                }
                Some(Mult::Some) => {
                    let some = self.problem.some(expr);
                    self.require(some, sig.span);
                }
                _ => {}
            }
            if subset {
                continue;
            }
            let exact = self.scopes.exact[id.index()];
            if upper > most || exact && lower < most {
                let size = self.size(expr, most, exact, sig.span);
                self.require(size, sig.span);
            }
        }
    }

    /// A set has at most, or exactly, this many atoms. Integers may be too narrow to count them.
    fn size(&mut self, expr: RelExprId, most: usize, exact: bool, span: Span) -> FormulaId {
        if most == 0 {
            return self.problem.no(expr);
        }
        if most == 1 {
            return if exact {
                self.problem.one(expr)
            } else {
                self.problem.lone(expr)
            };
        }
        let mut decls = Vec::new();
        let mut vars: Vec<RelExprId> = Vec::new();
        let mut parts = Vec::new();
        let mut sum = None;
        for at in 0..most {
            let var = self.problem.variable(format!("v{at}"), 1, Some(span));
            decls.push(RelDecl::one(var, expr));
            let var = self.problem.var(var);
            if exact {
                for &other in &vars {
                    let same = self.problem.equal(var, other);
                    parts.push(self.problem.not(same));
                }
            }
            vars.push(var);
            sum = Some(sum.map_or(var, |before| self.problem.union(before, var)));
        }
        let sum = sum.unwrap_or(expr);
        parts.push(self.problem.is_in(expr, sum));
        let body = self.problem.and(parts);
        let some = self.problem.exists(decls, body);
        if exact {
            return some;
        }
        // An empty set has no value for the variables.
        let none = self.problem.no(expr);
        self.problem.or([none, some])
    }

    /// What the declarations of fields say.
    pub(super) fn field_facts(&mut self) -> AlloyLower<()> {
        for (id, sig) in self.model.declared() {
            for decl in &sig.decls {
                for &field in &decl.fields {
                    let declared = &self.model.fields[field];
                    if declared.definition.is_some() || self.tables.fixed.contains(&field) {
                        continue;
                    }
                    // What does not change was said in the first state.
                    if self.path.now > 0 && !declared.var && !sig.var {
                        continue;
                    }
                    let formula = self.for_each_atom(id, |lowering| {
                        let value = lowering.value_for_this(id, field)?;
                        lowering.is_in_bound(value, decl.bound)
                    })?;
                    self.require(formula, declared.span);
                    // Otherwise atoms outside of the signature could have values, which nothing said of
                    // `this` forbids.
                    if !self.is_single(id) {
                        let mut firsts = self.tables.field_exprs[field.index()];
                        let univ = self.problem.univ();
                        while self.problem.arity(firsts) > 1 {
                            firsts = self.problem.join(firsts, univ);
                        }
                        let owner = self.tables.sig_exprs[id.index()].0;
                        let within = self.problem.is_in(firsts, owner);
                        self.require(within, declared.span);
                    }
                }
                if decl.disj && decl.fields.len() > 1 {
                    let exprs = decl
                        .fields
                        .iter()
                        .map(|field| self.tables.field_exprs[field.index()]);
                    let exprs: Vec<RelExprId> = exprs.collect();
                    let disjoint = self.disjoint(&exprs);
                    self.require(disjoint, self.model.fields[decl.fields[0]].span);
                }
                if decl.disj_value && !self.is_single(id) {
                    for &field in &decl.fields {
                        self.disjoint_values(id, field)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// `this.f`, where `this` stands for an atom.
    fn value_for_this(
        &mut self,
        sig: crate::model::SigId,
        field: crate::model::FieldId,
    ) -> AlloyLower<RelExprId> {
        if let Some(&relation) = self.tables.single_fields.get(&field) {
            return Ok(self.problem.rel(relation));
        }
        let this = self.expr_of(self.model.sigs[sig].this);
        Ok(self
            .problem
            .join(this, self.tables.field_exprs[field.index()]))
    }

    /// Different atoms have disjoint values.
    fn disjoint_values(
        &mut self,
        sig: crate::model::SigId,
        field: crate::model::FieldId,
    ) -> AlloyLower<()> {
        let span = self.model.fields[field].span;
        let owner = self.tables.sig_exprs[sig.index()].0;
        let decls: Vec<_> = ["this", "that"]
            .into_iter()
            .map(|name| self.problem.variable(name, 1, Some(span)))
            .collect();
        let (a, b) = (self.problem.var(decls[0]), self.problem.var(decls[1]));
        let expr = self.tables.field_exprs[field.index()];
        let (left, right) = (self.problem.join(a, expr), self.problem.join(b, expr));
        let shared = self.problem.intersection(left, right);
        let none = self.problem.no(shared);
        let same = self.problem.equal(a, b);
        let body = self.problem.or([same, none]);
        let decls: Vec<RelDecl> = decls
            .into_iter()
            .map(|var| RelDecl::one(var, owner))
            .collect();
        let formula = self.problem.all(decls, body);
        self.require(formula, span);
        Ok(())
    }

    /// No two of these have a tuple in common.
    pub(super) fn disjoint(&mut self, exprs: &[RelExprId]) -> FormulaId {
        let mut parts = Vec::new();
        let mut union: Option<RelExprId> = None;
        for &expr in exprs {
            union = Some(match union {
                None => expr,
                Some(before) => {
                    let shared = self.problem.intersection(before, expr);
                    parts.push(self.problem.no(shared));
                    self.problem.union(before, expr)
                }
            });
        }
        self.problem.and(parts)
    }

    /// `value in bound`, with the multiplicities of the bound.
    pub(super) fn is_in_bound(
        &mut self,
        value: RelExprId,
        bound: AlloyTermId,
    ) -> AlloyLower<FormulaId> {
        wherefore_base::deep(|| self.is_in_bound_here(value, bound))
    }

    fn is_in_bound_here(&mut self, value: RelExprId, bound: AlloyTermId) -> AlloyLower<FormulaId> {
        match self.model.terms[bound].kind {
            AlloyTermKind::Mult(mult, inner) => {
                let within = self.is_in_bound(value, inner)?;
                Ok(match self.amount(mult, value) {
                    Some(amount) => self.problem.and([within, amount]),
                    None => within,
                })
            }
            AlloyTermKind::Unary(AlloyUnaryOp::Set, inner) => self.is_in_bound(value, inner),
            AlloyTermKind::Unary(AlloyUnaryOp::Seq, inner) => {
                let within = self.is_in_bound(value, inner)?;
                let gapless = self.no_gaps(value);
                Ok(self.problem.and([within, gapless]))
            }
            AlloyTermKind::Arrow(m, n, a, b) => self.is_in_arrow(value, m, n, a, b),
            _ => {
                let whole = self.expr(bound)?;
                Ok(self.problem.is_in(value, whole))
            }
        }
    }

    fn amount(&mut self, mult: Mult, value: RelExprId) -> Option<FormulaId> {
        match mult {
            Mult::Set => None,
            Mult::Some => Some(self.problem.some(value)),
            Mult::Lone => Some(self.problem.lone(value)),
            Mult::One => Some(self.problem.one(value)),
        }
    }

    /// The indices of a sequence have no gap: the next of an index that is not there is not there.
    fn no_gaps(&mut self, value: RelExprId) -> FormulaId {
        let mut indices = value;
        let univ = self.problem.univ();
        while self.problem.arity(indices) > 1 {
            indices = self.problem.join(indices, univ);
        }
        let next = self.next_integers();
        let after = self.problem.join(indices, next);
        let starts = self.problem.difference(indices, after);
        let zero = self.problem.number(0);
        let zero = self.problem.from_int(zero);
        self.problem.is_in(starts, zero)
    }

    /// Whether a bound says more than its tuples.
    fn has_mult(&self, term: AlloyTermId) -> bool {
        match self.model.terms[term].kind {
            AlloyTermKind::Mult(mult, inner) => mult != Mult::Set || self.has_mult(inner),
            AlloyTermKind::Unary(AlloyUnaryOp::Seq, _) => true,
            AlloyTermKind::Arrow(m, n, a, b) => {
                m != Mult::Set || n != Mult::Set || self.has_mult(a) || self.has_mult(b)
            }
            _ => false,
        }
    }

    fn is_in_arrow(
        &mut self,
        value: RelExprId,
        m: Mult,
        n: Mult,
        a: AlloyTermId,
        b: AlloyTermId,
    ) -> AlloyLower<FormulaId> {
        let (left, right) = (self.expr(a)?, self.expr(b)?);
        let product = self.problem.product(left, right);
        let mut parts = vec![self.problem.is_in(value, product)];
        if n != Mult::Set || self.has_mult(b) {
            parts.push(self.for_each_tuple(left, value, true, n, b)?);
        }
        if m != Mult::Set || self.has_mult(a) {
            parts.push(self.for_each_tuple(right, value, false, m, a)?);
        }
        Ok(self.problem.and(parts))
    }

    /// For each tuple of one side, what the relation has for it lies in the other side, so many.
    fn for_each_tuple(
        &mut self,
        side: RelExprId,
        value: RelExprId,
        from_left: bool,
        mult: Mult,
        other: AlloyTermId,
    ) -> AlloyLower<FormulaId> {
        let arity = self.problem.arity(side);
        let mut decls = Vec::new();
        let mut columns = Vec::new();
        // A variable stands for one atom, so a tuple of several takes several variables and a guard.
        let bound = if arity == 1 {
            side
        } else {
            self.problem.univ()
        };
        for at in 0..arity {
            let var = self.problem.variable(format!("v{at}"), 1, None);
            decls.push(RelDecl::one(var, bound));
            columns.push(self.problem.var(var));
        }
        let mut image = value;
        if from_left {
            for &column in &columns {
                image = self.problem.join(column, image);
            }
        } else {
            for &column in columns.iter().rev() {
                image = self.problem.join(image, column);
            }
        }
        let mut parts = Vec::new();
        if self.has_mult(other) {
            parts.push(self.is_in_bound(image, other)?);
        }
        parts.extend(self.amount(mult, image));
        let mut body = self.problem.and(parts);
        if arity > 1 {
            let mut tuple = columns[0];
            for &column in &columns[1..] {
                tuple = self.problem.product(tuple, column);
            }
            let there = self.problem.is_in(tuple, side);
            body = self.problem.implies(there, body);
        }
        Ok(self.problem.all(decls, body))
    }

    /// The pairs of an integer and the next one.
    pub(super) fn next_integers(&mut self) -> RelExprId {
        if let Some(next) = self.tables.next {
            return next;
        }
        let pairs: Vec<_> = self
            .tables
            .integer_atoms
            .windows(2)
            .map(|w| [w[0].0, w[1].0])
            .collect();
        let value = wherefore_relational::TupleSet::from_tuples(self.universe.packing(), 2, pairs);
        let relation = self.problem.constant("Int/next", value);
        let next = self.problem.rel(relation);
        self.tables.next = Some(next);
        next
    }

    /// The atoms that are there, and each of them with itself.
    pub(super) fn live(&mut self) -> (RelExprId, RelExprId) {
        if let Some(live) = self.tables.live {
            return live;
        }
        let univ = self.tables.sig_exprs[AlloyModel::UNIV].0;
        let iden = self.problem.iden();
        let iden = self
            .problem
            .binary(wherefore_relational::Binary::Domain, univ, iden);
        self.tables.live = Some((univ, iden));
        (univ, iden)
    }
}
