//! `--from`: properties asked from chosen states; `--name`: states that have names.

use crate::support::Folder;

#[test]
fn evidence_starts_in_a_chosen_state_and_says_how_many_there_are() {
    let folder = Folder::new("chosen");
    let broken = ["lamp.smv", "--from", "lamp = broken"];
    let check = [&["check"], &broken[..], &["-p", "mended"]].concat();
    let ran = folder.run(&check);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let said = "asked from 2 states where `lamp = broken`, all reachable\n";
    assert!(ran.out.contains(said), "{}", ran.out);
    assert!(ran.out.contains("0  lamp=broken"), "{}", ran.out);
    let hint = "wherefore explain lamp.smv --from 'lamp = broken' mended";
    assert!(ran.out.contains(hint), "{}", ran.out);
    let explained = [&["explain"], &broken[..], &["mended", "--format", "text"]].concat();
    let explained = folder.run(&explained);
    assert!(explained.out.contains(said), "{}", explained.out);
    let md = folder.run(&[&check[..], &["--format", "md"]].concat());
    assert!(md.out.contains("asked from 2 states"), "{}", md.out);
}

#[test]
fn documents_remember_where_they_were_asked_from() {
    let folder = Folder::new("saved");
    let check = [
        "check",
        "lamp.smv",
        "-p",
        "shines",
        "--from",
        "lamp = on & x = 1",
    ];
    let ran = folder.run(&[&check[..], &["--json", "saved.json"]].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for command in [
        &["replay", "lamp.smv", "saved.json"][..],
        &["show", "saved.json"],
    ] {
        let ran = folder.run(command);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    }
    let shown = folder.run(&["show", "saved.json"]);
    let said = "asked from 1 state where `lamp = on & x = 1`, which is reachable";
    assert!(shown.out.contains(said), "{}", shown.out);
    assert!(shown.out.contains("the chosen state"), "{}", shown.out);
    let diff = folder.run(&["diff", "lamp.smv", "saved.json"]);
    assert!(diff.out.contains("still shows it"), "{}", diff.out);
}

#[test]
fn a_condition_that_is_wrong_or_true_nowhere_is_told() {
    let folder = Folder::new("wrong");
    let nowhere = folder.run(&["check", "lamp.smv", "--from", "x = 2"]);
    assert_eq!(nowhere.code, Some(3), "{}{}", nowhere.out, nowhere.err);
    assert!(
        nowhere.err.contains("no state satisfies `x = 2`"),
        "{}",
        nowhere.err
    );
    let number = folder.run(&["check", "lamp.smv", "--from", "x + 1"]);
    assert_eq!(number.code, Some(3), "{}{}", number.out, number.err);
    assert!(number.err.contains("--from:1:1"), "{}", number.err);
    folder.write("two.aut", b"des (0, 1, 2)\n(0, a, 1)\n");
    let aut = folder.run(&["check", "two.aut", "--from", "x"]);
    assert_eq!(aut.code, Some(2), "{}{}", aut.out, aut.err);
    assert!(aut.err.contains("asked from chosen states"), "{}", aut.err);
}

#[test]
fn names_stand_wherever_a_state_is_shown() {
    let folder = Folder::new("names");
    let check = [
        "check",
        "lamp.smv",
        "-p",
        "mended",
        "--name",
        "Dark: lamp = off",
        "--name",
        "Gone: lamp = broken",
        "--name",
        "Never: lamp = off & lamp = on",
    ];
    let ran = folder.run(&check);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("0  [Dark] lamp=off"), "{}", ran.out);
    assert!(ran.out.contains("at step 2 (Gone)"), "{}", ran.out);
    let unused = "no state of the evidence is Never: none satisfies `lamp = off & lamp = on`";
    assert!(ran.out.contains(unused), "{}", ran.out);
    let english = folder.run(&[&check[..], &["--why", "english"]].concat());
    assert!(english.out.contains("(Gone)"), "{}", english.out);
    let md = folder.run(&[&check[..], &["--format", "md"]].concat());
    assert!(md.out.contains("**Gone**"), "{}", md.out);
    let written = [
        "--json", "n.json", "--dot", "n.dot", "--export", "n.svg", "--export", "n.mmd",
    ];
    folder.run(&[&check[..], &written].concat());
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).expect("it was written");
    assert!(
        read("n.dot").contains("label=\"2 Gone\\l"),
        "{}",
        read("n.dot")
    );
    assert!(read("n.svg").contains("2 Gone"));
    assert!(read("n.mmd").contains("2 Gone"));
    assert!(read("n.json").contains("\"Gone\""));
    let explained = folder.run(&[
        "explain", "lamp.smv", "mended", "--name", check[7], "--format", "text",
    ]);
    assert!(
        explained.out.contains("at step 2 (Gone)"),
        "{}",
        explained.out
    );
    let shown = folder.run(&["show", "n.json", "--name", check[7]]);
    assert!(shown.out.contains("[Gone]"), "{}", shown.out);
}

#[test]
fn a_name_that_is_no_name_is_refused() {
    let folder = Folder::new("no-name");
    for (name, message) in [
        ("Idle", "there is no `:`"),
        (": x = 1", "there is no name before the `:`"),
        ("A: lampe = on", "Did you mean `lamp`?"),
        ("A: x", "truth value"),
    ] {
        let ran = folder.run(&["check", "lamp.smv", "--name", name]);
        assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    let twice = [
        "check", "lamp.smv", "--name", "A: x = 1", "--name", "A: x = 0",
    ];
    let ran = folder.run(&twice);
    assert!(
        ran.err.contains("`A` is the name of other states"),
        "{}",
        ran.err
    );
}
