//! Parts of a space: the states that are left when only some initial states and some steps are kept.

use wherefore_base::{Run, define_id};

use super::{AdjacencyRows, Explicit, ExplicitStateId, ExplorationResult, Generator};
use crate::StateSpace;

define_id!(
    /// A step between two reachable states; ids ascend in the order of the states that steps leave, then of those that
    /// they enter.
    pub struct ExplicitStepId
);

impl<'m> Explicit<'m> {
    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.len()
    }

    /// How many steps there are.
    pub fn step_count(&self) -> usize {
        self.forward.edges()
    }

    /// The initial states, in order.
    pub fn initial_states(&self) -> impl Iterator<Item = ExplicitStateId> + '_ {
        self.initial.ones().map(ExplicitStateId::new)
    }

    /// The steps from a state and where they lead, in order.
    pub fn steps_from(
        &self,
        state: ExplicitStateId,
    ) -> impl Iterator<Item = (ExplicitStepId, ExplicitStateId)> + '_ {
        let first = self.forward.start(state.index() as u32);
        let row = self.forward.row(state.index() as u32).iter().enumerate();
        row.map(move |(at, &to)| {
            (
                ExplicitStepId::new(first + at),
                ExplicitStateId::new(to as usize),
            )
        })
    }

    /// What can be reached from those initial states that are kept by steps that are kept. It is a space of the
    /// same model, whose conditions mean what they mean there; its steps are no longer all steps of the model.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn restricted(
        &self,
        keep_initial: impl Fn(ExplicitStateId) -> bool,
        keep_step: impl Fn(ExplicitStepId) -> bool,
    ) -> Run<Self> {
        let mut meter = self.budget.meter();
        let mut reached = self.nothing();
        let mut open: Vec<ExplicitStateId> = Vec::new();
        for state in self.initial_states().filter(|&state| keep_initial(state)) {
            reached.insert(state.index());
            open.push(state);
        }
        while let Some(state) = open.pop() {
            meter.tick()?;
            for (step, to) in self.steps_from(state) {
                if keep_step(step) && !reached.put(to.index()) {
                    open.push(to);
                }
            }
        }
        let mut names = vec![0u32; self.len()];
        for (name, state) in reached.ones().enumerate() {
            names[state] = name as u32;
        }
        let mut states = Vec::with_capacity(self.layout.words() * reached.count_ones(..));
        let (mut starts, mut items) = (vec![0u32], Vec::new());
        for state in reached.ones() {
            meter.tick()?;
            states.extend_from_slice(self.packed(state));
            let kept = self.steps_from(ExplicitStateId::new(state));
            let kept = kept.filter(|(step, _)| keep_step(*step));
            // States keep their order, so rows stay sorted.
            items.extend(kept.map(|(_, to)| names[to.index()]));
            starts.push(items.len() as u32);
        }
        let initial = self.initial_states().filter(|&state| keep_initial(state));
        let initial = initial.map(|state| names[state.index()]).collect();
        let explored = ExplorationResult {
            states,
            forward: AdjacencyRows::new(starts, items),
            initial,
        };
        let generator = Generator::new(self.model, &self.budget);
        Ok(Self::new(
            self.model,
            &self.budget,
            self.layout.clone(),
            generator,
            explored,
        ))
    }
}
