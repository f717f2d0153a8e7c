//! The plain reading of a model: one term, one state, one step at a time.
//!
//! Evidence is replayed with this interpreter and with nothing else, so it is written for
//! obviousness, not for speed, and no engine uses it.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::slice;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run, Value, deep};

use crate::{Constraint, Model, Requirement, Support, Term, TermId, VarId, apply};

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
pub type Values = Vec<Value>;

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
pub struct Known<'a> {
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
    pub fn values(&self, term: TermId, env: Env<'_>) -> Values {
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
        match self.model.terms.get(id) {
            Term::Const(value) => return Denoted::One(*value),
            Term::Var(var) => {
                let value = match var.index().checked_sub(self.model.state_vars()) {
                    None => env.state[var.index()],
                    Some(input) => env.input[input],
                };
                return Denoted::One(value);
            }
            Term::Next(var) => return Denoted::One(env.next[var.index()]),
            _ => {}
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
        self.initial_states_with(Known::default(), tries, budget)
    }

    /// The initial states that have the known values, as [`Interpreter::initial_states_within`].
    pub fn initial_states_with(
        &self,
        known: Known<'_>,
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
        self.steps_with(state, Known::default(), tries, budget)
    }

    /// All steps from a state as [`Interpreter::steps_within`]; `None` also when it is seen on the way that they
    /// lead to more than so many states.
    pub fn few_steps(
        &self,
        state: &[Value],
        most: usize,
        tries: u64,
        budget: &Budget,
    ) -> Run<Option<Vec<Step>>> {
        // Without inputs each step leads to another state.
        if self.model.input_vars() > 0 {
            return self.steps_within(state, tries, budget);
        }
        let search = StepSearch {
            most: most.saturating_add(1),
            ..StepSearch::new(self, Some(state), Known::default(), tries)
        };
        let found = search.run(budget)?;
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
        let search = StepSearch {
            most: 1,
            ..StepSearch::new(self, Some(state), Known::default(), tries)
        };
        let found = search.run(budget)?;
        Ok(found.map(|found| found.into_iter().next()))
    }

    /// The steps from a state that have the known values, as [`Interpreter::steps_within`].
    pub fn steps_with(
        &self,
        state: &[Value],
        known: Known<'_>,
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
    Several(Values),
}

impl Denoted {
    fn values(&self) -> &[Value] {
        match self {
            Denoted::One(value) => slice::from_ref(value),
            Denoted::Several(values) => values,
        }
    }

    fn into_values(self) -> Values {
        match self {
            Denoted::One(value) => vec![value],
            Denoted::Several(values) => values,
        }
    }
}

fn truth(value: Value) -> bool {
    value.as_bool().expect("a condition is a truth value")
}

/// What a search fixes, one after the other: the inputs, then the variables of the state sought.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum StepSlot {
    Input(usize),
    Target(usize),
}

/// A constraint, and whether it is about the state sought alone or about the step to it.
#[derive(Clone, Copy, Debug)]
struct ConstraintCheck<'m> {
    constraint: &'m Constraint,
    of_step: bool,
}

/// In which order a search fixes the slots, and when it can ask each constraint.
#[derive(Clone, Debug)]
struct SearchOrder<'m> {
    order: Vec<StepSlot>,
    /// For each place in the order, the assignment that gives the candidates.
    candidates: Vec<Option<ConstraintCheck<'m>>>,
    /// For each place in the order, what can be asked once it is fixed; place 0 is "before any".
    checks: Vec<Vec<ConstraintCheck<'m>>>,
}

