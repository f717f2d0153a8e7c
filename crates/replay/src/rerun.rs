//! Running a trace that somebody wrote down: does the model do that, and if not, why not?
//!
//! A trace may leave values open; then every state with the known values is tried. Like replay, this
//! uses nothing but the plain interpreter of the model.

use std::collections::BTreeSet;

use wherefore_base::{Budget, Run, Value};
use wherefore_model::{Constraint, Env, Interpreter, KnownValues, Model, Requirement, Step, VarId};
use wherefore_proof::{Evidence, OccurrenceId};

/// `x=1, y=? -> x=2, y=?`: a run as it was written down. What is `None` or left out is open.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Track {
    /// The values of the state variables, state by state.
    pub states: Vec<Vec<Option<Value>>>,
    /// The values of the inputs of the step that leaves each state.
    pub inputs: Vec<Vec<Option<Value>>>,
    /// The state that the last one steps back to.
    pub back: Option<usize>,
}

/// A run of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Its states.
    pub states: Vec<Vec<Value>>,
    /// The input of the step that leaves each state; none for the last state unless it steps back.
    pub inputs: Vec<Vec<Value>>,
    /// The state that the last one steps back to.
    pub back: Option<usize>,
}

impl Walk {
    /// How many steps it has.
    pub fn steps(&self) -> usize {
        self.inputs.len()
    }
}

/// What became of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rerun {
    /// The model does it; of all runs with the known values the first.
    Runs(Walk),
    /// The model does not do it.
    Dies(Box<Death>),
    /// Too much is open before this state to try everything.
    TooOpen(usize),
}

/// Where a trace ends although it goes on, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Death {
    /// The number of the state that cannot follow; for the step back at the end of a trace, the number
    /// that the next state would have.
    pub at: usize,
    /// The state before; `None`: the state is no initial one.
    pub from: Option<Vec<Value>>,
    /// What should have followed.
    pub wanted: Vec<Option<Value>>,
    /// A constraint that does not allow it; `None` when no single one is to blame.
    pub because: Option<BrokenConstraint>,
    /// What can follow instead, nearest to what is wanted first: fewest different values, then nearest
    /// numbers. The inputs are empty when there is no state before.
    pub instead: Vec<Step>,
    /// How many states can follow that differ in what is known of the wanted one; `None` when nobody could list them all.
    pub possible: Option<usize>,
}

/// A constraint that a step (or an initial state) breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenConstraint {
    /// The constraint.
    pub constraint: Constraint,
    /// The step that breaks it; its input is empty for an initial state.
    pub step: Step,
    /// For an assignment, the values that it allows.
    pub allowed: Vec<Value>,
}

/// So many values are tried for one state of a trace.
const TRIES: u64 = 1 << 20;
/// So many states may stand for one state of a trace.
const CANDIDATES: usize = 1 << 12;
/// Of so many of them it is asked what could follow instead.
const ASKED: usize = 16;
/// So many of what could follow instead are named.
const INSTEAD: usize = 3;

/// Runs a trace from an initial state on.
///
/// What the model remembers for fairness is no part of the states that other tools write down: there a loop closes
/// although something else is remembered than when it was entered. It is the same after one more turn, so such a loop is
/// gone round once before.
///
/// # Panics
/// When the model is wrong in a way that `wherefore_space::discharge` finds.
pub fn rerun(model: &Model, track: &Track, budget: &Budget) -> Run<Rerun> {
    let plain = rerun_literally(model, track, budget)?;
    let does_not_close = match &plain {
        Rerun::Dies(death) => death.at == track.states.len(),
        Rerun::Runs(_) | Rerun::TooOpen(_) => false,
    };
    let is_open = |var: VarId| {
        let mut states = track.states.iter();
        states.all(|state| state.get(var.index()).copied().flatten().is_none())
    };
    let Some(back) = track
        .back
        .filter(|_| does_not_close && model.memory().any(is_open))
    else {
        return Ok(plain);
    };
    let mut longer = track.clone();
    // The step that closed the loop leads to its first state once more.
    longer.inputs.resize(track.states.len(), Vec::new());
    longer.states.extend_from_slice(&track.states[back..]);
    longer.inputs.extend_from_within(back..);
    longer.back = Some(track.states.len());
    Ok(match rerun_literally(model, &longer, budget)? {
        runs @ Rerun::Runs(_) => runs,
        Rerun::Dies(_) | Rerun::TooOpen(_) => plain,
    })
}

