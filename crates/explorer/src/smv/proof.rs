//! Proofs that grow where somebody looks.
//!
//! The proof that was asked for last stays open. A request says everything that was chosen; the clerk takes
//! back what differs from what is shown and makes the choices that are new.

use wherefore_base::{Run, Stop, Value};
use wherefore_driver::ModelSubject;
use wherefore_driver::Refusal;
use wherefore_driver::evidence::{OccurrenceId, ProofId, Verdict};
use wherefore_driver::explain::{Choice, Inquiry, Past, Scene as Shown, THEN, Tactic};
use wherefore_driver::explore::World;
use wherefore_driver::model::{Model, VarId};
use wherefore_driver::view::api;
use wherefore_driver::view::api::{OpenClaim, Place, ProofParts};
use wherefore_driver::view::clean;
use wherefore_driver::view::wire::{ProofRequest, to_line};

use super::world::{Reply, query};
use super::{Clerk, Left, no_property, strategy};
use crate::ask::Ask;
use crate::choices::{Move, script};
use crate::problem::Problem;

/// Why choices cannot be followed.
enum Trouble {
    /// The work stops.
    Stop(Stop),
    /// A choice cannot be made.
    Wrong(Problem),
    /// The proof does not know the condition of a strategy.
    Later,
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Self {
        Trouble::Stop(stop)
    }
}

