//! Who is let in, what is refused, and what nobody reaches.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::support::{LIFT, Served};

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
