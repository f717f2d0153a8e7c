//! The methodology on musical chairs and on small models: what an answer in a scope means for the complete
//! system, with a model for each case in which the table of Farheen and others (2020) says too much.

use wherefore_alloy::model::Command;
use wherefore_alloy::reach::{
    Because, Class, CommandReach, ReachMeaning, ReachMethod, Significant, Tried,
};
use wherefore_alloy::{AlloyModel, LoweringOptions, Override, lower};
use wherefore_base::Budget;
use wherefore_relational::{Search, SearchOptions};
use wherefore_sat::Strongest;
use wherefore_tcmc::{MethodCase, SystemReading, asked, dead_loops};

use crate::support::read;

/// What the methodology says of a command.
fn reach_of(text: &str, command: usize) -> CommandReach {
    let model = read(text);
    let reading = SystemReading::of(&model)
        .expect("it fits")
        .expect("it is one");
    let command = &model.commands[command];
    let asked = asked(&model, &reading, command).expect("it fits");
    let asked = asked.expect("it asks for a formula");
    let (choices, options) = (LoweringOptions::default(), SearchOptions::default());
    let case = MethodCase {
        model: &model,
        reading: &reading,
        command,
        asked: &asked,
        choices: &choices,
        options: &options,
    };
    let budget = Budget::unlimited();
    let lowered = lower(&model, command, &choices).expect("it has scopes");
    let search = Search::<Strongest>::new(&lowered.problem, &options, &budget);
    let found = search
        .expect("it is small")
        .next(&budget)
        .expect("no limit");
    case.grow(Some(found.is_some()), &budget).expect("it fits")
}

/// A command in its place in a model of musical chairs with so many players.
fn chairs(players: usize, command: &str) -> String {
    let text = include_str!("../../../examples/alloy/musical_chairs.als");
    let text = &text[..text.find("-- There is always").expect("it has commands")];
    let scope = format!("exactly {players} Player, exactly {} Chair", players - 1);
    format!("{text}\n{}", command.replace("SCOPE", &scope))
}

fn tried(reach: &CommandReach, way: ReachMethod) -> Vec<(i32, Option<bool>)> {
    let tried = reach.tried.iter().filter(|tried| tried.way == way);
    tried
        .map(|&Tried { states, found, .. }| (states, found))
        .collect()
}

#[test]
fn the_significant_scope_of_musical_chairs_is_five_eight_and_eleven() {
    for (players, states) in [(2, 5), (3, 8), (4, 11)] {
        let command = "check { ctl_mc[ag[{g: Game | some g.playing}]] } for SCOPE, exactly 2 Game";
        let reach = reach_of(&chairs(players, command), 0);
        assert_eq!(
            reach.significant,
            Significant::At(states),
            "{players} players"
        );
        assert_eq!(reach.class, Some(Class::Safety));
        assert_eq!(reach.meaning, ReachMeaning::Ambiguous);
        let grown: Vec<i32> = tried(&reach, ReachMethod::Command)
            .iter()
            .map(|t| t.0)
            .collect();
        assert_eq!(grown, (2..=states).collect::<Vec<_>>());
    }
}

#[test]
fn people_sit_down_within_three_states_so_they_always_do() {
    let command = "check { ctl_mc[af[{g: Game | g.phase = Seated}]] } for SCOPE, exactly 8 Game";
    let reach = reach_of(&chairs(3, command), 0);
    assert_eq!(reach.class, Some(Class::FiniteLiveness));
    assert_eq!(reach.meaning, ReachMeaning::Holds(Because::DeadLoops(3)));
    let dead = tried(&reach, ReachMethod::DeadLoops);
    assert_eq!(dead, [(1, Some(true)), (2, Some(true)), (3, Some(false))]);
}

/// A model of a graph: its steps, the places where it begins, those where `p` and `q` hold, and a command.
fn graph(steps: &[(usize, usize)], initial: &str, p: &str, q: &str, command: &str) -> String {
    let last = steps.iter().map(|&(a, b)| a.max(b)).max().expect("a step");
    let places: Vec<String> = (0..=last).map(|place| format!("P{place}")).collect();
    let arrows = |steps: &[(usize, usize)]| {
        let arrows = steps.iter().map(|(a, b)| format!("P{a} -> P{b}"));
        arrows.collect::<Vec<_>>().join(" + ")
    };
    let (last, others) = steps.split_last().expect("a step");
    format!(
        "open ctl[S]
        abstract sig Place {{}}
        one sig {} extends Place {{}}
        sig S {{ at: one Place }}
        pred goes[s, t: S] {{ s.at -> t.at in {} }}
        pred ends[s, t: S] {{ s.at -> t.at in {} }}
        fact {{
          all s: S | s in initialState iff s.at in {initial}
          all s, t: S | s -> t in nextState iff (goes[s, t] or ends[s, t])
          all s, t: S | s.at = t.at implies s = t
        }}
        fun p: set S {{ {{s: S | s.at in {p}}} }}
        fun q: set S {{ {{s: S | s.at in {q}}} }}
        {command}",
        places.join(", "),
        arrows(others),
        arrows(&[*last]),
    )
}

