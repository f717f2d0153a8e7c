//! Telling a proof: its runs, in the order in which a person reads them.
//!
//! The main run is told first, as one chain; what else the proof rests on (the goals that must hold on
//! the way, the other goals of a conjunction, every successor of a refuted `EX`) follows as branches.
//! A branch that comes to a state that is told already joins it there. Ranks are counted from the end
//! of each path; where a path is not shown to its end, from the distance that is left.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{IndexVec, Run};
use wherefore_logic::{Kernel, Quantifier};
use wherefore_proof::{
    Claim, Evidence, EvidenceEdge, Measure, Minimality, Occurrence, OccurrenceId, ProofId,
    ProofNode, Region, Replay, Rule, Segment, SegmentEnding, Shape,
};
use wherefore_space::{Rings, StateSpace};

use crate::prover::ProofBuilder;

/// An evidence with the state of each of its occurrences.
pub(crate) struct ToldEvidence<T> {
    pub(crate) evidence: Evidence,
    pub(crate) states: IndexVec<OccurrenceId, T>,
    /// The node of the proof that each node of the evidence tells.
    pub(crate) nodes: IndexVec<ProofId, ProofId>,
}

impl<S: StateSpace> ProofBuilder<'_, '_, '_, S> {
    /// The evidence as far as the proof has grown. What does not follow from the root any more is left
    /// out.
    pub(crate) fn tell(&self) -> Run<ToldEvidence<S::State>> {
        let mut teller = EvidenceTeller {
            prover: self,
            order: Vec::new(),
            told: FxHashSet::default(),
            linked: FxHashSet::default(),
            edges: Vec::new(),
            segments: Vec::new(),
            moved: FxHashMap::default(),
            queue: VecDeque::new(),
            queued: FxHashSet::default(),
            nodes: Vec::new(),
        };
        teller.everything()?;
        teller.finish()
    }
}

struct EvidenceTeller<'p, 'k, 'c, 's, S: StateSpace> {
    prover: &'p ProofBuilder<'k, 'c, 's, S>,
    /// Occurrences in the order in which they are told.
    order: Vec<OccurrenceId>,
    told: FxHashSet<OccurrenceId>,
    linked: FxHashSet<(OccurrenceId, OccurrenceId)>,
    edges: Vec<(OccurrenceId, OccurrenceId)>,
    segments: Vec<Segment>,
    /// Occurrences that no run leads to any more, or not yet: where their state is told instead.
    moved: FxHashMap<OccurrenceId, OccurrenceId>,
    /// Nodes that wait for their turn, each with an occurrence of its state that is told.
    queue: VecDeque<(ProofId, OccurrenceId)>,
    queued: FxHashSet<ProofId>,
    /// Nodes in the order in which they are told.
    nodes: Vec<ProofId>,
}

impl<S: StateSpace> EvidenceTeller<'_, '_, '_, '_, S> {
    fn everything(&mut self) -> Run<()> {
        let root = ProofId::new(0);
        let ProofNode { claim, at, .. } = self.prover.grown.proof[root];
        self.occurrence(at);
        self.segment(None, claim, vec![at], true, SegmentEnding::Goal, vec![]);
        self.enqueue(root, at);
        while let Some((node, told)) = self.queue.pop_front() {
            self.prover.case.space.budget().check()?;
            let at = self.at(node);
            if !self.told.contains(&at) {
                self.moved.insert(at, told);
            }
            let mut next = Some(node);
            while let Some(node) = next {
                next = self.node(node)?;
            }
        }
        Ok(())
    }

    /// Where a node is told.
    fn at(&self, node: ProofId) -> OccurrenceId {
        let at = self.prover.grown.proof[node].at;
        self.moved.get(&at).copied().unwrap_or(at)
    }