impl<'m> SearchOrder<'m> {
    /// The plan for steps, or for initial states.
    fn new(model: &'m Model, of_step: bool) -> Self {
        let first = if of_step { &model.trans } else { &model.init };
        let first = first.iter().map(|constraint| ConstraintCheck {
            constraint,
            of_step,
        });
        let invar = model.invar.iter().map(|constraint| ConstraintCheck {
            constraint,
            of_step: false,
        });
        let open: Vec<(ConstraintCheck<'m>, Vec<StepSlot>)> = first
            .chain(invar)
            .map(|check| (check, reads(model, check)))
            .collect();
        let inputs = if of_step { model.input_vars() } else { 0 };
        let slots = (0..inputs).map(StepSlot::Input);
        let mut left: BTreeSet<StepSlot> = slots
            .chain((0..model.state_vars()).map(StepSlot::Target))
            .collect();

        let mut plan = Self {
            order: Vec::new(),
            candidates: Vec::new(),
            checks: Vec::new(),
        };
        // Fix first what an assignment gives without waiting; otherwise the next slot in order.
        let mut used = vec![false; open.len()];
        let mut progress = true;
        while !left.is_empty() {
            if !progress {
                let slot = left.pop_first().expect("there is a slot left");
                plan.order.push(slot);
                plan.candidates.push(None);
            }
            progress = false;
            for (at, (check, reads)) in open.iter().enumerate() {
                let Requirement::Assign(var, _) = check.constraint.requires else {
                    continue;
                };
                let slot = StepSlot::Target(var.index());
                let ready = left.contains(&slot) && reads.iter().all(|s| !left.contains(s));
                if ready {
                    left.remove(&slot);
                    used[at] = true;
                    progress = true;
                    plan.order.push(slot);
                    plan.candidates.push(Some(*check));
                }
            }
        }
        let places: FxHashMap<StepSlot, usize> =
            (1..).zip(&plan.order).map(|(at, &s)| (s, at)).collect();
        plan.checks = vec![Vec::new(); plan.order.len() + 1];
        for ((check, mut reads), _) in open.into_iter().zip(used).filter(|(_, used)| !used) {
            if let Requirement::Assign(var, _) = check.constraint.requires {
                reads.push(StepSlot::Target(var.index()));
            }
            let last = reads.iter().map(|slot| places[slot]).max().unwrap_or(0);
            plan.checks[last].push(check);
        }
        plan
    }
}

/// The slots a constraint's term reads.
fn reads(model: &Model, check: ConstraintCheck<'_>) -> Vec<StepSlot> {
    let support = Support::of(model, [check.constraint.requires.term()]);
    let states = model.state_vars();
    let input = |var: &VarId| var.index().checked_sub(states).map(StepSlot::Input);
    let target = |var: &VarId| StepSlot::Target(var.index());
    if check.of_step {
        let next = support.next.iter().map(target);
        support.now.iter().filter_map(input).chain(next).collect()
    } else {
        support.now.iter().map(target).collect()
    }
}

/// Enumerates steps (or initial states) by fixing one slot after the other and asking each
/// constraint as soon as everything it reads is fixed.
struct StepSearch<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    plan: &'a SearchOrder<'m>,
    /// The state the steps start from; `None`: initial states are sought.
    from: Option<&'a [Value]>,
    /// What need not be tried.
    known: Known<'a>,
    /// What is known of the state the steps start from.
    of_state: OfState<'a>,
    /// How many more values may be tried.
    tries: Cell<u64>,
    /// How many are sought.
    most: usize,
}

impl<'a, 'm> StepSearch<'a, 'm> {
    fn new(
        interpreter: &'a Interpreter<'m>,
        from: Option<&'a [Value]>,
        known: Known<'a>,
        tries: u64,
    ) -> Self {
        let plan = match from {
            Some(_) => &interpreter.step,
            None => &interpreter.initial,
        };
        let plan = plan.get_or_init(|| SearchOrder::new(interpreter.model, from.is_some()));
        let steady = interpreter.steady.get_or_init(|| steady(interpreter.model));
        let of_state = OfState {
            steady,
            known: RefCell::default(),
        };
        Self {
            interpreter,
            plan,
            from,
            known,
            of_state,
            tries: Cell::new(tries),
            most: usize::MAX,
        }
    }

