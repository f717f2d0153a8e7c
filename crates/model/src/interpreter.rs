//! The plain reading of a model: one term, one state, one step at a time.
//!
//! Evidence is replayed with this interpreter and with nothing else, so it is written for
//! obviousness, not for speed, and no engine uses it.

mod search;

use std::cell::{OnceCell, RefCell};
use std::slice;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run, Value, deep};

use crate::{Constraint, Model, Requirement, Term, TermId, apply};
use search::{SearchOrder, StepSearch};

/// Where a term is evaluated: a state, and for terms of a step its input and its next state.
#[derive(Clone, Copy, Debug)]
pub struct Env<'a> {
    /// Values of the state variables.
    pub state: &'a [Value],
    /// Values of the inputs; empty outside a step.
    pub input: &'a [Value],
    /// Values of the state variables in the next state; empty outside a step.
    pub next: &'a [Value],
}

impl<'a> Env<'a> {
    /// A state alone.
    pub fn state(state: &'a [Value]) -> Self {
        Self {
            state,
            input: &[],
            next: &[],
        }
    }
}

/// The values a term denotes: one, or several where a choice is meant. Never empty.
pub type DenotedValues = Vec<Value>;

/// A step: the input and the next state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// Values of the inputs.
    pub input: Vec<Value>,
    /// Values of the state variables in the next state.
    pub next: Vec<Value>,
}

/// What is known of a step before it is looked for: some of its values. A list that is too short
/// leaves the rest open.
#[derive(Clone, Copy, Default, Debug)]
pub struct KnownValues<'a> {
    /// Values of the inputs.
    pub input: &'a [Option<Value>],
    /// Values of the state variables in the next state.
    pub next: &'a [Option<Value>],
}

/// Reads a model literally.
#[derive(Clone, Debug)]
pub struct Interpreter<'m> {
    model: &'m Model,
    initial: OnceCell<SearchOrder<'m>>,
    step: OnceCell<SearchOrder<'m>>,
    /// For each term, whether it reads the state alone: neither an input nor the next state.
    steady: OnceCell<Vec<bool>>,
}

impl<'m> Interpreter<'m> {
    /// An interpreter of this model.
    pub fn new(model: &'m Model) -> Self {
        Self {
            model,
            initial: OnceCell::new(),
            step: OnceCell::new(),
            steady: OnceCell::new(),
        }
    }

    /// All values a term denotes.
    ///
    /// # Panics
    /// When the term is not well typed or reads something the environment does not have.
    pub fn values(&self, term: TermId, env: Env<'_>) -> DenotedValues {
        self.eval(term, env, &mut DenotedMemo::default())
            .into_values()
    }

    /// The one value a term denotes.
    ///
    /// # Panics
    /// As [`Interpreter::values`], and when the term denotes several.
    pub fn value(&self, term: TermId, env: Env<'_>) -> Value {
        self.one(term, env, &mut DenotedMemo::default())
    }

    /// Whether a term reads neither an input nor the next state.
    pub fn reads_state_alone(&self, term: TermId) -> bool {
        self.steady.get_or_init(|| steady(self.model))[term.index()]
    }

    /// Whether a condition is true.
    ///
    /// # Panics
    /// As [`Interpreter::value`], and when the term is not a condition.
    pub fn truth(&self, term: TermId, env: Env<'_>) -> bool {
        truth(self.value(term, env))
    }

    fn one(&self, id: TermId, env: Env<'_>, memo: &mut DenotedMemo<'_>) -> Value {
        match self.eval(id, env, memo) {
            Denoted::One(value) => value,
            Denoted::Several(_) => panic!("a term denotes several values where one is meant"),
        }
    }

    fn eval(&self, id: TermId, env: Env<'_>, memo: &mut DenotedMemo<'_>) -> Denoted {
        let terms = &self.model.terms;
        let term = terms.get(id);
        match term {
            Term::Const(value) => return Denoted::One(*value),
            Term::Var(var) => {
                // Inputs come after the variables of the state.
                let value = match var.index().checked_sub(self.model.state_vars()) {
                    None => env.state[var.index()],
                    Some(input) => env.input[input],
                };
                return Denoted::One(value);
            }
            Term::Next(var) => return Denoted::One(env.next[var.index()]),
            _ => {}
        }
        // What is read off constants and variables is worked out as fast as it is looked up.
        if term.operands().all(|operand| terms.get(operand).is_leaf()) {
            return self.eval_operation(id, env, memo);
        }
        if let Some(known) = memo.get(id) {
            return known;
        }
        let denoted = deep(|| self.eval_operation(id, env, memo));
        memo.keep(id, &denoted);
        denoted
    }

