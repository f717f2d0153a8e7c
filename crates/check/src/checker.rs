//! Fair CTL over sets of states.

use std::cell::OnceCell;

use wherefore_base::{IndexVec, Run};
use wherefore_logic::{
    Bounds, Fairness, Goal, Kernel, Op, PathPattern, PathRule, Quantifier, SubId, kernel,
};
use wherefore_model::Query;
use wherefore_space::{Rings, StateSpace};

/// Where each sub-formula of a query holds.
#[derive(Clone, Debug)]
pub struct Solution<Set> {
    /// The reachable states where each sub-formula holds.
    pub sat: IndexVec<SubId, Set>,
}

/// The sets that an existential path pattern is made of, under a path rule.
#[derive(Clone, Debug)]
pub struct PathSets<Set> {
    /// States where the stay goals hold.
    pub stay: Set,
    /// States where the goals hold and the path may end, as far as the rule is concerned.
    pub goal: Set,
    /// For weak patterns: states of `stay` where staying for ever (or to the end of the path, if the
    /// rule has finite paths) is possible. Empty for strong patterns.
    pub endless: Set,
}

/// Answers queries over one state space.
pub struct Checker<'s, S: StateSpace> {
    space: &'s S,
    fairness: Fairness<S::Set>,
    fair: OnceCell<S::Set>,
    dead: OnceCell<S::Set>,
    maximal: OnceCell<S::Set>,
}

impl<'s, S: StateSpace> Checker<'s, S> {
    /// A checker over a space, with the fairness constraints of its model.
    pub fn new(space: &'s S) -> Run<Self> {
        let model = space.model();
        let fairness = model.fairness.try_map(|&term| space.states_where(term))?;
        Ok(Self {
            space,
            fairness,
            fair: OnceCell::new(),
            dead: OnceCell::new(),
            maximal: OnceCell::new(),
        })
    }

