//! Large and deeply nested properties are read in reasonable time.

use crate::common::{self, lts};

const MANY: usize = 100_000;

fn fine(text: &str) {
    common::lowered(text, &lts(&["a", "b"]));
}

fn nested(open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(MANY), close.repeat(MANY))
}

#[test]
fn deep_nesting_is_read() {
    let state = [
        nested("(", "true", ")"),
        nested("not ", "true", ""),
        nested("['a'] ", "false", ""),
        nested("not <'a'> ", "false", ""),
        nested("(<'a'> true and ", "true", ")"),
        nested("(", "true", " and <'a'> true)"),
        nested("(<'a'> true or ", "true", ")"),
        nested("(<'a'> true implies ", "true", ")"),
        nested("(<'a'> true equ ", "true", ")"),
        nested("nu X . (['a'] X and ", "true", ")"),
        nested("mu X . ", "X", ""),
        nested("<'a'> @ or ", "true", ""),
    ];
    for text in &state {
        fine(text);
    }
}

#[test]
fn deep_regular_and_action_formulas_are_read() {
    let regular = [
        nested("(", "'a'", ")"),
        nested("(", "'a'", ")*"),
        nested("", "'a'", "*"),
        nested("('b' . ", "'a'", ")*"),
        nested("('a' . ", "'a'", ")"),
        nested("(", "'a'", " . 'a')"),
        nested("('a' | ", "'b'", ")"),
        nested("(", "'a'", ")?"),
        nested("not ", "'a'", ""),
        nested("('a' or ", "'b'", ")"),
        nested("('a' equ ", "'b'", ")"),
    ];
    for (n, text) in regular.iter().enumerate() {
        let (open, close) = [("[", "] false"), ("<", "> true")][n % 2];
        fine(&format!("{open}{text}{close}"));
    }
}

#[test]
fn long_chains_are_read() {
    for (op, operand) in [
        (" . ", "'a'"),
        (" | ", "'a'"),
        (" or ", "'a'"),
        (" implies ", "'a'"),
        (" equ ", "'a'"),
    ] {
        fine(&format!("[{}] false", vec![operand; MANY].join(op)));
    }
    for op in [" and ", " or ", " implies "] {
        fine(&vec!["<'a'> true"; MANY].join(op));
    }
    fine(&vec!["<'a'> true"; MANY / 5].join(" equ "));
    fine(&format!(
        "['a'{{{MANY}}} . 'b'{{0,{MANY}}} . 'a'{{{MANY},}}] false"
    ));
    let different: Vec<String> = (0..10_000).map(|n| format!("'a\\|{n}.*'")).collect();
    fine(&format!("[{}] false", different.join(" | ")));
}

#[test]
fn many_macros_and_deep_arguments_are_expanded() {
    let mut chain = String::from("macro M0 (x) = ['a'] x end_macro\n");
    for n in 1..MANY {
        chain += &format!("macro M{n} (x) = M{} (x) end_macro\n", n - 1);
    }
    fine(&format!("{chain} M{} (false)", MANY - 1));
    let mut growing = String::from("macro M0 (x) = ['a'] x end_macro\n");
    for n in 1..MANY {
        growing += &format!("macro M{n} (x) = M{} (['b'] x) end_macro\n", n - 1);
    }
    fine(&format!("{growing} M{} (false)", MANY - 1));
    let text = nested("M (", "false", ")");
    fine(&format!("macro M (x) = ['a'] x end_macro {text}"));
}

#[test]
fn deep_conditions_and_many_values_are_read() {
    let labels: Vec<String> = (0..1000).map(|n| format!("A !{n}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    common::lowered(
        "[true* . { A ?x:nat } . true* . { A !x } . true*] false",
        &lts(&labels),
    );
    let condition = nested("(not ", "x = 1", ")");
    common::lowered(
        &format!("[{{ A ?x:nat where {condition} }}] false"),
        &lts(&["A !1"]),
    );
    let sum = vec!["x"; MANY].join(" + ");
    common::lowered(
        &format!("[{{ A ?x:nat where {sum} > 1 }}] false"),
        &lts(&["A !1"]),
    );
    let wrong = common::wrong(
        "[{ A ?x:nat } . { A ?y:nat } . { A ?z:nat where z <> x and z <> y }] false",
        &lts(&labels),
    );
    assert!(wrong.contains("too large"), "{wrong}");
}
