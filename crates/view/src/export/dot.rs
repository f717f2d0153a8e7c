//! Graphviz: the one format that holds several graphs, as clusters beside each other.

use std::io::{self, Write};

use super::graph::{ExportEdge, ExportGraph, ExportRole, GraphStyle};

/// One of several graphs in a document.
pub(crate) struct DotCluster<'g, G> {
    /// Its number; a graph without a title is no cluster.
    pub(crate) number: usize,
    /// What stands before the names of its nodes.
    pub(crate) prefix: String,
    /// What stands above it.
    pub(crate) title: Option<String>,
    /// The graph.
    pub(crate) graph: &'g G,
}

/// Writes graphs of one style.
pub(crate) fn write<G: ExportGraph>(
    style: GraphStyle,
    clusters: &[DotCluster<'_, G>],
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "digraph {} {{", style.name)?;
    if style.flows {
        writeln!(out, "  rankdir=LR;")?;
    }
    writeln!(out, "  node [{}, fontname=\"monospace\"];", style.nodes)?;
    writeln!(out, "  edge [fontname=\"monospace\"];")?;
    for cluster in clusters {
        let indent = match &cluster.title {
            Some(title) => {
                writeln!(out, "  subgraph cluster_{} {{", cluster.number)?;
                writeln!(out, "    label={};", quoted([title.as_str()], true))?;
                "    "
            }
            None => "  ",
        };
        let writer = ClusterWriter {
            style,
            cluster,
            indent,
        };
        writer.nodes(out)?;
        writer.edges(out)?;
        if cluster.title.is_some() {
            writeln!(out, "  }}")?;
        }
    }
    writeln!(out, "}}")
}

struct ClusterWriter<'c, 'g, G> {
    style: GraphStyle,
    cluster: &'c DotCluster<'g, G>,
    indent: &'static str,
}

impl<G: ExportGraph> ClusterWriter<'_, '_, G> {
    fn name(&self, number: i64) -> String {
        format!("{}{}", self.cluster.prefix, self.cluster.graph.name(number))
    }

    fn nodes(&self, out: &mut dyn Write) -> io::Result<()> {
        let indent = self.indent;
        let initial = self.cluster.graph.initial();
        if let Some(initial) = initial.filter(|_| self.style.flows) {
            writeln!(out, "{indent}start [shape=point];")?;
            writeln!(out, "{indent}start -> {};", self.name(initial))?;
        }
        for node in self.cluster.graph.nodes() {
            let name = self.name(node.number);
            let mut attributes = Vec::new();
            // Graphviz shows the name of a node that has no label.
            if node.lines != [name.as_str()] {
                let lines = node.lines.iter().map(String::as_str);
                attributes.push(format!("label={}", quoted(lines, self.style.centred)));
            }
            attributes.extend(node.shape.map(|shape| format!("shape={shape}")));
            attributes.extend(node.style.map(|style| match style.contains(',') {
                true => format!("style=\"{style}\""),
                false => format!("style={style}"),
            }));
            attributes.extend(node.fill.map(|fill| format!("fillcolor=\"{fill}\"")));
            if initial == Some(node.number) && !self.style.flows {
                attributes.push("penwidth=2".to_string());
            }
            if node.doubled {
                attributes.push("peripheries=2".to_string());
            }
            match attributes.is_empty() {
                true => writeln!(out, "{indent}{name};")?,
                false => writeln!(out, "{indent}{name} [{}];", attributes.join(", "))?,
            }
        }
        Ok(())
    }

    fn edges(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut edges = self.cluster.graph.edges().peekable();
        while let Some(first) = edges.next() {
            let from = first.from;
            let mut group = vec![first];
            // Only the edges of one source are held at a time.
            while let Some(edge) = edges.next_if(|edge| self.style.joined && edge.from == from) {
                group.push(edge);
            }
            group.sort_by_key(|edge| edge.to);
            for parallel in group.chunk_by(|one, other| one.to == other.to) {
                self.edge(parallel, out)?;
            }
        }
        Ok(())
    }

    /// Edges with the same ends, as one.
    fn edge(&self, parallel: &[ExportEdge<'_>], out: &mut dyn Write) -> io::Result<()> {
        let edge = &parallel[0];
        let mut attributes = Vec::new();
        if edge.role != ExportRole::Remark {
            let lines = parallel.iter().flat_map(|edge| edge.arrow().split('\n'));
            attributes.push(format!("label={}", quoted(lines, self.style.centred)));
        }
        if let Some(colour) = edge.colour {
            attributes.push(format!("color=\"{colour}\", fontcolor=\"{colour}\""));
        }
        let same = parallel.iter().all(|other| other.style == edge.style);
        let style = edge.style.filter(|_| same);
        attributes.extend(style.map(|style| format!("style={style}")));
        if edge.role == ExportRole::Remark {
            attributes.push("arrowhead=none".to_string());
        }
        if edge.both {
            attributes.push("dir=both".to_string());
        }
        let (from, to) = (self.name(edge.from), self.name(edge.to));
        let attributes = attributes.join(", ");
        writeln!(out, "{}{from} -> {to} [{attributes}];", self.indent)
    }
}

/// Lines as a string of DOT, in the middle or on the left. Characters that no label can show become blanks.
fn quoted<'l>(lines: impl IntoIterator<Item = &'l str>, centred: bool) -> String {
    let escaped = lines.into_iter().map(|line| {
        let line = line.replace('\\', "\\\\").replace('"', "\\\"");
        line.replace(char::is_control, " ")
    });
    let lines: Vec<String> = escaped.collect();
    match lines.len() > 1 && !centred {
        true => format!("\"{}\\l\"", lines.join("\\l")),
        false => format!("\"{}\"", lines.join("\\n")),
    }
}
