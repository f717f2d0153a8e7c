//! Shortest paths.
//!
//! One breadth-first search from a node finds shortest paths to all others; it is kept while that node
//! stays the same. Of several shortest paths the first one counts, comparing the relationships in their
//! order from the start. Conditions on single nodes or relationships narrow the search itself. For other
//! conditions on the path, paths are tried one after the other, the shorter ones first.

use std::collections::VecDeque;
use std::rc::Rc;

use super::ast::{
    Direction, ListQuantifier, MatchPattern, PatternPath, QueryExpr, QueryFunction, ShortestMode,
};
use super::engine::{Do, QueryEngine, QueryRow, RowFlow};
use super::eval::set;
use super::graph::QueryGraph;
use super::matching::{Emit, MatchProgress, flipped};
use super::plan::ShortestStep;
use super::value::{QueryPath, QueryValue};

const NONE: u32 = u32::MAX;

/// So many trees are shared with the paths in them; of later ones paths are copied.
const SHARED: usize = 16;

/// Shortest paths between a root and all other nodes.
#[derive(Debug)]
pub(super) struct ShortestTree {
    root: u32,
    /// Whether the paths start at the root.
    from_root: bool,
    /// How far each node is.
    depth: Vec<u32>,
    /// The relationship towards the root.
    hop: Vec<u32>,
    /// The node at its end.
    via: Vec<u32>,
    /// The shortest way round from the root to itself.
    round: Option<Vec<u32>>,
}

impl ShortestTree {
    pub(super) fn length(&self, node: u32) -> usize {
        self.depth[node as usize] as usize
    }

    /// The start of the path between the root and a node, and its relationships.
    pub(super) fn path(&self, node: u32) -> (u32, Vec<u32>) {
        let mut relationships = Vec::with_capacity(self.length(node));
        let mut at = node;
        while at != self.root {
            relationships.push(self.hop[at as usize]);
            at = self.via[at as usize];
        }
        if self.from_root {
            relationships.reverse();
        }
        (if self.from_root { self.root } else { node }, relationships)
    }
}

/// What is looked for between two nodes.
struct WantedPath<'p> {
    pattern: &'p MatchPattern,
    part: &'p PatternPath,
    step: &'p ShortestStep,
    ends: [u32; 2],
    least: usize,
    most: usize,
}

impl<'g> QueryEngine<'g> {
    /// Finds the shortest paths of a part whose ends are known.
    pub(super) fn shortest(
        &mut self,
        progress: MatchProgress<'_>,
        step: &ShortestStep,
        row: &mut QueryRow,
        emit: Emit<'_, 'g>,
    ) -> Do<RowFlow> {
        let part = &progress.pattern.parts[step.part];
        let mut ends = [0, 0];
        for (end, node) in ends.iter_mut().zip(&part.nodes) {
            match self.known_node(node, row)? {
                Some(node) => *end = node,
                None => return Ok(RowFlow::More),
            }
        }
        let (least, most) = part.relationships[0].length.unwrap_or((1, Some(1)));
        let wanted = WantedPath {
            pattern: progress.pattern,
            part,
            step,
            ends,
            least: least as usize,
            most: most.map_or(usize::MAX, |most| most as usize),
        };
        let undirected = part.relationships[0].direction == Direction::Both;
        let closed = ends[0] == ends[1] && least > 0;
        // There and back over one relationship is no way round, and the tree would take it for one.
        if closed && undirected {
            return self.one_by_one(progress, &wanted, row, emit);
        }
        let from_left = step.from_left;
        let tree = self.tree(&wanted, from_left, row)?;
        let far = if from_left { ends[1] } else { ends[0] };
        let length = match (&tree.round, closed) {
            (Some(round), true) => round.len(),
            (None, true) => return Ok(RowFlow::More),
            (_, false) => tree.depth[far as usize] as usize,
        };
        if length == NONE as usize || length > wanted.most {
            return Ok(RowFlow::More);
        }
        if part.shortest == Some(ShortestMode::All) {
            if !step.whole.is_empty() {
                return self.one_by_one(progress, &wanted, row, emit);
            }
            let mut back = Vec::new();
            return self.all(progress, &wanted, &tree, far, length, &mut back, row, emit);
        }
        let path = match &tree.round {
            Some(round) if closed => QueryPath::new(tree.root, round.clone()),
            _ if self.grown <= SHARED => QueryPath::hanging(&tree, far),
            _ => {
                let (start, relationships) = tree.path(far);
                QueryPath::new(start, relationships)
            }
        };
        self.put(&wanted, path, row);
        match self.meets(&wanted, row)? {
            true => self.go_on(progress, row, emit),
            false => self.one_by_one(progress, &wanted, row, emit),
        }
    }

    /// Puts a path into its slots.
    fn put(&self, wanted: &WantedPath<'_>, path: QueryPath, row: &mut QueryRow) {
        let step = &wanted.part.relationships[0];
        if step.named {
            let mut relationships = path.parts().1.into_iter().map(QueryValue::Relationship);
            row[step.slot] = match step.length {
                Some(_) => QueryValue::list(relationships.collect()),
                None => relationships.next_back().unwrap_or(QueryValue::Null),
            };
        }
        if let Some(slot) = wanted.part.path {
            row[slot] = QueryValue::Path(path);
        }
    }

