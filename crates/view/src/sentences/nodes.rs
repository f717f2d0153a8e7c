//! Why a node of a proof is so, where it is about everything that follows.

use wherefore_evidence::{Assertion, Claim, ProofNode, RegionId, StatesFrom};

use super::checked::SentenceKind;
use super::{Sentence, list};
use crate::words::Telling;

/// "in every successor (3): step 1, 2 and 3".
pub(crate) fn every_successor(telling: &Telling<'_>, node: &ProofNode) -> Sentence {
    let at = telling.successors(node);
    let steps: Vec<Sentence> = at.iter().map(|at| at.index().into()).collect();
    let sentence = |counted: bool| {
        let come = match counted {
            true => say!(" of {}", telling.counted_runs()),
            false => Sentence::default(),
        };
        let words = match &steps[..] {
            [] => say!("no step{} leads on", come),
            steps => say!(
                "in every successor{} ({}): step {}",
                come,
                steps.len(),
                list(steps)
            ),
        };
        words.asserting(Assertion::Exactly {
            of: telling.said(StatesFrom::Next, node.at, counted),
            at: at.clone(),
        })
    };
    let least = say!("in every successor that counts");
    let sentences = vec![sentence(false), sentence(true), least];
    telling.first_true(SentenceKind::Node, sentences)
}

/// "all 4 states from there on".
pub(crate) fn by_region(telling: &Telling<'_>, node: &ProofNode, region: RegionId) -> Sentence {
    let (Some(region), Claim::Formula(goal, _)) =
        (telling.evidence.regions.get(region), node.claim)
    else {
        return Sentence::default();
    };
    let states = [false, true].map(|counted| telling.shown_states(goal, region, counted));
    let least = Sentence::from("everything that can follow");
    let sentences = states.into_iter().flatten().chain([least]);
    telling.first_true(SentenceKind::Node, sentences.collect())
}
