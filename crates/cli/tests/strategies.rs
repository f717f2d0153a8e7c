//! `--strategy` and `--evidence-time`: every spelling runs, and what is wrong is refused.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Folder, Ran};

/// A folder with the examples and their scripts.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(&format!("strategies-{test}"));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for place in [examples.clone(), examples.join("strategies")] {
        for entry in fs::read_dir(place).expect("the examples are there") {
            let path = entry.expect("the examples are there").path();
            if path.is_file() {
                let name = path.file_name().expect("a file has a name");
                fs::copy(&path, folder.0.join(name)).expect("an example can be copied");
            }
        }
    }
    folder
}

fn third(folder: &Folder, strategy: &str) -> Ran {
    let args = [
        "check",
        "elevator.smv",
        "-p",
        "third",
        "--strategy",
        strategy,
    ];
    folder.run(&args)
}

/// The message and the place of an error.
fn refused(folder: &Folder, strategy: &str) -> String {
    let ran = third(folder, strategy);
    assert_eq!(ran.code, Some(2), "{strategy}: {}", ran.err);
    assert_eq!(ran.out, "", "{strategy}");
    ran.err
}

#[test]
fn every_spelling_gives_replayed_evidence() {
    let folder = folder("spellings");
    folder.write(
        "turns",
        b"up -> up when direction = up\nup -> down when direction = down\n",
    );
    folder.write(
        "mine",
        b"# mine\navoid:floor = 1 -- not again\n\nrandom:3\n",
    );
    let saved = ["check", "elevator.smv", "--json", "saved.json", "-q"];
    assert_eq!(folder.run(&saved).code, Some(1));
    let spellings = [
        "random",
        "random:7",
        "smallest",
        "prefer:floor = 2",
        "avoid:floor = 1",
        "explored",
        "new",
        "stay",
        "alternate:btn2.p;!btn2.p",
        "follow:turns",
        "nearest:floor=2,door=open",
        "farthest:floor=1",
        "loop:3",
        "loop-through:floor = 2",
        "cheapest:5",
        "partial:9",
        "like:saved.json",
        "ask",
        "script:smallest.rhai",
        "script:explored.rhai",
        "script:alternate.rhai",
        "file:mine",
    ];
    for engine in ["explicit", "bdd"] {
        for strategy in spellings {
            let mut args = vec!["check", "elevator.smv", "button.smv", "--engine", engine];
            args.extend(["-p", "third", "-p", "served", "--strategy", strategy]);
            args.extend(["--width", "200", "--format", "text"]);
            // Some speak of the lift, which the button knows nothing of.
            let files = ["follow:turns", "file:mine", "script:alternate.rhai"];
            let of_lift = strategy.contains("floor") || strategy.contains("btn2");
            if of_lift || files.contains(&strategy) {
                args.retain(|arg| *arg != "button.smv");
            }
            let ran = folder.run(&args);
            assert_eq!(ran.code, Some(1), "{strategy}: {}", ran.err);
            assert!(
                ran.out.contains("[replayed: ok]"),
                "{strategy}: {}",
                ran.out
            );
            let chosen = format!("[chosen by: {strategy}]");
            assert!(ran.out.contains(&chosen), "{strategy}: {}", ran.out);
            if strategy != "ask" {
                assert_eq!(ran.err, "", "{strategy}");
            }
        }
    }
}

#[test]
fn the_engines_choose_alike() {
    let folder = folder("engines");
    for strategy in ["random:5", "script:alternate.rhai", "new"] {
        let run = |engine| {
            let args = [
                "check",
                "elevator.smv",
                "--strategy",
                strategy,
                "--format",
                "json",
            ];
            let ran = folder.run(&[&args[..], &["--engine", engine]].concat());
            let start = ran
                .out
                .find("\"properties\"")
                .expect("there are properties");
            ran.out[start..].to_string()
        };
        assert_eq!(run("explicit"), run("bdd"), "{strategy}");
    }
}

