//! Each built-in strategy changes the proof as it promises, on models small enough to see it.

use wherefore_acceptance::agreement::{explicit, query, symbolic};
use wherefore_base::{Budget, Run, SourceFile, SourceMap, Value};
use wherefore_evidence::{
    Arrow, Automaton, BestLoop, Chain, Cheapest, DistanceStrategy, Evidence, EvidenceOptions,
    Follow, Guide, Investigator, KnownStrategy, Like, Partial, Prefer, Proof, ProofId, Random,
    Replay, Rule, Rules, Shortest, SmallestGoal, StayFirst, Strategy, Way,
};
use wherefore_logic::{Fairness, PathRule, Quantifier};
use wherefore_model::{Model, TermId, VarId};
use wherefore_space::StateSpace;
use wherefore_testkit::formulas::{CtlTree, Operator};
use wherefore_testkit::kripke::{Kripke, StateMask, StepEncoding};
use wherefore_testkit::{Rng, campaign, kripke};

const E: Quantifier = Quantifier::Exists;
/// Propositions of the button: pressed, requested, fulfilled; proposition `IS + s` names state `s`.
const P: usize = 0;
const R: usize = 1;
const F: usize = 2;
const IS: usize = 3;

/// States in a row and, for a lasso, which of them the last one steps back to.
type Shown = (Vec<usize>, Option<usize>);

/// The button of a lift, after Chechik and Gurfinkel (2005), that starts in a state.
fn button(start: usize) -> Kripke {
    let steps = [
        &[0, 1][..],
        &[2, 3],
        &[2, 4, 5],
        &[2, 3, 5],
        &[6],
        &[0],
        &[1],
    ];
    let labels = [&[1, 2, 4, 6][..], &[2, 3, 4, 5], &[4, 5, 6]];
    structure(start, &steps, &labels)
}

/// A structure of these steps and propositions, each state having one more of its own.
fn structure(start: usize, steps: &[&[usize]], labels: &[&[usize]]) -> Kripke {
    let set = |states: &&[usize]| {
        states
            .iter()
            .fold(0, |set: StateMask, state| set | 1 << state)
    };
    let own = (0..steps.len()).map(|state| 1 << state);
    Kripke {
        size: steps.len(),
        steps: steps.iter().map(set).collect(),
        initial: 1 << start,
        labels: labels.iter().map(set).chain(own).collect(),
        fairness: Fairness::default(),
    }
}

fn apply(operator: Operator, operands: &[CtlTree]) -> CtlTree {
    CtlTree::Apply(operator, operands.to_vec())
}

fn atom(atom: usize) -> CtlTree {
    CtlTree::Atom(atom)
}

fn ef(of: CtlTree) -> CtlTree {
    apply(Operator::Finally(E), &[of])
}

fn eg(of: CtlTree) -> CtlTree {
    apply(Operator::Globally(E), &[of])
}

fn ex(of: CtlTree) -> CtlTree {
    apply(Operator::Next(E), &[of])
}

fn not(of: CtlTree) -> CtlTree {
    apply(Operator::Not, &[of])
}

fn choose<S: StateSpace>(space: &S, strategy: &mut dyn Strategy) -> Evidence {
    let investigator = Investigator::new(space).expect("no limit");
    let finding = investigator.investigate_with(0, &EvidenceOptions::default(), strategy);
    finding.evidence.expect("there is evidence")
}

/// The evidence that a strategy chooses, which is valid and the same from both engines. A strategy is
/// made from the conditions for the propositions.
fn evidence(
    kripke: &Kripke,
    formula: &CtlTree,
    make: impl Fn(&dyn Fn(usize) -> TermId) -> Box<dyn Strategy>,
) -> Evidence {
    let model = kripke.model(
        &formula.formula(),
        PathRule::Plain,
        StepEncoding::Constraint,
    );
    let conditions = |proposition: usize| query(&model, 0).atoms.iter().copied().nth(proposition);
    let conditions = |proposition: usize| conditions(proposition).expect("it is declared");
    let evidence = choose(&explicit(&model), &mut *make(&conditions));
    assert!(
        !matches!(evidence.replay, Replay::Failed(_)),
        "{:?}",
        evidence.replay
    );
    let other = choose(&symbolic(&model), &mut *make(&conditions));
    assert_eq!(evidence, other, "the engines differ");
    evidence
}

