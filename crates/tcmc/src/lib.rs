//! Temporal model checking of transition systems written in Alloy, after Farheen, Day, Vakili and
//! Abbassi (2020).
//!
//! A model that opens one of the modules `ctl`, `ctlfc` and their relatives says with facts what its initial
//! states and its steps are, and asks with `ctl_mc[..]` for a formula of CTL. [`Reading`] finds these parts in
//! the resolved model. [`complete()`] makes a transition system of them, in which a state is the values of its
//! fields: every engine answers it for the whole system, whatever the scope of states is.

mod complete;
mod extent;
mod extract;
mod formulas;
mod fragment;
mod local;
mod misfit;
mod property;
mod reading;
mod states;
mod system;

pub use complete::{Attribute, System, Values, complete};
pub use extent::Extent;
pub use extract::{Extracted, Form, extract};
pub use fragment::fragment;
pub use misfit::Misfit;
pub use property::{Asked, asked, asked_in_scope};
pub use reading::{Module, Operation, Reading};
pub use states::order_states;
