//! What ranks have in common: the states that are passed on the way to a goal, described by an invariant.
//!
//! For `AF q` the way begins in initial states. For a promise under `AG` it begins wherever the promise is made, among
//! the states of an invariant.

use wherefore_base::Budget;
use wherefore_smt::{SmtCtl, SmtTermId, infix};

use crate::always::Promise;
use crate::answer::{SmtAttempt, SmtCertificate, SmtObligation, SmtOptions};
use crate::asker::TermSession;
use crate::houdini::{candidates, conditions, houdini, obligations};
use crate::kripke::PlaceGraph;
use crate::toward::LivenessGoal;
use crate::trouble::SolverTrouble;

/// The way to a goal that must be reached, and what is shown of it already.
pub(crate) struct Approach {
    pub(crate) kripke: PlaceGraph,
    pub(crate) asker: TermSession,
    /// What holds in all states on the way.
    pub(crate) region: SmtTermId,
    pub(crate) goal: SmtTermId,
    /// The goal in words.
    pub(crate) shown: String,
    /// The steps on the way: those that neither start in the goal nor reach it.
    pub(crate) trans: SmtTermId,
    pub(crate) duties: Vec<SmtObligation>,
    /// What carries the proof so far: the invariants.
    pub(crate) certificates: Vec<SmtCertificate>,
}

impl Approach {
    /// The way of `AF q`, `A[p U q]` or of such a promise under `AG`; otherwise what was tried.
    pub(crate) fn of(
        kripke: &PlaceGraph,
        part: &SmtCtl,
        choices: &SmtOptions,
        budget: &Budget,
    ) -> Result<Result<Self, Vec<SmtAttempt>>, SolverTrouble> {
        let mut kripke = kripke.clone();
        if kripke.system.has_functions() {
            return Ok(Err(Vec::new()));
        }
        let goal = LivenessGoal::of(&mut kripke, part);
        let promise = match goal {
            Some(_) => None,
            None => Promise::of(&mut kripke, part),
        };
        if goal.is_none() && promise.is_none() {
            return Ok(Err(Vec::new()));
        }
        let solver = &choices.solvers[0];
        let mut asker = TermSession::start(solver, &kripke.system.terms, choices.limits, budget)?;
        let mut duties = Vec::new();
        let mut certificates = Vec::new();
        let goal = match (goal, promise) {
            (Some(goal), _) => goal,
            (None, None) => return Ok(Err(Vec::new())),
            (None, Some(promise)) => {
                let guesses = candidates(&mut kripke, &[promise.asked, promise.kept]);
                let (init, trans) = (kripke.system.init, kripke.trans);
                let kept = houdini(&mut kripke, init, trans, guesses, &mut asker, budget)?;
                let invariant = kripke.terms().and(&kept);
                let shows = obligations(&kripke, init, trans, invariant, "the invariant");
                duties.extend(shows);
                if !kept.is_empty() {
                    certificates.push(SmtCertificate::Invariant {
                        condition: conditions(&kripke, &kept),
                        until: None,
                        implies: None,
                    });
                }
                // From here on all states satisfy the invariant.
                let primed = kripke.system.primed(invariant);
                kripke.trans = kripke.terms().and(&[invariant, trans, primed]);
                let start = kripke.terms().and(&[invariant, promise.asked]);
                LivenessGoal {
                    start,
                    stay: promise.stay,
                    goal: promise.kept,
                }
            }
        };
        let open = kripke.terms().not(goal.goal);
        let open_next = kripke.system.primed(open);
        let trans = kripke.trans;
        let trans = kripke.terms().and(&[open, trans, open_next]);
        let start = kripke.terms().and(&[goal.start, open]);
        let guesses = candidates(&mut kripke, &[goal.goal, goal.start]);
        let held = houdini(&mut kripke, start, trans, guesses, &mut asker, budget)?;
        let region = kripke.terms().and(&held);
        duties.extend(obligations(&kripke, start, trans, region, "the region"));
        let passed = kripke.terms().and(&[region, open]);
        match goal.way(&kripke, passed, &mut asker, budget)? {
            Ok(duty) => duties.extend(duty),
            Err(tried) => return Ok(Err(tried)),
        }
        let shown = infix::text(&kripke.system.terms, goal.goal);
        if !held.is_empty() {
            certificates.push(SmtCertificate::OnTheWay {
                condition: conditions(&kripke, &held),
                goal: shown.clone(),
            });
        }
        Ok(Ok(Self {
            kripke,
            asker,
            region,
            goal: goal.goal,
            shown,
            trans,
            duties,
            certificates,
        }))
    }
}
