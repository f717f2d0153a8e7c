//! Everything that can follow from a few states, explored with the plain interpreter, and CTL on it
//! by the book.
//!
//! Universal claims rest on all that can follow. This module re-checks them on small systems without
//! any code of the engines or of the checker: states are lists of values, sets are lists of truth
//! values, and every operator is computed from the definitions in `docs/semantics.md`.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run, Value};
use wherefore_logic::{Bounds, Op, PathOp, PathRule, Quantifier, SubId};
use wherefore_model::{Cube, Env, Interpreter, Model, Query};
use wherefore_proof::certificate::StateSet;

use super::connective;
use super::walked::{MetState, Walked};

/// A set of explored states.
pub(super) type ExploredSet = Vec<bool>;

/// A system closed under steps.
#[derive(Debug)]
pub(super) struct ExploredStates {
    pub(super) states: Vec<Arc<[Value]>>,
    pub(super) next: Vec<Vec<usize>>,
    previous: Vec<Vec<usize>>,
    index: FxHashMap<Arc<[Value]>, usize>,
    justice: Vec<ExploredSet>,
    compassion: Vec<(ExploredSet, ExploredSet)>,
}

impl ExploredStates {
    /// All that follows from these states; `None` when that is more than so many states.
    pub(super) fn from(
        model: &Model,
        interpreter: &Interpreter<'_>,
        walked: &Walked,
        starts: &[&[Value]],
        most: usize,
        budget: &Budget,
    ) -> Run<Option<Self>> {
        Self::within(model, interpreter, walked, starts, (u32::MAX, most), budget)
    }

    /// All that follows from these states with fewer steps than the first limit, and where their steps lead; the last of
    /// these have no successor here. `None` when that is more states than the second limit.
    pub(super) fn within(
        model: &Model,
        interpreter: &Interpreter<'_>,
        walked: &Walked,
        starts: &[&[Value]],
        (depth, most): (u32, usize),
        budget: &Budget,
    ) -> Run<Option<Self>> {
        walked.make_room();
        let mut numbers: FxHashMap<MetState, usize> = FxHashMap::default();
        let mut all: Vec<MetState> = Vec::new();
        let mut add = |all: &mut Vec<MetState>, met: MetState| {
            *numbers.entry(met).or_insert_with(|| {
                all.push(met);
                all.len() - 1
            })
        };
        for start in starts {
            add(&mut all, walked.meet(start));
        }
        let mut explored = Self {
            states: vec![],
            next: vec![],
            previous: vec![],
            index: FxHashMap::default(),
            justice: vec![],
            compassion: vec![],
        };
        let mut at = 0;
        let (mut steps, mut layer) = (0_u32, all.len());
        while at < all.len() {
            budget.check()?;
            if at == layer {
                (steps, layer) = (steps.saturating_add(1), all.len());
            }
            if steps >= depth {
                explored.next.resize(all.len(), vec![]);
                break;
            }
            let Some(next) = walked.next(interpreter, all[at], most, budget)? else {
                return Ok(None);
            };
            let next = next.iter().map(|&to| add(&mut all, to));
            explored.next.push(next.collect());
            if all.len() > most {
                return Ok(None);
            }
            at += 1;
        }
        explored.states = all.into_iter().map(|met| walked.state(met)).collect();
        explored.index = explored.states.iter().cloned().zip(0..).collect();
        explored.previous = vec![vec![]; explored.states.len()];
        for (state, next) in explored.next.iter().enumerate() {
            for &to in next {
                explored.previous[to].push(state);
            }
        }
        let truth = |term| -> ExploredSet {
            let states = explored.states.iter();
            states
                .map(|state| interpreter.truth(term, Env::state(state)))
                .collect()
        };
        let justice = model
            .fairness
            .justice
            .iter()
            .map(|&term| truth(term))
            .collect();
        let pairs = model.fairness.compassion.iter();
        let compassion = pairs.map(|&(p, q)| (truth(p), truth(q))).collect();
        Ok(Some(Self {
            justice,
            compassion,
            ..explored
        }))
    }

