//! Complete checking of transition systems written in Alloy, against solving them in a scope that holds every
//! state there can be, and the temporal modules against both.

use wherefore_acceptance::agreement::{explicit, symbolic};
use wherefore_alloy::{AlloyModel, LoweringOptions, load, lower};
use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_evidence::{EvidenceOptions, Investigator, Verdict};
use wherefore_relational::Search;
use wherefore_sat::Strongest;
use wherefore_satcheck::{Bounded, SatOutcome, bounded, decide};
use wherefore_space::StateSpace;
use wherefore_tcmc::{CompleteSystem, SystemReading, TcmcMisfit, asked, complete};
use wherefore_testkit::{Rng, campaign};

/// A formula over states, by their names. Some of two elements belong to a state, and with `at` it is at one.
fn condition(rng: &mut Rng, at: bool, states: &[&str], size: usize) -> String {
    if size == 0 {
        let state = states[rng.below(states.len())];
        return match rng.below(if at { 9 } else { 6 }) {
            6 => format!("{state}.at in {state}.on"),
            7 if states.len() > 1 => format!("{}.at != {}.at", states[0], states[1]),
            place @ 7..9 => format!("{state}.at = B{}", place % 2),
            0 => format!("no {state}.on"),
            1 if states.len() > 1 => format!("{}.on in {}.on", states[0], states[1]),
            2 if states.len() > 1 => format!("{} = {}", states[0], states[1]),
            3 => format!("#{state}.on = 1"),
            place => format!("B{} in {state}.on", place % 2),
        };
    }
    let left = condition(rng, at, states, size - 1);
    match rng.below(4) {
        0 => format!("not ({left})"),
        1 => format!("(({left}) and ({}))", condition(rng, at, states, size - 1)),
        2 => format!("(({left}) iff ({}))", condition(rng, at, states, size - 1)),
        _ => format!("(({left}) or ({}))", condition(rng, at, states, size - 1)),
    }
}

/// A formula of CTL in the words of the modules.
fn temporal(rng: &mut Rng, at: bool, module: &str, size: usize) -> String {
    if size == 0 {
        return match rng.below(4) {
            0 => "on.B0".into(),
            1 => "State - on.B1".into(),
            _ => format!("{{s: State | {}}}", condition(rng, at, &["s"], 1)),
        };
    }
    let operators = [
        "not_", "ex", "ax", "ef", "af", "eg", "ag", "and_", "or_", "imp_", "eu", "au",
    ];
    let operator = match module {
        "ctlfc_def3" if rng.below(4) == 0 => ["ecg", "acg"][rng.below(2)],
        _ => operators[rng.below(operators.len())],
    };
    let left = temporal(rng, at, module, size - 1);
    match operator {
        "and_" | "or_" | "imp_" | "eu" | "au" => {
            let less = rng.below(size);
            let right = temporal(rng, at, module, less);
            format!("{operator}[{left}, {right}]")
        }
        _ => format!("{operator}[{left}]"),
    }
}

/// Whether states have the field `at`; their fields, when two of them are the same, and how many there are.
fn fields(rng: &mut Rng) -> (bool, (&'static str, &'static str, usize)) {
    match rng.below(2) == 0 {
        true => (
            true,
            (
                "on: lone Bit, at: one Bit",
                "s.on = t.on and s.at = t.at",
                6,
            ),
        ),
        false => (false, ("on: set Bit", "s.on = t.on", 4)),
    }
}

/// A model with four or six states, and the words that ask for its formula.
fn random_model(rng: &mut Rng, module: &str, fair: bool) -> String {
    let (at, (fields, same, most)) = fields(rng);
    let initial = condition(rng, at, &["s"], 2);
    let step = condition(rng, at, &["s", "t"], 3);
    let fairness = match fair {
        true => format!(
            "all s: State | s in fc iff ({})",
            condition(rng, at, &["s"], 1)
        ),
        false => String::new(),
    };
    let ask = if fair { "ctlfc_mc" } else { "ctl_mc" };
    let size = 1 + rng.below(3);
    let formula = temporal(rng, at, module, size);
    format!(
        "open {module}[State]
        abstract sig Bit {{}}
        one sig B0, B1 extends Bit {{}}
        sig State {{ {fields} }}
        fact {{
          all s: State | s in initialState iff ({initial})
          all s, t: State | s -> t in nextState iff ({step})
          {fairness}
          all s, t: State | {same} implies s = t
        }}
        check {{ {ask}[{formula}] }} for exactly {most} State"
    )
}

