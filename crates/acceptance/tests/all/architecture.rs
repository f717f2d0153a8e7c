//! The rooms of the house depend on each other in one direction only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The rooms from the ground up: each may use only those before it.
const ORDER: [&str; 29] = [
    "wire",
    "base",
    "diagnostics",
    "syntax",
    "logic",
    "model",
    "testkit",
    "proof",
    "smv",
    "lts",
    "smt",
    "replay",
    "certify",
    "space",
    "sat",
    "relational",
    "alloy",
    "tcmc",
    "check",
    "satcheck",
    "smtcheck",
    "evidence",
    "blame",
    "tagged",
    "view",
    "driver",
    "wherefore",
    "explorer",
    "cli",
];

/// Languages: text to model, nothing more.
const LANGUAGES: [&str; 4] = ["smv", "lts", "alloy", "smt"];

/// Rooms that know no language: they see models only. Views are not among them: an instance is told in the
/// words of the signatures and fields of its model.
const BLIND_TO_LANGUAGES: [&str; 10] = [
    "proof",
    "replay",
    "certify",
    "space",
    "sat",
    "relational",
    "check",
    "satcheck",
    "evidence",
    "tagged",
];

/// What a dependency is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The crate itself, or its build script.
    Code,
    /// The tests of the crate.
    Tests,
}

/// The rooms that each room uses for a purpose.
fn dependencies(purpose: Purpose) -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo speaks JSON");
    let room = |name: &Value| {
        let name = name.as_str().expect("a package has a name");
        let bare = name == "wherefore";
        let room = name.strip_prefix("wherefore-").filter(|_| !bare);
        room.or(bare.then_some(name)).map(str::to_string)
    };
    let packages = metadata["packages"].as_array().expect("there are packages");
    let uses = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("a list");
        let tests = purpose == Purpose::Tests;
        let wanted = dependencies
            .iter()
            .filter(|d| (d["kind"] == "dev") == tests);
        wanted.filter_map(|d| room(&d["name"])).collect()
    };
    packages
        .iter()
        .map(|package| {
            (
                room(&package["name"]).expect("every package is a room"),
                uses(package),
            )
        })
        .collect()
}

#[test]
fn every_room_has_its_place_in_the_order() {
    for room in dependencies(Purpose::Code).keys() {
        let known = ORDER.contains(&room.as_str()) || room == "acceptance";
        assert!(known, "{room} is missing from the order of the rooms");
    }
}

fn assert_no_arrow_points_up(purpose: Purpose) {
    let level = |room: &str| ORDER.iter().position(|other| *other == room);
    for (room, uses) in dependencies(purpose) {
        for used in uses.iter().filter(|_| room != "acceptance") {
            let below = level(used) < level(&room);
            assert!(level(used).is_some() && below, "{room} must not use {used}");
        }
    }
}

#[test]
fn no_arrow_points_up() {
    assert_no_arrow_points_up(Purpose::Code);
}

/// So that a change in one crate does not rebuild the others before its own tests run.
#[test]
fn tests_of_a_crate_need_only_crates_below_it() {
    assert_no_arrow_points_up(Purpose::Tests);
}

#[test]
fn nobody_but_tests_uses_the_testkit() {
    for (room, uses) in dependencies(Purpose::Code) {
        let used = uses.contains(&"testkit".to_string());
        assert!(!used || room == "acceptance", "{room} uses the testkit");
    }
}

#[test]
fn views_know_no_language_but_alloy() {
    let uses = &dependencies(Purpose::Code)["view"];
    assert!(!uses.contains(&"smv".to_string()) && !uses.contains(&"lts".to_string()));
}

#[test]
fn languages_never_use_each_other_and_engines_know_no_language() {
    for (room, uses) in dependencies(Purpose::Code) {
        let shut =
            LANGUAGES.contains(&room.as_str()) || BLIND_TO_LANGUAGES.contains(&room.as_str());
        for language in LANGUAGES {
            let used = uses.iter().any(|used| used == language);
            assert!(!(shut && used), "{room} must not use {language}");
        }
    }
}

