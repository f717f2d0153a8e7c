//! Unrolling: bounded proofs of what must happen, and runs that refute it.
//!
//! A property of CTL-live that follows from first-order axioms at all is true within some fixed number of steps: if no
//! number were enough, compactness would give one state from which none is, and with it a run that refutes the property. So
//! asking for 0, 1, 2, ... steps with queries that mostly have no quantifiers loses nothing against the one query of
//! Vakili and Day (2014), and where the property fails it finds a run: to a state that cannot be, or into a loop.

use std::time::{Duration, Instant};

use wherefore_base::Budget;
use wherefore_logic::Quantifier;
use wherefore_smt::{SmtCtl, SmtTerm, SmtTermId, SmtTerms, Sort, infix};

use crate::answer::{
    RefutationRun, SmtAttempt, SmtCertificate, SmtObligation, SmtProof, SmtRefutation, SmtStart,
};
use crate::asker::{Script, TermSession};
use crate::finding::{SmtFinding, interrupted};
use crate::kripke::{PlaceGraph, StateCopy};
use crate::plan::{BoundedReading, WitnessPlan};
use crate::process::ProcessLimits;
use crate::quantified::bounded_term;
use crate::solver::{Satisfiability, SmtSolver, SolverKind};
use crate::traces;
use crate::trouble::SolverTrouble;

/// How long searches for a loop may take beyond half of what proofs took, while there is hope for a proof.
const LOOP_TIME: Duration = Duration::from_millis(150);

/// Where the runs start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum From {
    /// In initial states.
    Init,
    /// In states that satisfy this.
    Where(SmtTermId),
}

/// The question of one unrolling.
pub(crate) struct SmtUnrolling<'a> {
    pub(crate) kripke: &'a PlaceGraph,
    pub(crate) formula: &'a SmtCtl,
    pub(crate) from: From,
    pub(crate) bound: usize,
    pub(crate) solver: &'a SmtSolver,
    pub(crate) limits: ProcessLimits,
}

/// How far an unrolling came.
#[derive(Clone, Copy, Debug, Default)]
struct UnrollingReach {
    /// No proof has so many steps.
    proof: Option<usize>,
    /// No refuting run has so many steps.
    runs: Option<usize>,
    proof_ended: bool,
    runs_ended: bool,
}

