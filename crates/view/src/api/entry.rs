//! The overview: models and their properties, without evidence.

use serde::Serialize;
use serde_json::Value as Json;
use wherefore_evidence::{Evidence, Finding};
use wherefore_model::{Model, VarKind};

use super::told::Told;
use super::{SCHEMA, render, tool};
use crate::json::{self, Message, Property, Remark, Space, Tool};
use crate::words::clean;
use crate::{Report, lts};

/// The most values of a variable that are listed.
const MOST_VALUES: u64 = 64;
/// The longest text of a model that is shown, in bytes.
const LONGEST_SOURCE: usize = 1 << 20;

/// What is served, and from where to start.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct About {
    schema: &'static str,
    tool: Tool,
    pub start: Start,
    pub live: bool,
    pub command: String,
    pub formats: Vec<Format>,
}

/// What the command line asks for.
#[derive(Clone, Copy, Default, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Start {
    pub model: usize,
    pub property: Option<usize>,
}

/// A format that evidence can be written in.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Format {
    pub name: &'static str,
    pub title: &'static str,
    pub media: &'static str,
    pub ending: &'static str,
    pub languages: &'static [&'static str],
}

/// A model in the list.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Entry {
    pub id: usize,
    model: ListedModel,
    pub checking: &'static str,
    pub abilities: Vec<&'static str>,
    pub variables: Vec<Variable>,
    pub source: Option<String>,
}

/// A *Model* whose properties have no evidence.
#[derive(Clone, Debug, Serialize)]
struct ListedModel {
    path: String,
    language: &'static str,
    space: Option<Space>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hidden: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<Message>,
    properties: Vec<Listed>,
    notes: Vec<Remark>,
}

/// A property in the list.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Listed {
    pub id: usize,
    pub size: Option<Size>,
    #[serde(flatten)]
    pub property: Property,
}

/// What evidence amounts to.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Size {
    pub shape: &'static str,
    pub steps: u32,
    pub because: String,
}

/// A variable of a model.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Variable {
    pub name: String,
    pub kind: &'static str,
    pub hidden: bool,
    pub values: Option<Vec<Json>>,
}

impl About {
    /// What is served by a command.
    pub fn new(command: &str, start: Start, live: bool, formats: Vec<Format>) -> Self {
        Self {
            schema: SCHEMA,
            tool: tool(),
            start,
            live,
            command: command.to_string(),
            formats,
        }
    }
}

/// The list of models.
pub fn models(entries: &[&Entry]) -> String {
    #[derive(Serialize)]
    struct Models<'a> {
        models: &'a [&'a Entry],
    }
    render(&Models { models: entries })
}

impl Entry {
    /// A model of which nothing is known but its file.
    pub fn unread(id: usize, path: &str, language: &'static str) -> Self {
        Self {
            id,
            model: ListedModel {
                path: path.to_string(),
                language,
                space: None,
                hidden: Vec::new(),
                diagnostics: Vec::new(),
                properties: Vec::new(),
                notes: Vec::new(),
            },
            checking: "waiting",
            abilities: Vec::new(),
            variables: Vec::new(),
            source: None,
        }
    }

    /// Takes what a document says of the model; its properties are those that are given.
    pub fn tell(&mut self, model: json::Model, properties: Vec<Listed>) {
        self.model = ListedModel {
            path: model.path,
            language: model.language,
            space: model.space,
            hidden: model.hidden,
            diagnostics: model.diagnostics,
            properties,
            notes: model.notes,
        };
    }

    /// Takes variables, unless there are some with their names.
    pub fn add_variables(&mut self, variables: Vec<Variable>) {
        for variable in variables {
            if self
                .variables
                .iter()
                .all(|known| known.name != variable.name)
            {
                self.variables.push(variable);
            }
        }
    }

    /// Takes the text of the model, unless it is very long.
    pub fn show_source(&mut self, text: &str) {
        self.source = (text.len() <= LONGEST_SOURCE).then(|| text.to_string());
    }

