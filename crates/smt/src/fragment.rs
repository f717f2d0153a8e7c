//! Runs that a solver found, as finite models: the states and steps of the runs and nothing else.
//!
//! Every step of such a model is a step of the system, and not the other way round. So what it shows of *some* path is
//! so in the system; what it says of *every* path means nothing there.

mod restrict;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use wherefore_base::{Span, Value as Plain};
use wherefore_model::{
    BinaryOp, Domain, Model, Origin, Term as Low, TermId as LowId, VarId, VarKind, Variable,
};

use self::restrict::{ValueStep, ValueSteps, binary, constant, is, restrict};
use crate::eval::holds;
use crate::finite::{action_variable, asked, rule};
use crate::lower::{FiniteLowering, SymbolPlace, plain};
use crate::sort::{Sort, SortId};
use crate::system::TermSystem;
use crate::term::{SmtTermId, SymbolId};
use crate::trace::{SolverTrace, TraceMeaning};
use crate::value::{SmtValuation, SmtValue};

/// The runs that were found for one property. The first starts in an initial state; the others start in states of
/// earlier ones.
#[derive(Clone, Debug)]
pub struct FragmentRuns<'a> {
    /// The property, by its place among the properties of the system.
    pub property: usize,
    /// The runs.
    pub traces: Vec<&'a SolverTrace>,
}

/// Finite models of the runs of several properties, over the same variables.
#[derive(Clone, Debug)]
pub struct Fragments {
    /// All of them in one model.
    pub whole: Model,
    /// For each property with runs, the model of its own runs.
    pub parts: Vec<(usize, Model)>,
}

/// Makes finite models of runs.
///
/// # Errors
/// A sentence without its full stop: what our evaluator cannot tell about the runs.
pub fn fragments(
    system: &TermSystem,
    found: &[FragmentRuns<'_>],
    start: Span,
) -> Result<Fragments, String> {
    let mut maker = FragmentMaker {
        system,
        start,
        model: Model::default(),
        columns: Vec::new(),
        places: FxHashMap::default(),
        action: None,
    };
    maker.variables(found);
    maker.properties(found)?;
    let mut all = ValueSteps::default();
    let mut parts = Vec::new();
    for runs in found {
        let steps = maker.steps(runs);
        let mut model = maker.model.clone();
        restrict(&mut model, &steps, start);
        parts.push((runs.property, model));
        all.initial.extend(steps.initial);
        all.steps.extend(steps.steps);
    }
    let mut whole = maker.model.clone();
    restrict(&mut whole, &all, start);
    Ok(Fragments { whole, parts })
}

/// What a variable of the model shows of a symbol.
#[derive(Clone, Debug)]
enum SymbolPart {
    /// All of it.
    Whole,
    /// The element of an array at an index, or everywhere else.
    Element(Option<SmtValue>),
    /// The value of a function at arguments, or everywhere else.
    At(Option<Vec<SmtValue>>),
}

/// Where the meaning of a symbol is found in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SymbolRole {
    State(usize),
    Parameter(SymbolId),
    Input(usize),
}

/// A variable of the model.
#[derive(Clone, Debug)]
struct FragmentColumn {
    symbol: SymbolId,
    role: SymbolRole,
    part: SymbolPart,
    var: VarId,
}

/// So many elements of an array are shown one by one.
const MOST_ELEMENTS: usize = 16;

struct FragmentMaker<'a> {
    system: &'a TermSystem,
    start: Span,
    model: Model,
    columns: Vec<FragmentColumn>,
    places: FxHashMap<SymbolId, SymbolPlace>,
    action: Option<VarId>,
}

