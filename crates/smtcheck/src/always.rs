//! What always holds: invariants, and promises that are always kept in time.
//!
//! `A[p W q]` and its special case `AG p` say that no path through states with `p` and without `q` reaches a state with
//! neither. `AG (p -> A[r U q])` becomes such a question when a counter is added that says how many steps ago the
//! oldest promise was made: if it always stays below some bound, every promise is kept (Biere, Artho and Schuppan 2002
//! make safety of liveness in a similar way). The converse does not hold, so a bound that is passed says nothing.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{Deadlock, SmtCtl, SmtTermId, SortId, StateVar, infix};

use crate::answer::{SmtAttempt, SmtCertificate, SmtOptions, SmtProof, SmtStart};
use crate::finding::{SmtFinding, interrupted};
use crate::horn::{Horn, invariant};
use crate::induction::induction;
use crate::kripke::PlaceGraph;
use crate::toward::LivenessGoal;
use crate::trouble::SolverTrouble;

/// The most states that an induction goes over.
const MOST_STATES: usize = 6;

/// The most steps that a promise may take.
const MOST_STEPS: usize = 64;

/// A question about invariants: the system in which no bad state may be reached.
#[derive(Clone, Debug)]
pub(crate) struct Safety {
    pub(crate) kripke: PlaceGraph,
    pub(crate) good: SmtTermId,
    /// Nothing is asked of steps from states with this condition; `None`: of all steps.
    pub(crate) until: Option<SmtTermId>,
}

impl Safety {
    /// The question that `A[p W q]` is, with conditions on states for `p` and `q`.
    pub(crate) fn of(kripke: &PlaceGraph, formula: &SmtCtl) -> Option<Self> {
        let mut kripke = kripke.clone();
        let never = kripke.terms().bool(false);
        let (stay, goal) = match formula {
            SmtCtl::Globally(For::Forall, stay) => (stay.state(kripke.terms())?, never),
            SmtCtl::WeakUntil(For::Forall, stay, goal) => {
                (stay.state(kripke.terms())?, goal.state(kripke.terms())?)
            }
            _ => return None,
        };
        Some(Self::until(kripke, stay, goal))
    }

    /// The question that denies `E[p U q]`: no path through `p` reaches `q`.
    pub(crate) fn denying(kripke: &PlaceGraph, formula: &SmtCtl) -> Option<Self> {
        let mut kripke = kripke.clone();
        let denied = formula.negated(kripke.terms());
        Self::of(&kripke, &denied)
    }

    fn until(mut kripke: PlaceGraph, stay: SmtTermId, goal: SmtTermId) -> Self {
        let terms = kripke.terms();
        let open = terms.not(goal);
        let good = terms.or(&[stay, goal]);
        // Nothing is asked of states behind the goal, so steps from it are cut off.
        let trans = kripke.trans;
        kripke.trans = kripke.terms().and(&[open, trans]);
        let until = (kripke.terms().as_bool(goal) != Some(false)).then_some(goal);
        Self {
            kripke,
            good,
            until,
        }
    }

    /// A proof, if one of the ways finds it; otherwise how far they came.
    pub(crate) fn prove(
        &self,
        choices: &SmtOptions,
        budget: &Budget,
    ) -> Result<Result<SmtProof, Vec<SmtAttempt>>, SolverTrouble> {
        let mut tried = Vec::new();
        let solver = &choices.solvers[0];
        if let Some(proof) = induction(self, MOST_STATES, solver, choices.limits, budget)? {
            return Ok(Ok(proof));
        }
        let all = format!("induction over up to {MOST_STATES} states");
        tried.push(SmtAttempt::new(all, "no proof"));
        match invariant(self, &choices.solvers, choices.limits, budget)? {
            Horn::Safe(proof) => return Ok(Ok(proof)),
            Horn::Unsafe => tried.push(SmtAttempt::new("invariants by Spacer", "there is none")),
            Horn::Unknown(why) => tried.push(SmtAttempt::new("invariants by Spacer", why)),
        }
        Ok(Err(tried))
    }
}

/// Decides `A[p W q]` as far as a proof does.
pub(crate) fn always(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let Some(safety) = Safety::of(kripke, part) else {
        return SmtFinding::Open(Vec::new());
    };
    SmtFinding::of_attempt(safety.prove(choices, budget), "invariants")
}

/// A promise that must always be kept: `AG (asked -> A[stay U kept])`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise {
    pub(crate) asked: SmtTermId,
    pub(crate) stay: SmtTermId,
    pub(crate) kept: SmtTermId,
}

