//! Whether a property can hold if some places of the text are left free.
//!
//! A place that is left free may denote any value of its type, another one in each situation that its text could look at. The
//! values are chosen well, once and for all; then the model is checked as any other. So a place *can mend* a property if some
//! table of values makes it hold, whether or not a short expression says the same.
//!
//! A solver proposes tables, and the engine checks them. What refutes a table refutes many: a run is still there as long
//! as the choices that its steps rest on are made, and what a region lacks is lacking until a choice adds a step to it. When
//! no table is left, no expression at these places can mend the property.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, VecDeque};

use wherefore_base::{Budget, IndexVec, Run};
use wherefore_check::Tableau;
use wherefore_evidence::Investigator;
use wherefore_logic::{Kernel, kernel};
use wherefore_model::{Model, Property, PropertyBody, Query, TermId};
use wherefore_proof::{Claim, Evidence, OccurrenceId, Rule};
use wherefore_sat::{Batsat, Lit, SatAnswer, Solver};
use wherefore_space::StateSpace;
use wherefore_space::explicit::{Explicit, ExplicitStateId, ExplorationLimits};

use crate::choice_graph::{ChoiceGraph, ChoiceId, ChoiceTable};
use crate::freed::FreedModel;
use crate::known::rests_on_runs;
use crate::possible::PossibleStates;

/// Whether a property can hold if some places are left free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FreedVerdict {
    /// With well chosen values it does.
    CanMend,
    /// Whatever values are chosen, it fails, or runs end that do not end now.
    CannotMend,
    /// Not found out: the places cannot be freed, or it would take more than the limits.
    Undecided,
}

/// How much may be done for one question, and for all.
#[derive(Clone, Copy, Debug)]
pub struct MendGameEffort {
    /// How large a model with free places may be.
    pub space: ExplorationLimits,
    /// How many tables of values may be checked for one question.
    pub tables: usize,
    /// How many states and steps may still be looked at. It is counted, so that the outcome is the same everywhere.
    pub work: u64,
}

impl MendGameEffort {
    /// Counts a look at all states of a space; whether there was enough for it.
    fn look_at(&mut self, space: &Explicit<'_>) -> bool {
        self.spend(space.state_count() + space.step_count());
        self.work > 0
    }

    fn spend(&mut self, states: usize) {
        self.work = self.work.saturating_sub(states as u64);
    }

    /// How large a model may be that is explored now.
    fn limits(&self) -> ExplorationLimits {
        let left = usize::try_from(self.work).unwrap_or(usize::MAX);
        ExplorationLimits {
            states: self.space.states.min(left),
            transitions: self.space.transitions.min(left),
        }
    }
}

/// Whether all of some properties of a model can hold if terms of it are left free.
///
/// `may_end` says whether the model lacks runs ([`Investigator::lacks_runs`]), so that a mend may lack them, too.
///
/// # Errors
/// When the budget ends.
pub fn can_mend(
    model: &Model,
    terms: &[TermId],
    properties: &[usize],
    may_end: bool,
    effort: &mut MendGameEffort,
    budget: &Budget,
) -> Run<FreedVerdict> {
    let Some(freed) = FreedModel::new(model, terms) else {
        return Ok(FreedVerdict::Undecided);
    };
    let products = products(&freed.model, properties);
    let mut table = ChoiceTable::default();
    let branching =
        |&property: &usize| matches!(model.properties[property].body, PropertyBody::Query(_));
    let branching = properties.iter().copied().filter(branching).collect();
    let asked = std::iter::once((&freed.model, branching));
    let mut arenas = Vec::new();
    for (model, properties) in asked.chain(products.iter().map(|product| (product, vec![0]))) {
        let limits = effort.limits();
        let graph = ChoiceGraph::explore(&freed, model, &mut table, limits, budget)?;
        let Some(graph) = graph else {
            effort.spend(limits.states);
            return Ok(FreedVerdict::Undecided);
        };
        effort.look_at(&graph.space);
        arenas.push(Arena { graph, properties });
    }
    table.add_blocked(&freed);
    TableSearch::new(&table, arenas, may_end)?.run(effort, budget)
}

