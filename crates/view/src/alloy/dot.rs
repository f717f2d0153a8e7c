//! An instance as a graph for Graphviz and other tools.
//!
//! The top-level signatures have shapes of their own, so colour says nothing that is not said without
//! it. Witnesses of the command have a double border, their arrows are dashed. The states of a trace are
//! clusters of one graph.

use super::graph::{InstanceGraph, InstanceState};
use super::{ShownInstance, svg};
use crate::export::dot::{self, DotCluster};
use crate::export::graph::{ExportEdge, ExportGraph, ExportNode, GraphStyle};
use crate::export::{ExportDocument, GraphFormat, text};

/// The instance as one graph.
pub fn render(instance: &ShownInstance<'_>) -> String {
    let graph = InstanceGraph::new(instance);
    let clusters = graph.states.iter().enumerate();
    let clusters = clusters.map(|(number, state)| DotCluster {
        number,
        prefix: format!("s{number}_"),
        title: state.heading.clone(),
        graph: state,
    });
    let clusters: Vec<_> = clusters.collect();
    text(|out| dot::write(STYLE, &clusters, out))
}

/// The states of the instance in a format that holds one graph, a document for each.
pub fn export(instance: &ShownInstance<'_>, format: GraphFormat) -> Vec<ExportDocument> {
    let graph = InstanceGraph::new(instance);
    let states = graph.states.iter().enumerate();
    let documents = states.map(|(branch, state)| ExportDocument {
        branch,
        text: format.text(state),
    });
    documents.collect()
}

const STYLE: GraphStyle = GraphStyle {
    name: "instance",
    label: "Atom",
    edge_label: "label",
    nodes: "style=filled",
    labelled: false,
    flows: false,
    centred: true,
    joined: false,
};

impl ExportGraph for InstanceState {
    fn style(&self) -> GraphStyle {
        STYLE
    }

    fn headline(&self) -> Option<String> {
        self.heading.clone()
    }

    fn initial(&self) -> Option<i64> {
        None
    }

    fn nodes(&self) -> impl Iterator<Item = ExportNode> {
        self.nodes.iter().map(|(atom, node)| {
            let title = std::iter::once(&node.title);
            ExportNode {
                number: atom.index() as i64,
                lines: title.chain(&node.lines).cloned().collect(),
                shape: Some(svg::SHAPES[node.kind % svg::KINDS]),
                fill: Some(svg::fill(node.kind)),
                doubled: node.witness,
                ..ExportNode::default()
            }
        })
    }

    fn edges(&self) -> impl Iterator<Item = ExportEdge<'_>> {
        self.edges.iter().map(|(ends, edge)| ExportEdge {
            from: ends.from.index() as i64,
            to: ends.to.index() as i64,
            label: edge.labels.join(", ").into(),
            arrow: Some(edge.labels.join("\n")),
            style: ends.witness.then_some("dashed"),
            both: edge.both,
            ..ExportEdge::default()
        })
    }

    fn name(&self, number: i64) -> String {
        format!("a{number}")
    }
}
