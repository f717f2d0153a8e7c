//! Exact search for the shortest plan: fewest steps or occurrences, then shorter prefix, then fewest
//! changes of variables, then least states.
//!
//! All states of a path are tried as the point where it ends or where its loop begins, nearest first;
//! rings say how far the nearest end is, so whatever cannot beat the best plan so far is cut. A fair
//! loop is searched among pairs of a state and the set of constraints met so far. The size of a plan,
//! its prefix and its changes are sums over its parts, so the best plan is made of best parts; of the
//! shortest ways to a state a [`SearchTrail`](crate::trail::SearchTrail) keeps the best.

mod path;

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::deep;
use wherefore_logic::{Goal, Kernel};
use wherefore_proof::Claim;
use wherefore_space::StateSpace;

use crate::case::{PathCase, ProofCase};
use crate::fragment::{FragmentSpot, SearchHalt, SearchLimits, SpaceFragment};
use crate::plan::{PlanRef, ProofPlan, Weight};

/// A plan that starts at a spot.
#[derive(Clone, Debug)]
pub(crate) struct FoundPlan<T> {
    pub(crate) start: FragmentSpot,
    pub(crate) plan: PlanRef<T>,
    pub(crate) weight: Weight,
}

/// Plans for several goals with their weight.
type Together<S> = Result<Option<(Vec<PlanRef<<S as StateSpace>::State>>, Weight)>, SearchHalt>;

type SearchAnswer<S> = Result<Option<FoundPlan<<S as StateSpace>::State>>, SearchHalt>;

/// What a search counts: both make the same of a path, but a loop has one step more than occurrences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CountedMeasure {
    /// Steps.
    Steps,
    /// Occurrences after the first.
    Nodes,
}

/// What is known of a claim at a spot: the best plan, or that none is at most so large.
enum KnownCosts<T> {
    Best(FoundPlan<T>),
    NoneUpTo(u32),
}

pub(crate) struct EvidenceSearch<'c, 's, S: StateSpace> {
    pub(crate) case: &'c ProofCase<'c, 's, S>,
    fragment: SpaceFragment<'s, S>,
    counted: CountedMeasure,
    known: FxHashMap<(Claim, FragmentSpot), KnownCosts<S::State>>,
}

impl<'c, 's, S: StateSpace> EvidenceSearch<'c, 's, S> {
    pub(crate) fn new(
        case: &'c ProofCase<'c, 's, S>,
        counted: CountedMeasure,
        limits: SearchLimits,
    ) -> Self {
        Self {
            case,
            fragment: SpaceFragment::new(case.space, limits, None),
            counted,
            known: FxHashMap::default(),
        }
    }

    /// A search for runs through these states only. What needs no run is shown by the whole space.
    pub(crate) fn within(
        case: &'c ProofCase<'c, 's, S>,
        limits: SearchLimits,
        states: S::Set,
    ) -> Self {
        Self {
            case,
            fragment: SpaceFragment::new(case.space, limits, Some(states)),
            counted: CountedMeasure::Steps,
            known: FxHashMap::default(),
        }
    }

    pub(crate) fn spot(&mut self, state: &S::State) -> FragmentSpot {
        self.fragment.spot(state)
    }

    pub(crate) fn state(&self, spot: FragmentSpot) -> &S::State {
        self.fragment.state(spot)
    }

    /// Counts one visit.
    pub(crate) fn visit(&mut self) -> Result<(), SearchHalt> {
        self.fragment.visit()
    }

    /// The best plan of at most the size `limit` for a claim that is so at all the starts, which are in
    /// order.
    pub(crate) fn best_from(
        &mut self,
        claim: Claim,
        starts: &[FragmentSpot],
        limit: u32,
    ) -> SearchAnswer<S> {
        // Where only one goal needs steps its best plan decides; the others take whatever plan is quick.
        if let Some((number, goals, inner)) = self.only_branch(claim) {
            let Some(found) = self.best_from(Claim::Formula(goals[inner], None), starts, limit)?
            else {
                return Ok(None);
            };
            let at = self.state(found.start).clone();
            let mut plans = self.case.greedy_all(&goals, &at)?;
            plans[inner] = found.plan.clone();
            return Ok(Some(FoundPlan {
                plan: Rc::new(ProofPlan::Branch(number, plans)),
                ..found
            }));
        }
        if self.is_path(claim) {
            let path = self.case.path(claim)?;
            return self.best_path(&path, starts, limit);
        }
        let mut best: Option<FoundPlan<S::State>> = None;
        let mut limit = limit;
        for &start in starts {
            self.fragment.visit()?;
            if let Some(found) = self.best(claim, start, limit)? {
                // A plan of the same size may still win by its changes or states, so the limit does not fall
                // below it.
                limit = limit.min(found.weight.size);
                self.keep_better(&mut best, found);
            }
        }
        Ok(best)
    }

    /// The branch, its goals and the one that needs steps, if there is but one branch with but one such.
    fn only_branch(&self, claim: Claim) -> Option<(usize, Vec<Goal>, usize)> {
        let Claim::Formula(goal, _) = claim else {
            return None;
        };
        let Kernel::Branches(mut branches) = self.case.kernel(goal) else {
            return None;
        };
        if branches.len() != 1 {
            return None;
        }
        let goals = branches.remove(0);
        let needs = |goal: &Goal| self.case.needs_steps(*goal);
        let inner = goals.iter().position(needs)?;
        let others = goals.iter().skip(inner + 1).any(needs);
        (!others).then_some((0, goals, inner))
    }

    fn is_path(&self, claim: Claim) -> bool {
        match claim {
            Claim::HasPath => true,
            Claim::Formula(goal, _) => {
                self.case.needs_steps(goal) && matches!(self.case.kernel(goal), Kernel::Path(_))
            }
        }
    }

