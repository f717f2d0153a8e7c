//! Debugging of labelled transition systems: all counterexamples at once, as one tagged graph.
//!
//! After Barbon, Leroy and Salaün (2019). A [`Monitor`] watches for what must not happen (or for what
//! must); its product with the system, cut down to where the property can still be broken, holds all
//! counterexamples ([`Tagged`]). Tags and neighbourhoods say where good and bad part.

mod course;
mod dfa;
mod monitor;
mod tagged;

pub use course::Course;
pub use dfa::Dfa;
pub use monitor::{Monitor, Pair};
pub use tagged::{Counts, Kind, NodeId, Reading, Tag, Tagged, TaggedStep, Target, Zone};
