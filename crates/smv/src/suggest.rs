//! What to write instead of a name that nothing is called by.

use wherefore_base::{Diagnostic, Names, Span, Symbol};

use crate::scope::{InstanceId, Scope};

/// Names longer than this are not compared letter by letter.
const LONGEST: usize = 64;

/// Says that nothing is called so, and what is meant perhaps.
pub(crate) fn undefined(
    scope: &Scope,
    names: &Names,
    symbol: Symbol,
    span: Span,
    instance: InstanceId,
    dotted: bool,
) -> Diagnostic {
    let name = names.text(symbol);
    let diagnostic = match &*scope.instances[instance].path {
        path if dotted => {
            let path = if path.is_empty() { "main" } else { path };
            Diagnostic::error(span, format!("Nothing is called `{name}` in `{path}`"))
        }
        _ => Diagnostic::error(span, format!("Nothing is called `{name}`")),
    };
    if name == "running" {
        return diagnostic.help("`running` belongs to processes, which are not supported yet.");
    }
    match name {
        "true" | "True" => {
            return diagnostic.help("The truth values are written `TRUE` and `FALSE`.");
        }
        "false" | "False" => {
            return diagnostic.help("The truth values are written `TRUE` and `FALSE`.");
        }
        _ => {}
    }
    let entities = &scope.instances[instance].entities;
    let known = |text: &str| {
        let found = names.find(text);
        found.is_some_and(|s| entities.contains_key(&s) || !dotted && scope.constants.contains(&s))
    };
    if let Some(spaced) = subtraction(name, &known) {
        let advice =
            format!("`-` can be part of a name; write `{spaced}` with spaces for a subtraction.");
        return diagnostic.help(advice);
    }
    let constants = scope.constants.iter().filter(|_| !dotted);
    let candidates = entities.keys().chain(constants).map(|&s| names.text(s));
    match nearest(name, candidates) {
        Some(nearest) => diagnostic.help(format!("Did you mean `{nearest}`?")),
        None => diagnostic,
    }
}

/// `floor - 1` for `floor-1`, when its parts are known.
fn subtraction(name: &str, known: &dyn Fn(&str) -> bool) -> Option<String> {
    let fits = |part: &str| {
        let number = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        number || known(part)
    };
    if name.len() > LONGEST {
        return None;
    }
    let dashes = name.match_indices('-').map(|(at, _)| at);
    let split = dashes
        .clone()
        .find(|&at| fits(&name[..at]) && fits(&name[at + 1..]));
    if let Some(at) = split {
        return Some(format!("{} - {}", &name[..at], &name[at + 1..]));
    }
    let parts: Vec<&str> = name.split('-').collect();
    (parts.len() > 1 && parts.iter().all(|part| fits(part))).then(|| parts.join(" - "))
}

/// The candidate that takes the fewest changes, if they are few.
fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    // A name of one letter is near to every other one.
    let limit = (name.len() / 3).max(usize::from(name.len() > 1));
    let close = candidates
        .filter(|other| other.len().abs_diff(name.len()) <= limit)
        .map(|other| (distance(name.as_bytes(), other.as_bytes()), other))
        .filter(|(distance, _)| *distance <= limit);
    close.min().map(|(_, other)| other)
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
                let step = (rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(rows[i - 1][j - 1] + same);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped {
                    step.min(rows[i - 2][j - 2] + 1)
                } else {
                    step
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_far_ones_are_not() {
        let names = ["closed", "open", "opening"];
        assert_eq!(nearest("closde", names.into_iter()), Some("closed"));
        assert_eq!(nearest("opne", names.into_iter()), Some("open"));
        assert_eq!(nearest("floor", names.into_iter()), None);
    }

    #[test]
    fn a_name_that_was_meant_as_a_subtraction_is_recognised() {
        let known = |text: &str| ["floor", "a-b"].contains(&text);
        assert_eq!(subtraction("floor-1", &known).as_deref(), Some("floor - 1"));
        assert_eq!(
            subtraction("a-b-floor", &known).as_deref(),
            Some("a-b - floor")
        );
        assert_eq!(subtraction("ceiling-1", &known), None);
    }
}
