//! What an answer means for the complete transition system, in sentences.

use wherefore_alloy::answer::Answer;
use wherefore_alloy::model::Command;
use wherefore_alloy::reach::{
    Advice, Because, Class, Initial, Meaning, Reach, Significant, Tried, Way, Whole,
};

use super::Report;
use crate::layout::Role;
use crate::words::{clean, count};

impl Report<'_> {
    /// What an answer means for the complete system: sentences, the most important first.
    pub(super) fn reach(&self, answer: &Answer) -> Vec<(Role, String)> {
        let Some(reach) = &answer.reach else {
            return Vec::new();
        };
        let command = self.command(answer);
        let telling = Telling {
            report: self,
            command,
            found: answer.satisfiable(),
            reach,
        };
        let mut sentences = vec![telling.meaning()];
        sentences.extend(telling.tried().map(|text| (Role::Dim, text)));
        sentences.extend(telling.settling().map(|text| (Role::Plain, text)));
        sentences
    }
}

impl Report<'_> {
    /// The title of the advice, if there is any or it was asked for.
    pub(super) fn advice_title(&self) -> Option<&'static str> {
        Some(match self.advice? {
            [] => "Advice: the transition system is written well as far as was asked.",
            _ => "Advice on how the transition system is written:",
        })
    }

    /// Advice as a sentence, with its place.
    pub(super) fn advice_text(&self, advice: &Advice) -> String {
        let place = advice.span.map(|span| {
            let line = self.sources.place(span).line;
            let file = self.sources.file(span.file).name();
            match file == self.path {
                true => format!(" (line {line})"),
                false => format!(" ({}, line {line})", clean(file)),
            }
        });
        format!("{}{}.", clean(&advice.text), place.unwrap_or_default())
    }
}

/// What kind of formula a class is.
pub(super) fn class_text(class: Class) -> &'static str {
    match class {
        Class::Safety => "safety",
        Class::FiniteLiveness => "finite liveness",
        Class::InfiniteLiveness => "infinite liveness",
        Class::Existential => "existential",
        Class::Mixed => "mixed",
    }
}

struct Telling<'a> {
    report: &'a Report<'a>,
    command: &'a Command,
    found: Option<bool>,
    reach: &'a Reach,
}

