//! A session over a labelled transition system: an AUT file, properties in MCL, and their findings.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use num_bigint::BigUint;
use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap, Stop};
use wherefore_evidence::modal::investigate;
use wherefore_evidence::{Finding, SpaceSummary, UnknownReason, Verdict};
use wherefore_lts::aut::{self, ReadOptions};
use wherefore_lts::mcl;
use wherefore_model::SpaceEngine;
use wherefore_model::lts::Lts;
use wherefore_view::lts::{Property, Report};

use crate::engine::Event;
use crate::read::read_text;
use crate::session::{FORMULA, OpenError, Rejected};

/// Why a system or its properties could not be opened, and in which file.
#[derive(Debug)]
pub struct LtsError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub why: OpenError,
}

/// A labelled transition system with its properties.
///
/// ```
/// use wherefore_driver::{LtsSession, base::Budget, evidence::Verdict};
///
/// let mut session = LtsSession::read("door.aut", b"des (0, 2, 2)\n(0, OPEN, 1)\n(1, BANG, 0)\n")?;
/// session.add_formula("[ true* . \"BANG\" ] false")?;
/// let finding = session.check(0, &Budget::unlimited());
/// assert_eq!(finding.verdict, Verdict::Fails);
/// let run = finding.evidence.expect("a failing property has evidence");
/// assert_eq!(run.minimal.length, 2); // OPEN, BANG
/// # Ok::<(), wherefore_driver::Rejected>(())
/// ```
#[derive(Debug)]
pub struct LtsSession {
    path: String,
    lts: Lts,
    sources: SourceMap,
    properties: Vec<Property>,
    warnings: Vec<Diagnostic>,
}

