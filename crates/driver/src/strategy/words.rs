//! Claims in words, for those who are asked to choose.

use wherefore_base::{FileId, SourceMap};
use wherefore_evidence::{Claim, Proof};
use wherefore_logic::{Formula, Op, SubId};
use wherefore_view::{Report, claim_text};

/// The texts that claims are quoted from.
#[derive(Debug)]
pub(super) struct Words {
    sources: SourceMap,
    file: FileId,
}

impl Words {
    /// The words of a model that stands in these texts.
    pub(super) fn new(sources: SourceMap, file: FileId) -> Self {
        Self { sources, file }
    }

    /// A claim as a sentence: "`AF done` is false".
    pub(super) fn claim(&self, proof: &dyn Proof, claim: Claim) -> String {
        let report = Report {
            sources: &self.sources,
            file: self.file,
            language: "smv",
            reading: "",
            model: proof.model(),
            space: None,
            findings: &[],
            runs: &[],
            shown: &[],
            paths: None,
            from: None,
            names: &[],
            strategy: &[],
            seconds: None,
            explored: None,
        };
        claim_text(&report, proof.query(), claim)
    }
}

/// How many temporal operators a claim has; shared parts count once.
pub(super) fn temporal_operators(formula: &Formula, claim: Claim) -> usize {
    let Claim::Formula(goal, _) = claim else {
        return 0;
    };
    let mut seen = vec![false; formula.len()];
    let mut open: Vec<SubId> = vec![goal.sub];
    let mut count = 0;
    while let Some(sub) = open.pop() {
        if std::mem::replace(&mut seen[sub.index()], true) {
            continue;
        }
        let op = formula.op(sub);
        count += usize::from(matches!(op, Op::Path(..)));
        open.extend(op.operands());
    }
    count
}
