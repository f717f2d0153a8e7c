//! AUT, and AUT with tags for the visualizer of Barbon, Leroy and Salaün (2019).
//!
//! `(12:N:GR, "LOSS":RED, 15)`: the source with the type of its neighbourhood, the label with its tag, the
//! target; the sink is -1 and counts as a state. Neither format has escapes: a quote in a label stays as
//! it is (readers take the outermost ones), a line break becomes a space.

use std::borrow::Cow;
use std::io::{self, Write};

use super::{all_steps, has_sink, target};
use crate::query::colour_name;
use crate::tagged::{NeighbourhoodKind, Tagged, ZoneTag};

/// Writes the counterexample LTS without tags: the nodes and the steps between them.
pub fn aut(graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
    let counts = graph.counts();
    writeln!(
        out,
        "des (0, {}, {})",
        counts.transitions,
        counts.states.max(1)
    )?;
    for (_, from, step) in all_steps(graph) {
        if step.tag != ZoneTag::Correct {
            let label = on_a_line(&graph.label(step.label).text);
            writeln!(out, "({}, \"{label}\", {})", from.index(), target(&step))?;
        }
    }
    Ok(())
}

/// Writes the tagged LTS.
pub fn autx(graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
    let counts = graph.counts();
    let transitions: usize = counts.tags.iter().sum();
    let states = counts.states + usize::from(has_sink(graph));
    writeln!(out, "des (0, {transitions}, {states})")?;
    for (_, from, step) in all_steps(graph) {
        let kind = match graph.kind(from) {
            None => "",
            Some(NeighbourhoodKind::Cn) => ":N:G",
            Some(NeighbourhoodKind::In) => ":N:R",
            Some(NeighbourhoodKind::Ci) => ":N:GR",
            Some(NeighbourhoodKind::Cin) => ":N:GRB",
        };
        let label = on_a_line(&graph.label(step.label).text);
        let (colour, to) = (colour_name(step.tag), target(&step));
        writeln!(out, "({}{kind}, \"{label}\":{colour}, {to})", from.index())?;
    }
    Ok(())
}

fn on_a_line(label: &str) -> Cow<'_, str> {
    match label.contains(char::is_control) {
        true => label.replace(char::is_control, " ").into(),
        false => label.into(),
    }
}
