//! Evidence changed by hand: every part of it, in every way we can think of.
//!
//! What is left out on purpose: a change after which everything the evidence says is still true.
//! [`still_true`] decides that by asking the structure itself, not the replay.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use wherefore_base::{Budget, Value};
use wherefore_evidence::{
    Claim, Evidence, OccurrenceId, ProofId, ProofNode, Replay, Rule, Segment, SegmentEnding, replay,
};
use wherefore_logic::{Formula, PathRule};
use wherefore_model::{Env, Interpreter, Model, Step, VarId};
use wherefore_space::StateSpace;

use crate::agreement::{list, query};

/// What was changed, and the result.
pub type Mutant = (&'static str, Evidence);

/// All changed versions of an evidence.
pub fn mutants(model: &Model, formula: &Formula, evidence: &Evidence) -> Vec<Mutant> {
    let mut mutants = Mutants {
        evidence,
        found: Vec::new(),
    };
    mutants.states(model);
    mutants.truth(formula);
    mutants.edges(model);
    mutants.segments();
    mutants.proof(formula);
    mutants.regions(model);
    mutants.found
}

struct Mutants<'e> {
    evidence: &'e Evidence,
    found: Vec<Mutant>,
}

impl Mutants<'_> {
    fn change(&mut self, what: &'static str, change: impl FnOnce(&mut Evidence)) {
        let mut mutant = self.evidence.clone();
        change(&mut mutant);
        if mutant != *self.evidence {
            self.found.push((what, mutant));
        }
    }

    fn states(&mut self, model: &Model) {
        for at in self.evidence.occurrences.ids() {
            for var in 0..model.state_vars() {
                for value in model.vars[VarId::new(var)].domain.values() {
                    self.change("a value of a state", |e| {
                        e.occurrences[at].values[var] = value
                    });
                }
            }
            self.change("a state without its last value", |e| {
                e.occurrences[at].values.pop();
            });
        }
        let outside = Value::Int(1_000);
        self.change("a value outside the domain", |e| {
            e.occurrences[OccurrenceId::new(0)].values[0] = outside;
        });
    }

    fn truth(&mut self, formula: &Formula) {
        for at in self.evidence.occurrences.ids() {
            for sub in formula.subs() {
                self.change("a truth bit", |e| {
                    let bit = &mut e.occurrences[at].truth[sub];
                    *bit = bit.map(|bit| !bit);
                });
            }
        }
    }

    fn edges(&mut self, model: &Model) {
        let states = model.state_vars();
        for at in 0..self.evidence.edges.len() {
            self.change("an edge removed", |e| drop(e.edges.remove(at)));
            for other in self.evidence.occurrences.ids() {
                self.change("the end of an edge", |e| e.edges[at].to = other);
                self.change("the start of an edge", |e| e.edges[at].from = other);
            }
            for input in 0..model.input_vars() {
                for value in model.vars[VarId::new(states + input)].domain.values() {
                    self.change("an input", |e| e.edges[at].input[input] = value);
                }
            }
            self.change("an input too many", |e| {
                e.edges[at].input.push(Value::Bool(true))
            });
        }
    }

    fn segments(&mut self) {
        let none = OccurrenceId::new(self.evidence.occurrences.len());
        for at in 0..self.evidence.segments.len() {
            self.change("a segment removed", |e| drop(e.segments.remove(at)));
            let segment = &self.evidence.segments[at];
            for place in 0..segment.states.len() {
                self.change("a state of a segment removed", |e| {
                    e.segments[at].states.remove(place);
                });
            }
            for other in self.evidence.occurrences.ids().chain([none]) {
                if segment.from.is_some() {
                    self.change("the start of a segment", |e| {
                        e.segments[at].from = Some(other)
                    });
                }
                if let SegmentEnding::Loop(_) = segment.ending {
                    self.change("the target of a loop", |e| {
                        e.segments[at].ending = SegmentEnding::Loop(other);
                    });
                }
                for mark in 0..segment.fair.len() {
                    self.change("a fairness mark", |e| {
                        e.segments[at].fair[mark] = Some(other)
                    });
                }
            }
            for mark in 0..segment.fair.len() {
                self.change("a fairness mark removed", |e| {
                    e.segments[at].fair[mark] = None
                });
            }
            for ending in [
                SegmentEnding::Goal,
                SegmentEnding::DeadEnd,
                SegmentEnding::Loop(OccurrenceId::new(0)),
            ] {
                self.change("the ending of a segment", |e| {
                    e.segments[at].ending = ending
                });
            }
            self.change("the claim of a segment", |e| {
                e.segments[at].serves = negated(e.segments[at].serves);
            });
        }
    }

    fn proof(&mut self, formula: &Formula) {
        let none = ProofId::new(self.evidence.proof.len());
        for id in self.evidence.proof.ids() {
            let node = &self.evidence.proof[id];
            self.change("a claim negated", |e| {
                e.proof[id].claim = negated(node.claim)
            });
            for sub in formula.subs() {
                if let Claim::Formula(mut goal, bounds) = node.claim {
                    goal.sub = sub;
                    let claim = Claim::Formula(goal, bounds);
                    self.change("the formula of a claim", |e| e.proof[id].claim = claim);
                }
            }
            if let Claim::Formula(goal, Some(mut bounds)) = node.claim {
                bounds.most += 1;
                let claim = Claim::Formula(goal, Some(bounds));
                self.change("the bounds of a claim", |e| e.proof[id].claim = claim);
                let claim = Claim::Formula(goal, None);
                self.change("the bounds of a claim", |e| e.proof[id].claim = claim);
            }
            for at in self.evidence.occurrences.ids() {
                self.change("the place of a claim", |e| e.proof[id].at = at);
            }
            let rules = [
                Rule::State,
                Rule::Branch(0),
                Rule::Branch(1),
                Rule::Branch(7),
                Rule::Step,
                Rule::EveryStep,
                Rule::Goal,
                Rule::Continue,
                Rule::DeadEnd,
                Rule::Stop,
                Rule::Total,
            ];
            for rule in rules {
                self.change("a rule", |e| e.proof[id].rule = Some(rule));
            }
            for region in self.evidence.regions.ids() {
                let rule = Some(Rule::Region(region));
                self.change("a rule", |e| e.proof[id].rule = rule);
            }
            self.change("a rule removed", |e| e.proof[id].rule = None);
            self.change("a rank", |e| {
                e.proof[id].rank = Some(node.rank.map_or(0, |rank| rank + 1));
            });
            self.change("a rank removed", |e| e.proof[id].rank = None);
            for place in 0..node.premises.len() {
                self.change("a premise removed", |e| {
                    e.proof[id].premises.remove(place);
                });
                for other in self.evidence.proof.ids().chain([none]) {
                    self.change("a premise", |e| e.proof[id].premises[place] = other);
                }
            }
            self.change("a premise too many", |e| {
                e.proof[id].premises.push(ProofId::new(0))
            });
        }
    }

    fn regions(&mut self, model: &Model) {
        for id in self.evidence.regions.ids() {
            let region = &self.evidence.regions[id];
            self.change("the size of a region", |e| {
                e.regions[id].size += BigUint::from(1u32);
            });
            self.change("the size of a region", |e| {
                e.regions[id].size = BigUint::ZERO
            });
            self.change("the claim of a region", |e| {
                e.regions[id].claim = negated(e.regions[id].claim);
            });
            for at in self.evidence.occurrences.ids() {
                self.change("the place of a region", |e| e.regions[id].at = at);
            }
            self.change("the completeness of a cover", |e| {
                let complete = &mut e.regions[id].cover.complete;
                *complete = !*complete;
            });
            for cube in 0..region.cover.cubes.len() {
                self.change("a cube removed", |e| {
                    e.regions[id].cover.cubes.remove(cube);
                });
                for at in 0..region.cover.cubes[cube].values.len() {
                    self.change("a condition of a cube removed", |e| {
                        e.regions[id].cover.cubes[cube].values.remove(at);
                    });
                    let (var, _) = region.cover.cubes[cube].values[at];
                    for value in model.vars[var].domain.values() {
                        self.change("the values of a cube", |e| {
                            e.regions[id].cover.cubes[cube].values[at].1 = vec![value];
                        });
                    }
                }
            }
            let listed = region.states.as_ref().map_or(0, Vec::len);
            for at in 0..listed {
                self.change("a state of a region removed", |e| {
                    e.regions[id]
                        .states
                        .as_mut()
                        .map(|states| states.remove(at));
                });
                for var in 0..model.state_vars() {
                    for value in model.vars[VarId::new(var)].domain.values() {
                        self.change("a state of a region", |e| {
                            if let Some(states) = &mut e.regions[id].states {
                                states[at][var] = value;
                            }
                        });
                    }
                }
            }
            self.change("a region removed", |e| {
                let kept = e.regions.entries().filter(|(other, _)| *other != id);
                e.regions = kept.map(|(_, region)| region.clone()).collect();
            });
        }
    }
}

