//! Answers that come line by line, and what tells documents apart.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{ByName, FailureDoc, ListedPropertyDoc, SpaceDoc, to_line};

/// A line of a stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum StreamLine {
    /// The number by which the request can be cancelled.
    Begun {
        /// The number.
        request: u64,
    },
    /// What is being done.
    Progress {
        /// What, as "exploring states".
        phase: String,
        /// How much of it is done.
        done: u64,
    },
    /// The states of a model are counted.
    Space {
        /// The space, as in the list of models.
        space: SpaceDoc,
    },
    /// A property is answered.
    Property {
        /// As in the list of models.
        property: Box<ListedPropertyDoc>,
    },
    /// A piece of a long answer.
    Piece(PieceDoc),
    /// The last line of a stream that went well.
    Result {
        /// The answer, unless it came in pieces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<Json>,
        /// How many pieces it came in.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pieces: Option<usize>,
    },
    /// The last line of a stream that went wrong.
    Error {
        /// The status that a response would have.
        status: u16,
        /// What went wrong.
        error: FailureDoc,
    },
}

/// A piece of a long answer: entries of a list or of an object in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PieceDoc {
    /// Where the list or object is: keys and numbers, from the outermost on.
    pub at: Vec<PlaceDoc>,
    /// Those of a list are appended, those of an object are added.
    pub entries: EntriesDoc,
}

/// A step into a document.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PlaceDoc {
    /// Into a list.
    Index(usize),
    /// Into an object.
    Key(String),
}

/// Entries of a list or of an object.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum EntriesDoc {
    /// Of a list.
    List(Vec<Json>),
    /// Of an object.
    Object(ByName<Json>),
}

impl StreamLine {
    /// Its text, with the line break.
    pub fn render(&self) -> String {
        to_line(self) + "\n"
    }
}

/// The last line of a stream that went well, given the text of its result.
pub fn result_line(result: &str) -> String {
    format!("{{\"event\":\"result\",\"result\":{result}}}\n")
}

/// What tells the JSON formats apart: documents of ours have a schema, ITF traces have states.
#[derive(Debug, Deserialize)]
pub struct FormatHead {
    /// The name of the schema.
    pub schema: Option<Json>,
    /// The states of a trace.
    pub states: Option<IgnoredAny>,
}

/// What tells documents with instances of Alloy models from others.
#[derive(Debug, Deserialize)]
pub struct LanguageHead {
    /// The name of the schema.
    pub schema: String,
    /// The models.
    #[serde(default)]
    pub models: Vec<ModelHead>,
}

/// The language of a model.
#[derive(Debug, Deserialize)]
pub struct ModelHead {
    /// Its name.
    #[serde(default)]
    pub language: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClosedAnswer, FailureAnswer, FailureName};

    #[test]
    fn a_stream_has_one_object_on_each_line() {
        let failure = FailureAnswer::new(FailureName::NotFound, "There is no such model.");
        let lines = [
            StreamLine::Begun { request: 3 }.render(),
            StreamLine::Progress {
                phase: "two\nlines".to_string(),
                done: 7,
            }
            .render(),
            result_line(&to_line(&ClosedAnswer { closed: true })),
            StreamLine::Error {
                status: 404,
                error: failure.error,
            }
            .render(),
        ];
        let text = lines.concat();
        assert_eq!(text.lines().count(), 4);
        let events = text.lines().map(|line| {
            let read: Json = serde_json::from_str(line).expect("a line is JSON");
            let known: StreamLine = serde_json::from_str(line).expect("a line is known");
            assert_eq!(known.render(), format!("{line}\n"));
            read["event"].as_str().expect("it has an event").to_string()
        });
        let events: Vec<String> = events.collect();
        assert_eq!(events, ["begun", "progress", "result", "error"]);
    }
}
