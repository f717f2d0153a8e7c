//! The check of a solver's proof: every clause it learns follows by unit propagation.
//!
//! A clause follows from others by *reverse unit propagation* when the assumption that all its literals
//! are false leads, by unit propagation alone, to a clause without a literal (Goldberg and Novikov 2003).
//! What a solver learns does, so nobody need believe its search. Clauses that the solver forgets may be
//! forgotten here: whatever is derived afterwards still follows from what was given.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Not;

/// A variable of a solver or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Literal(u32);

impl Literal {
    pub(crate) fn new(variable: u32, negated: bool) -> Self {
        Literal(variable << 1 | u32::from(negated))
    }

    pub(crate) fn variable(self) -> u32 {
        self.0 >> 1
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn negated_if(self, condition: bool) -> Self {
        Literal(self.0 ^ u32::from(condition))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Clauses that were given or derived.
///
/// Invariant: between calls, the trail has what follows from the clauses by unit propagation, and the first
/// two literals of a clause, which are its watched ones, are not false unless another literal is true.
#[derive(Default)]
pub(crate) struct ProofChecker {
    clauses: Vec<Box<[Literal]>>,
    /// For each literal, the clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// For each literal, whether it is true.
    is_true: Vec<bool>,
    /// Literals that are true, in the order in which they became so.
    trail: Vec<Literal>,
    /// The first literal of the trail whose consequences were not looked for.
    head: usize,
    /// Derived clauses by a hash of their literals.
    derived: FxHashMap<u64, Vec<u32>>,
    refuted: bool,
}

impl ProofChecker {
    /// Takes a clause as given.
    pub(crate) fn add(&mut self, clause: &[Literal]) {
        self.store(clause);
    }

    /// Takes a clause that follows by unit propagation; says whether it does.
    pub(crate) fn derive(&mut self, clause: &[Literal]) -> bool {
        self.reserve(clause);
        let assumed: Vec<Literal> = clause.iter().map(|&literal| !literal).collect();
        if !self.refutes(&assumed) {
            return false;
        }
        if let Some(at) = self.store(clause) {
            self.derived.entry(key(clause)).or_default().push(at);
        }
        true
    }

    /// Forgets a clause that was derived.
    pub(crate) fn forget(&mut self, clause: &[Literal]) {
        let mut sorted = clause.to_vec();
        sorted.sort_unstable();
        let Some(same) = self.derived.get_mut(&key(clause)) else {
            return;
        };
        let found = same.iter().position(|&at| {
            let mut other = self.clauses[at as usize].to_vec();
            other.sort_unstable();
            other == sorted
        });
        if let Some(found) = found {
            // The watches notice when they next look at it.
            self.clauses[same.swap_remove(found) as usize] = Box::default();
        }
    }

    /// Whether the assumption that these literals are true leads to a contradiction by unit propagation.
    pub(crate) fn refutes(&mut self, assumed: &[Literal]) -> bool {
        if self.refuted {
            return true;
        }
        self.reserve(assumed);
        let before = self.trail.len();
        let mut conflict = false;
        for &literal in assumed {
            conflict |= self.is_true[(!literal).index()];
            self.set(literal);
        }
        let conflict = conflict || !self.propagate();
        // Watches stay where they are: taking literals back cannot make a watched one false.
        for literal in self.trail.drain(before..) {
            self.is_true[literal.index()] = false;
        }
        self.head = before;
        conflict
    }

    fn reserve(&mut self, literals: &[Literal]) {
        let most = literals.iter().map(|literal| literal.index() | 1).max();
        if let Some(most) = most.filter(|&most| most >= self.is_true.len()) {
            self.is_true.resize(most + 1, false);
            self.watches.resize(most + 1, Vec::new());
        }
    }

    fn set(&mut self, literal: Literal) {
        if !std::mem::replace(&mut self.is_true[literal.index()], true) {
            self.trail.push(literal);
        }
    }

    fn is_false(&self, literal: Literal) -> bool {
        self.is_true[(!literal).index()]
    }

    /// Adds a clause and what follows; its place if it has one.
    fn store(&mut self, clause: &[Literal]) -> Option<u32> {
        self.reserve(clause);
        let mut clause: Vec<Literal> = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        // Literals that are not false come first, so that these are watched.
        clause.sort_by_key(|&literal| self.is_false(literal));
        let open = clause.iter().filter(|&&l| !self.is_false(l)).count();
        if open == 0 {
            self.refuted = true;
            return None;
        }
        let at = u32::try_from(self.clauses.len()).expect("memory ends before the numbers do");
        // A clause of one literal is true for good and needs no watch.
        if clause.len() > 1 {
            self.watches[clause[0].index()].push(at);
            self.watches[clause[1].index()].push(at);
        }
        let first = clause[0];
        self.clauses.push(clause.into());
        if open == 1 {
            self.set(first);
            self.refuted |= !self.propagate();
        }
        Some(at)
    }

    /// Looks for all consequences of what is true; `false` when that is a contradiction.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.head) {
            self.head += 1;
            let falsified = !literal;
            let mut watching = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = 0;
            let mut consistent = true;
            for at in 0..watching.len() {
                let number = watching[at];
                watching[kept] = number;
                // After a conflict the rest of the list is only kept.
                if !consistent {
                    kept += 1;
                    continue;
                }
                match self.visit(number, falsified) {
                    WatchOutcome::Keep => kept += 1,
                    WatchOutcome::Drop => {}
                    WatchOutcome::Unit(literal) => {
                        kept += 1;
                        self.set(literal);
                    }
                    WatchOutcome::Conflict => {
                        kept += 1;
                        consistent = false;
                    }
                }
            }
            watching.truncate(kept);
            self.watches[falsified.index()] = watching;
            if !consistent {
                return false;
            }
        }
        true
    }

    /// What a clause comes to when one of its watched literals became false.
    fn visit(&mut self, number: u32, falsified: Literal) -> WatchOutcome {
        let clause = &mut self.clauses[number as usize];
        // The clause was forgotten, and this is where its watch notices.
        if clause.is_empty() {
            return WatchOutcome::Drop;
        }
        // The other watched literal goes to the first place, so that the second is the one to fill.
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let other = clause[0];
        if self.is_true[other.index()] {
            return WatchOutcome::Keep;
        }
        for place in 2..clause.len() {
            let next = clause[place];
            if !self.is_true[(!next).index()] {
                clause.swap(1, place);
                self.watches[next.index()].push(number);
                return WatchOutcome::Drop;
            }
        }
        match self.is_true[(!other).index()] {
            true => WatchOutcome::Conflict,
            false => WatchOutcome::Unit(other),
        }
    }
}

/// What becomes of a watch.
enum WatchOutcome {
    Keep,
    Drop,
    Unit(Literal),
    Conflict,
}

/// A number that does not depend on the order of the literals.
fn key(clause: &[Literal]) -> u64 {
    let hash = |literal: &Literal| {
        let mut hasher = FxHasher::default();
        literal.hash(&mut hasher);
        hasher.finish()
    };
    clause.iter().map(hash).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(number: i32) -> Literal {
        Literal::new(number.unsigned_abs(), number < 0)
    }

    fn clause(numbers: &[i32]) -> Vec<Literal> {
        numbers.iter().map(|&number| lit(number)).collect()
    }

    #[test]
    fn only_what_follows_by_unit_propagation_is_derived() {
        let mut checker = ProofChecker::default();
        for given in [[1, 2], [-1, 2], [1, -2], [-1, -2]] {
            checker.add(&clause(&given));
        }
        assert!(!checker.derive(&[]), "this takes a case distinction");
        assert!(!checker.derive(&clause(&[3])));
        assert!(checker.derive(&clause(&[2])));
        assert!(checker.derive(&[]));
        assert!(checker.refutes(&[]));
    }

    #[test]
    fn what_is_forgotten_helps_no_more() {
        let mut checker = ProofChecker::default();
        checker.add(&clause(&[1, 2, 3]));
        checker.add(&clause(&[-1, 2, 3]));
        let learned = clause(&[2, 3]);
        assert!(checker.derive(&learned));
        assert!(checker.refutes(&clause(&[-2, -3])));
        checker.add(&clause(&[-3, 4, 5]));
        assert!(checker.derive(&clause(&[2, 4, 5])), "by the learned clause");
        checker.forget(&clause(&[3, 2]));
        checker.forget(&clause(&[5, 4, 2]));
        checker.forget(&clause(&[1, 2, 3]));
        assert!(checker.refutes(&clause(&[-2, -3])), "by the given ones");
        assert!(!checker.refutes(&clause(&[-2])));
    }

    #[test]
    fn assumptions_leave_no_trace() {
        let mut checker = ProofChecker::default();
        checker.add(&clause(&[-1, 2]));
        checker.add(&clause(&[-2, 3]));
        assert!(checker.refutes(&clause(&[1, -3])));
        assert!(!checker.refutes(&clause(&[-3])));
        assert!(!checker.refutes(&clause(&[1])));
        assert!(checker.refutes(&clause(&[4, -4])));
        checker.add(&clause(&[1]));
        assert!(
            checker.refutes(&clause(&[-3])),
            "units are propagated at once"
        );
    }
}
