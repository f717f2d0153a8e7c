//! Plans for the obligations of a proof.
//!
//! A plan says which choices to make for a claim; where a claim has none yet, a planner is asked.

use rustc_hash::FxHashMap;
use wherefore_base::Run;
use wherefore_logic::{Kernel, Quantifier};
use wherefore_proof::{Claim, ProofId, ProofNode};
use wherefore_space::StateSpace;

use crate::plan::{PlanEnd, PlanRef, ProofPlan};
use crate::prover::{ProofBuilder, ProverMove};

/// Where plans for branches come from; `false` if the plan is not known to be shortest.
pub(crate) type ProofPlanner<'p, T> = dyn Fn(Claim, &T) -> Run<(PlanRef<T>, bool)> + 'p;

/// The plans of the obligations of a proof.
#[derive(Clone)]
pub(crate) struct Plans<'p, T> {
    planner: &'p ProofPlanner<'p, T>,
    plans: FxHashMap<ProofId, Planned<T>>,
    /// Whether every plan that was asked for is known to be shortest.
    pub(crate) shortest: bool,
}

/// A plan, of which so many states are passed already.
#[derive(Clone)]
struct Planned<T> {
    plan: PlanRef<T>,
    passed: usize,
    /// The added rule that made it, by number.
    by: Option<usize>,
}

impl<'p, T: Clone> Plans<'p, T> {
    /// No plans yet.
    pub(crate) fn new(planner: &'p ProofPlanner<'p, T>) -> Self {
        Self {
            planner,
            plans: FxHashMap::default(),
            shortest: true,
        }
    }

    /// Gives a plan to a node that has none.
    fn give(&mut self, node: ProofId, plan: PlanRef<T>, passed: usize, by: Option<usize>) {
        let planned = Planned { plan, passed, by };
        self.plans.entry(node).or_insert(planned);
    }

    /// Gives a node another plan than it had, made by an added rule or by none.
    pub(crate) fn replace(&mut self, node: ProofId, plan: PlanRef<T>, by: Option<usize>) {
        self.plans.remove(&node);
        self.give(node, plan, 0, by);
    }

    /// Forgets every plan.
    pub(crate) fn forget_all(&mut self) {
        self.plans.clear();
    }

    /// Forgets the plan of a node.
    pub(crate) fn forget(&mut self, node: ProofId) {
        self.plans.remove(&node);
    }

    /// The plan of a node, and how many of its states are passed already.
    pub(crate) fn of(&self, node: ProofId) -> Option<(&ProofPlan<T>, usize)> {
        let planned = self.plans.get(&node)?;
        Some((&planned.plan, planned.passed))
    }

    /// The plan of a node of which nothing has been passed.
    pub(crate) fn fresh(&self, node: ProofId) -> Option<PlanRef<T>> {
        let planned = self.plans.get(&node)?;
        (planned.passed == 0).then(|| planned.plan.clone())
    }

    /// The added rule that made the plan of a node.
    pub(crate) fn by(&self, node: ProofId) -> Option<usize> {
        self.plans.get(&node).and_then(|planned| planned.by)
    }

    /// Makes the move that is planned for an obligation; returns its premises.
    pub(crate) fn follow<S: StateSpace<State = T>>(
        &mut self,
        prover: &mut ProofBuilder<'_, '_, '_, S>,
        leaf: ProofId,
    ) -> Run<Vec<ProofId>> {
        let (make, alone) = self.planned(prover, leaf)?;
        let planned = self.plans.remove(&leaf);
        let premises = prover.apply(leaf, &make, alone)?;
        if let Some(planned) = planned {
            self.hand_on(prover, &planned, &premises);
        }
        Ok(premises)
    }

