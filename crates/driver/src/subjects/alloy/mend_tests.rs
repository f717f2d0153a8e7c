//! Who is to blame for commands that are not as expected.

use wherefore_base::Budget;
use wherefore_evidence::{Blame, SuspectRole};

use super::{AlloyOptions, AlloySubject};
use crate::blame::BlameEffort;
use crate::results::Results;
use crate::subject::{Ask, QuestionId, Subject};

const LIST: &str = "sig Node { next: lone Node }
pred acyclic { no n: Node | n in n.next }
run acyclic for 3
check Acyclic { acyclic implies no n: Node | n in n.^next } for 3
";

/// A guard is missing: the last node has no next one.
const SORTED: &str = "sig Node { next: lone Node, key: Int }
fact { all n: Node | n not in n.^next }
pred sorted { all n: Node | n.key <= n.next.key }
run sorted for 3
check Last { (all n: Node, m: n.next | n.key <= m.key) iff sorted } for 3
";

const GRADES: &str = "sig Person {}
sig Work { by: some Person, helpers: set Person }
pred mayGrade[p: Person, w: Work] { p in w.helpers }
assert NotTheirOwn { all p: Person, w: Work | mayGrade[p, w] implies p not in w.by }
check NotTheirOwn for 3
";

const EMPTY: &str = "sig Node { next: lone Node }
fact Ends { no n: Node | some n.next }
run { some next } for 3 expect 1
";

fn blamed(text: &str) -> (AlloySubject, Vec<(usize, Blame)>) {
    let subject = AlloySubject::from_text("model.als", text).expect("it is a model");
    let ask = Ask {
        blame: Some(BlameEffort::ASKED),
        ..Ask::default()
    };
    let questions: Vec<QuestionId> = (0..subject.commands().len()).map(QuestionId::new).collect();
    let mut results = Results::default();
    let done = subject.answer_all(&questions, &ask, &Budget::unlimited(), &mut results);
    done.expect("it can be asked");
    let answers = results.commands.into_iter();
    let blamed = answers.filter_map(|answer| Some((answer.command, answer.blame?)));
    let blamed = blamed.collect();
    (subject, blamed)
}

/// The lines of the suspects of the only command that is not as expected, and the first mend.
fn told(text: &str) -> (Vec<usize>, String) {
    let (subject, blamed) = blamed(text);
    let [(_, blame)] = &blamed[..] else {
        panic!("one command is not as expected");
    };
    let suspects = blame.suspects.iter();
    let lines = suspects.map(|suspect| subject.sources().place(suspect.span).line);
    let (_, mend) = blame.mends().next().expect("there is a mend");
    let changed = subject.changed_text(&mend.change);
    let place = subject.sources().place(mend.change.span).line;
    let line = changed.lines().nth(place - 1).expect("the line is there");
    (lines.collect(), line.to_string())
}

#[test]
fn a_missing_closure_is_to_blame() {
    let (lines, mended) = told(LIST);
    assert_eq!(lines[0], 2);
    assert_eq!(mended, "pred acyclic { no n: Node | n in n.^next }");
}

#[test]
fn a_missing_guard_is_to_blame() {
    let (lines, mended) = told(SORTED);
    assert_eq!(lines[0], 3);
    assert!(mended.contains("implies n.key <= n.next.key"), "{mended}");
}

#[test]
fn a_predicate_that_only_checks_use_can_be_to_blame() {
    let (lines, mended) = told(GRADES);
    assert_eq!(lines[0], 3);
    assert!(
        mended.starts_with("pred mayGrade[p: Person, w: Work] {"),
        "{mended}"
    );
}

#[test]
fn a_fact_is_to_blame_for_a_run_without_an_instance() {
    let (lines, mended) = told(EMPTY);
    assert_eq!(lines[0], 2);
    assert!(mended.starts_with("fact Ends {"), "{mended}");
}

#[test]
fn every_mend_mends_what_it_says() {
    let (options, budget) = (AlloyOptions::default(), Budget::unlimited());
    let mut mends = 0;
    for text in [LIST, SORTED, GRADES, EMPTY] {
        let (subject, blamed) = blamed(text);
        for (command, blame) in blamed {
            for (suspect, mend) in blame.mends() {
                let text = subject.changed_text(&mend.change);
                let changed = AlloySubject::from_text("model.als", text).expect("it is a model");
                let expected = |command: usize| {
                    let answer = changed.answer(command, &options, &budget);
                    answer.as_expected(&subject.commands()[command]) == Some(true)
                };
                let all = 0..subject.commands().len();
                assert!(expected(command));
                assert_eq!(mend.holds, all.clone().filter(|&c| expected(c)).count());
                assert_eq!(mend.of, all.len());
                let costs = suspect.role == SuspectRole::MendsAtACost;
                assert_eq!(costs, !mend.breaks.is_empty());
                assert!(mend.breaks.iter().all(|&broken| !expected(broken)));
                mends += 1;
            }
        }
    }
    assert!(mends >= 4);
}

#[test]
fn comments_do_not_matter_and_the_outcome_is_always_the_same() {
    let (_, plain) = blamed(LIST);
    let commented = LIST.replace("for 3\n", "for 3 // n in n.^next\n");
    let (_, other) = blamed(&commented);
    let mends = |blamed: &[(usize, Blame)]| -> Vec<String> {
        let all = blamed.iter().flat_map(|(_, blame)| blame.mends());
        all.map(|(_, mend)| mend.change.text.clone()).collect()
    };
    assert_eq!(mends(&plain), mends(&other));
    assert_eq!(plain, blamed(LIST).1);
}

#[test]
fn commands_that_are_as_expected_blame_nobody() {
    let text = "sig A {} run { some A } check { no none } check { no A } expect 1";
    assert!(blamed(text).1.is_empty());
}
