//! Properties of systems: from files, and from the command line.

use std::fmt;
use std::path::Path;

use wherefore_base::{Budget, Diagnostic, Run, SourceFile, SourceMap, Stop, nearest};
use wherefore_logic::ActionId;
use wherefore_lts::mcl;
use wherefore_model::lts::{LabelSet, Lts, PropertyForm};
use wherefore_tagged::{
    Analysis, AnalysisOptions, Dfa, Monitor, RunPattern, SearchMark, Tagged, analyse_monitor,
};

use crate::read::read_text;
use crate::refusal::{Refusal, Rejected};
use crate::subjects::lts::LtsSubject;

/// Where a property comes from.
#[derive(Clone, Copy, Debug)]
pub enum QuestionSource<'a> {
    /// A file of MCL, and the name of the property if the file has several.
    File(&'a Path, Option<&'a str>),
    /// An MCL formula.
    Formula(&'a str),
    /// Actions that every run performs in this order, perhaps with others in between, separated by
    /// commas: labels, or regular expressions for whole labels.
    Inevitable(&'a str),
}

/// A property of one system that can be debugged.
#[derive(Clone, Debug)]
pub struct DebugQuestion {
    /// What it is called.
    pub name: String,
    /// The formula, on one line.
    pub text: String,
    /// Line and column of the formula; `None`: it does not come from a file.
    pub place: Option<(usize, usize)>,
    /// The file it stands in; `None`: it was given on the command line.
    pub path: Option<String>,
    /// What is probably not meant, such as labels that do not exist.
    pub warnings: Vec<Diagnostic>,
    /// The texts that the warnings speak of.
    pub sources: SourceMap,
    /// What watches the runs.
    pub monitor: Monitor,
    /// Whether it waits for what must not happen; otherwise, for what must.
    pub safety: bool,
}

/// Why a property is not asked.
#[derive(Debug)]
pub enum AskError {
    /// The file cannot be read, the text is wrong, or the budget ended.
    Refused(Refusal),
    /// The file has no property of this name, but these; or several, and no name was given.
    Name(Option<String>, Vec<String>),
    /// An action of the command line is none; the sentence says why.
    Action(String),
    /// It says neither that something never happens nor that something must.
    Unfit(Box<Unfit>),
}

/// A property that is read and cannot be debugged.
#[derive(Clone, Debug)]
pub struct Unfit {
    /// What it is called.
    pub name: String,
    /// The formula, on one line.
    pub text: String,
    /// Why.
    pub why: String,
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskError::Refused(refusal) => refusal.fmt(f),
            AskError::Name(Some(name), names) => {
                write!(f, "there is no property `{name}`")?;
                let near = nearest(name, names.iter().map(String::as_str), 2);
                match near {
                    Some(near) => write!(f, "; there is `{near}`"),
                    None => write!(f, "; there are {}", names.join(", ")),
                }
            }
            AskError::Name(None, names) => {
                write!(f, "there are several properties: {}", names.join(", "))
            }
            AskError::Action(why) => f.write_str(why),
            AskError::Unfit(unfit) => f.write_str(&unfit.why),
        }
    }
}

impl std::error::Error for AskError {}

impl From<Stop> for AskError {
    fn from(stop: Stop) -> Self {
        AskError::Refused(stop.into())
    }
}

impl From<Refusal> for AskError {
    fn from(refusal: Refusal) -> Self {
        AskError::Refused(refusal)
    }
}

impl LtsSubject {
    /// Reads a property of the system.
    ///
    /// # Errors
    /// When it is none, cannot be debugged, or the budget ends first.
    pub fn ask(
        &self,
        source: &QuestionSource<'_>,
        budget: &Budget,
    ) -> Result<DebugQuestion, AskError> {
        budget.phase("reading the property");
        let mut sources = SourceMap::default();
        match *source {
            QuestionSource::Inevitable(text) => inevitable(self.lts(), text, budget),
            QuestionSource::Formula(text) => {
                let file = sources.add(SourceFile::new("the formula", text));
                let formula = Formula {
                    stem: "formula1",
                    name: None,
                    placed: false,
                };
                formula.ask(self.lts(), sources, file, &|_| None, budget)
            }
            QuestionSource::File(path, name) => {
                let text = read_text(path, budget)?;
                let file = sources.add(SourceFile::new(path.display().to_string(), text));
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let formula = Formula {
                    stem: &stem,
                    name,
                    placed: true,
                };
                let folder = path.parent().unwrap_or(Path::new(""));
                let library = |name: &str| {
                    let path = folder.join(name);
                    let text = read_text(&path, budget).ok()?;
                    Some(SourceFile::new(path.display().to_string(), text))
                };
                formula.ask(self.lts(), sources, file, &library, budget)
            }
        }
    }
}

