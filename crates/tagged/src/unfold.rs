//! A model as a labelled transition system: its reachable states one by one, and a name for each step.
//!
//! Between two states there is one step. Where several inputs lead from one to the other, its label names
//! them all. States from which no run that counts starts are left out, so what is left is exact for
//! every claim about runs: a way to a state with a run goes through states with a run only.

mod labels;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Run, Stop};
use wherefore_check::Checker;
use wherefore_logic::{Fairness, PathRule};
use wherefore_model::lts::{ActionLabel, LabelId, Lts, LtsStep, StateId};
use wherefore_model::{Origin, TermId, VarId, VarKind};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{self, Explicit};

use crate::paths::Paths;
use crate::values::{Column, NodeValues};
use labels::StepLabels;

/// Of the inputs between two states, so many are kept.
const INPUTS: usize = 256;

/// What names a step of a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Actions {
    /// Its inputs if the model has inputs, and what it changes if it has none, or where the same inputs
    /// lead to other states as well.
    #[default]
    Auto,
    /// Its inputs.
    Inputs,
    /// The variables it changes, with their new values.
    Changes,
    /// Its inputs and what it changes.
    Both,
    /// The value of a variable: of an input in the step, of another in the state it leaves.
    Variable(VarId),
    /// The value of an expression with a name; where it does not read the next state or an input, in the
    /// state the step leaves.
    Define(String, TermId),
}

/// A model as a labelled transition system.
#[derive(Clone, Debug)]
pub struct UnfoldedModel {
    /// The system.
    pub lts: Lts,
    /// What its states and steps are made of.
    pub values: NodeValues,
    /// Which of its runs count.
    pub paths: Paths,
    /// Where runs start when the model has several initial states; it is no state of the model, and its
    /// steps lead to them.
    pub start: Option<StateId>,
    /// The states in the space.
    pub origin: Vec<explicit::ExplicitStateId>,
    /// How many reachable states are left out, since no run that counts starts there.
    pub left_out: usize,
}

impl UnfoldedModel {
    /// A set of states of the space as one of states of the system.
    pub fn lowered(&self, set: &FixedBitSet) -> FixedBitSet {
        let mut lowered = FixedBitSet::with_capacity(self.lts.states());
        let origin = self.origin.iter().enumerate();
        lowered.extend(origin.filter(|o| set.contains(o.1.index())).map(|o| o.0));
        lowered
    }
}

/// Unfolds a model for a question under a path rule; `None`: no initial state counts. The property reads
/// the variables `watched`.
///
/// The models of users are asked under `fair-infinite` and `reach`. Under the other rules, where an
/// initial state counts from which no run starts, it is not looked at, and under `plain` a promise is not
/// judged where no infinite run starts.
pub fn unfold(
    checker: &Checker<'_, Explicit<'_>>,
    rule: PathRule,
    actions: &Actions,
    watched: &[VarId],
    budget: &Budget,
) -> Run<Option<UnfoldedModel>> {
    budget.phase("naming steps");
    let space = checker.space();
    let live = checker.with_path(rule)?;
    let counted = space.meet(&checker.counted(rule)?, live)?;
    if counted.is_clear() {
        return Ok(None);
    }
    let origin: Vec<explicit::ExplicitStateId> =
        live.ones().map(explicit::ExplicitStateId::new).collect();
    let mut name = vec![None; space.reachable().len()];
    for (at, state) in origin.iter().enumerate() {
        name[state.index()] = Some(StateId::new(at));
    }
    let mut unfolding = Unfolding {
        space,
        labels: StepLabels::new(space.model(), actions),
        name,
        values: NodeValues::new(columns(space, watched)),
        numbers: FxHashMap::default(),
        starts: vec![0],
        steps: Vec::new(),
    };
    let mut meter = budget.meter();
    for state in &origin {
        meter.tick()?;
        unfolding.expand(*state)?;
    }
    let initial: Vec<explicit::ExplicitStateId> =
        counted.ones().map(explicit::ExplicitStateId::new).collect();
    // Several initial states need one place for runs to start from.
    let start = (initial.len() > 1).then(|| StateId::new(origin.len()));
    if start.is_some() {
        unfolding.begin(&initial)?;
    }
    let first = unfolding.name[initial[0].index()].expect("an initial state that counts is live");
    let Unfolding {
        values,
        numbers,
        starts,
        steps,
        ..
    } = unfolding;
    let lts = Lts::from_rows(texts(numbers), start.unwrap_or(first), starts, steps);
    let mut unfolded = UnfoldedModel {
        lts,
        values,
        paths: Paths::maximal(),
        start,
        left_out: space.reachable().count_ones(..) - origin.len(),
        origin,
    };
    unfolded.paths = paths(checker, rule, &unfolded)?;
    Ok(Some(unfolded))
}

