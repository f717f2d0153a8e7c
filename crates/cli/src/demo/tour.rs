//! `wherefore demo elevator --tour`: a story, told by running commands.
//!
//! The text has paragraphs and commands; each command is run as if it were typed. In a terminal, the tour waits after
//! each of them.

use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal};

use crate::args;
use crate::exit::Exit;
use crate::terminal;

const TEXT: &str = include_str!("tour.txt");
/// What a line with a command starts with.
const PROMPT: &str = "$ wherefore ";

/// Tells the story; ends early when somebody asks for that, or when a command cannot be run.
pub(super) fn tour() -> Exit {
    let waits = io::stdin().is_terminal() && io::stdout().is_terminal();
    for line in TEXT.lines() {
        terminal::print(&format!("{line}\n"));
        let Some(command) = line.strip_prefix(PROMPT) else {
            continue;
        };
        let words = std::iter::once("wherefore".to_string()).chain(words(command));
        let exit = crate::run(args::read(words.map(OsString::from)).command);
        terminal::print("\n");
        // That properties fail is the story.
        if !matches!(exit, Exit::Good | Exit::Fails) {
            return exit;
        }
        if waits && !goes_on() {
            break;
        }
    }
    Exit::Good
}

/// Waits for a line; `false`: it asks for the end.
fn goes_on() -> bool {
    terminal::print("(Enter goes on, q ends the tour) ");
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    matches!(read, Ok(1..)) && !line.trim().eq_ignore_ascii_case("q")
}

/// The words of a command: separated by blanks, unless they stand between quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match (c, words.last_mut()) {
            ('"', _) => quoted = !quoted,
            (' ', _) if !quoted => words.push(String::new()),
            (c, Some(word)) => word.push(c),
            (_, None) => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let expected = ["check", "a.smv", "-e", "EF (p & q)"];
        assert_eq!(words("check a.smv -e \"EF (p & q)\""), expected);
    }
}
