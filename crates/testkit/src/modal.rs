//! Modal equations read from their definition, small systems to ask them of, and changed evidence.

use num_bigint::BigUint;
use wherefore_base::IndexVec;
use wherefore_evidence::modal::{action, state, values};
use wherefore_evidence::{Claim, Edge, Ending, Evidence, OccurrenceId, ProofId, Rule, Shape};
use wherefore_logic::modal::{Equation, Fixpoint, ModalOp, System};
use wherefore_logic::{ActionId, SubId};
use wherefore_model::lts::{
    Form, Label, LabelId, LabelSet, Lts, Question, StateId, Step, Transition,
};

use crate::Rng;

/// The truth of every equation at every state: block by block, all equations at once, from nothing (or
/// from everything) until nothing changes.
pub fn naive(lts: &Lts, question: &Question) -> Vec<Vec<bool>> {
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
    question: &Question,
    truth: &[Vec<bool>],
    op: &ModalOp,
    state: StateId,
) -> bool {
    let here = |sub: &SubId| truth[sub.index()][state.index()];
    let after = |action: &ActionId, sub: &SubId| -> Vec<bool> {
        let matched = |step: &&Step| question.actions[*action].contains(step.label);
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
    let labels = (0..labels).map(|label| Label {
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
) -> Question {
    let equations = equations.into_iter().map(|(block, op)| Equation {
        text: format!("{op:?}"),
        op,
        block,
        span: None,
    });
    let each = lts.labels().ids();
    let each = each.map(|id| LabelSet::new(lts, |label| label.text == lts.text(id)));
    let every = LabelSet::new(lts, |_| true);
    Question {
        system: System {
            equations: equations.collect(),
            blocks,
            root: SubId::new(root),
        },
        actions: std::iter::once(every).chain(each).collect(),
        form: Form::Other(String::new()),
    }
}

/// Which equations a random question has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Any.
    Any,
    /// None whose failure needs several things: what fails is shown by one run.
    OneRunFails,
}

/// A random question of up to so many equations.
pub fn random_question(rng: &mut Rng, lts: &Lts, kind: Kind, most: usize) -> Question {
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
            (3..=4, Kind::Any) => ModalOp::Any(some),
            (5..=6, Kind::Any) => ModalOp::Some(action, next),
            _ => ModalOp::Every(action, next),
        };
        (of[at], op)
    });
    let equations: Vec<_> = equations.collect();
    let root = rng.below(count);
    question(lts, blocks, equations, root)
}

/// What was changed, and the result. None of these is evidence any more.
pub fn mutants(lts: &Lts, evidence: &Evidence) -> Vec<(&'static str, Evidence)> {
    let mut mutants = Mutants {
        lts,
        evidence,
        found: vec![],
    };
    mutants.states();
    mutants.edges();
    mutants.segments();
    mutants.proof();
    mutants.rest();
    mutants.found
}

struct Mutants<'e> {
    lts: &'e Lts,
    evidence: &'e Evidence,
    found: Vec<(&'static str, Evidence)>,
}

