//! Descriptions that people read: few conjunctions of few conditions, in the words of the model.
//!
//! A [`Vocabulary`] has the conditions to choose from: named conditions, `x = v`, `x != v`, `x <= v`. A conjunction that
//! keeps one set out and has as much as possible of another one is found greedily, condition by condition: the one
//! with the best *weighted relative accuracy* (Lavrač, Flach and Zupan 1999), how many states it keeps times how much
//! purer they are than before. All limits are counts, and sets are only counted, so every engine finds the same.

use num_bigint::BigUint;
use wherefore_base::{Run, Value};
use wherefore_model::{Cube, Domain, TermId, VarId};

use crate::StateSpace;

/// Of variables with more values than this there are no conditions.
const VALUES: u128 = 64;
/// Pairs begin with one of so many conditions.
const BEAM: usize = 8;
/// A pair of conditions is taken if it is worth so many times as much as the best single one.
const WORTH: f64 = 1.4;
/// A condition is not worth its words where it lowers less than this part of all that is left to know.
const LITTLE: f64 = 0.06;
/// A vocabulary has at most so many conditions.
const CONDITIONS: usize = 400;

/// A condition on one state.
#[derive(Clone, PartialEq, Eq, Debug)]
enum WordedCondition {
    /// A variable has one of these values.
    Values(VarId, Vec<Value>),
    /// A condition of the model has this truth.
    Term(TermId, bool),
}

/// Conditions to describe sets of states with; those that come first are preferred.
pub struct Vocabulary<Set> {
    conditions: Vec<(WordedCondition, Set)>,
    /// How many more operations on sets may be spent.
    left: usize,
}

/// A conjunction of conditions, and the reachable states that satisfy it.
struct Conjunction<Set> {
    conditions: Vec<usize>,
    states: Set,
}

impl<Set: Clone + Eq> Vocabulary<Set> {
    /// The vocabulary of a model and of some conditions, which are preferred. `most` is how many operations on sets may
    /// be spent in all.
    pub fn new<S: StateSpace<Set = Set>>(space: &S, terms: &[TermId], most: usize) -> Run<Self> {
        let mut words = Self {
            conditions: Vec::new(),
            left: most,
        };
        let model = space.model();
        for &term in terms {
            let states = space.states_where(term)?;
            let others = space.minus(space.reachable(), &states)?;
            words.add(WordedCondition::Term(term, true), states);
            words.add(WordedCondition::Term(term, false), others);
        }
        let vars = model.vars.ids().take(model.state_vars());
        let narrow = |var: &VarId| (2..=VALUES).contains(&model.vars[*var].domain.size());
        let vars: Vec<VarId> = vars.filter(narrow).collect();
        // All equations come before the first inequality: where both do, the plainer one is taken.
        for of in [values_of, inequalities_of] {
            for &var in &vars {
                for values in of(&model.vars[var].domain) {
                    let states = space.states_with(&[(var, values.clone())])?;
                    words.add(WordedCondition::Values(var, values), states);
                }
            }
        }
        Ok(words)
    }

    /// Adds a condition unless there are enough. One with the same reachable states as another is welcome: what tells them
    /// apart may be what an invariant says.
    fn add(&mut self, condition: WordedCondition, states: Set) {
        if self.conditions.len() < CONDITIONS {
            self.conditions.push((condition, states));
        }
    }

    fn spend(&mut self, operations: usize) -> bool {
        self.left = self.left.saturating_sub(operations);
        self.left > 0
    }

    /// A set of reachable states as a union of at most so many cubes without a state of `outside`; `None` when that takes
    /// more, or more operations than may be spent.
    pub fn describe<S: StateSpace<Set = Set>>(
        &mut self,
        space: &S,
        set: &Set,
        outside: &Set,
        most: usize,
    ) -> Run<Option<Vec<Cube>>> {
        let mut found: Vec<Conjunction<Set>> = Vec::new();
        let mut left = set.clone();
        while !space.is_empty(&left) {
            if found.len() == most {
                return Ok(None);
            }
            let Some(next) = self.conjunction(space, &left, outside)? else {
                return Ok(None);
            };
            left = space.minus(&left, &next.states)?;
            found.push(next);
        }
        irredundant(space, set, &mut found)?;
        let cubes = found.iter();
        Ok(Some(
            cubes.map(|c| self.cube(space, &c.conditions)).collect(),
        ))
    }

