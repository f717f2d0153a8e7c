//! A counterexample taken out of a transition system, after Kember, Tran, Gao and Day (2019).
//!
//! A check that fails gives a whole system in which it does. Here the formula is asked of some of the steps of
//! the system instead, all of them reached from one initial state: first of a *path*, on which no state has two
//! steps, then of any *subgraph*. What fails along some of the steps, being universal, fails in the system.
//! Of all systems in the scope, one with the smallest such part is found, which the solver proves: from below where
//! facts allow for that (`smallest.rs`), otherwise by asking for fewer and fewer states. Among parts that are as small, the one whose states come first is taken: along a path, or else with places of their own, compared field by
//! field in the order of declaration. So it is the same whoever solves.

use wherefore_alloy::model::{AlloyTermKind, Command, FieldId, Mult, SigId};
use wherefore_alloy::{AlloyModel as Alloy, LoweredCommand, LoweringOptions};
use wherefore_base::Budget;
use wherefore_relational::{
    FormulaId, Instance, Problem, RelDecl, RelEvaluator, RelExprId, RelationId, Search,
    SearchOptions, SearchResult, SettleWish, TupleSet, Universe, UniverseAtomId,
};
use wherefore_sat::{Solver, Strongest};

use crate::reading::TcmcModule;
use crate::smallest::SmallestSearch;

/// What a counterexample looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExtractForm {
    /// No state comes twice: its states and steps say in which order they are taken.
    SimplePath,
    /// A path back to a state of itself: going around for ever refutes the formula.
    Lasso,
    /// Some state has two steps: the states and steps alone do not say which is taken when.
    Subgraph,
    /// All that can be reached in the system: nothing can be left out.
    Whole,
}

/// A part of a transition system that shows why a formula fails, or, for a formula that asks for something to be
/// possible, that it holds.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// What it looks like.
    pub form: ExtractForm,
    /// The states in which it begins, which are initial: one, but for a whole system.
    pub starts: Vec<UniverseAtomId>,
    /// Its steps, by the atoms of their states, in order.
    pub steps: Vec<[UniverseAtomId; 2]>,
    /// The problem, with the relations of the part.
    pub lowered: LoweredCommand,
    /// The instance that it is a part of, or as much of it as belongs to the states of the part.
    pub instance: Instance,
    /// For a path, how many states it has and how many of them are on the loop; for a subgraph, how many steps
    /// and states: as few as there can be, in this order. Of a whole system nothing is counted.
    pub counts: Vec<usize>,
}

impl ExtractForm {
    /// That of a path with so many states on its loop.
    pub(crate) fn of_path(on_loop: usize) -> Self {
        match on_loop {
            0 => ExtractForm::SimplePath,
            _ => ExtractForm::Lasso,
        }
    }
}

impl Extracted {
    /// Whether the states and steps alone say what happens: no state from which a step goes on is come to in two
    /// ways. On a lasso it is so but for how often it goes around, which makes no difference.
    pub fn is_determined(&self) -> bool {
        let ways_in = |state: UniverseAtomId| {
            let into = self.steps.iter().filter(|[_, to]| *to == state).count();
            into + self.starts.iter().filter(|start| **start == state).count()
        };
        match self.form {
            ExtractForm::SimplePath | ExtractForm::Lasso => true,
            ExtractForm::Subgraph | ExtractForm::Whole => {
                let mut goes_on = self.steps.iter().map(|[from, _]| *from);
                goes_on.all(|state| ways_in(state) < 2)
            }
        }
    }

