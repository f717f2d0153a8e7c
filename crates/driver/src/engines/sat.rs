//! Findings of the SAT engine: verdicts without a space, and evidence from the run that a solver found.
//!
//! The run becomes a model of its own: the same model, restricted to the states and steps of the run. Over
//! it the evidence is told as always, and then replayed in the model that was asked about.

mod restricted;
mod some_path;

use std::collections::BTreeMap;
use std::time::Duration;

use wherefore_base::{Budget, Run};
use wherefore_check::Tableau;
use wherefore_evidence::certificate::{Certified, NoCertificate};
use wherefore_evidence::{
    Deadlocked, Evidence, EvidenceOptions, Finding, Investigator, NoRun, Note, Shape,
    UnknownReason, Verdict, replay,
};
use wherefore_logic::{Op, PathRule, class_of};
use wherefore_model::{Model, PropertyBody};
use wherefore_satcheck::{
    Bounded, Existing, SatOutcome, SatRefutation, bounded, decide, existing, question,
};
use wherefore_space::explicit::{Explicit, ExplorationLimits};

use crate::engines::auto::small;
use crate::engines::certify::certify;
use crate::engines::{Event, Job, undecided};
use restricted::{restricted, restricted_and_resting};
pub(crate) use some_path::shown;

/// The first turn of each of several properties; the next ones are longer.
const TURN: Duration = Duration::from_secs(1);
/// So many times as long.
const LONGER: u32 = 4;
/// The lasso that shows what is known to fail has at most so many steps, or some times as many as the path to it.
const LASSO: usize = 256;
/// How often a solver may ask whether to stop while it looks for that lasso.
const EFFORT: u64 = 20_000;

/// Answers the properties of a job that are still wanted, without a space.
pub(crate) fn check(
    model: &Model,
    job: &Job,
    wanted: &dyn Fn(usize) -> bool,
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    let mut open = job.selection(model);
    open.retain(|&property| wanted(property));
    if let Some(most) = job.bound {
        for property in open {
            budget.check()?;
            let finding = investigate_bounded(model, property, most, &job.options, budget);
            let finding = finding.unwrap_or_else(|stop| undecided(model, property, stop));
            tell(Event::Finding(Box::new(finding)));
        }
        return Ok(());
    }
    let mut opposites = BTreeMap::new();
    // What is not for this engine need not wait for the rest.
    open.retain(|&property| match question(model, property) {
        Ok(_) => true,
        Err(why) => match some_path::opposite(model, property) {
            Some(opposite) if question(&opposite, property).is_ok() => {
                opposites.insert(property, opposite);
                true
            }
            _ => {
                tell(Event::Finding(Box::new(unsupported(model, property, why))));
                false
            }
        },
    });
    // One that is hard must not keep the others waiting.
    let mut length = TURN;
    while !open.is_empty() {
        let alone = open.len() == 1;
        let mut later = Vec::new();
        for property in open.into_iter().filter(|&property| wanted(property)) {
            budget.check()?;
            let turn = match alone {
                true => budget.clone(),
                false => budget.within(length),
            };
            let opposite = opposites.get(&property);
            let outcome = decide(opposite.unwrap_or(model), property, &turn);
            // A run that was found at the end of a turn may not be the one that every engine shows.
            let cut_short = matches!(outcome, Err(_) | Ok(SatOutcome::Fails(_)));
            if cut_short && turn.check().is_err() && budget.check().is_ok() {
                later.push(property);
                continue;
            }
            let finding = outcome.map_or_else(
                |stop| undecided(model, property, stop),
                |outcome| match opposite {
                    None => answered(model, property, outcome, &job.options, budget),
                    Some(_) => some_path::answered(model, property, outcome, &job.options, budget),
                },
            );
            tell(Event::Finding(Box::new(finding)));
        }
        open = later;
        length *= LONGER;
    }
    Ok(())
}

fn answered(
    model: &Model,
    property: usize,
    outcome: SatOutcome,
    options: &EvidenceOptions,
    budget: &Budget,
) -> Finding {
    match outcome {
        SatOutcome::Holds(proof) => Finding {
            certificate: options.certificate.then(|| {
                let certified = certify(model, property, &proof, budget);
                certified.unwrap_or_else(|stop| Certified::None(NoCertificate::Stopped(stop)))
            }),
            notes: notes(model, property, budget).unwrap_or_default(),
            ..holding(model, property)
        },
        SatOutcome::Fails(refutation) => failing(model, property, options, &refutation, budget),
        SatOutcome::Unknown(why) => unsupported(model, property, why),
    }
}

fn unsupported(model: &Model, property: usize, why: String) -> Finding {
    Finding {
        verdict: Verdict::Unknown(UnknownReason::Unsupported(why)),
        ..holding(model, property)
    }
}

