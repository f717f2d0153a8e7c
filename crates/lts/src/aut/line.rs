//! The lines after the header, one transition each.
//!
//! A line is first read the quick way, which knows what almost all lines look like. A line it does not
//! understand is read the careful way, which takes both dialects in full and finds out what is wrong. What
//! the quick way understands, the careful one understands alike.
//!
//! A label is what stands between the first and the last comma, or between the first and the last quote
//! if it begins with one (CADP). That includes labels quoted up to the next quote (mCRL2). Blanks within
//! a label without quotes are kept.

use std::ops::Range;

use wherefore_model::lts::{LtsStep, StateId};

use super::blocks::LineBlock;
use super::error::{AutError, LineFault};
use super::labels::LabelCache;
use super::text::{AutCursor, Natural, is_blank};

/// The transitions of a block, in its order.
#[derive(Default)]
pub(super) struct BlockTransitions {
    pub(super) sources: Vec<StateId>,
    pub(super) steps: Vec<LtsStep>,
    /// How many lines the block has, blank ones included.
    pub(super) lines: usize,
}

/// A line with a transition: numbers of states, and where things are.
struct TransitionLine {
    from: usize,
    to: usize,
    label: Range<usize>,
    /// Where the next line begins.
    end: usize,
}

/// Parses the lines of a block, into the memory of a piece that is not needed any more.
pub(super) fn parse(
    block: &LineBlock,
    states: usize,
    labels: &mut LabelCache<'_>,
    mut piece: BlockTransitions,
) -> Result<BlockTransitions, AutError> {
    let text = block.text.as_slice();
    piece.sources.clear();
    piece.steps.clear();
    piece.lines = 0;
    let mut at = 0;
    while at < text.len() {
        let line = match quick(text, at, states) {
            Some(line) => line,
            None => {
                let end = at + up_to_line_feed(&text[at..]);
                let bytes = &text[at..end];
                if bytes.iter().all(|byte| is_blank(*byte)) {
                    piece.lines += 1;
                    at = end + 1;
                    continue;
                }
                let line = careful(bytes, states).map_err(|fault| {
                    let is_last = end + 1 == text.len();
                    let fault = advised(fault, block.is_cut && is_last);
                    AutError::in_line(piece.lines, bytes, fault)
                })?;
                TransitionLine {
                    label: at + line.label.start..at + line.label.end,
                    end: end + 1,
                    ..line
                }
            }
        };
        let Some(label) = labels.id(&text[line.label.clone()]) else {
            let label = line.label.start - at..line.label.end - at;
            let bytes = &text[at..line.end - 1];
            let fault = not_text(bytes, label);
            return Err(AutError::in_line(piece.lines, bytes, fault));
        };
        piece.sources.push(StateId::new(line.from));
        piece.steps.push(LtsStep {
            label,
            to: StateId::new(line.to),
        });
        piece.lines += 1;
        at = line.end;
    }
    Ok(piece)
}

/// Reads the line at a place if it is of the usual form: one pair of quotes or none, no other comma
/// than two, and right.
#[inline]
fn quick(text: &[u8], at: usize, states: usize) -> Option<TransitionLine> {
    let at = token(text, at, b'(')?;
    let (from, at) = number(text, at)?;
    let at = token(text, at, b',')?;
    let mut start = blanks(text, at);
    let (label, at) = if *text.get(start)? == b'"' {
        start += 1;
        let end = start + up_to_any(&text[start..], b'"');
        (start..end, token(text, end, b'"')?)
    } else {
        let end = start + up_to_any(&text[start..], b',');
        let label = text[start..end].iter().rposition(|byte| !is_blank(*byte));
        (start..start + label? + 1, end)
    };
    // A further quote or comma in the label makes this fail, and the careful way decides.
    let at = token(text, at, b',')?;
    let (to, at) = number(text, at)?;
    let at = token(text, at, b')')?;
    let end = token(text, at, b'\n')?;
    (from < states && to < states).then_some(TransitionLine {
        from,
        to,
        label,
        end,
    })
}

/// The transition in a line, and the places of its label and of its target.
pub(super) fn placed(line: &[u8], states: usize) -> Option<PlacedTransition> {
    let (found, target) = careful_with_target(line, states).ok()?;
    Some(PlacedTransition {
        from: StateId::new(found.from),
        to: StateId::new(found.to),
        label: found.label,
        target,
    })
}

