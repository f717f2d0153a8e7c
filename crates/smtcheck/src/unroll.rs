//! Unrolling: bounded proofs of what must happen, and runs that refute it.
//!
//! A property of CTL-live that follows from first-order axioms at all is true within some fixed number of steps: if no
//! number were enough, compactness would give one state from which none is, and with it a run that refutes the property. So
//! asking for 0, 1, 2, ... steps with queries that mostly have no quantifiers loses nothing against the one query of
//! Vakili and Day (2014), and where the property fails it finds a run: to a state that cannot be, or into a loop.

use std::time::{Duration, Instant};

use wherefore_base::Budget;
use wherefore_smt::{Ctl, Sort, Term, TermId};

use crate::answer::{Certificate, Obligation, Proof, Refutation};
use crate::asker::{Asker, Script};
use crate::finding::Finding;
use crate::kripke::{Kripke, Place};
use crate::plan::{Bounded, Plan};
use crate::process::Limits;
use crate::quantified::bounded_term;
use crate::solver::{Kind, Outcome, Solver};
use crate::traces;
use crate::trouble::Trouble;

/// How long searches for a loop may take beyond half of what proofs took, while there is hope for a proof.
const LOOP_TIME: Duration = Duration::from_millis(150);

/// Where the runs start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum From {
    /// In initial states.
    Init,
    /// In states that satisfy this.
    Where(TermId),
}

/// The question of one unrolling.
pub(crate) struct Unrolling<'a> {
    pub(crate) kripke: &'a Kripke,
    pub(crate) formula: &'a Ctl,
    pub(crate) from: From,
    pub(crate) bound: usize,
    pub(crate) solver: &'a Solver,
    pub(crate) limits: Limits,
}

/// How far an unrolling came.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    /// No proof has so many steps.
    proof: Option<usize>,
    /// No refuting run has so many steps.
    runs: Option<usize>,
    proof_ended: bool,
    runs_ended: bool,
}

