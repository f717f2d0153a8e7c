//! What is to blame for failures, and what becomes of them once the text is changed.

use wherefore_driver::blame::BlameEffort;
use wherefore_driver::evidence::{Finding, Verdict};
use wherefore_driver::view::api;
use wherefore_driver::view::wire::{
    BlameRequest, BrokenStepDoc, ContraryDoc, MendRequest, to_line,
};

use super::StatesBackend;
use crate::error::RequestError;
use crate::queue::RequestResult;
use crate::worker::ModelWorker;

/// So many times the usual effort is spent at most.
const MOST_EFFORT: f64 = 1000.0;

impl StatesBackend {
    /// What is to blame for the failure of a property. What was found stays found.
    pub(super) fn blame(
        &mut self,
        worker: &ModelWorker<'_>,
        property: usize,
        wanted: &BlameRequest,
    ) -> RequestResult {
        let times = wanted.budget.unwrap_or(1.0);
        if !(times > 0.0 && times <= MOST_EFFORT) {
            let why = format!("`budget` is a number above 0 and at most {MOST_EFFORT}.");
            return Err(RequestError::bad(why));
        }
        let finding = self.failing(property)?;
        if self
            .efforts
            .get(&property)
            .is_none_or(|spent| *spent < times)
        {
            let effort = BlameEffort::ASKED.times(times);
            let found = self.session.to_blame(finding, effort, &worker.budget);
            worker.budget.check()?;
            let finding = self.findings.get_mut(&property);
            let finding = finding.ok_or(RequestError::Internal)?;
            finding.blame = found;
            self.efforts.insert(property, times);
            let report = self.session.report(self.space.as_ref(), &[]);
            worker.update(&api::property(worker.settings.id, &report, finding));
        }
        let report = self.session.report(self.space.as_ref(), &[]);
        let answer = api::blame(worker.settings.id, &report, self.failing(property)?);
        Ok(to_line(&answer).into())
    }

    /// What becomes of the failure of a property once the text is changed. The file is not touched.
    pub(super) fn mend(
        &self,
        worker: &ModelWorker<'_>,
        property: usize,
        wanted: &MendRequest,
    ) -> RequestResult {
        let finding = self.failing(property)?;
        let change = (self.session).text_change(wanted.from, wanted.to, &wanted.text);
        let change = change.ok_or_else(|| {
            RequestError::bad("`from` and `to` are no places between characters of the text.")
        })?;
        let engine = worker.settings.engine;
        let changed = (self.session).with_change(finding, &change, engine, &worker.budget)?;
        let report = changed.subject.report(changed.space.as_ref(), &[]);
        let mut findings = changed.findings.iter();
        let now = findings.find(|finding| finding.property == property);
        let id = worker.settings.id;
        let mut answer = api::mended(
            id,
            (&self.session.report(None, &[]), &self.findings),
            (&report, &changed.findings),
            now.ok_or(RequestError::Internal)?,
            changed.fate.as_ref(),
        );
        answer.broken = changed.broken.map(|step| BrokenStepDoc {
            from: step.from.map(|from| from.index()),
            to: step.to.index(),
        });
        answer.contrary = changed.contrary.as_ref().map(|contrary| {
            let report = contrary.subject.report(None, &[]);
            ContraryDoc {
                state: contrary.at.index(),
                answer: api::property(id, &report, &contrary.finding),
            }
        });
        Ok(to_line(&answer).into())
    }

    /// What was found out about a property that fails.
    fn failing(&self, property: usize) -> Result<&Finding, RequestError> {
        let finding = self.findings.get(&property);
        let finding = finding.ok_or(RequestError::CANCELLED)?;
        if finding.verdict != Verdict::Fails {
            let why = "The property does not fail: nothing is to blame.";
            return Err(RequestError::unsupported(why));
        }
        Ok(finding)
    }
}