fn shown(evidence: &Evidence) -> Shown {
    let state = |at| match evidence.occurrences[at].values[0] {
        Value::Int(state) => usize::try_from(state).expect("states are numbered from 0"),
        other => panic!("{other:?} is no state"),
    };
    let (run, back) = evidence.main_run();
    let back = back.map(state);
    (run.into_iter().map(state).collect(), back)
}

fn run(
    kripke: &Kripke,
    formula: &CtlTree,
    make: impl Fn(&dyn Fn(usize) -> TermId) -> Box<dyn Strategy>,
) -> Shown {
    shown(&evidence(kripke, formula, make))
}

fn shortest(kripke: &Kripke, formula: &CtlTree) -> Shown {
    run(kripke, formula, |_| Box::new(Shortest))
}

#[test]
fn random_choices_differ_with_the_seed_and_with_nothing_else() {
    let formula = ef(atom(F));
    let of = |seed| evidence(&button(0), &formula, |_| Box::new(Random::new(seed)));
    let mut runs: Vec<Shown> = (0..20).map(|seed| shown(&of(seed))).collect();
    runs.sort();
    runs.dedup();
    assert!(runs.len() > 3, "{runs:?}");
    assert_eq!(of(7), of(7));
}

#[test]
fn the_smallest_goal_is_the_one_with_the_fewest_temporal_operators() {
    let either = apply(Operator::Or, &[ex(ex(atom(F))), ef(atom(F))]);
    let branch = |evidence: Evidence| evidence.proof[ProofId::new(0)].rule;
    let default = evidence(&button(1), &either, |_| Box::new(Shortest));
    assert_eq!(branch(default), Some(Rule::Branch(0)));
    let smallest = evidence(&button(1), &either, |_| Box::new(SmallestGoal));
    assert_eq!(branch(smallest), Some(Rule::Branch(1)));
    let either = apply(Operator::Or, &[ef(atom(F)), atom(P)]);
    let smallest = evidence(&button(1), &either, |_| Box::new(SmallestGoal));
    assert_eq!(branch(smallest), Some(Rule::Branch(1)));
}

#[test]
fn a_path_goes_through_preferred_states_and_around_avoided_ones() {
    let request = ef(atom(R));
    assert_eq!(shortest(&button(0), &request), (vec![0, 1, 2], None));
    let through = run(&button(0), &request, |is| Box::new(Prefer::new(is(IS + 3))));
    assert_eq!(through, (vec![0, 1, 3], None));
    let around = run(&button(0), &request, |is| {
        Box::new(Prefer::avoiding(is(IS + 2)))
    });
    assert_eq!(around, (vec![0, 1, 3], None));
    // Looking ahead: the first step decides that nobody presses on the way.
    let fulfilled = ef(atom(F));
    assert_eq!(shortest(&button(1), &fulfilled), (vec![1, 2, 4], None));
    let around = run(&button(1), &fulfilled, |is| {
        Box::new(Prefer::avoiding(is(P)))
    });
    assert_eq!(around, (vec![1, 3, 5], None));
}

#[test]
fn a_preference_is_worth_a_longer_way() {
    // 0 -> 1 -> 4 is short, 0 -> 2 -> 3 -> 4 has the proposition everywhere.
    let steps = [&[1, 2][..], &[4], &[3], &[4], &[4]];
    let kripke = structure(0, &steps, &[&[2, 3, 4]]);
    let goal = ef(atom(1 + 4));
    assert_eq!(shortest(&kripke, &goal), (vec![0, 1, 4], None));
    let preferred = run(&kripke, &goal, |is| Box::new(Prefer::new(is(0))));
    assert_eq!(preferred, (vec![0, 2, 3, 4], None));
}

#[test]
fn preferences_choose_single_steps_and_loops_as_well() {
    let next = ex(atom(R));
    assert_eq!(shortest(&button(1), &next), (vec![1, 2], None));
    let avoided = run(&button(1), &next, |is| Box::new(Prefer::avoiding(is(P))));
    assert_eq!(avoided, (vec![1, 3], None));
    let never = eg(not(atom(F)));
    assert_eq!(shortest(&button(1), &never), (vec![1, 2], Some(2)));
    let avoided = run(&button(1), &never, |is| Box::new(Prefer::avoiding(is(P))));
    assert_eq!(avoided, (vec![1, 3], Some(3)));
}