    fn eval_operation(&self, id: TermId, env: Env<'_>, memo: &mut DenotedMemo<'_>) -> Denoted {
        let value = match self.model.terms.get(id) {
            Term::Const(_) | Term::Var(_) | Term::Next(_) => return self.eval(id, env, memo),
            Term::Ite(condition, then, otherwise) => {
                let branch = match truth(self.one(*condition, env, memo)) {
                    true => then,
                    false => otherwise,
                };
                return self.eval(*branch, env, memo);
            }
            Term::Set(members) => {
                let mut values = Vec::new();
                for member in members {
                    for &value in self.eval(*member, env, memo).values() {
                        if !values.contains(&value) {
                            values.push(value);
                        }
                    }
                }
                return match values[..] {
                    [value] => Denoted::One(value),
                    _ => Denoted::Several(values),
                };
            }
            Term::Not(a) => Value::Bool(!truth(self.one(*a, env, memo))),
            Term::Negate(a) => {
                let number = self.one(*a, env, memo).as_int();
                Value::Int(number.expect("negation is of an integer").wrapping_neg())
            }
            Term::Binary(op, a, b) => {
                let a = self.one(*a, env, memo);
                let b = self.one(*b, env, memo);
                apply(*op, a, b).expect("operands fit their operator")
            }
            Term::Member(a, b) => {
                let members = self.eval(*b, env, memo);
                let values = self.eval(*a, env, memo);
                let mut values = values.values().iter();
                Value::Bool(values.all(|value| members.values().contains(value)))
            }
            Term::Word(op, a) => {
                let word = self.one(*a, env, memo).as_word();
                op.apply(word.expect("the operand is a word"))
            }
            Term::Count(conditions) => {
                let conditions = conditions.iter();
                let count = conditions.filter(|&&c| truth(self.one(c, env, memo)));
                Value::Int(count.count() as i64)
            }
        };
        Denoted::One(value)
    }

    /// The first constraint that keeps these values from being a state, if one does.
    pub fn broken_by_state(&self, state: &[Value]) -> Option<&'m Constraint> {
        self.broken(&self.model.invar, Env::state(state), state)
    }

    /// The first constraint that keeps a state from being initial, if one does.
    pub fn broken_by_initial(&self, state: &[Value]) -> Option<&'m Constraint> {
        let broken = self.broken(&self.model.init, Env::state(state), state);
        broken.or_else(|| self.broken_by_state(state))
    }

    /// The first constraint that keeps a step from being one, if one does.
    pub fn broken_by_step(&self, state: &[Value], step: &Step) -> Option<&'m Constraint> {
        let env = Env {
            state,
            input: &step.input,
            next: &step.next,
        };
        let broken = self.broken(&self.model.trans, env, &step.next);
        broken.or_else(|| self.broken_by_state(&step.next))
    }

    fn broken(
        &self,
        constraints: &'m [Constraint],
        env: Env<'_>,
        assigned: &[Value],
    ) -> Option<&'m Constraint> {
        constraints.iter().find(|c| match c.requires {
            Requirement::Holds(term) => !self.truth(term, env),
            Requirement::Assign(var, term) => {
                !self.values(term, env).contains(&assigned[var.index()])
            }
        })
    }

    /// All initial states, least first.
    pub fn initial_states(&self, budget: &Budget) -> Run<Vec<Vec<Value>>> {
        let found = self.initial_states_within(u64::MAX, budget)?;
        Ok(found.expect("the work is not limited"))
    }

    /// All initial states as [`Interpreter::initial_states`]; `None` when finding them takes more than
    /// so many tries of a value.
    pub fn initial_states_within(
        &self,
        tries: u64,
        budget: &Budget,
    ) -> Run<Option<Vec<Vec<Value>>>> {
        self.initial_states_with(KnownValues::default(), tries, budget)
    }

    /// The initial states that have the known values, as [`Interpreter::initial_states_within`].
    pub fn initial_states_with(
        &self,
        known: KnownValues<'_>,
        tries: u64,
        budget: &Budget,
    ) -> Run<Option<Vec<Vec<Value>>>> {
        let found = StepSearch::new(self, None, known, tries).run(budget)?;
        Ok(found.map(|found| found.into_iter().map(|step| step.next).collect()))
    }

    /// All steps from a state, least input first, then least next state.
    pub fn steps(&self, state: &[Value], budget: &Budget) -> Run<Vec<Step>> {
        let found = self.steps_within(state, u64::MAX, budget)?;
        Ok(found.expect("the work is not limited"))
    }

    /// All steps from a state as [`Interpreter::steps`]; `None` when finding them takes more than so
    /// many tries of a value.
    pub fn steps_within(
        &self,
        state: &[Value],
        tries: u64,
        budget: &Budget,
    ) -> Run<Option<Vec<Step>>> {
        self.steps_with(state, KnownValues::default(), tries, budget)
    }

    /// All steps from a state, in any order; `None` when finding them takes more than so many tries of a value, or when
    /// it is seen on the way that they lead to more than so many states.
    pub fn few_steps(
        &self,
        state: &[Value],
        most: usize,
        tries: u64,
        budget: &Budget,
    ) -> Run<Option<Vec<Step>>> {
        // Without inputs each step leads to another state.
        let search = StepSearch::new(self, Some(state), KnownValues::default(), tries);
        if self.model.input_vars() > 0 {
            return search.in_any_order(budget);
        }
        // One more than wanted shows that there are too many.
        let search = search.at_most(most.saturating_add(1));
        let found = search.in_any_order(budget)?;
        Ok(found.filter(|found| found.len() <= most))
    }

    /// Some step from a state, if there is one; `None` when finding out takes more than so many tries of a
    /// value.
    pub fn some_step(
        &self,
        state: &[Value],
        tries: u64,
        budget: &Budget,
    ) -> Run<Option<Option<Step>>> {
        let search = StepSearch::new(self, Some(state), KnownValues::default(), tries);
        let found = search.at_most(1).run(budget)?;
        Ok(found.map(|found| found.into_iter().next()))
    }

    /// The steps from a state that have the known values, as [`Interpreter::steps_within`].
    pub fn steps_with(
        &self,
        state: &[Value],
        known: KnownValues<'_>,
        tries: u64,
        budget: &Budget,
    ) -> Run<Option<Vec<Step>>> {
        StepSearch::new(self, Some(state), known, tries).run(budget)
    }
}

