//! From a command to a problem of relational logic.
//!
//! Signatures become relations with bounds: one with children is the union of them and of a relation for
//! the rest. A field of a signature with one atom has no column for it. What declarations say becomes
//! formulas, as do facts and the goal; predicates and functions are written out where they are called.

mod constraint;
mod term;
mod time;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Diagnostic, Span, Symbol};
use wherefore_relational::{
    AtomId, ExprId, FormulaId, Integers, Overflow, Problem, RelationId, TotalOrder, TupleSet,
    Universe,
};

pub use self::term::Meaning;
pub use self::time::Shape;
use self::time::{Delayed, Path, Times};
use crate::model::{
    Command, FieldId, FunctionId, Goal, Model, Mult, Place, SigId, TermId, TermKind, UnaryOp, VarId,
};
use crate::scope::{Override, Scopes, scopes};

/// How a command is lowered.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Scopes that win over those of the command.
    pub scopes: Vec<Override>,
    /// What happens when arithmetic does not fit the width of integers.
    pub overflow: Overflow,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            scopes: Vec::new(),
            overflow: Overflow::Wrap,
        }
    }
}

/// A command as a problem, with the way back.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The problem: for `check`, an instance is a counterexample.
    pub problem: Problem,
    /// How many of its requirements, from the first on, are facts, said or implied; the others are the goal.
    pub facts: usize,
    /// The scopes.
    pub scopes: Scopes,
    /// The shape of its traces; a single state where nothing changes.
    pub shape: Shape,
    /// The states of a trace, in order.
    pub states: Vec<State>,
    tables: Vec<Tables>,
}

/// The values of signatures and fields in a state.
#[derive(Clone, Debug)]
pub struct State {
    /// By signature: its value in an instance.
    pub sigs: Vec<ExprId>,
    /// By field: its value, with the column of its signature.
    pub fields: Vec<ExprId>,
}

impl Lowered {
    /// What a term of the model means in a state, in the nodes of the problem; new nodes are added to it.
    /// The state is also the position: what was before it is what the states before it are.
    ///
    /// # Errors
    /// When it cannot be lowered; see [`lower`].
    pub fn meaning(
        &mut self,
        model: &Model,
        term: TermId,
        state: usize,
    ) -> Result<Meaning, Diagnostic> {
        let mut times = Times::default();
        let path = Path::new(self.shape, times.past_depth(model, term));
        let mut parked = self.tables.clone();
        let tables = std::mem::take(&mut parked[0]);
        let mut lowering = Lowering {
            model,
            scopes: self.scopes.clone(),
            universe: self.problem.universe().clone(),
            problem: self.problem.clone(),
            tables,
            parked,
            path,
            times,
            env: FxHashMap::default(),
            later: FxHashMap::default(),
            calling: Vec::new(),
            calls: FxHashMap::default(),
        };
        lowering.go(state.min(self.shape.states - 1));
        let meaning = lowering.value(term)?;
        self.problem = lowering.problem;
        Ok(meaning)
    }
}

/// Lowers a command of a model in which nothing changes over time.
///
/// # Errors
/// When its scopes do not fit, when a predicate or function calls itself, or when something changes.
pub fn lower(model: &Model, command: &Command, choices: &Choices) -> Result<Lowered, Diagnostic> {
    if model.has_time() {
        // Scopes that do not fit are told first.
        scopes(model, command, &choices.scopes)?;
        let message = "This command is about traces, of which a shape must be chosen";
        return Err(Diagnostic::error(command.span, message));
    }
    lower_trace(model, command, choices, Shape::STILL)
}

/// Lowers a command to the traces of a shape. A command is refuted or shown by a trace of any shape that its
/// scope allows; see [`Shape::all`].
///
/// # Errors
/// When its scopes do not fit, or when a predicate or function calls itself.
pub fn lower_trace(
    model: &Model,
    command: &Command,
    choices: &Choices,
    shape: Shape,
) -> Result<Lowered, Diagnostic> {
    let scopes = scopes(model, command, &choices.scopes)?;
    if let Some((_, None)) = scopes.steps {
        let message = "Traces of any length are not searched yet";
        return Err(Diagnostic::error(command.span, message)
            .help("Give the most steps a trace may have, as in `1..10 steps`."));
    }
    let goal = match command.goal {
        Goal::Formula(term) => Some(term),
        Goal::Function(function) => model.functions[function].body,
    };
    let facts = model.facts.iter().map(|fact| fact.body);
    let said = model.declared().filter_map(|(_, sig)| sig.fact);
    let all = facts.chain(said).chain(goal);
    let mut times = Times::default();
    let past = all
        .map(|term| times.past_depth(model, term))
        .max()
        .unwrap_or(0);
    let mut lowering = Lowering::new(model, scopes, choices.overflow, Path::new(shape, past));
    for state in 0..shape.states {
        lowering.go(state);
        lowering.sigs();
        lowering.fields()?;
        lowering.sizes();
    }
    for state in 0..shape.states {
        lowering.go(state);
        lowering.field_facts()?;
        lowering.sig_facts()?;
    }
    lowering.go(0);
    lowering.said_facts()?;
    let facts = lowering.problem.requirements().len();
    lowering.goal(command)?;
    lowering.go(0);
    let mut tables = lowering.parked;
    tables[0] = lowering.tables;
    let states = tables.iter().map(|tables| State {
        sigs: tables.sig_exprs.iter().map(|(expr, _)| *expr).collect(),
        fields: tables.field_exprs.clone(),
    });
    Ok(Lowered {
        states: states.collect(),
        problem: lowering.problem,
        facts,
        scopes: lowering.scopes,
        shape,
        tables,
    })
}

