//! Signatures and fields as relations between bounds, in each state of a trace.

use rustc_hash::FxHashSet;
use wherefore_base::{Diagnostic, Span};
use wherefore_relational::{RelDecl, RelExprId, TupleSet, UniverseAtomId};

use super::{AlloyLower, AlloyLowering, LoweredTables, TermMeaning};
use crate::model::{AlloyModel, AlloyPlace, AlloyTermId, AlloyTermKind, FieldId, Mult, SigId};

impl AlloyLowering<'_> {
    /// The signatures, children before those they extend.
    pub(super) fn sigs(&mut self) {
        let nothing = self.problem.none(1);
        let empty = self.universe.no_tuples(1);
        self.tables.sig_exprs = vec![(nothing, empty.clone()); self.model.sigs.len()];
        let ints = self
            .universe
            .set(self.tables.integer_atoms.iter().map(|&(atom, _)| atom));
        self.tables.sig_exprs[AlloyModel::INT] = (self.problem.ints(), ints);
        let indices = self
            .tables
            .integer_atoms
            .iter()
            .filter(|(_, value)| (0..i64::from(self.scopes.sequence)).contains(value));
        let indices = self.universe.set(indices.map(|&(atom, _)| atom));
        let relation = self.problem.constant("seq/Int", indices.clone());
        self.tables.sig_exprs[AlloyModel::SEQ_INT] = (self.problem.rel(relation), indices);
        let first = self.scopes.atoms.len() + self.tables.integer_atoms.len();
        let strings: Vec<usize> = (first..self.universe.len()).collect();
        let strings = self.set_of(&strings);
        let relation = self.problem.constant("String", strings.clone());
        self.tables.sig_exprs[AlloyModel::STRING] = (self.problem.rel(relation), strings);
        let mut order: Vec<SigId> = vec![SigId::new(AlloyModel::UNIV)];
        let mut at = 0;
        while let Some(&sig) = order.get(at) {
            order.extend(&self.model.sigs[sig].children);
            at += 1;
        }
        for &sig in order[1..].iter().rev() {
            self.sig(sig);
        }
        let mut univ = self.problem.ints();
        if !self.tables.sig_exprs[AlloyModel::STRING].1.is_empty() {
            univ = self
                .problem
                .union(univ, self.tables.sig_exprs[AlloyModel::STRING].0);
        }
        for &sig in &self.model.sigs[SigId::new(AlloyModel::UNIV)].children {
            univ = self
                .problem
                .union(univ, self.tables.sig_exprs[sig.index()].0);
        }
        self.tables.sig_exprs[AlloyModel::UNIV] = (univ, self.universe.everything());
        for (id, sig) in self.model.declared() {
            if matches!(sig.place, AlloyPlace::In { .. }) {
                self.subset(id);
            }
        }
    }

    /// The tables of the first state, unless it is the one at hand.
    fn first(&self) -> Option<&LoweredTables> {
        (self.path.now > 0).then(|| &self.parked[0])
    }

    /// A relation that is the same in every state, or one of this state.
    fn relation(&mut self, name: &str, lower: TupleSet, upper: TupleSet) -> RelExprId {
        let now = self.path.now;
        let name = if now == 0 {
            name.to_owned()
        } else {
            format!("{name}@{now}")
        };
        let relation = self.problem.relation(name, lower, upper);
        self.problem.rel(relation)
    }

    /// Whether the value of a signature may change: it is `var`, or made of others that are.
    fn changes(&self, id: SigId) -> bool {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if self.model.sigs[id].var {
                return true;
            }
            waiting.extend(&self.model.sigs[id].children);
        }
        false
    }

    fn sig(&mut self, id: SigId) {
        let sig = &self.model.sigs[id];
        let changes = self.changes(id);
        if let (Some(first), false) = (self.first(), changes) {
            self.tables.sig_exprs[id.index()] = first.sig_exprs[id.index()].clone();
            return;
        }
        let mut sum: Option<RelExprId> = None;
        for &child in &sig.children {
            let expr = self.tables.sig_exprs[child.index()].0;
            sum = Some(match sum {
                None => expr,
                Some(before) => {
                    let shared = self.problem.intersection(before, expr);
                    let none = self.problem.no(shared);
                    self.require(none, self.model.sigs[child].span);
                    self.problem.union(before, expr)
                }
            });
        }
        let mut lower = self.scopes.lower[id.index()].clone();
        let mut upper = self.scopes.upper[id.index()].clone();
        let whole = self.set_of(&upper);
        let expr = match sum {
            None => {
                let (lower, upper) = (self.set_of(&lower), self.set_of(&upper));
                self.relation(&sig.label, lower, upper)
            }
            // Its children change and it does not: it is the same set around them in every state.
            Some(sum) if changes && !sig.var => {
                let whole = match self.first() {
                    Some(first) => first.sig_exprs[id.index()].0,
                    None => {
                        let (lower, upper) = (self.set_of(&lower), self.set_of(&upper));
                        self.relation(&sig.label, lower, upper)
                    }
                };
                let fits = if sig.is_abstract {
                    self.problem.equal(sum, whole)
                } else {
                    self.problem.is_in(sum, whole)
                };
                self.require(fits, sig.span);
                whole
            }
            // All its atoms are there: it needs no relation of its own, but an abstract one needs its
            // children to have them.
            Some(sum) if lower.len() == upper.len() => {
                let relation = self.problem.constant(&sig.label, whole.clone());
                let all = self.problem.rel(relation);
                if sig.is_abstract {
                    let within = self.problem.is_in(all, sum);
                    self.require(within, sig.span);
                }
                all
            }
            Some(sum) if sig.is_abstract => sum,
            Some(sum) => {
                let must = sig
                    .children
                    .iter()
                    .flat_map(|child| &self.scopes.lower[child.index()]);
                let must: FxHashSet<usize> = must.copied().collect();
                // Atoms that a child must have are none of the rest.
                lower.retain(|atom| !must.contains(atom));
                upper.retain(|atom| !must.contains(atom));
                let (lower, upper) = (self.set_of(&lower), self.set_of(&upper));
                let name = format!("{} (rest)", sig.label);
                let rest = self.relation(&name, lower, upper);
                let shared = self.problem.intersection(sum, rest);
                let none = self.problem.no(shared);
                self.require(none, sig.span);
                self.problem.union(sum, rest)
            }
        };
        self.tables.sig_exprs[id.index()] = (expr, whole);
    }

    fn subset(&mut self, id: SigId) {
        let sig = &self.model.sigs[id];
        let AlloyPlace::In { of, exactly } = &sig.place else {
            return;
        };
        // It was made before, as a signature that another subset is in.
        if self.tables.sig_exprs[id.index()].0 != self.problem.none(1) {
            return;
        }
        let mut sum: Option<RelExprId> = None;
        let mut upper = self.universe.no_tuples(1);
        for &parent in of {
            if matches!(self.model.sigs[parent].place, AlloyPlace::In { .. }) {
                wherefore_base::deep(|| self.subset(parent));
            }
            let (expr, most) = self.tables.sig_exprs[parent.index()].clone();
            upper = upper.union(&most);
            sum = Some(sum.map_or(expr, |before| self.problem.union(before, expr)));
        }
        let Some(sum) = sum else {
            return;
        };
        let expr = if *exactly {
            sum
        } else {
            let lower = self.universe.no_tuples(1);
            let expr = match self.first() {
                Some(first) if !sig.var => first.sig_exprs[id.index()].0,
                _ => self.relation(&sig.label, lower, upper.clone()),
            };
            let within = self.problem.is_in(expr, sum);
            self.require(within, sig.span);
            expr
        };
        self.tables.sig_exprs[id.index()] = (expr, upper);
    }

    /// Whether a signature has exactly one atom, always the same.
    pub(super) fn is_single(&self, sig: SigId) -> bool {
        let declared = &self.model.sigs[sig];
        declared.mult == Some(Mult::One) && declared.extends().is_some() && !declared.var
    }

    pub(super) fn fields(&mut self) -> AlloyLower<()> {
        let nothing = self.problem.none(1);
        self.tables.field_exprs = vec![nothing; self.model.fields.len()];
        for (id, field) in self.model.fields.entries() {
            if field.definition.is_some() {
                continue;
            }
            if let (Some(first), false) = (self.first(), field.var) {
                let (expr, relation) =
                    (first.field_exprs[id.index()], first.single_fields.get(&id));
                let (relation, fixed) = (relation.copied(), first.fixed.contains(&id));
                self.tables.field_exprs[id.index()] = expr;
                if let Some(relation) = relation {
                    self.tables.single_fields.insert(id, relation);
                }
                if fixed {
                    self.tables.fixed.insert(id);
                }
                continue;
            }
            self.too_wide(field.ty.arity().unwrap_or(2), field.span)?;
            let single = self.is_single(field.sig);
            let skip = usize::from(single);
            let arity = field.ty.arity().unwrap_or(2) - skip;
            let mut upper = self.universe.no_tuples(arity);
            for product in field.ty.products() {
                let mut tuples: Option<TupleSet> = None;
                for sig in &product[skip..] {
                    let column = &self.tables.sig_exprs[sig.index()].1;
                    tuples = Some(match tuples {
                        None => column.clone(),
                        Some(before) => {
                            self.too_many(before.len(), column.len(), field.span)?;
                            before.product(column)
                        }
                    });
                }
                if let Some(tuples) = tuples {
                    upper = upper.union(&tuples);
                }
            }
            let owner = &self.model.sigs[field.sig];
            let name = format!("{}.{}", owner.label, self.model.names.text(field.name));
            let fixed = self.enum_order(id);
            let relation = match fixed {
                Some(value) => {
                    self.tables.fixed.insert(id);
                    self.problem.constant(name, value)
                }
                None => {
                    let lower = self.universe.no_tuples(arity);
                    let now = self.path.now;
                    let name = if now == 0 {
                        name
                    } else {
                        format!("{name}@{now}")
                    };
                    self.problem.relation(name, lower, upper)
                }
            };
            let mut expr = self.problem.rel(relation);
            if single {
                self.tables.single_fields.insert(id, relation);
                let atom = self.tables.sig_exprs[field.sig.index()].0;
                expr = self.problem.product(atom, expr);
            }
            self.tables.field_exprs[id.index()] = expr;
        }
        // A definition may speak of any field, so definitions come after all fields that are bounded.
        for (id, field) in self.model.fields.entries() {
            if let Some(definition) = field.definition {
                self.tables.field_exprs[id.index()] = self.defined_field(field.sig, definition)?;
            }
        }
        Ok(())
    }

    /// The tuples of an atom and the value of a definition for it.
    fn defined_field(&mut self, sig: SigId, definition: AlloyTermId) -> AlloyLower<RelExprId> {
        let this = self.model.sigs[sig].this;
        let owner = self.tables.sig_exprs[sig.index()].0;
        if self.is_single(sig) {
            self.env.insert(this, TermMeaning::Expr(owner));
            let value = self.expr(definition)?;
            self.env.remove(&this);
            return Ok(self.problem.product(owner, value));
        }
        let span = self.model.sigs[sig].span;
        let var = self.problem.variable("this", 1, Some(span));
        let atom = self.problem.var(var);
        self.env.insert(this, TermMeaning::Expr(atom));
        let value = self.expr(definition)?;
        self.env.remove(&this);
        let mut decls = vec![RelDecl::one(var, owner)];
        let univ = self.problem.univ();
        let mut tuple: Option<RelExprId> = None;
        for at in 0..self.problem.arity(value) {
            let column = self.problem.variable(format!("v{at}"), 1, Some(span));
            decls.push(RelDecl::one(column, univ));
            let column = self.problem.var(column);
            tuple = Some(match tuple {
                None => column,
                Some(before) => self.problem.product(before, column),
            });
        }
        let tuple = tuple.unwrap_or(univ);
        let within = self.problem.is_in(tuple, value);
        Ok(self.problem.comprehension(decls, within))
    }

    /// Tuples have a most number of columns, which depends on the number of atoms.
    pub(super) fn too_wide(&self, columns: usize, span: Span) -> AlloyLower<()> {
        let most = self.universe.packing().most_columns();
        if columns > most {
            let message = format!(
                "Relations have at most {most} columns in this scope, and this has {columns}"
            );
            return Err(Diagnostic::error(span, message));
        }
        Ok(())
    }

    fn too_many(&self, left: usize, right: usize, span: Span) -> AlloyLower<()> {
        const MOST: usize = 50_000_000;
        if left.saturating_mul(right) > MOST {
            let message = format!("This field could have more than {MOST} tuples in this scope");
            return Err(Diagnostic::error(span, message).help("Choose a smaller scope."));
        }
        Ok(())
    }

    /// The value of a field that orders an enumeration: its values in the order of their declaration.
    fn enum_order(&self, id: FieldId) -> Option<TupleSet> {
        let field = &self.model.fields[id];
        let owner = &self.model.sigs[field.sig];
        let fact = owner.fact?;
        let AlloyTermKind::TotalOrder(elements, first, next) = self.model.terms[fact].kind else {
            return None;
        };
        let AlloyTermKind::Sig(elements) = self.model.terms[elements].kind else {
            return None;
        };
        if !self.model.sigs[elements].is_enum || !self.is_single(field.sig) {
            return None;
        }
        let mut atoms = Vec::new();
        for child in &self.model.sigs[elements].children {
            match self.scopes.lower[child.index()][..] {
                [atom] => atoms.push(UniverseAtomId::new(atom)),
                _ => return None,
            }
        }
        let is = |term: AlloyTermId| {
            matches!(self.model.terms[term].kind,
            AlloyTermKind::Join(_, right) if matches!(self.model.terms[right].kind,
                AlloyTermKind::Field(other) if other == id))
        };
        if is(first) {
            Some(self.universe.set(atoms.first().copied()))
        } else if is(next) {
            let pairs = atoms.windows(2).map(|pair| [pair[0], pair[1]]);
            Some(TupleSet::from_tuples(self.universe.packing(), 2, pairs))
        } else {
            None
        }
    }
}
