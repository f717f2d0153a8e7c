//! The analysis in the document.

use wherefore_model::lts::LabelId;
use wherefore_tagged::{
    AnalysisOutlook, AvoidingWay, Column, ColumnId, Course, CourseEnding, Group, NeighbourhoodKind,
    NodeId, NodeValues, TagReading, TextId, ZoneTag, ways,
};
use wherefore_wire::{
    AnalysisDoc, CheckDocument, ClassName, CountDoc, CourseDoc, CourseEndingName, CourseName,
    CourseStateDoc, CourseStepDoc, DecidingDoc, EngineName, GraphSizeDoc, ModelDoc,
    NeighbourhoodCountsDoc, NeighbourhoodDoc, NeighbourhoodGroupDoc, PropertyDoc, PropertyKindName,
    ReachDoc, ShortestDoc, SpaceDoc, StatsDoc, TagCountsDoc, ValueChangeDoc, ValueDoc, ValuesDoc,
    VerdictName, WayOnDoc,
};

use super::rows::tag;
use super::{ShownGraph, Story};
use crate::json::names;
use crate::sentences::tagged::percent;

/// The whole document.
pub fn document(story: &Story<'_>) -> CheckDocument {
    let lts = story.graph().lts();
    let property = PropertyDoc {
        name: story.asked.name.to_string(),
        text: story.asked.text.to_string(),
        path: story.asked.path.map(str::to_string),
        line: story.asked.place.map(|(line, _)| line),
        column: story.asked.place.map(|(_, column)| column),
        kind: match story.behind {
            Some(behind) => names::property_kind(behind.kind),
            None => PropertyKindName::Mcl,
        },
        class: match story.graph().reading() {
            TagReading::Inevitable => Some(ClassName::FiniteLiveness),
            TagReading::Branching | TagReading::Fate => Some(ClassName::Safety),
            TagReading::Linear => story
                .behind
                .and_then(|behind| behind.class)
                .map(names::class),
        },
        verdict: match story.analysis.outlook {
            AnalysisOutlook::Holds => VerdictName::Holds,
            _ => VerdictName::Fails,
        },
        reach: Some(ReachDoc::complete()),
        analysis: Some(analysis(story)),
        ..PropertyDoc::default()
    };
    CheckDocument::new(vec![ModelDoc {
        space: Some(SpaceDoc {
            engine: EngineName::Explicit,
            states: CountDoc::from(lts.states()),
            transitions: Some(CountDoc::from(lts.transitions())),
            symmetries: None,
        }),
        properties: vec![property],
        stats: story.seconds.map(|seconds| StatsDoc { seconds }),
        ..ModelDoc::unread(story.path, story.language)
    }])
}

/// What a story tells.
fn analysis(story: &Story<'_>) -> AnalysisDoc {
    let graph = story.graph();
    let (lts, counts) = (graph.lts(), graph.counts());
    let run = match &story.shown {
        ShownGraph::Course(which, course) => Some(run(story, which.wire_name(), course)),
        _ => None,
    };
    AnalysisDoc {
        reading: names::reading(graph.reading()),
        outlook: names::outlook(story.analysis.outlook),
        notes: story.behind.map_or(vec![], |behind| behind.notes.to_vec()),
        system: GraphSizeDoc {
            states: lts.states(),
            transitions: lts.transitions(),
            labels: lts.labels().len(),
        },
        counterexamples: GraphSizeDoc {
            states: counts.states,
            transitions: counts.transitions,
            labels: counts.labels,
        },
        tags: TagCountsDoc {
            correct: counts.tagged(ZoneTag::Correct),
            incorrect: counts.tagged(ZoneTag::Incorrect),
            neutral: counts.tagged(ZoneTag::Neutral),
        },
        neighbourhoods: NeighbourhoodCountsDoc {
            total: counts.neighbourhoods(),
            cn: counts.of(NeighbourhoodKind::Cn),
            r#in: counts.of(NeighbourhoodKind::In),
            ci: counts.of(NeighbourhoodKind::Ci),
            cin: counts.of(NeighbourhoodKind::Cin),
            percent: percent(graph),
            groups: story.analysis.groups.len(),
        },
        shortest: story
            .analysis
            .shortest
            .as_ref()
            .ok()
            .map(|shortest| ShortestDoc {
                length: shortest.course.len(),
                abstracted: kept(story, &shortest.course),
                abstracted_range: [shortest.least, shortest.most],
                count: shortest
                    .count
                    .as_ref()
                    .map(|count| CountDoc::of(&count.to_string())),
                proved: shortest.proved,
            }),
        run,
        missing: match &story.shown {
            ShownGraph::Missing(why) => Some(why.clone()),
            _ => None,
        },
        deciding: (story.analysis.labels.deciding.iter())
            .map(|deciding| DecidingDoc {
                label: graph.label(deciding.label).text.clone(),
                correct: deciding.correct,
                incorrect: deciding.incorrect,
            })
            .collect(),
        idle: texts(story, &story.idle()),
        groups: groups(story),
    }
}

