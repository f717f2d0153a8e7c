//! The terminal form: keys in, screens out.
//!
//! An engine on a thread of its own answers requests; the first thread draws, listens to the keyboard
//! and watches time and memory, so that the screen stays alive whatever the engine does. What is shown
//! and what keys do is decided by [`app::App`], which knows neither threads nor terminals.

mod app;
mod draw;
mod guard;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use wherefore_base::{Budget, Stop};
use wherefore_driver::evidence::Replay;
use wherefore_driver::explain::{Inquiry, Next, ProofScene, explain as open_proof};
use wherefore_driver::view::explore::Style;

use super::desk::{Backdrop, ProofDesk, Reply, Request};
use super::{holding, holds_on_every_run, open, stopped, the_end};
use crate::args::Explain;
use crate::choosing;
use crate::exit::Exit;
use crate::guard::guarded;
use crate::terminal::{self, ProgressLine};
use crate::watch::{raise_on_interrupt, watch_memory};

use app::{App, Effect};
use guard::Guard;

/// How often the keyboard is looked at while nothing else happens.
const TICK: Duration = Duration::from_millis(50);
/// How long the engine may take to notice that it must stop.
const GRACE: Duration = Duration::from_secs(2);

/// A proof that is open, what it shows, and what strategies have said.
type OpenProof = (Arc<Backdrop>, Box<ProofScene>, String);

/// What the engine tells.
enum News {
    /// The proof is open, or is open again.
    Opened(Arc<Backdrop>, Box<ProofScene>, String),
    /// The answer to the first request that is not answered yet.
    Answer(Reply),
    /// That request was cancelled.
    Cancelled,
    /// Nothing more will be told: the last words, and the exit code.
    End(String, Exit),
}

/// Opens a model, lets somebody explore and returns the exit code.
pub(super) fn explain(args: &Explain) -> Exit {
    let budget = crate::watch::limits(args.effort.timeout, args.effort.memory);
    let (ask, requests) = channel();
    let (tell, news) = channel();
    thread::scope(|scope| {
        let engine_budget = budget.clone();
        let engine = scope.spawn(move || {
            let ended = guarded(|| engine(args, &engine_budget, &requests, &tell));
            let (text, exit) = ended.unwrap_or((String::new(), Exit::Internal));
            // Whoever does not listen any more knows already.
            let _ = tell.send(News::End(text, exit));
        });
        let (text, exit) = match Explorer::new(args, &budget, ask, news).run() {
            Ok(end) => end,
            Err(error) => (
                format!("error: the terminal cannot be used: {error}"),
                Exit::Usage,
            ),
        };
        if !text.is_empty() {
            terminal::error(&text);
        }
        budget.stop(Stop::Cancelled);
        for _ in 0..GRACE.as_millis() / TICK.as_millis() {
            if engine.is_finished() {
                return exit;
            }
            thread::sleep(TICK);
        }
        std::process::exit(i32::from(exit.code()))
    })
}

/// Answers requests until nobody asks any more; the last words, and the exit code.
fn engine(
    args: &Explain,
    budget: &Budget,
    requests: &Receiver<Request>,
    tell: &Sender<News>,
) -> (String, Exit) {
    let (mut session, property, mut past) = match open(args, budget) {
        Ok(opened) => opened,
        Err(failure) => return failure,
    };
    let mut visited = false;
    let outcome = open_proof(
        &mut session,
        property,
        args.effort.engine,
        budget,
        &mut |session, opened| {
            visited = true;
            let inquiry = Inquiry::new(opened, &mut past)?;
            let backdrop = Backdrop::new(session, property, inquiry.summary());
            let mut desk = ProofDesk {
                session,
                inquiry,
                property,
                budget,
                reason: None,
            };
            let scene = Box::new(desk.inquiry.scene()?);
            let opened = News::Opened(Arc::new(backdrop), scene, desk.said());
            if tell.send(opened).is_err() {
                return Ok(Next::Done);
            }
            while let Ok(request) = requests.recv() {
                budget.resume();
                let news = match desk.answer(&request) {
                    Ok(Reply::Again) => return Ok(Next::Again),
                    Ok(reply) => News::Answer(reply),
                    Err(Stop::Cancelled) => {
                        budget.resume();
                        News::Cancelled
                    }
                    Err(stop) => return Err(stop),
                };
                if tell.send(news).is_err() {
                    break;
                }
            }
            Ok(Next::Done)
        },
    );
    if holds_on_every_run(&outcome, session.model(), property) {
        return (holding(args, &session, property, budget), Exit::Good);
    }
    the_end(outcome, visited, terminal::error_color(args.screen.color))
}

/// The first thread: between the keyboard, the screen and the engine.
struct Explorer<'a> {
    budget: &'a Budget,
    style: Style,
    /// Said on the first screen.
    greeting: Option<String>,
    ask: Sender<Request>,
    news: Receiver<News>,
    /// Requests without answer, in order.
    waiting: VecDeque<Request>,
}