    /// The states, each once, in the order in which they are reached.
    pub fn states(&self) -> Vec<UniverseAtomId> {
        let mut states = self.starts.clone();
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
/// refute more: see [`TcmcExtent`](crate::TcmcExtent). `asked` is the command, with the choices that it was lowered with.
///
/// # Errors
/// When the budget ends, or the problem is too large.
pub fn extract(
    alloy: &Alloy,
    module: &TcmcModule,
    lowered: &LoweredCommand,
    asked: (&Command, &LoweringOptions),
    options: &SearchOptions,
    budget: &Budget,
) -> SearchResult<Option<Extracted>> {
    let below = SmallestSearch::new(alloy, module, lowered, asked);
    if let Some(found) = below.map_or(Ok(None), |below| below.find(options, budget))? {
        return Ok(Some(found));
    }
    from_above(alloy, module, lowered, !asked.0.check, options, budget)
}

/// The smallest part, by asking for fewer and fewer states or steps.
fn from_above(
    alloy: &Alloy,
    module: &TcmcModule,
    lowered: &LoweredCommand,
    whole_too: bool,
    options: &SearchOptions,
    budget: &Budget,
) -> SearchResult<Option<Extracted>> {
    // Any path is preferred to a subgraph, since it says in which order its steps are taken.
    for kind in [ExtractKind::Path, ExtractKind::Subgraph] {
        let Some(part) = SystemPart::new(alloy, module, lowered, kind, whole_too) else {
            return Ok(None);
        };
        let mut search = Search::<Strongest>::new(&part.lowered.problem, options, budget)?;
        let Some(least) = search.least(&part.measures, budget)? else {
            continue;
        };
        let counts = least.counts;
        if kind == ExtractKind::Path {
            let instance = part.canonical(&mut search, least.instance, &counts, budget)?;
            let form = ExtractForm::of_path(counts[1]);
            return Ok(Some(part.extracted(form, instance, counts)));
        }
        // The states of a part have no order of their own: they get one in a problem with as many places.
        drop(search);
        let placed = SystemPart::new(
            alloy,
            module,
            lowered,
            ExtractKind::Placed(counts[1]),
            whole_too,
        );
        let placed = placed.expect("the system is held by relations of its own");
        let mut search = Search::<Strongest>::new(&placed.lowered.problem, options, budget)?;
        let bounds = placed.measures.iter().copied().zip(counts.clone());
        let bounds: Vec<(RelExprId, usize)> = bounds.collect();
        let Some(any) = search.at_most(&bounds, budget)? else {
            return Ok(Some(part.extracted(
                ExtractForm::Subgraph,
                least.instance,
                counts,
            )));
        };
        let instance = placed.canonical(&mut search, any, &counts, budget)?;
        return Ok(Some(placed.extracted(
            ExtractForm::Subgraph,
            instance,
            counts,
        )));
    }
    Ok(None)
}

/// All of the system in an instance of a lowered command, from its initial states on; none if it has no initial
/// state, or is not held by relations of its own.
pub fn whole(
    module: &TcmcModule,
    lowered: &LoweredCommand,
    instance: &Instance,
) -> Option<Extracted> {
    let (initial, steps) = held(module, &lowered.problem)?;
    let starts = instance.value(initial).iter().map(|row| row[0]);
    let steps = instance.value(steps).iter().map(|row| [row[0], row[1]]);
    let mut found = Extracted {
        form: ExtractForm::Whole,
        starts: starts.collect(),
        steps: steps.collect(),
        lowered: lowered.clone(),
        instance: instance.clone(),
        counts: Vec::new(),
    };
    let states = found.states();
    found.steps.retain(|[from, _]| states.contains(from));
    (!found.starts.is_empty()).then_some(found)
}

/// The relations of the initial states and of the steps.
fn held(module: &TcmcModule, problem: &Problem) -> Option<(RelationId, RelationId)> {
    let relation = |name: &str, arity: usize| {
        let name = format!("{}TS.{name}", module.prefix);
        let mut relations = problem.relations().entries();
        let found = relations.find(|(_, r)| r.name == name && r.arity() == arity);
        found.map(|(id, _)| id)
    };
    Some((relation("S0", 1)?, relation("sigma", 2)?))
}

/// The value of an expression in the instance of a part.
pub(crate) fn tuples(
    extracted: &Extracted,
    lowered: &LoweredCommand,
    expr: RelExprId,
    budget: &Budget,
) -> SearchResult<Vec<Vec<UniverseAtomId>>> {
    let instance = extracted.instance.completed(&lowered.problem);
    let mut evaluator = RelEvaluator::new(&lowered.problem, &instance, budget)?;
    Ok(evaluator.tuples(expr)?.iter().collect())
}

/// Which parts of a system a problem is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExtractKind {
    /// Paths.
    Path,
    /// Any part.
    Subgraph,
    /// Any part of so many states, each of which has a place.
    Placed(usize),
    /// Paths through all states in the order of their atoms, and perhaps back to one of them.
    Chain,
    /// Any part with all the states, which begins in the first of them.
    All,
}

/// A problem with a part of the system in it.
pub(crate) struct SystemPart {
    pub(crate) lowered: LoweredCommand,
    start: RelationId,
    steps: RelationId,
    /// What is least: for a path its states and those on its loop, for a part its steps and its states. Of a chain, whose
    /// states are all there are, only those on its loop.
    pub(crate) measures: Vec<RelExprId>,
    /// The states one after the other: along a path, or in places of their own.
    places: Vec<RelExprId>,
    /// By place: the values of the fields there.
    values: Vec<Vec<SettleWish>>,
    /// Whether there is a step, by the places of its states.
    between: Vec<SettleWish>,
}

impl SystemPart {
    /// None if the system is not held by relations of their own.
    pub(crate) fn new(
        alloy: &Alloy,
        module: &TcmcModule,
        lowered: &LoweredCommand,
        kind: ExtractKind,
        whole_too: bool,
    ) -> Option<Self> {
        let mut lowered = lowered.clone();
        let state = module.states(alloy)?;
        let states = lowered.states[0].sigs[state.index()];
        let fields: Vec<(RelExprId, bool)> = fields_of(alloy, state)
            .map(|id| {
                let field = lowered.states[0].fields[id.index()];
                (field, has_one_value(alloy, id))
            })
            .collect();
        let problem = &mut lowered.problem;
        let (initial, all_steps) = held(module, problem)?;
        let relations = PartRelations::new(problem, kind, initial, all_steps);
        let (first, some) = (problem.rel(relations.start), problem.rel(relations.steps));
        let goal = problem.requirements()[lowered.facts..].to_vec();
        // A formula about every path that fails in the part fails in the system: the part alone is asked.
        if !whole_too {
            problem.forget_requirements_after(lowered.facts);
        }
        let (initial_set, step_set) = (problem.rel(initial), problem.rel(all_steps));
        let star = problem.reflexive_closure(some);
        let reached = problem.join(first, star);
        let univ = problem.univ();
        let sources = problem.join(some, univ);
        let mut required = vec![
            problem.is_in(first, initial_set),
            problem.is_in(some, step_set),
        ];
        let part = PartSets {
            states,
            first,
            some,
            reached,
            univ,
        };
        let places = part.places(problem, kind, &relations, &mut required);
        if !kind.has_all_states() {
            required.push(problem.one(first));
            // A step from a state that is not reached would show nothing.
            required.push(problem.is_in(sources, reached));
        }
        // The goal is asked of the part alone: its relations stand where those of the system did.
        for formula in goal {
            required.push(problem.replaced(formula, &[(initial, first), (all_steps, some)]));
        }
        for formula in required {
            problem.require(formula);
        }
        let measures = part.measures(problem, kind);
        let mut values = Vec::new();
        for &place in &places {
            let own = fields.iter().map(|&(field, one)| {
                let value = problem.join(place, field);
                if one {
                    SettleWish::First(value)
                } else {
                    SettleWish::Without(value)
                }
            });
            values.push(own.collect());
        }
        let mut between = Vec::new();
        if matches!(kind, ExtractKind::Placed(_) | ExtractKind::All) {
            for &from in &places {
                let next = problem.join(from, some);
                let steps = places.iter();
                between.extend(steps.map(|&to| SettleWish::Some(problem.intersection(next, to))));
            }
        }
        Some(Self {
            lowered,
            start: relations.start,
            steps: relations.steps,
            measures,
            places,
            values,
            between,
        })
    }