    /// A conjunction that has some states of a set and none of another one.
    fn conjunction<S: StateSpace<Set = Set>>(
        &mut self,
        space: &S,
        set: &Set,
        outside: &Set,
    ) -> Run<Option<Conjunction<Set>>> {
        let (mut inside, mut others) = (set.clone(), outside.clone());
        let mut conditions: Vec<usize> = Vec::new();
        while !space.is_empty(&others) {
            space.budget().check()?;
            if !self.spend(2 * self.conditions.len()) {
                return Ok(None);
            }
            let counts = (size(space, &inside)?, size(space, &others)?);
            let purity = counts.0 / (counts.0 + counts.1);
            let mut best: Option<(f64, usize)> = None;
            for (at, (_, states)) in self.conditions.iter().enumerate() {
                let kept = size(space, &space.meet(&inside, states)?)?;
                let wrong = size(space, &space.meet(&others, states)?)?;
                if kept == 0.0 || wrong == counts.1 {
                    continue;
                }
                let score = kept * (kept / (kept + wrong) - purity);
                if best.is_none_or(|(known, _)| score > known) {
                    best = Some((score, at));
                }
            }
            // No condition tells the two apart any more: a variable has too many values.
            let Some((_, best)) = best else {
                return Ok(None);
            };
            inside = space.meet(&inside, &self.conditions[best].1)?;
            others = space.meet(&others, &self.conditions[best].1)?;
            conditions.push(best);
        }
        self.pruned(space, conditions, outside).map(Some)
    }

    /// A cube around a state, reachable or not, without a reachable one, with as many values as fit if it is `wide`;
    /// `holds` says which conditions of the model are true there. `None` when more operations would have to be spent, or there is none.
    pub fn around<S: StateSpace<Set = Set>>(
        &mut self,
        space: &S,
        state: &[Value],
        wide: bool,
        holds: &mut dyn FnMut(TermId) -> Run<bool>,
    ) -> Run<Option<Cube>> {
        let mut fitting = Vec::new();
        for (at, (condition, _)) in self.conditions.iter().enumerate() {
            let fits = match condition {
                WordedCondition::Values(var, values) => values.contains(&state[var.index()]),
                WordedCondition::Term(term, truth) => holds(*term)? == *truth,
            };
            if fits {
                fitting.push(at);
            }
        }
        let mut others = space.reachable().clone();
        let mut conditions = Vec::new();
        while !space.is_empty(&others) {
            space.budget().check()?;
            if !self.spend(fitting.len()) {
                return Ok(None);
            }
            let mut best: Option<(BigUint, usize)> = None;
            for &at in &fitting {
                let wrong = space.count(&space.meet(&others, &self.conditions[at].1)?)?;
                if best.as_ref().is_none_or(|(known, _)| wrong < *known) {
                    best = Some((wrong, at));
                }
            }
            let Some((wrong, at)) = best else {
                return Ok(None);
            };
            if wrong == space.count(&others)? {
                return Ok(None);
            }
            others = space.meet(&others, &self.conditions[at].1)?;
            conditions.push(at);
        }
        let found = self.pruned(space, conditions, space.reachable())?;
        let mut cube = self.cube(space, &found.conditions);
        if wide {
            self.widen(space, &mut cube)?;
        }
        Ok(Some(cube))
    }

    /// Conditions of at most two parts that tell how far away a goal is: each with the number of the last of some layers,
    /// from 1, that it has states of, lowest first. The layers have no state in common.
    pub fn graded<S: StateSpace<Set = Set>>(
        &mut self,
        space: &S,
        layers: &[Set],
        most: usize,
    ) -> Run<Vec<(Cube, usize)>> {
        let mut ladder = Ladder::new(space, layers)?;
        let all = ladder.gain(space, space.reachable(), 0)?;
        let mut found = Vec::new();
        while found.len() < most && layers.len() > 1 {
            space.budget().check()?;
            let Some((conditions, states, last)) = self.next_grade(space, &ladder, all)? else {
                break;
            };
            ladder.lower(space, &states, last)?;
            found.push((self.cube(space, &conditions), last));
        }
        found.sort_by_key(|(_, last)| *last);
        Ok(found)
    }

