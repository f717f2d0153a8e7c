//! Models in the debugger: their steps against the plain interpreter, claims against the definitions,
//! zones against all runs and against decisive choices, descriptions against the steps they describe.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use wherefore_acceptance::agreement::{explicit, query};
use wherefore_base::{Budget, Value};
use wherefore_check::Checker;
use wherefore_evidence::{DecisiveChoice, EvidenceOptions, Investigator};
use wherefore_logic::{Bounds, PathRule, Quantifier};
use wherefore_model::lts::StateId;
use wherefore_model::{Interpreter, Model, VarId};
use wherefore_space::StateSpace;
use wherefore_space::explicit::Explicit;
use wherefore_tagged::{
    Actions, Aim, CourseEnding, Monitor, Pair, Prospect, TagClaim, TagReading, TagTarget, TagTruth,
    Tagged, UnfoldedModel, Zone, claim, shortest, unfold, ways,
};
use wherefore_testkit::formulas::{self, CtlTree, Operator};
use wherefore_testkit::kripke::{self, StateMask, StepEncoding};
use wherefore_testkit::runs::RunGraph;
use wherefore_testkit::{Rng, campaign, naive, random_model};

fn unfolding(space: &Explicit<'_>, rule: PathRule, actions: &Actions) -> Option<UnfoldedModel> {
    let checker = Checker::new(space).expect("no limit");
    let watched: Vec<VarId> = Vec::new();
    unfold(&checker, rule, actions, &watched, &Budget::unlimited()).expect("no limit")
}

/// The claim of a property of a model; `None` where it makes none.
fn claimed(space: &Explicit<'_>, property: usize, unfolded: &UnfoldedModel) -> Option<TagClaim> {
    let query = query(space.model(), property);
    let checker = Checker::new(space).expect("no limit");
    let solution = checker.solve(query).expect("no limit");
    let sat = solution
        .sat
        .iter()
        .map(|set| unfolded.lowered(set))
        .collect();
    let truth = TagTruth {
        formula: &query.formula,
        sat: &sat,
        states: unfolded.lts.states(),
        start: unfolded.start,
    };
    claim(truth, &Budget::unlimited()).expect("no limit").ok()
}

fn texts(model: &Model, values: &[Value]) -> Vec<String> {
    let texts = values
        .iter()
        .map(|&value| model.names.show(value).to_string());
    texts.collect()
}

#[test]
fn an_unfolded_model_has_exactly_the_steps_that_the_interpreter_finds() {
    let with_inputs = Cell::new(0);
    campaign("unfolded models", 150, |rng| {
        let model = random_model::random(rng);
        let space = explicit(&model);
        let actions = [Actions::Auto, Actions::Changes, Actions::Both];
        let actions = rng.pick(&actions);
        let Some(unfolded) = unfolding(&space, PathRule::Reach, actions) else {
            return;
        };
        let UnfoldedModel { lts, values, .. } = &unfolded;
        let show = |texts: &[wherefore_tagged::TextId]| {
            let texts = texts.iter().map(|&text| values.text(text).to_string());
            texts.collect::<Vec<String>>()
        };
        let interpreter = Interpreter::new(&model);
        let unlimited = Budget::unlimited();
        for (at, origin) in unfolded.origin.iter().enumerate() {
            let state = StateId::new(at);
            let here = space.values(origin);
            assert_eq!(values.at(state).map(show), Some(texts(&model, &here)));
            // Next states with the inputs that lead there.
            let mut expected: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
            for step in interpreter.steps(&here, &unlimited).expect("no limit") {
                let inputs = expected.entry(texts(&model, &step.next)).or_default();
                inputs.insert(texts(&model, &step.input));
            }
            let mut found = BTreeMap::new();
            for step in lts.steps(state) {
                let next = show(values.at(step.to).expect("a state of the model"));
                let mut inputs: BTreeSet<Vec<String>> = values
                    .inputs(state, step.to)
                    .iter()
                    .map(|i| show(i))
                    .collect();
                with_inputs.set(with_inputs.get() + usize::from(inputs.len() > 1));
                if model.input_vars() == 0 {
                    inputs.insert(Vec::new());
                }
                assert!(
                    found.insert(next, inputs).is_none(),
                    "one step to each state"
                );
                let changes = here.iter().zip(values.at(step.to).expect("it is one"));
                let changed = changes
                    .zip(model.vars.iter())
                    .filter_map(|((old, new), var)| {
                        let (old, new) = (model.names.show(*old).to_string(), values.text(*new));
                        (old != new).then(|| format!("{}={new}", var.name))
                    });
                let changed: Vec<String> = changed.collect();
                let changed = match changed.is_empty() {
                    true => "nothing changes".to_string(),
                    false => changed.join(" & "),
                };
                match actions {
                    Actions::Changes => assert_eq!(lts.text(step.label), changed),
                    Actions::Both => assert!(lts.text(step.label).ends_with(&changed)),
                    _ => {}
                }
            }
            assert_eq!(found, expected);
        }
        let again = unfolding(&space, PathRule::Reach, actions);
        assert_eq!(&again.expect("as before").lts, lts, "labels are canonical");
        let initial: BTreeSet<Vec<String>> = match unfolded.start {
            Some(start) => {
                let steps = lts.steps(start).iter();
                steps
                    .map(|step| show(values.at(step.to).expect("one")))
                    .collect()
            }
            None => [show(values.at(lts.initial()).expect("one"))].into(),
        };
        let expected = interpreter.initial_states(&unlimited).expect("no limit");
        let expected: BTreeSet<_> = expected.iter().map(|state| texts(&model, state)).collect();
        assert_eq!(initial, expected);
    });
    assert!(with_inputs.get() > 100, "steps with several inputs are met");
}

