//! Sentences: deciding what they assert, independently of whoever found or told the evidence.
//!
//! A [`SentenceChecker`] looks at the model with the plain interpreter and at the occurrences of the evidence. What can
//! follow is explored once, if it is little, and every operator is read off its definition there. Where it is more, only
//! what needs no exploration is decided, and what a node of a proof claims that was replayed: in the same words, at the
//! same state.

mod chances;
mod choices;
mod distance;
mod lengths;
mod pieces;
mod reaches;
mod reasons;
mod runs;
mod shorter_runs;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use wherefore_base::{Budget, Run, Stop, Value};
use wherefore_logic::{Formula, Goal, Kernel, Op, PathRule, Quantifier, SubId, kernel};
use wherefore_model::{Env, Interpreter, Model, Query};
use wherefore_proof::{
    Assertion, AssertionTruth, Claim, Evidence, OccurrenceId, ProofId, Replay, Rule, SaidStates,
    StatesFrom,
};

use super::explored::{ExploredSet, ExploredStates};
use super::walked::{TRIES, Walked};
use super::{MANY_STATES, proposition};

/// The reachable states of one model. They are explored when a sentence about the model is decided for the first time,
/// and kept for all others.
#[derive(Clone, Default, Debug)]
pub struct ReachableStates(OnceLock<Option<ReachableGraph>>);

#[derive(Clone, Debug)]
struct ReachableGraph {
    states: Arc<ExploredStates>,
    initial: Vec<usize>,
}

/// What sentences about every evidence for one query are decided with.
pub struct SentenceBase<'a> {
    model: &'a Model,
    query: &'a Query,
    interpreter: Interpreter<'a>,
    walked: Walked,
    budget: Budget,
    propositional: Vec<bool>,
    /// Whether every reachable state is said to have a successor.
    total: bool,
    /// The reachable states, if they are few.
    known: &'a ReachableStates,
    /// The same with what the query says of them.
    reachable: OnceCell<Option<Surroundings>>,
}

/// Decides what sentences about one evidence assert.
pub struct SentenceChecker<'a> {
    base: Rc<SentenceBase<'a>>,
    evidence: Option<&'a Evidence>,
    /// Whether the evidence is one run, along which a linear-time formula is evaluated.
    is_run: bool,
    /// What can follow from the occurrences, if that is little.
    following: OnceCell<Option<Surroundings>>,
    /// Steps between occurrences that were looked up, and whether there are such.
    steps: RefCell<HashMap<(OccurrenceId, OccurrenceId), bool>>,
}

/// Explored states, where each sub-formula holds, and where a path of the path rule starts.
struct Surroundings {
    states: Arc<ExploredStates>,
    truth: Vec<ExploredSet>,
    live: ExploredSet,
    /// The initial states, where these were explored.
    initial: Vec<usize>,
}

/// Why an assertion is not known to be true.
enum Doubt {
    /// It is false.
    Wrong(String),
    /// It cannot be decided.
    Unknown(&'static str),
}

/// What deciding an assertion comes to.
type Confirmed<T = ()> = Result<T, Doubt>;

/// More states follow than are explored.
const TOO_MANY: &str = "too many states can follow";

impl From<Stop> for Doubt {
    fn from(_: Stop) -> Self {
        Doubt::Unknown("the time is over")
    }
}

/// It goes on only if this is so.
fn confirm(truth: bool, otherwise: impl FnOnce() -> String) -> Confirmed {
    match truth {
        true => Ok(()),
        false => Err(Doubt::Wrong(otherwise())),
    }
}

impl<'a> SentenceBase<'a> {
    /// Given what was explored of the model already.
    pub fn new(
        model: &'a Model,
        query: &'a Query,
        known: &'a ReachableStates,
        budget: Budget,
    ) -> Self {
        Self {
            model,
            query,
            interpreter: Interpreter::new(model),
            walked: Walked::default(),
            budget,
            propositional: query.formula.propositional().as_slice().to_vec(),
            total: false,
            known,
            reachable: OnceCell::new(),
        }
    }

