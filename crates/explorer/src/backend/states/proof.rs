//! Proofs that are explored step by step.
//!
//! The proof that was asked for last stays open. A request names all choices; those that differ from the
//! choices made so far are taken back, and the new ones are made.

use wherefore_base::{Budget, Run, Value};
use wherefore_driver::Refusal;
use wherefore_driver::evidence::{OccurrenceId, ProofId, Verdict};
use wherefore_driver::explain::{Inquiry, InquiryChoice, Past, ProofScene, THEN, Tactic};
use wherefore_driver::explore::World;
use wherefore_driver::model::{Model, PropertyBody, Query, VarId};
use wherefore_driver::view::api;
use wherefore_driver::view::api::{OpenClaim, ProofParts, PropertyPlace};
use wherefore_driver::view::clean;
use wherefore_driver::view::wire::{ProofRequest, to_line};

use super::{StatesBackend, strategy};
use crate::choices::{ProofChoice, script};
use crate::error::RequestError;
use crate::request::ModelRequest;
use crate::worker::{BackendReply, BackendResult, LoopExit, ModelWorker};

/// What comes of a choice.
enum ChoiceEffect {
    /// It is made; there may be something to say about it.
    Made(Option<&'static str>),
    /// The proof does not know the terms of a strategy.
    Deferred,
}

impl StatesBackend {
    /// Opens the proof of a property for the pending request, and answers requests over it, until one needs
    /// another proof or another state space.
    pub(super) fn serve_proof(
        &mut self,
        world: &dyn World,
        property: usize,
        worker: &mut ModelWorker<'_>,
    ) -> Run<LoopExit> {
        if !worker.begin_pending() {
            return Ok(LoopExit::Deferred);
        }
        let mut exit = LoopExit::Deferred;
        let mut past = Past::default();
        let opened = world.explain(property, &mut |opened| {
            let mut inquiry = Inquiry::new(opened, &mut past)?;
            exit = worker.run(self, &mut |backend, request, worker| match request {
                ModelRequest::Proof(other, wanted) if *other == property => {
                    backend.scene(property, &mut inquiry, wanted, worker)
                }
                request => backend.answer_over(world, request, worker),
            })?;
            Ok(())
        });
        worker.control.end();
        let body = &world.model().properties[property].body;
        let is_linear = matches!(body, PropertyBody::Linear(_));
        let error = match opened {
            Ok(Verdict::Unknown(_)) => RequestError::unsupported("The property cannot be decided."),
            Ok(Verdict::Holds) if is_linear => RequestError::unsupported(
                "Every run satisfies the formula, and a proof is explored along a run that refutes it.",
            ),
            Ok(_) => RequestError::unsupported(
                "There is nothing to show: no initial state, or no run from one, counts. The first tab says why.",
            ),
            Err(stop) => stop.into(),
        };
        let exhausted = error.exhausted();
        // A request for this proof that is still pending was never looked at, unless it needs another space.
        let is_stuck = opened.is_err() || !self.has_unknown_terms(world);
        let waits = matches!(worker.pending(), Some(ModelRequest::Proof(it, _)) if *it == property);
        if is_stuck && waits {
            worker.reply_pending(error);
        }
        exhausted.map_or(Ok(exit), Err)
    }

