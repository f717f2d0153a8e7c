//! States and steps of a model, as the page asks for them.

use wherefore_base::Value;
use wherefore_model::{Model, Step, TermId, VarId, VarKind};
use wherefore_wire::{ByName, ChangeDoc, SpotDoc, StateRequest, ValuesAnswer, ValuesDoc};

use crate::Report;
use crate::json;
use crate::lts::json::{change, number};
use crate::read::fit::{DocumentMisfit, value};
use crate::read::trace::Datum;
use crate::words::clean;

/// A state.
pub fn spot(report: &Report<'_>, state: &[Value]) -> SpotDoc {
    let shown = report.shown.iter().map(|shown| {
        let value = report.shown_value(shown.term, state);
        (shown.text.clone(), value)
    });
    SpotDoc {
        values: json::state(report, state),
        shown: shown.collect(),
        action: None,
        inputs: ValuesDoc::default(),
        changes: None,
    }
}

/// Where a step from a state leads.
pub fn spot_after(report: &Report<'_>, from: &[Value], step: &Step) -> SpotDoc {
    let action = report.action_text(&step.input);
    SpotDoc {
        action: (!action.is_empty()).then_some(action),
        inputs: json::inputs(report, &step.input),
        changes: Some(changes(report, from, &step.next)),
        ..spot(report, &step.next)
    }
}

/// A state before another: what a step from it changes.
pub fn spot_before(report: &Report<'_>, state: &[Value], next: &[Value]) -> SpotDoc {
    SpotDoc {
        changes: Some(changes(report, state, next)),
        ..spot(report, state)
    }
}

/// A state of a system, and the label of the step that leads there.
pub fn spot_of_system(state: usize, action: Option<&str>, from: Option<usize>) -> SpotDoc {
    SpotDoc {
        values: ValuesDoc::from_iter([("state".to_string(), number(state))]),
        shown: ByName::default(),
        action: action.map(str::to_string),
        inputs: ValuesDoc::default(),
        changes: from.map(|from| match from == state {
            true => vec![],
            false => vec![change(from, state)],
        }),
    }
}

/// The values of an expression in some states.
pub fn values(
    report: &Report<'_>,
    text: &str,
    term: TermId,
    states: &[Vec<Value>],
) -> ValuesAnswer {
    let values = states.iter().map(|state| report.shown_value(term, state));
    ValuesAnswer {
        expression: text.to_string(),
        values: values.collect(),
    }
}

fn changes(report: &Report<'_>, from: &[Value], to: &[Value]) -> Vec<ChangeDoc> {
    let vars = report.state_vars();
    let vars = vars.filter(|var| from[var.index()] != to[var.index()]);
    let changes = vars.map(|var| ChangeDoc {
        variable: report.model.vars[var].name.clone(),
        old: json::value(report, from[var.index()]),
        new: json::value(report, to[var.index()]),
        line: None,
    });
    changes.collect()
}

/// The values of a state that somebody asks about; the sentence says what is wrong with it.
pub fn state_of(model: &Model, state: &StateRequest) -> Result<Vec<Value>, String> {
    let find = |name: &str| {
        let vars = model.vars.entries();
        let mut vars = vars.filter(|(_, var)| var.kind != VarKind::Input);
        vars.find(|(_, var)| var.name == name).map(|(id, _)| id)
    };
    let mut values: Vec<Option<Value>> = vec![None; model.state_vars()];
    for (name, given) in state.values.iter() {
        let Some(var) = find(name) else {
            return Err(format!(
                "The model has no state variable `{}`.",
                clean(name)
            ));
        };
        let read = value(model, var, &Datum::of(given), 0);
        values[var.index()] = Some(read.map_err(|misfit| match misfit {
            DocumentMisfit::Value {
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