impl Telling<'_> {
    fn class(&self) -> &'static str {
        self.reach.class.map_or("", class_text)
    }

    fn meaning(&self) -> (Role, String) {
        if let Whole::Known { .. } = self.reach.whole {
            return self.whole();
        }
        match self.reach.meaning {
            Meaning::Holds(because) => (Role::Good, self.holds(because)),
            Meaning::HoldsSomewhere(because) => (Role::Good, self.holds_somewhere(because)),
            Meaning::Fails(because) => (Role::Bad, self.fails(because)),
            Meaning::Ambiguous => (Role::Warn, self.ambiguous()),
            Meaning::ScopeOnly => {
                let text = "This answer is for its scope alone.".to_string();
                (Role::Warn, text)
            }
        }
    }

    /// The answer where every state was looked at.
    fn whole(&self) -> (Role, String) {
        let Whole::Known {
            holds,
            states,
            initial,
            least,
            copies,
        } = &self.reach.whole
        else {
            return (Role::Plain, String::new());
        };
        let size = match states.as_str() {
            "" => String::new(),
            "1" => " (1 state)".to_string(),
            states => format!(" ({states} states)"),
        };
        let system = format!("the complete system{size}");
        let (check, found) = (self.command.check, self.found == Some(true));
        let universal = !matches!(self.reach.class, Some(Class::Existential | Class::Mixed));
        let contrary = match holds {
            Initial::All if check => Some("it holds in"),
            Initial::None if !check => Some("it holds in no initial state of"),
            _ => None,
        };
        if let (Some(says), true) = (contrary, copies) {
            let mut text = format!(
                "Complete: {says} {system}, which has each state once. No fact says that states with equal fields \
                 are equal, so a system of a scope may have copies of a state, and the answer may be another."
            );
            if found {
                text.push_str(" Here it is.");
            }
            return (Role::Warn, text);
        }
        match holds {
            Initial::All if check && universal => (
                Role::Good,
                format!("Complete: it holds in {system}, and so it passes in every scope."),
            ),
            Initial::All if check && found => (
                Role::Warn,
                format!(
                    "Complete: it holds in {system}. The counterexample is a part of it with too few states."
                ),
            ),
            Initial::All if !check && !found => (
                Role::Warn,
                format!(
                    "Complete: it holds in every initial state of {system}, but no system of this scope shows it."
                ),
            ),
            Initial::All => (Role::Good, format!("Complete: it holds in {system}.")),
            Initial::Some if !check => (
                Role::Warn,
                format!(
                    "Complete: it holds in some of the {initial} initial states of {system}, not in all."
                ),
            ),
            Initial::None if !check => (
                Role::Bad,
                format!("Complete: it holds in no initial state of {system}."),
            ),
            Initial::Some | Initial::None => {
                let mut text = match self.found {
                    Some(true) => format!("Complete: A REAL BUG, it fails in {system} as well."),
                    Some(false) => {
                        format!("Complete: A REAL BUG beyond this scope, it fails in {system}.")
                    }
                    None => format!("Complete: A REAL BUG, it fails in {system}."),
                };
                if let (Some(least), false) = (least, found) {
                    let states = count(*least, "state");
                    text.push_str(&format!(" A counterexample has at least {states}."));
                }
                (Role::Bad, text)
            }
        }
    }

    fn holds(&self, because: Because) -> String {
        match because {
            Because::DeadLoops(states) => format!(
                "Real: it holds in the complete system. Every path gets there within {}, also those that end in \
                 the scope.",
                self.states(states)
            ),
            _ => "Real: it holds in the complete system.".to_string(),
        }
    }

    fn holds_somewhere(&self, because: Because) -> String {
        match because {
            Because::Instance(states) => format!(
                "Real: it holds in the complete system in the initial states of an instance with {}; there may \
                 be other initial states.",
                self.states(states)
            ),
            _ => "Real: it holds in some initial states of the complete system.".to_string(),
        }
    }

    fn fails(&self, because: Because) -> String {
        let class = self.class();
        match because {
            Because::Counterexample(_) if self.found == Some(true) => format!(
                "A REAL BUG: a counterexample to {class} is one of the complete system as well."
            ),
            Because::Counterexample(states) => format!(
                "A REAL BUG in a larger scope: there is a counterexample with {}.",
                self.states(states)
            ),
            Because::NoInstance(states) => format!(
                "It fails in the complete system: if it held there, it would hold in every system \
                 of {}.",
                self.states(states)
            ),
            _ => "A REAL BUG: it fails in the complete system.".to_string(),
        }
    }

    fn ambiguous(&self) -> String {
        let class = self.class();
        let why = match self.reach.class {
            Some(Class::Mixed) => "an answer about some and about every path says nothing of systems with \
                                   other states"
                .to_string(),
            Some(Class::Existential) => "an instance may need more states".to_string(),
            _ if self.found == Some(true) && !self.command.check => {
                "what holds in a part of a system need not hold in all of it".to_string()
            }
            _ if self.found == Some(true) => {
                "without the axiom that states with equal fields are equal, a system may have copies of a \
                 state"
                    .to_string()
            }
            _ => "a counterexample may need more states".to_string(),
        };
        let mut text = format!("Ambiguous for the complete system ({class}): {why}.");
        match self.reach.significant {
            Significant::At(states) => {
                let all = self.reach.tried.iter().rev();
                let last = all
                    .filter(|tried| matches!(tried.way, Way::Command | Way::Run))
                    .map(|tried| tried.states)
                    .max();
                if last >= Some(states) {
                    text.push_str(&format!(
                        " The significant scope is reached: with {} every operation happens.",
                        self.states(states)
                    ));
                }
            }
            Significant::Above(states) => text.push_str(&format!(
                " The significant scope is not known; with up to {} not every operation happens.",
                self.states(states)
            )),
            Significant::NoOperations => text.push_str(
                " There is no significant scope to grow to: the steps are not written as operations.",
            ),
            Significant::Unasked => {}
        }
        text
    }

    /// The scopes that were tried, if there is more than that of the command.
    fn tried(&self) -> Option<String> {
        let tried = &self.reach.tried;
        if tried.len() < 2 {
            return None;
        }
        let mut parts: Vec<String> = Vec::new();
        for group in
            tried.chunk_by(|a, b| (a.way, a.exactly, a.found) == (b.way, b.exactly, b.found))
        {
            let (first, last) = (group[0], group[group.len() - 1]);
            let numbers = match first.states == last.states {
                true => first.states.to_string(),
                false => format!("{} to {}", first.states, last.states),
            };
            let states = if numbers == "1" { "state" } else { "states" };
            let most = if first.exactly { "" } else { "at most " };
            parts.push(format!(
                "{} with {most}{numbers} {states}",
                self.result(first)
            ));
        }
        Some(format!("Tried: {}.", parts.join("; ")))
    }

    /// What came of a problem in a scope.
    fn result(&self, tried: Tried) -> String {
        let check = self.command.check;
        let (what, how) = match tried.way {
            Way::Command if check => ("counterexample", ""),
            Way::Command => ("instance", ""),
            Way::DeadLoops => ("counterexample", " with dead loops"),
            Way::Run => ("instance", " as a run"),
            Way::Axioms => ("significant instance", ""),
        };
        let article = if what == "instance" { "an" } else { "a" };
        match tried.found {
            Some(true) => format!("{article} {what}{how}"),
            Some(false) => format!("no {what}{how}"),
            None => format!("no answer about a {what}{how}"),
        }
    }

    /// What would settle what is open.
    fn settling(&self) -> Option<String> {
        match &self.reach.whole {
            Whole::Unknown(message, Some(span)) => {
                let place = self.report.sources.place(*span);
                let file = self.report.sources.file(span.file).name();
                let place = match file == self.report.path {
                    true => format!("line {}", place.line),
                    false => format!("{}, line {}", clean(file), place.line),
                };
                (!self.reach.is_real()).then(|| {
                    format!(
                        "The complete system is not known ({place}): {}.",
                        clean(message)
                    )
                })
            }
            Whole::Unknown(message, None) if !self.reach.is_real() => Some(format!(
                "{}. `--reach complete` would settle it, however long that takes.",
                clean(message)
            )),
            Whole::Unasked if !self.reach.is_real() && self.reach.class.is_some() => {
                let more = match self.reach.tried.is_empty() {
                    true => "`--reach growing` tries larger scopes, and ",
                    false => "",
                };
                Some(format!("{more}`--reach complete` would settle it."))
            }
            _ => None,
        }
    }

    fn states(&self, number: i32) -> String {
        count(usize::try_from(number).unwrap_or(0), "state")
    }
}