impl Promise {
    /// The promise that a formula is.
    pub(crate) fn of(kripke: &mut PlaceGraph, formula: &SmtCtl) -> Option<Self> {
        let SmtCtl::Globally(For::Forall, inner) = formula else {
            return None;
        };
        let terms = kripke.terms();
        let parts = match &**inner {
            SmtCtl::Or(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let (mut conditions, mut promised) = (Vec::new(), None);
        for part in &parts {
            match (part.state(terms), part) {
                // In a disjunction, the negation of a condition is a premise of the promise.
                (Some(condition), _) => conditions.push(terms.not(condition)),
                (None, SmtCtl::Finally(For::Forall, goal)) if promised.is_none() => {
                    promised = Some((terms.bool(true), goal.state(terms)?));
                }
                (None, SmtCtl::Until(For::Forall, stay, goal)) if promised.is_none() => {
                    promised = Some((stay.state(terms)?, goal.state(terms)?));
                }
                _ => return None,
            }
        }
        let (stay, kept) = promised?;
        Some(Self {
            asked: terms.and(&conditions),
            stay,
            kept,
        })
    }

    /// Where the promise is due.
    pub(crate) fn from(&self, terms: &wherefore_smt::SmtTerms) -> SmtStart {
        match terms.as_bool(self.asked) {
            Some(true) => SmtStart::Reachable,
            _ => SmtStart::Where(infix::text(terms, self.asked)),
        }
    }

    /// What must happen where the promise is due.
    pub(crate) fn goal(&self) -> LivenessGoal {
        LivenessGoal {
            start: self.asked,
            stay: self.stay,
            goal: self.kept,
        }
    }

    /// The system with a counter of steps since the promise, and that it stays below a bound.
    pub(crate) fn within(&self, kripke: &PlaceGraph, steps: usize) -> Option<Safety> {
        let mut kripke = kripke.clone();
        let terms = kripke.terms();
        let current = terms.declare("waited", &[], SortId::INT);
        let next = terms.declare("waited!next", &[], SortId::INT);
        let (now, then) = (terms.var(current), terms.var(next));
        let (zero, one, most) = (terms.int(0), terms.int(1), terms.int(steps as i64));
        let waiting = terms.less(zero, now);
        let waiting = terms.or(&[waiting, self.asked]);
        let not_kept = terms.not(self.kept);
        let waiting = terms.and(&[waiting, not_kept]);
        let more = terms.op(wherefore_smt::SmtOp::Add, &[now, one]);
        let count = terms.ite(waiting, more, zero);
        let counts = terms.equal(then, count);
        let starts = terms.equal(now, zero);
        let below = terms.less(now, most);
        // A promise that is kept now is in time, whatever the counter says.
        let in_time = terms.or(&[self.kept, below]);
        let not_waiting = terms.not(waiting);
        let stays = terms.or(&[not_waiting, self.stay]);
        let mut good = vec![in_time, stays];
        let (init, trans) = (kripke.system.init, kripke.trans);
        if kripke.deadlock == Deadlock::Fail {
            // A promise that is open at a dead end is never kept.
            let live = kripke.live?;
            good.push(kripke.terms().or(&[not_waiting, live]));
        }
        let terms = kripke.terms();
        let good = terms.and(&good);
        let init = terms.and(&[init, starts]);
        let trans = terms.and(&[trans, counts]);
        kripke.system.init = init;
        kripke.trans = trans;
        kripke.system.state.push(StateVar {
            name: "waited".to_string(),
            current,
            next,
            span: None,
        });
        Some(Safety {
            kripke,
            good,
            until: None,
        })
    }
}

/// Decides `AG (p -> A[r U q])` as far as a bound does: one step, two, four, and so on.
pub(crate) fn promises(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let mut kripke = kripke.clone();
    let Some(promise) = Promise::of(&mut kripke, part) else {
        return SmtFinding::Open(Vec::new());
    };
    let mut steps = 1;
    let mut passed = None;
    let mut tried = Vec::new();
    while steps <= MOST_STEPS.min(choices.bound.max(1)) {
        let Some(safety) = promise.within(&kripke, steps) else {
            break;
        };
        match invariant(&safety, &choices.solvers, choices.limits, budget) {
            Ok(Horn::Safe(mut proof)) => {
                let terms = &kripke.system.terms;
                proof.engine = "step counter and Spacer".to_string();
                let reach = SmtCertificate::Reach {
                    every: true,
                    from: promise.from(terms),
                    goal: infix::text(terms, promise.kept),
                    steps,
                };
                let counter = SmtCertificate::Counter {
                    name: "waited".to_string(),
                    counts: match promise.from(terms) {
                        SmtStart::Where(asked) => {
                            format!(
                                "the steps since `{asked}` until `{}`",
                                infix::text(terms, promise.kept)
                            )
                        }
                        _ => format!("the steps until `{}`", infix::text(terms, promise.kept)),
                    },
                };
                proof.certificates.splice(0..0, [reach, counter]);
                return SmtFinding::Holds(proof);
            }
            Ok(Horn::Unsafe) => passed = Some(steps),
            Ok(Horn::Unknown(why)) => {
                let within = format!("proofs within {steps} steps");
                tried.push(SmtAttempt::new(within, why));
                break;
            }
            Err(trouble) => {
                let within = format!("proofs within {steps} steps");
                tried.push(SmtAttempt::new(within, interrupted(&trouble)));
                break;
            }
        }
        steps *= 2;
    }
    if let Some(passed) = passed {
        let within = format!("proofs within {passed} steps");
        tried.insert(0, SmtAttempt::new(within, "it may take longer"));
    }
    SmtFinding::Open(tried)
}
