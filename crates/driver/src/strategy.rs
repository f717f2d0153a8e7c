//! Strategies as users meet them: words on the command line, lists in files, scripts.
//!
//! A [`StrategySpec`] is read from a text and is bound to no model. [`ModelSubject::strategies`] binds
//! specs to a model: expressions are read in the model's language, files are opened, scripts are
//! compiled. What comes of it makes a fresh strategy for every property, since strategies have memory.

mod ask;
mod automaton;
mod like;
mod pattern;
mod script;
mod spec;
mod words;

use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

use wherefore_base::{Budget, Diagnostic, FileId, Span, Value, nearest};
use wherefore_evidence::{
    Arrow, Automaton, BestLoop, Chain, Cheapest, DistanceStrategy, Follow, KnownStrategy, Like,
    Partial, Prefer, Random, Shortest, SmallestGoal, StayFirst, Strategy,
};
use wherefore_model::{TermId, VarId};

use crate::read::read_text;
use crate::refusal::{Refusal, Rejected};
use crate::subjects::model::ModelSubject;
use pattern::Suggestion;
use spec::{Kind, Piece};
use words::Words;

pub use ask::{Asker, StrategyAnswer, StrategyQuestion};
pub use like::{choices_file, name_document};
pub use spec::{BadSpec, SPELLINGS, StrategySpec};

/// Lists of strategies name other lists at most so deep.
const DEEPEST: usize = 8;

/// Something a strategy has to say to its user.
#[derive(Clone, Debug)]
pub enum Remark {
    /// A script went wrong and has no opinion from then on.
    Warning(Rejected),
    /// A line that a script printed.
    Said(String),
}

type Maker = Box<dyn Fn(usize) -> Option<Box<dyn Strategy>>>;

/// Strategies bound to a model, composed in order.
#[derive(Default)]
pub struct Strategies {
    names: Vec<String>,
    makers: Vec<Maker>,
    remarks: Rc<RefCell<Vec<Remark>>>,
}

impl fmt::Debug for Strategies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Strategies").field(&self.names).finish()
    }
}

impl Strategies {
    /// What the user wrote, in order; lists are named as such.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.makers.is_empty()
    }

    /// A fresh strategy for a property, given by its index.
    pub fn strategy(&self, property: usize) -> Box<dyn Strategy> {
        let made = self.makers.iter().filter_map(|make| make(property));
        let mut made: Vec<Box<dyn Strategy>> = made.collect();
        match made.len() {
            0 => Box::new(Shortest),
            1 => made.remove(0),
            _ => Box::new(Chain::new(made)),
        }
    }

    /// What strategies have said since somebody asked last.
    pub fn remarks(&self) -> Vec<Remark> {
        std::mem::take(&mut *self.remarks.borrow_mut())
    }
}

impl ModelSubject {
    /// Binds strategies to the model. Without somebody who answers, `ask` has no opinion.
    ///
    /// # Errors
    /// When an expression or a file cannot be used, or the budget ends.
    pub fn strategies(
        &mut self,
        specs: &[StrategySpec],
        asker: Option<Asker>,
        budget: &Budget,
    ) -> Result<Strategies, Refusal> {
        let names = specs.iter().map(|spec| spec.text().to_string()).collect();
        let words = Rc::new(Words::new(self.sources().clone(), self.file()));
        let mut binder = Binder {
            session: self,
            budget,
            asker,
            words,
            strategies: Strategies {
                names,
                ..Strategies::default()
            },
        };
        for spec in specs {
            let file = binder.session.add_source("<strategy>", spec.text());
            binder.bind(spec, Origin { file, at: 0 }, Path::new(""), 0)?;
        }
        let strategies = binder.strategies;
        self.chosen_by(strategies.names.clone());
        Ok(strategies)
    }
}

/// Where the text of a strategy stands.
#[derive(Clone, Copy)]
struct Origin {
    file: FileId,
    at: usize,
}

impl Origin {
    fn span(self, piece: &Piece) -> Span {
        let start = self.at + piece.at;
        Span::new(self.file, start, start + piece.text.len())
    }
}

struct Binder<'a> {
    session: &'a mut ModelSubject,
    budget: &'a Budget,
    asker: Option<Asker>,
    words: Rc<Words>,
    strategies: Strategies,
}