/// For each property of linear time, the model whose fair runs refute it, with that as its only property.
fn products(model: &Model, properties: &[usize]) -> Vec<Model> {
    let linear = properties.iter().filter_map(|&property| {
        let property = &model.properties[property];
        let PropertyBody::Linear(query) = &property.body else {
            return None;
        };
        let Tableau {
            mut model, query, ..
        } = Tableau::new(model, query, property.span);
        model.properties = vec![Property {
            body: PropertyBody::Query(query),
            ..property.clone()
        }];
        Some(model)
    });
    linear.collect()
}

/// A graph and the properties that are asked of it.
struct Arena<'m> {
    graph: ChoiceGraph<'m>,
    properties: Vec<usize>,
}

/// Which choices are made.
type ValueTable = IndexVec<ChoiceId, bool>;

/// The search for a table of values.
struct TableSearch<'t, 'm> {
    table: &'t ChoiceTable,
    /// The first one is the graph of the model itself.
    arenas: Vec<Arena<'m>>,
    may_end: bool,
    solver: Batsat,
    made: IndexVec<ChoiceId, Lit>,
    /// How much the solver was told: choices, and literals of clauses.
    size: usize,
}

impl<'t, 'm> TableSearch<'t, 'm> {
    fn new(table: &'t ChoiceTable, arenas: Vec<Arena<'m>>, may_end: bool) -> Run<Self> {
        let mut solver = Batsat::empty();
        let made: IndexVec<ChoiceId, Lit> = table
            .situation_of
            .iter()
            .map(|_| solver.new_var())
            .collect();
        for (choices, several) in table.all.iter() {
            let lits: Vec<Lit> = choices.iter().map(|&choice| made[choice]).collect();
            solver.add_clause(&lits);
            if !several {
                for (at, &one) in lits.iter().enumerate() {
                    for &other in &lits[at + 1..] {
                        solver.add_clause(&[!one, !other]);
                    }
                }
            }
        }
        Ok(Self {
            size: made.len(),
            table,
            arenas,
            may_end,
            solver,
            made,
        })
    }

    fn run(mut self, effort: &mut MendGameEffort, budget: &Budget) -> Run<FreedVerdict> {
        let Some(mut candidate) = self.bound()? else {
            return Ok(FreedVerdict::CannotMend);
        };
        for _ in 0..effort.tables {
            let mut arenas = self.arenas.iter();
            if !arenas.all(|arena| effort.look_at(&arena.graph.space)) {
                break;
            }
            let Some(refuted) = self.refute(&candidate)? else {
                return Ok(FreedVerdict::CanMend);
            };
            self.solver.add_clause(&refuted);
            self.size += refuted.len();
            // The solver goes through all it was told for each table.
            effort.spend(self.size);
            if effort.work == 0 {
                break;
            }
            match self.solver.solve(&[], budget)? {
                SatAnswer::Unsat => return Ok(FreedVerdict::CannotMend),
                SatAnswer::Sat => {
                    let lits: Vec<Lit> = self.made.iter().copied().collect();
                    candidate = lits.iter().map(|&lit| self.solver.value(lit)).collect();
                }
            }
        }
        Ok(FreedVerdict::Undecided)
    }

