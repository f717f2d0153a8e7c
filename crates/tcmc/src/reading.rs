//! Finding the transition system in a model.
//!
//! A definition is a fact that says for every state whether it is initial, for every pair of states whether it
//! is a step, for every state whether it is fair: `all s: State | s in initialState iff init[s]`, or
//! `initialState = {s: State | init[s]}`. Every other fact speaks of one state, of two, or of none; those that speak of
//! all states at once are kept apart.

use wherefore_alloy::Model;
use wherefore_alloy::model::{
    BinaryOp, Binding, FieldId, FunctionId, Mult, Place, Quantifier, SigId, TermId, TermKind, VarId,
};
use wherefore_base::{Span, deep};

use crate::fairness::{self, Constraint, Fair};
use crate::local::Locality;
use crate::misfit::Misfit;

/// The module of temporal operators that a model opens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// The names of what it declares begin with this, as `ctl/`.
    pub prefix: String,
    /// The signature that holds the transition system.
    pub system: SigId,
    /// The field of the initial states.
    pub initial: FieldId,
    /// The field of the steps.
    pub steps: FieldId,
    /// The field of the states that must come again and again, if there is one.
    pub fair: Option<FieldId>,
}

/// A transition system as a model describes it. Definitions are bodies with the variables that stand for the
/// present state and for the next one.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The module of temporal operators.
    pub module: Module,
    /// The signature of the states.
    pub state: SigId,
    /// What an initial state is.
    pub initial: (VarId, TermId),
    /// What a step is.
    pub step: (VarId, VarId, TermId),
    /// Which states must come again and again: one definition, or one for each of several constraints.
    pub fair: Vec<Fair>,
    /// Whether several fairness constraints are made one by counting them off, instead of being asked for directly.
    pub counted: bool,
    /// What every state satisfies.
    pub invariants: Vec<(VarId, TermId)>,
    /// What is said of pairs of states, not of steps alone.
    pub pairs: Vec<(VarId, VarId, TermId)>,
    /// What is said of every step, beside what a step is.
    pub promised: Vec<(VarId, VarId, TermId)>,
    /// What is said without states.
    pub still: Vec<TermId>,
    /// What is said of all states at once, as that each of them has a step, with what makes it so. It is no part of the
    /// complete system: see [`broken_fact`](crate::broken_fact).
    pub whole: Vec<(TermId, Misfit)>,
    /// The predicates whose disjunction the step is, if it is one.
    pub operations: Vec<Operation>,
}

/// One way to take a step: a predicate, for some values of its other arguments.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The name of its predicate.
    pub name: String,
    /// The variable that stands for the present state.
    pub s: VarId,
    /// The variable that stands for the next state.
    pub t: VarId,
    /// What the quantifiers around the predicate declare, the outermost first.
    pub some: Vec<Binding>,
    /// The call of the predicate, over all these variables.
    pub call: TermId,
}

impl Module {
    /// The module of temporal operators of a model, if it opens one.
    pub fn of(model: &Model) -> Option<Self> {
        let entry = |label: &str| {
            let (prefix, name) = label.rsplit_once('/')?;
            matches!(name, "ctl_mc" | "ctlfc_mc").then(|| format!("{prefix}/"))
        };
        let mut functions = model.functions.iter();
        let prefix = functions.find_map(|function| entry(&function.label))?;
        let label = format!("{prefix}TS");
        let (system, _) = model.declared().find(|(_, sig)| sig.label == label)?;
        let field = |name: &str| {
            let mut fields = model.fields.entries();
            let found = fields
                .find(|(_, field)| field.sig == system && model.names.text(field.name) == name);
            found.map(|(id, _)| id)
        };
        Some(Self {
            initial: field("S0")?,
            steps: field("sigma")?,
            fair: field("FC"),
            system,
            prefix,
        })
    }

