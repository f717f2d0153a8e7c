//! Temporal model checking of transition systems written in Alloy, after Farheen, Day, Vakili and
//! Abbassi (2020).
//!
//! A model that opens one of the modules `ctl`, `ctlfc` and their relatives says with facts what its initial
//! states and its steps are, and asks with `ctl_mc[..]` for a formula of CTL. [`SystemReading`] finds these parts in
//! the resolved model. [`complete()`] makes a transition system of them, in which a state is the values of its
//! fields: every engine answers it for the whole system, whatever the scope of states is.

mod advice;
mod circuits;
mod class;
mod complete;
mod definition;
mod derive;
mod extent;
mod extract;
mod facts;
mod fairness;
mod formulas;
mod fragment;
mod local;
mod method;
mod misfit;
mod multiplicity;
mod named;
mod operation;
mod pair;
mod property;
mod reading;
mod smallest;
mod states;
mod symmetry;
mod system;
mod together;
mod unfold;

pub use advice::{AdviceOccurrence, advice, occurrences};
pub use class::{ClassRow, is_universal};
pub use complete::{
    Attribute, CompleteSystem, FieldValues, complete, complete_as_watched, of_one_system, watched,
};
pub use derive::{Derived, dead_loops, significance};
pub use extent::TcmcExtent;
pub use extract::{ExtractForm, Extracted, extract, whole};
pub use fairness::{Fair, FairnessConstraint};
pub use fragment::{Fragment, fragment, tree_fragment};
pub use method::{MethodCase, SystemParts, tells_copies_apart};
pub use misfit::TcmcMisfit;
pub use operation::Operation;
pub use property::{AskedFormula, asked, asked_in_scope, unread};
pub use reading::{OfPairs, SystemReading, TcmcModule};
pub use states::order_states;
pub use together::{BrokenTogether, MOST_OTHERS, broken_fact, give_states};
pub use unfold::UnfoldedTree;
