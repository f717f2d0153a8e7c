//! What is read from models, and what is told about broken ones.

use wherefore_alloy::{Edition, LoadedAlloy, LoweringOptions, TraceShape, load, lower_trace};
use wherefore_base::{Budget, Diagnostic, Rng, SourceFile, SourceMap};

use crate::common::{good, outline, read, read_with, show, show_all};

/// Models that use the whole language between them.
const MODELS: [&str; 3] = [
    include_str!("models/tour.als"),
    include_str!("models/clock.als"),
    include_str!("models/old.als"),
];

/// The formula of a fact over a few signatures, with all its parentheses.
fn formula(text: &str) -> String {
    let signatures = "sig A { f, g: set A, h: A -> A } sig B {}";
    let model = good(&format!("{signatures} fact {{ {text} }}"));
    show(&model, model.facts[0].body)
}

/// Lowers every command of a model without mistakes.
fn lower_all(loaded: &LoadedAlloy) {
    if loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    for command in &loaded.model.commands {
        let shape = TraceShape { states: 2, back: 0 };
        let lowered = lower_trace(&loaded.model, command, &LoweringOptions::default(), shape);
        if let Ok(lowered) = lowered {
            assert_eq!(lowered.problem.check(), Ok(()), "{}", command.label);
        }
    }
}

#[test]
fn nested_overloading_is_resolved_in_time() {
    let joins = ".f".repeat(40);
    let text = format!("sig A {{ f: B }} sig B {{ f: A }} fact {{ some (A + B){joins} }}");
    read("deep.als", &text);
    let text = format!("sig A {{ f: B }} sig B {{ f: A }} fact {{ some A{joins} }}");
    good(&text);
    let text = format!("sig A {{ f: B }} sig B {{ f: A }} fact {{ some univ{joins} }}");
    read("deep.als", &text);
}

#[test]
fn models_are_read_as_written() {
    insta::glob!("models/*.als", |path| {
        let text = std::fs::read_to_string(path).expect("the model is readable");
        let (sources, loaded) = read("model.als", &text);
        let told = show_all(&sources, &loaded.diagnostics);
        insta::assert_snapshot!(format!("{}\n{told}", outline(&loaded.model)));
    });
}

/// What is told about a model: about its text and, if that can be read, about its commands.
fn told(text: &str) -> String {
    let (sources, loaded) = read("broken.als", text);
    let mut told = show_all(&sources, &loaded.diagnostics);
    if loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return told;
    }
    for command in &loaded.model.commands {
        let lowered = lower_trace(
            &loaded.model,
            command,
            &LoweringOptions::default(),
            TraceShape::STILL,
        );
        if let Err(refusal) = lowered {
            told.push_str(&format!("of {}: ", command.label));
            told.push_str(&show_all(&sources, &[refusal]));
        }
    }
    told
}

#[test]
fn every_broken_model_is_told_of_with_a_message_that_helps() {
    insta::glob!("broken/*.als", |path| {
        let text = std::fs::read_to_string(path).expect("the model is readable");
        let told = told(&text);
        assert!(!told.is_empty(), "nothing is told of {path:?}");
        insta::assert_snapshot!(told);
    });
}

#[test]
fn or_binds_more_loosely_than_implies_and_implies_than_and() {
    let read = formula("some A => some B or no A and no B");
    assert_eq!(read, "((Some(A) Implies Some(B)) Or (No(A) And No(B)))");
    let read = formula("some A => some B => no A else no B");
    assert_eq!(read, "(Some(A) Implies (Some(B) ? No(A) : No(B)))");
    let read = formula("some A iff some B => no A");
    assert_eq!(read, "(Some(A) Iff (Some(B) Implies No(A)))");
}

#[test]
fn not_is_looser_than_comparison_and_tighter_than_and() {
    assert_eq!(
        formula("not A = B and no A"),
        "(Not((A Equal B)) And No(A))"
    );
    assert_eq!(formula("A not in B"), "Not((A In B))");
    assert_eq!(formula("no A + B"), "No((A Union B))");
}

