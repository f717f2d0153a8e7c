//! Work that ends early: because its client goes away, or because somebody says so.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::support::Served;

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
