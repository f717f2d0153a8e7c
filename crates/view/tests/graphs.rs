//! Every format over every kind of graph, read again, with labels that are as hostile as labels can be.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use wherefore_base::{Budget, SourceFile, SourceMap};
use wherefore_evidence::modal::investigate;
use wherefore_logic::ActionId;
use wherefore_lts::{aut, mcl};
use wherefore_model::lts::{ActionLabel, LabelId, LabelSet, Lts, StateId, Transition};
use wherefore_tagged::{Dfa, Monitor, TagReading, TagTarget, Tagged};
use wherefore_view::export::{
    CypherDialect, ExportFormat, ExportGraph, GraphFormat, LtsGraph, TaggedGraph, export, tagged,
};
use wherefore_view::lts::{LtsProperty, LtsReport};
use wherefore_view::{Manner, alloy, dot, lts};

use crate::fixtures::{Fixture, path, region, tree};
use crate::instances::{Found, LAMPS, LIBRARY};

/// A system from its transitions; it starts in state 0.
fn system(states: usize, transitions: &[(usize, &str, usize)]) -> Lts {
    let texts: BTreeSet<&str> = transitions.iter().map(|step| step.1).collect();
    let texts: Vec<&str> = texts.into_iter().collect();
    let labels = texts.iter().map(|text| ActionLabel {
        text: text.to_string(),
        internal: *text == "i",
    });
    let transitions = transitions.iter().map(|&(from, text, to)| Transition {
        from: from.into(),
        label: LabelId::new(texts.binary_search(&text).expect("it is one of them")),
        to: to.into(),
    });
    let transitions: Vec<Transition> = transitions.collect();
    Lts::new(labels.collect(), states, StateId::new(0), &transitions)
}

/// The tagged graph of a system in which a label must not happen.
fn graph_of<'a>(lts: &'a Lts, label: &str) -> Tagged<'a> {
    let budget = Budget::unlimited();
    let bad = LabelSet::new(lts, |of| of.text == label);
    let dfa = Dfa::in_order(&[ActionId::new(0)], &vec![bad].into(), lts, &budget);
    let monitor = Monitor::Labels(dfa.expect("no limit"));
    Tagged::new(lts, monitor, TagReading::Branching, &budget).expect("no limit")
}

/// A parcel service: after `PACK` the parcel can be sealed or not; without a seal it may get `LOST`, and
/// the detour through the depot makes the ways differ in length.
fn parcel() -> Lts {
    system(
        8,
        &[
            (0, "ORDER", 1),
            (1, "PACK", 2),
            (1, "CANCEL", 7),
            (2, "SEAL", 6),
            (2, "SHIP", 4),
            (2, "DEPOT", 3),
            (3, "WAIT", 3),
            (3, "SHIP", 4),
            (3, "BACK", 1),
            (4, "LOST", 5),
            (6, "SHIP", 7),
        ],
    )
}

const HOSTILE: [&str; 12] = [
    "a \"quoted\" one",
    "comma, and (brackets)",
    "line\nbreak\r\ttab",
    "<b>&amp;</b>",
    "back`tick``s",
    "back\\slash \\u0041 \\",
    "it's; }] AS row //",
    "\u{1}\u{7f}\u{fffe}",
    "naïve → ünïcode",
    "",
    "*/ /* '",
    "BAD",
];

fn hostile() -> Lts {
    let count = HOSTILE.len();
    let ring = HOSTILE.iter().enumerate();
    let mut transitions: Vec<(usize, &str, usize)> =
        ring.map(|(at, label)| (at, *label, at + 1)).collect();
    transitions.push((2, HOSTILE[0], count + 1));
    transitions.push((3, HOSTILE[1], 0));
    system(count + 2, &transitions)
}

fn written(format: GraphFormat, graph: &Tagged<'_>) -> String {
    let text = format.text(&TaggedGraph(graph));
    let again = format.text(&TaggedGraph(graph));
    assert_eq!(text, again, "the same graph gives the same bytes");
    text
}