/// A formula that one run refutes, often.
fn random_claim(rng: &mut Rng) -> CtlTree {
    use Quantifier::{Exists, Forall};
    let atom = |rng: &mut Rng| CtlTree::Atom(rng.below(2));
    let not = |f: CtlTree| CtlTree::Apply(Operator::Not, vec![f]);
    let one = |operator, f| CtlTree::Apply(operator, vec![f]);
    let two = |operator, f, g| CtlTree::Apply(operator, vec![f, g]);
    let (p, q) = (atom(rng), not(atom(rng)));
    let least = rng.below(2) as u32;
    let bounds = Bounds {
        least,
        most: least + rng.below(3) as u32,
    };
    let always = |f| one(Operator::Globally(Forall), f);
    match rng.below(16) {
        0 => always(p),
        1 => not(one(Operator::Finally(Exists), p)),
        2 => always(two(Operator::Implies, p, one(Operator::Next(Forall), q))),
        3 => two(Operator::WeakUntil(Forall), p, q),
        4 => two(Operator::Release(Forall), p, q),
        5 => one(Operator::Finally(Forall), p),
        6 => two(Operator::Until(Forall), p, q),
        7 => always(two(Operator::Implies, p, one(Operator::Finally(Forall), q))),
        8 => always(one(Operator::Finally(Forall), p)),
        9 => always(one(Operator::FinallyWithin(Forall, bounds), p)),
        10 => one(Operator::GloballyWithin(Forall, bounds), always(p)),
        11 => two(Operator::UntilWithin(Forall, bounds), p, q),
        12 => two(Operator::And, always(p), one(Operator::Next(Forall), q)),
        13 => always(one(Operator::Finally(Exists), p)),
        _ => {
            let size = 2 + rng.below(5);
            formulas::random(rng, size, 2)
        }
    }
}

/// The nodes of a tagged graph and all it leaves out, by definition.
fn product(unfolded: &UnfoldedModel, claim: &TagClaim) -> (Vec<Pair>, RunGraph, u64) {
    let lts = &unfolded.lts;
    let mut pairs = vec![Pair {
        state: lts.initial(),
        at: claim.watch.next(0, lts.initial()),
    }];
    let mut steps = Vec::new();
    let mut at = 0;
    while at < pairs.len() {
        let from = pairs[at];
        let mut after = 0u64;
        for step in lts.steps(from.state) {
            let to = Pair {
                state: step.to,
                at: claim.watch.next(from.at, step.to),
            };
            let place = pairs.iter().position(|&pair| pair == to);
            let place = place.unwrap_or_else(|| {
                pairs.push(to);
                pairs.len() - 1
            });
            if place < 64 {
                after |= 1 << place;
            }
        }
        steps.push(after);
        at += 1;
    }
    let goal = (0..pairs.len().min(64)).filter(|&n| claim.watch.accepting(pairs[n].at));
    let goal = goal.fold(0, |all, n| all | 1 << n);
    let lifted = |states: &fixedbitset::FixedBitSet| -> Result<u64, ()> {
        let inside = (0..pairs.len().min(64)).filter(|&n| states.contains(pairs[n].state.index()));
        Ok(inside.fold(0, |all, n| all | 1 << n))
    };
    let fairness = unfolded.paths.fairness.try_map(lifted);
    let runs = RunGraph {
        steps,
        fairness: fairness.expect("it never fails"),
        may_end: unfolded.paths.may_end,
    };
    (pairs, runs, goal)
}

