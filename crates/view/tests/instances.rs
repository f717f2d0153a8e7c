//! Instances of Alloy models: as XML, as graphs, as trees and as documents.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_alloy::model::{AlloyModel, Command};
use wherefore_alloy::scene::{Moment, Scene, SceneRow};
use wherefore_alloy::{LoweringOptions, TraceShape, load, lower_trace, scopes};
use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap};
use wherefore_relational::{Search, SearchOptions};
use wherefore_sat::Batsat;
use wherefore_view::alloy::{ShownInstance, dot, saved, svg, tree, xml};

pub(crate) const LIBRARY: &str = include_str!("models/library.als");
pub(crate) const LAMPS: &str = include_str!("models/lamps.als");

pub(crate) struct Found {
    model: AlloyModel,
    command: Command,
    scene: Scene,
    text: String,
}

impl Found {
    /// The first instance of the first command of a model.
    pub(crate) fn first(text: &str) -> Self {
        let (mut sources, budget) = (SourceMap::default(), Budget::unlimited());
        let file = sources.add(SourceFile::new("model.als", text));
        let loaded = load(&mut sources, file, None, &mut |_| None, &budget).expect("no limit");
        assert!(!loaded.diagnostics.iter().any(Diagnostic::is_error));
        let model = loaded.model;
        let command = model.commands[0].clone();
        let shapes = TraceShape::all(&scopes(&model, &command, &[]).expect("they fit"));
        for shape in shapes {
            let lowered = lower_trace(&model, &command, &LoweringOptions::default(), shape);
            let lowered = lowered.expect("it can be lowered");
            let options = SearchOptions::default();
            let search = Search::new(&lowered.problem, &options, &budget);
            let mut search: Search<'_, Batsat> = search.expect("it can be translated");
            let found = search.next(&budget).expect("no limit");
            if let Some(instance) = found {
                let scene = Scene::new(&model, &command, &lowered, &instance, &budget);
                return Self {
                    scene: scene.expect("no limit"),
                    model,
                    command,
                    text: text.to_string(),
                };
            }
        }
        panic!("the command has an instance");
    }

    pub(crate) fn instance(&self) -> ShownInstance<'_> {
        ShownInstance {
            model: &self.model,
            command: &self.command,
            scene: &self.scene,
        }
    }

    fn xml(&self) -> String {
        let origin = xml::XmlOrigin {
            command: "run <it>",
            file: "model.als",
            sources: &[("model.als", &self.text)],
            functions: &self.scene.defined(&self.model),
        };
        xml::render(&self.instance(), &origin)
    }
}

/// An element of a document: its name, its attributes, and what is in it.
#[derive(Debug)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    inside: Vec<Element>,
}

impl Element {
    /// Reads a document of elements without text between them.
    fn read(text: &str) -> Element {
        let mut open: Vec<Element> = Vec::new();
        let mut rest = text;
        loop {
            let (between, tag) = rest.split_once('<').expect("an element comes");
            assert_eq!(between.trim(), "");
            let (tag, after) = tag.split_once('>').expect("a tag ends");
            rest = after;
            if let Some(name) = tag.strip_prefix('/') {
                let done = open.pop().expect("what ends was opened");
                assert_eq!(name, done.name);
                match open.last_mut() {
                    Some(outer) => outer.inside.push(done),
                    None => return done,
                }
                continue;
            }
            let (tag, empty) = match tag.strip_suffix('/') {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            let mut element = Element {
                name: name.to_string(),
                attributes: BTreeMap::new(),
                inside: Vec::new(),
            };
            while let Some((key, value)) = attributes.split_once("=\"") {
                let (value, after) = value.split_once('"').expect("a value ends");
                attributes = after;
                let key = key.trim().to_string();
                let twice = element.attributes.insert(key, plain(value));
                assert_eq!(twice, None);
            }
            match (empty, open.last_mut()) {
                (true, Some(outer)) => outer.inside.push(element),
                _ => open.push(element),
            }
        }
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.inside.iter().filter(move |inner| inner.name == name)
    }

    fn rows(&self) -> BTreeSet<Vec<String>> {
        let row = |tuple: &Element| tuple.all("atom").map(|a| a["label"].clone()).collect();
        self.all("tuple").map(row).collect()
    }
}

impl std::ops::Index<&str> for Element {
    type Output = String;