    /// The proof after the choices that are wanted.
    fn scene(
        &mut self,
        property: usize,
        inquiry: &mut Inquiry<'_>,
        wanted: &ProofRequest,
        worker: &ModelWorker<'_>,
    ) -> BackendResult {
        let said = match self.follow(property, inquiry, &wanted.choices, &worker.budget)? {
            ChoiceEffect::Made(said) => said,
            ChoiceEffect::Deferred => return Ok(BackendReply::Deferred),
        };
        let shown = inquiry.scene()?;
        let ways = match wanted.ways {
            Some(node) => {
                let open = shown.open.iter().find(|open| open.number.index() == node);
                let missing = || RequestError::missing(format!("There is no obligation #{node}."));
                let open = open.copied().ok_or_else(missing)?;
                let offers = inquiry.offers(open.number)?.into_iter();
                let ways: Vec<_> = offers.map(|offer| (offer.way, offer.outlook)).collect();
                Some((open, ways))
            }
            None => None,
        };
        let query = self.query(property).ok_or(RequestError::Internal)?;
        let report = self.session.report(Some(inquiry.summary()), &[]);
        let ProofScene {
            holds,
            evidence,
            nodes,
            open,
            tactic,
            wishes,
            ..
        } = &shown;
        let mut scene = api::proof(ProofParts {
            report,
            place: PropertyPlace {
                model: worker.settings.id,
                property,
            },
            query,
            holds: *holds,
            evidence,
            nodes: nodes.iter().copied().collect(),
            open: (open.iter())
                .map(|open| OpenClaim {
                    node: open.number,
                    claim: open.claim,
                    at: open.at,
                    rank: open.rank,
                })
                .collect(),
            choices: script(&inquiry.past().choices()),
            strategy: tactic.clone(),
            strategies: Tactic::NAMES.map(str::to_string).to_vec(),
            wishes,
            said: said.map(str::to_string),
        });
        scene.ways = ways.map(|(open, ways)| {
            api::ways((&report, query, evidence), (open.number, open.at), &ways)
        });
        Ok(to_line(&scene).into())
    }

    /// The formula of a property whose proof can be explored.
    fn query(&self, property: usize) -> Option<&Query> {
        match &self.session.model().properties.get(property)?.body {
            PropertyBody::Query(query) | PropertyBody::Linear(query) => Some(query),
            _ => None,
        }
    }

    /// Makes the choices that are wanted, starting from those that were made.
    fn follow(
        &mut self,
        property: usize,
        inquiry: &mut Inquiry<'_>,
        wanted: &[String],
        budget: &Budget,
    ) -> Result<ChoiceEffect, RequestError> {
        let made = loop {
            let made = script(&inquiry.past().choices());
            if wanted.starts_with(&made) {
                break made.len();
            }
            budget.check()?;
            take_back(inquiry)?;
        };
        let mut effect = ChoiceEffect::Made(None);
        for text in &wanted[made..] {
            budget.check()?;
            effect = self.choose(property, inquiry, text, budget)?;
            if let ChoiceEffect::Deferred = effect {
                break;
            }
        }
        Ok(effect)
    }

    /// Makes a choice.
    fn choose(
        &mut self,
        property: usize,
        inquiry: &mut Inquiry<'_>,
        text: &str,
        budget: &Budget,
    ) -> Result<ChoiceEffect, RequestError> {
        let wrong =
            |why: String| RequestError::wrong(format!("`{}` cannot be done: {why}", clean(text)));
        let not_open = |leaf: ProofId| wrong(format!("there is no obligation #{}.", leaf.index()));
        let not_shown = |node: ProofId| wrong(format!("nothing is shown at #{}.", node.index()));
        let first = |inquiry: &Inquiry<'_>| -> Result<ProofId, RequestError> {
            let open = inquiry.scene()?.open;
            let first = open.first().map(|open| open.number);
            first.ok_or_else(|| wrong("nothing is open.".to_string()))
        };
        match ProofChoice::read(text).map_err(wrong)? {
            ProofChoice::Expand(leaf) => {
                let leaf = leaf.map_or_else(|| first(inquiry), Ok)?;
                if !inquiry.expand(leaf)? {
                    return Err(not_open(leaf));
                }
            }
            ProofChoice::Take(way, leaf) => {
                let leaf = leaf.map_or_else(|| first(inquiry), Ok)?;
                if !inquiry.is_open(leaf) {
                    return Err(not_open(leaf));
                }
                if !inquiry.take(leaf, way)? {
                    return Err(wrong(format!("there is no way {}.", way + 1)));
                }
            }
            ProofChoice::All => inquiry.grow()?,
            ProofChoice::Close(node) => {
                if !is_shown(inquiry, node)? || !inquiry.reopen(node)? {
                    return Err(not_shown(node));
                }
            }
            ProofChoice::Next(node) => {
                if !is_shown(inquiry, node)? {
                    return Err(not_shown(node));
                }
                if !inquiry.another(node)? {
                    let said = "There is no other way to show this.";
                    return Ok(ChoiceEffect::Made(Some(said)));
                }
            }
            ProofChoice::Strategy(name) => {
                let tactic = self.tactic(property, inquiry, &name, &wrong, budget)?;
                return set_tactic(inquiry, tactic, false);
            }
            ProofChoice::Avoid(step) => {
                let scene = inquiry.scene()?;
                let occurrence = scene.evidence.occurrences.get(OccurrenceId::new(step));
                let missing = || wrong(format!("there is no step {step}."));
                let occurrence = occurrence.ok_or_else(missing)?;
                let condition = condition(self.session.model(), &occurrence.values);
                let name = format!("avoid {condition}");
                let tactic = self.tactic(property, inquiry, &name, &wrong, budget)?;
                return set_tactic(inquiry, tactic, true);
            }
        }
        Ok(ChoiceEffect::Made(None))
    }

