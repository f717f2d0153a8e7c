//! Finite versions of infinite models: every number gets bounds, every uninterpreted sort a size.
//!
//! Steps that would leave the bounds are left out, so a verdict on the finite version is one on that version only.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use wherefore_base::{Span, Value as Plain, Word};
use wherefore_logic::{Formula, LinearOp, Op, PathRule};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, Origin, Property as Asked, PropertyBody,
    PropertyKind as Kind, Query, Requirement, Term as Low, TermId as LowId, VarId, VarKind,
    Variable,
};

use crate::eval::values;
use crate::lower::{FiniteLowering, SymbolPlace, plain};
use crate::sort::{Sort, SortId};
use crate::system::{Deadlock, SmtProperty, SmtPropertyKind, TermSystem};
use crate::term::SymbolId;
use crate::value::{SmtValuation, SmtValue};

/// A bound from the command line: `x=0..9` for a variable, `Int=0..9` for all others, `Key=3` for a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The variable or sort.
    pub name: String,
    /// The least value, or 1 for the size of a sort.
    pub low: i64,
    /// The greatest value, or the size of a sort.
    pub high: i64,
}

impl std::str::FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a bound; write x=0..9, Int=0..9, or Sort=3");
        let (name, range) = text.split_once('=').ok_or_else(wrong)?;
        let (low, high) = match range.split_once("..") {
            Some((low, high)) => (low.trim().parse(), high.trim().parse()),
            None => (Ok(1), range.trim().parse()),
        };
        match (low, high) {
            (Ok(low), Ok(high)) if low <= high && !name.trim().is_empty() => Ok(Self {
                name: name.trim().to_string(),
                low,
                high,
            }),
            _ => Err(wrong()),
        }
    }
}

/// The finite version of a system within bounds.
///
/// # Errors
/// A sentence without its full stop: what has no bound, or no finite version.
pub fn finite(system: &TermSystem, bounds: &[Bound], start: Span) -> Result<Model, String> {
    let mut maker = FiniteVersion::new(system, bounds, start)?;
    maker.variables()?;
    maker.constraints()?;
    for property in &system.properties {
        let rule = rule(system, property);
        let places = std::mem::take(&mut maker.places);
        let lowered = {
            let mut lowering =
                FiniteLowering::new(&system.terms, &mut maker.model, &places, &maker.universes);
            let atoms: Result<Vec<LowId>, String> = property
                .atoms
                .iter()
                .map(|&atom| lowering.condition(atom))
                .collect();
            atoms
        };
        maker.places = places;
        let asked = asked(property, lowered?, rule);
        maker.model.properties.push(asked);
    }
    Ok(maker.model)
}

/// What a path is for a property of a system.
pub fn rule(system: &TermSystem, property: &SmtProperty) -> PathRule {
    match property.kind {
        SmtPropertyKind::Invar => PathRule::Reach,
        SmtPropertyKind::Live | SmtPropertyKind::Linear => PathRule::FairInfinite,
        SmtPropertyKind::Ctl => match (system.deadlock, system.fairness.is_empty()) {
            (Deadlock::Fail, _) => PathRule::Maximal,
            (_, true) => PathRule::Plain,
            (_, false) => PathRule::PlainFair,
        },
    }
}