    /// Takes how large the space is, and what every property is subject to.
    pub fn tell_space(&mut self, model: json::Model) {
        self.model.space = model.space;
        self.model.notes = model.notes;
    }

    /// Takes what is known of a property.
    pub fn tell_property(&mut self, listed: Listed) {
        match self.model.properties.get_mut(listed.id) {
            Some(known) => *known = listed,
            None => self.model.properties.push(listed),
        }
    }

    /// How large the space is, if that is known.
    pub fn space(&self) -> Option<&Space> {
        self.model.space.as_ref()
    }

    /// The properties.
    pub fn properties(&self) -> &[Listed] {
        &self.model.properties
    }

    /// The name of the language.
    pub fn language(&self) -> &'static str {
        self.model.language
    }

    /// The name of the file.
    pub fn path(&self) -> &str {
        &self.model.path
    }

    /// Its text.
    pub fn render(&self) -> String {
        render(self)
    }
}

impl Listed {
    /// A property of a model that nobody has checked yet.
    pub fn unchecked(report: &Report<'_>, finding: &Finding) -> Self {
        Self::bare(json::property(report, finding), finding.property).without_verdict()
    }

    /// The same of a system.
    pub fn unchecked_of_system(report: &lts::Report<'_>, finding: &Finding) -> Self {
        Self::bare(lts::json::property(report, finding), finding.property).without_verdict()
    }

    /// A property that was checked, in short.
    pub fn of(mut property: Property, finding: &Finding, told: Option<&Told>) -> Self {
        property.evidence = None;
        property.more = Vec::new();
        property.witness = None;
        property.certificate = None;
        property.abstracted = None;
        property.decisions = Vec::new();
        property.analysis = None;
        if let Some(command) = &mut property.command {
            command.instances.clear();
        }
        let size = |(evidence, told): (&Evidence, &Told)| Size {
            shape: evidence.shape.name(),
            steps: evidence.minimal.length,
            because: told.because.clone(),
        };
        let size = finding.evidence.as_ref().zip(told).map(size);
        Self {
            size,
            ..Self::bare(property, finding.property)
        }
    }

    /// A command of an Alloy model that nobody has answered yet.
    pub fn unchecked_command(property: Property, id: usize) -> Self {
        Self::bare(property, id).without_verdict()
    }

    /// A command that was answered, without its instances.
    pub fn command(mut property: Property, id: usize) -> Self {
        if let Some(command) = &mut property.command {
            command.instances.clear();
        }
        Self::bare(property, id)
    }

    /// A property without a size.
    pub fn bare(property: Property, id: usize) -> Self {
        Self {
            id,
            size: None,
            property,
        }
    }

    fn without_verdict(mut self) -> Self {
        if self.property.verdict == "unknown" {
            self.property.verdict = "unchecked";
            self.property.reason = None;
        }
        self
    }
}

impl Variable {
    /// The variables of a model.
    pub fn all(report: &Report<'_>) -> Vec<Self> {
        let model: &Model = report.model;
        let variables = model.vars.iter().map(|var| Self {
            name: var.name.clone(),
            kind: match var.kind {
                VarKind::State => "state",
                VarKind::Frozen => "frozen",
                VarKind::Input => "input",
            },
            hidden: !var.is_declared(),
            values: (var.domain.size() <= MOST_VALUES.into()).then(|| {
                let values = var.domain.values();
                values.map(|v| json::value(report, v)).collect()
            }),
        });
        variables.collect()
    }
}

/// A name that fits into the head of a response and into a file name.
pub fn file_name(name: &str, ending: &str) -> String {
    let letter = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "_-.".contains(c) => c,
        _ => '_',
    };
    let stem: String = clean(name).chars().take(60).map(letter).collect();
    format!("{}{ending}", stem.trim_start_matches('.'))
}
