//! What formulas are recognised as, and what they become.

use wherefore_base::SourceFile;
use wherefore_logic::ActionId;
use wherefore_logic::modal::ModalOp;
use wherefore_lts::mcl;
use wherefore_model::lts::{ModalQuestion, PropertyForm};

use crate::common::{self, label, labels, lowered, lts, parsed, warnings};

/// The shortest words of at most three labels that a safety property forbids.
fn forbidden(question: &ModalQuestion, texts: &[&str]) -> Vec<String> {
    let PropertyForm::Never(nfa, piece) = &question.form else {
        panic!("{:?}", question.form);
    };
    let lts = lts(texts);
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(word) = open.pop() {
        let mut now = vec![piece.entrance];
        let close = |now: &mut Vec<u32>| {
            let mut at = 0;
            while at < now.len() {
                for step in nfa.steps() {
                    if step.from == now[at] && step.reads.is_none() && !now.contains(&step.to) {
                        now.push(step.to);
                    }
                }
                at += 1;
            }
        };
        close(&mut now);
        for &text in &word {
            let label = lts.label(text).expect("it exists");
            let steps = nfa.steps().iter().filter(|step| {
                let reads = step.reads;
                now.contains(&step.from)
                    && reads.is_some_and(|a| question.actions[a].contains(label))
            });
            let mut next: Vec<u32> = steps.map(|step| step.to).collect();
            close(&mut next);
            now = next;
        }
        if now.contains(&piece.exit) {
            found.push(word.join(" "));
        } else if word.len() < 3 {
            open.extend(
                texts
                    .iter()
                    .map(|&text| [word.clone(), vec![text]].concat()),
            );
        }
    }
    found.sort();
    found
}

#[test]
fn all_ways_to_write_a_safety_property_are_recognised() {
    let texts = ["a", "b", "c"];
    let ways = [
        "['a' . 'b'] false",
        "([ 'a' . 'b' ] false)",
        "['a'] ['b'] false",
        "not <'a' . 'b'> true",
        "not <'a'> <'b'> true",
        "<'a' . 'b'> true implies false",
        "['a'] (['b'] false and true)",
        "['a' . 'b'] false and ['a' . 'b'] (true and false)",
        "['a' . 'b' | false] false",
        "nu X . ['a'] ['b'] (false and X)",
        "not mu X . (<'a'> <'b'> (true or X))",
        "macro NEVER (R) = [R] false end_macro NEVER ('a' . 'b')",
        "macro AFTER (A, F) = [A] F end_macro AFTER ('a', AFTER (\"b\", false))",
        "macro B = 'b' end_macro macro SEQ (X, Y) = X . Y end_macro [SEQ ('a', B)] false",
        "forall n:nat among {1 ... 2} . ['a' . 'b'] false",
    ];
    for way in ways {
        let question = lowered(way, &lts(&texts)).question;
        assert_eq!(forbidden(&question, &texts), ["a b"], "{way}");
    }
    let question = lowered("nu X . (['a'] false and [not 'b'] X)", &lts(&texts)).question;
    let expected = ["a", "c a", "c c a"];
    assert_eq!(forbidden(&question, &texts), expected);
}

#[test]
fn a_plain_regular_formula_keeps_its_sequences() {
    let texts = ["a", "b"];
    let question = lowered("[true* . 'a' . true*] false", &lts(&texts)).question;
    assert_eq!(forbidden(&question, &texts), ["a", "b a", "b b a"]);
    assert_eq!(question.system.equations.len(), 6);
    assert_eq!(question.system.blocks.len(), 1);
}

fn inevitable(text: &str, texts: &[&str]) -> Option<Vec<Vec<String>>> {
    let lts = lts(texts);
    let question = lowered(text, &lts).question;
    let PropertyForm::Inevitable(actions) = &question.form else {
        return None;
    };
    let set = |action: &ActionId| {
        let set = question.actions[*action].iter();
        set.map(|label| lts.text(label).to_owned()).collect()
    };
    Some(actions.iter().map(set).collect())
}

#[test]
fn inevitable_actions_and_sequences_are_recognised() {
    let texts = ["a", "b", "c", "d"];
    let table: [(&str, &[&[&str]]); 7] = [
        ("mu X . (<true> true and [not 'a'] X)", &[&["a"]]),
        ("mu X . (['b' or 'c' or 'd'] X and <true> true)", &[&["a"]]),
        (
            "mu X . (['b'] X and <true> true and [not ('b' or 'a')] X)",
            &[&["a"]],
        ),
        ("not nu X . ([true] false or <not 'a'> X)", &[&["a"]]),
        ("mu X . (<true> true and [not '[ab]'] X)", &[&["a", "b"]]),
        (
            "macro THEN (A, F) = mu X . (<true> true and [not A] X and [A] F) end_macro
             THEN ('a', THEN ('b', true))",
            &[&["a"], &["b"]],
        ),
        (
            "mu X . (<true> true and [not 'a'] X and ['a'] mu Y . (<true> true and [not 'b'] Y and ['b'] mu Z . (<true> true and [not 'c'] Z)))",
            &[&["a"], &["b"], &["c"]],
        ),
    ];
    for (text, expected) in table {
        let found = inevitable(text, &texts);
        let expected: Vec<Vec<String>> = expected
            .iter()
            .map(|set| set.iter().map(|text| (*text).to_owned()).collect())
            .collect();
        assert_eq!(found, Some(expected), "{text}");
    }
}