fn read(text: &str) -> AlloyModel {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.als", text));
    let budget = Budget::unlimited();
    let loaded = load(&mut sources, file, None, &mut |_| None, &budget).expect("no limit");
    let error = loaded.diagnostics.iter().find(|d| d.is_error());
    assert!(error.is_none(), "{error:?}\n{text}");
    loaded.model
}

/// Whether the first command of a model has no counterexample in its scope.
fn passes(model: &AlloyModel) -> bool {
    let budget = Budget::unlimited();
    let lowered =
        lower(model, &model.commands[0], &LoweringOptions::default()).expect("it has scopes");
    let search = Search::<Strongest>::new(&lowered.problem, &Default::default(), &budget);
    let found = search.expect("it is small").next(&budget);
    found.expect("no limit").is_none()
}

/// The complete system of the first command.
fn system(model: &AlloyModel) -> Result<CompleteSystem, TcmcMisfit> {
    system_counted(model, false)
}

fn system_counted(model: &AlloyModel, counted: bool) -> Result<CompleteSystem, TcmcMisfit> {
    let reading = SystemReading {
        counted,
        ..SystemReading::of(model)?.expect("it opens a module")
    };
    let command = model.commands[0].clone();
    let asked = asked(model, &reading, &command)?.expect("it asks for a formula");
    let budget = Budget::unlimited();
    let commands = [(&command, Ok(asked))];
    complete(
        model,
        &reading,
        &commands,
        &LoweringOptions::default(),
        &budget,
    )
}

fn verdict<S: StateSpace>(space: &S) -> Verdict {
    let investigator = Investigator::new(space).expect("no limit");
    let options = EvidenceOptions {
        vacuity: false,
        ..EvidenceOptions::default()
    };
    investigator.investigate(0, &options).verdict
}

fn agrees(rng: &mut Rng, module: &str, fair: bool) {
    let text = random_model(rng, module, fair);
    let model = read(&text);
    let system = match system(&model) {
        Ok(system) => system,
        Err(misfit) => panic!("{misfit:?}\n{text}"),
    };
    let expected = match passes(&model) {
        true => Verdict::Holds,
        false => Verdict::Fails,
    };
    assert_eq!(verdict(&explicit(&system.model)), expected, "{text}");
    assert_eq!(verdict(&symbolic(&system.model)), expected, "{text}");
    match decide(&system.model, 0, &Budget::unlimited()).expect("no limit") {
        SatOutcome::Holds(_) => assert_eq!(expected, Verdict::Holds, "{text}"),
        SatOutcome::Fails(_) => assert_eq!(expected, Verdict::Fails, "{text}"),
        SatOutcome::Unknown(_) => {}
    }
    // What bounded search is sure of is so.
    match bounded(&system.model, 0, 8, &Budget::unlimited()).expect("no limit") {
        Bounded::Holds(_) => assert_eq!(expected, Verdict::Holds, "{text}"),
        Bounded::Fails(_) => assert_eq!(expected, Verdict::Fails, "{text}"),
        Bounded::Open | Bounded::Unfit(_) => {}
    }
}

#[test]
fn the_complete_verdict_is_that_of_a_scope_with_every_state() {
    campaign("ctl", 150, |rng| agrees(rng, "ctl", false));
}

#[test]
fn the_complete_verdict_is_that_of_every_state_with_fair_operators() {
    campaign("ctlfc", 150, |rng| agrees(rng, "ctlfc", true));
}

#[test]
fn the_complete_verdict_is_that_of_every_state_with_operators_for_all_paths() {
    campaign("ctlfc_def3", 150, |rng| agrees(rng, "ctlfc_def3", true));
}

