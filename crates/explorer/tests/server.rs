//! The server from outside: what it answers, and whom it does not let in.

use serde_json::{Value as Json, json};

use crate::support::{LIFT, Served};

#[test]
fn models_are_listed_checked_and_explained() {
    let served = Served::new("listed", &[("lift.smv", LIFT)]);
    let (status, entry) = served.get("models/0/check");
    assert_eq!(status, 200);
    assert_eq!(entry["checking"], "done");
    let verdicts: Vec<&Json> = entry["model"]["properties"]
        .as_array()
        .expect("properties")
        .iter()
        .map(|property| &property["verdict"])
        .collect();
    assert_eq!(verdicts, ["fails", "fails", "fails"]);
    let (_, about) = served.get("about");
    assert_eq!(about["start"], json!({"model": 0, "property": 1}));
    let (status, detail) = served.get("models/0/properties/1");
    assert_eq!(status, 200);
    let evidence = &detail["property"]["evidence"];
    assert_eq!(evidence["replayed"], true);
    let because = detail["told"]["because"].as_str().expect("a sentence");
    assert!(!because.is_empty());
    let states = evidence["states"].as_array().expect("states").len();
    assert_eq!(
        detail["told"]["steps"].as_array().map(Vec::len),
        Some(states)
    );
    let formula = detail["formula"].as_array().expect("sub-formulas");
    assert_eq!(formula.last().expect("the property")["op"], "AG");
    let (status, _) = served.get("models/0/properties/9");
    assert_eq!(status, 404);
    let (status, _) = served.get("models/7/check");
    assert_eq!(status, 404);
    let events = served.stream("GET", "models/0/check", &json!({}));
    let names: Vec<&str> = events
        .iter()
        .filter_map(|event| event["event"].as_str())
        .collect();
    assert_eq!(names.iter().filter(|name| **name == "property").count(), 3);
    assert_eq!(names.last(), Some(&"result"));
}

#[test]
fn states_lead_to_states_and_say_what_is_true_there() {
    let served = Served::new("states", &[("lift.smv", LIFT)]);
    let (status, initial) = served.post("models/0/states/initial", &json!({}));
    assert_eq!(status, 200);
    assert_eq!(initial["total"], 1);
    let state = &initial["items"][0]["values"];
    let ask = json!({"state": state, "count": 2});
    let (status, after) = served.post("models/0/states/successors", &ask);
    assert_eq!(status, 200);
    assert_eq!(after["items"].as_array().map(Vec::len), Some(2));
    let next = &after["items"][1]["values"];
    let (_, before) = served.post("models/0/states/predecessors", &json!({"state": next}));
    let values = before["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| &item["values"]);
    assert!(values.into_iter().any(|values| values == state));
    let (_, truth) = served.post(
        "models/0/states/truth",
        &json!({"state": state, "property": 1}),
    );
    let truth = truth["truth"].as_array().expect("truth");
    assert_eq!(truth.last(), Some(&json!(false)));
    let ask = json!({"states": [state, next], "expression": "floor + 1"});
    let (_, values) = served.post("models/0/states/evaluate", &ask);
    assert_eq!(values["values"][0], "2");
    let ask = json!({"from": state, "to": "floor = 3 & door = open"});
    let (_, path) = served.post("models/0/states/path", &ask);
    let steps = path["steps"].as_array().expect("there is a way");
    let last = &steps.last().expect("steps")["values"];
    assert_eq!((&last["floor"], &last["door"]), (&json!(3), &json!("open")));

    let mut wrong = state.clone();
    wrong["floor"] = json!(7);
    let (status, _) = served.post("models/0/states/successors", &json!({"state": wrong}));
    assert_eq!(status, 400);
    let ask = json!({"states": [state], "expression": "floor +"});
    let (status, error) = served.post("models/0/states/evaluate", &ask);
    assert_eq!((status, &error["error"]["kind"]), (422, &json!("rejected")));
    let (status, _) = served.post("models/0/states/successors", &json!({"stat": 1}));
    assert_eq!(status, 400);
}

#[test]
fn a_state_that_cannot_be_reached_is_not_found() {
    let model = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := x; CTLSPEC AG x = 0";
    let served = Served::new("unreachable", &[("still.smv", model)]);
    let (status, _) = served.post("models/0/states/successors", &json!({"state": {"x": 2}}));
    assert_eq!(status, 404);
    let (status, _) = served.post("models/0/states/successors", &json!({"state": {"x": 0}}));
    assert_eq!(status, 200);
}

#[test]
fn why_a_step_is_blocked_is_told_by_the_lines_that_forbid_it() {
    let model = "MODULE main
VAR floor : 1..3; door : {open, closed}; ask : boolean;
INVAR floor = 3 -> !ask
TRANS door = open -> next(door) = closed
ASSIGN
  init(floor) := 1; init(door) := closed; init(ask) := FALSE;
  next(floor) := case
      door = open : floor;
      floor < 3 : {floor, floor + 1};
      TRUE : 1;
    esac;
CTLSPEC AG floor < 4
";
    let served = Served::new("blocked", &[("lift.smv", model)]);
    let ask = |state: Json, wish: &str| {
        let body = json!({"state": state, "wish": wish});
        served.post("models/0/states/blocked", &body)
    };
    let low = json!({"floor": 1, "door": "closed", "ask": false});
    let (status, answer) = ask(low.clone(), "floor = 3");
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["possible"], Json::Null);
    assert_eq!(
        answer["blockers"],
        json!([{"kind": "assignment", "line": 9, "text": "{floor, floor + 1}", "variable": "floor", "allows": ["1", "2"]}])
    );
    let (_, answer) = ask(low.clone(), "floor = 2 & ask");
    assert_eq!(answer["possible"]["values"]["floor"], 2, "{answer}");
    assert_eq!(answer["blockers"], json!([]));
    let open = json!({"floor": 2, "door": "open", "ask": false});
    let (_, answer) = ask(open, "floor = 3 & door = open & ask");
    let lines: Vec<&Json> = ["0", "1", "2"]
        .iter()
        .enumerate()
        .map(|(at, _)| &answer["blockers"][at]["line"])
        .collect();
    assert_eq!(lines, [4, 8, 3], "{answer}");
    // Two lines that forbid it together only: nobody is blamed alone.
    let high = json!({"floor": 2, "door": "closed", "ask": false});
    let (_, answer) = ask(high, "floor = 3 & ask");
    assert_eq!(answer["blockers"][0]["kind"], "state", "{answer}");
    let (status, _) = ask(low.clone(), "nonsense");
    assert_eq!(status, 422);
    let (status, answer) = ask(low, "floor + 1");
    assert_eq!(status, 422, "{answer}");
}