#[test]
fn claims_and_zones_are_what_all_runs_say() {
    let compared = Cell::new([0usize; 3]);
    campaign("claims and zones", 2500, |rng| {
        let kripke = kripke::random(rng, 5, 2);
        let formula = random_claim(rng).formula();
        let rules = [PathRule::FairInfinite, PathRule::Reach, PathRule::Plain];
        let rule = *rng.pick(&rules);
        let model = kripke.model(&formula, rule, StepEncoding::Constraint);
        let space = explicit(&model);
        let failing = naive::failing(&kripke, &formula, rule);
        let Some(unfolded) = unfolding(&space, rule, &Actions::Auto) else {
            assert_eq!(failing, 0);
            return;
        };
        let Some(claim) = claimed(&space, 0, &unfolded) else {
            return;
        };
        // Under the other rules a promise is broken, or kept, where no run goes on.
        if rule != PathRule::FairInfinite && claim.aim != Aim::Broken {
            return;
        }
        let unlimited = Budget::unlimited();
        let monitor = || Monitor::Watch(claim.watch.clone());
        let paths = || unfolded.paths.clone();
        let readings: &[TagReading] = match claim.aim {
            Aim::Broken => &[TagReading::Branching, TagReading::Fate],
            Aim::Done | Aim::Answered => &[TagReading::Inevitable],
        };
        let (pairs, runs, goal) = product(&unfolded, &claim);
        let small = pairs.len() <= 12;
        let deeds = if small { runs.deeds(goal) } else { Vec::new() };
        for &reading in readings {
            let lts = &unfolded.lts;
            let graph = Tagged::under(lts, monitor(), paths(), |_| reading, &unlimited);
            let graph = graph.expect("no limit");
            assert_eq!(
                graph.initial().is_some(),
                failing != 0,
                "{formula:?} {rule:?}"
            );
            if let Some(found) = shortest(&graph, &unlimited).expect("no limit") {
                check_course(&unfolded, &graph, &found.course);
            }
            if !small {
                continue;
            }
            let mut counts = compared.get();
            counts[claim.aim as usize] += 1;
            compared.set(counts);
            let everywhere = (1u64 << pairs.len()) - 1;
            let good = |n: usize| match reading {
                TagReading::Inevitable => !deeds[n].some_do_not,
                // What is broken may have no run that goes on.
                _ => runs.reached(n, everywhere) & goal == 0,
            };
            for (n, &pair) in pairs.iter().enumerate() {
                let bad = match reading {
                    TagReading::Branching => {
                        let ahead = runs.reached(n, everywhere);
                        !(0..pairs.len()).any(|to| ahead >> to & 1 == 1 && good(to))
                    }
                    TagReading::Fate => !avoids(&runs, goal, n),
                    TagReading::Inevitable => !deeds[n].some_do,
                    TagReading::Linear => panic!("no formula of linear time is asked"),
                };
                let expected = match (good(n), bad) {
                    (true, _) => Zone::Good,
                    (false, true) => Zone::Bad,
                    (false, false) => Zone::Open,
                };
                // Nodes are what can be reached before it is good.
                let found = graph.node(pair).map_or(Zone::Good, |node| graph.zone(node));
                let visited = graph.node(pair).is_some();
                assert!(
                    !visited || found == expected,
                    "{formula:?} {rule:?} {reading:?}"
                );
                if expected != Zone::Good && n == 0 {
                    assert!(visited);
                }
                let Some(node) = graph.node(pair) else {
                    continue;
                };
                for step in graph.steps(node) {
                    let state = match step.to {
                        TagTarget::Node(to) => graph.pair(to).state,
                        TagTarget::Sink(state) => state,
                    };
                    let at = claim.watch.next(pair.at, state);
                    let to = pairs.iter().position(|&p| p == Pair { state, at });
                    let to = to.expect("every pair that can be reached is listed");
                    assert_eq!(matches!(step.to, TagTarget::Sink(_)), good(to));
                }
            }
        }
    });
    let [broken, done, answered] = compared.get();
    assert!(
        broken > 300 && done > 60 && answered > 60,
        "{:?}",
        compared.get()
    );
}

/// Whether some run that counts from a node never comes to the goal, which nothing leaves.
fn avoids(runs: &RunGraph, goal: u64, node: usize) -> bool {
    runs.deeds(goal)[node].some_do_not
}