    /// A system of pairs with something else, given the state of each and the pairs that follow it; its fair runs also come
    /// to each of these sets again and again.
    pub(super) fn product(
        &self,
        states: impl Iterator<Item = usize>,
        next: Vec<Vec<usize>>,
        again: impl Iterator<Item = ExploredSet>,
    ) -> Self {
        let states: Vec<usize> = states.collect();
        let mut previous = vec![vec![]; next.len()];
        for (pair, next) in next.iter().enumerate() {
            for &to in next {
                previous[to].push(pair);
            }
        }
        let lifted = |set: &ExploredSet| states.iter().map(|&state| set[state]).collect();
        let pairs = self.compassion.iter();
        Self {
            justice: self.justice.iter().map(lifted).chain(again).collect(),
            compassion: pairs.map(|(p, q)| (lifted(p), lifted(q))).collect(),
            states: states.iter().map(|&at| self.states[at].clone()).collect(),
            index: FxHashMap::default(),
            next,
            previous,
        }
    }

    /// States from which a fair run goes on for ever.
    pub(super) fn fair(&self) -> ExploredSet {
        self.fair_within(&self.all(true), true)
    }

    /// The number of a state.
    pub(super) fn find(&self, state: &[Value]) -> Option<usize> {
        self.index.get(state).copied()
    }

    fn all(&self, truth: bool) -> ExploredSet {
        vec![truth; self.states.len()]
    }

    /// Where each fairness constraint is met: justice, and the pairs of compassion.
    pub(super) fn fairness(&self) -> (&[ExploredSet], &[(ExploredSet, ExploredSet)]) {
        (&self.justice, &self.compassion)
    }

    pub(super) fn is_dead(&self, state: usize) -> bool {
        self.next[state].is_empty()
    }

    /// States with a path of the rule.
    pub(super) fn with_path(&self, rule: PathRule) -> ExploredSet {
        match rule {
            PathRule::Reach | PathRule::Plain => self.all(true),
            _ => self.globally(rule, &self.all(true)),
        }
    }

    /// The truth of every sub-formula at every state.
    pub(super) fn truth(&self, interpreter: &Interpreter<'_>, query: &Query) -> Vec<ExploredSet> {
        let mut truth: Vec<ExploredSet> = Vec::new();
        for sub in query.formula.subs() {
            let of = |sub: SubId| truth[sub.index()].clone();
            let set = match query.formula.op(sub) {
                Op::Atom(atom) => {
                    let states = self.states.iter();
                    let term = query.atoms[atom];
                    states
                        .map(|state| interpreter.truth(term, Env::state(state)))
                        .collect()
                }
                Op::Linear(_) => unreachable!("only runs show linear-time formulas"),
                Op::Path(Quantifier::Exists, path) => self.exists(query.rule, path, &of),
                Op::Path(Quantifier::Forall, path) => self.forall(query.rule, path, &of),
                op => {
                    let at = |s: usize| connective(op, |sub: SubId| truth[sub.index()][s]);
                    (0..self.states.len())
                        .map(|s| at(s) == Some(true))
                        .collect()
                }
            };
            truth.push(set);
        }
        truth
    }

    /// Where some path does what an operator says, given where its operands hold.
    pub(super) fn exists(
        &self,
        rule: PathRule,
        path: PathOp,
        of: &dyn Fn(SubId) -> ExploredSet,
    ) -> ExploredSet {
        match path {
            PathOp::Next(f) => self.next(rule, &of(f)),
            PathOp::Finally(f) => self.until(rule, &self.all(true), &of(f)),
            PathOp::Globally(f) => self.globally(rule, &of(f)),
            PathOp::Until(f, g) => self.some_until(rule, &of(f), &of(g), false),
            PathOp::WeakUntil(f, g) => self.some_until(rule, &of(f), &of(g), true),
            PathOp::Release(f, g) => {
                let both = and(&of(f), &of(g));
                or(
                    &self.until(rule, &of(g), &both),
                    &self.globally(rule, &of(g)),
                )
            }
            PathOp::FairGlobally(f) => self.fair_within(&of(f), true),
            PathOp::FinallyWithin(bounds, f) => {
                self.until_within(rule, bounds, &self.all(true), &of(f))
            }
            PathOp::GloballyWithin(bounds, f) => self.globally_within(rule, bounds, &of(f)),
            PathOp::UntilWithin(bounds, f, g) => self.until_within(rule, bounds, &of(f), &of(g)),
        }
    }

