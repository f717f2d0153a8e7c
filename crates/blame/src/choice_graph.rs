//! The states of a freed model, and which choices each of its steps rests on.
//!
//! A *situation* is what a choice may look at: the values of the original variables, the input, and where the text may read them
//! those of the next state. A *choice* is a value in a situation. A step is there if all of its choices are made.

use std::collections::HashMap;

use wherefore_base::{Budget, IndexVec, Run, Value, define_id};
use wherefore_model::{Model, VarId};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplicitStateId, ExplicitStepId, ExplorationLimits};

use crate::freed::{ChoiceTime, FreeChoice, FreedModel};

define_id!(
    /// What a choice looks at.
    pub(crate) struct SituationId
);
define_id!(
    /// A value in a situation.
    pub(crate) struct ChoiceId
);

/// The choices of a freed model.
#[derive(Default)]
pub(crate) struct ChoiceTable {
    situations: HashMap<(usize, Vec<Value>), SituationId>,
    by_value: HashMap<(SituationId, Value), ChoiceId>,
    /// The choices in each situation, and whether several of them may be made.
    pub(crate) all: IndexVec<SituationId, (Vec<ChoiceId>, bool)>,
    pub(crate) situation_of: IndexVec<ChoiceId, SituationId>,
    /// For each situation, the choice of a value with which nothing of the graph goes on, where the type has one.
    blocked: IndexVec<SituationId, Option<ChoiceId>>,
}

impl ChoiceTable {
    fn choice(&mut self, freed: &FreedModel, at: usize, key: Vec<Value>, value: Value) -> ChoiceId {
        let choice = &freed.choices[at];
        let situation = *self.situations.entry((at, key)).or_insert_with(|| {
            self.blocked.push(None);
            self.all.push((Vec::new(), choice.several))
        });
        *self.by_value.entry((situation, value)).or_insert_with(|| {
            let id = self.situation_of.push(situation);
            self.all[situation].0.push(id);
            id
        })
    }

    /// Adds the choice of a value that no step or state of the graphs rests on, where the type has more values.
    pub(crate) fn add_blocked(&mut self, freed: &FreedModel) {
        let keys: Vec<(usize, SituationId)> = (self.situations.iter())
            .map(|((at, _), &situation)| (*at, situation))
            .collect();
        let mut sorted = keys;
        sorted.sort_by_key(|(_, situation)| *situation);
        for (at, situation) in sorted {
            let size = freed.model.vars[freed.choices[at].var].domain.size();
            if (self.all[situation].0.len() as u128) < size {
                let id = self.situation_of.push(situation);
                self.all[situation].0.push(id);
                self.blocked[situation] = Some(id);
            }
        }
    }

    /// Whether a choice stands for values with which nothing goes on.
    pub(crate) fn is_blocked(&self, choice: ChoiceId) -> bool {
        self.blocked[self.situation_of[choice]] == Some(choice)
    }
}

/// The states of a freed model, or of its product with the automaton of a formula.
pub(crate) struct ChoiceGraph<'m> {
    pub(crate) space: Explicit<'m>,
    nodes: HashMap<Vec<Value>, ExplicitStateId>,
    /// The choices that each state rests on, those of its step apart.
    of_state: Vec<Vec<ChoiceId>>,
    /// The choices that each initial state rests on besides.
    of_initial: HashMap<ExplicitStateId, Vec<ChoiceId>>,
    /// The choices that each step rests on, those of the state that it enters apart.
    of_step: Vec<Vec<ChoiceId>>,
    ends: Vec<(ExplicitStateId, ExplicitStateId)>,
}

