//! Modal equations over labelled transition systems: the solver against a naive one, evidence against its
//! replay and against oracles for its length and its labels.

use wherefore_acceptance::modal_mutants::mutants;
use wherefore_base::Budget;
use wherefore_check::modal::solve;
use wherefore_evidence::modal::{evidence, label, replay};
use wherefore_evidence::{Evidence, Replay, Rule, Shape};
use wherefore_logic::modal::{Fixpoint, ModalOp};
use wherefore_logic::{ActionId, SubId};
use wherefore_model::lts::{LabelId, Lts, ModalQuestion, StateId};
use wherefore_testkit::campaign;
use wherefore_testkit::modal::{EquationKind, lts, naive, question, random_lts, random_question};

fn sub(index: usize) -> SubId {
    SubId::new(index)
}

fn agree(lts: &Lts, question: &ModalQuestion) -> Evidence {
    let budget = Budget::unlimited();
    let solution = solve(lts, question, &budget).expect("nobody stops it");
    let truth = naive(lts, question);
    for sub in question.system.equations.ids() {
        for state in lts.state_ids() {
            assert_eq!(
                solution.holds(sub, state),
                truth[sub.index()][state.index()],
                "equation {sub:?} at {state:?} of {question:#?} over {lts:#?}"
            );
        }
    }
    let evidence = evidence(lts, question, &solution, &budget).expect("nobody stops it");
    assert_eq!(
        evidence.replay,
        Replay::Ok,
        "{evidence:#?} for {question:#?} over {lts:#?}"
    );
    evidence
}

fn rejects_mutants(lts: &Lts, question: &ModalQuestion, evidence: &Evidence) {
    let holds = evidence
        .occurrences
        .iter()
        .next()
        .expect("a first state")
        .truth[question.system.root]
        == Some(true);
    for (what, mutant) in mutants(lts, evidence) {
        let replayed = replay(lts, question, holds, &mutant, &Budget::unlimited());
        assert!(
            matches!(replayed, Ok(Replay::Failed(_))),
            "{what}: {replayed:?}, {mutant:#?} for {question:#?} over {lts:#?}"
        );
    }
}

#[test]
fn random_equations_over_random_systems_agree_and_their_evidence_replays() {
    campaign("modal equations", 3000, |rng| {
        let lts = random_lts(rng, 6);
        let question = random_question(rng, &lts, EquationKind::Any, 8);
        agree(&lts, &question);
    });
}

#[test]
fn mutated_evidence_is_rejected() {
    campaign("mutated modal evidence", 400, |rng| {
        let lts = random_lts(rng, 5);
        let question = random_question(rng, &lts, EquationKind::Any, 7);
        let evidence = agree(&lts, &question);
        rejects_mutants(&lts, &question, &evidence);
    });
}

#[test]
fn small_formulas_agree_on_all_systems_of_two_states() {
    let all: Vec<(usize, usize, usize)> = (0..8)
        .map(|bits| (bits & 1, bits >> 1 & 1, bits >> 2))
        .collect();
    for chosen in 0..256 {
        let transitions = all.iter().enumerate();
        let transitions: Vec<_> = transitions
            .filter(|(at, _)| chosen >> at & 1 == 1)
            .map(|(_, &transition)| transition)
            .collect();
        let lts = lts(2, 2, &transitions);
        for question in small_questions(&lts) {
            agree(&lts, &question);
        }
    }
}

/// Formulas of one to three modalities, with both fixpoints.
fn small_questions(lts: &Lts) -> Vec<ModalQuestion> {
    let (any, a, b) = (ActionId::new(0), ActionId::new(1), ActionId::new(2));
    let mut questions = vec![];
    for fixpoint in [Fixpoint::Least, Fixpoint::Greatest] {
        let mut add = |ops: Vec<ModalOp>| {
            let equations = ops.into_iter().map(|op| (0, op)).collect();
            questions.push(question(lts, vec![fixpoint], equations, 0));
        };
        for value in [true, false] {
            add(vec![ModalOp::Some(a, sub(1)), ModalOp::Const(value)]);
            add(vec![ModalOp::Every(a, sub(1)), ModalOp::Const(value)]);
        }
        add(vec![ModalOp::Some(a, sub(0))]);
        add(vec![ModalOp::Every(a, sub(0))]);
        add(vec![ModalOp::All(vec![sub(0)])]);
        // X = <a> true or <true> X, and its dual.
        add(vec![
            ModalOp::Any(vec![sub(1), sub(2)]),
            ModalOp::Some(a, sub(3)),
            ModalOp::Some(any, sub(0)),
            ModalOp::Const(true),
        ]);
        add(vec![
            ModalOp::All(vec![sub(1), sub(2)]),
            ModalOp::Every(a, sub(3)),
            ModalOp::Every(any, sub(0)),
            ModalOp::Const(false),
        ]);
        // X = <true> true and [b] X: `a` is inevitable.
        add(vec![
            ModalOp::All(vec![sub(1), sub(2)]),
            ModalOp::Some(any, sub(3)),
            ModalOp::Every(b, sub(0)),
            ModalOp::Const(true),
        ]);
        // X = [a] Y and <b> X, Y = <a> X or [b] false.
        add(vec![
            ModalOp::All(vec![sub(1), sub(2)]),
            ModalOp::Every(a, sub(3)),
            ModalOp::Some(b, sub(0)),
            ModalOp::Any(vec![sub(4), sub(5)]),
            ModalOp::Some(a, sub(0)),
            ModalOp::Every(b, sub(6)),
            ModalOp::Const(false),
        ]);
    }
    questions
}

