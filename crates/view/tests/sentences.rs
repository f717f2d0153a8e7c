//! Every sentence that is shown of evidence is true, and the checker that says so rejects sentences that were changed.
//!
//! Random structures, models and systems are asked random questions. What a view shows of the answers, as text, in
//! English and in the JSON document, is decided by the independent checker. `WHEREFORE_SENTENCES=n` asks n of them; a soak
//! asks 100,000, and prints how many sentences of which kind there were.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigUint;
use wherefore_base::{Budget, FileId, SourceFile, SourceMap};
use wherefore_check::{Strengthened, Tableau};
use wherefore_evidence::{
    Assertion, AssertionTruth, DecisiveChoice, EvidenceOptions, Finding, Investigator, Measure,
    OccurrenceId, ReachableStates, RunStretch, SaidOfReached, SaidRun, SentenceBase,
    SentenceChecker, SeveralOptions, SpaceSummary, StatesFrom, Vacuity, Verdict, Why,
    certificate::StateSet, modal,
};
use wherefore_logic::{Goal, Op, PathRule};
use wherefore_model::lts::Lts;
use wherefore_model::{Model, PropertyBody, Query};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_testkit::campaign::{campaign_for, number_from_environment, soaking};
use wherefore_testkit::kripke::{self, StepEncoding, nowhere};
use wherefore_testkit::modal::{EquationKind, random_lts, random_question};
use wherefore_testkit::{Rng, formulas, linear, random_model, random_smv};
use wherefore_view::Report;
use wherefore_view::lts::{LtsProperty, LtsReport};
use wherefore_view::sentences::all::{decided_sentences, decided_system_sentences};
use wherefore_view::sentences::checked::{DecidedSentence, SentenceKind};
use wherefore_view::sentences::{Sentence, SentenceAssertion};

/// How often something was asserted.
#[derive(Default)]
struct SentenceCounts {
    confirmed: usize,
    /// Confirmed, where a sentence that says more was not.
    weaker: usize,
    undecided: usize,
}

#[derive(Default)]
struct Tally {
    sentences: BTreeMap<&'static str, SentenceCounts>,
    assertions: BTreeMap<&'static str, SentenceCounts>,
    /// Why a sentence was not decided that says more than the one shown, by kind.
    doubts: BTreeMap<(&'static str, &'static str), usize>,
    mutants: usize,
    models: usize,
    /// Sentences that are not true.
    faults: Vec<String>,
}

impl Tally {
    fn add(&mut self, decided: &[DecidedSentence], told: &dyn Fn() -> String) {
        for said in decided {
            if let AssertionTruth::False(why) = &said.truth {
                let what = said.sentence.assertions();
                let text = format!("{}: {why}\n{what:?}\n{}", said.sentence, told());
                self.faults.push(text);
            }
            if said.shown && said.truth != AssertionTruth::True {
                let text = format!("shown, but not decided: {}\n{}", said.sentence, told());
                self.faults.push(text);
            }
            if let AssertionTruth::NotDecided(why) = said.truth {
                *self.doubts.entry((said.kind.name(), why)).or_default() += 1;
            }
            for (stronger, truth) in &said.stronger {
                if let AssertionTruth::NotDecided(why) = truth {
                    *self.doubts.entry((said.kind.name(), why)).or_default() += 1;
                }
                // That one may say the same of another measure, but of the same one the search must be right.
                let least = measured(stronger) == measured(&said.sentence);
                if let AssertionTruth::False(why) = truth
                    && said.kind == SentenceKind::Badge
                    && least
                {
                    let text = format!("{stronger}: {why}\n{}", told());
                    self.faults.push(text);
                }
            }
            self.sentences
                .entry(said.kind.name())
                .or_default()
                .add(said);
            for assertion in said.sentence.assertions() {
                if let SentenceAssertion::Model(assertion) = assertion {
                    self.assertions
                        .entry(assertion.kind())
                        .or_default()
                        .add(said);
                }
            }
        }
    }

    #[allow(clippy::print_stdout)]
    fn print(&self) {
        let table = |title: &str, rows: &BTreeMap<&'static str, SentenceCounts>| {
            let (good, weaker, open) = ("true", "weaker", "not decided");
            println!("\n{title:<40} {good:>10} {weaker:>10} {open:>12}");
            for (name, counts) in rows {
                let SentenceCounts {
                    confirmed,
                    weaker,
                    undecided,
                } = counts;
                println!("{name:<40} {confirmed:>10} {weaker:>10} {undecided:>12}");
            }
        };
        let Tally {
            models, mutants, ..
        } = self;
        println!("\n{models} models, {mutants} changed sentences rejected");
        table("kind of sentence", &self.sentences);
        table("kind of assertion", &self.assertions);
        println!("\nwhy a sentence that says more was not decided");
        for ((kind, why), count) in &self.doubts {
            println!("{:<50} {count:>12}", format!("{kind}: {why}"));
        }
    }
}

