//! What is to blame for failures, asked from outside.

use serde_json::{Value as Json, json};

use crate::support::Served;

/// A counter that goes one step too far, and does not come back.
const COUNTER: &str = "MODULE main
VAR n : 0..3;
ASSIGN
  init(n) := 0;
  next(n) := case
      n < 3 : n + 1;
      TRUE : n;
    esac;
CTLSPEC NAME low := AG n < 3
CTLSPEC NAME some := EF n = 2
CTLSPEC NAME again := AG EF n = 0
";

/// The bytes of a text in the model, and what stands there instead.
fn change(old: &str, new: &str) -> Json {
    let from = COUNTER.find(old).expect("it is there");
    json!({"from": from, "to": from + old.len(), "text": new})
}

fn by_name<'a>(verdicts: &'a Json, name: &str) -> &'a Json {
    let mut all = verdicts.as_array().expect("verdicts").iter();
    all.find(|each| each["name"] == name).expect("a verdict")
}

#[test]
fn a_check_says_what_is_to_blame_and_which_values_the_failure_depends_on() {
    let served = Served::new("blamed", &[("counter.smv", COUNTER)]);
    let (_, entry) = served.get("models/0/check");
    let abilities = entry["abilities"].as_array().expect("abilities");
    assert!(abilities.contains(&json!("blame")));
    // The list is short; the property has everything.
    assert_eq!(entry["model"]["properties"][0]["blame"], Json::Null);
    let (_, detail) = served.get("models/0/properties/0");
    let causes = detail["property"]["evidence"]["causes"].as_array();
    let causes = causes.expect("the failure depends on a value");
    assert!(causes.contains(&json!({"state": 3, "variable": "n", "exact": true})));
    let blame = detail["property"]["blame"].as_array().expect("places");
    assert_eq!(
        (&blame[0]["role"], &blame[0]["mend"]["holds"]),
        (&json!("mend"), &json!(2)),
        "{blame:?}"
    );
    let (status, asked) = served.post("models/0/properties/0/blame", &json!({}));
    assert_eq!(status, 200);
    assert!(asked["blame_search"]["tried"].as_u64() > Some(0));
    assert_eq!(asked["blame"][0]["role"], "mend");
    let (_, detail) = served.get("models/0/properties/0");
    assert_eq!(detail["property"]["blame"], asked["blame"]);
    for wrong in [json!({"budget": 0}), json!({"budget": -1}), json!({"n": 1})] {
        let (status, _) = served.post("models/0/properties/0/blame", &wrong);
        assert_eq!(status, 400, "{wrong}");
    }
    let (status, error) = served.post("models/0/properties/1/blame", &json!({}));
    assert_eq!(
        (status, &error["error"]["kind"]),
        (422, &json!("unsupported"))
    );
}

#[test]
fn a_change_ends_the_counterexample_at_the_step_that_it_forbids() {
    let served = Served::new("mended", &[("counter.smv", COUNTER)]);
    served.get("models/0/check");
    let (status, told) = served.post(
        "models/0/properties/0/mend",
        &change("3 : n + 1", "2 : n + 1"),
    );
    assert_eq!(status, 200, "{told}");
    assert_eq!(told["fate"]["kind"], "dies");
    assert_eq!(told["broken"], json!({"from": 2, "to": 3}));
    assert_eq!(told["contrary"], Json::Null);
    let low = by_name(&told["verdicts"], "low");
    assert_eq!(
        (&low["then"]["verdict"], &low["now"]["verdict"]),
        (&json!("fails"), &json!("holds"))
    );
    let some = by_name(&told["verdicts"], "some");
    assert_eq!(
        (&some["then"]["verdict"], &some["now"]["verdict"]),
        (&json!("holds"), &json!("holds"))
    );
    let after = &told["after"]["property"];
    assert_eq!(after["verdict"], "holds");
    assert_ne!(after["why"]["lines"], Json::Null, "{after}");
    let file = std::fs::read_to_string(served.folder.join("counter.smv"));
    assert_eq!(file.expect("the model"), COUNTER);
}

#[test]
fn where_all_steps_stay_possible_the_opposite_of_a_claim_is_shown() {
    let served = Served::new("contrary", &[("counter.smv", COUNTER)]);
    served.get("models/0/check");
    let (status, told) = served.post("models/0/properties/2/mend", &change("n;", "0;"));
    assert_eq!(status, 200, "{told}");
    assert_eq!(told["fate"]["kind"], "runs-only");
    assert_eq!(told["broken"], Json::Null);
    let contrary = &told["contrary"]["answer"]["property"];
    assert_eq!(
        (&contrary["text"], &contrary["verdict"]),
        (&json!("EF n = 0"), &json!("holds"))
    );
    assert_ne!(contrary["evidence"], Json::Null);
    let again = by_name(&told["verdicts"], "again");
    assert_eq!(again["now"]["verdict"], "holds");
}

#[test]
fn a_change_that_is_no_change_of_the_model_is_refused() {
    let served = Served::new("unmended", &[("counter.smv", COUNTER)]);
    served.get("models/0/check");
    let ask = |property: usize, body: &Json| {
        let route = format!("models/0/properties/{property}/mend");
        let (status, error) = served.post(&route, body);
        (status, error["error"]["kind"].clone())
    };
    let beyond = json!({"from": 5, "to": 100_000, "text": ""});
    assert_eq!(ask(0, &beyond), (400, json!("bad-request")));
    let backwards = json!({"from": 5, "to": 4, "text": ""});
    assert_eq!(ask(0, &backwards), (400, json!("bad-request")));
    assert_eq!(ask(0, &change("n + 1", "n +")), (422, json!("rejected")));
    assert_eq!(ask(0, &change("n + 1", "n + 2")), (422, json!("rejected")));
    assert_eq!(ask(0, &change("EF n = 2", "EF n = 1")).0, 422);
    assert_eq!(ask(1, &change("n;", "0;")), (422, json!("unsupported")));
    assert_eq!(ask(7, &change("n;", "0;")).0, 404);
}

#[test]
fn a_check_of_an_alloy_model_says_what_is_to_blame_for_a_counterexample() {
    let model = "sig Node { next: lone Node }
pred acyclic { all n: Node | n not in n.next }
assert Acyclic { acyclic implies no n: Node | n in n.^next }
check Acyclic for 3
";
    let served = Served::new("blamed-alloy", &[("list.als", model)]);
    served.get("models/0/check");
    let blamed = |detail: &Json| {
        let place = &detail["property"]["blame"][0];
        (place["line"].clone(), place["mend"]["after"].clone())
    };
    let (_, detail) = served.get("models/0/properties/0");
    assert_eq!(blamed(&detail), (json!(2), json!("^next")));
    let (_, more) = served.post("models/0/properties/0/another", &json!({"count": 2}));
    assert_eq!(blamed(&more), (json!(2), json!("^next")));
    let (status, _) = served.post("models/0/properties/0/blame", &json!({}));
    assert_eq!(status, 422);
}
