//! An instance beside the model it belongs to, and the names that pictures use.

use std::collections::BTreeMap;

use wherefore_alloy::model::{AlloyModel, AlloyPlace, Command, FieldId, Mult, SigId};
use wherefore_alloy::scene::{Moment, Scene};
use wherefore_relational::UniverseAtomId;

use crate::words::clean;

/// An instance, or a trace, of a model.
#[derive(Clone, Copy, Debug)]
pub struct ShownInstance<'a> {
    /// The model.
    pub model: &'a AlloyModel,
    /// The command that it answers.
    pub command: &'a Command,
    /// What there is.
    pub scene: &'a Scene,
}

impl<'a> ShownInstance<'a> {
    /// The name of an atom, as it is written in expressions: `Book$0`.
    pub fn name(&self, atom: UniverseAtomId) -> String {
        clean(self.scene.name(atom))
    }

    /// The name of a field.
    pub(crate) fn field(&self, field: FieldId) -> String {
        clean(self.model.names.text(self.model.fields[field].name))
    }

    /// The states that there are to see.
    pub(crate) fn moments(&self) -> impl Iterator<Item = (usize, &'a Moment)> + use<'a> {
        self.scene.moments.iter().enumerate()
    }

    /// `state 2`, and for the last one which state comes after it; nothing where nothing changes.
    pub(crate) fn heading(&self, state: usize) -> Option<String> {
        let back = self.scene.back?;
        let last = state + 1 == self.scene.moments.len();
        Some(match last {
            true if back == state => format!("state {state}, for ever"),
            true => format!("state {state}, then state {back} again"),
            false => format!("state {state}"),
        })
    }

    /// The atoms of a signature in a state that are in no signature that extends it.
    pub(crate) fn own_atoms(&self, moment: &'a Moment, sig: SigId) -> Vec<UniverseAtomId> {
        let children = &self.model.sigs[sig].children;
        let below = |atom: &UniverseAtomId| children.iter().any(|&child| has(moment, child, *atom));
        let atoms = moment.sigs[sig].iter().copied();
        atoms.filter(|atom| !below(atom)).collect()
    }

    /// Whether a signature is a subset of others.
    pub(crate) fn is_subset(&self, sig: SigId) -> bool {
        matches!(self.model.sigs[sig].place, AlloyPlace::In { .. })
    }

    /// Whether a signature is there for a module only, as the one that holds an order: what it has is told
    /// without it.
    pub(crate) fn is_hidden(&self, sig: SigId) -> bool {
        let sig = &self.model.sigs[sig];
        sig.private && sig.mult == Some(Mult::One) && sig.label.contains('/')
    }

    /// Whether the atoms of a signature are values that only others have: numbers, strings, and what is
    /// listed as an enumeration lists it.
    pub(crate) fn is_value(&self, sig: SigId) -> bool {
        if sig.index() < AlloyModel::BUILT_IN {
            return true;
        }
        let one = |sig: SigId| {
            let sig = &self.model.sigs[sig];
            sig.mult == Some(Mult::One) && sig.decls.is_empty() && sig.children.is_empty()
        };
        let Some(parent) = self.model.sigs[sig].extends() else {
            return false;
        };
        let above = &self.model.sigs[parent];
        let alone = above.is_abstract || above.is_enum;
        let plain = parent.index() >= AlloyModel::BUILT_IN && above.is_top_level();
        one(sig)
            && plain
            && alone
            && above.decls.is_empty()
            && above.children.iter().all(|&child| one(child))
    }

    /// The signature below `univ` that a signature is, or is within.
    pub(crate) fn top(&self, sig: SigId) -> SigId {
        let mut at = sig;
        while let Some(parent) = self.model.sigs[at].extends() {
            if parent.index() == AlloyModel::UNIV {
                break;
            }
            at = parent;
        }
        at
    }
}

/// Whether a signature has an atom in a state.
pub(crate) fn has(moment: &Moment, sig: SigId, atom: UniverseAtomId) -> bool {
    moment.sigs[sig].binary_search(&atom).is_ok()
}

/// Short names for pictures: `Book0`, or `Book` where there is only one; without the path of a module
/// where the rest is clear.
pub(crate) struct Labels<'a> {
    instance: ShownInstance<'a>,
    /// How many atoms have a signature as their smallest one.
    atoms: BTreeMap<SigId, usize>,
    /// How many signatures have a name, paths left out.
    names: BTreeMap<&'a str, usize>,
}

impl<'a> Labels<'a> {
    pub(crate) fn new(instance: ShownInstance<'a>) -> Self {
        let mut atoms = BTreeMap::new();
        for atom in instance.scene.atoms.iter() {
            if let Some(sig) = atom.sig {
                *atoms.entry(sig).or_default() += 1;
            }
        }
        let mut names = BTreeMap::new();
        for sig in instance.model.sigs.iter() {
            *names.entry(without_path(&sig.label)).or_default() += 1;
        }
        Self {
            instance,
            atoms,
            names,
        }
    }

    /// The name of a signature.
    pub(crate) fn sig(&self, sig: SigId) -> String {
        let label = &self.instance.model.sigs[sig].label;
        let short = without_path(label);
        let clear = sig.index() >= AlloyModel::BUILT_IN && self.names[short] == 1;
        clean(if clear { short } else { label })
    }

    /// The name of an atom.
    pub(crate) fn atom(&self, atom: UniverseAtomId) -> String {
        let name = &self.instance.scene.atoms[atom];
        let declared = name.sig.filter(|sig| sig.index() >= AlloyModel::BUILT_IN);
        let (Some(sig), Some((_, number))) = (declared, name.name.rsplit_once('$')) else {
            return clean(&name.name);
        };
        let label = self.sig(sig);
        let alone = self.atoms[&sig] == 1 && !self.instance.model.sigs[sig].var;
        match label.ends_with(|c: char| c.is_ascii_digit()) {
            _ if alone => label,
            true => format!("{label}_{number}"),
            false => format!("{label}{number}"),
        }
    }
}

fn without_path(label: &str) -> &str {
    label.rsplit_once('/').map_or(label, |(_, name)| name)
}
