//! Where a property could hold with some choices: an upper bound, by the fixpoints of a game.
//!
//! Whoever mends the model picks a choice in each situation, the environment does the rest. A universal operator
//! holds where some choice sends every step there, an existential one where some choice has a step there. Two
//! sub-formulas may need different choices in one situation, so what is found is a bound: outside of it no
//! choices help. Such games are those of Jobstmann, Griesmayer and Bloem (2005).

use std::collections::{BTreeMap, HashMap, VecDeque};

use fixedbitset::FixedBitSet;
use wherefore_base::{Meter, Run};
use wherefore_logic::{Goal, Kernel, Op, PathOp, PathPattern, PathRule, Quantifier, kernel};
use wherefore_model::Query;
use wherefore_space::StateSpace;
use wherefore_space::explicit::ExplicitStateId;

use crate::choice_graph::{ChoiceGraph, ChoiceId, ChoiceTable};

/// Steps that are there with the same choices.
#[derive(Default)]
struct Alternative {
    choices: Vec<ChoiceId>,
    targets: Vec<usize>,
}

/// The alternatives of one pick: whichever is chosen, its steps are there.
struct Pick {
    alternatives: Vec<Alternative>,
    /// Whether it can be chosen that none of them is there.
    avoidable: bool,
}

/// Where each goal could be met, and in which order states came to be known for it.
pub(crate) struct PossibleStates<'g, 'm> {
    graph: &'g ChoiceGraph<'m>,
    query: &'g Query,
    picks: Vec<Vec<Pick>>,
    before: Vec<Vec<usize>>,
    known: HashMap<Goal, FixedBitSet>,
    meter: Meter,
}

impl<'g, 'm> PossibleStates<'g, 'm> {
    /// The game over a graph in which every run goes on; `None` where the fixpoints say nothing about the query.
    pub(crate) fn new(
        graph: &'g ChoiceGraph<'m>,
        table: &ChoiceTable,
        query: &'g Query,
    ) -> Run<Option<Self>> {
        let space = &graph.space;
        if !space.model().fairness.is_empty() || !is_read(query) {
            return Ok(None);
        }
        let mut meter = space.budget().meter();
        let count = space.state_count();
        let (mut picks, mut before) = (Vec::with_capacity(count), vec![Vec::new(); count]);
        for from in 0..count {
            meter.tick()?;
            for (_, to) in space.steps_from(ExplicitStateId::new(from)) {
                before[to.index()].push(from);
            }
            picks.push(picks_of(graph, table, ExplicitStateId::new(from)));
        }
        Ok(Some(Self {
            graph,
            query,
            picks,
            before,
            known: HashMap::new(),
            meter,
        }))
    }

    /// The states where the query could hold.
    pub(crate) fn of_query(&mut self) -> Run<FixedBitSet> {
        self.of(Goal::holds(self.query.formula.root()))
    }

    /// The states of the claims that must hold in every state that is reached: the query says so of them.
    pub(crate) fn everywhere(&mut self) -> Run<FixedBitSet> {
        let mut all = self.graph.space.reachable().clone();
        let mut open = vec![Goal::holds(self.query.formula.root())];
        while let Some(goal) = open.pop() {
            match kernel(&self.query.formula, goal) {
                Kernel::Branches(branches) if branches.len() == 1 => open.extend(&branches[0]),
                Kernel::Path(pattern)
                    if pattern.quantifier == Quantifier::Forall && pattern.goal.is_none() =>
                {
                    all.intersect_with(&self.of(goal)?);
                    // What is so everywhere is asked for in each state by itself.
                    open.extend(&pattern.stay);
                }
                _ => {}
            }
        }
        Ok(all)
    }

