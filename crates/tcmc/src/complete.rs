//! The complete transition system of a model, for given scopes of everything but the states.
//!
//! A state is the values of its fields, so each tuple that a field may have is a variable of the system. The
//! definitions are compiled in a universe with two states, the present one and the next one: the tuples of
//! the first are the variables now, those of the second the variables after the step. The two may be equal;
//! `=` between them compares their fields. Relations that do not belong to states keep their first value.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_alloy::Meaning;
use wherefore_alloy::model::{
    Command, Field, FieldId, Goal, Mult, SigId, TermId as AlloyTerm, TermKind, VarId as AlloyVar,
};
use wherefore_alloy::{
    Choices, Lowered, Model as Alloy, Override, Scopes, lower_declarations, scopes,
};
use wherefore_base::{Budget, IndexVec, Span, Value};
use wherefore_logic::Fairness;
use wherefore_model::{
    BinaryOp, Constraint, Domain, Membership, Model, Origin, Property, PropertyBody, PropertyKind,
    Query, Requirement, Term, TermId, VarId, VarKind, Variable,
};
use wherefore_relational::{AtomId, Compiled, FormulaId, Options, Problem, Search, TupleSet};
use wherefore_sat::{Batsat, Circuit, Edge, Gate};

use crate::misfit::Misfit;
use crate::property::Asked;
use crate::reading::{Operation, Reading};

/// The name of the input that says which operation a step is.
const OPERATION: &str = "operation";

/// So many operations, with their arguments, are told apart.
const MOST_OPERATIONS: usize = 256;

/// A complete transition system.
#[derive(Clone, Debug)]
pub struct System {
    /// The system, with the formulas of the commands as its properties.
    pub model: Model,
    /// How its variables make up fields and relations.
    pub attributes: Vec<Attribute>,
}

/// A field of the states or a relation of the model, as variables of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// The field, if it is one of the states.
    pub field: Option<FieldId>,
    /// Its value.
    pub values: Values,
}

/// How variables make up the value of a field or a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// There is one atom, which is the value of a variable.
    One(VarId),
    /// There are tuples, each of them told by a variable: the texts of all that may be there.
    Tuples(Vec<(String, VarId)>),
}

/// Makes the complete system in which commands ask for formulas. All of them must have the scopes of the first
/// one, but for that of the states; those that have others get no answer.
///
/// # Errors
/// When the model does not fit, or when the budget ends.
///
/// # Panics
/// When there is no command.
pub fn complete(
    alloy: &Alloy,
    reading: &Reading,
    commands: &[(&Command, Result<Asked, String>)],
    choices: &Choices,
    budget: &Budget,
) -> Result<System, Misfit> {
    let mut choices = choices.clone();
    choices.scopes.extend(two_states(alloy, reading));
    let first = commands.first().expect("there is a command").0;
    let mut lowered = lower_declarations(alloy, first, &choices)?;
    lowered.records = Some(reading.state);
    let mut asked = Vec::new();
    for (command, formula) in commands {
        let formula = match formula {
            Err(why) => Err(why.clone()),
            Ok(_) if !same_scopes(&scopes(alloy, command, &choices.scopes)?, &lowered.scopes) => {
                Err(format!(
                    "its scopes are not those of `{}`; check it by itself, or give the same scopes with --scope",
                    first.label
                ))
            }
            Ok(formula) => Ok(formula),
        };
        asked.push((*command, formula));
    }
    let formulas = Formulas::new(alloy, reading, &asked, &mut lowered)?;
    formulas.check_pairs(&lowered, budget)?;
    let builder = Builder::new(alloy, reading, &lowered, budget)?;
    builder.finish(&asked, &formulas)
}

/// A command with its formula, or why it has none here.
type Wanted<'a> = (&'a Command, Result<&'a Asked, String>);

/// Whether two commands speak of the same atoms.
fn same_scopes(a: &Scopes, b: &Scopes) -> bool {
    (a.bits, a.sequence, &a.atoms) == (b.bits, b.sequence, &b.atoms)
        && (&a.lower, &a.upper, &a.most) == (&b.lower, &b.upper, &b.most)
}

