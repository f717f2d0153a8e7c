//! The desk: a request in, an answer out, over a proof that is being explored.

use std::path::{Path, PathBuf};

use wherefore_base::{Budget, Run, Value};
use wherefore_driver::evidence::{Finding, OccurrenceId, ProofId, SpaceSummary, Why};
use wherefore_driver::explain::{Inquiry, InquiryChoice, Offer, ProofScene, THEN, Tactic};
use wherefore_driver::model::{Model, PropertyBody, Query, VarId};
use wherefore_driver::strategy::{StrategySpec, name_document};
use wherefore_driver::view::explain::Explainer;
use wherefore_driver::view::explore::{Style, WorldTeller};
use wherefore_driver::view::wire::CheckDocument;
use wherefore_driver::view::{Report, clean, json};
use wherefore_driver::{ModelSubject, Refusal, Subject, why_holds};

use crate::args::Color;
use crate::choosing::remark;
use crate::refusal::refused_text;
use crate::writers;

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Request {
    /// The ways to show an obligation.
    Ways(ProofId),
    /// Show an obligation this way.
    Take(ProofId, usize),
    /// Show an obligation as the strategy likes.
    Expand(ProofId),
    /// Show everything that is left.
    All,
    /// Make an obligation of a node.
    Close(ProofId),
    /// Show a node another way.
    Next(ProofId),
    /// Take the last change back.
    Undo,
    /// Let another strategy choose, by its name.
    Strategy(String),
    /// Start anew and avoid a state, given by its values.
    Avoid(Vec<Value>),
    /// The value of an expression in a state.
    Evaluate(String, Vec<Value>),
    /// Write evidence and choices.
    Write(PathBuf),
    /// Why the property holds.
    Reason,
}

/// What is answered.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    /// The proof has changed, or another strategy chooses; and what else is to be said.
    Scene(Box<ProofScene>, String),
    /// The ways to show an obligation.
    Ways(ProofId, Vec<Offer>),
    /// Something that changes nothing.
    Said(String),
    /// What cannot be done, and why.
    Wrong(String),
    /// Why the property holds.
    Reason(Box<Why>),
    /// The answer is a scene, once the proof is opened anew.
    Again,
}

/// What views need to show a proof: it does not change while the proof grows.
#[derive(Debug)]
pub(super) struct Backdrop {
    session: ModelSubject,
    pub(super) property: usize,
    pub(super) summary: SpaceSummary,
}

impl Backdrop {
    /// The name of the file of the model.
    pub(super) fn path(&self) -> &str {
        self.session.name()
    }

    pub(super) fn new(session: &ModelSubject, property: usize, summary: &SpaceSummary) -> Self {
        Self {
            session: session.clone(),
            property,
            summary: summary.clone(),
        }
    }

    pub(super) fn report(&self) -> Report<'_> {
        Report {
            strategy: &[],
            ..self.session.report(Some(&self.summary), &[])
        }
    }

    /// The model.
    pub(super) fn model(&self) -> &Model {
        self.session.model()
    }

    pub(super) fn query(&self) -> &Query {
        match &self.model().properties[self.property].body {
            PropertyBody::Query(query) | PropertyBody::Linear(query) => query,
            _ => unreachable!("only what is decided has a proof"),
        }
    }

    pub(super) fn explainer<'a>(&'a self, scene: &'a ProofScene, style: Style) -> Explainer<'a> {
        Explainer {
            report: self.report(),
            query: self.query(),
            evidence: &scene.evidence,
            style,
            full: false,
            backward: false,
            vars: None,
        }
    }
}

/// Answers requests.
pub(super) struct ProofDesk<'d> {
    pub(super) session: &'d mut ModelSubject,
    pub(super) inquiry: Inquiry<'d>,
    pub(super) property: usize,
    pub(super) budget: &'d Budget,
    /// Why the property holds, once it was asked for.
    pub(super) reason: Option<Option<Why>>,
}

