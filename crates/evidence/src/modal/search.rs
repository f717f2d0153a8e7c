//! The shortest run that shows a claim.
//!
//! A breadth-first search through claims at states, layer by layer: moves that stay at a state cost
//! nothing, steps cost one. Within a layer claims are kept in the order of the words that lead to them,
//! least labels first and then least states, so the first one that needs nothing more ends the run that
//! is shortest, then least. Where claims may go round for ever, a lasso may be shorter: `loops` looks for
//! one among the claims that were found.

use rustc_hash::FxHashMap;
use wherefore_base::Run;
use wherefore_logic::SubId;
use wherefore_model::lts::{LabelId, StateId};

use super::case::{ClaimAtState, ModalCase};
use super::loops::shortest_lasso;

/// A run: claims in order, each with the number of the way that is taken there.
pub(super) struct ModalRun {
    pub(super) ways: Vec<(ClaimAtState, usize)>,
    /// No run has fewer steps than this.
    pub(super) at_least: u32,
}

/// The shortest run from a claim that is so to where nothing more is needed, or round for ever.
pub(super) fn shortest(case: &ModalCase<'_>, start: ClaimAtState) -> Run<ModalRun> {
    let mut search = ModalSearch::new(case, start, ModalAim::End);
    let end = search.run(u32::MAX)?;
    if case.may_be_endless {
        let most = end.map(|_| search.layer());
        if let Some(found) = shortest_lasso(case, &search, most)? {
            return Ok(found);
        }
    }
    let end = end.expect("what is so is shown by a finite run or by a lasso");
    Ok(ModalRun {
        ways: search.ways_to(end),
        at_least: search.layer(),
    })
}

/// What a search looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ModalAim {
    /// A claim that needs nothing more along the run.
    End,
    /// The start again, by claims that go round with it.
    Start,
}

/// A claim that was found, and how.
#[derive(Clone, Copy)]
pub(super) struct ModalNode {
    pub(super) pair: ClaimAtState,
    /// The node it was found from; the start is its own.
    pub(super) parent: u32,
    /// The number of the way taken there.
    way: u32,
    /// Nodes of a layer with the same word have the same number, in the order of the words.
    class: u32,
}

/// A claim after a step that is not in order yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RunCandidate {
    class: u32,
    label: LabelId,
    parent: u32,
    to: (StateId, SubId),
    way: u32,
}

pub(super) struct ModalSearch<'c, 'a> {
    case: &'c ModalCase<'a>,
    start: ClaimAtState,
    aim: ModalAim,
    nodes: Vec<ModalNode>,
    /// Where each layer starts among the nodes.
    layers: Vec<u32>,
    table: NodeTable,
    next: Vec<RunCandidate>,
}

impl<'c, 'a> ModalSearch<'c, 'a> {
    pub(super) fn new(case: &'c ModalCase<'a>, start: ClaimAtState, aim: ModalAim) -> Self {
        let cells = case.lts.states() * case.question.system.equations.len();
        // Searches for the start again are many, and each would need a table for all states.
        let table = match aim == ModalAim::End && cells <= MANY_CELLS {
            true => NodeTable::Dense(vec![vec![]; case.question.system.equations.len()]),
            false => NodeTable::Sparse(FxHashMap::default()),
        };
        Self {
            case,
            start,
            aim,
            nodes: Vec::new(),
            layers: vec![],
            table,
            next: Vec::new(),
        }
    }

    /// Searches up to a number of steps; returns the node at which the run ends, or from which a way
    /// leads back to the start.
    pub(super) fn run(&mut self, most: u32) -> Run<Option<ModalArrival>> {
        let mut meter = self.case.budget.meter();
        self.layers.push(0);
        self.found(self.start, 0, 0, 0);
        let mut arrival = self.stay(0);
        while arrival.is_none() {
            let first = *self.layers.last().expect("there is a first layer") as usize;
            for node in first..self.nodes.len() {
                meter.tick()?;
                self.steps_from(node);
            }
            if self.next.is_empty() || self.layer() >= most {
                return Ok(None);
            }
            arrival = self.next_layer();
        }
        Ok(arrival)
    }

    /// The number of steps to the last layer.
    pub(super) fn layer(&self) -> u32 {
        self.layers.len() as u32 - 1
    }

    pub(super) fn nodes(&self) -> &[ModalNode] {
        &self.nodes
    }

    /// The node of a claim, if it was found.
    pub(super) fn find(&self, pair: ClaimAtState) -> Option<usize> {
        match self.table.get(pair) {
            Some(NodePlace::Node(node)) => Some(node as usize),
            _ => None,
        }
    }

    /// The nodes of each layer.
    pub(super) fn in_layers(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let ends = self.layers.iter().skip(1).copied();
        let ends = ends.chain([self.nodes.len() as u32]);
        let starts = self.layers.iter().copied();
        starts
            .zip(ends)
            .map(|(start, end)| start as usize..end as usize)
    }

    pub(super) fn same_word(&self, one: usize, other: usize) -> bool {
        self.nodes[one].class == self.nodes[other].class
    }

    /// How many nodes were found.
    pub(super) fn visits(&self) -> usize {
        self.nodes.len()
    }

    /// The claims and ways up to a node, and the way by which it arrives, if one is needed.
    pub(super) fn ways_to(&self, arrival: ModalArrival) -> Vec<(ClaimAtState, usize)> {
        let mut ways = Vec::new();
        let mut here = arrival.node;
        ways.extend(arrival.way.map(|way| (self.nodes[here].pair, way)));
        while here != 0 {
            let ModalNode { parent, way, .. } = self.nodes[here];
            here = parent as usize;
            ways.push((self.nodes[here].pair, way as usize));
        }
        ways.reverse();
        ways
    }

