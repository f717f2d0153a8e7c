//! The screen, on evidence made by hand.

use num_bigint::BigUint;
use wherefore_base::{Stop, Value};
use wherefore_evidence::{Abstracted, Deadlocked, NoAbstract, NoRun};
use wherefore_evidence::{Evidence, Note, SegmentEnding, Shape, UnknownReason, Vacuity, Verdict};
use wherefore_logic::{Class, Goal, Op, PathOp, SubId};
use wherefore_model::{Domain, Origin, VarKind, Variable};
use wherefore_view::text::{TextOptions, render};

use crate::fixtures::*;

fn screen(build: impl FnOnce(&mut Fixture), options: &TextOptions<'_>) -> String {
    let mut fixture = Fixture::lift();
    build(&mut fixture);
    let text = render(&fixture.report(), options);
    // A command is never broken: it must be possible to copy it.
    let fits = text
        .lines()
        .take_while(|line| *line != "Try:")
        .all(|line| line.chars().count() <= options.width);
    assert!(fits, "a line is wider than {}:\n{text}", options.width);
    text
}

#[test]
fn a_path_shows_changes_only() {
    insta::assert_snapshot!(screen(path, &TextOptions::default()));
}

#[test]
fn a_lasso_has_a_bracket_and_fairness_marks() {
    insta::assert_snapshot!(screen(lasso, &TextOptions::default()));
}

#[test]
fn a_tree_tells_each_branch_with_its_reason_and_folds_what_only_goes_on() {
    insta::assert_snapshot!(screen(tree, &TextOptions::default()));
}

#[test]
fn an_abstract_run_is_a_table_of_formulas() {
    let both = |fixture: &mut Fixture| {
        path(fixture);
        abstracted(fixture);
    };
    insta::assert_snapshot!(screen(both, &TextOptions::default()));
}

#[test]
fn without_an_abstract_form_the_reason_and_the_steps_are_shown() {
    let both = |fixture: &mut Fixture| {
        path(fixture);
        let why = NoAbstract::EveryPath(Goal::fails(SubId::new(0)));
        fixture.findings[0].abstraction = Some(Abstracted::None(why));
    };
    insta::assert_snapshot!(screen(both, &TextOptions::default()));
}

#[test]
fn a_claim_about_every_step_is_one_table() {
    insta::assert_snapshot!(screen(fan, &TextOptions::default()));
}

#[test]
fn full_shows_every_value_and_every_run() {
    let options = TextOptions {
        full: true,
        ..TextOptions::default()
    };
    insta::assert_snapshot!(screen(tree, &options));
}

#[test]
fn a_region_is_described_and_has_no_way_out() {
    insta::assert_snapshot!(screen(region, &TextOptions::default()));
}

#[test]
fn an_existential_property_that_holds_tells_its_witness_in_a_line() {
    insta::assert_snapshot!(screen(witness, &TextOptions::default()));
}

#[test]
fn all_shows_the_steps_of_a_witness() {
    let options = TextOptions {
        all: true,
        ..TextOptions::default()
    };
    insta::assert_snapshot!(screen(witness, &options));
}