#[test]
fn states_of_the_proof_are_preferred_or_avoided() {
    let next = ex(atom(R));
    let explored = run(&button(3), &next, |_| Box::new(KnownStrategy::explored()));
    assert_eq!(explored, (vec![3, 3], None));
    let fresh = run(&button(3), &next, |_| Box::new(KnownStrategy::fresh()));
    assert_eq!(fresh, (vec![3, 2], None));
    let pressed = eg(atom(P));
    assert_eq!(shortest(&button(1), &pressed), (vec![1, 2], Some(2)));
    let (fresh, _) = run(&button(1), &pressed, |_| Box::new(KnownStrategy::fresh()));
    assert_eq!(fresh[..4], [1, 2, 4, 6]);
    let explored = run(
        &button(1),
        &pressed,
        |_| Box::new(KnownStrategy::explored()),
    );
    assert_eq!(explored, (vec![1, 2], Some(2)));
}

#[test]
fn the_present_state_comes_first() {
    let next = ex(atom(R));
    let stays = run(&button(3), &next, |_| Box::new(StayFirst));
    assert_eq!(stays, (vec![3, 3], None));
    let waits = apply(Operator::WeakUntil(E), &[atom(R), atom(P)]);
    assert_eq!(shortest(&button(2), &waits), (vec![2], None));
    let stays = run(&button(2), &waits, |_| Box::new(StayFirst));
    assert_eq!(stays, (vec![2], Some(2)));
    // There is no such loop at the first state, but at the second.
    let stays = run(&button(1), &eg(atom(P)), |_| Box::new(StayFirst));
    assert_eq!(stays, (vec![1, 2], Some(2)));
}

/// Two conditions that may alternate: 0 {}, 1 {x}, 2 {y}, 3 {x}, 4 {y}, 5 {x}.
fn ladder(start: usize) -> Kripke {
    let steps = [&[1][..], &[2, 3], &[3], &[4, 5], &[5], &[5]];
    structure(start, &steps, &[&[1, 3, 5], &[2, 4]])
}

#[test]
fn two_conditions_alternate() {
    let end = ef(atom(2 + 5));
    assert_eq!(shortest(&ladder(0), &end), (vec![0, 1, 3, 5], None));
    let alternate = |is: &dyn Fn(usize) -> TermId| -> Box<dyn Strategy> {
        Box::new(Follow::alternate(is(0), is(1)))
    };
    let run_from = |start| run(&ladder(start), &end, alternate);
    assert_eq!(run_from(0), (vec![0, 1, 2, 3, 4, 5], None));
    assert_eq!(run_from(1), (vec![1, 2, 3, 4, 5], None));
    assert_eq!(run_from(2), (vec![2, 3, 4, 5], None));
}

#[test]
fn a_path_follows_an_automaton() {
    let end = ef(atom(2 + 5));
    let follow = |is: &dyn Fn(usize) -> TermId| -> Box<dyn Strategy> {
        let arrow = |condition, truth, to| Arrow {
            condition,
            truth,
            to,
        };
        // x, then y, then anything.
        Box::new(Follow::automaton(Automaton {
            arrows: vec![
                vec![arrow(is(0), true, 1)],
                vec![arrow(is(1), true, 2)],
                vec![arrow(is(0), true, 2), arrow(is(0), false, 2)],
            ],
            again: vec![],
        }))
    };
    let followed = run(&ladder(0), &end, follow);
    assert_eq!(followed, (vec![0, 1, 2, 3, 5], None));
}

#[test]
fn steps_lead_near_a_designated_state_or_far_from_it() {
    let at = |state| vec![(VarId::new(0), Value::Int(state))];
    let fulfilled = ef(atom(F));
    let near = run(&button(1), &fulfilled, |_| {
        Box::new(DistanceStrategy::nearest(at(3)))
    });
    assert_eq!(near, (vec![1, 3, 5], None));
    let far = run(&button(1), &fulfilled, |_| {
        Box::new(DistanceStrategy::farthest(at(2)))
    });
    assert_eq!(far, (vec![1, 3, 5], None));
    let never = eg(not(atom(F)));
    let near = run(&button(1), &never, |_| {
        Box::new(DistanceStrategy::nearest(at(3)))
    });
    assert_eq!(near, (vec![1, 3], Some(3)));
}

