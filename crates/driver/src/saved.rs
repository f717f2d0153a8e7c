//! Saved evidence against a model: does it still run, does it still show what it showed, how short
//! can it be?

use wherefore_base::{Budget, Run, Value};
use wherefore_check::Tableau;
use wherefore_evidence::certificate::{Over, verify};
use wherefore_evidence::{
    Investigator, Rerun, Shrunk, SpaceSummary, Walk, broken_step, first_flaw, rerun,
};
use wherefore_model::{PropertyBody, Query};
use wherefore_space::StateSpace;
use wherefore_view::fate::Fate;
use wherefore_view::read::certificate;
use wherefore_view::read::{DocumentMisfit, SavedTrace, fit, main_run, rebuild, witness_query};
use wherefore_view::wire::{CertificateDoc, EvidenceDoc, PropertyDoc, VerdictName};

use crate::Capability;
use crate::engines::product::Product;
use crate::engines::{Engine, OverSpace, certify, over_space};
use crate::subjects::model::ModelSubject;

/// A trace that was followed through a model.
#[derive(Clone, Debug)]
pub struct Followed {
    /// What became of it.
    pub fate: Fate,
    /// What was left out of account or is left open, in sentences.
    pub notes: Vec<String>,
    /// The run, if the model does it.
    pub walk: Option<Walk>,
}

impl ModelSubject {
    /// The property with a name, or else the only one with a text.
    pub fn find_property(&self, name: &str, text: Option<&str>) -> Option<usize> {
        let properties = &self.model().properties;
        let named = properties.iter().position(|property| property.name == name);
        named.or_else(|| properties.iter().position(|p| Some(&*p.text) == text))
    }

    /// Follows a trace through the model.
    pub fn follow(&self, trace: &SavedTrace, budget: &Budget) -> Run<Followed> {
        let fitted = match fit(self.model(), trace) {
            Ok(fitted) => fitted,
            Err(misfit) => {
                return Ok(Followed {
                    fate: Fate::misfit(&misfit),
                    notes: Vec::new(),
                    walk: None,
                });
            }
        };
        let mut notes = fitted.notes.clone();
        let (fate, walk) = match rerun(self.model(), &fitted.track, budget)? {
            Rerun::Runs(walk) => {
                notes.extend(fitted.wrong_defines(self.model(), &walk));
                // The walk may go round a loop once more than the trace, for what fairness remembers.
                let closes = walk.back.is_some();
                let steps = trace.states.len().saturating_sub(usize::from(!closes));
                (Fate::runs(steps, closes), Some(walk))
            }
            Rerun::Dies(death) => (Fate::dies(&self.report(None, &[]), &death), None),
            Rerun::TooOpen(at) => (Fate::too_open(at), None),
        };
        Ok(Followed { fate, notes, walk })
    }