impl SentenceCounts {
    fn add(&mut self, said: &DecidedSentence) {
        match (&said.truth, said.stronger.len()) {
            (AssertionTruth::True, 0) => self.confirmed += 1,
            (AssertionTruth::True, _) => self.weaker += 1,
            _ => self.undecided += 1,
        }
    }
}

/// The measure in which a sentence says that nothing is smaller.
fn measured(sentence: &Sentence) -> Option<Measure> {
    let mut assertions = sentence.assertions().iter();
    assertions.find_map(|assertion| match assertion {
        SentenceAssertion::Model(Assertion::Minimal { measure, .. }) => Some(*measure),
        _ => None,
    })
}

fn explicit(model: &Model) -> Explicit<'_> {
    let explored = Explicit::explore(model, ExplorationLimits::default(), &Budget::unlimited());
    explored.expect("no limit").expect("small enough")
}

fn options(rng: &mut Rng) -> EvidenceOptions {
    EvidenceOptions {
        evidence: true,
        vacuity: true,
        witness: true,
        minimal: match rng.chance(1, 4) {
            true => *rng.pick(&Measure::ALL),
            false => Measure::Steps,
        },
        several: SeveralOptions {
            count: 1 + rng.below(2),
            each: rng.chance(1, 3),
            ..SeveralOptions::default()
        },
        abstraction: None,
        ..EvidenceOptions::default()
    }
}

fn with_report<T>(
    (sources, model): (&SourceMap, &Model),
    summary: &SpaceSummary,
    findings: &[Finding],
    use_it: impl FnOnce(&Report<'_>) -> T,
) -> T {
    use_it(&Report {
        strategy: &[],
        sources,
        file: FileId::new(0),
        language: "smv",
        reading: "",
        model,
        space: Some(summary),
        findings,
        runs: &[],
        shown: &[],
        paths: None,
        from: None,
        names: &[],
        captions: None,
        seconds: None,
        explored: Some(&ReachableStates::default()),
    })
}

fn told(model: &Model, finding: &Finding) -> String {
    let property = &model.properties[finding.property];
    format!(
        "{:?} {:?}\n{:#?}",
        property.body, property.text, finding.evidence
    )
}

/// What else is found out about a property of linear time: which part never matters, or where the run could still have
/// satisfied it.
fn with_runs<S: StateSpace>(
    investigator: &Investigator<'_, S>,
    query: &Query,
    mut finding: Finding,
) -> Finding {
    let model = investigator.model();
    let mut refuted = |query: &Query| {
        let tableau = Tableau::new(model, query, nowhere());
        let product = explicit(&tableau.model);
        let run = investigator.refuting_run(query, &tableau, &product)?;
        Ok(run.is_some())
    };
    let property = finding.property;
    match &finding.evidence {
        Some(run) => {
            let mut formula = query.formula.clone();
            formula.add(Op::Not(formula.root()), None);
            let opposite = Query {
                formula,
                ..query.clone()
            };
            let tableau = Tableau::new(model, &opposite, nowhere());
            let product = explicit(&tableau.model);
            let decision = investigator.linear_decision(property, run, &[], &tableau, &product);
            finding.decisions.extend(decision.expect("no limit"));
        }
        None if finding.verdict == Verdict::Holds && finding.holds_without_run().is_none() => {
            let found = investigator.linear_vacuity(property, &mut refuted);
            if let Some(Strengthened::StillHolds(sub)) = found.expect("no limit") {
                finding.vacuity = Vacuity::Vacuous { sub };
            }
        }
        None => {}
    }
    finding
}

/// Decides every sentence about the properties of a model.
fn decide(rng: &mut Rng, model: &Model, tally: &RefCell<Tally>) {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("random", ""));
    decide_text(rng, &sources, model, tally);
}

