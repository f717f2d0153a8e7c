//! Debugging of labelled transition systems: all counterexamples at once, as one tagged graph.
//!
//! After Barbon, Leroy and Salaün (2019). A [`Monitor`] watches for what must not happen (or for what
//! must); its product with the system, cut down to where the property can still be broken, holds all
//! counterexamples ([`Tagged`]). Tags and neighbourhoods say where good and bad part. [`analyse`] does
//! all of it for a property.

mod analysis;
mod course;
mod dfa;
mod given;
mod groups;
mod incoming;
mod maximal;
mod monitor;
mod pairs;
mod pattern;
mod prospect;
mod random;
mod search;
mod shortest;
mod tagged;
mod trace;

pub use analysis::{Analysis, Options, Outlook, Undebuggable, analyse, analyse_monitor};
pub use course::{Course, Ending, Item};
pub use dfa::Dfa;
pub use given::{Misfit, given};
pub use groups::{
    Deciding, Group, Labels, Neighbourhood, groups, into_neighbourhoods, labels, neighbourhood,
};
pub use incoming::{Incoming, StepIn};
pub use monitor::{Monitor, Pair};
pub use pattern::{Filter, Pattern, PatternError, nearest, nearest_state};
pub use prospect::Prospect;
pub use random::random;
pub use search::{Mark, Shortest, Unmatched};
pub use shortest::{shortest, shortest_matching};
pub use tagged::{Counts, Kind, NodeId, Reading, Tag, Tagged, TaggedStep, Target, Zone};
pub use trace::{TraceError, parse_trace};
