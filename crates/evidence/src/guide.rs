//! Plans for paths that follow an added rule as a whole, looking ahead.

use std::cell::RefCell;
use std::rc::Rc;

use wherefore_base::{Run, Value};
use wherefore_logic::Fairness;
use wherefore_model::{TermId, VarId};
use wherefore_proof::Claim;
use wherefore_space::StateSpace;

use crate::along::{AlongAutomaton, best_lasso};
use crate::case::{Finite, PathCase, ProofCase};
use crate::lasso::{WantedLoop, small_lasso};
use crate::plan::{PlanEnd, PlanRef, ProofPlan};
use crate::strategy::{Automaton, Guide, Rules};

impl<'s, S: StateSpace> ProofCase<'_, 's, S> {
    /// Of the states where a proof may start, those that added rules like best.
    pub(crate) fn liked_starts(&self, starts: &S::Set, rules: &Rules) -> Run<S::Set> {
        let mut starts = starts.clone();
        for guide in &rules.added {
            let liked = match guide {
                Guide::Where(condition, truth) => self.true_in(&starts, *condition, *truth)?,
                Guide::Along(automaton) => {
                    let mut liked = self.space.nothing();
                    // A run begins in the first state of the automaton, so the arrows that leave it say which
                    // starts are liked.
                    for arrow in automaton.arrows.first().into_iter().flatten() {
                        let allowed = self.true_in(&starts, arrow.condition, arrow.truth)?;
                        liked = self.space.join(&liked, &allowed)?;
                    }
                    liked
                }
                Guide::Start(values) => {
                    let values = values.iter().enumerate();
                    let values: Vec<(VarId, Vec<Value>)> = values
                        .map(|(variable, &value)| (VarId::new(variable), vec![value]))
                        .collect();
                    let start = self.space.states_with(&values)?;
                    self.space.meet(&starts, &start)?
                }
                Guide::Explored(_)
                | Guide::Here
                | Guide::Through(_)
                | Guide::Loop(_)
                | Guide::Nothing => continue,
            };
            // A rule that likes none of the starts has no say.
            if !self.space.is_empty(&liked) {
                starts = liked;
            }
        }
        Ok(starts)
    }

    /// A plan for a path claim that is so at a state, made by an added rule; `None` when the rule is
    /// about single steps, or has nothing to offer here.
    pub(crate) fn guided(
        &self,
        claim: Claim,
        at: &S::State,
        guide: &Guide,
    ) -> Run<Option<PlanRef<S::State>>> {
        let path = self.path(claim)?;
        match guide {
            Guide::Where(..)
            | Guide::Explored(_)
            | Guide::Here
            | Guide::Start(_)
            | Guide::Nothing => Ok(None),
            Guide::Along(automaton) => self.along(claim, automaton)?.borrow_mut().plan(self, at),
            Guide::Through(condition) => self.loop_through(&path, at, *condition),
            Guide::Loop(within) => self.loop_within(&path, at, *within),
        }
    }

    fn true_in(&self, states: &S::Set, condition: TermId, truth: bool) -> Run<S::Set> {
        let set = self.condition(condition)?;
        match truth {
            true => self.space.meet(states, &set),
            false => self.space.minus(states, &set),
        }
    }

    fn along(
        &self,
        claim: Claim,
        automaton: &Automaton,
    ) -> Run<Rc<RefCell<AlongAutomaton<'s, S>>>> {
        let key = (claim, automaton.clone());
        if let Some(along) = self.along.borrow().get(&key) {
            return Ok(along.clone());
        }
        let along = Rc::new(RefCell::new(AlongAutomaton::new(self, claim, automaton)?));
        self.along.borrow_mut().insert(key, along.clone());
        Ok(along)
    }

    /// A lasso whose loop passes through a state where a condition is true: the condition is one more
    /// fairness constraint.
    fn loop_through(
        &self,
        path: &PathCase<S>,
        at: &S::State,
        condition: TermId,
    ) -> Run<Option<PlanRef<S::State>>> {
        if !path.pattern.weak || path.finite == Finite::Anywhere {
            return Ok(None);
        }
        let mut fairness = self.fairness(path);
        fairness.justice.push((*self.condition(condition)?).clone());
        let hull = self.space.hull(&path.sets.stay, &fairness)?;
        if !self.space.contains(&hull, at) {
            return Ok(None);
        }
        let (states, back) = best_lasso(self.space, &hull, &fairness, at)?;
        Ok(Some(Rc::new(ProofPlan::Path(states, PlanEnd::Loop(back)))))
    }

    /// The lasso with the shortest loop that begins at most so many steps away.
    fn loop_within(
        &self,
        path: &PathCase<S>,
        at: &S::State,
        within: u32,
    ) -> Run<Option<PlanRef<S::State>>> {
        if !path.pattern.weak || path.finite == Finite::Anywhere {
            return Ok(None);
        }
        let fairness: Fairness<S::Set> = self.fairness(path);
        let hull = self.space.hull(&path.sets.stay, &fairness)?;
        if !self.space.contains(&hull, at) {
            return Ok(None);
        }
        let wanted = WantedLoop::Turn(within);
        let found = small_lasso(self.space, &hull, &fairness, at, wanted)?;
        Ok(found.map(|(states, back)| Rc::new(ProofPlan::Path(states, PlanEnd::Loop(back)))))
    }
}
