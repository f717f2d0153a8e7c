//! What `check` and `debug` print: models and what was found out about them.

use serde::{Deserialize, Serialize};

use crate::{
    CheckSchemaName, CountDoc, EngineName, NoteName, PropertyDoc, SeverityName, ToolName,
    ValuesDoc, to_page,
};

/// What `wherefore check --format json` and `wherefore debug --format json` print.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckDocument {
    /// The name of the schema.
    pub schema: CheckSchemaName,
    /// The program that wrote the document.
    #[serde(default)]
    pub tool: ToolDoc,
    /// One for each file, in the order of the command line.
    pub models: Vec<ModelDoc>,
}

/// The program that wrote a document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToolDoc {
    /// Its name.
    pub name: ToolName,
    /// Its version.
    pub version: String,
}

/// A model and what was found out about it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ModelDoc {
    /// The file as it was given.
    pub path: String,
    /// The language of the model.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "crate::LanguageName"))]
    pub language: String,
    /// How large the reachable system is; null when it was not explored.
    pub space: Option<SpaceDoc>,
    /// The states that properties are asked from, where they are not the initial ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<FromDoc>,
    /// Variables that the user did not declare: which process runs, and what fairness remembers of the last step.
    /// Screens do not show them; replay needs their values. Absent when there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    /// What is wrong with the model. Absent when nothing is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<DiagnosticDoc>,
    /// In source order.
    pub properties: Vec<PropertyDoc>,
    /// What every property of the model is subject to.
    #[serde(default)]
    pub notes: Vec<NoteDoc>,
    /// Only with `--stats`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<StatsDoc>,
}

/// The states that properties are asked from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FromDoc {
    /// The condition that they satisfy, as `--from` takes it.
    pub condition: String,
    /// How many reachable states satisfy it.
    pub reachable: CountDoc,
    /// How many other states satisfy it. Absent when they are not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreachable: Option<CountDoc>,
    /// Whether only the reachable ones are asked from.
    pub only_reachable: bool,
    /// The same as a sentence.
    pub text: String,
}

/// How large the reachable system is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpaceDoc {
    /// What holds its states.
    pub engine: EngineName,
    /// How many states can be reached.
    pub states: CountDoc,
    /// How many transitions there are; null when the engine does not count them.
    pub transitions: Option<CountDoc>,
    /// Only where symmetric states were left out: how many symmetries of the model were used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub symmetries: Option<usize>,
}

/// A message about the source of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiagnosticDoc {
    /// How bad it is.
    pub severity: SeverityName,
    /// What is wrong.
    pub message: String,
    /// The file.
    pub path: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// Pieces of advice.
    pub help: Vec<String>,
}

/// How long it took.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatsDoc {
    /// In seconds.
    pub seconds: f64,
}

/// A circumstance that changes what a verdict means.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NoteDoc {
    /// Which circumstance.
    pub kind: NoteName,
    /// The circumstance as a sentence.
    pub text: String,
    /// How many states it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<CountDoc>,
    /// One of the states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<ValuesDoc>,
}

impl Default for ToolDoc {
    fn default() -> Self {
        Self {
            name: ToolName::Wherefore,
            version: env!("CARGO_PKG_VERSION").to_string(),
        }
    }
}

impl CheckDocument {
    /// A document about these models.
    pub fn new(models: Vec<ModelDoc>) -> Self {
        Self {
            schema: CheckSchemaName::Version1,
            tool: ToolDoc::default(),
            models,
        }
    }

    /// The document as text, with a line break at its end.
    pub fn render(&self) -> String {
        to_page(self)
    }
}

impl ModelDoc {
    /// A model of which nothing is known but its file.
    pub fn unread(path: &str, language: &str) -> Self {
        Self {
            path: path.to_string(),
            language: language.to_string(),
            space: None,
            from: None,
            hidden: Vec::new(),
            diagnostics: Vec::new(),
            properties: Vec::new(),
            notes: Vec::new(),
            stats: None,
        }
    }

    /// A file that cannot be read, and why.
    pub fn unreadable(path: &str, language: &str, why: &str) -> Self {
        Self::unread(path, language).with_diagnostics(vec![DiagnosticDoc {
            severity: SeverityName::Error,
            message: why.to_string(),
            path: Some(path.to_string()),
            line: None,
            column: None,
            help: Vec::new(),
        }])
    }

    /// The same with messages about its source.
    #[must_use]
    pub fn with_diagnostics(mut self, diagnostics: Vec<DiagnosticDoc>) -> Self {
        self.diagnostics.extend(diagnostics);
        self
    }
}

impl NoteDoc {
    /// A circumstance that is a sentence and nothing more.
    pub fn said(kind: NoteName, text: String) -> Self {
        Self {
            kind,
            text,
            count: None,
            values: None,
        }
    }
}
