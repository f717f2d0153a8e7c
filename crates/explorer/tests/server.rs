//! The server from outside: what it answers, and whom it does not let in.

#![allow(clippy::print_stderr)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::support::Served;

const LIFT: &str = "MODULE main
VAR floor : 1..3; door : {open, closed}; ask : boolean;
ASSIGN
  init(floor) := 1; init(door) := closed; init(ask) := FALSE;
  next(ask) := {TRUE, ask};
  next(door) := {open, closed};
  next(floor) := case door = closed : {floor, (floor mod 3) + 1}; TRUE : floor; esac;
CTLSPEC NAME served := AG (ask -> AF (floor = 3 & door = open))
CTLSPEC NAME shut := AG (floor = 2 -> door = closed)
LTLSPEC NAME linear := G (ask -> F door = open)
";

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
fn systems_are_checked_walked_and_debugged() {
    let aut = "des (0, 5, 4)\n(0, \"OPEN\", 1)\n(1, \"BANG\", 3)\n(1, \"SHUT\", 0)\n(0, \"REST\", 2)\n(2, \"REST\", 2)\n";
    let mcl = "[ true* . \"BANG\" ] false\n";
    let served = Served::new("systems", &[("door.aut", aut), ("quiet.mcl", mcl)]);
    let (_, entry) = served.get("models/0/check");
    assert_eq!(entry["model"]["properties"][0]["verdict"], "fails");
    let (_, after) = served.post(
        "models/0/states/successors",
        &json!({"state": {"state": 1}}),
    );
    assert_eq!(after["items"][0]["action"], "BANG");
    let (status, made) = served.post("models/0/properties/0/analyses", &json!({}));
    assert_eq!(status, 200, "{made}");
    let analysis = &made["document"]["analysis"];
    assert_eq!(analysis["run"]["length"], 2);
    let id = made["analysis"].as_u64().expect("a number");
    let (status, nodes) = served.post(&format!("analyses/{id}/nodes"), &json!({}));
    assert_eq!(status, 200);
    assert_eq!(nodes["total"], analysis["counterexamples"]["states"]);
    let (_, near) = served.post(
        &format!("analyses/{id}/around"),
        &json!({"node": 0, "hops": 9}),
    );
    assert_eq!(
        near["nodes"].as_array().map(|nodes| nodes.len() as u64),
        nodes["total"].as_u64()
    );
    let (_, random) = served.post(
        &format!("analyses/{id}/run"),
        &json!({"which": "random", "seed": 3}),
    );
    assert_eq!(random["run"]["which"], "random");
    let query = json!({"text": "MATCH (n) RETURN count(n)"});
    let (status, rows) = served.post(&format!("analyses/{id}/query"), &query);
    assert_eq!(status, 200, "{rows}");
    assert_eq!(rows["schema"], "wherefore-query/1");
    let (status, _) = served.get(&format!("analyses/{id}/export/exe"));
    assert_eq!(status, 404);
    let path = format!("/{}/api/1/analyses/{id}", served.secret);
    let (_, closed) = served.request("DELETE", &path, "", "");
    assert_eq!(closed, r#"{"closed":true}"#);
    let (status, _) = served.post(&format!("analyses/{id}/nodes"), &json!({}));
    assert_eq!(status, 404);
}

const FAMILY: &str = "sig Person { parents: set Person }
fact { no p: Person | p in p.^parents }
pred two { some p: Person | #p.parents = 2 }
run two for exactly 3 Person
assert alone { no iden & parents }
check alone for 3
";

#[test]
fn commands_have_instances_further_ones_and_values_in_them() {
    let served = Served::new("instances", &[("family.als", FAMILY)]);
    let (status, two) = served.get("models/0/properties/0");
    assert_eq!(
        (status, &two["property"]["verdict"]),
        (200, &json!("holds"))
    );
    assert_eq!(instances(&two), 1);
    let (_, models) = served.get("models");
    let model = &models["models"][0];
    assert_eq!(model["abilities"], json!(["instances"]));
    assert_eq!(
        model["model"]["properties"][0]["command"]["instances"],
        json!([])
    );

    let (_, more) = served.post("models/0/properties/0/another", &json!({"count": 2}));
    assert_eq!(instances(&more), 2);
    let value = |instance: usize, expression: &str| {
        let body = json!({"instance": instance, "expression": expression});
        served.post("models/0/properties/0/value", &body)
    };
    assert_eq!(value(1, "#Person").1["values"], json!(["3"]));
    assert_eq!(
        value(0, "some p: Person | #p.parents = 2").1["values"],
        json!(["true"])
    );
    assert_eq!(value(0, "#Persons").0, 422);
    assert_eq!(value(2, "#Person").0, 404);

    for format in ["json", "dot", "md", "svg", "alloy-xml"] {
        let route = format!(
            "/{}/api/1/models/0/properties/0/export/{format}?instance=1",
            served.secret
        );
        let (status, body) = served.request("GET", &route, "", "");
        assert_eq!(status, 200, "{format}");
        assert!(body.contains("Person"), "{format}");
    }
    let (status, _) = served.get("models/0/properties/0/export/vcd");
    assert_eq!(status, 422);

    let (_, alone) = served.get("models/0/properties/1");
    assert_eq!(alone["property"]["verdict"], "holds");
    assert!(
        !alone["property"]["command"]["core"]["parts"]
            .as_array()
            .expect("parts")
            .is_empty()
    );
    assert_eq!(served.post("models/0/states/initial", &json!({})).0, 422);
}

/// How many instances a document has.
fn instances(detail: &Json) -> usize {
    let instances = detail["property"]["command"]["instances"].as_array();
    instances.map_or(0, Vec::len)
}

const COUNTDOWN: &str = "(declare-fun x () Int) (declare-fun x1 () Int)
(define-fun .x () Int (! x :next x1))
(define-fun .init () Bool (! (>= x 0) :init true))
(define-fun .trans () Bool (! (= x1 (ite (> x 0) (- x 1) x)) :trans true))
(define-fun .ends () Bool (! (ctl.AF (= x 0)) :ctl-property 0))
(define-fun .high () Bool (! (ctl.AF (= x 7)) :ctl-property 1))
";

#[test]
fn infinite_state_models_are_asked_and_their_runs_explored() {
    if wherefore_driver::subjects::smt::SmtSolver::installed(&wherefore_base::Budget::unlimited())
        .is_empty()
    {
        assert!(
            std::env::var_os("CI").is_none(),
            "no SMT solver is installed"
        );
        eprintln!("SKIPPED: infinite-state models; no SMT solver is installed");
        return;
    }
    let served = Served::new("infinite", &[("countdown.vmt", COUNTDOWN)]);
    let (_, ends) = served.get("models/0/properties/0");
    assert_eq!(ends["property"]["verdict"], "holds");
    let (_, high) = served.get("models/0/properties/1");
    assert_eq!(high["property"]["verdict"], "fails");
    assert_eq!(high["property"]["evidence"]["shape"], "lasso");
    let (status, proof) = served.post("models/0/properties/1/proof", &json!({"choices": ["all"]}));
    assert_eq!(status, 200, "{proof}");
    assert_eq!(proof["open"], json!([]));
    assert_eq!(
        served.post("models/0/properties/0/proof", &json!({})).0,
        422
    );
    assert_eq!(served.post("models/0/states/initial", &json!({})).0, 422);
    let (status, added) = served.post(
        "models/0/properties",
        &json!({"formula": "(ctl.EF (= x 3))"}),
    );
    assert_eq!(
        (status, &added["property"]["name"]),
        (200, &json!("formula1"))
    );
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
fn who_does_not_know_the_secret_or_comes_from_elsewhere_gets_nothing() {
    let served = Served::new("strangers", &[("lift.smv", LIFT)]);
    let (address, secret) = (served.address(), served.secret.clone());
    for path in [
        "/",
        "/api/1/models",
        "/app.js",
        "/0000/api/1/models",
        "//",
        "/%2e%2e/",
        "/../x",
    ] {
        let (status, body) = served.request("GET", path, "", "");
        assert_eq!(status, 403, "{path}");
        assert!(!body.contains("lift"), "{path}");
    }
    let models = format!("/{secret}/api/1/models");
    let ok = format!("GET {models} HTTP/1.1\r\nHost: {address}\r\n\r\n");
    assert!(served.raw(ok.as_bytes()).starts_with("HTTP/1.1 200"));
    for head in [
        "Host: evil.example".to_string(),
        format!("Host: evil.example:{}", address.port()),
        "X: y".to_string(),
        format!("Host: {address}\r\nOrigin: http://evil.example"),
        format!("Host: {address}\r\nOrigin: null"),
    ] {
        let request = format!("GET {models} HTTP/1.1\r\n{head}\r\n\r\n");
        let response = served.raw(request.as_bytes());
        assert!(response.starts_with("HTTP/1.1 403"), "{head}: {response}");
    }
    let own =
        format!("GET {models} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\r\n");
    assert!(served.raw(own.as_bytes()).starts_with("HTTP/1.1 200"));
}

#[test]
fn no_path_leads_to_a_file_of_the_machine() {
    let served = Served::new("paths", &[("lift.smv", LIFT)]);
    let secret = &served.secret;
    for path in [
        "../Cargo.toml",
        "..%2fCargo.toml",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "lift.smv",
        "api/1/../../lift.smv",
        "api/1/models/..%2f0",
        "app.js/../../x",
    ] {
        let (status, body) = served.request("GET", &format!("/{secret}/{path}"), "", "");
        assert!(status == 404 || status == 400, "{path}: {status}");
        assert!(
            !body.contains("root:") && !body.contains("MODULE"),
            "{path}"
        );
    }
}

#[test]
fn the_page_comes_with_strict_rules() {
    let served = Served::new("rules", &[("lift.smv", LIFT)]);
    let request = format!(
        "GET /{}/ HTTP/1.1\r\nHost: {}\r\n\r\n",
        served.secret,
        served.address()
    );
    let page = served.raw(request.as_bytes());
    for rule in [
        "HTTP/1.1 200",
        "Content-Type: text/html; charset=utf-8",
        "Content-Security-Policy: default-src 'none'; script-src 'self';",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "X-Frame-Options: DENY",
        "Cache-Control: no-store",
    ] {
        assert!(page.contains(rule), "{rule}");
    }
    assert!(!page.contains("Access-Control-Allow-Origin"));
    let request = format!(
        "GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n",
        served.secret,
        served.address()
    );
    assert!(served.raw(request.as_bytes()).starts_with("HTTP/1.1 308"));
}

#[test]
fn what_is_too_large_or_no_request_is_refused() {
    let served = Served::new("large", &[("lift.smv", LIFT)]);
    let (address, secret) = (served.address(), served.secret.clone());
    let route = format!("/{secret}/api/1/models/0/states/initial");
    let huge = format!(
        "POST {route} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 99999999999\r\n\r\n{}",
        "x".repeat(100_000)
    );
    assert!(served.raw(huge.as_bytes()).starts_with("HTTP/1.1 413"));
    let long = format!(
        "GET {route} HTTP/1.1\r\nHost: {address}\r\nX: {}\r\n\r\n",
        "y".repeat(100_000)
    );
    assert!(served.raw(long.as_bytes()).starts_with("HTTP/1.1 413"));
    let deep = "[".repeat(100_000);
    let (status, _) = served.request("POST", &route, "", &deep);
    assert_eq!(status, 400);
    let (status, _) = served.request("POST", &route, "", "\u{0}");
    assert_eq!(status, 400);
    for bytes in [
        &b"\r\n\r\n"[..],
        b"GET / SPDY\r\n\r\n",
        b"\xff\xfe\r\n\r\n",
        b"BREW / HTTP/1.1\r\n\r\n",
    ] {
        let response = served.raw(bytes);
        assert!(response.starts_with("HTTP/1.1 40"), "{response}");
    }
    assert_eq!(served.get("models").0, 200);
}

#[test]
fn slow_and_many_connections_keep_nobody_else_out_for_ever() {
    let served = Served::new("slow", &[("lift.smv", LIFT)]);
    let mut idle = Vec::new();
    for _ in 0..80 {
        let mut stream = TcpStream::connect(served.address()).expect("it listens");
        let _ = stream.write_all(b"GET / HT");
        idle.push(stream);
    }
    // Those beyond the limit are told at once.
    let start = Instant::now();
    let (status, _) = served.get("models");
    assert_eq!(status, 429);
    assert!(start.elapsed() < Duration::from_secs(8));
    // When the slow ones are out of time, there is room again.
    let mut status = 0;
    while start.elapsed() < Duration::from_secs(40) {
        status = served.get("models").0;
        if status == 200 {
            break;
        }
        std::thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(status, 200);
    let mut first = String::new();
    let _ = idle[0].read_to_string(&mut first);
    assert!(first.starts_with("HTTP/1.1 408"), "{first}");
}

#[test]
fn names_of_models_reach_the_page_as_data_and_nothing_else() {
    let label = "x".repeat(10_000);
    let aut = format!(
        "des (0, 3, 2)\n(0, \"<script>alert(1)</script>\", 1)\n(1, \"'&{label}\", 0)\n(0, \"bell\u{7}\u{2028}\", 0)\n"
    );
    let mcl = "[ true* . \"<script>alert(1)</script>\" ] false\n";
    let served = Served::new("hostile", &[("<b>.aut", &aut), ("<i>\"'.mcl", mcl)]);
    let path = format!("/{}/api/1/models", served.secret);
    served.get("models/0/check");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", served.address());
    let response = served.raw(request.as_bytes());
    assert!(response.contains("Content-Type: application/json"));
    let (_, detail) = served.get("models/0/properties/0");
    assert_eq!(
        detail["property"]["evidence"]["edges"][0]["action"],
        "<script>alert(1)</script>"
    );
    let (_, after) = served.post(
        "models/0/states/successors",
        &json!({"state": {"state": 1}}),
    );
    assert!(
        after["items"][0]["action"]
            .as_str()
            .is_some_and(|action| action.contains(&label))
    );
    let path = format!("/{}/api/1/models/0/properties/0/export/json", served.secret);
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", served.address());
    let response = served.raw(request.as_bytes());
    let mut lines = response.split("\r\n");
    let name = lines.find(|line| line.contains("attachment; filename=\""));
    let name = name.expect("it is a file to keep");
    assert!(!name.contains('<') && !name.contains('\''), "{name}");
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

/// A counter that takes far too long to explore, and whose property needs all of it.
const ENDLESS: &str = "MODULE main
    VAR a : 0..999983; b : 0..999979; c : 0..999961;
    ASSIGN init(a) := 0; init(b) := 0; init(c) := 0;
      next(a) := (a + 1) mod 999983;
      next(b) := (b * 7 + a + 1) mod 999979;
      next(c) := (c * 11 + b * a + 1) mod 999961;
    CTLSPEC AG EF (a = 5 & b = 17 & c = 999)";

/// Cancels the check of the first model, once it is running.
fn cancel_check(served: &Served) {
    // While the model is read there is nothing to cancel yet.
    while served.get("models").1["models"][0]["checking"] != "running" {
        std::thread::sleep(Duration::from_millis(20));
    }
    let path = format!("/{}/api/1/models/0/check", served.secret);
    let (_, stopped) = served.request("DELETE", &path, "", "");
    assert_eq!(stopped, r#"{"cancelled":true}"#);
}

#[test]
fn work_ends_when_the_client_goes_away() {
    let served = Served::new("away", &[("long.smv", ENDLESS)]);
    cancel_check(&served);
    let address = served.address();
    let path = format!("/{}/api/1/models/0/states/initial", served.secret);
    for accepted in ["application/json", "application/x-ndjson"] {
        let mut stream = TcpStream::connect(address).expect("it listens");
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nAccept: {accepted}\r\nContent-Length: 2\r\n\r\n{{}}"
        );
        stream.write_all(request.as_bytes()).expect("sent");
        std::thread::sleep(Duration::from_millis(500));
        drop(stream);
        let state = json!({"a": 1, "b": 2, "c": 3});
        let body = json!({"states": [state], "expression": "a + b"});
        let (status, values) = served.post("models/0/states/evaluate", &body);
        assert_eq!(
            (status, &values["values"]),
            (200, &json!(["3"])),
            "{accepted}"
        );
    }
}

#[test]
fn a_request_is_cancelled_by_its_number() {
    let served = Served::new("number", &[("long.smv", ENDLESS)]);
    cancel_check(&served);
    let cancel = |number: &Json| {
        let path = format!("/{}/api/1/requests/{number}", served.secret);
        served.request("DELETE", &path, "", "").1
    };
    std::thread::scope(|scope| {
        let lines = scope.spawn(|| served.stream("POST", "models/0/states/initial", &json!({})));
        while cancel(&json!(1)) != r#"{"cancelled":true}"# {
            std::thread::sleep(Duration::from_millis(20));
        }
        let lines = lines.join().expect("it ends");
        assert_eq!(lines[0], json!({"event": "begun", "request": 1}));
        let last = lines.last().expect("a line");
        assert_eq!(
            (&last["event"], &last["status"]),
            (&json!("error"), &json!(409))
        );
    });
    assert_eq!(cancel(&json!(1)), r#"{"cancelled":false}"#);
}

#[test]
fn what_is_refused_is_refused_with_a_document_and_strict_rules() {
    let served = Served::new("refused", &[("lift.smv", LIFT)]);
    let (address, secret) = (served.address(), served.secret.clone());
    let host = format!("Host: {address}\r\n");
    let fields = "X: y\r\n".repeat(100);
    for (request, status, kind) in [
        ("GET / SPDY\r\n\r\n".to_string(), 400, "bad-request"),
        (format!("GET / HTTP/1.1\r\n{fields}\r\n"), 413, "too-large"),
        (
            format!("GET /{secret}/api/1/x HTTP/1.1\r\n{host}\r\n"),
            404,
            "not-found",
        ),
        (
            format!("GET /{secret}/api/1/models/x/check HTTP/1.1\r\n{host}\r\n"),
            404,
            "not-found",
        ),
        (
            format!("BREW /{secret}/ HTTP/1.1\r\n{host}\r\n"),
            405,
            "method",
        ),
        (
            format!("DELETE /{secret}/api/1/models HTTP/1.1\r\n{host}\r\n"),
            405,
            "method",
        ),
        (
            format!("GET /{secret}/api/1/models HTTP/1.1\r\n{host}Host: b\r\n\r\n"),
            403,
            "forbidden",
        ),
    ] {
        let response = served.raw(request.as_bytes());
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status} ")),
            "{request}: {response}"
        );
        assert!(
            response.contains("Content-Security-Policy: default-src 'none'"),
            "{request}"
        );
        let body = response.split("\r\n\r\n").nth(1).unwrap_or_default();
        let error: Json = serde_json::from_str(body).expect("a document");
        assert_eq!(error["error"]["kind"], kind, "{request}");
    }
    let head = format!("HEAD /{secret}/app.js HTTP/1.1\r\n{host}\r\n");
    let response = served.raw(head.as_bytes());
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert!(response.ends_with("\r\n\r\n") && !response.contains("Content-Length: 0"));
}

#[test]
fn long_work_tells_progress_and_ends_when_nobody_waits() {
    let served = Served::new("long", &[("long.smv", ENDLESS)]);
    let address = served.address();
    let path = format!("/{}/api/1/models/0/check", served.secret);
    let mut stream = TcpStream::connect(address).expect("it listens");
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: application/x-ndjson\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .expect("a limit");
    let mut seen = String::new();
    let mut piece = [0; 4096];
    while !seen.contains("\"event\":\"progress\"") {
        let read = stream.read(&mut piece).expect("it tells something");
        assert!(read > 0, "{seen}");
        seen.push_str(&String::from_utf8_lossy(&piece[..read]));
    }
    cancel_check(&served);
    let (_, entry) = served.get("models/0/check");
    assert_eq!(entry["checking"], "cancelled");
}
