//! All counterexamples at once, in pieces that a page can draw.

use serde::Serialize;
use serde_json::{Map, Value as Json};
use wherefore_tagged::query::named::NamedQuery;
use wherefore_tagged::{Course, NodeId, TaggedStep, Target, Zone};

use crate::debug::{Story, Which, json};
use crate::json::Property;

/// An analysis that was made.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Analysed {
    pub analysis: u64,
    pub model: usize,
    pub property: usize,
    pub document: Property,
}

/// A run that was looked for.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct FoundRun {
    pub run: Option<json::Run>,
    pub nodes: Vec<usize>,
    pub missing: Option<String>,
}

/// A node of the graph.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Place {
    pub node: usize,
    pub state: usize,
    pub at: u32,
    pub values: Option<Map<String, Json>>,
    pub zone: &'static str,
    pub kind: Option<&'static str>,
    pub distance: usize,
    pub accepting: bool,
    pub steps: usize,
}

/// A step of the graph.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Link {
    pub from: usize,
    pub to: Option<usize>,
    pub state: usize,
    pub action: String,
    pub tag: &'static str,
}

/// What is near a node.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Nearby {
    pub nodes: Vec<Place>,
    pub edges: Vec<Link>,
    pub left_out: usize,
}

/// A group of similar neighbourhoods.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Alike {
    pub node: usize,
    #[serde(flatten)]
    pub alike: json::Alike,
}

impl Analysed {
    /// The document of an analysis.
    pub fn new(
        analysis: u64,
        (model, property): (usize, usize),
        story: &Story<'_>,
    ) -> Option<Self> {
        let mut models = json::document(story).models;
        let document = models.pop()?.properties.pop()?;
        Some(Self {
            analysis,
            model,
            property,
            document,
        })
    }
}

impl FoundRun {
    /// A run.
    pub fn new(story: &Story<'_>, which: Which, course: &Course) -> Self {
        Self {
            run: Some(json::run(story, which.name(), course)),
            nodes: course.nodes.iter().map(|node| node.index()).collect(),
            missing: None,
        }
    }

    /// There is none; the sentence says why.
    pub fn missing(why: String) -> Self {
        Self {
            run: None,
            nodes: vec![],
            missing: Some(why),
        }
    }
}

impl Place {
    /// A node.
    pub fn new(story: &Story<'_>, node: NodeId) -> Self {
        let graph = &story.analysis.graph;
        let pair = graph.pair(node);
        Self {
            node: node.index(),
            state: pair.state.index(),
            at: pair.at,
            values: json::values_at(story, node),
            zone: match graph.zone(node) {
                Zone::Good => "good",
                Zone::Open => "open",
                Zone::Bad => "bad",
            },
            kind: graph.kind(node).map(|kind| kind.name()),
            distance: graph.distance(node),
            accepting: graph.accepting(node),
            steps: graph.lts().steps(pair.state).len(),
        }
    }
}

impl Link {
    /// A step of a node.
    pub fn new(story: &Story<'_>, from: NodeId, step: TaggedStep) -> Self {
        let graph = &story.analysis.graph;
        let (to, state) = match step.to {
            Target::Node(to) => (Some(to.index()), graph.pair(to).state),
            Target::Sink(state) => (None, state),
        };
        Self {
            from: from.index(),
            to,
            state: state.index(),
            action: graph.label(step.label).text.clone(),
            tag: step.tag.name(),
        }
    }
}

impl Alike {
    /// The group with a number.
    pub fn new(story: &Story<'_>, number: usize) -> Option<Self> {
        let group = story.analysis.groups.get(number)?;
        let node = *group.members.first()?;
        Some(Self {
            node: node.index(),
            alike: json::alike(story, group)?,
        })
    }
}

/// The queries that have names.
pub fn queries(queries: &[NamedQuery]) -> String {
    #[derive(Serialize)]
    struct Query {
        name: &'static str,
        arguments: Vec<&'static str>,
        title: &'static str,
    }
    #[derive(Serialize)]
    struct Queries {
        queries: Vec<Query>,
    }
    let queries = queries.iter().map(|query| Query {
        name: query.name,
        arguments: query.argument.split_whitespace().collect(),
        title: query.about,
    });
    super::render(&Queries {
        queries: queries.collect(),
    })
}
