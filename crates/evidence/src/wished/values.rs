//! What the best evidence for a claim costs at each node.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use wherefore_base::deep;
use wherefore_logic::{Goal, Kernel};
use wherefore_proof::Claim;
use wherefore_space::{Rings, StateSpace};

use super::WishPlanner;
use super::cost::WishCost;
use super::turns::{TurnGround, WishTurn};
use crate::case::Finite;
use crate::fragment::SearchHalt;
use crate::greedy::BoundedEnd;

/// The costs of a claim.
pub(super) enum WishTable {
    /// The claim takes no step: it costs nothing where it is so.
    Still(Goal),
    /// By node; `None` where the claim is not so.
    Costs(Vec<Option<WishCost>>),
    /// The costs of a path, and the loops that are known.
    Path(PathTable),
    /// By steps left, then by node.
    Layers(Vec<Vec<Option<WishCost>>>),
}

/// The costs of a path.
pub(super) struct PathTable {
    pub(super) costs: Vec<Option<WishCost>>,
    /// What it costs to leave each node where the path may go on.
    pub(super) leave: Vec<Option<WishCost>>,
    pub(super) turns: Vec<Option<WishTurn>>,
}

type Tabled = Result<Rc<WishTable>, SearchHalt>;

impl<S: StateSpace> WishPlanner<'_, '_, '_, S> {
    /// The costs of a claim.
    pub(super) fn table(&mut self, goal: Goal) -> Tabled {
        if let Some(table) = self.tables.get(&goal) {
            return Ok(table.clone());
        }
        let table = Rc::new(deep(|| self.table_anew(goal))?);
        self.tables.insert(goal, table.clone());
        Ok(table)
    }

    fn table_anew(&mut self, goal: Goal) -> Result<WishTable, SearchHalt> {
        if !self.case.needs_steps(goal) {
            return Ok(WishTable::Still(goal));
        }
        match self.case.kernel(goal) {
            Kernel::State => Ok(WishTable::Still(goal)),
            Kernel::Branches(branches) => self.branches(&branches),
            Kernel::Step(_, next) => self.steps(next),
            Kernel::Path(_) => self.path(Claim::Formula(goal, None)),
            Kernel::Bounded(..) => self.layers(goal),
        }
    }

    /// The cost of a goal at a node, from its table.
    pub(super) fn cost(&self, table: &WishTable, node: usize) -> Option<WishCost> {
        match table {
            WishTable::Still(goal) => {
                let is_so = self.case.is_so(*goal, self.graph.state(node));
                is_so.then(|| WishCost::nothing(self.wishes.len()))
            }
            WishTable::Costs(costs) => costs[node].clone(),
            WishTable::Path(path) => path.costs[node].clone(),
            WishTable::Layers(layers) => layers.last().and_then(|costs| costs[node].clone()),
        }
    }

    /// The costs of several goals together.
    pub(super) fn sum(&self, tables: &[Rc<WishTable>], node: usize) -> Option<WishCost> {
        let mut sum = WishCost::nothing(self.wishes.len());
        for table in tables {
            sum = sum.plus(&self.cost(table, node)?);
        }
        Some(sum)
    }

    pub(super) fn tables(&mut self, goals: &[Goal]) -> Result<Vec<Rc<WishTable>>, SearchHalt> {
        goals.iter().map(|&goal| self.table(goal)).collect()
    }

    fn branches(&mut self, branches: &[Vec<Goal>]) -> Result<WishTable, SearchHalt> {
        let mut costs = vec![None; self.graph.nodes.len()];
        for goals in branches {
            let tables = self.tables(goals)?;
            for (node, best) in costs.iter_mut().enumerate() {
                self.graph.visit()?;
                let here = self.sum(&tables, node);
                // `None` is less than any cost.
                if here.is_some() && (best.is_none() || here < *best) {
                    *best = here;
                }
            }
        }
        Ok(WishTable::Costs(costs))
    }

    fn steps(&mut self, next: Goal) -> Result<WishTable, SearchHalt> {
        let table = self.table(next)?;
        let mut costs = Vec::new();
        for node in 0..self.graph.nodes.len() {
            let mut best: Option<WishCost> = None;
            for number in 0..self.graph.edges[node].len() {
                self.graph.visit()?;
                let edge = self.graph.edges[node][number];
                let live = self.case.live()?;
                if !self.case.space.contains(live, self.graph.state(edge.to)) {
                    continue;
                }
                let Some(cost) = self.cost(&table, edge.to) else {
                    continue;
                };
                let cost = cost.with_step(&edge);
                if best.as_ref().is_none_or(|best| cost < *best) {
                    best = Some(cost);
                }
            }
            costs.push(best);
        }
        Ok(WishTable::Costs(costs))
    }

    /// What it costs to leave each node where a path stays: what must hold there may take steps of its own.
    fn leaves(
        &mut self,
        stay: &S::Set,
        goals: &[Goal],
    ) -> Result<Vec<Option<WishCost>>, SearchHalt> {
        let tables = self.tables(goals)?;
        let nodes = 0..self.graph.nodes.len();
        let space = self.case.space;
        Ok(nodes
            .map(|node| {
                let stays = space.contains(stay, self.graph.state(node));
                stays.then(|| self.sum(&tables, node)).flatten()
            })
            .collect())
    }

    fn path(&mut self, claim: Claim) -> Result<WishTable, SearchHalt> {
        let (case, space) = (self.case, self.case.space);
        let path = case.path(claim)?;
        let goals = self.tables(path.pattern.goal.as_deref().unwrap_or_default())?;
        let leave = self.leaves(&path.sets.stay, &path.pattern.stay)?;
        let count = self.graph.nodes.len();
        let mut ground = TurnGround {
            leave: vec![None; count],
            met: vec![0; count],
        };
        let endless = path.pattern.weak && path.finite != Finite::Anywhere;
        let mut best: Vec<Option<WishCost>> = vec![None; count];
        let mut heap = BinaryHeap::new();
        for node in 0..count {
            self.graph.visit()?;
            let state = self.graph.state(node);
            if space.contains(&path.sets.goal, state) {
                best[node] = self.sum(&goals, node);
            }
            if path.pattern.weak && leave[node].is_some() {
                let stops = match path.finite {
                    Finite::Anywhere => true,
                    Finite::InDeadlock => space.contains(case.checker.dead()?, state),
                    Finite::Never => false,
                };
                if stops && (best[node].is_none() || leave[node] < best[node]) {
                    best[node] = leave[node].clone();
                }
            }
            if endless && space.contains(&path.sets.endless, state) {
                ground.leave[node] = leave[node].clone();
                ground.met[node] = case.met(&path, state).ok_or(SearchHalt::Exhausted)?;
            }
            if let Some(cost) = &best[node] {
                heap.push(Reverse((cost.clone(), false, node)));
            }
        }
        if endless {
            for (node, least) in self.least_turns(&path, &ground)?.into_iter().enumerate() {
                heap.extend(least.map(|least| Reverse((least, true, node))));
            }
        }
        let mut table = PathTable {
            costs: vec![None; count],
            leave,
            turns: vec![None; count],
        };
        // Away from the ends, cheapest first. The best loop through a node is looked for only when the cost that
        // no loop is below comes up and nothing cheaper is known of the node.
        while let Some(Reverse((cost, is_bound, node))) = heap.pop() {
            self.graph.visit()?;
            if table.costs[node].is_some() {
                continue;
            }
            if is_bound {
                let most = best[node].clone();
                let turn = self.best_turn(&path, &ground, node, most.as_ref())?;
                if let Some((_, cost)) = &turn {
                    best[node] = Some(cost.clone());
                    heap.push(Reverse((cost.clone(), false, node)));
                }
                table.turns[node] = turn;
                continue;
            }
            table.costs[node] = Some(cost.clone());
            for number in 0..self.graph.before[node].len() {
                self.graph.visit()?;
                let (before, edge) = self.graph.before[node][number];
                let Some(leave) = &table.leave[before] else {
                    continue;
                };
                let inside = space.contains(path.rings.all(), self.graph.state(before));
                if !inside || table.costs[before].is_some() {
                    continue;
                }
                let cost = cost.plus(leave).with_step(&self.graph.edges[before][edge]);
                if best[before].as_ref().is_none_or(|best| cost < *best) {
                    best[before] = Some(cost.clone());
                    heap.push(Reverse((cost, false, before)));
                }
            }
        }
        Ok(WishTable::Path(table))
    }

    fn layers(&mut self, goal: Goal) -> Result<WishTable, SearchHalt> {
        let (case, space) = (self.case, self.case.space);
        let layers = case.layers(goal)?;
        let goals = self.tables(layers.pattern.goal.as_deref().unwrap_or_default())?;
        let stay = self.tables(&layers.pattern.stay)?;
        let mut all: Vec<Vec<Option<WishCost>>> = Vec::new();
        for left in 0..=layers.bounds.most {
            let mut costs = Vec::new();
            for node in 0..self.graph.nodes.len() {
                self.graph.visit()?;
                let state = self.graph.state(node).clone();
                let end = case.bounded_end(&layers, left, &state);
                let mut best = match end {
                    Some(BoundedEnd::Goal) => self.sum(&goals, node),
                    Some(BoundedEnd::Stop) => self.sum(&stay, node),
                    None => None,
                };
                let must_stay = !layers.pattern.weak || layers.inside(left);
                let leave = match must_stay {
                    true => self
                        .sum(&stay, node)
                        .filter(|_| space.contains(&layers.stay, &state)),
                    false => Some(WishCost::nothing(self.wishes.len())),
                };
                let below = left.checked_sub(1).map(|below| &all[below as usize]);
                if let (Some(leave), Some(below)) = (leave, below) {
                    for number in 0..self.graph.edges[node].len() {
                        self.graph.visit()?;
                        let edge = self.graph.edges[node][number];
                        let layer = &layers.layers[left as usize - 1];
                        let inside = space.contains(layer, self.graph.state(edge.to));
                        let Some(rest) = below[edge.to].as_ref().filter(|_| inside) else {
                            continue;
                        };
                        let cost = rest.plus(&leave).with_step(&edge);
                        if best.as_ref().is_none_or(|best| cost < *best) {
                            best = Some(cost);
                        }
                    }
                }
                costs.push(best);
            }
            all.push(costs);
        }
        Ok(WishTable::Layers(all))
    }
}
