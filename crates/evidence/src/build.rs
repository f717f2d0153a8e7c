//! Writing a plan out as evidence: occurrences, edges, segments, regions and the proof.
//!
//! The main run is written first, as one chain; what else the proof needs (the goals that must hold
//! on the way, the other goals of a conjunction, every successor of a refuted `EX`) waits in a queue
//! and becomes branches. A branch that comes to a state that is shown already joins it there.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{IndexVec, Run};
use wherefore_logic::{Bounds, Goal, Kernel, PathPattern, PathRule, Quantifier};
use wherefore_space::StateSpace;

use crate::case::{Case, has_path_pattern};
use crate::measure::Measure;
use crate::plan::{End, Plan, PlanRef};
use crate::types::{
    Claim, Edge, Ending, Evidence, Minimality, Occurrence, OccurrenceId, ProofId, ProofNode,
    Region, RegionId, Replay, Rule, Segment, Shape,
};

/// Successors of a refuted `EX` are listed one by one up to this many; more make a region.
pub(crate) const LISTED_SUCCESSORS: usize = 16;
/// Where plans for branches come from; `false` if the plan is not known to be shortest.
pub(crate) type Planner<'p, T> = dyn FnMut(Claim, &T) -> Run<(PlanRef<T>, bool)> + 'p;

/// Writes a plan for a claim at a start state out.
pub(crate) fn build<S: StateSpace>(
    case: &Case<'_, '_, S>,
    claim: Claim,
    start: &S::State,
    plan: &PlanRef<S::State>,
    planner: &mut Planner<'_, S::State>,
) -> Run<Built<S::State>> {
    let mut builder = Builder::new(case);
    let at = builder.occurrence(start);
    builder.segments.push(Segment {
        from: None,
        serves: claim,
        states: vec![at],
        main: true,
        ending: Ending::Goal,
        fair: vec![],
    });
    let root = builder.node(claim, at);
    builder.fill(root, plan, true)?;
    let mut branches_shortest = true;
    while let Some((node, plan)) = builder.pending.pop_front() {
        case.space.budget().check()?;
        let plan = match plan {
            Some(plan) => plan,
            None => {
                let ProofNode { claim, at, .. } = builder.proof[node];
                let state = builder.states[at].clone();
                let (plan, shortest) = planner(claim, &state)?;
                branches_shortest &= shortest || claim == Claim::HasPath;
                plan
            }
        };
        builder.fill(node, &plan, false)?;
    }
    let states = builder.states.clone();
    Ok(Built {
        evidence: builder.finish(),
        states,
        branches_shortest,
    })
}

/// An evidence, written out.
pub(crate) struct Built<T> {
    pub(crate) evidence: Evidence,
    /// The state of each occurrence.
    pub(crate) states: IndexVec<OccurrenceId, T>,
    /// Whether every branch is known to be shortest.
    pub(crate) branches_shortest: bool,
}

pub(crate) struct Builder<'c, 'k, 's, S: StateSpace> {
    pub(crate) case: &'c Case<'k, 's, S>,
    occurrences: IndexVec<OccurrenceId, Occurrence>,
    pub(crate) states: IndexVec<OccurrenceId, S::State>,
    shown: FxHashMap<S::State, OccurrenceId>,
    edges: Vec<Edge>,
    linked: FxHashSet<(OccurrenceId, OccurrenceId)>,
    segments: Vec<Segment>,
    pub(crate) regions: IndexVec<RegionId, Region>,
    pub(crate) proof: IndexVec<ProofId, ProofNode>,
    /// For each claim at a state, a node that has it as its claim.
    nodes: FxHashMap<(Claim, S::State), ProofId>,
    /// Nodes still without a rule, with their plans where those are known already.
    pending: VecDeque<Pending<S::State>>,
}

/// The node a run goes on with, and its plan.
type Next<T> = (ProofId, PlanRef<T>);

/// A node that waits for its rule, and its plan where that is known already.
type Pending<T> = (ProofId, Option<PlanRef<T>>);

