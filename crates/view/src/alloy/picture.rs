//! A state of an instance as sets and tables: what every picture of it shows.

use std::collections::BTreeMap;

use wherefore_alloy::model::{
    AlloyModel, AlloyPlace, AlloyTermId, AlloyTermKind, FieldId, Mult, SigId,
};
use wherefore_alloy::scene::{Moment, Scene, SceneRow};
use wherefore_base::SourceMap;
use wherefore_relational::UniverseAtomId;

use super::BUILT_IN;
use super::words::tuple_text;
use crate::words::clean;

/// A piece of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SetBlock {
    /// A set: its name and its atoms.
    Set {
        name: String,
        atoms: Vec<String>,
        /// Whether the atoms stand in their order.
        ordered: bool,
    },
    /// A signature with fields: for each atom the values of the fields.
    Table {
        name: String,
        columns: Vec<String>,
        rows: Vec<(String, Vec<Vec<String>>)>,
        ordered: bool,
    },
}

/// Which part of a state is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StatePart {
    /// Everything.
    Whole,
    /// What stays the same.
    Still,
    /// What may change.
    Changing,
}

/// So many tuples of a field are told one by one.
const FEW: usize = 3;

/// What of a model is shown, and in which order.
pub(crate) struct Plan<'a> {
    model: &'a AlloyModel,
    scene: &'a Scene,
    hidden: Vec<bool>,
    /// Orders over signatures: the fields `first` and `next` that say them.
    orders: BTreeMap<SigId, (FieldId, FieldId)>,
}

impl<'a> Plan<'a> {
    /// What there is to show of a scene.
    pub(crate) fn new(model: &'a AlloyModel, sources: &SourceMap, scene: &'a Scene) -> Self {
        let mut hidden = vec![false; model.sigs.len()];
        let mut orders = BTreeMap::new();
        for (id, sig) in model.declared() {
            let built_in = sources.file(sig.span.file).name().ends_with(BUILT_IN);
            let order = sig.fact.and_then(|fact| order(model, fact));
            hidden[id.index()] = built_in && (sig.private || order.is_some());
            if let Some((elements, fields)) = order.filter(|_| built_in)
                // The order of an enumeration is that of its text.
                && !model.sigs[elements].is_enum
            {
                orders.entry(elements).or_insert(fields);
            }
        }
        Self {
            model,
            scene,
            hidden,
            orders,
        }
    }

    /// A state, or a part of it, in the order of the model.
    pub(crate) fn blocks(&self, state: usize, part: StatePart) -> Vec<SetBlock> {
        let moment = &self.scene.moments[state];
        let sigs = self.model.declared();
        let sigs = sigs.filter(|(id, _)| !self.hidden[id.index()]);
        sigs.filter_map(|(id, _)| self.block(moment, id, part))
            .collect()
    }

    fn block(&self, moment: &Moment, id: SigId, part: StatePart) -> Option<SetBlock> {
        let sig = &self.model.sigs[id];
        let fits = |var: bool| match part {
            StatePart::Whole => true,
            StatePart::Still => !var,
            StatePart::Changing => var,
        };
        let fields = sig
            .decls
            .iter()
            .flat_map(|decl| decl.fields.iter().copied());
        // The atoms that a table lists change with the signature, whatever its fields do.
        let fields = fields.filter(|&field| fits(sig.var || self.model.fields[field].var));
        let fields: Vec<FieldId> = fields.collect();
        let subset = matches!(sig.place, AlloyPlace::In { .. });
        // What a signature extends says nothing that the names of its atoms do not say.
        let needed = fits(sig.var) && (sig.is_top_level() || subset || sig.var);
        if fields.is_empty() && !needed {
            return None;
        }
        let (atoms, ordered) = self.in_order(moment, id);
        let name = clean(&sig.label);
        let texts = |atoms: &[UniverseAtomId]| -> Vec<String> {
            let names = atoms.iter().map(|&atom| clean(self.scene.name(atom)));
            names.collect()
        };
        if fields.is_empty() || atoms.is_empty() {
            return Some(SetBlock::Set {
                name,
                atoms: texts(&atoms),
                ordered,
            });
        }
        let columns = fields.iter().map(|&field| self.field_name(field));
        let rows = atoms.iter().map(|&atom| {
            let cells = fields.iter().map(|&field| self.cell(moment, field, atom));
            (clean(self.scene.name(atom)), cells.collect())
        });
        Some(SetBlock::Table {
            name,
            columns: columns.collect(),
            rows: rows.collect(),
            ordered,
        })
    }

