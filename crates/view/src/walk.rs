//! A walk through a proof: each claim once, what it is for, and below which other claim.

use wherefore_evidence::{Claim, OccurrenceId, ProofId, Rule};
use wherefore_logic::Op;

use crate::excerpt::Excerpt;
use crate::words::Telling;

/// What a claim is for, seen from the claim above it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The explanation starts with it.
    Root,
    /// It is a reason for the claim above.
    Reason,
    /// It is what a path keeps to at every step.
    Kept,
    /// It goes on with a claim made a step before.
    GoesOn,
}

/// A claim on the walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) id: ProofId,
    pub(crate) at: OccurrenceId,
    pub(crate) part: Part,
    /// The place of the claim above in the walk.
    pub(crate) above: Option<usize>,
    /// Its own proof is not told.
    pub(crate) stopped: bool,
    /// It is a reason for a claim that speaks of the same state only.
    pub(crate) covered: bool,
}

/// All claims of an excerpt, each before those it follows from.
pub(crate) fn walk(telling: &Telling<'_>, excerpt: &Excerpt) -> Vec<Visit> {
    let proof = &telling.evidence.proof;
    let propositional = telling.query.formula.propositional();
    let mut seen = vec![false; proof.len()];
    let mut visits: Vec<Visit> = Vec::new();
    let roots = excerpt.roots.iter().rev();
    let mut open: Vec<(ProofId, Part, Option<usize>)> =
        roots.map(|&id| (id, Part::Root, None)).collect();
    while let Some((id, part, above)) = open.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        let node = &proof[id];
        let stopped = excerpt.stops_at(node.claim);
        let here = visits.len();
        let covered = above.is_some_and(|above| match proof[visits[above].id].claim {
            Claim::Formula(goal, _) => propositional[goal.sub],
            Claim::HasPath => false,
        });
        visits.push(Visit {
            id,
            at: node.at,
            part,
            above,
            stopped,
            covered,
        });
        // What lies below the claim that a run refutes a formula is told by the truth at each step.
        if stopped || node.rule == Some(Rule::Run) {
            continue;
        }
        let last = node.premises.last().copied();
        let part_of = |premise: ProofId| match node.rule {
            Some(Rule::Continue) if Some(premise) == last => Part::GoesOn,
            Some(Rule::Continue | Rule::DeadEnd | Rule::Stop) => Part::Kept,
            _ => Part::Reason,
        };
        let premises = node.premises.iter().rev();
        open.extend(premises.map(|&premise| (premise, part_of(premise), Some(here))));
    }
    visits
}

impl Telling<'_> {
    /// Whether there is nothing to say about a claim: it is about `TRUE` or `FALSE`.
    pub(crate) fn is_trivial(&self, claim: Claim) -> bool {
        match claim {
            Claim::Formula(goal, _) => matches!(self.query.formula.op(goal.sub), Op::Const(_)),
            Claim::HasPath => false,
        }
    }
}
