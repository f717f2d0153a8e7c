//! Binary decision diagrams: handles to functions, and when to tidy up.
//!
//! [`table`] stores the nodes, [`apply`] works on functions, [`sift`] looks for better orders of the
//! variables. Operations ask the budget, collect garbage and change the order when that is due, and
//! report a full node table as [`Stop::Memory`]. Nothing that can be asked about a function depends
//! on the order, except where it is asked for as a level.

mod apply;
mod cache;
mod rows;
mod sift;
mod table;

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use num_bigint::BigUint;
use wherefore_base::{Budget, Run, Stop};

use apply::{BddCore, ValuationList};
use cache::{Cache, ENTRY_BYTES};
use sift::Groups;
use table::{BOTTOM, BddEdge, UniqueTable};

pub(crate) use rows::{RowSlot, ValuationRows};
pub(crate) use table::Bit;

/// The place of a variable in the order, 0 at the top.
pub(crate) type BddLevel = u32;

/// Why an operation ended before its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BddHalt {
    /// There are so many nodes that it is time to tidy up.
    Pause,
    /// The table is full.
    Full,
    /// The budget ended.
    Stop(Stop),
}

impl From<Stop> for BddHalt {
    fn from(stop: Stop) -> Self {
        BddHalt::Stop(stop)
    }
}

/// A Boolean function; equal functions are equal handles.
#[derive(Clone)]
pub struct Bdd(Arc<Root>);

/// Keeps the nodes of a function.
struct Root {
    edge: BddEdge,
    shared: Arc<BddShared>,
}

impl Drop for Root {
    fn drop(&mut self) {
        // A handle may go while the store is locked, so its end is only noted: locking the store
        // here could deadlock.
        let dropped = &self.shared.dropped;
        dropped
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(self.edge);
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        self.0.edge == other.0.edge
    }
}

impl Eq for Bdd {}

impl Hash for Bdd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.edge.hash(state);
    }
}

impl Bdd {
    /// The value of the function where variables have the values that `is_true` says.
    pub(crate) fn eval(&self, is_true: impl Fn(Bit) -> bool) -> bool {
        self.0.shared.lock().eval(self.0.edge, is_true)
    }

    /// The first of some functions that is true where variables have the values that `is_true` says.
    pub(crate) fn first_true(functions: &[Bdd], is_true: impl Fn(Bit) -> bool) -> Option<usize> {
        let inside = functions.first()?.0.shared.lock();
        let mut functions = functions.iter();
        functions.position(|f| inside.eval(f.0.edge, &is_true))
    }

    /// The level of the first variable the function reads; `None` for a constant.
    pub(crate) fn level(&self) -> Option<BddLevel> {
        let level = self.0.shared.lock().core.table.level(self.0.edge);
        (level != BOTTOM).then_some(level)
    }

    /// The function where the variable of this level is false, and where it is true; `None` unless it
    /// is the first variable the function reads.
    pub(crate) fn split(&self, level: BddLevel) -> Option<(Bdd, Bdd)> {
        let mut inside = self.0.shared.lock();
        if inside.core.table.level(self.0.edge) != level {
            return None;
        }
        let (low, high) = inside.core.table.ends(self.0.edge);
        let shared = &self.0.shared;
        Some((
            shared.root(&mut inside, low),
            shared.root(&mut inside, high),
        ))
    }

    /// Whether the function is true anywhere.
    pub(crate) fn satisfiable(&self) -> bool {
        self.0.edge != BddEdge::FALSE
    }
}

impl std::fmt::Debug for Bdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.0.shared.lock().core.table.size(self.0.edge);
        write!(f, "Bdd({size} nodes)")
    }
}

/// A renaming of variables, by number.
pub(crate) struct Renaming(u32);

/// What handles share.
struct BddShared {
    inside: Mutex<BddStore>,
    /// Handles that are gone and not yet counted as such.
    dropped: Mutex<Vec<BddEdge>>,
}

