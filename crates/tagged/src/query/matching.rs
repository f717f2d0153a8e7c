//! Finds what a pattern matches, one node or relationship after the other.
//!
//! A relationship is used once in a pattern; shortest paths are found by themselves.

use std::rc::Rc;

use wherefore_base::deep;

use super::ast::{
    Direction, MatchPattern, NodePattern, PatternPath, QueryExpr, RelationshipPattern,
};
use super::engine::{Do, QueryEngine, QueryRow, RowFlow};
use super::eval::wrong;
use super::graph::{Candidates, NodeLabel};
use super::plan::{CandidateSource, MatchPlan, MatchStep, Types};
use super::value::{QueryPath, QueryValue};

/// What is called for each match.
pub(super) type Emit<'e, 'g> =
    &'e mut dyn FnMut(&mut QueryEngine<'g>, &mut QueryRow) -> Do<RowFlow>;

/// A pattern, its plan, and how far it is.
#[derive(Clone, Copy)]
pub(super) struct MatchProgress<'p> {
    pub(super) pattern: &'p MatchPattern,
    plan: &'p MatchPlan,
    at: usize,
}

impl MatchProgress<'_> {
    fn next(self) -> Self {
        Self {
            at: self.at + 1,
            ..self
        }
    }
}

/// A relationship that is followed.
struct Following<'p> {
    step: &'p RelationshipPattern,
    target: &'p NodePattern,
    known: [bool; 2],
    types: &'p Types,
    direction: Direction,
    right: bool,
    least: usize,
    most: usize,
}

impl<'g> QueryEngine<'g> {
    /// Calls `emit` for each match of a pattern, until it has enough.
    pub(super) fn matches(
        &mut self,
        pattern: &MatchPattern,
        row: &mut QueryRow,
        emit: Emit<'_, 'g>,
    ) -> Do<RowFlow> {
        let graph = self.graph;
        // Which slots are known is the same for every row, so a plan is made once.
        let plan = self.plans[pattern.number]
            .get_or_insert_with(|| Rc::new(MatchPlan::new(pattern, graph)));
        let plan = Rc::clone(plan);
        if row.len() < pattern.after {
            row.resize(pattern.after, QueryValue::Null);
        }
        // A relationship is used once within a pattern, and this is another pattern.
        let used = std::mem::take(&mut self.used);
        let progress = MatchProgress {
            pattern,
            plan: &plan,
            at: 0,
        };
        let flow = self.go_on(progress, row, emit);
        self.used = used;
        flow
    }

    /// Does the rest of a plan.
    pub(super) fn go_on(
        &mut self,
        progress: MatchProgress<'_>,
        row: &mut QueryRow,
        emit: Emit<'_, 'g>,
    ) -> Do<RowFlow> {
        let MatchProgress { pattern, plan, at } = progress;
        match plan.steps.get(at) {
            None => {
                // What the match is used for has patterns of its own.
                let used = std::mem::take(&mut self.used);
                let flow = emit(self, row);
                self.used = used;
                flow
            }
            Some(MatchStep::Filter(condition)) => {
                match self.holds(&pattern.conditions[*condition], row)? {
                    true => self.go_on(progress.next(), row, emit),
                    false => Ok(RowFlow::More),
                }
            }
            Some(MatchStep::Path { part, slot }) => {
                row[*slot] = path_of(&pattern.parts[*part], row);
                self.go_on(progress.next(), row, emit)
            }
            Some(MatchStep::Node { part, node, from }) => {
                let node = &pattern.parts[*part].nodes[*node];
                self.candidates(progress, node, from, row, emit)
            }
            Some(MatchStep::Follow {
                part,
                at,
                right,
                known,
                types,
            }) => {
                let part = &pattern.parts[*part];
                let step = &part.relationships[*at];
                let (source, target) = match right {
                    true => (&part.nodes[*at], &part.nodes[*at + 1]),
                    false => (&part.nodes[*at + 1], &part.nodes[*at]),
                };
                let Some(node) = self.known_node(source, row)? else {
                    return Ok(RowFlow::More);
                };
                let (least, most) = step.length.unwrap_or((1, Some(1)));
                let following = Following {
                    step,
                    target,
                    known: *known,
                    types,
                    direction: match right {
                        true => step.direction,
                        false => flipped(step.direction),
                    },
                    right: *right,
                    least: least as usize,
                    most: most.map_or(usize::MAX, |most| most as usize),
                };
                self.follow(progress, &following, node, &mut Vec::new(), row, emit)
            }
            Some(MatchStep::Shortest(step)) => self.shortest(progress.next(), step, row, emit),
        }
    }

    fn candidates(
        &mut self,
        progress: MatchProgress<'_>,
        node: &NodePattern,
        from: &CandidateSource,
        row: &mut QueryRow,
        emit: Emit<'_, 'g>,
    ) -> Do<RowFlow> {
        let graph = self.graph;
        let candidates = match from {
            CandidateSource::Known => self.known_node(node, row)?.map(Candidates::One),
            CandidateSource::Seek(id) => match self.aside(id, row)? {
                QueryValue::Int(id) => graph.numbered(id).map(Candidates::One),
                // A float may equal a whole number, so all nodes are candidates and are compared later.
                QueryValue::Float(_) => Some(graph.with(NodeLabel::State)),
                _ => None,
            },
            CandidateSource::Label(label) => Some(graph.with(*label)),
            CandidateSource::Nowhere => None,
        };
        let Some(candidates) = candidates else {
            return Ok(RowFlow::More);
        };
        for index in 0..candidates.len() {
            self.step()?;
            let candidate = candidates.get(index);
            row[node.slot] = QueryValue::Node(candidate);
            if self.fits(node, candidate, row)?
                && self.go_on(progress.next(), row, emit)? == RowFlow::Enough
            {
                return Ok(RowFlow::Enough);
            }
        }
        Ok(RowFlow::More)
    }

