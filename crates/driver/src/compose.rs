//! Systems composed from files.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wherefore_base::{Budget, Diagnostic, FileId, Run, SourceFile, SourceMap, Span};
use wherefore_lts::compose::{BuildFailure, BuildNote, Built, Net};
use wherefore_lts::{LtsHalt, aut};
use wherefore_model::lts::Lts;

use crate::read::{open_file, read_text};
use crate::refusal::{ReadError, Refusal, Rejected};
use crate::subjects::lts::network::{self, Component, Network, Wiring};

/// A net whose systems are in files.
#[derive(Debug)]
pub struct Composition {
    net: Net,
    sources: SourceMap,
    /// Where the files are that the net names.
    folder: PathBuf,
}

/// What was composed.
#[derive(Debug)]
pub struct Composed {
    /// The system.
    pub lts: Lts,
    /// What is probably not meant.
    pub warnings: Option<Rejected>,
}

/// Why nothing was composed.
#[derive(Debug)]
pub enum ComposeError {
    /// A file cannot be read; the text says which.
    Unreadable(String),
    /// The net or a system in it is wrong.
    Rejected(Rejected),
    /// A limit was reached.
    Halted(LtsHalt),
}

impl fmt::Display for ComposeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ComposeError::Unreadable(text) => f.write_str(text),
            ComposeError::Rejected(rejected) => rejected.fmt(f),
            ComposeError::Halted(halt) => halt.fmt(f),
        }
    }
}

impl std::error::Error for ComposeError {}

impl ComposeError {
    /// The same, as what every command refuses.
    pub(crate) fn refusal(self) -> Refusal {
        match self {
            ComposeError::Rejected(rejected) => Refusal::Rejected(rejected),
            ComposeError::Halted(LtsHalt::Stopped(stop)) => Refusal::Stopped(stop),
            ComposeError::Unreadable(text) => Refusal::Unsupported(text),
            ComposeError::Halted(halt) => {
                ReadError::System(std::io::Error::other(halt.to_string())).into()
            }
        }
    }
}

impl Composition {
    /// A net made by hand: the names of its files are paths.
    pub fn of(net: Net) -> Self {
        Self {
            net,
            sources: SourceMap::default(),
            folder: PathBuf::new(),
        }
    }

    /// Reads a composition file. The files that it names are looked for where it is.
    ///
    /// # Errors
    /// When there is no such file, or it does not parse.
    pub fn open(path: &Path, budget: &Budget) -> Result<Self, ComposeError> {
        let name = path.display().to_string();
        let text = read_text(path, budget).map_err(|error| not_opened(&name, error))?;
        let mut sources = SourceMap::default();
        let net = Net::parse(FileId::new(0), &text);
        sources.add(SourceFile::new(name, text));
        match net {
            Ok(net) => Ok(Self {
                net,
                sources,
                folder: path.parent().unwrap_or(Path::new("")).to_path_buf(),
            }),
            Err(wrong) => Err(ComposeError::Rejected(Rejected {
                sources,
                diagnostics: vec![wrong],
            })),
        }
    }

    /// Adds operations to the whole of the net.
    pub fn net_mut(&mut self) -> &mut Net {
        &mut self.net
    }

    /// Reads the files and composes them.
    ///
    /// # Errors
    /// When a file cannot be used, the net cannot be meant, or a limit is reached.
    pub fn build(
        &self,
        options: &aut::ReadOptions,
        budget: &Budget,
    ) -> Result<Composed, ComposeError> {
        let load = |name: &str| read_system(&self.folder.join(name), options, budget);
        match self.net.build(load, &options.internal, budget) {
            Ok(Built { lts, notes }) => {
                let warn = |note: BuildNote| self.diagnostic(note, Diagnostic::warning);
                let warnings: Vec<Diagnostic> = notes.into_iter().map(warn).collect();
                let warnings = (!warnings.is_empty()).then(|| self.rejected(warnings));
                Ok(Composed { lts, warnings })
            }
            Err(BuildFailure::Halted(halt)) => Err(ComposeError::Halted(halt)),
            Err(BuildFailure::File(error, _)) => Err(error),
            Err(BuildFailure::Wrong(note)) => {
                let wrong = self.diagnostic(note, Diagnostic::error);
                Err(ComposeError::Rejected(self.rejected(vec![wrong])))
            }
        }
    }

    /// The same as [`Composition::build`], with all texts and with where the system comes from.
    ///
    /// # Errors
    /// As [`Composition::build`]; a file that cannot be read is told at the place where it is named.
    pub(crate) fn into_network(
        self,
        options: &aut::ReadOptions,
        budget: &Budget,
    ) -> Result<ComposedNetwork, Refusal> {
        let mut sources = self.sources.clone();
        let mut components: Vec<Component> = Vec::new();
        let load = |name: &str| {
            let path = self.folder.join(name);
            let (lts, text) = read_with_text(&path, options, budget)?;
            let shown = path.display().to_string();
            components.push(Component {
                name: name.to_string(),
                file: text.map(|text| sources.add(SourceFile::new(shown, text))),
                lts: Arc::new(lts.clone()),
            });
            Ok(lts)
        };
        let built = self.net.build_with_origins(load, &options.internal, budget);
        let (built, origins) = built.map_err(|failure| self.refused(failure))?;
        let notes = built.notes.into_iter();
        let warnings = notes.map(|note| self.diagnostic(note, Diagnostic::warning));
        let warnings = warnings.collect();
        let known = built.lts.states() <= network::MOST_STATES;
        Ok(ComposedNetwork {
            lts: built.lts,
            warnings,
            network: Network {
                wiring: Wiring::Composed(self.net, known.then_some(origins)),
                components,
                internal: options.internal.clone(),
            },
            sources,
        })
    }

