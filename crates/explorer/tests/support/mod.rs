//! A server that tests ask.

#![allow(unreachable_pub)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value as Json;
use wherefore_driver::{Engine, Opening};
use wherefore_explorer::{Explorer, ModelFiles, Settings};

/// A lift with properties that fail and one that holds.
pub(crate) const LIFT: &str = "MODULE main
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

/// A server over some models, each a name and a text.
pub struct Served {
    pub explorer: Explorer,
    pub secret: String,
    pub folder: PathBuf,
}

impl Served {
    pub fn new(test: &str, models: &[(&str, &str)]) -> Self {
        let folder =
            std::env::temp_dir().join(format!("wherefore-explorer-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut files: Vec<ModelFiles> = Vec::new();
        for (name, text) in models {
            let path = folder.join(name);
            std::fs::write(&path, text).expect("a file");
            match files.last_mut() {
                Some(model) if name.ends_with(".mcl") => model.properties.push(path),
                _ => files.push(ModelFiles {
                    path,
                    properties: vec![],
                }),
            }
        }
        let explorer = Explorer::start(Settings {
            models: files,
            property: Some("shut".to_string()),
            formulas: vec![],
            opening: Opening::default(),
            engine: Engine::Auto,
            extent: None,
            port: 0,
            memory: None,
            command: "wherefore open".to_string(),
        });
        let explorer = explorer.expect("a port is free");
        let url = explorer.url();
        let secret = url
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .expect("a secret");
        let secret = secret.to_string();
        Self {
            explorer,
            secret,
            folder,
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.explorer.address()
    }

    /// Sends bytes as they are and returns the whole response.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address()).expect("it listens");
        let limit = Some(Duration::from_secs(60));
        stream.set_read_timeout(limit).expect("a limit");
        // A server that refuses early may close before everything is sent.
        let _ = stream.write_all(bytes);
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        String::from_utf8_lossy(&response).into_owned()
    }

    pub fn request(&self, method: &str, path: &str, more: &str, body: &str) -> (u16, String) {
        let address = self.address();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n{more}\r\n{body}"
        );
        let response = self.raw(request.as_bytes());
        let (head, body) = response.split_once("\r\n\r\n").unwrap_or((&response, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        (status.unwrap_or(0), body.to_string())
    }

    pub fn get(&self, route: &str) -> (u16, Json) {
        let path = format!("/{}/api/1/{route}", self.secret);
        let (status, body) = self.request("GET", &path, "", "");
        (status, serde_json::from_str(&body).unwrap_or(Json::Null))
    }

    pub fn post(&self, route: &str, body: &Json) -> (u16, Json) {
        let path = format!("/{}/api/1/{route}", self.secret);
        let (status, body) = self.request("POST", &path, "", &body.to_string());
        (status, serde_json::from_str(&body).unwrap_or(Json::Null))
    }

    /// The lines of a stream.
    pub fn stream(&self, method: &str, route: &str, body: &Json) -> Vec<Json> {
        self.stream_as("application/x-ndjson", method, route, body)
    }

    /// The lines of a stream that is accepted as something.
    pub fn stream_as(&self, accepted: &str, method: &str, route: &str, body: &Json) -> Vec<Json> {
        let path = format!("/{}/api/1/{route}", self.secret);
        let more = format!("Accept: {accepted}\r\n");
        let (_, body) = self.request(method, &path, &more, &body.to_string());
        // Chunks have their length on a line of its own.
        let lines = body.lines().filter(|line| line.starts_with('{'));
        lines
            .map(|line| serde_json::from_str(line).expect("a line is JSON"))
            .collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
