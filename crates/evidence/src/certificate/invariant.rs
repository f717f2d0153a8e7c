//! The invariant of a certificate: as strong as its conditions need, and no stronger.
//!
//! At first it has every state. Whenever a state breaks a condition, it is not a reachable one (of these
//! all conditions are true), so a cube around it is excluded, as large as the reachable states allow; then
//! the steps into what was excluded are excluded likewise. That is the generalisation of Bradley (2011)
//! with the explored states as an oracle, so no guess is ever taken back, and the clauses depend on the
//! reachable states alone, not on the engine that knows them.

use wherefore_base::Value;
use wherefore_certify::{ConditionForm, StateCondition, conditions};
use wherefore_model::{Cube, Query, VarId};
use wherefore_proof::certificate::{Certificate, ConditionSubject, NoCertificate, StateSet};
use wherefore_space::{StateSpace, widest_cube};

use super::condition_solver::{ConditionSolver, TriedMoves};
use super::make::{CertificateHalt, CertificateResult};

/// Up to so many clauses, those that follow from others are dropped.
const THINNED: usize = 400;

/// Gives a certificate an invariant of at most so many clauses that makes its conditions true.
pub(super) fn strengthen<S: StateSpace>(
    space: &S,
    query: &Query,
    mut certificate: Certificate,
    most: usize,
) -> CertificateResult<Certificate> {
    let (model, budget) = (space.model(), space.budget());
    let mut search = InvariantSearch {
        space,
        prover: ConditionSolver::new(model, budget)?,
        cubes: Vec::new(),
        most,
    };
    let listed = conditions(model, query, &certificate);
    let listed = listed.map_err(|_| CertificateHalt::No(NoCertificate::Unproved))?;
    for condition in &listed {
        // Cubes exclude unreachable states only, so the start is kept; that steps keep the invariant is
        // settled below.
        if !matches!(
            condition.about,
            ConditionSubject::Start | ConditionSubject::Kept
        ) {
            search.settle(&condition.what)?;
        }
    }
    let mut at = 0;
    // The list grows while it is walked: what is excluded must not be stepped into from what is left.
    while at < search.cubes.len() {
        let left = StateSet {
            cubes: vec![search.cubes[at].clone()],
            outside: false,
        };
        let whole = StateCondition::Const(true);
        search.settle(&ConditionForm::NoStep(whole, StateCondition::In(&left)))?;
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

struct InvariantSearch<'s, S: StateSpace> {
    space: &'s S,
    prover: ConditionSolver<'s>,
    cubes: Vec<Cube>,
    most: usize,
}

impl<S: StateSpace> InvariantSearch<'_, S> {
    /// Excludes states until a condition is true.
    fn settle(&mut self, what: &ConditionForm<'_>) -> CertificateResult<()> {
        let mut tried = TriedMoves::default();
        while let Some(state) = self.prover.counterexample(what, &mut tried)? {
            let cube = self.around(&state)?;
            if self.cubes.len() == self.most {
                return Err(CertificateHalt::No(NoCertificate::Cubes(self.most)));
            }
            self.prover.exclude(&cube)?;
            self.cubes.push(cube);
        }
        Ok(())
    }

    /// A cube around an unreachable state, without any reachable one.
    fn around(&self, state: &[Value]) -> CertificateResult<Cube> {
        let values = state.iter().enumerate();
        let values = values.map(|(at, &value)| (VarId::new(at), vec![value]));
        let values: Vec<(VarId, Vec<Value>)> = values.collect();
        // A reachable state that breaks a condition means that a claim is wrong, and no invariant mends that.
        if !self.space.is_empty(&self.space.states_with(&values)?) {
            return Err(CertificateHalt::No(NoCertificate::Unproved));
        }
        Ok(widest_cube(self.space, state, self.space.reachable())?)
    }

    /// The cubes without those that the others have all states of.
    fn thinned(self) -> CertificateResult<Vec<Cube>> {
        let mut prover = ConditionSolver::new(self.space.model(), self.space.budget())?;
        let mut kept = vec![true; self.cubes.len()];
        // The last ones go first, so that of two that make up for each other the earlier is kept.
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
            let left =
                StateCondition::All(vec![StateCondition::In(&own), StateCondition::In(&others)]);
            let found =
                prover.counterexample(&ConditionForm::Never(left), &mut TriedMoves::default())?;
            kept[at] = found.is_some();
        }
        let cubes = self.cubes.into_iter().zip(kept).filter(|(_, kept)| *kept);
        Ok(cubes.map(|(cube, _)| cube).collect())
    }
}
