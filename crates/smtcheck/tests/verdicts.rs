//! Verdicts on models that are not finite: each as it must be, with evidence that replays.

use wherefore_base::{Budget, FileId};
use wherefore_smt::Deadlock;
use wherefore_smtcheck::{ProcessLimits, Satisfiability};
use wherefore_smtcheck::{
    SmtCertificate, SmtEngine, SmtOptions, SmtStart, SmtVerdict, ask_all, theory_query, witness,
};

use crate::common::{
    BAKERY, COLLISION, COUNTDOWN, COUNTER, FILES, NESTED, RESET, SETTLING, TICKET, all_as_expected,
    ask, ask_with, leader, solvers, system,
};

#[test]
fn the_counter_is_decided() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, COUNTER);
}

#[test]
fn a_countdown_from_anywhere_ends_because_of_a_rank() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, COUNTDOWN);
    let answer = ask(&solvers, COUNTDOWN, "ends", SmtEngine::Induction);
    let SmtVerdict::Holds(proof) = &answer.verdict else {
        panic!("{answer:?}");
    };
    assert!(
        proof.certificates.contains(&SmtCertificate::Rank {
            ranks: vec!["x".to_string()],
            goal: "x = 0".to_string(),
        }),
        "{proof:?}"
    );
}

#[test]
fn a_loop_in_a_loop_ends_because_of_a_tuple_of_ranks() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, NESTED);
}

#[test]
fn the_bakery_is_decided() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, BAKERY);
}

#[test]
fn what_can_always_happen_is_told_from_what_must() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, RESET);
}

#[test]
fn what_stays_from_some_time_on_is_told_from_what_does_not() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, SETTLING);
}

#[test]
fn every_mode_can_be_reached_whatever_the_limit() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, COLLISION);
}

#[test]
fn a_promise_that_is_never_asked_for_is_refuted_though_the_numbers_never_come_back() {
    let Some(solvers) = solvers() else { return };
    let answer = ask(&solvers, TICKET, "always", SmtEngine::Auto);
    let SmtVerdict::Fails(refutation) = &answer.verdict else {
        panic!("{answer:?}");
    };
    let closed_by = refutation.closed_by.as_ref().expect("no run closes a loop");
    assert!(matches!(
        &closed_by.certificates[..],
        [SmtCertificate::Recurrent(set)] if !set.is_empty()
    ));
    assert!(refutation.runs[0].trace.back.is_none());
}

#[test]
fn everybody_with_a_ticket_is_served_within_four_steps() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, TICKET);
    let answer = ask(&solvers, TICKET, "served", SmtEngine::Induction);
    let SmtVerdict::Holds(proof) = &answer.verdict else {
        panic!("{answer:?}");
    };
    assert!(
        proof.certificates.iter().any(|certificate| matches!(
            certificate,
            SmtCertificate::Reach {
                every: true,
                steps: 4,
                ..
            }
        )),
        "{proof:?}"
    );
}

#[test]
fn a_write_is_a_deletion_and_an_addition() {
    let Some(solvers) = solvers() else { return };
    all_as_expected(&solvers, FILES);
}

#[test]
fn the_leader_is_elected_in_rings() {
    let Some(solvers) = solvers() else { return };
    for n in [2, 5, 8] {
        all_as_expected(&solvers, &leader(n));
    }
}

#[test]
fn proofs_are_checked_by_a_second_solver_where_there_is_one() {
    let Some(solvers) = solvers() else { return };
    let answer = ask(&solvers, COUNTER, "past", SmtEngine::Unroll);
    let SmtVerdict::Holds(proof) = &answer.verdict else {
        panic!("{answer:?}");
    };
    let reach = SmtCertificate::Reach {
        every: true,
        from: SmtStart::Initial,
        goal: "c > 5".to_string(),
        steps: 3,
    };
    assert_eq!(proof.certificates, [reach]);
    assert_eq!(proof.checked_by.len(), solvers.len());
}

/// What z3 says of the theory of a property.
fn theory_says(text: &str, property: &str, change: impl Fn(String) -> String) -> Satisfiability {
    let solvers = solvers().expect("it was asked before");
    let system = system(text);
    let at = system.find(property).expect("it is there");
    let queries =
        theory_query(&system, &system.properties[at], &SmtOptions::default()).expect("it is live");
    let [query] = &queries[..] else {
        panic!("{queries:?}");
    };
    let query = change(
        query
            .query
            .replace("(set-logic ALL)\n", "")
            .replace("(check-sat)\n", ""),
    );
    let replies = ask_all(
        &solvers[..1],
        &query,
        ProcessLimits::default(),
        &Budget::unlimited(),
    );
    replies
        .last()
        .expect("it answers")
        .outcome
        .clone()
        .expect("it has no trouble")
}