    /// What became of the evidence (or witness) that a document has for a property.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn fate(&self, property: usize, saved: &PropertyDoc, budget: &Budget) -> Run<Option<Fate>> {
        let number = property;
        let property = &self.model().properties[number];
        let Some(query) = property.body.query() else {
            return Ok(None);
        };
        let now = (property.text != saved.text).then_some(&*property.text);
        let certificate = saved.certificate.as_ref();
        let certificate = certificate.filter(|certificate| certificate.reason.is_none());
        if let Some(evidence) = &saved.evidence {
            let holds = saved.verdict == VerdictName::Holds;
            let fate = self.judge(query, holds, evidence, now, budget)?;
            if !fate.is_good() || certificate.is_none() {
                return Ok(Some(fate));
            }
        }
        if let Some(certificate) = certificate {
            return self.verify(number, certificate, now, budget).map(Some);
        }
        let Some(witness) = &saved.witness else {
            return Ok(None);
        };
        match witness_query(witness, &self.report(None, &[]), query) {
            Some(query) => self.judge(&query, false, &witness.evidence, now, budget),
            None => self.only_follow(&witness.evidence, "the property is another one now", budget),
        }
        .map(Some)
    }

    /// Has a solver re-check a certificate, which must be right for the model as it is now.
    fn verify(
        &self,
        number: usize,
        saved: &CertificateDoc,
        now: Option<&str>,
        budget: &Budget,
    ) -> Run<Fate> {
        let property = &self.model().properties[number];
        let over = certificate::over(saved);
        let (tableau, subject);
        let (model, asked, query) = match &property.body {
            PropertyBody::Query(query) | PropertyBody::Linear(query)
                if matches!(over, Over::States | Over::Turns(_) | Over::Loops { .. }) =>
            {
                let Some(found) = certify::subject(self.model(), number, &over) else {
                    return Ok(Fate::misfit(&DocumentMisfit::Broken(
                        "the property does not ask what the certificate shows".to_string(),
                    )));
                };
                subject = found;
                (&*subject.0, &subject.1, query)
            }
            PropertyBody::Query(query) => (self.model(), query, query),
            PropertyBody::Linear(query) => {
                tableau = Tableau::new(self.model(), query, property.span);
                (&tableau.model, &tableau.query, query)
            }
            PropertyBody::Distance(_) | PropertyBody::Unsupported(_) => {
                return Ok(Fate::misfit(&DocumentMisfit::Broken(
                    "the property is none that a certificate is about".to_string(),
                )));
            }
        };
        let certificate = match certificate::rebuild(saved, model) {
            Ok(certificate) => certificate,
            Err(misfit) => return Ok(Fate::misfit(&misfit)),
        };
        budget.phase("re-checking the certificate");
        Ok(match verify(model, asked, &certificate, budget)? {
            Ok(conditions) => Fate::certified(conditions, now),
            Err(broken) => Fate::refused(&self.report(None, &[]), query, &broken),
        })
    }

    fn judge(
        &self,
        query: &Query,
        holds: bool,
        saved: &EvidenceDoc,
        now: Option<&str>,
        budget: &Budget,
    ) -> Run<Fate> {
        let report = self.report(None, &[]);
        let evidence = match rebuild(saved, self.model(), query) {
            Ok(evidence) => evidence,
            Err(misfit @ DocumentMisfit::Value { .. }) => return Ok(Fate::misfit(&misfit)),
            Err(_) if now.is_some() => {
                return self.only_follow(saved, "the property is another one now", budget);
            }
            Err(misfit) => {
                let why = format!("its proof is not re-checked: {misfit}");
                return self.only_follow(saved, &why, budget);
            }
        };
        if let Some((_, death)) = broken_step(self.model(), &evidence, budget)? {
            return Ok(Fate::dies(&report, &death));
        }
        let flaw = first_flaw(self.model(), query, holds, &evidence, budget)?;
        Ok(match flaw {
            None => Fate::shows(now),
            Some(flaw) => Fate::flawed(&report, query, &evidence, &flaw, now),
        })
    }

    /// What becomes of the main run of an evidence that cannot be re-checked as a whole.
    fn only_follow(&self, saved: &EvidenceDoc, why: &str, budget: &Budget) -> Run<Fate> {
        let Some(trace) = main_run(saved) else {
            return Ok(Fate::misfit(&DocumentMisfit::Broken(
                "it has no run".to_string(),
            )));
        };
        let followed = self.follow(&trace, budget)?;
        Ok(match followed.walk {
            Some(_) => Fate::runs_only(why),
            None => followed.fate,
        })
    }

    /// The shortest evidence for the verdict of a property whose runs go through these states only.
    ///
    /// # Panics
    /// When the model has no property with this index.
    pub fn shrink(
        &self,
        property: usize,
        states: &[Vec<Value>],
        engine: Engine,
        budget: &Budget,
    ) -> Run<(SpaceSummary, Shrunk)> {
        let work = Shrinking {
            property,
            states,
            engine,
            budget,
        };
        over_space(self.model(), engine, budget, work)
    }
}

struct Shrinking<'a> {
    property: usize,
    states: &'a [Vec<Value>],
    engine: Engine,
    budget: &'a Budget,
}

impl OverSpace for Shrinking<'_> {
    type Outcome = (SpaceSummary, Shrunk);

    fn over<S: StateSpace>(self, space: &S) -> Run<Self::Outcome> {
        let Self {
            property,
            states,
            engine,
            budget,
        } = self;
        let investigator = Investigator::new(space)?;
        let body = &space.model().properties[property].body;
        let shrunk = match (Capability::Shrink.refused_for(body), body) {
            (Some(why), _) => Shrunk::Unsupported(why),
            (None, PropertyBody::Linear(query)) => {
                let product = Product::new(space, property, query, engine, budget);
                product.over(ShrinkingRun {
                    investigator: &investigator,
                    property,
                    states,
                    tableau: &product.tableau,
                })?
            }
            (None, PropertyBody::Query(query)) => investigator.shrink(property, query, states)?,
            (None, _) => Shrunk::Unsupported(String::new()),
        };
        Ok((investigator.summary().clone(), shrunk))
    }
}

/// Shrinking a run that refutes a formula of linear time.
struct ShrinkingRun<'a, 's, S: StateSpace> {
    investigator: &'a Investigator<'s, S>,
    property: usize,
    states: &'a [Vec<Value>],
    tableau: &'a Tableau,
}

impl<S: StateSpace> OverSpace for ShrinkingRun<'_, '_, S> {
    type Outcome = Shrunk;

    fn over<P: StateSpace>(self, product: &P) -> Run<Shrunk> {
        let Self {
            investigator,
            property,
            states,
            tableau,
        } = self;
        investigator.shrink_linear(property, states, tableau, product)
    }
}
