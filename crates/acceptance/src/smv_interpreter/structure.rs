//! A whole program as a structure: its reachable states, its fairness constraints, its properties.

use wherefore_logic::{Bounds, Fairness};
use wherefore_smv::ast::{
    ModuleItem, SmvBinaryOp, SmvExprId, SmvExprKind, SmvPathOp, SmvUnaryOp, SpecBody, StepBounds,
    VarSection,
};

use super::{SmvProgram, SmvState, StepValues};
use wherefore_testkit::formulas::{CtlTree, Operator};
use wherefore_testkit::kripke::{Kripke, StateMask, mask};

/// A CTL property as its tree says, with the basic propositions evaluated in each state.
#[derive(Clone, Debug)]
pub struct CtlClaim {
    /// The formula; atom `i` is the proposition `i` of the structure that came with it.
    pub formula: CtlTree,
    /// Whether it is an `INVARSPEC`.
    pub invariant: bool,
}

impl SmvProgram<'_> {
    /// The reachable states and their steps as a structure, with the fairness constraints and the CTL
    /// and invariant properties of the program; `None` if there are more than `most` states or none.
    ///
    /// The properties come instance by instance, in source order within each.
    pub fn structure(&self, most: usize) -> Option<(Kripke, Vec<SmvState>, Vec<CtlClaim>)> {
        let conditions = self.conditions_of_steps(most)?;
        // A state, and which of the conditions on steps the step to it met.
        let initial = self.initial().into_iter();
        let mut nodes: Vec<(SmvState, Vec<bool>)> = initial
            .map(|state| (state, vec![false; conditions.len()]))
            .collect();
        let initial = nodes.len();
        let mut steps: Vec<StateMask> = Vec::new();
        while let Some((state, _)) = nodes.get(steps.len()).cloned() {
            let mut row = 0;
            let met = |world: StepValues<'_>| {
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
        let (states, met): (Vec<SmvState>, Vec<Vec<bool>>) = nodes.into_iter().unzip();
        let fair = |e: SmvExprId, at: usize| match conditions.iter().position(|c| *c == (e, at)) {
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
                    ModuleItem::Justice(e) => fairness.justice.push(fair(*e, at)),
                    ModuleItem::Compassion(p, q) => {
                        fairness.compassion.push((fair(*p, at), fair(*q, at)));
                    }
                    ModuleItem::Spec(spec) => {
                        let (body, invariant) = match spec.body {
                            SpecBody::Ctl(body) => (body, false),
                            SpecBody::Invar(body) => (body, true),
                            _ => continue,
                        };
                        let formula = self.formula(body, at, &states, &mut labels);
                        claims.push(CtlClaim { formula, invariant });
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
    fn conditions_of_steps(&self, most: usize) -> Option<Vec<(SmvExprId, usize)>> {
        let mut conditions = Vec::new();
        for (at, instance) in self.instances.iter().enumerate() {
            for item in self.items(instance.module) {
                match item {
                    ModuleItem::Justice(e) => conditions.push((*e, at)),
                    ModuleItem::Compassion(p, q) => conditions.extend([(*p, at), (*q, at)]),
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
                        self.truth(e, at, StepValues { now, next, running })
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
    fn formula(
        &self,
        id: SmvExprId,
        at: usize,
        states: &[SmvState],
        labels: &mut Vec<StateMask>,
    ) -> CtlTree {
        let expr = &self.program.exprs[id];
        if !expr.temporal {
            labels.push(self.where_true(id, at, states));
            return CtlTree::Atom(labels.len() - 1);
        }
        let (operator, operands): (Operator, Vec<SmvExprId>) = match expr.kind {
            SmvExprKind::Unary(SmvUnaryOp::Not, a) => (Operator::Not, vec![a]),
            SmvExprKind::Binary(op, a, b) => {
                let operator = match op {
                    SmvBinaryOp::And => Operator::And,
                    SmvBinaryOp::Or => Operator::Or,
                    SmvBinaryOp::Implies => Operator::Implies,
                    SmvBinaryOp::Iff | SmvBinaryOp::Xnor => Operator::Iff,
                    SmvBinaryOp::Xor => Operator::Xor,
                    _ => panic!("{} does not join formulas", op.sign()),
                };
                (operator, vec![a, b])
            }
            SmvExprKind::Path(q, path) => {
                let operator = match path {
                    SmvPathOp::Next(_) => Operator::Next(q),
                    SmvPathOp::Finally(_) => Operator::Finally(q),
                    SmvPathOp::Globally(_) => Operator::Globally(q),
                    SmvPathOp::Until(..) => Operator::Until(q),
                    SmvPathOp::WeakUntil(..) => Operator::WeakUntil(q),
                    SmvPathOp::Release(..) => Operator::Release(q),
                    SmvPathOp::FinallyWithin(w, _) => {
                        Operator::FinallyWithin(q, self.bounds(w, at))
                    }
                    SmvPathOp::GloballyWithin(w, _) => {
                        Operator::GloballyWithin(q, self.bounds(w, at))
                    }
                    SmvPathOp::UntilWithin(w, ..) => Operator::UntilWithin(q, self.bounds(w, at)),
                };
                (operator, path.operands().collect())
            }
            _ => panic!("a formula has logical and temporal operators only"),
        };
        let operands = operands
            .into_iter()
            .map(|e| self.formula(e, at, states, labels));
        CtlTree::Apply(operator, operands.collect())
    }

    fn bounds(&self, within: StepBounds, at: usize) -> Bounds {
        let number = |e| u32::try_from(self.constant(e, at)).expect("a bound is not negative");
        Bounds {
            least: number(within.least),
            most: number(within.most),
        }
    }

    fn where_true(&self, e: SmvExprId, at: usize, states: &[SmvState]) -> StateMask {
        let holds = |state: &SmvState| {
            let now = self.combined(state, &self.placeholders());
            let world = StepValues {
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
