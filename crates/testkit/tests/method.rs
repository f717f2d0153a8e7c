//! What the methodology says of the complete system, against the complete system, on random models.

use wherefore_alloy::reach::{Meaning, Way};
use wherefore_alloy::{Choices, Model, load, lower};
use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_evidence::{Investigator, Options as Investigation, Verdict};
use wherefore_logic::Op;
use wherefore_relational::{Options, Search};
use wherefore_sat::Strongest;
use wherefore_tcmc::{Asked, Case, Reading, asked, complete};
use wherefore_testkit::agreement::explicit;
use wherefore_testkit::{Rng, campaign};

/// A graph with up to six places, in which a system has perhaps one of two atoms more, and a formula.
fn random_model(rng: &mut Rng) -> String {
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
        _ => "all s, t: S | s.at = t.at implies s = t",
    };
    let scope = 1 + rng.below(3);
    let exactly = if rng.below(2) == 0 { "exactly" } else { "" };
    // A switch outside the states takes one operation away.
    let switch = if rng.below(3) == 0 {
        "some Switch and"
    } else {
        ""
    };
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
        {kind} {{ ctl_mc[{formula}] }} for {exactly} {scope} S, 1 Switch",
        names.join(", ")
    )
}

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

fn read(text: &str) -> Model {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.als", text));
    let budget = Budget::unlimited();
    let loaded = load(&mut sources, file, None, &mut |_| None, &budget).expect("no limit");
    let error = loaded.diagnostics.iter().find(|d| d.is_error());
    assert!(error.is_none(), "{error:?}\n{text}");
    loaded.model
}

/// Whether a formula holds in every initial state of the complete system.
fn holds(model: &Model, reading: &Reading, asked: Asked) -> bool {
    let commands = [(&model.commands[0], Ok(asked))];
    let budget = Budget::unlimited();
    let system = complete(model, reading, &commands, &Choices::default(), &budget);
    let system = system.expect("it fits");
    let space = explicit(&system.model);
    let investigator = Investigator::new(&space).expect("no limit");
    let options = Investigation {
        evidence: false,
        vacuity: false,
        ..Investigation::default()
    };
    investigator.investigate(0, &options).verdict == Verdict::Holds
}

fn is_true_of_the_complete_system(rng: &mut Rng) {
    let text = random_model(rng);
    let model = read(&text);
    let reading = Reading::of(&model).expect("it fits").expect("it is one");
    let command = &model.commands[0];
    let asked = asked(&model, &reading, command).expect("it fits");
    let asked = asked.expect("it asks for a formula");
    let (choices, options) = (Choices::default(), Options::default());
    let case = Case {
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
    let found = search.expect("it is small").next(&budget);
    let found = found.expect("no limit").is_some();
    let reach = case.grow(Some(found), &budget).expect("it fits");
    let whole = holds(&model, &reading, asked.clone());
    match reach.meaning {
        Meaning::Holds(_) => assert!(whole, "{reach:?}\n{text}"),
        Meaning::Fails(_) => assert!(!whole, "{reach:?}\n{text}"),
        Meaning::HoldsSomewhere(_) => {
            let mut contrary = asked.clone();
            let root = contrary.formula.root();
            contrary.formula.add(Op::Not(root), None);
            let nowhere = holds(&model, &reading, contrary);
            assert!(!nowhere, "{reach:?}\n{text}");
        }
        Meaning::Ambiguous | Meaning::ScopeOnly => {}
    }
    if whole && asked.is_universal() && command.check {
        let mut commands = reach.tried.iter().filter(|tried| tried.way == Way::Command);
        assert!(
            commands.all(|t| t.found == Some(false)),
            "{reach:?}\n{text}"
        );
    }
}

#[test]
fn what_is_called_real_is_so_in_the_complete_system() {
    campaign("method", 250, is_true_of_the_complete_system);
}
