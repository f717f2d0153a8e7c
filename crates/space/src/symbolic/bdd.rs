//! Binary decision diagrams behind a thin wall: this module alone knows the library that provides
//! them.
//!
//! Variables are named by their level, 0 at the top. Operations ask the budget first, collect
//! garbage when it is due, and report a full node table as [`Stop::Memory`].

use std::sync::atomic::{AtomicUsize, Ordering};

use num_bigint::BigUint;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager,
    ManagerRef, Subst,
};
use rustc_hash::FxBuildHasher;
use wherefore_base::{Budget, Run, Stop};

/// The level of a variable.
pub(crate) type Level = u32;

/// A Boolean function; equal functions are equal handles.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(BCDDFunction);

impl Bdd {
    /// The value of the function where variables have these values and all others are false.
    pub(crate) fn eval(&self, values: impl IntoIterator<Item = (Level, bool)>) -> bool {
        self.0.eval(values)
    }

    /// The level of the first variable the function reads; `None` for a constant.
    pub(crate) fn level(&self) -> Option<Level> {
        let level = self
            .0
            .with_manager_shared(|manager, edge| manager.get_node(edge).level());
        (level != Level::MAX).then_some(level)
    }

    /// The function where the variable of this level is false, and where it is true; `None` unless it
    /// is the first variable the function reads.
    pub(crate) fn split(&self, level: Level) -> Option<(Bdd, Bdd)> {
        if self.level() != Some(level) {
            return None;
        }
        let (with, without) = self.0.cofactors()?;
        Some((Bdd(without), Bdd(with)))
    }

    /// Whether the function is true anywhere.
    pub(crate) fn satisfiable(&self) -> bool {
        self.0.satisfiable()
    }
}

impl std::fmt::Debug for Bdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bdd({} nodes)", self.0.node_count())
    }
}

/// A renaming of variables.
pub(crate) struct Renaming(Subst<BCDDFunction>);

/// Bytes that one node takes, with its share of the tables.
const NODE_BYTES: usize = 40;
/// The memory for nodes when the budget does not say.
const DEFAULT_BYTES: usize = 1_500_000_000;
/// Garbage is not worth collecting below this many nodes.
const FEW_NODES: usize = 1 << 20;
/// Stack that recursion takes at one level, generously.
const STACK_PER_LEVEL: usize = 1024;

/// All functions over one list of variables.
pub(crate) struct Bdds {
    manager: BCDDManagerRef,
    budget: Budget,
    zero: Bdd,
    one: Bdd,
    vars: Vec<Bdd>,
    /// Collect garbage when there are this many nodes.
    collect_at: AtomicUsize,
    stack: usize,
}

