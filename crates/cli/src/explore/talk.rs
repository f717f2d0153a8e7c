//! The talk with the walker: a command in, an answer out.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

use wherefore_base::{Budget, Run, Value};
use wherefore_driver::explore::{Next, WalkTarget, Window, World};
use wherefore_driver::model::{Query, Step};
use wherefore_driver::view::explore::{Style, WorldTeller};
use wherefore_driver::view::{Report, Shown, clean};
use wherefore_driver::{ModelSubject, Refusal};

use super::Screen;
use super::command::{ExploreCommand, HELP, nearest};
use super::lines::{Line, hear};

/// So many things are listed.
const LISTED: usize = 20;

/// The walk so far, and what was said on it.
pub(super) struct WorldTalk<'a> {
    style: Style,
    budget: &'a Budget,
    screen: &'a Screen,
    prompt: bool,
    opened: bool,
    /// `None` when the model has no initial state.
    trail: Option<Trail>,
    watched: Vec<Shown>,
    /// The formulas of `path` by their text.
    goals: BTreeMap<String, Query>,
    /// A command that waits for a world that knows its terms.
    pending: Option<ExploreCommand>,
}

/// Where the walker went.
struct Trail {
    start: Vec<Value>,
    steps: Vec<Step>,
}

impl Trail {
    fn at(start: Vec<Value>) -> Self {
        Self {
            start,
            steps: Vec::new(),
        }
    }

    fn here(&self) -> &[Value] {
        self.state(self.steps.len())
    }

    /// The state with a number; 0 is the start.
    fn state(&self, number: usize) -> &[Value] {
        match number.checked_sub(1) {
            Some(before) => &self.steps[before].next,
            None => &self.start,
        }
    }
}

/// How an answer ends.
enum TalkAnswer {
    Text(String),
    /// The command needs a world that knows more terms.
    Later,
    Quit,
}

impl From<String> for TalkAnswer {
    fn from(text: String) -> Self {
        TalkAnswer::Text(text)
    }
}

impl<'a> WorldTalk<'a> {
    pub(super) fn new(style: Style, budget: &'a Budget, screen: &'a Screen) -> Self {
        Self {
            style,
            budget,
            screen,
            prompt: io::stdin().is_terminal() && io::stdout().is_terminal(),
            opened: false,
            trail: None,
            watched: Vec::new(),
            goals: BTreeMap::new(),
            pending: None,
        }
    }

    /// Follows commands until there are no more, or until one needs another world.
    pub(super) fn visit(&mut self, session: &mut ModelSubject, world: &dyn World) -> Run<Next> {
        if !self.opened {
            self.opened = true;
            let text = self.open(session, world)?;
            self.screen.print(&text);
        }
        loop {
            let command = match self.pending.take() {
                Some(command) => command,
                None => {
                    self.budget.check()?;
                    let parsed = match hear(self.screen, self.prompt) {
                        Line::Text(line) => ExploreCommand::parse(&line),
                        Line::TooLong => Err("the line is too long to be a command".to_string()),
                        Line::End => return Ok(Next::Done),
                    };
                    match parsed {
                        Ok(command) => command,
                        Err(wrong) => {
                            self.screen.print(&complaint(&wrong));
                            continue;
                        }
                    }
                }
            };
            match self.follow(&command, session, world)? {
                TalkAnswer::Text(text) => self.screen.print(&text),
                TalkAnswer::Later => {
                    self.pending = Some(command);
                    return Ok(Next::Again);
                }
                TalkAnswer::Quit => return Ok(Next::Done),
            }
        }
    }

    fn open(&mut self, session: &ModelSubject, world: &dyn World) -> Run<String> {
        let summary = world.summary()?;
        let report = Report {
            space: Some(&summary),
            ..session.report(None, &[])
        };
        let teller = WorldTeller {
            report,
            style: self.style,
        };
        let mut text = teller.opening();
        let initial = world.initial(0..LISTED)?;
        let Some(first) = initial.items.first() else {
            return Ok(text + "there is no initial state, so there is nowhere to go\n");
        };
        if initial.items.len() > 1 {
            text += &teller.states(several(&initial));
        }
        text += &teller.arrival(0, first);
        self.trail = Some(Trail::at(first.clone()));
        Ok(text)
    }

