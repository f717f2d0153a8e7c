//! An instance as a document, schema `wherefore-instance/1`, and back.
//!
//! Everything is by name, so that a reader needs no other file: signatures and fields are described first,
//! then their values state by state. A row is a list of names of atoms.

use std::collections::BTreeMap;

use wherefore_alloy::model::{AlloyModel, AlloyPlace, Mult, SigId};
use wherefore_alloy::scene::{Atom, Moment, Scene, SceneRow, SceneWitness};
use wherefore_base::IndexVec;
use wherefore_relational::{Overflow, UniverseAtomId};
use wherefore_wire::{
    AtomDoc, FieldDoc, InstanceDocument, InstanceSchemaName, MultiplicityName, SavedInstanceDoc,
    SavedStateDoc, SavedWitnessDoc, SignatureDoc, ToolDoc, to_page,
};

use super::ShownInstance;
use super::json::LANGUAGE;

/// The instance as a document of its own; `path` is what the user calls the file of the model.
pub fn render(instance: &ShownInstance<'_>, path: &str) -> String {
    to_page(&InstanceDocument {
        schema: InstanceSchemaName::Version1,
        tool: ToolDoc::default(),
        path: path.to_string(),
        language: LANGUAGE.to_string(),
        command: instance.command.label.clone(),
        instance: document(instance),
    })
}

/// Reads a document with one instance.
///
/// # Errors
/// A sentence about what is wrong with the text.
pub fn read(text: &str) -> Result<InstanceDocument, String> {
    let file: InstanceDocument = serde_json::from_str(text)
        .map_err(|error| format!("This is not a saved instance: {error}."))?;
    if file.language != LANGUAGE {
        return Err("This is not a saved instance of an Alloy model.".to_string());
    }
    Ok(file)
}

/// The instance as a part of a document.
pub fn document(instance: &ShownInstance<'_>) -> SavedInstanceDoc {
    let ShownInstance { model, scene, .. } = instance;
    let label = |sig: SigId| model.sigs[sig].label.clone();
    let names = |rows: &[SceneRow]| -> Vec<Vec<String>> {
        let row = |row: &SceneRow| row.iter().map(|&a| scene.name(a).to_string()).collect();
        rows.iter().map(row).collect()
    };
    let atoms = scene.atoms.iter().filter_map(|atom| {
        let sig = atom.sig.filter(|&sig| !is_number(sig))?;
        Some(AtomDoc {
            name: atom.name.clone(),
            signature: label(sig),
        })
    });
    let fields = model.fields.iter().map(|field| FieldDoc {
        name: model.names.text(field.name).to_string(),
        signature: label(field.sig),
        columns: columns(model, field.ty.products()),
        private: field.private,
        var: field.var,
    });
    let states = scene.moments.iter().map(|moment| SavedStateDoc {
        signatures: told(model)
            .map(|id| {
                let atoms = moment.sigs[id].iter();
                atoms.map(|&atom| scene.name(atom).to_string()).collect()
            })
            .collect(),
        fields: moment.fields.iter().map(|rows| names(rows)).collect(),
    });
    let witnesses = scene.witnesses.iter().map(|witness| SavedWitnessDoc {
        name: witness.name.clone(),
        variable: witness.variable.clone(),
        outer: witness.outer,
        arity: witness.arity,
        rows: names(&witness.rows),
    });
    SavedInstanceDoc {
        bits: scene.bits,
        sequence: scene.sequence,
        steps: scene.steps,
        signatures: told(model).map(|id| signature(model, id)).collect(),
        fields: fields.collect(),
        atoms: atoms.collect(),
        states: states.collect(),
        back: scene.back,
        witnesses: witnesses.collect(),
    }
}

