//! Texts that mean harm: each is read and lowered, or refused with a message at a place, and soon.

use std::time::Duration;

use wherefore_alloy::{LoweringOptions, TraceShape, load, lower_trace};
use wherefore_base::{Budget, Diagnostic, Rng, SourceFile, SourceMap};

use crate::common::{self, outline, read_with};

const MANY: usize = 100_000;
const SEVERAL: usize = 10_000;

/// The messages about a text and its commands.
fn told(text: &str) -> Vec<String> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("hostile.als", text));
    let budget = Budget::new(Some(Duration::from_secs(120)), None);
    let loaded = load(&mut sources, file, None, &mut |_| None, &budget);
    let loaded = loaded.expect("it is read in time");
    let mut told = loaded.diagnostics;
    for diagnostic in &told {
        for label in &diagnostic.labels {
            let text = sources.file(label.span.file).text();
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(text.get(start..end).is_some(), "{}", diagnostic.message);
        }
    }
    if !told.iter().any(Diagnostic::is_error) {
        for command in &loaded.model.commands {
            match lower_trace(
                &loaded.model,
                command,
                &LoweringOptions::default(),
                TraceShape::STILL,
            ) {
                Ok(lowered) => assert_eq!(lowered.problem.check(), Ok(())),
                Err(refusal) => told.push(refusal),
            }
        }
    }
    told.retain(Diagnostic::is_error);
    told.into_iter()
        .map(|diagnostic| diagnostic.message)
        .collect()
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn deep_nesting_does_no_harm() {
    let model = "sig A { f: set A }";
    for formula in [
        nested("(", "some A", ")", MANY),
        nested("{", "some A", "}", MANY),
        nested("not ", "some A", "", SEVERAL),
        nested("! ! ", "some A", "", SEVERAL),
        nested("some A => (", "some A", ")", SEVERAL),
        nested("some A => no A else ", "some A", "", SEVERAL),
        nested("some A and ", "some A", "", SEVERAL),
        nested("some A\n", "some A", "", SEVERAL),
        nested("always after ", "some A", "", SEVERAL),
        format!("some {}", nested("(", "A", ")", SEVERAL)),
        format!("some A{}", ".f".repeat(MANY)),
        format!("some {}", nested("~", "f", "", SEVERAL)),
        format!("some {}", nested("^*", "f", "", SEVERAL)),
        format!("some {}", nested("A + ", "A", "", SEVERAL)),
        format!("some {}", nested("f[", "A", "]", SEVERAL)),
        nested("all x: A | ", "some A", "", 3_000),
        nested("let x = A | ", "some A", "", SEVERAL),
        format!("#A = {}", nested("plus[1, ", "1", "]", SEVERAL)),
    ] {
        let shown: String = formula.chars().take(30).collect();
        let told = told(&format!("{model} fact {{ {formula} }} run {{}} for 2"));
        assert_eq!(told, [""; 0], "{shown}");
    }
}

#[test]
fn many_columns_are_refused() {
    let product = vec!["A"; 40].join(" -> ");
    told(&format!("sig A {{ f: {product} }} run {{}} for 2"));
    let product = vec!["A"; 20_000].join(" -> ");
    let messages = told(&format!("sig A {{}} run {{ some {product} }} for 2"));
    assert_eq!(
        messages,
        ["Relations have at most 60 columns, and this has 61"]
    );
    let variables: Vec<String> = (0..2_000).map(|n| format!("x{n}")).collect();
    let variables = variables.join(", ");
    told(&format!(
        "sig A {{}} run {{ some {{ {variables}: A | some A }} }} for 2"
    ));
}

#[test]
fn huge_names_and_numbers_do_no_harm() {
    let name = "n".repeat(1_000_000);
    assert_eq!(
        told(&format!("sig {name} {{}} run {{ some {name} }}")),
        [""; 0]
    );
    let told_of = |text: &str| told(text);
    let messages = told_of(&format!("sig A {{}} run {{ some {name} }}"));
    assert_eq!(messages.len(), 1);
    let messages = told_of(&format!(
        "sig A {{}} run {{ some A }} for {}",
        "9".repeat(100_000)
    ));
    assert_eq!(messages.len(), 1);
    told_of(&format!("sig A {{ s: String }} run {{ A.s = \"{name}\" }}"));
    told_of(&"/".repeat(1_000_001));
    told_of(&format!("open {} run {{}}", vec!["a"; MANY].join("/")));
}

