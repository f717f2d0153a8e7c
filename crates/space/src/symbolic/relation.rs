//! The transition relation as a conjunction of parts, and images by early quantification.
//!
//! A part is joined to the product when it lets many variables go soon: a variable is quantified
//! as soon as no later part reads it (Burch, Clarke and Long 1991; the order is greedy as in Ranjan
//! et al. 1995).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::Run;
use wherefore_model::{Model, VarId};

use super::bdd::{Bdd, Bdds, Bit};
use super::encoding::{BitEncoding, StateSide};

/// Parts are joined as long as the result has no more nodes.
const CLUSTER: usize = 5000;

/// Parts are narrowed to sets with no more nodes than this; with more it takes too long.
const NARROWING: usize = 20_000;

/// A variable of the present or of the next state; inputs are of the present.
pub(crate) type RelationVar = (StateSide, VarId);

/// A conjunct of the relation and the variables it may read.
#[derive(Clone, Debug)]
pub(crate) struct RelationPart {
    pub(crate) function: Bdd,
    pub(crate) reads: BTreeSet<RelationVar>,
}

/// The steps of a model.
#[derive(Debug)]
pub(crate) struct TransitionRelation {
    pub(crate) parts: Vec<RelationPart>,
    post: Schedule,
    pre: Schedule,
}

/// In which order to join parts, and what to quantify when.
#[derive(Debug)]
struct Schedule {
    /// Variables that no part reads.
    first: Bdd,
    /// For each step the part and the variables that no later part reads.
    steps: Vec<(usize, Bdd)>,
}

impl TransitionRelation {
    pub(crate) fn new(
        model: &Model,
        encoding: &BitEncoding,
        bdds: &Bdds,
        parts: Vec<RelationPart>,
    ) -> Run<Self> {
        let states = model.state_vars();
        let width = |(side, var): RelationVar| encoding.bits(var, side).len();
        let old: BTreeSet<RelationVar> =
            model.vars.ids().map(|var| (StateSide::Now, var)).collect();
        let new: BTreeSet<RelationVar> = model
            .vars
            .ids()
            .map(|var| match var.index() < states {
                true => (StateSide::Next, var),
                false => (StateSide::Now, var),
            })
            .collect();

        // Parts that an image joins one after the other become clusters; both schedules are made of these.
        let order = greedy(&parts, &old, width);
        let parts = cluster(bdds, order.into_iter().map(|at| parts[at].clone()))?;
        let schedule = |gone: &BTreeSet<RelationVar>| {
            Schedule::new(bdds, encoding, &parts, greedy(&parts, gone, width), gone)
        };
        let (post, pre) = (schedule(&old)?, schedule(&new)?);
        Ok(Self { parts, post, pre })
    }

    /// Narrows the parts to steps between states of a set, where that makes them no larger.
    ///
    /// From then on images are right only for sets within it, and pre-images only within it.
    pub(crate) fn narrow(
        &mut self,
        model: &Model,
        encoding: &BitEncoding,
        bdds: &Bdds,
        now: &Bdd,
        next: &Bdd,
    ) -> Run<()> {
        if bdds.size(now) > NARROWING {
            return Ok(());
        }
        let states = || (0..model.state_vars()).map(VarId::new);
        for part in &mut self.parts {
            for (side, set) in [(StateSide::Now, now), (StateSide::Next, next)] {
                let others = states()
                    .map(|var| (side, var))
                    .filter(|v| !part.reads.contains(v));
                // A part is narrowed by what the set says of its own variables: reading others
                // would spoil the schedules.
                let shadow = bdds.exists(set, &cube(bdds, encoding, others)?)?;
                let narrowed = bdds.and(&part.function, &shadow)?;
                if bdds.size(&narrowed) <= bdds.size(&part.function) {
                    part.function = narrowed;
                }
            }
        }
        Ok(())
    }

    /// The next states of a set, as a function of the next state.
    pub(crate) fn post(&self, bdds: &Bdds, from: &Bdd) -> Run<Bdd> {
        self.product(bdds, from, &self.post)
    }

    /// The states before a set that is given as a function of the next state.
    pub(crate) fn pre(&self, bdds: &Bdds, to: &Bdd) -> Run<Bdd> {
        self.product(bdds, to, &self.pre)
    }

    fn product(&self, bdds: &Bdds, set: &Bdd, schedule: &Schedule) -> Run<Bdd> {
        let mut product = bdds.exists(set, &schedule.first)?;
        for (part, gone) in &schedule.steps {
            product = bdds.and_exists(&product, &self.parts[*part].function, gone)?;
        }
        Ok(product)
    }
}

impl Schedule {
    fn new(
        bdds: &Bdds,
        encoding: &BitEncoding,
        parts: &[RelationPart],
        order: Vec<usize>,
        gone: &BTreeSet<RelationVar>,
    ) -> Run<Self> {
        let mut left = gone.clone();
        let mut steps = Vec::new();
        for (at, &part) in order.iter().enumerate().rev() {
            // Seen from the end, the first reader of a variable is the last to be joined.
            let last = parts[part].reads.iter().filter(|var| left.contains(var));
            let last: Vec<RelationVar> = last.copied().collect();
            for var in &last {
                left.remove(var);
            }
            steps.push((order[at], cube(bdds, encoding, last)?));
        }
        steps.reverse();
        Ok(Self {
            first: cube(bdds, encoding, left)?,
            steps,
        })
    }
}