    /// Of the instances that are left, the one whose states come first, place by place and field by field, and then
    /// whose steps do.
    pub(crate) fn canonical<S: Solver>(
        &self,
        search: &mut Search<'_, S>,
        best: Instance,
        counts: &[usize],
        budget: &Budget,
    ) -> SearchResult<Instance> {
        // A path counts its states first; other parts count their steps before them.
        let states = counts[usize::from(!self.between.is_empty())];
        let mut wishes: Vec<SettleWish> = self.values[..states].iter().flatten().copied().collect();
        wishes.extend(&self.between);
        let settled = search.settle(best, &wishes, budget)?;
        if !self.has_copies(&settled, states, budget)? {
            return Ok(settled);
        }
        // Their fields do not tell them apart: their atoms do.
        let atoms = self.places[..states]
            .iter()
            .map(|&place| SettleWish::First(place));
        let atoms: Vec<SettleWish> = atoms.collect();
        search.settle(settled, &atoms, budget)
    }

    /// Whether two of the states have equal fields.
    fn has_copies(
        &self,
        instance: &Instance,
        states: usize,
        budget: &Budget,
    ) -> SearchResult<bool> {
        let mut evaluator = RelEvaluator::new(&self.lowered.problem, instance, budget)?;
        let mut seen: Vec<Vec<Vec<Vec<UniverseAtomId>>>> = Vec::new();
        for wishes in &self.values[..states] {
            let mut own = Vec::new();
            for &wish in wishes {
                let (SettleWish::First(value)
                | SettleWish::Without(value)
                | SettleWish::Some(value)) = wish;
                own.push(evaluator.tuples(value)?.iter().collect());
            }
            if seen.contains(&own) {
                return Ok(true);
            }
            seen.push(own);
        }
        Ok(false)
    }