#[test]
fn set_operators_bind_in_their_order() {
    assert_eq!(
        formula("some A + A & A"),
        "Some((A Union (A Intersection A)))"
    );
    assert_eq!(
        formula("some f ++ A -> A & f"),
        "Some((A<:f Override ((A Set->Set A) Intersection A<:f)))"
    );
    assert_eq!(formula("some A <: f.g"), "Some((A Domain (A<:f.A<:g)))");
    assert_eq!(
        formula("some A -> A <: f"),
        "Some((A Set->Set (A Domain A<:f)))"
    );
    assert_eq!(
        formula("#A.f + 1 = 2"),
        "((Cardinality((A.A<:f)) Union 1) Equal 2)"
    );
    assert_eq!(formula("some A.^f.g"), "Some(((A.Closure(A<:f)).A<:g))");
    assert_eq!(formula("some ^f.g"), "Some((Closure(A<:f).A<:g))");
    assert_eq!(formula("some A.h[A]"), "Some((A.(A.A<:h)))");
}

#[test]
fn a_quantifier_goes_as_far_to_the_right_as_it_can() {
    let read = formula("some A and all x: A | x in A or no B");
    assert_eq!(read, "(Some(A) And (All x: One A | ((x In A) Or No(B))))");
}

#[test]
fn a_call_with_a_receiver_is_a_call_with_the_receiver_first() {
    let model =
        good("sig A {} pred p[a: A, b: set A] { a in b } fact { all x: A | x.p[A] and p[x, A] }");
    let shown = show(&model, model.facts[0].body);
    assert_eq!(shown, "(All x: One A | (p[x, A] And p[x, A]))");
}

#[test]
fn overloaded_fields_are_told_apart_by_their_types() {
    let model = good("sig A { f: C } sig B { f: C } sig C {} fact { all a: A, b: B | a.f = b.f }");
    let shown = show(&model, model.facts[0].body);
    assert_eq!(
        shown,
        "(All a: One A, b: One B | ((a.A<:f) Equal (b.B<:f)))"
    );
}

#[test]
fn meanings_with_other_columns_do_not_count() {
    let text = "sig R { keys: set K } sig G { keys: K -> T } sig K {} sig T {} \
                pred p[k: K, t: T] { k in keys.t } run p";
    let (_, loaded) = read("model.als", text);
    lower_all(&loaded);
    let text = "sig N { next: N } sig M { state: S } sig S { to: set N } sig T { state: N -> S } \
                pred p[m: M] { m.state.to = next } run p";
    let (_, loaded) = read("model.als", text);
    assert!(loaded.diagnostics.iter().any(Diagnostic::is_error));
}

#[test]
fn a_field_in_its_signature_is_that_of_this_unless_it_says_otherwise() {
    let model = good("sig A { f: set A } { no f and some @f }");
    let (_, sig) = model.declared().next().expect("there is one");
    let fact = sig.fact.expect("there is a fact");
    assert_eq!(show(&model, fact), "(No((this.A<:f)) And Some(A<:f))");
}

#[test]
fn names_may_end_with_a_quote_in_both_editions_and_with_a_prime_in_the_old_one() {
    let model = good("sig A { f: A } pred p[x, x\": A] { x\" = x.f } run p");
    assert_eq!(model.commands.len(), 1);
    let model = good("sig A { f: A } pred p[x, x': A] { x' = x.f } run p");
    assert_eq!(model.commands.len(), 1);
}

#[test]
fn a_told_edition_is_kept() {
    let mut sources = SourceMap::default();
    let text = "sig A { f: A } pred p[x, x': A] { x' = x.f } run p";
    let file = sources.add(SourceFile::new("a.als", text));
    for (edition, fails) in [(Edition::Six, true), (Edition::Four, false)] {
        let loaded = load(
            &mut sources,
            file,
            Some(edition),
            &mut |_| None,
            &Budget::unlimited(),
        );
        let diagnostics = loaded.expect("no limit").diagnostics;
        assert_eq!(diagnostics.iter().any(Diagnostic::is_error), fails);
    }
}

#[test]
fn every_module_that_is_built_in_is_read_without_a_word() {
    for path in [
        "boolean",
        "integer",
        "natural",
        "relation",
        "sequniv",
        "ternary",
        "time",
        "ordering[A]",
        "graph[A]",
        "sequence[A]",
        "seqrel[A]",
    ] {
        let text = format!("open util/{path} as m sig A {{}} run {{}}");
        let (sources, loaded) = read("model.als", &text);
        assert_eq!(show_all(&sources, &loaded.diagnostics), "", "util/{path}");
    }
}

