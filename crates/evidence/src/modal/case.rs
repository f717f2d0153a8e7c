//! What there is to show: claims at states, the moves that show them, and what their evidence looks like.

use wherefore_base::{Budget, IndexVec};
use wherefore_check::modal::{EquationSccs, ModalSolution};
use wherefore_logic::modal::ModalOp;
use wherefore_logic::{ActionId, SubId};
use wherefore_model::lts::{LabelId, Lts, ModalQuestion, StateId};

use super::goal;

/// So many successors are listed one by one; more are shown as a region.
const LISTED_STEPS: usize = 8;

/// A claim at a state: that the equation holds there, or that it fails, as the whole proof does.
pub(super) type ClaimAtState = (SubId, StateId);

/// One way on in the proof of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ModalWay {
    /// The label of the step; `None`: it is about the same state.
    pub(super) label: Option<LabelId>,
    /// The next claim.
    pub(super) to: ClaimAtState,
}

/// What a claim needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ModalNeed<'a> {
    /// Nothing.
    Nothing,
    /// One of these, here.
    One(&'a [SubId]),
    /// All of these, here.
    Each(&'a [SubId]),
    /// This after some step that the action matches.
    SomeStep(ActionId, SubId),
    /// This after every step that the action matches.
    EveryStep(ActionId, SubId),
}

/// What the evidence for claims about an equation looks like, wherever they are made.
#[derive(Clone, Copy, Default, Debug)]
struct EquationLook {
    /// No state satisfies such a claim.
    impossible: bool,
    /// It may have steps.
    steps: bool,
    /// Nothing branches off.
    one_run: bool,
    /// It is a closed set of states.
    region: bool,
    /// It may go round for ever.
    endless: bool,
}

/// A question about a system, its solution, and which claim is to be shown.
pub(super) struct ModalCase<'a> {
    pub(super) lts: &'a Lts,
    pub(super) question: &'a ModalQuestion,
    pub(super) solution: &'a ModalSolution,
    /// Whether the claims are that equations hold.
    pub(super) holds: bool,
    pub(super) budget: &'a Budget,
    sccs: EquationSccs,
    looks: IndexVec<SubId, EquationLook>,
    /// Where an equation needs several others: the one along which a run goes on, if there is only one.
    spines: IndexVec<SubId, Option<SubId>>,
    /// Whether a claim about the root may rest on one that may go round for ever.
    pub(super) may_be_endless: bool,
}

impl<'a> ModalCase<'a> {
    pub(super) fn new(
        lts: &'a Lts,
        question: &'a ModalQuestion,
        solution: &'a ModalSolution,
        holds: bool,
        budget: &'a Budget,
    ) -> Self {
        let system = &question.system;
        let looks = vec![EquationLook::default(); system.equations.len()];
        let mut case = Self {
            lts,
            question,
            solution,
            holds,
            budget,
            sccs: EquationSccs::new(system),
            looks: looks.into(),
            spines: vec![None; system.equations.len()].into(),
            may_be_endless: false,
        };
        case.look();
        case
    }

    /// Whether the claim is so.
    #[inline]
    pub(super) fn is_so(&self, (sub, state): ClaimAtState) -> bool {
        self.solution.holds(sub, state) == self.holds
    }

