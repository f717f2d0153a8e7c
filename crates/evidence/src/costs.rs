//! Costs by set operations: how many steps the evidence for a goal takes, for all states at once.
//!
//! For goals whose evidence is one run, the states from which it takes `i` steps form layer `i`. Layers
//! are exact as long as every loop is a step from a state to itself; with every longer loop taken for
//! one of two steps they are a lower bound for runs with such loops. Between them these two say how
//! short the evidence can be, on spaces far too large to search.

use std::rc::Rc;

use wherefore_base::{Run, deep};
use wherefore_logic::{Goal, Kernel, PathPattern, Quantifier};
use wherefore_proof::Claim;
use wherefore_space::StateSpace;

use crate::case::{Finite, PathCase, ProofCase};
use crate::plan::{PlanEnd, PlanRef, ProofPlan};

/// Runs longer than this are not measured in layers.
const MOST_LAYERS: usize = 2_000;

/// Which loops there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Loops {
    /// Steps from a state to itself, as they are.
    Resting,
    /// Longer ones, each taken for one of two steps.
    Longer,
}

/// How many steps evidence takes.
pub(crate) enum CheapestPlan<Set> {
    /// So many, from these states.
    Steps(u32, Set),
    /// More than so many, from anywhere.
    MoreThan(u32),
}

impl<Set> CheapestPlan<Set> {
    /// How many steps it takes at least.
    pub(crate) fn at_least(&self) -> u32 {
        match self {
            CheapestPlan::Steps(steps, _) => *steps,
            CheapestPlan::MoreThan(steps) => steps.saturating_add(1),
        }
    }
}

/// Layer `i` has the states from which the evidence takes `i` steps. No state is in two layers.
pub(crate) struct Costs<Set> {
    layers: Vec<Set>,
}

impl<S: StateSpace> ProofCase<'_, '_, S> {
    /// How many steps the evidence of a goal takes from the cheapest of the starts, and those starts.
    /// Only evidence of at most `most` steps is looked for; `None` when it is not one run.
    pub(crate) fn cheapest_start(
        &self,
        goal: Goal,
        loops: Loops,
        starts: &S::Set,
        most: u32,
    ) -> Run<Option<CheapestPlan<S::Set>>> {
        // Evidence of `most` steps lies in layer `most`, and layers count from 0.
        self.most_layers.set((most as usize + 1).min(MOST_LAYERS));
        let Some(costs) = self.costs_up_to(goal, loops, Some(starts))? else {
            return Ok(None);
        };
        Ok(Some(match self.cheapest(&costs, starts)? {
            Some((steps, starts)) => CheapestPlan::Steps(steps, starts),
            None => CheapestPlan::MoreThan(self.most_layers.get() as u32 - 1),
        }))
    }

    fn cheapest(&self, costs: &Costs<S::Set>, among: &S::Set) -> Run<Option<(u32, S::Set)>> {
        for (steps, layer) in (0..).zip(&costs.layers) {
            let here = self.space.meet(layer, among)?;
            if !self.space.is_empty(&here) {
                return Ok(Some((steps, here)));
            }
        }
        Ok(None)
    }

    /// The layers of a goal; `None` when its evidence is not one run.
    fn costs(&self, goal: Goal, loops: Loops) -> Run<Option<Rc<Costs<S::Set>>>> {
        self.costs_up_to(goal, loops, None)
    }

    /// The layers of a goal up to the first that has one of the starts.
    fn costs_up_to(
        &self,
        goal: Goal,
        loops: Loops,
        starts: Option<&S::Set>,
    ) -> Run<Option<Rc<Costs<S::Set>>>> {
        if let Some(known) = self.costs.borrow().get(&(goal, loops)) {
            return Ok(known.clone());
        }
        let costs = deep(|| self.costs_anew(goal, loops, starts))?.map(Rc::new);
        self.costs.borrow_mut().insert((goal, loops), costs.clone());
        Ok(costs)
    }

    fn costs_anew(
        &self,
        goal: Goal,
        loops: Loops,
        starts: Option<&S::Set>,
    ) -> Run<Option<Costs<S::Set>>> {
        if !self.needs_steps(goal) {
            let layers = vec![(*self.set(goal)?).clone()];
            return Ok(Some(Costs { layers }));
        }
        match self.kernel(goal) {
            Kernel::State | Kernel::Bounded(..) => Ok(None),
            Kernel::Branches(branches) => {
                let mut base = Vec::new();
                for goals in &branches {
                    match self.costs_of_all(goals, loops)? {
                        Some(layers) => self.add(&mut base, &layers)?,
                        None => return Ok(None),
                    }
                }
                // With nothing to stay in, spreading only puts each state in its lowest layer.
                Ok(Some(self.spread(base, None, starts)?))
            }
            Kernel::Step(_, next) => {
                let Some(next) = self.costs(next, loops)? else {
                    return Ok(None);
                };
                let live = self.live()?;
                // Layer 0 is empty: the step itself costs one.
                let mut base = vec![self.space.nothing()];
                for layer in &next.layers {
                    self.space.budget().check()?;
                    base.push(self.space.pre(&self.space.meet(layer, live)?)?);
                }
                Ok(Some(self.spread(base, None, starts)?))
            }
            Kernel::Path(pattern) => {
                let path = self.path(Claim::Formula(goal, None))?;
                let Some(base) = self.ends(&path, &pattern, loops)? else {
                    return Ok(None);
                };
                Ok(Some(self.spread(base, Some(&path.sets.stay), starts)?))
            }
        }
    }

