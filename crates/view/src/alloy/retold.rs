//! Instances that were saved, to be told again: from a document of their own, and from the document of a check.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use wherefore_alloy::Shape;
use wherefore_alloy::answer::Found;
use wherefore_alloy::model::Model;
use wherefore_alloy::scene::Scene;
use wherefore_base::IndexVec;
use wherefore_relational::Instance;

use super::json::LANGUAGE;
use super::saved;

/// An instance in a document.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The file of the model.
    pub path: String,
    /// The name of the command.
    pub command: String,
    /// The number of the command from 1 on, if the document has it.
    pub number: Option<usize>,
    told: Told,
}

#[derive(Clone, Debug)]
enum Told {
    Own(saved::Document),
    Checked(Checked, Option<Scope>),
}

/// The instances in a text; none if it is no document about Alloy models.
///
/// # Errors
/// A sentence about what is wrong with the document.
pub fn read(text: &str) -> Option<Result<Vec<Saved>, String>> {
    let head: Head = serde_json::from_str(text).ok()?;
    if head.schema == saved::SCHEMA {
        return Some(saved::read(text).map(|file| {
            vec![Saved {
                path: file.path,
                command: file.command,
                number: None,
                told: Told::Own(file.instance),
            }]
        }));
    }
    if !head.models.iter().any(|model| model.language == LANGUAGE) {
        return None;
    }
    let document: Result<Document, _> = serde_json::from_str(text);
    let document =
        document.map_err(|error| format!("This is not the document of a check: {error}."));
    Some(document.map(|document| {
        let models = document.models.into_iter();
        models.flat_map(instances).collect()
    }))
}

fn instances(model: Checks) -> Vec<Saved> {
    let mut found = Vec::new();
    for property in model.properties {
        let Some(command) = property.command else {
            continue;
        };
        for instance in command.instances {
            found.push(Saved {
                path: model.path.clone(),
                command: property.name.clone(),
                number: Some(command.number),
                told: Told::Checked(instance, command.scope),
            });
        }
    }
    found
}

impl Saved {
    /// The place of its command in the model; none if the model has no such command any more.
    pub fn command_in(&self, model: &Model) -> Option<usize> {
        let named = |place: &usize| {
            let command = model.commands.get(*place);
            command.is_some_and(|command| command.label == self.command)
        };
        let numbered = self.number.and_then(|number| number.checked_sub(1));
        let mut all = 0..model.commands.len();
        numbered.filter(named).or_else(|| all.find(|at| named(at)))
    }

