//! Queries by name: the seven questions of Barbon, Leroy and Salaün (2019), answered as they are meant.
//!
//! Where a question is about the shortest way that fulfils something, the search is breadth first in the
//! product of the graph with what must be fulfilled. Their queries take one shortest path for each
//! neighbourhood first and test it afterwards, and so miss longer ways. A neighbourhood is listed once, also
//! when no step enters it.

use wherefore_base::{Budget, Run, nearest as nearest_name};
use wherefore_model::lts::{LabelId, StateId};

use super::{QueryAnswer, QueryGraph, QueryPath, QueryValue};
use crate::course::Course;
use crate::groups::{into_neighbourhoods, neighbourhood};
use crate::pattern::{Filter, RunPattern, nearest};
use crate::search::{SearchMark, ShortestCourse, Unmatched, find};
use crate::tagged::{NeighbourhoodKind, NodeId};

/// A query with a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedQuery {
    /// The name.
    pub name: &'static str,
    /// What it is asked with; empty: nothing.
    pub argument: &'static str,
    /// What it answers, on one line.
    pub about: &'static str,
}

/// All queries with names.
pub const QUERIES: [NamedQuery; 7] = [
    NamedQuery {
        name: "nearest-neighbourhood",
        argument: "",
        about: "the shortest way to a neighbourhood",
    },
    NamedQuery {
        name: "nearest-neighbourhood-with",
        argument: "PATTERN",
        about: "the shortest way past these actions to a neighbourhood",
    },
    NamedQuery {
        name: "shortest-end-with",
        argument: "PATTERN",
        about: "the shortest way past these actions to a node without steps",
    },
    NamedQuery {
        name: "neighbourhoods",
        argument: "",
        about: "all neighbourhoods, with the actions that lead there and away",
    },
    NamedQuery {
        name: "neighbourhoods-of",
        argument: "TYPE",
        about: "the same for one type: cn, in, ci or cin",
    },
    NamedQuery {
        name: "nearest-through",
        argument: "NODE",
        about: "the shortest way through a node (7) or a state of the system (@7) to a neighbourhood",
    },
    NamedQuery {
        name: "neighbourhood",
        argument: "NODE",
        about: "the neighbourhood at a node (7) or at a state of the system (@7)",
    },
];

/// Asks a query by its name. The error is a sentence about the name or the argument.
pub fn ask(
    graph: &QueryGraph<'_>,
    name: &str,
    arguments: &[String],
    budget: &Budget,
) -> Run<Result<QueryAnswer, String>> {
    let Some(query) = QUERIES.iter().find(|query| query.name == name) else {
        let near = nearest_name(name, QUERIES.map(|query| query.name), 3);
        let advice = near.map_or(String::new(), |near| format!(" There is `{near}`."));
        return Ok(Err(format!("No query has the name `{name}`.{advice}")));
    };
    let wanted = usize::from(!query.argument.is_empty());
    if arguments.len() != wanted {
        let after = match wanted {
            0 => "takes nothing after its name".to_string(),
            _ => format!("takes {} after its name", query.argument),
        };
        return Ok(Err(format!("The query `{name}` {after}.")));
    }
    let argument = arguments.first().map_or("", String::as_str);
    let tagged = graph.tagged();
    match name {
        "nearest-neighbourhood" => {
            let found = nearest(tagged, &Filter::default(), budget)?;
            Ok(Ok(way(graph, found, &[], "neighbourhood")))
        }
        "nearest-neighbourhood-with" | "shortest-end-with" => {
            let pattern = match RunPattern::parse(argument, tagged.lts()) {
                Ok(pattern) => pattern,
                Err(error) => return Ok(Err(error.message)),
            };
            let is_end = |node: NodeId| tagged.steps(node).next().is_none();
            let (found, goal) = match name {
                "shortest-end-with" => {
                    let found = find(tagged, pattern.marks(), is_end, |_| true, budget)?;
                    (found, "node without steps")
                }
                _ => {
                    let is_goal = |node: NodeId| tagged.kind(node).is_some();
                    let found = find(tagged, pattern.marks(), is_goal, |_| true, budget)?;
                    (found, "neighbourhood")
                }
            };
            Ok(Ok(way(graph, found, pattern.texts(), goal)))
        }
        "nearest-through" => through(graph, argument, budget),
        "neighbourhoods" => Ok(Ok(listed(graph, |_, _| true, budget)?)),
        "neighbourhoods-of" => {
            let kind = NeighbourhoodKind::ALL.into_iter().find(|kind| {
                argument.eq_ignore_ascii_case(kind.name())
                    || argument.eq_ignore_ascii_case(super::type_name(*kind))
            });
            match kind {
                Some(kind) => Ok(Ok(listed(graph, |_, of| of == kind, budget)?)),
                None => Ok(Err(format!(
                    "`{argument}` is no type of neighbourhoods; there are cn, in, ci and cin."
                ))),
            }
        }
        _ => {
            let place = match NamedPlace::read(graph, argument) {
                Ok(place) => place,
                Err(error) => return Ok(Err(error)),
            };
            let mut answer = listed(graph, |node, _| place.is(graph, node), budget)?;
            if answer.rows.is_empty() {
                answer.note = Some(format!("There is no neighbourhood at {}.", place.text()));
            }
            Ok(Ok(answer))
        }
    }
}

