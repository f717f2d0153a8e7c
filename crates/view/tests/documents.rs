//! JSON, DOT, ITF and Markdown, on evidence made by hand.

use num_bigint::BigUint;
use serde_json::Value as Json;
use wherefore_base::{Budget, Diagnostic, Span, Value};
use wherefore_evidence::{Abstracted, NoAbstract, NoRun, Note, UnmetFairness, Verdict};
use wherefore_logic::{ActionId, Goal, PathOp, SubId};
use wherefore_model::lts;
use wherefore_tagged::{Dfa, Monitor, analyse_monitor};
use wherefore_view::debug::{AskedProperty, ShownGraph, Story, Which};
use wherefore_view::wire::{CheckDocument, ModelDoc};
use wherefore_view::{Manner, dot, itf, json, markdown};

use crate::fixtures::*;

fn fixture(builds: &[fn(&mut Fixture)]) -> Fixture {
    let mut fixture = Fixture::lift();
    for build in builds {
        build(&mut fixture);
    }
    fixture
}

fn document(fixture: &Fixture) -> String {
    CheckDocument::new(vec![json::model(&fixture.report())]).render()
}

#[test]
fn the_document_of_a_lasso_is_the_contract() {
    insta::assert_snapshot!(document(&fixture(&[lasso])));
}

#[test]
fn the_document_of_a_region_describes_it() {
    insta::assert_snapshot!(document(&fixture(&[region])));
}

#[test]
fn counts_that_a_double_cannot_hold_are_strings() {
    let mut fixture = Fixture::lift();
    fixture.space.states = BigUint::from(1u32) << 80;
    fixture.space.notes = vec![Note::NoInitialState];
    let text = document(&fixture);
    assert!(
        text.contains("\"states\": \"1208925819614629174706176\""),
        "{text}"
    );
}

#[test]
fn a_page_has_the_table_of_an_abstract_run() {
    let text = markdown::render(&fixture(&[path, abstracted]).report(), false);
    let start = text.find("The abstract run").expect("it is told");
    let end = text[start..].find("what changed").expect("steps follow");
    insta::assert_snapshot!(&text[start..start + end]);
}

#[test]
fn a_graph_names_branches_and_regions() {
    insta::assert_snapshot!(dot::render(
        &fixture(&[tree, region]).report(),
        &Manner::default()
    ));
}

