//! Recurrent sets: refutations of what must happen where no run closes a loop.
//!
//! A set of states, each of which has a next one in the set, holds a run that goes on for ever (Gupta et al. 2008). If no
//! state of it satisfies `q`, and it is reached, then `AF q` fails, also where numbers grow along the run so that no state
//! ever comes back. The set is guessed from a finite run: all conditions that its last states share. Where a state of
//! the guess has no next one in it, the conditions that are in the way are given up.

use rustc_hash::FxHashSet;
use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::eval::holds;
use wherefore_smt::{SmtCtl, SmtTerm, SmtTermId, SmtValuation, SolverTrace, Sort, infix};

use crate::always::Promise;
use crate::answer::{
    RefutationRun, SmtAttempt, SmtCertificate, SmtObligation, SmtOptions, SmtProof, SmtRefutation,
};
use crate::asker::{Script, TermSession};
use crate::cases::{StepCase, cases};
use crate::finding::SmtFinding;
use crate::houdini::{candidates, lean, state_values};
use crate::kripke::PlaceGraph;
use crate::solver::Satisfiability;
use crate::traces;
use crate::trouble::SolverTrouble;

/// The lengths of the runs that guesses are made from: steps before the goal is due, and steps after that.
const LENGTHS: [(usize, usize); 6] = [(0, 6), (1, 7), (0, 12), (1, 13), (3, 13), (0, 16)];

/// How many of the last states a guess looks at.
const TAIL: usize = 6;

/// How many states at the end of a longer run a guess does not look at: a run may end with steps that it could not take
/// for ever.
const HASTE: usize = 5;

/// The most corrections of a guess.
const MOST_CORRECTIONS: usize = 80;

/// The most attempts to make a set simpler.
const MOST_REDUCTIONS: usize = 120;

/// The most conditions of a guess.
const MOST_CONDITIONS: usize = 900;

/// Refutes `AF q`, `A[p U q]` and promises of these under `AG`, if there is a recurrent set.
pub(crate) fn recurrent(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let mut kripke = kripke.clone();
    let plain = !kripke.system.has_functions() && kripke.system.fairness.is_empty();
    let Some((asked, kept, always)) = goal(&mut kripke, part).filter(|_| plain) else {
        return SmtFinding::Open(Vec::new());
    };
    let Some(cases) = cases(&mut kripke) else {
        return SmtFinding::Open(Vec::new());
    };
    for (before, after) in LENGTHS {
        // Without `AG` the goal is due in the initial state only.
        if before > 0 && !always {
            continue;
        }
        let mut search = RecurrentSearch {
            kripke: kripke.clone(),
            asked,
            kept,
            cases: &cases,
        };
        match search.attempt(before, after, choices, budget) {
            Ok(Some(refutation)) => return SmtFinding::Fails(refutation),
            Ok(None) => {}
            Err(trouble) => {
                return SmtFinding::stopped("recurrent sets", &trouble);
            }
        }
    }
    SmtFinding::Open(SmtAttempt::none("recurrent sets"))
}

/// When the goal becomes due, what it is, and whether that may be at any time.
fn goal(kripke: &mut PlaceGraph, part: &SmtCtl) -> Option<(SmtTermId, SmtTermId, bool)> {
    if let Some(promise) = Promise::of(kripke, part) {
        return Some((promise.asked, promise.kept, true));
    }
    // What is asked of initial states is read as a promise that is always due; `attempt` lets it begin at
    // once.
    let always = SmtCtl::Globally(For::Forall, Box::new(part.clone()));
    let promise = Promise::of(kripke, &always)?;
    Some((promise.asked, promise.kept, false))
}

/// A search for a recurrent set: when the goal becomes due, what it is, and the steps to choose from.
pub(crate) struct RecurrentSearch<'a> {
    pub(crate) kripke: PlaceGraph,
    pub(crate) asked: SmtTermId,
    pub(crate) kept: SmtTermId,
    pub(crate) cases: &'a [StepCase],
}

