//! What an answer means for the complete transition system, in sentences.

use wherefore_alloy::answer::AlloyAnswer;
use wherefore_alloy::model::Command;
use wherefore_alloy::reach::{
    Advice, Because, Class, CommandReach, Initial, ReachMeaning, ReachMethod, Significant, Tried,
    Whole,
};

use super::{Sentence, SentenceAssertion, count, joined};
use crate::alloy::AlloyReport;
use crate::layout::VariableRole;
use crate::words::clean;

impl AlloyReport<'_> {
    /// What an answer means for the complete system: sentences, the most important first.
    pub(crate) fn reach(&self, answer: &AlloyAnswer) -> Vec<(VariableRole, Sentence)> {
        let Some(reach) = &answer.reach else {
            return Vec::new();
        };
        let command = self.command(answer);
        let telling = ReachTelling {
            report: self,
            command,
            found: answer.satisfiable(),
            reach,
        };
        let (role, meaning) = telling.meaning();
        let asserted = match &reach.whole {
            Whole::Known { holds, states, .. } => {
                SentenceAssertion::Complete(*holds, states.clone())
            }
            _ => SentenceAssertion::Means(reach.meaning),
        };
        let mut sentences = vec![(role, meaning.asserting(asserted))];
        sentences.extend(telling.tried().map(|text| (VariableRole::Dim, text)));
        sentences.extend(telling.settling().map(|text| (VariableRole::Plain, text)));
        sentences
    }
}

impl AlloyReport<'_> {
    /// The title of the advice, if there is any or it was asked for.
    pub(crate) fn advice_title(&self) -> Option<&'static str> {
        Some(match self.advice? {
            [] => "Advice: the transition system is written well as far as was asked.",
            _ => "Advice on how the transition system is written:",
        })
    }

    /// Advice as a sentence, with its place.
    pub(crate) fn advice_text(&self, advice: &Advice) -> Sentence {
        let place = advice.span.map(|span| {
            let line = self.sources.place(span).line;
            let file = self.sources.file(span.file).name();
            match file == self.path {
                true => say!(" (line {})", line),
                false => say!(" ({}, line {})", clean(file), line),
            }
        });
        say!("{}{}.", clean(&advice.text), place.unwrap_or_default())
    }
}

/// What kind of formula a class is.
pub(crate) fn class_text(class: Class) -> &'static str {
    match class {
        Class::Safety => "safety",
        Class::FiniteLiveness => "finite liveness",
        Class::InfiniteLiveness => "infinite liveness",
        Class::Existential => "existential",
        Class::Mixed => "mixed",
    }
}

struct ReachTelling<'a> {
    report: &'a AlloyReport<'a>,
    command: &'a Command,
    found: Option<bool>,
    reach: &'a CommandReach,
}

