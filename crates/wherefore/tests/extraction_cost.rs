//! What taking out the smallest run costs, beside solving the command: to be run by hand, with
//! `cargo test -p wherefore --test extraction_cost -- --ignored --nocapture`. Further models are given as paths in `MODELS`.

use std::path::{Path, PathBuf};

use wherefore::alloy::{AlloyChoices, AlloySession};
use wherefore::base::Budget;

/// The seconds that this thread was at work.
fn at_work() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|n| n.parse().ok()).unwrap_or(0.0) / 1e9
}

/// For each command with an instance and a run: its name, the seconds for the instance and those for the run.
fn measured(path: &Path) -> Vec<(String, f64, f64)> {
    let budget = Budget::unlimited();
    let session = AlloySession::open(path, None, &budget).expect("it is a model");
    let choices = AlloyChoices::default();
    let mut rows = Vec::new();
    for (at, command) in session.commands().iter().enumerate() {
        let Ok(question) = session.question(at, &choices) else {
            continue;
        };
        let start = at_work();
        let Ok(Some(found)) = question.instances().next(&budget) else {
            continue;
        };
        let plain = at_work() - start;
        let start = at_work();
        let excerpt = session.excerpt(&question, &found, &budget);
        let taken = at_work() - start;
        if let Ok(part) = excerpt {
            let form = part.form;
            let name = format!("{} ({form:?}, {} states)", command.label, part.states);
            rows.push((name, plain, taken));
        }
    }
    rows
}

#[test]
#[ignore = "it measures"]
fn taking_out_runs_costs_at_most_five_times_what_solving_does() {
    let examples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/alloy"));
    let own = [
        "musical_chairs",
        "data_transfer",
        "mutex",
        "traffic_light",
        "elevator",
        "telephone",
    ];
    let own = own.map(|name| examples.join(format!("{name}.als")));
    let given = std::env::var_os("MODELS").unwrap_or_default();
    let given: Vec<PathBuf> = std::env::split_paths(&given).collect();
    let mut total = (0.0, 0.0);
    for path in own.iter().chain(&given) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        for (name, plain, taken) in measured(path) {
            let times = taken / plain.max(1e-6);
            println!("{file} {name}: {plain:.3} s, then {taken:.3} s, {times:.1} times");
            total = (total.0 + plain, total.1 + taken);
        }
    }
    assert!(total.1 <= 5.0 * total.0, "{total:?}");
}
