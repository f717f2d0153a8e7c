//! What the methodology says of the complete system, against the complete system, on random models.
//!
//! A model has so few states that all of them fit into a scope: there the command itself says what is so.

use wherefore_alloy::model::Command;
use wherefore_alloy::reach::{ReachMeaning, ReachMethod};
use wherefore_alloy::{AlloyModel, LoweringOptions, Override, lower};
use wherefore_base::Budget;
use wherefore_relational::{Search, SearchOptions};
use wherefore_sat::Strongest;
use wherefore_tcmc::{MethodCase, SystemReading, asked};

use crate::support::read;

/// Numbers that look random and are the same every time.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

/// A model, and how it reads with every state: with the axiom that states with equal fields are equal, and what is
/// asked as a check of it and of its contrary.
struct Random {
    text: String,
    whole: String,
    places: i32,
}

/// A graph with up to six places, in which a system has perhaps one of two atoms more, and a formula.
fn random_model(rng: &mut Rng) -> Random {
    let places = 2 + rng.below(5);
    let some = |rng: &mut Rng, most: usize| {
        let mut chosen: Vec<String> = Vec::new();
        for _ in 0..1 + rng.below(most) {
            chosen.push(format!("P{}", rng.below(places)));
        }
        chosen.join(" + ")
    };
    let arrows = |rng: &mut Rng, count: usize| {
        let arrows = (0..count).map(|_| {
            let (a, b) = (rng.below(places), rng.below(places));
            format!("P{a} -> P{b}")
        });
        arrows.collect::<Vec<_>>().join(" + ")
    };
    let (goes, ends) = (places + rng.below(places), 1 + rng.below(2));
    let (goes, ends) = (arrows(rng, goes), arrows(rng, ends));
    let names: Vec<String> = (0..places).map(|place| format!("P{place}")).collect();
    let (initial, p, q) = (some(rng, 2), some(rng, 3), some(rng, 3));
    let size = rng.below(3);
    let formula = temporal(rng, size);
    let kind = if rng.below(3) == 0 { "run" } else { "check" };
    let axiom = match rng.below(4) {
        0 => "",
        _ => EQUALITY,
    };
    let scope = 1 + rng.below(3);
    let exactly = if rng.below(2) == 0 { "exactly" } else { "" };
    // A switch outside the states takes one operation away.
    let switch = if rng.below(3) == 0 {
        "some Switch and"
    } else {
        ""
    };
    let model = |axiom: &str, commands: &str| {
        format!(
            "open ctl[S]
        abstract sig Place {{}}
        one sig {} extends Place {{}}
        sig Switch {{}}
        sig S {{ at: one Place }}
        pred goes[s, t: S] {{ s.at -> t.at in {goes} }}
        pred ends[s, t: S] {{ {switch} s.at -> t.at in {ends} }}
        fact {{
          all s: S | s in initialState iff s.at in {initial}
          all s, t: S | s -> t in nextState iff (goes[s, t] or ends[s, t])
          {axiom}
        }}
        fun p: set S {{ {{s: S | s.at in {p}}} }}
        fun q: set S {{ {{s: S | s.at in {q}}} }}
        {commands}",
            names.join(", ")
        )
    };
    let every = format!("for exactly {places} S, 1 Switch");
    let text = format!("{kind} {{ ctl_mc[{formula}] }} for {exactly} {scope} S, 1 Switch");
    let whole = format!(
        "check {{ ctl_mc[{formula}] }} {every}\ncheck {{ ctl_mc[not_[{formula}]] }} {every}"
    );
    Random {
        text: model(axiom, &text),
        whole: model(EQUALITY, &whole),
        places: i32::try_from(places).expect("they are few"),
    }
}

const EQUALITY: &str = "all s, t: S | s.at = t.at implies s = t";

fn temporal(rng: &mut Rng, size: usize) -> String {
    let left = match size {
        0 => ["p", "q", "not_[p]"][rng.below(3)].to_string(),
        _ => temporal(rng, size - 1),
    };
    let operators = [
        "ax", "ex", "ag", "ef", "eg", "af", "af", "af", "au", "eu", "and_", "or_",
    ];
    match operators[rng.below(operators.len())] {
        two @ ("au" | "eu" | "and_" | "or_") => {
            let less = rng.below(size + 1);
            let right = match less {
                0 => "q".to_string(),
                _ => temporal(rng, less - 1),
            };
            format!("{two}[{left}, {right}]")
        }
        one => format!("{one}[{left}]"),
    }
}

/// Whether a command has an instance, with so many states if that is said.
fn found(model: &AlloyModel, command: &Command, states: Option<i32>) -> bool {
    let choices = LoweringOptions {
        scopes: Vec::from_iter(states.map(|number| Override {
            name: "S".to_string(),
            number,
            exactly: true,
        })),
        ..LoweringOptions::default()
    };
    let budget = Budget::unlimited();
    let lowered = lower(model, command, &choices).expect("it has scopes");
    let search = Search::<Strongest>::new(&lowered.problem, &SearchOptions::default(), &budget);
    let found = search.expect("it is small").next(&budget);
    found.expect("no limit").is_some()
}

/// What is called real of a random model is so; says whether anything is.
fn is_true_of_the_complete_system(rng: &mut Rng) -> bool {
    let Random {
        text,
        whole,
        places,
    } = random_model(rng);
    let model = read(&text);
    let reading = SystemReading::of(&model)
        .expect("it fits")
        .expect("it is one");
    let command = &model.commands[0];
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
    let answer = found(&model, command, None);
    let reach = case.grow(Some(answer), &Budget::unlimited());
    let reach = reach.expect("it fits");
    let every = read(&whole);
    let holds = |command: usize| !found(&every, &every.commands[command], Some(places));
    match reach.meaning {
        ReachMeaning::Holds(_) => assert!(holds(0), "{reach:?}\n{text}"),
        ReachMeaning::Fails(_) => assert!(!holds(0), "{reach:?}\n{text}"),
        ReachMeaning::HoldsSomewhere(_) => assert!(!holds(1), "{reach:?}\n{text}"),
        ReachMeaning::Ambiguous | ReachMeaning::ScopeOnly => {}
    }
    if command.check && asked.is_universal() && holds(0) {
        let mut commands = reach
            .tried
            .iter()
            .filter(|tried| tried.way == ReachMethod::Command);
        assert!(
            commands.all(|t| t.found == Some(false)),
            "{reach:?}\n{text}"
        );
    }
    reach.is_real()
}

#[test]
fn what_is_called_real_is_so_in_the_complete_system() {
    let mut rng = Rng(0x5eed_1234_abcd_0001);
    let real = (0..150).filter(|_| is_true_of_the_complete_system(&mut rng));
    assert!(real.count() > 25, "hardly anything is called real");
}
