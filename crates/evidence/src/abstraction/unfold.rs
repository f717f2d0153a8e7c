//! From an abstract run to concrete ones, choice by choice.

use wherefore_base::Run;
use wherefore_replay::Sample;
use wherefore_space::StateSpace;

use super::Abstraction;

/// So many runs are unfolded to be replayed, if they are short.
const SAMPLES: usize = 8;
/// So many steps are replayed in all.
const SAMPLED_STEPS: usize = 400;

/// The states that a run can have next; never empty.
#[derive(Clone, Debug)]
pub struct AbstractChoices<Set> {
    /// All of them.
    pub states: Set,
    position: usize,
    cell: usize,
}

/// A state that a run has, and what its choices so far leave open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractPoint<State> {
    /// The state.
    pub state: State,
    /// Its position, from 0.
    pub position: usize,
    cell: usize,
}

impl<S: StateSpace> Abstraction<'_, S> {
    /// The states that a run can start with.
    pub fn starts(&self) -> AbstractChoices<S::Set> {
        AbstractChoices {
            // The first position has one cell: the claim itself is what is open at every start.
            states: self.layers.positions[0][0].states.clone(),
            position: 0,
            cell: 0,
        }
    }

    /// One of the choices; `None` when the state is not among them.
    pub fn choose(
        &self,
        choices: &AbstractChoices<S::Set>,
        state: &S::State,
    ) -> Option<AbstractPoint<S::State>> {
        let among = self.space.contains(&choices.states, state);
        among.then(|| AbstractPoint {
            state: state.clone(),
            position: choices.position,
            cell: choices.cell,
        })
    }

    /// The states that a run can have after this one; `None` at its end.
    pub fn next(&self, point: &AbstractPoint<S::State>) -> Run<Option<AbstractChoices<S::Set>>> {
        let Some(moves) = self.layers.moves.get(point.position) else {
            return Ok(None);
        };
        let mut moves = moves.iter().filter(|step| step.from == point.cell);
        let taken = moves.find(|step| self.space.contains(&step.states, &point.state));
        let to = taken.expect("every state of a cell goes on").to;
        let position = point.position + 1;
        let after = self.space.post(&self.space.just(&point.state)?)?;
        let there = &self.layers.positions[position][to].states;
        Ok(Some(AbstractChoices {
            states: self.space.meet(&after, there)?,
            position,
            cell: to,
        }))
    }

    /// Some runs with their inputs, chosen to differ.
    pub(super) fn samples(&self) -> Run<Vec<Sample>> {
        let steps = self.layers.steps();
        let count = (SAMPLED_STEPS / (steps + 1)).clamp(1, SAMPLES);
        let mut samples: Vec<Sample> = Vec::new();
        for number in 0..count {
            let sample = self.sample(number)?;
            if !samples.contains(&sample) {
                samples.push(sample);
            }
        }
        Ok(samples)
    }

    fn sample(&self, number: usize) -> Run<Sample> {
        let space = self.space;
        let mut sample = Sample {
            states: vec![],
            inputs: vec![],
        };
        let mut choices = self.starts();
        loop {
            space.budget().check()?;
            let state = self.pick(&choices.states, number, choices.position)?;
            let point = self.choose(&choices, &state);
            let point = point.expect("it was picked from the choices");
            sample.states.push(space.values(&point.state));
            match self.next(&point)? {
                Some(next) => choices = next,
                None => return Ok(sample),
            }
            // The next turn of the loop picks this state again, so the input fits the state that is told.
            let after = self.pick(&choices.states, number, choices.position)?;
            let input = space.input(&point.state, &after)?;
            sample.inputs.push(input.expect("it is a successor"));
        }
    }

    /// The least state, or the least that differs from it in a variable that depends on the numbers.
    fn pick(&self, states: &S::Set, number: usize, position: usize) -> Run<S::State> {
        let space = self.space;
        let first = space.first(states)?.expect("there is always a choice");
        let vars = space.model().state_vars();
        if number == 0 || vars == 0 {
            return Ok(first);
        }
        // The factors only spread numbers and positions over the variables.
        let var = (number * 7 + position * 3) % vars;
        let same = [(var.into(), vec![space.values(&first)[var]])];
        let others = space.minus(states, &space.states_with(&same)?)?;
        Ok(space.first(&others)?.unwrap_or(first))
    }
}
