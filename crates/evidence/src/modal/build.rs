//! Growing the proof and telling it.
//!
//! The proof grows along runs: from a claim the planned way is followed until nothing more is needed or a
//! claim comes up again, and what else was needed on the way waits for its turn. Each run is told as a
//! segment, the main run first. A claim at a state is shown once; whoever needs it again refers to it.

use std::collections::VecDeque;

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{IndexVec, Run};
use wherefore_logic::{ActionId, SubId};
use wherefore_model::Cover;
use wherefore_model::lts::{LabelId, StateId};
use wherefore_proof::modal::{action, values};
use wherefore_proof::{
    Claim, Evidence, EvidenceEdge, Occurrence, OccurrenceId, ProofId, ProofNode, Region, RegionId,
    Replay, Rule, Segment, SegmentEnding,
};

use super::case::{ClaimAtState, ModalCase, ModalNeed};
use super::goal;
use super::search::shortest;
use crate::tell::outline;

/// The states of a region are listed up to this many.
const LISTED_STATES: usize = 12;

/// The evidence for the claim about the root at the initial state.
pub(super) fn build(case: &ModalCase<'_>, plan: FxHashMap<ClaimAtState, usize>) -> Run<Evidence> {
    let mut grown = ModalProof {
        case,
        proof: IndexVec::new(),
        pairs: IndexVec::new(),
        known: FxHashMap::default(),
        plan,
        waiting: VecDeque::new(),
        occurrences: IndexVec::new(),
        edges: Vec::new(),
        linked: FxHashSet::default(),
        segments: Vec::new(),
        regions: IndexVec::new(),
        at_least: None,
    };
    let root = (case.question.system.root, case.lts.initial());
    let start = grown.occurrences.push(root.1);
    let (node, _) = grown.node(root, start);
    grown.segments.push(Segment {
        from: None,
        serves: grown.proof[node].claim,
        states: vec![start],
        main: true,
        ending: SegmentEnding::Goal,
        fair: vec![],
    });
    grown.run(node, true)?;
    while let Some(node) = grown.waiting.pop_front() {
        case.budget.check()?;
        grown.run(node, false)?;
    }
    Ok(grown.tell())
}

struct ModalProof<'c, 'a> {
    case: &'c ModalCase<'a>,
    proof: IndexVec<ProofId, ProofNode>,
    pairs: IndexVec<ProofId, ClaimAtState>,
    /// The node of each claim at a state.
    known: FxHashMap<ClaimAtState, ProofId>,
    /// The number of the way that is taken at a claim.
    plan: FxHashMap<ClaimAtState, usize>,
    /// Claims that are needed besides the runs so far.
    waiting: VecDeque<ProofId>,
    occurrences: IndexVec<OccurrenceId, StateId>,
    edges: Vec<EvidenceEdge>,
    linked: FxHashSet<(OccurrenceId, OccurrenceId, LabelId)>,
    segments: Vec<Segment>,
    regions: IndexVec<RegionId, Region>,
    /// No run that shows the root has fewer steps than this.
    at_least: Option<u32>,
}

/// A run that is being told.
struct ModalTelling {
    from: OccurrenceId,
    serves: Option<Claim>,
    states: Vec<OccurrenceId>,
    main: bool,
    /// The claims that it has passed.
    passed: FxHashSet<ProofId>,
    /// How it ends, once that is known.
    ending: Option<SegmentEnding>,
}

/// How a run goes on.
enum NextOccurrence {
    /// Not at all.
    End,
    /// With this claim; whether it is new.
    Claim(ProofId, bool),
    /// With everything that can follow from the state.
    List(ActionId, SubId),
}

impl ModalProof<'_, '_> {
    /// The node of a claim, and whether it is new.
    fn node(&mut self, pair: ClaimAtState, at: OccurrenceId) -> (ProofId, bool) {
        if let Some(&node) = self.known.get(&pair) {
            return (node, false);
        }
        let node = self.proof.push(ProofNode {
            claim: Claim::Formula(goal(pair.0, self.case.holds), None),
            at,
            rule: None,
            rank: None,
            premises: vec![],
        });
        self.pairs.push(pair);
        self.known.insert(pair, node);
        (node, true)
    }

    /// The way to take at a claim.
    fn planned(&mut self, pair: ClaimAtState) -> Run<usize> {
        if let Some(&way) = self.plan.get(&pair) {
            return Ok(way);
        }
        let found = shortest(self.case, pair)?;
        self.at_least.get_or_insert(found.at_least);
        for (pair, way) in found.ways {
            // What was planned before stays, since the proof may rest on it already.
            self.plan.entry(pair).or_insert(way);
        }
        Ok(self.plan[&pair])
    }