/// The same for a model that stands in a text.
fn decide_text(rng: &mut Rng, sources: &SourceMap, model: &Model, tally: &RefCell<Tally>) {
    let space = explicit(model);
    let investigator = Investigator::new(&space).expect("no limit");
    let mut findings = Vec::new();
    for property in 0..model.properties.len() {
        let options = options(rng);
        let mut finding = match &model.properties[property].body {
            PropertyBody::Linear(query) => {
                let tableau = Tableau::new(model, query, nowhere());
                let product = explicit(&tableau.model);
                let found = investigator.investigate_linear(property, &options, &tableau, &product);
                with_runs(&investigator, query, found)
            }
            _ => investigator.investigate(property, &options),
        };
        if finding.verdict == Verdict::Holds && rng.chance(1, 2) {
            finding.why = investigator.why(property).expect("no limit");
        }
        findings.push(finding);
    }
    let summary = investigator.summary().clone();
    with_report((sources, model), &summary, &findings, |report| {
        for finding in &findings {
            let decided = decided_sentences(report, finding);
            let mut tally = tally.borrow_mut();
            tally.add(&decided, &|| told(model, finding));
            tally.mutants += rejected(report, finding, &decided);
            tally.mutants += rejected_reasons(report, finding, &decided);
            tally.mutants += rejected_lengths(report, finding);
        }
    });
}

/// Changes sentences about the first evidence of a finding; each must be found out. Returns how many were.
fn rejected(report: &Report<'_>, finding: &Finding, decided: &[DecidedSentence]) -> usize {
    let model = report.model;
    let query = model.properties[finding.property].body.query();
    let (Some(query), Some(evidence)) = (query, &finding.evidence) else {
        return 0;
    };
    // Sentences about other evidence name other occurrences.
    if finding.evidences().count() > 1 {
        return 0;
    }
    let reachable = ReachableStates::default();
    let base = SentenceBase::new(model, query, &reachable, Budget::unlimited());
    let checker = SentenceChecker::new(Rc::new(base), Some(evidence));
    let mut rejected = 0;
    for said in decided
        .iter()
        .filter(|said| said.truth == AssertionTruth::True)
    {
        for assertion in said.sentence.assertions() {
            let SentenceAssertion::Model(assertion) = assertion else {
                continue;
            };
            for mutant in mutants(assertion, evidence) {
                let truth = checker.decide(&mutant);
                assert!(
                    matches!(truth, AssertionTruth::False(_)),
                    "{truth:?}: {mutant:?}, changed from {assertion:?} of `{}`\n{}",
                    said.sentence,
                    told(model, finding)
                );
                rejected += 1;
            }
        }
    }
    rejected
}

/// Longer evidence for the same property is not taken to be the shortest. Returns how often that was tried.
fn rejected_lengths(report: &Report<'_>, finding: &Finding) -> usize {
    let query = report.model.properties[finding.property].body.query();
    let (Some(query), Some(shortest)) = (query, &finding.evidence) else {
        return 0;
    };
    let measure = shortest.minimal.measure;
    let reachable = ReachableStates::default();
    let base = SentenceBase::new(report.model, query, &reachable, Budget::unlimited());
    let base = Rc::new(base);
    let mut rejected = 0;
    for further in &finding.more.others {
        let length = measure.of(&further.evidence);
        if length > measure.of(shortest) {
            let checker = SentenceChecker::new(base.clone(), Some(&further.evidence));
            let truth = checker.decide(&Assertion::Minimal {
                measure,
                length,
                at_least: length,
            });
            let known = truth == AssertionTruth::True;
            assert!(
                !known,
                "longer evidence is the shortest: {further:#?}\n{}",
                told(report.model, finding)
            );
            rejected += 1;
        }
    }
    rejected
}

/// Changes reasons why a property holds; each must be found out. Returns how many were.
fn rejected_reasons(report: &Report<'_>, finding: &Finding, decided: &[DecidedSentence]) -> usize {
    let Some(Why::Shown(why)) = &finding.why else {
        return 0;
    };
    let reachable = ReachableStates::default();
    let base = SentenceBase::new(report.model, &why.query, &reachable, Budget::unlimited());
    let checker = SentenceChecker::new(Rc::new(base), None);
    let mut rejected = 0;
    let confirmed = decided
        .iter()
        .filter(|said| said.truth == AssertionTruth::True);
    for assertion in confirmed.flat_map(|said| said.sentence.assertions()) {
        let SentenceAssertion::Model(Assertion::Reached {
            states,
            going_on,
            says,
        }) = assertion
        else {
            continue;
        };
        let about = |states: &[StateSet], says: SaidOfReached| {
            checker.decide(&Assertion::Reached {
                states: states.to_vec(),
                going_on: *going_on,
                says,
            })
        };
        // Of no state at all everything is true.
        let some = |states: &[StateSet]| {
            matches!(
                about(states, SaidOfReached::Never),
                AssertionTruth::False(_)
            )
        };
        if *says == SaidOfReached::Never {
            let others: Vec<StateSet> = states
                .iter()
                .map(|set| StateSet {
                    outside: !set.outside,
                    ..set.clone()
                })
                .collect();
            assert!(some(&others), "some state is reachable");
            rejected += 1;
        } else if some(states)
            && let Some(mutant) = changed_reason(says)
        {
            let truth = about(states, mutant.clone());
            assert!(
                matches!(truth, AssertionTruth::False(_)),
                "{truth:?}: {mutant:?}, changed from {says:?}\n{why:#?}"
            );
            rejected += 1;
        }
    }
    rejected
}