    fn keep_better(&self, best: &mut Option<FoundPlan<S::State>>, found: FoundPlan<S::State>) {
        let Some(old) = best else {
            *best = Some(found);
            return;
        };
        let by_states = || {
            let told = |f: &FoundPlan<S::State>| {
                let start = self.state(f.start).clone();
                [vec![start], f.plan.states()].concat()
            };
            told(&found).cmp(&told(old))
        };
        if found.weight.cmp(&old.weight).then_with(by_states).is_lt() {
            *best = Some(found);
        }
    }

    /// The best plan of at most the size `limit` for a claim that is so at a spot.
    fn best(&mut self, claim: Claim, at: FragmentSpot, limit: u32) -> SearchAnswer<S> {
        match self.known.get(&(claim, at)) {
            Some(KnownCosts::Best(found)) => {
                return Ok((found.weight.size <= limit).then(|| found.clone()));
            }
            Some(KnownCosts::NoneUpTo(most)) if *most >= limit => return Ok(None),
            _ => {}
        }
        let found = deep(|| self.best_anew(claim, at, limit))?;
        let known = match &found {
            // What is best within a limit is best under any larger one, so it is kept without its limit.
            Some(found) => KnownCosts::Best(found.clone()),
            None => KnownCosts::NoneUpTo(limit),
        };
        self.known.insert((claim, at), known);
        Ok(found)
    }

    fn best_anew(&mut self, claim: Claim, at: FragmentSpot, limit: u32) -> SearchAnswer<S> {
        self.fragment.visit()?;
        let Claim::Formula(goal, bounds) = claim else {
            let path = self.case.path(claim)?;
            return self.best_path(&path, &[at], limit);
        };
        if !self.case.needs_steps(goal) {
            let plan = self.case.greedy(claim, &self.state(at).clone())?;
            return Ok(Some(found(at, plan, Weight::default())));
        }
        match self.case.kernel(goal) {
            Kernel::State => unreachable!("a state claim needs no steps"),
            Kernel::Branches(branches) => self.best_branch(&branches, at, limit),
            Kernel::Step(_, next) => self.best_step(next, at, limit),
            Kernel::Path(_) => {
                let path = self.case.path(claim)?;
                self.best_path(&path, &[at], limit)
            }
            Kernel::Bounded(whole, _) => {
                let most = bounds.unwrap_or(whole).most;
                self.best_bounded(goal, most, at, limit)
            }
        }
    }

    fn best_branch(
        &mut self,
        branches: &[Vec<Goal>],
        at: FragmentSpot,
        limit: u32,
    ) -> SearchAnswer<S> {
        let mut best = None;
        let mut limit = limit;
        for (number, goals) in branches.iter().enumerate() {
            let state = self.state(at).clone();
            if !goals.iter().all(|&goal| self.case.is_so(goal, &state)) {
                continue;
            }
            if let Some((plans, weight)) = self.best_all(goals, at, limit)? {
                limit = limit.min(weight.size);
                // Of equal branches the first: a later one must be better.
                let better = |old: &FoundPlan<S::State>| weight < old.weight;
                if best.as_ref().is_none_or(better) {
                    best = Some(found(at, Rc::new(ProofPlan::Branch(number, plans)), weight));
                }
            }
        }
        Ok(best)
    }

    /// The best plans for all goals at a spot, together at most of the size `limit`.
    fn best_all(&mut self, goals: &[Goal], at: FragmentSpot, limit: u32) -> Together<S> {
        let mut plans = Vec::new();
        let mut weight = Weight::default();
        let mut left = limit;
        for &goal in goals {
            let Some(found) = self.best(Claim::Formula(goal, None), at, left)? else {
                return Ok(None);
            };
            // A found plan is never larger than what was left, so this cannot underflow.
            left -= found.weight.size;
            weight = weight.plus(found.weight);
            plans.push(found.plan);
        }
        Ok(Some((plans, weight)))
    }

    fn best_step(&mut self, next: Goal, at: FragmentSpot, limit: u32) -> SearchAnswer<S> {
        let Some(limit) = limit.checked_sub(1) else {
            return Ok(None);
        };
        let target = self.case.set(next)?;
        let live = self.case.live()?;
        let mut best = None;
        let mut left = limit;
        for &successor in self.fragment.next(at)?.iter() {
            self.fragment.visit()?;
            let state = self.state(successor).clone();
            let space = self.case.space;
            if !space.contains(&target, &state) || !space.contains(live, &state) {
                continue;
            }
            if let Some(rest) = self.best(Claim::Formula(next, None), successor, left)? {
                left = left.min(rest.weight.size);
                let changes = self.fragment.changes(at, successor);
                let weight = Weight::straight(1, changes).plus(rest.weight);
                let plan = Rc::new(ProofPlan::Step(state, rest.plan));
                self.keep_better(&mut best, found(at, plan, weight));
            }
        }
        Ok(best)
    }

    fn order(&self, a: FragmentSpot, b: FragmentSpot) -> Ordering {
        self.state(a).cmp(self.state(b))
    }

    fn states(&self, spots: &[FragmentSpot]) -> Vec<S::State> {
        spots.iter().map(|&spot| self.state(spot).clone()).collect()
    }

    pub(crate) fn met(&self, path: &PathCase<S>, spot: FragmentSpot) -> Result<u64, SearchHalt> {
        let met = self.case.met(path, self.state(spot));
        met.ok_or(SearchHalt::Exhausted)
    }
}

fn found<T>(start: FragmentSpot, plan: PlanRef<T>, weight: Weight) -> FoundPlan<T> {
    FoundPlan {
        start,
        plan,
        weight,
    }
}
