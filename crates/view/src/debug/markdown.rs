//! The story for a page.

use std::fmt::Write;

use wherefore_tagged::{Kind, NodeId, Tag};

use super::choices::{TAGS, label_text, labels, some_labels};
use super::rows::{Row, rows};
use super::sentences::{ending_text, kind_text, kinds_text, outlook_text, percent, tag_text};
use super::text::{FEW, course_title};
use super::values::told;
use super::{Shown, Story};
use crate::markdown::{cell, code, prose};
use crate::words::{clean, count};

/// The whole page.
pub fn render(story: &Story<'_>) -> String {
    let (graph, outlook) = (story.graph(), story.analysis.outlook);
    let (lts, counts) = (graph.lts(), graph.counts());
    let mut out = format!("# {}\n\n", prose(story.path));
    let verdict = if story.holds() { "holds" } else { "**fails**" };
    let text = outlook_text(outlook, graph.reading());
    let name = cell(story.asked.name);
    let formula = code(story.asked.text);
    let _ = write!(
        out,
        "| property | formula | verdict |\n|---|---|---|\n| {name} | {formula} | {verdict}: {text} |\n\n"
    );
    out.push_str("| | states | transitions | labels |\n|---|---|---|---|\n");
    let system = (lts.states(), lts.transitions(), lts.labels().len());
    let _ = writeln!(
        out,
        "| system | {} | {} | {} |",
        system.0, system.1, system.2
    );
    if story.holds() {
        return out;
    }
    let _ = writeln!(
        out,
        "| counterexamples | {} | {} | {} |\n",
        counts.states, counts.transitions, counts.labels
    );
    let _ = writeln!(
        out,
        "{} correct, {} incorrect and {} neutral transitions. {} ({:.2} % of the states){}.",
        counts.tagged(Tag::Correct),
        counts.tagged(Tag::Incorrect),
        counts.tagged(Tag::Neutral),
        count(counts.neighbourhoods(), "neighbourhood"),
        percent(graph),
        match counts.neighbourhoods() {
            0 => String::new(),
            _ => format!(": {}", kinds_text(graph)),
        }
    );
    match &story.shown {
        Shown::Course(which, course) => {
            let _ = write!(
                out,
                "\n## {}\n\n",
                prose(&course_title(story, *which, course))
            );
            out.push_str("| step | action | tag |\n|---|---|---|\n");
            for row in rows(story, course) {
                match row {
                    Row::Dropped(n) => {
                        let _ = writeln!(out, "| ... | *{}* | |", count(n, "step"));
                    }
                    Row::Step(number, label, tag) => {
                        let label = code(&label_text(graph, label));
                        let _ = writeln!(out, "| {number} | {label} | {} |", tag.name());
                    }
                    Row::Place(node, kind) => {
                        let text = place(story, node, kind, FEW);
                        let _ = writeln!(out, "| | {text} | |");
                    }
                }
            }
            if let Some(ending) = ending_text(graph, course) {
                let _ = writeln!(out, "| | **{ending}** | |");
            }
        }
        Shown::Missing(why) => {
            let _ = write!(out, "\n{}\n", prose(why));
        }
        Shown::Neighbourhood(nodes) => {
            for &node in nodes {
                if let Some(kind) = graph.kind(node) {
                    let _ = write!(out, "\n{}\n", place(story, node, kind, usize::MAX));
                }
            }
        }
        Shown::Groups => groups(&mut out, story),
    }
    out
}

/// A neighbourhood in a line.
fn place(story: &Story<'_>, node: NodeId, kind: Kind, most: usize) -> String {
    let graph = story.graph();
    let state = graph.pair(node).state.index();
    let mut text = format!("**{}** at state {state}, {}", kind.name(), kind_text(kind));
    if let Some(told) = told(story, node) {
        if let Some(here) = &told.here {
            let _ = write!(text, " ({})", cell(&here.replace('`', "'")));
        }
        for (way, words) in told.ways.iter().take(most) {
            let words = cell(&words.replace('`', "'"));
            let _ = write!(text, "; {}: {words}", tag_text(way.tag));
        }
        return text;
    }
    for tag in TAGS {
        let labels = labels(graph, node, tag);
        if !labels.is_empty() {
            let labels = cell(&some_labels(graph, &labels, most).replace('`', "'"));
            let _ = write!(text, "; {}: {labels}", tag_text(tag));
        }
    }
    text
}

fn groups(out: &mut String, story: &Story<'_>) {
    out.push_str(
        "\n## Neighbourhoods\n\n| type | how many | first at state | right | wrong | open |\n",
    );
    out.push_str("|---|---|---|---|---|---|\n");
    let wanted = story
        .analysis
        .groups
        .iter()
        .filter(|group| story.wants(group.kind));
    for group in wanted {
        let Some(&first) = group.members.first() else {
            continue;
        };
        let graph = story.graph();
        let state = graph.pair(first).state.index();
        let lists = TAGS.map(|tag| {
            let labels = labels(graph, first, tag);
            cell(&clean(&some_labels(graph, &labels, FEW)).replace('`', "'"))
        });
        let _ = writeln!(
            out,
            "| {} | {} | {state} | {} |",
            group.kind.name(),
            group.members.len(),
            lists.join(" | ")
        );
    }
}
