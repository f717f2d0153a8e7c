//! The steps of a node, put together: what would have been right there, what wrong, and what is open.

use std::collections::BTreeMap;

use wherefore_model::lts::LabelId;
use wherefore_tagged::{NodeId, Tagged, ZoneTag};

use super::Story;
use crate::words::{clean, shortened};

/// A label is shown up to this many letters.
const LONGEST: usize = 60;

/// The sign of a tag: whatever its colour says is said by it as well.
pub(crate) fn sign(tag: ZoneTag) -> &'static str {
    match tag {
        ZoneTag::Correct => "+",
        ZoneTag::Incorrect => "x",
        ZoneTag::Neutral => ".",
    }
}

/// All tags, in the order in which they are told.
pub(crate) const TAGS: [ZoneTag; 3] = [ZoneTag::Correct, ZoneTag::Incorrect, ZoneTag::Neutral];

/// A label as it is shown: on one line, not too long, with nothing in it that steers the terminal.
pub(crate) fn label_text(graph: &Tagged<'_>, label: LabelId) -> String {
    let text = &graph.label(label).text;
    if text.is_empty() {
        return "(a label without a name)".to_string();
    }
    // A label may have millions of letters; what is cleaned must be short before.
    let short: String = text.chars().take(2 * LONGEST).collect();
    shortened(clean(&short), LONGEST)
}

/// The labels of the steps of a node with one tag, each with how many steps have it.
pub(crate) fn labels(graph: &Tagged<'_>, node: NodeId, tag: ZoneTag) -> Vec<(LabelId, usize)> {
    let mut labels: Vec<(LabelId, usize)> = Vec::new();
    // Steps are ordered by their labels.
    for step in graph.steps(node).filter(|step| step.tag == tag) {
        match labels.last_mut() {
            Some((label, count)) if *label == step.label => *count += 1,
            _ => labels.push((step.label, 1)),
        }
    }
    labels
}

/// At most so many labels; the rest is counted: `A, B (2 ways) and 12 more`.
pub(crate) fn some_labels(graph: &Tagged<'_>, labels: &[(LabelId, usize)], most: usize) -> String {
    let few = labels.iter().take(most).map(|&(label, count)| {
        let text = label_text(graph, label);
        match count {
            1 => text,
            n => format!("{text} ({n} ways)"),
        }
    });
    let few: Vec<String> = few.collect();
    match labels.len() - few.len() {
        0 => few.join(", "),
        more => format!("{} and {more} more", few.join(", ")),
    }
}

/// The neighbourhoods at which the same labels are right and the same are wrong: how many there are, and
/// the first of them; the most frequent first.
pub(crate) fn decisions(story: &Story<'_>) -> Vec<(usize, NodeId)> {
    type Labels = Vec<LabelId>;
    let mut together: BTreeMap<(Labels, Labels), (usize, NodeId)> = BTreeMap::new();
    for group in &story.analysis.groups {
        let first = group.members[0];
        let labels = |tag: ZoneTag| {
            let steps = story.graph().steps(first).filter(|step| step.tag == tag);
            let mut labels: Labels = steps.map(|step| step.label).collect();
            labels.dedup();
            labels
        };
        let key = (labels(ZoneTag::Correct), labels(ZoneTag::Incorrect));
        let (n, node) = together.entry(key).or_insert((0, first));
        *n += group.members.len();
        *node = first.min(*node);
    }
    let mut decisions: Vec<(usize, NodeId)> = together.into_values().collect();
    decisions.sort_by_key(|&(n, node)| (usize::MAX - n, node));
    decisions
}
