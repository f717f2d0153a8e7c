//! Modal equations over a labelled transition system: where does each of them hold?
//!
//! Equations that need one another in a circle form a [`EquationSccs`] component; components are solved in order,
//! operands first. One that is no circle is read off its operands. A circle is solved by a worklist: the
//! claims that must be shown in finitely many moves are collected, each as soon as what it needs is there,
//! with a counter where it needs several things (Cleaveland and Steffen, 1993; Mateescu and Sighireanu,
//! 2003). Everything takes time linear in transitions times equations, and a bit for each equation and
//! state; a word only for equations of a circle that count.

mod bits;
mod circle;
mod class;
mod sccs;

use wherefore_base::{Budget, IndexVec, Run, Stop};
use wherefore_logic::SubId;
use wherefore_logic::modal::ModalOp;
use wherefore_model::lts::{Lts, ModalQuestion, Reversed, StateId};

use bits::StateBits;
pub use class::class_of;
pub use sccs::EquationSccs;

/// The truth of every equation at every state.
#[derive(Clone, Debug)]
pub struct ModalSolution {
    truth: IndexVec<SubId, StateBits>,
}

impl ModalSolution {
    /// Whether an equation holds at a state.
    #[inline]
    pub fn holds(&self, sub: SubId, state: StateId) -> bool {
        self.truth[sub].has(state.index())
    }
}

/// Decides every equation of a question at every state.
///
/// # Errors
/// When the budget ends, or when a bit for each equation and state would not fit its memory.
pub fn solve(lts: &Lts, question: &ModalQuestion, budget: &Budget) -> Run<ModalSolution> {
    let system = &question.system;
    let bytes = (lts.states() / 8).saturating_mul(system.equations.len());
    if budget.memory().is_some_and(|most| bytes > most) {
        return Err(Stop::Memory);
    }
    let sccs = EquationSccs::new(system);
    let mut solver = EquationSolver {
        lts,
        question,
        budget,
        reversed: None,
        truth: system
            .equations
            .iter()
            .map(|_| StateBits::default())
            .collect(),
    };
    for members in sccs.in_order() {
        budget.check()?;
        match members {
            [only] if !sccs.is_cyclic(*only) => solver.single(*only)?,
            members => solver.circle(members, &sccs)?,
        }
    }
    Ok(ModalSolution {
        truth: solver.truth,
    })
}

struct EquationSolver<'a> {
    lts: &'a Lts,
    question: &'a ModalQuestion,
    budget: &'a Budget,
    /// Made when a circle goes through a modality.
    reversed: Option<Reversed>,
    truth: IndexVec<SubId, StateBits>,
}