/// The scene that a document tells, for the model it is about. Atoms that no state has are forgotten.
///
/// # Errors
/// A sentence about what of the document does not fit the model.
pub fn scene(document: &SavedInstanceDoc, model: &AlloyModel) -> Result<Scene, String> {
    let ours = told(model).map(|id| signature(model, id));
    if !ours.eq(document.signatures.iter().cloned()) {
        return Err("The signatures are not those of the model.".to_string());
    }
    let same_field = |(field, told): (&wherefore_alloy::model::Field, &FieldDoc)| {
        model.names.text(field.name) == told.name
            && model.sigs[field.sig].label == told.signature
            && columns(model, field.ty.products()) == told.columns
    };
    let count = model.fields.len() == document.fields.len();
    if !count || !model.fields.iter().zip(&document.fields).all(same_field) {
        return Err("The fields are not those of the model.".to_string());
    }
    let reader = Reader::new(document, model)?;
    let moments = document.states.iter().map(|state| reader.moment(state));
    let moments: Vec<Moment> = moments.collect::<Result<_, _>>()?;
    let goes_on = document.back.is_none_or(|back| back < moments.len());
    if moments.is_empty() || !goes_on || (document.back.is_none() && moments.len() > 1) {
        return Err("The states are those of no trace.".to_string());
    }
    let witnesses = document.witnesses.iter().map(|witness| {
        let mut variables = model.vars.iter();
        let variable = variables.find(|var| model.names.text(var.name) == witness.variable);
        let Some(variable) = variable else {
            let message = format!("The model has no variable `{}`.", witness.variable);
            return Err(message);
        };
        Ok(SceneWitness {
            name: witness.name.clone(),
            variable: witness.variable.clone(),
            span: variable.span,
            outer: witness.outer.min(witness.arity),
            arity: witness.arity,
            types: match witness.outer {
                0 => variable.ty.real_products(witness.arity),
                _ => Vec::new(),
            },
            rows: reader.rows(&witness.rows, witness.arity)?,
        })
    });
    let witnesses = witnesses.collect::<Result<_, String>>()?;
    Ok(Scene {
        atoms: reader.atoms,
        moments,
        back: document.back,
        witnesses,
        bits: document.bits,
        overflow: Overflow::Wrap,
        sequence: document.sequence,
        steps: document.steps,
    })
}

/// The signatures that a document tells: `String` and those of the model. Numbers follow from the bits.
pub(super) fn told(model: &AlloyModel) -> impl Iterator<Item = SigId> + '_ {
    let string = std::iter::once(SigId::new(AlloyModel::STRING));
    string.chain(model.declared().map(|(id, _)| id))
}

fn is_number(sig: SigId) -> bool {
    [AlloyModel::INT, AlloyModel::SEQ_INT].contains(&sig.index())
}

pub(super) fn signature(model: &AlloyModel, id: SigId) -> SignatureDoc {
    let sig = &model.sigs[id];
    let subset_of = match &sig.place {
        AlloyPlace::In { of, .. } => of.iter().map(|&of| model.sigs[of].label.clone()).collect(),
        _ => Vec::new(),
    };
    let multiplicity = sig.mult.and_then(|mult| match mult {
        Mult::One => Some(MultiplicityName::One),
        Mult::Lone => Some(MultiplicityName::Lone),
        Mult::Some => Some(MultiplicityName::Some),
        _ => None,
    });
    SignatureDoc {
        name: sig.label.clone(),
        extends: sig.extends().map(|id| model.sigs[id].label.clone()),
        subset_of,
        multiplicity,
        is_abstract: sig.is_abstract,
        is_enum: sig.is_enum,
        private: sig.private,
        var: sig.var,
    }
}

pub(super) fn columns(model: &AlloyModel, products: &[Vec<SigId>]) -> Vec<Vec<String>> {
    let labels = |product: &Vec<SigId>| {
        let labels = product.iter().map(|&sig| model.sigs[sig].label.clone());
        labels.collect()
    };
    products.iter().map(labels).collect()
}

/// The widest integers that a document may have.
const WIDEST: u32 = 20;

struct Reader<'m> {
    model: &'m AlloyModel,
    atoms: IndexVec<UniverseAtomId, Atom>,
    by_name: BTreeMap<String, UniverseAtomId>,
    numbers: Vec<UniverseAtomId>,
    indices: Vec<UniverseAtomId>,
}

