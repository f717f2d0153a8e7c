//! Mutated models and formulas: whatever is written, nothing panics, all evidence stands up to its
//! replay, and both engines say the same where both come to an end.
//!
//! The texts are our own models, good and broken ones, torn apart and put together again, by bytes
//! and by tokens. Fuzzing that follows coverage is in `fuzz/`; this needs no other tool.

use std::fs;
use std::path::Path;
use std::time::Duration;

use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap, Stop};
use wherefore_evidence::{EvidenceOptions, Finding, Investigator, Replay, Verdict};
use wherefore_model::Model;
use wherefore_smv::LoadedSmv;
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_space::symbolic::Symbolic;
use wherefore_space::{StateSpace, discharge};
use wherefore_testkit::torn::{change_tokens, tokens, torn};
use wherefore_testkit::{Rng, campaign};

/// Folders of models to start from.
const FOLDERS: [&str; 3] = [
    "../../examples",
    "../smv/tests/models",
    "../smv/tests/broken",
];

/// Tokens and numbers that hurt.
const SPICE: [&str; 40] = [
    "next(",
    ")",
    "(",
    "{",
    "}",
    "case",
    "esac",
    "TRUE",
    "FALSE",
    "self",
    "self.",
    ".",
    "..",
    ":=",
    ";",
    "MODULE",
    "main",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "INVAR",
    "TRANS",
    "FAIRNESS",
    "COMPASSION(",
    "CTLSPEC EF",
    "AG",
    "E [",
    "U",
    "EBF 0..3",
    "ABG 2..4294967295",
    "union",
    "in",
    "mod",
    "/",
    "-",
    "0",
    "-1",
    "2147483647",
    "9223372036854775807",
];

/// Words that stand for each other without making a model senseless.
const FAMILIES: [&[&str]; 9] = [
    &["&", "|", "->", "<->", "xor"],
    &["=", "!=", "<", "<=", ">", ">="],
    &["+", "-", "*", "/", "mod"],
    &[
        "AG", "AF", "AX", "EG", "EF", "EX", "!", "EBF 1..2", "ABG 0..3",
    ],
    &["TRUE", "FALSE"],
    &["INIT", "INVAR", "TRANS", "FAIRNESS", "INVARSPEC", "CTLSPEC"],
    &["init", "next"],
    &["VAR", "FROZENVAR", "IVAR"],
    &["0", "1", "2", "3", "-1", "7"],
];

#[test]
fn no_torn_text_makes_the_reader_panic() {
    let seeds = seeds();
    let good = good(&seeds);
    campaign("torn texts", 1000, |rng| {
        load(&torn(rng, &seeds, &SPICE));
        if rng.chance(1, 10) {
            let text = rng.pick::<&String>(&good);
            let (mut sources, mut loaded) = load(text);
            let (model, scope) = (&mut loaded.model, &loaded.scope);
            for _ in 0..20 {
                let formula = piece(rng, &seeds);
                let file = sources.add(SourceFile::new("<formula>", formula));
                let _ = wherefore_smv::formula(model, scope, &sources, file, "formula");
                let _ = wherefore_smv::expression(model, scope, &sources, file);
            }
        }
    });
}

#[test]
fn no_changed_model_makes_anything_panic_or_disagree() {
    let seeds = seeds();
    let good = good(&seeds);
    campaign("changed models", 80, |rng| {
        let mut text = rng.pick::<&String>(&good).to_string();
        for _ in 0..1 + rng.below(30) {
            let changed = if rng.chance(1, 6) {
                change_tokens(rng, &text, &seeds, &SPICE)
            } else {
                exchange(rng, &text)
            };
            if is_good(&load(&changed).1) {
                text = changed;
            }
        }
        examine(rng, &text);
    });
}

/// The texts that are models.
fn good(seeds: &[String]) -> Vec<&String> {
    seeds.iter().filter(|text| is_good(&load(text).1)).collect()
}

fn seeds() -> Vec<String> {
    let mut texts = Vec::new();
    for folder in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = fs::read_dir(folder).expect("the folder is there");
        let mut paths: Vec<_> = entries
            .map(|entry| entry.expect("it is readable").path())
            .collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|e| e == "smv"));
        texts.extend(
            paths
                .iter()
                .map(|path| fs::read_to_string(path).expect("it is text")),
        );
    }
    assert!(texts.len() > 20, "there are too few models to start from");
    texts
}

/// A stretch of a model that may be a formula or an expression, changed or not.
fn piece(rng: &mut Rng, seeds: &[String]) -> String {
    let lines: Vec<&str> = rng.pick(seeds).lines().collect();
    let line = lines.get(rng.below(lines.len().max(1))).unwrap_or(&"");
    let start = line.find(":=").map_or(0, |at| at + 2);
    let text = line[start..].trim().trim_end_matches(';').to_owned();
    if rng.chance(1, 2) {
        change_tokens(rng, &text, seeds, &SPICE)
    } else {
        text
    }
}

