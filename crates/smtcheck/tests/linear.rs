//! Formulas of linear time: what solvers say of them agrees with the definitions, read along all short loops.

use std::time::Duration;

use wherefore_base::{Budget, IndexVec};
use wherefore_logic::{AtomId, Formula, LinearOp, Op, SubId};
use wherefore_smt::{Deadlock, SmtProperty, SmtPropertyKind, SmtValue, TermSystem, TraceMeaning};
use wherefore_smtcheck::{SmtOptions, SmtSolver, SmtVerdict, decide};

use crate::common::finite::{Formula as Plain, Kripke, Random};
use crate::common::{check_evidence, given, solvers, system};

/// How many systems are asked about in an ordinary run.
const ROUNDS: u64 = 8;

/// The most states of a loop, with the way to it, that is looked at.
const LONGEST: usize = 6;

/// A run that never ends: states, and where it goes on after the last.
struct Loop {
    states: Vec<usize>,
    back: usize,
}

impl Loop {
    /// Where a formula without a past is true along the loop.
    fn truth(&self, formula: &Formula, atoms: &[u32]) -> Vec<bool> {
        let count = self.states.len();
        let after = |at: usize| if at + 1 < count { at + 1 } else { self.back };
        let mut all: IndexVec<SubId, Vec<bool>> = IndexVec::new();
        for sub in formula.subs() {
            let each = |of: &dyn Fn(usize) -> bool| (0..count).map(of).collect::<Vec<bool>>();
            let row = match formula.op(sub) {
                Op::Const(value) => vec![value; count],
                Op::Atom(atom) => each(&|at| atoms[atom.index()] >> self.states[at] & 1 == 1),
                Op::Not(f) => each(&|at| !all[f][at]),
                Op::And(f, g) => each(&|at| all[f][at] && all[g][at]),
                Op::Or(f, g) => each(&|at| all[f][at] || all[g][at]),
                Op::Linear(LinearOp::Next(f)) => each(&|at| all[f][after(at)]),
                Op::Linear(op) => {
                    let yes = vec![true; count];
                    let (stay, goal, weak) = match op {
                        LinearOp::Finally(f) => (&yes, all[f].clone(), false),
                        LinearOp::Globally(f) => (&all[f], vec![false; count], true),
                        LinearOp::Until(f, g) => (&all[f], all[g].clone(), false),
                        LinearOp::WeakUntil(f, g) => (&all[f], all[g].clone(), true),
                        LinearOp::Release(f, g) => {
                            // The second up to and with the first.
                            let both = each(&|at| all[f][at] && all[g][at]);
                            (&all[g], both, true)
                        }
                        other => panic!("{other:?} is not made here"),
                    };
                    let mut found = vec![weak; count];
                    for _ in 0..=count {
                        found = each(&|at| goal[at] || stay[at] && found[after(at)]);
                    }
                    found
                }
                other => panic!("{other:?} is not made here"),
            };
            all.push(row);
        }
        all[formula.root()].clone()
    }

    fn is_fair(&self, fair: Option<u32>) -> bool {
        let visits = |fair: u32| self.states[self.back..].iter().any(|&s| fair >> s & 1 == 1);
        fair.is_none_or(visits)
    }
}

/// Calls for every fair loop of up to so many states, from an initial one on.
fn loops(kripke: &Kripke, states: &mut Vec<usize>, look: &mut dyn FnMut(&Loop)) {
    let last = states[states.len() - 1];
    for next in (0..kripke.count).filter(|&next| kripke.next[last] >> next & 1 == 1) {
        for back in (0..states.len()).filter(|&back| states[back] == next) {
            let found = Loop {
                states: states.clone(),
                back,
            };
            if found.is_fair(kripke.fair) {
                look(&found);
            }
        }
        if states.len() < LONGEST {
            states.push(next);
            loops(kripke, states, look);
            states.pop();
        }
    }
}

/// A formula over three atoms with at least one operator of linear time at its top.
fn random_formula(random: &mut Random, formula: &mut Formula, depth: usize) -> SubId {
    if depth == 0 {
        return formula.add(Op::Atom(AtomId::new(random.below(3))), None);
    }
    let f = random_formula(random, formula, depth - 1);
    let less = random.below(depth);
    let g = random_formula(random, formula, less);
    let op = match random.below(10) {
        0 => Op::Not(f),
        1 => Op::And(f, g),
        2 => Op::Or(f, g),
        3 => Op::Linear(LinearOp::Next(f)),
        4 | 5 => Op::Linear(LinearOp::Finally(f)),
        6 => Op::Linear(LinearOp::Globally(f)),
        7 => Op::Linear(LinearOp::Until(f, g)),
        8 => Op::Linear(LinearOp::WeakUntil(f, g)),
        _ => Op::Linear(LinearOp::Release(f, g)),
    };
    formula.add(op, None)
}