    /// Whether the path in the row fulfils the conditions on it as a whole.
    fn meets(&mut self, wanted: &WantedPath<'_>, row: &mut QueryRow) -> Do<bool> {
        for &condition in &wanted.step.whole {
            if !self.holds(&wanted.pattern.conditions[condition], row)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The tree of the end where the search starts.
    fn tree(
        &mut self,
        wanted: &WantedPath<'_>,
        from_left: bool,
        row: &mut QueryRow,
    ) -> Do<Rc<ShortestTree>> {
        let root = wanted.ends[usize::from(!from_left)];
        let key = (wanted.pattern.number, wanted.step.part, from_left);
        if let Some((known, tree)) = self.trees.get(&key)
            && *known == root
            && !wanted.step.varies
        {
            return Ok(Rc::clone(tree));
        }
        let tree = Rc::new(self.grow(wanted, root, from_left, row)?);
        self.grown += 1;
        self.trees.insert(key, (root, Rc::clone(&tree)));
        Ok(tree)
    }

    fn grow(
        &mut self,
        wanted: &WantedPath<'_>,
        root: u32,
        from_root: bool,
        row: &mut QueryRow,
    ) -> Do<ShortestTree> {
        let graph = self.graph;
        let nodes = graph.nodes() as usize;
        let forwards = wanted.part.relationships[0].direction;
        let away = if from_root {
            forwards
        } else {
            flipped(forwards)
        };
        let mut tree = ShortestTree {
            root,
            from_root,
            depth: vec![NONE; nodes],
            hop: vec![NONE; nodes],
            via: vec![NONE; nodes],
            round: None,
        };
        if !self.node_passes(wanted, root, row)? {
            return Ok(tree);
        }
        tree.depth[root as usize] = 0;
        let mut last = None;
        let mut queue = VecDeque::from([root]);
        while let Some(node) = queue.pop_front() {
            for (edge, other) in graph.around(node, away) {
                self.step()?;
                let fresh = tree.depth[other as usize] == NONE;
                // Breadth first, the first step back to the root that is met closes the shortest way round.
                let closes = other == root && last.is_none();
                if !(fresh || closes) || !self.edge_passes(wanted, edge, row)? {
                    continue;
                }
                if closes {
                    last = Some((edge, node));
                }
                if fresh && self.node_passes(wanted, other, row)? {
                    tree.depth[other as usize] = tree.depth[node as usize] + 1;
                    tree.hop[other as usize] = edge;
                    tree.via[other as usize] = node;
                    queue.push_back(other);
                }
            }
        }
        if !from_root {
            self.turn(wanted, &mut tree, forwards, row)?;
        }
        if let Some((edge, node)) = last {
            tree.round = Some(match from_root {
                true => {
                    let mut round = tree.path(node).1;
                    round.push(edge);
                    round
                }
                false => {
                    let length = tree.depth[node as usize] + 1;
                    let (edge, next) =
                        self.first_hop(wanted, &tree, root, length, forwards, row)?;
                    let mut round = vec![edge];
                    round.extend(tree.path(next).1);
                    round
                }
            });
        }
        Ok(tree)
    }

    /// Makes each node of a tree that was grown against the direction take its first way.
    fn turn(
        &mut self,
        wanted: &WantedPath<'_>,
        tree: &mut ShortestTree,
        forwards: Direction,
        row: &mut QueryRow,
    ) -> Do<()> {
        for node in 0..tree.depth.len() as u32 {
            let depth = tree.depth[node as usize];
            if depth != NONE && depth != 0 {
                let (hop, via) = self.first_hop(wanted, tree, node, depth, forwards, row)?;
                tree.hop[node as usize] = hop;
                tree.via[node as usize] = via;
            }
        }
        Ok(())
    }

    /// The first relationship from a node to one that is nearer to the root, and that one.
    fn first_hop(
        &mut self,
        wanted: &WantedPath<'_>,
        tree: &ShortestTree,
        node: u32,
        depth: u32,
        forwards: Direction,
        row: &mut QueryRow,
    ) -> Do<(u32, u32)> {
        let graph = self.graph;
        for (edge, other) in graph.around(node, forwards) {
            self.step()?;
            if tree.depth[other as usize] == depth - 1 && self.edge_passes(wanted, edge, row)? {
                return Ok((edge, other));
            }
        }
        Ok((tree.hop[node as usize], tree.via[node as usize]))
    }

    fn edge_passes(&mut self, wanted: &WantedPath<'_>, edge: u32, row: &mut QueryRow) -> Do<bool> {
        let step = &wanted.part.relationships[0];
        Ok(self.passes(step, &wanted.step.types, edge, row)?
            && self.element_passes(wanted, QueryValue::Relationship(edge), row)?)
    }

    fn node_passes(&mut self, wanted: &WantedPath<'_>, node: u32, row: &mut QueryRow) -> Do<bool> {
        self.element_passes(wanted, QueryValue::Node(node), row)
    }

    fn element_passes(
        &mut self,
        wanted: &WantedPath<'_>,
        element: QueryValue,
        row: &mut QueryRow,
    ) -> Do<bool> {
        for &condition in &wanted.step.each {
            let QueryExpr::Quantifier(quantifier, slot, two, _) =
                &wanted.pattern.conditions[condition]
            else {
                continue;
            };
            let of_nodes = matches!(two[0], QueryExpr::Call(QueryFunction::Nodes, ..));
            if of_nodes != matches!(element, QueryValue::Node(_)) {
                continue;
            }
            set(row, *slot, element.clone());
            // `all` wants the condition true of each element and `none` wants it false; unknown is neither.
            let wants = *quantifier == ListQuantifier::All;
            let passes = match self.eval(&two[1], row)? {
                QueryValue::Bool(truth) => truth == wants,
                _ => false,
            };
            if !passes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// All shortest paths, from the far end towards the root.
    #[allow(clippy::too_many_arguments)]
    fn all(
        &mut self,
        progress: MatchProgress<'_>,
        wanted: &WantedPath<'_>,
        tree: &ShortestTree,
        node: u32,
        left: usize,
        back: &mut Vec<u32>,
        row: &mut QueryRow,
        emit: Emit<'_, 'g>,
    ) -> Do<RowFlow> {
        if left == 0 {
            let mut relationships = back.clone();
            if tree.from_root {
                relationships.reverse();
            }
            self.put(wanted, QueryPath::new(wanted.ends[0], relationships), row);
            return self.go_on(progress, row, emit);
        }
        let graph = self.graph;
        let forwards = wanted.part.relationships[0].direction;
        let towards = if tree.from_root {
            flipped(forwards)
        } else {
            forwards
        };
        for (edge, other) in graph.around(node, towards) {
            self.step()?;
            if tree.depth[other as usize] as usize != left - 1
                || !self.edge_passes(wanted, edge, row)?
            {
                continue;
            }
            back.push(edge);
            let flow = wherefore_base::deep(|| {
                self.all(
                    progress,
                    wanted,
                    tree,
                    other,
                    left - 1,
                    back,
                    row,
                    &mut *emit,
                )
            });
            back.pop();
            if flow? == RowFlow::Enough {
                return Ok(RowFlow::Enough);
            }
        }
        Ok(RowFlow::More)
    }

    /// Tries one path after the other, the shorter ones first, until one fulfils all conditions.
    fn one_by_one(
        &mut self,
        progress: MatchProgress<'_>,
        wanted: &WantedPath<'_>,
        row: &mut QueryRow,
        emit: Emit<'_, 'g>,
    ) -> Do<RowFlow> {
        let graph: &QueryGraph<'g> = self.graph;
        let [start, end] = wanted.ends;
        let goal = self.tree(wanted, false, row)?;
        let forwards = wanted.part.relationships[0].direction;
        let mut trails = vec![SharedPath {
            before: NONE,
            edge: NONE,
            node: start,
            length: 0,
        }];
        let mut enough = usize::MAX;
        let mut at = 0;
        // Trails come in the order of their lengths, so all of the shortest length are tried.
        while at < trails.len() && trails[at].length <= enough.min(wanted.most) {
            let SharedPath { node, length, .. } = trails[at];
            if node == end && length >= wanted.least {
                let path = QueryPath::new(start, edges(&trails, at));
                self.put(wanted, path, row);
                if self.meets(wanted, row)? {
                    if self.go_on(progress, row, emit)? == RowFlow::Enough {
                        return Ok(RowFlow::Enough);
                    }
                    enough = length;
                    if wanted.part.shortest == Some(ShortestMode::One) {
                        return Ok(RowFlow::More);
                    }
                }
            }
            if length < enough.min(wanted.most) {
                let own = edges(&trails, at);
                for (edge, other) in graph.around(node, forwards) {
                    self.step()?;
                    // From there no way leads to the end.
                    let hopeless = goal.depth[other as usize] == NONE;
                    if hopeless || own.contains(&edge) || !self.edge_passes(wanted, edge, row)? {
                        continue;
                    }
                    trails.push(SharedPath {
                        before: at as u32,
                        edge,
                        node: other,
                        length: length + 1,
                    });
                }
            }
            at += 1;
        }
        Ok(RowFlow::More)
    }
}

/// A path that shares its beginning with others.
#[derive(Clone, Copy)]
struct SharedPath {
    before: u32,
    edge: u32,
    node: u32,
    length: usize,
}

/// The relationships of a trail.
fn edges(trails: &[SharedPath], at: usize) -> Vec<u32> {
    let mut edges = Vec::with_capacity(trails[at].length);
    let mut at = at;
    while trails[at].edge != NONE {
        edges.push(trails[at].edge);
        at = trails[at].before as usize;
    }
    edges.reverse();
    edges
}
