//! Languages other than SMV: what the server says of systems, of commands and of infinite-state models.

#![allow(clippy::print_stderr)]

use serde_json::{Value as Json, json};

use crate::support::Served;

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
