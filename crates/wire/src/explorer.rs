//! What the explorer answers about models and properties. `docs/explorer-api.md` says to what.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::{
    AbilityName, ByName, CheckingName, DiagnosticDoc, EndingName, ExplorerSchemaName, FailureName,
    FromDoc, ModelDoc, NoteDoc, PropertyDoc, ShapeName, SpaceDoc, StatsDoc, ToolDoc, ValueDoc,
    VariableName, VerdictName, to_line,
};

/// What is served, and where to start.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AboutAnswer {
    /// The name of the schema.
    pub schema: ExplorerSchemaName,
    /// The program that answers.
    pub tool: ToolDoc,
    /// What the command line asks for.
    pub start: StartDoc,
    /// Whether new questions can be asked.
    pub live: bool,
    /// The command line.
    pub command: String,
    /// The formats that evidence can be written in.
    pub formats: Vec<ExportFormatDoc>,
}

/// What the command line asks for.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StartDoc {
    /// The number of a model.
    pub model: usize,
    /// The number of a property.
    pub property: Option<usize>,
}

/// A format that evidence can be written in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExportFormatDoc {
    /// Its name in requests.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Its media type.
    pub media: String,
    /// The ending of the names of files.
    pub ending: String,
    /// The languages whose evidence can be written so.
    pub languages: Vec<String>,
}

/// The list of models.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ModelsAnswer {
    /// The models, by their numbers.
    pub models: Vec<ModelEntryDoc>,
}

/// A model in the list.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ModelEntryDoc {
    /// Its number.
    pub id: usize,
    /// What is known about it.
    pub model: ListedModelDoc,
    /// How far its check is.
    pub checking: CheckingName,
    /// What can be done with it.
    pub abilities: Vec<AbilityName>,
    /// Its variables.
    pub variables: Vec<VariableDoc>,
    /// Its text; null when it is very long.
    pub source: Option<String>,
}

/// A model whose properties have no evidence.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ListedModelDoc {
    /// The file as it was given.
    pub path: String,
    /// The language of the model.
    #[cfg_attr(test, schemars(with = "crate::LanguageName"))]
    pub language: String,
    /// How large the reachable system is; null when it was not explored.
    pub space: Option<SpaceDoc>,
    /// Variables that the user did not declare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    /// What is wrong with the model. Absent when nothing is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<DiagnosticDoc>,
    /// In source order.
    pub properties: Vec<ListedPropertyDoc>,
    /// What every property of the model is subject to.
    pub notes: Vec<NoteDoc>,
    /// How long the check took. Only in a report that is made of a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<StatsDoc>,
}

/// A property in the list of a model: without its evidence.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ListedPropertyDoc {
    /// Its number.
    pub id: usize,
    /// What its evidence amounts to.
    pub size: Option<EvidenceSizeDoc>,
    /// What was found out about it.
    #[serde(flatten)]
    pub property: PropertyDoc,
}

/// What evidence amounts to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvidenceSizeDoc {
    /// Its shape.
    pub shape: ShapeName,
    /// How long it is.
    pub steps: u32,
    /// Why the property is as it is, in a sentence.
    pub because: String,
}

/// A variable of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VariableDoc {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: VariableName,
    /// Whether the user did not declare it.
    pub hidden: bool,
    /// The values that it may have; null when there are many.
    pub values: Option<Vec<ValueDoc>>,
}

/// A property with everything that is known about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PropertyAnswer {
    /// The number of the model.
    pub model: usize,
    /// The number of the property.
    pub id: usize,
    /// The states that it is asked from. Absent when they are the initial ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<FromDoc>,
    /// What was found out about it.
    pub property: PropertyDoc,
    /// Its evidence in words.
    pub told: Option<ToldDoc>,
    /// Its sub-formulas, operands first.
    pub formula: Vec<FormulaNodeDoc>,
}

/// Evidence in words.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToldDoc {
    /// Why the property is as it is, in a sentence.
    pub because: String,
    /// What the property says; null for a system.
    pub reading: Option<String>,
    /// How the evidence answers it.
    pub answer: Option<String>,
    /// The shape of the evidence.
    pub shape: String,
    /// What else is to be known of it, in a few words each.
    pub badges: Vec<String>,
    /// What the runs had to choose.
    pub decisions: Vec<String>,
    /// What became of each wish that the evidence was chosen by.
    pub wishes: Vec<String>,
    /// What is said about each state.
    pub steps: Vec<ToldStepDoc>,
    /// The runs as they are read.
    pub runs: Vec<ToldRunDoc>,
    /// For each node of the proof, what it says; empty where there are very many.
    pub proof: Vec<String>,
}

/// What is said about a state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToldStepDoc {
    /// The state.
    pub state: usize,
    /// What happens there.
    pub sentence: Option<String>,
    /// What else is to be said.
    pub remarks: Vec<String>,
}

/// A run as it is read.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToldRunDoc {
    /// The state that it branches off.
    pub from: Option<usize>,
    /// Its states in order.
    pub states: Vec<usize>,
    /// The state where its loop starts.
    #[serde(rename = "loop")]
    pub back: Option<usize>,
    /// How it ends.
    pub ending: EndingName,
    /// Where the last step leads, of a run that joins another.
    pub to: Option<usize>,
    /// The sub-formula that it serves.
    pub sub: Option<usize>,
    /// Whether the sub-formula holds or fails.
    pub holds: Option<bool>,
    /// What it is.
    pub title: String,
}