impl ReachTelling<'_> {
    fn class(&self) -> &'static str {
        self.reach.class.map_or("", class_text)
    }

    fn meaning(&self) -> (VariableRole, Sentence) {
        if let Whole::Known { .. } = self.reach.whole {
            return self.whole();
        }
        match self.reach.meaning {
            ReachMeaning::Holds(because) => (VariableRole::Good, self.holds(because)),
            ReachMeaning::HoldsSomewhere(because) => {
                (VariableRole::Good, self.holds_somewhere(because))
            }
            ReachMeaning::Fails(because) => (VariableRole::Bad, self.fails(because)),
            ReachMeaning::Ambiguous => (VariableRole::Warn, self.ambiguous()),
            ReachMeaning::ScopeOnly => {
                let text = "This answer is for its scope alone.".into();
                (VariableRole::Warn, text)
            }
        }
    }

    /// The answer where every state was looked at.
    fn whole(&self) -> (VariableRole, Sentence) {
        let Whole::Known {
            holds,
            states,
            initial,
            least,
            copies,
        } = &self.reach.whole
        else {
            return (VariableRole::Plain, Sentence::default());
        };
        let size: Sentence = match states.as_str() {
            "" => Sentence::default(),
            "1" => " (1 state)".into(),
            states => say!(" ({} states)", states),
        };
        let system = say!("the complete system{}", size);
        let (check, found) = (self.command.check, self.found == Some(true));
        let universal = !matches!(self.reach.class, Some(Class::Existential | Class::Mixed));
        let contrary = match holds {
            Initial::All if check => Some("it holds in"),
            Initial::None if !check => Some("it holds in no initial state of"),
            _ => None,
        };
        if let (Some(says), true) = (contrary, copies) {
            let mut text = say!(
                "Complete: {} {}, which has each state once. No fact says that states with equal fields \
                 are equal, so a system of a scope may have copies of a state, and the answer may be another.",
                says,
                system
            );
            if found {
                text = say!("{} Here it is.", text);
            }
            return (VariableRole::Warn, text);
        }
        match holds {
            Initial::All if check && universal => (
                VariableRole::Good,
                say!(
                    "Complete: it holds in {}, and so it passes in every scope.",
                    system
                ),
            ),
            Initial::All if check && found => (
                VariableRole::Warn,
                say!(
                    "Complete: it holds in {}. The counterexample is a part of it with too few states.",
                    system
                ),
            ),
            Initial::All if !check && !found => (
                VariableRole::Warn,
                say!(
                    "Complete: it holds in every initial state of {}, but no system of this scope shows it.",
                    system
                ),
            ),
            Initial::All => (
                VariableRole::Good,
                say!("Complete: it holds in {}.", system),
            ),
            Initial::Some if !check => (
                VariableRole::Warn,
                say!(
                    "Complete: it holds in some of the {} initial states of {}, not in all.",
                    initial.to_string(),
                    system
                ),
            ),
            Initial::None if !check => (
                VariableRole::Bad,
                say!("Complete: it holds in no initial state of {}.", system),
            ),
            Initial::Some | Initial::None => {
                let mut text = match self.found {
                    Some(true) => say!("Complete: A REAL BUG, it fails in {} as well.", system),
                    Some(false) => {
                        say!(
                            "Complete: A REAL BUG beyond this scope, it fails in {}.",
                            system
                        )
                    }
                    None => say!("Complete: A REAL BUG, it fails in {}.", system),
                };
                if let (Some(least), false) = (least, found) {
                    let states = count(*least, "state");
                    text = say!("{} A counterexample has at least {}.", text, states);
                }
                (VariableRole::Bad, text)
            }
        }
    }

    fn holds(&self, because: Because) -> Sentence {
        match because {
            Because::DeadLoops(states) => say!(
                "Real: it holds in the complete system. Every path gets there within {}, also those that end in \
                 the scope.",
                self.states(states)
            ),
            _ => "Real: it holds in the complete system.".into(),
        }
    }

    fn holds_somewhere(&self, because: Because) -> Sentence {
        match because {
            Because::Instance(states) => say!(
                "Real: it holds in the complete system in the initial states of an instance with {}; there may \
                 be other initial states.",
                self.states(states)
            ),
            _ => "Real: it holds in some initial states of the complete system.".into(),
        }
    }

    fn fails(&self, because: Because) -> Sentence {
        let class = self.class();
        match because {
            Because::Counterexample(_) if self.found == Some(true) => say!(
                "A REAL BUG: a counterexample to {} is one of the complete system as well.",
                class
            ),
            Because::Counterexample(states) => say!(
                "A REAL BUG in a larger scope: there is a counterexample with {}.",
                self.states(states)
            ),
            Because::NoInstance(states) => say!(
                "It fails in the complete system: if it held there, it would hold in every system \
                 of {}.",
                self.states(states)
            ),
            _ => "A REAL BUG: it fails in the complete system.".into(),
        }
    }

    fn ambiguous(&self) -> Sentence {
        let class = self.class();
        let why = match self.reach.class {
            Some(Class::Mixed) => {
                "an answer about some and about every path says nothing of systems with \
                                   other states"
            }
            Some(Class::Existential) => "an instance may need more states",
            _ if self.found == Some(true) && !self.command.check => {
                "what holds in a part of a system need not hold in all of it"
            }
            _ if self.found == Some(true) => {
                "without the axiom that states with equal fields are equal, a system may have copies of a \
                 state"
            }
            _ => "a counterexample may need more states",
        };
        let mut text = say!("Ambiguous for the complete system ({}): {}.", class, why);
        match self.reach.significant {
            Significant::At(states) => {
                let all = self.reach.tried.iter().rev();
                let last = all
                    .filter(|tried| matches!(tried.way, ReachMethod::Command | ReachMethod::Run))
                    .map(|tried| tried.states)
                    .max();
                if last >= Some(states) {
                    text = say!(
                        "{} The significant scope is reached: with {} every operation happens.",
                        text,
                        self.states(states)
                    );
                }
            }
            Significant::Above(states) => {
                text = say!(
                    "{} The significant scope is not known; with up to {} not every operation happens.",
                    text,
                    self.states(states)
                );
            }
            Significant::NoOperations => {
                text = say!(
                    "{} There is no significant scope to grow to: the steps are not written as operations.",
                    text
                );
            }
            Significant::Unasked => {}
        }
        text
    }

    /// The scopes that were tried, if there is more than that of the command.
    fn tried(&self) -> Option<Sentence> {
        let tried = &self.reach.tried;
        if tried.len() < 2 {
            return None;
        }
        let mut parts: Vec<Sentence> = Vec::new();
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
            parts.push(say!(
                "{} with {}{} {}",
                self.result(first),
                most,
                numbers,
                states
            ));
        }
        Some(say!("Tried: {}.", joined(&parts, "; ")))
    }

    /// What came of a problem in a scope.
    fn result(&self, tried: Tried) -> Sentence {
        let check = self.command.check;
        let (what, how) = match tried.way {
            ReachMethod::Command if check => ("counterexample", ""),
            ReachMethod::Command => ("instance", ""),
            ReachMethod::DeadLoops => ("counterexample", " with dead loops"),
            ReachMethod::Run => ("instance", " as a run"),
            ReachMethod::Axioms => ("significant instance", ""),
        };
        let article = if what == "instance" { "an" } else { "a" };
        match tried.found {
            Some(true) => say!("{} {}{}", article, what, how),
            Some(false) => say!("no {}{}", what, how),
            None => say!("no answer about a {}{}", what, how),
        }
    }

    /// What would settle what is open.
    fn settling(&self) -> Option<Sentence> {
        match &self.reach.whole {
            Whole::Unknown(message, Some(span)) => {
                let place = self.report.sources.place(*span);
                let file = self.report.sources.file(span.file).name();
                let place = match file == self.report.path {
                    true => format!("line {}", place.line),
                    false => format!("{}, line {}", clean(file), place.line),
                };
                (!self.reach.is_real()).then(|| {
                    say!(
                        "The complete system is not known ({}): {}.",
                        place,
                        clean(message)
                    )
                })
            }
            Whole::Unknown(message, None) if !self.reach.is_real() => Some(say!(
                "{}. `--reach complete` would settle it, however long that takes.",
                clean(message)
            )),
            Whole::Unasked if !self.reach.is_real() && self.reach.class.is_some() => {
                let more = match self.reach.tried.is_empty() {
                    true => "`--reach growing` tries larger scopes, and ",
                    false => "",
                };
                Some(say!("{}`--reach complete` would settle it.", more))
            }
            _ => None,
        }
    }

    fn states(&self, number: i32) -> Sentence {
        count(usize::try_from(number).unwrap_or(0), "state")
    }
}