#[test]
fn the_theory_of_something_that_can_happen_speaks_of_the_whole_formula() {
    if solvers().is_none() {
        return;
    }
    assert_eq!(
        theory_says(COUNTER, "can", |query| query),
        Satisfiability::Unsat
    );
    // As it is printed in Figure 5: the step leads to the operand, not to the formula. Then only what is one step away
    // can happen, and the property is not proved.
    let slip = |query: String| {
        let line = query
            .lines()
            .find(|line| line.contains("(Next "))
            .expect("there is a step")
            .to_string();
        let at = line.find("(EF_1 ").expect("the formula is there");
        let end = at + line[at..].find(')').expect("it ends") + 1;
        let target = line[at + 6..end - 1].to_string();
        query.replace(
            &line,
            &format!("{}(= {target} 5){}", &line[..at], &line[end..]),
        )
    };
    assert_eq!(theory_says(COUNTER, "can", slip), Satisfiability::Sat);
}

#[test]
fn the_theory_proves_what_every_connective_says() {
    let Some(solvers) = solvers() else { return };
    for (formula, proved) in [
        ("(ctl.EX (= c 3))", true),
        ("(ctl.EX (= c 4))", false),
        ("(ctl.AX (>= c 2))", true),
        ("(ctl.AX (>= c 3))", false),
        ("(ctl.EF (= c 7))", true),
        ("(ctl.AF (> c 5))", true),
        ("(ctl.EU (< c 4) (= c 5))", true),
        ("(ctl.AU (< c 9) (> c 5))", true),
        ("(and (ctl.EX (= c 2)) (or (= c 1) (ctl.AX (> c 1))))", true),
    ] {
        let text = format!(
            "(define-fun Init ((c Int)) Bool (= c 0))
             (define-fun Next ((c Int) (d Int)) Bool (or (= d (+ c 2)) (= d (+ c 3))))
             (define-fun it ((c Int)) Bool (! {formula} :ctl-property it))"
        );
        let budget_is_enough = proved || formula.contains('X');
        if budget_is_enough {
            let answer = ask(&solvers, &text, "it", SmtEngine::Theory);
            assert_eq!(
                answer.holds(),
                proved.then_some(true),
                "{formula}: {answer:?}"
            );
        }
    }
}

#[test]
fn a_model_of_the_theory_is_no_counterexample() {
    let Some(solvers) = solvers() else { return };
    // From every state, also from those that are never reached, the property fails; the answer is not that it fails.
    let text = "
        (define-fun Init ((c Int)) Bool (= c 0))
        (define-fun Next ((c Int) (d Int)) Bool (= d (ite (< c 0) c (+ c 1))))
        (define-fun it ((c Int)) Bool (! (ctl.AG (ctl.EX (> c 0))) :ctl-property it))";
    let answer = ask(&solvers, text, "it", SmtEngine::Theory);
    assert_eq!(answer.holds(), None);
    assert!(
        answer
            .tried
            .iter()
            .any(|a| a.to_string().contains("reachable")),
        "{answer:?}"
    );
}

#[test]
fn axioms_that_contradict_each_other_prove_nothing() {
    let Some(solvers) = solvers() else { return };
    // The maximum of the ring has fed its neighbour at all times, before the start too: there is no such ring.
    let text = "
        (declare-const id0 Int)
        (declare-const id1 Int)
        (declare-fun lead0 (Int) Int)
        (declare-fun lead1 (Int) Int)
        (assert (distinct id0 id1))
        (assert (= (lead0 0) id0))
        (assert (= (lead1 0) id1))
        (assert (forall ((t Int)) (= (lead0 (+ t 1)) (ite (> (lead1 t) (lead0 t)) (lead1 t) (lead0 t)))))
        (assert (forall ((t Int)) (= (lead1 (+ t 1)) (ite (> (lead0 t) (lead1 t)) (lead0 t) (lead1 t)))))
        (define-fun Init ((t Int)) Bool (= t 0))
        (define-fun Next ((t Int) (u Int)) Bool (= u (+ t 1)))
        (define-fun it ((t Int)) Bool (! (ctl.AF (= (lead0 t) (lead1 t))) :ctl-property it))
        (define-fun absurd ((t Int)) Bool (! (ctl.AF false) :ctl-property absurd))";
    for property in ["it", "absurd"] {
        for engine in [SmtEngine::Auto, SmtEngine::Theory] {
            let answer = ask(&solvers, text, property, engine);
            assert_eq!(answer.holds(), None, "{answer:?}");
            assert!(answer.vacuous.is_some(), "{answer:?}");
        }
    }
    // From the start on there is one.
    let mended = text
        .replace("(forall ((t Int)) (=", "(forall ((t Int)) (=> (>= t 0) (=")
        .replace("(lead0 t)))))", "(lead0 t))))))")
        .replace("(lead1 t)))))", "(lead1 t))))))");
    let answer = ask(&solvers, &mended, "it", SmtEngine::Theory);
    assert_eq!(answer.holds(), Some(true), "{answer:?}");
}

