//! Ranks: values that are bounded below and fall with every step, so that something must happen.
//!
//! Where no number of steps is enough for all states, a rank may be. The states among which one is looked for are
//! described in [`crate::approach`]; how it is found is in [`crate::ranking`].

use wherefore_base::Budget;
use wherefore_smt::SmtCtl;

use crate::answer::{SmtAttempt, SmtCertificate, SmtOptions, SmtProof};
use crate::approach::Approach;
use crate::finding::SmtFinding;
use crate::kripke::PlaceGraph;
use crate::ranking::Ranking;
use crate::trouble::SolverTrouble;

/// Proves `AF q` and `A[p U q]`, also as promises under `AG`, if there is a rank.
pub(crate) fn ranks(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> SmtFinding {
    SmtFinding::of_attempt(search(kripke, part, choices, budget), "ranking functions")
}

fn search(
    kripke: &PlaceGraph,
    part: &SmtCtl,
    choices: &SmtOptions,
    budget: &Budget,
) -> Result<Result<SmtProof, Vec<SmtAttempt>>, SolverTrouble> {
    let mut way = match Approach::of(kripke, part, choices, budget)? {
        Ok(way) => way,
        Err(tried) => return Ok(Err(tried)),
    };
    let mut ranking = Ranking::new(&mut way.kripke, way.region, way.goal, way.trans, None);
    let Some(parts) = ranking.find(&mut way.asker, budget)? else {
        return Ok(Err(SmtAttempt::none("ranking functions")));
    };
    way.duties.push(ranking.obligation(&parts));
    let mut certificates = way.certificates;
    certificates.push(SmtCertificate::Rank {
        ranks: ranking.shown(&parts),
        goal: way.shown,
    });
    Ok(Ok(SmtProof {
        engine: "rank".to_string(),
        certificates,
        obligations: way.duties,
        checked_by: vec![choices.solvers[0].title()],
    }))
}
