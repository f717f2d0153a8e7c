//! What the commands about saved evidence share: a model, and a file with evidence about it.

use std::path::Path;

use wherefore_base::{Budget, Diagnostic, Run, SourceFile, SourceMap, Span, Stop};
use wherefore_driver::Opening;
use wherefore_driver::view::clean;
use wherefore_driver::view::read::{SavedFile, read};
use wherefore_driver::view::wire::{CheckDocument, ModelDoc};
use wherefore_driver::{ModelSubject, Refusal, Rejected, read_text};

use crate::args::{self, Effort};
use crate::exit::Exit;
use crate::screen::{Screen, watched};
use crate::terminal;

/// Where messages go and how they look.
#[derive(Clone, Copy)]
pub(crate) struct SavedDesk<'a> {
    pub(crate) screen: &'a Screen,
    pub(crate) budget: &'a Budget,
    pub(crate) color: bool,
    /// How models are read that are opened.
    pub(crate) opening: &'a Opening,
}

/// Does some work at a desk, watched, and returns the exit code.
pub(crate) fn at_desk(
    effort: &Effort,
    looks: &args::Screen,
    work: impl FnOnce(SavedDesk<'_>) -> Result<Exit, Exit> + Send,
) -> Exit {
    let opening = effort.opening();
    watched(effort, cut_short, |budget, screen| {
        let desk = SavedDesk {
            screen,
            budget,
            color: terminal::error_color(looks.color),
            opening: &opening,
        };
        work(desk).unwrap_or_else(|exit| exit)
    })
}

impl SavedDesk<'_> {
    /// Reads a file of saved evidence.
    ///
    /// # Errors
    /// The exit code, when there is none in it; why is told.
    pub(crate) fn read(&self, path: &Path) -> Result<SavedFile, Exit> {
        self.budget.phase("reading the evidence");
        let text = self.text(path)?;
        self.parse(path, text)
    }

    /// The text of a file.
    ///
    /// # Errors
    /// The exit code, when there is none; why is told.
    pub(crate) fn text(&self, path: &Path) -> Result<String, Exit> {
        let text = read_text(path, self.budget);
        text.map_err(|error| self.screen.not_opened(path, "read", self.color, &error))
    }

    /// Reads the text of a file as saved evidence.
    ///
    /// # Errors
    /// As [`SavedDesk::read`].
    pub(crate) fn parse(&self, path: &Path, text: String) -> Result<SavedFile, Exit> {
        read(&text).map_err(|wrong| {
            let mut sources = SourceMap::default();
            let after = text[wrong.offset..].chars().next();
            let end = wrong.offset + after.map_or(0, char::len_utf8);
            let file = sources.add(SourceFile::new(terminal::shown(path), text));
            let span = Span::new(file, wrong.offset, end);
            let rejected = Rejected {
                sources,
                diagnostics: vec![Diagnostic::error(span, clean(&wrong.message))],
            };
            self.screen.reject(&rejected, self.color, Exit::Model)
        })
    }

    /// Reads the text of a file as a model.
    ///
    /// # Errors
    /// As [`SavedDesk::open`].
    pub(crate) fn model(&self, path: &Path, text: String) -> Result<ModelSubject, Exit> {
        self.budget.phase("reading the model");
        let name = path.display().to_string();
        let opened = ModelSubject::read(self.opening, &name, text, self.budget);
        self.screen.greet(path, "read", self.color, opened)
    }

    /// Opens a model.
    ///
    /// # Errors
    /// The exit code, when it cannot be used; why is told.
    pub(crate) fn open(&self, path: &Path) -> Result<ModelSubject, Exit> {
        self.budget.phase("reading the model");
        let opened = ModelSubject::open_as(self.opening, path, self.budget);
        self.screen.greet(path, "read", self.color, opened)
    }

    /// Opens a model as it was read when a document was written about it.
    ///
    /// # Errors
    /// As [`SavedDesk::open`].
    pub(crate) fn open_as(&self, path: &Path, saved: &ModelDoc) -> Result<ModelSubject, Exit> {
        let mut opening = self.opening.clone();
        self.choose(&mut opening, saved);
        let opening = &opening;
        SavedDesk { opening, ..*self }.open(path)
    }

    /// Has properties asked from the states that a document says, unless the command line says otherwise.
    pub(crate) fn choose(&self, opening: &mut Opening, saved: &ModelDoc) {
        let from = saved.from.as_ref().map(|from| from.condition.clone());
        opening.from = opening.from.take().or(from);
    }

    /// Makes sure that the meaning of a model is right.
    ///
    /// # Errors
    /// The exit code, when it is not; why is told.
    pub(crate) fn examine(&self, session: &ModelSubject) -> Result<(), Exit> {
        session
            .examine(self.budget)
            .map_err(|refusal| match refusal {
                Refusal::Stopped(stop) => self.cut_short(stop),
                Refusal::Rejected(rejected) => {
                    self.screen.reject(&rejected, self.color, Exit::Model)
                }
                refusal => self.refuse(&refusal.to_string()),
            })
    }

    /// What came of some work.
    ///
    /// # Errors
    /// The exit code, when the work was cut short, which is told.
    pub(crate) fn in_time<T>(&self, run: Run<T>) -> Result<T, Exit> {
        run.map_err(|stop| self.cut_short(stop))
    }

    /// Says that the work was cut short.
    pub(crate) fn cut_short(&self, stop: Stop) -> Exit {
        self.screen.say(&cut_short(stop));
        Exit::Undecided
    }

    /// Says that the command line is wrong.
    pub(crate) fn refuse(&self, message: &str) -> Exit {
        self.screen.say(&format!("error: {message}"));
        Exit::Usage
    }

    /// The model of a document that a file is about.
    ///
    /// # Errors
    /// The exit code, when there is none; why is told.
    pub(crate) fn model_of<'d>(
        &self,
        document: &'d CheckDocument,
        file: &Path,
    ) -> Result<&'d ModelDoc, Exit> {
        let models = &document.models;
        let name = file.file_name();
        let exact = models.iter().find(|model| Path::new(&model.path) == file);
        let alike = || {
            models
                .iter()
                .find(|m| Path::new(&m.path).file_name() == name)
        };
        let only = || models.first().filter(|_| models.len() == 1);
        exact.or_else(alike).or_else(only).ok_or_else(|| {
            let paths: Vec<String> = models.iter().map(|m| clean(&m.path)).collect();
            let about = match &paths[..] {
                [] => "no model".to_string(),
                paths => paths.join(", "),
            };
            let file = terminal::shown(file);
            self.refuse(&format!("the document is about {about}, not about {file}"))
        })
    }
}

/// What is said when the work is cut short.
fn cut_short(stop: Stop) -> String {
    format!("error: the work is not finished, since {stop}")
}

/// "there is no property `x`; there are a, b".
pub(crate) fn no_such_property(session: &ModelSubject, name: &str) -> String {
    let properties = &session.model().properties;
    let names: Vec<String> = properties.iter().map(|p| p.name.clone()).collect();
    let there_are = match &names[..] {
        [] => "there are no properties".to_string(),
        names => format!("there are {}", terminal::some_of(names)),
    };
    format!("there is no property `{}`; {there_are}", clean(name))
}
