//! Linear-time formulas by definition, on lassos of small structures.
//!
//! A position of a lasso is a natural number, whatever turn of the loop it is in. The truth of a formula
//! at a position is read off the definition of its outermost operator, one position after another; how
//! far one must look follows from where the truth of the operands starts to repeat. [`lassos`] lists all
//! lassos of a structure up to a length, so that a formula is refuted by definition.

use std::collections::HashMap;

use wherefore_logic::{AtomId, Bounds, Formula, LinearOp, Op, SubId};

use crate::Rng;
use crate::kripke::{Kripke, members};

/// States in a row, the last of which steps to the state at `back`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KripkeLasso {
    /// The states.
    pub states: Vec<usize>,
    /// Where the last one steps to.
    pub back: usize,
}

impl KripkeLasso {
    fn turn(&self) -> usize {
        self.states.len() - self.back
    }

    fn state(&self, position: usize) -> usize {
        match position.checked_sub(self.back) {
            Some(since) => self.states[self.back + since % self.turn()],
            None => self.states[position],
        }
    }

    /// Whether all its steps are there, it starts in an initial state, and its loop is fair.
    pub fn is_fair_run_of(&self, kripke: &Kripke) -> bool {
        let steps = (0..self.states.len()).map(|at| (self.state(at), self.state(at + 1)));
        let turn = self.states[self.back..]
            .iter()
            .fold(0, |all, s| all | 1 << s);
        let fairness = &kripke.fairness;
        kripke.initial >> self.states[0] & 1 == 1
            && steps
                .into_iter()
                .all(|(from, to)| kripke.steps_to(from, to))
            && fairness.justice.iter().all(|&set| set & turn != 0)
            && (fairness.compassion.iter()).all(|&(p, q)| p & turn == 0 || q & turn != 0)
    }
}

/// All fair lassos of a structure with at most so many states in the row, shortest first.
pub fn lassos(kripke: &Kripke, most: usize) -> Vec<KripkeLasso> {
    let mut found = Vec::new();
    let mut rows: Vec<Vec<usize>> = members(kripke.initial).map(|state| vec![state]).collect();
    while let Some(length) = rows.first().map(Vec::len).filter(|&length| length <= most) {
        for row in &rows {
            let lassos = (0..length).map(|back| KripkeLasso {
                states: row.clone(),
                back,
            });
            found.extend(lassos.filter(|lasso| lasso.is_fair_run_of(kripke)));
        }
        let longer = rows.iter().flat_map(|row| {
            let next = members(kripke.steps[row[length - 1]]);
            next.map(|state| [&row[..], &[state]].concat())
        });
        rows = longer.collect();
    }
    found
}

/// The truth of every sub-formula at a position of a lasso; atom `i` is proposition `i`.
pub fn truth(
    kripke: &Kripke,
    formula: &Formula,
    lasso: &KripkeLasso,
    position: usize,
) -> Vec<bool> {
    let mut reading = LinearReading {
        kripke,
        formula,
        lasso,
        known: HashMap::new(),
    };
    let subs = formula.subs();
    subs.map(|sub| reading.is_true(sub, position)).collect()
}

struct LinearReading<'a> {
    kripke: &'a Kripke,
    formula: &'a Formula,
    lasso: &'a KripkeLasso,
    known: HashMap<(SubId, usize), bool>,
}