fn negated(claim: Claim) -> Claim {
    match claim {
        Claim::Formula(goal, bounds) => Claim::Formula(goal.negated(), bounds),
        Claim::HasPath => Claim::HasPath,
    }
}

/// Whether everything a mutant says is still true.
///
/// - Another state may fit in place of the one that was changed: the same steps lead to it and from it,
///   and the fairness marks are still right. (Its truth bits are not asked: if they were wrong, replay
///   would say so.)
/// - Another input may allow the same step.
/// - A premise may be another node of the same claim, or the same node elsewhere, if the claim is true
///   there and the steps exist: that is another strategy.
/// - Another state of a loop may meet the same fairness constraint.
/// - Without fairness constraints every state has a maximal path, and a deadlock always has.
/// - A run may be told to stop where the proof knows that it ends or goes round: that says less, and
///   nothing wrong. Two runs may tell of the same loop, and any run into a deadlock ends there.
/// - A run may tell only what others tell too.
/// - Another description may describe the same states, or, where it does not claim to be complete, some
///   of them.
pub fn still_true<S: StateSpace>(
    space: &S,
    rule: PathRule,
    original: &Evidence,
    what: &str,
    mutant: &Evidence,
) -> bool {
    let model = space.model();
    let changed = ChangedEvidence {
        model,
        interpreter: Interpreter::new(model),
        original,
        mutant,
    };
    match what {
        "a value of a state" => {
            let first = changed.values(OccurrenceId::new(0));
            let initial = changed.interpreter.broken_by_initial(first).is_none();
            changed.steps_exist() && initial && changed.marks_are_right()
        }
        "an input" => changed.steps_exist(),
        "a fairness mark" => changed.marks_are_right(),
        "a premise" | "the place of a claim" => another_strategy(original, mutant),
        "a rule" => rule == PathRule::Maximal && changed.rules_fit(),
        "the ending of a segment" => changed.endings_fit(),
        "a segment removed" | "the start of a segment" => {
            let told = |evidence: &Evidence| {
                let runs = evidence.segments.iter();
                let states: BTreeSet<_> = runs.clone().flat_map(|s| s.states.clone()).collect();
                (states, runs.flat_map(steps).collect::<BTreeSet<_>>())
            };
            told(original) == told(mutant)
        }
        // A description that is not complete names some states of the region; replay has seen that it
        // names no others, so it is another true one.
        "a cube removed" | "a condition of a cube removed" | "the values of a cube"
            if mutant.regions.iter().any(|region| !region.cover.complete) =>
        {
            let pairs = original.regions.iter().zip(mutant.regions.iter());
            let mut changed = pairs.filter(|(a, b)| a != b);
            changed.all(|(_, region)| !region.cover.complete)
        }
        "a condition of a cube removed" | "the values of a cube" => {
            described(space, original) == described(space, mutant)
        }
        _ => false,
    }
}