impl Clerk<'_> {
    /// Opens the proof of a property for the pending request, and answers from there as long as requests
    /// are about it, or about states.
    pub(super) fn serve_proof(
        &mut self,
        session: &mut ModelSubject,
        world: &dyn World,
        property: usize,
    ) -> Run<Left> {
        let id = self.pending.as_ref().map_or(0, |job| job.id);
        if self.desk.begin(id).is_err() {
            if let Some(job) = self.pending.take() {
                job.tell(Err(Problem::cancelled()));
            }
            return Ok(Left::Again);
        }
        let mut left = Left::Again;
        let mut past = Past::default();
        let opened = world.explain(property, &mut |opened| {
            let mut inquiry = Inquiry::new(opened, &mut past)?;
            left = self.attend(session, world, property, &mut inquiry)?;
            Ok(())
        });
        self.desk.end();
        let problem = match opened {
            Ok(Verdict::Unknown(_)) => Problem::unsupported("The property cannot be decided."),
            Ok(_) => Problem::unsupported(
                "The property holds, since no initial state counts: there is nothing to show.",
            ),
            Err(stop) => stop.into(),
        };
        // A request that is still pending for this property was never looked at.
        let waits = |ask: &Ask| matches!(ask, Ask::Proof(other, _) if *other == property);
        let stuck = opened.is_err() || !self.wants_later(world);
        if stuck
            && self.pending.as_ref().is_some_and(|job| waits(&job.ask))
            && let Some(job) = self.pending.take()
        {
            job.tell(Err(problem));
        }
        match opened {
            Err(stop @ (Stop::TimeOut | Stop::Memory)) => Err(stop),
            _ => Ok(left),
        }
    }

    /// Answers requests while a proof is open.
    fn attend(
        &mut self,
        session: &mut ModelSubject,
        world: &dyn World,
        property: usize,
        inquiry: &mut Inquiry<'_>,
    ) -> Run<Left> {
        loop {
            let Some(job) = self.next() else {
                return Ok(Left::End);
            };
            if self.wants_rereading(&job) {
                self.pending = Some(job);
                return Ok(Left::Reread);
            }
            let reply = match &job.ask {
                Ask::Proof(other, wanted) if *other == property => {
                    if self.desk.begin(job.id).is_err() {
                        job.tell(Err(Problem::cancelled()));
                        continue;
                    }
                    self.show(session, property, inquiry, wanted)
                }
                Ask::Proof(..) => {
                    if let Some(problem) = no_property(session, &job.ask) {
                        job.tell(Err(problem));
                        continue;
                    }
                    self.pending = Some(job);
                    return Ok(Left::Again);
                }
                ask if ask.needs_states() => {
                    if self.desk.begin(job.id).is_err() {
                        job.tell(Err(Problem::cancelled()));
                        continue;
                    }
                    self.about_states(session, world, ask)
                }
                _ => {
                    self.answer_without(session, job)?;
                    continue;
                }
            };
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

    /// Whether a strategy was read that the world does not know.
    fn wants_later(&self, world: &dyn World) -> bool {
        let terms = world.model().terms.len();
        let mut tactics = self.tactics.values();
        tactics.any(|tactic| tactic.terms().any(|term| term.index() >= terms))
    }

    /// The proof after the choices that are wanted.
    fn show(
        &mut self,
        session: &mut ModelSubject,
        property: usize,
        inquiry: &mut Inquiry<'_>,
        wanted: &ProofRequest,
    ) -> Run<Reply> {
        let said = match self.follow(session, property, inquiry, &wanted.choices) {
            Ok(said) => said,
            Err(Trouble::Stop(stop)) => return Err(stop),
            Err(Trouble::Later) => return Ok(Reply::Later),
            Err(Trouble::Wrong(problem)) => return Ok(Reply::Known(Err(problem))),
        };
        let shown = inquiry.scene()?;
        let ways = match wanted.ways {
            Some(node) => {
                let open = shown.open.iter().find(|open| open.number.index() == node);
                let Some(open) = open.copied() else {
                    let problem = Problem::missing(&format!("There is no obligation #{node}."));
                    return Ok(Reply::Known(Err(problem)));
                };
                let offers = inquiry.offers(open.number)?.into_iter();
                let ways: Vec<_> = offers.map(|offer| (offer.way, offer.outlook)).collect();
                Some((open, ways))
            }
            None => None,
        };
        let Some(query) = query(session, property) else {
            return Ok(Reply::Known(Err(Problem::internal())));
        };
        let report = session.report(Some(inquiry.summary()), &[]);
        let Shown {
            holds,
            evidence,
            nodes,
            open,
            tactic,
            ..
        } = &shown;
        let mut scene = api::proof(ProofParts {
            report,
            place: Place {
                model: self.plan.id,
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
            said,
        });
        scene.ways = ways.map(|(open, ways)| {
            api::ways((&report, query, evidence), (open.number, open.at), &ways)
        });
        Ok(Reply::Known(Ok(to_line(&scene).into())))
    }

    /// Makes the choices that are wanted, starting from those that were made; what is to be said.
    fn follow(
        &mut self,
        session: &mut ModelSubject,
        property: usize,
        inquiry: &mut Inquiry<'_>,
        wanted: &[String],
    ) -> Result<Option<String>, Trouble> {
        let made = loop {
            let made = script(&inquiry.past().choices());
            if wanted.starts_with(&made) {
                break made.len();
            }
            self.budget.check()?;
            go_back(inquiry)?;
        };
        let mut said = None;
        for text in &wanted[made..] {
            self.budget.check()?;
            said = self.choose(session, property, inquiry, text)?;
        }
        Ok(said)
    }

    /// Makes a choice.
    fn choose(
        &mut self,
        session: &mut ModelSubject,
        property: usize,
        inquiry: &mut Inquiry<'_>,
        text: &str,
    ) -> Result<Option<String>, Trouble> {
        let wrong = |why: String| {
            Trouble::Wrong(Problem::wrong(&format!(
                "`{}` cannot be done: {why}",
                clean(text)
            )))
        };
        let not_open = |leaf: ProofId| wrong(format!("there is no obligation #{}.", leaf.index()));
        let not_shown = |node: ProofId| wrong(format!("nothing is shown at #{}.", node.index()));
        let first = |inquiry: &Inquiry<'_>| -> Result<ProofId, Trouble> {
            let open = inquiry.scene()?.open;
            let first = open.first().map(|open| open.number);
            first.ok_or_else(|| wrong("nothing is open.".to_string()))
        };
        match Move::read(text).map_err(wrong)? {
            Move::Expand(leaf) => {
                let leaf = leaf.map_or_else(|| first(inquiry), Ok)?;
                match inquiry.expand(leaf)? {
                    true => Ok(None),
                    false => Err(not_open(leaf)),
                }
            }
            Move::Take(way, leaf) => {
                let leaf = leaf.map_or_else(|| first(inquiry), Ok)?;
                match inquiry.is_open(leaf) {
                    true if inquiry.take(leaf, way)? => Ok(None),
                    true => Err(wrong(format!("there is no way {}.", way + 1))),
                    false => Err(not_open(leaf)),
                }
            }
            Move::All => {
                inquiry.grow()?;
                Ok(None)
            }
            Move::Close(node) => match is_shown(inquiry, node)? && inquiry.reopen(node)? {
                true => Ok(None),
                false => Err(not_shown(node)),
            },
            Move::Next(node) if !is_shown(inquiry, node)? => Err(not_shown(node)),
            Move::Next(node) => match inquiry.another(node)? {
                true => Ok(None),
                false => Ok(Some("There is no other way to show this.".to_string())),
            },
            Move::Strategy(name) => {
                let tactic = self.tactic(session, property, inquiry, &name, &wrong)?;
                set(inquiry, tactic, false)
            }
            Move::Avoid(step) => {
                let scene = inquiry.scene()?;
                let at = OccurrenceId::new(step);
                let Some(occurrence) = scene.evidence.occurrences.get(at) else {
                    return Err(wrong(format!("there is no step {step}.")));
                };
                let condition = condition(session.model(), &occurrence.values);
                let name = format!("avoid {condition}");
                let tactic = self.tactic(session, property, inquiry, &name, &wrong)?;
                set(inquiry, tactic, true)
            }
        }
    }

    /// The strategy with a name, seen from the one that chooses at present.
    fn tactic(
        &mut self,
        session: &mut ModelSubject,
        property: usize,
        inquiry: &Inquiry<'_>,
        name: &str,
        wrong: &dyn Fn(String) -> Trouble,
    ) -> Result<Tactic, Trouble> {
        let before = inquiry.past().tactic().clone();
        let key = format!("{property} {} / {name}", before.name());
        if let Some(tactic) = self.tactics.get(&key) {
            return Ok(tactic.clone());
        }
        // What has a colon right after its name is read as `check` reads it.
        let given = name.split_once(':');
        let tactic = match given.is_some_and(|(name, _)| !name.contains(char::is_whitespace)) {
            true => {
                let specs = name.split(THEN).map(strategy);
                let specs = specs
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(Trouble::Wrong)?;
                match Tactic::given(&specs, property, session, self.budget) {
                    Ok(tactic) => tactic,
                    Err(Refusal::Stopped(stop)) => return Err(stop.into()),
                    Err(Refusal::Rejected(rejected)) => {
                        return Err(Trouble::Wrong(Problem::rejected(&rejected)));
                    }
                    Err(error) => return Err(wrong(format!("{error}."))),
                }
            }
            false => match Tactic::read(name, &before, session, self.budget) {
                Ok(tactic) => tactic,
                Err(Refusal::Stopped(stop)) => return Err(stop.into()),
                Err(refusal) => return Err(wrong(format!("{refusal}."))),
            },
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

/// Lets a strategy choose; with `anew`, everything that was shown is forgotten.
fn set(inquiry: &mut Inquiry<'_>, tactic: Tactic, anew: bool) -> Result<Option<String>, Trouble> {
    if !inquiry.knows(&tactic) {
        return Err(Trouble::Later);
    }
    if anew {
        while inquiry.undo() {}
    }
    inquiry.set_tactic(tactic)?;
    Ok(None)
}

/// Takes the last choice back.
fn go_back(inquiry: &mut Inquiry<'_>) -> Run<()> {
    let choices = inquiry.past().choices();
    let Some((last, before)) = choices.split_last() else {
        return Ok(());
    };
    if !matches!(last, Choice::Tactic(_)) {
        inquiry.undo();
        return Ok(());
    }
    let tactic = before.iter().rev().find_map(|choice| match choice {
        Choice::Tactic(tactic) => Some(tactic.clone()),
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