impl ProofDesk<'_> {
    /// Answers a request. When the budget ends, nothing has changed.
    pub(super) fn answer(&mut self, request: &Request) -> Run<Reply> {
        match request {
            Request::Ways(leaf) => {
                let offers = self.inquiry.offers(*leaf)?;
                Ok(match offers.is_empty() {
                    true => not_open(*leaf),
                    false => Reply::Ways(*leaf, offers),
                })
            }
            Request::Take(leaf, _) | Request::Expand(leaf) if !self.inquiry.is_open(*leaf) => {
                Ok(not_open(*leaf))
            }
            Request::Take(leaf, way) => match self.inquiry.take(*leaf, *way)? {
                true => self.scene(),
                false => Ok(Reply::Wrong(format!("there is no way {}", way + 1))),
            },
            Request::Expand(leaf) => {
                self.inquiry.expand(*leaf)?;
                self.scene()
            }
            Request::All => {
                self.inquiry.grow()?;
                self.scene()
            }
            Request::Close(node) => match self.inquiry.reopen(*node)? {
                true => self.scene(),
                false => Ok(not_shown(*node)),
            },
            Request::Next(node) if !self.inquiry.is_shown(*node) => Ok(not_shown(*node)),
            Request::Next(node) => match self.inquiry.another(*node)? {
                true => self.scene(),
                false => Ok(Reply::Said("there is no other way to show this".into())),
            },
            Request::Undo => match self.inquiry.undo() {
                true => self.scene(),
                false => Ok(Reply::Wrong("there is nothing to undo".to_string())),
            },
            Request::Strategy(name) => self.strategy(name),
            Request::Avoid(values) => self.avoid(values),
            Request::Evaluate(text, values) => self.evaluate(text, values),
            Request::Write(path) => self.write(path),
            Request::Reason => {
                let reason = self.reason()?;
                Ok(match reason {
                    Some(reason) => Reply::Reason(Box::new(reason)),
                    None => Reply::Wrong(
                        "the property is shown by runs; `why STEP` lists the claims at a step"
                            .to_string(),
                    ),
                })
            }
        }
    }

    /// What is shown at present, and what strategies have said on the way to it.
    pub(super) fn scene(&self) -> Run<Reply> {
        let scene = self.inquiry.scene()?;
        Ok(Reply::Scene(Box::new(scene), self.said()))
    }

    /// What strategies have said since somebody asked last.
    pub(super) fn said(&self) -> String {
        let remarks = self.inquiry.remarks();
        let remarks = remarks.iter().map(|said| remark(said, Color::Never));
        let lines: Vec<String> = remarks.map(|said| said.trim_end().to_string()).collect();
        lines.join("\n")
    }

    fn strategy(&mut self, name: &str) -> Run<Reply> {
        // What has a colon right after its name is read as `check` reads it.
        let given = name.split_once(':');
        if given.is_some_and(|(name, _)| !name.contains(char::is_whitespace)) {
            let specs = name.split(THEN).map(str::parse::<StrategySpec>);
            let specs = match specs.collect::<Result<Vec<_>, _>>() {
                Ok(specs) => specs,
                Err(bad) => return Ok(Reply::Wrong(bad.to_string())),
            };
            return match Tactic::given(&specs, self.property, self.session, self.budget) {
                Ok(tactic) => self.set_tactic(tactic, false),
                Err(Refusal::Stopped(stop)) => Err(stop),
                Err(refusal) => Ok(Reply::Wrong(refused_text(&refusal, false).0)),
            };
        }
        let before = self.inquiry.past().tactic().clone();
        match Tactic::read(name, &before, self.session, self.budget) {
            Ok(tactic) => self.set_tactic(tactic, false),
            Err(refusal) => Ok(Reply::Wrong(refusal.into_text()?)),
        }
    }

    fn avoid(&mut self, values: &[Value]) -> Run<Reply> {
        let mut tactic = self.inquiry.past().tactic().clone();
        let text = condition(self.session.model(), values);
        match Tactic::condition(&text, self.session, self.budget) {
            Ok(condition) => {
                tactic.avoid.push(condition);
                self.set_tactic(tactic, true)
            }
            Err(refusal) => Ok(Reply::Wrong(refusal.into_text()?)),
        }
    }

    /// Lets another tactic choose: now if the proof knows its conditions, otherwise once it is opened
    /// anew.
    fn set_tactic(&mut self, tactic: Tactic, anew: bool) -> Run<Reply> {
        if !self.inquiry.knows(&tactic) {
            self.inquiry.switch_later(tactic, anew);
            return Ok(Reply::Again);
        }
        self.inquiry.switch(tactic, anew)?;
        self.scene()
    }

    fn evaluate(&mut self, text: &str, values: &[Value]) -> Run<Reply> {
        Ok(match self.session.expression(text, self.budget) {
            Ok(term) => {
                let style = Style {
                    color: false,
                    ascii: false,
                    width: usize::MAX,
                };
                let report = self.session.report(None, &[]);
                let value = WorldTeller { report, style }.value(term, values);
                Reply::Said(format!("{} is {}", clean(text), value.trim()))
            }
            Err(refusal) => Reply::Wrong(refusal.into_text()?),
        })
    }

    /// The evidence so far, with the reason if it was asked for.
    pub(super) fn finding(&self) -> Run<Finding> {
        Ok(Finding {
            why: self.reason.clone().flatten(),
            ..self.inquiry.finding(self.property)?
        })
    }

    /// Why the property holds; `None` where it fails, or its witness says all there is to say.
    pub(super) fn reason(&mut self) -> Run<Option<Why>> {
        if self.reason.is_none() {
            let finding = self.inquiry.finding(self.property)?;
            self.reason = Some(why_holds(self.session.model(), &finding, self.budget));
        }
        Ok(self.reason.clone().flatten())
    }

    /// The JSON document of the evidence so far.
    pub(super) fn document(&self) -> Run<String> {
        let findings = [self.finding()?];
        let report = self.session.report(Some(self.inquiry.summary()), &findings);
        Ok(CheckDocument::new(vec![json::model(&report)]).render())
    }

    fn write(&self, path: &Path) -> Run<Reply> {
        let choices = path.with_extension("choices");
        let commands = script(&self.inquiry.past().choices());
        let list = format!("{}{commands}", name_document(path));
        let written =
            writers::write(path, &self.document()?).and_then(|()| writers::write(&choices, &list));
        Ok(match written {
            Ok(()) => Reply::Said(format!(
                "wrote {} and {}",
                clean(&path.to_string_lossy()),
                clean(&choices.to_string_lossy())
            )),
            Err(wrong) => Reply::Wrong(wrong.trim_start_matches("error: ").to_string()),
        })
    }
}

