//! Tags of steps, types of neighbourhoods, and how many there are of each.

use wherefore_model::lts::{LabelId, StateId};

use crate::tagged::NodeId;

/// The zone that a step enters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ZoneTag {
    /// Enters the good zone.
    Correct,
    /// Enters the bad zone.
    Incorrect,
    /// Enters the open zone.
    Neutral,
}

impl ZoneTag {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            ZoneTag::Correct => "correct",
            ZoneTag::Incorrect => "incorrect",
            ZoneTag::Neutral => "neutral",
        }
    }
}

/// The type of a neighbourhood: which steps leave it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NeighbourhoodKind {
    /// `cn`: correct and neutral ones.
    Cn,
    /// `in`: incorrect and neutral ones; or only incorrect ones, at the initial state of a system that
    /// is bad from the start.
    In,
    /// `ci`: correct and incorrect ones.
    Ci,
    /// `cin`: all three.
    Cin,
}

impl NeighbourhoodKind {
    /// All types, in the order of tables.
    pub const ALL: [NeighbourhoodKind; 4] = [
        NeighbourhoodKind::Cn,
        NeighbourhoodKind::In,
        NeighbourhoodKind::Ci,
        NeighbourhoodKind::Cin,
    ];

    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            NeighbourhoodKind::Cn => "cn",
            NeighbourhoodKind::In => "in",
            NeighbourhoodKind::Ci => "ci",
            NeighbourhoodKind::Cin => "cin",
        }
    }
}

/// Where a step of a [`Tagged`](crate::Tagged) graph leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TagTarget {
    /// To a node.
    Node(NodeId),
    /// Into the good zone: the state of the system it enters.
    Sink(StateId),
}

/// A step of a [`Tagged`](crate::Tagged) graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TaggedStep {
    /// Its name.
    pub label: LabelId,
    /// Where it leads.
    pub to: TagTarget,
    /// Its tag.
    pub tag: ZoneTag,
}

/// How many there are of what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TagCounts {
    /// Nodes (the sink is none).
    pub states: usize,
    /// Steps between nodes: the transitions of the counterexample LTS.
    pub transitions: usize,
    /// Labels on steps between nodes.
    pub labels: usize,
    /// Correct, incorrect and neutral steps.
    pub tags: [usize; 3],
    /// Neighbourhoods of each type, in the order of [`NeighbourhoodKind::ALL`].
    pub kinds: [usize; 4],
}

impl TagCounts {
    /// How many steps have a tag.
    pub fn tagged(&self, tag: ZoneTag) -> usize {
        self.tags[tag as usize]
    }

    /// How many neighbourhoods are of a type.
    pub fn of(&self, kind: NeighbourhoodKind) -> usize {
        self.kinds[kind as usize]
    }

    /// How many neighbourhoods there are.
    pub fn neighbourhoods(&self) -> usize {
        self.kinds.iter().sum()
    }
}

/// How often a label is on which steps of a [`Tagged`](crate::Tagged) graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// Steps between nodes.
    pub between: usize,
    /// Correct steps; all of them leave neighbourhoods.
    pub correct: usize,
    /// Incorrect steps that leave neighbourhoods.
    pub incorrect: usize,
}
