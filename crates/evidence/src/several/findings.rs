//! Further evidence and the parts of a property, as parts of a finding.

use wherefore_base::Run;
use wherefore_check::Solution;
use wherefore_model::{Query, VarId};
use wherefore_proof::{
    Claim, Evidence, Finding, FurtherEvidence, Minimality, NoMore, PartFinding, Verdict,
};
use wherefore_space::StateSpace;

use super::{FurtherRuns, SolvedPart, root_goal, solved_parts};
use crate::build::build;
use crate::case::ProofCase;
use crate::choose::{STARTS, first_states, plan_branch};
use crate::investigate::{EvidenceOptions, Investigator};
use crate::search::CountedMeasure;
use crate::strategy::Shortest;

/// What further evidence is about.
struct AskedRuns<'a, S: StateSpace> {
    query: &'a Query,
    solution: &'a Solution<S::Set>,
    /// Whether it shows that the query holds, or that it fails.
    holds: bool,
    /// Where that is so.
    starts: &'a S::Set,
    options: &'a EvidenceOptions,
}

impl<S: StateSpace> Investigator<'_, S> {
    /// Further evidence of a finding that has evidence already, as much as is wanted.
    pub(crate) fn others(
        &self,
        query: &Query,
        solution: &Solution<S::Set>,
        options: &EvidenceOptions,
        starts: &S::Set,
        finding: &mut Finding,
    ) -> Run<()> {
        let Some(first) = finding
            .evidence
            .as_ref()
            .filter(|_| options.several.count > 1)
        else {
            return Ok(());
        };
        let asked = AskedRuns {
            query,
            solution,
            holds: finding.verdict == Verdict::Holds,
            starts,
            options,
        };
        let more = &mut finding.more;
        // This stays when the budget ends before the search does.
        more.end = Some(NoMore::Stopped);
        more.end = self.further(&asked, first, &mut more.others)?;
        Ok(())
    }

    /// Adds the evidence that is wanted besides the first one; why there is not as much.
    fn further(
        &self,
        asked: &AskedRuns<'_, S>,
        first: &Evidence,
        told: &mut Vec<FurtherEvidence>,
    ) -> Run<Option<NoMore>> {
        let AskedRuns {
            query,
            solution,
            holds,
            starts,
            options,
        } = *asked;
        let several = &options.several;
        let space = self.checker.space();
        space.budget().phase("looking for further evidence");
        let case = ProofCase::new(&self.checker, query, solution);
        let goal = root_goal(query, holds);
        let (listed, all) = first_states(space, starts, STARTS)?;
        let looks = (self.own_vars, &several.distinct_by[..]);
        let mut runs = match FurtherRuns::new(&case, goal, &listed, all, looks)? {
            Ok(runs) => runs,
            Err(end) => return Ok(Some(end)),
        };
        let (run, back) = first.main_run();
        let back = back.and_then(|back| run.iter().position(|&at| at == back));
        let mut known = Vec::new();
        for at in run {
            let values = first.occurrences[at].values.iter().enumerate();
            let values: Vec<_> = values
                .map(|(var, &value)| (VarId::new(var), vec![value]))
                .collect();
            known.extend(space.first(&space.states_with(&values)?)?);
        }
        runs.skip(&known, back);
        let planner = |claim: Claim, state: &S::State| {
            plan_branch(&case, claim, state, CountedMeasure::Steps)
        };
        for _ in 1..several.count {
            let (start, plan) = match runs.next()? {
                Ok(further) => further,
                Err(end) => return Ok(Some(end)),
            };
            let claim = Claim::Formula(goal, None);
            let mut built = build(&case, claim, &start, &plan, &planner)?;
            let Minimality {
                measure, at_least, ..
            } = first.minimal;
            let length = measure.of(&built.evidence);
            built.evidence.minimal = Minimality {
                measure,
                length,
                at_least: at_least.min(length),
            };
            let (evidence, decisions) = self.finish(&case, holds, built, &options.environment)?;
            told.push(FurtherEvidence {
                evidence,
                decisions,
            });
        }
        Ok(None)
    }

    /// Which parts of a property fail, if it has several, and, if wanted, why.
    pub(crate) fn parts(
        &self,
        query: &Query,
        solution: &Solution<S::Set>,
        options: &EvidenceOptions,
        finding: &mut Finding,
    ) -> Run<()> {
        let space = self.checker.space();
        space.budget().phase("looking at the parts of the property");
        let mut parts = Vec::new();
        for SolvedPart { query, solution } in solved_parts(&self.checker, query, solution)? {
            let failing = self.checker.failing(&query, &solution)?;
            let fails = !space.is_empty(&failing);
            parts.push((solution, failing));
            finding.more.parts.push(PartFinding {
                query,
                fails,
                evidence: vec![],
                end: None,
            });
        }
        if !options.several.each {
            return Ok(());
        }
        for (part, (solution, failing)) in finding.more.parts.iter_mut().zip(&parts) {
            if !part.fails {
                continue;
            }
            part.end = Some(NoMore::Stopped);
            let shown = self.evidence(
                &part.query,
                options,
                solution,
                &mut Shortest,
                false,
                failing,
            )?;
            part.evidence.push(FurtherEvidence {
                evidence: shown.evidence.clone(),
                decisions: shown.decisions,
            });
            part.end = match options.several.count {
                ..=1 => None,
                _ => {
                    let asked = AskedRuns {
                        query: &part.query,
                        solution,
                        holds: false,
                        starts: failing,
                        options,
                    };
                    self.further(&asked, &shown.evidence, &mut part.evidence)?
                }
            };
        }
        Ok(())
    }
}
