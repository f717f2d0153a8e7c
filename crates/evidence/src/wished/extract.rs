//! The plan that has the cost in the tables.

use std::rc::Rc;

use wherefore_base::{Run, deep};
use wherefore_logic::{Goal, Kernel};
use wherefore_proof::Claim;
use wherefore_space::StateSpace;

use super::WishPlanner;
use super::cost::WishCost;
use super::values::{PathTable, WishTable};
use crate::case::Finite;
use crate::greedy::BoundedEnd;
use crate::plan::{PlanEnd, PlanRef, ProofPlan};

/// The tables say that there is a choice with the cost they have.
const TIGHT: &str = "some choice has the cost of the table";

impl<S: StateSpace> WishPlanner<'_, '_, '_, S> {
    /// The plan for a claim at a node where its table has a cost. Of equal choices the first is taken: a path ends
    /// before it goes on, and goes on to the least state.
    pub(super) fn extract(&self, claim: Claim, node: usize) -> Run<PlanRef<S::State>> {
        deep(|| {
            let Claim::Formula(goal, bounds) = claim else {
                return self.case.greedy(claim, self.graph.state(node));
            };
            match (&*self.tables[&goal], self.case.kernel(goal)) {
                (WishTable::Still(_), _) => self.case.greedy(claim, self.graph.state(node)),
                (WishTable::Costs(costs), Kernel::Branches(branches)) => {
                    self.extract_branch(&branches, costs[node].as_ref().expect(TIGHT), node)
                }
                (WishTable::Costs(costs), Kernel::Step(_, next)) => {
                    self.extract_step(next, costs[node].as_ref().expect(TIGHT), node)
                }
                (WishTable::Path(table), _) => self.extract_path(claim, table, node),
                (WishTable::Layers(layers), _) => {
                    let left = bounds.map_or(layers.len() - 1, |bounds| bounds.most as usize);
                    self.extract_layers(goal, layers, left, node)
                }
                (WishTable::Costs(_), _) => unreachable!("paths have tables of their own"),
            }
        })
    }

    fn extract_all(&self, goals: &[Goal], node: usize) -> Run<Vec<PlanRef<S::State>>> {
        let goals = goals.iter();
        goals
            .map(|&goal| self.extract(Claim::Formula(goal, None), node))
            .collect()
    }

    /// The cost of several goals, all of which have tables.
    pub(super) fn together(&self, goals: &[Goal], node: usize) -> Option<WishCost> {
        let tables: Vec<Rc<WishTable>> =
            goals.iter().map(|goal| self.tables[goal].clone()).collect();
        self.sum(&tables, node)
    }

    fn extract_branch(
        &self,
        branches: &[Vec<Goal>],
        cost: &WishCost,
        node: usize,
    ) -> Run<PlanRef<S::State>> {
        let mut numbered = branches.iter().enumerate();
        let found = numbered.find(|(_, goals)| self.together(goals, node).as_ref() == Some(cost));
        let (number, goals) = found.expect(TIGHT);
        let plans = self.extract_all(goals, node)?;
        Ok(Rc::new(ProofPlan::Branch(number, plans)))
    }

    fn extract_step(&self, next: Goal, cost: &WishCost, node: usize) -> Run<PlanRef<S::State>> {
        let live = self.case.live()?;
        let table = &self.tables[&next];
        let mut edges = self.graph.edges[node].iter();
        let tight = edges.find(|edge| {
            self.case.space.contains(live, self.graph.state(edge.to))
                && self
                    .cost(table, edge.to)
                    .is_some_and(|rest| rest.with_step(edge) == *cost)
        });
        let to = tight.expect(TIGHT).to;
        let plan = self.extract(Claim::Formula(next, None), to)?;
        Ok(Rc::new(ProofPlan::Step(self.graph.state(to).clone(), plan)))
    }

    fn extract_path(
        &self,
        claim: Claim,
        table: &PathTable,
        start: usize,
    ) -> Run<PlanRef<S::State>> {
        let (case, space) = (self.case, self.case.space);
        let path = case.path(claim)?;
        let goals = path.pattern.goal.as_deref().unwrap_or_default();
        let mut states: Vec<S::State> = Vec::new();
        let mut node = start;
        loop {
            space.budget().check()?;
            let state = self.graph.state(node);
            let cost = table.costs[node].as_ref().expect(TIGHT);
            if space.contains(&path.sets.goal, state)
                && self.together(goals, node).as_ref() == Some(cost)
            {
                let end = PlanEnd::Goal(self.extract_all(goals, node)?);
                return Ok(Rc::new(ProofPlan::Path(states, end)));
            }
            if path.pattern.weak && table.leave[node].as_ref() == Some(cost) {
                let end = match path.finite {
                    Finite::Anywhere => Some(PlanEnd::Stop),
                    Finite::InDeadlock if space.contains(case.checker.dead()?, state) => {
                        Some(PlanEnd::Deadlock)
                    }
                    Finite::InDeadlock | Finite::Never => None,
                };
                if let Some(end) = end {
                    return Ok(Rc::new(ProofPlan::Path(states, end)));
                }
            }
            if let Some((turn, turn_cost)) = &table.turns[node]
                && turn_cost == cost
            {
                let back = states.len();
                states.extend(turn.iter().map(|&node| self.graph.state(node).clone()));
                return Ok(Rc::new(ProofPlan::Path(states, PlanEnd::Loop(back))));
            }
            let leave = table.leave[node].as_ref().expect(TIGHT);
            let mut edges = self.graph.edges[node].iter();
            // Every step makes the rest one step shorter, so this ends.
            let tight = edges.find(|edge| {
                let rest = table.costs[edge.to].as_ref();
                rest.is_some_and(|rest| rest.plus(leave).with_step(edge) == *cost)
            });
            node = tight.expect(TIGHT).to;
            states.push(self.graph.state(node).clone());
        }
    }

    fn extract_layers(
        &self,
        goal: Goal,
        table: &[Vec<Option<WishCost>>],
        most: usize,
        start: usize,
    ) -> Run<PlanRef<S::State>> {
        let (case, space) = (self.case, self.case.space);
        let layers = case.layers(goal)?;
        let goals = layers.pattern.goal.as_deref().unwrap_or_default();
        let mut states: Vec<S::State> = Vec::new();
        let mut node = start;
        for left in (0..=most).rev() {
            space.budget().check()?;
            let state = self.graph.state(node);
            let cost = table[left][node].as_ref().expect(TIGHT);
            let steps = u32::try_from(left).unwrap_or(u32::MAX);
            let stay = self.together(&layers.pattern.stay, node);
            match case.bounded_end(&layers, steps, state) {
                Some(BoundedEnd::Goal) if self.together(goals, node).as_ref() == Some(cost) => {
                    let end = PlanEnd::Goal(self.extract_all(goals, node)?);
                    return Ok(Rc::new(ProofPlan::Path(states, end)));
                }
                Some(BoundedEnd::Stop) if stay.as_ref() == Some(cost) => {
                    return Ok(Rc::new(ProofPlan::Path(states, PlanEnd::Stop)));
                }
                _ => {}
            }
            let must_stay = !layers.pattern.weak || layers.inside(steps);
            let leave = match must_stay {
                true => stay.expect(TIGHT),
                false => WishCost::nothing(self.wishes.len()),
            };
            let mut edges = self.graph.edges[node].iter();
            let tight = edges.find(|edge| {
                let inside = space.contains(&layers.layers[left - 1], self.graph.state(edge.to));
                let rest = table[left - 1][edge.to].as_ref().filter(|_| inside);
                rest.is_some_and(|rest| rest.plus(&leave).with_step(edge) == *cost)
            });
            node = tight.expect(TIGHT).to;
            states.push(self.graph.state(node).clone());
        }
        unreachable!("a bounded path ends within its bounds")
    }
}
