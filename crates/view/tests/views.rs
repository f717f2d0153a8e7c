//! The views of an evidence: trace, states and proof, in both directions, between parts.

use std::time::{Duration, Instant};

use wherefore_evidence::{Evidence, Rule, SegmentEnding, Shape, Verdict};
use wherefore_logic::{Op, PathOp};
use wherefore_model::{PropertyBody, Query};
use wherefore_view::text::{TextOptions, render};
use wherefore_view::{Manner, View, WhyStyle, markdown};

use crate::fixtures::*;

const VIEWS: [View; 3] = [View::Trace, View::States, View::Proof];
const WHYS: [Option<WhyStyle>; 5] = [
    None,
    Some(WhyStyle::Rules),
    Some(WhyStyle::Reasons),
    Some(WhyStyle::English),
    Some(WhyStyle::None),
];

/// Puts something to tell into a fixture.
type Builder = fn(&mut Fixture);

const SHAPES: [(&str, Builder); 6] = [
    ("path", path),
    ("lasso", lasso),
    ("tree", tree),
    ("fan", fan),
    ("region", region),
    ("witness", witness),
];

fn fixture(build: impl FnOnce(&mut Fixture)) -> Fixture {
    let mut fixture = Fixture::lift();
    build(&mut fixture);
    fixture
}

fn told(build: impl FnOnce(&mut Fixture), manner: Manner<'_>) -> String {
    shown(&fixture(build), manner)
}

fn shown(fixture: &Fixture, manner: Manner<'_>) -> String {
    let options = TextOptions {
        hints: false,
        manner,
        ..TextOptions::default()
    };
    let text = render(&fixture.report(), &options);
    // The head is the same in all views.
    let (_, rest) = text.split_once("\n\n").expect("a head ends");
    rest.to_string()
}

fn manner(view: View, why: Option<WhyStyle>) -> Manner<'static> {
    Manner {
        view,
        why,
        ..Manner::default()
    }
}

fn evidence(fixture: &mut Fixture) -> &mut Evidence {
    let finding = fixture.findings.last_mut().expect("there is a finding");
    finding.evidence.as_mut().expect("it has evidence")
}

/// The lasso without the proof of what its loop rests on.
fn open_lasso(fixture: &mut Fixture) {
    lasso(fixture);
    let proof = &mut evidence(fixture).proof;
    for id in [6, 5, 3].map(wherefore_evidence::ProofId::new) {
        proof[id].rule = None;
        proof[id].premises.clear();
    }
}

/// A part of the first property: the sub-formula with this number and everything it needs.
fn part(fixture: &Fixture, sub: usize) -> Query {
    let PropertyBody::Query(query) = &fixture.model.properties[0].body else {
        unreachable!("fixtures have queries");
    };
    let mut formula = wherefore_logic::Formula::new();
    for id in query.formula.subs().take(sub + 1) {
        formula.add(query.formula.op(id), None);
    }
    Query {
        formula,
        ..query.clone()
    }
}

#[test]
fn the_states_of_each_shape_are_listed_with_their_variables() {
    for (name, build) in [("path", path as Builder), ("lasso", lasso)] {
        let text = told(build, manner(View::States, None));
        insta::assert_snapshot!(format!("states_of_a_{name}"), text);
    }
}

#[test]
fn the_proof_is_attached_to_the_states_of_each_shape() {
    for (name, build) in SHAPES {
        let text = told(build, manner(View::Proof, None));
        insta::assert_snapshot!(format!("proof_of_a_{name}"), text);
    }
}

#[test]
fn rules_name_every_node_of_the_proof() {
    insta::assert_snapshot!(told(lasso, manner(View::Proof, Some(WhyStyle::Rules))));
}

#[test]
fn english_says_one_sentence_for_each_state() {
    for (name, build) in SHAPES {
        let text = told(build, manner(View::Proof, Some(WhyStyle::English)));
        insta::assert_snapshot!(format!("english_of_a_{name}"), text);
    }
}

#[test]
fn open_obligations_are_counted_and_named() {
    insta::assert_snapshot!(told(open_lasso, manner(View::Proof, None)));
    let english = told(open_lasso, manner(View::Trace, Some(WhyStyle::English)));
    assert!(english.contains("which is not shown yet"), "{english}");
    let table = told(open_lasso, Manner::default());
    assert!(table.contains("3 obligations open]"), "{table}");
}

#[test]
fn backward_tells_the_same_from_the_end() {
    for (name, build) in [
        ("path", path as Builder),
        ("lasso", lasso),
        ("tree", tree),
        ("region", region),
    ] {
        let backward = Manner {
            backward: true,
            ..Manner::default()
        };
        insta::assert_snapshot!(format!("backward_{name}"), told(build, backward));
    }
}

#[test]
fn an_excerpt_starts_and_stops_at_parts_of_the_property() {
    let fixture = fixture(lasso);
    let (af, body) = (part(&fixture, 2), part(&fixture, 3));
    let start = Manner {
        start: Some(&af),
        ..Manner::default()
    };
    let text = shown(&fixture, start);
    assert!(
        text.contains("1 step before is not shown: --start"),
        "{text}"
    );
    assert!(text.contains("back to step 2, for ever"), "{text}");
    let stop = Manner {
        stop: Some(&body),
        ..manner(View::Proof, None)
    };
    let text = shown(&fixture, stop);
    assert!(
        text.contains("2 steps after are not shown: --stop"),
        "{text}"
    );
    assert!(text.contains("is false is not shown: --stop"), "{text}");
    assert!(!text.contains("for ever"), "{text}");
    let both = Manner {
        start: Some(&body),
        stop: Some(&af),
        ..manner(View::Proof, None)
    };
    insta::assert_snapshot!(shown(&fixture, both));
}

