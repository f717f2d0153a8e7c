//! In which order a pattern is matched.
//!
//! Each path starts at its node with the fewest candidates; shortest paths come last, when both their
//! ends are known; a condition is asked as soon as everything it reads is known.

use wherefore_model::lts::LabelId;

use super::ast::{
    ComparisonOp, ListQuantifier, MatchPattern, NodePattern, QueryExpr, QueryFunction,
    RelationshipPattern,
};
use super::graph::{NodeLabel, QueryGraph};
use super::value::QueryValue;

/// The steps of matching a pattern. Numbers are places in the pattern.
#[derive(Debug)]
pub(super) struct MatchPlan {
    pub(super) steps: Vec<MatchStep>,
}

#[derive(Debug)]
pub(super) enum MatchStep {
    /// Takes each candidate for a node of a part.
    Node {
        part: usize,
        node: usize,
        from: CandidateSource,
    },
    /// Follows a relationship of a part, to the right or to the left.
    Follow {
        part: usize,
        at: usize,
        right: bool,
        /// Whether the relationship, and the node it leads to, are known already.
        known: [bool; 2],
        types: Types,
    },
    /// Finds shortest paths between known nodes.
    Shortest(ShortestStep),
    /// Puts the path of a part into its slot.
    Path { part: usize, slot: usize },
    /// Asks a condition.
    Filter(usize),
}

/// The labels that relationships may have; `None`: all.
pub(super) type Types = Option<Vec<LabelId>>;

/// How shortest paths are found.
#[derive(Debug)]
pub(super) struct ShortestStep {
    pub(super) part: usize,
    /// Whether the left end is known first, so that the search starts there.
    pub(super) from_left: bool,
    pub(super) types: Types,
    /// Conditions for each node or each relationship of the path.
    pub(super) each: Vec<usize>,
    /// Conditions about the path as a whole: of the paths that fulfil them, the shortest is meant.
    pub(super) whole: Vec<usize>,
    /// Whether the search depends on the row.
    pub(super) varies: bool,
}

/// Where the candidates for a node come from.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CandidateSource {
    /// It is known.
    Known,
    /// It has this `id`.
    Seek(QueryExpr),
    /// All that have a label.
    Label(NodeLabel),
    /// There are none: a label is asked for that no node has.
    Nowhere,
}

impl MatchPlan {
    pub(super) fn new(pattern: &MatchPattern, graph: &QueryGraph<'_>) -> Self {
        let mut planner = MatchPlanner {
            pattern,
            graph,
            known: (0..pattern.before).collect(),
            steps: Vec::new(),
            asked: vec![false; pattern.conditions.len()],
        };
        planner.filters();
        let count = pattern.parts.len();
        let plain = (0..count).filter(|&part| pattern.parts[part].shortest.is_none());
        let shortest = (0..count).filter(|&part| pattern.parts[part].shortest.is_some());
        for part in plain.chain(shortest) {
            planner.part(part);
        }
        Self {
            steps: planner.steps,
        }
    }
}

struct MatchPlanner<'a> {
    pattern: &'a MatchPattern,
    graph: &'a QueryGraph<'a>,
    /// The slots that have values, in the order in which they get them.
    known: Vec<usize>,
    steps: Vec<MatchStep>,
    asked: Vec<bool>,
}

