//! Cutting what a solver prints into responses: atoms, strings and balanced lists.
//!
//! A response is kept as text. The cutter holds one response at a time and gives up on one that is larger than an
//! answer may be, so that a solver that prints without end costs no memory.

/// The most bytes that one response may have.
pub(crate) const LARGEST: usize = 64 << 20;

/// Collects bytes and says when a response is complete.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    text: Vec<u8>,
    depth: usize,
    inside: ByteContext,
}

/// What the next byte belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum ByteContext {
    /// Between tokens.
    #[default]
    Space,
    /// An atom.
    Atom,
    /// A string in double quotes.
    Text,
    /// A symbol between bars.
    Bars,
    /// A comment, up to the end of the line.
    Comment,
}

/// One response is larger than an answer may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ResponseTooLarge;

impl Cutter {
    /// Takes one more byte; gives the responses that are complete with it: none, one, or an atom and the list
    /// `)` that ended it.
    pub(crate) fn push(&mut self, byte: u8) -> Result<Option<String>, ResponseTooLarge> {
        if self.text.len() >= LARGEST {
            return Err(ResponseTooLarge);
        }
        let mut done = None;
        match self.inside {
            ByteContext::Comment => {
                if byte == b'\n' {
                    self.inside = ByteContext::Space;
                }
                return Ok(None);
            }
            ByteContext::Text | ByteContext::Bars => {
                self.text.push(byte);
                let end = if self.inside == ByteContext::Text {
                    b'"'
                } else {
                    b'|'
                };
                if byte == end {
                    self.inside = ByteContext::Space;
                    done = self.complete();
                }
                return Ok(done);
            }
            ByteContext::Atom
                if byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'"' | b';') =>
            {
                self.inside = ByteContext::Space;
                done = self.complete();
            }
            ByteContext::Atom => {
                self.text.push(byte);
                return Ok(None);
            }
            ByteContext::Space => {}
        }
        match byte {
            b'(' => {
                self.text.push(byte);
                self.depth += 1;
            }
            b')' if self.depth > 0 => {
                self.text.push(byte);
                self.depth -= 1;
                done = done.or_else(|| self.complete());
            }
            // A stray parenthesis is garbage and is handed on as such.
            b')' => done = done.or_else(|| Some(")".to_string())),
            b';' => self.inside = ByteContext::Comment,
            b'"' => self.open(ByteContext::Text, byte),
            b'|' => self.open(ByteContext::Bars, byte),
            _ if byte.is_ascii_whitespace() => {
                if self.depth > 0 && !self.text.ends_with(b" ") {
                    self.text.push(b' ');
                }
            }
            _ => self.open(ByteContext::Atom, byte),
        }
        Ok(done)
    }

    /// What is left when nothing more comes.
    pub(crate) fn rest(&mut self) -> Option<String> {
        self.depth = 0;
        let rest = self.complete()?;
        (!rest.trim().is_empty()).then_some(rest)
    }

    fn open(&mut self, inside: ByteContext, byte: u8) {
        self.inside = inside;
        self.text.push(byte);
    }

    /// The text collected so far, if it is a whole response.
    fn complete(&mut self) -> Option<String> {
        if self.depth > 0 || self.text.is_empty() {
            return None;
        }
        let text = std::mem::take(&mut self.text);
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<String> {
        let mut cutter = Cutter::default();
        let mut found = Vec::new();
        for byte in text.bytes() {
            found.extend(cutter.push(byte).expect("it is small"));
        }
        found.extend(cutter.rest());
        found
    }

    #[test]
    fn responses_are_atoms_strings_and_balanced_lists() {
        assert_eq!(
            cut("sat\n((x 4)\n  (y (- 1)))\n\"a mark\" ; a remark (\nunsat"),
            ["sat", "((x 4) (y (- 1)))", "\"a mark\"", "unsat"]
        );
    }

    #[test]
    fn parentheses_in_strings_and_bars_do_not_count() {
        assert_eq!(
            cut("(error \"line 3: ) \"\"(\") (|a (| 1)"),
            ["(error \"line 3: ) \"\"(\")", "(|a (| 1)"]
        );
    }

    #[test]
    fn what_is_left_at_the_end_is_a_response() {
        assert_eq!(cut("sat (model (x"), ["sat", "(model (x"]);
        assert_eq!(cut(") sat"), [")", "sat"]);
        assert_eq!(cut("  \n "), Vec::<String>::new());
    }

    #[test]
    fn an_atom_may_touch_a_list() {
        assert_eq!(cut("unknown(x)"), ["unknown", "(x)"]);
    }
}
