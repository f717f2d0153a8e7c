//! The names of steps.

use wherefore_base::Value;
use wherefore_model::lts::StateId;
use wherefore_model::{Env, Interpreter, Model, Origin, VarId, Variable};

use super::Actions;
use crate::cover::cover;

/// A label lists so many ways to choose inputs.
const LISTED: usize = 3;

/// What a step enters.
pub(super) struct EnteredTarget {
    pub(super) name: StateId,
    pub(super) values: Vec<Value>,
    /// The inputs that lead there, in order.
    pub(super) inputs: Vec<Vec<Value>>,
    /// Whether there are more of them.
    pub(super) more: bool,
}

/// Makes the names of steps.
pub(super) struct StepLabels<'a> {
    model: &'a Model,
    interpreter: Interpreter<'a>,
    actions: &'a Actions,
}

impl<'a> StepLabels<'a> {
    pub(super) fn new(model: &'a Model, actions: &'a Actions) -> Self {
        Self {
            model,
            interpreter: Interpreter::new(model),
            actions,
        }
    }

    /// The names of the steps from a state to all its successors.
    pub(super) fn of(&self, from: &[Value], targets: &[EnteredTarget]) -> Vec<String> {
        let with_inputs = self.model.input_vars() > 0;
        let name = |target: &EnteredTarget| match self.actions {
            Actions::Auto if with_inputs && decided(target, targets) => {
                self.inputs(target, targets)
            }
            Actions::Auto | Actions::Both if with_inputs => {
                let inputs = self.inputs(target, targets);
                format!("{inputs}: {}", self.changes(from, &target.values))
            }
            Actions::Auto | Actions::Both | Actions::Changes => self.changes(from, &target.values),
            Actions::Inputs => self.inputs(target, targets),
            Actions::Variable(var) => self.variable(*var, from, target),
            Actions::Define(name, term) => {
                let value = |input: &[Value]| {
                    let env = Env {
                        state: from,
                        input,
                        next: &target.values,
                    };
                    self.interpreter.values(*term, env)
                };
                let values: Vec<Value> = match target.inputs.is_empty() {
                    true => value(&[]),
                    false => target
                        .inputs
                        .iter()
                        .flat_map(|input| value(input))
                        .collect(),
                };
                self.one_of(name, values, target.more)
            }
        };
        targets.iter().map(name).collect()
    }

    /// The names of the steps from nowhere to the initial states.
    pub(super) fn of_start(&self, states: &[Vec<Value>]) -> Vec<String> {
        let vars = (0..self.model.state_vars()).filter(|&at| self.is_declared(at));
        let differs = |at: &usize| states.iter().any(|state| state[*at] != states[0][*at]);
        let differing: Vec<usize> = vars.filter(differs).collect();
        let name = |state: &Vec<Value>| {
            let settings = differing.iter().map(|&at| self.setting(at, state[at]));
            format!("start: {}", settings.collect::<Vec<_>>().join(" & "))
        };
        states.iter().map(name).collect()
    }

    fn setting(&self, var: usize, value: Value) -> String {
        let Variable { name, origin, .. } = &self.model.vars[VarId::new(var)];
        let value = self.model.names.show(value);
        match origin {
            Origin::Process => format!("{value} runs"),
            Origin::Operation => value.to_string(),
            Origin::Declared | Origin::Hidden => format!("{name}={value}"),
        }
    }

    fn is_declared(&self, var: usize) -> bool {
        self.model.vars[VarId::new(var)].is_declared()
    }

    /// `door=open & floor=2`
    fn changes(&self, from: &[Value], to: &[Value]) -> String {
        let changed = (0..from.len()).filter(|&at| from[at] != to[at] && self.is_declared(at));
        let changed: Vec<String> = changed.map(|at| self.setting(at, to[at])).collect();
        match changed.is_empty() {
            true => "nothing changes".to_string(),
            false => changed.join(" & "),
        }
    }

    /// `call=3 or call=4`: what tells the inputs of a step from the others that are possible in its state.
    fn inputs(&self, target: &EnteredTarget, targets: &[EnteredTarget]) -> String {
        let states = self.model.state_vars();
        let text = |input: &[Value], places: &[usize]| {
            let settings = places
                .iter()
                .map(|&at| self.setting(states + at, input[at]));
            let settings: Vec<String> = settings.collect();
            match settings.is_empty() {
                true => "any input".to_string(),
                false => settings.join(" & "),
            }
        };
        let places: Vec<usize> = (0..self.model.input_vars()).collect();
        if self.model.input_vars() == 0 {
            return "step".to_string();
        }
        // Where not all inputs are listed, what tells them apart cannot be known.
        if targets.iter().any(|target| target.more) {
            let first = text(&target.inputs[0], &places);
            let several = target.more || target.inputs.len() > 1;
            return if several {
                format!("{first} or ...")
            } else {
                first
            };
        }
        let mut others: Vec<Vec<Value>> = Vec::new();
        for other in targets {
            let fresh = other.inputs.iter();
            others.extend(
                fresh
                    .filter(|i| {
                        target
                            .inputs
                            .binary_search_by(|own| self.compare(own, i))
                            .is_err()
                    })
                    .cloned(),
            );
        }
        // Later inputs are given up first.
        let give_up: Vec<usize> = places.into_iter().rev().collect();
        let cubes = cover(&target.inputs, &others, &give_up);
        let texts = cubes.iter().take(LISTED);
        let mut texts: Vec<String> = texts
            .map(|cube| text(&target.inputs[cube.rows[0]], &cube.places))
            .collect();
        if cubes.len() > LISTED {
            texts.push("...".to_string());
        }
        texts.join(" or ")
    }

    /// The order in which inputs are listed: by the values of their variables, in the order of their domains.
    fn compare(&self, a: &[Value], b: &[Value]) -> std::cmp::Ordering {
        let states = self.model.state_vars();
        let index = |at: usize, value: Value| {
            let domain = &self.model.vars[VarId::new(states + at)].domain;
            domain.index_of(value)
        };
        let pairs = a.iter().zip(b).enumerate();
        let mut orders = pairs.map(|(at, (&a, &b))| index(at, a).cmp(&index(at, b)));
        orders
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    }

    fn variable(&self, var: VarId, from: &[Value], target: &EnteredTarget) -> String {
        let name = &self.model.vars[var].name;
        match var.index().checked_sub(self.model.state_vars()) {
            None => self.one_of(name, vec![from[var.index()]], false),
            Some(at) => {
                let values = target.inputs.iter().map(|input| input[at]).collect();
                self.one_of(name, values, target.more)
            }
        }
    }

    /// `name=a or b`
    fn one_of(&self, name: &str, mut values: Vec<Value>, more: bool) -> String {
        let mut seen = Vec::new();
        values.retain(|value| {
            let fresh = !seen.contains(value);
            seen.push(*value);
            fresh
        });
        let mut texts: Vec<String> = (values.iter().take(LISTED))
            .map(|&value| self.model.names.show(value).to_string())
            .collect();
        if more || values.len() > LISTED {
            texts.push("...".to_string());
        }
        format!("{name}={}", texts.join(" or "))
    }
}

/// Whether the inputs that lead to a target lead nowhere else.
fn decided(target: &EnteredTarget, targets: &[EnteredTarget]) -> bool {
    let others = targets.iter().filter(|other| other.name != target.name);
    let shares = |other: &EnteredTarget| other.inputs.iter().any(|i| target.inputs.contains(i));
    !target.more && !others.into_iter().any(shares)
}