#[test]
fn the_best_loop_is_the_shortest_within_so_many_steps() {
    let pressed = eg(atom(P));
    let round = (vec![4, 6, 1, 2], Some(4));
    assert_eq!(shortest(&button(4), &pressed), round);
    let within = |steps| run(&button(4), &pressed, |_| Box::new(BestLoop::within(steps)));
    assert_eq!(within(2), round);
    assert_eq!(within(3), (vec![4, 6, 1, 2], Some(2)));
}

#[test]
fn the_best_loop_passes_through_a_designated_state() {
    let pressed = eg(atom(P));
    assert_eq!(shortest(&button(1), &pressed), (vec![1, 2], Some(2)));
    let through = run(&button(1), &pressed, |is| {
        Box::new(BestLoop::through(is(F)))
    });
    assert_eq!(through, (vec![1, 2, 4, 6], Some(1)));
    let nowhere = run(&button(1), &pressed, |is| {
        Box::new(BestLoop::through(is(IS + 5)))
    });
    assert_eq!(nowhere, (vec![1, 2], Some(2)));
}

/// A counter so long that the search for the shortest evidence gives up.
const COUNTER: &str = "MODULE main
VAR n : 0..9000;
ASSIGN init(n) := 0; next(n) := n < 9000 ? n + 1 : n;
CTLSPEC EF (n = 3 & EX n = 4) & (EF (n = 8000 & EX n = 8001) | EF (n = 5 & EX n = 6))
";

#[test]
fn the_cheapest_way_is_taken_as_long_as_there_are_tries_left() {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("counter.smv", COUNTER));
    let loaded = wherefore_smv::load(&sources, file, &Budget::unlimited()).expect("no limit");
    let space = explicit(&loaded.model);
    let steps = |tries| {
        let evidence = choose(&space, &mut Cheapest::new(tries));
        assert!(!matches!(evidence.replay, Replay::Failed(_)));
        evidence.minimal.length
    };
    assert_eq!(steps(0), 8001);
    assert_eq!(steps(1000), 6);
}

#[test]
fn what_takes_too_many_steps_stays_open() {
    let both = apply(Operator::And, &[ef(atom(F)), ex(atom(R))]);
    let partial = |most| evidence(&button(1), &both, |_| Box::new(Partial::new(most)));
    let open = |evidence: &Evidence| {
        let nodes = evidence.proof.iter();
        nodes.filter(|node| node.rule.is_none()).count()
    };
    let short = partial(1);
    assert_eq!(open(&short), 1);
    assert!(matches!(short.replay, Replay::Partial(_)));
    assert_eq!(open(&partial(2)), 0);
    assert_eq!(open(&partial(0)), 2);
}

#[test]
fn choices_made_before_are_made_again() {
    let pressed = eg(atom(P));
    let made = evidence(&button(1), &pressed, |is| {
        Box::new(BestLoop::through(is(F)))
    });
    let again = evidence(&button(1), &pressed, |_| {
        Box::new(Like::from_evidence(&made))
    });
    assert_eq!(again.proof, made.proof);
    assert_eq!(shown(&again), shown(&made));
    // Where the evidence starts is a choice as well.
    let mut anywhere = button(1);
    anywhere.initial |= 1 << 2;
    let other = evidence(&anywhere, &pressed, |is| {
        Box::new(BestLoop::through(is(IS + 1)))
    });
    assert_eq!(shown(&other).0[0], 1);
    let again = evidence(&anywhere, &pressed, |_| {
        Box::new(Like::from_evidence(&other))
    });
    assert_eq!(shown(&again), shown(&other));
    assert_eq!(shortest(&anywhere, &pressed), (vec![2], Some(2)));
}

#[test]
fn a_partial_proof_goes_on_as_it_began() {
    let both = apply(Operator::And, &[ex(atom(R)), ef(atom(F))]);
    let partial = |is: &dyn Fn(usize) -> TermId| -> Box<dyn Strategy> {
        Box::new(Chain::new(vec![
            Box::new(Partial::new(1)),
            Box::new(Prefer::avoiding(is(P))),
        ]))
    };
    let begun = evidence(&button(1), &both, partial);
    assert_eq!(shown(&begun).0, [1, 3]);
    let whole = evidence(&button(1), &both, |_| Box::new(Like::from_evidence(&begun)));
    assert_eq!(whole.replay, Replay::Ok);
    assert_eq!(shown(&whole).0, [1, 3]);
}

