//! Wherefore, the model checker that tells you why, as a library.
//!
//! [`open`] reads a model in any language of the [`registry`] and gives an [`OpenModel`]. Its
//! [`questions`](OpenModel::questions) are the properties or commands that the file states, and
//! [`add`](OpenModel::add) states further ones. [`check`](OpenModel::check) answers one question,
//! [`check_all`](OpenModel::check_all) is an iterator over all answers. An [`Answered`] question has a verdict and
//! evidence, as values and as text, Markdown and JSON. [`explain`](OpenModel::explain) opens the proof of an answer claim
//! by claim, and [`explore`](OpenModel::explore) walks through the states of the model.
//!
//! ```
//! use wherefore::evidence::Verdict;
//!
//! let mut model = wherefore::open_text(
//!     "lamp.smv",
//!     "MODULE main
//!      VAR lamp : {off, on, broken};
//!      ASSIGN
//!        init(lamp) := off;
//!        next(lamp) := case
//!          lamp = off : {off, on};
//!          lamp = on : {off, on, broken};
//!          TRUE : broken;
//!        esac;
//!      CTLSPEC NAME mended := AG (lamp = broken -> EF lamp = off)",
//! )?;
//! let lights = model.add("EF lamp = on")?;
//! assert_eq!(model.check(lights)?.verdict(), Verdict::Holds);
//!
//! for answer in model.check_all() {
//!     let answer = answer?;
//!     if answer.verdict() == Verdict::Fails {
//!         let evidence = answer.evidence().expect("what fails has evidence");
//!         assert_eq!(answer.question().name, "mended");
//!         assert_eq!(evidence.main_run().0.len(), 3); // off, on, broken
//!     }
//! }
//! # Ok::<(), wherefore::Refusal>(())
//! ```
//!
//! The library prints nothing. It reads the files that it is given, and the modules that an Alloy model opens.
//!
//! What this crate adds is at the root, beside the items of the crate `wherefore-driver` that it takes and returns. All
//! other crates are modules under their own names, as [`evidence`] and [`view`]. Every item has one path.

mod answers;
mod explanation;
mod open_model;

pub use answers::{Answered, Answers};
pub use explanation::Explanation;
pub use open_model::{OpenModel, open, open_text, open_with};

pub use wherefore_driver::subject::{Question, Standing, Wishes};
pub use wherefore_driver::{
    AlloySubject, Ask, Capability, Engine, Input, Language, LtsSubject, ModelSubject, Opening,
    QuestionId, ReadError, Refusal, Rejected, Results, SmtSubject, Subject,
};
pub use wherefore_driver::{
    alloy, base, check, evidence, logic, lts, model, smt, smv, space, tagged, view,
};
pub use wherefore_driver::{debug, explain, explore, registry, strategy, subjects};

/// The page of the book about the library: its programs are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
pub struct LibraryPage;
