//! Finding the transition system in a model.
//!
//! A definition is a fact that says for every state whether it is initial, for every pair of states whether it
//! is a step, for every state whether it is fair: `all s: State | s in initialState iff init[s]`, or
//! `initialState = {s: State | init[s]}`. Steps may also be told by implications in both directions, which a solver then
//! proves to say the same. Every other fact speaks of one state, of two, or of none; those that speak of
//! all states at once are kept apart.

use rustc_hash::FxHashSet;
use wherefore_alloy::AlloyModel;
use wherefore_alloy::model::{
    AlloyBinaryOp, AlloyPlace, AlloyQuantifier, AlloyTermId, AlloyTermKind, AlloyVarId, Binding,
    FieldId, FunctionId, Mult, SigId,
};

use crate::definition::{DefinedPart, definition, enough_for_step, of_steps};
use crate::facts::{FactSorter, SortedFacts};
use crate::fairness::{self, Fair};
use crate::local::Locality;
use crate::misfit::TcmcMisfit;
use crate::operation::{Operation, operations};

/// The module of temporal operators that a model opens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TcmcModule {
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

/// A fact about every two states.
#[derive(Clone, Copy, Debug)]
pub struct OfPairs {
    /// The fact.
    pub fact: AlloyTermId,
    /// The variables that stand for the two.
    pub states: (AlloyVarId, AlloyVarId),
    /// What it says of them.
    pub body: AlloyTermId,
}

/// A transition system as a model describes it. Definitions are bodies with the variables that stand for the
/// present state and for the next one.
#[derive(Clone, Debug)]
pub struct SystemReading {
    /// The module of temporal operators.
    pub module: TcmcModule,
    /// The signature of the states.
    pub state: SigId,
    /// What an initial state is.
    pub initial: (AlloyVarId, AlloyTermId),
    /// What a step is.
    pub step: (AlloyVarId, AlloyVarId, AlloyTermId),
    /// Which states must come again and again: one definition, or one for each of several constraints.
    pub fair: Vec<Fair>,
    /// Whether several fairness constraints are made one by counting them off, instead of being asked for directly.
    pub counted: bool,
    /// What every state satisfies.
    pub invariants: Vec<(AlloyVarId, AlloyTermId)>,
    /// What is said of pairs of states, not of steps alone.
    pub pairs: Vec<OfPairs>,
    /// What is said of every step, beside what a step is.
    pub promised: Vec<(AlloyVarId, AlloyVarId, AlloyTermId)>,
    /// What is said to be enough for a step, where no fact says with `iff` what a step is.
    pub enough: Vec<(AlloyVarId, AlloyVarId, AlloyTermId)>,
    /// What is said without states.
    pub still: Vec<AlloyTermId>,
    /// What is said of all states at once, as that each of them has a step, with what makes it so. It is no part of the
    /// complete system: see [`broken_fact`](crate::broken_fact).
    pub whole: Vec<(AlloyTermId, TcmcMisfit)>,
    /// The predicates whose disjunction the step is, if it is one.
    pub operations: Vec<Operation>,
}

impl TcmcModule {
    /// The module of temporal operators of a model, if it opens one.
    pub fn of(model: &AlloyModel) -> Option<Self> {
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
    pub fn function<'m>(&self, model: &'m AlloyModel, id: FunctionId) -> Option<&'m str> {
        model.functions[id].label.strip_prefix(&self.prefix)
    }

    /// Whether a signature is declared by the module.
    pub fn owns(&self, model: &AlloyModel, sig: SigId) -> bool {
        model.sigs[sig].label.starts_with(&self.prefix)
    }

    /// The signature of the states, if there is one.
    pub fn states(&self, model: &AlloyModel) -> Option<SigId> {
        match model.fields[self.initial].ty.products() {
            [product] => product.last().copied(),
            _ => None,
        }
    }

    /// Whether a term is the value of a field of the system, also by the function that gives it.
    pub(crate) fn is_field(
        &self,
        model: &AlloyModel,
        term: AlloyTermId,
        field: FieldId,
        name: &str,
    ) -> bool {
        match &model.terms[term].kind {
            AlloyTermKind::Call(function, arguments) => {
                arguments.is_empty() && self.function(model, *function) == Some(name)
            }
            AlloyTermKind::Join(left, right) => {
                matches!(model.terms[*left].kind, AlloyTermKind::Sig(sig) if sig == self.system)
                    && matches!(model.terms[*right].kind, AlloyTermKind::Field(id) if id == field)
            }
            AlloyTermKind::Mult(_, inner) => self.is_field(model, *inner, field, name),
            _ => false,
        }
    }
}

