//! A counterexample taken out of a transition system, after Kember, Tran, Gao and Day (2019).
//!
//! A check that fails gives a whole system in which it does. Here the formula is asked of some of the steps of
//! the system instead, all of them reached from one initial state: first of a *path*, on which no state has two
//! steps, then of any *subgraph*. What fails along some of the steps, being universal, fails in the system.
//! Of all systems in the scope, one with the smallest such part is found, which the solver proves.

use wherefore_alloy::{Lowered, Model as Alloy};
use wherefore_base::Budget;
use wherefore_relational::{
    AtomId, Decl, Evaluator, ExprId, Instance, Options, Outcome, RelationId, Search,
};
use wherefore_sat::Strongest;

use crate::reading::Module;

/// What a counterexample looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// No state comes twice: its states and steps say in which order they are taken.
    SimplePath,
    /// A path back to a state of itself: going around for ever refutes the formula.
    Lasso,
    /// Some state has two steps: the states and steps alone do not say which is taken when.
    Subgraph,
}

/// A part of a transition system that shows why a formula fails, or, for a formula that asks for something to be
/// possible, that it holds.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// What it looks like.
    pub form: Form,
    /// The state in which it begins, which is initial.
    pub start: AtomId,
    /// Its steps, by the atoms of their states, in order.
    pub steps: Vec<[AtomId; 2]>,
    /// The problem, with the relations of the part.
    pub lowered: Lowered,
    /// The instance that it is a part of.
    pub instance: Instance,
    /// For a path, how many states it has and how many of them are on the loop; for a subgraph, how many steps
    /// and states: as few as there can be, in this order.
    pub counts: Vec<usize>,
}

impl Extracted {
    /// The states, each once, in the order in which they are reached.
    pub fn states(&self) -> Vec<AtomId> {
        let mut states = vec![self.start];
        let mut at = 0;
        while at < states.len() {
            for &[from, to] in &self.steps {
                if from == states[at] && !states.contains(&to) {
                    states.push(to);
                }
            }
            at += 1;
        }
        states
    }
}

/// The smallest part of a system of the scope in which the goal of a lowered command holds when it is asked of
/// the part alone; none if no system has one. The goal must ask for a formula, in a way in which fewer steps
/// refute more: see [`Extent`](crate::Extent).
///
/// # Errors
/// When the budget ends, or the problem is too large.
pub fn extract(
    alloy: &Alloy,
    module: &Module,
    lowered: &Lowered,
    whole_too: bool,
    options: &Options,
    budget: &Budget,
) -> Outcome<Option<Extracted>> {
    for path in [true, false] {
        let Some(part) = Part::new(alloy, module, lowered, path, whole_too) else {
            return Ok(None);
        };
        let mut search = Search::<Strongest>::new(&part.lowered.problem, options, budget)?;
        let Some(least) = search.least(&part.measures, budget)? else {
            continue;
        };
        let instance = least.instance;
        let first = instance.value(part.start).iter().next();
        let start = first.expect("there is one start")[0];
        let steps = instance.value(part.steps).iter();
        let steps: Vec<[AtomId; 2]> = steps.map(|row| [row[0], row[1]]).collect();
        let form = match (path, least.counts[1]) {
            (true, 0) => Form::SimplePath,
            (true, _) => Form::Lasso,
            (false, _) => Form::Subgraph,
        };
        return Ok(Some(Extracted {
            form,
            start,
            steps,
            instance,
            counts: least.counts,
            lowered: part.lowered,
        }));
    }
    Ok(None)
}

/// The value of an expression in the instance of a part.
pub(crate) fn tuples(
    extracted: &Extracted,
    lowered: &Lowered,
    expr: ExprId,
    budget: &Budget,
) -> Outcome<Vec<Vec<AtomId>>> {
    let instance = extracted.instance.completed(&lowered.problem);
    let mut evaluator = Evaluator::new(&lowered.problem, &instance, budget)?;
    Ok(evaluator.tuples(expr)?.iter().collect())
}

/// A problem with a part of the system in it.
struct Part {
    lowered: Lowered,
    start: RelationId,
    steps: RelationId,
    measures: Vec<ExprId>,
}

impl Part {
    /// None if the system is not held by relations of their own.
    fn new(
        alloy: &Alloy,
        module: &Module,
        lowered: &Lowered,
        path: bool,
        whole_too: bool,
    ) -> Option<Self> {
        let mut lowered = lowered.clone();
        let states = lowered.states[0].sigs[module.states(alloy)?.index()];
        let problem = &mut lowered.problem;
        let relation = |problem: &wherefore_relational::Problem, name: &str, arity: usize| {
            let name = format!("{}TS.{name}", module.prefix);
            let mut relations = problem.relations().entries();
            let found = relations.find(|(_, r)| r.name == name && r.arity() == arity);
            found.map(|(id, relation)| (id, relation.upper.clone()))
        };
        let (initial, initial_atoms) = relation(problem, "S0", 1)?;
        let (all_steps, pairs) = relation(problem, "sigma", 2)?;
        let universe = problem.universe().clone();
        let start = problem.relation("start", universe.no_tuples(1), initial_atoms);
        let steps = problem.relation("part", universe.no_tuples(2), pairs);
        let (first, some) = (problem.rel(start), problem.rel(steps));
        let goal = problem.requirements()[lowered.facts..].to_vec();
        if !whole_too {
            problem.forget_requirements_after(lowered.facts);
        }
        let (initial_set, step_set) = (problem.rel(initial), problem.rel(all_steps));
        let star = problem.reflexive_closure(some);
        let reached = problem.join(first, star);
        let univ = problem.univ();
        let sources = problem.join(some, univ);
        let mut required = vec![
            problem.one(first),
            problem.is_in(first, initial_set),
            problem.is_in(some, step_set),
            problem.is_in(sources, reached),
        ];
        if path {
            let s = problem.variable("s", 1, None);
            let state = problem.var(s);
            let next = problem.join(state, some);
            let lone = problem.lone(next);
            required.push(problem.all([Decl::one(s, states)], lone));
        }
        for formula in goal {
            required.push(problem.replaced(formula, &[(initial, first), (all_steps, some)]));
        }
        for formula in required {
            problem.require(formula);
        }
        let (closure, iden) = (problem.closure(some), problem.iden());
        let around = problem.intersection(closure, iden);
        let on_loop = problem.join(around, univ);
        let measures = match path {
            true => vec![reached, on_loop],
            false => vec![some, reached],
        };
        Some(Self {
            lowered,
            start,
            steps,
            measures,
        })
    }
}
