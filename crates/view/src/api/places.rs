//! States and steps of a model, as the page asks for them.

use serde::Serialize;
use serde_json::{Map, Value as Json};
use wherefore_base::Value;
use wherefore_model::{Model, Step, TermId, VarId, VarKind};

use super::ask::State;
use crate::Report;
use crate::json::{self, Change};
use crate::read::fit::{Misfit, value};
use crate::read::trace::Datum;
use crate::words::clean;

/// Some of many things.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Window<T> {
    pub first: usize,
    pub total: Option<u64>,
    pub items: Vec<T>,
}

/// A state, and the step that leads there.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Spot {
    pub values: Map<String, Json>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub shown: Map<String, Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub inputs: Map<String, Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<Change>>,
}

impl Spot {
    /// A state.
    pub fn state(report: &Report<'_>, state: &[Value]) -> Self {
        let shown = report.shown.iter().map(|shown| {
            let value = report.shown_value(shown.term, state);
            (shown.text.clone(), Json::String(value))
        });
        Self {
            values: json::state(report, state),
            shown: shown.collect(),
            action: None,
            inputs: Map::new(),
            changes: None,
        }
    }

    /// Where a step from a state leads.
    pub fn step(report: &Report<'_>, from: &[Value], step: &Step) -> Self {
        let action = report.action_text(&step.input);
        Self {
            action: (!action.is_empty()).then_some(action),
            inputs: json::inputs(report, &step.input),
            changes: Some(changes(report, from, &step.next)),
            ..Self::state(report, &step.next)
        }
    }

    /// A state before another: what a step from it changes.
    pub fn before(report: &Report<'_>, state: &[Value], next: &[Value]) -> Self {
        Self {
            changes: Some(changes(report, state, next)),
            ..Self::state(report, state)
        }
    }

    /// A state of a system, and the label of the step that leads there.
    pub fn of_system(state: usize, action: Option<&str>, from: Option<usize>) -> Self {
        let change = |from: usize| Change {
            variable: "state".to_string(),
            old: Json::from(from),
            new: Json::from(state),
            line: None,
        };
        Self {
            values: Map::from_iter([("state".to_string(), Json::from(state))]),
            shown: Map::new(),
            action: action.map(str::to_string),
            inputs: Map::new(),
            changes: from.map(|from| match from == state {
                true => vec![],
                false => vec![change(from)],
            }),
        }
    }
}

/// What is true at a state.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct TruthAt {
    pub truth: Option<Vec<bool>>,
    pub has_path: Option<bool>,
}

/// The steps of a way, or that there is none.
pub fn steps(steps: Option<Vec<Spot>>) -> String {
    #[derive(Serialize)]
    struct Steps {
        steps: Option<Vec<Spot>>,
    }
    super::render(&Steps { steps })
}

/// The values of an expression in some states.
pub fn values(report: &Report<'_>, text: &str, term: TermId, states: &[Vec<Value>]) -> String {
    let values = states.iter().map(|state| report.shown_value(term, state));
    values_of(text, values.collect())
}

/// The values of an expression, state by state.
pub fn values_of(expression: &str, values: Vec<String>) -> String {
    #[derive(Serialize)]
    struct Values<'a> {
        expression: &'a str,
        values: Vec<String>,
    }
    super::render(&Values { expression, values })
}

fn changes(report: &Report<'_>, from: &[Value], to: &[Value]) -> Vec<Change> {
    let vars = report.state_vars();
    let vars = vars.filter(|var| from[var.index()] != to[var.index()]);
    let changes = vars.map(|var| Change {
        variable: report.model.vars[var].name.clone(),
        old: json::value(report, from[var.index()]),
        new: json::value(report, to[var.index()]),
        line: None,
    });
    changes.collect()
}

/// The values of a state that somebody asks about; the sentence says what is wrong with it.
pub fn state_of(model: &Model, state: &State) -> Result<Vec<Value>, String> {
    let find = |name: &str| {
        let vars = model.vars.entries();
        let mut vars = vars.filter(|(_, var)| var.kind != VarKind::Input);
        vars.find(|(_, var)| var.name == name).map(|(id, _)| id)
    };
    let mut values: Vec<Option<Value>> = vec![None; model.state_vars()];
    for (name, json) in &state.0 {
        let Some(var) = find(name) else {
            return Err(format!(
                "The model has no state variable `{}`.",
                clean(name)
            ));
        };
        let read = value(model, var, &Datum::json(json), 0);
        values[var.index()] = Some(read.map_err(|misfit| match misfit {
            Misfit::Value {
                name,
                value,
                domain,
                ..
            } => format!("{name} = {value} cannot be: {name} is one of {domain}."),
            misfit => format!("{misfit}."),
        })?);
    }
    let missing = values.iter().position(Option::is_none);
    if let Some(at) = missing {
        let name = clean(&model.vars[VarId::new(at)].name);
        return Err(format!("The state has no value for `{name}`."));
    }
    Ok(values.into_iter().flatten().collect())
}
