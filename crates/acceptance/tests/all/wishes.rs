//! Wishes about whole runs, on random systems: the evidence is the best of all runs of bounded length, wish by
//! wish, and what is said of each wish is what anybody can count.

use std::cell::Cell;

use wherefore_acceptance::agreement::{explicit, query, symbolic};
use wherefore_base::Value;
use wherefore_evidence::{
    BestLoop, Chain, EvidenceOptions, Finding, Follow, Investigator, Prefer, Replay, Strategy,
    Verdict, WishBest,
};
use wherefore_logic::{Fairness, PathRule, Quantifier};
use wherefore_model::TermId;
use wherefore_space::StateSpace;
use wherefore_testkit::formulas::{CtlTree, Operator};
use wherefore_testkit::kripke::{Kripke, StateMask, StepEncoding};
use wherefore_testkit::{Rng, campaign};

const E: Quantifier = Quantifier::Exists;
/// All runs of so many steps are looked at.
const STEPS: usize = 7;
const PROPOSITIONS: usize = 3;

/// The states of a run, and which of them its last step leads back to.
type Shown = (Vec<usize>, Option<usize>);

/// A wish: what it is about, and of which kind it is.
#[derive(Clone, Copy, Debug)]
enum Wish {
    Prefer(usize),
    Avoid(usize),
    Through(usize),
    Alternate(usize, usize),
}

impl Wish {
    fn random(rng: &mut Rng) -> Self {
        let proposition = rng.below(PROPOSITIONS);
        match rng.below(10) {
            0..4 => Wish::Avoid(proposition),
            4..8 => Wish::Prefer(proposition),
            8 => Wish::Through(proposition),
            _ => Wish::Alternate(proposition, rng.below(PROPOSITIONS)),
        }
    }

    fn strategy(self, conditions: &[TermId]) -> Box<dyn Strategy> {
        match self {
            Wish::Prefer(proposition) => Box::new(Prefer::new(conditions[proposition])),
            Wish::Avoid(proposition) => Box::new(Prefer::avoiding(conditions[proposition])),
            Wish::Through(proposition) => Box::new(BestLoop::through(conditions[proposition])),
            Wish::Alternate(first, second) => {
                Box::new(Follow::alternate(conditions[first], conditions[second]))
            }
        }
    }

    /// Whether the loop does nothing for it, the exceptions in each turn, and those before. `None` for a loop after
    /// which it is the other condition's turn: the next turn may count otherwise.
    fn count(self, kripke: &Kripke, (run, back): &Shown) -> Option<(bool, u32, u32)> {
        let is_true = |proposition: usize, state: usize| is_in(kripke.labels[proposition], state);
        if let Wish::Alternate(first, second) = self {
            let awaited = |turn: bool| if turn { second } else { first };
            let mut turn = is_true(first, run[0]);
            let mut missed = [0, 0];
            let mut moved = back.is_none();
            let mut at_home = turn;
            let nexts = run[1..].iter().copied().chain(back.map(|back| run[back]));
            for (step, state) in nexts.enumerate() {
                let looping = back.is_some_and(|back| step >= back);
                if back.is_some_and(|back| step == back) {
                    at_home = turn;
                }
                if is_true(awaited(turn), state) {
                    turn = !turn;
                    moved |= looping;
                } else {
                    missed[usize::from(looping)] += 1;
                }
            }
            let closes = back.is_none() || turn == at_home;
            return closes.then_some((!moved, missed[1], missed[0]));
        }
        let missed = |states: &[usize]| {
            let missed = states.iter().filter(|&&state| match self {
                Wish::Prefer(proposition) => !is_true(proposition, state),
                Wish::Avoid(proposition) => is_true(proposition, state),
                Wish::Through(_) | Wish::Alternate(..) => false,
            });
            u32::try_from(missed.count()).expect("runs are short")
        };
        let Some(back) = *back else {
            return Some((false, 0, missed(run)));
        };
        let idle = match self {
            Wish::Through(proposition) => {
                !run[back..].iter().any(|&state| is_true(proposition, state))
            }
            _ => false,
        };
        Some((idle, missed(&run[back..]), missed(&run[..=back])))
    }
}

fn is_in(set: StateMask, state: usize) -> bool {
    set >> state & 1 == 1
}

/// What a run costs: wish by wish, then steps, steps before the loop, changes.
fn cost(kripke: &Kripke, wishes: &[Wish], shown: &Shown) -> Option<Vec<u32>> {
    let mut cost = Vec::new();
    for wish in wishes {
        let (idle, turn, before) = wish.count(kripke, shown)?;
        cost.extend([u32::from(idle), turn, before]);
    }
    let (run, back) = shown;
    let steps = run.len() - 1 + usize::from(back.is_some());
    let after = back.map(|back| run[back]);
    let nexts = run[1..].iter().copied().chain(after);
    let changes = run.iter().zip(nexts).filter(|(here, next)| *here != next);
    let numbers = [steps, back.unwrap_or(run.len() - 1), changes.count()];
    cost.extend(numbers.map(|n| u32::try_from(n).expect("runs are short")));
    Some(cost)
}

