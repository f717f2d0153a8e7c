//! The commands of the plain form: what a line means.

use std::path::PathBuf;

use wherefore_driver::evidence::ProofId;

use crate::explore::command::{needed, nothing_after, number, unknown};

/// What somebody wants. Obligations and nodes are meant by their numbers; without one, the obligation
/// at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ExplainCommand {
    /// List the obligations.
    Open,
    /// List the ways to show an obligation.
    Ways(Option<ProofId>),
    /// Show an obligation this way, counted from 1.
    Take(usize, Option<ProofId>),
    /// Show an obligation as the strategy likes.
    Expand(Option<ProofId>),
    /// Show everything that is left.
    All,
    /// Show a node another way.
    Next(Option<ProofId>),
    /// Take the last change back.
    Undo,
    /// Make an obligation of a node.
    Close(ProofId),
    /// Say what is claimed at a step, and why; without one, why the property holds.
    Why(Option<usize>),
    /// Show the runs.
    Run,
    /// List the nodes of the proof.
    Proof,
    /// Show the truth of each sub-formula at a step.
    Formula(Option<usize>),
    /// Show the values at a step.
    State(Option<usize>),
    /// Show the value of an expression at the step at hand.
    Eval(String),
    /// Say which strategy chooses, or let another one choose.
    Strategy(String),
    /// Start anew and avoid the state of a step.
    Avoid(usize),
    /// Write the evidence and the choices.
    Write(Option<PathBuf>),
    /// List the commands.
    Help,
    /// End.
    Quit,
}

/// What `help` prints.
pub(super) const HELP: &str = "\
Commands, and their short forms; N is the number of a claim, as #3, and STEP that of a step:
  expand [N]       e  show an obligation; the empty line does so, too
  ways [N]         w  list the ways to show an obligation
  take W [N]       t  show an obligation the W-th way
  all              a  show everything that is left
  open             o  list the obligations
  next [N]         n  show a claim another way; without N, the one that was shown last
  close N          c  make an obligation of a claim again
  undo             u  take the last change back
  run              r  show the runs so far
  proof            p  list the claims that are shown, and why each is so
  why [STEP]       y  list those at a step; without one, say why the property holds
  formula [STEP]   f  show which sub-formulas are true at a step
  state [STEP]     s  show the values at a step
  eval EXPR        v  show the value of an expression at the step looked at last
  strategy [NAME]  g  say who chooses, or let another strategy choose
  avoid STEP       x  start anew and avoid the state of a step
  write [FILE]     i  write the evidence as JSON, and the choices next to it
  help             h  list the commands
  quit             q  end, as the end of the input does
";

/// Names and short forms.
const NAMES: [(&str, &str); 19] = [
    ("expand", "e"),
    ("ways", "w"),
    ("take", "t"),
    ("all", "a"),
    ("open", "o"),
    ("next", "n"),
    ("close", "c"),
    ("undo", "u"),
    ("run", "r"),
    ("proof", "p"),
    ("why", "y"),
    ("formula", "f"),
    ("state", "s"),
    ("eval", "v"),
    ("strategy", "g"),
    ("avoid", "x"),
    ("write", "i"),
    ("help", "h"),
    ("quit", "q"),
];

impl ExplainCommand {
    /// What a line means, or what is wrong with it.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if word.is_empty() {
            return Ok(ExplainCommand::Expand(None));
        }
        let known = NAMES
            .iter()
            .find(|(name, short)| word == *name || word == *short);
        let Some((name, _)) = known else {
            return Err(unknown(word, &NAMES));
        };
        match *name {
            "expand" => Ok(ExplainCommand::Expand(node(rest)?)),
            "ways" => Ok(ExplainCommand::Ways(node(rest)?)),
            "next" => Ok(ExplainCommand::Next(node(rest)?)),
            "take" => {
                let (way, leaf) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                match number(way)?.and_then(|way| way.checked_sub(1)) {
                    Some(way) => Ok(ExplainCommand::Take(way, node(leaf)?)),
                    None => Err("`take` needs the number of a way, as `take 1`".to_string()),
                }
            }
            "close" => match node(rest)? {
                Some(node) => Ok(ExplainCommand::Close(node)),
                None => Err("`close` needs the number of a claim, as `close #1`".to_string()),
            },
            "why" => Ok(ExplainCommand::Why(number(rest)?)),
            "avoid" => Ok(ExplainCommand::Avoid(step(name, rest)?)),
            "formula" => Ok(ExplainCommand::Formula(number(rest)?)),
            "state" => Ok(ExplainCommand::State(number(rest)?)),
            "eval" => Ok(ExplainCommand::Eval(needed(name, rest)?)),
            "strategy" => Ok(ExplainCommand::Strategy(rest.to_string())),
            "write" if rest.is_empty() => Ok(ExplainCommand::Write(None)),
            "write" => Ok(ExplainCommand::Write(Some(PathBuf::from(rest)))),
            name => {
                nothing_after(name, rest)?;
                Ok(match name {
                    "all" => ExplainCommand::All,
                    "open" => ExplainCommand::Open,
                    "undo" => ExplainCommand::Undo,
                    "run" => ExplainCommand::Run,
                    "proof" => ExplainCommand::Proof,
                    "help" => ExplainCommand::Help,
                    _ => ExplainCommand::Quit,
                })
            }
        }
    }
}

/// The number of a claim, with or without `#`.
fn node(text: &str) -> Result<Option<ProofId>, String> {
    let text = text.trim();
    let number = number(text.strip_prefix('#').unwrap_or(text))?;
    match number {
        Some(number) if u32::try_from(number).is_err() => {
            Err(format!("there is no claim #{number}"))
        }
        number => Ok(number.map(ProofId::new)),
    }
}

fn step(name: &str, text: &str) -> Result<usize, String> {
    number(text)?.ok_or_else(|| format!("`{name}` needs the number of a step, as `{name} 0`"))
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
            let long = ExplainCommand::parse(&format!("{name} 1"));
            let brief = ExplainCommand::parse(&format!("{short} 1"));
            assert_eq!(long, brief);
        }
    }

    #[test]
    fn claims_are_meant_by_their_numbers_and_ways_count_from_one() {
        let leaf = Some(ProofId::new(3));
        assert_eq!(
            ExplainCommand::parse("take 2 #3"),
            Ok(ExplainCommand::Take(1, leaf))
        );
        assert_eq!(ExplainCommand::parse(" "), Ok(ExplainCommand::Expand(None)));
        assert!(ExplainCommand::parse("take 0").is_err());
        assert!(ExplainCommand::parse("close #99999999999").is_err());
    }
}
