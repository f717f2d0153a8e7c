//! The terminal is given back as it was, however the work ends.

use std::io::{self, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// Holds the terminal; gives it back when dropped, and before a panic is told.
pub(super) struct Guard<W: Write> {
    out: W,
}

/// Whether the terminal was given back because of a panic: nobody may draw any more.
static PANICKED: AtomicBool = AtomicBool::new(false);

/// Whether the terminal was given back because somebody panicked.
pub(super) fn has_panicked() -> bool {
    PANICKED.load(Ordering::Relaxed)
}

type Hook = Box<dyn Fn(&panic::PanicHookInfo<'_>) + Send + Sync>;

impl<W: Write> Guard<W> {
    /// Takes the terminal: keys come one by one, and a second screen is shown.
    pub(super) fn enter(out: W) -> io::Result<Self> {
        enable_raw_mode()?;
        // From here on whatever fails gives the terminal back.
        let mut guard = Self { out };
        execute!(guard.out, EnterAlternateScreen)?;
        let before: Arc<Hook> = Arc::new(panic::take_hook());
        panic::set_hook(Box::new(move |info| {
            PANICKED.store(true, Ordering::Relaxed);
            give_back(&mut io::stdout());
            before(info);
        }));
        Ok(guard)
    }
}

impl<W: Write> Drop for Guard<W> {
    fn drop(&mut self) {
        give_back(&mut self.out);
    }
}

/// A terminal that is gone cannot be given back, which nobody minds then.
fn give_back<W: Write>(out: &mut W) {
    let _ = disable_raw_mode();
    let _ = execute!(out, LeaveAlternateScreen, Show);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_is_given_back_when_the_guard_is_dropped() {
        let mut out = Vec::new();
        drop(Guard { out: &mut out });
        let out = String::from_utf8(out).expect("terminals take text");
        assert_eq!(out, "\u{1b}[?1049l\u{1b}[?25h");
    }

    #[test]
    fn the_terminal_is_given_back_when_somebody_panics() {
        let mut out = Vec::new();
        let caught = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            let _guard = Guard { out: &mut out };
            panic::resume_unwind(Box::new("on purpose"));
        }));
        assert!(caught.is_err());
        assert!(!out.is_empty());
    }
}