    /// Choices that lead to what must be reached, the nearest way: one in each situation.
    pub(crate) fn leading(&mut self) -> Run<BTreeMap<ChoiceId, u32>> {
        let (ranks, quantifier) = self.ranks()?;
        let everywhere = self.everywhere()?;
        let mut best: BTreeMap<ChoiceId, u32> = BTreeMap::new();
        let far = u32::MAX;
        for pick in self.picks.iter().flatten() {
            let costs = pick.alternatives.iter().map(|alternative| {
                let targets = || alternative.targets.iter();
                if targets().any(|&to| !everywhere.contains(to)) {
                    return far;
                }
                let costs = targets().map(|&to| ranks[to]);
                let cost = match quantifier {
                    Quantifier::Forall => costs.max(),
                    Quantifier::Exists => costs.min(),
                };
                cost.unwrap_or(far)
            });
            let costs: Vec<u32> = costs.collect();
            for (alternative, cost) in pick.alternatives.iter().zip(costs) {
                for &choice in &alternative.choices {
                    let known = best.entry(choice).or_insert(cost);
                    *known = (*known).max(cost);
                }
            }
        }
        Ok(best)
    }

    /// How soon each state came to be known for the outermost claim that something is reached.
    fn ranks(&mut self) -> Run<(Vec<u32>, Quantifier)> {
        let mut open = VecDeque::from([Goal::holds(self.query.formula.root())]);
        while let Some(goal) = open.pop_front() {
            match kernel(&self.query.formula, goal) {
                Kernel::State | Kernel::Bounded(..) => {}
                Kernel::Branches(branches) => open.extend(branches.into_iter().flatten()),
                Kernel::Step(_, goal) => open.push_back(goal),
                Kernel::Path(pattern) if !pattern.weak => {
                    return Ok((self.least(&pattern)?.1, pattern.quantifier));
                }
                Kernel::Path(pattern) => {
                    open.extend(&pattern.stay);
                    open.extend(pattern.goal.iter().flatten());
                }
            }
        }
        Ok((vec![0; self.picks.len()], Quantifier::Forall))
    }

    /// The states where a goal could be met.
    fn of(&mut self, goal: Goal) -> Run<FixedBitSet> {
        if let Some(known) = self.known.get(&goal) {
            return Ok(known.clone());
        }
        let set = match kernel(&self.query.formula, goal) {
            Kernel::State => self.where_true(goal)?,
            Kernel::Branches(branches) => {
                let mut any = self.nothing();
                for goals in branches {
                    any.union_with(&self.all_of(&goals)?);
                }
                any
            }
            Kernel::Step(quantifier, goal) => {
                let goal = self.of(goal)?;
                let mut set = self.nothing();
                for state in 0..self.picks.len() {
                    self.meter.tick()?;
                    set.set(state, self.can_step(state, quantifier, &goal));
                }
                set
            }
            Kernel::Path(pattern) if pattern.weak => self.greatest(&pattern)?,
            Kernel::Path(pattern) => self.least(&pattern)?.0,
            Kernel::Bounded(..) => self.graph.space.reachable().clone(),
        };
        self.known.insert(goal, set.clone());
        Ok(set)
    }

    fn all_of(&mut self, goals: &[Goal]) -> Run<FixedBitSet> {
        let mut all = self.graph.space.reachable().clone();
        for &goal in goals {
            all.intersect_with(&self.of(goal)?);
        }
        Ok(all)
    }

    fn nothing(&self) -> FixedBitSet {
        self.graph.space.nothing()
    }

    fn where_true(&self, goal: Goal) -> Run<FixedBitSet> {
        let space = &self.graph.space;
        let mut set = match self.query.formula.op(goal.sub) {
            Op::Const(true) => space.reachable().clone(),
            Op::Atom(atom) => space.states_where(self.query.atoms[atom])?,
            _ => space.nothing(),
        };
        if !goal.holds {
            set.toggle_range(..);
        }
        Ok(set)
    }

    /// Whether choices are there with which some step, or every step and at least one, leads to the set.
    fn can_step(&self, state: usize, quantifier: Quantifier, to: &FixedBitSet) -> bool {
        let picks = &self.picks[state];
        let alternatives = || picks.iter().flat_map(|pick| &pick.alternatives);
        let some = alternatives().any(|a| a.targets.iter().any(|&target| to.contains(target)));
        let within = |a: &Alternative| a.targets.iter().all(|&target| to.contains(target));
        let every = || {
            picks
                .iter()
                .all(|p| p.avoidable || p.alternatives.iter().any(within))
        };
        some && (quantifier == Quantifier::Exists || every())
    }

