//! Natural numbers on states, as decision diagrams with numbers at their leaves.
//!
//! Such diagrams (Bahar, Frohm, Gaona, Hachtel, Macii, Pardo and Somenzi 1993; Clarke, Fujita and
//! Zhao 1996) are to numbers what binary decision diagrams are to sets: equal parts are shared, so
//! numbers on 10^30 states take a few nodes when few of them differ. A value here owns its nodes;
//! every operation makes a new one and has a limit, which is a count of nodes. Nodes name variables
//! by their levels, so the order must not change any more once there are numbers.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use wherefore_base::{Meter, Stop};

use super::bdd::{Bdd, BddLevel, Bdds, Bit};

/// At most so many nodes make up the numbers.
const MOST_NODES: usize = 1 << 20;
/// At most so many pairs of nodes are looked at to make them.
const MOST_PAIRS: usize = 1 << 22;

/// A leaf or a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum At {
    /// A number, by its place among the leaves.
    Leaf(u32),
    /// A node, by its place among the nodes.
    Node(u32),
}

/// The number is that of `low` where the variable is false, and that of `high` where it is true.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct MtbddNode {
    level: BddLevel,
    low: At,
    high: At,
}

/// Natural numbers on valuations of Boolean variables.
///
/// Invariant: no two leaves have the same number, no two nodes are equal, no node has two equal ends,
/// ends have higher levels, and leaf 0 is zero.
#[derive(Clone, Debug)]
pub struct Mtbdd {
    nodes: Vec<MtbddNode>,
    leaves: Vec<BigUint>,
    root: At,
}

/// Why numbers were not worked out.
pub(super) enum MtbddHalt {
    /// They take too many nodes.
    TooMany,
    /// The budget ended.
    Stop(Stop),
}

impl From<Stop> for MtbddHalt {
    fn from(stop: Stop) -> Self {
        MtbddHalt::Stop(stop)
    }
}

type MtbddWork<T> = Result<T, MtbddHalt>;

impl Mtbdd {
    /// One wherever a function is true, zero elsewhere.
    pub(super) fn ones(bdds: &Bdds, set: &Bdd) -> MtbddWork<Self> {
        let mut making = MtbddBuilder::new(bdds);
        let one = making.leaf(BigUint::from(1u8));
        let source = Self {
            nodes: vec![],
            leaves: making.leaves.clone(),
            root: one,
        };
        source.times(bdds, set, &Gone::new(bdds, &[]))
    }

    /// The numbers where a function is true and zero elsewhere, summed over both values of each
    /// variable that goes.
    pub(super) fn times(&self, bdds: &Bdds, function: &Bdd, gone: &Gone) -> MtbddWork<Self> {
        bdds.with_stack(|| {
            let mut product = MtbddProduct {
                source: self,
                gone,
                known: FxHashMap::default(),
                making: MtbddBuilder::new(bdds),
            };
            let core = product.of(self.root, function)?;
            let top = product.top(self.root, function);
            // Each variable above the first one that is read doubles all numbers when it is summed over.
            let root = product.making.doubled(core, gone.between(0, top))?;
            Ok(product.making.done(root))
        })
    }

    /// The same numbers with each variable renamed to the one right below.
    pub(super) fn one_level_down(&self) -> Self {
        let mut shifted = self.clone();
        for node in &mut shifted.nodes {
            // In every order the bit of the next state stands right below that of the present state.
            node.level += 1;
        }
        shifted
    }

    /// The sum of both numbers everywhere.
    pub(super) fn plus(&self, bdds: &Bdds, other: &Self) -> MtbddWork<Self> {
        bdds.with_stack(|| {
            let mut making = MtbddBuilder::new(bdds);
            let (a, b) = (making.copy(self)?, making.copy(other)?);
            let root = making.sum(a, b)?;
            Ok(making.done(root))
        })
    }

    /// The number, when it is the same everywhere.
    pub(super) fn constant(&self) -> Option<&BigUint> {
        match self.root {
            At::Leaf(leaf) => Some(&self.leaves[leaf as usize]),
            At::Node(_) => None,
        }
    }
}

/// The variables that are summed over.
pub(super) struct Gone {
    /// How many of them are above each level, and after the last how many there are.
    above: Vec<u32>,
}

impl Gone {
    pub(super) fn new(bdds: &Bdds, bits: &[Bit]) -> Self {
        let mut above = vec![0; bdds.levels() + 1];
        for &bit in bits {
            above[bdds.level(bit) as usize + 1] += 1;
        }
        for level in 1..above.len() {
            above[level] += above[level - 1];
        }
        Self { above }
    }

    fn contains(&self, level: BddLevel) -> bool {
        self.between(level, level + 1) == 1
    }

