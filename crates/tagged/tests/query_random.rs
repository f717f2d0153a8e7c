//! Random queries agree with an evaluator that takes every assignment and asks the definitions.

use std::collections::BTreeMap;

use wherefore_base::{Budget, FileId};
use wherefore_model::lts::{ActionLabel, LabelId, Lts, StateId, Transition};
use wherefore_tagged::query::{QueryGraph, QueryLimits, QueryValue, parse};
use wherefore_tagged::{TagReading, Tagged};
use wherefore_testkit::campaign::{Rng, campaign};

use crate::naive::{Direction, Generator, Link, Naive, Spot};
use crate::support::never;

/// A small system with the labels `A`, `B` and `BAD`.
fn random_lts(rng: &mut Rng) -> Lts {
    let labels = ["A", "B", "BAD"].map(|text| ActionLabel {
        text: text.to_string(),
        internal: false,
    });
    let states = 2 + rng.below(3);
    let transitions: Vec<Transition> = (0..2 + rng.below(5))
        .map(|_| Transition {
            from: rng.below(states).into(),
            label: LabelId::new(rng.below(3)),
            to: rng.below(states).into(),
        })
        .collect();
    Lts::new(labels.to_vec(), states, StateId::new(0), &transitions)
}

/// Runs a query; each row as a text.
fn rows(graph: &QueryGraph<'_>, text: &str) -> Vec<String> {
    let queries = parse(text, FileId::new(0), &BTreeMap::new())
        .unwrap_or_else(|error| panic!("{text}\n{error:?}"));
    let answer = queries[0]
        .run(graph, QueryLimits::default(), &Budget::unlimited())
        .expect("no limit")
        .unwrap_or_else(|error| panic!("{text}\n{error:?}"));
    assert_eq!(answer.incomplete, None, "{text}");
    let row = |row: &Vec<QueryValue>| row.iter().map(shown).collect::<Vec<_>>().join(" ");
    answer.rows.iter().map(row).collect()
}

fn shown(value: &QueryValue) -> String {
    match value {
        QueryValue::Null => "null".to_string(),
        QueryValue::Bool(truth) => truth.to_string(),
        QueryValue::Int(number) => number.to_string(),
        QueryValue::Text(text) => text.to_string(),
        QueryValue::List(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("[{}]", items.join(","))
        }
        other => format!("{other:?}"),
    }
}

/// Runs a test on the graph of a random system.
fn on_graphs(name: &str, rounds: u64, test: impl Fn(&QueryGraph<'_>, &Naive, &mut Rng)) {
    campaign(name, rounds, |rng| {
        let lts = random_lts(rng);
        let readings = [TagReading::Branching, TagReading::Fate];
        let reading = *rng.pick(&readings);
        let unlimited = Budget::unlimited();
        let tagged = Tagged::new(&lts, never(&lts, "BAD"), reading, &unlimited).expect("no limit");
        let naive = Naive::new(&tagged);
        if naive.nodes.len() <= 6 && naive.edges.len() <= 7 {
            let graph = QueryGraph::new(&tagged, &unlimited).expect("no limit");
            test(&graph, &naive, rng);
        }
    });
}

#[test]
fn patterns_and_conditions_match_what_the_definitions_say() {
    on_graphs("patterns", 400, |graph, naive, rng| {
        for _ in 0..6 {
            let query = Generator::new(rng).query();
            let text = query.to_string();
            let (mut found, mut expected) = (rows(graph, &text), naive.rows(&query));
            if !query.ordered {
                found.sort();
                expected.sort();
            }
            assert_eq!(found, expected, "{text}");
        }
    });
}

#[test]
fn shortest_paths_are_shortest_and_all_of_them_are_found() {
    on_graphs("shortest paths", 300, |graph, naive, rng| {
        for _ in 0..4 {
            let link = Link {
                name: None,
                types: if rng.chance(1, 4) { vec!["A"] } else { vec![] },
                direction: *rng.pick(&[Direction::Out, Direction::In, Direction::Both]),
                length: Some((rng.below(2), [None, Some(2), Some(4)][rng.below(3)])),
                tag: None,
            };
            let ends = [Spot::random(rng, "a"), Spot::random(rng, "b")];
            let condition = *rng.pick(&[
                "",
                "all(x IN nodes(p) WHERE x.id <> 1)",
                "none(x IN relationships(p) WHERE x.tag = 'neutral')",
                "length(p) > 1",
                "length(p) <= 2",
            ]);
            let wanted = |nodes: &[usize], edges: &[usize]| match condition {
                "" => true,
                "length(p) > 1" => edges.len() > 1,
                "length(p) <= 2" => edges.len() <= 2,
                of if of.contains("nodes") => nodes.iter().all(|&node| naive.nodes[node].id != 1),
                _ => edges.iter().all(|&edge| naive.edges[edge].tag != "neutral"),
            };
            let where_ = if condition.is_empty() {
                String::new()
            } else {
                format!("WHERE {condition} ")
            };
            let pattern = format!("{}{}{}", ends[0], link, ends[1]);
            let tail = format!("{where_}RETURN a.id, b.id, [x IN relationships(p) | x.id]");
            let expected = naive.shortest(&ends, &link, wanted);
            let mut all = rows(
                graph,
                &format!("MATCH p = allShortestPaths({pattern}) {tail}"),
            );
            all.sort();
            assert_eq!(all, expected, "all: {pattern} {where_}");
            let mut one = rows(graph, &format!("MATCH p = shortestPath({pattern}) {tail}"));
            assert!(
                one.iter().all(|row| expected.contains(row)),
                "one: {pattern} {where_}"
            );
            let ends_of = |rows: &[String]| {
                let ends = rows
                    .iter()
                    .map(|row| row.split(" [").next().unwrap_or("").to_string());
                let mut ends: Vec<String> = ends.collect();
                ends.sort();
                ends
            };
            one.sort();
            let (found, mut each) = (ends_of(&one), ends_of(&expected));
            each.dedup();
            assert_eq!(found, each, "one: {pattern} {where_}");
        }
    });
}

#[test]
fn a_search_that_ends_early_gives_rows_of_the_answer_and_says_so() {
    on_graphs("limits", 100, |graph, _, _| {
        let text = "MATCH (a)-[*]-(b) RETURN a.id, b.id";
        let query = &parse(text, FileId::new(0), &BTreeMap::new()).expect("it is right")[0];
        let run = |limits: QueryLimits| {
            let answer = query.run(graph, limits, &Budget::unlimited());
            answer.expect("no limit").expect("it is right")
        };
        let whole = run(QueryLimits::default());
        let cut = run(QueryLimits {
            rows: 3,
            ..QueryLimits::default()
        });
        assert_eq!(cut.rows.len(), whole.rows.len().min(3));
        assert_eq!(cut.incomplete.is_some(), whole.rows.len() > 3);
        let cut = run(QueryLimits {
            steps: 5,
            ..QueryLimits::default()
        });
        assert!(cut.rows.len() <= whole.rows.len());
    });
}
