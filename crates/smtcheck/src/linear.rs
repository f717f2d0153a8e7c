//! Formulas of linear time: what is said of every fair run that never ends.
//!
//! The system runs together with the tableau of the denied formula (Clarke, Grumberg and Hamaguchi 1997; the past as in
//! Lichtenstein, Pnueli and Zuck 1985): a part of the state for everything that the formula leaves to another position, and a fair
//! condition for everything that must not be put off for ever. The runs that refute the formula are the fair runs of this
//! product. A loop is one; that there is none is shown as everything that must happen on fair paths.

use std::time::Duration;

use wherefore_base::{Budget, IndexVec};
use wherefore_logic::{AtomId, Formula, LinearOp, Op, Quantifier as For, SubId};
use wherefore_smt::{Deadlock, SmtCtl, SmtTermId, SortId, StateVar};

use crate::answer::{SmtAttempt, SmtCertificate, SmtOptions};
use crate::fair::fairly;
use crate::finding::SmtFinding;
use crate::kripke::PlaceGraph;
use crate::portfolio::{RaceRunner, race};
use crate::stable::seldom;
use crate::unroll::{From, SmtUnrolling};

/// Decides whether every fair run that never ends satisfies a formula of linear time.
pub(crate) fn linear(
    kripke: &PlaceGraph,
    formula: &Formula,
    atoms: &IndexVec<AtomId, SmtTermId>,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let Some(product) = product(kripke, formula, atoms) else {
        let why = "operators with numbers of steps are for models with finitely many states";
        return SmtFinding::Open(vec![SmtAttempt::new("a tableau", why)]);
    };
    let mut product = product;
    // `AF false` says that there is no fair run at all, since none could satisfy it.
    let never = SmtCtl::Atom(product.terms().bool(false));
    let no_run = SmtCtl::Finally(For::Forall, Box::new(never));
    let (product, no_run) = (&product, &no_run);
    let mut runners: Vec<RaceRunner<'_, SmtFinding>> = vec![
        runner(0, move |budget| {
            SmtUnrolling {
                kripke: product,
                formula: no_run,
                from: From::Init,
                bound: choices.bound,
                solver: &choices.solvers[0],
                limits: choices.limits,
            }
            .decide(budget)
        }),
        runner(0, move |budget| fairly(product, no_run, choices, budget)),
    ];
    // A fair run meets every fair condition infinitely often: a bound for one of them excludes all fair runs.
    for (number, &fair) in product.system.fairness.iter().enumerate() {
        let after = 300 + 500 * number as u64;
        runners.push(runner(after, move |budget| {
            let mut counted = product.clone();
            let otherwise = counted.terms().not(fair);
            match seldom(&counted, otherwise, choices, budget) {
                SmtFinding::Holds(mut proof) => {
                    let fair = wherefore_smt::infix::text(&counted.system.terms, fair);
                    let fair = SmtCertificate::Fairness(vec![fair]);
                    proof.certificates.insert(0, fair);
                    SmtFinding::Holds(proof)
                }
                other => other,
            }
        }));
    }
    let mut findings = race(runners, SmtFinding::is_definite, budget);
    match findings.pop() {
        Some(SmtFinding::Fails(mut refutation)) => {
            // What the tableau adds is nothing that the user knows.
            for branch in &mut refutation.runs {
                for state in &mut branch.trace.states {
                    state.truncate(kripke.system.state.len());
                }
            }
            SmtFinding::Fails(refutation)
        }
        Some(SmtFinding::Holds(mut proof)) => {
            proof.certificates = without_tableau(proof.certificates);
            SmtFinding::Holds(proof)
        }
        last => {
            let all = findings.into_iter().chain(last);
            SmtFinding::Open(all.flat_map(SmtFinding::attempts).collect())
        }
    }
}

fn runner<'a>(
    after: u64,
    work: impl FnOnce(&Budget) -> SmtFinding + Send + 'a,
) -> RaceRunner<'a, SmtFinding> {
    RaceRunner {
        after: Duration::from_millis(after),
        work: Box::new(work),
    }
}

/// The system with the tableau of the denied formula; none where an operator has bounds or quantifies over paths.
fn product(
    kripke: &PlaceGraph,
    formula: &Formula,
    atoms: &IndexVec<AtomId, SmtTermId>,
) -> Option<PlaceGraph> {
    let mut kripke = kripke.clone();
    // A run that ends is none of those that are spoken about.
    kripke.deadlock = Deadlock::Vacuous;
    let mut tableau = SmtTableau::default();
    let mut truth: IndexVec<SubId, SmtTermId> = IndexVec::new();
    // Operands come before their operators, so that `truth` has them already.
    for sub in formula.subs() {
        let term = match formula.op(sub) {
            Op::Const(value) => kripke.terms().bool(value),
            Op::Atom(atom) => atoms[atom],
            Op::Not(f) => kripke.terms().not(truth[f]),
            Op::And(f, g) => kripke.terms().and(&[truth[f], truth[g]]),
            Op::Or(f, g) => kripke.terms().or(&[truth[f], truth[g]]),
            Op::Implies(f, g) => kripke.terms().implies(truth[f], truth[g]),
            Op::Iff(f, g) => kripke.terms().equal(truth[f], truth[g]),
            Op::Xor(f, g) => {
                let same = kripke.terms().equal(truth[f], truth[g]);
                kripke.terms().not(same)
            }
            Op::Path(..) => return None,
            Op::Linear(op) => tableau.operator(&mut kripke, op, &truth)?,
        };
        truth.push(term);
    }
    let refuted = kripke.terms().not(truth[formula.root()]);
    tableau.start.push(refuted);
    tableau.finish(&mut kripke);
    Some(kripke)
}

