//! Tagged graphs agree with their definitions, read naively.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use wherefore_base::{Budget, IndexVec, SourceFile, SourceMap};
use wherefore_logic::Nfa;
use wherefore_lts::mcl;
use wherefore_model::lts::{LabelSet, Lts, PropertyForm};
use wherefore_tagged::{
    Analysis, AnalysisOptions, AnalysisOutlook, Course, Dfa, Filter, Monitor, NeighbourhoodKind,
    NodeId, RunPattern, SearchMark, ShortestCourse, TagReading, TagTarget, Tagged, Unmatched, Zone,
    ZoneTag, analyse_monitor, nearest, shortest_matching,
};
use wherefore_testkit::naive_tags::{self, NaiveGraph};
use wherefore_testkit::random_lts::{LABELS, Regular, random_system, system};
use wherefore_testkit::{Rng, campaign};

fn automaton(lts: &Lts, formula: &Regular) -> Dfa {
    let (mut nfa, mut actions) = (Nfa::new(), IndexVec::new());
    let piece = formula.nfa(&mut nfa, &mut actions, lts);
    Dfa::beginning_with(&nfa, piece, &actions, lts, &Budget::unlimited()).expect("no limit")
}

/// The same property, read as MCL.
fn from_mcl(lts: &Lts, formula: &Regular) -> Dfa {
    let mut sources = SourceMap::default();
    let text = format!("[ {} ] false", formula.mcl());
    let file = sources.add(SourceFile::new("formula", text));
    let (parsed, diagnostics) = mcl::parse(file, &mut sources, &|_| None);
    let parsed = parsed.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let property = parsed.properties().next().expect("there is one");
    let question = mcl::lower(&property, lts)
        .expect("it is a formula")
        .question;
    let PropertyForm::Never(nfa, piece) = question.form else {
        panic!("{:?} is not of the form", formula.mcl());
    };
    Dfa::beginning_with(&nfa, piece, &question.actions, lts, &Budget::unlimited())
        .expect("no limit")
}

fn tagged<'a>(lts: &'a Lts, formula: &Regular, reading: TagReading) -> Tagged<'a> {
    let monitor = Monitor::Labels(automaton(lts, formula));
    Tagged::new(lts, monitor, reading, &Budget::unlimited()).expect("no limit")
}

