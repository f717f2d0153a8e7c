//! The transitions of files that a counterexample takes.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_evidence::modal::{label, state};
use wherefore_evidence::{Evidence, OccurrenceId, Rule};
use wherefore_lts::aut::AutPlaces;
use wherefore_lts::compose::{LiftedStep, PartMove};
use wherefore_model::lts::{Lts, Transition};

/// The transitions of files that a counterexample takes.
#[derive(Clone, Default, Debug)]
pub(super) struct TakenTransitions {
    pub(super) moves: BTreeSet<PartMove>,
    /// Files of which it is not known which transitions are taken.
    pub(super) reduced: BTreeSet<usize>,
}

/// The transition of a line.
pub(super) fn move_at(places: &[AutPlaces], file: usize, line: usize) -> PartMove {
    let Transition { from, label, to } = places[file].transitions[line].transition;
    PartMove {
        file,
        from,
        label,
        to,
    }
}

/// Whether a counterexample may take the transition of a line.
pub(super) fn touches(
    places: &[AutPlaces],
    taken: &TakenTransitions,
    file: usize,
    line: usize,
) -> bool {
    taken.reduced.contains(&file) || taken.moves.contains(&move_at(places, file, line))
}

/// Whether an evidence shows the failure by steps that can be taken, and not by the lack of others.
pub(super) fn rests_on_runs(evidence: &Evidence) -> bool {
    let runs = |rule| matches!(rule, Some(Rule::State | Rule::Branch(_) | Rule::Step));
    evidence.proof.iter().all(|node| runs(node.rule))
}

/// What takes part in each step of an evidence, with the occurrence that the step enters; `None` where that is not known.
pub(super) fn lifted(
    lts: &Lts,
    evidence: &Evidence,
    lift: impl Fn(Transition) -> Option<LiftedStep>,
) -> Option<Vec<(OccurrenceId, LiftedStep)>> {
    let steps = evidence.edges.iter().map(|edge| {
        let at = |occurrence: OccurrenceId| state(lts, &evidence.occurrences[occurrence].values);
        let step = Transition {
            from: at(edge.from)?,
            label: label(lts, &edge.input)?,
            to: at(edge.to)?,
        };
        Some((edge.to, lift(step)?))
    });
    steps.collect()
}

/// The transitions that take part in some step.
pub(super) fn taken(steps: &[(OccurrenceId, LiftedStep)]) -> TakenTransitions {
    let mut taken = TakenTransitions::default();
    for (_, step) in steps {
        taken.moves.extend(&step.moves);
        taken.reduced.extend(&step.reduced);
    }
    taken
}

/// Each transition with the steps that take it.
pub(super) fn slice(
    steps: Vec<(OccurrenceId, LiftedStep)>,
) -> BTreeMap<PartMove, BTreeSet<OccurrenceId>> {
    let mut slice: BTreeMap<PartMove, BTreeSet<OccurrenceId>> = BTreeMap::new();
    for (to, step) in steps {
        for one in step.moves {
            slice.entry(one).or_default().insert(to);
        }
    }
    slice
}