#[test]
fn a_graph_survives_hostile_names() {
    let mut fixture = fixture(&[path]);
    fixture.model.vars[wherefore_model::VarId::new(0)].name = "a\"b\\c\n!".to_string();
    fixture.model.properties[0].name = "\"]; evil [".to_string();
    let text = dot::render(&fixture.report(), &Manner::default());
    assert!(text.contains(r#"label="\"]; evil ["#), "{text}");
    assert!(text.contains(r#"a\"b\\c\\n!=1"#), "{text}");
}

#[test]
fn a_lasso_is_one_trace_and_a_tree_one_for_each_branch() {
    let fixture = fixture(&[lasso, tree]);
    let traces: Vec<_> = fixture
        .findings
        .iter()
        .map(|f| itf::render(&fixture.report(), f))
        .collect();
    assert_eq!(traces[0].len(), 1);
    assert_eq!(traces[1].len(), 2);
    insta::assert_snapshot!("a_lasso_as_a_trace", traces[0][0].document);
    insta::assert_snapshot!("a_branch_as_a_trace", traces[1][1].document);
}

#[test]
fn integers_beyond_doubles_are_big_in_a_trace() {
    let mut fixture = fixture(&[path]);
    let evidence = fixture.findings[0]
        .evidence
        .as_mut()
        .expect("the path has evidence");
    evidence.occurrences[at(0)].values[0] = Value::Int(i64::MIN);
    let trace = &itf::render(&fixture.report(), &fixture.findings[0])[0];
    let trace: Json = serde_json::from_str(&trace.document).expect("the trace is JSON");
    assert_eq!(
        trace["states"][0]["floor"]["#bigint"],
        "-9223372036854775808"
    );
    assert_eq!(trace["states"][1]["floor"], 1);
}

#[test]
fn a_page_has_a_table_and_a_diagram() {
    insta::assert_snapshot!(markdown::render(
        &fixture(&[path, tree, region, witness]).report(),
        false
    ));
}

#[test]
fn a_page_survives_hostile_names() {
    let mut fixture = fixture(&[path]);
    fixture.model.properties[0].name = "a|b <script> `x`".to_string();
    fixture.model.vars[wherefore_model::VarId::new(0)].name = "x|y;:{}".to_string();
    insta::assert_snapshot!(markdown::render(&fixture.report(), false));
}

#[test]
fn a_rejected_model_is_in_the_document_with_its_messages() {
    let fixture = Fixture::lift();
    let span = Span::new(fixture.file, 12, 16);
    let diagnostic =
        Diagnostic::error(span, "inputs are not for this lift").help("Remove the line.");
    let model = json::rejected("lift.smv", "smv", &fixture.sources, &[diagnostic]);
    let text = CheckDocument::new(vec![model]).render();
    insta::assert_snapshot!(text);
}

/// Every document agrees with the published schema.
#[test]
fn documents_agree_with_the_schema() {
    let schema = include_str!("../../../docs/schema.json");
    let schema: Json = serde_json::from_str(schema).expect("the schema is JSON");
    let mut all = fixture(&[path, lasso, tree, fan, region, witness]);
    all.space.notes = vec![Note::UnfairInitialStates(
        BigUint::from(2u32),
        all.state(1, "open", true),
    )];
    let build = {
        let mut build = Build::default();
        let term = all.condition("req");
        let p = build.atom(term);
        build.some(PathOp::Globally(p));
        build
    };
    let property = all.property("held", "EG req", build);
    let finding = all.found(property, Verdict::Holds, None);
    finding.notes = vec![
        Note::NoInitialState,
        Note::NoFairState(NoRun {
            deadlock: None,
            unfair: Some(UnmetFairness::Together),
            decisive: true,
        }),
        Note::DeadlocksMatter(false),
        Note::Said("a solver proved it".into()),
        Note::Unavailable {
            wishes: vec![],
            why: String::new(),
        },
    ];
    let witness = all.witness_of(0);
    all.findings[0].witness = witness;
    abstracted(&mut all);
    let never = NoAbstract::ForEver(Goal::fails(SubId::new(0)));
    all.findings[1].abstraction = Some(Abstracted::None(never));
    let mut report = all.report();
    report.seconds = Some(0.5);
    let span = Span::new(all.file, 12, 16);
    let diagnostics = [Diagnostic::warning(span, "odd")];
    let models = vec![
        json::model(&report),
        json::rejected("lift.smv", "smv", &all.sources, &diagnostics),
        ModelDoc::unreadable("lift.smv", "smv", "it is not there"),
    ];
    let text = CheckDocument::new(models).render();
    fits(&schema, &text);
}

/// The documents about all counterexamples at once agree with it, whatever is asked for.
#[test]
fn documents_of_debug_agree_with_the_schema() {
    let schema = include_str!("../../../docs/schema.json");
    let schema: Json = serde_json::from_str(schema).expect("the schema is JSON");
    let budget = Budget::unlimited();
    let labels = ["BAD", "GOOD", "WAIT"].map(|text| lts::ActionLabel {
        text: text.to_string(),
        internal: false,
    });
    let step = |from: usize, label: usize, to: usize| lts::Transition {
        from: from.into(),
        label: label.into(),
        to: to.into(),
    };
    let steps = [step(0, 2, 0), step(0, 1, 2), step(0, 2, 1), step(1, 0, 2)];
    let system = lts::Lts::new(labels.to_vec(), 3, lts::StateId::new(0), &steps);
    for (watched, safety) in [("BAD", true), ("GOOD", false), ("NOTHING", true)] {
        let action = lts::LabelSet::new(&system, |label| label.text == watched);
        let order = [ActionId::new(0)];
        let dfa = Dfa::in_order(&order, &vec![action].into(), &system, &budget);
        let monitor = Monitor::Labels(dfa.expect("no limit"));
        let options = wherefore_tagged::AnalysisOptions::default();
        let analysis = analyse_monitor(&system, monitor, safety, &options, &budget);
        let analysis = analysis.expect("no limit");
        let mut shown = vec![ShownGraph::Missing("why".to_string()), ShownGraph::Groups];
        if let Ok(shortest) = &analysis.shortest {
            shown.push(ShownGraph::Course(Which::Shortest, &shortest.course));
        }
        for shown in shown {
            let story = Story {
                path: "door.aut",
                language: "aut",
                behind: None,
                asked: AskedProperty {
                    name: "door",
                    text: "[ true* . \"BAD\" ] false",
                    path: Some("door.mcl"),
                    place: Some((2, 1)),
                    command: &[],
                },
                analysis: &analysis,
                shown,
                kinds: &[],
                seconds: Some(0.5),
            };
            let text = wherefore_view::debug::json::document(&story).render();
            fits(&schema, &text);
        }
    }
}

/// Makes sure that a document agrees with the schema, and that reading loses nothing of it.
fn fits(schema: &Json, text: &str) {
    let document: Json = serde_json::from_str(text).expect("the document is JSON");
    let mut wrong = Vec::new();
    let root = &schema["$defs"]["CheckDocument"];
    agree(schema, root, &document, "document", &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let read: CheckDocument = serde_json::from_str(text).expect("the document is read");
    assert_eq!(read.render(), text);
}

/// Checks a value against the part of JSON Schema that ours uses.
fn agree(root: &Json, schema: &Json, value: &Json, at: &str, wrong: &mut Vec<String>) {
    let object = schema.as_object().expect("a schema is an object");
    for keyword in object.keys() {
        let known = [
            "$schema",
            "$id",
            "$defs",
            "$ref",
            "title",
            "description",
            "type",
            "const",
            "enum",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "minItems",
            "maxItems",
            "minimum",
            "anyOf",
            "oneOf",
            "pattern",
            "patternProperties",
            "prefixItems",
            "minProperties",
            "maxProperties",
        ];
        assert!(
            known.contains(&keyword.as_str()),
            "the test does not know `{keyword}`"
        );
    }
    if let Some(Json::String(name)) = object.get("$ref") {
        let target = &root["$defs"][name.trim_start_matches("#/$defs/")];
        return agree(root, target, value, at, wrong);
    }
    let options = object.get("anyOf").or(object.get("oneOf"));
    if let Some(Json::Array(options)) = options {
        let mut attempts = options.iter().map(|option| {
            let mut wrong = Vec::new();
            agree(root, option, value, at, &mut wrong);
            wrong
        });
        let first = attempts.next().unwrap_or_default();
        if !first.is_empty() && !attempts.any(|wrong| wrong.is_empty()) {
            wrong.extend(first);
        }
    }
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_f64() => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let allowed: Vec<&str> = match object.get("type") {
        Some(Json::String(one)) => vec![one],
        Some(Json::Array(many)) => many.iter().filter_map(Json::as_str).collect(),
        _ => vec![kind],
    };
    let fits = |kind| allowed.contains(&kind);
    if !(fits(kind) || kind == "integer" && fits("number")) {
        wrong.push(format!("{at} is a {kind}, not one of {allowed:?}"));
    }
    if object
        .get("const")
        .is_some_and(|constant| constant != value)
    {
        wrong.push(format!("{at} is {value}"));
    }
    if let Some(Json::Array(values)) = object.get("enum")
        && !values.contains(value)
    {
        wrong.push(format!("{at} is {value}"));
    }
    if let (Some(items), Json::Array(values)) = (object.get("items"), value) {
        for (number, value) in values.iter().enumerate() {
            agree(root, items, value, &format!("{at}[{number}]"), wrong);
        }
    }
    let Json::Object(fields) = value else {
        return;
    };
    for name in object
        .get("required")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
    {
        if !fields.contains_key(name.as_str().expect("a name")) {
            wrong.push(format!("{at} has no {name}"));
        }
    }
    for (name, value) in fields {
        let at = format!("{at}.{name}");
        // Ours only says that a name is a number.
        let mut patterns = schema["patternProperties"]
            .as_object()
            .into_iter()
            .flatten();
        if let Some((_, entry)) = patterns.next() {
            assert!(name.parse::<usize>().is_ok(), "{at} is no number");
            agree(root, entry, value, &at, wrong);
            continue;
        }
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Json::Null, Json::Bool(false)) => wrong.push(format!("{at} is not in the schema")),
            (Json::Null, extra @ Json::Object(_)) => agree(root, extra, value, &at, wrong),
            (Json::Null, _) => {}
            (field, _) => agree(root, field, value, &at, wrong),
        }
    }
}
