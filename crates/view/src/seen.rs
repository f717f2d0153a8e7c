//! What people are shown of states and steps.
//!
//! A model has variables that nobody declared: which process runs, what fairness remembers of the last
//! step. Documents have them all, since replay needs them. On a screen the process is told in words
//! (`door runs`), and the others appear only where everything is asked for.

use wherefore_base::Value;
use wherefore_model::{BinaryOp, Origin, Term, TermId, VarId};

use crate::Report;

impl<'a> Report<'a> {
    /// The variables of the state that are shown, in order; `full`: all of them.
    pub(crate) fn seen_vars(&self, full: bool) -> impl Iterator<Item = VarId> + use<'a> {
        let model = self.model;
        self.state_vars()
            .filter(move |&var| full || model.vars[var].is_declared())
    }

    /// The input of a step in words: `press=3 go=TRUE`, only the name of a constant where that is the
    /// only input, `door runs` for the choice of a process; empty when there is no input.
    pub(crate) fn input_text(&self, input: &[Value]) -> String {
        if let ([value @ Value::Symbol(_)], false) = (input, self.only_chooses_process()) {
            return self.value(*value);
        }
        let mut runs = Vec::new();
        let mut others = Vec::new();
        for (var, value) in self.inputs(input) {
            match self.model.vars[var].origin {
                Origin::Process => runs.push(format!("{} runs", self.value(value))),
                Origin::Declared | Origin::Operation | Origin::Hidden => {
                    others.push(format!("{}={}", self.name(var), self.value(value)));
                }
            }
        }
        runs.extend((!others.is_empty()).then(|| others.join(" ")));
        runs.join(", ")
    }

    /// What inputs are called: `process` where they only choose one.
    pub(crate) fn input_title(&self) -> &'static str {
        match self.only_chooses_process() {
            _ if self.only_chooses_operation() => "operation",
            true => "process",
            false => "input",
        }
    }

    /// Whether the only input says which operation a step is.
    pub(crate) fn only_chooses_operation(&self) -> bool {
        let inputs = &self.model.vars.as_slice()[self.model.state_vars()..];
        matches!(inputs, [input] if input.origin == Origin::Operation)
    }

    /// Whether the only input is the choice of a process.
    pub(crate) fn only_chooses_process(&self) -> bool {
        let inputs = &self.model.vars.as_slice()[self.model.state_vars()..];
        matches!(inputs, [input] if input.origin == Origin::Process)
    }

    /// What a step to a state does, each thing for itself: which process runs, where the state knows,
    /// and each shown variable that has another value than before.
    pub(crate) fn moves(&self, old: &[Value], new: &[Value]) -> Vec<String> {
        let ran = self.ran(new).map(|process| format!("{process} runs"));
        let things = self.things(false).into_iter();
        let changed = things.filter(|thing| thing.change(old, new).is_some());
        let changed = changed.map(|thing| self.thing_change(thing, old, new));
        ran.into_iter().chain(changed).collect()
    }

    /// The process that took the step to a state, where the state knows.
    pub(crate) fn ran(&self, state: &[Value]) -> Option<String> {
        let mut vars = self.state_vars();
        let var = vars.find(|&var| self.model.vars[var].origin == Origin::Process)?;
        Some(self.value(state[var.index()]))
    }

    /// The text of a fairness condition; of `running`, also whose it is.
    pub(crate) fn fairness_text(&self, condition: TermId) -> String {
        let terms = &self.model.terms;
        if let Term::Binary(BinaryOp::Equal, a, b) = *terms.get(condition)
            && let (Term::Var(var), Term::Const(process)) = (terms.get(a), terms.get(b))
            && self.model.vars[*var].origin == Origin::Process
        {
            return match &*self.value(*process) {
                "main" => "running".to_string(),
                process => format!("{process}.running"),
            };
        }
        self.term(condition)
    }

    /// In words that a variable which nobody declared has one of these values; `None`: that is not
    /// shown.
    pub(crate) fn undeclared(&self, var: VarId, values: &[Value]) -> Option<String> {
        let values: Vec<String> = values.iter().map(|&value| self.value(value)).collect();
        match self.model.vars[var].origin {
            Origin::Process => Some(format!("{} ran last", values.join(" or "))),
            Origin::Declared | Origin::Operation | Origin::Hidden => None,
        }
    }
}
