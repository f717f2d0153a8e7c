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

use num_bigint::BigUint;
use wherefore_base::{Run, Stop, Value};
use wherefore_logic::Goal;
use wherefore_model::VarId;
use wherefore_space::{Cover, StateSpace};

use crate::case::Case;
use crate::replay::replay_abstract;
use crate::types::Replay;
use layers::Layers;
use stages::Stages;

pub use proof::{SetClaim, SetProof, SetRule};
pub use unfold::{Choices, Point};

/// How a set is split where a claim can be shown in several ways.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Split {
    /// Every state goes every way it can: the run stands for all.
    #[default]
    Both,
    /// Every state goes the first way it can, as the formula is written. A path that can arrive here
    /// or later arrives here.
    Left,
    /// Every state goes the last way it can. A path that can arrive here or later arrives later.
    Right,
    /// Every state goes the way with the smallest sub-formulas, of equal ones the first.
    Simpler,
}

/// How large a successor set is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Width {
    /// As large as it can be.
    #[default]
    All,
    /// One state, the least: the run is a concrete one.
    One,
}

/// Which of the shortest runs an abstract run stands for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AbstractOptions {
    /// How a set is split where a claim can be shown in several ways.
    pub split: Split,
    /// How large a successor set is.
    pub width: Width,
}

impl AbstractOptions {
    /// Whether a state goes one way only where it could go several.
    fn prefers(&self) -> bool {
        *self != Self::default()
    }
}

/// Why there is no abstract run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoAbstract {
    /// This is about every path, and one run does not show it.
    EveryPath(Goal),
    /// This may take a run that never ends.
    ForEver(Goal),
    /// This may take several runs that part.
    SeveralRuns(Goal),
    /// This must be so at every state on the way, and each time takes a run of its own.
    OnTheWay(Goal),
    /// This bounded operator has a bound above this one.
    LongBounds(Goal, u32),
    /// The shortest runs have more steps than this.
    TooLong(usize),
    /// Too many parts of the property are open at once.
    TooManyStages,
}

/// What became of the wish for an abstract run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Abstracted {
    /// Here it is.
    Run(AbstractRun),
    /// There is none.
    None(NoAbstract),
    /// The work had to stop before.
    Stopped(Stop),
}

/// `set -> set -> ... -> set`: stands for all shortest runs that show a claim, or for some of them.
///
/// Invariant: every state of a position has a successor in the next one with which some run goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractRun {
    /// What every run shows at its first state.
    pub claim: Goal,
    /// Which of the shortest runs it stands for.
    pub options: AbstractOptions,
    /// The positions in order; there is one more than steps.
    pub positions: Vec<AbstractPosition>,
    /// How many runs it stands for, each a sequence of states; `None`: not counted, since that takes
    /// too much.
    pub runs: Option<BigUint>,
    /// The proof over sets, premises first.
    pub proof: Vec<AbstractClaim>,
    /// What the independent re-check said.
    pub replay: Replay,
}

impl AbstractRun {
    /// How many steps each run has.
    pub fn steps(&self) -> usize {
        self.positions.len() - 1
    }
}

/// The states that the runs have at one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractPosition {
    /// How many there are.
    pub states: BigUint,
    /// Variables that have the same value in all of them.
    pub common: Vec<(VarId, Value)>,
    /// What tells them from the other reachable states. No part of it can go.
    pub cover: Cover,
    /// Variables that have several values here and do not matter: they are in no part of the cover.
    pub free: Vec<VarId>,
}

/// A claim of the proof over sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractClaim {
    /// What is claimed.
    pub goal: Goal,
    /// The position of the states it is claimed of.
    pub position: usize,
    /// How many states it is claimed of.
    pub states: BigUint,
    /// Why it is so.
    pub rule: SetRule,
    /// What it follows from, by number.
    pub premises: Vec<usize>,
}

/// An abstract run over a space, with its sets: it can be unfolded and its proof re-checked.
pub struct Abstraction<'s, S: StateSpace> {
    space: &'s S,
    layers: Layers<S::Set>,
    proof: SetProof<S::Set>,
    run: AbstractRun,
}

impl<'s, S: StateSpace> Abstraction<'s, S> {
    /// The shortest runs that show a goal from the starts, at each of which it is so.
    pub(crate) fn new(
        case: &Case<'_, 's, S>,
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
        let layers = match Layers::new(space, &stages, starts, options)? {
            Ok(layers) => layers,
            Err(why) => return Ok(Err(why)),
        };
        let proof = SetProof::new(case, &stages, &layers, options)?;
        space.budget().phase("counting runs");
        let runs = layers.count(space)?;
        space.budget().phase("describing sets of states");
        let mut positions = Vec::new();
        for position in 0..layers.positions.len() {
            positions.push(describe::position(space, &layers.states(space, position)?)?);
        }
        let mut claims = Vec::new();
        for claim in &proof.claims {
            claims.push(AbstractClaim {
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
        abstraction.run.replay = replay;
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
