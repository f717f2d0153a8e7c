//! Finite systems in VMT-LIB: what SMT solvers say of them, and what exploring their states says.

use std::cell::Cell;
use std::time::Duration;

use wherefore::evidence::Replay;
use wherefore::live::{Answer, Choices, LiveSession, Solver, Verdict};
use wherefore::smt::Deadlock;
use wherefore_base::Budget;
use wherefore_evidence::{Options, Verdict as Found};
use wherefore_testkit::{campaign, has_solver, random_vmt};

/// How solvers are asked, or none if there is no solver, which is told.
fn choices() -> Option<Choices> {
    has_solver().then(|| Choices {
        solvers: Solver::installed(&Budget::unlimited()),
        bound: 30,
        recheck: Duration::ZERO,
        ..Choices::default()
    })
}

fn ask(session: &LiveSession, choices: &Choices) -> Answer {
    let budget = Budget::new(Some(Duration::from_secs(10)), None);
    session.answer(0, choices, &budget)
}

/// What exploring the states of a finite system says of its property.
fn explored(session: &LiveSession) -> bool {
    let finite = session.finite(&[]).expect("all sorts are finite");
    let finding = finite.check(0).expect("the finite version is a model");
    finding.verdict == Found::Holds
}

#[test]
fn solvers_agree_with_exploring_and_their_runs_refute() {
    let Some(choices) = choices() else {
        return;
    };
    let (decided, asked) = (Cell::new(0), Cell::new(0));
    campaign("smt", 24, |rng| {
        let size = 1 + rng.below(4);
        let text = random_vmt::random(rng, size);
        let mut session =
            LiveSession::from_text("random.vmt", text.as_str()).expect("it is a model");
        if rng.chance(1, 3) {
            session.set_deadlock(Deadlock::Fail);
        }
        let answer = ask(&session, &choices);
        asked.set(asked.get() + 1);
        let expected = explored(&session);
        let Some(held) = answer.holds() else {
            return;
        };
        decided.set(decided.get() + 1);
        assert_eq!(held, expected, "{text}\n{answer:?}");
        if let Verdict::Fails(_) = answer.verdict {
            let told = session.tell(&[(0, answer)], &Options::default(), &Budget::unlimited());
            let finding = &told.findings[0];
            assert_eq!(finding.verdict, Found::Fails, "{text}");
            if let Some(evidence) = &finding.evidence {
                assert_eq!(evidence.replay, Replay::Ok, "{text}");
            }
        }
    });
    // Usually most of them; how many a slow machine decides in time is not what is tested.
    assert!(
        decided.get() * 8 >= asked.get(),
        "{} of {}",
        decided.get(),
        asked.get()
    );
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
            let session = LiveSession::from_text("random.vmt", text).expect("it is a model");
            (ask(&session, &choices).holds(), explored(&session))
        };
        let ((one, is), (other, was)) = (verdict(&text), verdict(&renamed));
        assert_eq!(is, was);
        if let (Some(one), Some(other)) = (one, other) {
            assert_eq!(one, other, "{text}");
        }
    });
}
