//! What the tests about infinite-state models share.

#![allow(unreachable_pub)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

/// What was printed, on both streams.
pub fn text(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&all).into_owned()
}

/// Whether a solver is installed; tests that need one are left out where there is none.
pub fn has_solver() -> bool {
    let there = ["z3", "cvc5"]
        .iter()
        .any(|solver| Command::new(solver).arg("--version").output().is_ok());
    let must = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(there || !must, "no SMT solver is installed");
    if !there {
        let test = std::thread::current()
            .name()
            .unwrap_or("a test")
            .to_string();
        let told = format!("\nLEFT OUT: {test} needs an SMT solver; apt-get install z3 cvc5\n");
        // Nobody is told if there is no terminal to tell it to.
        let _ = std::io::stderr().write_all(told.as_bytes());
    }
    there
}

/// A file of the tests of this program.
pub fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wherefore-smt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path
}
