//! Evidence: why a property holds or fails, as a graph with a proof.
//!
//! Building, replaying and describing evidence are separate steps in separate files: [`Investigator`]
//! asks the checker and builds, [`replay()`] re-checks with the plain interpreter of the model and
//! shares nothing with the engines, and views print what both left behind.

mod abstraction;
mod build;
mod case;
mod cause;
mod costs;
mod decide;
mod fragment;
mod greedy;
mod investigate;
mod plan;
mod region;
mod replay;
mod search;
mod types;

pub use abstraction::{
    AbstractClaim, AbstractOptions, AbstractPosition, AbstractRun, Abstracted, Abstraction,
    Choices, NoAbstract, Point, SetClaim, SetProof, SetRule, Split, Width,
};
pub use cause::{Cause, CauseKind, cause};
pub use decide::{Choice, Decision};
pub use investigate::{Investigator, Options, is_broken};
pub use replay::replay;
pub use types::{
    Claim, Edge, Ending, Evidence, Finding, Minimality, Note, Occurrence, OccurrenceId, ProofId,
    ProofNode, Region, RegionId, Replay, Rule, Segment, Shape, SpaceSummary, UnknownReason,
    Vacuity, Verdict, Witness,
};
