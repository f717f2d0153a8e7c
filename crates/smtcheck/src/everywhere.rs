//! What holds in every state of an invariant: `AG f` for any `f` that unrolling can prove.
//!
//! Vakili and Day (2014) prove `AG f` by proving `f` in every state, reachable or not. Here it is proved in every state of an
//! invariant, which is found by elimination and may be as weak as "every state". What fails there says nothing.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{SmtCtl, SmtTermId, infix};

use crate::always::Promise;
use crate::answer::{SmtAttempt, SmtCertificate, SmtOptions, SmtStart};
use crate::asker::TermSession;
use crate::finding::SmtFinding;
use crate::houdini::{candidates, houdini_invariant, shown};
use crate::kripke::PlaceGraph;
use crate::trouble::SolverTrouble;
use crate::unroll::{From, SmtUnrolling};

/// The most steps within which `f` must be decided.
const MOST_STEPS: usize = 12;

/// Proves `AG f` from an invariant, if it can.
pub(crate) fn everywhere(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let mut kripke = kripke.clone();
    let SmtCtl::Globally(For::Forall, inner) = part else {
        return SmtFinding::Open(Vec::new());
    };
    if inner.state(kripke.terms()).is_some() || kripke.system.has_functions() {
        return SmtFinding::Open(Vec::new());
    }
    let found = invariant(&mut kripke, inner, choices, budget);
    let (invariant, duties) = match found {
        Ok(found) => found,
        Err(trouble) => {
            return SmtFinding::stopped("invariants", &trouble);
        }
    };
    let unrolling = SmtUnrolling {
        kripke: &kripke,
        formula: inner,
        from: From::Where(invariant),
        bound: choices.bound.min(MOST_STEPS),
        solver: &choices.solvers[0],
        limits: choices.limits,
    };
    match unrolling.decide(budget) {
        SmtFinding::Holds(mut proof) => {
            proof.engine = "unrolling from an invariant".to_string();
            due_where_promised(&mut kripke, part, &mut proof.certificates);
            proof.certificates.extend(shown(&mut kripke, invariant));
            proof.obligations.splice(0..0, duties);
            SmtFinding::Holds(proof)
        }
        _ => {
            let steps = choices.bound.min(MOST_STEPS);
            let tried = format!("proofs within {steps} steps from an invariant");
            SmtFinding::Open(SmtAttempt::none(tried))
        }
    }
}

/// What is reached within a number of steps from every state of the invariant is so from every state where it is promised.
fn due_where_promised(
    kripke: &mut PlaceGraph,
    part: &SmtCtl,
    certificates: &mut Vec<SmtCertificate>,
) {
    let promise = Promise::of(kripke, part);
    for certificate in certificates {
        match (&promise, &mut *certificate) {
            (_, SmtCertificate::Reach { from, .. }) => *from = SmtStart::Reachable,
            (Some(promise), SmtCertificate::Bound(steps)) => {
                let terms = &kripke.system.terms;
                *certificate = SmtCertificate::Reach {
                    every: true,
                    from: promise.from(terms),
                    goal: infix::text(terms, promise.kept),
                    steps: *steps,
                };
            }
            _ => {}
        }
    }
}

fn invariant(
    kripke: &mut PlaceGraph,
    inner: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<(SmtTermId, Vec<crate::answer::SmtObligation>), SolverTrouble> {
    let mut asker = TermSession::start(
        &choices.solvers[0],
        &kripke.system.terms,
        choices.limits,
        budget,
    )?;
    let mut atoms = Vec::new();
    collect(inner, &mut atoms);
    let guesses = candidates(kripke, &atoms);
    let (init, trans) = (kripke.system.init, kripke.trans);
    houdini_invariant(kripke, init, trans, guesses, &mut asker, budget)
}

/// The conditions that a formula speaks of.
fn collect(formula: &SmtCtl, out: &mut Vec<SmtTermId>) {
    let mut go = |f: &SmtCtl| wherefore_base::deep(|| collect(f, out));
    match formula {
        SmtCtl::Atom(term) => out.push(*term),
        SmtCtl::Not(inner)
        | SmtCtl::Next(_, inner)
        | SmtCtl::Finally(_, inner)
        | SmtCtl::Globally(_, inner) => go(inner),
        SmtCtl::And(parts) | SmtCtl::Or(parts) => parts.iter().for_each(go),
        SmtCtl::Until(_, a, b) | SmtCtl::WeakUntil(_, a, b) => {
            go(a);
            go(b);
        }
    }
}
