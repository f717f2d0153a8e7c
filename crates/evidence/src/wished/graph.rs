//! The graph in which runs are searched for wishes: reachable states, each with the states of the automata of
//! the wishes, and on each step which wishes it disappoints.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::Run;
use wherefore_space::StateSpace;

use crate::case::ProofCase;
use crate::fragment::{FragmentSpot, SearchHalt, SearchLimits, SpaceFragment};
use crate::strategy::{RunWish, WishKind};

/// How many wishes are looked at together: each has one bit of a word.
pub(super) const MOST_WISHES: usize = 64;

/// A node: a state, and for each wish the state of its automaton.
pub(super) struct WishNode {
    pub(super) spot: FragmentSpot,
    places: Rc<[u32]>,
}

/// A step between nodes.
#[derive(Clone, Copy)]
pub(super) struct WishEdge {
    pub(super) to: usize,
    /// The wishes for which the step is an exception, one bit each.
    pub(super) missed: u64,
    /// The wishes that the step serves as far as a loop must: an arrow is taken that counts, or the state is passed.
    pub(super) served: u64,
    /// How many variables change.
    pub(super) changes: u32,
}

/// The nodes and steps.
pub(super) struct WishGraph<'s, S: StateSpace> {
    fragment: SpaceFragment<'s, S>,
    pub(super) nodes: Vec<WishNode>,
    /// The steps from each node, in the order of the states they lead to.
    pub(super) edges: Vec<Vec<WishEdge>>,
    /// The nodes with a step to each node, and which of their steps it is.
    pub(super) before: Vec<Vec<(usize, usize)>>,
    /// The nodes where a run may start, and the wishes that this disappoints.
    pub(super) starts: Vec<(usize, u64)>,
    by_state: FxHashMap<FragmentSpot, Vec<usize>>,
}

/// An arrow of an automaton: it allows the states in a set, or those that are not in it.
struct WishArrow<Set> {
    set: Rc<Set>,
    truth: bool,
    to: u32,
}

/// A wish with the sets its conditions are true in.
struct WishSets<S: StateSpace> {
    /// For each state of the automaton: the states that its arrows allow, and where they lead.
    arrows: Vec<Vec<WishArrow<S::Set>>>,
    /// The states of the automaton that a loop is to enter; none: any.
    again: Vec<u32>,
    /// Whether a start that no arrow allows is an exception.
    counts_start: bool,
    /// States that a loop is to pass.
    through: Option<Rc<S::Set>>,
}

impl<S: StateSpace> WishSets<S> {
    fn new(case: &ProofCase<'_, '_, S>, wish: &RunWish) -> Run<Self> {
        let mut sets = Self {
            arrows: vec![],
            again: vec![],
            counts_start: false,
            through: None,
        };
        match &wish.kind {
            WishKind::Keep(condition, truth) => {
                sets.arrows = vec![vec![WishArrow {
                    set: case.condition(*condition)?,
                    truth: *truth,
                    to: 0,
                }]];
                sets.counts_start = true;
            }
            WishKind::Along(automaton) => {
                let again = automaton.again.iter();
                sets.again = again
                    .filter_map(|&state| u32::try_from(state).ok())
                    .collect();
                for arrows in &automaton.arrows {
                    let mut row = Vec::new();
                    for arrow in arrows {
                        row.push(WishArrow {
                            set: case.condition(arrow.condition)?,
                            truth: arrow.truth,
                            to: u32::try_from(arrow.to).unwrap_or(u32::MAX),
                        });
                    }
                    sets.arrows.push(row);
                }
            }
            WishKind::Through(condition) => sets.through = Some(case.condition(*condition)?),
        }
        Ok(sets)
    }