/// What must be known of a property that holds: whether there is anything that it is about.
pub(crate) fn notes(model: &Model, property: usize, budget: &Budget) -> Run<Vec<Note>> {
    Ok(match about(model, property, budget)? {
        Existing::Nothing => vec![Note::NoInitialState],
        Existing::NoRun(steps) => vec![no_run(model, steps, budget)?],
        Existing::Start => match listed_notes(model, budget)? {
            Some(notes) => notes,
            None => vec![Note::Said(
                "no fair run was found in a short search; if there is none, the property holds whatever it says"
                    .into(),
            )],
        },
        Existing::Run => vec![],
    })
}

/// Why there is no run, where none has more than so many steps.
fn no_run(model: &Model, steps: usize, budget: &Budget) -> Run<Note> {
    let listed = listed_notes(model, budget)?;
    let exact = listed.and_then(|notes| {
        let mut notes = notes.into_iter();
        notes.find(|note| matches!(note, Note::NoFairState(_)))
    });
    let steps = u32::try_from(steps).unwrap_or(u32::MAX);
    Ok(exact.unwrap_or(Note::NoFairState(NoRun {
        deadlock: Some(Deadlocked::Within(steps)),
        unfair: None,
        decisive: true,
    })))
}

/// What a list of all states says of the runs of a model, if there are few states.
fn listed_notes(model: &Model, budget: &Budget) -> Run<Option<Vec<Note>>> {
    let Ok(space) = small(model, budget)? else {
        return Ok(None);
    };
    let investigator = Investigator::new(&space)?;
    let notes = investigator.notes(PathRule::FairInfinite, &|| Ok(true))?;
    Ok(Some(notes))
}

/// What there is that a property is about.
fn about(model: &Model, property: usize, budget: &Budget) -> Run<Existing> {
    let runs = match &model.properties[property].body {
        PropertyBody::Query(query) => query.rule.skips_initial_states_without_path(),
        _ => true,
    };
    existing(model, runs, budget)
}

/// What runs of at most so many steps say of a property.
fn investigate_bounded(
    model: &Model,
    property: usize,
    most: usize,
    options: &EvidenceOptions,
    budget: &Budget,
) -> Run<Finding> {
    let unknown = |why: String| unsupported(model, property, why);
    Ok(match bounded(model, property, most, budget)? {
        Bounded::Fails(refutation) => failing(model, property, options, &refutation, budget),
        Bounded::Holds(_) => holding(model, property),
        Bounded::Open => unknown(format!(
            "no run of at most {most} steps breaks it, nor one that goes round within them; a longer one may"
        )),
        Bounded::Unfit(why) => unknown(why),
    })
}

/// The finding that a property holds.
pub(crate) fn holding(model: &Model, property: usize) -> Finding {
    Finding::new(property, Verdict::Holds, class(model, property))
}

/// The finding that a property fails, with evidence from the run that refutes it.
pub(crate) fn failing(
    model: &Model,
    property: usize,
    options: &EvidenceOptions,
    refutation: &SatRefutation,
    budget: &Budget,
) -> Finding {
    // The verdict stays when there is no time left to tell why.
    let told = options
        .evidence
        .then(|| told(model, property, false, options, refutation, budget));
    let evidence = told.and_then(|told| told.ok()?);
    let linear = matches!(model.properties[property].body, PropertyBody::Linear(_));
    let mut notes = vec![];
    if options.evidence && evidence.is_none() && refutation.trace.back.is_none() && linear {
        let steps = refutation.trace.states.len() - 1;
        notes.push(Note::Said(format!(
            "a run breaks it after {steps} steps; how that goes on for ever is too long to show"
        )));
    }
    Finding {
        verdict: Verdict::Fails,
        evidence,
        notes,
        ..holding(model, property)
    }
}

fn class(model: &Model, property: usize) -> Option<wherefore_logic::Class> {
    let body = &model.properties[property].body;
    let query = body.query()?;
    let fair = !model.fairness.is_empty() && query.rule.globally_is_fair();
    Some(class_of(&query.formula, fair))
}

