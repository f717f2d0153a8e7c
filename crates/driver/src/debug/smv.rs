//! Debugging of models whose states are values of variables.
//!
//! [`subject`] lists the reachable states of a model, names its steps and makes a monitor of a property;
//! [`TaggedModel::analyse`] then does what is done for every labelled transition system.
//!
//! ```
//! use wherefore_driver::base::Budget;
//! use wherefore_driver::ModelSubject;
//! use wherefore_driver::debug::smv::{Naming, subject};
//! use wherefore_driver::tagged::{AnalysisOptions, TagReading};
//!
//! let session = ModelSubject::from_text(
//!     "kettle.smv",
//!     "MODULE main
//!      VAR water : {cold, hot, boiling, spilt};
//!      ASSIGN
//!        init(water) := cold;
//!        next(water) := case
//!          water = cold : {cold, hot};
//!          water = hot : {cold, hot, boiling};
//!          water = boiling : spilt;
//!          TRUE : water;
//!        esac;
//!      INVARSPEC water != spilt
//!     ",
//! )?;
//! let unlimited = Budget::unlimited();
//! let kettle = subject(&session, 0, &Naming::Auto, &unlimited)?;
//! let analysis = kettle.analyse(&AnalysisOptions::default(), &unlimited).expect("no limit");
//! // Water can be spilt for ever: what counts is where that can no longer be helped.
//! assert_eq!(analysis.graph.reading(), TagReading::Fate);
//! let shortest = analysis.shortest.expect("it fails").course;
//! assert_eq!(analysis.graph.label(shortest.labels[1]).text, "water=boiling");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod linear;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use wherefore_base::{Budget, Run, Stop, nearest};
use wherefore_check::Checker;
use wherefore_evidence::{EvidenceOptions, Finding, Investigator, Shape, Verdict};
use wherefore_logic::{Class, PathRule, SubId};
use wherefore_model::lts::StateId;
use wherefore_model::{Model, PropertyBody, Query, Support, VarId};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_tagged::{
    Actions, Aim, Analysis, AnalysisOptions, EndlessRun, Monitor, ShortestCourse, TagTruth,
    UnfoldedModel, analyse_under, claim, through, unfold,
};

use crate::capability::Capability;
use crate::engines::Engine;
use crate::refusal::Refusal;
use crate::subjects::model::ModelSubject;

/// How far states are listed, unless the user asks for the explicit engine.
const LIMITS: ExplorationLimits = ExplorationLimits {
    states: 100_000,
    transitions: 1_000_000,
};

/// Why a property without a formula has no tagged graph.
const NO_FORMULA: &str = "it has no formula";

/// What is said of a property that reads inputs or next states.
const REMEMBERS: &str =
    "the property reads steps: states are told apart by what was true in the step before them";

/// What names a step, as the user says it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// Inputs if there are some; changes if there are none, or where inputs leave a choice.
    #[default]
    Auto,
    /// The inputs of the step.
    Inputs,
    /// The variables that it changes.
    Changes,
    /// Both.
    Both,
    /// The value of the variable or define with this name.
    Value(String),
}

impl FromStr for Naming {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.split_once('=')) {
            ("auto", _) => Ok(Naming::Auto),
            ("inputs", _) => Ok(Naming::Inputs),
            ("changes", _) => Ok(Naming::Changes),
            ("both", _) => Ok(Naming::Both),
            (_, Some(("variable", name))) if !name.is_empty() => {
                Ok(Naming::Value(name.to_string()))
            }
            _ => Err(format!(
                "steps cannot be named by `{text}`; take inputs, changes, both or variable=NAME"
            )),
        }
    }
}

impl fmt::Display for Naming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Naming::Auto => f.write_str("auto"),
            Naming::Inputs => f.write_str("inputs"),
            Naming::Changes => f.write_str("changes"),
            Naming::Both => f.write_str("both"),
            Naming::Value(name) => write!(f, "variable={name}"),
        }
    }
}

/// A model and a property, ready to be debugged.
#[derive(Clone, Debug)]
pub struct TaggedModel {
    /// The model as a labelled transition system.
    pub unfolded: UnfoldedModel,
    /// What watches its runs.
    pub monitor: Monitor,
    /// Whether the monitor accepts where the property is broken.
    safety: bool,
    /// Of which class the property is, where it is a formula of linear time.
    pub class: Option<Class>,
    /// What a reader should know: sentences.
    pub notes: Vec<String>,
    /// The run that shows it elsewhere, where it goes round for ever.
    run: Option<EndlessRun>,
}

