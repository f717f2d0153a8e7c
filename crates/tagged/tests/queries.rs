//! What queries give on a small system, clause by clause, and what is said about wrong ones.

use std::collections::BTreeMap;
use std::fmt::Write;

use wherefore_base::{Budget, FileId, SourceFile, SourceMap};
use wherefore_tagged::query::{QueryGraph, QueryLimits, QueryValue, named, parse};

use crate::support::{self, ask, parcel, shown, tagged};

/// The rows of a query, each as a text.
fn rows(graph: &QueryGraph<'_>, text: &str) -> Vec<String> {
    let answer = ask(graph, text);
    let row = |row: &Vec<QueryValue>| {
        let cells: Vec<String> = row.iter().map(|value| shown(graph, value)).collect();
        cells.join(" | ")
    };
    answer.rows.iter().map(row).collect()
}

/// The values of expressions, one after the other.
fn values(graph: &QueryGraph<'_>, expressions: &[&str]) -> Vec<String> {
    let text = |expression: &&str| rows(graph, &format!("RETURN {expression}")).concat();
    expressions.iter().map(text).collect()
}

#[test]
fn the_seven_published_questions_run_as_they_are_written() {
    let lts = parcel();
    let tagged = tagged(&lts, "LOST");
    let graph = QueryGraph::new(&tagged, &Budget::unlimited()).expect("no limit");
    let shortest =
        "MATCH (init:INITIAL_NODE), (nb:NEIGHBOURHOOD), path = shortestpath((init)-[*]->(nb))";
    let actions = "WITH path, extract(n IN relationships(path) | n.action) AS actions
        WITH path, REDUCE(s = HEAD(actions), n IN TAIL(actions) | s + ', ' + n) AS result";
    let states = "WITH path, extract(n IN nodes(path) | n.id) AS states
        WITH path, REDUCE(s = HEAD(states), n IN TAIL(states) | s + ', ' + n) AS result";
    let last = "RETURN path ORDER BY length(path) LIMIT 1";
    assert_eq!(
        rows(&graph, &format!("{shortest} {last}")),
        ["(0)-ORDER->(1)"]
    );
    let paper = shortest.replace("INITIAL_NODE", "INITIALSTATE");
    assert_eq!(rows(&graph, &format!("{paper} {last}")), ["(0)-ORDER->(1)"]);
    assert_eq!(
        rows(
            &graph,
            &format!("{shortest} {actions} WHERE result =~ '.*.PACK.*.DEPOT.*' {last}")
        ),
        ["(0)-ORDER->(1)-PACK->(2)-DEPOT->(3)"]
    );
    let finals = shortest.replace("(nb:NEIGHBOURHOOD)", "(nb:IS_FINAL)");
    assert_eq!(
        rows(
            &graph,
            &format!("{finals} {actions} WHERE result =~ '.*PACK.*' {last}")
        ),
        ["(0)-ORDER->(1)-PACK->(2)-SHIP->(4)-LOST->(5)"]
    );
    assert_eq!(
        rows(
            &graph,
            "MATCH trans = ()-[]->(nb:NEIGHBOURHOOD)-[]->() WHERE nb.nb_type = 'GREEN' RETURN trans"
        ),
        [
            "(0)-ORDER->(1)-CANCEL->(-1)",
            "(3)-BACK->(1)-CANCEL->(-1)",
            "(0)-ORDER->(1)-PACK->(2)",
            "(3)-BACK->(1)-PACK->(2)"
        ]
    );
    assert_eq!(
        rows(
            &graph,
            "MATCH trans = ()-[]->(nb:NEIGHBOURHOOD)-[]->() RETURN trans"
        )
        .len(),
        12
    );
    assert_eq!(
        rows(
            &graph,
            &format!("{shortest} {states} WHERE result =~ '.*. 3.*' {last}")
        ),
        ["(0)-ORDER->(1)-PACK->(2)-DEPOT->(3)"]
    );
    assert_eq!(
        rows(
            &graph,
            "MATCH trans = (s1)-[x1]->(nb:NEIGHBOURHOOD)-[x2]->(s2)
             WITH trans, extract(n IN nodes(trans) | n.id) AS states
             WITH trans, REDUCE(s = HEAD(states), n IN TAIL(states) | s + ', ' + n) AS result
             WHERE result =~ '.*. 2,.*.' RETURN trans"
        ),
        [
            "(1)-PACK->(2)-DEPOT->(3)",
            "(1)-PACK->(2)-SEAL->(-1)",
            "(1)-PACK->(2)-SHIP->(4)"
        ]
    );
}

