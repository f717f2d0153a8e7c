//! A walk through a labelled transition system: a command in, an answer out.

use std::io::{self, IsTerminal};

use wherefore_base::{Budget, Run, nearest};
use wherefore_driver::model::lts::{LtsStep, StateId};
use wherefore_driver::system_walk::{SystemTarget, SystemWalk};
use wherefore_driver::view::clean;
use wherefore_driver::view::lts::walk::SystemTeller;
use wherefore_driver::{LtsSubject, base::Stop};

use super::command::ExploreCommand;
use super::lines::{Line, hear};
use crate::args::Explore;
use crate::exit::Exit;
use crate::screen::Screen;
use crate::terminal;

/// So many things are listed.
const LISTED: usize = 20;

/// What `help` prints.
const HELP: &str = "\
Commands, and their short forms:
  start         s  go to the initial state
  next [N]      n  list the steps from here, or take the N-th; just N does so, too
  back          b  undo the last step
  trace         t  show the steps so far
  before [N]    r  list the steps that lead here, or start anew at the state before the N-th
  truth [NAME]  f  show which properties, and what of them, are true here
  path LABEL    p  go the shortest way to a step with this label, and take it
  deadlock      d  go the shortest way to a state without any step
  help          h  list the commands
  quit          q  end the walk, as the end of the input does
An empty line is `next`.
";

/// Follows the commands and returns the exit code.
pub(super) fn guide(
    args: &Explore,
    subject: &LtsSubject,
    budget: &Budget,
    screen: &Screen,
) -> Exit {
    let color = terminal::error_color(args.screen.color);
    if !subject.warnings().is_empty() {
        let warnings = subject.rejected(subject.warnings().to_vec());
        screen.say(&warnings.render(color));
    }
    let mut talk = SystemTalk {
        walk: SystemWalk::new(subject),
        teller: SystemTeller {
            report: subject.report(None, &[]),
            style: terminal::style(&args.screen),
        },
        start: subject.lts().initial(),
        steps: Vec::new(),
        budget,
        screen,
        prompt: io::stdin().is_terminal() && io::stdout().is_terminal(),
    };
    match talk.follow() {
        Ok(()) => Exit::Good,
        Err(stop) => ended(screen, stop),
    }
}

fn ended(screen: &Screen, stop: Stop) -> Exit {
    screen.say(&super::the_end(stop));
    Exit::Undecided
}

/// The walk so far.
struct SystemTalk<'a> {
    walk: SystemWalk<'a>,
    teller: SystemTeller<'a>,
    start: StateId,
    steps: Vec<LtsStep>,
    budget: &'a Budget,
    screen: &'a Screen,
    prompt: bool,
}

