//! How far the answers to commands reach: to the complete system where it is cheap, otherwise as far as growing
//! scopes get.
//!
//! A command about a transition system always gets the answer of its own scope. Where every state was looked
//! at, that answer may follow: a formula about every path that holds completely passes in every scope, one
//! whose shortest counterexample has more states than the scope passes there, and a formula about some
//! path that holds nowhere has no instance. Then nothing is solved.

use wherefore_alloy::AlloyModel;
use wherefore_alloy::answer::{AlloyAnswer, CommandOutcome};
use wherefore_alloy::model::Command;
use wherefore_alloy::reach::{Because, Class, CommandReach, Initial, ReachMeaning, Whole};
use wherefore_base::{Budget, Span};
use wherefore_evidence::{EvidenceOptions, Finding, Measure, Note, Verdict};
use wherefore_logic::Op;
use wherefore_model::{Model as Flat, VarKind};
use wherefore_tcmc::{
    AskedFormula, MethodCase, SystemParts, SystemReading, TcmcMisfit, TcmcModule, asked,
    is_universal, unread,
};

use super::{AlloyOptions, AlloySubject, AnswerInstance, CommandQuestion};
use crate::engines::Job;
use crate::engines::quick::{Quick, quick};

/// A system with more bits in its states is not tried by itself.
const MOST_BITS: usize = 128;
/// How often the budget is asked while the system is made.
const MAKING: u64 = 200_000;
/// How often the budget is asked while every state is looked at.
const LOOKING: u64 = 16_000;

/// How far answers reach.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AnswerExtent {
    /// As far as the scope of the command, and no farther.
    #[default]
    Scoped,
    /// To larger scopes, as the class of the formula asks for.
    Growing,
    /// To every state where that is cheap, otherwise to larger scopes.
    Auto,
}

/// What is known of a command before it is solved.
pub(super) struct Outlook {
    /// What it asks for, or why that cannot be taken apart.
    asks: Result<(SystemReading, AskedFormula), (String, Option<Span>)>,
    whole: Whole,
    /// How scopes and the complete system belong together.
    parts: SystemParts,
}

impl AlloySubject {
    /// What can be said of a command before it is solved; none if it is not about a transition system.
    pub(super) fn outlook(
        &self,
        command: usize,
        choices: &AlloyOptions,
        budget: &Budget,
    ) -> Option<Outlook> {
        let model = self.model();
        TcmcModule::of(model)?;
        let unknown = |misfit: TcmcMisfit| Outlook {
            asks: Err(reason(misfit)),
            whole: Whole::Unasked,
            parts: NO_PARTS,
        };
        let reading = match SystemReading::of(model) {
            Ok(reading) => reading?,
            Err(misfit) => return Some(unknown(misfit)),
        };
        let source = &self.commands()[command];
        let asked = match asked(model, &reading, source) {
            Ok(Some(asked)) => asked,
            Ok(None) => return unread(model, &reading.module, source).map(unknown),
            Err(misfit) => return Some(unknown(misfit)),
        };
        let case = case(model, &reading, source, &asked, choices);
        let (parts, mut whole) = match case.parts(&budget.counted(MAKING)) {
            Ok(parts) => (parts, Whole::Unasked),
            Err(misfit) => (NO_PARTS, unknown_for(misfit, budget)),
        };
        if choices.reach == AnswerExtent::Auto && whole == Whole::Unasked {
            budget.phase("looking at every state");
            whole = self.whole(command, (&reading, &asked, parts), choices, budget);
        }
        let asks = Ok((reading, asked));
        Some(Outlook { asks, whole, parts })
    }

