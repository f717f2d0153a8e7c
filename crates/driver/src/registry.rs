//! The languages that are read: which one a file is in, and what becomes of it.
//!
//! A language is a [`FrontEnd`]. To add one takes a crate with a [`ModelLanguage`], which lowers its text to a model or to
//! a labelled transition system, and one line in [`FRONT_ENDS`]: [`TextFiles`] makes a front end of it. Nothing else in
//! the program names it.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use wherefore_base::{Budget, Diagnostic, SourceFile, SourceMap};
use wherefore_model::{DescribedSystem, ModelLanguage};

use crate::opening::Opening;
use crate::read::{read_file, read_text};
use crate::refusal::{Refusal, Rejected};
use crate::subject::{Capability, Language, Subject};
use crate::subjects::alloy::AlloySubject;
use crate::subjects::lts::LtsSubject;
use crate::subjects::model::ModelSubject;
use crate::subjects::smt::{SmtSubject, is_infinite};

/// The languages, in the order in which they are tried: the first that knows a file takes it.
pub const FRONT_ENDS: &[&dyn FrontEnd] = &[&AutFiles, &NetFiles, &AlloyFiles, &SmtFiles, &SmvFiles];

/// So many bytes of a file are looked at to know its language.
const LOOKED_AT: u64 = 1 << 20;

/// A file that may be a model, read at most once.
#[derive(Debug)]
pub struct Input {
    /// Where it is.
    pub path: PathBuf,
    /// Files of properties that belong to it.
    pub properties: Vec<PathBuf>,
    content: Content,
}

/// What is known of the content of a file.
#[derive(Debug)]
enum Content {
    Unread,
    /// The first bytes, and the file from there on.
    Begun(Vec<u8>, File),
    Text(String),
}

impl Input {
    /// A file that nobody has read.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            properties: Vec::new(),
            content: Content::Unread,
        }
    }

    /// A text that has been read; `path` is what messages call it.
    pub fn of_text(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self {
            content: Content::Text(text.into()),
            ..Self::new(path)
        }
    }

    /// Adds a file of properties that belong to it.
    #[must_use]
    pub fn with_properties(mut self, path: impl Into<PathBuf>) -> Self {
        self.properties.push(path.into());
        self
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Whether the name ends with one of these, in capitals or not.
    pub fn ends_with(&self, endings: &[&str]) -> bool {
        let name = self.path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().to_lowercase();
        endings.iter().any(|ending| name.ends_with(ending))
    }

    /// Whether it is no plain file, as standard input: what it holds is known once it is read.
    pub fn is_stream(&self) -> bool {
        let about = self.path.metadata();
        let by_name = [AutFiles.endings(), NetFiles.endings(), AlloyFiles.endings()]
            .iter()
            .any(|endings| self.ends_with(endings));
        !by_name && about.is_ok_and(|about| !about.is_file() && !about.is_dir())
    }

    /// The beginning of a plain file, or the text that was read; empty where neither is to be had.
    fn beginning(&mut self) -> Cow<'_, str> {
        if matches!(self.content, Content::Unread)
            && let Some(begun) = begin(&self.path)
        {
            self.content = begun;
        }
        match &self.content {
            Content::Text(text) => Cow::Borrowed(text),
            Content::Begun(bytes, _) if !bytes.contains(&0) => String::from_utf8_lossy(bytes),
            Content::Begun(..) | Content::Unread => Cow::Borrowed(""),
        }
    }

    /// The text; there is none any more then.
    ///
    /// # Errors
    /// When the file cannot be read, or the budget ends.
    pub fn text(&mut self, budget: &Budget) -> Result<String, Refusal> {
        match std::mem::replace(&mut self.content, Content::Unread) {
            Content::Unread => read_text(&self.path, budget),
            Content::Begun(bytes, file) => read_file(bytes, file, budget),
            Content::Text(text) => Ok(text),
        }
    }
}

/// Begins to read a plain file. What is no plain file is not begun: its language is known once all of it is read.
fn begin(path: &Path) -> Option<Content> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let (mut file, mut bytes) = (File::open(path).ok()?, Vec::new());
    file.by_ref().take(LOOKED_AT).read_to_end(&mut bytes).ok()?;
    Some(Content::Begun(bytes, file))
}

/// A language that is read.
pub trait FrontEnd: Sync {
    /// The language.
    fn language(&self) -> Language;

    /// How the names of its files end.
    fn endings(&self) -> &'static [&'static str];

    /// Whether a file is in this language: by its name, or by its beginning.
    fn sniff(&self, input: &mut Input) -> bool {
        input.ends_with(self.endings())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or is no such model, or the budget ends.
    fn load(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<Box<dyn Subject>, Refusal>;

    /// What models in this language can do; one of them may be able to do less.
    fn capabilities(&self) -> &'static [Capability];
}

/// The front end for a file: the first that knows it.
pub fn front_end(input: &mut Input) -> &'static dyn FrontEnd {
    let known = FRONT_ENDS.iter().find(|one| one.sniff(input));
    *known.expect("the last front end takes every file")
}