#[test]
fn without_an_initial_state_a_property_holds_and_says_nothing() {
    let Some(solvers) = solvers() else { return };
    let text = "
        (define-fun Init ((c Int)) Bool (and (> c 0) (< c 1)))
        (define-fun Next ((c Int) (d Int)) Bool (= d c))
        (define-fun it ((c Int)) Bool (! (ctl.AF false) :ctl-property it))";
    let answer = ask(&solvers, text, "it", SmtEngine::Auto);
    assert_eq!(answer.holds(), Some(true));
    assert!(answer.vacuous.is_some());
}

#[test]
fn dead_ends_mean_what_was_chosen() {
    let Some(solvers) = solvers() else { return };
    let text = "
        (define-fun Init ((c Int)) Bool (= c 0))
        (define-fun Next ((c Int) (d Int)) Bool (and (< c 3) (= d (+ c 1))))
        (define-fun it ((c Int)) Bool (! (ctl.AF (= c 9)) :ctl-property it))
        (define-fun until ((c Int)) Bool (! (ctl.AU false false) :ctl-property until))
        (define-fun reach ((c Int)) Bool (! (ctl.AF (= c 3)) :ctl-property reach))";
    let ask = |property, rule| ask_with(&solvers, text, property, SmtEngine::Auto, Some(rule));
    assert_eq!(ask("it", Deadlock::Vacuous).holds(), Some(true));
    assert_eq!(ask("it", Deadlock::Fail).holds(), Some(false));
    assert_eq!(ask("until", Deadlock::Vacuous).holds(), Some(false));
    assert_eq!(ask("reach", Deadlock::Fail).holds(), Some(true));
    let answer = ask("reach", Deadlock::Error);
    assert_eq!(answer.holds(), None);
    assert!(answer.reached[0].contains("after 3 steps"), "{answer:?}");
}

#[test]
fn without_solvers_nothing_is_known() {
    let answer = ask(&[], COUNTER, "past", SmtEngine::Auto);
    assert_eq!(answer.holds(), None);
    assert_eq!(answer.reached, ["No solver is installed."]);
}

#[test]
fn a_property_that_is_not_live_has_no_theory() {
    let Some(solvers) = solvers() else { return };
    let text = "
        (define-fun Init ((c Int)) Bool (= c 0))
        (define-fun Next ((c Int) (d Int)) Bool (= d (+ c 1)))
        (define-fun it ((c Int)) Bool (! (ctl.EG (>= c 0)) :ctl-property it))";
    let answer = ask(&solvers, text, "it", SmtEngine::Theory);
    assert_eq!(answer.holds(), None);
    assert!(
        answer.tried[0]
            .outcome
            .starts_with("EG asks for something that goes on for ever"),
        "{answer:?}"
    );
}

#[test]
fn some_system_of_the_class_is_found_or_there_is_none() {
    let Some(solvers) = solvers() else { return };
    let text = "
        (declare-const by Int)
        (assert (>= by 0))
        (define-fun Init ((c Int)) Bool (= c 0))
        (define-fun Next ((c Int) (d Int)) Bool (= d (+ c by)))
        (define-fun exact ((c Int)) Bool (! (ctl.AF (= c 7)) :ctl-property exact))
        (define-fun back ((c Int)) Bool (! (ctl.EF (< c 0)) :ctl-property back))";
    let model = system(text);
    for (name, all, some) in [("exact", false, true), ("back", false, false)] {
        let property = &model.properties[model.find(name).expect("it is there")];
        for (wanted, expected) in [(false, all), (true, some)] {
            let choices = SmtOptions {
                solvers: solvers.clone(),
                some: wanted,
                ..SmtOptions::default()
            };
            let budget = Budget::new(Some(std::time::Duration::from_secs(60)), None);
            let answer =
                wherefore_smtcheck::decide(&model, property, &choices, &budget, &mut |_| {});
            assert_eq!(
                answer.holds(),
                Some(expected),
                "{name}, some {wanted}: {answer:?}"
            );
        }
    }
}