#[test]
fn a_check_reads_files_again_that_have_changed() {
    let served = Served::new("reread", &[("lift.smv", LIFT)]);
    let verdict = |entry: &Json, at: usize| entry["model"]["properties"][at]["verdict"].clone();
    let (_, entry) = served.get("models/0/check");
    assert_eq!(verdict(&entry, 1), "fails");
    // The worker may have the states or a proof at hand.
    served.post("models/0/properties/1/proof", &json!({}));
    let path = served.folder.join("lift.smv");
    let kept = LIFT.replace("floor = 2 -> door = closed", "floor = 2 -> TRUE");
    std::fs::write(&path, kept).expect("a file");
    let (status, entry) = served.post("models/0/check", &json!({}));
    assert_eq!((status, verdict(&entry, 1)), (200, json!("holds")));
    std::fs::write(&path, "MODULE main VAR x : nothing at all").expect("a file");
    served.post("models/0/check", &json!({}));
    let (_, models) = served.get("models");
    assert_eq!(models["models"][0]["checking"], "failed");
    std::fs::write(&path, LIFT).expect("a file");
    let (_, entry) = served.post("models/0/check", &json!({}));
    assert_eq!(verdict(&entry, 1), "fails", "{entry}");
}

#[test]
fn proofs_grow_by_choices_and_choices_reproduce_them() {
    let served = Served::new("proofs", &[("lift.smv", LIFT)]);
    let route = "models/0/properties/1/proof";
    let (status, scene) = served.post(route, &json!({"ways": 0}));
    assert_eq!(status, 200, "{scene}");
    assert_eq!(scene["choices"], json!([]));
    assert!(!scene["ways"]["ways"].as_array().expect("ways").is_empty());
    let (_, grown) = served.post(route, &json!({"choices": ["expand"]}));
    let choices = grown["choices"].clone();
    assert_eq!(choices.as_array().map(Vec::len), Some(1));
    let (_, whole) = served.post(route, &json!({"choices": [choices[0], "all"]}));
    assert_eq!(whole["open"], json!([]));
    let (_, back) = served.post(route, &json!({"choices": choices}));
    assert_eq!(back, grown);
    // Another proof in between, and a condition that the states do not know yet.
    let other = "models/0/properties/0/proof";
    let (status, led) = served.post(
        other,
        &json!({"choices": ["strategy avoid door = open", "all"]}),
    );
    assert_eq!(status, 200, "{led}");
    assert!(
        led["strategy"]
            .as_str()
            .expect("a name")
            .starts_with("avoid")
    );
    let (_, again) = served.post(route, &json!({"choices": choices}));
    assert_eq!(again, grown);
    let (status, wrong) = served.post(route, &json!({"choices": ["take 99 #0"]}));
    assert_eq!(status, 422, "{wrong}");
    let (status, _) = served.post("models/0/properties/99/proof", &json!({}));
    assert_eq!(status, 404);
}

