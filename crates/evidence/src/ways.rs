//! The ways to show an obligation: every move that is so, as far as a list can hold them.
//!
//! The planned way comes first, then those of added rules, then all others in the order of the states
//! they lead to. Large sets of successors are listed in part only; an added rule finds the step it
//! wants in any of them.

use std::rc::Rc;

use wherefore_base::Run;
use wherefore_logic::{Fairness, Goal, Kernel, PathPattern, Quantifier};
use wherefore_proof::{Claim, OccurrenceId, ProofId, ProofNode};
use wherefore_space::{Rings, StateSpace};

use crate::case::Finite;
use crate::fragment::{SearchHalt, SearchLimits};
use crate::greedy::BoundedEnd;
use crate::plan::{PlanEnd, PlanRef, ProofPlan};
use crate::plans::Plans;
use crate::prover::{GrownProof, ProofBuilder, ProverMove};
use crate::search::{CountedMeasure, EvidenceSearch};
use crate::strategy::{Guide, Rules, Subgoal, Way, WayKind};

/// So many successors are offered one by one.
const LISTED: usize = 64;
/// So many are looked at for one that is, or is not, in the proof already.
const LOOKED_AT: usize = 4096;
/// A path may be so many steps longer than the shortest one, and may go on for so many steps before it
/// must close its loop. Beyond, only what brings it to its end is offered.
const DETOUR: usize = 64;
/// How much the search for the shortest loop through a state may look at.
const LOOP_SEARCH: SearchLimits = SearchLimits {
    states: 1_000,
    steps: 50_000,
    visits: 1_000_000,
};

/// A way, with all that is needed to go it.
pub(crate) struct WayOffer<T> {
    pub(crate) way: Way,
    pub(crate) make: ProverMove<T>,
    /// What to do afterwards, if it is one of several moves that belong together.
    pub(crate) plan: Option<PlanRef<T>>,
}

impl<S: StateSpace> ProofBuilder<'_, '_, '_, S> {
    /// The ways to show an obligation; never none.
    pub(crate) fn ways(
        &self,
        leaf: ProofId,
        rules: &Rules,
        plans: &mut Plans<'_, S::State>,
    ) -> Run<Vec<WayOffer<S::State>>> {
        let (planned, _) = plans.planned(self, leaf)?;
        let mut ways = Ways {
            prover: self,
            leaf,
            planned: plans.fresh(leaf),
            offers: Vec::new(),
        };
        ways.offer(planned, None, plans.by(leaf))?;
        ways.offers[0].way.planned = true;
        let ProofNode { claim, at, .. } = self.grown.proof[leaf];
        match self.kernel(claim) {
            _ if claim == Claim::HasPath => {}
            Kernel::State | Kernel::Step(Quantifier::Forall, _) => {}
            Kernel::Branches(branches) => ways.branches(&branches, at)?,
            Kernel::Step(Quantifier::Exists, next) => ways.steps(next, rules)?,
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => {
                ways.path(rules)?;
            }
            Kernel::Bounded(_, pattern) if pattern.quantifier == Quantifier::Exists => {
                ways.bounded(rules)?;
            }
            Kernel::Path(pattern) => ways.every_path(&pattern)?,
            Kernel::Bounded(..) => {}
        }
        let mut offers = ways.offers;
        let kept = |offer: &WayOffer<S::State>| !rules.removed.contains(&offer.way.kind.name());
        // An obligation keeps a way: where all of them were removed, the removal does not count.
        if offers.iter().any(kept) {
            offers.retain(kept);
        }
        Ok(offers)
    }
}

/// The ways of one obligation, as they are found.
struct Ways<'p, 'k, 'c, 's, S: StateSpace> {
    prover: &'p ProofBuilder<'k, 'c, 's, S>,
    leaf: ProofId,
    /// The plan of the obligation, if it is a path that nothing has been passed of.
    planned: Option<PlanRef<S::State>>,
    offers: Vec<WayOffer<S::State>>,
}