    /// How many of them are at levels from `first` on and above `end`.
    fn between(&self, first: BddLevel, end: BddLevel) -> u32 {
        let last = self.above.len() - 1;
        self.above[(end as usize).min(last)] - self.above[(first as usize).min(last)]
    }
}

/// Numbers times a function, with variables summed over.
struct MtbddProduct<'a> {
    source: &'a Mtbdd,
    gone: &'a Gone,
    known: FxHashMap<(At, Bdd), At>,
    making: MtbddBuilder,
}

impl MtbddProduct<'_> {
    /// The level of the first variable that the numbers or the function read.
    fn top(&self, at: At, function: &Bdd) -> BddLevel {
        let level = function.level().unwrap_or(BddLevel::MAX);
        level_of(&self.source.nodes, at).min(level)
    }

    /// The product from its first variable on: variables above it are not summed over.
    fn of(&mut self, at: At, function: &Bdd) -> MtbddWork<At> {
        if at == MtbddBuilder::ZERO || !function.satisfiable() {
            return Ok(MtbddBuilder::ZERO);
        }
        let level = self.top(at, function);
        if level == BddLevel::MAX {
            let At::Leaf(leaf) = at else {
                unreachable!("a node has a level")
            };
            let number = self.source.leaves[leaf as usize].clone();
            return Ok(self.making.leaf(number));
        }
        let key = (at, function.clone());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.making.meter.tick()?;
        if self.known.len() >= MOST_PAIRS {
            return Err(MtbddHalt::TooMany);
        }
        let (low, high) = ends_of(&self.source.nodes, at, level);
        let (without, with) = match function.split(level) {
            Some((without, with)) => (without, with),
            None => (function.clone(), function.clone()),
        };
        let low = self.below(level, low, &without)?;
        let high = self.below(level, high, &with)?;
        let result = match self.gone.contains(level) {
            true => self.making.sum(low, high)?,
            false => self.making.node(level, low, high)?,
        };
        self.known.insert(key, result);
        Ok(result)
    }

    /// The product below a level, summed over all variables there that go.
    fn below(&mut self, level: BddLevel, at: At, function: &Bdd) -> MtbddWork<At> {
        let core = self.of(at, function)?;
        // Nothing reads the variables in between, so each of them that is summed over doubles the numbers.
        let skipped = self
            .gone
            .between(level.saturating_add(1), self.top(at, function));
        self.making.doubled(core, skipped)
    }
}

/// Numbers in the making.
struct MtbddBuilder {
    nodes: Vec<MtbddNode>,
    leaves: Vec<BigUint>,
    unique: FxHashMap<MtbddNode, u32>,
    places: FxHashMap<BigUint, u32>,
    sums: FxHashMap<(At, At), At>,
    doubled: FxHashMap<(At, u32), At>,
    meter: Meter,
}

impl MtbddBuilder {
    const ZERO: At = At::Leaf(0);

    fn new(bdds: &Bdds) -> Self {
        let mut making = Self {
            nodes: vec![],
            leaves: vec![],
            unique: FxHashMap::default(),
            places: FxHashMap::default(),
            sums: FxHashMap::default(),
            doubled: FxHashMap::default(),
            meter: bdds.budget().meter(),
        };
        making.leaf(BigUint::ZERO);
        making
    }

    fn done(self, root: At) -> Mtbdd {
        Mtbdd {
            nodes: self.nodes,
            leaves: self.leaves,
            root,
        }
    }

    fn leaf(&mut self, number: BigUint) -> At {
        if let Some(&place) = self.places.get(&number) {
            return At::Leaf(place);
        }
        let place = self.leaves.len() as u32;
        self.leaves.push(number.clone());
        self.places.insert(number, place);
        At::Leaf(place)
    }

    fn node(&mut self, level: BddLevel, low: At, high: At) -> MtbddWork<At> {
        if low == high {
            return Ok(low);
        }
        let node = MtbddNode { level, low, high };
        if let Some(&place) = self.unique.get(&node) {
            return Ok(At::Node(place));
        }
        if self.nodes.len() + self.leaves.len() >= MOST_NODES {
            return Err(MtbddHalt::TooMany);
        }
        let place = self.nodes.len() as u32;
        self.nodes.push(node);
        self.unique.insert(node, place);
        Ok(At::Node(place))
    }

    fn copy(&mut self, weights: &Mtbdd) -> MtbddWork<At> {
        let mut copied = Vec::with_capacity(weights.nodes.len());
        let end = |making: &mut Self, copied: &[At], at: At| match at {
            At::Leaf(leaf) => making.leaf(weights.leaves[leaf as usize].clone()),
            At::Node(node) => copied[node as usize],
        };
        // Ends are made before the nodes that lead to them.
        for node in &weights.nodes {
            self.meter.tick()?;
            let low = end(self, &copied, node.low);
            let high = end(self, &copied, node.high);
            let node = self.node(node.level, low, high)?;
            copied.push(node);
        }
        Ok(end(self, &copied, weights.root))
    }

