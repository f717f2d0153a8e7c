//! Deciding what sentences about evidence of a labelled transition system assert.
//!
//! Goals are equations. Steps are looked up in the system, and equations are solved anew from their definitions.

use std::cell::OnceCell;

use wherefore_base::Budget;
use wherefore_logic::{Goal, SubId};
use wherefore_model::lts::{Lts, ModalQuestion, StateId};
use wherefore_proof::modal::state;
use wherefore_proof::{
    Assertion, AssertionTruth, Claim, Evidence, Measure, OccurrenceId, ProofId, Replay, SaidStates,
    StatesFrom,
};

use super::FEW_CLAIMS;
use super::explored::ExploredEquations;

/// Decides what sentences about one evidence of a system assert.
pub struct SystemSentenceChecker<'a> {
    lts: &'a Lts,
    question: &'a ModalQuestion,
    evidence: &'a Evidence,
    budget: Budget,
    /// What the claims of the proof need, if that is little.
    explored: OnceCell<Option<ExploredEquations>>,
}

/// So many equations at states are looked at to find shorter evidence, where all would be more than are solved.
const MOST_NEARBY: usize = 200_000;

/// Whether something is so; `None`: nobody knows.
type Known = Option<bool>;

impl<'a> SystemSentenceChecker<'a> {
    /// A checker of what is said about an evidence.
    pub fn new(
        lts: &'a Lts,
        question: &'a ModalQuestion,
        evidence: &'a Evidence,
        budget: Budget,
    ) -> Self {
        Self {
            lts,
            question,
            evidence,
            budget,
            explored: OnceCell::new(),
        }
    }

    /// Whether an assertion is so.
    pub fn decide(&self, assertion: &Assertion) -> AssertionTruth {
        match self.known(assertion) {
            Some(true) => AssertionTruth::True,
            Some(false) => AssertionTruth::False("the system says otherwise".into()),
            None => AssertionTruth::NotDecided("too many states can follow"),
        }
    }

    fn known(&self, assertion: &Assertion) -> Known {
        match assertion {
            Assertion::Every { of, goals } if of.which == StatesFrom::At => {
                self.all_at(goals, of.at)
            }
            Assertion::Size { of, size } => {
                let count = self.count(of)?;
                Some(size.to_string() == count.to_string())
            }
            Assertion::Path { run, keep, arrive } => {
                let (&last, before) = run.split_last()?;
                let steps = run.windows(2).all(|pair| self.is_step(pair[0], pair[1]));
                let mut known = vec![Some(steps), self.all_at(arrive, last)];
                known.extend(before.iter().map(|&at| self.all_at(keep, at)));
                all(known)
            }
            Assertion::Lasso {
                run, back, keep, ..
            } => {
                let closing = (*run.last()?, *run.get(*back)?);
                let steps = run.windows(2).all(|pair| self.is_step(pair[0], pair[1]));
                let mut known = vec![Some(steps && self.is_step(closing.0, closing.1))];
                known.extend(run.iter().map(|&at| self.all_at(keep, at)));
                all(known)
            }
            Assertion::Minimal {
                measure,
                length,
                at_least,
            } => self.minimal(*measure, *length, *at_least),
            _ => None,
        }
    }

    /// The evidence has so many steps, and none has fewer than so many.
    fn minimal(&self, measure: Measure, length: u32, at_least: u32) -> Known {
        if measure.of(self.evidence) != length || at_least > length {
            return Some(false);
        }
        if at_least == 0 {
            return Some(true);
        }
        if measure != Measure::Steps {
            return None;
        }
        let start = (self.question.system.root, self.lts.initial());
        let fewest = |explored: ExploredEquations| {
            let fewest = explored.fewest_steps(self.question, at_least, &self.budget);
            fewest.ok().flatten()
        };
        let nearby = || {
            let root = self.evidence.proof.get(ProofId::new(0))?;
            let Claim::Formula(goal, _) = root.claim else {
                return None;
            };
            let (limits, budget) = ((at_least, MOST_NEARBY), &self.budget);
            let (lts, question) = (self.lts, self.question);
            let near = ExploredEquations::nearby(lts, question, start, goal.holds, limits, budget);
            fewest(near.ok().flatten()?)
        };
        let least = match self.solved([start]) {
            Some(solved) => fewest(solved)?,
            None => nearby()?,
        };
        // What is computed is a bound, so that nothing is known to be smaller.
        (least >= at_least).then_some(true)
    }

    fn state(&self, at: OccurrenceId) -> Option<StateId> {
        state(self.lts, &self.evidence.occurrences.get(at)?.values)
    }

    fn all_at(&self, goals: &[Goal], at: OccurrenceId) -> Known {
        all(goals.iter().map(|&goal| self.goal_at(goal, at)))
    }

    fn goal_at(&self, goal: Goal, at: OccurrenceId) -> Known {
        let state = self.state(at)?;
        self.question.system.equations.get(goal.sub)?;
        let explored = self.explored.get_or_init(|| {
            let nodes = self
                .evidence
                .proof
                .iter()
                .filter_map(|node| match node.claim {
                    Claim::Formula(goal, _) => Some((goal.sub, self.state(node.at)?)),
                    Claim::HasPath => None,
                });
            self.solved(nodes)
        });
        let known = explored.as_ref().and_then(|all| all.holds(goal.sub, state));
        let known = known.map(|holds| holds == goal.holds);
        // Other claims than those of the proof are rare, and solved one by one.
        let solve = || {
            let solved = self.solved([(goal.sub, state)])?;
            Some(solved.holds(goal.sub, state)? == goal.holds)
        };
        let good = matches!(self.evidence.replay, Replay::Ok | Replay::Partial(_));
        let claimed = || {
            let mut nodes = self.evidence.proof.iter();
            let claim = Claim::Formula(goal, None);
            let claimed = nodes.any(|n| n.claim == claim && n.at == at && n.rule.is_some());
            (good && claimed).then_some(true)
        };
        known.or_else(solve).or_else(claimed)
    }

    fn solved(
        &self,
        starts: impl IntoIterator<Item = (SubId, StateId)>,
    ) -> Option<ExploredEquations> {
        let solved =
            ExploredEquations::from(self.lts, self.question, starts, FEW_CLAIMS, &self.budget);
        solved.ok().flatten()
    }

    fn is_step(&self, from: OccurrenceId, to: OccurrenceId) -> bool {
        let (Some(from), Some(to)) = (self.state(from), self.state(to)) else {
            return false;
        };
        self.lts.steps(from).iter().any(|step| step.to == to)
    }

    /// How many states a set has. The states that a goal is decided through are those that its equation needs.
    fn count(&self, of: &SaidStates) -> Option<usize> {
        let start = self.state(of.at)?;
        match &of.which {
            StatesFrom::Next => {
                let mut next: Vec<StateId> = self.lts.steps(start).iter().map(|s| s.to).collect();
                next.sort_unstable();
                next.dedup();
                Some(next.len())
            }
            StatesFrom::Through(goals) => match goals[..] {
                [goal] => Some(self.solved([(goal.sub, start)])?.states().len()),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether all are so: false if one is not, even where others are not known.
fn all(known: impl IntoIterator<Item = Known>) -> Known {
    let mut unknown = false;
    for known in known {
        match known {
            Some(false) => return Some(false),
            Some(true) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(true)
}
