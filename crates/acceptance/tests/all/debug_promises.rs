//! Inevitability against the definition: zones, tags and types of a tagged graph from all maximal runs.

use wherefore_base::{Budget, IndexVec};
use wherefore_logic::{ActionId, Fairness};
use wherefore_model::lts::{ActionLabel, LabelId, LabelSet, Lts, StateId, Transition};
use wherefore_tagged::{
    CourseEnding, Dfa, Monitor, NeighbourhoodKind, Pair, TagReading, TagTarget, Tagged, Zone,
    ZoneTag, shortest,
};
use wherefore_testkit::runs::RunGraph;
use wherefore_testkit::{Rng, campaign};

const LABELS: [&str; 4] = ["a", "b", "c", "i"];

fn random_system(rng: &mut Rng) -> Lts {
    let states = 1 + rng.below(4);
    let labels = LABELS.map(|text| ActionLabel {
        text: text.to_string(),
        internal: text == "i",
    });
    let transitions: Vec<Transition> = (0..rng.below(3 * states + 1))
        .map(|_| Transition {
            from: StateId::new(rng.below(states)),
            label: LabelId::new(rng.below(LABELS.len())),
            to: StateId::new(rng.below(states)),
        })
        .collect();
    Lts::new(labels.into(), states, StateId::new(0), &transitions)
}

/// The product of a system with the number of actions done so far, by definition.
struct Counting {
    done: usize,
    runs: RunGraph,
}

impl Counting {
    fn new(lts: &Lts, order: &[&LabelSet]) -> Self {
        let width = order.len() + 1;
        let mut steps = vec![0u64; lts.states() * width];
        for transition in lts.all_transitions() {
            for k in 0..width {
                let met = k < order.len() && order[k].contains(transition.label);
                let to = transition.to.index() * width + k + usize::from(met);
                steps[transition.from.index() * width + k] |= 1 << to;
            }
        }
        let runs = RunGraph {
            steps,
            fairness: Fairness::default(),
            may_end: true,
        };
        Self {
            done: order.len(),
            runs,
        }
    }

    fn zones(&self) -> Vec<Zone> {
        let width = self.done + 1;
        let goal = (0..self.runs.steps.len())
            .filter(|node| node % width == self.done)
            .fold(0, |all, node| all | 1 << node);
        let zone = |deeds: wherefore_testkit::runs::Deeds| match deeds {
            deeds if !deeds.some_do_not => Zone::Good,
            deeds if !deeds.some_do => Zone::Bad,
            _ => Zone::Open,
        };
        self.runs.deeds(goal).into_iter().map(zone).collect()
    }
}

#[test]
fn promised_sequences_are_tagged_as_all_maximal_runs_say() {
    campaign("promised sequences", 600, |rng| {
        let lts = random_system(rng);
        let actions: IndexVec<ActionId, LabelSet> = vec![
            LabelSet::new(&lts, |label| label.text == "a"),
            LabelSet::new(&lts, |label| label.text == "b"),
            LabelSet::new(&lts, |label| label.text == "b" || label.text == "c"),
            // Never met.
            LabelSet::new(&lts, |label| label.text == "z"),
        ]
        .into();
        let often = [0, 0, 0, 1, 1, 1, 2, 2, 3];
        let order: Vec<ActionId> = (0..rng.below(4))
            .map(|_| ActionId::new(*rng.pick(&often)))
            .collect();
        let unlimited = Budget::unlimited();
        let dfa = Dfa::in_order(&order, &actions, &lts, &unlimited).expect("no limit");
        let waits_for_ever = order.iter().any(|&action| actions[action].is_empty());
        let monitor = Monitor::Labels(dfa);
        let graph =
            Tagged::new(&lts, monitor, TagReading::Inevitable, &unlimited).expect("no limit");

        let sets: Vec<&LabelSet> = order.iter().map(|&action| &actions[action]).collect();
        let counting = Counting::new(&lts, &sets);
        let zones = counting.zones();
        let number = |pair: Pair| pair.state.index() * (counting.done + 1) + pair.at as usize;
        let start = lts.initial().index() * (counting.done + 1);
        if waits_for_ever {
            // The automaton does not count what cannot be completed.
            assert_eq!(graph.prospect(), wherefore_tagged::Prospect::Never);
            assert_eq!(zones[start], Zone::Bad);
            assert!(graph.nodes().all(|node| graph.zone(node) == Zone::Bad));
            return;
        }
        assert_eq!(graph.initial().is_none(), zones[start] == Zone::Good);
        for node in graph.nodes() {
            let pair = graph.pair(node);
            assert_eq!(graph.zone(node), zones[number(pair)]);
            let mut seen = [false; 3];
            for step in graph.steps(node) {
                let done = pair.at as usize;
                let met = done < sets.len() && sets[done].contains(step.label);
                let state = match step.to {
                    TagTarget::Node(to) => graph.pair(to).state,
                    TagTarget::Sink(state) => state,
                };
                let at = pair.at + u32::from(met);
                let expected = match zones[number(Pair { state, at })] {
                    Zone::Good => ZoneTag::Correct,
                    Zone::Bad => ZoneTag::Incorrect,
                    Zone::Open => ZoneTag::Neutral,
                };
                assert_eq!(step.tag, expected);
                seen[step.tag as usize] = true;
            }
            let decides = seen[ZoneTag::Correct as usize] || seen[ZoneTag::Incorrect as usize];
            let expected = match (graph.zone(node), graph.initial() == Some(node)) {
                (Zone::Bad, first) => first,
                _ => decides,
            };
            assert_eq!(graph.kind(node).is_some(), expected);
        }
        if let Some(found) = shortest(&graph, &unlimited).expect("no limit") {
            let course = found.course;
            let last = *course.nodes.last().expect("a course has a node");
            match course.ending {
                CourseEnding::Deadlock => assert!(lts.steps(graph.pair(last).state).is_empty()),
                CourseEnding::Loop(back) => assert_eq!(course.nodes[back], last),
                CourseEnding::Reached => panic!("a run that never does it ends or goes round"),
            }
            assert!(course.nodes.iter().all(|&node| !graph.accepting(node)));
        }
    });
}

