//! What is composed, and how: parts with operations, each made from parts before it.

use wherefore_base::{IndexVec, Span, define_id};

use crate::reduce::Reduction;

use super::pattern::{LabelPattern, Template};
use super::relabel::Relabelling;

define_id!(
    /// A part of a [`Net`].
    pub struct PartId
);

/// A description of one system made from several.
///
/// Invariant: a part comes after the parts it is made of, and each part but the last is used once.
#[derive(Clone, Debug, Default)]
pub struct Net {
    pub(super) parts: IndexVec<PartId, NetPart>,
}

/// A part of a [`Net`].
#[derive(Clone, Debug)]
pub enum NetPart {
    /// A system that is given, by name.
    File(String, Option<Span>),
    /// Parts side by side.
    Par(Vec<Sync>, Vec<Vector>, Vec<NetBranch>),
    /// Other labels.
    Relabel(Relabelling, PartId),
    /// Messages on their way.
    Buffer(Buffer, PartId),
    /// A smaller system.
    Reduce(Reduction, PartId),
}

/// Branches that do the labels of a gate together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sync {
    /// The gate.
    pub gate: String,
    /// How many at a time; without it, all that are concerned.
    pub together: Option<usize>,
    /// Where it is written.
    pub span: Option<Span>,
}

/// A label of some branches, done together, and what it is called then.
#[derive(Clone, Debug)]
pub struct Vector {
    /// By branch: the labels that take part, if any. Groups that several branches have must agree.
    pub slots: Vec<Option<LabelPattern>>,
    /// What the step is called.
    pub result: Template,
    /// Where it is written.
    pub span: Option<Span>,
}

/// A part inside a [`NetPart::Par`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetBranch {
    /// Gates that concern this branch in particular: only the branches that name a gate synchronise on
    /// it. A gate that no branch names concerns them all.
    pub gates: Vec<(String, Option<Span>)>,
    /// What runs there.
    pub part: PartId,
}

/// Messages between a step that sends and a step that receives.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// Which message is received first.
    pub queue: Queue,
    /// How many messages there can be at a time.
    pub bound: usize,
    /// The labels that send; their groups are the message.
    pub send: LabelPattern,
    /// The labels that receive the message with the same groups.
    pub receive: LabelPattern,
    /// Where it is written.
    pub span: Option<Span>,
}

/// Which message is received first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Queue {
    /// The one that was sent first.
    Fifo,
    /// Any.
    Bag,
}

impl Net {
    /// A system that is given, by name.
    pub fn file(&mut self, name: impl Into<String>) -> PartId {
        self.parts.push(NetPart::File(name.into(), None))
    }

    /// Parts side by side, which synchronise on gates.
    pub fn par(&mut self, syncs: Vec<Sync>, parts: Vec<PartId>) -> PartId {
        let branch = |part| NetBranch {
            gates: vec![],
            part,
        };
        let branches = parts.into_iter().map(branch);
        self.parts
            .push(NetPart::Par(syncs, vec![], branches.collect()))
    }

    /// A part with other labels.
    pub fn relabel(&mut self, how: Relabelling, part: PartId) -> PartId {
        self.parts.push(NetPart::Relabel(how, part))
    }

    /// A part, reduced.
    pub fn reduce(&mut self, how: Reduction, part: PartId) -> PartId {
        self.parts.push(NetPart::Reduce(how, part))
    }

    /// The part that is the whole: the last one.
    pub fn root(&self) -> Option<PartId> {
        self.parts.ids().next_back()
    }
}