/// Which runs of an unfolded model count.
fn paths(
    checker: &Checker<'_, Explicit<'_>>,
    rule: PathRule,
    unfolded: &UnfoldedModel,
) -> Run<Paths> {
    let lowered = |set: &FixedBitSet| -> Run<FixedBitSet> { Ok(unfolded.lowered(set)) };
    let fairness = match rule {
        PathRule::Plain => Fairness::default(),
        // Finite runs count under this rule, but to say that every run comes to something, those that go
        // on must be meant, as decisive choices do.
        PathRule::Reach | PathRule::Maximal | PathRule::FairInfinite | PathRule::PlainFair => {
            checker.fairness().try_map(lowered)?
        }
    };
    let stuck = |state: StateId| unfolded.lts.steps(state).is_empty();
    let ends = matches!(rule, PathRule::Reach | PathRule::Maximal);
    Ok(Paths {
        fairness,
        // Where no state is stuck no run ends, so it makes no difference, and all maximal runs count.
        may_end: ends || !unfolded.lts.state_ids().any(stuck),
    })
}

fn columns(space: &Explicit<'_>, watched: &[VarId]) -> Vec<Column> {
    let model = space.model();
    let vars = model.vars.entries();
    let column = |(var, variable): (VarId, &wherefore_model::Variable)| Column {
        name: match (variable.origin, variable.kind) {
            (Origin::Process, VarKind::Input) => "process".to_string(),
            _ => variable.name.clone(),
        },
        input: var.index() >= model.state_vars(),
        watched: watched.contains(&var),
        hidden: !variable.is_declared() && variable.kind != VarKind::Input,
    };
    vars.map(column).collect()
}

fn texts(numbers: FxHashMap<String, LabelId>) -> Vec<ActionLabel> {
    let mut labels: Vec<(LabelId, String)> = numbers.into_iter().map(|(t, n)| (n, t)).collect();
    labels.sort_unstable();
    let label = |(_, text)| ActionLabel {
        text,
        internal: false,
    };
    labels.into_iter().map(label).collect()
}

/// An unfolding on its way.
struct Unfolding<'a, 'm> {
    space: &'a Explicit<'m>,
    labels: StepLabels<'a>,
    /// The state of the system for each state of the space that has a run.
    name: Vec<Option<StateId>>,
    values: NodeValues,
    numbers: FxHashMap<String, LabelId>,
    starts: Vec<u32>,
    steps: Vec<LtsStep>,
}

impl Unfolding<'_, '_> {
    /// Adds the steps of a state.
    fn expand(&mut self, from: explicit::ExplicitStateId) -> Run<()> {
        let model = self.space.model();
        let here = self.space.values(&from);
        let texts = here
            .iter()
            .map(|&value| model.names.show(value).to_string());
        self.values.state(texts);
        let with_inputs = model.input_vars() > 0;
        let mut targets = Vec::new();
        for to in self.space.successors(&from)? {
            let to = to?;
            // No run that counts goes through a state from which none starts.
            let Some(name) = self.name[to.index()] else {
                continue;
            };
            let mut inputs = Vec::new();
            let mut more = false;
            if with_inputs {
                inputs = self.space.inputs(&from, &to, INPUTS + 1)?;
                more = inputs.len() > INPUTS;
                inputs.truncate(INPUTS);
            }
            targets.push(labels::EnteredTarget {
                name,
                values: self.space.values(&to),
                inputs,
                more,
            });
        }
        for (target, text) in targets.iter().zip(self.labels.of(&here, &targets)) {
            self.add(text, target.name)?;
            let known = if target.more { &[][..] } else { &target.inputs };
            let show = |input: &Vec<_>| {
                let texts = input
                    .iter()
                    .map(|&value| model.names.show(value).to_string());
                texts.collect::<Vec<String>>()
            };
            self.values
                .step(target.name, known.iter().map(show).collect());
        }
        self.end();
        Ok(())
    }

    /// Adds the place where runs start, with a step to each initial state.
    fn begin(&mut self, initial: &[explicit::ExplicitStateId]) -> Run<()> {
        let states: Vec<_> = initial
            .iter()
            .map(|state| self.space.values(state))
            .collect();
        for (state, text) in initial.iter().zip(self.labels.of_start(&states)) {
            let name = self.name[state.index()].expect("an initial state that counts is live");
            self.add(text, name)?;
            self.values.step(name, Vec::new());
        }
        self.end();
        Ok(())
    }

    fn add(&mut self, text: String, to: StateId) -> Run<()> {
        let fresh = LabelId::new(self.numbers.len());
        let label = *self.numbers.entry(text).or_insert(fresh);
        if self.steps.len() >= u32::MAX as usize {
            return Err(Stop::Memory);
        }
        self.steps.push(LtsStep { label, to });
        Ok(())
    }

    fn end(&mut self) {
        self.starts.push(self.steps.len() as u32);
        self.values.end_of_steps();
    }
}