impl LtsSession {
    /// Reads a system from a file, compressed or not, and its properties from MCL files.
    ///
    /// # Errors
    /// When a file cannot be read or is wrong, or the budget ends.
    pub fn open(
        path: &Path,
        properties: &[PathBuf],
        options: &ReadOptions,
        budget: &Budget,
    ) -> Result<Self, LtsError> {
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |why| LtsError { path, why }
        };
        let lts = open_lts(path, options, budget).map_err(at(path))?;
        let mut session = Self::new(&path.display().to_string(), lts);
        for file in properties {
            session.add_file(file, budget).map_err(at(file))?;
        }
        Ok(session)
    }

    /// Reads a system from a text; `name` is what messages call it.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(name: &str, text: &[u8]) -> Result<Self, Rejected> {
        let read = aut::parse(text, &ReadOptions::default(), &Budget::unlimited());
        let lts = read.expect("nobody stops this budget");
        let lts = lts.map_err(|error| rejected(error.diagnostic(name)))?;
        Ok(Self::new(name, lts))
    }

    fn new(path: &str, lts: Lts) -> Self {
        Self {
            path: path.to_string(),
            lts,
            sources: SourceMap::default(),
            properties: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Adds the properties of an MCL file. One without a name is called as the file is.
    ///
    /// # Errors
    /// When the file cannot be read or is wrong, or the budget ends.
    pub fn add_file(&mut self, path: &Path, budget: &Budget) -> Result<(), OpenError> {
        let text = read_text(path, budget)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new(""));
        let library = |name: &str| {
            let path = folder.join(name);
            let text = read_text(&path, budget).ok()?;
            Some(SourceFile::new(path.display().to_string(), text))
        };
        let source = SourceFile::new(path.display().to_string(), text);
        let added = self.add(source, &stem, true, &library);
        added.map(|_| ()).map_err(OpenError::Rejected)
    }

    /// Adds a property in MCL; returns its index.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn add_formula(&mut self, text: &str) -> Result<usize, Rejected> {
        let name = format!("formula{}", 1 + self.formulas().count());
        self.add(SourceFile::new(FORMULA, text), &name, false, &|_| None)
    }

    /// Adds the properties of a text; returns the index of the first.
    fn add(
        &mut self,
        source: SourceFile,
        unnamed: &str,
        placed: bool,
        library: &dyn Fn(&str) -> Option<SourceFile>,
    ) -> Result<usize, Rejected> {
        let file = self.sources.add(source);
        let (parsed, diagnostics) = mcl::parse(file, &mut self.sources, library);
        let Some(parsed) = parsed else {
            return Err(self.rejected(diagnostics));
        };
        self.warnings.extend(diagnostics);
        let first = self.properties.len();
        for property in parsed.properties() {
            let lowered = mcl::lower(&property, &self.lts);
            let lowered = lowered.map_err(|diagnostics| self.rejected(diagnostics))?;
            self.warnings.extend(lowered.warnings);
            self.properties.push(Property {
                name: property.name().unwrap_or(unnamed).to_string(),
                text: property.text(),
                span: placed.then(|| property.span()),
                question: lowered.question,
            });
        }
        Ok(first)
    }

    /// The properties that [`LtsSession::add_formula`] added, by index.
    pub fn formulas(&self) -> impl Iterator<Item = usize> + '_ {
        let properties = self.properties.iter().enumerate();
        properties
            .filter(|(_, property)| property.span.is_none())
            .map(|(at, _)| at)
    }

    /// The system.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }

    /// Its properties.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The texts of the properties.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// What is odd about the properties without making them useless.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Messages about the properties together with their texts.
    pub fn rejected(&self, diagnostics: Vec<Diagnostic>) -> Rejected {
        rejected_with(self.sources.clone(), diagnostics)
    }

    /// Everything about one property.
    ///
    /// # Panics
    /// When there is no property with this index.
    pub fn check(&self, property: usize, budget: &Budget) -> Finding {
        let question = &self.properties[property].question;
        investigate(&self.lts, question, property, budget)
    }

    /// Checks these properties and tells each thing as soon as it is known.
    ///
    /// # Panics
    /// When there is no property with one of these indices.
    pub fn check_all(&self, properties: &[usize], budget: &Budget, tell: &mut dyn FnMut(Event)) {
        tell(Event::Space(SpaceSummary {
            engine: SpaceEngine::Explicit,
            states: BigUint::from(self.lts.states()),
            transitions: Some(self.lts.transitions() as u64),
            symmetries: 0,
            initial: BigUint::from(1u32),
            notes: vec![],
        }));
        for &property in properties {
            tell(Event::Finding(Box::new(self.check(property, budget))));
        }
    }

    /// What views need to tell these findings.
    pub fn report<'a>(
        &'a self,
        space: Option<&'a SpaceSummary>,
        findings: &'a [Finding],
    ) -> Report<'a> {
        Report {
            path: &self.path,
            lts: &self.lts,
            sources: &self.sources,
            properties: &self.properties,
            space,
            findings,
            seconds: None,
        }
    }

    /// What there is to say about a property that nobody decided.
    pub fn undecided(&self, property: usize, stop: Stop) -> Finding {
        let question = &self.properties[property].question;
        Finding::new(
            property,
            Verdict::Unknown(UnknownReason::Stopped(stop)),
            Some(wherefore_check::modal::class_of(question)),
        )
    }
}

fn open_lts(path: &Path, options: &ReadOptions, budget: &Budget) -> Result<Lts, OpenError> {
    let file = File::open(path).map_err(OpenError::Io)?;
    if file.metadata().map_err(OpenError::Io)?.is_dir() {
        let error = io::Error::new(io::ErrorKind::IsADirectory, "it is a folder");
        return Err(OpenError::Io(error));
    }
    let read = aut::read(file, options, budget).map_err(OpenError::Stopped)?;
    read.map_err(|error| {
        OpenError::Rejected(rejected(error.diagnostic(&path.display().to_string())))
    })
}

fn rejected((sources, diagnostic): (SourceMap, Diagnostic)) -> Rejected {
    rejected_with(sources, vec![diagnostic])
}

fn rejected_with(sources: SourceMap, diagnostics: Vec<Diagnostic>) -> Rejected {
    Rejected {
        sources,
        diagnostics,
    }
}
