//! The symbolic engine: sets of states and the transition relation are binary decision diagrams.
//!
//! [`Symbolic::build`] orders the variables, compiles the constraints of the model, and finds the
//! reachable states as a fixpoint of images (Burch, Clarke, McMillan, Dill and Hwang 1992).

mod bdd;
mod compile;
mod conjunct;
mod encoding;
mod hull;
mod order;
mod relation;
mod states;
mod summing;
mod weights;
mod word;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use num_bigint::BigUint;
use wherefore_base::{Budget, Run, Stop, Value};
use wherefore_logic::Fairness;
use wherefore_model::{Model, SpaceEngine, TermId, VarId};

pub use bdd::Bdd;
pub use states::PackedState;
pub use weights::Mtbdd;

pub(crate) use bdd::Bdds;
pub(crate) use compile::BddCompiler;
pub(crate) use encoding::{BitEncoding, StateSide};

use crate::{Rings, StateSpace, hull_by_until, until_by_pre};
use bdd::{Bit, Renaming};
use compile::CompiledTerms;
use conjunct::{Of, RelationConjunct};
use hull::Unread;
use relation::{RelationPart, TransitionRelation};
use states::{Ordered, PackedStates, number, side_by_side};
use summing::Summing;
use weights::{Gone, MtbddHalt};

/// The reachable states of a model as functions of its bits.
///
/// Invariant: the handles come before the `bdds` they belong to, and all sets are functions of the
/// present state that are false outside `reachable`.
pub struct Symbolic<'m> {
    model: &'m Model,
    initial: Bdd,
    reachable: Bdd,
    relation: TransitionRelation,
    unread: Unread,
    /// Whether every state has a successor.
    total: bool,
    /// The relation as sums need it, once asked for; inside `None` when it is too large.
    summing: OnceLock<Option<Summing>>,
    to_next: Renaming,
    to_now: Renaming,
    memo: Mutex<CompiledTerms>,
    states: Arc<PackedStates>,
    bdds: Bdds,
}

impl std::fmt::Debug for Symbolic<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbolic")
            .field("reachable", &self.reachable)
            .finish_non_exhaustive()
    }
}

/// How the variables of a model are ordered in its decision diagrams; answers do not depend on it.
#[derive(Clone, Default, Debug)]
pub struct Ordering {
    /// Variables to put on top, in this order; the others follow in an order of our own.
    pub first: Vec<VarId>,
    /// When to look for a better order.
    pub reorder: Reorder,
}

/// When to look for a better order of the variables.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Reorder {
    /// When the diagrams have become much larger.
    #[default]
    WhenLarge,
    /// Never.
    Never,
    /// Before every operation; this is for tests.
    Always,
}

impl<'m> Symbolic<'m> {
    /// Compiles a model and finds its reachable states.
    pub fn build(model: &'m Model, budget: &Budget) -> Run<Self> {
        let ordering = Ordering {
            first: model.order.clone(),
            ..Ordering::default()
        };
        Self::build_ordered(model, &ordering, budget)
    }

    /// Allows at most so many steps of work on decision diagrams from now on; then every operation stops, as
    /// if the time was up. A count, so that it does not depend on how fast a machine is.
    pub fn allow(&self, steps: u64) {
        self.bdds.allow(steps);
    }

    /// Whether more work was asked for than [`Symbolic::allow`] allows.
    pub fn gave_up(&self) -> bool {
        self.bdds.gave_up()
    }

