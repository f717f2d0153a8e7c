//! What changes no verdict: other names, another order. And what must change it: the contrary.

use std::collections::BTreeMap;
use std::time::Duration;

use wherefore_base::{Budget, FileId};
use wherefore_smt::{ExpectedVerdict, SmtCtl, TermSystem, read};
use wherefore_smtcheck::{SmtOptions, decide, decide_formula};

use crate::common::{
    BAKERY, COLLISION, COUNTDOWN, COUNTER, RESET, all_as_expected, check_evidence, leader, solvers,
    system,
};

/// An expression of SMT-LIB.
#[derive(Clone)]
enum Expression {
    Word(String),
    List(Vec<Expression>),
}

impl Expression {
    /// All expressions of a text without comments, strings and bars.
    fn all(text: &str) -> Vec<Self> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut open = vec![Vec::new()];
        for word in spaced.split_whitespace() {
            match word {
                "(" => open.push(Vec::new()),
                ")" => {
                    let list = Self::List(open.pop().expect("it was opened"));
                    open.last_mut().expect("it is balanced").push(list);
                }
                word => open
                    .last_mut()
                    .expect("it is balanced")
                    .push(Self::Word(word.to_string())),
            }
        }
        open.pop().expect("it is balanced")
    }

    fn text(&self) -> String {
        match self {
            Self::Word(word) => word.clone(),
            Self::List(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::text).collect();
                format!("({})", parts.join(" "))
            }
        }
    }

    fn head(&self) -> &str {
        match self {
            Self::List(parts) => match parts.first() {
                Some(Self::Word(word)) => word,
                _ => "",
            },
            Self::Word(_) => "",
        }
    }

    /// With other names, and the operands of `and` and `or` the other way round.
    fn changed(&self, names: &BTreeMap<String, String>) -> Self {
        match self {
            Self::Word(word) => Self::Word(names.get(word).unwrap_or(word).clone()),
            Self::List(parts) => {
                let mut parts: Vec<Self> = parts.iter().map(|p| p.changed(names)).collect();
                if matches!(self.head(), "and" | "or") {
                    parts[1..].reverse();
                }
                Self::List(parts)
            }
        }
    }

    /// Names that the text binds or declares, other than those of properties.
    fn names(&self, found: &mut Vec<String>) {
        let Self::List(parts) = self else { return };
        match (self.head(), &parts[..]) {
            ("declare-const" | "declare-fun", [_, Self::Word(name), ..]) => {
                found.push(name.clone());
            }
            ("define-fun", [_, _, Self::List(params), ..]) => {
                for param in params {
                    if let Self::List(param) = param {
                        found.push(param[0].text());
                    }
                }
            }
            _ => {}
        }
    }
}

/// The same model with other names and in another order.
fn changed(text: &str) -> String {
    let all = Expression::all(text);
    let mut names = Vec::new();
    all.iter().for_each(|one| one.names(&mut names));
    names.sort();
    names.dedup();
    // The order of the new names is the other way round, too.
    let count = names.len();
    let new = |at: usize| format!("v{:03}", count - at);
    let names = names.into_iter().enumerate();
    let names: BTreeMap<String, String> = names.map(|(at, name)| (name, new(at))).collect();
    let (asserts, mut others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|one| one.head() == "assert");
    others.extend(asserts.into_iter().rev());
    let texts = others.iter().map(|one| one.changed(&names).text());
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn other_names_and_another_order_change_no_verdict() {
    let Some(solvers) = solvers() else { return };
    for text in [COUNTER, COUNTDOWN, RESET, BAKERY, COLLISION, &leader(4)] {
        let other = changed(text);
        assert!(other.contains("v001"), "{other}");
        all_as_expected(&solvers, &other);
    }
}

/// The examples by their names.
fn examples() -> Vec<(String, TermSystem)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/smt");
    let files = std::fs::read_dir(folder).expect("the examples are there");
    let mut found = Vec::new();
    for file in files {
        let path = file.expect("it can be read").path();
        let name = path.file_name().expect("it has a name").to_string_lossy();
        if name.ends_with(".vmt") || name.ends_with(".smt2") {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let reading = read(&name, FileId::new(0), &text);
            assert!(reading.is_usable(), "{name}: {:?}", reading.diagnostics);
            found.push((name.to_string(), reading.system));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn no_false_variant_of_an_example_is_proved_and_what_refutes_it_replays() {
    let Some(solvers) = solvers() else { return };
    let choices = SmtOptions {
        solvers,
        recheck: Duration::ZERO,
        ..SmtOptions::default()
    };
    let (mut asked, mut refuted) = (0, Vec::new());
    for (name, mut system) in examples() {
        for property in system.properties.clone() {
            let Some(expected) = property.expected else {
                continue;
            };
            let budget = Budget::new(Some(Duration::from_secs(20)), None);
            let answer = match (expected, property.ctl(&mut system.terms)) {
                // What fails is asked as it is; of what holds the contrary is asked, which fails in every initial state.
                (ExpectedVerdict::Fails, _) => {
                    decide(&system, &property, &choices, &budget, &mut |_| {})
                }
                (ExpectedVerdict::Holds, Some(formula)) => {
                    let denied = SmtCtl::Not(Box::new(formula));
                    decide_formula(&system, &denied, &choices, &budget, &mut |_| {})
                }
                (ExpectedVerdict::Holds, None) => continue,
            };
            asked += 1;
            assert_ne!(
                answer.holds(),
                Some(true),
                "{name}, {}: {answer:?}",
                property.name
            );
            check_evidence(&system, &answer);
            if answer.holds() == Some(false) {
                refuted.push(format!("{name} {}", property.name));
            }
        }
    }
    assert!(asked >= 20, "only {asked} variants are asked about");
    assert!(!refuted.is_empty(), "none of {asked} is refuted");
}

#[test]
fn a_model_is_read_the_same_after_it_was_changed() {
    let (one, other) = (system(COLLISION), system(&changed(COLLISION)));
    assert_eq!(one.state.len(), other.state.len());
    assert_eq!(one.properties.len(), other.properties.len());
}
