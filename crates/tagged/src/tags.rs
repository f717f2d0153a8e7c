//! Tags of steps, types of neighbourhoods, and how many there are of each.

use wherefore_model::lts::{LabelId, StateId};

use crate::tagged::NodeId;

/// The zone that a step enters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tag {
    /// Enters the good zone.
    Correct,
    /// Enters the bad zone.
    Incorrect,
    /// Enters the open zone.
    Neutral,
}

impl Tag {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Tag::Correct => "correct",
            Tag::Incorrect => "incorrect",
            Tag::Neutral => "neutral",
        }
    }
}

/// The type of a neighbourhood: which steps leave it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
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

impl Kind {
    /// All types, in the order of tables.
    pub const ALL: [Kind; 4] = [Kind::Cn, Kind::In, Kind::Ci, Kind::Cin];

    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Cn => "cn",
            Kind::In => "in",
            Kind::Ci => "ci",
            Kind::Cin => "cin",
        }
    }
}

/// Where a step of a [`Tagged`](crate::Tagged) graph leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
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
    pub to: Target,
    /// Its tag.
    pub tag: Tag,
}

/// How many there are of what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Nodes (the sink is none).
    pub states: usize,
    /// Steps between nodes: the transitions of the counterexample LTS.
    pub transitions: usize,
    /// Labels on steps between nodes.
    pub labels: usize,
    /// Correct, incorrect and neutral steps.
    pub tags: [usize; 3],
    /// Neighbourhoods of each type, in the order of [`Kind::ALL`].
    pub kinds: [usize; 4],
}

impl Counts {
    /// How many steps have a tag.
    pub fn tagged(&self, tag: Tag) -> usize {
        self.tags[tag as usize]
    }

    /// How many neighbourhoods are of a type.
    pub fn of(&self, kind: Kind) -> usize {
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