impl SystemTalk<'_> {
    fn follow(&mut self) -> Run<()> {
        self.screen.print(&self.teller.opening());
        self.screen.print(&self.teller.arrival(0, self.start));
        loop {
            self.budget.check()?;
            let parsed = match hear(self.screen, self.prompt) {
                Line::Text(line) => ExploreCommand::parse(&line),
                Line::TooLong => Err("the line is too long to be a command".to_string()),
                Line::End => return Ok(()),
            };
            let text = match parsed {
                Ok(ExploreCommand::Quit) => return Ok(()),
                Ok(command) => self.answer(&command)?,
                Err(wrong) => complaint(&wrong),
            };
            self.screen.print(&text);
        }
    }

    fn here(&self) -> StateId {
        self.steps.last().map_or(self.start, |step| step.to)
    }

    fn answer(&mut self, command: &ExploreCommand) -> Run<String> {
        Ok(match command {
            ExploreCommand::Start(_) => self.arrive(self.walk.subject().lts().initial()),
            ExploreCommand::Next(number) => self.next(*number),
            ExploreCommand::Back => match self.steps.pop() {
                None => complaint("this is step 0: there is no step to undo"),
                Some(_) => self.teller.arrival(self.steps.len(), self.here()),
            },
            ExploreCommand::Trace => self.teller.trace(self.start, &self.steps),
            ExploreCommand::Before(number) => self.before(*number),
            ExploreCommand::Truth(name) => self.truth(name.as_deref())?,
            ExploreCommand::Path(label) => self.path(label)?,
            ExploreCommand::Deadlock => self.go(
                SystemTarget::Deadlock,
                "this is a deadlock\n",
                "no deadlock can follow from here\n",
            )?,
            ExploreCommand::Show(_) | ExploreCommand::Eval(_) | ExploreCommand::Watch(_) => {
                complaint("a labelled transition system has states and labels, and no variables")
            }
            ExploreCommand::Help => HELP.to_string(),
            ExploreCommand::Quit => String::new(),
        })
    }

    fn next(&mut self, number: Option<usize>) -> String {
        let steps = self.walk.steps(self.here());
        match number {
            _ if steps.is_empty() => "no step leads on from here: this is a deadlock\n".to_string(),
            None => {
                let shown = &steps[..steps.len().min(LISTED)];
                self.teller.steps(0, shown, steps.len())
            }
            Some(number) => match steps.get(number) {
                Some(&step) => {
                    self.steps.push(step);
                    self.teller.step(self.steps.len(), step)
                }
                None => missing(number, steps.len()),
            },
        }
    }

    fn before(&mut self, number: Option<usize>) -> String {
        let (here, walk) = (self.here(), &self.walk);
        let steps = walk.before(here);
        match number {
            _ if steps.is_empty() => "no step leads here\n".to_string(),
            None => {
                let shown = &steps[..steps.len().min(LISTED)];
                self.teller.before(0, shown, steps.len())
            }
            Some(number) => match steps.get(number).map(|step| step.from) {
                Some(state) => self.arrive(state),
                None => missing(number, steps.len()),
            },
        }
    }

    /// Starts a new walk.
    fn arrive(&mut self, state: StateId) -> String {
        (self.start, self.steps) = (state, Vec::new());
        self.teller.arrival(0, state)
    }

    fn truth(&self, name: Option<&str>) -> Run<String> {
        let properties = self.walk.subject().properties();
        let mut text = String::new();
        for (at, property) in properties.iter().enumerate() {
            if name.is_some_and(|name| name != property.name) {
                continue;
            }
            let solution = self.walk.truth(at, self.budget)?;
            let here = self.here();
            text += &self
                .teller
                .truth(property, &|sub| solution.holds(sub, here));
        }
        Ok(match (text.is_empty(), name) {
            (false, _) => text,
            (true, Some(name)) => complaint(&format!("there is no property `{}`", clean(name))),
            (true, None) => {
                "there is no property; `wherefore explore MODEL.aut PROPERTIES.mcl` reads some\n"
                    .to_string()
            }
        })
    }

    fn path(&mut self, text: &str) -> Run<String> {
        let lts = self.walk.subject().lts();
        let Some(label) = lts.label(text) else {
            let labels = lts.labels().ids().map(|label| lts.text(label));
            let near = nearest(text, labels, 2);
            let advice = near.map(|near| format!("; did you mean `{}`?", clean(near)));
            return Ok(complaint(&format!(
                "no step has the label `{}`{}",
                clean(text),
                advice.unwrap_or_default()
            )));
        };
        let none = format!("no step `{}` can follow from here\n", clean(text));
        self.go(SystemTarget::After(label), "", &none)
    }

    /// Goes to a target and shows the steps.
    fn go(&mut self, target: SystemTarget, here: &str, none: &str) -> Run<String> {
        let Some(path) = self.walk.path(self.here(), target, self.budget)? else {
            return Ok(none.to_string());
        };
        if path.is_empty() {
            return Ok(here.to_string());
        }
        let mut text = String::new();
        for step in path {
            self.steps.push(step);
            text += &self.teller.step(self.steps.len(), step);
        }
        Ok(text)
    }
}

fn complaint(text: &str) -> String {
    format!("error: {text}\n")
}

fn missing(number: usize, total: usize) -> String {
    complaint(&match total {
        1 => format!("there is no step {number}; there is only 0"),
        total => format!("there is no step {number}; the last is {}", total - 1),
    })
}