/// A counterexample ends where it must, and counts.
fn check_course(unfolded: &UnfoldedModel, graph: &Tagged<'_>, course: &wherefore_tagged::Course) {
    let last = *course.nodes.last().expect("a course has a node");
    match (graph.reading(), course.ending) {
        (TagReading::Branching | TagReading::Fate, _) => assert!(graph.accepting(last)),
        (TagReading::Inevitable, CourseEnding::Deadlock) => {
            assert!(unfolded.paths.may_end && !graph.accepting(last));
            assert!(unfolded.lts.steps(graph.pair(last).state).is_empty());
        }
        (TagReading::Inevitable, CourseEnding::Loop(back)) => {
            assert_eq!(course.nodes[back], last);
            let round = &course.nodes[back..];
            assert!(round.len() > 1 && round.iter().all(|&node| !graph.accepting(node)));
            let meets = |set: &fixedbitset::FixedBitSet| {
                let mut round = round.iter();
                round.any(|&node| set.contains(graph.pair(node).state.index()))
            };
            let fairness = &unfolded.paths.fairness;
            assert!(fairness.justice.iter().all(meets));
            assert!(
                fairness
                    .compassion
                    .iter()
                    .all(|(p, q)| !meets(p) || meets(q))
            );
        }
        (TagReading::Inevitable, CourseEnding::Reached) => {
            panic!("a promise is broken by a whole run")
        }
        (TagReading::Linear, _) => panic!("no formula of linear time is asked"),
    }
    for (ends, label) in course.nodes.windows(2).zip(&course.labels) {
        let mut moves = graph.moves(ends[0]);
        assert!(moves.any(|step| step == (*label, ends[1])));
    }
}

#[test]
fn zones_are_those_of_decisive_choices() {
    let decided = Cell::new([0usize; 3]);
    let operators: [fn(Quantifier) -> Operator; 2] = [Operator::Finally, Operator::Globally];
    campaign("zones and decisions", 1000, |rng| {
        let kripke = kripke::random(rng, 8, 1);
        let operator = *rng.pick(&operators);
        let safety = operator(Quantifier::Forall) == Operator::Globally(Quantifier::Forall);
        let formula =
            CtlTree::Apply(operator(Quantifier::Forall), vec![CtlTree::Atom(0)]).formula();
        let rule = match safety && rng.chance(1, 2) {
            true => PathRule::Reach,
            false => PathRule::FairInfinite,
        };
        let model = kripke.model(&formula, rule, StepEncoding::Constraint);
        let space = explicit(&model);
        let investigator = Investigator::new(&space).expect("no limit");
        let finding = investigator.investigate(0, &EvidenceOptions::default());
        let Some(evidence) = &finding.evidence else {
            return;
        };
        let Some(unfolded) = unfolding(&space, rule, &Actions::Auto) else {
            assert!(finding.decisions.is_empty());
            return;
        };
        let claim = claimed(&space, 0, &unfolded).expect("one run refutes it");
        let reading = if safety {
            TagReading::Fate
        } else {
            TagReading::Inevitable
        };
        let monitor = Monitor::Watch(claim.watch.clone());
        let paths = unfolded.paths.clone();
        let unlimited = Budget::unlimited();
        let graph = Tagged::under(&unfolded.lts, monitor, paths, |_| reading, &unlimited);
        let graph = graph.expect("no limit");
        // The zone of an occurrence on its run, as long as the claim is open.
        let zone = |at| {
            let values = &evidence.occurrences[at].values;
            let origin = unfolded
                .origin
                .iter()
                .position(|o| space.values(o) == *values);
            let state = StateId::new(origin.expect("states of evidence have runs"));
            let open = (0..claim.watch.states()).find(|&at| {
                let pair = Pair { state, at };
                graph.node(pair).is_some()
            });
            open.map_or(Zone::Good, |at| {
                graph.zone(graph.node(Pair { state, at }).expect("it was found"))
            })
        };
        let mut counts = decided.get();
        for decision in &finding.decisions {
            match &decision.choice {
                DecisiveChoice::Fated(start) => {
                    counts[0] += 1;
                    assert_eq!(zone(*start), Zone::Bad);
                }
                DecisiveChoice::Lost { from, to, .. } => {
                    counts[1] += 1;
                    assert_eq!(zone(*from), Zone::Open);
                    assert_eq!(zone(*to), Zone::Bad);
                }
                DecisiveChoice::StillFree { .. } => {
                    counts[2] += 1;
                    let (run, _) = evidence.main_run();
                    assert!(run.iter().all(|&at| zone(at) == Zone::Open));
                }
            }
        }
        decided.set(counts);
    });
    let [fated, lost, free] = decided.get();
    assert!(fated > 20 && lost > 10 && free > 20, "{:?}", decided.get());
}