impl SmtUnrolling<'_> {
    /// Goes on until there is an answer, the bound is reached, or nothing more can be tried.
    pub(crate) fn decide(&self, budget: &Budget) -> SmtFinding {
        let mut reached = UnrollingReach::default();
        let mut notes = Vec::new();
        let ended = self.search(&mut reached, &mut notes, budget);
        match ended {
            Ok(Some(finding)) => return finding,
            Ok(None) => {}
            // How far it came is told below.
            Err(SolverTrouble::Stopped(_)) => {}
            Err(trouble) => notes.push(SmtAttempt::new("longer runs", interrupted(&trouble))),
        }
        let mut tried = Vec::new();
        if let Some(steps) = reached.proof {
            tried.push(SmtAttempt::new(
                format!("proofs up to {}", steps_text(steps)),
                "none found",
            ));
        }
        if let Some(steps) = reached.runs {
            tried.push(SmtAttempt::new(
                format!("runs up to {}", steps_text(steps)),
                "no failure",
            ));
        }
        tried.extend(notes);
        SmtFinding::Open(tried)
    }

    /// The same without a search for refuting runs.
    pub(crate) fn prove_only(&self, budget: &Budget) -> SmtFinding {
        let mut reached = UnrollingReach {
            runs_ended: true,
            ..UnrollingReach::default()
        };
        match self.search(&mut reached, &mut Vec::new(), budget) {
            Ok(Some(finding)) => finding,
            Ok(None) | Err(_) => SmtFinding::Open(Vec::new()),
        }
    }

    /// Runs that refute the formula, with no search for a proof; none if there are none that are soon found.
    pub(crate) fn runs_only(&self, budget: &Budget) -> Vec<RefutationRun> {
        let mut reached = UnrollingReach {
            proof_ended: true,
            ..UnrollingReach::default()
        };
        match self.search(&mut reached, &mut Vec::new(), budget) {
            Ok(Some(SmtFinding::Fails(refutation))) => refutation.runs,
            _ => Vec::new(),
        }
    }

    fn search(
        &self,
        reached: &mut UnrollingReach,
        notes: &mut Vec<SmtAttempt>,
        budget: &Budget,
    ) -> Result<Option<SmtFinding>, SolverTrouble> {
        let mut kripke = self.kripke.clone();
        let denied = self.formula.negated(kripke.terms());
        // Proofs leave fairness out, which only adds paths that refute. A run that refutes must go on fairly.
        let denied_fairly = fair_paths(&mut kripke, &denied);
        let depth_matters = has_paths(&denied);
        let mut asker = TermSession::start(self.solver, &kripke.system.terms, self.limits, budget)?;
        let mut steps = 0;
        let mut loops_from = 0;
        let (mut for_proofs, mut for_loops) = (Duration::ZERO, Duration::ZERO);
        loop {
            budget.check()?;
            if !reached.proof_ended {
                let mut work = kripke.clone();
                let begin = Instant::now();
                let attempt = self.prove(&mut work, &mut asker, &denied, steps, budget)?;
                for_proofs += begin.elapsed();
                match attempt {
                    UnrollingAttempt::Proved(proof) => return Ok(Some(SmtFinding::Holds(proof))),
                    UnrollingAttempt::Open => reached.proof = Some(steps),
                    UnrollingAttempt::Unknown(why) => {
                        let within = format!("a proof within {}", steps_text(steps));
                        let why = format!("{} cannot say: {why}", self.solver.title());
                        notes.push(SmtAttempt::new(within, why));
                        reached.proof_ended = true;
                    }
                    UnrollingAttempt::Impossible => reached.proof_ended = true,
                }
            }
            // Without operators about paths every number of steps gives the same query.
            let last = !depth_matters || steps >= self.bound;
            let hurry = !reached.proof_ended && !last;
            let allowed = (for_proofs / 2 + LOOP_TIME).saturating_sub(for_loops);
            let due = steps >= loops_from && (!hurry || !allowed.is_zero());
            if !reached.runs_ended && (due || last) {
                // A longer plan contains the shorter lassos with their loops unrolled, so lengths may be
                // skipped.
                loops_from = steps + 1 + steps / 3;
                let mut work = kripke.clone();
                let begin = Instant::now();
                let time = hurry.then_some(allowed);
                let refuting =
                    self.refute(&mut work, &mut asker, &denied_fairly, steps, time, budget)?;
                for_loops += begin.elapsed();
                match refuting {
                    Refuting::Found(refutation) => return Ok(Some(SmtFinding::Fails(refutation))),
                    Refuting::None => reached.runs = Some(steps),
                    // The time was cut short for the sake of proofs: a later turn asks again.
                    Refuting::Unknown if hurry => {}
                    Refuting::Unknown => {
                        let runs = format!("runs of {}", steps_text(steps));
                        let why = format!("{} cannot say", self.solver.title());
                        notes.push(SmtAttempt::new(runs, why));
                        reached.runs_ended = true;
                    }
                    Refuting::Unconfirmed(why) => {
                        let runs = format!("runs of {}", steps_text(steps));
                        notes.push(SmtAttempt::new(runs, why));
                        reached.runs_ended = true;
                    }
                    Refuting::Impossible => reached.runs_ended = true,
                }
            }
            let nothing_left = reached.proof_ended && reached.runs_ended;
            if nothing_left || last {
                return Ok(None);
            }
            steps = match reached.proof_ended {
                true => loops_from,
                // A proof within some number of steps is one within any greater number: skipped lengths lose
                // none.
                false => steps + 1 + steps / 16,
            };
            steps = steps.min(self.bound);
        }
    }

    fn start(&self, kripke: &mut PlaceGraph) -> (StateCopy, SmtTermId) {
        let start = kripke.place();
        let from = match self.from {
            From::Init => kripke.system.init,
            From::Where(term) => term,
        };
        let from = kripke.at(from, start);
        let axioms = kripke.axioms;
        (start, kripke.terms().and(&[axioms, from]))
    }

    fn prove(
        &self,
        kripke: &mut PlaceGraph,
        asker: &mut TermSession,
        denied: &SmtCtl,
        steps: usize,
        budget: &Budget,
    ) -> Result<UnrollingAttempt, SolverTrouble> {
        if !kripke.system.fairness.is_empty() && chooses_paths(self.formula) {
            return Ok(UnrollingAttempt::Impossible);
        }
        let (start, from) = self.start(kripke);
        let plan = WitnessPlan::new(kripke, denied, start, steps, BoundedReading::AtMost);
        let goal = match plan {
            Some(plan) => Some(plan.term(kripke)),
            None => bounded_term(kripke, denied, start, steps, BoundedReading::AtMost),
        };
        let Some(goal) = goal else {
            return Ok(UnrollingAttempt::Impossible);
        };
        asker.push();
        asker.assert(kripke.terms(), from);
        asker.assert(kripke.terms(), goal);
        // The tactic qsat decides quantified linear arithmetic, where instantiation may go on for ever.
        let plain =
            kripke.system.terms.has_quantifier(goal) && !needs_theories(kripke, &[from, goal]);
        let outcome = match self.solver.kind {
            SolverKind::Z3 if plain => asker.check_by("(check-sat-using qsat)", budget)?,
            _ => asker.check(budget)?,
        };
        asker.pop();
        Ok(match outcome {
            Satisfiability::Sat => UnrollingAttempt::Open,
            Satisfiability::Unknown(why) => UnrollingAttempt::Unknown(why),
            Satisfiability::Unsat => {
                let claim = match self.from {
                    From::Init => format!("no initial state avoids the property for {steps} steps"),
                    From::Where(_) => {
                        format!("no state of the invariant avoids the property for {steps} steps")
                    }
                };
                let query = Script::query(kripke.terms(), "ALL", &[from, goal]);
                UnrollingAttempt::Proved(SmtProof {
                    engine: "unrolling".to_string(),
                    certificates: vec![reach(&kripke.system.terms, self.formula, steps)],
                    obligations: vec![SmtObligation { claim, query }],
                    checked_by: vec![self.solver.title()],
                })
            }
        })
    }

    fn refute(
        &self,
        kripke: &mut PlaceGraph,
        asker: &mut TermSession,
        denied: &SmtCtl,
        steps: usize,
        time: Option<Duration>,
        budget: &Budget,
    ) -> Result<Refuting, SolverTrouble> {
        // A state of an invariant need not be reachable, so a run from it refutes nothing.
        if self.from != From::Init {
            return Ok(Refuting::Impossible);
        }
        let (start, from) = self.start(kripke);
        let Some(plan) = WitnessPlan::new(kripke, denied, start, steps, BoundedReading::Surely)
        else {
            return Ok(Refuting::Impossible);
        };
        let goal = plan.term(kripke);
        asker.push();
        asker.assert(kripke.terms(), from);
        asker.assert(kripke.terms(), goal);
        let outcome = match time {
            Some(time) => asker.check_briefly(time, budget)?,
            None => asker.check(budget)?,
        };
        let refuting = match outcome {
            Satisfiability::Unsat => Refuting::None,
            Satisfiability::Unknown(_) => Refuting::Unknown,
            Satisfiability::Sat => match traces::runs(kripke, asker, &plan, start, true, budget)? {
                Ok(runs) => Refuting::Found(SmtRefutation {
                    engine: "unrolling".to_string(),
                    runs,
                    closed_by: None,
                }),
                Err(why) => Refuting::Unconfirmed(why),
            },
        };
        asker.pop();
        Ok(refuting)
    }
}

