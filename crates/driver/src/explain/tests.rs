use wherefore_base::{Stop, Value};
use wherefore_evidence::{Replay, Rule, WayKind};

use super::*;

const BUTTON: &str = include_str!("../../../../examples/button.smv");

/// Asks about a formula of the button with each engine; the answers must be the same.
fn ask<T: PartialEq + std::fmt::Debug>(
    formula: &str,
    question: impl Fn(&mut ModelSubject, &mut Inquiry<'_>) -> Run<T>,
) -> T {
    let answers = [Engine::Explicit, Engine::Bdd].map(|engine| {
        let mut session = ModelSubject::from_text("button.smv", BUTTON).expect("it is a model");
        session.add_formula(formula).expect("it is a formula");
        let property = session.model().properties.len() - 1;
        let mut answer = None;
        let outcome = explain(
            &mut session,
            property,
            engine,
            &Budget::unlimited(),
            &mut |session, opened| {
                let mut past = Past::default();
                let mut inquiry = Inquiry::new(opened, &mut past)?;
                answer = Some(question(session, &mut inquiry)?);
                Ok(Next::Done)
            },
        );
        outcome.expect("it is sound");
        answer.expect("there is something to prove")
    });
    let [explicit, bdd] = answers;
    assert_eq!(explicit, bdd);
    explicit
}

fn first(inquiry: &Inquiry<'_>) -> ProofId {
    inquiry.scene().expect("nobody stops it").open[0].number
}

#[test]
fn a_proof_opens_with_nothing_but_its_claim() {
    let scene = ask("EF (f | r)", |_, inquiry| inquiry.scene());
    assert_eq!(scene.evidence.proof.len(), 1);
    assert_eq!(scene.evidence.occurrences.len(), 1);
    assert_eq!((scene.open.len(), scene.open[0].rank), (1, Some(2)));
    assert!(matches!(scene.evidence.replay, Replay::Partial(_)));
}

#[test]
fn a_claim_for_ever_is_shown_by_a_loop_of_four_here_or_by_one_step_to_a_loop_of_one() {
    // EG p at the state that the first step to p leads to.
    let kinds = ask("EX (p & EG p)", |_, inquiry| {
        for _ in 0..2 {
            inquiry.expand(first(inquiry))?;
        }
        let offers = inquiry.offers(first(inquiry))?;
        Ok(offers
            .into_iter()
            .map(|offer| (offer.way.kind, offer.outlook))
            .collect::<Vec<_>>())
    });
    let loop_of_one = Outlook {
        steps: 2,
        turn: Some(1),
    };
    let kinds: Vec<_> = kinds.iter().map(|(kind, look)| (*kind, *look)).collect();
    assert!(
        kinds.contains(&(WayKind::Continue, Some(loop_of_one))),
        "{kinds:?}"
    );
    assert!(
        kinds.iter().any(|(kind, _)| *kind == WayKind::Loop(4)),
        "{kinds:?}"
    );
}

#[test]
fn what_the_values_decide_is_shown_without_asking() {
    let rules = ask("EX (p & EX r)", |_, inquiry| {
        for _ in 0..2 {
            inquiry.expand(first(inquiry))?;
        }
        let scene = inquiry.scene()?;
        let rules = scene.evidence.proof.iter().map(|node| node.rule);
        Ok(rules.collect::<Vec<_>>())
    });
    assert_eq!(
        rules
            .iter()
            .filter(|rule| **rule == Some(Rule::State))
            .count(),
        1
    );
    assert_eq!(rules.iter().filter(|rule| rule.is_none()).count(), 1);
}

#[test]
fn every_change_can_be_undone_and_none_leaves_a_trace() {
    ask("AG (r -> AF f)", |_, inquiry| {
        let start = inquiry.scene()?;
        inquiry.expand(first(inquiry))?;
        let second = inquiry.scene()?;
        inquiry.grow()?;
        inquiry.reopen(ProofId::new(1))?;
        assert!(inquiry.undo() && inquiry.undo());
        assert_eq!(inquiry.scene()?, second);
        assert!(inquiry.undo());
        assert_eq!(inquiry.scene()?, start);
        assert!(!inquiry.undo());
        Ok(())
    });
}

#[test]
fn what_does_not_exist_cannot_be_shown_taken_or_closed() {
    ask("EF r", |_, inquiry| {
        let nobody = ProofId::new(99);
        assert_eq!(inquiry.offers(nobody)?, []);
        assert!(!inquiry.expand(nobody)?);
        assert!(!inquiry.reopen(nobody)?);
        assert!(!inquiry.another(nobody)?);
        assert!(!inquiry.take(ProofId::new(0), 99)?);
        assert_eq!(inquiry.scene()?.changes, 0);
        Ok(())
    });
}

#[test]
fn another_way_is_taken_until_all_were_and_then_the_first_again() {
    let seen = ask("EX TRUE", |_, inquiry| {
        let root = ProofId::new(0);
        inquiry.expand(root)?;
        let mut seen: Vec<Vec<Value>> = Vec::new();
        for _ in 0..3 {
            let scene = inquiry.scene()?;
            seen.push(
                scene.evidence.occurrences[OccurrenceId::new(1)]
                    .values
                    .clone(),
            );
            assert!(inquiry.another(root)?);
        }
        Ok(seen)
    });
    assert_ne!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn a_claim_with_one_way_has_no_other() {
    ask("AX TRUE", |_, inquiry| {
        inquiry.expand(ProofId::new(0))?;
        let before = inquiry.scene()?;
        assert!(!inquiry.another(ProofId::new(0))?);
        assert_eq!(inquiry.scene()?, before);
        Ok(())
    });
}

#[test]
fn a_past_survives_when_the_proof_is_opened_anew() {
    for engine in [Engine::Explicit, Engine::Bdd] {
        let mut session = ModelSubject::from_text("button.smv", BUTTON).expect("it is a model");
        let budget = Budget::unlimited();
        let mut past = Past::default();
        let mut before = None;
        let outcome = explain(&mut session, 1, engine, &budget, &mut |session, opened| {
            let again = before.is_some();
            let mut inquiry = Inquiry::new(opened, &mut past)?;
            if again {
                let mut scene = inquiry.scene()?;
                assert_eq!(scene.tactic, "prefer p");
                scene.tactic = "random 3".to_string();
                assert_eq!(Some(scene), before);
                return Ok(Next::Done);
            }
            let tactic = Tactic::read("random 3", &Tactic::default(), session, &budget);
            inquiry.set_tactic(tactic.expect("it is a strategy"))?;
            inquiry.take(ProofId::new(0), 1)?;
            inquiry.grow()?;
            inquiry.reopen(ProofId::new(1))?;
            before = Some(inquiry.scene()?);
            let tactic = Tactic::read("prefer p", &Tactic::default(), session, &budget);
            let tactic = tactic.expect("it is a strategy");
            assert!(!inquiry.knows(&tactic));
            inquiry.switch_later(tactic, false);
            Ok(Next::Again)
        });
        outcome.expect("it is sound");
    }
}

#[test]
fn a_cancelled_change_leaves_everything_as_it_was_and_work_can_go_on() {
    let mut session = ModelSubject::from_text("button.smv", BUTTON).expect("it is a model");
    let budget = Budget::unlimited();
    let outcome = explain(&mut session, 1, Engine::Auto, &budget, &mut |_, opened| {
        let mut past = Past::default();
        let mut inquiry = Inquiry::new(opened, &mut past)?;
        let before = inquiry.scene()?;
        budget.stop(Stop::Cancelled);
        assert_eq!(inquiry.grow(), Err(Stop::Cancelled));
        budget.resume();
        assert_eq!(inquiry.scene()?, before);
        inquiry.grow()?;
        assert_eq!(inquiry.scene()?.open, []);
        Ok(Next::Done)
    });
    outcome.expect("it is sound");
}

#[test]
fn strategies_have_names_and_mistakes_are_told() {
    let mut session = ModelSubject::from_text("button.smv", BUTTON).expect("it is a model");
    let budget = Budget::unlimited();
    let mut read = |text: &str, before: &Tactic| {
        let read = Tactic::read(text, before, &mut session, &budget);
        read.map_err(|refusal| refusal.to_string())
    };
    let none = Tactic::default();
    for name in [
        "shortest",
        "smallest",
        "random 7",
        "prefer p & r",
        "explored",
        "new",
        "stay",
    ] {
        assert_eq!(
            read(name, &none).map(|tactic| tactic.name()),
            Ok(name.to_string())
        );
    }
    let stay = read("stay", &none).expect("it is a strategy");
    let avoid = read("avoid p", &stay).map(|tactic| tactic.name());
    assert_eq!(avoid, Ok("avoid p, then stay".to_string()));
    for wrong in [
        "",
        "fastest",
        "random x",
        "prefer",
        "prefer nobody",
        "avoid AG p",
        "stay 1",
    ] {
        assert!(read(wrong, &none).is_err(), "{wrong}");
    }
}