#[test]
fn what_only_looks_like_inevitability_is_not_taken_for_it() {
    let texts = ["a", "b"];
    let table = [
        "mu X . ([not 'a'] X)",
        "mu X . (<'b'> true and [not 'a'] X)",
        "mu X . (<true> true and <'b'> true and [not 'a'] X)",
        "mu X . (<true> <true> true and [not 'a'] X)",
        "mu X . (<true> true and [not 'a'] X and ['a'] X and ['a'] false)",
        "mu X . (<true> true and [not 'a'] X and ['b'] mu Y . (<true> true and [not 'b'] Y))",
        "mu X . (<true> true and [not 'a'] X and ['a'] mu Y . (<true> true and [not 'b'] Y and ['b'] X))",
        "nu X . (<true> true and [not 'a'] X)",
        "[true*] mu X . (<true> true and [not 'a'] X)",
        "<true*> <'a'> true",
    ];
    for text in table {
        let question = lowered(text, &lts(&texts)).question;
        assert!(
            matches!(question.form, PropertyForm::Other(_)),
            "{text}: {:?}",
            question.form
        );
    }
}

#[test]
fn other_properties_say_why_they_are_others() {
    let reason = |text: &str| match lowered(text, &lts(&["a", "b"])).question.form {
        PropertyForm::Other(reason) => reason,
        form => panic!("{form:?}"),
    };
    insta::assert_snapshot!(reason("[true*] <true> true"), @"`<true> true` asks for a step that is possible, which no single run refutes");
    insta::assert_snapshot!(reason("['a'] false or ['b'] false"), @"`['a'] false or ['b'] false` offers alternatives, which no single run refutes");
    insta::assert_snapshot!(reason("mu X . ['a'] X"), @"`['a'] X` asks that something happens in the end");
}

