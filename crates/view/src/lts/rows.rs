//! The rows of a run: step, action, state, and why it matters.

use wherefore_evidence::{OccurrenceId, SegmentEnding};

use super::SystemTelling;
use crate::sentences::Sentence;
use crate::sentences::actions::ending;
use crate::strands::Strand;
use crate::table::Mark;

/// One row of the table of a run.
#[derive(Clone, Debug)]
pub(crate) struct ActionRow {
    pub(crate) mark: Mark,
    pub(crate) step: OccurrenceId,
    /// The label of the step that leads there; empty where the run starts.
    pub(crate) action: String,
    /// What the state that it enters is called.
    pub(crate) state: String,
    pub(crate) why: Vec<Sentence>,
}

/// The rows of a run.
pub(crate) fn rows(telling: &SystemTelling<'_>, strand: &Strand<'_>) -> Vec<ActionRow> {
    let steps: Vec<OccurrenceId> = strand.rows().collect();
    let loop_start = match strand.ending {
        SegmentEnding::Loop(to) => steps.iter().position(|&step| step == to),
        _ => None,
    };
    let mut rows = Vec::new();
    // The claim about the whole property is told already.
    let mut said = steps.first().and_then(|&first| telling.first_claim(first));
    for (at, &step) in steps.iter().enumerate() {
        let mut why = Vec::new();
        let claim = telling.first_claim(step);
        let again = claim.as_ref().zip(said.as_ref());
        if !again.is_some_and(|(claim, said)| claim.reads_as(said)) {
            why.extend(claim.clone());
        }
        said = claim.or(said);
        let own = at > 0 || strand.from.is_none();
        let told = |end: &Sentence| why.iter().any(|why| why.reads_as(end));
        let end = telling.end(step).filter(|end| own && !told(end));
        why.extend(end);
        rows.push(ActionRow {
            mark: match loop_start {
                Some(start) if at == start => Mark::Top,
                Some(start) if at > start => Mark::Side,
                _ => Mark::None,
            },
            step,
            action: match at {
                0 => String::new(),
                _ => telling.action(steps[at - 1], step),
            },
            state: telling.report.state_text(telling.state(step)),
            why,
        });
    }
    if let (Some(to), Some(&last)) = (strand.closing(), steps.last()) {
        rows.push(ActionRow {
            mark: match loop_start {
                Some(_) => Mark::Bottom,
                None => Mark::None,
            },
            step: to,
            action: telling.action(last, to),
            state: telling.report.state_text(telling.state(to)),
            why: ending(strand.ending).into_iter().collect(),
        });
    }
    rows
}

/// The rows of runs of one step from the same state.
pub(crate) fn fan(telling: &SystemTelling<'_>, strands: &[&Strand<'_>]) -> Vec<ActionRow> {
    let last = |strand: &&Strand<'_>| rows(telling, strand).pop();
    strands.iter().filter_map(last).collect()
}
