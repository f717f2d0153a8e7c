//! Neighbourhoods: what leads there and away, which are alike, and which labels decide.

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run};
use wherefore_model::lts::LabelId;

use crate::incoming::Incoming;
use crate::tagged::{NeighbourhoodKind, NodeId, Tagged, ZoneTag};

/// A neighbourhood with the labels of its steps, each list sorted; a label stands there once for each
/// step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Neighbourhood {
    /// Its type.
    pub kind: NeighbourhoodKind,
    /// Labels of the steps that enter it from nodes.
    pub incoming: Vec<LabelId>,
    /// Labels of the correct steps that leave it.
    pub correct: Vec<LabelId>,
    /// Labels of the incorrect steps that leave it.
    pub incorrect: Vec<LabelId>,
    /// Labels of the neutral steps that leave it.
    pub neutral: Vec<LabelId>,
}

/// The neighbourhood at a node, if there is one. `incoming` must have the steps into the node.
pub fn neighbourhood(
    graph: &Tagged<'_>,
    incoming: &Incoming,
    node: NodeId,
) -> Option<Neighbourhood> {
    let kind = graph.kind(node)?;
    let mut into: Vec<LabelId> = (incoming.steps(node).iter())
        .map(|step| step.label)
        .collect();
    into.sort_unstable();
    let mut found = Neighbourhood {
        kind,
        incoming: into,
        correct: Vec::new(),
        incorrect: Vec::new(),
        neutral: Vec::new(),
    };
    for step in graph.steps(node) {
        match step.tag {
            ZoneTag::Correct => found.correct.push(step.label),
            ZoneTag::Incorrect => found.incorrect.push(step.label),
            ZoneTag::Neutral => found.neutral.push(step.label),
        }
    }
    Some(found)
}

/// The steps into all neighbourhoods.
pub fn into_neighbourhoods(graph: &Tagged<'_>, budget: &Budget) -> Run<Incoming> {
    Incoming::of(graph, |node| graph.kind(node).is_some(), budget)
}

/// Neighbourhoods of one type with the same labels everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// Their type.
    pub kind: NeighbourhoodKind,
    /// The neighbourhoods, in order; the first one is nearest to the initial node.
    pub members: Vec<NodeId>,
}

impl Group {
    /// What all its neighbourhoods look like.
    pub fn alike(&self, graph: &Tagged<'_>, incoming: &Incoming) -> Neighbourhood {
        neighbourhood(graph, incoming, self.members[0]).expect("members are neighbourhoods")
    }
}

/// All neighbourhoods in groups of similar ones: the largest groups first, then the nearest.
pub fn groups(graph: &Tagged<'_>, incoming: &Incoming, budget: &Budget) -> Run<Vec<Group>> {
    let mut meter = budget.meter();
    let mut groups: Vec<Group> = Vec::new();
    // The last group whose neighbourhoods have a fingerprint. Those that only look alike are told apart
    // by what they are: then `same[group]` is the group before with that fingerprint.
    let mut prints: FxHashMap<u64, usize> = FxHashMap::default();
    let mut same: Vec<Option<usize>> = Vec::new();
    for node in graph.nodes() {
        let Some(kind) = graph.kind(node) else {
            continue;
        };
        meter.tick()?;
        let print = fingerprint(graph, incoming, node, kind);
        let last = prints.get(&print).copied();
        let mut candidate = last;
        if candidate.is_some() {
            let found = neighbourhood(graph, incoming, node);
            while let Some(group) = candidate {
                if neighbourhood(graph, incoming, groups[group].members[0]) == found {
                    break;
                }
                candidate = same[group];
            }
        }
        match candidate {
            Some(group) => groups[group].members.push(node),
            None => {
                prints.insert(print, groups.len());
                same.push(last);
                let members = vec![node];
                groups.push(Group { kind, members });
            }
        }
    }
    // The sort is stable, and groups came in the order of their nearest members.
    groups.sort_by_key(|group| usize::MAX - group.members.len());
    Ok(groups)
}