/// A courier: pick up and sign, or take the form and sign, or leave for a walk and go round for ever.
#[test]
fn a_way_out_without_what_must_happen_is_incorrect_and_the_choice_is_a_neighbourhood() {
    let texts = ["form", "leave", "pick", "round", "sign"];
    let label = |text: &str| {
        let at = texts.binary_search(&text);
        LabelId::new(at.expect("it is one of them"))
    };
    let transition = |&(from, text, to): &(usize, &str, usize)| Transition {
        from: StateId::new(from),
        label: label(text),
        to: StateId::new(to),
    };
    let transitions = [
        (0, "form", 2),
        (0, "pick", 1),
        (1, "sign", 3),
        (2, "leave", 4),
        (2, "sign", 3),
        (4, "round", 5),
        (5, "round", 4),
    ];
    let transitions: Vec<Transition> = transitions.iter().map(transition).collect();
    let labels = texts.map(|text| ActionLabel {
        text: text.to_string(),
        internal: false,
    });
    let lts = Lts::new(labels.into(), 6, StateId::new(0), &transitions);
    let sign = ActionId::new(0);
    let actions: IndexVec<ActionId, LabelSet> =
        vec![LabelSet::new(&lts, |label| label.text == "sign")].into();
    let unlimited = Budget::unlimited();
    let dfa = Dfa::in_order(&[sign], &actions, &lts, &unlimited).expect("no limit");
    let monitor = Monitor::Labels(dfa);
    let graph = Tagged::new(&lts, monitor, TagReading::Inevitable, &unlimited).expect("no limit");
    let node = |state: usize| {
        let state = StateId::new(state);
        graph.node(Pair { state, at: 0 }).expect("it is a node")
    };
    let tag = |from: usize, text: &str| {
        let step = graph
            .steps(node(from))
            .find(|step| step.label == label(text));
        step.expect("there is such a step").tag
    };
    assert_eq!(tag(0, "pick"), ZoneTag::Correct);
    assert_eq!(tag(0, "form"), ZoneTag::Neutral);
    assert_eq!(tag(2, "sign"), ZoneTag::Correct);
    assert_eq!(tag(2, "leave"), ZoneTag::Incorrect);
    assert_eq!(tag(4, "round"), ZoneTag::Incorrect);
    assert_eq!(graph.kind(node(0)), Some(NeighbourhoodKind::Cn));
    assert_eq!(graph.kind(node(2)), Some(NeighbourhoodKind::Ci));
    assert_eq!(graph.kind(node(4)), None);
    // After `pick` the signature is certain: nothing is tagged there.
    assert_eq!(
        graph.node(Pair {
            state: StateId::new(1),
            at: 0
        }),
        None
    );
}

#[test]
fn a_loop_of_internal_steps_is_a_run_on_which_nothing_happens() {
    let labels = ["a", "i"].map(|text| ActionLabel {
        text: text.to_string(),
        internal: text == "i",
    });
    let transition = |label: usize, to: usize| Transition {
        from: StateId::new(0),
        label: LabelId::new(label),
        to: StateId::new(to),
    };
    let lts = Lts::new(
        labels.into(),
        2,
        StateId::new(0),
        &[transition(0, 1), transition(1, 0)],
    );
    let actions: IndexVec<ActionId, LabelSet> =
        vec![LabelSet::new(&lts, |label| label.text == "a")].into();
    let unlimited = Budget::unlimited();
    let dfa = Dfa::in_order(&[ActionId::new(0)], &actions, &lts, &unlimited).expect("no limit");
    let monitor = Monitor::Labels(dfa);
    let graph = Tagged::new(&lts, monitor, TagReading::Inevitable, &unlimited).expect("no limit");
    let first = graph.initial().expect("it may never happen");
    assert_eq!(graph.kind(first), Some(NeighbourhoodKind::Cn));
    let found = shortest(&graph, &unlimited).expect("no limit");
    assert_eq!(
        found.expect("it fails").course.ending,
        CourseEnding::Loop(0)
    );
}