impl TaggedModel {
    /// All counterexamples, tagged.
    pub fn analyse(&self, options: &AnalysisOptions, budget: &Budget) -> Run<Analysis<'_>> {
        let (monitor, safety) = (self.monitor.clone(), self.safety);
        let UnfoldedModel { lts, paths, .. } = &self.unfolded;
        let mut analysis = analyse_under(lts, monitor, paths.clone(), safety, options, budget)?;
        self.share_run(&mut analysis, options, budget)?;
        Ok(analysis)
    }

    /// Takes the run that shows the property elsewhere as the shortest counterexample: the search for loops here has
    /// less to go by.
    fn share_run(
        &self,
        analysis: &mut Analysis<'_>,
        options: &AnalysisOptions,
        budget: &Budget,
    ) -> Run<()> {
        let Analysis {
            graph, shortest, ..
        } = analysis;
        if !graph.reading().is_of_whole_runs() || options.filter.pattern.is_some() {
            return Ok(());
        }
        if let (Some(run), Ok(found)) = (&self.run, shortest)
            && let Some(course) = through(graph, run, budget)?
            && course.len() <= found.course.len()
        {
            let kept = course.kept(graph, |kind| options.filter.wants(kind));
            let kept = kept.into_iter().filter(|kept| *kept).count();
            *found = ShortestCourse {
                // Gone round more than once, it need not be the shortest that comes back to a node.
                proved: run.proved && course.len() == run.states.len(),
                course,
                count: None,
                least: kept,
                most: kept,
            };
        }
        Ok(())
    }
}

/// Why a model or a property cannot be debugged.
#[derive(Debug)]
pub enum NotAnalysed {
    /// The model is wrong in a way that only its meaning shows, or the budget ended.
    Refused(Refusal),
    /// The steps cannot be named so; the sentence says why.
    Naming(String),
    /// The model has too many states, or the property is not of a form that can be debugged; the
    /// sentence says why and what to do.
    Unsupported(String),
    /// No initial state counts, so the property holds; the sentence says so.
    NoRuns(String),
}

impl fmt::Display for NotAnalysed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAnalysed::Refused(refusal) => refusal.fmt(f),
            NotAnalysed::Naming(why) | NotAnalysed::Unsupported(why) | NotAnalysed::NoRuns(why) => {
                f.write_str(why)
            }
        }
    }
}

impl std::error::Error for NotAnalysed {}

impl From<Refusal> for NotAnalysed {
    fn from(refusal: Refusal) -> Self {
        NotAnalysed::Refused(refusal)
    }
}

impl From<Stop> for NotAnalysed {
    fn from(stop: Stop) -> Self {
        NotAnalysed::Refused(stop.into())
    }
}

/// Lists the states of a model, names its steps and makes a monitor of a property.
///
/// # Errors
/// Why the property cannot be debugged.
///
/// # Panics
/// When the model has no property with this index.
pub fn subject(
    session: &ModelSubject,
    property: usize,
    naming: &Naming,
    budget: &Budget,
) -> Result<TaggedModel, NotAnalysed> {
    let model = session.model();
    let body = &model.properties[property].body;
    if let Some(why) = Capability::Debug.refused_for(body) {
        return Err(NotAnalysed::Unsupported(why));
    }
    if let Some(session) = session.in_ctl(property) {
        // A formula of CTL may say the same and still not be one that one run refutes.
        match subject(&session, property, naming, budget) {
            Err(NotAnalysed::Unsupported(_)) => {}
            analysed => return analysed,
        }
    }
    if let Some(session) = session.remembering_steps(property) {
        let mut made = subject(&session, property, naming, budget)?;
        made.notes.push(REMEMBERS.to_string());
        // Told apart like this, a run may come back to a state later.
        made.run = made.run.map(|run| EndlessRun {
            proved: false,
            ..run
        });
        return Ok(made);
    }
    let (PropertyBody::Query(query) | PropertyBody::Linear(query)) = body else {
        return Err(NotAnalysed::Unsupported(NO_FORMULA.to_string()));
    };
    let actions = match actions(model, naming) {
        Ok(actions) => actions,
        Err(why) => return Err(NotAnalysed::Naming(why)),
    };
    session.examine(budget)?;
    let limits = match session.engine() {
        Engine::Auto | Engine::Sat | Engine::Theory | Engine::Unroll | Engine::Induction => LIMITS,
        Engine::Explicit => ExplorationLimits::default(),
        engine => {
            return Err(NotAnalysed::Unsupported(format!(
                "states are listed one by one here, which the engine {engine} does not do; \
                 leave out `--engine {engine}`"
            )));
        }
    };
    match Explicit::explore(model, limits, budget)? {
        Ok(space) => over(session, &space, property, query, &actions, budget),
        Err(large) => Err(NotAnalysed::Unsupported(format!(
            "{large}, and they are listed one by one here; smaller ranges would help, and \
             `--engine explicit` lists them as far as memory allows"
        ))),
    }
}

