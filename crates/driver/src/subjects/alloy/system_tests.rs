//! Complete systems of small models, against their scopes that have every state.

use wherefore_alloy::reach::{Initial, ReachMeaning, ReachSubject, Whole};
use wherefore_evidence::Verdict;
use wherefore_model::{Domain, Origin};

use super::*;

/// Three places; what steps there are is said by facts, what is asked by a check.
fn model(preds: &str, facts: &str, formula: &str) -> String {
    format!(
        "open ctl[S]
         enum Name {{ A, B, C }}
         sig S {{ at: one Name }}
         {preds}
         fact {{ {facts} }}
         check {{ ctl_mc[{formula}] }} for exactly 3 S"
    )
}

const EQUALITY: &str = "all s, t: S | s.at = t.at implies s = t";
const INITIAL: &str = "all s: S | s in initialState iff s.at = A";
const GO: &str = "pred go[s, t: S] { s.at = A and t.at = B }
    pred on[s, t: S] { s.at = B and t.at = C }";

fn session(text: &str) -> AlloySubject {
    AlloySubject::from_text("test.als", text).expect("it is a model")
}

fn answer(session: &AlloySubject) -> AlloyAnswer {
    let choices = AlloyOptions {
        reach: AnswerExtent::Auto,
        ..AlloyOptions::default()
    };
    session.answer(0, &choices, &Budget::unlimited())
}

/// Whether the formula holds in the complete system, or why that is not known.
fn whole(text: &str) -> Result<bool, String> {
    match answer(&session(text)).reach.expect("it is a system").whole {
        Whole::Known { holds, .. } => Ok(holds == Initial::All),
        Whole::Unknown(message, _) => Err(message),
        Whole::Unasked => Err(String::new()),
    }
}

/// Whether the formula holds in the scope, which has every state.
fn scoped(text: &str) -> bool {
    let session = session(text);
    let answer = session.answer(0, &AlloyOptions::default(), &Budget::unlimited());
    answer.satisfiable() == Some(false)
}

const FORMULAS: [&str; 4] = [
    "ag[{s: S | s.at != C}]",
    "ag[ex[S]]",
    "af[{s: S | s.at = C}]",
    "ag[ef[{s: S | s.at = A}]]",
];

/// Both say the same of every formula.
fn agree(preds: &str, facts: &[&str]) {
    let facts = [&[EQUALITY, INITIAL], facts].concat().join("\n");
    for formula in FORMULAS {
        let text = model(preds, &facts, formula);
        assert_eq!(whole(&text), Ok(scoped(&text)), "{text}");
    }
}

/// Why the complete system is not known.
fn refused(preds: &str, facts: &[&str]) -> String {
    let facts = [&[EQUALITY, INITIAL], facts].concat().join("\n");
    whole(&model(preds, &facts, FORMULAS[0])).expect_err("it is refused")
}

#[test]
fn an_operation_that_is_written_twice_happens_in_both_ways() {
    let back = "all s, t: S | s -> t in nextState iff (go[s, t] or on[s, t] or go[t, s])";
    agree(GO, &[back]);
    let same = "pred both[s, t: S] { s.at = A implies t.at = B  s.at = C implies t.at = A }
        pred other[s, t: S] { s.at = B implies t.at = C }";
    let all = "all s, t: S | s -> t in nextState iff { both[s, t] other[s, t] }";
    agree(same, &[all]);
}

#[test]
fn states_are_compared_by_their_fields_or_not_at_all() {
    agree(
        "pred stays[s, t: S] { s = t }",
        &["all s, t: S | s -> t in nextState iff stays[s, t]"],
    );
    for body in ["some s & t", "one s + t", "no s - t", "not disj[s, t]"] {
        let facts = format!("all s, t: S | s -> t in nextState iff {body}");
        let why = refused("", &[&facts]);
        assert!(why.contains("more of `S` than the fields"), "{why}");
    }
}

#[test]
fn steps_are_defined_in_several_ways() {
    for facts in [
        "all s, t: S | t in s.nextState iff (go[s, t] or on[s, t])",
        "all t, s: S | t in nextState[s] iff (go[s, t] or on[s, t])",
        "all s: S | s.nextState = {t: S | go[s, t] or on[s, t]}",
        "all s, t: S | s -> t in nextState implies (go[s, t] or on[s, t])
         all s, t: S | (go[s, t] or on[s, t]) implies s -> t in nextState",
        "all s, t: S | s -> t in nextState implies (go[s, t] or on[s, t])
         all s, t: S | on[s, t] implies t in s.nextState
         all s, t: S | s.at = A and t.at = B implies s -> t in nextState",
        "all s, t: S | s -> t in nextState iff (go[s, t] or on[s, t])
         all s, t: S | s -> t in nextState iff (on[s, t] or go[s, t])",
    ] {
        agree(GO, &[facts]);
    }
    let said = "pred said { all s, t: S | s -> t in nextState iff (go[s, t] or on[s, t]) }";
    agree(&format!("{GO}\n{said}"), &["said"]);
}

#[test]
fn steps_that_are_not_defined_are_refused_with_the_reason() {
    let all = "all s, t: S | s -> t in nextState implies (go[s, t] or on[s, t])";
    let why = refused(GO, &[all]);
    assert!(why.contains("nothing says which pairs"), "{why}");
    let some = "all s, t: S | go[s, t] implies s -> t in nextState";
    let why = refused(GO, &[all, some]);
    assert!(
        why.contains("leave open whether there is a step from (at = B)"),
        "{why}"
    );
    let more = "all s, t: S | s.at = C implies s -> t in nextState";
    let why = refused(GO, &[all, some, more]);
    assert!(why.contains("another fact forbids, from (at = C)"), "{why}");
    let defined = "all s, t: S | s -> t in nextState iff go[s, t]";
    let again = "all s, t: S | s -> t in nextState iff on[s, t]";
    let why = refused(GO, &[defined, again]);
    assert!(why.contains("false of the 2 states"), "{why}");
}