impl<'c, 'k, 's, S: StateSpace> Builder<'c, 'k, 's, S> {
    fn new(case: &'c Case<'k, 's, S>) -> Self {
        Self {
            case,
            occurrences: IndexVec::new(),
            states: IndexVec::new(),
            shown: FxHashMap::default(),
            edges: Vec::new(),
            linked: FxHashSet::default(),
            segments: Vec::new(),
            regions: IndexVec::new(),
            proof: IndexVec::new(),
            nodes: FxHashMap::default(),
            pending: VecDeque::new(),
        }
    }

    fn occurrence(&mut self, state: &S::State) -> OccurrenceId {
        let sat = self.case.solution.sat.iter();
        let truth = sat.map(|set| self.case.space.contains(set, state));
        let id = self.occurrences.push(Occurrence {
            values: self.case.space.values(state),
            truth: truth.collect(),
        });
        self.states.push(state.clone());
        self.shown.entry(state.clone()).or_insert(id);
        id
    }

    fn node(&mut self, claim: Claim, at: OccurrenceId) -> ProofId {
        let id = self.proof.push(ProofNode {
            claim,
            at,
            rule: None,
            rank: None,
            premises: vec![],
        });
        let state = self.states[at].clone();
        self.nodes.entry((claim, state)).or_insert(id);
        id
    }

    /// A premise that waits for its turn, or the node that shows the same claim at the same state.
    fn premise(
        &mut self,
        claim: Claim,
        at: OccurrenceId,
        plan: Option<PlanRef<S::State>>,
    ) -> ProofId {
        let state = self.states[at].clone();
        if let Some(&known) = self.nodes.get(&(claim, state)) {
            return known;
        }
        let node = self.node(claim, at);
        self.pending.push_back((node, plan));
        node
    }

    /// Adds an edge; whether it is new.
    fn edge(&mut self, from: OccurrenceId, to: OccurrenceId) -> Run<bool> {
        if !self.linked.insert((from, to)) {
            return Ok(false);
        }
        let input = if self.case.space.model().input_vars() == 0 {
            vec![]
        } else {
            let input = self
                .case
                .space
                .input(&self.states[from], &self.states[to])?;
            input.expect("an edge of an evidence is a step of the model")
        };
        self.edges.push(Edge { from, to, input });
        Ok(true)
    }

    /// Gives a node its rule and premises by its plan.
    fn fill(&mut self, node: ProofId, plan: &Plan<S::State>, main: bool) -> Run<()> {
        let ProofNode { claim, at, .. } = self.proof[node];
        let Claim::Formula(goal, bounds) = claim else {
            return self.fill_has_path(node, plan);
        };
        match (self.case.kernel(goal), plan) {
            (Kernel::State, _) => {
                self.proof[node].rule = Some(Rule::State);
                Ok(())
            }
            (Kernel::Branches(branches), Plan::Branch(number, plans)) => {
                self.proof[node].rule = Some(Rule::Branch(*number));
                let goals = &branches[*number];
                let (premises, next) = self.goals(goals, at, plans, main);
                self.proof[node].premises = premises;
                self.go_on(next)
            }
            (Kernel::Step(Quantifier::Exists, next), Plan::Step(state, plan)) => {
                self.fill_step(node, next, state, plan, main)
            }
            (Kernel::Step(Quantifier::Forall, next), _) => self.fill_every_step(node, next),
            (Kernel::Path(pattern), Plan::Path(states, end))
                if pattern.quantifier == Quantifier::Exists =>
            {
                self.fill_path(node, &pattern, states, end, main)
            }
            (Kernel::Bounded(whole, pattern), Plan::Path(states, end))
                if pattern.quantifier == Quantifier::Exists =>
            {
                let left = bounds.unwrap_or(whole);
                self.fill_bounded(node, goal, &pattern, left, states, end, main)
            }
            (Kernel::Path(pattern), _) => self.fill_region(node, &pattern, None),
            (Kernel::Bounded(whole, pattern), _) => {
                self.fill_region(node, &pattern, Some(bounds.unwrap_or(whole)))
            }
            (kernel, plan) => unreachable!("the plan {plan:?} does not fit {kernel:?}"),
        }
    }