impl Unrolling<'_> {
    /// Goes on until there is an answer, the bound is reached, or nothing more can be tried.
    pub(crate) fn decide(&self, budget: &Budget) -> Finding {
        let mut reached = Reached::default();
        let mut notes = Vec::new();
        let ended = self.search(&mut reached, &mut notes, budget);
        match ended {
            Ok(Some(finding)) => return finding,
            Ok(None) => {}
            Err(trouble) => notes.push(format!(
                "{} stopped the unrolling: {trouble}.",
                self.solver.title()
            )),
        }
        let mut sentences = Vec::new();
        match reached.proof {
            Some(steps) => sentences.push(format!("No proof has up to {steps} steps.")),
            None if reached.proof_ended => {
                sentences.push("Unrolling cannot prove a property of this form.".to_string());
            }
            None => {}
        }
        match reached.runs {
            Some(steps) => sentences.push(format!("No refuting run has up to {steps} steps.")),
            None if reached.runs_ended => {
                sentences.push("No run alone can refute a property of this form.".to_string());
            }
            None => {}
        }
        sentences.extend(notes);
        Finding::Open(sentences)
    }

    /// The same without a search for refuting runs.
    pub(crate) fn prove_only(&self, budget: &Budget) -> Finding {
        let mut reached = Reached {
            runs_ended: true,
            ..Reached::default()
        };
        match self.search(&mut reached, &mut Vec::new(), budget) {
            Ok(Some(finding)) => finding,
            Ok(None) | Err(_) => Finding::Open(Vec::new()),
        }
    }

    fn search(
        &self,
        reached: &mut Reached,
        notes: &mut Vec<String>,
        budget: &Budget,
    ) -> Result<Option<Finding>, Trouble> {
        let mut kripke = self.kripke.clone();
        let denied = self.formula.negated(kripke.terms());
        let denied_fairly = fair_paths(&mut kripke, &denied);
        let depth_matters = has_paths(&denied);
        let mut asker = Asker::start(self.solver, &kripke.system.terms, self.limits, budget)?;
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
                    Attempt::Proved(proof) => return Ok(Some(Finding::Holds(proof))),
                    Attempt::Open => reached.proof = Some(steps),
                    Attempt::Unknown(why) => {
                        notes.push(format!(
                            "{} cannot say whether {steps} steps suffice: {why}.",
                            self.solver.title()
                        ));
                        reached.proof_ended = true;
                    }
                    Attempt::Impossible => reached.proof_ended = true,
                }
            }
            let last = !depth_matters || steps >= self.bound;
            let hurry = !reached.proof_ended && !last;
            let allowed = (for_proofs / 2 + LOOP_TIME).saturating_sub(for_loops);
            let due = steps >= loops_from && (!hurry || !allowed.is_zero());
            if !reached.runs_ended && (due || last) {
                loops_from = steps + 1 + steps / 3;
                let mut work = kripke.clone();
                let begin = Instant::now();
                let time = hurry.then_some(allowed);
                let refuting =
                    self.refute(&mut work, &mut asker, &denied_fairly, steps, time, budget)?;
                for_loops += begin.elapsed();
                match refuting {
                    Refuting::Found(refutation) => return Ok(Some(Finding::Fails(refutation))),
                    Refuting::None => reached.runs = Some(steps),
                    Refuting::Unknown if hurry => {}
                    Refuting::Unknown => {
                        notes.push(format!(
                            "{} cannot say whether a run of {steps} steps refutes it.",
                            self.solver.title()
                        ));
                        reached.runs_ended = true;
                    }
                    Refuting::Unconfirmed(why) => {
                        notes.push(why);
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
                false => steps + 1 + steps / 16,
            };
            steps = steps.min(self.bound);
        }
    }

    fn start(&self, kripke: &mut Kripke) -> (Place, TermId) {
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
        kripke: &mut Kripke,
        asker: &mut Asker,
        denied: &Ctl,
        steps: usize,
        budget: &Budget,
    ) -> Result<Attempt, Trouble> {
        if !kripke.system.fairness.is_empty() && chooses_paths(self.formula) {
            return Ok(Attempt::Impossible);
        }
        let (start, from) = self.start(kripke);
        let plan = Plan::new(kripke, denied, start, steps, Bounded::AtMost);
        let goal = match plan {
            Some(plan) => Some(plan.term(kripke)),
            None => bounded_term(kripke, denied, start, steps, Bounded::AtMost),
        };
        let Some(goal) = goal else {
            return Ok(Attempt::Impossible);
        };
        asker.push();
        asker.assert(kripke.terms(), from);
        asker.assert(kripke.terms(), goal);
        let plain =
            kripke.system.terms.has_quantifier(goal) && !needs_theories(kripke, &[from, goal]);
        let outcome = match self.solver.kind {
            Kind::Z3 if plain => asker.check_by("(check-sat-using qsat)", budget)?,
            _ => asker.check(budget)?,
        };
        asker.pop();
        Ok(match outcome {
            Outcome::Sat => Attempt::Open,
            Outcome::Unknown(why) => Attempt::Unknown(why),
            Outcome::Unsat => {
                let claim = match self.from {
                    From::Init => format!("no initial state avoids the property for {steps} steps"),
                    From::Where(_) => {
                        format!("no state of the invariant avoids the property for {steps} steps")
                    }
                };
                let query = Script::query(kripke.terms(), "ALL", &[from, goal]);
                Attempt::Proved(Proof {
                    engine: "unrolling".to_string(),
                    certificates: vec![Certificate::Bound(steps)],
                    obligations: vec![Obligation { claim, query }],
                    checked_by: vec![self.solver.title()],
                })
            }
        })
    }

    fn refute(
        &self,
        kripke: &mut Kripke,
        asker: &mut Asker,
        denied: &Ctl,
        steps: usize,
        time: Option<Duration>,
        budget: &Budget,
    ) -> Result<Refuting, Trouble> {
        if self.from != From::Init {
            return Ok(Refuting::Impossible);
        }
        let (start, from) = self.start(kripke);
        let Some(plan) = Plan::new(kripke, denied, start, steps, Bounded::Surely) else {
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
            Outcome::Unsat => Refuting::None,
            Outcome::Unknown(_) => Refuting::Unknown,
            Outcome::Sat => match traces::runs(kripke, asker, &plan, start, true, budget)? {
                Ok(runs) => Refuting::Found(Refutation {
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

enum Attempt {
    Proved(Proof),
    Open,
    Unknown(String),
    Impossible,
}

enum Refuting {
    Found(Refutation),
    None,
    Unknown,
    Unconfirmed(String),
    Impossible,
}

/// Whether the formula (negations at atoms) says of some path that it exists: where there is fairness, such a path would have
/// to go on fairly, which bounded proofs do not show.
pub(crate) fn chooses_paths(formula: &Ctl) -> bool {
    quantifies(formula, wherefore_logic::Quantifier::Exists)
}

/// Whether the formula (negations at atoms) says something of all paths, so that no run alone shows it.
pub(crate) fn speaks_of_all_paths(formula: &Ctl) -> bool {
    quantifies(formula, wherefore_logic::Quantifier::Forall)
}

fn quantifies(formula: &Ctl, wanted: wherefore_logic::Quantifier) -> bool {
    let go = |f: &Ctl| wherefore_base::deep(|| quantifies(f, wanted));
    match formula {
        Ctl::Atom(_) => false,
        Ctl::Next(path, f) | Ctl::Finally(path, f) | Ctl::Globally(path, f) => {
            *path == wanted || go(f)
        }
        Ctl::Until(path, f, g) | Ctl::WeakUntil(path, f, g) => *path == wanted || go(f) || go(g),
        Ctl::Not(f) => go(f),
        Ctl::And(parts) | Ctl::Or(parts) => parts.iter().any(go),
    }
}

/// Whether the number of steps matters to the formula.
fn has_paths(formula: &Ctl) -> bool {
    match formula {
        Ctl::Atom(_) => false,
        Ctl::Not(inner) | Ctl::Next(_, inner) => wherefore_base::deep(|| has_paths(inner)),
        Ctl::And(parts) | Ctl::Or(parts) => {
            parts.iter().any(|f| wherefore_base::deep(|| has_paths(f)))
        }
        Ctl::Finally(..) | Ctl::Globally(..) | Ctl::Until(..) | Ctl::WeakUntil(..) => true,
    }
}

/// The formula in which every path that is chosen goes on fairly: where there is fairness, what a finite path reaches must
/// be followed by a fair loop.
pub(crate) fn fair_paths(kripke: &mut Kripke, formula: &Ctl) -> Ctl {
    use wherefore_logic::Quantifier::Exists;
    if kripke.system.fairness.is_empty() {
        return formula.clone();
    }
    let always = Ctl::Atom(kripke.terms().bool(true));
    let fair = Ctl::Globally(Exists, Box::new(always));
    let go =
        |kripke: &mut Kripke, f: &Ctl| Box::new(wherefore_base::deep(|| fair_paths(kripke, f)));
    let fairly =
        |kripke: &mut Kripke, f: &Ctl| Box::new(Ctl::And(vec![*go(kripke, f), fair.clone()]));
    match formula {
        Ctl::Atom(_) => formula.clone(),
        Ctl::Not(inner) => Ctl::Not(go(kripke, inner)),
        Ctl::And(parts) => Ctl::And(parts.iter().map(|f| *go(kripke, f)).collect()),
        Ctl::Or(parts) => Ctl::Or(parts.iter().map(|f| *go(kripke, f)).collect()),
        Ctl::Next(q, inner) => Ctl::Next(*q, fairly(kripke, inner)),
        Ctl::Finally(q, inner) => Ctl::Finally(*q, fairly(kripke, inner)),
        Ctl::Globally(q, inner) => Ctl::Globally(*q, go(kripke, inner)),
        Ctl::Until(q, a, b) => Ctl::Until(*q, go(kripke, a), fairly(kripke, b)),
        Ctl::WeakUntil(q, a, b) => Ctl::WeakUntil(*q, go(kripke, a), fairly(kripke, b)),
    }
}

/// Whether the formulas are about more than linear arithmetic and finite sorts, so that quantifiers cannot be eliminated.
fn needs_theories(kripke: &Kripke, formulas: &[TermId]) -> bool {
    let terms = &kripke.system.terms;
    formulas.iter().any(|&formula| {
        terms.any(formula, |term| match term {
            Term::Apply(symbol, args) => {
                let sort = terms.sorts.get(terms.info(*symbol).sort);
                !args.is_empty() || matches!(sort, Sort::Array(..) | Sort::Uninterpreted(_))
            }
            _ => false,
        })
    })
}