    /// The name of a function of the module.
    pub fn function<'m>(&self, model: &'m Model, id: FunctionId) -> Option<&'m str> {
        model.functions[id].label.strip_prefix(&self.prefix)
    }

    /// Whether a signature is declared by the module.
    pub fn owns(&self, model: &Model, sig: SigId) -> bool {
        model.sigs[sig].label.starts_with(&self.prefix)
    }

    /// The signature of the states, if there is one.
    pub fn states(&self, model: &Model) -> Option<SigId> {
        match model.fields[self.initial].ty.products() {
            [product] => product.last().copied(),
            _ => None,
        }
    }

    /// Whether a term is the value of a field of the system, also by the function that gives it.
    pub(crate) fn is_field(&self, model: &Model, term: TermId, field: FieldId, name: &str) -> bool {
        match &model.terms[term].kind {
            TermKind::Call(function, arguments) => {
                arguments.is_empty() && self.function(model, *function) == Some(name)
            }
            TermKind::Join(left, right) => {
                matches!(model.terms[*left].kind, TermKind::Sig(sig) if sig == self.system)
                    && matches!(model.terms[*right].kind, TermKind::Field(id) if id == field)
            }
            TermKind::Mult(_, inner) => self.is_field(model, *inner, field, name),
            _ => false,
        }
    }
}

/// What a fact defines.
pub(crate) enum Part {
    Initial(VarId, TermId),
    Step(VarId, VarId, TermId),
    Fair(VarId, TermId),
}

impl Reading {
    /// Reads the transition system of a model; none if the model opens no module for one.
    ///
    /// # Errors
    /// When the model opens such a module and does not describe a transition system state by state.
    pub fn of(model: &Model) -> Result<Option<Self>, Misfit> {
        let Some(module) = Module::of(model) else {
            return Ok(None);
        };
        let state = state_signature(model, &module)?;
        let (mut initial, mut step, mut fair) = (Vec::new(), Vec::new(), Vec::new());
        let (mut invariants, mut pairs, mut still) = (Vec::new(), Vec::new(), Vec::new());
        let (mut promised, mut whole) = (Vec::new(), Vec::new());
        let locality = Locality::new(model, &module, state);
        for (_, sig) in model.declared().filter(|(id, _)| !module.owns(model, *id)) {
            sig.fact.map_or(Ok(()), |said| locality.body(said))?;
        }
        let bodies: Vec<TermId> = model.facts.iter().map(|fact| fact.body).collect();
        for term in bodies.into_iter().flat_map(|body| conjuncts(model, body)) {
            if in_module(model, &module, term) {
                continue;
            }
            if let Some(one) = fairness::definition(model, &module, state, term) {
                fair.push(one);
                continue;
            }
            match definition(model, &module, state, term) {
                Some(Part::Initial(s, body)) => initial.push((s, body)),
                Some(Part::Step(s, t, body)) => step.push((s, t, body)),
                Some(Part::Fair(s, body)) => {
                    let of = Constraint::Only;
                    fair.push(Fair { of, s, body });
                }
                None => match states_for_all(model, state, term) {
                    Some((vars, body)) => {
                        let step = of_steps(model, &module, &vars, body);
                        if let Err(misfit) = locality.body(step.map_or(body, |step| step.2)) {
                            whole.push((term, misfit));
                            continue;
                        }
                        match (step, &vars[..]) {
                            (Some(step), _) => promised.push(step),
                            (None, &[s]) => invariants.push((s, body)),
                            (None, &[s, t]) => pairs.push((s, t, body)),
                            (None, _) => return Err(odd_fact(model, term)),
                        }
                    }
                    None => match locality.body(term) {
                        Ok(()) => still.push(term),
                        Err(misfit) => whole.push((term, misfit)),
                    },
                },
            }
        }
        let span = model.sigs[state].span;
        let initial = only(&initial, "the initial states", span, model)?;
        let (s, t, body) = match step[..] {
            [step] => step,
            [] => return Err(missing("the steps", span)),
            [_, (_, _, second), ..] => return Err(twice("The steps", model.terms[second].span)),
        };
        if module.fair.is_some() {
            fairness::check(model, &module, &fair, span)?;
        }
        locality.body(initial.1)?;
        locality.body(body)?;
        for fair in &fair {
            locality.body(fair.body)?;
        }
        Ok(Some(Self {
            operations: operations(model, (s, t, body)).unwrap_or_default(),
            module,
            state,
            initial,
            step: (s, t, body),
            fair,
            counted: false,
            invariants,
            pairs,
            promised,
            still,
            whole,
        }))
    }
}