#[test]
fn what_can_happen_has_a_run_that_our_own_evaluator_replays() {
    let Some(solvers) = solvers() else { return };
    let read = wherefore_smt::read("counter", FileId::new(0), COUNTER);
    let mut system = read.system;
    let mut scope = read.scope;
    let choices = SmtOptions {
        solvers,
        ..SmtOptions::default()
    };
    let budget = Budget::unlimited();
    for (formula, steps) in [("(ctl.EF (= c 5))", 2), ("(ctl.EX (ctl.EX (= c 6)))", 2)] {
        let property = scope.property(&mut system, "it", FileId::new(0), formula);
        let property = property.expect("a formula");
        let runs = witness(&system, &property, &choices, &budget).runs;
        let [run] = &runs[..] else {
            panic!("{formula}: {runs:?}");
        };
        assert_eq!(run.trace.states.len(), steps + 1, "{formula}");
        assert_eq!(run.trace.replay(&system, true), Ok(()), "{formula}");
    }
    // What is said of all paths is shown by no run.
    let property = scope.property(&mut system, "all", FileId::new(0), "(ctl.AF (> c 5))");
    let property = property.expect("a formula");
    assert!(
        witness(&system, &property, &choices, &budget)
            .runs
            .is_empty()
    );
}

#[test]
fn what_is_said_of_all_runs_from_a_state_is_proved_of_that_state() {
    let Some(solvers) = solvers() else { return };
    // Once it is started it counts for ever; before, it may wait.
    let read = wherefore_smt::read(
        "started",
        FileId::new(0),
        "(declare-fun c () Int) (declare-fun c1 () Int)
         (declare-fun m () Bool) (declare-fun m1 () Bool)
         (define-fun .c () Int (! c :next c1))
         (define-fun .m () Bool (! m :next m1))
         (define-fun .init () Bool (! (and (= c 0) (not m)) :init true))
         (define-fun wait () Bool (and (not m) (not m1) (= c1 c)))
         (define-fun go () Bool (and (not m) m1 (= c1 c)))
         (define-fun up () Bool (and m m1 (= c1 (+ c 1))))
         (define-fun .trans () Bool (! (or wait go up) :trans true))",
    );
    let mut system = read.system;
    let mut scope = read.scope;
    let choices = SmtOptions {
        solvers,
        ..SmtOptions::default()
    };
    let budget = Budget::unlimited();
    // How many steps the run has, and what must be proved of a state of it.
    let cases = [
        ("(ctl.EX (ctl.AF (> c 3)))", 1, &["AF (c > 3)"][..]),
        (
            "(ctl.EF (and (= c 2) (ctl.AG (> c 1))))",
            3,
            &["AG (c > 1)"],
        ),
        ("(ctl.EF (ctl.AF (= c 2)))", 1, &["AF (c = 2)"]),
        (
            "(and (ctl.EF (= c 1)) (ctl.AG (>= c 0)))",
            2,
            &["AG (c >= 0)"],
        ),
        (
            "(ctl.EG (and (not m) (ctl.AG (>= c 0))))",
            0,
            &["AG (c >= 0)"],
        ),
    ];
    for (formula, steps, proved) in cases {
        let property = scope.property(&mut system, "it", FileId::new(0), formula);
        let property = property.expect("a formula");
        let found = witness(&system, &property, &choices, &budget);
        let [run] = &found.runs[..] else {
            panic!("{formula}: {found:?}");
        };
        assert_eq!(run.trace.states.len(), steps + 1, "{formula}");
        assert_eq!(run.trace.replay(&system, true), Ok(()), "{formula}");
        let claims = found.claims.iter().map(|claim| claim.formula.as_str());
        assert_eq!(claims.collect::<Vec<_>>(), proved, "{formula}");
    }
    // No state has both: nothing is shown that is not proved.
    let none = "(ctl.EF (and m (ctl.AF (< c 0))))";
    let property = scope.property(&mut system, "none", FileId::new(0), none);
    let found = witness(&system, &property.expect("a formula"), &choices, &budget);
    assert_eq!(found, wherefore_smtcheck::SmtWitness::default());
}
