//! What the visualizer of Alloy and its evaluator say of our documents, and what we say of theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Folder, has, skip};

/// Modules within modules, functions, an enumeration beside an order, and something that changes.
const SHOP: &str = "\
module shop
open parts/stock as stock
open parts/marks[stock/Item] as marks
open util/ordering[Day]

enum Mood { Calm, Busy }
sig Day { mood: Mood }
sig Special extends stock/Item { mark: marks/Mark }
var sig Sold in stock/Item {}
var sig Guest { likes: set stock/Item }

fun unsold: set Item { Item - Sold }
fun liked: Guest -> Item { likes }
fun nothing: set Item { none }
fun many: Int { #Item }

pred sale[i: Item] { no Sold and eventually i in Sold and first.mood = Calm and Calm.next = Busy }
run sale for 2 but 3 steps
run { some disj a, b: Item | a + b in Special and #Guest > 0 } for 3 but 2 steps
check { all i: Item | some m: marks/Mark | i in m.on } for 2
";
const STOCK: &str = "module parts/stock\nopen parts/marks[Item]\nsig Item {}\n";
const MARKS: &str = "module parts/marks[exactly T]\nsig Mark { on: set T }\n";

/// The signatures of a state with their atoms.
type State = BTreeMap<String, BTreeSet<String>>;

/// The analyzer, which `make tools` fetches where it can.
fn analyzer() -> Option<PathBuf> {
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tools");
    let jar = tools.join("alloy.jar");
    if !jar.exists() {
        skip("alloy.jar");
        return None;
    }
    has("javac").then_some(jar)
}

/// A folder of documents. Alloy finds no modules below folders with a dot in their names.
fn folder(test: &str) -> Folder {
    let path = std::env::temp_dir().join(format!("wherefore-{test}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the folder can be made");
    Folder(path)
}

/// Checks a model, has its instances written, and returns the documents: their names, the numbers of their commands
/// and what they should say.
fn documents(folder: &Folder, model: &str) -> Vec<(String, usize, Vec<State>)> {
    let stem = Path::new(model).file_stem().expect("it has a name");
    let stem = stem.to_str().expect("it is text");
    let (xml, json) = (format!("{stem}.xml"), format!("{stem}.json"));
    folder.run(&["check", "-q", model, "--xml", &xml, "--json", &json]);
    let document: Value = serde_json::from_str(&folder.read(&json)).expect("it is JSON");
    let properties = document["models"][0]["properties"].as_array();
    let mut found = Vec::new();
    for property in properties.expect("the commands are there") {
        let command = &property["command"];
        for instance in command["instances"].as_array().into_iter().flatten() {
            let name = match found.is_empty() {
                true => xml.clone(),
                false => {
                    let name = property["name"].as_str().expect("it has a name");
                    format!("{stem}.{}.xml", name.replace('$', "_"))
                }
            };
            let number = command["number"].as_u64().expect("it has a number");
            let number = usize::try_from(number).expect("it is small");
            let states = instance["states"].as_array().expect("there are states");
            found.push((name, number, states.iter().map(state).collect()));
        }
    }
    found
}

fn state(value: &Value) -> State {
    let signatures = value["signatures"].as_object().expect("it is a map");
    let atoms = |value: &Value| {
        let atoms = value.as_array().expect("it is a list").iter();
        let texts = atoms.map(|atom| atom.as_str().expect("it is text").to_string());
        texts.collect()
    };
    let all = signatures.iter().filter(|(name, _)| *name != "String");
    all.map(|(name, value)| (name.clone(), atoms(value)))
        .collect()
}

/// Runs what is written about documents in Java.
fn visualizer(jar: &Path, elsewhere: &Folder, documents: &[(PathBuf, usize)]) -> (String, String) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/Visualizer.java");
    let mut java = Command::new("java");
    java.args(["-Xss64m", "-Djava.awt.headless=true", "-cp"]);
    java.arg(jar).arg(source).current_dir(&elsewhere.0);
    for (document, command) in documents {
        java.arg(document).arg(command.to_string());
    }
    let ran = java.output().expect("java runs");
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    (text(ran.stdout), text(ran.stderr))
}

/// What the visualizer reads in documents: the truth of the goal, and the signatures state by state.
fn visualized(
    jar: &Path,
    elsewhere: &Folder,
    documents: &[(PathBuf, usize)],
) -> Vec<(String, Vec<State>)> {
    let (told, errors) = visualizer(jar, elsewhere, documents);
    let mut read: BTreeMap<&str, (String, Vec<State>)> = BTreeMap::new();
    for line in told.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let [file, what, value] = parts[..] else {
            panic!("{line}");
        };
        let (goal, states) = read.entry(file).or_default();
        let Some((state, label)) = what.split_once(' ') else {
            assert_eq!(what, "goal", "{file}: {what} {value}");
            *goal = value.to_string();
            continue;
        };
        let state: usize = state.parse().expect("it is a number");
        states.resize_with(states.len().max(state + 1), State::new);
        let label = label.strip_prefix("this/").unwrap_or(label);
        let atoms = value.split_whitespace().map(str::to_string).collect();
        states[state].insert(label.to_string(), atoms);
    }
    let documents = documents.iter().map(|(document, _)| {
        let name = document.to_str().expect("it is text");
        read.remove(name)
            .unwrap_or_else(|| panic!("{name} is not read: {told}{errors}"))
    });
    documents.collect()
}

/// The visualizer opens the documents of models, from another folder, finds the goals of their commands true, and all
/// signatures as we have them.
fn agrees(test: &str, folder: &Folder, models: &[&str]) {
    let Some(jar) = analyzer() else { return };
    let elsewhere = self::folder(&format!("elsewhere-{test}"));
    let all = models.iter().flat_map(|model| documents(folder, model));
    let all: Vec<(String, usize, Vec<State>)> = all.collect();
    assert!(all.len() >= models.len(), "most models have instances");
    let paths = all
        .iter()
        .map(|(name, command, _)| (folder.0.join(name), *command));
    let read = visualized(&jar, &elsewhere, &paths.collect::<Vec<_>>());
    for ((name, _, ours), (goal, theirs)) in all.iter().zip(read) {
        assert_eq!(goal, "true", "{name}");
        assert_eq!(theirs, *ours, "{name}");
    }
}

#[test]
fn alloy_reads_the_instances_of_our_examples_as_we_do() {
    let folder = folder("examples");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/alloy");
    let mut names = Vec::new();
    for file in std::fs::read_dir(examples).expect("there are examples") {
        let path = file.expect("the folder can be read").path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.expect("it has a name").to_string();
        folder.write(&name, &std::fs::read(&path).expect("it can be read"));
        names.push(name);
    }
    names.sort();
    // It has no instance and takes longest to say so.
    names.retain(|name| name != "traffic_light.als");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    agrees("examples", &folder, &names);
}

fn shop(test: &str) -> Folder {
    let folder = folder(test);
    std::fs::create_dir_all(folder.0.join("parts")).expect("the folder can be made");
    folder.write("shop.als", SHOP.as_bytes());
    folder.write("parts/stock.als", STOCK.as_bytes());
    folder.write("parts/marks.als", MARKS.as_bytes());
    folder
}

#[test]
fn alloy_knows_the_modules_of_a_document_by_their_names() {
    agrees("modules", &shop("visualizer-modules"), &["shop.als"]);
}

#[test]
fn documents_that_alloy_writes_are_shown() {
    let Some(jar) = analyzer() else { return };
    let folder = shop("visualizer-written");
    let (told, errors) = visualizer(&jar, &folder, &[(folder.0.join("shop.als"), 1)]);
    assert_eq!(told, "", "{errors}");
    let shown = folder.run(&["show", "shop.als1.xml", "-e", "some Special.mark.on"]);
    assert_eq!(
        (shown.code, shown.err.as_str()),
        (Some(0), ""),
        "{}",
        shown.out
    );
    assert!(
        shown.out.contains("`sale` is true for i = "),
        "{}",
        shown.out
    );
}

/// The part of a document that is about a witness or a function.
fn about<'d>(document: &'d str, name: &str) -> &'d str {
    let start = document.find(&format!("<skolem label=\"{name}\""));
    let rest = &document[start.expect("it is there")..];
    rest.split("</skolem>").next().expect("it ends")
}

