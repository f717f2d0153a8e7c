//! What lies ahead of a claim about a path: how many steps to its end, and which end.
//!
//! A claim about a path is made anew at each occurrence of the path. This follows such chains once,
//! for all nodes of a proof together, so that a summary at each of many steps stays linear.

use wherefore_base::IndexVec;
use wherefore_evidence::{Evidence, OccurrenceId, ProofId, Rule};

/// How the chain of a claim about a path ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// At a node with another rule than `Continue`, after so many steps.
    Node(ProofId, usize),
    /// In a loop.
    Loop(Turn),
}

/// A loop, seen from a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// How many steps the loop is away; 0 within it.
    pub(crate) away: usize,
    /// How many steps it has.
    pub(crate) length: usize,
    /// The occurrence its last step goes back to.
    pub(crate) first: OccurrenceId,
    /// The occurrence its last step leaves.
    pub(crate) last: OccurrenceId,
}

/// The end of the chain at each node of a proof.
pub(crate) struct Ahead {
    ends: IndexVec<ProofId, Option<End>>,
}

impl Ahead {
    /// Follows all chains.
    pub(crate) fn new(evidence: &Evidence) -> Self {
        let proof = &evidence.proof;
        let mut ends: IndexVec<ProofId, Option<End>> = vec![None; proof.len()].into();
        // The place of a node in the chain that is being followed.
        let mut place: IndexVec<ProofId, Option<usize>> = vec![None; proof.len()].into();
        for head in proof.ids() {
            let mut chain = Vec::new();
            let mut at = head;
            let end = loop {
                if let Some(end) = ends[at] {
                    break end;
                }
                if let Some(back) = place[at] {
                    let (length, away) = (chain.len() - back, 0);
                    let first = proof[at].at;
                    let last = chain.last().map_or(first, |&id: &ProofId| proof[id].at);
                    let turn = Turn {
                        away,
                        length,
                        first,
                        last,
                    };
                    for &id in &chain[back..] {
                        ends[id] = Some(End::Loop(turn));
                    }
                    chain.truncate(back);
                    break End::Loop(turn);
                }
                let node = &proof[at];
                match (node.rule, node.premises.last()) {
                    (Some(Rule::Continue), Some(&next)) => {
                        place[at] = Some(chain.len());
                        chain.push(at);
                        at = next;
                    }
                    _ => {
                        ends[at] = Some(End::Node(at, 0));
                        break End::Node(at, 0);
                    }
                }
            };
            let mut end = end;
            for &id in chain.iter().rev() {
                end = match end {
                    End::Node(node, steps) => End::Node(node, steps + 1),
                    End::Loop(turn) => End::Loop(Turn {
                        away: turn.away + 1,
                        ..turn
                    }),
                };
                ends[id] = Some(end);
            }
        }
        Self { ends }
    }

    /// How the chain that goes through a node ends.
    pub(crate) fn end(&self, id: ProofId) -> End {
        self.ends[id].unwrap_or(End::Node(id, 0))
    }
}

#[cfg(test)]
mod tests {
    use wherefore_evidence::{Claim, Measure, Minimality, Occurrence, ProofNode, Replay, Shape};

    use super::*;

    fn evidence(next: &[Option<usize>]) -> Evidence {
        let proof = next.iter().enumerate().map(|(at, next)| ProofNode {
            claim: Claim::HasPath,
            at: OccurrenceId::new(at),
            rule: Some(next.map_or(Rule::Goal, |_| Rule::Continue)),
            rank: None,
            premises: next.iter().map(|&to| ProofId::new(to)).collect(),
        });
        let occurrence = Occurrence {
            values: vec![],
            truth: vec![].into(),
        };
        Evidence {
            shape: Shape::Path,
            occurrences: vec![occurrence; next.len()].into(),
            edges: vec![],
            segments: vec![],
            regions: vec![].into(),
            proof: proof.collect(),
            minimal: Minimality {
                measure: Measure::Steps,
                length: 0,
                at_least: 0,
            },
            replay: Replay::NotDone,
            causes: None,
        }
    }

    #[test]
    fn a_chain_counts_its_steps_and_a_loop_knows_its_ends() {
        let chain = Ahead::new(&evidence(&[Some(1), Some(2), None]));
        assert_eq!(chain.end(ProofId::new(0)), End::Node(ProofId::new(2), 2));
        let lasso = Ahead::new(&evidence(&[Some(1), Some(2), Some(3), Some(1)]));
        let turn = Turn {
            away: 1,
            length: 3,
            first: OccurrenceId::new(1),
            last: OccurrenceId::new(3),
        };
        assert_eq!(lasso.end(ProofId::new(0)), End::Loop(turn));
        let within = Turn { away: 0, ..turn };
        assert_eq!(lasso.end(ProofId::new(2)), End::Loop(within));
    }
}