type Lower<T> = Result<T, Diagnostic>;

/// What signatures, fields and constants became.
#[derive(Clone, Default, Debug)]
struct Tables {
    /// By signature: its value, and the atoms it may have.
    sig_exprs: Vec<(ExprId, TupleSet)>,
    /// By field: its value.
    field_exprs: Vec<ExprId>,
    /// By field of a signature with one atom: the relation without the column for the atom.
    single_fields: FxHashMap<FieldId, RelationId>,
    /// Fields whose values are known: orders of enumerations.
    fixed: FxHashSet<FieldId>,
    strings: FxHashMap<Symbol, AtomId>,
    integer_atoms: Vec<(AtomId, i64)>,
    next: Option<ExprId>,
    /// The atoms that are there, and each of them with itself.
    live: Option<(ExprId, ExprId)>,
}

struct Lowering<'m> {
    model: &'m Model,
    scopes: Scopes,
    problem: Problem,
    universe: Universe,
    /// The tables of the state at hand.
    tables: Tables,
    /// The tables of the other states.
    parked: Vec<Tables>,
    path: Path,
    times: Times,
    env: FxHashMap<VarId, Meaning>,
    /// Variables whose value depends on when it is asked for.
    later: FxHashMap<VarId, Delayed>,
    calling: Vec<FunctionId>,
    /// What calls came to, by arguments and position.
    calls: FxHashMap<(FunctionId, Vec<ExprId>, usize), Meaning>,
}

impl<'m> Lowering<'m> {
    fn new(model: &'m Model, scopes: Scopes, overflow: Overflow, path: Path) -> Self {
        let mut names = scopes.atoms.clone();
        let half = 1i64 << (scopes.bits - 1);
        let mut integer_atoms = Vec::new();
        for value in -half..half {
            integer_atoms.push((AtomId::new(names.len()), value));
            names.push(value.to_string());
        }
        let mut strings = FxHashMap::default();
        for term in model.terms.iter() {
            if let TermKind::Text(text) = term.kind
                && !strings.contains_key(&text)
            {
                strings.insert(text, AtomId::new(names.len()));
                names.push(format!("{:?}", model.names.text(text)));
            }
        }
        let wanted = scopes.strings.unwrap_or(0).max(0) as usize;
        for at in strings.len()..wanted {
            names.push(format!("\"String{at}\""));
        }
        let universe = Universe::new(names);
        let tables = Tables {
            strings,
            integer_atoms: integer_atoms.clone(),
            ..Tables::default()
        };
        let integers = Integers {
            width: scopes.bits,
            overflow,
            atoms: integer_atoms,
        };
        Self {
            model,
            scopes,
            problem: Problem::new(universe.clone(), integers),
            universe,
            parked: vec![tables.clone(); path.shape.states],
            tables,
            path,
            times: Times::default(),
            env: FxHashMap::default(),
            later: FxHashMap::default(),
            calling: Vec::new(),
            calls: FxHashMap::default(),
        }
    }

    fn require(&mut self, formula: FormulaId, span: Span) {
        let placed = self.problem.at(formula, span);
        self.problem.require(placed);
    }

    fn set_of(&self, atoms: &[usize]) -> TupleSet {
        self.universe
            .set(atoms.iter().map(|&atom| AtomId::new(atom)))
    }