impl Bdds {
    /// Functions over this many variables.
    pub(crate) fn new(levels: usize, budget: &Budget) -> Run<Self> {
        let half = budget.memory().map_or(DEFAULT_BYTES, |bytes| bytes / 2);
        let nodes = (half.min(DEFAULT_BYTES) / NODE_BYTES).max(1 << 12);
        let cache: usize = match levels {
            0..=32 => 1 << 13,
            33..=96 => 1 << 17,
            _ => 1 << 21,
        };
        let manager = oxidd::bcdd::new_manager(nodes, cache.min(nodes), 1);
        let count = Level::try_from(levels).map_err(|_| Stop::Memory)?;
        manager.with_manager_exclusive(|manager| manager.add_vars(count));
        let (zero, one) = manager.with_manager_shared(|manager| {
            let constant = |one| match one {
                false => BCDDFunction::f(manager),
                true => BCDDFunction::t(manager),
            };
            (Bdd(constant(false)), Bdd(constant(true)))
        });
        let vars = manager.with_manager_shared(|manager| {
            let var = |level| BCDDFunction::var(manager, level).map(Bdd);
            (0..count).map(var).collect::<AllocResult<Vec<_>>>()
        });
        Ok(Self {
            manager,
            budget: budget.clone(),
            zero,
            one,
            vars: vars.map_err(|_| Stop::Memory)?,
            collect_at: AtomicUsize::new(FEW_NODES.min(nodes / 2)),
            stack: (levels * STACK_PER_LEVEL).max(256 * 1024),
        })
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// How many variables there are.
    pub(crate) fn levels(&self) -> usize {
        self.vars.len()
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

    pub(crate) fn var(&self, level: Level) -> &Bdd {
        &self.vars[level as usize]
    }

    pub(crate) fn not(&self, f: &Bdd) -> Run<Bdd> {
        self.run(|| f.0.not())
    }

    pub(crate) fn and(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        self.run(|| f.0.and(&g.0))
    }

    pub(crate) fn or(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        self.run(|| f.0.or(&g.0))
    }

    /// `f` without `g`.
    pub(crate) fn minus(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        self.run(|| g.0.imp_strict(&f.0))
    }

    pub(crate) fn implies(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        self.run(|| f.0.imp(&g.0))
    }

    pub(crate) fn iff(&self, f: &Bdd, g: &Bdd) -> Run<Bdd> {
        self.run(|| f.0.equiv(&g.0))
    }

    pub(crate) fn ite(&self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Run<Bdd> {
        self.run(|| condition.0.ite(&then.0, &otherwise.0))
    }

    /// The disjunction of many functions.
    pub(crate) fn any(&self, mut functions: Vec<Bdd>) -> Run<Bdd> {
        while functions.len() > 1 {
            let pairs = functions.chunks(2).map(|pair| match pair {
                [f, g] => self.or(f, g),
                rest => Ok(rest[0].clone()),
            });
            functions = pairs.collect::<Run<_>>()?;
        }
        Ok(functions.pop().unwrap_or_else(|| self.zero()))
    }

    /// The conjunction of literals, each a variable and its value.
    pub(crate) fn cube(&self, literals: impl IntoIterator<Item = (Level, bool)>) -> Run<Bdd> {
        let mut literals: Vec<_> = literals.into_iter().collect();
        literals.sort_unstable();
        let mut cube = self.one();
        for (level, value) in literals.into_iter().rev() {
            let var = self.var(level);
            cube = match value {
                true => self.and(var, &cube)?,
                false => self.minus(&cube, var)?,
            };
        }
        Ok(cube)
    }

    /// `f` with the variables of a cube fixed to their values there.
    pub(crate) fn restrict(&self, f: &Bdd, cube: &Bdd) -> Run<Bdd> {
        self.run(|| f.0.restrict(&cube.0))
    }

    /// Quantifies the variables of a cube of positive literals.
    pub(crate) fn exists(&self, f: &Bdd, cube: &Bdd) -> Run<Bdd> {
        self.run(|| f.0.exists(&cube.0))
    }

    /// `exists cube. f & g`, in one go.
    pub(crate) fn and_exists(&self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Run<Bdd> {
        self.run(|| f.0.apply_exists(BooleanOperator::And, &g.0, &cube.0))
    }

    /// A renaming of each first variable to the second.
    pub(crate) fn renaming(&self, pairs: &[(Level, Level)]) -> Renaming {
        let from = pairs.iter().map(|&(from, _)| from).collect();
        let to = pairs
            .iter()
            .map(|&(_, to)| self.var(to).0.clone())
            .collect();
        Renaming(Subst::new(from, to))
    }

    pub(crate) fn rename(&self, f: &Bdd, renaming: &Renaming) -> Run<Bdd> {
        self.run(|| f.0.substitute(&renaming.0))
    }

    /// How many valuations of `vars` variables satisfy `f`, which reads no others.
    pub(crate) fn count(&self, f: &Bdd, vars: usize) -> Run<BigUint> {
        self.budget.check()?;
        let mut cache = SatCountCache::<BigUint, FxBuildHasher>::default();
        let vars = Level::try_from(vars).map_err(|_| Stop::Memory)?;
        Ok(self.with_stack(|| f.0.sat_count(vars, &mut cache)))
    }

    /// How many nodes `f` has.
    pub(crate) fn size(&self, f: &Bdd) -> usize {
        self.with_stack(|| f.0.node_count())
    }

    /// Runs an operation; a full node table gets one more try without garbage.
    fn run(&self, operation: impl Fn() -> AllocResult<BCDDFunction>) -> Run<Bdd> {
        self.budget.check()?;
        self.manager.with_manager_shared(|manager| {
            if manager.approx_num_inner_nodes() >= self.collect_at.load(Ordering::Relaxed) {
                manager.gc();
                let left = manager.num_inner_nodes();
                let next = FEW_NODES.max(3 * left);
                self.collect_at.store(next, Ordering::Relaxed);
            }
        });
        let result = self.with_stack(&operation).or_else(|_| {
            self.manager.with_manager_shared(|manager| manager.gc());
            self.with_stack(&operation)
        });
        result.map(Bdd).map_err(|_| Stop::Memory)
    }

    /// Runs something that recurses once for each level.
    pub(crate) fn with_stack<R>(&self, operation: impl FnOnce() -> R) -> R {
        stacker::maybe_grow(self.stack, 2 * self.stack, operation)
    }
}
