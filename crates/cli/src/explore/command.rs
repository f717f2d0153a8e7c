//! The commands of a walk: what a line means.

use regex_lite::Regex;
use wherefore_driver::view::clean;

/// What the walker wants.
#[derive(Clone, Debug)]
pub(super) enum ExploreCommand {
    /// List the initial states, or go to one.
    Start(Option<usize>),
    /// List the successors, or go to one.
    Next(Option<usize>),
    /// Undo the last step.
    Back,
    /// Show the steps so far.
    Trace,
    /// List the predecessors, or start anew at one.
    Before(Option<usize>),
    /// Show the values here, perhaps only some.
    Show(Option<Regex>),
    /// Show the value of an expression.
    Eval(String),
    /// Show the value of an expression after every step.
    Watch(String),
    /// Show which properties, or which one, and which of their sub-formulas are true here.
    Truth(Option<String>),
    /// Go to the nearest state where a formula is true.
    Path(String),
    /// Go to the nearest deadlock.
    Deadlock,
    /// List the commands.
    Help,
    /// End the walk.
    Quit,
}

/// What `help` prints.
pub(super) const HELP: &str = "\
Commands, and their short forms:
  start [N]     s  list the initial states, or go to the N-th
  next [N]      n  list the steps from here, or take the N-th; just N does so, too
  back          b  undo the last step
  trace         t  show the steps so far
  before [N]    r  list the states before this one, or start anew at the N-th
  show [REGEX]  v  show the values here, or those whose name matches
  eval EXPR     e  show the value of an expression here
  watch EXPR    w  show it after every step from now on
  truth [NAME]  f  show which properties and sub-formulas are true here
  path EXPR     p  go the shortest way to a state where this is true
  deadlock      d  go the shortest way to a state without any step
  help          h  list the commands
  quit          q  end the walk, as the end of the input does
An empty line is `next`.
";

/// Names and short forms.
const NAMES: [(&str, &str); 13] = [
    ("start", "s"),
    ("next", "n"),
    ("back", "b"),
    ("trace", "t"),
    ("before", "r"),
    ("show", "v"),
    ("eval", "e"),
    ("watch", "w"),
    ("truth", "f"),
    ("path", "p"),
    ("deadlock", "d"),
    ("help", "h"),
    ("quit", "q"),
];

impl ExploreCommand {
    /// What a line means, or what is wrong with it.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if word.is_empty() {
            return Ok(ExploreCommand::Next(None));
        }
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            nothing_after(word, rest)?;
            return Ok(ExploreCommand::Next(number(word)?));
        }
        let known = NAMES
            .iter()
            .find(|(name, short)| word == *name || word == *short);
        let Some((name, _)) = known else {
            return Err(unknown(word, &NAMES));
        };
        match *name {
            "start" => Ok(ExploreCommand::Start(number(rest)?)),
            "next" => Ok(ExploreCommand::Next(number(rest)?)),
            "before" => Ok(ExploreCommand::Before(number(rest)?)),
            "show" => Ok(ExploreCommand::Show(regex(rest)?)),
            "eval" => Ok(ExploreCommand::Eval(needed(name, rest)?)),
            "watch" => Ok(ExploreCommand::Watch(needed(name, rest)?)),
            "path" => Ok(ExploreCommand::Path(needed(name, rest)?)),
            "truth" => Ok(ExploreCommand::Truth(
                (!rest.is_empty()).then(|| rest.to_string()),
            )),
            name => {
                nothing_after(name, rest)?;
                Ok(match name {
                    "back" => ExploreCommand::Back,
                    "trace" => ExploreCommand::Trace,
                    "deadlock" => ExploreCommand::Deadlock,
                    "help" => ExploreCommand::Help,
                    _ => ExploreCommand::Quit,
                })
            }
        }
    }
}

/// Of some names the one that a wrong name is nearest to, if any is near.
pub(crate) fn nearest<'a>(
    wrong: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    wherefore_base::nearest(wrong, names, 2)
}

/// What is said to a word that none of these commands is called by.
pub(crate) fn unknown(word: &str, commands: &[(&str, &str)]) -> String {
    let advice = match nearest(word, commands.iter().map(|(name, _)| *name)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "`help` lists the commands".to_string(),
    };
    format!("there is no command `{}`; {advice}", clean(word))
}

pub(crate) fn number(text: &str) -> Result<Option<usize>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    match text.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(format!(
            "`{}` is not the number of anything in a list",
            clean(text)
        )),
    }
}

pub(crate) fn regex(text: &str) -> Result<Option<Regex>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = |error: regex_lite::Error| {
        format!(
            "`{}` is not a regular expression: {}",
            clean(text),
            clean(&error.to_string())
        )
    };
    Regex::new(text).map(Some).map_err(wrong)
}

pub(crate) fn needed(name: &str, rest: &str) -> Result<String, String> {
    if rest.is_empty() {
        return Err(format!("`{name}` needs an expression, as `{name} x = 1`"));
    }
    Ok(rest.to_string())
}

pub(crate) fn nothing_after(name: &str, rest: &str) -> Result<(), String> {
    if rest.is_empty() {
        return Ok(());
    }
    Err(format!("`{}` takes nothing after it", clean(name)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_has_its_own_letter_and_a_line_of_help() {
        let letters: BTreeSet<&str> = NAMES.iter().map(|(_, short)| *short).collect();
        assert_eq!(letters.len(), NAMES.len());
        for (name, short) in NAMES {
            let told = HELP.lines().any(|line| {
                let mut words = line.split_whitespace();
                words.next() == Some(name) && words.any(|word| word == short)
            });
            assert!(told, "{name}");
            let long = ExploreCommand::parse(&format!("{name} x"));
            let brief = ExploreCommand::parse(&format!("{short} x"));
            assert_eq!(format!("{long:?}"), format!("{brief:?}"));
        }
    }

    #[test]
    fn a_number_is_a_step_and_an_empty_line_a_look_around() {
        assert!(matches!(
            ExploreCommand::parse("3"),
            Ok(ExploreCommand::Next(Some(3)))
        ));
        assert!(matches!(
            ExploreCommand::parse(" "),
            Ok(ExploreCommand::Next(None))
        ));
        let huge = ExploreCommand::parse("99999999999999999999999");
        assert!(huge.is_err());
    }

    #[test]
    fn a_wrong_word_gets_the_nearest_right_one() {
        let wrong = ExploreCommand::parse("nexd 1").expect_err("there is no such command");
        assert_eq!(wrong, "there is no command `nexd`; did you mean `next`?");
        let wrong = ExploreCommand::parse("xyzzy").expect_err("there is no such command");
        assert_eq!(
            wrong,
            "there is no command `xyzzy`; `help` lists the commands"
        );
    }
}
