//! Evidence: why a property holds or fails, as a graph with a proof.
//!
//! Building, replaying and describing evidence are separate steps in separate files: [`Investigator`]
//! asks the checker and builds, [`replay()`] re-checks with the plain interpreter of the model and
//! shares nothing with the engines, and views print what both left behind.

pub mod certificate;
pub mod modal;

mod abstraction;
mod along;
mod avoid;
mod build;
mod case;
mod cause;
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
mod measure;
mod minimal;
mod outline;
mod part;
mod piece;
mod plan;
mod plans;
mod product;
mod prover;
mod region;
mod replay;
mod rerun;
mod search;
mod several;
mod shrink;
mod smallest;
mod strategies;
mod strategy;
mod tell;
mod trail;
mod types;
mod ways;
mod wishes;

pub use abstraction::{
    AbstractClaim, AbstractOptions, AbstractPosition, AbstractRun, Abstracted, Abstraction,
    Choices, NoAbstract, Point, SetClaim, SetProof, SetRule, Split, Width,
};
pub use avoid::{Avoidance, OtherChoice};
pub use cause::{Cause, CauseKind, cause};
pub use decide::{Choice, Decision};
pub use exploration::Exploring;
pub use investigate::{Investigator, Options, is_broken};
pub use measure::Measure;
pub use replay::{Flaw, OPEN, first_flaw, replay};
pub use rerun::{Broken, Death, Rerun, Track, Walk, broken_step, rerun};
pub use several::{Another, More, NoMore, PartFinding, Several};
pub use shrink::{Missing, Shrunk};
pub use strategies::{
    BestLoop, Chain, Cheapest, Distance, Follow, Known, Like, LikeChoice, Partial, Prefer, Random,
    SmallestGoal, StayFirst,
};
pub use strategy::{
    Arrow, Automaton, Guide, Outlook, Proof, Rules, Shortest, Strategy, Subgoal, Way, WayKind,
};
pub use types::{
    Claim, Edge, Ending, Evidence, Finding, Minimality, Note, Occurrence, OccurrenceId, ProofId,
    ProofNode, Quantity, Region, RegionId, Replay, Rule, Segment, Shape, SpaceSummary,
    UnknownReason, Vacuity, Verdict, Witness,
};
pub use wherefore_space::{Cover, Cube};
pub use wishes::{Wish, unavailable};
