//! What holds in every state of an invariant: `AG f` for any `f` that unrolling can prove.
//!
//! Vakili and Day (2014) prove `AG f` by proving `f` in every state, reachable or not. Here it is proved in every state of an
//! invariant, which is found by elimination and may be as weak as "every state". What fails there says nothing.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{Ctl, TermId, print};

use crate::answer::{Certificate, Choices};
use crate::asker::Asker;
use crate::finding::Finding;
use crate::houdini::{candidates, houdini_invariant};
use crate::kripke::Kripke;
use crate::trouble::Trouble;
use crate::unroll::{From, Unrolling};

/// The most steps within which `f` must be decided.
const MOST_STEPS: usize = 12;

/// Proves `AG f` from an invariant, if it can.
pub(crate) fn everywhere(
    kripke: &Kripke,
    part: &Ctl,
    choices: &Choices,
    budget: &Budget,
) -> Finding {
    let mut kripke = kripke.clone();
    let Ctl::Globally(For::Forall, inner) = part else {
        return Finding::Open(Vec::new());
    };
    if inner.state(kripke.terms()).is_some() || kripke.system.has_functions() {
        return Finding::Open(Vec::new());
    }
    let found = invariant(&mut kripke, inner, choices, budget);
    let (invariant, duties) = match found {
        Ok(found) => found,
        Err(trouble) => {
            return Finding::stopped("an invariant", &trouble);
        }
    };
    let unrolling = Unrolling {
        kripke: &kripke,
        formula: inner,
        from: From::Where(invariant),
        bound: choices.bound.min(MOST_STEPS),
        solver: &choices.solvers[0],
        limits: choices.limits,
    };
    match unrolling.decide(budget) {
        Finding::Holds(mut proof) => {
            proof.engine = "unrolling from an invariant".to_string();
            proof.certificates.push(Certificate::Invariant(print::text(
                &kripke.system.terms,
                invariant,
            )));
            proof.obligations.splice(0..0, duties);
            Finding::Holds(proof)
        }
        _ => Finding::Open(vec![format!(
            "From the states of an invariant, it is not proved within {} steps.",
            choices.bound.min(MOST_STEPS)
        )]),
    }
}

fn invariant(
    kripke: &mut Kripke,
    inner: &Ctl,
    choices: &Choices,
    budget: &Budget,
) -> Result<(TermId, Vec<crate::answer::Obligation>), Trouble> {
    let mut asker = Asker::start(
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
fn collect(formula: &Ctl, out: &mut Vec<TermId>) {
    let mut go = |f: &Ctl| wherefore_base::deep(|| collect(f, out));
    match formula {
        Ctl::Atom(term) => out.push(*term),
        Ctl::Not(inner)
        | Ctl::Next(_, inner)
        | Ctl::Finally(_, inner)
        | Ctl::Globally(_, inner) => go(inner),
        Ctl::And(parts) | Ctl::Or(parts) => parts.iter().for_each(go),
        Ctl::Until(_, a, b) | Ctl::WeakUntil(_, a, b) => {
            go(a);
            go(b);
        }
    }
}
