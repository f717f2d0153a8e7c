//! A part of a transition system as a model of its own.
//!
//! The states of the part are values of variables, one variable for each field with one value and one for each
//! tuple of the others; its steps are the only ones there are. So everything that is said of models, with its
//! proofs, pictures and explanations, can be said of what was taken out of an instance.

use wherefore_alloy::model::{Command, Field, SigId};
use wherefore_alloy::{AlloyModel as Alloy, LoweredCommand, TermMeaning};
use wherefore_base::{Budget, IndexVec, Span, Value};
use wherefore_logic::Fairness;
use wherefore_model::{
    BinaryOp, Constraint, Domain, Membership, Model, Origin, PropertyBody, Query, Requirement,
    Term, TermId, VarId, VarKind, Variable,
};
use wherefore_relational::UniverseAtomId;

use crate::extract::{Extracted, fields_of, has_one_value, tuples};
use crate::fairness::{Fair, FairnessConstraint as Fairs, definitions};
use crate::misfit::TcmcMisfit;
use crate::named::Namer;
use crate::property::AskedFormula;
use crate::reading::TcmcModule;
use crate::system::{OPERATION, only_atoms, property};
use crate::unfold::UnfoldedTree;

/// A part of a system, or a tree of its steps, as a model.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// The model, with the formula of the command as its only property.
    pub model: Model,
    /// The values of the variables in each state: of a part, in the order of [`Extracted::states`].
    pub states: Vec<Vec<Value>>,
}

/// The part as a model.
///
/// # Errors
/// When the budget ends, or something in the model cannot be evaluated.
pub fn fragment(
    alloy: &Alloy,
    module: &TcmcModule,
    extracted: &Extracted,
    asked: (&Command, &AskedFormula),
    budget: &Budget,
) -> Result<Fragment, TcmcMisfit> {
    let states = extracted.states();
    let place = |atom: &UniverseAtomId| states.iter().position(|state| state == atom);
    let steps = extracted.steps.iter();
    let steps = steps.filter_map(|[from, to]| Some((place(from)?, place(to)?)));
    let shape = FragmentShape {
        starts: extracted.starts.iter().filter_map(place).collect(),
        steps: steps.collect(),
        states,
    };
    build(alloy, module, (extracted, shape), asked, budget)
}

/// A tree of the steps of a part as a model.
///
/// # Errors
/// As [`fragment`].
pub fn tree_fragment(
    alloy: &Alloy,
    module: &TcmcModule,
    (extracted, tree): (&Extracted, &UnfoldedTree),
    asked: (&Command, &AskedFormula),
    budget: &Budget,
) -> Result<Fragment, TcmcMisfit> {
    let states = extracted.states();
    let parents = tree.parents.iter().enumerate();
    let shape = FragmentShape {
        states: tree.states.iter().map(|&state| states[state]).collect(),
        starts: vec![0],
        // The root has no parent, so the first entry belongs to the second state.
        steps: parents
            .map(|(child, &parent)| (parent, child + 1))
            .collect(),
    };
    build(alloy, module, (extracted, shape), asked, budget)
}

fn build(
    alloy: &Alloy,
    module: &TcmcModule,
    (extracted, shape): (&Extracted, FragmentShape),
    (command, asked): (&Command, &AskedFormula),
    budget: &Budget,
) -> Result<Fragment, TcmcMisfit> {
    let mut builder = FragmentBuilder {
        alloy,
        extracted,
        lowered: extracted.lowered.clone(),
        values: vec![Vec::new(); shape.states.len()],
        states: shape.states,
        model: Model::default(),
        budget,
    };
    builder.variables(module)?;
    builder.initial(module, &shape.starts);
    builder.steps(module, &shape.steps)?;
    builder.property(module, command, asked)?;
    Ok(Fragment {
        model: builder.model,
        states: builder.values,
    })
}

/// States, perhaps with copies, and the steps between their places.
struct FragmentShape {
    states: Vec<UniverseAtomId>,
    starts: Vec<usize>,
    steps: Vec<(usize, usize)>,
}

struct FragmentBuilder<'a> {
    alloy: &'a Alloy,
    extracted: &'a Extracted,
    lowered: LoweredCommand,
    states: Vec<UniverseAtomId>,
    /// By state: the values of the variables.
    values: Vec<Vec<Value>>,
    model: Model,
    budget: &'a Budget,
}