/// Whether a fact that is true of a system is true of every set of its states with the steps between them, as it is if
/// it says of every state, of every two or of every step something that their own fields decide.
pub(crate) fn holds_in_parts(model: &Model, module: &Module, state: SigId, term: TermId) -> bool {
    let locality = Locality::new(model, module, state);
    let said = match fairness::definition(model, module, state, term) {
        Some(fair) => Some(fair.body),
        None => match definition(model, module, state, term) {
            Some(Part::Initial(_, body) | Part::Fair(_, body) | Part::Step(_, _, body)) => {
                Some(body)
            }
            None => states_for_all(model, state, term).map(|(vars, body)| {
                let step = of_steps(model, module, &vars, body);
                step.map_or(body, |(_, _, said)| said)
            }),
        },
    };
    locality.body(said.unwrap_or(term)).is_ok()
}

fn only(
    found: &[(VarId, TermId)],
    what: &str,
    span: Span,
    model: &Model,
) -> Result<(VarId, TermId), Misfit> {
    match *found {
        [one] => Ok(one),
        [] => Err(missing(what, span)),
        [_, (_, second), ..] => Err(twice(
            &format!("{}{}", what[..1].to_uppercase(), &what[1..]),
            model.terms[second].span,
        )),
    }
}

fn missing(what: &str, span: Span) -> Misfit {
    Misfit::new(
        span,
        format!("No fact says with `iff`, for every state, what {what} are"),
    )
}

fn twice(what: &str, span: Span) -> Misfit {
    Misfit::new(span, format!("{what} are defined a second time here"))
}

fn odd_fact(model: &Model, term: TermId) -> Misfit {
    Misfit::new(
        model.terms[term].span,
        "This fact speaks of more than two states at once",
    )
}

/// The signature of the states: a plain one, whose atoms are known by their fields.
pub(crate) fn state_signature(model: &Model, module: &Module) -> Result<SigId, Misfit> {
    let field = &model.fields[module.initial];
    let [product] = field.ty.products() else {
        return Err(Misfit::new(
            field.span,
            "The states are of several signatures",
        ));
    };
    let state = product[product.len() - 1];
    let sig = &model.sigs[state];
    if !sig.is_top_level() || !sig.children.is_empty() || sig.mult.is_some() {
        let message = "The signature of the states extends another one or is extended";
        return Err(Misfit::new(sig.span, message));
    }
    for (id, other) in model.declared() {
        let within = matches!(&other.place, Place::In { of, .. } if of.contains(&state));
        if within && !module.owns(model, id) {
            let message = "This is a set of states that is neither a field nor a definition";
            return Err(Misfit::new(other.span, message));
        }
    }
    for field in model.fields.iter() {
        let elsewhere = field.ty.products().iter().any(|product| {
            let rest = usize::from(field.sig == state);
            product[rest..].contains(&state)
        });
        if elsewhere && !module.owns(model, field.sig) {
            let message =
                "This field holds states, so a state is not known by its own fields alone";
            return Err(Misfit::new(field.span, message));
        }
    }
    for decl in &sig.decls {
        if decl.disj_value {
            let message = "`disj` makes the values of different states depend on each other";
            return Err(Misfit::new(model.terms[decl.bound].span, message));
        }
    }
    Ok(state)
}

/// The conjuncts of a formula.
pub(crate) fn conjuncts(model: &Model, term: TermId) -> Vec<TermId> {
    let mut open = vec![term];
    let mut parts = Vec::new();
    while let Some(term) = open.pop() {
        match &model.terms[term].kind {
            TermKind::Block(inner) => open.extend(inner.iter().rev()),
            &TermKind::Binary(BinaryOp::And, a, b) => open.extend([b, a]),
            _ => parts.push(term),
        }
    }
    parts
}

