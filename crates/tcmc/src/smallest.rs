//! The smallest part of a system that shows an answer, looked for from below.
//!
//! Most facts about a transition system speak of every state, of every two or of every step. They hold in every
//! set of its states with the steps between them, if they hold in the system. So a path of `n` states that shows an answer
//! is one in a problem with `n` states, which come in the order of the path: a chain, with perhaps one step back. These problems
//! are tried one after the other. The first that has an instance gives the smallest path, and those before it prove
//! that it is; where no chain of the scope has one, no path shows the answer, and parts of one step, of two and so on are
//! tried. Facts that speak of all states at once are left out of the small problems, which can only make more paths
//! possible. Whether the states of the part that was chosen belong to a system of the scope in which every fact holds is one question
//! to the problem of the command; if they do not, the part is looked for in another way.

use wherefore_alloy::model::{Command, Fact};
use wherefore_alloy::{AlloyModel as Alloy, LoweredCommand, LoweringOptions, Override, lower};
use wherefore_base::Budget;
use wherefore_relational::{
    Problem, RelExprId, RelationId, Search, SearchOptions, SearchResult, TupleSet, UniverseAtomId,
};
use wherefore_sat::Strongest;

use crate::definition::{DefinedPart as Defined, definition};
use crate::extract::{ExtractForm, ExtractKind, Extracted, SystemPart};
use crate::local::Locality;
use crate::property::asks_locally;
use crate::reading::{TcmcModule, conjuncts, holds_in_parts};
use crate::reading::{in_module, state_signature};

/// A command whose smallest part is looked for from below.
pub(crate) struct SmallestSearch<'a> {
    /// The model, without facts that may fail in a part of a system.
    model: Alloy,
    module: &'a TcmcModule,
    command: &'a Command,
    choices: &'a LoweringOptions,
    /// The problem of the command.
    lowered: &'a LoweredCommand,
    /// The name of the signature of the states.
    state: String,
    /// How many states the scope has at most.
    most: i32,
}

impl<'a> SmallestSearch<'a> {
    /// None where what is asked, or what a state or a step is, depends on other states than those at hand.
    pub(crate) fn new(
        alloy: &Alloy,
        module: &'a TcmcModule,
        lowered: &'a LoweredCommand,
        (command, choices): (&'a Command, &'a LoweringOptions),
    ) -> Option<Self> {
        let state = state_signature(alloy, module).ok()?;
        if !asks_locally(alloy, module, state, command) {
            return None;
        }
        let locality = Locality::new(alloy, module, state);
        for (id, sig) in alloy.declared() {
            let bounds = sig.decls.iter().map(|decl| decl.bound);
            let mut said = sig.fact.into_iter().chain(bounds);
            if !module.owns(alloy, id) && said.any(|term| locality.body(term).is_err()) {
                return None;
            }
        }
        let mut model = alloy.clone();
        model.facts.clear();
        let (mut initial, mut steps) = (false, false);
        for fact in &alloy.facts {
            for body in conjuncts(alloy, fact.body) {
                if in_module(alloy, module, body) || !holds_in_parts(alloy, module, state, body) {
                    continue;
                }
                match definition(alloy, module, state, body) {
                    Some(Defined::Initial(..)) => initial = true,
                    Some(Defined::Step(..)) => steps = true,
                    _ => {}
                }
                let fact = fact.clone();
                model.facts.push(Fact { body, ..fact });
            }
        }
        // What no fact defines could be anything in the small problems.
        (initial && steps).then(|| Self {
            model,
            module,
            command,
            choices,
            lowered,
            state: alloy.sigs[state].label.clone(),
            most: lowered.scopes.most[state.index()],
        })
    }

