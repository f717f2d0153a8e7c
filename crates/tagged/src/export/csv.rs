//! Two tables with the headers that Neo4j's import tool reads.

use std::io::{self, Write};

use super::{all_steps, has_sink, target, type_of};
use crate::query::{colour_name, node_labels, type_name, zone_name};
use crate::tagged::{Tagged, Zone};

/// Writes the nodes.
pub fn nodes_csv(graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        ":ID,id:int,isFrontier:boolean,nb_id:int,nb_type,kind,zone,state:int,monitor:int,:LABEL"
    )?;
    let mut neighbourhoods = 0;
    for node in graph.nodes() {
        let (id, pair) = (node.index(), graph.pair(node));
        let zone = zone_name(graph.zone(node));
        let labels = node_labels(graph, Some(node)).join(";");
        write!(out, "{id},{id},")?;
        match graph.kind(node) {
            Some(kind) => {
                let (type_name, kind) = (type_name(kind), kind.name());
                write!(out, "true,{neighbourhoods},{type_name},{kind}")?;
                neighbourhoods += 1;
            }
            None => write!(out, "false,,,")?,
        }
        writeln!(out, ",{zone},{},{},{labels}", pair.state.index(), pair.at)?;
    }
    if has_sink(graph) {
        let (zone, labels) = (zone_name(Zone::Good), node_labels(graph, None).join(";"));
        writeln!(out, "-1,-1,false,,,,{zone},,,{labels}")?;
    }
    Ok(())
}

/// Writes the relationships.
pub fn relationships_csv(graph: &Tagged<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, ":START_ID,:END_ID,:TYPE,id:int,action,type,tag")?;
    for (number, from, step) in all_steps(graph) {
        let action = &graph.label(step.label).text;
        write!(out, "{},{},", from.index(), target(&step))?;
        field(type_of(action), out)?;
        write!(out, ",{number},")?;
        field(action, out)?;
        writeln!(out, ",{},{}", colour_name(step.tag), step.tag.name())?;
    }
    Ok(())
}

/// A text between quotes, which are doubled inside.
fn field(text: &str, out: &mut impl Write) -> io::Result<()> {
    match text.contains('"') {
        true => write!(out, "\"{}\"", text.replace('"', "\"\"")),
        false => write!(out, "\"{text}\""),
    }
}
