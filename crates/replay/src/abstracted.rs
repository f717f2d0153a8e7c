//! Re-checking abstract runs: by following all runs where that is little, and otherwise by replaying
//! some of them.
//!
//! What it means for a run to show a claim is read off the claim directly, state by state; no set and
//! no layer is taken over from where the abstract run was made.

mod claims;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigUint;
use wherefore_base::{Budget, IndexVec, Run, Value, deep};
use wherefore_logic::{Bounds, Goal, Kernel, PathPattern, PathRule, Quantifier, SubId, kernel};
use wherefore_model::{Env, Interpreter, Model, Query, Step};
use wherefore_proof::{AbstractPosition, AbstractRun, Replay, Split, Width};

use super::explored::{ExploredSet, ExploredStates};
use super::walked::{TRIES, Walked};
use super::{MANY_STATES, Rechecked, ReplayFault, ensure, proposition};

pub use claims::replay_set_proof;

/// At most so many steps are followed.
const MANY_VISITS: usize = 200_000;

/// A run with the inputs of its steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The states.
    pub states: Vec<Vec<Value>>,
    /// The inputs, one for each step.
    pub inputs: Vec<Vec<Value>>,
}

/// Re-checks an abstract run; `samples` are some of the runs it stands for.
pub fn replay_abstract(
    model: &Model,
    query: &Query,
    run: &AbstractRun,
    samples: &[Sample],
    budget: &Budget,
) -> Run<Replay> {
    let interpreter = Interpreter::new(model);
    let mut explored = None;
    if let Some(initial) = interpreter.initial_states_within(TRIES, budget)? {
        let starts: Vec<&[Value]> = initial.iter().map(|state| &state[..]).collect();
        let walked = Walked::default();
        let all = ExploredStates::from(model, &interpreter, &walked, &starts, MANY_STATES, budget)?;
        explored = all.map(|all| ExploredSystem::new(all, starts.len(), query));
    }
    let replayer = AbstractReplay {
        query,
        run,
        budget,
        interpreter,
        propositional: query.formula.propositional(),
        system: explored,
    };
    let outcome = replayer.samples(samples).and_then(|()| replayer.all_runs());
    match outcome {
        Ok(true) => Ok(Replay::Ok),
        Ok(false) => Ok(replayer.in_part(samples.len())),
        Err(ReplayFault::Wrong(what)) => Ok(Replay::Failed(what)),
        Err(ReplayFault::Stop(stop)) => Err(stop),
    }
}

/// All that can be reached, with what the path rule asks of states.
struct ExploredSystem {
    explored: ExploredStates,
    /// How many of the states, from the first on, are initial.
    initial: usize,
    /// States with a path of the rule.
    live: ExploredSet,
    /// States with a fair path.
    fair: ExploredSet,
}

impl ExploredSystem {
    fn new(explored: ExploredStates, initial: usize, query: &Query) -> Self {
        Self {
            live: explored.with_path(query.rule),
            fair: explored.with_path(PathRule::FairInfinite),
            explored,
            initial,
        }
    }
}

struct AbstractReplay<'a> {
    query: &'a Query,
    run: &'a AbstractRun,
    budget: &'a Budget,
    interpreter: Interpreter<'a>,
    propositional: IndexVec<SubId, bool>,
    /// `None` when there is too much to explore.
    system: Option<ExploredSystem>,
}

