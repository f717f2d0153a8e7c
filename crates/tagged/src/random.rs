//! A counterexample by chance.

use wherefore_base::{Budget, Rng, Run};

use crate::course::Course;
use crate::maximal::{completed, is_deadlock, onwards};
use crate::tagged::{NodeId, Tagged};

/// A counterexample by chance, always the same for the same seed; `None`: there is none.
///
/// From the initial node each step to another node of the graph is as likely as any other, until the
/// property is broken. It always will be: after a number of steps, between two and six times that of a
/// shortest counterexample and some more, also drawn by chance, the run goes on the shortest way. A run on
/// which something inevitable does not happen goes on to a deadlock or a loop from there.
pub fn random(graph: &Tagged<'_>, seed: u64, budget: &Budget) -> Run<Option<Course>> {
    let Some(initial) = graph.initial() else {
        return Ok(None);
    };
    let inevitable = graph.reading().is_of_whole_runs();
    let over = |node: NodeId| {
        if inevitable {
            is_deadlock(graph, node)
        } else {
            graph.accepting(node)
        }
    };
    // Nodes are numbered breadth first, so the first one is the nearest.
    let nearest = graph.nodes().find(|&node| over(node));
    let nearest = nearest.map_or(4, |node| graph.distance(node));
    let mut chance = Rng::new(seed);
    let limit = 2 * nearest + chance.below(4 * nearest + 8);
    let mut course = Course::new(vec![initial], Vec::new());
    let mut node = initial;
    while course.len() < limit && !over(node) {
        let moves: Vec<_> = graph.moves(node).collect();
        // From a node the property can still be broken, so unless it is over a step leads to another node.
        let (label, to) = moves[chance.below(moves.len())];
        course.labels.push(label);
        course.nodes.push(to);
        node = to;
    }
    Ok(Some(if inevitable {
        completed(graph, course, budget)?.0
    } else {
        onwards(graph, course, over, budget)?
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::CourseEnding;
    use crate::fixtures::{random_system, tagged};
    use crate::tagged::TagReading;

    #[test]
    fn every_seed_gives_a_counterexample_and_always_the_same() {
        let unlimited = Budget::unlimited();
        for seed in 0..300 {
            let lts = random_system(seed);
            for reading in [
                TagReading::Branching,
                TagReading::Fate,
                TagReading::Inevitable,
            ] {
                let graph = tagged(&lts, &["BAD"], reading);
                let course = random(&graph, seed, &unlimited).expect("no limit");
                assert_eq!(course.is_some(), graph.initial().is_some());
                let Some(course) = course else {
                    continue;
                };
                assert_eq!(random(&graph, seed, &unlimited), Ok(Some(course.clone())));
                for (index, &label) in course.labels.iter().enumerate() {
                    let mut targets = graph.moves_with(course.nodes[index], label);
                    assert!(targets.any(|to| to == course.nodes[index + 1]));
                }
                let last = course.nodes[course.len()];
                match course.ending {
                    CourseEnding::Reached => assert!(graph.accepting(last)),
                    CourseEnding::Deadlock => assert!(is_deadlock(&graph, last)),
                    CourseEnding::Loop(back) => assert_eq!(course.nodes[back], last),
                }
            }
        }
    }
}