    /// The layers of a conjunction in which at most one goal needs steps.
    fn costs_of_all(&self, goals: &[Goal], loops: Loops) -> Run<Option<Vec<S::Set>>> {
        let mut layers = vec![self.space.reachable().clone()];
        let needing = goals.iter().filter(|&&goal| self.needs_steps(goal));
        match &needing.copied().collect::<Vec<_>>()[..] {
            [] => {}
            [goal] => match self.costs(*goal, loops)? {
                Some(costs) => layers = costs.layers.clone(),
                None => return Ok(None),
            },
            _ => return Ok(None),
        }
        for &goal in goals.iter().filter(|&&goal| !self.needs_steps(goal)) {
            let set = self.set(goal)?;
            for layer in &mut layers {
                *layer = self.space.meet(layer, &set)?;
            }
        }
        Ok(Some(layers))
    }

    /// Where a path may end, by the steps that its end takes.
    fn ends(
        &self,
        path: &PathCase<S>,
        pattern: &PathPattern,
        loops: Loops,
    ) -> Run<Option<Vec<S::Set>>> {
        let space = self.space;
        let mut base = Vec::new();
        if let Some(goals) = &pattern.goal {
            let Some(mut layers) = self.costs_of_all(goals, loops)? else {
                return Ok(None);
            };
            for layer in &mut layers {
                *layer = space.meet(layer, &path.sets.goal)?;
            }
            self.add(&mut base, &layers)?;
        }
        if pattern.weak {
            let nothing = || space.nothing();
            let ends = match (path.finite, loops) {
                (Finite::Anywhere, _) => vec![path.sets.stay.clone()],
                (_, Loops::Resting) => vec![nothing(), self.resting_on(path)?],
                // A loop that is no single step has at least two, so layer 2 is a lower bound.
                (_, Loops::Longer) => vec![nothing(), nothing(), path.sets.endless.clone()],
            };
            self.add(&mut base, &ends)?;
            if path.finite == Finite::InDeadlock {
                let dead = space.meet(&path.sets.stay, self.checker.dead()?)?;
                self.add(&mut base, &[dead])?;
            }
        }
        Ok(Some(base))
    }

    /// States of a weak path where resting for ever will do.
    fn resting_on(&self, path: &PathCase<S>) -> Run<S::Set> {
        let space = self.space;
        let mut resting = space.meet(self.resting()?, &path.sets.endless)?;
        if path.fair {
            let fairness = self.checker.fairness();
            for condition in &fairness.justice {
                resting = space.meet(&resting, condition)?;
            }
            // A loop of one state is unfair to a pair just when the state has `p` and not `q`.
            for (p, q) in &fairness.compassion {
                let unfair = space.minus(p, q)?;
                resting = space.minus(&resting, &unfair)?;
            }
        }
        Ok(resting)
    }

    /// Adds layers to layers.
    fn add(&self, base: &mut Vec<S::Set>, more: &[S::Set]) -> Run<()> {
        while base.len() < more.len() {
            base.push(self.space.nothing());
        }
        for (layer, more) in base.iter_mut().zip(more) {
            *layer = self.space.join(layer, more)?;
        }
        Ok(())
    }

    /// Every state in its lowest layer, where a step through `stay` costs one; up to the first layer
    /// that has one of the starts.
    fn spread(
        &self,
        base: Vec<S::Set>,
        stay: Option<&S::Set>,
        starts: Option<&S::Set>,
    ) -> Run<Costs<S::Set>> {
        let space = self.space;
        let mut layers: Vec<S::Set> = Vec::new();
        let mut seen = space.nothing();
        for at in 0..self.most_layers.get() {
            space.budget().check()?;
            let mut layer = base.get(at).cloned().unwrap_or_else(|| space.nothing());
            if let (Some(stay), Some(last)) = (stay, layers.last()) {
                let before = space.meet(&space.pre(last)?, stay)?;
                layer = space.join(&layer, &before)?;
            }
            layer = space.minus(&layer, &seen)?;
            // An empty layer is the last one only past the base: a dearer end may still begin a new layer.
            if space.is_empty(&layer) && at >= base.len() {
                break;
            }
            seen = space.join(&seen, &layer)?;
            let met = match starts {
                Some(starts) => !space.is_empty(&space.meet(&layer, starts)?),
                None => false,
            };
            layers.push(layer);
            if met {
                break;
            }
        }
        Ok(Costs { layers })
    }

