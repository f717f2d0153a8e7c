//! Deciding that no evidence is shorter.
//!
//! For each state, the fewest and the most steps that the shortest evidence of a claim takes from there are computed from
//! the definitions, operands first. The two differ only where runs that part may share steps; then the pieces of the graph
//! are counted that evidence is made of (`pieces.rs`). Where more states are reachable than are explored, only those are
//! looked at that shorter evidence could come to, and whatever cannot be decided among them counts as so.

use std::collections::HashMap;
use std::rc::Rc;

use wherefore_base::{Value, deep};
use wherefore_logic::{Bounds, Goal, Kernel, PathPattern, PathRule, Quantifier, kernel};
use wherefore_model::Env;
use wherefore_proof::{Claim, Measure, ProofId};

use super::{Confirmed, Doubt, SentenceChecker, Surroundings, TOO_MANY, confirm};
use crate::explored::{ExploredSet, ExploredStates};
use crate::loops::NEVER;
use crate::proposition;
use crate::walked::TRIES;

/// A path with bounds is looked for in so many pairs of a state and a number of steps.
const MOST_PAIRS: usize = 1_000_000;
/// So many states are looked at where not all are explored.
const MOST_NEARBY: usize = 10_000;

/// How many steps the shortest evidence of a claim takes from a state: at least, and at most.
#[derive(Clone, Copy)]
struct StepBounds {
    low: u32,
    high: u32,
}

const NONE: StepBounds = StepBounds {
    low: NEVER,
    high: NEVER,
};
const HERE: StepBounds = StepBounds { low: 0, high: 0 };
/// Nobody knows whether it is so.
const MAYBE: StepBounds = StepBounds {
    low: 0,
    high: NEVER,
};

impl StepBounds {
    fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.min(other.high),
        }
    }

    /// Both are needed; they may share steps.
    fn and(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.saturating_add(other.high),
        }
    }

    /// So many steps before it.
    fn after(self, steps: u32) -> Self {
        Self {
            low: self.low.saturating_add(steps),
            high: self.high.saturating_add(steps),
        }
    }
}

type LengthTable = Rc<Vec<StepBounds>>;

/// The lengths of evidence in explored states.
struct Lengths<'c, 'a> {
    checker: &'c SentenceChecker<'a>,
    states: &'c ExploredStates,
    /// What is known of all that can follow; `None` where only what is nearby was explored.
    around: Option<&'c Surroundings>,
    known: HashMap<Goal, LengthTable>,
    /// How far each state is from the initial ones.
    away: Vec<u32>,
    /// Nobody asks for evidence of so many steps or more.
    limit: u32,
    /// States that differ only in what fairness remembers of steps have the same number, if a loop need not repeat that.
    alike: Option<Vec<usize>>,
    /// Whether occurrences of states are counted after the first one, not steps: a loop has one less of them.
    nodes: bool,
}