/// Puts a word in the place of another one of its kind.
fn exchange(rng: &mut Rng, text: &str) -> String {
    let mut tokens = tokens(text);
    let at = rng.below(tokens.len().max(1));
    let Some(token) = tokens.get(at) else {
        return String::new();
    };
    let family = FAMILIES
        .iter()
        .find(|family| family.contains(&token.as_str()));
    if let Some(family) = family {
        tokens[at] = rng.pick(family).to_string();
        return tokens.concat();
    }
    let word = |token: &String| token.starts_with(|c: char| c.is_alphabetic());
    let name = |token: &&String| word(token) && token.chars().any(char::is_lowercase);
    if name(&token) {
        let names: Vec<&String> = tokens.iter().filter(name).collect();
        tokens[at] = rng.pick::<&String>(&names).to_string();
    }
    tokens.concat()
}

fn load(text: &str) -> (SourceMap, LoadedSmv) {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("mutated.smv", text));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    for diagnostic in &loaded.diagnostics {
        for label in &diagnostic.labels {
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(text.get(start..end).is_some(), "{diagnostic:?}\n{text}");
        }
    }
    (sources, loaded)
}

fn is_good(loaded: &LoadedSmv) -> bool {
    !loaded.diagnostics.iter().any(Diagnostic::is_error)
}

/// A little time and a little memory: what does not end within them is left alone.
fn little() -> Budget {
    Budget::new(Some(Duration::from_millis(500)), Some(64 << 20))
}

/// Does with a model all that can be done, and with changed formulas of it.
fn examine(rng: &mut Rng, text: &str) {
    let (mut sources, mut loaded) = load(text);
    let (model, scope) = (&mut loaded.model, &loaded.scope);
    let texts: Vec<String> = model.properties.iter().map(|p| p.text.clone()).collect();
    for _ in 0..10 {
        let Some(text) = texts.get(rng.below(texts.len().max(1))) else {
            break;
        };
        let mut formula = text.clone();
        for _ in 0..rng.below(8) {
            formula = exchange(rng, &formula);
        }
        let file = sources.add(SourceFile::new("<formula>", formula));
        if let Ok(property) = wherefore_smv::formula(model, scope, &sources, file, "formula") {
            model.properties.push(property);
        }
        if model.properties.len() > texts.len() + 3 {
            break;
        }
    }
    match discharge(model, &little()) {
        Ok(wrong) if !wrong.iter().any(Diagnostic::is_error) => {}
        _ => return,
    }
    if model.vars.iter().any(|v| v.domain.size() > 1 << 20) {
        return;
    }
    let limits = ExplorationLimits {
        states: 2_000,
        transitions: 20_000,
    };
    let explicit = Explicit::explore(model, limits, &little());
    let explicit = explicit.map(|explored| explored.ok().map(|space| findings(&space, text)));
    let symbolic = Symbolic::build(model, &little()).map(|space| findings(&space, text));
    if let (Ok(Some(explicit)), Ok(symbolic)) = (explicit, symbolic) {
        compare(model, &explicit, &symbolic, text);
    }
}

fn findings<S: StateSpace>(space: &S, text: &str) -> Vec<Finding> {
    let options = EvidenceOptions {
        evidence: true,
        vacuity: true,
        witness: true,
        ..EvidenceOptions::default()
    };
    let investigator = match Investigator::new(space) {
        Ok(investigator) => investigator,
        Err(Stop::TimeOut | Stop::Memory | Stop::Cancelled) => return Vec::new(),
    };
    let properties = 0..space.model().properties.len();
    let findings: Vec<Finding> = properties
        .map(|property| investigator.investigate(property, &options))
        .collect();
    for finding in &findings {
        for evidence in finding.evidences() {
            if let Replay::Failed(why) = &evidence.replay {
                let name = &space.model().properties[finding.property].text;
                panic!(
                    "the evidence of {} for {name} is wrong: {why}\n{text}",
                    space.engine()
                );
            }
        }
    }
    findings
}

fn compare(model: &Model, explicit: &[Finding], symbolic: &[Finding], text: &str) {
    for (a, b) in explicit.iter().zip(symbolic) {
        let decided = |finding: &Finding| !matches!(finding.verdict, Verdict::Unknown(_));
        if decided(a) && decided(b) {
            let name = &model.properties[a.property].text;
            assert_eq!(a.verdict, b.verdict, "{name}\n{text}");
        }
    }
}