/// Whether the command of a model has an instance with exactly so many states.
fn found(text: &str, states: i32) -> bool {
    let model = read(text);
    solved(&model, &model.commands[0], states)
}

fn solved(model: &AlloyModel, command: &Command, number: i32) -> bool {
    let mut choices = LoweringOptions::default();
    choices.scopes.push(Override {
        name: "S".to_string(),
        number,
        exactly: true,
    });
    let lowered = lower(model, command, &choices).expect("it has scopes");
    let budget = Budget::unlimited();
    let search = Search::<Strongest>::new(&lowered.problem, &SearchOptions::default(), &budget);
    let found = search.expect("it is small").next(&budget);
    found.expect("no limit").is_some()
}

#[test]
fn a_safety_check_that_passes_is_ambiguous_and_one_that_fails_is_real() {
    let chain = [(0, 1), (1, 2), (2, 3), (3, 3)];
    let check = |scope: i32| {
        let command = format!("check {{ ctl_mc[ag[p]] }} for exactly {scope} S");
        reach_of(&graph(&chain, "P0", "P0 + P1 + P2", "P0", &command), 0)
    };
    // It fails in the fourth state, and grows until it has seen it.
    let small = check(2);
    assert_eq!(small.class, Some(Class::Safety));
    assert_eq!(small.significant, Significant::At(4));
    assert_eq!(
        small.meaning,
        ReachMeaning::Fails(Because::Counterexample(4))
    );
    let large = check(4);
    assert_eq!(
        large.meaning,
        ReachMeaning::Fails(Because::Counterexample(4))
    );
    assert_eq!(large.tried.len(), 1);
}

#[test]
fn beyond_the_significant_scope_a_safety_check_may_still_fail() {
    // The last operation can also happen early, so four states are not significant.
    let steps = [(0, 1), (1, 2), (2, 3), (3, 3), (0, 0)];
    let command = "check { ctl_mc[ag[p]] } for exactly 2 S";
    let reach = reach_of(&graph(&steps, "P0", "P0 + P1 + P2", "P0", command), 0);
    assert_eq!(reach.significant, Significant::At(2));
    assert_eq!(reach.meaning, ReachMeaning::Ambiguous);
}

#[test]
fn a_mixed_formula_is_ambiguous_in_both_directions() {
    // From everywhere P2 can be reached, but not within two states.
    let command = "check { ctl_mc[ag[ef[p]]] } for exactly 2 S";
    let text = graph(&[(0, 1), (1, 2), (2, 0)], "P0", "P2", "P0", command);
    assert!(found(&text, 2) && !found(&text, 3));
    let reach = reach_of(&text, 0);
    assert_eq!(reach.class, Some(Class::Mixed));
    assert_eq!(
        (reach.meaning, reach.tried.len()),
        (ReachMeaning::Ambiguous, 1)
    );
    // From P2 nothing else can be reached, but one state does not show it.
    let command = "check { ctl_mc[ag[ef[p]]] } for exactly 1 S";
    let text = graph(&[(0, 1), (1, 0), (1, 2), (2, 2)], "P0", "P0", "P0", command);
    assert!(!found(&text, 1) && found(&text, 3));
    assert_eq!(reach_of(&text, 0).meaning, ReachMeaning::Ambiguous);
}

#[test]
fn an_instance_of_an_existential_formula_is_real_for_its_initial_states_only() {
    // From P0 P1 is reached, from P2 it is not.
    let steps = [(0, 1), (1, 1), (2, 3), (3, 2)];
    let text = |command: &str| graph(&steps, "P0 + P2", "P1", "P0", command);
    let reach = reach_of(&text("run { ctl_mc[ef[p]] } for exactly 2 S"), 0);
    assert_eq!(reach.class, Some(Class::Existential));
    let meaning = ReachMeaning::HoldsSomewhere(Because::Instance(2));
    assert_eq!(reach.meaning, meaning);
    assert!(!found(&text("run { ctl_mc[ef[p]] } for exactly 2 S"), 4));
}

#[test]
fn a_check_of_an_existential_formula_that_fails_is_no_bug() {
    let command = "check { ctl_mc[ef[p]] } for exactly 2 S";
    let text = graph(&[(0, 1), (1, 2), (2, 2)], "P0", "P2", "P0", command);
    assert!(found(&text, 2) && !found(&text, 3));
    let reach = reach_of(&text, 0);
    let meaning = ReachMeaning::HoldsSomewhere(Because::Instance(3));
    assert_eq!(reach.meaning, meaning);
    assert_eq!(
        tried(&reach, ReachMethod::Run),
        [(2, Some(false)), (3, Some(true))]
    );
}

#[test]
fn a_finite_promise_that_is_broken_in_a_loop_is_a_real_bug() {
    let command = "check { ctl_mc[af[p]] } for exactly 2 S";
    let text = graph(&[(0, 1), (1, 0), (1, 2), (2, 2)], "P0", "P2", "P0", command);
    let reach = reach_of(&text, 0);
    assert_eq!(reach.class, Some(Class::FiniteLiveness));
    assert_eq!(
        reach.meaning,
        ReachMeaning::Fails(Because::Counterexample(2))
    );
}

