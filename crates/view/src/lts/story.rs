//! The evidence of a system in words, for the page of the explorer.

use std::collections::BTreeMap;

use wherefore_evidence::{Claim, Finding, OccurrenceId};
use wherefore_wire::ToldDoc;

use super::rows::rows;
use super::{LtsReport, SystemTelling};
use crate::api::told_of_system;
use crate::phrases::badges;
use crate::sentences::{Sentence, add, texts};
use crate::strands::{Strand, strands};

/// The words; nothing when there is no evidence.
pub(crate) fn told(report: &LtsReport<'_>, finding: &Finding) -> Option<ToldDoc> {
    let telling = SystemTelling::of(*report, finding)?;
    let mut why: BTreeMap<OccurrenceId, Vec<Sentence>> = BTreeMap::new();
    for strand in strands(telling.evidence) {
        // The last row stands for the step that closes a loop.
        let own = strand.rows().count();
        for row in rows(&telling, &strand).into_iter().take(own) {
            let here = why.entry(row.step).or_default();
            row.why.into_iter().for_each(|why| add(here, why));
        }
    }

    let serves = |strand: &Strand<'_>| match strand.serves {
        Claim::Formula(goal, _) => format!("why {} there", telling.goal_text(goal)),
        Claim::HasPath => "a run goes on".to_string(),
    };
    Some(told_of_system(
        telling.evidence,
        telling.because().to_string(),
        texts(badges(telling.evidence, false, Some(&telling.judge))),
        why.into_iter().map(|(at, why)| (at, texts(why))).collect(),
        &serves,
    ))
}
