//! Checking: one question, all of them, some of them, and none because the budget ended.

use std::time::{Duration, Instant};

use wherefore::base::{Budget, Stop};
use wherefore::evidence::{UnknownReason, Verdict};
use wherefore::view::text;
use wherefore::{Engine, OpenModel, Refusal, Standing, Wishes};

use crate::open;

/// A counter with so many bits, and a property that fails after `2^bits - 1` steps.
fn counter(bits: usize) -> OpenModel {
    let all: Vec<String> = (0..bits).map(|bit| format!("b{bit}")).collect();
    let mut text = String::from("MODULE main\nVAR\n");
    let mut carry = "TRUE".to_string();
    let mut assign = String::from("ASSIGN\n");
    for bit in &all {
        text += &format!("  {bit} : boolean;\n");
        assign += &format!("  init({bit}) := FALSE;\n  next({bit}) := {bit} xor ({carry});\n");
        carry = format!("{carry} & {bit}");
    }
    text += &assign;
    text += &format!("CTLSPEC AG !({})\nCTLSPEC EF b0\n", all.join(" & "));
    let mut model = wherefore::open_text("counter.smv", text).expect("it is a model");
    model.ask.engine = Engine::Explicit;
    model
}

#[test]
fn all_answers_come_with_their_verdicts() {
    let model = open("elevator.smv");
    let answers: Result<Vec<_>, _> = model.check_all().collect();
    let mut answers = answers.expect("the model is right");
    answers.sort_by_key(|answer| answer.id());
    let standings: Vec<Standing> = answers.iter().map(|answer| answer.standing()).collect();
    let bad = standings.iter().filter(|s| **s == Standing::Bad).count();
    let vacuous = standings.iter().filter(|s| **s == Standing::Vacuous);
    assert_eq!((answers.len(), bad, vacuous.count()), (7, 2, 1));
    assert_eq!(answers[0].question().name, "third");
}

#[test]
fn one_answer_is_the_same_alone_and_among_all() {
    let model = open("button.smv");
    for answer in model.check_all() {
        let answer = answer.expect("the model is right");
        let alone = model.check(answer.id()).expect("the model is right");
        assert_eq!(answer.finding(), alone.finding());
        assert_eq!(answer.json(), alone.json());
    }
}

#[test]
fn whoever_stops_after_one_answer_waits_for_no_other() {
    let text = "sig Pigeon { hole: one Hole } sig Hole {}
        run some_hole { some Hole }
        check crowded { some disj p, q: Pigeon | p.hole = q.hole } for exactly 14 Pigeon, exactly 13 Hole";
    let model = wherefore::open_text("pigeons.als", text).expect("it is a model");
    let start = Instant::now();
    // The first question is answered at once; solvers need very long for the second.
    let first = model.check_all().next().expect("there is an answer");
    assert_eq!(first.expect("the model is right").verdict(), Verdict::Holds);
    assert!(start.elapsed() < Duration::from_secs(30));

    let lts = open("lts/vending.aut");
    assert!(lts.check_all().next().is_none());
    let model = open("elevator.smv");
    assert_eq!(model.check_all().take(1).count(), 1);
}

#[test]
fn an_iterator_that_is_dropped_ends_its_work_and_the_model_can_be_changed() {
    let mut model = counter(6);
    let mut answers = model.check_all();
    answers.next();
    drop(answers);
    assert!(model.add("EF b1").is_ok());
    // Nothing is done before somebody asks.
    drop(model.check_all());
    assert!(model.add("EF b2").is_ok());
}

#[test]
fn a_budget_that_ends_leaves_verdicts_unknown() {
    let mut model = counter(40);
    model.budget = Budget::new(Some(Duration::from_millis(100)), None);
    let verdicts: Vec<Verdict> = model
        .check_all()
        .map(|answer| answer.expect("the model is right").verdict())
        .collect();
    assert_eq!(verdicts.len(), 2);
    let stopped = Verdict::Unknown(UnknownReason::Stopped(Stop::TimeOut));
    assert!(verdicts.contains(&stopped), "{verdicts:?}");
}