#[test]
fn enormous_scopes_are_refused() {
    let first = |text: &str| told(text).into_iter().next().unwrap_or_default();
    assert_eq!(
        first("sig A {} run {} for 1000000"),
        "The scopes come to 1000000 atoms, which is more than 100000"
    );
    assert_eq!(
        first("sig A {} sig B {} run {} for 2147483647"),
        "The scopes come to 4294967294 atoms, which is more than 100000"
    );
    assert_eq!(
        first("sig A {} run {} for 99999999999"),
        "The number 99999999999 is too large"
    );
    assert_eq!(
        first("sig A {} run {} for 3 but 31 Int"),
        "Integers of 31 bits cannot be used: they have 1 to 30"
    );
    assert_eq!(
        first("sig A {} run {} for 3 but 0 Int"),
        "Integers of 0 bits cannot be used: they have 1 to 30"
    );
    assert_eq!(
        first("sig A {} run {} for 3 but 30 Int"),
        "Integers of 30 bits are 1073741824 atoms, which is more than 100000"
    );
    assert_eq!(
        first("sig A {} run {} for 3 but exactly 100000000 String"),
        "The scopes come to 100000003 atoms, which is more than 100000"
    );
    assert_eq!(
        first("var sig A {} run {} for 3 but 1000000 steps"),
        "Traces of 1000000 states are longer than 1000"
    );
    let subsets = "abstract sig P {} sig A, B extends P {} run {} for";
    told(&format!("{subsets} 2147483647 A, 2147483647 B"));
    told(&format!("{subsets} 5 P, 2147483647 A"));
    told(&format!("{subsets} exactly 3 P, exactly 5 A"));
    told("sig A { f: set A, g: A -> A -> A } run {} for 90000");
    told("sig A { f: A -> A } fact { some A.f.A and some ^(A.f) } run {} for 20000");
    told("open util/ordering[A] sig A {} run { some next } for 50000");
}

#[test]
fn scopes_that_contradict_each_other_are_raised_or_refused() {
    let first = |text: &str| told(text).into_iter().next().unwrap_or_default();
    let family = "abstract sig P {} sig A, B extends P {}";
    assert_eq!(
        first(&format!("{family} run {{}} for exactly 1 P, exactly 3 A")),
        ""
    );
    assert_eq!(
        first("one sig A {} run {} for exactly 0 A"),
        "A scope of 0 does not fit `one sig A`"
    );
    assert_eq!(
        first("some sig A {} run {} for 0 A"),
        "A scope of 0 does not fit `some sig A`"
    );
    assert_eq!(
        first("one sig A, B, C extends P {} sig P {} run {} for exactly 1 P"),
        ""
    );
}

#[test]
fn ten_thousand_lines_are_read_in_time() {
    let mut text = String::from("open util/ordering[T] sig T {} sig S { f: set S, g: S -> T }\n");
    for n in 0..5_000 {
        text.push_str(&format!("pred p{n}[x: S] {{ x in x.f and some x.g }}\n"));
        text.push_str(&format!(
            "fact f{n} {{ all x: S | p{n}[x] => some y: T | y in x.g[x] }}\n"
        ));
    }
    text.push_str("run { some S } for 3\n");
    assert_eq!(told(&text), [""; 0]);
    let fields: String = (0..10_000).map(|n| format!("f{n}: set S,\n")).collect();
    assert_eq!(
        told(&format!("sig S {{ {fields} }} run {{ some f77 }} for 2")),
        [""; 0]
    );
    let sigs: String = (0..10_000).map(|n| format!("sig S{n} {{}}\n")).collect();
    assert_eq!(told(&format!("{sigs} run {{ some S77 }} for 2")), [""; 0]);
    let chain: String = (1..10_000)
        .map(|n| format!("sig S{n} extends S{} {{}}\n", n - 1))
        .collect();
    assert_eq!(
        told(&format!("sig S0 {{}} {chain} run {{ some S77 }} for 2")),
        [""; 0]
    );
    let calls: String = (1..10_000)
        .map(|n| format!("pred p{n} {{ p{0} and p{0} }}\n", n - 1))
        .collect();
    assert_eq!(
        told(&format!(
            "sig A {{}} pred p0 {{ some A }} {calls} run p9999"
        )),
        [""; 0]
    );
    let same: String = (0..10_000)
        .map(|_| "fact { some next.next }\n".to_owned())
        .collect();
    assert_eq!(
        told(&format!("open util/ordering[A] sig A {{}} {same} run {{}}")),
        [""; 0]
    );
}

