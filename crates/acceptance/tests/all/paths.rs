//! Path rules that users choose, verdicts that rest on the lack of runs, and one evidence for all commands.

use std::cell::Cell;

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_base::Budget;
use wherefore_driver::{Capability, Engine, Event, Job, ModelSubject, Subject, check_model};
use wherefore_evidence::{
    Deadlocked, Evidence, EvidenceOptions, Exploring, Finding, Investigator, Measure, NoRun, Note,
    Rules, Shortest, UnmetFairness, Verdict,
};
use wherefore_logic::{Fairness, PathRule};
use wherefore_model::{Model, PropertyBody};
use wherefore_space::StateSpace;
use wherefore_testkit::kripke::{self, Kripke, StateMask, StepEncoding, members};
use wherefore_testkit::naive::{self, Naive};
use wherefore_testkit::{Rng, campaign, formulas, random_model};

const ENGINES: [Engine; 4] = [Engine::Auto, Engine::Explicit, Engine::Bdd, Engine::Sat];

fn finding(model: &Model, engine: Engine) -> Finding {
    let job = Job {
        engine,
        ..Job::default()
    };
    let mut found = None;
    check_model(model, &job, &Budget::unlimited(), &mut |event| {
        if let Event::Finding(finding) = event {
            found = Some(*finding);
        }
    });
    found.expect("a property has a finding")
}

/// A structure with few steps, so that many of its states are deadlocks.
fn sparse(rng: &mut Rng) -> Kripke {
    let mut kripke = kripke::random(rng, 7, 2);
    for steps in &mut kripke.steps {
        if rng.chance(1, 3) {
            *steps = 0;
        } else if rng.chance(1, 2) {
            *steps &= rng.below(1 << kripke.size) as StateMask;
        }
    }
    kripke
}

/// How many steps each deadlock that can be reached is away from the initial states.
fn deadlocks(kripke: &Kripke) -> Vec<u32> {
    let (mut seen, mut layer, mut distance) = (0, kripke.initial, 0);
    let mut found = Vec::new();
    while layer != 0 {
        found.extend(
            members(layer)
                .filter(|&s| kripke.steps[s] == 0)
                .map(|_| distance),
        );
        seen |= layer;
        layer = members(layer).fold(0, |all, state| all | kripke.steps[state]) & !seen;
        distance += 1;
    }
    found
}

/// The initial states from which a fair path starts, with these constraints.
fn fair_starts(kripke: &Kripke, fairness: Fairness<StateMask>) -> StateMask {
    let kripke = Kripke {
        fairness,
        ..kripke.clone()
    };
    Naive::new(&kripke).counted(PathRule::FairInfinite)
}

/// Makes sure that everything that is said of the lack of runs is so.
fn is_true(kripke: &Kripke, why: NoRun) {
    let ends = deadlocks(kripke);
    match why.deadlock {
        None => assert!(ends.is_empty()),
        Some(Deadlocked::Only(steps)) => assert_eq!(ends, [steps]),
        Some(Deadlocked::Nearest(steps)) => {
            assert!(ends.len() > 1);
            assert_eq!(ends.iter().min(), Some(&steps));
        }
        Some(Deadlocked::Within(_)) => panic!("few states are listed"),
    }
    let endless = fair_starts(kripke, Fairness::default()) != 0;
    assert_eq!(why.unfair.is_some(), endless);
    let alone = |justice: Vec<StateMask>, compassion| {
        let fairness = Fairness {
            justice,
            compassion,
        };
        fair_starts(kripke, fairness)
    };
    match why.unfair {
        None => {}
        Some(UnmetFairness::Justice(at)) => {
            assert_eq!(alone(vec![kripke.fairness.justice[at]], vec![]), 0);
        }
        Some(UnmetFairness::Compassion(at)) => {
            assert_eq!(alone(vec![], vec![kripke.fairness.compassion[at]]), 0);
        }
        Some(UnmetFairness::Together) => {
            for &condition in &kripke.fairness.justice {
                assert_ne!(alone(vec![condition], vec![]), 0);
            }
        }
    }
}

