//! Formulas over two states as a model: their circuits become terms, the tuples of fields variables.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_alloy::model::{AlloyTermKind, Command, CommandGoal, Field, FieldId, Mult};
use wherefore_alloy::{AlloyModel as Alloy, LoweredCommand};
use wherefore_base::{Budget, IndexVec, Span, Value};
use wherefore_logic::{Formula, Op, PathOp, PathRule, Quantifier};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Membership, Model, Origin, Property, PropertyBody, PropertyKind,
    Query, Requirement, Term, TermId, VarId, VarKind, Variable,
};
use wherefore_relational::{CompiledProblem, FormulaId, Universe, UniverseAtomId};
use wherefore_sat::{CircuitEdge, Gate};

use crate::circuits::{conjuncts, support};
use crate::complete::{Attribute, CompleteSystem, FieldValues, WantedFormula};
use crate::formulas::Formulas;
use crate::misfit::TcmcMisfit;
use crate::property::AskedFormula;
use crate::reading::SystemReading;
use crate::symmetry::swaps;

/// The name of the input that says which operation a step is.
pub(crate) const OPERATION: &str = "operation";

/// The name of the variable that says that the last step breaks what is said of every step.
const CUT: &str = "cut";

/// The name of the variable that counts the fairness constraints that were met in turn.
const MET: &str = "constraints met";

/// What an input of the circuit is: a truth value, or that a variable has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StepInput {
    var: VarId,
    next: bool,
    value: Option<Value>,
}

pub(crate) struct SystemBuilder<'a> {
    alloy: &'a Alloy,
    reading: &'a SystemReading,
    lowered: &'a LoweredCommand,
    compiled: CompiledProblem<'a>,
    model: Model,
    attributes: Vec<Attribute>,
    inputs: FxHashMap<usize, StepInput>,
    /// Atoms that are the only ones of their signatures, and are called like these.
    only: FxHashSet<UniverseAtomId>,
    /// The terms of gates: as they are, and with the next state in the place of the present one.
    terms: [FxHashMap<usize, TermId>; 2],
    truth: TermId,
    budget: &'a Budget,
}

impl<'a> SystemBuilder<'a> {
    pub(crate) fn new(
        alloy: &'a Alloy,
        reading: &'a SystemReading,
        lowered: &'a LoweredCommand,
        budget: &'a Budget,
    ) -> Result<Self, TcmcMisfit> {
        let compiled = CompiledProblem::new(&lowered.problem, budget)?;
        let mut model = Model::default();
        let truth = model.terms.add(Term::Const(Value::Bool(true)), None);
        let mut builder = Self {
            alloy,
            reading,
            lowered,
            compiled,
            model,
            attributes: Vec::new(),
            inputs: FxHashMap::default(),
            only: only_atoms(alloy, lowered),
            terms: [FxHashMap::default(), FxHashMap::default()],
            truth,
            budget,
        };
        builder.fields()?;
        builder.relations()?;
        Ok(builder)
    }

    /// The variables of the fields of states.
    fn fields(&mut self) -> Result<(), TcmcMisfit> {
        for (id, field) in self.alloy.fields.entries() {
            if field.sig != self.reading.state || field.definition.is_some() {
                continue;
            }
            let expr = self.lowered.states[0].fields[id.index()];
            let cells = self.compiled.cells(expr)?;
            // A variable with a domain needs a value: without any possible atom, the field is a set.
            let values = match self.has_one_value(id) && !cells.is_empty() {
                true => self.one_value(field, &cells),
                false => self.several_values(field, &cells),
            };
            self.attributes.push(Attribute {
                name: self.alloy.names.text(field.name).to_owned(),
                field: Some(id),
                values,
            });
        }
        Ok(())
    }

    /// Whether the declaration of a field says that it has exactly one atom.
    fn has_one_value(&self, field: FieldId) -> bool {
        let mut decls = self.alloy.sigs[self.reading.state].decls.iter();
        let decl = decls.find(|decl| decl.fields.contains(&field));
        decl.is_some_and(|decl| {
            let bound = &self.alloy.terms[decl.bound].kind;
            matches!(bound, AlloyTermKind::Mult(Mult::One, _))
        })
    }