    /// The same, given what is said of the reachable states: how many they are, and whether each has a successor. Where
    /// they are more than are ever explored, nobody tries; and only then it is believed that there is no deadlock.
    #[must_use]
    pub fn over(mut self, reachable: Option<usize>, total: bool) -> Self {
        self.walked = Walked::following(reachable.unwrap_or(0));
        self.total = total;
        self
    }

    /// The reachable states.
    fn reachable(&self) -> Confirmed<&Surroundings> {
        let known = self.reachable.get_or_init(|| {
            let explore = || self.reachable_graph().unwrap_or_default();
            let graph = self.known.0.get_or_init(explore).clone()?;
            Some(self.about(graph.states, graph.initial))
        });
        known.as_ref().ok_or(Doubt::Unknown(TOO_MANY))
    }

    fn reachable_graph(&self) -> Run<Option<ReachableGraph>> {
        if self.walked.following > MANY_STATES {
            return Ok(None);
        }
        let (interpreter, budget) = (&self.interpreter, &self.budget);
        let Some(initial) = interpreter.initial_states_within(TRIES, budget)? else {
            return Ok(None);
        };
        let starts: Vec<&[Value]> = initial.iter().map(|state| &state[..]).collect();
        let states = self.explored(&starts)?;
        Ok(states.map(|states| {
            let initial = starts.iter().filter_map(|state| states.find(state));
            ReachableGraph {
                initial: initial.collect(),
                states: Arc::new(states),
            }
        }))
    }

    /// What follows from states, if it is little.
    fn explored(&self, starts: &[&[Value]]) -> Run<Option<ExploredStates>> {
        if self.walked.following > MANY_STATES {
            return Ok(None);
        }
        let (interpreter, walked) = (&self.interpreter, &self.walked);
        let most = MANY_STATES;
        ExploredStates::from(self.model, interpreter, walked, starts, most, &self.budget)
    }

    /// Whether the query is about runs. A formula without operators is, if it reads the first step.
    fn is_of_runs(&self) -> bool {
        let mut atoms = self.query.atoms.iter();
        self.query.formula.is_linear()
            || !atoms.all(|&atom| self.interpreter.reads_state_alone(atom))
    }

    /// What the query says of explored states.
    fn about(&self, states: Arc<ExploredStates>, initial: Vec<usize>) -> Surroundings {
        let linear = self.is_of_runs();
        Surroundings {
            truth: match linear {
                true => vec![],
                false => states.truth(&self.interpreter, self.query),
            },
            live: match linear {
                true => states.with_path(PathRule::FairInfinite),
                false => states.with_path(self.query.rule),
            },
            initial,
            states,
        }
    }
}

impl<'a> SentenceChecker<'a> {
    /// A checker of what is said about an evidence for a query, or about the query alone.
    pub fn new(base: Rc<SentenceBase<'a>>, evidence: Option<&'a Evidence>) -> Self {
        let root = evidence.and_then(|evidence| evidence.proof.get(ProofId::new(0)));
        let by_run = root.is_some_and(|node| node.rule == Some(Rule::Run));
        Self {
            evidence,
            is_run: by_run || base.is_of_runs(),
            base,
            following: OnceCell::new(),
            steps: RefCell::default(),
        }
    }

    /// Whether an assertion is so.
    pub fn decide(&self, assertion: &Assertion) -> AssertionTruth {
        match self.confirmed(assertion) {
            Ok(()) => AssertionTruth::True,
            Err(Doubt::Wrong(why)) => AssertionTruth::False(why),
            Err(Doubt::Unknown(_)) if self.is_replayed(assertion) => AssertionTruth::True,
            Err(Doubt::Unknown(why)) => AssertionTruth::NotDecided(why),
        }
    }