    fn forall(
        &self,
        rule: PathRule,
        path: PathOp,
        of: &dyn Fn(SubId) -> ExploredSet,
    ) -> ExploredSet {
        let refuted = match path {
            PathOp::Next(f) => self.next(rule, &not(&of(f))),
            PathOp::Finally(f) => self.globally(rule, &not(&of(f))),
            PathOp::Globally(f) => self.until(rule, &self.all(true), &not(&of(f))),
            PathOp::Until(f, g) => return self.every_until(rule, &of(f), &of(g), false),
            PathOp::WeakUntil(f, g) => return self.every_until(rule, &of(f), &of(g), true),
            PathOp::Release(f, g) => self.until(rule, &not(&of(f)), &not(&of(g))),
            PathOp::FairGlobally(f) => {
                let goal = and(&not(&of(f)), &self.fair_within(&self.all(true), true));
                self.reach(&self.all(true), &goal)
            }
            PathOp::FinallyWithin(bounds, f) => self.globally_within(rule, bounds, &not(&of(f))),
            PathOp::GloballyWithin(bounds, f) => {
                self.until_within(rule, bounds, &self.all(true), &not(&of(f)))
            }
            PathOp::UntilWithin(bounds, f, g) => {
                self.refuted_within(rule, bounds, &not(&of(f)), &not(&of(g)))
            }
        };
        not(&refuted)
    }

    /// `A[f U g]`, or `A[f W g]`
    pub(super) fn every_until(
        &self,
        rule: PathRule,
        f: &ExploredSet,
        g: &ExploredSet,
        weak: bool,
    ) -> ExploredSet {
        // It is refuted where both fail before `g` holds, or where `g` never holds.
        let neither = and(&not(f), &not(g));
        let broken = self.until(rule, &not(g), &neither);
        match weak {
            true => not(&broken),
            false => not(&or(&broken, &self.globally(rule, &not(g)))),
        }
    }

    /// `E[f U g]`, or `E[f W g]`
    pub(super) fn some_until(
        &self,
        rule: PathRule,
        f: &ExploredSet,
        g: &ExploredSet,
        weak: bool,
    ) -> ExploredSet {
        let until = self.until(rule, f, g);
        match weak {
            true => or(&until, &self.globally(rule, f)),
            false => until,
        }
    }

    /// The explored states of a set that is given by conditions.
    pub(super) fn members(
        &self,
        model: &Model,
        interpreter: &Interpreter<'_>,
        set: &StateSet,
    ) -> ExploredSet {
        let is_in = |cube: &Cube, state: &[Value]| {
            let mut values = cube.values.iter();
            let mut terms = cube.terms.iter();
            let mut bits = cube.bits.iter();
            values.all(|(var, values)| values.contains(&state[var.index()]))
                && bits.all(|&(var, bits)| {
                    let domain = &model.vars[var].domain;
                    let index = domain.index_of(state[var.index()]);
                    index.is_some_and(|index| bits.are_of(index))
                })
                && terms.all(|&(term, holds)| interpreter.truth(term, Env::state(state)) == holds)
        };
        let states = self.states.iter();
        states
            .map(|state| set.cubes.iter().any(|cube| is_in(cube, state)) != set.outside)
            .collect()
    }

    /// `EX f`
    fn next(&self, rule: PathRule, f: &ExploredSet) -> ExploredSet {
        self.before(&and(f, &self.with_path(rule)))
    }

    /// `E[f U g]`
    fn until(&self, rule: PathRule, f: &ExploredSet, g: &ExploredSet) -> ExploredSet {
        self.reach(f, &and(g, &self.with_path(rule)))
    }

    /// `EG f`
    fn globally(&self, rule: PathRule, f: &ExploredSet) -> ExploredSet {
        match rule {
            PathRule::Reach => f.clone(),
            PathRule::Plain => self.fair_within(f, false),
            PathRule::FairInfinite | PathRule::PlainFair => self.fair_within(f, true),
            PathRule::Maximal => {
                // Under this rule a path may also stay until it ends in a deadlock.
                let dead: ExploredSet = (0..f.len()).map(|s| f[s] && self.is_dead(s)).collect();
                or(&self.fair_within(f, true), &self.reach(f, &dead))
            }
        }
    }

    /// `E[f BU bounds g]`
    fn until_within(
        &self,
        rule: PathRule,
        bounds: Bounds,
        f: &ExploredSet,
        g: &ExploredSet,
    ) -> ExploredSet {
        let goal = and(g, &self.with_path(rule));
        let mut set = goal.clone();
        for step in 1..=bounds.most {
            set = and(f, &self.before(&set));
            // `step` is how many steps are left; with at most so many the lower bound is passed.
            if step <= bounds.most.saturating_sub(bounds.least) {
                set = or(&goal, &set);
            }
        }
        set
    }