/// What the tableau adds to a system.
#[derive(Default)]
struct SmtTableau {
    start: Vec<SmtTermId>,
    /// Guesses, each with what must be so in the next state exactly if it is true now.
    guesses: Vec<(SmtTermId, SmtTermId)>,
    /// Memories in the next state, each with what they say of the present one.
    memories: Vec<(SmtTermId, SmtTermId)>,
    fair: Vec<SmtTermId>,
    count: usize,
}

impl SmtTableau {
    /// The condition under which an operator is true; none if it has bounds.
    fn operator(
        &mut self,
        kripke: &mut PlaceGraph,
        op: LinearOp,
        truth: &IndexVec<SubId, SmtTermId>,
    ) -> Option<SmtTermId> {
        match op {
            LinearOp::Next(f) => {
                let (guess, _) = self.variable(kripke);
                self.guesses.push((guess, truth[f]));
                return Some(guess);
            }
            LinearOp::Yesterday(f) | LinearOp::WeakYesterday(f) => {
                let at_first = matches!(op, LinearOp::WeakYesterday(_));
                return Some(self.memory(kripke, at_first, |_, _| truth[f]));
            }
            _ => {}
        }
        let expanded = op.expanded()?;
        let main = truth[expanded.main];
        let side = expanded.side.map(|side| truth[side]);
        let whole = |kripke: &mut PlaceGraph, rest: SmtTermId| {
            let terms = kripke.terms();
            match (expanded.seeks, side) {
                (true, Some(side)) => {
                    let on = terms.and(&[side, rest]);
                    terms.or(&[main, on])
                }
                (true, None) => terms.or(&[main, rest]),
                (false, Some(side)) => {
                    let on = terms.or(&[side, rest]);
                    terms.and(&[main, on])
                }
                (false, None) => terms.and(&[main, rest]),
            }
        };
        if expanded.past {
            let mut term = None;
            self.memory(kripke, expanded.weak, |kripke, before| {
                let is = whole(kripke, before);
                term = Some(is);
                is
            });
            return term;
        }
        let (guess, _) = self.variable(kripke);
        let is = whole(kripke, guess);
        self.guesses.push((guess, is));
        let terms = kripke.terms();
        let settled = match (expanded.seeks, expanded.weak) {
            // Whoever says that it comes must not put it off for ever.
            (true, false) => {
                let isnt = terms.not(is);
                terms.or(&[isnt, main])
            }
            // Whoever says that it does not stay so for ever must show where it ends.
            (false, _) => {
                let ends = terms.not(main);
                terms.or(&[is, ends])
            }
            // Whoever denies a weak until must show a state with neither of its operands.
            (true, true) => {
                let ends = match side {
                    Some(side) => terms.or(&[main, side]),
                    None => main,
                };
                let ends = terms.not(ends);
                terms.or(&[is, ends])
            }
        };
        self.fair.push(settled);
        Some(is)
    }

    /// A memory of what was so in the state before.
    fn memory(
        &mut self,
        kripke: &mut PlaceGraph,
        at_first: bool,
        of: impl FnOnce(&mut PlaceGraph, SmtTermId) -> SmtTermId,
    ) -> SmtTermId {
        let (memory, next) = self.variable(kripke);
        let first = match at_first {
            true => memory,
            false => kripke.terms().not(memory),
        };
        self.start.push(first);
        let what = of(kripke, memory);
        self.memories.push((next, what));
        memory
    }

    /// A new part of the state, now and next.
    fn variable(&mut self, kripke: &mut PlaceGraph) -> (SmtTermId, SmtTermId) {
        let name = format!("tableau@{}", self.count);
        self.count += 1;
        let terms = kripke.terms();
        let current = terms.declare(name.clone(), &[], SortId::BOOL);
        let next = terms.declare(format!("{name}!next"), &[], SortId::BOOL);
        let both = (terms.var(current), terms.var(next));
        kripke.system.state.push(StateVar {
            name,
            current,
            next,
            span: None,
        });
        both
    }

    fn finish(self, kripke: &mut PlaceGraph) {
        let mut steps = Vec::new();
        for (guess, of) in self.guesses {
            let next = kripke.system.primed(of);
            steps.push(kripke.terms().equal(guess, next));
        }
        for (next, of) in self.memories {
            steps.push(kripke.terms().equal(next, of));
        }
        let steps = kripke.terms().and(&steps);
        let (init, trans, whole) = (kripke.system.init, kripke.trans, kripke.system.trans);
        let start = kripke.terms().and(&self.start);
        kripke.system.init = kripke.terms().and(&[init, start]);
        kripke.trans = kripke.terms().and(&[trans, steps]);
        kripke.system.trans = kripke.terms().and(&[whole, steps]);
        kripke.system.fairness.extend(self.fair);
    }
}

/// What carries a proof, without what speaks of the tableau: nobody knows its names.
fn without_tableau(certificates: Vec<SmtCertificate>) -> Vec<SmtCertificate> {
    let (about, mut own): (Vec<_>, Vec<_>) = certificates
        .into_iter()
        .partition(|certificate| format!("{certificate:?}").contains("tableau@"));
    if !about.is_empty() {
        own.insert(0, SmtCertificate::Tableau);
    }
    own
}
