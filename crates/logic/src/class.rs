//! Classes of property: what kind of claim a formula makes.

use std::collections::HashSet;

use wherefore_base::deep;

use crate::ltl::linear_class;
use crate::{Formula, Goal, Kernel, PathPattern, Quantifier, kernel};

/// The kind of claim a formula makes, which decides what a check of a part of the system means
/// for the whole (Farheen et al. 2020, with the classes read off the negation normal form).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Every path, and a finite prefix refutes it.
    Safety,
    /// A conjunction of un-nested `AF` and `AU` over propositions, without fairness.
    FiniteLiveness,
    /// Every other claim about every path.
    InfiniteLiveness,
    /// Claims about some path only.
    Existential,
    /// Claims about some paths and about every path.
    Mixed,
}

impl Class {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Class::Safety => "safety",
            Class::FiniteLiveness => "finite-liveness",
            Class::InfiniteLiveness => "infinite-liveness",
            Class::Existential => "existential",
            Class::Mixed => "mixed",
        }
    }
}

/// The class of a formula; `fair` says whether fairness constraints restrict the paths.
pub fn class_of(formula: &Formula, fair: bool) -> Class {
    if formula.is_linear() {
        return linear_class(formula);
    }
    let mut survey = OperatorSurvey::default();
    let root = Goal::holds(formula.root());
    survey.visit(formula, root);
    match (survey.exists, survey.forall) {
        (true, true) => Class::Mixed,
        (true, false) => Class::Existential,
        (false, _) if !survey.eventually => Class::Safety,
        (false, _) if !fair && is_flat_liveness(formula, root) => Class::FiniteLiveness,
        (false, _) => Class::InfiniteLiveness,
    }
}

/// Which quantifiers the negation normal form has, and whether it has `AF` or `AU`.
#[derive(Default)]
struct OperatorSurvey {
    seen: HashSet<Goal>,
    exists: bool,
    forall: bool,
    eventually: bool,
}

impl OperatorSurvey {
    fn visit(&mut self, formula: &Formula, goal: Goal) {
        if !self.seen.insert(goal) {
            return;
        }
        deep(|| {
            let mut note = |quantifier| match quantifier {
                Quantifier::Exists => self.exists = true,
                Quantifier::Forall => self.forall = true,
            };
            let goals = match kernel(formula, goal) {
                Kernel::State => vec![],
                Kernel::Branches(branches) => branches.concat(),
                Kernel::Step(quantifier, goal) => {
                    note(quantifier);
                    vec![goal]
                }
                // A bounded operator is a finite nest of steps: it never waits for ever.
                Kernel::Bounded(_, pattern) => {
                    note(pattern.quantifier);
                    operands(pattern)
                }
                Kernel::Path(pattern) => {
                    note(pattern.quantifier);
                    self.eventually |= pattern.quantifier == Quantifier::Forall && !pattern.weak;
                    operands(pattern)
                }
            };
            for goal in goals {
                self.visit(formula, goal);
            }
        });
    }
}

fn operands(pattern: PathPattern) -> Vec<Goal> {
    let goal = pattern.goal.unwrap_or_default();
    [pattern.stay, goal].concat()
}

/// A conjunction of `AF` and `AU` whose operands are propositional.
fn is_flat_liveness(formula: &Formula, goal: Goal) -> bool {
    let propositional = formula.propositional();
    let mut open = vec![goal];
    while let Some(goal) = open.pop() {
        match kernel(formula, goal) {
            // A single branch is a conjunction of its goals.
            Kernel::Branches(mut branches) if branches.len() == 1 => open.append(&mut branches[0]),
            Kernel::Path(pattern) => {
                let flat = !pattern.weak && pattern.quantifier == Quantifier::Forall;
                let mut operands = operands(pattern).into_iter();
                if !(flat && operands.all(|goal| propositional[goal.sub])) {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AtomId, Op, PathOp, SubId};

    fn path(formula: &mut Formula, quantifier: Quantifier, path: PathOp) -> SubId {
        formula.add(Op::Path(quantifier, path), None)
    }

    #[test]
    fn the_classes_follow_the_negation_normal_form() {
        use Quantifier::{Exists, Forall};
        let mut f = Formula::new();
        let p = f.add(Op::Atom(AtomId::new(0)), None);
        let af = path(&mut f, Forall, PathOp::Finally(p));
        assert_eq!(class_of(&f, false), Class::FiniteLiveness);
        assert_eq!(class_of(&f, true), Class::InfiniteLiveness);
        path(&mut f, Forall, PathOp::Globally(af));
        assert_eq!(class_of(&f, false), Class::InfiniteLiveness);

        let mut f = Formula::new();
        let p = f.add(Op::Atom(AtomId::new(0)), None);
        let ef = path(&mut f, Exists, PathOp::Finally(p));
        assert_eq!(class_of(&f, false), Class::Existential);
        let not = f.add(Op::Not(ef), None);
        assert_eq!(class_of(&f, false), Class::Safety);
        path(&mut f, Exists, PathOp::Globally(not));
        assert_eq!(class_of(&f, false), Class::Mixed);
    }
}