/// What is certainly false of states if something else is true of them.
fn changed_reason(says: &SaidOfReached) -> Option<SaidOfReached> {
    let goes = |run: &SaidRun| match run.reaches.as_deref() {
        Some([goal]) if !run.stays => Some(SaidRun {
            keeps: vec![goal.negated()],
            stays: true,
            ..SaidRun::default()
        }),
        _ => None,
    };
    match says {
        SaidOfReached::Goals(goals) => {
            let goals: Vec<Goal> = goals.iter().map(|goal| goal.negated()).collect();
            (!goals.is_empty()).then_some(SaidOfReached::Goals(goals))
        }
        SaidOfReached::EveryStep(goal) => Some(SaidOfReached::SomeStep(goal.negated())),
        SaidOfReached::SomeStep(goal) => Some(SaidOfReached::EveryStep(goal.negated())),
        SaidOfReached::EveryRun(run) => goes(run).map(SaidOfReached::SomeRun),
        SaidOfReached::SomeRun(run) => goes(run).map(SaidOfReached::EveryRun),
        SaidOfReached::Never | SaidOfReached::NoFairPath => None,
    }
}

/// Assertions that are certainly false if another one is true.
fn mutants(assertion: &Assertion, evidence: &wherefore_evidence::Evidence) -> Vec<Assertion> {
    let negated = |goals: &[Goal]| goals.iter().map(|g| g.negated()).collect::<Vec<_>>();
    let mut mutants = Vec::new();
    match assertion {
        Assertion::Every { of, goals } if of.which == StatesFrom::At && !goals.is_empty() => {
            // Another truth, another step, another operator.
            let goal = goals[0];
            mutants.push(Assertion::at(goal.negated(), of.at));
            let is = |at: OccurrenceId, goal: Goal| {
                evidence.occurrences[at].truth[goal.sub] == Some(goal.holds)
            };
            let other = evidence
                .occurrences
                .ids()
                .find(|&at| is(at, goal.negated()));
            mutants.extend(other.map(|at| Assertion::at(goal, at)));
            let subs = evidence.occurrences[of.at].truth.ids();
            let holds = goal.holds;
            let mut others = subs.map(|sub| Goal { sub, holds });
            let other = others.find(|&other| is(of.at, other.negated()));
            mutants.extend(other.map(|goal| Assertion::at(goal, of.at)));
            let nowhere = OccurrenceId::new(evidence.occurrences.len());
            mutants.push(Assertion::at(goal, nowhere));
        }
        // The state it is seen from is one of them.
        Assertion::Every { of, goals }
            if !goals.is_empty() && !matches!(of.which, StatesFrom::Next | StatesFrom::Initial) =>
        {
            mutants.push(Assertion::Every {
                of: of.clone(),
                goals: negated(goals),
            });
        }
        Assertion::Size { of, size } => mutants.push(Assertion::Size {
            of: of.clone(),
            size: size + BigUint::from(1u8),
        }),
        Assertion::Exactly { of, at } => {
            for left_out in 0..at.len() {
                let mut fewer = at.clone();
                fewer.remove(left_out);
                let of = of.clone();
                mutants.push(Assertion::Exactly { of, at: fewer });
            }
        }
        Assertion::Left { goal, bounds, at } => mutants.push(Assertion::Left {
            goal: goal.negated(),
            bounds: *bounds,
            at: *at,
        }),
        Assertion::Path { run, keep, arrive } => {
            let changed = |keep: &[Goal], arrive: &[Goal]| Assertion::Path {
                run: run.clone(),
                keep: keep.to_vec(),
                arrive: arrive.to_vec(),
            };
            if !arrive.is_empty() {
                mutants.push(changed(keep, &negated(arrive)));
            }
            if run.len() > 1 && !keep.is_empty() {
                mutants.push(changed(&negated(keep), arrive));
            }
        }
        Assertion::Lasso {
            run,
            back,
            keep,
            fair,
        } => {
            let lasso = |back: usize, keep: Vec<Goal>| Assertion::Lasso {
                run: run.clone(),
                back,
                keep,
                fair: *fair,
            };
            if !keep.is_empty() {
                mutants.push(lasso(*back, negated(keep)));
            }
            mutants.push(lasso(run.len(), keep.clone()));
        }
        Assertion::AlongRun { goal, at, .. } => mutants.push(Assertion::AlongRun {
            goal: goal.negated(),
            at: *at,
            lasts: RunStretch::FromHereOn,
        }),
        Assertion::Minimal {
            measure,
            length,
            at_least,
        } => {
            mutants.push(Assertion::Minimal {
                measure: *measure,
                length: length + 1,
                at_least: *at_least,
            });
            mutants.push(Assertion::Minimal {
                measure: *measure,
                length: *length,
                at_least: length + 1,
            });
        }
        Assertion::Decided(sub, DecisiveChoice::StillFree { .. }) => {
            let first = OccurrenceId::new(0);
            let free = evidence.segments.iter().any(|segment| {
                segment.from == Some(first)
                    && segment.serves == wherefore_evidence::Claim::Formula(Goal::fails(*sub), None)
            });
            if free {
                mutants.push(Assertion::Decided(*sub, DecisiveChoice::Fated(first)));
            }
        }
        _ => {}
    }
    mutants
}