    /// Everything found, in order; `None` when there were too many tries.
    fn run(&self, budget: &Budget) -> Run<Option<Vec<Step>>> {
        let model = self.interpreter.model;
        let first_of = |var: VarId| model.vars[var].domain.value(0);
        let (states, inputs) = (model.state_vars(), model.input_vars());
        let mut step = Step {
            input: (states..states + inputs)
                .map(|v| first_of(VarId::new(v)))
                .collect(),
            next: (0..states).map(|v| first_of(VarId::new(v))).collect(),
        };
        let mut found = Vec::new();
        if self.passes(0, &step) {
            self.fix(0, &mut step, &mut found, budget)?;
        }
        let key = |step: &Step| {
            let index =
                |(at, &value): (usize, &Value)| model.vars[VarId::new(at)].domain.index_of(value);
            let input = step
                .input
                .iter()
                .enumerate()
                .map(|(at, v)| (at + states, v));
            let input: Vec<_> = input.map(index).collect();
            let next: Vec<_> = step.next.iter().enumerate().map(index).collect();
            (input, next)
        };
        found.sort_by_cached_key(key);
        Ok((self.tries.get() > 0).then_some(found))
    }

    fn fix(
        &self,
        place: usize,
        step: &mut Step,
        found: &mut Vec<Step>,
        budget: &Budget,
    ) -> Run<()> {
        budget.check()?;
        let Some(&slot) = self.plan.order.get(place) else {
            found.push(step.clone());
            return Ok(());
        };
        let model = self.interpreter.model;
        let var = match slot {
            StepSlot::Input(at) => VarId::new(at + model.state_vars()),
            StepSlot::Target(at) => VarId::new(at),
        };
        let domain = &model.vars[var].domain;
        let known = match slot {
            StepSlot::Input(at) => self.known.input.get(at),
            StepSlot::Target(at) => self.known.next.get(at),
        };
        let known = known.copied().flatten();
        let fits = move |value: &Value| {
            domain.index_of(*value).is_some() && known.is_none_or(|known| known == *value)
        };
        let values: Box<dyn Iterator<Item = Value>> = match self.plan.candidates[place] {
            Some(check) => {
                let values = self.denoted(check, step).into_values();
                Box::new(values.into_iter().filter(fits))
            }
            None => match known {
                Some(known) => Box::new(Some(known).filter(fits).into_iter()),
                None => Box::new(domain.values()),
            },
        };
        for value in values {
            if found.len() >= self.most {
                return Ok(());
            }
            let Some(left) = self.tries.get().checked_sub(1) else {
                return Ok(());
            };
            self.tries.set(left);
            match slot {
                StepSlot::Input(at) => step.input[at] = value,
                StepSlot::Target(at) => step.next[at] = value,
            }
            if self.passes(place + 1, step) {
                deep(|| self.fix(place + 1, step, found, budget))?;
            }
        }
        Ok(())
    }

    /// What the term of a constraint denotes, as far as the step is fixed.
    fn denoted(&self, check: ConstraintCheck<'_>, step: &Step) -> Denoted {
        let (env, of_state) = match self.from {
            Some(state) if check.of_step => {
                let (input, next) = (&step.input[..], &step.next[..]);
                (Env { state, input, next }, Some(&self.of_state))
            }
            _ => (Env::state(&step.next), None),
        };
        let mut memo = DenotedMemo {
            of_state,
            ..DenotedMemo::default()
        };
        let term = check.constraint.requires.term();
        self.interpreter.eval(term, env, &mut memo)
    }

    fn passes(&self, place: usize, step: &Step) -> bool {
        self.plan.checks[place].iter().all(|&check| {
            let denoted = self.denoted(check, step);
            let mut values = denoted.values().iter();
            match check.constraint.requires {
                Requirement::Holds(_) => values.all(|&value| truth(value)),
                Requirement::Assign(var, _) => values.any(|value| *value == step.next[var.index()]),
            }
        })
    }
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
