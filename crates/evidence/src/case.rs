//! A case: one query with its solution, and the sets its claims are made of.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Run, deep};
use wherefore_check::{Checker, PathSets, Solution};
use wherefore_logic::{Bounds, Goal, Kernel, PathPattern, PathRule, Quantifier, kernel};
use wherefore_model::{Query, TermId};
use wherefore_proof::{Claim, LISTED_SUCCESSORS};
use wherefore_space::StateSpace;

use crate::along::AlongAutomaton;
use crate::costs::{Costs, Loops};
use crate::lasso::nearest_successor;
use crate::strategy::Automaton;

/// Answers that are kept once worked out.
pub(crate) type KeptSets<K, V> = RefCell<FxHashMap<K, V>>;

/// A query with its solution. Sets are worked out when first asked for and kept.
pub(crate) struct ProofCase<'c, 's, S: StateSpace> {
    pub(crate) checker: &'c Checker<'s, S>,
    pub(crate) space: &'s S,
    pub(crate) query: &'c Query,
    pub(crate) solution: &'c Solution<S::Set>,
    sets: KeptSets<Goal, Rc<S::Set>>,
    paths: KeptSets<Claim, Rc<PathCase<S>>>,
    layers: KeptSets<Goal, Rc<CostLayers<S::Set>>>,
    needs_steps: KeptSets<Goal, bool>,
    least_steps: KeptSets<Goal, u32>,
    says_path: KeptSets<Goal, bool>,
    conditions: KeptSets<TermId, Rc<S::Set>>,
    inevitable: KeptSets<Claim, Rc<Vec<S::Set>>>,
    pub(crate) adds_states: KeptSets<Goal, bool>,
    pub(crate) is_one_run: KeptSets<Goal, bool>,
    pub(crate) is_plain: KeptSets<Goal, bool>,
    pub(crate) along: KeptSets<(Claim, Automaton), Rc<RefCell<AlongAutomaton<'s, S>>>>,
    resting: OnceCell<S::Set>,
    pub(crate) most_layers: Cell<usize>,
    pub(crate) costs: KeptSets<(Goal, Loops), MeasuredCosts<S::Set>>,
}

/// The layers of a goal, if its evidence is one run.
type MeasuredCosts<Set> = Option<Rc<Costs<Set>>>;

/// An existential path pattern with its sets and distances.
pub(crate) struct PathCase<S: StateSpace> {
    pub(crate) pattern: PathPattern,
    pub(crate) sets: PathSets<S::Set>,
    /// Distances to the goal or to where staying for ever is possible.
    pub(crate) rings: S::Rings,
    /// Whether staying for ever must be fair.
    pub(crate) fair: bool,
    /// Whether staying to the end of a finite path is enough: in a deadlock, or anywhere.
    pub(crate) finite: Finite,
}

/// Which finite paths may end without reaching the goal of a weak pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finite {
    Never,
    InDeadlock,
    Anywhere,
}

/// The layers of an existential bounded pattern: layer `i` with `i` steps left.
pub(crate) struct CostLayers<Set> {
    pub(crate) pattern: PathPattern,
    pub(crate) bounds: Bounds,
    pub(crate) stay: Set,
    pub(crate) goal: Set,
    pub(crate) layers: Vec<Set>,
}

impl<Set> CostLayers<Set> {
    /// Whether, with this many steps left, the path is between its bounds.
    pub(crate) fn inside(&self, left: u32) -> bool {
        left <= self.bounds.most.saturating_sub(self.bounds.least)
    }
}

impl<'c, 's, S: StateSpace> ProofCase<'c, 's, S> {
    pub(crate) fn new(
        checker: &'c Checker<'s, S>,
        query: &'c Query,
        solution: &'c Solution<S::Set>,
    ) -> Self {
        Self {
            checker,
            space: checker.space(),
            query,
            solution,
            sets: RefCell::default(),
            paths: RefCell::default(),
            layers: RefCell::default(),
            needs_steps: RefCell::default(),
            least_steps: RefCell::default(),
            says_path: RefCell::default(),
            conditions: RefCell::default(),
            inevitable: RefCell::default(),
            adds_states: RefCell::default(),
            is_one_run: RefCell::default(),
            is_plain: RefCell::default(),
            along: RefCell::default(),
            resting: OnceCell::new(),
            most_layers: Cell::new(0),
            costs: RefCell::default(),
        }
    }

    pub(crate) fn kernel(&self, goal: Goal) -> Kernel {
        kernel(&self.query.formula, goal)
    }

    /// The states where a goal is so.
    pub(crate) fn set(&self, goal: Goal) -> Run<Rc<S::Set>> {
        if let Some(set) = self.sets.borrow().get(&goal) {
            return Ok(set.clone());
        }
        let set = Rc::new(self.checker.set_of(self.solution, goal)?);
        self.sets.borrow_mut().insert(goal, set.clone());
        Ok(set)
    }

    /// Whether a goal is so at a state.
    pub(crate) fn is_so(&self, goal: Goal, state: &S::State) -> bool {
        self.space.contains(&self.solution.sat[goal.sub], state) == goal.holds
    }