#[test]
fn a_page_can_be_told_in_every_manner() {
    let fixture = fixture(lasso);
    let page = markdown::render_in(&fixture.report(), false, &manner(View::Proof, None));
    insta::assert_snapshot!(page);
    let page = markdown::render(&fixture.report(), false);
    let same = markdown::render_in(&fixture.report(), false, &Manner::default());
    assert_eq!(page, same);
}

#[test]
fn every_part_can_start_and_stop_every_view() {
    for build in [path, lasso, tree, fan, region, witness, open_lasso] {
        let fixture = fixture(build);
        let PropertyBody::Query(query) = &fixture.model.properties[0].body else {
            unreachable!("fixtures have queries");
        };
        let parts: Vec<Query> = (0..query.formula.len())
            .map(|sub| part(&fixture, sub))
            .collect();
        let parts: Vec<Option<&Query>> = parts.iter().map(Some).chain([None]).collect();
        in_every_manner(|manner| {
            for &start in &parts {
                for &stop in &parts {
                    let manner = Manner {
                        start,
                        stop,
                        ..manner
                    };
                    shown(&fixture, manner);
                    markdown::render_in(&fixture.report(), true, &manner);
                }
            }
        });
    }
}

/// Calls `check` with every manner there is.
fn in_every_manner(mut check: impl FnMut(Manner<'static>)) {
    for view in VIEWS {
        for why in WHYS {
            for backward in [false, true] {
                check(Manner {
                    backward,
                    ..manner(view, why)
                });
            }
        }
    }
}

#[test]
fn every_manner_fits_every_width_even_with_hostile_names() {
    let wide = |fixture: &mut Fixture| {
        lasso(fixture);
        for at in 0..3 {
            let name = ["größe_名前_".repeat(9), "\u{1b}[2J".into(), "x".repeat(300)][at].clone();
            fixture.model.vars[wherefore_model::VarId::new(at)].name = name;
        }
    };
    for build in [path, lasso, tree, fan, region, witness, open_lasso, wide] {
        let fixture = fixture(build);
        in_every_manner(|manner| {
            for width in [20, 33, 60, 80, 200] {
                let options = TextOptions {
                    width,
                    hints: false,
                    manner,
                    ..TextOptions::default()
                };
                let text = render(&fixture.report(), &options);
                let fits = text.lines().all(|line| line.chars().count() <= width);
                assert!(fits, "wider than {width}, {manner:?}:\n{text}");
                assert!(!text.contains('\u{1b}'));
            }
        });
    }
}

/// `AG (req -> AF door = open)` fails on a loop after half of many steps.
fn long(fixture: &mut Fixture, steps: usize) {
    let (req, open) = (fixture.condition("req"), fixture.condition("door = open"));
    let mut build = Build::default();
    let p = build.atom(req);
    let q = build.atom(open);
    let af = build.all(PathOp::Finally(q));
    let body = build.add(Op::Implies(p, af));
    let root = build.all(PathOp::Globally(body));
    let property = fixture.property("served", "AG (req -> AF door = open)", build);
    let half = steps / 2;
    let state = |at: usize| fixture.state(1 + (at % 3) as i64, "closed", at >= half);
    let mut sketch = Sketch::new(Shape::Lasso, (0..steps).map(state).collect());
    let none = fixture.symbol("none");
    let first: Vec<usize> = (0..=half).collect();
    let second: Vec<usize> = (half + 1..steps).collect();
    sketch.run(true, None, fails(root), &first, SegmentEnding::Goal, none);
    sketch.run(
        true,
        Some(half),
        fails(af),
        &second,
        SegmentEnding::Loop(at(half)),
        none,
    );
    for step in 0..half {
        sketch.node(fails(root), step, Rule::Continue, &[step + 1]);
    }
    let next = half + 1;
    sketch.node(fails(root), half, Rule::Goal, &[next]);
    sketch.node(fails(body), half, Rule::Branch(0), &[next + 1, next + 2]);
    sketch.node(holds(p), half, Rule::State, &[]);
    let af_node = |step: usize| next + 2 + 2 * (step - half);
    for step in half..steps {
        let goes_on = if step + 1 < steps { step + 1 } else { half };
        let here = af_node(step);
        sketch.node(
            fails(af),
            step,
            Rule::Continue,
            &[here + 1, af_node(goes_on)],
        );
        sketch.node(fails(q), step, Rule::State, &[]);
    }
    fixture.found(property, Verdict::Fails, Some(sketch.evidence));
}

#[test]
fn a_run_of_twenty_thousand_steps_is_told_in_every_manner() {
    let fixture = fixture(|fixture| long(fixture, 20_000));
    let af = part(&fixture, 2);
    let start = Instant::now();
    for (view, why) in [
        (View::Trace, WhyStyle::Reasons),
        (View::Trace, WhyStyle::English),
        (View::States, WhyStyle::None),
        (View::Proof, WhyStyle::Rules),
    ] {
        for (start, backward) in [(None, false), (Some(&af), true)] {
            let manner = Manner {
                start,
                backward,
                ..manner(view, Some(why))
            };
            let lines = shown(&fixture, manner).lines().count();
            match (view, why, backward) {
                // Nothing is said of most steps: they are folded.
                (View::Trace, WhyStyle::Reasons, false) => assert!(lines < 40, "{lines}"),
                _ => assert!(lines > 10_000, "{lines}"),
            }
        }
    }
    // Were one of these screens quadratic, it alone would take longer.
    assert!(start.elapsed() < Duration::from_secs(60));
}
