//! Formulas by definition: what `docs/semantics.md` says, read literally on small structures.
//!
//! A claim about a path is decided where its row of the first table says so; `E` looks for a path that
//! makes it true, `A` for one that makes it false. An infinite path is described by the set of states
//! it visits infinitely often: some strongly connected set with a step inside, and all such sets are
//! tried. Nothing here is a fixpoint over sets, and no duality between operators is used.

use wherefore_base::IndexVec;
use wherefore_logic::{Formula, Op, PathOp, PathRule, Quantifier, SubId};

use crate::kripke::{Kripke, StateMask, members};

/// For each sub-formula, the states where it holds.
///
/// # Panics
/// When the structure has more than 16 states: all sets of states are tried.
pub fn evaluate(kripke: &Kripke, formula: &Formula, rule: PathRule) -> IndexVec<SubId, StateMask> {
    Naive::new(kripke).evaluate(formula, rule)
}

/// The initial states that count and where the formula does not hold.
pub fn failing(kripke: &Kripke, formula: &Formula, rule: PathRule) -> StateMask {
    let naive = Naive::new(kripke);
    let holds = naive.evaluate(formula, rule);
    naive.counted(rule) & !holds[formula.root()]
}

/// The evaluator of one structure.
pub struct Naive<'k> {
    kripke: &'k Kripke,
    /// The sets of states that some infinite path visits infinitely often.
    recurrent: Vec<StateMask>,
    /// For each rule, the states where a path that counts starts.
    starting: Vec<(PathRule, StateMask)>,
}

/// What a prefix of a path says about a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PrefixReading {
    Decided(bool),
    Open,
}

/// What becomes of a claim that stays open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtEnd {
    Is(bool),
    TooShort,
}

/// Which infinite paths count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Infinite {
    None,
    Fair,
    All,
}

impl<'k> Naive<'k> {
    /// An evaluator of this structure.
    ///
    /// # Panics
    /// When the structure has more than 16 states.
    pub fn new(kripke: &'k Kripke) -> Self {
        assert!(kripke.size <= 16, "all sets of states are tried");
        let connected = |&set: &StateMask| {
            let closed = |from| members(set).all(|to| steps_lead(kripke, from, to, set));
            set != 0 && members(set).all(closed)
        };
        let recurrent = (0..=kripke.all()).filter(connected).collect();
        let mut naive = Self {
            kripke,
            recurrent,
            starting: Vec::new(),
        };
        naive.starting = PathRule::ALL
            .map(|rule| (rule, naive.starting(rule)))
            .to_vec();
        naive
    }

    /// For each sub-formula, the states where it holds.
    pub fn evaluate(&self, formula: &Formula, rule: PathRule) -> IndexVec<SubId, StateMask> {
        let mut holds: IndexVec<SubId, StateMask> = IndexVec::new();
        for sub in formula.subs() {
            let op = formula.op(sub);
            let at = |state: usize| self.holds_at(op, rule, &holds, state);
            let states = (0..self.kripke.size).filter(|&state| at(state));
            let states = states.fold(0, |all, state| all | 1 << state);
            holds.push(states);
        }
        holds
    }

    /// The initial states that count.
    pub fn counted(&self, rule: PathRule) -> StateMask {
        let counts =
            |state: &usize| rule != PathRule::FairInfinite || self.starts_path(rule, *state);
        let initial = members(self.kripke.initial).filter(counts);
        initial.fold(0, |all, state| all | 1 << state)
    }

    fn holds_at(
        &self,
        op: Op,
        rule: PathRule,
        holds: &IndexVec<SubId, StateMask>,
        state: usize,
    ) -> bool {
        let at = |sub: SubId| holds[sub] >> state & 1 == 1;
        match op {
            Op::Const(value) => value,
            Op::Atom(atom) => self.kripke.labels[atom.index()] >> state & 1 == 1,
            Op::Not(f) => !at(f),
            Op::And(f, g) => at(f) && at(g),
            Op::Or(f, g) => at(f) || at(g),
            Op::Implies(f, g) => !at(f) || at(g),
            Op::Iff(f, g) => at(f) == at(g),
            Op::Xor(f, g) => at(f) != at(g),
            Op::Linear(_) => panic!("a linear-time operator says nothing about a state"),
            Op::Path(quantifier, path) => {
                let rule = match path {
                    PathOp::FairGlobally(_) => PathRule::FairInfinite,
                    _ => rule,
                };
                match quantifier {
                    Quantifier::Exists => self.some_path_makes(true, path, rule, holds, state),
                    Quantifier::Forall => !self.some_path_makes(false, path, rule, holds, state),
                }
            }
        }
    }