/// Scopes for two states, and for next to nothing of what the module declares.
fn two_states(alloy: &Alloy, reading: &Reading) -> Vec<Override> {
    let mut scopes = vec![Override {
        name: alloy.sigs[reading.state].label.clone(),
        number: 2,
        exactly: true,
    }];
    for (id, sig) in alloy.declared() {
        if reading.module.owns(alloy, id) && sig.is_top_level() && sig.mult.is_none() {
            scopes.push(Override {
                name: sig.label.clone(),
                number: 1,
                exactly: false,
            });
        }
    }
    scopes
}

/// The definitions as formulas over the present state and the next one.
struct Formulas {
    initial: FormulaId,
    step: FormulaId,
    fair: Option<FormulaId>,
    /// What holds in every state and of everything else; formulas of declarations speak of both states.
    always: Vec<(FormulaId, Option<Span>)>,
    /// What is said of pairs of states, and where.
    pairs: Vec<(FormulaId, Span)>,
    /// The names of the operations that a step is one of, and what they are; empty if they are not known.
    operations: Vec<(String, FormulaId)>,
    /// For each command, what its atoms mean.
    atoms: Vec<Vec<FormulaId>>,
    spans: Spans,
}

struct Spans {
    initial: Span,
    step: Span,
}

impl Formulas {
    fn new(
        alloy: &Alloy,
        reading: &Reading,
        asked: &[Wanted<'_>],
        lowered: &mut Lowered,
    ) -> Result<Self, Misfit> {
        let atoms = &lowered.scopes.upper[reading.state.index()];
        let &[now, next] = &atoms[..] else {
            let span = alloy.sigs[reading.state].span;
            return Err(Misfit::new(
                span,
                "The signature of the states cannot have two atoms",
            ));
        };
        let universe = lowered.problem.universe().clone();
        let state = |atom: usize| universe.set([AtomId::new(atom)]);
        let (now, next) = (state(now), state(next));
        let present = lowered.problem.constant("now", now.clone());
        let present = lowered.problem.rel(present);
        let mut formula = |term: AlloyTerm, states: &[(AlloyVar, &TupleSet)]| {
            let given = states.iter().map(|&(var, state)| (var, state.clone()));
            let given: Vec<(AlloyVar, TupleSet)> = given.collect();
            match lowered.meaning_with(alloy, term, 0, &given)? {
                Meaning::Formula(formula) => Ok(formula),
                _ => Err(Misfit::new(alloy.terms[term].span, "This is not a formula")),
            }
        };
        let initial = formula(reading.initial.1, &[(reading.initial.0, &now)])?;
        let (s, t, body) = reading.step;
        let step = formula(body, &[(s, &now), (t, &next)])?;
        let fair = reading.fair.map(|(s, body)| formula(body, &[(s, &now)]));
        let fair = fair.transpose()?;
        let mut always = Vec::new();
        for &(s, body) in &reading.invariants {
            always.push((formula(body, &[(s, &now)])?, Some(alloy.terms[body].span)));
        }
        for &term in &reading.still {
            always.push((formula(term, &[])?, Some(alloy.terms[term].span)));
        }
        let mut pairs = Vec::new();
        for &(s, t, body) in &reading.pairs {
            pairs.push((
                formula(body, &[(s, &now), (t, &next)])?,
                alloy.terms[body].span,
            ));
        }
        let mut atoms = Vec::new();
        for (_, formula) in asked {
            let mut of_command = Vec::new();
            for &term in formula.iter().flat_map(|formula| formula.atoms.iter()) {
                let Meaning::Expr(set) = lowered.meaning(alloy, term, 0)? else {
                    let span = alloy.terms[term].span;
                    return Err(Misfit::new(span, "This is not a set of states"));
                };
                of_command.push(lowered.problem.is_in(present, set));
            }
            atoms.push(of_command);
        }
        let operations = operations(alloy, reading, lowered, [&now, &next])?;
        Ok(Self {
            initial,
            step,
            fair,
            always,
            pairs,
            operations,
            atoms,
            spans: Spans {
                initial: alloy.terms[reading.initial.1].span,
                step: alloy.terms[body].span,
            },
        })
    }

    /// What is said of pairs of states must follow from their being records: such a fact is the axiom that
    /// states with equal fields are equal.
    fn check_pairs(&self, lowered: &Lowered, budget: &Budget) -> Result<(), Misfit> {
        for &(formula, span) in &self.pairs {
            let mut problem = without_requirements(&lowered.problem);
            let broken = problem.not(formula);
            problem.require(broken);
            let mut search: Search<'_, Batsat> =
                Search::new(&problem, &Options::default(), budget)?;
            if search.next(budget)?.is_some() {
                let message = "This fact restricts pairs of states, not states or steps";
                return Err(Misfit::new(span, message));
            }
        }
        Ok(())
    }
}

/// The operations of a step with all their arguments; none if there are too many.
fn operations(
    alloy: &Alloy,
    reading: &Reading,
    lowered: &mut Lowered,
    [now, next]: [&TupleSet; 2],
) -> Result<Vec<(String, FormulaId)>, Misfit> {
    let mut found = Vec::new();
    for operation in &reading.operations {
        let Some(values) = arguments(alloy, lowered, operation) else {
            return Ok(Vec::new());
        };
        if found.len() + values.len() > MOST_OPERATIONS {
            return Ok(Vec::new());
        }
        for chosen in values {
            let universe = lowered.problem.universe().clone();
            let mut given = vec![(operation.s, now.clone()), (operation.t, next.clone())];
            let mut parts = Vec::new();
            let mut texts = Vec::new();
            for &(var, sig, atom) in &chosen {
                let value = universe.set([atom]);
                texts.push(universe.name(atom).to_owned());
                let constant = lowered.problem.constant("argument", value.clone());
                let constant = lowered.problem.rel(constant);
                let sig = lowered.states[0].sigs[sig.index()];
                parts.push(lowered.problem.is_in(constant, sig));
                given.push((var, value));
            }
            match lowered.meaning_with(alloy, operation.call, 0, &given)? {
                Meaning::Formula(formula) => parts.push(formula),
                _ => return Ok(Vec::new()),
            }
            let name = match texts.is_empty() {
                true => operation.name.clone(),
                false => format!("{}[{}]", operation.name, texts.join(", ")),
            };
            found.push((name, lowered.problem.and(parts)));
        }
    }
    Ok(found)
}

/// An argument of an operation: the variable, the signature it is from, and its value.
type Argument = (AlloyVar, SigId, AtomId);

/// All values of the other arguments of an operation; none if they are not atoms of signatures, or are too
/// many.
fn arguments(
    alloy: &Alloy,
    lowered: &Lowered,
    operation: &Operation,
) -> Option<Vec<Vec<Argument>>> {
    let mut all = vec![Vec::new()];
    for binding in &operation.some {
        let TermKind::Mult(Mult::One, bound) = alloy.terms[binding.bound].kind else {
            return None;
        };
        let TermKind::Sig(sig) = alloy.terms[bound].kind else {
            return None;
        };
        if binding.disj || sig.index() < Alloy::BUILT_IN {
            return None;
        }
        for &var in &binding.vars {
            let atoms = &lowered.scopes.upper[sig.index()];
            if all.len() * atoms.len() > MOST_OPERATIONS {
                return None;
            }
            let with = |chosen: &Vec<Argument>| {
                let chosen = chosen.clone();
                atoms.iter().map(move |&atom| {
                    let argument = (var, sig, AtomId::new(atom));
                    chosen.iter().copied().chain([argument]).collect()
                })
            };
            all = all.iter().flat_map(with).collect();
        }
    }
    Some(all)
}

/// The problem with nothing required.
fn without_requirements(problem: &Problem) -> Problem {
    let mut problem = problem.clone();
    problem.forget_requirements();
    problem
}

/// What an input of the circuit is: a truth value, or that a variable has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Input {
    var: VarId,
    next: bool,
    value: Option<Value>,
}