    /// A variable that has an atom as its value.
    fn one_value(
        &mut self,
        field: &Field,
        cells: &[(Vec<UniverseAtomId>, CircuitEdge)],
    ) -> FieldValues {
        let mut atoms: Vec<UniverseAtomId> = cells.iter().map(|(tuple, _)| tuple[1]).collect();
        atoms.sort();
        atoms.dedup();
        let value = |atom: UniverseAtomId, this: &mut Self| {
            let text = this.text(&[atom]);
            Value::Symbol(this.model.names.intern(&text))
        };
        let domain = atoms.iter().map(|&atom| value(atom, self)).collect();
        let name = self.alloy.names.text(field.name);
        let var = self.variable(name, Domain::Enum(domain), VarKind::State, field.span);
        for (tuple, edge) in cells {
            let input = StepInput {
                var,
                next: self.is_next(tuple[0]),
                value: Some(value(tuple[1], self)),
            };
            self.inputs.insert(edge.gate(), input);
        }
        FieldValues::One(var)
    }

    /// Variables that say which tuples are there.
    fn several_values(
        &mut self,
        field: &Field,
        cells: &[(Vec<UniverseAtomId>, CircuitEdge)],
    ) -> FieldValues {
        let name = self.alloy.names.text(field.name);
        let mut tuples: Vec<(String, VarId)> = Vec::new();
        let mut known: FxHashMap<&[UniverseAtomId], VarId> = FxHashMap::default();
        for (tuple, edge) in cells {
            let var = *known.entry(&tuple[1..]).or_insert_with_key(|rest| {
                let text = self.text(rest);
                let name = format!("{name}[{text}]");
                let var = self.variable(&name, Domain::Bool, VarKind::State, field.span);
                tuples.push((text, var));
                var
            });
            let input = StepInput {
                var,
                next: self.is_next(tuple[0]),
                value: None,
            };
            self.inputs.insert(edge.gate(), input);
        }
        FieldValues::Tuples(tuples)
    }

    fn is_next(&self, state: UniverseAtomId) -> bool {
        // The first of the two atoms is the present state.
        self.lowered.scopes.upper[self.reading.state.index()][0] != state.index()
    }

    fn variable(&mut self, name: &str, domain: Domain, kind: VarKind, span: Span) -> VarId {
        self.model.vars.push(Variable {
            name: name.to_owned(),
            domain,
            kind,
            span,
            origin: Origin::Declared,
        })
    }

    /// The variables of relations that do not belong to states, nor to the module.
    fn relations(&mut self) -> Result<(), TcmcMisfit> {
        let problem = &self.lowered.problem;
        let span = self.alloy.sigs[self.reading.state].span;
        for (id, relation) in problem.relations().entries() {
            if self.is_of_module(&relation.name) {
                continue;
            }
            let mut tuples = Vec::new();
            for (tuple, edge) in self.compiled.relation(id) {
                // The fields of states have got their variables before.
                if edge.as_constant().is_some() || self.inputs.contains_key(&edge.gate()) {
                    continue;
                }
                let text = self.text(&tuple);
                let name = format!("{}[{text}]", relation.name);
                let var = self.variable(&name, Domain::Bool, VarKind::Frozen, span);
                let input = StepInput {
                    var,
                    next: false,
                    value: None,
                };
                self.inputs.insert(edge.gate(), input);
                self.keep(var);
                tuples.push((text, var));
            }
            if !tuples.is_empty() {
                self.attributes.push(Attribute {
                    name: relation.name.clone(),
                    field: None,
                    values: FieldValues::Tuples(tuples),
                });
            }
        }
        Ok(())
    }

    /// A variable keeps its value.
    fn keep(&mut self, var: VarId) {
        let same = self.model.terms.add(Term::Var(var), None);
        self.model.trans.push(Constraint {
            requires: Requirement::Assign(var, same),
            span: self.model.vars[var].span,
        });
    }

    fn is_of_module(&self, name: &str) -> bool {
        name.starts_with(&self.reading.module.prefix)
    }

    /// A tuple as text.
    fn text(&self, tuple: &[UniverseAtomId]) -> String {
        let universe = self.lowered.problem.universe();
        let atoms = tuple.iter().map(|&atom| shown(universe, &self.only, atom));
        atoms.collect::<Vec<_>>().join("->")
    }