#[test]
fn runs_and_loops_of_a_hundred_thousand_steps_are_shown_and_replayed() {
    let states = 100_000;
    let mut transitions: Vec<_> = (1..states).map(|to| (to - 1, 0, to)).collect();
    let (any, b) = (ActionId::new(0), ActionId::new(2));
    // X = [b] false and [true] X fails at the end of the chain.
    transitions.push((states - 1, 1, states - 1));
    let chain = lts(states, 2, &transitions);
    let never = vec![
        ModalOp::All(vec![sub(1), sub(2)]),
        ModalOp::Every(b, sub(3)),
        ModalOp::Every(any, sub(0)),
        ModalOp::Const(false),
    ];
    let never = never.into_iter().map(|op| (0, op)).collect();
    let never = question(&chain, vec![Fixpoint::Greatest], never, 0);
    // X = <true> X holds round the ring.
    *transitions.last_mut().expect("there is a step") = (states - 1, 0, 0);
    let ring = lts(states, 2, &transitions);
    let for_ever = vec![(0, ModalOp::Some(any, sub(0)))];
    let for_ever = question(&ring, vec![Fixpoint::Greatest], for_ever, 0);
    let cases = [
        (&chain, &never, Shape::Path),
        (&ring, &for_ever, Shape::Lasso),
    ];
    for (lts, question, shape) in cases {
        let budget = Budget::unlimited();
        let solution = solve(lts, question, &budget).expect("nobody stops it");
        let evidence = evidence(lts, question, &solution, &budget).expect("nobody stops it");
        assert_eq!(
            (evidence.shape, evidence.minimal.length),
            (shape, states as u32)
        );
        assert_eq!(evidence.replay, Replay::Ok);
    }
}

#[test]
fn one_run_is_as_short_as_any_and_its_labels_are_least() {
    campaign("shortest runs of modal equations", 4000, |rng| {
        let lts = random_lts(rng, 7);
        let question = random_question(rng, &lts, EquationKind::OneRunFails, 8);
        let evidence = agree(&lts, &question);
        let truth = naive(&lts, &question);
        if truth[question.system.root.index()][0] {
            return;
        }
        let oracle = Oracle::new(&lts, &question, &truth);
        assert!(evidence.minimal.proved(), "{evidence:#?}");
        assert_eq!(
            Some(evidence.minimal.length),
            oracle.shortest(),
            "{evidence:#?} for {question:#?} over {lts:#?}"
        );
        // Others go round without a step.
        let mut proof = evidence.proof.iter();
        let ends = proof.any(|node| node.rule == Some(Rule::State));
        if evidence.shape == Shape::Path && ends {
            let labels = evidence.edges.iter().map(|edge| label(&lts, &edge.input));
            let labels: Option<Vec<LabelId>> = labels.collect();
            assert_eq!(labels, Some(oracle.least(evidence.minimal.length)));
        }
    });
}

/// Claims that fail, each at a state, as a graph; all it knows is the definition.
struct Oracle<'a> {
    lts: &'a Lts,
    question: &'a ModalQuestion,
    truth: &'a [Vec<bool>],
    states: usize,
    /// The fewest steps from claim to claim.
    distance: Vec<Vec<Option<u32>>>,
}

