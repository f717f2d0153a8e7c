//! Abstract runs: one run of sets of states that stands for all shortest counterexamples or witnesses.
//!
//! Chechik and Gurfinkel (2005) show all witnesses of a reachability property at once by a proof whose
//! claims are about sets. Here the claims are those whose evidence is one finite run: everything that
//! comes down to `EX` and `EU` with at most one of them on each branch. For these, [`Abstraction`]
//! holds the states of *all* shortest runs, position by position, the number of these runs, and the
//! proof. Whatever is chosen on the way, unfolding it never gets stuck. Other claims have no abstract
//! form, and [`NoAbstract`] says why.

mod describe;
mod layers;
mod proof;
mod stages;
mod unfold;

use wherefore_base::Run;
use wherefore_logic::Goal;
use wherefore_proof::{
    AbstractClaim, AbstractOptions, AbstractRun, ClaimStates, NoAbstract, Replay,
};
use wherefore_replay::{replay_abstract, replay_set_proof};
use wherefore_space::StateSpace;

use crate::case::ProofCase;
use layers::AbstractLayers;
use stages::Stages;

pub use proof::{SetClaim, SetProof};
pub use unfold::{AbstractChoices, AbstractPoint};

/// An abstract run over a space, with its sets: it can be unfolded and its proof re-checked.
pub struct Abstraction<'s, S: StateSpace> {
    space: &'s S,
    layers: AbstractLayers<S::Set>,
    proof: SetProof<S::Set>,
    run: AbstractRun,
}

/// The sets of claims are described in proofs with at most so many.
const DESCRIBED: usize = 200;

impl<'s, S: StateSpace> Abstraction<'s, S> {
    /// The shortest runs that show a goal from the starts, at each of which it is so.
    pub(crate) fn new(
        case: &ProofCase<'_, 's, S>,
        claim: Goal,
        starts: &S::Set,
        options: &AbstractOptions,
    ) -> Run<Result<Self, NoAbstract>> {
        let space = case.space;
        space.budget().phase("gathering all shortest runs");
        let stages = match Stages::new(case, claim, options.split)? {
            Ok(stages) => stages,
            Err(why) => return Ok(Err(why)),
        };
        let layers = match AbstractLayers::new(space, &stages, starts, options)? {
            Ok(layers) => layers,
            Err(why) => return Ok(Err(why)),
        };
        let proof = SetProof::new(case, &stages, &layers, options)?;
        space.budget().phase("counting runs");
        let runs = layers.count(space)?;
        space.budget().phase("describing sets of states");
        let (mut positions, mut sets) = (Vec::new(), Vec::new());
        for position in 0..layers.positions.len() {
            let states = layers.states(space, position)?;
            positions.push(describe::position(space, &states)?);
            sets.push(states);
        }
        let mut claims = Vec::new();
        for claim in &proof.claims {
            let of = match &claim.states {
                states if *states == sets[claim.position] => ClaimStates::Position,
                states if proof.claims.len() <= DESCRIBED => {
                    ClaimStates::Described(Box::new(describe::position(space, states)?))
                }
                _ => ClaimStates::NotDescribed,
            };
            claims.push(AbstractClaim {
                of,
                taken: claim.taken,
                goal: claim.goal,
                position: claim.position,
                states: space.count(&claim.states)?,
                rule: claim.rule,
                premises: claim.premises.clone(),
            });
        }
        let run = AbstractRun {
            claim,
            options: *options,
            positions,
            runs,
            proof: claims,
            proof_replayed: false,
            replay: Replay::NotDone,
        };
        let mut abstraction = Self {
            space,
            layers,
            proof,
            run,
        };
        space.budget().phase("replaying runs");
        let samples = abstraction.samples()?;
        let (model, query) = (space.model(), case.query);
        let replay = replay_abstract(model, query, &abstraction.run, &samples, space.budget())?;
        let proof = replay_set_proof(model, query, &abstraction.run, space.budget())?;
        abstraction.run.proof_replayed = proof == Ok(true);
        abstraction.run.replay = match proof {
            Err(wrong) => Replay::Failed(wrong),
            Ok(_) => replay,
        };
        Ok(Ok(abstraction))
    }

    /// The run as a value of its own.
    pub fn run(&self) -> &AbstractRun {
        &self.run
    }

    /// The run as a value of its own, without its sets.
    pub fn into_run(self) -> AbstractRun {
        self.run
    }

    /// The proof with its sets.
    pub fn proof(&self) -> &SetProof<S::Set> {
        &self.proof
    }

    /// The states of a position, which is at most the number of steps.
    pub fn states(&self, position: usize) -> Run<S::Set> {
        self.layers.states(self.space, position)
    }
}
