//! Runs that count and stay somewhere for ever, or come back again and again, in the product of a system
//! with its monitor.

use fixedbitset::FixedBitSet;
use wherefore_base::{Budget, Run};
use wherefore_logic::Fairness;
use wherefore_model::lts::Reversed;
use wherefore_space::explicit::fair_part;

use crate::paths::Paths;
use crate::tagged::Product;

/// Asks for endless runs of a product, and for those that end where runs may end.
pub(crate) struct Endless<'a> {
    product: &'a Product<'a>,
    back: &'a Reversed,
    budget: &'a Budget,
    /// The product as rows of successors.
    starts: Vec<u32>,
    items: Vec<u32>,
    fairness: Fairness<FixedBitSet>,
    /// Where a run ends that counts, or leaves what the monitor watches.
    ends: Vec<bool>,
}

impl<'a> Endless<'a> {
    pub(crate) fn new(
        product: &'a Product<'a>,
        back: &'a Reversed,
        paths: &Paths,
        budget: &'a Budget,
    ) -> Run<Self> {
        let mut meter = budget.meter();
        let count = product.found.len();
        let (mut starts, mut items) = (vec![0u32], Vec::new());
        let mut ends = Vec::with_capacity(count);
        for node in 0..count {
            meter.tick()?;
            let start = items.len();
            items.extend(product.after(node).flatten());
            items[start..].sort_unstable();
            let mut kept = start;
            for at in start..items.len() {
                if at == start || items[at] != items[kept - 1] {
                    items[kept] = items[at];
                    kept += 1;
                }
            }
            items.truncate(kept);
            starts.push(items.len() as u32);
            let steps = product.lts.steps(product.found[node].state);
            let dead = steps.is_empty() && paths.may_end;
            ends.push(dead || product.after(node).any(|to| to.is_none()));
        }
        let lifted = |states: &FixedBitSet| -> Run<FixedBitSet> {
            budget.check()?;
            let pairs = product.found.iter();
            Ok(set(pairs.map(|pair| states.contains(pair.state.index()))))
        };
        let fairness = paths.fairness.try_map(lifted)?;
        Ok(Self {
            product,
            back,
            budget,
            starts,
            items,
            fairness,
            ends,
        })
    }

    /// Where some run that counts comes, through pairs of `through` only, to stay in `stay` for ever.
    pub(crate) fn staying(&self, stay: &[bool], through: Option<&[bool]>) -> Run<Vec<bool>> {
        let recurring = self.part(stay, &self.fairness)?;
        let goals = (0..stay.len())
            .map(|node| recurring.contains(node) || stay[node] && self.ends[node])
            .collect();
        self.product
            .possible(self.back, goals, through, self.budget)
    }

    /// Where some run that counts comes to pairs of a set again and again, or ends in one.
    pub(crate) fn recurring(&self, again: &[bool]) -> Run<Vec<bool>> {
        let mut fairness = self.fairness.clone();
        fairness.justice.push(set(again.iter().copied()));
        let recurring = self.part(&vec![true; again.len()], &fairness)?;
        let goals = (0..again.len())
            .map(|node| recurring.contains(node) || again[node] && self.ends[node])
            .collect();
        self.product.possible(self.back, goals, None, self.budget)
    }

    fn part(&self, stay: &[bool], fairness: &Fairness<FixedBitSet>) -> Run<FixedBitSet> {
        let stay = set(stay.iter().copied());
        let (starts, items) = (self.starts.clone(), self.items.clone());
        fair_part(starts, items, &stay, fairness, self.budget)
    }
}

fn set(members: impl ExactSizeIterator<Item = bool>) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(members.len());
    set.extend(members.enumerate().filter(|m| m.1).map(|m| m.0));
    set
}