/// Which node of the naive graph each node is: both walked at once along states and labels.
fn matched(ours: &Tagged<'_>, naive: &NaiveGraph) -> BTreeMap<NodeId, usize> {
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
            if let TagTarget::Node(to) = step.to {
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
    let naive = NaiveGraph::new(lts, formula);
    assert_eq!(
        automaton(lts, formula).states() as usize,
        naive.rests,
        "{formula:?}"
    );
    // The automaton of the language's own front end is made in another way, and is the same one.
    let other = from_mcl(lts, formula);
    assert_eq!(other.states() as usize, naive.rests, "{}", formula.mcl());
    let monitor = Monitor::Labels(other);
    let other = Tagged::new(lts, monitor, TagReading::Branching, &Budget::unlimited());
    let other = other.expect("no limit");
    let ours = tagged(lts, formula, TagReading::Branching);
    assert_eq!(
        ours.nodes().len(),
        naive.nodes.len(),
        "{formula:?} on {lts:?}"
    );
    assert_eq!(other.counts(), ours.counts(), "{}", formula.mcl());
    let partner = matched(&ours, &naive);
    assert_eq!(partner.len(), naive.nodes.len());
    assert_eq!(matched(&other, &naive).len(), naive.nodes.len());
    let fate = tagged(lts, formula, TagReading::Fate);
    let fated = naive.fated();
    for (&node, &other) in &partner {
        let mut steps: Vec<(String, Option<usize>, naive_tags::NaiveTag)> = ours
            .steps(node)
            .map(|step| {
                let to = match step.to {
                    TagTarget::Node(to) => Some(partner[&to]),
                    TagTarget::Sink(_) => None,
                };
                let tag = match step.tag {
                    ZoneTag::Correct => naive_tags::NaiveTag::Correct,
                    ZoneTag::Incorrect => naive_tags::NaiveTag::Incorrect,
                    ZoneTag::Neutral => naive_tags::NaiveTag::Neutral,
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
            ours.kind(node).map(NeighbourhoodKind::name),
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
            tags(naive_tags::NaiveTag::Correct),
            tags(naive_tags::NaiveTag::Incorrect),
            tags(naive_tags::NaiveTag::Neutral)
        ]
    );
    for kind in NeighbourhoodKind::ALL {
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

/// A path of the naive graph: its nodes and labels.
type Path = (Vec<usize>, Vec<String>);

/// How many steps of a path enter or leave a neighbourhood of one of the types.
fn kept(naive: &NaiveGraph, path: &Path, wanted: &dyn Fn(&str) -> bool) -> usize {
    let at = |node: usize| naive.neighbourhood(node).is_some_and(wanted);
    path.0
        .windows(2)
        .filter(|ends| at(ends[0]) || at(ends[1]))
        .count()
}

/// All shortest paths whose labels contain the pattern in order and whose last node is a goal; `None`
/// when there are too many paths to try.
fn shortest_paths(
    naive: &NaiveGraph,
    pattern: &[&str],
    goal: &dyn Fn(usize) -> bool,
) -> Option<Vec<Path>> {
    let matches = |path: &Path| {
        let mut labels = path.1.iter();
        let found = pattern
            .iter()
            .all(|wanted| labels.any(|label| label == wanted));
        found && goal(*path.0.last().expect("a path has a node"))
    };
    let mut paths: Vec<Path> = match naive.nodes.is_empty() {
        true => Vec::new(),
        false => vec![(vec![0], Vec::new())],
    };
    for _ in 0..=(pattern.len() + 1) * naive.nodes.len() {
        let found: Vec<Path> = paths.iter().filter(|path| matches(path)).cloned().collect();
        if !found.is_empty() {
            return Some(found);
        }
        paths = paths.iter().flat_map(|path| naive.longer(path)).collect();
        if paths.len() > 1_000 {
            return None;
        }
    }
    Some(Vec::new())
}

/// The ways found are those of the enumeration: how long, how many, the least word, what is kept.
fn same_ways(
    naive: &NaiveGraph,
    ours: &Tagged<'_>,
    found: &Result<ShortestCourse, Unmatched>,
    expected: &[Path],
    wanted: &dyn Fn(&str) -> bool,
) {
    let partner = matched(ours, naive);
    let Ok(found) = found else {
        assert!(expected.is_empty(), "{expected:?}");
        return;
    };
    let Course { nodes, labels, .. } = &found.course;
    let path: Path = (
        nodes.iter().map(|node| partner[node]).collect(),
        labels
            .iter()
            .map(|label| ours.label(*label).text.clone())
            .collect(),
    );
    assert!(
        expected.contains(&path),
        "{path:?} is not one of {expected:?}"
    );
    assert_eq!(found.count, Some(BigUint::from(expected.len())));
    assert_eq!(Some(&path.1), expected.iter().map(|path| &path.1).min());
    let lengths = || expected.iter().map(|path| kept(naive, path, wanted));
    assert_eq!(Some(found.least), lengths().min());
    assert_eq!(Some(found.most), lengths().max());
    let of_the_word = expected.iter().filter(|other| other.1 == path.1);
    let fewest = of_the_word.map(|path| kept(naive, path, wanted)).min();
    assert_eq!(Some(kept(naive, &path, wanted)), fewest);
}

fn filter(lts: &Lts, pattern: &[&str], kinds: Option<Vec<NeighbourhoodKind>>) -> Filter {
    let mark = |text: &&str| {
        let set = LabelSet::new(lts, |label| label.text == *text);
        (text.to_string(), SearchMark::Action(set))
    };
    let pattern =
        (!pattern.is_empty()).then(|| RunPattern::new(pattern.iter().map(mark).collect()));
    Filter { kinds, pattern }
}

#[test]
fn shortest_runs_and_ways_to_neighbourhoods_are_those_of_an_enumeration() {
    campaign("ways", 6_000, |rng: &mut Rng| {
        let lts = random_system(rng, 6);
        let size = rng.below(6);
        let formula = Regular::random(rng, size);
        let naive = NaiveGraph::new(&lts, &formula);
        if naive.nodes.is_empty() {
            return;
        }
        let ours = tagged(&lts, &formula, TagReading::Branching);
        let pattern: Vec<&str> = (0..rng.below(3)).map(|_| *rng.pick(&LABELS)).collect();
        let kinds = rng.chance(1, 2).then(|| {
            let some = NeighbourhoodKind::ALL
                .into_iter()
                .filter(|_| rng.chance(1, 2));
            some.collect::<Vec<NeighbourhoodKind>>()
        });
        let filter = filter(&lts, &pattern, kinds.clone());
        let wanted = |name: &str| {
            (kinds.as_ref()).is_none_or(|kinds| kinds.iter().any(|kind| kind.name() == name))
        };
        let unlimited = Budget::unlimited();
        let broken = |node: usize| naive.accepting[node];
        let found = shortest_matching(&ours, &filter, &unlimited).expect("no limit");
        if let Some(expected) = shortest_paths(&naive, &pattern, &broken) {
            same_ways(&naive, &ours, &found, &expected, &wanted);
        }
        let choice = |node: usize| naive.neighbourhood(node).is_some_and(wanted);
        let found = nearest(&ours, &filter, &unlimited).expect("no limit");
        if let Some(expected) = shortest_paths(&naive, &pattern, &choice) {
            same_ways(&naive, &ours, &found, &expected, &wanted);
        }
    });
}

fn analysis<'a>(lts: &'a Lts, formula: &Regular) -> Analysis<'a> {
    let monitor = Monitor::Labels(automaton(lts, formula));
    let options = AnalysisOptions::default();
    analyse_monitor(lts, monitor, true, &options, &Budget::unlimited()).expect("no limit")
}

#[test]
fn the_outlook_is_what_all_maximal_runs_come_to() {
    campaign("outlook", 10_000, |rng: &mut Rng| {
        let lts = random_system(rng, 6);
        let size = rng.below(6);
        let formula = Regular::random(rng, size);
        let naive = NaiveGraph::new(&lts, &formula);
        let correct = naive
            .transitions
            .iter()
            .any(|t| t.3 == naive_tags::NaiveTag::Correct);
        let expected = match naive.fated().first() {
            None => AnalysisOutlook::Holds,
            Some(true) => AnalysisOutlook::AlwaysViolated,
            Some(false) if correct => AnalysisOutlook::Mixed,
            Some(false) => AnalysisOutlook::NoGoodStep,
        };
        assert_eq!(
            analysis(&lts, &formula).outlook,
            expected,
            "{formula:?} on {lts:?}"
        );
    });
}

/// Tags and neighbourhoods as published, whatever the outlook.
fn published(lts: &Lts, formula: &Regular) -> ([usize; 3], [usize; 4]) {
    let graph = tagged(lts, formula, TagReading::Branching);
    (graph.counts().tags, graph.counts().kinds)
}

/// The published tool finds no neighbourhood when the initial state lies on a cycle. The state where
/// everything is lost from the start is one; and whether *every* run is lost is another question.
#[test]
fn a_cycle_through_the_initial_state_does_not_hide_that_all_is_lost() {
    let formula = anything_then(&["BAD"]);
    let turning = system(2, &[(0, "a", 0), (0, "BAD", 1)]);
    assert_eq!(published(&turning, &formula), ([0, 2, 0], [0, 1, 0, 0]));
    let analysed = analysis(&turning, &formula);
    assert_eq!(
        analysed.outlook,
        AnalysisOutlook::NoGoodStep,
        "a, a, a ... is a run"
    );
    assert!(analysed.switched);
    assert_eq!(analysed.graph.counts().kinds, [0, 1, 0, 0]);
    let lost = system(1, &[(0, "BAD", 0)]);
    assert_eq!(published(&lost, &formula), ([0, 2, 0], [0, 1, 0, 0]));
    assert_eq!(
        analysis(&lost, &formula).outlook,
        AnalysisOutlook::AlwaysViolated
    );
}

/// The published tool looks at the number 0 instead of the initial state.
#[test]
fn the_initial_state_may_have_any_number() {
    use wherefore_model::lts::{ActionLabel, LabelId, StateId, Transition};
    let label = |text: &str| ActionLabel {
        text: text.to_string(),
        internal: false,
    };
    let step = |from: usize, label: usize, to: usize| Transition {
        from: from.into(),
        label: LabelId::new(label),
        to: to.into(),
    };
    let lts = Lts::new(
        vec![label("BAD"), label("a")],
        2,
        StateId::new(1),
        &[step(1, 1, 0), step(0, 0, 0)],
    );
    let formula = anything_then(&["BAD"]);
    assert_eq!(published(&lts, &formula).1, [0, 1, 0, 0]);
    assert_eq!(
        analysis(&lts, &formula).outlook,
        AnalysisOutlook::AlwaysViolated
    );
}

/// Published, a formula that does not end in `true*` leaves states of an unknown type and no incorrect
/// step. What follows a violation does not undo it: with and without `true*` is the same.
#[test]
fn a_formula_needs_no_true_star_at_its_end() {
    let lts = system(
        4,
        &[
            (0, "a", 1),
            (0, "z", 3),
            (1, "BAD", 2),
            (1, "z", 3),
            (2, "a", 2),
        ],
    );
    let bare = anything_then(&["BAD"]);
    let ended = then(bare.clone(), any());
    assert_eq!(published(&lts, &bare), ([2, 2, 1], [1, 0, 1, 0]));
    assert_eq!(published(&lts, &bare), published(&lts, &ended));
}

/// Steps with one label are told apart by the states they enter.
#[test]
fn one_label_may_be_right_and_wrong_in_one_state() {
    let lts = system(5, &[(0, "a", 1), (0, "a", 2), (0, "a", 3), (1, "BAD", 4)]);
    assert_eq!(
        published(&lts, &anything_then(&["BAD"])),
        ([2, 2, 0], [0, 0, 1, 0])
    );
}

/// Published, an internal step is taken for the mark of a violation.
#[test]
fn an_internal_step_is_a_step_like_others() {
    let formula = anything_then(&["BAD"]);
    let kept = system(4, &[(0, "a", 1), (1, "BAD", 2), (1, "i", 3)]);
    assert_eq!(published(&kept, &formula), ([1, 1, 1], [0, 0, 1, 0]));
    let apart = system(5, &[(0, "a", 1), (0, "z", 2), (1, "i", 3), (2, "BAD", 4)]);
    assert_eq!(published(&apart, &formula), ([1, 2, 0], [0, 0, 1, 0]));
    let read = then(any(), then(action(&["i"]), action(&["BAD"])));
    let hidden = system(3, &[(0, "i", 1), (1, "BAD", 2)]);
    assert_eq!(
        analysis(&hidden, &read).outlook,
        AnalysisOutlook::AlwaysViolated
    );
}

#[test]
fn a_property_that_is_violated_at_once_has_an_empty_counterexample() {
    let lts = system(2, &[(0, "a", 1)]);
    let analysed = analysis(&lts, &any());
    assert_eq!(analysed.outlook, AnalysisOutlook::AlwaysViolated);
    assert_eq!(analysed.graph.counts().kinds, [0, 1, 0, 0]);
    let shortest = analysed.shortest.expect("there is one");
    assert_eq!(
        (shortest.course.len(), shortest.least, shortest.most),
        (0, 0, 0)
    );
}

#[test]
fn steps_back_to_the_same_state_are_steps_like_others() {
    let lts = system(
        4,
        &[
            (0, "i", 0),
            (0, "BAD", 1),
            (0, "z", 3),
            (1, "a", 1),
            (1, "BAD", 2),
        ],
    );
    let (tags, kinds) = published(&lts, &anything_then(&["BAD"]));
    assert_eq!((tags, kinds), ([1, 3, 1], [0, 0, 0, 1]));
}

#[test]
fn a_property_that_holds_has_no_counterexample() {
    let lts = system(2, &[(0, "a", 1), (1, "z", 0)]);
    let analysed = analysis(&lts, &anything_then(&["BAD"]));
    assert_eq!(analysed.outlook, AnalysisOutlook::Holds);
    assert_eq!(analysed.graph.initial(), None);
    assert_eq!(analysed.graph.counts().states, 0);
    assert!(analysed.shortest.is_err());
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