    /// Compiles a model with a say in the order of its variables, and finds its reachable states.
    pub fn build_ordered(model: &'m Model, ordering: &Ordering, budget: &Budget) -> Run<Self> {
        budget.phase("building decision diagrams");
        let init = RelationConjunct::all(model, &model.init, Of::State);
        let invar = RelationConjunct::all(model, &model.invar, Of::State);
        let trans = RelationConjunct::all(model, &model.trans, Of::Step);
        let encoding = BitEncoding::new(model, &ordering.complete(model));
        let bdds = Bdds::new(encoding.count(), budget)?;
        match ordering.reorder {
            Reorder::WhenLarge => bdds.reorder(encoding.groups()),
            Reorder::Never => {}
            Reorder::Always => bdds.reorder_always(encoding.groups()),
        }
        let states = Arc::new(PackedStates::new(model, encoding));
        let encoding = &states.encoding;
        let bits = |side| {
            let vars = (0..model.state_vars()).map(VarId::new);
            vars.flat_map(|var| encoding.bits(var, side).iter().copied())
                .collect::<Vec<_>>()
        };
        let (now, next) = (bits(StateSide::Now), bits(StateSide::Next));
        let pairs: Vec<(u32, u32)> = now.into_iter().zip(next).collect();
        let to_next = bdds.renaming(&pairs);
        let back: Vec<(u32, u32)> = pairs.iter().map(|&(now, next)| (next, now)).collect();
        let to_now = bdds.renaming(&back);

        let mut compiler = BddCompiler::new(model, encoding, &bdds);
        let context = (model, &bdds);
        let mut initial = bdds.one();
        let mut parts = Vec::new();
        for (var, variable) in model.vars.entries() {
            // Every pattern of bits is a value, so nothing needs to be required.
            if variable.domain.size().is_power_of_two() {
                continue;
            }
            // Initial states must have values of the domains, and each step requires them of the next state.
            let side = match var.index() < model.state_vars() {
                true => {
                    initial = bdds.and(&initial, &encoding.valid(context, var, StateSide::Now)?)?;
                    StateSide::Next
                }
                false => StateSide::Now,
            };
            parts.push(RelationPart {
                function: encoding.valid(context, var, side)?,
                reads: [(side, var)].into(),
            });
        }
        for (conjunct, number) in trans.iter().zip(1..) {
            budget.done(number);
            let now = conjunct.now.iter().map(|&var| (StateSide::Now, var));
            let next = conjunct.next.iter().map(|&var| (StateSide::Next, var));
            parts.push(RelationPart {
                function: conjunct.compile(&mut compiler)?,
                reads: now.chain(next).collect(),
            });
        }
        for conjunct in &invar {
            // An invariant holds at first and after each step, so it is never asked of the present state.
            let function = conjunct.compile(&mut compiler)?;
            initial = bdds.and(&initial, &function)?;
            parts.push(RelationPart {
                function: bdds.rename(&function, &to_next)?,
                reads: conjunct
                    .now
                    .iter()
                    .map(|&var| (StateSide::Next, var))
                    .collect(),
            });
        }
        for conjunct in &init {
            initial = bdds.and(&initial, &conjunct.compile(&mut compiler)?)?;
        }
        let mut memo = compiler.memo;
        memo.trim();
        // Both look at single parts: clusters read too many variables to show anything.
        let total = relation::is_total(model, encoding, &bdds, &parts)?;
        let unread = Unread::new(model, encoding, &bdds, &parts)?;
        let relation = TransitionRelation::new(model, encoding, &bdds, parts)?;
        let mut space = Self {
            model,
            reachable: initial.clone(),
            initial,
            relation,
            unread,
            total,
            summing: OnceLock::new(),
            to_next,
            to_now,
            memo: Mutex::new(memo),
            states,
            bdds,
        };
        space.reachable = space.reach()?;
        let next = space.bdds.rename(&space.reachable, &space.to_next)?;
        let (encoding, bdds) = (&space.states.encoding, &space.bdds);
        space
            .relation
            .narrow(model, encoding, bdds, &space.reachable, &next)?;
        Ok(space)
    }

    /// The relation as sums need it; `None` when it is too large.
    fn summing(&self) -> Run<Option<&Summing>> {
        if self.summing.get().is_none() {
            let (encoding, bdds) = (&self.states.encoding, &self.bdds);
            let made = Summing::new(self.model, encoding, bdds, &self.relation.parts)?;
            // Somebody else may have been faster, with the same result.
            let _ = self.summing.set(made);
        }
        Ok(self.summing.get().expect("it was just set").as_ref())
    }