    fn found(&mut self, pair: ClaimAtState, parent: u32, way: u32, class: u32) {
        self.table
            .set(pair, NodePlace::Node(self.nodes.len() as u32), self.case);
        self.nodes.push(ModalNode {
            pair,
            parent,
            way,
            class,
        });
    }

    /// Finds all claims about the same state that follow from a node by moves alone, in order.
    fn stay(&mut self, from: usize) -> Option<ModalArrival> {
        let mut at = from;
        while at < self.nodes.len() {
            let ModalNode { pair, class, .. } = self.nodes[at];
            let ways = self.case.ways(pair);
            if ways == 0 && self.aim == ModalAim::End {
                return Some(ModalArrival {
                    node: at,
                    way: None,
                });
            }
            for number in 0..ways {
                let Some(way) = self.case.way(pair, number) else {
                    continue;
                };
                // The ways of a claim are all moves or all steps, so the first one tells.
                if way.label.is_some() {
                    break;
                }
                if self.aim == ModalAim::Start && way.to == self.start {
                    return Some(ModalArrival {
                        node: at,
                        way: Some(number),
                    });
                }
                if self.may_go(way.to) && self.find(way.to).is_none() {
                    self.found(way.to, at as u32, number as u32, class);
                }
            }
            at += 1;
        }
        None
    }

    fn may_go(&self, (sub, _): ClaimAtState) -> bool {
        self.aim == ModalAim::End || self.case.goes_round(self.start.0, sub)
    }

    /// Notes where the steps from a node lead.
    fn steps_from(&mut self, node: usize) {
        let ModalNode { pair, class, .. } = self.nodes[node];
        for number in 0..self.case.ways(pair) {
            let Some(way) = self.case.way(pair, number) else {
                continue;
            };
            let Some(label) = way.label else {
                break;
            };
            if !self.may_go(way.to) {
                continue;
            }
            let (sub, state) = way.to;
            let candidate = RunCandidate {
                class,
                label,
                parent: node as u32,
                to: (state, sub),
                way: number as u32,
            };
            match self.table.get(way.to) {
                // The start is the first node of all, and yet it is what is looked for.
                Some(NodePlace::Node(_)) if self.aim == ModalAim::Start && way.to == self.start => {
                    self.next.push(candidate);
                }
                Some(NodePlace::Node(_)) => {}
                Some(NodePlace::Candidate(at)) => {
                    let known = &mut self.next[at as usize];
                    *known = candidate.min(*known);
                }
                None => {
                    let place = NodePlace::Candidate(self.next.len() as u32);
                    self.table.set(way.to, place, self.case);
                    self.next.push(candidate);
                }
            }
        }
    }

    /// Puts the candidates in order and finds what follows from them without a step.
    fn next_layer(&mut self) -> Option<ModalArrival> {
        self.layers.push(self.nodes.len() as u32);
        let mut candidates = std::mem::take(&mut self.next);
        // The fields are in the order of words: the word so far, then the label.
        candidates.sort_unstable();
        let mut class = 0;
        let mut word = None;
        for candidate in candidates {
            if word
                .replace((candidate.class, candidate.label))
                .is_some_and(|before| before != (candidate.class, candidate.label))
            {
                class += 1;
            }
            let (state, sub) = candidate.to;
            if self.aim == ModalAim::Start && (sub, state) == self.start {
                return Some(ModalArrival {
                    node: candidate.parent as usize,
                    way: Some(candidate.way as usize),
                });
            }
            // A move from an earlier candidate of this layer may have found it, by a lesser word.
            if self.find((sub, state)).is_some() {
                continue;
            }
            let node = self.nodes.len();
            self.found((sub, state), candidate.parent, candidate.way, class);
            if let Some(arrival) = self.stay(node) {
                return Some(arrival);
            }
        }
        None
    }
}

/// Where a search arrives.
#[derive(Clone, Copy)]
pub(super) struct ModalArrival {
    pub(super) node: usize,
    /// The way from there, where there is one.
    pub(super) way: Option<usize>,
}

/// Up to so many claims at states a plain table is kept, whose pages are taken as they are needed.
const MANY_CELLS: usize = 1 << 28;

/// What is known of a claim.
#[derive(Clone, Copy)]
enum NodePlace {
    Node(u32),
    Candidate(u32),
}

/// Where claims at states are found: a number for each, even for nodes and odd for candidates.
enum NodeTable {
    /// By equation and state; zero: nothing is known. An equation without any claim has no row.
    Dense(Vec<Vec<u32>>),
    Sparse(FxHashMap<ClaimAtState, u32>),
}

impl NodeTable {
    #[inline]
    fn get(&self, (sub, state): ClaimAtState) -> Option<NodePlace> {
        let code = match self {
            NodeTable::Dense(rows) => *rows[sub.index()].get(state.index())?,
            NodeTable::Sparse(places) => *places.get(&(sub, state))?,
        };
        match code.checked_sub(1)? {
            code if code % 2 == 0 => Some(NodePlace::Node(code / 2)),
            code => Some(NodePlace::Candidate(code / 2)),
        }
    }

    #[inline]
    fn set(&mut self, (sub, state): ClaimAtState, place: NodePlace, case: &ModalCase<'_>) {
        let code = 1 + match place {
            NodePlace::Node(node) => 2 * node,
            NodePlace::Candidate(candidate) => 2 * candidate + 1,
        };
        match self {
            NodeTable::Dense(rows) => {
                let row = &mut rows[sub.index()];
                if row.is_empty() {
                    *row = vec![0; case.lts.states()];
                }
                row[state.index()] = code;
            }
            NodeTable::Sparse(places) => {
                places.insert((sub, state), code);
            }
        }
    }
}