    fn confirmed(&self, assertion: &Assertion) -> Confirmed {
        match assertion {
            Assertion::Every { of, goals } => self.every(of, goals),
            Assertion::Size { of, size } => {
                let states = self.count(of)?;
                confirm(size.to_string() == states.to_string(), || {
                    format!("there are {states} states")
                })
            }
            Assertion::Exactly { of, at } => self.exactly(of, at),
            Assertion::Left { goal, bounds, at } => self.left(*goal, *bounds, *at),
            Assertion::GoesOn(at) => {
                let around = self.following()?;
                let start = self.number(around, *at)?;
                confirm(around.live[start], || "no path goes on".into())
            }
            Assertion::Path { run, keep, arrive } => self.path(run, keep, arrive),
            Assertion::Lasso {
                run,
                back,
                keep,
                fair,
            } => self.lasso(run, *back, keep, *fair),
            Assertion::AlongRun { goal, at, lasts } => self.along(*goal, *at, *lasts),
            Assertion::Minimal {
                measure,
                length,
                at_least,
            } => self.minimal(*measure, *length, *at_least),
            Assertion::Decided(sub, choice) => self.decided(*sub, choice),
            Assertion::NeverMatters(sub) => self.never_matters(*sub),
            Assertion::Described(region) => self.described(*region),
            Assertion::Reached {
                states,
                going_on,
                says,
            } => self.reached(states, *going_on, says),
            Assertion::Noted(note) => self.noted(note),
            Assertion::Distance(distance, quantity) => self.distance(*distance, *quantity),
        }
    }

    fn evidence(&self) -> Confirmed<&'a Evidence> {
        self.evidence.ok_or(Doubt::Unknown("there is no evidence"))
    }