    /// The least fixpoint of a strong pattern, and in which order states joined.
    fn least(&mut self, pattern: &PathPattern) -> Run<(FixedBitSet, Vec<u32>)> {
        let stay = self.all_of(&pattern.stay)?;
        let mut all = match &pattern.goal {
            Some(goals) => self.all_of(goals)?,
            None => self.nothing(),
        };
        let mut ranks = vec![u32::MAX; self.picks.len()];
        let mut queue: VecDeque<usize> = all.ones().collect();
        queue.iter().for_each(|&state| ranks[state] = 0);
        while let Some(state) = queue.pop_front() {
            for &from in &self.before[state] {
                self.meter.tick()?;
                let joins = !all.contains(from)
                    && stay.contains(from)
                    && self.can_step(from, pattern.quantifier, &all);
                if joins {
                    all.insert(from);
                    ranks[from] = ranks[state].saturating_add(1);
                    queue.push_back(from);
                }
            }
        }
        Ok((all, ranks))
    }

    /// The greatest fixpoint of a weak pattern.
    fn greatest(&mut self, pattern: &PathPattern) -> Run<FixedBitSet> {
        let stay = self.all_of(&pattern.stay)?;
        let goal = match &pattern.goal {
            Some(goals) => self.all_of(goals)?,
            None => self.nothing(),
        };
        let mut all = stay;
        all.union_with(&goal);
        let mut queue: VecDeque<usize> = all.ones().collect();
        while let Some(state) = queue.pop_front() {
            self.meter.tick()?;
            let leaves = all.contains(state)
                && !goal.contains(state)
                && !self.can_step(state, pattern.quantifier, &all);
            if leaves {
                all.set(state, false);
                queue.extend(
                    self.before[state]
                        .iter()
                        .filter(|&&from| all.contains(from)),
                );
            }
        }
        Ok(all)
    }
}

/// Whether the fixpoints speak of the query: of runs that go on, or of invariants.
fn is_read(query: &Query) -> bool {
    let invariant = |sub| match query.formula.op(sub) {
        Op::Path(quantifier, path) => {
            quantifier == Quantifier::Forall && matches!(path, PathOp::Globally(_))
        }
        Op::Linear(_) => false,
        _ => true,
    };
    let linear = |sub| matches!(query.formula.op(sub), Op::Linear(_));
    let mut subs = query.formula.subs();
    match query.rule {
        PathRule::Reach => subs.all(invariant),
        _ => !subs.any(linear),
    }
}

/// The steps from a state by what is picked: all steps whose choices are about the same situations belong together.
fn picks_of(graph: &ChoiceGraph<'_>, table: &ChoiceTable, from: ExplicitStateId) -> Vec<Pick> {
    let mut picks: BTreeMap<Vec<_>, BTreeMap<Vec<ChoiceId>, Vec<usize>>> = BTreeMap::new();
    let steps = graph.space.steps_from(from);
    for (step, to) in steps {
        let choices: Vec<ChoiceId> = graph.step_choices(step).collect();
        let situations = choices.iter().map(|&choice| table.situation_of[choice]);
        let pick = picks.entry(situations.collect()).or_default();
        pick.entry(choices).or_default().push(to.index());
    }
    let picks = picks.into_iter().map(|(situations, alternatives)| {
        let combinations = situations.iter().map(|&s| table.all[s].0.len() as u128);
        let combinations = combinations.fold(1, u128::saturating_mul);
        Pick {
            avoidable: combinations > alternatives.len() as u128,
            alternatives: alternatives
                .into_iter()
                .map(|(choices, targets)| Alternative { choices, targets })
                .collect(),
        }
    });
    picks.collect()
}
