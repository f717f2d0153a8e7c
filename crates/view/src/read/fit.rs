//! Matching a trace with a model: names to variables, values to values.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::Value;
use wherefore_evidence::{Track, Walk};
use wherefore_model::{Domain, Env, Interpreter, Model, Origin, TermId, VarId, VarKind};

use super::trace::{Datum, SavedTrace, Valuation};
use crate::words::{clean, count, list};

/// Why a trace does not fit a model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DocumentMisfit {
    /// None of the names is one of the model.
    #[error("no variable of the trace is one of the model")]
    Foreign,
    /// A variable has a value that it cannot have.
    #[error("{name} = {value} at step {state}, but {name} is one of {domain}")]
    Value {
        /// The number of the state.
        state: usize,
        /// The variable.
        name: String,
        /// The value.
        value: String,
        /// What it can be.
        domain: String,
    },
    /// The saved states do not say the values of these variables.
    #[error("the saved states do not have {}", some(.0))]
    Missing(Vec<String>),
    /// The saved states have variables that the model does not have.
    #[error("the model has no {} any more", some(.0))]
    Gone(Vec<String>),
    /// The document contradicts itself; the sentence says where.
    #[error("the document contradicts itself: {0}")]
    Broken(String),
}

/// A trace in terms of a model.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The run, as far as the trace tells it.
    pub track: Track,
    /// What was left out of account or is left open, in sentences.
    pub notes: Vec<String>,
    /// What the trace says of named expressions: the state, the expression, the value.
    claims: Vec<(usize, String, TermId, Datum)>,
}

/// What a name of a trace means in a model.
enum Meaning {
    Var(VarId),
    Define(TermId),
}

/// Matches a trace with a model by the names of variables.
pub fn fit(model: &Model, trace: &SavedTrace) -> Result<Fitted, DocumentMisfit> {
    let mut meanings: BTreeMap<&str, Meaning> = BTreeMap::new();
    for define in model.defines.iter().filter(|define| !define.of_step) {
        meanings.insert(&define.name, Meaning::Define(define.term));
    }
    for (var, variable) in model.vars.entries() {
        meanings.insert(&variable.name, Meaning::Var(var));
    }
    let states = model.state_vars();
    let mut unknown = BTreeSet::new();
    let mut claims = Vec::new();
    let mut track = Track {
        back: trace.back,
        ..Track::default()
    };
    let mut place = |at: usize, values: &Valuation, of_step: bool| {
        let (first, len) = match of_step {
            true => (states, model.input_vars()),
            false => (0, states),
        };
        let mut row = vec![None; len];
        for (name, datum) in values {
            match meanings.get(&**name) {
                Some(Meaning::Var(var)) if (model.vars[*var].kind == VarKind::Input) == of_step => {
                    row[var.index() - first] = Some(value(model, *var, datum, at)?);
                }
                Some(Meaning::Define(term)) if !of_step => {
                    claims.push((at, name.clone(), *term, datum.clone()));
                }
                _ => {
                    unknown.insert(name.clone());
                }
            }
        }
        Ok(row)
    };
    for (at, values) in trace.states.iter().enumerate() {
        track.states.push(place(at, values, false)?);
    }
    for (at, values) in trace.inputs.iter().enumerate() {
        track.inputs.push(place(at + 1, values, true)?);
    }
    let known = track.states.iter().flatten().any(Option::is_some);
    if !known && model.state_vars() > 0 {
        return Err(DocumentMisfit::Foreign);
    }
    // With processes, which one runs is said once more by each of them.
    let processes = model.vars.iter().any(|var| var.origin == Origin::Process);
    let running = |name: &String| name == "running" || name.ends_with(".running");
    unknown.retain(|name| !(processes && running(name)));
    let mut notes = Vec::new();
    if !unknown.is_empty() {
        let names: Vec<String> = unknown.into_iter().collect();
        notes.push(format!(
            "the model has no {}, which the trace speaks of",
            some(&names)
        ));
    }
    let open = |at: usize| track.states.iter().any(|state| state[at].is_none());
    let open: Vec<String> = (0..states)
        .filter(|&at| open(at) && model.vars[VarId::new(at)].is_declared())
        .map(|at| model.vars[VarId::new(at)].name.clone())
        .collect();
    if !open.is_empty() {
        notes.push(format!(
            "the trace leaves {} open: every value is tried",
            some(&open)
        ));
    }
    Ok(Fitted {
        track,
        notes,
        claims,
    })
}

impl Fitted {
    /// Sentences about the named expressions whose values in the run are not those of the trace.
    pub fn wrong_defines(&self, model: &Model, walk: &Walk) -> Vec<String> {
        let interpreter = Interpreter::new(model);
        let mut told = BTreeSet::new();
        let wrong = self.claims.iter().filter_map(|(at, name, term, datum)| {
            let values = interpreter.values(*term, Env::state(walk.states.get(*at)?));
            let shown: Vec<String> = values
                .iter()
                .map(|&value| model.names.show(value).to_string())
                .collect();
            let (is, said) = (shown.join(" or "), datum.text());
            if is == said || !told.insert(name.clone()) {
                return None;
            }
            let name = clean(name);
            Some(format!(
                "the trace says {name} = {said} at step {at}, but it is {is}"
            ))
        });
        wrong.collect()
    }
}

/// The value of a variable that a datum stands for.
pub(crate) fn value(
    model: &Model,
    var: VarId,
    datum: &Datum,
    state: usize,
) -> Result<Value, DocumentMisfit> {
    let variable = &model.vars[var];
    let candidates = match datum {
        Datum::Bool(truth) => [Some(Value::Bool(*truth)), None],
        // Old traces write 0 and 1 for truth values.
        Datum::Int(n) => [
            Some(Value::Int(*n)),
            (0..=1).contains(n).then_some(Value::Bool(*n == 1)),
        ],
        Datum::Word(word) => [
            model.names.find(word).map(Value::Symbol),
            word.parse().ok().map(Value::Word),
        ],
        Datum::Other(_) => [None, None],
    };
    let mut fitting = candidates
        .into_iter()
        .flatten()
        .filter(|value| variable.domain.index_of(*value).is_some());
    fitting.next().ok_or_else(|| DocumentMisfit::Value {
        state,
        name: clean(&variable.name),
        value: datum.text(),
        domain: domain_text(model, &variable.domain),
    })
}

fn domain_text(model: &Model, domain: &Domain) -> String {
    match domain {
        Domain::Range { low, high } => format!("{low}..{high}"),
        _ => {
            const FEW: usize = 8;
            let show = |value| clean(&model.names.show(value).to_string());
            let mut texts: Vec<String> = domain.values().take(FEW).map(show).collect();
            if domain.size() > FEW as u128 {
                texts.push("...".to_string());
            }
            texts.join(", ")
        }
    }
}

/// Names in quotes, the first few of many.
pub(super) fn some(names: &[String]) -> String {
    const FEW: usize = 5;
    let quoted = names
        .iter()
        .take(FEW)
        .map(|name| format!("`{}`", clean(name)));
    let mut texts: Vec<String> = quoted.collect();
    if names.len() > FEW {
        texts.push(count(names.len() - FEW, "other"));
    }
    list(&texts)
}