impl AbstractReplay<'_> {
    fn in_part(&self, samples: usize) -> Replay {
        let some = match &self.run.runs {
            Some(runs) if *runs == BigUint::from(samples) => "that there are no others".to_string(),
            _ => format!("all of the runs but {samples}"),
        };
        Replay::Partial(match &self.system {
            None if self.query.rule.targets_have_paths() => {
                format!("{some}, and that paths go on from where they end")
            }
            _ => some,
        })
    }

    /// Each sample is a run of the model, lies in the positions and shows the claim.
    fn samples(&self, samples: &[Sample]) -> Rechecked {
        for sample in samples {
            self.budget.check()?;
            let states: Vec<&[Value]> = sample.states.iter().map(|state| &state[..]).collect();
            ensure(states.len() == self.run.positions.len(), || {
                "a run has another length".into()
            })?;
            let initial = self.interpreter.broken_by_initial(states[0]).is_none();
            ensure(initial, || {
                "a run does not start in an initial state".into()
            })?;
            for (pair, input) in states.windows(2).zip(&sample.inputs) {
                let step = Step {
                    input: input.clone(),
                    next: pair[1].to_vec(),
                };
                let broken = self.interpreter.broken_by_step(pair[0], &step);
                ensure(broken.is_none(), || "a run has a step that is none".into())?;
            }
            for (position, state) in self.run.positions.iter().zip(&states) {
                // A cover that was cut short says nothing of the states outside of it.
                let inside = shares(position, state)
                    && (!position.cover.complete || covers(position, state));
                ensure(inside, || "a state is not as its position says".into())?;
            }
            ensure(self.shows(&states), || {
                "a run does not show the claim".into()
            })?;
        }
        Ok(())
    }

    /// Follows all runs, if there is little to follow, and compares; whether that settles everything.
    fn all_runs(&self) -> Result<bool, ReplayFault> {
        let Some(system) = &self.system else {
            return Ok(false);
        };
        // The abstract run is one concrete run, and that is the sample that was replayed.
        if self.run.options.width == Width::One {
            return Ok(true);
        }
        let Some(layers) = self.follow(system)? else {
            return Ok(false);
        };
        if self.run.options.split != Split::Both {
            // Which of the runs it stands for is not looked at here; that they are shortest is.
            return Ok(false);
        }
        let (runs, positions) = gather(&layers);
        let counted = self.run.runs.as_ref();
        ensure(counted.is_none_or(|counted| *counted == runs), || {
            "the number of runs is another one".into()
        })?;
        for (position, states) in self.run.positions.iter().zip(&positions) {
            let size = position.states == BigUint::from(states.len());
            ensure(size, || "a position has another number of states".into())?;
            let all = &system.explored.states;
            let mut inside = states.iter().map(|&state| &all[state]);
            let common = inside.clone().all(|state| shares(position, state));
            let complete = inside.all(|state| covers(position, state));
            let outside = (0..all.len()).filter(|state| !states.contains(state));
            let strangers = outside
                .filter(|&state| covers(position, &all[state]))
                .count();
            let right = common && complete == position.cover.complete && strangers == 0;
            ensure(right, || "a position is described wrongly".into())?;
        }
        // A number that was not worked out cannot be confirmed.
        Ok(counted.is_some())
    }

    /// All runs of the length of the abstract one, shared where they have the same state and the same
    /// goals left; `None` when there is too much of them.
    fn follow(&self, system: &ExploredSystem) -> Result<Option<Vec<RunLayer>>, ReplayFault> {
        let rule = self.query.rule;
        let skips = rule.skips_initial_states_without_path();
        let claim = RemainingSteps {
            goal: self.run.claim,
            taken: 0,
            target: false,
        };
        let starts = (0..system.initial).filter(|&start| !skips || system.live[start]);
        let starts = starts.map(|start| ((start, BTreeSet::from([claim])), vec![]));
        let mut layers: Vec<RunLayer> = vec![starts.collect()];
        let mut visits = 0;
        let last = self.run.positions.len() - 1;
        for at in 0..=last {
            let mut next = RunLayer::new();
            let mut done: BTreeSet<RunSpot> = BTreeSet::new();
            for (state, left) in layers[at].keys() {
                self.budget.check()?;
                let mut after = After::default();
                for &goal in left {
                    self.after(system, goal, *state, &mut after);
                }
                ensure(at == last || !after.done, || {
                    "there is a shorter run".into()
                })?;
                if after.done {
                    done.insert((*state, left.clone()));
                }
                if at == last || after.left.is_empty() {
                    continue;
                }
                for &to in &system.explored.next[*state] {
                    visits += 1;
                    let here = (*state, left.clone());
                    next.entry((to, after.left.clone())).or_default().push(here);
                }
                if visits > MANY_VISITS {
                    return Ok(None);
                }
            }
            if at == last {
                // Of the last position only spots where a run can end belong to a run.
                layers[at].retain(|key, _| done.contains(key));
            } else {
                layers.push(next);
            }
        }
        Ok(Some(layers))
    }

    /// What one goal leaves to be shown after a state.
    fn after(
        &self,
        system: &ExploredSystem,
        left: RemainingSteps,
        state: usize,
        after: &mut After,
    ) {
        let values = &system.explored.states[state];
        let so = |goal: Goal| {
            proposition(self.query, &self.interpreter, goal.sub, Env::state(values)) == goal.holds
        };
        if left.target && !system.live[state] {
            return;
        }
        if self.propositional[left.goal.sub] {
            after.done |= so(left.goal);
            return;
        }
        let mut all = |goals: &[Goal]| {
            let (here, steps): (Vec<Goal>, Vec<Goal>) =
                goals.iter().partition(|goal| self.propositional[goal.sub]);
            if here.into_iter().all(so) {
                match steps[..] {
                    [] => after.done = true,
                    [goal] => {
                        let left = RemainingSteps {
                            goal,
                            taken: 0,
                            target: false,
                        };
                        deep(|| self.after(system, left, state, after));
                    }
                    _ => {}
                }
            }
        };
        match kernel(&self.query.formula, left.goal) {
            Kernel::Branches(branches) => branches.iter().for_each(|goals| all(goals)),
            Kernel::Step(Quantifier::Exists, goal) => {
                after.left.insert(RemainingSteps {
                    goal,
                    taken: 0,
                    target: true,
                });
            }
            Kernel::Path(pattern) => {
                let Some(goals) = strong(&pattern) else {
                    return;
                };
                let live = if pattern.fair {
                    &system.fair
                } else {
                    &system.live
                };
                if live[state] {
                    all(goals);
                }
                if pattern.stay.iter().all(|&goal| so(goal)) {
                    after.left.insert(RemainingSteps {
                        target: false,
                        ..left
                    });
                }
            }
            Kernel::Bounded(bounds, pattern) => {
                let Some(goals) = strong(&pattern) else {
                    return;
                };
                let live = if pattern.fair {
                    &system.fair
                } else {
                    &system.live
                };
                if live[state] && (bounds.least..=bounds.most).contains(&left.taken) {
                    all(goals);
                }
                if left.taken < bounds.most && pattern.stay.iter().all(|&goal| so(goal)) {
                    after.left.insert(RemainingSteps {
                        taken: left.taken + 1,
                        target: false,
                        ..left
                    });
                }
            }
            Kernel::State | Kernel::Step(..) => {}
        }
    }

    /// Whether a run shows the claim at its first state, and all of it is needed.
    fn shows(&self, run: &[&[Value]]) -> bool {
        let mut reading = ClaimReading {
            replayer: self,
            run,
            known: HashMap::new(),
        };
        reading.goal(self.run.claim, 0, 0)
    }
}