impl SystemReading {
    /// Reads the transition system of a model; none if the model opens no module for one.
    ///
    /// # Errors
    /// When the model opens such a module and does not describe a transition system state by state.
    pub fn of(model: &AlloyModel) -> Result<Option<Self>, TcmcMisfit> {
        let Some(module) = TcmcModule::of(model) else {
            return Ok(None);
        };
        let state = state_signature(model, &module)?;
        let mut facts = SortedFacts::default();
        let sorter = FactSorter {
            model,
            module: &module,
            state,
            locality: Locality::new(model, &module, state),
        };
        let locality = &sorter.locality;
        for (_, sig) in model.declared().filter(|(id, _)| !module.owns(model, *id)) {
            sig.fact.map_or(Ok(()), |said| locality.body(said))?;
        }
        let bodies = model.facts.iter().map(|fact| fact.body);
        for term in bodies.flat_map(|body| conjuncts(model, body)) {
            if !in_module(model, &module, term) {
                sorter.sort(term, &mut facts);
            }
        }
        let Some(initial) = facts.initial else {
            return Err(sorter.missing(&facts, "initialState", "the initial states"));
        };
        let step = sorter.step(&mut facts)?;
        if module.fair.is_some() {
            fairness::check(model, &module, &facts.fair, model.sigs[state].span)?;
        }
        let fair = facts.fair.iter().map(|fair| fair.body);
        for body in [initial.1, step.2].into_iter().chain(fair) {
            locality.body(body)?;
        }
        Ok(Some(Self {
            operations: operations(model, step).unwrap_or_default(),
            module,
            state,
            initial,
            step,
            fair: facts.fair,
            counted: false,
            invariants: facts.invariants,
            pairs: facts.pairs,
            promised: facts.promised,
            enough: facts.enough,
            still: facts.still,
            whole: facts.whole,
        }))
    }

    /// The reading in which a fact about every two states counts as one about all states at once.
    #[must_use]
    pub fn with_pairs_apart(&self, model: &AlloyModel, fact: AlloyTermId) -> Self {
        let mut reading = self.clone();
        reading.pairs.retain(|pair| pair.fact != fact);
        reading
            .whole
            .push((fact, TcmcMisfit::pairs(model.terms[fact].span)));
        reading
    }
}

/// Whether a fact that is true of a system is true of every set of its states with the steps between them, as it is if
/// it says of every state, of every two or of every step something that their own fields decide.
pub(crate) fn holds_in_parts(
    model: &AlloyModel,
    module: &TcmcModule,
    state: SigId,
    term: AlloyTermId,
) -> bool {
    let locality = Locality::new(model, module, state);
    let said = match fairness::definition(model, module, state, term) {
        Some(fair) => Some(fair.body),
        None => match definition(model, module, state, term) {
            Some(
                DefinedPart::Initial(_, body)
                | DefinedPart::Fair(_, body)
                | DefinedPart::Step(_, _, body),
            ) => Some(body),
            None => states_for_all(model, state, term).map(|(vars, body)| {
                let step = of_steps(model, module, &vars, body)
                    .or_else(|| enough_for_step(model, module, &vars, body));
                step.map_or(body, |(_, _, said)| said)
            }),
        },
    };
    locality.body(said.unwrap_or(term)).is_ok()
}

