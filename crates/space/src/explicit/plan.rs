//! Plans: in which order the values of a successor are found.
//!
//! A plan is a tree. Each node runs straight-line code that tests what can be tested and fixes what
//! follows from what is known; where nothing follows any more, the node splits: on a condition that
//! is known, on the candidates of an assignment, on the alternatives of a disjunction, or on the
//! values of a variable. So every requirement is looked at when the plan is made and not at each state,
//! as soon as everything it reads is known. A node is made when a state first gets there: conditions
//! that no state combines cost nothing.
//!
//! The first input that is tried value by value, as the choice of a process is, has a node for each
//! value, with all terms simplified for it.

mod examine;
mod split;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::Value;
use wherefore_model::{Requirement, TermId};

use super::code::{Op, Reg};
use super::compile::{Bits, Block, Compiler, keep};
use crate::eval::{Mode, Slot};
use crate::layout::Layout;

/// A condition, and which truth value is wanted of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    mode: Mode,
    term: TermId,
    wanted: bool,
}

/// Something that a solution must meet.
#[derive(Clone, Debug)]
pub(super) enum Want {
    /// The condition has the truth value wanted.
    Holds(Part),
    /// One of these conditions has the truth value wanted of it.
    Any(Arc<[Part]>),
    /// The slot has one of the values of the term.
    Assign {
        mode: Mode,
        slot: Slot,
        term: TermId,
    },
    /// Two slots have the same value.
    Same(Slot, Slot),
}

impl Want {
    pub(super) fn new(mode: Mode, requirement: Requirement) -> Self {
        match requirement {
            Requirement::Holds(term) => Want::Holds(Part {
                mode,
                term,
                wanted: true,
            }),
            Requirement::Assign(var, term) => Want::Assign {
                mode,
                slot: var.index(),
                term,
            },
        }
    }
}

/// The number of a node.
pub(super) type NodeId = usize;

/// What a node does after its code.
#[derive(Debug)]
pub(super) enum Then {
    /// There is no solution.
    Fail,
    /// Every requirement is met; these slots are free.
    Emit(Box<[Slot]>),
    /// Goes on as a condition says.
    Branch { on: Reg, yes: NodeId, no: NodeId },
    /// Tries each candidate for a slot.
    Choose { slot: Slot, then: NodeId },
    /// Tries each value of a slot.
    Each { slot: Slot, then: NodeId },
    /// Tries each value of an input, each with a node of its own.
    Input { slot: Slot, each: Box<[NodeId]> },
    /// Tries each alternative; of some only those for the value of a variable.
    Ways {
        always: Box<[NodeId]>,
        cases: Box<[Cases]>,
    },
}

/// Alternatives that test one variable of the present state for one value each.
#[derive(Debug)]
pub(super) struct Cases {
    pub(super) var: usize,
    /// What to try for each index of a value.
    pub(super) by_index: FxHashMap<u64, NodeId>,
}

/// A node that is made.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) code: Box<[Op]>,
    pub(super) then: Then,
}

/// What a node is made from.
#[derive(Debug)]
pub(super) struct Seed {
    pub(super) wants: Vec<Want>,
    /// Slots that have a value.
    known: Bits,
    /// Registers that hold their values.
    ready: Bits,
    /// An input that the node is for.
    input: Option<(Slot, Value)>,
}

impl Seed {
    pub(super) fn root(wants: Vec<Want>) -> Self {
        Self {
            wants,
            known: Bits::default(),
            ready: Bits::default(),
            input: None,
        }
    }
}

/// The nodes of some plans.
#[derive(Default, Debug)]
pub(super) struct Nodes {
    pub(super) made: Vec<Option<Node>>,
    seeds: Vec<Option<Seed>>,
}

impl Nodes {
    pub(super) fn add(&mut self, seed: Seed) -> NodeId {
        self.made.push(None);
        self.seeds.push(Some(seed));
        self.made.len() - 1
    }
}

/// Makes the nodes of plans.
pub(super) struct Planner<'a, 'm> {
    pub(super) compiler: &'a mut Compiler<'m>,
    pub(super) layout: &'a Layout,
    /// Slots that some requirement reads.
    pub(super) read: &'a Bits,
}

/// A node in the making.
struct Draft {
    block: Block,
    known: Bits,
    input: Option<(Slot, Value)>,
    kept: Vec<Slot>,
    /// How many slots were fixed here.
    fixed: usize,
}

impl Draft {
    fn seed(&self, wants: Vec<Want>) -> Seed {
        Seed {
            wants,
            known: self.known.clone(),
            ready: self.block.ready.clone(),
            input: self.input,
        }
    }
}

enum Outcome {
    Settled,
    Never,
    Waiting(Want),
}

use Outcome::{Never, Settled, Waiting};

impl Planner<'_, '_> {
    /// Makes a node, if it was not made.
    pub(super) fn make(&mut self, nodes: &mut Nodes, id: NodeId) {
        let Some(seed) = nodes.seeds[id].take() else {
            return;
        };
        if let Some((slot, value)) = seed.input {
            self.compiler.eval.set(slot, Some(value));
        }
        let input = seed.input;
        nodes.made[id] = Some(self.node(nodes, seed));
        if let Some((slot, _)) = input {
            self.compiler.eval.set(slot, None);
        }
    }

    fn node(&mut self, nodes: &mut Nodes, seed: Seed) -> Node {
        let mut draft = Draft {
            block: Block::after(seed.ready),
            known: seed.known,
            input: seed.input,
            kept: Vec::new(),
            fixed: 0,
        };
        let mut waiting = seed.wants;
        loop {
            let fixed = draft.fixed;
            let mut still = Vec::new();
            let mut todo = Vec::new();
            for want in waiting {
                todo.push(want);
                while let Some(want) = todo.pop() {
                    match self.examine(want, &mut draft, &mut todo) {
                        Settled => {}
                        Waiting(want) => still.push(want),
                        Never => {
                            return Node {
                                code: [].into(),
                                then: Then::Fail,
                            };
                        }
                    }
                }
            }
            waiting = still;
            if draft.fixed == fixed {
                break;
            }
        }
        let then = self.split(nodes, &mut draft, waiting);
        let kept = std::mem::take(&mut draft.kept);
        // Candidates come last, so what is kept can be put before the split in any order.
        keep(
            &mut self.compiler.tables,
            &mut draft.block,
            self.layout,
            &kept,
        );
        Node {
            code: draft.block.code.into(),
            then,
        }
    }

    fn is_known(&self, draft: &Draft, mode: Mode, term: TermId) -> bool {
        draft.known.include(self.compiler.eval.reads(mode, term))
    }
}