impl<S: StateSpace> Ways<'_, '_, '_, '_, S> {
    fn here(&self) -> &S::State {
        let grown = &self.prover.grown;
        &grown.states[grown.proof[self.leaf].at]
    }

    fn claim(&self) -> Claim {
        self.prover.grown.proof[self.leaf].claim
    }

    /// Offers a move; the same step twice only if it is the first of different paths.
    fn offer(
        &mut self,
        make: ProverMove<S::State>,
        plan: Option<PlanRef<S::State>>,
        by: Option<usize>,
    ) -> Run<()> {
        let same = |old: Option<&ProofPlan<S::State>>| match (old, plan.as_deref()) {
            (Some(old), Some(new)) => old.is_same_path(new),
            (None, None) => true,
            _ => false,
        };
        let planned = self.planned.as_deref();
        let known = |offer: &&mut WayOffer<S::State>| {
            let ahead = offer.plan.as_deref();
            let ahead = ahead.or(planned.filter(|_| offer.way.planned));
            offer.make == make && (same(offer.plan.as_deref()) || same(ahead))
        };
        if let Some(known) = self.offers.iter_mut().find(known) {
            // A rule that plans the same path is to be followed along it.
            if known.way.by.is_none() && by.is_some() {
                known.way.by = by;
                known.plan = known.plan.take().or(plan);
            }
            return Ok(());
        }
        let space = self.prover.case.space;
        let values = |state: &S::State| space.values(state);
        let (kind, to) = match &make {
            ProverMove::State => (WayKind::State, None),
            ProverMove::Branch(number) => (WayKind::Branch(*number), None),
            ProverMove::Step(state) => (WayKind::Step, Some(values(state))),
            ProverMove::EveryStep => (WayKind::EveryStep, None),
            ProverMove::Goal => (WayKind::Goal, None),
            ProverMove::Continue(state) => {
                // The first offer is what is planned.
                let ahead = match self.offers.is_empty() {
                    true => planned,
                    false => plan.as_deref(),
                };
                let kind = match ahead {
                    Some(ProofPlan::Path(states, PlanEnd::Loop(0))) => {
                        WayKind::Loop(states.len() + 1)
                    }
                    _ => WayKind::Continue,
                };
                (kind, Some(values(state)))
            }
            ProverMove::Close(back) => {
                let turn = self.prover.turn(self.leaf, *back).len();
                let kind = match *back == self.leaf {
                    true => WayKind::Loop(turn),
                    false => WayKind::Close(turn),
                };
                let home = self.prover.grown.proof[*back].at;
                (kind, Some(values(&self.prover.grown.states[home])))
            }
            ProverMove::DeadEnd => (WayKind::DeadEnd, None),
            ProverMove::Stop => (WayKind::Stop, None),
            ProverMove::Region => (WayKind::Region, None),
            ProverMove::Total => (WayKind::Total, None),
        };
        let premises = self.prover.subgoals(self.leaf, &make)?;
        let way = Way {
            kind,
            to,
            by,
            planned: false,
            premises,
        };
        self.offers.push(WayOffer { way, make, plan });
        Ok(())
    }

    fn branches(&mut self, branches: &[Vec<Goal>], at: OccurrenceId) -> Run<()> {
        let here = self.prover.grown.states[at].clone();
        for (number, goals) in branches.iter().enumerate() {
            let case = self.prover.case;
            if goals.iter().all(|&goal| case.is_so(goal, &here)) {
                self.offer(ProverMove::Branch(number), None, None)?;
            }
        }
        Ok(())
    }

    fn steps(&mut self, next: Goal, rules: &Rules) -> Run<()> {
        let case = self.prover.case;
        let target = case.space.meet(&*case.set(next)?, case.live()?)?;
        for (state, by) in self.targets(&target, rules)? {
            self.offer(ProverMove::Step(state), None, by)?;
        }
        Ok(())
    }

