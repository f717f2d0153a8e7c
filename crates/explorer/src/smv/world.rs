//! Questions about states.

use wherefore_base::{Run, Value};
use wherefore_driver::explore::{Target, World};
use wherefore_driver::model::{PropertyBody, Query, TermId};
use wherefore_driver::view::api;
use wherefore_driver::view::api::state_of;
use wherefore_driver::view::wire::{
    BlockedRequest, EvaluateRequest, PathRequest, StateRequest, StepsAnswer, TruthAnswer,
    WindowAnswer, to_line,
};
use wherefore_driver::{ModelSubject, Refusal};

use super::{Clerk, Left, no_property};
use crate::ask::Ask;
use crate::clerk::Outcome;
use crate::problem::Problem;

/// At most so many states are looked at with one expression.
const MOST_STATES: usize = 10_000;

/// What came of a question to the world.
pub(super) enum Reply {
    Known(Outcome),
    /// The world does not know enough.
    Later,
}

impl Clerk<'_> {
    /// Answers requests while the states are at hand.
    pub(super) fn serve_states(
        &mut self,
        session: &mut ModelSubject,
        world: &dyn World,
    ) -> Run<Left> {
        loop {
            let Some(job) = self.next() else {
                return Ok(Left::End);
            };
            if self.wants_rereading(&job) {
                self.pending = Some(job);
                return Ok(Left::Reread);
            }
            if !job.ask.needs_states() {
                self.answer_without(session, job)?;
                continue;
            }
            if let Ask::Proof(property, _) = &job.ask {
                let property = *property;
                if let Some(problem) = no_property(session, &job.ask) {
                    job.tell(Err(problem));
                    continue;
                }
                if property >= world.model().properties.len() {
                    self.pending = Some(job);
                    return Ok(Left::Again);
                }
                self.pending = Some(job);
                match self.serve_proof(session, world, property)? {
                    left @ (Left::End | Left::Reread) => return Ok(left),
                    Left::Again if self.wants_another_world(world) => return Ok(Left::Again),
                    Left::Again => continue,
                }
            }
            if self.desk.begin(job.id).is_err() {
                job.tell(Err(Problem::cancelled()));
                continue;
            }
            let reply = self.about_states(session, world, &job.ask);
            self.desk.end();
            match reply {
                Ok(Reply::Known(outcome)) => job.tell(outcome),
                Ok(Reply::Later) => {
                    self.pending = Some(job);
                    return Ok(Left::Again);
                }
                Err(stop) => job.settle(Err(stop))?,
            }
        }
    }

    pub(super) fn about_states(
        &mut self,
        session: &mut ModelSubject,
        world: &dyn World,
        ask: &Ask,
    ) -> Run<Reply> {
        if let Some(problem) = no_property(session, ask) {
            return Ok(Reply::Known(Err(problem)));
        }
        if let Some(property) = ask.property()
            && property >= world.model().properties.len()
        {
            return Ok(Reply::Later);
        }
        let outcome = match ask {
            Ask::Initial(some) => {
                let window = world.initial(some.range())?;
                let report = session.report(None, &[]);
                let items = window.items.iter().map(|state| api::spot(&report, state));
                Ok(to_line(&WindowAnswer {
                    first: window.first,
                    total: window.total,
                    items: items.collect(),
                }))
            }
            Ask::Successors(around) => match self.find(session, world, &around.state)? {
                Err(problem) => Err(problem),
                Ok(here) => {
                    let window = world.successors(&here, around.range().range())?;
                    let report = session.report(None, &[]);
                    let items = window.items.iter();
                    Ok(to_line(&WindowAnswer {
                        first: window.first,
                        total: window.total,
                        items: items
                            .map(|step| api::spot_after(&report, &here, step))
                            .collect(),
                    }))
                }
            },
            Ask::Predecessors(around) => match self.find(session, world, &around.state)? {
                Err(problem) => Err(problem),
                Ok(here) => {
                    let window = world.predecessors(&here, around.range().range())?;
                    let report = session.report(None, &[]);
                    let items = window.items.iter();
                    Ok(to_line(&WindowAnswer {
                        first: window.first,
                        total: window.total,
                        items: items
                            .map(|state| api::spot_before(&report, state, &here))
                            .collect(),
                    }))
                }
            },
            Ask::Truth(truth) => match self.find(session, world, &truth.state)? {
                Err(problem) => Err(problem),
                Ok(here) => {
                    let truth = world.truth(truth.property, &here)?;
                    Ok(to_line(&TruthAnswer {
                        has_path: truth.as_ref().map(|truth| truth.has_path),
                        truth: truth.map(|truth| truth.subs.iter().copied().collect()),
                    }))
                }
            },
            Ask::Path(path) => return self.path(session, world, path),
            _ => Err(Problem::internal()),
        };
        Ok(Reply::Known(outcome.map(Into::into)))
    }

    /// The shortest way from a state to a target.
    fn path(
        &mut self,
        session: &mut ModelSubject,
        world: &dyn World,
        path: &PathRequest,
    ) -> Run<Reply> {
        let from = match self.find(session, world, &path.from)? {
            Ok(from) => from,
            Err(problem) => return Ok(Reply::Known(Err(problem))),
        };
        let way = match (&path.to, path.deadlock) {
            (Some(text), false) => {
                let query = match self.goal(session, text)? {
                    Ok(query) => query,
                    Err(problem) => return Ok(Reply::Known(Err(problem))),
                };
                if !world.knows(&query) {
                    return Ok(Reply::Later);
                }
                world.path(&from, Target::Where(&query))?
            }
            (None, true) => world.path(&from, Target::Deadlock)?,
            _ => {
                let why = "Say where to: either with `to` or with `deadlock`.";
                return Ok(Reply::Known(Err(Problem::bad(why))));
            }
        };
        let report = session.report(None, &[]);
        let spots = way.map(|way| {
            let mut here = &from;
            let mut spots = Vec::new();
            for step in &way {
                spots.push(api::spot_after(&report, here, step));
                here = &step.next;
            }
            spots
        });
        Ok(Reply::Known(Ok(
            to_line(&StepsAnswer { steps: spots }).into()
        )))
    }

    /// The value of an expression in some states, which need not be reachable.
    pub(super) fn evaluate(
        &mut self,
        session: &mut ModelSubject,
        evaluate: &EvaluateRequest,
    ) -> Run<Outcome> {
        if evaluate.states.len() > MOST_STATES {
            let why = format!("At most {MOST_STATES} states are looked at with one expression.");
            return Ok(Err(Problem::bad(&why)));
        }
        let term = match self.term(session, &evaluate.expression)? {
            Ok(term) => term,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut states: Vec<Vec<Value>> = Vec::new();
        for state in &evaluate.states {
            match state_of(session.model(), state) {
                Ok(state) => states.push(state),
                Err(wrong) => return Ok(Err(Problem::bad(&wrong))),
            }
        }
        let report = session.report(None, &[]);
        Ok(Ok(to_line(&api::values(
            &report,
            &evaluate.expression,
            term,
            &states,
        ))
        .into()))
    }

    /// Why no step from a state leads where an expression is true; the state need not be reachable.
    pub(super) fn blocked(
        &mut self,
        session: &mut ModelSubject,
        blocked: &BlockedRequest,
    ) -> Run<Outcome> {
        let wish = match self.term(session, &blocked.wish)? {
            Ok(term) => term,
            Err(problem) => return Ok(Err(problem)),
        };
        let state = match state_of(session.model(), &blocked.state) {
            Ok(state) => state,
            Err(wrong) => return Ok(Err(Problem::bad(&wrong))),
        };
        let report = session.report(None, &[]);
        let told = match api::blocked(&report, &state, wish, self.budget)? {
            Ok(told) => told,
            Err(wrong) => return Ok(Err(Problem::wrong(wrong))),
        };
        Ok(Ok(to_line(&told).into()))
    }

    /// The reachable state that somebody means.
    fn find(
        &self,
        session: &ModelSubject,
        world: &dyn World,
        state: &StateRequest,
    ) -> Run<Result<Vec<Value>, Problem>> {
        let values = match state_of(session.model(), state) {
            Ok(values) => values,
            Err(wrong) => return Ok(Err(Problem::bad(&wrong))),
        };
        Ok(match world.has(&values)? {
            true => Ok(values),
            false => Err(Problem::missing("The state cannot be reached.")),
        })
    }

    /// What an expression means.
    pub(super) fn term(
        &mut self,
        session: &mut ModelSubject,
        text: &str,
    ) -> Run<Result<TermId, Problem>> {
        if let Some(term) = self.terms.get(text) {
            return Ok(Ok(*term));
        }
        match session.expression(text, self.budget) {
            Ok(term) => {
                self.terms.insert(text.to_string(), term);
                Ok(Ok(term))
            }
            Err(Refusal::Stopped(stop)) => Err(stop),
            Err(refusal) => Ok(Err(refusal.into())),
        }
    }

    /// What a formula means.
    fn goal(&mut self, session: &mut ModelSubject, text: &str) -> Run<Result<Query, Problem>> {
        if let Some(query) = self.goals.get(text) {
            return Ok(Ok(query.clone()));
        }
        match session.query(text, self.budget) {
            Ok(query) => {
                self.goals.insert(text.to_string(), query.clone());
                Ok(Ok(query))
            }
            Err(Refusal::Stopped(stop)) => Err(stop),
            Err(refusal) => Ok(Err(refusal.into())),
        }
    }

    /// Whether the pending request asks about a property that the world does not know, or a strategy does.
    fn wants_another_world(&self, world: &dyn World) -> bool {
        let terms = world.model().terms.len();
        let unknown = |tactic: &wherefore_driver::explain::Tactic| {
            tactic.terms().any(|term| term.index() >= terms)
        };
        self.pending.is_some() && self.tactics.values().any(unknown)
    }
}

/// The formula of a property that can be explored.
pub(super) fn query(session: &ModelSubject, property: usize) -> Option<&Query> {
    match &session.model().properties.get(property)?.body {
        PropertyBody::Query(query) => Some(query),
        _ => None,
    }
}
