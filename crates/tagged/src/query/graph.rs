//! The tagged graph as a property graph: nodes with labels, relationships with types, both with
//! properties.
//!
//! The names are those of Barbon, Leroy and Salaün (2019), so that queries written for their tool run
//! here; what is ours has names of its own beside them. Correct steps lead to one more node, the sink.

use std::cell::OnceCell;
use std::rc::Rc;

use wherefore_base::{Budget, Run, Stop};
use wherefore_model::lts::LabelId;

use super::ast::Direction;
use super::value::QueryValue;
use crate::tagged::{NeighbourhoodKind, NodeId, TagTarget, Tagged, Zone, ZoneTag};

/// A tagged graph that can be asked.
#[derive(Debug)]
pub struct QueryGraph<'a> {
    tagged: &'a Tagged<'a>,
    sink: Option<u32>,
    /// Where the relationships out of each node start, and after them where the last ones end.
    starts: Vec<u32>,
    edges: Vec<Relationship>,
    /// The nodes with each label that few nodes have.
    neighbourhoods: Vec<u32>,
    finals: Vec<u32>,
    violations: Vec<u32>,
    incoming: OnceCell<IncomingRelationships>,
    words: SharedTexts,
}

/// A relationship.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relationship {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) label: LabelId,
    tag: ZoneTag,
}

/// The relationships into each node.
#[derive(Debug)]
struct IncomingRelationships {
    starts: Vec<u32>,
    edges: Vec<u32>,
}

/// Texts that many values share.
#[derive(Debug)]
struct SharedTexts {
    actions: Vec<Rc<str>>,
    colours: [Rc<str>; 3],
    tags: [Rc<str>; 3],
    types: [Rc<str>; 4],
    kinds: [Rc<str>; 4],
    zones: [Rc<str>; 3],
}

/// A label of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeLabel {
    State,
    Initial,
    Neighbourhood,
    Sink,
    Final,
    Violation,
}

impl NodeLabel {
    /// All names of labels. The initial node has two: that of the paper and that of its authors' tool.
    pub(super) const NAMES: [(&'static str, NodeLabel); 7] = [
        ("STATE", NodeLabel::State),
        ("INITIAL_NODE", NodeLabel::Initial),
        ("INITIALSTATE", NodeLabel::Initial),
        ("NEIGHBOURHOOD", NodeLabel::Neighbourhood),
        ("IS_SINK", NodeLabel::Sink),
        ("IS_FINAL", NodeLabel::Final),
        ("VIOLATION", NodeLabel::Violation),
    ];

    pub(super) fn named(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.iter();
        names
            .find(|(known, _)| *known == name)
            .map(|(_, label)| *label)
    }
}

/// The properties of nodes.
pub(crate) const NODE_PROPERTIES: [&str; 8] = [
    "id",
    "isFrontier",
    "nb_id",
    "nb_type",
    "kind",
    "zone",
    "state",
    "monitor",
];

/// The properties of relationships.
pub(crate) const RELATIONSHIP_PROPERTIES: [&str; 4] = ["id", "action", "type", "tag"];

/// The type of a neighbourhood, as the published tool spells it.
pub fn type_name(kind: NeighbourhoodKind) -> &'static str {
    match kind {
        NeighbourhoodKind::Cn => "GREEN",
        NeighbourhoodKind::In => "RED",
        NeighbourhoodKind::Ci => "GREENRED",
        NeighbourhoodKind::Cin => "GREENREDBLACK",
    }
}

/// The tag of a step, as the published tool spells it.
pub fn colour_name(tag: ZoneTag) -> &'static str {
    match tag {
        ZoneTag::Correct => "GREEN",
        ZoneTag::Incorrect => "RED",
        ZoneTag::Neutral => "BLACK",
    }
}

/// The name of a zone.
pub fn zone_name(zone: Zone) -> &'static str {
    match zone {
        Zone::Good => "good",
        Zone::Open => "open",
        Zone::Bad => "bad",
    }
}

