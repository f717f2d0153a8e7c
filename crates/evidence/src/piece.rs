//! A piece of a state space in which a claim can be shown, with the moves that show it.

use std::cmp::Ordering;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Run, deep};
use wherefore_logic::Kernel;
use wherefore_proof::Claim;
use wherefore_space::StateSpace;

use crate::case::ProofCase;
use crate::plan::{PlanEnd, PlanRef, ProofPlan};

/// How each claim that comes up is shown, over some type of state.
#[derive(Clone)]
pub(crate) struct GraphPiece<T> {
    /// Where it starts.
    pub(crate) start: Option<T>,
    /// How each claim is shown at each state.
    pub(crate) moves: FxHashMap<(Claim, T), PieceMove<T>>,
    /// The runs, in the order in which they were found.
    pub(crate) walks: Vec<PieceWalk<T>>,
    /// Steps of all moves together.
    pub(crate) length: usize,
    /// Steps before loops.
    pub(crate) prefix: usize,
    /// Changes of variables, step by step.
    pub(crate) changes: u32,
}

/// How a claim is shown at a state.
#[derive(Clone, Copy)]
pub(crate) enum PieceMove<T> {
    /// By the branch with this number.
    Branch(usize),
    /// By a step to this state.
    Step(T),
    /// By all successors.
    EveryStep,
    /// By the run with this number, from this position on.
    Walk(usize, usize),
}

/// A run, its first state included.
#[derive(Clone)]
pub(crate) struct PieceWalk<T> {
    pub(crate) spots: Vec<T>,
    pub(crate) end: WalkEnd,
}

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WalkEnd {
    /// At its goal.
    Goal,
    /// With a step back to this position.
    Loop(usize),
    /// In a deadlock.
    Deadlock,
    /// Somewhere.
    Stop,
    /// Where the same claim is shown already.
    Joins,
}

impl<T> Default for GraphPiece<T> {
    fn default() -> Self {
        Self {
            start: None,
            moves: FxHashMap::default(),
            walks: Vec::new(),
            length: 0,
            prefix: 0,
            changes: 0,
        }
    }
}

impl<T: Copy + Eq + Hash> GraphPiece<T> {
    /// Which of two pieces of one size is better: fewer steps, then a shorter prefix, then fewer
    /// changes, then the least states in the order in which they were found.
    pub(crate) fn compare(&self, other: &Self, order: impl Fn(T, T) -> Ordering) -> Ordering {
        let counts = |piece: &Self| (piece.length, piece.prefix, piece.changes);
        let told = |piece: &Self| -> Vec<T> {
            let walks = piece.walks.iter().flat_map(|walk| &walk.spots);
            piece.start.iter().chain(walks).copied().collect()
        };
        counts(self).cmp(&counts(other)).then_with(|| {
            let (a, b) = (told(self), told(other));
            let pairs = a.iter().zip(&b).map(|(&a, &b)| order(a, b));
            let first = pairs.into_iter().find(|order| order.is_ne());
            first.unwrap_or_else(|| a.len().cmp(&b.len()))
        })
    }

    /// The same piece over states.
    pub(crate) fn with_states<U: Clone + Eq + Hash>(
        &self,
        state: impl Fn(T) -> U,
    ) -> GraphPiece<U> {
        let moves = self.moves.iter().map(|(&(claim, spot), &step)| {
            let step = match step {
                PieceMove::Branch(number) => PieceMove::Branch(number),
                PieceMove::Step(to) => PieceMove::Step(state(to)),
                PieceMove::EveryStep => PieceMove::EveryStep,
                PieceMove::Walk(walk, position) => PieceMove::Walk(walk, position),
            };
            ((claim, state(spot)), step)
        });
        let walks = self.walks.iter().map(|walk| PieceWalk {
            spots: walk.spots.iter().map(|&spot| state(spot)).collect(),
            end: walk.end,
        });
        GraphPiece {
            start: self.start.map(&state),
            moves: moves.collect(),
            walks: walks.collect(),
            length: self.length,
            prefix: self.prefix,
            changes: self.changes,
        }
    }
}