fn rerun_literally(model: &Model, track: &Track, budget: &Budget) -> Run<Rerun> {
    let runner = TraceRunner::new(model, budget);
    let mut layers: Vec<Vec<RerunCandidate>> = Vec::new();
    for (at, wanted) in track.states.iter().enumerate() {
        let before = layers.last().map_or(&[][..], |layer| &layer[..]);
        let input = at.checked_sub(1).and_then(|step| track.inputs.get(step));
        let input = input.map_or(&[][..], |input| &input[..]);
        let Some(mut layer) = runner.layer(at == 0, before, input, wanted)? else {
            return Ok(Rerun::TooOpen(at));
        };
        if layer.is_empty() {
            let before = (at > 0).then_some(before);
            return runner.death(at, before, input, wanted).map(dies);
        }
        // Which state of this layer a run passed is carried along, since its last step must lead back to that
        // very one.
        if track.back == Some(at) {
            for (number, candidate) in layer.iter_mut().enumerate() {
                candidate.home = Some(number);
            }
        }
        layers.push(layer);
    }
    let last = layers.last().map_or(&[][..], |layer| &layer[..]);
    let Some(back) = track.back.filter(|&back| back < layers.len()) else {
        return Ok(Rerun::Runs(walk(&layers, 0, None)));
    };
    let input = track.inputs.get(layers.len() - 1);
    let input = input.map_or(&[][..], |input| &input[..]);
    let home = |candidate: &RerunCandidate| {
        let home = &layers[back][candidate.home.unwrap_or(0)].step.next;
        home.iter().copied().map(Some).collect::<Vec<_>>()
    };
    for (number, candidate) in last.iter().enumerate() {
        let next = home(candidate);
        let known = KnownValues { input, next: &next };
        let steps = runner.steps(&candidate.step.next, known)?;
        if let Some(step) = steps.iter().flatten().next() {
            let closing = (back, step.input.clone());
            return Ok(Rerun::Runs(walk(&layers, number, Some(closing))));
        }
    }
    let wanted = home(&last[0]);
    let death = runner.death(layers.len(), Some(&last[..1]), input, &wanted);
    death.map(dies)
}

/// The first step of an evidence that the model does not do, and the occurrence it leads to.
///
/// # Panics
/// As [`rerun`].
pub fn broken_step(
    model: &Model,
    evidence: &Evidence,
    budget: &Budget,
) -> Run<Option<(OccurrenceId, Death)>> {
    let runner = TraceRunner::new(model, budget);
    let known = |values: &[Value]| values.iter().copied().map(Some).collect::<Vec<_>>();
    let first = OccurrenceId::new(0);
    if let Some(start) = evidence.occurrences.get(first)
        && runner
            .interpreter
            .broken_by_initial(&start.values)
            .is_some()
    {
        let death = runner.death(0, None, &[], &known(&start.values))?;
        return Ok(Some((first, death)));
    }
    for edge in &evidence.edges {
        budget.check()?;
        let (from, to) = (
            &evidence.occurrences[edge.from],
            &evidence.occurrences[edge.to],
        );
        let step = Step {
            input: edge.input.clone(),
            next: to.values.clone(),
        };
        if runner
            .interpreter
            .broken_by_step(&from.values, &step)
            .is_some()
        {
            let from = [RerunCandidate::start(from.values.clone())];
            let (input, next) = (known(&step.input), known(&step.next));
            let death = runner.death(edge.to.index(), Some(&from), &input, &next)?;
            return Ok(Some((edge.to, death)));
        }
    }
    Ok(None)
}

/// Steps, if they could all be listed.
type ListedSteps = Option<Vec<Step>>;

fn dies(death: Death) -> Rerun {
    Rerun::Dies(Box::new(death))
}

