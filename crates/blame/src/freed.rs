//! A model with some of its expressions left free.
//!
//! Each freed term becomes a fresh variable. A term that only steps read becomes the *next* value of its variable, so that a
//! state tells which value was chosen in the step before; a term that states read (initial conditions, invariants, fairness,
//! properties) becomes the present value. Nothing restricts the variable: its values are the moves of whoever mends the
//! model, and [`crate::mend_game`] says which of them may go together.

use std::collections::BTreeSet;

use wherefore_base::{Span, Value};
use wherefore_model::{
    Constraint, Domain, Model, Origin, Requirement, Support, Term, TermId, Terms, VarId, VarKind,
    Variable,
};

use crate::known::{TermUsers, fairness_terms};

/// At most so many combinations of values are chosen from at a time.
const COMBINATIONS: u128 = 64;

/// When the value of a freed term is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ChoiceTime {
    /// With the initial state, which it may read but for these variables, which it gives a value.
    Initial(BTreeSet<VarId>),
    /// In each state.
    State,
    /// With each step. It may read the state and the input, and the next state but for these variables, which it gives
    /// a value; with `None` it reads nothing of the next state.
    Step(Option<BTreeSet<VarId>>),
}

/// A freed term.
#[derive(Clone, Debug)]
pub(crate) struct FreeChoice {
    /// The variable that stands for it.
    pub(crate) var: VarId,
    pub(crate) time: ChoiceTime,
    /// Whether it may denote several values, as a set of which one is taken.
    pub(crate) several: bool,
}

/// A model with some of its expressions left free.
///
/// Invariant: the variables of the state of the original come first and keep their numbers.
#[derive(Clone, Debug)]
pub(crate) struct FreedModel {
    /// The model with the fresh variables.
    pub(crate) model: Model,
    pub(crate) choices: Vec<FreeChoice>,
    /// How many variables the state of the original has.
    pub(crate) original: usize,
    /// Variables that remember the input of the last step, if a choice may read it.
    pub(crate) inputs: Vec<VarId>,
}

/// How a term is used.
struct TermUse {
    time: ChoiceTime,
    domain: Domain,
    several: bool,
}

impl FreedModel {
    /// Frees terms of a model; `None` if one of them denotes neither a truth value nor the value of a variable, or if
    /// there is too much to choose from. Terms that nobody reads stay as they are.
    pub(crate) fn new(model: &Model, terms: &[TermId]) -> Option<Self> {
        let users = TermUsers::new(model);
        let read = terms.iter().filter(|&&term| users.is_read(term));
        let uses: Vec<(TermId, TermUse)> = read
            .map(|&term| Some((term, use_of(model, &users, term)?)))
            .collect::<Option<_>>()?;
        let sizes = uses.iter().map(|(_, term)| term.domain.size());
        if sizes.fold(1u128, u128::saturating_mul) > COMBINATIONS {
            return None;
        }
        let original = model.state_vars();
        let steps = |(_, term): &(TermId, TermUse)| matches!(term.time, ChoiceTime::Step(_));
        let remembered = match uses.iter().any(steps) {
            true => model.input_vars(),
            false => 0,
        };
        let fresh = uses.len() + remembered;
        // Variables of the state come before inputs, which get other numbers.
        let place = |var: VarId| match var.index() < original {
            true => var,
            false => VarId::new(var.index() + fresh),
        };
        let choice_var = |at: usize| VarId::new(original + at);
        let first_input = original + uses.len();
        let input_var = |at: usize| VarId::new(first_input + at);
        let mut freed = Model {
            terms: with_freed(&model.terms.renamed(place), &uses, choice_var),
            obligations: Vec::new(),
            swaps: Vec::new(),
            order: Vec::new(),
            defines: Vec::new(),
            sets: Vec::new(),
            ..model.clone()
        };
        let span = model.terms.span(*terms.first()?)?;
        let hidden = |name: String, domain: Domain| Variable {
            name,
            domain,
            kind: VarKind::State,
            span,
            origin: Origin::Hidden,
        };
        let mut vars: Vec<Variable> = model.vars.iter().take(original).cloned().collect();
        for (at, (_, term)) in uses.iter().enumerate() {
            vars.push(hidden(format!("choice {at}"), term.domain.clone()));
        }
        let inputs = model.vars.iter().skip(original);
        for (at, input) in inputs.clone().take(remembered).enumerate() {
            vars.push(hidden(format!("input {at}"), input.domain.clone()));
        }
        vars.extend(inputs.cloned());
        freed.vars = vars.into_iter().collect();
        for (at, (_, term)) in uses.iter().enumerate() {
            restrict_choice(&mut freed, choice_var(at), &term.time, span);
        }
        for at in 0..remembered {
            let first = freed.vars[input_var(at)].domain.value(0);
            assign(&mut freed, true, input_var(at), Term::Const(first), span);
            let now = Term::Var(VarId::new(original + fresh + at));
            assign(&mut freed, false, input_var(at), now, span);
        }
        let choices = uses
            .into_iter()
            .enumerate()
            .map(|(at, (_, term))| FreeChoice {
                var: choice_var(at),
                time: term.time,
                several: term.several,
            });
        Some(Self {
            model: freed,
            choices: choices.collect(),
            original,
            inputs: (0..remembered).map(input_var).collect(),
        })
    }
}

/// The values that a term may denote if it is left free; `None` if it cannot be.
pub fn free_values(users: &TermUsers<'_>, term: TermId) -> Option<Domain> {
    use_of(users.model(), users, term).map(|found| found.domain)
}

