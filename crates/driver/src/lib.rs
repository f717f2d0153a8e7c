//! Wherefore, the model checker that tells you why, as a library.
//!
//! A [`Session`] reads a model and answers its properties; each answer is a
//! [`Finding`](evidence::Finding) with its evidence. The rooms of the house are here as modules, for
//! those who want to build something else from them.
//!
//! ```
//! use wherefore_driver::{Session, evidence::Verdict};
//!
//! let mut session = Session::from_text(
//!     "button.smv",
//!     "MODULE main
//!      VAR lamp : {off, on, broken};
//!      ASSIGN
//!        init(lamp) := off;
//!        next(lamp) := case
//!          lamp = off : {off, on};
//!          lamp = on : {off, on, broken};
//!          TRUE : broken;
//!        esac;
//!      CTLSPEC NAME mended := AG (lamp = broken -> EF lamp = off)
//!     ",
//! )?;
//! session.add_formula("EF lamp = on")?;
//! let mended = session.check(0)?;
//! assert_eq!(mended.verdict, Verdict::Fails);
//! assert_eq!(session.check(1)?.verdict, Verdict::Holds);
//!
//! let run = mended.evidence.expect("a failing property has evidence");
//! assert_eq!(run.main_run().0.len(), 3); // off, on, broken
//! # Ok::<(), wherefore_driver::Rejected>(())
//! ```

pub mod alloy;
pub mod compose;
pub mod debug;
pub mod explain;
pub mod explore;
pub mod live;
pub mod strategy;

mod auto;
mod certified;
mod certify;
mod cone;
mod engine;
mod lts_session;
mod order_file;
mod quick;
mod quotient;
mod race;
mod read;
mod sat;
mod saved;
mod session;

pub use engine::{Engine, Event, Job, check_model, check_model_with, undecided};
pub use lts_session::{LtsError, LtsSession};
pub use read::read_text;
pub use saved::Followed;
pub use session::{OpenError, Opening, Rejected, Session};

/// The Alloy language: models, commands, scopes, instances in their words.
pub use wherefore_alloy as als;
/// Ids, values, names, places in source text, diagnostics, budgets.
pub use wherefore_base as base;
/// Fair CTL over any state space.
pub use wherefore_check as check;
/// Evidence: building it, replaying it.
pub use wherefore_evidence as evidence;
/// Formulas, path rules, classes of property.
pub use wherefore_logic as logic;
/// Labelled transition systems: AUT and MCL, composition, reduction.
pub use wherefore_lts as lts;
/// The typed transition system.
pub use wherefore_model as model;
/// Infinite-state models: terms, systems, VMT-LIB.
pub use wherefore_smt as smt;
/// The language of SMV models.
pub use wherefore_smv as smv;
/// State spaces: explicit and symbolic.
pub use wherefore_space as space;
/// Tagged graphs: all counterexamples of a property at once.
pub use wherefore_tagged as tagged;
/// Text, JSON, DOT, ITF, Markdown.
pub use wherefore_view as view;
