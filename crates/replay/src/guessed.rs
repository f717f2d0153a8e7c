//! Linear-time formulas on explored states by the book: each state with every truth of the formula's operators that is
//! consistent, and the fair runs through these.
//!
//! This re-decides small cases without the tableau of the engines: truth values are listed, not encoded, and fair loops
//! are found as everywhere in this crate.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Budget, Run, Value};
use wherefore_logic::{Expanded, LinearOp, Op, SubId};
use wherefore_model::{Env, Interpreter, Query, TermId};

use super::connective;
use super::explored::{ExploredSet, ExploredStates};

/// So many operators of linear time are listed at most.
const MOST_OPERATORS: usize = 8;
/// A state with the truth of every sub-formula is one of so many at most.
const MOST_PAIRS: usize = 20_000;
/// So many pairs are compared at most.
const MOST_TRIED: usize = 4_000_000;

/// The truth of every sub-formula at a position.
type Guess = Rc<[bool]>;

/// The explored states with the truth of every sub-formula, as far as runs from the initial states come.
pub(super) struct GuessedRuns {
    /// The explored state of each pair.
    pub(super) states: Vec<usize>,
    /// The system of the pairs, whose fair runs put nothing off for ever.
    pub(super) product: ExploredStates,
    /// From which pairs a fair run goes on.
    pub(super) fair: ExploredSet,
    /// How many pairs are initial: the first ones.
    pub(super) initial: usize,
    /// The atoms that read steps, and their truth in the step that each pair takes.
    pub(super) of_steps: Vec<(SubId, TermId)>,
    pub(super) step_truth: Vec<Vec<bool>>,
}

impl ExploredStates {
    /// The runs from some states on which a formula is as said; `None` if that would take too long, or if the formula has
    /// bounds.
    pub(super) fn guessed(
        &self,
        interpreter: &Interpreter<'_>,
        query: &Query,
        holds: bool,
        initial: &[usize],
        budget: &Budget,
    ) -> Run<Option<GuessedRuns>> {
        let operators: Vec<(SubId, LinearOp)> = linear(query).collect();
        let of_steps = step_atoms(interpreter, query);
        let listed = |&(_, op): &(SubId, LinearOp)| op.expanded().is_some() || is_step(op);
        let guessed = operators.len() + of_steps.len();
        if guessed > MOST_OPERATORS || !operators.iter().all(listed) {
            return Ok(None);
        }
        let mut free: Vec<SubId> = operators.iter().map(|(sub, _)| *sub).collect();
        free.extend(of_steps.iter().map(|(sub, _)| *sub));
        let guesses: Vec<Vec<Guess>> = (0..self.states.len())
            .map(|state| guesses(&self.states[state], interpreter, query, &free))
            .collect();
        let step_truth = |guess: &Guess| -> Vec<bool> {
            let atoms = of_steps.iter();
            atoms.map(|(sub, _)| guess[sub.index()]).collect()
        };
        let root = query.formula.root().index();
        let starts = initial.iter().flat_map(|&state| {
            let guesses = guesses[state].iter().cloned();
            guesses.map(move |guess| (state, guess))
        });
        let starts = starts.filter(|(_, guess)| guess[root] == holds && begins(guess, &operators));
        let mut pairs: Vec<(usize, Guess)> = starts.collect();
        let first = pairs.len();
        let mut numbers: FxHashMap<(usize, Guess), usize> =
            pairs.iter().cloned().zip(0..).collect();
        let mut next: Vec<Vec<usize>> = Vec::new();
        let mut tried = 0;
        while let Some((state, guess)) = pairs.get(next.len()).cloned() {
            budget.check()?;
            let mut after = Vec::new();
            let possible = match of_steps.is_empty() {
                true => None,
                false => Some(self.step_truths(interpreter, state, &of_steps, budget)?),
            };
            for &to in &self.next[state] {
                let step = (to, step_truth(&guess));
                if possible.as_ref().is_some_and(|some| !some.contains(&step)) {
                    continue;
                }
                for later in &guesses[to] {
                    tried += 1;
                    if !follows(&guess, later, &operators) {
                        continue;
                    }
                    let pair = (to, later.clone());
                    let number = *numbers.entry(pair.clone()).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    after.push(number);
                }
            }
            next.push(after);
            if pairs.len() > MOST_PAIRS || tried > MOST_TRIED {
                return Ok(None);
            }
        }
        let product = self.with_guesses(&pairs, next, &operators);
        Ok(Some(GuessedRuns {
            fair: product.fair(),
            step_truth: pairs.iter().map(|(_, guess)| step_truth(guess)).collect(),
            states: pairs.into_iter().map(|(state, _)| state).collect(),
            product,
            initial: first,
            of_steps,
        }))
    }

    /// Where the steps of a state lead, with the truth of some conditions in them.
    fn step_truths(
        &self,
        interpreter: &Interpreter<'_>,
        state: usize,
        conditions: &[(SubId, TermId)],
        budget: &Budget,
    ) -> Run<FxHashSet<(usize, Vec<bool>)>> {
        let here = &self.states[state];
        let mut found = FxHashSet::default();
        for step in interpreter.steps(here, budget)? {
            let env = Env {
                state: here,
                input: &step.input,
                next: &step.next,
            };
            let conditions = conditions.iter();
            let truth = conditions.map(|(_, term)| interpreter.truth(*term, env));
            if let Some(to) = self.find(&step.next) {
                found.insert((to, truth.collect()));
            }
        }
        Ok(found)
    }