/// The functions, and when to tidy up.
struct BddStore {
    core: BddCore,
    /// Variables that stay together when the order changes; `None` when it does not.
    groups: Option<Groups>,
    /// Change the order at every opportunity.
    restless: bool,
    /// Collect garbage when there are this many nodes.
    collect_at: usize,
    /// Look for a better order when this many nodes are left after that.
    sift_at: usize,
    /// How many nodes were looked at for better orders.
    sifted: u64,
}

impl BddStore {
    fn eval(&self, mut edge: BddEdge, is_true: impl Fn(Bit) -> bool) -> bool {
        let table = &self.core.table;
        while !edge.is_constant() {
            let (low, high) = table.ends(edge);
            let bit = table.nodes[edge.node()].bit;
            edge = if is_true(bit) { high } else { low };
        }
        edge == BddEdge::TRUE
    }
}

impl BddShared {
    fn lock(&self) -> MutexGuard<'_, BddStore> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn root(self: &Arc<Self>, inside: &mut BddStore, edge: BddEdge) -> Bdd {
        inside.core.table.outside[edge.node()] += 1;
        Bdd(Arc::new(Root {
            edge,
            shared: Arc::clone(self),
        }))
    }

    /// Counts the handles that are gone.
    fn count_dropped(&self, inside: &mut BddStore) {
        let mut dropped = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        for edge in dropped.drain(..) {
            inside.core.table.outside[edge.node()] -= 1;
        }
    }

    /// Collects garbage, and looks for a better order when there is too much else.
    fn tidy(&self, inside: &mut BddStore, sift_at: usize) -> Run<()> {
        self.count_dropped(inside);
        let BddStore { core, groups, .. } = inside;
        core.table.collect(&mut core.cache);
        // Sifting may take a constant share of all other work, so it never dominates a long run.
        let patience = SIFT_FREELY + SIFT_SHARE * core.steps;
        let patience = patience.saturating_sub(inside.sifted);
        let before = core.table.used;
        if let Some(groups) = groups
            && before >= sift_at
            && (patience >= SIFT_LEAST * before as u64 || inside.restless)
        {
            let sifted = core.sift(groups, patience);
            let after = core.table.used;
            // After a gain of less than an eighth a better order is unlikely: the next search waits
            // twice as long.
            let longer = if 8 * after > 7 * before { 4 } else { 2 };
            inside.sift_at = FIRST_SIFT.max(longer * after);
            match sifted {
                Ok(looked_at) => inside.sifted += looked_at,
                Err(BddHalt::Stop(stop)) => return Err(stop),
                // Sifting asks the budget only, and ends without an error where the table has no room.
                Err(BddHalt::Pause | BddHalt::Full) => {}
            }
        }
        let used = inside.core.table.used;
        // A collection looks at all nodes; waiting for three times as many keeps its cost per node
        // constant.
        inside.collect_at = FEW_NODES.min(2 * inside.collect_at).max(3 * used);
        inside.core.table.pause_at = match inside.groups {
            Some(_) => MANY_NODES.max(8 * used),
            None => usize::MAX,
        };
        Ok(())
    }
}

/// Bytes that one node takes, with its share of the tables.
const NODE_BYTES: usize = 32;
/// The memory for nodes when the budget does not say.
const DEFAULT_BYTES: usize = 1_500_000_000;
/// The first look at what is garbage, and whether there is a better order, is at this many nodes.
const FIRST_NODES: usize = 1 << 17;
/// After some looks, garbage is not worth collecting below this many nodes.
const FEW_NODES: usize = 1 << 19;
/// An operation that makes so many nodes, or many times as many as there were, is worth a better order.
const MANY_NODES: usize = 1 << 20;
/// The order is good enough below this many nodes.
const FIRST_SIFT: usize = 1 << 12;
/// So many nodes may be looked at for a better order at any rate.
const SIFT_FREELY: u64 = 1 << 23;
/// Beyond that, for each result of other work so many nodes.
const SIFT_SHARE: u64 = 3;
/// A search for a better order that may not look at each node so many times is not begun.
const SIFT_LEAST: u64 = 16;
/// An operation that had to pause may make this many times more nodes before the next time.
const LONGER: usize = 4;
/// So many handles that are gone are counted at once.
const MANY_DROPPED: usize = 1 << 12;
/// Stack that recursion takes at one level, generously.
const STACK_PER_LEVEL: usize = 1024;

