//! Neighbourhoods of models: what is so there, and which values lead right or wrong.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use wherefore_logic::Class;
use wherefore_model::PropertyKind;
use wherefore_tagged::{AvoidingWay, ColumnId, NodeId, NodeValues, Setting, TextId, ZoneTag, ways};

use super::Story;
use crate::words::{clean, count, shortened};

/// So many variables are told.
const FEW: usize = 8;
/// A value is shown up to this many letters.
const LONGEST: usize = 40;

/// What lies behind the states and labels of a system that was made from a model.
#[derive(Clone, Copy, Debug)]
pub struct Behind<'a> {
    /// What states and steps are made of.
    pub values: &'a NodeValues,
    /// The kind of the property.
    pub kind: PropertyKind,
    /// Of which class the property is, where its form does not say it.
    pub class: Option<Class>,
    /// What a reader should know: sentences.
    pub notes: &'a [String],
}

/// A neighbourhood of a model in words.
pub(crate) struct PlaceTold {
    /// `floor=1, door=open`: what is so there; `None`: it comes before the first state.
    pub(crate) here: Option<String>,
    /// The ways that lead on, with their words.
    pub(crate) ways: Vec<(AvoidingWay, String)>,
}

/// A neighbourhood in words, where there is a model behind the system and its steps are not too many.
pub(crate) fn told(story: &Story<'_>, node: NodeId) -> Option<PlaceTold> {
    let values = story.behind?.values;
    let ways = ways(story.graph(), values, node);
    if ways.is_empty() {
        return None;
    }
    let state = story.graph().pair(node).state;
    let here = values.at(state);
    let moved = |column: ColumnId| {
        ways.iter().any(|way| {
            let decides = way.decides.iter().any(|setting| setting.column == column);
            let changes = way.changes.iter().any(|change| change.column == column);
            decides || changes || way.free.contains(&column)
        })
    };
    let text = here.map(|here| settings(values, here, moved));
    let texts: Vec<String> = ways.iter().map(|way| words(values, here, way)).collect();
    Some(PlaceTold {
        here: text,
        ways: ways.into_iter().zip(texts).collect(),
    })
}

/// Of so many neighbourhoods the decisions are summed up.
const SUMMED: usize = 10_000;

/// What decides, over all neighbourhoods: how often, the tag, and the words; the most frequent first.
/// `None`: there is no model, or there are too many neighbourhoods.
pub(crate) fn by_values(story: &Story<'_>) -> Option<Vec<(usize, ZoneTag, String)>> {
    let values = story.behind?.values;
    let graph = story.graph();
    if graph.counts().neighbourhoods() > SUMMED {
        return None;
    }
    let mut often: BTreeMap<(ZoneTag, String), usize> = BTreeMap::new();
    for node in graph.nodes().filter(|&node| graph.kind(node).is_some()) {
        let here = values.at(graph.pair(node).state);
        for way in ways(graph, values, node) {
            if way.tag == ZoneTag::Neutral {
                continue;
            }
            let bare = AvoidingWay {
                free: vec![],
                changes: match way.decides.is_empty() {
                    true => way.changes,
                    false => vec![],
                },
                steps: vec![],
                ..way
            };
            *often
                .entry((bare.tag, words(values, here, &bare)))
                .or_default() += 1;
        }
    }
    let often = often.into_iter().map(|((tag, text), n)| (n, tag, text));
    let mut often: Vec<(usize, ZoneTag, String)> = often.collect();
    often.sort_by_key(|(n, ..)| Reverse(*n));
    Some(often)
}

/// The values in a state; of many variables, those that the property reads or that matter here.
fn settings(values: &NodeValues, here: &[TextId], matters: impl Fn(ColumnId) -> bool) -> String {
    let columns = values.columns().filter(|(_, column)| !column.input);
    let all = columns.zip(here).filter(|((_, column), _)| !column.hidden);
    let all: Vec<_> = all.collect();
    let few = all.len() <= FEW;
    let kept = all
        .iter()
        .filter(|((id, column), _)| few || column.watched || matters(*id));
    let kept: Vec<String> = kept
        .map(|((id, _), value)| setting(values, *id, **value))
        .collect();
    match all.len() - kept.len() {
        0 => kept.join(", "),
        more => format!("{} and {}", kept.join(", "), count(more, "other")),
    }
}

fn setting(values: &NodeValues, column: ColumnId, value: TextId) -> String {
    format!("{}={}", name(values, column), text(values, value))
}

fn name(values: &NodeValues, column: ColumnId) -> String {
    clean(&values.column(column).name)
}

fn text(values: &NodeValues, value: TextId) -> String {
    shortened(clean(values.text(value)), LONGEST)
}

/// `door: closed -> open (any btn1.p)`
fn words(values: &NodeValues, here: Option<&[TextId]>, way: &AvoidingWay) -> String {
    let change = |column: ColumnId, old: TextId, new: TextId| {
        let (old, new) = (text(values, old), text(values, new));
        format!("{}: {old} -> {new}", name(values, column))
    };
    let decides = |setting_: &Setting| {
        let Setting { column, value } = *setting_;
        let old = here.and_then(|here| here.get(column.index()));
        match old {
            Some(&old) if old == value => {
                format!("{} stays {}", name(values, column), text(values, value))
            }
            Some(&old) => change(column, old, value),
            None => setting(values, column, value),
        }
    };
    let seen = |column: ColumnId| !values.column(column).hidden;
    let decisive = way.decides.iter().filter(|setting| seen(setting.column));
    let mut parts: Vec<String> = decisive.map(decides).collect();
    let changes = way.changes.iter().filter(|c| seen(c.column));
    let changes = changes.map(|c| change(c.column, c.old, c.new));
    let changes: Vec<String> = changes.take(FEW).collect();
    if !changes.is_empty() && !parts.is_empty() {
        parts.push(format!("with {}", changes.join(", ")));
    } else {
        parts.extend(changes);
    }
    let free = way.free.iter().filter(|&&free| seen(free));
    let free: Vec<String> = free.map(|&free| name(values, free)).collect();
    if !free.is_empty() {
        let some = free.iter().take(FEW).cloned().collect::<Vec<_>>();
        let more = match free.len() - some.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        parts.push(format!("any {}{more}", some.join(", ")));
    }
    let text = match parts.is_empty() {
        true => "nothing changes".to_string(),
        false => parts.join("; "),
    };
    match way.steps.len() {
        0 | 1 => text,
        n => format!("{text} ({n} steps)"),
    }
}