impl Mutants<'_> {
    fn change(&mut self, what: &'static str, change: impl FnOnce(&mut Evidence)) {
        let mut mutant = self.evidence.clone();
        change(&mut mutant);
        if mutant != *self.evidence {
            self.found.push((what, mutant));
        }
    }

    fn states(&mut self) {
        let first = OccurrenceId::new(0);
        for (at, occurrence) in self.evidence.occurrences.entries() {
            self.change("no value", |e| e.occurrences[at].values.clear());
            self.change("no such state", |e| {
                e.occurrences[at].values = values(StateId::new(1_000_000));
            });
            for sub in 0..occurrence.truth.len() {
                self.change("a truth value", |e| {
                    let truth = &mut e.occurrences[at].truth[SubId::new(sub)];
                    *truth = truth.map(|truth| !truth);
                });
            }
            for other in self.lts.state_ids() {
                let here = state(self.lts, &occurrence.values).expect("evidence has states");
                let steps = self.evidence.edges.iter().filter(|edge| edge.to == at);
                let broken = steps.clone().any(|edge| {
                    let from = &self.evidence.occurrences[edge.from].values;
                    let from = state(self.lts, from).expect("evidence has states");
                    let mut steps = self.lts.steps(from).iter();
                    edge.from != at
                        && !steps.any(|step| action(step.label) == edge.input && step.to == other)
                });
                if other != here && (at == first || broken) {
                    self.change("another state", |e| {
                        e.occurrences[at].values = values(other)
                    });
                }
            }
        }
        self.change("a state more", |e| {
            let copy = e.occurrences[first].clone();
            e.occurrences.push(copy);
        });
    }

    fn edges(&mut self) {
        for at in 0..self.evidence.edges.len() {
            // Of two steps between the same states, either may do.
            let edge = &self.evidence.edges[at];
            let same = |other: &&Edge| (other.from, other.to) == (edge.from, edge.to);
            if self.evidence.edges.iter().filter(same).count() == 1 {
                self.change("an edge less", |e| {
                    e.edges.remove(at);
                });
            }
            self.change("an edge twice", |e| e.edges.push(e.edges[at].clone()));
            self.change("no label", |e| e.edges[at].input.clear());
            let ends = [edge.from, edge.to].map(|end| {
                let values = &self.evidence.occurrences[end].values;
                state(self.lts, values).expect("evidence has states")
            });
            for label in self.lts.labels().ids() {
                let mut steps = self.lts.steps(ends[0]).iter();
                if !steps.any(|step| step.label == label && step.to == ends[1]) {
                    self.change("another label", |e| e.edges[at].input = action(label));
                }
            }
        }
    }

    fn segments(&mut self) {
        for at in 0..self.evidence.segments.len() {
            let segment = &self.evidence.segments[at];
            self.change("a segment less", |e| {
                e.segments.remove(at);
            });
            self.change("a segment twice", |e| {
                e.segments.push(e.segments[at].clone())
            });
            self.change("a dead end", |e| e.segments[at].ending = Ending::DeadEnd);
            self.change("a run without its last state", |e| {
                e.segments[at].states.pop();
            });
            self.change("a claim that is served", |e| {
                if let Claim::Formula(goal, _) = &mut e.segments[at].serves {
                    goal.holds = !goal.holds;
                }
            });
            if segment.ending == Ending::Goal {
                let first = OccurrenceId::new(0);
                self.change("a loop", |e| e.segments[at].ending = Ending::Loop(first));
            } else {
                self.change("no loop", |e| e.segments[at].ending = Ending::Goal);
            }
        }
    }

    fn proof(&mut self) {
        for (id, node) in self.evidence.proof.entries() {
            self.change("the claim", |e| {
                if let Claim::Formula(goal, _) = &mut e.proof[id].claim {
                    goal.holds = !goal.holds;
                }
            });
            self.change("a path claim", |e| e.proof[id].claim = Claim::HasPath);
            self.change("no such state", |e| {
                e.proof[id].at = OccurrenceId::new(99_999)
            });
            let rules = [
                Rule::Goal,
                Rule::Continue,
                Rule::Stop,
                Rule::Total,
                Rule::DeadEnd,
            ];
            for rule in rules {
                self.change("a rule of others", |e| e.proof[id].rule = Some(rule));
            }
            if node.rule != Some(Rule::State) {
                self.change("the state decides", |e| {
                    e.proof[id].rule = Some(Rule::State)
                });
            }
            self.change("a branch", |e| e.proof[id].rule = Some(Rule::Branch(77)));
            let rank = node.rank.map_or(0, |rank| rank + 1);
            self.change("a higher rank", |e| e.proof[id].rank = Some(rank));
            self.change("no rank", |e| e.proof[id].rank = None);
            for place in 0..node.premises.len() {
                self.change("a premise less", |e| {
                    e.proof[id].premises.remove(place);
                });
                self.change("no such premise", |e| {
                    e.proof[id].premises[place] = ProofId::new(88_888);
                });
            }
            self.change("a premise more", |e| e.proof[id].premises.push(id));
        }
        self.change("no proof", |e| e.proof = IndexVec::new());
    }

    fn rest(&mut self) {
        for (id, region) in self.evidence.regions.entries() {
            self.change("the size", |e| e.regions[id].size += BigUint::from(1u32));
            self.change("the place", |e| {
                e.regions[id].at = OccurrenceId::new(77_777)
            });
            if region.states.is_some() {
                self.change("a state of a region less", |e| {
                    e.regions[id].states.as_mut().map(Vec::pop);
                });
            }
        }
        for shape in [Shape::Path, Shape::Lasso, Shape::Tree, Shape::Region] {
            self.change("the shape", |e| e.shape = shape);
        }
        self.change("the length", |e| e.minimal.length += 1);
    }
}
