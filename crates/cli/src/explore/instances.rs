//! The talk about the instances of an Alloy model: a line in, an answer out.

use std::io::{self, IsTerminal};
use std::path::Path;

use wherefore_base::{Budget, Run};
use wherefore_driver::subjects::alloy::{
    AlloyOptions, AlloySubject, AnswerInstance, CommandQuestion, Hitch, Instances, NoValue, Refused,
};
use wherefore_driver::view::alloy::text::{self, TextOptions};
use wherefore_driver::view::alloy::{ShownInstance, tree, value_text};
use wherefore_driver::view::clean;
use wherefore_driver::view::explore::Style;

use super::asking::{HELP, InstanceRequest};
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
    let talk = InstanceTalk {
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
struct InstanceTalk<'a> {
    session: &'a AlloySubject,
    choices: AlloyOptions,
    style: Style,
    budget: &'a Budget,
    screen: &'a Screen,
    prompt: bool,
}

/// Where the talk is: the instances of a command that were seen, and which of them is looked at.
struct CommandVisit<'q> {
    question: &'q CommandQuestion<'q>,
    command: usize,
    instances: Instances<'q>,
    seen: Vec<AnswerInstance>,
    at: usize,
    state: usize,
}

/// How an answer ends.
enum InstanceAnswer {
    Text(String),
    /// Go to another command.
    Go(usize),
    Quit,
}

impl InstanceTalk<'_> {
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
        let mut visit = CommandVisit {
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
                    InstanceAnswer::Text(text) => self.screen.print(&text),
                    InstanceAnswer::Go(command) => return Ok(Some(command)),
                    InstanceAnswer::Quit => return Ok(None),
                },
            }
        }
    }

    /// The talk at a command that cannot be asked: another one can be gone to.
    fn without_question(&self) -> Run<Option<usize>> {
        loop {
            match self.hear()? {
                None | Some(Ok(InstanceRequest::Quit)) => return Ok(None),
                Some(Ok(InstanceRequest::Help)) => self.screen.print(HELP),
                Some(Ok(InstanceRequest::Command(name))) => match self.command(name.as_deref()) {
                    InstanceAnswer::Text(text) => self.screen.print(&text),
                    InstanceAnswer::Go(command) => return Ok(Some(command)),
                    InstanceAnswer::Quit => return Ok(None),
                },
                Some(Ok(_)) => self.screen.print(&complaint(
                    "this command has no instances; `command` lists the others",
                )),
                Some(Err(wrong)) => self.screen.print(&complaint(&wrong)),
            }
        }
    }

    /// The next line, understood; none at the end.
    fn hear(&self) -> Run<Option<Result<InstanceRequest, String>>> {
        self.budget.check()?;
        Ok(match hear(self.screen, self.prompt) {
            Line::Text(line) => Some(InstanceRequest::parse(&line)),
            Line::TooLong => Some(Err("the line is too long to be a command".to_string())),
            Line::End => None,
        })
    }

    fn answer(&self, visit: &mut CommandVisit<'_>, ask: InstanceRequest) -> Run<InstanceAnswer> {
        let text = match ask {
            InstanceRequest::Help => HELP.to_string(),
            InstanceRequest::Quit => return Ok(InstanceAnswer::Quit),
            InstanceRequest::Command(name) => return Ok(self.command(name.as_deref())),
            InstanceRequest::Next => self.next(visit)?,
            InstanceRequest::Back if visit.at == 0 => complaint("this is the first instance"),
            InstanceRequest::Back => {
                visit.at -= 1;
                visit.state = 0;
                self.arrival(visit)
            }
            InstanceRequest::State(_)
            | InstanceRequest::Show
            | InstanceRequest::Tree
            | InstanceRequest::Write(_)
            | InstanceRequest::Eval(_)
                if visit.seen.is_empty() =>
            {
                complaint("there is no instance to ask")
            }
            InstanceRequest::State(number) => self.state(visit, number),
            InstanceRequest::Show => self.arrival(visit),
            InstanceRequest::Tree => tree::render(&self.instance(visit), self.style.ascii),
            InstanceRequest::Write(path) => self.write(visit, Path::new(&path)),
            InstanceRequest::Eval(text) => self.eval(visit, &text)?,
        };
        Ok(InstanceAnswer::Text(text))
    }

    /// Goes to the next instance, one that was seen before or a new one.
    fn next(&self, visit: &mut CommandVisit<'_>) -> Run<String> {
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
    fn arrival(&self, visit: &CommandVisit<'_>) -> String {
        let (report, number) = (self.session.report(&[]), Some(visit.at + 1));
        let found = &visit.seen[visit.at];
        text::instance(&report, visit.command, found, number, &self.options())
    }

    /// The state at hand.
    fn here(&self, visit: &CommandVisit<'_>) -> String {
        let (report, scene) = (self.session.report(&[]), &visit.seen[visit.at].scene);
        text::state(&report, scene, visit.state, &self.options())
    }

    fn options(&self) -> TextOptions<'static> {
        TextOptions {
            color: self.style.color,
            ascii: self.style.ascii,
            width: self.style.width,
            full: true,
            ..TextOptions::default()
        }
    }

    fn state(&self, visit: &mut CommandVisit<'_>, number: Option<usize>) -> String {
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

    fn eval(&self, visit: &CommandVisit<'_>, text: &str) -> Run<String> {
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

    fn write(&self, visit: &CommandVisit<'_>, path: &Path) -> String {
        let Some(document) = Document::of(path) else {
            return complaint("the name of the file must end with .dot, .svg, .xml, .json or .txt");
        };
        let text = document.render(self.session, visit.command, &visit.seen[visit.at]);
        match writers::write(path, &text) {
            Ok(()) => format!("{} is written\n", terminal::shown(path)),
            Err(wrong) => format!("{wrong}\n"),
        }
    }

    fn command(&self, name: Option<&str>) -> InstanceAnswer {
        let Some(name) = name else {
            let mut text = String::new();
            for (at, command) in self.session.commands().iter().enumerate() {
                let line = clean(&command_text(self.session, at));
                text += &format!("  {}: {}  ({line})\n", at + 1, clean(&command.label));
            }
            return InstanceAnswer::Text(text);
        };
        match self.session.command(name) {
            Some(command) => InstanceAnswer::Go(command),
            None => InstanceAnswer::Text(complaint(&self.unknown(name))),
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

    fn instance<'v>(&'v self, visit: &'v CommandVisit<'_>) -> ShownInstance<'v> {
        ShownInstance {
            model: self.session.model(),
            command: visit.question.command(),
            scene: &visit.seen[visit.at].scene,
        }
    }

    /// What instances of the command are called, one and several.
    fn nouns(&self, visit: &CommandVisit<'_>) -> (&'static str, &'static str) {
        match visit.question.command().check {
            true => ("counterexample", "counterexamples"),
            false => ("instance", "instances"),
        }
    }
}

fn complaint(text: &str) -> String {
    format!("error: {text}\n")
}
