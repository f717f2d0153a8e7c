//! What is still to be shown along a run, as an automaton that reads states.
//!
//! A claim in the fragment has its evidence in one run. Read along such a run it is always one goal
//! that is left to be shown: a *stage*. At a state, a stage goes on in one of several *ways*: it is
//! done here, or something else is to be shown at the next state.

use rustc_hash::FxHashMap;
use wherefore_base::{IndexVec, Run, Stop, deep, define_id};
use wherefore_logic::{Bounds, Goal, Kernel, PathPattern, Quantifier, SubId};
use wherefore_proof::{NoAbstract, Split};
use wherefore_space::StateSpace;

use crate::case::ProofCase;

/// Claims with more stages have no abstract form here.
const MOST_STAGES: usize = 1_000;
/// Bounds beyond this are not unfolded.
const MOST_BOUND: u32 = 64;

define_id!(
    /// A stage of a claim.
    pub(super) struct StageId
);

/// What is left to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct StageKey {
    pub(super) goal: Goal,
    /// Whether the state must have a path of the path rule: it is the target of a step.
    pub(super) live: bool,
    /// How many steps were made for a bounded goal.
    pub(super) taken: u32,
}

impl StageKey {
    pub(super) fn new(goal: Goal) -> Self {
        Self {
            goal,
            live: false,
            taken: 0,
        }
    }

    /// The goal at the target of a step.
    pub(super) fn after_step(goal: Goal) -> Self {
        Self {
            live: true,
            ..Self::new(goal)
        }
    }
}

/// A way to go on with a stage.
pub(super) struct StageWay<Set> {
    /// Where it can be taken.
    pub(super) here: Set,
    /// What is left at the next state; `None`: all is shown here.
    pub(super) then: Option<StageId>,
}

/// The stages of a claim and how they go on, in the order in which the ways are written.
pub(super) struct Stages<Set> {
    pub(super) ways: IndexVec<StageId, Vec<StageWay<Set>>>,
    pub(super) keys: IndexVec<StageId, StageKey>,
    known: FxHashMap<StageKey, StageId>,
}

impl<Set> Stages<Set> {
    /// The stages of a goal, the goal itself first.
    pub(super) fn new<S: StateSpace<Set = Set>>(
        case: &ProofCase<'_, '_, S>,
        goal: Goal,
        split: Split,
    ) -> Run<Result<Self, NoAbstract>>
    where
        Set: Clone,
    {
        let mut compiler = StageCompiler {
            case,
            simpler: (split == Split::Simpler).then(|| sizes(case)),
            propositional: case.query.formula.propositional(),
            stages: Self {
                ways: IndexVec::new(),
                keys: IndexVec::new(),
                known: FxHashMap::default(),
            },
        };
        match compiler.stage(StageKey::new(goal)) {
            Ok(_) => Ok(Ok(compiler.stages)),
            Err(NoStages::No(why)) => Ok(Err(why)),
            Err(NoStages::Stop(stop)) => Err(stop),
        }
    }

    /// The stage of the claim itself.
    pub(super) fn first() -> StageId {
        StageId::new(0)
    }

    /// The stage in which this is left, if the claim has it.
    pub(super) fn find(&self, key: StageKey) -> Option<StageId> {
        self.known.get(&key).copied()
    }
}

/// The branches in the order in which they are preferred when simpler ones come first.
pub(super) fn simplest_first<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    branches: &[Vec<Goal>],
) -> Vec<usize> {
    by_size(&sizes(case), branches)
}

fn by_size(sizes: &IndexVec<SubId, usize>, branches: &[Vec<Goal>]) -> Vec<usize> {
    let size = |at: &usize| {
        branches[*at]
            .iter()
            .map(|goal| sizes[goal.sub])
            .sum::<usize>()
    };
    let mut order: Vec<usize> = (0..branches.len()).collect();
    order.sort_by_key(size);
    order
}

/// How many sub-formulas each sub-formula has.
fn sizes<S: StateSpace>(case: &ProofCase<'_, '_, S>) -> IndexVec<SubId, usize> {
    let formula = &case.query.formula;
    let mut sizes: IndexVec<SubId, usize> = IndexVec::new();
    for sub in formula.subs() {
        let operands = formula.op(sub).operands();
        sizes.push(1 + operands.map(|operand| sizes[operand]).sum::<usize>());
    }
    sizes
}

enum NoStages {
    No(NoAbstract),
    Stop(Stop),
}

impl From<Stop> for NoStages {
    fn from(stop: Stop) -> Self {
        NoStages::Stop(stop)
    }
}

struct StageCompiler<'a, 'c, 's, S: StateSpace> {
    case: &'a ProofCase<'c, 's, S>,
    simpler: Option<IndexVec<SubId, usize>>,
    propositional: IndexVec<SubId, bool>,
    stages: Stages<S::Set>,
}