    /// What a claim needs.
    pub(super) fn need(&self, sub: SubId) -> ModalNeed<'a> {
        match (&self.question.system.equations[sub].op, self.holds) {
            (ModalOp::Const(_), _) => ModalNeed::Nothing,
            (ModalOp::All(subs), true) | (ModalOp::Any(subs), false) => ModalNeed::Each(subs),
            (ModalOp::All(subs), false) | (ModalOp::Any(subs), true) => ModalNeed::One(subs),
            (ModalOp::Some(action, sub), true) | (ModalOp::Every(action, sub), false) => {
                ModalNeed::SomeStep(*action, *sub)
            }
            (ModalOp::Some(action, sub), false) | (ModalOp::Every(action, sub), true) => {
                ModalNeed::EveryStep(*action, *sub)
            }
        }
    }

    /// Whether claims about an equation are shown by a closed set of states.
    pub(super) fn is_region(&self, sub: SubId) -> bool {
        self.looks[sub].region
    }

    /// Whether the evidence for claims about an equation is one run without branches.
    pub(super) fn is_one_run(&self, sub: SubId) -> bool {
        self.looks[sub].one_run
    }

    /// Whether two claims are the same one that may go round for ever.
    pub(super) fn goes_round(&self, one: SubId, other: SubId) -> bool {
        self.sccs.same(one, other) && self.looks[one].endless
    }

    /// Whether a claim that every step leads to something is shown by a region, since there are many.
    pub(super) fn too_many(&self, action: ActionId, state: StateId) -> bool {
        let action = &self.question.actions[action];
        let steps = self.lts.steps(state).iter();
        steps.filter(|step| action.contains(step.label)).count() > LISTED_STEPS
    }

    /// How many ways there may be to show a claim; none: it is shown at once, or branches.
    pub(super) fn ways(&self, (sub, state): ClaimAtState) -> usize {
        if self.looks[sub].region {
            return 0;
        }
        match self.need(sub) {
            ModalNeed::Nothing | ModalNeed::EveryStep(..) => 0,
            ModalNeed::One(subs) => subs.len(),
            ModalNeed::Each(_) => usize::from(self.spines[sub].is_some()),
            ModalNeed::SomeStep(..) => self.lts.steps(state).len(),
        }
    }

    /// The way with this number, if it is one.
    #[inline]
    pub(super) fn way(&self, (sub, state): ClaimAtState, number: usize) -> Option<ModalWay> {
        let way = match self.need(sub) {
            ModalNeed::Nothing | ModalNeed::EveryStep(..) => return None,
            ModalNeed::One(subs) => ModalWay {
                label: None,
                to: (subs[number], state),
            },
            ModalNeed::Each(_) => ModalWay {
                label: None,
                to: (self.spines[sub]?, state),
            },
            ModalNeed::SomeStep(action, next) => {
                let step = self.lts.steps(state)[number];
                if !self.question.actions[action].contains(step.label) {
                    return None;
                }
                ModalWay {
                    label: Some(step.label),
                    to: (next, step.to),
                }
            }
        };
        self.is_so(way.to).then_some(way)
    }

    /// Of several claims that are needed, the one along which a run goes on, if there is only one such.
    fn spine(&self, sub: SubId, needed: &[SubId]) -> Option<SubId> {
        let inner = |other: &&SubId| self.sccs.same(sub, **other);
        // A run stays on the cycle that the claim is part of; the other operands branch off.
        if let Some(&inner) = needed.iter().find(inner) {
            return Some(inner);
        }
        let mut adding = needed.iter().filter(|&&other| self.looks[other].steps);
        match (adding.next(), adding.next()) {
            (Some(&only), None) => Some(only),
            _ => None,
        }
    }

    /// The claim that the main run goes on with, of several that are needed.
    pub(super) fn main_of(&self, sub: SubId, needed: &[SubId]) -> Option<SubId> {
        let spine = self.spines[sub];
        let mut adding = needed.iter().filter(|&&other| self.looks[other].steps);
        spine.or_else(|| adding.next().copied())
    }

    /// Finds out what the evidence for each equation looks like, operands first.
    fn look(&mut self) {
        let sccs = self.sccs.clone();
        for members in sccs.in_order() {
            let look = match members {
                [only] if !sccs.is_cyclic(*only) => self.look_at(*only),
                members => self.look_at_circle(members),
            };
            members.iter().for_each(|&sub| self.looks[sub] = look);
        }
        for sub in self.question.system.equations.ids() {
            if let ModalNeed::Each(needed) = self.need(sub) {
                self.spines[sub] = self.spine(sub, needed);
            }
        }
        let mut seen = vec![false; self.looks.len()];
        let mut open = vec![self.question.system.root];
        while let Some(sub) = open.pop() {
            if std::mem::replace(&mut seen[sub.index()], true) {
                continue;
            }
            self.may_be_endless |= self.looks[sub].endless;
            open.extend(self.operands(sub));
        }
    }

    pub(super) fn operands(&self, sub: SubId) -> &'a [SubId] {
        match &self.question.system.equations[sub].op {
            ModalOp::Const(_) => &[],
            ModalOp::All(subs) | ModalOp::Any(subs) => subs,
            ModalOp::Some(_, sub) | ModalOp::Every(_, sub) => std::slice::from_ref(sub),
        }
    }

    fn look_at(&self, sub: SubId) -> EquationLook {
        let looks = |subs: &[SubId]| subs.iter().map(|&sub| self.looks[sub]).collect::<Vec<_>>();
        match self.need(sub) {
            ModalNeed::Nothing => {
                let value = self.question.system.equations[sub].op == ModalOp::Const(true);
                EquationLook {
                    impossible: value != self.holds,
                    one_run: true,
                    ..EquationLook::default()
                }
            }
            ModalNeed::One(subs) => {
                let looks = looks(subs);
                EquationLook {
                    impossible: looks.iter().all(|look| look.impossible),
                    steps: looks.iter().any(|look| look.steps),
                    one_run: looks.iter().all(|look| look.one_run),
                    ..EquationLook::default()
                }
            }
            ModalNeed::Each(subs) => {
                let looks = looks(subs);
                let adding = looks.iter().filter(|look| look.steps).count();
                EquationLook {
                    impossible: looks.iter().any(|look| look.impossible),
                    steps: adding > 0,
                    one_run: adding <= 1 && looks.iter().all(|look| look.one_run),
                    ..EquationLook::default()
                }
            }
            ModalNeed::SomeStep(_, next) => EquationLook {
                impossible: self.looks[next].impossible,
                steps: true,
                one_run: self.looks[next].one_run,
                ..EquationLook::default()
            },
            // Where nothing can follow, there is nothing to list.
            ModalNeed::EveryStep(_, next) => EquationLook {
                steps: !self.looks[next].impossible,
                one_run: self.looks[next].impossible,
                ..EquationLook::default()
            },
        }
    }

    fn look_at_circle(&self, members: &[SubId]) -> EquationLook {
        let (mut region, mut steps, mut one_run) = (false, false, true);
        for &sub in members {
            let inner = |other: &&SubId| self.sccs.same(sub, **other);
            let needed = self.operands(sub);
            let outer = || needed.iter().filter(|other| !inner(other));
            one_run &= outer().all(|&other| self.looks[other].one_run);
            steps |= outer().any(|&other| self.looks[other].steps);
            match self.need(sub) {
                ModalNeed::EveryStep(..) => region = true,
                ModalNeed::SomeStep(..) => steps = true,
                ModalNeed::Each(_) => {
                    // Where two operands go round, no single run shows the claim.
                    region |= needed.iter().filter(inner).count() > 1;
                    one_run &= !outer().any(|&other| self.looks[other].steps);
                }
                ModalNeed::Nothing | ModalNeed::One(_) => {}
            }
        }
        // The equations of a cycle are of one block, so one of them tells for all.
        let ends = self.question.system.must_end(goal(members[0], self.holds));
        EquationLook {
            impossible: false,
            steps: steps && !region,
            one_run: one_run || region,
            region,
            endless: !ends && !region,
        }
    }
}
