//! Certificates: why a property holds, as data that somebody else can check.
//!
//! A certificate names sets of states by conditions on variables, and says of each why it has its place:
//! an *invariant* that every run keeps, *claims* (a sub-formula is true in this set, within the
//! invariant), and for whatever must happen some day *layers*, which are taken away one after the other
//! until no run is left that could avoid it. Each rule is local: it speaks of a state, or of a state and
//! its successors. So a certificate comes down to a list of conditions ([`conditions()`]) on states and
//! steps, and [`verify()`] decides each without exploring anything.
//!
//! The rules are those of the deductive systems for CTL with fairness (Emerson and Lei 1986; Kesten and
//! Pnueli 2005); the invariant is found as Bradley (2011) does, with the explored states as the oracle
//! that says what may be excluded. Certificates are made here; [`wherefore_certify`] lists their conditions
//! and checks them, and shares no code with what makes them.

mod condition_solver;
mod copy;
mod invariant;
mod layers;
mod make;
mod reach;
mod why;
mod worded;

pub(crate) use make::produce;
pub use reach::{always, never, recheck};
pub use wherefore_certify::{
    ConditionForm, StateCondition, VerificationCondition, conditions, verify, verify_statements,
};
pub use wherefore_proof::certificate::{
    BrokenCondition, Certificate, Certified, ConditionSubject, EndlessStates, How, Layer,
    LayerReason, LiveStates, NoCertificate, Over, Proved, Recheck, StateSet, Turns, UnfairStates,
};
pub(crate) use why::why;
pub use why::why_of;
