//! Answers to commands of small models.

use wherefore_evidence::{Replay, Verdict};

use super::*;

fn answers(text: &str) -> (AlloySubject, Vec<AlloyAnswer>) {
    let session = AlloySubject::from_text("test.als", text).expect("it is a model");
    let budget = Budget::unlimited();
    let choices = AlloyOptions::default();
    let answers = (0..session.commands().len()).map(|at| session.answer(at, &choices, &budget));
    let answers = answers.collect();
    (session, answers)
}

/// The texts of the parts of a core.
fn core_texts(session: &AlloySubject, answer: &AlloyAnswer) -> Vec<String> {
    let WhyNothing::Core(core) = &answer.why else {
        panic!("there is a core: {:?}", answer.why);
    };
    assert!(core.minimal);
    let texts = core
        .parts
        .iter()
        .map(|part| session.sources().text(part.span));
    texts.map(str::to_string).collect()
}

#[test]
fn a_core_has_the_needed_parts_and_no_others() {
    let (session, answers) = answers(
        "sig A { f: set A, g: set A }
         fact orderly { no iden & ^f   some g }
         fact { all a: A | some a.f }
         run { some A } for 4",
    );
    assert_eq!(answers[0].satisfiable(), Some(false));
    assert_eq!(answers[0].facts, Facts::Inconsistent);
    let texts = core_texts(&session, &answers[0]);
    // Without its declaration, a field could have atoms that are not there.
    let needed = ["f", "g", "no iden & ^f", "some g", "all a: A | some a.f"];
    assert_eq!(texts, needed);
}

#[test]
fn a_goal_is_taken_apart_too() {
    let (session, answers) = answers(
        "sig A { f: set A, g: set A }
         pred p [a, b: A] { a in b.f  some a.g  no b.f }
         run p
         check { all a, b: A | some a.f and a in b.g and no b.g implies some b.f }",
    );
    assert_eq!(core_texts(&session, &answers[0]), ["a in b.f", "no b.f"]);
    assert_eq!(core_texts(&session, &answers[1]), ["a in b.g", "no b.g"]);
    assert!(answers.iter().all(|a| a.facts == Facts::Consistent));
}

#[test]
fn a_check_that_passes_says_whether_the_facts_can_hold() {
    let (session, answers) = answers(
        "sig A { f: lone A }
         assert Single { all a: A | lone a.f }
         check Single
         fact { some A  no univ & A }
         check Single for 0 but 2 A",
    );
    assert!(answers.iter().all(|a| a.facts == Facts::Inconsistent));
    assert!(
        answers
            .iter()
            .all(|a| a.is_vacuous(&session.commands()[a.command]))
    );
    let (session, answers) = answers_of_single();
    assert_eq!(answers[0].facts, Facts::Consistent);
    assert_eq!(answers[0].holds(&session.commands()[0]), Some(true));
    assert_eq!(core_texts(&session, &answers[0]), ["f", "lone a.f"]);
}

fn answers_of_single() -> (AlloySubject, Vec<AlloyAnswer>) {
    answers("sig A { f: lone A } assert Single { all a: A | lone a.f } check Single")
}

#[test]
fn instances_come_one_after_the_other_until_there_are_no_others() {
    let text = "some sig A {} run {} for 2";
    let session = AlloySubject::from_text("test.als", text).expect("it is a model");
    let mut choices = AlloyOptions {
        instances: 10,
        ..AlloyOptions::default()
    };
    choices.search.symmetry = 0;
    let answer = session.answer(0, &choices, &Budget::unlimited());
    let CommandOutcome::Found { found, others } = answer.outcome else {
        panic!("there are instances");
    };
    assert_eq!((found.len(), others), (3, Others::None));
}

#[test]
fn traces_are_found_by_length_and_each_is_given_once() {
    let text = "var lone sig On {}
                fact { always (some On iff after no On) }
                run {} for 1 but 1..6 steps";
    let session = AlloySubject::from_text("test.als", text).expect("it is a model");
    let choices = AlloyOptions {
        instances: 10,
        ..AlloyOptions::default()
    };
    let answer = session.answer(0, &choices, &Budget::unlimited());
    let CommandOutcome::Found { found, others } = answer.outcome else {
        panic!("there are traces");
    };
    let shapes: Vec<_> = found
        .iter()
        .map(|f| (f.shape.states, f.shape.back))
        .collect();
    assert_eq!((shapes, others), (vec![(2, 0), (2, 0)], Others::None));
}