fn agrees(solvers: &[SmtSolver], seed: u64) -> bool {
    let mut random = Random::new(seed);
    let kripke = Kripke::random(&mut random);
    let atoms: Vec<u32> = (0..3).map(|_| random.below(32) as u32).collect();
    let plain: Vec<Plain> = atoms.iter().map(|&set| Plain::Atom(set)).collect();
    let text = kripke.texts(&plain);
    let mut model = system(&text);
    let mut formula = Formula::new();
    random_formula(&mut random, &mut formula, 3);
    let property = linear(&mut model, formula.clone());
    let choices = SmtOptions {
        solvers: solvers.to_vec(),
        deadlock: Some(Deadlock::Vacuous),
        bound: 8,
        recheck: Duration::ZERO,
        ..SmtOptions::default()
    };
    let budget = Budget::new(Some(Duration::from_secs(12)), None);
    let answer = decide(&model, &property, &choices, &budget, &mut |_| {});
    check_evidence(&model, &answer);
    let shown = |atom: AtomId| format!("p{}", atom.index());
    let asked = formula.show(formula.root(), &shown);
    match &answer.verdict {
        SmtVerdict::Holds(_) => {
            for start in (0..kripke.count).filter(|&start| kripke.initial >> start & 1 == 1) {
                loops(&kripke, &mut vec![start], &mut |run| {
                    let truth = run.truth(&formula, &atoms);
                    assert!(
                        truth[0],
                        "seed {seed}: {asked} {atoms:?} {text} {:?}",
                        run.states
                    );
                });
            }
        }
        SmtVerdict::Fails(refutation) => {
            let trace = &refutation.runs[0].trace;
            let state = |meanings: &Vec<TraceMeaning>| match &meanings[..] {
                [TraceMeaning::Value(SmtValue::Int(number))] => {
                    usize::try_from(number).expect("it is a state")
                }
                other => panic!("seed {seed}: {other:?}"),
            };
            let run = Loop {
                states: trace.states.iter().map(state).collect(),
                back: trace.back.expect("it never ends"),
            };
            assert!(run.is_fair(kripke.fair), "seed {seed}: {text}");
            assert!(
                !run.truth(&formula, &atoms)[0],
                "seed {seed}: {asked} {atoms:?} {text}"
            );
        }
        SmtVerdict::Unknown => {}
    }
    answer.holds().is_some()
}

/// A property with this formula over the conditions that the properties of a system are.
fn linear(model: &mut TermSystem, formula: Formula) -> SmtProperty {
    let first = model.properties[0].clone();
    let mut atoms = IndexVec::new();
    for property in model.properties.clone() {
        let condition = property.ctl(&mut model.terms);
        let condition = condition.and_then(|condition| condition.state(&mut model.terms));
        atoms.push(condition.expect("it is a condition on states"));
    }
    SmtProperty {
        kind: SmtPropertyKind::Linear,
        formula,
        atoms,
        ..first
    }
}

#[test]
fn random_formulas_of_linear_time_are_decided_as_all_short_loops_say() {
    let Some(solvers) = solvers() else { return };
    if let Some(seed) = given("WHEREFORE_SEED") {
        agrees(&solvers, seed);
        return;
    }
    let first = given("WHEREFORE_FIRST").unwrap_or(0);
    let models = (given("WHEREFORE_MODELS").unwrap_or(0) / 50).max(ROUNDS);
    let decided = (0..models).filter(|seed| agrees(&solvers, first + seed));
    let decided = decided.count() as u64;
    assert!(
        decided * 8 > models,
        "only {decided} of {models} are decided"
    );
}

/// Work that comes in while a door is open, and is done by somebody who comes again and again.
const DOOR: &str = "
    (define-fun Init ((work Int) (here Bool) (open Bool)) Bool (>= work 0))
    (define-fun Next ((work Int) (here Bool) (open Bool) (work1 Int) (here1 Bool) (open1 Bool)) Bool
      (= work1 (ite (and here (> work 0)) (- work 1) (ite open (+ work 1) work))))
    (define-fun again ((work Int) (here Bool) (open Bool)) Bool (! here :fair true))
    (define-fun done ((work Int) (here Bool) (open Bool)) Bool (! (= work 0) :ctl-property done))
    (define-fun opened ((work Int) (here Bool) (open Bool)) Bool (! open :ctl-property opened))
    (define-fun comes ((work Int) (here Bool) (open Bool)) Bool (! here :ctl-property comes))";

/// Answers a formula over `done`, `opened` and `comes`.
fn of_door(solvers: &[SmtSolver], make: impl FnOnce(&mut Formula, [SubId; 3])) -> Option<bool> {
    let mut model = system(DOOR);
    let mut formula = Formula::new();
    let atoms = [0, 1, 2].map(|at| formula.add(Op::Atom(AtomId::new(at)), None));
    make(&mut formula, atoms);
    let property = linear(&mut model, formula);
    let choices = SmtOptions {
        solvers: solvers.to_vec(),
        recheck: Duration::from_secs(20),
        ..SmtOptions::default()
    };
    let budget = Budget::new(Some(Duration::from_secs(120)), None);
    let answer = decide(&model, &property, &choices, &budget, &mut |_| {});
    check_evidence(&model, &answer);
    answer.holds()
}

#[test]
fn what_only_fairness_and_the_past_make_true_is_proved_of_runs_without_bounds() {
    let Some(solvers) = solvers() else { return };
    // Once the door stays shut, the work is done: (F G !opened) -> F done.
    let shut = of_door(&solvers, |formula, [done, opened, _]| {
        let closed = formula.add(Op::Not(opened), None);
        let ever = formula.add(Op::Linear(LinearOp::Globally(closed)), None);
        let settles = formula.add(Op::Linear(LinearOp::Finally(ever)), None);
        let happens = formula.add(Op::Linear(LinearOp::Finally(done)), None);
        formula.add(Op::Implies(settles, happens), None);
    });
    assert_eq!(shut, Some(true));
    // The door may always be open: then the work need not be done.
    let any = of_door(&solvers, |formula, [done, ..]| {
        formula.add(Op::Linear(LinearOp::Finally(done)), None);
    });
    assert_eq!(any, Some(false));
    // Somebody comes again, and has come before: G F (comes & O comes).
    let before = of_door(&solvers, |formula, [.., comes]| {
        let once = formula.add(Op::Linear(LinearOp::Once(comes)), None);
        let both = formula.add(Op::And(comes, once), None);
        let later = formula.add(Op::Linear(LinearOp::Finally(both)), None);
        formula.add(Op::Linear(LinearOp::Globally(later)), None);
    });
    assert_eq!(before, Some(true));
}