    /// A first table, led by where the properties could hold at all; `None` if one of them can hold nowhere it must.
    fn bound(&mut self) -> Run<Option<ValueTable>> {
        let mut cost: IndexVec<ChoiceId, u32> = self.made.iter().map(|_| 0).collect();
        if !self.may_end {
            let arena = &self.arenas[0];
            let graph = &arena.graph;
            let model = graph.space.model();
            let mut forbidden: Vec<Vec<Lit>> = Vec::new();
            for &property in &arena.properties {
                let Some(query) = model.properties[property].body.query() else {
                    continue;
                };
                let Some(mut possible) = PossibleStates::new(graph, self.table, query)? else {
                    continue;
                };
                let (holds, everywhere) = (possible.of_query()?, possible.everywhere()?);
                for state in graph.space.initial_states() {
                    if !holds.contains(state.index()) {
                        let choices = graph.initial_choices(state);
                        forbidden.push(choices.map(|choice| !self.made[choice]).collect());
                    }
                }
                for from in everywhere.ones().map(ExplicitStateId::new) {
                    for (step, to) in graph.space.steps_from(from) {
                        if !everywhere.contains(to.index()) {
                            let choices = graph.step_choices(step);
                            forbidden.push(choices.map(|choice| !self.made[choice]).collect());
                        }
                    }
                }
                for (choice, far) in possible.leading()? {
                    cost[choice] = cost[choice].max(far);
                }
            }
            for clause in forbidden {
                if clause.is_empty() {
                    return Ok(None);
                }
                self.solver.add_clause(&clause);
            }
        }
        let mut first: ValueTable = self.made.iter().map(|_| false).collect();
        for (choices, _) in self.table.all.iter() {
            let open = choices.iter().copied();
            let costs = |&choice: &ChoiceId| (self.table.is_blocked(choice), cost[choice], choice);
            // There is a choice in every situation.
            if let Some(best) = open.min_by_key(costs) {
                first[best] = true;
            }
        }
        Ok(Some(first))
    }

    /// Why a table does not do: a clause that it breaks, and every table that does keeps. `None` if it does.
    fn refute(&mut self, made: &ValueTable) -> Run<Option<Vec<Lit>>> {
        let spaces: Vec<Explicit<'m>> = self
            .arenas
            .iter()
            .map(|arena| arena.graph.restricted(made))
            .collect::<Run<_>>()?;
        for at in 0..self.arenas.len() {
            let space = &spaces[at];
            // A product has the runs that refute, so nothing is wrong with an empty one.
            if space.state_count() == 0 {
                match at {
                    0 if !self.may_end => return Ok(Some(self.some_start())),
                    _ => continue,
                }
            }
            let investigator = Investigator::new(space)?;
            if at == 0 && !self.may_end && investigator.lacks_runs()? {
                return self.keep_going(space, made).map(Some);
            }
            for property in self.arenas[at].properties.clone() {
                // A clause for each property would do as well; one is enough to go on.
                let Some(Err(evidence)) = investigator.quick_counterexample(property)? else {
                    continue;
                };
                // Where each state has a fair run, what is said of all successors leaves none of them out.
                let all_fair = investigator.checker().fair()? == space.reachable();
                if !rests_on_runs(&evidence) && !all_fair
                    || (self.may_end || at > 0) && is_total(&evidence)
                {
                    return Ok(Some(self.any_other(at, &spaces, made)));
                }
                return Ok(Some(
                    self.break_evidence(at, &spaces, made, property, &evidence),
                ));
            }
        }
        Ok(None)
    }

