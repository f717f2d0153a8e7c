//! The header: `des (initial state, transitions, states)`.

use std::io::Read;
use std::ops::Range;

use wherefore_base::{Budget, Run};
use wherefore_model::lts::StateId;

use super::blocks::{Blocks, LineBlock};
use super::error::{AutError, LineFault};
use super::text::{AutCursor, Natural, is_blank};

/// There may be so many states that no transition can mention.
const UNMENTIONED: u64 = 1 << 20;

const FORM: &str = "An AUT file begins with a line such as `des (0, 3, 2)`: \
                    the initial state, the number of transitions, the number of states.";

/// What the header says.
#[derive(Debug)]
pub(super) struct AutHeader {
    pub(super) initial: StateId,
    pub(super) transitions: usize,
    pub(super) states: usize,
    /// How many lines there are before the first transition.
    pub(super) lines: usize,
    text: Vec<u8>,
    /// Where the number of transitions stands.
    count: Range<usize>,
}

/// What a line says as a header: the number of states, and where the number of transitions stands.
pub(super) fn placed(line: &[u8]) -> Option<(usize, Range<usize>)> {
    let header = parse(line).ok()?;
    Some((header.states, header.count))
}

/// Reads the header and leaves the lines after it.
pub(super) fn read<R: Read>(
    blocks: &mut Blocks<R>,
    budget: &Budget,
) -> Run<Result<AutHeader, AutError>> {
    let mut block = LineBlock::default();
    let mut lines = 0;
    loop {
        budget.check()?;
        match blocks.next(&mut block) {
            None => return Ok(Err(AutError::in_line(0, b"", empty(lines)))),
            Some(Err(error)) => return Ok(Err(error.after(lines))),
            Some(Ok(())) => {}
        }
        let mut rest = block.text.as_slice();
        // Some editors put a byte order mark before the text.
        if lines == 0 {
            rest = rest.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(rest);
        }
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let line = &rest[..end];
            rest = &rest[end + 1..];
            if line.iter().all(|byte| is_blank(*byte)) {
                lines += 1;
                continue;
            }
            let parsed = parse(line).map_err(|fault| AutError::in_line(lines, line, fault));
            let from = block.text.len() - rest.len();
            blocks.put_back(&block, from);
            return Ok(parsed.map(|header| AutHeader {
                lines: lines + 1,
                ..header
            }));
        }
    }
}

impl AutHeader {
    /// There are not as many transitions as the header says.
    pub(super) fn wrong_count(&self, found: usize) -> AutError {
        let Self {
            transitions: said, ..
        } = self;
        let transitions = |count| match count {
            1 => "1 transition".to_string(),
            _ => format!("{count} transitions"),
        };
        let message = format!(
            "The header says that there {} {}, but there {} {found}",
            if *said == 1 { "is" } else { "are" },
            transitions(*said),
            if found == 1 { "is" } else { "are" },
        );
        let help = match found < *said {
            true => format!("Perhaps the file was cut off; if it is complete, write {found} here."),
            false => format!("If no line is too many, write {found} here."),
        };
        let fault = LineFault::new(self.count.clone(), message).help(help);
        AutError::in_line(self.lines - 1, &self.text, fault)
    }
}

fn empty(lines: usize) -> LineFault {
    let message = match lines {
        0 => "The file is empty",
        _ => "The file has nothing but blank lines",
    };
    LineFault::new(0..0, message).help(FORM)
}

