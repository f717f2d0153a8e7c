//! Fairness constraints: which infinite paths count.

/// Fairness constraints over some kind of condition (a term, a set of states).
///
/// A path is fair when every `justice` condition is true infinitely often along it, and for every
/// `compassion` pair `(p, q)`: if `p` is true infinitely often, then so is `q`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fairness<C> {
    /// Conditions that must be true infinitely often.
    pub justice: Vec<C>,
    /// Pairs: infinitely often the first implies infinitely often the second.
    pub compassion: Vec<(C, C)>,
}

impl<C> Default for Fairness<C> {
    fn default() -> Self {
        Self {
            justice: Vec::new(),
            compassion: Vec::new(),
        }
    }
}

impl<C> Fairness<C> {
    /// Whether every infinite path is fair.
    pub fn is_empty(&self) -> bool {
        self.justice.is_empty() && self.compassion.is_empty()
    }

    /// The same constraints over another kind of condition.
    pub fn try_map<D, E>(&self, mut f: impl FnMut(&C) -> Result<D, E>) -> Result<Fairness<D>, E> {
        let justice = self.justice.iter().map(&mut f).collect::<Result<_, _>>()?;
        let mut compassion = Vec::new();
        for (p, q) in &self.compassion {
            compassion.push((f(p)?, f(q)?));
        }
        Ok(Fairness {
            justice,
            compassion,
        })
    }
}
