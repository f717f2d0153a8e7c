//! Models, properties and queries.

use std::collections::BTreeMap;
use std::time::Duration;

use wherefore_alloy::{LoweringOptions, TraceShape, lower_trace};
use wherefore_base::{Budget, Diagnostic, IndexVec, SourceFile, SourceMap};
use wherefore_logic::{ActionId, Nfa};
use wherefore_lts::aut::ReadOptions;
use wherefore_lts::compose::Net;
use wherefore_model::lts::{ActionLabel, LabelId, LabelSet, Lts, StateId, Transition};
use wherefore_tagged::query::{QueryGraph, QueryLimits, parse};
use wherefore_tagged::{Dfa, Monitor, TagReading, Tagged};

use super::{assert_well_placed, text};

/// A little time and a little memory: what does not end within them is left alone.
pub(super) fn little() -> Budget {
    Budget::new(Some(Duration::from_secs(2)), Some(1 << 28))
}

/// Any text is an SMV model, or is refused with diagnostics whose places lie within it.
pub fn smv(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("fuzz.smv", text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert_well_placed(&sources, &loaded.diagnostics);
}

const MODEL: &str = "
MODULE cell(up)
VAR v : 0..3; on : boolean;
MODULE main
VAR x : {a, b, 1}; c : cell(x = a);
IVAR i : boolean;
DEFINE d := c.v > 1;
";

pub(super) fn formulas() -> Vec<String> {
    let texts = [
        "AG (c.v < 3 -> AF d)",
        "E [x = a U !c.on] | ABF 1..4 (c.v in {0, 1})",
        "G F (x = b) -> F (c.v mod 2 = 1 & next(x) = 1)",
        "count(c.on, d) >= 1 xor (case x = a : c.v; TRUE : 2; esac) = 3",
        "!(EX EX x != 1) <-> toint(c.on) + c.v * 2 > -1",
    ];
    texts.map(String::from).to_vec()
}

/// Any text is a formula and an expression over a small model, or is refused.
pub fn smv_formula(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.smv", MODEL));
    let mut loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let file = sources.add(SourceFile::new("<formula>", text));
    let (model, scope) = (&mut loaded.model, &loaded.scope);
    if let Err(wrong) = wherefore_smv::formula(model, scope, &sources, file, "formula") {
        assert_well_placed(&sources, &wrong);
    }
    let _ = wherefore_smv::expression(model, scope, &sources, file);
}

/// Any bytes are an AUT file, or are refused with a place that lies within the line shown.
pub fn aut(bytes: &[u8]) {
    let parsed = wherefore_lts::aut::parse(bytes, &ReadOptions::default(), &little());
    if let Ok(Err(error)) = parsed {
        let (sources, diagnostic) = error.diagnostic("fuzz.aut");
        assert_well_placed(&sources, &[diagnostic]);
    }
}

/// A system from its transitions; it starts in state 0.
fn system(states: usize, transitions: &[(usize, &str, usize)]) -> Lts {
    let mut texts: Vec<&str> = transitions.iter().map(|step| step.1).collect();
    texts.sort_unstable();
    texts.dedup();
    let labels = texts.iter().map(|text| ActionLabel {
        text: text.to_string(),
        internal: *text == "i",
    });
    let transitions: Vec<Transition> = transitions
        .iter()
        .map(|&(from, text, to)| Transition {
            from: from.into(),
            label: LabelId::new(texts.binary_search(&text).expect("it is one of them")),
            to: to.into(),
        })
        .collect();
    Lts::new(labels.collect(), states, StateId::new(0), &transitions)
}

/// Any text is a list of properties of a labelled transition system, or is refused.
pub fn mcl(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let lts = system(
        3,
        &[
            (0, "a", 1),
            (1, "b", 0),
            (1, "A !1 !x", 2),
            (2, "B(2)", 2),
            (2, "i", 0),
        ],
    );
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("fuzz.mcl", text));
    let (parsed, wrong) = wherefore_lts::mcl::parse(file, &mut sources, &|_| None);
    assert_well_placed(&sources, &wrong);
    for property in parsed.iter().flat_map(|parsed| parsed.properties()) {
        let _ = wherefore_lts::mcl::lower(&property, &lts);
    }
}

pub(super) fn nets() -> Vec<String> {
    let texts = [
        "par SEND, * in \"a.aut\" || rename SEND -> MSG in \"b.aut\" end par",
        "reduce strong in hide RECEIVE in (\"a.aut\" ||| \"b.aut\")",
    ];
    texts.map(String::from).to_vec()
}