/// Whether a state has the values that the position says all its states have.
fn shares(position: &AbstractPosition, state: &[Value]) -> bool {
    let mut common = position.common.iter();
    common.all(|(var, value)| state[var.index()] == *value)
}

/// Whether a state is described by the position's cover.
fn covers(position: &AbstractPosition, state: &[Value]) -> bool {
    position.cover.cubes.iter().any(|cube| {
        let mut values = cube.values.iter();
        values.all(|(var, values)| values.contains(&state[var.index()]))
    })
}

/// The goals of a path that must be reached along one run.
fn strong(pattern: &PathPattern) -> Option<&[Goal]> {
    let one = pattern.quantifier == Quantifier::Exists && !pattern.weak;
    pattern.goal.as_deref().filter(|_| one)
}

/// A goal that is left to be shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct RemainingSteps {
    goal: Goal,
    /// Steps of a bounded one that were made.
    taken: u32,
    /// Whether the state is the target of a step, and must have a path.
    target: bool,
}

/// What is left after a state, and whether something needs no more.
#[derive(Default)]
struct After {
    left: BTreeSet<RemainingSteps>,
    done: bool,
}

/// A state with all goals that are left there.
type RunSpot = (usize, BTreeSet<RemainingSteps>);
/// The spots of one position, each with those that lead to it.
type RunLayer = BTreeMap<RunSpot, Vec<RunSpot>>;