    /// The result of work with numbers; a limit that was met leaves none.
    fn within_limits<T>(&self, work: Result<T, MtbddHalt>) -> Run<Option<T>> {
        match work {
            Ok(result) => Ok(Some(result)),
            Err(MtbddHalt::TooMany) => Ok(None),
            // The node table is full: there is no number, but the sets are still there.
            Err(MtbddHalt::Stop(Stop::Memory)) if self.bdds.budget().check().is_ok() => Ok(None),
            Err(MtbddHalt::Stop(stop)) => Err(stop),
        }
    }

    fn sum_before(&self, weights: &Mtbdd, from: &Bdd) -> Result<Mtbdd, MtbddHalt> {
        let Some(summing) = self.summing()? else {
            return Err(MtbddHalt::TooMany);
        };
        let mut sum = weights.one_level_down();
        for (part, gone) in &summing.steps {
            sum = sum.times(&self.bdds, part, gone)?;
        }
        sum.times(&self.bdds, from, &Gone::new(&self.bdds, &[]))
    }

    fn reach(&self) -> Run<Bdd> {
        let budget = self.bdds.budget();
        budget.phase("finding reachable states");
        let mut all = self.initial.clone();
        let mut fresh = self.initial.clone();
        for round in 1.. {
            if self.bdds.is_zero(&fresh) {
                break;
            }
            let nodes = self.bdds.nodes();
            budget.phase(&format!("finding reachable states with {nodes} nodes"));
            budget.done(round);
            // Steps from older states lead into `all` already.
            let next = self.post(&fresh)?;
            fresh = self.bdds.minus(&next, &all)?;
            all = self.bdds.or(&all, &fresh)?;
        }
        Ok(all)
    }
}

impl Symbolic<'_> {
    /// States with a step into a set, and perhaps others that cannot be reached.
    fn before(&self, to: &Bdd) -> Run<Bdd> {
        let to = self.bdds.rename(to, &self.to_next)?;
        self.relation.pre(&self.bdds, &to)
    }
}

impl Ordering {
    /// All variables, each once, top level first.
    fn complete(&self, model: &Model) -> Vec<VarId> {
        let mut seen = vec![false; model.vars.len()];
        let mut order = self.first.clone();
        order.extend(static_order(model));
        order.retain(|var| !std::mem::replace(&mut seen[var.index()], true));
        order
    }
}

/// The variables of a model, top level first.
pub(crate) fn static_order(model: &Model) -> Vec<VarId> {
    let mut conjuncts = RelationConjunct::all(model, &model.trans, Of::Step);
    conjuncts.extend(RelationConjunct::all(model, &model.invar, Of::State));
    conjuncts.extend(RelationConjunct::all(model, &model.init, Of::State));
    order::order(model, &conjuncts)
}

impl Symbolic<'_> {
    /// The states of a set, in order.
    fn ordered(&self, set: Bdd) -> impl Iterator<Item = Run<PackedState>> + '_ {
        let words = self.states.layout.words();
        let mut states = Ordered::new(&self.bdds, &self.states.slots, words, set);
        std::iter::from_fn(move || {
            let words = states.next().transpose()?;
            Some(words.map(PackedState::new))
        })
    }
}

