//! Choices in a proof, as the commands that `wherefore explain --plain` takes.

use wherefore_driver::evidence::ProofId;
use wherefore_driver::explain::InquiryChoice;

/// A choice in a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ProofChoice {
    /// Show an obligation as the strategy likes; without one, the first.
    Expand(Option<ProofId>),
    /// Show an obligation this way, counted from 0.
    Take(usize, Option<ProofId>),
    /// Show everything that is left.
    All,
    /// Show a node another way.
    Next(ProofId),
    /// Make an obligation of a node.
    Close(ProofId),
    /// Let another strategy choose.
    Strategy(String),
    /// Start anew and avoid the state of a step.
    Avoid(usize),
}

impl ProofChoice {
    /// What a command means; otherwise a sentence about what is wrong.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let needs = |what: &str| format!("`{word}` needs {what}.");
        match word {
            "expand" => Ok(ProofChoice::Expand(node(rest)?)),
            "take" => {
                let (way, leaf) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let way = way.parse::<usize>().ok().and_then(|way| way.checked_sub(1));
                let way = way.ok_or_else(|| needs("the number of a way, as `take 1 #3`"))?;
                Ok(ProofChoice::Take(way, node(leaf)?))
            }
            "all" if rest.is_empty() => Ok(ProofChoice::All),
            "next" => {
                Ok(ProofChoice::Next(node(rest)?.ok_or_else(|| {
                    needs("the number of a claim, as `next #3`")
                })?))
            }
            "close" => {
                Ok(ProofChoice::Close(node(rest)?.ok_or_else(|| {
                    needs("the number of a claim, as `close #3`")
                })?))
            }
            "strategy" if !rest.is_empty() => Ok(ProofChoice::Strategy(rest.to_string())),
            "avoid" => {
                let step = rest.parse();
                let step = step.map_err(|_| needs("the number of a step, as `avoid 2`"))?;
                Ok(ProofChoice::Avoid(step))
            }
            _ => Err(
                "A choice is one of expand, take, all, next, close, strategy and avoid."
                    .to_string(),
            ),
        }
    }
}

/// The number of a node, with or without `#`.
fn node(text: &str) -> Result<Option<ProofId>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.strip_prefix('#').unwrap_or(text).parse::<u32>();
    match number {
        Ok(number) => Ok(Some(ProofId::new(number as usize))),
        Err(_) => Err("The number of a claim is written as `#3`.".to_string()),
    }
}

/// What was done, as commands.
pub(crate) fn script(choices: &[InquiryChoice]) -> Vec<String> {
    let mut lines = Vec::new();
    for choice in choices {
        match choice {
            InquiryChoice::Tactic(tactic) => {
                lines.push(format!("strategy {}", tactic.lead.name()));
                let avoid = tactic.avoid.iter();
                lines.extend(avoid.map(|c| format!("strategy avoid {}", c.text)));
            }
            InquiryChoice::Take(leaf, way) => {
                lines.push(format!("take {} #{}", way + 1, leaf.index()))
            }
            InquiryChoice::Grow => lines.push("all".to_string()),
            InquiryChoice::Reopen(node) => lines.push(format!("close #{}", node.index())),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_are_written() {
        let written = script(&[
            InquiryChoice::Take(ProofId::new(3), 1),
            InquiryChoice::Grow,
            InquiryChoice::Reopen(ProofId::new(0)),
        ]);
        assert_eq!(written, ["take 2 #3", "all", "close #0"]);
        let read: Vec<_> = written.iter().map(|text| ProofChoice::read(text)).collect();
        let three = Some(ProofId::new(3));
        assert_eq!(
            read,
            [
                Ok(ProofChoice::Take(1, three)),
                Ok(ProofChoice::All),
                Ok(ProofChoice::Close(ProofId::new(0)))
            ]
        );
    }

    #[test]
    fn what_is_no_choice_is_refused_with_a_sentence() {
        for text in [
            "",
            "take",
            "take 0 #1",
            "next",
            "close x",
            "jump",
            "all 3",
            "avoid #",
            "expand #99999999999",
        ] {
            let wrong = ProofChoice::read(text).expect_err(text);
            assert!(wrong.ends_with('.'), "{wrong}");
        }
    }
}
