//! The runs of an evidence, each from the initial state on.

use wherefore_evidence::{Claim, Evidence, OccurrenceId, SegmentEnding};

use crate::strands::{Strand, strands};
use crate::words::Telling;

/// A path or a lasso.
pub(crate) struct Run {
    /// The occurrences in order.
    pub(crate) states: Vec<OccurrenceId>,
    /// Where in [`Run::states`] the last step leads back to.
    pub(crate) back: Option<usize>,
    /// What a run that branches off serves; `None` for the main run.
    pub(crate) serves: Option<Claim>,
}

impl Run {
    /// The steps in order, with the one that closes the loop.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (OccurrenceId, OccurrenceId)> + '_ {
        let pairs = self.states.windows(2).map(|pair| (pair[0], pair[1]));
        let closing = self
            .back
            .and_then(|back| Some((*self.states.last()?, self.states[back])));
        pairs.chain(closing)
    }
}

/// The main run, then those that branch off to show something else than that a run goes on.
pub(crate) fn runs(telling: &Telling<'_>) -> Vec<Run> {
    runs_of(telling.evidence)
}

/// The runs of an evidence, as [`runs`].
pub(crate) fn runs_of(evidence: &Evidence) -> Vec<Run> {
    let strands = strands(evidence);
    let told = strands.iter().enumerate();
    let told = told.filter(|(at, strand)| *at == 0 || strand.serves != Claim::HasPath);
    told.map(|(_, strand)| run(&strands, strand)).collect()
}

fn run(all: &[Strand<'_>], strand: &Strand<'_>) -> Run {
    let mut states: Vec<OccurrenceId> = Vec::new();
    let mut at = strand.from;
    while let Some(step) = at {
        states.push(step);
        at = before(all, step);
    }
    states.reverse();
    states.extend(&strand.states);
    let back = match strand.ending {
        SegmentEnding::Loop(to) => states.iter().rposition(|&step| step == to),
        SegmentEnding::Goal | SegmentEnding::DeadEnd | SegmentEnding::Joins(_) => None,
    };
    Run {
        states,
        back,
        serves: strand.from.map(|_| strand.serves),
    }
}

/// The occurrence before another one.
fn before(all: &[Strand<'_>], step: OccurrenceId) -> Option<OccurrenceId> {
    let strand = all.iter().find(|strand| strand.states.contains(&step))?;
    let at = strand.states.iter().position(|&state| state == step)?;
    match at.checked_sub(1) {
        Some(before) => Some(strand.states[before]),
        None => strand.from,
    }
}