/// All functions over one list of variables.
pub(crate) struct Bdds {
    shared: Arc<BddShared>,
    budget: Budget,
    zero: Bdd,
    one: Bdd,
    vars: Vec<Bdd>,
    stack: usize,
}

impl Bdds {
    /// Functions over this many variables; the first is at the top.
    pub(crate) fn new(bits: usize, budget: &Budget) -> Run<Self> {
        let half = budget.memory().map_or(DEFAULT_BYTES, |bytes| bytes / 2);
        let half = half.min(DEFAULT_BYTES);
        let nodes = (half / NODE_BYTES).max(1 << 12);
        let count = Bit::try_from(bits).map_err(|_| Stop::Memory)?;
        let mut core = BddCore::new(
            UniqueTable::new(bits, nodes),
            Cache::new((half / 8 / ENTRY_BYTES).min(1 << 22)),
            budget.clone(),
        );
        let mut vars = Vec::with_capacity(bits);
        for bit in 0..count {
            let made = core.table.make(bit, BddEdge::FALSE, BddEdge::TRUE);
            vars.push(made.map_err(|_| Stop::Memory)?);
        }
        let shared = Arc::new(BddShared {
            inside: Mutex::new(BddStore {
                core,
                groups: None,
                restless: false,
                // A small table must be tidied up before it is full.
                collect_at: FIRST_NODES.min(nodes / 2),
                sift_at: FIRST_SIFT,
                sifted: 0,
            }),
            dropped: Mutex::default(),
        });
        let mut inside = shared.lock();
        let zero = shared.root(&mut inside, BddEdge::FALSE);
        let one = shared.root(&mut inside, BddEdge::TRUE);
        let root = |edge| shared.root(&mut inside, edge);
        let vars = vars.into_iter().map(root).collect();
        drop(inside);
        Ok(Self {
            shared,
            budget: budget.clone(),
            zero,
            one,
            vars,
            stack: (bits * STACK_PER_LEVEL).max(256 * 1024),
        })
    }

    /// Lets the order change from now on; variables of a group stay together.
    ///
    /// Each variable is in one group, and groups list them as they stand in the order.
    pub(crate) fn reorder(&self, groups: Vec<Vec<Bit>>) {
        let mut inside = self.shared.lock();
        inside.groups = Some(groups);
        inside.core.table.pause_at = MANY_NODES;
    }

    /// Lets the order change before every operation.
    pub(crate) fn reorder_always(&self, groups: Vec<Vec<Bit>>) {
        self.reorder(groups);
        self.shared.lock().restless = true;
    }