pub(crate) fn run(story: &Story<'_>, which: CourseName, course: &Course) -> CourseDoc {
    let graph = story.graph();
    let kept = story.kept(course);
    let steps = course
        .labels
        .iter()
        .enumerate()
        .map(|(at, &label)| CourseStepDoc {
            action: graph.label(label).text.clone(),
            tag: names::tag(tag(graph, course.nodes[at], label, course.nodes[at + 1])),
            kept: kept[at],
        });
    CourseDoc {
        which,
        length: course.len(),
        abstracted: kept.iter().filter(|kept| **kept).count(),
        ending: match course.ending {
            CourseEnding::Reached => CourseEndingName::Reached,
            CourseEnding::Deadlock => CourseEndingName::Deadlock,
            CourseEnding::Loop(_) => CourseEndingName::Loop,
        },
        back: match course.ending {
            CourseEnding::Loop(at) => Some(at),
            CourseEnding::Reached | CourseEnding::Deadlock => None,
        },
        states: course
            .nodes
            .iter()
            .map(|&node| place(story, node))
            .collect(),
        steps: steps.collect(),
    }
}

fn place(story: &Story<'_>, node: NodeId) -> CourseStateDoc {
    let pair = story.graph().pair(node);
    CourseStateDoc {
        state: pair.state.index(),
        at: pair.at,
        values: values_at(story, node),
        neighbourhood: neighbourhood(story, node),
    }
}

/// The values at a node, in the order of the variables.
pub(crate) fn values_at(story: &Story<'_>, node: NodeId) -> Option<ValuesDoc> {
    let values = story.behind?.values;
    let here = values.at(story.graph().pair(node).state)?;
    let columns = values.columns().zip(here);
    let value = |((_, column), text): ((_, &Column), &TextId)| {
        (column.name.clone(), value_json(values, *text))
    };
    Some(columns.map(value).collect())
}

/// A value: numbers and truth values as such, names as texts.
fn value_json(values: &NodeValues, text: TextId) -> ValueDoc {
    match values.text(text) {
        "TRUE" => ValueDoc::Bool(true),
        "FALSE" => ValueDoc::Bool(false),
        text => match text.parse::<i64>() {
            Ok(number) => ValueDoc::Int(number),
            Err(_) => ValueDoc::Text(text.to_string()),
        },
    }
}

fn ways_on(story: &Story<'_>, node: NodeId) -> Vec<WayOnDoc> {
    let Some(behind) = story.behind else {
        return Vec::new();
    };
    let values = behind.values;
    let name = |column: ColumnId| values.column(column).name.clone();
    let way = |way: &AvoidingWay| WayOnDoc {
        tag: names::tag(way.tag),
        steps: way.steps.len(),
        decides: (way.decides.iter())
            .map(|setting| (name(setting.column), value_json(values, setting.value)))
            .collect(),
        changes: (way.changes.iter())
            .map(|change| ValueChangeDoc {
                variable: name(change.column),
                old: value_json(values, change.old),
                new: value_json(values, change.new),
            })
            .collect(),
        free: way.free.iter().map(|&column| name(column)).collect(),
    };
    ways(story.graph(), values, node).iter().map(way).collect()
}

fn neighbourhood(story: &Story<'_>, node: NodeId) -> Option<NeighbourhoodDoc> {
    let graph = story.graph();
    let kind = graph.kind(node)?;
    let with = |tag: ZoneTag| {
        let steps = graph.steps(node).filter(|step| step.tag == tag);
        steps
            .map(|step| graph.label(step.label).text.clone())
            .collect()
    };
    Some(NeighbourhoodDoc {
        kind: names::neighbourhood(kind),
        correct: with(ZoneTag::Correct),
        incorrect: with(ZoneTag::Incorrect),
        neutral: with(ZoneTag::Neutral),
        ways: ways_on(story, node),
    })
}

/// So many groups are listed when nobody asks for them.
const GROUPS: usize = 5;

fn groups(story: &Story<'_>) -> Vec<NeighbourhoodGroupDoc> {
    let most = match story.shown {
        ShownGraph::Groups => usize::MAX,
        _ => GROUPS,
    };
    let groups = story.analysis.groups.iter().take(most);
    groups.filter_map(|group| alike(story, group)).collect()
}

/// A group of neighbourhoods; nothing if it has no members.
pub(crate) fn alike(story: &Story<'_>, group: &Group) -> Option<NeighbourhoodGroupDoc> {
    let first = *group.members.first()?;
    Some(NeighbourhoodGroupDoc {
        count: group.members.len(),
        state: story.graph().pair(first).state.index(),
        neighbourhood: neighbourhood(story, first)?,
    })
}

fn kept(story: &Story<'_>, course: &Course) -> usize {
    story.kept(course).iter().filter(|kept| **kept).count()
}

fn texts(story: &Story<'_>, labels: &[LabelId]) -> Vec<String> {
    let texts = labels
        .iter()
        .map(|&label| story.graph().label(label).text.clone());
    texts.collect()
}
