//! Modal equations read from their definition, and small systems to ask them of.

use wherefore_logic::modal::{Equation, Fixpoint, ModalOp, ModalSystem};
use wherefore_logic::{ActionId, SubId};
use wherefore_model::lts::{
    ActionLabel, LabelId, LabelSet, Lts, LtsStep, ModalQuestion, PropertyForm, StateId, Transition,
};

use crate::Rng;

/// The truth of every equation at every state: block by block, all equations at once, from nothing (or
/// from everything) until nothing changes.
pub fn naive(lts: &Lts, question: &ModalQuestion) -> Vec<Vec<bool>> {
    let system = &question.system;
    let mut truth = vec![vec![false; lts.states()]; system.equations.len()];
    for (block, &fixpoint) in system.blocks.iter().enumerate() {
        let members: Vec<SubId> = system
            .equations
            .ids()
            .filter(|&sub| system.equations[sub].block as usize == block)
            .collect();
        for &sub in &members {
            truth[sub.index()] = vec![fixpoint == Fixpoint::Greatest; lts.states()];
        }
        loop {
            let mut next = truth.clone();
            for &sub in &members {
                for state in lts.state_ids() {
                    let value = value(lts, question, &truth, &system.equations[sub].op, state);
                    next[sub.index()][state.index()] = value;
                }
            }
            if next == truth {
                break;
            }
            truth = next;
        }
    }
    truth
}

fn value(
    lts: &Lts,
    question: &ModalQuestion,
    truth: &[Vec<bool>],
    op: &ModalOp,
    state: StateId,
) -> bool {
    let here = |sub: &SubId| truth[sub.index()][state.index()];
    let after = |action: &ActionId, sub: &SubId| -> Vec<bool> {
        let matched = |step: &&LtsStep| question.actions[*action].contains(step.label);
        let steps = lts.steps(state).iter().filter(matched);
        steps
            .map(|step| truth[sub.index()][step.to.index()])
            .collect()
    };
    match op {
        ModalOp::Const(value) => *value,
        ModalOp::All(subs) => subs.iter().all(here),
        ModalOp::Any(subs) => subs.iter().any(here),
        ModalOp::Some(action, sub) => after(action, sub).contains(&true),
        ModalOp::Every(action, sub) => !after(action, sub).contains(&false),
    }
}

/// A system with these transitions, as `(from, label, to)`, over the labels `a`, `b`, ...
pub fn lts(states: usize, labels: usize, transitions: &[(usize, usize, usize)]) -> Lts {
    let labels = (0..labels).map(|label| ActionLabel {
        text: char::from(b'a' + label as u8).to_string(),
        internal: false,
    });
    let transitions: Vec<Transition> = transitions
        .iter()
        .map(|&(from, label, to)| Transition {
            from: StateId::new(from),
            label: LabelId::new(label),
            to: StateId::new(to),
        })
        .collect();
    Lts::new(labels.collect(), states, StateId::new(0), &transitions)
}

/// A random system with up to so many states over two or three labels.
pub fn random_lts(rng: &mut Rng, most: usize) -> Lts {
    let states = 1 + rng.below(most);
    let labels = 2 + rng.below(2);
    let transitions: Vec<_> = (0..rng.below(3 * states + 1))
        .map(|_| (rng.below(states), rng.below(labels), rng.below(states)))
        .collect();
    lts(states, labels, &transitions)
}

/// A question from its equations, each with its block; actions are every label, and each for itself.
pub fn question(
    lts: &Lts,
    blocks: Vec<Fixpoint>,
    equations: Vec<(u32, ModalOp)>,
    root: usize,
) -> ModalQuestion {
    let equations = equations.into_iter().map(|(block, op)| Equation {
        text: format!("{op:?}"),
        op,
        block,
        span: None,
    });
    let each = lts.labels().ids();
    let each = each.map(|id| LabelSet::new(lts, |label| label.text == lts.text(id)));
    let every = LabelSet::new(lts, |_| true);
    ModalQuestion {
        system: ModalSystem {
            equations: equations.collect(),
            blocks,
            root: SubId::new(root),
        },
        actions: std::iter::once(every).chain(each).collect(),
        form: PropertyForm::Other(String::new()),
    }
}

/// Which equations a random question has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EquationKind {
    /// Any.
    Any,
    /// None whose failure needs several things: what fails is shown by one run.
    OneRunFails,
}

/// A random question of up to so many equations.
pub fn random_question(rng: &mut Rng, lts: &Lts, kind: EquationKind, most: usize) -> ModalQuestion {
    let count = 1 + rng.below(most);
    let blocks: Vec<Fixpoint> = (0..1 + rng.below(3))
        .map(|_| match rng.below(2) {
            0 => Fixpoint::Least,
            _ => Fixpoint::Greatest,
        })
        .collect();
    let of: Vec<u32> = (0..count).map(|_| rng.below(blocks.len()) as u32).collect();
    let equations = (0..count).map(|at| {
        let usable: Vec<SubId> = (0..count)
            .filter(|&other| of[other] <= of[at])
            .map(SubId::new)
            .collect();
        let mut one = || usable[rng.below(usable.len())];
        let some = [one(), one(), one()][..rng.below(4)].to_vec();
        let next = usable[rng.below(usable.len())];
        let action = ActionId::new(rng.below(lts.labels().len() + 1));
        let op = match (rng.below(9), kind) {
            (0, _) => ModalOp::Const(rng.below(2) == 0),
            (1..=2, _) => ModalOp::All(some),
            (3..=4, EquationKind::Any) => ModalOp::Any(some),
            (5..=6, EquationKind::Any) => ModalOp::Some(action, next),
            _ => ModalOp::Every(action, next),
        };
        (of[at], op)
    });
    let equations: Vec<_> = equations.collect();
    let root = rng.below(count);
    question(lts, blocks, equations, root)
}
