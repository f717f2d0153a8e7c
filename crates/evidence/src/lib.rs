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
mod emptiness;
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
mod quick;
mod region;
mod search;
mod separate;
mod several;
mod shrink;
mod smallest;
mod strategies;
mod strategy;
mod tell;
mod trail;
mod ways;
mod wished;
mod wishes;

pub use abstraction::{AbstractChoices, AbstractPoint, Abstraction, SetClaim, SetProof};
pub use exploration::Exploring;
pub use investigate::{EvidenceOptions, Investigator, is_broken};
pub use several::SeveralOptions;
pub use shrink::{Missing, Shrunk};
pub use strategies::{
    BestLoop, Chain, Cheapest, DistanceStrategy, Follow, KnownStrategy, Like, LikeChoice, Partial,
    Prefer, Random, SmallestGoal, StayFirst,
};
pub use strategy::{
    Arrow, Automaton, Guide, Outlook, Proof, Rules, RunWish, Shortest, Strategy, Subgoal, Way,
    WayKind, WishKind,
};
pub use wherefore_model::{Cover, Cube};
pub use wherefore_proof::{
    AbstractClaim, AbstractOptions, AbstractPosition, AbstractRun, Abstracted, Assertion,
    AssertionTruth, Avoidance, Blame, Causes, Claim, ClaimStates, Deadlocked, Decision,
    DecisiveChoice, Evidence, EvidenceEdge, EvidenceWish, Finding, FurtherEvidence, Hinge,
    HingeEffect, Measure, Mend, Minimality, More, NoAbstract, NoMore, NoRun, Note, Occurrence,
    OccurrenceId, OtherChoice, PartFinding, PlacePower, ProofId, ProofNode, ProofStart,
    PropertyWitness, Quantity, Region, RegionId, Replay, Rule, RunStretch, SaidOfReached, SaidRun,
    SaidStates, Segment, SegmentEnding, SetRule, Shape, Slice, SlicePart, SliceRole, SliceValue,
    SmtCertificate, SmtStart, SolverReason, SpaceSummary, Split, StateReason, StatementCount,
    StatesFrom, StepBound, Suspect, SuspectRole, UnknownReason, UnmetFairness, Vacuity, Verdict,
    Why, WhyHolds, WhyStatement, Width, WishBest, WishOutcome,
};
pub use wherefore_replay::{
    BrokenConstraint, Cause, CauseKind, Death, Flaw, OPEN, ReachableStates, Rerun, SentenceBase,
    SentenceChecker, Track, Walk, broken_step, cause, count_where, first_flaw, replay,
    replay_set_proof, rerun,
};
pub use wishes::wishes_made;
