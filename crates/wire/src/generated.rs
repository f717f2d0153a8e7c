//! The files that follow from the types: `docs/schema.json` and `web/src/api/wire.ts`.

mod typescript;

use std::path::{Path, PathBuf};

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json, json};

use crate::*;

/// What writes the files anew.
const COMMAND: &str = "UPDATE_WIRE=1 cargo test -p wherefore-wire";

/// A generator of schemas of what is written, as opposed to what is read.
fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12();
    settings.for_serialize().into_generator()
}

/// Fields that may be null although they may be missing: those of a flattened part that need not be there.
const NULL_OR_MISSING: [(&str, &str); 4] = [
    ("AbstractDoc", "runs"),
    ("ReachDoc", "class"),
    ("ReachDoc", "states"),
    ("ReachDoc", "significant"),
];

/// The schemas that a generator was asked for, by the names of their types.
fn definitions(generator: &mut SchemaGenerator) -> Map<String, Json> {
    let mut definitions = generator.take_definitions(true);
    definitions.sort_keys();
    for (name, schema) in &mut definitions {
        tidy(schema);
        let required = schema["required"].clone();
        let fields = schema.get_mut("properties").and_then(Json::as_object_mut);
        for (field, schema) in fields.into_iter().flatten() {
            let always = required
                .as_array()
                .is_some_and(|all| all.contains(&json!(field)));
            if !always && !NULL_OR_MISSING.contains(&(name, field)) {
                not_null(schema);
            }
        }
    }
    definitions
}

/// Takes null from what a schema allows: a field that may be missing is never null.
fn not_null(schema: &mut Json) {
    if let Some(Json::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = &kinds[..] {
            schema["type"] = kind.clone();
        }
    }
    if let Some(Json::Array(parts)) = schema.get_mut("anyOf") {
        parts.retain(|part| part["type"] != "null");
        if let [part] = &mut parts[..] {
            let part = std::mem::take(part);
            let object = schema.as_object_mut().expect("it has parts");
            object.shift_remove("anyOf");
            object.extend(part.as_object().cloned().unwrap_or_default());
        }
    }
}

/// The text of a schema: what fits on a line stands on one.
fn readable(value: &Json, key: &str, indent: usize, out: &mut String) {
    const WIDTH: usize = 118;
    let line = spaced(value);
    let long = indent + key.len() + line.len() > WIDTH;
    *out += key;
    let (open, close, entries): (_, _, Vec<(String, &Json)>) = match value {
        Json::Object(object) if long => {
            let entries = object
                .iter()
                .map(|(key, value)| (format!("{}: ", json!(key)), value));
            ('{', '}', entries.collect())
        }
        Json::Array(list) if long => (
            '[',
            ']',
            list.iter().map(|value| (String::new(), value)).collect(),
        ),
        _ => return out.push_str(&line),
    };
    out.push(open);
    for (number, (key, value)) in entries.iter().enumerate() {
        out.push_str(if number == 0 { "\n" } else { ",\n" });
        *out += &" ".repeat(indent + 2);
        readable(value, key, indent + 2, out);
    }
    *out += &format!("\n{}{close}", " ".repeat(indent));
}

/// The text of a value on one line, with spaces between entries.
fn spaced(value: &Json) -> String {
    match value {
        Json::Object(object) => {
            let entries = object
                .iter()
                .map(|(key, value)| format!("{}: {}", json!(key), spaced(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Json::Array(list) => {
            let entries = list.iter().map(spaced);
            format!("[{}]", entries.collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

/// Closes objects, and leaves out what says nothing to a reader.
fn tidy(schema: &mut Json) {
    match schema {
        Json::Array(parts) => parts.iter_mut().for_each(tidy),
        Json::Object(object) => {
            object.shift_remove("default");
            object.shift_remove("format");
            object.values_mut().for_each(tidy);
            // A field may be called `properties`; the keyword is an object beside a type.
            if object.get("type") == Some(&json!("object"))
                && object.get("properties").is_some_and(Json::is_object)
                && !object.contains_key("additionalProperties")
            {
                object.insert("additionalProperties".to_string(), json!(false));
            }
        }
        _ => {}
    }
}

/// The schema of all documents that the program prints.
fn schema() -> String {
    let mut generator = generator();
    let documents = [
        generator.subschema_for::<CheckDocument>(),
        generator.subschema_for::<QueryDocument>(),
        generator.subschema_for::<InstanceDocument>(),
        generator.subschema_for::<DiffDocument>(),
    ];
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "wherefore/1",
        "title": "Documents of wherefore",
        "description": "What `wherefore check`, `debug`, `query` and `diff` print with `--format json`, and what is \
                        saved of an instance of an Alloy model. The field `schema` says which of these a document is.",
        "oneOf": documents,
        "$defs": definitions(&mut generator),
    });
    let mut text = String::new();
    readable(&schema, "", 0, &mut text);
    text + "\n"
}

/// Asks a generator for the schemas of types.
macro_rules! ask {
    ($generator:ident $($type:ty),* $(,)?) => {
        $($generator.subschema_for::<$type>();)*
    };
}

/// The types of documents, requests and answers for the page.
fn types() -> String {
    let mut generator = generator();
    ask!(generator CheckDocument, QueryDocument, ReportDocument, StreamLine);
    ask!(generator
        AboutAnswer, AnalysisAnswer, BlameAnswer, BlockedAnswer, CancelledAnswer, ClosedAnswer, CourseAnswer,
        FailureAnswer, MendAnswer, ModelsAnswer, NamedQueriesAnswer, NearbyAnswer, ProofAnswer, PropertyAnswer,
        StepsAnswer, TextAnswer, TruthAnswer, ValuesAnswer, WindowAnswer<GraphEdgeDoc>,
        WindowAnswer<GraphNodeDoc>, WindowAnswer<GroupDoc>, WindowAnswer<SpotDoc>,
    );
    ask!(generator
        AnalyseRequest, AnotherRequest, AroundRequest, BlameRequest, BlockedRequest, CourseRequest, EmptyRequest,
        EvaluateRequest, FormulaRequest, MendRequest, NearRequest, NodesRequest, PathRequest, ProofRequest,
        QueryRequest, RangeRequest, StepsRequest, TruthRequest, ValueRequest,
    );
    typescript::module(&definitions(&mut generator), COMMAND)
}

/// A file of the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Makes sure that a file is what it must be, or makes it so.
fn current(path: &str, text: &str) {
    let file = file(path);
    if std::env::var_os("UPDATE_WIRE").is_some() {
        std::fs::write(&file, text).expect("the file can be written");
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == text,
        "{path} is not current: `{COMMAND}` writes it anew"
    );
}

#[test]
fn the_schema_is_that_of_the_types() {
    current("docs/schema.json", &schema());
}

#[test]
fn the_types_of_the_page_are_these() {
    current("web/src/api/wire.ts", &types());
}

#[test]
fn documents_are_read_and_written_again_as_they_were() {
    let folder = file("web/tests/fixtures");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("there are documents") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let document: CheckDocument = serde_json::from_str(&text).expect("a document");
        let plain: Json = serde_json::from_str(&text).expect("JSON");
        assert!(
            document.render() == to_page(&plain),
            "{} changes",
            path.display()
        );
        count += 1;
    }
    assert!(count > 2, "there are {count} documents");
}
