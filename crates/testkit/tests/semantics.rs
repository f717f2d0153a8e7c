//! The tables of `docs/semantics.md` say what the evaluator does.

use wherefore_logic::{Bounds, Fairness, PathRule, Quantifier};
use wherefore_testkit::formulas::{CtlTree, Operator};
use wherefore_testkit::kripke::{Kripke, WithFairness, every};
use wherefore_testkit::naive;

/// A row of a table: the operator, and a cell for each path rule.
struct Row {
    text: String,
    cells: Vec<(PathRule, String)>,
}

/// The table under a heading of the page.
fn table(heading: &str) -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/semantics.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let section = page
        .split("\n## ")
        .find(|section| section.starts_with(heading));
    let section = section.expect("the heading is there");
    let lines = section.lines().filter(|line| line.starts_with('|'));
    let mut rows = lines.map(|line| {
        let cells = line.trim_matches('|').split('|');
        cells
            .map(|cell| cell.trim().trim_matches('`').to_string())
            .collect::<Vec<_>>()
    });
    let header = rows.next().expect("a table has a header");
    let rule = |name: &String| PathRule::ALL.into_iter().find(|rule| rule.name() == name);
    let rules: Vec<PathRule> = header[1..]
        .iter()
        .map(|name| rule(name).expect(name))
        .collect();
    let rows = rows.skip(1).map(|cells| Row {
        text: cells[0].clone(),
        cells: rules.iter().copied().zip(cells[1..].to_vec()).collect(),
    });
    rows.collect()
}

/// An operator over the propositions `f` and `g`, as the page writes it.
fn read(text: &str) -> CtlTree {
    let q = match &text[..1] {
        "E" => Quantifier::Exists,
        "A" => Quantifier::Forall,
        _ => panic!("{text} starts with E or A"),
    };
    let words: Vec<&str> = text[1..]
        .split([' ', '[', ']'])
        .filter(|w| !w.is_empty())
        .collect();
    let bounds = |text: &str| {
        let (least, most) = text.split_once("..").expect("bounds");
        let number = |text: &str| text.parse().expect("a number");
        Bounds {
            least: number(least),
            most: number(most),
        }
    };
    let operator = match words[..] {
        ["X", "f"] => Operator::Next(q),
        ["F", "f"] => Operator::Finally(q),
        ["G", "f"] => Operator::Globally(q),
        ["cG", "f"] => Operator::FairGlobally(q),
        ["f", "U", "g"] => Operator::Until(q),
        ["f", "W", "g"] => Operator::WeakUntil(q),
        ["f", "R", "g"] => Operator::Release(q),
        ["BF", within, "f"] => Operator::FinallyWithin(q, bounds(within)),
        ["BG", within, "f"] => Operator::GloballyWithin(q, bounds(within)),
        ["f", "BU", within, "g"] => Operator::UntilWithin(q, bounds(within)),
        _ => panic!("{text} is an operator"),
    };
    CtlTree::Apply(operator, (0..operator.arity()).map(CtlTree::Atom).collect())
}

fn holds(kripke: &Kripke, row: &Row, rule: PathRule) -> u64 {
    let formula = read(&row.text).formula();
    naive::evaluate(kripke, &formula, rule)[formula.root()]
}

#[test]
fn at_a_deadlock_the_operators_mean_what_the_table_says() {
    let rows = table("At a deadlock");
    assert!(rows.len() >= 20, "every operator has a row");
    for row in &rows {
        for (rule, cell) in &row.cells {
            for (f, g) in [(false, false), (false, true), (true, false), (true, true)] {
                let deadlock = Kripke {
                    size: 1,
                    steps: vec![0],
                    initial: 1,
                    labels: vec![u64::from(f), u64::from(g)],
                    fairness: Fairness::default(),
                };
                let expected = match cell.as_str() {
                    "true" => true,
                    "false" => false,
                    "f" => f,
                    "g" => g,
                    "f or g" => f || g,
                    "f and g" => f && g,
                    other => panic!("{other} is no cell of this table"),
                };
                let found = holds(&deadlock, row, *rule) == 1;
                assert_eq!(found, expected, "{} under {rule} with {f}, {g}", row.text);
            }
        }
    }
}

#[test]
fn at_an_unfair_state_the_operators_mean_what_the_table_says() {
    let rows = table("At an unfair state");
    assert!(rows.len() >= 20, "every operator has a row");
    // Two propositions: the structure's own and the condition of the enumeration.
    let structures = every(2, WithFairness::Justice).filter(Kripke::is_total);
    for structure in structures {
        let plain = Kripke {
            labels: vec![structure.labels[0], structure.fairness.justice[0]],
            fairness: Fairness::default(),
            ..structure
        };
        let unfair = Kripke {
            fairness: Fairness {
                justice: vec![0],
                compassion: vec![],
            },
            ..plain.clone()
        };
        for row in &rows {
            for (rule, cell) in &row.cells {
                let expected = match cell.as_str() {
                    "true" => unfair.all(),
                    "false" => 0,
                    "as elsewhere" => holds(&plain, row, *rule),
                    other => panic!("{other} is no cell of this table"),
                };
                let found = holds(&unfair, row, *rule);
                assert_eq!(found, expected, "{} under {rule} in {unfair:?}", row.text);
            }
        }
    }
}

#[test]
fn some_and_every_are_dual_under_every_rule() {
    let not = |tree: CtlTree| CtlTree::Apply(Operator::Not, vec![tree]);
    let (f, g) = (CtlTree::Atom(0), CtlTree::Atom(1));
    let and = |a: CtlTree, b: CtlTree| CtlTree::Apply(Operator::And, vec![a, b]);
    let apply = |operator, operands| CtlTree::Apply(operator, operands);
    let (e, a) = (Quantifier::Exists, Quantifier::Forall);
    let neither = and(not(f.clone()), not(g.clone()));
    let two = || vec![f.clone(), g.clone()];
    let pairs = [
        (
            apply(Operator::Next(a), vec![f.clone()]),
            apply(Operator::Next(e), vec![not(f.clone())]),
        ),
        (
            apply(Operator::Finally(a), vec![f.clone()]),
            apply(Operator::Globally(e), vec![not(f.clone())]),
        ),
        (
            apply(Operator::Globally(a), vec![f.clone()]),
            apply(Operator::Finally(e), vec![not(f.clone())]),
        ),
        (
            apply(Operator::Until(a), two()),
            apply(
                Operator::WeakUntil(e),
                vec![not(g.clone()), neither.clone()],
            ),
        ),
        (
            apply(Operator::WeakUntil(a), two()),
            apply(Operator::Until(e), vec![not(g.clone()), neither]),
        ),
        (
            apply(Operator::Release(a), two()),
            apply(Operator::Until(e), vec![not(f.clone()), not(g.clone())]),
        ),
    ];
    for mut structure in every(2, WithFairness::Justice) {
        structure
            .labels
            .push(structure.fairness.justice[0] ^ structure.labels[0]);
        for (every, some) in &pairs {
            for rule in PathRule::ALL {
                let [every, some] = [every, some].map(|tree| {
                    let formula = tree.formula();
                    naive::evaluate(&structure, &formula, rule)[formula.root()]
                });
                assert_eq!(
                    every,
                    structure.all() & !some,
                    "under {rule} in {structure:?}"
                );
            }
        }
    }
}
