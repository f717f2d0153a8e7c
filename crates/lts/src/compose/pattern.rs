//! What labels look like: gates, whole labels, regular expressions; and what they become.

use regex_lite::Regex;

/// The gate of a label: its first word. `GAME !1 !2`, `GAME(1, 2)` and `GAME` have the gate `GAME`.
pub fn gate(label: &str) -> &str {
    let end = label.find(|c: char| c.is_whitespace() || "!?(".contains(c));
    match end {
        // A label that begins with such a sign is its own gate.
        None | Some(0) => label,
        Some(end) => &label[..end],
    }
}

/// A set of labels.
#[derive(Clone, Debug)]
pub enum LabelPattern {
    /// The labels with this gate; what follows the gate is group 1.
    Gate(String),
    /// This label only.
    Text(String),
    /// The labels that match from end to end.
    Regex(Regex),
}

impl LabelPattern {
    /// A regular expression for whole labels.
    ///
    /// # Errors
    /// Why it is none.
    pub fn regex(text: &str) -> Result<Self, String> {
        // Read alone first, so that `a)(b` does not become one by what is put around it.
        Regex::new(text).map_err(|error| error.to_string())?;
        let whole = Regex::new(&format!("^(?:{text})$")).map_err(|error| error.to_string())?;
        Ok(LabelPattern::Regex(whole))
    }

    /// How many groups it has.
    pub fn groups(&self) -> usize {
        match self {
            LabelPattern::Gate(_) => 1,
            LabelPattern::Text(_) => 0,
            LabelPattern::Regex(regex) => regex.captures_len() - 1,
        }
    }

    /// Whether it has a label.
    pub fn matches(&self, label: &str) -> bool {
        match self {
            LabelPattern::Gate(name) => gate(label) == name,
            LabelPattern::Text(text) => label == text,
            LabelPattern::Regex(regex) => regex.is_match(label),
        }
    }

    /// The texts of the groups, when it has the label.
    pub fn captures<'l>(&self, label: &'l str) -> Option<Vec<&'l str>> {
        match self {
            LabelPattern::Regex(regex) => {
                let captures = regex.captures(label)?;
                let groups = 1..captures.len();
                Some(
                    groups
                        .map(|g| captures.get(g).map_or("", |m| m.as_str()))
                        .collect(),
                )
            }
            LabelPattern::Gate(name) => {
                let matches = gate(label) == name;
                matches.then(|| vec![&label[name.len()..]])
            }
            LabelPattern::Text(text) => (label == text).then(Vec::new),
        }
    }
}

/// A label with holes for groups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    pieces: Vec<TemplatePiece>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TemplatePiece {
    Text(String),
    Group(usize),
}

impl Template {
    /// Always this label.
    pub fn text(text: impl Into<String>) -> Self {
        let pieces = vec![TemplatePiece::Text(text.into())];
        Self { pieces }
    }

    /// This gate, and then what followed the gate it replaces.
    pub fn gate(name: impl Into<String>) -> Self {
        let pieces = vec![TemplatePiece::Text(name.into()), TemplatePiece::Group(1)];
        Self { pieces }
    }

    /// A text in which `$1` or `${1}` stands for the first group, and `$$` for a dollar.
    ///
    /// # Errors
    /// What is wrong with it, given how many groups there are.
    pub fn expanding(text: &str, groups: usize) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            pieces.push(TemplatePiece::Text(before.to_string()));
            if let Some(after) = after.strip_prefix('$') {
                pieces.push(TemplatePiece::Text("$".to_string()));
                rest = after;
                continue;
            }
            let (digits, after) = match after.strip_prefix('{') {
                // Without the second brace there are no digits, which is told below.
                Some(inner) => inner.split_once('}').unwrap_or(("", inner)),
                None => {
                    let end = after.find(|c: char| !c.is_ascii_digit());
                    after.split_at(end.unwrap_or(after.len()))
                }
            };
            let group = digits.parse().map_err(|_| {
                "After `$` there is the number of a group; write `$$` for a dollar".to_string()
            })?;
            if group == 0 || group > groups {
                return Err(match groups {
                    0 => format!("There is no group {group}: the pattern has none"),
                    groups => format!("There is no group {group}: the pattern has {groups}"),
                });
            }
            pieces.push(TemplatePiece::Group(group));
            rest = after;
        }
        pieces.push(TemplatePiece::Text(rest.to_string()));
        Ok(Self { pieces })
    }

    /// The label for these groups; a group that is not there is empty.
    pub fn fill(&self, groups: &[&str]) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            TemplatePiece::Text(text) => text,
            TemplatePiece::Group(group) => groups.get(group - 1).copied().unwrap_or_default(),
        });
        pieces.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gate_is_the_first_word_in_every_dialect() {
        assert_eq!(gate("GAME !1 !ROCK"), "GAME");
        assert_eq!(gate("GAME!1"), "GAME");
        assert_eq!(gate("send(1, true)"), "send");
        assert_eq!(gate("tick"), "tick");
        assert_eq!(gate(""), "");
        assert_eq!(gate("(odd)"), "(odd)");
    }

    #[test]
    fn a_gate_keeps_what_follows_it() {
        let send = LabelPattern::Gate("SEND".to_string());
        let groups = send.captures("SEND !1 !2").expect("it has the gate");
        assert_eq!(Template::gate("MSG").fill(&groups), "MSG !1 !2");
        assert_eq!(send.captures("SENDER !1"), None);
    }

    #[test]
    fn regular_expressions_are_for_whole_labels() {
        let pattern = LabelPattern::regex("A|B.").expect("it is one");
        assert!(pattern.matches("A") && pattern.matches("BC"));
        assert!(!pattern.matches("AC") && !pattern.matches("xA"));
        assert!(LabelPattern::regex("a)(b").is_err());
    }

    #[test]
    fn templates_expand_groups_and_refuse_missing_ones() {
        let template = Template::expanding("$2-${1}0 costs $$5", 2).expect("it is one");
        assert_eq!(template.fill(&["a", "b"]), "b-a0 costs $5");
        assert!(Template::expanding("$3", 2).is_err());
        assert!(Template::expanding("$0", 2).is_err());
        assert!(Template::expanding("$x", 2).is_err());
        assert!(Template::expanding("${1", 2).is_err());
    }
}
