//! The tableau of a linear-time formula: a model whose fair runs are the runs that refute it.
//!
//! The construction of Clarke, Grumberg and Hamaguchi (1997), with the past operators of Lichtenstein,
//! Pnueli and Zuck (1985). The model gets one Boolean variable for everything the formula leaves to
//! another position: a guess about the next one, which the step checks, or a memory of the one before,
//! which the step writes. What is looked for must not be put off for ever: that is a justice constraint.
//! So each run of the model has exactly one fair run here, and at each of its positions the truth of
//! every sub-formula is a condition on the state. Where the formula has no past, equal futures have equal
//! guesses, so the shortest lasso here is the shortest lasso of the model that refutes the formula
//! (Schuppan and Biere 2005).

use std::collections::HashMap;

use wherefore_base::{IndexVec, Span, Value, deep};
use wherefore_logic::{
    AtomId, Bounds, Expanded, Formula, LinearOp, Op, PathOp, PathRule, Quantifier, SubId,
};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, Query, Requirement, Support, Term, TermId, VarId, VarKind,
    Variable,
};

/// A model whose fair runs are the runs of another that refute a linear-time formula.
#[derive(Clone, Debug)]
pub struct Tableau {
    /// The product: variables of the state first, then those of the tableau, then inputs. It has no
    /// properties, defines and obligations.
    pub model: Model,
    /// A query that fails exactly where a fair run starts. Its first sub-formulas are the sub-formulas
    /// of the linear-time formula, in order, as atoms.
    pub query: Query,
    /// How many justice constraints of the product are those of the model; the others are the tableau's.
    pub justice: usize,
}

impl Tableau {
    /// The product of a model with the tableau of the negation of a formula that stands at `span`.
    ///
    /// # Panics
    /// When the formula has a path quantifier.
    pub fn new(model: &Model, query: &Query, span: Span) -> Self {
        let mut builder = TableauBuilder::new(
            Model {
                properties: vec![],
                defines: vec![],
                obligations: vec![],
                swaps: vec![],
                ..model.clone()
            },
            span,
        );
        let mut truth: IndexVec<SubId, TermId> = IndexVec::new();
        for sub in query.formula.subs() {
            let term = builder.sub(query, sub, &truth);
            let term = builder.first_of(term);
            truth.push(term);
        }
        let refuted = builder.not(truth[query.formula.root()]);
        let refuted = builder.constraint(Requirement::Holds(refuted));
        builder.model.init.push(refuted);
        Self {
            model: builder.finish(model.state_vars()),
            query: some_run(&truth),
            justice: model.fairness.justice.len(),
        }
    }
}

/// A model and a query about its states that say of runs what a query with conditions on steps does.
///
/// Each condition that reads an input or the next state gets a variable that remembers whether it was true in the last step,
/// so it is true at a position exactly if that is remembered at the next one.
pub fn remembering_steps(model: &Model, query: &Query, span: Span) -> (Model, Query) {
    let mut builder = TableauBuilder::new(
        Model {
            obligations: vec![],
            swaps: vec![],
            ..model.clone()
        },
        span,
    );
    let mut atoms: IndexVec<AtomId, TermId> = IndexVec::new();
    let mut remembered: IndexVec<AtomId, bool> = IndexVec::new();
    for &term in query.atoms.iter() {
        let of_step = model.reads_steps(&[term]);
        remembered.push(of_step);
        atoms.push(match of_step {
            true => builder.last_step(term),
            false => term,
        });
    }
    let mut formula = Formula::new();
    let mut place: IndexVec<SubId, SubId> = IndexVec::new();
    for sub in query.formula.subs() {
        let node = query.formula.node(sub);
        let op = node.op.map(|operand| place[operand]);
        let mut at = formula.add(op, node.span);
        if let Op::Atom(atom) = op
            && remembered[atom]
        {
            at = formula.add(Op::Linear(LinearOp::Next(at)), node.span);
        }
        place.push(at);
    }
    let query = Query {
        formula,
        atoms,
        ..query.clone()
    };
    (builder.finish(model.state_vars()), query)
}

