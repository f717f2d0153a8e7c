//! From a counterexample to the places of the text that are to blame.
//!
//! [`RunHinges`] says whether a counterexample could be broken by another value of an expression, with the values that the
//! expressions around it have in each of its steps; [`KnownRun`] tries it on a changed model. [`causes()`] are the values on its run
//! that the failure depends on, and [`slice()`] says where they come from. [`can_mend`] decides whether any expression at a place could make a property hold. [`Likeness`] says how well a change fits to the rest of the text.

mod beyond;
mod causes;
mod choice_graph;
mod course;
mod freed;
mod hinges;
mod known;
mod likeness;
mod mend_game;
mod places;
mod possible;
mod slice;

pub use causes::causes;
pub use freed::free_values;
pub use hinges::RunHinges;
pub use known::{KnownRun, Readers, TermUsers};
pub use likeness::Likeness;
pub use mend_game::{FreedVerdict, MendGameEffort, can_mend};
pub use places::TextPlaces;
pub use slice::slice;