/// Steps from A to B to C and back.
const ROUND: &str =
    "all s, t: S | s -> t in nextState iff (go[s, t] or on[s, t] or s.at = C and t.at = A)";

#[test]
fn a_fact_that_takes_a_state_away_is_refused_with_the_step_that_it_cuts() {
    for fact in [
        "C not in S.at",
        "no nextState.nextState",
        "#S = 2",
        "all disj s, t: S | s.at = B implies t.at != C",
        "all s, t: S | s.at = B implies t.at != C",
        "all s, t, u: S | s.at = A and t.at = B implies u.at != C",
        "not (some s: S | s.at = C)",
        "lone s: S | s.at != A",
    ] {
        let why = refused(GO, &[ROUND, fact]);
        let cut = "false of the 3 states that can be reached, also with up to 3 others, and would cut the step \
                   from (at = B) to (at = C): the facts are inconsistent, or do not define one system";
        assert!(why.contains(cut), "{fact}: {why}");
    }
    let why = refused(GO, &[ROUND, "#S > 7"]);
    let first = "take away the initial state (at = A) and cut the step from (at = C) to (at = A)";
    assert!(why.contains(first), "{why}");
}

#[test]
fn a_fact_about_all_states_may_need_one_that_cannot_be_reached() {
    let to_b = "all s, t: S | s -> t in nextState iff go[s, t]";
    for fact in [
        "some s: S | s.at = C",
        "#S = 3",
        "C in S.at",
        "all s: S | some t: S | t.at = C",
        "all s, t: S | s.at = t.at or s.at + t.at != A + A",
        "all s, t: S | s -> t in nextState or s.at != A or t.at != B",
    ] {
        agree(GO, &[to_b, fact]);
    }
}

#[test]
fn an_operation_that_is_possible_only_in_states_never_reached_is_told() {
    let told = |initial: &str, steps: &str| -> Vec<String> {
        let facts = [EQUALITY, initial, steps].join("\n");
        let session = session(&model(GO, &facts, FORMULAS[0]));
        let choices = AlloyOptions::default();
        let advice = session.advice(&[0], &choices, &Budget::unlimited());
        let advice = advice.expect("there is time").into_iter();
        let about = advice.filter(|one| one.about == ReachSubject::Operation);
        about.map(|one| one.text).collect()
    };
    let or = "all s, t: S | s -> t in nextState iff (go[s, t] or on[s, t])";
    assert_eq!(told(INITIAL, or), [""; 0]);
    let from_b = "all s: S | s in initialState iff s.at = B";
    let never = "The operation `go` never happens: it is possible only in states that cannot be reached, as in \
                 (at = A)";
    assert_eq!(told(from_b, or), [never]);
    let and = "all s, t: S | s -> t in nextState iff {
        s.at = A implies t.at = B  s.at = B implies t.at = C  s.at = C implies t.at = C }";
    assert_eq!(told(from_b, and).len(), 1);
    // Without an initial state nothing is reached, which is told by itself.
    let nowhere = "all s: S | s in initialState iff s.at = A and s.at = B";
    assert_eq!(told(nowhere, or), [""; 0]);
}

#[test]
fn without_the_axiom_what_holds_completely_need_not_hold_with_copies() {
    let preds = "pred moves[s, t: S] { s.at = A and t.at = A and s != t }";
    let facts = [INITIAL, "all s, t: S | s -> t in nextState iff moves[s, t]"].join("\n");
    let session = session(&model(preds, &facts, "ag[not_[ex[S]]]"));
    let answer = answer(&session);
    assert_eq!(answer.satisfiable(), Some(true));
    let reach = answer.reach.as_ref().expect("it is a system");
    assert_eq!(reach.meaning, ReachMeaning::Ambiguous);
    assert!(matches!(
        reach.whole,
        Whole::Known {
            holds: Initial::All,
            copies: true,
            ..
        }
    ));
    let complete = session.complete(&[], &Budget::unlimited());
    let complete = complete.expect("it is a system");
    assert_eq!(complete.warnings().len(), 1);
}

#[test]
fn steps_that_are_implications_have_the_names_of_what_begins_them() {
    let preds = "pred go[s, t: S] { s.at = A => t.at = B }
        pred on[s, t: S] { s.at = B => t.at = C }";
    let facts = [
        EQUALITY,
        INITIAL,
        "all s, t: S | s -> t in nextState iff { go[s, t] on[s, t] }",
    ];
    agree(preds, &facts[2..]);
    let session = session(&model(preds, &facts.join("\n"), FORMULAS[0]));
    let complete = session.complete(&[], &Budget::unlimited());
    let complete = complete.expect("it is a system");
    let finding = complete.check(0).expect("it is answered");
    assert_eq!(finding.verdict, Verdict::Fails);
    let model = complete.model();
    let mut vars = model.vars.iter();
    let operation = vars.find(|var| var.origin == Origin::Operation);
    let Domain::Enum(values) = &operation.expect("steps have names").domain else {
        panic!("it is one of some names");
    };
    let names: Vec<String> = values
        .iter()
        .map(|&v| model.names.show(v).to_string())
        .collect();
    assert_eq!(names, ["go", "on", "no operation"]);
}