/// Whether a fact is one of the module's own.
pub(crate) fn in_module(model: &Model, module: &Module, term: TermId) -> bool {
    let file = model.sigs[module.system].span.file;
    model.terms[term].span.file == file
}

/// A block or a conjunction of one formula is that formula.
pub(crate) fn bare(model: &Model, term: TermId) -> TermId {
    match conjuncts(model, term)[..] {
        [one] => one,
        _ => term,
    }
}

/// The variables of a quantifier over states alone, which may be written as several ones inside each other.
pub(crate) fn states_for_all(
    model: &Model,
    state: SigId,
    term: TermId,
) -> Option<(Vec<VarId>, TermId)> {
    let mut vars = Vec::new();
    let mut body = bare(model, term);
    while let TermKind::Quantified(Quantifier::All, bindings, inner) = &model.terms[body].kind {
        let Some(more) = all_states(model, state, bindings) else {
            break;
        };
        vars.extend(more);
        body = bare(model, *inner);
    }
    (!vars.is_empty()).then_some((vars, body))
}

/// The variables of some bindings, if all of them stand for any state.
fn all_states(model: &Model, state: SigId, bindings: &[Binding]) -> Option<Vec<VarId>> {
    let mut vars = Vec::new();
    for binding in bindings {
        if binding.disj || !is_state_signature(model, state, binding.bound) {
            return None;
        }
        vars.extend(&binding.vars);
    }
    Some(vars)
}

pub(crate) fn is_state_signature(model: &Model, state: SigId, term: TermId) -> bool {
    match model.terms[term].kind {
        TermKind::Sig(sig) => sig == state,
        TermKind::Mult(Mult::One, inner) => is_state_signature(model, state, inner),
        _ => false,
    }
}

/// What a fact defines, if it is a definition.
pub(crate) fn definition(
    model: &Model,
    module: &Module,
    state: SigId,
    term: TermId,
) -> Option<Part> {
    let term = bare(model, term);
    if let TermKind::Binary(BinaryOp::Equal, a, b) = model.terms[term].kind {
        return set_definition(model, module, state, a, b)
            .or_else(|| set_definition(model, module, state, b, a));
    }
    let (vars, body) = states_for_all(model, state, term)?;
    let TermKind::Binary(BinaryOp::Iff, a, b) = model.terms[body].kind else {
        return None;
    };
    let (a, b) = (bare(model, a), bare(model, b));
    said_of(model, module, &vars, a, b).or_else(|| said_of(model, module, &vars, b, a))
}

