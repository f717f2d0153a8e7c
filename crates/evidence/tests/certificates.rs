//! Certificates of small models, as a reader sees them.

use std::fmt::Write;

use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_evidence::certificate::{
    Certificate, Certified, EndlessStates, How, Layer, Recheck, StateSet, verify,
};
use wherefore_evidence::{EvidenceOptions, Finding, Investigator, Verdict};
use wherefore_model::{Model, PropertyBody, Query};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_space::symbolic::Symbolic;

fn load(text: &str) -> Model {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert_eq!(loaded.diagnostics, [], "the model is right");
    loaded.model
}

fn finding<S: StateSpace>(space: &S) -> Finding {
    let investigator = Investigator::new(space).expect("there is no limit");
    let options = EvidenceOptions {
        certificate: true,
        ..EvidenceOptions::default()
    };
    investigator.investigate(0, &options)
}

/// The certificate of the first property, the same from both engines.
fn certificate(model: &Model) -> Certificate {
    let budget = Budget::unlimited();
    let explicit = Explicit::explore(model, ExplorationLimits::default(), &budget);
    let explicit = finding(&explicit.expect("there is no limit").expect("it is small"));
    let symbolic = finding(&Symbolic::build(model, &budget).expect("there is no limit"));
    assert_eq!(explicit.verdict, Verdict::Holds);
    assert_eq!(explicit.certificate, symbolic.certificate);
    match explicit.certificate {
        Some(Certified::Given {
            certificate,
            recheck: Recheck::Ok(_),
            ..
        }) => *certificate,
        other => panic!("no certificate that is right: {other:?}"),
    }
}

fn query(model: &Model) -> &Query {
    match &model.properties[0].body {
        PropertyBody::Query(query) => query,
        other => panic!("no question about states: {other:?}"),
    }
}

fn set(model: &Model, set: &StateSet) -> String {
    let cubes = set.cubes.iter().map(|cube| {
        let conditions = cube.values.iter().map(|(var, values)| {
            let values = values.iter().map(|&v| model.names.show(v).to_string());
            let values: Vec<String> = values.collect();
            format!("{}={}", model.vars[*var].name, values.join("/"))
        });
        conditions.collect::<Vec<_>>().join(" ")
    });
    let sign = if set.outside { "none of" } else { "any of" };
    format!("{sign} {:?}", cubes.collect::<Vec<_>>())
}

fn show(model: &Model, certificate: &Certificate) -> String {
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{text}").expect("writing to a string");
    let layers = |line: &mut dyn FnMut(String), layers: &[Layer]| {
        for layer in layers {
            line(format!(
                "  {:?}: {}",
                layer.reason,
                set(model, &layer.states)
            ));
        }
    };
    let endless = |line: &mut dyn FnMut(String), endless: &EndlessStates| {
        line(format!("endless: {}", set(model, &endless.states)));
        for rings in &endless.rings {
            for ring in rings {
                line(format!("  ring: {}", set(model, ring)));
            }
        }
    };
    line(format!("invariant: {}", set(model, &certificate.invariant)));
    if let Some(unfair) = &certificate.unfair {
        line(format!("unfair: {}", set(model, &unfair.states)));
        layers(&mut line, &unfair.layers);
    }
    if let Some(live) = &certificate.live {
        endless(&mut line, &live.endless);
        for ring in &live.around {
            line(format!("  around: {}", set(model, ring)));
        }
    }
    for claim in &certificate.claims {
        let truth = claim.goal.holds;
        line(format!(
            "sub {} {truth}: {}",
            claim.goal.sub.index(),
            set(model, &claim.states)
        ));
        match &claim.how {
            How::Step | How::Closed => {}
            How::Leaves(list) => layers(&mut line, list),
            How::Reaches { rings, endless: e } => {
                for ring in rings {
                    line(format!("  ring: {}", set(model, ring)));
                }
                if let Some(e) = e {
                    endless(&mut line, e);
                }
            }
            How::Bounded(steps) => {
                for step in steps {
                    line(format!("  step: {}", set(model, step)));
                }
            }
        }
    }
    out
}

const LOCK: &str = "MODULE user(picked, locked)
VAR at : {away, waiting, inside};
ASSIGN init(at) := away;
  next(at) := case
      !picked : at;
      at = away : {away, waiting};
      at = waiting & !locked : inside;
      at = inside : away;
      TRUE : at;
    esac;
MODULE main
VAR move : {l, r}; left : user(move = l, locked); right : user(move = r, locked);
DEFINE locked := left.at = inside | right.at = inside;
";

