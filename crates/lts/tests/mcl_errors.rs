//! What we tell about broken properties.

use wherefore_base::SourceFile;
use wherefore_diagnostics::render_diagnostic;

use crate::common::{self, lts, parsed, read};

/// Texts that are rejected, by what is wrong with them.
const BROKEN: &[(&str, &[&str])] = &[
    (
        "text",
        &[
            "",
            "(* only a comment *)",
            "[true*] false (* no end",
            "['a] false",
            "[\"a\n\"] false",
            "['a'] $ false",
            "['é'] é",
        ],
    ),
    (
        "syntax",
        &[
            "['a'",
            "['a'] ",
            "['a' . ] false",
            "['a' ] false)",
            "(['a'] false",
            "<'a'] true",
            "[] false",
            "['a'] false ['b'] false",
            "['a'] false & ['b'] false",
            "['a'* or 'b'] false",
            "['a'{}] false",
            "['a'{3,2}] false",
            "['a'{99999999999}] false",
            "@ 'a'",
            "mu . true",
            "mu X true",
            "mu true . true",
            "mu X (n:nat := 1) . true",
            "library a.mcl",
            "property p is true",
            "property p true end property",
            "property p is true end property property p is false end property",
            "property p is true end property ['a'] false",
            "and true",
        ],
    ),
    (
        "names",
        &[
            "['a'] X",
            "[REQUEST] false",
            "mu Xyz . (<'a'> Xyy)",
            "macro M (x) = [x] false end_macro M",
            "macro M (x) = [x] false end_macro M ('a', 'b')",
            "macro M = M end_macro M",
            "macro M (x, x) = [x] false end_macro M ('a', 'b')",
            "macro M (x) = [x] false end_macro macro M (y) = <y> true end_macro M ('a')",
            "macro M (x) = [x] false M ('a')",
            "macro true (x) = [x] false end_macro true",
            "macro M (x = [x] false end_macro M ('a')",
            "NEVER ('a')",
            "mu X . macro",
        ],
    ),
    (
        "kinds",
        &[
            "'a'",
            "'a' . 'b'",
            "{ A ?x:nat }",
            "[<'a'> true] false",
            "[not ('a' . 'b')] false",
            "[('a'*) and 'b'] false",
            "[mu X . X] false",
            "mu X . [X] false",
            "[3] false",
            "macro M (R) = [R] false end_macro M (['a'] false)",
            "macro M (F) = ['a'] F end_macro M ('a')",
            "macro M (F) = ['a'] F end_macro M (3)",
            "macro M (n) = [{ A !n }] false end_macro M ('a')",
            "[{ A ?x:nat }] x",
        ],
    ),
    (
        "fixpoints",
        &[
            "mu X . not X",
            "mu X . (X implies false)",
            "mu X . (X equ true)",
            "nu X . mu Y . (<'a'> X or <'b'> Y)",
            "mu X . [true*] X",
            "nu X . <'a'* . 'b'> X",
            "<'a'* . 'b'> @",
            "@ (('a' . 'b'*) | 'b')",
            "['a'* . 'b'] -|",
        ],
    ),
    (
        "regular_expressions",
        &[
            "['a[b'] false",
            "['a\\(b'] false",
            "['a\\)b'] false",
            "['\\(a\\)\\1'] false",
            "['[[:what:]]'] false",
            "['[z-a]'] false",
            "['\\(a\\{1000\\}\\)\\{1000\\}'] false",
        ],
    ),
    (
        "data",
        &[
            "[{ }] false",
            "[{ A ?x }] false",
            "[{ A ?x:nat",
            "[{ A ?x:real }] false",
            "[{ A ... !1 }] false",
            "[{ A ?x:nat ?x:nat }] false",
            "[{ A x }] false",
            "[{ A ?x:nat where }] false",
            "[{ A ?x:nat where x }] false",
            "[{ A ?x:nat where x = ROCK }] false",
            "[{ A ?x:nat where ROCK < PAPER }] false",
            "[{ A ?x:nat where not x }] false",
            "[{ A ?x:nat where x and true }] false",
            "[{ A ?x:nat where x / 0 = 1 }] false",
            "[{ A ?x:nat where x = 9223372036854775807 * 2 }] false",
            "[{ A ?x:nat where x = 99999999999999999999 }] false",
            "mu X . [{ A ?x:nat where x = X }] X",
            "exists x:nat . <'a'> true",
            "exists x:nat among {1 ... ROCK} . <{ A !x }> true",
        ],
    ),
    (
        "other_versions",
        &[
            "if <'a'> true then <'b'> true else false end if",
            "let x:nat := 1 in <{ A !x }> true end let",
            "[while true do 'a' end while] false",
            "[for x:nat from 1 to 3 do 'a' end for] false",
            "[loop 'a' end loop] false",
            "[choice x:nat in { A !x } end choice] false",
            "prob 'a' is > 0.5 end prob",
            "AG (true)",
        ],
    ),
    (
        "size",
        &[
            "['a'{4000000000}] false",
            "[((('a'{1000}){1000}){1000}){1000}] false",
            "[nil{4000000000}] false",
            "forall x:nat among {1 ... 1000000000} . ['a'] false",
        ],
    ),
];

