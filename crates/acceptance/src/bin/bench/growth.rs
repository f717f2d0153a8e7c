//! How time and memory grow with the size of a model.

use std::fs;
use std::io;
use std::path::Path;

use crate::chart::{self, Line, Panel, Point};
use crate::models::{FAMILIES, Family};
use crate::tools::{Result, Tools, Way};

/// A series of measurements of one program, size by size, up to the first that did not come to an end.
struct Series {
    name: &'static str,
    results: Vec<(usize, Result)>,
}

/// Measures every family whose name has this part, prints tables, writes them to `growth.tsv` and draws
/// a picture of each.
pub(crate) fn run(tools: &Tools, only: &str, out: &Path) -> io::Result<()> {
    let mut table = String::from("family\tsize\tprogram\tcpu_s\tmb\tdone\n");
    for family in FAMILIES.iter().filter(|family| family.name.contains(only)) {
        let all = measure(tools, family, out)?;
        println!("{}", screen(family, &all));
        for series in &all {
            for (size, result) in &series.results {
                let (cpu, memory) = (result.cost.cpu, result.cost.megabytes);
                table.push_str(&format!(
                    "{}\t{size}\t{}\t{cpu:.4}\t{memory:.1}\t{}\n",
                    family.name, series.name, result.done
                ));
            }
        }
        fs::write(out.join("growth.tsv"), &table)?;
        let picture = out.join(format!("{}.svg", family.name));
        fs::write(&picture, draw(tools, family, &all))?;
        println!("The picture is {}.\n", picture.display());
    }
    Ok(())
}

fn measure(tools: &Tools, family: &Family, out: &Path) -> io::Result<Vec<Series>> {
    let mut ways: Vec<Option<Way>> = vec![Some(Way::Auto), Some(Way::Explicit), Some(Way::Bdd)];
    ways.retain(|way| way.is_some_and(|way| tools.ways.contains(&way)));
    ways.extend(tools.peer.is_some().then_some(None));
    let mut all = Vec::new();
    for way in ways {
        let name = way.map_or("NuSMV", Way::name);
        let mut results = Vec::new();
        for &size in family.sizes {
            let model = out.join(format!("{}-{size}.smv", family.name));
            fs::write(&model, (family.model)(size))?;
            let result = match way {
                Some(way) => tools.ours(&model, way, tools.limit)?,
                None => tools.peer(&model, "-dynamic")?,
            };
            let Some(result) = result else { break };
            results.push((size, result));
            if !result.done {
                break;
            }
        }
        all.push(Series { name, results });
    }
    Ok(all)
}

fn screen(family: &Family, all: &[Series]) -> String {
    let mut text = format!("{}\n{:>10}", family.title, family.unit);
    for series in all {
        text.push_str(&format!(
            " {:>10} {:>8}",
            format!("{} s", series.name),
            "MB"
        ));
    }
    for size in family.sizes {
        text.push_str(&format!("\n{size:>10}"));
        for series in all {
            let found = series.results.iter().find(|(at, _)| at == size);
            let (seconds, memory) = match found {
                Some((_, result)) if result.done => (
                    format!("{:.3}", result.cost.cpu),
                    format!("{:.0}", result.cost.megabytes),
                ),
                Some((_, result)) => ("-".to_string(), format!("{:.0}", result.cost.megabytes)),
                None => (String::new(), String::new()),
            };
            text.push_str(&format!(" {seconds:>10} {memory:>8}"));
        }
    }
    text
}

fn draw(tools: &Tools, family: &Family, all: &[Series]) -> String {
    let panel = |title: &str, what: fn(&Result) -> f64| Panel {
        title: title.to_string(),
        across: family.unit.to_string(),
        sizes: family.sizes.to_vec(),
        lines: all
            .iter()
            .map(|series| Line {
                name: series.name.to_string(),
                points: series
                    .results
                    .iter()
                    .map(|(size, result)| Point {
                        x: *size as f64,
                        y: what(result),
                        done: result.done,
                    })
                    .collect(),
            })
            .collect(),
    };
    let panels = [
        panel("CPU seconds", |result| result.cost.cpu.max(0.0001)),
        panel("memory in megabytes", |result| {
            result.cost.megabytes.max(0.1)
        }),
    ];
    let note = format!(
        "empty dot: no answer within {} s of CPU time",
        tools.limit.as_secs()
    );
    chart::svg(family.title, &note, &panels)
}
