//! Puts the examples of the repository into the binary: every `examples/*.smv`, by name. A link in the crate leads to
//! them, so that the package has them, too. Says how the binary is linked.

// Cargo reads what a build script prints.
#![allow(clippy::print_stdout)]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let out = Path::new(&out);
    load_in_place();
    link_runtimes(out)?;
    let package = env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?;
    let folder = Path::new(&package).join("demos");
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
    fs::write(out.join("examples.rs"), code)
}

/// Has the program linked for one place in memory, where the linker of the system can do that. Otherwise each of
/// its tables of functions is rewritten, and so copied, whenever it starts: half of the time that a small model
/// takes.
fn load_in_place() {
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// Has the libraries of the C and C++ compilers linked into the program, where there are archives of them. Shared
/// ones are searched, mapped and bound whenever the program starts, which takes longer than a small model. The
/// library of the system stays shared.
///
/// The linker takes the first library with a name that it finds: a folder with nothing but these archives comes before
/// those of the system.
fn link_runtimes(out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-env-changed=CC");
    let native = env::var("HOST").ok() == env::var("TARGET").ok();
    if !native || !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return Ok(());
    }
    let folder = out.join("runtimes");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir(&folder)?;
    for (archive, wanted) in [
        ("libstdc++.a", "libstdc++.a"),
        ("libgcc_eh.a", "libgcc_s.a"),
    ] {
        if let Some(path) = archive_of_the_compiler(archive) {
            fs::copy(path, folder.join(wanted))?;
        }
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
    Ok(())
}

/// Where the C compiler of the system has an archive.
fn archive_of_the_compiler(name: &str) -> Option<PathBuf> {
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let asked = Command::new(compiler)
        .arg(format!("-print-file-name={name}"))
        .output()
        .ok()?;
    let path = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
    // A compiler that has no such file says its name.
    (path.is_absolute() && path.is_file()).then_some(path)
}

fn is(what: &str, wanted: &str) -> bool {
    env::var(what).is_ok_and(|value| value == wanted)
}
