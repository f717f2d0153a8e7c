//! Sequences of labels as text.
//!
//! * One label in each line; blanks around it do not count, and empty lines are left out.
//! * CADP's sequences (`.seq`): the same with each label in double quotes; lines such as
//!   `<initial state>`, `<goal state>` and `<deadlock>` are left out.
//! * A trace in the AUT format: transitions that form a line from the initial state.

use rustc_hash::FxHashMap;

/// What is wrong with a sequence: a whole sentence, and the line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TraceError {
    /// The line, counted from 1.
    pub line: usize,
    /// The sentence.
    pub message: String,
}

/// The texts of the labels of a sequence, in their order.
pub fn parse_trace(text: &str) -> Result<Vec<String>, TraceError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate();
    let lines = lines.map(|(index, line)| (index + 1, line.trim()));
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.is_empty()).collect();
    match lines.first() {
        Some((_, first)) if is_header(first) => line_of(&lines),
        _ => plain(&lines),
    }
}

fn error(line: usize, message: &str) -> TraceError {
    TraceError {
        line,
        message: message.to_string(),
    }
}

fn is_header(line: &str) -> bool {
    let rest = line.strip_prefix("des").map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with('('))
}

fn plain(lines: &[(usize, &str)]) -> Result<Vec<String>, TraceError> {
    let mut labels = Vec::new();
    for &(number, line) in lines {
        let note = matches!(line, "<initial state>" | "<goal state>" | "<deadlock>");
        if note {
            continue;
        }
        labels.push(match line.strip_prefix('"') {
            None => line.to_string(),
            Some(rest) => match rest.strip_suffix('"') {
                Some(label) => label.to_string(),
                None => return Err(error(number, "The label has no closing quote.")),
            },
        });
    }
    Ok(labels)
}

/// Follows the transitions of an AUT file that is a single line.
fn line_of(lines: &[(usize, &str)]) -> Result<Vec<String>, TraceError> {
    let (number, header) = lines[0];
    let inner = header.trim_start_matches("des").trim();
    let inner = inner.strip_prefix('(').and_then(|i| i.strip_suffix(')'));
    let initial = inner.and_then(|inner| inner.split(',').next()?.trim().parse().ok());
    let Some(initial) = initial else {
        let message = "The header is not of the form `des (initial, transitions, states)`.";
        return Err(error(number, message));
    };
    let mut after: FxHashMap<u64, (u64, &str)> = FxHashMap::default();
    for &(number, line) in &lines[1..] {
        let Some((from, label, to)) = transition(line) else {
            let message = "This is not a transition of the form `(from, \"label\", to)`.";
            return Err(error(number, message));
        };
        if after.insert(from, (to, label)).is_some() {
            let message = format!("A second step leaves state {from}, so this is not one trace.");
            return Err(error(number, &message));
        }
    }
    let mut labels = Vec::new();
    let mut state: u64 = initial;
    // Each step is taken once, so a trace that comes back to itself ends as well.
    while let Some((to, label)) = after.remove(&state) {
        labels.push(label.to_string());
        state = to;
    }
    if after.is_empty() {
        Ok(labels)
    } else {
        let last = lines.last().expect("it has a header").0;
        let message = format!(
            "The steps do not form one line: the trace ends in state {state}, with steps left over."
        );
        Err(error(last, &message))
    }
}

fn transition(line: &str) -> Option<(u64, &str, u64)> {
    let inner = line.strip_prefix('(')?.strip_suffix(')')?;
    let (from, rest) = inner.split_once(',')?;
    // The label may have commas, so the first and the last one of the line separate.
    let (label, to) = rest.rsplit_once(',')?;
    let label = label.trim();
    let label = match label.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"')?,
        None => label,
    };
    Some((from.trim().parse().ok()?, label, to.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Result<Vec<String>, String> {
        parse_trace(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_is_a_label() {
        let expected = vec!["SEND !1".to_string(), "i".to_string()];
        assert_eq!(labels("SEND !1\r\n\n  i \n"), Ok(expected));
        assert_eq!(labels(""), Ok(Vec::new()));
    }

    #[test]
    fn labels_of_sequences_are_quoted() {
        let text = "<initial state>\n\"SEND (1, 2)\"\n\"i\"\n<goal state>\n";
        let expected = vec!["SEND (1, 2)".to_string(), "i".to_string()];
        assert_eq!(labels(text), Ok(expected));
        insta::assert_snapshot!(labels("a\n\"b\n").expect_err("a quote is missing"), @"line 2: The label has no closing quote.");
    }

    #[test]
    fn an_aut_file_is_followed_from_its_initial_state() {
        let text = "des (2, 2, 3)\n(0, \"SEND (1, 2)\", 1)\n(2, READY, 0)\n";
        let expected = vec!["READY".to_string(), "SEND (1, 2)".to_string()];
        assert_eq!(labels(text), Ok(expected));
    }

    #[test]
    fn an_aut_file_that_is_not_one_trace_is_rejected() {
        let why = |text: &str| labels(text).expect_err("it is no trace");
        insta::assert_snapshot!(why("des (0, 2, 3)\n(0, a, 1)\n(0, b, 2)"), @"line 3: A second step leaves state 0, so this is not one trace.");
        insta::assert_snapshot!(why("des (0, 2, 4)\n(0, a, 1)\n(2, b, 3)"), @"line 3: The steps do not form one line: the trace ends in state 1, with steps left over.");
        insta::assert_snapshot!(why("des (0, 1, 2)\n(0, a)"), @"line 2: This is not a transition of the form `(from, \"label\", to)`.");
        insta::assert_snapshot!(why("des (x)"), @"line 1: The header is not of the form `des (initial, transitions, states)`.");
    }

    #[test]
    fn a_trace_that_comes_back_is_followed_once() {
        let text = "des (0, 2, 2)\n(0, a, 1)\n(1, b, 0)\n";
        assert_eq!(labels(text), Ok(vec!["a".to_string(), "b".to_string()]));
    }
}
