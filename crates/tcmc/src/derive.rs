//! Problems derived from a command: other questions about the same model.
//!
//! They are made of resolved terms, not of text, in a copy of the model: the significance axioms, and
//! the model in which a state without a step goes to itself (Farheen, Day, Vakili and Abbassi 2020, sections
//! 6 and 7).

use wherefore_alloy::model::{
    AlloyBinaryOp, AlloyQuantifier, AlloyTerm, AlloyTermId, AlloyTermKind, AlloyUnaryOp,
    AlloyVarId, AlloyVariable, Binding, Command, CommandGoal, Fact, Mult,
};
use wherefore_alloy::{AlloyModel, AlloyType};
use wherefore_base::{Span, deep};

use crate::advice::{Lets, conjuncts_of_present, mentions};
use crate::definition::tells_steps;
use crate::misfit::TcmcMisfit;
use crate::operation::{StepDefinition, handed_on};
use crate::reading::{SystemReading, conjuncts};

/// A model with something to ask of it.
#[derive(Clone, Debug)]
pub struct Derived {
    /// A copy of the model, with more terms and perhaps other facts.
    pub model: AlloyModel,
    /// What is asked; its scopes are those of the command it is derived from.
    pub command: Command,
}

/// The axioms that make an instance worth looking at: every state can be reached from an initial state, and
/// every operation happens; none if nobody knows what the operations are.
///
/// # Errors
/// When the module has no initial states or steps.
pub fn significance(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
) -> Result<Option<Derived>, TcmcMisfit> {
    let (model, written) = preconditions(model, reading, command.span);
    if written.is_empty() {
        return Ok(None);
    }
    let mut writer = TermWriter::new(&model, reading, command.span);
    let mut parts = vec![writer.all_reachable()?];
    for operation in &written {
        let bindings = vec![writer.state(operation.s), writer.state(operation.t)];
        parts.push(writer.quantified(AlloyQuantifier::Some, bindings, operation.happens));
    }
    let goal = writer.formula(AlloyTermKind::Block(parts));
    Ok(Some(writer.run(goal, command)))
}

/// The axiom that every state can be reached from an initial state.
///
/// # Errors
/// When the module has no initial states or steps.
pub(crate) fn reachable(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
) -> Result<Derived, TcmcMisfit> {
    let mut writer = TermWriter::new(model, reading, command.span);
    let goal = writer.all_reachable()?;
    Ok(writer.run(goal, command))
}

/// The command where every state can be reached, and a state without a step goes to itself.
///
/// # Errors
/// When the module has no initial states or steps.
pub fn dead_loops(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
) -> Result<Derived, TcmcMisfit> {
    let mut writer = TermWriter::new(model, reading, command.span);
    let (s, t, body) = reading.step;
    let name = writer.model.vars[t].name;
    let u = writer.model.vars.push(AlloyVariable {
        name,
        ..writer.model.vars[t].clone()
    });
    let (now, then, other) = (writer.var(s), writer.var(t), writer.var(u));
    // No step from s to any u; in the body the next state is called t.
    let step = writer.formula(AlloyTermKind::Let(t, other, body));
    let any = writer.state(u);
    let none = writer.quantified(AlloyQuantifier::No, vec![any], step);
    let same = writer.formula(AlloyTermKind::Binary(AlloyBinaryOp::Equal, now, then));
    let stays = writer.formula(AlloyTermKind::Binary(AlloyBinaryOp::And, none, same));
    let goes = writer.formula(AlloyTermKind::Binary(AlloyBinaryOp::Or, body, stays));
    let steps = writer.call("nextState")?;
    let pair = AlloyTermKind::Arrow(Mult::Set, Mult::Set, now, then);
    let pair = writer.term(pair, writer.model.terms[steps].ty.clone());
    let member = writer.formula(AlloyTermKind::Binary(AlloyBinaryOp::In, pair, steps));
    let defined = writer.formula(AlloyTermKind::Binary(AlloyBinaryOp::Iff, member, goes));
    let bindings = vec![writer.state(s), writer.state(t)];
    let defined = writer.quantified(AlloyQuantifier::All, bindings, defined);
    let reachable = writer.all_reachable()?;
    writer.replace_steps(reading, [defined, reachable]);
    Ok(Derived {
        model: writer.model,
        command: command.clone(),
    })
}

/// The formula of a check as a run, or the other way round.
pub(crate) fn turned(command: &Command) -> Command {
    Command {
        check: !command.check,
        expect: None,
        ..command.clone()
    }
}

/// The facts alone, as a run.
pub(crate) fn nothing(model: &AlloyModel, reading: &SystemReading, command: &Command) -> Derived {
    let mut writer = TermWriter::new(model, reading, command.span);
    let goal = writer.formula(AlloyTermKind::Block(Vec::new()));
    writer.run(goal, command)
}

