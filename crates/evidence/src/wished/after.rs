//! How good a move is for wishes, compared with the best.

use wherefore_base::Run;
use wherefore_logic::{Goal, Kernel};
use wherefore_proof::Claim;
use wherefore_space::StateSpace;

use super::WishPlanner;
use super::cost::WishCost;
use super::graph::WishEdge;
use super::values::WishTable;
use crate::fragment::SearchHalt;
use crate::plan::{PlanEnd, ProofPlan};
use crate::prover::ProverMove;

/// A move that is on offer for a claim at a state.
pub(crate) struct OfferedMove<'o, T> {
    pub(crate) claim: Claim,
    pub(crate) at: &'o T,
    pub(crate) make: &'o ProverMove<T>,
    /// What is to be done afterwards, if it is one of several moves that belong together.
    pub(crate) plan: Option<&'o ProofPlan<T>>,
    /// Whether the move makes the state a loop of one step.
    pub(crate) rests: bool,
}

impl<S: StateSpace> WishPlanner<'_, '_, '_, S> {
    /// Whether a move leads to evidence that is as good as any for the wishes up to the one with this number;
    /// `None` when the search for the best came to its limit.
    pub(crate) fn is_best(
        &mut self,
        offered: &OfferedMove<'_, S::State>,
        wish: usize,
    ) -> Run<Option<bool>> {
        let Claim::Formula(goal, bounds) = offered.claim else {
            return Ok(None);
        };
        match self.table(goal) {
            Ok(_) => {}
            Err(SearchHalt::Exhausted) => return Ok(None),
            Err(SearchHalt::Stop(stop)) => return Err(stop),
        }
        let left = bounds.map(|bounds| bounds.most as usize);
        let nodes = self.graph.nodes_of(offered.at).iter();
        let best = nodes.filter_map(|&node| Some((self.cost_left(goal, left, node)?, node)));
        let Some((best, node)) = best.min() else {
            return Ok(None);
        };
        let after = self.after(offered, goal, left, node)?;
        Ok(Some(
            after.is_some_and(|after| after.is_as_good(&best, wish)),
        ))
    }

    fn cost_left(&self, goal: Goal, left: Option<usize>, node: usize) -> Option<WishCost> {
        match (&*self.tables[&goal], left) {
            (WishTable::Layers(layers), Some(left)) => layers.get(left)?[node].clone(),
            (table, _) => self.cost(table, node),
        }
    }

    /// What the best evidence after a move costs; `None` when nobody knows.
    fn after(
        &self,
        offered: &OfferedMove<'_, S::State>,
        goal: Goal,
        left: Option<usize>,
        node: usize,
    ) -> Run<Option<WishCost>> {
        if let WishTable::Still(_) = &*self.tables[&goal] {
            return Ok(Some(WishCost::nothing(self.wishes.len())));
        }
        let kernel = self.case.kernel(goal);
        let pattern = match &kernel {
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => Some(pattern),
            _ => None,
        };
        let stay = pattern.map_or(&[][..], |pattern| &pattern.stay);
        if let Some(ProofPlan::Path(states, end)) = offered.plan {
            return Ok(self.planned_cost(stay, node, states, end));
        }
        let to = |state: &S::State| {
            let edges = self.graph.edges[node].iter();
            let state = state.clone();
            edges.filter(move |edge| *self.graph.state(edge.to) == state)
        };
        Ok(match (offered.make, &kernel) {
            (ProverMove::Branch(number), Kernel::Branches(branches)) => {
                self.together(&branches[*number], node)
            }
            (ProverMove::Step(state), Kernel::Step(_, next)) => to(state)
                .filter_map(|edge| Some(self.cost(&self.tables[next], edge.to)?.with_step(edge)))
                .min(),
            (ProverMove::Goal, _) => {
                let goals = pattern.and_then(|pattern| pattern.goal.as_deref());
                self.together(goals.unwrap_or_default(), node)
            }
            (ProverMove::Stop | ProverMove::DeadEnd, _) => self.together(stay, node),
            (ProverMove::Continue(state), _) => {
                let leave = self.together(stay, node);
                let below = match (&*self.tables[&goal], left) {
                    (WishTable::Layers(layers), left) => {
                        left.unwrap_or(layers.len() - 1).checked_sub(1)
                    }
                    _ => left,
                };
                let rest = |edge: &WishEdge| {
                    let rest = self.cost_left(goal, below, edge.to)?;
                    Some(rest.plus(leave.as_ref()?).with_step(edge))
                };
                to(state).filter_map(rest).min()
            }
            (ProverMove::Close(_), _) if offered.rests => {
                let end = PlanEnd::Loop(0);
                self.planned_cost(stay, node, &[], &end)
            }
            (ProverMove::Close(_), _) => None,
            _ => Some(WishCost::nothing(self.wishes.len())),
        })
    }

    /// What a planned path costs; `None` when it is not in the graph.
    fn planned_cost(
        &self,
        stay: &[Goal],
        start: usize,
        states: &[S::State],
        end: &PlanEnd<S::State>,
    ) -> Option<WishCost> {
        let mut nodes = vec![start];
        let mut steps: Vec<WishEdge> = Vec::new();
        for state in states {
            let here = *nodes.last()?;
            let mut edges = self.graph.edges[here].iter();
            let edge = edges.find(|edge| self.graph.state(edge.to) == state)?;
            nodes.push(edge.to);
            steps.push(*edge);
        }
        let back = match end {
            PlanEnd::Loop(back) => Some(*back),
            _ => None,
        };
        if let Some(back) = back {
            let mut edges = self.graph.edges[*nodes.last()?].iter();
            steps.push(*edges.find(|edge| edge.to == nodes[back])?);
        }
        let mut cost = match end {
            PlanEnd::Goal(plans) => {
                // What is shown at the goal is planned anew, so nothing is known of it where it takes steps.
                let steps = plans.iter().any(|plan| plan.cost().steps > 0);
                (!steps).then(|| WishCost::nothing(self.wishes.len()))?
            }
            PlanEnd::Loop(back) => {
                let served = steps[*back..].iter().fold(0, |all, edge| all | edge.served);
                WishCost::nothing(self.wishes.len()).with_idle(self.needed & !served)
            }
            PlanEnd::Deadlock | PlanEnd::Stop => self.together(stay, *nodes.last()?)?,
        };
        for (number, edge) in steps.iter().enumerate() {
            cost = match back.is_some_and(|back| number >= back) {
                true => cost.with_turn(edge),
                false => cost.with_step(edge),
            };
            cost = cost.plus(&self.together(stay, nodes[number])?);
        }
        Some(cost)
    }
}