    /// The system of these pairs, whose fair runs put nothing off for ever.
    fn with_guesses(
        &self,
        pairs: &[(usize, Guess)],
        next: Vec<Vec<usize>>,
        operators: &[(SubId, LinearOp)],
    ) -> Self {
        let settled = operators.iter().filter_map(|&(sub, op)| {
            let expanded = op.expanded().filter(|expanded| !expanded.past)?;
            let set = pairs.iter().map(|(_, guess)| settles(guess, sub, expanded));
            Some(set.collect())
        });
        self.product(pairs.iter().map(|(state, _)| *state), next, settled)
    }
}

fn linear(query: &Query) -> impl Iterator<Item = (SubId, LinearOp)> {
    query
        .formula
        .subs()
        .filter_map(|sub| match query.formula.op(sub) {
            Op::Linear(op) => Some((sub, op)),
            _ => None,
        })
}

fn is_step(op: LinearOp) -> bool {
    matches!(
        op,
        LinearOp::Next(_) | LinearOp::Yesterday(_) | LinearOp::WeakYesterday(_)
    )
}

/// The atoms of a formula that read an input or the next state.
fn step_atoms(interpreter: &Interpreter<'_>, query: &Query) -> Vec<(SubId, TermId)> {
    let atom = |sub: SubId| match query.formula.op(sub) {
        Op::Atom(atom) => Some((sub, query.atoms[atom])),
        _ => None,
    };
    let atoms = query.formula.subs().filter_map(atom);
    atoms
        .filter(|(_, term)| !interpreter.reads_state_alone(*term))
        .collect()
}

/// Every truth of the sub-formulas in a state: that of some is free, the rest follows from it.
fn guesses(
    state: &[Value],
    interpreter: &Interpreter<'_>,
    query: &Query,
    free: &[SubId],
) -> Vec<Guess> {
    let choices = 0..1_usize << free.len();
    let guess = |choice: usize| {
        let mut truth: Vec<bool> = Vec::new();
        for sub in query.formula.subs() {
            let of = |f: SubId| truth[f.index()];
            let bit = free.iter().position(|other| *other == sub);
            let is = match query.formula.op(sub) {
                _ if bit.is_some() => bit.is_some_and(|bit| choice >> bit & 1 == 1),
                Op::Atom(atom) => interpreter.truth(query.atoms[atom], Env::state(state)),
                op => connective(op, of)
                    .unwrap_or_else(|| unreachable!("the truth of operators is free")),
            };
            truth.push(is);
        }
        truth.into()
    };
    choices.map(guess).collect()
}

/// Whether the past operators are right where a run begins.
fn begins(guess: &Guess, operators: &[(SubId, LinearOp)]) -> bool {
    let of = |sub: SubId| guess[sub.index()];
    operators.iter().all(|&(sub, op)| match op {
        LinearOp::Yesterday(_) => !of(sub),
        LinearOp::WeakYesterday(_) => of(sub),
        op => match op.expanded().filter(|expanded| expanded.past) {
            Some(expanded) => of(sub) == unfolded(guess, expanded, expanded.weak),
            None => true,
        },
    })
}

/// Whether one position may follow another.
fn follows(now: &Guess, later: &Guess, operators: &[(SubId, LinearOp)]) -> bool {
    let is = |guess: &Guess, sub: SubId| guess[sub.index()];
    operators.iter().all(|&(sub, op)| match op {
        LinearOp::Next(f) => is(now, sub) == is(later, f),
        LinearOp::Yesterday(f) | LinearOp::WeakYesterday(f) => is(later, sub) == is(now, f),
        op => match op.expanded() {
            Some(expanded) if expanded.past => {
                is(later, sub) == unfolded(later, expanded, is(now, sub))
            }
            Some(expanded) => is(now, sub) == unfolded(now, expanded, is(later, sub)),
            None => false,
        },
    })
}

/// What an operator says at a position, given what it says at the next one, or at the one before.
fn unfolded(guess: &Guess, expanded: Expanded, rest: bool) -> bool {
    let is = |sub: SubId| guess[sub.index()];
    match expanded.seeks {
        true => is(expanded.main) || expanded.side.is_none_or(is) && rest,
        false => is(expanded.main) && (expanded.side.is_some_and(is) || rest),
    }
}

/// Whether an operator of the future is not put off here; a fair run settles it again and again.
fn settles(guess: &Guess, sub: SubId, expanded: Expanded) -> bool {
    let is = |sub: SubId| guess[sub.index()];
    match (expanded.seeks, expanded.weak) {
        (true, false) => !is(sub) || is(expanded.main),
        // It is refused for ever only where what it waits in breaks.
        (true, true) => is(sub) || !expanded.side.is_none_or(is),
        (false, _) => is(sub) || !is(expanded.main),
    }
}
