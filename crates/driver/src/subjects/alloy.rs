//! Alloy models: their commands, instances of them, and why there are none.
//!
//! An [`AlloySubject`] reads a model and every module that it opens. A [`CommandQuestion`] is one of its commands
//! with the scopes it is asked in; [`CommandQuestion::instances`] gives one instance after the other, and
//! [`AlloySubject::answer`] everything there is to say about the command: an instance, or that there is none
//! in this scope and which parts of the model are to blame. What an instance looks like is in
//! [`wherefore_alloy::scene`], what an answer is in [`wherefore_alloy::answer`].
//!
//! ```
//! use wherefore_driver::subjects::alloy::{AlloyOptions, AlloySubject, CommandOutcome};
//! use wherefore_driver::base::Budget;
//!
//! let session = AlloySubject::from_text(
//!     "family.als",
//!     "sig Person { parents: set Person }
//!      fact { no p: Person | p in p.^parents }
//!      run { some p: Person | #p.parents = 2 }
//!      check { no iden & parents }",
//! )?;
//! let (choices, budget) = (AlloyOptions::default(), Budget::unlimited());
//! let run = session.answer(0, &choices, &budget);
//! let CommandOutcome::Found { found, .. } = &run.outcome else { panic!("there are families") };
//! let question = session.question(0, &choices).expect("its scopes fit");
//! let value = session.evaluate(&question, &found[0], "some parents", 0, &budget);
//! assert!(value.is_ok());
//!
//! let check = session.answer(1, &choices, &budget);
//! assert_eq!(check.holds(&session.commands()[1]), Some(true)); // in this scope
//! # Ok::<(), wherefore_driver::Refusal>(())
//! ```

mod advice;
mod blame;
mod brought;
mod complete;
mod evaluate;
mod excerpt;
mod instances;
mod mend;
mod outlook;
mod subject;
mod together;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

pub use wherefore_alloy::answer::{
    AlloyAnswer, AnswerInstance, CommandFault, CommandOutcome, Core, CorePart, CoreRole, Evaluated,
    ExpressionValue, Facts, Others, Refused, WhyNothing,
};
pub use wherefore_alloy::model::{AlloyModel, Command};
pub use wherefore_alloy::reach;
use wherefore_alloy::reach::CommandReach;
pub use wherefore_alloy::{Edition, LoweringOptions, Override, Scene, TraceShape, unknown_scope};
use wherefore_alloy::{LoadedAlloy, Scopes, load};
use wherefore_base::{Budget, Diagnostic, FileId, SourceFile, SourceMap};
pub use wherefore_relational::{Overflow, SearchOptions};

pub use self::complete::no_system;
pub use self::evaluate::NoValue;
pub use self::excerpt::{ExtractForm, Extracted, NoExcerpt, SystemExcerpt, UnfoldedExcerpt};
pub use self::instances::{CommandQuestion, Hitch, Instances};
pub use self::outlook::AnswerExtent;
use self::outlook::Outlook;
use crate::read::read_text;
use crate::refusal::{Refusal, Rejected};

/// How often a solver may ask whether it must stop, which is once for a few decisions, before every state is looked at
/// where only the scope is asked about; and at most, where every state was looked at.
const PATIENCE: u64 = 2_000_000;
/// How often a search asks before a run of the complete system is tried in its place.
const SOON: u64 = 200_000;

/// An Alloy model that was read and can be asked.
#[derive(Debug)]
pub struct AlloySubject {
    sources: SourceMap,
    file: FileId,
    loaded: LoadedAlloy,
    /// The edition that it is read in, if somebody chose one.
    edition: Option<Edition>,
    /// Whether its texts come from files.
    on_disk: bool,
    /// Whether the facts can hold together, by scope; so that it is asked only once.
    facts: Mutex<BTreeMap<String, (Facts, WhyNothing)>>,
}

/// What came of looking for instances.
struct Looked {
    outcome: CommandOutcome,
    /// Whether it follows from the complete system that there is none.
    follows: bool,
}

/// How commands are answered.
#[derive(Clone, Debug)]
pub struct AlloyOptions {
    /// Scopes and overflow.
    pub lowering: LoweringOptions,
    /// Symmetry breaking and witnesses.
    pub search: SearchOptions,
    /// How many instances are wanted, at least one.
    pub instances: usize,
    /// Expressions whose values are wanted in each instance.
    pub evaluate: Vec<String>,
    /// Whether to find out why there is no instance.
    pub why: bool,
    /// How far the answers about transition systems reach.
    pub reach: AnswerExtent,
}

impl Default for AlloyOptions {
    fn default() -> Self {
        Self {
            lowering: LoweringOptions::default(),
            search: SearchOptions::default(),
            instances: 1,
            evaluate: Vec::new(),
            why: true,
            reach: AnswerExtent::default(),
        }
    }
}