/// Choices as commands of the plain form, so that they can be made again.
fn script(choices: &[InquiryChoice]) -> String {
    let mut text = String::new();
    for choice in choices {
        text += &match choice {
            InquiryChoice::Tactic(tactic) => {
                let avoid = tactic.avoid.iter();
                let avoid = avoid.map(|c| format!("strategy avoid {}\n", c.text));
                format!(
                    "strategy {}\n{}",
                    tactic.lead.name(),
                    avoid.collect::<String>()
                )
            }
            InquiryChoice::Take(leaf, way) => format!("take {} #{}\n", way + 1, leaf.index()),
            InquiryChoice::Grow => "all\n".to_string(),
            InquiryChoice::Reopen(node) => format!("close #{}\n", node.index()),
        };
    }
    text
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

fn not_open(leaf: ProofId) -> Reply {
    Reply::Wrong(format!("there is no obligation #{}", leaf.index()))
}

fn not_shown(node: ProofId) -> Reply {
    Reply::Wrong(format!("nothing is shown at #{}", node.index()))
}

/// The step with a number, if the scene has it.
pub(super) fn step(scene: &ProofScene, number: usize) -> Option<OccurrenceId> {
    (number < scene.evidence.occurrences.len()).then(|| OccurrenceId::new(number))
}