    /// Premises for goals at an occurrence. On the main run, the first that needs steps is what the
    /// run goes on with: it is returned with its plan instead of being queued.
    fn goals(
        &mut self,
        goals: &[Goal],
        at: OccurrenceId,
        plans: &[PlanRef<S::State>],
        main: bool,
    ) -> (Vec<ProofId>, Option<Next<S::State>>) {
        let mut next = None;
        let mut premises = Vec::new();
        for (&goal, plan) in goals.iter().zip(plans) {
            let claim = Claim::Formula(goal, None);
            if main && next.is_none() && self.case.needs_steps(goal) {
                let node = self.node(claim, at);
                next = Some((node, plan.clone()));
                premises.push(node);
            } else {
                premises.push(self.premise(claim, at, Some(plan.clone())));
            }
        }
        (premises, next)
    }

    fn go_on(&mut self, next: Option<Next<S::State>>) -> Run<()> {
        match next {
            Some((node, plan)) => self.fill(node, &plan, true),
            None => Ok(()),
        }
    }

    /// The premise that a path goes on from an occurrence, where the rule asks for one and none of the
    /// goals there says so already.
    fn path_goes_on(&mut self, goals: &[Goal], fair: bool, at: OccurrenceId) -> Option<ProofId> {
        let asked = fair || self.case.query.rule.targets_have_paths();
        let said = goals.iter().any(|&goal| self.case.says_path(goal));
        (asked && !said).then(|| self.premise(Claim::HasPath, at, None))
    }

    fn fill_step(
        &mut self,
        node: ProofId,
        next: Goal,
        state: &S::State,
        plan: &PlanRef<S::State>,
        main: bool,
    ) -> Run<()> {
        let ProofNode { claim, at, .. } = self.proof[node];
        let to = self.branch_to(claim, at, state, main)?;
        let (mut premises, go_on) = self.goals(&[next], to, std::slice::from_ref(plan), main);
        premises.extend(self.path_goes_on(&[next], false, to));
        self.proof[node].rule = Some(Rule::Step);
        self.proof[node].premises = premises;
        self.go_on(go_on)
    }

    /// A segment of one step, or a step to where a branch joins what is shown already.
    fn branch_to(
        &mut self,
        claim: Claim,
        from: OccurrenceId,
        state: &S::State,
        main: bool,
    ) -> Run<OccurrenceId> {
        let joined = self.shown.get(state).copied().filter(|_| !main);
        let to = joined.unwrap_or_else(|| self.occurrence(state));
        let new = self.edge(from, to)?;
        let (states, ending) = match joined {
            Some(_) if !new => return Ok(to),
            Some(to) => (vec![], Ending::Joins(to)),
            None => (vec![to], Ending::Goal),
        };
        self.segments.push(Segment {
            from: Some(from),
            serves: claim,
            states,
            main,
            ending,
            fair: vec![],
        });
        Ok(to)
    }

    fn fill_every_step(&mut self, node: ProofId, next: Goal) -> Run<()> {
        let ProofNode { claim, at, .. } = self.proof[node];
        let live = self.case.live()?;
        let space = self.case.space;
        let mut successors = Vec::new();
        for state in space
            .successors(&self.states[at])?
            .take(LISTED_SUCCESSORS + 1)
        {
            successors.push(state?);
        }
        if successors.len() > LISTED_SUCCESSORS {
            let after = space.post(&space.just(&self.states[at])?)?;
            let after = space.meet(&after, live)?;
            return self.region(node, &after);
        }
        let mut premises = Vec::new();
        for state in successors
            .iter()
            .filter(|state| space.contains(live, state))
        {
            let to = self.branch_to(claim, at, state, false)?;
            premises.push(self.premise(Claim::Formula(next, None), to, None));
        }
        self.proof[node].rule = Some(Rule::EveryStep);
        self.proof[node].premises = premises;
        Ok(())
    }

