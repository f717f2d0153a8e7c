//! What to write instead of a name that nothing is called by.

use wherefore_base::{Diagnostic, Names, Span, Symbol, nearest};

use crate::scope::{InstanceId, SmvScope};

/// Longer names are not looked into.
const LONGEST: usize = 64;

/// Says that nothing is called so, and what is meant perhaps.
pub(crate) fn undefined(
    scope: &SmvScope,
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
        return diagnostic
            .help("`running` belongs to processes, and to `main` where there are any.");
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
    // A name of one letter is near to every other one.
    let most = (name.len() / 3).max(usize::from(name.len() > 1));
    match nearest(name, candidates, most) {
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

#[cfg(test)]
mod tests {
    use super::*;

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