/// A property as models have it, with what its atoms are there.
pub(crate) fn asked(property: &SmtProperty, atoms: Vec<LowId>, rule: PathRule) -> Asked {
    let atoms = atoms.into_iter().collect();
    let (kind, body) = match property.kind {
        SmtPropertyKind::Live => {
            let mut formula: Formula = property.formula.clone();
            let always = formula.add(
                Op::Linear(LinearOp::Globally(formula.root())),
                Some(property.span),
            );
            formula.add(Op::Linear(LinearOp::Finally(always)), Some(property.span));
            (
                Kind::Ltl,
                PropertyBody::Linear(Query {
                    formula,
                    atoms,
                    rule,
                }),
            )
        }
        SmtPropertyKind::Linear => (
            Kind::Ltl,
            PropertyBody::Linear(Query {
                formula: property.formula.clone(),
                atoms,
                rule,
            }),
        ),
        SmtPropertyKind::Invar | SmtPropertyKind::Ctl => {
            let kind = if property.kind == SmtPropertyKind::Ctl {
                Kind::Ctl
            } else {
                Kind::Invar
            };
            let formula = property.formula.clone();
            (
                kind,
                PropertyBody::Query(Query {
                    formula,
                    atoms,
                    rule,
                }),
            )
        }
    };
    Asked {
        name: property.name.clone(),
        named: property.named,
        text: property.text.clone(),
        span: property.span,
        instance: String::new(),
        kind,
        body,
    }
}

/// How many variables a finite version has at most.
const MOST_VARIABLES: usize = 4096;

struct FiniteVersion<'a> {
    system: &'a TermSystem,
    bounds: &'a [Bound],
    start: Span,
    model: Model,
    places: FxHashMap<SymbolId, SymbolPlace>,
    universes: SmtValuation,
    /// The input that says which action a step is.
    action: Option<VarId>,
}

impl<'a> FiniteVersion<'a> {
    fn new(system: &'a TermSystem, bounds: &'a [Bound], start: Span) -> Result<Self, String> {
        let mut universes = SmtValuation::default();
        for sort in system.terms.sorts.ids() {
            let Sort::Uninterpreted(name) = system.terms.sorts.get(sort) else {
                continue;
            };
            if let Some(bound) = bounds.iter().find(|bound| bound.name == *name) {
                let size = u32::try_from(bound.high)
                    .ok()
                    .filter(|&size| (1..=1024).contains(&size) && bound.low == 1);
                let size =
                    size.ok_or_else(|| format!("the size of {name} is a number from 1 to 1024"))?;
                universes.set_universe(sort, size);
            }
        }
        let known = |bound: &&Bound| {
            let sort = system
                .terms
                .sorts
                .ids()
                .any(|sort| system.terms.sorts.text(sort) == bound.name);
            let named = |symbol: &SymbolId| system.terms.info(*symbol).name == bound.name;
            let state = system.state.iter().any(|var| var.name == bound.name);
            sort || state || system.inputs.iter().any(named) || system.parameters.iter().any(named)
        };
        if let Some(bound) = bounds.iter().find(|bound| !known(bound)) {
            return Err(format!(
                "there is no variable and no sort `{}` that a bound could be for",
                bound.name
            ));
        }
        Ok(Self {
            system,
            bounds,
            start,
            model: Model::default(),
            places: FxHashMap::default(),
            universes,
            action: None,
        })
    }

    fn variables(&mut self) -> Result<(), String> {
        let system = self.system;
        for var in &system.state {
            let place = self.place(&var.name, var.current, VarKind::State, var.span)?;
            let next = match place.clone() {
                SymbolPlace::Var(var, _) => SymbolPlace::Var(var, true),
                SymbolPlace::Array(cells, _) => SymbolPlace::Array(cells, true),
                SymbolPlace::Function(cells, _) => SymbolPlace::Function(cells, true),
            };
            self.places.insert(var.current, place);
            self.places.insert(var.next, next);
        }
        for (symbols, kind) in [
            (&system.parameters, VarKind::Frozen),
            (&system.inputs, VarKind::Input),
        ] {
            for &symbol in symbols {
                let info = system.terms.info(symbol);
                let place = self.place(&info.name, symbol, kind, info.span)?;
                self.places.insert(symbol, place);
            }
        }
        if !system.actions.is_empty() {
            let action = action_variable(system, &mut self.model, self.start);
            self.action = Some(action);
        }
        Ok(())
    }

