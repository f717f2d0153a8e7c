//! Evidence as it is wished for, and several runs.

use std::collections::BTreeSet;

use wherefore_base::Budget;
use wherefore_evidence::modal::{LabelWish, RunAspect, SystemWishes, investigate_wished, label};
use wherefore_evidence::{Evidence, Finding, NoMore, Replay, Verdict, WishBest};

use super::LtsSubject;
use crate::strategy::StrategySpec;
use crate::subject::{Subject, Wishes};

fn subject(text: &str, formula: &str) -> LtsSubject {
    let budget = Budget::unlimited();
    let read = LtsSubject::read("test.aut", text.as_bytes(), &Default::default(), &budget);
    let mut subject = read.expect("a system");
    subject.add_formula(formula).expect("a formula");
    subject
}

fn found(subject: &LtsSubject, wishes: &SystemWishes) -> Finding {
    let question = &subject.properties()[0].question;
    investigate_wished(subject.lts(), question, 0, wishes, &Budget::unlimited())
}

fn avoid(subject: &LtsSubject, text: &str) -> LabelWish {
    LabelWish {
        name: format!("avoid:{text}"),
        unwanted: BTreeSet::from([subject.lts().label(text).expect("a label")]),
    }
}

fn word(subject: &LtsSubject, evidence: &Evidence) -> Vec<String> {
    let labels = evidence.edges.iter();
    let labels = labels.filter_map(|edge| label(subject.lts(), &edge.input));
    labels.map(|l| subject.lts().text(l).to_string()).collect()
}

/// Two ways to `c`: by `a` in two steps, by `b` in three.
const WAYS: &str = "des (0, 5, 5)\n(0, a, 1)\n(1, c, 4)\n(0, b, 2)\n(2, b, 3)\n(3, c, 4)\n";
const NEVER_C: &str = "[ true* . \"c\" ] false";

#[test]
fn a_label_is_avoided_where_that_is_possible_and_otherwise_said_to_be_needed() {
    let subject = subject(WAYS, NEVER_C);
    let mut wishes = SystemWishes {
        labels: vec![avoid(&subject, "a")],
        count: 1,
        distinct: vec![],
    };
    let finding = found(&subject, &wishes);
    let evidence = finding.evidence.as_ref().expect("it fails");
    assert_eq!(word(&subject, evidence), ["b", "b", "c"]);
    assert_eq!(evidence.replay, Replay::Ok);
    assert!(finding.wishes[0].is_met());
    // The second wish cannot be met by a run that meets the first.
    wishes.labels.push(avoid(&subject, "b"));
    let finding = found(&subject, &wishes);
    assert!(finding.wishes[0].is_met());
    assert_eq!(
        (finding.wishes[1].way, finding.wishes[1].best),
        (2, WishBest::Proved)
    );
    let wishes = SystemWishes {
        labels: vec![avoid(&subject, "c")],
        ..wishes
    };
    let finding = found(&subject, &wishes);
    assert_eq!(
        (finding.wishes[0].way, finding.wishes[0].best),
        (1, WishBest::Proved)
    );
    let evidence = finding.evidence.as_ref().expect("it fails");
    assert_eq!(word(&subject, evidence), ["a", "c"], "the shortest stays");
}

#[test]
fn several_runs_come_the_shorter_ones_first_until_there_are_no_more() {
    let subject = subject(WAYS, NEVER_C);
    let mut wishes = SystemWishes {
        labels: vec![],
        count: 5,
        distinct: vec![],
    };
    let finding = found(&subject, &wishes);
    let others: Vec<Vec<String>> = finding
        .more
        .evidences()
        .map(|e| word(&subject, e))
        .collect();
    assert_eq!(others, [["b", "b", "c"]]);
    assert_eq!(finding.more.end, Some(NoMore::AllFound));
    wishes.count = 2;
    assert_eq!(found(&subject, &wishes).more.end, None);
}

#[test]
fn runs_with_the_same_actions_are_one_if_actions_tell_them_apart() {
    let text = "des (0, 6, 5)\n(0, a, 1)\n(0, a, 2)\n(1, c, 3)\n(2, c, 3)\n(0, b, 4)\n(4, c, 3)\n";
    let subject = subject(text, NEVER_C);
    let runs = |distinct: Vec<RunAspect>| {
        let wishes = SystemWishes {
            labels: vec![],
            count: 9,
            distinct,
        };
        1 + found(&subject, &wishes).more.others.len()
    };
    assert_eq!(runs(vec![]), 3);
    assert_eq!(runs(vec![RunAspect::States]), 3);
    assert_eq!(runs(vec![RunAspect::Actions]), 2);
    let wishes = SystemWishes {
        count: 9,
        distinct: vec![RunAspect::Actions],
        ..SystemWishes::default()
    };
    let end = found(&subject, &wishes).more.end;
    assert_eq!(end, Some(NoMore::AllDistinct));
}

