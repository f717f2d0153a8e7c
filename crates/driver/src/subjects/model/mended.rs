//! What becomes of a failure once the text is changed. The text itself stays as it is.

use std::slice;

use wherefore_base::{Budget, Run, Span};
use wherefore_evidence::{
    Blame, Claim, Evidence, EvidenceOptions, Finding, OccurrenceId, Rule, SpaceSummary, Verdict,
    broken_step, first_flaw,
};
use wherefore_model::{ChangeKind, PropertyBody, Query, TextChange};
use wherefore_view::fate::Fate;
use wherefore_view::json;
use wherefore_view::read::rebuild;
use wherefore_view::sub_text;

use super::ModelSubject;
use crate::blame::{BlameEffort, blame};
use crate::engines::{Engine, Event, Job};
use crate::refusal::Refusal;

/// What becomes of a failure once the text is changed.
#[derive(Debug)]
pub struct ChangedModel {
    /// The model with the change.
    pub subject: ModelSubject,
    /// Its states, if somebody looked at all of them.
    pub space: Option<SpaceSummary>,
    /// What becomes of the counterexample; `None` if there was none.
    pub fate: Option<Fate>,
    /// The first step of the counterexample that the changed model does not do.
    pub broken: Option<BrokenStep>,
    /// What shows that a claim of the counterexample is wrong in the changed model, where all its steps are possible.
    pub contrary: Option<Contrary>,
    /// What was found out about its properties, in their order; about the one that fails everything, about the others
    /// their verdicts.
    pub findings: Vec<Finding>,
}

/// A step of a counterexample that a model does not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BrokenStep {
    /// The occurrence where it begins; `None`: the first state is no initial one.
    pub from: Option<OccurrenceId>,
    /// The occurrence that it leads to.
    pub to: OccurrenceId,
}

/// The opposite of a claim that a counterexample rests on, decided from the state that the claim is about.
#[derive(Debug)]
pub struct Contrary {
    /// The model, asked from that state.
    pub subject: ModelSubject,
    /// The occurrence.
    pub at: OccurrenceId,
    /// What was found out about the formula of the claim.
    pub finding: Finding,
}

impl ModelSubject {
    /// A change of the text of the model: what stands between two bytes, and what stands there instead. `None` if these
    /// are no places between two characters.
    pub fn text_change(&self, from: u32, to: u32, text: &str) -> Option<TextChange> {
        let whole = self.sources.file(self.file).text();
        whole.get(from as usize..to as usize)?;
        let span = Span::new(self.file, from as usize, to as usize);
        Some(TextChange {
            span,
            text: text.to_string(),
            place: span,
            kind: ChangeKind::Value,
        })
    }

    /// Makes a change to a copy of the text, runs the counterexample of a finding again, and checks all properties.
    ///
    /// # Errors
    /// When the text with the change is no model with the same properties, or the budget ends.
    pub fn with_change(
        &self,
        finding: &Finding,
        change: &TextChange,
        engine: Engine,
        budget: &Budget,
    ) -> Result<ChangedModel, Refusal> {
        budget.phase("reading the changed text");
        let subject = self.changed(change, budget)?.ok_or_else(|| {
            let why = "with this change the text is no model with the same properties";
            Refusal::Unsupported(why.to_string())
        })?;
        subject.examine(budget)?;
        budget.phase("running the counterexample again");
        let saved = json::property(&self.report(None, &[]), finding);
        let mut changed = ChangedModel {
            subject,
            space: None,
            fate: None,
            broken: None,
            contrary: None,
            findings: Vec::new(),
        };
        if let Some(evidence) = &saved.evidence {
            let subject = &changed.subject;
            changed.fate = subject.fate(finding.property, &saved, budget)?;
            let body = &subject.model.properties[finding.property].body;
            let rebuilt = body
                .query()
                .map(|query| (query, rebuild(evidence, &subject.model, query)));
            if let Some((query, Ok(evidence))) = rebuilt {
                changed.broken = subject.broken_step(&evidence, budget)?;
                let is_whole = changed.broken.is_none() && matches!(body, PropertyBody::Query(_));
                if is_whole {
                    changed.contrary = subject.contrary(query, &evidence, engine, budget)?;
                }
            }
        }
        let others = (0..self.model.properties.len()).filter(|other| *other != finding.property);
        changed.check(
            others.collect(),
            EvidenceOptions {
                evidence: false,
                ..EvidenceOptions::default()
            },
            engine,
            budget,
        );
        changed.check(
            vec![finding.property],
            EvidenceOptions {
                witness: true,
                why: true,
                ..EvidenceOptions::default()
            },
            engine,
            budget,
        );
        budget.check()?;
        changed.findings.sort_by_key(|finding| finding.property);
        Ok(changed)
    }