    /// The condition that lowers what is known of most states by most; `None` where none lowers much.
    fn next_grade<S: StateSpace<Set = Set>>(
        &mut self,
        space: &S,
        ladder: &Ladder<Set>,
        all: f64,
    ) -> Run<Option<(Vec<usize>, Set, usize)>> {
        if !self.spend((BEAM + 1) * self.conditions.len() * 4) {
            return Ok(None);
        }
        let mut grades: Vec<(f64, Vec<usize>, Set, usize)> = Vec::new();
        for (at, (_, states)) in self.conditions.iter().enumerate() {
            if let Some((gain, last)) = ladder.grade(space, states)? {
                grades.push((gain, vec![at], states.clone(), last));
            }
        }
        let best_first = |a: &(f64, Vec<usize>, Set, usize), b: &(f64, Vec<usize>, Set, usize)| {
            b.0.total_cmp(&a.0)
        };
        grades.sort_by(best_first);
        let alone = grades.first().map_or(0.0, |best| best.0);
        let mut pairs = Vec::new();
        for (_, first, states, last) in grades.iter().take(BEAM) {
            for (at, (_, others)) in self.conditions.iter().enumerate() {
                let both = space.meet(states, others)?;
                // A second condition is worth its words only where it says more than the first.
                if let Some((gain, lower)) = ladder.grade(space, &both)?
                    && lower < *last
                    && gain > alone * WORTH
                {
                    pairs.push((gain, vec![first[0], at], both, lower));
                }
            }
        }
        pairs.sort_by(best_first);
        let best = pairs
            .into_iter()
            .next()
            .or_else(|| grades.into_iter().next());
        Ok(best
            .filter(|(gain, ..)| *gain > all * LITTLE)
            .map(|(_, conditions, states, last)| (conditions, states, last)))
    }

    /// Gives the variables of a cube without reachable states as many values as keep it so.
    fn widen<S: StateSpace<Set = Set>>(&mut self, space: &S, cube: &mut Cube) -> Run<()> {
        for at in 0..cube.values.len() {
            let mut rest = cube.clone();
            rest.values.remove(at);
            let others = states_of(space, &[rest])?;
            let (var, values) = &mut cube.values[at];
            let domain = &space.model().vars[*var].domain;
            for value in domain.values() {
                if !values.contains(&value) {
                    let more = space.states_with(&[(*var, vec![value])])?;
                    if space.is_empty(&space.meet(&others, &more)?) {
                        values.push(value);
                    }
                }
            }
            values.sort_by_key(|&value| domain.index_of(value));
        }
        let vars = &space.model().vars;
        cube.values
            .retain(|(var, values)| (values.len() as u128) < vars[*var].domain.size());
        Ok(())
    }

    /// Conditions without those that keep nothing of a set out that the others do not, and their states.
    fn pruned<S: StateSpace<Set = Set>>(
        &mut self,
        space: &S,
        mut conditions: Vec<usize>,
        outside: &Set,
    ) -> Run<Conjunction<Set>> {
        let all = |conditions: &[usize], of: &Set| -> Run<Set> {
            let mut states = of.clone();
            for &at in conditions {
                states = space.meet(&states, &self.conditions[at].1)?;
            }
            Ok(states)
        };
        let mut at = 0;
        while at < conditions.len() {
            let mut others = conditions.clone();
            others.remove(at);
            match space.is_empty(&all(&others, outside)?) {
                true => conditions = others,
                false => at += 1,
            }
        }
        let states = all(&conditions, space.reachable())?;
        Ok(Conjunction { conditions, states })
    }

    /// Conditions as a cube: those on the same variable are one.
    fn cube<S: StateSpace<Set = Set>>(&self, space: &S, conditions: &[usize]) -> Cube {
        let mut cube = Cube::default();
        for &at in conditions {
            match &self.conditions[at].0 {
                &WordedCondition::Term(term, holds) => cube.terms.push((term, holds)),
                WordedCondition::Values(var, values) => {
                    match cube.values.iter_mut().find(|(known, _)| known == var) {
                        Some((_, known)) => known.retain(|value| values.contains(value)),
                        None => cube.values.push((*var, values.clone())),
                    }
                }
            }
        }
        let vars = &space.model().vars;
        cube.values
            .retain(|(var, values)| (values.len() as u128) < vars[*var].domain.size());
        cube.values.sort_by_key(|(var, _)| *var);
        cube.terms.sort_unstable();
        cube
    }
}

/// How far away a goal is known to be.
struct Ladder<Set> {
    /// The states that are farther away than each number of steps, from 0.
    beyond: Vec<Set>,
    /// Sets that have no state in common, each with a number that no state of it is farther away than.
    known: Vec<(Set, usize)>,
}