    /// The smallest part; none if it is not found in this way.
    pub(crate) fn find(
        &self,
        options: &SearchOptions,
        budget: &Budget,
    ) -> SearchResult<Option<Extracted>> {
        for states in 1..=self.most {
            let Some(part) = self.part(states, true, ExtractKind::Chain) else {
                return Ok(None);
            };
            let mut search = Search::<Strongest>::new(&part.lowered.problem, options, budget)?;
            let Some(least) = search.least(&part.measures, budget)? else {
                continue;
            };
            drop(search);
            let on_loop = least.counts[0];
            let counts = vec![states as usize, on_loop];
            let bounds = [(part.measures[0], on_loop)];
            let form = ExtractForm::of_path(on_loop);
            return self.settled(part, form, (&bounds, counts), options, budget);
        }
        for steps in 1..=self.most.saturating_mul(self.most) {
            // So many steps reach at most one state more than that.
            let states = self.most.min(steps + 1);
            let Some(part) = self.part(states, false, ExtractKind::Subgraph) else {
                return Ok(None);
            };
            let mut search = Search::<Strongest>::new(&part.lowered.problem, options, budget)?;
            let few = [(part.measures[0], steps as usize)];
            if search.at_most(&few, budget)?.is_none() {
                continue;
            }
            let Some(least) = search.least(&part.measures, budget)? else {
                return Ok(None);
            };
            let counts = least.counts;
            let Some(part) = self.part(counts[1] as i32, true, ExtractKind::All) else {
                return Ok(None);
            };
            let bounds = [(part.measures[0], counts[0])];
            return self.settled(
                part,
                ExtractForm::Subgraph,
                (&bounds, counts),
                options,
                budget,
            );
        }
        Ok(None)
    }

    /// A part of a system of so many states.
    fn part(&self, states: i32, exactly: bool, kind: ExtractKind) -> Option<SystemPart> {
        let mut choices = self.choices.clone();
        choices.scopes.push(Override {
            name: self.state.clone(),
            number: states,
            exactly,
        });
        let lowered = lower(&self.model, self.command, &choices).ok()?;
        SystemPart::new(&self.model, self.module, &lowered, kind, false)
    }

    /// Of all parts that are as small, the one that comes first, whichever of symmetric ones that is; none if it belongs
    /// to no system of the scope.
    fn settled(
        &self,
        part: SystemPart,
        form: ExtractForm,
        (bounds, counts): (&[(RelExprId, usize)], Vec<usize>),
        options: &SearchOptions,
        budget: &Budget,
    ) -> SearchResult<Option<Extracted>> {
        // Symmetry breaking may leave out just the part that comes first.
        let unbroken = SearchOptions {
            symmetry: 0,
            ..options.clone()
        };
        let mut search = Search::<Strongest>::new(&part.lowered.problem, &unbroken, budget)?;
        let Some(any) = search.at_most(bounds, budget)? else {
            return Ok(None);
        };
        let instance = part.canonical(&mut search, any, &counts, budget)?;
        drop(search);
        let found = part.extracted(form, instance, counts);
        let whole = match self.around(&found) {
            Some(whole) => whole,
            None => return Ok(None),
        };
        let mut search = Search::<Strongest>::new(&whole, options, budget)?;
        Ok(search.next(budget)?.map(|_| found))
    }

    /// The problem of the command with the states of a part in it, and their steps; none if they do not fit. A formula about
    /// every path that fails along the part fails in every such system, so it is not asked for again.
    fn around(&self, found: &Extracted) -> Option<Problem> {
        let mut whole = self.lowered.problem.clone();
        if self.command.check {
            whole.forget_requirements_after(self.lowered.facts);
        }
        let small = &found.lowered.problem;
        let (from, to) = (small.universe(), whole.universe().clone());
        let images = from.atoms().map(|atom| to.atom(from.name(atom)));
        let images: Vec<UniverseAtomId> = images.collect::<Option<_>>()?;
        // The states that are not in the part.
        let others = to.atoms().filter(|atom| !images.contains(atom));
        let others: Vec<UniverseAtomId> = others.collect();
        let ids: Vec<RelationId> = whole.relations().entries().map(|(id, _)| id).collect();
        for id in ids {
            let relation = &whole.relations()[id];
            let mut same = small.relations().entries();
            let (twin, _) =
                same.find(|(_, r)| r.name == relation.name && r.arity() == relation.arity())?;
            let rows = found.instance.value(twin).iter();
            let rows = rows.map(|row| row.iter().map(|atom| images[atom.index()]).collect());
            let rows: Vec<Vec<UniverseAtomId>> = rows.collect();
            let kept = TupleSet::from_tuples(to.packing(), relation.arity(), rows);
            let open = relation.upper.iter();
            let open = open.filter(|row| row.iter().any(|atom| others.contains(atom)));
            let open: Vec<Vec<UniverseAtomId>> = open.collect();
            let open = TupleSet::from_tuples(to.packing(), relation.arity(), open);
            let (lower, upper) = (relation.lower.union(&kept), open.union(&kept));
            if !kept.is_subset(&relation.upper) || !relation.lower.is_subset(&upper) {
                return None;
            }
            whole.narrow(id, lower, upper);
        }
        Some(whole)
    }
}