    pub(crate) fn extracted(
        self,
        form: ExtractForm,
        instance: Instance,
        counts: Vec<usize>,
    ) -> Extracted {
        let start = instance.value(self.start).iter().map(|row| row[0]);
        let steps = instance.value(self.steps).iter();
        Extracted {
            form,
            starts: start.collect(),
            steps: steps.map(|row| [row[0], row[1]]).collect(),
            lowered: self.lowered,
            instance,
            counts,
        }
    }
}

impl ExtractKind {
    /// Whether every state of the system is in the part, at a place that is known.
    fn has_all_states(self) -> bool {
        matches!(self, ExtractKind::Chain | ExtractKind::All)
    }
}

/// The relations that hold a part of the system.
struct PartRelations {
    start: RelationId,
    steps: RelationId,
    /// The atoms that may be states, in order.
    atoms: Vec<UniverseAtomId>,
    /// The steps from the last atom to any.
    back: TupleSet,
}

impl PartRelations {
    fn new(
        problem: &mut Problem,
        kind: ExtractKind,
        initial: RelationId,
        all_steps: RelationId,
    ) -> Self {
        let initial_atoms = problem.relations()[initial].upper.clone();
        let pairs = problem.relations()[all_steps].upper.clone();
        let universe = problem.universe().clone();
        let of_steps: Vec<UniverseAtomId> = pairs.iter().flat_map(|row| [row[0], row[1]]).collect();
        let of_initial = initial_atoms.iter().map(|row| row[0]);
        let atoms = universe.set(of_steps.into_iter().chain(of_initial));
        let atoms: Vec<UniverseAtomId> = atoms.iter().map(|row| row[0]).collect();
        let start = if kind.has_all_states() {
            problem.constant("start", universe.set(atoms.first().copied()))
        } else {
            problem.relation("start", universe.no_tuples(1), initial_atoms)
        };
        let (always, back) = chain(&universe, &atoms);
        let steps = match kind {
            ExtractKind::Chain => problem.relation("part", always.clone(), always.union(&back)),
            _ => problem.relation("part", universe.no_tuples(2), pairs),
        };
        Self {
            start,
            steps,
            atoms,
            back,
        }
    }
}

/// The sets of a part that formulas speak of.
struct PartSets {
    states: RelExprId,
    /// The state in which it begins.
    first: RelExprId,
    /// Its steps.
    some: RelExprId,
    /// Its states.
    reached: RelExprId,
    univ: RelExprId,
}

impl PartSets {
    /// The places of the states, and what is required for states to have them.
    fn places(
        &self,
        problem: &mut Problem,
        kind: ExtractKind,
        relations: &PartRelations,
        required: &mut Vec<FormulaId>,
    ) -> Vec<RelExprId> {
        let universe = problem.universe().clone();
        let mut placed = vec![self.first];
        match kind {
            ExtractKind::Path => {
                let s = problem.variable("s", 1, None);
                let state = problem.var(s);
                let next = problem.join(state, self.some);
                let lone = problem.lone(next);
                required.push(problem.all([RelDecl::one(s, self.states)], lone));
                for at in 1..relations.atoms.len() {
                    placed.push(problem.join(placed[at - 1], self.some));
                }
            }
            ExtractKind::Chain | ExtractKind::All => {
                for &atom in &relations.atoms[1..] {
                    let place = problem.constant("place", universe.set([atom]));
                    placed.push(problem.rel(place));
                }
                required.push(if kind == ExtractKind::Chain {
                    let back = problem.constant("back", relations.back.clone());
                    let back = problem.rel(back);
                    let taken = problem.intersection(self.some, back);
                    problem.lone(taken)
                } else {
                    problem.is_in(self.states, self.reached)
                });
            }
            ExtractKind::Placed(places) => {
                let atoms = universe.set(relations.atoms.iter().copied());
                for at in 1..places {
                    let name = format!("place{at}");
                    let place = problem.relation(name, universe.no_tuples(1), atoms.clone());
                    let place = problem.rel(place);
                    required.push(problem.one(place));
                    for &other in &placed {
                        let common = problem.intersection(place, other);
                        required.push(problem.no(common));
                    }
                    required.push(problem.is_in(place, self.reached));
                    placed.push(place);
                }
            }
            ExtractKind::Subgraph => {}
        }
        placed
    }

