//! Instances that were saved, to be told again: from a document of their own, from the document of a check, and
//! from that of the Alloy visualizer.

use std::collections::BTreeSet;

use wherefore_alloy::TraceShape;
use wherefore_alloy::answer::AnswerInstance;
use wherefore_alloy::model::{AlloyModel, SigId};
use wherefore_alloy::scene::Scene;
use wherefore_base::{IndexVec, SourceMap};
use wherefore_relational::Instance;
use wherefore_wire::{
    AtomDoc, CheckDocument, FieldDoc, InstanceDoc, InstanceSchemaName, InstanceStateDoc,
    LanguageHead, ModelDoc, SavedInstanceDoc, SavedStateDoc, SavedWitnessDoc, ScopeDoc,
};

use super::json::LANGUAGE;
use super::opened::{Opened, command_name};
use super::saved;

/// An instance in a document.
#[derive(Clone, Debug)]
pub struct SavedInstance {
    /// The file of the model.
    pub path: String,
    /// The name of the command.
    pub command: String,
    /// The number of the command from 1 on, if the document has it.
    pub number: Option<usize>,
    /// The names and texts of the files of the model, the model itself first; only documents of the visualizer
    /// have them.
    pub sources: Vec<(String, String)>,
    told: Told,
}

#[derive(Clone, Debug)]
enum Told {
    Own(SavedInstanceDoc),
    Checked(Box<Checked>, Option<ScopeDoc>),
    Opened(Box<Opened>),
}

/// The instances in a text; none if it is no document about Alloy models.
///
/// # Errors
/// A sentence about what is wrong with the document.
pub fn read(text: &str) -> Option<Result<Vec<SavedInstance>, String>> {
    if text.trim_start().starts_with('<') {
        let opened = Opened::read(text);
        return Some(opened.map(|mut opened| {
            let mut sources = std::mem::take(&mut opened.sources);
            sources.sort_by_key(|(name, _)| *name != opened.path);
            vec![SavedInstance {
                path: opened.path.clone(),
                command: command_name(&opened.command).to_string(),
                number: None,
                sources,
                told: Told::Opened(Box::new(opened)),
            }]
        }));
    }
    let head: LanguageHead = serde_json::from_str(text).ok()?;
    if head.schema == InstanceSchemaName::Version1.name() {
        return Some(saved::read(text).map(|file| {
            vec![SavedInstance {
                path: file.path,
                command: file.command,
                number: None,
                sources: Vec::new(),
                told: Told::Own(file.instance),
            }]
        }));
    }
    if !head.models.iter().any(|model| model.language == LANGUAGE) {
        return None;
    }
    let document: Result<CheckDocument, _> = serde_json::from_str(text);
    let document =
        document.map_err(|error| format!("This is not the document of a check: {error}."));
    Some(document.map(|document| {
        let models = document.models.into_iter();
        models.flat_map(instances).collect()
    }))
}

fn instances(model: ModelDoc) -> Vec<SavedInstance> {
    let mut found = Vec::new();
    for property in model.properties {
        let Some(command) = property.command else {
            continue;
        };
        for instance in command.instances {
            found.push(SavedInstance {
                path: model.path.clone(),
                command: property.name.clone(),
                number: Some(command.number),
                sources: Vec::new(),
                told: Told::Checked(
                    Box::new(Checked {
                        instance,
                        arities: Vec::new(),
                    }),
                    command.scope.clone(),
                ),
            });
        }
    }
    found
}

impl SavedInstance {
    /// The place of its command in the model; none if the model has no such command any more.
    /// A document of the visualizer has what is written; where that says nothing, an only command is meant.
    pub fn command_in(&self, model: &AlloyModel, sources: &SourceMap) -> Option<usize> {
        let named = |place: &usize| {
            let command = model.commands.get(*place);
            command.is_some_and(|command| command.label == self.command)
        };
        let numbered = self.number.and_then(|number| number.checked_sub(1));
        let all = || 0..model.commands.len();
        let by_name = numbered
            .filter(named)
            .or_else(|| all().find(|at| named(at)));
        let Told::Opened(opened) = &self.told else {
            return by_name;
        };
        let written = |place: &usize| {
            let span = model.commands[*place].span;
            sources.text_on_one_line(span, "--") == opened.command
        };
        let only = || all().next().filter(|_| model.commands.len() == 1);
        all().find(written).or(by_name).or_else(only)
    }

    /// The instance as it was found, without values of expressions.
    ///
    /// # Errors
    /// A sentence about what of it does not fit the model.
    pub fn found(&self, model: &AlloyModel) -> Result<AnswerInstance, String> {
        let scene = match &self.told {
            Told::Own(document) => saved::scene(document, model)?,
            Told::Checked(checked, scope) => checked.scene(scope.as_ref(), model)?,
            Told::Opened(opened) => {
                let (checked, scope) = opened.checked(model);
                checked.scene(Some(scope), model)?
            }
        };
        let states = scene.moments.len();
        Ok(AnswerInstance {
            shape: TraceShape {
                states,
                back: scene.back.unwrap_or(0),
            },
            scene,
            instance: Instance::new(IndexVec::new(), Vec::new()),
            problem: 0,
            values: Vec::new(),
        })
    }
}

