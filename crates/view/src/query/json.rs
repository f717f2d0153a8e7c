//! Answers of queries as a document, schema `wherefore-query/1`.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use wherefore_tagged::query::{Answer, Graph, Value};

use crate::json::Tool;

/// The name of the schema.
const SCHEMA: &str = "wherefore-query/1";

/// A query and its answer.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The query as it was written, or its name and what it was asked with.
    pub text: String,
    /// The comment before it.
    pub title: Option<String>,
    /// The answer.
    pub answer: &'a Answer,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    tool: Tool,
    path: String,
    property: Property,
    queries: Vec<Query>,
}

#[derive(Serialize)]
struct Property {
    name: String,
    text: String,
}

#[derive(Serialize)]
struct Query {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    columns: Vec<String>,
    rows: Vec<Vec<Json>>,
    /// Why there may be more rows than these, or other ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// The document, with a line break at its end. `property` is the name and the text of the property.
pub fn document(
    graph: &Graph<'_>,
    path: &str,
    property: (&str, &str),
    queries: &[Asked<'_>],
) -> String {
    let queries = queries.iter().map(|asked| Query {
        text: asked.text.clone(),
        title: asked.title.clone(),
        columns: asked.answer.columns.clone(),
        rows: (asked.answer.rows.iter())
            .map(|row| row.iter().map(|cell| value(graph, cell)).collect())
            .collect(),
        incomplete: asked.answer.incomplete.clone(),
        note: asked.answer.note.clone(),
        warnings: (asked.answer.hints.iter())
            .map(|hint| hint.message.clone())
            .collect(),
    });
    let document = Document {
        schema: SCHEMA,
        tool: Tool {
            name: "wherefore",
            version: env!("CARGO_PKG_VERSION"),
        },
        path: path.to_string(),
        property: Property {
            name: property.0.to_string(),
            text: property.1.to_string(),
        },
        queries: queries.collect(),
    };
    let mut text = serde_json::to_string_pretty(&document).expect("the document has string keys");
    text.push('\n');
    text
}

fn value(graph: &Graph<'_>, of: &Value) -> Json {
    let properties = |entries: Vec<(&'static str, Value)>| {
        let entries = entries.into_iter();
        let entries = entries.map(|(name, of)| (name.to_string(), value(graph, &of)));
        Json::Object(entries.collect::<Map<_, _>>())
    };
    match of {
        Value::Null => Json::Null,
        Value::Bool(truth) => json!(truth),
        Value::Int(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::Text(text) => json!(&**text),
        Value::List(values) => values.iter().map(|of| value(graph, of)).collect(),
        Value::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(name, of)| (name.to_string(), value(graph, of)));
            Json::Object(entries.collect())
        }
        Value::Node(node) => json!({
            "node": graph.number(*node),
            "labels": graph.labels(*node),
            "properties": properties(graph.properties_of_node(*node)),
        }),
        Value::Relationship(relationship) => {
            let (from, to) = graph.ends(*relationship);
            json!({
                "relationship": relationship,
                "from": graph.number(from),
                "to": graph.number(to),
                "properties": properties(graph.properties_of_relationship(*relationship)),
            })
        }
        Value::Path(path) => {
            let (start, relationships) = path.parts();
            let nodes = graph.along(start, &relationships);
            let nodes: Vec<i64> = nodes.into_iter().map(|node| graph.number(node)).collect();
            let actions: Vec<&str> = (relationships.iter())
                .map(|relationship| graph.action(*relationship))
                .collect();
            json!({
                "nodes": nodes,
                "actions": actions,
                "relationships": relationships,
            })
        }
    }
}