/// Whether there is a step from every state, as far as that can be seen part by part: again and again a
/// variable is found that its own parts leave a value for, whatever the others are.
pub(crate) fn is_total(
    model: &Model,
    encoding: &BitEncoding,
    bdds: &Bdds,
    parts: &[RelationPart],
) -> Run<bool> {
    let mut readers: BTreeMap<RelationVar, BTreeSet<usize>> = BTreeMap::new();
    for (at, part) in parts.iter().enumerate() {
        for &var in &part.reads {
            readers.entry(var).or_default().insert(at);
        }
    }
    let chosen = |&(side, var): &RelationVar| side == StateSide::Next || encoding.is_input(var);
    let mut open: Vec<RelationVar> = readers.keys().copied().filter(chosen).collect();
    let mut left = parts.iter().filter(|part| !part.reads.is_empty()).count();
    if parts.iter().any(|part| bdds.is_zero(&part.function)) {
        return Ok(false);
    }
    while let Some(var) = open.pop() {
        let own = readers.get(&var).map_or(&NOBODY, |own| own);
        // A value, and that it is one of the domain.
        if own.is_empty() || own.len() > 2 {
            continue;
        }
        let (mut own_parts, mut values) = (bdds.one(), bdds.one());
        for &part in own {
            own_parts = bdds.and(&own_parts, &parts[part].function)?;
            for &(side, other) in parts[part].reads.iter().filter(|other| **other != var) {
                // Only values of the domain count; other patterns of bits never occur.
                values = bdds.and(&values, &encoding.valid((model, bdds), other, side)?)?;
            }
        }
        let some = bdds.exists(&own_parts, &cube(bdds, encoding, [var])?)?;
        if !bdds.is_zero(&bdds.minus(&values, &some)?) {
            continue;
        }
        // These parts can be met whatever the rest is, so they restrict nothing else.
        for part in own.clone() {
            left -= 1;
            for other in &parts[part].reads {
                if let Some(readers) = readers.get_mut(other) {
                    readers.remove(&part);
                }
                // It has fewer readers now.
                if chosen(other) {
                    open.push(*other);
                }
            }
        }
    }
    Ok(left == 0)
}

static NOBODY: BTreeSet<usize> = BTreeSet::new();

pub(super) fn cube(
    bdds: &Bdds,
    encoding: &BitEncoding,
    vars: impl IntoIterator<Item = RelationVar>,
) -> Run<Bdd> {
    let own = |(side, var): RelationVar| encoding.bits(var, side).iter().copied();
    let bits: Vec<Bit> = vars.into_iter().flat_map(own).collect();
    bdds.cube(bits.into_iter().map(|bit| (bit, true)))
}

/// An order of parts in which variables of `gone` go early and others come late.
pub(super) fn greedy(
    parts: &[RelationPart],
    gone: &BTreeSet<RelationVar>,
    width: impl Fn(RelationVar) -> usize,
) -> Vec<usize> {
    let mut readers: BTreeMap<RelationVar, BTreeSet<usize>> = BTreeMap::new();
    for (at, part) in parts.iter().enumerate() {
        for &var in &part.reads {
            readers.entry(var).or_default().insert(at);
        }
    }
    let score = |part: &RelationPart| -> i64 {
        let gains = part.reads.iter().map(|var| match gone.contains(var) {
            true if readers[var].len() == 1 => 2 * width(*var) as i64,
            true => 0,
            false => -(width(*var) as i64),
        });
        gains.sum()
    };
    let mut scores: Vec<i64> = parts.iter().map(score).collect();
    let ranked = scores.iter().enumerate();
    // Of equal scores the earlier part is first, so the order is the same on every run.
    let mut left: BTreeSet<(i64, Reverse<usize>)> =
        ranked.map(|(at, &score)| (score, Reverse(at))).collect();
    let mut order = Vec::with_capacity(parts.len());
    while let Some((_, Reverse(best))) = left.pop_last() {
        order.push(best);
        for var in &parts[best].reads {
            let Some(others) = readers.get_mut(var) else {
                continue;
            };
            others.remove(&best);
            let bits = width(*var) as i64;
            // The last reader lets it go; nobody brings it in again.
            let (raised, by) = match gone.contains(var) {
                true if others.len() == 1 => (others.clone(), 2 * bits),
                true => continue,
                false => (std::mem::take(others), bits),
            };
            for other in raised {
                left.remove(&(scores[other], Reverse(other)));
                scores[other] += by;
                left.insert((scores[other], Reverse(other)));
            }
        }
    }
    order
}

/// Joins neighbours as long as they stay small.
fn cluster(bdds: &Bdds, parts: impl Iterator<Item = RelationPart>) -> Run<Vec<RelationPart>> {
    let mut clusters: Vec<(RelationPart, usize)> = Vec::new();
    for part in parts {
        if bdds.is_one(&part.function) {
            continue;
        }
        let size = bdds.size(&part.function);
        if let Some((last, last_size)) = clusters.last_mut()
            // Parts that are large already are not joined just to find the result too large.
            && *last_size + size <= 2 * CLUSTER
        {
            let both = bdds.and(&last.function, &part.function)?;
            let joined = bdds.size(&both);
            if joined <= CLUSTER {
                last.function = both;
                last.reads.extend(&part.reads);
                *last_size = joined;
                continue;
            }
        }
        clusters.push((part, size));
    }
    Ok(clusters.into_iter().map(|(part, _)| part).collect())
}