    /// Tells a node; returns the one that the main run goes on with.
    fn node(&mut self, node: ProofId) -> Run<Option<ProofId>> {
        let grown = &self.prover.grown;
        let ProofNode { rule, premises, .. } = &grown.proof[node];
        match rule {
            None | Some(Rule::State | Rule::Total | Rule::Region(_) | Rule::Start | Rule::Run) => {
                Ok(None)
            }
            Some(Rule::Branch(_)) => Ok(self.premises(premises, self.at(node))),
            Some(Rule::Step) => {
                self.branch_to(node, self.at(premises[0]), grown.main[node]);
                Ok(self.premises(premises, self.at(premises[0])))
            }
            Some(Rule::EveryStep) => {
                let claim = grown.proof[node].claim;
                let about_paths = matches!(self.prover.kernel(claim), Kernel::Path(_));
                for &premise in premises {
                    // A premise with another claim is what must hold on the way, which is about this state.
                    let here = about_paths && grown.proof[premise].claim != claim;
                    let at = match here {
                        true => self.at(node),
                        false => self.at(premise),
                    };
                    if !here {
                        self.branch_to(node, at, false);
                    }
                    self.enqueue(premise, at);
                }
                Ok(None)
            }
            Some(Rule::Goal | Rule::Continue | Rule::DeadEnd | Rule::Stop) => self.path(node),
        }
    }

    /// Queues premises about a state that is told; the one that the main run goes on with is returned
    /// instead.
    fn premises(&mut self, premises: &[ProofId], told: OccurrenceId) -> Option<ProofId> {
        let mut next = None;
        for &premise in premises {
            if self.prover.grown.main[premise] && !self.queued.contains(&premise) {
                self.queued.insert(premise);
                self.nodes.push(premise);
                next = Some(premise);
            } else {
                self.enqueue(premise, told);
            }
        }
        next
    }

    fn enqueue(&mut self, node: ProofId, told: OccurrenceId) {
        if self.queued.insert(node) {
            self.nodes.push(node);
            self.queue.push_back((node, told));
        }
    }

    /// A segment of one step, or a step to where a branch joins what is told already.
    fn branch_to(&mut self, node: ProofId, to: OccurrenceId, main: bool) {
        let claim = self.prover.grown.proof[node].claim;
        let at = self.at(node);
        let new = self.edge(at, to);
        if self.occurrence(to) {
            self.segment(Some(at), claim, vec![to], main, SegmentEnding::Goal, vec![]);
        } else if new {
            self.segment(
                Some(at),
                claim,
                vec![],
                main,
                SegmentEnding::Joins(to),
                vec![],
            );
        }
    }

    /// Tells a path from one of its nodes on, as far as it is shown and until it joins what is told
    /// already; returns what the main run goes on with at its end.
    fn path(&mut self, node: ProofId) -> Run<Option<ProofId>> {
        let grown = &self.prover.grown;
        let claim = grown.proof[node].claim;
        let at = self.at(node);
        let main = grown.main[node];
        let mut nodes = vec![node];
        let mut spots = vec![at];
        let mut ending = SegmentEnding::Goal;
        let mut fair = vec![];
        // Whether the path only follows a step that is told already.
        let mut along_told = false;
        loop {
            let last = *nodes.last().expect("there is a start");
            let here = self.at(last);
            let Some(next) = grown.continues(last) else {
                if grown.proof[last].rule == Some(Rule::DeadEnd) {
                    ending = SegmentEnding::DeadEnd;
                }
                break;
            };
            let to = self.at(next);
            let new = self.edge(here, to);
            // The loop is looked for first: where the path goes back, the state is told already, which would
            // look like a join.
            if let Some(back) = self.back(&nodes, next) {
                ending = SegmentEnding::Loop(to);
                fair = self.fair_marks(claim, &spots[back..])?;
                break;
            }
            if !self.occurrence(to) {
                along_told = !new && spots.len() == 1;
                ending = SegmentEnding::Joins(to);
                self.enqueue(next, to);
                break;
            }
            if self.queued.insert(next) {
                self.nodes.push(next);
            }
            nodes.push(next);
            spots.push(to);
        }
        let moves =
            spots.len() > 1 || !matches!(ending, SegmentEnding::Goal | SegmentEnding::DeadEnd);
        if moves && !along_told {
            self.segment(Some(at), claim, spots[1..].to_vec(), main, ending, fair);
        }
        let mut next = None;
        for &node in &nodes {
            let premises = &grown.proof[node].premises;
            let stays = match grown.continues(node) {
                // The last premise is the next node of the path, which has its own turn.
                Some(_) => &premises[..premises.len() - 1],
                None => premises,
            };
            next = self.premises(stays, self.at(node)).or(next);
        }
        Ok(next)
    }

