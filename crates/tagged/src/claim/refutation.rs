//! The automaton of the finite runs that refute a claim.
//!
//! Its states are sets of goals, each of which refutes the claim if it is reached from here: the subset
//! construction over the kernels of the refuted formula.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Budget, IndexVec, Run, deep};
use wherefore_logic::{Bounds, Formula, Goal, Kernel, PathPattern, Quantifier, SubId, kernel};

use super::{Aim, TagClaim, TagTruth, TruthClasses, about_paths};
use crate::watch::Watch;

/// The most states that an automaton may have before it is minimised.
const MOST: usize = 4096;

/// A goal that must be reached, with the bounds that are left where it has some.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct PendingGoal {
    goal: Goal,
    bounds: Option<Bounds>,
}

impl From<Goal> for PendingGoal {
    fn from(goal: Goal) -> Self {
        Self { goal, bounds: None }
    }
}

/// A state of the automaton.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum AutomatonState {
    /// The claim is refuted.
    Refuted,
    /// It is if one of these is reached from the next state on.
    Open(Vec<PendingGoal>),
}

pub(super) fn refutation(truth: TagTruth<'_>, budget: &Budget) -> Run<Result<TagClaim, String>> {
    let shapes = Shapes::new(truth.formula);
    let root = Goal::fails(truth.formula.root());
    if let Err(why) = shapes.at_start(root) {
        return Ok(Err(why.to_string()));
    }
    let facts = shapes.facts(root);
    let classes = TruthClasses::new(truth, &facts, budget)?;
    let places: FxHashMap<Goal, usize> = facts.iter().copied().zip(0..).collect();

    let mut names: FxHashMap<AutomatonState, u32> = FxHashMap::default();
    let start = AutomatonState::Open(vec![root.into()]);
    names.insert(start.clone(), 0);
    let mut states = vec![start];
    let (mut next, mut accepting) = (Vec::new(), Vec::new());
    // States are done in order, and `accepting` has an entry for each that is done.
    while accepting.len() < states.len() {
        budget.check()?;
        let state = states[accepting.len()].clone();
        for holds in &classes.truth {
            let after = match &state {
                AutomatonState::Refuted => AutomatonState::Refuted,
                AutomatonState::Open(items) => {
                    let reader = GoalReader {
                        shapes: &shapes,
                        places: &places,
                        holds,
                        after: Vec::new(),
                    };
                    reader.read_all(items)
                }
            };
            let fresh = states.len() as u32;
            let name = *names.entry(after.clone()).or_insert(fresh);
            if name == fresh {
                states.push(after);
            }
            next.push(name);
        }
        accepting.push(state == AutomatonState::Refuted);
        if states.len() > MOST {
            return Ok(Err(format!(
                "its automaton has more than {MOST} states; smaller bounds would help"
            )));
        }
    }
    let count = classes.truth.len();
    Ok(Ok(TagClaim {
        watch: Watch::new(classes.class, count, next, accepting, budget)?,
        aim: Aim::Broken,
        facts: about_paths(truth.formula, &facts),
    }))
}

/// Facts that are so now, and perhaps a goal about the future.
type GoalBranch = (Vec<Goal>, Option<Goal>);

/// What a goal asks of one run.
enum GoalShape {
    /// Nothing: the state decides, or the checker has.
    Fact,
    /// One of these.
    Branches(Vec<GoalBranch>),
    /// The goal in the next state.
    Next(Goal),
    /// The branch now; or the facts now and the same in the next state.
    Until(Vec<Goal>, GoalBranch),
    /// The same within bounds.
    Within(Bounds, UntilPattern),
}

/// `[stay U goal]` within bounds; `weak`: all of `stay` between the bounds is enough.
struct UntilPattern {
    weak: bool,
    stay: Vec<Goal>,
    goal: Option<GoalBranch>,
}

/// What each goal of a formula asks of one run.
struct Shapes<'a> {
    formula: &'a Formula,
    propositional: IndexVec<SubId, bool>,
    /// For each sub-formula: when it is to fail, when it is to hold.
    of: IndexVec<SubId, [GoalShape; 2]>,
}

impl<'a> Shapes<'a> {
    fn new(formula: &'a Formula) -> Self {
        let mut shapes = Self {
            formula,
            propositional: formula.propositional(),
            of: IndexVec::new(),
        };
        // Operands come first, so that a goal is read after those it is made of.
        for sub in formula.subs() {
            let fails = shapes.read(Goal::fails(sub));
            let holds = shapes.read(Goal::holds(sub));
            shapes.of.push([fails, holds]);
        }
        shapes
    }

    fn get(&self, goal: Goal) -> &GoalShape {
        &self.of[goal.sub][usize::from(goal.holds)]
    }

    fn is_fact(&self, goal: Goal) -> bool {
        matches!(self.get(goal), GoalShape::Fact)
    }

    fn are_facts(&self, goals: &[Goal]) -> bool {
        goals.iter().all(|&goal| self.is_fact(goal))
    }

