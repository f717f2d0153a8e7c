//! A worker on a thread of its own, watched from the first one, and the terminal that both share.
//!
//! The first thread watches time, memory and the keyboard, and ends the process when the worker does
//! not end in time: at once when it only waits for a line.

use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use wherefore_base::{Budget, Stop};
use wherefore_driver::{ModelSubject, Refusal, Rejected, Subject};

use crate::args::Effort;
use crate::exit::Exit;
use crate::guard;
use crate::refusal::refused_file;
use crate::terminal::{self, ProgressLine};
use crate::watch::{Signal, limits, stop_on_interrupt, wait_for};

/// How long the worker may take to notice that it must stop.
const GRACE: Duration = Duration::from_secs(2);

/// Does some work within the limits of the command line and returns the exit code; `the_end` is what
/// is said when the work is cut short.
///
/// When the worker does not stop in time, the process ends from here.
pub(crate) fn watched(
    effort: &Effort,
    the_end: fn(Stop) -> String,
    work: impl FnOnce(&Budget, &Screen) -> Exit + Send,
) -> Exit {
    let budget = limits(effort.timeout, effort.memory);
    stop_on_interrupt(&budget);
    let (screen, end) = (Screen::default(), Signal::default());
    thread::scope(|scope| {
        let (budget, screen, end) = (&budget, &screen, &end);
        let worker = scope.spawn(move || {
            let _end = end.at_the_end();
            guard::guarded(|| work(budget, screen))
        });
        let look = || screen.show_progress(budget);
        let patience = || match screen.is_listening() {
            true => Duration::ZERO,
            false => GRACE,
        };
        if let Err(stop) = wait_for(end, &look, budget, &patience) {
            screen.say(&the_end(stop));
            std::process::exit(i32::from(Exit::Undecided.code()));
        }
        screen.clear();
        worker.join().ok().flatten().unwrap_or(Exit::Internal)
    })
}

/// The terminal, which the worker and the watcher share.
pub(crate) struct Screen(Mutex<ShownProgress>);

struct ShownProgress {
    /// Nothing is being done but waiting for a line.
    listening: bool,
    progress: ProgressLine,
}

impl Default for Screen {
    fn default() -> Self {
        Self(Mutex::new(ShownProgress {
            listening: false,
            progress: ProgressLine::new(),
        }))
    }
}

impl Screen {
    /// Writes to standard output.
    pub(crate) fn print(&self, text: &str) {
        self.clear();
        terminal::print(text);
    }

    /// Writes a message to standard error.
    pub(crate) fn say(&self, text: &str) {
        self.clear();
        terminal::error(text);
    }

    /// Says what is wrong with a text, in colour or not, and returns the exit code.
    pub(crate) fn reject(&self, rejected: &Rejected, color: bool, exit: Exit) -> Exit {
        self.say(&rejected.render(color));
        exit
    }

    /// Tells the warnings of a model that was opened, or why it was not; `undone` is what is not done
    /// when that takes too long.
    ///
    /// # Errors
    /// The exit code, when the model cannot be used; why is told.
    pub(crate) fn greet(
        &self,
        path: &Path,
        undone: &str,
        color: bool,
        opened: Result<ModelSubject, Refusal>,
    ) -> Result<ModelSubject, Exit> {
        let session = opened.map_err(|error| self.not_opened(path, undone, color, &error))?;
        self.warn(&session, color);
        Ok(session)
    }

    /// Tells the warnings of a model.
    pub(crate) fn warn(&self, subject: &dyn Subject, color: bool) {
        if !subject.warnings().is_empty() {
            let warnings = subject.rejected(subject.warnings().to_vec());
            self.say(&warnings.render(color));
        }
    }

    /// Says why a file cannot be used, and returns the exit code.
    pub(crate) fn not_opened(
        &self,
        path: &Path,
        undone: &str,
        color: bool,
        error: &Refusal,
    ) -> Exit {
        let (text, exit) = refused_file(path, error, undone, color);
        self.say(&text);
        exit
    }

    /// Waits for something that comes from outside.
    pub(crate) fn listen<T>(&self, wait: impl FnOnce() -> T) -> T {
        {
            let mut shown = self.lock();
            shown.progress.clear();
            shown.listening = true;
        }
        let heard = wait();
        *self.lock() = ShownProgress {
            listening: false,
            progress: ProgressLine::new(),
        };
        heard
    }

    fn is_listening(&self) -> bool {
        self.lock().listening
    }

    fn show_progress(&self, budget: &Budget) {
        let mut shown = self.lock();
        if !shown.listening {
            shown.progress.show(&budget.progress());
        }
    }

    fn clear(&self) {
        self.lock().progress.clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ShownProgress> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}