/// The states that the descriptions of the regions name.
fn described<S: StateSpace>(space: &S, evidence: &Evidence) -> Vec<Vec<Vec<Value>>> {
    let regions = evidence.regions.iter();
    let states = regions.map(|region| {
        let mut all = space.nothing();
        for cube in &region.cover.cubes {
            let states = space.states_with(&cube.values).expect("no limit");
            all = space.join(&all, &states).expect("no limit");
        }
        list(space, &all)
    });
    states.collect()
}

/// Evidence before and after a change, and the model that says what is true.
struct ChangedEvidence<'a> {
    model: &'a Model,
    interpreter: Interpreter<'a>,
    original: &'a Evidence,
    mutant: &'a Evidence,
}

impl ChangedEvidence<'_> {
    fn values(&self, at: OccurrenceId) -> &[Value] {
        &self.mutant.occurrences[at].values
    }

    fn steps_exist(&self) -> bool {
        self.mutant.edges.iter().all(|edge| {
            let step = Step {
                input: edge.input.clone(),
                next: self.values(edge.to).to_vec(),
            };
            let from = self.values(edge.from);
            self.interpreter.broken_by_step(from, &step).is_none()
        })
    }

    fn is_deadlock(&self, at: OccurrenceId) -> bool {
        let steps = self
            .interpreter
            .steps(self.values(at), &Budget::unlimited());
        steps.is_ok_and(|steps| steps.is_empty())
    }

    fn marks_are_right(&self) -> bool {
        let truth = |term, at| self.interpreter.truth(term, Env::state(self.values(at)));
        let fairness = &self.model.fairness;
        self.mutant.segments.iter().all(|segment| {
            let justice = fairness.justice.iter().map(|&condition| (None, condition));
            let pairs = fairness.compassion.iter().map(|&(p, q)| (Some(p), q));
            let mut marks = justice.chain(pairs).zip(&segment.fair);
            let turn = turn(segment);
            marks.all(|((unless, condition), mark)| match mark {
                Some(at) => turn.contains(at) && truth(condition, *at),
                None => unless.is_some_and(|p| !turn.iter().any(|&at| truth(p, at))),
            })
        })
    }

    fn rules_fit(&self) -> bool {
        let nodes = self.original.proof.iter().zip(self.mutant.proof.iter());
        let mut changed = nodes.filter(|(a, b)| a != b).map(|(_, b)| b);
        let fits = |node: &ProofNode| match node.rule {
            Some(Rule::Total) => self.model.fairness.is_empty(),
            Some(Rule::DeadEnd) => self.is_deadlock(node.at),
            _ => false,
        };
        changed.all(|node| node.claim == Claim::HasPath && fits(node))
    }

    fn endings_fit(&self) -> bool {
        let mut pairs = self.original.segments.iter().zip(&self.mutant.segments);
        let known = |b: &Segment| {
            let mut others = self.original.segments.iter();
            others.any(|other| other.serves == b.serves && other.ending == b.ending)
        };
        let ends = |b: &Segment| {
            let last = b.states.last().copied().or(b.from);
            b.ending == SegmentEnding::DeadEnd && last.is_some_and(|last| self.is_deadlock(last))
        };
        pairs.all(|(a, b)| {
            a.ending == b.ending || b.ending == SegmentEnding::Goal || known(b) || ends(b)
        })
    }
}

