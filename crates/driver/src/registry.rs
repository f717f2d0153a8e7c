//! The languages that are read: which one a file is in, and what becomes of it.
//!
//! A language is a [`FrontEnd`]. To add one takes a crate that lowers its text to a model or to a labelled transition
//! system, and one line in [`FRONT_ENDS`]; nothing else in the program names it.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use wherefore_base::Budget;

use crate::read::{read_file, read_text};
use crate::refusal::Refusal;
use crate::subject::{Capability, Language, Subject};
use crate::subjects::alloy::AlloySubject;
use crate::subjects::lts::LtsSubject;
use crate::subjects::model::{ModelSubject, Opening};
use crate::subjects::smt::{SmtSubject, is_infinite};

/// The languages, in the order in which they are tried: the first that knows a file takes it.
pub const FRONT_ENDS: &[&dyn FrontEnd] = &[&AutFiles, &AlloyFiles, &SmtFiles, &SmvFiles];

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
        let by_name = AutFiles.knows(self) || AlloyFiles.knows(self);
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

    /// Whether a file is in this language: by its name, or by its beginning.
    fn sniff(&self, input: &mut Input) -> bool;

    /// Reads a file: one subject for each system that it describes, each with its own outcome.
    fn load(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Vec<Result<Box<dyn Subject>, Refusal>>;

    /// What models in this language can do.
    fn capabilities(&self) -> &'static [Capability];

    /// Reads a file as a model whose states are values of variables.
    ///
    /// # Errors
    /// When it is none, or the budget ends.
    fn load_model(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<ModelSubject, Refusal>;
}

/// The front end for a file: the first that knows it.
pub fn front_end(input: &mut Input) -> &'static dyn FrontEnd {
    let known = FRONT_ENDS.iter().find(|one| one.sniff(input));
    *known.expect("the last front end takes every file")
}

/// The language of a file: by its name, or by its beginning.
pub fn language_of(path: &Path) -> Language {
    front_end(&mut Input::new(path)).language()
}

/// Reads a file in the language that it is in.
pub fn load(
    mut input: Input,
    opening: &Opening,
    budget: &Budget,
) -> Vec<Result<Box<dyn Subject>, Refusal>> {
    if let Err(refusal) = read_stream(&mut input, budget) {
        return vec![Err(refusal)];
    }
    front_end(&mut input).load(input, opening, budget)
}

/// Reads a file as a model whose states are values of variables.
///
/// # Errors
/// When it is none, or the budget ends.
pub(crate) fn open_model(
    opening: &Opening,
    path: &Path,
    budget: &Budget,
) -> Result<ModelSubject, Refusal> {
    let mut input = Input::new(path);
    read_stream(&mut input, budget)?;
    front_end(&mut input).load_model(input, opening, budget)
}

/// Reads what can be read but once.
fn read_stream(input: &mut Input, budget: &Budget) -> Result<(), Refusal> {
    if matches!(input.content, Content::Unread) && input.is_stream() {
        input.content = Content::Text(read_text(&input.path, budget)?);
    }
    Ok(())
}

/// One outcome for a file that describes one system.
fn single<S: Subject + 'static>(
    loaded: Result<S, Refusal>,
) -> Vec<Result<Box<dyn Subject>, Refusal>> {
    vec![loaded.map(|subject| Box::new(subject) as Box<dyn Subject>)]
}

/// Labelled transition systems, perhaps compressed.
struct AutFiles;

impl AutFiles {
    fn knows(&self, input: &Input) -> bool {
        input.ends_with(&[".aut", ".aut.gz", ".aut.zst"])
    }
}

impl FrontEnd for AutFiles {
    fn language(&self) -> Language {
        Language::AUT
    }

    fn sniff(&self, input: &mut Input) -> bool {
        self.knows(input)
    }

    fn load(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Vec<Result<Box<dyn Subject>, Refusal>> {
        let name = input.name();
        let Input {
            path,
            properties,
            content,
        } = input;
        let Content::Text(text) = content else {
            return single(LtsSubject::open(&path, &properties, &opening.lts, budget));
        };
        let read = LtsSubject::read(&name, text.as_bytes(), &opening.lts, budget);
        single(read.and_then(|subject| subject.with_files(&properties, budget)))
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::Add, Capability::Debug]
    }