#[test]
fn a_proof_that_grows_without_choices_is_the_evidence_that_is_shown() {
    let lift = include_str!("../../../examples/elevator.smv");
    let served = Served::new(
        "one-evidence",
        &[("lift.smv", LIFT), ("elevator.smv", lift)],
    );
    let mut compared = 0;
    for model in 0..2 {
        let (_, entry) = served.get(&format!("models/{model}/check"));
        for property in entry["model"]["properties"].as_array().expect("properties") {
            let route = format!("models/{model}/properties/{}", property["id"]);
            let (_, detail) = served.get(&route);
            let shown = &detail["property"]["evidence"];
            let (status, scene) =
                served.post(&format!("{route}/proof"), &json!({"choices": ["all"]}));
            if status != 200 || !shown.is_object() {
                continue;
            }
            compared += 1;
            for part in ["states", "segments", "loop_start", "minimal", "proof"] {
                // That a run refutes a formula of linear time is one node of the evidence.
                if part == "proof" && property["kind"] == "ltl" {
                    continue;
                }
                assert_eq!(scene["evidence"][part], shown[part], "{route} {part}");
            }
        }
    }
    assert!(compared >= 4, "{compared}");
}

#[test]
fn further_runs_are_found_and_files_are_not_read_for_them() {
    let served = Served::new("another", &[("lift.smv", LIFT)]);
    let route = "models/0/properties/1/another";
    let (status, more) = served.post(route, &json!({"count": 3}));
    assert_eq!(status, 200, "{more}");
    assert_eq!(more["property"]["more"].as_array().map(Vec::len), Some(2));
    for strategy in [
        "script:/etc/passwd",
        "file:/etc/passwd",
        "follow:x",
        "like:x",
        "ask",
    ] {
        let (status, _) = served.post(route, &json!({"strategy": [strategy]}));
        assert_eq!(status, 422, "{strategy}");
    }
    let formula = json!({"formula": "EF floor = 3"});
    let (status, added) = served.post("models/0/properties", &formula);
    assert_eq!(
        (status, &added["property"]["verdict"]),
        (200, &json!("holds"))
    );
    assert_eq!(added["id"], 3);
    let (status, _) = served.post("models/0/properties", &json!({"formula": "EF ("}));
    assert_eq!(status, 422);
}

#[test]
fn evidence_is_given_as_files() {
    let served = Served::new("files", &[("lift.smv", LIFT)]);
    let (_, about) = served.get("about");
    served.get("models/0/check");
    let languages = |format: &Json| format["languages"].as_array().cloned().unwrap_or_default();
    let formats = about["formats"].as_array().expect("formats").iter();
    for format in formats.filter(|format| languages(format).contains(&json!("smv"))) {
        let name = format["name"].as_str().expect("a name");
        let path = format!(
            "/{}/api/1/models/0/properties/1/export/{name}",
            served.secret
        );
        let (status, text) = served.request("GET", &path, "", "");
        assert_eq!(status, 200, "{name}");
        assert!(!text.is_empty());
    }
}

#[test]
fn a_model_that_is_wrong_is_told_as_such() {
    let served = Served::new("wrong", &[("bad.smv", "MODULE main VAR x : ;")]);
    let (status, entry) = served.get("models/0/check");
    assert_eq!((status, &entry["checking"]), (200, &json!("failed")));
    assert_eq!(entry["model"]["diagnostics"][0]["severity"], "error");
    let (status, _) = served.post("models/0/states/initial", &json!({}));
    assert_eq!(status, 422);
    let (status, _) = served.get("models/0/properties/0");
    assert_eq!(status, 422);
}