    /// Whether some path that counts and starts at `start` makes the claim true (or false).
    fn some_path_makes(
        &self,
        wanted: bool,
        claim: PathOp,
        rule: PathRule,
        holds: &IndexVec<SubId, StateMask>,
        start: usize,
    ) -> bool {
        let end_is_wanted = at_end(claim) == AtEnd::Is(wanted);
        let mut open_states: StateMask = 0;
        let mut seen = vec![(start, 0)];
        let mut next = 0;
        while let Some(&(state, position)) = seen.get(next) {
            next += 1;
            let at = |sub: SubId| holds[sub] >> state & 1 == 1;
            match read(claim, position, at) {
                PrefixReading::Decided(value) => {
                    if value == wanted && self.starts_path(rule, state) {
                        return true;
                    }
                }
                PrefixReading::Open => {
                    if end_is_wanted && self.may_end(rule, state) {
                        return true;
                    }
                    open_states |= 1 << state;
                    let later = (position + 1).min(horizon(claim));
                    for successor in members(self.kripke.steps[state]) {
                        if !seen.contains(&(successor, later)) {
                            seen.push((successor, later));
                        }
                    }
                }
            }
        }
        // A path may also stay undecided for ever, where nothing but states that leave it so are met.
        let for_ever = |set: &StateMask| set & !open_states == 0 && self.counts(rule, *set);
        end_is_wanted && self.recurrent.iter().any(for_ever)
    }

    /// Whether a path that counts starts at a state; under `plain` any beginning will do.
    fn starts_path(&self, rule: PathRule, state: usize) -> bool {
        let starting = self.starting.iter().find(|(other, _)| *other == rule);
        let (_, states) = starting.expect("every rule is listed");
        states >> state & 1 == 1
    }

    fn starting(&self, rule: PathRule) -> StateMask {
        let starts = |state: &usize| {
            let all = self.kripke.all();
            let reaches = |to: usize| *state == to || steps_lead(self.kripke, *state, to, all);
            let ends = (0..self.kripke.size).any(|end| reaches(end) && self.may_end(rule, end));
            let goes_on = |set: &StateMask| self.counts(rule, *set) && members(*set).any(reaches);
            rule == PathRule::Plain || ends || self.recurrent.iter().any(goes_on)
        };
        let states = (0..self.kripke.size).filter(starts);
        states.fold(0, |all, state| all | 1 << state)
    }

    /// Whether a finite path that ends at this state counts, though it may leave a claim undecided.
    fn may_end(&self, rule: PathRule, state: usize) -> bool {
        match rule {
            PathRule::FairInfinite | PathRule::PlainFair | PathRule::Plain => false,
            PathRule::Reach => true,
            PathRule::Maximal => self.kripke.steps[state] == 0,
        }
    }

    /// Whether an infinite path counts that visits these states infinitely often, and no others.
    fn counts(&self, rule: PathRule, set: StateMask) -> bool {
        let infinite = match rule {
            PathRule::FairInfinite | PathRule::PlainFair | PathRule::Maximal => Infinite::Fair,
            PathRule::Reach => Infinite::None,
            PathRule::Plain => Infinite::All,
        };
        let fairness = &self.kripke.fairness;
        match infinite {
            Infinite::None => false,
            Infinite::All => true,
            Infinite::Fair => {
                fairness
                    .justice
                    .iter()
                    .all(|condition| set & condition != 0)
                    && fairness
                        .compassion
                        .iter()
                        .all(|(p, q)| set & p == 0 || set & q != 0)
            }
        }
    }
}

