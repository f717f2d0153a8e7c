//! Atoms that may be interchangeable, as swaps of the variables of a complete system.
//!
//! Whether a swap leaves the system as it is, is for others to prove: a definition may name one of the atoms.

use rustc_hash::FxHashMap;
use wherefore_alloy::{AlloyModel as Alloy, LoweredCommand};
use wherefore_base::Value;
use wherefore_model::{Domain, Model, Origin, Swap, VarId};
use wherefore_relational::UniverseAtomId;

use crate::complete::{CompleteSystem, FieldValues};
use crate::reading::SystemReading;
use crate::system::{only_atoms, shown};

/// Swaps of neighbours among the atoms of each signature but the states. Those with names of their own come
/// last, so that the others are neighbours.
pub(crate) fn swaps(
    alloy: &Alloy,
    reading: &SystemReading,
    lowered: &LoweredCommand,
    system: &CompleteSystem,
) -> Vec<Swap> {
    let universe = lowered.problem.universe();
    let only = only_atoms(alloy, lowered);
    let mut swaps = Vec::new();
    for (id, sig) in alloy.declared() {
        let states = id == reading.state || reading.module.owns(alloy, id);
        if states || !sig.is_top_level() {
            continue;
        }
        let atoms = lowered.scopes.upper[id.index()].iter();
        let mut atoms: Vec<UniverseAtomId> = atoms.map(|&atom| UniverseAtomId::new(atom)).collect();
        atoms.sort_by_key(|atom| (only.contains(atom), *atom));
        let pairs = atoms.windows(2).filter_map(|pair| {
            swap(
                system,
                [pair[0], pair[1]].map(|atom| shown(universe, &only, atom)),
            )
        });
        swaps.extend(pairs.filter(|swap| *swap != Swap::default()));
    }
    swaps
}

/// The swap of two atoms, given by their names, if every variable and every value has an image.
fn swap(system: &CompleteSystem, atoms: [&str; 2]) -> Option<Swap> {
    let mut swap = Swap::default();
    for attribute in &system.attributes {
        match &attribute.values {
            FieldValues::One(var) => swap_values(&system.model, *var, atoms, &mut swap)?,
            FieldValues::Tuples(tuples) => {
                let named = tuples.iter().map(|(text, var)| (text.as_str(), *var));
                let named: FxHashMap<&str, VarId> = named.collect();
                for (text, var) in tuples {
                    let image = *named.get(image(text, atoms).as_str())?;
                    // Each pair is met from both sides and noted once.
                    if *var < image {
                        swap.vars.push((*var, image));
                    }
                }
            }
        }
    }
    for (var, variable) in system.model.vars.entries() {
        if variable.origin == Origin::Operation {
            swap_values(&system.model, var, atoms, &mut swap)?;
        }
    }
    Some(swap)
}

/// Adds the pairs of values of a variable that have the names of the atoms in them.
fn swap_values(model: &Model, var: VarId, atoms: [&str; 2], swap: &mut Swap) -> Option<()> {
    let Domain::Enum(values) = &model.vars[var].domain else {
        return Some(());
    };
    let text = |value: Value| model.names.show(value).to_string();
    let named: FxHashMap<String, Value> = values.iter().map(|&v| (text(v), v)).collect();
    for &value in values.iter() {
        let own = text(value);
        let image = image(&own, atoms);
        let swapped = *named.get(&image)?;
        if own < image {
            swap.values.push((var, value, swapped));
        }
    }
    Some(())
}

/// A text with the names of two atoms exchanged: an atom, a tuple as `a->b`, or an operation as `name[a, b]`.
fn image(text: &str, [a, b]: [&str; 2]) -> String {
    let swapped = |name: &str| match name {
        _ if name == a => b.to_owned(),
        _ if name == b => a.to_owned(),
        _ => name.to_owned(),
    };
    let all = |text: &str, between: &str| {
        let names = text.split(between).map(swapped);
        names.collect::<Vec<_>>().join(between)
    };
    match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((operation, arguments)) => format!("{operation}[{}]", all(arguments, ", ")),
        None => all(text, "->"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_exchanged_as_a_whole() {
        let image = |text| image(text, ["P$1", "P$2"]);
        assert_eq!(image("P$1"), "P$2");
        assert_eq!(image("P$10->P$2"), "P$10->P$1");
        assert_eq!(image("pass[P$1, P$2, Ball]"), "pass[P$2, P$1, Ball]");
    }
}
