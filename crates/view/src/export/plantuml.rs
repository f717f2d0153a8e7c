//! A run as a sequence diagram for PlantUML. Who takes part are the parts of the model: variables `door.open` and
//! `door.busy` belong to `door`, those without a dot to the model itself. A step is a message to each part that it
//! changes; the part of a lasso that repeats is a loop.

use std::fmt::Write;

use wherefore_model::Property;

use super::Run;
use crate::things::Thing;
use crate::words::Telling;

/// What the model itself is called.
const MODEL: &str = "model";

/// The diagram of a run.
pub(crate) fn render(telling: &Telling<'_>, property: &Property, run: &Run) -> String {
    let report = &telling.report;
    let things = report.things(false);
    let mut parts: Vec<String> = Vec::new();
    for thing in &things {
        let part = part(telling, *thing);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let mut out = String::from("@startuml\n");
    let title = crate::clean(&format!("{}: {}", property.name, property.text));
    let _ = writeln!(out, "title {}", escaped(&title));
    for (at, part) in parts.iter().enumerate() {
        let _ = writeln!(out, "participant \"{}\" as p{at}", escaped(part));
    }
    let of = |name: &str| parts.iter().position(|part| part == name).unwrap_or(0);
    let first = run.states.first().map(|&state| telling.values(state));
    for (at, part_name) in parts.iter().enumerate() {
        let Some(state) = first else { continue };
        let own = things
            .iter()
            .filter(|thing| part(telling, **thing) == *part_name);
        let values: Vec<_> = own
            .map(|thing| {
                format!(
                    "{}={}",
                    report.thing_name(*thing),
                    report.thing_value(*thing, state)
                )
            })
            .collect();
        let _ = writeln!(out, "hnote over p{at} : {}", escaped(&values.join("\\n")));
    }
    for (at, (from, to)) in run.steps().enumerate() {
        if run.back == Some(at) {
            out.push_str("loop for ever\n");
        }
        let input = report.input_text(telling.input(from, to));
        let (old, new) = (telling.values(from), telling.values(to));
        let mut changed: Vec<(usize, Vec<String>)> = Vec::new();
        for thing in &things {
            if thing.change(old, new).is_none() {
                continue;
            }
            let place = of(&part(telling, *thing));
            let text = report.thing_change(*thing, old, new);
            match changed.iter_mut().find(|(known, _)| *known == place) {
                Some((_, texts)) => texts.push(text),
                None => changed.push((place, vec![text])),
            }
        }
        let name = match input.is_empty() {
            true => format!("step {}", at + 1),
            false => format!("step {}: {input}", at + 1),
        };
        let _ = writeln!(out, "== {} ==", escaped(&name));
        for (place, texts) in &changed {
            let _ = writeln!(out, "p{place} -> p{place} : {}", escaped(&texts.join(", ")));
        }
        if changed.is_empty() {
            out.push_str("... nothing changes ...\n");
        }
    }
    if run.back.is_some() {
        out.push_str("end\n");
    }
    out.push_str("@enduml\n");
    out
}

/// The part of the model that something belongs to.
fn part(telling: &Telling<'_>, thing: Thing<'_>) -> String {
    let name = telling.report.thing_name(thing);
    match name.rsplit_once('.') {
        Some((part, _)) => part.to_owned(),
        None => MODEL.to_owned(),
    }
}

/// A text of one line; signs that PlantUML takes for its own are written as characters by number.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '<' | '>' | '&' | '~' | '*' | '_' | '[' | ']' | '{' | '}' | '#' | '|' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
