//! The best evidence for wishes about whole runs: one search for all of them, across the whole formula.
//!
//! A wish makes some steps of a run exceptions. The cost of a run is, wish by wish, how many exceptions it makes
//! in its loop and before, then its length; costs are compared number by number, so each wish chooses among what
//! is best for those before it. Costs of parts add up, so the cheapest evidence for a claim at a state follows
//! from those for its parts: for each sub-formula there is a table with its cost at every state, and for a claim
//! about a path the table is filled away from the ends of the path, cheapest first (Dijkstra 1959).

mod after;
mod cost;
mod extract;
mod graph;
mod outcome;
mod turns;
mod values;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::Run;
use wherefore_logic::Goal;
use wherefore_proof::Claim;
use wherefore_space::StateSpace;

use crate::case::ProofCase;
use crate::choose::{STARTS, first_states};
use crate::fragment::{SearchHalt, SearchLimits};
use crate::plan::PlanRef;
use crate::strategy::{RunWish, WishKind};
use cost::WishCost;
use graph::WishGraph;
use values::WishTable;

pub(crate) use after::OfferedMove;
pub(crate) use outcome::outcomes;

/// How much the search may look at.
const WISHED: SearchLimits = SearchLimits {
    states: 20_000,
    steps: 400_000,
    visits: 10_000_000,
};

/// The best evidence for wishes, for any claim of a query at any state that can be reached.
pub(crate) struct WishPlanner<'k, 'c, 's, S: StateSpace> {
    case: &'k ProofCase<'c, 's, S>,
    wishes: Vec<RunWish>,
    /// The wishes that a loop must do something for, one bit each.
    needed: u64,
    graph: WishGraph<'s, S>,
    tables: FxHashMap<Goal, Rc<WishTable>>,
}

/// Evidence that is best for wishes.
pub(crate) struct WishedPlan<T> {
    pub(crate) start: T,
    pub(crate) plan: PlanRef<T>,
    cost: WishCost,
}

impl<'k, 'c, 's, S: StateSpace> WishPlanner<'k, 'c, 's, S> {
    /// A planner for runs from some states; `None` when the search would look at too much, or nobody wishes
    /// for anything.
    pub(crate) fn new(
        case: &'k ProofCase<'c, 's, S>,
        wishes: &[RunWish],
        starts: &S::Set,
    ) -> Run<Option<Self>> {
        if wishes.is_empty() {
            return Ok(None);
        }
        let (starts, all) = first_states(case.space, starts, STARTS)?;
        let graph = match WishGraph::new(case, wishes, &starts, WISHED) {
            Ok(graph) if all => graph,
            Ok(_) | Err(SearchHalt::Exhausted) => return Ok(None),
            Err(SearchHalt::Stop(stop)) => return Err(stop),
        };
        let needs = |wish: &RunWish| match &wish.kind {
            WishKind::Keep(..) => false,
            WishKind::Along(automaton) => automaton.is_to_move(),
            WishKind::Through(_) => true,
        };
        let bits = wishes.iter().enumerate();
        let needed = bits
            .filter(|(_, wish)| needs(wish))
            .map(|(bit, _)| 1 << bit);
        Ok(Some(Self {
            case,
            wishes: wishes.to_vec(),
            needed: needed.sum(),
            graph,
            tables: FxHashMap::default(),
        }))
    }

    /// The best evidence for a claim from any of the starts; `None` when the search would look at too much.
    pub(crate) fn best(&mut self, claim: Claim) -> Run<Option<WishedPlan<S::State>>> {
        let Claim::Formula(goal, None) = claim else {
            return Ok(None);
        };
        let table = match self.table(goal) {
            Ok(table) => table,
            Err(SearchHalt::Exhausted) => return Ok(None),
            Err(SearchHalt::Stop(stop)) => return Err(stop),
        };
        let mut best: Option<(WishCost, usize)> = None;
        for &(node, missed) in &self.graph.starts {
            let Some(cost) = self.cost(&table, node) else {
                continue;
            };
            let cost = cost.with_start(missed);
            if best.as_ref().is_none_or(|(best, _)| cost < *best) {
                best = Some((cost, node));
            }
        }
        let Some((cost, node)) = best else {
            return Ok(None);
        };
        Ok(Some(WishedPlan {
            start: self.graph.state(node).clone(),
            plan: self.extract(claim, node)?,
            cost,
        }))
    }

    /// The best evidence for a claim that is so at a state. The automata of wishes may be in any state that a run
    /// can bring them there in.
    pub(crate) fn plan(&mut self, claim: Claim, at: &S::State) -> Run<Option<PlanRef<S::State>>> {
        let Claim::Formula(goal, bounds) = claim else {
            return Ok(None);
        };
        let table = match self.table(goal) {
            Ok(table) => table,
            Err(SearchHalt::Exhausted) => return Ok(None),
            Err(SearchHalt::Stop(stop)) => return Err(stop),
        };
        let left = bounds.map(|bounds| bounds.most as usize);
        let cost = |node: usize| match (&*table, left) {
            (WishTable::Layers(layers), Some(left)) => layers.get(left)?[node].clone(),
            (table, _) => self.cost(table, node),
        };
        let nodes = self.graph.nodes_of(at).iter();
        let best = nodes.filter_map(|&node| Some((cost(node)?, node))).min();
        match best {
            Some((_, node)) => self.extract(claim, node).map(Some),
            None => Ok(None),
        }
    }
}