    fn path(&mut self, rules: &Rules) -> Run<()> {
        let case = self.prover.case;
        let claim = self.claim();
        let path = case.path(claim)?;
        let here = self.here().clone();
        if case.space.contains(&path.sets.goal, &here) {
            self.offer(ProverMove::Goal, None, None)?;
        }
        if !case.space.contains(&path.sets.stay, &here) {
            return Ok(());
        }
        let depth = self.prover.grown.depth(self.leaf);
        if path.pattern.weak {
            match path.finite {
                Finite::Anywhere => self.offer(ProverMove::Stop, None, None)?,
                Finite::InDeadlock if case.space.contains(case.checker.dead()?, &here) => {
                    self.offer(ProverMove::DeadEnd, None, None)?;
                }
                _ => {}
            }
            self.closings()?;
            self.turning(&here)?;
        }
        let too_far = match path.rings.distance(&here) {
            Some(distance) if !path.pattern.weak => {
                let head = self.prover.grown.head(self.leaf);
                let start = &self.prover.grown.states[self.prover.grown.proof[head].at];
                let shortest = path.rings.distance(start).unwrap_or(distance);
                depth + distance as usize >= shortest as usize + DETOUR
            }
            _ => depth >= DETOUR,
        };
        if too_far {
            return Ok(());
        }
        // While a path that a rule planned is being followed, no rule plans another one.
        let followed = self.offers[0].way.by.is_some();
        for (number, guide) in rules.added.iter().enumerate().filter(|_| !followed) {
            self.guided(number, guide, &here)?;
        }
        for (state, by) in self.targets(path.rings.all(), rules)? {
            self.offer(ProverMove::Continue(state), None, by)?;
        }
        Ok(())
    }

    /// A claim about every path: its goal is here, or it is so at every successor.
    fn every_path(&mut self, pattern: &PathPattern) -> Run<()> {
        let case = self.prover.case;
        let here = self.here().clone();
        let so = |goals: &[Goal]| goals.iter().all(|&goal| case.is_so(goal, &here));
        if pattern.goal.as_deref().is_some_and(so) {
            self.offer(ProverMove::Goal, None, None)?;
        }
        if pattern.fair || !so(&pattern.stay) {
            return Ok(());
        }
        let Some(successors) = case.listed_successors(&here)? else {
            return Ok(());
        };
        let Claim::Formula(goal, _) = self.claim() else {
            return Ok(());
        };
        let unfolds = match pattern.weak {
            true => successors.iter().all(|state| case.is_so(goal, state)),
            // The goal must come within a bounded number of steps, or unfolding would never end.
            false => {
                let within = case.inevitable_within(self.claim(), &here)?;
                within.is_some_and(|within| within > 0)
            }
        };
        if unfolds {
            self.offer(ProverMove::EveryStep, None, None)?;
        }
        Ok(())
    }

    /// The path that an added rule plans from here.
    fn guided(&mut self, number: usize, guide: &Guide, here: &S::State) -> Run<()> {
        let Some(plan) = self.prover.case.guided(self.claim(), here, guide)? else {
            return Ok(());
        };
        let make = self.first(&plan);
        // A plan of one move is no plan: its premises are planned as those of any other.
        let plan = matches!(make, ProverMove::Continue(_)).then_some(plan);
        self.offer(make, plan, Some(number))
    }

    /// Steps back to earlier states of the path that close a fair loop.
    fn closings(&mut self) -> Run<()> {
        let prover = self.prover;
        let after = prover.case.space.successors(self.here())?.take(LISTED);
        let after = after.collect::<Run<Vec<S::State>>>()?;
        let mut back = prover.grown.before(self.leaf);
        for _ in 0..DETOUR {
            let Some(node) = back else {
                break;
            };
            let home = &prover.grown.states[prover.grown.proof[node].at];
            if after.contains(home) && prover.is_fair_turn(self.leaf, node)? {
                self.offer(ProverMove::Close(node), None, None)?;
            }
            back = prover.grown.before(node);
        }
        Ok(())
    }