/// "1 step", "5 steps"
fn steps_text(steps: usize) -> String {
    match steps {
        1 => "1 step".to_string(),
        n => format!("{n} steps"),
    }
}

/// That so many steps from every initial state show a formula.
pub(crate) fn reach(terms: &SmtTerms, formula: &SmtCtl, steps: usize) -> SmtCertificate {
    let mut terms = terms.clone();
    let (every, goal) = match formula {
        SmtCtl::Finally(path, goal) | SmtCtl::Until(path, _, goal) => {
            (*path == Quantifier::Forall, goal.state(&mut terms))
        }
        _ => (false, None),
    };
    match goal.filter(|&goal| terms.as_bool(goal).is_none()) {
        Some(goal) => SmtCertificate::Reach {
            every,
            from: SmtStart::Initial,
            goal: infix::text(&terms, goal),
            steps,
        },
        None => SmtCertificate::Bound(steps),
    }
}

enum UnrollingAttempt {
    Proved(SmtProof),
    Open,
    Unknown(String),
    Impossible,
}

enum Refuting {
    Found(SmtRefutation),
    None,
    Unknown,
    Unconfirmed(String),
    Impossible,
}

/// Whether the formula (negations at atoms) says of some path that it exists: where there is fairness, such a path would have
/// to go on fairly, which bounded proofs do not show.
pub(crate) fn chooses_paths(formula: &SmtCtl) -> bool {
    quantifies(formula, wherefore_logic::Quantifier::Exists)
}

/// Whether the formula (negations at atoms) says something of all paths, so that no run alone shows it.
pub(crate) fn speaks_of_all_paths(formula: &SmtCtl) -> bool {
    quantifies(formula, wherefore_logic::Quantifier::Forall)
}