#[test]
fn strategies_compose_in_order() {
    let folder = folder("compose");
    let both = ["--strategy", "avoid:btn3.p", "--strategy", "random:2"];
    let args = ["check", "elevator.smv", "-p", "third", "--format", "json"];
    let ran = folder.run(&[&args[..], &both[..]].concat());
    assert_eq!(ran.code, Some(1));
    assert!(!ran.out.contains("\"btn3.p\": true"));
    let random = third(&folder, "random:2");
    assert!(random.out.contains("btn3.p"), "{}", random.out);
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    let folder = folder("wrong");
    let err = refused(&folder, "avoyd:floor = 1");
    assert!(
        err.contains("there is no strategy `avoyd`; did you mean `avoid`?"),
        "{err}"
    );
    assert!(err.contains("loop-through:EXPR"), "{err}");
    assert!(refused(&folder, "avoid:flor = 1").contains("<strategy>:1:7"));
    assert!(refused(&folder, "prefer:floor").contains("a truth value is expected"));
    assert!(refused(&folder, "nearest:flor=1").contains("did you mean `floor`?"));
    assert!(refused(&folder, "nearest:floor=4").contains("<strategy>:1:15"));
    assert!(refused(&folder, "loop:many").contains("the number of steps"));
    for spelling in ["script", "follow", "like", "file"] {
        let err = refused(&folder, &format!("{spelling}:nothing.here"));
        assert!(
            err.contains("nothing.here: the file cannot be read"),
            "{err}"
        );
    }
    folder.write(
        "a",
        b"up -> up when direction = up\nup -> down when direction = dawn\n",
    );
    assert!(refused(&folder, "follow:a").contains("a:2:29"));
    folder.write("b", b"-- mine\nstay\n  prefer:flor = 1\n");
    assert!(refused(&folder, "file:b").contains("b:3:10"));
    folder.write("c", b"file:c");
    assert!(refused(&folder, "file:c").contains("nested more than 8 deep"));
    folder.write(
        "d.rhai",
        b"fn pick_rule(proof, leaf, ways) {\n  let = 3;\n}\n",
    );
    assert!(refused(&folder, "script:d.rhai").contains("d.rhai:2:7"));
    folder.write("e.json", b"{ \"schema\": 3 }");
    assert!(refused(&folder, "like:e.json").contains("The document has the schema"));
}

#[test]
fn a_script_that_goes_wrong_changes_no_verdict() {
    let folder = folder("script");
    let script = b"fn pick_rule(proof, leaf, ways) {\n  print(\"hello\");\n  ways.len() + 1\n}\n";
    folder.write("bad.rhai", script);
    let args = ["check", "elevator.smv", "--strategy", "script:bad.rhai"];
    let ran = folder.run(&args);
    let plain = folder.run(&["check", "elevator.smv"]);
    assert_eq!(ran.code, plain.code);
    assert_eq!(ran.err.matches("warning:").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("bad.rhai:1:4"), "{}", ran.err);
    assert!(ran.err.contains("note: bad.rhai: hello"), "{}", ran.err);
    let quiet = folder.run(&[&args[..], &["-q"]].concat());
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
}