    /// The shortest loop through this state.
    fn turning(&mut self, here: &S::State) -> Run<()> {
        let case = self.prover.case;
        let claim = self.claim();
        if let Some(plan) = case.shortest_turn(claim, here, u32::MAX)? {
            let make = self.first(&plan);
            let plan = (make != ProverMove::Close(self.leaf)).then_some(plan);
            self.offer(make, plan, None)?;
        }
        Ok(())
    }

    /// The first move of a path that is planned from here.
    fn first(&self, plan: &ProofPlan<S::State>) -> ProverMove<S::State> {
        let ProofPlan::Path(states, end) = plan else {
            unreachable!("a path is planned as a path")
        };
        match (states.first(), end) {
            (Some(state), _) => ProverMove::Continue(state.clone()),
            (None, PlanEnd::Goal(_)) => ProverMove::Goal,
            (None, PlanEnd::Deadlock) => ProverMove::DeadEnd,
            (None, PlanEnd::Stop) => ProverMove::Stop,
            (None, PlanEnd::Loop(_)) => ProverMove::Close(self.leaf),
        }
    }

    fn bounded(&mut self, rules: &Rules) -> Run<()> {
        let case = self.prover.case;
        let Claim::Formula(goal, left) = self.claim() else {
            unreachable!("that a path goes on has no bounds")
        };
        let layers = case.layers(goal)?;
        let left = left.map_or(layers.bounds.most, |bounds| bounds.most);
        let here = self.here().clone();
        match case.bounded_end(&layers, left, &here) {
            Some(BoundedEnd::Goal) => self.offer(ProverMove::Goal, None, None)?,
            Some(BoundedEnd::Stop) => self.offer(ProverMove::Stop, None, None)?,
            None => {}
        }
        let must_stay = !layers.pattern.weak || layers.inside(left);
        let stays = case.space.contains(&layers.stay, &here);
        let Some(below) = left.checked_sub(1).filter(|_| stays || !must_stay) else {
            return Ok(());
        };
        for (state, by) in self.targets(&layers.layers[below as usize], rules)? {
            self.offer(ProverMove::Continue(state), None, by)?;
        }
        Ok(())
    }

    /// Successors in a set: those that added rules want, then the first ones in order.
    fn targets(&self, target: &S::Set, rules: &Rules) -> Run<Vec<(S::State, Option<usize>)>> {
        let space = self.prover.case.space;
        let here = self.here();
        let mut targets = Vec::new();
        for (number, guide) in rules.added.iter().enumerate() {
            if let Some(state) = self.wanted(target, guide)? {
                targets.push((state, Some(number)));
            }
        }
        for state in space.successors(here)?.take(LISTED) {
            let state = state?;
            if space.contains(target, &state) {
                targets.push((state, None));
            }
        }
        Ok(targets)
    }

    /// The least successor in a set that a rule about single steps wants.
    fn wanted(&self, target: &S::Set, guide: &Guide) -> Run<Option<S::State>> {
        let case = self.prover.case;
        let space = case.space;
        let here = self.here();
        let (set, truth) = match guide {
            Guide::Where(condition, truth) => (case.condition(*condition)?, *truth),
            Guide::Explored(explored) => {
                let shown = &self.prover.grown.shown;
                let accepts = |state: &S::State| {
                    shown.contains_key(state) == *explored && space.contains(target, state)
                };
                for state in space.successors(here)?.take(LOOKED_AT) {
                    let state = state?;
                    if accepts(&state) {
                        return Ok(Some(state));
                    }
                }
                return Ok(None);
            }
            Guide::Here => (Rc::new(space.just(here)?), true),
            Guide::Along(_)
            | Guide::Through(_)
            | Guide::Loop(_)
            | Guide::Start(_)
            | Guide::Nothing => return Ok(None),
        };
        let accepts = |state: &S::State| {
            space.contains(&set, state) == truth && space.contains(target, state)
        };
        case.nearest_successor(here, accepts, || match truth {
            true => space.meet(target, &set),
            false => space.minus(target, &set),
        })
    }
}