#[test]
fn modules_are_found_beside_the_file_and_win_over_those_that_are_built_in() {
    let main = "module shop/main open shop/item open util/boolean run { some Item and some Mine }";
    let files = [
        ("m/shop/item.als", "module shop/item sig Item {}"),
        ("m/util/boolean.als", "module util/boolean sig Mine {}"),
    ];
    let (sources, loaded) = read_with("m/shop/main.als", main, &files);
    assert_eq!(show_all(&sources, &loaded.diagnostics), "");
}

#[test]
fn one_module_with_the_same_arguments_is_one_and_with_others_another() {
    let main = "open pair[A] as p open pair[A] as q open pair[B] as r sig A {} sig B {} \
                run { p/Pair = q/Pair and no p/Pair & r/Pair }";
    let files = [("pair.als", "module pair[x] sig Pair { left, right: x }")];
    let (_, loaded) = read_with("main.als", main, &files);
    let pairs = loaded
        .model
        .declared()
        .filter(|(_, sig)| sig.label.ends_with("Pair"));
    assert_eq!(pairs.count(), 2);
}

#[test]
fn of_several_names_a_module_has_that_which_alloy_gives_it() {
    let main = "module main open sub/far as far open sub/near[far/F] as near open util/ordering[A] \
                open sub/near[A] open Twice as b open Twice as B sig A { s: seq A } enum E { X }";
    let files = [
        (
            "sub/far.als",
            "module sub/far open sub/near[F] as n sig F {}",
        ),
        ("sub/near.als", "module sub/near[t] open sub/deep sig N {}"),
        ("sub/deep.als", "module sub/deep sig D {}"),
        ("Twice.als", "module Twice sig T {}"),
    ];
    let (sources, loaded) = read_with("main.als", main, &files);
    assert_eq!(show_all(&sources, &loaded.diagnostics), "");
    let labels = loaded.model.declared().map(|(_, sig)| sig.label.as_str());
    let mut labels: Vec<&str> = labels.filter(|label| label.contains('/')).collect();
    labels.sort_unstable();
    let told = "B/T far/F near/N near/deep/D open$5/N open$9/Ord ordering/Ord";
    assert_eq!(labels.join(" "), told);
}