    pub(crate) fn finish(
        mut self,
        asked: &[WantedFormula<'_>],
        formulas: &Formulas,
    ) -> Result<CompleteSystem, TcmcMisfit> {
        let mut always: Vec<(FormulaId, Option<Span>)> = formulas.always.clone();
        let problem = &self.lowered.problem;
        for &requirement in problem.requirements() {
            always.push((requirement, problem.span(requirement)));
        }
        always.extend(self.compiled.orders().iter().map(|&axioms| (axioms, None)));
        let elsewhere = self.alloy.sigs[self.reading.state].span;
        for (formula, span) in always {
            let edge = self.compiled.formula(formula)?;
            if self.reads_module(edge) {
                continue;
            }
            let span = span.unwrap_or(elsewhere);
            for part in conjuncts(self.compiled.circuit(), edge) {
                // Both states are read as the present one: what is said of every state is said of it.
                let term = self.term(part, true)?;
                let requires = Requirement::Holds(term);
                self.model.invar.push(Constraint { requires, span });
            }
        }
        let span = formulas.spans.initial;
        let initial = self.compiled.formula(formulas.initial)?;
        for part in conjuncts(self.compiled.circuit(), initial) {
            let requires = Requirement::Holds(self.present(part, span)?);
            self.model.init.push(Constraint { requires, span });
        }
        self.fairness(formulas)?;
        self.steps(formulas)?;
        for ((command, formula), atoms) in asked.iter().zip(&formulas.atoms) {
            let body = match formula {
                Ok(formula) => PropertyBody::Query(self.query(formula, atoms)?),
                Err(why) => PropertyBody::Unsupported(why.clone()),
            };
            self.model
                .properties
                .push(property(self.alloy, command, body));
        }
        for attribute in &self.attributes {
            if let FieldValues::Tuples(elements) = &attribute.values {
                self.model.sets.push(Membership {
                    name: attribute.name.clone(),
                    elements: elements.clone(),
                });
            }
        }
        let mut system = CompleteSystem {
            model: self.model,
            attributes: self.attributes,
        };
        system.model.swaps = swaps(self.alloy, self.reading, self.lowered, &system);
        Ok(system)
    }

    /// What fair runs have again and again. If it is counted off, a variable says how many of the constraints were met in
    /// turn, and fair runs meet all of them again and again.
    fn fairness(&mut self, formulas: &Formulas) -> Result<(), TcmcMisfit> {
        let mut justice = Vec::new();
        for &(formula, span) in &formulas.fair {
            let edge = self.compiled.formula(formula)?;
            let term = self.present(edge, span)?;
            // The same again, with the words of the user.
            let said = self.model.terms.get(term).clone();
            justice.push(self.model.terms.add(said, Some(span)));
        }
        let Some(&(_, span)) = formulas.fair.first().filter(|_| formulas.counted) else {
            self.model.fairness.justice = justice;
            return Ok(());
        };
        let high = i64::try_from(justice.len()).expect("there are few constraints");
        let var = self.variable(MET, Domain::Range { low: 0, high }, VarKind::State, span);
        let now = self.model.terms.add(Term::Var(var), None);
        let numbers: Vec<TermId> = (0..=high)
            .map(|n| self.model.terms.add(Term::Const(Value::Int(n)), None))
            .collect();
        let is = |number: usize, this: &mut Self| {
            let equal = Term::Binary(BinaryOp::Equal, now, numbers[number]);
            this.model.terms.add(equal, None)
        };
        let all = is(justice.len(), self);
        // At most one number is due at a time, so that the order of the branches does not matter. Once all
        // are met, the count starts again.
        let mut next = self.model.terms.add(Term::Ite(all, numbers[0], now), None);
        for (number, &met) in justice.iter().enumerate() {
            let due = is(number, self);
            let both = Term::Binary(BinaryOp::And, due, met);
            let both = self.model.terms.add(both, None);
            let counted = Term::Ite(both, numbers[number + 1], next);
            next = self.model.terms.add(counted, None);
        }
        let assign = |value| Constraint {
            requires: Requirement::Assign(var, value),
            span,
        };
        self.model.init.push(assign(numbers[0]));
        self.model.trans.push(assign(next));
        self.model.fairness.justice = vec![all];
        Ok(())
    }

    /// The system with a variable that becomes true with a step that breaks what is said of every step, and the
    /// property that it never does.
    pub(crate) fn watch(mut self, formulas: &Formulas) -> Result<CompleteSystem, TcmcMisfit> {
        let span = formulas.spans.step;
        let kept: Result<Vec<CircuitEdge>, _> = formulas
            .promised
            .iter()
            .map(|&formula| self.compiled.formula(formula))
            .collect();
        let mut terms = Vec::new();
        for edge in kept? {
            terms.push(self.term(edge, false)?);
        }
        let all = terms.into_iter().fold(self.truth, |all, term| {
            let both = Term::Binary(BinaryOp::And, all, term);
            self.model.terms.add(both, None)
        });
        let var = self.variable(CUT, Domain::Bool, VarKind::State, span);
        let now = self.model.terms.add(Term::Var(var), None);
        let next = self.model.terms.add(Term::Next(var), None);
        let not_now = self.model.terms.add(Term::Not(now), None);
        let kept = self
            .model
            .terms
            .add(Term::Binary(BinaryOp::Equal, next, all), None);
        // So the next value of the variable is the negation of what is said of every step.
        let told = self.model.terms.add(Term::Not(kept), None);
        self.model.init.push(Constraint {
            requires: Requirement::Holds(not_now),
            span,
        });
        self.model.trans.push(Constraint {
            requires: Requirement::Holds(told),
            span,
        });
        let mut system = self.finish(&[], formulas)?;
        let mut formula = Formula::new();
        let atom = formula.add(Op::Atom(wherefore_logic::AtomId::new(0)), None);
        let always = PathOp::Globally(atom);
        formula.add(Op::Path(Quantifier::Forall, always), None);
        let query = Query {
            formula,
            atoms: [not_now].into_iter().collect(),
            rule: PathRule::Plain,
        };
        system.model.properties.push(Property {
            name: CUT.to_owned(),
            named: true,
            text: String::new(),
            span,
            instance: String::new(),
            kind: PropertyKind::Ctl,
            body: PropertyBody::Query(query),
        });
        Ok(system)
    }

    /// What a step is. Where it is one of some operations, an input says which.
    fn steps(&mut self, formulas: &Formulas) -> Result<(), TcmcMisfit> {
        let span = formulas.spans.step;
        let mut possible = Vec::new();
        for (name, formula) in &formulas.operations {
            let edge = self.compiled.formula(*formula)?;
            if edge != CircuitEdge::FALSE {
                possible.push((Value::Symbol(self.model.names.intern(name)), edge));
            }
        }
        if possible.len() < 2 || formulas.guarded {
            let step = self.compiled.formula(formulas.step)?;
            for part in conjuncts(self.compiled.circuit(), step) {
                let requires = Requirement::Holds(self.term(part, false)?);
                self.model.trans.push(Constraint { requires, span });
            }
        }
        if possible.len() < 2 {
            return Ok(());
        }
        let names = possible.iter().map(|(name, _)| *name).collect();
        let operation = self.variable(OPERATION, Domain::Enum(names), VarKind::Input, span);
        self.model.vars[operation].origin = Origin::Operation;
        for (name, edge) in possible {
            let chosen = StepInput {
                var: operation,
                next: false,
                value: Some(name),
            };
            let chosen = self.input(chosen, false);
            for part in conjuncts(self.compiled.circuit(), edge) {
                let part = self.term(part, false)?;
                let implied = Term::Binary(BinaryOp::Implies, chosen, part);
                let requires = Requirement::Holds(self.model.terms.add(implied, None));
                self.model.trans.push(Constraint { requires, span });
            }
        }
        Ok(())
    }

    /// The formula of a command over the states of the system.
    fn query(&mut self, asked: &AskedFormula, formulas: &[FormulaId]) -> Result<Query, TcmcMisfit> {
        let mut atoms = IndexVec::new();
        for (&formula, &written) in formulas.iter().zip(asked.atoms.iter()) {
            let edge = self.compiled.formula(formula)?;
            atoms.push(self.present(edge, self.alloy.terms[written].span)?);
        }
        Ok(Query {
            formula: asked.formula.clone(),
            atoms,
            rule: asked.rule,
        })
    }

    /// The term of an edge that reads the present state only.
    fn present(&mut self, edge: CircuitEdge, span: Span) -> Result<TermId, TcmcMisfit> {
        let circuit = self.compiled.circuit();
        let reads_next = support(circuit, edge)
            .any(|gate| self.inputs.get(&gate).is_some_and(|input| input.next));
        if reads_next {
            let message = "What this says of one state depends on another one";
            return Err(TcmcMisfit::new(span, message));
        }
        self.term(edge, false)
    }

    /// Whether an edge depends on what the module declares.
    fn reads_module(&self, edge: CircuitEdge) -> bool {
        support(self.compiled.circuit(), edge).any(|gate| !self.inputs.contains_key(&gate))
    }

    /// The term of an edge; with `one_state`, both states are the present one.
    fn term(&mut self, edge: CircuitEdge, one_state: bool) -> Result<TermId, TcmcMisfit> {
        let known = usize::from(one_state);
        // A stack of its own: a circuit may be deeper than calls can be nested.
        let mut open = vec![edge.gate()];
        while let Some(&gate) = open.last() {
            if self.terms[known].contains_key(&gate) {
                open.pop();
                continue;
            }
            let term = match self.compiled.circuit().gate(gate) {
                Gate::False => self.model.terms.add(Term::Not(self.truth), None),
                Gate::Input => {
                    let Some(&input) = self.inputs.get(&gate) else {
                        let span = self.alloy.sigs[self.reading.state].span;
                        let message = "A definition reads what the temporal module declares";
                        return Err(TcmcMisfit::new(span, message));
                    };
                    self.input(input, one_state)
                }
                Gate::And(a, b) => {
                    let missing = [a, b].map(CircuitEdge::gate);
                    let missing = missing
                        .into_iter()
                        .filter(|gate| !self.terms[known].contains_key(gate));
                    let before = open.len();
                    open.extend(missing);
                    if open.len() > before {
                        self.budget.check()?;
                        continue;
                    }
                    let (a, b) = (self.literal(a, known), self.literal(b, known));
                    self.model
                        .terms
                        .add(Term::Binary(BinaryOp::And, a, b), None)
                }
            };
            self.terms[known].insert(gate, term);
            open.pop();
        }
        Ok(self.literal(edge, known))
    }

    /// The term of an input.
    fn input(&mut self, input: StepInput, one_state: bool) -> TermId {
        let var = match input.next && !one_state {
            true => Term::Next(input.var),
            false => Term::Var(input.var),
        };
        let var = self.model.terms.add(var, None);
        match input.value {
            None => var,
            Some(value) => {
                let value = self.model.terms.add(Term::Const(value), None);
                let equal = Term::Binary(BinaryOp::Equal, var, value);
                self.model.terms.add(equal, None)
            }
        }
    }

    /// The term of an edge whose gate has one.
    fn literal(&mut self, edge: CircuitEdge, known: usize) -> TermId {
        let term = self.terms[known][&edge.gate()];
        match edge.is_negated() {
            true => self.model.terms.add(Term::Not(term), None),
            false => term,
        }
    }
}

/// What a command asks, as a property.
pub(crate) fn property(alloy: &Alloy, command: &Command, body: PropertyBody) -> Property {
    let span = match command.goal {
        CommandGoal::Formula(term) => alloy.terms[term].span,
        CommandGoal::Function(function) => alloy.functions[function].span,
    };
    Property {
        name: command.label.clone(),
        named: true,
        text: String::new(),
        span,
        instance: String::new(),
        kind: PropertyKind::Ctl,
        body,
    }
}

/// The name of an atom: the only one of a signature has the name of the signature.
pub(crate) fn shown<'u>(
    universe: &'u Universe,
    only: &FxHashSet<UniverseAtomId>,
    atom: UniverseAtomId,
) -> &'u str {
    let name = universe.name(atom);
    match only.contains(&atom) {
        true => name.strip_suffix("$0").unwrap_or(name),
        false => name,
    }
}

/// The atoms of signatures that have exactly one.
pub(crate) fn only_atoms(alloy: &Alloy, lowered: &LoweredCommand) -> FxHashSet<UniverseAtomId> {
    let mut only = FxHashSet::default();
    for (id, sig) in alloy.declared() {
        if let (Some(Mult::One), &[atom]) = (sig.mult, &lowered.scopes.upper[id.index()][..]) {
            only.insert(UniverseAtomId::new(atom));
        }
    }
    only
}