    fn fill_has_path(&mut self, node: ProofId, plan: &Plan<S::State>) -> Run<()> {
        let checker = self.case.checker;
        let rule = self.case.query.rule;
        let endless = rule == PathRule::Maximal || self.case.space.is_empty(checker.dead()?);
        if checker.fairness().is_empty() && endless {
            self.proof[node].rule = Some(Rule::Total);
            return Ok(());
        }
        let Plan::Path(states, end) = plan else {
            unreachable!("that a path goes on is planned as a path")
        };
        let pattern = has_path_pattern(rule);
        self.fill_path(node, &pattern, states, end, false)
    }

    fn fill_path(
        &mut self,
        node: ProofId,
        pattern: &PathPattern,
        states: &[S::State],
        end: &End<S::State>,
        main: bool,
    ) -> Run<()> {
        let ProofNode { claim, at, .. } = self.proof[node];
        let mut nodes = vec![node];
        let mut spots = vec![at];
        let mut joins = None;
        // Whether the path only follows a step that is shown already.
        let mut along_shown = false;
        for (index, state) in states.iter().enumerate() {
            let here = *spots.last().expect("there is a start");
            let may_join = !main && !matches!(end, End::Loop(_));
            if let Some(&to) = self.shown.get(state).filter(|_| may_join) {
                along_shown = !self.edge(here, to)? && spots.len() == 1;
                let rest = Plan::Path(states[index + 1..].to_vec(), end.clone());
                nodes.push(self.premise(claim, to, Some(Rc::new(rest))));
                joins = Some(to);
                break;
            }
            let to = self.occurrence(state);
            self.edge(here, to)?;
            spots.push(to);
            nodes.push(self.node(claim, to));
        }
        let last = *spots.last().expect("there is a start");
        let mut ending = joins.map_or(Ending::Goal, Ending::Joins);
        let mut fair = vec![];
        match (joins, end) {
            (None, End::Loop(back)) => {
                self.edge(last, spots[*back])?;
                ending = Ending::Loop(spots[*back]);
                nodes.push(nodes[*back]);
                fair = self.fair_marks(claim, &spots[*back..])?;
            }
            (None, End::Deadlock) => ending = Ending::DeadEnd,
            _ => {}
        }
        let moves = spots.len() > 1 || !matches!(ending, Ending::Goal | Ending::DeadEnd);
        if moves && !along_shown {
            self.segments.push(Segment {
                from: Some(at),
                serves: claim,
                states: spots[1..].to_vec(),
                main,
                ending,
                fair,
            });
        }
        let length = states.len();
        if !pattern.weak {
            for (index, &node) in nodes.iter().enumerate() {
                self.proof[node].rank = u32::try_from(length - index).ok();
            }
        }
        let mut next = None;
        for (index, &occurrence) in spots.iter().enumerate() {
            let node = nodes[index];
            let continues = nodes.get(index + 1);
            let (rule, mut premises) = match (continues, end) {
                (Some(_), _) => (Rule::Continue, self.stay(pattern, occurrence)),
                (None, End::Goal(plans)) => {
                    let goals = pattern.goal.as_deref().unwrap_or_default();
                    let (mut premises, go_on) = self.goals(goals, occurrence, plans, main);
                    next = go_on;
                    premises.extend(self.path_goes_on(goals, pattern.fair, occurrence));
                    (Rule::Goal, premises)
                }
                (None, End::Deadlock) => (Rule::DeadEnd, self.stay(pattern, occurrence)),
                (None, End::Stop) => (Rule::Stop, self.stay(pattern, occurrence)),
                (None, End::Loop(_)) => unreachable!("a loop continues at its end"),
            };
            premises.extend(continues);
            self.proof[node].rule = Some(rule);
            self.proof[node].premises = premises;
        }
        self.go_on(next)
    }

    /// Premises for the goals that must hold on the way.
    fn stay(&mut self, pattern: &PathPattern, at: OccurrenceId) -> Vec<ProofId> {
        let stay = pattern.stay.iter();
        stay.map(|&goal| self.premise(Claim::Formula(goal, None), at, None))
            .collect()
    }

