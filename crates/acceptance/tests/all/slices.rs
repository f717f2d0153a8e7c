//! Where values come from, and which values a failure depends on where it rests on everything that can follow.

use std::collections::BTreeSet;

use wherefore_base::{Budget, Value};
use wherefore_blame::slice;
use wherefore_driver::{Event, Job, ModelSubject};
use wherefore_evidence::{Evidence, Finding, OccurrenceId, Slice, SliceRole, SliceValue, Verdict};
use wherefore_model::{Constraint, Env, Interpreter, Model, Requirement, Step, VarId};
use wherefore_testkit::Rng;
use wherefore_testkit::random_smv::random;

/// A model with nested branches, definitions and choices.
const LAMP: &str = "MODULE main
VAR lamp : {off, on, broken}; power : boolean; turns : 0..2;
DEFINE works := power & lamp != broken;
ASSIGN
  init(lamp) := off;
  next(lamp) := case
    works : case lamp = off : on; lamp = on : {on, off}; TRUE : lamp; esac;
    lamp = on : broken;
    TRUE : lamp;
  esac;
  init(power) := TRUE;
  next(power) := {TRUE, FALSE};
  init(turns) := 0;
  next(turns) := lamp = on & turns < 2 ? turns + 1 : turns;
INVARSPEC NAME whole := lamp != broken
CTLSPEC NAME few := AG turns < 2
CTLSPEC NAME again := AG AF lamp = off
LTLSPEC NAME quiet := F G lamp = off
";

/// The failures of a model with the values that they depend on, and where these come from.
fn sliced(text: &str) -> (ModelSubject, Vec<(Finding, Slice)>) {
    let subject = ModelSubject::from_text("model.smv", text).expect("the text is right");
    let budget = Budget::unlimited();
    let mut found = Vec::new();
    subject.check_all(&Job::default(), &budget, &mut |event| {
        if let Event::Finding(finding) = event {
            found.push(*finding);
        }
    });
    let mut sliced = Vec::new();
    for mut finding in found.into_iter().filter(|f| f.verdict == Verdict::Fails) {
        subject.find_causes(&mut finding, &budget);
        let Some(evidence) = &finding.evidence else {
            continue;
        };
        let Some(causes) = &evidence.causes else {
            continue;
        };
        let slice = slice(subject.model(), evidence, causes, &budget).expect("there is time");
        sliced.push((finding, slice));
    }
    (subject, sliced)
}

/// How a run comes to an occurrence: the values before, and the step; `None` at the first one.
fn arrival(evidence: &Evidence, at: OccurrenceId) -> Option<(Vec<Value>, Step)> {
    let mut edges = evidence.edges.iter();
    let edge = edges.find(|edge| edge.to == at && edge.from < at)?;
    let step = Step {
        input: edge.input.clone(),
        next: evidence.occurrences[at].values.clone(),
    };
    Some((evidence.occurrences[edge.from].values.clone(), step))
}

/// Whether a run could come to an occurrence if its values were these.
fn is_possible(model: &Model, arrival: Option<&(Vec<Value>, Step)>, values: &[Value]) -> bool {
    let interpreter = Interpreter::new(model);
    interpreter.broken_by_state(values).is_none()
        && match arrival {
            None => interpreter.broken_by_initial(values).is_none(),
            Some((from, step)) => {
                let step = Step {
                    next: values.to_vec(),
                    ..step.clone()
                };
                interpreter.broken_by_step(from, &step).is_none()
            }
        }
}

/// Other values are allowed if the run could be with them; returns how many were looked at.
fn check_allowed(model: &Model, evidence: &Evidence, of: &SliceValue) -> usize {
    let arrival = arrival(evidence, of.at);
    let now = &evidence.occurrences[of.at].values;
    let domain = &model.vars[of.var].domain;
    if domain.size() > 64 {
        return 0;
    }
    for other in domain
        .values()
        .filter(|other| *other != now[of.var.index()])
    {
        let mut values = now.clone();
        values[of.var.index()] = other;
        let possible = is_possible(model, arrival.as_ref(), &values);
        assert_eq!(possible, of.allowed.contains(&other), "{of:?} {other:?}");
    }
    1
}

/// What an assignment denotes changes only with what the value rests on; returns how often it was tried.
fn check_sources(rng: &mut Rng, model: &Model, evidence: &Evidence, of: &SliceValue) -> usize {
    let Some((from, step)) = arrival(evidence, of.at) else {
        return 0;
    };
    let assigns = |constraint: &&Constraint| matches!(constraint.requires, Requirement::Assign(var, _) if var == of.var);
    let Some(assignment) = model.trans.iter().find(assigns) else {
        return 0;
    };
    assert!(of.parts.iter().any(|part| part.role == SliceRole::Gave));
    let term = assignment.requires.term();
    let interpreter = Interpreter::new(model);
    let before = evidence
        .edges
        .iter()
        .find(|e| e.to == of.at && e.from < of.at);
    let before = before.expect("there is a step").from;
    let kept = |at: OccurrenceId, var: usize| of.rests_on.contains(&(at, VarId::new(var)));
    let denoted = |state: &[Value], input: &[Value], next: &[Value]| {
        interpreter.values(term, Env { state, input, next })
    };
    let now = denoted(&from, &step.input, &step.next);
    for _ in 0..10 {
        let mut other = |values: &[Value], at: OccurrenceId, first: usize| -> Vec<Value> {
            let each = values.iter().enumerate().map(|(var, &value)| {
                let domain = &model.vars[VarId::new(first + var)].domain;
                match kept(at, first + var) || domain.size() > 1_000 {
                    true => value,
                    false => domain.value(rng.below(domain.size() as usize) as u64),
                }
            });
            each.collect()
        };
        let state = other(&from, before, 0);
        let input = other(&step.input, before, model.state_vars());
        let next = other(&step.next, of.at, 0);
        assert_eq!(denoted(&state, &input, &next), now, "{of:?}");
    }
    1
}

