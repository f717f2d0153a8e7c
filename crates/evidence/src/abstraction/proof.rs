//! The proof over sets: every node is a claim at all states of a set.
//!
//! The rules of Chechik and Gurfinkel (2005) for sets: a proposition is shown by inclusion, a
//! disjunction by dividing the set, a step by a set in which every state has a successor, and an until
//! by its unfolding. [`SetProof::check`] re-checks each node by its rule alone.

use rustc_hash::FxHashMap;
use wherefore_base::{Run, deep};
use wherefore_check::Checker;
use wherefore_logic::{Bounds, Goal, Kernel, Op, PathPattern, Quantifier, SubId, kernel};
use wherefore_model::Query;
use wherefore_proof::{AbstractOptions, SetRule, Split};
use wherefore_space::StateSpace;

use super::layers::AbstractLayers;
use super::stages::{StageId, StageKey, Stages, simplest_first};
use crate::case::ProofCase;

/// A claim at all states of a set, and why it is so.
#[derive(Clone, Debug)]
pub struct SetClaim<Set> {
    /// What is claimed.
    pub goal: Goal,
    /// How many steps were made for a bounded operator.
    pub taken: u32,
    /// The position of the run that the states belong to.
    pub position: usize,
    /// Where.
    pub states: Set,
    /// Why.
    pub rule: SetRule,
    /// What it follows from, by number; premises come before what follows from them.
    pub premises: Vec<usize>,
}

/// Claims at sets; the last is the claim about the property.
#[derive(Clone, Debug)]
pub struct SetProof<Set> {
    /// The claims.
    pub claims: Vec<SetClaim<Set>>,
}

impl<Set: Clone + Eq> SetProof<Set> {
    pub(super) fn new<S: StateSpace<Set = Set>>(
        case: &ProofCase<'_, '_, S>,
        stages: &Stages<Set>,
        layers: &AbstractLayers<Set>,
        options: &AbstractOptions,
    ) -> Run<Self> {
        let mut builder = SetProofBuilder {
            case,
            stages,
            layers,
            options,
            propositional: case.query.formula.propositional(),
            claims: Vec::new(),
            known: FxHashMap::default(),
        };
        // From the last position back, so that no claim has to wait for one further on.
        for position in (0..layers.positions.len()).rev() {
            case.space.budget().check()?;
            for stage in stages.keys.ids() {
                builder.stage(stage, position)?;
            }
        }
        Ok(Self {
            claims: builder.claims,
        })
    }

    /// Re-checks every claim by its rule, and that the last one is that `goal` is so at `states`; the
    /// first fault in words.
    pub fn check<S: StateSpace<Set = Set>>(
        &self,
        checker: &Checker<'_, S>,
        query: &Query,
        goal: Goal,
        states: &Set,
    ) -> Run<Result<(), String>> {
        let about = |claim: &SetClaim<Set>| {
            claim.goal == goal && claim.taken == 0 && claim.position == 0 && claim.states == *states
        };
        if !self.claims.last().is_some_and(about) {
            return Ok(Err("the proof is not about the property".to_string()));
        }
        for (at, claim) in self.claims.iter().enumerate() {
            checker.space().budget().check()?;
            if claim.premises.iter().any(|&premise| premise >= at) {
                return Ok(Err(format!("claim {at} follows from a later one")));
            }
            if !self.follows(checker, query, claim)? {
                return Ok(Err(format!("claim {at} does not follow by its rule")));
            }
        }
        Ok(Ok(()))
    }