    fn values(&self, at: OccurrenceId) -> Confirmed<&'a [Value]> {
        let occurrence = self.evidence()?.occurrences.get(at);
        let occurrence =
            occurrence.ok_or_else(|| Doubt::Wrong(format!("there is no step {}", at.index())))?;
        Ok(&occurrence.values)
    }

    /// What can follow from the evidence.
    fn following(&self) -> Confirmed<&Surroundings> {
        if self.is_run {
            return Err(Doubt::Unknown("a linear-time formula is about runs"));
        }
        let evidence = self.evidence()?;
        let is_in = |around: &Surroundings| {
            let mut occurrences = evidence.occurrences.iter();
            occurrences.all(|o| around.states.find(&o.values).is_some())
        };
        // All evidence for the query is among the reachable states, if these are few.
        if let Ok(around) = self.base.reachable()
            && is_in(around)
        {
            return Ok(around);
        }
        let explore = || -> Run<Option<Surroundings>> {
            let starts = evidence.occurrences.iter();
            let starts: Vec<&[Value]> = starts.map(|o| &o.values[..]).collect();
            let states = self.base.explored(&starts)?;
            Ok(states.map(|states| self.base.about(Arc::new(states), vec![])))
        };
        let known = self.following.get_or_init(|| explore().unwrap_or_default());
        known.as_ref().ok_or(Doubt::Unknown(TOO_MANY))
    }

    /// The reachable states.
    fn reachable(&self) -> Confirmed<&Surroundings> {
        self.base.reachable()
    }

    fn number(&self, around: &Surroundings, at: OccurrenceId) -> Confirmed<usize> {
        let found = around.states.find(self.values(at)?);
        found.ok_or(Doubt::Unknown("the state was not explored"))
    }

    /// Whether a goal is so at an occurrence.
    fn goal_at(&self, goal: Goal, at: OccurrenceId) -> Confirmed<bool> {
        if self.is_run {
            return Ok(self.truth_at_step(goal.sub, at)? == goal.holds);
        }
        let values = self.values(at)?;
        if self.base.propositional[goal.sub.index()] {
            let truth = proposition(
                self.base.query,
                &self.base.interpreter,
                goal.sub,
                Env::state(values),
            );
            return Ok(truth == goal.holds);
        }
        let around = match self.following() {
            Ok(around) => around,
            Err(doubt) if !self.is_claimed(Claim::Formula(goal, None), at) => return Err(doubt),
            Err(_) => return Ok(true),
        };
        Ok(around.truth[goal.sub.index()][self.number(around, at)?] == goal.holds)
    }

    /// All goals are so at an occurrence.
    fn all_at(&self, goals: &[Goal], at: OccurrenceId) -> Confirmed {
        for &goal in goals {
            let truth = self.goal_at(goal, at)?;
            confirm(truth, || self.otherwise(goal, at.index().to_string()))?;
        }
        Ok(())
    }

    fn otherwise(&self, goal: Goal, place: String) -> String {
        let truth = if goal.holds { "false" } else { "true" };
        format!("sub-formula {} is {truth} at {place}", goal.sub.index())
    }

    /// Whether a replayed proof claims this at the same state.
    fn is_claimed(&self, claim: Claim, at: OccurrenceId) -> bool {
        let (Ok(evidence), Ok(values)) = (self.evidence(), self.values(at)) else {
            return false;
        };
        let good = matches!(evidence.replay, Replay::Ok | Replay::Partial(_));
        let mut nodes = evidence.proof.iter();
        good && nodes.any(|node| {
            let here = node.at == at || evidence.occurrences[node.at].values == values;
            node.claim == claim && node.rule.is_some() && here
        })
    }

    /// Whether a replayed proof says the same of a set of states that is too large to be explored here.
    fn is_replayed(&self, assertion: &Assertion) -> bool {
        let Ok(evidence) = self.evidence() else {
            return false;
        };
        if !matches!(evidence.replay, Replay::Ok | Replay::Partial(_)) {
            return false;
        }
        match assertion {
            Assertion::Every { of, goals } => self.is_shown(evidence, of, goals),
            Assertion::Size { of, size } => {
                let mut regions = evidence.regions.iter();
                let closed = !matches!(of.which, StatesFrom::Next | StatesFrom::Initial);
                let counts = closed && self.counts_all(of);
                counts && regions.any(|region| region.at == of.at && region.size == *size)
            }
            Assertion::Exactly { of, at } => {
                let mut nodes = evidence.proof.iter();
                let lists = |premises: &[ProofId]| {
                    let mut at = at.iter();
                    at.all(|&at| premises.iter().any(|&p| evidence.proof[p].at == at))
                };
                let counts = of.which == StatesFrom::Next && self.counts_all(of);
                counts
                    && nodes.any(|node| {
                        let rule = node.rule == Some(Rule::EveryStep);
                        rule && node.at == of.at && lists(&node.premises)
                    })
            }
            Assertion::Left { goal, bounds, at } => {
                self.is_claimed(Claim::Formula(*goal, Some(*bounds)), *at)
            }
            Assertion::GoesOn(at) => {
                let nodes = evidence.proof.iter().filter(|node| node.at == *at);
                let mut shown = nodes.filter(|node| node.rule.is_some());
                shown.any(|node| node.claim == Claim::HasPath)
            }
            Assertion::Described(_) => true,
            _ => false,
        }
    }

    /// Whether a proof, which is about paths that count, says something of all states of a set: other paths may come to
    /// other states.
    fn counts_all(&self, of: &SaidStates) -> bool {
        let rule = self.base.query.rule;
        let all_count =
            self.base.model.fairness.is_empty() && (self.base.total || rule == PathRule::Maximal);
        of.going_on || !rule.targets_have_paths() || all_count
    }

    /// Whether a proof that was replayed shows goals in all states of a set, by what it claims of the first.
    fn is_shown(&self, evidence: &Evidence, of: &SaidStates, goals: &[Goal]) -> bool {
        if !self.counts_all(of) {
            return false;
        }
        evidence.proof.iter().any(|node| {
            let Claim::Formula(goal, None) = node.claim else {
                return false;
            };
            let here = node.at == of.at && node.rule.is_some();
            here && match (kernel(&self.base.query.formula, goal), &of.which) {
                (Kernel::Step(Quantifier::Forall, next), StatesFrom::Next) => goals == [next],
                (Kernel::Path(pattern), StatesFrom::All) => {
                    let every = pattern.quantifier == Quantifier::Forall;
                    every && pattern.goal.is_none() && pattern.stay == goals
                }
                _ => false,
            }
        })
    }

    /// The query with one operator replaced; sub-formulas keep their ids.
    fn changed(&self, sub: SubId, op: Op, rule: PathRule) -> Query {
        let mut formula = Formula::new();
        for at in self.base.query.formula.subs() {
            let op = if at == sub {
                op
            } else {
                self.base.query.formula.op(at)
            };
            formula.add(op, None);
        }
        Query {
            formula,
            atoms: self.base.query.atoms.clone(),
            rule,
        }
    }
}