struct Builder<'a> {
    alloy: &'a Alloy,
    reading: &'a Reading,
    lowered: &'a Lowered,
    compiled: Compiled<'a>,
    model: Model,
    attributes: Vec<Attribute>,
    inputs: FxHashMap<usize, Input>,
    /// Atoms that are the only ones of their signatures, and are called like these.
    only: FxHashSet<AtomId>,
    /// The terms of gates: as they are, and with the next state in the place of the present one.
    terms: [FxHashMap<usize, TermId>; 2],
    truth: TermId,
    budget: &'a Budget,
}

impl<'a> Builder<'a> {
    fn new(
        alloy: &'a Alloy,
        reading: &'a Reading,
        lowered: &'a Lowered,
        budget: &'a Budget,
    ) -> Result<Self, Misfit> {
        let compiled = Compiled::new(&lowered.problem, budget)?;
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
    fn fields(&mut self) -> Result<(), Misfit> {
        for (id, field) in self.alloy.fields.entries() {
            if field.sig != self.reading.state || field.definition.is_some() {
                continue;
            }
            let expr = self.lowered.states[0].fields[id.index()];
            let cells = self.compiled.cells(expr)?;
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
            matches!(bound, TermKind::Mult(Mult::One, _))
        })
    }

    /// A variable that has an atom as its value.
    fn one_value(&mut self, field: &Field, cells: &[(Vec<AtomId>, Edge)]) -> Values {
        let mut atoms: Vec<AtomId> = cells.iter().map(|(tuple, _)| tuple[1]).collect();
        atoms.sort();
        atoms.dedup();
        let value = |atom: AtomId, this: &mut Self| {
            let text = this.text(&[atom]);
            Value::Symbol(this.model.names.intern(&text))
        };
        let domain = atoms.iter().map(|&atom| value(atom, self)).collect();
        let name = self.alloy.names.text(field.name);
        let var = self.variable(name, Domain::Enum(domain), VarKind::State, field.span);
        for (tuple, edge) in cells {
            let input = Input {
                var,
                next: self.is_next(tuple[0]),
                value: Some(value(tuple[1], self)),
            };
            self.inputs.insert(edge.gate(), input);
        }
        Values::One(var)
    }