    /// The name of a field.
    pub(crate) fn field_name(&self, field: FieldId) -> String {
        clean(self.model.names.text(self.model.fields[field].name))
    }

    /// The values of a field for an atom.
    pub(crate) fn cell(
        &self,
        moment: &Moment,
        field: FieldId,
        atom: UniverseAtomId,
    ) -> Vec<String> {
        let rows = moment.fields[field].iter().filter(|row| row[0] == atom);
        let rows: Vec<&[UniverseAtomId]> = rows.map(|row| &row[1..]).collect();
        match rows.len() > FEW {
            true => self.together(&rows),
            false => rows.iter().map(|row| tuple_text(self.scene, row)).collect(),
        }
    }

    /// Tuples that differ in their last column only, together: `a->(b + c)`.
    fn together(&self, rows: &[&[UniverseAtomId]]) -> Vec<String> {
        let alike = |a: &&[UniverseAtomId], b: &&[UniverseAtomId]| {
            a.len() > 1 && a[..a.len() - 1] == b[..b.len() - 1]
        };
        let texts = rows.chunk_by(alike).map(|group| match group {
            [row] => tuple_text(self.scene, row),
            group => {
                let first = &group[0][..group[0].len() - 1];
                let lasts = group
                    .iter()
                    .map(|row| tuple_text(self.scene, &row[row.len() - 1..]));
                let lasts = lasts.collect::<Vec<_>>().join(" + ");
                format!("{}->({lasts})", tuple_text(self.scene, first))
            }
        });
        texts.collect()
    }

    /// The signatures and fields that may change and are shown.
    pub(crate) fn changing(&self) -> (Vec<SigId>, Vec<FieldId>) {
        let sigs = self.model.declared();
        let sigs = sigs.filter(|(id, sig)| sig.var && !self.hidden[id.index()]);
        let fields = self.model.fields.entries();
        let fields = fields.filter(|(_, field)| field.var && !self.hidden[field.sig.index()]);
        (
            sigs.map(|(id, _)| id).collect(),
            fields.map(|(id, _)| id).collect(),
        )
    }

    /// Whether a field has at most one value for each atom.
    pub(crate) fn is_single(&self, field: FieldId) -> bool {
        let decls = &self.model.sigs[self.model.fields[field].sig].decls;
        let decl = decls.iter().find(|decl| decl.fields.contains(&field));
        let bound = decl.map(|decl| &self.model.terms[decl.bound].kind);
        matches!(bound, Some(AlloyTermKind::Mult(Mult::One | Mult::Lone, _)))
    }

    /// The atoms of a signature, in their order if it has one.
    fn in_order(&self, moment: &Moment, id: SigId) -> (Vec<UniverseAtomId>, bool) {
        let atoms = &moment.sigs[id];
        let plain = || (atoms.clone(), false);
        let Some(&(first, next)) = self.orders.get(&id) else {
            return plain();
        };
        let Some(start) = moment.fields[first].first().and_then(|row| row.last()) else {
            return plain();
        };
        let successor = |atom: UniverseAtomId| {
            let pair = |row: &&SceneRow| row[row.len() - 2] == atom;
            let mut rows = moment.fields[next].iter().filter(|row| row.len() >= 2);
            rows.find(pair).and_then(|row| row.last().copied())
        };
        let mut chain = vec![*start];
        while let Some(after) = chain.last().and_then(|&last| successor(last)) {
            if chain.contains(&after) || chain.len() > atoms.len() {
                return plain();
            }
            chain.push(after);
        }
        match chain.len() == atoms.len() {
            true => (chain, atoms.len() > 1),
            false => plain(),
        }
    }
}

/// The signature that a fact puts in a total order, and the fields that say the order.
fn order(model: &AlloyModel, fact: AlloyTermId) -> Option<(SigId, (FieldId, FieldId))> {
    let kind = |term: AlloyTermId| &model.terms[term].kind;
    let whole = match kind(fact) {
        AlloyTermKind::Block(parts) if parts.len() == 1 => parts[0],
        _ => fact,
    };
    let &AlloyTermKind::TotalOrder(elements, first, next) = kind(whole) else {
        return None;
    };
    let &AlloyTermKind::Sig(elements) = kind(elements) else {
        return None;
    };
    let field = |term: AlloyTermId| match kind(term) {
        AlloyTermKind::Join(_, right) => match *kind(*right) {
            AlloyTermKind::Field(field) => Some(field),
            _ => None,
        },
        AlloyTermKind::Field(field) => Some(*field),
        _ => None,
    };
    Some((elements, (field(first)?, field(next)?)))
}