/// `s in initialState iff body` and its relatives.
fn said_of(
    model: &Model,
    module: &Module,
    vars: &[VarId],
    member: TermId,
    body: TermId,
) -> Option<Part> {
    let TermKind::Binary(BinaryOp::In, element, set) = model.terms[member].kind else {
        return None;
    };
    let is =
        |term: TermId, var: VarId| matches!(model.terms[term].kind, TermKind::Var(v) if v == var);
    match (vars, &model.terms[element].kind) {
        (&[s], TermKind::Var(var)) if *var == s => {
            if module.is_field(model, set, module.initial, "initialState") {
                return Some(Part::Initial(s, body));
            }
            let fair = module
                .fair
                .filter(|_| module.constraints(model).is_none())?;
            module
                .is_field(model, set, fair, "fc")
                .then_some(Part::Fair(s, body))
        }
        (&[s, t], &TermKind::Arrow(_, _, a, b)) if is_step(module, model, set) => {
            if is(a, s) && is(b, t) {
                Some(Part::Step(s, t, body))
            } else if is(a, t) && is(b, s) {
                Some(Part::Step(t, s, body))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// `s -> t in nextState implies body`
fn of_steps(
    model: &Model,
    module: &Module,
    vars: &[VarId],
    body: TermId,
) -> Option<(VarId, VarId, TermId)> {
    let TermKind::Binary(BinaryOp::Implies, member, said) = model.terms[body].kind else {
        return None;
    };
    match said_of(model, module, vars, bare(model, member), said)? {
        Part::Step(s, t, said) => Some((s, t, said)),
        Part::Initial(..) | Part::Fair(..) => None,
    }
}

fn is_step(module: &Module, model: &Model, set: TermId) -> bool {
    module.is_field(model, set, module.steps, "nextState")
}

/// `initialState = {s: State | body}` and its relatives.
fn set_definition(
    model: &Model,
    module: &Module,
    state: SigId,
    set: TermId,
    value: TermId,
) -> Option<Part> {
    let TermKind::Quantified(Quantifier::Comprehension, bindings, body) = &model.terms[value].kind
    else {
        return None;
    };
    let body = bare(model, *body);
    match all_states(model, state, bindings)?[..] {
        [s] if module.is_field(model, set, module.initial, "initialState") => {
            Some(Part::Initial(s, body))
        }
        [s] if module.constraints(model).is_none()
            && module
                .fair
                .is_some_and(|fair| module.is_field(model, set, fair, "fc")) =>
        {
            Some(Part::Fair(s, body))
        }
        [s, t] if is_step(module, model, set) => Some(Part::Step(s, t, body)),
        _ => None,
    }
}

/// The operations of the steps, as far as a fact says what steps are; whether the model fits in other ways does
/// not matter.
pub(crate) fn step_operations(model: &Model, module: &Module) -> Vec<Operation> {
    let Some(state) = module.states(model) else {
        return Vec::new();
    };
    let facts = model.facts.iter().map(|fact| fact.body);
    let mut parts = facts.flat_map(|body| conjuncts(model, body));
    let step = parts.find_map(|term| match definition(model, module, state, term) {
        Some(Part::Step(s, t, body)) => Some((s, t, body)),
        _ => None,
    });
    step.and_then(|step| operations(model, step))
        .unwrap_or_default()
}

/// The predicates whose disjunction a step is, if it is one of several. A predicate of the two states of the
/// step is looked into.
fn operations(model: &Model, (s, t, body): (VarId, VarId, TermId)) -> Option<Vec<Operation>> {
    let mut open: Vec<(TermId, Vec<Binding>)> = vec![(body, Vec::new())];
    let mut found: Vec<Operation> = Vec::new();
    while let Some((term, around)) = open.pop() {
        let term = bare(model, term);
        match &model.terms[term].kind {
            &TermKind::Binary(BinaryOp::Or, a, b) => {
                open.extend([(b, around.clone()), (a, around)]);
            }
            TermKind::Quantified(Quantifier::Some, bindings, inner) => {
                let around = [around, bindings.clone()].concat();
                open.push((*inner, around));
            }
            TermKind::Call(function, arguments) => {
                let inner = around
                    .is_empty()
                    .then(|| {
                        deep(|| operations(model, handed_on(model, *function, arguments, s, t)?))
                    })
                    .flatten();
                match inner {
                    Some(inner) => found.extend(inner),
                    None => {
                        found.push(Operation {
                            name: model.functions[*function].label.clone(),
                            s,
                            t,
                            some: around,
                            call: term,
                        });
                    }
                }
            }
            _ => return None,
        }
    }
    (found.len() > 1).then_some(found)
}

/// The body of a predicate that is called with the two states of a step alone.
pub(crate) fn handed_on(
    model: &Model,
    function: FunctionId,
    arguments: &[TermId],
    s: VarId,
    t: VarId,
) -> Option<(VarId, VarId, TermId)> {
    let callee = &model.functions[function];
    let body = callee.body?;
    let &[a, b] = arguments else {
        return None;
    };
    let params: Vec<VarId> = callee.vars().collect();
    let is =
        |term: TermId, var: VarId| matches!(model.terms[term].kind, TermKind::Var(v) if v == var);
    if is(a, s) && is(b, t) {
        Some((params[0], params[1], body))
    } else if is(a, t) && is(b, s) {
        Some((params[1], params[0], body))
    } else {
        None
    }
}
