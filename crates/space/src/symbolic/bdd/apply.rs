//! Operations on functions: recursion over both ends, with what was found before remembered.
//!
//! After Bryant (1986); conjunction and quantification in one go after Burch, Clarke, Long, McMillan
//! and Dill (1994).

use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Stop};

use super::BddHalt;
use super::cache::{Cache, CacheKey, CacheOp};
use super::rows::RowSlot;
use super::table::{BOTTOM, BddEdge, Bit, UniqueTable};

/// How many results there are between two questions to the budget.
const PATIENCE: u64 = 1 << 12;

type BddResult = Result<BddEdge, BddHalt>;

/// The functions over one list of variables, and the work on them.
#[derive(Debug)]
pub(super) struct BddCore {
    pub(super) table: UniqueTable,
    pub(super) cache: Cache,
    /// For each renaming the new variable of each variable.
    pub(super) renamings: Vec<Vec<Bit>>,
    pub(super) budget: Budget,
    /// How many results there were so far.
    pub(super) steps: u64,
    /// How many there may be.
    pub(super) most_steps: u64,
}

/// Valuations that were found, one after the other, and the one that is being looked at: words of bits.
pub(super) struct ValuationList {
    pub(super) found: Vec<u64>,
    pub(super) path: Vec<u64>,
    /// How many more are wanted.
    pub(super) left: usize,
}

impl BddCore {
    pub(super) fn new(table: UniqueTable, cache: Cache, budget: Budget) -> Self {
        Self {
            table,
            cache,
            renamings: Vec::new(),
            budget,
            steps: 0,
            most_steps: u64::MAX,
        }
    }

    pub(super) fn and(&mut self, f: BddEdge, g: BddEdge) -> BddResult {
        if f == g || g == BddEdge::TRUE {
            return Ok(f);
        }
        if f == BddEdge::TRUE {
            return Ok(g);
        }
        if f == g.not() || f == BddEdge::FALSE || g == BddEdge::FALSE {
            return Ok(BddEdge::FALSE);
        }
        // Conjunction is commutative: with sorted operands both questions share one entry of the cache.
        let (f, g) = (f.min(g), f.max(g));
        let question = CacheKey::new(CacheOp::And, f, g, BddEdge::TRUE);
        if let Some(known) = self.cache.get(question) {
            return Ok(known);
        }
        let (bit, [f, g]) = self.split([f, g]);
        let low = self.and(f.0, g.0)?;
        let high = self.and(f.1, g.1)?;
        self.answer(question, bit, low, high)
    }

    pub(super) fn or(&mut self, f: BddEdge, g: BddEdge) -> BddResult {
        Ok(self.and(f.not(), g.not())?.not())
    }

    pub(super) fn xor(&mut self, f: BddEdge, g: BddEdge) -> BddResult {
        // Complements of operands move to the result, so four questions share one entry of the cache.
        let flag = f.is_complement() != g.is_complement();
        let (f, g) = (f.plain(), g.plain());
        if f == g {
            return Ok(BddEdge::FALSE.not_if(flag));
        }
        let (f, g) = (f.min(g), f.max(g));
        // TRUE is the least plain edge, so after sorting it can only be `f`.
        if f == BddEdge::TRUE {
            return Ok(g.not_if(!flag));
        }
        let question = CacheKey::new(CacheOp::Xor, f, g, BddEdge::TRUE);
        if let Some(known) = self.cache.get(question) {
            return Ok(known.not_if(flag));
        }
        let (bit, [f, g]) = self.split([f, g]);
        let low = self.xor(f.0, g.0)?;
        let high = self.xor(f.1, g.1)?;
        Ok(self.answer(question, bit, low, high)?.not_if(flag))
    }

    /// `g` where `f` is true, `h` elsewhere.
    pub(super) fn ite(&mut self, f: BddEdge, g: BddEdge, h: BddEdge) -> BddResult {
        // The condition becomes a plain edge, and below also the first branch: equal questions get
        // equal keys.
        let (f, g, h) = match f.is_complement() {
            true => (f.not(), h, g),
            false => (f, g, h),
        };
        if f == BddEdge::TRUE || g == h {
            return Ok(g);
        }
        if g == BddEdge::TRUE || g == f {
            return self.or(f, h);
        }
        if g == BddEdge::FALSE || g == f.not() {
            return self.and(f.not(), h);
        }
        if h == BddEdge::FALSE || h == f {
            return self.and(f, g);
        }
        if h == BddEdge::TRUE || h == f.not() {
            return self.or(f.not(), g);
        }
        if g == h.not() {
            return self.xor(f, h);
        }
        let flag = g.is_complement();
        let (g, h) = (g.not_if(flag), h.not_if(flag));
        let question = CacheKey::new(CacheOp::Ite, f, g, h);
        if let Some(known) = self.cache.get(question) {
            return Ok(known.not_if(flag));
        }
        let (bit, [f, g, h]) = self.split([f, g, h]);
        let low = self.ite(f.0, g.0, h.0)?;
        let high = self.ite(f.1, g.1, h.1)?;
        Ok(self.answer(question, bit, low, high)?.not_if(flag))
    }

