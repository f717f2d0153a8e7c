//! `wherefore check` on transition systems in Alloy: what the screen says of them.

use crate::support::Folder;

/// Somebody who is at one place after the other.
const WALK: &str = "
open ctl[Walk]
enum Place { Home, Wood, Pit }
sig Walk { at: one Place }
pred begin[w: Walk] { w.at = Home }
fact {
  all w, v: Walk | w.at = v.at implies w = v
  all w: Walk | w in initialState iff begin[w]
}
";

/// What `check` says of a text, with its options.
fn said(test: &str, text: &str, options: &[&str]) -> String {
    let folder = Folder::new(test);
    folder.write("walk.als", text.as_bytes());
    let ran = folder.run(&[&["check", "walk.als"], options].concat());
    ran.out + ran.err.as_str()
}

fn says(text: &str, wanted: &[&str]) {
    for wanted in wanted {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn steps_that_are_implications_are_named_in_a_scope_as_in_the_complete_system() {
    let text = format!(
        "{WALK}
        pred out[w, v: Walk] {{ w.at = Home => v.at = Wood }}
        pred falls[w, v: Walk] {{ w.at = Wood => v.at = Pit }}
        fact {{ all w, v: Walk | w -> v in nextState iff {{ out[w, v] falls[w, v] }} }}
        check Safe {{ ctl_mc[af[{{w: Walk | w.at = Home and w.at = Pit}}]] }} for 3 Walk"
    );
    for reach in ["scoped", "complete"] {
        let told = said("systems-guards", &text, &["--reach", reach]);
        says(&told, &["1  out ", "2  falls ", "no operation"]);
    }
}

#[test]
fn a_part_of_a_formula_is_told_as_the_model_writes_formulas() {
    let text = format!(
        "{WALK}
        pred out[w, v: Walk] {{ w.at = Home and v.at = Wood }}
        pred stay[w, v: Walk] {{ w = v }}
        fact {{ all w, v: Walk | w -> v in nextState iff (out[w, v] or stay[w, v]) }}
        fun p: set Walk {{ {{w: Walk | w.at = Pit}} }}
        fun q: set Walk {{ {{w: Walk | w.at = Wood}} }}
        check Never {{ ctl_mc[ag[and_[not_[p], not_[q]]]] }} for 3 Walk"
    );
    for reach in ["scoped", "complete"] {
        let told = said("systems-parts", &text, &["--reach", reach]);
        says(&told, &["of 2 parts only one fails: `ag[not_[q]]`"]);
    }
}

#[test]
fn fairness_is_told_in_the_words_of_its_definition() {
    let text = WALK.replace("ctl[", "ctlfc[");
    let text = format!(
        "{text}
        pred out[w, v: Walk] {{ w.at = Home and v.at = Wood }}
        pred back[w, v: Walk] {{ w.at = Wood and v.at = Home }}
        fact {{
          all w, v: Walk | w -> v in nextState iff (out[w, v] or back[w, v])
          all w: Walk | w in fc iff w.at = Wood
        }}
        check Falls {{ ctlfc_mc[af[{{w: Walk | w.at = Pit}}]] }} for 3 Walk"
    );
    for reach in ["scoped", "complete"] {
        let told = said("systems-fair", &text, &["--reach", reach]);
        says(&told, &["fairness `w.at = Wood` met"]);
    }
    let text = text.replace("ctlfc[Walk]", "ctlfc_several[Walk, Want]");
    let wants = "all w: Walk | w in fc[Air] iff w.at = Wood
          all w: Walk | w in fc[Rest] iff w.at = Home";
    let text = text.replace("all w: Walk | w in fc iff w.at = Wood", wants);
    let text = format!("{text}\nabstract sig Want {{}}\none sig Rest, Air extends Want {{}}");
    let told = said("systems-several", &text, &["--reach", "scoped"]);
    says(
        &told,
        &["fairness `w.at = Wood` met", "fairness `w.at = Home` met"],
    );
}

/// People who come one after the other; the scopes of the commands differ.
const GUESTS: &str = "
open ctl[Party]
sig Guest {}
sig Party { here: set Guest }
pred comes[p, q: Party] { some g: Guest - p.here | q.here = p.here + g }
fact {
  all p, q: Party | p.here = q.here implies p = q
  all p: Party | p in initialState iff no p.here
  all p, q: Party | p -> q in nextState iff comes[p, q]
}
check Few { ctl_mc[ag[{p: Party | #p.here < 3}]] } for exactly 4 Party, exactly 2 Guest
check FewOfMore { ctl_mc[ag[{p: Party | #p.here < 3}]] } for 2 Party, exactly 3 Guest
check Some { ctl_mc[ef[{p: Party | one p.here}]] } for 3 Party, exactly 2 Guest
";

#[test]
fn each_command_is_asked_of_the_complete_system_of_its_scopes() {
    let told = said("systems-scopes", GUESTS, &["--reach", "complete"]);
    says(
        &told,
        &[
            "4 states",
            "HOLDS  Few ",
            "HOLDS  Some ",
            "8 states",
            "FAILS  FewOfMore ",
        ],
    );
    assert!(!told.contains("UNDECIDED"), "{told}");
    let one = ["--reach", "complete", "-p", "FewOfMore"];
    let told = said("systems-one-scope", GUESTS, &one);
    says(&told, &["8 states", "FAILS  FewOfMore "]);
    let folder = Folder::new("systems-explain");
    folder.write("walk.als", GUESTS.as_bytes());
    let ran = folder.run(&[
        "explain",
        "walk.als",
        "--reach",
        "complete",
        "FewOfMore",
        "--format",
        "text",
    ]);
    assert!(
        ran.out.contains("FAILS  FewOfMore"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn evidence_is_replayed_in_the_complete_system_that_it_is_of() {
    let folder = Folder::new("systems-replay");
    folder.write("walk.als", GUESTS.as_bytes());
    for (options, shown) in [
        (
            &[][..],
            "Some, which held: still shows it\nFewOfMore, which failed: still shows it\n",
        ),
        (
            &["-p", "FewOfMore"],
            "FewOfMore, which failed: still shows it\n",
        ),
    ] {
        let check = [
            "check",
            "walk.als",
            "--reach",
            "complete",
            "--json",
            "saved.json",
        ];
        folder.run(&[&check[..], options].concat());
        let ran = folder.run(&["replay", "walk.als", "saved.json", "--reach", "complete"]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(ran.out.ends_with(shown), "{}{}", ran.out, ran.err);
    }
}

#[test]
fn what_holds_for_want_of_an_initial_state_is_told_to_hold_of_nothing() {
    let text = WALK.replace("w.at = Home }", "w.at = Home and w.at = Wood }");
    let text = format!(
        "{text}
        fact {{ all w, v: Walk | w -> v in nextState iff w.at = v.at }}
        check Safe {{ ctl_mc[ag[{{w: Walk | w.at != Pit}}]] }} for 3 Walk"
    );
    let told = said("systems-nothing", &text, &["--reach", "complete"]);
    let why = "holds, but only because there is no initial state";
    says(&told, &["1 holds vacuously", "VACUOUS  Safe ", why]);
    let told = said(
        "systems-nothing",
        &text,
        &["--reach", "complete", "--format", "md"],
    );
    says(
        &told,
        &["holds vacuously: only because there is no initial state"],
    );
}

/// The text of an example.
fn example(name: &str) -> String {
    let path = format!(
        "{}/../../examples/alloy/{name}.als",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).expect("the example is there")
}

#[test]
fn each_example_has_properties_of_all_classes_that_it_can_have() {
    let all = [
        "safety",
        "finite-liveness",
        "infinite-liveness",
        "existential",
    ];
    for name in [
        "musical_chairs",
        "data_transfer",
        "elevator",
        "telephone",
        "mutex",
        "traffic_light",
    ] {
        let text = example(name);
        let told = said(
            "systems-classes",
            &text,
            &["--reach", "complete", "--format", "json"],
        );
        for class in all {
            // Where only fair runs count, all that must happen is infinite liveness.
            let possible = class != "finite-liveness" || !text.contains("open ctlfc");
            let found = told.contains(&format!("\"class\": \"{class}\""));
            assert_eq!(found, possible, "{name}: {class}");
        }
    }
}

#[test]
fn the_mistakes_that_examples_tell_of_are_found() {
    let try_it = |name: &str, changes: &[(&str, &str)], fails: &str| {
        let mut text = example(name);
        for (from, to) in changes {
            assert!(text.contains(from), "{name}: {from}");
            text = text.replace(from, to);
        }
        let told = said("systems-mistakes", &text, &["--reach", "complete"]);
        says(&told, &[&format!("FAILS  {fails} ")]);
    };
    try_it(
        "musical_chairs",
        &[("  one c: g.left", "  lone c: g.left")],
        "OneTooFew",
    );
    let closes = "m.called - m.floor in n.called and m.floor not in n.called";
    try_it("elevator", &[(closes, "maybeCalled[m, n]")], "TopIsServed");
    let red = "c.light = Road -> Red and c.turn in c.waiting";
    let skipped = "c.light = Road -> Red and c.turn not in c.waiting";
    let changes = [
        (red, "c.turn.(c.light) = Red and c.turn in c.waiting"),
        (skipped, "c.turn not in c.waiting"),
    ];
    try_it("traffic_light", &changes, "OneAtATime");
}

#[test]
fn where_a_scope_is_hard_a_run_of_the_complete_system_shows_its_counterexample() {
    let text = example("traffic_light");
    let told = said("systems-brought", &text, &["-p", "NorthIsNext"]);
    says(&told, &["  counterexample", "Complete: A REAL BUG"]);
    assert!(!told.contains("undecided"), "{told}");
}
