//! Formulas of linear time in the debugger, against all lassos of small structures: where the formula can still be refuted,
//! where it can still be satisfied, and which runs show it.

use std::cell::Cell;

use wherefore_acceptance::agreement::explicit;
use wherefore_base::{Budget, Value};
use wherefore_check::{Checker, Tableau};
use wherefore_logic::{Formula, Op, PathRule};
use wherefore_model::Query;
use wherefore_model::lts::StateId;
use wherefore_space::StateSpace;
use wherefore_space::explicit::Explicit;
use wherefore_tagged::{
    Actions, Course, CourseEnding, LinearMonitor, LinearProducts, Monitor, NodeId, TagReading,
    TagTarget, Tagged, TraceMisfit, UnfoldedModel, Zone, complete, given, random, unfold,
};
use wherefore_testkit::kripke::{self, Kripke, nowhere};
use wherefore_testkit::linear::{self, KripkeLasso};
use wherefore_testkit::{Rng, campaign};

use crate::linear::{linear_model, query};

/// Lassos are listed up to this many states.
const LONGEST: usize = 6;
/// Beginnings of runs are looked at up to this many states.
const BEGINNING: usize = 4;
const PROPOSITIONS: usize = 2;

/// A structure with many runs, often without fairness constraints.
fn structure(rng: &mut Rng) -> Kripke {
    let mut kripke = kripke::random(rng, 4, PROPOSITIONS);
    if rng.chance(2, 3) {
        kripke.fairness = Default::default();
    }
    for state in 0..kripke.size {
        kripke.steps[state] |= 1 << rng.below(kripke.size);
    }
    kripke
}

/// The first states of a run.
fn begins_with(lasso: &KripkeLasso, beginning: &[usize]) -> bool {
    let turn = lasso.states.len() - lasso.back;
    beginning.iter().enumerate().all(|(at, &state)| {
        let place = match at.checked_sub(lasso.back) {
            Some(since) => lasso.back + since % turn,
            None => at,
        };
        lasso.states[place] == state
    })
}

/// A tagged graph with the numbers that its states have in a structure.
struct TaggedStructure<'a> {
    graph: Tagged<'a>,
    numbers: &'a [usize],
    start: Option<StateId>,
}

impl TaggedStructure<'_> {
    fn number(&self, node: NodeId) -> Option<usize> {
        self.of(self.graph.pair(node).state)
    }

    fn of(&self, state: StateId) -> Option<usize> {
        self.numbers.get(state.index()).copied()
    }

    /// The node that a run comes to by these states: where it is still open or lost.
    fn node_after(&self, beginning: &[usize]) -> Option<Course> {
        let mut course = Course::new(vec![self.graph.initial()?], Vec::new());
        let rest = match self.start {
            Some(_) => beginning,
            None => &beginning[1..],
        };
        for &state in rest {
            let last = course.nodes[course.len()];
            let step = self.graph.steps(last).find(|step| {
                let to = match step.to {
                    TagTarget::Node(to) => self.graph.pair(to).state,
                    TagTarget::Sink(to) => to,
                };
                self.of(to) == Some(state)
            });
            let step = step.expect("it is a step of the structure");
            let TagTarget::Node(to) = step.to else {
                return None;
            };
            course.labels.push(step.label);
            course.nodes.push(to);
        }
        Some(course)
    }

    /// A course that goes round for ever as a run of the structure.
    fn lasso(&self, course: &Course) -> KripkeLasso {
        let CourseEnding::Loop(back) = course.ending else {
            panic!("a run goes on for ever: {course:?}");
        };
        let nodes = &course.nodes[..course.len()];
        let before = usize::from(self.start.is_some());
        KripkeLasso {
            states: nodes.iter().filter_map(|&node| self.number(node)).collect(),
            back: back - before,
        }
    }
}

fn opposite(query: &Query) -> Query {
    let mut formula = query.formula.clone();
    formula.add(Op::Not(formula.root()), None);
    Query {
        formula,
        ..query.clone()
    }
}

