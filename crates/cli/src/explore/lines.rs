//! Lines of input: as long as is reasonable, and text whatever their bytes are.

use std::io::{self, BufRead, Read};

use crate::screen::Screen;
use crate::terminal::print;

/// A line with more bytes than this is no command.
const LONGEST: u64 = 1 << 16;

/// A line of input.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// Its text without the end of the line. Bytes that are no text are replaced.
    Text(String),
    /// It is too long to be a command.
    TooLong,
    /// There is no further line.
    End,
}

/// Reads a line. An input that cannot be read any more is at its end.
pub(crate) fn read_line(input: &mut dyn BufRead) -> Line {
    let mut bytes = Vec::new();
    match input.take(LONGEST + 1).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => return Line::End,
        Ok(_) => {}
    }
    if bytes.len() as u64 > LONGEST && !bytes.ends_with(b"\n") {
        return match input.skip_until(b'\n') {
            Ok(_) => Line::TooLong,
            Err(_) => Line::End,
        };
    }
    Line::Text(String::from_utf8_lossy(&bytes).trim().to_string())
}

/// Waits for a line of standard input, after a prompt if somebody types.
pub(crate) fn hear(screen: &Screen, prompt: bool) -> Line {
    let line = screen.listen(|| {
        if prompt {
            print("> ");
        }
        read_input()
    });
    if prompt && line == Line::End {
        print("\n");
    }
    line
}

/// Reads a line of standard input.
pub(crate) fn read_input() -> Line {
    read_line(&mut io::stdin().lock())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_needs_no_end() {
        let mut input: &[u8] = b"next\r\n 2";
        assert_eq!(read_line(&mut input), Line::Text("next".to_string()));
        assert_eq!(read_line(&mut input), Line::Text("2".to_string()));
        assert_eq!(read_line(&mut input), Line::End);
    }

    #[test]
    fn a_line_without_reasonable_end_is_skipped() {
        let text = format!("{}\nnext\n", "x".repeat(1 << 20));
        let mut input = text.as_bytes();
        assert_eq!(read_line(&mut input), Line::TooLong);
        assert_eq!(read_line(&mut input), Line::Text("next".to_string()));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let mut input: &[u8] = b"show \xff\n";
        assert_eq!(read_line(&mut input), Line::Text("show \u{fffd}".into()));
    }
}
