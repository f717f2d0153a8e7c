//! `wherefore open` and `wherefore check --html`: the page from a server, and the page in a file.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::support::Folder;

/// A server that runs, and what it prints.
struct Server {
    child: Child,
    lines: BufReader<ChildStdout>,
    address: String,
    secret: String,
}

impl Server {
    fn start(folder: &Folder, args: &[&str]) -> Self {
        let mut command = folder.command(&[&["open", "--no-browser"], args].concat());
        let command = command.stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("the binary starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut line = String::new();
        while !line.contains("http://") {
            line.clear();
            let read = lines.read_line(&mut line).expect("it is text");
            assert!(read > 0, "the server ended before it told its address");
        }
        let rest = line.trim().strip_prefix("http://").expect("an address");
        let (address, secret) = rest.split_once('/').expect("a path");
        Self {
            child,
            address: address.to_string(),
            secret: secret.trim_end_matches('/').to_string(),
            lines,
        }
    }

    /// The response to a request, head and body.
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let host = &self.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("it is text");
        response
    }

    /// Presses Ctrl-C, and returns the exit code and what else was printed.
    fn interrupt(mut self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let mut rest = String::new();
        self.lines.read_to_string(&mut rest).expect("it is text");
        let code = self.child.wait().expect("it ends").code();
        (code, rest)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_explorer_tells_its_address_answers_there_and_ends_at_ctrl_c() {
    let folder = Folder::new("open-answers");
    let server = Server::start(&folder, &["lamp.smv", "mended"]);
    assert!(
        server.address.starts_with("127.0.0.1:"),
        "{}",
        server.address
    );
    let page = server.get(&format!("/{}/", server.secret));
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    assert!(page.contains("<title>"), "{page}");
    let about = server.get(&format!("/{}/api/1/about", server.secret));
    assert!(about.contains("\"property\":0"), "{about}");
    assert!(about.contains("wherefore open --no-browser lamp.smv mended"));
    let property = server.get(&format!("/{}/api/1/models/0/properties/0", server.secret));
    assert!(property.contains("\"verdict\":\"fails\""), "{property}");
    let nobody = server.get("/api/1/about");
    assert!(nobody.starts_with("HTTP/1.1 403 "), "{nobody}");
    let address = server.address.clone();
    let (code, rest) = server.interrupt();
    assert_eq!(code, Some(0), "{rest}");
    assert!(rest.contains("Ctrl-C ends it."), "{rest}");
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn a_formula_of_the_command_line_is_shown_first() {
    let folder = Folder::new("open-formula");
    let server = Server::start(&folder, &["lamp.smv", "-e", "EF lamp = broken"]);
    let models = server.get(&format!("/{}/api/1/models/0/check", server.secret));
    assert!(models.contains("EF lamp = broken"), "{models}");
    let (code, _) = server.interrupt();
    assert_eq!(code, Some(0));
}

#[test]
fn what_cannot_be_opened_is_told_before_anything_listens() {
    let folder = Folder::new("open-wrong");
    for (args, said) in [
        (
            &["open", "--no-browser", "missing.smv"][..],
            "cannot be read",
        ),
        (&["open", "--no-browser"][..], "required"),
        (
            &["open", "--no-browser", "lamp.smv", "mended", "shines"][..],
            "one property can be shown first",
        ),
    ] {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(said), "{}", ran.err);
        assert_eq!(ran.out, "");
    }
}

#[test]
fn a_report_in_html_has_everything_inside() {
    let folder = Folder::new("open-html");
    let ran = folder.run(&["check", "lamp.smv", "-q", "--html", "report.html"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let page = folder.read("report.html");
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
    for part in [
        "AG (lamp = broken",
        "models/0/properties/0",
        "<style>",
        "\"live\":false",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for outside in [
        "src=\"http",
        "href=\"http",
        "src=\"app.js\"",
        "href=\"app.css\"",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    let ran = folder.run(&["check", "lamp.smv", "-q", "--html", "no/such/folder.html"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("cannot be written"), "{}", ran.err);
}
