//! Temporal model checking of transition systems written in Alloy, after Farheen, Day, Vakili and
//! Abbassi (2020).
//!
//! A model that opens one of the modules `ctl`, `ctlfc` and their relatives says with facts what its initial
//! states and its steps are, and asks with `ctl_mc[..]` for a formula of CTL. [`Reading`] finds these parts in
//! the resolved model. [`complete()`] makes a transition system of them, in which a state is the values of its
//! fields: every engine answers it for the whole system, whatever the scope of states is.

mod advice;
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

pub use advice::{Occurrence, advice, occurrences};
pub use class::{Row, is_universal};
pub use complete::{
    Attribute, System, Values, complete, complete_as_watched, of_one_system, watched,
};
pub use derive::{Derived, dead_loops, significance};
pub use extent::Extent;
pub use extract::{Extracted, Form, extract, whole};
pub use fairness::{Constraint, Fair};
pub use fragment::{Fragment, fragment, tree_fragment};
pub use method::{Case, Parts, tells_copies_apart};
pub use misfit::Misfit;
pub use operation::Operation;
pub use property::{Asked, asked, asked_in_scope, unread};
pub use reading::{Module, OfPairs, Reading};
pub use states::order_states;
pub use together::{Broken, MOST_OTHERS, broken_fact, give_states};
pub use unfold::Tree;