    /// Shows a claim and what it needs along a run.
    fn run(&mut self, start: ProofId, main: bool) -> Run<()> {
        let mut telling = ModalTelling {
            from: self.proof[start].at,
            serves: None,
            states: vec![],
            main,
            passed: FxHashSet::default(),
            ending: None,
        };
        let mut next = NextOccurrence::Claim(start, true);
        let mut meter = self.case.budget.meter();
        while let NextOccurrence::Claim(node, true) = next {
            meter.tick()?;
            telling.passed.insert(node);
            next = self.show(node, &mut telling)?;
            if let NextOccurrence::List(action, sub) = next {
                self.told(&mut telling);
                self.list(node, action, sub);
            }
        }
        self.told(&mut telling);
        Ok(())
    }

    /// Adds the segment of a run, if it has any step.
    fn told(&mut self, telling: &mut ModalTelling) {
        let Some(serves) = telling.serves.take() else {
            return;
        };
        self.segments.push(Segment {
            from: Some(telling.from),
            serves,
            states: std::mem::take(&mut telling.states),
            main: telling.main,
            ending: telling.ending.unwrap_or(SegmentEnding::Goal),
            fair: vec![],
        });
    }

    /// Shows a claim by a rule.
    fn show(&mut self, node: ProofId, telling: &mut ModalTelling) -> Run<NextOccurrence> {
        let (sub, state) = self.pairs[node];
        let at = self.proof[node].at;
        if self.case.is_region(sub) {
            self.region(node)?;
            return Ok(NextOccurrence::End);
        }
        let (rule, premises, next) = match self.case.need(sub) {
            ModalNeed::Nothing => (Rule::State, vec![], NextOccurrence::End),
            ModalNeed::One(subs) => {
                let branch = self.planned((sub, state))?;
                let (premise, new) = self.node((subs[branch], state), at);
                (
                    Rule::Branch(branch),
                    vec![premise],
                    NextOccurrence::Claim(premise, new),
                )
            }
            ModalNeed::Each(subs) => {
                let main = self.case.main_of(sub, subs);
                let mut next = NextOccurrence::End;
                let mut premises = Vec::with_capacity(subs.len());
                for &other in subs {
                    let (premise, new) = self.node((other, state), at);
                    premises.push(premise);
                    if Some(other) == main {
                        // The same claim may be needed twice.
                        if !matches!(next, NextOccurrence::Claim(_, true)) {
                            next = NextOccurrence::Claim(premise, new);
                        }
                    } else if new {
                        self.waiting.push_back(premise);
                    }
                }
                (Rule::Branch(0), premises, next)
            }
            ModalNeed::SomeStep(..) => {
                let way = self.planned((sub, state))?;
                let way = self.case.way((sub, state), way);
                let way = way.expect("a planned way is one");
                let label = way.label.expect("the claim is about a step");
                telling.serves.get_or_insert(self.proof[node].claim);
                let (premise, new) = self.step(at, label, way.to, telling)?;
                (
                    Rule::Step,
                    vec![premise],
                    NextOccurrence::Claim(premise, new),
                )
            }
            ModalNeed::EveryStep(action, next) => {
                if self.case.too_many(action, state) {
                    self.region(node)?;
                    return Ok(NextOccurrence::End);
                }
                (Rule::EveryStep, vec![], NextOccurrence::List(action, next))
            }
        };
        self.proof[node].rule = Some(rule);
        self.proof[node].premises = premises;
        Ok(next)
    }

    /// Takes a step of a run to a claim; returns its node and whether it is new.
    fn step(
        &mut self,
        from: OccurrenceId,
        label: LabelId,
        to: ClaimAtState,
        telling: &mut ModalTelling,
    ) -> Run<(ProofId, bool)> {
        let place = match self.comes_to(to)? {
            Some(known) => {
                let place = self.proof[known].at;
                telling.ending = Some(match telling.passed.contains(&known) {
                    true => SegmentEnding::Loop(place),
                    false => SegmentEnding::Joins(place),
                });
                place
            }
            None => {
                let place = self.occurrences.push(to.1);
                telling.states.push(place);
                place
            }
        };
        self.edge(from, place, label);
        Ok(self.node(to, place))
    }

    /// The node that a claim leads to without a step, if it is known already.
    fn comes_to(&mut self, mut pair: ClaimAtState) -> Run<Option<ProofId>> {
        let mut passed = FxHashSet::default();
        loop {
            if let Some(&node) = self.known.get(&pair) {
                return Ok(Some(node));
            }
            if self.case.ways(pair) == 0 || !passed.insert(pair) {
                return Ok(None);
            }
            let way = self.planned(pair)?;
            let way = self.case.way(pair, way).expect("a planned way is one");
            if way.label.is_some() {
                return Ok(None);
            }
            pair = way.to;
        }
    }

    fn edge(&mut self, from: OccurrenceId, to: OccurrenceId, label: LabelId) -> bool {
        let new = self.linked.insert((from, to, label));
        if new {
            let input = action(label);
            self.edges.push(EvidenceEdge { from, to, input });
        }
        new
    }

