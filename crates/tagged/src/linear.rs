//! What watches runs for a formula of linear time.
//!
//! The tableau of a formula is a nondeterministic automaton whose fair runs, together with the model, are the runs that
//! refute the formula; that of its opposite has those that satisfy it. The states of a run so far say in which states
//! both automata may be (the subset construction of Rabin and Scott 1959). States from which no fair run goes on are left
//! out, so the formula can still be refuted exactly if a state of the first automaton is left, and still be satisfied
//! exactly if one of the second is. A run that counts does one or the other, so one is always left.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use wherefore_base::{Budget, IndexVec, Run, Value};
use wherefore_check::Checker;
use wherefore_logic::Fairness;
use wherefore_model::lts::{LtsStep, StateId};
use wherefore_model::{Query, TermId};
use wherefore_space::StateSpace;
use wherefore_space::explicit::Explicit;

use crate::lasso::LoopGraph;
use crate::monitor::{Observer, Pair};
use crate::prospect::Prospect;
use crate::unfold::UnfoldedModel;

/// So many places, states of the system with what is still possible there, are looked at.
pub const MOST_PLACES: usize = 400_000;

/// A deterministic observer that knows, after any states of a system, whether a formula of linear time can still be
/// refuted and whether it can still be satisfied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinearMonitor {
    states: u32,
    start: u32,
    /// Where runs start, if that is no state of the model.
    before: Option<StateId>,
    /// The state after one of its states and a state of the system.
    next: FxHashMap<(u32, StateId), u32>,
    /// What can happen at each place.
    places: FxHashMap<Pair, LinearPlace>,
    refuting: RefutingRuns,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct LinearPlace {
    prospect: Prospect,
    /// The states of the refuting product that are possible here.
    refuting: Vec<u32>,
}

/// The states of a product from which fair runs go on, with the steps between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RefutingRuns {
    /// The state of the system in each.
    pub(crate) state: Vec<StateId>,
    rows: Vec<Vec<u32>>,
    pub(crate) fairness: Fairness<FixedBitSet>,
}

impl LoopGraph for RefutingRuns {
    fn nodes(&self) -> usize {
        self.rows.len()
    }

    fn after(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.rows[node].iter().map(|&to| to as usize)
    }
}

/// A formula of linear time about the states of a model, and the products of the model with its two automata.
#[derive(Clone, Copy, Debug)]
pub struct LinearProducts<'a, 'm, 'p> {
    /// The model, all of whose states are listed.
    pub space: &'a Explicit<'m>,
    /// The formula. Its atoms read states only.
    pub query: &'a Query,
    /// The product with the tableau of the formula: its fair runs refute it.
    pub refuting: &'a Explicit<'p>,
    /// The product with the tableau of the opposite: its fair runs satisfy the formula.
    pub satisfying: &'a Explicit<'p>,
}

impl LinearMonitor {
    /// The observer of an unfolded model; `None` where there are more than [`MOST_PLACES`].
    ///
    /// # Errors
    /// When the budget ends.
    pub fn new(
        unfolded: &UnfoldedModel,
        products: LinearProducts<'_, '_, '_>,
        budget: &Budget,
    ) -> Run<Option<Self>> {
        budget.phase("following what is still possible");
        let system = SystemStates::new(unfolded, products)?;
        let mut words = FxHashMap::default();
        let refuting = LiveProduct::new(products.refuting, &system, &mut words, budget)?;
        let satisfying = LiveProduct::new(products.satisfying, &system, &mut words, budget)?;
        let construction = SubsetConstruction {
            unfolded,
            system: &system,
            automata: [&refuting, &satisfying],
            names: FxHashMap::default(),
            next: FxHashMap::default(),
            places: FxHashMap::default(),
        };
        let Some(found) = construction.run(budget)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            refuting: RefutingRuns {
                state: refuting.state,
                rows: refuting.rows,
                fairness: refuting.fairness,
            },
            ..found
        }))
    }

    /// How many states it has itself.
    pub fn states(&self) -> u32 {
        self.states
    }

    /// Its state where runs start.
    pub(crate) fn start(&self) -> u32 {
        self.start
    }

    /// Whether a state of the system is the place before the first state of the model.
    pub(crate) fn is_before_start(&self, state: StateId) -> bool {
        self.before == Some(state)
    }

    /// What can still happen at each place: the observer accepts where the formula is satisfied.
    pub(crate) fn prospects(&self) -> impl Iterator<Item = (Pair, Prospect)> + '_ {
        let places = self.places.iter();
        places.map(|(pair, place)| (*pair, place.prospect))
    }

    /// The runs that refute the formula.
    pub(crate) fn refuting(&self) -> &RefutingRuns {
        &self.refuting
    }

    /// In which states of the runs that refute the formula one may be at a place.
    pub(crate) fn refuting_at(&self, pair: Pair) -> &[u32] {
        self.places.get(&pair).map_or(&[], |place| &place.refuting)
    }
}