/// Whether a node has a label; `None` is the sink.
fn has_label(tagged: &Tagged<'_>, node: Option<NodeId>, label: NodeLabel) -> bool {
    let Some(node) = node else {
        return matches!(label, NodeLabel::State | NodeLabel::Sink);
    };
    match label {
        NodeLabel::State => true,
        NodeLabel::Initial => tagged.initial() == Some(node),
        NodeLabel::Sink => false,
        NodeLabel::Neighbourhood => tagged.kind(node).is_some(),
        NodeLabel::Violation => tagged.accepting(node),
        NodeLabel::Final => tagged.lts().steps(tagged.pair(node).state).is_empty(),
    }
}

/// The labels of a node, in order; `None` is the sink.
pub fn node_labels(tagged: &Tagged<'_>, node: Option<NodeId>) -> Vec<&'static str> {
    let names = NodeLabel::NAMES.into_iter();
    let of_node = names.filter(|(_, label)| has_label(tagged, node, *label));
    of_node.map(|(name, _)| name).collect()
}

impl<'a> QueryGraph<'a> {
    /// Prepares a tagged graph for queries.
    pub fn new(tagged: &'a Tagged<'a>, budget: &Budget) -> Run<Self> {
        let mut meter = budget.meter();
        let counts = tagged.counts();
        let count: usize = counts.tags.iter().sum();
        u32::try_from(count + 1).map_err(|_| Stop::Memory)?;
        let sink = (counts.tagged(ZoneTag::Correct) > 0).then_some(counts.states as u32);
        let mut graph = Self {
            tagged,
            sink,
            starts: Vec::with_capacity(counts.states + 2),
            edges: Vec::with_capacity(count),
            neighbourhoods: Vec::new(),
            finals: Vec::new(),
            violations: Vec::new(),
            incoming: OnceCell::new(),
            words: SharedTexts::new(tagged),
        };
        for node in tagged.nodes() {
            meter.tick()?;
            let from = node.index() as u32;
            graph.starts.push(graph.edges.len() as u32);
            graph
                .edges
                .extend(tagged.steps(node).map(|step| Relationship {
                    from,
                    to: match step.to {
                        TagTarget::Node(to) => to.index() as u32,
                        TagTarget::Sink(_) => counts.states as u32,
                    },
                    label: step.label,
                    tag: step.tag,
                }));
            if graph.edges.len() as u32 == graph.starts[node.index()] {
                graph.finals.push(from);
            }
            if tagged.kind(node).is_some() {
                graph.neighbourhoods.push(from);
            }
            if tagged.accepting(node) {
                graph.violations.push(from);
            }
        }
        let end = graph.edges.len() as u32;
        // The sink has no relationships out, but it has a row.
        graph.starts.extend(sink.map(|_| end));
        graph.starts.push(end);
        Ok(graph)
    }

    /// The tagged graph.
    pub fn tagged(&self) -> &'a Tagged<'a> {
        self.tagged
    }

    /// The node that correct steps lead to, if there are any.
    pub fn sink(&self) -> Option<u32> {
        self.sink
    }

    /// The ends of a relationship.
    pub fn ends(&self, relationship: u32) -> (u32, u32) {
        let edge = self.edges[relationship as usize];
        (edge.from, edge.to)
    }

    /// The action of a relationship, which is its type.
    pub fn action(&self, relationship: u32) -> &'a str {
        &self
            .tagged
            .label(self.edges[relationship as usize].label)
            .text
    }

    /// The tag of a relationship.
    pub fn tag(&self, relationship: u32) -> ZoneTag {
        self.edges[relationship as usize].tag
    }

    /// The number that a node is known by: its property `id`.
    pub fn number(&self, node: u32) -> i64 {
        match self.node(node) {
            Some(node) => node.index() as i64,
            None => -1,
        }
    }

    /// The labels of a node, in order.
    pub fn labels(&self, node: u32) -> Vec<&'static str> {
        node_labels(self.tagged, self.node(node))
    }

    /// The node of the tagged graph; `None`: the sink.
    pub fn node(&self, node: u32) -> Option<NodeId> {
        (Some(node) != self.sink).then(|| NodeId::new(node as usize))
    }

    /// The properties of a node that it has.
    pub fn properties_of_node(&self, node: u32) -> Vec<(&'static str, QueryValue)> {
        let all = NODE_PROPERTIES.map(|name| (name, self.node_property(node, name)));
        all.into_iter()
            .filter(|(_, value)| !value.is_null())
            .collect()
    }

    /// The properties of a relationship.
    pub fn properties_of_relationship(&self, relationship: u32) -> Vec<(&'static str, QueryValue)> {
        let all = RELATIONSHIP_PROPERTIES.into_iter();
        all.map(|name| (name, self.relationship_property(relationship, name)))
            .collect()
    }

    /// The nodes of a path, given its start and its relationships.
    pub fn along(&self, start: u32, relationships: &[u32]) -> Vec<u32> {
        let mut nodes = vec![start];
        let mut at = start;
        for &relationship in relationships {
            at = self.other(relationship, at);
            nodes.push(at);
        }
        nodes
    }

    /// How many nodes there are, with the sink.
    pub(super) fn nodes(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    pub(super) fn edge(&self, relationship: u32) -> Relationship {
        self.edges[relationship as usize]
    }

    /// The other end of a relationship.
    pub(super) fn other(&self, relationship: u32, node: u32) -> u32 {
        let (from, to) = self.ends(relationship);
        if from == node { to } else { from }
    }

    /// The labels of the system, by their texts.
    pub(super) fn label(&self, text: &str) -> Option<LabelId> {
        self.tagged.lts().label(text)
    }

    pub(super) fn has(&self, node: u32, label: NodeLabel) -> bool {
        has_label(self.tagged, self.node(node), label)
    }

    /// The nodes with a label, in order.
    pub(super) fn with(&self, label: NodeLabel) -> Candidates<'_> {
        match label {
            NodeLabel::State => Candidates::All(self.nodes()),
            NodeLabel::Initial if self.tagged.initial().is_some() => Candidates::One(0),
            NodeLabel::Initial => Candidates::Some(&[]),
            NodeLabel::Sink => self.sink.map_or(Candidates::Some(&[]), Candidates::One),
            NodeLabel::Neighbourhood => Candidates::Some(&self.neighbourhoods),
            NodeLabel::Final => Candidates::Some(&self.finals),
            NodeLabel::Violation => Candidates::Some(&self.violations),
        }
    }

    /// The node with this number.
    pub(super) fn numbered(&self, number: i64) -> Option<u32> {
        match number {
            -1 => self.sink,
            // The sink is known by -1 only.
            _ => u32::try_from(number)
                .ok()
                .filter(|node| *node < self.nodes() && Some(*node) != self.sink),
        }
    }

    /// The relationships out of a node.
    pub(super) fn out(&self, node: u32) -> std::ops::Range<u32> {
        self.starts[node as usize]..self.starts[node as usize + 1]
    }

    /// The relationships into a node.
    pub(super) fn into(&self, node: u32) -> &[u32] {
        let incoming = self
            .incoming
            .get_or_init(|| IncomingRelationships::new(self));
        let node = node as usize;
        &incoming.edges[incoming.starts[node] as usize..incoming.starts[node + 1] as usize]
    }

    /// The relationships at a node in a direction, and the nodes at their other ends.
    pub(super) fn around(
        &self,
        node: u32,
        direction: Direction,
    ) -> impl Iterator<Item = (u32, u32)> + '_ {
        let out = match direction {
            Direction::In => 0..0,
            Direction::Out | Direction::Both => self.out(node),
        };
        let into = match direction {
            Direction::Out => &[],
            Direction::In | Direction::Both => self.into(node),
        };
        // A loop is one relationship, also when both directions are asked for.
        let both = direction == Direction::Both;
        let out = out.map(|edge| (edge, self.edges[edge as usize].to));
        let into = into
            .iter()
            .map(|&edge| (edge, self.edges[edge as usize].from));
        out.chain(into.filter(move |(_, from)| !both || *from != node))
    }

    /// A property of a node.
    pub(super) fn node_property(&self, node: u32, name: &str) -> QueryValue {
        let Some(inner) = self.node(node) else {
            return match name {
                "id" => QueryValue::Int(-1),
                "isFrontier" => QueryValue::Bool(false),
                "zone" => QueryValue::Text(self.words.zones[Zone::Good as usize].clone()),
                _ => QueryValue::Null,
            };
        };
        let kind = self.tagged.kind(inner);
        let pair = self.tagged.pair(inner);
        match name {
            "id" => QueryValue::Int(i64::from(node)),
            "isFrontier" => QueryValue::Bool(kind.is_some()),
            "nb_id" => match self.neighbourhoods.binary_search(&node) {
                Ok(number) => QueryValue::Int(number as i64),
                Err(_) => QueryValue::Null,
            },
            "nb_type" => kind.map_or(QueryValue::Null, |kind| {
                QueryValue::Text(self.words.types[kind as usize].clone())
            }),
            "kind" => kind.map_or(QueryValue::Null, |kind| {
                QueryValue::Text(self.words.kinds[kind as usize].clone())
            }),
            "zone" => QueryValue::Text(self.words.zones[self.tagged.zone(inner) as usize].clone()),
            "state" => QueryValue::Int(pair.state.index() as i64),
            "monitor" => QueryValue::Int(i64::from(pair.at)),
            _ => QueryValue::Null,
        }
    }

    /// A property of a relationship.
    pub(super) fn relationship_property(&self, relationship: u32, name: &str) -> QueryValue {
        let edge = self.edge(relationship);
        match name {
            "id" => QueryValue::Int(i64::from(relationship)),
            "action" => QueryValue::Text(self.words.actions[edge.label.index()].clone()),
            "type" => QueryValue::Text(self.words.colours[edge.tag as usize].clone()),
            "tag" => QueryValue::Text(self.words.tags[edge.tag as usize].clone()),
            _ => QueryValue::Null,
        }
    }
}

