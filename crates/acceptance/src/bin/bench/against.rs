//! Our time on a folder of models against what a peer needed.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::recorded::{self, Best};
use crate::tools::{Result, Tools, Way};

/// Files on which the peer is faster than this many seconds are its short ones.
const SHORT: f64 = 0.2;

/// What was measured on a file.
struct Row {
    best: Best,
    /// Our ways, in the order of [`Way::ALL`].
    ours: [Option<Result>; 4],
    peer: Option<Result>,
}

/// Measures every file of the folder whose name has this part, prints a table and a summary, and writes
/// the table to `corpus.tsv`.
pub(crate) fn run(tools: &Tools, folder: &Path, only: &str, out: &Path) -> io::Result<()> {
    let folder = match folder.join("smv") {
        inner if inner.is_dir() => inner,
        _ => folder.to_path_buf(),
    };
    let recorded = recorded::best(&fs::read_to_string(folder.join("oracle.tsv"))?);
    let heads = [
        "recorded", "NuSMV", "auto", "explicit", "bdd", "vacuity", "ratio", "MB",
    ];
    println!(
        "{:<44} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} {:>6}",
        "file", heads[0], heads[1], heads[2], heads[3], heads[4], heads[5], heads[6], heads[7]
    );
    let mut rows = Vec::new();
    for best in recorded.into_iter().filter(|best| best.file.contains(only)) {
        let model = folder.join(&best.file);
        let peer = tools.peer(&model, &best.options)?;
        let mut ours = [None; 4];
        for way in Way::ALL {
            let limit = match way {
                Way::Explicit | Way::Bdd => limit_beside(tools, &ours[Way::Auto as usize]),
                Way::Auto | Way::Vacuity => tools.limit,
            };
            ours[way as usize] = tools.ours(&model, way, limit)?;
        }
        let row = Row { best, ours, peer };
        println!("{}", row.line());
        rows.push(row);
        fs::write(out.join("corpus.tsv"), table(&rows))?;
    }
    println!("\n{}", summary(&rows));
    println!("The table is in {}.", out.join("corpus.tsv").display());
    Ok(())
}

/// The engines are compared with the automatic choice only: they need not run much longer than it did.
fn limit_beside(tools: &Tools, auto: &Option<Result>) -> Duration {
    match Result::seconds(auto) {
        Some(seconds) => tools
            .limit
            .min(Duration::from_secs(seconds.ceil() as u64 + 1)),
        None => tools.limit,
    }
}

impl Row {
    fn ours(&self, way: Way) -> Option<f64> {
        Result::seconds(&self.ours[way as usize])
    }

    /// What the peer needed: here if it was run here, else as recorded.
    fn theirs(&self) -> f64 {
        Result::seconds(&self.peer).unwrap_or(self.best.cpu)
    }

    /// Our time as a multiple of the peer's; for ever when we did not come to an end.
    fn ratio(&self, way: Way) -> f64 {
        let ours = self.ours(way).unwrap_or(f64::INFINITY);
        ours / self.theirs().max(0.001)
    }

    fn line(&self) -> String {
        let [auto, explicit, bdd, vacuity] = Way::ALL.map(|way| seconds(&self.ours[way as usize]));
        let memory = self.ours[Way::Auto as usize].map(|result| result.cost.megabytes);
        format!(
            "{:<44} {:>9.2} {:>9} {auto:>9} {explicit:>9} {bdd:>9} {vacuity:>9} {:>7} {:>6}",
            self.best.file,
            self.best.cpu,
            seconds(&self.peer),
            multiple(self.ratio(Way::Auto)),
            memory.map_or("".to_string(), |megabytes| format!("{megabytes:.0}")),
        )
    }
}

