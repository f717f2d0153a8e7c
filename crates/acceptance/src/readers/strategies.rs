//! Strategies, scripts and orders of variables.

use std::time::Duration;

use wherefore_base::Budget;
use wherefore_driver::strategy::{SPELLINGS, StrategySpec};
use wherefore_driver::{Job, ModelSubject};

use super::text;

const MODEL: &str = "
MODULE main
VAR x : 0..2; y : {a, b};
ASSIGN
  init(x) := 0;
  next(x) := {x, (x + 1) mod 3};
CTLSPEC AG (x = 1 -> AF y = b)
CTLSPEC AG EF x = 2
";

fn session() -> ModelSubject {
    ModelSubject::from_text("model.smv", MODEL).expect("the model is right")
}

/// All spellings, with arguments of the model in the place of words that stand for them.
pub(super) fn specs() -> Vec<String> {
    let spelled = |(_, spelling): &(&str, &str)| {
        let text = spelling
            .replace("EXPR", "x = 1")
            .replace("VAR=VALUE,...", "x=1,y=b");
        let text = text.replace("[:SEED]", ":7");
        text.replace("STEPS", "3").replace("TRIES", "20")
    };
    SPELLINGS.iter().map(spelled).collect()
}

/// Any text is a strategy, or is refused with a place within it; it is bound to a model, or refused.
pub fn strategy(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match text.parse::<StrategySpec>() {
        Err(wrong) => assert!(text.get(wrong.at.clone()).is_some(), "{wrong:?}"),
        // Files that a random text names are not ours to open.
        Ok(spec) if spec.is_self_contained() => check(&[spec]),
        Ok(_) => {}
    }
}

/// Any text is a script that chooses evidence, or is refused; it ends, whatever it does.
pub fn script(bytes: &[u8]) {
    let name = format!(
        "wherefore-{}-{:?}.rhai",
        std::process::id(),
        std::thread::current().id()
    );
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, bytes).expect("a file can be written");
    let spec = format!("script:{}", path.display());
    check(&[spec.parse().expect("a path is an argument")]);
    std::fs::remove_file(&path).expect("it is there");
}

/// Binds strategies to a model, and lets them choose.
fn check(specs: &[StrategySpec]) {
    let mut session = session();
    let budget = Budget::new(Some(Duration::from_secs(5)), Some(1 << 28));
    match session.strategies(specs, None, &budget) {
        Err(error) => {
            let _ = error.to_string();
        }
        Ok(strategies) => {
            session.check_all_with(&Job::default(), &strategies, &budget, &mut |_| {});
            let _ = strategies.remarks();
        }
    }
}

pub(super) fn orders() -> Vec<String> {
    vec![
        "y\nx.1\nx.0\n".to_string(),
        "-- order\nx\ny -- last\n".to_string(),
    ]
}

/// Any text is an order of variables, or is refused.
pub fn order(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Err(wrong) = session().set_order("order.ord", text) {
        let _ = wrong.to_string();
    }
}