#[test]
fn every_broken_property_is_rejected_with_a_message_that_helps() {
    let lts = lts(&["a", "b", "A !1", "A !2"]);
    for (kind, texts) in BROKEN {
        let shown = texts.iter().map(|text| {
            let wrong = match read(text, &lts).0 {
                Err(wrong) => wrong,
                Ok(_) => panic!("nothing is wrong with {text}"),
            };
            format!("{text}\n\n{wrong}")
        });
        let line = format!("\n\n{}\n", "-".repeat(60));
        let shown: Vec<String> = shown.collect();
        insta::assert_snapshot!(*kind, shown.join(&line));
    }
}

#[test]
fn libraries_that_are_missing_broken_or_include_each_other_are_told() {
    let library = |name: &str| {
        let text = match name {
            "round.mcl" => "library about.mcl end_library",
            "about.mcl" => "library round.mcl end_library",
            "self.mcl" => "library property.mcl end_library",
            "property.mcl" => "true",
            "broken.mcl" => "macro M = [ end_macro",
            "formula.mcl" => "macro M = true end_macro [true] false",
            _ => return None,
        };
        Some(SourceFile::new(name, text))
    };
    let names = [
        "no.mcl",
        "round.mcl",
        "self.mcl",
        "broken.mcl",
        "formula.mcl",
    ];
    let shown = names.map(|name| {
        let text = format!("library {name} end_library\ntrue");
        let (sources, parsed, diagnostics) = parsed(&text, &library);
        assert!(parsed.is_none());
        let shown = diagnostics
            .iter()
            .map(|d| render_diagnostic(&sources, d, false));
        shown.collect::<Vec<_>>().join("\n\n")
    });
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn a_macro_that_doubles_again_and_again_is_too_large() {
    let mut text = String::from("macro M0 (x) = ['a'] x end_macro\n");
    for n in 1..60 {
        text += &format!(
            "macro M{n} (x) = M{} (x) and M{} (x) end_macro\n",
            n - 1,
            n - 1
        );
    }
    text += "M59 (false)";
    let wrong = common::wrong(&text, &lts(&["a"]));
    assert!(wrong.contains("too large"), "{wrong}");
}

#[test]
fn a_fixpoint_whose_reach_is_easily_mistaken_is_told() {
    let told = common::warnings("nu X . ['a'] false and ['b'] X", &lts(&["a", "b"]));
    insta::assert_snapshot!(told);
}

const TOUR: &str = "library l.mcl end_library
macro AFTER (R, F) = [R] F end_macro
property one is
  AFTER (true* . 'a' . (not \"b\" and visible)*, nu X . (<true> true or [tau | nil] X))
end property
property two is
  ([{ A ?x:nat ?any ... where x + 1 < 3 and not (x = 2) } . 'b'{2,3}] @ ({ A !x })) equ
  forall y:nat among {1 ... 3} . [('a'+)?] -|
end property";

#[test]
fn every_prefix_of_a_property_is_read_without_a_panic() {
    let library = |_: &str| Some(SourceFile::new("l.mcl", ""));
    for (end, _) in TOUR.char_indices() {
        check(&TOUR[..end], &library);
    }
}

#[test]
fn a_property_with_a_token_left_out_or_doubled_is_read_without_a_panic() {
    let library = |_: &str| Some(SourceFile::new("l.mcl", ""));
    let tokens: Vec<&str> = TOUR
        .split_inclusive(|c: char| !c.is_alphanumeric())
        .collect();
    for out in 0..tokens.len() {
        let without = [&tokens[..out], &tokens[out + 1..]].concat();
        check(&without.concat(), &library);
        let doubled = [&tokens[..out], &tokens[out..=out], &tokens[out..]].concat();
        check(&doubled.concat(), &library);
    }
}

fn check(text: &str, library: &dyn Fn(&str) -> Option<SourceFile>) {
    let lts = lts(&["a", "b", "A !1 !x", "i"]);
    let (sources, parsed, diagnostics) = parsed(text, library);
    for diagnostic in &diagnostics {
        render_diagnostic(&sources, diagnostic, false);
    }
    for property in parsed.iter().flat_map(|parsed| parsed.properties()) {
        if let Err(wrong) = wherefore_lts::mcl::lower(&property, &lts) {
            for diagnostic in &wrong {
                render_diagnostic(&sources, diagnostic, false);
            }
        }
    }
}
