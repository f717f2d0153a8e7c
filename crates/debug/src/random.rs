//! A counterexample by chance.

use wherefore_base::{Budget, Run};

use crate::course::Course;
use crate::maximal::{completed, is_deadlock, onwards};
use crate::tagged::{NodeId, Reading, Tagged};

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
    let inevitable = graph.reading() == Reading::Inevitable;
    let over = |node: NodeId| {
        if inevitable {
            is_deadlock(graph, node)
        } else {
            graph.accepting(node)
        }
    };
    let nearest = graph.nodes().find(|&node| over(node));
    let nearest = nearest.map_or(4, |node| graph.distance(node));
    let mut chance = Chance(seed);
    let limit = 2 * nearest + chance.below(4 * nearest + 8);
    let mut course = Course::new(vec![initial], Vec::new());
    let mut node = initial;
    while course.len() < limit && !over(node) {
        let moves: Vec<_> = graph.moves(node).collect();
        let (label, to) = moves[chance.below(moves.len())];
        course.labels.push(label);
        course.nodes.push(to);
        node = to;
    }
    Ok(Some(if inevitable {
        completed(graph, course, budget)?
    } else {
        onwards(graph, course, over, budget)?
    }))
}

/// Numbers by chance (Steele, Lea and Flood, 2014).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * bound as u128) >> 64) as usize
    }
}
