//! Debugging: a system, a property of it, and all counterexamples at once.
//!
//! An [`LtsSubject`](crate::LtsSubject) is opened from a file, asked a property
//! ([`ask`](crate::LtsSubject::ask)), and analysed ([`analyse`](crate::LtsSubject::analyse)). What the analysis says is in [`wherefore_tagged`]; how it is told, in
//! [`wherefore_view::debug`]. Models whose states are values of variables become such systems in [`smv`].
//!
//! ```
//! use wherefore_driver::base::Budget;
//! use wherefore_driver::LtsSubject;
//! use wherefore_driver::debug::QuestionSource;
//!
//! let budget = Budget::unlimited();
//! let text = b"des (0, 3, 3)\n(0, GOOD, 1)\n(0, SHORTCUT, 2)\n(2, BAD, 1)\n";
//! let system = LtsSubject::read("door.aut", text.as_slice(), &Default::default(), &budget)?;
//! let asked = system.ask(&QuestionSource::Formula("[ true* . \"BAD\" ] false"), &budget)?;
//! let analysis = system.analyse(&asked, &Default::default(), &budget)?;
//! assert_eq!(analysis.graph.counts().neighbourhoods(), 1); // GOOD is right, SHORTCUT is wrong
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod smv;

mod ask;

pub use ask::{AskError, DebugQuestion, QuestionSource, Unfit};
