//! The shortest counterexamples.
//!
//! For safety they are the shortest ways to a node where the property is broken. For inevitability a
//! counterexample is a maximal run on which it does not happen: to a deadlock, or to a loop.

use wherefore_base::{Budget, Run};

use crate::maximal::completed;
use crate::pattern::Filter;
use crate::search::{ShortestCourse, Unmatched, find};
use crate::tagged::Tagged;

/// The shortest counterexamples; `None`: there is none, the property holds.
pub fn shortest(graph: &Tagged<'_>, budget: &Budget) -> Run<Option<ShortestCourse>> {
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
) -> Run<Result<ShortestCourse, Unmatched>> {
    let marks = filter.marks();
    let wanted = |kind| filter.wants(kind);
    if !graph.reading().is_of_whole_runs() {
        return find(graph, marks, |node| graph.accepting(node), wanted, budget);
    }
    // From every node that is not good a run goes on that never does it.
    let head = match find(graph, marks, |_| true, wanted, budget)? {
        Ok(head) => head.course,
        Err(unmatched) => return Ok(Err(unmatched)),
    };
    let (course, proved) = completed(graph, head, budget)?;
    let kept = course.kept(graph, wanted);
    let kept = kept.into_iter().filter(|kept| *kept).count();
    Ok(Ok(ShortestCourse {
        course,
        count: None,
        least: kept,
        most: kept,
        proved: proved && marks.is_empty(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::{Course, CourseEnding};
    use crate::fixtures::{random_system, system, tagged};
    use crate::pattern::RunPattern;
    use crate::tagged::{NodeId, TagReading};

    fn course(graph: &Tagged<'_>) -> Course {
        let shortest = shortest(graph, &Budget::unlimited()).expect("no limit");
        shortest.expect("it fails").course
    }

    #[test]
    fn a_property_that_holds_has_no_counterexample() {
        let lts = system(1, &[(0, "a", 0)]);
        let graph = tagged(&lts, &["BAD"], TagReading::Branching);
        assert_eq!(shortest(&graph, &Budget::unlimited()), Ok(None));
        let graph = tagged(&lts, &["a"], TagReading::Inevitable);
        assert_eq!(shortest(&graph, &Budget::unlimited()), Ok(None));
    }

    #[test]
    fn what_never_happens_is_shown_by_a_deadlock() {
        let lts = system(3, &[(0, "a", 1), (1, "done", 1), (1, "quit", 2)]);
        let course = course(&tagged(&lts, &["done"], TagReading::Inevitable));
        assert_eq!((course.len(), course.ending), (2, CourseEnding::Deadlock));
    }

    #[test]
    fn what_never_happens_is_shown_by_the_shortest_loop() {
        let lts = system(
            5,
            &[
                (0, "a", 1),
                (1, "b", 2),
                (2, "c", 3),
                (3, "back", 1),
                (2, "d", 4),
                (4, "again", 4),
                (3, "done", 3),
            ],
        );
        let graph = tagged(&lts, &["done"], TagReading::Inevitable);
        let course = course(&graph);
        assert_eq!((course.len(), course.ending), (4, CourseEnding::Loop(1)));
        assert_eq!(course.nodes[1], course.nodes[4]);
    }

    #[test]
    fn what_no_label_does_is_never_done() {
        let lts = system(2, &[(0, "a", 1), (1, "b", 0)]);
        let course = course(&tagged(&lts, &["missing"], TagReading::Inevitable));
        assert_eq!((course.len(), course.ending), (2, CourseEnding::Loop(0)));
    }

    #[test]
    fn a_pattern_comes_before_the_end_of_a_run_that_never_does_it() {
        let lts = system(
            3,
            &[(0, "stay", 0), (0, "a", 1), (1, "b", 2), (2, "done", 2)],
        );
        let graph = tagged(&lts, &["done"], TagReading::Inevitable);
        let filter = Filter {
            pattern: Some(RunPattern::parse("stay ... stay", &lts).expect("it is one")),
            ..Filter::default()
        };
        let found = shortest_matching(&graph, &filter, &Budget::unlimited()).expect("no limit");
        let course = found.expect("it can be done").course;
        assert_eq!((course.len(), course.ending), (3, CourseEnding::Loop(2)));
    }

    /// The length of the shortest maximal run, by listing all runs without a repeated node.
    fn naive(graph: &Tagged<'_>) -> Option<usize> {
        fn extend(graph: &Tagged<'_>, way: &mut Vec<NodeId>, best: &mut Option<usize>) {
            let node = way[way.len() - 1];
            let mut note = |length: usize| *best = Some(best.map_or(length, |b| b.min(length)));
            if graph.lts().steps(graph.pair(node).state).is_empty() {
                note(way.len() - 1);
            }
            if graph.moves(node).any(|(_, to)| way.contains(&to)) {
                note(way.len());
            }
            for (_, to) in graph.moves(node) {
                if !way.contains(&to) {
                    way.push(to);
                    extend(graph, way, best);
                    way.pop();
                }
            }
        }
        let mut best = None;
        extend(graph, &mut vec![graph.initial()?], &mut best);
        best
    }

    #[test]
    fn no_maximal_run_is_shorter_than_the_shortest() {
        let mut compared = 0;
        for seed in 0..400 {
            let lts = random_system(seed);
            let graph = tagged(&lts, &["a", "b"], TagReading::Inevitable);
            let Some(length) = naive(&graph) else {
                continue;
            };
            compared += 1;
            let course = course(&graph);
            assert_eq!(course.len(), length);
            for (index, &label) in course.labels.iter().enumerate() {
                let mut targets = graph.moves_with(course.nodes[index], label);
                assert!(targets.any(|to| to == course.nodes[index + 1]));
            }
            if let CourseEnding::Loop(back) = course.ending {
                assert_eq!(course.nodes[back], course.nodes[course.len()]);
            }
        }
        assert!(compared > 200, "{compared}");
    }
}
