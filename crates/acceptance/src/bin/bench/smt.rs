//! Infinite-state models: what solvers need for them, beside published figures and beside finite versions.
//!
//! Three things are measured. The case studies of Vakili and Day (2014), each property by itself, by all engines side by
//! side and by the one query of the paper, beside its Table 1. Models as they grow, their finite versions by states, by
//! decision diagrams and by relational logic, the infinite ones by solvers (the questions of its Figures 9 and 10). And
//! four ways to write the same model (its Figures 11 and 12). CPU seconds are those of our program and of all solvers it
//! started and waited for.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::chart::{self, Line, Panel, Point};
use crate::measure;
use crate::smt_models::{self as models, Greatest};
use crate::tools::{Result, Tools};

/// Measures everything whose name has this part, prints tables, writes them to `smt.tsv` and draws pictures.
pub(crate) fn run(tools: &Tools, only: &str, out: &Path) -> io::Result<()> {
    let solvers = versions();
    if solvers.is_empty() {
        println!("No SMT solver is installed, so nothing is measured: apt-get install z3 cvc5");
        return Ok(());
    }
    println!("Solvers: {}\n", solvers.join(", "));
    let mut bench = Bench {
        tools,
        out,
        table: format!(
            "# {}\npart\tcase\tsize\tway\tcpu_s\tmb\tdone\n",
            solvers.join(", ")
        ),
    };
    if "cases".contains(only) {
        bench.cases()?;
    }
    for growth in models::GROWTH
        .iter()
        .filter(|growth| growth.name.contains(only))
    {
        bench.growth(growth)?;
    }
    if "variants".contains(only) {
        bench.variants()?;
    }
    fs::write(out.join("smt.tsv"), &bench.table)
}

struct Bench<'a> {
    tools: &'a Tools,
    out: &'a Path,
    table: String,
}

/// A way to answer, and what it cost at each size.
struct Series {
    name: &'static str,
    results: Vec<(usize, Result)>,
}