    fn index(&self, name: &str) -> &String {
        &self.attributes[name]
    }
}

/// A text without its escapes.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut parts = text.split('&');
    out.push_str(parts.next().expect("there is a first part"));
    for part in parts {
        let (escape, after) = part.split_once(';').expect("an escape ends");
        out.push(match escape {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            number => {
                let digits = number.strip_prefix("#x").expect("it is a number");
                let code = u32::from_str_radix(digits, 16).expect("in digits");
                char::from_u32(code).expect("of a letter")
            }
        });
        out.push_str(after);
    }
    out
}

fn named(scene: &Scene, rows: &[SceneRow]) -> BTreeSet<Vec<String>> {
    let row = |row: &SceneRow| row.iter().map(|&a| scene.name(a).to_string()).collect();
    rows.iter().map(row).collect()
}

/// Whether an element has what a state has: as the Alloy Analyzer reads it, atoms of a signature are those
/// of the signatures that extend it, too.
fn same(found: &Found, moment: &Moment, read: &Element) {
    let sigs: BTreeMap<&String, &Element> = read.all("sig").map(|sig| (&sig["ID"], sig)).collect();
    let mut atoms: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for sig in sigs.values() {
        let own: Vec<String> = sig.all("atom").map(|atom| atom["label"].clone()).collect();
        let mut at = Some(*sig);
        while let Some(sig) = at {
            let label = sig["label"].clone();
            atoms.entry(label).or_default().extend(own.iter().cloned());
            at = sig.attributes.get("parentID").map(|parent| sigs[parent]);
        }
    }
    for (id, sig) in found.model.declared() {
        let label = match sig.label.contains('/') {
            true => sig.label.clone(),
            false => format!("this/{}", sig.label),
        };
        let names = moment.sigs[id]
            .iter()
            .map(|&a| found.scene.name(a).to_string());
        assert_eq!(atoms[&label], names.collect(), "{label}");
    }
    let mut told: BTreeMap<(String, String), BTreeSet<Vec<String>>> = BTreeMap::new();
    for field in read.all("field") {
        let key = (
            sigs[&field["parentID"]]["label"].clone(),
            field["label"].clone(),
        );
        for types in field.all("types") {
            let columns = types.all("type").map(|of| &sigs[&of["ID"]]["label"]);
            assert!(columns.count() >= 2);
            let primary = |of: &Element| sigs[&of["ID"]].all("type").next().is_none();
            assert!(
                types.all("type").all(primary),
                "a type has no subset signature"
            );
        }
        assert!(field.all("types").count() >= 1);
        told.insert(key, field.rows());
    }
    assert_eq!(told.len(), found.model.fields.len());
    for (id, field) in found.model.fields.entries() {
        let sig = &found.model.sigs[field.sig].label;
        let name = found.model.names.text(field.name).to_string();
        let rows =
            (told.get(&(format!("this/{sig}"), name.clone()))).or(told.get(&(sig.clone(), name)));
        let rows = rows.expect("every field is told");
        assert_eq!(*rows, named(&found.scene, &moment.fields[id]));
    }
    let skolems: Vec<(String, BTreeSet<Vec<String>>)> = read
        .all("skolem")
        .map(|skolem| (skolem["label"].clone(), skolem.rows()))
        .collect();
    let witnesses = found.scene.witnesses.iter();
    let witnesses = witnesses.map(|w| (w.name.clone(), named(&found.scene, &w.rows)));
    assert_eq!(skolems, witnesses.collect::<Vec<_>>());
}

#[test]
fn the_document_for_the_visualizer_is_read_back_as_the_same_instance() {
    for text in [LIBRARY, LAMPS] {
        let found = Found::first(text);
        let read = Element::read(&found.xml());
        let states: Vec<&Element> = read.all("instance").collect();
        assert_eq!(states.len(), found.scene.moments.len());
        for (state, moment) in states.iter().zip(&found.scene.moments) {
            for number in [
                "bitwidth",
                "maxseq",
                "mintrace",
                "maxtrace",
                "tracelength",
                "backloop",
            ] {
                assert!(state[number].parse::<i32>().is_ok(), "{number}");
            }
            assert_eq!(state["bitwidth"], found.scene.bits.to_string());
            assert_eq!(state["backloop"], found.scene.back.unwrap_or(0).to_string());
            assert_eq!(state["command"], "run <it>");
            same(&found, moment, state);
        }
        let source = read.all("source").next().expect("the text is there");
        assert_eq!(source["content"], text);
    }
}

