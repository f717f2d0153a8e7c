//! Evidence about modal equations with one part changed: its replay must refuse every one.

use num_bigint::BigUint;
use wherefore_base::IndexVec;
use wherefore_evidence::modal::{action, state, values};
use wherefore_evidence::{
    Claim, Evidence, EvidenceEdge, OccurrenceId, ProofId, Rule, SegmentEnding, Shape,
};
use wherefore_logic::SubId;
use wherefore_model::lts::{Lts, StateId};

/// What was changed, and the result. None of these is evidence any more.
pub fn mutants(lts: &Lts, evidence: &Evidence) -> Vec<(&'static str, Evidence)> {
    let mut mutants = ModalMutants {
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

struct ModalMutants<'e> {
    lts: &'e Lts,
    evidence: &'e Evidence,
    found: Vec<(&'static str, Evidence)>,
}

impl ModalMutants<'_> {
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
            let same = |other: &&EvidenceEdge| (other.from, other.to) == (edge.from, edge.to);
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
            self.change("a dead end", |e| {
                e.segments[at].ending = SegmentEnding::DeadEnd
            });
            self.change("a run without its last state", |e| {
                e.segments[at].states.pop();
            });
            self.change("a claim that is served", |e| {
                if let Claim::Formula(goal, _) = &mut e.segments[at].serves {
                    goal.holds = !goal.holds;
                }
            });
            if segment.ending == SegmentEnding::Goal {
                let first = OccurrenceId::new(0);
                self.change("a loop", |e| {
                    e.segments[at].ending = SegmentEnding::Loop(first)
                });
            } else {
                self.change("no loop", |e| e.segments[at].ending = SegmentEnding::Goal);
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