fn apply(operator: Operator, operands: &[CtlTree]) -> CtlTree {
    CtlTree::Apply(operator, operands.to_vec())
}

/// A formula about one state.
fn about_state(rng: &mut Rng) -> CtlTree {
    let atom = CtlTree::Atom(rng.below(PROPOSITIONS));
    match rng.below(6) {
        0 => CtlTree::Const(true),
        1 => apply(Operator::Not, &[atom]),
        2 => apply(
            Operator::Or,
            &[atom, CtlTree::Atom(rng.below(PROPOSITIONS))],
        ),
        _ => atom,
    }
}

/// A formula that one run shows.
fn about_run(rng: &mut Rng, depth: usize) -> CtlTree {
    let state = about_state(rng);
    if depth == 0 {
        let other = about_state(rng);
        return match rng.below(6) {
            0 | 1 => apply(Operator::Globally(E), &[state]),
            2 => apply(Operator::Finally(E), &[state]),
            3 => apply(Operator::Until(E), &[state, other]),
            4 => apply(Operator::WeakUntil(E), &[state, other]),
            _ => apply(Operator::Next(E), &[state]),
        };
    }
    let inner = about_run(rng, depth - 1);
    match rng.below(6) {
        0 => apply(Operator::Next(E), &[inner]),
        1 | 2 => apply(Operator::Finally(E), &[inner]),
        3 => apply(Operator::Until(E), &[state, inner]),
        4 => apply(Operator::And, &[state, inner]),
        _ => apply(Operator::Or, &[inner, about_run(rng, depth - 1)]),
    }
}

/// Whether a formula is about one state, and then whether it is true there.
fn truth(kripke: &Kripke, tree: &CtlTree, state: usize) -> Option<bool> {
    match tree {
        CtlTree::Const(truth) => Some(*truth),
        CtlTree::Atom(atom) => Some(is_in(kripke.labels[*atom], state)),
        CtlTree::Apply(operator, operands) => {
            let truths = operands.iter().map(|operand| truth(kripke, operand, state));
            let truths: Vec<bool> = truths.collect::<Option<_>>()?;
            match operator {
                Operator::Not => Some(!truths[0]),
                Operator::And => Some(truths[0] && truths[1]),
                Operator::Or => Some(truths[0] || truths[1]),
                _ => None,
            }
        }
    }
}

/// All runs of bounded length that show a formula at a state.
struct Runs<'k> {
    kripke: &'k Kripke,
}

impl Runs<'_> {
    fn next(&self, state: usize) -> impl Iterator<Item = usize> {
        let next = self.kripke.steps[state];
        (0..self.kripke.size).filter(move |&to| is_in(next, to))
    }

    fn show(&self, tree: &CtlTree, state: usize, left: usize) -> Vec<Shown> {
        if let Some(truth) = truth(self.kripke, tree, state) {
            return if truth {
                vec![(vec![state], None)]
            } else {
                vec![]
            };
        }
        let CtlTree::Apply(operator, operands) = tree else {
            unreachable!("what is no operator is about a state")
        };
        let always = CtlTree::Const(true);
        match operator {
            Operator::And => match truth(self.kripke, &operands[0], state) {
                Some(true) => self.show(&operands[1], state, left),
                _ => vec![],
            },
            Operator::Or => operands
                .iter()
                .flat_map(|operand| self.show(operand, state, left))
                .collect(),
            Operator::Next(_) => self.after(state, left, |runs, to, left| {
                runs.show(&operands[0], to, left)
            }),
            Operator::Finally(_) => self.until(&always, &operands[0], state, left),
            Operator::Until(_) => self.until(&operands[0], &operands[1], state, left),
            Operator::Globally(_) => self.lassos(&operands[0], &[state], left),
            Operator::WeakUntil(_) => {
                let mut runs = self.until(&operands[0], &operands[1], state, left);
                runs.extend(self.lassos(&operands[0], &[state], left));
                runs
            }
            other => unreachable!("{other:?} is not among the formulas"),
        }
    }

    fn until(&self, stay: &CtlTree, goal: &CtlTree, state: usize, left: usize) -> Vec<Shown> {
        let mut runs = self.show(goal, state, left);
        if truth(self.kripke, stay, state) == Some(true) {
            runs.extend(self.after(state, left, |runs, to, left| {
                runs.until(stay, goal, to, left)
            }));
        }
        runs
    }

    /// Runs that begin with a step.
    fn after(
        &self,
        state: usize,
        left: usize,
        rest: impl Fn(&Self, usize, usize) -> Vec<Shown>,
    ) -> Vec<Shown> {
        let Some(left) = left.checked_sub(1) else {
            return vec![];
        };
        let longer = |(run, back): Shown| {
            let run = [vec![state], run].concat();
            (run, back.map(|back| back + 1))
        };
        self.next(state)
            .flat_map(|to| rest(self, to, left))
            .map(longer)
            .collect()
    }

    /// Runs that begin so, stay, and end with a step back.
    fn lassos(&self, stay: &CtlTree, begun: &[usize], left: usize) -> Vec<Shown> {
        let last = *begun.last().expect("runs begin somewhere");
        let Some(left) = left.checked_sub(1) else {
            return vec![];
        };
        if truth(self.kripke, stay, last) != Some(true) {
            return vec![];
        }
        let mut runs = Vec::new();
        for to in self.next(last) {
            let homes = (0..begun.len()).filter(|&home| begun[home] == to);
            runs.extend(homes.map(|home| (begun.to_vec(), Some(home))));
            runs.extend(self.lassos(stay, &[begun, &[to]].concat(), left));
        }
        runs
    }
}