    fn follows<S: StateSpace<Set = Set>>(
        &self,
        checker: &Checker<'_, S>,
        query: &Query,
        claim: &SetClaim<Set>,
    ) -> Run<bool> {
        let space = checker.space();
        let within = |a: &Set, b: &Set| Ok(space.is_empty(&space.minus(a, b)?));
        let premises: Vec<_> = claim.premises.iter().map(|&at| &self.claims[at]).collect();
        let here = |goals: &[Goal], premises: &[&SetClaim<Set>]| {
            goals.len() == premises.len()
                && goals.iter().zip(premises).all(|(goal, premise)| {
                    premise.goal == *goal
                        && premise.taken == 0
                        && premise.position == claim.position
                        && premise.states == claim.states
                })
        };
        let next = |goal: Goal, taken: u32, premise: &SetClaim<Set>| {
            let same = premise.goal == goal && premise.taken == taken;
            let steps = premise.position == claim.position + 1;
            Ok(same && steps && within(&claim.states, &space.pre(&premise.states)?)?)
        };
        let pattern = |kernel: Kernel| -> Option<(PathPattern, Option<Bounds>)> {
            let (pattern, bounds) = match kernel {
                Kernel::Path(pattern) => (pattern, None),
                Kernel::Bounded(bounds, pattern) => (pattern, Some(bounds)),
                _ => return None,
            };
            let strong = pattern.quantifier == Quantifier::Exists && !pattern.weak;
            strong.then_some((pattern, bounds))
        };
        let kernel = kernel(&query.formula, claim.goal);
        match claim.rule {
            SetRule::Atomic => {
                let propositional = query.formula.propositional()[claim.goal.sub];
                if !propositional || !premises.is_empty() {
                    return Ok(false);
                }
                // The set is made from the model's conditions, not taken from the solution that the proof is
                // to support.
                let truth = proposition(space, query, claim.goal.sub)?;
                match claim.goal.holds {
                    true => within(&claim.states, &truth),
                    false => Ok(space.is_empty(&space.meet(&claim.states, &truth)?)),
                }
            }
            SetRule::Split => {
                let mut all = space.nothing();
                for premise in &premises {
                    let same = premise.goal == claim.goal
                        && premise.taken == claim.taken
                        && premise.position == claim.position;
                    if !same {
                        return Ok(false);
                    }
                    all = space.join(&all, &premise.states)?;
                }
                Ok(all == claim.states)
            }
            SetRule::Branch(number) => match kernel {
                Kernel::Branches(branches) => {
                    let goals = branches.get(number);
                    Ok(goals.is_some_and(|goals| here(goals, &premises)))
                }
                _ => Ok(false),
            },
            SetRule::Step => match (kernel, &premises[..]) {
                (Kernel::Step(Quantifier::Exists, goal), [premise]) => {
                    let live = checker.with_path(query.rule)?;
                    Ok(next(goal, 0, premise)? && within(&premise.states, live)?)
                }
                _ => Ok(false),
            },
            SetRule::Arrive => {
                let Some((pattern, bounds)) = pattern(kernel) else {
                    return Ok(false);
                };
                let in_bounds = bounds.is_none_or(|b| (b.least..=b.most).contains(&claim.taken));
                let goals = pattern.goal.as_deref().unwrap_or_default();
                let live = checker.live(query.rule, &pattern)?;
                Ok(in_bounds && here(goals, &premises) && within(&claim.states, live)?)
            }
            SetRule::Continue => {
                let (Some((pattern, bounds)), Some((last, stay))) =
                    (pattern(kernel), premises.split_last())
                else {
                    return Ok(false);
                };
                let in_bounds = bounds.is_none_or(|bounds| claim.taken < bounds.most);
                let taken = bounds.map_or(0, |_| claim.taken + 1);
                Ok(in_bounds && here(&pattern.stay, stay) && next(claim.goal, taken, last)?)
            }
        }
    }
}

/// The states where a proposition holds, from the conditions of the model.
fn proposition<S: StateSpace>(space: &S, query: &Query, sub: SubId) -> Run<S::Set> {
    let of = |sub| deep(|| proposition(space, query, sub));
    let not = |set: S::Set| space.minus(space.reachable(), &set);
    let differ = |f: S::Set, g: S::Set| space.join(&space.minus(&f, &g)?, &space.minus(&g, &f)?);
    match query.formula.op(sub) {
        Op::Const(true) => Ok(space.reachable().clone()),
        Op::Const(false) => Ok(space.nothing()),
        Op::Atom(atom) => space.states_where(query.atoms[atom]),
        Op::Not(f) => not(of(f)?),
        Op::And(f, g) => space.meet(&of(f)?, &of(g)?),
        Op::Or(f, g) => space.join(&of(f)?, &of(g)?),
        Op::Implies(f, g) => space.join(&not(of(f)?)?, &of(g)?),
        Op::Iff(f, g) => not(differ(of(f)?, of(g)?)?),
        Op::Xor(f, g) => differ(of(f)?, of(g)?),
        Op::Path(..) | Op::Linear(_) => unreachable!("a proposition has no path operator"),
    }
}

