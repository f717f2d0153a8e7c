//! Swaps that may leave a system as it is.

use std::collections::BTreeSet;

use wherefore_base::Value;

use crate::model::{Model, VarId};

/// Pairs of variables that change places, and pairs of values that do in one variable. Two times the same swap
/// changes nothing.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Swap {
    /// Variables that change places.
    pub vars: Vec<(VarId, VarId)>,
    /// Values of a variable that change places.
    pub values: Vec<(VarId, Value, Value)>,
}

impl Swap {
    /// Whether it turns states of a model into states and inputs into inputs, and nothing has two places.
    pub fn fits(&self, model: &Model) -> bool {
        let mut vars = BTreeSet::new();
        let moved = self.vars.iter().all(|&(a, b)| {
            let [first, second] = [a, b].map(|var| model.vars.get(var));
            let alike = first.zip(second);
            alike.is_some_and(|(a, b)| a.kind == b.kind && a.domain == b.domain)
                && vars.insert(a)
                && vars.insert(b)
        });
        let mut values = BTreeSet::new();
        let mut is_new = |var: VarId, value: Value| {
            let domain = model.vars.get(var).map(|var| &var.domain);
            let index = domain.and_then(|domain| domain.index_of(value));
            // A variable that moves must not exchange values as well: the order of the two would matter.
            !vars.contains(&var) && index.is_some_and(|index| values.insert((var, index)))
        };
        let mut pairs = self.values.iter();
        moved && pairs.all(|&(var, a, b)| is_new(var, a) && is_new(var, b))
    }
}