impl AlloySubject {
    /// Reads a model from a file, and the modules that it opens from files beside it. Without an edition,
    /// each file is read in the one in which it can be read.
    ///
    /// # Errors
    /// When the file cannot be read or is no model, or the budget ends.
    pub fn open(path: &Path, edition: Option<Edition>, budget: &Budget) -> Result<Self, Refusal> {
        let text = read_text(path, budget)?;
        let mut find = |name: &str| read_text(Path::new(name), budget).ok();
        let name = path.display().to_string();
        let session = Self::read(&name, text, edition, &mut find, budget)?;
        Ok(Self {
            on_disk: true,
            ..session
        })
    }

    /// Reads a model from a text that opens no modules but those that are built in; `name` is what messages
    /// call it.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn from_text(name: &str, text: impl Into<String>) -> Result<Self, Refusal> {
        let budget = Budget::unlimited();
        Self::read(name, text.into(), None, &mut |_| None, &budget)
    }

    /// Reads a model from a text; `find` gives the texts of the modules that it opens, by the names of
    /// their files.
    ///
    /// # Errors
    /// What is wrong with the text, or that the budget ended.
    pub fn read(
        name: &str,
        text: String,
        edition: Option<Edition>,
        find: &mut dyn FnMut(&str) -> Option<String>,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(name, text));
        let loaded = load(&mut sources, file, edition, find, budget)?;
        if loaded.diagnostics.iter().any(Diagnostic::is_error) {
            return Err(Refusal::Rejected(Rejected {
                sources,
                diagnostics: loaded.diagnostics,
            }));
        }
        Ok(Self {
            sources,
            file,
            loaded,
            edition,
            on_disk: false,
            facts: Mutex::default(),
        })
    }

    /// The name of a file of the model as it is from anywhere. A text that comes from no file keeps its name.
    pub fn whole_name(&self, name: &str) -> String {
        let path = Path::new(name);
        let (Some(folder), Some(file), true) = (path.parent(), path.file_name(), self.on_disk)
        else {
            return name.to_string();
        };
        match Path::new(".").join(folder).canonicalize() {
            Ok(folder) => folder.join(file).display().to_string(),
            Err(_) => name.to_string(),
        }
    }

    /// The commands, in the order of their places.
    pub fn commands(&self) -> &[Command] {
        &self.loaded.model.commands
    }

    /// The model.
    pub fn model(&self) -> &AlloyModel {
        &self.loaded.model
    }

    /// The texts of the model and of the modules that it opens.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The file of the model.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// What is odd about the model without making it useless.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.loaded.diagnostics
    }

    /// Messages about this model together with its texts.
    pub fn rejected(&self, diagnostics: Vec<Diagnostic>) -> Rejected {
        Rejected {
            sources: self.sources.clone(),
            diagnostics,
        }
    }

    /// The command with a name, or with a number from 1 on.
    pub fn command(&self, name: &str) -> Option<usize> {
        let by_name = self.commands().iter().position(|c| c.label == name);
        let number = || name.strip_prefix('#').unwrap_or(name).parse::<usize>().ok();
        by_name.or_else(|| {
            let place = number()?.checked_sub(1)?;
            (place < self.commands().len()).then_some(place)
        })
    }

    /// A command, in the scopes that it is asked in.
    ///
    /// # Errors
    /// When the scopes do not fit the model, or traces of any length are asked for.
    ///
    /// # Panics
    /// When there is no command with this place.
    pub fn question(
        &self,
        command: usize,
        choices: &AlloyOptions,
    ) -> Result<CommandQuestion<'_>, Refused> {
        CommandQuestion::new(self, command, choices)
    }

    /// Everything about a command.
    ///
    /// # Panics
    /// When there is no command with this place.
    pub fn answer(&self, command: usize, choices: &AlloyOptions, budget: &Budget) -> AlloyAnswer {
        self.answer_telling(command, choices, budget, &mut |_| {})
    }

    /// Everything about a command; its verdict is told as soon as it is known, before it is known why.
    ///
    /// # Panics
    /// When there is no command with this place.
    pub fn answer_telling(
        &self,
        command: usize,
        choices: &AlloyOptions,
        budget: &Budget,
        tell: &mut dyn FnMut(&AlloyAnswer),
    ) -> AlloyAnswer {
        let question = match self.question(command, choices) {
            Ok(question) => question,
            Err(refused) => {
                let mut answer = AlloyAnswer::new(command, CommandOutcome::Refused(refused));
                tell(&answer);
                if choices.why {
                    self.facts_with_more_scopes(&mut answer, choices, budget);
                }
                return answer;
            }
        };
        let mut outlook = self.outlook(command, choices, budget);
        let mut follows = outlook.as_ref().is_some_and(|outlook| {
            let states = outlook.states(question.scopes());
            outlook.nothing_to_find(question.command(), states)
        });
        let mut instances = question.instances();
        budget.phase("looking for an instance");
        let mut outcome = if follows {
            CommandOutcome::Nothing
        } else {
            let looked = self.look(&question, &mut instances, outlook.as_mut(), choices, budget);
            follows = looked.follows;
            looked.outcome
        };
        if let CommandOutcome::Found { found, .. } = &mut outcome {
            for found in found {
                found.values = self.values(&question, found, budget);
            }
        }
        let scopes = match &outcome {
            CommandOutcome::Found { found, .. } => question.scopes_of(&found[0]).clone(),
            _ => question.scopes().clone(),
        };
        let mut answer = AlloyAnswer {
            scopes: Some(scopes),
            size: instances.size(),
            ..AlloyAnswer::new(command, outcome)
        };
        if let CommandOutcome::Found { .. } = answer.outcome {
            answer.facts = Facts::Consistent;
            self.remember(&question, Facts::Consistent, WhyNothing::Unasked);
        }
        tell(&answer);
        match answer.outcome {
            CommandOutcome::Nothing if choices.why && follows => {
                budget.phase("asking whether the facts can hold together");
                (answer.facts, answer.why) = self.facts_alone(&question, budget);
            }
            CommandOutcome::Nothing if choices.why => {
                budget.phase("finding out why");
                let search = instances.into_search();
                (answer.facts, answer.why) = self.why(&question, search, budget);
            }
            CommandOutcome::Refused(_) if choices.why => {
                budget.phase("asking whether the facts can hold together");
                (answer.facts, answer.why) = self.facts_alone(&question, budget);
            }
            _ => {}
        }
        if let Some(outlook) = outlook {
            let reach = CommandReach {
                follows,
                ..outlook.reach(self, &answer, choices, budget)
            };
            answer.reach = Some(Box::new(reach));
        }
        answer
    }

    /// Looks for instances, with what is known of the complete system.
    fn look<'q>(
        &self,
        question: &'q CommandQuestion<'q>,
        instances: &mut Instances<'q>,
        outlook: Option<&mut Outlook>,
        choices: &AlloyOptions,
        budget: &Budget,
    ) -> Looked {
        let count = choices.instances.max(1);
        let mut follows = false;
        let outcome = match outlook {
            Some(outlook) if outlook.is_known() && instances.made(budget).is_ok() => {
                let mut soon = wanted(instances, count, &budget.counted(SOON));
                if matches!(soon, CommandOutcome::Undecided { .. }) {
                    soon = match outlook.brought(self, question, budget) {
                        Some(found) => CommandOutcome::Found {
                            found: vec![found],
                            others: Others::Unknown,
                        },
                        None => wanted(instances, count, &budget.counted(PATIENCE - SOON)),
                    };
                }
                match soon {
                    // Patience ended, not the budget.
                    CommandOutcome::Undecided { reached, .. } if budget.check().is_ok() => {
                        let stop = None;
                        CommandOutcome::Undecided { stop, reached }
                    }
                    outcome => outcome,
                }
            }
            Some(outlook)
                if outlook.could_follow(question.command()) && instances.made(budget).is_ok() =>
            {
                match wanted(instances, count, &budget.counted(PATIENCE)) {
                    CommandOutcome::Undecided { .. } if budget.check().is_ok() => {
                        follows = outlook.follows_from_all(self, question, choices, budget);
                        if follows {
                            CommandOutcome::Nothing
                        } else {
                            wanted(instances, count, budget)
                        }
                    }
                    soon => soon,
                }
            }
            _ => wanted(instances, count, budget),
        };
        Looked { outcome, follows }
    }

    /// Remembers whether the facts can hold together in the scopes of a question.
    fn remember(&self, question: &CommandQuestion<'_>, facts: Facts, why: WhyNothing) {
        let mut known = self.facts.lock().unwrap_or_else(|e| e.into_inner());
        known.entry(question.scope_key()).or_insert((facts, why));
    }

    /// Whether the facts can hold together in the scopes of a question, if that was asked before.
    fn remembered(&self, question: &CommandQuestion<'_>) -> Option<(Facts, WhyNothing)> {
        let known = self.facts.lock().unwrap_or_else(|e| e.into_inner());
        known.get(&question.scope_key()).cloned()
    }
}