impl<'a> Oracle<'a> {
    fn new(lts: &'a Lts, question: &'a ModalQuestion, truth: &'a [Vec<bool>]) -> Self {
        let states = lts.states();
        let count = states * question.system.equations.len();
        let mut oracle = Self {
            lts,
            question,
            truth,
            states,
            distance: vec![vec![None; count]; count],
        };
        for from in 0..count {
            for (label, to) in oracle.moves(from) {
                let cost = u32::from(label.is_some());
                let known = &mut oracle.distance[from][to];
                *known = Some(known.map_or(cost, |known| known.min(cost)));
            }
        }
        for via in 0..count {
            for from in 0..count {
                for to in 0..count {
                    let legs = oracle.distance[from][via].zip(oracle.distance[via][to]);
                    let sum = legs.map(|(one, other)| one + other);
                    let known = oracle.distance[from][to];
                    oracle.distance[from][to] = known.into_iter().chain(sum).min();
                }
            }
        }
        oracle
    }

    fn start(&self) -> usize {
        self.question.system.root.index() * self.states
    }

    fn moves(&self, from: usize) -> Vec<(Option<LabelId>, usize)> {
        let (sub, state) = (from / self.states, StateId::new(from % self.states));
        let place = |sub: SubId, state: StateId| sub.index() * self.states + state.index();
        let fails = |to: &usize| !self.truth[to / self.states][to % self.states];
        if !fails(&from) {
            return vec![];
        }
        match &self.question.system.equations[SubId::new(sub)].op {
            ModalOp::All(subs) => {
                let to = subs.iter().map(|&sub| place(sub, state)).filter(fails);
                to.map(|to| (None, to)).collect()
            }
            ModalOp::Every(action, next) => {
                let action = &self.question.actions[*action];
                let steps = self.lts.steps(state).iter();
                let steps = steps.filter(|step| action.contains(step.label));
                let moves = steps.map(|step| (Some(step.label), place(*next, step.to)));
                moves.filter(|(_, to)| fails(to)).collect()
            }
            _ => vec![],
        }
    }

    /// Whether a claim needs nothing.
    fn ends(&self, at: usize) -> bool {
        let op = &self.question.system.equations[SubId::new(at / self.states)].op;
        *op == ModalOp::Const(false)
    }

    fn distance(&self, to: usize) -> Option<u32> {
        match to == self.start() {
            true => Some(0),
            false => self.distance[self.start()][to],
        }
    }

    fn shortest(&self) -> Option<u32> {
        let all = 0..self.distance.len();
        let lengths = all.filter_map(|at| {
            let way = self.distance(at)?;
            let sub = SubId::new(at / self.states);
            let endless = self.question.system.fixpoint(sub) == Fixpoint::Least;
            let round = self.distance[at][at].filter(|_| endless);
            let end = self.ends(at).then_some(0);
            Some(way + end.or(round)?)
        });
        lengths.min()
    }

    /// The least word of so many labels after which a claim needs nothing.
    fn least(&self, length: u32) -> Vec<LabelId> {
        let count = self.distance.len();
        // Whether so many steps can lead to an end.
        let mut within: Vec<Vec<bool>> = vec![];
        let stay = |from: usize, to: usize| from == to || self.stays(from).contains(&to);
        let now: Vec<bool> = (0..count)
            .map(|from| (0..count).any(|to| stay(from, to) && self.ends(to)))
            .collect();
        within.push(now);
        for _ in 0..length {
            let last = within.last().expect("there is a first");
            let next = (0..count).map(|from| {
                let mut stays = (0..count).filter(|&to| stay(from, to));
                stays.any(|at| {
                    let moves = self.moves(at);
                    moves.iter().any(|&(label, to)| label.is_some() && last[to])
                })
            });
            let next: Vec<bool> = next.collect();
            within.push(next);
        }
        let mut here = vec![self.start()];
        let mut word = vec![];
        for left in (0..length as usize).rev() {
            let steps: Vec<(LabelId, usize)> = here
                .iter()
                .flat_map(|&from| (0..count).filter(move |&to| stay(from, to)))
                .flat_map(|at| self.moves(at))
                .filter_map(|(label, to)| Some((label?, to)))
                .filter(|&(_, to)| within[left][to])
                .collect();
            let least = steps.iter().map(|&(label, _)| label).min();
            let least = least.expect("a run goes on");
            word.push(least);
            here = steps
                .into_iter()
                .filter(|&(label, _)| label == least)
                .map(|(_, to)| to)
                .collect();
        }
        word
    }

    /// What follows without a step.
    fn stays(&self, from: usize) -> Vec<usize> {
        let mut found = vec![from];
        let mut at = 0;
        while at < found.len() {
            for (label, to) in self.moves(found[at]) {
                if label.is_none() && !found.contains(&to) {
                    found.push(to);
                }
            }
            at += 1;
        }
        found
    }
}