/// Somebody outside wants the process to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

impl<'a> Explorer<'a> {
    fn new(args: &Explain, budget: &'a Budget, ask: Sender<Request>, news: Receiver<News>) -> Self {
        raise_on_interrupt(&INTERRUPTED);
        Self {
            budget,
            style: Style {
                color: terminal::color(args.screen.color),
                ascii: args.screen.ascii,
                width: 80,
            },
            greeting: choosing::hint(&args.file, &args.strategy),
            ask,
            news,
            waiting: VecDeque::new(),
        }
    }

    fn run(&mut self) -> io::Result<(String, Exit)> {
        let (backdrop, scene, said) = match self.opened() {
            Ok(opened) => opened,
            Err(end) => return Ok(end),
        };
        let mut app = App::new(backdrop, *scene, self.style);
        app.message = self.greeting.take().or((!said.is_empty()).then_some(said));
        let _guard = Guard::enter(io::stdout())?;
        let mut screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        let mut changed = true;
        loop {
            app.set_progress((!self.waiting.is_empty()).then(|| self.budget.progress()));
            if (changed || !self.waiting.is_empty()) && !guard::has_panicked() {
                screen.draw(|frame| app.draw(frame))?;
            }
            changed = event::poll(TICK)?;
            if changed && let Some(end) = self.listen(&mut app)? {
                return Ok(end);
            }
            let waiting = self.waiting.len();
            if let Some(end) = self.hear(&mut app) {
                return Ok(end);
            }
            changed |= self.waiting.len() != waiting;
            if let Some(end) = self.watch() {
                return Ok(end);
            }
            if let (true, Some(request)) = (self.waiting.is_empty(), app.wants()) {
                self.send(request);
            }
        }
    }

    /// Waits until the proof is open; otherwise how it all ends. The terminal is as it was till then.
    fn opened(&mut self) -> Result<OpenProof, (String, Exit)> {
        let mut progress = ProgressLine::new();
        loop {
            match self.news.recv_timeout(TICK) {
                Ok(News::Opened(backdrop, scene, said)) => {
                    progress.clear();
                    return Ok((backdrop, scene, said));
                }
                Ok(News::End(text, exit)) => {
                    progress.clear();
                    return Err((text, exit));
                }
                _ => progress.show(&self.budget.progress()),
            }
            if let Some(end) = self.watch() {
                progress.clear();
                return Err(end);
            }
        }
    }

    /// Hands what the keyboard has said to the explorer; how it ends, if it does.
    fn listen(&mut self, app: &mut App) -> io::Result<Option<(String, Exit)>> {
        loop {
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                match app.key(key) {
                    Effect::Nothing => {}
                    Effect::Ask(request) => self.send(request),
                    Effect::Cancel => self.budget.stop(Stop::Cancelled),
                    Effect::Quit => return Ok(Some((String::new(), Exit::Good))),
                }
            }
            if !event::poll(Duration::ZERO)? {
                return Ok(None);
            }
        }
    }

    /// Sends a request. Ways that nobody waits for any more are cancelled.
    fn send(&mut self, request: Request) {
        if matches!(self.waiting.back(), Some(Request::Ways(_))) {
            self.budget.stop(Stop::Cancelled);
        }
        self.waiting.push_back(request.clone());
        // An engine that is gone has said so.
        let _ = self.ask.send(request);
    }

    /// Takes what the engine tells; how it ends, if it does.
    fn hear(&mut self, app: &mut App) -> Option<(String, Exit)> {
        loop {
            match self.news.try_recv() {
                Ok(News::Opened(backdrop, scene, said)) => {
                    self.waiting.pop_front();
                    app.reopen(backdrop, *scene, said);
                }
                Ok(News::Answer(reply)) => {
                    self.waiting.pop_front();
                    app.hear(reply);
                }
                Ok(News::Cancelled) => {
                    let request = self.waiting.pop_front();
                    app.cancelled(request.as_ref());
                }
                Ok(News::End(text, exit)) => return Some((text, exit)),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return Some((String::new(), Exit::Internal)),
            }
        }
        match app.replay() {
            Replay::Failed(why) => {
                let text = format!("internal error: the proof so far is wrong: {why}");
                Some((text, Exit::Internal))
            }
            _ => None,
        }
    }

    /// Looks at time, memory and whoever wants to end the process.
    fn watch(&self) -> Option<(String, Exit)> {
        watch_memory(self.budget);
        if INTERRUPTED.load(Ordering::Relaxed) {
            return Some((stopped(Stop::Cancelled), Exit::Undecided));
        }
        match self.budget.check() {
            Err(stop @ (Stop::TimeOut | Stop::Memory)) => Some((stopped(stop), Exit::Undecided)),
            Err(Stop::Cancelled) | Ok(()) => None,
        }
    }
}

#[cfg(test)]
mod tests;