    /// Lists every step from the state of a claim.
    fn list(&mut self, node: ProofId, by: ActionId, next: SubId) {
        let ProofNode { at, claim, .. } = self.proof[node];
        let (_, state) = self.pairs[node];
        let case = self.case;
        let matches = &case.question.actions[by];
        let steps = case.lts.steps(state).iter();
        for step in steps.filter(|step| matches.contains(step.label)) {
            let pair = (next, step.to);
            let known = self.known.get(&pair).map(|&node| self.proof[node].at);
            let to = known.unwrap_or_else(|| self.occurrences.push(step.to));
            let (premise, new) = self.node(pair, to);
            let fresh = self.edge(at, to, step.label);
            let (states, ending) = match new {
                true => (vec![to], SegmentEnding::Goal),
                false => (vec![], SegmentEnding::Joins(to)),
            };
            if fresh {
                self.segments.push(Segment {
                    from: Some(at),
                    serves: claim,
                    states,
                    main: false,
                    ending,
                    fair: vec![],
                });
            }
            if new {
                self.waiting.push_back(premise);
            }
            self.proof[node].premises.push(premise);
        }
    }

    /// Shows a claim by everything that its equations look at from its state on.
    fn region(&mut self, node: ProofId) -> Run<()> {
        let ProofNode { at, claim, .. } = self.proof[node];
        let case = self.case;
        let mut seen: FxHashSet<ClaimAtState> = FxHashSet::default();
        let mut states: FxHashSet<StateId> = FxHashSet::default();
        let mut open = vec![self.pairs[node]];
        let mut meter = case.budget.meter();
        seen.extend(&open);
        while let Some((sub, state)) = open.pop() {
            meter.tick()?;
            states.insert(state);
            let mut look_at = |pair: ClaimAtState| {
                if seen.insert(pair) {
                    open.push(pair);
                }
            };
            match case.need(sub) {
                ModalNeed::SomeStep(action, next) | ModalNeed::EveryStep(action, next) => {
                    let action = &case.question.actions[action];
                    let steps = case.lts.steps(state).iter();
                    let steps = steps.filter(|step| action.contains(step.label));
                    steps.for_each(|step| look_at((next, step.to)));
                }
                ModalNeed::Nothing | ModalNeed::One(_) | ModalNeed::Each(_) => {
                    let operands = case.operands(sub).iter();
                    operands.for_each(|&other| look_at((other, state)));
                }
            }
        }
        let listed = (states.len() <= LISTED_STATES).then(|| {
            let mut listed: Vec<StateId> = states.iter().copied().collect();
            listed.sort_unstable();
            listed.into_iter().map(values).collect()
        });
        let region = self.regions.push(Region {
            at,
            claim,
            size: BigUint::from(states.len()),
            cover: Cover {
                cubes: vec![],
                complete: false,
            },
            states: listed,
        });
        self.proof[node].rule = Some(Rule::Region(region));
        Ok(())
    }

    /// How many moves are left at most, of claims that must be shown in finitely many: within their
    /// block.
    fn rank(&mut self) {
        let system = &self.case.question.system;
        let block = |grown: &Self, node: ProofId| {
            let (sub, _) = grown.pairs[node];
            let shown_here = !matches!(grown.proof[node].rule, Some(Rule::Region(_)));
            let ends = system.must_end(goal(sub, grown.case.holds));
            (shown_here && ends).then(|| system.equations[sub].block)
        };
        // A node, and how many of its premises were looked at.
        let mut way: Vec<(ProofId, usize)> = Vec::new();
        for start in self.proof.ids() {
            way.push((start, 0));
            // A claim that must be shown in finitely many moves does not rest on itself, so the walk ends.
            while let Some(&mut (node, ref mut at)) = way.last_mut() {
                let Some(own) = block(self, node).filter(|_| self.proof[node].rank.is_none())
                else {
                    way.pop();
                    continue;
                };
                let within = |&premise: &ProofId| block(self, premise) == Some(own);
                if let Some(&premise) = self.proof[node].premises.get(*at) {
                    *at += 1;
                    if within(&premise) && self.proof[premise].rank.is_none() {
                        way.push((premise, 0));
                    }
                    continue;
                }
                let premises = self.proof[node].premises.iter().filter(|p| within(p));
                let farthest = premises.filter_map(|&premise| self.proof[premise].rank);
                self.proof[node].rank = Some(farthest.max().map_or(0, |rank| rank + 1));
                way.pop();
            }
        }
    }

    fn tell(mut self) -> Evidence {
        self.rank();
        let case = self.case;
        let subs = || case.question.system.equations.ids();
        let occurrences = self.occurrences.iter().map(|&state| Occurrence {
            values: values(state),
            truth: subs()
                .map(|sub| Some(case.solution.holds(sub, state)))
                .collect(),
        });
        let (shape, mut minimal) = outline(&self.segments, self.regions.is_empty());
        // Only where the evidence is one run, a bound on runs is a bound on evidence.
        if case.is_one_run(case.question.system.root) {
            minimal.at_least = self.at_least.unwrap_or(0).min(minimal.length);
        }
        Evidence {
            shape,
            occurrences: occurrences.collect(),
            edges: self.edges,
            segments: self.segments,
            regions: self.regions,
            proof: self.proof,
            minimal,
            replay: Replay::NotDone,
            causes: None,
        }
    }
}
