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

use super::code::{Reg, RegisterOp};
use super::compile::{CodeBlock, RegisterCompiler, RegisterSet, keep};
use crate::eval::{ReadMode, SearchSlot};
use crate::layout::StateLayout;

/// A condition, and which truth value is wanted of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WantedCondition {
    mode: ReadMode,
    term: TermId,
    wanted: bool,
}

/// Something that a solution must meet.
#[derive(Clone, Debug)]
pub(super) enum Want {
    /// The condition has the truth value wanted.
    Holds(WantedCondition),
    /// One of these conditions has the truth value wanted of it.
    Any(Arc<[WantedCondition]>),
    /// The slot has one of the values of the term.
    Assign {
        mode: ReadMode,
        slot: SearchSlot,
        term: TermId,
    },
    /// Two slots have the same value.
    Same(SearchSlot, SearchSlot),
}

impl Want {
    pub(super) fn new(mode: ReadMode, requirement: Requirement) -> Self {
        match requirement {
            Requirement::Holds(term) => Want::Holds(WantedCondition {
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
pub(super) type PlanNodeId = usize;

/// What a node does after its code.
#[derive(Debug)]
pub(super) enum PlanContinuation {
    /// There is no solution.
    Fail,
    /// Every requirement is met; these slots are free.
    Emit(Box<[SearchSlot]>),
    /// Goes on as a condition says.
    Branch {
        on: Reg,
        yes: PlanNodeId,
        no: PlanNodeId,
    },
    /// Tries each candidate for a slot.
    Choose { slot: SearchSlot, then: PlanNodeId },
    /// Tries each value of a slot.
    Each { slot: SearchSlot, then: PlanNodeId },
    /// Tries each value of an input, each with a node of its own.
    Input {
        slot: SearchSlot,
        each: Box<[PlanNodeId]>,
    },
    /// Tries each alternative; of some only those for the value of a variable.
    Ways {
        always: Box<[PlanNodeId]>,
        cases: Box<[Cases]>,
    },
}

/// Alternatives that test one variable of the present state for one value each.
#[derive(Debug)]
pub(super) struct Cases {
    pub(super) var: usize,
    /// What to try for each index of a value.
    pub(super) by_index: FxHashMap<u64, PlanNodeId>,
}

/// A node that is made.
#[derive(Debug)]
pub(super) struct PlanNode {
    pub(super) code: Box<[RegisterOp]>,
    pub(super) then: PlanContinuation,
}

/// What a node is made from.
#[derive(Debug)]
pub(super) struct Seed {
    pub(super) wants: Vec<Want>,
    /// Slots that have a value.
    known: RegisterSet,
    /// Registers that hold their values.
    ready: RegisterSet,
    /// An input that the node is for.
    input: Option<(SearchSlot, Value)>,
}

impl Seed {
    pub(super) fn root(wants: Vec<Want>) -> Self {
        Self {
            wants,
            known: RegisterSet::default(),
            ready: RegisterSet::default(),
            input: None,
        }
    }
}

/// The nodes of some plans.
#[derive(Default, Debug)]
pub(super) struct PlanNodes {
    pub(super) made: Vec<Option<PlanNode>>,
    seeds: Vec<Option<Seed>>,
}

impl PlanNodes {
    pub(super) fn add(&mut self, seed: Seed) -> PlanNodeId {
        self.made.push(None);
        self.seeds.push(Some(seed));
        self.made.len() - 1
    }
}

/// Makes the nodes of plans.
pub(super) struct PlanBuilder<'a, 'm> {
    pub(super) compiler: &'a mut RegisterCompiler<'m>,
    pub(super) layout: &'a StateLayout,
    /// Slots that some requirement reads.
    pub(super) read: &'a RegisterSet,
}

/// A node in the making.
struct NodeDraft {
    block: CodeBlock,
    known: RegisterSet,
    input: Option<(SearchSlot, Value)>,
    kept: Vec<SearchSlot>,
    /// How many slots were fixed here.
    fixed: usize,
}

impl NodeDraft {
    fn seed(&self, wants: Vec<Want>) -> Seed {
        Seed {
            wants,
            known: self.known.clone(),
            ready: self.block.ready.clone(),
            input: self.input,
        }
    }
}

enum PlanOutcome {
    Settled,
    Never,
    Waiting(Want),
}

use PlanOutcome::{Never, Settled, Waiting};

impl PlanBuilder<'_, '_> {
    /// Makes a node, if it was not made.
    pub(super) fn make(&mut self, nodes: &mut PlanNodes, id: PlanNodeId) {
        let Some(seed) = nodes.seeds[id].take() else {
            return;
        };
        // Terms are simplified for this value of the input while the node is made.
        if let Some((slot, value)) = seed.input {
            self.compiler.eval.set(slot, Some(value));
        }
        let input = seed.input;
        nodes.made[id] = Some(self.node(nodes, seed));
        if let Some((slot, _)) = input {
            self.compiler.eval.set(slot, None);
        }
    }

    fn node(&mut self, nodes: &mut PlanNodes, seed: Seed) -> PlanNode {
        let mut draft = NodeDraft {
            block: CodeBlock::after(seed.ready),
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
                            return PlanNode {
                                code: [].into(),
                                then: PlanContinuation::Fail,
                            };
                        }
                    }
                }
            }
            waiting = still;
            // Nothing was fixed in this round, so nothing that waits can have become known.
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
        PlanNode {
            code: draft.block.code.into(),
            then,
        }
    }

    fn is_known(&self, draft: &NodeDraft, mode: ReadMode, term: TermId) -> bool {
        draft.known.include(self.compiler.eval.reads(mode, term))
    }
}