    /// The first step of an evidence that the model does not do.
    fn broken_step(&self, evidence: &Evidence, budget: &Budget) -> Run<Option<BrokenStep>> {
        let broken = broken_step(&self.model, evidence, budget)?;
        Ok(broken.map(|(to, death)| BrokenStep {
            from: death.from.and_then(|values| {
                let mut edges = evidence.edges.iter().filter(|edge| edge.to == to);
                let edge = edges.find(|edge| evidence.occurrences[edge.from].values == values);
                edge.map(|edge| edge.from)
            }),
            to,
        }))
    }

    /// The opposite of the first claim of a counterexample that is not shown any more, if it can be decided.
    fn contrary(
        &self,
        query: &Query,
        evidence: &Evidence,
        engine: Engine,
        budget: &Budget,
    ) -> Run<Option<Contrary>> {
        let flaw = first_flaw(&self.model, query, false, evidence, budget)?;
        let node = flaw.and_then(|flaw| flaw.node);
        let Some(node) = node.and_then(|node| evidence.proof.get(node)) else {
            return Ok(None);
        };
        // Which state it is cannot be said where a translation remembers something of the last step.
        if self.model.memory().next().is_some() {
            return Ok(None);
        }
        // What the values of a state decide is told with the flaw itself.
        let (Claim::Formula(goal, None), false) = (node.claim, node.rule == Some(Rule::State))
        else {
            return Ok(None);
        };
        // The property itself is asked anyway.
        if goal.sub == query.formula.root() && node.at.index() == 0 {
            return Ok(None);
        }
        let report = self.report(None, &[]);
        let formula = sub_text(&report, query, goal.sub);
        let values = &evidence.occurrences[node.at].values;
        let vars = self.model.vars.iter().take(self.model.state_vars());
        let here = vars.zip(values).filter(|(var, _)| var.is_declared());
        let here = here.map(|(var, value)| {
            let value = self.model.names.show(*value);
            format!("{} = {value}", var.name)
        });
        let here: Vec<String> = here.collect();
        let mut subject = self.clone();
        let asked = subject.start_where(&here.join(" & "), budget);
        budget.check()?;
        let added = asked.ok().and_then(|()| subject.add_formula(&formula).ok());
        let rule = |property: &usize| {
            let body = &subject.model.properties[*property].body;
            body.query().map(|query| query.rule)
        };
        // The claim is about the paths of the property.
        let Some(property) = added.filter(|added| rule(added) == Some(query.rule)) else {
            return Ok(None);
        };
        let job = Job {
            engine,
            properties: Some(vec![property]),
            ..Job::default()
        };
        let mut found = None;
        subject.check_all(&job, budget, &mut |event| {
            if let Event::Finding(finding) = event {
                found = Some(*finding);
            }
        });
        budget.check()?;
        let opposite = match goal.holds {
            true => Verdict::Fails,
            false => Verdict::Holds,
        };
        let found = found.filter(|finding| finding.verdict == opposite);
        Ok(found.map(|finding| Contrary {
            subject,
            at: node.at,
            finding,
        }))
    }

    /// What is to blame for a failure.
    pub fn to_blame(
        &self,
        finding: &Finding,
        effort: BlameEffort,
        budget: &Budget,
    ) -> Option<Blame> {
        blame(self, slice::from_ref(finding), effort, budget).remove(&finding.property)
    }
}

impl ChangedModel {
    fn check(
        &mut self,
        properties: Vec<usize>,
        options: EvidenceOptions,
        engine: Engine,
        budget: &Budget,
    ) {
        if properties.is_empty() {
            return;
        }
        let job = Job {
            engine,
            options,
            properties: Some(properties),
            bound: None,
        };
        let Self {
            subject,
            space,
            findings,
            ..
        } = self;
        subject.check_all(&job, budget, &mut |event| match event {
            Event::Finding(finding) => findings.push(*finding),
            Event::Space(known) => *space = Some(known),
            Event::Rejected(_) => {}
        });
    }
}
