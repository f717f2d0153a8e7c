//! Queries by definition: every assignment of nodes and relationships is tried.

mod generator;

use std::fmt;

use wherefore_tagged::{TagTarget, Tagged};
use wherefore_testkit::campaign::Rng;

pub(crate) use generator::Generator;

/// A graph as lists.
pub(crate) struct Naive {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
}

pub(crate) struct Node {
    pub(crate) id: i64,
    labels: Vec<&'static str>,
    kind: Option<&'static str>,
}

pub(crate) struct Edge {
    from: usize,
    to: usize,
    action: String,
    pub(crate) tag: &'static str,
}

/// A query: patterns, a condition, and what is returned.
pub(crate) struct Query {
    pub(crate) paths: Vec<Chain>,
    pub(crate) condition: Condition,
    pub(crate) returned: Returned,
    pub(crate) distinct: bool,
    /// Whether rows are sorted by all columns.
    pub(crate) ordered: bool,
    pub(crate) limit: Option<usize>,
}

/// Nodes with links between them.
pub(crate) struct Chain {
    pub(crate) spots: Vec<Spot>,
    pub(crate) links: Vec<Link>,
}

/// The pattern of a node.
#[derive(Clone)]
pub(crate) struct Spot {
    pub(crate) name: Option<&'static str>,
    pub(crate) label: Option<&'static str>,
    pub(crate) id: Option<i64>,
}

/// The pattern of a relationship.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) name: Option<&'static str>,
    pub(crate) types: Vec<&'static str>,
    pub(crate) direction: Direction,
    pub(crate) length: Option<(usize, Option<usize>)>,
    pub(crate) tag: Option<&'static str>,
}

#[derive(Clone, Copy)]
pub(crate) enum Direction {
    Out,
    In,
    Both,
}

/// What is returned.
pub(crate) enum Returned {
    /// The numbers of the named nodes and relationships.
    Columns,
    /// How often each first column comes.
    Count,
}

