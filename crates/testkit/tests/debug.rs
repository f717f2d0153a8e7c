//! Tagged graphs agree with their definitions, read naively.

use std::collections::BTreeMap;

use wherefore_base::{Budget, IndexVec};
use wherefore_debug::{Dfa, Kind, Monitor, NodeId, Reading, Tag, Tagged, Target, Zone};
use wherefore_logic::Nfa;
use wherefore_model::lts::Lts;
use wherefore_testkit::naive_tags::{self, Graph};
use wherefore_testkit::random_lts::{LABELS, Regular, random_system, system};
use wherefore_testkit::{Rng, campaign};

fn automaton(lts: &Lts, formula: &Regular) -> Dfa {
    let (mut nfa, mut actions) = (Nfa::new(), IndexVec::new());
    let piece = formula.nfa(&mut nfa, &mut actions, lts);
    Dfa::beginning_with(&nfa, piece, &actions, lts, &Budget::unlimited()).expect("no limit")
}

fn tagged<'a>(lts: &'a Lts, formula: &Regular, reading: Reading) -> Tagged<'a> {
    let monitor = Monitor::Labels(automaton(lts, formula));
    Tagged::new(lts, monitor, reading, &Budget::unlimited()).expect("no limit")
}

/// Which node of the naive graph each node is: both walked at once along states and labels.
fn matched(ours: &Tagged<'_>, naive: &Graph) -> BTreeMap<NodeId, usize> {
    let mut partner = BTreeMap::new();
    let mut queue: Vec<(NodeId, usize)> =
        ours.initial().map(|node| (node, 0)).into_iter().collect();
    while let Some((node, other)) = queue.pop() {
        if let Some(known) = partner.insert(node, other) {
            assert_eq!(known, other, "one node is two");
            continue;
        }
        assert_eq!(ours.pair(node).state.index(), naive.nodes[other].0);
        for step in ours.steps(node) {
            if let Target::Node(to) = step.to {
                let state = ours.pair(to).state.index();
                let text = &ours.label(step.label).text;
                let mut same = naive
                    .transitions
                    .iter()
                    .filter(|t| t.0 == other && t.1 == *text);
                let other = same.find_map(|t| t.2.filter(|&n| naive.nodes[n].0 == state));
                queue.push((to, other.expect("the naive graph has the step")));
            }
        }
    }
    partner
}

fn agree(lts: &Lts, formula: &Regular) {
    let naive = Graph::new(lts, formula);
    assert_eq!(
        automaton(lts, formula).states() as usize,
        naive.rests,
        "{formula:?}"
    );
    let ours = tagged(lts, formula, Reading::Branching);
    assert_eq!(
        ours.nodes().len(),
        naive.nodes.len(),
        "{formula:?} on {lts:?}"
    );
    let partner = matched(&ours, &naive);
    assert_eq!(partner.len(), naive.nodes.len());
    let fate = tagged(lts, formula, Reading::Fate);
    let fated = naive.fated();
    for (&node, &other) in &partner {
        let mut steps: Vec<(String, Option<usize>, naive_tags::Tag)> = ours
            .steps(node)
            .map(|step| {
                let to = match step.to {
                    Target::Node(to) => Some(partner[&to]),
                    Target::Sink(_) => None,
                };
                let tag = match step.tag {
                    Tag::Correct => naive_tags::Tag::Correct,
                    Tag::Incorrect => naive_tags::Tag::Incorrect,
                    Tag::Neutral => naive_tags::Tag::Neutral,
                };
                (ours.label(step.label).text.clone(), to, tag)
            })
            .collect();
        let mut expected: Vec<_> = (naive.transitions.iter())
            .filter(|t| t.0 == other)
            .map(|t| (t.1.clone(), t.2, t.3))
            .collect();
        steps.sort();
        expected.sort();
        assert_eq!(steps, expected, "{formula:?} on {lts:?} at {node:?}");
        assert_eq!(
            ours.kind(node).map(Kind::name),
            naive.neighbourhood(other),
            "{formula:?} on {lts:?} at {node:?}"
        );
        assert_eq!(ours.accepting(node), naive.accepting[other]);
        let same = fate
            .node(ours.pair(node))
            .expect("both readings have the same nodes");
        assert_eq!(
            fate.zone(same) == Zone::Bad,
            fated[other],
            "{formula:?} on {lts:?}"
        );
    }
    let counts = ours.counts();
    let tags = |tag| naive.transitions.iter().filter(|t| t.3 == tag).count();
    assert_eq!(
        counts.tags,
        [
            tags(naive_tags::Tag::Correct),
            tags(naive_tags::Tag::Incorrect),
            tags(naive_tags::Tag::Neutral)
        ]
    );
    for kind in Kind::ALL {
        let nodes = 0..naive.nodes.len();
        let expected = nodes.filter(|&n| naive.neighbourhood(n) == Some(kind.name()));
        assert_eq!(counts.of(kind), expected.count());
    }
}

#[test]
fn products_tags_and_neighbourhoods_are_those_of_the_definitions() {
    campaign("tags", 20_000, |rng: &mut Rng| {
        let lts = random_system(rng, 7);
        let size = rng.below(7);
        agree(&lts, &Regular::random(rng, size));
    });
}

#[test]
fn so_they_are_for_all_systems_of_two_states_and_two_labels() {
    let places = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let formulas = [anything_then(&["BAD"]), not_then("a", "BAD")];
    for chosen in 0..1usize << 8 {
        let all = (0..8).filter(|bit| chosen >> bit & 1 == 1);
        let transitions: Vec<(usize, &str, usize)> = all
            .map(|bit| (places[bit / 2].0, LABELS[bit % 2], places[bit / 2].1))
            .collect();
        for formula in &formulas {
            agree(&system(2, &transitions), formula);
        }
    }
}

fn action(labels: &[&str]) -> Regular {
    Regular::Action(labels.iter().map(|label| (*label).to_string()).collect())
}

fn any() -> Regular {
    Regular::Star(Box::new(action(&LABELS)))
}

fn then(one: Regular, other: Regular) -> Regular {
    Regular::Then(Box::new(one), Box::new(other))
}

/// `true* . l1 . true* . l2 ...`
fn anything_then(labels: &[&str]) -> Regular {
    let steps = labels.iter().map(|label| then(any(), action(&[label])));
    steps.reduce(then).expect("there is a label")
}

/// `(not first)* . second`
fn not_then(first: &str, second: &str) -> Regular {
    let others: Vec<&str> = LABELS
        .iter()
        .copied()
        .filter(|label| *label != first)
        .collect();
    then(Regular::Star(Box::new(action(&others))), action(&[second]))
}
