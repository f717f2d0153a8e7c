//! A graph as the formats of other tools see it.
//!
//! `node --edge--> node`, each with texts, attributes and a look. Evidence, tagged graphs, instances and labelled
//! transition systems implement [`ExportGraph`]; each format is written once over it, as it goes, so that graphs of
//! any size can be exported. The same graph gives the same bytes.

use std::borrow::Cow;

/// A graph that can be written in every [`GraphFormat`](super::GraphFormat).
///
/// Invariant: nodes and edges come in an order that depends on the graph alone, and both ends of every edge are
/// among the nodes.
pub trait ExportGraph {
    /// What holds for the whole graph.
    fn style(&self) -> GraphStyle;

    /// What the graph is about, for formats that can say it.
    fn headline(&self) -> Option<String> {
        None
    }

    /// The number of the node where it begins.
    fn initial(&self) -> Option<i64>;

    /// All nodes.
    fn nodes(&self) -> impl Iterator<Item = ExportNode>;

    /// All edges; those from one node follow each other where they are drawn as one.
    fn edges(&self) -> impl Iterator<Item = ExportEdge<'_>>;

    /// A word for a node, unlike that of any other.
    fn name(&self, number: i64) -> String {
        number.to_string()
    }

    /// The attributes of nodes.
    fn attributes(&self) -> Vec<ExportAttribute> {
        vec![]
    }

    /// The attributes of edges besides the label.
    fn edge_attributes(&self) -> Vec<ExportAttribute> {
        vec![]
    }
}

/// What holds for a whole graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphStyle {
    /// Its name.
    pub name: &'static str,
    /// The label of all nodes in a database.
    pub label: &'static str,
    /// Whether nodes have further labels in a database.
    pub labelled: bool,
    /// What the label of an edge is called among its attributes.
    pub edge_label: &'static str,
    /// How Graphviz draws nodes.
    pub nodes: &'static str,
    /// Whether it is drawn from left to right, with an arrow that leads to the initial node. Otherwise that node has a
    /// thick border.
    pub flows: bool,
    /// Whether lines stand in the middle; otherwise on the left.
    pub centred: bool,
    /// Whether edges from one node to another are drawn as one.
    pub joined: bool,
}

/// The part that a node or an edge plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExportRole {
    /// It belongs to the graph.
    #[default]
    Member,
    /// It stands for what lies outside: transition systems leave it out.
    Outside,
    /// It tells something about the graph: only pictures have it.
    Remark,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExportNode {
    /// Its number, unlike that of any other; negative if it lies outside.
    pub number: i64,
    /// The part it plays.
    pub role: ExportRole,
    /// What it shows, a line each.
    pub lines: Vec<String>,
    /// What it shows in a diagram that tells changes at its arrows; `None`: its lines.
    pub caption: Option<String>,
    /// Its labels in a database; empty: that of all nodes.
    pub labels: Vec<&'static str>,
    /// The values of its attributes, in their order.
    pub values: Vec<AttributeValue>,
    /// Its shape, as Graphviz calls it.
    pub shape: Option<&'static str>,
    /// Its style, as Graphviz calls it.
    pub style: Option<&'static str>,
    /// Its colour.
    pub fill: Option<&'static str>,
    /// Whether it has a double border.
    pub doubled: bool,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExportEdge<'a> {
    /// The number of the node it leads from.
    pub from: i64,
    /// The number of the node it leads to.
    pub to: i64,
    /// The part it plays.
    pub role: ExportRole,
    /// What it is called.
    pub label: Cow<'a, str>,
    /// What stands at its arrow where nodes show their lines; `None`: its label.
    pub arrow: Option<String>,
    /// What stands at its arrow where nodes show their captions; `None`: its label.
    pub changes: Option<String>,
    /// The values of its attributes, in their order.
    pub values: Vec<AttributeValue>,
    /// Its colour, and that of its label.
    pub colour: Option<&'static str>,
    /// Its stroke, as Graphviz calls it.
    pub style: Option<&'static str>,
    /// Whether it leads back, too.
    pub both: bool,
    /// What AUT with tags has after the source, and after the label.
    pub tags: (&'static str, &'static str),
}

impl ExportEdge<'_> {
    /// What stands at its arrow where nodes show their lines.
    pub(super) fn arrow(&self) -> &str {
        self.arrow.as_deref().unwrap_or(&self.label)
    }
}

/// The type of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeKind {
    /// A text.
    Text,
    /// A truth value.
    Bool,
    /// A number of 32 bits.
    Int,
    /// A number of 64 bits.
    Long,
}

impl AttributeKind {
    /// Its name in GraphML and in the headers of tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            AttributeKind::Text => "string",
            AttributeKind::Bool => "boolean",
            AttributeKind::Int => "int",
            AttributeKind::Long => "long",
        }
    }
}

/// An attribute of all nodes or edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportAttribute {
    /// A plain word for it, unlike that of any other attribute of nodes or edges.
    pub key: Cow<'static, str>,
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its type.
    pub kind: AttributeKind,
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeValue {
    /// There is none.
    Absent,
    /// A truth value.
    Bool(bool),
    /// A number.
    Int(i64),
    /// One of a few words, which need no escapes.
    Word(&'static str),
    /// A text.
    Text(String),
}

impl AttributeValue {
    /// The value as a text; `None`: there is none.
    pub(super) fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            AttributeValue::Absent => None,
            AttributeValue::Bool(truth) => Some(truth.to_string().into()),
            AttributeValue::Int(number) => Some(number.to_string().into()),
            AttributeValue::Word(word) => Some(Cow::Borrowed(word)),
            AttributeValue::Text(text) => Some(text.into()),
        }
    }
}

/// The nodes that are more than remarks.
pub(super) fn members<G: ExportGraph>(graph: &G) -> impl Iterator<Item = ExportNode> {
    let nodes = graph.nodes();
    nodes.filter(|node| node.role != ExportRole::Remark)
}

/// The edges that are more than remarks.
pub(super) fn member_edges<G: ExportGraph>(graph: &G) -> impl Iterator<Item = ExportEdge<'_>> {
    let edges = graph.edges();
    edges.filter(|edge| edge.role != ExportRole::Remark)
}

/// The labels of a node in a database.
pub(super) fn labels(style: GraphStyle, node: &ExportNode, between: &str) -> String {
    match node.labels.is_empty() {
        true => style.label.to_string(),
        false => node.labels.join(between),
    }
}

/// The name of a node where names begin with a letter.
pub(super) fn identifier<G: ExportGraph>(graph: &G, number: i64) -> String {
    let name = graph.name(number);
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("n{name}"),
        false => name,
    }
}