/// The language that a file is written in, as documents have it.
pub fn language_of(input: &mut Input) -> Language {
    // Infinite-state models are written in SMV, too.
    if input.ends_with(SmvFiles.endings()) {
        SmvFiles.language()
    } else {
        front_end(input).language()
    }
}

/// Whether models in the language of a file can do something.
pub fn can(path: &Path, capability: Capability) -> bool {
    let front_end = front_end(&mut Input::new(path));
    front_end.capabilities().contains(&capability)
}

/// Reads a file in the language that it is in.
///
/// # Errors
/// When it cannot be read or is no such model, or the budget ends.
pub fn open(input: Input, opening: &Opening, budget: &Budget) -> Result<Box<dyn Subject>, Refusal> {
    let mut subject = read(input, opening, budget)?;
    arrange(&mut *subject, opening, budget)?;
    Ok(subject)
}

/// Reads a file as the model with variables that it is or stands for.
///
/// # Errors
/// As [`open`], and when there is no such model.
pub fn open_model(
    input: Input,
    opening: &Opening,
    budget: &Budget,
) -> Result<ModelSubject, Refusal> {
    let mut model = read(input, opening, budget)?.into_model(opening, budget)?;
    arrange(&mut model, opening, budget)?;
    Ok(model)
}

/// Has the questions of a subject asked as the user wants them to be, whatever its language says.
fn arrange(subject: &mut dyn Subject, opening: &Opening, budget: &Budget) -> Result<(), Refusal> {
    if let Some(rule) = opening.paths {
        subject.set_paths(rule)?;
    }
    if let Some(condition) = &opening.from {
        subject.ask_from(condition, budget)?;
    }
    for name in &opening.names {
        subject.name_states(name, budget)?;
    }
    Ok(())
}

/// Reads a file in the language that it is in, as that language asks its questions.
fn read(mut input: Input, opening: &Opening, budget: &Budget) -> Result<Box<dyn Subject>, Refusal> {
    // What is no plain file can be read but once.
    if matches!(input.content, Content::Unread) && input.is_stream() {
        input.content = Content::Text(read_text(&input.path, budget)?);
    }
    front_end(&mut input).load(input, opening, budget)
}

/// Reads a file: one subject for each complete system where such are wanted, and one otherwise.
pub fn load(
    input: Input,
    opening: &Opening,
    budget: &Budget,
) -> Vec<Result<Box<dyn Subject>, Refusal>> {
    let opened = read(input, opening, budget);
    let systems = match &opened {
        Ok(subject) if opening.complete => subject.systems(opening, budget),
        _ => None,
    };
    let subjects = match systems {
        None => vec![opened],
        Some(systems) => {
            let boxed = systems.into_iter().map(|system| Ok(Box::new(system?) as _));
            boxed.collect()
        }
    };
    let asked = subjects.into_iter().map(|subject| {
        let mut subject: Box<dyn Subject> = subject?;
        arrange(&mut *subject, opening, budget)?;
        Ok(subject)
    });
    asked.collect()
}

/// The files of a language that needs nothing but their text.
pub struct TextFiles(pub &'static dyn ModelLanguage);

impl FrontEnd for TextFiles {
    fn language(&self) -> Language {
        Language(self.0.name())
    }

    fn endings(&self) -> &'static [&'static str] {
        self.0.endings()
    }

    fn sniff(&self, input: &mut Input) -> bool {
        input.ends_with(self.endings()) || self.0.sniff(&input.beginning())
    }

    fn load(
        &self,
        mut input: Input,
        _: &Opening,
        budget: &Budget,
    ) -> Result<Box<dyn Subject>, Refusal> {
        let mut sources = SourceMap::default();
        let text = input.text(budget)?;
        let file = sources.add(SourceFile::new(input.name(), text));
        let described = self.0.load(&mut sources, file, budget)?;
        let diagnostics = described.diagnostics;
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(Refusal::Rejected(Rejected {
                sources,
                diagnostics,
            }));
        }
        Ok(match described.system {
            DescribedSystem::Model(model, reader) => {
                let reading = (self.language(), String::new());
                let subject = ModelSubject::new(reading, sources, file, *model, diagnostics);
                Box::new(subject.with_reader(reader))
            }
            DescribedSystem::Lts(lts) => {
                let mut subject = LtsSubject::new(self.language(), &input.name(), lts);
                subject.add_files(&input.properties, budget)?;
                Box::new(subject)
            }
        })
    }

    fn capabilities(&self) -> &'static [Capability] {
        if self.0.has_labels() {
            LtsSubject::CAPABILITIES
        } else {
            ModelSubject::CAPABILITIES
        }
    }
}

/// Labelled transition systems, perhaps compressed.
struct AutFiles;