impl LtsSubject {
    /// Finds all counterexamples of a property.
    ///
    /// # Errors
    /// When the budget ends first.
    pub fn analyse(
        &self,
        asked: &DebugQuestion,
        options: &AnalysisOptions,
        budget: &Budget,
    ) -> Run<Analysis<'_>> {
        budget.phase("looking for counterexamples");
        let monitor = asked.monitor.clone();
        analyse_monitor(self.lts(), monitor, asked.safety, options, budget)
    }

    /// The tagged graph of a property alone, for queries.
    ///
    /// # Errors
    /// When the budget ends first.
    pub fn graph(
        &self,
        asked: &DebugQuestion,
        options: &AnalysisOptions,
        budget: &Budget,
    ) -> Run<Tagged<'_>> {
        budget.phase("looking for counterexamples");
        let choose = |prospect| options.reading_for(asked.safety, prospect);
        Tagged::choosing(self.lts(), asked.monitor.clone(), choose, budget)
    }
}

/// What is to be read from a text.
struct Formula<'a> {
    /// What a formula without a name is called.
    stem: &'a str,
    /// The property that is wanted.
    name: Option<&'a str>,
    /// Whether its place means anything to the user.
    placed: bool,
}

impl Formula<'_> {
    fn ask(
        &self,
        lts: &Lts,
        mut sources: SourceMap,
        file: wherefore_base::FileId,
        library: &dyn Fn(&str) -> Option<SourceFile>,
        budget: &Budget,
    ) -> Result<DebugQuestion, AskError> {
        let (parsed, mut warnings) = mcl::parse(file, &mut sources, library);
        let Some(parsed) = parsed else {
            return Err(Refusal::Rejected(Rejected {
                sources,
                diagnostics: warnings,
            })
            .into());
        };
        let names: Vec<&str> = parsed
            .properties()
            .map(|p| p.name().unwrap_or(self.stem))
            .collect();
        let at = match self.name {
            None if names.len() == 1 => Some(0),
            None => None,
            Some(wanted) => names.iter().position(|name| *name == wanted),
        };
        let Some(at) = at else {
            let names = names.into_iter().map(str::to_string).collect();
            return Err(AskError::Name(self.name.map(str::to_string), names));
        };
        let property = parsed.properties().nth(at).expect("it was just found");
        let lowered = match mcl::lower(&property, lts) {
            Ok(lowered) => lowered,
            Err(diagnostics) => {
                return Err(Refusal::Rejected(Rejected {
                    sources,
                    diagnostics,
                })
                .into());
            }
        };
        warnings.extend(lowered.warnings);
        let (name, text) = (names[at].to_string(), property.text());
        let place = sources.place(property.span());
        let place = self.placed.then_some((place.line, place.column));
        let question = lowered.question;
        let (dfa, safety) = match &question.form {
            PropertyForm::Never(nfa, piece) => {
                let dfa = Dfa::beginning_with(nfa, *piece, &question.actions, lts, budget)?;
                (dfa, true)
            }
            PropertyForm::Inevitable(order) => {
                (Dfa::in_order(order, &question.actions, lts, budget)?, false)
            }
            PropertyForm::Other(why) => {
                let why = why.clone();
                return Err(AskError::Unfit(Box::new(Unfit { name, text, why })));
            }
        };
        Ok(DebugQuestion {
            name,
            text,
            path: self
                .placed
                .then(|| sources.file(property.span().file).name().to_string()),
            place,
            warnings,
            sources,
            monitor: Monitor::Labels(dfa),
            safety,
        })
    }
}

/// Every run performs these actions, in this order.
fn inevitable(lts: &Lts, text: &str, budget: &Budget) -> Result<DebugQuestion, AskError> {
    // One label may have commas in it.
    let parts = match lts.label(text.trim()) {
        Some(_) => vec![text.trim()],
        None => split(text),
    };
    let mut actions: Vec<LabelSet> = Vec::new();
    for part in &parts {
        let pattern = RunPattern::parse(part, lts);
        let pattern = pattern.map_err(|error| AskError::Action(error.to_string()))?;
        match pattern.marks() {
            [SearchMark::Action(labels)] => actions.push(labels.clone()),
            _ => return Err(AskError::Action(format!("`{part}` is not one action."))),
        }
    }
    let order: Vec<ActionId> = (0..actions.len()).map(ActionId::new).collect();
    let dfa = Dfa::in_order(&order, &actions.into(), lts, budget)?;
    Ok(DebugQuestion {
        name: "inevitable".to_string(),
        text: parts.join(", then "),
        path: None,
        place: None,
        warnings: Vec::new(),
        sources: SourceMap::default(),
        monitor: Monitor::Labels(dfa),
        safety: false,
    })
}

/// The parts of a text between the commas that are outside of quotes.
fn split(text: &str) -> Vec<&str> {
    let mut open = None;
    let parts = text.split(move |c: char| match (open, c) {
        (None, '"' | '\'') => {
            open = Some(c);
            false
        }
        (Some(quote), c) if quote == c => {
            open = None;
            false
        }
        (None, ',') => true,
        _ => false,
    });
    parts.map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_inside_quotes_do_not_separate_actions() {
        assert_eq!(split("A, \"B, C\" ,'D,.*'"), ["A", "\"B, C\"", "'D,.*'"]);
    }
}
