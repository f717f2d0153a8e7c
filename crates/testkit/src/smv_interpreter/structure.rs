//! A whole program as a structure: its reachable states, its fairness constraints, its properties.

use wherefore_logic::{Bounds, Fairness};
use wherefore_smv::ast::{BinaryOp, ExprId, ExprKind, Item, PathOp, SpecBody, UnaryOp, Within};

use super::{Reading, State, World};
use crate::formulas::{Ctl, Operator};
use crate::kripke::{Kripke, States, mask};

/// A CTL property as its tree says, with the basic propositions evaluated in each state.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The formula; atom `i` is the proposition `i` of the structure that came with it.
    pub formula: Ctl,
    /// Whether it is an `INVARSPEC`.
    pub invariant: bool,
}

impl Reading<'_> {
    /// The reachable states and their steps as a structure, with the fairness constraints and the CTL
    /// and invariant properties of the program; `None` if there are more than `most` states or none.
    ///
    /// The properties come instance by instance, in source order within each.
    pub fn structure(&self, most: usize) -> Option<(Kripke, Vec<State>, Vec<Claim>)> {
        let mut states = self.initial();
        let initial = states.len();
        let mut steps: Vec<States> = Vec::new();
        while let Some(state) = states.get(steps.len()).cloned() {
            let mut row = 0;
            for successor in self.successors(&state) {
                let at = states
                    .iter()
                    .position(|s| *s == successor)
                    .unwrap_or_else(|| {
                        states.push(successor);
                        states.len() - 1
                    });
                if at >= most {
                    return None;
                }
                row |= 1 << at;
            }
            steps.push(row);
        }
        if states.is_empty() || states.len() > most {
            return None;
        }
        let mut labels = Vec::new();
        let mut claims = Vec::new();
        let mut fairness = Fairness::default();
        for (at, instance) in self.instances.iter().enumerate() {
            for item in &self.program.modules[instance.module].items {
                match item {
                    Item::Justice(e) => fairness.justice.push(self.where_true(*e, at, &states)),
                    Item::Compassion(p, q) => {
                        let p = self.where_true(*p, at, &states);
                        fairness
                            .compassion
                            .push((p, self.where_true(*q, at, &states)));
                    }
                    Item::Spec(spec) => {
                        let (body, invariant) = match spec.body {
                            SpecBody::Ctl(body) => (body, false),
                            SpecBody::Invar(body) => (body, true),
                            _ => continue,
                        };
                        let formula = self.formula(body, at, &states, &mut labels);
                        claims.push(Claim { formula, invariant });
                    }
                    _ => {}
                }
            }
        }
        let kripke = Kripke {
            size: states.len(),
            steps,
            initial: mask(initial),
            labels,
            fairness,
        };
        Some((kripke, states, claims))
    }

    /// A property as a tree over new basic propositions.
    fn formula(&self, id: ExprId, at: usize, states: &[State], labels: &mut Vec<States>) -> Ctl {
        let expr = &self.program.exprs[id];
        if !expr.temporal {
            labels.push(self.where_true(id, at, states));
            return Ctl::Atom(labels.len() - 1);
        }
        let (operator, operands): (Operator, Vec<ExprId>) = match expr.kind {
            ExprKind::Unary(UnaryOp::Not, a) => (Operator::Not, vec![a]),
            ExprKind::Binary(op, a, b) => {
                let operator = match op {
                    BinaryOp::And => Operator::And,
                    BinaryOp::Or => Operator::Or,
                    BinaryOp::Implies => Operator::Implies,
                    BinaryOp::Iff | BinaryOp::Xnor => Operator::Iff,
                    BinaryOp::Xor => Operator::Xor,
                    _ => panic!("{} does not join formulas", op.sign()),
                };
                (operator, vec![a, b])
            }
            ExprKind::Path(q, path) => {
                let operator = match path {
                    PathOp::Next(_) => Operator::Next(q),
                    PathOp::Finally(_) => Operator::Finally(q),
                    PathOp::Globally(_) => Operator::Globally(q),
                    PathOp::Until(..) => Operator::Until(q),
                    PathOp::WeakUntil(..) => Operator::WeakUntil(q),
                    PathOp::Release(..) => Operator::Release(q),
                    PathOp::FinallyWithin(w, _) => Operator::FinallyWithin(q, self.bounds(w, at)),
                    PathOp::GloballyWithin(w, _) => Operator::GloballyWithin(q, self.bounds(w, at)),
                    PathOp::UntilWithin(w, ..) => Operator::UntilWithin(q, self.bounds(w, at)),
                };
                (operator, path.operands().collect())
            }
            _ => panic!("a formula has logical and temporal operators only"),
        };
        let operands = operands
            .into_iter()
            .map(|e| self.formula(e, at, states, labels));
        Ctl::Apply(operator, operands.collect())
    }

    fn bounds(&self, within: Within, at: usize) -> Bounds {
        let number = |e| u32::try_from(self.constant(e, at)).expect("a bound is not negative");
        Bounds {
            least: number(within.least),
            most: number(within.most),
        }
    }

    fn where_true(&self, e: ExprId, at: usize, states: &[State]) -> States {
        let holds = |state: &State| {
            let now = self.combined(state, &self.placeholders());
            let world = World {
                now: &now,
                next: None,
            };
            self.truth(e, at, world)
        };
        let holding = states.iter().enumerate().filter(|(_, state)| holds(state));
        holding.fold(0, |all, (bit, _)| all | 1 << bit)
    }
}