impl FrontEnd for AutFiles {
    fn language(&self) -> Language {
        Language::AUT
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".aut", ".aut.gz", ".aut.zst"]
    }

    fn load(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<Box<dyn Subject>, Refusal> {
        let subject = match &input.content {
            Content::Text(text) => {
                let name = input.name();
                let mut read = LtsSubject::read(&name, text.as_bytes(), &opening.lts, budget)?;
                read.add_files(&input.properties, budget)?;
                read
            }
            _ => LtsSubject::open(&input.path, &input.properties, &opening.lts, budget)?,
        };
        Ok(Box::new(subject))
    }

    fn capabilities(&self) -> &'static [Capability] {
        LtsSubject::CAPABILITIES
    }
}

/// Compositions of labelled transition systems.
struct NetFiles;

impl FrontEnd for NetFiles {
    fn language(&self) -> Language {
        Language::AUT
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".net"]
    }

    fn load(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<Box<dyn Subject>, Refusal> {
        // A text from elsewhere has no folder, and must not make this program read files.
        if matches!(input.content, Content::Text(_)) {
            let why = "a composition names other files, and is read from a file in their folder";
            return Err(Refusal::Unsupported(why.to_string()));
        }
        let subject = LtsSubject::compose(&input.path, &input.properties, &opening.lts, budget)?;
        Ok(Box::new(subject))
    }

    fn capabilities(&self) -> &'static [Capability] {
        LtsSubject::CAPABILITIES
    }
}

/// Alloy models.
struct AlloyFiles;

impl FrontEnd for AlloyFiles {
    fn language(&self) -> Language {
        Language::ALLOY
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".als"]
    }

    fn load(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<Box<dyn Subject>, Refusal> {
        let subject = match input.content {
            Content::Text(text) => {
                let name = input.path.display().to_string();
                AlloySubject::read(&name, text, opening.edition, &mut |_| None, budget)?
            }
            _ => AlloySubject::open(&input.path, opening.edition, budget)?,
        };
        Ok(Box::new(subject))
    }

    fn capabilities(&self) -> &'static [Capability] {
        AlloySubject::CAPABILITIES
    }
}

/// Infinite-state models: VMT-LIB, relations in SMT-LIB, or SMV with variables that have no bounds.
struct SmtFiles;

impl FrontEnd for SmtFiles {
    fn language(&self) -> Language {
        Language::SMT
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".vmt", ".smt2"]
    }

    fn sniff(&self, input: &mut Input) -> bool {
        input.ends_with(self.endings()) || is_infinite(&input.beginning())
    }

    fn load(
        &self,
        mut input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<Box<dyn Subject>, Refusal> {
        let text = input.text(budget)?;
        let mut subject = SmtSubject::read_in(opening.dialect, &input.name(), text, budget)?;
        if let Some(deadlock) = opening.deadlock {
            subject.set_deadlock(deadlock);
        }
        if opening.bounds.is_empty() {
            Ok(Box::new(subject))
        } else {
            Ok(Box::new(subject.finite(&opening.bounds)?))
        }
    }

    fn capabilities(&self) -> &'static [Capability] {
        SmtSubject::CAPABILITIES
    }
}

/// SMV models, and every file that no other front end knows.
struct SmvFiles;

impl FrontEnd for SmvFiles {
    fn language(&self) -> Language {
        Language::SMV
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".smv"]
    }

    fn sniff(&self, _: &mut Input) -> bool {
        true
    }

    fn load(
        &self,
        mut input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<Box<dyn Subject>, Refusal> {
        let text = input.text(budget)?;
        let subject = ModelSubject::read(opening, &input.name(), text, budget)?;
        Ok(Box::new(subject))
    }

    fn capabilities(&self) -> &'static [Capability] {
        ModelSubject::CAPABILITIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_name_says_the_language_unless_the_text_does() {
        for (name, expected) in [
            ("a.aut", "aut"),
            ("a.smv.aut.gz", "aut"),
            ("a.SMV", "smv"),
            ("a.AUT.zst", "aut"),
            ("aut", "smv"),
            ("a.als", "alloy"),
            ("a.vmt", "smt"),
        ] {
            let found = front_end(&mut Input::new(name)).language();
            assert_eq!(found.0, expected, "{name}");
        }
        let mut infinite = Input::of_text("x", "MODULE main VAR n : integer;");
        assert_eq!(front_end(&mut infinite).language().0, "smt");
    }

    #[test]
    fn a_text_is_read_in_every_language_without_a_file() {
        for (name, text) in [
            ("no/file.aut", "des (0, 1, 1)\n(0, A, 0)\n"),
            ("no/file.als", "sig A {} run { some A }"),
            (
                "no/file.vmt",
                "(declare-fun x () Int) (declare-fun y () Int) (define-fun .x () Int (! x :next y))
                 (define-fun .trans () Bool (! (= x y) :trans true))",
            ),
            ("no/file.smv", "MODULE main VAR x : boolean;"),
        ] {
            let input = Input::of_text(name, text);
            let opened = open(input, &Opening::default(), &Budget::unlimited());
            assert_eq!(opened.expect("it is a model").name(), name);
        }
    }
}
