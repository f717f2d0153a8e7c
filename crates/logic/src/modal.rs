//! The alternation-free mu-calculus, as systems of modal equations.
//!
//! A formula with fixpoints, and with regular formulas inside its modalities, becomes a list of
//! equations: each says that it holds at a state when others do, there or after a step. Equations stand
//! in blocks. Within a block all are least or all are greatest fixpoints, and a block depends on itself
//! and on earlier ones only: that is what alternation-free means, and why the whole is decided in time
//! linear in states, transitions and equations.
//!
//! There is no negation: front ends push it down to the constants.

use wherefore_base::{IndexVec, Span};

use crate::{ActionId, Goal, SubId};

/// Which solution of an equation counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fixpoint {
    /// `mu`: what can be shown in finitely many moves.
    Least,
    /// `nu`: what cannot be refuted in finitely many moves.
    Greatest,
}

/// The right side of an equation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ModalOp {
    /// True or false.
    Const(bool),
    /// All of these, here. (None: true.)
    All(Vec<SubId>),
    /// One of these, here. (None: false.)
    Any(Vec<SubId>),
    /// `<a> X`: after some step that `a` matches.
    Some(ActionId, SubId),
    /// `[a] X`: after every step that `a` matches.
    Every(ActionId, SubId),
}

/// An equation of a [`ModalSystem`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equation {
    /// Its right side.
    pub op: ModalOp,
    /// The block it stands in.
    pub block: u32,
    /// What it claims, for people: the sub-formula as the user wrote it, or what is left of it.
    pub text: String,
    /// Where the user wrote it.
    pub span: Option<Span>,
}

/// A system of modal equations.
///
/// Invariant: an equation uses equations of its own block and of earlier ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModalSystem {
    /// The equations.
    pub equations: IndexVec<SubId, Equation>,
    /// Which solution counts in each block.
    pub blocks: Vec<Fixpoint>,
    /// The equation that is the formula itself.
    pub root: SubId,
}

/// What must be shown for a claim about an equation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Move {
    /// Nothing: it is a constant.
    Constant,
    /// One of these claims, here.
    One(Vec<Goal>),
    /// All of these claims, here.
    Each(Vec<Goal>),
    /// The claim after some step that the action matches.
    SomeStep(ActionId, Goal),
    /// The claim after every step that the action matches.
    EveryStep(ActionId, Goal),
}

impl ModalSystem {
    /// Which solution counts for an equation.
    pub fn fixpoint(&self, sub: SubId) -> Fixpoint {
        self.blocks[self.equations[sub].block as usize]
    }

    /// What must be shown for a claim, in terms of others.
    pub fn moves(&self, goal: Goal) -> Move {
        let holds = goal.holds;
        let at = |&sub: &SubId| Goal { sub, holds };
        // A claim that fails is the dual operator over claims that fail.
        match (&self.equations[goal.sub].op, holds) {
            (ModalOp::Const(_), _) => Move::Constant,
            (ModalOp::All(subs), true) | (ModalOp::Any(subs), false) => {
                Move::Each(subs.iter().map(at).collect())
            }
            (ModalOp::All(subs), false) | (ModalOp::Any(subs), true) => {
                Move::One(subs.iter().map(at).collect())
            }
            (ModalOp::Some(action, sub), true) | (ModalOp::Every(action, sub), false) => {
                Move::SomeStep(*action, at(sub))
            }
            (ModalOp::Some(action, sub), false) | (ModalOp::Every(action, sub), true) => {
                Move::EveryStep(*action, at(sub))
            }
        }
    }

    /// Whether a claim must be shown in finitely many moves within its block: a least fixpoint that
    /// holds or a greatest one that fails.
    pub fn must_end(&self, goal: Goal) -> bool {
        (self.fixpoint(goal.sub) == Fixpoint::Least) == goal.holds
    }
}