/// The signature of the states: a plain one, whose atoms are known by their fields.
pub(crate) fn state_signature(
    model: &AlloyModel,
    module: &TcmcModule,
) -> Result<SigId, TcmcMisfit> {
    let field = &model.fields[module.initial];
    let [product] = field.ty.products() else {
        return Err(TcmcMisfit::new(
            field.span,
            "The states are of several signatures",
        ));
    };
    let state = product[product.len() - 1];
    let sig = &model.sigs[state];
    if !sig.is_top_level() || !sig.children.is_empty() || sig.mult.is_some() {
        let message = "The signature of the states extends another one or is extended";
        return Err(TcmcMisfit::new(sig.span, message));
    }
    for (id, other) in model.declared() {
        let within = matches!(&other.place, AlloyPlace::In { of, .. } if of.contains(&state));
        if within && !module.owns(model, id) {
            let message = "This is a set of states that is neither a field nor a definition";
            return Err(TcmcMisfit::new(other.span, message));
        }
    }
    for field in model.fields.iter() {
        let elsewhere = field.ty.products().iter().any(|product| {
            // The first column of a field of the states is the state itself.
            let rest = usize::from(field.sig == state);
            product[rest..].contains(&state)
        });
        if elsewhere && !module.owns(model, field.sig) {
            let message =
                "This field holds states, so a state is not known by its own fields alone";
            return Err(TcmcMisfit::new(field.span, message));
        }
    }
    for decl in &sig.decls {
        if decl.disj_value {
            let message = "`disj` makes the values of different states depend on each other";
            return Err(TcmcMisfit::new(model.terms[decl.bound].span, message));
        }
    }
    Ok(state)
}

/// The conjuncts of a formula, also those of predicates without parameters.
pub(crate) fn conjuncts(model: &AlloyModel, term: AlloyTermId) -> Vec<AlloyTermId> {
    let mut open = vec![term];
    let mut parts = Vec::new();
    let mut opened = FxHashSet::default();
    while let Some(term) = open.pop() {
        match &model.terms[term].kind {
            AlloyTermKind::Block(inner) => open.extend(inner.iter().rev()),
            &AlloyTermKind::Binary(AlloyBinaryOp::And, a, b) => open.extend([b, a]),
            AlloyTermKind::Call(function, arguments) if arguments.is_empty() => {
                let callee = &model.functions[*function];
                match callee.body.filter(|_| callee.result.is_none()) {
                    // A predicate is opened once, so that one that calls itself does no harm.
                    Some(body) if opened.insert(*function) => open.push(body),
                    _ => parts.push(term),
                }
            }
            _ => parts.push(term),
        }
    }
    parts
}

/// Whether a fact is one of the module's own.
pub(crate) fn in_module(model: &AlloyModel, module: &TcmcModule, term: AlloyTermId) -> bool {
    let file = model.sigs[module.system].span.file;
    model.terms[term].span.file == file
}

/// A block or a conjunction of one formula is that formula.
pub(crate) fn bare(model: &AlloyModel, term: AlloyTermId) -> AlloyTermId {
    match conjuncts(model, term)[..] {
        [one] => one,
        _ => term,
    }
}

/// The variables of a quantifier over states alone, which may be written as several ones inside each other.
pub(crate) fn states_for_all(
    model: &AlloyModel,
    state: SigId,
    term: AlloyTermId,
) -> Option<(Vec<AlloyVarId>, AlloyTermId)> {
    let mut vars = Vec::new();
    let mut body = bare(model, term);
    while let AlloyTermKind::Quantified(AlloyQuantifier::All, bindings, inner) =
        &model.terms[body].kind
    {
        let Some(more) = all_states(model, state, bindings) else {
            break;
        };
        vars.extend(more);
        body = bare(model, *inner);
    }
    (!vars.is_empty()).then_some((vars, body))
}

/// The variables of some bindings, if all of them stand for any state.
pub(crate) fn all_states(
    model: &AlloyModel,
    state: SigId,
    bindings: &[Binding],
) -> Option<Vec<AlloyVarId>> {
    let mut vars = Vec::new();
    for binding in bindings {
        // With `disj` not every pair of states is meant.
        if binding.disj || !is_state_signature(model, state, binding.bound) {
            return None;
        }
        vars.extend(&binding.vars);
    }
    Some(vars)
}

pub(crate) fn is_state_signature(model: &AlloyModel, state: SigId, term: AlloyTermId) -> bool {
    match model.terms[term].kind {
        AlloyTermKind::Sig(sig) => sig == state,
        AlloyTermKind::Mult(Mult::One, inner) => is_state_signature(model, state, inner),
        _ => false,
    }
}
