//! The shortest counterexamples.
//!
//! For safety they are the shortest ways to a node where the property is broken. For inevitability a
//! counterexample is a maximal run on which it does not happen: to a deadlock, or to a loop.

use wherefore_base::{Budget, Run};

use crate::course::Course;
use crate::maximal::completed;
use crate::pattern::Filter;
use crate::search::{Shortest, Unmatched, find};
use crate::tagged::{Reading, Tagged};

/// The shortest counterexamples; `None`: there is none, the property holds.
pub fn shortest(graph: &Tagged<'_>, budget: &Budget) -> Run<Option<Shortest>> {
    Ok(shortest_matching(graph, &Filter::default(), budget)?.ok())
}

/// The shortest counterexamples that match the pattern of a filter; steps are kept at neighbourhoods of
/// its types.
///
/// For inevitability, the shortest way past the pattern is taken, and from there the shortest maximal
/// run: a longer way past the pattern might lead to a shorter whole.
pub fn shortest_matching(
    graph: &Tagged<'_>,
    filter: &Filter,
    budget: &Budget,
) -> Run<Result<Shortest, Unmatched>> {
    let marks = filter.marks();
    let wanted = |kind| filter.wants(kind);
    if graph.reading() != Reading::Inevitable {
        return find(graph, marks, |node| graph.accepting(node), wanted, budget);
    }
    // From every node that is not good a run goes on that never does it.
    let head = match find(graph, marks, |_| true, wanted, budget)? {
        Ok(head) => head.course,
        Err(unmatched) => return Ok(Err(unmatched)),
    };
    let course: Course = completed(graph, head, budget)?;
    let kept = course.kept(graph, wanted);
    let kept = kept.into_iter().filter(|kept| *kept).count();
    Ok(Ok(Shortest {
        course,
        count: None,
        least: kept,
        most: kept,
    }))
}