/// A place that the user names.
#[derive(Clone, Copy)]
enum NamedPlace {
    Node(NodeId),
    State(StateId),
}

impl NamedPlace {
    fn read(graph: &QueryGraph<'_>, text: &str) -> Result<Self, String> {
        let tagged = graph.tagged();
        let (digits, is_state) = match text.strip_prefix('@') {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        let (count, what) = match is_state {
            true => (tagged.lts().states(), "state"),
            false => (tagged.nodes().len(), "node"),
        };
        let number = digits.parse::<usize>().ok();
        match number.filter(|number| *number < count) {
            Some(number) if is_state => Ok(NamedPlace::State(StateId::new(number))),
            Some(number) => Ok(NamedPlace::Node(NodeId::new(number))),
            None if count == 0 => Err("There is no node: the property holds.".to_string()),
            None if number.is_some() => {
                let last = count - 1;
                Err(format!(
                    "There is no {what} {digits}; {what}s are numbered from 0 to {last}."
                ))
            }
            None => Err(format!(
                "`{text}` is no node: write its number, or `@` and the number of a state of the system."
            )),
        }
    }

    fn is(self, graph: &QueryGraph<'_>, node: NodeId) -> bool {
        match self {
            NamedPlace::Node(place) => place == node,
            NamedPlace::State(state) => graph.tagged().pair(node).state == state,
        }
    }

    fn text(self) -> String {
        match self {
            NamedPlace::Node(node) => format!("node {}", node.index()),
            NamedPlace::State(state) => format!("state {} of the system", state.index()),
        }
    }
}

/// The shortest way through a place to a neighbourhood.
fn through(
    graph: &QueryGraph<'_>,
    argument: &str,
    budget: &Budget,
) -> Run<Result<QueryAnswer, String>> {
    let tagged = graph.tagged();
    let place = match NamedPlace::read(graph, argument) {
        Ok(place) => place,
        Err(error) => return Ok(Err(error)),
    };
    let is_goal = |node: NodeId| tagged.kind(node).is_some();
    let text = vec![place.text()];
    let node = match place {
        NamedPlace::State(state) => {
            let found = find(
                tagged,
                &[SearchMark::State(state)],
                is_goal,
                |_| true,
                budget,
            )?;
            return Ok(Ok(way(graph, found, &text, "neighbourhood")));
        }
        NamedPlace::Node(node) => node,
    };
    // Through one node: the way there, then the way on.
    let start = tagged.initial().unwrap_or(node);
    let there = walk(graph, start, |at| at == node, budget)?;
    let on = walk(graph, node, is_goal, budget)?;
    Ok(Ok(match (there, on) {
        (Some(mut there), Some(on)) => {
            there.extend(on);
            let path = QueryPath::new(start.index() as u32, there);
            one_path(Some(path), None)
        }
        _ => one_path(
            None,
            Some(format!("There is no neighbourhood after {}.", text[0])),
        ),
    }))
}

/// The relationships of the shortest way from a node to a goal, the first one in their order.
fn walk(
    graph: &QueryGraph<'_>,
    start: NodeId,
    goal: impl Fn(NodeId) -> bool,
    budget: &Budget,
) -> Run<Option<Vec<u32>>> {
    let mut meter = budget.meter();
    let mut before = vec![u32::MAX; graph.nodes() as usize];
    let mut queue = std::collections::VecDeque::from([start.index() as u32]);
    let mut seen = fixedbitset::FixedBitSet::with_capacity(before.len());
    seen.insert(start.index());
    while let Some(node) = queue.pop_front() {
        meter.tick()?;
        // The sink is no node of the tagged graph, so it is no goal.
        if graph.node(node).is_some_and(&goal) {
            let mut way = Vec::new();
            let mut at = node;
            while at != start.index() as u32 {
                let edge = before[at as usize];
                way.push(edge);
                at = graph.ends(edge).0;
            }
            way.reverse();
            return Ok(Some(way));
        }
        for edge in graph.out(node) {
            let to = graph.ends(edge).1;
            if !seen.put(to as usize) {
                before[to as usize] = edge;
                queue.push_back(to);
            }
        }
    }
    Ok(None)
}

/// A way that was found, or how far the pattern can be followed.
fn way(
    graph: &QueryGraph<'_>,
    found: Result<ShortestCourse, Unmatched>,
    texts: &[String],
    goal: &str,
) -> QueryAnswer {
    let unmatched = match found {
        Ok(found) => {
            return one_path(Some(path(graph, &found.course)), None);
        }
        Err(unmatched) => unmatched,
    };
    let passed = texts[..unmatched.passed.min(texts.len())].join(" ... ");
    let note = match texts.get(unmatched.passed) {
        _ if graph.tagged().initial().is_none() => {
            "The property holds: the graph is empty.".to_string()
        }
        Some(missing) if passed.is_empty() => format!("No way passes `{missing}`."),
        Some(missing) => format!("No way passes `{missing}` after `{passed}`."),
        None if passed.is_empty() => format!("There is no {goal}."),
        None => format!("There is no {goal} after `{passed}`."),
    };
    one_path(None, Some(note))
}

fn one_path(path: Option<QueryPath>, note: Option<String>) -> QueryAnswer {
    let row = path.map(|path| vec![QueryValue::Int(path.len() as i64), QueryValue::Path(path)]);
    QueryAnswer {
        columns: vec!["length".to_string(), "path".to_string()],
        rows: row.into_iter().collect(),
        incomplete: None,
        note,
        hints: Vec::new(),
    }
}

/// A course as a path of the graph.
fn path(graph: &QueryGraph<'_>, course: &Course) -> QueryPath {
    let steps = course.nodes.windows(2).zip(&course.labels);
    let relationships = steps.filter_map(|(ends, label)| {
        let (from, to) = (ends[0].index() as u32, ends[1].index() as u32);
        let mut edges = graph.out(from);
        edges.find(|&edge| graph.edge(edge).label == *label && graph.ends(edge).1 == to)
    });
    let start = course.nodes.first().map_or(0, |node| node.index() as u32);
    QueryPath::new(start, relationships.collect())
}

/// Neighbourhoods with the actions around them.
fn listed(
    graph: &QueryGraph<'_>,
    wanted: impl Fn(NodeId, NeighbourhoodKind) -> bool,
    budget: &Budget,
) -> Run<QueryAnswer> {
    let tagged = graph.tagged();
    let incoming = into_neighbourhoods(tagged, budget)?;
    let mut meter = budget.meter();
    let actions = |labels: &[LabelId]| {
        let texts = labels
            .iter()
            .map(|label| QueryValue::text(&tagged.label(*label).text));
        QueryValue::list(texts.collect())
    };
    let mut rows = Vec::new();
    for node in tagged.nodes() {
        meter.tick()?;
        if let Some(found) = neighbourhood(tagged, &incoming, node)
            && wanted(node, found.kind)
        {
            rows.push(vec![
                QueryValue::Node(node.index() as u32),
                actions(&found.incoming),
                actions(&found.correct),
                actions(&found.incorrect),
                actions(&found.neutral),
            ]);
        }
    }
    let columns = [
        "neighbourhood",
        "incoming",
        "correct",
        "incorrect",
        "neutral",
    ];
    Ok(QueryAnswer {
        columns: columns.map(str::to_string).to_vec(),
        rows,
        incomplete: None,
        note: None,
        hints: Vec::new(),
    })
}