impl Bench<'_> {
    /// The case studies beside the figures of the paper.
    fn cases(&mut self) -> io::Result<()> {
        println!(
            "Case studies, CPU seconds; the paper's are of z3 4.3.1 and CVC4 1.3 in 2014, * stands for the one query with z3 5.4\n\
             {:<34} {:>8} {:>10} {:>10} {:>10} {:>8}",
            "property", "auto", "one query", "paper z3", "paper CVC4", "*"
        );
        for case in models::cases() {
            let file = match &case.text {
                Some(text) => self.write(&format!("{}.vmt", case.name), text)?,
                None => examples().join(case.file),
            };
            let of_property = ["-p", case.property];
            let auto = self.ours("cases", case.name, 0, "auto", &file, &of_property)?;
            let mut theory = of_property.to_vec();
            theory.extend(["--engine", "theory"]);
            let one = self.ours("cases", case.name, 0, "theory", &file, &theory)?;
            println!(
                "{:<34} {:>8} {:>10} {:>10} {:>10} {:>8}",
                format!("{} {}", case.name, case.property),
                seconds(&auto),
                seconds(&one),
                case.paper.0,
                case.paper.1,
                case.one_query
            );
        }
        println!();
        Ok(())
    }

    /// A model as it grows, by several ways.
    fn growth(&mut self, growth: &models::Growth) -> io::Result<()> {
        let mut all = Vec::new();
        for way in growth.ways {
            let mut results = Vec::new();
            for &size in growth.sizes {
                let name = format!("{}-{size}.{}", growth.name, way.ending);
                let file = self.write(&name, &(way.model)(size))?;
                let options = (way.options)(size);
                let options: Vec<&str> = options.iter().map(String::as_str).collect();
                let result = self.ours("growth", growth.name, size, way.name, &file, &options)?;
                results.push((size, result));
                if !result.done {
                    break;
                }
            }
            all.push(Series {
                name: way.name,
                results,
            });
        }
        self.show(growth.name, growth.title, growth.unit, growth.sizes, &all)
    }

    /// Four ways to write the election of a leader, by the one query.
    fn variants(&mut self) -> io::Result<()> {
        const SIZES: [usize; 7] = [3, 4, 5, 6, 7, 8, 10];
        let name = "leader-variants";
        let mut all = Vec::new();
        for (way, greatest, together) in [
            ("one by one", Greatest::Named, false),
            ("all together", Greatest::Named, true),
            ("nested ite", Greatest::Chosen, false),
        ] {
            let mut results = Vec::new();
            for size in SIZES {
                let text = models::leader_variant(size, greatest, together);
                let file = self.write(&format!("{name}-{size}.vmt"), &text)?;
                let result =
                    self.ours("variants", way, size, way, &file, &["--engine", "theory"])?;
                results.push((size, result));
                if !result.done {
                    break;
                }
            }
            all.push(Series { name: way, results });
        }
        let mut results = Vec::new();
        for size in SIZES {
            let file = self.write(&format!("{name}-{size}.smt2"), &models::leader_times(size))?;
            let command: Vec<OsString> = vec!["z3".into(), file.into()];
            let cost = measure::repeat(
                &command,
                &self.tools.output,
                self.tools.limit,
                self.tools.runs,
            )?;
            let said = String::from_utf8_lossy(&fs::read(&self.tools.output)?).into_owned();
            let done = said.lines().filter(|line| *line == "unsat").count() == size;
            let result = Result { cost, done };
            self.note("variants", name, size, "quantified times", &result);
            results.push((size, result));
            if !done {
                break;
            }
        }
        all.push(Series {
            name: "quantified times",
            results,
        });
        let title = "Electing a leader: four ways to write it, n properties by one query";
        self.show(name, title, "processes", &SIZES, &all)
    }

    fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let file = self.out.join(name);
        fs::write(&file, text)?;
        Ok(file)
    }

    /// Runs our program on a model; it is done if it left nothing undecided.
    fn ours(
        &mut self,
        part: &str,
        case: &str,
        size: usize,
        way: &str,
        model: &Path,
        options: &[&str],
    ) -> io::Result<Result> {
        let tools = self.tools;
        let limit = tools.limit.as_secs().max(1).to_string();
        let mut command: Vec<OsString> = vec![tools.wherefore.clone().into(), "check".into()];
        command.push(model.into());
        command.extend(options.iter().map(OsString::from));
        command.extend(["--timeout".into(), limit.into()]);
        let cost = measure::repeat(
            &command,
            &tools.output,
            tools.limit + Duration::from_secs(5),
            tools.runs,
        )?;
        let done = matches!(cost.code, Some(0 | 1 | 5));
        let result = Result { cost, done };
        self.note(part, case, size, way, &result);
        Ok(result)
    }

    fn note(&mut self, part: &str, case: &str, size: usize, way: &str, result: &Result) {
        let (cpu, memory) = (result.cost.cpu, result.cost.megabytes);
        self.table.push_str(&format!(
            "{part}\t{case}\t{size}\t{way}\t{cpu:.3}\t{memory:.1}\t{}\n",
            result.done
        ));
    }

    fn show(
        &self,
        name: &str,
        title: &str,
        unit: &str,
        sizes: &[usize],
        all: &[Series],
    ) -> io::Result<()> {
        print!("{title}\n{unit:>10}");
        for series in all {
            print!(" {:>17}", series.name);
        }
        for size in sizes {
            print!("\n{size:>10}");
            for series in all {
                let found = series.results.iter().find(|(at, _)| at == size);
                print!(
                    " {:>17}",
                    found.map_or(String::new(), |(_, result)| seconds(result))
                );
            }
        }
        println!();
        let line = |series: &Series| Line {
            name: series.name.to_string(),
            points: series
                .results
                .iter()
                .map(|(size, result)| Point {
                    x: *size as f64,
                    y: result.cost.cpu.max(0.001),
                    done: result.done,
                })
                .collect(),
        };
        let panel = Panel {
            title: "CPU seconds, solvers included".to_string(),
            across: unit.to_string(),
            sizes: sizes.to_vec(),
            lines: all.iter().map(line).collect(),
        };
        let note = format!(
            "empty dot: no answer within {} s",
            self.tools.limit.as_secs()
        );
        let picture = self.out.join(format!("{name}.svg"));
        fs::write(&picture, chart::svg(title, &note, &[panel]))?;
        println!("The picture is {}.\n", picture.display());
        Ok(())
    }
}

/// Seconds as tables have them.
fn seconds(result: &Result) -> String {
    match result.done {
        true => format!("{:.2}", result.cost.cpu),
        false => format!("> {:.0}", result.cost.cpu),
    }
}

/// The examples of this repository.
fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/smt")
}

/// What the installed solvers call themselves.
fn versions() -> Vec<String> {
    let version = |solver: &&str| {
        let output = Command::new(solver).arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Some(text.lines().next()?.to_string())
    };
    ["z3", "cvc5"].iter().filter_map(version).collect()
}
