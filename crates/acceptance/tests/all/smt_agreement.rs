//! Finite systems in VMT-LIB: what SMT solvers say of them, and what exploring their states says.

use std::time::Duration;

use wherefore_acceptance::has_solver;
use wherefore_base::Budget;
use wherefore_driver::smt::Deadlock;
use wherefore_driver::subjects::smt::{SmtAnswer, SmtOptions, SmtSolver, SmtSubject};
use wherefore_evidence::Verdict as Found;
use wherefore_testkit::{campaign, random_vmt};

use crate::tally::Tally;

/// How solvers are asked, or none if there is no solver, which is told.
fn choices() -> Option<SmtOptions> {
    has_solver().then(|| SmtOptions {
        solvers: SmtSolver::installed(&Budget::unlimited()),
        bound: 30,
        recheck: Duration::ZERO,
        ..SmtOptions::default()
    })
}

fn ask(session: &SmtSubject, choices: &SmtOptions) -> SmtAnswer {
    let budget = Budget::new(Some(Duration::from_secs(10)), None);
    session.answer(0, choices, &budget)
}

/// What exploring the states of a finite system says of its property.
fn explored(session: &SmtSubject) -> bool {
    let finite = session.finite(&[]).expect("all sorts are finite");
    let finding = finite.check(0).expect("the finite version is a model");
    finding.verdict == Found::Holds
}

#[test]
fn solvers_agree_with_exploring_and_their_runs_refute() {
    let Some(choices) = choices() else {
        return;
    };
    let tally = Tally::default();
    campaign("smt", 24, |rng| {
        let size = 1 + rng.below(4);
        let text = random_vmt::random(rng, size);
        let mut session =
            SmtSubject::from_text("random.vmt", text.as_str()).expect("it is a model");
        if rng.chance(1, 3) {
            session.set_deadlock(Deadlock::Fail);
        }
        let answer = ask(&session, &choices);
        tally.compare(&session, (0, answer), explored(&session), &text);
    });
    tally.is_enough();
}

#[test]
fn renamed_symbols_change_no_verdict() {
    let Some(choices) = choices() else {
        return;
    };
    campaign("smt names", 4, |rng| {
        let text = random_vmt::random(rng, 3);
        let renamed = text
            .replace("red", "|a colour|")
            .replace("go", "let!7")
            .replace("a1", "x!0")
            .replace("b1", "not_b");
        let verdict = |text: &str| {
            let session = SmtSubject::from_text("random.vmt", text).expect("it is a model");
            (ask(&session, &choices).holds(), explored(&session))
        };
        let ((one, is), (other, was)) = (verdict(&text), verdict(&renamed));
        assert_eq!(is, was);
        if let (Some(one), Some(other)) = (one, other) {
            assert_eq!(one, other, "{text}");
        }
    });
}