#[test]
fn a_trace_that_must_be_long_may_be_one_that_could_be_written_shorter() {
    let shapes = |steps: &str| {
        let text = format!(
            "var lone sig On {{}}
             run {{ always some On }} for 1 but {steps} steps
             run {{ always (some On iff after no On) }} for 1 but {steps} steps
             run {{ some On and after always no On }} for 1 but {steps} steps"
        );
        let session = AlloySubject::from_text("test.als", &text).expect("it is a model");
        let choices = AlloyOptions {
            instances: 10,
            ..AlloyOptions::default()
        };
        let shapes = (0..3).map(|command| {
            let answer = session.answer(command, &choices, &Budget::unlimited());
            let CommandOutcome::Found { found, others } = answer.outcome else {
                panic!("there are traces");
            };
            assert_eq!(others, Others::None);
            let shapes = found.iter().map(|f| (f.shape.states, f.shape.back));
            shapes.collect::<Vec<_>>()
        });
        shapes.collect::<Vec<_>>()
    };
    for once in ["3", "1..3"] {
        assert_eq!(
            shapes(once),
            [vec![(1, 0)], vec![(2, 0), (2, 0)], vec![(2, 1)]]
        );
    }
    for long in ["exactly 3", "3..3", "3..5"] {
        assert_eq!(
            shapes(long),
            [vec![(3, 2)], vec![(3, 1), (3, 1)], vec![(3, 2)]]
        );
    }
    assert_eq!(
        shapes("2..4"),
        [vec![(2, 1)], vec![(2, 0), (2, 0)], vec![(2, 1)]]
    );
}

#[test]
fn why_there_is_no_trace_of_a_length_is_told() {
    let (session, answers) = answers(
        "var sig A {} fact stays { always A in A' }
         run { some A and eventually no A } for 1 but 3..4 steps",
    );
    assert_eq!(
        core_texts(&session, &answers[0]),
        ["always A in A'", "some A", "eventually no A"]
    );
}

#[test]
fn a_command_that_cannot_be_answered_is_alone_with_that() {
    let (_, answers) = answers(
        "sig A {} fact { some A no A }
         run { all s: set A | some s }
         run { some A }",
    );
    let CommandOutcome::Refused(refused) = &answers[0].outcome else {
        panic!("it is refused");
    };
    assert_eq!(refused.fault, CommandFault::Limits);
    assert_eq!(answers[0].facts, Facts::Inconsistent);
    assert_eq!(answers[1].satisfiable(), Some(false));
}

#[test]
fn expressions_have_values_in_each_state_of_a_trace() {
    let text = "var sig S {} run { no S and after one S } for 1 but 3 steps";
    let session = AlloySubject::from_text("test.als", text).expect("it is a model");
    let (choices, budget) = (AlloyOptions::default(), Budget::unlimited());
    let question = session.question(0, &choices).expect("its scopes fit");
    let found = question.instances().next(&budget);
    let found = found.expect("no hitch").expect("there is one");
    let value = |text, state| session.evaluate(&question, &found, text, state, &budget);
    assert_eq!(value("some S", 0).ok(), Some(ExpressionValue::Truth(false)));
    assert_eq!(value("some S", 1).ok(), Some(ExpressionValue::Truth(true)));
    assert_eq!(value("#S", 1).ok(), Some(ExpressionValue::Number(Some(1))));
    assert!(matches!(value("S +", 0), Err(NoValue::Rejected(_))));
    assert!(matches!(value("T", 0), Err(NoValue::Rejected(_))));
}