/// Builds the subject over a space.
fn over(
    session: &ModelSubject,
    space: &Explicit<'_>,
    property: usize,
    query: &Query,
    actions: &Actions,
    budget: &Budget,
) -> Result<TaggedModel, NotAnalysed> {
    let model = session.model();
    let checker = Checker::new(space)?;
    let support = Support::of(model, query.atoms.iter().copied());
    let watched: Vec<VarId> = support.now.iter().copied().collect();
    let Some(unfolded) = unfold(&checker, query.rule, actions, &watched, budget)? else {
        let why = "no initial state has a run that counts, so there is nothing to debug: \
                   the property holds";
        return Err(NotAnalysed::NoRuns(why.to_string()));
    };
    if let PropertyBody::Linear(_) = &model.properties[property].body {
        return linear::over(session, space, property, query, unfolded, budget);
    }
    let solution = checker.solve(query)?;
    let sat = solution
        .sat
        .iter()
        .map(|set| unfolded.lowered(set))
        .collect();
    let truth = TagTruth {
        formula: &query.formula,
        sat: &sat,
        states: unfolded.lts.states(),
        start: unfolded.start,
    };
    let claim = match claim(truth, budget)? {
        Ok(claim) => claim,
        Err(why) => {
            return Err(NotAnalysed::Unsupported(why));
        }
    };
    let notes = notes(session, query, &unfolded, &claim.facts);
    let safety = claim.aim == Aim::Broken;
    let run = match safety {
        true => None,
        false => {
            let finding = Investigator::new(space)?.investigate(property, &plain_evidence());
            endless_run(space, finding, &unfolded)
        }
    };
    Ok(TaggedModel {
        unfolded,
        monitor: Monitor::Watch(claim.watch),
        safety,
        class: None,
        notes,
        run,
    })
}

/// The evidence that everybody else is shown.
fn plain_evidence() -> EvidenceOptions {
    EvidenceOptions {
        vacuity: false,
        ..EvidenceOptions::default()
    }
}

/// The run of the evidence that everybody else is shown, if it is one that goes round for ever.
fn endless_run(
    space: &Explicit<'_>,
    finding: Finding,
    unfolded: &UnfoldedModel,
) -> Option<EndlessRun> {
    let fails = finding.verdict == Verdict::Fails;
    let evidence = finding.evidence.filter(|_| fails)?;
    let (run, back) = evidence.main_run();
    let back = back.and_then(|back| run.iter().position(|at| *at == back));
    let back = back.filter(|_| evidence.shape == Shape::Lasso)?;
    let mut known = HashMap::new();
    for at in &run {
        known.insert(evidence.occurrences[*at].values.clone(), None);
    }
    for (number, state) in unfolded.origin.iter().enumerate() {
        if let Some(name) = known.get_mut(&space.values(state)) {
            *name = Some(StateId::new(number));
        }
    }
    let states = run
        .iter()
        .map(|at| known[&evidence.occurrences[*at].values]);
    let states = states.collect::<Option<Vec<StateId>>>()?;
    // Where there are several initial states, one more step leads to the first.
    let before = usize::from(unfolded.start.is_some());
    Some(EndlessRun {
        states: unfolded.start.into_iter().chain(states).collect(),
        back: back + before,
        proved: evidence.minimal.proved(),
    })
}

/// What names steps in this model.
fn actions(model: &Model, naming: &Naming) -> Result<Actions, String> {
    Ok(match naming {
        Naming::Auto => Actions::Auto,
        Naming::Changes => Actions::Changes,
        Naming::Both => Actions::Both,
        Naming::Inputs if model.input_vars() == 0 => {
            return Err("the model has no inputs (IVAR) that could name steps".to_string());
        }
        Naming::Inputs => Actions::Inputs,
        Naming::Value(name) => {
            let mut vars = model.vars.entries();
            if let Some((var, _)) = vars.find(|(_, variable)| variable.name == *name) {
                return Ok(Actions::Variable(var));
            }
            match model.defines.iter().find(|define| define.name == *name) {
                Some(define) => Actions::Define(name.clone(), define.term),
                None => return Err(no_such_name(model, name)),
            }
        }
    })
}

fn no_such_name(model: &Model, name: &str) -> String {
    let vars = model.vars.iter().map(|variable| variable.name.as_str());
    let defines = model.defines.iter().map(|define| define.name.as_str());
    match nearest(name, vars.chain(defines), 2) {
        Some(near) => {
            format!("the model has no variable or define `{name}`; did you mean `{near}`?")
        }
        None => format!("the model has no variable or define `{name}`"),
    }
}

fn notes(
    session: &ModelSubject,
    query: &Query,
    unfolded: &UnfoldedModel,
    facts: &[SubId],
) -> Vec<String> {
    let mut notes = Vec::new();
    let fair = !unfolded.paths.fairness.is_empty();
    if unfolded.left_out > 0 {
        let (states, lie) = match unfolded.left_out {
            1 => ("1 state".to_string(), "lies"),
            n => (format!("{n} states"), "lie"),
        };
        let runs = if fair { "fair infinite" } else { "infinite" };
        notes.push(format!("{states} {lie} on no {runs} run and are left out"));
    }
    if fair {
        notes.push(match query.rule {
            PathRule::Reach => {
                "every run counts as a counterexample, fair or not; where it is said \
                                 that all runs do something, those that are fair or end are meant"
                    .to_string()
            }
            _ => "only fair runs count".to_string(),
        });
    }
    if unfolded.start.is_some() {
        notes.push("the first step chooses an initial state".to_string());
    }
    for &fact in facts {
        if let Some(span) = query.formula.node(fact).span {
            let text = session.sources().text(span);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            notes.push(format!("`{text}` is taken as a fact about each state"));
        }
    }
    notes
}
