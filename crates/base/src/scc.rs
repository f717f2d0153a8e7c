//! Strongly connected components, by Tarjan's algorithm (1972) without recursion.

use crate::{Meter, Run};

/// Where an edge of a graph leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Successor<I> {
    /// To this node.
    Node(I),
    /// It does not count, but others follow.
    Ignored,
    /// There is no such edge, and none after it.
    End,
}

const UNSEEN: u32 = u32::MAX;
const CLOSED: u32 = u32::MAX - 1;

/// Finds the strongly connected components of the part of a graph that can be reached from some nodes.
///
/// `successor` says where the edges of a node lead, by their numbers from 0. `complete` is handed each
/// component after all those that it leads to; a node without an edge to itself may be one alone.
pub fn strongly_connected<I: Copy + Into<usize>>(
    nodes: usize,
    starts: impl IntoIterator<Item = I>,
    mut successor: impl FnMut(I, usize) -> Successor<I>,
    mut complete: impl FnMut(&[I], &mut Meter) -> Run<()>,
    meter: &mut Meter,
) -> Run<()> {
    let mut number = vec![UNSEEN; nodes];
    // The least number on the stack that a node is known to reach.
    let mut low = vec![0; nodes];
    let mut next = 0;
    let mut stack: Vec<I> = Vec::new();
    // The way to the node that is looked at, each with the number of its next edge.
    let mut path: Vec<(I, usize)> = Vec::new();
    for start in starts {
        let mut entered = (number[start.into()] == UNSEEN).then_some(start);
        loop {
            if let Some(node) = entered.take() {
                let at: usize = node.into();
                (number[at], low[at]) = (next, next);
                next += 1;
                stack.push(node);
                path.push((node, 0));
            }
            let Some((node, edge)) = path.last_mut() else {
                break;
            };
            meter.tick()?;
            let at: usize = (*node).into();
            match successor(*node, *edge) {
                Successor::Node(to) => {
                    *edge += 1;
                    match number[to.into()] {
                        // The node is entered in the next round, because the path is borrowed here.
                        UNSEEN => entered = Some(to),
                        CLOSED => {}
                        // The node is on the stack: those of finished components are closed.
                        seen => low[at] = low[at].min(seen),
                    }
                }
                Successor::Ignored => *edge += 1,
                Successor::End => {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        let parent: usize = parent.into();
                        low[parent] = low[parent].min(low[at]);
                    }
                    if low[at] == number[at] {
                        // The search passes members of this component only, and all of them leave
                        // the stack below.
                        let first = stack.iter().rposition(|&node| node.into() == at);
                        let first = first.expect("the root of a component is on the stack");
                        for &member in &stack[first..] {
                            number[member.into()] = CLOSED;
                        }
                        complete(&stack[first..], meter)?;
                        stack.truncate(first);
                    }
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;

    fn components(graph: &[&[usize]], starts: &[usize]) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        let successor = |node: usize, at: usize| match graph[node].get(at) {
            Some(&to) if to == usize::MAX => Successor::Ignored,
            Some(&to) => Successor::Node(to),
            None => Successor::End,
        };
        let complete = |members: &[usize], _: &mut Meter| {
            let mut members = members.to_vec();
            members.sort_unstable();
            found.push(members);
            Ok(())
        };
        let mut meter = Budget::unlimited().meter();
        let starts = starts.iter().copied();
        strongly_connected(graph.len(), starts, successor, complete, &mut meter)
            .expect("there is no limit");
        found
    }

    #[test]
    fn components_come_after_those_that_they_lead_to() {
        let graph: [&[usize]; 6] = [&[1], &[2, 3], &[0], &[usize::MAX, 4], &[4], &[0]];
        let found = components(&graph, &[0, 1, 2, 3, 4, 5]);
        assert_eq!(found, [vec![4], vec![3], vec![0, 1, 2], vec![5]]);
        assert_eq!(components(&graph, &[3]), [[4], [3]], "only what is reached");
    }

    #[test]
    fn all_small_graphs_fall_into_the_components_of_the_definition() {
        for edges in 0_u32..1 << 16 {
            // Every edge of four nodes is there or not.
            let has = |from: usize, to: usize| edges >> (from * 4 + to) & 1 == 1;
            let rows: Vec<Vec<usize>> = (0..4)
                .map(|from| (0..4).filter(|&to| has(from, to)).collect())
                .collect();
            let graph: Vec<&[usize]> = rows.iter().map(|row| &row[..]).collect();
            let mut reach = [[false; 4]; 4];
            for (at, row) in reach.iter_mut().enumerate() {
                row[at] = true;
            }
            for middle in [0, 1, 2, 3, 0, 1, 2, 3] {
                for from in 0..4 {
                    for to in 0..4 {
                        reach[from][to] |=
                            reach[from][middle] && reach[middle][to] || has(from, to);
                    }
                }
            }
            let found = components(&graph, &[0, 1, 2, 3]);
            let mut of = [usize::MAX; 4];
            for (number, members) in found.iter().enumerate() {
                members.iter().for_each(|&node| of[node] = number);
            }
            for from in 0..4 {
                for to in 0..4 {
                    let same = reach[from][to] && reach[to][from];
                    assert_eq!(of[from] == of[to], same, "{rows:?}");
                    assert!(!reach[from][to] || of[to] <= of[from], "{rows:?}");
                }
            }
        }
    }
}
