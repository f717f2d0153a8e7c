//! The evidence of a system in words, for the page of the explorer.

use std::collections::BTreeMap;

use wherefore_evidence::{Claim, Finding, OccurrenceId};
use wherefore_wire::ToldDoc;

use super::rows::rows;
use super::{Report, Telling};
use crate::api::told_of_system;
use crate::phrases::badges;
use crate::strands::{Strand, strands};

/// The words; nothing when there is no evidence.
pub(crate) fn told(report: &Report<'_>, finding: &Finding) -> Option<ToldDoc> {
    let telling = Telling::of(*report, finding)?;
    let mut why: BTreeMap<OccurrenceId, Vec<String>> = BTreeMap::new();
    for strand in strands(telling.evidence) {
        // The last row stands for the step that closes a loop.
        let own = strand.rows().count();
        for row in rows(&telling, &strand).into_iter().take(own) {
            let here = why.entry(row.step).or_default();
            here.extend(row.why);
        }
    }
    for remarks in why.values_mut() {
        let mut seen = Vec::new();
        remarks.retain(|remark| {
            let fresh = !seen.contains(remark);
            seen.push(remark.clone());
            fresh
        });
    }
    let serves = |strand: &Strand<'_>| match strand.serves {
        Claim::Formula(goal, _) => format!("why {} there", telling.goal_text(goal)),
        Claim::HasPath => "a run goes on".to_string(),
    };
    Some(told_of_system(
        telling.evidence,
        telling.because(),
        badges(telling.evidence),
        why,
        &serves,
    ))
}