#[test]
fn modules_that_open_each_other_are_told_of() {
    let files = [
        ("a.als", "module a open b sig A {}"),
        ("b.als", "module b open a sig B {}"),
    ];
    let (sources, loaded) = read_with("main.als", "open a run {}", &files);
    insta::assert_snapshot!(show_all(&sources, &loaded.diagnostics), @r"
    error: The module `a` opens itself, perhaps by way of others
      b.als:1:10 `open a`
      help: Move what both need into a module of its own.
    ");
}

#[test]
fn what_is_private_is_hidden_from_other_modules() {
    let files = [(
        "lib.als",
        "module lib private sig Secret {} sig Open {} private pred p {} ",
    )];
    for (goal, hidden) in [("some Open", false), ("some Secret", true), ("p", true)] {
        let (_, loaded) = read_with("main.als", &format!("open lib run {{ {goal} }}"), &files);
        assert_eq!(
            loaded.diagnostics.iter().any(Diagnostic::is_error),
            hidden,
            "{goal}"
        );
    }
}

#[test]
fn every_prefix_of_a_model_is_read_without_a_panic() {
    for text in MODELS {
        for (end, _) in text.char_indices().step_by(3) {
            let (sources, loaded) = read("prefix.als", &text[..end]);
            show_all(&sources, &loaded.diagnostics);
            lower_all(&loaded);
        }
    }
}

#[test]
fn soups_of_tokens_are_read_without_a_panic() {
    let words = [
        "sig",
        "A",
        "{",
        "}",
        "f",
        ":",
        "set",
        "one",
        "->",
        "lone",
        ",",
        "fact",
        "all",
        "x",
        "|",
        "some",
        "in",
        "=",
        "(",
        ")",
        "[",
        "]",
        ".",
        "~",
        "^",
        "*",
        "#",
        "+",
        "-",
        "&",
        "++",
        "<:",
        "let",
        "pred",
        "fun",
        "run",
        "check",
        "for",
        "3",
        "but",
        "exactly",
        "open",
        "util/ordering",
        "as",
        "o",
        "enum",
        "abstract",
        "extends",
        "disj",
        "sum",
        "Int",
        "int",
        "seq",
        "this",
        "@",
        "not",
        "!",
        "=>",
        "else",
        "or",
        "and",
        "iff",
        "'",
        ";",
        "always",
        "\"",
        "until",
        "no",
        "none",
        "univ",
        "iden",
        "private",
        "var",
        "assert",
        "expect",
        "1",
        "module",
        "b",
        "String",
    ];
    let mut rng = Rng::new(0);
    for length in [3, 5, 8, 13, 21, 34, 55, 89].into_iter().cycle().take(400) {
        let mut soup = String::from("sig A { f: A } ");
        for _ in 0..length {
            soup.push_str(rng.pick::<&str>(&words));
            soup.push(' ');
        }
        let (sources, loaded) = read("soup.als", &soup);
        show_all(&sources, &loaded.diagnostics);
        lower_all(&loaded);
    }
}

#[test]
fn at_most_twenty_errors_are_told() {
    let lines: String = (0..1000)
        .map(|n| format!("fact {{ wrong{n} }}\n"))
        .collect();
    let (_, loaded) = read("many.als", &lines);
    assert_eq!(loaded.diagnostics.len(), 20);
}

#[test]
fn ten_thousand_lines_are_read() {
    let mut text = String::from("abstract sig Thing { next: set Thing }\n");
    for n in 0..5_000 {
        text.push_str(&format!("sig S{n} extends Thing {{ f{n}: set S{n} }}\n"));
        text.push_str(&format!(
            "pred p{n}[x: S{n}] {{ x in x.f{n} and some x.next }}\n"
        ));
    }
    text.push_str("run p7 for 3\n");
    let model = good(&text);
    assert_eq!(
        model
            .functions
            .iter()
            .filter(|f| f.label.starts_with('p'))
            .count(),
        5_000
    );
}

#[test]
fn deep_nesting_is_read() {
    let depth = 20_000;
    for (open, close) in [("(", ")"), ("not (", ")"), ("{", "}"), ("some A => (", ")")] {
        let text = format!(
            "sig A {{}} fact {{ {}some A{} }}",
            open.repeat(depth),
            close.repeat(depth)
        );
        let (sources, loaded) = read("deep.als", &text);
        assert_eq!(show_all(&sources, &loaded.diagnostics), "");
    }
    let text = format!("sig A {{ f: A }} fact {{ some A{} }}", ".f".repeat(depth));
    good(&text);
    let text = format!(
        "sig A {{}} fact {{ {} some A }}",
        "all x: A | ".repeat(2_000)
    );
    read("deep.als", &text);
}

#[test]
fn time_that_is_up_ends_the_reading() {
    let text = "sig A {} fact { some A }\n".repeat(10_000);
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("long.als", text));
    let budget = Budget::new(Some(std::time::Duration::ZERO), None);
    assert!(load(&mut sources, file, None, &mut |_| None, &budget).is_err());
}

#[test]
fn a_call_has_the_type_that_its_arguments_give_it() {
    good(
        "open util/relation sig A { f: C } sig B { f: C } sig C {} one sig Q { s: seq A, r: A -> C } \
         fun pick[x: set univ]: set x { x } \
         fact { some Q.s.first.f and some dom[Q.r].f and some ran[~(Q.r)].f and some pick[A].f } \
         fact { (all x: Q.s.elems | some x.f) and some Q.s.rest.first.f and some Q.s.add[A].last.f }",
    );
    let (sources, loaded) = read(
        "model.als",
        "sig A { f: C } sig B { f: C } sig C {} fun pick[x: set univ]: set x { x } \
         fact { some pick[A + B].f }",
    );
    assert!(show_all(&sources, &loaded.diagnostics).contains("several things"));
}

#[test]
fn a_field_wins_over_a_function_of_the_module_of_integers() {
    let model = good(
        "sig Node { var next: lone Node, value: Int } one sig Head in Node {} \
         fact { next' = next + Head -> Head }",
    );
    let shown = show(&model, model.facts[0].body);
    assert_eq!(
        shown,
        "(Prime(Node<:next) Equal (Node<:next Union (Head Set->Set Head)))"
    );
    let model = good("sig A { f: Int } fact { some a: A | a.f.next = 3 }");
    assert!(show(&model, model.facts[0].body).contains("integer/next"));
}
