//! Overflow that is forbidden: where formulas stand, and what becomes of those whose operands overflow.

use super::RelEvaluator;
use crate::terms::RelVarId;

/// Where a formula stands. It matters where overflow is forbidden.
#[derive(Clone, Copy)]
pub(super) struct OverflowStanding {
    /// Below an even number of negations.
    pub(super) positive: bool,
    /// Below an odd number of `not`.
    pub(super) denied: bool,
    /// Existential variables are functions of so many universal ones, if they are.
    pub(super) around: Option<usize>,
}

impl OverflowStanding {
    /// For what is required.
    pub(super) const TOP: Self = Self {
        positive: true,
        denied: false,
        around: Some(0),
    };

    /// Within sets and integers.
    pub(super) fn inner(denied: bool) -> Self {
        Self {
            denied,
            around: None,
            ..Self::TOP
        }
    }

    pub(super) fn opposed(self) -> Self {
        Self {
            positive: !self.positive,
            ..self
        }
    }

    pub(super) fn negated(self) -> Self {
        Self {
            denied: !self.denied,
            ..self.opposed()
        }
    }

    /// For a part; `all` says that all of them must hold.
    pub(super) fn part(self, all: bool) -> Self {
        Self {
            around: self.around.filter(|_| all == self.positive),
            ..self
        }
    }
}

impl RelEvaluator<'_> {
    /// The value of an atomic formula whose operands may have overflowed; `behind` has the variables that count for one.
    pub(super) fn settle<I: Copy, const N: usize>(
        &self,
        value: bool,
        operands: [(bool, I); N],
        behind: impl Fn(I) -> Vec<RelVarId>,
    ) -> bool {
        let over = operands.iter().filter(|(over, _)| *over);
        let told = over.map(|&(_, operand)| self.universal(&behind(operand)) != self.denied);
        told.reduce(|a, b| a && b).unwrap_or(value)
    }

    /// Whether the innermost integer variable behind an operand is universal. For variables that are functions of
    /// others, these count.
    fn universal(&self, behind: &[RelVarId]) -> bool {
        let mut inwards = (0..self.scope.len()).rev();
        let mut lifted = false;
        let innermost = inwards.find(|&at| {
            let scoped = &self.scope[at];
            let mut later = self.scope[at + 1..].iter();
            let hidden = later.any(|later| later.variable == scoped.variable);
            let used = behind.contains(&scoped.variable) && !hidden;
            lifted |= used && scoped.lifted;
            scoped.integer && !scoped.lifted && (used || lifted)
        });
        innermost.is_some_and(|at| self.scope[at].universal)
    }
}