/// `AF FALSE`, with the truth of each sub-formula beside it.
fn some_run(truth: &IndexVec<SubId, TermId>) -> Query {
    let mut formula = Formula::new();
    for atom in 0..truth.len() {
        formula.add(Op::Atom(AtomId::new(atom)), None);
    }
    let never = formula.add(Op::Const(false), None);
    let arrives = PathOp::Finally(never);
    formula.add(Op::Path(Quantifier::Forall, arrives), None);
    Query {
        formula,
        atoms: truth.iter().copied().collect(),
        rule: PathRule::FairInfinite,
    }
}

/// What a variable of the tableau stands for.
#[derive(PartialEq, Eq, Hash)]
enum TableauKey {
    /// The truth of a condition on a step.
    OfStep(TermId),
    /// The truth of a condition at the next position.
    Next(TermId),
    /// The truth of a condition at the position before, and what it is at the start.
    Before(TermId, bool),
    /// An operator over conditions: past, seeks, weak, main, side.
    Fixpoint(bool, bool, bool, TermId, Option<TermId>),
}

struct TableauBuilder {
    model: Model,
    span: Span,
    variables: usize,
    /// Terms for what was met before: equal sub-formulas share their variables.
    known: HashMap<TableauKey, TermId>,
    /// Terms over the present state, in the next state.
    next: HashMap<TermId, TermId>,
    /// The first term of each form, its operands being first terms themselves.
    first: HashMap<Term, TermId>,
    /// For terms that were looked at, the first term of the same form.
    same: HashMap<TermId, TermId>,
}

impl TableauBuilder {
    fn new(model: Model, span: Span) -> Self {
        Self {
            model,
            span,
            variables: 0,
            known: HashMap::new(),
            next: HashMap::new(),
            first: HashMap::new(),
            same: HashMap::new(),
        }
    }

    /// The memory of whether a condition was true in the last step; at the start it is false.
    fn last_step(&mut self, condition: TermId) -> TermId {
        let (var, memory) = self.variable();
        let start = self.constant(false);
        let start = self.constraint(Requirement::Assign(var, start));
        self.model.init.push(start);
        let next = self.add(Term::Next(var));
        let right = self.binary(BinaryOp::Equal, next, condition);
        self.require_step(Requirement::Holds(right));
        memory
    }

    /// The condition that a sub-formula is true, given those of its operands.
    fn sub(&mut self, query: &Query, sub: SubId, truth: &IndexVec<SubId, TermId>) -> TermId {
        let of = |sub: SubId| truth[sub];
        match query.formula.op(sub) {
            Op::Const(value) => self.constant(value),
            Op::Atom(atom) => self.atom(query.atoms[atom]),
            Op::Not(f) => self.not(of(f)),
            Op::And(f, g) => self.binary(BinaryOp::And, of(f), of(g)),
            Op::Or(f, g) => self.binary(BinaryOp::Or, of(f), of(g)),
            Op::Implies(f, g) => self.binary(BinaryOp::Implies, of(f), of(g)),
            Op::Iff(f, g) => self.binary(BinaryOp::Equal, of(f), of(g)),
            Op::Xor(f, g) => self.binary(BinaryOp::Unequal, of(f), of(g)),
            Op::Linear(op) => self.linear(op, truth),
            Op::Path(..) => unreachable!("a linear-time formula has no path quantifier"),
        }
    }

