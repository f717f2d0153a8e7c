//! From a question about a model to a monitor of its runs.
//!
//! A claim about every path is *linear* when one run is enough to refute it. Read through its kernels
//! ([`wherefore_logic::kernel`]), that is: nowhere must two claims about the future be refuted at once.
//! These are the formulas of CTL that can be said in linear time as well, in the form that Maidl (2000) gives
//! them. If a finite run is enough, the claim is a safety property and its refutation an automaton that
//! reads states (`refutation.rs`); `AF q`, `A [p U q]` and `AG (p -> AF q)` get automata of their own
//! (`promise.rs`).
//!
//! What is said of a state by an operator that no run refutes, as `EF home` in `AG EF home`, is taken as a
//! fact about that state, which the checker has decided.

mod promise;
mod refutation;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use wherefore_base::{Budget, IndexVec, Run};
use wherefore_logic::{Formula, Goal, SubId};
use wherefore_model::lts::StateId;

use crate::watch::Watch;

/// What a claim says of runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagClaim {
    /// Watches for it.
    pub watch: Watch,
    /// What its acceptance means.
    pub aim: Aim,
    /// Sub-formulas about paths that were taken as facts about states.
    pub facts: Vec<SubId>,
}

/// What it means that a monitor accepts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Aim {
    /// The run has broken the property.
    Broken,
    /// The run has done what it must.
    Done,
    /// Nothing is waited for: a run must come here again and again.
    Answered,
}

/// Where the sub-formulas of a formula hold, at the states of a system.
#[derive(Clone, Copy, Debug)]
pub struct TagTruth<'a> {
    /// The formula.
    pub formula: &'a Formula,
    /// The states of the system where each sub-formula holds.
    pub sat: &'a IndexVec<SubId, FixedBitSet>,
    /// How many states the system has.
    pub states: usize,
    /// A state of the system that is none of the model: where runs start when there are several initial
    /// states.
    pub start: Option<StateId>,
}

/// The claim that a formula makes of the runs of a system; the sentence says why it makes none.
pub fn claim(truth: TagTruth<'_>, budget: &Budget) -> Run<Result<TagClaim, String>> {
    match promise::promise(truth, budget)? {
        Some(claim) => Ok(Ok(claim)),
        None => refutation::refutation(truth, budget),
    }
}

/// The states of a system, parted by the truth of a few goals.
struct TruthClasses {
    class: IndexVec<StateId, Option<u32>>,
    /// For each class, the truth of each goal.
    truth: Vec<Vec<bool>>,
}

impl TruthClasses {
    fn new(truth: TagTruth<'_>, goals: &[Goal], budget: &Budget) -> Run<Self> {
        let mut meter = budget.meter();
        let mut names: FxHashMap<Vec<bool>, u32> = FxHashMap::default();
        let mut classes = Self {
            class: IndexVec::new(),
            truth: Vec::new(),
        };
        for state in (0..truth.states).map(StateId::new) {
            meter.tick()?;
            // The place before the first state is none of the model, and nothing is read there.
            if truth.start == Some(state) {
                classes.class.push(None);
                continue;
            }
            let holds = |goal: &Goal| truth.sat[goal.sub].contains(state.index()) == goal.holds;
            let here: Vec<bool> = goals.iter().map(holds).collect();
            let name = match names.get(&here) {
                Some(&name) => name,
                None => {
                    let fresh = classes.truth.len() as u32;
                    classes.truth.push(here.clone());
                    names.insert(here, fresh);
                    fresh
                }
            };
            classes.class.push(Some(name));
        }
        Ok(classes)
    }
}

/// Those of the goals that speak of paths: their sub-formulas.
fn about_paths(formula: &Formula, goals: &[Goal]) -> Vec<SubId> {
    let propositional = formula.propositional();
    let mut subs: Vec<SubId> = goals.iter().map(|goal| goal.sub).collect();
    subs.retain(|&sub| !propositional[sub]);
    subs.sort_unstable();
    subs.dedup();
    subs
}
