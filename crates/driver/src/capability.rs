//! What models of a language can do, as data, and what is said of what they cannot.

use std::fmt;

use wherefore_evidence::{EvidenceWish, Finding};
use wherefore_logic::parts;
use wherefore_model::PropertyBody;

use crate::refusal::Refusal;
use crate::subject::Language;

/// Something that a subject may be able to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Capability {
    /// Take further questions from text.
    Add,
    /// Grow the proof of an answer step by step.
    Explain,
    /// Be walked through state by state.
    Explore,
    /// Show all counterexamples of a question at once, as a tagged graph.
    Debug,
    /// Give several pieces of evidence for one answer.
    Several,
    /// Give all shortest evidence at once, as sets of states.
    Abstract,
    /// Give one instance after the other.
    Enumerate,
    /// Have its evidence chosen by strategies.
    Strategies,
    /// Have its properties asked under another path rule.
    Paths,
    /// Have its properties asked from other states than the initial ones.
    From,
    /// Have its states named by conditions.
    Names,
    /// Certify why a property holds.
    Certify,
    /// Write a question as a first-order theory.
    Theory,
    /// Be put side by side with others, relabelled and reduced.
    Compose,
    /// Be written as an SMV model.
    Translate,
    /// Have traces made as short as their states allow.
    Shrink,
    /// Say which places of its text are to blame for a failure, and which changes mend it.
    Blame,
    /// Give the values of expressions in its states.
    Evaluate,
    /// Have its states listed and followed one by one.
    States,
}

impl Capability {
    /// All capabilities, in the order in which they are listed.
    pub const ALL: [Capability; 19] = [
        Capability::Add,
        Capability::Explain,
        Capability::Explore,
        Capability::Debug,
        Capability::Several,
        Capability::Abstract,
        Capability::Enumerate,
        Capability::Strategies,
        Capability::Paths,
        Capability::From,
        Capability::Names,
        Capability::Certify,
        Capability::Theory,
        Capability::Compose,
        Capability::Translate,
        Capability::Shrink,
        Capability::Blame,
        Capability::Evaluate,
        Capability::States,
    ];

    /// What it is, as the end of the sentence "this model cannot be ...".
    pub fn phrase(self) -> &'static str {
        match self {
            Capability::Add => "asked further questions",
            Capability::Explain => "explained step by step",
            Capability::Explore => "explored state by state",
            Capability::Debug => "debugged with all counterexamples at once",
            Capability::Several => "asked for several counterexamples",
            Capability::Abstract => "asked for abstract evidence",
            Capability::Enumerate => "enumerated instance by instance",
            Capability::Strategies => "led by strategies",
            Capability::Paths => "asked under another path rule",
            Capability::From => "asked from chosen states",
            Capability::Names => "shown with names for states",
            Capability::Certify => "certified",
            Capability::Theory => "written as first-order theories",
            Capability::Compose => "composed and reduced",
            Capability::Translate => "written as SMV models",
            Capability::Shrink => "asked to shrink traces",
            Capability::Blame => "asked what in its text is to blame",
            Capability::Evaluate => "asked for the values of expressions",
            Capability::States => "looked at state by state",
        }
    }

    /// Why it does not work for a property of a subject that is capable of it otherwise; `None` where it does.
    pub fn refused_for(self, property: &PropertyBody) -> Option<String> {
        let why = match (self, property) {
            (_, PropertyBody::Unsupported(why)) => return Some(why.clone()),
            (Capability::Explain, PropertyBody::Distance(_)) => {
                "it is a number of steps, and only properties are explained step by step; `wherefore check` gives the number"
            }
            (Capability::Shrink, PropertyBody::Distance(_)) => {
                "it is a number of steps, and has no counterexample to shrink"
            }
            (Capability::Blame, PropertyBody::Distance(_)) => {
                "it is a number of steps, and a number does not fail; `wherefore check` gives the number"
            }
            (Capability::Debug, PropertyBody::Distance(_)) => {
                "it is a number of steps, and a number has no counterexamples; `wherefore check` gives the number"
            }
            _ => return None,
        };
        Some(why.to_string())
    }

    /// The command or option that makes use of it.
    pub fn command(self) -> Option<&'static str> {
        Some(match self {
            Capability::Add => "check -e",
            Capability::Explain => "explain",
            Capability::Explore => "explore",
            Capability::Debug => "debug, query",
            Capability::Several => "check --count",
            Capability::Abstract => "check --evidence abstract",
            Capability::Enumerate => "check --instances",
            Capability::Strategies => "check --strategy",
            Capability::Paths => "check --paths",
            Capability::From => "check --from",
            Capability::Names => "check --name",
            Capability::Certify => "check --certificate",
            Capability::Theory => "check --write-query",
            Capability::Compose => "convert --reduce",
            Capability::Translate => "convert --to smv",
            Capability::Shrink => "replay, shrink",
            Capability::Blame => "blame",
            Capability::Evaluate | Capability::States => return None,
        })
    }
}

