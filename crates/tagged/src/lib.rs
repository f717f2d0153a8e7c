//! Debugging of labelled transition systems: all counterexamples at once, as one tagged graph.
//!
//! After Barbon, Leroy and Salaün (2019). A [`Monitor`] watches for what must not happen (or for what
//! must); its product with the system, cut down to where the property can still be broken, holds all
//! counterexamples ([`Tagged`]). Tags and neighbourhoods say where good and bad part. [`analyse`] does
//! all of it for a property.

mod analysis;
mod bottlenecks;
mod claim;
mod course;
mod cover;
mod dfa;
mod endless;
#[cfg(test)]
mod fixtures;
mod given;
mod groups;
mod incoming;
mod lasso;
mod linear;
mod maximal;
mod minimal;
mod monitor;
mod pairs;
mod paths;
mod pattern;
mod prospect;
pub mod query;
mod random;
mod search;
mod shortest;
mod subsets;
mod tagged;
mod tags;
mod through;
mod tour;
mod trace;
mod unfold;
mod values;
mod watch;
mod ways;

pub use analysis::{
    Analysis, AnalysisOptions, AnalysisOutlook, Undebuggable, analyse, analyse_monitor,
    analyse_under,
};
pub use claim::{Aim, TagClaim, TagTruth, claim};
pub use course::{Course, CourseEnding, CourseItem};
pub use dfa::Dfa;
pub use given::{TraceMisfit, given};
pub use groups::{
    Deciding, Group, Labels, Neighbourhood, groups, into_neighbourhoods, labels, neighbourhood,
};
pub use incoming::{Incoming, StepIn};
pub use linear::{LinearMonitor, LinearProducts, MOST_PLACES};
pub use maximal::complete;
pub use monitor::{Monitor, Pair};
pub use paths::Paths;
pub use pattern::{Filter, PatternError, RunPattern, nearest, nearest_state};
pub use prospect::Prospect;
pub use random::random;
pub use search::{SearchMark, ShortestCourse, Unmatched};
pub use shortest::{shortest, shortest_matching};
pub use tagged::{
    NeighbourhoodKind, NodeId, TagCounts, TagReading, TagTarget, Tagged, TaggedStep, Uses, Zone,
    ZoneTag,
};
pub use through::{EndlessRun, through};
pub use trace::{TraceError, parse_trace};
pub use unfold::{Actions, UnfoldedModel, unfold};
pub use values::{Column, ColumnId, NodeValues, TextId};
pub use watch::Watch;
pub use ways::{AvoidingWay, Setting, WayChange, ways};