#[test]
fn queries_by_name_search_under_the_condition_instead_of_after_it() {
    let lts = parcel();
    let tagged = tagged(&lts, "LOST");
    let unlimited = Budget::unlimited();
    let graph = QueryGraph::new(&tagged, &unlimited).expect("no limit");
    let ask = |name: &str, arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|text| text.to_string()).collect();
        let answer = named::ask(&graph, name, &arguments, &unlimited).expect("no limit");
        match answer {
            Ok(answer) => {
                let rows = answer.rows.iter();
                let cells = rows.flat_map(|row| row.iter().map(|value| shown(&graph, value)));
                let cells: Vec<String> = cells.chain(answer.note).collect();
                cells.join(" ")
            }
            Err(error) => error,
        }
    };
    // One shortest path to each neighbourhood was tried, and none of them has BACK on it.
    let late =
        "MATCH (init:INITIAL_NODE), (nb:NEIGHBOURHOOD), path = shortestPath((init)-[*]->(nb))
        WITH path, [n IN relationships(path) | n.action] AS actions
        WHERE 'BACK' IN actions RETURN path";
    let answer = support::ask(&graph, late);
    assert!(answer.rows.is_empty());
    assert_eq!(answer.hints.len(), 1);
    let long = "4 (0)-ORDER->(1)-PACK->(2)-DEPOT->(3)-BACK->(1)";
    assert_eq!(ask("nearest-neighbourhood-with", &["BACK"]), long);
    let inside = "MATCH path = shortestPath((init:INITIAL_NODE)-[*]->(nb:NEIGHBOURHOOD))
        WHERE any(r IN relationships(path) WHERE r.action = 'BACK')
        RETURN length(path), path ORDER BY length(path) LIMIT 1";
    assert_eq!(rows(&graph, inside), [long.replacen(' ', " | ", 1)]);
    assert_eq!(ask("nearest-neighbourhood", &[]), "1 (0)-ORDER->(1)");
    assert_eq!(
        ask("shortest-end-with", &["DEPOT"]),
        "5 (0)-ORDER->(1)-PACK->(2)-DEPOT->(3)-SHIP->(4)-LOST->(5)"
    );
    assert_eq!(
        ask("nearest-through", &["3"]),
        "3 (0)-ORDER->(1)-PACK->(2)-DEPOT->(3)"
    );
    assert_eq!(ask("nearest-through", &["@0"]), "1 (0)-ORDER->(1)");
    assert_eq!(
        ask("nearest-through", &["4"]),
        "There is no neighbourhood after node 4."
    );
    assert_eq!(
        ask("neighbourhoods-of", &["cn"]),
        "(1) [BACK,ORDER] [CANCEL] [] [PACK]"
    );
    assert_eq!(
        ask("neighbourhoods-of", &["GREENREDBLACK"]),
        "(2) [PACK] [SEAL] [SHIP] [DEPOT]"
    );
    assert_eq!(
        ask("neighbourhood", &["3"]),
        "(3) [DEPOT,WAIT] [] [SHIP] [BACK,WAIT]"
    );
    assert_eq!(
        ask("neighbourhood", &["0"]),
        "There is no neighbourhood at node 0."
    );
    assert_eq!(ask("neighbourhoods", &[]).matches("] [").count(), 9);
    assert_eq!(
        ask("nearest-neighbourhood-with", &["LOST ... PACK"]),
        "No way passes `PACK` after `LOST`."
    );
    assert_eq!(
        ask("neighbourhods", &[]),
        "No query has the name `neighbourhods`. There is `neighbourhoods`."
    );
    assert_eq!(
        ask("neighbourhood", &[]),
        "The query `neighbourhood` takes NODE after its name."
    );
    assert_eq!(
        ask("neighbourhood", &["99"]),
        "There is no node 99; nodes are numbered from 0 to 5."
    );
}