    /// Why there is no network.
    fn refused(&self, failure: BuildFailure<ComposeError>) -> Refusal {
        match failure {
            BuildFailure::Halted(LtsHalt::Stopped(stop))
            | BuildFailure::File(ComposeError::Halted(LtsHalt::Stopped(stop)), _) => {
                Refusal::Stopped(stop)
            }
            BuildFailure::Halted(halt) | BuildFailure::File(ComposeError::Halted(halt), _) => {
                ReadError::System(std::io::Error::other(halt.to_string())).into()
            }
            BuildFailure::File(ComposeError::Rejected(rejected), _) => Refusal::Rejected(rejected),
            BuildFailure::File(ComposeError::Unreadable(message), span) => {
                let note = BuildNote {
                    span,
                    message,
                    help: Some("Files are looked for where the composition file is.".to_string()),
                };
                let wrong = self.diagnostic(note, Diagnostic::error);
                Refusal::Rejected(self.rejected(vec![wrong]))
            }
            BuildFailure::Wrong(note) => {
                let wrong = self.diagnostic(note, Diagnostic::error);
                Refusal::Rejected(self.rejected(vec![wrong]))
            }
        }
    }

    fn rejected(&self, diagnostics: Vec<Diagnostic>) -> Rejected {
        Rejected {
            sources: self.sources.clone(),
            diagnostics,
        }
    }

    fn diagnostic(&self, note: BuildNote, kind: fn(Span, String) -> Diagnostic) -> Diagnostic {
        let nowhere = Span::new(FileId::new(0), 0, 0);
        let mut diagnostic = kind(note.span.unwrap_or(nowhere), note.message);
        if note.span.is_none() {
            diagnostic.labels.clear();
        }
        match note.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// A composed system with everything that is known about where it comes from.
pub(crate) struct ComposedNetwork {
    pub(crate) lts: Lts,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) network: Network,
    /// The text of the composition, and those of the files that are kept.
    pub(crate) sources: SourceMap,
}

/// Reads an AUT file.
fn read_system(
    path: &Path,
    options: &aut::ReadOptions,
    budget: &Budget,
) -> Result<Lts, ComposeError> {
    opened(path, budget, |file| aut::read(file, options, budget))
}

/// Reads an AUT file with its text, if that is kept.
fn read_with_text(
    path: &Path,
    options: &aut::ReadOptions,
    budget: &Budget,
) -> Result<(Lts, Option<String>), ComposeError> {
    opened(path, budget, |file| {
        network::read_input(file, options, budget)
    })
}

/// Opens an AUT file and reads it somehow.
fn opened<T>(
    path: &Path,
    budget: &Budget,
    read: impl FnOnce(File) -> Run<Result<T, aut::AutError>>,
) -> Result<T, ComposeError> {
    let name = path.display().to_string();
    let ending = path.extension().unwrap_or_default();
    if ending.eq_ignore_ascii_case("bcg") {
        return Err(ComposeError::Rejected(bcg(&name)));
    }
    budget.phase("reading the systems");
    let file = open_file(path).map_err(|error| not_opened(&name, error.into()))?;
    let read = read(file).map_err(|stop| ComposeError::Halted(stop.into()))?;
    read.map_err(|error| {
        let (sources, diagnostic) = error.diagnostic(&name);
        ComposeError::Rejected(Rejected {
            sources,
            diagnostics: vec![diagnostic],
        })
    })
}

/// BCG files are not read: their format is not published.
fn bcg(name: &str) -> Rejected {
    let text = Path::new(name).with_extension("aut");
    let mut rejected = about(
        name,
        format!("`{name}` is a BCG file, which only CADP reads"),
    );
    let advice = format!(
        "Let CADP write it as text: `bcg_io {name} {}`.",
        text.display()
    );
    for diagnostic in &mut rejected.diagnostics {
        diagnostic.help.push(advice.clone());
    }
    rejected
}

fn not_opened(name: &str, error: Refusal) -> ComposeError {
    match error {
        Refusal::Rejected(rejected) => ComposeError::Rejected(rejected),
        Refusal::Stopped(stop) => ComposeError::Halted(stop.into()),
        Refusal::Io(ReadError::System(_)) | Refusal::Companion { .. } => {
            ComposeError::Unreadable(format!("{name}: {error}"))
        }
        Refusal::Io(_) | Refusal::Unsupported(_) => {
            ComposeError::Rejected(about(name, format!("{name}: {error}")))
        }
    }
}

/// A message about a whole file.
fn about(name: &str, message: String) -> Rejected {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(name, ""));
    let mut diagnostic = Diagnostic::error(Span::new(file, 0, 0), message);
    diagnostic.labels.clear();
    Rejected {
        sources,
        diagnostics: vec![diagnostic],
    }
}