impl SentenceChecker<'_> {
    /// The evidence has so much of what is measured, and none has less than so much.
    pub(super) fn minimal(&self, measure: Measure, length: u32, at_least: u32) -> Confirmed {
        let evidence = self.evidence()?;
        confirm(measure.of(evidence) == length, || {
            format!("it has {}", measure.of(evidence))
        })?;
        confirm(at_least <= length, || "it is shorter than possible".into())?;
        // Every evidence has a state.
        let trivial = u32::from(matches!(measure, Measure::Nodes | Measure::States));
        if at_least <= trivial {
            return Ok(());
        }
        if measure == Measure::TraceSteps {
            return Err(Doubt::Unknown("the trace is not at hand"));
        }
        if self.is_run {
            return self.no_shorter_run(measure, at_least);
        }
        let root = evidence.proof.get(ProofId::new(0)).map(|node| node.claim);
        let Some(Claim::Formula(goal, None)) = root else {
            return Err(Doubt::Unknown("there is no proof"));
        };
        match measure {
            Measure::Steps | Measure::ProductSteps | Measure::TraceSteps => {
                self.no_fewer_steps(goal, at_least, measure)
            }
            Measure::Nodes => self.no_fewer_steps(goal, at_least - 1, measure),
            Measure::States | Measure::Transitions => {
                self.no_smaller_piece(goal, measure, at_least)
            }
        }
    }

    /// No evidence of a goal has fewer steps, or occurrences of states after the first.
    fn no_fewer_steps(&self, goal: Goal, at_least: u32, measure: Measure) -> Confirmed {
        let nodes = measure == Measure::Nodes;
        // Runs of a tree may share steps, so that only distinct ones bound it; but where one is needed, there is one.
        let one_run = self.is_one_run(goal);
        let form = self.least_by_form(goal, nodes);
        if form.min(if one_run { form } else { 1 }) >= at_least {
            return Ok(());
        }
        let Ok(around) = self.reachable() else {
            return match one_run {
                true => self.no_fewer_nearby(goal, at_least, measure),
                false => Err(Doubt::Unknown(TOO_MANY)),
            };
        };
        let skips = self.base.query.rule.skips_initial_states_without_path();
        let starts = around.initial.iter().copied();
        let starts: Vec<usize> = starts.filter(|&s| around.live[s] || !skips).collect();
        let mut lengths = Lengths {
            checker: self,
            states: &around.states,
            around: Some(around),
            known: HashMap::new(),
            away: around.states.distances(&starts),
            limit: at_least,
            alike: self.alike(&around.states, measure),
            nodes,
        };
        let table = lengths.table(goal)?;
        let shortest = starts.iter().fold(NONE, |all, &s| all.or(table[s]));
        confirm(shortest.high >= at_least, || {
            format!("an evidence has {} steps", shortest.high)
        })?;
        if one_run && shortest.low >= at_least {
            return Ok(());
        }
        if lengths.alike.is_some() {
            return Err(Doubt::Unknown("runs that part may share steps"));
        }
        // It has at least as many steps as distinct transitions, and as many occurrences as distinct states.
        let (measure, pieces) = match nodes {
            true => (Measure::States, at_least + 1),
            false => (Measure::Transitions, at_least),
        };
        match self.no_smaller_piece(goal, measure, pieces) {
            Err(Doubt::Wrong(_)) => Err(Doubt::Unknown("runs that part may share steps")),
            known => known,
        }
    }

    /// Whether showing a goal may add states to an evidence.
    fn adds_states(&self, goal: Goal) -> bool {
        match kernel(&self.base.query.formula, goal) {
            Kernel::State => false,
            Kernel::Branches(branches) => {
                let mut goals = branches.iter().flatten();
                goals.any(|&goal| deep(|| self.adds_states(goal)))
            }
            Kernel::Step(..) => true,
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => {
                pattern.quantifier == Quantifier::Exists
            }
        }
    }

    /// Whether the evidence for a goal is one run, whichever way it is shown.
    fn is_one_run(&self, goal: Goal) -> bool {
        let all = |goals: &[Goal]| {
            let adding = goals.iter().filter(|&&goal| self.adds_states(goal));
            let one = adding.count() <= 1;
            one && goals.iter().all(|&goal| deep(|| self.is_one_run(goal)))
        };
        match kernel(&self.base.query.formula, goal) {
            Kernel::State => true,
            Kernel::Branches(branches) => branches.iter().all(|goals| all(goals)),
            Kernel::Step(quantifier, next) => quantifier == Quantifier::Exists && all(&[next]),
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => {
                let still = !pattern.stay.iter().any(|&goal| self.adds_states(goal));
                let goals = pattern.goal.as_deref().unwrap_or_default();
                pattern.quantifier == Quantifier::Forall || still && all(goals)
            }
        }
    }

    /// How many steps, or occurrences of states after the first, any evidence of a goal has by its form alone.
    fn least_by_form(&self, goal: Goal, nodes: bool) -> u32 {
        let most = |goals: &[Goal]| {
            let goals = goals.iter();
            let each = goals.map(|&goal| deep(|| self.least_by_form(goal, nodes)));
            each.max().unwrap_or(0)
        };
        match kernel(&self.base.query.formula, goal) {
            Kernel::Branches(branches) => {
                let branches = branches.iter();
                branches.map(|branch| most(branch)).min().unwrap_or(0)
            }
            Kernel::Step(Quantifier::Exists, next) => 1 + most(&[next]),
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => {
                let arrives = pattern.goal.as_deref().map(most);
                // Staying for ever takes a loop, unless a path may end.
                let rule = self.base.query.rule;
                let ends = matches!(rule, PathRule::Reach | PathRule::Maximal) && !pattern.fair;
                let stays = u32::from(!ends && !nodes);
                match (arrives, pattern.weak) {
                    (Some(arrives), true) => arrives.min(stays),
                    (Some(arrives), false) => arrives,
                    (None, _) => stays,
                }
            }
            _ => 0,
        }
    }

    /// Which states differ only in what fairness remembers of steps. Steps in the product repeat that as well.
    fn alike(&self, states: &ExploredStates, measure: Measure) -> Option<Vec<usize>> {
        let memory: Vec<usize> = self.base.model.memory().map(|var| var.index()).collect();
        if memory.is_empty() || measure == Measure::ProductSteps {
            return None;
        }
        let mut numbers: HashMap<Vec<Value>, usize> = HashMap::new();
        let mut number = |state: &[Value]| {
            let seen = state
                .iter()
                .enumerate()
                .filter(|(at, _)| !memory.contains(at));
            let seen = seen.map(|(_, value)| *value).collect();
            let next = numbers.len();
            *numbers.entry(seen).or_insert(next)
        };
        Some(states.states.iter().map(|state| number(state)).collect())
    }

    /// The same where too many states are reachable: only those count that evidence with fewer steps could come to.
    fn no_fewer_nearby(&self, goal: Goal, at_least: u32, measure: Measure) -> Confirmed {
        let nodes = measure == Measure::Nodes;
        let (interpreter, budget) = (&self.base.interpreter, &self.base.budget);
        let initial = interpreter.initial_states_within(TRIES, budget)?;
        let initial = initial.ok_or(Doubt::Unknown(TOO_MANY))?;
        let starts: Vec<&[Value]> = initial.iter().map(|state| &state[..]).collect();
        // Fewer occurrences than so many leave room for one step more, which closes a loop.
        let depth = at_least.saturating_add(u32::from(nodes));
        let limits = (depth, MOST_NEARBY);
        let (model, walked) = (self.base.model, &self.base.walked);
        let states = ExploredStates::within(model, interpreter, walked, &starts, limits, budget)?;
        let states = states.ok_or(Doubt::Unknown(TOO_MANY))?;
        let starts: Vec<usize> = starts.iter().filter_map(|s| states.find(s)).collect();
        let mut lengths = Lengths {
            checker: self,
            states: &states,
            around: None,
            known: HashMap::new(),
            away: states.distances(&starts),
            limit: depth,
            alike: self.alike(&states, measure),
            nodes,
        };
        let table = lengths.table(goal)?;
        let fewest = starts.iter().map(|&s| table[s].low).min();
        match fewest.unwrap_or(NEVER) >= at_least {
            true => Ok(()),
            false => Err(Doubt::Unknown(TOO_MANY)),
        }
    }
}

