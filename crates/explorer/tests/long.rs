//! Long answers in pieces, and models that become something else while they are served.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use crate::support::Served;

/// A system in which something happens after so many steps.
fn corridor(length: usize) -> String {
    let mut text = format!("des (0, {}, {})\n", length + 1, length + 1);
    for at in 0..length {
        let to = at + 1;
        writeln!(text, "({at}, \"GO !{}\", {to})", at % 7).expect("strings take everything");
    }
    writeln!(text, "({length}, \"FAIL\", {length})").expect("strings take everything");
    text
}

#[test]
fn long_answers_come_in_pieces_to_those_who_ask_for_them() {
    let (system, property) = (corridor(3000), "[ true* . 'FAIL' ] false\n");
    let served = Served::new("pieces", &[("way.aut", &system), ("way.mcl", property)]);
    let route = "models/0/properties/0";
    let (_, whole) = served.get(route);
    assert!(whole["property"]["evidence"]["states"][3000].is_object());
    let mut lines = served.stream("GET", route, &json!({}));
    let last = lines.pop().expect("a line");
    assert_eq!(last["result"], whole, "others get it at once");
    let accepted = "application/x-ndjson;pieces=1";
    let mut lines = served.stream_as(accepted, "GET", route, &json!({}));
    let last = lines.pop().expect("a line");
    lines.retain(|line| line["event"] == "piece");
    assert_eq!(last, json!({"event": "result", "pieces": lines.len()}));
    assert!(lines.len() > 3, "{}", lines.len());
    let mut built = Json::Null;
    for line in lines {
        let steps = line["at"].as_array().expect("a place").iter();
        let place = steps.fold(&mut built, |place, step| match step {
            Json::String(key) => &mut place[key.as_str()],
            step => &mut place[step.as_u64().expect("a number") as usize],
        });
        match (place, line["entries"].clone()) {
            (Json::Array(here), Json::Array(entries)) => here.extend(entries),
            (Json::Object(here), Json::Object(entries)) => here.extend(entries),
            (place, entries) => *place = entries,
        }
    }
    assert_eq!(built, whole);
    // What is short comes as it always did, and so do errors.
    let lines = served.stream_as(accepted, "POST", "models/0/states/initial", &json!({}));
    assert_eq!(
        lines.last().expect("a line")["result"]["total"],
        1,
        "{lines:?}"
    );
    let lines = served.stream_as(accepted, "GET", "models/0/properties/9", &json!({}));
    assert_eq!(lines.last().expect("a line")["status"], 404);
}

const PLAIN: &str = "sig Lamp { lit: lone Light }
one sig Light {}
run shines { some lit } for 2
";

const SYSTEM: &str = "open ctl[Lamp]
sig Lamp { lit: lone Light }
one sig Light {}
fact {
  all l: Lamp | l in initialState iff no l.lit
  all l, m: Lamp | l -> m in nextState iff l.lit != m.lit
}
check goesOn { ctl_mc[ag[{l: Lamp | no l.lit}]] } for 2 Lamp
";

#[test]
fn an_alloy_model_is_served_as_what_it_describes_when_it_is_read() {
    let served = Served::new("becomes", &[("lamp.als", PLAIN)]);
    let abilities = |entry: &Json| entry["abilities"].clone();
    let (_, entry) = served.get("models/0/check");
    assert_eq!(abilities(&entry), json!(["instances"]));
    let (status, _) = served.post("models/0/states/initial", &json!({}));
    assert_eq!(status, 422);
    let path = served.folder.join("lamp.als");
    std::fs::write(&path, SYSTEM).expect("a file");
    let (_, entry) = served.post("models/0/check", &json!({}));
    assert_eq!(abilities(&entry), json!(["states", "proofs", "debug"]));
    let property = &entry["model"]["properties"][0];
    assert_eq!(property["verdict"], "fails", "{entry}");
    let (_, initial) = served.post("models/0/states/initial", &json!({}));
    assert_eq!(initial["total"], 1, "{initial}");
    std::fs::write(&path, PLAIN).expect("a file");
    let (_, entry) = served.post("models/0/check", &json!({}));
    assert_eq!(abilities(&entry), json!(["instances"]));
    assert_eq!(entry["variables"], json!([]));
    assert_eq!(entry["model"]["properties"][0]["name"], "shines", "{entry}");
}

#[test]
fn the_list_of_models_has_no_instances() {
    let served = Served::new("short", &[("lamp.als", PLAIN)]);
    let (_, entry) = served.get("models/0/check");
    let command = &entry["model"]["properties"][0]["command"];
    assert_eq!(command["instances"], json!([]), "{entry}");
    let (_, detail) = served.get("models/0/properties/0");
    let instances = &detail["property"]["command"]["instances"];
    assert_eq!(instances.as_array().map(Vec::len), Some(1), "{detail}");
}
