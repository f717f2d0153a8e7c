//! A labelled transition system as a graph for Graphviz.

use std::collections::BTreeMap;
use std::fmt::Write;

use wherefore_model::lts::{Lts, StateId};

use crate::dot::quoted;
use crate::words::clean;

/// The system, with one edge for all steps between two states. The initial state has a thick border, and
/// edges of internal steps alone are dashed.
pub fn dot(lts: &Lts) -> String {
    let mut out = String::from("digraph wherefore {\n");
    out.push_str("  node [shape=circle, fontname=\"monospace\"];\n");
    out.push_str("  edge [fontname=\"monospace\"];\n");
    for from in lts.state_ids() {
        let first = match from == lts.initial() {
            true => " [penwidth=2]",
            false => "",
        };
        let _ = writeln!(out, "  {}{first};", from.index());
        let mut edges: BTreeMap<StateId, Vec<_>> = BTreeMap::new();
        for step in lts.steps(from) {
            edges
                .entry(step.to)
                .or_default()
                .push(&lts.labels()[step.label]);
        }
        for (to, labels) in edges {
            let texts: Vec<String> = labels.iter().map(|label| clean(&label.text)).collect();
            let style = match labels.iter().all(|label| label.internal) {
                true => ", style=dashed",
                false => "",
            };
            let label = quoted(&texts.join("\n"));
            let (from, to) = (from.index(), to.index());
            let _ = writeln!(out, "  {from} -> {to} [label={label}{style}];");
        }
    }
    out.push_str("}\n");
    out
}

#[cfg(test)]
mod tests {
    use wherefore_model::lts::{ActionLabel, Transition};

    use super::*;

    #[test]
    fn steps_between_two_states_share_an_edge() {
        let labels = [("a \"b\"", false), ("c", false), ("i", true)];
        let labels = labels.map(|(text, internal)| ActionLabel {
            text: text.to_string(),
            internal,
        });
        let step = |from: usize, label: usize, to: usize| Transition {
            from: from.into(),
            label: label.into(),
            to: to.into(),
        };
        let steps = [step(0, 0, 1), step(0, 1, 1), step(1, 2, 0)];
        let lts = Lts::new(labels.to_vec(), 2, StateId::new(1), &steps);
        let lines: Vec<String> = dot(&lts).lines().skip(3).map(str::to_string).collect();
        let expected = [
            "  0;",
            "  0 -> 1 [label=\"a \\\"b\\\"\\lc\\l\"];",
            "  1 [penwidth=2];",
            "  1 -> 0 [label=\"i\", style=dashed];",
            "}",
        ];
        assert_eq!(lines, expected);
    }
}
