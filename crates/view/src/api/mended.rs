//! What is to blame for a failure, and what becomes of it once the text is changed.

use std::collections::BTreeMap;

use wherefore_evidence::Finding;
use wherefore_wire::{BlameAnswer, MendAnswer, MendVerdictDoc, PropertyDoc, VerdictDoc};

use super::property;
use crate::Report;
use crate::fate::Fate;
use crate::json;

/// What is to blame for the failure of a property of a model, given by its number.
pub fn blame(model: usize, report: &Report<'_>, finding: &Finding) -> BlameAnswer {
    let PropertyDoc {
        blame,
        blame_search,
        ..
    } = json::property(report, finding);
    BlameAnswer {
        model,
        property: finding.property,
        blame,
        blame_search,
    }
}

/// What becomes of the failure of a property. The findings about the model as it is and about the changed one come with the
/// reports that tell them; `failing` is one of the latter.
pub fn mended(
    model: usize,
    (before, then): (&Report<'_>, &BTreeMap<usize, Finding>),
    (after, now): (&Report<'_>, &[Finding]),
    failing: &Finding,
    fate: Option<&Fate>,
) -> MendAnswer {
    let verdicts = now.iter().map(|finding| {
        let then = then.get(&finding.property);
        let now = json::property(after, finding);
        MendVerdictDoc {
            property: finding.property,
            name: now.name.clone(),
            then: then.map(|finding| verdict(json::property(before, finding))),
            now: verdict(now),
        }
    });
    MendAnswer {
        fate: fate.map(Fate::doc),
        broken: None,
        contrary: None,
        verdicts: verdicts.collect(),
        after: property(model, after, failing),
    }
}

fn verdict(property: PropertyDoc) -> VerdictDoc {
    VerdictDoc {
        verdict: property.verdict,
        vacuous: property.vacuous,
        of_nothing: property.of_nothing,
    }
}
