//! Reductions: a smaller system that behaves the same, in a stated sense.
//!
//! | reduction | keeps |
//! |---|---|
//! | [`Reduction::Strong`] | everything: the result is strongly bisimilar |
//! | [`Reduction::TauA`] | what can be seen, branch by branch: safety over visible labels, not deadlocks or divergence |
//! | [`Reduction::WeakTrace`] | the set of visible traces |
//!
//! States of a result are numbered breadth first in the order of labels, so that the same system gives
//! the same result, and a result reduced again is itself. Labels without a transition are dropped.

mod determinise;
mod partition;
mod quotient;
mod strong;
mod tau;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use wherefore_base::Budget;
use wherefore_model::lts::Lts;

use crate::LtsHalt;

pub use quotient::reachable;
pub(crate) use quotient::{dedup_from, reachable_from, with_used_labels};

/// A way to make a system smaller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reduction {
    /// One state for each class of strong bisimilarity (Milner, 1989), internal steps taken as any
    /// others.
    Strong,
    /// `s --a--> t` wherever internal steps and then a visible `a` lead from `s` to `t`; no internal steps;
    /// then strong (Bouajjani, Fernandez, Graf, Rodriguez and Sifakis, 1991).
    TauA,
    /// The smallest deterministic system with the same visible traces.
    WeakTrace,
}

impl Reduction {
    /// All of them.
    pub const ALL: [Reduction; 3] = [Reduction::Strong, Reduction::TauA, Reduction::WeakTrace];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Strong => "strong",
            Reduction::TauA => "tau-a",
            Reduction::WeakTrace => "weak-trace",
        }
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reduction {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Reduction::ALL.into_iter();
        let found = all.find(|reduction| reduction.name() == text);
        found.ok_or_else(|| "take strong, tau-a or weak-trace".to_string())
    }
}

/// The reachable part of a system, reduced.
///
/// # Errors
/// When the budget ends first, or the result does not fit 32 bits: the determinisation of
/// [`Reduction::WeakTrace`] can be exponential.
pub fn reduce(lts: &Lts, reduction: Reduction, budget: &Budget) -> Result<Lts, LtsHalt> {
    budget.phase("reducing the system");
    match reduction {
        Reduction::Strong => strong(lts, budget),
        Reduction::TauA => tau_a(lts, budget),
        Reduction::WeakTrace => {
            // Without internal steps the sets of states need no closure.
            let visible = tau_a(lts, budget)?;
            let deterministic = determinise::determinise(&visible, budget)?;
            strong(&deterministic, budget)
        }
    }
}

fn strong(lts: &Lts, budget: &Budget) -> Result<Lts, LtsHalt> {
    let lts = reachable(lts, budget)?;
    let classes = strong::classes(&lts, budget)?;
    Ok(quotient::quotient(&lts, &classes, budget)?)
}

/// Bisimilar states are merged first: what is left to saturate is smaller, and means the same.
fn tau_a(lts: &Lts, budget: &Budget) -> Result<Lts, LtsHalt> {
    let small = strong(lts, budget)?;
    if !small.labels().iter().any(|label| label.internal) {
        return Ok(small);
    }
    strong(&tau::saturate(&small, budget)?, budget)
}