#[test]
fn the_user_is_asked() {
    let folder = folder("ask");
    let args = ["check", "elevator.smv", "-p", "third", "--strategy", "ask"];
    let mut command = folder.command(&args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut input = child.stdin.take().expect("it listens");
    input.write_all(b"\nnonsense\n99\n2\n").expect("it listens");
    drop(input);
    let ran = Ran::new(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(
        ran.err
            .contains("which way?\n  1  the goal is reached here"),
        "{}",
        ran.err
    );
    assert_eq!(
        ran.err.matches("give a number from 1 to").count(),
        2,
        "{}",
        ran.err
    );
    assert!(ran.out.contains("[replayed: ok]"), "{}", ran.out);
}

#[test]
fn saved_choices_are_made_again_and_suggested() {
    let folder = folder("saved");
    let base = [
        "check",
        "elevator.smv",
        "-p",
        "third",
        "--format",
        "json",
        "--strategy",
    ];
    let first = folder.run(&[&base[..], &["random:7"]].concat());
    folder.write("elevator.smv.choices.json", first.out.as_bytes());
    let again = folder.run(&[&base[..], &["like:elevator.smv.choices.json"]].concat());
    let chosen = |line: &&str| !line.contains("random:7") && !line.contains("like:");
    let rest = |ran: &Ran| -> Vec<String> {
        let lines = ran.out.lines().filter(chosen);
        lines.map(str::to_string).collect()
    };
    assert_eq!(rest(&first), rest(&again));
    let plain = folder.run(&["check", "elevator.smv", "-p", "third"]);
    let hint = "choices saved earlier: --strategy like:elevator.smv.choices.json";
    assert!(plain.out.contains(hint), "{}", plain.out);
    let given = third(&folder, "stay");
    assert!(!given.out.contains("saved earlier"), "{}", given.out);
}

#[test]
fn evidence_time_leaves_obligations_open_and_a_saved_proof_goes_on() {
    let folder = folder("time");
    let args = [
        "check",
        "elevator.smv",
        "-p",
        "third",
        "--evidence-time",
        "0",
    ];
    for engine in ["explicit", "bdd"] {
        let ran = folder.run(&[&args[..], &["--engine", engine, "--json", "part.json"]].concat());
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.out.contains("open]"), "{}", ran.out);
        assert!(!ran.out.contains("shortest"), "{}", ran.out);
        assert!(folder.read("part.json").contains("\"rule\": null"));
        let on = third(&folder, "like:part.json");
        assert!(on.out.contains("[replayed: ok]"), "{}", on.out);
    }
    let args = ["check", "elevator.smv", "--evidence-time", "soon"];
    assert_eq!(folder.run(&args).code, Some(2));
}

#[test]
fn an_automaton_names_states_that_are_entered_again_and_again() {
    let folder = folder("again");
    let arrows = "home -> home when floor = 1\nhome -> leave when floor = 2\nleave -> away when floor > 1\n\
                  leave -> home when floor = 1\naway -> away when floor > 1\naway -> home when floor = 1\n";
    folder.write("idle", arrows.as_bytes());
    folder.write(
        "busy",
        format!("{arrows}leave again and again\n").as_bytes(),
    );
    // Resting on the first floor takes arrows, but never leaves it.
    let idle = third(&folder, "follow:idle");
    assert!(idle.out.contains("a loop of 1 step"), "{}", idle.out);
    let busy = third(&folder, "follow:busy");
    assert!(busy.out.contains("wish `follow:busy`: met"), "{}", busy.out);
    assert!(busy.out.contains("floor: 1 → 2"), "{}", busy.out);
    assert!(busy.out.contains("floor: 2 → 1"), "{}", busy.out);
    // Nothing leaves a floor that is never reached: the loop does nothing for it.
    let never = "a -> a when TRUE\na -> b when floor = 1 & floor = 2\nb again and again\n";
    folder.write("never", never.as_bytes());
    let never = third(&folder, "follow:never");
    let said = "wish `follow:never`: not met: the loop does nothing for it; no run does better";
    assert!(never.out.contains(said), "{}", never.out);
    folder.write("wrong", b"a -> a when TRUE\nc again and again\n");
    let wrong = third(&folder, "follow:wrong");
    assert!(
        wrong.err.contains("no arrow names the state `c`"),
        "{}",
        wrong.err
    );
}

#[test]
fn the_pattern_of_a_property_suggests_what_to_show() {
    let folder = folder("pattern");
    let recurrence = third(&folder, "pattern");
    let said = "wish `pattern: floor = 3 & door = open, then never again`: met";
    assert!(recurrence.out.contains(said), "{}", recurrence.out);
    assert!(
        recurrence.out.contains("floor: 2 → 3"),
        "{}",
        recurrence.out
    );
    let response = ["check", "elevator.smv", "-e", "AG (btn3.r -> AF floor = 1)"];
    let response = folder.run(&[&response[..], &["--strategy", "pattern"]].concat());
    let said = "wish `pattern: a loop through btn3.r`: met";
    assert!(response.out.contains(said), "{}", response.out);
    // Nothing is suggested for what must never happen.
    let safety = ["check", "elevator.smv", "-e", "AG floor != 3"];
    let safety = folder.run(&[&safety[..], &["--strategy", "pattern"]].concat());
    assert!(safety.out.contains("[shortest: proved]"), "{}", safety.out);
    assert!(!safety.out.contains("wish"), "{}", safety.out);
}