    /// What is least, the first of them first.
    fn measures(&self, problem: &mut Problem, kind: ExtractKind) -> Vec<RelExprId> {
        let (closure, iden) = (problem.closure(self.some), problem.iden());
        // A state is on a loop if a path leads from it to itself.
        let around = problem.intersection(closure, iden);
        let on_loop = problem.join(around, self.univ);
        match kind {
            ExtractKind::Path => vec![self.reached, on_loop],
            ExtractKind::Chain => vec![on_loop],
            ExtractKind::Subgraph | ExtractKind::Placed(_) | ExtractKind::All => {
                vec![self.some, self.reached]
            }
        }
    }
}

/// The steps from each atom to the next one, and those from the last one to any.
fn chain(universe: &Universe, atoms: &[UniverseAtomId]) -> (TupleSet, TupleSet) {
    let pairs =
        |pairs: Vec<[UniverseAtomId; 2]>| TupleSet::from_tuples(universe.packing(), 2, pairs);
    let along = atoms.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let last = atoms.last().copied();
    let back = last
        .into_iter()
        .flat_map(|last| atoms.iter().map(move |&to| [last, to]));
    (pairs(along), pairs(back.collect()))
}

/// The fields of the states that say which state it is.
pub(crate) fn fields_of(alloy: &Alloy, state: SigId) -> impl Iterator<Item = FieldId> + '_ {
    let fields = alloy.fields.entries();
    let own = fields.filter(move |(_, field)| field.sig == state && field.definition.is_none());
    own.map(|(id, _)| id)
}

/// Whether a field has one value in every state.
pub(crate) fn has_one_value(alloy: &Alloy, field: FieldId) -> bool {
    let sig = alloy.fields[field].sig;
    let mut decls = alloy.sigs[sig].decls.iter();
    let decl = decls.find(|decl| decl.fields.contains(&field));
    decl.is_some_and(|decl| {
        let bound = &alloy.terms[decl.bound].kind;
        matches!(bound, AlloyTermKind::Mult(Mult::One, _))
    })
}