    /// The signatures, children before those they extend.
    fn sigs(&mut self) {
        let nothing = self.problem.none(1);
        let empty = self.universe.no_tuples(1);
        self.tables.sig_exprs = vec![(nothing, empty.clone()); self.model.sigs.len()];
        let ints = self
            .universe
            .set(self.tables.integer_atoms.iter().map(|&(atom, _)| atom));
        self.tables.sig_exprs[Model::INT] = (self.problem.ints(), ints);
        let indices = self
            .tables
            .integer_atoms
            .iter()
            .filter(|(_, value)| (0..i64::from(self.scopes.sequence)).contains(value));
        let indices = self.universe.set(indices.map(|&(atom, _)| atom));
        let relation = self.problem.constant("seq/Int", indices.clone());
        self.tables.sig_exprs[Model::SEQ_INT] = (self.problem.rel(relation), indices);
        let first = self.scopes.atoms.len() + self.tables.integer_atoms.len();
        let strings: Vec<usize> = (first..self.universe.len()).collect();
        let strings = self.set_of(&strings);
        let relation = self.problem.constant("String", strings.clone());
        self.tables.sig_exprs[Model::STRING] = (self.problem.rel(relation), strings);
        let mut order: Vec<SigId> = vec![SigId::new(Model::UNIV)];
        let mut at = 0;
        while let Some(&sig) = order.get(at) {
            order.extend(&self.model.sigs[sig].children);
            at += 1;
        }
        for &sig in order[1..].iter().rev() {
            self.sig(sig);
        }
        let mut univ = self.problem.ints();
        if !self.tables.sig_exprs[Model::STRING].1.is_empty() {
            univ = self
                .problem
                .union(univ, self.tables.sig_exprs[Model::STRING].0);
        }
        for &sig in &self.model.sigs[SigId::new(Model::UNIV)].children {
            univ = self
                .problem
                .union(univ, self.tables.sig_exprs[sig.index()].0);
        }
        self.tables.sig_exprs[Model::UNIV] = (univ, self.universe.everything());
        for (id, sig) in self.model.declared() {
            if matches!(sig.place, Place::In { .. }) {
                self.subset(id);
            }
        }
    }

    /// The tables of the first state, unless it is the one at hand.
    fn first(&self) -> Option<&Tables> {
        (self.path.now > 0).then(|| &self.parked[0])
    }