    /// Keeps the order as it is from now on.
    pub(crate) fn keep_order(&self) {
        let mut inside = self.shared.lock();
        inside.groups = None;
        inside.core.table.pause_at = usize::MAX;
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// How many variables there are.
    pub(crate) fn levels(&self) -> usize {
        self.vars.len()
    }

    /// Where a variable stands in the order.
    pub(crate) fn level(&self, bit: Bit) -> BddLevel {
        self.shared.lock().core.table.levels[bit as usize]
    }

    pub(crate) fn zero(&self) -> Bdd {
        self.zero.clone()
    }

    pub(crate) fn one(&self) -> Bdd {
        self.one.clone()
    }

    pub(crate) fn is_zero(&self, f: &Bdd) -> bool {
        *f == self.zero
    }

    pub(crate) fn is_one(&self, f: &Bdd) -> bool {
        *f == self.one
    }

    pub(crate) fn var(&self, bit: Bit) -> &Bdd {
        &self.vars[bit as usize]
    }

    pub(crate) fn not(&self, f: &Bdd) -> Run<Bdd> {
        let mut inside = self.shared.lock();
        // A complement is one bit of an edge: no node is made, and nothing can run out.
        Ok(self.shared.root(&mut inside, f.0.edge.not()))
    }

    pub(crate) fn and(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        let (f, g) = (f.0.edge, g.0.edge);
        self.run(|core| core.and(f, g))
    }

    pub(crate) fn or(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        let (f, g) = (f.0.edge, g.0.edge);
        self.run(|core| core.or(f, g))
    }

    /// `f` without `g`.
    pub(crate) fn minus(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        let (f, g) = (f.0.edge, g.0.edge);
        self.run(|core| core.and(f, g.not()))
    }

    pub(crate) fn implies(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        let (f, g) = (f.0.edge, g.0.edge);
        self.run(|core| core.or(f.not(), g))
    }

    pub(crate) fn iff(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        let (f, g) = (f.0.edge, g.0.edge);
        self.run(|core| core.xor(f, g.not()))
    }

    pub(crate) fn ite(&self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Run<Bdd> {
        let (f, g, h) = (condition.0.edge, then.0.edge, otherwise.0.edge);
        self.run(|core| core.ite(f, g, h))
    }

    /// The disjunction of many functions.
    pub(crate) fn any(&self, mut functions: Vec<Bdd>) -> Run<Bdd> {
        while functions.len() > 1 {
            // Pairs keep both operands small; a fold from the left would drag one large function along.
            let pairs = functions.chunks(2).map(|pair| match pair {
                [f, g] => self.or(f, g),
                rest => Ok(rest[0].clone()),
            });
            functions = pairs.collect::<Run<_>>()?;
        }
        Ok(functions.pop().unwrap_or_else(|| self.zero()))
    }

    /// The conjunction of literals, each a variable and its value; no variable twice.
    pub(crate) fn cube(&self, literals: impl IntoIterator<Item = (Bit, bool)>) -> Run<Bdd> {
        let literals: Vec<(Bit, bool)> = literals.into_iter().collect();
        self.run(|core| {
            // The order may have changed before the operation begins again, so literals are sorted
            // each time.
            let mut literals = literals.clone();
            literals.sort_by_key(|&(bit, _)| std::cmp::Reverse(core.table.levels[bit as usize]));
            let mut cube = BddEdge::TRUE;
            // From the bottom up each literal is a single node above the cube so far.
            for (bit, value) in literals {
                cube = match value {
                    true => core.table.make(bit, BddEdge::FALSE, cube)?,
                    false => core.table.make(bit, cube, BddEdge::FALSE)?,
                };
            }
            Ok(cube)
        })
    }

    /// `f` with the variables of a cube fixed to their values there.
    pub(crate) fn restrict(&self, f: &Bdd, cube: &Bdd) -> Run<Bdd> {
        let (f, cube) = (f.0.edge, cube.0.edge);
        self.run(|core| core.cofactor(f, cube))
    }

    /// The valuations of some variables that satisfy a function of them, in ascending order, written into
    /// words that are otherwise as given; `None` when there are more than wanted.
    pub(crate) fn list(
        &self,
        f: &Bdd,
        slots: &[RowSlot],
        words: &[u64],
        most: usize,
    ) -> Option<ValuationRows> {
        let inside = self.shared.lock();
        let core = &inside.core;
        let level = |slot: &RowSlot| (core.table.levels[slot.bit as usize], *slot);
        let mut levels: Vec<(BddLevel, RowSlot)> = slots.iter().map(level).collect();
        levels.sort_unstable_by_key(|&(level, _)| level);
        let mut list = ValuationList {
            found: Vec::new(),
            path: words.to_vec(),
            left: most,
        };
        if !self.with_stack(|| core.list(f.0.edge, &levels, &mut list)) {
            return None;
        }
        Some(ValuationRows::in_order(list.found, words.len()))
    }

    /// Quantifies the variables of a cube of positive literals.
    pub(crate) fn exists(&self, f: &Bdd, cube: &Bdd) -> Run<Bdd> {
        let (f, cube) = (f.0.edge, cube.0.edge);
        self.run(|core| core.exists(f, cube))
    }

    /// `exists cube. f & g`, in one go.
    pub(crate) fn and_exists(&self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Run<Bdd> {
        let (f, g, cube) = (f.0.edge, g.0.edge, cube.0.edge);
        self.run(|core| core.and_exists(f, g, cube))
    }

    /// A renaming of each first variable to the second.
    pub(crate) fn renaming(&self, pairs: &[(Bit, Bit)]) -> Renaming {
        let mut inside = self.shared.lock();
        let mut to: Vec<Bit> = (0..self.vars.len() as Bit).collect();
        for &(from, into) in pairs {
            to[from as usize] = into;
        }
        let renamings = &mut inside.core.renamings;
        renamings.push(to);
        Renaming(renamings.len() as u32 - 1)
    }

    pub(crate) fn rename(&self, f: &Bdd, renaming: &Renaming) -> Run<Bdd> {
        let (f, renaming) = (f.0.edge, renaming.0);
        self.run(|core| core.rename(f, renaming))
    }

    /// How many valuations of `vars` variables satisfy `f`, which reads no others.
    pub(crate) fn count(&self, f: &Bdd, vars: usize) -> Run<BigUint> {
        self.budget.check()?;
        let vars = u32::try_from(vars).map_err(|_| Stop::Memory)?;
        let mut inside = self.shared.lock();
        let count = self.with_stack(|| inside.core.count(f.0.edge, vars));
        count.map_err(|halt| match halt {
            BddHalt::Stop(stop) => stop,
            // Counting makes no nodes, so it can neither pause nor find the table full.
            BddHalt::Pause | BddHalt::Full => Stop::Memory,
        })
    }

    /// From now on at most so many steps are taken.
    pub(crate) fn allow(&self, steps: u64) {
        let core = &mut self.shared.lock().core;
        core.most_steps = core.steps.saturating_add(steps);
    }

    /// Whether more steps were asked for than [`Bdds::allow`] allows.
    pub(crate) fn gave_up(&self) -> bool {
        let core = &self.shared.lock().core;
        core.steps > core.most_steps
    }

    /// How many nodes all functions have, with what is garbage by now.
    pub(crate) fn nodes(&self) -> usize {
        self.shared.lock().core.table.used
    }

    /// How many nodes `f` has.
    pub(crate) fn size(&self, f: &Bdd) -> usize {
        self.shared.lock().core.table.size(f.0.edge)
    }

    /// Runs an operation; one that makes many nodes, or too many, begins again without garbage.
    fn run(&self, operation: impl Fn(&mut BddCore) -> Result<BddEdge, BddHalt>) -> Run<Bdd> {
        self.budget.check()?;
        let shared = &self.shared;
        let mut inside = shared.lock();
        let inside = &mut *inside;
        // Until they are counted, handles that are gone only keep garbage alive.
        let many = shared.dropped.lock().map_or(0, |dropped| dropped.len()) > MANY_DROPPED;
        if many {
            shared.count_dropped(inside);
        }
        // Garbage is collected between operations only: results inside a recursion have no handles.
        if inside.restless {
            shared.tidy(inside, 0)?;
        } else if inside.core.table.used >= inside.collect_at {
            shared.tidy(inside, inside.sift_at)?;
        }
        let mut full = false;
        loop {
            match self.with_stack(|| operation(&mut inside.core)) {
                Ok(edge) => return Ok(shared.root(inside, edge)),
                Err(BddHalt::Stop(stop)) => return Err(stop),
                // The operation began without garbage and still does not fit.
                Err(BddHalt::Full) if full => return Err(Stop::Memory),
                Err(BddHalt::Full) => {
                    full = true;
                    shared.tidy(inside, inside.sift_at)?;
                    // Garbage is gone already, so a pause would gain nothing.
                    inside.core.table.pause_at = usize::MAX;
                }
                Err(BddHalt::Pause) => {
                    let before = inside.core.table.pause_at;
                    // An operation that explodes wants a better order even where all functions so
                    // far are small.
                    shared.tidy(inside, FIRST_SIFT)?;
                    // The limit grows by a factor, so an operation begins again only logarithmically often.
                    inside.core.table.pause_at = before.saturating_mul(LONGER);
                }
            }
        }
    }

    /// Runs something that recurses once for each level.
    pub(crate) fn with_stack<R>(&self, operation: impl FnOnce() -> R) -> R {
        stacker::maybe_grow(self.stack, 2 * self.stack, operation)
    }
}

#[cfg(test)]
mod tests;