/// Why a wish for evidence means nothing for a property, given what was found; `None` where it does.
pub(crate) fn wish_refused(
    wish: EvidenceWish,
    property: &PropertyBody,
    finding: &Finding,
) -> Option<&'static str> {
    match (property, wish) {
        // Whom the environment is makes no difference to a number.
        (PropertyBody::Distance(_), EvidenceWish::Environment) => None,
        (PropertyBody::Distance(_), _) => {
            Some("COMPUTE gives a number, and no run is chosen for it")
        }
        (PropertyBody::Linear(_), EvidenceWish::Time) => {
            Some("a run that refutes a formula of LTL is shown whole or not at all")
        }
        (PropertyBody::Linear(_), EvidenceWish::Abstract) => Some(
            "whether a formula of LTL is satisfied depends on whole runs, and not on the sets of states that they go through; \
             `--count` shows several runs, and `wherefore debug` all of them at once",
        ),
        (PropertyBody::Linear(query), EvidenceWish::Each) => {
            let split = parts(&query.formula).len() > 1;
            (split && finding.more.parts.is_empty()).then_some(
                "the parts of the formula were not looked at, since that took too long or this engine does not do it",
            )
        }
        _ => None,
    }
}

/// The one sentence for what a model in a language cannot do: what it is, what works, and what would help.
///
/// `capabilities` are those of the model.
pub fn unsupported(
    language: Language,
    capability: Capability,
    capabilities: &[Capability],
) -> Refusal {
    let advice = advice(capability, capabilities);
    refused(language, capability.phrase(), capabilities, advice)
}

/// The same of a command that takes models with variables.
pub(crate) fn without_model(language: Language, capabilities: &[Capability]) -> Refusal {
    refused(language, "taken by this command", capabilities, None)
}

fn refused(
    language: Language,
    what: &str,
    capabilities: &[Capability],
    advice: Option<&str>,
) -> Refusal {
    let commands = capabilities.iter().filter_map(|one| one.command());
    let commands: Vec<&str> = std::iter::once("check").chain(commands).collect();
    let advice = advice.map(|advice| format!(". {advice}"));
    Refusal::Unsupported(format!(
        "this model in the language `{language}` cannot be {what}; what works: {}{}",
        commands.join(", "),
        advice.unwrap_or_default()
    ))
}

/// What would help somebody who wants what a model cannot do.
fn advice(capability: Capability, capabilities: &[Capability]) -> Option<&'static str> {
    // Models that solvers are asked about can be written as theories, those of Alloy have instances, and systems of actions
    // are composed.
    let infinite = capabilities.contains(&Capability::Theory);
    let instances = capabilities.contains(&Capability::Enumerate);
    let actions = capabilities.contains(&Capability::Compose);
    Some(match capability {
        Capability::Explore
        | Capability::Debug
        | Capability::Several
        | Capability::Abstract
        | Capability::Strategies
        | Capability::From
        | Capability::Names
        | Capability::Certify
        | Capability::Blame
            if infinite =>
        {
            "With --bound its finite version is like any other model"
        }
        Capability::Debug
        | Capability::Strategies
        | Capability::Certify
        | Capability::Translate
            if instances =>
        {
            "The model describes no transition system: it opens neither ctl nor ctlfc nor one of their relatives"
        }
        Capability::Add if instances => {
            "`check -e` shows the value of an expression in each instance"
        }
        Capability::Abstract if actions => {
            "`check --count` shows several runs, and `debug` all of them at once"
        }
        Capability::Certify if actions => "`explain` reads the proof claim by claim",
        Capability::Enumerate => "Instances are those of commands of Alloy models",
        Capability::Theory => {
            "Theories are those of infinite-state models (.vmt, .smt2, .smv with `integer` or `real`)"
        }
        Capability::Compose => "Systems in AUT files are composed and reduced",
        Capability::Translate => "Transition systems of Alloy models are written as SMV models",
        Capability::Paths if !infinite => "Path rules are those of SMV models",
        _ => return None,
    })
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phrase())
    }
}
