//! Deciding a property: what must be known first, the parts one by one, the engines side by side.

use std::time::{Duration, Instant};

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{Class, Ctl, Deadlock, Property, System, TermId};

use crate::always::{always, promises};
use crate::answer::{Answer, Certificate, Choices, Engine, Obligation, Proof, Refutation, Verdict};
use crate::asker::Asker;
use crate::cover::cover;
use crate::everywhere::everywhere;
use crate::finding::Finding;
use crate::kripke::Kripke;
use crate::never::never;
use crate::portfolio::{Runner, ask_all, race};
use crate::process::Limits;
use crate::rank::ranks;
use crate::recurrent::recurrent;
use crate::solver::{Kind, Outcome, Solver};
use crate::stable::stable;
use crate::theory::Theory;
use crate::unroll::{From, Unrolling};

/// How long a question beside the main one may take.
const ASIDE: Duration = Duration::from_secs(3);

/// Decides a property. Whatever stops the work leaves an answer: unknown, with the bounds that were reached.
pub fn decide(
    system: &System,
    property: &Property,
    choices: &Choices,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> Answer {
    let mut system = system.clone();
    if let Some(condition) = property.stable(&mut system.terms) {
        return answered(&system, &Question::Stable(condition), choices, budget, tell);
    }
    match property.ctl(&mut system.terms) {
        Some(formula) => answered(&system, &Question::Ctl(formula), choices, budget, tell),
        None => Answer::unknown(vec![
            "The property has operators that are not of CTL.".to_string(),
        ]),
    }
}

/// Decides a formula whose atoms are terms of the system.
pub fn decide_formula(
    system: &System,
    formula: &Ctl,
    choices: &Choices,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> Answer {
    answered(
        system,
        &Question::Ctl(formula.clone()),
        choices,
        budget,
        tell,
    )
}

/// What is asked.
enum Question {
    /// A formula at every initial state.
    Ctl(Ctl),
    /// A condition that every infinite run satisfies from some time on.
    Stable(TermId),
}

/// What is decided by itself.
enum Part {
    Ctl(Ctl),
    Stable(TermId),
}

fn answered(
    system: &System,
    question: &Question,
    choices: &Choices,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> Answer {
    if choices.solvers.is_empty() {
        return Answer::unknown(vec!["No solver is installed.".to_string()]);
    }
    let mut kripke = Kripke::new(system, choices.deadlock);
    let mut answer = Answer::unknown(Vec::new());
    tell("looking for contradictions and dead ends");
    match ground(&mut kripke, choices, budget) {
        Ground::Contradiction => {
            let why = "The axioms contradict each other: no system satisfies them, so every property would be proved.";
            answer.vacuous = Some(why.to_string());
            answer.reached.push(why.to_string());
            return answer;
        }
        Ground::NothingInitial(proof) => {
            answer.vacuous = Some("No state is initial.".to_string());
            answer.verdict = Verdict::Holds(proof);
            return answer;
        }
        Ground::Fine => {}
        Ground::Unknown => {
            let remark =
                "It is not known whether the axioms can hold together with an initial state.";
            answer.remarks.push(remark.to_string());
        }
    }
    answer.remarks.extend(census(&mut kripke, choices, budget));
    if kripke.deadlock == Deadlock::Error
        && let Some(stop) = dead_ends(&kripke, choices, budget, tell)
    {
        answer.reached.push(stop);
        return answer;
    }
    let parts: Vec<Part> = match question {
        Question::Ctl(formula) => {
            let formula = formula.negation_normal(kripke.terms());
            formula.parts().into_iter().map(Part::Ctl).collect()
        }
        Question::Stable(condition) => vec![Part::Stable(*condition)],
    };
    let mut proofs = Vec::new();
    let mut open = false;
    for (number, part) in parts.iter().enumerate() {
        if parts.len() > 1 {
            tell(&format!("part {} of {}", number + 1, parts.len()));
        }
        let finding = match part {
            Part::Ctl(part) => decide_part(&kripke, part, choices, budget),
            Part::Stable(condition) => stable(&kripke, *condition, choices, budget),
        };
        match finding {
            Finding::Holds(proof) => proofs.push(rechecked(proof, choices, budget)),
            Finding::Fails(mut refutation) => {
                let closed_by = refutation.closed_by.take();
                refutation.closed_by =
                    closed_by.map(|proof| Box::new(rechecked(*proof, choices, budget)));
                answer.verdict = Verdict::Fails(refutation);
                return answer;
            }
            Finding::Open(reached) => {
                open = true;
                answer.reached.extend(reached);
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
        answer.verdict = Verdict::Holds(together(proofs));
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
    system: &System,
    property: &Property,
    choices: &Choices,
) -> Result<Vec<Obligation>, String> {
    let mut kripke = Kripke::new(system, choices.deadlock);
    let Some(formula) = property.ctl(kripke.terms()) else {
        return Err("A property of the form F G p has no first-order theory.".to_string());
    };
    let parts = formula.negation_normal(kripke.terms()).parts();
    let queries = parts.iter().map(|part| {
        let mut kripke = kripke.clone();
        let theory = Theory::new(&mut kripke, part, choices.some)?;
        Ok(Obligation {
            claim: theory_claim(&theory),
            query: theory.query(&mut kripke),
        })
    });
    queries.collect()
}

fn theory_claim(theory: &Theory) -> String {
    match theory.everywhere {
        true => "every state, reachable or not, satisfies what must always hold".to_string(),
        false => "every initial state is in the relation of the property".to_string(),
    }
}

/// Whether there is anything to speak about.
enum Ground {
    Fine,
    Contradiction,
    NothingInitial(Proof),
    Unknown,
}

fn ground(kripke: &mut Kripke, choices: &Choices, budget: &Budget) -> Ground {
    let mut work = kripke.clone();
    let start = work.place();
    let (axioms, init) = (work.axioms, work.system.init);
    let init = work.at(init, start);
    let both = work.terms().and(&[axioms, init]);
    match aside(&mut work, choices, both, budget) {
        Some(Outcome::Sat) => Ground::Fine,
        Some(Outcome::Unsat) => match aside(&mut work, choices, axioms, budget) {
            Some(Outcome::Unsat) => Ground::Contradiction,
            _ => Ground::NothingInitial(Proof {
                engine: "first look".to_string(),
                certificates: vec![Certificate::Bound(0)],
                obligations: vec![Obligation {
                    claim: "no state is initial".to_string(),
                    query: crate::asker::Script::query(work.terms(), "ALL", &[both]),
                }],
                checked_by: vec![choices.solvers[0].title()],
            }),
        },
        Some(Outcome::Unknown(_)) | None => Ground::Unknown,
    }
}

/// What is said about dead ends.
fn census(kripke: &mut Kripke, choices: &Choices, budget: &Budget) -> Option<String> {
    let mut work = kripke.clone();
    let live = work.live?;
    let start = work.place();
    let dead = work.terms().not(live);
    let dead = work.at(dead, start);
    let axioms = work.axioms;
    let both = work.terms().and(&[axioms, dead]);
    match aside(&mut work, choices, both, budget)? {
        Outcome::Unsat => None,
        Outcome::Unknown(_) => Some("It is not known whether there are dead ends.".to_string()),
        Outcome::Sat => Some(match work.deadlock {
            Deadlock::Vacuous => {
                "There are states without a next one; what is said of every path is taken to hold there.".to_string()
            }
            Deadlock::Fail => {
                "There are states without a next one; what has not happened before such a state never does.".to_string()
            }
            Deadlock::Error => "There are states without a next one.".to_string(),
        }),
    }
}

/// With dead ends being errors: why nothing is answered, if there may be one that is reached.
fn dead_ends(
    kripke: &Kripke,
    choices: &Choices,
    budget: &Budget,
    tell: &mut dyn FnMut(&str),
) -> Option<String> {
    tell("making sure that no dead end is reached");
    let Some(live) = kripke.live else {
        return Some("Dead ends of this system cannot be described, so it is not known whether one is reached.".to_string());
    };
    let always = Ctl::Globally(For::Forall, Box::new(Ctl::Atom(live)));
    let mut kripke = kripke.clone();
    kripke.deadlock = Deadlock::Vacuous;
    match decide_part(&kripke, &always, choices, budget) {
        Finding::Holds(_) => None,
        Finding::Fails(refutation) => {
            let steps = refutation
                .runs
                .first()
                .map_or(0, |run| run.trace.states.len().saturating_sub(1));
            Some(format!(
                "A dead end is reached after {steps} steps, and dead ends are errors here."
            ))
        }
        Finding::Open(_) => Some(
            "It is not known whether a dead end is reached, and dead ends are errors here."
                .to_string(),
        ),
    }
}

fn aside(
    kripke: &mut Kripke,
    choices: &Choices,
    formula: TermId,
    budget: &Budget,
) -> Option<Outcome> {
    let limits = Limits {
        question: Some(
            choices
                .limits
                .question
                .map_or(ASIDE, |limit| limit.min(ASIDE)),
        ),
        ..choices.limits
    };
    let mut asker = Asker::start(&choices.solvers[0], &kripke.system.terms, limits, budget).ok()?;
    asker.assert(kripke.terms(), formula);
    asker.check(budget).ok()
}

/// Decides a property that is no conjunction.
fn decide_part(kripke: &Kripke, part: &Ctl, choices: &Choices, budget: &Budget) -> Finding {
    let mut runners = Vec::new();
    let engine = choices.engine;
    let mut terms = kripke.system.terms.clone();
    let class = part.class(&mut terms);
    let many = !kripke.system.parameters.is_empty();
    if choices.some && many {
        runners.push(runner(0, |budget| {
            theory_engine(kripke, part, choices, budget)
        }));
    } else {
        if matches!(engine, Engine::Auto | Engine::Unroll) {
            runners.push(runner(0, |budget| {
                unroll_engine(kripke, part, choices, budget)
            }));
            runners.push(runner(100, |budget| cover(kripke, part, choices, budget)));
        }
        if matches!(engine, Engine::Auto | Engine::Induction) {
            runners.push(runner(0, |budget| always(kripke, part, choices, budget)));
            runners.push(runner(0, |budget| promises(kripke, part, choices, budget)));
            runners.push(runner(300, |budget| {
                everywhere(kripke, part, choices, budget)
            }));
            runners.push(runner(500, |budget| ranks(kripke, part, choices, budget)));
            runners.push(runner(1500, |budget| {
                recurrent(kripke, part, choices, budget)
            }));
            runners.push(runner(200, |budget| never(kripke, part, choices, budget)));
        }
        let theory_after = if engine == Engine::Theory { 0 } else { 10_000 };
        let live = !matches!(class, Class::Other(_) | Class::State);
        if engine == Engine::Theory || (engine == Engine::Auto && live) {
            runners.push(runner(theory_after, |budget| {
                theory_engine(kripke, part, choices, budget)
            }));
        }
    }
    let mut findings = race(runners, Finding::is_definite, budget);
    match findings.last() {
        Some(last) if last.is_definite() => findings.remove(findings.len() - 1),
        _ => Finding::Open(findings.into_iter().flat_map(sentences).collect()),
    }
}

fn runner<'a>(
    after: u64,
    work: impl FnOnce(&Budget) -> Finding + Send + 'a,
) -> Runner<'a, Finding> {
    Runner {
        after: Duration::from_millis(after),
        work: Box::new(work),
    }
}

fn sentences(finding: Finding) -> Vec<String> {
    match finding {
        Finding::Open(sentences) => sentences,
        Finding::Holds(_) | Finding::Fails(_) => Vec::new(),
    }
}

fn unroll_engine(kripke: &Kripke, part: &Ctl, choices: &Choices, budget: &Budget) -> Finding {
    Unrolling {
        kripke,
        formula: part,
        from: From::Init,
        bound: choices.bound,
        solver: &choices.solvers[0],
        limits: choices.limits,
    }
    .decide(budget)
}

/// The one query, asked of all solvers in the ways that helped.
fn theory_engine(kripke: &Kripke, part: &Ctl, choices: &Choices, budget: &Budget) -> Finding {
    let mut kripke = kripke.clone();
    let theory = match Theory::new(&mut kripke, part, choices.some) {
        Ok(theory) => theory,
        Err(why) => return Finding::Open(vec![why]),
    };
    let query = theory.query(&mut kripke);
    let commands = query.trim_end().trim_end_matches("(check-sat)");
    let commands = commands
        .strip_prefix("(set-logic ALL)\n")
        .unwrap_or(commands);
    let begin = Instant::now();
    let replies = ask_all(&ways(&choices.solvers), commands, choices.limits, budget);
    let Some(last) = replies.last() else {
        return Finding::Open(vec![
            "The theory of the property was not asked.".to_string(),
        ]);
    };
    match &last.outcome {
        Ok(Outcome::Unsat) => {
            let patience = begin.elapsed() * 3 + Duration::from_secs(1);
            if let Some(vacuous) = vacuous(&mut kripke, &theory, &last.solver, choices, &budget.within(patience)) {
                return Finding::Open(vec![vacuous]);
            }
            let proof = Proof {
                engine: "theory".to_string(),
                certificates: vec![Certificate::Word],
                obligations: vec![Obligation {
                    claim: theory_claim(&theory),
                    query,
                }],
                checked_by: vec![last.solver.title()],
            };
            match choices.some {
                true => Finding::Fails(Refutation {
                    engine: "theory".to_string(),
                    runs: Vec::new(),
                    closed_by: Some(Box::new(proof)),
                }),
                false => Finding::Holds(proof),
            }
        }
        Ok(Outcome::Sat) if theory.everywhere => Finding::Open(vec![
            "The property is not proved from every state, reachable or not; that says nothing about the reachable ones.".to_string(),
        ]),
        Ok(Outcome::Sat) => Finding::Open(vec![
            "The theory of the property has a model, so it is not proved; that is no counterexample.".to_string(),
        ]),
        _ => Finding::Open(replies.iter().map(|reply| {
            let solver = reply.solver.title();
            match &reply.outcome {
                Ok(Outcome::Unknown(why)) => format!("{solver} cannot decide the theory of the property: {why}."),
                Ok(_) => format!("{solver} decides the theory of the property."),
                Err(trouble) => format!("{solver} did not decide the theory of the property: {trouble}."),
            }
        }).collect()),
    }
}

/// Why a proof by theory says nothing, if it does not: the solver that found it proves the false as well.
fn vacuous(
    kripke: &mut Kripke,
    theory: &Theory,
    solver: &Solver,
    choices: &Choices,
    budget: &Budget,
) -> Option<String> {
    let query = theory.vacuity(kripke);
    let commands = query.trim_end().trim_end_matches("(check-sat)");
    let commands = commands
        .strip_prefix("(set-logic ALL)\n")
        .unwrap_or(commands);
    let replies = ask_all(
        std::slice::from_ref(solver),
        commands,
        choices.limits,
        budget,
    );
    let contradicts = replies
        .iter()
        .any(|reply| reply.outcome == Ok(Outcome::Unsat));
    contradicts
        .then(|| "The theory contradicts itself, so it would prove every property.".to_string())
}

/// The solvers, each in the ways that no other of its ways makes useless.
fn ways(solvers: &[Solver]) -> Vec<Solver> {
    let mut all = solvers.to_vec();
    for solver in solvers {
        match solver.kind {
            Kind::Z3 => all.push(solver.with(&["smt.arith.solver=2"])),
            Kind::Cvc5 => all.push(solver.with(&["--quant-ind"])),
            Kind::Other => {}
        }
    }
    all
}

/// Lets the other solvers discharge the obligations again.
fn rechecked(mut proof: Proof, choices: &Choices, budget: &Budget) -> Proof {
    if choices.recheck.is_zero() {
        return proof;
    }
    for solver in &choices.solvers {
        if proof.checked_by.contains(&solver.title()) {
            continue;
        }
        let budget = budget.within(choices.recheck);
        let discharged = proof.obligations.iter().all(|obligation| {
            let query = obligation.query.replace("(check-sat)\n", "");
            let commands = query.split_once('\n').map_or("", |(_, rest)| rest);
            let replies = ask_all(
                std::slice::from_ref(solver),
                commands,
                choices.limits,
                &budget,
            );
            replies
                .iter()
                .any(|reply| reply.outcome == Ok(Outcome::Unsat))
        });
        if discharged {
            proof.checked_by.push(solver.title());
        }
    }
    proof
}

/// One proof of several: checked by those who checked all of them.
fn together(proofs: Vec<Proof>) -> Proof {
    let mut all = proofs.into_iter();
    let Some(mut first) = all.next() else {
        return Proof {
            engine: "first look".to_string(),
            certificates: vec![Certificate::Bound(0)],
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
                    (Certificate::Bound(_), Certificate::Bound(_)) => true,
                    (known, new) => known == new,
                });
            match at.map(|at| &mut first.certificates[at]) {
                None => first.certificates.push(certificate),
                Some(Certificate::Bound(old)) => {
                    if let Certificate::Bound(new) = certificate {
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