/// Parses the line of the header.
fn parse(line: &[u8]) -> Result<AutHeader, LineFault> {
    let numbers = numbers(line).map_err(|fault| match fault.help.is_empty() {
        true => fault.help(FORM),
        false => fault,
    });
    let [initial, transitions, states] = numbers?;
    let most = u64::from(u32::MAX);
    let small = |number: &Natural| number.value.filter(|value| *value <= most);
    let too_many = |number: &Natural, what: &str| {
        let message = format!("There are more {what} than can be read");
        LineFault::new(number.at.clone(), message)
            .because(format!("at most {most} are read"))
            .help(FORM)
    };
    let count = small(&transitions).ok_or_else(|| too_many(&transitions, "transitions"))?;
    // The number of a state has 32 bits, and so has the number of states.
    let size = small(&states).ok_or_else(|| too_many(&states, "states"))?;
    if size == 0 {
        let fault = LineFault::new(states.at, "There is no state");
        return Err(fault.help("A system has at least its initial state."));
    }
    let Some(start) = initial.value.filter(|initial| *initial < size) else {
        let last = size - 1;
        return Err(
            LineFault::new(initial.at, "The initial state does not exist")
                .because(format!("the last state is {last}"))
                .help(FORM),
        );
    };
    // A transition mentions two states; memory for many others would be taken on the word of the header.
    if size > 2 * count + UNMENTIONED {
        return Err(
            LineFault::new(states.at, "There are far more states than transitions")
                .because("most of these states are in no transition")
                .help(FORM),
        );
    }
    Ok(AutHeader {
        initial: StateId::new(start as usize),
        transitions: count as usize,
        states: size as usize,
        lines: 0,
        text: line.to_vec(),
        count: transitions.at,
    })
}

fn numbers(line: &[u8]) -> Result<[Natural; 3], LineFault> {
    let mut cursor = AutCursor::new(line);
    if let Some(fault) = not_text(line) {
        return Err(fault);
    }
    if cursor.peek() == Some(b'(') {
        let fault = LineFault::new(cursor.at()..cursor.at() + 1, "The header is missing");
        return Err(fault.because("the first line is no header"));
    }
    cursor.expect("des", "the `des` of the header")?;
    cursor.expect("(", "the `(` of the header")?;
    let initial = cursor.number("the number of the initial state")?;
    if cursor
        .peek()
        .is_some_and(|next| next.is_ascii_digit() || next == b'/')
    {
        let message = "Initial states with probabilities are not supported";
        let fault = LineFault::new(initial.at.start..cursor.at() + 1, message);
        return Err(fault.help("There is one initial state, as in `des (0, 3, 2)`."));
    }
    cursor.expect(",", "a comma after the initial state")?;
    let transitions = cursor.number("the number of transitions")?;
    cursor.expect(",", "a comma after the number of transitions")?;
    let states = cursor.number("the number of states")?;
    cursor.expect(")", "the `)` of the header")?;
    cursor.end()?;
    Ok([initial, transitions, states])
}

/// A first line with bytes that no text has is no line.
fn not_text(line: &[u8]) -> Option<LineFault> {
    let odd = |byte: &u8| byte.is_ascii_control() && *byte != b'\t' && *byte != b'\r';
    let control = line.iter().position(odd);
    let broken = str::from_utf8(line).err().map(|error| error.valid_up_to());
    let broken = broken.filter(|_| !line.starts_with(b"des"));
    let at = control.into_iter().chain(broken).min()?;
    let help = match line {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            "It looks like UTF-16. Convert it with `iconv -f utf-16 -t utf-8`."
        }
        _ => {
            "An AUT file is text. Convert CADP's BCG files with `bcg_io`, mCRL2's LTS files with \
             `ltsconvert`."
        }
    };
    Some(LineFault::new(at..at + 1, "This is not an AUT file, but binary data").help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_may_stand_anywhere() {
        for line in ["des(1,2,3)", " des ( 1 , 2 , 3 ) \r", "des\t(1, 2, 3)"] {
            let header = parse(line.as_bytes()).expect("it is right");
            assert_eq!(header.initial, StateId::new(1));
            assert_eq!((header.transitions, header.states), (2, 3));
        }
    }

    #[test]
    fn states_without_transitions_are_believed_within_bounds() {
        assert!(parse(b"des (0, 0, 1000000)").is_ok());
        assert!(parse(b"des (0, 0, 4294967295)").is_err());
        assert!(parse(b"des (0, 0, 1000000000000000000)").is_err());
        assert!(parse(b"des (4294967294, 4294967295, 4294967295)").is_ok());
    }
}