impl FragmentMaker<'_> {
    fn variables(&mut self, found: &[FragmentRuns<'_>]) {
        let system = self.system;
        let traces: Vec<&SolverTrace> = found
            .iter()
            .flat_map(|runs| runs.traces.iter().copied())
            .collect();
        for (at, var) in system.state.iter().enumerate() {
            let meanings: Vec<&TraceMeaning> = traces
                .iter()
                .flat_map(|trace| trace.states.iter().filter_map(move |state| state.get(at)))
                .collect();
            self.symbol(
                &var.name,
                var.current,
                SymbolRole::State(at),
                VarKind::State,
                &meanings,
                var.span,
            );
        }
        for &symbol in &system.parameters {
            let meanings: Vec<&TraceMeaning> = traces
                .iter()
                .flat_map(|trace| {
                    trace
                        .parameters
                        .iter()
                        .filter(|(known, _)| *known == symbol)
                        .map(|(_, meaning)| meaning)
                })
                .collect();
            let info = system.terms.info(symbol);
            self.symbol(
                &info.name,
                symbol,
                SymbolRole::Parameter(symbol),
                VarKind::Frozen,
                &meanings,
                info.span,
            );
        }
        for (at, &symbol) in system.inputs.iter().enumerate() {
            let meanings: Vec<&TraceMeaning> = traces
                .iter()
                .flat_map(|trace| trace.inputs.iter().filter_map(move |inputs| inputs.get(at)))
                .collect();
            let info = system.terms.info(symbol);
            self.symbol(
                &info.name,
                symbol,
                SymbolRole::Input(at),
                VarKind::Input,
                &meanings,
                info.span,
            );
        }
        if !system.actions.is_empty() {
            self.action = Some(action_variable(system, &mut self.model, self.start));
        }
    }

    /// Makes the variables that show a symbol.
    fn symbol(
        &mut self,
        name: &str,
        symbol: SymbolId,
        role: SymbolRole,
        kind: VarKind,
        meanings: &[&TraceMeaning],
        span: Option<Span>,
    ) {
        let terms = &self.system.terms;
        let sort = terms.info(symbol).sort;
        let mut parts: Vec<(String, SymbolPart, SortId)> = Vec::new();
        if let Sort::Array(_, element) = *terms.sorts.get(sort) {
            let arrays = meanings.iter().filter_map(|meaning| match meaning {
                TraceMeaning::Value(SmtValue::Array(array)) => Some(array),
                _ => None,
            });
            let indices: BTreeSet<&SmtValue> = arrays
                .flat_map(|array| array.entries().map(|(index, _)| index))
                .collect();
            if indices.len() <= MOST_ELEMENTS {
                for index in indices {
                    let cell = format!("{name}[{}]", index.show(terms));
                    parts.push((cell, SymbolPart::Element(Some(index.clone())), element));
                }
                parts.push((format!("{name}[..]"), SymbolPart::Element(None), element));
            } else {
                parts.push((name.to_string(), SymbolPart::Whole, sort));
            }
        } else if terms.info(symbol).args.is_empty() {
            parts.push((name.to_string(), SymbolPart::Whole, sort));
        } else {
            let functions: Vec<_> = meanings
                .iter()
                .filter_map(|meaning| match meaning {
                    TraceMeaning::Function(function) => Some(function),
                    TraceMeaning::Value(_) => None,
                })
                .collect();
            let keys: BTreeSet<&Vec<SmtValue>> = functions
                .iter()
                .flat_map(|function| function.entries.keys())
                .collect();
            for key in keys {
                let args: Vec<String> = key
                    .iter()
                    .map(|value| value.show(terms).to_string())
                    .collect();
                parts.push((
                    format!("{name}({})", args.join(",")),
                    SymbolPart::At(Some(key.clone())),
                    sort,
                ));
            }
            if functions.iter().any(|function| function.default.is_some()) {
                parts.push((format!("{name}(..)"), SymbolPart::At(None), sort));
            }
        }
        for (name, part, sort) in parts {
            let mut values: BTreeSet<Plain> = BTreeSet::new();
            for meaning in meanings {
                values.insert(cell(self.system, &mut self.model, meaning, &part));
            }
            let domain = self.domain(sort, values);
            let var = self.model.vars.push(Variable {
                name,
                domain,
                kind,
                span: span.unwrap_or(self.start),
                origin: Origin::Declared,
            });
            // Only such a variable has the values of its symbol, so that terms over it can be calculated.
            if let SymbolPart::Whole = part
                && self.is_plain(var, sort)
            {
                self.places.insert(symbol, SymbolPlace::Var(var, false));
            }
            self.columns.push(FragmentColumn {
                symbol,
                role,
                part,
                var,
            });
        }
    }

    fn domain(&mut self, sort: SortId, mut values: BTreeSet<Plain>) -> Domain {
        match self.system.terms.sorts.get(sort) {
            Sort::Bool if values.iter().all(|value| matches!(value, Plain::Bool(_))) => {
                Domain::Bool
            }
            Sort::Enumeration(_, constants) => {
                let mut all: Vec<Plain> = constants
                    .iter()
                    .map(|name| Plain::Symbol(self.model.names.intern(name)))
                    .collect();
                all.extend(
                    values
                        .into_iter()
                        .filter(|value| !all.contains(value))
                        .collect::<Vec<_>>(),
                );
                Domain::Enum(all.into())
            }
            _ => {
                if values.is_empty() {
                    values.insert(Plain::Symbol(self.model.names.intern(UNKNOWN)));
                }
                Domain::Enum(values.into_iter().collect())
            }
        }
    }

    /// Whether the values of a variable are what terms of models calculate with.
    fn is_plain(&self, var: VarId, sort: SortId) -> bool {
        let domain = &self.model.vars[var].domain;
        match self.system.terms.sorts.get(sort) {
            Sort::Bool => *domain == Domain::Bool,
            Sort::Int => domain.values().all(|value| value.as_int().is_some()),
            Sort::Enumeration(_, constants) => domain.size() == constants.len() as u128,
            Sort::BitVec(_) => domain.values().all(|value| value.as_word().is_some()),
            Sort::Real | Sort::Array(..) | Sort::Uninterpreted(_) => false,
        }
    }

    fn properties(&mut self, found: &[FragmentRuns<'_>]) -> Result<(), String> {
        let system = self.system;
        for (at, property) in system.properties.iter().enumerate() {
            let runs = found.iter().find(|runs| runs.property == at);
            let mut atoms = Vec::new();
            for &atom in property.atoms.iter() {
                atoms.push(self.atom(atom, runs)?);
            }
            let asked = asked(property, atoms, rule(system, property));
            self.model.properties.push(asked);
        }
        for &fair in &system.fairness {
            let all = FragmentRuns {
                property: 0,
                traces: found
                    .iter()
                    .flat_map(|runs| runs.traces.iter().copied())
                    .collect(),
            };
            let term = self.atom(fair, Some(&all))?;
            self.model.fairness.justice.push(term);
        }
        Ok(())
    }

    /// A condition on the states of runs: as it is, or by listing the values for which our evaluator finds it true.
    fn atom(&mut self, atom: SmtTermId, runs: Option<&FragmentRuns<'_>>) -> Result<LowId, String> {
        let system = self.system;
        let free = system.terms.free(atom);
        let universes = SmtValuation::default();
        let places = std::mem::take(&mut self.places);
        let known = free.iter().all(|symbol| places.contains_key(symbol));
        let lowered = known.then(|| {
            FiniteLowering::new(&system.terms, &mut self.model, &places, &universes)
                .condition(atom)
                .ok()
        });
        self.places = places;
        if let Some(Some(lowered)) = lowered {
            return Ok(lowered);
        }
        let columns: Vec<FragmentColumn> = self
            .columns
            .iter()
            .filter(|column| free.contains(&column.symbol))
            .cloned()
            .collect();
        let mut cases: BTreeMap<Vec<Plain>, bool> = BTreeMap::new();
        for trace in runs.iter().flat_map(|runs| &runs.traces) {
            for state in 0..trace.states.len() {
                let value = holds(&system.terms, atom, &trace.at(system, state))
                    .map_err(|why| why.to_string())?;
                let key = columns
                    .iter()
                    .map(|column| self.value(column, trace, state, None))
                    .collect();
                if cases
                    .insert(key, value)
                    .is_some_and(|before| before != value)
                {
                    return Err("a condition differs between states that are shown alike".into());
                }
            }
        }
        let mut any = constant(&mut self.model, Plain::Bool(false));
        for (key, _) in cases.into_iter().filter(|(_, value)| *value) {
            let mut all = constant(&mut self.model, Plain::Bool(true));
            for (column, value) in columns.iter().zip(key) {
                let is = is(&mut self.model, Low::Var(column.var), value);
                all = binary(&mut self.model, BinaryOp::And, all, is);
            }
            any = binary(&mut self.model, BinaryOp::Or, any, all);
        }
        Ok(any)
    }

    /// The value of a variable in a state of a run, or in a step of it for inputs.
    fn value(
        &mut self,
        column: &FragmentColumn,
        trace: &SolverTrace,
        state: usize,
        step: Option<usize>,
    ) -> Plain {
        let meaning = match column.role {
            SymbolRole::State(at) => trace.states[state].get(at),
            SymbolRole::Parameter(symbol) => trace
                .parameters
                .iter()
                .find(|(known, _)| *known == symbol)
                .map(|(_, meaning)| meaning),
            SymbolRole::Input(at) => step.and_then(|step| trace.inputs.get(step)?.get(at)),
        };
        match meaning {
            Some(meaning) => cell(self.system, &mut self.model, meaning, &column.part),
            // What is not known is shown as the first value that there is.
            None => self.model.vars[column.var].domain.value(0),
        }
    }

    fn steps(&mut self, runs: &FragmentRuns<'_>) -> ValueSteps {
        let mut result = ValueSteps::default();
        let columns = self.columns.clone();
        let of = |maker: &mut Self,
                  trace: &SolverTrace,
                  state: usize,
                  step: Option<usize>|
         -> Vec<Plain> {
            let input = |column: &&FragmentColumn| {
                matches!(column.role, SymbolRole::Input(_)) == step.is_some()
            };
            columns
                .iter()
                .filter(input)
                .map(|column| maker.value(column, trace, state, step))
                .collect()
        };
        for (at, trace) in runs.traces.iter().enumerate() {
            if at == 0 && !trace.states.is_empty() {
                let first = of(self, trace, 0, None);
                result.initial.push(first);
            }
            let actions = trace.actions(self.system);
            for (step, (from, to)) in trace.steps().into_iter().enumerate() {
                let (before, after) = (of(self, trace, from, None), of(self, trace, to, None));
                let mut inputs = of(self, trace, from, Some(step));
                if let Some(var) = self.action {
                    let domain = &self.model.vars[var].domain;
                    // The last value is for steps that are none of the actions.
                    let number = actions[step].map_or(domain.last(), |action| action as u64);
                    inputs.push(domain.value(number));
                }
                result.steps.push(ValueStep {
                    before,
                    after,
                    inputs,
                });
            }
        }
        result
    }
}

const UNKNOWN: &str = "?";

/// What a variable shows of a meaning.
fn cell(
    system: &TermSystem,
    model: &mut Model,
    meaning: &TraceMeaning,
    part: &SymbolPart,
) -> Plain {
    let value = match (meaning, part) {
        (TraceMeaning::Value(value), SymbolPart::Whole) => Some(value),
        (TraceMeaning::Value(SmtValue::Array(array)), SymbolPart::Element(Some(index))) => {
            Some(array.select(index))
        }
        (TraceMeaning::Value(SmtValue::Array(array)), SymbolPart::Element(None)) => {
            Some(array.default())
        }
        (TraceMeaning::Function(function), SymbolPart::At(Some(key))) => function.at(key),
        (TraceMeaning::Function(function), SymbolPart::At(None)) => function.default.as_ref(),
        _ => None,
    };
    match value {
        Some(value) => plain(&system.terms, &mut model.names, value),
        None => Plain::Symbol(model.names.intern(UNKNOWN)),
    }
}