impl EquationSolver<'_> {
    /// Solves an equation that does not need itself.
    fn single(&mut self, sub: SubId) -> Run<()> {
        let states = self.lts.states();
        let truth = match &self.question.system.equations[sub].op {
            ModalOp::Const(value) => StateBits::new(states, *value),
            ModalOp::All(subs) => {
                let mut all = StateBits::new(states, true);
                subs.iter().for_each(|&sub| all.meet(&self.truth[sub]));
                all
            }
            ModalOp::Any(subs) => {
                let mut any = StateBits::new(states, false);
                subs.iter().for_each(|&sub| any.join(&self.truth[sub]));
                any
            }
            ModalOp::Some(action, sub) => self.some_step(*action, *sub, true)?,
            ModalOp::Every(action, sub) => {
                let mut broken = self.some_step(*action, *sub, false)?;
                broken.invert();
                broken
            }
        };
        self.truth[sub] = truth;
        Ok(())
    }

    /// Where some step that the action matches leads to where an equation has this truth.
    fn some_step(
        &self,
        action: wherefore_logic::ActionId,
        sub: SubId,
        value: bool,
    ) -> Run<StateBits> {
        let (action, truth) = (&self.question.actions[action], &self.truth[sub]);
        let mut found = StateBits::new(self.lts.states(), false);
        let mut meter = self.budget.meter();
        for state in self.lts.state_ids() {
            meter.tick()?;
            let mut steps = self.lts.steps(state).iter();
            if steps.any(|step| action.contains(step.label) && truth.has(step.to.index()) == value)
            {
                found.insert(state.index());
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_base::IndexVec;
    use wherefore_logic::ActionId;
    use wherefore_logic::modal::{Equation, Fixpoint, ModalSystem};
    use wherefore_model::lts::{ActionLabel, LabelId, LabelSet, PropertyForm, Transition};

    /// 0 -a-> 1 -a-> 2 ... in a row; the last one does `end` to itself.
    fn chain(states: usize) -> Lts {
        let labels = ["a", "end"].map(|text| ActionLabel {
            text: text.to_string(),
            internal: false,
        });
        let mut transitions: Vec<Transition> = (1..states)
            .map(|to| Transition {
                from: StateId::new(to - 1),
                label: LabelId::new(0),
                to: StateId::new(to),
            })
            .collect();
        let last = StateId::new(states - 1);
        transitions.push(Transition {
            from: last,
            label: LabelId::new(1),
            to: last,
        });
        Lts::new(labels.to_vec(), states, StateId::new(0), &transitions)
    }

    fn question(lts: &Lts, fixpoint: Fixpoint, ops: Vec<ModalOp>) -> ModalQuestion {
        let equations = ops.into_iter().map(|op| Equation {
            op,
            block: 0,
            text: String::new(),
            span: None,
        });
        let every = LabelSet::new(lts, |_| true);
        let end = LabelSet::new(lts, |label| label.text == "end");
        ModalQuestion {
            system: ModalSystem {
                equations: equations.collect(),
                blocks: vec![fixpoint],
                root: SubId::new(0),
            },
            actions: IndexVec::from(vec![every, end]),
            form: PropertyForm::Other(String::new()),
        }
    }

    fn sub(index: usize) -> SubId {
        SubId::new(index)
    }

    #[test]
    fn a_chain_of_a_million_states_is_decided() {
        let lts = chain(1_000_000);
        let (every, end) = (ActionId::new(0), ActionId::new(1));
        // An `end` is possible some time: mu X. <end> true or <true> X.
        let ops = vec![
            ModalOp::Any(vec![sub(1), sub(2)]),
            ModalOp::Some(end, sub(3)),
            ModalOp::Some(every, sub(0)),
            ModalOp::Const(true),
        ];
        let possible = question(&lts, Fixpoint::Least, ops);
        let solution = solve(&lts, &possible, &Budget::unlimited()).expect("no limit");
        assert!(solution.holds(sub(0), StateId::new(0)));
        assert!(!solution.holds(sub(1), StateId::new(0)));
        // Runs end: mu X. [true] X. They do not, at the last state.
        let ends = question(&lts, Fixpoint::Least, vec![ModalOp::Every(every, sub(0))]);
        let solution = solve(&lts, &ends, &Budget::unlimited()).expect("no limit");
        assert!(!solution.holds(sub(0), StateId::new(0)));
    }

    #[test]
    fn a_hundred_thousand_equations_in_a_row_are_decided() {
        let lts = chain(3);
        let mut ops: Vec<ModalOp> = (1..100_000)
            .map(|next| ModalOp::All(vec![sub(next)]))
            .collect();
        ops.push(ModalOp::Const(true));
        let row = question(&lts, Fixpoint::Greatest, ops.clone());
        let solution = solve(&lts, &row, &Budget::unlimited()).expect("no limit");
        assert!(solution.holds(sub(0), StateId::new(0)));
        // The same row closed to a circle: everything holds as a greatest solution, nothing as a least.
        *ops.last_mut().expect("there is a row") = ModalOp::All(vec![sub(0)]);
        for (fixpoint, truth) in [(Fixpoint::Greatest, true), (Fixpoint::Least, false)] {
            let circle = question(&lts, fixpoint, ops.clone());
            let solution = solve(&lts, &circle, &Budget::unlimited()).expect("no limit");
            assert_eq!(solution.holds(sub(0), StateId::new(2)), truth);
        }
    }

    #[test]
    fn what_does_not_fit_the_memory_is_not_begun() {
        let lts = chain(1000);
        let row = question(&lts, Fixpoint::Least, vec![ModalOp::Const(true); 1000]);
        let stopped = solve(&lts, &row, &Budget::new(None, Some(1000)));
        assert_eq!(stopped.map(|_| ()), Err(Stop::Memory));
    }
}