/// The first two columns of the table: what the state at a position says about a claim that was open
/// before.
fn read(claim: PathOp, position: u32, at: impl Fn(SubId) -> bool) -> PrefixReading {
    let (is_true, is_false) = match claim {
        PathOp::Next(f) => (position == 1 && at(f), position == 1 && !at(f)),
        PathOp::Finally(f) => (at(f), false),
        PathOp::Globally(f) | PathOp::FairGlobally(f) => (false, !at(f)),
        PathOp::Until(f, g) | PathOp::WeakUntil(f, g) => (at(g), !at(f) && !at(g)),
        PathOp::Release(f, g) => (at(f) && at(g), !at(g)),
        PathOp::FinallyWithin(bounds, f) => {
            let inside = bounds.least <= position;
            (inside && at(f), position == bounds.most && !at(f))
        }
        PathOp::GloballyWithin(bounds, f) => {
            let inside = bounds.least <= position;
            (position == bounds.most && at(f), inside && !at(f))
        }
        PathOp::UntilWithin(bounds, f, g) => {
            let reached = bounds.least <= position && at(g);
            (reached, !reached && (!at(f) || position == bounds.most))
        }
    };
    match (is_true, is_false) {
        (true, _) => PrefixReading::Decided(true),
        (_, true) => PrefixReading::Decided(false),
        _ => PrefixReading::Open,
    }
}

/// The last column of the table.
fn at_end(claim: PathOp) -> AtEnd {
    match claim {
        PathOp::Finally(_) | PathOp::Until(..) => AtEnd::Is(false),
        PathOp::Globally(_)
        | PathOp::FairGlobally(_)
        | PathOp::WeakUntil(..)
        | PathOp::Release(..) => AtEnd::Is(true),
        PathOp::Next(_)
        | PathOp::FinallyWithin(..)
        | PathOp::GloballyWithin(..)
        | PathOp::UntilWithin(..) => AtEnd::TooShort,
    }
}

/// The last position that a claim speaks of; 0 where positions do not matter.
fn horizon(claim: PathOp) -> u32 {
    match claim {
        PathOp::Next(_) => 1,
        PathOp::FinallyWithin(bounds, _)
        | PathOp::GloballyWithin(bounds, _)
        | PathOp::UntilWithin(bounds, ..) => bounds.most,
        _ => 0,
    }
}

/// Whether one or more steps lead from a state to another, all of them inside a set.
fn steps_lead(kripke: &Kripke, from: usize, to: usize, within: StateMask) -> bool {
    let mut reached: StateMask = kripke.steps[from] & within;
    loop {
        let further = members(reached).fold(reached, |all, state| all | kripke.steps[state]);
        if further & within == reached {
            return reached >> to & 1 == 1;
        }
        reached = further & within;
    }
}

#[cfg(test)]
mod tests {
    use wherefore_logic::{AtomId, Fairness};

    use super::*;

    fn path(quantifier: Quantifier, path: impl Fn(SubId) -> PathOp) -> Formula {
        let mut formula = Formula::new();
        let p = formula.add(Op::Atom(AtomId::new(0)), None);
        formula.add(Op::Path(quantifier, path(p)), None);
        formula
    }

    #[test]
    fn a_state_that_no_fair_path_leaves_is_invisible_to_fair_paths_only() {
        // 0 -> 0, 0 -> 1 -> 1; p in 1; only 0 is fair.
        let kripke = Kripke {
            size: 2,
            steps: vec![0b11, 0b10],
            initial: 0b01,
            labels: vec![0b10],
            fairness: Fairness {
                justice: vec![0b01],
                compassion: vec![],
            },
        };
        let ef = path(Quantifier::Exists, PathOp::Finally);
        let at_zero = |rule| evaluate(&kripke, &ef, rule)[ef.root()] & 1 == 1;
        assert!(!at_zero(PathRule::FairInfinite));
        assert!(!at_zero(PathRule::PlainFair));
        assert!(!at_zero(PathRule::Maximal));
        assert!(at_zero(PathRule::Reach));
        assert!(at_zero(PathRule::Plain));
    }

    #[test]
    fn compassion_forbids_going_round_past_the_first_condition_alone() {
        // 0 <-> 1, 1 -> 2 -> 0; the pair (1, 2): visiting 1 again and again obliges to visit 2.
        let kripke = Kripke {
            size: 3,
            steps: vec![0b010, 0b101, 0b001],
            initial: 0b001,
            labels: vec![0b100],
            fairness: Fairness {
                justice: vec![],
                compassion: vec![(0b010, 0b100)],
            },
        };
        let af = path(Quantifier::Forall, PathOp::Finally);
        let all = |rule| evaluate(&kripke, &af, rule)[af.root()] == 0b111;
        assert!(all(PathRule::FairInfinite));
        assert!(!all(PathRule::Plain));
    }
}