    /// The strategy with a name, which may refer to the one that chooses at present.
    fn tactic(
        &mut self,
        property: usize,
        inquiry: &Inquiry<'_>,
        name: &str,
        wrong: &dyn Fn(String) -> RequestError,
        budget: &Budget,
    ) -> Result<Tactic, RequestError> {
        let before = inquiry.past().tactic().clone();
        let key = format!("{property} {} / {name}", before.name());
        if let Some(tactic) = self.tactics.get(&key) {
            return Ok(tactic.clone());
        }
        // What has a colon right after its name is read as `check` reads it.
        let given = name.split_once(':');
        let is_spec = given.is_some_and(|(name, _)| !name.contains(char::is_whitespace));
        let session = &mut self.session;
        let tactic = if is_spec {
            let specs = name.split(THEN).map(strategy);
            let specs = specs.collect::<Result<Vec<_>, _>>()?;
            let tactic = Tactic::given(&specs, property, session, budget);
            tactic.map_err(|refusal| match refusal {
                Refusal::Stopped(_) | Refusal::Rejected(_) => refusal.into(),
                refusal => wrong(format!("{refusal}.")),
            })?
        } else {
            let tactic = Tactic::read(name, &before, session, budget);
            tactic.map_err(|refusal| match refusal {
                Refusal::Stopped(stop) => stop.into(),
                refusal => wrong(format!("{refusal}.")),
            })?
        };
        self.tactics.insert(key, tactic.clone());
        Ok(tactic)
    }
}

/// Whether a number is that of a node that is shown.
fn is_shown(inquiry: &Inquiry<'_>, node: ProofId) -> Run<bool> {
    let scene = inquiry.scene()?;
    Ok(scene.find(node).is_some() && inquiry.is_shown(node))
}

/// Lets a strategy choose; with `anew`, all choices are taken back before.
fn set_tactic(
    inquiry: &mut Inquiry<'_>,
    tactic: Tactic,
    anew: bool,
) -> Result<ChoiceEffect, RequestError> {
    if !inquiry.knows(&tactic) {
        return Ok(ChoiceEffect::Deferred);
    }
    inquiry.switch(tactic, anew)?;
    Ok(ChoiceEffect::Made(None))
}

/// Takes the last choice back.
fn take_back(inquiry: &mut Inquiry<'_>) -> Run<()> {
    let choices = inquiry.past().choices();
    let Some((last, before)) = choices.split_last() else {
        return Ok(());
    };
    if !matches!(last, InquiryChoice::Tactic(_)) {
        inquiry.undo();
        return Ok(());
    }
    let tactic = before.iter().rev().find_map(|choice| match choice {
        InquiryChoice::Tactic(tactic) => Some(tactic.clone()),
        _ => None,
    });
    inquiry.set_tactic(tactic.unwrap_or_default())
}

/// The condition that is true in one state only.
fn condition(model: &Model, values: &[Value]) -> String {
    let conditions = values.iter().enumerate().map(|(at, &value)| {
        let name = &model.vars[VarId::new(at)].name;
        match value {
            Value::Bool(true) => name.clone(),
            Value::Bool(false) => format!("!{name}"),
            value => format!("{name} = {}", model.names.show(value)),
        }
    });
    conditions.collect::<Vec<_>>().join(" & ")
}