impl LinearReading<'_> {
    fn is_true(&mut self, sub: SubId, at: usize) -> bool {
        if let Some(&known) = self.known.get(&(sub, at)) {
            return known;
        }
        let truth = self.by_definition(sub, at);
        self.known.insert((sub, at), truth);
        truth
    }

    /// The last position that must be looked at to have seen all that is ahead.
    fn horizon(&self, at: usize) -> usize {
        let memory = |sub: SubId| match self.formula.op(sub) {
            Op::Linear(LinearOp::OnceWithin(b, _) | LinearOp::HistoricallyWithin(b, _)) => {
                b.most as usize
            }
            Op::Linear(op) if op.is_past() => self.lasso.turn(),
            _ => 0,
        };
        let memory: usize = self.formula.subs().map(memory).sum();
        at.max(self.lasso.back + memory) + self.lasso.turn()
    }

    fn by_definition(&mut self, sub: SubId, at: usize) -> bool {
        use LinearOp as L;
        let horizon = self.horizon(at);
        let within = |b: Bounds| (b.least as usize, b.most as usize);
        let op = match self.formula.op(sub) {
            Op::Const(value) => return value,
            Op::Atom(atom) => {
                let state = self.lasso.state(at);
                return self.kripke.labels[atom.index()] >> state & 1 == 1;
            }
            Op::Not(f) => return !self.is_true(f, at),
            Op::And(f, g) => return self.is_true(f, at) && self.is_true(g, at),
            Op::Or(f, g) => return self.is_true(f, at) || self.is_true(g, at),
            Op::Implies(f, g) => return !self.is_true(f, at) || self.is_true(g, at),
            Op::Iff(f, g) => return self.is_true(f, at) == self.is_true(g, at),
            Op::Xor(f, g) => return self.is_true(f, at) != self.is_true(g, at),
            Op::Path(..) => panic!("a linear-time formula has no path quantifier"),
            Op::Linear(op) => op,
        };
        match op {
            L::Next(f) => self.is_true(f, at + 1),
            L::Finally(f) => (at..=horizon).any(|j| self.is_true(f, j)),
            L::Globally(f) => (at..=horizon).all(|j| self.is_true(f, j)),
            L::Until(f, g) => self.until(f, g, at, horizon),
            L::WeakUntil(f, g) => {
                self.until(f, g, at, horizon) || (at..=horizon).all(|j| self.is_true(f, j))
            }
            L::Release(f, g) => {
                (at..=horizon).all(|j| self.is_true(g, j) || (at..j).any(|k| self.is_true(f, k)))
            }
            L::FinallyWithin(b, f) => {
                let (least, most) = within(b);
                (at + least..=at + most).any(|j| self.is_true(f, j))
            }
            L::GloballyWithin(b, f) => {
                let (least, most) = within(b);
                (at + least..=at + most).all(|j| self.is_true(f, j))
            }
            L::Yesterday(f) => at > 0 && self.is_true(f, at - 1),
            L::WeakYesterday(f) => at == 0 || self.is_true(f, at - 1),
            L::Once(f) => (0..=at).any(|j| self.is_true(f, j)),
            L::Historically(f) => (0..=at).all(|j| self.is_true(f, j)),
            L::Since(f, g) => {
                (0..=at).any(|j| self.is_true(g, j) && (j + 1..=at).all(|k| self.is_true(f, k)))
            }
            L::Triggered(f, g) => {
                (0..=at).all(|j| self.is_true(g, j) || (j + 1..=at).any(|k| self.is_true(f, k)))
            }
            L::OnceWithin(b, f) => {
                let (least, most) = within(b);
                (least..=most).any(|ago| ago <= at && self.is_true(f, at - ago))
            }
            L::HistoricallyWithin(b, f) => {
                let (least, most) = within(b);
                (least..=most).all(|ago| ago > at || self.is_true(f, at - ago))
            }
        }
    }

    fn until(&mut self, f: SubId, g: SubId, at: usize, horizon: usize) -> bool {
        (at..=horizon).any(|j| self.is_true(g, j) && (at..j).all(|k| self.is_true(f, k)))
    }
}

/// A random formula with about so many operators over the first `propositions` atoms; with operators of
/// the past only where `past` says so.
pub fn random(rng: &mut Rng, size: usize, propositions: usize, past: bool) -> Formula {
    let mut formula = Formula::new();
    grow(rng, size, propositions, past, &mut formula);
    formula
}

fn grow(
    rng: &mut Rng,
    size: usize,
    propositions: usize,
    past: bool,
    formula: &mut Formula,
) -> SubId {
    use LinearOp as L;
    if size == 0 {
        let atom = match rng.below(12) {
            0 => Op::Const(rng.chance(1, 2)),
            _ => Op::Atom(AtomId::new(rng.below(propositions))),
        };
        return formula.add(atom, None);
    }
    let left = rng.below(size);
    let bounds = {
        let least = rng.below(3) as u32;
        let most = least + rng.below(3) as u32;
        Bounds { least, most }
    };
    let ops = if past && rng.chance(1, 2) {
        8..16
    } else {
        0..8
    };
    let choice = match rng.chance(1, 3) {
        true => 16 + rng.below(5),
        false => ops.start + rng.below(ops.len()),
    };
    let binary = matches!(choice, 3..=5 | 12 | 13 | 17..=20);
    let f = match binary {
        true => grow(rng, left, propositions, past, formula),
        false => grow(rng, size - 1, propositions, past, formula),
    };
    let g = match binary {
        true => grow(rng, size - 1 - left, propositions, past, formula),
        false => f,
    };
    let op = match choice {
        0 => Op::Linear(L::Next(f)),
        1 => Op::Linear(L::Finally(f)),
        2 => Op::Linear(L::Globally(f)),
        3 => Op::Linear(L::Until(f, g)),
        4 => Op::Linear(L::WeakUntil(f, g)),
        5 => Op::Linear(L::Release(f, g)),
        6 => Op::Linear(L::FinallyWithin(bounds, f)),
        7 => Op::Linear(L::GloballyWithin(bounds, f)),
        8 => Op::Linear(L::Yesterday(f)),
        9 => Op::Linear(L::WeakYesterday(f)),
        10 => Op::Linear(L::Once(f)),
        11 => Op::Linear(L::Historically(f)),
        12 => Op::Linear(L::Since(f, g)),
        13 => Op::Linear(L::Triggered(f, g)),
        14 => Op::Linear(L::OnceWithin(bounds, f)),
        15 => Op::Linear(L::HistoricallyWithin(bounds, f)),
        16 => Op::Not(f),
        17 => Op::And(f, g),
        18 => Op::Or(f, g),
        19 => Op::Implies(f, g),
        _ => Op::Iff(f, g),
    };
    formula.add(op, None)
}
