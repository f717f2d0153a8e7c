//! What every room of the house uses: typed ids, names and values, places in source text,
//! diagnostics, and budgets that make long work stop when it must.

mod bits;
mod budget;
mod clean;
mod deep;
mod diagnostic;
mod effort;
mod ids;
mod nearest;
mod random;
mod scc;
mod source;
mod value;
mod word;

pub use bits::Bits;
pub use budget::{Budget, Meter, Progress, Run, Stop};
pub use clean::clean;
pub use deep::{deep, with_stack};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use effort::Effort;
pub use ids::IndexVec;
pub use nearest::nearest;
pub use random::Rng;
pub use scc::{Successor, strongly_connected};
pub use source::{FileId, Place, SourceFile, SourceMap, Span};
pub use value::{Names, Symbol, Value};
pub use word::{NoWord, Word};