    fn sum(&mut self, a: At, b: At) -> MtbddWork<At> {
        match (a, b) {
            (Self::ZERO, other) | (other, Self::ZERO) => return Ok(other),
            (At::Leaf(a), At::Leaf(b)) => {
                let sum = &self.leaves[a as usize] + &self.leaves[b as usize];
                return Ok(self.leaf(sum));
            }
            _ => {}
        }
        if let Some(&sum) = self.sums.get(&(a, b)) {
            return Ok(sum);
        }
        self.meter.tick()?;
        if self.sums.len() >= MOST_PAIRS {
            return Err(MtbddHalt::TooMany);
        }
        let level = level_of(&self.nodes, a).min(level_of(&self.nodes, b));
        let ((a_low, a_high), (b_low, b_high)) = (
            ends_of(&self.nodes, a, level),
            ends_of(&self.nodes, b, level),
        );
        let low = self.sum(a_low, b_low)?;
        let high = self.sum(a_high, b_high)?;
        let sum = self.node(level, low, high)?;
        self.sums.insert((a, b), sum);
        // Sums are commutative, so both questions are answered.
        self.sums.insert((b, a), sum);
        Ok(sum)
    }

    /// A number of times doubled.
    fn doubled(&mut self, at: At, times: u32) -> MtbddWork<At> {
        if times == 0 || at == Self::ZERO {
            return Ok(at);
        }
        let node = match at {
            At::Leaf(leaf) => {
                let number = &self.leaves[leaf as usize] << times;
                return Ok(self.leaf(number));
            }
            At::Node(node) => self.nodes[node as usize],
        };
        if let Some(&known) = self.doubled.get(&(at, times)) {
            return Ok(known);
        }
        self.meter.tick()?;
        let low = self.doubled(node.low, times)?;
        let high = self.doubled(node.high, times)?;
        let result = self.node(node.level, low, high)?;
        self.doubled.insert((at, times), result);
        Ok(result)
    }
}

/// The level of the variable that a node asks about; leaves are below all.
fn level_of(nodes: &[MtbddNode], at: At) -> BddLevel {
    match at {
        At::Leaf(_) => BddLevel::MAX,
        At::Node(node) => nodes[node as usize].level,
    }
}

/// Where a node leads if the variable at a level is false, and if it is true.
fn ends_of(nodes: &[MtbddNode], at: At, level: BddLevel) -> (At, At) {
    match at {
        At::Node(node) if nodes[node as usize].level == level => {
            let MtbddNode { low, high, .. } = nodes[node as usize];
            (low, high)
        }
        _ => (at, at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_base::Budget;

    fn made(work: MtbddWork<Mtbdd>) -> Mtbdd {
        work.unwrap_or_else(|_| panic!("there is no limit in sight"))
    }

    #[test]
    fn sums_over_variables_count_those_that_nobody_reads() {
        let bdds = Bdds::new(6, &Budget::unlimited()).expect("there is memory");
        let set = bdds.or(bdds.var(1), bdds.var(4)).expect("no limit");
        let weights = made(Mtbdd::ones(&bdds, &set));
        let all = Gone::new(&bdds, &[0, 1, 2, 3, 4, 5]);
        let total = made(weights.times(&bdds, &bdds.one(), &all));
        assert_eq!(total.constant(), Some(&BigUint::from(48u8)));
        // Over 0, 1 and 5: where 4 is true 8, elsewhere 4.
        let some = made(weights.times(&bdds, &bdds.one(), &Gone::new(&bdds, &[0, 1, 5])));
        assert_eq!(some.constant(), None);
        let rest = made(some.times(&bdds, bdds.var(4), &Gone::new(&bdds, &[4])));
        assert_eq!(rest.constant(), Some(&BigUint::from(8u8)));
    }

    #[test]
    fn a_sum_is_taken_point_by_point() {
        let bdds = Bdds::new(4, &Budget::unlimited()).expect("there is memory");
        let (a, b) = (bdds.var(0), bdds.var(2));
        let sum = made(Mtbdd::ones(&bdds, a)).plus(&bdds, &made(Mtbdd::ones(&bdds, b)));
        let sum = made(sum);
        let both = bdds.and(a, b).expect("no limit");
        let gone = Gone::new(&bdds, &[0, 2]);
        let there = made(sum.times(&bdds, &both, &gone));
        assert_eq!(there.constant(), Some(&BigUint::from(2u8)));
        let all = made(sum.times(&bdds, &bdds.one(), &gone));
        assert_eq!(all.constant(), Some(&BigUint::from(4u8)));
        let below = made(sum.one_level_down().times(
            &bdds,
            bdds.var(1),
            &Gone::new(&bdds, &[1, 3]),
        ));
        assert_eq!(below.constant(), Some(&BigUint::from(3u8)));
    }
}
