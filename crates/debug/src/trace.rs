//! Sequences of labels as text.
//!
//! * One label in each line; blanks around it do not count, and empty lines are left out.
//! * CADP's sequences (`.seq`): the same with each label in double quotes; lines such as
//!   `<initial state>`, `<goal state>` and `<deadlock>` are left out.
//! * A trace in the AUT format: transitions that form a line from the initial state.

use std::fmt;

use rustc_hash::FxHashMap;

/// What is wrong with a sequence: a whole sentence, and the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceError {
    /// The line, counted from 1.
    pub line: usize,
    /// The sentence.
    pub message: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TraceError {}

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
    let (label, to) = rest.rsplit_once(',')?;
    let label = label.trim();
    let label = match label.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"')?,
        None => label,
    };
    Some((from.trim().parse().ok()?, label, to.trim().parse().ok()?))
}
