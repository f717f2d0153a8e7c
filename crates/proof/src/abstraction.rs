//! Abstract runs: one run of sets of states that stands for all shortest counterexamples or witnesses.

use num_bigint::BigUint;
use wherefore_base::{Stop, Value};
use wherefore_logic::Goal;
use wherefore_model::{Cover, VarId};

use crate::Replay;

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
    pub fn prefers(&self) -> bool {
        // With the defaults the run stands for all shortest runs; every other option leaves some out.
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
    /// Whether the proof was re-checked, claim by claim.
    pub proof_replayed: bool,
    /// What the independent re-check said of the runs.
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
    /// How many steps were made before for a bounded operator.
    pub taken: u32,
    /// The position of the states it is claimed of.
    pub position: usize,
    /// How many states it is claimed of.
    pub states: BigUint,
    /// Which states these are.
    pub of: ClaimStates,
    /// Why it is so.
    pub rule: SetRule,
    /// What it follows from, by number.
    pub premises: Vec<usize>,
}

/// The states of a position that a claim is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimStates {
    /// All of them.
    Position,
    /// Some of them.
    Described(Box<AbstractPosition>),
    /// Some of them; nobody said which, since there are too many claims.
    NotDescribed,
}

/// How a claim at a set follows from its premises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetRule {
    /// Every state of the set satisfies the proposition.
    Atomic,
    /// The premises are the same claim at sets that together are this one.
    Split,
    /// The branch with this number: all its goals at this set.
    Branch(usize),
    /// Every state of the set has a successor in the set of the premise, where the goal is so.
    Step,
    /// The path has arrived: its goals are so at this set.
    Arrive,
    /// Not yet: what must be so on the way is so at this set, and every state of it has a successor in
    /// the set of the last premise, where the claim is made again.
    Continue,
}
