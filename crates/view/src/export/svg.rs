//! Evidence as a picture that browsers show, without any other program.

use std::collections::BTreeMap;

use wherefore_evidence::OccurrenceId;
use wherefore_relational::UniverseAtomId;

use super::graph::EvidenceGraph;
use crate::alloy::graph::{Ends, InstanceEdge, InstanceGraph, InstanceNode, InstanceState};
use crate::alloy::svg::draw;

/// How long a line of a label may be.
const WIDEST: usize = 36;

/// The shapes of states, of the first one, and of regions.
const STATE: usize = 1;
const FIRST: usize = 3;
const REGION: usize = 2;

/// The picture: a box for each occurrence of a state, one with another shape for the first, and a further
/// one for each region.
pub(crate) fn render(graph: &dyn EvidenceGraph) -> String {
    let evidence = graph.evidence();
    let place = |id: OccurrenceId| UniverseAtomId::new(id.index());
    let mut state = InstanceState {
        heading: None,
        nodes: BTreeMap::new(),
        edges: BTreeMap::new(),
    };
    for id in evidence.occurrences.ids() {
        let mut lines = graph.lines(id);
        let title = lines.remove(0);
        let node = InstanceNode {
            title,
            lines: lines.iter().flat_map(|line| broken(line)).collect(),
            kind: if id.index() == 0 { FIRST } else { STATE },
            witness: false,
        };
        state.nodes.insert(place(id), node);
    }
    for edge in &evidence.edges {
        let ends = Ends {
            from: place(edge.from),
            to: place(edge.to),
            witness: false,
        };
        // What changes stands in the boxes.
        let label = Some(graph.arrow(edge)).filter(|label| !label.is_empty());
        let labels = label.map(|label| broken(&label)).unwrap_or_default();
        state.edges.entry(ends).or_default().labels.extend(labels);
    }
    for (id, region) in evidence.regions.entries() {
        let atom = UniverseAtomId::new(evidence.occurrences.len() + id.index());
        let node = InstanceNode {
            title: "region".into(),
            lines: broken(&graph.region(region)),
            kind: REGION,
            witness: true,
        };
        state.nodes.insert(atom, node);
        let ends = Ends {
            from: place(region.at),
            to: atom,
            witness: true,
        };
        let drawn = InstanceEdge {
            labels: vec!["from here on".into()],
            both: false,
        };
        state.edges.insert(ends, drawn);
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
