//! The types of evidence: findings, graphs with their proofs, abstract runs and certificates.
//!
//! These are data, without the means to make them. Whoever builds evidence and whoever checks it share
//! nothing but this crate and the model.

pub mod certificate;
pub mod modal;

mod abstraction;
mod assertion;
mod blame;
mod decision;
mod evidence;
mod measure;
mod more;
mod solver;
mod why;
mod wish;

pub use abstraction::{
    AbstractClaim, AbstractOptions, AbstractPosition, AbstractRun, Abstracted, ClaimStates,
    NoAbstract, SetRule, Split, Width,
};
pub use assertion::{
    Assertion, AssertionTruth, RunStretch, SaidOfReached, SaidRun, SaidStates, StatesFrom,
};
pub use blame::{
    Blame, Causes, Hinge, HingeEffect, Mend, PlacePower, Slice, SlicePart, SliceRole, SliceValue,
    Suspect, SuspectRole,
};
pub use decision::{Avoidance, Decision, DecisiveChoice, OtherChoice};
pub use evidence::{
    Claim, Deadlocked, Evidence, EvidenceEdge, Finding, Minimality, NoRun, Note, Occurrence,
    OccurrenceId, ProofId, ProofNode, PropertyWitness, Quantity, Region, RegionId, Replay, Rule,
    Segment, SegmentEnding, Shape, SpaceSummary, UnknownReason, UnmetFairness, Vacuity, Verdict,
};
pub use measure::{LISTED_SUCCESSORS, Measure};
pub use more::{FurtherEvidence, More, NoMore, PartFinding};
pub use solver::{ProofStart, SmtCertificate, SmtStart, SolverReason, StateReason};
pub use why::{StatementCount, StepBound, Why, WhyHolds, WhyStatement};
pub use wish::{EvidenceWish, WishBest, WishOutcome};