#[test]
fn equations_say_what_is_left_to_show() {
    let question = lowered(
        "not (* so *) <true* . 'a' . ('b' | nil)> (<true>\n  true or false)",
        &lts(&["a", "b"]),
    )
    .question;
    let equations = question.system.equations.iter();
    let shown: Vec<String> = equations
        .map(|e| format!("{}: {:?} {}", e.block, e.op, e.text))
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn variables_over_data_are_written_out_over_the_values_in_labels() {
    let texts = ["GO !1", "GO !2", "LOSE !1", "LOSE !2", "LOSE !ALL"];
    let text = "[{ LOSE ?l:nat } . true* . { GO !l } . true*] false";
    let question = lowered(text, &lts(&texts)).question;
    let mut expected = Vec::new();
    for l in ["1", "2"] {
        expected.push(format!("LOSE !{l} GO !{l}"));
        for between in texts {
            if between != format!("GO !{l}") {
                expected.push(format!("LOSE !{l} {between} GO !{l}"));
            }
        }
    }
    expected.sort();
    assert_eq!(forbidden(&question, &texts), expected);
    let every: Vec<String> = question
        .system
        .equations
        .iter()
        .filter(|equation| matches!(equation.op, ModalOp::Every(..)))
        .map(|equation| equation.text.clone())
        .collect();
    insta::assert_snapshot!(every.join("\n"));
}

#[test]
fn data_patterns_mean_what_their_expansion_by_hand_means() {
    let texts = [
        "GAME !1 !2 !ROCK",
        "GAME !2 !3 !ROCK",
        "LOSER !1",
        "LOSER !2",
        "TEMP !-4 !TRUE",
        "done",
        "send(3)",
    ];
    let table = [
        ("{ LOSER ?l:nat }", "'LOSER.*'"),
        ("{ LOSER ... }", "'LOSER.*'"),
        ("{ LOSER !1 }", "'LOSER !1'"),
        ("{ LOSER !1 + 1 }", "'LOSER !2'"),
        ("{ LOSER }", "false"),
        (
            "{ GAME ?m:nat ?n:nat ... where m = 2 or n = 2 }",
            "'GAME.*'",
        ),
        (
            "{ GAME ?m:nat ?n:nat ?w:Weapon where w = ROCK and m + 1 < n + m and not (m = 1) }",
            "'GAME !2.*'",
        ),
        ("{ GAME ?any ?any of nat ?any nat }", "false"),
        ("{ GAME ?any ?any of nat !ROCK }", "'GAME.*'"),
        ("{ GAME ?m:nat !m ... }", "false"),
        ("{ GAME ?m:nat !m + 1 ... }", "'GAME.*'"),
        ("{ TEMP ?t:int !true where t < -3 }", "'TEMP.*'"),
        ("{ TEMP ?t:nat ?any }", "false"),
        ("{ send !3 }", "'send.*'"),
        ("{ ... }", "true"),
        ("not { LOSER ?l:nat where l <> 1 }", "not 'LOSER !2'"),
        (
            "({ LOSER ?l:nat } . { GAME !l ... })",
            "('LOSER !1' . 'GAME !1.*' | 'LOSER !2' . 'GAME !2.*')",
        ),
        (
            "{ LOSER ?l:nat } . ({ GAME !l ... } | { GAME ?any !l ... })",
            "('LOSER !1' . 'GAME !1.*' | 'LOSER !2' . 'GAME.*')",
        ),
        (
            "({ LOSER ?l:nat } . { GAME !l ... })*",
            "('LOSER !1' . 'GAME !1.*' | 'LOSER !2' . 'GAME !2.*')*",
        ),
        (
            "{ LOSER ?l:nat } . { LOSER ?m:nat where m <> l } . { GAME !l !m ... }",
            "'LOSER !1' . 'LOSER !2' . 'GAME !1 !2.*'",
        ),
        (
            "{ LOSER ?l:nat } . 'done' . { LOSER ?l:nat } . { GAME !l ... }",
            "'LOSER.*' . 'done' . ('LOSER !1' . 'GAME !1.*' | 'LOSER !2' . 'GAME !2.*')",
        ),
    ];
    let lts = lts(&texts);
    for (data, plain) in table {
        let [one, other] = [data, plain].map(|regular| {
            let question = lowered(&format!("[{regular}] false"), &lts).question;
            forbidden(&question, &texts)
        });
        assert_eq!(one, other, "{data}");
    }
    let value = lowered("[{ LOSER ?l:nat }] [{ GAME !l ... }] false", &lts).question;
    let hand = lowered(
        "['LOSER !1' . 'GAME !1.*' | 'LOSER !2' . 'GAME !2.*'] false",
        &lts,
    );
    assert_eq!(forbidden(&value, &texts), forbidden(&hand.question, &texts));
}

#[test]
fn macros_take_values_and_are_chosen_by_the_number_of_their_arguments() {
    let texts = ["A !1", "A !2", "B"];
    let text = "macro NO (n) = [{ A !n }] false end_macro
                macro NO () = NO (1) and NO (2) end_macro
                macro BOTH (n) = [{ A ?m:nat }] NO (m) and NO (n) end_macro
                NO () and NO and BOTH (2)";
    let question = lowered(text, &lts(&texts)).question;
    assert_eq!(forbidden(&question, &texts), ["A !1", "A !2"]);
}

#[test]
fn a_variable_in_an_argument_is_the_one_where_the_argument_is_written() {
    let text = "macro EVER (F) = mu X . (F or <true> X) end_macro
                nu X . (EVER (<'a'> X))";
    let wrong = common::wrong(text, &lts(&["a"]));
    assert!(wrong.contains("not alternation-free"), "{wrong}");
    let text = "macro TWICE (F) = nu X . (F and ['b'] X) end_macro
                nu X . (TWICE (['a'] X))";
    lowered(text, &lts(&["a", "b"]));
}

#[test]
fn libraries_bring_macros_once() {
    let library = |name: &str| match name {
        "one.mcl" => Some(SourceFile::new(
            "one.mcl",
            "library two.mcl end_library macro ONE = TWO end_macro",
        )),
        "two.mcl" => Some(SourceFile::new(
            "two.mcl",
            "macro TWO = ['a'] false end_macro",
        )),
        _ => None,
    };
    let (_, parsed, diagnostics) = parsed(
        "library two.mcl, \"one.mcl\" end_library ONE and TWO",
        &library,
    );
    assert_eq!(diagnostics, []);
    assert_eq!(parsed.expect("nothing is wrong").properties().len(), 1);
}

#[test]
fn properties_have_names_texts_and_places() {
    let text = "macro A = 'a' end_macro
property safe \"nothing bad\" is
  [ A . (* then *)
    'b' ] false
end property
property live is <true> true; end property";
    let (sources, parsed, _) = parsed(text, &|_| None);
    let parsed = parsed.expect("nothing is wrong");
    let told: Vec<String> = parsed
        .properties()
        .map(|p| format!("{:?} {} {:?}", p.name(), p.text(), sources.place(p.span())))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
    for property in parsed.properties() {
        mcl::lower(&property, &lts(&["a", "b"])).expect("nothing is wrong");
    }
}

#[test]
fn actions_that_match_no_label_are_told_with_what_was_meant() {
    let mut lts = labels(
        ["REQUEST_EM", "SEND !1", "GAME !1 !2", "A|B"]
            .map(label)
            .into(),
    );
    let told = warnings(
        "[true* . ('REQEST_EM' | \"SEND\" | 'SEND' | 'nothing like it' | { GAEM ?x:nat } | { GAME ?x:nat }
          | 'SEND\\|RECEIVE' | '(x|y)+' | 'GAME !1.*')] false",
        &lts,
    );
    insta::assert_snapshot!(told);
    lts = labels(vec![label("a")]);
    assert_eq!(warnings("['a' . tau . false] false", &lts), "");
}