    /// Where on the path so far a node is.
    fn back(&self, nodes: &[ProofId], node: ProofId) -> Option<usize> {
        // A path goes back only where it closes: look only when the node is known.
        if !self.queued.contains(&node) {
            return None;
        }
        nodes.iter().position(|&before| before == node)
    }

    fn segment(
        &mut self,
        from: Option<OccurrenceId>,
        serves: Claim,
        states: Vec<OccurrenceId>,
        main: bool,
        ending: SegmentEnding,
        fair: Vec<Option<OccurrenceId>>,
    ) {
        self.segments.push(Segment {
            from,
            serves,
            states,
            main,
            ending,
            fair,
        });
    }

    /// Tells an occurrence; whether it is new.
    fn occurrence(&mut self, at: OccurrenceId) -> bool {
        let new = self.told.insert(at);
        if new {
            self.order.push(at);
        }
        new
    }

    /// Tells an edge; whether it is new.
    fn edge(&mut self, from: OccurrenceId, to: OccurrenceId) -> bool {
        let new = self.linked.insert((from, to));
        if new {
            self.edges.push((from, to));
        }
        new
    }

    /// Where in a loop each fairness constraint is met.
    fn fair_marks(&self, claim: Claim, turn: &[OccurrenceId]) -> Run<Vec<Option<OccurrenceId>>> {
        let case = self.prover.case;
        if !case.path(claim)?.fair {
            return Ok(vec![]);
        }
        let fairness = case.checker.fairness();
        let states = &self.prover.grown.states;
        let meets = |set: &S::Set| {
            let mut turn = turn.iter().copied();
            turn.find(|&at| case.space.contains(set, &states[at]))
        };
        let justice = fairness.justice.iter().map(meets);
        let pairs = fairness.compassion.iter();
        // A pair whose `p` is never met asks for nothing and has no mark.
        let compassion = pairs.map(|(p, q)| meets(p).and_then(|_| meets(q)));
        Ok(justice.chain(compassion).collect())
    }

    /// How many steps are left at each node of a path that must reach its goal.
    fn ranks(&self) -> Run<FxHashMap<ProofId, u32>> {
        let grown = &self.prover.grown;
        let mut ranks: FxHashMap<ProofId, u32> = FxHashMap::default();
        for &start in &self.nodes {
            let claim = grown.proof[start].claim;
            let Kernel::Path(pattern) = self.prover.kernel(claim) else {
                continue;
            };
            if pattern.weak {
                continue;
            }
            if pattern.quantifier == Quantifier::Forall {
                let unfolded = match grown.proof[start].rule {
                    Some(Rule::Region(_)) => None,
                    _ => {
                        let state = &grown.states[grown.proof[start].at];
                        self.prover.case.inevitable_within(claim, state)?
                    }
                };
                ranks.extend(unfolded.map(|rank| (start, rank)));
                continue;
            }
            let mut way = vec![];
            let mut here = start;
            // A strong path never closes a loop, so the walk ends at a rank that is known or at the end of
            // the path.
            let mut rank = loop {
                if let Some(&known) = ranks.get(&here) {
                    break known;
                }
                match grown.continues(here) {
                    Some(next) => {
                        way.push(here);
                        here = next;
                    }
                    None => {
                        let left = match grown.proof[here].rule {
                            Some(_) => 0,
                            None => {
                                let state = &grown.states[grown.proof[here].at];
                                let distance = self.prover.case.path(claim)?.rings.distance(state);
                                distance.expect("what is so has a distance")
                            }
                        };
                        ranks.insert(here, left);
                        break left;
                    }
                }
            };
            for node in way.into_iter().rev() {
                rank += 1;
                ranks.insert(node, rank);
            }
        }
        Ok(ranks)
    }

