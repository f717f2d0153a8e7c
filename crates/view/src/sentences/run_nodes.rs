//! Why a claim at a step of a run is so, where the proof walks along the run.

use wherefore_evidence::{Claim, ProofId, ProofNode, Rule};
use wherefore_logic::{Kernel, Op, run_kernel};

use super::checked::SentenceKind;
use super::{Sentence, list};
use crate::words::Telling;

/// Why a claim about an operator of linear time follows, as its rule says; `None` for other claims.
pub(crate) fn along_steps(telling: &Telling<'_>, node: &ProofNode) -> Option<Sentence> {
    let Claim::Formula(goal, _) = node.claim else {
        return None;
    };
    let formula = &telling.query.formula;
    let Op::Linear(_) = formula.op(goal.sub) else {
        return None;
    };
    let past = run_kernel(formula, goal).past;
    let walk = StepWords { telling, node };
    let words = match node.rule? {
        Rule::Step => walk.placed(node.premises.last()?),
        Rule::Start => match walk.here() {
            kept if kept.is_empty() => "the run begins here".into(),
            kept => say!("{}, and the run begins here", kept),
        },
        Rule::Stop => match walk.here() {
            kept if kept.is_empty() => "no step is left".into(),
            kept => say!("{}, and no step is left", kept),
        },
        Rule::Continue => walk.goes_on(past),
        _ => return None,
    };
    let plain = "the run shows it".into();
    Some(telling.first_true(SentenceKind::Node, vec![words, plain]))
}

struct StepWords<'t, 'a> {
    telling: &'t Telling<'a>,
    node: &'t ProofNode,
}

impl StepWords<'_, '_> {
    /// The premises at the same step.
    fn here(&self) -> Sentence {
        let premises = match self.node.rule {
            Some(Rule::Continue) => {
                &self.node.premises[..self.node.premises.len().saturating_sub(1)]
            }
            _ => &self.node.premises[..],
        };
        let claims = premises.iter().map(|&premise| {
            let premise = &self.telling.evidence.proof[premise];
            self.telling.claim_at(premise.claim, premise.at)
        });
        match list(&claims.collect::<Vec<_>>()) {
            claims if claims.is_empty() => claims,
            claims => say!("because {} here", claims),
        }
    }

    /// A premise at another step.
    fn placed(&self, premise: &ProofId) -> Sentence {
        let ProofNode { claim, at, .. } = &self.telling.evidence.proof[*premise];
        say!("because {} at {}", self.telling.claim_at(*claim, *at), *at)
    }

    /// The claim follows from itself at the next step, or at the one before.
    fn goes_on(&self, past: bool) -> Sentence {
        let Some(&next) = self.node.premises.last() else {
            return Sentence::default();
        };
        let target = &self.telling.evidence.proof[next];
        if let Claim::Formula(_, Some(_)) = target.claim {
            return self.counts_down(target, past);
        }
        let same = self.telling.claim_at(target.claim, target.at);
        let kept = match self.here() {
            kept if kept.is_empty() => kept,
            kept => say!("{}, and ", kept),
        };
        if past || self.node.at < target.at {
            return match kept.is_empty() {
                true => say!("because {} at {}", same, target.at),
                false => say!("{}{} at {}", kept, same, target.at),
            };
        }
        match self.goes_round(next) {
            true => say!(
                "{}the run goes back to {}, where {}: this repeats for ever",
                kept,
                target.at,
                same
            ),
            false => say!("{}the run goes back to {}, where {}", kept, target.at, same),
        }
    }

    /// The claim follows from itself with fewer steps left.
    fn counts_down(&self, target: &ProofNode, past: bool) -> Sentence {
        let comes = match past {
            true => "comes before",
            false => "comes next",
        };
        let on = say!("{} {}", target.at, comes);
        match (self.here(), self.is_inside()) {
            (kept, _) if !kept.is_empty() => say!("{}, and {}", kept, on),
            (_, true) => say!("not reached here, and {}", on),
            (_, false) => say!("it is not about this step, and {}", on),
        }
    }

    /// Whether the bounds that are left begin here.
    fn is_inside(&self) -> bool {
        let Claim::Formula(goal, left) = self.node.claim else {
            return false;
        };
        match run_kernel(&self.telling.query.formula, goal).kernel {
            Kernel::Bounded(whole, _) => left.unwrap_or(whole).least == 0,
            _ => false,
        }
    }

    /// Whether the claim follows from itself round the loop.
    fn goes_round(&self, from: ProofId) -> bool {
        let proof = &self.telling.evidence.proof;
        let mut here = from;
        for _ in 0..proof.len() {
            let node = &proof[here];
            if (node.claim, node.at) == (self.node.claim, self.node.at) {
                return true;
            }
            match (node.rule, node.premises.last()) {
                (Some(Rule::Continue), Some(&next)) => here = next,
                _ => return false,
            }
        }
        false
    }
}