#[test]
fn another_thread_can_cancel() {
    let model = counter(40);
    let budget = model.budget.clone();
    let question = model.questions().ids().next().expect("there is one");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            budget.stop(Stop::Cancelled);
        });
        let answer = model.check(question).expect("the model is right");
        let cancelled = Verdict::Unknown(UnknownReason::Stopped(Stop::Cancelled));
        assert_eq!(answer.verdict(), cancelled);
    });
    let left = model.check_all().map(|answer| answer.expect("right"));
    assert!(
        left.into_iter()
            .all(|answer| answer.standing() == Standing::Undecided)
    );
}

#[test]
fn a_model_that_turns_out_to_be_wrong_is_refused_once() {
    let text = "MODULE main
        VAR x : 0..3;
        ASSIGN init(x) := 0; next(x) := x + 1;
        CTLSPEC EF x = 3
        CTLSPEC EF x = 2";
    let model = wherefore::open_text("wrong.smv", text).expect("only its meaning is wrong");
    let answers: Vec<_> = model.check_all().collect();
    assert!(
        matches!(&answers[..], [Err(Refusal::Rejected(_))]),
        "{answers:?}"
    );
}

#[test]
fn evidence_is_a_value_and_a_text_and_a_page_and_a_document() {
    let model = open("button.smv");
    let served = model.question("served").expect("the model has it");
    let answer = model.check(served).expect("the model is right");
    let evidence = answer.evidence().expect("what fails has evidence");
    assert_eq!(evidence.main_steps(), 3);
    let text = answer.text(&text::TextOptions::default());
    assert!(text.starts_with("FAILS  served (line 39)"), "{text}");
    assert!(answer.markdown().contains("served"));
    let document: serde_json::Value = serde_json::from_str(&answer.json()).expect("it is JSON");
    assert_eq!(document["models"][0]["properties"][0]["name"], "served");
}

#[test]
fn strategies_choose_the_evidence_of_every_way_to_ask() {
    let mut model = open("button.smv");
    let strategy = vec!["prefer:p".parse().expect("it is a strategy")];
    let wishes = Wishes {
        strategy,
        show: vec!["p & r".to_string()],
        ..Wishes::default()
    };
    model.wish(wishes).expect("it fits the model");
    let served = model.question("served").expect("the model has it");
    let alone = model.check(served).expect("the model is right").json();
    let mut some = model.check_some(vec![served]);
    let among = some.next().expect("an answer").expect("right").json();
    assert_eq!(alone, among);
    assert!(alone.contains("prefer:p"));
}

#[test]
fn commands_of_alloy_models_have_instances() {
    let mut model = open("alloy/rights.als");
    model.ask.alloy.instances = 2;
    let closed = model.question("closedIsClosed").expect("the model has it");
    let answer = model.check(closed).expect("the model is right");
    assert_eq!(answer.verdict(), Verdict::Fails);
    assert_eq!(answer.instances().len(), 2);
    assert!(answer.finding().is_none() && answer.command().is_some());

    let rota = open("alloy/rota.als");
    let plan = rota.question("plan").expect("the model has it");
    let answer = rota.check(plan).expect("the model is right");
    assert_eq!(answer.verdict(), Verdict::Fails);
    assert!(answer.instances().is_empty());
}

#[test]
fn labelled_transition_systems_take_properties_and_tell_runs() {
    let mut model = open("lts/vending.aut");
    let free = model.add("[ true* . \"SERVE !BEER\" ] false").expect("MCL");
    let answers: Vec<_> = model.check_all().collect();
    let [Ok(answer)] = &answers[..] else {
        panic!("{answers:?}");
    };
    assert_eq!((answer.id(), answer.verdict()), (free, Verdict::Fails));
    assert!(
        answer
            .text(&text::TextOptions::default())
            .contains("SERVE !BEER")
    );
}

#[test]
fn infinite_state_models_ask_the_solvers_that_are_installed() {
    let model = open("smt/countdown.vmt");
    let without = model.ask.smt.solvers.is_empty();
    for answer in model.check_all() {
        let answer = answer.expect("the model is right");
        let unknown = matches!(answer.verdict(), Verdict::Unknown(_));
        assert_eq!(unknown, without, "{answer:?}");
    }
}