    fn read(&self, goal: Goal) -> GoalShape {
        if self.propositional[goal.sub] {
            return GoalShape::Fact;
        }
        let run = |pattern: &PathPattern| pattern.quantifier == Quantifier::Exists && !pattern.fair;
        let shape = match kernel(self.formula, goal) {
            Kernel::Branches(branches) => {
                let branches = branches.into_iter().map(|goals| self.branch(goals));
                branches.collect::<Option<_>>().map(GoalShape::Branches)
            }
            Kernel::Step(Quantifier::Exists, next) => Some(GoalShape::Next(next)),
            Kernel::Path(pattern)
                if run(&pattern) && !pattern.weak && self.are_facts(&pattern.stay) =>
            {
                let branch = pattern.goal.and_then(|goals| self.branch(goals));
                branch.map(|branch| GoalShape::Until(pattern.stay, branch))
            }
            Kernel::Bounded(bounds, pattern) if run(&pattern) && self.are_facts(&pattern.stay) => {
                let goal = match pattern.goal {
                    None => Some(None),
                    Some(goals) => self.branch(goals).map(Some),
                };
                let (weak, stay) = (pattern.weak, pattern.stay);
                goal.map(|goal| GoalShape::Within(bounds, UntilPattern { weak, stay, goal }))
            }
            _ => None,
        };
        // What no single run shows is left to the checker, as a fact about the state.
        shape.unwrap_or(GoalShape::Fact)
    }

    /// Goals of which at most one speaks of the future.
    fn branch(&self, goals: Vec<Goal>) -> Option<GoalBranch> {
        let goals = goals.into_iter();
        let (facts, mut rest): (Vec<_>, Vec<_>) = goals.partition(|&goal| self.is_fact(goal));
        (rest.len() < 2).then(|| (facts, rest.pop()))
    }

    /// A claim about paths that is taken as a fact where runs start says nothing of runs: then why.
    fn at_start(&self, root: Goal) -> Result<(), &'static str> {
        let mut open = vec![root];
        while let Some(goal) = open.pop() {
            match self.get(goal) {
                GoalShape::Fact if !self.propositional[goal.sub] => return Err(self.why_not(goal)),
                GoalShape::Branches(branches) => {
                    let goals = branches.iter().flat_map(members);
                    open.extend(goals.copied());
                }
                GoalShape::Fact
                | GoalShape::Next(_)
                | GoalShape::Until(..)
                | GoalShape::Within(..) => {}
            }
        }
        Ok(())
    }

    fn why_not(&self, goal: Goal) -> &'static str {
        match kernel(self.formula, goal) {
            Kernel::Step(Quantifier::Forall, _) => SOME_PATH,
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern)
                if pattern.quantifier == Quantifier::Forall =>
            {
                SOME_PATH
            }
            Kernel::Path(pattern) if pattern.weak => PROMISES,
            _ => SEVERAL,
        }
    }

    /// The facts that are read for a goal, in order.
    fn facts(&self, root: Goal) -> Vec<Goal> {
        let mut facts = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![root];
        while let Some(goal) = open.pop() {
            if !seen.insert(goal) {
                continue;
            }
            match self.get(goal) {
                GoalShape::Fact => facts.push(goal),
                GoalShape::Branches(branches) => open.extend(branches.iter().flat_map(members)),
                GoalShape::Next(goal) => open.push(*goal),
                GoalShape::Until(stay, goal) => open.extend(stay.iter().chain(members(goal))),
                GoalShape::Within(_, pattern) => {
                    open.extend(&pattern.stay);
                    open.extend(pattern.goal.iter().flat_map(members));
                }
            }
        }
        facts.sort_unstable();
        facts
    }
}

fn members((facts, rest): &GoalBranch) -> impl Iterator<Item = &Goal> {
    facts.iter().chain(rest)
}

const SOME_PATH: &str =
    "it claims that some path exists, so no single run breaks it; `explain` tells more";
const PROMISES: &str = "of the properties that promise something, `AF q`, `A [p U q]` and \
    `AG (p -> AF q)` can be debugged, each alone";
const SEVERAL: &str = "a run breaks only a part of it; a property that one run breaks, as `AG p` or \
    `AG (p -> AX q)`, can be debugged";

/// Reads one state.
struct GoalReader<'a> {
    shapes: &'a Shapes<'a>,
    places: &'a FxHashMap<Goal, usize>,
    holds: &'a [bool],
    /// What must be reached from the next state.
    after: Vec<PendingGoal>,
}