#[test]
fn every_engine_answers_under_every_path_rule_as_the_definitions_do() {
    let (decided, empty) = (Cell::new(0), Cell::new(0));
    campaign("path rules", 150, |rng| {
        let kripke = sparse(rng);
        let size = 1 + rng.below(5);
        let formula = formulas::random(rng, size, 2).formula();
        for rule in PathRule::ALL {
            let holds = naive::failing(&kripke, &formula, rule) == 0;
            let naive = Naive::new(&kripke);
            let nobody = naive.counted(rule) == 0 && kripke.initial != 0;
            let model = kripke.model(&formula, rule, StepEncoding::Constraint);
            for engine in ENGINES {
                let finding = finding(&model, engine);
                match &finding.verdict {
                    Verdict::Unknown(_) if engine == Engine::Sat => continue,
                    verdict => assert_eq!(*verdict == Verdict::Holds, holds, "{rule} {engine}"),
                }
                decided.set(decided.get() + 1);
                for note in &finding.notes {
                    match note {
                        Note::NoFairState(why) => {
                            empty.set(empty.get() + 1);
                            is_true(&kripke, *why);
                        }
                        Note::DeadlocksMatter(otherwise) => {
                            assert_eq!(rule, PathRule::FairInfinite);
                            let maximal = naive::failing(&kripke, &formula, PathRule::Maximal);
                            assert_eq!(*otherwise, maximal == 0);
                            assert_ne!(*otherwise, holds);
                        }
                        _ => {}
                    }
                }
                // Where nothing counts, no verdict is without its reason.
                if nobody {
                    assert!(finding.holds_without_run().is_some(), "{engine}");
                }
            }
        }
    });
    let one_seed = std::env::var_os("WHEREFORE_SEED").is_some();
    assert!(one_seed || decided.get() > 1_500 && empty.get() > 100);
}

#[test]
fn a_verdict_is_called_empty_exactly_if_values_alone_do_not_give_it() {
    // No run goes on, and paths that end do not count.
    let text = "MODULE main VAR c : 0..3; INIT c = 0; TRANS next(c) = c + 1;";
    let asked = [
        ("AG c = 7", true),
        ("c = 0", false),
        ("c = 0 | AF c = 7", false),
        ("c = 1 | AF c = 7", true),
        ("c = 0 & AF c = 7", true),
        ("c = 1 -> EF c = 7", false),
        ("!EF c = 7", true),
    ];
    for (formula, empty) in asked {
        let mut session =
            ModelSubject::from_text("m", format!("{text} SPEC {formula}")).expect("it is right");
        session
            .set_paths(PathRule::PlainFair)
            .expect("it has rules");
        for engine in [Engine::Explicit, Engine::Bdd] {
            let finding = finding(session.model(), engine);
            assert_eq!(finding.verdict, Verdict::Holds, "{formula}");
            let why = finding.holds_without_run();
            assert_eq!(why.is_some(), empty, "{formula}");
            let steps = why.map(|why| why.deadlock);
            assert!(!empty || steps == Some(Some(Deadlocked::Only(3))));
        }
    }
}

#[test]
fn a_large_model_without_runs_is_called_empty_by_every_engine() {
    // The states of the counters are many, and the cone of the property leaves most of them out.
    let text = "MODULE main VAR c : 0..9; a : 0..65535; b : 0..65535;
        INIT c = 0; TRANS next(c) = c + 1;
        ASSIGN init(a) := 0; next(a) := {a, (a + 1) mod 65536}; init(b) := 0; next(b) := {b, (b + 7) mod 65536};
        SPEC AG c < 5  SPEC AG EX TRUE  LTLSPEC F c = 3  SPEC EF c = 4";
    let session = ModelSubject::from_text("m", text).expect("it is right");
    for engine in [Engine::Auto, Engine::Bdd, Engine::Sat] {
        let job = Job {
            engine,
            ..Job::default()
        };
        let mut count = 0;
        check_model(session.model(), &job, &Budget::unlimited(), &mut |event| {
            let Event::Finding(finding) = event else {
                return;
            };
            if matches!(finding.verdict, Verdict::Unknown(_)) && engine == Engine::Sat {
                return;
            }
            count += 1;
            let why = finding.holds_without_run();
            let why = why.unwrap_or_else(|| panic!("{engine}: {finding:?}"));
            assert_eq!(why.unfair, None);
            let steps = match why.deadlock.expect("all runs end") {
                Deadlocked::Only(steps) | Deadlocked::Nearest(steps) => steps,
                Deadlocked::Within(steps) => steps,
            };
            assert_eq!(steps, 9, "{engine}");
        });
        assert!(count >= 3, "{engine}");
    }
}