/// Source, action, tag and target of all steps.
fn steps(graph: &Tagged<'_>) -> Vec<(i64, String, &'static str, i64)> {
    let steps = graph.nodes().flat_map(|node| {
        graph.steps(node).map(move |step| {
            let to = match step.to {
                TagTarget::Node(to) => to.index() as i64,
                TagTarget::Sink(_) => -1,
            };
            let action = graph.label(step.label).text.clone();
            (node.index() as i64, action, step.tag.name(), to)
        })
    });
    steps.collect()
}

/// The records of a CSV text.
fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                record.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut record));
            }
            c => field.push(c),
        }
    }
    assert!(!quoted && record.is_empty() && field.is_empty());
    records
}

#[test]
fn tables_hold_every_node_and_step() {
    for (lts, bad) in [(hostile(), "BAD"), (parcel(), "LOST")] {
        let graph = graph_of(&lts, bad);
        let nodes = csv(&written(GraphFormat::NodesCsv, &graph));
        assert_eq!(nodes[0][0], ":ID");
        assert_eq!(nodes[0].last().map(String::as_str), Some(":LABEL"));
        assert!(nodes.iter().all(|record| record.len() == nodes[0].len()));
        let ids: BTreeSet<&String> = nodes[1..].iter().map(|record| &record[0]).collect();
        assert_eq!(ids.len(), graph.nodes().len() + 1, "one is the sink");
        let table = csv(&written(GraphFormat::RelationshipsCsv, &graph));
        assert_eq!(table[0][..3], [":START_ID", ":END_ID", ":TYPE"]);
        let read: Vec<(i64, String, String, i64)> = (table[1..].iter())
            .map(|record| {
                let number = |at: usize| record[at].parse().expect("a number");
                (number(0), record[4].clone(), record[6].clone(), number(1))
            })
            .collect();
        let expected = steps(&graph).into_iter();
        let expected: Vec<_> = expected
            .map(|(f, a, tag, t)| (f, a, tag.to_string(), t))
            .collect();
        assert_eq!(read, expected);
        assert!(
            table
                .iter()
                .all(|record| !record[2].is_empty() && ids_known(&ids, record))
        );
    }
}

fn ids_known(ids: &BTreeSet<&String>, record: &[String]) -> bool {
    record[0] == ":START_ID" || (ids.contains(&record[0]) && ids.contains(&record[1]))
}

/// A line of AUT or AUTX: source, what stands between the outermost quotes, what follows them, target.
fn line(text: &str) -> (&str, &str, &str, &str) {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let inner = inner.expect("a line stands in brackets");
    let (open, close) = (
        inner.find('"').expect("a quote"),
        inner.rfind('"').expect("a quote"),
    );
    let source = inner[..open].trim_end_matches([',', ' ']);
    let (tag, target) = inner[close + 1..].rsplit_once(", ").expect("a comma");
    (source, &inner[open + 1..close], tag, target)
}

#[test]
fn aut_has_the_transitions_and_autx_the_tags_besides() {
    for (lts, bad) in [(hostile(), "BAD"), (parcel(), "LOST")] {
        let graph = graph_of(&lts, bad);
        let all = steps(&graph);
        let plain = |action: &str| action.replace(char::is_control, " ");
        let text = written(GraphFormat::Aut, &graph);
        let inner: Vec<_> = all.iter().filter(|step| step.3 != -1).collect();
        let head = format!("des (0, {}, {})", inner.len(), graph.nodes().len());
        assert_eq!(text.lines().next(), Some(head.as_str()));
        for (read, (from, action, _, to)) in text.lines().skip(1).zip(&inner) {
            let (source, label, tag, target) = line(read);
            assert_eq!(
                (source, label, tag),
                (from.to_string().as_str(), plain(action).as_str(), "")
            );
            assert_eq!(target, to.to_string());
        }
        let text = written(GraphFormat::Autx, &graph);
        let head = format!("des (0, {}, {})", all.len(), graph.nodes().len() + 1);
        assert_eq!(text.lines().next(), Some(head.as_str()));
        assert_eq!(text.lines().count(), all.len() + 1);
        for (read, (from, action, tag, to)) in text.lines().skip(1).zip(&all) {
            let (source, label, colour, target) = line(read);
            let node = source.split(':').next().expect("a number");
            assert_eq!(
                (node, label),
                (from.to_string().as_str(), plain(action).as_str())
            );
            let expected = match *tag {
                "correct" => ":GREEN",
                "incorrect" => ":RED",
                _ => ":BLACK",
            };
            assert_eq!((colour, target), (expected, to.to_string().as_str()));
        }
    }
    let lts = parcel();
    let text = written(GraphFormat::Autx, &graph_of(&lts, "LOST"));
    assert!(text.contains("(1:N:G, \"CANCEL\":GREEN, -1)\n"), "{text}");
    assert!(text.contains("(2:N:GRB, \"SHIP\":RED, 4)\n"), "{text}");
    assert!(text.contains("(3:N:R, \"WAIT\":BLACK, 3)\n"), "{text}");
}