    /// What the complete system says, if that is found out cheaply.
    fn whole(
        &self,
        command: usize,
        (reading, asked, parts): (&SystemReading, &AskedFormula, SystemParts),
        choices: &AlloyOptions,
        budget: &Budget,
    ) -> Whole {
        let source = &self.commands()[command];
        let mut contrary = asked.clone();
        let root = contrary.formula.root();
        contrary.formula.add(Op::Not(root), None);
        let wanted = [(source, Ok(asked.clone())), (source, Ok(contrary))];
        let counted = budget.counted(MAKING);
        let system = match self.system(reading, &wanted, &choices.lowering, &counted) {
            Ok(system) => system.model,
            Err(misfit) => return unknown_for(misfit, budget),
        };
        let bits = bits(&system);
        if bits > MOST_BITS {
            let message = format!(
                "Its states have {bits} bits, and no more than {MOST_BITS} are tried by themselves"
            );
            return Whole::Unknown(message, None);
        }
        let job = Job {
            options: EvidenceOptions {
                evidence: false,
                vacuity: false,
                ..EvidenceOptions::default()
            },
            properties: Some(vec![0, 1]),
            ..Job::default()
        };
        let Quick { space, findings } = quick(&system, &job, LOOKING, budget);
        let holds = match initial(&findings) {
            Some(holds) => holds,
            None => {
                let message = "Looking at every state takes more than a moment";
                return Whole::Unknown(message.to_string(), None);
            }
        };
        let notes = space.iter().flat_map(|space| &space.notes);
        if notes.into_iter().any(|note| *note == Note::NoInitialState) {
            let message = "No state that there can be is an initial one";
            let span = self.model().terms[reading.initial.1].span;
            return Whole::Unknown(message.to_string(), Some(span));
        }
        let number = |count: Option<String>| count.unwrap_or_default();
        let least = match (holds, asked.row()) {
            (Initial::Some | Initial::None, Some(row)) if source.check && parts.are_parts => {
                shortest(&system, budget).map(|steps| row.states(steps))
            }
            _ => None,
        };
        Whole::Known {
            holds,
            states: number(space.as_ref().map(|space| space.states.to_string())),
            initial: number(space.as_ref().map(|space| space.initial.to_string())),
            least,
            copies: !parts.are_parts,
        }
    }
}

const NO_PARTS: SystemParts = SystemParts {
    are_parts: false,
    are_all: false,
};

fn case<'a>(
    model: &'a AlloyModel,
    reading: &'a SystemReading,
    command: &'a Command,
    asked: &'a AskedFormula,
    choices: &'a AlloyOptions,
) -> MethodCase<'a> {
    MethodCase {
        model,
        reading,
        command,
        asked,
        choices: &choices.lowering,
        options: &choices.search,
    }
}

/// That the complete system is not known; nobody asked where all time was spent before.
fn unknown_for(misfit: TcmcMisfit, budget: &Budget) -> Whole {
    if matches!(misfit, TcmcMisfit::Stopped(_)) && budget.check().is_err() {
        return Whole::Unasked;
    }
    let (message, span) = reason(misfit);
    Whole::Unknown(message, span)
}

/// Why something is not known, and where that is written.
pub(super) fn reason(misfit: TcmcMisfit) -> (String, Option<Span>) {
    match misfit {
        TcmcMisfit::Shape { message, span } => (message, Some(span)),
        TcmcMisfit::Cut { span, from, to } => reason(TcmcMisfit::cut(span, &from, &to)),
        TcmcMisfit::Pairs { span, .. } => reason(TcmcMisfit::pairs(span)),
        TcmcMisfit::Wrong(diagnostic) => (diagnostic.message.clone(), None),
        TcmcMisfit::Stopped(_) => (
            "The complete system takes too long to make".to_string(),
            None,
        ),
        TcmcMisfit::TooLarge(message) => (message.trim_end_matches('.').to_string(), None),
    }
}

/// In which initial states a formula holds, by the answers to it and to its contrary.
fn initial(findings: &[Finding]) -> Option<Initial> {
    let verdict = |property: usize| {
        let finding = findings
            .iter()
            .find(|finding| finding.property == property)?;
        match finding.verdict {
            Verdict::Holds => Some(true),
            Verdict::Fails => Some(false),
            Verdict::Unknown(_) => None,
        }
    };
    match (verdict(0)?, verdict(1)?) {
        (true, _) => Some(Initial::All),
        (false, true) => Some(Initial::None),
        (false, false) => Some(Initial::Some),
    }
}

/// The fewest steps that a counterexample of the first property has.
fn shortest(system: &Flat, budget: &Budget) -> Option<u32> {
    let job = Job {
        options: EvidenceOptions {
            vacuity: false,
            ..EvidenceOptions::default()
        },
        properties: Some(vec![0]),
        ..Job::default()
    };
    let known = quick(system, &job, LOOKING, budget);
    let minimal = &known.findings.first()?.evidence.as_ref()?.minimal;
    (minimal.measure == Measure::Steps).then_some(minimal.at_least)
}

/// How many bits the states of a system have.
fn bits(system: &Flat) -> usize {
    let of_states = system.vars.iter().filter(|var| var.kind != VarKind::Input);
    let bits = of_states.map(|var| var.domain.bits() as usize);
    bits.sum()
}