/// A transition with its places in a line.
pub(super) struct PlacedTransition {
    pub(super) from: StateId,
    pub(super) to: StateId,
    /// Without quotes.
    pub(super) label: Range<usize>,
    pub(super) target: Range<usize>,
}

/// After blanks and this byte.
#[inline]
fn token(text: &[u8], at: usize, byte: u8) -> Option<usize> {
    let at = blanks(text, at);
    (*text.get(at)? == byte).then_some(at + 1)
}

/// After blanks.
#[inline]
fn blanks(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| is_blank(*byte)) {
        at += 1;
    }
    at
}

/// A number of at most ten digits, and where it ends.
#[inline(always)]
fn number(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let start = blanks(text, at);
    let mut at = start;
    let mut value = 0u64;
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0'))
        && digit < 10
    {
        // Numbers of more than ten digits are refused below, so that this may wrap does no harm.
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    let value = usize::try_from(value).ok()?;
    (1..=10).contains(&(at - start)).then_some((value, at))
}

/// How many bytes come before the next one of this kind, or the end of the line; eight at a time.
#[inline]
fn up_to_any(text: &[u8], byte: u8) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const TOPS: u64 = u64::from_le_bytes([0x80; 8]);
    // The lowest top bit that is set belongs to the first byte that is zero; higher ones may err.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & TOPS;
    let wanted = ONES * u64::from(byte);
    let ends = ONES * u64::from(b'\n');
    let mut at = 0;
    while let Some(word) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(*word);
        let found = zeros(word ^ wanted) | zeros(word ^ ends);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = text[at..].iter().position(|&b| b == byte || b == b'\n');
    rest.map_or(text.len(), |rest| at + rest)
}

fn up_to_line_feed(text: &[u8]) -> usize {
    let found = text.iter().position(|&b| b == b'\n');
    found.unwrap_or(text.len())
}

/// Reads a line that is not blank, without its line feed.
fn careful(line: &[u8], states: usize) -> Result<TransitionLine, LineFault> {
    Ok(careful_with_target(line, states)?.0)
}

/// The same, with the place of the number of the target state.
fn careful_with_target(
    line: &[u8],
    states: usize,
) -> Result<(TransitionLine, Range<usize>), LineFault> {
    let mut cursor = AutCursor::new(line);
    if line.starts_with(b"des") {
        let fault = LineFault::new(0..3, "A header stands where a transition is expected");
        return Err(fault.help("An AUT file has one header, and describes one system."));
    }
    cursor.expect("(", "the `(` of a transition")?;
    let from = cursor.number("the number of the source state")?;
    let from = state(from, states)?;
    if cursor.peek() == Some(b':') {
        return Err(cursor
            .unexpected("a comma")
            .help("Tagged files (`.autx`) are not read; read the AUT file they were made from."));
    }
    cursor.expect(",", "a comma after the source state")?;
    let label = label(line, &mut cursor)?;
    cursor.expect(",", "a comma after the label")?;
    let to = target(line, &mut cursor)?;
    let target = to.at.clone();
    let to = state(to, states)?;
    cursor.expect(")", "the `)` of the transition")?;
    cursor.end()?;
    let line = TransitionLine {
        from,
        to,
        label,
        end: line.len(),
    };
    Ok((line, target))
}

/// The label; the cursor stops after it, or after its last quote.
fn label(line: &[u8], cursor: &mut AutCursor<'_>) -> Result<Range<usize>, LineFault> {
    let Some(first) = cursor.peek() else {
        return Err(cursor.unexpected("a label"));
    };
    let start = cursor.at();
    let rest = &line[start..];
    if first == b'"' {
        let last = rest.iter().rposition(|&byte| byte == b'"').unwrap_or(0);
        if last == 0 {
            let fault = LineFault::new(start..start + 1, "The quote of the label is not closed");
            return Err(fault.because("it begins here"));
        }
        cursor.go(start + last + 1);
        return Ok(start + 1..start + last);
    }
    let Some(comma) = rest.iter().rposition(|&byte| byte == b',') else {
        cursor.go(line.len());
        return Err(cursor.unexpected("a comma after the label"));
    };
    let Some(last) = rest[..comma].iter().rposition(|&byte| !is_blank(byte)) else {
        let fault = LineFault::new(start..start + 1, "The transition has no label");
        return Err(fault.help("An empty label is written as `\"\"`, an internal step as `i`."));
    };
    cursor.go(start + comma);
    Ok(start..start + last + 1)
}

