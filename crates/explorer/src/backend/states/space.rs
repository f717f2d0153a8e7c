//! Requests about states, answered over the state space.

use wherefore_base::{Budget, Run, Value};
use wherefore_driver::explore::{WalkTarget, World};
use wherefore_driver::model::{Query, TermId};
use wherefore_driver::view::api;
use wherefore_driver::view::api::state_of;
use wherefore_driver::view::wire::{
    BlockedRequest, EvaluateRequest, PathRequest, StateRequest, StepsAnswer, TruthAnswer,
    WindowAnswer, to_line,
};

use super::StatesBackend;
use crate::error::RequestError;
use crate::queue::RequestResult;
use crate::request::ModelRequest;
use crate::worker::{BackendReply, BackendResult, LoopExit, ModelBackend, ModelWorker};

/// The most states in which one expression is evaluated.
const MOST_STATES: usize = 10_000;

impl StatesBackend {
    /// Answers requests over a state space, until one needs another space.
    pub(super) fn serve_over(
        &mut self,
        world: &dyn World,
        worker: &mut ModelWorker<'_>,
    ) -> Run<LoopExit> {
        loop {
            let exit = worker.run(self, &mut |backend, request, worker| {
                backend.answer_over(world, request, worker)
            })?;
            let property = match worker.pending() {
                Some(ModelRequest::Proof(property, _)) if is_known(world, *property) => *property,
                _ => return Ok(exit),
            };
            let exit = self.serve_proof(world, property, worker)?;
            let is_answerable = worker.pending().is_none() || !self.has_unknown_terms(world);
            if exit != LoopExit::Deferred || !is_answerable {
                return Ok(exit);
            }
        }
    }

    /// Answers a request over a state space. Proofs have a loop of their own.
    pub(super) fn answer_over(
        &mut self,
        world: &dyn World,
        request: &ModelRequest,
        worker: &ModelWorker<'_>,
    ) -> BackendResult {
        if !request.needs_space() {
            return self.answer(request, worker);
        }
        self.check_support(request)?;
        if request.question().is_some_and(|it| !is_known(world, it)) {
            return Ok(BackendReply::Deferred);
        }
        let report = self.session.report(None, &[]);
        let text = match request {
            ModelRequest::Initial(some) => {
                let window = world.initial(some.range())?;
                let items = window.items.iter().map(|state| api::spot(&report, state));
                to_line(&WindowAnswer {
                    first: window.first,
                    total: window.total,
                    items: items.collect(),
                })
            }
            ModelRequest::Successors(around) => {
                let here = self.reachable(world, &around.state)?;
                let window = world.successors(&here, around.range().range())?;
                let items = window.items.iter();
                to_line(&WindowAnswer {
                    first: window.first,
                    total: window.total,
                    items: items
                        .map(|step| api::spot_after(&report, &here, step))
                        .collect(),
                })
            }
            ModelRequest::Predecessors(around) => {
                let here = self.reachable(world, &around.state)?;
                let window = world.predecessors(&here, around.range().range())?;
                let items = window.items.iter();
                let items = items.map(|state| api::spot_before(&report, state, &here));
                to_line(&WindowAnswer {
                    first: window.first,
                    total: window.total,
                    items: items.collect(),
                })
            }
            ModelRequest::Truth(truth) => {
                let here = self.reachable(world, &truth.state)?;
                let truth = world.truth(truth.property, &here)?;
                to_line(&TruthAnswer {
                    has_path: truth.as_ref().map(|truth| truth.has_path),
                    truth: truth.map(|truth| truth.subs.iter().copied().collect()),
                })
            }
            ModelRequest::Path(path) => return self.path(world, path, &worker.budget),
            // The proof of another property is opened outside of this loop.
            _ => return Ok(BackendReply::Deferred),
        };
        Ok(text.into())
    }