impl RecurrentSearch<'_> {
    fn attempt(
        &mut self,
        before: usize,
        after: usize,
        choices: &SmtOptions,
        budget: &Budget,
    ) -> Result<Option<SmtRefutation>, SolverTrouble> {
        let solver = &choices.solvers[0];
        let mut asker =
            TermSession::start(solver, &self.kripke.system.terms, choices.limits, budget)?;
        let Some((trace, tail)) = self.run(before, after, &mut asker, budget)? else {
            return Ok(None);
        };
        let conditions = self.shared(&tail);
        let set = self.closed(conditions, &mut asker, budget)?;
        Ok(set.map(|set| self.refutation(trace, set, solver.title())))
    }

    /// The conditions that all of these states satisfy.
    pub(crate) fn shared(&mut self, states: &[SmtValuation]) -> Vec<SmtTermId> {
        let mut conditions = self.conditions();
        let terms = &self.kripke.system.terms;
        conditions.retain(|&condition| {
            states
                .iter()
                .all(|values| holds(terms, condition, values) == Ok(true))
        });
        conditions
    }

    /// A recurrent set without the goal, described by some of these conditions.
    pub(crate) fn closed(
        &mut self,
        conditions: Vec<SmtTermId>,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<SmtTermId>, SolverTrouble> {
        let mut conditions = conditions;
        let open = self.kripke.terms().not(self.kept);
        for _ in 0..MOST_CORRECTIONS {
            budget.check()?;
            let mut all = conditions.clone();
            all.push(open);
            let set = self.kripke.terms().and(&all);
            let stuck = self.stuck(set);
            let mut work = self.kripke.clone();
            let at = work.place();
            let query = work.at(stuck, at);
            asker.push();
            asker.assert(work.terms(), query);
            let outcome = asker.check(budget)?;
            match outcome {
                Satisfiability::Unsat => {
                    asker.pop();
                    return Ok(Some(self.fewer(conditions, open, asker, budget)?));
                }
                Satisfiability::Unknown(_) => {
                    // The session goes on with other sets.
                    asker.pop();
                    return Ok(None);
                }
                Satisfiability::Sat => {}
            }
            let values = state_values(&mut work, asker, at, budget)?;
            asker.pop();
            let here = work.as_present(at, &values);
            let Some(wrong) = self.in_the_way(&conditions, &here) else {
                return Ok(None);
            };
            conditions.retain(|condition| !wrong.contains(condition));
        }
        Ok(None)
    }

    /// The set without conditions that it does not need, found in parts of falling size.
    fn fewer(
        &mut self,
        conditions: Vec<SmtTermId>,
        open: SmtTermId,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<SmtTermId, SolverTrouble> {
        let mut kept = conditions;
        let mut size = kept.len().div_ceil(2);
        let mut left = MOST_REDUCTIONS;
        while size > 0 {
            let mut at = 0;
            while at < kept.len() && left > 0 {
                left -= 1;
                let end = (at + size).min(kept.len());
                let mut fewer = kept.clone();
                fewer.drain(at..end);
                let mut all = fewer.clone();
                all.push(open);
                let set = self.kripke.terms().and(&all);
                let stuck = self.stuck(set);
                let mut work = self.kripke.clone();
                let place = work.place();
                let query = work.at(stuck, place);
                asker.push();
                asker.assert(work.terms(), query);
                let outcome = asker.check(budget)?;
                asker.pop();
                match outcome {
                    Satisfiability::Unsat => kept = fewer,
                    // A part that is not proved to be superfluous stays.
                    Satisfiability::Sat | Satisfiability::Unknown(_) => at = end,
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        kept.push(open);
        let plain = lean(&mut self.kripke, kept, asker, budget)?;
        Ok(self.kripke.terms().and(&plain))
    }

    /// A set as conditions.
    pub(crate) fn shown(&self, set: SmtTermId) -> Vec<String> {
        let mut terms = self.kripke.system.terms.clone();
        let conditions = terms.plain_conjuncts(set);
        conditions.iter().map(|&c| infix::text(&terms, c)).collect()
    }

    /// A run whose goal becomes due at some state and is not reached after that; the values of its last states.
    pub(crate) fn run(
        &mut self,
        before: usize,
        after: usize,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Option<(SolverTrace, Vec<SmtValuation>)>, SolverTrouble> {
        let mut work = self.kripke.clone();
        let mut places = vec![work.place()];
        let (axioms, init) = (work.axioms, work.system.init);
        let mut parts = vec![axioms, work.at(init, places[0])];
        let mut edges = Vec::new();
        for _ in 0..before + after {
            let (from, to) = (places[places.len() - 1], work.place());
            let edge = work.edge(from, to);
            parts.push(work.step(&edge));
            edges.push(edge);
            places.push(to);
        }
        parts.push(work.at(self.asked, places[before]));
        let open = work.terms().not(self.kept);
        for &place in &places[before..] {
            parts.push(work.at(open, place));
        }
        let all = work.terms().and(&parts);
        asker.push();
        asker.assert(work.terms(), all);
        if asker.check(budget)? != Satisfiability::Sat {
            asker.pop();
            return Ok(None);
        }
        let trace = traces::path(&work, asker, &places, &edges, true, budget)?;
        asker.pop();
        let Some(mut trace) = trace else {
            return Ok(None);
        };
        if after > TAIL + HASTE {
            trace.states.truncate(places.len() - HASTE);
            trace.inputs.truncate(trace.states.len() - 1);
        }
        let count = trace.states.len();
        let tail = (count.saturating_sub(TAIL)..count)
            .map(|at| trace.at(&work.system, at))
            .collect();
        Ok(Some((trace, tail)))
    }

    /// Conditions that a guess is made of: those of the model, by themselves and under each constant of an enumeration.
    pub(crate) fn conditions(&mut self) -> Vec<SmtTermId> {
        let basic = candidates(&mut self.kripke, &[self.asked, self.kept]);
        let mut phases = Vec::new();
        for symbol in self.kripke.system.current() {
            let terms = self.kripke.terms();
            let sort = terms.info(symbol).sort;
            if let Sort::Enumeration(_, constants) = terms.sorts.get(sort).clone() {
                let var = terms.var(symbol);
                for at in 0..constants.len() {
                    let constant = terms.add(SmtTerm::Constant(sort, at as u32));
                    phases.push(terms.equal(var, constant));
                }
            }
        }
        let terms = self.kripke.terms();
        let mut all = basic.clone();
        for &phase in &phases {
            let not = terms.not(phase);
            all.push(not);
            for &condition in &basic {
                all.push(terms.or(&[not, condition]));
            }
        }
        let mut seen = FxHashSet::default();
        all.retain(|&condition| terms.as_bool(condition).is_none() && seen.insert(condition));
        all.truncate(MOST_CONDITIONS);
        all
    }

    /// That a state of the set has no next one in the set.
    fn stuck(&mut self, set: SmtTermId) -> SmtTermId {
        let mut parts = vec![self.kripke.axioms, set];
        // The cases may be some of the steps only. So a state may be called stuck that is not, but not the
        // other way round, and the answer stays sound.
        for case in self.cases {
            let there = case.after(self.kripke.terms(), set);
            let taken = self.kripke.terms().and(&[case.guard, there]);
            parts.push(self.kripke.terms().not(taken));
        }
        self.kripke.terms().and(&parts)
    }

    /// The fewest conditions that keep a state from having a next one in the set; none if giving them up does not help.
    fn in_the_way(
        &mut self,
        conditions: &[SmtTermId],
        here: &SmtValuation,
    ) -> Option<FxHashSet<SmtTermId>> {
        let open = self.kripke.terms().not(self.kept);
        let mut best: Option<FxHashSet<SmtTermId>> = None;
        for case in self.cases {
            let terms = self.kripke.terms();
            if holds(terms, case.guard, here) != Ok(true) {
                continue;
            }
            // A step into the goal leads out of every set without the goal, whichever conditions are given
            // up.
            let free = case.after(terms, open);
            if holds(terms, free, here) != Ok(true) {
                continue;
            }
            let mut wrong = FxHashSet::default();
            for &condition in conditions {
                let there = case.after(terms, condition);
                if holds(terms, there, here) != Ok(true) {
                    wrong.insert(condition);
                }
            }
            // Giving up nothing would bring the same state again.
            if !wrong.is_empty() && best.as_ref().is_none_or(|best| wrong.len() < best.len()) {
                best = Some(wrong);
            }
        }
        best
    }

    /// That a set is recurrent and without the goal, as what must be shown.
    pub(crate) fn duty(&mut self, set: SmtTermId) -> SmtObligation {
        let stuck = self.stuck(set);
        SmtObligation {
            claim: "every state of the set has a next one in the set, and none is the goal"
                .to_string(),
            query: Script::query(self.kripke.terms(), "ALL", &[stuck]),
        }
    }

    fn refutation(&mut self, trace: SolverTrace, set: SmtTermId, solver: String) -> SmtRefutation {
        let shown = self.shown(set);
        SmtRefutation {
            engine: "recurrent set".to_string(),
            runs: vec![RefutationRun { from: None, trace }],
            closed_by: Some(Box::new(SmtProof {
                engine: "recurrent set".to_string(),
                certificates: vec![SmtCertificate::Recurrent(shown)],
                obligations: vec![self.duty(set)],
                checked_by: vec![solver],
            })),
        }
    }
}
