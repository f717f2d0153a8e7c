//! When certificates are made.

use std::collections::BTreeMap;

use wherefore_base::Budget;
use wherefore_evidence::certificate::{Certified, NoCertificate};
use wherefore_evidence::{EvidenceOptions, Finding, Verdict};
use wherefore_model::Model;

use crate::engines::{Event, Job, check_model_with, run};
use crate::strategy::Strategies;

/// Checks several properties of a model, and makes certificates when all are answered: one may take long, and no
/// answer waits for it.
pub(crate) fn last(
    model: &Model,
    job: &Job,
    strategies: &Strategies,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) {
    let answers = Job {
        options: EvidenceOptions {
            certificate: false,
            ..job.options.clone()
        },
        ..job.clone()
    };
    let mut holding: BTreeMap<usize, Box<Finding>> = BTreeMap::new();
    check_model_with(model, &answers, strategies, budget, &mut |event| {
        match event {
            Event::Finding(finding) if finding.verdict == Verdict::Holds => {
                holding.insert(finding.property, finding);
            }
            event => tell(event),
        };
    });
    if holding.is_empty() {
        return;
    }
    let certificates = Job {
        properties: Some(holding.keys().copied().collect()),
        options: EvidenceOptions {
            evidence: false,
            vacuity: false,
            certificate: true,
            ..EvidenceOptions::default()
        },
        ..job.clone()
    };
    let outcome = run(model, &certificates, strategies, budget, &mut |event| {
        if let Event::Finding(certified) = event
            && certified.certificate.is_some()
            && let Some(mut finding) = holding.remove(&certified.property)
        {
            finding.certificate = certified.certificate;
            tell(Event::Finding(finding));
        }
    });
    let stop = outcome.and_then(|()| budget.check()).err();
    for mut finding in holding.into_values() {
        let why = stop.map_or(NoCertificate::Engine, NoCertificate::Stopped);
        finding.certificate = Some(Certified::None(why));
        tell(Event::Finding(finding));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelSubject;
    use crate::engines::findings;

    #[test]
    fn every_property_is_answered_once_and_those_that_hold_say_what_became_of_certificates() {
        let text = "MODULE main VAR a : 0..3; b : 0..3; c : boolean;
            ASSIGN init(a) := 0; next(a) := (a + 1) mod 4; init(b) := 0; next(b) := (b + 1) mod 4;
            SPEC AG a = b SPEC AG c SPEC AG (c | !c) SPEC AG EF a = 3";
        let session = ModelSubject::from_text("twins.smv", text).expect("it is right");
        let job = Job {
            options: EvidenceOptions {
                certificate: true,
                ..EvidenceOptions::default()
            },
            ..Job::default()
        };
        let mut findings = findings(session.model(), &job);
        findings.sort_by_key(|finding| finding.property);
        let properties: Vec<usize> = findings.iter().map(|finding| finding.property).collect();
        assert_eq!(properties, [0, 1, 2, 3]);
        for finding in &findings {
            let holds = finding.verdict == Verdict::Holds;
            assert_eq!(holds, finding.property != 1);
            assert_eq!(finding.certificate.is_some(), holds);
            assert_eq!(finding.evidence.is_some(), !holds);
        }
    }
}
