//! The talk about the instances of an Alloy model: a line in, an answer out.

use std::io::{self, IsTerminal};
use std::path::Path;

use wherefore_base::{Budget, Run};
use wherefore_driver::subjects::alloy::{
    AlloyOptions, AlloySubject, Found, Hitch, Instances, NoValue, Question, Refused,
};
use wherefore_driver::view::alloy::text::{self, Options};
use wherefore_driver::view::alloy::{Instance, tree, value_text};
use wherefore_driver::view::clean;
use wherefore_driver::view::explore::Style;

use super::asking::{Ask, HELP};
use super::command::nearest;
use super::lines::{Line, hear};
use super::the_end;
use crate::args::Explore;
use crate::exit::Exit;
use crate::instances::{Document, command_text};
use crate::screen::Screen;
use crate::{terminal, writers};

/// What is said with the second instance.
const LEFT_OUT: &str =
    "  (Most instances that differ from others only in the names of atoms are left out.)\n";

/// Follows the commands about an Alloy model and returns the exit code.
pub(super) fn guide(
    args: &Explore,
    session: &AlloySubject,
    budget: &Budget,
    screen: &Screen,
) -> Exit {
    screen.warn(session, terminal::error_color(args.screen.color));
    let talk = Talk {
        session,
        choices: args.asking.choices(&args.effort.alloy),
        style: terminal::style(&args.screen),
        budget,
        screen,
        prompt: io::stdin().is_terminal() && io::stdout().is_terminal(),
    };
    let first = match &args.command {
        None => 0,
        Some(name) => match session.command(name) {
            Some(command) => command,
            None => {
                screen.say(&format!("error: {}", talk.unknown(name)));
                return Exit::Usage;
            }
        },
    };
    let mut here = Some(first);
    while let Some(command) = here {
        here = match talk.visit(command) {
            Ok(next) => next,
            Err(stop) => {
                screen.say(&the_end(stop));
                return Exit::Undecided;
            }
        };
    }
    Exit::Good
}

/// What stays the same during the talk.
struct Talk<'a> {
    session: &'a AlloySubject,
    choices: AlloyOptions,
    style: Style,
    budget: &'a Budget,
    screen: &'a Screen,
    prompt: bool,
}

/// Where the talk is: the instances of a command that were seen, and which of them is looked at.
struct Visit<'q> {
    question: &'q Question<'q>,
    command: usize,
    instances: Instances<'q>,
    seen: Vec<Found>,
    at: usize,
    state: usize,
}

/// How an answer ends.
enum Answer {
    Text(String),
    /// Go to another command.
    Go(usize),
    Quit,
}