/// Whether the proof of a mutant is another way to show the same: premises have the same claims and
/// ranks as before, every claim is true where it is made, and premises are where they were relative to
/// the node: at the same state, or one step on.
fn another_strategy(original: &Evidence, mutant: &Evidence) -> bool {
    let values = |at: OccurrenceId| &mutant.occurrences[at].values;
    let step = |from, to| {
        let mut edges = mutant.edges.iter();
        edges.any(|e| values(e.from) == values(from) && values(e.to) == values(to))
    };
    mutant.proof.entries().all(|(id, node)| {
        let claimed = match node.claim {
            Claim::Formula(goal, None) => {
                mutant.occurrences[node.at].truth[goal.sub] == Some(goal.holds)
            }
            // The bits are about whole formulas: they do not know what is left of one.
            Claim::Formula(_, Some(_)) | Claim::HasPath => true,
        };
        let pairs = original.proof[id].premises.iter().zip(&node.premises);
        let mut premises = pairs.map(|(&before, &after)| {
            let (before, after) = (original.proof.get(before), mutant.proof.get(after));
            before.zip(after)
        });
        claimed
            && premises.all(|pair| {
                pair.is_some_and(|(before, after)| {
                    let same = before.claim == after.claim && before.rank == after.rank;
                    let here = values(node.at) == values(after.at);
                    same && (here || step(node.at, after.at))
                })
            })
    })
}

/// The steps that a segment tells of.
fn steps(segment: &Segment) -> Vec<(OccurrenceId, OccurrenceId)> {
    let back = match segment.ending {
        SegmentEnding::Loop(to) | SegmentEnding::Joins(to) => Some(to),
        SegmentEnding::Goal | SegmentEnding::DeadEnd => None,
    };
    let states = segment.from.into_iter().chain(segment.states.clone());
    let run: Vec<OccurrenceId> = states.chain(back).collect();
    run.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// The occurrences of a segment that its loop goes through again and again.
fn turn(segment: &Segment) -> Vec<OccurrenceId> {
    let SegmentEnding::Loop(back) = segment.ending else {
        return vec![];
    };
    let run: Vec<OccurrenceId> = segment
        .from
        .into_iter()
        .chain(segment.states.clone())
        .collect();
    let start = run.iter().position(|&at| at == back);
    start.map_or(vec![], |start| run[start..].to_vec())
}

/// Changes that replay did not notice: how many of each kind, and the property of the first.
pub type Unnoticed = BTreeMap<String, (usize, String)>;

/// Changes an evidence for the claim that a property holds (or fails) and adds what replay does not
/// notice.
///
/// # Panics
/// When the evidence, or evidence for the opposite, is not judged rightly to begin with.
pub fn hunt<S: StateSpace>(
    space: &S,
    property: usize,
    holds: bool,
    evidence: &Evidence,
    unnoticed: &mut Unnoticed,
) {
    let model = space.model();
    let budget = Budget::unlimited();
    let text = &model.properties[property].text;
    assert_eq!(evidence.replay, Replay::Ok, "{text}");
    let query = query(model, property);
    let replayed = |holds: bool, evidence: &Evidence| {
        replay(model, query, holds, evidence, &budget).expect("no limit")
    };
    let opposite = replayed(!holds, evidence);
    let rejected = matches!(opposite, Replay::Failed(_));
    assert!(rejected, "{text}: it shows the opposite too");
    for (what, mutant) in mutants(model, &query.formula, evidence) {
        let noticed = match replayed(holds, &mutant) {
            Replay::Failed(_) => true,
            // An open obligation is told as such: the evidence is not wrong, but not complete.
            Replay::Partial(_) => what == "a rule removed",
            Replay::Ok | Replay::NotDone => false,
        };
        if !noticed && !still_true(space, query.rule, evidence, what, &mutant) {
            let example = || (0, format!("{text} under {}", query.rule));
            unnoticed.entry(what.to_string()).or_insert_with(example).0 += 1;
        }
    }
}
