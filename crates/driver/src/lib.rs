//! From a file to answers: which language it is in, what it can be asked, and which engines answer.
//!
//! [`load`] reads a file in any language of the [`registry`] and gives a [`Subject`], which has questions and answers them.
//! The kinds of systems behind the languages are in [`subjects`]; the engines that answer questions about
//! finite models, and the race between them, are private. The other crates are here as modules.
//!
//! ```
//! use wherefore_driver::{ModelSubject, evidence::Verdict};
//!
//! let mut session = ModelSubject::from_text(
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
//! # Ok::<(), wherefore_driver::Refusal>(())
//! ```

pub mod blame;
pub mod compose;
pub mod debug;
pub mod explain;
pub mod explore;
pub mod registry;
pub mod strategy;
pub mod subject;
pub mod subjects;
pub mod system_walk;

mod capability;
mod engines;
mod opening;
mod read;
mod refusal;
mod results;
mod saved;

pub use capability::unsupported;
pub use engines::why::why_holds;
pub use engines::{Engine, Event, Job, check_model, check_model_with, undecided};
pub use opening::Opening;
pub use read::read_text;
pub use refusal::{ReadError, Refusal, Rejected};
pub use registry::{FRONT_ENDS, FrontEnd, Input, load};
pub use results::Results;
pub use saved::Followed;
pub use subject::{Answer, Ask, Capability, Language, QuestionId, Sink, Subject, SubjectEvent};
pub use subjects::alloy::AlloySubject;
pub use subjects::lts::LtsSubject;
pub use subjects::model::{BrokenStep, ChangedModel, Contrary, ModelSubject};
pub use subjects::smt::SmtSubject;

/// The Alloy language: models, commands, scopes, instances in their words.
pub use wherefore_alloy as alloy;
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