/// The same number for neighbourhoods of one type with the same labels: a sum, so that order does not
/// matter.
fn fingerprint(
    graph: &Tagged<'_>,
    incoming: &Incoming,
    node: NodeId,
    kind: NeighbourhoodKind,
) -> u64 {
    let mixed = |label: LabelId, role: u64| {
        // Mixing spreads neighbouring numbers, so that sums over different labels seldom agree.
        let mut mixed = (((label.index() as u64) << 2) | role).wrapping_add(1);
        mixed = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ (mixed >> 32)
    };
    let mut sum = kind as u64;
    for step in graph.steps(node) {
        sum = sum.wrapping_add(mixed(step.label, step.tag as u64));
    }
    for step in incoming.steps(node) {
        sum = sum.wrapping_add(mixed(step.label, 3));
    }
    sum
}

/// How often a label decides: on steps that leave neighbourhoods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deciding {
    /// The label.
    pub label: LabelId,
    /// On how many correct ones.
    pub correct: usize,
    /// On how many incorrect ones.
    pub incorrect: usize,
}

/// Which labels of the graph decide and which do not matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    /// Labels of correct or incorrect steps that leave neighbourhoods, in order.
    pub deciding: Vec<Deciding>,
    /// The other labels of steps of the graph, in order.
    pub idle: Vec<LabelId>,
}

/// Finds the labels that decide.
pub fn labels(graph: &Tagged<'_>) -> Labels {
    let mut labels = Labels::default();
    for index in 0..graph.lts().labels().len() {
        let label = LabelId::new(index);
        let uses = graph.uses(label);
        if uses.correct + uses.incorrect > 0 {
            labels.deciding.push(Deciding {
                label,
                correct: uses.correct,
                incorrect: uses.incorrect,
            });
        } else if uses.between > 0 {
            labels.idle.push(label);
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{system, tagged};
    use crate::tagged::TagReading;
    use wherefore_model::lts::StateId;

    #[test]
    fn neighbourhoods_with_the_same_labels_are_one_group() {
        let lts = system(
            8,
            &[
                (0, "a", 1),
                (0, "a", 2),
                (0, "b", 3),
                (1, "BAD", 4),
                (1, "ok", 5),
                (2, "BAD", 6),
                (2, "ok", 7),
                (3, "BAD", 4),
                (3, "ok", 5),
            ],
        );
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let unlimited = Budget::unlimited();
        let incoming = into_neighbourhoods(&graph, &unlimited).expect("no limit");
        let groups = groups(&graph, &incoming, &unlimited).expect("no limit");
        let sizes: Vec<usize> = groups.iter().map(|group| group.members.len()).collect();
        assert_eq!(sizes, [2, 1]);
        let [a, bad, ok] = ["a", "BAD", "ok"].map(|text| lts.label(text).expect("it is there"));
        let expected = Neighbourhood {
            kind: NeighbourhoodKind::Ci,
            incoming: vec![a],
            correct: vec![ok],
            incorrect: vec![bad],
            neutral: Vec::new(),
        };
        assert_eq!(groups[0].alike(&graph, &incoming), expected);
    }

    #[test]
    fn labels_that_leave_no_neighbourhood_do_not_matter() {
        let lts = system(
            5,
            &[
                (0, "a", 1),
                (1, "ok", 4),
                (1, "slip", 2),
                (2, "b", 3),
                (3, "BAD", 4),
            ],
        );
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let labels = labels(&graph);
        let text = |label: LabelId| lts.text(label);
        let idle: Vec<&str> = labels.idle.iter().map(|&label| text(label)).collect();
        assert_eq!(idle, ["BAD", "a", "b"]);
        let counts = labels
            .deciding
            .iter()
            .map(|d| (text(d.label), d.correct, d.incorrect));
        assert_eq!(counts.collect::<Vec<_>>(), [("ok", 1, 0), ("slip", 0, 1)]);
    }

    #[test]
    fn steps_into_any_nodes_can_be_found() {
        let lts = system(3, &[(0, "a", 1), (1, "BAD", 2), (2, "b", 2), (1, "c", 0)]);
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        let incoming = Incoming::of(&graph, |_| true, &Budget::unlimited()).expect("no limit");
        let into = |state| {
            let node = graph.nodes_at(StateId::new(state)).next().expect("a node");
            let steps = incoming.steps(node).iter();
            steps.map(|step| lts.text(step.label)).collect::<Vec<_>>()
        };
        assert_eq!(into(0), ["c"]);
        assert_eq!(into(1), ["a"]);
        assert_eq!(into(2), ["BAD", "b"]);
    }
}