    /// Quantifies the variables of a conjunction of variables.
    pub(super) fn exists(&mut self, f: BddEdge, cube: BddEdge) -> BddResult {
        if f.is_constant() {
            return Ok(f);
        }
        let level = self.table.level(f);
        // Variables above `f` do not occur in it; without them more questions are equal.
        let cube = self.below(cube, level);
        if cube == BddEdge::TRUE {
            return Ok(f);
        }
        let question = CacheKey::new(CacheOp::Exists, f, cube, BddEdge::TRUE);
        if let Some(known) = self.cache.get(question) {
            return Ok(known);
        }
        let (low, high) = self.table.ends(f);
        if self.table.level(cube) != level {
            let bit = self.table.order[level as usize];
            let low = self.exists(low, cube)?;
            let high = self.exists(high, cube)?;
            return self.answer(question, bit, low, high);
        }
        let rest = self.table.ends(cube).1;
        let low = self.exists(low, rest)?;
        // With one end true the disjunction is decided.
        let any = match low {
            BddEdge::TRUE => BddEdge::TRUE,
            _ => {
                let high = self.exists(high, rest)?;
                self.or(low, high)?
            }
        };
        self.tick()?;
        self.cache.put(question, any);
        Ok(any)
    }

    /// `exists cube. f & g`.
    pub(super) fn and_exists(&mut self, f: BddEdge, g: BddEdge, cube: BddEdge) -> BddResult {
        if f == BddEdge::FALSE || g == BddEdge::FALSE || f == g.not() {
            return Ok(BddEdge::FALSE);
        }
        if f == BddEdge::TRUE || f == g {
            return self.exists(g, cube);
        }
        if g == BddEdge::TRUE {
            return self.exists(f, cube);
        }
        let level = self.table.level(f).min(self.table.level(g));
        let cube = self.below(cube, level);
        if cube == BddEdge::TRUE {
            return self.and(f, g);
        }
        let (f, g) = (f.min(g), f.max(g));
        let question = CacheKey::new(CacheOp::AndExists, f, g, cube);
        if let Some(known) = self.cache.get(question) {
            return Ok(known);
        }
        let (f, g) = (self.table.ends_at(f, level), self.table.ends_at(g, level));
        if self.table.level(cube) != level {
            let bit = self.table.order[level as usize];
            let low = self.and_exists(f.0, g.0, cube)?;
            let high = self.and_exists(f.1, g.1, cube)?;
            return self.answer(question, bit, low, high);
        }
        let rest = self.table.ends(cube).1;
        let low = self.and_exists(f.0, g.0, rest)?;
        // What is true already need not be looked at again.
        // Where `low` is `f.1`, the other end adds nothing: `exists rest. f.1 & g.1` implies `f.1`.
        let any = if low == BddEdge::TRUE || low == f.1 || low == g.1 {
            low
        } else {
            let high = self.and_exists(f.1, g.1, rest)?;
            self.or(low, high)?
        };
        self.tick()?;
        self.cache.put(question, any);
        Ok(any)
    }

    /// The variables of a cube that are not above a level.
    fn below(&self, mut cube: BddEdge, level: u32) -> BddEdge {
        while self.table.level(cube) < level {
            cube = self.table.ends(cube).1;
        }
        cube
    }

    /// A function with other variables.
    pub(super) fn rename(&mut self, f: BddEdge, renaming: u32) -> BddResult {
        if f.is_constant() {
            return Ok(f);
        }
        let flag = f.is_complement();
        let f = f.plain();
        let question = CacheKey::new(CacheOp::Rename, f, BddEdge::TRUE, BddEdge(renaming));
        if let Some(known) = self.cache.get(question) {
            return Ok(known.not_if(flag));
        }
        let bit = self.table.nodes[f.node()].bit;
        let bit = self.renamings[renaming as usize][bit as usize];
        let (low, high) = self.table.ends(f);
        let low = self.rename(low, renaming)?;
        let high = self.rename(high, renaming)?;
        let level = self.table.levels[bit as usize];
        // A renaming that keeps the order costs one node; any other has to move the variable down.
        if level < self.table.level(low).min(self.table.level(high)) {
            return Ok(self.answer(question, bit, low, high)?.not_if(flag));
        }
        let var = self.table.make(bit, BddEdge::FALSE, BddEdge::TRUE)?;
        let result = self.ite(var, high, low)?;
        self.tick()?;
        self.cache.put(question, result);
        Ok(result.not_if(flag))
    }