impl Binder<'_> {
    fn bind(
        &mut self,
        spec: &StrategySpec,
        origin: Origin,
        folder: &Path,
        depth: usize,
    ) -> Result<(), Refusal> {
        let name = spec.text().to_string();
        match &spec.kind {
            Kind::Random(seed) => {
                let seed = *seed;
                self.always(move || Random::new(seed));
            }
            Kind::Smallest => self.always(|| SmallestGoal),
            Kind::Where(condition, wanted) => {
                let (condition, wanted) = (self.condition(origin.span(condition))?, *wanted);
                self.always(move || {
                    let prefer = match wanted {
                        true => Prefer::new(condition),
                        false => Prefer::avoiding(condition),
                    };
                    prefer.named(&name)
                });
            }
            Kind::Known(true) => self.always(KnownStrategy::explored),
            Kind::Known(false) => self.always(KnownStrategy::fresh),
            Kind::Stay => self.always(|| StayFirst),
            Kind::Alternate(first, second) => {
                let first = self.condition(origin.span(first))?;
                let second = self.condition(origin.span(second))?;
                self.always(move || Follow::alternate(first, second).named(&name));
            }
            Kind::Follow(path) => {
                let automaton = self.automaton(&folder.join(&path.text))?;
                self.always(move || Follow::automaton(automaton.clone()).named(&name));
            }
            Kind::Distance(values, near) => {
                let (values, near) = (self.valuation(values, origin)?, *near);
                self.always(move || match near {
                    true => DistanceStrategy::nearest(values.clone()),
                    false => DistanceStrategy::farthest(values.clone()),
                });
            }
            Kind::Loop(within) => {
                let within = *within;
                self.always(move || BestLoop::within(within));
            }
            Kind::LoopThrough(condition) => {
                let condition = self.condition(origin.span(condition))?;
                self.always(move || BestLoop::through(condition).named(&name));
            }
            Kind::Cheapest(tries) => {
                let tries = *tries;
                self.always(move || Cheapest::new(tries));
            }
            Kind::Partial(steps) => {
                let steps = *steps;
                self.always(move || Partial::new(steps));
            }
            Kind::Pattern => self.pattern(),
            Kind::Like(path) => self.like(&folder.join(&path.text))?,
            Kind::Ask => {
                if let Some(asker) = self.asker.clone() {
                    let words = Rc::clone(&self.words);
                    self.always(move || ask::Ask::new(Rc::clone(&asker), Rc::clone(&words)));
                }
            }
            Kind::Script(path) => self.script(&folder.join(&path.text))?,
            Kind::List(path) => self.list(&folder.join(&path.text), origin.span(path), depth)?,
        }
        Ok(())
    }

    /// A strategy that is the same for every property.
    fn always<S: Strategy + 'static>(&mut self, make: impl Fn() -> S + 'static) {
        let make: Maker = Box::new(move |_| Some(Box::new(make())));
        self.strategies.makers.push(make);
    }

    /// What the pattern of each property suggests.
    fn pattern(&mut self) {
        let properties = 0..self.session.model().properties.len();
        let suggested: Vec<_> = properties
            .map(|property| Suggestion::of(self.session, property))
            .collect();
        let make: Maker = Box::new(move |property| {
            let suggestion = suggested.get(property)?.as_ref()?;
            Some(suggestion.strategy())
        });
        self.strategies.makers.push(make);
    }

    fn error(&self, span: Span, message: impl Into<String>) -> Refusal {
        let diagnostic = Diagnostic::error(span, message);
        self.session.rejected(vec![diagnostic]).into()
    }

    /// Reads a file of ours; its text is among the sources then.
    fn read(&mut self, path: &Path) -> Result<(FileId, String), Refusal> {
        let text = read_text(path, self.budget);
        let text = text.map_err(|why| why.in_companion("", path))?;
        let name = path.display().to_string();
        Ok((self.session.add_source(&name, &text), text))
    }

    /// Reads the condition that stands at a place; messages speak of that place.
    fn condition(&mut self, span: Span) -> Result<TermId, Refusal> {
        self.session.condition_at(span, self.budget)
    }

    fn automaton(&mut self, path: &Path) -> Result<Automaton, Refusal> {
        let (file, text) = self.read(path)?;
        let drawn = automaton::read(&text).map_err(|(message, at)| {
            let span = Span::new(file, at.start, at.end);
            self.error(span, message)
        })?;
        let mut arrows: Vec<Vec<Arrow>> = vec![Vec::new(); drawn.states.len()];
        for (from, to, at) in drawn.arrows {
            let condition = self.condition(Span::new(file, at.start, at.end))?;
            arrows[from].push(Arrow {
                condition,
                truth: true,
                to,
            });
        }
        let again = drawn.again;
        Ok(Automaton { arrows, again })
    }

    fn valuation(
        &self,
        values: &[(Piece, Piece)],
        origin: Origin,
    ) -> Result<Vec<(VarId, Value)>, Refusal> {
        let model = self.session.model();
        let state_vars = || model.vars.entries().take(model.state_vars());
        let values = values.iter().map(|(name, value)| {
            let var = state_vars().find(|(_, var)| var.name == name.text);
            let Some((id, var)) = var else {
                let near = nearest(&name.text, state_vars().map(|(_, var)| &*var.name), 2);
                let advice = near.map(|near| format!("; did you mean `{near}`?"));
                let message = format!("there is no state variable `{}`", name.text);
                let message = message + advice.as_deref().unwrap_or_default();
                return Err(self.error(origin.span(name), message));
            };
            let read = match &*value.text {
                "TRUE" => Some(Value::Bool(true)),
                "FALSE" => Some(Value::Bool(false)),
                text => match text.parse::<i64>() {
                    Ok(number) => Some(Value::Int(number)),
                    Err(_) => match text.parse() {
                        Ok(word) => Some(Value::Word(word)),
                        Err(_) => model.names.find(text).map(Value::Symbol),
                    },
                },
            };
            match read.filter(|&read| var.domain.index_of(read).is_some()) {
                Some(read) => Ok((id, read)),
                None => {
                    let message = format!("`{}` never has the value `{}`", name.text, value.text);
                    Err(self.error(origin.span(value), message))
                }
            }
        });
        values.collect()
    }

    fn like(&mut self, path: &Path) -> Result<(), Refusal> {
        let (mut file, mut text) = self.read(path)?;
        // Choices that were written as commands name the document with their evidence.
        if let Some(document) = like::named_document(&text) {
            let folder = path.parent().unwrap_or(Path::new(""));
            (file, text) = self.read(&folder.join(document))?;
        }
        let proofs = like::saved_proofs(self.session, &text);
        let proofs = proofs.map_err(|wrong| {
            let span = Span::new(file, wrong.offset, wrong.offset + 1);
            self.error(span, wrong.message)
        })?;
        let make: Maker = Box::new(move |property| {
            let proof = proofs.get(&property)?;
            Some(Box::new(Like::from_evidence(proof)))
        });
        self.strategies.makers.push(make);
        Ok(())
    }

    fn script(&mut self, path: &Path) -> Result<(), Refusal> {
        let (file, text) = self.read(path)?;
        let remarks = Rc::clone(&self.strategies.remarks);
        let words = Rc::clone(&self.words);
        let name = path.display().to_string();
        let model = self.session.model();
        let program = script::Program::compile(&name, &text, model, words, remarks, self.budget);
        let program = program.map_err(|(message, at)| {
            let span = Span::new(file, at.start, at.end);
            self.error(span, message)
        })?;
        let program = Rc::new(program);
        let wanted = program.prepare()?;
        let mut conditions = Vec::new();
        for (text, position) in wanted {
            match self.session.condition(&text, self.budget) {
                Ok(condition) => conditions.push(condition),
                Err(Refusal::Rejected(rejected)) => {
                    program.cannot_read(&text, &rejected, position);
                    break;
                }
                Err(refusal) => return Err(refusal),
            }
        }
        program.conditions(conditions);
        let make: Maker = Box::new(move |_| Some(Box::new(script::Scripted::new(&program))));
        self.strategies.makers.push(make);
        Ok(())
    }

    fn list(&mut self, path: &Path, span: Span, depth: usize) -> Result<(), Refusal> {
        if depth == DEEPEST {
            let message = format!("lists of strategies are nested more than {DEEPEST} deep");
            return Err(self.error(span, message));
        }
        let (file, text) = self.read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for (at, line) in automaton::lines(&text) {
            let spec = line.parse::<StrategySpec>().map_err(|bad| {
                let span = Span::new(file, at + bad.at.start, at + bad.at.end);
                self.error(span, bad.message)
            })?;
            self.bind(&spec, Origin { file, at }, folder, depth + 1)?;
        }
        Ok(())
    }
}