impl<S: StateSpace> ProofBuilder<'_, '_, '_, S> {
    /// The obligations that a move would leave, without making it.
    fn subgoals(&self, leaf: ProofId, make: &ProverMove<S::State>) -> Run<Vec<Subgoal>> {
        // Regions are large, and every step may be many: what they leave is nothing, or plain to see.
        if matches!(make, ProverMove::Region | ProverMove::EveryStep) {
            return Ok(vec![]);
        }
        let ProofNode { claim, at, .. } = self.grown.proof[leaf];
        let mut probe = ProofBuilder {
            case: self.case,
            grown: GrownProof::claim(claim, &self.grown.states[at], false),
        };
        // The probe has no earlier node to go back to, and a dead end leaves the same: what must hold on the
        // way.
        let make = match make {
            ProverMove::Close(_) => ProverMove::DeadEnd,
            make => make.clone(),
        };
        let premises = probe.apply(ProofId::new(0), &make, true)?;
        let space = self.case.space;
        let subgoals = premises.iter().map(|&premise| {
            let ProofNode { claim, at, .. } = probe.grown.proof[premise];
            let values = space.values(&probe.grown.states[at]);
            Subgoal { claim, values }
        });
        Ok(subgoals.collect())
    }

    /// The nodes of a path from one back to another that is before it, the later one first.
    fn turn(&self, last: ProofId, home: ProofId) -> Vec<ProofId> {
        let mut turn = vec![last];
        let mut here = last;
        while here != home {
            let before = self.grown.before(here);
            here = before.expect("the earlier node is on the path");
            turn.push(here);
        }
        turn
    }

    fn is_fair_turn(&self, last: ProofId, home: ProofId) -> Run<bool> {
        let claim = self.grown.proof[last].claim;
        let nothing = Fairness::default();
        let fairness = match self.case.path(claim)?.fair {
            true => self.case.checker.fairness(),
            false => &nothing,
        };
        let turn = self.turn(last, home);
        let meets = |set: &S::Set| {
            turn.iter().any(|&node| {
                let state = &self.grown.states[self.grown.proof[node].at];
                self.case.space.contains(set, state)
            })
        };
        let just = fairness.justice.iter().all(meets);
        let mut pairs = fairness.compassion.iter();
        Ok(just && pairs.all(|(p, q)| !meets(p) || meets(q)))
    }
}

impl<S: StateSpace> crate::case::ProofCase<'_, '_, S> {
    /// The shortest fair loop of at most `most` steps through a state, if a small search finds one.
    pub(crate) fn shortest_turn(
        &self,
        claim: Claim,
        at: &S::State,
        most: u32,
    ) -> Run<Option<PlanRef<S::State>>> {
        let path = self.path(claim)?;
        if path.finite == Finite::Anywhere || !self.space.contains(&path.sets.endless, at) {
            return Ok(None);
        }
        let mut search = EvidenceSearch::new(self, CountedMeasure::Steps, LOOP_SEARCH);
        let spot = search.spot(at);
        match search.shortest_loop(&path, spot, most) {
            Ok(turn) => Ok(turn.map(|(spots, _)| {
                let states = spots.iter().map(|&spot| search.state(spot).clone());
                Rc::new(ProofPlan::Path(states.collect(), PlanEnd::Loop(0)))
            })),
            Err(SearchHalt::Exhausted) => Ok(None),
            Err(SearchHalt::Stop(stop)) => Err(stop),
        }
    }
}