#[test]
fn values_rest_on_what_they_are_said_to_rest_on() {
    let mut rng = Rng::new(21);
    let elevator = include_str!("../../../../examples/elevator.smv");
    let protocol = include_str!("../../../../examples/protocol.smv");
    let mut texts: Vec<String> = [LAMP, elevator, protocol].map(str::to_owned).to_vec();
    texts.extend((0..400).map(|_| random(&mut rng)));
    let (mut allowed, mut sources, mut required) = (0, 0, 0);
    for text in texts {
        let (subject, found) = sliced(&text);
        let model = subject.model();
        for (finding, slice) in &found {
            let evidence = finding.evidence.as_ref().expect("it has evidence");
            for value in &slice.values {
                allowed += check_allowed(model, evidence, value);
                sources += check_sources(&mut rng, model, evidence, value);
                let is_required = value.parts.iter().any(|p| p.role == SliceRole::Required);
                required += usize::from(is_required);
                assert!(!value.free || value.parts.is_empty());
            }
        }
    }
    assert!(
        allowed > 300 && sources > 150 && required > 20,
        "{allowed} {sources} {required}"
    );
}

/// Three truth values, a step between these states, and what is claimed of them; states are numbers.
struct Cube {
    steps: Vec<BTreeSet<usize>>,
    goal: usize,
}

impl Cube {
    fn random(rng: &mut Rng) -> Self {
        let mut steps = Vec::new();
        for _ in 0..8 {
            let to: BTreeSet<usize> = (0..1 + rng.below(2)).map(|_| rng.below(8)).collect();
            steps.push(to);
        }
        Self {
            steps,
            goal: rng.below(8),
        }
    }

    fn text(&self) -> String {
        let is = |state: usize, of: fn(usize) -> String| -> String {
            let each = (0..3).map(|bit| match state >> bit & 1 {
                1 => of(bit),
                _ => format!("!{}", of(bit)),
            });
            each.collect::<Vec<_>>().join(" & ")
        };
        let now = |bit: usize| format!("v{bit}");
        let next = |bit: usize| format!("next(v{bit})");
        let steps = self.steps.iter().enumerate().flat_map(|(from, to)| {
            let one = move |to: &usize| format!("({} & {})", is(from, now), is(*to, next));
            to.iter().map(one).collect::<Vec<_>>()
        });
        format!(
            "MODULE main VAR v0 : boolean; v1 : boolean; v2 : boolean; INIT !v0 & !v1 & !v2 TRANS {} CTLSPEC AG EF ({})",
            steps.collect::<Vec<_>>().join(" | "),
            is(self.goal, now)
        )
    }

    /// Whether a way leads from a state to the goal.
    fn reaches(&self, from: usize) -> bool {
        let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(state) = open.pop() {
            open.extend(self.steps[state].iter().filter(|&&to| seen.insert(to)));
        }
        seen.contains(&self.goal)
    }

    /// The values of a state that the lack of a way to the goal depends on, by the definition.
    fn causes(&self, state: usize) -> BTreeSet<usize> {
        let subsets = |set: usize| (0..8).filter(move |part| part & !set == 0);
        let fails = |flipped: usize| !self.reaches(state ^ flipped);
        let is_cause = |bit: &usize| {
            let own = 1 << bit;
            subsets(7 & !own).any(|set| subsets(set).all(fails) && !fails(set | own))
        };
        (0..3).filter(is_cause).collect()
    }
}

#[test]
fn where_nothing_leads_to_the_goal_the_causes_are_those_of_the_definition() {
    let mut rng = Rng::new(5);
    let mut compared = 0;
    for _ in 0..400 {
        let cube = Cube::random(&mut rng);
        let (_, found) = sliced(&cube.text());
        for (finding, _) in found {
            let evidence = finding.evidence.expect("it has evidence");
            let causes = evidence.causes.clone().expect("they are known");
            assert!(causes.exact);
            let (run, _) = evidence.main_run();
            let last = *run.last().expect("it has a state");
            let values = &evidence.occurrences[last].values;
            let bits = values.iter().enumerate();
            let state = bits.fold(0, |state, (bit, value)| {
                state | usize::from(*value == Value::Bool(true)) << bit
            });
            let told: BTreeSet<usize> = causes
                .pairs
                .iter()
                .map(|&(at, var)| {
                    assert_eq!(at, last);
                    var.index()
                })
                .collect();
            assert_eq!(told, cube.causes(state), "{}", cube.text());
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}
