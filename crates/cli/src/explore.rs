//! `wherefore explore`: a walk through the states of a model, led by lines of standard input.
//!
//! A guide on a thread of its own opens the model, reads commands and answers them; the first thread
//! watches time, memory and the keyboard, and ends the process when the guide does not end in time:
//! at once when it only waits for a line.

pub(crate) mod command;
pub(crate) mod lines;
mod talk;

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use wherefore::explore::explore as visit_world;
use wherefore::view::explore::Style;
use wherefore::{OpenError, Session};
use wherefore_base::{Budget, Stop};

use crate::args::Explore;
use crate::exit::Exit;
use crate::guard;
use crate::terminal::{self, ProgressLine};
use crate::watch::{limits, stop_on_interrupt, wait_for};

use talk::Talk;

/// How long the guide may take to notice that it must stop.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// Opens a model, follows the commands and returns the exit code.
///
/// When the guide does not stop in time, the process ends from here.
pub(crate) fn explore(args: &Explore) -> Exit {
    let budget = limits(args.effort.timeout, args.effort.memory);
    stop_on_interrupt(&budget);
    let screen = Screen::default();
    thread::scope(|scope| {
        let (budget, screen) = (&budget, &screen);
        let guide = scope.spawn(move || guard::guarded(|| guide(args, budget, screen)));
        let done = || {
            screen.show_progress(budget);
            guide.is_finished()
        };
        let patience = || match screen.is_listening() {
            true => Duration::ZERO,
            false => GRACE,
        };
        if let Err(stop) = wait_for(&done, budget, &patience) {
            screen.say(&the_end(stop));
            std::process::exit(i32::from(Exit::Undecided.code()));
        }
        guide.join().ok().flatten().unwrap_or(Exit::Internal)
    })
}

fn guide(args: &Explore, budget: &Budget, screen: &Screen) -> Exit {
    let path = terminal::shown(&args.file);
    let color = terminal::error_color(args.screen.color);
    budget.phase("reading the model");
    let mut session = match Session::open_within(&args.file, budget) {
        Ok(session) => session,
        Err(error) => {
            let (text, exit) = match &error {
                OpenError::Io(_) => (format!("error: {path}: {error}"), Exit::Usage),
                OpenError::Stopped(stop) => (
                    format!("error: {path}: not explored, since {stop}"),
                    Exit::Undecided,
                ),
                OpenError::NotText { .. } | OpenError::TooLarge(_) => {
                    (format!("error: {path}: {error}"), Exit::Model)
                }
                OpenError::Rejected(rejected) => (rejected.render(color), Exit::Model),
            };
            screen.say(&text);
            return exit;
        }
    };
    if !session.warnings().is_empty() {
        let warnings = session.rejected(session.warnings().to_vec());
        screen.say(&warnings.render(color));
    }
    let style = Style {
        color: terminal::color(args.screen.color),
        ascii: args.screen.ascii,
        width: args.screen.width.unwrap_or_else(terminal::width),
    };
    let mut talk = Talk::new(style, budget, screen);
    let outcome = visit_world(
        &mut session,
        args.effort.engine,
        budget,
        &mut |session, world| talk.visit(session, world),
    );
    match outcome {
        Ok(Ok(())) => Exit::Good,
        Ok(Err(rejected)) => {
            screen.say(&rejected.render(color));
            Exit::Model
        }
        Err(stop) => {
            screen.say(&the_end(stop));
            Exit::Undecided
        }
    }
}

fn the_end(stop: Stop) -> String {
    format!("error: the walk ends here, since {stop}")
}

/// The terminal, which the guide and the watcher share.
pub(crate) struct Screen(Mutex<Shown>);

struct Shown {
    /// Nothing is being done but waiting for a line.
    listening: bool,
    progress: ProgressLine,
}

impl Default for Screen {
    fn default() -> Self {
        Self(Mutex::new(Shown {
            listening: false,
            progress: ProgressLine::new(),
        }))
    }
}

impl Screen {
    pub(crate) fn print(&self, text: &str) {
        self.lock().progress.clear();
        terminal::print(text);
    }

    pub(crate) fn say(&self, text: &str) {
        self.lock().progress.clear();
        terminal::error(text);
    }

    /// Waits for something that comes from outside.
    pub(crate) fn listen<T>(&self, wait: impl FnOnce() -> T) -> T {
        {
            let mut shown = self.lock();
            shown.progress.clear();
            shown.listening = true;
        }
        let heard = wait();
        *self.lock() = Shown {
            listening: false,
            progress: ProgressLine::new(),
        };
        heard
    }

    pub(crate) fn is_listening(&self) -> bool {
        self.lock().listening
    }

    pub(crate) fn show_progress(&self, budget: &Budget) {
        let mut shown = self.lock();
        if !shown.listening {
            shown.progress.show(&budget.progress());
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shown> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}