    /// A function with the variables of a conjunction of literals fixed to what it says.
    pub(super) fn cofactor(&mut self, f: BddEdge, cube: BddEdge) -> BddResult {
        if f.is_constant() {
            return Ok(f);
        }
        let flag = f.is_complement();
        let f = f.plain();
        let level = self.table.level(f);
        let mut cube = cube;
        while self.table.level(cube) < level {
            cube = self.literal(cube).1;
        }
        if cube == BddEdge::TRUE {
            return Ok(f.not_if(flag));
        }
        let question = CacheKey::new(CacheOp::Cofactor, f, cube, BddEdge::TRUE);
        if let Some(known) = self.cache.get(question) {
            return Ok(known.not_if(flag));
        }
        let (low, high) = self.table.ends(f);
        if self.table.level(cube) == level {
            let (value, rest) = self.literal(cube);
            let result = self.cofactor(if value { high } else { low }, rest)?;
            self.tick()?;
            self.cache.put(question, result);
            return Ok(result.not_if(flag));
        }
        let bit = self.table.order[level as usize];
        let low = self.cofactor(low, cube)?;
        let high = self.cofactor(high, cube)?;
        Ok(self.answer(question, bit, low, high)?.not_if(flag))
    }

    /// The value of the first variable of a conjunction of literals, and the rest of it.
    fn literal(&self, cube: BddEdge) -> (bool, BddEdge) {
        let (low, high) = self.table.ends(cube);
        // One end of a cube is FALSE, the other is the rest of it.
        match low == BddEdge::FALSE {
            true => (true, high),
            false => (false, low),
        }
    }

    /// The valuations of some variables, given from the top down with the places of their values, that satisfy
    /// a function of them; whether there are no more than wanted.
    pub(super) fn list(
        &self,
        f: BddEdge,
        slots: &[(u32, RowSlot)],
        list: &mut ValuationList,
    ) -> bool {
        if f == BddEdge::FALSE {
            return true;
        }
        let Some((&(level, slot), below)) = slots.split_first() else {
            if list.left == 0 {
                return false;
            }
            list.left -= 1;
            list.found.extend_from_slice(&list.path);
            return true;
        };
        let (low, high) = self.table.ends_at(f, level);
        if !self.list(low, below, list) {
            return false;
        }
        slot.write(&mut list.path, true);
        let complete = self.list(high, below, list);
        slot.write(&mut list.path, false);
        complete
    }

    /// How many valuations of `vars` variables satisfy a function that reads no others.
    pub(super) fn count(&mut self, f: BddEdge, vars: u32) -> Result<BigUint, BddHalt> {
        let all = BigUint::from(1u8) << vars;
        let mut known = FxHashMap::default();
        self.count_in(f, &all, &mut known)
    }

    /// Each node counts as if it stood at the top: halves of its ends' numbers.
    fn count_in(
        &mut self,
        f: BddEdge,
        all: &BigUint,
        known: &mut FxHashMap<usize, BigUint>,
    ) -> Result<BigUint, BddHalt> {
        let plain = match (f.is_constant(), known.get(&f.node())) {
            (true, _) => all.clone(),
            (_, Some(count)) => count.clone(),
            (_, None) => {
                self.tick()?;
                let (low, high) = self.table.ends(f.plain());
                let low = self.count_in(low, all, known)?;
                let high = self.count_in(high, all, known)?;
                // Neither end reads this variable, so both numbers are even and halving is exact.
                let count = (low + high) >> 1u8;
                known.insert(f.node(), count.clone());
                count
            }
        };
        Ok(match f.is_complement() {
            true => all - plain,
            false => plain,
        })
    }

    /// The first variable that any of some functions asks, and their ends there.
    fn split<const N: usize>(&self, functions: [BddEdge; N]) -> (Bit, [(BddEdge, BddEdge); N]) {
        let levels = functions.map(|f| self.table.level(f));
        let top = levels.into_iter().min().unwrap_or(BOTTOM);
        let ends = functions.map(|f| self.table.ends_at(f, top));
        // Callers have dealt with constants, so one of the functions has a level.
        (self.table.order[top as usize], ends)
    }

    fn answer(&mut self, question: CacheKey, bit: Bit, low: BddEdge, high: BddEdge) -> BddResult {
        let result = self.table.make(bit, low, high)?;
        self.tick()?;
        self.cache.put(question, result);
        Ok(result)
    }

    fn tick(&mut self) -> Result<(), BddHalt> {
        self.steps += 1;
        if self.steps.is_multiple_of(PATIENCE) {
            self.cache.fit(self.table.used);
            self.budget.worked(PATIENCE);
            self.budget.check()?;
            if self.steps > self.most_steps {
                return Err(BddHalt::Stop(Stop::TimeOut));
            }
        }
        Ok(())
    }
}