    /// Another choice in some situation that comes up.
    fn any_other(&self, at: usize, spaces: &[Explicit<'m>], made: &ValueTable) -> Vec<Lit> {
        let mut clause: BTreeSet<Lit> = BTreeSet::new();
        // The product with an automaton has fewer runs than the model, so both are looked at.
        for at in BTreeSet::from([0, at]) {
            let graph = &self.arenas[at].graph;
            let starts = graph.space.initial_states();
            let starting = starts.flat_map(|state| graph.initial_choices(state));
            clause.extend(self.others_than(starting, made));
            let states = (0..spaces[at].state_count()).map(ExplicitStateId::new);
            let nodes = states.filter_map(|state| graph.node(&spaces[at].values(&state)));
            clause.extend(self.other_in(at, &nodes.collect(), made));
        }
        clause.into_iter().collect()
    }

    /// Another choice in some situation of these states.
    fn other_in(
        &self,
        at: usize,
        states: &BTreeSet<ExplicitStateId>,
        made: &ValueTable,
    ) -> BTreeSet<Lit> {
        let graph = &self.arenas[at].graph;
        let steps = states
            .iter()
            .flat_map(|&state| graph.space.steps_from(state));
        let choices = steps.flat_map(|(step, _)| graph.step_choices(step));
        self.others_than(choices, made)
    }

    /// Another choice in the situation of one of these.
    fn others_than(
        &self,
        choices: impl Iterator<Item = ChoiceId>,
        made: &ValueTable,
    ) -> BTreeSet<Lit> {
        let situations: BTreeSet<_> = choices.map(|c| self.table.situation_of[c]).collect();
        let all = situations.iter().flat_map(|&s| &self.table.all[s].0);
        all.map(|&choice| self.made[choice].negated_if(made[choice]))
            .collect()
    }

    /// No run ends where it does now, or no fair one is missing.
    fn keep_going(&mut self, space: &Explicit<'m>, made: &ValueTable) -> Run<Vec<Lit>> {
        let graph = &self.arenas[0].graph;
        let states = (0..space.state_count()).map(ExplicitStateId::new);
        let mut dead = states.filter(|&state| space.steps_from(state).next().is_none());
        let Some(end) = dead
            .next()
            .and_then(|state| graph.node(&space.values(&state)))
        else {
            return Ok(self.any_other(0, std::slice::from_ref(space), made));
        };
        // A shortest way there.
        let mut from: Vec<Option<ExplicitStateId>> = vec![None; graph.space.state_count()];
        let kept = |state| graph.initial_choices(state).all(|choice| made[choice]);
        let starts: Vec<ExplicitStateId> = graph
            .space
            .initial_states()
            .filter(|&state| kept(state))
            .collect();
        let mut queue: VecDeque<ExplicitStateId> = starts.iter().copied().collect();
        starts
            .iter()
            .for_each(|&state| from[state.index()] = Some(state));
        while let Some(state) = queue.pop_front().filter(|_| from[end.index()].is_none()) {
            for (step, to) in graph.space.steps_from(state) {
                let there = graph.step_choices(step).all(|choice| made[choice]);
                if there && from[to.index()].is_none() {
                    from[to.index()] = Some(state);
                    queue.push_back(to);
                }
            }
        }
        let mut clause: BTreeSet<Lit> = BTreeSet::new();
        let mut at = end;
        while let Some(before) = from[at.index()].filter(|&before| before != at) {
            let step = graph.step(before, at).expect("the way goes along steps");
            clause.extend(graph.step_choices(step).map(|choice| !self.made[choice]));
            at = before;
        }
        clause.extend(graph.initial_choices(at).map(|choice| !self.made[choice]));
        let mut clause: Vec<Lit> = clause.into_iter().collect();
        clause.extend(self.further_steps(0, [end], made));
        Ok(clause)
    }

    /// A step that is not there now, from one of these states.
    fn further_steps(
        &mut self,
        at: usize,
        states: impl IntoIterator<Item = ExplicitStateId>,
        made: &ValueTable,
    ) -> Vec<Lit> {
        let graph = &self.arenas[at].graph;
        let mut further: BTreeSet<Vec<ChoiceId>> = BTreeSet::new();
        for state in states {
            for (step, _) in graph.space.steps_from(state) {
                let mut choices: Vec<ChoiceId> = graph.step_choices(step).collect();
                if choices.iter().any(|&choice| !made[choice]) {
                    choices.sort_unstable();
                    further.insert(choices);
                }
            }
        }
        further
            .iter()
            .map(|choices| self.all_made(choices))
            .collect()
    }

    /// Some initial state is one.
    fn some_start(&mut self) -> Vec<Lit> {
        let graph = &self.arenas[0].graph;
        let starts = graph.space.initial_states();
        let each: Vec<Vec<ChoiceId>> = starts
            .map(|state| graph.initial_choices(state).collect())
            .collect();
        each.iter().map(|choices| self.all_made(choices)).collect()
    }

    /// A literal that is true only if all of these choices are made.
    fn all_made(&mut self, choices: &[ChoiceId]) -> Lit {
        if let &[one] = choices {
            return self.made[one];
        }
        let all = self.solver.new_var();
        self.size += 1 + 2 * choices.len();
        for &choice in choices {
            self.solver.add_clause(&[!all, self.made[choice]]);
        }
        all
    }

    /// Something that a counterexample rests on is otherwise.
    fn break_evidence(
        &mut self,
        at: usize,
        spaces: &[Explicit<'m>],
        made: &ValueTable,
        property: usize,
        evidence: &Evidence,
    ) -> Vec<Lit> {
        let graph = &self.arenas[at].graph;
        let node = |occurrence: OccurrenceId| graph.node(&evidence.occurrences[occurrence].values);
        let start = evidence.proof.iter().next().map(|node| node.at);
        let mut clause: BTreeSet<Lit> = BTreeSet::new();
        let Some(start) = start.and_then(node) else {
            return self.any_other(at, spaces, made);
        };
        clause.extend(
            graph
                .initial_choices(start)
                .map(|choice| !self.made[choice]),
        );
        for edge in &evidence.edges {
            let step = match (node(edge.from), node(edge.to)) {
                (Some(from), Some(to)) => graph.step(from, to),
                _ => None,
            };
            let Some(step) = step else {
                return self.any_other(at, spaces, made);
            };
            clause.extend(graph.step_choices(step).map(|choice| !self.made[choice]));
        }
        let query = graph.space.model().properties[property].body.query();
        let mut closed: BTreeSet<ExplicitStateId> = BTreeSet::new();
        for proof in evidence.proof.iter() {
            match proof.rule {
                Some(Rule::EveryStep | Rule::DeadEnd) => closed.extend(node(proof.at)),
                None | Some(Rule::Region(_)) => {
                    let region = self.following(at, node(proof.at), made);
                    if !query.is_some_and(|query| is_of_states(query, proof.claim)) {
                        // What is said of the states of the region rests on their steps, too.
                        clause.extend(self.other_in(at, &region, made));
                    }
                    closed.extend(region);
                }
                _ => {}
            }
        }
        let mut clause: Vec<Lit> = clause.into_iter().collect();
        clause.extend(self.further_steps(at, closed, made));
        clause
    }

    /// The states that follow one, and itself.
    fn following(
        &self,
        at: usize,
        from: Option<ExplicitStateId>,
        made: &ValueTable,
    ) -> BTreeSet<ExplicitStateId> {
        let graph = &self.arenas[at].graph;
        let mut open: Vec<ExplicitStateId> = from.into_iter().collect();
        let mut reached: BTreeSet<ExplicitStateId> = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            for (step, to) in graph.space.steps_from(state) {
                let there = graph.step_choices(step).all(|choice| made[choice]);
                if there && reached.insert(to) {
                    open.push(to);
                }
            }
        }
        reached
    }
}

/// Whether a claim about what follows says nothing of the states there but what they are.
fn is_of_states(query: &Query, claim: Claim) -> bool {
    let Claim::Formula(goal, None) = claim else {
        return false;
    };
    let propositional = query.formula.propositional();
    match kernel(&query.formula, goal) {
        Kernel::Path(pattern) => {
            let goals = pattern.goal.iter().flatten().chain(&pattern.stay);
            goals.into_iter().all(|goal| propositional[goal.sub])
        }
        _ => false,
    }
}

/// Whether an evidence rests on every state having a run, which other choices may change where runs may end, and in products.
fn is_total(evidence: &Evidence) -> bool {
    let mut rules = evidence.proof.iter().map(|node| node.rule);
    rules.any(|rule| rule == Some(Rule::Total))
}
