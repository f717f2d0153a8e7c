//! Deciding a property: what must be known first, the parts one by one, the engines side by side.

use std::time::{Duration, Instant};

use wherefore_base::{Budget, IndexVec};
use wherefore_logic::{AtomId, Formula, Quantifier as For};
use wherefore_smt::{Deadlock, SmtCtl, SmtProperty, SmtPropertyKind, SmtTermId, TermSystem};

use crate::answer::{SmtAnswer, SmtCertificate, SmtObligation, SmtOptions, SmtProof, SmtVerdict};
use crate::asker::{Script, TermSession};
use crate::auto::{Pace, decide_part, theory_claim};
use crate::finding::SmtFinding;
use crate::horn::body;
use crate::kripke::PlaceGraph;
use crate::linear::linear;
use crate::portfolio::ask_all;
use crate::process::ProcessLimits;
use crate::solver::Satisfiability;
use crate::stable::stable;
use crate::theory::Theory;

/// How long a question beside the main one may take.
const ASIDE: Duration = Duration::from_secs(3);

/// Decides a property. Whatever stops the work leaves an answer: unknown, with the bounds that were reached.
pub fn decide(
    system: &TermSystem,
    property: &SmtProperty,
    choices: &SmtOptions,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> SmtAnswer {
    let mut system = system.clone();
    if let Some(condition) = property.stable(&mut system.terms) {
        return answered(
            &system,
            &SmtQuestion::Stable(condition),
            choices,
            budget,
            tell,
        );
    }
    if property.kind == SmtPropertyKind::Linear {
        let question = SmtQuestion::Linear(property.formula.clone(), property.atoms.clone());
        return answered(&system, &question, choices, budget, tell);
    }
    match property.ctl(&mut system.terms) {
        Some(formula) => answered(&system, &SmtQuestion::Ctl(formula), choices, budget, tell),
        None => SmtAnswer::unknown(vec![
            "The property has operators that are not of CTL.".to_string(),
        ]),
    }
}

/// Decides a formula whose atoms are terms of the system.
pub fn decide_formula(
    system: &TermSystem,
    formula: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> SmtAnswer {
    answered(
        system,
        &SmtQuestion::Ctl(formula.clone()),
        choices,
        budget,
        tell,
    )
}

/// What is asked.
enum SmtQuestion {
    /// A formula at every initial state.
    Ctl(SmtCtl),
    /// A condition that every infinite run satisfies from some time on.
    Stable(SmtTermId),
    /// A formula of linear time, and what its atoms are.
    Linear(Formula, IndexVec<AtomId, SmtTermId>),
}

/// What is decided by itself.
enum DecidedPart<'a> {
    Ctl(SmtCtl),
    Stable(SmtTermId),
    Linear(&'a Formula, &'a IndexVec<AtomId, SmtTermId>),
}

impl SmtQuestion {
    /// The conjuncts of a formula, each decided by itself; anything else is one part.
    fn parts(&self, kripke: &mut PlaceGraph) -> Vec<DecidedPart<'_>> {
        match self {
            SmtQuestion::Ctl(formula) => {
                let formula = formula.negation_normal(kripke.terms());
                formula.parts().into_iter().map(DecidedPart::Ctl).collect()
            }
            SmtQuestion::Stable(condition) => vec![DecidedPart::Stable(*condition)],
            SmtQuestion::Linear(formula, atoms) => vec![DecidedPart::Linear(formula, atoms)],
        }
    }
}

/// Whether the axioms, or initial states that are missing, decide every property; the answer says so then.
fn is_vacuous(ground: Ground, answer: &mut SmtAnswer) -> bool {
    match ground {
        Ground::Contradiction => {
            let why = "The axioms contradict each other: no system satisfies them, so every property would be proved.";
            answer.vacuous = Some(why.to_string());
            answer.reached.push(why.to_string());
            true
        }
        Ground::NothingInitial(proof) => {
            answer.vacuous = Some("No state is initial.".to_string());
            answer.verdict = SmtVerdict::Holds(proof);
            true
        }
        Ground::Fine => false,
        Ground::Unknown => {
            let remark =
                "It is not known whether the axioms can hold together with an initial state.";
            answer.remarks.push(remark.to_string());
            false
        }
    }
}