#[test]
fn an_invariant_says_what_the_property_rests_on_and_no_more() {
    let model = load(&format!(
        "{LOCK} CTLSPEC AG !(left.at = inside & right.at = inside)"
    ));
    insta::assert_snapshot!(show(&model, &certificate(&model)), @r#"
    invariant: none of ["left.at=inside right.at=inside"]
    sub 4 true: any of [""]
    "#);
}

#[test]
fn a_counter_arrives_by_ranks() {
    let model = load(
        "MODULE main VAR n : 0..3; ASSIGN init(n) := 3; next(n) := n > 0 ? n - 1 : 0;
         CTLSPEC AF n = 0",
    );
    insta::assert_snapshot!(show(&model, &certificate(&model)), @r#"
    invariant: none of []
    sub 1 true: any of [""]
      StepsOut: any of ["n=0/1"]
      StepsOut: any of ["n=0/1/2"]
      StepsOut: any of [""]
    "#);
}

#[test]
fn justice_and_compassion_are_reasons_of_layers() {
    let model = load(&format!(
        "{LOCK} FAIRNESS move = l FAIRNESS move = r
         COMPASSION (left.at = waiting & !locked, left.at = inside)
         COMPASSION (right.at = waiting & !locked, right.at = inside)
         CTLSPEC AG (left.at = waiting -> AF left.at = inside)"
    ));
    insta::assert_snapshot!(show(&model, &certificate(&model)), @r#"
    invariant: none of []
    sub 2 true: any of ["left.at=waiting/inside"]
      Justice(1): any of ["move=l right.at=away/waiting"]
      Compassion(0): any of [""]
      Justice(0): any of ["move=r"]
      Justice(1): any of [""]
    sub 4 true: any of [""]
    "#);
}

#[test]
fn what_is_always_possible_has_rings() {
    let model = load(&format!("{LOCK} CTLSPEC AG EF left.at = inside"));
    insta::assert_snapshot!(show(&model, &certificate(&model)), @r#"
    invariant: none of []
    endless: any of [""]
    sub 1 true: any of [""]
      ring: any of ["move=l left.at=waiting/inside right.at=away/waiting"]
      ring: any of ["move=l right.at=away/waiting", "move=r left.at=waiting/inside right.at=away/inside"]
      ring: any of ["move=l", "right.at=away/inside", "left.at=waiting/inside"]
      ring: any of [""]
    sub 2 true: any of [""]
    "#);
}

#[test]
fn a_state_with_an_open_wish_may_be_passed_on_the_way_to_a_fair_path() {
    let model = load(
        "MODULE main VAR n : 0..2; ASSIGN init(n) := 2; next(n) := n > 0 ? n - 1 : 0;
         COMPASSION (n = 1, n = 2)
         CTLSPEC EX n = 1",
    );
    insta::assert_snapshot!(show(&model, &certificate(&model)), @r#"
    invariant: none of []
    endless: any of ["n=0"]
      around: any of ["n=0/1"]
      around: any of [""]
    sub 1 true: any of ["n=2"]
    "#);
}

#[test]
fn an_invariant_may_be_given_either_way() {
    let model = load(
        "MODULE main VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 3 ? n + 1 : 0;
         INVARSPEC n < 5",
    );
    let budget = Budget::unlimited();
    let mut certificate = certificate(&model);
    let cube = |values: std::ops::Range<i64>| {
        wherefore_model::Cube::of(vec![(
            wherefore_model::VarId::new(0),
            values.map(wherefore_base::Value::Int).collect(),
        )])
    };
    for (cubes, outside, right) in [
        (vec![cube(0..4)], false, true),
        (vec![cube(0..2), cube(2..4)], false, true),
        (vec![cube(4..8)], true, true),
        (vec![cube(4..6), cube(5..8)], true, true),
        (vec![cube(0..3)], false, false),
        (vec![cube(5..8)], true, true),
        (vec![cube(3..8)], true, false),
        (vec![cube(6..8)], true, false),
    ] {
        certificate.invariant = StateSet { cubes, outside };
        let verdict = verify(&model, query(&model), &certificate, &budget);
        let verdict = verdict.expect("no limit");
        assert_eq!(verdict.is_ok(), right, "{certificate:?} {verdict:?}");
    }
}

#[test]
fn a_broken_certificate_is_refused_with_the_step_that_breaks_it() {
    let model = load(&format!(
        "{LOCK} CTLSPEC AG !(left.at = inside & right.at = inside)"
    ));
    let certificate = certificate(&model);
    let other = load(
        &format!("{LOCK} CTLSPEC AG !(left.at = inside & right.at = inside)")
            .replace("& !locked ", ""),
    );
    let budget = Budget::unlimited();
    let verdict = verify(&other, query(&other), &certificate, &budget).expect("no limit");
    let broken = verdict.expect_err("both can go inside now");
    assert!(
        broken.state.is_some() && broken.next.is_some(),
        "{broken:?}"
    );
}