impl Observer for LinearMonitor {
    #[inline]
    fn next(&self, at: u32, step: LtsStep) -> Option<u32> {
        self.next.get(&(at, step.to)).copied()
    }

    #[inline]
    fn accepting(&self, _at: u32) -> bool {
        // No finite run has satisfied the formula for good in the sense of other observers: the prospects say it.
        false
    }
}

/// The states of the system by their values, and what the atoms of the formula say there.
struct SystemStates {
    vars: usize,
    named: FxHashMap<Vec<Value>, StateId>,
    /// States in which all atoms have the same truth have the same class.
    class: IndexVec<StateId, u32>,
}

impl SystemStates {
    fn new(unfolded: &UnfoldedModel, products: LinearProducts<'_, '_, '_>) -> Run<Self> {
        let space = products.space;
        let truth = |&atom: &TermId| Ok(unfolded.lowered(&space.states_where(atom)?));
        let atoms: Run<Vec<FixedBitSet>> = products.query.atoms.iter().map(truth).collect();
        let atoms = atoms?;
        let mut classes: FxHashMap<Vec<bool>, u32> = FxHashMap::default();
        let mut system = Self {
            vars: space.model().state_vars(),
            named: FxHashMap::default(),
            class: IndexVec::new(),
        };
        for (at, origin) in unfolded.origin.iter().enumerate() {
            system.named.insert(space.values(origin), StateId::new(at));
            let here: Vec<bool> = atoms.iter().map(|atom| atom.contains(at)).collect();
            let fresh = classes.len() as u32;
            system.class.push(*classes.entry(here).or_insert(fresh));
        }
        Ok(system)
    }
}

/// The states of a product from which a fair run goes on.
struct LiveProduct {
    state: Vec<StateId>,
    /// A number for the values of the variables of the automaton; equal ones have equal numbers in both products.
    word: Vec<u32>,
    rows: Vec<Vec<u32>>,
    initial: Vec<u32>,
    fairness: Fairness<FixedBitSet>,
}