/// What the rows come to, in sentences.
fn summary(rows: &[Row]) -> String {
    let (short, long): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.theirs() < SHORT);
    let mut lines = Vec::new();
    for (way, what) in [
        (Way::Auto, "without vacuity"),
        (Way::Vacuity, "with vacuity"),
    ] {
        if rows.iter().all(|row| row.ours[way as usize].is_none()) {
            continue;
        }
        let within =
            |rows: &[&Row], bound: f64| rows.iter().filter(|row| row.ratio(way) <= bound).count();
        lines.push(format!(
            "{what}, the peer below {SHORT} s: {} of {} files within half of its time",
            within(&short, 0.5),
            short.len(),
        ));
        lines.push(format!(
            "{what}, the peer at {SHORT} s or more: {} of {} files within 2 times, {} above 5 times",
            within(&long, 2.0),
            long.len(),
            long.len() - within(&long, 5.0),
        ));
        let mut worst: Vec<&Row> = short
            .iter()
            .copied()
            .filter(|row| row.ratio(way) > 0.5)
            .collect();
        worst.extend(long.iter().filter(|row| row.ratio(way) > 2.0));
        worst.sort_by(|one, other| other.ratio(way).total_cmp(&one.ratio(way)));
        for row in worst {
            lines.push(format!(
                "  {:>7}  {}",
                multiple(row.ratio(way)),
                row.best.file
            ));
        }
    }
    let slow: Vec<&Row> = rows.iter().filter(|row| chose_badly(row)).collect();
    lines.push(format!(
        "auto above 1.5 times the better engine and 0.1 s: {} of {} files",
        slow.len(),
        rows.len()
    ));
    for row in slow {
        lines.push(format!("           {}", row.best.file));
    }
    lines.join("\n")
}

fn chose_badly(row: &Row) -> bool {
    let better = match (row.ours(Way::Explicit), row.ours(Way::Bdd)) {
        (Some(one), Some(other)) => one.min(other),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return false,
    };
    row.ours[Way::Auto as usize].is_some()
        && row.ours(Way::Auto).unwrap_or(f64::INFINITY) > 1.5 * better + 0.1
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "file\toptions\trecorded_s\tpeer_s\tauto_s\texplicit_s\tbdd_s\tvacuity_s\tratio\tauto_mb\texplicit_mb\tbdd_mb\n",
    );
    for row in rows {
        let mut cells = vec![
            row.best.file.clone(),
            row.best.options.clone(),
            row.best.cpu.to_string(),
            seconds(&row.peer),
        ];
        cells.extend(Way::ALL.map(|way| seconds(&row.ours[way as usize])));
        cells.push(multiple(row.ratio(Way::Auto)));
        cells.extend([Way::Auto, Way::Explicit, Way::Bdd].map(|way| {
            let result = row.ours[way as usize];
            result.map_or(String::new(), |result| {
                format!("{:.1}", result.cost.megabytes)
            })
        }));
        text.push_str(&cells.join("\t"));
        text.push('\n');
    }
    text
}

/// Nothing for what was not run, a lower bound for what did not come to an end.
fn seconds(result: &Option<Result>) -> String {
    match result {
        None => String::new(),
        Some(result) if matches!(result.cost.code, Some(2 | 3 | 70)) => "error".to_string(),
        Some(result) if !result.done => format!(">{:.1}", result.cost.cpu),
        Some(result) => format!("{:.4}", result.cost.cpu),
    }
}

fn multiple(ratio: f64) -> String {
    match ratio.is_finite() {
        true => format!("{ratio:.2}"),
        false => "-".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Cost;

    fn row(peer: f64, ours: [Option<f64>; 4]) -> Row {
        let best = Best {
            file: format!("{peer}.smv"),
            options: "plain".into(),
            cpu: peer,
        };
        let result = |seconds: Option<f64>| Result {
            cost: Cost {
                cpu: seconds.unwrap_or(60.0),
                megabytes: 10.0,
                code: Some(0),
            },
            done: seconds.is_some(),
        };
        let ours = ours.map(|seconds| Some(result(seconds)));
        Row {
            best,
            ours,
            peer: None,
        }
    }

    #[test]
    fn the_summary_counts_what_the_bounds_ask_for() {
        let rows = [
            row(0.1, [Some(0.05), Some(0.05), None, Some(0.06)]),
            row(0.1, [Some(0.3), Some(0.1), Some(0.3), Some(0.3)]),
            row(1.0, [Some(2.0), None, Some(1.9), Some(2.5)]),
            row(2.0, [None, None, None, None]),
        ];
        let summary = summary(&rows);
        assert!(summary.contains("without vacuity, the peer below 0.2 s: 1 of 2 files"));
        assert!(summary.contains("with vacuity, the peer below 0.2 s: 0 of 2 files"));
        assert!(summary.contains("1 of 2 files within 2 times, 1 above 5 times"));
        assert!(summary.contains("the better engine and 0.1 s: 1 of 4 files"));
        assert!(
            table(&rows)
                .contains("2.smv\tplain\t2\t\t>60.0\t>60.0\t>60.0\t>60.0\t-\t10.0\t10.0\t10.0\n")
        );
    }
}