/// An instance in the document of a check: signatures and fields by name.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) instance: InstanceDoc,
    /// For each witness how many columns it has, where that is known without a row.
    pub(super) arities: Vec<usize>,
}

impl Checked {
    /// The scene that it tells, for the model it is about.
    fn scene(&self, scope: Option<&ScopeDoc>, model: &AlloyModel) -> Result<Scene, String> {
        let Some(scope) = scope else {
            return Err("The document does not say in which scope it was found.".to_string());
        };
        let strings = self.strings();
        let string = strings.iter().map(|name| AtomDoc {
            name: name.clone(),
            signature: model.sigs[SigId::new(AlloyModel::STRING)].label.clone(),
        });
        let fields = model.fields.iter().map(|field| FieldDoc {
            name: model.names.text(field.name).to_string(),
            signature: model.sigs[field.sig].label.clone(),
            columns: saved::columns(model, field.ty.products()),
            private: field.private,
            var: field.var,
        });
        let fields: Vec<FieldDoc> = fields.collect();
        let mut states = Vec::with_capacity(self.instance.states.len());
        for state in &self.instance.states {
            states.push(in_order(state, model, &fields, &strings)?);
        }
        let witnesses = self.instance.witnesses.iter().enumerate();
        let witnesses = witnesses.map(|(at, witness)| {
            let of_rows = witness.rows.first().map(Vec::len);
            let known = of_rows.or(self.arities.get(at).copied());
            let arity = known.unwrap_or(witness.outer + 1);
            SavedWitnessDoc {
                name: witness.name.clone(),
                variable: witness.variable.clone(),
                outer: witness.outer,
                arity,
                rows: witness.rows.clone(),
            }
        });
        let others = self
            .instance
            .atoms
            .iter()
            .filter(|atom| !is_string(&atom.name));
        let document = SavedInstanceDoc {
            bits: scope.bits,
            sequence: scope.sequence,
            steps: scope.steps.filter(|_| self.instance.loop_start.is_some()),
            signatures: saved::told(model)
                .map(|id| saved::signature(model, id))
                .collect(),
            fields,
            atoms: others.cloned().chain(string).collect(),
            states,
            back: self.instance.loop_start,
            witnesses: witnesses.collect(),
        };
        saved::scene(&document, model)
    }

    /// The strings that occur, in quotes.
    fn strings(&self) -> Vec<String> {
        let states = self.instance.states.iter();
        let fields = states.flat_map(|state| state.fields.values());
        let rows = fields.chain(self.instance.witnesses.iter().map(|witness| &witness.rows));
        let atoms = self.instance.atoms.iter().map(|atom| &atom.name);
        let names = rows.flatten().flatten().chain(atoms);
        let strings: BTreeSet<&String> = names.filter(|name| is_string(name)).collect();
        strings.into_iter().cloned().collect()
    }
}

/// Whether the name of an atom is a string: in quotes.
fn is_string(name: &str) -> bool {
    name.starts_with('"')
}

/// The values of a state in the order of the signatures and fields of a model.
fn in_order(
    state: &InstanceStateDoc,
    model: &AlloyModel,
    told: &[FieldDoc],
    strings: &[String],
) -> Result<SavedStateDoc, String> {
    let signatures = saved::told(model).map(|id| {
        let label = &model.sigs[id].label;
        match id.index() == AlloyModel::STRING {
            true => Ok(strings.to_vec()),
            false => state.signatures.get(label).cloned().ok_or(label),
        }
    });
    let signatures: Result<Vec<_>, &String> = signatures.collect();
    let signatures =
        signatures.map_err(|label| format!("The document has no signature `{label}`."))?;
    let none = &model.sigs[SigId::new(AlloyModel::NONE)].label;
    let is_impossible =
        |field: &FieldDoc| field.columns.iter().all(|columns| columns.contains(none));
    let full_name = |field: &FieldDoc| format!("{}.{}", field.signature, field.name);
    let fields = told.iter().map(|field| {
        let name = full_name(field);
        match state.fields.get(&name) {
            Some(rows) => Ok(rows.clone()),
            // The visualizer is told nothing of fields that can have no row.
            None if is_impossible(field) => Ok(Vec::new()),
            None => Err(name),
        }
    });
    let fields: Result<Vec<_>, String> = fields.collect();
    let fields = fields.map_err(|name| format!("The document has no field `{name}`."))?;
    let names: BTreeSet<String> = told.iter().map(full_name).collect();
    let known = state.signatures.len() + 1 == signatures.len()
        && state.fields.keys().all(|name| names.contains(name));
    match known {
        true => Ok(SavedStateDoc { signatures, fields }),
        false => Err("The document has signatures or fields that the model has not.".to_string()),
    }
}
