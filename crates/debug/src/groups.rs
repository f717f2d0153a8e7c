//! Neighbourhoods: what leads there and away, which are alike, and which labels decide.

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run};
use wherefore_model::lts::LabelId;

use crate::incoming::Incoming;
use crate::tagged::{Kind, NodeId, Tag, Tagged};

/// A neighbourhood with the labels of its steps, each list sorted; a label stands there once for each
/// step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Neighbourhood {
    /// Its type.
    pub kind: Kind,
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
            Tag::Correct => found.correct.push(step.label),
            Tag::Incorrect => found.incorrect.push(step.label),
            Tag::Neutral => found.neutral.push(step.label),
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
    /// What they have in common.
    pub alike: Neighbourhood,
    /// The neighbourhoods, in order; the first one is nearest to the initial node.
    pub members: Vec<NodeId>,
}

/// All neighbourhoods in groups of similar ones: the largest groups first, then the nearest.
pub fn groups(graph: &Tagged<'_>, incoming: &Incoming, budget: &Budget) -> Run<Vec<Group>> {
    let mut meter = budget.meter();
    let mut names: FxHashMap<Neighbourhood, usize> = FxHashMap::default();
    let mut members: Vec<Vec<NodeId>> = Vec::new();
    for node in graph.nodes() {
        meter.tick()?;
        let Some(found) = neighbourhood(graph, incoming, node) else {
            continue;
        };
        let fresh = members.len();
        let name = *names.entry(found).or_insert(fresh);
        if name == fresh {
            members.push(Vec::new());
        }
        members[name].push(node);
    }
    let mut groups: Vec<Group> = (names.into_iter())
        .map(|(alike, name)| Group {
            alike,
            members: std::mem::take(&mut members[name]),
        })
        .collect();
    groups.sort_by_key(|group| (usize::MAX - group.members.len(), group.members[0]));
    Ok(groups)
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
pub fn labels(graph: &Tagged<'_>, budget: &Budget) -> Run<Labels> {
    let mut meter = budget.meter();
    let count = graph.lts().labels().len();
    let (mut used, mut decides) = (vec![false; count], vec![[0usize; 2]; count]);
    for node in graph.nodes() {
        meter.tick()?;
        let here = graph.kind(node).is_some();
        for step in graph.steps(node) {
            used[step.label.index()] = true;
            if here && step.tag != Tag::Neutral {
                decides[step.label.index()][usize::from(step.tag == Tag::Incorrect)] += 1;
            }
        }
    }
    let mut labels = Labels::default();
    for index in 0..count {
        let label = LabelId::new(index);
        match decides[index] {
            [0, 0] if used[index] => labels.idle.push(label),
            [0, 0] => {}
            [correct, incorrect] => labels.deciding.push(Deciding {
                label,
                correct,
                incorrect,
            }),
        }
    }
    Ok(labels)
}