#[test]
fn a_chain_narrows_from_its_first_member_on() {
    let request = ef(atom(R));
    let chain = |is: &dyn Fn(usize) -> TermId| -> Box<dyn Strategy> {
        Box::new(Chain::new(vec![
            Box::new(StayFirst),
            Box::new(KnownStrategy::fresh()),
            Box::new(Prefer::avoiding(is(IS + 2))),
        ]))
    };
    assert_eq!(run(&button(0), &request, chain), (vec![0, 1, 3], None));
    let next = ex(atom(R));
    let chain = |first: bool| {
        run(&button(3), &next, |is| {
            let stay: Box<dyn Strategy> = Box::new(StayFirst);
            let prefer: Box<dyn Strategy> = Box::new(Prefer::new(is(F)));
            Box::new(Chain::new(match first {
                true => vec![stay, prefer],
                false => vec![prefer, stay],
            }))
        })
    };
    assert_eq!(chain(true), (vec![3, 3], None));
    assert_eq!(chain(false), (vec![3, 5], None));
}

/// Takes whatever one rule about paths offers.
struct Obey(Guide);

impl Strategy for Obey {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        rules.add(self.0.clone());
        Ok(())
    }

    fn pick_rule(&mut self, _: &dyn Proof, _: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        Ok((0..ways.len())
            .filter(|&way| ways[way].by == Some(0))
            .collect())
    }
}

/// A random automaton: for each state its arrows, as propositions, truths and targets.
fn random_automaton(rng: &mut Rng) -> Vec<Vec<(usize, bool, usize)>> {
    let size = 1 + rng.below(3);
    let arrows = |rng: &mut Rng| {
        let count = rng.below(3);
        let arrow = |rng: &mut Rng| (rng.below(2), rng.chance(1, 2), rng.below(size));
        (0..count).map(|_| arrow(rng)).collect()
    };
    (0..size).map(|_| arrows(rng)).collect()
}

/// The automaton over the conditions of a model.
fn automaton(model: &Model, arrows: &[Vec<(usize, bool, usize)>]) -> Automaton {
    let atoms: Vec<TermId> = query(model, 0).atoms.iter().copied().collect();
    let arrow = |&(label, truth, to): &(usize, bool, usize)| Arrow {
        condition: atoms[label],
        truth,
        to,
    };
    let arrows = arrows.iter();
    Automaton {
        arrows: arrows
            .map(|arrows| arrows.iter().map(arrow).collect())
            .collect(),
        again: vec![],
    }
}

/// The fewest exceptions of a path, whatever the automaton does.
fn exceptions(kripke: &Kripke, arrows: &[Vec<(usize, bool, usize)>], path: &[usize]) -> usize {
    let mut costs = vec![None; arrows.len()];
    costs[0] = Some(0);
    for &state in &path[1..] {
        let mut next: Vec<Option<usize>> = vec![None; arrows.len()];
        for (place, cost) in costs.iter().enumerate() {
            let Some(cost) = *cost else { continue };
            let is = |label: usize| kripke.labels[label] >> state & 1 == 1;
            let allowed = arrows[place].iter().filter(|arrow| is(arrow.0) == arrow.1);
            let mut entered: Vec<_> = allowed.map(|arrow| (arrow.2, cost)).collect();
            if entered.is_empty() {
                entered.push((place, cost + 1));
            }
            for (to, cost) in entered {
                next[to] = Some(next[to].map_or(cost, |old| old.min(cost)));
            }
        }
        costs = next;
    }
    costs
        .into_iter()
        .flatten()
        .min()
        .expect("it waits if it must")
}