impl StateSpace for Symbolic<'_> {
    type Set = Bdd;
    type State = PackedState;
    type Rings = RingList;
    type Weights = Mtbdd;

    fn engine(&self) -> SpaceEngine {
        SpaceEngine::Bdd
    }

    fn model(&self) -> &Model {
        self.model
    }

    fn budget(&self) -> &Budget {
        self.bdds.budget()
    }

    fn reachable(&self) -> &Bdd {
        &self.reachable
    }

    fn initial(&self) -> &Bdd {
        &self.initial
    }

    fn nothing(&self) -> Bdd {
        self.bdds.zero()
    }

    fn states_where(&self, condition: TermId) -> Run<Bdd> {
        let mut memo = self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        let mut compiler = BddCompiler::new(self.model, &self.states.encoding, &self.bdds);
        compiler.memo = std::mem::take(&mut *memo);
        let result = compiler.condition(condition);
        // What was compiled is kept even where the budget ended.
        *memo = compiler.memo;
        memo.trim();
        self.bdds.and(&self.reachable, &result?)
    }

    fn states_with(&self, values: &[(VarId, Vec<Value>)]) -> Run<Bdd> {
        let mut result = self.reachable.clone();
        for (var, values) in values {
            let context = (self.model, &self.bdds);
            let equals = |&value| {
                self.states
                    .encoding
                    .equals(context, *var, StateSide::Now, value)
            };
            let allowed = values.iter().map(equals).collect::<Run<_>>()?;
            result = self.bdds.and(&result, &self.bdds.any(allowed)?)?;
        }
        Ok(result)
    }

    fn meet(&self, a: &Bdd, b: &Bdd) -> Run<Bdd> {
        self.bdds.and(a, b)
    }

    fn join(&self, a: &Bdd, b: &Bdd) -> Run<Bdd> {
        self.bdds.or(a, b)
    }

    fn minus(&self, a: &Bdd, b: &Bdd) -> Run<Bdd> {
        self.bdds.minus(a, b)
    }

    fn is_empty(&self, set: &Bdd) -> bool {
        self.bdds.is_zero(set)
    }

    fn count(&self, set: &Bdd) -> Run<BigUint> {
        self.bdds.count(set, self.states.bits.len())
    }

    fn contains(&self, set: &Bdd, state: &PackedState) -> bool {
        self.states.contains(set, state)
    }

    fn just(&self, state: &PackedState) -> Run<Bdd> {
        self.bdds.cube(self.states.literals(StateSide::Now, state))
    }

    fn pre(&self, to: &Bdd) -> Run<Bdd> {
        // Where every state has a successor, all of them lead into the reachable states.
        if self.total && *to == self.reachable {
            return Ok(to.clone());
        }
        self.bdds.and(&self.before(to)?, &self.reachable)
    }

    fn post(&self, from: &Bdd) -> Run<Bdd> {
        // Successors of reachable states are reachable, so they need no intersection.
        let next = self.relation.post(&self.bdds, from)?;
        self.bdds.rename(&next, &self.to_now)
    }

    fn resting(&self) -> Run<Bdd> {
        let mut resting = self.reachable.clone();
        for part in &self.relation.parts {
            // With the next values renamed to the present ones, a part speaks of steps from a state
            // to itself.
            let unchanged = self.bdds.rename(&part.function, &self.to_now)?;
            resting = self.bdds.and(&resting, &unchanged)?;
        }
        let inputs = self.model.vars.ids().skip(self.model.state_vars());
        let bits = inputs.flat_map(|var| self.states.encoding.bits(var, StateSide::Now));
        let inputs = self.bdds.cube(bits.map(|&bit| (bit, true)))?;
        self.bdds.exists(&resting, &inputs)
    }

    fn until(&self, stay: &Bdd, goal: &Bdd) -> Run<RingList> {
        let (rings, all) = until_by_pre(self, stay, goal)?;
        let states = Arc::clone(&self.states);
        Ok(RingList { rings, all, states })
    }

    fn hull(&self, stay: &Bdd, fairness: &Fairness<Bdd>) -> Run<Bdd> {
        match self.hull_without_unread(stay, fairness)? {
            Some(hull) => Ok(hull),
            None => hull_by_until(self, stay, fairness),
        }
    }

    fn listed<'a>(&'a self, set: &'a Bdd) -> impl Iterator<Item = Run<PackedState>> + 'a {
        self.ordered(set.clone())
    }

    fn successors<'a>(
        &'a self,
        state: &PackedState,
    ) -> Run<impl Iterator<Item = Run<PackedState>> + 'a> {
        Ok(self.ordered(self.post(&self.just(state)?)?))
    }

    /// Those that are near are told apart before any is listed.
    fn successors_near<'a>(
        &'a self,
        state: &PackedState,
        rings: &'a RingList,
        distance: u32,
    ) -> Run<impl Iterator<Item = Run<PackedState>> + 'a> {
        let mut near = self.bdds.zero();
        for ring in rings.up_to(distance) {
            near = self.bdds.or(&near, ring)?;
        }
        let after = self.post(&self.just(state)?)?;
        Ok(self.ordered(self.bdds.and(&after, &near)?))
    }

    fn inputs(&self, from: &PackedState, to: &PackedState, most: usize) -> Run<Vec<Vec<Value>>> {
        let from = self.states.literals(StateSide::Now, from);
        let to = self.states.literals(StateSide::Next, to);
        let step = self.bdds.cube(from.chain(to))?;
        let mut inputs = self.bdds.one();
        for part in &self.relation.parts {
            let allowed = self.bdds.restrict(&part.function, &step)?;
            inputs = self.bdds.and(&inputs, &allowed)?;
        }
        let vars: Vec<VarId> = self
            .model
            .vars
            .ids()
            .skip(self.model.state_vars())
            .collect();
        let width = |var: VarId| self.states.encoding.bits(var, StateSide::Now);
        let bits: Vec<Bit> = vars
            .iter()
            .flat_map(|&var| width(var).iter().copied())
            .collect();
        let slots = side_by_side(&bits);
        let words = bits.len().div_ceil(64).max(1);
        let mut ordered = Ordered::new(&self.bdds, &slots, words, inputs);
        let mut found = Vec::new();
        while found.len() < most
            && let Some(words) = ordered.next()?
        {
            let mut slots = slots.as_slice();
            let value = |&var: &VarId| {
                let (own, rest) = slots.split_at(width(var).len());
                slots = rest;
                self.model.vars[var].domain.value(number(own, words))
            };
            found.push(vars.iter().map(value).collect());
        }
        Ok(found)
    }

    fn values(&self, state: &PackedState) -> Vec<Value> {
        self.states.layout.values(self.model, state.words())
    }

    fn changes(&self, from: &PackedState, to: &PackedState) -> u32 {
        self.states.layout.differing(from.words(), to.words())
    }

    fn transitions(&self) -> Option<u64> {
        None
    }

    fn ones(&self, set: &Bdd) -> Run<Option<Mtbdd>> {
        // Numbers name variables by their levels, so the order must not change any more.
        self.bdds.keep_order();
        self.within_limits(Mtbdd::ones(&self.bdds, set))
    }

    fn sums_of_successors(&self, weights: &Mtbdd, from: &Bdd) -> Run<Option<Mtbdd>> {
        self.within_limits(self.sum_before(weights, from))
    }

    fn plus(&self, a: &Mtbdd, b: &Mtbdd) -> Run<Option<Mtbdd>> {
        self.within_limits(a.plus(&self.bdds, b))
    }

    fn total(&self, weights: &Mtbdd) -> Run<Option<BigUint>> {
        let gone = Gone::new(&self.bdds, &self.states.bits);
        let total = weights.times(&self.bdds, &self.bdds.one(), &gone);
        let total = self.within_limits(total)?;
        Ok(total.and_then(|total| total.constant().cloned()))
    }
}

/// The rings of a fixpoint, nearest first.
#[derive(Clone, Debug)]
pub struct RingList {
    rings: Vec<Bdd>,
    all: Bdd,
    states: Arc<PackedStates>,
}

impl RingList {
    /// The rings that are at most this many steps away.
    fn up_to(&self, distance: u32) -> &[Bdd] {
        &self.rings[..self.rings.len().min(distance as usize + 1)]
    }
}

impl Rings for RingList {
    type Set = Bdd;
    type State = PackedState;

    fn all(&self) -> &Bdd {
        &self.all
    }

    fn ring(&self, distance: u32) -> Option<Bdd> {
        let ring = self.rings.get(distance as usize)?;
        ring.satisfiable().then(|| ring.clone())
    }

    fn is_at(&self, state: &PackedState, distance: u32) -> bool {
        let ring = self.rings.get(distance as usize);
        ring.is_some_and(|ring| self.states.contains(ring, state))
    }

    fn is_within(&self, state: &PackedState, distance: u32) -> bool {
        let first = self.states.first_with(self.up_to(distance), state);
        first.is_some()
    }

    fn distance(&self, state: &PackedState) -> Option<u32> {
        let at = self.states.first_with(&self.rings, state);
        at.map(|at| at as u32)
    }
}