#[test]
fn graphml_is_well_formed_and_keeps_the_actions() {
    let lts = hostile();
    let graph = graph_of(&lts, "BAD");
    let text = written(GraphFormat::GraphMl, &graph);
    let document = roxmltree::Document::parse(&text).expect("it is well-formed");
    let data = document.descendants();
    let texts: Vec<&str> = data.filter_map(|node| node.text()).collect();
    let forbidden = |c: char| (c < ' ' && !"\n\r\t".contains(c)) || c == '\u{fffe}';
    for (_, action, ..) in steps(&graph) {
        let action = action.replace(forbidden, "\u{fffd}");
        assert!(
            action.is_empty() || texts.contains(&action.as_str()),
            "{action:?}"
        );
    }
    assert_eq!(text.matches("<edge ").count(), steps(&graph).len());
}

/// The words of a script: quoted texts and names as they are meant, everything else letter by letter.
fn script(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut word = String::from(c);
        match c {
            '\'' => loop {
                match chars.next().expect("a text ends") {
                    '\'' => break,
                    '\\' => word.push(match chars.next().expect("an escape") {
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'u' => {
                            let digits: String = (0..4).filter_map(|_| chars.next()).collect();
                            let code = u32::from_str_radix(&digits, 16).expect("digits");
                            char::from_u32(code).expect("a character")
                        }
                        other => other,
                    }),
                    c => word.push(c),
                }
            },
            '`' => loop {
                match chars.next().expect("a name ends") {
                    '`' if chars.peek() == Some(&'`') => {
                        chars.next();
                        word.push('`');
                    }
                    '`' => break,
                    c => word.push(c),
                }
            },
            _ => {}
        }
        words.push(word);
    }
    words
}

#[test]
fn scripts_create_every_node_and_step() {
    let lts = hostile();
    let graph = graph_of(&lts, "BAD");
    for dialect in [CypherDialect::Neo4j, CypherDialect::Memgraph] {
        let words = script(&written(GraphFormat::Cypher(dialect), &graph));
        let ends = words
            .windows(2)
            .filter(|pair| pair[0] == ";" && pair[1] == "\n");
        assert!(ends.count() > HOSTILE.len());
        for (_, action, ..) in steps(&graph) {
            let name = if action.is_empty() {
                "(empty)"
            } else {
                &action
            };
            assert!(words.contains(&format!("`{name}")), "{action:?}");
            assert!(words.contains(&format!("'{action}")), "{action:?}");
        }
        let tags = ["'GREEN", "'RED", "'BLACK"];
        let rows = words
            .iter()
            .filter(|word| tags.contains(&word.as_str()))
            .count();
        // A neighbourhood has its type among these words, too.
        let kinds = graph.counts().kinds;
        assert_eq!(rows, steps(&graph).len() + kinds[0] + kinds[1]);
    }
    let script = written(GraphFormat::Cypher(CypherDialect::Memgraph), &graph);
    assert!(script.starts_with("CREATE INDEX ON :STATE(id);\n"));
}