impl FragmentBuilder<'_> {
    fn span(&self, module: &TcmcModule) -> Span {
        self.alloy.sigs[module.system].span
    }

    fn text(&self, tuple: &[UniverseAtomId]) -> String {
        let universe = self.lowered.problem.universe();
        let only = only_atoms(self.alloy, &self.lowered);
        let atoms = tuple.iter().map(|&atom| {
            let name = universe.name(atom);
            match only.contains(&atom) {
                true => name.strip_suffix("$0").unwrap_or(name),
                false => name,
            }
        });
        atoms.collect::<Vec<_>>().join("->")
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

    /// The variables of the fields; where states do not differ in them, one for the atom of the state.
    fn variables(&mut self, module: &TcmcModule) -> Result<(), TcmcMisfit> {
        let state = module.states(self.alloy);
        let fields = state.map(|state| fields_of(self.alloy, state).collect::<Vec<_>>());
        for id in fields.unwrap_or_default() {
            let field = &self.alloy.fields[id];
            let expr = self.lowered.states[0].fields[id.index()];
            let rows = tuples(self.extracted, &self.lowered, expr, self.budget)?;
            let rows = self.states.iter().map(|&state| {
                let own = rows.iter().filter(|row| row[0] == state);
                own.map(|row| row[1..].to_vec()).collect()
            });
            let rows: Vec<Vec<Vec<UniverseAtomId>>> = rows.collect();
            let single = has_one_value(self.alloy, id) && rows.iter().all(|rows| rows.len() == 1);
            match single {
                true => self.one_value(field, &rows),
                false => self.several_values(field, &rows),
            }
        }
        // A tree may have copies of a state, which no field tells apart.
        let mut atoms = self.states.clone();
        atoms.sort();
        atoms.dedup();
        if atoms.len() < self.states.len() {
            self.numbered(module);
            return Ok(());
        }
        let mut different = self.values.clone();
        different.sort();
        different.dedup();
        if different.len() < self.values.len() || self.model.vars.is_empty() {
            let state = state.map(|state| &self.alloy.sigs[state]);
            let label = state.map_or("state", |state| &state.label).to_owned();
            let name = label.strip_prefix("this/").unwrap_or(&label).to_owned();
            let rows: Vec<Vec<Vec<UniverseAtomId>>> =
                self.states.iter().map(|&atom| vec![vec![atom]]).collect();
            let span = self.span(module);
            self.enumerated(&name, span, &rows);
        }
        Ok(())
    }

    /// A variable that tells copies of a state apart.
    fn numbered(&mut self, module: &TcmcModule) {
        let last = i64::try_from(self.states.len()).unwrap_or(i64::MAX);
        let domain = Domain::Range { low: 1, high: last };
        let span = self.span(module);
        self.variable("copy", domain, VarKind::State, span);
        for (values, number) in self.values.iter_mut().zip(1..=last) {
            values.push(Value::Int(number));
        }
    }

    fn one_value(&mut self, field: &Field, rows: &[Vec<Vec<UniverseAtomId>>]) {
        let name = self.alloy.names.text(field.name).to_owned();
        self.enumerated(&name, field.span, rows);
    }

    /// A variable whose values are the tuples of the states.
    fn enumerated(&mut self, name: &str, span: Span, rows: &[Vec<Vec<UniverseAtomId>>]) {
        let mut known: Vec<&Vec<UniverseAtomId>> = rows.iter().map(|rows| &rows[0]).collect();
        known.sort();
        known.dedup();
        let mut value = |tuple: &Vec<UniverseAtomId>| {
            let text = self.text(tuple);
            Value::Symbol(self.model.names.intern(&text))
        };
        let domain: Vec<Value> = known.iter().map(|tuple| value(tuple)).collect();
        let own: Vec<Value> = rows.iter().map(|rows| value(&rows[0])).collect();
        self.variable(name, Domain::Enum(domain.into()), VarKind::State, span);
        for (values, value) in self.values.iter_mut().zip(own) {
            values.push(value);
        }
    }

    /// Variables that say which tuples are there, for all that are there in some state.
    fn several_values(&mut self, field: &Field, rows: &[Vec<Vec<UniverseAtomId>>]) {
        let name = self.alloy.names.text(field.name).to_owned();
        let mut known: Vec<&Vec<UniverseAtomId>> = rows.iter().flatten().collect();
        known.sort();
        known.dedup();
        let mut elements = Vec::new();
        for tuple in known {
            let text = self.text(tuple);
            let name = format!("{name}[{text}]");
            let var = self.variable(&name, Domain::Bool, VarKind::State, field.span);
            for (values, rows) in self.values.iter_mut().zip(rows) {
                values.push(Value::Bool(rows.contains(tuple)));
            }
            elements.push((text, var));
        }
        self.model.sets.push(Membership { name, elements });
    }

    fn initial(&mut self, module: &TcmcModule, starts: &[usize]) {
        if starts.len() > 1 {
            let mut any = self.constant(Value::Bool(false));
            for &start in starts {
                let here = self.is(start);
                any = self.binary(BinaryOp::Or, any, here);
            }
            self.model.init.push(Constraint {
                requires: Requirement::Holds(any),
                span: self.span(module),
            });
            return;
        }
        // A single start is the first of the states.
        for (at, value) in self.values[0].clone().into_iter().enumerate() {
            let var = VarId::new(at);
            let value = self.constant(value);
            let span = self.model.vars[var].span;
            self.model.init.push(Constraint {
                requires: Requirement::Assign(var, value),
                span,
            });
        }
    }

    /// The steps, each with its operation; an input chooses where there is a choice or a name.
    fn steps(&mut self, module: &TcmcModule, ends: &[(usize, usize)]) -> Result<(), TcmcMisfit> {
        let span = self.span(module);
        let edges = ends.iter();
        let edges = edges.map(|&(from, to)| [self.states[from], self.states[to]]);
        let edges: Vec<[UniverseAtomId; 2]> = edges.collect();
        let mut namer = Namer {
            alloy: self.alloy,
            lowered: &mut self.lowered,
            budget: self.budget,
        };
        let names = namer.names(module, &self.extracted.instance, &edges)?;
        let named = names.iter().any(Option::is_some);
        let mut chosen: Vec<Option<String>> = Vec::new();
        for (at, &(from, _)) in ends.iter().enumerate() {
            let choice = ends.iter().filter(|(other, _)| *other == from).count() > 1;
            chosen.push(match &names[at] {
                Some(name) => Some(self.apart(name, at, ends, &names)),
                None if choice || named => Some(format!("step {}", at + 1)),
                None => None,
            });
        }
        let needed = chosen.iter().any(Option::is_some);
        let mut options: Vec<String> = chosen.iter().flatten().cloned().collect();
        options.sort();
        options.dedup();
        let state_vars = self.values[0].len();
        let input = needed.then(|| {
            let values = options
                .iter()
                .map(|name| Value::Symbol(self.model.names.intern(name)));
            let values: Vec<Value> = values.collect();
            let domain = Domain::Enum(values.into());
            let var = self.variable(OPERATION, domain, VarKind::Input, span);
            self.model.vars[var].origin = Origin::Operation;
            var
        });
        let mut guards = Vec::new();
        for (&(from, _), name) in ends.iter().zip(&chosen) {
            let here = self.is(from);
            guards.push(match (input, name) {
                (Some(input), Some(name)) => {
                    let value = Value::Symbol(self.model.names.intern(name));
                    let taken = self.equals(input, value);
                    self.binary(BinaryOp::And, here, taken)
                }
                _ => here,
            });
        }
        for at in 0..state_vars {
            let var = VarId::new(at);
            // The last branch is never taken: below it is required that some guard holds.
            let mut next = self.model.terms.add(Term::Var(var), None);
            for (&guard, &(_, to)) in guards.iter().zip(ends).rev() {
                let value = self.constant(self.values[to][at]);
                next = self.model.terms.add(Term::Ite(guard, value, next), None);
            }
            self.require_step(Requirement::Assign(var, next), span);
        }
        let mut any = self.constant(Value::Bool(false));
        for guard in guards {
            any = self.binary(BinaryOp::Or, any, guard);
        }
        self.require_step(Requirement::Holds(any), span);
        Ok(())
    }

    fn require_step(&mut self, requires: Requirement, span: Span) {
        self.model.trans.push(Constraint { requires, span });
    }

    /// The name of a step, with a number where another step of its state has the same.
    fn apart(
        &self,
        name: &str,
        at: usize,
        ends: &[(usize, usize)],
        names: &[Option<String>],
    ) -> String {
        let alike =
            |other: &usize| ends[*other].0 == ends[at].0 && names[*other].as_deref() == Some(name);
        let before = (0..at).filter(alike).count();
        match before {
            0 => name.to_owned(),
            _ => format!("{name} ({})", before + 1),
        }
    }

    fn property(
        &mut self,
        module: &TcmcModule,
        command: &Command,
        asked: &AskedFormula,
    ) -> Result<(), TcmcMisfit> {
        let mut atoms = IndexVec::new();
        for &term in asked.atoms.iter() {
            let term = self.holding(term)?;
            atoms.push(term);
        }
        if let Some(fair) = module.fair {
            let name = format!("{}TS.FC", module.prefix);
            let relations = self.lowered.problem.relations();
            let id = relations.entries().find(|(_, r)| r.name == name);
            let id = id.map(|(id, _)| id);
            let Some(found) = id.map(|id| self.extracted.instance.value(id).clone()) else {
                let span = self.alloy.fields[fair].span;
                return Err(TcmcMisfit::new(
                    span,
                    "The fair states are not a set of their own",
                ));
            };
            let mut sets: Vec<(Vec<UniverseAtomId>, Option<Span>)> = Vec::new();
            let written = definitions(self.alloy, module);
            let spanned = |fair: &Fair| self.alloy.terms[fair.body].span;
            match module.constraints(self.alloy) {
                None => sets.push((Vec::new(), written.first().map(spanned))),
                Some(sig) => {
                    let all = self.lowered.states[0].sigs[sig.index()];
                    for row in tuples(self.extracted, &self.lowered, all, self.budget)? {
                        let atoms = |sig: SigId| &self.lowered.scopes.upper[sig.index()];
                        let its = written.iter().find(|fair| match fair.of {
                            Fairs::Of(sig) => atoms(sig).contains(&row[0].index()),
                            Fairs::Only | Fairs::Each(..) => true,
                        });
                        sets.push((row, its.map(spanned)));
                    }
                }
            }
            let mut justice = Vec::new();
            for (row, span) in sets {
                let met = self.one_of(&|atom| found.contains(&[&row[..], &[atom]].concat()));
                // The same again, with the words of the user.
                let said = self.model.terms.get(met).clone();
                justice.push(self.model.terms.add(said, span));
            }
            self.model.fairness = Fairness {
                justice,
                compassion: Vec::new(),
            };
        }
        let query = Query {
            formula: asked.formula.clone(),
            atoms,
            rule: asked.rule,
        };
        let body = PropertyBody::Query(query);
        self.model
            .properties
            .push(property(self.alloy, command, body));
        Ok(())
    }

    /// The term that is true in the states of a set.
    fn holding(&mut self, set: wherefore_alloy::model::AlloyTermId) -> Result<TermId, TcmcMisfit> {
        let TermMeaning::Expr(expr) = self.lowered.meaning(self.alloy, set, 0)? else {
            let span = self.alloy.terms[set].span;
            return Err(TcmcMisfit::new(span, "This is not a set of states"));
        };
        let rows = tuples(self.extracted, &self.lowered, expr, self.budget)?;
        Ok(self.one_of(&|atom| rows.contains(&vec![atom])))
    }

    /// That the state is one of some.
    fn one_of(&mut self, wanted: &dyn Fn(UniverseAtomId) -> bool) -> TermId {
        let mut any = self.constant(Value::Bool(false));
        for at in 0..self.states.len() {
            if wanted(self.states[at]) {
                let here = self.is(at);
                any = self.binary(BinaryOp::Or, any, here);
            }
        }
        any
    }

    /// That the present state is this one.
    fn is(&mut self, state: usize) -> TermId {
        let mut all = self.constant(Value::Bool(true));
        for (at, value) in self.values[state].clone().into_iter().enumerate() {
            let equal = self.equals(VarId::new(at), value);
            all = self.binary(BinaryOp::And, all, equal);
        }
        all
    }

    fn equals(&mut self, var: VarId, value: Value) -> TermId {
        let var = self.model.terms.add(Term::Var(var), None);
        let value = self.constant(value);
        self.binary(BinaryOp::Equal, var, value)
    }

    fn constant(&mut self, value: Value) -> TermId {
        self.model.terms.add(Term::Const(value), None)
    }

    fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        self.model.terms.add(Term::Binary(op, a, b), None)
    }
}
