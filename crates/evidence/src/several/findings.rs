//! Further evidence and the parts of a property, as parts of a finding.

use wherefore_base::Run;
use wherefore_check::Solution;
use wherefore_model::{Query, VarId};
use wherefore_space::StateSpace;

use super::{
    Another, FurtherRuns, NoMore, PartFinding, Several, SolvedPart, root_goal, solved_parts,
};
use crate::case::Case;
use crate::decide::decisions;
use crate::exploration::{Exploration, Exploring};
use crate::investigate::{Investigator, STARTS, first_states, plan_branch};
use crate::replay::replay;
use crate::strategy::{Rules, Shortest};
use crate::types::{Claim, Evidence, Finding, Verdict};

/// What further evidence is about.
struct Asked<'a, S: StateSpace> {
    query: &'a Query,
    solution: &'a Solution<S::Set>,
    /// Whether it shows that the query holds, or that it fails.
    holds: bool,
    /// Where that is so.
    starts: &'a S::Set,
    several: &'a Several,
}

impl<S: StateSpace> Investigator<'_, S> {
    /// Further evidence of a finding that has evidence already, as much as is wanted.
    pub(crate) fn others(
        &self,
        query: &Query,
        solution: &Solution<S::Set>,
        several: &Several,
        starts: &S::Set,
        finding: &mut Finding,
    ) -> Run<()> {
        let Some(first) = finding.evidence.as_ref().filter(|_| several.count > 1) else {
            return Ok(());
        };
        let asked = Asked {
            query,
            solution,
            holds: finding.verdict == Verdict::Holds,
            starts,
            several,
        };
        let more = &mut finding.more;
        more.end = Some(NoMore::Stopped);
        more.end = self.further(&asked, first, &mut more.others)?;
        Ok(())
    }

    /// Adds the evidence that is wanted besides the first one; why there is not as much.
    fn further(
        &self,
        asked: &Asked<'_, S>,
        first: &Evidence,
        told: &mut Vec<Another>,
    ) -> Run<Option<NoMore>> {
        let Asked {
            query,
            solution,
            holds,
            starts,
            several,
        } = *asked;
        let space = self.checker.space();
        space.budget().phase("looking for further evidence");
        let case = Case::new(&self.checker, query, solution);
        let goal = root_goal(query, holds);
        let (listed, all) = first_states(space, starts, STARTS)?;
        let mut runs = match FurtherRuns::new(&case, goal, &listed, all, &several.distinct_by)? {
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
        let planner = |claim: Claim, state: &S::State| plan_branch(&case, claim, state);
        for _ in 1..several.count {
            let (start, plan) = match runs.next()? {
                Ok(further) => further,
                Err(end) => return Ok(Some(end)),
            };
            let claim = Claim::Formula(goal, None);
            let mut exploration =
                Exploration::new(&case, claim, &start, &planner, Rules::default());
            exploration.plan(&plan);
            exploration.grow(&mut Shortest, usize::MAX)?;
            let shown = exploration.tell()?;
            let mut evidence = shown.evidence;
            let minimal = &mut evidence.minimal;
            minimal.at_least = first.minimal.at_least.min(minimal.length);
            let decisions = decisions(&case, &evidence, &shown.states)?;
            evidence.replay = replay(space.model(), query, holds, &evidence, space.budget())?;
            told.push(Another {
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
        several: &Several,
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
        if !several.each {
            return Ok(());
        }
        for (part, (solution, failing)) in finding.more.parts.iter_mut().zip(&parts) {
            if !part.fails {
                continue;
            }
            part.end = Some(NoMore::Stopped);
            let (evidence, decisions) =
                self.evidence(&part.query, solution, &mut Shortest, false, failing)?;
            part.evidence.push(Another {
                evidence: evidence.clone(),
                decisions,
            });
            part.end = match several.count {
                ..=1 => None,
                _ => {
                    let asked = Asked {
                        query: &part.query,
                        solution,
                        holds: false,
                        starts: failing,
                        several,
                    };
                    self.further(&asked, &evidence, &mut part.evidence)?
                }
            };
        }
        Ok(())
    }
}
