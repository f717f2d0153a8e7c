//! Answers of queries as a document, schema `wherefore-query/1`.

use wherefore_tagged::query::{QueryAnswer, QueryGraph, QueryValue};
use wherefore_wire::{
    ByName, CellDoc, NodeCellDoc, PathCellDoc, QueriedPropertyDoc, QueryDoc, QueryDocument,
    QuerySchemaName, RelationshipCellDoc, ToolDoc, to_page,
};

/// A query and its answer.
#[derive(Clone, Debug)]
pub struct AskedQuery<'a> {
    /// The query as it was written, or its name and what it was asked with.
    pub text: String,
    /// The comment before it.
    pub title: Option<String>,
    /// The answer.
    pub answer: &'a QueryAnswer,
}

/// The document, with a line break at its end. `property` is the name and the text of the property.
pub fn document(
    graph: &QueryGraph<'_>,
    path: &str,
    property: (&str, &str),
    queries: &[AskedQuery<'_>],
) -> String {
    let queries = queries.iter().map(|asked| QueryDoc {
        text: asked.text.clone(),
        title: asked.title.clone(),
        columns: asked.answer.columns.clone(),
        rows: (asked.answer.rows.iter())
            .map(|row| row.iter().map(|value| cell(graph, value)).collect())
            .collect(),
        incomplete: asked.answer.incomplete.clone(),
        note: asked.answer.note.clone(),
        warnings: (asked.answer.hints.iter())
            .map(|hint| hint.message.clone())
            .collect(),
    });
    to_page(&QueryDocument {
        schema: QuerySchemaName::Version1,
        tool: ToolDoc::default(),
        path: path.to_string(),
        property: QueriedPropertyDoc {
            name: property.0.to_string(),
            text: property.1.to_string(),
        },
        queries: queries.collect(),
    })
}

fn cell(graph: &QueryGraph<'_>, value: &QueryValue) -> CellDoc {
    let properties = |entries: Vec<(&'static str, QueryValue)>| -> ByName<CellDoc> {
        let entries = entries.into_iter();
        let entries = entries.map(|(name, value)| (name.to_string(), cell(graph, &value)));
        entries.collect()
    };
    match value {
        QueryValue::Null => CellDoc::Null,
        QueryValue::Bool(truth) => CellDoc::Bool(*truth),
        QueryValue::Int(number) => CellDoc::Int(*number),
        QueryValue::Float(number) => CellDoc::Float(*number),
        QueryValue::Text(text) => CellDoc::Text(text.to_string()),
        QueryValue::List(values) => CellDoc::List(values.iter().map(|v| cell(graph, v)).collect()),
        QueryValue::Map(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|(name, value)| (name.to_string(), cell(graph, value)));
            CellDoc::Map(entries.collect())
        }
        QueryValue::Node(node) => CellDoc::Node(NodeCellDoc {
            node: graph.number(*node),
            labels: graph.labels(*node).into_iter().map(String::from).collect(),
            properties: properties(graph.properties_of_node(*node)),
        }),
        QueryValue::Relationship(relationship) => {
            let (from, to) = graph.ends(*relationship);
            CellDoc::Relationship(RelationshipCellDoc {
                relationship: *relationship,
                from: graph.number(from),
                to: graph.number(to),
                properties: properties(graph.properties_of_relationship(*relationship)),
            })
        }
        QueryValue::Path(path) => {
            let (start, relationships) = path.parts();
            let nodes = graph.along(start, &relationships);
            let actions = relationships.iter().map(|&r| graph.action(r).to_string());
            CellDoc::Path(PathCellDoc {
                nodes: nodes.into_iter().map(|node| graph.number(node)).collect(),
                actions: actions.collect(),
                relationships,
            })
        }
    }
}
