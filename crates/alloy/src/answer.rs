//! What is found out about a command.
//!
//! These are values without a life of their own: whoever asks a solver makes them, and views tell them. A
//! command is answered within its scope, and every word about it says so.

use wherefore_base::{Diagnostic, Span, Stop};
use wherefore_proof::Blame;
use wherefore_relational::{Instance, Size};

use crate::lower::TraceShape;
use crate::model::{Command, FieldId, SigId};
use crate::reach::CommandReach;
use crate::scene::{Scene, SceneRow};
use crate::scope::Scopes;

/// Everything found out about a command.
#[derive(Clone, Debug)]
pub struct AlloyAnswer {
    /// The command, by its place in the model.
    pub command: usize,
    /// What came of it.
    pub outcome: CommandOutcome,
    /// Whether the facts can hold together in its scope.
    pub facts: Facts,
    /// Why there is nothing to find; only where there is not.
    pub why: WhyNothing,
    /// Its scopes, unless they do not fit.
    pub scopes: Option<Scopes>,
    /// How large the translated problem is; of traces, the last one that was searched.
    pub size: Option<Size>,
    /// Signatures without a scope and how many atoms they got, where the facts were asked all the same; none of
    /// them where all signatures got so many, since the scopes are wrong.
    pub filled: Option<(i32, Vec<String>)>,
    /// What it means for the complete transition system; only where the command asks for a formula of CTL.
    pub reach: Option<Box<CommandReach>>,
    /// The places of the text that are to blame, where it is not as expected and somebody looked.
    pub blame: Option<Blame>,
}

/// What came of a command.
#[derive(Clone, Debug)]
pub enum CommandOutcome {
    /// Instances; of a check, they are counterexamples. At least one.
    Found {
        /// Those that were asked for, in the order in which they were found.
        found: Vec<AnswerInstance>,
        /// Whether there are no others, or nobody knows.
        others: Others,
    },
    /// There is nothing to be found in this scope.
    Nothing,
    /// The command cannot be answered.
    Refused(Refused),
    /// The work ended before its result.
    Undecided {
        /// Why; none where the complete system is known, and this scope would take too long.
        stop: Option<Stop>,
        /// No trace has so few states, or fewer; none where nothing changes or no length is done.
        reached: Option<usize>,
    },
}

/// Whether there are more instances than those that were asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// There may be.
    Unknown,
    /// There are none, symmetric ones aside.
    None,
    /// The work ended before that was known.
    Stopped(Stop),
}

/// An instance, and what it takes to evaluate expressions on it.
#[derive(Clone, Debug)]
pub struct AnswerInstance {
    /// It in the words of the model.
    pub scene: Scene,
    /// It in the words of the problem.
    pub instance: Instance,
    /// The shape of the trace; a single state where nothing changes.
    pub shape: TraceShape,
    /// The place of the problem it was found for: of a round of growing scopes and a length of traces.
    pub problem: usize,
    /// The values of expressions that were asked for.
    pub values: Vec<Evaluated>,
}

/// The values of an expression in an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluated {
    /// The expression, as it is written.
    pub text: String,
    /// Its value in each state, or why it has none.
    pub states: Vec<Result<ExpressionValue, String>>,
}

/// Why a command cannot be answered.
#[derive(Clone, Debug)]
pub struct Refused {
    /// What there is to say about it.
    pub diagnostic: Diagnostic,
    /// Whose fault it is.
    pub fault: CommandFault,
}

/// Who has to do something about a command that is not answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandFault {
    /// The model: its scopes do not fit, or a predicate calls itself.
    Model,
    /// This program, which cannot do it: higher-order quantification, or something too large.
    Limits,
    /// This program, which made a mistake.
    Mistake,
}

/// Whether the facts can hold together in the scope of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Facts {
    /// They can.
    Consistent,
    /// They cannot, so every check passes and no run has an instance.
    Inconsistent,
    /// Nobody asked, or the answer did not come in time.
    Unknown,
}

/// Why there is no instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhyNothing {
    /// Nobody asked, or there is one.
    Unasked,
    /// These parts of the model cannot hold together.
    Core(Core),
    /// The work ended before it was known.
    Stopped(Stop),
}

/// Parts of a model that cannot hold together in a scope. Without parts, the scope alone leaves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// The parts, in the order of their places.
    pub parts: Vec<CorePart>,
    /// Whether each is needed: without any one of them the others can hold together.
    pub minimal: bool,
}

/// A part of a model, as it is written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CorePart {
    /// Where it is written.
    pub span: Span,
    /// What it is.
    pub role: CoreRole,
}

/// What a part of a model is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CoreRole {
    /// A part of the fact with this name, which may be empty.
    Fact(String),
    /// A part of what is said of every atom of a signature.
    SigFact(SigId),
    /// The declaration of a signature: its multiplicity, its scope, the signature it is in.
    Sig(SigId),
    /// The declaration of a field: its multiplicity, and where its columns lie.
    Field(FieldId),
    /// A part of what the command asks for; of a check, the assertion, which must be false.
    Goal,
    /// A part of a predicate or function with this name, which facts or the goal use.
    Function(String),
}

/// The value of an expression in a state of an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpressionValue {
    /// A set or relation: its rows, in order.
    Rows {
        /// How many columns a row has.
        arity: usize,
        /// The rows.
        rows: Vec<SceneRow>,
    },
    /// A truth value.
    Truth(bool),
    /// An integer; none where arithmetic overflows and must not.
    Number(Option<i64>),
}

impl AlloyAnswer {
    /// An answer without any detail.
    pub fn new(command: usize, outcome: CommandOutcome) -> Self {
        Self {
            command,
            outcome,
            facts: Facts::Unknown,
            why: WhyNothing::Unasked,
            scopes: None,
            size: None,
            filled: None,
            reach: None,
            blame: None,
        }
    }

    /// Whether there is an instance; none where nobody knows.
    pub fn satisfiable(&self) -> Option<bool> {
        match self.outcome {
            CommandOutcome::Found { .. } => Some(true),
            CommandOutcome::Nothing => Some(false),
            CommandOutcome::Refused(_) | CommandOutcome::Undecided { .. } => None,
        }
    }

    /// Whether a command holds: a run if there is an instance, a check if there is no counterexample.
    pub fn holds(&self, command: &Command) -> Option<bool> {
        self.satisfiable().map(|found| found != command.check)
    }

    /// Whether it is as expected: as `expect` says, and otherwise whether the command holds.
    pub fn as_expected(&self, command: &Command) -> Option<bool> {
        let found = self.satisfiable()?;
        Some(command.expects_instance() == found)
    }

    /// Whether the formula of a check is known to fail in the complete transition system, and nobody expects a
    /// counterexample.
    pub fn is_real_bug(&self, command: &Command) -> bool {
        let fails = self.reach.as_ref().is_some_and(|reach| reach.is_real_bug());
        fails && command.check && !command.expects_instance()
    }

    /// Whether a check passes for no other reason than that the facts cannot hold together.
    pub fn is_vacuous(&self, command: &Command) -> bool {
        command.check
            && self.facts == Facts::Inconsistent
            && matches!(self.outcome, CommandOutcome::Nothing)
    }
}

impl Command {
    /// Whether an instance is expected: as `expect` says; otherwise of a run, and not of a check.
    pub fn expects_instance(&self) -> bool {
        match self.expect {
            Some(number) => number != 0,
            None => !self.check,
        }
    }
}