/// Any text is a net of systems, or is refused; a net is composed, or refused.
pub fn net(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("fuzz.net", text));
    match Net::parse(file, text) {
        Err(wrong) => assert_well_placed(&sources, &[wrong]),
        Ok(net) => {
            let part = |_: &str| {
                let steps = [
                    (0, "SEND !1", 1),
                    (1, "RECEIVE !1", 0),
                    (1, "i", 2),
                    (2, "LOSE", 0),
                ];
                Ok::<_, String>(system(3, &steps))
            };
            let _ = net.build(part, &["i".to_string()], &little());
        }
    }
}

/// Any text is an Alloy model, or is refused; the commands of a model lower to problems whose parts fit.
pub fn alloy(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("model.als", text));
    let budget = little();
    let Ok(loaded) = wherefore_alloy::load(&mut sources, file, None, &mut |_| None, &budget) else {
        return;
    };
    assert_well_placed(&sources, &loaded.diagnostics);
    if loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    for command in &loaded.model.commands {
        let lowered = lower_trace(
            &loaded.model,
            command,
            &LoweringOptions::default(),
            TraceShape::STILL,
        );
        if let Ok(lowered) = lowered {
            assert_eq!(lowered.problem.check(), Ok(()));
        }
    }
}

/// Any text is a system in VMT-LIB or SMT-LIB, or is refused; a further formula is read, or refused.
pub fn smt(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("fuzz.vmt", text));
    let _ = wherefore_smt::is_model(text);
    let mut reading = wherefore_smt::read("fuzz", file, text);
    assert_well_placed(&sources, &reading.diagnostics);
    if reading.is_usable() {
        let formula = "(ctl.AF (> x 5))";
        let file = sources.add(SourceFile::new("<formula>", formula));
        let scope = &mut reading.scope;
        if let Err(wrong) = scope.property(&mut reading.system, "formula", file, formula) {
            assert_well_placed(&sources, &wrong);
        }
    }
}

pub(super) fn queries() -> Vec<String> {
    let texts = [
        "MATCH (a)-[r]->(b:NEIGHBOURHOOD) WHERE b.nb_type = 'GREEN' RETURN a, r.action, count(*) AS n ORDER BY n DESC LIMIT 3",
        "MATCH p = shortestPath((s:INITIAL)-[*1..9]->(f:FINAL)) RETURN length(p), [x IN nodes(p) | x.number]",
        "// twice\nMATCH (n) WITH n.number AS k, collect(n) AS all WHERE size(all) > 1 RETURN DISTINCT k SKIP 1;",
        "MATCH p = (a)-[:TRANSITION*..4 {action: \"LOST\"}]-(b) WHERE NOT (a)-[]->(a) OR a.number IN [1, 2.5, null] RETURN *",
        "UNWIND range(0, 5) AS i RETURN i % 2 = 0 AND true, i ^ 2, toString(i) + 'x', CASE i WHEN 1 THEN {a: i} ELSE [] END",
    ];
    texts.map(String::from).to_vec()
}

/// Any text is a list of queries, or is refused; a query is answered within small limits, or refused.
pub fn query(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("fuzz.cypher", text));
    let queries = match parse(text, file, &BTreeMap::new()) {
        Ok(queries) => queries,
        Err(wrong) => return assert_well_placed(&sources, &[wrong]),
    };
    let steps = [
        (0, "PACK", 1),
        (1, "SEAL", 3),
        (1, "SHIP", 2),
        (2, "LOST", 2),
        (3, "SHIP", 0),
    ];
    let lts = system(4, &steps);
    let monitor = never(&lts, "LOST");
    let budget = little();
    let tagged = Tagged::new(&lts, monitor, TagReading::Branching, &budget).expect("it is small");
    let graph = QueryGraph::new(&tagged, &budget).expect("it is small");
    let limits = QueryLimits {
        rows: 1_000,
        steps: 20_000,
    };
    for query in &queries {
        match query.run(&graph, limits, &budget) {
            Ok(Err(wrong)) => assert_well_placed(&sources, &[wrong]),
            Ok(Ok(answer)) => {
                assert_well_placed(&sources, &answer.hints);
                assert!(
                    answer
                        .rows
                        .iter()
                        .all(|row| row.len() == answer.columns.len())
                );
            }
            Err(_) => {}
        }
    }
}

/// `[true* . "label"] false`
fn never(lts: &Lts, label: &str) -> Monitor {
    let actions: IndexVec<ActionId, LabelSet> = vec![
        LabelSet::new(lts, |_| true),
        LabelSet::new(lts, |of| of.text == label),
    ]
    .into();
    let mut nfa = Nfa::new();
    let any = nfa.action(ActionId::new(0));
    let any = nfa.star(any);
    let bad = nfa.action(ActionId::new(1));
    let piece = nfa.then(any, bad);
    let dfa = Dfa::beginning_with(&nfa, piece, &actions, lts, &Budget::unlimited());
    Monitor::Labels(dfa.expect("no limit"))
}
