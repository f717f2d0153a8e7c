//! Where a run that refutes a formula of linear time could still have satisfied it.
//!
//! The fair runs of the product with the tableau of the opposite are the runs that satisfy the formula. Of these the ones
//! are followed that begin as the run does: while there are some, another continuation could still satisfy the formula.

use wherefore_base::{Run, Value};
use wherefore_check::{Checker, Tableau};
use wherefore_logic::{AtomId, Op, SubId};
use wherefore_model::VarId;
use wherefore_proof::{Decision, DecisiveChoice, Evidence, OccurrenceId};
use wherefore_space::StateSpace;

use crate::avoid::avoidance;
use crate::decide::lost_chance;
use crate::investigate::Investigator;

/// So many turns of the loop are followed.
const MOST_TURNS: usize = 16;
/// So many states of the product are looked at where a chance is lost.
const MOST_STATES: usize = 4_096;

impl<S: StateSpace> Investigator<'_, S> {
    /// Where a run that refutes a linear-time property of the model, given by its index, could still have satisfied it,
    /// given the tableau of the opposite and the product with it; `None` where that takes too long, where the chance is lost
    /// only when the run comes to its loop again, or where it is lost and the formula reads inputs or next states, so that
    /// not only the state that follows decides. The environment chooses inputs and the next values of `environment`.
    ///
    /// # Errors
    /// When the budget ends.
    ///
    /// # Panics
    /// When the model has no linear-time property with this index.
    pub fn linear_decision<P: StateSpace>(
        &self,
        property: usize,
        run: &Evidence,
        environment: &[VarId],
        tableau: &Tableau,
        product: &P,
    ) -> Run<Option<Decision>> {
        let checker = Checker::new(product)?;
        let fair = checker.fair()?;
        let (states, back) = run.main_run();
        let Some(back) = back.and_then(|back| states.iter().position(|&at| at == back)) else {
            return Ok(None);
        };
        let decided = |choice: DecisiveChoice| {
            let sub = self.linear(property).formula.root();
            Ok(Some(Decision { sub, choice }))
        };
        let at = |at: OccurrenceId| with_values(product, &run.occurrences[at].values);
        let of_steps = self.step_conditions(property);
        // Of the guesses about a step those that fit the one that the run takes.
        let taken = |chance: &P::Set, at: OccurrenceId| -> Run<P::Set> {
            let mut taken = chance.clone();
            for &sub in &of_steps {
                let guess = product.states_where(tableau.query.atoms[AtomId::new(sub.index())])?;
                taken = match run.occurrences[at].truth[sub] {
                    Some(true) => product.meet(&taken, &guess)?,
                    Some(false) => product.minus(&taken, &guess)?,
                    None => taken,
                };
            }
            Ok(taken)
        };
        let start = product.meet(product.initial(), fair)?;
        let mut chance = product.meet(&start, &at(states[0])?)?;
        if product.is_empty(&chance) {
            return decided(DecisiveChoice::Fated(states[0]));
        }
        let mut heads: Vec<P::Set> = Vec::new();
        let mut here = 0;
        loop {
            product.budget().check()?;
            if here == back {
                // With the same chances as before, the loop goes on like this.
                if heads.contains(&chance) {
                    return decided(DecisiveChoice::StillFree { exit: None });
                }
                if heads.len() == MOST_TURNS {
                    return Ok(None);
                }
                heads.push(chance.clone());
            }
            let next = match here + 1 {
                end if end == states.len() => back,
                next => next,
            };
            let after = product.post(&taken(&chance, states[here])?)?;
            let after = product.meet(&after, fair)?;
            let then = product.meet(&after, &at(states[next])?)?;
            if product.is_empty(&then) {
                // In a later turn the step has another number for readers than for the run.
                if heads.len() > 1 || !of_steps.is_empty() {
                    return Ok(None);
                }
                let step = (states[here], states[next]);
                let lost = self.last_chance(run, environment, product, &after, step)?;
                return lost.map_or(Ok(None), decided);
            }
            (chance, here) = (then, next);
        }
    }

    /// The step with which the last chance was lost, given the states of the product that would have kept it.
    fn last_chance<P: StateSpace>(
        &self,
        run: &Evidence,
        environment: &[VarId],
        product: &P,
        after: &P::Set,
        (from, to): (OccurrenceId, OccurrenceId),
    ) -> Run<Option<DecisiveChoice>> {
        let space = self.checker().space();
        let mut kept = space.nothing();
        for (number, state) in product.listed(after).enumerate() {
            if number == MOST_STATES {
                return Ok(None);
            }
            let values = product.values(&state?);
            kept = space.join(&kept, &with_values(space, &values[..self.own_vars])?)?;
        }
        let state = |at: OccurrenceId| {
            let here = with_values(space, &run.occurrences[at].values)?;
            space.first(&here)
        };
        let (Some(here), Some(next)) = (state(from)?, state(to)?) else {
            return Ok(None);
        };
        let mut edges = run.edges.iter();
        let edge = edges.find(|edge| edge.from == from && edge.to == to);
        let input = edge.map_or(&[][..], |edge| &edge.input);
        let sets = (&kept, self.checker().fair()?);
        let avoidable = avoidance(space, environment, sets, (&here, &next), input)?;
        lost_chance(space, &kept, (from, to), &here, avoidable).map(Some)
    }

    /// The atoms of a linear-time property that read an input or the next state.
    fn step_conditions(&self, property: usize) -> Vec<SubId> {
        let (model, query) = (self.model(), self.linear(property));
        let of_step = |sub: &SubId| match query.formula.op(*sub) {
            Op::Atom(atom) => model.reads_steps(&[query.atoms[atom]]),
            _ => false,
        };
        query.formula.subs().filter(of_step).collect()
    }
}

/// The states whose first variables have these values.
fn with_values<S: StateSpace>(space: &S, values: &[Value]) -> Run<S::Set> {
    let values = values.iter().enumerate();
    let values: Vec<(VarId, Vec<Value>)> = values
        .map(|(at, &value)| (VarId::new(at), vec![value]))
        .collect();
    space.states_with(&values)
}