    /// Variables that say which tuples are there.
    fn several_values(&mut self, field: &Field, cells: &[(Vec<AtomId>, Edge)]) -> Values {
        let name = self.alloy.names.text(field.name);
        let mut tuples: Vec<(String, VarId)> = Vec::new();
        let mut known: FxHashMap<&[AtomId], VarId> = FxHashMap::default();
        for (tuple, edge) in cells {
            let var = *known.entry(&tuple[1..]).or_insert_with_key(|rest| {
                let text = self.text(rest);
                let name = format!("{name}[{text}]");
                let var = self.variable(&name, Domain::Bool, VarKind::State, field.span);
                tuples.push((text, var));
                var
            });
            let input = Input {
                var,
                next: self.is_next(tuple[0]),
                value: None,
            };
            self.inputs.insert(edge.gate(), input);
        }
        Values::Tuples(tuples)
    }

    fn is_next(&self, state: AtomId) -> bool {
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
    fn relations(&mut self) -> Result<(), Misfit> {
        let problem = &self.lowered.problem;
        let span = self.alloy.sigs[self.reading.state].span;
        for (id, relation) in problem.relations().entries() {
            if self.is_of_module(&relation.name) {
                continue;
            }
            let mut tuples = Vec::new();
            for (tuple, edge) in self.compiled.relation(id) {
                if edge.as_constant().is_some() || self.inputs.contains_key(&edge.gate()) {
                    continue;
                }
                let text = self.text(&tuple);
                let name = format!("{}[{text}]", relation.name);
                let var = self.variable(&name, Domain::Bool, VarKind::Frozen, span);
                let input = Input {
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
                    values: Values::Tuples(tuples),
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
    fn text(&self, tuple: &[AtomId]) -> String {
        let universe = self.lowered.problem.universe();
        let atoms = tuple.iter().map(|&atom| {
            let name = universe.name(atom);
            match self.only.contains(&atom) {
                true => name.strip_suffix("$0").unwrap_or(name),
                false => name,
            }
        });
        atoms.collect::<Vec<_>>().join("->")
    }

    fn finish(mut self, asked: &[Wanted<'_>], formulas: &Formulas) -> Result<System, Misfit> {
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
        self.steps(formulas)?;
        if let Some(fair) = formulas.fair {
            let edge = self.compiled.formula(fair)?;
            let term = self.present(edge, span)?;
            self.model.fairness = Fairness {
                justice: vec![term],
                compassion: Vec::new(),
            };
        }
        for ((command, formula), atoms) in asked.iter().zip(&formulas.atoms) {
            let body = match formula {
                Ok(formula) => PropertyBody::Query(self.query(formula, atoms)?),
                Err(why) => PropertyBody::Unsupported(why.clone()),
            };
            let span = match command.goal {
                Goal::Formula(term) => self.alloy.terms[term].span,
                Goal::Function(function) => self.alloy.functions[function].span,
            };
            self.model.properties.push(Property {
                name: command.label.clone(),
                named: true,
                text: String::new(),
                span,
                instance: String::new(),
                kind: PropertyKind::Ctl,
                body,
            });
        }
        for attribute in &self.attributes {
            if let Values::Tuples(elements) = &attribute.values {
                self.model.sets.push(Membership {
                    name: attribute.name.clone(),
                    elements: elements.clone(),
                });
            }
        }
        Ok(System {
            model: self.model,
            attributes: self.attributes,
        })
    }

    /// What a step is. Where it is one of some operations, an input says which.
    fn steps(&mut self, formulas: &Formulas) -> Result<(), Misfit> {
        let span = formulas.spans.step;
        let mut possible = Vec::new();
        for (name, formula) in &formulas.operations {
            let edge = self.compiled.formula(*formula)?;
            if edge != Edge::FALSE {
                possible.push((Value::Symbol(self.model.names.intern(name)), edge));
            }
        }
        if possible.len() < 2 {
            let step = self.compiled.formula(formulas.step)?;
            for part in conjuncts(self.compiled.circuit(), step) {
                let requires = Requirement::Holds(self.term(part, false)?);
                self.model.trans.push(Constraint { requires, span });
            }
            return Ok(());
        }
        let names = possible.iter().map(|(name, _)| *name).collect();
        let operation = self.variable(OPERATION, Domain::Enum(names), VarKind::Input, span);
        self.model.vars[operation].origin = Origin::Operation;
        for (name, edge) in possible {
            let chosen = Input {
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
    fn query(&mut self, asked: &Asked, formulas: &[FormulaId]) -> Result<Query, Misfit> {
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
    fn present(&mut self, edge: Edge, span: Span) -> Result<TermId, Misfit> {
        let circuit = self.compiled.circuit();
        let reads_next = support(circuit, edge)
            .any(|gate| self.inputs.get(&gate).is_some_and(|input| input.next));
        if reads_next {
            let message = "What this says of one state depends on another one";
            return Err(Misfit::new(span, message));
        }
        self.term(edge, false)
    }

    /// Whether an edge depends on what the module declares.
    fn reads_module(&self, edge: Edge) -> bool {
        support(self.compiled.circuit(), edge).any(|gate| !self.inputs.contains_key(&gate))
    }

    /// The term of an edge; with `one_state`, both states are the present one.
    fn term(&mut self, edge: Edge, one_state: bool) -> Result<TermId, Misfit> {
        let known = usize::from(one_state);
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
                        return Err(Misfit::new(span, message));
                    };
                    self.input(input, one_state)
                }
                Gate::And(a, b) => {
                    let missing = [a, b].map(Edge::gate);
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
    fn input(&mut self, input: Input, one_state: bool) -> TermId {
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
    fn literal(&mut self, edge: Edge, known: usize) -> TermId {
        let term = self.terms[known][&edge.gate()];
        match edge.is_negated() {
            true => self.model.terms.add(Term::Not(term), None),
            false => term,
        }
    }
}

/// The atoms of signatures that have exactly one.
fn only_atoms(alloy: &Alloy, lowered: &Lowered) -> FxHashSet<AtomId> {
    let mut only = FxHashSet::default();
    for (id, sig) in alloy.declared() {
        if let (Some(Mult::One), &[atom]) = (sig.mult, &lowered.scopes.upper[id.index()][..]) {
            only.insert(AtomId::new(atom));
        }
    }
    only
}

/// The edges whose conjunction an edge is.
fn conjuncts(circuit: &Circuit, edge: Edge) -> Vec<Edge> {
    let mut open = vec![edge];
    let mut parts = Vec::new();
    while let Some(edge) = open.pop() {
        match circuit.gate(edge.gate()) {
            Gate::And(a, b) if !edge.is_negated() => open.extend([b, a]),
            _ if edge == Edge::TRUE => {}
            _ => parts.push(edge),
        }
    }
    parts
}

/// The inputs that an edge depends on.
fn support(circuit: &Circuit, edge: Edge) -> impl Iterator<Item = usize> {
    let mut open = vec![edge.gate()];
    let mut seen = FxHashSet::default();
    let mut inputs = Vec::new();
    while let Some(gate) = open.pop() {
        if !seen.insert(gate) {
            continue;
        }
        match circuit.gate(gate) {
            Gate::And(a, b) => open.extend([a.gate(), b.gate()]),
            Gate::Input => inputs.push(gate),
            Gate::False => {}
        }
    }
    inputs.into_iter()
}
