//! Formulas that some path is one way, which runs show to hold and not to fail.
//!
//! Such a formula fails in a state where its opposite, which is about every path, holds. That is what a solver is asked.
//! A formula must hold in every initial state, and a run starts in one.

use wherefore_base::{Budget, Run};
use wherefore_evidence::{Evidence, EvidenceOptions, Finding, Note, UnknownReason, Verdict};
use wherefore_logic::{Op, PathOp, Quantifier};
use wherefore_model::{Interpreter, Model, PropertyBody};
use wherefore_satcheck::{Bounded, Existing, SatOutcome, bounded};

use super::{about, holding, listed_notes, no_run, told};

/// At most so many values are tried to find all initial states.
const TRIES: u64 = 1_000;

/// The model with the opposite of a property, which fails in a state, with the same runs to show it, if the property holds
/// there. Only a formula that some path is one way has one.
pub(super) fn opposite(model: &Model, property: usize) -> Option<Model> {
    let PropertyBody::Query(query) = &model.properties[property].body else {
        return None;
    };
    let mut query = query.clone();
    let formula = &mut query.formula;
    let Op::Path(Quantifier::Exists, path) = formula.op(formula.root()) else {
        return None;
    };
    let (PathOp::Finally(inner) | PathOp::Globally(inner)) = path else {
        return None;
    };
    let not = formula.add(Op::Not(inner), None);
    let path = match path {
        PathOp::Finally(_) => PathOp::Globally(not),
        _ => PathOp::Finally(not),
    };
    formula.add(Op::Path(Quantifier::Forall, path), None);
    let mut model = model.clone();
    model.properties[property].body = PropertyBody::Query(query);
    Some(model)
}

/// Evidence of a verdict that is known, from a run that a solver finds: that a property fails, or that one about some path
/// holds. `None` if no single run of bounded length shows it.
pub(crate) fn shown(
    model: &Model,
    finding: &Finding,
    options: &EvidenceOptions,
    budget: &Budget,
) -> Run<Option<Evidence>> {
    let property = finding.property;
    let holds = finding.verdict == Verdict::Holds;
    let refuted = match holds {
        false => bounded(model, property, usize::MAX, budget)?,
        true => match opposite(model, property) {
            Some(model) => bounded(&model, property, usize::MAX, budget)?,
            None => return Ok(None),
        },
    };
    match refuted {
        Bounded::Fails(refutation) => told(model, property, holds, options, &refutation, budget),
        Bounded::Holds(_) | Bounded::Open | Bounded::Unfit(_) => Ok(None),
    }
}

/// What is known of a property from the answer to its opposite.
pub(super) fn answered(
    model: &Model,
    property: usize,
    outcome: SatOutcome,
    options: &EvidenceOptions,
    budget: &Budget,
) -> Finding {
    let with = |verdict, notes| Finding {
        verdict,
        notes,
        ..holding(model, property)
    };
    let open = |why: &str| {
        let why = UnknownReason::Unsupported(why.into());
        with(Verdict::Unknown(why), vec![])
    };
    let refutation = match outcome {
        SatOutcome::Holds(_) => {
            return match about(model, property, budget) {
                Ok(Existing::Run) => with(Verdict::Fails, vec![Note::Said(NO_RUN.into())]),
                Ok(Existing::Nothing) => with(Verdict::Holds, vec![Note::NoInitialState]),
                Ok(Existing::NoRun(steps)) => with(
                    Verdict::Holds,
                    no_run(model, steps, budget).into_iter().collect(),
                ),
                Ok(Existing::Start) => match listed_notes(model, budget) {
                    Ok(Some(notes)) if is_empty(&notes) => with(Verdict::Holds, notes),
                    Ok(Some(notes)) => {
                        let no_run = [Note::Said(NO_RUN.into())];
                        with(Verdict::Fails, notes.into_iter().chain(no_run).collect())
                    }
                    Ok(None) | Err(_) => open(NO_FAIR_RUN),
                },
                Err(_) => open(NO_FAIR_RUN),
            };
        }
        SatOutcome::Fails(refutation) => refutation,
        SatOutcome::Unknown(why) => return open(&why),
    };
    if !starts_in_one_state(model, budget).unwrap_or(false) {
        return open(SOMEWHERE);
    }
    let mut finding = with(Verdict::Holds, vec![]);
    if options.evidence {
        // The verdict stays when there is no time left to tell why.
        let told = told(model, property, true, options, &refutation, budget);
        finding.evidence = told.ok().flatten();
    }
    finding
}

