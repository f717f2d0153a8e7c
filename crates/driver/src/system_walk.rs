//! Walking through a labelled transition system: where one can go from a state, and what is true there.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use wherefore_base::{Budget, Run};
use wherefore_check::modal::{ModalSolution, solve};
use wherefore_model::lts::{LabelId, Lts, LtsStep, Reversed, StateId, StepBack};

use crate::subjects::lts::LtsSubject;

/// Where a walk through a system wants to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SystemTarget {
    /// To the end of the next step with this label.
    After(LabelId),
    /// To a state without a step.
    Deadlock,
}

/// A system, seen from one state at a time.
///
/// Lists are in the order of labels, then of states.
pub struct SystemWalk<'a> {
    subject: &'a LtsSubject,
    reversed: OnceCell<Reversed>,
    /// Where the equations of each property hold, for those that were asked for.
    solutions: RefCell<BTreeMap<usize, Rc<ModalSolution>>>,
}

impl<'a> SystemWalk<'a> {
    /// A walk through a system.
    pub fn new(subject: &'a LtsSubject) -> Self {
        Self {
            subject,
            reversed: OnceCell::new(),
            solutions: RefCell::default(),
        }
    }

    /// The system with its properties.
    pub fn subject(&self) -> &'a LtsSubject {
        self.subject
    }

    fn lts(&self) -> &'a Lts {
        self.subject.lts()
    }

    /// The steps from a state.
    pub fn steps(&self, state: StateId) -> &'a [LtsStep] {
        self.lts().steps(state)
    }

    /// The steps to a state.
    pub fn before(&self, state: StateId) -> &[StepBack] {
        let reversed = self.reversed.get_or_init(|| self.lts().reversed());
        reversed.steps(state)
    }

    /// Where the equations of a property hold.
    ///
    /// # Panics
    /// When there is no property with this index.
    pub fn truth(&self, property: usize, budget: &Budget) -> Run<Rc<ModalSolution>> {
        if let Some(known) = self.solutions.borrow().get(&property) {
            return Ok(Rc::clone(known));
        }
        let question = &self.subject.properties()[property].question;
        let solved = Rc::new(solve(self.lts(), question, budget)?);
        self.solutions
            .borrow_mut()
            .insert(property, Rc::clone(&solved));
        Ok(solved)
    }

    /// The shortest way from a state to a target, of several the one with the least labels first; `None` if there is none.
    pub fn path(
        &self,
        from: StateId,
        target: SystemTarget,
        budget: &Budget,
    ) -> Run<Option<Vec<LtsStep>>> {
        let is_end =
            |state: StateId| target == SystemTarget::Deadlock && self.lts().steps(state).is_empty();
        if is_end(from) {
            return Ok(Some(Vec::new()));
        }
        // For each state that was found, the step that led there and where it came from.
        let mut found: BTreeMap<StateId, (StateId, LtsStep)> = BTreeMap::new();
        let mut layer = vec![from];
        let mut meter = budget.meter();
        while !layer.is_empty() {
            let mut next = Vec::new();
            for &state in &layer {
                for &step in self.lts().steps(state) {
                    meter.tick()?;
                    if target == SystemTarget::After(step.label) {
                        return Ok(Some(way(&found, from, state, step)));
                    }
                    if step.to != from && !found.contains_key(&step.to) {
                        found.insert(step.to, (state, step));
                        if is_end(step.to) {
                            found.remove(&step.to);
                            return Ok(Some(way(&found, from, state, step)));
                        }
                        next.push(step.to);
                    }
                }
            }
            layer = next;
        }
        Ok(None)
    }
}

/// The steps from a state to another, which was found, and one step more.
fn way(
    found: &BTreeMap<StateId, (StateId, LtsStep)>,
    from: StateId,
    mut at: StateId,
    last: LtsStep,
) -> Vec<LtsStep> {
    let mut steps = vec![last];
    while at != from {
        let Some(&(before, step)) = found.get(&at) else {
            break;
        };
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door() -> LtsSubject {
        let text = b"des (0, 5, 4)\n(0, OPEN, 1)\n(1, SHUT, 0)\n(1, BANG, 2)\n(2, OPEN, 2)\n(2, BREAK, 3)\n";
        let budget = Budget::unlimited();
        LtsSubject::read("door.aut", &text[..], &Default::default(), &budget).expect("a system")
    }

    #[test]
    fn the_shortest_way_to_a_label_and_to_a_deadlock_is_found() {
        let subject = door();
        let walk = SystemWalk::new(&subject);
        let budget = Budget::unlimited();
        let texts = |target| {
            let path = walk
                .path(StateId::new(0), target, &budget)
                .expect("unlimited");
            path.map(|path| {
                let labels = path.iter().map(|step| subject.lts().text(step.label));
                labels.map(str::to_string).collect::<Vec<_>>()
            })
        };
        let label = |text: &str| SystemTarget::After(subject.lts().label(text).expect("a label"));
        assert_eq!(texts(label("OPEN")), Some(vec!["OPEN".to_string()]));
        assert_eq!(
            texts(label("BREAK")),
            Some(vec!["OPEN".into(), "BANG".into(), "BREAK".into()])
        );
        assert_eq!(
            texts(SystemTarget::Deadlock),
            Some(vec!["OPEN".into(), "BANG".into(), "BREAK".into()])
        );
        let from = walk.path(StateId::new(3), label("OPEN"), &budget);
        assert_eq!(from.expect("unlimited"), None);
        assert_eq!(walk.before(StateId::new(2)).len(), 2);
    }
}