/// An operation as formulas over two states.
#[derive(Clone, Debug)]
pub(crate) struct Precondition {
    pub(crate) name: String,
    pub(crate) s: AlloyVarId,
    pub(crate) t: AlloyVarId,
    /// That it happens from one state to the other.
    pub(crate) happens: AlloyTermId,
    /// What it says of the present state alone; none if it says nothing.
    pub(crate) begins: Option<AlloyTermId>,
}

/// A copy of a model, with the operations and their preconditions as formulas.
pub(crate) fn preconditions(
    model: &AlloyModel,
    reading: &SystemReading,
    span: Span,
) -> (AlloyModel, Vec<Precondition>) {
    let mut writer = TermWriter::new(model, reading, span);
    let mut written = Vec::new();
    let guards = guards(model, reading.step);
    let operations = match guards {
        // The predicate of all steps is none of them then.
        Some(_) => &[][..],
        None => &reading.operations,
    };
    for operation in operations {
        writer.span = model.terms[operation.call].span;
        let parts = conjuncts_of_present(model, operation);
        let parts: Vec<AlloyTermId> = parts
            .into_iter()
            .map(|(lets, part)| writer.with(lets, part))
            .collect();
        let around =
            |writer: &mut TermWriter<'_>, body: AlloyTermId| match operation.some.is_empty() {
                true => body,
                false => writer.quantified(AlloyQuantifier::Some, operation.some.clone(), body),
            };
        let begins = (!parts.is_empty()).then(|| {
            let all = writer.formula(AlloyTermKind::Block(parts));
            around(&mut writer, all)
        });
        let happens = around(&mut writer, operation.call);
        written.push(Precondition {
            name: operation.name.clone(),
            s: operation.s,
            t: operation.t,
            happens,
            begins,
        });
    }
    let (s, t, step) = reading.step;
    for OperationGuard { name, lets, guard } in guards.unwrap_or_default() {
        writer.span = model.terms[guard].span;
        let begins = writer.with(lets, guard);
        // The step is the conjunction of all implications, so the operation happens where its guard holds.
        let happens = writer.formula(AlloyTermKind::Binary(AlloyBinaryOp::And, begins, step));
        written.push(Precondition {
            name,
            s,
            t,
            happens,
            begins: Some(begins),
        });
    }
    (writer.model, written)
}

/// An operation of a step that is a conjunction of implications: when it begins, its end must come.
pub(crate) struct OperationGuard {
    pub(crate) name: String,
    /// Variables that stand for the present state, as it does itself.
    pub(crate) lets: Lets,
    pub(crate) guard: AlloyTermId,
}

/// The operations of a step that is a conjunction of at least two implications from the present state, each perhaps in a
/// predicate of its own; none if it is not.
pub(crate) fn guards(model: &AlloyModel, step: StepDefinition) -> Option<Vec<OperationGuard>> {
    let mut found = Vec::new();
    guards_in(model, step, None, &Lets::new(), &mut found)?;
    (found.len() > 1).then_some(found)
}

fn guards_in(
    model: &AlloyModel,
    (s, t, body): (AlloyVarId, AlloyVarId, AlloyTermId),
    name: Option<&str>,
    lets: &Lets,
    found: &mut Vec<OperationGuard>,
) -> Option<()> {
    for part in conjuncts(model, body) {
        match &model.terms[part].kind {
            &AlloyTermKind::Binary(AlloyBinaryOp::Implies, guard, _)
                if !mentions(model, guard, t) =>
            {
                let name = match (name, &model.terms[guard].kind) {
                    (Some(name), _) => name.to_owned(),
                    (None, AlloyTermKind::Call(function, _)) => {
                        model.functions[*function].label.clone()
                    }
                    (None, _) => format!("operation {}", found.len() + 1),
                };
                found.push(OperationGuard {
                    name,
                    lets: lets.clone(),
                    guard,
                });
            }
            AlloyTermKind::Call(function, arguments) => {
                let inner = handed_on(model, *function, arguments, s, t)?;
                let is_present = |&&argument: &&AlloyTermId| matches!(model.terms[argument].kind, AlloyTermKind::Var(var) if var == s);
                let present = *arguments.iter().find(is_present)?;
                let lets = [lets.clone(), vec![(inner.0, present)]].concat();
                let name = &model.functions[*function].label;
                deep(|| guards_in(model, inner, Some(name), &lets, found))?;
            }
            _ => return None,
        }
    }
    Some(())
}