    /// Makes the variables that a symbol stands for.
    fn place(
        &mut self,
        name: &str,
        symbol: SymbolId,
        kind: VarKind,
        span: Option<Span>,
    ) -> Result<SymbolPlace, String> {
        let terms = &self.system.terms;
        let info = terms.info(symbol);
        let span = span.unwrap_or(self.start);
        if info.args.is_empty() {
            if let Sort::Array(index, element) = *terms.sorts.get(info.sort) {
                let indices = self.listed(name, index)?;
                let domain = self.domain(name, element)?;
                let mut cells = BTreeMap::new();
                for index in indices {
                    let cell = format!("{name}[{}]", index.show(terms));
                    cells.insert(index, self.add(cell, domain.clone(), kind, span)?);
                }
                return Ok(SymbolPlace::Array(cells, false));
            }
            let domain = self.domain(name, info.sort)?;
            return Ok(SymbolPlace::Var(
                self.add(name.to_string(), domain, kind, span)?,
                false,
            ));
        }
        let mut keys: Vec<Vec<SmtValue>> = vec![Vec::new()];
        for &sort in &info.args {
            let range = self.listed(name, sort)?;
            let longer = keys.iter().flat_map(|key| {
                range.iter().map(move |value| {
                    key.iter()
                        .cloned()
                        .chain([value.clone()])
                        .collect::<Vec<SmtValue>>()
                })
            });
            // One more than is allowed is enough for `add` to refuse it.
            keys = longer.take(MOST_VARIABLES + 1).collect();
        }
        let domain = self.domain(name, info.sort)?;
        let mut cells = BTreeMap::new();
        for key in keys {
            let args: Vec<String> = key
                .iter()
                .map(|value| value.show(terms).to_string())
                .collect();
            let cell = format!("{name}({})", args.join(","));
            cells.insert(key, self.add(cell, domain.clone(), kind, span)?);
        }
        Ok(SymbolPlace::Function(cells, false))
    }

    fn listed(&self, name: &str, sort: SortId) -> Result<Vec<SmtValue>, String> {
        values(&self.system.terms, sort, &self.universes).ok_or_else(|| self.unbounded(name, sort))
    }

    fn unbounded(&self, name: &str, sort: SortId) -> String {
        let text = self.system.terms.sorts.text(sort);
        match self.system.terms.sorts.get(sort) {
            Sort::Uninterpreted(_) => {
                format!("the sort {text} has no size; give it one with --bound {text}=3")
            }
            Sort::Int => format!("{name} has no bounds; give it some with --bound {name}=0..9"),
            _ => format!("{name} is of sort {text}, which has no finite version"),
        }
    }

    fn add(
        &mut self,
        name: String,
        domain: Domain,
        kind: VarKind,
        span: Span,
    ) -> Result<VarId, String> {
        if self.model.vars.len() >= MOST_VARIABLES {
            return Err(format!(
                "the finite version has more than {MOST_VARIABLES} variables"
            ));
        }
        Ok(self.model.vars.push(Variable {
            name,
            domain,
            kind,
            span,
            origin: Origin::Declared,
        }))
    }

    fn domain(&mut self, name: &str, sort: SortId) -> Result<Domain, String> {
        let terms = &self.system.terms;
        match terms.sorts.get(sort) {
            Sort::Bool => Ok(Domain::Bool),
            Sort::Int => {
                let mut bounds = self.bounds.iter();
                let bound = bounds
                    .find(|bound| bound.name == name)
                    .or_else(|| self.bounds.iter().find(|b| b.name == "Int"));
                let bound = bound.ok_or_else(|| self.unbounded(name, sort))?;
                Ok(Domain::Range {
                    low: bound.low,
                    high: bound.high,
                })
            }
            Sort::BitVec(width) if (1..=Word::WIDEST).contains(width) => Ok(Domain::Word {
                signed: false,
                width: *width,
            }),
            Sort::Enumeration(..) | Sort::Uninterpreted(_) => {
                let values = self.listed(name, sort)?;
                let names = &mut self.model.names;
                let values: Vec<Plain> = values
                    .iter()
                    .map(|value| plain(terms, names, value))
                    .collect();
                Ok(Domain::Enum(values.into()))
            }
            Sort::Real | Sort::BitVec(_) | Sort::Array(..) => Err(self.unbounded(name, sort)),
        }
    }