impl MatchPlanner<'_> {
    fn part(&mut self, number: usize) {
        let part = &self.pattern.parts[number];
        if part.shortest.is_some() {
            self.shortest(number);
            return;
        }
        let costs = part.nodes.iter().map(|node| self.cost(&self.source(node)));
        let start = costs.enumerate().min_by_key(|(_, cost)| *cost);
        let start = start.map_or(0, |(at, _)| at);
        self.node(number, start);
        for at in start..part.relationships.len() {
            self.follow(number, at, true);
        }
        for at in (0..start).rev() {
            self.follow(number, at, false);
        }
        if let Some(slot) = part.path {
            self.steps.push(MatchStep::Path { part: number, slot });
            self.learn(slot);
        }
    }

    fn node(&mut self, part: usize, node: usize) {
        let pattern = &self.pattern.parts[part].nodes[node];
        let from = self.source(pattern);
        self.steps.push(MatchStep::Node { part, node, from });
        self.learn(pattern.slot);
    }

    fn follow(&mut self, part: usize, at: usize, right: bool) {
        let of = &self.pattern.parts[part];
        let step = &of.relationships[at];
        let target = of.nodes[at + usize::from(right)].slot;
        let known = [step.slot, target].map(|slot| self.known.contains(&slot));
        let types = self.types(step);
        self.steps.push(MatchStep::Follow {
            part,
            at,
            right,
            known,
            types,
        });
        self.known.push(step.slot);
        self.learn(target);
    }

    fn shortest(&mut self, number: usize) {
        let part = &self.pattern.parts[number];
        let ends = [&part.nodes[0], &part.nodes[1]];
        let sources = ends.map(|node| self.source(node));
        let mut order = [0, 1];
        // The end with fewer candidates is taken first.
        if self.cost(&sources[1]) < self.cost(&sources[0]) {
            order = [1, 0];
        }
        for end in order {
            self.node(number, end);
        }
        // The end that is known first changes less often, so a tree that is rooted there is used longer.
        let place = |slot: usize| self.known.iter().position(|known| *known == slot);
        let from_left = place(ends[0].slot) <= place(ends[1].slot);
        let step = &part.relationships[0];
        let mut made: Vec<usize> = part.path.into_iter().collect();
        made.push(step.slot);
        let (mut each, mut whole) = (Vec::new(), Vec::new());
        for (at, condition) in self.pattern.conditions.iter().enumerate() {
            let mut reads = Vec::new();
            condition.reads(self.pattern.after, &mut reads);
            let about = reads.iter().any(|slot| made.contains(slot));
            let known = |slot: &usize| self.known.contains(slot) || made.contains(slot);
            let ready = !self.asked[at] && about && reads.iter().all(known);
            if !ready || is_bound(condition, part.path) {
                continue;
            }
            self.asked[at] = true;
            match element_condition(condition, part.path, self.pattern.after) {
                true => each.push(at),
                false => whole.push(at),
            }
        }
        // Conditions on elements read nothing else of the row, so only properties can make the search vary.
        let mut reads = Vec::new();
        for (_, value) in &step.properties {
            value.reads(self.pattern.after, &mut reads);
        }
        self.steps.push(MatchStep::Shortest(ShortestStep {
            part: number,
            from_left,
            types: self.types(step),
            each,
            whole,
            varies: !reads.is_empty(),
        }));
        self.known.extend(made);
        self.filters();
    }

    /// The slot has a value from now on.
    fn learn(&mut self, slot: usize) {
        if !self.known.contains(&slot) {
            self.known.push(slot);
        }
        self.filters();
    }

    /// Asks the conditions that can be asked now.
    fn filters(&mut self) {
        for (at, condition) in self.pattern.conditions.iter().enumerate() {
            let mut reads = Vec::new();
            condition.reads(self.pattern.after, &mut reads);
            if !self.asked[at] && reads.iter().all(|slot| self.known.contains(slot)) {
                self.asked[at] = true;
                self.steps.push(MatchStep::Filter(at));
            }
        }
    }

    /// Where the candidates for a node come from, with all that the pattern says about it.
    fn source(&self, node: &NodePattern) -> CandidateSource {
        if self.known.contains(&node.slot) {
            return CandidateSource::Known;
        }
        let parts = self.pattern.parts.iter().flat_map(|part| &part.nodes);
        let same: Vec<&NodePattern> = parts.filter(|other| other.slot == node.slot).collect();
        let mut best = CandidateSource::Label(NodeLabel::State);
        for label in same.iter().flat_map(|node| &node.labels) {
            let from =
                NodeLabel::named(label).map_or(CandidateSource::Nowhere, CandidateSource::Label);
            if self.cost(&from) < self.cost(&best) {
                best = from;
            }
        }
        let properties = same.iter().flat_map(|node| &node.properties);
        let seeks = properties
            .filter(|(name, _)| &**name == "id")
            .map(|(_, id)| id);
        let compared = self
            .pattern
            .conditions
            .iter()
            .filter_map(|condition| match condition {
                QueryExpr::Compare(two, signs) if signs[..] == [ComparisonOp::Equal] => {
                    match &two[..] {
                        [QueryExpr::Property(of, name, _), id]
                            if **of == QueryExpr::Slot(node.slot) && &**name == "id" =>
                        {
                            Some(id)
                        }
                        _ => None,
                    }
                }
                _ => None,
            });
        let known = |id: &&QueryExpr| {
            let mut reads = Vec::new();
            id.reads(self.pattern.after, &mut reads);
            reads.iter().all(|slot| self.known.contains(slot))
        };
        match seeks.chain(compared).find(known) {
            Some(id) if best != CandidateSource::Nowhere => CandidateSource::Seek(id.clone()),
            _ => best,
        }
    }

    /// How many candidates there are about.
    fn cost(&self, from: &CandidateSource) -> usize {
        match from {
            CandidateSource::Nowhere | CandidateSource::Known => 0,
            CandidateSource::Seek(_) => 1,
            CandidateSource::Label(label) => self.graph.with(*label).len(),
        }
    }

    fn types(&self, step: &RelationshipPattern) -> Types {
        let labels = step.types.iter().filter_map(|name| self.graph.label(name));
        (!step.types.is_empty()).then(|| labels.collect())
    }
}

/// Whether a condition only says how long a path may be at most: then the shortest one is asked.
fn is_bound(condition: &QueryExpr, path: Option<usize>) -> bool {
    let QueryExpr::Compare(two, signs) = condition else {
        return false;
    };
    let [
        QueryExpr::Call(QueryFunction::Length, of, _),
        QueryExpr::Literal(QueryValue::Int(_)),
    ] = &two[..]
    else {
        return false;
    };
    matches!(signs[..], [ComparisonOp::Less | ComparisonOp::LessEqual])
        && matches!(of[..], [QueryExpr::Slot(slot)] if Some(slot) == path)
}

/// Whether a condition is `all(x IN nodes(path) WHERE ...)` or the like, about nothing but `x`.
fn element_condition(condition: &QueryExpr, path: Option<usize>, width: usize) -> bool {
    let QueryExpr::Quantifier(ListQuantifier::All | ListQuantifier::None, _, two, _) = condition
    else {
        return false;
    };
    let QueryExpr::Call(
        QueryFunction::Nodes | QueryFunction::Relationships | QueryFunction::Rels,
        of,
        _,
    ) = &two[0]
    else {
        return false;
    };
    let mut reads = Vec::new();
    two[1].reads(width, &mut reads);
    reads.is_empty() && matches!(of[..], [QueryExpr::Slot(slot)] if Some(slot) == path)
}