    /// States where the rule lets a path go on.
    pub(crate) fn live(&self) -> Run<&S::Set> {
        self.checker.with_path(self.query.rule)
    }

    /// The states where a condition of a strategy is true.
    pub(crate) fn condition(&self, condition: TermId) -> Run<Rc<S::Set>> {
        if let Some(set) = self.conditions.borrow().get(&condition) {
            return Ok(set.clone());
        }
        let set = Rc::new(self.space.states_where(condition)?);
        let kept = set.clone();
        self.conditions.borrow_mut().insert(condition, kept);
        Ok(set)
    }

    /// States with a step to themselves.
    pub(crate) fn resting(&self) -> Run<&S::Set> {
        if self.resting.get().is_none() {
            let _ = self.resting.set(self.space.resting()?);
        }
        Ok(self.resting.get().expect("it was just set"))
    }

    /// The existential path pattern of a claim whose kernel is one.
    pub(crate) fn path(&self, claim: Claim) -> Run<Rc<PathCase<S>>> {
        if let Some(path) = self.paths.borrow().get(&claim) {
            return Ok(path.clone());
        }
        let pattern = match claim {
            Claim::HasPath => has_path_pattern(self.query.rule),
            Claim::Formula(goal, _) => match self.kernel(goal) {
                Kernel::Path(pattern) => pattern,
                other => unreachable!("only path claims have a path pattern, not {other:?}"),
            },
        };
        let rule = self.query.rule;
        let sets = self.checker.path_sets(rule, self.solution, &pattern)?;
        let ends = self.space.join(&sets.goal, &sets.endless)?;
        let rings = self.space.until(&sets.stay, &ends)?;
        let finite = match rule {
            _ if pattern.fair => Finite::Never,
            PathRule::Reach => Finite::Anywhere,
            PathRule::Maximal => Finite::InDeadlock,
            PathRule::FairInfinite | PathRule::Plain | PathRule::PlainFair => Finite::Never,
        };
        let path = Rc::new(PathCase {
            fair: pattern.fair || rule.globally_is_fair(),
            finite,
            pattern,
            sets,
            rings,
        });
        self.paths.borrow_mut().insert(claim, path.clone());
        Ok(path)
    }

    /// The layers of a goal whose kernel is an existential bounded pattern.
    pub(crate) fn layers(&self, goal: Goal) -> Run<Rc<CostLayers<S::Set>>> {
        if let Some(layers) = self.layers.borrow().get(&goal) {
            return Ok(layers.clone());
        }
        let Kernel::Bounded(bounds, pattern) = self.kernel(goal) else {
            unreachable!("only bounded claims have layers")
        };
        let rule = self.query.rule;
        let sets = self
            .checker
            .bounded(rule, self.solution, &pattern, bounds)?;
        let stay = self.checker.all_of(self.solution, &pattern.stay)?;
        let goal_set = match &pattern.goal {
            Some(goals) => {
                let goals = self.checker.all_of(self.solution, goals)?;
                self.space
                    .meet(&goals, self.checker.live(rule, &pattern)?)?
            }
            None => self.space.nothing(),
        };
        let layers = Rc::new(CostLayers {
            pattern,
            bounds,
            stay,
            goal: goal_set,
            layers: sets,
        });
        self.layers.borrow_mut().insert(goal, layers.clone());
        Ok(layers)
    }

    /// Whether showing a goal may take steps of a run. Universal claims are shown by regions.
    pub(crate) fn needs_steps(&self, goal: Goal) -> bool {
        remembered(&self.needs_steps, goal, || match self.kernel(goal) {
            Kernel::State => false,
            Kernel::Branches(branches) => {
                let mut goals = branches.iter().flatten();
                goals.any(|&goal| self.needs_steps(goal))
            }
            Kernel::Step(quantifier, _) => quantifier == Quantifier::Exists,
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => {
                pattern.quantifier == Quantifier::Exists
            }
        })
    }

    /// How many steps of a run any evidence for a goal has at least.
    pub(crate) fn least_steps(&self, goal: Goal) -> u32 {
        let all = |goals: &Vec<Goal>| goals.iter().map(|&goal| self.least_steps(goal)).sum();
        remembered(&self.least_steps, goal, || match self.kernel(goal) {
            _ if !self.needs_steps(goal) => 0,
            Kernel::State | Kernel::Bounded(..) => 0,
            Kernel::Branches(branches) => branches.iter().map(all).min().unwrap_or(0),
            Kernel::Step(_, next) => 1 + self.least_steps(next),
            Kernel::Path(pattern) => self.least_end(&pattern),
        })
    }

    /// How many steps an existential path has at least once it is where it ends or may stay.
    pub(crate) fn least_end(&self, pattern: &PathPattern) -> u32 {
        let goals = pattern.goal.as_ref().map(|goals| {
            let goals = goals.iter();
            goals.map(|&goal| self.least_steps(goal)).sum::<u32>()
        });
        let finite = matches!(self.query.rule, PathRule::Reach | PathRule::Maximal);
        // A path that must be infinite has at least the step that closes its loop.
        let endless = pattern.weak.then_some(u32::from(pattern.fair || !finite));
        goals.into_iter().chain(endless).min().unwrap_or(0)
    }

