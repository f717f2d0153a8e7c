//! The invariant of a certificate: as strong as its conditions need, and no stronger.
//!
//! At first it has every state. Whenever a state breaks a condition, it is not a reachable one (of these
//! all conditions are true), so a cube around it is excluded, as large as the reachable states allow; then
//! the steps into what was excluded are excluded likewise. That is the generalisation of Bradley (2011)
//! with the explored states as an oracle, so no guess is ever taken back, and the clauses depend on the
//! reachable states alone, not on the engine that knows them.

use wherefore_base::Value;
use wherefore_model::{Cube, Query, VarId};
use wherefore_proof::certificate::{About, Certificate, NoCertificate, StateSet};
use wherefore_space::{StateSpace, widest_cube};

use super::make::{Halt, Made};
use super::verify::{Prover, Tried};
use super::{What, conditions};

/// Up to so many clauses, those that follow from others are dropped.
const THINNED: usize = 400;

/// Gives a certificate an invariant of at most so many clauses that makes its conditions true.
pub(super) fn strengthen<S: StateSpace>(
    space: &S,
    query: &Query,
    mut certificate: Certificate,
    most: usize,
) -> Made<Certificate> {
    let (model, budget) = (space.model(), space.budget());
    let mut search = Search {
        space,
        prover: Prover::new(model, budget)?,
        cubes: Vec::new(),
        most,
    };
    let listed = conditions(model, query, &certificate);
    let listed = listed.map_err(|_| Halt::No(NoCertificate::Unproved))?;
    for condition in &listed {
        if !matches!(condition.about, About::Start | About::Kept) {
            search.settle(&condition.what)?;
        }
    }
    let mut at = 0;
    while at < search.cubes.len() {
        let left = StateSet {
            cubes: vec![search.cubes[at].clone()],
            outside: false,
        };
        let whole = super::Expr::Const(true);
        search.settle(&What::NoStep(whole, super::Expr::In(&left)))?;
        at += 1;
    }
    let cubes = match search.cubes.len() <= THINNED {
        true => search.thinned()?,
        false => search.cubes,
    };
    certificate.invariant = StateSet {
        cubes,
        outside: true,
    };
    Ok(certificate)
}

struct Search<'s, S: StateSpace> {
    space: &'s S,
    prover: Prover<'s>,
    cubes: Vec<Cube>,
    most: usize,
}

impl<S: StateSpace> Search<'_, S> {
    /// Excludes states until a condition is true.
    fn settle(&mut self, what: &What<'_>) -> Made<()> {
        let mut tried = Tried::default();
        while let Some(found) = self.prover.counterexample(what, &mut tried)? {
            let cube = self.around(&found.state)?;
            if self.cubes.len() == self.most {
                return Err(Halt::No(NoCertificate::Cubes(self.most)));
            }
            self.prover.exclude(&cube)?;
            self.cubes.push(cube);
        }
        Ok(())
    }

    /// A cube around an unreachable state, without any reachable one.
    fn around(&self, state: &[Value]) -> Made<Cube> {
        let values = state.iter().enumerate();
        let values = values.map(|(at, &value)| (VarId::new(at), vec![value]));
        let values: Vec<(VarId, Vec<Value>)> = values.collect();
        if !self.space.is_empty(&self.space.states_with(&values)?) {
            return Err(Halt::No(NoCertificate::Unproved));
        }
        Ok(widest_cube(self.space, state, self.space.reachable())?)
    }

    /// The cubes without those that the others have all states of.
    fn thinned(self) -> Made<Vec<Cube>> {
        let mut prover = Prover::new(self.space.model(), self.space.budget())?;
        let mut kept = vec![true; self.cubes.len()];
        for at in (0..self.cubes.len()).rev() {
            kept[at] = false;
            let others = self.cubes.iter().zip(&kept).filter(|(_, kept)| **kept);
            let others = StateSet {
                cubes: others.map(|(cube, _)| cube.clone()).collect(),
                outside: true,
            };
            let own = StateSet {
                cubes: vec![self.cubes[at].clone()],
                outside: false,
            };
            let left = super::Expr::All(vec![super::Expr::In(&own), super::Expr::In(&others)]);
            let found = prover.counterexample(&What::Never(left), &mut Tried::default())?;
            kept[at] = found.is_some();
        }
        let cubes = self.cubes.into_iter().zip(kept).filter(|(_, kept)| *kept);
        Ok(cubes.map(|(cube, _)| cube).collect())
    }
}
