//! The runs in a document of ours.

use wherefore_logic::PathRule;
use wherefore_wire::{EndingName, EvidenceDoc, PathsName, PropertyDoc, SegmentDoc, ValuesDoc};

use super::trace::{Datum, SavedTrace, TraceFormat, Valuation};

/// The path rule that was chosen for a property.
pub fn chosen_rule(property: &PropertyDoc) -> Option<PathRule> {
    Some(match property.paths? {
        PathsName::FairInfinite => PathRule::FairInfinite,
        PathsName::Reach => PathRule::Reach,
        PathsName::Plain => PathRule::Plain,
        PathsName::PlainFair => PathRule::PlainFair,
        PathsName::Maximal => PathRule::Maximal,
    })
}

/// The main run of the evidence of a property, or of its witness where there is no other; `None` when there is
/// neither, or no run in it.
pub fn main_run_of(property: &PropertyDoc) -> Option<SavedTrace> {
    let witness = property.witness.as_ref().map(|witness| &witness.evidence);
    let mut trace = main_run(property.evidence.as_ref().or(witness)?)?;
    trace.title = Some(property.name.clone());
    Some(trace)
}

/// The main run of evidence; `None` when it has none.
pub fn main_run(evidence: &EvidenceDoc) -> Option<SavedTrace> {
    let main: Vec<&SegmentDoc> = evidence.segments.iter().filter(|s| s.main).collect();
    let run: Vec<usize> = main.iter().flat_map(|s| s.states.iter().copied()).collect();
    let states = run
        .iter()
        .map(|&at| Some(valuation(&evidence.states.get(at)?.values)));
    let states: Vec<Valuation> = states.collect::<Option<_>>()?;
    let back = main.iter().find(|s| s.ending == EndingName::Loop);
    let back = back.and_then(|s| s.to);
    let back = back.and_then(|to| run.iter().position(|&at| at == to));
    let input = |from: usize, to: usize| {
        let edge = evidence.edges.iter().find(|e| e.from == from && e.to == to);
        edge.map(|edge| valuation(&edge.inputs)).unwrap_or_default()
    };
    let mut inputs: Vec<Valuation> = run.windows(2).map(|w| input(w[0], w[1])).collect();
    if let (Some(back), Some(&last)) = (back, run.last()) {
        inputs.push(input(last, run[back]));
    }
    (!states.is_empty()).then_some(SavedTrace {
        format: TraceFormat::Document,
        title: None,
        states,
        inputs,
        back,
    })
}

fn valuation(values: &ValuesDoc) -> Valuation {
    let values = values.iter();
    values
        .map(|(name, value)| (name.to_string(), Datum::of(value)))
        .collect()
}
