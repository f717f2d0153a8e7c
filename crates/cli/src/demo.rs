//! `wherefore demo`: the built-in examples.

mod tour;

use std::path::Path;

use clap::Parser;
use wherefore_driver::view::clean;

use crate::args::Check;
use crate::check::check;
use crate::exit::Exit;
use crate::terminal;

#[derive(Debug, Parser)]
pub(crate) struct Demo {
    /// The example to write and check
    pub(crate) name: Option<String>,

    /// Replace a file that differs from the example
    #[arg(long)]
    pub(crate) force: bool,

    /// Tell the story of the elevator: one command after the other, with what each is for
    #[arg(long)]
    pub(crate) tour: bool,
}

/// Names and texts of the examples, in order.
const EXAMPLES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// Lists the examples, or writes one into the current folder and checks it.
pub(crate) fn demo(demo: Demo) -> Exit {
    let Some(name) = demo.name else {
        terminal::print(&listing());
        return Exit::Good;
    };
    let stem = name.strip_suffix(".smv").unwrap_or(&name);
    if demo.tour {
        return guided(stem, demo.force);
    }
    let Some((stem, text)) = EXAMPLES.iter().find(|(example, _)| *example == stem) else {
        let names: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
        terminal::error(&format!(
            "error: there is no example `{}`; there are {}",
            clean(&name),
            names.join(", ")
        ));
        return Exit::Usage;
    };
    let file = format!("{stem}.smv");
    if let Err(message) = write(Path::new(&file), text, demo.force) {
        terminal::error(&message);
        return Exit::Usage;
    }
    terminal::print(&format!("$ wherefore check {file}\n"));
    check(Box::new(Check {
        files: vec![file.into()],
        ..Check::default()
    }))
}

/// Writes the examples that the tour uses, and gives it.
fn guided(stem: &str, force: bool) -> Exit {
    if stem != "elevator" {
        terminal::error(&format!(
            "error: there is no tour of `{}`; try wherefore demo elevator --tour",
            clean(stem)
        ));
        return Exit::Usage;
    }
    for (name, text) in EXAMPLES {
        if matches!(*name, "elevator" | "button")
            && let Err(message) = write(Path::new(&format!("{name}.smv")), text, force)
        {
            terminal::error(&message);
            return Exit::Usage;
        }
    }
    tour::tour()
}

fn listing() -> String {
    let widest = EXAMPLES
        .iter()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or(0);
    let mut text = String::from("Built-in examples:\n");
    for (name, source) in EXAMPLES {
        text.push_str(&format!("  {name:<widest$}  {}\n", title(source)));
    }
    if let Some((name, _)) = EXAMPLES.first() {
        text.push_str(&format!(
            "\nTry:\n  wherefore demo {name}  writes {name}.smv here and checks it\n"
        ));
        text.push_str(
            "  wherefore demo elevator --tour  the story of a wrong property, step by step\n",
        );
    }
    text
}

/// The first line of an example, which is a comment that says what it is.
fn title(source: &str) -> &str {
    let first = source.lines().next().unwrap_or_default();
    first.trim_start_matches('-').trim()
}

/// Writes an example, but never over a file that differs unless forced.
fn write(path: &Path, text: &str, force: bool) -> Result<(), String> {
    let shown = terminal::shown(path);
    match std::fs::read(path) {
        Ok(old) if old == text.as_bytes() => return Ok(()),
        Ok(_) if !force => {
            return Err(format!(
                "error: {shown} is here already and differs; --force replaces it"
            ));
        }
        _ => {}
    }
    std::fs::write(path, text)
        .map_err(|error| format!("error: {shown} cannot be written: {error}"))?;
    terminal::print(&format!("wrote {shown}\n"));
    Ok(())
}