#[test]
fn a_path_rule_is_for_ctl_and_what_has_one_meaning_keeps_it() {
    let text = "MODULE main VAR c : 0..2; INIT c = 0; TRANS next(c) = c + 1;
        SPEC AF c = 2  INVARSPEC c < 2  LTLSPEC F c = 2";
    for rule in PathRule::ALL {
        let mut session = ModelSubject::from_text("m", text).expect("it is right");
        session.set_paths(rule).expect("it has rules");
        let added = session.add_formula("EG c < 2").expect("it is one");
        let bodies: Vec<&PropertyBody> =
            session.model().properties.iter().map(|p| &p.body).collect();
        let ruled = |body: &PropertyBody| body.query().map(|query| query.rule);
        assert_eq!(ruled(bodies[0]), Some(rule));
        assert_eq!(ruled(bodies[1]), Some(PathRule::Reach));
        assert_eq!(ruled(bodies[added]), Some(rule));
        let endless = matches!(rule, PathRule::FairInfinite | PathRule::PlainFair);
        assert_eq!(matches!(bodies[2], PropertyBody::Linear(_)), endless);
        assert!(ModelSubject::CAPABILITIES.contains(&Capability::Paths));
    }
}

/// The evidence of a proof that somebody opens and lets grow without a choice.
fn opened<S: StateSpace>(investigator: &Investigator<'_, S>, property: usize) -> Option<Evidence> {
    let mut told = None;
    let mut visit = |_: bool, proof: &mut dyn Exploring| {
        proof.grow(&mut Shortest, usize::MAX)?;
        told = Some(proof.evidence()?.0);
        Ok(())
    };
    investigator
        .explain(property, Rules::default(), &mut visit)
        .expect("no limit");
    told
}

/// Compares what is shown with what is explored; how many there were.
fn same_evidence<S: StateSpace>(space: &S) -> usize {
    let investigator = Investigator::new(space).expect("no limit");
    let options = EvidenceOptions {
        minimal: Measure::Steps,
        ..EvidenceOptions::default()
    };
    let mut compared = 0;
    for property in 0..space.model().properties.len() {
        if let PropertyBody::Query(_) = &space.model().properties[property].body
            && let Some(shown) = investigator.investigate(property, &options).evidence
        {
            compared += 1;
            assert_eq!(opened(&investigator, property), Some(shown));
        }
    }
    compared
}

#[test]
fn a_proof_that_is_explored_begins_with_the_evidence_that_is_shown() {
    let compared = Cell::new(0);
    campaign("one evidence", 150, |rng| {
        let model = match rng.chance(1, 2) {
            true => random_model::random(rng),
            false => {
                let size = 1 + rng.below(6);
                let formula = formulas::random(rng, size, 2).formula();
                let kripke = kripke::random(rng, 8, 2);
                kripke.model(
                    &formula,
                    *rng.pick(&PathRule::ALL),
                    StepEncoding::Constraint,
                )
            }
        };
        compared.set(compared.get() + same_evidence(&explicit(&model)));
        same_evidence(&symbolic(&model));
    });
    let one_seed = std::env::var_os("WHEREFORE_SEED").is_some();
    assert!(one_seed || compared.get() > 150);
}

#[test]
fn the_examples_are_explored_with_the_evidence_that_is_shown() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).expect("there are examples") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_some_and(|ending| ending == "smv") {
            let session = ModelSubject::open(&path).expect("it is right");
            compared += same_evidence(&explicit(session.model()));
        }
    }
    assert!(compared >= 8, "{compared}");
}

#[test]
fn all_counterexamples_at_once_begin_with_the_evidence_that_is_shown() {
    use wherefore_driver::debug::smv::{Naming, subject};
    use wherefore_driver::tagged::AnalysisOptions;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    // Of these the search for loops alone found longer ones.
    for (file, name, steps) in [("elevator", "upstairs", 6), ("mutex", "left_in", 5)] {
        let path = format!("{folder}/{file}.smv");
        let session = ModelSubject::open(path.as_ref()).expect("it is right");
        let property = session.find_property(name, None).expect("it is there");
        let shown = session.check(property).expect("it is right");
        let shown = shown.evidence.expect("it fails").minimal;
        assert!(shown.proved() && shown.length == steps);
        let budget = Budget::unlimited();
        let model = subject(&session, property, &Naming::Auto, &budget).expect("it can be");
        let analysis = model
            .analyse(&AnalysisOptions::default(), &budget)
            .expect("no limit");
        let shortest = analysis.shortest.expect("it fails");
        let before = usize::from(model.unfolded.start.is_some());
        assert_eq!(shortest.course.len(), steps as usize + before, "{name}");
        assert!(shortest.proved);
    }
}
