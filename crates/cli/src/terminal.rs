//! The terminal: what it can show, and the line of progress on it.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use terminal_size::{Width, terminal_size_of};
use wherefore_base::Progress;
use wherefore_driver::view::explore::Style;
use wherefore_driver::view::{clean, text};

use crate::args::{Color, Screen};

/// How wide text is when nobody looks at it on a terminal.
const WIDTH_IN_A_PIPE: usize = 100;
/// Work shorter than this shows no progress.
const QUIET_FOR: Duration = Duration::from_millis(500);

/// Whether standard output gets colour.
pub(crate) fn color(choice: Color) -> bool {
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
    }
}

/// Whether standard error gets colour.
pub(crate) fn error_color(choice: Color) -> bool {
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => AutoStream::choice(&io::stderr()) != ColorChoice::Never,
    }
}

/// How many columns standard output has.
pub(crate) fn width() -> usize {
    match terminal_size_of(io::stdout()) {
        Some((Width(width), _)) if io::stdout().is_terminal() => usize::from(width),
        _ => WIDTH_IN_A_PIPE,
    }
}

/// How text looks, from the command line and the terminal.
pub(crate) fn style(screen: &Screen) -> Style {
    Style {
        color: color(screen.color),
        ascii: screen.ascii,
        width: screen.width.unwrap_or_else(width),
    }
}

/// How findings are shown when nothing else is asked for than all of them.
pub(crate) fn all_of(screen: &Screen, full: bool) -> text::TextOptions<'static> {
    let style = style(screen);
    text::TextOptions {
        color: style.color,
        ascii: style.ascii,
        width: style.width,
        full,
        all: true,
        hints: false,
        ..text::TextOptions::default()
    }
}

/// The first few of many names.
pub(crate) fn some_of(names: &[String]) -> String {
    const FEW: usize = 20;
    let few: Vec<String> = names.iter().take(FEW).map(|name| clean(name)).collect();
    let more = names.len() - few.len();
    let more = (more > 0).then(|| format!(" and {more} more"));
    few.join(", ") + more.as_deref().unwrap_or_default()
}

/// The name of a file with nothing in it that steers the terminal.
pub(crate) fn shown(path: &Path) -> String {
    clean(&path.to_string_lossy())
}

/// Writes to standard output. A reader that went away is no error.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes a message to standard error.
pub(crate) fn error(text: &str) {
    let mut err = io::stderr().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let _ = err.write_all(format!("{text}{end}").as_bytes());
}

/// One line on the terminal that says what is being done; nothing when there is no terminal.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    since: Instant,
    enabled: bool,
    shown: bool,
}

impl ProgressLine {
    /// No line yet.
    pub(crate) fn new() -> Self {
        Self {
            since: Instant::now(),
            enabled: io::stderr().is_terminal(),
            shown: false,
        }
    }

    /// Shows what is being done, once it has been going on for a while.
    pub(crate) fn show(&mut self, progress: &Progress) {
        if !self.enabled || self.since.elapsed() < QUIET_FOR || progress.phase.is_empty() {
            return;
        }
        let Progress { phase, done } = progress;
        let text = match done {
            0 => format!("\r\x1b[K{phase} …"),
            done => format!("\r\x1b[K{phase}: {done} …"),
        };
        let mut err = io::stderr().lock();
        let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
        self.shown = true;
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let mut err = io::stderr().lock();
            let _ = err.write_all(b"\r\x1b[K").and_then(|()| err.flush());
        }
    }
}
