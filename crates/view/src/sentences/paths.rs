//! Words for paths and for sets of states, each with what it asserts.

use std::collections::HashMap;

use num_bigint::BigUint;
use wherefore_evidence::{
    Assertion, Claim, OccurrenceId, ProofId, ProofNode, Region, Rule, SaidStates, StatesFrom,
};
use wherefore_logic::{Goal, Kernel, PathPattern, kernel};

use super::Sentence;
use crate::ahead::End;
use crate::words::Telling;

/// Paths with more steps are looked at once, not from each of their steps.
const SHORT: usize = 64;

/// The path of a claim: the occurrences it passes, in order, and the place of the one that follows the last if it is a
/// loop.
pub(crate) struct ClaimPath {
    pub(crate) run: Vec<OccurrenceId>,
    pub(crate) back: Option<usize>,
    /// The node that the claim comes to.
    pub(crate) end: ProofId,
}

impl ClaimPath {
    /// How many steps lead to its last occurrence.
    pub(crate) fn steps(&self) -> usize {
        self.run.len().saturating_sub(1)
    }

    /// What a sentence asserts that says of it what is kept on the way and what is so at its end. In a loop all is kept.
    pub(crate) fn asserted(&self, keep: &[Goal], arrive: &[Goal], fair: bool) -> Assertion {
        match self.back {
            Some(back) => Assertion::Lasso {
                run: self.run.clone(),
                back,
                keep: keep.to_vec(),
                fair,
            },
            None => Assertion::Path {
                run: self.run.clone(),
                keep: keep.to_vec(),
                arrive: arrive.to_vec(),
            },
        }
    }
}

/// No step leads on from here.
pub(crate) fn no_step(at: OccurrenceId) -> Assertion {
    Assertion::Size {
        of: SaidStates::all(StatesFrom::Next, at),
        size: BigUint::ZERO,
    }
}

impl Telling<'_> {
    /// The path of a claim that is made along it again and again, where it is short enough to be looked at from each of
    /// its steps. Of a longer one only where it starts.
    pub(crate) fn short_path(&self, id: ProofId, end: End) -> Option<ClaimPath> {
        let steps = match end {
            End::Node(_, steps) => steps,
            End::Loop(turn) => turn.away + turn.length,
        };
        (steps <= SHORT).then(|| self.claim_path(id))
    }

    /// The path along which a claim is made again and again.
    pub(crate) fn claim_path(&self, id: ProofId) -> ClaimPath {
        let proof = &self.evidence.proof;
        let mut nodes: Vec<ProofId> = vec![id];
        let mut place: HashMap<ProofId, usize> = HashMap::from([(id, 0)]);
        let mut end = id;
        let mut back = None;
        while let (Some(Rule::Continue), Some(&next)) =
            (proof[end].rule, proof[end].premises.last())
        {
            back = place.get(&next).copied();
            if back.is_some() {
                break;
            }
            place.insert(next, nodes.len());
            nodes.push(next);
            end = next;
        }
        ClaimPath {
            run: nodes.iter().map(|&id| proof[id].at).collect(),
            back,
            end,
        }
    }

    /// The occurrences that a claim about every next state or every path is made of again.
    pub(crate) fn successors(&self, node: &ProofNode) -> Vec<OccurrenceId> {
        // What a claim about every path keeps to comes first, at the same state.
        let stay = match node.claim {
            Claim::Formula(goal, _) => match kernel(&self.query.formula, goal) {
                Kernel::Path(pattern) => pattern.stay.len(),
                _ => 0,
            },
            Claim::HasPath => 0,
        };
        let premises = node.premises.iter().skip(stay);
        premises.map(|&id| self.evidence.proof[id].at).collect()
    }

    /// What a path of a claim keeps to.
    pub(crate) fn stay_goals(&self, goal: Goal) -> Vec<Goal> {
        match kernel(&self.query.formula, goal) {
            Kernel::Path(PathPattern { stay, .. }) => stay,
            _ => vec![],
        }
    }

    /// "fair runs", "endless runs": those that count, where not all do.
    pub(crate) fn counted_runs(&self) -> Sentence {
        match self.fair() {
            "" => "endless runs".into(),
            fair => say!("{}runs", fair),
        }
    }

    /// The states that show a claim about every path, in words with their number: "all 4 states from there on". They are
    /// those of a region; `counted`: only those that fair or endless runs come to.
    pub(crate) fn shown_states(
        &self,
        goal: Goal,
        region: &Region,
        counted: bool,
    ) -> Option<Sentence> {
        let size = region.size.to_string();
        let (which, noun, place) = match kernel(&self.query.formula, goal) {
            Kernel::Step(..) => (StatesFrom::Next, "next state", ""),
            Kernel::Path(PathPattern { goal: None, .. }) => {
                (StatesFrom::All, "state", " from there on")
            }
            Kernel::Path(PathPattern {
                goal: Some(goals), ..
            }) => (StatesFrom::UpTo(goals), "state", " on the way"),
            Kernel::Bounded(bounds, _) => (
                StatesFrom::Within(bounds.most),
                "state",
                " within the bounds",
            ),
            _ => return None,
        };
        let come = match counted {
            true => say!(" that {} come to", self.counted_runs()),
            false => Sentence::default(),
        };
        let words = match size.as_str() {
            "1" => say!("the only {}{}{}", noun, place, come),
            "2" => say!("both {}s{}{}", noun, place, come),
            n => say!("all {} {}s{}{}", n, noun, place, come),
        };
        Some(words.asserting(Assertion::Size {
            of: self.said(which, region.at, counted),
            size: region.size.clone(),
        }))
    }

    /// States seen from an occurrence, all or only those that count.
    pub(crate) fn said(&self, which: StatesFrom, at: OccurrenceId, counted: bool) -> SaidStates {
        SaidStates {
            which,
            at,
            going_on: counted,
        }
    }

    /// What is claimed of the states of a region where a path need not go on: what every path comes to. It is so where
    /// the region starts if that is its only state.
    pub(crate) fn region_goals(&self, goal: Goal) -> Option<Vec<Goal>> {
        match kernel(&self.query.formula, goal) {
            Kernel::Path(PathPattern { goal, .. }) => goal,
            _ => None,
        }
    }

    /// Whether goals are known to be so at an occurrence.
    pub(crate) fn are_known(&self, goals: &[Goal], at: OccurrenceId) -> bool {
        let truth = &self.evidence.occurrences[at].truth;
        let known = |goal: &Goal| truth.get(goal.sub).copied().flatten() == Some(goal.holds);
        goals.iter().all(known)
    }
}
