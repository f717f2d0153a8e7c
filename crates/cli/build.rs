//! Puts the examples of the repository into the binary: every `examples/*.smv`, by name. Says how the binary is
//! linked.

// Cargo reads what a build script prints.
#![allow(clippy::print_stdout)]

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    load_in_place();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "smv") {
            files.push(fs::canonicalize(path)?);
        }
    }
    files.sort();
    let mut code = String::from("&[\n");
    for path in files {
        let name = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default();
        writeln!(
            code,
            "    ({name:?}, include_str!({:?})),",
            path.display().to_string()
        )
        .expect("writing to a string succeeds");
    }
    code.push_str("]\n");
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("examples.rs"), code)
}

/// Has the program linked for one place in memory, where the linker of the system can do that. Otherwise each of
/// its tables of functions is rewritten, and so copied, whenever it starts: half of the time that a small model
/// takes.
fn load_in_place() {
    let is = |what: &str, wanted: &str| env::var(what).is_ok_and(|value| value == wanted);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