    /// The plan that the layers with resting loops stand for, at a state of theirs.
    pub(crate) fn layered(&self, goal: Goal, at: &S::State) -> Run<PlanRef<S::State>> {
        if !self.needs_steps(goal) {
            return self.greedy(Claim::Formula(goal, None), at);
        }
        deep(|| match self.kernel(goal) {
            Kernel::Branches(branches) => {
                let mut best: Option<PlanRef<S::State>> = None;
                for (number, goals) in branches.iter().enumerate() {
                    if let Some(plans) = self.layered_all(goals, at)? {
                        let plan = Rc::new(ProofPlan::Branch(number, plans));
                        if best.as_ref().is_none_or(|best| plan.cost() < best.cost()) {
                            best = Some(plan);
                        }
                    }
                }
                Ok(best.expect("a layer holds what one of its branches holds"))
            }
            Kernel::Step(_, next) => {
                let target = self.space.meet(&*self.set(next)?, self.live()?)?;
                let after = self.space.post(&self.space.just(at)?)?;
                let after = self.space.meet(&after, &target)?;
                let costs = self.costs(next, Loops::Resting)?;
                let costs = costs.expect("a plan by layers has layers");
                let cheapest = self.cheapest(&costs, &after)?;
                let (_, nearest) = cheapest.expect("a layer has a step to the one below");
                let state = self.space.first(&nearest)?.expect("it is not empty");
                let plan = self.layered(next, &state)?;
                Ok(Rc::new(ProofPlan::Step(state, plan)))
            }
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => {
                self.layered_path(goal, &pattern, at)
            }
            other => unreachable!("{other:?} has no layers"),
        })
    }

    /// Plans for goals at a state; `None` if one is not so, or not with resting loops only.
    fn layered_all(&self, goals: &[Goal], at: &S::State) -> Run<Option<Vec<PlanRef<S::State>>>> {
        let mut plans = Vec::new();
        for &goal in goals {
            let measured = self.needs_steps(goal);
            if !self.is_so(goal, at) || measured && self.cost_at(goal, at)?.is_none() {
                return Ok(None);
            }
            plans.push(self.layered(goal, at)?);
        }
        Ok(Some(plans))
    }

    fn cost_at(&self, goal: Goal, at: &S::State) -> Run<Option<usize>> {
        let costs = self.costs(goal, Loops::Resting)?;
        let contains = |layer: &S::Set| self.space.contains(layer, at);
        Ok(costs.and_then(|costs| costs.layers.iter().position(contains)))
    }

    fn layered_path(
        &self,
        goal: Goal,
        pattern: &PathPattern,
        at: &S::State,
    ) -> Run<PlanRef<S::State>> {
        let path = self.path(Claim::Formula(goal, None))?;
        let costs = self.costs(goal, Loops::Resting)?;
        let costs = costs.expect("a plan by layers has layers");
        let mut states: Vec<S::State> = Vec::new();
        let mut left = self.cost_at(goal, at)?.expect("the state is in a layer");
        loop {
            self.space.budget().check()?;
            let here = states.last().unwrap_or(at).clone();
            if let Some(end) = self.layered_end(&path, pattern, left, states.len(), &here)? {
                return Ok(Rc::new(ProofPlan::Path(states, end)));
            }
            // A state of layer 0 ends its path at once, so `left` is at least 1 here.
            left -= 1;
            let below = &costs.layers[left];
            let accepts = |state: &S::State| self.space.contains(below, state);
            let next = self.nearest_successor(&here, accepts, || Ok(below.clone()))?;
            states.push(next.expect("a layer has a step to the one below"));
        }
    }

    /// How a path ends here, if it does so with exactly the steps that are left.
    fn layered_end(
        &self,
        path: &PathCase<S>,
        pattern: &PathPattern,
        left: usize,
        position: usize,
        here: &S::State,
    ) -> Run<Option<PlanEnd<S::State>>> {
        let space = self.space;
        if space.contains(&path.sets.goal, here) {
            let goals = pattern.goal.as_deref().unwrap_or_default();
            if let Some(plans) = self.layered_all(goals, here)? {
                let steps: u32 = plans.iter().map(|plan| plan.cost().steps).sum();
                if steps as usize == left {
                    return Ok(Some(PlanEnd::Goal(plans)));
                }
            }
        }
        if !pattern.weak || !space.contains(&path.sets.stay, here) {
            return Ok(None);
        }
        Ok(match path.finite {
            Finite::Anywhere if left == 0 => Some(PlanEnd::Stop),
            Finite::InDeadlock if left == 0 && space.contains(self.checker.dead()?, here) => {
                Some(PlanEnd::Deadlock)
            }
            Finite::Never | Finite::InDeadlock if left == 1 => {
                let rests = space.contains(&self.resting_on(path)?, here);
                rests.then_some(PlanEnd::Loop(position))
            }
            _ => None,
        })
    }
}