/// A lamp that is switched, and breaks some time when it is on.
const LAMP: &str = "open ctl[Lamp]
    abstract sig Light {}
    one sig Off, On, Broken extends Light {}
    sig Lamp { light: one Light, seen: set Light }
    pred press[a, b: Lamp] { a.light = Off and b.light = On and b.seen = a.seen + On }
    pred release[a, b: Lamp] { a.light = On and b.light = Off and b.seen = a.seen }
    pred fail[a, b: Lamp] { a.light = On and b.light = Broken and b.seen = a.seen }
    fact {
      all a: Lamp | a in initialState iff (a.light = Off and no a.seen)
      all a, b: Lamp | a -> b in nextState iff (press[a, b] or release[a, b] or fail[a, b])
      all a, b: Lamp | a.light = b.light and a.seen = b.seen implies a = b
      some initialState
    }
    check Lasts { ctl_mc[ag[{a: Lamp | a.light != Broken}]] } for 5 Lamp
    check Breaks { ctl_mc[af[{a: Lamp | a.light = Broken}]] } for 5 Lamp
    check Mended { ctl_mc[ag[ef[{a: Lamp | a.light = Off}]]] } for 5 Lamp
    run MayBreak { ctl_mc[ef[{a: Lamp | a.light = Broken}]] } for 5 Lamp";

fn excerpt(command: usize) -> Result<SystemExcerpt, NoExcerpt> {
    let session = AlloySubject::from_text("lamp.als", LAMP).expect("it is a model");
    let choices = AlloyOptions::default();
    let question = session.question(command, &choices).expect("it has scopes");
    let budget = Budget::unlimited();
    let found = question.instances().next(&budget).expect("no limit");
    session.excerpt(&question, &found.expect("there is one"), &budget)
}

#[test]
fn the_smallest_run_is_told_with_the_operations_that_its_steps_are() {
    let path = excerpt(0).expect("it fails");
    assert_eq!(
        (path.form, path.states, path.steps),
        (ExtractForm::SimplePath, 3, 2)
    );
    let report = path.session.report(None, &path.findings);
    let options = wherefore_view::text::TextOptions {
        full: true,
        ..Default::default()
    };
    let told = wherefore_view::text::findings(&report, &options);
    for word in [
        "FAILS",
        "Lasts",
        "press",
        "fail",
        "light=Off",
        "replayed: ok",
    ] {
        assert!(told.contains(word), "{word} is missing in\n{told}");
    }
    let lasso = excerpt(1).expect("it fails");
    assert_eq!(
        (lasso.form, lasso.states, lasso.steps),
        (ExtractForm::Lasso, 3, 3)
    );
    let witness = excerpt(3).expect("it can be");
    assert_eq!((witness.form, witness.states), (ExtractForm::SimplePath, 3));
}

#[test]
fn the_whole_system_shows_what_steps_that_are_left_out_would_count_for() {
    let whole = excerpt(2).expect("it fails");
    assert_eq!((whole.form, whole.determined), (ExtractForm::Whole, None));
    assert!(whole.sentences()[0].contains("nothing can be left out"));
    let finding = &whole.findings[0];
    assert_eq!(finding.verdict, Verdict::Fails);
    let evidence = finding.evidence.as_ref().expect("it fails for a reason");
    assert_eq!(evidence.replay, Replay::Ok);
}

/// Two states that take turns, and a third one that the second can go to.
const TURNS: &str = "open ctl[State]
    enum Node { A, B, C }
    sig State { at: one Node }
    pred go[s, t: State] { s.at = A and t.at = B }
    pred back[s, t: State] { s.at = B and t.at = A }
    pred leave[s, t: State] { s.at = B and t.at = C }
    fact {
      all s: State | s in initialState iff s.at = A
      all s, t: State | s -> t in nextState iff (go[s, t] or back[s, t] or leave[s, t])
      all s, t: State | s.at = t.at implies s = t
    }
    check Loop { ctl_mc[af[or_[{s: State | s.at = C}, ag[{s: State | s.at != C}]]]] } for 3
    check Fork { ctl_mc[or_[ax[ax[{s: State | s.at = A}]], ax[ax[{s: State | s.at = C}]]]] } for 3";

