//! A picture that browsers show, without any other program.

use wherefore_relational::UniverseAtomId;

use super::graph::{ExportGraph, ExportRole};
use crate::alloy::graph::{Ends, InstanceGraph, InstanceNode, InstanceState};
use crate::alloy::svg::{SHAPES, draw};

/// How long a line of a label may be.
const WIDEST: usize = 36;

/// The shapes of nodes that ask for none, of the first one, and of remarks.
const NODE: usize = 1;
const FIRST: usize = 3;
const REMARK: usize = 2;

/// The picture: a box for each node, with another shape for the first one and for remarks.
pub(super) fn render<G: ExportGraph>(graph: &G) -> String {
    let mut numbers: Vec<i64> = graph.nodes().map(|node| node.number).collect();
    numbers.sort_unstable();
    let place = |number: i64| {
        let at = numbers.binary_search(&number);
        UniverseAtomId::new(at.expect("ends of edges are nodes"))
    };
    let mut state = InstanceState::default();
    let initial = graph.initial();
    for node in graph.nodes() {
        let remark = node.role == ExportRole::Remark;
        let shape = |shape: &str| SHAPES.iter().position(|known| *known == shape);
        let kind = match node.shape.and_then(shape) {
            Some(kind) => kind,
            None if remark => REMARK,
            None if initial == Some(node.number) => FIRST,
            None => NODE,
        };
        let mut lines = node.lines.into_iter();
        let title = if remark { None } else { lines.next() };
        let drawn = InstanceNode {
            title: title.unwrap_or_else(|| "region".to_string()),
            lines: lines.flat_map(|line| broken(&line)).collect(),
            kind,
            witness: node.doubled,
        };
        state.nodes.insert(place(node.number), drawn);
    }
    for edge in graph.edges() {
        let ends = Ends {
            from: place(edge.from),
            to: place(edge.to),
            witness: matches!(edge.style, Some("dashed" | "dotted")),
        };
        let drawn = state.edges.entry(ends).or_default();
        drawn.both |= edge.both;
        let label = match edge.role {
            ExportRole::Remark => "from here on",
            _ => edge.arrow(),
        };
        let lines = label.split('\n').filter(|line| !line.is_empty());
        drawn.labels.extend(lines.flat_map(broken));
    }
    draw(&InstanceGraph {
        states: vec![state],
    })
}

/// A text as lines that are not too long.
fn broken(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is a line");
        if !last.is_empty() && last.chars().count() + word.chars().count() >= WIDEST {
            lines.push(word.to_owned());
            continue;
        }
        if !last.is_empty() {
            last.push(' ');
        }
        last.push_str(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_become_lines() {
        let lines = broken("one two three four five six seven eight nine ten");
        assert_eq!(
            lines,
            ["one two three four five six seven", "eight nine ten"]
        );
        assert_eq!(broken(""), [""]);
    }
}