    /// The shortest path from a state to a target.
    fn path(&mut self, world: &dyn World, path: &PathRequest, budget: &Budget) -> BackendResult {
        let from = self.reachable(world, &path.from)?;
        let found = match (&path.to, path.deadlock) {
            (Some(text), false) => {
                let goal = self.goal(text, budget)?;
                if !world.knows(&goal) {
                    return Ok(BackendReply::Deferred);
                }
                world.path(&from, WalkTarget::Where(&goal))?
            }
            (None, true) => world.path(&from, WalkTarget::Deadlock)?,
            _ => {
                let why = "Say where to: either with `to` or with `deadlock`.";
                return Err(RequestError::bad(why));
            }
        };
        let report = self.session.report(None, &[]);
        let spots = found.map(|path| {
            let mut here = &from;
            let mut spots = Vec::new();
            for step in &path {
                spots.push(api::spot_after(&report, here, step));
                here = &step.next;
            }
            spots
        });
        Ok(to_line(&StepsAnswer { steps: spots }).into())
    }

    /// The value of an expression in some states, which need not be reachable.
    pub(super) fn evaluate(
        &mut self,
        worker: &ModelWorker<'_>,
        evaluate: &EvaluateRequest,
    ) -> RequestResult {
        if evaluate.states.len() > MOST_STATES {
            let why = format!("At most {MOST_STATES} states are looked at with one expression.");
            return Err(RequestError::bad(why));
        }
        let term = self.term(&evaluate.expression, &worker.budget)?;
        let states = evaluate.states.iter().map(|state| self.state(state));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        let report = self.session.report(None, &[]);
        Ok(to_line(&api::values(&report, &evaluate.expression, term, &states)).into())
    }

    /// Why no step from a state leads to one where an expression is true; the state need not be reachable.
    pub(super) fn blocked(
        &mut self,
        worker: &ModelWorker<'_>,
        blocked: &BlockedRequest,
    ) -> RequestResult {
        let wish = self.term(&blocked.wish, &worker.budget)?;
        let state = self.state(&blocked.state)?;
        let report = self.session.report(None, &[]);
        let blocked = api::blocked(&report, &state, wish, &worker.budget)?;
        Ok(to_line(&blocked.map_err(RequestError::wrong)?).into())
    }

    /// The values of a state.
    fn state(&self, state: &StateRequest) -> Result<Vec<Value>, RequestError> {
        state_of(self.session.model(), state).map_err(RequestError::bad)
    }

    /// The values of a state that must be reachable.
    fn reachable(
        &self,
        world: &dyn World,
        state: &StateRequest,
    ) -> Result<Vec<Value>, RequestError> {
        let values = self.state(state)?;
        if !world.has(&values)? {
            return Err(RequestError::missing("The state cannot be reached."));
        }
        Ok(values)
    }

    /// The term of an expression.
    pub(super) fn term(&mut self, text: &str, budget: &Budget) -> Result<TermId, RequestError> {
        if let Some(term) = self.terms.get(text) {
            return Ok(*term);
        }
        let term = self.session.expression(text, budget)?;
        self.terms.insert(text.to_string(), term);
        Ok(term)
    }

    /// The query of a formula.
    fn goal(&mut self, text: &str, budget: &Budget) -> Result<Query, RequestError> {
        if let Some(query) = self.goals.get(text) {
            return Ok(query.clone());
        }
        let query = self.session.query(text, budget)?;
        self.goals.insert(text.to_string(), query.clone());
        Ok(query)
    }

    /// Whether a strategy has terms that the state space does not know.
    pub(super) fn has_unknown_terms(&self, world: &dyn World) -> bool {
        let terms = world.model().terms.len();
        let mut tactics = self.tactics.values();
        tactics.any(|tactic| tactic.terms().any(|term| term.index() >= terms))
    }
}

/// Whether a state space knows a property, which may have been added after it was built.
fn is_known(world: &dyn World, property: usize) -> bool {
    property < world.model().properties.len()
}