impl Lengths<'_, '_> {
    fn table(&mut self, goal: Goal) -> Confirmed<LengthTable> {
        if let Some(known) = self.known.get(&goal) {
            return Ok(known.clone());
        }
        let table = deep(|| self.compute(goal))?;
        let table: LengthTable = Rc::new(table);
        self.known.insert(goal, table.clone());
        Ok(table)
    }

    fn size(&self) -> usize {
        self.states.states.len()
    }

    /// Where a goal is so, without a step.
    fn here(&self, goal: Goal) -> Vec<StepBounds> {
        let bounds = |is: bool| if is { HERE } else { NONE };
        match self.around {
            Some(around) => {
                let truth = around.truth[goal.sub.index()].iter();
                truth.map(|&truth| bounds(truth == goal.holds)).collect()
            }
            None if self.checker.base.propositional[goal.sub.index()] => {
                let base = &self.checker.base;
                let truth = |state: &[Value]| {
                    proposition(base.query, &base.interpreter, goal.sub, Env::state(state))
                };
                let states = self.states.states.iter();
                states
                    .map(|state| bounds(truth(state) == goal.holds))
                    .collect()
            }
            None => vec![MAYBE; self.size()],
        }
    }

    /// Whether a path of the path rule goes on from a state, as far as is known.
    fn is_live(&self, state: usize) -> bool {
        self.around.is_none_or(|around| around.live[state])
    }