/// What terms denote that are known already, in one environment. Constants and variables are not kept.
#[derive(Default)]
struct DenotedMemo<'s> {
    known: FxHashMap<TermId, Denoted>,
    /// What terms denote in all environments with the same state.
    of_state: Option<&'s OfState<'s>>,
}

/// What terms denote that read the state alone, which a search does not change.
struct OfState<'s> {
    steady: &'s [bool],
    known: RefCell<FxHashMap<TermId, Denoted>>,
}

impl DenotedMemo<'_> {
    fn get(&self, id: TermId) -> Option<Denoted> {
        match self.of_state {
            Some(of_state) if of_state.steady[id.index()] => {
                of_state.known.borrow().get(&id).cloned()
            }
            _ => self.known.get(&id).cloned(),
        }
    }

    fn keep(&mut self, id: TermId, denoted: &Denoted) {
        match self.of_state {
            // A search tries many steps from one state, so what reads the state alone is kept for
            // all of them.
            Some(of_state) if of_state.steady[id.index()] => {
                let mut known = of_state.known.borrow_mut();
                known.insert(id, denoted.clone());
            }
            _ => drop(self.known.insert(id, denoted.clone())),
        }
    }
}

/// What a term denotes: nearly always one value, so that no list is made for it.
#[derive(Clone, Debug)]
enum Denoted {
    One(Value),
    Several(DenotedValues),
}

impl Denoted {
    fn values(&self) -> &[Value] {
        match self {
            Denoted::One(value) => slice::from_ref(value),
            Denoted::Several(values) => values,
        }
    }

    fn into_values(self) -> DenotedValues {
        match self {
            Denoted::One(value) => vec![value],
            Denoted::Several(values) => values,
        }
    }
}

fn truth(value: Value) -> bool {
    value.as_bool().expect("a condition is a truth value")
}

/// For each term of a model, whether it reads neither an input nor the next state. Operands come before the
/// terms that have them.
fn steady(model: &Model) -> Vec<bool> {
    let mut steady: Vec<bool> = Vec::with_capacity(model.terms.len());
    for at in 0..model.terms.len() {
        let is = match model.terms.get(TermId::new(at)) {
            Term::Var(var) => var.index() < model.state_vars(),
            Term::Next(_) => false,
            term => term.operands().all(|operand| steady[operand.index()]),
        };
        steady.push(is);
    }
    steady
}