fn numbers(space: &Explicit<'_>, unfolded: &UnfoldedModel) -> Vec<usize> {
    let states = unfolded.origin.iter();
    let number = |state| match space.values(state)[0] {
        Value::Int(number) => usize::try_from(number).expect("states are not negative"),
        other => panic!("{other:?} is no state"),
    };
    states.map(number).collect()
}

/// All rows of states that some run of the structure begins with.
fn beginnings(kripke: &Kripke, live: &[usize]) -> Vec<Vec<usize>> {
    let initial = live
        .iter()
        .filter(|&&state| kripke.initial >> state & 1 == 1);
    let mut rows: Vec<Vec<usize>> = initial.map(|&state| vec![state]).collect();
    let mut at = 0;
    while let Some(row) = rows.get(at).cloned() {
        at += 1;
        if row.len() == BEGINNING {
            continue;
        }
        let last = row[row.len() - 1];
        let next = live.iter().filter(|&&to| kripke.steps_to(last, to));
        rows.extend(next.map(|&to| [&row[..], &[to]].concat()));
    }
    rows
}

/// Builds both graphs of a formula, that of the runs that refute it and that of the runs that satisfy it.
fn with_graphs(
    kripke: &Kripke,
    formula: &Formula,
    visit: impl FnOnce(&str, [&TaggedStructure<'_>; 2], &[usize]),
) {
    let model = linear_model(kripke, formula);
    let asked = query(&model);
    let opposite = opposite(asked);
    let space = explicit(&model);
    let tableaux = [asked, &opposite].map(|query| Tableau::new(&model, query, nowhere()));
    let products = [explicit(&tableaux[0].model), explicit(&tableaux[1].model)];
    let unlimited = Budget::unlimited();
    let checker = Checker::new(&space).expect("no limit");
    let rule = PathRule::FairInfinite;
    let unfolded = unfold(&checker, rule, &Actions::Auto, &[], &unlimited).expect("no limit");
    let Some(unfolded) = unfolded else {
        return;
    };
    let numbers = numbers(&space, &unfolded);
    let graph = |query, [refuting, satisfying]: [&Explicit<'_>; 2]| {
        let products = LinearProducts {
            space: &space,
            query,
            refuting,
            satisfying,
        };
        let monitor = LinearMonitor::new(&unfolded, products, &unlimited).expect("no limit");
        let monitor = Monitor::Linear(Box::new(monitor.expect("it is small")));
        let (lts, paths) = (&unfolded.lts, unfolded.paths.clone());
        let chosen = |_| TagReading::Branching;
        let graph = Tagged::under(lts, monitor, paths, chosen, &unlimited).expect("no limit");
        assert_eq!(graph.reading(), TagReading::Linear);
        TaggedStructure {
            graph,
            numbers: &numbers,
            start: unfolded.start,
        }
    };
    let refuted = graph(asked, [&products[0], &products[1]]);
    let satisfied = graph(&opposite, [&products[1], &products[0]]);
    visit(&model.properties[0].text, [&refuted, &satisfied], &numbers);
}

#[test]
fn what_is_still_possible_is_what_the_runs_with_the_same_beginning_do() {
    let (open, lost, saved) = (Cell::new(0), Cell::new(0), Cell::new(0));
    campaign("linear zones", 700, |rng| {
        let kripke = structure(rng);
        let size = 2 + rng.below(4);
        let formula = linear::random(rng, size, PROPOSITIONS, true);
        let root = formula.root().index();
        let lassos = linear::lassos(&kripke, LONGEST);
        let keeps = |lasso: &KripkeLasso| linear::truth(&kripke, &formula, lasso, 0)[root];
        let judged: Vec<(bool, &KripkeLasso)> =
            lassos.iter().map(|lasso| (keeps(lasso), lasso)).collect();
        with_graphs(&kripke, &formula, |text, graphs, live| {
            for beginning in beginnings(&kripke, live) {
                let courses = graphs.map(|graph| graph.node_after(&beginning));
                let possible = courses.each_ref().map(Option::is_some);
                let some = |wanted: bool| {
                    let mut runs = judged.iter().filter(|(keeps, _)| *keeps == wanted);
                    runs.any(|(_, lasso)| begins_with(lasso, &beginning))
                };
                // What a listed run does is possible.
                assert!(
                    possible[0] || !some(false),
                    "{text} after {beginning:?}: refuted"
                );
                assert!(
                    possible[1] || !some(true),
                    "{text} after {beginning:?}: satisfied"
                );
                assert!(possible[0] || possible[1], "{text} after {beginning:?}");
                let [refuted, satisfied] = &courses;
                match (refuted, satisfied) {
                    (Some(_), Some(_)) => open.set(open.get() + 1),
                    (Some(_), None) => lost.set(lost.get() + 1),
                    _ => saved.set(saved.get() + 1),
                }
                for (which, course) in courses.iter().enumerate() {
                    let Some(course) = course else {
                        continue;
                    };
                    let graph = graphs[which];
                    // A node is lost exactly where the other graph has none.
                    let zone = graph.graph.zone(course.nodes[course.len()]);
                    let expected = match possible[1 - which] {
                        true => Zone::Open,
                        false => Zone::Bad,
                    };
                    assert_eq!(zone, expected, "{text} after {beginning:?}");
                    // What is possible is done by a run that begins like this.
                    let whole = complete(&graph.graph, course.clone(), &Budget::unlimited());
                    let lasso = graph.lasso(&whole.expect("no limit"));
                    assert!(lasso.is_fair_run_of(&kripke), "{text}: {lasso:?}");
                    assert!(begins_with(&lasso, &beginning), "{text}: {lasso:?}");
                    assert_eq!(keeps(&lasso), which == 1, "{text}: {lasso:?}");
                }
            }
        });
    });
    let counts = [&open, &lost, &saved].map(Cell::get);
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn runs_by_chance_refute_the_formula_and_given_ones_are_judged_by_it() {
    let judged = Cell::new([0; 2]);
    campaign("linear courses", 600, |rng| {
        let kripke = structure(rng);
        let size = 2 + rng.below(4);
        let formula = linear::random(rng, size, PROPOSITIONS, true);
        let root = formula.root().index();
        let unlimited = Budget::unlimited();
        with_graphs(&kripke, &formula, |text, [refuted, _], _| {
            let graph = &refuted.graph;
            for seed in 0..4 {
                let Some(course) = random(graph, seed, &unlimited).expect("no limit") else {
                    return;
                };
                let lasso = refuted.lasso(&course);
                assert!(!linear::truth(&kripke, &formula, &lasso, 0)[root], "{text}");
                // Its labels are those of some run; whatever is found to be broken is.
                let end = 1 + rng.below(course.len());
                let labels = course.labels[..end].iter();
                let labels: Vec<String> = labels
                    .map(|&label| graph.label(label).text.clone())
                    .collect();
                match given(graph, &labels, &unlimited).expect("no limit") {
                    Ok(course) => {
                        judged.set([judged.get()[0] + 1, judged.get()[1]]);
                        if let CourseEnding::Loop(_) = course.ending {
                            let lasso = refuted.lasso(&course);
                            assert!(lasso.is_fair_run_of(&kripke), "{text}: {lasso:?}");
                            assert!(!linear::truth(&kripke, &formula, &lasso, 0)[root], "{text}");
                        } else {
                            assert_eq!(graph.zone(course.nodes[course.len()]), Zone::Bad, "{text}");
                        }
                    }
                    Err(TraceMisfit::Unbroken { .. }) => {
                        judged.set([judged.get()[0], judged.get()[1] + 1]);
                    }
                    Err(other) => panic!("{text}: {other}"),
                }
            }
        });
    });
    let judged = judged.get();
    assert!(judged[0] > 300 && judged[1] > 10, "{judged:?}");
}