#[test]
fn ascii_uses_no_other_letters() {
    let options = TextOptions {
        ascii: true,
        ..TextOptions::default()
    };
    let text = screen(lasso, &options);
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn every_screen_fits_every_width() {
    for width in [20, 24, 33, 40, 59, 60, 61, 79, 100, 200] {
        for full in [false, true] {
            let options = TextOptions {
                width,
                full,
                hints: false,
                ..TextOptions::default()
            };
            for build in [path, lasso, tree, fan, region, witness] {
                screen(build, &options);
            }
        }
    }
}

#[test]
fn a_narrow_screen_puts_remarks_under_the_steps() {
    let options = TextOptions {
        width: 42,
        hints: false,
        ..TextOptions::default()
    };
    insta::assert_snapshot!(screen(lasso, &options));
}

#[test]
fn colour_adds_nothing_but_colour() {
    let options = TextOptions {
        color: true,
        ..TextOptions::default()
    };
    let mut fixture = Fixture::lift();
    lasso(&mut fixture);
    let colored = render(&fixture.report(), &options);
    assert!(
        colored.contains("\u{1b}[1m\u{1b}[31mFAILS\u{1b}[0m"),
        "{colored:?}"
    );
    let mut plain = String::new();
    let mut rest = colored.as_str();
    while let Some(start) = rest.find('\u{1b}') {
        plain.push_str(&rest[..start]);
        let end = rest[start..].find('m').expect("an escape sequence ends");
        rest = &rest[start + end + 1..];
    }
    plain.push_str(rest);
    let trimmed = |text: &str| {
        text.lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(
        trimmed(&plain),
        trimmed(&screen(lasso, &TextOptions::default()))
    );
}

/// `AG (req -> AF door = open)`, which never mattered because of the sub-formula picked by `which`.
fn vacuous(fixture: &mut Fixture, which: usize) {
    let (req, open) = (fixture.condition("req"), fixture.condition("door = open"));
    let mut build = Build::default();
    let p = build.atom(req);
    let q = build.atom(open);
    let af = build.all(PathOp::Finally(q));
    let body = build.add(Op::Implies(p, af));
    let root = build.all(PathOp::Globally(body));
    let sub = [p, q, af, body, root][which];
    let property = fixture.property("served", "AG (req -> AF door = open)", build);
    fixture.found(property, Verdict::Holds, None).vacuity = Vacuity::Vacuous { sub };
}

#[test]
fn a_vacuous_pass_says_what_never_matters() {
    let build = |fixture: &mut Fixture| (0..5).for_each(|which| vacuous(fixture, which));
    insta::assert_snapshot!(screen(build, &TextOptions::default()));
}

#[test]
fn undecided_properties_say_why() {
    let build = |fixture: &mut Fixture| {
        for reason in [
            UnknownReason::Stopped(Stop::TimeOut),
            UnknownReason::Unsupported(
                "LTL is not supported yet; write the property in CTL".to_string(),
            ),
        ] {
            vacuous(fixture, 0);
            let finding = fixture.findings.last_mut().expect("a finding was added");
            finding.vacuity = Vacuity::NotChecked;
            finding.verdict = Verdict::Unknown(reason);
        }
    };
    insta::assert_snapshot!(screen(build, &TextOptions::default()));
}

#[test]
fn notes_are_warnings_at_the_end_and_are_told_once() {
    let build = |fixture: &mut Fixture| {
        let state = fixture.state(3, "open", true);
        let deadlocks = Note::Deadlocks {
            count: BigUint::from(4u32),
            nearest: state.clone(),
            distance: 1,
        };
        let unfair = Note::UnfairInitialStates(BigUint::from(1u32), state);
        fixture.space.notes = vec![
            Note::NoInitialState,
            Note::NoFairState(NoRun {
                deadlock: Some(Deadlocked::Only(5)),
                unfair: None,
                decisive: false,
            }),
            unfair,
            deadlocks.clone(),
        ];
        vacuous(fixture, 0);
        let finding = fixture.findings.last_mut().expect("a finding was added");
        finding.vacuity = Vacuity::Matters;
        finding.notes = vec![deadlocks];
    };
    insta::assert_snapshot!(screen(build, &TextOptions::default()));
}

/// The path fixture with `count` more variables, of which one changes.
fn wide(fixture: &mut Fixture, count: usize, name: &str) {
    path(fixture);
    let input = fixture.model.vars.iter().last().expect("the input").clone();
    let mut vars: Vec<Variable> = fixture.model.vars.iter().cloned().collect();
    vars.pop();
    for number in 0..count {
        vars.push(Variable {
            name: format!("{name}{number}"),
            domain: Domain::Bool,
            kind: VarKind::State,
            span: input.span,
            origin: Default::default(),
        });
    }
    vars.push(input);
    fixture.model.vars = vars.into();
    let evidence: &mut Evidence = fixture.findings[0]
        .evidence
        .as_mut()
        .expect("the path has evidence");
    for step in 0..3 {
        let values = &mut evidence.occurrences[at(step)].values;
        values.extend((0..count).map(|number| Value::Bool(number == 7 && step == 2)));
    }
}

#[test]
fn of_many_variables_only_those_that_matter_are_shown_first() {
    insta::assert_snapshot!(screen(
        |fixture| wide(fixture, 40, "extra"),
        &TextOptions::default()
    ));
}

#[test]
fn variables_can_be_chosen_by_name() {
    let wanted = |name: &str| name == "door";
    let options = TextOptions {
        vars: Some(&wanted),
        hints: false,
        ..TextOptions::default()
    };
    insta::assert_snapshot!(screen(path, &options));
}

#[test]
fn hostile_names_neither_steer_the_terminal_nor_break_the_table() {
    let build = |fixture: &mut Fixture| {
        wide(
            fixture,
            2,
            "a\u{1b}[2Jvery_long_name_that_does_not_fit_into_any_column_of_the_table_at_all",
        );
        fixture.model.properties[0].name = "it's \"$(rm)\" `here`\n".to_string();
    };
    let text = screen(build, &TextOptions::default());
    assert!(!text.contains('\u{1b}'));
    insta::assert_snapshot!(text);
}

#[test]
fn the_counts_add_up() {
    let build = |fixture: &mut Fixture| {
        path(fixture);
        lasso(fixture);
        witness(fixture);
        vacuous(fixture, 2);
    };
    let text = screen(build, &TextOptions::default());
    let first = text.lines().next().expect("a first line");
    assert_eq!(
        first,
        "lift.smv  4 properties   1 holds   1 holds vacuously   2 FAIL"
    );
}

/// One state that refutes or shows something at once.
#[test]
fn a_property_decided_in_the_initial_state_needs_no_step() {
    let build = |fixture: &mut Fixture| {
        let closed = fixture.condition("door = closed");
        let mut build = Build::default();
        let p = build.atom(closed);
        let property = fixture.property("now", "door = closed", build);
        let mut sketch = Sketch::new(Shape::Path, vec![fixture.state(1, "open", false)]);
        sketch.run(
            true,
            None,
            fails(p),
            &[0],
            SegmentEnding::Goal,
            fixture.symbol("none"),
        );
        sketch.node(fails(p), 0, wherefore_evidence::Rule::State, &[]);
        fixture
            .found(property, Verdict::Fails, Some(sketch.evidence))
            .class = Some(Class::Safety);
    };
    insta::assert_snapshot!(screen(build, &TextOptions::default()));
}

/// The path fixture as if `press` chose a process and `req` were a matter of fairness.
fn undeclared(fixture: &mut Fixture) {
    path(fixture);
    let mut vars: Vec<Variable> = fixture.model.vars.iter().cloned().collect();
    for var in &mut vars {
        var.origin = match &*var.name {
            "press" => Origin::Process,
            "req" => Origin::Hidden,
            _ => Origin::Declared,
        };
    }
    fixture.model.vars = vars.into();
}

#[test]
fn each_step_says_which_process_runs_and_what_nobody_declared_is_not_shown() {
    let text = screen(undeclared, &TextOptions::default());
    assert!(
        text.contains("process") && text.contains(" runs "),
        "{text}"
    );
    for absent in ["req=", "req:", "press"] {
        assert!(!text.contains(absent), "{absent} is shown:\n{text}");
    }
    let full = TextOptions {
        full: true,
        ..TextOptions::default()
    };
    let text = screen(undeclared, &full);
    assert!(text.contains("req="), "{text}");
}

#[test]
fn documents_have_what_nobody_declared_and_mark_it() {
    let mut fixture = Fixture::lift();
    undeclared(&mut fixture);
    let report = fixture.report();
    let model = wherefore_view::json::model(&report);
    assert_eq!(model.hidden, ["req", "press"]);
    let text = wherefore_view::wire::CheckDocument::new(vec![model]).render();
    assert!(text.contains("\"req\": ") && text.contains("\"press\": "));
    let traces = wherefore_view::itf::render(&report, &fixture.findings[0]);
    let marked = |text: &str| text.contains("\"hidden\": [") && text.contains("\"req\": ");
    assert!(traces.iter().all(|trace| marked(&trace.document)));
    for drawn in [
        wherefore_view::dot::render(&report, &wherefore_view::Manner::default()),
        wherefore_view::markdown::render(&report, false),
    ] {
        assert!(
            !drawn.contains("req=") && drawn.contains(" runs"),
            "{drawn}"
        );
    }
}