    /// A relation that is the same in every state, or one of this state.
    fn relation(&mut self, name: &str, lower: TupleSet, upper: TupleSet) -> ExprId {
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
        let mut sum: Option<ExprId> = None;
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
                for child in &sig.children {
                    let must = &self.scopes.lower[child.index()];
                    lower.retain(|atom| !must.contains(atom));
                    upper.retain(|atom| !must.contains(atom));
                }
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
        let Place::In { of, exactly } = &sig.place else {
            return;
        };
        if self.tables.sig_exprs[id.index()].0 != self.problem.none(1) {
            return;
        }
        let mut sum: Option<ExprId> = None;
        let mut upper = self.universe.no_tuples(1);
        for &parent in of {
            if matches!(self.model.sigs[parent].place, Place::In { .. }) {
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
    fn is_single(&self, sig: SigId) -> bool {
        let declared = &self.model.sigs[sig];
        declared.mult == Some(Mult::One) && declared.extends().is_some() && !declared.var
    }

    fn fields(&mut self) -> Lower<()> {
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
        for (id, field) in self.model.fields.entries() {
            if let Some(definition) = field.definition {
                self.tables.field_exprs[id.index()] = self.defined_field(field.sig, definition)?;
            }
        }
        Ok(())
    }

    /// The tuples of an atom and the value of a definition for it.
    fn defined_field(&mut self, sig: SigId, definition: TermId) -> Lower<ExprId> {
        use wherefore_relational::Decl;
        let this = self.model.sigs[sig].this;
        let owner = self.tables.sig_exprs[sig.index()].0;
        if self.is_single(sig) {
            self.env.insert(this, Meaning::Expr(owner));
            let value = self.expr(definition)?;
            self.env.remove(&this);
            return Ok(self.problem.product(owner, value));
        }
        let span = self.model.sigs[sig].span;
        let var = self.problem.variable("this", 1, Some(span));
        let atom = self.problem.var(var);
        self.env.insert(this, Meaning::Expr(atom));
        let value = self.expr(definition)?;
        self.env.remove(&this);
        let mut decls = vec![Decl::one(var, owner)];
        let univ = self.problem.univ();
        let mut tuple: Option<ExprId> = None;
        for at in 0..self.problem.arity(value) {
            let column = self.problem.variable(format!("v{at}"), 1, Some(span));
            decls.push(Decl::one(column, univ));
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

    fn too_many(&self, left: usize, right: usize, span: Span) -> Lower<()> {
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
        let TermKind::TotalOrder(elements, first, next) = self.model.terms[fact].kind else {
            return None;
        };
        let TermKind::Sig(elements) = self.model.terms[elements].kind else {
            return None;
        };
        if !self.model.sigs[elements].is_enum || !self.is_single(field.sig) {
            return None;
        }
        let mut atoms = Vec::new();
        for child in &self.model.sigs[elements].children {
            match self.scopes.lower[child.index()][..] {
                [atom] => atoms.push(AtomId::new(atom)),
                _ => return None,
            }
        }
        let is = |term: TermId| {
            matches!(self.model.terms[term].kind,
            TermKind::Join(_, right) if matches!(self.model.terms[right].kind,
                TermKind::Field(other) if other == id))
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

    /// The facts that are written, which hold in the first state.
    fn said_facts(&mut self) -> Lower<()> {
        for fact in &self.model.facts {
            self.require_term(fact.body)?;
        }
        Ok(())
    }

    /// The facts of signatures, which hold in every state.
    fn sig_facts(&mut self) -> Lower<()> {
        for (id, sig) in self.model.declared() {
            if let Some(fact) = sig.fact {
                self.sig_fact(id, fact)?;
            }
        }
        Ok(())
    }

    /// Requires a formula, each of its conjuncts by itself.
    fn require_term(&mut self, term: TermId) -> Lower<()> {
        for part in self.conjuncts(term) {
            let formula = self.formula(part)?;
            self.require(formula, self.model.terms[part].span);
        }
        Ok(())
    }

    fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        let mut waiting = vec![term];
        let mut parts = Vec::new();
        while let Some(term) = waiting.pop() {
            match &self.model.terms[term].kind {
                TermKind::Block(inner) => waiting.extend(inner.iter().rev()),
                &TermKind::Binary(crate::model::BinaryOp::And, a, b) => waiting.extend([b, a]),
                _ => parts.push(term),
            }
        }
        parts
    }

    fn sig_fact(&mut self, id: SigId, fact: TermId) -> Lower<()> {
        let this = self.model.sigs[id].this;
        let owner = self.tables.sig_exprs[id.index()].0;
        for part in self.conjuncts(fact) {
            let span = self.model.terms[part].span;
            if self.is_single(id) {
                self.env.insert(this, Meaning::Expr(owner));
                if self.order_fact(part)? {
                    continue;
                }
                let formula = self.formula(part)?;
                self.require(formula, span);
            } else {
                let formula = self.for_each_atom(id, |lowering| lowering.formula(part))?;
                self.require(formula, span);
            }
        }
        self.env.remove(&this);
        Ok(())
    }

    /// A formula for every atom of a signature.
    fn for_each_atom(
        &mut self,
        id: SigId,
        body: impl FnOnce(&mut Self) -> Lower<FormulaId>,
    ) -> Lower<FormulaId> {
        let sig = &self.model.sigs[id];
        let owner = self.tables.sig_exprs[id.index()].0;
        if self.is_single(id) {
            self.env.insert(sig.this, Meaning::Expr(owner));
            let formula = body(self);
            self.env.remove(&sig.this);
            return formula;
        }
        let var = self.problem.variable("this", 1, Some(sig.span));
        let atom = self.problem.var(var);
        self.env.insert(sig.this, Meaning::Expr(atom));
        let formula = body(self);
        self.env.remove(&sig.this);
        let formula = formula?;
        let decl = wherefore_relational::Decl::one(var, owner);
        Ok(self.problem.all([decl], formula))
    }

    /// A total order over relations of their own, which the search knows how to use.
    fn order_fact(&mut self, part: TermId) -> Lower<bool> {
        let TermKind::TotalOrder(elements, first, next) = self.model.terms[part].kind else {
            return Ok(false);
        };
        let field = |term: TermId| match self.model.terms[term].kind {
            TermKind::Join(_, right) => match self.model.terms[right].kind {
                TermKind::Field(field) => Some(field),
                _ => None,
            },
            _ => None,
        };
        let (Some(first), Some(next)) = (field(first), field(next)) else {
            return Ok(false);
        };
        if self.tables.fixed.contains(&first) && self.tables.fixed.contains(&next) {
            return Ok(true);
        }
        let relations = (
            self.tables.single_fields.get(&first),
            self.tables.single_fields.get(&next),
        );
        let (Some(&first), Some(&next)) = relations else {
            return Ok(false);
        };
        let elements = self.expr(elements)?;
        let span = Some(self.model.terms[part].span);
        self.problem.require_order(TotalOrder {
            elements,
            first,
            next,
            span,
        });
        Ok(true)
    }

    fn goal(&mut self, command: &Command) -> Lower<()> {
        match command.goal {
            Goal::Formula(term) if command.check => {
                let formula = self.formula(term)?;
                let formula = self.problem.not(formula);
                self.require(formula, self.model.terms[term].span);
            }
            Goal::Formula(term) => self.require_term(term)?,
            Goal::Function(function) => {
                let formula = self.some_call(function)?;
                let formula = if command.check {
                    self.problem.not(formula)
                } else {
                    formula
                };
                self.require(formula, self.model.functions[function].span);
            }
        }
        Ok(())
    }

    fn is_temporal(op: UnaryOp) -> bool {
        use UnaryOp as U;
        matches!(
            op,
            U::Prime | U::Always | U::Eventually | U::After | U::Before | U::Historically | U::Once
        )
    }
}
