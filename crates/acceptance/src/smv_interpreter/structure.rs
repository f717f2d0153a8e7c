//! A whole program as a structure: its reachable states, its fairness constraints, its properties.

use wherefore_logic::{Bounds, Fairness};
use wherefore_smv::ast::{
    BinaryOp, ExprId, ExprKind, Item, PathOp, SpecBody, UnaryOp, VarSection, Within,
};

use super::{Reading, State, World};
use wherefore_testkit::formulas::{Ctl, Operator};
use wherefore_testkit::kripke::{Kripke, States, mask};

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
        let conditions = self.conditions_of_steps(most)?;
        // A state, and which of the conditions on steps the step to it met.
        let initial = self.initial().into_iter();
        let mut nodes: Vec<(State, Vec<bool>)> = initial
            .map(|state| (state, vec![false; conditions.len()]))
            .collect();
        let initial = nodes.len();
        let mut steps: Vec<States> = Vec::new();
        while let Some((state, _)) = nodes.get(steps.len()).cloned() {
            let mut row = 0;
            let met = |world: World<'_>| {
                let mut conditions = conditions.iter();
                let met = conditions.by_ref().map(|&(e, at)| self.truth(e, at, world));
                met.collect::<Vec<bool>>()
            };
            for (met, successor) in self.steps(&state, met) {
                let node = (successor, met);
                let at = nodes.iter().position(|s| *s == node).unwrap_or_else(|| {
                    nodes.push(node);
                    nodes.len() - 1
                });
                if at >= most {
                    return None;
                }
                row |= 1 << at;
            }
            steps.push(row);
        }
        if nodes.is_empty() || nodes.len() > most {
            return None;
        }
        let (states, met): (Vec<State>, Vec<Vec<bool>>) = nodes.into_iter().unzip();
        let fair = |e: ExprId, at: usize| match conditions.iter().position(|c| *c == (e, at)) {
            Some(bit) => {
                let meeting = met.iter().enumerate().filter(|(_, met)| met[bit]);
                meeting.fold(0, |all, (node, _)| all | 1 << node)
            }
            None => self.where_true(e, at, &states),
        };
        let mut labels = Vec::new();
        let mut claims = Vec::new();
        let mut fairness = Fairness::default();
        for (at, instance) in self.instances.iter().enumerate() {
            for item in self.items(instance.module) {
                match item {
                    Item::Justice(e) => fairness.justice.push(fair(*e, at)),
                    Item::Compassion(p, q) => {
                        fairness.compassion.push((fair(*p, at), fair(*q, at)));
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

    /// The fairness conditions that are not about states alone: which process runs, or an input, makes
    /// a difference somewhere. `None` if there are more than `most` states.
    fn conditions_of_steps(&self, most: usize) -> Option<Vec<(ExprId, usize)>> {
        let mut conditions = Vec::new();
        for (at, instance) in self.instances.iter().enumerate() {
            for item in self.items(instance.module) {
                match item {
                    Item::Justice(e) => conditions.push((*e, at)),
                    Item::Compassion(p, q) => conditions.extend([(*p, at), (*q, at)]),
                    _ => {}
                }
            }
        }
        let mut states = self.initial();
        let mut done = 0;
        while let Some(state) = states.get(done).cloned() {
            for next in self.successors(&state) {
                if !states.contains(&next) {
                    states.push(next);
                }
            }
            done += 1;
            if states.len() > most {
                return None;
            }
        }
        let inputs = self.assignments(|variable| variable.section == VarSection::Input);
        conditions.retain(|&(e, at)| {
            states.iter().any(|state| {
                let truths = inputs.iter().flat_map(|input| {
                    let now = self.combined(state, input);
                    let truth = |running| {
                        let next = None;
                        let now = &now;
                        self.truth(e, at, World { now, next, running })
                    };
                    self.runs().into_iter().map(truth).collect::<Vec<bool>>()
                });
                let truths: Vec<bool> = truths.collect();
                truths.iter().any(|truth| *truth != truths[0])
            })
        });
        Some(conditions)
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
                running: None,
            };
            self.truth(e, at, world)
        };
        let holding = states.iter().enumerate().filter(|(_, state)| holds(state));
        holding.fold(0, |all, (bit, _)| all | 1 << bit)
    }
}
