//! The invariant of a certificate: as strong as its conditions need, and no stronger.
//!
//! At first it has every state. Whenever a state breaks a condition, it is not a reachable one (of these
//! all conditions are true), so a cube around it is excluded, as large as the reachable states allow; then
//! the steps into what was excluded are excluded likewise. That is the generalisation of Bradley (2011)
//! with the explored states as an oracle, so no guess is ever taken back, and the clauses depend on the
//! reachable states alone, not on the engine that knows them.
//!
//! For people it begins with what the property itself requires of every state, so that the other clauses are what it
//! takes *besides*; cubes are in the words of the model, and clauses that are not needed go.

use wherefore_base::{Budget, Value};
use wherefore_certify::{
    ConditionForm, StateCondition, VerificationCondition, conditions, conditions_with,
};
use wherefore_logic::{Formula, Goal, Kernel, Op, Quantifier, kernel};
use wherefore_model::{Cube, Model, Query, VarId};
use wherefore_proof::WhyStatement;
use wherefore_proof::certificate::{Certificate, ConditionSubject, How, NoCertificate, StateSet};
use wherefore_space::{StateSpace, Vocabulary, states_of, widest_cube};

use super::condition_solver::{ConditionSolver, TriedMoves};
use super::make::{CertificateHalt, CertificateResult};

/// Up to so many clauses, those that follow from others are dropped.
const THINNED: usize = 400;
/// What the property requires of every state is taken as a part of the invariant if it is false in at most so many ways.
const OWN: usize = 12;

/// What an invariant is made for.
pub(super) struct InvariantNeeds<'a, S: StateSpace> {
    pub(super) space: &'a S,
    pub(super) query: &'a Query,
    /// For people: what is said about the certificate.
    pub(super) statements: &'a [WhyStatement],
    /// The most clauses.
    pub(super) most: usize,
    /// For people: the words to use.
    pub(super) words: Option<Vocabulary<S::Set>>,
    pub(super) budget: &'a Budget,
}

impl<S: StateSpace> InvariantNeeds<'_, S> {
    /// Gives a certificate an invariant that makes its conditions true, and those of statements about it; also says how many
    /// of its clauses are the property's own.
    pub(super) fn strengthen(
        &mut self,
        mut certificate: Certificate,
    ) -> CertificateResult<(Certificate, usize)> {
        let mut own = match self.words {
            Some(_) => own_cubes(self.query, &certificate),
            None => Vec::new(),
        };
        // Where no fair path starts, what holds on every path says nothing of the state.
        if !self.space.is_empty(&states_of(self.space, &own)?) {
            own.clear();
        }
        let mut cubes = self.cubes(&certificate, &own, true)?;
        // Wide cubes make strong clauses. Some are so strong that it takes further ones to keep them: where narrow ones do
        // with fewer, these are easier to read.
        if self.words.is_some() && cubes.len() > own.len() + 1 {
            let narrow = self.cubes(&certificate, &own, false)?;
            if narrow.len() < cubes.len() {
                cubes = narrow;
            }
        }
        certificate.invariant = StateSet {
            cubes,
            outside: true,
        };
        Ok((certificate, own.len()))
    }

    /// The cubes that an invariant excludes, the property's own first.
    fn cubes(
        &mut self,
        certificate: &Certificate,
        own: &[Cube],
        wide: bool,
    ) -> CertificateResult<Vec<Cube>> {
        let (space, budget) = (self.space, self.budget);
        let model = space.model();
        let is_worded = self.words.is_some();
        let mut search = InvariantSearch {
            space,
            budget,
            prover: ConditionSolver::new(model, budget)?,
            cubes: Vec::new(),
            most: self.most,
            words: self.words.as_mut(),
            wide,
        };
        for cube in own {
            search.prover.exclude(cube)?;
            search.cubes.push(cube.clone());
        }
        let listed = conditions_with(model, self.query, certificate, self.statements);
        let listed = listed.map_err(|_| CertificateHalt::No(NoCertificate::Unproved))?;
        let needed = besides(&listed);
        for condition in &needed {
            search.settle(condition)?;
        }
        let mut at = 0;
        // The list grows while it is walked: what is excluded must not be stepped into from what is left.
        while at < search.cubes.len() {
            let left = inside(&search.cubes[at]);
            let whole = StateCondition::Const(true);
            search.settle(&ConditionForm::NoStep(whole, StateCondition::In(&left)))?;
            at += 1;
        }
        Ok(match search.cubes.len() <= THINNED {
            true if is_worded => {
                let mut prover = ConditionSolver::new(model, budget)?;
                minimal(&mut prover, search.cubes, own.len(), &needed)?
            }
            true => search.thinned()?,
            false => search.cubes,
        })
    }
}

/// The states of one cube.
fn inside(cube: &Cube) -> StateSet {
    StateSet {
        cubes: vec![cube.clone()],
        outside: false,
    }
}

