//! Deciding that no evidence is shorter.
//!
//! For each state, the fewest and the most steps that the shortest evidence of a claim takes from there are computed from
//! the definitions, operands first. The two differ only where runs that part may share steps. A run that refutes a
//! linear-time formula is compared with every shorter run, as long as these are few.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use wherefore_base::{IndexVec, Value, deep};
use wherefore_logic::{Bounds, Goal, Kernel, PathPattern, PathRule, Quantifier, kernel};
use wherefore_model::{Env, Step};
use wherefore_proof::{
    Claim, Evidence, EvidenceEdge, Measure, Minimality, Occurrence, OccurrenceId, ProofId, Replay,
    Segment, SegmentEnding, Shape,
};

use super::{Confirmed, Doubt, SentenceChecker, Surroundings, confirm};
use crate::explored::ExploredSet;
use crate::{EvidenceReplay, ReplayFault};

/// Nobody arrives.
const NEVER: u32 = u32::MAX;
/// Loops are looked for in so many pairs of a state and the constraints met so far, for all their states together.
const MOST_PAIRS: usize = 1_000_000;
/// So many runs are compared with the one that refutes a linear-time formula.
const MOST_RUNS: usize = 1_500;

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
    around: &'c Surroundings,
    known: HashMap<Goal, LengthTable>,
    /// Nobody asks for evidence of so many steps or more.
    limit: u32,
}

