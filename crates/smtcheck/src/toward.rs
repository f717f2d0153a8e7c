//! On the way to a goal: what must happen, from where, and through which states.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{Deadlock, SmtCtl, SmtTermId};

use crate::answer::{SmtAttempt, SmtObligation};
use crate::asker::{Script, TermSession};
use crate::kripke::PlaceGraph;
use crate::solver::Satisfiability;
use crate::trouble::SolverTrouble;

/// What must happen: from where, along which states, until what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LivenessGoal {
    pub(crate) start: SmtTermId,
    pub(crate) stay: SmtTermId,
    pub(crate) goal: SmtTermId,
}

impl LivenessGoal {
    /// The goal of a disjunction of conditions and one `AF q` or `A[p U q]`.
    pub(crate) fn of(kripke: &mut PlaceGraph, part: &SmtCtl) -> Option<Self> {
        let parts = match part {
            SmtCtl::Or(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let init = kripke.system.init;
        let terms = kripke.terms();
        let (mut conditions, mut found) = (vec![init], None);
        for part in &parts {
            match (part.state(terms), part) {
                // Where a condition holds nothing has to happen: the way begins where all of them fail.
                (Some(condition), _) => conditions.push(terms.not(condition)),
                (None, SmtCtl::Finally(For::Forall, goal)) if found.is_none() => {
                    found = Some((terms.bool(true), goal.state(terms)?));
                }
                (None, SmtCtl::Until(For::Forall, stay, goal)) if found.is_none() => {
                    found = Some((stay.state(terms)?, goal.state(terms)?));
                }
                _ => return None,
            }
        }
        let (stay, goal) = found?;
        Some(Self {
            start: terms.and(&conditions),
            stay,
            goal,
        })
    }

    /// Shows that every state that is passed on the way is as it must be, and none is the end of a path: the obligation,
    /// if that has to be shown at all, or why it is not known.
    pub(crate) fn way(
        &self,
        kripke: &PlaceGraph,
        passed: SmtTermId,
        asker: &mut TermSession,
        budget: &Budget,
    ) -> Result<Result<Option<SmtObligation>, Vec<SmtAttempt>>, SolverTrouble> {
        let mut work = kripke.clone();
        let mut wanted = vec![self.stay];
        if work.deadlock == Deadlock::Fail {
            match work.live {
                Some(live) => wanted.push(live),
                None => return Ok(Err(Vec::new())),
            }
        }
        let wanted = work.terms().and(&wanted);
        if work.terms().as_bool(wanted) == Some(true) {
            return Ok(Ok(None));
        }
        let (at, axioms) = (work.place(), work.axioms);
        let broken = work.terms().not(wanted);
        let all = work.terms().and(&[axioms, passed, broken]);
        let all = work.at(all, at);
        if !refuted(&mut work, asker, all, budget)? {
            let why =
                "not every state on the way to the goal is known to satisfy what must hold there";
            return Ok(Err(vec![SmtAttempt::new("ranking functions", why)]));
        }
        Ok(Ok(Some(SmtObligation {
            claim: "every state on the way satisfies what must hold until the goal".to_string(),
            query: Script::query(work.terms(), "ALL", &[all]),
        })))
    }
}

/// Whether a formula has no model.
pub(crate) fn refuted(
    kripke: &mut PlaceGraph,
    asker: &mut TermSession,
    formula: SmtTermId,
    budget: &Budget,
) -> Result<bool, SolverTrouble> {
    asker.push();
    asker.assert(kripke.terms(), formula);
    let outcome = asker.check(budget);
    asker.pop();
    Ok(outcome? == Satisfiability::Unsat)
}