impl<'m> Reader<'m> {
    fn new(document: &SavedInstanceDoc, model: &'m AlloyModel) -> Result<Self, String> {
        let mut reader = Self {
            model,
            atoms: IndexVec::new(),
            by_name: BTreeMap::new(),
            numbers: Vec::new(),
            indices: Vec::new(),
        };
        let sigs: BTreeMap<&str, SigId> = model
            .sigs
            .entries()
            .map(|(id, sig)| (sig.label.as_str(), id))
            .collect();
        for atom in &document.atoms {
            let Some(&sig) = sigs.get(atom.signature.as_str()) else {
                return Err(format!("There is no signature `{}`.", atom.signature));
            };
            reader.add(atom.name.clone(), sig)?;
        }
        // The numbers after the atoms of signatures, as everywhere, and strings after them.
        if !(1..=WIDEST).contains(&document.bits) {
            return Err(format!("An integer has 1 to {WIDEST} bits."));
        }
        let half = 1i64 << (document.bits - 1);
        for value in -half..half {
            let index = (0..i64::from(document.sequence)).contains(&value);
            let sig = if index {
                AlloyModel::SEQ_INT
            } else {
                AlloyModel::INT
            };
            let atom = reader.add(value.to_string(), SigId::new(sig))?;
            reader.numbers.push(atom);
            if index {
                reader.indices.push(atom);
            }
        }
        Ok(reader)
    }

    fn add(&mut self, name: String, sig: SigId) -> Result<UniverseAtomId, String> {
        let atom = self.atoms.push(Atom {
            name: name.clone(),
            sig: Some(sig),
        });
        match self.by_name.insert(name, atom) {
            None => Ok(atom),
            Some(_) => Err(format!("There are two atoms `{}`.", self.atoms[atom].name)),
        }
    }

    fn atom(&self, name: &str) -> Result<UniverseAtomId, String> {
        let atom = self.by_name.get(name).copied();
        atom.ok_or_else(|| format!("There is no atom `{name}`."))
    }

    fn rows(&self, rows: &[Vec<String>], arity: usize) -> Result<Vec<SceneRow>, String> {
        let mut read = Vec::with_capacity(rows.len());
        for row in rows {
            if row.len() != arity {
                return Err(format!("A row does not have {arity} columns."));
            }
            let atoms = row.iter().map(|name| self.atom(name));
            read.push(atoms.collect::<Result<SceneRow, String>>()?);
        }
        read.sort_unstable();
        Ok(read)
    }

    fn moment(&self, state: &SavedStateDoc) -> Result<Moment, String> {
        let model = self.model;
        let count = told(model).count();
        if state.signatures.len() != count || state.fields.len() != model.fields.len() {
            return Err("A state does not have all signatures and fields.".to_string());
        }
        let mut given = state.signatures.iter();
        let mut sigs: IndexVec<SigId, Vec<UniverseAtomId>> = IndexVec::new();
        for id in model.sigs.ids() {
            let mut atoms = match id.index() {
                AlloyModel::INT => self.numbers.clone(),
                AlloyModel::SEQ_INT => self.indices.clone(),
                AlloyModel::UNIV | AlloyModel::NONE => Vec::new(),
                _ => {
                    let names = given.next().expect("the number of signatures is right");
                    let atoms = names.iter().map(|name| self.atom(name));
                    atoms.collect::<Result<Vec<UniverseAtomId>, String>>()?
                }
            };
            atoms.sort_unstable();
            sigs.push(atoms);
        }
        let mut there: Vec<UniverseAtomId> = sigs.iter().flatten().copied().collect();
        there.sort_unstable();
        there.dedup();
        let everything = sigs.entries().map(|(id, atoms)| match id.index() {
            AlloyModel::UNIV => there.clone(),
            _ => atoms.clone(),
        });
        let sigs = everything.collect();
        let fields = model.fields.iter().zip(&state.fields);
        let fields = fields.map(|(field, rows)| {
            let arity = field
                .ty
                .arity()
                .unwrap_or_else(|| rows.first().map_or(2, Vec::len));
            self.rows(rows, arity)
        });
        let fields = fields.collect::<Result<Vec<_>, String>>()?;
        Ok(Moment {
            sigs,
            fields: fields.into_iter().collect(),
        })
    }
}