    /// Where the automaton may go from a place when a state is entered; nowhere: that is an exception.
    fn after(&self, space: &S, place: u32, state: &S::State) -> Vec<u32> {
        let arrows = self.arrows.get(place as usize).into_iter().flatten();
        let allowed = arrows.filter(|arrow| space.contains(&arrow.set, state) == arrow.truth);
        let mut places: Vec<u32> = allowed.map(|arrow| arrow.to).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// What entering a state does to the automata of all wishes.
struct Entered {
    places: Vec<u32>,
    missed: u64,
    served: u64,
}

impl<'s, S: StateSpace> WishGraph<'s, S> {
    /// Everything that can be reached from some starts.
    pub(super) fn new(
        case: &ProofCase<'_, 's, S>,
        wishes: &[RunWish],
        starts: &[S::State],
        limits: SearchLimits,
    ) -> Result<Self, SearchHalt> {
        if wishes.len() > MOST_WISHES {
            return Err(SearchHalt::Exhausted);
        }
        let sets = wishes.iter().map(|wish| WishSets::new(case, wish));
        let sets: Vec<WishSets<S>> = sets.collect::<Run<_>>()?;
        let mut graph = Self {
            fragment: SpaceFragment::new(case.space, limits, None),
            nodes: vec![],
            edges: vec![],
            before: vec![],
            starts: vec![],
            by_state: FxHashMap::default(),
        };
        let mut known: FxHashMap<(FragmentSpot, Rc<[u32]>), usize> = FxHashMap::default();
        let first = vec![0; wishes.len()];
        for state in starts {
            let spot = graph.fragment.spot(state);
            for entered in entered(case.space, &sets, &first, state, true) {
                let node = graph.node(&mut known, spot, entered.places);
                graph.starts.push((node, entered.missed));
            }
        }
        let mut steps = 0;
        let mut at = 0;
        while at < graph.nodes.len() {
            graph.fragment.visit()?;
            // Automata multiply the states, so the nodes are counted, too.
            if graph.nodes.len() > limits.states || steps > limits.steps {
                return Err(SearchHalt::Exhausted);
            }
            let (spot, places) = (graph.nodes[at].spot, graph.nodes[at].places.clone());
            let mut edges = Vec::new();
            for &next in graph.fragment.next(spot)?.iter() {
                let state = graph.fragment.state(next).clone();
                let changes = graph.fragment.changes(spot, next);
                for entered in entered(case.space, &sets, &places, &state, false) {
                    let to = graph.node(&mut known, next, entered.places);
                    edges.push(WishEdge {
                        to,
                        missed: entered.missed,
                        served: entered.served,
                        changes,
                    });
                }
            }
            steps += edges.len();
            for (number, edge) in edges.iter().enumerate() {
                graph.before[edge.to].push((at, number));
            }
            graph.edges[at] = edges;
            at += 1;
        }
        Ok(graph)
    }

    fn node(
        &mut self,
        known: &mut FxHashMap<(FragmentSpot, Rc<[u32]>), usize>,
        spot: FragmentSpot,
        places: Vec<u32>,
    ) -> usize {
        let places: Rc<[u32]> = places.into();
        let next = self.nodes.len();
        let node = *known.entry((spot, places.clone())).or_insert(next);
        if node == next {
            self.nodes.push(WishNode { spot, places });
            self.edges.push(vec![]);
            self.before.push(vec![]);
            self.by_state.entry(spot).or_default().push(node);
        }
        node
    }

    pub(super) fn state(&self, node: usize) -> &S::State {
        self.fragment.state(self.nodes[node].spot)
    }

    /// The nodes of a state.
    pub(super) fn nodes_of(&self, state: &S::State) -> &[usize] {
        let spot = self.fragment.find(state);
        spot.and_then(|spot| self.by_state.get(&spot))
            .map_or(&[], Vec::as_slice)
    }

    /// Counts one visit.
    pub(super) fn visit(&mut self) -> Result<(), SearchHalt> {
        self.fragment.visit()
    }
}

/// All that may become of the automata when a state is entered: arrows that allow the same state are all tried.
fn entered<S: StateSpace>(
    space: &S,
    sets: &[WishSets<S>],
    places: &[u32],
    state: &S::State,
    starting: bool,
) -> Vec<Entered> {
    let mut all = vec![Entered {
        places: vec![],
        missed: 0,
        served: 0,
    }];
    for (number, (wish, &place)) in sets.iter().zip(places).enumerate() {
        let bit = 1_u64 << number;
        if let Some(through) = &wish.through {
            let served = space.contains(through, state);
            for one in &mut all {
                one.places.push(0);
                one.served |= if served { bit } else { 0 };
            }
            continue;
        }
        let after = wish.after(space, place, state);
        if after.is_empty() {
            let missed = if starting && !wish.counts_start {
                0
            } else {
                bit
            };
            for one in &mut all {
                one.places.push(place);
                one.missed |= missed;
            }
            continue;
        }
        let before = std::mem::take(&mut all);
        for one in before {
            let serves = |to: u32| wish.again.is_empty() || wish.again.contains(&to);
            all.extend(after.iter().map(|&to| Entered {
                places: [&one.places[..], &[to]].concat(),
                missed: one.missed,
                served: one.served | if serves(to) { bit } else { 0 },
            }));
        }
    }
    all
}