    fn load_model(&self, _: Input, _: &Opening, _: &Budget) -> Result<ModelSubject, Refusal> {
        let why = "this command takes SMV models, and the file is a labelled transition system; \
             `check`, `debug`, `query` and `convert` take such";
        Err(Refusal::Unsupported(why.to_string()))
    }
}

/// Alloy models.
struct AlloyFiles;

impl AlloyFiles {
    fn knows(&self, input: &Input) -> bool {
        input.ends_with(&[".als"])
    }

    /// A text opens no modules but those that are built in; a file those beside it, too.
    fn read(input: Input, opening: &Opening, budget: &Budget) -> Result<AlloySubject, Refusal> {
        let name = input.name();
        match input.content {
            Content::Text(text) => {
                AlloySubject::read(&name, text, opening.edition, &mut |_| None, budget)
            }
            _ => AlloySubject::open(&input.path, opening.edition, budget),
        }
    }
}

impl FrontEnd for AlloyFiles {
    fn language(&self) -> Language {
        Language::ALLOY
    }

    fn sniff(&self, input: &mut Input) -> bool {
        self.knows(input)
    }

    fn load(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Vec<Result<Box<dyn Subject>, Refusal>> {
        let alloy = Self::read(input, opening, budget);
        if !opening.complete {
            return single(alloy);
        }
        let alloy = match alloy {
            Ok(alloy) => alloy,
            Err(refusal) => return vec![Err(refusal)],
        };
        let commands = alloy.systems(opening);
        let systems = commands.iter().map(|command| {
            let system = alloy.complete_with(opening, command.as_deref(), budget)?;
            Ok(Box::new(system) as Box<dyn Subject>)
        });
        systems.collect()
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::Explain,
            Capability::Explore,
            Capability::Debug,
            Capability::Enumerate,
            Capability::Strategies,
            Capability::Certify,
        ]
    }

    fn load_model(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<ModelSubject, Refusal> {
        let alloy = Self::read(input, opening, budget)?;
        alloy.complete_with(opening, opening.command.as_deref(), budget)
    }
}

/// Infinite-state models: VMT-LIB, relations in SMT-LIB, or SMV with variables that have no bounds.
struct SmtFiles;

impl SmtFiles {
    fn read(mut input: Input, opening: &Opening, budget: &Budget) -> Result<SmtSubject, Refusal> {
        let text = input.text(budget)?;
        let mut subject = SmtSubject::read_in(opening.dialect, &input.name(), text, budget)?;
        if let Some(deadlock) = opening.deadlock {
            subject.set_deadlock(deadlock);
        }
        Ok(subject)
    }
}

impl FrontEnd for SmtFiles {
    fn language(&self) -> Language {
        Language::SMT
    }

    fn sniff(&self, input: &mut Input) -> bool {
        input.ends_with(&[".vmt", ".smt2"]) || is_infinite(&input.beginning())
    }

    fn load(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Vec<Result<Box<dyn Subject>, Refusal>> {
        if opening.bounds.is_empty() {
            single(Self::read(input, opening, budget))
        } else {
            single(self.load_model(input, opening, budget))
        }
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::Add, Capability::Explain, Capability::Theory]
    }

    fn load_model(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<ModelSubject, Refusal> {
        let subject = Self::read(input, opening, budget)?;
        Ok(subject.finite(&opening.bounds)?)
    }
}

/// SMV models, and every file that no other front end knows.
struct SmvFiles;

impl FrontEnd for SmvFiles {
    fn language(&self) -> Language {
        Language::SMV
    }

    fn sniff(&self, _: &mut Input) -> bool {
        true
    }

    fn load(
        &self,
        input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Vec<Result<Box<dyn Subject>, Refusal>> {
        single(self.load_model(input, opening, budget))
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::Add,
            Capability::Explain,
            Capability::Explore,
            Capability::Debug,
            Capability::Several,
            Capability::Abstract,
            Capability::Strategies,
            Capability::Certify,
        ]
    }

    fn load_model(
        &self,
        mut input: Input,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<ModelSubject, Refusal> {
        let text = input.text(budget)?;
        ModelSubject::read(opening, &input.name(), text, budget)
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
            ("no/file.vmt", "(declare-fun x () Int)"),
            ("no/file.smv", "MODULE main VAR x : boolean;"),
        ] {
            let input = Input::of_text(name, text);
            let loaded = load(input, &Opening::default(), &Budget::unlimited());
            let [Ok(subject)] = &loaded[..] else {
                panic!("{loaded:?}");
            };
            assert_eq!(subject.name(), name);
        }
    }
}
