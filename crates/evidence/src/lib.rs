//! Evidence: why a property holds or fails, as a graph with a proof.
//!
//! Building, replaying and describing evidence are separate steps in separate files: [`Investigator`]
//! asks the checker and builds, [`replay()`] re-checks with the plain interpreter of the model and
//! shares nothing with the engines, and views print what both left behind.

mod case;
mod cause;
mod costs;
mod decide;
mod exploration;
mod fragment;
mod greedy;
mod guide;
mod investigate;
mod plan;
mod plans;
mod prover;
mod region;
mod replay;
mod search;
mod several;
mod strategy;
mod tell;
mod types;
mod ways;

pub use cause::{Cause, CauseKind, cause};
pub use decide::{Choice, Decision};
pub use exploration::Exploring;
pub use investigate::{Investigator, Options, is_broken};
pub use replay::replay;
pub use several::{Another, More, NoMore, PartFinding, Several};
pub use strategy::{
    Arrow, Automaton, Guide, Outlook, Proof, Rules, Shortest, Strategy, Subgoal, Way, WayKind,
};
pub use types::{
    Claim, Edge, Ending, Evidence, Finding, Minimality, Note, Occurrence, OccurrenceId, ProofId,
    ProofNode, Region, RegionId, Replay, Rule, Segment, Shape, SpaceSummary, UnknownReason,
    Vacuity, Verdict, Witness,
};
