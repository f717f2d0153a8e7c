//! The shortest lasso among the claims that a search has found.

use wherefore_base::{Meter, Run, Successor, strongly_connected};
use wherefore_model::lts::LabelId;

use super::case::{ClaimAtState, ModalCase};
use super::search::{ModalAim, ModalArrival, ModalRun, ModalSearch};

/// After the first loop is found, at most so many claims are visited to find a shorter lasso.
const VISITS: usize = 2_000_000;

/// The shortest run to a claim that comes back to itself, with fewer than `less_than` steps; of equals the
/// one with the shorter prefix, then with the least labels.
pub(super) fn shortest_lasso(
    case: &ModalCase<'_>,
    search: &ModalSearch<'_, '_>,
    less_than: Option<u32>,
) -> Run<Option<ModalRun>> {
    if less_than == Some(0) {
        return Ok(None);
    }
    let on_loop = on_loops(case, search)?;
    let mut best: Option<ModalLasso> = None;
    let mut visits = 0;
    for (layer, nodes) in search.in_layers().enumerate() {
        let prefix = layer as u32;
        for node in nodes.filter(|&node| on_loop[node]) {
            case.budget.check()?;
            let most = match &best {
                None => less_than.map(|bound| bound - 1),
                // Of lassos with the same prefix the least loop is taken.
                Some(best) if best.prefix == prefix && search.same_word(best.node, node) => {
                    Some(best.steps)
                }
                Some(best) => Some(best.steps.saturating_sub(1)),
            };
            let Some(most) = most.unwrap_or(u32::MAX).checked_sub(prefix) else {
                continue;
            };
            if best.as_ref().is_some_and(|best| best.steps <= prefix) {
                continue;
            }
            if best.is_some() && visits > VISITS {
                // A lasso that was not tried begins in this layer or later.
                let at_least = best.as_ref().map_or(0, |best| best.steps.min(prefix));
                return Ok(best.map(|best| best.found(search, at_least)));
            }
            let mut turn = ModalSearch::new(case, search.nodes()[node].pair, ModalAim::Start);
            let arrival = turn.run(most)?;
            visits += turn.visits();
            let Some(arrival) = arrival else {
                continue;
            };
            let ways = turn.ways_to(arrival);
            let lasso = ModalLasso::new(case, node, prefix, ways);
            let better = best.as_ref().is_none_or(|best| {
                (lasso.steps, lasso.prefix, &lasso.word) < (best.steps, best.prefix, &best.word)
            });
            if better {
                best = Some(lasso);
            }
        }
    }
    Ok(best.map(|best| {
        let at_least = best.steps;
        best.found(search, at_least)
    }))
}

struct ModalLasso {
    /// The node at which the loop starts.
    node: usize,
    prefix: u32,
    /// Steps of the prefix and of the loop.
    steps: u32,
    /// The labels of the loop.
    word: Vec<LabelId>,
    /// The ways of the loop.
    ways: Vec<(ClaimAtState, usize)>,
}

impl ModalLasso {
    fn new(
        case: &ModalCase<'_>,
        node: usize,
        prefix: u32,
        ways: Vec<(ClaimAtState, usize)>,
    ) -> Self {
        let labels = ways.iter();
        let labels = labels.filter_map(|&(pair, way)| case.way(pair, way)?.label);
        let word: Vec<_> = labels.collect();
        Self {
            node,
            prefix,
            steps: prefix + word.len() as u32,
            word,
            ways,
        }
    }

    fn found(self, search: &ModalSearch<'_, '_>, at_least: u32) -> ModalRun {
        let start = ModalArrival {
            node: self.node,
            way: None,
        };
        let mut ways = search.ways_to(start);
        ways.extend(self.ways);
        ModalRun { ways, at_least }
    }
}

/// Which nodes come back to themselves by claims that may go round.
fn on_loops(case: &ModalCase<'_>, search: &ModalSearch<'_, '_>) -> Run<Vec<bool>> {
    let nodes = search.nodes();
    let mut on_loop = vec![false; nodes.len()];
    let successor = |node: usize, at: usize| {
        let pair = nodes[node].pair;
        if at >= case.ways(pair) {
            return Successor::End;
        }
        let to = case.way(pair, at).map(|way| way.to);
        let to = to.filter(|to| case.goes_round(pair.0, to.0));
        let to = to.and_then(|to| search.find(to));
        to.map_or(Successor::Ignored, Successor::Node)
    };
    let loops = |node: usize| {
        (0..).map_while(move |at| match successor(node, at) {
            Successor::End => None,
            to => Some(to == Successor::Node(node)),
        })
    };
    let complete = |members: &[usize], _: &mut Meter| {
        for &member in members {
            on_loop[member] = members.len() > 1 || loops(member).any(|itself| itself);
        }
        Ok(())
    };
    let starts = (0..nodes.len()).filter(|&node| {
        let (sub, _) = nodes[node].pair;
        case.goes_round(sub, sub)
    });
    let mut meter = case.budget.meter();
    strongly_connected(nodes.len(), starts, successor, complete, &mut meter)?;
    Ok(on_loop)
}