fn random_structure(rng: &mut Rng) -> Kripke {
    let size = 1 + rng.below(5);
    let all = (1 << size) - 1;
    let steps = (0..size).map(|_| {
        let targets = 1 + rng.below(2);
        (0..targets).fold(0, |next: StateMask, _| next | 1 << rng.below(size))
    });
    Kripke {
        size,
        steps: steps.collect(),
        initial: match rng.chance(1, 3) {
            true => 1 << rng.below(size) | 1 << rng.below(size),
            false => 1 << rng.below(size),
        },
        labels: (0..PROPOSITIONS).map(|_| rng.next() & all).collect(),
        fairness: Fairness::default(),
    }
}

fn investigate<S: StateSpace>(space: &S, strategy: &mut dyn Strategy) -> Finding {
    let investigator = Investigator::new(space).expect("no limit");
    investigator.investigate_with(0, &EvidenceOptions::default(), strategy)
}

fn shown(finding: &Finding) -> Shown {
    let evidence = finding.evidence.as_ref().expect("there is evidence");
    assert!(!matches!(evidence.replay, Replay::Failed(_)));
    let (run, back) = evidence.main_run();
    let back = back.map(|back| run.iter().position(|&at| at == back).expect("it is on it"));
    let state = |at| match evidence.occurrences[at].values[0] {
        Value::Int(state) => usize::try_from(state).expect("states are numbered from 0"),
        other => panic!("{other:?} is no state"),
    };
    (run.into_iter().map(state).collect(), back)
}

#[test]
fn composed_wishes_give_the_best_of_all_runs() {
    let (asked, compared, unmet) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let count = |counter: &Cell<usize>| counter.set(counter.get() + 1);
    campaign("composed wishes", 4000, |rng| {
        count(&asked);
        let kripke = random_structure(rng);
        let depth = rng.below(3);
        let claim = about_run(rng, depth);
        let runs = Runs { kripke: &kripke };
        let initial: Vec<usize> = (0..kripke.size)
            .filter(|&state| is_in(kripke.initial, state))
            .collect();
        // Evidence that the claim is true from all initial states, or that its opposite fails in one.
        let fails = rng.chance(1, 2);
        let formula = match fails {
            true => apply(Operator::Not, std::slice::from_ref(&claim)),
            false => claim.clone(),
        };
        let model = kripke.model(
            &formula.formula(),
            PathRule::Plain,
            StepEncoding::Constraint,
        );
        let conditions: Vec<TermId> = query(&model, 0).atoms.iter().copied().collect();
        let wishes: Vec<Wish> = (0..2 + rng.below(2)).map(|_| Wish::random(rng)).collect();
        let chain = || {
            let members = wishes.iter().map(|wish| wish.strategy(&conditions));
            Chain::new(members.collect())
        };
        let finding = investigate(&explicit(&model), &mut chain());
        let other = investigate(&symbolic(&model), &mut chain());
        assert_eq!(finding, other, "the engines differ");
        // A claim that is not so has evidence of another kind, which may be no run.
        let wanted = match fails {
            true => Verdict::Fails,
            false => Verdict::Holds,
        };
        if finding.verdict != wanted {
            return;
        }
        let all = initial
            .iter()
            .flat_map(|&state| runs.show(&claim, state, STEPS));
        let Some(best) = all.filter_map(|run| cost(&kripke, &wishes, &run)).min() else {
            return;
        };
        let shown = shown(&finding);
        let cost = cost(&kripke, &wishes, &shown).expect("it is the same in every turn");
        assert!(cost <= best, "{claim:?}\n{wishes:?}\n{kripke:?}\n{shown:?}");
        if shown.0.len() - 1 + usize::from(shown.1.is_some()) <= STEPS {
            assert_eq!(cost, best, "{claim:?}\n{wishes:?}\n{kripke:?}\n{shown:?}");
            count(&compared);
        }
        for (wish, outcome) in wishes.iter().zip(&finding.wishes) {
            let counted = wish
                .count(&kripke, &shown)
                .expect("it is the same in every turn");
            assert_eq!((outcome.idle, outcome.turn, outcome.way), counted);
            assert_eq!(outcome.is_met(), counted == (false, 0, 0));
            assert_eq!(outcome.best, WishBest::Proved);
            if !outcome.is_met() {
                count(&unmet);
            }
        }
    });
    // A campaign with a single seed proves nothing about how much was compared.
    if asked.get() >= 4000 {
        assert!(compared.get() >= 1000, "{}", compared.get());
        assert!(unmet.get() >= 1000, "{}", unmet.get());
    }
}
