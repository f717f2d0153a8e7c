//! What has a name on a screen: a variable, or a set that several variables tell.

use wherefore_base::Value;
use wherefore_model::{Membership, VarId};

use crate::Report;
use crate::words::clean;

/// Something of a state that is shown under one name.
#[derive(Clone, Copy)]
pub(crate) enum Thing<'a> {
    /// A variable.
    Variable(VarId),
    /// A set that variables tell element by element.
    Set(&'a Membership),
}

impl Thing<'_> {
    /// The variables that it is made of.
    pub(crate) fn vars(&self) -> Vec<VarId> {
        match self {
            Thing::Variable(var) => vec![*var],
            Thing::Set(set) => set.elements.iter().map(|(_, var)| *var).collect(),
        }
    }

    /// The first of its variables that differs in two states.
    pub(crate) fn change(&self, old: &[Value], new: &[Value]) -> Option<VarId> {
        let mut vars = self.vars().into_iter();
        vars.find(|var| old[var.index()] != new[var.index()])
    }
}

impl<'a> Report<'a> {
    /// What is shown of a state, in the order of variables: a set stands where its first variable does;
    /// `full`: with all variables.
    pub(crate) fn things(&self, full: bool) -> Vec<Thing<'a>> {
        let sets = &self.model.sets;
        let mut of_sets: Vec<Option<usize>> = vec![None; self.model.vars.len()];
        for (at, set) in sets.iter().enumerate() {
            for (_, var) in &set.elements {
                of_sets[var.index()] = Some(at);
            }
        }
        let mut things = Vec::new();
        for var in self.seen_vars(full) {
            match of_sets[var.index()] {
                None => things.push(Thing::Variable(var)),
                Some(at) if sets[at].elements.first().is_some_and(|(_, v)| *v == var) => {
                    things.push(Thing::Set(&sets[at]));
                }
                Some(_) => {}
            }
        }
        things
    }

    /// What a thing is called.
    pub(crate) fn thing_name(&self, thing: Thing<'_>) -> String {
        match thing {
            Thing::Variable(var) => self.name(var),
            Thing::Set(set) => clean(&set.name),
        }
    }

    /// The value of a thing in a state: `closed`, `{a, b}`.
    pub(crate) fn thing_value(&self, thing: Thing<'_>, state: &[Value]) -> String {
        match thing {
            Thing::Variable(var) => self.value(state[var.index()]),
            Thing::Set(set) => {
                let members = members(set, |var| state[var.index()] == Value::Bool(true));
                format!("{{{}}}", members.join(", "))
            }
        }
    }

    /// What is new about a thing that changes: `door = open`, `boxes = {}`, `boxes with a, without b` where
    /// the set is large.
    pub(crate) fn thing_change(&self, thing: Thing<'_>, old: &[Value], new: &[Value]) -> String {
        let name = self.thing_name(thing);
        match self.difference(thing, old, new) {
            Some(difference) => format!("{name} {difference}"),
            None => format!("{name} = {}", self.thing_value(thing, new)),
        }
    }

    /// How a large set changes: `with a, without b`.
    pub(crate) fn difference(
        &self,
        thing: Thing<'_>,
        old: &[Value],
        new: &[Value],
    ) -> Option<String> {
        const FEW: usize = 4;
        let Thing::Set(set) = thing else {
            return None;
        };
        let is = |state: &[Value], var: VarId| state[var.index()] == Value::Bool(true);
        let most = members(set, |var| is(old, var) || is(new, var));
        if most.len() <= FEW {
            return None;
        }
        let come = members(set, |var| !is(old, var) && is(new, var));
        let gone = members(set, |var| is(old, var) && !is(new, var));
        let parts = [("with", come), ("without", gone)];
        let parts = parts.iter().filter(|(_, elements)| !elements.is_empty());
        let parts = parts.map(|(how, elements)| format!("{how} {}", elements.join(", ")));
        Some(parts.collect::<Vec<_>>().join(", "))
    }
}

/// The elements of a set whose variables are such.
fn members(set: &Membership, is_such: impl Fn(VarId) -> bool) -> Vec<String> {
    let elements = set.elements.iter();
    let elements = elements.filter(|(_, var)| is_such(*var));
    elements.map(|(text, _)| clean(text)).collect()
}
