//! The documents of the explorer: what its page asks and what it is answered, version `wherefore-explorer/1`.
//!
//! `docs/explorer-api.md` describes them. Wherever a document of `check`, `debug` or `query` says the same,
//! it is used as it is; here is only what goes around them. [`ask`] reads requests, everything else writes
//! answers. Fields are added, never renamed.

pub mod ask;
pub mod pieces;
pub mod report;

mod analysis;
mod blocked;
mod entry;
mod formula;
mod places;
mod scene;
mod told;

use serde::Serialize;
use serde_json::Value as Json;
use wherefore_base::{Diagnostic, SourceMap};

use crate::json::{Message, Tool, message};

pub use analysis::{Alike, Analysed, FoundRun, Link, Nearby, Place, queries};
pub use blocked::{Blocked, Blocker};
pub use entry::{About, Entry, Format, Listed, Size, Start, Variable, file_name, models};
pub use formula::Node;
pub use places::{Spot, TruthAt, Window, state_of, steps, values, values_of};
pub use scene::{OneWay, Open, Scene, SceneParts, WaysOf};
pub use told::{Detail, Told, ToldRun, ToldStep};

/// The name of the schema.
pub const SCHEMA: &str = "wherefore-explorer/1";

/// The most sentences about the nodes of a proof that are sent.
pub(crate) const MOST_SENTENCES: usize = 4_000;

/// The text of a document, on one line.
pub fn render(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("documents have string keys and finite numbers only")
}

/// What went wrong, as the body of a response.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    error: Wrong,
}

/// What went wrong.
#[derive(Clone, Debug, Serialize)]
struct Wrong {
    kind: &'static str,
    message: String,
    diagnostics: Vec<Message>,
}

impl Failure {
    /// A failure of a kind, in whole sentences.
    pub fn new(kind: &'static str, message: &str) -> Self {
        let error = Wrong {
            kind,
            message: message.to_string(),
            diagnostics: Vec::new(),
        };
        Self { error }
    }

    /// The same with messages about a text.
    #[must_use]
    pub fn with(mut self, sources: &SourceMap, diagnostics: &[Diagnostic]) -> Self {
        let messages = diagnostics.iter().map(|d| message(sources, d));
        self.error.diagnostics.extend(messages);
        self
    }
}

/// A line of a stream.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Line<'a> {
    /// The number by which the request can be cancelled.
    Begun {
        /// The number.
        request: u64,
    },
    /// What is being done.
    Progress {
        /// What, as "exploring states".
        phase: &'a str,
        /// How much of it is done.
        done: u64,
    },
    /// The states of a model are counted.
    Space {
        /// The space, as in the list of models.
        space: &'a crate::json::Space,
    },
    /// A property is answered.
    Property {
        /// As in the list of models.
        property: &'a Listed,
    },
}

/// The last line of a stream that went well, given the text of its result.
pub fn result_line(result: &str) -> String {
    format!("{{\"event\":\"result\",\"result\":{result}}}\n")
}

/// The last line of a stream that went wrong.
pub fn error_line(status: u16, failure: &Failure) -> String {
    #[derive(Serialize)]
    struct Last<'a> {
        event: &'static str,
        status: u16,
        error: &'a Wrong,
    }
    let last = Last {
        event: "error",
        status,
        error: &failure.error,
    };
    render(&last) + "\n"
}

/// A line of a stream, with the line break.
pub fn line(line: &Line<'_>) -> String {
    render(line) + "\n"
}

/// A small answer: one field.
pub fn field(name: &str, value: impl Into<Json>) -> String {
    let value: Json = value.into();
    render(&serde_json::Map::from_iter([(name.to_string(), value)]))
}

/// Who answers.
pub(crate) fn tool() -> Tool {
    Tool {
        name: "wherefore",
        version: env!("CARGO_PKG_VERSION"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_has_one_object_on_each_line() {
        let lines = [
            line(&Line::Begun { request: 3 }),
            line(&Line::Progress {
                phase: "two\nlines",
                done: 7,
            }),
            result_line(&field("closed", true)),
            error_line(404, &Failure::new("not-found", "There is no such model.")),
        ];
        let text = lines.concat();
        assert_eq!(text.lines().count(), 4);
        let events = text.lines().map(|line| {
            let read: Json = serde_json::from_str(line).expect("a line is JSON");
            read["event"].as_str().expect("it has an event").to_string()
        });
        let events: Vec<String> = events.collect();
        assert_eq!(events, ["begun", "progress", "result", "error"]);
    }
}