fn quantifies(formula: &SmtCtl, wanted: wherefore_logic::Quantifier) -> bool {
    let go = |f: &SmtCtl| wherefore_base::deep(|| quantifies(f, wanted));
    match formula {
        SmtCtl::Atom(_) => false,
        SmtCtl::Next(path, f) | SmtCtl::Finally(path, f) | SmtCtl::Globally(path, f) => {
            *path == wanted || go(f)
        }
        SmtCtl::Until(path, f, g) | SmtCtl::WeakUntil(path, f, g) => {
            *path == wanted || go(f) || go(g)
        }
        SmtCtl::Not(f) => go(f),
        SmtCtl::And(parts) | SmtCtl::Or(parts) => parts.iter().any(go),
    }
}

/// Whether the number of steps matters to the formula.
fn has_paths(formula: &SmtCtl) -> bool {
    match formula {
        SmtCtl::Atom(_) => false,
        SmtCtl::Not(inner) | SmtCtl::Next(_, inner) => wherefore_base::deep(|| has_paths(inner)),
        SmtCtl::And(parts) | SmtCtl::Or(parts) => {
            parts.iter().any(|f| wherefore_base::deep(|| has_paths(f)))
        }
        SmtCtl::Finally(..) | SmtCtl::Globally(..) | SmtCtl::Until(..) | SmtCtl::WeakUntil(..) => {
            true
        }
    }
}

/// The formula in which every path that is chosen goes on fairly: where there is fairness, what a finite path reaches must
/// be followed by a fair loop.
pub(crate) fn fair_paths(kripke: &mut PlaceGraph, formula: &SmtCtl) -> SmtCtl {
    use wherefore_logic::Quantifier::{Exists, Forall};
    if kripke.system.fairness.is_empty() {
        return formula.clone();
    }
    let always = SmtCtl::Atom(kripke.terms().bool(true));
    let fair = SmtCtl::Globally(Exists, Box::new(always));
    let go = |kripke: &mut PlaceGraph, f: &SmtCtl| {
        Box::new(wherefore_base::deep(|| fair_paths(kripke, f)))
    };
    let fairly = |kripke: &mut PlaceGraph, f: &SmtCtl| {
        Box::new(SmtCtl::And(vec![*go(kripke, f), fair.clone()]))
    };
    match formula {
        // What is said of all paths is said of the fair ones among them as it is.
        SmtCtl::Next(Forall, _)
        | SmtCtl::Finally(Forall, _)
        | SmtCtl::Globally(Forall, _)
        | SmtCtl::Until(Forall, ..)
        | SmtCtl::WeakUntil(Forall, ..) => formula.clone(),
        SmtCtl::Atom(_) => formula.clone(),
        SmtCtl::Not(inner) => SmtCtl::Not(go(kripke, inner)),
        SmtCtl::And(parts) => SmtCtl::And(parts.iter().map(|f| *go(kripke, f)).collect()),
        SmtCtl::Or(parts) => SmtCtl::Or(parts.iter().map(|f| *go(kripke, f)).collect()),
        SmtCtl::Next(q, inner) => SmtCtl::Next(*q, fairly(kripke, inner)),
        SmtCtl::Finally(q, inner) => SmtCtl::Finally(*q, fairly(kripke, inner)),
        // A path that never ends closes a loop, and the plan asks for fairness in it.
        SmtCtl::Globally(q, inner) => SmtCtl::Globally(*q, go(kripke, inner)),
        // States before the goal need nothing of their own: the path goes through the goal and on from there.
        SmtCtl::Until(q, a, b) => SmtCtl::Until(*q, go(kripke, a), fairly(kripke, b)),
        SmtCtl::WeakUntil(q, a, b) => SmtCtl::WeakUntil(*q, go(kripke, a), fairly(kripke, b)),
    }
}

/// Whether the formulas are about more than linear arithmetic and finite sorts, so that quantifiers cannot be eliminated.
fn needs_theories(kripke: &PlaceGraph, formulas: &[SmtTermId]) -> bool {
    let terms = &kripke.system.terms;
    formulas.iter().any(|&formula| {
        terms.any(formula, |term| match term {
            SmtTerm::Apply(symbol, args) => {
                let sort = terms.sorts.get(terms.info(*symbol).sort);
                !args.is_empty() || matches!(sort, Sort::Array(..) | Sort::Uninterpreted(_))
            }
            _ => false,
        })
    })
}
