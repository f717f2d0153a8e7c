//! Which rules show a claim at a position of a run, and from what it follows by each.
//!
//! The run is a lasso that was lifted from the product with a tableau, so the truth of every sub-formula is known at each
//! position and repeats with the loop. Only moves whose premises are so are given.

use wherefore_logic::{Bounds, Goal, Kernel, PathPattern, run_kernel};
use wherefore_model::Query;
use wherefore_proof::{Claim, Evidence, OccurrenceId, Rule};

/// A claim at a position.
pub(super) type PlacedClaim = (Claim, OccurrenceId);

/// A rule that shows a claim at a position, and the claims it follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RunMove {
    pub(super) rule: Rule,
    pub(super) premises: Vec<PlacedClaim>,
}

/// A lasso with the truth of every sub-formula of a query at each position.
#[derive(Clone, Copy)]
pub(super) struct RunWalk<'a> {
    query: &'a Query,
    evidence: &'a Evidence,
    /// Where the last position goes back to.
    back: usize,
}

impl<'a> RunWalk<'a> {
    /// The walk along an evidence that is one run, going on for ever.
    pub(super) fn new(query: &'a Query, evidence: &'a Evidence) -> Self {
        let (_, back) = evidence.main_run();
        Self {
            query,
            evidence,
            back: back.map_or(0, OccurrenceId::index),
        }
    }

    /// Whether the steps of a claim lead back in time.
    pub(super) fn is_past(&self, claim: Claim) -> bool {
        match claim {
            Claim::Formula(goal, _) => run_kernel(&self.query.formula, goal).past,
            Claim::HasPath => false,
        }
    }

    /// The moves that show a claim that is so; the one to take when nobody has an opinion comes first.
    pub(super) fn moves(&self, claim: Claim, at: OccurrenceId) -> Vec<RunMove> {
        let Claim::Formula(goal, left) = claim else {
            return vec![];
        };
        let read = run_kernel(&self.query.formula, goal);
        let neighbour = self.neighbour(read.past, at);
        match read.kernel {
            Kernel::State => vec![made(Rule::State, vec![])],
            Kernel::Branches(branches) => {
                let branches = branches.iter().enumerate();
                let so = branches.filter(|(_, goals)| self.all_so(goals, at));
                let made = so.map(|(number, goals)| made(Rule::Branch(number), here(goals, at)));
                made.collect()
            }
            Kernel::Step(_, goal) => vec![match neighbour {
                Some(to) => made(Rule::Step, here(&[goal], to)),
                None => made(Rule::Start, vec![]),
            }],
            Kernel::Path(pattern) => self.along(claim, &pattern, at, neighbour),
            Kernel::Bounded(whole, pattern) => {
                vec![self.bounded(goal, &pattern, left.unwrap_or(whole), at, neighbour)]
            }
        }
    }

    /// How many steps the goal is away, for claims that must reach one later.
    pub(super) fn rank(&self, claim: Claim, at: OccurrenceId) -> Option<u32> {
        let Claim::Formula(goal, None) = claim else {
            return None;
        };
        let read = run_kernel(&self.query.formula, goal);
        let Kernel::Path(PathPattern {
            weak: false,
            goal: Some(goals),
            ..
        }) = read.kernel
        else {
            return None;
        };
        if read.past {
            return None;
        }
        let positions = std::iter::successors(Some(at), |&at| self.neighbour(false, at));
        let mut positions = positions.take(2 * self.evidence.occurrences.len());
        let steps = positions.position(|at| self.all_so(&goals, at))?;
        u32::try_from(steps).ok()
    }

    fn along(
        &self,
        claim: Claim,
        pattern: &PathPattern,
        at: OccurrenceId,
        neighbour: Option<OccurrenceId>,
    ) -> Vec<RunMove> {
        let mut moves = Vec::new();
        let reached = pattern.goal.as_deref();
        if let Some(goals) = reached.filter(|goals| self.all_so(goals, at)) {
            moves.push(made(Rule::Goal, here(goals, at)));
            // What must be reached is reached where it can be first, so that no loop puts it off for ever.
            if !pattern.weak {
                return moves;
            }
        }
        if !self.all_so(&pattern.stay, at) {
            return moves;
        }
        let mut premises = here(&pattern.stay, at);
        match neighbour {
            Some(to) if self.is_so(claim, to) => {
                premises.push((claim, to));
                moves.push(made(Rule::Continue, premises));
            }
            None if pattern.weak => moves.push(made(Rule::Start, premises)),
            _ => {}
        }
        moves
    }

    fn bounded(
        &self,
        goal: Goal,
        pattern: &PathPattern,
        left: Bounds,
        at: OccurrenceId,
        neighbour: Option<OccurrenceId>,
    ) -> RunMove {
        let inside = left.least == 0;
        let reached = pattern.goal.as_deref().filter(|_| inside);
        if let Some(goals) = reached.filter(|goals| self.all_so(goals, at)) {
            return made(Rule::Goal, here(goals, at));
        }
        let mut premises = match inside {
            true => here(&pattern.stay, at),
            false => vec![],
        };
        match (left.most.checked_sub(1), neighbour) {
            (None, _) => made(Rule::Stop, premises),
            (_, None) => made(Rule::Start, premises),
            (Some(most), Some(to)) => {
                let least = left.least.saturating_sub(1);
                premises.push((Claim::Formula(goal, Some(Bounds { least, most })), to));
                made(Rule::Continue, premises)
            }
        }
    }

    /// The position after one, or the one before; `None` before the first.
    fn neighbour(&self, past: bool, at: OccurrenceId) -> Option<OccurrenceId> {
        if past {
            return at.index().checked_sub(1).map(OccurrenceId::new);
        }
        Some(OccurrenceId::new(match at.index() + 1 {
            end if end == self.evidence.occurrences.len() => self.back,
            next => next,
        }))
    }

    fn all_so(&self, goals: &[Goal], at: OccurrenceId) -> bool {
        let mut goals = goals.iter();
        goals.all(|&goal| self.is_so(Claim::Formula(goal, None), at))
    }

    /// Whether a claim without bounds of its own is so at a position.
    fn is_so(&self, claim: Claim, at: OccurrenceId) -> bool {
        match claim {
            Claim::Formula(goal, _) => {
                self.evidence.occurrences[at].truth[goal.sub] == Some(goal.holds)
            }
            Claim::HasPath => true,
        }
    }
}

fn made(rule: Rule, premises: Vec<PlacedClaim>) -> RunMove {
    RunMove { rule, premises }
}

/// Goals as claims at a position.
fn here(goals: &[Goal], at: OccurrenceId) -> Vec<PlacedClaim> {
    let claims = goals.iter().map(|&goal| (Claim::Formula(goal, None), at));
    claims.collect()
}
