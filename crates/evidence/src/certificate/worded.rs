//! Descriptions for people of the sets of a certificate, and what its claims say about the states where they are needed.

use wherefore_base::Run;
use wherefore_logic::{Goal, Kernel, kernel};
use wherefore_proof::certificate::{How, LayerReason, StateSet};
use wherefore_proof::{StepBound, WhyStatement};
use wherefore_space::{StateSpace, states_of};

use super::make::{CertificateMaker, CertificateResult};

/// A set that takes more cubes than this is not described in the words of the model.
const WORDED: usize = 24;
/// So many bounds on numbers of steps are told of a claim.
const BOUNDS: usize = 5;

impl<S: StateSpace> CertificateMaker<'_, '_, S> {
    /// A claim is needed in further states: one about next states is made there, too. The others are made wherever they are
    /// true.
    pub(super) fn again(
        &mut self,
        at: usize,
        needed: &S::Set,
        so: &S::Set,
    ) -> CertificateResult<()> {
        if self.words.is_none() || self.claims[at].how != How::Step {
            return Ok(());
        }
        let claimed = self.states_of(&self.claims[at].states)?;
        let all = self.space.join(&claimed, needed)?;
        let states = match self.needed_states(&all, so)? {
            Some(found) => found,
            None => self.describe(so)?,
        };
        for statement in self.statements.iter_mut().filter(|s| s.claim == at) {
            statement.states = states.clone();
        }
        self.claims[at].states = states;
        Ok(())
    }

    /// The reachable states of a set.
    fn states_of(&self, set: &StateSet) -> Run<S::Set> {
        let cubes = states_of(self.space, &set.cubes)?;
        match set.outside {
            true => self.space.minus(self.space.reachable(), &cubes),
            false => Ok(cubes),
        }
    }

    /// For people: the states where a claim is needed, in few words; it may be true of the others that it has.
    pub(super) fn needed_states(
        &mut self,
        needed: &S::Set,
        so: &S::Set,
    ) -> CertificateResult<Option<StateSet>> {
        let others = self.space.minus(self.space.reachable(), so)?;
        self.worded(needed, &others)
    }

    /// For people: what a claim that is about to be made says about the states where it is needed, and how far away its
    /// goal is from there.
    pub(super) fn state(
        &mut self,
        goal: Goal,
        needed: &S::Set,
        so: &S::Set,
        how: &How,
    ) -> CertificateResult<()> {
        let Some(states) = self.needed_states(needed, so)? else {
            return Ok(());
        };
        let space = self.space;
        let here = self.states_of(&states)?;
        // Steps are counted to what must be reached, by paths that do not end on the way.
        let counts = match (kernel(&self.query.formula, goal), how) {
            (Kernel::Path(pattern), How::Leaves(layers)) => {
                !self.is_finite(&pattern)
                    && layers.iter().all(|l| l.reason == LayerReason::StepsOut)
            }
            (Kernel::Path(pattern), How::Reaches { .. }) => !pattern.weak,
            _ => false,
        };
        let mut layers = Vec::new();
        for layer in &self.ladder {
            layers.push(space.meet(layer, &here)?);
        }
        while layers.last().is_some_and(|layer| space.is_empty(layer)) {
            layers.pop();
        }
        let mut statement = WhyStatement {
            claim: self.claims.len(),
            states,
            steps: counts.then_some(layers.len()),
            bounds: Vec::new(),
            count: None,
        };
        if let (true, Some(words)) = (counts, &mut self.words) {
            let graded = words.graded(space, &layers, BOUNDS)?;
            statement.bounds = graded
                .into_iter()
                .map(|(cube, steps)| StepBound {
                    states: StateSet {
                        cubes: vec![cube],
                        outside: false,
                    },
                    steps,
                })
                .collect();
        }
        self.statements.push(statement);
        Ok(())
    }

    /// A set, told from another one in few words.
    pub(super) fn worded(
        &mut self,
        set: &S::Set,
        outside: &S::Set,
    ) -> CertificateResult<Option<StateSet>> {
        let (space, most) = (self.space, WORDED.min(self.cubes));
        let Some(words) = &mut self.words else {
            return Ok(None);
        };
        let mut found: Option<StateSet> = None;
        for (set, others, is_outside) in [(set, outside, false), (outside, set, true)] {
            let Some(cubes) = words.describe(space, set, others, most)? else {
                continue;
            };
            let described = StateSet {
                cubes,
                outside: is_outside,
            };
            // Of two that are as long, the one that says what is in the set.
            if found
                .as_ref()
                .is_none_or(|known| length(&described) < length(known))
            {
                found = Some(described);
            }
        }
        Ok(found)
    }
}

/// How much there is to read in a description.
fn length(set: &StateSet) -> usize {
    let cubes = set.cubes.iter();
    cubes
        .map(|cube| 1 + cube.values.len() + cube.bits.len() + cube.terms.len())
        .sum()
}