#[test]
fn zones_are_where_the_definitions_put_them() {
    use Quantifier::{Exists, Forall};
    campaign("zones by definition", 300, |rng| {
        let kripke = kripke::random(rng, 7, 1);
        let rule = PathRule::FairInfinite;
        let claim_of = |q| CtlTree::Apply(Operator::Globally(q), vec![CtlTree::Atom(0)]).formula();
        let (every, some) = (claim_of(Forall), claim_of(Exists));
        let safe = naive::evaluate(&kripke, &every, rule)[every.root()];
        let kept = naive::evaluate(&kripke, &some, rule)[some.root()];
        let model = kripke.model(&every, rule, StepEncoding::Constraint);
        let space = explicit(&model);
        let Some(unfolded) = unfolding(&space, rule, &Actions::Auto) else {
            return;
        };
        let claim = claimed(&space, 0, &unfolded).expect("one run refutes it");
        let (monitor, paths) = (Monitor::Watch(claim.watch), unfolded.paths.clone());
        let unlimited = Budget::unlimited();
        let graph = Tagged::under(
            &unfolded.lts,
            monitor,
            paths,
            |_| TagReading::Fate,
            &unlimited,
        );
        let graph = graph.expect("no limit");
        let has = |set: StateMask, state: usize| set >> state & 1 == 1;
        for node in graph.nodes().filter(|&node| !graph.accepting(node)) {
            let state = graph.pair(node).state;
            if unfolded.start == Some(state) {
                continue;
            }
            let values = space.values(&unfolded.origin[state.index()]);
            let number = usize::try_from(values[0].as_int().expect("a number")).expect("small");
            let expected = match (has(safe, number), has(kept, number)) {
                (true, _) => Zone::Good,
                (false, true) => Zone::Open,
                (false, false) => Zone::Bad,
            };
            assert_eq!(graph.zone(node), expected);
        }
        let stuck = graph.prospect() == Prospect::Stuck;
        let correct = graph.counts().tagged(wherefore_tagged::ZoneTag::Correct);
        assert!(
            !stuck || correct == 0,
            "where the violation stays possible no step is correct"
        );
    });
}

#[test]
fn ways_hold_all_steps_of_their_tag_and_what_decides_tells_them_from_the_others() {
    let told = Cell::new(0);
    campaign("ways", 200, |rng| {
        let model = random_model::random(rng);
        let space = explicit(&model);
        for property in 0..model.properties.len() {
            let query = query(&model, property);
            let Some(unfolded) = unfolding(&space, query.rule, &Actions::Auto) else {
                continue;
            };
            let unlimited = Budget::unlimited();
            let Some(claim) = claimed(&space, property, &unfolded) else {
                continue;
            };
            let reading = match claim.aim {
                Aim::Broken => TagReading::Fate,
                Aim::Done | Aim::Answered => TagReading::Inevitable,
            };
            let (monitor, paths) = (Monitor::Watch(claim.watch), unfolded.paths.clone());
            let graph = Tagged::under(&unfolded.lts, monitor, paths, |_| reading, &unlimited);
            let graph = graph.expect("no limit");
            for node in graph.nodes().filter(|&node| graph.kind(node).is_some()) {
                let ways = ways(&graph, &unfolded.values, node);
                for step in graph.steps(node) {
                    let mut own = ways.iter().filter(|way| way.tag == step.tag);
                    assert!(own.any(|way| way.steps.contains(&step)));
                }
                let width = unfolded.values.width();
                for way in &ways {
                    told.set(told.get() + 1);
                    let agrees = |step: &wherefore_tagged::TaggedStep| {
                        let to = match step.to {
                            TagTarget::Node(to) => graph.pair(to).state,
                            TagTarget::Sink(state) => state,
                        };
                        let after = unfolded.values.at(to).expect("a state of the model");
                        let from = graph.pair(node).state;
                        let of_state = way.decides.iter().filter(|s| s.column.index() < width);
                        let of_input = || way.decides.iter().filter(|s| s.column.index() >= width);
                        let inputs = unfolded.values.inputs(from, to);
                        let fits = |input: &Vec<wherefore_tagged::TextId>| {
                            of_input().all(|s| input[s.column.index() - width] == s.value)
                        };
                        of_state
                            .into_iter()
                            .all(|s| after[s.column.index()] == s.value)
                            && (of_input().next().is_none() || inputs.iter().any(fits))
                    };
                    assert!(way.steps.iter().all(agrees));
                    let others = graph.steps(node).filter(|step| step.tag != way.tag);
                    assert!(others.into_iter().all(|step| !agrees(&step)));
                }
            }
        }
    });
    assert!(told.get() > 200, "{}", told.get());
}