    /// The instance as it was found, without values of expressions.
    ///
    /// # Errors
    /// A sentence about what of it does not fit the model.
    pub fn found(&self, model: &Model) -> Result<Found, String> {
        let scene = match &self.told {
            Told::Own(document) => saved::scene(document, model)?,
            Told::Checked(checked, scope) => checked.scene(*scope, model)?,
        };
        let states = scene.moments.len();
        Ok(Found {
            shape: Shape {
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

/// What tells one document from another.
#[derive(Deserialize)]
struct Head {
    schema: String,
    #[serde(default)]
    models: Vec<Language>,
}

#[derive(Deserialize)]
struct Language {
    #[serde(default)]
    language: String,
}

#[derive(Deserialize)]
struct Document {
    models: Vec<Checks>,
}

#[derive(Deserialize)]
struct Checks {
    path: String,
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    #[serde(default)]
    command: Option<Command>,
}

#[derive(Deserialize)]
struct Command {
    number: usize,
    scope: Option<Scope>,
    instances: Vec<Checked>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Scope {
    bits: u32,
    sequence: i32,
    #[serde(default)]
    steps: Option<(i32, Option<i32>)>,
}

/// An instance in the document of a check: signatures and fields by name.
#[derive(Clone, Debug, Deserialize)]
struct Checked {
    atoms: Vec<saved::NamedAtom>,
    states: Vec<State>,
    #[serde(rename = "loop")]
    back: Option<usize>,
    witnesses: Vec<Witness>,
}

#[derive(Clone, Debug, Deserialize)]
struct State {
    signatures: BTreeMap<String, Vec<String>>,
    fields: BTreeMap<String, Vec<Vec<String>>>,
}

#[derive(Clone, Debug, Deserialize)]
struct Witness {
    name: String,
    variable: String,
    outer: usize,
    rows: Vec<Vec<String>>,
}

impl Checked {
    /// The scene that it tells, for the model it is about.
    fn scene(&self, scope: Option<Scope>, model: &Model) -> Result<Scene, String> {
        let Some(scope) = scope else {
            return Err("The document does not say in which scope it was found.".to_string());
        };
        let strings = self.strings();
        let string = strings.iter().map(|name| saved::NamedAtom {
            name: name.clone(),
            signature: model.sigs[wherefore_alloy::model::SigId::new(Model::STRING)]
                .label
                .clone(),
        });
        let fields = model.fields.iter().map(|field| saved::Field {
            name: model.names.text(field.name).to_string(),
            signature: model.sigs[field.sig].label.clone(),
            columns: saved::columns(model, field.ty.products()),
            private: field.private,
            var: field.var,
        });
        let fields: Vec<saved::Field> = fields.collect();
        let mut states = Vec::with_capacity(self.states.len());
        for state in &self.states {
            states.push(state.in_order(model, &fields, &strings)?);
        }
        let witnesses = self.witnesses.iter().map(|witness| {
            let arity = witness.rows.first().map_or(witness.outer + 1, Vec::len);
            saved::NamedWitness {
                name: witness.name.clone(),
                variable: witness.variable.clone(),
                outer: witness.outer,
                arity,
                rows: witness.rows.clone(),
            }
        });
        let document = saved::Document {
            bits: scope.bits,
            sequence: scope.sequence,
            steps: scope.steps.filter(|_| self.back.is_some()),
            signatures: saved::told(model)
                .map(|id| saved::signature(model, id))
                .collect(),
            fields,
            atoms: self.atoms.iter().cloned().chain(string).collect(),
            states,
            back: self.back,
            witnesses: witnesses.collect(),
        };
        saved::scene(&document, model)
    }

    /// The strings that occur, in quotes.
    fn strings(&self) -> Vec<String> {
        let states = self.states.iter();
        let fields = states.flat_map(|state| state.fields.values());
        let rows = fields.chain(self.witnesses.iter().map(|witness| &witness.rows));
        let names = rows.flatten().flatten();
        let strings: BTreeSet<&String> = names.filter(|name| name.starts_with('"')).collect();
        strings.into_iter().cloned().collect()
    }
}

impl State {
    /// Its values in the order of the signatures and fields of a model.
    fn in_order(
        &self,
        model: &Model,
        fields: &[saved::Field],
        strings: &[String],
    ) -> Result<saved::State, String> {
        let signatures = saved::told(model).map(|id| {
            let label = &model.sigs[id].label;
            match id.index() == Model::STRING {
                true => Ok(strings.to_vec()),
                false => self.signatures.get(label).cloned().ok_or(label),
            }
        });
        let signatures: Result<Vec<_>, &String> = signatures.collect();
        let signatures =
            signatures.map_err(|label| format!("The document has no signature `{label}`."))?;
        let fields = fields.iter().map(|field| {
            let name = format!("{}.{}", field.signature, field.name);
            self.fields.get(&name).cloned().ok_or(name)
        });
        let fields: Result<Vec<_>, String> = fields.collect();
        let fields = fields.map_err(|name| format!("The document has no field `{name}`."))?;
        let known =
            self.signatures.len() + 1 == signatures.len() && self.fields.len() == fields.len();
        match known {
            true => Ok(saved::State { signatures, fields }),
            false => {
                Err("The document has signatures or fields that the model has not.".to_string())
            }
        }
    }
}