    /// `EBG bounds f`
    fn globally_within(&self, rule: PathRule, bounds: Bounds, f: &ExploredSet) -> ExploredSet {
        let mut set = and(f, &self.with_path(rule));
        for step in 1..=bounds.most {
            set = self.before(&set);
            if step <= bounds.most.saturating_sub(bounds.least) {
                set = and(f, &set);
            }
        }
        set
    }

    /// Some path on which `f BU bounds g` fails, given where `f` and `g` do not hold.
    fn refuted_within(
        &self,
        rule: PathRule,
        bounds: Bounds,
        not_f: &ExploredSet,
        not_g: &ExploredSet,
    ) -> ExploredSet {
        let live = self.with_path(rule);
        let broken = and(not_f, &live);
        let mut set = and(not_g, &live);
        for step in 1..=bounds.most {
            // It is refuted by losing `f` here or by what comes later; within the bounds `g` must fail here
            // as well.
            set = or(&broken, &self.before(&set));
            if step <= bounds.most.saturating_sub(bounds.least) {
                set = and(not_g, &set);
            }
        }
        set
    }

    /// States with a step into the set.
    pub(super) fn before(&self, set: &ExploredSet) -> ExploredSet {
        let states = self.next.iter();
        states.map(|next| next.iter().any(|&to| set[to])).collect()
    }

    /// States in `goal`, and states in `stay` with a path through `stay` into it.
    pub(super) fn reach(&self, stay: &ExploredSet, goal: &ExploredSet) -> ExploredSet {
        let mut set = goal.clone();
        let mut open: Vec<usize> = (0..goal.len()).filter(|&state| goal[state]).collect();
        while let Some(state) = open.pop() {
            for &before in &self.previous[state] {
                if stay[before] && !set[before] {
                    set[before] = true;
                    open.push(before);
                }
            }
        }
        set
    }

    /// States of the set with an infinite path within it, a fair one if asked.
    pub(super) fn fair_within(&self, set: &ExploredSet, fair: bool) -> ExploredSet {
        let mut core = self.all(false);
        let mut open = self.components(set);
        while let Some(component) = open.pop() {
            let mut inside = self.all(false);
            for &state in &component {
                inside[state] = true;
            }
            let meets = |condition: &ExploredSet| component.iter().any(|&state| condition[state]);
            if fair && !self.justice.iter().all(meets) {
                continue;
            }
            let unmet = self.compassion.iter().find(|(p, q)| meets(p) && !meets(q));
            match unmet {
                // Without `q` a fair loop does without `p`, so what is left without it is taken apart again.
                Some((p, _)) if fair => open.extend(self.components(&and(&inside, &not(p)))),
                _ => core = or(&core, &inside),
            }
        }
        self.reach(set, &core)
    }

    /// The strongly connected parts of a set that have a step inside (Kosaraju's algorithm, since engines
    /// use Tarjan's).
    fn components(&self, set: &ExploredSet) -> Vec<Vec<usize>> {
        let mut finished = Vec::new();
        // States outside of the set count as seen, so the search stays inside.
        let mut seen = not(set);
        for start in 0..set.len() {
            let mut open = vec![(start, false)];
            while let Some((state, done)) = open.pop() {
                if done {
                    finished.push(state);
                } else if !seen[state] {
                    seen[state] = true;
                    open.push((state, true));
                    open.extend(self.next[state].iter().map(|&to| (to, false)));
                }
            }
        }
        let mut components = Vec::new();
        let mut left = set.clone();
        // Going back from what was finished last meets only its own component and those taken already.
        for &root in finished.iter().rev() {
            let mut part = Vec::new();
            let mut open = vec![root];
            while let Some(state) = open.pop() {
                if left[state] {
                    left[state] = false;
                    part.push(state);
                    open.extend(&self.previous[state]);
                }
            }
            let turns = part.len() > 1 || part.iter().any(|&s| self.next[s].contains(&s));
            if turns {
                components.push(part);
            }
        }
        components
    }
}

fn not(a: &ExploredSet) -> ExploredSet {
    a.iter().map(|a| !a).collect()
}

fn and(a: &ExploredSet, b: &ExploredSet) -> ExploredSet {
    zip(a, b, |a, b| a && b)
}

fn or(a: &ExploredSet, b: &ExploredSet) -> ExploredSet {
    zip(a, b, |a, b| a || b)
}

fn zip(a: &ExploredSet, b: &ExploredSet, f: impl Fn(bool, bool) -> bool) -> ExploredSet {
    a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect()
}