    #[allow(clippy::too_many_arguments)]
    fn fill_bounded(
        &mut self,
        node: ProofId,
        goal: Goal,
        pattern: &PathPattern,
        bounds: Bounds,
        states: &[S::State],
        end: &End<S::State>,
        main: bool,
    ) -> Run<()> {
        let ProofNode { claim, at, .. } = self.proof[node];
        let layers = self.case.layers(goal)?;
        let mut spots = vec![at];
        for state in states {
            let to = self.occurrence(state);
            self.edge(*spots.last().expect("there is a start"), to)?;
            spots.push(to);
        }
        if spots.len() > 1 {
            self.segments.push(Segment {
                from: Some(at),
                serves: claim,
                states: spots[1..].to_vec(),
                main,
                ending: Ending::Goal,
                fair: vec![],
            });
        }
        let mut next = None;
        let mut node = node;
        let mut left = bounds.most;
        for (index, &occurrence) in spots.iter().enumerate() {
            let last = index + 1 == spots.len();
            let stays = pattern.weak && layers.inside(left) || !pattern.weak && !last;
            let mut premises = match stays {
                true => self.stay(pattern, occurrence),
                false => vec![],
            };
            let (rule, continues) = match (last, end) {
                (false, _) => {
                    left -= 1;
                    let claim = Claim::Formula(goal, Some(layers.left(left)));
                    (Rule::Continue, Some(self.node(claim, spots[index + 1])))
                }
                (true, End::Goal(plans)) => {
                    let goals = pattern.goal.as_deref().unwrap_or_default();
                    let (more, go_on) = self.goals(goals, occurrence, plans, main);
                    next = go_on;
                    premises.extend(more);
                    premises.extend(self.path_goes_on(goals, pattern.fair, occurrence));
                    (Rule::Goal, None)
                }
                (true, _) => {
                    premises.extend(self.path_goes_on(&pattern.stay, pattern.fair, occurrence));
                    (Rule::Stop, None)
                }
            };
            premises.extend(continues);
            self.proof[node].rule = Some(rule);
            self.proof[node].premises = premises;
            node = continues.unwrap_or(node);
        }
        self.go_on(next)
    }

    /// Where in a loop each fairness constraint is met.
    fn fair_marks(&self, claim: Claim, turn: &[OccurrenceId]) -> Run<Vec<Option<OccurrenceId>>> {
        if !self.case.path(claim)?.fair {
            return Ok(vec![]);
        }
        let space = self.case.space;
        let fairness = self.case.checker.fairness();
        let meets = |set: &S::Set| {
            let mut turn = turn.iter().copied();
            turn.find(|&at| space.contains(set, &self.states[at]))
        };
        let justice = fairness.justice.iter().map(meets);
        let pairs = fairness.compassion.iter();
        let compassion = pairs.map(|(p, q)| meets(p).and_then(|_| meets(q)));
        Ok(justice.chain(compassion).collect())
    }

    fn finish(self) -> Evidence {
        let told = |s: &&Segment| s.serves != Claim::HasPath;
        let branching = self.segments.iter().filter(told).any(|s| !s.main);
        let steps = self.segments.iter().filter(told).map(|segment| {
            let closing = matches!(segment.ending, Ending::Loop(_) | Ending::Joins(_));
            let started = usize::from(segment.from.is_some());
            segment.states.len() + started + usize::from(closing) - 1
        });
        let steps = u32::try_from(steps.sum::<usize>()).unwrap_or(u32::MAX);
        let mut main = self.segments.iter().filter(|segment| segment.main);
        let looping = main.any(|segment| matches!(segment.ending, Ending::Loop(_)));
        let shape = match (branching, looping, self.regions.is_empty()) {
            (false, false, true) => Shape::Path,
            (false, true, true) => Shape::Lasso,
            (false, false, false) => Shape::Region,
            _ => Shape::Tree,
        };
        Evidence {
            shape,
            occurrences: self.occurrences,
            edges: self.edges,
            segments: self.segments,
            regions: self.regions,
            proof: self.proof,
            minimal: Minimality {
                measure: Measure::Steps,
                length: steps,
                at_least: 0,
            },
            replay: Replay::NotDone,
        }
    }
}
