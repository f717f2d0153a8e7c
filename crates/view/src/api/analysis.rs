//! All counterexamples at once, in pieces that a page can draw.

use wherefore_tagged::query::named::NamedQuery;
use wherefore_tagged::{Course, NodeId, TagTarget, TaggedStep};
use wherefore_wire::{
    AnalysisAnswer, CourseAnswer, GraphEdgeDoc, GraphNodeDoc, GroupDoc, NamedQueriesAnswer,
    NamedQueryDoc,
};

use super::PropertyPlace;
use crate::debug::{Story, Which, json};
use crate::json::names;

/// An analysis that was made, and its number.
pub fn analysis(number: u64, place: PropertyPlace, story: &Story<'_>) -> Option<AnalysisAnswer> {
    let mut models = json::document(story).models;
    let document = models.pop()?.properties.pop()?;
    Some(AnalysisAnswer {
        analysis: number,
        model: place.model,
        property: place.property,
        document,
    })
}

/// A run that was looked for and found.
pub fn course(story: &Story<'_>, which: Which, course: &Course) -> CourseAnswer {
    CourseAnswer {
        run: Some(json::run(story, which.wire_name(), course)),
        nodes: course.nodes.iter().map(|node| node.index()).collect(),
        missing: None,
    }
}

/// A node of the graph.
pub fn graph_node(story: &Story<'_>, node: NodeId) -> GraphNodeDoc {
    let graph = &story.analysis.graph;
    let pair = graph.pair(node);
    GraphNodeDoc {
        node: node.index(),
        state: pair.state.index(),
        at: pair.at,
        values: json::values_at(story, node),
        zone: names::zone(graph.zone(node)),
        kind: graph.kind(node).map(names::neighbourhood),
        distance: graph.distance(node),
        accepting: graph.accepting(node),
        steps: graph.lts().steps(pair.state).len(),
    }
}

/// A step of a node.
pub fn graph_edge(story: &Story<'_>, from: NodeId, step: TaggedStep) -> GraphEdgeDoc {
    let graph = &story.analysis.graph;
    let (to, state) = match step.to {
        TagTarget::Node(to) => (Some(to.index()), graph.pair(to).state),
        TagTarget::Sink(state) => (None, state),
    };
    GraphEdgeDoc {
        from: from.index(),
        to,
        state: state.index(),
        action: graph.label(step.label).text.clone(),
        tag: names::tag(step.tag),
    }
}

/// The group of similar neighbourhoods with a number.
pub fn group(story: &Story<'_>, number: usize) -> Option<GroupDoc> {
    let group = story.analysis.groups.get(number)?;
    let node = *group.members.first()?;
    Some(GroupDoc {
        node: node.index(),
        group: json::alike(story, group)?,
    })
}

/// The queries that have names.
pub fn named_queries(queries: &[NamedQuery]) -> NamedQueriesAnswer {
    let queries = queries.iter().map(|query| {
        let arguments = query.argument.split_whitespace();
        NamedQueryDoc {
            name: query.name.to_string(),
            arguments: arguments.map(str::to_string).collect(),
            title: query.about.to_string(),
        }
    });
    NamedQueriesAnswer {
        queries: queries.collect(),
    }
}
