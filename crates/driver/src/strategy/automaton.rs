//! Automata in a file: which conditions a path meets, one step after the other.
//!
//! ```text
//! -- Up, then down again.
//! rising  -> rising  when direction = up
//! rising  -> falling when direction = down
//! falling -> falling when direction = down
//! ```
//!
//! A line is an arrow. A step of the path goes along an arrow whose condition is true in the state it
//! leads to. The automaton starts in the first state that is named. The line `falling again and again` says that a run
//! which goes on for ever enters that state, or another one of which this is said, again and again.

use std::ops::Range;

/// An automaton whose conditions are not read yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Drawn {
    /// The names of its states; the first is where it starts.
    pub(super) states: Vec<String>,
    /// Its arrows: from, to, and where the text of the condition is.
    pub(super) arrows: Vec<(usize, usize, Range<usize>)>,
    /// The states of which one is to be entered again and again.
    pub(super) again: Vec<usize>,
}

/// What is said of a state that is to be entered again and again.
const AGAIN: &str = " again and again";

/// What is wrong with a text, and where.
pub(super) type Wrong = (String, Range<usize>);

/// Reads an automaton.
pub(super) fn read(text: &str) -> Result<Drawn, Wrong> {
    let mut drawn = Drawn::default();
    let mut again: Vec<(&str, Range<usize>)> = Vec::new();
    for (start, line) in lines(text) {
        let whole = start..start + line.len();
        let bad = |what: &str| {
            (
                format!("{what}; write `state -> state when EXPR`"),
                whole.clone(),
            )
        };
        if let Some(state) = line.strip_suffix(AGAIN) {
            again.push((state.trim(), whole));
            continue;
        }
        let Some((from, rest)) = line.split_once("->") else {
            return Err(bad("this line is no arrow"));
        };
        let Some((to, condition)) = split_when(rest) else {
            return Err(bad("this arrow has no condition"));
        };
        let (from, to) = (from.trim(), to.trim());
        for name in [from, to] {
            if name.is_empty() || name.contains(char::is_whitespace) {
                return Err(bad("the name of a state is one word"));
            }
        }
        let trimmed = condition.trim();
        if trimmed.is_empty() {
            return Err(bad("this arrow has no condition"));
        }
        let end = start + line.trim_end().len();
        let condition = end - trimmed.len()..end;
        let (from, to) = (drawn.state(from), drawn.state(to));
        drawn.arrows.push((from, to, condition));
    }
    for (name, at) in again {
        match drawn.states.iter().position(|state| state == name) {
            Some(state) => drawn.again.push(state),
            None => return Err((format!("no arrow names the state `{name}`"), at)),
        }
    }
    match drawn.arrows.is_empty() {
        true => Err((
            "the automaton has no arrow".to_string(),
            0..text.len().min(1),
        )),
        false => Ok(drawn),
    }
}

impl Drawn {
    fn state(&mut self, name: &str) -> usize {
        let known = self.states.iter().position(|state| state == name);
        known.unwrap_or_else(|| {
            self.states.push(name.to_string());
            self.states.len() - 1
        })
    }
}

/// The lines of a text that say something, without comments and white space around them, each with
/// where it starts. A comment starts with `--` or `#` and takes the rest of the line.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    let lines = text.split('\n').map(move |line| {
        let at = start;
        start += line.len() + 1;
        (at, line)
    });
    lines.filter_map(|(at, line)| {
        let ends = [line.find("--"), line.find('#')];
        let end = ends.into_iter().flatten().min().unwrap_or(line.len());
        let said = &line[..end];
        let trimmed = said.trim();
        let at = at + said.len() - said.trim_start().len();
        (!trimmed.is_empty()).then_some((at, trimmed))
    })
}

/// What is before and after the word `when`.
fn split_when(text: &str) -> Option<(&str, &str)> {
    let is_word = |at: usize| {
        let before = text[..at].chars().next_back();
        let after = text[at + 4..].chars().next();
        before.is_none_or(char::is_whitespace)
            && after.is_none_or(|c| c.is_whitespace() || c == '(')
    };
    let at = text
        .match_indices("when")
        .map(|(at, _)| at)
        .find(|&at| is_word(at))?;
    Some((&text[..at], &text[at + 4..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_are_read_and_the_first_state_starts() {
        let text = "-- a story\nup -> up when d = up\nup->down when (d = down) # turn\n\n";
        let drawn = read(text).expect("it is an automaton");
        assert_eq!(drawn.states, ["up", "down"]);
        let arrows: Vec<_> = drawn
            .arrows
            .iter()
            .map(|(from, to, at)| (*from, *to, &text[at.clone()]))
            .collect();
        assert_eq!(arrows, [(0, 0, "d = up"), (0, 1, "(d = down)")]);
    }

    #[test]
    fn states_are_entered_again_and_again() {
        let drawn = read("b again and again\na -> b when x\nb -> a when y\n");
        assert_eq!(drawn.expect("it is an automaton").again, [1]);
        let wrong = read("a -> b when x\n c again and again\n").expect_err("no c");
        assert_eq!(wrong, ("no arrow names the state `c`".to_string(), 15..32));
    }

    #[test]
    fn what_is_no_arrow_is_refused_with_its_place() {
        let message = |text: &str| read(text).expect_err(text);
        let (text, at) = message("a -> b when x\n  nonsense\n");
        assert!(text.starts_with("this line is no arrow"), "{text}");
        assert_eq!(at, 16..24);
        assert!(message("a -> b").0.contains("no condition"));
        assert!(message("a -> b when ").0.contains("no condition"));
        assert!(message("a b -> c when x").0.contains("one word"));
        assert!(message("-> c when x").0.contains("one word"));
        assert!(message("# nothing\n").0.contains("no arrow"));
    }
}