/// A model with two fairness constraints, which one fact or two define.
fn random_fair_model(rng: &mut Rng) -> String {
    let (at, (fields, same, most)) = fields(rng);
    let initial = condition(rng, at, &["s"], 2);
    let step = condition(rng, at, &["s", "t"], 3);
    let one = condition(rng, at, &["s"], 1);
    let other = condition(rng, at, &["s"], 1);
    let fairness = match rng.below(3) {
        0 => format!("all s: State | s in fc[B0] iff ({one})\nfc[B1] = {{s: State | {other}}}"),
        1 => format!("all c: Bit, s: State | s in fc[c] iff (c in s.on or ({one}))"),
        _ => format!(
            "all s: State | (c0[s]) iff s in fc[B0]\nall s: State | s in fc[B1] iff (not ({one}))"
        ),
    };
    let size = 1 + rng.below(3);
    let formula = temporal(rng, at, "ctlfc_several", size);
    format!(
        "open ctlfc_several[State, Bit]
        abstract sig Bit {{}}
        one sig B0, B1 extends Bit {{}}
        sig State {{ {fields} }}
        pred c0[s: State] {{ {one} }}
        fact {{
          all s: State | s in initialState iff ({initial})
          all s, t: State | s -> t in nextState iff ({step})
          {fairness}
          all s, t: State | {same} implies s = t
        }}
        check {{ ctlfc_mc[{formula}] }} for exactly {most} State"
    )
}

#[test]
fn several_fairness_constraints_are_the_same_directly_by_a_counter_and_in_a_scope_with_every_state()
{
    campaign("several", 150, |rng| {
        let text = random_fair_model(rng);
        let model = read(&text);
        let expected = match passes(&model) {
            true => Verdict::Holds,
            false => Verdict::Fails,
        };
        for counted in [false, true] {
            let system = match system_counted(&model, counted) {
                Ok(system) => system,
                Err(misfit) => panic!("{misfit:?}\n{text}"),
            };
            let constraints = system.model.fairness.justice.len();
            assert_eq!(constraints, if counted { 1 } else { 2 }, "{text}");
            assert_eq!(
                verdict(&explicit(&system.model)),
                expected,
                "{counted} {text}"
            );
            assert_eq!(
                verdict(&symbolic(&system.model)),
                expected,
                "{counted} {text}"
            );
        }
    });
}

/// What the model says when it is written as SMV and read again; nothing where SMV cannot say it.
fn verdict_as_smv(system: &CompleteSystem) -> Option<Verdict> {
    let text = wherefore_smv::write(&system.model, "A random system.").expect("it has no words");
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("written.smv", text.as_str()));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let error = loaded.diagnostics.iter().find(|d| d.is_error());
    assert!(error.is_none(), "{error:?}\n{text}");
    let said = !loaded.model.properties.is_empty();
    said.then(|| {
        let by_bdds = verdict(&symbolic(&loaded.model));
        assert_eq!(verdict(&explicit(&loaded.model)), by_bdds, "{text}");
        by_bdds
    })
}

#[test]
fn a_system_that_is_written_as_smv_has_the_same_verdict() {
    let said = std::cell::Cell::new(0);
    for (module, fair) in [("ctl", false), ("ctlfc", true), ("ctlfc_def3", true)] {
        campaign("smv", 100, |rng| {
            let text = random_model(rng, module, fair);
            let system = system(&read(&text)).expect("it fits");
            if let Some(written) = verdict_as_smv(&system) {
                assert_eq!(written, verdict(&explicit(&system.model)), "{text}");
                said.set(said.get() + 1);
            }
        });
    }
    assert!(said.get() > 200, "only {} of 300 were written", said.get());
}