    fn follow(
        &mut self,
        command: &ExploreCommand,
        session: &mut ModelSubject,
        world: &dyn World,
    ) -> Run<TalkAnswer> {
        match command {
            ExploreCommand::Help => return Ok(HELP.to_string().into()),
            ExploreCommand::Quit => return Ok(TalkAnswer::Quit),
            _ => {}
        }
        let Some(trail) = self.trail.take() else {
            return Ok(complaint("there is no initial state, so there is nowhere to go").into());
        };
        let mut walk = WalkSoFar {
            talk: self,
            session,
            world,
            trail,
        };
        let answer = walk.answer(command);
        let trail = walk.trail;
        self.trail = Some(trail);
        answer
    }
}

/// One command on its way to an answer.
struct WalkSoFar<'t, 'a, 'w> {
    talk: &'t mut WorldTalk<'a>,
    session: &'w mut ModelSubject,
    world: &'w dyn World,
    trail: Trail,
}

impl WalkSoFar<'_, '_, '_> {
    fn answer(&mut self, command: &ExploreCommand) -> Run<TalkAnswer> {
        let text = match command {
            ExploreCommand::Start(number) => self.start(*number)?,
            ExploreCommand::Next(number) => self.next(*number)?,
            ExploreCommand::Back => self.back(),
            ExploreCommand::Trace => {
                let Trail { start, steps } = &self.trail;
                self.teller().trace(0, start, steps)
            }
            ExploreCommand::Before(number) => self.before(*number)?,
            ExploreCommand::Show(regex) => {
                let wanted = |name: &str| regex.as_ref().is_none_or(|regex| regex.is_match(name));
                match self.teller().values(self.trail.here(), &wanted) {
                    text if text.is_empty() => complaint("nothing here has such a name"),
                    text => text,
                }
            }
            ExploreCommand::Eval(text) => match self.session.expression(text, self.talk.budget) {
                Ok(term) => self.teller().value(term, self.trail.here()),
                Err(refusal) => self.rejection(refusal)?,
            },
            ExploreCommand::Watch(text) => self.watch(text)?,
            ExploreCommand::Truth(name) => self.truth(name.as_deref())?,
            ExploreCommand::Path(text) => return self.path(text),
            ExploreCommand::Deadlock => {
                self.go(WalkTarget::Deadlock)?
                    .unwrap_or_else(|here| match here {
                        true => "this is a deadlock\n".to_string(),
                        false => "no deadlock can follow from here\n".to_string(),
                    })
            }
            ExploreCommand::Help | ExploreCommand::Quit => String::new(),
        };
        Ok(text.into())
    }

    fn teller(&self) -> WorldTeller<'_> {
        WorldTeller {
            report: Report {
                shown: &self.talk.watched,
                ..self.session.report(None, &[])
            },
            style: self.talk.style,
        }
    }

    /// What is wrong with a text; an error when it is only that the budget ended.
    fn rejection(&self, refusal: Refusal) -> Run<String> {
        let text = match refusal {
            Refusal::Rejected(rejected) => rejected.render(self.talk.style.color),
            refusal => refusal.into_text()?,
        };
        Ok(format!("{text}\n"))
    }

    fn start(&mut self, number: Option<usize>) -> Run<String> {
        let window = self.world.initial(window(number))?;
        match (number, window.items.first()) {
            (None, _) => Ok(self.teller().states(several(&window))),
            (Some(_), Some(state)) => Ok(self.arrive(state.clone())),
            (Some(number), None) => Ok(missing("initial state", number, window.total)),
        }
    }

    fn next(&mut self, number: Option<usize>) -> Run<String> {
        let mut window = self.world.successors(self.trail.here(), window(number))?;
        let teller = self.teller();
        match number {
            _ if window.total == Some(0) => {
                Ok("no step leads on from here: this is a deadlock\n".to_string())
            }
            None => Ok(teller.steps(self.trail.here(), several(&window))),
            Some(number) => match window.items.pop() {
                Some(step) => {
                    let to = self.trail.steps.len() + 1;
                    let text = teller.step(to, self.trail.here(), &step);
                    self.trail.steps.push(step);
                    Ok(text)
                }
                None => Ok(missing("step", number, window.total)),
            },
        }
    }

    fn back(&mut self) -> String {
        if self.trail.steps.pop().is_none() {
            return complaint("this is step 0: there is no step to undo");
        }
        let number = self.trail.steps.len();
        self.teller().arrival(number, self.trail.here())
    }

    fn before(&mut self, number: Option<usize>) -> Run<String> {
        let window = self.world.predecessors(self.trail.here(), window(number))?;
        match (number, window.items.first()) {
            _ if window.total == Some(0) => Ok("no step leads here\n".to_string()),
            (None, _) => Ok(self.teller().differing(self.trail.here(), several(&window))),
            (Some(_), Some(state)) => Ok(self.arrive(state.clone())),
            (Some(number), None) => Ok(missing("predecessor", number, window.total)),
        }
    }

    /// Starts a new trail.
    fn arrive(&mut self, state: Vec<Value>) -> String {
        self.trail = Trail::at(state);
        self.teller().arrival(0, self.trail.here())
    }

    fn watch(&mut self, text: &str) -> Run<String> {
        match self.session.expression(text, self.talk.budget) {
            Ok(term) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                self.talk.watched.push(Shown { text, term });
                Ok(self.teller().watched(self.trail.here()))
            }
            Err(refusal) => self.rejection(refusal),
        }
    }

    fn truth(&self, name: Option<&str>) -> Run<String> {
        let properties = &self.session.model().properties;
        let mut text = String::new();
        for (at, property) in properties.iter().enumerate() {
            if name.is_some_and(|name| name != property.name) {
                continue;
            }
            let truth = self.world.truth(at, self.trail.here())?;
            let truth = truth.as_ref().map(|truth| (&truth.subs, truth.has_path));
            text += &self.teller().truth(property, truth);
        }
        if !text.is_empty() {
            return Ok(text);
        }
        let Some(name) = name else {
            return Ok("the model has no property\n".to_string());
        };
        let names = properties.iter().map(|property| property.name.as_str());
        let advice = nearest(name, names);
        let advice = advice.map(|near| format!("; did you mean `{}`?", clean(near)));
        Ok(complaint(&format!(
            "there is no property `{}`{}",
            clean(name),
            advice.unwrap_or_default()
        )))
    }

    fn path(&mut self, text: &str) -> Run<TalkAnswer> {
        if !self.talk.goals.contains_key(text) {
            match self.session.query(text, self.talk.budget) {
                Ok(query) => drop(self.talk.goals.insert(text.to_string(), query)),
                Err(refusal) => return Ok(self.rejection(refusal)?.into()),
            }
        }
        let query = self.talk.goals[text].clone();
        if !self.world.knows(&query) {
            return Ok(TalkAnswer::Later);
        }
        let went = self.go(WalkTarget::Where(&query))?;
        let text = went.unwrap_or_else(|here| match here {
            true => format!("`{}` is true here\n", clean(text)),
            false => format!(
                "no state that satisfies `{}` can follow from here\n",
                clean(text)
            ),
        });
        Ok(text.into())
    }

    /// Goes to a target and shows the steps; otherwise whether the target is here already.
    fn go(&mut self, target: WalkTarget<'_>) -> Run<Result<String, bool>> {
        let Some(steps) = self.world.path(self.trail.here(), target)? else {
            return Ok(Err(false));
        };
        if steps.is_empty() {
            return Ok(Err(true));
        }
        let from = self.trail.steps.len();
        self.trail.steps.extend(steps);
        let steps = &self.trail.steps[from..];
        Ok(Ok(self.teller().trace(from, self.trail.state(from), steps)))
    }
}

fn window(number: Option<usize>) -> std::ops::Range<usize> {
    match number {
        Some(number) => number..number.saturating_add(1),
        None => 0..LISTED,
    }
}

fn several<T>(window: &Window<T>) -> (usize, &[T], Option<u64>) {
    (window.first, &window.items, window.total)
}

fn complaint(text: &str) -> String {
    format!("error: {text}\n")
}

fn missing(noun: &str, number: usize, total: Option<u64>) -> String {
    complaint(&match total {
        Some(1) => format!("there is no {noun} {number}; there is only 0"),
        Some(total) => format!("there is no {noun} {number}; the last is {}", total - 1),
        None => format!("there is no {noun} {number}"),
    })
}