impl GoalReader<'_> {
    fn read_all(mut self, items: &[PendingGoal]) -> AutomatonState {
        if items.iter().any(|&item| self.read(item)) {
            return AutomatonState::Refuted;
        }
        self.after.sort_unstable();
        self.after.dedup();
        AutomatonState::Open(self.after)
    }

    fn so(&self, goals: &[Goal]) -> bool {
        goals.iter().all(|goal| self.holds[self.places[goal]])
    }

    /// Whether the item is reached here; notes what may be reached later.
    fn read(&mut self, item: PendingGoal) -> bool {
        let shapes = self.shapes;
        deep(|| match shapes.get(item.goal) {
            GoalShape::Fact => self.so(&[item.goal]),
            GoalShape::Branches(branches) => branches.iter().any(|branch| self.branch(branch)),
            GoalShape::Next(goal) => {
                self.after.push((*goal).into());
                false
            }
            GoalShape::Until(stay, goal) => {
                // Both count: the goal may be reached here or later.
                if self.so(stay) {
                    self.after.push(item);
                }
                self.branch(goal)
            }
            GoalShape::Within(bounds, pattern) => {
                self.within(item.goal, item.bounds.unwrap_or(*bounds), pattern)
            }
        })
    }

    fn branch(&mut self, (facts, rest): &GoalBranch) -> bool {
        self.so(facts) && rest.is_none_or(|goal| self.read(goal.into()))
    }

    fn within(&mut self, goal: Goal, bounds: Bounds, pattern: &UntilPattern) -> bool {
        let stay = self.so(&pattern.stay);
        let (inside, last) = (bounds.least == 0, bounds.most == 0);
        if pattern.weak && last {
            return stay;
        }
        // Within the bounds a weak pattern must stay whatever else it does; a strong one only to go on.
        if pattern.weak && inside && !stay {
            return false;
        }
        if !last && (pattern.weak || stay) {
            // There is a step left, so this cannot underflow.
            let bounds = Some(Bounds {
                least: bounds.least.saturating_sub(1),
                most: bounds.most - 1,
            });
            self.after.push(PendingGoal { goal, bounds });
        }
        let now = pattern.weak || inside;
        let goal = pattern.goal.as_ref().filter(|_| now);
        goal.is_some_and(|goal| self.branch(goal))
    }
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;
    use wherefore_logic::{AtomId, Op, PathOp};
    use wherefore_model::lts::StateId;

    use super::super::claim;
    use super::*;

    /// Reads runs of a system with four states, one for each truth of two atoms; the claim is made by
    /// `make` from the atoms.
    fn outcomes(
        make: impl Fn(&mut Formula, SubId, SubId) -> SubId,
        runs: &[&[usize]],
    ) -> Result<Vec<bool>, String> {
        let mut formula = Formula::new();
        let p = formula.add(Op::Atom(AtomId::new(0)), None);
        let q = formula.add(Op::Atom(AtomId::new(1)), None);
        make(&mut formula, p, q);
        let mut sat: IndexVec<SubId, FixedBitSet> = IndexVec::new();
        for sub in formula.subs() {
            let mut set = FixedBitSet::with_capacity(4);
            let holds = |state: usize| match formula.op(sub) {
                Op::Atom(atom) => state >> atom.index() & 1 == 1,
                Op::Not(p) => !sat[p].contains(state),
                _ => false,
            };
            set.extend((0..4).filter(|&state| holds(state)));
            sat.push(set);
        }
        let truth = TagTruth {
            formula: &formula,
            sat: &sat,
            states: 4,
            start: None,
        };
        let claim = claim(truth, &Budget::unlimited()).expect("no limit")?;
        let read = |run: &&[usize]| {
            let next = |at, state: &usize| claim.watch.next(at, StateId::new(*state));
            claim.watch.accepting(run.iter().fold(0, next))
        };
        Ok(runs.iter().map(read).collect())
    }

    fn always(formula: &mut Formula, sub: SubId) -> SubId {
        formula.add(Op::Path(Quantifier::Forall, PathOp::Globally(sub)), None)
    }

    // The states: nothing, p, q, both.
    const NONE: usize = 0;
    const P: usize = 1;
    const Q: usize = 2;
    const BOTH: usize = 3;

    #[test]
    fn what_must_follow_at_once_is_missed_one_step_later() {
        let after_p_comes_q = |formula: &mut Formula, p, q| {
            let next = formula.add(Op::Path(Quantifier::Forall, PathOp::Next(q)), None);
            let implies = formula.add(Op::Implies(p, next), None);
            always(formula, implies)
        };
        let runs: [&[usize]; 4] = [&[P], &[P, BOTH, Q, NONE], &[NONE, P, P], &[NONE, P, P, Q]];
        let broken = outcomes(after_p_comes_q, &runs);
        assert_eq!(broken, Ok(vec![false, false, true, true]));
    }

    #[test]
    fn bounds_count_steps() {
        let soon = |formula: &mut Formula, p, q| {
            let bounds = Bounds { least: 1, most: 2 };
            let within = PathOp::FinallyWithin(bounds, q);
            let within = formula.add(Op::Path(Quantifier::Forall, within), None);
            let implies = formula.add(Op::Implies(p, within), None);
            always(formula, implies)
        };
        let runs: [&[usize]; 4] = [
            &[P, NONE],
            &[P, NONE, NONE],
            &[BOTH, NONE, Q],
            &[BOTH, NONE, NONE],
        ];
        assert_eq!(outcomes(soon, &runs), Ok(vec![false, true, false, true]));
    }

    #[test]
    fn a_claim_that_no_run_breaks_is_refused() {
        let possible = |formula: &mut Formula, p, _| {
            formula.add(Op::Path(Quantifier::Exists, PathOp::Finally(p)), None)
        };
        assert_eq!(outcomes(possible, &[]), Err(SOME_PATH.to_string()));
    }
}