/// What runs of at most so many steps say of a formula in a ring of three places.
fn in_a_ring(formula: &str, most: usize) -> &'static str {
    let text = format!(
        "open ctl[Place]
        enum Name {{ A, B, C }}
        sig Place {{ name: one Name }}
        fact {{
          all p: Place | p in initialState iff p.name = A
          all p, q: Place | p -> q in nextState iff p.name -> q.name in A -> B + B -> C + C -> A
        }}
        check {{ ctl_mc[{formula}] }} for 3"
    );
    let system = system(&read(&text)).expect("it fits");
    match bounded(&system.model, 0, most, &Budget::unlimited()).expect("no limit") {
        Bounded::Fails(found) if found.trace.back.is_some() => "lasso",
        Bounded::Fails(_) => "run",
        Bounded::Holds(_) => "proof",
        Bounded::Open => "open",
        Bounded::Unfit(_) => "unfit",
    }
}

#[test]
fn bounded_search_finds_what_the_bound_allows_and_says_what_it_does_not_know() {
    let never_c = "ag[{p: Place | p.name != C}]";
    assert_eq!(in_a_ring(never_c, 1), "open");
    assert_eq!(in_a_ring(never_c, 2), "run");
    let gone = "ag[imp_[{p: Place | p.name = B}, af[{p: Place | no p.name}]]]";
    assert_eq!(in_a_ring(gone, 2), "open");
    assert_eq!(in_a_ring(gone, 6), "lasso");
    let comes = "af[{p: Place | p.name = C}]";
    assert_eq!(in_a_ring(comes, 1), "open");
    assert_eq!(in_a_ring(comes, 3), "proof");
    assert_eq!(in_a_ring("ag[{p: Place | some p.name}]", 9), "open");
    assert_eq!(in_a_ring("ag[ef[{p: Place | p.name = A}]]", 9), "unfit");
    assert_eq!(in_a_ring("ef[{p: Place | p.name = A}]", 9), "unfit");
}

/// Why a model with this in the place of its facts cannot be read.
fn misfit(facts: &str) -> String {
    let text = format!(
        "open ctl[State]
        sig State {{ on: set State2 }}
        sig State2 {{}}
        fact {{ {facts} }}
        check {{ ctl_mc[ag[{{s: State | no s.on}}]] }} for 3"
    );
    match system(&read(&text)) {
        Err(TcmcMisfit::Shape { message, .. }) => message,
        // Whether such a fact cuts a step is seen in the explored system.
        Err(TcmcMisfit::Pairs { .. }) => "pairs of states".to_string(),
        other => panic!("it fits: {:?}", other.map(|_| ())),
    }
}

#[test]
fn a_model_that_does_not_define_one_system_is_refused_with_the_reason() {
    let initial = "all s: State | s in initialState iff no s.on";
    let step = "all s, t: State | s->t in nextState iff s.on in t.on";
    assert!(misfit(initial).contains("the steps"));
    assert!(misfit(step).contains("the initial states"));
    let implied = "all s, t: State | s->t in nextState implies s.on in t.on";
    assert!(
        misfit(&format!("{initial}\n{implied}"))
            .contains("nothing says which pairs of states are steps")
    );
    let others = "all s, t: State | s->t in nextState iff no u: State | u.on in t.on";
    assert!(misfit(&format!("{initial}\n{others}")).contains("more of `State`"));
    let pairs = "all s, t: State | some s.on & t.on implies s = t";
    assert!(misfit(&format!("{initial}\n{step}\n{pairs}")).contains("pairs of states"));
    let several = |facts: &str| {
        let text = format!(
            "open ctlfc_several[State, Light]
            enum Light {{ Red, Green }}
            sig State {{ on: set Light }}
            fact {{ {initial}\n{step}\n{facts} }}
            check {{ ctlfc_mc[ag[{{s: State | no s.on}}]] }} for 3"
        );
        match system(&read(&text)) {
            Err(TcmcMisfit::Shape { message, .. }) => message,
            other => panic!("it fits: {:?}", other.map(|_| ())),
        }
    };
    let red = "all s: State | s in fc[Red] iff some s.on";
    assert!(several("").contains("the fair states are"));
    assert!(several(red).contains("the fair states of `Green` are"));
    assert!(several(&format!("{red}\n{red}")).contains("a second time"));
    let many = "#State > 1";
    assert!(misfit(&format!("{initial}\n{step}\n{many}")).contains("more of `State`"));
}
