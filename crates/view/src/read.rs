//! Reading saved evidence: our own document, ITF traces, and traces of NuSMV and nuXmv.
//!
//! The format is recognised by the content. A [`SavedTrace`] is plain: states as values by name. [`fit()`]
//! matches it with a model; [`rebuild()`] makes evidence of ours whole again, so
//! that it can be replayed. Files may be anything, so nothing is believed and nothing panics.

pub mod certificate;

mod document;
pub(crate) mod fit;
mod itf;
mod listing;
pub(crate) mod rebuild;
pub(crate) mod trace;
mod xml;

use serde_json::Value as Json;
use wherefore_wire::{CheckDocument, CheckSchemaName, FormatHead};

pub use document::{chosen_rule, main_run, main_run_of};
pub use fit::{DocumentMisfit, Fitted, fit};
pub use rebuild::{rebuild, witness_query};
pub use trace::{Datum, SavedTrace, TraceFormat, Valuation};

/// What a file of saved evidence holds.
#[derive(Clone, Debug)]
pub enum SavedFile {
    /// A document of ours.
    Document(CheckDocument),
    /// Traces of any other format, at least one.
    Traces(Vec<SavedTrace>),
}

/// Why a text holds no evidence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Unreadable {
    /// What is wrong.
    pub message: String,
    /// Where: the offset of a byte.
    pub offset: usize,
}

impl Unreadable {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            offset,
        }
    }

    /// An error of the JSON reader, whose places are lines and columns.
    fn json(text: &str, error: &serde_json::Error) -> Self {
        let line = text.split_inclusive('\n').take(error.line().max(1) - 1);
        let start: usize = line.map(str::len).sum();
        let mut offset = (start + error.column().saturating_sub(1)).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let message = error.to_string();
        let message = message
            .rsplit_once(" at line ")
            .map_or(&*message, |(m, _)| m);
        Self::new(offset, format!("This is not a trace: {message}"))
    }
}

/// The schema of the documents that are read.
const SCHEMA: CheckSchemaName = CheckSchemaName::Version1;

/// Reads saved evidence of any format.
pub fn read(text: &str) -> Result<SavedFile, Unreadable> {
    let start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let offset = text.len() - start.len();
    let at = |error: Unreadable| Unreadable {
        offset: error.offset + offset,
        ..error
    };
    if start.is_empty() {
        return Err(Unreadable::new(offset, "The file is empty"));
    }
    if start.starts_with('{') {
        return read_json(start).map_err(at);
    }
    if listing::is_listing(start) {
        return listing::read(start).map(SavedFile::Traces).map_err(at);
    }
    if let Some(from) = start.find('<')
        && (from == 0 || xml::is_xml(start))
    {
        return xml::read(start).map(SavedFile::Traces).map_err(at);
    }
    Err(Unreadable::new(
        offset,
        "This is no trace: it is neither JSON (ours, or ITF) nor a trace of NuSMV, as XML or as text",
    ))
}

fn read_json(text: &str) -> Result<SavedFile, Unreadable> {
    let wrong = |error: serde_json::Error| Unreadable::json(text, &error);
    let head: FormatHead = serde_json::from_str(text).map_err(wrong)?;
    match (head.schema, head.states) {
        (Some(Json::String(schema)), _) if schema == SCHEMA.name() => {
            let document = serde_json::from_str(text).map_err(wrong)?;
            Ok(SavedFile::Document(document))
        }
        (Some(schema), _) => Err(Unreadable::new(
            0,
            format!("The document has the schema {schema}, but this version reads \"{SCHEMA}\""),
        )),
        (None, Some(_)) => {
            let document: Json = serde_json::from_str(text).map_err(wrong)?;
            let trace = itf::read(&document).map_err(|message| Unreadable::new(0, message))?;
            Ok(SavedFile::Traces(vec![trace]))
        }
        (None, None) => Err(Unreadable::new(
            0,
            "This is no trace: a JSON document of ours has a `schema`, an ITF trace has `states`",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> (String, usize) {
        let error = read(text).expect_err(text);
        (error.message, error.offset)
    }

    #[test]
    fn what_is_no_trace_is_refused_with_the_place() {
        assert_eq!(message(" \n"), ("The file is empty".to_string(), 2));
        assert!(message("MODULE main").0.starts_with("This is no trace"));
        assert!(message("{}").0.contains("has `states`"));
        let (text, offset) = message("{\"schema\": \"wherefore/1\",\n \"models\": 3}");
        assert!(text.contains("invalid type"), "{text}");
        assert_eq!(offset, 37);
        assert!(
            message("{\"schema\": \"wherefore/9\"}")
                .0
                .contains("wherefore/9")
        );
        assert_eq!(message("{\"states\": [").1, 11);
    }

    #[test]
    fn deep_nesting_and_every_prefix_are_no_danger() {
        let deep = format!("{{\"states\": {}", "[".repeat(1_000_000));
        assert!(read(&deep).is_err());
        let deep = "<counter-example>".repeat(100_000);
        assert!(read(&deep).is_err());
        let texts = [
            "{\"states\": [{\"x\": {\"#bigint\": \"99999999999999999999\"}}], \"loop\": 0}",
            "<counter-example><node><state id=\"1\"><value variable=\"x\">&lt;1</value></state></node><loops>1</loops></counter-example>",
            "-> State: 1.1 <-\n  x = é\n-- Loop starts here\n-> Input: 1.2 <-\n  i = 1\n-> State: 1.2 <-\n",
        ];
        for text in texts {
            assert!(read(text).is_ok(), "{text}");
            for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
                let _ = read(&text[..end]);
                let _ = read(&text[end..]);
            }
        }
    }
}