/// A state that may stand for a state of a trace.
struct RerunCandidate {
    /// The state, with the input that leads to it.
    step: Step,
    /// Its number in the layer before.
    before: usize,
    /// The number of the candidate that the last step must lead back to.
    home: Option<usize>,
}

impl RerunCandidate {
    fn start(next: Vec<Value>) -> Self {
        let step = Step {
            input: Vec::new(),
            next,
        };
        Self {
            step,
            before: 0,
            home: None,
        }
    }
}

/// The walk that ends with a candidate of the last layer.
fn walk(layers: &[Vec<RerunCandidate>], last: usize, closing: Option<(usize, Vec<Value>)>) -> Walk {
    let mut chosen = Vec::new();
    let mut number = last;
    for layer in layers.iter().rev() {
        chosen.push(&layer[number].step);
        number = layer[number].before;
    }
    chosen.reverse();
    let (back, input) = closing.unzip();
    let inputs = chosen.iter().skip(1).map(|step| step.input.clone());
    Walk {
        states: chosen.iter().map(|step| step.next.clone()).collect(),
        inputs: inputs.chain(input).collect(),
        back,
    }
}

struct TraceRunner<'a> {
    model: &'a Model,
    interpreter: Interpreter<'a>,
    budget: &'a Budget,
}

impl<'a> TraceRunner<'a> {
    fn new(model: &'a Model, budget: &'a Budget) -> Self {
        Self {
            model,
            interpreter: Interpreter::new(model),
            budget,
        }
    }

    fn steps(&self, from: &[Value], known: KnownValues<'_>) -> Run<ListedSteps> {
        self.interpreter.steps_with(from, known, TRIES, self.budget)
    }

    fn starts(&self, known: KnownValues<'_>) -> Run<ListedSteps> {
        let states = self
            .interpreter
            .initial_states_with(known, TRIES, self.budget)?;
        let step = |next| Step {
            input: Vec::new(),
            next,
        };
        Ok(states.map(|states| states.into_iter().map(step).collect()))
    }

    /// The states that may follow the layer before; `None` when they are too many.
    fn layer(
        &self,
        first: bool,
        before: &[RerunCandidate],
        input: &[Option<Value>],
        wanted: &[Option<Value>],
    ) -> Run<Option<Vec<RerunCandidate>>> {
        let known = KnownValues {
            input,
            next: wanted,
        };
        if first {
            let starts = self.starts(known)?.filter(|s| s.len() <= CANDIDATES);
            let states = starts.map(|s| s.into_iter().map(|step| RerunCandidate::start(step.next)));
            return Ok(states.map(Iterator::collect));
        }
        let mut layer: Vec<RerunCandidate> = Vec::new();
        let mut seen = BTreeSet::new();
        for (number, candidate) in before.iter().enumerate() {
            let Some(steps) = self.steps(&candidate.step.next, known)? else {
                return Ok(None);
            };
            for step in steps {
                // Two ways to a state are one only if they must come back to the same state.
                let key = (step.next.clone(), candidate.home);
                if seen.insert(key) {
                    layer.push(RerunCandidate {
                        step,
                        before: number,
                        home: candidate.home,
                    });
                }
            }
            if layer.len() > CANDIDATES {
                return Ok(None);
            }
        }
        Ok(Some(layer))
    }

    /// Why nothing that is wanted can follow (or, with nothing before, start).
    fn death(
        &self,
        at: usize,
        before: Option<&[RerunCandidate]>,
        input: &[Option<Value>],
        wanted: &[Option<Value>],
    ) -> Run<Death> {
        let mut best: Option<(usize, Option<&RerunCandidate>, ListedSteps)> = None;
        let states: Vec<Option<&RerunCandidate>> = match before {
            Some(before) => before.iter().take(ASKED).map(Some).collect(),
            None => vec![None],
        };
        for state in states {
            let steps = match state {
                Some(state) => self.steps(&state.step.next, KnownValues::default())?,
                None => self.starts(KnownValues::default())?,
            };
            let steps = steps.map(|steps| self.nearest_first(steps, input, wanted));
            let distance = steps.as_ref().and_then(|steps| steps.first());
            let distance = distance.map_or(usize::MAX, |step| different(&step.next, wanted));
            if best.as_ref().is_none_or(|(least, ..)| distance < *least) {
                best = Some((distance, state, steps));
            }
        }
        let (_, state, steps) = best.unwrap_or((usize::MAX, None, None));
        let from = state.map(|state| state.step.next.clone());
        let nearest = steps.as_ref().and_then(|steps| steps.first());
        let step = self.completed(from.is_some(), input, wanted, nearest);
        let because = step.and_then(|step| self.broken(from.as_deref(), step));
        Ok(Death {
            at,
            from,
            wanted: wanted.to_vec(),
            because,
            possible: steps.as_ref().map(Vec::len),
            instead: steps.into_iter().flatten().take(INSTEAD).collect(),
        })
    }

