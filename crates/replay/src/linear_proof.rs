//! Re-checking the proof that walks the positions of a run: each claim by the definition of its operator, each rule by what
//! it may conclude.

use wherefore_logic::{Bounds, Goal, Kernel, LinearOp, Op, PathPattern, run_kernel};
use wherefore_proof::{Claim, OccurrenceId, ProofId, ProofNode, Rule};

use super::linear::AlongRun;
use super::{EvidenceReplay, OPEN, Rechecked, ReplayFault, ensure};

/// A claim at a position.
type Placed = (Claim, OccurrenceId);

impl EvidenceReplay<'_> {
    /// The claims below the root are so along the run, and each follows from its premises.
    pub(super) fn walk(&mut self, along: &AlongRun) -> Rechecked {
        let proof = &self.evidence.proof;
        let root = &proof[ProofId::new(0)];
        let Some(&first) = root.premises.first() else {
            return ensure(proof.len() == 1, || "the proof is not about the run".into());
        };
        let known = proof
            .iter()
            .flat_map(|node| &node.premises)
            .all(|&premise| premise.index() > 0 && proof.get(premise).is_some());
        ensure(known, || "a proof node has no premise".into())?;
        let same = (proof[first].claim, proof[first].at) == (root.claim, root.at);
        ensure(root.premises.len() == 1 && same, || {
            "the proof is not about the run".into()
        })?;
        for (id, node) in proof.entries().skip(1) {
            self.budget.check()?;
            self.at_node = Some(id);
            if let Some(what) = self.misstep(along, node)? {
                let what = format!("proof node {}: {what}", id.index());
                return Err(ReplayFault::Wrong(what));
            }
            if node.rule.is_none() {
                self.skipped.insert(OPEN);
            }
        }
        self.at_node = None;
        Ok(())
    }

    /// What is wrong with a node, if something is.
    fn misstep(
        &self,
        along: &AlongRun,
        node: &ProofNode,
    ) -> Result<Option<&'static str>, ReplayFault> {
        let Claim::Formula(goal, bounds) = node.claim else {
            return Ok(Some("the claim is not about the run"));
        };
        if node.at.index() >= self.evidence.occurrences.len()
            || goal.sub.index() >= self.query.formula.len()
        {
            return Ok(Some("the claim is about nothing there is"));
        }
        let Some(truth) = self.truth_of_claim(along, goal, bounds, node.at.index()) else {
            return Ok(Some("the claim has no bounds"));
        };
        if truth != goal.holds {
            return Ok(Some("the run says otherwise"));
        }
        let Some(rule) = node.rule else {
            let bare = node.premises.is_empty();
            return Ok((!bare).then_some("what is not shown has no premise"));
        };
        let Some(wanted) = self.wanted(goal, bounds, rule, node.at) else {
            return Ok(Some("the rule does not fit the claim"));
        };
        let premises = node.premises.iter().map(|&premise| {
            let premise = &self.evidence.proof[premise];
            (premise.claim, premise.at)
        });
        if !premises.eq(wanted) {
            return Ok(Some("the premises are not those of the rule"));
        }
        Ok(self.misranked(goal, bounds, rule, node))
    }

    /// The truth of a claim's operator at a position, with the bounds that are left; `None` if it has none.
    fn truth_of_claim(
        &self,
        along: &AlongRun,
        goal: Goal,
        bounds: Option<Bounds>,
        at: usize,
    ) -> Option<bool> {
        use LinearOp as L;
        let Some(left) = bounds else {
            return Some(along.truth[goal.sub.index()][at]);
        };
        let Op::Linear(op) = self.query.formula.op(goal.sub) else {
            return None;
        };
        let left = match op {
            L::FinallyWithin(_, f) => L::FinallyWithin(left, f),
            L::GloballyWithin(_, f) => L::GloballyWithin(left, f),
            L::OnceWithin(_, f) => L::OnceWithin(left, f),
            L::HistoricallyWithin(_, f) => L::HistoricallyWithin(left, f),
            _ => return None,
        };
        Some(along.says(left, at))
    }

    /// The premises from which a claim follows by a rule; `None` if it follows from none by that rule.
    fn wanted(
        &self,
        goal: Goal,
        bounds: Option<Bounds>,
        rule: Rule,
        at: OccurrenceId,
    ) -> Option<Vec<Placed>> {
        let read = run_kernel(&self.query.formula, goal);
        let next = self.beside(read.past, at);
        match (read.kernel, rule) {
            (Kernel::State, Rule::State) => Some(vec![]),
            (Kernel::Branches(branches), Rule::Branch(number)) => {
                Some(placed(branches.get(number)?, at))
            }
            (Kernel::Step(_, goal), Rule::Step) => Some(placed(&[goal], next?)),
            // What is so of a position before the first was decided by the definition.
            (Kernel::Step(..), Rule::Start) => next.is_none().then(Vec::new),
            (Kernel::Path(pattern), Rule::Goal) => Some(placed(pattern.goal.as_deref()?, at)),
            (Kernel::Path(pattern), Rule::Continue) => {
                let mut wanted = placed(&pattern.stay, at);
                wanted.push((Claim::Formula(goal, None), next?));
                Some(wanted)
            }
            (Kernel::Path(PathPattern { weak, stay, .. }), Rule::Start) => {
                (weak && next.is_none()).then(|| placed(&stay, at))
            }
            (Kernel::Bounded(whole, pattern), rule) => {
                let left = bounds.unwrap_or(whole);
                within(goal, &pattern, left, rule, at, next)
            }
            _ => None,
        }
    }

    /// What must be reached later comes nearer with each step.
    fn misranked(
        &self,
        goal: Goal,
        bounds: Option<Bounds>,
        rule: Rule,
        node: &ProofNode,
    ) -> Option<&'static str> {
        let read = run_kernel(&self.query.formula, goal);
        let Kernel::Path(PathPattern { weak: false, .. }) = read.kernel else {
            return node.rank.is_some().then_some("the claim has no rank");
        };
        // Steps back in time come to an end, and bounds fall by themselves.
        if read.past || bounds.is_some() {
            return node.rank.is_some().then_some("the claim has no rank");
        }
        let falls = match (node.rank, rule) {
            (Some(0), Rule::Goal) => true,
            (Some(rank), Rule::Continue) => {
                let next = node.premises.last();
                let next = next.and_then(|&next| self.evidence.proof[next].rank);
                next.is_some_and(|next| next + 1 == rank)
            }
            _ => false,
        };
        (!falls).then_some("the rank does not fall")
    }

    /// The position after one, or the one before; `None` before the first.
    fn beside(&self, past: bool, at: OccurrenceId) -> Option<OccurrenceId> {
        let (_, back) = self.evidence.main_run();
        match (past, at.index() + 1 == self.evidence.occurrences.len()) {
            (true, _) => at.index().checked_sub(1).map(OccurrenceId::new),
            (false, true) => back,
            (false, false) => Some(OccurrenceId::new(at.index() + 1)),
        }
    }
}

/// The premises of a bounded claim, with the bounds that are left.
fn within(
    goal: Goal,
    pattern: &PathPattern,
    left: Bounds,
    rule: Rule,
    at: OccurrenceId,
    next: Option<OccurrenceId>,
) -> Option<Vec<Placed>> {
    let inside = left.least == 0;
    let mut wanted = match inside {
        true => placed(&pattern.stay, at),
        false => vec![],
    };
    match rule {
        Rule::Goal if inside && !pattern.weak => Some(placed(pattern.goal.as_deref()?, at)),
        Rule::Stop if left.most == 0 && pattern.weak => Some(wanted),
        Rule::Start if next.is_none() && pattern.weak => Some(wanted),
        Rule::Continue => {
            let most = left.most.checked_sub(1)?;
            let least = left.least.saturating_sub(1);
            wanted.push((Claim::Formula(goal, Some(Bounds { least, most })), next?));
            Some(wanted)
        }
        _ => None,
    }
}

fn placed(goals: &[Goal], at: OccurrenceId) -> Vec<Placed> {
    let claims = goals.iter().map(|&goal| (Claim::Formula(goal, None), at));
    claims.collect()
}