    /// Follows relationships from a node, after those that are listed already.
    fn follow(
        &mut self,
        progress: MatchProgress<'_>,
        following: &Following<'_>,
        node: u32,
        listed: &mut Vec<u32>,
        row: &mut QueryRow,
        emit: Emit<'_, 'g>,
    ) -> Do<RowFlow> {
        if listed.len() >= following.least
            && self.arrives(following, node, listed, row)?
            && self.go_on(progress.next(), row, emit)? == RowFlow::Enough
        {
            return Ok(RowFlow::Enough);
        }
        if listed.len() >= following.most {
            return Ok(RowFlow::More);
        }
        let graph = self.graph;
        for (edge, other) in graph.around(node, following.direction) {
            self.step()?;
            if self.used.contains(&edge)
                || !self.passes(following.step, following.types, edge, row)?
            {
                continue;
            }
            self.used.insert(edge);
            listed.push(edge);
            let flow = deep(|| self.follow(progress, following, other, listed, row, &mut *emit));
            listed.pop();
            self.used.remove(&edge);
            if flow? == RowFlow::Enough {
                return Ok(RowFlow::Enough);
            }
        }
        Ok(RowFlow::More)
    }

    /// Whether a node can be the target; then it and the relationships are put into their slots.
    fn arrives(
        &mut self,
        following: &Following<'_>,
        node: u32,
        listed: &[u32],
        row: &mut QueryRow,
    ) -> Do<bool> {
        let Following { step, target, .. } = following;
        let [relationship_known, node_known] = following.known;
        let relationships = match step.length {
            None => QueryValue::Relationship(listed[0]),
            Some(_) if following.right => QueryValue::list(
                listed
                    .iter()
                    .copied()
                    .map(QueryValue::Relationship)
                    .collect(),
            ),
            // Followed from right to left, the relationships are listed the other way round.
            Some(_) => QueryValue::list(
                listed
                    .iter()
                    .rev()
                    .copied()
                    .map(QueryValue::Relationship)
                    .collect(),
            ),
        };
        if relationship_known && row[step.slot].equals(&relationships) != Some(true) {
            return Ok(false);
        }
        if node_known && self.known_node(target, row)? != Some(node) {
            return Ok(false);
        }
        row[step.slot] = relationships;
        row[target.slot] = QueryValue::Node(node);
        self.fits(target, node, row)
    }

    /// Whether a relationship has the type and the properties that are asked for.
    pub(super) fn passes(
        &mut self,
        step: &RelationshipPattern,
        types: &Types,
        edge: u32,
        row: &mut QueryRow,
    ) -> Do<bool> {
        if let Some(types) = types
            && !types.contains(&self.graph.edge(edge).label)
        {
            return Ok(false);
        }
        for (name, value) in &step.properties {
            let value = self.aside(value, row)?;
            let found = self.graph.relationship_property(edge, name);
            if found.equals(&value) != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a node has the labels and the properties that are asked for.
    fn fits(&mut self, pattern: &NodePattern, node: u32, row: &mut QueryRow) -> Do<bool> {
        for label in &pattern.labels {
            if !NodeLabel::named(label).is_some_and(|label| self.graph.has(node, label)) {
                return Ok(false);
            }
        }
        for (name, value) in &pattern.properties {
            let value = self.aside(value, row)?;
            let found = self.graph.node_property(node, name);
            if found.equals(&value) != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The value of an expression in a pattern. Its own variables have slots that later parts of the pattern
    /// have, too, so it is evaluated beside the row.
    fn aside(&mut self, expr: &QueryExpr, row: &mut QueryRow) -> Do<QueryValue> {
        match expr {
            // These write to no slot, so the row need not be copied.
            QueryExpr::Literal(_) | QueryExpr::Slot(_) => self.eval(expr, row),
            _ => self.eval(expr, &mut row.clone()),
        }
    }

    /// The node in the slot of a pattern; `None`: null.
    pub(super) fn known_node(&self, pattern: &NodePattern, row: &QueryRow) -> Do<Option<u32>> {
        match &row[pattern.slot] {
            QueryValue::Node(node) => Ok(Some(*node)),
            QueryValue::Null => Ok(None),
            other => wrong(
                pattern.mark,
                format!("A node is expected here, not {}", other.sort()),
            ),
        }
    }
}

pub(super) fn flipped(direction: Direction) -> Direction {
    match direction {
        Direction::Out => Direction::In,
        Direction::In => Direction::Out,
        Direction::Both => Direction::Both,
    }
}

/// The path of a part whose nodes and relationships are known.
fn path_of(part: &PatternPath, row: &QueryRow) -> QueryValue {
    let QueryValue::Node(start) = row[part.nodes[0].slot] else {
        return QueryValue::Null;
    };
    let mut relationships = Vec::new();
    for step in &part.relationships {
        let found = match &row[step.slot] {
            QueryValue::List(list) => &list[..],
            one => std::slice::from_ref(one),
        };
        relationships.extend(found.iter().filter_map(|value| match value {
            QueryValue::Relationship(relationship) => Some(*relationship),
            _ => None,
        }));
    }
    QueryValue::Path(QueryPath::new(start, relationships))
}
