//! The wire format: every document that the program writes or reads, and every request and answer of the explorer.
//!
//! This crate knows no other: its types are plain data that `serde` writes and reads. `wherefore-view` makes them from
//! findings and makes findings of them again. From the same types come `docs/schema.json` and the types of the page
//! in `web/src/api/wire.ts`; a test fails when these files are not current.
//!
//! | suffix of a type | what it is |
//! |---|---|
//! | `Document` | a whole document: its field `schema` says which |
//! | `Doc` | a part of a document or of an answer |
//! | `Request` | the body of a request to the explorer |
//! | `Answer` | the body of its answer |
//! | `Name` | an enumeration: each variant is one text |
//!
//! Fields are added, never renamed; they are written in the order in which they stand here. Readers ignore fields that
//! they do not know. What is written is what the schema requires; readers also take older documents, which
//! lack some fields (`serde(default)`).

mod names;

mod analysis;
mod blame;
mod certificate;
mod command;
mod diff;
mod document;
mod evidence;
mod explorer;
mod graph;
mod instance;
mod mended;
mod property;
mod query;
mod request;
mod stream;
mod value;
mod walk;
mod why;

#[cfg(test)]
mod generated;

pub use analysis::*;
pub use blame::*;
pub use certificate::*;
pub use command::*;
pub use diff::*;
pub use document::*;
pub use evidence::*;
pub use explorer::*;
pub use graph::*;
pub use instance::*;
pub use mended::*;
pub use names::*;
pub use property::*;
pub use query::*;
pub use request::*;
pub use stream::*;
pub use value::*;
pub use walk::*;
pub use why::*;

use serde::Serialize;

/// The text of a value, on one line.
pub fn to_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("documents have string keys and finite numbers only")
}

/// The text of a document, with a line break at its end.
pub fn to_page(document: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(document);
    text.expect("documents have string keys and finite numbers only") + "\n"
}

fn is_false(value: &bool) -> bool {
    !value
}
