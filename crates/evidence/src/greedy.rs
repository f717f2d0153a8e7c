//! Plans made quickly, with set operations only: always found, not always shortest.
//!
//! Paths descend the rings of their fixpoint, and where they may go on for ever, end in a lasso.

use std::rc::Rc;

use wherefore_base::{Run, deep};
use wherefore_logic::{Goal, Kernel};
use wherefore_proof::Claim;
use wherefore_space::StateSpace;

use crate::case::{Finite, ProofCase};
use crate::lasso::{descend, lasso};
use crate::plan::{PlanEnd, PlanRef, ProofPlan};

impl<S: StateSpace> ProofCase<'_, '_, S> {
    /// A plan for a claim that is so at a state.
    pub(crate) fn greedy(&self, claim: Claim, at: &S::State) -> Run<PlanRef<S::State>> {
        deep(|| match claim {
            Claim::HasPath => self.greedy_path(claim, at),
            Claim::Formula(goal, bounds) => match self.kernel(goal) {
                // Without steps there is nothing to choose but a branch.
                _ if !self.needs_steps(goal) && !self.has_branches(goal) => {
                    Ok(Rc::new(ProofPlan::Leaf))
                }
                Kernel::State => Ok(Rc::new(ProofPlan::Leaf)),
                Kernel::Branches(branches) => self.greedy_branch(&branches, at),
                Kernel::Step(_, next) => self.greedy_step(next, at),
                Kernel::Path(_) => self.greedy_path(claim, at),
                Kernel::Bounded(whole, _) => {
                    self.greedy_bounded(goal, bounds.unwrap_or(whole).most, at)
                }
            },
        })
    }

    /// Plans for all goals at a state.
    pub(crate) fn greedy_all(&self, goals: &[Goal], at: &S::State) -> Run<Vec<PlanRef<S::State>>> {
        let goals = goals.iter();
        goals
            .map(|&goal| self.greedy(Claim::Formula(goal, None), at))
            .collect()
    }

    fn has_branches(&self, goal: Goal) -> bool {
        matches!(self.kernel(goal), Kernel::Branches(_))
    }

    /// The first branch that is so without any step, otherwise the first that is so.
    fn greedy_branch(&self, branches: &[Vec<Goal>], at: &S::State) -> Run<PlanRef<S::State>> {
        let is_so = |goals: &&Vec<Goal>| goals.iter().all(|&goal| self.is_so(goal, at));
        let still = |goals: &Vec<Goal>| !goals.iter().any(|&goal| self.needs_steps(goal));
        let so: Vec<&Vec<Goal>> = branches.iter().filter(is_so).collect();
        let goals = so.iter().find(|goals| still(goals)).or(so.first());
        let goals = goals.expect("a claim that is so has a branch that is so");
        let number = branches.iter().position(|branch| *branch == **goals);
        let number = number.expect("the branch is one of the branches");
        Ok(Rc::new(ProofPlan::Branch(
            number,
            self.greedy_all(goals, at)?,
        )))
    }

    fn greedy_step(&self, next: Goal, at: &S::State) -> Run<PlanRef<S::State>> {
        let target = self.space.meet(&*self.set(next)?, self.live()?)?;
        let accepts = |state: &S::State| self.space.contains(&target, state);
        let state = self.nearest_successor(at, accepts, || Ok(target.clone()))?;
        let state = state.expect("a state where EX is so has a successor for it");
        let plan = self.greedy(Claim::Formula(next, None), &state)?;
        Ok(Rc::new(ProofPlan::Step(state, plan)))
    }

    fn greedy_path(&self, claim: Claim, at: &S::State) -> Run<PlanRef<S::State>> {
        let path = self.path(claim)?;
        let mut states = self.descend(&path.rings, at)?;
        let end = states.last().unwrap_or(at).clone();
        let end = if self.space.contains(&path.sets.goal, &end) {
            let goals = path.pattern.goal.as_deref().unwrap_or_default();
            PlanEnd::Goal(self.greedy_all(goals, &end)?)
        } else if path.finite == Finite::Anywhere {
            PlanEnd::Stop
        } else if path.finite == Finite::InDeadlock
            && self.space.contains(self.checker.dead()?, &end)
        {
            PlanEnd::Deadlock
        } else {
            let before = states.len();
            let fairness = self.fairness(&path);
            let hull = self.space.hull(&path.sets.stay, &fairness)?;
            let (more, back) = lasso(self.space, &hull, &fairness, &end)?;
            states.extend(more);
            PlanEnd::Loop(before + back)
        };
        Ok(Rc::new(ProofPlan::Path(states, end)))
    }

    /// A shortest way down the rings, the start not included: at each step the successor with the fewest
    /// changes, of these the least.
    pub(crate) fn descend(&self, rings: &S::Rings, from: &S::State) -> Run<Vec<S::State>> {
        descend(self.space, rings, from)
    }

    fn greedy_bounded(&self, goal: Goal, most: u32, at: &S::State) -> Run<PlanRef<S::State>> {
        let layers = self.layers(goal)?;
        let mut states: Vec<S::State> = Vec::new();
        let mut left = most;
        loop {
            self.space.budget().check()?;
            let here = states.last().unwrap_or(at).clone();
            if let Some(end) = self.bounded_end(&layers, left, &here) {
                let end = match end {
                    BoundedEnd::Goal => {
                        let goals = layers.pattern.goal.as_deref().unwrap_or_default();
                        PlanEnd::Goal(self.greedy_all(goals, &here)?)
                    }
                    BoundedEnd::Stop => PlanEnd::Stop,
                };
                return Ok(Rc::new(ProofPlan::Path(states, end)));
            }
            // A state of layer 0 can end its path, so `left` is at least 1 here.
            left -= 1;
            let next = &layers.layers[left as usize];
            let accepts = |state: &S::State| self.space.contains(next, state);
            let state = self.nearest_successor(&here, accepts, || Ok(next.clone()))?;
            states.push(state.expect("each layer has a step to the next"));
        }
    }

    /// Whether a bounded path may end at a state with this many steps left.
    pub(crate) fn bounded_end(
        &self,
        layers: &crate::case::CostLayers<S::Set>,
        left: u32,
        here: &S::State,
    ) -> Option<BoundedEnd> {
        let weak = layers.pattern.weak;
        let inside = layers.inside(left);
        let at_goal = self.space.contains(&layers.goal, here);
        let stays = self.space.contains(&layers.stay, here);
        let goal = match (weak, inside) {
            (false, inside) => inside && at_goal,
            (true, true) => at_goal && stays,
            (true, false) => at_goal,
        };
        // Where the bounds are used up, nothing but what is kept has to be shown: the goal would take more.
        match (goal, weak && left == 0 && stays) {
            (_, true) => Some(BoundedEnd::Stop),
            (true, false) => Some(BoundedEnd::Goal),
            (false, false) => None,
        }
    }
}

/// How a bounded path may end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoundedEnd {
    Goal,
    Stop,
}
