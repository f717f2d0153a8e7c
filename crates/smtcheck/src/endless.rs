//! Going on for ever: proofs of `EG p` where no loop covers all initial states.
//!
//! `EG p` holds in every state of a recurrent set in which `p` holds (see [`crate::recurrent`]). Such a set may contain all
//! initial states: then it is guessed from the conditions that these share. Or it is found at the end of a run, and what is
//! left to show is that it can be reached from every initial state along `p`.

use wherefore_base::Budget;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{Ctl, TermId, print};

use crate::answer::{Certificate, Choices, Obligation, Proof};
use crate::asker::{Asker, Script};
use crate::cases::cases;
use crate::choice::choosing;
use crate::cover::cover;
use crate::finding::Finding;
use crate::houdini::houdini;
use crate::kripke::Kripke;
use crate::never::{Endless, shape};
use crate::recurrent::Search;
use crate::toward::refuted;
use crate::trouble::Trouble;

/// The lengths of the runs at whose ends a set is looked for.
const LENGTHS: [usize; 3] = [6, 12, 16];

/// Proves a disjunction of conditions and one `EG p` or `E[p W q]`, if it can.
pub(crate) fn endless(kripke: &Kripke, part: &Ctl, choices: &Choices, budget: &Budget) -> Finding {
    let found = search(kripke, part, choices, budget);
    Finding::of_search(found, "a set in which a run goes on for ever")
}

fn search(
    kripke: &Kripke,
    part: &Ctl,
    choices: &Choices,
    budget: &Budget,
) -> Result<Option<Proof>, Trouble> {
    let mut kripke = kripke.clone();
    if kripke.system.has_functions() || !kripke.system.fairness.is_empty() {
        return Ok(None);
    }
    let stay = match shape(&mut kripke, part, Endless::Too) {
        Some((conditions, Ctl::Globally(For::Exists, stay)))
        | Some((conditions, Ctl::WeakUntil(For::Exists, stay, _))) => {
            stay.state(kripke.terms()).map(|stay| (conditions, stay))
        }
        _ => None,
    };
    let (Some((conditions, stay)), Some(cases)) = (stay, cases(&mut kripke)) else {
        return Ok(None);
    };
    let (asked, kept) = (kripke.terms().not(conditions), kripke.terms().not(stay));
    let mut search = Search {
        kripke,
        asked,
        kept,
        cases: &cases,
    };
    let solver = &choices.solvers[0];
    let mut asker = Asker::start(solver, &search.kripke.system.terms, choices.limits, budget)?;
    if let Some(proof) = from_the_start(&mut search, &mut asker, budget)? {
        return Ok(Some(Proof {
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
        let reached = Ctl::Until(
            For::Exists,
            Box::new(Ctl::Atom(stay)),
            Box::new(Ctl::Atom(set)),
        );
        let reached = Ctl::Or(vec![Ctl::Atom(conditions), reached]);
        for way in [cover, choosing] {
            let Finding::Holds(mut proof) = way(&search.kripke, &reached, choices, budget) else {
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
    search: &mut Search<'_>,
    asker: &mut Asker,
    budget: &Budget,
) -> Result<Option<Proof>, Trouble> {
    let conditions = search.conditions();
    let init = search.kripke.system.init;
    let terms = search.kripke.terms();
    let (start, nowhere) = (terms.and(&[init, search.asked]), terms.bool(false));
    // Without steps, elimination leaves what all initial states share.
    let shared = houdini(&search.kripke, start, nowhere, conditions, asker, budget)?;
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
    let begins = Obligation {
        claim: "every initial state is in the set".to_string(),
        query: Script::query(search.kripke.terms(), "ALL", &[outside]),
    };
    Ok(Some(Proof {
        engine: "recurrent set".to_string(),
        certificates: vec![recurrent(search, set)],
        obligations: vec![begins, search.duty(set)],
        checked_by: Vec::new(),
    }))
}

fn recurrent(search: &Search<'_>, set: TermId) -> Certificate {
    Certificate::Recurrent(print::text(&search.kripke.system.terms, set))
}