/// Adds terms to a copy of a model.
struct TermWriter<'r> {
    model: AlloyModel,
    reading: &'r SystemReading,
    /// The place that new terms have.
    span: Span,
}

impl<'r> TermWriter<'r> {
    fn new(model: &AlloyModel, reading: &'r SystemReading, span: Span) -> Self {
        Self {
            model: model.clone(),
            reading,
            span,
        }
    }

    /// The model with a run of a formula in the scopes of a command.
    fn run(self, goal: AlloyTermId, command: &Command) -> Derived {
        Derived {
            model: self.model,
            command: Command {
                check: false,
                goal: CommandGoal::Formula(goal),
                expect: None,
                ..command.clone()
            },
        }
    }

    fn term(&mut self, kind: AlloyTermKind, ty: AlloyType) -> AlloyTermId {
        let span = self.span;
        self.model.terms.push(AlloyTerm { kind, ty, span })
    }

    fn formula(&mut self, kind: AlloyTermKind) -> AlloyTermId {
        let mut ty = AlloyType::default();
        ty.is_formula = true;
        self.term(kind, ty)
    }

    /// A formula in which some variables have values.
    fn with(&mut self, lets: Lets, body: AlloyTermId) -> AlloyTermId {
        // The outermost variable is the first of the list, so the innermost one is wrapped first.
        let inner = lets.into_iter().rev().fold(body, |body, (var, value)| {
            self.formula(AlloyTermKind::Let(var, value, body))
        });
        self.formula(AlloyTermKind::Block(vec![inner]))
    }

    fn var(&mut self, var: AlloyVarId) -> AlloyTermId {
        self.term(AlloyTermKind::Var(var), self.model.vars[var].ty.clone())
    }

    /// The binding of a variable to any state.
    fn state(&mut self, var: AlloyVarId) -> Binding {
        let (state, ty) = (
            self.reading.state,
            self.model.sigs[self.reading.state].ty.clone(),
        );
        let sig = self.term(AlloyTermKind::Sig(state), ty.clone());
        let bound = self.term(AlloyTermKind::Mult(Mult::One, sig), ty);
        Binding {
            vars: vec![var],
            disj: false,
            bound,
        }
    }

    fn quantified(
        &mut self,
        how: AlloyQuantifier,
        bindings: Vec<Binding>,
        body: AlloyTermId,
    ) -> AlloyTermId {
        self.formula(AlloyTermKind::Quantified(how, bindings, body))
    }

    /// The value of a function of the module.
    fn call(&mut self, name: &str) -> Result<AlloyTermId, TcmcMisfit> {
        let (model, module) = (&self.model, &self.reading.module);
        let mut ids = model.functions.ids();
        let id = ids.find(|&id| module.function(model, id) == Some(name));
        let body = id.and_then(|id| model.functions[id].body);
        let (Some(id), Some(body)) = (id, body) else {
            let message = format!("The temporal module has no function `{name}`");
            return Err(TcmcMisfit::new(self.span, message));
        };
        let ty = model.terms[body].ty.clone();
        Ok(self.term(AlloyTermKind::Call(id, Vec::new()), ty))
    }

    /// `all s: State | s in initialState.*nextState`
    fn all_reachable(&mut self) -> Result<AlloyTermId, TcmcMisfit> {
        let initial = self.call("initialState")?;
        let steps = self.call("nextState")?;
        let (set, pairs) = (
            self.model.terms[initial].ty.clone(),
            self.model.terms[steps].ty.clone(),
        );
        let closure = self.term(
            AlloyTermKind::Unary(AlloyUnaryOp::ReflexiveClosure, steps),
            pairs,
        );
        let reached = self.term(AlloyTermKind::Join(initial, closure), set);
        let template = self.model.vars[self.reading.step.0].clone();
        let var = self.model.vars.push(template);
        let element = self.var(var);
        let member = self.formula(AlloyTermKind::Binary(AlloyBinaryOp::In, element, reached));
        let binding = self.state(var);
        Ok(self.quantified(AlloyQuantifier::All, vec![binding], member))
    }

    /// Puts other facts in the place of what defines the steps.
    fn replace_steps(&mut self, reading: &SystemReading, others: [AlloyTermId; 2]) {
        let mut facts = Vec::new();
        for fact in &self.model.facts {
            // Of a fact that is a conjunction, perhaps only a part is about the steps.
            for part in conjuncts(&self.model, fact.body) {
                if !tells_steps(&self.model, reading, part) {
                    facts.push(Fact {
                        body: part,
                        ..fact.clone()
                    });
                }
            }
        }
        facts.extend(others.map(|body| Fact {
            label: String::new(),
            body,
            span: self.span,
        }));
        self.model.facts = facts;
    }
}
