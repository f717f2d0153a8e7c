//! Solving a circle of equations with a worklist.

use wherefore_base::Run;
use wherefore_logic::SubId;
use wherefore_logic::modal::{Fixpoint, ModalOp};
use wherefore_model::lts::StateId;

use super::bits::StateBits;
use super::sccs::operands;
use super::{EquationSccs, EquationSolver};

/// An equation and a state.
type EquationAtState = (SubId, StateId);

impl EquationSolver<'_> {
    /// Solves equations that need one another.
    ///
    /// What is collected are the claims that must be shown in finitely many moves: that an equation of a
    /// least fixpoint holds, or that one of a greatest fixpoint fails.
    pub(super) fn circle(&mut self, members: &[SubId], sccs: &EquationSccs) -> Run<()> {
        let system = &self.question.system;
        let holds = system.fixpoint(members[0]) == Fixpoint::Least;
        let states = self.lts.states();
        let mut modal = false;
        let mut users = vec![vec![]; members.len()];
        for &sub in members {
            let op = &system.equations[sub].op;
            modal |= matches!(op, ModalOp::Some(..) | ModalOp::Every(..));
            for &operand in operands(op) {
                if sccs.same(sub, operand) {
                    users[sccs.place(operand)].push(sub);
                }
            }
            self.truth[sub] = StateBits::new(states, false);
        }
        if modal && self.reversed.is_none() {
            self.reversed = Some(self.lts.reversed());
        }
        let mut circle = Circle {
            holds,
            sccs,
            users,
            left: vec![vec![]; members.len()],
            open: Vec::new(),
        };
        for &sub in members {
            self.begin(&mut circle, sub)?;
        }
        self.collect(&mut circle)?;
        // What was collected are failures, so all other states satisfy the equation.
        if !holds {
            members.iter().for_each(|&sub| self.truth[sub].invert());
        }
        Ok(())
    }

    /// Makes the counters of an equation, and collects it where it needs nothing of its circle.
    fn begin(&mut self, circle: &mut Circle<'_>, sub: SubId) -> Run<()> {
        let mut meter = self.budget.meter();
        match &self.question.system.equations[sub].op {
            ModalOp::Const(_) => {}
            op @ (ModalOp::All(subs) | ModalOp::Any(subs)) => {
                // One operand is enough for a disjunction to hold, and for a conjunction to fail.
                let one = matches!(op, ModalOp::Any(_)) == circle.holds;
                let (inner, outer): (Vec<SubId>, Vec<SubId>) = subs
                    .iter()
                    .partition(|&&other| circle.sccs.same(sub, other));
                if one && !outer.is_empty() {
                    for state in self.lts.state_ids() {
                        meter.tick()?;
                        let mut outer = outer.iter();
                        if outer.any(|&sub| self.truth[sub].has(state.index()) == circle.holds) {
                            self.end(circle, (sub, state));
                        }
                    }
                }
                // With a single operand of the circle there is nothing to count.
                if !one && inner.len() > 1 {
                    circle.left[circle.sccs.place(sub)] =
                        vec![inner.len() as u32; self.lts.states()];
                }
            }
            op @ (ModalOp::Some(action, _) | ModalOp::Every(action, _)) => {
                // One step is enough, so nothing is counted.
                if matches!(op, ModalOp::Some(..)) == circle.holds {
                    return Ok(());
                }
                let action = &self.question.actions[*action];
                let mut left = vec![0; self.lts.states()];
                for state in self.lts.state_ids() {
                    meter.tick()?;
                    let steps = self.lts.steps(state).iter();
                    let count = steps.filter(|step| action.contains(step.label)).count();
                    left[state.index()] = count as u32;
                    // Where no step matches, nothing is left to wait for.
                    if count == 0 {
                        self.end(circle, (sub, state));
                    }
                }
                circle.left[circle.sccs.place(sub)] = left;
            }
        }
        Ok(())
    }

    fn end(&mut self, circle: &mut Circle<'_>, (sub, state): EquationAtState) {
        if self.truth[sub].insert(state.index()) {
            circle.open.push((sub, state));
        }
    }

    /// Collects what follows from what is collected, until nothing does.
    fn collect(&mut self, circle: &mut Circle<'_>) -> Run<()> {
        // The reversed steps are taken out, since they are read while the solver changes.
        let reversed = self.reversed.take();
        let sccs = circle.sccs;
        let mut meter = self.budget.meter();
        while let Some((sub, state)) = circle.open.pop() {
            let place = sccs.place(sub);
            for at in 0..circle.users[place].len() {
                let user = circle.users[place][at];
                match &self.question.system.equations[user].op {
                    ModalOp::Const(_) => {}
                    ModalOp::All(_) | ModalOp::Any(_) => {
                        meter.tick()?;
                        if self.follows(circle, user, state) {
                            self.end(circle, (user, state));
                        }
                    }
                    ModalOp::Some(action, _) | ModalOp::Every(action, _) => {
                        let action = &self.question.actions[*action];
                        let reversed = reversed
                            .as_ref()
                            .expect("made where a circle has modalities");
                        for step in reversed.steps(state) {
                            meter.tick()?;
                            if action.contains(step.label) && circle.counted_down(user, step.from) {
                                self.end(circle, (user, step.from));
                            }
                        }
                    }
                }
            }
        }
        self.reversed = reversed;
        Ok(())
    }

    /// Whether a conjunction or disjunction follows, now that one more of its operands is there.
    fn follows(&self, circle: &mut Circle<'_>, user: SubId, state: StateId) -> bool {
        let op = &self.question.system.equations[user].op;
        if matches!(op, ModalOp::Any(_)) == circle.holds {
            return true;
        }
        // Operands outside the circle were decided before and do not change any more.
        circle.counted_down(user, state)
            && operands(op).iter().all(|&other| {
                circle.sccs.same(user, other)
                    || self.truth[other].has(state.index()) == circle.holds
            })
    }
}

struct Circle<'a> {
    /// Whether the claims that are collected are that equations hold.
    holds: bool,
    sccs: &'a EquationSccs,
    /// The equations of the circle that use each of its equations, once for each use; by place.
    users: Vec<Vec<SubId>>,
    /// Of equations that need several things of the circle: how many are left, by place and
    /// state.
    left: Vec<Vec<u32>>,
    /// What is collected, but nobody has looked at what follows.
    open: Vec<EquationAtState>,
}

impl Circle<'_> {
    /// Counts one more thing that an equation needs; whether it has all of its circle now.
    fn counted_down(&mut self, user: SubId, state: StateId) -> bool {
        match self.left[self.sccs.place(user)].get_mut(state.index()) {
            Some(left) => {
                // Each claim is collected once, and users are listed once for each use: the count
                // does not pass zero.
                *left -= 1;
                *left == 0
            }
            None => true,
        }
    }
}