    /// The move that is planned for an obligation, and whether its path must not join others.
    pub(crate) fn planned<S: StateSpace<State = T>>(
        &mut self,
        prover: &ProofBuilder<'_, '_, '_, S>,
        leaf: ProofId,
    ) -> Run<(ProverMove<T>, bool)> {
        let ProofNode { claim, at, .. } = prover.grown.proof[leaf];
        let only = match prover.kernel(claim) {
            Kernel::State => Some(ProverMove::State),
            Kernel::Step(Quantifier::Forall, _) => Some(ProverMove::EveryStep),
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern)
                if pattern.quantifier == Quantifier::Forall =>
            {
                Some(ProverMove::Region)
            }
            _ if claim == Claim::HasPath && prover.all_have_paths()? => Some(ProverMove::Total),
            _ => None,
        };
        if let Some(only) = only {
            return Ok((only, false));
        }
        if !self.plans.contains_key(&leaf) {
            let (plan, shortest) = (self.planner)(claim, &prover.grown.states[at])?;
            // That a path goes on is no part of the length, so its plan need not be shortest.
            self.shortest &= shortest || claim == Claim::HasPath;
            self.give(leaf, plan, 0, None);
        }
        let Planned { plan, passed, .. } = &self.plans[&leaf];
        Ok(match &**plan {
            ProofPlan::Leaf => unreachable!("what is left to choose has a plan"),
            ProofPlan::Branch(number, _) => (ProverMove::Branch(*number), false),
            ProofPlan::Step(state, _) => (ProverMove::Step(state.clone()), false),
            ProofPlan::Path(states, end) => {
                let make = match (states.get(*passed), end) {
                    (Some(state), _) => ProverMove::Continue(state.clone()),
                    (None, PlanEnd::Goal(_)) => ProverMove::Goal,
                    (None, PlanEnd::Deadlock) => ProverMove::DeadEnd,
                    (None, PlanEnd::Stop) => ProverMove::Stop,
                    (None, PlanEnd::Loop(back)) => {
                        // The leaf has position `passed`; the loop goes back to position `back`.
                        let mut home = leaf;
                        for _ in *back..*passed {
                            let before = prover.grown.before(home);
                            home = before.expect("the path has passed this state");
                        }
                        ProverMove::Close(home)
                    }
                };
                // A loop closes at a node of its own path, so that path must not join another.
                (make, matches!(end, PlanEnd::Loop(_)))
            }
        })
    }

    /// Hands the rest of a plan on to the premises of the node that it was for.
    fn hand_on<S: StateSpace<State = T>>(
        &mut self,
        prover: &ProofBuilder<'_, '_, '_, S>,
        planned: &Planned<T>,
        premises: &[ProofId],
    ) {
        let open = |node: &ProofId| prover.grown.proof[*node].rule.is_none();
        match &*planned.plan {
            ProofPlan::Leaf => {}
            ProofPlan::Branch(_, plans) => {
                for (&premise, plan) in premises.iter().zip(plans).filter(|(p, _)| open(p)) {
                    self.give(premise, plan.clone(), 0, None);
                }
            }
            ProofPlan::Step(_, plan) => {
                if let Some(&premise) = premises.first().filter(|p| open(p)) {
                    self.give(premise, plan.clone(), 0, None);
                }
            }
            ProofPlan::Path(states, _) if planned.passed < states.len() => {
                // The rule that continues a path has the next node of the path as its last premise.
                if let Some(&premise) = premises.last().filter(|p| open(p)) {
                    let passed = planned.passed + 1;
                    self.give(premise, planned.plan.clone(), passed, planned.by);
                }
            }
            // A rule about paths says nothing of what is shown at their end: that is planned anew.
            ProofPlan::Path(_, PlanEnd::Goal(plans)) if planned.by.is_none() => {
                // What must hold on the way comes first, that a path goes on comes last.
                let is_goal = |p: &&ProofId| prover.grown.proof[**p].claim != Claim::HasPath;
                let goals: Vec<_> = premises.iter().filter(is_goal).collect();
                let goals = &goals[goals.len() - plans.len()..];
                for (&&premise, plan) in goals.iter().zip(plans).filter(|(p, _)| open(p)) {
                    self.give(premise, plan.clone(), 0, None);
                }
            }
            ProofPlan::Path(..) => {}
        }
    }
}