impl<S: StateSpace> StageCompiler<'_, '_, '_, S> {
    fn stage(&mut self, key: StageKey) -> Result<StageId, NoStages> {
        if let Some(id) = self.stages.find(key) {
            return Ok(id);
        }
        if self.stages.keys.len() == MOST_STAGES {
            return Err(NoStages::No(NoAbstract::TooManyStages));
        }
        let id = self.stages.keys.push(key);
        self.stages.ways.push(vec![]);
        // The stage is known before its ways are: an until goes on with itself at the next state.
        self.stages.known.insert(key, id);
        let mut ways = self.ways(key.goal, key.taken)?;
        if key.live {
            self.narrow(&mut ways, self.case.live()?)?;
        }
        self.stages.ways[id] = ways;
        Ok(id)
    }

    fn narrow(&self, ways: &mut [StageWay<S::Set>], to: &S::Set) -> Run<()> {
        for way in ways {
            way.here = self.case.space.meet(&way.here, to)?;
        }
        Ok(())
    }

    fn ways(&mut self, goal: Goal, taken: u32) -> Result<Vec<StageWay<S::Set>>, NoStages> {
        deep(|| self.ways_here(goal, taken))
    }

    fn ways_here(&mut self, goal: Goal, taken: u32) -> Result<Vec<StageWay<S::Set>>, NoStages> {
        let case = self.case;
        if self.propositional[goal.sub] {
            let here = (*case.set(goal)?).clone();
            return Ok(vec![StageWay { here, then: None }]);
        }
        match case.kernel(goal) {
            Kernel::State => unreachable!("the state itself decides propositions only"),
            Kernel::Branches(branches) => {
                let order = match &self.simpler {
                    Some(sizes) => by_size(sizes, &branches),
                    None => (0..branches.len()).collect(),
                };
                let mut ways = Vec::new();
                for at in order {
                    ways.extend(self.all(goal, &branches[at])?);
                }
                Ok(ways)
            }
            Kernel::Step(Quantifier::Exists, next) => Ok(vec![StageWay {
                here: case.space.reachable().clone(),
                then: Some(self.stage(StageKey::after_step(next))?),
            }]),
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => {
                self.path(goal, &pattern, None, 0)
            }
            Kernel::Bounded(bounds, pattern) if pattern.quantifier == Quantifier::Exists => {
                if bounds.most > MOST_BOUND {
                    return Err(NoStages::No(NoAbstract::LongBounds(goal, MOST_BOUND)));
                }
                self.path(goal, &pattern, Some(bounds), taken)
            }
            Kernel::Step(..) | Kernel::Path(_) | Kernel::Bounded(..) => {
                Err(NoStages::No(NoAbstract::EveryPath(goal)))
            }
        }
    }

    fn path(
        &mut self,
        goal: Goal,
        pattern: &PathPattern,
        bounds: Option<Bounds>,
        taken: u32,
    ) -> Result<Vec<StageWay<S::Set>>, NoStages> {
        let (case, rule) = (self.case, self.case.query.rule);
        let Some(goals) = pattern.goal.as_ref().filter(|_| !pattern.weak) else {
            return Err(NoStages::No(NoAbstract::ForEver(goal)));
        };
        // What must hold on the way must not need steps itself, or the evidence would be a tree.
        if let Some(on_the_way) = pattern.stay.iter().find(|g| !self.propositional[g.sub]) {
            return Err(NoStages::No(NoAbstract::OnTheWay(*on_the_way)));
        }
        let mut ways = Vec::new();
        if bounds.is_none_or(|bounds| taken >= bounds.least) {
            ways = self.all(goal, goals)?;
            self.narrow(&mut ways, case.checker.live(rule, pattern)?)?;
        }
        if bounds.is_none_or(|bounds| taken < bounds.most) {
            let taken = match bounds {
                Some(_) => taken + 1,
                None => 0,
            };
            let next = StageKey {
                taken,
                ..StageKey::new(goal)
            };
            ways.push(StageWay {
                here: case.checker.all_of(case.solution, &pattern.stay)?,
                then: Some(self.stage(next)?),
            });
        }
        Ok(ways)
    }

    /// The ways to show all goals of a branch, of which at most one may need steps.
    fn all(&mut self, parent: Goal, goals: &[Goal]) -> Result<Vec<StageWay<S::Set>>, NoStages> {
        let case = self.case;
        let (here, steps): (Vec<_>, Vec<_>) =
            goals.iter().partition(|goal| self.propositional[goal.sub]);
        let here = case.checker.all_of(case.solution, &here)?;
        let mut ways = vec![StageWay {
            here: here.clone(),
            then: None,
        }];
        for (at, &goal) in steps.iter().enumerate() {
            // Each is looked at even if they are too many: its own reason says more.
            let own = self.ways(goal, 0)?;
            if at > 0 {
                return Err(NoStages::No(NoAbstract::SeveralRuns(parent)));
            }
            ways = own;
            self.narrow(&mut ways, &here)?;
        }
        Ok(ways)
    }
}