#[test]
fn operators_bind_as_the_documentation_says() {
    let alike = [
        (
            "['a' . 'b' | 'c' . 'a'] false",
            "[('a' . 'b') | ('c' . 'a')] false",
        ),
        ("['a' . 'b'* . 'c'] false", "['a' . ('b')* . 'c'] false"),
        ("['a' | 'b'*] false", "['a' | ('b'*)] false"),
        ("['a' or 'b'*] false", "[('a' or 'b')*] false"),
        ("[not 'a'*] false", "[(not 'a')*] false"),
        ("[not 'a' and 'b'] false", "[(not 'a') and 'b'] false"),
        ("['a' and 'b' or 'c'] false", "[('a' and 'b') or 'c'] false"),
        ("['a' or 'b' and 'c'] false", "['a' or ('b' and 'c')] false"),
        ("['a'*?+] false", "[(('a'*)?)+] false"),
        ("['a'{2}{3}] false", "[('a'{2}){3}] false"),
        ("['a'{0,2}] false", "[('a' . 'a'?)?] false"),
        ("['a'{1,}] false", "['a'+] false"),
        ("['a'{1...2}] false", "['a'{1,2}] false"),
        ("<'a'> true and <'b'> true", "(<'a'> true) and (<'b'> true)"),
        (
            "<'a'> true or <'b'> true and <'c'> true",
            "<'a'> true or (<'b'> true and <'c'> true)",
        ),
        (
            "<'a'> true implies <'b'> true implies <'c'> true",
            "<'a'> true implies (<'b'> true implies <'c'> true)",
        ),
        (
            "<'a'> true equ <'b'> true equ <'c'> true",
            "(<'a'> true equ <'b'> true) equ <'c'> true",
        ),
        (
            "<'a'> true equ <'b'> true implies <'c'> true",
            "<'a'> true equ (<'b'> true implies <'c'> true)",
        ),
        (
            "not <'a'> true or <'b'> true",
            "(not (<'a'> true)) or <'b'> true",
        ),
        ("['a'] not <'b'> true", "['a'] (not (<'b'> true))"),
        (
            "mu X . <'a'> X or <'b'> true",
            "mu X . (<'a'> X or <'b'> true)",
        ),
        ("['a'] mu X . <'a'> X", "['a'] (mu X . (<'a'> X))"),
        ("@ ('a')", "nu X . <'a'> X"),
        ("<'a' . 'b'> @", "nu X . <'a' . 'b'> X"),
        ("['a' | 'b'] -|", "mu X . ['a' | 'b'] X"),
        ("<('a' . 'b')+> @", "<'a' . 'b'> @"),
        (
            "mu X . (<'a'> X or nu X . ['b'] X)",
            "mu X . (<'a'> X or nu Y . ['b'] Y)",
        ),
        ("['a'] false;", "(* so *) ['a'] (* what *) false"),
    ];
    let lts = lts(&["a", "b", "c"]);
    for (one, other) in alike {
        let [one_is, other_is] = [one, other].map(|text| {
            let ModalQuestion {
                system, actions, ..
            } = lowered(text, &lts).question;
            let equations = system.equations.iter();
            let equations: Vec<_> = equations.map(|e| (e.op.clone(), e.block)).collect();
            (equations, system.blocks, actions)
        });
        assert_eq!(one_is, other_is, "{one} and {other}");
    }
}

#[test]
fn the_examples_of_the_documentation_are_read() {
    let page = include_str!("../../../docs/mcl.md");
    let lts = lts(&[
        "COIN !2",
        "CHOICE !BEER",
        "CHOICE !TEA",
        "DRINK !TEA",
        "LOST !1",
        "GAME !1 !2",
        "i",
    ]);
    let blocks: Vec<&str> = page.split("```mcl\n").skip(1).collect();
    assert_eq!(blocks.len(), 6);
    for block in blocks {
        let text = block.split("```").next().expect("a block has an end");
        assert_eq!(warnings(text, &lts), "", "{text}");
    }
}