impl Outlook {
    /// Whether the command has no instance in its scope, as far as that follows from the complete system.
    pub(super) fn nothing_to_find(&self, command: &Command, states: i32) -> bool {
        let (Ok((_, asked)), true) = (&self.asks, self.parts.are_parts) else {
            return false;
        };
        let Whole::Known { holds, least, .. } = &self.whole else {
            return false;
        };
        let class = asked.class();
        if !command.check {
            return class == Class::Existential && *holds == Initial::None;
        }
        let most = usize::try_from(states).unwrap_or(0);
        is_universal(class) && (*holds == Initial::All || least.is_some_and(|least| least > most))
    }

    /// Whether the complete system was looked at.
    pub(super) fn is_known(&self) -> bool {
        matches!(self.whole, Whole::Known { .. })
    }

    /// An instance in the scope of a check that fails in the complete system, with a run from there.
    pub(super) fn brought(
        &self,
        session: &AlloySubject,
        question: &CommandQuestion<'_>,
        budget: &Budget,
    ) -> Option<AnswerInstance> {
        let (Ok((reading, asked)), true) = (&self.asks, self.parts.are_parts) else {
            return None;
        };
        let fails = matches!(&self.whole, Whole::Known { holds, .. } if *holds != Initial::All);
        let wanted = fails && question.command().check && asked.is_universal();
        wanted.then(|| session.brought(question, (reading, asked), budget))?
    }

    /// Whether it may follow from the complete system, which was not looked at, that a command has no instance.
    pub(super) fn could_follow(&self, command: &Command) -> bool {
        let (Ok((_, asked)), Whole::Unasked) = (&self.asks, &self.whole) else {
            return false;
        };
        let class = asked.class();
        let right = match command.check {
            true => is_universal(class),
            false => class == Class::Existential,
        };
        right && self.parts.are_parts
    }

    /// Looks at every state, if that is cheap. If it follows that a command has no instance, what was found out is
    /// kept.
    pub(super) fn follows_from_all(
        &mut self,
        session: &AlloySubject,
        question: &CommandQuestion<'_>,
        choices: &AlloyOptions,
        budget: &Budget,
    ) -> bool {
        let Ok((reading, asked)) = &self.asks else {
            return false;
        };
        budget.phase("looking at every state");
        self.whole = session.whole(
            question.place(),
            (reading, asked, self.parts),
            choices,
            budget,
        );
        let states = self.states(question.scopes());
        let follows = self.nothing_to_find(question.command(), states);
        if !follows {
            self.whole = Whole::Unasked;
        }
        follows
    }

    /// How many states the scope of the command has.
    pub(super) fn states(&self, scopes: &wherefore_alloy::Scopes) -> i32 {
        match &self.asks {
            Ok((reading, _)) => scopes.most[reading.state.index()],
            Err(_) => 0,
        }
    }

    /// What the answer to a command means, after larger scopes were tried if that is wanted.
    pub(super) fn reach(
        self,
        session: &AlloySubject,
        answer: &AlloyAnswer,
        choices: &AlloyOptions,
        budget: &Budget,
    ) -> CommandReach {
        let (reading, asked) = match &self.asks {
            Ok(asks) => asks,
            Err((message, span)) => {
                return CommandReach {
                    whole: Whole::Unknown(message.clone(), *span),
                    ..CommandReach::new(None, ReachMeaning::ScopeOnly)
                };
            }
        };
        let command = &session.commands()[answer.command];
        let class = asked.class();
        if let Whole::Known { holds, copies, .. } = self.whole {
            let meaning = match holds {
                Initial::All if copies && command.check => ReachMeaning::Ambiguous,
                Initial::None if copies && !command.check => ReachMeaning::Ambiguous,
                Initial::All => ReachMeaning::Holds(Because::Whole),
                Initial::Some if !command.check => ReachMeaning::HoldsSomewhere(Because::Whole),
                Initial::Some | Initial::None => ReachMeaning::Fails(Because::Whole),
            };
            return CommandReach {
                whole: self.whole,
                ..CommandReach::new(Some(class), meaning)
            };
        }
        let found = answer.satisfiable();
        let case = case(session.model(), reading, command, asked, choices);
        let grown = match (choices.reach, &answer.outcome) {
            (AnswerExtent::Scoped, _) | (_, CommandOutcome::Refused(_)) => None,
            _ => {
                budget.phase("trying larger scopes");
                case.grow(found, budget).ok()
            }
        };
        let states = answer
            .scopes
            .as_ref()
            .map_or(0, |scopes| self.states(scopes));
        let reach = grown.unwrap_or_else(|| {
            let meaning = case.meaning(found, states, self.parts);
            CommandReach::new(Some(class), meaning)
        });
        CommandReach {
            whole: self.whole,
            ..reach
        }
    }
}
