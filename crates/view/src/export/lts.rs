//! A labelled transition system as a graph.

use std::borrow::Cow;

use wherefore_model::lts::Lts;

use super::graph::{ExportEdge, ExportGraph, ExportNode, GraphStyle};
use crate::words::clean;

/// A system, ready to be written. The initial state has a thick border, internal steps are dashed.
#[derive(Clone, Copy, Debug)]
pub struct LtsGraph<'a>(pub &'a Lts);

impl ExportGraph for LtsGraph<'_> {
    fn style(&self) -> GraphStyle {
        GraphStyle {
            name: "wherefore",
            label: "State",
            edge_label: "label",
            nodes: "shape=circle",
            joined: true,
            ..GraphStyle::default()
        }
    }

    fn initial(&self) -> Option<i64> {
        Some(self.0.initial().index() as i64)
    }

    fn nodes(&self) -> impl Iterator<Item = ExportNode> {
        self.0.state_ids().map(|state| ExportNode {
            number: state.index() as i64,
            lines: vec![state.index().to_string()],
            ..ExportNode::default()
        })
    }

    fn edges(&self) -> impl Iterator<Item = ExportEdge<'_>> {
        self.0.all_transitions().map(|step| {
            let label = &self.0.labels()[step.label];
            ExportEdge {
                from: step.from.index() as i64,
                to: step.to.index() as i64,
                label: Cow::Borrowed(&label.text),
                arrow: Some(clean(&label.text)),
                style: label.internal.then_some("dashed"),
                ..ExportEdge::default()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use wherefore_model::lts::{ActionLabel, StateId, Transition};

    use super::*;
    use crate::export::GraphFormat;

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
        let text = GraphFormat::Dot.text(&LtsGraph(&lts));
        let lines: Vec<&str> = text.lines().skip(3).collect();
        let expected = [
            "  0;",
            "  1 [penwidth=2];",
            "  0 -> 1 [label=\"a \\\"b\\\"\\lc\\l\"];",
            "  1 -> 0 [label=\"i\", style=dashed];",
            "}",
        ];
        assert_eq!(lines, expected);
    }
}