impl<Set: Clone + Eq> Ladder<Set> {
    fn new<S: StateSpace<Set = Set>>(space: &S, layers: &[Set]) -> Run<Self> {
        let mut beyond = vec![space.nothing()];
        for layer in layers.iter().rev() {
            let last = beyond.last().expect("there is a first one");
            beyond.push(space.join(last, layer)?);
        }
        beyond.reverse();
        let known = vec![(beyond[0].clone(), layers.len())];
        Ok(Self { beyond, known })
    }

    /// What it would be worth to know that states are no farther away than the last of them, and how far that is; `None`
    /// where it is worth nothing.
    fn grade<S: StateSpace<Set = Set>>(
        &self,
        space: &S,
        states: &Set,
    ) -> Run<Option<(f64, usize)>> {
        let here = space.meet(states, &self.beyond[0])?;
        if space.is_empty(&here) {
            return Ok(None);
        }
        let (mut low, mut high) = (1, self.beyond.len() - 1);
        while low < high {
            let middle = (low + high) / 2;
            match space.is_empty(&space.meet(&here, &self.beyond[middle])?) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        let gain = self.gain(space, &here, low)?;
        Ok((gain > 0.0).then_some((gain, low)))
    }

    fn gain<S: StateSpace<Set = Set>>(&self, space: &S, states: &Set, last: usize) -> Run<f64> {
        let mut gain = 0.0;
        for (known, bound) in &self.known {
            if *bound > last {
                gain += size(space, &space.meet(known, states)?)? * (bound - last) as f64;
            }
        }
        Ok(gain)
    }

    fn lower<S: StateSpace<Set = Set>>(&mut self, space: &S, states: &Set, last: usize) -> Run<()> {
        let mut lowered = Vec::new();
        for (known, bound) in self.known.drain(..) {
            match bound > last {
                true => {
                    lowered.push((space.meet(&known, states)?, last));
                    lowered.push((space.minus(&known, states)?, bound));
                }
                false => lowered.push((known, bound)),
            }
        }
        self.known = lowered;
        Ok(())
    }
}

/// The states of some cubes.
pub fn states_of<S: StateSpace>(space: &S, cubes: &[Cube]) -> Run<S::Set> {
    let mut all = space.nothing();
    for cube in cubes {
        let mut states = space.states_with(&cube.values)?;
        for &(term, holds) in &cube.terms {
            let so = space.states_where(term)?;
            states = match holds {
                true => space.meet(&states, &so)?,
                false => space.minus(&states, &so)?,
            };
        }
        all = space.join(&all, &states)?;
    }
    Ok(all)
}

/// Drops conjunctions whose states of a set the others describe too.
fn irredundant<S: StateSpace>(
    space: &S,
    set: &S::Set,
    found: &mut Vec<Conjunction<S::Set>>,
) -> Run<()> {
    for at in (0..found.len()).rev() {
        let mut own = space.meet(set, &found[at].states)?;
        for (other, conjunction) in found.iter().enumerate() {
            if other != at {
                own = space.minus(&own, &conjunction.states)?;
            }
        }
        if space.is_empty(&own) {
            found.remove(at);
        }
    }
    Ok(())
}

/// How many states a set has; roughly, where they are more than a float tells apart.
fn size<S: StateSpace>(space: &S, set: &S::Set) -> Run<f64> {
    let digits = space.count(set)?.to_u64_digits();
    Ok(digits
        .iter()
        .rev()
        .fold(0.0, |all, &digit| all * 2f64.powi(64) + digit as f64))
}

/// Each value.
fn values_of(domain: &Domain) -> Vec<Vec<Value>> {
    domain.values().map(|value| vec![value]).collect()
}

/// All values but one; of numbers also the first and the last so many.
fn inequalities_of(domain: &Domain) -> Vec<Vec<Value>> {
    let all: Vec<Value> = domain.values().collect();
    if all.len() < 3 {
        return vec![];
    }
    let but = all
        .iter()
        .map(|&one| all.iter().copied().filter(|&v| v != one).collect());
    let mut found: Vec<Vec<Value>> = but.collect();
    if matches!(domain, Domain::Range { .. }) {
        for at in 2..all.len() - 1 {
            found.push(all[..at].to_vec());
            found.push(all[at..].to_vec());
        }
    }
    found
}