#[test]
fn a_finite_promise_with_dead_ends_in_the_scope_is_ambiguous_until_it_is_kept() {
    let chain = [(0, 1), (1, 2), (2, 3), (3, 3)];
    let command = "check { ctl_mc[af[p]] } for exactly 2 S";
    let reach = reach_of(&graph(&chain, "P0", "P3", "P0", command), 0);
    assert_eq!(reach.meaning, ReachMeaning::Holds(Because::DeadLoops(4)));
    let dead = tried(&reach, ReachMethod::DeadLoops);
    let broken = [(1, Some(true)), (2, Some(true)), (3, Some(true))];
    assert_eq!(dead[..3], broken);
}

#[test]
fn a_promise_with_a_step_in_it_is_not_decided_by_dead_loops() {
    // P1 is left for P2, but in a scope without P2 it seems to go on with P1.
    let command = "check { ctl_mc[af[p & ax[p]]] } for exactly 2 S";
    let text = graph(&[(0, 1), (1, 2), (2, 2)], "P0", "P1", "P0", command);
    assert!(!dead_loop(&text, 2), "with dead loops it passes");
    let reach = reach_of(&text, 0);
    assert_eq!(reach.class, Some(Class::InfiniteLiveness));
    assert!(tried(&reach, ReachMethod::DeadLoops).is_empty());
    assert_eq!(
        reach.meaning,
        ReachMeaning::Fails(Because::Counterexample(3))
    );
}

#[test]
fn one_of_two_promises_is_not_decided_by_dead_loops() {
    // Each way breaks one of them, and no system of two states has both ways.
    let command = "check { ctl_mc[or_[af[p], af[q]]] } for exactly 2 S";
    let text = graph(&[(0, 1), (0, 2), (1, 1), (2, 2)], "P0", "P1", "P2", command);
    assert!(!dead_loop(&text, 2), "with dead loops it passes");
    assert!(found(&text, 3), "it fails with three states");
    let reach = reach_of(&text, 0);
    assert_eq!(reach.class, Some(Class::InfiniteLiveness));
    assert!(tried(&reach, ReachMethod::DeadLoops).is_empty());
    assert_eq!(reach.meaning, ReachMeaning::Ambiguous);
}

#[test]
fn a_dead_loop_check_without_any_system_of_its_size_says_nothing() {
    // Three states cannot be reached, so a check with exactly three passes; P2 is never reached all the same.
    let command = "check { ctl_mc[af[p]] } for exactly 3 S";
    let text = graph(&[(0, 1), (1, 0), (3, 2)], "P0", "P2", "P0", command);
    assert!(dead_loop(&text, 2) && !dead_loop(&text, 3));
    assert_eq!(
        reach_of(&text, 0).meaning,
        ReachMeaning::Fails(Because::Counterexample(3))
    );
}

/// Whether the check of a model has a counterexample with dead loops and exactly so many states.
fn dead_loop(text: &str, states: i32) -> bool {
    let model = read(text);
    let reading = SystemReading::of(&model)
        .expect("it fits")
        .expect("it is one");
    let derived = dead_loops(&model, &reading, &model.commands[0]);
    let derived = derived.expect("it fits");
    solved(&derived.model, &derived.command, states)
}

#[test]
fn a_run_of_a_universal_formula_that_finds_nothing_is_a_real_bug() {
    let command = "run { ctl_mc[ag[p]] } for exactly 2 S";
    let steps = [(0, 1), (1, 0)];
    let reach = reach_of(&graph(&steps, "P0", "P0", "P0", command), 0);
    assert_eq!(reach.meaning, ReachMeaning::Fails(Because::NoInstance(2)));
    let reach = reach_of(&graph(&steps, "P0", "P0 + P1", "P0", command), 0);
    assert_eq!(reach.meaning, ReachMeaning::Ambiguous);
}

#[test]
fn copies_of_a_state_are_no_part_of_the_complete_system() {
    // Without the axiom that equal states are the same, a copy is another state, and a step goes there.
    let text = "open ctl[S]
        one sig Bit {}
        sig S { on: lone Bit, off: lone Bit }
        fact {
          all s: S | s in initialState iff no s.on + s.off
          all s, t: S | s -> t in nextState iff (s != t and t.on = s.on and t.off = s.off)
        }
        check { ctl_mc[not_[ex[S]]] } for exactly 2 S";
    let reach = reach_of(text, 0);
    assert_eq!(reach.class, Some(Class::Safety));
    assert_eq!(reach.tried[0].found, Some(true));
    assert_eq!(reach.meaning, ReachMeaning::Ambiguous);
    let axiom = "all s, t: S | s.on = t.on and s.off = t.off implies s = t";
    let text = text.replace("fact {", &format!("fact {{ {axiom}"));
    assert_eq!(reach_of(&text, 0).tried[0].found, Some(false));
}
