//! Explaining and exploring: proofs and states that the caller walks through.

use wherefore::Refusal;
use wherefore::explore::WalkTarget;

use crate::open;

#[test]
fn a_proof_is_shown_step_by_step_and_taken_back() {
    let model = open("button.smv");
    let served = model.question("served").expect("the model has it");
    let shown = model.explain(served, |proof| {
        let first = proof.obligations()?;
        assert_eq!(first.len(), 1);
        let (number, claim) = &first[0];
        assert!(
            claim.starts_with("`AG (r -> AF f)` is false at step 0"),
            "{claim}"
        );
        let choices = proof.choices(*number)?;
        assert_eq!(choices.len(), 2);
        assert!(proof.take(*number, 1)?);
        assert_ne!(proof.obligations()?, first);
        assert!(proof.undo());
        assert_eq!(proof.obligations()?, first);
        proof.grow()?;
        assert!(proof.obligations()?.is_empty());
        assert!(proof.choices(*number)?.is_empty());
        assert!(proof.json()?.contains("\"served\""));
        proof.text()
    });
    let text = shown
        .expect("it can be explained")
        .expect("there is a proof");
    assert!(text.contains("back to step 2, for ever"), "{text}");
}

#[test]
fn the_proof_of_a_command_is_over_the_complete_system() {
    let model = open("alloy/mutex.als");
    let first = model.questions().ids().next().expect("there is one");
    let shown = model.explain(first, |proof| {
        proof.grow()?;
        proof.text()
    });
    let text = shown
        .expect("it can be explained")
        .expect("there is a proof");
    let name = &model.questions()[first].name;
    assert!(text.contains(name), "{text}");
}

#[test]
fn what_has_no_proof_to_explore_is_refused() {
    let mut model = open("lts/vending.aut");
    let question = model.add("< true > true").expect("MCL");
    let refusal = model.explain(question, |_| Ok(())).expect_err("not yet");
    assert!(matches!(refusal, Refusal::Unsupported(_)), "{refusal}");

    let text = "MODULE main VAR x : boolean; LTLSPEC F x";
    let model = wherefore::open_text("linear.smv", text).expect("it is a model");
    let first = model.questions().ids().next().expect("there is one");
    let explained = model.explain(first, |_| Ok(())).expect("it is decided");
    assert!(explained.is_some(), "a run shows why it fails");
}

#[test]
fn states_are_walked_through() {
    let model = open("button.smv");
    let told = model.explore(|world, teller| {
        let start = world.initial(0..1)?.items.remove(0);
        let steps = world.successors(&start, 0..10)?;
        assert_eq!(steps.total, Some(2));
        assert!(world.path(&start, WalkTarget::Deadlock)?.is_none());
        Ok(teller.step(1, &start, &steps.items[1]))
    });
    assert!(
        told.expect("it can be explored")
            .contains("p: FALSE → TRUE")
    );

    let rota = open("alloy/rota.als");
    let refusal = rota.explore(|_, _| Ok(())).expect_err("there are no steps");
    assert!(matches!(refusal, Refusal::Unsupported(_)), "{refusal}");
}