#[test]
fn a_part_that_does_not_say_its_order_has_two_trees_and_the_proof_says_which() {
    let session = AlloySubject::from_text("turns.als", TURNS).expect("it is a model");
    let choices = AlloyOptions::default();
    let told = |command: usize| {
        let question = session.question(command, &choices).expect("it has scopes");
        let budget = Budget::unlimited();
        let found = question.instances().next(&budget).expect("no limit");
        let found = found.expect("there is one");
        let part = session.excerpt(&question, &found, &budget);
        let part = part.expect("a part shows it");
        assert_eq!(
            (part.form, part.determined),
            (ExtractForm::Subgraph, Some(false))
        );
        let trees = part.trees.iter();
        let trees = trees.map(|tree| (tree.text.clone(), tree.shows));
        trees.collect::<Vec<_>>()
    };
    let tree = "0 → 1 → (0 | 2)".to_string();
    let run = "0 → 1 → 0 → 1 → 2".to_string();
    // It takes going around for ever, which no finite tree does.
    assert_eq!(told(0), [(tree.clone(), false), (run.clone(), false)]);
    // It takes one fork.
    assert_eq!(told(1), [(tree, true), (run, false)]);
}

/// What becomes of the complete system with a fact about all states at once.
fn with_fact(fact: &str) -> Result<(), String> {
    let text = format!("{TURNS}\nfact {{ {fact} }}");
    let session = AlloySubject::from_text("turns.als", text).expect("it is a model");
    match session.complete(&[], &Budget::unlimited()) {
        Ok(_) => Ok(()),
        Err(Refusal::Rejected(rejected)) => Err(rejected.diagnostics[0].message.clone()),
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn a_fact_about_all_states_that_is_true_of_those_that_are_reached_changes_nothing() {
    assert_eq!(with_fact("#State = 3"), Ok(()));
    assert_eq!(with_fact("some s: State | s.at = C"), Ok(()));
    let reached = "all s: State | s in initialState.*nextState";
    assert_eq!(with_fact(reached), Ok(()));
}

#[test]
fn a_fact_about_all_states_that_would_cut_a_step_is_refused_with_the_step() {
    let total = with_fact("all s: State | some s.nextState").expect_err("C has no step");
    assert!(total.contains("false of the 3 states"), "{total}");
    assert!(total.contains("step from (at = B) to (at = C)"), "{total}");
    let fact = "all s: State | s.at != C implies some t: State | t.at = C and s -> t in nextState";
    let first = with_fact(fact).expect_err("A does not go to C");
    assert!(first.contains("from (at = B) to (at = A)"), "{first}");
    let none = with_fact("no s: State | s.at = C").expect_err("C is reached");
    assert!(none.contains("step from (at = B) to (at = C)"), "{none}");
    let few = with_fact("#State < 3").expect_err("there are three");
    assert!(few.contains("or do not define one system"), "{few}");
}

#[test]
fn a_fact_of_a_signature_that_asks_about_other_states_is_no_fact_about_each() {
    let text = TURNS.replace(
        "at: one Node }",
        "at: one Node } { some t: State | t.@at = C }",
    );
    let session = AlloySubject::from_text("turns.als", text).expect("it is a model");
    let complete = session.complete(&[], &Budget::unlimited());
    assert!(matches!(complete, Err(Refusal::Rejected(_))));
}

#[test]
fn what_follows_from_every_state_is_what_a_scope_answers() {
    let examples = [
        include_str!("../../../../../examples/alloy/elevator.als"),
        include_str!("../../../../../examples/alloy/mutex.als"),
        include_str!("../../../../../examples/alloy/musical_chairs.als"),
        include_str!("../../../../../examples/alloy/traffic_light.als"),
    ];
    let (budget, mut followed) = (Budget::unlimited(), 0);
    for (text, states) in examples
        .into_iter()
        .zip(["Moment", "Moment", "Game", "Crossing"])
    {
        let session = AlloySubject::from_text("test.als", text).expect("it is a model");
        let mut choices = AlloyOptions::default();
        choices.lowering.scopes.push(Override {
            name: states.to_string(),
            number: 4,
            exactly: false,
        });
        for command in 0..session.commands().len() {
            let question = session.question(command, &choices).expect("its scopes fit");
            let outlook = session.outlook(command, &choices, &budget);
            let mut outlook = outlook.expect("it is about a transition system");
            if !outlook.could_follow(question.command())
                || !outlook.follows_from_all(&session, &question, &choices, &budget)
            {
                continue;
            }
            followed += 1;
            let found = question.instances().next(&budget);
            assert!(matches!(found, Ok(None)), "{}", question.command().label);
        }
    }
    assert!(followed > 8, "only {followed} answers follow");
}