/// Where a condition is false that a property requires of every state, as cubes of its basic propositions; none where
/// there are too many.
fn own_cubes(query: &Query, certificate: &Certificate) -> Vec<Cube> {
    let propositional = query.formula.propositional();
    let mut cubes: Vec<Cube> = Vec::new();
    for claim in &certificate.claims {
        if claim.how != How::Closed || !claim.states.is_everything() {
            continue;
        }
        let Kernel::Path(pattern) = kernel(&query.formula, claim.goal) else {
            continue;
        };
        if pattern.quantifier != Quantifier::Forall || pattern.goal.is_some() {
            continue;
        }
        for goal in pattern.stay {
            if propositional[goal.sub]
                && let Some(false_at) = ways(&query.formula, goal.negated())
            {
                cubes.extend(false_at.into_iter().map(|goals| basic(query, &goals)));
            }
        }
    }
    match cubes.len() <= OWN {
        true => cubes,
        false => Vec::new(),
    }
}

/// The ways in which a proposition is so, each a list of basic ones; `None`: too many.
fn ways(formula: &Formula, goal: Goal) -> Option<Vec<Vec<Goal>>> {
    wherefore_base::deep(|| match kernel(formula, goal) {
        Kernel::Branches(branches) => {
            let mut all = Vec::new();
            for goals in branches {
                let mut here = vec![Vec::new()];
                for goal in goals {
                    let next = ways(formula, goal)?;
                    let joined = here.iter().flat_map(|way: &Vec<Goal>| {
                        next.iter().map(|more| [&way[..], &more[..]].concat())
                    });
                    here = joined.collect();
                }
                all.extend(here);
            }
            (all.len() <= OWN).then_some(all)
        }
        _ => match formula.op(goal.sub) {
            Op::Const(value) if value == goal.holds => Some(vec![vec![]]),
            Op::Const(_) => Some(vec![]),
            _ => Some(vec![vec![goal]]),
        },
    })
}

fn basic(query: &Query, goals: &[Goal]) -> Cube {
    let terms = goals
        .iter()
        .filter_map(|goal| match query.formula.op(goal.sub) {
            Op::Atom(atom) => Some((query.atoms[atom], goal.holds)),
            _ => None,
        });
    let mut terms: Vec<_> = terms.collect();
    terms.sort_unstable();
    terms.dedup();
    Cube {
        terms,
        ..Cube::default()
    }
}

struct InvariantSearch<'s, 'w, S: StateSpace> {
    space: &'s S,
    budget: &'s Budget,
    prover: ConditionSolver<'s>,
    cubes: Vec<Cube>,
    most: usize,
    words: Option<&'w mut Vocabulary<S::Set>>,
    /// Whether cubes get as many values as fit.
    wide: bool,
}

impl<S: StateSpace> InvariantSearch<'_, '_, S> {
    /// Excludes states until a condition is true.
    fn settle(&mut self, what: &ConditionForm<'_>) -> CertificateResult<()> {
        let mut tried = TriedMoves::default();
        while let Some(state) = self.prover.counterexample(what, &mut tried)? {
            let cube = self.around(&state)?;
            if self.cubes.len() >= self.most {
                return Err(CertificateHalt::No(NoCertificate::Cubes(self.most)));
            }
            self.prover.exclude(&cube)?;
            self.cubes.push(cube);
        }
        Ok(())
    }

    /// A cube around an unreachable state, without any reachable one.
    fn around(&mut self, state: &[Value]) -> CertificateResult<Cube> {
        let values = state.iter().enumerate();
        let values = values.map(|(at, &value)| (VarId::new(at), vec![value]));
        let values: Vec<(VarId, Vec<Value>)> = values.collect();
        // A reachable state that breaks a condition means that a claim is wrong, and no invariant mends that.
        if !self.space.is_empty(&self.space.states_with(&values)?) {
            return Err(CertificateHalt::No(NoCertificate::Unproved));
        }
        if let Some(words) = &mut self.words {
            let prover = &mut self.prover;
            let cube = words.around(self.space, state, self.wide, &mut |term| {
                prover.is_true_at(state, term)
            })?;
            if let Some(cube) = cube {
                return Ok(cube);
            }
        }
        Ok(widest_cube(self.space, state, self.space.reachable())?)
    }

    /// The cubes without those that the others have all states of.
    fn thinned(self) -> CertificateResult<Vec<Cube>> {
        let mut prover = ConditionSolver::new(self.space.model(), self.budget)?;
        let mut kept = vec![true; self.cubes.len()];
        // The last ones go first, so that of two that make up for each other the earlier is kept.
        for at in (0..self.cubes.len()).rev() {
            kept[at] = false;
            let others = outside(&self.cubes, &kept);
            let own = inside(&self.cubes[at]);
            let left =
                StateCondition::All(vec![StateCondition::In(&own), StateCondition::In(&others)]);
            let found =
                prover.counterexample(&ConditionForm::Never(left), &mut TriedMoves::default())?;
            kept[at] = found.is_some();
        }
        Ok(only(self.cubes, &kept))
    }
}