/// The target; the cursor stops after it.
fn target(line: &[u8], cursor: &mut AutCursor<'_>) -> Result<Natural, LineFault> {
    let to = cursor.number("the number of the target state")?;
    if cursor
        .peek()
        .is_some_and(|next| next.is_ascii_digit() || next == b'/')
    {
        let end = line.iter().rposition(|&byte| byte == b')');
        let end = end.unwrap_or(line.len()).max(to.at.end);
        let message = "Targets with probabilities are not supported";
        let help = "A transition enters one state, as in `(0, \"a\", 1)`.";
        return Err(LineFault::new(to.at.start..end, message).help(help));
    }
    Ok(to)
}

/// The number of a state that exists.
fn state(number: Natural, states: usize) -> Result<usize, LineFault> {
    let value = number.value.and_then(|value| usize::try_from(value).ok());
    if let Some(state) = value
        && state < states
    {
        return Ok(state);
    }
    let known = match states {
        1 => "the header says that there is one state, 0".to_string(),
        _ => format!(
            "the header says that there are {states} states, 0 to {}",
            states - 1
        ),
    };
    Err(LineFault::new(number.at, "This state does not exist")
        .because(known)
        .help("Correct the number of the state, or the number of states in the header."))
}

/// The label is not UTF-8.
fn not_text(line: &[u8], label: Range<usize>) -> LineFault {
    let good = match str::from_utf8(&line[label.clone()]) {
        Ok(_) => 0,
        Err(error) => error.valid_up_to(),
    };
    let at = label.start + good;
    LineFault::new(at..at + 1, "The label is not UTF-8 text")
        .because("this byte is no character")
        .help("Save the file as UTF-8, or convert it with `iconv -f latin1 -t utf-8`.")
}

/// Advice where there is none yet. A line that the input ends in may be wrong for that reason.
fn advised(fault: LineFault, is_cut: bool) -> LineFault {
    match fault.help.as_str() {
        "" if is_cut => fault.help("The input ends within this line. Perhaps it was cut off."),
        "" => fault.help("A transition is written as `(0, \"a label\", 1)`, one on a line."),
        _ => fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What both ways say of a line: states and label.
    fn both(line: &str) -> [Option<(usize, usize, String)>; 2] {
        let text = format!("{line}\n");
        let told = |found: TransitionLine| (found.from, found.to, line[found.label].to_string());
        let careful = careful(line.as_bytes(), 10).ok();
        [quick(text.as_bytes(), 0, 10).map(told), careful.map(told)]
    }

    #[test]
    fn usual_lines_are_read_the_quick_way_and_alike_the_careful_way() {
        for (line, label) in [
            ("(0,a,1)", "a"),
            (" ( 0 ,\ta , 1 ) \r", "a"),
            ("(0,\"a\",1)", "a"),
            ("(0, \"\" , 1)", ""),
            ("(0, \" UDP !ACK, (b:{c}) \", 1)", " UDP !ACK, (b:{c}) "),
            ("(0, UDP !ACK, 1)", "UDP !ACK"),
            ("(0, é, 0000000001)", "é"),
        ] {
            let expected = Some((0, 1, label.to_string()));
            assert_eq!(both(line), [expected.clone(), expected], "{line}");
        }
    }

    #[test]
    fn odd_lines_are_read_the_careful_way() {
        for (line, label) in [
            ("(0, G !{A, B}, 1)", "G !{A, B}"),
            ("(0, \"say \"hi\" now\", 1)", "say \"hi\" now"),
            ("(0, \"a\", \"b\", 1)", "a\", \"b"),
            ("(0, a, b, 00000000000000000001)", "a, b"),
            ("(0, a, 2, 1)", "a, 2"),
        ] {
            let expected = Some((0, 1, label.to_string()));
            assert_eq!(both(line), [None, expected], "{line}");
        }
    }

    #[test]
    fn wrong_lines_are_read_neither_way() {
        for line in [
            "(0, a, 10)",
            "(10, a, 0)",
            "(0, a 1)",
            "(0, , 1)",
            "(0, \"a, 1)",
            "(0, \"a\" b, 1)",
            "(0, a, 1",
            "(0, a, 1) x",
            "0, a, 1)",
            "(0, a, 1 1/2 2)",
            "(-1, a, 0)",
            "(99999999999999999999, a, 0)",
            "(0, a, b)",
            "(0,",
            "(",
            "des (0, 1, 1)",
        ] {
            assert_eq!(both(line), [None, None], "{line}");
        }
    }
}