#[test]
fn clauses_pass_rows_on() {
    let lts = parcel();
    let tagged = tagged(&lts, "LOST");
    let graph = QueryGraph::new(&tagged, &Budget::unlimited()).expect("no limit");
    let rows = |text: &str| rows(&graph, text);
    assert_eq!(
        rows("MATCH ()-[r]->() RETURN r.tag AS tag, count(*) AS n ORDER BY n DESC, tag"),
        ["neutral | 5", "incorrect | 3", "correct | 2"]
    );
    assert_eq!(
        rows("MATCH (n:NOTHING) RETURN count(*), collect(n), min(n.id), sum(n.id)"),
        ["0 | [] | null | 0"]
    );
    let own_variables = "MATCH (a {id: head([x IN [1] | x])})-->(b {id: 2}) RETURN a.id, b.id";
    assert_eq!(rows(own_variables), ["1 | 2"]);
    assert_eq!(
        rows("UNWIND [3, 1, 2, 1] AS x WITH DISTINCT x WHERE x > 1 RETURN x ORDER BY x"),
        ["2", "3"]
    );
    assert_eq!(
        rows(
            "MATCH (n) OPTIONAL MATCH (n)-[r:SEAL]->() RETURN n.id, r ORDER BY n.id SKIP 1 LIMIT 3"
        ),
        ["0 | null", "1 | null", "2 | [SEAL]"]
    );
    assert_eq!(
        rows("MATCH (n:NEIGHBOURHOOD) WITH n ORDER BY n.id DESC LIMIT 2 RETURN collect(n.kind)"),
        ["[in,cin]"]
    );
    assert_eq!(
        rows("MATCH (a {id: 0})-[*2..3]->(b) RETURN DISTINCT b.id ORDER BY b.id"),
        ["-1", "2", "3", "4"]
    );
    assert_eq!(
        rows("MATCH (a:IS_FINAL)<-[r]-(b) RETURN type(r), b, labels(a)"),
        ["LOST | (4) | [STATE,IS_FINAL,VIOLATION]"]
    );
    assert_eq!(
        rows("MATCH (n) WHERE NOT (n)-->() RETURN n.id, n:IS_SINK ORDER BY n.id"),
        ["-1 | true", "5 | false"]
    );
    assert_eq!(
        rows("MATCH (n) WHERE EXISTS { (n)-[r]->() WHERE r.type = 'GREEN' } RETURN n.id"),
        ["1", "2"]
    );
    assert_eq!(
        rows(
            "MATCH p = (:INITIAL_NODE)-->()-->(x) RETURN length(p), [n IN nodes(p) WHERE n.id > 0 | n.id]"
        ),
        ["2 | [1]", "2 | [1,2]"]
    );
    assert_eq!(
        rows("MATCH (n:NEIGHBOURHOOD) RETURN * ORDER BY n.nb_id DESC LIMIT 1"),
        ["(3)"]
    );
    assert_eq!(
        rows(
            "MATCH (n {id: 2}) RETURN n.isFrontier, n.nb_id, n.nb_type, n.zone, n.state, n.monitor"
        ),
        ["true | 1 | GREENREDBLACK | open | 2 | 0"]
    );
    assert_eq!(
        rows("MATCH p = allShortestPaths((a {id: 2})-[*]->(b {id: 4})) RETURN p"),
        ["(2)-SHIP->(4)"]
    );
    assert_eq!(
        rows("MATCH p = shortestPath((a {id: 3})-[*]->(a)) RETURN p"),
        ["(3)-WAIT->(3)"]
    );
    assert_eq!(
        rows("MATCH p = shortestPath((a:INITIAL_NODE)-[*]->(b {id: 4}))
              WHERE none(r IN relationships(p) WHERE r.tag = 'neutral' AND r.action = 'DEPOT') RETURN p"),
        ["(0)-ORDER->(1)-PACK->(2)-SHIP->(4)"]
    );
}

#[test]
fn expressions_have_their_values() {
    let lts = parcel();
    let tagged = tagged(&lts, "LOST");
    let graph = QueryGraph::new(&tagged, &Budget::unlimited()).expect("no limit");
    let cases = [
        ("1 + 2 * 3 - 4 / 2", "5"),
        ("7 / 2", "3"),
        ("7 % 4", "3"),
        ("2 ^ 3", "8.0"),
        ("-(-3)", "3"),
        ("1 / 2.0", "0.5"),
        ("'a' + 1 + 'b'", "a1b"),
        ("[1] + 2 + [3]", "[1,2,3]"),
        ("1 < 2 < 3", "true"),
        ("1 < 3 < 2", "false"),
        ("null = null", "null"),
        ("null IS NULL", "true"),
        ("1 IS NOT NULL", "true"),
        ("true OR null", "true"),
        ("false AND null", "false"),
        ("true AND null", "null"),
        ("true XOR true", "false"),
        ("NOT null", "null"),
        ("1 IN [1, null]", "true"),
        ("2 IN [1, null]", "null"),
        ("2 IN []", "false"),
        ("'abc' STARTS WITH 'ab'", "true"),
        ("'abc' ENDS WITH 'bc' AND 'abc' CONTAINS 'b'", "true"),
        ("'abc' =~ 'b'", "false"),
        ("'ABC' =~ '(?i)a.c'", "true"),
        ("'a' < 1", "null"),
        ("[1, 2, 3][0]", "1"),
        ("[1, 2, 3][-1]", "3"),
        ("[1, 2, 3][7]", "null"),
        ("[1, 2, 3][1..]", "[2,3]"),
        ("[1, 2, 3][..-1]", "[1,2]"),
        ("{a: 1, b: [2]}.b", "[2]"),
        ("keys({b: 1, a: 2})", "[a,b]"),
        ("[x IN range(1, 6) WHERE x % 2 = 0 | x * x]", "[4,16,36]"),
        ("filter(x IN [1, 2, 3] WHERE x > 1)", "[2,3]"),
        ("extract(x IN [1, 2] | x + 1)", "[2,3]"),
        ("reduce(s = 0, x IN [1, 2, 3] | s + x)", "6"),
        ("all(x IN [] WHERE false)", "true"),
        ("any(x IN [1, null] WHERE x = 2)", "null"),
        ("none(x IN [1, 2] WHERE x = 3)", "true"),
        ("single(x IN [1, 2] WHERE x = 1)", "true"),
        ("head([]), last([1, 2]), tail([1, 2])", "null | 2 | [2]"),
        ("size('héé'), size([1])", "3 | 1"),
        ("toUpper('a') + toLower('B')", "Ab"),
        (
            "split('a,b', ','), replace('aba', 'a', 'c'), substring('hello', 1, 3)",
            "[a,b] | cbc | ell",
        ),
        (
            "trim('  x '), reverse('ab'), reverse([1, 2])",
            "x | ba | [2,1]",
        ),
        (
            "toString(1.0), toInteger('42'), toInteger('x'), toFloat('1.5')",
            "1.0 | 42 | null | 1.5",
        ),
        ("abs(-2), sign(-3), coalesce(null, 1, 2)", "2 | -1 | 1"),
        ("range(3, 1, -1)", "[3,2,1]"),
        ("left('hello', 2), right('hello', 2)", "he | lo"),
        (
            "CASE WHEN 1 > 2 THEN 'a' WHEN true THEN 'b' ELSE 'c' END",
            "b",
        ),
        ("CASE 3 WHEN 1 THEN 'a' END", "null"),
        ("[] = [], [1, null] = [1, null]", "true | null"),
        ("'a' /* comment */ + \"b\" // end", "ab"),
    ];
    for (expression, expected) in cases {
        assert_eq!(values(&graph, &[expression]), [expected], "{expression}");
    }
}

#[test]
fn every_wrong_query_is_told_with_its_place() {
    let lts = parcel();
    let tagged = tagged(&lts, "LOST");
    let graph = QueryGraph::new(&tagged, &Budget::unlimited()).expect("no limit");
    let deep = format!("RETURN {}1{}", "(".repeat(600), ")".repeat(600));
    let nots = format!("RETURN {} true", "NOT ".repeat(100_000));
    let minus = format!("RETURN {}1", "-".repeat(100_000));
    let dots = format!("RETURN {{a: 1}}{}", ".a".repeat(100_000));
    let cases = [
        "",
        "CREATE (n)",
        "MATCH (n) SET n.id = 1 RETURN n",
        "MATCH (n) DETACH DELETE n",
        "CALL db.labels()",
        "MATCH (n) RETURN n UNION MATCH (n) RETURN n",
        "MATHC (n) RETURN n",
        "MATCH (n)",
        "RETURN",
        "RETURN 1 +",
        "RETURN (1",
        "MATCH (n RETURN n",
        "MATCH (n)-[r RETURN n",
        "MATCH (n)-[*3..1]->(m) RETURN n",
        "MATCH p = shortestPath((a)-[*2..]->(b)) RETURN p",
        "MATCH p = shortestPath((a)-->(b)-->(c)) RETURN p",
        "MATCH (n) WHERE m.id = 1 RETURN n",
        "MATCH (nb) RETURN nc",
        "MATCH (a)-[r]->(b)-[r]->(c) RETURN a",
        "MATCH (n:A|B) RETURN n",
        "MATCH (n) WHERE (n)-->(m) RETURN n",
        "MATCH (n) WITH n.id RETURN 1",
        "MATCH (n) RETURN n.id, n.id",
        "MATCH (n) RETURN n.id + count(*)",
        "MATCH (n) WHERE count(n) > 1 RETURN n",
        "MATCH (n) RETURN DISTINCT n.kind ORDER BY n.id",
        "MATCH (n) RETURN n LIMIT -1",
        "MATCH (n) RETURN n LIMIT x",
        "RETURN lenght('a')",
        "RETURN size()",
        "RETURN 'abc",
        "RETURN 'a\\q'",
        "RETURN `abc",
        "RETURN 99999999999999999999",
        "RETURN 12ab",
        "RETURN $x",
        "RETURN 1 == 1",
        "RETURN 1 != 1",
        "RETURN 1 ? 2",
        "/* open",
        "RETURN [(a)-->(b) | b]",
        "RETURN 'a' =~ '(?=x)'",
        "RETURN 1 / 0",
        "RETURN 9223372036854775807 + 1",
        "RETURN 1 + true",
        "RETURN 1 AND true",
        "MATCH (n) RETURN size(n)",
        "RETURN 'a'.b",
        "UNWIND 1 AS x RETURN x",
        "MATCH (n) WITH n.id AS n MATCH (n)-->(m) RETURN m",
        "RETURN range(1, 2, 0)",
        "RETURN range(1, 100000000)",
        "RETURN reduce(s = 'ab', x IN range(1, 60) | s + s)",
        "MATCH (n)\nWHERE n.id = 1 AND\n  n.kind = RETURN n",
        &deep,
        &nots,
        &minus,
        &dots,
    ];
    let mut told = String::new();
    for text in cases {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("q", text));
        let error = match parse(text, file, &BTreeMap::new()) {
            Err(error) => error,
            Ok(queries) => {
                let answer = queries[0].run(&graph, QueryLimits::default(), &Budget::unlimited());
                match answer.expect("no limit") {
                    Err(error) => error,
                    Ok(answer) => panic!("{text} gives {answer:?}"),
                }
            }
        };
        let place = sources.place(error.span().expect("an error has a place"));
        let shown: String = text.chars().take(70).collect();
        let _ = writeln!(told, "{}", shown.replace('\n', "⏎"));
        let _ = writeln!(told, "  {}:{}: {}", place.line, place.column, error.message);
        for label in error.labels.iter().filter(|label| !label.text.is_empty()) {
            let _ = writeln!(told, "  {}", label.text);
        }
        for help in &error.help {
            let _ = writeln!(told, "  help: {help}");
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn names_that_the_graph_does_not_know_are_warned_about() {
    let lts = parcel();
    let tagged = tagged(&lts, "LOST");
    let graph = QueryGraph::new(&tagged, &Budget::unlimited()).expect("no limit");
    let text = "MATCH (n:NEIGHBORHOOD)-[r:SHP]->() WHERE n.nbtype = 'x' RETURN n";
    let hints = ask(&graph, text).hints;
    let messages: Vec<String> = hints
        .iter()
        .map(|hint| format!("{}, {}", hint.message, hint.labels[0].text))
        .collect();
    assert_eq!(
        messages,
        [
            "No node has the label `NEIGHBORHOOD`, perhaps `NEIGHBOURHOOD`",
            "No relationship has the type `SHP`, perhaps `SHIP`",
            "No node or relationship has the property `nbtype`, perhaps `nb_type`",
        ]
    );
}

#[test]
fn several_queries_stand_in_one_text_with_their_comments() {
    let text = "**** Questions ****\n\n// one\nMATCH (n) RETURN n\n\n// two\n// more\nMATCH (m)\n\nRETURN m;\nRETURN 3";
    let queries = parse(text, FileId::new(0), &BTreeMap::new()).expect("they are right");
    let titles: Vec<Option<&str>> = queries.iter().map(|query| query.title()).collect();
    assert_eq!(titles, [Some("one"), Some("two more"), None]);
}

#[test]
fn an_empty_graph_answers_without_rows() {
    let lts = support::system(2, &[(0, "A", 1)]);
    let tagged = tagged(&lts, "LOST");
    let unlimited = Budget::unlimited();
    let graph = QueryGraph::new(&tagged, &unlimited).expect("no limit");
    assert!(rows(&graph, "MATCH (n) RETURN n").is_empty());
    assert!(
        rows(
            &graph,
            "MATCH (n:INITIAL_NODE), p = shortestPath((n)-[*]->(:IS_SINK)) RETURN p"
        )
        .is_empty()
    );
    for query in named::QUERIES {
        let argument = match query.argument {
            "" => vec![],
            "PATTERN" => vec!["A".to_string()],
            "TYPE" => vec!["cn".to_string()],
            _ => vec!["@0".to_string()],
        };
        let answer = named::ask(&graph, query.name, &argument, &unlimited).expect("no limit");
        assert!(
            answer.expect("it is right").rows.is_empty(),
            "{}",
            query.name
        );
    }
}