fn answered(
    system: &TermSystem,
    question: &SmtQuestion,
    choices: &SmtOptions,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> SmtAnswer {
    if choices.solvers.is_empty() {
        return SmtAnswer::unknown(vec!["No solver is installed.".to_string()]);
    }
    let mut kripke = PlaceGraph::new(system, choices.deadlock);
    let mut answer = SmtAnswer::unknown(Vec::new());
    tell("looking for contradictions and dead ends");
    let begin = Instant::now();
    let mut aside = Aside::start(&kripke, choices, budget);
    let ground = ground(&mut kripke, &mut aside, choices, budget);
    if is_vacuous(ground, &mut answer) {
        return answer;
    }
    if choices.dead_ends && kripke.deadlock != Deadlock::Error {
        let remark = census(&mut kripke, &mut aside, budget);
        answer.dead_ends = remark.is_some() && kripke.deadlock == Deadlock::Vacuous;
        answer.remarks.extend(remark);
    }
    drop(aside);
    let pace = Pace::measured(begin.elapsed());
    if kripke.deadlock == Deadlock::Error
        && let Some(stop) = dead_ends(&kripke, choices, pace, budget, tell)
    {
        answer.reached.push(stop);
        return answer;
    }
    let parts = question.parts(&mut kripke);
    let mut proofs = Vec::new();
    let mut open = false;
    for (number, part) in parts.iter().enumerate() {
        if parts.len() > 1 {
            tell(&format!("part {} of {}", number + 1, parts.len()));
        }
        let finding = match part {
            DecidedPart::Ctl(part) => decide_part(&kripke, part, choices, pace, budget),
            DecidedPart::Stable(condition) => stable(&kripke, *condition, choices, budget),
            DecidedPart::Linear(formula, atoms) => linear(&kripke, formula, atoms, choices, budget),
        };
        match finding {
            SmtFinding::Holds(proof) => proofs.push(rechecked(proof, choices, pace, budget)),
            SmtFinding::Fails(mut refutation) => {
                let closed_by = refutation.closed_by.take();
                refutation.closed_by =
                    closed_by.map(|proof| Box::new(rechecked(*proof, choices, pace, budget)));
                answer.verdict = SmtVerdict::Fails(refutation);
                return answer;
            }
            SmtFinding::Open(tried) => {
                open = true;
                // What was tried twice, once inside another search, is told once.
                for attempt in tried {
                    if !answer
                        .tried
                        .iter()
                        .any(|known| known.tried == attempt.tried)
                    {
                        answer.tried.push(attempt);
                    }
                }
                if budget.check().is_err() {
                    break;
                }
            }
        }
    }
    if let Err(stop) = budget.check()
        && open
    {
        answer
            .reached
            .push(format!("The search was stopped: {stop}."));
    }
    if !open {
        answer.verdict = SmtVerdict::Holds(together(proofs));
    }
    if parts.len() > 1 {
        answer.remarks.push(format!(
            "The property is a conjunction; its {} parts are decided one by one.",
            parts.len()
        ));
    }
    answer
}

/// The theory of a property as queries that can be run by hand, one for each part of it.
///
/// # Errors
/// A sentence that says why there is no such theory.
pub fn theory_query(
    system: &TermSystem,
    property: &SmtProperty,
    choices: &SmtOptions,
) -> Result<Vec<SmtObligation>, String> {
    let mut kripke = PlaceGraph::new(system, choices.deadlock);
    let Some(formula) = property.ctl(kripke.terms()) else {
        return Err("A property of runs has no first-order theory.".to_string());
    };
    let parts = formula.negation_normal(kripke.terms()).parts();
    let queries = parts.iter().map(|part| {
        let mut kripke = kripke.clone();
        let theory = Theory::new(&mut kripke, part)?;
        Ok(SmtObligation {
            claim: theory_claim(&theory),
            query: theory.query(&mut kripke),
        })
    });
    queries.collect()
}

/// Whether there is anything to speak about.
enum Ground {
    Fine,
    Contradiction,
    NothingInitial(SmtProof),
    Unknown,
}

fn ground(
    kripke: &mut PlaceGraph,
    aside: &mut Aside,
    choices: &SmtOptions,
    budget: &Budget,
) -> Ground {
    let mut work = kripke.clone();
    let start = work.place();
    let (axioms, init) = (work.axioms, work.system.init);
    let init = work.at(init, start);
    let both = work.terms().and(&[axioms, init]);
    match aside.ask(&mut work, both, budget) {
        Some(Satisfiability::Sat) => Ground::Fine,
        Some(Satisfiability::Unsat) => match aside.ask(&mut work, axioms, budget) {
            Some(Satisfiability::Unsat) => Ground::Contradiction,
            // It does not matter here whether the axioms alone are decided: no state is initial in any case.
            _ => Ground::NothingInitial(SmtProof {
                engine: "first look".to_string(),
                certificates: vec![SmtCertificate::Bound(0)],
                obligations: vec![SmtObligation {
                    claim: "no state is initial".to_string(),
                    query: Script::query(work.terms(), "ALL", &[both]),
                }],
                checked_by: vec![choices.solvers[0].title()],
            }),
        },
        Some(Satisfiability::Unknown(_)) | None => Ground::Unknown,
    }
}

/// What is said about dead ends.
fn census(kripke: &mut PlaceGraph, aside: &mut Aside, budget: &Budget) -> Option<String> {
    let mut work = kripke.clone();
    let live = work.live?;
    let start = work.place();
    let dead = work.terms().not(live);
    let dead = work.at(dead, start);
    let axioms = work.axioms;
    let both = work.terms().and(&[axioms, dead]);
    match aside.ask(&mut work, both, budget)? {
        Satisfiability::Unsat => None,
        Satisfiability::Unknown(_) => Some("It is not known whether there are dead ends.".to_string()),
        Satisfiability::Sat => Some(match work.deadlock {
            Deadlock::Vacuous => {
                "There are states without a next one; what is said of every path is taken to hold there.".to_string()
            }
            Deadlock::Fail => {
                "There are states without a next one; what has not happened before such a state never does.".to_string()
            }
            Deadlock::Error => return None,
        }),
    }
}

/// With dead ends being errors: why nothing is answered, if there may be one that is reached.
fn dead_ends(
    kripke: &PlaceGraph,
    choices: &SmtOptions,
    pace: Pace,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> Option<String> {
    tell("making sure that no dead end is reached");
    let Some(live) = kripke.live else {
        return Some("Dead ends of this system cannot be described, so it is not known whether one is reached.".to_string());
    };
    let always = SmtCtl::Globally(For::Forall, Box::new(SmtCtl::Atom(live)));
    let mut kripke = kripke.clone();
    kripke.deadlock = Deadlock::Vacuous;
    match decide_part(&kripke, &always, choices, pace, budget) {
        SmtFinding::Holds(_) => None,
        SmtFinding::Fails(refutation) => {
            let steps = refutation
                .runs
                .first()
                .map_or(0, |run| run.trace.states.len().saturating_sub(1));
            Some(format!(
                "A dead end is reached after {steps} steps, and dead ends are errors here."
            ))
        }
        SmtFinding::Open(_) => Some(
            "It is not known whether a dead end is reached, and dead ends are errors here."
                .to_string(),
        ),
    }
}

/// A solver for questions beside the main one, if it could be started.
struct Aside(Option<TermSession>);

impl Aside {
    fn start(kripke: &PlaceGraph, choices: &SmtOptions, budget: &Budget) -> Self {
        let limit = choices.limits.question;
        let limits = ProcessLimits {
            question: Some(limit.map_or(ASIDE, |limit| limit.min(ASIDE))),
            ..choices.limits
        };
        let terms = &kripke.system.terms;
        Self(TermSession::start(&choices.solvers[0], terms, limits, budget).ok())
    }

    /// Whether a formula has a model. A solver that is in trouble is not asked again.
    fn ask(
        &mut self,
        kripke: &mut PlaceGraph,
        formula: SmtTermId,
        budget: &Budget,
    ) -> Option<Satisfiability> {
        let mut asker = self.0.take()?;
        asker.push();
        asker.assert(kripke.terms(), formula);
        let outcome = asker.check(budget).ok()?;
        asker.pop();
        self.0 = Some(asker);
        Some(outcome)
    }
}

/// Lets the other solvers discharge the obligations again.
pub(crate) fn rechecked(
    mut proof: SmtProof,
    choices: &SmtOptions,
    pace: Pace,
    budget: &Budget,
) -> SmtProof {
    if choices.recheck.is_zero() {
        return proof;
    }
    for solver in &choices.solvers {
        if proof.checked_by.contains(&solver.title()) {
            continue;
        }
        let budget = budget.within(pace.of(choices.recheck));
        let discharged = proof.obligations.iter().all(|obligation| {
            let commands = body(&obligation.query);
            let replies = ask_all(
                std::slice::from_ref(solver),
                commands,
                choices.limits,
                &budget,
            );
            replies
                .iter()
                .any(|reply| reply.outcome == Ok(Satisfiability::Unsat))
        });
        if discharged {
            proof.checked_by.push(solver.title());
        }
    }
    proof
}

/// One proof of several: checked by those who checked all of them.
pub(crate) fn together(proofs: Vec<SmtProof>) -> SmtProof {
    let mut all = proofs.into_iter();
    let Some(mut first) = all.next() else {
        return SmtProof {
            engine: "first look".to_string(),
            certificates: vec![SmtCertificate::Bound(0)],
            obligations: Vec::new(),
            checked_by: Vec::new(),
        };
    };
    for proof in all {
        first
            .checked_by
            .retain(|solver| proof.checked_by.contains(solver));
        first.obligations.extend(proof.obligations);
        for certificate in proof.certificates {
            let at = first
                .certificates
                .iter()
                .position(|known| match (known, &certificate) {
                    (SmtCertificate::Bound(_), SmtCertificate::Bound(_)) => true,
                    (known, new) => known == new,
                });
            match at.map(|at| &mut first.certificates[at]) {
                None => first.certificates.push(certificate),
                Some(SmtCertificate::Bound(old)) => {
                    if let SmtCertificate::Bound(new) = certificate {
                        *old = new.max(*old);
                    }
                }
                Some(_) => {}
            }
        }
        if !first
            .engine
            .split(", ")
            .any(|engine| engine == proof.engine)
        {
            first.engine = format!("{}, {}", first.engine, proof.engine);
        }
    }
    first
}