    fn finish(self) -> Run<ToldEvidence<S::State>> {
        let case = self.prover.case;
        let grown = &self.prover.grown;
        let numbers = self.order.iter().enumerate();
        let numbers: FxHashMap<_, _> = numbers
            .map(|(number, &at)| (at, OccurrenceId::new(number)))
            .collect();
        let at = |old: OccurrenceId| numbers[self.moved.get(&old).unwrap_or(&old)];
        let ids = self.nodes.iter().enumerate();
        let ids: FxHashMap<_, _> = ids.map(|(id, &node)| (node, ProofId::new(id))).collect();

        let states: IndexVec<OccurrenceId, S::State> = self
            .order
            .iter()
            .map(|&at| grown.states[at].clone())
            .collect();
        let occurrences = states.iter().map(|state| {
            let sat = case.solution.sat.iter();
            Occurrence {
                values: case.space.values(state),
                truth: sat
                    .map(|set| Some(case.space.contains(set, state)))
                    .collect(),
            }
        });
        let mut edges = Vec::new();
        for &(from, to) in &self.edges {
            let input = match case.space.model().input_vars() {
                0 => vec![],
                _ => {
                    let input = case.space.input(&grown.states[from], &grown.states[to])?;
                    input.expect("an edge of an evidence is a step of the model")
                }
            };
            let (from, to) = (at(from), at(to));
            edges.push(EvidenceEdge { from, to, input });
        }
        let ranks = self.ranks()?;
        let mut regions = IndexVec::new();
        let mut proof = IndexVec::new();
        for &node in &self.nodes {
            let ProofNode {
                claim,
                at: there,
                rule,
                ref premises,
                ..
            } = grown.proof[node];
            let rule = rule.map(|rule| match rule {
                Rule::Region(region) => {
                    let region = &grown.regions[region];
                    let at = at(region.at);
                    Rule::Region(regions.push(Region {
                        at,
                        ..region.clone()
                    }))
                }
                rule => rule,
            });
            proof.push(ProofNode {
                claim,
                at: at(there),
                rule,
                rank: ranks.get(&node).copied(),
                premises: premises.iter().map(|premise| ids[premise]).collect(),
            });
        }
        let ending = |ending| match ending {
            SegmentEnding::Loop(to) => SegmentEnding::Loop(at(to)),
            SegmentEnding::Joins(to) => SegmentEnding::Joins(at(to)),
            ending @ (SegmentEnding::Goal | SegmentEnding::DeadEnd) => ending,
        };
        let segments = self.segments.iter().map(|segment| Segment {
            from: segment.from.map(at),
            serves: segment.serves,
            states: segment.states.iter().map(|&old| at(old)).collect(),
            main: segment.main,
            ending: ending(segment.ending),
            fair: segment.fair.iter().map(|mark| mark.map(at)).collect(),
        });
        let segments: Vec<Segment> = segments.collect();
        let (shape, minimal) = outline(&segments, regions.is_empty());
        Ok(ToldEvidence {
            evidence: Evidence {
                shape,
                occurrences: occurrences.collect(),
                edges,
                segments,
                regions,
                proof,
                minimal,
                replay: Replay::NotDone,
                causes: None,
            },
            states,
            nodes: self.nodes.into_iter().collect(),
        })
    }
}

/// The shape of an evidence, and how many steps it has. Runs that merely show that a path goes on do
/// not count.
pub(crate) fn outline(segments: &[Segment], no_regions: bool) -> (Shape, Minimality) {
    let told = |s: &&Segment| s.serves != Claim::HasPath;
    let branching = segments.iter().filter(told).any(|s| !s.main);
    let steps = segments.iter().filter(told).map(|segment| {
        let closing = matches!(
            segment.ending,
            SegmentEnding::Loop(_) | SegmentEnding::Joins(_)
        );
        let started = usize::from(segment.from.is_some());
        // So many states have one step less between them; the steps from the start and back add one each.
        segment.states.len() + started + usize::from(closing) - 1
    });
    let steps = u32::try_from(steps.sum::<usize>()).unwrap_or(u32::MAX);
    let mut main = segments.iter().filter(|segment| segment.main);
    let looping = main.any(|segment| matches!(segment.ending, SegmentEnding::Loop(_)));
    let shape = match (branching, looping, no_regions) {
        (false, false, true) => Shape::Path,
        (false, true, true) => Shape::Lasso,
        (false, false, false) => Shape::Region,
        _ => Shape::Tree,
    };
    let minimal = Minimality {
        measure: Measure::Steps,
        length: steps,
        at_least: 0,
    };
    (shape, minimal)
}