/// A file of tests that `all.rs` (or `all/main.rs`) does not name would never run.
#[test]
fn every_file_of_tests_is_part_of_its_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("");
    let mut programs = 0;
    for room in entries(&crates) {
        let alone = entries(&room.join("tests"));
        let (main, files) = match room.join("tests/all.rs") {
            main if main.exists() => (main, alone),
            _ => {
                let folder = room.join("tests/all");
                assert!(
                    folder.exists() || alone.len() < 2,
                    "two programs of tests: {}",
                    room.display()
                );
                (folder.join("main.rs"), entries(&folder))
            }
        };
        let Ok(text) = std::fs::read_to_string(&main) else {
            continue;
        };
        programs += 1;
        let files = files.iter().filter(|file| **file != main);
        for file in files.filter(|file| file.extension().is_some_and(|it| it == "rs")) {
            let module = file.file_stem().expect("a file has a name").display();
            let named = text.contains(&format!("mod {module};\n"));
            assert!(named, "{} is missing in {}", file.display(), main.display());
        }
    }
    assert!(programs > 10, "the files of tests are elsewhere");
}

/// What a folder holds, and nothing where it is missing.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .map(|entry| entry.expect("a folder can be read").path())
        .collect()
}

/// Everything that a room uses, directly or through others.
fn all_below(room: &str) -> BTreeSet<String> {
    let dependencies = dependencies(Purpose::Code);
    let mut below = BTreeSet::new();
    let mut open = vec![room.to_string()];
    while let Some(room) = open.pop() {
        for used in &dependencies[&room] {
            if below.insert(used.clone()) {
                open.push(used.clone());
            }
        }
    }
    below
}

#[test]
fn what_checks_evidence_is_independent_of_what_makes_it() {
    for checker in ["replay", "certify"] {
        let below: Vec<String> = all_below(checker).into_iter().collect();
        assert_eq!(below, ["base", "logic", "model", "proof"], "{checker}");
    }
}

/// The rooms below `cli` that know files.
const OPEN_FILES: [&str; 3] = ["driver", "explorer", "wherefore"];

#[test]
fn few_rooms_know_files_and_nobody_reads_the_environment() {
    for room in ORDER
        .iter()
        .filter(|room| !matches!(**room, "cli" | "testkit"))
    {
        for (path, text) in sources_of(room) {
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            let knows = |what: &str| text.contains(what);
            let is_test = path.ends_with("tests.rs") || path.ends_with("generated.rs");
            assert!(is_test || !knows("env::var"), "{}", path.display());
            let files = knows("std::fs") || knows("std::path");
            let allowed = OPEN_FILES.contains(room) || is_test;
            assert!(allowed || !files, "{}", path.display());
        }
    }
}

/// The sources of a room with their texts.
fn sources_of(room: &str) -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![crates.join(room).join("src")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source is text");
                found.push((path, text));
            }
        }
    }
    found
}

/// A public type may have the name of one in another crate, and no more than that: who looks for a name finds it.
#[test]
fn no_public_type_name_is_defined_in_three_rooms() {
    let mut rooms: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for room in ORDER {
        for (_, text) in sources_of(room) {
            for line in text.lines() {
                let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                let (public, kind) = (words.next(), words.next());
                let defines = matches!(kind, Some("struct" | "enum" | "trait" | "type" | "union"));
                if let (Some("pub"), true, Some(name)) = (public, defines, words.next()) {
                    rooms.entry(name.to_string()).or_default().insert(room);
                }
            }
        }
    }
    rooms.retain(|_, rooms| rooms.len() > 2);
    assert_eq!(rooms, BTreeMap::new());
}

#[test]
fn the_wire_knows_no_other_room_and_only_the_wire_derives_json() {
    assert_eq!(dependencies(Purpose::Code)["wire"], Vec::<String>::new());
    for room in ORDER.iter().filter(|room| **room != "wire") {
        for (path, text) in sources_of(room) {
            let derives = |line: &str| {
                let line = line.trim_start();
                line.starts_with("#[derive(") && line.contains("erialize")
            };
            let derives = text.lines().any(derives);
            assert!(!derives, "{} derives JSON", path.display());
        }
    }
}
