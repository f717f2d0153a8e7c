//! Exports are read again, with labels that are as hostile as labels can be.

use std::collections::BTreeSet;

use wherefore_model::lts::Lts;
use wherefore_tagged::export::{self, CypherDialect, GraphFormat};
use wherefore_tagged::{TagTarget, Tagged};

use crate::support::{parcel, system, tagged};

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
    let mut out = Vec::new();
    format
        .write(graph, &mut out)
        .expect("memory takes everything");
    let again = &mut Vec::new();
    format.write(graph, again).expect("memory takes everything");
    assert_eq!(&out, again, "the same graph gives the same bytes");
    String::from_utf8(out).expect("all formats are UTF-8")
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
        let graph = tagged(&lts, bad);
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
        let graph = tagged(&lts, bad);
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
    let text = written(GraphFormat::Autx, &tagged(&lts, "LOST"));
    assert!(text.contains("(1:N:G, \"CANCEL\":GREEN, -1)\n"), "{text}");
    assert!(text.contains("(2:N:GRB, \"SHIP\":RED, 4)\n"), "{text}");
    assert!(text.contains("(3:N:R, \"WAIT\":BLACK, 3)\n"), "{text}");
}

/// Reads XML: tags are balanced, texts are unescaped and returned in order.
fn xml_texts(text: &str) -> Vec<String> {
    let (mut open, mut texts) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let before = &rest[..at];
        assert!(!before.contains('>'), "{before}");
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            if name == "data" {
                texts.push(unescaped(before));
            }
        } else if !tag.starts_with('?') && !tag.ends_with('/') {
            open.push(tag.split(' ').next().expect("a tag has a name"));
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    texts
}

fn unescaped(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#9;", "\t"),
        ("&#10;", "\n"),
        ("&#13;", "\r"),
    ];
    let mut text = text.to_string();
    for (from, to) in entities {
        text = text.replace(from, to);
    }
    text.replace("&amp;", "&")
}

#[test]
fn graphml_is_well_formed_and_keeps_the_actions() {
    let lts = hostile();
    let graph = tagged(&lts, "BAD");
    let text = written(GraphFormat::Graphml, &graph);
    let forbidden = |c: char| (c < ' ' && !"\n\r\t".contains(c)) || c == '\u{fffe}';
    assert!(!text.contains(forbidden));
    let texts = xml_texts(&text);
    for (_, action, ..) in steps(&graph) {
        let action = action.replace(forbidden, "\u{fffd}");
        assert!(texts.contains(&action), "{action:?}");
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
    let graph = tagged(&lts, "BAD");
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
    let graph = tagged(&lts, "BAD");
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
    insta::assert_snapshot!(written(GraphFormat::Dot, &tagged(&lts, "LOST")));
}

#[test]
fn a_property_that_holds_gives_empty_documents() {
    let lts = system(2, &[(0, "A", 1)]);
    let graph = tagged(&lts, "BAD");
    assert_eq!(written(GraphFormat::Aut, &graph), "des (0, 0, 1)\n");
    assert_eq!(written(GraphFormat::Autx, &graph), "des (0, 0, 0)\n");
    assert_eq!(
        written(GraphFormat::RelationshipsCsv, &graph)
            .lines()
            .count(),
        1
    );
    for (ending, format, _) in export::ENDINGS {
        assert_eq!(
            export::by_name(&format!("x{ending}")),
            Some(format),
            "{ending}"
        );
        written(format, &graph);
    }
}