/// A condition on the named things.
pub(crate) enum Condition {
    True,
    Id(&'static str, &'static str, i64),
    Label(&'static str, &'static str),
    /// `kind` may be null.
    Kind(&'static str, &'static str),
    Same(&'static str, &'static str),
    /// Some step leads from the one to the other.
    Step(&'static str, &'static str),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// The assignment of one match: nodes by pattern, relationships by pattern.
struct Match<'q> {
    names: Vec<(&'q str, usize)>,
    links: Vec<(Option<&'q str>, Vec<usize>)>,
}

impl Naive {
    pub(crate) fn new(tagged: &Tagged<'_>) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut edges = Vec::new();
        let sink = tagged.nodes().len();
        for node in tagged.nodes() {
            let mut labels = vec!["STATE"];
            let steps: Vec<_> = tagged.steps(node).collect();
            if node.index() == 0 {
                labels.extend(["INITIAL_NODE", "INITIALSTATE"]);
            }
            let kind = tagged.kind(node);
            labels.extend(kind.map(|_| "NEIGHBOURHOOD"));
            labels.extend(steps.is_empty().then_some("IS_FINAL"));
            labels.extend(tagged.accepting(node).then_some("VIOLATION"));
            nodes.push(Node {
                id: node.index() as i64,
                labels,
                kind: kind.map(|kind| kind.name()),
            });
            edges.extend(steps.into_iter().map(|step| Edge {
                from: node.index(),
                to: match step.to {
                    TagTarget::Node(to) => to.index(),
                    TagTarget::Sink(_) => sink,
                },
                action: tagged.label(step.label).text.clone(),
                tag: step.tag.name(),
            }));
        }
        if edges.iter().any(|edge| edge.to == sink) {
            nodes.push(Node {
                id: -1,
                labels: vec!["STATE", "IS_SINK"],
                kind: None,
            });
        }
        Self { nodes, edges }
    }

    /// The rows of a query, each as a text.
    pub(crate) fn rows(&self, query: &Query) -> Vec<String> {
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for found in self.matches(&query.paths) {
            if self.holds(&query.condition, &found) != Some(true) {
                continue;
            }
            let nodes = found
                .names
                .iter()
                .map(|(_, node)| Cell::Number(self.nodes[*node].id));
            let links = found.links.iter().filter(|(name, _)| name.is_some());
            let links = links.map(|(_, edges)| Cell::List(edges.clone()));
            rows.push(nodes.chain(links).collect());
        }
        if matches!(query.returned, Returned::Count) {
            let mut counted: Vec<(Cell, i64)> = Vec::new();
            for row in &rows {
                match counted.iter_mut().find(|(first, _)| *first == row[0]) {
                    Some((_, count)) => *count += 1,
                    None => counted.push((row[0].clone(), 1)),
                }
            }
            let counted = counted.into_iter();
            rows = counted
                .map(|(first, count)| vec![first, Cell::Number(count)])
                .collect();
        }
        if query.ordered {
            rows.sort();
        }
        if query.distinct {
            let mut kept: Vec<Vec<Cell>> = Vec::new();
            for row in rows {
                if !kept.contains(&row) {
                    kept.push(row);
                }
            }
            rows = kept;
        }
        rows.truncate(query.limit.unwrap_or(usize::MAX));
        let row = |row: Vec<Cell>| {
            row.iter()
                .map(Cell::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        };
        rows.into_iter().map(row).collect()
    }

    /// All matches: every assignment of relationships, then every assignment of nodes.
    fn matches<'q>(&self, paths: &'q [Chain]) -> Vec<Match<'q>> {
        let links: Vec<&Link> = paths.iter().flat_map(|path| &path.links).collect();
        let mut assignments: Vec<Vec<Vec<usize>>> = vec![vec![]];
        for link in &links {
            let choices = self.lists(link);
            let longer = assignments.iter().flat_map(|before| {
                choices.iter().map(move |choice| {
                    let mut longer = before.clone();
                    longer.push(choice.clone());
                    longer
                })
            });
            let once = |lists: &Vec<Vec<usize>>| {
                let all: Vec<usize> = lists.concat();
                (0..all.len()).all(|at| !all[..at].contains(&all[at]))
            };
            assignments = longer.filter(once).collect();
        }
        let mut found = Vec::new();
        for lists in assignments {
            self.nodes_for(paths, &lists, &mut |names| {
                let links = links.iter().zip(&lists);
                let links = links.map(|(link, list)| (link.name, list.clone()));
                found.push(Match {
                    names,
                    links: links.collect(),
                });
            });
        }
        found
    }

    /// All lists of relationships that a link may stand for, whatever their ends are.
    fn lists(&self, link: &Link) -> Vec<Vec<usize>> {
        let (least, most) = link.length.map_or((1, 1), |(least, most)| {
            (
                least,
                most.unwrap_or(self.edges.len()).min(self.edges.len()),
            )
        });
        let fits = |edge: &Edge| {
            (link.types.is_empty() || link.types.contains(&edge.action.as_str()))
                && link.tag.is_none_or(|tag| tag == edge.tag)
        };
        let fitting: Vec<usize> = (0..self.edges.len())
            .filter(|&edge| fits(&self.edges[edge]))
            .collect();
        let mut lists = Vec::new();
        let mut layer: Vec<Vec<usize>> = vec![vec![]];
        for length in 0..=most {
            if length >= least {
                lists.extend(layer.iter().cloned());
            }
            let longer = layer.iter().flat_map(|list| {
                // Lists that hang together nowhere match nothing; without them there are fewer.
                let next = fitting.iter().filter(|&&edge| {
                    let touches = |last: &usize| self.touch(*last, edge);
                    !list.contains(&edge) && list.last().is_none_or(touches)
                });
                next.map(|edge| list.iter().copied().chain([*edge]).collect())
            });
            layer = longer.collect();
        }
        lists
    }

    /// Whether two relationships have an end in common.
    fn touch(&self, one: usize, two: usize) -> bool {
        let ends = |edge: usize| [self.edges[edge].from, self.edges[edge].to];
        ends(one).iter().any(|end| ends(two).contains(end))
    }

    /// Every assignment of nodes with which the relationships connect them.
    fn nodes_for<'q>(
        &self,
        paths: &'q [Chain],
        lists: &[Vec<usize>],
        found: &mut dyn FnMut(Vec<(&'q str, usize)>),
    ) {
        let spots: Vec<&Spot> = paths.iter().flat_map(|path| &path.spots).collect();
        let mut assignment: Vec<usize> = vec![0; spots.len()];
        if self.nodes.is_empty() {
            return;
        }
        loop {
            if let Some(names) = self.connects(paths, &spots, &assignment, lists) {
                found(names);
            }
            // The next assignment, as the next number is counted.
            let mut at = 0;
            while at < assignment.len() && assignment[at] + 1 == self.nodes.len() {
                assignment[at] = 0;
                at += 1;
            }
            match assignment.get_mut(at) {
                Some(node) => *node += 1,
                None => return,
            }
        }
    }

    fn connects<'q>(
        &self,
        paths: &'q [Chain],
        spots: &[&'q Spot],
        assignment: &[usize],
        lists: &[Vec<usize>],
    ) -> Option<Vec<(&'q str, usize)>> {
        let mut names: Vec<(&str, usize)> = Vec::new();
        for (spot, &node) in spots.iter().zip(assignment) {
            let of = &self.nodes[node];
            let fits = spot.label.is_none_or(|label| of.labels.contains(&label))
                && spot.id.is_none_or(|id| of.id == id);
            if !fits {
                return None;
            }
            if let Some(name) = spot.name {
                match names.iter().find(|(known, _)| *known == name) {
                    Some((_, known)) if *known != node => return None,
                    Some(_) => {}
                    None => names.push((name, node)),
                }
            }
        }
        let (mut first, mut link) = (0, 0);
        for path in paths {
            for (at, of) in path.links.iter().enumerate() {
                let ends = [assignment[first + at], assignment[first + at + 1]];
                if !self.leads(&lists[link], ends, of.direction) {
                    return None;
                }
                link += 1;
            }
            first += path.spots.len();
        }
        Some(names)
    }

    /// Whether relationships lead from one node to the other.
    fn leads(&self, edges: &[usize], [start, end]: [usize; 2], direction: Direction) -> bool {
        let mut at = start;
        for &edge in edges {
            let edge = &self.edges[edge];
            at = match direction {
                Direction::Out | Direction::Both if edge.from == at => edge.to,
                Direction::In | Direction::Both if edge.to == at => edge.from,
                _ => return false,
            };
        }
        at == end
    }

    /// All shortest paths between two patterns, as rows of ends and relationships.
    pub(crate) fn shortest(
        &self,
        ends: &[Spot; 2],
        link: &Link,
        wanted: impl Fn(&[usize], &[usize]) -> bool,
    ) -> Vec<String> {
        let chain = [Chain {
            spots: ends.to_vec(),
            links: vec![link.clone()],
        }];
        let mut found: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        for of in self.matches(&chain) {
            let (start, end) = (of.names[0].1, of.names[1].1);
            let edges = of.links[0].1.clone();
            let mut nodes = vec![start];
            for &edge in &edges {
                let (edge, at) = (&self.edges[edge], nodes[nodes.len() - 1]);
                nodes.push(if edge.from == at { edge.to } else { edge.from });
            }
            if wanted(&nodes, &edges) {
                found.push((start, end, edges));
            }
        }
        let is_shortest = |(start, end, edges): &&(usize, usize, Vec<usize>)| {
            let same = found
                .iter()
                .filter(|other| (other.0, other.1) == (*start, *end));
            same.map(|other| other.2.len()).min() == Some(edges.len())
        };
        let mut rows: Vec<String> = (found.iter().filter(is_shortest))
            .map(|(start, end, edges)| {
                let (start, end) = (self.nodes[*start].id, self.nodes[*end].id);
                format!("{start} {end} {}", Cell::List(edges.clone()))
            })
            .collect();
        rows.sort();
        rows
    }

    /// Whether a condition holds; `None`: unknown.
    fn holds(&self, condition: &Condition, found: &Match<'_>) -> Option<bool> {
        let node = |name: &str| {
            let named = found.names.iter().find(|(known, _)| *known == name);
            named.map_or(0, |(_, node)| *node)
        };
        match condition {
            Condition::True => Some(true),
            Condition::Id(name, sign, number) => {
                let id = self.nodes[node(name)].id;
                Some(match *sign {
                    "=" => id == *number,
                    "<>" => id != *number,
                    "<" => id < *number,
                    _ => id >= *number,
                })
            }
            Condition::Label(name, label) => Some(self.nodes[node(name)].labels.contains(label)),
            Condition::Kind(name, kind) => self.nodes[node(name)].kind.map(|of| of == *kind),
            Condition::Same(one, two) => Some(node(one) == node(two)),
            Condition::Step(one, two) => {
                let (from, to) = (node(one), node(two));
                Some(
                    self.edges
                        .iter()
                        .any(|edge| (edge.from, edge.to) == (from, to)),
                )
            }
            Condition::Not(inner) => self.holds(inner, found).map(|truth| !truth),
            Condition::And(one, two) => match (self.holds(one, found), self.holds(two, found)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Condition::Or(one, two) => match (self.holds(one, found), self.holds(two, found)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }
}

/// A value in a row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Number(i64),
    List(Vec<usize>),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Number(number) => write!(f, "{number}"),
            Cell::List(items) => {
                let items: Vec<String> = items.iter().map(usize::to_string).collect();
                write!(f, "[{}]", items.join(","))
            }
        }
    }
}

impl Spot {
    /// A named node with or without a label.
    pub(crate) fn random(rng: &mut Rng, name: &'static str) -> Self {
        let labels = [
            "STATE",
            "INITIAL_NODE",
            "NEIGHBOURHOOD",
            "IS_SINK",
            "VIOLATION",
        ];
        Self {
            name: Some(name),
            label: rng.chance(1, 2).then(|| *rng.pick(&labels)),
            id: rng.chance(1, 6).then(|| rng.between(-1, 3)),
        }
    }
}