/// Evidence from the run that refutes a property, or shows that it holds. `None`: the run has no end to show.
fn told(
    model: &Model,
    property: usize,
    holds: bool,
    options: &EvidenceOptions,
    refutation: &SatRefutation,
    budget: &Budget,
) -> Run<Option<Evidence>> {
    let body = &model.properties[property].body;
    let query = body.query().expect("only a formula is refuted by a run");
    let (trace, ends) = (&refutation.trace, refutation.trace.back.is_none());
    if ends && let PropertyBody::Linear(_) = body {
        // Every engine shows the shortest lasso, and it need not begin with the shortest path.
        let most = LASSO.max(4 * trace.states.len());
        return match bounded(model, property, most, &budget.counted(EFFORT))? {
            Bounded::Fails(lasso) => told(model, property, holds, options, &lasso, budget),
            Bounded::Holds(_) | Bounded::Open | Bounded::Unfit(_) => Ok(None),
        };
    }
    let may_end = matches!(query.rule, PathRule::Reach | PathRule::Plain);
    let along = match ends && !may_end {
        true if has_inner(body) => return Ok(None),
        true => restricted_and_resting(model, trace),
        false => restricted(model, trace),
    };
    let plain = EvidenceOptions {
        vacuity: false,
        witness: false,
        abstraction: None,
        ..options.clone()
    };
    let space = explored(&along, budget)?;
    let investigator = Investigator::new(&space)?;
    let finding = match (body, &refutation.product) {
        (PropertyBody::Linear(_), Some((tableau, product))) => {
            let along = Tableau {
                model: restricted(&tableau.model, product),
                ..(**tableau).clone()
            };
            let space = explored(&along.model, budget)?;
            investigator.investigate_linear(property, &plain, &along, &space)
        }
        _ => investigator.investigate(property, &plain),
    };
    let Some(mut evidence) = finding.evidence else {
        return Ok(None);
    };
    if let PropertyBody::Query(query) = body {
        investigator.forget_the_rest(query, &mut evidence)?;
    }
    let minimal = &mut evidence.minimal;
    // A path that was found as a part of a lasso only may not be the shortest.
    let known = refutation.product.is_none() || evidence.shape == Shape::Lasso;
    let at_least = u32::try_from(refutation.at_least).unwrap_or(u32::MAX);
    minimal.at_least = match known {
        true => at_least.min(minimal.at_least),
        false => 0,
    };
    evidence.replay = replay(model, query, holds, &evidence, budget)?;
    Ok(Some(evidence))
}

/// Whether formulas of CTL stand inside others.
fn has_inner(body: &PropertyBody) -> bool {
    let PropertyBody::Query(query) = body else {
        return false;
    };
    let formula = &query.formula;
    let temporal = |&sub: &_| matches!(formula.op(sub), Op::Path(..));
    formula.subs().filter(temporal).count() > 1
}

fn explored<'m>(model: &'m Model, budget: &Budget) -> Run<Explicit<'m>> {
    let explored = Explicit::explore(model, ExplorationLimits::default(), budget)?;
    explored.map_err(|_| wherefore_base::Stop::Memory)
}

#[cfg(test)]
mod tests {
    use wherefore_evidence::{Replay, UnmetFairness};

    use super::*;
    use crate::engines::{self, Engine};
    use crate::subjects::model::ModelSubject;

    /// A lift of four floors that goes up and down as it likes, with a lamp that is seldom lit.
    const LIFT: &str = "MODULE main
        VAR floor : 0..3; up : boolean; lamp : {dark, lit};
        IVAR press : boolean;
        ASSIGN
          init(floor) := 0;
          next(floor) := case
              up & floor < 3 : {floor, floor + 1};
              !up & floor > 0 : {floor, floor - 1};
              TRUE : floor;
            esac;
          next(lamp) := press ? lit : dark;
        INVARSPEC floor < 3
        INVARSPEC floor >= 0
        CTLSPEC AG (floor < 2)
        CTLSPEC AG (lamp = lit -> AF lamp = dark)
        CTLSPEC AF floor = 3
        CTLSPEC EF floor = 3
        LTLSPEC G (floor = 0 -> F floor = 3)
        LTLSPEC G (floor = 3 -> O floor = 2)
        LTLSPEC G (press -> X lamp = lit)
        CTLSPEC AG (floor = 1 -> AX floor < 2)
        CTLSPEC AX AX (lamp = dark -> AX lamp = dark)
        CTLSPEC A [lamp = dark W floor = 2] & AG (floor = 3 -> AX AX floor = 3)";

    pub(super) fn findings(text: &str, engine: Engine) -> Vec<Finding> {
        let session = ModelSubject::from_text("lift.smv", text).expect("it is a model");
        let job = Job {
            engine,
            options: EvidenceOptions {
                vacuity: false,
                ..EvidenceOptions::default()
            },
            ..Job::default()
        };
        engines::findings(session.model(), &job)
    }

    /// Evidence without the truth that is noted at its states.
    fn bare(evidence: &Evidence) -> Evidence {
        let mut bare = evidence.clone();
        for at in evidence.occurrences.ids() {
            bare.occurrences[at].truth = vec![].into();
        }
        bare
    }