/// How many runs lead to the spots of the last layer, and the states they have at each position.
fn gather(layers: &[RunLayer]) -> (BigUint, Vec<BTreeSet<usize>>) {
    let mut numbers: BTreeMap<&RunSpot, BigUint> = BTreeMap::new();
    let mut used: Vec<BTreeSet<&RunSpot>> = vec![BTreeSet::new(); layers.len()];
    for (at, layer) in layers.iter().enumerate() {
        let mut next = BTreeMap::new();
        for (spot, before) in layer {
            // A spot is reached by as many runs as those before it together.
            let number = match at {
                0 => BigUint::from(1u8),
                _ => before.iter().map(|spot| &numbers[spot]).sum(),
            };
            next.insert(spot, number);
        }
        numbers = next;
    }
    // Going back from the end leaves out spots that lead to none.
    for (at, layer) in layers.iter().enumerate().rev() {
        if at + 1 == layers.len() {
            used[at] = layer.keys().collect();
        }
        if at > 0 {
            let before = used[at].iter().flat_map(|spot| &layer[*spot]);
            used[at - 1] = before.collect();
        }
    }
    let states = |spots: &BTreeSet<&RunSpot>| spots.iter().map(|spot| spot.0).collect();
    let runs = numbers.values().sum();
    (runs, used.iter().map(states).collect())
}

/// One run, and which goals the rest of it shows from each position on.
struct ClaimReading<'a, 'r> {
    replayer: &'a AbstractReplay<'r>,
    run: &'a [&'a [Value]],
    known: HashMap<(Goal, u32, usize), bool>,
}

impl ClaimReading<'_, '_> {
    /// Whether the run from `at` to its end shows a goal, with steps of a bounded one taken before.
    fn goal(&mut self, goal: Goal, taken: u32, at: usize) -> bool {
        if let Some(&known) = self.known.get(&(goal, taken, at)) {
            return known;
        }
        let shown = deep(|| self.goal_anew(goal, taken, at));
        self.known.insert((goal, taken, at), shown);
        shown
    }

    fn goal_anew(&mut self, goal: Goal, taken: u32, at: usize) -> bool {
        if self.replayer.propositional[goal.sub] {
            // What needs no step is shown at the very end, or the run would be longer than it must be.
            return at + 1 == self.run.len() && self.is_so(goal, at);
        }
        let last = at + 1 == self.run.len();
        match kernel(&self.replayer.query.formula, goal) {
            Kernel::Branches(branches) => branches.iter().any(|goals| self.all(goals, at)),
            Kernel::Step(Quantifier::Exists, next) => {
                !last && self.live(at + 1, false) && self.goal(next, 0, at + 1)
            }
            Kernel::Path(pattern) => self.path(goal, &pattern, None, taken, at),
            Kernel::Bounded(bounds, pattern) => self.path(goal, &pattern, Some(bounds), taken, at),
            Kernel::State | Kernel::Step(..) => false,
        }
    }

    fn path(
        &mut self,
        goal: Goal,
        pattern: &PathPattern,
        bounds: Option<Bounds>,
        taken: u32,
        at: usize,
    ) -> bool {
        let Some(goals) = strong(pattern) else {
            return false;
        };
        let arrived = bounds.is_none_or(|bounds| (bounds.least..=bounds.most).contains(&taken));
        if arrived && self.live(at, pattern.fair) && self.all(goals, at) {
            return true;
        }
        let goes_on = bounds.is_none_or(|bounds| taken < bounds.most);
        let taken = bounds.map_or(0, |_| taken + 1);
        goes_on
            && at + 1 < self.run.len()
            && pattern.stay.iter().all(|&stay| self.is_so(stay, at))
            && self.goal(goal, taken, at + 1)
    }

    /// All goals at a position; the rest of the run serves the one that needs steps.
    fn all(&mut self, goals: &[Goal], at: usize) -> bool {
        let (here, steps): (Vec<Goal>, Vec<Goal>) = goals
            .iter()
            .partition(|goal| self.replayer.propositional[goal.sub]);
        here.iter().all(|&goal| self.is_so(goal, at))
            && match steps[..] {
                [] => at + 1 == self.run.len(),
                [goal] => self.goal(goal, 0, at),
                _ => false,
            }
    }

    fn is_so(&self, goal: Goal, at: usize) -> bool {
        let propositional = self.replayer.propositional[goal.sub];
        let env = Env::state(self.run[at]);
        propositional
            && proposition(
                self.replayer.query,
                &self.replayer.interpreter,
                goal.sub,
                env,
            ) == goal.holds
    }

    /// Whether a path starts at a position, as far as that can be told.
    fn live(&self, at: usize, fair: bool) -> bool {
        let Some(system) = &self.replayer.system else {
            // Without all states this cannot be told, and the answer says that it was left out.
            return true;
        };
        match system.explored.find(self.run[at]) {
            Some(state) if fair => system.fair[state],
            Some(state) => system.live[state],
            None => false,
        }
    }
}