impl<'m> ChoiceGraph<'m> {
    /// Explores a model whose first variables are those of the freed one; `None` if it is larger than the limits.
    pub(crate) fn explore(
        freed: &FreedModel,
        model: &'m Model,
        table: &mut ChoiceTable,
        limits: ExplorationLimits,
        budget: &Budget,
    ) -> Run<Option<Self>> {
        let Ok(space) = Explicit::explore_on(model, limits, 1, budget)? else {
            return Ok(None);
        };
        let mut meter = budget.meter();
        let states = (0..space.state_count()).map(ExplicitStateId::new);
        let values: Vec<Vec<Value>> = states.map(|state| space.values(&state)).collect();
        let chosen_when = |wanted: fn(&ChoiceTime) -> bool| {
            let all = freed.choices.iter().enumerate();
            all.filter(|(_, choice)| wanted(&choice.time)).collect()
        };
        let of_states: Vec<(usize, &FreeChoice)> = chosen_when(|t| *t == ChoiceTime::State);
        let of_steps: Vec<_> = chosen_when(|t| matches!(t, ChoiceTime::Step(_)));
        let of_starts: Vec<_> = chosen_when(|t| matches!(t, ChoiceTime::Initial(_)));
        let mut graph = Self {
            nodes: HashMap::new(),
            of_state: Vec::with_capacity(values.len()),
            of_initial: HashMap::new(),
            of_step: Vec::with_capacity(space.step_count()),
            ends: Vec::with_capacity(space.step_count()),
            space,
        };
        for (at, state) in values.iter().enumerate() {
            meter.tick()?;
            graph.nodes.insert(state.clone(), ExplicitStateId::new(at));
            let rests = of_states.iter().map(|&(at, choice)| {
                let key = state[..freed.original].to_vec();
                table.choice(freed, at, key, state[choice.var.index()])
            });
            graph.of_state.push(rests.collect());
        }
        for node in graph.space.initial_states() {
            let state = &values[node.index()];
            let rests = of_starts.iter().map(|&(at, choice)| {
                let ChoiceTime::Initial(unread) = &choice.time else {
                    unreachable!("these are made with initial states")
                };
                let key = without(&state[..freed.original], unread);
                table.choice(freed, at, key, state[choice.var.index()])
            });
            graph.of_initial.insert(node, rests.collect());
        }
        for from in (0..values.len()).map(ExplicitStateId::new) {
            meter.tick()?;
            for (_, to) in graph.space.steps_from(from) {
                let (now, next) = (&values[from.index()], &values[to.index()]);
                let rests = of_steps.iter().map(|&(at, choice)| {
                    let mut key = now[..freed.original].to_vec();
                    key.extend(freed.inputs.iter().map(|input| next[input.index()]));
                    if let ChoiceTime::Step(Some(unread)) = &choice.time {
                        key.extend(without(&next[..freed.original], unread));
                    }
                    table.choice(freed, at, key, next[choice.var.index()])
                });
                graph.of_step.push(rests.collect());
                graph.ends.push((from, to));
            }
        }
        Ok(Some(graph))
    }

    /// The state with these values.
    pub(crate) fn node(&self, values: &[Value]) -> Option<ExplicitStateId> {
        self.nodes.get(values).copied()
    }

    /// The choices that a step rests on.
    pub(crate) fn step_choices(&self, step: ExplicitStepId) -> impl Iterator<Item = ChoiceId> + '_ {
        let (_, to) = self.ends[step.index()];
        let of_step = self.of_step[step.index()].iter();
        of_step.chain(&self.of_state[to.index()]).copied()
    }

    /// The choices that an initial state rests on.
    pub(crate) fn initial_choices(
        &self,
        state: ExplicitStateId,
    ) -> impl Iterator<Item = ChoiceId> + '_ {
        let besides = self.of_initial.get(&state).into_iter().flatten();
        besides.chain(&self.of_state[state.index()]).copied()
    }

    /// The step between two states.
    pub(crate) fn step(
        &self,
        from: ExplicitStateId,
        to: ExplicitStateId,
    ) -> Option<ExplicitStepId> {
        let mut steps = self.space.steps_from(from);
        steps.find(|(_, other)| *other == to).map(|(step, _)| step)
    }

    /// What is left with some choices.
    pub(crate) fn restricted(&self, made: &IndexVec<ChoiceId, bool>) -> Run<Explicit<'m>> {
        self.space.restricted(
            |state| self.initial_choices(state).all(|choice| made[choice]),
            |step| self.step_choices(step).all(|choice| made[choice]),
        )
    }
}

/// The values of the variables but for some.
fn without(values: &[Value], left_out: &std::collections::BTreeSet<VarId>) -> Vec<Value> {
    let all = values.iter().enumerate();
    let kept = all.filter(|(at, _)| !left_out.contains(&VarId::new(*at)));
    kept.map(|(_, value)| *value).collect()
}
