//! The search for initial states and steps, one variable after the other.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run, Value, deep};

use super::{Denoted, DenotedMemo, Env, Interpreter, KnownValues, OfState, Step, steady, truth};
use crate::{Constraint, Model, Requirement, Support, VarId};

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
pub(super) struct SearchOrder<'m> {
    order: Vec<StepSlot>,
    /// For each place in the order, the assignment that gives the candidates.
    candidates: Vec<Option<ConstraintCheck<'m>>>,
    /// For each place in the order, what can be asked once it is fixed; place 0 is "before any".
    checks: Vec<Vec<ConstraintCheck<'m>>>,
}

impl<'m> SearchOrder<'m> {
    /// The plan for steps, or for initial states.
    pub(super) fn new(model: &'m Model, of_step: bool) -> Self {
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
                // All that the assignment reads is fixed, and its variable is not.
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
        // An assignment that gives the candidates is met by each of them.
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
pub(super) struct StepSearch<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    plan: &'a SearchOrder<'m>,
    /// The state the steps start from; `None`: initial states are sought.
    from: Option<&'a [Value]>,
    /// What need not be tried.
    known: KnownValues<'a>,
    /// What is known of the state the steps start from.
    of_state: OfState<'a>,
    /// How many more values may be tried.
    tries: Cell<u64>,
    /// How many are sought.
    most: usize,
}

impl<'a, 'm> StepSearch<'a, 'm> {
    pub(super) fn new(
        interpreter: &'a Interpreter<'m>,
        from: Option<&'a [Value]>,
        known: KnownValues<'a>,
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

    /// The search that ends when it found so many.
    pub(super) fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Everything found, least input first, then least next state; `None` when there were too many tries.
    pub(super) fn run(&self, budget: &Budget) -> Run<Option<Vec<Step>>> {
        let found = self.in_any_order(budget)?;
        // Slots were fixed in the order of the plan, which may not be that of declaration.
        Ok(found.map(|mut found| {
            found.sort_unstable_by(|a, b| self.order(a, b));
            found
        }))
    }

    /// The same as it is found.
    pub(super) fn in_any_order(&self, budget: &Budget) -> Run<Option<Vec<Step>>> {
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
        // What reads no slot is asked once, before any slot is fixed.
        if self.passes(0, &step) {
            self.fix(0, &mut step, &mut found, budget)?;
        }
        // Without a try left, something may have been missed.
        Ok((self.tries.get() > 0).then_some(found))
    }

    /// Least input first, then least next state, by the places of values in their domains.
    fn order(&self, a: &Step, b: &Step) -> Ordering {
        let model = self.interpreter.model;
        let (states, inputs) = (model.state_vars(), model.input_vars());
        let vars = (states..states + inputs).chain(0..states);
        let mut pairs = vars.zip(values(a).zip(values(b)));
        let differ = pairs.find(|(_, (a, b))| a != b);
        differ.map_or(Ordering::Equal, |(var, (a, b))| {
            let domain = &model.vars[VarId::new(var)].domain;
            domain.index_of(*a).cmp(&domain.index_of(*b))
        })
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
        let denoted = self.plan.candidates[place].map(|check| self.denoted(check, step));
        let mut fixed = |value: Value| self.fix_to(slot, value, place, step, found, budget);
        match (denoted, known) {
            (Some(Denoted::One(value)), _) if fits(&value) => fixed(value).map(drop),
            (Some(Denoted::One(_)), _) => Ok(()),
            (Some(Denoted::Several(values)), _) => try_each(values.into_iter().filter(fits), fixed),
            (None, Some(known)) if fits(&known) => fixed(known).map(drop),
            (None, Some(_)) => Ok(()),
            (None, None) => try_each(domain.values(), fixed),
        }
    }

    /// Goes on with a value for a slot; whether another may be tried.
    fn fix_to(
        &self,
        slot: StepSlot,
        value: Value,
        place: usize,
        step: &mut Step,
        found: &mut Vec<Step>,
        budget: &Budget,
    ) -> Run<bool> {
        let Some(left) = self.tries.get().checked_sub(1) else {
            return Ok(false);
        };
        self.tries.set(left);
        match slot {
            StepSlot::Input(at) => step.input[at] = value,
            StepSlot::Target(at) => step.next[at] = value,
        }
        if self.passes(place + 1, step) {
            deep(|| self.fix(place + 1, step, found, budget))?;
        }
        Ok(found.len() < self.most)
    }

    /// What the term of a constraint denotes, as far as the step is fixed.
    fn denoted(&self, check: ConstraintCheck<'_>, step: &Step) -> Denoted {
        let (env, of_state) = match self.from {
            Some(state) if check.of_step => {
                let (input, next) = (&step.input[..], &step.next[..]);
                (Env { state, input, next }, Some(&self.of_state))
            }
            // A constraint on states is asked of the state that is sought.
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

fn values(step: &Step) -> impl Iterator<Item = &Value> {
    step.input.iter().chain(&step.next)
}

/// Tries values until nothing more is to be tried.
fn try_each(
    values: impl Iterator<Item = Value>,
    mut fixed: impl FnMut(Value) -> Run<bool>,
) -> Run<()> {
    for value in values {
        if !fixed(value)? {
            break;
        }
    }
    Ok(())
}