#[test]
fn dot_has_a_line_for_each_node_and_step() {
    let lts = hostile();
    let graph = graph_of(&lts, "BAD");
    let text = written(GraphFormat::Dot, &graph);
    let steps = steps(&graph);
    let arrows = text
        .lines()
        .filter(|line| line.contains(" -> ") && line.ends_with("];"));
    assert_eq!(arrows.count(), steps.len());
    for line in text.lines() {
        let mut escaped = false;
        let quotes = line.chars().filter(|&c| {
            let counts = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            counts
        });
        assert_eq!(quotes.count() % 2, 0, "{line}");
    }
    let lts = parcel();
    insta::assert_snapshot!(written(GraphFormat::Dot, &graph_of(&lts, "LOST")));
}

#[test]
fn a_property_that_holds_gives_empty_documents() {
    let lts = system(2, &[(0, "A", 1)]);
    let graph = graph_of(&lts, "BAD");
    assert_eq!(written(GraphFormat::Aut, &graph), "des (0, 0, 1)\n");
    assert_eq!(written(GraphFormat::Autx, &graph), "des (0, 0, 0)\n");
    assert_eq!(
        written(GraphFormat::RelationshipsCsv, &graph)
            .lines()
            .count(),
        1
    );
    for (ending, format, _) in tagged::ENDINGS {
        assert_eq!(
            tagged::by_name(&format!("x{ending}")),
            Some(format),
            "{ending}"
        );
        written(format, &graph);
    }
}

/// Every format of graphs.
const FORMATS: [GraphFormat; 11] = [
    GraphFormat::Aut,
    GraphFormat::Autx,
    GraphFormat::NodesCsv,
    GraphFormat::RelationshipsCsv,
    GraphFormat::Cypher(CypherDialect::Neo4j),
    GraphFormat::Cypher(CypherDialect::Memgraph),
    GraphFormat::CypherStatement,
    GraphFormat::Dot,
    GraphFormat::GraphMl,
    GraphFormat::Mermaid,
    GraphFormat::Svg,
];

/// A reader of the format accepts the text.
fn accepted(format: GraphFormat, text: &str) {
    match format {
        GraphFormat::Aut => {
            let options = aut::ReadOptions::default();
            let read = aut::parse(text.as_bytes(), &options, &Budget::unlimited());
            let read = read.expect("no limit");
            assert!(read.is_ok(), "{:?}\n{text}", read.err());
        }
        GraphFormat::GraphMl => read_graphml(text),
        GraphFormat::Svg => {
            let read = roxmltree::Document::parse(text);
            assert!(read.is_ok(), "{:?}\n{text}", read.err());
        }
        GraphFormat::NodesCsv | GraphFormat::RelationshipsCsv => {
            let records = csv(text);
            let width = records[0].len();
            assert!(records.iter().all(|record| record.len() == width), "{text}");
        }
        GraphFormat::Cypher(_) | GraphFormat::CypherStatement => {
            let words = script(text);
            assert_eq!(words[words.len() - 2..], [";", "\n"], "{text}");
        }
        GraphFormat::Dot => draw(text),
        GraphFormat::Mermaid => {
            let lines = text.strip_prefix("stateDiagram-v2\n").expect("a diagram");
            let told = |line: &str| line.contains(" : ") || line.contains(" --> ");
            assert!(lines.lines().all(told), "{text}");
        }
        GraphFormat::Autx => {
            let steps = text.lines().skip(1);
            assert!(steps.map(line).all(|(from, ..)| !from.is_empty()), "{text}");
        }
    }
}

/// Keys and nodes are declared once, and what is referred to is declared.
fn read_graphml(text: &str) {
    let document = roxmltree::Document::parse(text);
    let document = document.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let all = |name: &'static str, of: &'static str| {
        let nodes = document
            .descendants()
            .filter(move |node| node.has_tag_name(name));
        nodes
            .filter_map(move |node| node.attribute(of))
            .collect::<Vec<_>>()
    };
    for (declared, uses) in [
        (all("key", "id"), all("data", "key")),
        (
            all("node", "id"),
            [all("edge", "source"), all("edge", "target")].concat(),
        ),
    ] {
        let known: BTreeSet<&str> = declared.iter().copied().collect();
        assert_eq!(known.len(), declared.len(), "{text}");
        assert!(uses.iter().all(|name| known.contains(name)), "{text}");
    }
}