    /// Where something may be so of every path, which is shown without a step: where it is so at once, or goes on
    /// being so wherever all steps count.
    fn every_path(&mut self, goal: Goal, pattern: &PathPattern) -> Confirmed<Vec<StepBounds>> {
        if self.around.is_some() {
            return Ok(self.here(goal));
        }
        let stay = self.all_of(&pattern.stay)?;
        let arrived = match &pattern.goal {
            Some(goals) => self.all_of(goals)?,
            None => vec![NONE; self.size()],
        };
        let mut may: ExploredSet = stay
            .iter()
            .zip(&arrived)
            .map(|(stay, arrived)| stay.low != NEVER || arrived.low != NEVER)
            .collect();
        let base = &self.checker.base;
        let rule = base.query.rule;
        let all_count = !rule.targets_have_paths() || base.total && base.model.fairness.is_empty();
        let mut changed = all_count && !pattern.fair;
        while changed {
            base.budget.check()?;
            changed = false;
            for s in 0..may.len() {
                let leaves = |&to: &usize| !may[to];
                if may[s] && arrived[s].low == NEVER && self.states.next[s].iter().any(leaves) {
                    may[s] = false;
                    changed = true;
                }
            }
        }
        let bounds = |may: &bool| if *may { MAYBE } else { NONE };
        Ok(may.iter().map(bounds).collect())
    }

    fn compute(&mut self, goal: Goal) -> Confirmed<Vec<StepBounds>> {
        if self.checker.base.propositional[goal.sub.index()] {
            return Ok(self.here(goal));
        }
        let asked = self.checker.base.query.rule.targets_have_paths();
        match kernel(&self.checker.base.query.formula, goal) {
            Kernel::State => Ok(self.here(goal)),
            Kernel::Branches(branches) => {
                let mut all = vec![NONE; self.size()];
                for branch in branches {
                    let branch = self.all_of(&branch)?;
                    all = all.into_iter().zip(branch).map(|(a, b)| a.or(b)).collect();
                }
                Ok(all)
            }
            Kernel::Step(Quantifier::Exists, next) => {
                let next = self.table(next)?;
                let step = |s: usize| {
                    let to = self.states.next[s].iter();
                    let to = to.filter(|&&to| !asked || self.is_live(to));
                    to.fold(NONE, |all, &to| all.or(next[to].after(1)))
                };
                Ok((0..self.size()).map(step).collect())
            }
            Kernel::Step(Quantifier::Forall, next) => {
                // It may also be shown by looking at all successors at once, which takes no step.
                let next = self.table(next)?;
                let here = self.here(goal);
                let steps = |s: usize| {
                    let to = self.states.next[s].iter();
                    let to = to.filter(|&&to| !asked || self.is_live(to));
                    let high =
                        to.fold(0_u32, |sum, &to| sum.saturating_add(next[to].after(1).high));
                    StepBounds { low: 0, high }
                };
                let so = |s: usize| if here[s].low == 0 { steps(s) } else { NONE };
                Ok((0..self.size()).map(so).collect())
            }
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => {
                self.some_path(&pattern)
            }
            Kernel::Bounded(bounds, pattern) if pattern.quantifier == Quantifier::Exists => {
                self.some_bounded_path(bounds, &pattern)
            }
            // What is claimed of every path is shown by a region.
            Kernel::Path(pattern) => self.every_path(goal, &pattern),
            Kernel::Bounded(..) => Ok(self.here(goal)),
        }
    }

    fn all_of(&mut self, goals: &[Goal]) -> Confirmed<Vec<StepBounds>> {
        let mut all = vec![HERE; self.size()];
        for &goal in goals {
            let table = self.table(goal)?;
            all = all
                .iter()
                .zip(table.iter())
                .map(|(a, b)| a.and(*b))
                .collect();
        }
        Ok(all)
    }

    /// Where a path must go on.
    fn live(&self, asked: bool, s: usize, bounds: StepBounds) -> StepBounds {
        match asked && !self.is_live(s) {
            true => NONE,
            false => bounds,
        }
    }

