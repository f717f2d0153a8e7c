//! The cheapest loop through a node.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use wherefore_base::{Meter, Run, Successor, strongly_connected};
use wherefore_space::StateSpace;

use super::WishPlanner;
use super::cost::WishCost;
use super::graph::WishEdge;
use crate::case::PathCase;
use crate::fragment::SearchHalt;

/// What the loops of a path claim may pass.
pub(super) struct TurnGround {
    /// Which nodes a loop may pass, and what it costs to leave each.
    pub(super) leave: Vec<Option<WishCost>>,
    /// The fairness conditions that each node meets, one bit each.
    pub(super) met: Vec<u64>,
}

/// A loop: the nodes after the first, and its cost.
pub(super) type WishTurn = (Vec<usize>, WishCost);

/// A node on the way round, with all that the way has met.
struct TurnVisit {
    node: usize,
    met: u64,
    served: u64,
    cost: WishCost,
    before: Option<usize>,
}

impl<S: StateSpace> WishPlanner<'_, '_, '_, S> {
    /// The cheapest fair loop through a node, unless every one costs at least `most`.
    pub(super) fn best_turn(
        &mut self,
        path: &PathCase<S>,
        ground: &TurnGround,
        home: usize,
        most: Option<&WishCost>,
    ) -> Result<Option<WishTurn>, SearchHalt> {
        let mut visits = vec![TurnVisit {
            node: home,
            met: ground.met[home],
            served: 0,
            cost: WishCost::nothing(self.wishes.len()),
            before: None,
        }];
        let mut known: FxHashMap<(usize, u64, u64), usize> = FxHashMap::default();
        known.insert((home, ground.met[home], 0), 0);
        let mut heap = BinaryHeap::from([Reverse((visits[0].cost.clone(), 0))]);
        let mut best: Option<(WishCost, usize)> = None;
        while let Some(Reverse((cost, at))) = heap.pop() {
            // A loop costs no less than the way to its last node.
            let limit = best.as_ref().map(|(best, _)| best).or(most);
            if limit.is_some_and(|limit| cost >= *limit) {
                break;
            }
            if cost > visits[at].cost {
                continue;
            }
            let (node, met, served) = (visits[at].node, visits[at].met, visits[at].served);
            let Some(leave) = &ground.leave[node] else {
                continue;
            };
            let left = cost.plus(leave);
            for number in 0..self.graph.edges[node].len() {
                self.graph.visit()?;
                let edge = self.graph.edges[node][number];
                let after = left.clone().with_turn(&edge);
                let served = served | edge.served & self.needed;
                if edge.to == home && self.case.is_fair(path, met) {
                    let closed = after.clone().with_idle(self.needed & !served);
                    let limit = best.as_ref().map(|(best, _)| best).or(most);
                    if limit.is_none_or(|limit| closed < *limit) {
                        best = Some((closed, at));
                    }
                }
                if ground.leave[edge.to].is_none() {
                    continue;
                }
                let met = met | ground.met[edge.to];
                let new = visits.len();
                let visit = *known.entry((edge.to, met, served)).or_insert(new);
                if visit == new {
                    visits.push(TurnVisit {
                        node: edge.to,
                        met,
                        served,
                        cost: after.clone(),
                        before: Some(at),
                    });
                } else if after < visits[visit].cost {
                    visits[visit].cost = after.clone();
                    visits[visit].before = Some(at);
                } else {
                    continue;
                }
                heap.push(Reverse((after, visit)));
            }
        }
        Ok(best.map(|(cost, mut at)| {
            let mut nodes = Vec::new();
            while let Some(before) = visits[at].before {
                nodes.push(visits[at].node);
                at = before;
            }
            nodes.reverse();
            (nodes, cost)
        }))
    }

    /// For each node a cost that no loop through it is below; `None` where there is no loop.
    ///
    /// Within the steps that disappoint none of the first wishes, every loop lies in a component. Where a node
    /// has no component without exceptions for one more wish, its loops have an exception for that wish, or for
    /// one before it.
    pub(super) fn least_turns(
        &mut self,
        path: &PathCase<S>,
        ground: &TurnGround,
    ) -> Run<Vec<Option<WishCost>>> {
        let nothing = WishCost::nothing(self.wishes.len());
        let step = WishEdge {
            to: 0,
            missed: 0,
            served: 0,
            changes: 0,
        };
        // A loop has at least one step.
        let turn = nothing.with_turn(&step);
        let mut least = vec![None; self.graph.nodes.len()];
        for clean in 0..=self.wishes.len() {
            let wishes = match clean {
                64 => u64::MAX,
                clean => (1_u64 << clean) - 1,
            };
            let turning = self.turning(path, ground, wishes)?;
            // Exceptions begin with the first wish that is not clean, if there is one.
            let cost = match clean == self.wishes.len() {
                true => turn.clone(),
                false => turn.clone().with_turns(1 << clean),
            };
            for &node in &turning {
                least[node] = Some(cost.clone());
            }
            if turning.is_empty() {
                break;
            }
        }
        Ok(least)
    }

    /// The nodes in fair components of the steps that are no exceptions for these wishes.
    fn turning(&self, path: &PathCase<S>, ground: &TurnGround, wishes: u64) -> Run<Vec<usize>> {
        let graph = &self.graph;
        let is_step =
            |edge: &WishEdge| edge.missed & wishes == 0 && ground.leave[edge.to].is_some();
        let step = |node: usize, at: usize| match graph.edges[node].get(at) {
            Some(edge) if is_step(edge) => Successor::Node(edge.to),
            Some(_) => Successor::Ignored,
            None => Successor::End,
        };
        let inside = (0..graph.nodes.len()).filter(|&node| ground.leave[node].is_some());
        let justice = match path.fair {
            true => self.case.checker.fairness().justice.len(),
            false => 0,
        };
        // There are at most 64 conditions: each has one bit.
        let wanted = 1_u64
            .checked_shl(justice as u32)
            .map_or(u64::MAX, |bit| bit - 1);
        let mut turning = Vec::new();
        let complete = |nodes: &[usize], _: &mut Meter| {
            let rests = |node: usize| {
                let mut edges = graph.edges[node].iter();
                edges.any(|edge| edge.to == node && is_step(edge))
            };
            let turns = nodes.len() > 1 || rests(nodes[0]);
            let met = nodes.iter().fold(0, |met, &node| met | ground.met[node]);
            if turns && met & wanted == wanted {
                turning.extend_from_slice(nodes);
            }
            Ok(())
        };
        let meter = &mut self.case.space.budget().meter();
        strongly_connected(graph.nodes.len(), inside, step, complete, meter)?;
        Ok(turning)
    }
}