    #[test]
    fn verdicts_and_evidence_are_those_of_the_explicit_engine() {
        for text in [LIFT.to_string(), format!("{LIFT}\n        FAIRNESS up")] {
            let sat = findings(&text, Engine::Sat);
            let explicit = findings(&text, Engine::Explicit);
            assert_eq!(sat.len(), explicit.len());
            for ours in &sat {
                if let Verdict::Unknown(_) = ours.verdict {
                    assert_eq!(ours.property, 5, "only branches are not answered");
                    continue;
                }
                let theirs = &explicit[ours.property];
                assert_eq!(ours.verdict, theirs.verdict, "property {}", ours.property);
                let Some(evidence) = &ours.evidence else {
                    assert_eq!(ours.verdict, Verdict::Holds);
                    continue;
                };
                assert_eq!(evidence.replay, Replay::Ok, "property {}", ours.property);
                if text == LIFT {
                    let theirs = theirs.evidence.as_ref().map(bare);
                    assert_eq!(Some(bare(evidence)), theirs, "property {}", ours.property);
                }
            }
        }
    }

    #[test]
    fn what_is_so_on_every_path_is_noted_only_where_the_run_decides_it() {
        let text = "MODULE main VAR y : boolean; TRANS y -> next(y) FAIRNESS y SPEC AG y";
        let findings = findings(text, Engine::Sat);
        let truth = |finding: &Finding| -> Vec<Vec<Option<bool>>> {
            let evidence = finding.evidence.as_ref().expect("it fails");
            assert_eq!(evidence.replay, Replay::Ok);
            let states = evidence.occurrences.iter();
            states
                .map(|at| at.truth.iter().copied().collect())
                .collect()
        };
        let (yes, no) = (Some(true), Some(false));
        // `y` and `AG y`, in a state without `y` and in the fair one after it.
        assert_eq!(truth(&findings[0]), [[no, no], [yes, None]]);
    }

    #[test]
    fn a_run_that_breaks_what_must_always_be_so_is_shown_going_on_for_ever() {
        let text = "MODULE main VAR s : 0..4; a : boolean;
            ASSIGN init(s) := 0; next(s) := (s + 1) mod 5;
            LTLSPEC G !(s = 4 & a) LTLSPEC G s < 4";
        let explicit = findings(text, Engine::Explicit);
        for ours in findings(text, Engine::Sat) {
            let theirs = &explicit[ours.property];
            assert!(ours.evidence.is_some());
            assert_eq!(ours.evidence, theirs.evidence);
        }
    }

    #[test]
    fn a_path_is_shown_where_the_way_it_goes_on_is_too_long() {
        let text = "MODULE main VAR n : unsigned word[32];
            ASSIGN init(n) := 0ud32_0; next(n) := n + 0ud32_1;
            SPEC AG n < 0ud32_5";
        let findings = findings(text, Engine::Sat);
        let evidence = findings[0].evidence.as_ref().expect("it fails");
        assert_eq!(evidence.shape, Shape::Path);
        assert_eq!(evidence.occurrences.len(), 6);
        assert!(evidence.minimal.proved());
    }

    #[test]
    fn a_model_without_an_initial_state_or_a_fair_run_is_told() {
        let model = "MODULE main VAR x : 0..4; ASSIGN next(x) := x;";
        let note = |rest: &str| {
            findings(&format!("{model} {rest}"), Engine::Sat)[0]
                .notes
                .clone()
        };
        assert_eq!(note("INIT x > 4 SPEC AG x = 0"), [Note::NoInitialState]);
        assert_eq!(note("INIT x > 4 INVARSPEC x = 0"), [Note::NoInitialState]);
        let no_run = |deadlock, unfair| NoRun {
            deadlock,
            unfair,
            decisive: true,
        };
        let at_once = no_run(Some(Deadlocked::Nearest(0)), None);
        assert_eq!(
            note("TRANS x > 4 LTLSPEC F x = 0"),
            [Note::NoFairState(at_once)]
        );
        assert_eq!(note("SPEC AG x < 5"), []);
        let unfair = no_run(None, Some(UnmetFairness::Together));
        assert_eq!(
            note("FAIRNESS x = 0 FAIRNESS x = 1 SPEC AF x = 2"),
            [Note::NoFairState(unfair)]
        );
    }

    #[test]
    fn what_is_not_for_this_engine_does_not_wait_for_the_rest() {
        let text = format!("{LIFT} CTLSPEC AG EF floor = 0");
        let findings = findings(&text, Engine::Sat);
        assert!(matches!(findings[0].verdict, Verdict::Unknown(_)));
        assert_eq!(findings[0].property, 12);
        assert!(
            findings
                .iter()
                .skip(1)
                .is_sorted_by_key(|finding| finding.property)
        );
    }
}