/// The instances that are wanted, as an outcome.
fn wanted(instances: &mut Instances<'_>, count: usize, budget: &Budget) -> CommandOutcome {
    let mut found = Vec::new();
    let mut others = Others::Unknown;
    while found.len() < count {
        match instances.next(budget) {
            Ok(Some(next)) => found.push(next),
            Ok(None) => {
                others = Others::None;
                break;
            }
            Err(Hitch::Stopped(stop)) if found.is_empty() => {
                let reached = instances.reached();
                let stop = Some(stop);
                return CommandOutcome::Undecided { stop, reached };
            }
            Err(Hitch::Stopped(stop)) => {
                others = Others::Stopped(stop);
                break;
            }
            Err(Hitch::Refused(refused)) => return CommandOutcome::Refused(*refused),
        }
    }
    match found.is_empty() {
        true => CommandOutcome::Nothing,
        false => CommandOutcome::Found { found, others },
    }
}

/// What tells scopes apart, as text.
fn key(scopes: &Scopes, overflow: Overflow) -> String {
    let Scopes {
        bits,
        sequence,
        steps,
        strings,
        texts,
        most,
        exact,
        ..
    } = scopes;
    format!("{bits} {sequence} {steps:?} {strings:?} {texts:?} {most:?} {exact:?} {overflow:?}")
}

#[cfg(test)]
mod mend_tests;
#[cfg(test)]
mod system_tests;
#[cfg(test)]
mod tests;
