//! Evidence where a single trace would mislead: both sides of a refuted disjunction, branches inside
//! `EG`, refuted existentials, fair loops through a hub.
//!
//! Every model is checked by both engines, which must agree to the last bit, and every evidence must
//! pass its replay.

use std::fmt::Write;

use wherefore_base::{Budget, SourceFile, SourceMap, Value};
use wherefore_evidence::{
    Claim, DecisiveChoice, Evidence, EvidenceOptions, Finding, Investigator, OccurrenceId, Replay,
    SegmentEnding, Verdict,
};
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_space::symbolic::Symbolic;

fn check(text: &str) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert_eq!(loaded.diagnostics, [], "the model is right");
    let model = &loaded.model;
    let budget = Budget::unlimited();
    let explicit = Explicit::explore(model, ExplorationLimits::default(), &budget);
    let explicit = explicit.expect("there is no limit").expect("it is small");
    let symbolic = Symbolic::build(model, &budget).expect("there is no limit");
    let ours = investigate(model, &explicit);
    assert_eq!(
        ours,
        investigate(model, &symbolic),
        "both engines say the same"
    );
    let lines = ours.iter().map(|finding| show(model, finding));
    lines.collect()
}

fn investigate<S: StateSpace>(model: &Model, space: &S) -> Vec<Finding> {
    let investigator = Investigator::new(space).expect("there is no limit");
    let options = EvidenceOptions {
        witness: true,
        abstraction: None,
        ..EvidenceOptions::default()
    };
    let properties = 0..model.properties.len();
    let findings = properties.map(|property| investigator.investigate(property, &options));
    findings.collect()
}

fn show(model: &Model, finding: &Finding) -> String {
    let mut out = String::new();
    let verdict = match &finding.verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Unknown(_) => "unknown",
    };
    let text = &model.properties[finding.property].text;
    writeln!(out, "{verdict}: {text}").expect("writing to a string");
    for evidence in finding.evidences() {
        assert_eq!(evidence.replay, Replay::Ok, "{text}");
        show_evidence(&mut out, model, evidence);
    }
    for decision in &finding.decisions {
        let choice = match &decision.choice {
            DecisiveChoice::Fated(at) => format!("fated at {}", at.index()),
            DecisiveChoice::StillFree { .. } => "still free".to_string(),
            DecisiveChoice::Lost {
                from, to, instead, ..
            } => {
                let instead = instead.iter().map(|values| values_text(model, values));
                let instead: Vec<String> = instead.collect();
                let (from, to) = (from.index(), to.index());
                format!(
                    "lost from {from} to {to} instead of {}",
                    instead.join(" | ")
                )
            }
        };
        writeln!(out, "    sub-formula {}: {choice}", decision.sub.index())
            .expect("writing to a string");
    }
    out
}

fn values_text(model: &Model, values: &[Value]) -> String {
    let values = values
        .iter()
        .map(|&value| model.names.show(value).to_string());
    values.collect::<Vec<_>>().join(",")
}

fn show_evidence(out: &mut String, model: &Model, evidence: &Evidence) {
    let number = |at: OccurrenceId| at.index();
    let state = |at: OccurrenceId| {
        let values = &evidence.occurrences[at].values;
        format!("{}:{}", number(at), values_text(model, values))
    };
    let minimal = &evidence.minimal;
    let proved = if minimal.proved() {
        "proved"
    } else {
        "not proved"
    };
    let shape = evidence.shape.name();
    writeln!(
        out,
        "  {shape}, {} {}, {proved}",
        minimal.length, minimal.measure
    )
    .expect("writing to a string");
    for segment in &evidence.segments {
        let from = segment.from.map(|at| format!("{} -> ", number(at)));
        let states: Vec<String> = segment.states.iter().map(|&at| state(at)).collect();
        let ending = match segment.ending {
            SegmentEnding::Goal => String::new(),
            SegmentEnding::Loop(to) => format!(" -> loop to {}", number(to)),
            SegmentEnding::DeadEnd => " dead end".to_string(),
            SegmentEnding::Joins(to) => format!(" -> joins {}", number(to)),
        };
        let fair: Vec<_> = segment.fair.iter().map(|mark| mark.map(number)).collect();
        let fair = if fair.is_empty() {
            String::new()
        } else {
            format!(" fair at {fair:?}")
        };
        let main = if segment.main { "main" } else { "branch" };
        let path = if segment.serves == Claim::HasPath {
            " (a path goes on)"
        } else {
            ""
        };
        let from = from.unwrap_or_default();
        let states = states.join(" -> ");
        writeln!(out, "    {main}: {from}{states}{ending}{fair}{path}")
            .expect("writing to a string");
    }
    for region in evidence.regions.iter() {
        let cubes = region.cover.cubes.iter().map(|cube| {
            let parts = cube.values.iter().map(|(var, values)| {
                let values = values.iter().map(|&v| model.names.show(v).to_string());
                let values: Vec<String> = values.collect();
                format!("{} in {{{}}}", model.vars[*var].name, values.join(", "))
            });
            parts.collect::<Vec<_>>().join(" & ")
        });
        let cubes: Vec<String> = cubes.collect();
        let (at, size) = (number(region.at), &region.size);
        writeln!(out, "    region at {at} of {size}: {}", cubes.join(" | "))
            .expect("writing to a string");
    }
}

/// One fork and two ways down, each to its own end.
const FORK: &str = "
MODULE main
VAR at : {fork, left, left_end, right, right_end};
ASSIGN
  init(at) := fork;
  next(at) := case
    at = fork  : {left, right};
    at = left  : left_end;
    at = right : right_end;
    TRUE       : at;
  esac;