struct SetProofBuilder<'a, 'c, 's, S: StateSpace> {
    case: &'a ProofCase<'c, 's, S>,
    stages: &'a Stages<S::Set>,
    layers: &'a AbstractLayers<S::Set>,
    options: &'a AbstractOptions,
    propositional: wherefore_base::IndexVec<SubId, bool>,
    claims: Vec<SetClaim<S::Set>>,
    /// The claim of each stage at each position.
    known: FxHashMap<(StageId, usize), usize>,
}

impl<S: StateSpace> SetProofBuilder<'_, '_, '_, S> {
    /// The claim of a stage at the states of a position where it is shown in time, if there are any.
    fn stage(&mut self, stage: StageId, position: usize) -> Run<()> {
        let space = self.case.space;
        let left = self.layers.steps() - position;
        let Some(in_time) = &self.layers.rings[left][stage.index()] else {
            return Ok(());
        };
        let mut states = space.nothing();
        for cell in &self.layers.positions[position] {
            if cell.stages.contains(&stage) {
                states = space.join(&states, &space.meet(&cell.states, in_time)?)?;
            }
        }
        if !space.is_empty(&states) {
            let StageKey { goal, taken, .. } = self.stages.keys[stage];
            let claim = self.claim(goal, taken, position, states)?;
            self.known.insert((stage, position), claim);
        }
        Ok(())
    }

    fn push(
        &mut self,
        (goal, taken, position): (Goal, u32, usize),
        states: S::Set,
        rule: SetRule,
        premises: Vec<usize>,
    ) -> usize {
        self.claims.push(SetClaim {
            goal,
            taken,
            position,
            states,
            rule,
            premises,
        });
        self.claims.len() - 1
    }

    /// A claim at states of a position where it is shown in time.
    fn claim(&mut self, goal: Goal, taken: u32, position: usize, states: S::Set) -> Run<usize> {
        deep(|| self.claim_here(goal, taken, position, states))
    }

    fn claim_here(
        &mut self,
        goal: Goal,
        taken: u32,
        position: usize,
        states: S::Set,
    ) -> Run<usize> {
        let about = (goal, taken, position);
        if self.propositional[goal.sub] {
            return Ok(self.push(about, states, SetRule::Atomic, vec![]));
        }
        let left = self.layers.steps() - position;
        let mut options: Vec<(SetRule, S::Set)> = Vec::new();
        let kernel = self.case.kernel(goal);
        match &kernel {
            Kernel::Branches(branches) => {
                let order = match self.options.split {
                    Split::Simpler => simplest_first(self.case, branches),
                    _ => (0..branches.len()).collect(),
                };
                for at in order {
                    options.push((SetRule::Branch(at), self.in_time(&branches[at], left)?));
                }
            }
            Kernel::Step(..) => options.push((SetRule::Step, states.clone())),
            Kernel::Path(_) | Kernel::Bounded(..) => {
                options.extend(self.path_options(goal, taken, &kernel, left, Some(&states))?);
            }
            Kernel::State => unreachable!("the state itself decides propositions only"),
        }
        if self.options.split == Split::Right {
            options.reverse();
        }
        let space = self.case.space;
        let mut open = states.clone();
        let mut shown = Vec::new();
        for (rule, in_time) in options {
            let part = space.meet(&open, &in_time)?;
            // Under a preference each state is shown by the first option that takes it; otherwise parts may
            // overlap.
            if self.options.prefers() {
                open = space.minus(&open, &part)?;
            }
            if !space.is_empty(&part) {
                let premises = self.premises(about, &kernel, rule, &part)?;
                shown.push(self.push(about, part, rule, premises));
            }
        }
        match shown[..] {
            [one] => Ok(one),
            _ => Ok(self.push(about, states, SetRule::Split, shown)),
        }
    }

    fn premises(
        &mut self,
        (goal, taken, position): (Goal, u32, usize),
        kernel: &Kernel,
        rule: SetRule,
        states: &S::Set,
    ) -> Run<Vec<usize>> {
        let (goals, next) = match (kernel, rule) {
            (Kernel::Branches(branches), SetRule::Branch(at)) => (&branches[at][..], None),
            (Kernel::Step(_, next), _) => (&[][..], Some(StageKey::after_step(*next))),
            (Kernel::Path(pattern) | Kernel::Bounded(_, pattern), SetRule::Arrive) => {
                (pattern.goal.as_deref().unwrap_or_default(), None)
            }
            (Kernel::Path(pattern), _) => (&pattern.stay[..], Some(StageKey::new(goal))),
            (Kernel::Bounded(_, pattern), _) => {
                let next = StageKey {
                    taken: taken + 1,
                    ..StageKey::new(goal)
                };
                (&pattern.stay[..], Some(next))
            }
            _ => unreachable!("each rule comes from its kernel"),
        };
        let mut premises = Vec::new();
        for &goal in goals {
            premises.push(self.claim(goal, 0, position, states.clone())?);
        }
        if let Some(key) = next {
            let stage = self.stages.find(key).expect("it is a stage of the claim");
            // Positions are done from the last one back, so the claim one position on is there.
            premises.push(self.known[&(stage, position + 1)]);
        }
        Ok(premises)
    }

    /// How a path goes on, and where: of states from which it is shown in time, if these are given.
    fn path_options(
        &self,
        goal: Goal,
        taken: u32,
        kernel: &Kernel,
        left: usize,
        among: Option<&S::Set>,
    ) -> Run<Vec<(SetRule, S::Set)>> {
        let case = self.case;
        let (pattern, bounds) = match kernel {
            Kernel::Path(pattern) => (pattern, None),
            Kernel::Bounded(bounds, pattern) => (pattern, Some(bounds)),
            _ => unreachable!("only paths arrive and go on"),
        };
        let mut options = Vec::new();
        if bounds.is_none_or(|bounds| taken >= bounds.least) {
            let goals = pattern.goal.as_deref().unwrap_or_default();
            let live = case.checker.live(case.query.rule, pattern)?;
            let there = case.space.meet(&self.in_time(goals, left)?, live)?;
            if !case.space.is_empty(&there) {
                options.push((SetRule::Arrive, there));
            }
        }
        if bounds.is_none_or(|bounds| taken < bounds.most) {
            let next = StageKey {
                taken: bounds.map_or(0, |_| taken + 1),
                ..StageKey::new(goal)
            };
            let there = match among {
                // There is no other way for them.
                Some(states) if options.is_empty() => states.clone(),
                _ => {
                    let stay = case.checker.all_of(case.solution, &pattern.stay)?;
                    case.space.meet(&stay, &self.before(next, left)?)?
                }
            };
            options.push((SetRule::Continue, there));
        }
        Ok(options)
    }

    /// The states with a step to where a stage is shown with one step less.
    fn before(&self, key: StageKey, left: usize) -> Run<S::Set> {
        let space = self.case.space;
        let stage = self.stages.find(key).expect("it is a stage of the claim");
        let Some(less) = left.checked_sub(1) else {
            return Ok(space.nothing());
        };
        match &self.layers.rings[less][stage.index()] {
            Some(ring) => space.pre(ring),
            None => Ok(space.nothing()),
        }
    }

    /// The states where all goals are shown in so many steps.
    fn in_time(&self, goals: &[Goal], left: usize) -> Run<S::Set> {
        let case = self.case;
        let steps = goals.iter().any(|goal| !self.propositional[goal.sub]);
        // Without a goal that needs steps, no steps can be left.
        if !steps && left > 0 {
            return Ok(case.space.nothing());
        }
        let mut all = case.space.reachable().clone();
        for &goal in goals {
            let set = match self.propositional[goal.sub] {
                true => (*case.set(goal)?).clone(),
                false => deep(|| self.goal_in_time(goal, left))?,
            };
            all = case.space.meet(&all, &set)?;
        }
        Ok(all)
    }

    fn goal_in_time(&self, goal: Goal, left: usize) -> Run<S::Set> {
        let space = self.case.space;
        let mut any = space.nothing();
        let kernel = self.case.kernel(goal);
        match &kernel {
            Kernel::Branches(branches) => {
                for goals in branches {
                    any = space.join(&any, &self.in_time(goals, left)?)?;
                }
            }
            Kernel::Step(_, next) => any = self.before(StageKey::after_step(*next), left)?,
            Kernel::Path(_) | Kernel::Bounded(..) => {
                for (_, states) in self.path_options(goal, 0, &kernel, left, None)? {
                    any = space.join(&any, &states)?;
                }
            }
            Kernel::State => unreachable!("the state itself decides propositions only"),
        }
        Ok(any)
    }
}