/// The same certificate with an invariant that begins with what the property itself requires of every state and of which
/// no other clause can be left out; and how many of its clauses are the property's own.
pub(super) fn slimmed(
    model: &Model,
    query: &Query,
    mut certificate: Certificate,
    budget: &Budget,
) -> CertificateResult<(Certificate, usize)> {
    let own = own_cubes(query, &certificate);
    let invariant = std::mem::replace(&mut certificate.invariant, StateSet::everything());
    if !invariant.outside || invariant.cubes.len() > THINNED {
        certificate.invariant = invariant;
        return Ok((certificate, 0));
    }
    let cubes = own.iter().cloned().chain(invariant.cubes).collect();
    let listed = conditions(model, query, &certificate);
    let listed = listed.map_err(|_| CertificateHalt::No(NoCertificate::Unproved))?;
    let mut prover = ConditionSolver::new(model, budget)?;
    let cubes = minimal(&mut prover, cubes, own.len(), &besides(&listed))?;
    certificate.invariant = StateSet {
        cubes,
        outside: true,
    };
    Ok((certificate, own.len()))
}

/// The conditions that are not about the invariant itself. Its clauses exclude unreachable states only, so the start is
/// kept; that steps keep it is asked clause by clause.
fn besides<'l, 'c>(listed: &'l [VerificationCondition<'c>]) -> Vec<&'l ConditionForm<'c>> {
    let needed = listed.iter().filter(|condition| {
        !matches!(
            condition.about,
            ConditionSubject::Start | ConditionSubject::Kept
        )
    });
    needed.map(|condition| &condition.what).collect()
}

/// The cubes without any that can go: what is left then, without the clauses that steps do not keep any more, still
/// makes all conditions true. The first `own` stay.
fn minimal(
    prover: &mut ConditionSolver<'_>,
    cubes: Vec<Cube>,
    own: usize,
    needed: &[&ConditionForm<'_>],
) -> CertificateResult<Vec<Cube>> {
    let mut kept = vec![true; cubes.len()];
    // With fewer clauses a step or a condition is broken at least as easily: a clause that could not go once cannot go
    // later, and one pass is enough. Longer clauses are tried first, so that short ones are left.
    let mut order: Vec<usize> = (own..cubes.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse((weight(&cubes[at]), at)));
    for at in order {
        if !kept[at] {
            continue;
        }
        let mut fewer = kept.clone();
        fewer[at] = false;
        if inductive_part(prover, &cubes, own, &mut fewer)?
            && suffices(prover, &cubes, &fewer, needed)?
        {
            kept = fewer;
        }
    }
    Ok(only(cubes, &kept))
}

/// How much there is to read in a clause.
fn weight(cube: &Cube) -> usize {
    cube.values.len() + cube.bits.len() + cube.terms.len()
}

fn only(cubes: Vec<Cube>, kept: &[bool]) -> Vec<Cube> {
    let cubes = cubes.into_iter().zip(kept).filter(|(_, kept)| **kept);
    cubes.map(|(cube, _)| cube).collect()
}

/// The states outside of the cubes that are kept.
fn outside(cubes: &[Cube], kept: &[bool]) -> StateSet {
    let others = cubes.iter().zip(kept).filter(|(_, kept)| **kept);
    StateSet {
        cubes: others.map(|(cube, _)| cube.clone()).collect(),
        outside: true,
    }
}

/// Drops clauses until steps keep all that are left; whether the first `own` are among them.
fn inductive_part(
    prover: &mut ConditionSolver<'_>,
    cubes: &[Cube],
    own: usize,
    kept: &mut [bool],
) -> CertificateResult<bool> {
    loop {
        let invariant = outside(cubes, kept);
        let mut changed = false;
        for at in (0..cubes.len()).filter(|&at| kept[at]).collect::<Vec<_>>() {
            let left = inside(&cubes[at]);
            let step =
                ConditionForm::NoStep(StateCondition::In(&invariant), StateCondition::In(&left));
            if prover
                .counterexample(&step, &mut TriedMoves::default())?
                .is_some()
            {
                if at < own {
                    return Ok(false);
                }
                (kept[at], changed) = (false, true);
            }
        }
        if !changed {
            return Ok(true);
        }
    }
}

/// Whether the clauses that are kept make conditions true.
fn suffices(
    prover: &mut ConditionSolver<'_>,
    cubes: &[Cube],
    kept: &[bool],
    needed: &[&ConditionForm<'_>],
) -> CertificateResult<bool> {
    let invariant = outside(cubes, kept);
    fn both<'c>(set: &'c StateSet, expr: &StateCondition<'c>) -> StateCondition<'c> {
        StateCondition::All(vec![StateCondition::In(set), expr.clone()])
    }
    let within = |expr| both(&invariant, expr);
    for condition in needed {
        let asked = match condition {
            ConditionForm::Never(expr) => ConditionForm::Never(within(expr)),
            ConditionForm::NeverAtStart(expr) => ConditionForm::NeverAtStart(expr.clone()),
            ConditionForm::NoStep(from, to) => ConditionForm::NoStep(within(from), to.clone()),
            ConditionForm::SomeStep(from, to) => ConditionForm::SomeStep(within(from), to.clone()),
        };
        if prover
            .counterexample(&asked, &mut TriedMoves::default())?
            .is_some()
        {
            return Ok(false);
        }
    }
    Ok(true)
}
