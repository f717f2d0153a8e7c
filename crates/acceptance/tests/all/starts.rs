//! Properties asked from chosen states: as if these were the initial states, reachable ones where there are any.

use wherefore_base::Budget;
use wherefore_driver::{Capability, ModelSubject, Refusal, Subject};
use wherefore_testkit::kripke::{self, Kripke, StateMask, members};
use wherefore_testkit::{Rng, campaign};

const FORMULAS: [&str; 8] = [
    "AG p",
    "EF (p & q)",
    "AF q",
    "EG p",
    "E [p U q]",
    "AG (p -> AF q)",
    "EX EG q",
    "p -> AX q",
];

/// A set of states as SMV.
fn set(states: StateMask) -> String {
    let states: Vec<String> = members(states).map(|s| s.to_string()).collect();
    match states.is_empty() {
        true => "FALSE".to_string(),
        false => format!("s in {{{}}}", states.join(", ")),
    }
}

/// A structure as SMV, with these initial states.
fn text(kripke: &Kripke, initial: StateMask, formula: &str) -> String {
    let steps = (0..kripke.size).map(|from| {
        let to = set(kripke.steps[from]).replace("s in", "next(s) in");
        format!("TRANS s = {from} -> {to};\n")
    });
    let fair = kripke.fairness.justice.iter();
    let fair = fair.map(|&states| format!("FAIRNESS {};\n", set(states)));
    format!(
        "MODULE main\nVAR s : 0..{};\nDEFINE p := {}; q := {};\nINIT {};\n{}{}SPEC {formula}\n",
        // One more state, which no step leads to, so that the range is never a single number.
        kripke.size,
        set(kripke.labels[0]),
        set(kripke.labels[1]),
        set(initial),
        steps.collect::<String>(),
        fair.collect::<String>(),
    )
}

fn subject(text: &str) -> ModelSubject {
    ModelSubject::from_text("random.smv", text).expect("the model is right")
}

fn chosen_states_are_like_initial_ones(rng: &mut Rng) {
    let kripke = kripke::random(rng, 7, 2);
    let wanted = rng.next() & kripke.all();
    let formula = rng.pick(&FORMULAS);
    let mut asked = subject(&text(&kripke, kripke.initial, formula));
    let reachable = wanted & kripke.reachable();
    let condition = set(wanted);
    let outcome = asked.ask_from(&condition, &Budget::unlimited());
    if wanted == 0 {
        let Err(Refusal::Rejected(rejected)) = outcome else {
            panic!("no state satisfies it");
        };
        assert_eq!(
            rejected.diagnostics[0].message,
            "no state satisfies `FALSE`"
        );
        return;
    }
    outcome.expect("some state satisfies it");
    let (starts, others) = match reachable {
        0 => (wanted, wanted),
        _ => (reachable, wanted & !reachable),
    };
    let by_hand = subject(&text(&kripke, starts, formula));
    let (finding, expected) = (asked.check(0), by_hand.check(0));
    let (finding, expected) = (finding.expect("right"), expected.expect("right"));
    assert_eq!(finding.verdict, expected.verdict);
    assert_eq!(finding.evidence, expected.evidence);
    let report = asked.report(None, &[]);
    let from = report.from.expect("states were chosen");
    assert_eq!(from.reachable, reachable.count_ones().into());
    assert_eq!(from.unreachable, Some(others.count_ones().into()));
    assert_eq!(from.only_reachable, reachable != 0);
    assert!(from.recounted);
}

#[test]
fn properties_asked_from_chosen_states_are_asked_as_if_these_were_initial() {
    campaign("starts", 300, chosen_states_are_like_initial_ones);
}

#[test]
fn what_has_states_can_be_asked_from_some() {
    assert!(ModelSubject::CAPABILITIES.contains(&Capability::From));
}