    fn constraints(&mut self) -> Result<(), String> {
        let system = self.system;
        // Taking conjunctions apart makes terms, and the system itself is only read.
        let mut scratch = system.terms.clone();
        let mut init = system.axioms.clone();
        init.extend(scratch.conjuncts(system.init));
        let trans = scratch.conjuncts(system.trans);
        let places = std::mem::take(&mut self.places);
        let span = self.start;
        let constraint = |requires| Constraint { requires, span };
        let mut lowering = FiniteLowering::new(&scratch, &mut self.model, &places, &self.universes);
        for term in init {
            let low = lowering.condition(term)?;
            lowering
                .model
                .init
                .push(constraint(Requirement::Holds(low)));
        }
        for term in trans {
            let low = lowering.condition(term)?;
            lowering
                .model
                .trans
                .push(constraint(Requirement::Holds(low)));
        }
        for &term in &system.fairness {
            let low = lowering.condition(term)?;
            lowering.model.fairness.justice.push(low);
        }
        let actions: Result<Vec<LowId>, String> = system
            .actions
            .iter()
            .map(|action| lowering.condition(action.term))
            .collect();
        let actions = actions?;
        if let Some(var) = self.action {
            for requires in steps_by_action(&mut self.model, var, &actions) {
                self.model.trans.push(constraint(requires));
            }
        }
        self.places = places;
        Ok(())
    }
}

/// The input that says which action a step is; its last value is for steps that are none.
pub(crate) fn action_variable(system: &TermSystem, model: &mut Model, span: Span) -> VarId {
    let mut values: Vec<Plain> = Vec::new();
    for action in &system.actions {
        values.push(Plain::Symbol(model.names.intern(&action.name)));
    }
    let mut other = "other".to_string();
    while system.actions.iter().any(|action| action.name == other) {
        other.push('_');
    }
    values.push(Plain::Symbol(model.names.intern(&other)));
    let taken: Vec<String> = model.vars.iter().map(|var| var.name.clone()).collect();
    let mut name = "action".to_string();
    while taken.contains(&name) {
        name.push('_');
    }
    model.vars.push(Variable {
        name,
        domain: Domain::Enum(values.into()),
        kind: VarKind::Input,
        span,
        origin: Origin::Operation,
    })
}

/// That the input says which action a step is.
fn steps_by_action(model: &mut Model, var: VarId, actions: &[LowId]) -> Vec<Requirement> {
    let Domain::Enum(values) = model.vars[var].domain.clone() else {
        return Vec::new();
    };
    let input = model.terms.add(Low::Var(var), None);
    let mut requirements = Vec::new();
    let mut any = model.terms.add(Low::Const(Plain::Bool(false)), None);
    for (&action, &value) in actions.iter().zip(values.iter()) {
        let value = model.terms.add(Low::Const(value), None);
        let is = model
            .terms
            .add(Low::Binary(BinaryOp::Equal, input, value), None);
        let implied = model
            .terms
            .add(Low::Binary(BinaryOp::Implies, is, action), None);
        requirements.push(Requirement::Holds(implied));
        any = model
            .terms
            .add(Low::Binary(BinaryOp::Or, any, action), None);
    }
    if let Some(&last) = values.last() {
        let last = model.terms.add(Low::Const(last), None);
        let is = model
            .terms
            .add(Low::Binary(BinaryOp::Equal, input, last), None);
        let none = model.terms.add(Low::Not(any), None);
        let implied = model
            .terms
            .add(Low::Binary(BinaryOp::Implies, is, none), None);
        requirements.push(Requirement::Holds(implied));
    }
    requirements
}
