//! A condition that no reachable state may satisfy: the shortest run to it, or a proof by induction over
//! several steps.
//!
//! The search for a run starts in the initial states and grows by one step at a time. The induction asks
//! of any run of different states without the condition whether its next state may satisfy it.

use wherefore_base::{Budget, Run};
use wherefore_model::{Model, TermId};
use wherefore_sat::{CircuitEdge, Lit, Solver};

use crate::canonical::canonical;
use crate::steps::{BoundedTrace, RunSteps};

/// Runs from the initial states to a condition, one step longer each time.
#[derive(Debug)]
pub(crate) struct BoundedReach<'m, S> {
    steps: RunSteps<'m, S>,
    bad: CircuitEdge,
    /// There is no run with fewer steps.
    depth: usize,
}

impl<'m, S: Solver> BoundedReach<'m, S> {
    pub(crate) fn new(model: &'m Model, bad: TermId, budget: &Budget) -> Run<Self> {
        let mut steps = RunSteps::new(model, budget)?;
        steps.require_initial();
        let bad = steps.system.condition(bad)?;
        Ok(Self {
            steps,
            bad,
            depth: 0,
        })
    }

    /// No run to the condition has fewer steps.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether a run of exactly [`BoundedReach::depth`] steps arrives; if not, the depth grows.
    pub(crate) fn next(&mut self, budget: &Budget) -> Run<bool> {
        self.steps.extend(self.depth);
        let arrived = self.steps.at(self.depth, self.bad);
        let lit = self.steps.demand(arrived);
        if self.steps.solve(&[lit], budget)? {
            return Ok(true);
        }
        // It follows, and spares the solver finding it out again.
        self.steps.require(!arrived);
        self.depth += 1;
        Ok(false)
    }

    /// The run that every engine shows, after [`BoundedReach::next`] found that there is one. So many of the variables
    /// count, the first ones; the others follow from them.
    pub(crate) fn trace(mut self, vars: usize, budget: &Budget) -> Run<BoundedTrace> {
        let arrived = self.steps.at(self.depth, self.bad);
        let lit = self.steps.demand(arrived);
        canonical(&mut self.steps, vars, self.depth + 1, None, &[lit], budget)
    }
}

/// Induction over several steps.
#[derive(Debug)]
pub(crate) struct Induction<'m, S> {
    steps: RunSteps<'m, S>,
    bad: CircuitEdge,
    length: usize,
    /// That the states before differ from each other.
    differ: Vec<Lit>,
}

impl<'m, S: Solver> Induction<'m, S> {
    pub(crate) fn new(model: &'m Model, bad: TermId, budget: &Budget) -> Run<Self> {
        let mut steps = RunSteps::new(model, budget)?;
        let bad = steps.system.condition(bad)?;
        Ok(Self {
            steps,
            bad,
            length: 0,
            differ: Vec::new(),
        })
    }

    /// How many states in a row without the condition the next question supposes.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Whether no state satisfies the condition that comes after [`Induction::length`] different states
    /// without it; if one does, the length grows.
    pub(crate) fn next(&mut self, budget: &Budget) -> Run<bool> {
        let steps = &mut self.steps;
        steps.extend(self.length);
        let last = steps.at(self.length, self.bad);
        let lit = steps.demand(last);
        let mut assumptions = self.differ.clone();
        assumptions.push(lit);
        if !steps.solve(&assumptions, budget)? {
            return Ok(true);
        }
        // From now on this state is one of those before the last.
        steps.require(!last);
        // Without this a run could circle without the condition for ever, and no length would be enough.
        for before in 0..self.length {
            let same = steps.same(before, self.length);
            self.differ.push(steps.demand(!same));
        }
        self.length += 1;
        Ok(false)
    }
}