impl Talk<'_> {
    /// Talks about a command; returns the one to go to, if there is another.
    fn visit(&self, command: usize) -> Run<Option<usize>> {
        let title = format!("{}\n", clean(&command_text(self.session, command)));
        self.screen.print(&title);
        let question = self.session.question(command, &self.choices);
        let question = match question {
            Ok(question) => question,
            Err(refused) => {
                self.screen.print(&self.refusal(&refused));
                return self.without_question();
            }
        };
        let mut visit = Visit {
            question: &question,
            command,
            instances: question.instances(),
            seen: Vec::new(),
            at: 0,
            state: 0,
        };
        let text = self.next(&mut visit)?;
        self.screen.print(&text);
        loop {
            match self.hear()? {
                None => return Ok(None),
                Some(Err(wrong)) => self.screen.print(&complaint(&wrong)),
                Some(Ok(ask)) => match self.answer(&mut visit, ask)? {
                    Answer::Text(text) => self.screen.print(&text),
                    Answer::Go(command) => return Ok(Some(command)),
                    Answer::Quit => return Ok(None),
                },
            }
        }
    }

    /// The talk at a command that cannot be asked: another one can be gone to.
    fn without_question(&self) -> Run<Option<usize>> {
        loop {
            match self.hear()? {
                None | Some(Ok(Ask::Quit)) => return Ok(None),
                Some(Ok(Ask::Help)) => self.screen.print(HELP),
                Some(Ok(Ask::Command(name))) => match self.command(name.as_deref()) {
                    Answer::Text(text) => self.screen.print(&text),
                    Answer::Go(command) => return Ok(Some(command)),
                    Answer::Quit => return Ok(None),
                },
                Some(Ok(_)) => self.screen.print(&complaint(
                    "this command has no instances; `command` lists the others",
                )),
                Some(Err(wrong)) => self.screen.print(&complaint(&wrong)),
            }
        }
    }

    /// The next line, understood; none at the end.
    fn hear(&self) -> Run<Option<Result<Ask, String>>> {
        self.budget.check()?;
        Ok(match hear(self.screen, self.prompt) {
            Line::Text(line) => Some(Ask::parse(&line)),
            Line::TooLong => Some(Err("the line is too long to be a command".to_string())),
            Line::End => None,
        })
    }

    fn answer(&self, visit: &mut Visit<'_>, ask: Ask) -> Run<Answer> {
        let text = match ask {
            Ask::Help => HELP.to_string(),
            Ask::Quit => return Ok(Answer::Quit),
            Ask::Command(name) => return Ok(self.command(name.as_deref())),
            Ask::Next => self.next(visit)?,
            Ask::Back if visit.at == 0 => complaint("this is the first instance"),
            Ask::Back => {
                visit.at -= 1;
                visit.state = 0;
                self.arrival(visit)
            }
            Ask::State(_) | Ask::Show | Ask::Tree | Ask::Write(_) | Ask::Eval(_)
                if visit.seen.is_empty() =>
            {
                complaint("there is no instance to ask")
            }
            Ask::State(number) => self.state(visit, number),
            Ask::Show => self.arrival(visit),
            Ask::Tree => tree::render(&self.instance(visit), self.style.ascii),
            Ask::Write(path) => self.write(visit, Path::new(&path)),
            Ask::Eval(text) => self.eval(visit, &text)?,
        };
        Ok(Answer::Text(text))
    }

    /// Goes to the next instance, one that was seen before or a new one.
    fn next(&self, visit: &mut Visit<'_>) -> Run<String> {
        if visit.at + 1 < visit.seen.len() {
            visit.at += 1;
            visit.state = 0;
            return Ok(self.arrival(visit));
        }
        self.budget.phase("looking for an instance");
        match visit.instances.next(self.budget) {
            Ok(Some(found)) => {
                visit.seen.push(found);
                visit.at = visit.seen.len() - 1;
                visit.state = 0;
                let mut text = self.arrival(visit);
                if visit.at == 1 && self.choices.search.symmetry > 0 {
                    text += LEFT_OUT;
                }
                Ok(text)
            }
            Ok(None) => {
                let (one, many) = self.nouns(visit);
                let aside = match self.choices.search.symmetry {
                    0 => "",
                    _ => ", the names of atoms aside",
                };
                Ok(match visit.seen.len() {
                    0 => format!("There is no {one} in this scope.\n"),
                    1 => format!("There is no other {one} in this scope{aside}.\n"),
                    n => format!("There are no more than these {n} {many} in this scope{aside}.\n"),
                })
            }
            Err(Hitch::Stopped(stop)) => Err(stop),
            Err(Hitch::Refused(refused)) => Ok(self.refusal(&refused)),
        }
    }

    /// The instance at hand.
    fn arrival(&self, visit: &Visit<'_>) -> String {
        let (report, number) = (self.session.report(&[]), Some(visit.at + 1));
        let found = &visit.seen[visit.at];
        text::instance(&report, visit.command, found, number, &self.options())
    }

    /// The state at hand.
    fn here(&self, visit: &Visit<'_>) -> String {
        let (report, scene) = (self.session.report(&[]), &visit.seen[visit.at].scene);
        text::state(&report, scene, visit.state, &self.options())
    }

    fn options(&self) -> Options<'static> {
        Options {
            color: self.style.color,
            ascii: self.style.ascii,
            width: self.style.width,
            full: true,
            ..Options::default()
        }
    }

    fn state(&self, visit: &mut Visit<'_>, number: Option<usize>) -> String {
        let count = visit.seen[visit.at].scene.moments.len();
        match number {
            Some(number) if number >= count => complaint(&match count {
                1 => "there is only state 0".to_string(),
                _ => format!("the states are 0 to {}", count - 1),
            }),
            number => {
                visit.state = number.unwrap_or(visit.state);
                self.here(visit)
            }
        }
    }

    fn eval(&self, visit: &Visit<'_>, text: &str) -> Run<String> {
        let found = &visit.seen[visit.at];
        let value = self
            .session
            .evaluate(visit.question, found, text, visit.state, self.budget);
        match value {
            Ok(value) => Ok(format!("{}\n", value_text(&found.scene, &value))),
            Err(NoValue::Stopped(stop)) => Err(stop),
            Err(NoValue::Rejected(rejected)) => {
                Ok(format!("{}\n", rejected.render(self.style.color)))
            }
        }
    }

    fn write(&self, visit: &Visit<'_>, path: &Path) -> String {
        let Some(document) = Document::of(path) else {
            return complaint("the name of the file must end with .dot, .svg, .xml, .json or .txt");
        };
        let text = document.render(self.session, visit.command, &visit.seen[visit.at]);
        match writers::write(path, &text) {
            Ok(()) => format!("{} is written\n", terminal::shown(path)),
            Err(wrong) => format!("{wrong}\n"),
        }
    }

    fn command(&self, name: Option<&str>) -> Answer {
        let Some(name) = name else {
            let mut text = String::new();
            for (at, command) in self.session.commands().iter().enumerate() {
                let line = clean(&command_text(self.session, at));
                text += &format!("  {}: {}  ({line})\n", at + 1, clean(&command.label));
            }
            return Answer::Text(text);
        };
        match self.session.command(name) {
            Some(command) => Answer::Go(command),
            None => Answer::Text(complaint(&self.unknown(name))),
        }
    }

    /// What is said to a name that no command has.
    fn unknown(&self, name: &str) -> String {
        let names = self.session.commands().iter().map(|c| c.label.as_str());
        let advice = match nearest(name, names.clone()) {
            Some(near) => format!("did you mean `{}`?", clean(near)),
            None => {
                let names: Vec<String> = names.map(str::to_string).collect();
                format!("there are {}", terminal::some_of(&names))
            }
        };
        format!("the model has no command `{}`; {advice}", clean(name))
    }

    fn refusal(&self, refused: &Refused) -> String {
        let rejected = self.session.rejected(vec![refused.diagnostic.clone()]);
        format!("{}\n", rejected.render(self.style.color))
    }

    fn instance<'v>(&'v self, visit: &'v Visit<'_>) -> Instance<'v> {
        Instance {
            model: self.session.model(),
            command: visit.question.command(),
            scene: &visit.seen[visit.at].scene,
        }
    }

    /// What instances of the command are called, one and several.
    fn nouns(&self, visit: &Visit<'_>) -> (&'static str, &'static str) {
        match visit.question.command().check {
            true => ("counterexample", "counterexamples"),
            false => ("instance", "instances"),
        }
    }
}

fn complaint(text: &str) -> String {
    format!("error: {text}\n")
}
