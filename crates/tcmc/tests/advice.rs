//! Advice on how transition systems are written, each on a model that asks for it.

use wherefore_alloy::LoweringOptions;
use wherefore_alloy::reach::{Advice, ReachSubject};
use wherefore_base::Budget;
use wherefore_tcmc::{SystemReading, TcmcMisfit, advice, asked, complete, watched};

use crate::support::read;

/// A model of a light, with something in the place of its axioms, its initial states and its operations.
fn light(axioms: &str, initial: &str, operations: &[(&str, &str)]) -> String {
    let preds = operations
        .iter()
        .map(|(name, body)| format!("pred {name}[s, t: S] {{ {body} }}\n"));
    let preds: String = preds.collect();
    let steps = operations.iter().map(|(name, _)| format!("{name}[s, t]"));
    let steps = steps.collect::<Vec<_>>().join(" or ");
    format!(
        "open ctl[S]
        enum Color {{ Green, Red }}
        sig S {{ shows: set Color }}
        {preds}
        fact {{
          all s: S | s in initialState iff ({initial})
          all s, t: S | s -> t in nextState iff ({steps})
          {axioms}
        }}
        check {{ ctl_mc[ag[{{s: S | lone s.shows}}]] }} for 3 S"
    )
}

const EQUALITY: &str = "all s, t: S | s.shows = t.shows implies s = t";
const GO: (&str, &str) = ("go", "Red in s.shows and t.shows = Green");
const STOP: (&str, &str) = ("stop", "Red not in s.shows and t.shows = Red");

fn given(text: &str) -> Vec<Advice> {
    let model = read(text);
    let reading = SystemReading::of(&model)
        .expect("it fits")
        .expect("it is one");
    let (choices, budget) = (LoweringOptions::default(), Budget::unlimited());
    advice(&model, &reading, &model.commands[0], &choices, &budget).expect("it fits")
}

/// The only piece of advice on a model.
fn only(text: &str) -> (ReachSubject, String) {
    let given = given(text);
    assert_eq!(given.len(), 1, "{given:?}");
    (given[0].about, given[0].text.clone())
}

#[test]
fn there_is_nothing_to_say_of_a_model_that_is_written_well() {
    let text = light(EQUALITY, "no s.shows", &[GO, STOP]);
    assert_eq!(given(&text), []);
}

#[test]
fn a_model_without_an_initial_state_is_told() {
    let text = light(EQUALITY, "some s.shows and no s.shows", &[GO, STOP]);
    assert_eq!(only(&text).0, ReachSubject::Initial);
}

#[test]
fn a_missing_equality_axiom_is_told_with_a_state() {
    let (about, text) = only(&light("", "no s.shows", &[GO, STOP]));
    assert_eq!(about, ReachSubject::Equality);
    assert!(text.contains("as of (shows = "), "{text}");
    // A fact about two states that does not say it is no such axiom.
    let weak = "all s, t: S | s = t implies s.shows = t.shows";
    assert_eq!(
        only(&light(weak, "no s.shows", &[GO, STOP])).0,
        ReachSubject::Equality
    );
}

#[test]
fn an_operation_that_can_never_happen_is_told() {
    let never = ("never", "no s.shows and some s.shows and t.shows = s.shows");
    let (about, text) = only(&light(EQUALITY, "no s.shows", &[GO, STOP, never]));
    assert_eq!(about, ReachSubject::Operation);
    assert!(text.contains("`never`"), "{text}");
}

#[test]
fn preconditions_that_overlap_are_told_with_a_state() {
    let dim = ("dim", "s.shows = Green and no t.shows");
    let (about, text) = only(&light(EQUALITY, "no s.shows", &[GO, STOP, dim]));
    assert_eq!(about, ReachSubject::Overlap);
    assert!(
        text.contains("`stop` and `dim`") && text.contains("(shows = Green)"),
        "{text}"
    );
}

#[test]
fn preconditions_that_leave_a_state_out_are_told_with_it() {
    let stop = ("stop", "s.shows = Green and t.shows = Red");
    let (about, text) = only(&light(EQUALITY, "no s.shows", &[GO, stop]));
    assert_eq!(about, ReachSubject::Cover);
    assert!(text.contains("(shows = {})"), "{text}");
}

