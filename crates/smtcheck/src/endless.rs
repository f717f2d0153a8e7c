//! Going on for ever: proofs of `EG p` where no loop covers all initial states.
//!
//! `EG p` holds in every state of a recurrent set in which `p` holds (see [`crate::recurrent`]). Such a set may contain all
//! initial states: then it is guessed from the conditions that these share. Or it is found at the end of a run, and what is
//! left to show is that it can be reached from every initial state along `p`.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{SmtCtl, SmtTermId};

use crate::answer::{SmtCertificate, SmtObligation, SmtOptions, SmtProof};
use crate::asker::{Script, TermSession};
use crate::cases::cases;
use crate::choice::choosing;
use crate::cover::cover;
use crate::finding::SmtFinding;
use crate::houdini::houdini;
use crate::kripke::PlaceGraph;
use crate::never::{EndlessPaths, shape};
use crate::recurrent::RecurrentSearch;
use crate::toward::refuted;
use crate::trouble::SolverTrouble;

/// The lengths of the runs at whose ends a set is looked for.
const LENGTHS: [usize; 3] = [6, 12, 16];

/// Proves a disjunction of conditions and one `EG p` or `E[p W q]`, if it can.
pub(crate) fn endless(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    let found = search(kripke, part, choices, budget);
    SmtFinding::of_search(found, "sets in which a run goes on for ever")
}

fn search(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Option<SmtProof>, SolverTrouble> {
    let mut kripke = kripke.clone();
    if kripke.system.has_functions() || !kripke.system.fairness.is_empty() {
        return Ok(None);
    }
    // A path along which `p` stays for ever shows `E[p W q]` too, whatever `q` is.
    let stay = match shape(&mut kripke, part, EndlessPaths::Too) {
        Some((conditions, SmtCtl::Globally(For::Exists, stay)))
        | Some((conditions, SmtCtl::WeakUntil(For::Exists, stay, _))) => {
            stay.state(kripke.terms()).map(|stay| (conditions, stay))
        }
        _ => None,
    };
    let (Some((conditions, stay)), Some(cases)) = (stay, cases(&mut kripke)) else {
        return Ok(None);
    };
    // The set avoids `kept`, so this has to be what must not happen: that `p` fails.
    let (asked, kept) = (kripke.terms().not(conditions), kripke.terms().not(stay));
    let mut search = RecurrentSearch {
        kripke,
        asked,
        kept,
        cases: &cases,
    };
    let solver = &choices.solvers[0];
    let mut asker =
        TermSession::start(solver, &search.kripke.system.terms, choices.limits, budget)?;
    if let Some(proof) = from_the_start(&mut search, &mut asker, budget)? {
        return Ok(Some(SmtProof {
            checked_by: vec![solver.title()],
            ..proof
        }));
    }
    for length in LENGTHS {
        let Some((_, tail)) = search.run(0, length, &mut asker, budget)? else {
            return Ok(None);
        };
        let shared = search.shared(&tail);
        let Some(set) = search.closed(shared, &mut asker, budget)? else {
            continue;
        };
        let reached = SmtCtl::Until(
            For::Exists,
            Box::new(SmtCtl::Atom(stay)),
            Box::new(SmtCtl::Atom(set)),
        );
        let reached = SmtCtl::Or(vec![SmtCtl::Atom(conditions), reached]);
        for way in [cover, choosing] {
            let SmtFinding::Holds(mut proof) = way(&search.kripke, &reached, choices, budget)
            else {
                continue;
            };
            proof.engine = format!("recurrent set, {}", proof.engine);
            proof.certificates.insert(0, recurrent(&search, set));
            proof.obligations.push(search.duty(set));
            return Ok(Some(proof));
        }
    }
    Ok(None)
}

/// A proof by a set that contains all initial states in which something has to be shown.
fn from_the_start(
    search: &mut RecurrentSearch<'_>,
    asker: &mut TermSession,
    budget: &Budget,
) -> Result<Option<SmtProof>, SolverTrouble> {
    let conditions = search.conditions();
    let init = search.kripke.system.init;
    let terms = search.kripke.terms();
    let (start, nowhere) = (terms.and(&[init, search.asked]), terms.bool(false));
    // Without steps, elimination leaves what all initial states share.
    let shared = houdini(
        &mut search.kripke,
        start,
        nowhere,
        conditions,
        asker,
        budget,
    )?;
    let Some(set) = search.closed(shared, asker, budget)? else {
        return Ok(None);
    };
    let axioms = search.kripke.axioms;
    let terms = search.kripke.terms();
    let other = terms.not(set);
    let outside = terms.and(&[axioms, start, other]);
    if !refuted(&mut search.kripke, asker, outside, budget)? {
        return Ok(None);
    }
    let begins = SmtObligation {
        claim: "every initial state is in the set".to_string(),
        query: Script::query(search.kripke.terms(), "ALL", &[outside]),
    };
    Ok(Some(SmtProof {
        engine: "recurrent set".to_string(),
        certificates: vec![recurrent(search, set)],
        obligations: vec![begins, search.duty(set)],
        checked_by: Vec::new(),
    }))
}

fn recurrent(search: &RecurrentSearch<'_>, set: SmtTermId) -> SmtCertificate {
    SmtCertificate::Recurrent(search.shown(set))
}