/// Nodes in order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Candidates<'a> {
    All(u32),
    One(u32),
    Some(&'a [u32]),
}

impl Candidates<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Candidates::All(count) => *count as usize,
            Candidates::One(_) => 1,
            Candidates::Some(nodes) => nodes.len(),
        }
    }

    pub(super) fn get(&self, index: usize) -> u32 {
        match self {
            Candidates::All(_) => index as u32,
            Candidates::One(node) => *node,
            Candidates::Some(nodes) => nodes[index],
        }
    }
}

impl SharedTexts {
    fn new(tagged: &Tagged<'_>) -> Self {
        let labels = tagged.lts().labels().iter();
        let tags = [ZoneTag::Correct, ZoneTag::Incorrect, ZoneTag::Neutral];
        Self {
            actions: labels.map(|label| label.text.as_str().into()).collect(),
            colours: tags.map(|tag| colour_name(tag).into()),
            tags: tags.map(|tag| tag.name().into()),
            types: NeighbourhoodKind::ALL.map(|kind| type_name(kind).into()),
            kinds: NeighbourhoodKind::ALL.map(|kind| kind.name().into()),
            zones: [Zone::Good, Zone::Open, Zone::Bad].map(|zone| zone_name(zone).into()),
        }
    }
}

impl IncomingRelationships {
    fn new(graph: &QueryGraph<'_>) -> Self {
        let mut starts = vec![0u32; graph.starts.len()];
        for edge in &graph.edges {
            starts[edge.to as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut at = starts.clone();
        let mut edges = vec![0u32; graph.edges.len()];
        for (number, edge) in graph.edges.iter().enumerate() {
            let place = &mut at[edge.to as usize];
            edges[*place as usize] = number as u32;
            *place += 1;
        }
        Self { starts, edges }
    }
}