    fn linear(&mut self, op: LinearOp, truth: &IndexVec<SubId, TermId>) -> TermId {
        use LinearOp as L;
        if let Some(expanded) = op.expanded() {
            let (main, side) = (truth[expanded.main], expanded.side.map(|side| truth[side]));
            return self.fixpoint(expanded, main, side);
        }
        match op {
            L::Next(f) => self.at_next(truth[f]),
            L::Yesterday(f) => self.before(truth[f], false),
            L::WeakYesterday(f) => self.before(truth[f], true),
            L::FinallyWithin(b, f) => self.within(b, truth[f], BinaryOp::Or, Self::at_next),
            L::GloballyWithin(b, f) => self.within(b, truth[f], BinaryOp::And, Self::at_next),
            L::OnceWithin(b, f) => self.within(b, truth[f], BinaryOp::Or, |builder, f| {
                builder.before(f, false)
            }),
            L::HistoricallyWithin(b, f) => self.within(b, truth[f], BinaryOp::And, |builder, f| {
                builder.before(f, true)
            }),
            _ => unreachable!("all other operators are fixpoints"),
        }
    }

    /// The first of all terms that say the same in the same words, so that equal sub-formulas at different
    /// places share their variables.
    fn first_of(&mut self, term: TermId) -> TermId {
        if let Some(&known) = self.same.get(&term) {
            return known;
        }
        let form = self.model.terms.get(term).clone();
        let form = form.with_operands(|operand| deep(|| self.first_of(operand)));
        let first = *self.first.entry(form).or_insert(term);
        self.same.insert(term, first);
        first
    }

    /// A condition of the model; one that reads the step is guessed and checked by the step.
    fn atom(&mut self, term: TermId) -> TermId {
        let term = self.first_of(term);
        let support = Support::of(&self.model, [term]);
        let input = |var: &VarId| self.model.vars[*var].kind == VarKind::Input;
        if support.next.is_empty() && !support.now.iter().any(input) {
            return term;
        }
        if let Some(&known) = self.known.get(&TableauKey::OfStep(term)) {
            return known;
        }
        let (_, guess) = self.variable();
        let right = self.binary(BinaryOp::Equal, guess, term);
        self.require_step(Requirement::Holds(right));
        self.known.insert(TableauKey::OfStep(term), guess);
        guess
    }

    /// A guess that a condition is true at the next position.
    fn at_next(&mut self, f: TermId) -> TermId {
        if let Some(&known) = self.known.get(&TableauKey::Next(f)) {
            return known;
        }
        let (_, guess) = self.variable();
        self.is_right(guess, f);
        self.known.insert(TableauKey::Next(f), guess);
        guess
    }

    /// The memory of whether a condition was true at the position before.
    fn before(&mut self, f: TermId, at_start: bool) -> TermId {
        if let Some(&known) = self.known.get(&TableauKey::Before(f, at_start)) {
            return known;
        }
        let (var, memory) = self.variable();
        self.remembers(var, f, at_start);
        self.known.insert(TableauKey::Before(f, at_start), memory);
        memory
    }

    /// `f op rest` for each step between the bounds, after as many steps as the lower one says.
    fn within(
        &mut self,
        bounds: Bounds,
        f: TermId,
        op: BinaryOp,
        step: impl Fn(&mut Self, TermId) -> TermId,
    ) -> TermId {
        let mut whole = f;
        // From the far end of the window back to its beginning, and then over the steps before it.
        for _ in bounds.least..bounds.most {
            let rest = step(self, whole);
            whole = self.binary(op, f, rest);
        }
        for _ in 0..bounds.least {
            whole = step(self, whole);
        }
        whole
    }

    fn fixpoint(&mut self, expanded: Expanded, main: TermId, side: Option<TermId>) -> TermId {
        let Expanded {
            past, seeks, weak, ..
        } = expanded;
        let key = TableauKey::Fixpoint(past, seeks, weak, main, side);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (var, rest) = self.variable();
        let (outer, inner) = match seeks {
            true => (BinaryOp::Or, BinaryOp::And),
            false => (BinaryOp::And, BinaryOp::Or),
        };
        let put_off = match side {
            Some(side) => self.binary(inner, side, rest),
            None => rest,
        };
        let whole = self.binary(outer, main, put_off);
        if past {
            // What lies before the start counts as true for weak operators and as false for others.
            self.remembers(var, whole, weak);
        } else {
            self.is_right(rest, whole);
            // Neither a promise nor a refusal is put off for ever.
            let settled = match (weak, seeks, side) {
                (false, ..) => self.binary(BinaryOp::Implies, whole, main),
                // A weak until may be refused only where its left side breaks some time.
                (true, true, Some(side)) => self.binary(BinaryOp::Implies, side, whole),
                // What keeps to something may be refused only where that breaks some time.
                (true, ..) => self.binary(BinaryOp::Implies, main, whole),
            };
            self.model.fairness.justice.push(settled);
        }
        self.known.insert(key, whole);
        whole
    }