/// Whether circumstances say that there is no run.
fn is_empty(notes: &[Note]) -> bool {
    notes
        .iter()
        .any(|note| matches!(note, Note::NoFairState(_)))
}

const NO_RUN: &str = "no run from an initial state is like that; a solver proved it, so there is nothing to walk through";
const NO_FAIR_RUN: &str = "the SAT engine proved that no run is like that, and found no fair run at all in a short search";
const SOMEWHERE: &str = "the SAT engine found such a run from some initial state, and there may be others; take the explicit or \
     the BDD engine for this one";

fn starts_in_one_state(model: &Model, budget: &Budget) -> Run<bool> {
    let initial = Interpreter::new(model).initial_states_within(TRIES, budget)?;
    Ok(initial.is_some_and(|initial| initial.len() == 1))
}

#[cfg(test)]
mod tests {
    use wherefore_evidence::{Deadlocked, NoRun, Replay};

    use super::*;
    use crate::engines::Engine;
    use crate::engines::sat::tests::findings;

    #[test]
    fn some_path_is_found_or_proved_not_to_be_there() {
        let text = "MODULE main VAR n : 0..6; b : boolean;
            ASSIGN init(n) := 0; next(n) := n < 5 ? {n, n + 1} : n; init(b) := FALSE;
            SPEC EF n = 4 SPEC EF n = 6 SPEC EG n = 0 SPEC EG n < 0 SPEC EG (n = 0 | b)";
        for text in [text.to_string(), format!("{text} FAIRNESS b")] {
            let explicit = findings(&text, Engine::Explicit);
            for ours in findings(&text, Engine::Sat) {
                let theirs = &explicit[ours.property];
                assert_eq!(ours.verdict, theirs.verdict, "property {}", ours.property);
                let holds = ours.verdict == Verdict::Holds;
                assert_eq!(ours.evidence.is_some(), holds);
                let Some(evidence) = ours.evidence else {
                    assert_eq!(ours.notes, [Note::Said(NO_RUN.into())]);
                    continue;
                };
                assert_eq!(evidence.replay, Replay::Ok);
                let theirs = theirs.evidence.as_ref().expect("it holds");
                assert_eq!(evidence.main_run(), theirs.main_run());
            }
        }
    }

    #[test]
    fn a_run_from_one_of_several_initial_states_is_not_enough() {
        let text = "MODULE main VAR n : 0..3; ASSIGN next(n) := n; SPEC EF n = 2 SPEC EF n > 3";
        let findings = findings(text, Engine::Sat);
        assert!(matches!(findings[0].verdict, Verdict::Unknown(_)));
        assert_eq!(findings[1].verdict, Verdict::Fails);
    }

    #[test]
    fn without_a_run_it_is_told_why_it_holds() {
        let notes = |text: &str| {
            let text = format!("MODULE main VAR n : 0..3; {text}");
            let finding = findings(&text, Engine::Sat).remove(0);
            assert_eq!(finding.verdict, Verdict::Holds);
            finding.notes
        };
        assert_eq!(notes("INIT n > 3 SPEC EF n = 5"), [Note::NoInitialState]);
        let no_run = NoRun {
            deadlock: Some(Deadlocked::Nearest(0)),
            unfair: None,
            decisive: true,
        };
        assert_eq!(
            notes("TRANS n > 3 SPEC EF n > 3"),
            [Note::NoFairState(no_run)]
        );
    }
}
