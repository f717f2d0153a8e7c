//! Large and deeply nested models are read in reasonable time, or not at all when time or memory end.

use std::time::Duration;

use wherefore_base::{Budget, SourceFile, SourceMap, Stop};
use wherefore_smv::{LoadedSmv, load};

const MANY: usize = 100_000;

fn read(text: String) -> LoadedSmv {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("large.smv", text));
    let loaded = load(&sources, file, &Budget::unlimited()).expect("no limit");
    assert_eq!(loaded.diagnostics, []);
    loaded
}

#[test]
fn a_conjunction_of_many_parts_becomes_as_many_constraints() {
    let parts = vec!["(x | !next(x))"; MANY].join(" &\n");
    let loaded = read(format!("MODULE main\nVAR x : boolean;\nTRANS {parts}\n"));
    assert_eq!(loaded.model.trans.len(), MANY);
}

#[test]
fn a_long_chain_of_each_operator_is_read() {
    for op in ["|", "->", "<->", "xor"] {
        let chain = vec!["x"; MANY].join(&format!(" {op} "));
        read(format!(
            "MODULE main\nVAR x : boolean;\nINVAR {chain}\nSPEC AG ({chain})\n"
        ));
    }
    let sum = vec!["toint(x)"; MANY].join("+");
    read(format!("MODULE main\nVAR x : boolean;\nINVAR {sum} < 9\n"));
}

#[test]
fn deep_nesting_is_read() {
    let (open, close) = ("(".repeat(MANY), ")".repeat(MANY));
    read(format!(
        "MODULE main\nVAR x : boolean;\nINIT {open}x{close}\n"
    ));
    read(format!(
        "MODULE main\nVAR x : boolean;\nINIT {}x\n",
        "!".repeat(MANY)
    ));
    read(format!(
        "MODULE main\nVAR x : boolean;\nSPEC {}x\n",
        "AX ".repeat(MANY)
    ));
    let (open, close) = ("(x | ".repeat(MANY), ")".repeat(MANY));
    read(format!(
        "MODULE main\nVAR x : boolean;\nSPEC {open}x{close}\n"
    ));
    read(format!(
        "MODULE main\nVAR x : boolean;\nINIT {}x\n",
        "x ? x : ".repeat(MANY)
    ));
    let (open, close) = ("case x : ".repeat(MANY), "; TRUE : x; esac".repeat(MANY));
    read(format!(
        "MODULE main\nVAR x : boolean;\nASSIGN next(x) := {open}x{close};\n"
    ));
}

#[test]
fn a_long_chain_of_defines_is_read() {
    let mut text = String::from("MODULE main\nVAR x : boolean;\nDEFINE\n");
    for n in 0..MANY {
        text += &format!("d{n} := !d{};\n", n + 1);
    }
    text += &format!("d{MANY} := x;\n");
    read(text);
}

#[test]
fn a_case_with_many_branches_and_many_variables_is_read() {
    let branches: String = (0..MANY)
        .map(|n| format!("n = {n} : {};\n", MANY - n))
        .collect();
    read(format!(
        "MODULE main\nVAR n : 0..{MANY};\nASSIGN next(n) := case {branches} esac;\n"
    ));
    let vars: String = (0..MANY).map(|n| format!("v{n} : boolean;\n")).collect();
    let assigns: String = (1..MANY)
        .map(|n| format!("v{n} := v{};\n", n - 1))
        .collect();
    read(format!("MODULE main\nVAR {vars} ASSIGN {assigns}"));
}

#[test]
fn every_stage_of_reading_ends_with_its_budget() {
    let many = |text: &str| text.repeat(MANY / 10);
    let mut instances = String::from("MODULE main VAR a : m0; b : m0;\n");
    for n in 0..12 {
        let next = n + 1;
        instances += &format!("MODULE m{n} VAR a : m{next}; b : m{next};\n");
    }
    instances += "MODULE m12 VAR x : boolean; INVAR x & !x SPEC AG x\n";
    let bodies: String = (1..1000)
        .map(|n| format!("MODULE m{n} ISA m{} VAR v{n} : boolean;\n", n - 1))
        .collect();
    let stages = [
        ("spaces and comments", many(" -- nothing\n")),
        ("characters of no use", many("\u{1b}\0%")),
        (
            "an expression",
            format!("MODULE main INIT {}TRUE", many("TRUE & (FALSE | ")),
        ),
        (
            "declarations",
            format!("MODULE main VAR {}", many("x : boolean; y : 0..3; ")),
        ),
        ("instances", instances),
        (
            "inherited bodies",
            format!("MODULE m0 {bodies} MODULE main"),
        ),
        (
            "a set",
            format!("MODULE main VAR x : {{{}a}};", many("a, b, c, ")),
        ),
    ];
    for (stage, text) in stages {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("large.smv", text));
        let read = |budget: &Budget| load(&sources, file, budget).err();
        let late = Budget::new(Some(Duration::ZERO), None);
        assert_eq!(read(&late), Some(Stop::TimeOut), "{stage}");
        let cancelled = Budget::unlimited();
        cancelled.stop(Stop::Cancelled);
        assert_eq!(read(&cancelled), Some(Stop::Cancelled), "{stage}");
        let small = Budget::new(None, Some(1000));
        let stop = read(&small);
        assert!(
            stop == Some(Stop::Memory) || stage.starts_with("spaces"),
            "{stage}"
        );
        assert_eq!(read(&Budget::unlimited()), None, "{stage}");
    }
}