/// Graphviz reads the text, where it is installed.
fn draw(text: &str) {
    let mut program = Command::new("dot");
    program.arg("-Tcanon").stdin(Stdio::piped());
    program.stdout(Stdio::null()).stderr(Stdio::piped());
    let Ok(mut program) = program.spawn() else {
        return;
    };
    let mut input = program.stdin.take().expect("it is a pipe");
    input.write_all(text.as_bytes()).expect("it reads");
    drop(input);
    let output = program.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}\n{text}");
}

fn in_every_format(graph: &impl ExportGraph) {
    for format in FORMATS {
        accepted(format, &format.text(graph));
    }
}

#[test]
fn tagged_graphs_and_systems_are_accepted_in_every_format() {
    for (system, bad) in [
        (hostile(), "BAD"),
        (parcel(), "LOST"),
        (parcel(), "NOTHING"),
    ] {
        in_every_format(&TaggedGraph(&graph_of(&system, bad)));
        // A quote within a label is read in AUT; a line break is not, and becomes a blank.
        in_every_format(&LtsGraph(&system));
    }
}

#[test]
fn instances_are_accepted_in_every_format() {
    for text in [LIBRARY, LAMPS] {
        let found = Found::first(text);
        let instance = found.instance();
        draw(&alloy::dot::render(&instance));
        for format in FORMATS {
            for document in alloy::dot::export(&instance, format) {
                accepted(format, &document.text);
            }
        }
    }
}

/// The formats of evidence that hold graphs.
const OF_EVIDENCE: [(ExportFormat, GraphFormat); 5] = [
    (ExportFormat::Aut, GraphFormat::Aut),
    (ExportFormat::Cypher, GraphFormat::CypherStatement),
    (ExportFormat::GraphMl, GraphFormat::GraphMl),
    (ExportFormat::Mermaid, GraphFormat::Mermaid),
    (ExportFormat::Svg, GraphFormat::Svg),
];

#[test]
fn evidence_about_models_is_accepted_in_every_format() {
    let mut fixture = Fixture::lift();
    for build in [path, tree, region] {
        build(&mut fixture);
    }
    fixture.model.vars[wherefore_model::VarId::new(0)].name = "a\"b\\c\n`'<&".to_string();
    let report = fixture.report();
    draw(&dot::render(&report, &Manner::default()));
    for finding in &fixture.findings {
        for (format, read) in OF_EVIDENCE {
            let documents = export(&report, finding, format, &Manner::default());
            assert_eq!(documents.len(), 1);
            accepted(read, &documents[0].text);
        }
    }
}

#[test]
fn evidence_about_systems_is_accepted_in_every_format() {
    let (system, mut sources) = (parcel(), SourceMap::default());
    let file = sources.add(SourceFile::new("parcel.mcl", "[true* . \"LOST\"] false"));
    let (parsed, _) = mcl::parse(file, &mut sources, &|_| None);
    let parsed = parsed.expect("it is a property");
    let property = parsed.properties().next().expect("there is one");
    let properties = [LtsProperty {
        name: "kept".to_string(),
        text: property.text(),
        span: Some(property.span()),
        question: mcl::lower(&property, &system).expect("it fits").question,
    }];
    let finding = investigate(&system, &properties[0].question, 0, &Budget::unlimited());
    let report = LtsReport {
        path: "parcel.aut",
        lts: &system,
        sources: &sources,
        properties: &properties,
        space: None,
        findings: std::slice::from_ref(&finding),
        names: None,
        seconds: None,
    };
    draw(&lts::dot::render(&report));
    for (format, read) in OF_EVIDENCE {
        let documents = lts::export::export(&report, &finding, format).expect("it can hold it");
        assert!(documents[0].text.contains("LOST"), "{format:?}");
        accepted(read, &documents[0].text);
    }
}
