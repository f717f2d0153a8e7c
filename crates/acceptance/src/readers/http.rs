//! Requests to the server of the explorer, as bytes on a connection.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::LazyLock;
use std::time::Duration;

use wherefore_driver::{Engine, Opening};
use wherefore_explorer::{Explorer, ModelFiles, Settings};

const BUTTON: &str = include_str!("../../../../examples/button.smv");

/// A server with one small model; it ends with the program.
static SERVER: LazyLock<Explorer> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("wherefore-http-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("button.smv");
    std::fs::write(&path, BUTTON).expect("a file");
    let explorer = Explorer::start(Settings {
        models: vec![ModelFiles {
            path,
            properties: vec![],
        }],
        property: None,
        formulas: vec![],
        opening: Opening::default(),
        engine: Engine::Auto,
        extent: None,
        port: 0,
        memory: None,
        command: "wherefore open".to_string(),
    });
    explorer.expect("a port is free")
});

/// Requests in which `SECRET` and `HOST` stand for what the server says of itself.
pub(super) fn requests() -> Vec<String> {
    let get = |route: &str| {
        format!(
            "GET /SECRET/api/1/{route} HTTP/1.1\r\nHost: HOST\r\nAccept: application/json\r\n\r\n"
        )
    };
    let post = |route: &str, body: &str| {
        let length = body.len();
        format!(
            "POST /SECRET/api/1/{route} HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    };
    vec![
        "GET /SECRET/ HTTP/1.1\r\nHost: HOST\r\n\r\n".to_string(),
        "HEAD /SECRET HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n".to_string(),
        get("about"),
        get("models"),
        get("models/0/check"),
        get("models/0/properties/0"),
        get("models/0/properties/0/export/dot?run=0"),
        post("models/0/properties", r#"{"formula": "AG EF TRUE"}"#),
        post("models/0/states/initial", r#"{"limit": 3}"#),
        post(
            "models/0/states/evaluate",
            r#"{"state": {"values": {}}, "expressions": ["TRUE"]}"#,
        ),
        post("models/0/properties/0/proof", r#"{"choices": []}"#),
        post("models/0/properties/0/analyses", "{}"),
        "DELETE /SECRET/api/1/requests/1 HTTP/1.1\r\nHost: HOST\r\n\r\n".to_string(),
    ]
}

/// Any bytes get an HTTP response that blames whoever asked, or none; the server goes on.
pub fn http(bytes: &[u8]) {
    let server = &*SERVER;
    let (address, url) = (server.address(), server.url());
    let secret = url.trim_end_matches('/').rsplit('/').next();
    let secret = secret.expect("an address ends with the secret");
    let request = replaced(bytes, b"SECRET", secret.as_bytes());
    let request = replaced(&request, b"HOST", address.to_string().as_bytes());
    let mut stream = TcpStream::connect(address).expect("it listens");
    let limit = Some(Duration::from_secs(20));
    stream.set_read_timeout(limit).expect("a limit");
    // A server that refuses early may close before everything is sent.
    let _ = stream.write_all(&request);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    let response = String::from_utf8_lossy(&response);
    // A request of version 1.0 has a response of that version.
    let rest = response.strip_prefix("HTTP/1.1 ");
    let rest = rest.or_else(|| response.strip_prefix("HTTP/1.0 "));
    let status = rest.and_then(|rest| rest.get(..3));
    let known = response.is_empty() || status.is_some_and(|status| status != "500");
    assert!(known, "{:?}\n{response}", String::from_utf8_lossy(&request));
}

fn replaced(bytes: &[u8], word: &[u8], by: &[u8]) -> Vec<u8> {
    let mut new = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(word) {
            new.extend_from_slice(by);
            rest = after;
        } else {
            new.push(*first);
            rest = after;
        }
    }
    new
}