#[test]
fn documents_have_whole_names_of_files_functions_and_declared_types() {
    let folder = shop("visualizer-names");
    let there = folder.0.canonicalize().expect("the folder is there");
    let ran = folder.run(&[
        "check",
        "-q",
        "parts/../shop.als",
        "-p",
        "1",
        "--xml",
        "it.xml",
    ]);
    assert_eq!(ran.err, "");
    let document = folder.read("it.xml");
    for name in ["shop.als", "parts/stock.als", "parts/marks.als"] {
        let name = there.join(name);
        assert!(
            document.contains(&format!("filename=\"{}\"", name.display())),
            "{document}"
        );
    }
    let number = |label: &str| {
        let start = document
            .find(&format!("<sig label=\"{label}\" ID=\""))
            .expect("it is there");
        let rest = document[start..]
            .split('"')
            .nth(3)
            .expect("it has a number");
        format!("<type ID=\"{rest}\"/>")
    };
    let (item, guest) = (number("stock/Item"), number("this/Guest"));
    assert!(
        about(&document, "$sale_i").contains(&format!("<types> {item} </types>")),
        "{document}"
    );
    assert!(about(&document, "$this/unsold").contains(&format!("<types> {item} </types>")));
    assert!(about(&document, "$this/liked").contains(&format!("<types> {guest} {item} </types>")));
    assert!(!about(&document, "$this/nothing").contains("<tuple>"));
    assert!(about(&document, "$this/many").contains("<tuple>"));
    // The functions are no witnesses.
    let shown = folder.run(&["show", "it.xml"]);
    assert_eq!(
        (shown.code, shown.err.as_str()),
        (Some(0), ""),
        "{}",
        shown.out
    );
}
