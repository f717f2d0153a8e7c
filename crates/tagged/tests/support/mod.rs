//! Small systems and properties for tests.

use std::collections::BTreeMap;

use wherefore_base::{Budget, FileId, IndexVec};
use wherefore_logic::{ActionId, Nfa};
use wherefore_model::lts::{ActionLabel, LabelId, LabelSet, Lts, StateId, Transition};
use wherefore_tagged::query::{QueryAnswer, QueryGraph, QueryLimits, QueryValue, parse};
use wherefore_tagged::{Dfa, Monitor, TagReading, Tagged};

/// A system from its transitions; it starts in state 0.
pub(crate) fn system(states: usize, transitions: &[(usize, &str, usize)]) -> Lts {
    let mut texts: Vec<&str> = transitions.iter().map(|t| t.1).collect();
    texts.sort_unstable();
    texts.dedup();
    let labels = texts.iter().map(|text| ActionLabel {
        text: text.to_string(),
        internal: false,
    });
    let transitions: Vec<Transition> = (transitions.iter())
        .map(|&(from, text, to)| Transition {
            from: from.into(),
            label: LabelId::new(texts.binary_search(&text).expect("it is one of them")),
            to: to.into(),
        })
        .collect();
    Lts::new(labels.collect(), states, StateId::new(0), &transitions)
}

/// `[true* . "label"] false`
pub(crate) fn never(lts: &Lts, label: &str) -> Monitor {
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

/// The tagged graph of a system in which a label must not happen.
#[allow(dead_code)]
pub(crate) fn tagged<'a>(lts: &'a Lts, label: &str) -> Tagged<'a> {
    let monitor = never(lts, label);
    Tagged::new(lts, monitor, TagReading::Branching, &Budget::unlimited()).expect("no limit")
}

/// A parcel service: after `PACK` the parcel can be sealed or not; without a seal it may get `LOST`, and
/// the detour through the depot makes the ways differ in length.
#[allow(dead_code)]
pub(crate) fn parcel() -> Lts {
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

/// Runs one query.
#[allow(dead_code)]
pub(crate) fn ask(graph: &QueryGraph<'_>, text: &str) -> QueryAnswer {
    let queries = parse(text, FileId::new(0), &BTreeMap::new());
    let queries = queries.unwrap_or_else(|error| panic!("{text}\n{error:?}"));
    let answer = queries[0].run(graph, QueryLimits::default(), &Budget::unlimited());
    (answer.expect("no limit")).unwrap_or_else(|error| panic!("{text}\n{error:?}"))
}

/// A value as a text.
#[allow(dead_code)]
pub(crate) fn shown(graph: &QueryGraph<'_>, value: &QueryValue) -> String {
    let list = |items: &[QueryValue]| {
        let items: Vec<String> = items.iter().map(|item| shown(graph, item)).collect();
        items.join(",")
    };
    match value {
        QueryValue::Null => "null".to_string(),
        QueryValue::Bool(truth) => truth.to_string(),
        QueryValue::Int(number) => number.to_string(),
        QueryValue::Float(number) => format!("{number:?}"),
        QueryValue::Text(text) => text.to_string(),
        QueryValue::List(items) => format!("[{}]", list(items)),
        QueryValue::Map(entries) => {
            let entries = entries.iter();
            let texts: Vec<String> = entries
                .map(|(name, value)| format!("{name}:{}", shown(graph, value)))
                .collect();
            format!("{{{}}}", texts.join(","))
        }
        QueryValue::Node(node) => format!("({})", graph.number(*node)),
        QueryValue::Relationship(of) => format!("[{}]", graph.action(*of)),
        QueryValue::Path(path) => {
            let (start, relationships) = path.parts();
            let nodes = graph.along(start, &relationships);
            let steps = relationships.iter().zip(&nodes[1..]);
            let steps: Vec<String> = steps
                .map(|(of, to)| format!("-{}->({})", graph.action(*of), graph.number(*to)))
                .collect();
            format!("({}){}", graph.number(start), steps.concat())
        }
    }
}