#[test]
fn the_document_for_the_visualizer() {
    let found = Found::first(LAMPS);
    insta::assert_snapshot!(found.xml());
}

#[test]
fn a_graph_has_atoms_fields_sets_values_and_witnesses() {
    let found = Found::first(LIBRARY);
    insta::assert_snapshot!(dot::render(&found.instance()));
}

#[test]
fn a_trace_is_a_graph_with_a_cluster_for_each_state() {
    let found = Found::first(LAMPS);
    insta::assert_snapshot!(dot::render(&found.instance()));
}

#[test]
fn a_picture_has_every_node_and_label_of_the_graph() {
    for text in [LIBRARY, LAMPS] {
        let found = Found::first(text);
        let (picture, graph) = (
            svg::render(&found.instance()),
            dot::render(&found.instance()),
        );
        let labels = graph
            .lines()
            .filter_map(|line| line.split_once("[label=\""));
        for (_, rest) in labels {
            let end = rest.find("\", ").or_else(|| rest.find("\"]"));
            let label = &rest[..end.expect("a label ends")];
            for line in label.replace("\\\"", "\"").split("\\n") {
                let line = line.replace('"', "&quot;");
                assert!(picture.contains(&format!(">{line}</text>")), "{line}");
            }
        }
        Element::read(&without_texts(&picture));
    }
}

/// A picture without the texts in it.
fn without_texts(picture: &str) -> String {
    let lines = picture.lines().filter(|line| !line.starts_with("<text"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_tree_goes_from_signatures_to_atoms_to_fields_to_values() {
    let found = Found::first(LIBRARY);
    insta::assert_snapshot!(tree::render(&found.instance(), false));
}

#[test]
fn a_tree_of_plain_letters_has_the_states_of_a_trace() {
    let found = Found::first(LAMPS);
    let text = tree::render(&found.instance(), true);
    assert!(text.is_ascii());
    insta::assert_snapshot!(text);
}

#[test]
fn a_saved_instance_is_read_back_and_looks_the_same() {
    for text in [LIBRARY, LAMPS] {
        let found = Found::first(text);
        let instance = found.instance();
        let file = saved::read(&saved::render(&instance, "model.als")).expect("it is ours");
        assert_eq!(file.command, found.command.label);
        let scene = saved::scene(&file.instance, &found.model).expect("it fits");
        let again = ShownInstance {
            scene: &scene,
            ..instance
        };
        assert_eq!(saved::document(&again), file.instance);
        assert_eq!(tree::render(&again, false), tree::render(&instance, false));
        let lines = |instance: &ShownInstance<'_>| dot::render(instance).lines().count();
        assert_eq!(lines(&again), lines(&instance));
    }
}

#[test]
fn the_saved_instance_is_the_contract() {
    let found = Found::first(LAMPS);
    insta::assert_snapshot!(saved::render(&found.instance(), "model.als"));
}

#[test]
fn what_does_not_fit_the_model_is_told() {
    let (library, lamps) = (Found::first(LIBRARY), Found::first(LAMPS));
    let document = saved::document(&lamps.instance());
    assert!(saved::scene(&document, &library.model).is_err());
    let mut wrong = document.clone();
    wrong.states[0].signatures[1].push("Ghost$0".to_string());
    let told = saved::scene(&wrong, &lamps.model).expect_err("there is no such atom");
    assert_eq!(told, "There is no atom `Ghost$0`.");
    let mut wrong = document.clone();
    wrong.back = Some(9);
    assert!(saved::scene(&wrong, &lamps.model).is_err());
    let mut wrong = document;
    wrong.bits = 40;
    assert!(saved::scene(&wrong, &lamps.model).is_err());
    assert!(saved::read("{}").is_err());
}

#[test]
fn names_that_could_do_harm_are_escaped() {
    let found = Found::first(
        "sig A { f: lone String } fact { A.f = \"<&'> \\\\ x\" }\nrun { one A } for 1",
    );
    let read = Element::read(&found.xml());
    let state = read.all("instance").next().expect("there is one");
    same(&found, &found.scene.moments[0], state);
    let picture = svg::render(&found.instance());
    assert!(picture.contains("&lt;&amp;"), "{picture}");
    let graph = dot::render(&found.instance());
    assert!(graph.contains("\\\\"), "{graph}");
}