impl<T: Clone + Eq + Hash> GraphPiece<T> {
    /// The plan for a claim that the piece shows at a state; `None` when it does not.
    pub(crate) fn plan<S: StateSpace<State = T>>(
        &self,
        case: &ProofCase<'_, '_, S>,
        claim: Claim,
        at: &T,
    ) -> Run<Option<PlanRef<T>>> {
        match self.moves.contains_key(&(claim, at.clone())) {
            true => Ok(Some(self.known_plan(case, claim, at)?)),
            false => Ok(None),
        }
    }

    fn known_plan<S: StateSpace<State = T>>(
        &self,
        case: &ProofCase<'_, '_, S>,
        claim: Claim,
        at: &T,
    ) -> Run<PlanRef<T>> {
        let Some(step) = self.moves.get(&(claim, at.clone())) else {
            // What adds no state was not searched.
            return case.greedy(claim, at);
        };
        let kernel = match claim {
            Claim::Formula(goal, _) => case.kernel(goal),
            Claim::HasPath => return case.greedy(claim, at),
        };
        let plan = match (step, kernel) {
            (PieceMove::Branch(number), Kernel::Branches(branches)) => {
                let goals = branches[*number].iter();
                let plans = goals
                    .map(|&goal| deep(|| self.known_plan(case, Claim::Formula(goal, None), at)));
                ProofPlan::Branch(*number, plans.collect::<Run<_>>()?)
            }
            (PieceMove::Step(to), Kernel::Step(_, next)) => {
                let rest = deep(|| self.known_plan(case, Claim::Formula(next, None), to))?;
                ProofPlan::Step(to.clone(), rest)
            }
            (PieceMove::Walk(number, position), Kernel::Path(pattern)) => {
                let (states, end) = self.run(claim, *number, *position);
                let end = match end {
                    Some(end) => end,
                    None => {
                        let last = states.last().unwrap_or(at);
                        let goals = pattern.goal.iter().flatten();
                        let plans = goals.map(|&goal| {
                            let claim = Claim::Formula(goal, None);
                            deep(|| self.known_plan(case, claim, last))
                        });
                        PlanEnd::Goal(plans.collect::<Run<_>>()?)
                    }
                };
                ProofPlan::Path(states, end)
            }
            // Where all successors are shown there is nothing to choose.
            _ => ProofPlan::Leaf,
        };
        Ok(Rc::new(plan))
    }

    /// The states of a run after a position of it, and how it ends; `None`: at its goal.
    fn run(&self, claim: Claim, number: usize, position: usize) -> (Vec<T>, Option<PlanEnd<T>>) {
        let PieceWalk { spots, end } = &self.walks[number];
        let mut states = spots[position + 1..].to_vec();
        let end = match *end {
            WalkEnd::Goal => None,
            WalkEnd::Deadlock => Some(PlanEnd::Deadlock),
            WalkEnd::Stop => Some(PlanEnd::Stop),
            WalkEnd::Loop(back) if position <= back => Some(PlanEnd::Loop(back - position)),
            // A run that begins inside the loop needs no way to it: it goes round once from there.
            WalkEnd::Loop(back) => {
                states.extend_from_slice(&spots[back..position]);
                Some(PlanEnd::Loop(0))
            }
            WalkEnd::Joins => {
                let last = spots.last().expect("a run has a first state").clone();
                let Some(&PieceMove::Walk(other, at)) = self.moves.get(&(claim, last)) else {
                    unreachable!("a run joins a run")
                };
                let (more, end) = deep(|| self.run(claim, other, at));
                let before = states.len();
                states.extend(more);
                match end {
                    Some(PlanEnd::Loop(back)) => Some(PlanEnd::Loop(before + back)),
                    end => end,
                }
            }
        };
        (states, end)
    }
}