#[test]
fn a_preferred_label_is_on_as_many_steps_as_a_run_can_have_it_on() {
    // By `b` there are one or two other steps; by `a` alone nothing is reached.
    let text = "des (0, 7, 6)\n(0, a, 1)\n(1, c, 4)\n(0, b, 2)\n(2, b, 3)\n(3, c, 4)\n(2, a, 5)\n(5, c, 4)\n";
    let mut subject = subject(text, NEVER_C);
    let mut led = |strategy: &str| {
        let wishes = Wishes {
            strategy: vec![strategy.parse().expect("a strategy")],
            ..Wishes::default()
        };
        subject
            .wish(&wishes, &Budget::unlimited())
            .expect("a label");
        let finding = found(&subject, &subject.wishes);
        let outcome = finding.wishes[0].clone();
        let evidence = finding.evidence.expect("it fails");
        assert_eq!(evidence.replay, Replay::Ok);
        (word(&subject, &evidence), outcome.way, outcome.best)
    };
    let words = |labels: &[&str]| labels.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        led("prefer:b"),
        (words(&["b", "b", "c"]), 1, WishBest::Proved)
    );
    assert_eq!(led("prefer:a"), (words(&["a", "c"]), 1, WishBest::Proved));
    assert_eq!(led("prefer:c"), (words(&["a", "c"]), 1, WishBest::Proved));
}

#[test]
fn what_has_no_meaning_for_a_system_is_refused_with_what_works() {
    let mut subject = subject(WAYS, NEVER_C);
    let budget = Budget::unlimited();
    let mut refused = |strategy: &str| {
        let spec: StrategySpec = strategy.parse().expect("a strategy");
        let wishes = Wishes {
            strategy: vec![spec],
            ..Wishes::default()
        };
        subject
            .wish(&wishes, &budget)
            .map(drop)
            .map_err(|why| why.to_string())
    };
    assert_eq!(refused("avoid:a"), Ok(()));
    assert_eq!(refused("avoid:\"a\""), Ok(()));
    let why = refused("random:7").expect_err("it has no meaning");
    assert!(
        why.contains("`avoid:LABEL` and `prefer:LABEL` work"),
        "{why}"
    );
    let why = refused("avoid:d").expect_err("there is no such label");
    assert!(why.starts_with("no step has the label `d`"), "{why}");
}

/// Whether a run without some label reaches a step `c`, by looking at all states.
fn reaches_c(edges: &[(usize, usize, usize)], without: usize) -> bool {
    let mut seen = BTreeSet::from([0]);
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        for &(from, by, to) in edges
            .iter()
            .filter(|(from, by, _)| *from == state && *by != without)
        {
            debug_assert_eq!(from, state);
            if by == 2 {
                return true;
            }
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    false
}

#[test]
fn on_random_systems_a_wish_is_met_just_where_a_run_meets_it() {
    let mut seed = 1u64;
    let mut random = |below: u64| {
        // xorshift
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below) as usize
    };
    let (mut met, mut unmet) = (0, 0);
    for _ in 0..300 {
        let edges: Vec<(usize, usize, usize)> =
            (0..8).map(|_| (random(5), random(3), random(5))).collect();
        let lines = edges
            .iter()
            .map(|(from, by, to)| format!("({from}, {}, {to})\n", ["a", "b", "c"][*by]));
        let text = format!("des (0, {}, 5)\n{}", edges.len(), lines.collect::<String>());
        if !reaches_c(&edges, 9) || !edges.iter().any(|edge| edge.1 == 0) {
            continue;
        }
        let subject = subject(&text, NEVER_C);
        let wishes = SystemWishes {
            labels: vec![avoid(&subject, "a")],
            count: 1,
            distinct: vec![],
        };
        let finding = found(&subject, &wishes);
        assert_eq!(finding.verdict, Verdict::Fails);
        let possible = reaches_c(&edges, 0);
        assert_eq!(finding.wishes[0].is_met(), possible, "{text}");
        match possible {
            true => met += 1,
            false => unmet += 1,
        }
    }
    assert!(met > 20 && unmet > 20, "{met} met, {unmet} not");
}