    /// What is wanted, with what is open taken from the nearest step there is; `None` when there is
    /// none and something is open.
    fn completed(
        &self,
        of_step: bool,
        input: &[Option<Value>],
        wanted: &[Option<Value>],
        nearest: Option<&Step>,
    ) -> Option<Step> {
        let fill = |known: &[Option<Value>], values: Option<&Vec<Value>>, count: usize| {
            let all = (0..count).map(|at| {
                let known = known.get(at).copied().flatten();
                known.or_else(|| values.and_then(|values| values.get(at).copied()))
            });
            all.collect::<Option<Vec<Value>>>()
        };
        let inputs = if of_step { self.model.input_vars() } else { 0 };
        Some(Step {
            input: fill(input, nearest.map(|step| &step.input), inputs)?,
            next: fill(
                wanted,
                nearest.map(|step| &step.next),
                self.model.state_vars(),
            )?,
        })
    }

    /// The constraint that a step breaks, if it breaks one.
    fn broken(&self, from: Option<&[Value]>, step: Step) -> Option<BrokenConstraint> {
        let constraint = match from {
            Some(from) => self.interpreter.broken_by_step(from, &step),
            None => self.interpreter.broken_by_initial(&step.next),
        };
        let constraint = *constraint?;
        let allowed = match constraint.requires {
            Requirement::Holds(_) => Vec::new(),
            Requirement::Assign(var, term) => {
                // A constraint on states speaks of the next state alone.
                let of_step = self.model.trans.contains(&constraint);
                let env = match from {
                    Some(state) if of_step => Env {
                        state,
                        input: &step.input,
                        next: &step.next,
                    },
                    _ => Env::state(&step.next),
                };
                let mut allowed = self.interpreter.values(term, env);
                allowed.sort_by_key(|&value| self.place(var, value));
                allowed
            }
        };
        Some(BrokenConstraint {
            constraint,
            step,
            allowed,
        })
    }

    /// Of the steps that cannot be told apart by what is known of the wanted one, the first each; those
    /// with the fewest different values first, and then those whose numbers are nearest.
    fn nearest_first(
        &self,
        mut steps: Vec<Step>,
        input: &[Option<Value>],
        wanted: &[Option<Value>],
    ) -> Vec<Step> {
        // The sort is stable, so of steps that look alike the one with the nearest input is kept.
        steps.sort_by_cached_key(|step| different(&step.input, input));
        let mut seen = BTreeSet::new();
        steps.retain(|step| {
            let known = step.next.iter().zip(wanted);
            let told = known.map(|(value, wanted)| wanted.map(|_| *value));
            seen.insert(told.collect::<Vec<_>>())
        });
        steps.sort_by_cached_key(|step| {
            let numbers = step.next.iter().zip(wanted);
            let apart = numbers.map(|(value, wanted)| match (value, wanted) {
                (Value::Int(is), Some(Value::Int(wanted))) => is.abs_diff(*wanted),
                _ => 0,
            });
            let apart = apart.fold(0, u64::saturating_add);
            (different(&step.next, wanted), apart)
        });
        steps
    }

    fn place(&self, var: VarId, value: Value) -> Option<u64> {
        self.model.vars[var].domain.index_of(value)
    }
}

/// How many values are not the known ones.
fn different(values: &[Value], known: &[Option<Value>]) -> usize {
    let pairs = values.iter().zip(known);
    pairs
        .filter(|(value, known)| known.is_some_and(|known| known != **value))
        .count()
}
