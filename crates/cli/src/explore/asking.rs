//! The commands of a talk about instances: what a line means.

use super::command::{nothing_after, number};

/// What the user wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum InstanceRequest {
    /// Show the next instance.
    Next,
    /// Show the instance before.
    Back,
    /// Go to a state of a trace, or show the one at hand.
    State(Option<usize>),
    /// Go to another command of the model, or list them.
    Command(Option<String>),
    /// Show the instance again.
    Show,
    /// Show the instance as a tree.
    Tree,
    /// Write the instance to a file.
    Write(String),
    /// Show the value of an expression.
    Eval(String),
    /// List the commands.
    Help,
    /// End the talk.
    Quit,
}

/// What `help` prints.
pub(super) const HELP: &str = "\
A line is an expression or a formula, which is evaluated on the instance, or one of these:
  next           n  show the next instance
  back           b  show the instance before
  state [K]      s  go to the K-th state of a trace, or show the one at hand
  command [NAME] c  go to another command of the model, or list them
  show           v  show the instance again
  tree           t  show the instance as a tree
  write FILE     w  write the instance to a file: .dot, .svg, .xml, .json or .txt
  eval EXPR      e  evaluate an expression that one of these words begins
  help           h  list the commands
  quit           q  end the talk, as the end of the input does
Expressions may name atoms (`Book$0`) and witnesses (`$show_b`). An empty line is `next`.
";

/// Names and short forms, and whether something may follow.
const NAMES: [(&str, &str, bool); 10] = [
    ("next", "n", false),
    ("back", "b", false),
    ("state", "s", true),
    ("command", "c", true),
    ("show", "v", false),
    ("tree", "t", false),
    ("write", "w", true),
    ("eval", "e", true),
    ("help", "h", false),
    ("quit", "q", false),
];

impl InstanceRequest {
    /// What a line means, or what is wrong with it. A line that no command fits is an expression.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if line.is_empty() {
            return Ok(InstanceRequest::Next);
        }
        let mut names = NAMES.iter();
        let Some((name, _, more)) = names.find(|(name, short, _)| word == *name || word == *short)
        else {
            return Ok(InstanceRequest::Eval(line.to_string()));
        };
        if !more && !rest.is_empty() {
            // `next in Book -> Book` is a formula, as is `n.succ`.
            let operator = rest.starts_with(|c: char| !c.is_alphanumeric());
            let word = rest.split(|c: char| !c.is_alphanumeric()).next();
            let infix = ["in", "and", "or", "implies", "iff", "not"];
            if operator || word.is_some_and(|word| infix.contains(&word)) {
                return Ok(InstanceRequest::Eval(line.to_string()));
            }
            nothing_after(name, rest)?;
        }
        let text = || (!rest.is_empty()).then(|| rest.to_string());
        Ok(match *name {
            "next" => InstanceRequest::Next,
            "back" => InstanceRequest::Back,
            "state" => InstanceRequest::State(number(rest)?),
            "command" => InstanceRequest::Command(text()),
            "show" => InstanceRequest::Show,
            "tree" => InstanceRequest::Tree,
            "write" => InstanceRequest::Write(
                text().ok_or("`write` needs a file, as `write instance.svg`")?,
            ),
            "eval" => {
                InstanceRequest::Eval(text().ok_or("`eval` needs an expression, as `eval next`")?)
            }
            "help" => InstanceRequest::Help,
            _ => InstanceRequest::Quit,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_has_its_own_letter_and_a_line_of_help() {
        let letters: BTreeSet<&str> = NAMES.iter().map(|(_, short, _)| *short).collect();
        assert_eq!(letters.len(), NAMES.len());
        for (name, short, _) in NAMES {
            let told = HELP.lines().any(|line| {
                let mut words = line.split_whitespace();
                words.next() == Some(name) && words.any(|word| word == short)
            });
            assert!(told, "{name}");
            assert_eq!(
                InstanceRequest::parse(&format!("{name} 1")),
                InstanceRequest::parse(&format!("{short} 1"))
            );
        }
    }

    #[test]
    fn a_line_that_no_command_fits_is_an_expression() {
        let eval = |text: &str| Ok(InstanceRequest::Eval(text.to_string()));
        assert_eq!(InstanceRequest::parse("Book.addr"), eval("Book.addr"));
        assert_eq!(
            InstanceRequest::parse(" some b: Book | no b.addr "),
            eval("some b: Book | no b.addr")
        );
        assert_eq!(
            InstanceRequest::parse("next in Book -> Book"),
            eval("next in Book -> Book")
        );
        assert_eq!(InstanceRequest::parse("next + prev"), eval("next + prev"));
        assert_eq!(InstanceRequest::parse("eval next"), eval("next"));
        assert_eq!(InstanceRequest::parse("next"), Ok(InstanceRequest::Next));
        assert_eq!(InstanceRequest::parse(""), Ok(InstanceRequest::Next));
    }

    #[test]
    fn what_a_command_cannot_use_is_told() {
        assert!(InstanceRequest::parse("next one").is_err());
        assert!(InstanceRequest::parse("state two").is_err());
        assert!(InstanceRequest::parse("write").is_err());
    }
}
