//! What we ask of a solver, whichever it is.

use std::fmt;
use std::ops::Not;

use wherefore_base::{Budget, Run};

/// The strongest solver of this build.
#[cfg(feature = "cadical")]
pub type Strongest = crate::Cadical;
/// The strongest solver of this build.
#[cfg(not(feature = "cadical"))]
pub type Strongest = crate::Batsat;

/// A variable of a solver, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal of a variable, given by its number from 0.
    ///
    /// # Panics
    /// When the number does not fit 30 bits.
    pub fn new(variable: usize, negated: bool) -> Self {
        let variable = u32::try_from(variable).ok().filter(|v| *v < 1 << 30);
        let variable = variable.expect("there are fewer than 2^30 variables");
        Self(variable << 1 | u32::from(negated))
    }

    /// The number of its variable, from 0.
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation of its variable.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal or its negation.
    #[must_use]
    pub fn negated_if(self, negated: bool) -> Self {
        Self(self.0 ^ u32::from(negated))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negated() { "-" } else { "" };
        write!(f, "{sign}{}", self.variable())
    }
}

/// What a solver says of its clauses under assumptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatAnswer {
    /// There is an assignment that makes all of them true.
    Sat,
    /// There is none.
    Unsat,
}

/// A solver that takes more clauses between questions.
pub trait Solver {
    /// A solver without clauses.
    fn empty() -> Self
    where
        Self: Sized;

    /// A solver without clauses, for one hard question whose answer is often no.
    fn for_refutation() -> Self
    where
        Self: Sized,
    {
        Self::empty()
    }

    /// A variable that was not used before, as a literal.
    fn new_var(&mut self) -> Lit;

    /// Requires one of the literals.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Whether all clauses and all assumptions can be true together.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Run<SatAnswer>;

    /// Whether a literal is true in the assignment found. Meant after [`SatAnswer::Sat`], before the next
    /// clause.
    fn value(&mut self, lit: Lit) -> bool;

    /// Whether an assumption is among those that cannot be true together. Meant after
    /// [`SatAnswer::Unsat`], of the assumptions then made.
    fn failed(&mut self, lit: Lit) -> bool;
}

#[cfg(test)]
mod tests {
    use wherefore_base::Stop;

    use super::*;

    /// `pigeons` into `holes`, each pigeon with a literal that asks for its place.
    fn pigeons<S: Solver>(solver: &mut S, pigeons: usize, holes: usize) -> Vec<Lit> {
        let rows: Vec<(Lit, Vec<Lit>)> = (0..pigeons)
            .map(|_| {
                let wanted = solver.new_var();
                let row: Vec<Lit> = (0..holes).map(|_| solver.new_var()).collect();
                let clause: Vec<Lit> = row.iter().copied().chain([!wanted]).collect();
                solver.add_clause(&clause);
                (wanted, row)
            })
            .collect();
        for (at, (_, first)) in rows.iter().enumerate() {
            for (_, second) in &rows[..at] {
                for (&a, &b) in first.iter().zip(second) {
                    solver.add_clause(&[!a, !b]);
                }
            }
        }
        rows.into_iter().map(|(wanted, _)| wanted).collect()
    }

    fn battery<S: Solver>() {
        let free = Budget::unlimited();
        let mut solver = S::empty();
        let wanted = pigeons(&mut solver, 5, 4);
        assert_eq!(solver.solve(&wanted, &free), Ok(SatAnswer::Unsat));
        assert!(wanted.iter().all(|&w| solver.failed(w)));
        assert_eq!(solver.solve(&wanted[1..], &free), Ok(SatAnswer::Sat));
        assert!(wanted[1..].iter().all(|&w| solver.value(w)));
        let more = solver.new_var();
        solver.add_clause(&[!more, !wanted[1]]);
        let assumed = [more, wanted[1], wanted[2]];
        assert_eq!(solver.solve(&assumed, &free), Ok(SatAnswer::Unsat));
        assert!(!solver.failed(wanted[2]));
        assert_eq!(solver.solve(&[more], &free), Ok(SatAnswer::Sat));
        assert!(solver.value(!wanted[1]) && !solver.value(wanted[1]));

        solver.add_clause(&[]);
        assert_eq!(solver.solve(&[], &free), Ok(SatAnswer::Unsat));

        let mut hard = S::for_refutation();
        let wanted = pigeons(&mut hard, 12, 11);
        assert_eq!(hard.solve(&wanted, &free.counted(1)), Err(Stop::TimeOut));
        let soon = free.within(std::time::Duration::from_millis(30));
        assert_eq!(hard.solve(&wanted, &soon), Err(Stop::TimeOut));
        let cancelled = Budget::unlimited();
        let elsewhere = cancelled.clone();
        let pause = std::time::Duration::from_millis(30);
        let other = std::thread::spawn(move || {
            std::thread::sleep(pause);
            elsewhere.stop(Stop::Cancelled);
        });
        assert_eq!(hard.solve(&wanted, &cancelled), Err(Stop::Cancelled));
        other.join().expect("it only waits");
        assert_eq!(hard.solve(&wanted[1..], &free), Ok(SatAnswer::Sat));
    }

    #[test]
    fn batsat_answers_finds_cores_and_stops() {
        battery::<crate::Batsat>();
    }

    #[cfg(feature = "cadical")]
    #[test]
    fn cadical_answers_finds_cores_and_stops() {
        battery::<crate::Cadical>();
    }
}