/// A sub-formula; its number is the one that evidence uses.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FormulaNodeDoc {
    /// Its number.
    pub id: usize,
    /// The formula.
    pub text: String,
    /// Its operator as it is written.
    pub op: String,
    /// The numbers of its operands.
    pub operands: Vec<usize>,
    /// The bounds of a bounded operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[u32; 2]>,
}

/// Whether work was cancelled.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CancelledAnswer {
    /// Whether there was something to cancel.
    pub cancelled: bool,
}

/// Whether an analysis was closed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClosedAnswer {
    /// Whether there was one.
    pub closed: bool,
}

/// A file, in a stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TextAnswer {
    /// Its text.
    pub text: String,
}

/// What went wrong, as the body of a response.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FailureAnswer {
    /// What went wrong.
    pub error: FailureDoc,
}

/// What went wrong.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FailureDoc {
    /// Why there is no good answer.
    pub kind: FailureName,
    /// The same in whole sentences.
    pub message: String,
    /// Messages about a text in the request.
    pub diagnostics: Vec<DiagnosticDoc>,
}

/// What a report in one file has inside: answers by route.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportDocument {
    /// The name of the schema.
    pub schema: ExplorerSchemaName,
    /// The answers by route.
    pub responses: ByName<Json>,
    /// What is not there, in sentences.
    pub left_out: Vec<String>,
}

/// The longest text of a model that is shown, in bytes.
const LONGEST_SOURCE: usize = 1 << 20;

impl AboutAnswer {
    /// What is served by a command.
    pub fn new(command: &str, start: StartDoc, live: bool, formats: Vec<ExportFormatDoc>) -> Self {
        Self {
            schema: ExplorerSchemaName::Version1,
            tool: ToolDoc::default(),
            start,
            live,
            command: command.to_string(),
            formats,
        }
    }
}

impl ModelEntryDoc {
    /// A model of which nothing is known but its file.
    pub fn unread(id: usize, path: &str, language: &str) -> Self {
        Self {
            id,
            model: ListedModelDoc::new(ModelDoc::unread(path, language), Vec::new()),
            checking: CheckingName::Waiting,
            abilities: Vec::new(),
            variables: Vec::new(),
            source: None,
        }
    }

    /// Takes what a document says of the model; its properties are those that are given.
    pub fn tell(&mut self, model: ModelDoc, properties: Vec<ListedPropertyDoc>) {
        self.model = ListedModelDoc::new(model, properties);
    }

    /// Takes variables, unless there are some with their names.
    pub fn add_variables(&mut self, variables: Vec<VariableDoc>) {
        for variable in variables {
            let mut known = self.variables.iter();
            if known.all(|known| known.name != variable.name) {
                self.variables.push(variable);
            }
        }
    }

    /// Takes the text of the model, unless it is very long.
    pub fn show_source(&mut self, text: &str) {
        self.source = (text.len() <= LONGEST_SOURCE).then(|| text.to_string());
    }

    /// Takes how large the space is, and what every property is subject to.
    pub fn tell_space(&mut self, model: ModelDoc) {
        self.model.space = model.space;
        self.model.notes = model.notes;
    }

    /// Its text.
    pub fn render(&self) -> String {
        to_line(self)
    }

    /// Takes what is known of a property.
    pub fn tell_property(&mut self, listed: ListedPropertyDoc) {
        match self.model.properties.get_mut(listed.id) {
            Some(known) => *known = listed,
            None => self.model.properties.push(listed),
        }
    }
}

impl ListedModelDoc {
    fn new(mut model: ModelDoc, properties: Vec<ListedPropertyDoc>) -> Self {
        let from = model.from.take().map(|from| from.text);
        let from = from.map(|text| NoteDoc::said(crate::NoteName::Said, text));
        model.notes.splice(0..0, from);
        Self {
            path: model.path,
            language: model.language,
            space: model.space,
            hidden: model.hidden,
            diagnostics: model.diagnostics,
            properties,
            notes: model.notes,
            stats: None,
        }
    }
}

impl ListedPropertyDoc {
    /// A property that was checked, in short: what is long is left out.
    pub fn new(mut property: PropertyDoc, id: usize, size: Option<EvidenceSizeDoc>) -> Self {
        property.evidence = None;
        property.more = Vec::new();
        property.witness = None;
        property.certificate = None;
        property.abstracted = None;
        property.decisions = Vec::new();
        property.blame = Vec::new();
        property.blame_search = None;
        property.analysis = None;
        if let Some(command) = &mut property.command {
            command.instances.clear();
        }
        Self { id, size, property }
    }

    /// A property that nobody has checked yet.
    pub fn unchecked(mut property: PropertyDoc, id: usize) -> Self {
        if property.verdict == VerdictName::Unknown {
            property.verdict = VerdictName::Unchecked;
            property.reason = None;
        }
        let size = None;
        Self { id, size, property }
    }
}

impl PropertyAnswer {
    /// Its text.
    pub fn render(&self) -> String {
        to_line(self)
    }
}

impl FailureAnswer {
    /// A failure of a kind, in whole sentences.
    pub fn new(kind: FailureName, message: &str) -> Self {
        let error = FailureDoc {
            kind,
            message: message.to_string(),
            diagnostics: Vec::new(),
        };
        Self { error }
    }

    /// The same with messages about a text.
    #[must_use]
    pub fn with(mut self, diagnostics: Vec<DiagnosticDoc>) -> Self {
        self.error.diagnostics.extend(diagnostics);
        self
    }
}