    /// A guess is true exactly if the condition is true at the next position.
    fn is_right(&mut self, guess: TermId, f: TermId) {
        let next = self.in_next_state(f);
        let right = self.binary(BinaryOp::Equal, guess, next);
        self.require_step(Requirement::Holds(right));
    }

    /// A variable has the truth of a condition at the position before.
    fn remembers(&mut self, var: VarId, f: TermId, at_start: bool) {
        let start = self.constant(at_start);
        let start = self.constraint(Requirement::Assign(var, start));
        self.model.init.push(start);
        self.require_step(Requirement::Assign(var, f));
    }

    /// A condition on the present state, in the next one.
    fn in_next_state(&mut self, term: TermId) -> TermId {
        if let Some(&known) = self.next.get(&term) {
            return known;
        }
        let next = match self.model.terms.get(term).clone() {
            Term::Const(_) => term,
            Term::Var(var) => self.add(Term::Next(var)),
            Term::Next(_) => unreachable!("conditions on a step are guessed"),
            other => {
                let other = other.with_operands(|operand| deep(|| self.in_next_state(operand)));
                self.add(other)
            }
        };
        self.next.insert(term, next);
        next
    }

    fn variable(&mut self) -> (VarId, TermId) {
        self.variables += 1;
        let var = self.model.vars.push(Variable {
            name: format!("<tableau {}>", self.variables),
            domain: Domain::Bool,
            kind: VarKind::State,
            span: self.span,
            origin: wherefore_model::Origin::Hidden,
        });
        (var, self.add(Term::Var(var)))
    }

    fn require_step(&mut self, requires: Requirement) {
        let constraint = self.constraint(requires);
        self.model.trans.push(constraint);
    }

    fn constraint(&self, requires: Requirement) -> Constraint {
        Constraint {
            requires,
            span: self.span,
        }
    }

    fn constant(&mut self, value: bool) -> TermId {
        self.add(Term::Const(Value::Bool(value)))
    }

    fn not(&mut self, f: TermId) -> TermId {
        self.add(Term::Not(f))
    }

    fn binary(&mut self, op: BinaryOp, f: TermId, g: TermId) -> TermId {
        self.add(Term::Binary(op, f, g))
    }

    fn add(&mut self, term: Term) -> TermId {
        self.model.terms.add(term, Some(self.span))
    }

    /// Puts the new variables, which came last, between those of the state and the inputs.
    fn finish(self, states: usize) -> Model {
        let TableauBuilder {
            mut model,
            variables,
            ..
        } = self;
        let inputs = model.vars.len() - variables - states;
        let place = |var: VarId| match var.index() {
            at if at < states => var,
            at if at < states + inputs => VarId::new(at + variables),
            at => VarId::new(at - inputs),
        };
        let mut vars: Vec<(VarId, Variable)> = model
            .vars
            .entries()
            .map(|(id, var)| (place(id), var.clone()))
            .collect();
        vars.sort_by_key(|(id, _)| *id);
        model.vars = vars.into_iter().map(|(_, var)| var).collect();
        // Terms keep their numbers, so the query and the fairness conditions stay right.
        model.terms = model.terms.renamed(place);
        for var in &mut model.order {
            *var = place(*var);
        }
        let constraints = [&mut model.init, &mut model.invar, &mut model.trans];
        for constraint in constraints.into_iter().flatten() {
            if let Requirement::Assign(var, term) = constraint.requires {
                constraint.requires = Requirement::Assign(place(var), term);
            }
        }
        model
    }
}