    /// The space.
    pub fn space(&self) -> &'s S {
        self.space
    }

    /// The fairness constraints as sets of states.
    pub fn fairness(&self) -> &Fairness<S::Set> {
        &self.fairness
    }

    /// States with a fair infinite path.
    pub fn fair(&self) -> Run<&S::Set> {
        cached(&self.fair, || {
            self.space.hull(self.space.reachable(), &self.fairness)
        })
    }

    /// States without successor.
    pub fn dead(&self) -> Run<&S::Set> {
        cached(&self.dead, || {
            let all = self.space.reachable();
            self.space.minus(all, &self.space.pre(all)?)
        })
    }

    /// States with a path of this rule.
    pub fn with_path(&self, rule: PathRule) -> Run<&S::Set> {
        match rule {
            PathRule::FairInfinite | PathRule::PlainFair => self.fair(),
            PathRule::Reach | PathRule::Plain => Ok(self.space.reachable()),
            PathRule::Maximal => cached(&self.maximal, || {
                // A maximal path is infinite and fair, or it ends where nothing goes on.
                let ends = self.space.join(self.fair()?, self.dead()?)?;
                let rings = self.space.until(self.space.reachable(), &ends)?;
                Ok(rings.all().clone())
            }),
        }
    }

    /// Where each sub-formula holds.
    pub fn solve(&self, query: &Query) -> Run<Solution<S::Set>> {
        let mut solution = Solution {
            sat: IndexVec::new(),
        };
        for sub in query.formula.subs() {
            let set = self.sat(query, &solution, sub)?;
            solution.sat.push(set);
        }
        Ok(solution)
    }

    /// The initial states that the rule counts and where the query fails.
    pub fn failing(&self, query: &Query, solution: &Solution<S::Set>) -> Run<S::Set> {
        let counted = self.counted(query.rule)?;
        let root = query.formula.root();
        self.space.minus(&counted, &solution.sat[root])
    }

    /// The initial states that the rule counts.
    pub fn counted(&self, rule: PathRule) -> Run<S::Set> {
        let initial = self.space.initial();
        if rule.skips_initial_states_without_path() {
            self.space.meet(initial, self.with_path(rule)?)
        } else {
            Ok(initial.clone())
        }
    }

    /// Where one sub-formula holds, given where its operands do.
    pub fn sat(&self, query: &Query, solution: &Solution<S::Set>, sub: SubId) -> Run<S::Set> {
        self.space.budget().check()?;
        match query.formula.op(sub) {
            Op::Const(true) => return Ok(self.space.reachable().clone()),
            Op::Const(false) => return Ok(self.space.nothing()),
            Op::Atom(atom) => return self.space.states_where(query.atoms[atom]),
            _ => {}
        }
        // A universal operator is the complement of its existential refutation.
        let holds = !matches!(query.formula.op(sub), Op::Path(Quantifier::Forall, _));
        let set = match kernel(&query.formula, Goal { sub, holds }) {
            Kernel::State => unreachable!("constants and atoms are answered above"),
            Kernel::Branches(branches) => {
                let mut any = self.space.nothing();
                for goals in &branches {
                    let all = self.all_of(solution, goals)?;
                    any = self.space.join(&any, &all)?;
                }
                any
            }
            Kernel::Step(_, goal) => {
                let goal = self.set_of(solution, goal)?;
                let live = self.with_path(query.rule)?;
                // The step must lead to where a path of the rule goes on.
                self.space.pre(&self.space.meet(&goal, live)?)?
            }
            Kernel::Path(pattern) => {
                let sets = self.path_sets(query.rule, solution, &pattern)?;
                // Either the goal is reached, or a state from where staying for ever is possible.
                let ends = self.space.join(&sets.goal, &sets.endless)?;
                self.space.until(&sets.stay, &ends)?.all().clone()
            }
            Kernel::Bounded(bounds, pattern) => {
                let layers = self.bounded(query.rule, solution, &pattern, bounds)?;
                layers.last().expect("there is a layer").clone()
            }
        };
        if holds {
            Ok(set)
        } else {
            self.space.minus(self.space.reachable(), &set)
        }
    }

    /// The states where a goal is so.
    pub fn set_of(&self, solution: &Solution<S::Set>, goal: Goal) -> Run<S::Set> {
        let sat = &solution.sat[goal.sub];
        if goal.holds {
            Ok(sat.clone())
        } else {
            self.space.minus(self.space.reachable(), sat)
        }
    }

    /// The states where all goals are so.
    pub fn all_of(&self, solution: &Solution<S::Set>, goals: &[Goal]) -> Run<S::Set> {
        let mut all = self.space.reachable().clone();
        for &goal in goals {
            all = self.space.meet(&all, &self.set_of(solution, goal)?)?;
        }
        Ok(all)
    }

    /// The states from which the rule lets a path go on, for a pattern.
    pub fn live(&self, rule: PathRule, pattern: &PathPattern) -> Run<&S::Set> {
        if pattern.fair {
            self.fair()
        } else {
            self.with_path(rule)
        }
    }

    /// The sets that an existential path pattern is made of.
    pub fn path_sets(
        &self,
        rule: PathRule,
        solution: &Solution<S::Set>,
        pattern: &PathPattern,
    ) -> Run<PathSets<S::Set>> {
        let stay = self.all_of(solution, &pattern.stay)?;
        let goal = match &pattern.goal {
            Some(goals) => {
                let goal = self.all_of(solution, goals)?;
                self.space.meet(&goal, self.live(rule, pattern)?)?
            }
            None => self.space.nothing(),
        };
        let endless = if pattern.weak {
            self.endless(rule, pattern, &stay)?
        } else {
            self.space.nothing()
        };
        Ok(PathSets {
            stay,
            goal,
            endless,
        })
    }

    fn endless(&self, rule: PathRule, pattern: &PathPattern, stay: &S::Set) -> Run<S::Set> {
        if pattern.fair {
            return self.space.hull(stay, &self.fairness);
        }
        match rule {
            PathRule::Reach => Ok(stay.clone()),
            PathRule::Plain => self.space.hull(stay, &Fairness::default()),
            PathRule::FairInfinite | PathRule::PlainFair => self.space.hull(stay, &self.fairness),
            PathRule::Maximal => {
                let hull = self.space.hull(stay, &self.fairness)?;
                let ends = self.space.meet(stay, self.dead()?)?;
                self.space.join(&hull, &ends)
            }
        }
    }

    /// The layers of an existential bounded pattern: layer `i` has the states where the pattern with
    /// the last `i` steps of its bounds holds, so the last layer answers the whole.
    pub fn bounded(
        &self,
        rule: PathRule,
        solution: &Solution<S::Set>,
        pattern: &PathPattern,
        bounds: Bounds,
    ) -> Run<Vec<S::Set>> {
        let space = self.space;
        let live = self.live(rule, pattern)?;
        let stay = self.all_of(solution, &pattern.stay)?;
        let goal = match &pattern.goal {
            Some(goals) => space.meet(&self.all_of(solution, goals)?, live)?,
            None => space.nothing(),
        };
        let last = match pattern.weak {
            true => space.meet(&stay, live)?,
            false => goal.clone(),
        };
        let mut layers = vec![last];
        for step in 1..=bounds.most {
            space.budget().check()?;
            // Layers count from the end of the bounds, so the first ones lie between the two.
            let inside = step <= bounds.most.saturating_sub(bounds.least);
            let before = space.pre(layers.last().expect("there is a layer"))?;
            layers.push(match (pattern.weak, inside) {
                (false, true) => space.join(&goal, &space.meet(&stay, &before)?)?,
                (false, false) => space.meet(&stay, &before)?,
                (true, true) => space.meet(&stay, &space.join(&goal, &before)?)?,
                (true, false) => space.join(&goal, &before)?,
            });
        }
        Ok(layers)
    }
}

fn cached<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Run<T>) -> Run<&T> {
    if cell.get().is_none() {
        let value = make()?;
        // A value set meanwhile by `make` itself would be the same.
        let _ = cell.set(value);
    }
    Ok(cell.get().expect("it was just set"))
}