#[test]
fn a_path_along_an_automaton_has_the_fewest_exceptions_then_the_fewest_steps_then_is_least() {
    /// No path of these structures that is best is longer.
    const LONGEST: usize = 9;
    campaign("paths along automata", 400, |rng| {
        let mut kripke = kripke::random(rng, 4, 3);
        kripke.initial = 1;
        kripke.fairness = Fairness::default();
        let arrows = random_automaton(rng);
        let formula = apply(Operator::Until(E), &[atom(2), atom(1)]);
        let model = kripke.model(
            &formula.formula(),
            PathRule::Plain,
            StepEncoding::Constraint,
        );
        // Every path that shows it, breadth first and in order; exceptions only get more.
        let mut best: Option<(usize, usize, Vec<usize>)> = None;
        let mut paths = vec![vec![0]];
        for steps in 0..=LONGEST {
            let mut longer = Vec::new();
            for path in paths {
                let last = *path.last().expect("a path has a start");
                let cost = exceptions(&kripke, &arrows, &path);
                if kripke.labels[1] >> last & 1 == 1 {
                    let found = (cost, steps, path);
                    best = Some(best.map_or(found.clone(), |best| best.min(found)));
                } else if kripke.labels[2] >> last & 1 == 1
                    && best.as_ref().is_none_or(|best| cost < best.0)
                {
                    let next = kripke::members(kripke.steps[last]);
                    longer.extend(next.map(|next| [path.clone(), vec![next]].concat()));
                }
            }
            paths = longer;
        }
        let Some((_, _, best)) = best else {
            return;
        };
        let guide = Guide::Along(automaton(&model, &arrows));
        let found = choose(&explicit(&model), &mut Obey(guide.clone()));
        assert_eq!(shown(&found), (best, None), "{kripke:?} {arrows:?}");
        assert_eq!(found, choose(&symbolic(&model), &mut Obey(guide)));
    });
}

/// Whether a fair path from state 0 stays within a set and follows an automaton for ever.
fn follows_for_ever(
    kripke: &Kripke,
    arrows: &[Vec<(usize, bool, usize)>],
    stay: StateMask,
) -> bool {
    let size = kripke.size * arrows.len();
    let mut reaches = vec![vec![false; size]; size];
    for (from, reaches) in reaches.iter_mut().enumerate() {
        let (state, place) = (from / arrows.len(), from % arrows.len());
        for next in kripke::members(kripke.steps[state] & stay) {
            let is = |label: usize| kripke.labels[label] >> next & 1 == 1;
            for arrow in arrows[place].iter().filter(|arrow| is(arrow.0) == arrow.1) {
                reaches[next * arrows.len() + arrow.2] = true;
            }
        }
    }
    for by in 0..size {
        for from in 0..size {
            for to in 0..size {
                reaches[from][to] |= reaches[from][by] && reaches[by][to];
            }
        }
    }
    let turns = |home: usize| {
        let round = |other: &usize| reaches[home][*other] && reaches[*other][home];
        let states = (0..size).filter(round);
        states.fold(0, |all: StateMask, other| all | 1 << (other / arrows.len()))
    };
    let mut homes = (0..size).filter(|&home| home == 0 || reaches[0][home]);
    let justice = &kripke.fairness.justice;
    stay & 1 == 1
        && homes.any(|home| turns(home) != 0 && justice.iter().all(|just| turns(home) & just != 0))
}

#[test]
fn a_path_that_can_follow_an_automaton_for_ever_does() {
    campaign("lassos along automata", 400, |rng| {
        let mut kripke = kripke::random(rng, 5, 3);
        kripke.initial = 1;
        kripke.fairness.compassion.clear();
        let arrows = random_automaton(rng);
        if !follows_for_ever(&kripke, &arrows, kripke.labels[2]) {
            return;
        }
        let formula = eg(atom(2)).formula();
        let model = kripke.model(&formula, PathRule::FairInfinite, StepEncoding::Constraint);
        let guide = Guide::Along(automaton(&model, &arrows));
        let found = choose(&explicit(&model), &mut Obey(guide.clone()));
        assert!(!matches!(found.replay, Replay::Failed(_)));
        assert_eq!(found, choose(&symbolic(&model), &mut Obey(guide)));
        let (mut run, back) = shown(&found);
        let (ids, home) = found.main_run();
        assert!(back.is_some(), "it is a lasso");
        let home = ids.iter().position(|&id| Some(id) == home);
        let turn = run[home.expect("the loop is on the run")..].to_vec();
        for _ in 0..3 {
            run.extend(&turn);
        }
        assert_eq!(
            exceptions(&kripke, &arrows, &run),
            0,
            "{kripke:?} {arrows:?}"
        );
    });
}