#[test]
fn preconditions_in_predicates_of_their_own_are_found() {
    let text = light(
        EQUALITY,
        "no s.shows",
        &[("go", "pre[s] and post[t]"), STOP],
    );
    let text = format!(
        "{text}\npred pre[u: S] {{ Red in u.shows }} pred post[u: S] {{ u.shows = Green }}"
    );
    assert_eq!(given(&text), []);
}

#[test]
fn a_step_that_a_fact_about_every_state_forbids_is_told_with_its_states() {
    let axioms = format!("{EQUALITY}\nall s: S | Green not in s.shows");
    let given = given(&light(&axioms, "no s.shows", &[GO, STOP]));
    let broken = given
        .iter()
        .find(|advice| advice.about == ReachSubject::Constraint);
    let text = &broken.expect("it is told").text;
    assert!(
        text.contains("from (shows = Red) to (shows = Green)"),
        "{text}"
    );
}

#[test]
fn operations_that_are_implications_joined_by_and_are_known_by_their_guards() {
    let text = |stop: &str| {
        let text = light(
            EQUALITY,
            "no s.shows",
            &[
                ("go", "Red in s.shows implies t.shows = Green"),
                ("stop", stop),
            ],
        );
        text.replace("go[s, t] or stop[s, t]", "go[s, t] and stop[s, t]")
    };
    assert_eq!(given(&text("Red not in s.shows implies t.shows = Red")), []);
    let (about, words) = only(&text(
        "(no s.shows or Green in s.shows) implies t.shows = Red",
    ));
    assert_eq!(about, ReachSubject::Overlap, "{words}");
    assert!(words.contains("`go` and `stop`"), "{words}");
}

/// A lift with so many floors in its field, and a step up.
fn lift(at: &str, up: &str) -> String {
    format!(
        "open ctl[S]
        enum Floor {{ Low, High }}
        sig S {{ at: {at} }}
        pred up[s, t: S] {{ {up} }}
        pred down[s, t: S] {{ s.at = High and t.at = Low }}
        fact {{
          all s: S | s in initialState iff s.at = Low
          all s, t: S | s -> t in nextState iff (up[s, t] or down[s, t])
          all s, t: S | s.at = t.at implies s = t
        }}
        check {{ ctl_mc[ag[{{s: S | lone s.at}}]] }} for 3 S"
    )
}

#[test]
fn a_step_that_is_lost_as_a_field_would_have_no_value_is_told_with_its_states() {
    let lost = |text: &str| {
        let given = given(text).into_iter();
        let mut lost = given.filter(|advice| advice.about == ReachSubject::Multiplicity);
        lost.next().map(|advice| advice.text)
    };
    let up = "t.at = s.at.(Low -> High)";
    let told = lost(&lift("one Floor", up)).expect("there is no floor above");
    assert!(
        told.contains("`up` cannot happen in the state (at = High)"),
        "{told}"
    );
    assert!(told.contains("(at = {})"), "{told}");
    // Without a value it may go on; what is left open can have one.
    assert_eq!(lost(&lift("set Floor", up)), None);
    assert_eq!(lost(&lift("lone Floor", up)), None);
    assert_eq!(
        lost(&lift("one Floor", "s.at = Low and t.at in Floor")),
        None
    );
}

/// What comes of a model with a fact about every step.
fn with_promise(fact: &str) -> Result<(), TcmcMisfit> {
    let axioms = format!("{EQUALITY}\nall s, t: S | s -> t in nextState implies {fact}");
    let model = read(&light(&axioms, "s.shows = Green", &[GO, STOP]));
    let reading = SystemReading::of(&model)?.expect("it is one");
    let command = &model.commands[0];
    let asked = asked(&model, &reading, command)?.expect("it asks for a formula");
    let (choices, budget) = (LoweringOptions::default(), Budget::unlimited());
    complete(&model, &reading, &[(command, Ok(asked))], &choices, &budget)?;
    let watched = watched(&model, &reading, command, &choices, &budget)?;
    assert_eq!(watched.model.properties.len(), 1);
    Ok(())
}

#[test]
fn a_fact_about_every_step_that_follows_from_what_a_step_is_changes_nothing() {
    assert_eq!(with_promise("some t.shows"), Ok(()));
}

#[test]
fn a_fact_about_steps_that_would_cut_one_is_refused_with_the_step() {
    match with_promise("t.shows = Green") {
        Err(TcmcMisfit::Cut { from, to, .. }) => {
            assert!(!from.contains("Red"), "{from}");
            assert_eq!(to, "shows = Red");
        }
        other => panic!("{other:?}"),
    }
}
