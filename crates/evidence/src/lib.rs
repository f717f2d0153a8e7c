//! Evidence: why a property holds or fails, as a graph with a proof.
//!
//! Building, replaying and describing evidence are separate steps in separate crates: [`Investigator`]
//! asks the checker and builds the types of [`wherefore_proof`], [`wherefore_replay`] re-checks them with
//! the plain interpreter of the model and shares nothing with the engines, and views print what both left
//! behind.

pub mod certificate;
pub mod modal;

mod abstraction;
mod along;
mod avoid;
mod build;
mod case;
mod choose;
mod costs;
mod decide;
mod distance;
mod exploration;
mod fair;
mod fragment;
mod greedy;
mod guide;
mod investigate;
mod lasso;
mod linear;
mod minimal;
mod outline;
mod part;
mod piece;
mod plan;
mod plans;
mod product;
mod prover;
mod region;
mod search;
mod several;
mod shrink;
mod smallest;
mod strategies;
mod strategy;
mod tell;
mod trail;
mod ways;
mod wishes;

pub use abstraction::{Abstraction, Choices, Point, SetClaim, SetProof};
pub use exploration::Exploring;
pub use investigate::{Investigator, Options, is_broken};
pub use several::Several;
pub use shrink::{Missing, Shrunk};
pub use strategies::{
    BestLoop, Chain, Cheapest, Distance, Follow, Known, Like, LikeChoice, Partial, Prefer, Random,
    SmallestGoal, StayFirst,
};
pub use strategy::{
    Arrow, Automaton, Guide, Outlook, Proof, Rules, Shortest, Strategy, Subgoal, Way, WayKind,
};
pub use wherefore_model::{Cover, Cube};
pub use wherefore_proof::{
    AbstractClaim, AbstractOptions, AbstractPosition, AbstractRun, Abstracted, Another, Avoidance,
    Choice, Claim, Decision, Edge, Ending, Evidence, Finding, Measure, Minimality, More,
    NoAbstract, NoMore, Note, Occurrence, OccurrenceId, OtherChoice, PartFinding, ProofId,
    ProofNode, Quantity, Region, RegionId, Replay, Rule, Segment, SetRule, Shape, SpaceSummary,
    Split, UnknownReason, Vacuity, Verdict, Width, Wish, Witness,
};
pub use wherefore_replay::{
    Broken, Cause, CauseKind, Death, Flaw, OPEN, Rerun, Track, Walk, broken_step, cause,
    first_flaw, replay, rerun,
};
pub use wishes::unavailable;