";

#[test]
fn both_sides_of_a_refuted_disjunction_are_shown() {
    let specs = "
SPEC AG at != left_end | AG at != right_end
SPEC AG at != right_end | AG at != left_end
SPEC AF at = left_end | AF at = right_end
SPEC !(EF at = left_end & EF at = right_end)
SPEC EF (at = fork & at = left) | AG at != left_end
SPEC AX at = left | AX at = right
";
    insta::assert_snapshot!(check(&format!("{FORK}{specs}")));
}

#[test]
fn the_trace_shows_the_part_that_is_false() {
    let specs = "
SPEC EF at = left_end -> AG at != right_end
SPEC EF at = left_end <-> AG at != right_end
SPEC EF at = right_end -> AX at = right
SPEC AG (at = fork -> AX at = left & AX at = right)
SPEC AF AG at = left_end
SPEC AG (at = fork -> A [at = fork U at = left])
SPEC EG EX at = left_end
SPEC !EG (EF at = right_end | at = right_end)
";
    insta::assert_snapshot!(check(&format!("{FORK}{specs}")));
}

#[test]
fn branches_inside_eg_are_kept() {
    let model = "
MODULE main
VAR s : {one, two, three};
ASSIGN
  init(s) := one;
  next(s) := case s = one : two; s = two : {one, three}; TRUE : s; esac;
DEFINE p := s in {one, two};
SPEC AF (!p | AG p)
SPEC AG (AG p | AX s = one)
SPEC AX AX p | AX AX !p
";
    insta::assert_snapshot!(check(model));
}

#[test]
fn a_fair_loop_through_a_hub_visits_it_twice_and_says_where_it_is_fair() {
    let model = "
MODULE main
VAR s : {hub, east, west};
ASSIGN
  init(s) := hub;
  next(s) := case s = hub : {east, west}; TRUE : hub; esac;
FAIRNESS s = east
FAIRNESS s = west
SPEC AF FALSE
SPEC AX s = east
SPEC EF s = west
";
    insta::assert_snapshot!(check(model));
}

#[test]
fn refuted_existentials_get_a_region_or_every_successor() {
    let model = "
MODULE main
VAR s : 0..6; seen : boolean;
ASSIGN
  init(s) := 0;
  init(seen) := FALSE;
  next(s) := case s = 0 : {1, 2}; s = 1 : {3, 4}; s = 2 : {5, 6}; TRUE : s; esac;
  next(seen) := seen | s = 4;
SPEC AG EF s = 3
SPEC EF (s = 1 & seen)
SPEC EX EX s = 0
SPEC EG s < 3
SPEC E [s < 3 U s = 0 & s = 1]
SPEC AX !(EX s = 3 & EX s = 4)
SPEC !(EX (s = 1 & EX s = 3) & EX (s = 2 & EX s = 6))
SPEC AX (AX s = 3 | AX s = 4)
SPEC EF AG s = 7 - 2
";
    insta::assert_snapshot!(check(model));
}

#[test]
fn bounded_operators_have_evidence_too() {
    let model = "
MODULE main
VAR c : 0..9;
ASSIGN
  init(c) := 0;
  next(c) := case c < 9 : {c, c + 1}; TRUE : 0; esac;
SPEC EBF 0..3 c = 3
SPEC EBF 0..2 c = 3
SPEC ABF 0..9 c = 9
SPEC ABG 0..3 c < 3
SPEC EBG 0..5 c = 0
SPEC A [c < 3 BU 0..5 c = 3]
SPEC E [c < 3 BU 2..5 c = 3]
SPEC AG (c = 9 -> ABF 1..1 c = 1)
SPEC AG EBF 2..4 c = 5
";
    insta::assert_snapshot!(check(model));
}

#[test]
fn a_lasso_is_shortest_over_prefix_and_loop_together() {
    // The nearest waiting state has only a long loop; the shortest evidence goes elsewhere.
    let model = "
MODULE main
VAR s : 0..9;
ASSIGN
  init(s) := 0;
  next(s) := case
    s = 0 : {1, 5};
    s = 1 : 2; s = 2 : 3; s = 3 : 4; s = 4 : 1;
    s = 5 : 6; s = 6 : 6;
    TRUE  : 9;
  esac;
SPEC AG (s in {1, 6} -> AF s = 9)
SPEC AF s = 9
";
    insta::assert_snapshot!(check(model));
}

#[test]
fn compassion_is_honoured() {
    let model = "
MODULE main
VAR s : 0..2;
ASSIGN
  init(s) := 0;
  next(s) := case s = 0 : {0, 1}; s = 1 : {0, 2}; TRUE : 0; esac;
COMPASSION (s = 1, s = 2)
SPEC AG AF s = 2
SPEC AF s = 2
SPEC AF s = 1
SPEC !EF s = 2
";
    insta::assert_snapshot!(check(model));
}

#[test]
fn deadlocks_and_unfair_states_are_what_they_are() {
    let model = "
MODULE main
VAR s : 0..3;
INIT s = 0
TRANS s = 0 -> next(s) in {1, 2}
TRANS s = 1 -> next(s) = 1
TRANS s = 2 -> next(s) = 3
TRANS s = 3 -> FALSE
SPEC EF s = 3
SPEC AG s != 3
SPEC AF s = 1
SPEC EF s = 1
INVARSPEC s != 3
";
    insta::assert_snapshot!(check(model));
}