/// The terms with variables in the place of those that are freed.
fn with_freed(terms: &Terms, uses: &[(TermId, TermUse)], var: impl Fn(usize) -> VarId) -> Terms {
    let mut freed = Terms::default();
    for at in 0..terms.len() {
        let id = TermId::new(at);
        let found = uses.iter().position(|(term, _)| *term == id);
        let term = match found {
            Some(at) => match uses[at].1.time {
                ChoiceTime::Step(_) => Term::Next(var(at)),
                ChoiceTime::Initial(_) | ChoiceTime::State => Term::Var(var(at)),
            },
            None => terms.get(id).clone(),
        };
        freed.add(term, terms.span(id));
    }
    freed
}

/// Gives a variable one value where it stands for no choice, so that states do not differ in it for nothing.
fn restrict_choice(model: &mut Model, var: VarId, time: &ChoiceTime, span: Span) {
    let first = Term::Const(model.vars[var].domain.value(0));
    match time {
        ChoiceTime::Initial(_) => assign(model, false, var, first, span),
        ChoiceTime::Step(_) => assign(model, true, var, first, span),
        ChoiceTime::State => {}
    }
}

fn assign(model: &mut Model, initially: bool, var: VarId, term: Term, span: Span) {
    let term = model.terms.add(term, None);
    let constraint = Constraint {
        requires: Requirement::Assign(var, term),
        span,
    };
    match initially {
        true => model.init.push(constraint),
        false => model.trans.push(constraint),
    }
}

/// How a term is used; `None` if nobody reads it, or if it denotes neither a truth value nor the value of a variable.
fn use_of(model: &Model, users: &TermUsers<'_>, term: TermId) -> Option<TermUse> {
    let above = users.above(&[term]);
    let reading = |constraints: &[Constraint]| -> Vec<Requirement> {
        let requires = constraints.iter().map(|constraint| constraint.requires);
        requires.filter(|r| above.contains(&r.term())).collect()
    };
    let (init, trans) = (reading(&model.init), reading(&model.trans));
    let queries = model.properties.iter().filter_map(|p| p.body.query());
    let atoms = queries.flat_map(|query| query.atoms.iter().copied());
    let mut conditions = atoms.chain(fairness_terms(model));
    let of_states = !reading(&model.invar).is_empty() || conditions.any(|c| above.contains(&c));
    let assigned = |requires: &[Requirement]| -> BTreeSet<VarId> {
        let vars = requires.iter().filter_map(|requirement| match requirement {
            Requirement::Assign(var, _) => Some(*var),
            Requirement::Holds(_) => None,
        });
        let holds = requires.iter().any(|r| matches!(r, Requirement::Holds(_)));
        // A condition may read every variable, and gives none of them a value.
        if holds {
            BTreeSet::new()
        } else {
            vars.collect()
        }
    };
    let time = match (of_states, init.is_empty(), trans.is_empty()) {
        (false, true, true) => return None,
        (false, false, true) => ChoiceTime::Initial(assigned(&init)),
        (false, true, false) => {
            let reads = Support::of(model, trans.iter().map(|requirement| requirement.term()));
            let of_next = !reads.next.is_empty();
            ChoiceTime::Step(of_next.then(|| assigned(&trans)))
        }
        _ => ChoiceTime::State,
    };
    let is_value = all_uses_are_values(model, users, term);
    let domain = if is_value {
        // A set in states of which all see the same value would be another one in each of them.
        if time == ChoiceTime::State {
            return None;
        }
        let requires = init.iter().chain(&trans);
        let mut domains = requires.filter_map(|requirement| match requirement {
            Requirement::Assign(var, _) => Some(&model.vars[*var].domain),
            Requirement::Holds(_) => None,
        });
        let first = domains.next()?;
        domains
            .all(|domain| domain == first)
            .then(|| first.clone())?
    } else {
        is_condition(model, term).then_some(Domain::Bool)?
    };
    Some(TermUse {
        time,
        domain,
        several: is_value,
    })
}

/// Whether a term stands only where a value of a variable is told: in an assignment, or as a branch or a member there.
fn all_uses_are_values(model: &Model, users: &TermUsers<'_>, term: TermId) -> bool {
    let constraints = || model.init.iter().chain(&model.trans).chain(&model.invar);
    let held = |id: TermId| {
        let holds = constraints().any(|c| c.requires == Requirement::Holds(id));
        let queries = model.properties.iter().filter_map(|p| p.body.query());
        let mut atoms = queries.flat_map(|query| query.atoms.iter().copied());
        holds || atoms.any(|atom| atom == id) || fairness_terms(model).any(|other| other == id)
    };
    let mut open = vec![term];
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        if held(id) {
            return false;
        }
        for &user in users.of(id) {
            match model.terms.get(user) {
                Term::Ite(condition, ..) if *condition != id => open.push(user),
                Term::Set(_) => open.push(user),
                _ => return false,
            }
        }
    }
    true
}

/// Whether a term denotes a truth value.
fn is_condition(model: &Model, term: TermId) -> bool {
    let mut term = term;
    loop {
        return match model.terms.get(term) {
            Term::Const(value) => matches!(value, Value::Bool(_)),
            Term::Var(var) | Term::Next(var) => model.vars[*var].domain == Domain::Bool,
            Term::Not(_) | Term::Member(..) => true,
            Term::Binary(op, ..) => op.is_condition(),
            Term::Ite(_, then, _) => {
                term = *then;
                continue;
            }
            Term::Negate(_) | Term::Set(_) | Term::Count(_) | Term::Word(..) => false,
        };
    }
}