impl SentenceChecker<'_> {
    /// The evidence has so many steps, and none has fewer than so many.
    pub(super) fn minimal(&self, measure: Measure, length: u32, at_least: u32) -> Confirmed {
        let evidence = self.evidence()?;
        confirm(measure.of(evidence) == length, || {
            format!("it has {}", measure.of(evidence))
        })?;
        confirm(at_least <= length, || "it is shorter than possible".into())?;
        if at_least == 0 {
            return Ok(());
        }
        if measure != Measure::Steps {
            return Err(Doubt::Unknown("only steps are counted again"));
        }
        if self.is_run {
            return self.no_shorter_run(at_least);
        }
        let root = evidence.proof.get(ProofId::new(0)).map(|node| node.claim);
        let Some(Claim::Formula(goal, None)) = root else {
            return Err(Doubt::Unknown("there is no proof"));
        };
        let around = self.reachable()?;
        let mut lengths = Lengths {
            checker: self,
            around,
            known: HashMap::new(),
            limit: at_least,
        };
        let table = lengths.table(goal)?;
        let skips = self.base.query.rule.skips_initial_states_without_path();
        let starts = around.initial.iter().filter(|&&s| around.live[s] || !skips);
        let shortest = starts.fold(NONE, |all, &s| all.or(table[s]));
        confirm(shortest.high >= at_least, || {
            format!("an evidence has {} steps", shortest.high)
        })?;
        match shortest.low >= at_least {
            true => Ok(()),
            false => Err(Doubt::Unknown("runs that part may share steps")),
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
        self.around.states.states.len()
    }

    /// Where a goal is so, without a step.
    fn here(&self, goal: Goal) -> Vec<StepBounds> {
        let truth = self.around.truth[goal.sub.index()].iter();
        let is = |&truth: &bool| if truth == goal.holds { HERE } else { NONE };
        truth.map(is).collect()
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
                let states = &self.around.states;
                let step = |s: usize| {
                    let to = states.next[s]
                        .iter()
                        .filter(|&&to| !asked || self.around.live[to]);
                    to.fold(NONE, |all, &to| all.or(next[to].after(1)))
                };
                Ok((0..self.size()).map(step).collect())
            }
            Kernel::Step(Quantifier::Forall, next) => {
                // It may also be shown by looking at all successors at once, which takes no step.
                let next = self.table(next)?;
                let here = self.here(goal);
                let states = &self.around.states;
                let steps = |s: usize| {
                    let to = states.next[s]
                        .iter()
                        .filter(|&&to| !asked || self.around.live[to]);
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
            Kernel::Path(_) | Kernel::Bounded(..) => Ok(self.here(goal)),
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
        match asked && !self.around.live[s] {
            true => NONE,
            false => bounds,
        }
    }

    fn some_path(&mut self, pattern: &PathPattern) -> Confirmed<Vec<StepBounds>> {
        let rule = self.checker.base.query.rule;
        if pattern.fair && rule != PathRule::FairInfinite {
            return Err(Doubt::Unknown("only the usual paths are measured"));
        }
        let asked = rule.targets_have_paths();
        let stay = self.all_of(&pattern.stay)?;
        let mut best = match &pattern.goal {
            Some(goals) => {
                let goals = self.all_of(goals)?;
                let goals = goals.into_iter().enumerate();
                goals
                    .map(|(s, bounds)| self.live(asked, s, bounds))
                    .collect()
            }
            None => vec![NONE; self.size()],
        };
        if pattern.weak {
            for (s, best) in best.iter_mut().enumerate() {
                let dead = self.around.states.is_dead(s);
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
                let loops = low
                    .into_iter()
                    .zip(high)
                    .map(|(low, high)| StepBounds { low, high });
                best = best.into_iter().zip(loops).map(|(a, b)| a.or(b)).collect();
            }
        }
        // The shortest ways back from there; every turn makes at least one state better.
        loop {
            self.checker.base.budget.check()?;
            let mut changed = false;
            for s in 0..self.size() {
                let next = self.around.states.next[s].iter();
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
                let next = self.around.states.next[s].iter();
                let next = next.fold(NONE, |all, &to| all.or(later[to].after(1)));
                let low = if kept.low == NEVER { NEVER } else { next.low };
                let high = next.high.saturating_add(kept.high);
                best.or(StepBounds { low, high })
            };
            later = (0..self.size()).map(now).collect();
        }
        Ok(later)
    }

    /// For each state, the steps of the shortest loop through it within a set that meets the fairness constraints, if
    /// they are fewer than anybody asks for.
    fn loops(&self, set: &ExploredSet, fair: bool) -> Confirmed<Vec<u32>> {
        let (justice, compassion) = self.around.states.fairness();
        let pairs = compassion.iter().flat_map(|(p, q)| [p, q]);
        let terms: Vec<&ExploredSet> = justice.iter().chain(pairs).collect();
        let terms = if fair { terms } else { vec![] };
        let size = self.size();
        let all = size.saturating_mul(size) << terms.len().min(24);
        if all > MOST_PAIRS {
            return Err(Doubt::Unknown("there are too many loops"));
        }
        let meets = |s: usize| {
            let met = terms.iter().enumerate().filter(|(_, term)| term[s]);
            met.fold(0_usize, |mask, (bit, _)| mask | 1 << bit)
        };
        let met: Vec<usize> = (0..size).map(meets).collect();
        let justice = if fair { justice.len() } else { 0 };
        let good = |mask: usize| {
            let has = |bit: usize| mask & 1 << bit != 0;
            let mut pairs = (justice..terms.len()).step_by(2);
            (0..justice).all(has) && pairs.all(|p| !has(p) || has(p + 1))
        };
        // Which search met a pair last.
        let mut seen = vec![usize::MAX; size << terms.len()];
        let mut from = |head: usize| {
            let mut open = VecDeque::from([(head, met[head], 0_u32)]);
            while let Some((s, mask, steps)) = open.pop_front() {
                if steps + 1 >= self.limit {
                    break;
                }
                for &to in self.around.states.next[s].iter().filter(|&&to| set[to]) {
                    if to == head && good(mask) {
                        return steps + 1;
                    }
                    let mask = mask | met[to];
                    let met_by = &mut seen[to << terms.len() | mask];
                    if std::mem::replace(met_by, head) != head {
                        open.push_back((to, mask, steps + 1));
                    }
                }
            }
            NEVER
        };
        Ok((0..size)
            .map(|s| if set[s] { from(s) } else { NEVER })
            .collect())
    }
}

/// A run that may become shorter evidence.
struct Candidate {
    states: Vec<Vec<Value>>,
    inputs: Vec<Vec<Value>>,
}

impl SentenceChecker<'_> {
    /// No fair run of fewer steps refutes the formula.
    fn no_shorter_run(&self, at_least: u32) -> Confirmed {
        let around = self.reachable()?;
        let mut tried = 0;
        let start = |&s: &usize| Candidate {
            states: vec![around.states.states[s].to_vec()],
            inputs: vec![],
        };
        let mut open: Vec<Candidate> = around.initial.iter().map(start).collect();
        // A run that closes at its last state has as many steps as states.
        while let Some(run) = open
            .pop()
            .filter(|run| run.states.len() < at_least as usize)
        {
            self.base.budget.check()?;
            let last = run.states.last().map_or(&[][..], |state| &state[..]);
            for step in self.base.interpreter.steps(last, &self.base.budget)? {
                tried += 1;
                if tried > MOST_RUNS {
                    return Err(Doubt::Unknown("there are too many shorter runs"));
                }
                for back in (0..run.states.len()).filter(|&at| run.states[at] == step.next) {
                    confirm(!self.refutes(&run, &step, back)?, || {
                        format!("a run of {} steps refutes it", run.states.len())
                    })?;
                }
                if run.states.len() + 1 < at_least as usize {
                    let mut states = run.states.clone();
                    states.push(step.next);
                    let mut inputs = run.inputs.clone();
                    inputs.push(step.input);
                    open.push(Candidate { states, inputs });
                }
            }
        }
        Ok(())
    }

    /// Whether a run that goes back to one of its states is fair and refutes the formula.
    fn refutes(&self, run: &Candidate, last: &Step, back: usize) -> Confirmed<bool> {
        let turn = &run.states[back..];
        let meets = |term| {
            turn.iter()
                .any(|s| self.base.interpreter.truth(term, Env::state(s)))
        };
        let fairness = &self.base.model.fairness;
        let mut pairs = fairness.compassion.iter();
        let fair = fairness.justice.iter().all(|&term| meets(term))
            && pairs.all(|&(p, q)| !meets(p) || meets(q));
        if !fair {
            return Ok(false);
        }
        let evidence = lasso_evidence(self.base.query.formula.len(), run, last, back);
        let sub = self.base.query.formula.root();
        let replay = EvidenceReplay::new(
            &self.base.walked,
            self.base.model,
            self.base.query,
            &evidence,
            &self.base.budget,
        );
        match replay.along_run() {
            Ok(Some(along)) => Ok(!along.truth[sub.index()][0]),
            Ok(None) => Err(Doubt::Unknown("the run is too long")),
            Err(ReplayFault::Wrong(why)) => Err(Doubt::Wrong(why)),
            Err(ReplayFault::Stop(stop)) => Err(stop.into()),
        }
    }
}

/// A run as an evidence without a proof.
fn lasso_evidence(subs: usize, run: &Candidate, last: &Step, back: usize) -> Evidence {
    let occurrence = |values: &Vec<Value>| Occurrence {
        values: values.clone(),
        truth: IndexVec::from(vec![None; subs]),
    };
    let count = run.states.len();
    let inputs = run.inputs.iter().chain([&last.input]);
    let edges = inputs.enumerate().map(|(at, input)| EvidenceEdge {
        from: OccurrenceId::new(at),
        to: OccurrenceId::new(if at + 1 == count { back } else { at + 1 }),
        input: input.clone(),
    });
    Evidence {
        shape: Shape::Lasso,
        occurrences: run.states.iter().map(occurrence).collect(),
        edges: edges.collect(),
        segments: vec![Segment {
            from: None,
            serves: Claim::HasPath,
            states: (0..count).map(OccurrenceId::new).collect(),
            main: true,
            ending: SegmentEnding::Loop(OccurrenceId::new(back)),
            fair: vec![],
        }],
        regions: IndexVec::default(),
        proof: IndexVec::default(),
        minimal: Minimality {
            measure: Measure::Steps,
            length: 0,
            at_least: 0,
        },
        replay: Replay::NotDone,
    }
}
