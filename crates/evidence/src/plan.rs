//! Plans: which choices make an evidence, before it is written out.

use std::rc::Rc;

use wherefore_base::deep;

/// A shared plan.
pub(crate) type PlanRef<T> = Rc<ProofPlan<T>>;

/// The choices that show a claim at a state, over some type of state.
#[derive(Clone, Debug)]
pub(crate) enum ProofPlan<T> {
    /// Nothing to choose: the state decides, or a region shows it.
    Leaf,
    /// This branch, with a plan for each of its goals.
    Branch(usize, Vec<PlanRef<T>>),
    /// A step to this state, and the plan for the goal there.
    Step(T, PlanRef<T>),
    /// A path through these states (the start not among them) to this end.
    Path(Vec<T>, PlanEnd<T>),
}

/// How a planned path ends.
#[derive(Clone, Debug)]
pub(crate) enum PlanEnd<T> {
    /// At the goal, with a plan for each of its goals.
    Goal(Vec<PlanRef<T>>),
    /// With a step back to the state with this position: 0 is the start.
    Loop(usize),
    /// In a deadlock.
    Deadlock,
    /// Somewhere: the path rule or the bounds ask for no more.
    Stop,
}

/// How long a plan is: steps in all, then steps before the loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct PlanCost {
    pub(crate) steps: u32,
    pub(crate) prefix: u32,
}

impl PlanCost {
    fn straight(steps: usize) -> Self {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        Self {
            steps,
            prefix: steps,
        }
    }

    fn plus(self, other: PlanCost) -> Self {
        Self {
            steps: self.steps.saturating_add(other.steps),
            prefix: self.prefix.saturating_add(other.prefix),
        }
    }
}

/// How large a plan is in the measure of a search, then how many steps it has beyond that, then how many
/// come before loops, then how many variables change, step by step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Weight {
    pub(crate) size: u32,
    pub(crate) beyond: u32,
    pub(crate) prefix: u32,
    pub(crate) changes: u32,
}

impl Weight {
    /// The weight of steps that lead to new occurrences.
    pub(crate) fn straight(steps: u32, changes: u32) -> Self {
        Self {
            size: steps,
            beyond: 0,
            prefix: steps,
            changes,
        }
    }

    pub(crate) fn plus(self, other: Weight) -> Self {
        Self {
            size: self.size.saturating_add(other.size),
            beyond: self.beyond.saturating_add(other.beyond),
            prefix: self.prefix.saturating_add(other.prefix),
            changes: self.changes.saturating_add(other.changes),
        }
    }
}

impl<T> ProofPlan<T> {
    /// Takes the plans it is made of away from it.
    fn take_parts(&mut self) -> Vec<PlanRef<T>> {
        match self {
            ProofPlan::Branch(_, plans) | ProofPlan::Path(_, PlanEnd::Goal(plans)) => {
                std::mem::take(plans)
            }
            ProofPlan::Step(_, plan) => vec![std::mem::replace(plan, Rc::new(ProofPlan::Leaf))],
            ProofPlan::Leaf | ProofPlan::Path(..) => vec![],
        }
    }
}

/// Plans are as deep as formulas: they are taken apart piece by piece, not by recursion.
impl<T> Drop for ProofPlan<T> {
    fn drop(&mut self) {
        let mut parts = self.take_parts();
        while let Some(part) = parts.pop() {
            // A plan that is still shared is left to its other owners.
            if let Some(mut plan) = Rc::into_inner(part) {
                parts.append(&mut plan.take_parts());
            }
        }
    }
}

impl<T: PartialEq> ProofPlan<T> {
    /// Whether two plans are the same path.
    pub(crate) fn is_same_path(&self, other: &ProofPlan<T>) -> bool {
        let (ProofPlan::Path(states, end), ProofPlan::Path(others, other)) = (self, other) else {
            return false;
        };
        let ends = match (end, other) {
            (PlanEnd::Loop(back), PlanEnd::Loop(other)) => back == other,
            (end, other) => std::mem::discriminant(end) == std::mem::discriminant(other),
        };
        ends && states == others
    }
}

impl<T: Clone> ProofPlan<T> {
    pub(crate) fn cost(&self) -> PlanCost {
        let all = |plans: &[PlanRef<T>]| {
            let costs = plans.iter().map(|plan| deep(|| plan.cost()));
            costs.fold(PlanCost::default(), PlanCost::plus)
        };
        match self {
            ProofPlan::Leaf => PlanCost::default(),
            ProofPlan::Branch(_, plans) => all(plans),
            ProofPlan::Step(_, plan) => PlanCost::straight(1).plus(deep(|| plan.cost())),
            ProofPlan::Path(states, end) => match end {
                PlanEnd::Goal(plans) => PlanCost::straight(states.len()).plus(all(plans)),
                PlanEnd::Loop(back) => PlanCost {
                    steps: PlanCost::straight(states.len() + 1).steps,
                    prefix: PlanCost::straight(*back).steps,
                },
                PlanEnd::Deadlock | PlanEnd::Stop => PlanCost::straight(states.len()),
            },
        }
    }

    /// The states in the order in which they are told, the start not among them.
    pub(crate) fn states(&self) -> Vec<T> {
        let all = |plans: &[PlanRef<T>]| -> Vec<T> {
            plans
                .iter()
                .flat_map(|plan| deep(|| plan.states()))
                .collect()
        };
        match self {
            ProofPlan::Leaf => vec![],
            ProofPlan::Branch(_, plans) => all(plans),
            ProofPlan::Step(state, plan) => [vec![state.clone()], deep(|| plan.states())].concat(),
            ProofPlan::Path(states, PlanEnd::Goal(plans)) => [states.clone(), all(plans)].concat(),
            ProofPlan::Path(states, _) => states.clone(),
        }
    }
}
