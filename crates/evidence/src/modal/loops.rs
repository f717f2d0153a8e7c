//! The shortest lasso among the claims that a search has found.

use wherefore_base::Run;
use wherefore_model::lts::LabelId;

use super::case::{Case, Pair};
use super::search::{Aim, Arrival, Found, Search};

/// After the first loop is found, at most so many claims are visited to find a shorter lasso.
const VISITS: usize = 2_000_000;

/// The shortest run to a claim that comes back to itself, with fewer than `less_than` steps; of equals the
/// one with the shorter prefix, then with the least labels.
pub(super) fn shortest_lasso(
    case: &Case<'_>,
    search: &Search<'_, '_>,
    less_than: Option<u32>,
) -> Run<Option<Found>> {
    if less_than == Some(0) {
        return Ok(None);
    }
    let on_loop = on_loops(case, search)?;
    let mut best: Option<Lasso> = None;
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
                let at_least = best.as_ref().map_or(0, |best| best.steps.min(prefix));
                return Ok(best.map(|best| best.found(search, at_least)));
            }
            let mut turn = Search::new(case, search.nodes()[node].pair, Aim::Start);
            let arrival = turn.run(most)?;
            visits += turn.visits();
            let Some(arrival) = arrival else {
                continue;
            };
            let ways = turn.ways_to(arrival);
            let lasso = Lasso::new(case, node, prefix, ways);
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

struct Lasso {
    /// The node at which the loop starts.
    node: usize,
    prefix: u32,
    /// Steps of the prefix and of the loop.
    steps: u32,
    /// The labels of the loop.
    word: Vec<LabelId>,
    /// The ways of the loop.
    ways: Vec<(Pair, usize)>,
}

impl Lasso {
    fn new(case: &Case<'_>, node: usize, prefix: u32, ways: Vec<(Pair, usize)>) -> Self {
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

    fn found(self, search: &Search<'_, '_>, at_least: u32) -> Found {
        let start = Arrival {
            node: self.node,
            way: None,
        };
        let mut ways = search.ways_to(start);
        ways.extend(self.ways);
        Found { ways, at_least }
    }
}

/// Which nodes come back to themselves by claims that may go round (Tarjan, 1972).
fn on_loops(case: &Case<'_>, search: &Search<'_, '_>) -> Run<Vec<bool>> {
    const UNSEEN: u32 = u32::MAX;
    let count = search.nodes().len();
    let mut on_loop = vec![false; count];
    let mut number = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut closed = vec![false; count];
    let (mut next, mut stack) = (0, Vec::new());
    let mut way: Vec<(usize, usize)> = Vec::new();
    let mut meter = case.budget.meter();
    for start in 0..count {
        let (sub, _) = search.nodes()[start].pair;
        if number[start] != UNSEEN || !case.goes_round(sub, sub) {
            continue;
        }
        way.push((start, 0));
        while let Some(&mut (node, ref mut at)) = way.last_mut() {
            meter.tick()?;
            if *at == 0 && number[node] == UNSEEN {
                (number[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
            }
            let pair = search.nodes()[node].pair;
            if *at < case.ways(pair) {
                *at += 1;
                let to = case.way(pair, *at - 1).map(|way| way.to);
                let to = to.filter(|to| case.goes_round(pair.0, to.0));
                match to.and_then(|to| search.find(to)) {
                    Some(to) if to == node => on_loop[node] = true,
                    Some(to) if number[to] == UNSEEN => way.push((to, 0)),
                    Some(to) if !closed[to] => low[node] = low[node].min(number[to]),
                    _ => {}
                }
                continue;
            }
            way.pop();
            if let Some(&(before, _)) = way.last() {
                low[before] = low[before].min(low[node]);
            }
            if low[node] == number[node] {
                let first = stack.iter().rposition(|&on| on == node);
                let members = stack.split_off(first.expect("it is on the stack"));
                for &member in &members {
                    closed[member] = true;
                    on_loop[member] |= members.len() > 1;
                }
            }
        }
    }
    Ok(on_loop)
}