    fn some_path(&mut self, pattern: &PathPattern) -> Confirmed<Vec<StepBounds>> {
        let rule = match pattern.fair {
            true => PathRule::FairInfinite,
            false => self.checker.base.query.rule,
        };
        let asked = rule.targets_have_paths();
        // Of an operator that counts fair paths only, whatever the path rule, the fair states are looked up.
        let fair = self.around.filter(|_| pattern.fair);
        let fair = fair.map(|around| around.states.fair());
        let stay = self.all_of(&pattern.stay)?;
        let mut best = match &pattern.goal {
            Some(goals) => {
                let goals = self.all_of(goals)?;
                let goals = goals.into_iter().enumerate();
                let goes_on = |s: usize| fair.as_ref().map_or(self.is_live(s), |fair| fair[s]);
                let at = |(s, bounds): (usize, StepBounds)| match asked && !goes_on(s) {
                    true => NONE,
                    false => bounds,
                };
                goals.map(at).collect()
            }
            None => vec![NONE; self.size()],
        };
        if pattern.weak {
            for (s, best) in best.iter_mut().enumerate() {
                let dead = self.states.is_dead(s);
                let ends = rule == PathRule::Reach || rule == PathRule::Maximal && dead;
                if ends {
                    *best = best.or(stay[s]);
                }
            }
            if rule != PathRule::Reach {
                let fair = rule.globally_is_fair();
                let may: ExploredSet = stay.iter().map(|b| b.low != NEVER).collect();
                let free: ExploredSet = stay.iter().map(|b| b.high == 0).collect();
                let low = self.loops(&may, fair)?;
                let high = match may == free {
                    true => low.clone(),
                    false => self.loops(&free, fair)?,
                };
                let loops = low.into_iter().zip(high).map(|(low, high)| StepBounds {
                    // A loop has one occurrence less than steps, unless it branches off another run.
                    low: match low {
                        NEVER => NEVER,
                        steps => steps - u32::from(self.nodes),
                    },
                    high,
                });
                best = best.into_iter().zip(loops).map(|(a, b)| a.or(b)).collect();
            }
        }
        // The shortest ways back from there; every turn makes at least one state better.
        loop {
            self.checker.base.budget.check()?;
            let mut changed = false;
            for s in 0..self.size() {
                let next = self.states.next[s].iter();
                let next = next.fold(NONE, |all, &to| all.or(best[to].after(1)));
                // What is kept on the way may be shown by the way itself, so it adds to the upper bound only.
                let low = if stay[s].low == NEVER {
                    NEVER
                } else {
                    next.low
                };
                let high = next.high.saturating_add(stay[s].high);
                let now = best[s].or(StepBounds { low, high });
                changed |= (now.low, now.high) != (best[s].low, best[s].high);
                best[s] = now;
            }
            if !changed {
                return Ok(best);
            }
        }
    }

    fn some_bounded_path(
        &mut self,
        bounds: Bounds,
        pattern: &PathPattern,
    ) -> Confirmed<Vec<StepBounds>> {
        if bounds.most as usize * self.size() > MOST_PAIRS {
            return Err(Doubt::Unknown("the bounds are too large"));
        }
        let asked = self.checker.base.query.rule.targets_have_paths();
        let stay = self.all_of(&pattern.stay)?;
        let goals = match &pattern.goal {
            Some(goals) => Some(self.all_of(goals)?),
            None => None,
        };
        let mut later = vec![NONE; self.size()];
        for taken in (0..=bounds.most).rev() {
            let inside = taken >= bounds.least;
            let now = |s: usize| {
                let kept = if inside { stay[s] } else { HERE };
                let mut best = NONE;
                if let Some(goals) = goals.as_ref().filter(|_| pattern.weak || inside) {
                    let kept = if pattern.weak { kept } else { HERE };
                    best = best.or(self.live(asked, s, kept.and(goals[s])));
                }
                if pattern.weak && taken == bounds.most {
                    best = best.or(self.live(asked, s, kept));
                }
                let kept = if pattern.weak { kept } else { stay[s] };
                let next = self.states.next[s].iter();
                let next = next.fold(NONE, |all, &to| all.or(later[to].after(1)));
                let low = if kept.low == NEVER { NEVER } else { next.low };
                let high = next.high.saturating_add(kept.high);
                best.or(StepBounds { low, high })
            };
            later = (0..self.size()).map(now).collect();
        }
        Ok(later)
    }

    /// For each state, the steps of the shortest loop through it within a set, if they are fewer than anybody asks for.
    fn loops(&self, set: &ExploredSet, fair: bool) -> Confirmed<Vec<u32>> {
        let limit = self.limit.saturating_add(u32::from(self.nodes));
        let left = |s: usize| limit.saturating_sub(self.away[s]);
        let budget = &self.checker.base.budget;
        let alike = |s: usize| self.alike.as_ref().map_or(s, |alike| alike[s]);
        let loops = (self.states).shortest_loops(set, fair, &alike, &left, budget)?;
        loops.ok_or(Doubt::Unknown("there are too many loops"))
    }
}