fn decide_system(rng: &mut Rng, tally: &RefCell<Tally>) {
    let lts: Lts = random_lts(rng, 6);
    let kind = match rng.below(2) {
        0 => EquationKind::Any,
        _ => EquationKind::OneRunFails,
    };
    let question = random_question(rng, &lts, kind, 5);
    let finding = modal::investigate(&lts, &question, 0, &Budget::unlimited());
    let sources = SourceMap::default();
    let properties = [LtsProperty {
        name: "random".to_string(),
        text: String::new(),
        span: None,
        question,
    }];
    let report = LtsReport {
        path: "random",
        lts: &lts,
        sources: &sources,
        properties: &properties,
        space: None,
        findings: &[],
        names: None,
        seconds: None,
    };
    let decided = decided_system_sentences(&report, &finding);
    let told = || format!("{lts:#?}\n{:#?}\n{finding:#?}", properties[0].question);
    tally.borrow_mut().add(&decided, &told);
}

/// A random model: a structure under some path rule, with linear time, with constraints, or as text.
fn decide_random(rng: &mut Rng, tally: &RefCell<Tally>) {
    tally.borrow_mut().models += 1;
    match rng.below(8) {
        0 => decide_system(rng, tally),
        1 => {
            let kripke = kripke::random(rng, 4, 2);
            let size = 1 + rng.below(4);
            let past = rng.chance(1, 3);
            let formula = linear::random(rng, size, 2, past);
            let rule = PathRule::FairInfinite;
            let mut model = kripke.model(&formula, rule, StepEncoding::Constraint);
            let PropertyBody::Query(query) = model.properties[0].body.clone() else {
                panic!("it asks about a formula");
            };
            model.properties[0].body = PropertyBody::Linear(query);
            decide(rng, &model, tally);
        }
        2 => {
            let model = random_model::random(rng);
            decide(rng, &model, tally);
        }
        3 => {
            let text = random_smv::random(rng);
            let mut sources = SourceMap::default();
            let file = sources.add(SourceFile::new("random.smv", text));
            let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited());
            let model = loaded.expect("no limit").model;
            decide_text(rng, &sources, &model, tally);
        }
        _ => {
            let states = 2 + rng.below(5);
            let kripke = kripke::random(rng, states, 2);
            let size = 1 + rng.below(5);
            let formula = formulas::random(rng, size, 2).formula();
            let rule = *rng.pick(&PathRule::ALL);
            decide(
                rng,
                &kripke.model(&formula, rule, StepEncoding::Constraint),
                tally,
            );
        }
    }
}

#[test]
fn every_sentence_about_random_models_is_true_and_changed_ones_are_rejected() {
    let tally = RefCell::new(Tally::default());
    let rounds = number_from_environment("WHEREFORE_SENTENCES");
    let rounds = rounds.unwrap_or(if soaking() { 100_000 } else { 400 });
    campaign_for("sentences", rounds, None, |rng| {
        decide_random(rng, &tally);
        let faults = std::mem::take(&mut tally.borrow_mut().faults);
        assert!(faults.is_empty(), "not true: {}", faults.join("\n"));
    });
    let tally = tally.into_inner();
    tally.print();
    assert!(
        tally.mutants > 0 || tally.models < 100,
        "nothing was changed"
    );
}