impl LiveProduct {
    fn new(
        product: &Explicit<'_>,
        system: &SystemStates,
        words: &mut FxHashMap<Vec<Value>, u32>,
        budget: &Budget,
    ) -> Run<Self> {
        let checker = Checker::new(product)?;
        let fair = checker.fair()?;
        let live: Vec<usize> = fair.ones().collect();
        let mut name = FxHashMap::default();
        for (at, &state) in live.iter().enumerate() {
            name.insert(state, at as u32);
        }
        let mut meter = budget.meter();
        let (mut state, mut word, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for &id in &live {
            let id = wherefore_space::explicit::ExplicitStateId::new(id);
            let mut values = product.values(&id);
            let own = values.split_off(system.vars);
            // A state with a fair run here has one in the model, so the system has it.
            state.push(system.named[&values]);
            let fresh = words.len() as u32;
            word.push(*words.entry(own).or_insert(fresh));
            let mut row = Vec::new();
            for to in product.successors(&id)? {
                meter.tick()?;
                row.extend(name.get(&to?.index()).copied());
            }
            rows.push(row);
        }
        let lowered = |set: &FixedBitSet| -> Run<FixedBitSet> {
            let mut lowered = FixedBitSet::with_capacity(live.len());
            lowered.extend((0..live.len()).filter(|&at| set.contains(live[at])));
            Ok(lowered)
        };
        let initial = product.initial().ones();
        Ok(Self {
            initial: initial
                .filter_map(|state| name.get(&state).copied())
                .collect(),
            fairness: checker.fairness().try_map(lowered)?,
            state,
            word,
            rows,
        })
    }

    /// The states of the product that the system is in `state` in, among these.
    fn at(&self, among: impl Iterator<Item = u32>, state: StateId) -> Vec<u32> {
        let mut here: Vec<u32> = among
            .filter(|&one| self.state[one as usize] == state)
            .collect();
        here.sort_unstable();
        here.dedup();
        here
    }
}

/// What a state of the observer stands for: what the last state of the system says of the atoms, `None` before the first,
/// and the states of both automata that are possible.
type ObserverKey = (Option<u32>, [Vec<u32>; 2]);

/// The subset construction on its way.
struct SubsetConstruction<'a> {
    unfolded: &'a UnfoldedModel,
    system: &'a SystemStates,
    automata: [&'a LiveProduct; 2],
    names: FxHashMap<ObserverKey, u32>,
    next: FxHashMap<(u32, StateId), u32>,
    places: FxHashMap<Pair, LinearPlace>,
}

impl SubsetConstruction<'_> {
    fn run(mut self, budget: &Budget) -> Run<Option<LinearMonitor>> {
        let mut meter = budget.meter();
        let lts = &self.unfolded.lts;
        let initial = self.automata.map(|automaton| automaton.initial.clone());
        let first = match self.unfolded.start {
            Some(_) => initial,
            None => {
                self.each(|automaton, at| automaton.at(initial[at].iter().copied(), lts.initial()))
            }
        };
        let start = self.name(lts.initial(), &first);
        let mut queue = VecDeque::new();
        self.enter(lts.initial(), start, first, &mut queue);
        while let Some((pair, sets)) = queue.pop_front() {
            meter.tick()?;
            if self.places.len() > MOST_PLACES {
                return Ok(None);
            }
            let begins = self.unfolded.start == Some(pair.state);
            for step in lts.steps(pair.state) {
                let after = self.each(|automaton, which| {
                    let here = sets[which].iter().copied();
                    match begins {
                        true => automaton.at(here, step.to),
                        false => {
                            let rows = here.flat_map(|one| &automaton.rows[one as usize]);
                            automaton.at(rows.copied(), step.to)
                        }
                    }
                });
                let at = self.name(step.to, &after);
                self.next.insert((pair.at, step.to), at);
                self.enter(step.to, at, after, &mut queue);
            }
        }
        Ok(Some(LinearMonitor {
            states: self.names.len() as u32,
            start,
            before: self.unfolded.start,
            next: self.next,
            places: self.places,
            refuting: RefutingRuns {
                state: Vec::new(),
                rows: Vec::new(),
                fairness: Fairness::default(),
            },
        }))
    }

    fn each(&self, mut of: impl FnMut(&LiveProduct, usize) -> Vec<u32>) -> [Vec<u32>; 2] {
        [of(self.automata[0], 0), of(self.automata[1], 1)]
    }

    /// The state of the observer when the system is in `state`.
    ///
    /// A step of an automaton reads its own variables and the atoms of the formula in both states, so this and the next
    /// state of the system say all that can follow.
    fn name(&mut self, state: StateId, sets: &[Vec<u32>; 2]) -> u32 {
        let class = (self.unfolded.start != Some(state)).then(|| self.system.class[state]);
        let words = self.each(|automaton, which| {
            let words = sets[which].iter();
            let mut words: Vec<u32> = words.map(|&one| automaton.word[one as usize]).collect();
            words.sort_unstable();
            words.dedup();
            words
        });
        let fresh = self.names.len() as u32;
        *self.names.entry((class, words)).or_insert(fresh)
    }

    fn enter(
        &mut self,
        state: StateId,
        at: u32,
        sets: [Vec<u32>; 2],
        queue: &mut VecDeque<(Pair, [Vec<u32>; 2])>,
    ) {
        let pair = Pair { state, at };
        if self.places.contains_key(&pair) {
            return;
        }
        let prospect = match (sets[0].is_empty(), sets[1].is_empty()) {
            (true, _) => Prospect::Certain,
            (false, true) => Prospect::Never,
            (false, false) => Prospect::Free,
        };
        let refuting = sets[0].clone();
        self.places.insert(pair, LinearPlace { prospect, refuting });
        queue.push_back((pair, sets));
    }
}