#[test]
fn what_doubles_with_each_line_ends() {
    let doubling: String = (1..60)
        .map(|n| format!("let m{n} = m{0} + m{0}\n", n - 1))
        .collect();
    told(&format!(
        "sig A {{}} let m0 = A {doubling} run {{ some m59 }}"
    ));
    let doubling: String = (1..60)
        .map(|n| format!("fun f{n}[x: set A]: set A {{ f{0}[f{0}[x]] }}\n", n - 1))
        .collect();
    told(&format!(
        "sig A {{}} fun f0[x: set A]: set A {{ x }} {doubling} run {{ some f59[A] }}"
    ));
    let doubling: String = (1..60)
        .map(|n| {
            format!(
                "pred p{n}[x: A] {{ all y: A | p{0}[x] and p{0}[y] }}\n",
                n - 1
            )
        })
        .collect();
    let messages = told(&format!(
        "sig A {{}} pred p0[x: A] {{ some x }} {doubling} run p59"
    ));
    assert_eq!(
        messages,
        ["Written out, this command has more than 1000000 parts"]
    );
}

#[test]
fn garbage_is_refused() {
    let mut rng = Rng::new(0);
    let mut random = move || rng.next();
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..300).map(|_| (random() >> 32) as u8).collect();
        told(&String::from_utf8_lossy(&bytes));
    }
    for text in [
        "\0",
        "\u{feff}",
        "\u{feff}sig A {}",
        "\r\rsig\rA {}",
        "'''''",
        "\"\"\"\"",
        "$",
        "$$ $",
        "@@@",
    ] {
        told(text);
    }
}

#[test]
fn modules_that_open_each_other_in_ever_new_ways_end() {
    let files = [
        (
            "grow.als",
            "module grow[x] open grow[Next] sig Next { of: x }",
        ),
        ("a.als", "module a[x] open b[S] sig S { of: x }"),
        ("b.als", "module b[x] open a[T] sig T { of: x }"),
        ("wide.als", "module wide[x, y] open wide[y, x]"),
    ];
    for main in [
        "open grow[A] sig A {}",
        "open a[A] sig A {}",
        "open wide[A, B] sig A {} sig B {}",
        "open main sig A {}",
    ] {
        let (_, loaded) = read_with("main.als", main, &files);
        assert!(
            loaded.diagnostics.iter().any(Diagnostic::is_error),
            "{main}"
        );
    }
}

#[test]
fn models_with_changes_at_random_are_read_without_a_panic() {
    let models = [
        include_str!("models/tour.als"),
        include_str!("models/clock.als"),
        include_str!("models/old.als"),
        include_str!("../util/sequence.als"),
        include_str!("library/relation.als"),
    ];
    let mut rng = Rng::new(1);
    let mut random = move |below: usize| rng.below(below.max(1));
    for round in 0..400 {
        let model = models[round % models.len()];
        let mut words: Vec<&str> = model
            .split_inclusive([' ', '\n', '[', ']', '.', ','])
            .collect();
        for _ in 0..=random(4) {
            let (a, b) = (random(words.len()), random(words.len()));
            match random(4) {
                0 => words.swap(a, b),
                1 => words[a] = words[b],
                2 => words.insert(a, words[b]),
                _ => {
                    words.remove(a);
                }
            }
        }
        told(&words.concat());
    }
}

#[test]
fn the_same_text_is_read_in_the_same_way() {
    let text = include_str!("models/tour.als");
    let outlines = [(); 2].map(|()| outline(&common::read("model.als", text).1.model));
    assert_eq!(outlines[0], outlines[1]);
}

#[test]
fn each_of_many_fields_with_one_name_is_told_of_once() {
    let names = ", f".repeat(5_000);
    let told = told(&format!(
        "sig A {{ f{names}: set A }}\nsig B in A {{ f: set A }}\n"
    ));
    // There are as many messages as fields that are too many, not as pairs of them.
    assert!(told.len() <= 5_002, "{}", told.len());
    assert!(told[0].contains("declared twice"), "{}", told[0]);
}