    /// Whether a goal that is so says that a path starts at its state: whichever branch shows it, some
    /// path does.
    pub(crate) fn says_path(&self, goal: Goal) -> bool {
        remembered(&self.says_path, goal, || match self.kernel(goal) {
            Kernel::State => false,
            Kernel::Branches(branches) => branches
                .iter()
                .all(|goals| goals.iter().any(|&goal| self.says_path(goal))),
            Kernel::Step(quantifier, _) => quantifier == Quantifier::Exists,
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern) => {
                pattern.quantifier == Quantifier::Exists
            }
        })
    }

    /// The successors of a state that have a path, where the rule asks for one; `None` when they are
    /// many.
    pub(crate) fn listed_successors(&self, state: &S::State) -> Run<Option<Vec<S::State>>> {
        let live = self.live()?;
        // One more than may be listed shows that there are too many.
        let successors = self.space.successors(state)?.take(LISTED_SUCCESSORS + 1);
        let mut successors = successors.collect::<Run<Vec<S::State>>>()?;
        if successors.len() > LISTED_SUCCESSORS {
            return Ok(None);
        }
        successors.retain(|state| self.space.contains(live, state));
        Ok(Some(successors))
    }

    /// For a claim that every path reaches a goal: the states from which each does within 0, 1, 2, ...
    /// steps. Where only fairness makes paths arrive, a state is in none of them.
    pub(crate) fn inevitable(&self, claim: Claim, pattern: &PathPattern) -> Run<Rc<Vec<S::Set>>> {
        if let Some(rounds) = self.inevitable.borrow().get(&claim) {
            return Ok(rounds.clone());
        }
        let space = self.space;
        let stay = self.checker.all_of(self.solution, &pattern.stay)?;
        let goals = pattern.goal.as_deref().unwrap_or_default();
        let mut reached = self.checker.all_of(self.solution, goals)?;
        let mut rounds = vec![reached.clone()];
        loop {
            space.budget().check()?;
            // A path that may stop anywhere may stop before it arrives.
            if self.query.rule == PathRule::Reach {
                break;
            }
            // A state is sure to arrive when no step of it leads to a live state that is not.
            let astray = space.pre(&space.minus(self.live()?, &reached)?)?;
            let mut more = space.minus(&stay, &astray)?;
            // A maximal path that ends in a deadlock never arrives.
            if self.query.rule == PathRule::Maximal {
                more = space.minus(&more, self.checker.dead()?)?;
            }
            let more = space.join(&reached, &more)?;
            if more == reached {
                break;
            }
            rounds.push(more.clone());
            reached = more;
        }
        let rounds = Rc::new(rounds);
        self.inevitable.borrow_mut().insert(claim, rounds.clone());
        Ok(rounds)
    }

    /// Within how many steps every path from a state reaches the goal of a claim, if that is bounded.
    pub(crate) fn inevitable_within(&self, claim: Claim, state: &S::State) -> Run<Option<u32>> {
        let pattern = match claim {
            Claim::Formula(goal, _) => match self.kernel(goal) {
                Kernel::Path(pattern) => pattern,
                _ => return Ok(None),
            },
            Claim::HasPath => return Ok(None),
        };
        let rounds = self.inevitable(claim, &pattern)?;
        // Rounds grow: look for the first one with the state.
        let first = rounds.partition_point(|round| !self.space.contains(round, state));
        Ok((first < rounds.len()).then_some(u32::try_from(first).unwrap_or(u32::MAX)))
    }

    /// A successor of a state in the set; `accepts` tells the same of a single state. Among the first 64
    /// successors it is the one that changes the fewest variables, of these the least; beyond, the least.
    pub(crate) fn nearest_successor(
        &self,
        from: &S::State,
        accepts: impl Fn(&S::State) -> bool,
        set: impl FnOnce() -> Run<S::Set>,
    ) -> Run<Option<S::State>> {
        nearest_successor(self.space, from, accepts, set)
    }
}

/// What is known of a goal, worked out once: goals under `<->` are asked for again and again.
pub(crate) fn remembered<T: Copy>(
    known: &KeptSets<Goal, T>,
    goal: Goal,
    work_out: impl FnOnce() -> T,
) -> T {
    let found = known.borrow().get(&goal).copied();
    found.unwrap_or_else(|| {
        let value = deep(work_out);
        known.borrow_mut().insert(goal, value);
        value
    })
}

/// "A path of the rule starts here", as a pattern: stay for ever, anywhere. The path is fair and
/// infinite, or under the rule with maximal paths ends in a deadlock.
pub(crate) fn has_path_pattern(rule: PathRule) -> PathPattern {
    PathPattern {
        quantifier: Quantifier::Exists,
        weak: true,
        stay: vec![],
        goal: None,
        fair: rule != PathRule::Maximal,
    }
}
